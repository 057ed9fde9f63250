"""The figures as tables, and where they are kept."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.judging.numbers import Found
from benchmarks.judging.passages import CODES, DONE, passages

FIGURES = Path(__file__).with_name("figures.json")
PAGE = Path(__file__).resolve().parents[2] / "docs" / "explanation" / "judging.md"
BEGIN, END = "<!-- figures: written by python -m benchmarks.judging -->", "<!-- end of figures -->"
NAMES = {
    "steel": "steel-manning",
    "critique": "self-critique",
    "breaks": "break with the framework",
    "interjection": "calls for an interjection",
    "issues": "honesty, all codes",
}
BY = {"marks": "the four marks", "quick": "the quick look"}


def figures() -> dict[str, Any]:
    kept: dict[str, Any] = json.loads(FIGURES.read_text(encoding="utf-8")) if FIGURES.exists() else {}
    return kept


def written(*, text: str, kept: Mapping[str, Any]) -> str:
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{tables(kept)}\n\n{END}{after}"


def tables(kept: Mapping[str, Any]) -> str:
    parts = list(own(kept["passages"]))
    if "receptiveness" in kept:
        parts += receptive(kept["receptiveness"])
    if "convincing" in kept:
        parts += convincing(kept["convincing"])
    return "\n".join(parts)


def own(kept: Mapping[str, Any]) -> Iterator[str]:
    """Yield the table of our passages: those nobody looked at while mending, beside those somebody did."""
    held, tuned = kept["held_out"], kept["tuned"]
    yield f"**Our passages**: {held['passages']} held out, {tuned['passages']} looked at while mending."
    yield ""
    yield "| Found | By | Precision | Recall | Right, wrong, missed | Precision, looked at | Recall, looked at |"
    yield "|---|---|---|---|---|---|---|"
    for row, other in zip(held["rows"], tuned["rows"], strict=True):
        counted, beside = Found(*(row[n] for n in COUNTS)), Found(*(other[n] for n in COUNTS))
        name = NAMES.get(row["dimension"], f"`{row['dimension']}`")
        yield (
            f"| {name} | {BY.get(row['by'], row['by'])} | {share(counted.precision)} | {share(counted.recall)}"
            f" | {counted.right}, {counted.wrong}, {counted.missed}"
            f" | {share(beside.precision)} | {share(beside.recall)} |"
        )
    yield ""
    order = held["order"]
    yield (
        f"The marks order the held-out passages as the reader's four levels do with a rank correlation of"
        f" {two(order['steel'])} (steel-manning) and {two(order['critique'])} (self-critique)."
    )


COUNTS = ("right", "wrong", "missed")


def receptive(kept: Mapping[str, Any]) -> list[str]:
    about = (
        f"**Receptiveness**: {kept['texts']:,} answers to policy statements, rated by people. Area: how often a text of"
        " the more receptive half scores above one of the other; 0.50 is chance."
        " In brackets the middle 95 % of texts drawn again."
    )
    lines = ["", about, "", "| Score | Area | Rank correlation | Precision | Recall |", "|---|---|---|---|---|"]
    for row in kept["rows"]:
        counted = Found(*(row[name] for name in COUNTS)) if "right" in row else None
        shares = f"{share(counted.precision)} | {share(counted.recall)}" if counted else "| "
        area = f"{three(row['area'])} {between(row['within'])}"
        lines.append(f"| {BY.get(row['score'], row['score'])} | {area} | {three(row['rho'])} | {shares} |")
    return lines


def convincing(kept: Mapping[str, Any]) -> list[str]:
    about = (
        f"**Convincing arguments**: {kept['pairs']:,} pairs of {kept['arguments']:,} arguments; people preferred one of"
        " each. How often the preferred one scores higher, equal scores counted half. In brackets the"
        " middle 95 % of topics drawn again."
    )
    return [
        "",
        about,
        "",
        "| Score | Agreed |",
        "|---|---|",
        *(f"| {row['score']} | {three(row['agreed'])} {between(row['within'])} |" for row in kept["rows"]),
    ]


def share(value: Any) -> str:
    return "-" if value is None else f"{100 * value.numerator / value.denominator:.0f} %"


def two(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def three(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def between(ends: Sequence[float]) -> str:
    return f"[{ends[0]:.3f}, {ends[1]:.3f}]"


def differences() -> Iterator[str]:
    """Yield the passages that are judged otherwise than they were annotated, and how.

    Only those that may be looked at: what is held out says nothing any more once somebody has mended by it.
    """
    for passage in (passage for passage in passages() if passage.tuned):
        odd = [
            f"{name}: {passage.wanted[name]}, got {passage.named(name)}"
            for name in ("steel", "critique")
            if differs(passage, name)
        ]
        odd += [
            f"{code}: {code in passage.wanted['issues']}"
            for code in CODES
            if (code in passage.wanted["issues"]) != (code in passage.issues)
        ]
        if passage.wanted["breaks"] != (passage.marks.violations > 0):
            odd.append(f"breaks: {passage.wanted['breaks']}")
        if odd:
            yield f"\n{passage.text}\n  {'; '.join(odd)}\n"


def differs(passage: Any, name: str) -> bool:
    """Tell whether something was found that is not there, or the other way about."""
    return (passage.wanted[name] in DONE) != (passage.named(name) in DONE)


__all__: Sequence[str] = ("BEGIN", "END", "FIGURES", "PAGE", "differences", "figures", "tables", "written")
