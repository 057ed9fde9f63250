"""The table of an open debate as its page shows it: who sits there, stands where, and how fairly each has argued."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from django.db.models import QuerySet

from debates.models import Debate, Participant, Round
from debates.types import Role
from judging import outcomes
from judging.models import ParticipantState, ResponseEvaluation, Standing
from judging.models.table import MARKS
from judging.outcomes import Options
from judging.pages.scoreboard import Badge, moderated
from judging.rules.adherence import PLACES
from scoring.models import Evaluation
from scoring.rules import numbers
from scoring.types import Instrument


@dataclass(frozen=True, slots=True)
class Point:
    """Where a chair stands: stance -1..1, conviction 0..1."""

    stance: Decimal
    conviction: Decimal


@dataclass(frozen=True, slots=True)
class Gone:
    """That a chair gave up: why, in which exchange, after whose words."""

    reason: str
    exchange: int
    to: str


@dataclass(frozen=True, slots=True)
class Account:
    """A score of a chair, as the ledger has it now; nothing is known where ``evaluation`` is missing."""

    evaluation: Evaluation | None
    standing: Standing | None = None
    means: Sequence[Decimal | None] = ()
    responses: int = 0

    @property
    def final(self) -> Decimal | None:
        """Return the score as it stands."""
        final: Decimal | None = self.evaluation.final_score if self.evaluation else None
        return final

    @property
    def badges(self) -> list[Badge]:
        """Return what moderators did to it."""
        return moderated(evaluation=self.evaluation, what="judgement") if self.evaluation else []


@dataclass(frozen=True, slots=True)
class Chair:
    """Somebody at the table. ``points`` has where it stood at the start (0) and after each exchange so far."""

    participant: Participant
    style: int
    framework: str
    strategy: str
    points: Mapping[int, Point]
    gone: Gone | None
    standing: Account
    adherence: Account

    @property
    def public_id(self) -> str:
        """Return the id by which events tell of it."""
        return str(self.participant.public_id)

    @property
    def name(self) -> str:
        return self.participant.name

    @property
    def now(self) -> Point:
        """Return where it stands now."""
        return self.points[max(self.points)]


@dataclass(frozen=True)
class Table:
    """Everybody at the table, in speaking order; ``played`` are the exchanges that have ended."""

    chairs: Sequence[Chair]
    options: Options
    exchanges: int
    played: frozenset[int]
    states: Mapping[tuple[int, int], ParticipantState]

    @cached_property
    def by_id(self) -> Mapping[int, Chair]:
        """Return the chairs by their participants."""
        return {one.participant.pk: one for one in self.chairs}

    @property
    def ranked(self) -> list[Chair]:
        """Return the chairs, the highest standing first; those without one last, in speaking order."""
        return sorted(self.chairs, key=lambda one: (one.standing.final is None, -(one.standing.final or Decimal(0))))

    @property
    def numbered(self) -> range:
        """Return the numbers of all exchanges."""
        return range(1, self.exchanges + 1)


def table(*, debate: Debate) -> Table:
    """Return the table of an open debate, in a number of queries that does not grow with it."""
    seats = list(Participant.objects.filter(debate=debate, role=Role.CHAIR.value).order_by("position"))
    cards = {card["name"]: card for card in debate.parameters["table"]["chairs"]}
    played = rounds_of(debate)
    states = list(states_of(debate))
    by_seat: dict[int, list[ParticipantState]] = {one.pk: [] for one in seats}
    for state in states:
        by_seat[state.participant_id].append(state)
    scores = accounts(debate)
    return Table(
        chairs=[
            chair(seat, style, cards[seat.name], by_seat[seat.pk], played=played, scores=scores)
            for style, seat in enumerate(seats)
        ],
        options=outcomes.options_of(debate.parameters),
        exchanges=debate.rounds,
        played=played,
        states={(one.participant_id, one.number): one for one in states},
    )


def rounds_of(debate: Debate) -> frozenset[int]:
    """Return the exchanges that have ended."""
    ended = Round.objects.filter(thread__debate=debate, number__gt=0, closed_at__isnull=False)
    return frozenset(ended.values_list("number", flat=True))


def states_of(debate: Debate) -> QuerySet[ParticipantState]:
    """Return where everybody stood after everything that reached them, oldest first."""
    rows = ParticipantState.objects.filter(participant__debate=debate)
    return rows.select_related("effect__turn__round", "effect__speaker").order_by("participant_id", "number")


def chair(
    seat: Participant,
    style: int,
    card: Mapping[str, str],
    states: Sequence[ParticipantState],
    *,
    played: Iterable[int],
    scores: Mapping[tuple[int, str], Account],
) -> Chair:
    """Return one chair with everything that is known of it."""
    return Chair(
        participant=seat,
        style=style,
        framework=card["framework"].replace("_", " "),
        strategy=card["strategy"],
        points=points(card, states, played=played),
        gone=next((gone(one) for one in states if one.surrender), None),
        standing=scores.get((seat.pk, Instrument.STANDING.value), Account(None)),
        adherence=scores.get((seat.pk, Instrument.ADHERENCE.value), Account(None)),
    )


def points(card: Mapping[str, str], states: Sequence[ParticipantState], *, played: Iterable[int]) -> dict[int, Point]:
    """Return where a chair stood at the start and after each exchange that has ended, or has moved it already."""
    found = {0: Point(Decimal(card["stance"]), Decimal(card["conviction"]))}
    for one in states:
        found[exchange_of(one)] = Point(one.stance, one.conviction)
    for number in sorted(played):
        found.setdefault(number, found[max(known for known in found if known < number)])
    return dict(sorted(found.items()))


def exchange_of(state: ParticipantState) -> int:
    """Return in which exchange somebody came to stand there; 0 for the start."""
    spoken = state.effect.turn.round if state.effect else None
    return spoken.number if spoken else 0


def gone(state: ParticipantState) -> Gone:
    """Return how somebody gave up."""
    return Gone(
        reason=state.surrender,
        exchange=exchange_of(state),
        to=state.effect.speaker.name if state.effect else "",
    )


def accounts(debate: Debate) -> dict[tuple[int, str], Account]:
    """Return the scores of everybody: {(participant, instrument): account}."""
    rows = Evaluation.objects.filter(debate=debate).defer("head_hash")
    facts = Standing.objects.filter(round__thread__debate=debate).select_related("fact").order_by("fact_id")
    stood = {one.fact_id: one for one in facts}
    judged = list(ResponseEvaluation.objects.filter(round__thread__debate=debate, fact__isnull=False))
    found = {}
    for row in rows:
        own = [one for one in judged if one.fact_id in row.basis]
        counted = [stood[one] for one in row.basis if one in stood]
        found[row.participant_id or 0, row.instrument] = Account(
            evaluation=row,
            standing=counted[-1] if counted else None,
            means=[mean([getattr(one, mark) for one in own]) for mark in MARKS],
            responses=len(own),
        )
    return found


def mean(marks: Sequence[Decimal]) -> Decimal | None:
    """Return the mean of some marks with two places; nothing where there are none."""
    return numbers.half_up(numbers.mean(marks), places=PLACES) if marks else None
