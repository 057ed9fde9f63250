"""Several judgements of one thing, both orders: asked, brought together, counted."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import partial
from operator import itemgetter
from typing import Any, TypeVar

from django.db.models import Avg, Count, Manager, Max, Q

from debates.decimals import in_places, plain
from debates.models import Debate, Thread
from judging.formats.state import Ask, Close, Step, ThreadState, Together
from judging.models import Call
from judging.models.call import Several
from judging.rules import fairness
from judging.rules.fairness import ONCE, Fairness, Place
from judging.rules.fairness import AgreedNumbers as Agreement
from judging.types import Outcome
from scoring.rules import numbers

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class KeptReadings:
    """What a row keeps of several judgements: each of them, how far they lie apart, and whether the orders differ."""

    readings: tuple[Mapping[str, Any], ...] = ()
    spread: Decimal | None = None
    flipped: bool | None = None

    @property
    def columns(self) -> dict[str, Any]:
        return {"readings": list(self.readings), "spread": self.spread, "flipped": self.flipped}


ONE = KeptReadings()
"""What is kept where something was judged once: nothing more than the judgement itself."""


def several_told(kept: Any) -> dict[str, Any]:
    """Return what an event tells of a row, or of what a row keeps, that was judged several times; else nothing."""
    if not kept.readings:
        return {}
    flip = {} if kept.flipped is None else {"flipped": kept.flipped}
    return {"judgements": len(kept.readings), "spread": in_places(kept.spread), **flip}


Had = frozenset[tuple[str, int, str, Place]]
"""Judgements that there are: purpose, participant, about what, and which of several."""


def had(*, thread: Thread, number: int) -> Had:
    """Return which usable answers a locked thread has in a round."""
    used = Call.objects.filter(
        thread=thread, run_number=thread.run_number, round_number=number, outcome=Outcome.USED.value
    )
    rows = used.values_list("purpose", "participant_id", "about", "swapped", "reading")
    return frozenset((purpose, seat, about, Place(swapped, reading)) for purpose, seat, about, swapped, reading in rows)


def asks(*, ask: Ask, fairness: Fairness, had: Collection[Place]) -> tuple[Ask, ...]:
    """Return a question as often as it is still to be put; once, and without a number, where it is put once."""
    if not fairness.several:
        return (ask,)
    missing = (place for place in fairness.places if place not in had)
    return tuple(replace(ask, swapped=place.swapped, reading=place.reading) for place in missing)


def step(asks: Sequence[Ask]) -> Step:
    """Return what is to be done where these questions are still to be put: with none of them left, close the round."""
    if not asks:
        return Close()
    return asks[0] if len(asks) == 1 else Together(tuple(asks))


def judgements(*, board: ThreadState, read: Callable[[Place, str], T], **of: Any) -> Mapping[Place, tuple[Call, T]]:
    """Return all usable judgements of one thing in a round, the usual order first.

    Shape: ``of`` are the columns by which the calls are known that judged it.
    """
    rows = Call.objects.filter(
        thread_id=board.thread_id, run_number=board.run, round_number=board.number, outcome=Outcome.USED.value, **of
    )
    places = {Place(row.swapped, row.reading): row for row in rows}
    return {
        place: (row, board.answer_of(row.pk, row.raw_answer, read=partial(read, place)))
        for place, row in sorted(places.items(), key=itemgetter(0))
    }


def kept(rows: Mapping[Place, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return single judgements as a row keeps them, numbers as text.

    Source: docs/reference/fairness.md#what-is-kept
    """
    return [
        {"swapped": place.swapped, "reading": place.reading, **{name: _text(value) for name, value in numbers.items()}}
        for place, numbers in rows.items()
    ]


def _text(value: Any) -> Any:
    return plain(value) if isinstance(value, Decimal) else value


# How a debate was judged, and how far its single judgements lie apart: what a reader of its result wants to know.


Numbers = Mapping[str, Decimal]
Said = Mapping[str, object]
Recomputed = tuple[Said, Said]
"""What single judgements come to, and what the row says that they came to."""


@dataclass(frozen=True, slots=True)
class RepeatedTable:
    """A table of what a format may judge several times.

    Shape: ``name`` is what one of it is called; ``debate`` is the way from a row to it; ``recompute`` takes a row that
    was judged several times; ``counts`` selects what a score rests on, where a thread may be played again.
    """

    name: str
    model: type[Several]
    debate: str
    recompute: Callable[[Any], Recomputed]
    counts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def rows(self) -> Manager[Any]:
        rows: Manager[Any] = self.model._default_manager  # noqa: SLF001 -- Django's public name
        return rows


def numbers_of(row: Several, names: Sequence[str]) -> dict[Place, Numbers]:
    """Return what each single judgement of a row says, by the names of its numbers."""
    return {
        Place(reading["swapped"], reading["reading"]): {name: Decimal(reading[name]) for name in names}
        for reading in row.readings
    }


def compared(row: Several, agreed: Agreement, says: Numbers) -> Recomputed:
    """Return what the judgements of a row come to, its spread and its flip, beside what the row says."""
    counted = {name: agreed.numbers[name] for name in says}
    return (
        {**counted, "spread": agreed.spread, "flipped": agreed.flipped},
        {**says, "spread": row.spread, "flipped": row.flipped},
    )


def of_debate(*, debate: Debate, tables: Sequence[RepeatedTable]) -> dict[str, Any] | None:
    """Return the fairness options of a debate and what its judgements came to; nothing where none was chosen.

    Shape: ``tables`` are those of its format; rows of the run that a score rests on; ``flipped`` is missing where one
    order is judged.
    Source: docs/reference/results.md#fairness
    """
    options = fairness.of(debate.parameters)
    if options == ONCE:
        return None
    rows = [(table.name, apart(debate, table)) for table in (tables if options.several else ())]
    return {
        "swap": options.swap,
        "blindNames": options.blind_names,
        "repeats": options.repeats,
        "judgements": options.judgements,
        "judged": [{"what": name, **row, "flipped": row["flipped"] if options.swap else None} for name, row in rows],
    }


def apart(debate: Debate, table: RepeatedTable) -> dict[str, Any]:
    """Return how many rows there are that were judged several times, how many flipped, and how far apart they lie."""
    rows = table.rows.filter(spread__isnull=False, **{table.debate: debate}, **table.counts)
    totals = rows.aggregate(
        judged=Count("pk"), flipped=Count("pk", filter=Q(flipped=True)), mean=Avg("spread"), largest=Max("spread")
    )
    mean = None if totals["mean"] is None else numbers.half_up(totals["mean"], places=2)
    return {
        "judged": totals["judged"],
        "flipped": totals["flipped"],
        "meanSpread": in_places(mean),
        "largestSpread": in_places(totals["largest"]),
    }
