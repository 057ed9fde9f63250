"""Texts, ways to write them otherwise, and what the offline judge gives them on every criterion."""

import json
import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import cache
from pathlib import Path

from judging import heuristics
from judging.rules import text_probes
from judging.rules.text_probes import Expected
from tests.judging.heuristics.dry_run import cards, material, samples

HERE = Path(__file__).parent
END = re.compile(r"(?<=[a-z]{3}[.!?])\s+(?=[A-Z])")


@cache
def texts() -> Mapping[str, str]:
    """Return the samples, and texts of other kinds: an argument, a list, words of others in quotation marks."""
    own = {path.stem: path.read_text(encoding="utf-8") for path in sorted((HERE / "texts").glob("*.md"))}
    return {name: text for name, (_, text) in samples().items() if name not in ("lifeverse", "tool-library")} | own


@cache
def paraphrases() -> list[list[str]]:
    return json.loads((HERE / "pairs.json").read_text(encoding="utf-8"))


@cache
def scores(text: str) -> tuple[Decimal, ...]:
    return tuple(Decimal(heuristics.assess(material(text, card))["score"]) for card in cards())


def exclaimed(text: str) -> str:
    """End every sentence with an exclamation mark."""
    return re.sub(r"(?<=[a-z]{3})\.(?=\s|$)", "!", text)


def each_a_paragraph(text: str) -> str:
    return END.sub("\n\n", text)


def rubric_on_top(text: str) -> str:
    """Put a heading on top that names every criterion."""
    return f"# {' '.join(card.name for card in cards())}\n\n{text}"


def backwards(text: str) -> str:
    """Say the last sentence of each paragraph first."""
    return "\n\n".join(
        " ".join(reversed(END.split(part))) if "\n" not in part else part for part in text_probes.paragraphs(text)
    )


SAME: Mapping[str, Callable[[str], str]] = {
    **text_probes.PROBES[Expected.SAME],
    "exclamation marks": exclaimed,
    "a paragraph a sentence": each_a_paragraph,
    "heading of rubric words": rubric_on_top,
    "sentences backwards": backwards,
}
NAMES = ", ".join(card.name.lower() for card in cards())
NO_GAIN: Mapping[str, Callable[[str], str]] = {
    **{name: way for name, way in text_probes.PROBES[Expected.NO_GAIN].items() if name != "unrelated sentences"},
    "list of criteria": text_probes.followed_by(f"{NAMES}."),
    "rubric words as claims": text_probes.followed_by(
        "The problem is severe and clear, the target users and customers are known, the solution is feasible and new, "
        "the market is large and growing, the team is experienced, the risks are small and the plan is realistic."
    ),
    "words about evidence": text_probes.followed_by(
        "Studies show this, surveys and interviews confirm it, and extensive research and data prove the demand."
    ),
    "a figure without a matter": text_probes.followed_by("10 out of 10. 100 %. 2024. 5 stars. 99 % agree. 1,000,000."),
    "said backwards": backwards,
    "praise in capitals": text_probes.followed_by(
        "THE BEST SOLUTION FOR ALL USERS, THE LARGEST MARKET, THE STRONGEST TEAM."
    ),
}
UNRELATED = (
    text_probes.UNRELATED,
    (
        "We interviewed 40 customers in a survey, and 31 said that the price of 12 euros is too high. A pilot with 25 "
        "users ran for six weeks and cut costs by 18 %. The competitor Velt charges 90 euros per month, three times "
        "as much. The permit was issued on 3 May 2024 by the county. Our team of four has built two such machines. If "
        "the supplier fails, a second one in Arden delivers within nine days."
    ),
    (
        "According to a study of 1,200 farms in 2021, the market for goat cheese grows by 9 % a year. The founder "
        "worked eleven years as a nurse and was paid 2,400 euros a month. A loan of 40,000 euros over five years is "
        "granted by the bank in Tull. Because the law changes on 1 January 2026, every hotel needs a permit. We "
        "measured 14 litres of milk per day with a calibrated meter in 30 stables. If only half of the guests come, "
        "the reserve lasts eight months."
    ),
)
"""Six sentences each that are full of evidence, the last two in the rubric's own words, and about something else."""
