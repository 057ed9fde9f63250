"""A debate round: a judge moves only for a passage a peer brought that it had not used, and half way at most."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

from judging.bench import Bench, Gap, Item, Opinion, Stand
from judging.heuristics.bench.units import card_of, reading
from judging.heuristics.numbers import hundredths, written
from judging.heuristics.text import squeezed
from judging.rules.quotes import own_words

STEP = 25
"""Hundredths to which a move is cut down, towards the old score."""
CLOSE = Decimal("0.5")
NEAR = Decimal(1)


def argue(bench: Bench) -> dict[str, Any]:
    """Defend or revise every disagreement, from the reports of the round before.

    Shape: ``sections`` with defence, challenge, score, because and quotes; ``accepts``; ``agrees_with``.
    Source: docs/explanation/heuristic-judge.md#panels
    """
    assert bench.own is not None  # noqa: S101 -- who debates has a report of their own
    peers = {one.judge: one for one in bench.others}
    sections = [section(bench, gap, [peers[judge].on(gap.code) for judge, _ in gap.opponents]) for gap in bench.gaps]
    own = after(bench, sections)
    agrees = [one.judge for one in bench.others if agree(own, one, bench)]
    return {"sections": sections, "accepts": len(agrees) == len(bench.others), "agrees_with": agrees}


def section(bench: Bench, gap: Gap, opponents: Sequence[Opinion]) -> dict[str, Any]:
    """Speak to one disagreement: to everybody it is with; only for the farthest of them does a judge move."""
    assert bench.own is not None  # noqa: S101 -- as above
    mine, theirs = bench.own.on(gap.code), opponents[0]
    item = next(item for item in bench.items if item.code == gap.code)
    new = unused(mine, theirs, lambda quote: bears_on(quote, subject=own_words(bench.subject), item=item))
    moved = half_way(gap) if new else gap.own_score
    if moved != gap.own_score:
        because = f"{gap.other} quotes a passage that I had not used; it carries half of the way at most."
    elif new:
        because = f"{gap.other} quotes a passage that I had not used, but half of the way is less than a step."
    else:
        because = f"{gap.other} quotes nothing on it that I had not weighed; numbers alone are no reason to move."
    return {
        "criterion": gap.code,
        "defence": rests_on(mine),
        "challenge": " ".join(
            f"{judge} gives {written(points(score))}. {rests_on(opinion)}"
            for (judge, score), opinion in zip(gap.opponents, opponents, strict=True)
        ),
        "score": written(points(moved)),
        "because": because,
        "quotes": [new] if moved != gap.own_score and new else [],
    }


def unused(mine: Opinion, theirs: Opinion, bearing: Callable[[str], bool]) -> str | None:
    """Return the first quote of a peer that bears on the criterion and says something else than all of one's own."""
    used = [squeezed(quote) for quote in mine.quotes]
    new = (
        quote for quote in theirs.quotes if not any(squeezed(quote) in own or own in squeezed(quote) for own in used)
    )
    return next((quote for quote in new if bearing(quote)), None)


def bears_on(quote: str, *, subject: str, item: Item) -> bool:
    """Tell whether a quote is of a passage that speaks of a criterion itself, or shows what is wanted of it."""
    passage = squeezed(quote)
    units = (match.unit for match in reading(subject, card_of(item)).found if match.near)
    return any(passage in squeezed(unit.text) or squeezed(unit.text) in passage for unit in units)


def half_way(gap: Gap) -> Decimal:
    """Return the own score moved by half the gap, cut down to whole steps."""
    distance = points(gap.other_score) - points(gap.own_score)
    size = abs(distance) // 2 // STEP * STEP
    return Decimal(points(gap.own_score) + (size if distance > 0 else -size)).scaleb(-2)


def points(score: Decimal) -> int:
    return hundredths(score, otherwise=100)


def rests_on(one: Opinion) -> str:
    if not one.quotes:
        return "No passage was found for it."
    return f"It rests on \u201c{squeezed(one.quotes[0])}\u201d"


def after(bench: Bench, sections: list[dict[str, Any]]) -> dict[str, Decimal]:
    """Return the own scores as they are after this round, by criterion."""
    assert bench.own is not None  # noqa: S101 -- as above
    moved = {one["criterion"]: Decimal(one["score"]) for one in sections}
    return {one.code: moved.get(one.code, one.score) for one in bench.own.opinions}


def agree(own: dict[str, Decimal], other: Stand, bench: Bench) -> bool:
    """Say whether one could sign another's scores: a point apart at most anywhere, half a point overall."""
    apart = [abs(own[one.code] - one.score) for one in other.opinions if one.code in own]
    overall = sum((own[item.code] * item.share for item in bench.items if item.code in own), Decimal(0))
    return max(apart, default=Decimal(0)) <= NEAR and abs(overall - other.overall) <= CLOSE
