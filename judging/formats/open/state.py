"""An open debate at one exchange: who sits where and stands where, what was said, and what is still to be judged."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from debates.models import Debate, Participant, Thread, Turn
from debates.types import FORFEIT, Role, TurnKind
from judging.formats import repeated
from judging.formats.open.parsing import JudgedResponse, WeighedEffect
from judging.formats.open.results import OpenOptions, Seat, marks_of, options_of, seats_in, states_of
from judging.formats.repeated import Had, KeptReadings
from judging.formats.state import Ask, Brief, ThreadState
from judging.models import Call, Effect, ResponseEvaluation
from judging.rules import adherence, fairness
from judging.rules.fairness import Place
from judging.types import Purpose, Utterance

INTRODUCTION = "introduction"
HEARD = (TurnKind.OPENING.value, TurnKind.RESPONSE.value)


@dataclass(frozen=True, slots=True)
class Heard:
    """Something that was said in this debate; ``strategy`` is what the turn keeps."""

    turn: int
    public_id: str
    speaker: int
    name: str
    kind: str
    text: str
    number: int
    strategy: str


@dataclass(frozen=True, slots=True)
class OpenThreadState(ThreadState):
    """The table at one exchange; ``number`` 0 is introduction and openings.

    Shape: ``taken`` have spoken in this round or forfeited; ``judged`` and ``weighed`` are those whose response in this
    round was; ``due`` is {seat: violation} of those who are to be spoken to, ``told`` those who were. ``had`` are the
    judgements that there are, where a response gets several. ``order`` is who speaks in each round, where the debate
    was held already.
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
    order: tuple[tuple[str, ...], ...] = ()

    def seat(self, participant: int) -> Seat:
        return next(seat for seat in self.seats if seat.id == participant)

    @property
    def active(self) -> tuple[Seat, ...]:
        """Return the debaters who have not given up."""
        return tuple(seat for seat in self.seats if seat.active and seat.debates)

    def response(self, participant: int) -> Heard | None:
        """Return what a participant said in this round, if it spoke."""
        own = [
            response for response in self.heard if response.speaker == participant and response.number == self.number
        ]
        return next((response for response in reversed(own) if response.kind in HEARD), None)


def read_board(*, thread: Thread, number: int) -> OpenThreadState:
    parameters = Debate.objects.values_list("parameters", flat=True).get(pk=thread.debate_id)
    people = list(Participant.objects.filter(debate_id=thread.debate_id).order_by("position"))
    names = {person.pk: person.name for person in people}
    turns = Turn.objects.filter(round__thread=thread, round__run_number=thread.run_number).select_related("round")
    rows = list(turns.order_by("id"))
    here = [row for row in rows if row.round is not None and row.round.number == number]
    judged = list(ResponseEvaluation.objects.filter(turn__in=[turn.pk for turn in here]).select_related("turn"))
    weighed = Effect.objects.filter(turn__in=[turn.pk for turn in here]).values_list("speaker_id", flat=True)
    states = states_of(thread.debate_id, "effect")
    return OpenThreadState.of(
        thread,
        number=number,
        seats=seats_in(states, people=people, parameters=parameters),
        arbiter=next(person.pk for person in people if person.role == Role.ARBITER.value),
        heard=tuple(
            heard_as(row, name=names[row.participant_id], number=row.round.number if row.round else 0)
            for row in rows
            if not row.slot.startswith(FORFEIT)
        ),
        taken=frozenset(turn.participant_id for turn in here if turn.kind in HEARD),
        introduced=any(turn.slot == INTRODUCTION for turn in here),
        judged=frozenset(evaluation.turn.participant_id for evaluation in judged),
        weighed=frozenset(weighed),
        due=due_of(judged, options_of(parameters)),
        told=frozenset(about(turn) for turn in here if turn.kind == TurnKind.INTERJECTION.value and turn.answers_id),
        notes={evaluation.turn.participant_id: notes_of(evaluation) for evaluation in judged},
        order=tuple(tuple(names) for names in parameters["table"].get("order", ())),
        had=repeated.had(thread=thread, number=number) if fairness.of(parameters).several else frozenset(),
    )


def heard_in(*, debate: Debate) -> list[Utterance]:
    """Return everything that was said in the rounds of a debate, oldest first; what was forfeited or erased is not."""
    turns = Turn.objects.filter(debate=debate, round__isnull=False).exclude(text="")
    rows = turns.select_related("participant", "round").order_by("id")
    return [Utterance(row.participant.name, row.kind, row.text, row.round.number if row.round else 0) for row in rows]


