"""What was said in an open debate, exchange by exchange: how fairly, what it did to whom, and who gave up."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from debates.models import Debate, Round, Turn
from debates.types import FORFEIT, TurnKind
from judging import marks
from judging.formats.open.board import INTRODUCTION
from judging.marks import Dimension
from judging.models import Effect, ParticipantState, ResponseEvaluation
from judging.pages.table import Chair, Table
from judging.pages.transcript import counts_as


@dataclass(frozen=True, slots=True)
class Fairness:
    """How fairly a response argued, and whether that counts; without ``dimensions`` there is no number."""

    row: ResponseEvaluation
    counts: str
    dimensions: Sequence[Dimension]


@dataclass(frozen=True, slots=True)
class Moved:
    """What a response did to one listener: where it stood before and stands after."""

    effect: Effect
    chair: Chair
    before: ParticipantState
    after: ParticipantState

    @property
    def moved(self) -> bool:
        """Say whether anything has changed."""
        return (self.before.stance, self.before.conviction) != (self.after.stance, self.after.conviction)


@dataclass(frozen=True, slots=True)
class Spoken:
    """One turn as it is shown. ``forfeited`` where nobody spoke; ``to`` is whom an interjection is about."""

    turn: Turn
    kind: str
    chair: Chair | None
    to: str
    forfeited: bool
    fairness: Fairness | None
    moved: Sequence[Moved]


@dataclass(frozen=True, slots=True)
class Exchange:
    """One exchange, or with number 0 the openings. ``round`` is missing until it has begun."""

    number: int
    round: Round | None
    said: Sequence[Spoken]


def exchanges(*, debate: Debate, table: Table, numbers: Collection[int]) -> list[Exchange]:
    """Return some exchanges of a debate, in a number of queries that does not grow with them: none for none."""
    if not numbers:
        return []
    rounds = {one.number: one for one in Round.objects.filter(thread__debate=debate, number__in=numbers)}
    turns = Turn.objects.filter(round__in=rounds.values()).select_related("participant", "round").order_by("pk")
    rows = list(turns)
    judged = evaluations(rows)
    made = effects(rows)
    said = [spoken(one, table=table, judged=judged, made=made, turns=rows) for one in rows]
    return [
        Exchange(
            number=number,
            round=rounds.get(number),
            said=[one for one in said if one.turn.round and one.turn.round.number == number],
        )
        for number in sorted(numbers)
    ]


def evaluations(turns: Sequence[Turn]) -> dict[int, ResponseEvaluation]:
    """Return how some turns were judged, by turn."""
    rows = ResponseEvaluation.objects.filter(turn__in=turns).select_related("fact__evaluation", "call")
    return {one.turn_id: one for one in rows.defer("call__raw_answer")}


def effects(turns: Sequence[Turn]) -> dict[int, list[Effect]]:
    """Return what some turns did, by turn, in the order of the table."""
    found: dict[int, list[Effect]] = {}
    for one in Effect.objects.filter(turn__in=turns).select_related("state_after").order_by("pk"):
        found.setdefault(one.turn_id, []).append(one)
    return found


def spoken(
    turn: Turn,
    *,
    table: Table,
    judged: Mapping[int, ResponseEvaluation],
    made: Mapping[int, Sequence[Effect]],
    turns: Sequence[Turn],
) -> Spoken:
    """Return one turn with everything that came of it."""
    kind = INTRODUCTION if turn.slot == INTRODUCTION else turn.kind
    answered = next((one for one in turns if one.pk == turn.answers_id), None)
    row = judged.get(turn.pk)
    return Spoken(
        turn=turn,
        kind=kind,
        chair=table.by_id.get(turn.participant_id),
        to=answered.participant.name if answered and kind == TurnKind.INTERJECTION.value else "",
        forfeited=turn.slot.startswith(FORFEIT),
        fairness=fairness(row) if row else None,
        moved=[moved(one, table=table) for one in made.get(turn.pk, ())],
    )


def moved(effect: Effect, *, table: Table) -> Moved:
    """Return what an effect did to its listener."""
    after = effect.state_after
    before = table.states[effect.listener_id, after.number - 1]
    return Moved(effect=effect, chair=table.by_id[effect.listener_id], before=before, after=after)


def fairness(row: ResponseEvaluation) -> Fairness:
    """Return how fairly a response argued, its marks in words too."""
    counts = counts_as(row.fact, evaluation=row.fact.evaluation) if row.fact else ""
    return Fairness(row=row, counts=counts, dimensions=marks.dimensions(row))
