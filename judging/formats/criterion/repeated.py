"""What several rulings on one exchange come to, and what is kept of each."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import itemgetter

from debates.models import Thread
from debates.types import Role
from judging.formats import parsing, repeated
from judging.formats.parsing import Ruled
from judging.formats.repeated import ONE, Kept, Recomputed, RepeatedTable
from judging.formats.state import Ask, Brief, CriterionBoard
from judging.models import Call, Verdict
from judging.rules import fairness, flips
from judging.rules.fairness import Place
from judging.types import Outcome, Purpose, Winner


@dataclass(frozen=True, slots=True)
class Agreed:
    """What counts of an exchange, by which call, and what is kept of the single rulings."""

    ruled: Ruled
    call: Call
    kept: Kept


def only(*, ruled: Sequence[Ruled], call: Call) -> list[Agreed]:
    """Return the rulings of an arbiter that is asked once."""
    return [Agreed(one, call, ONE) for one in ruled]


def asks(*, brief: Brief, board: CriterionBoard) -> tuple[Ask, ...]:
    """Return the question for a ruling as often as it is still to be put. Pure."""
    wanted = fairness.of(brief.parameters)
    if not wanted.several and Purpose.JUDGE in board.done:
        return ()
    return repeated.asks(ask=Ask(Purpose.JUDGE, Role.ARBITER), fairness=wanted, had=board.ruled)


def with_rulings(*, board: CriterionBoard, thread: Thread) -> CriterionBoard:
    found = repeated.had(thread=thread, number=board.number)
    return replace(board, ruled=frozenset(place for purpose, _, _, place in found if purpose == Purpose.JUDGE.value))


def agreed(*, board: CriterionBoard, labels: Collection[str]) -> list[Agreed]:
    """Return what all rulings of a round come to, one for each exchange, with the reasoning of the nearest."""
    calls = Call.objects.filter(
        thread_id=board.thread_id,
        run_number=board.run,
        round_number=board.number,
        purpose=Purpose.JUDGE.value,
        outcome=Outcome.USED.value,
    )
    by_place = {Place(one.swapped, one.reading): one for one in calls}
    read = partial(parsing.verdicts, labels=labels)
    given = {
        place: {ruled.label: ruled for ruled in board.answer_of(row.pk, row.raw_answer, read=read)}
        for place, row in sorted(by_place.items(), key=itemgetter(0))
    }
    return [_agreed({place: found[label] for place, found in given.items()}, by_place) for label in labels]


def _agreed(given: Mapping[Place, Ruled], calls: Mapping[Place, Call]) -> Agreed:
    rows = {
        place: {"adjustment": one.adjustment, "impact": one.impact, "confidence": one.confidence}
        for place, one in given.items()
    }
    won, made = flips.verdict(given={place: (one.winner.value, rows[place]) for place, one in given.items()})
    place = flips.nearest(given={place: one.adjustment for place, one in given.items()}, to=made.numbers["adjustment"])
    kept = {place: {"winner": one.winner.value, **rows[place]} for place, one in given.items()}
    return Agreed(
        ruled=replace(
            given[place],
            winner=Winner(won),
            adjustment=made.numbers["adjustment"],
            impact=made.numbers["impact"],
            confidence=made.numbers["confidence"],
        ),
        call=calls[place],
        kept=Kept(tuple(repeated.kept(kept)), made.spread, made.flipped),
    )


RULED = ("adjustment", "impact", "confidence")


def recompute(row: Verdict) -> Recomputed:
    """Return what the single rulings of a verdict come to, and what it says that they came to."""
    winners = {Place(one["swapped"], one["reading"]): one["winner"] for one in row.readings}
    won, made = flips.verdict(
        given={place: (winners[place], ruled) for place, ruled in repeated.numbers_of(row, RULED).items()}
    )
    fact = row.fact
    says = {"adjustment": fact.amount, "impact": fact.impact, "confidence": fact.weight}
    expected, found = repeated.compared(row, made, says)
    return {**expected, "winner": won}, {**found, "winner": row.winner}


TABLES = (RepeatedTable("verdict", Verdict, round="round", debate="fact__evaluation__debate", recompute=recompute),)
