"""An open debate at one exchange: who sits where and stands where, what was said, and what is still to be judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from debates.models import Debate, Participant, Thread, Turn
from debates.types import FORFEIT, Role, TurnKind
from judging.formats import repeated
from judging.formats.open.adherence_display import marks_of
from judging.formats.open.results import Options, Seat, options_of, seats_of
from judging.formats.repeated import Had
from judging.formats.state import Board
from judging.models import Effect, ResponseEvaluation
from judging.rules import fairness, interjection
from judging.types import Utterance

INTRODUCTION = "introduction"
HEARD = (TurnKind.OPENING.value, TurnKind.RESPONSE.value)


@dataclass(frozen=True, slots=True)
class Heard:
    """Something that was said in this debate."""

    turn: int
    public_id: str
    speaker: int
    name: str
    kind: str
    text: str
    number: int


@dataclass(frozen=True, slots=True)
class TableBoard(Board):
    """The table at one exchange; ``number`` 0 is introduction and openings.

    Shape: ``taken`` have spoken in this round or forfeited; ``judged`` and ``weighed`` are those whose response in this
    round was; ``due`` is {seat: violation} of those who are to be spoken to, ``told`` those who were. ``had`` are the
    judgements that there are, where a response gets several.
    """

    seats: tuple[Seat, ...] = ()
    arbiter: int = 0
    heard: tuple[Heard, ...] = ()
    taken: frozenset[int] = frozenset()
    introduced: bool = False
    judged: frozenset[int] = frozenset()
    weighed: frozenset[int] = frozenset()
    due: Mapping[int, str] = field(default_factory=dict)
    told: frozenset[int] = frozenset()
    notes: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    had: Had = frozenset()

    def seat(self, participant: int) -> Seat:
        return next(one for one in self.seats if one.id == participant)

    @property
    def active(self) -> tuple[Seat, ...]:
        """Return who has not given up."""
        return tuple(one for one in self.seats if one.active)

    def response(self, participant: int) -> Heard | None:
        """Return what a participant said in this round, if it spoke."""
        own = [one for one in self.heard if one.speaker == participant and one.number == self.number]
        return next((one for one in reversed(own) if one.kind in HEARD), None)


def read_board(*, thread: Thread, number: int) -> TableBoard:
    parameters = Debate.objects.values_list("parameters", flat=True).get(pk=thread.debate_id)
    people = list(Participant.objects.filter(debate_id=thread.debate_id).order_by("position"))
    names = {one.pk: one.name for one in people}
    turns = Turn.objects.filter(round__thread=thread, round__run_number=thread.run_number).select_related("round")
    rows = list(turns.order_by("id"))
    here = [one for one in rows if one.round is not None and one.round.number == number]
    judged = list(ResponseEvaluation.objects.filter(turn__in=[one.pk for one in here]).select_related("turn"))
    weighed = Effect.objects.filter(turn__in=[one.pk for one in here]).values_list("speaker_id", flat=True)
    return TableBoard(
        thread_id=thread.pk,
        key=thread.key,
        run=thread.run_number,
        fence=thread.fence,
        number=number,
        round_id=0,
        seats=seats_of(debate_id=thread.debate_id, people=people, parameters=parameters),
        arbiter=next(one.pk for one in people if one.role == Role.ARBITER.value),
        heard=tuple(heard(one, names) for one in rows if not one.slot.startswith(FORFEIT)),
        taken=frozenset(one.participant_id for one in here if one.kind in HEARD),
        introduced=any(one.slot == INTRODUCTION for one in here),
        judged=frozenset(one.turn.participant_id for one in judged),
        weighed=frozenset(weighed),
        due=due_of(judged, options_of(parameters)),
        told=frozenset(about(one) for one in here if one.kind == TurnKind.INTERJECTION.value and one.answers_id),
        notes={one.turn.participant_id: notes_of(one) for one in judged},
        had=repeated.had(thread=thread, number=number) if fairness.of(parameters).several else frozenset(),
    )


def heard_in(*, debate: Debate) -> list[Utterance]:
    """Return everything that was said in the rounds of a debate, oldest first; what was forfeited or erased is not."""
    turns = Turn.objects.filter(debate=debate, round__isnull=False).exclude(text="")
    rows = turns.select_related("participant", "round").order_by("id")
    return [Utterance(one.participant.name, one.kind, one.text, one.round.number if one.round else 0) for one in rows]


def due_of(judged: Sequence[ResponseEvaluation], options: Options) -> dict[int, str]:
    """Return to whom the arbiter is to speak in this round, and about what."""
    found: dict[int, str] = {}
    for one in judged:
        violation = interjection.interjection(
            accountability=options.accountability, marks=marks_of(one), enabled=options.interjections
        )
        if violation is not None:
            found[one.turn.participant_id] = violation.value
    return found


def about(one: Turn) -> int:
    return int(one.slot.rpartition(":")[2])


def notes_of(one: ResponseEvaluation) -> tuple[str, ...]:
    grounds = one.grounds if isinstance(one.grounds, dict) else {}
    return tuple(part["notes"] for part in grounds.values() if isinstance(part, dict) and part.get("notes"))


def heard(one: Turn, names: Mapping[int, str]) -> Heard:
    return Heard(
        turn=one.pk,
        public_id=str(one.public_id),
        speaker=one.participant_id,
        name=names[one.participant_id],
        kind=one.kind,
        text=one.text,
        number=one.round.number if one.round else 0,
    )