def due_of(judged: Sequence[ResponseEvaluation], options: OpenOptions) -> dict[int, str]:
    """Return to whom the arbiter is to speak in this round, and about what."""
    violations: dict[int, str] = {}
    for evaluation in judged:
        violation = adherence.interjection(
            accountability=options.accountability, marks=marks_of(evaluation), enabled=options.interjections
        )
        if violation is not None:
            violations[evaluation.turn.participant_id] = violation.value
    return violations


def about(turn: Turn) -> int:
    return int(turn.slot.rpartition(":")[2])


def notes_of(evaluation: ResponseEvaluation) -> tuple[str, ...]:
    grounds = evaluation.grounds if isinstance(evaluation.grounds, dict) else {}
    return tuple(part["notes"] for part in grounds.values() if isinstance(part, dict) and part.get("notes"))


def heard_as(turn: Turn, *, name: str, number: int) -> Heard:
    return Heard(
        turn=turn.pk,
        public_id=str(turn.public_id),
        speaker=turn.participant_id,
        name=name,
        kind=turn.kind,
        text=turn.text,
        number=number,
        strategy=turn.strategy,
    )


# What several judgements of one response come to, and what is kept of each.


JUDGED = frozenset({Purpose.EVALUATE, Purpose.INFLUENCE})
"""Purposes that a debate may ask for several times, in both orders."""


@dataclass(frozen=True, slots=True)
class AgreedJudgement:
    """What counts of a response, by which call unless it was a ballot, and what is kept of the single judgements.

    Shape: ``kept`` is by listener where it is about effects, and under "" where it is about fairness.
    """

    answer: Any
    call: Call | None
    kept: Mapping[str, KeptReadings]


def asks_about(ask: Ask, *, speaker: str, brief: Brief, board: OpenThreadState) -> tuple[Ask, ...]:
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
    *, brief: Brief, board: OpenThreadState, ask: Ask, answer: Any, call: Call, read: Callable[[Ask, str], Any]
) -> AgreedJudgement | None:
    """Return what a response comes to with the judgement that was just given; nothing where others are still to come.

    Shape: ``read`` reads an answer as the question it answers was put.
    """
    options = fairness.of(brief.parameters)
    if not ask.reading:
        return AgreedJudgement(answer, call, {})

    def read_in_its_place(place: Place, text: str) -> Any:
        return read(replace(ask, swapped=place.swapped, reading=place.reading), text)

    about = {"purpose": call.purpose, "participant_id": call.participant_id, "about": call.about}
    judgements = repeated.judgements(board=board, read=read_in_its_place, **about)
    if len(judgements) < options.judgements:
        return None
    return judged(judgements) if ask.purpose is Purpose.EVALUATE else weighed(judgements)


def judged(judgements: Mapping[Place, tuple[Call, JudgedResponse]]) -> AgreedJudgement:
    """Return four marks that stand for several times four, with the words of the nearest."""
    rows = {
        place: {name: getattr(judged.marks, name) for name in fairness.MARKS}
        for place, (_, judged) in judgements.items()
    }
    agreed = fairness.marks(judgements=rows)
    total = sum(agreed.numbers.values(), Decimal(0))
    place = fairness.nearest(
        judgements={place: judged.marks.total for place, (_, judged) in judgements.items()}, to=total
    )
    call, nearest = judgements[place]
    answers = [judged for _, judged in judgements.values()]
    answer = replace(
        nearest,
        marks=fairness.agreed_marks(agreed, violations=nearest.marks.violations),
        steel_attempted=mostly([answer.steel_attempted for answer in answers]),
        critique_attempted=mostly([answer.critique_attempted for answer in answers]),
    )
    return AgreedJudgement(answer, call, {"": KeptReadings(tuple(repeated.kept(rows)), agreed.spread, agreed.flipped)})


def weighed(judgements: Mapping[Place, tuple[Call, Sequence[WeighedEffect]]]) -> AgreedJudgement:
    """Return what a response does to each listener, of several times that."""
    first = next(iter(judgements.values()))
    effects: list[WeighedEffect] = []
    kept: dict[str, KeptReadings] = {}
    for at, effect in enumerate(first[1]):
        rows = {
            place: {name: getattr(answer[at], name) for name in fairness.SHARES}
            for place, (_, answer) in judgements.items()
        }
        agreed = fairness.effect(judgements=rows)
        effects.append(WeighedEffect(effect.listener, *(agreed.numbers[name] for name in fairness.SHARES)))
        kept[effect.listener] = KeptReadings(tuple(repeated.kept(rows)), agreed.spread, agreed.flipped)
    return AgreedJudgement(tuple(effects), first[0], kept)


def mostly(flags: Sequence[bool]) -> bool:
    """Return what most say; of as many as not, that it is so."""
    return 2 * sum(flags) >= len(flags)
