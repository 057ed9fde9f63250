"""What a page shows of an open debate: exchanges in order, marks and interjections in place, standings;
and what the facts behind a score rest on.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Any

from django.db.models import Q

from debates import selectors
from debates.models import AwaitedTurn, Debate, Participant, Round, Turn
from debates.models.thread import TAKEN_IN_TURN
from debates.rules import IN_PLAY, OVER
from debates.selectors import Visitor
from debates.types import FORFEIT, AwaitedState, Kind, Role, Status, TurnKind
from judging.formats import parsing as formats_parsing
from judging.formats.criterion.page import counts_as, shows_latest
from judging.formats.criterion.scoreboard import Badge, moderated
from judging.formats.open import parsing as open_parsing
from judging.formats.open import results
from judging.formats.open.questions import to_speak
from judging.formats.open.results import Dimension, OpenOptions
from judging.formats.open.state import INTRODUCTION, OpenThreadState
from judging.formats.state import Acting, Ask, Await, AwaitAll, Brief, Step, Together
from judging.models import Effect, ParticipantState, ResponseEvaluation, Standing
from judging.models.judgements import MARKS
from judging.pages import participants, transcript
from judging.pages.parts import Page, Part, named
from judging.pages.transcript import FactWords, Statement
from judging.rules.adherence import PLACES
from judging.types import DEBATER, Purpose
from scoring.models import Evaluation
from scoring.rules import numbers
from scoring.services import moderation_effect
from scoring.services.moderation_effect import ModerationEffect
from scoring.types import Instrument


@dataclass(frozen=True, slots=True)
class ChairPoint:
    """Where a chair stands: stance -1..1, conviction 0..1."""

    stance: Decimal
    conviction: Decimal


@dataclass(frozen=True, slots=True)
class Gone:
    """That a chair gave up: why, in which exchange, after whose words."""

    reason: str
    exchange: int
    to: str

    @property
    def word(self) -> str:
        return f"gave up in exchange {self.exchange}"


@dataclass(frozen=True, slots=True)
class Account:
    """A score of a chair, as the ledger has it now; nothing is known where ``evaluation`` is missing."""

    evaluation: Evaluation | None
    standing: Standing | None = None
    means: Sequence[Decimal | None] = ()
    responses: int = 0
    effect: ModerationEffect | None = None

    @property
    def final(self) -> Decimal | None:
        final: Decimal | None = self.evaluation.final_score if self.evaluation else None
        return final

    @property
    def badges(self) -> list[Badge]:
        if self.evaluation is None:
            return []
        return moderated(evaluation=self.evaluation, what="judgement", effect=self.effect)


@dataclass(frozen=True, slots=True)
class Chair:
    """Somebody at the table. ``points`` has where it stood at the start (0) and after each exchange so far."""

    participant: Participant
    style: int
    framework: str
    points: Mapping[int, ChairPoint]
    gone: Gone | None
    standing: Account
    adherence: Account

    @property
    def public_id(self) -> str:
        return str(self.participant.public_id)

    @property
    def name(self) -> str:
        return self.participant.name

    @property
    def now(self) -> ChairPoint:
        return self.points[max(self.points)]


@dataclass(frozen=True)
class Table:
    """Everybody who debates, in speaking order; ``played`` are the exchanges that have ended."""

    chairs: Sequence[Chair]
    options: OpenOptions
    exchanges: int
    played: frozenset[int]
    states: Mapping[tuple[int, int], ParticipantState]

    @cached_property
    def by_id(self) -> Mapping[int, Chair]:
        return {chair.participant.pk: chair for chair in self.chairs}

    @property
    def ranked(self) -> list[Chair]:
        """Return the chairs, the highest standing first; those without one last, in speaking order."""
        return sorted(
            self.chairs, key=lambda chair: (chair.standing.final is None, -(chair.standing.final or Decimal(0)))
        )

    @property
    def numbered(self) -> range:
        return range(1, self.exchanges + 1)


def table(*, debate: Debate) -> Table:
    """Return the table of an open debate, in a number of queries that does not grow with it."""
    cards = {card["name"]: card for card in debate.parameters["table"]["chairs"]}
    people = Participant.objects.filter(debate=debate, role=Role.CHAIR.value).order_by("position")
    seats = [person for person in people if cards[person.name].get("part", DEBATER) == DEBATER]
    played = rounds_of(debate)
    stood = results.states_of(debate.pk, "effect__turn__round", "effect__speaker")
    by_seat = {seat.pk: stood.get(seat.pk, []) for seat in seats}  # hosts have one to begin with
    scores = accounts(debate)
    return Table(
        chairs=[
            chair(seat, style, cards[seat.name], by_seat[seat.pk], played=played, scores=scores)
            for style, seat in enumerate(seats)
        ],
        options=results.options_of(debate.parameters),
        exchanges=debate.rounds,
        played=played,
        states={(seat, state.number): state for seat, states in by_seat.items() for state in states},
    )


def rounds_of(debate: Debate) -> frozenset[int]:
    """Return the exchanges that have ended."""
    ended = Round.objects.filter(thread__debate=debate, number__gt=0, closed_at__isnull=False)
    return frozenset(ended.values_list("number", flat=True))


def chair(
    seat: Participant,
    style: int,
    card: Mapping[str, str],
    states: Sequence[ParticipantState],
    *,
    played: Iterable[int],
    scores: Mapping[tuple[int, str], Account],
) -> Chair:
    return Chair(
        participant=seat,
        style=style,
        framework=card["framework"].replace("_", " "),
        points=points(card, states, played=played),
        gone=next((gone(state) for state in states if state.surrender), None),
        standing=scores.get((seat.pk, Instrument.STANDING.value), Account(None)),
        adherence=scores.get((seat.pk, Instrument.ADHERENCE.value), Account(None)),
    )


def points(
    card: Mapping[str, str], states: Sequence[ParticipantState], *, played: Iterable[int]
) -> dict[int, ChairPoint]:
    """Return where a chair stood at the start and after each exchange that has ended, or has moved it already."""
    by_exchange = {0: ChairPoint(Decimal(card["stance"]), Decimal(card["conviction"]))}
    for state in states:
        by_exchange[exchange_of(state)] = ChairPoint(state.stance, state.conviction)
    for number in sorted(played):
        by_exchange.setdefault(number, by_exchange[max(known for known in by_exchange if known < number)])
    return dict(sorted(by_exchange.items()))


def exchange_of(state: ParticipantState) -> int:
    """Return in which exchange somebody came to stand there; 0 for the start."""
    spoken = state.effect.turn.round if state.effect else None
    return spoken.number if spoken else 0


def gone(state: ParticipantState) -> Gone:
    return Gone(
        reason=state.surrender, exchange=exchange_of(state), to=state.effect.speaker.name if state.effect else ""
    )


def accounts(debate: Debate) -> dict[tuple[int, str], Account]:
    """Return the scores of everybody: {(participant, instrument): account}."""
    rows = Evaluation.objects.filter(debate=debate).defer("head_hash")
    moved = moderation_effect.moved(evaluations=rows)
    facts = Standing.objects.filter(round__thread__debate=debate).select_related("fact").order_by("fact_id")
    stood = {fact.fact_id: fact for fact in facts}
    judged = list(ResponseEvaluation.objects.filter(round__thread__debate=debate, fact__isnull=False))
    accounts_by_participant = {}
    for row in rows:
        own = [evaluation for evaluation in judged if evaluation.fact_id in row.basis]
        counted = [stood[fact] for fact in row.basis if fact in stood]
        accounts_by_participant[row.participant_id or 0, row.instrument] = Account(
            evaluation=row,
            standing=counted[-1] if counted else None,
            means=[mean([getattr(evaluation, mark) for evaluation in own]) for mark in MARKS],
            responses=len(own),
            effect=moved.get(row.pk),
        )
    return accounts_by_participant


def mean(marks: Sequence[Decimal]) -> Decimal | None:
    """Return the mean of some marks with two places; nothing where there are none."""
    return numbers.half_up(numbers.mean(marks), places=PLACES) if marks else None


# What was said in an open debate, exchange by exchange: how fairly, what it did to whom, and who gave up.


@dataclass(frozen=True, slots=True)
class ResponseFairness:
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
        return (self.before.stance, self.before.conviction) != (self.after.stance, self.after.conviction)


@dataclass(frozen=True, slots=True)
class SpokenTurn:
    """One turn as it is shown. ``forfeited`` where nobody spoke; ``to`` is whom an interjection is about."""

    turn: Turn
    kind: str
    chair: Chair | None
    to: str
    forfeited: bool
    fairness: ResponseFairness | None
    moved: Sequence[Moved]


@dataclass(frozen=True, slots=True)
class OpenExchange:
    """One exchange, or with number 0 the openings. ``round`` is missing until it has begun."""

    number: int
    round: Round | None
    said: Sequence[SpokenTurn]


def exchanges(*, debate: Debate, table: Table, numbers: Collection[int]) -> list[OpenExchange]:
    """Return some exchanges of a debate, in a number of queries that does not grow with them: none for none."""
    if not numbers:
        return []
    rounds = {round_.number: round_ for round_ in Round.objects.filter(thread__debate=debate, number__in=numbers)}
    turns = Turn.objects.filter(round__in=rounds.values()).select_related("participant", "round").order_by("pk")
    rows = list(turns)
    judged = evaluations(rows)
    effects_by_turn = effects(rows)
    said = [spoken(row, table=table, judged=judged, effects_by_turn=effects_by_turn, turns=rows) for row in rows]
    return [
        OpenExchange(
            number=number,
            round=rounds.get(number),
            said=[turn for turn in said if turn.turn.round and turn.turn.round.number == number],
        )
        for number in sorted(numbers)
    ]


def evaluations(turns: Sequence[Turn]) -> dict[int, ResponseEvaluation]:
    rows = ResponseEvaluation.objects.filter(turn__in=turns).select_related("fact__evaluation", "call")
    return {evaluation.turn_id: evaluation for evaluation in rows.defer("call__raw_answer")}


def effects(turns: Sequence[Turn]) -> dict[int, list[Effect]]:
    """Return what some turns did, by turn, in the order of the table."""
    effects_by_turn: dict[int, list[Effect]] = {}
    for effect in Effect.objects.filter(turn__in=turns).select_related("state_after").order_by("pk"):
        effects_by_turn.setdefault(effect.turn_id, []).append(effect)
    return effects_by_turn


def spoken(
    turn: Turn,
    *,
    table: Table,
    judged: Mapping[int, ResponseEvaluation],
    effects_by_turn: Mapping[int, Sequence[Effect]],
    turns: Sequence[Turn],
) -> SpokenTurn:
    kind = INTRODUCTION if turn.slot == INTRODUCTION else turn.kind
    answered = next((earlier for earlier in turns if earlier.pk == turn.answers_id), None)
    row = judged.get(turn.pk)
    return SpokenTurn(
        turn=turn,
        kind=kind,
        chair=table.by_id.get(turn.participant_id),
        to=answered.participant.name if answered and kind == TurnKind.INTERJECTION.value else "",
        forfeited=turn.slot.startswith(FORFEIT),
        fairness=fairness(row) if row else None,
        moved=[moved(effect, table=table) for effect in effects_by_turn.get(turn.pk, ())],
    )


def moved(effect: Effect, *, table: Table) -> Moved:
    after = effect.state_after
    before = table.states[effect.listener_id, after.number - 1]
    return Moved(effect=effect, chair=table.by_id[effect.listener_id], before=before, after=after)


def fairness(row: ResponseEvaluation) -> ResponseFairness:
    counts = counts_as(row.fact, evaluation=row.fact.evaluation) if row.fact else ""
    return ResponseFairness(row=row, counts=counts, dimensions=results.dimensions(row))


def acting(*, brief: Brief, board: OpenThreadState, step: Step) -> Acting:
    """Return who has the floor, or about whom the arbiter thinks, and who speaks next."""
    waiting = [seat.name for seat in to_speak(board)]
    after = f"exchange {board.number + 1}" if board.number < brief.rounds else "the conclusion"
    match step:
        case Await() | Ask(purpose=Purpose.OPEN | Purpose.RESPOND):
            name = brief.speaker(step.participant).name
            left = [other for other in waiting if other != name]
            has_floor = "has the floor" if isinstance(step, Await) else "thinks about what to say"
            return Acting(f"{name} {has_floor}", next_speaker(left, after))
        case AwaitAll(awaited):
            names = list(dict.fromkeys(brief.speaker(row.participant).name for row in awaited))
            about = {row.about for row in awaited}
            spoke = list(dict.fromkeys(heard.name for heard in board.heard if heard.turn in about))
            are = "is" if len(names) == 1 else "are"
            judging = f"{' and '.join(names)} {are} to judge what {', '.join(spoke)} said"
            return Acting(judging, next_speaker(waiting, after))
        case Together(asks):
            return judging_of(brief, asks, waiting, after)
        case Ask(purpose=Purpose.INTRODUCE):
            return Acting(f"{brief.voice(step).name} introduces the debate", next_speaker(waiting, after))
        case Ask():
            return judging_of(brief, [step], waiting, after)
        case _:
            return Acting("The round ends", after)


def judging_of(brief: Brief, asks: Sequence[Ask], waiting: Sequence[str], after: str) -> Acting:
    names = list(dict.fromkeys(brief.speaker(ask.about).name for ask in asks))
    doing = "speaks to" if asks[0].purpose is Purpose.INTERJECT else "weighs what was said by"
    return Acting(f"{brief.voice(asks[0]).name} {doing} {', '.join(names)}", next_speaker(waiting, after))


def next_speaker(waiting: Sequence[str], after: str) -> str:
    return f"{waiting[0]} speaks" if waiting else after


# The parts of an open debate's page: how it ended, where all stand, how fairly they argued, what was said.


STANDS = ("state:", "participant:", "round:complete", "score:", "debate:")
SAID = ("turn:", "response:", "arbiter:", "state:", "participant:", "round:", "score:", "debate:")
OPENINGS = "openings"
KINDS = ("introduction", "opening", "response", "interjection")
MOST_UNFOLDED = 6
"""Debates of more exchanges than this are folded: whoever reads one opens what they want."""


def page(*, debate: Debate, only: Collection[str] | None) -> Page:
    """Return the page of an open debate; what was said is read for the exchanges that are asked for alone."""
    values = board(debate=debate)
    exchange_numbers = [number for number in range(debate.rounds + 1) if only is None or name_of(number) in only]
    chapters = exchanges(debate=debate, table=values["table"], numbers=exchange_numbers)
    waits_for = all_awaited(debate=debate)
    taken = seats(debate=debate, waits_for=waits_for)
    return Page(
        layout="debates/open.html",
        parts=named(
            *seat_parts(debate=debate, states=taken),
            Part("outcome", "debates/_open_outcome.html", stirred_by=STANDS),
            Part("latest", "debates/_latest.html", stirred_by=()),
            Part("synthesis", "debates/_synthesis.html", stirred_by=("synthesis:", "debate:")),
            Part("courses", "debates/_open_courses.html", stirred_by=STANDS),
            Part("standings", "debates/_open_standings.html", stirred_by=STANDS),
            Part("adherence", "debates/_open_adherence.html", stirred_by=("response:", "score:", "debate:")),
            *(chapter(exchange) for exchange in chapters),
        ),
        values={
            **values,
            **seat_values(debate=debate, waits_for=waits_for),
            "seats": taken,
            "openings": OPENINGS,
            "chapters": [chapter(exchange) for exchange in chapters],
            "choices": transcript.choices(kinds=KINDS, criteria={}),
            "shows_latest": debate.status not in OVER,
            "latest": transcript.latest(debate=debate, place=place) if shows_latest(debate, only=only) else [],
            "unfolded": debate.rounds <= MOST_UNFOLDED,
        },
    )


def place(data: Mapping[str, Any]) -> str:
    if "criterion" not in data:
        return ""
    return f"exchange {data['round']}" if data["round"] else OPENINGS


def board(*, debate: Debate) -> Mapping[str, Any]:
    """Return what the page of an open debate and its result have in common."""
    open_table, stands = table(debate=debate), results.as_it_stands(debate=debate)
    result = results.document(debate=debate, ended=stands)
    bands = {participant["name"]: participant["bands"] for participant in result["participants"]}
    return {
        "table": open_table,
        "standings": [(chair, bands[chair.name]) for chair in open_table.ranked],
        "result": result,
        "in_short": results.in_short(
            result=stands.result,
            exchanges=stands.exchanges,
            over=debate.status == Status.CONCLUDED.value,
            exercise=stands.exercise,
            cancelled=stands.cancelled,
        ),
        "synthesis": transcript.newest(debate=debate),
    }


def chapter(exchange: OpenExchange) -> Part:
    return Part(
        name_of(exchange.number), "debates/_open_exchange.html", stirred_by=SAID, round=exchange.number, shown=exchange
    )


def name_of(number: int) -> str:
    return f"exchange-{number}"


# Who is awaited in an open debate, and how it stands for each seat: the same for everybody who looks.


STIRRED = ("turn:", "debate:", "participant:surrendered")


@dataclass(frozen=True, slots=True)
class SeatState:
    """A seat as it stands: ``awaited`` where it is its turn, ``last`` what was said or forfeited last."""

    participant: Participant
    awaited: AwaitedTurn | None
    last: Turn | None
    gave_up: bool

    @property
    def part(self) -> str:
        return f"seat-{self.participant.position}"

    def is_of(self, visitor: Visitor) -> bool:
        return self.participant.user_id is not None and self.participant.user_id == visitor.pk

    @property
    def forfeited(self) -> bool:
        """Say whether the last turn was not spoken."""
        return self.last is not None and self.last.slot.startswith(FORFEIT)


def awaited(*, debate: Debate) -> AwaitedTurn | None:
    """Return the last of what an open debate waits for: judgements that are awaited at a time have one deadline."""
    return next(reversed(all_awaited(debate=debate)), None)


def all_awaited(*, debate: Debate) -> list[AwaitedTurn]:
    """Return the turn or the judgements that an open debate waits for, if it waits; one that is paused waits, too."""
    if Status(debate.status) not in {Status.RUNNING, Status.PAUSED}:
        return []
    waiting = (AwaitedState.WAITING.value, AwaitedState.PAUSED.value)
    return list(selectors.awaited_turns().filter(Q(state__in=waiting), round__thread__debate=debate).order_by("pk"))


def seats(*, debate: Debate, waits_for: Sequence[AwaitedTurn]) -> list[SeatState]:
    """Return the seats of people and of other programs in an open debate."""
    chairs = debate.participants.filter(role=Role.CHAIR.value)
    people = list(chairs.exclude(kind=Kind.ENGINE.value).order_by("position"))
    if not people:
        return []
    taken = Turn.objects.filter(participant__in=people, kind__in=TAKEN_IN_TURN).select_related("round").order_by("pk")
    last = {turn.participant_id: turn for turn in taken}
    gone = ParticipantState.objects.filter(participant__in=people).exclude(surrender="")
    gave_up = set(gone.values_list("participant_id", flat=True))
    return [
        SeatState(
            participant=person,
            awaited=next((row for row in waits_for if row.participant_id == person.pk), None),
            last=last.get(person.pk),
            gave_up=person.pk in gave_up,
        )
        for person in people
    ]


def seat_parts(*, debate: Debate, states: Sequence[SeatState]) -> list[Part]:
    """Return the parts of an open debate's page that tell who is awaited, to everybody and to each who speaks."""
    if not states and "ballot_seconds" not in debate.parameters["table"]:
        return []
    everybody = Part("awaited", "debates/_awaited.html", stirred_by=(*STIRRED, "response:", "state:"))
    return [
        everybody,
        *(Part(state.part, "debates/_seat_state.html", stirred_by=STIRRED, shown=state) for state in states),
    ]


