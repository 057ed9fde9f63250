"""A whole criterion debate between the heuristic voices, without database; and texts with their evidence taken out."""

import json
import re
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

from judging import heuristics
from judging.types import CriterionCard, Exchange, Material, Reply, Severity

SAMPLES = Path(__file__).resolve().parents[3] / "samples"
PERSONAS = ("skeptic", "realist", "first-principles")
EVERYBODY = (*PERSONAS, "competitor", "contrarian", "edge-case")
ORDER = list(Severity)
VAGUE = (
    "Things of that kind are looked at in due course.",
    "There is a general idea about this.",
    "It is a matter that people find interesting.",
    "One could say more about it.",
)


@dataclass(frozen=True)
class Ruling:
    """One verdict, and the exchange as the arbiter saw it."""

    round: int
    exchange: Exchange
    verdict: dict[str, Any]


@dataclass(frozen=True)
class Played:
    initial: Decimal
    final: Decimal
    verdicts: tuple[dict[str, Any], ...]
    exchanges: tuple[Exchange, ...]
    rulings: tuple[Ruling, ...]


@cache
def samples() -> dict[str, tuple[str, str]]:
    read = {path.stem: path.read_text(encoding="utf-8") for path in sorted(SAMPLES.glob("*.md"))}
    return {name: (text.partition("\n")[0][2:], text.partition("\n")[2].strip()) for name, text in read.items()}


@cache
def rubric(name: str = "venture") -> dict[str, Any]:
    return json.loads((SAMPLES / "rubrics" / f"{name}.json").read_text(encoding="utf-8"))


@cache
def cards(name: str = "venture") -> tuple[CriterionCard, ...]:
    fields = ("code", "name", "category", "question", "high", "low")
    return tuple(CriterionCard(**{field: row[field] for field in fields}) for row in rubric(name)["criteria"])


def card(code: str) -> CriterionCard:
    return next(one for one in cards() if one.code == code)


def material(text: str, criterion: CriterionCard | None, **more: Any) -> Material:
    return Material(subject_title="A subject", subject=text, criterion=criterion, **more)


def score(text: str, code: str) -> Decimal:
    return Decimal(heuristics.assess(material(text, card(code)))["score"])


def opened(text: str, criterion: CriterionCard, personas: tuple[str, ...] = PERSONAS) -> tuple[Exchange, ...]:
    """Return the first three challenges by severity, as exchanges."""
    asked = material(text, criterion, rubric=cards(), personas=personas, round=1)
    raised = heuristics.challenge(asked)["challenges"]
    kept = sorted(raised, key=lambda one: ORDER.index(Severity(one["severity"])))[:3]
    return tuple(
        Exchange(
            label=f"C{number}",
            persona=one["persona"],
            severity=Severity(one["severity"]),
            quote=one["quote"],
            said=((1, "challenger", one["text"]),),
        )
        for number, one in enumerate(kept, start=1)
    )


def play(text: str, criterion: CriterionCard, *, rounds: int = 3, initial: Decimal | None = None) -> Played:
    """Play one thread: challenge, defend, judge; from round 2 press what has not been conceded."""
    initial = value = initial or Decimal(heuristics.assess(material(text, criterion))["score"])
    exchanges = {one.label: one for one in opened(text, criterion)}
    verdicts: list[dict[str, Any]] = []
    rulings: list[Ruling] = []
    for number in range(1, rounds + 1):
        still_open = [one for one in exchanges.values() if one.reply is not Reply.CONCEDE]
        facts = {"round": number, "rounds": rounds, "initial_score": initial, "score": value}
        if number > 1:
            shown = material(text, criterion, exchanges=tuple(replace(one, reply=None) for one in still_open), **facts)
            still_open = put(still_open, number, heuristics.press(shown)["presses"])
            if not still_open:
                break
        shown = material(text, criterion, exchanges=tuple(still_open), **facts)
        still_open = answered(still_open, number, heuristics.defend(shown)["defences"])
        ruled = heuristics.judge(material(text, criterion, exchanges=tuple(still_open), **facts))["verdicts"]
        verdicts.extend({**one, "round": number} for one in ruled)
        rulings.extend(Ruling(number, *pair) for pair in zip(still_open, ruled, strict=True))
        exchanges.update({one.label: one for one in still_open})
        value = computed(initial, verdicts)
    return Played(initial, value, tuple(verdicts), tuple(exchanges.values()), tuple(rulings))


def put(exchanges: list[Exchange], number: int, presses: list[dict[str, Any]]) -> list[Exchange]:
    """Return the exchanges that are pressed; what the red team lets lie is not put."""
    words = {one["challenge"]: one["text"] for one in presses}
    return [
        replace(one, reply=None, said=(*one.said, (number, "challenger", words[one.label])))
        for one in exchanges
        if one.label in words
    ]


def answered(exchanges: list[Exchange], number: int, defences: list[dict[str, Any]]) -> list[Exchange]:
    by_label = {one["challenge"]: one for one in defences}
    return [
        replace(
            one,
            reply=Reply(by_label[one.label]["reply"]),
            said=(*one.said, (number, "evaluator", by_label[one.label]["text"])),
        )
        for one in exchanges
    ]


def computed(initial: Decimal, verdicts: list[dict[str, Any]]) -> Decimal:
    moved = sum((Decimal(one["adjustment"]) for one in verdicts), Decimal(0))
    return max(Decimal(1), min(Decimal(10), initial + max(Decimal(-5), min(Decimal(5), moved))))


# -- evidence taken out, by means that share no code with the judge --------------------------------------------------

CHECKABLE = re.compile(
    r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fourteen|fifteen|twenty|thirty|forty|fifty)\b"
)
STOP = re.compile(r"(?<=[.!?])\s+(?=[\"\u201c(]?[A-Z0-9])")


def parts(text: str) -> list[str]:
    """Return sentences and the white space between them, so that joining them gives the text again."""
    pieces = re.split(r"(\n+)", text)
    found: list[str] = []
    for piece in pieces:
        if piece.startswith("\n") or not piece:
            found.append(piece)
            continue
        sentences = STOP.split(piece)
        found.extend(part for sentence in sentences for part in (sentence, " "))
        found.pop()
    return found


def without_evidence(text: str, quoted: tuple[str, ...]) -> str:
    """Return a text in which every sentence that can be checked, and was quoted, says something vague instead."""
    made = []
    for number, part in enumerate(parts(text)):
        hit = CHECKABLE.search(part) and any(part in quote or quote in part for quote in quoted)
        made.append(VAGUE[number % len(VAGUE)] if hit else part)
    return "".join(made)


def blurred(text: str) -> str:
    """Return a text in which every sentence with a number says something vague instead."""
    made = [VAGUE[at % len(VAGUE)] if CHECKABLE.search(part) else part for at, part in enumerate(parts(text))]
    return "".join(made)
