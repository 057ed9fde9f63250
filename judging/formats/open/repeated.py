"""What several judgements of one response come to, and what is kept of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from judging.formats import repeated
from judging.formats.open.parsing import Judged, Weighed
from judging.formats.open.state import TableBoard
from judging.formats.repeated import Kept
from judging.formats.state import Ask, Brief
from judging.models import Call, Effect, ResponseEvaluation
from judging.rules import fairness, flips
from judging.rules.fairness import Place
from judging.types import Purpose

JUDGED = frozenset({Purpose.EVALUATE, Purpose.INFLUENCE})
"""Purposes that a debate may ask for several times, in both orders."""


@dataclass(frozen=True, slots=True)
class Agreed:
    """What counts of a response, by which call, and what is kept of the single judgements.

    Shape: ``kept`` is by listener where it is about effects, and under "" where it is about fairness.
    """

    answer: Any
    call: Call
    kept: Mapping[str, Kept]


def asks_about(ask: Ask, *, speaker: str, brief: Brief, board: TableBoard) -> tuple[Ask, ...]:
    """Return a question about a response as often as it is still to be put."""
    if ask.purpose not in JUDGED:
        return (ask,)
    arbiter = (ask.purpose.value, board.arbiter, speaker[:60])
    had = [place for *about, place in board.had if tuple(about) == arbiter]
    return repeated.asks(ask=ask, fairness=fairness.of(brief.parameters), had=had)


def is_settled(*, purpose: Purpose, turn: int) -> bool:
    """Say whether it is written already what a response comes to; one judgement of several may have failed."""
    if purpose is Purpose.EVALUATE:
        return ResponseEvaluation.objects.filter(turn_id=turn).exists()
    return Effect.objects.filter(turn_id=turn).exists()


def agreed(
    *, brief: Brief, board: TableBoard, ask: Ask, answer: Any, call: Call, read: Callable[[Ask, str], Any]
) -> Agreed | None:
    """Return what a response comes to with the judgement that was just given; nothing where others are still to come.

    Shape: ``read`` reads an answer as the question it answers was put.
    """
    wanted = fairness.of(brief.parameters)
    if not ask.reading:
        return Agreed(answer, call, {})

    def read_in_its_place(place: Place, text: str) -> Any:
        return read(replace(ask, swapped=place.swapped, reading=place.reading), text)

    given = repeated.judgements(board=board, call=call, read=read_in_its_place)
    if len(given) < wanted.judgements:
        return None
    return judged(given) if ask.purpose is Purpose.EVALUATE else weighed(given)


def judged(given: Mapping[Place, tuple[Call, Judged]]) -> Agreed:
    """Return four marks that stand for several times four, with the words of the nearest."""
    rows = {place: {name: getattr(one.marks, name) for name in flips.MARKS} for place, (_, one) in given.items()}
    made = flips.marks(given=rows)
    total = sum(made.numbers.values(), Decimal(0))
    place = flips.nearest(given={place: one.marks.total for place, (_, one) in given.items()}, to=total)
    call, nearest = given[place]
    answers = [one for _, one in given.values()]
    answer = replace(
        nearest,
        marks=flips.agreed_marks(made, violations=nearest.marks.violations),
        steel_attempted=mostly([one.steel_attempted for one in answers]),
        critique_attempted=mostly([one.critique_attempted for one in answers]),
    )
    return Agreed(answer, call, {"": Kept(tuple(repeated.kept(rows)), made.spread, made.flipped)})


def weighed(given: Mapping[Place, tuple[Call, Sequence[Weighed]]]) -> Agreed:
    """Return what a response does to each listener, of several times that."""
    first = next(iter(given.values()))
    made: list[Weighed] = []
    kept: dict[str, Kept] = {}
    for at, one in enumerate(first[1]):
        rows = {place: {name: getattr(found[at], name) for name in flips.SHARES} for place, (_, found) in given.items()}
        found = flips.effect(given=rows)
        made.append(Weighed(one.listener, *(found.numbers[name] for name in flips.SHARES)))
        kept[one.listener] = Kept(tuple(repeated.kept(rows)), found.spread, found.flipped)
    return Agreed(tuple(made), first[0], kept)


def mostly(flags: Sequence[bool]) -> bool:
    """Return what most say; of as many as not, that it is so."""
    return 2 * sum(flags) >= len(flags)