def seat_values(*, debate: Debate, waits_for: Sequence[AwaitedTurn]) -> dict[str, Any]:
    goes_on = debate.status == Status.DRAFT.value or Status(debate.status) in IN_PLAY - {Status.CONCLUDING}
    return {
        "awaited": waits_for,
        "whose_turn": participants.whose_turn(waits_for),
        "goes_on": goes_on,
        "shortest_turn": open_parsing.SHORTEST_TURN,
        "longest_turn": formats_parsing.LONGEST_TEXT,
    }


def statements(*, facts: Collection[int]) -> dict[int, FactWords]:
    """Return what was said about facts, in two queries."""
    judged = ResponseEvaluation.objects.filter(fact__in=facts).select_related("turn__participant", "round")
    standings = Standing.objects.filter(pk__in=facts).select_related("participant", "round")
    responses = {row.fact_id: _response(row) for row in judged if row.fact_id is not None}
    return responses | {row.pk: _standing(row) for row in standings}


def _response(row: ResponseEvaluation) -> FactWords:
    turn = row.turn
    marks = results.dimensions(row)
    notes = [f"{mark.title}: {mark.notes}" for mark in marks if mark.notes]
    said = [Statement("response", turn.participant.name, turn.text, f"turn-{turn.public_id}")]
    said += [Statement("evaluation", "", "\n\n".join(notes))] if notes else []
    numbers = {mark.title: mark.mark for mark in marks}
    return FactWords(f"{turn.participant.name} in exchange {row.round.number}", said, numbers=numbers)


def _standing(row: Standing) -> FactWords:
    numbers = {
        "Stance": row.stance,
        "Persuasion": row.persuasion,
        "Resistance": row.resistance,
        "Penalty": -row.penalty,
    }
    return FactWords(f"{row.participant.name} after exchange {row.round.number}", numbers=numbers)
