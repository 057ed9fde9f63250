"""Proving an open debate: marks, effects and states follow from what was judged."""

from collections import Counter
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property

from debates.decimals import plain
from debates.errors import DomainError
from debates.models import Ballot, Debate, Participant, Turn
from debates.types import FORFEIT, Conduct, Kind, Role, TurnKind
from judging.formats.open import EVALUATOR, NAME, PERSUASION_JUDGE, parsing, results
from judging.formats.open.record import columns_of
from judging.formats.open.results import OpenOptions, Seat, marks_of
from judging.models import Effect, ParticipantState, ResponseEvaluation, Standing
from judging.rules import fairness
from judging.rules import persuasion as persuasion_rules
from judging.rules.persuasion import Listener, State, Strategy, Surrender
from judging.types import EffectSource, Purpose
from scoring.proof import Fault, line_of

# The proof of effects in open debates: each again from the words that were said, and from what its judge answered.


@dataclass(frozen=True)
class KeptDebate:
    """What was kept of one open debate; ``rows`` are its effects by turn, each turn's in the order of writing."""

    debate: Debate
    options: OpenOptions
    people: Sequence[Participant]
    states: Mapping[int, list[ParticipantState]]
    rows: Mapping[int, Sequence[Effect]]
    ballots: Mapping[int, str]

    @property
    def seats(self) -> list[Participant]:
        return [participant for participant in self.people if participant.role == Role.CHAIR.value]

    @cached_property
    def table(self) -> Sequence[Seat]:
        """Return the chairs as they sit, for who can move whom."""
        return results.seats_in(self.states, people=self.people, parameters=self.debate.parameters)

    @property
    def cards(self) -> Mapping[str, Mapping[str, str]]:
        """Return how each chair was set up, by name."""
        return {card["name"]: card for card in self.debate.parameters["table"]["chairs"]}

    @cached_property
    def surrenders(self) -> Counter[int]:
        """Return how many gave up to what was said, by turn."""
        rows = (row for states in self.states.values() for row in states)
        return Counter(row.effect.turn_id for row in rows if row.effect is not None and row.surrender)

    def swayed(self, state: State, effect: Effect) -> State:
        """Return where a listener stands once those are counted who gave up to the same response."""
        surrenders, rules = self.surrenders[effect.turn_id], self.options.rules
        if not surrenders or not rules.bystander_pull:
            return state
        rows = self.states[effect.turn.participant_id]
        towards = [row.stance for row in rows if row.effect_id is None or row.effect_id < effect.pk][-1]
        return persuasion_rules.swayed(state=state, towards=towards, surrenders=surrenders, rules=rules)

    def around(self, effect: Effect) -> tuple[ParticipantState | None, ParticipantState | None]:
        """Return where the listener stood before and after an effect; nothing for what is not kept."""
        rows = self.states.get(effect.listener_id, ())
        after = next((row for row in rows if row.effect_id == effect.pk), None)
        before = next((row for row in rows if after is not None and row.number == after.number - 1), None)
        return before, after


def kept_of(debate: Debate) -> KeptDebate:
    rows: dict[int, list[Effect]] = {}
    effects = Effect.objects.filter(turn__debate=debate).select_related("turn__round", "speaker", "listener", "call")
    for row in effects.order_by("pk"):
        rows.setdefault(row.turn_id, []).append(row)
    return KeptDebate(
        debate=debate,
        options=results.options_of(debate.parameters),
        people=list(Participant.objects.filter(debate=debate).order_by("position")),
        states=results.states_of(debate.pk, "effect__turn__round"),
        rows=rows,
        ballots=ballots_of(debate),
    )


def ballots_of(debate: Debate) -> dict[int, str]:
    """Return what somebody on a seat answered about effects, by the turn that it was about."""
    ballots = Ballot.objects.filter(participant__debate=debate, participant__name=PERSUASION_JUDGE, about__isnull=False)
    return {turn: answer for turn, answer in ballots.values_list("about_id", "answer") if turn is not None}


def effect_faults(kept: KeptDebate) -> Iterator[Fault]:
    """Yield effects that are missing, have left no state, or are not what the words and the judge's answer give.

    Words and answers that were erased, and answers under labels instead of names, are taken from the effect itself.
    """
    gone: set[int] = set()
    earned: dict[int, list[Decimal]] = {}
    for turn in _responses(kept):
        rows, before, caused = kept.rows.get(turn.pk, ()), earned.setdefault(turn.participant_id, []), list[Decimal]()
        for row in rows:
            caused.append((yield from _of_effect(row, rows, kept, before)))
        before += caused
        yield from _missing(turn, rows, kept, gone)
        left = [row.listener_id for row in rows if (state := kept.around(row)[1]) is not None and state.surrender]
        gone.update(left)


def _responses(kept: KeptDebate) -> list[Turn]:
    """Return what was said and has effects, or should have, oldest first."""
    turns = Turn.objects.filter(debate=kept.debate).select_related("round").order_by("pk")
    return [turn for turn in turns if turn.pk in kept.rows or (kept.options.persuasion and _was_weighed(turn))]


def _was_weighed(turn: Turn) -> bool:
    played = turn.round is not None and turn.round.closed_at is not None
    return played and turn.kind == TurnKind.RESPONSE.value and not turn.slot.startswith(FORFEIT)


def _missing(turn: Turn, rows: Sequence[Effect], kept: KeptDebate, gone: set[int]) -> Iterator[Fault]:
    reached = {row.listener_id for row in rows}
    speaker = next((seat for seat in kept.table if seat.id == turn.participant_id), None)
    for seat in kept.table:
        if speaker and speaker.reaches(seat) and seat.id not in {*gone, *reached}:
            yield Fault("", None, f"turn {turn.public_id} has no effect on participant {seat.public_id}")


def _of_effect(
    row: Effect, rows: Sequence[Effect], kept: KeptDebate, earned: Sequence[Decimal]
) -> Generator[Fault, None, Decimal]:
    """Yield what is wrong with an effect; return the persuasion that it should have."""
    place = f"the effect of turn {row.turn.public_id} on participant {row.listener.public_id}"
    if kept.around(row)[1] is None:
        yield Fault("", None, f"{place} has left no state")
    due = Due()
    try:
        due = due_of(row, rows, kept, earned)
    except DomainError as error:
        yield Fault("", None, f"{place} rests on an answer that cannot be read ({error.message})")
    for name, value in {**due.words, **due.parts}.items():
        stored = getattr(row, name)
        if stored != value:
            yield Fault("", None, f"{place}: {name} is another", line_of(value), line_of(stored))
    return due.parts.get("persuasion", row.persuasion)


@dataclass(frozen=True, slots=True)
class Due:
    """What is known of how an effect should be, by the names of its columns: its numbers, and the rest."""

    parts: Mapping[str, Decimal] = field(default_factory=dict)
    words: Mapping[str, int | str] = field(default_factory=dict)


def due_of(row: Effect, rows: Sequence[Effect], kept: KeptDebate, earned: Sequence[Decimal]) -> Due:
    """Return what is known of how an effect should be.

    Shape: ``rows`` are all effects of the same turn; ``earned`` is what its speaker's earlier turns did.
    Raises: ``DomainError`` where its judge's answer does not say.
    """
    factors = kept.options.rules.factors
    judged = row.call_id is not None or row.turn_id in kept.ballots
    weighed = EffectSource.JUDGE if judged else EffectSource.WORDS
    source = weighed if factors is None else EffectSource.FACTORS
    words: dict[str, int | str] = {"source": source.value, "speaker_id": row.turn.participant_id}
    spoken = persuasion_rules.from_words(text=row.turn.text, words=kept.options.words) if row.turn.text else None
    if spoken is not None:
        words["persuasion_words"] = spoken.persuasion_words
    effect = answered(row, rows, kept) if judged else spoken
    parts = {"persuasion": effect.persuasion, "attack": effect.attack, "evidence": effect.evidence} if effect else {}
    if factors is not None:
        parts.pop("persuasion", None)
        parts |= _by_factors(row, kept, earned, effect=effect, spoken=spoken)
    return Due(parts, words)


def answered(row: Effect, rows: Sequence[Effect], kept: KeptDebate) -> persuasion_rules.ResponseEffect | None:
    """Return what an effect's judge answered; nothing where the proof of several judgements, or nobody, can tell.

    Raises: ``DomainError``.
    """
    call = row.call
    blind = fairness.of(kept.debate.parameters).blind_names
    answer = call.raw_answer if call else kept.ballots.get(row.turn_id)
    if not answer or row.readings or blind or not row.listener.name:
        return None
    asked = (call.purpose, call.thread_id, call.round_number) if call else None
    if asked and (
        row.turn.round is None or asked != (Purpose.INFLUENCE.value, row.turn.round.thread_id, row.turn.round.number)
    ):
        raise DomainError("it was given to another question")
    effects = parsing.weighed(answer, listeners=[row.listener.name for row in rows])
    mine = next(effect for effect in effects if effect.listener == row.listener.name)
    return persuasion_rules.ResponseEffect(mine.persuasion, mine.attack, mine.evidence)


def _by_factors(
    row: Effect,
    kept: KeptDebate,
    earned: Sequence[Decimal],
    *,
    effect: persuasion_rules.ResponseEffect | None,
    spoken: persuasion_rules.ResponseEffect | None,
) -> dict[str, Decimal]:
    """Return the persuasion that the shares of a debate give; nothing where it was not kept how an engine argued."""
    before, _ = kept.around(row)
    factors, strategy = kept.options.rules.factors, row.turn.strategy
    if factors is None or before is None or (not strategy and row.speaker.kind == Kind.ENGINE.value):
        return {}
    persuasion = persuasion_rules.weighted_persuasion(
        effect=persuasion_rules.ResponseEffect(
            persuasion=row.persuasion,
            attack=row.attack,
            evidence=effect.evidence if effect else row.evidence,
            persuasion_words=spoken.persuasion_words if spoken else row.persuasion_words,
        ),
        factors=factors,
        strategy=Strategy(strategy) if strategy else None,
        listener=Listener(before.stance, before.conviction),
        earned=earned,
    )
    return {"persuasion": persuasion}


# The proof of open debates: marks from answers, totals from marks, states from effects, standings from states.


def faults(debate_id: int | None) -> Iterator[Fault]:
    debates = Debate.objects.filter(format=NAME, parameters__has_key="table").exclude(status="draft")
    for debate in (debates if debate_id is None else debates.filter(pk=debate_id)).order_by("pk").iterator():
        yield from of_debate(debate)


def of_debate(debate: Debate) -> Iterator[Fault]:
    kept = kept_of(debate)
    yield from totals(debate)
    for seat in kept.seats:
        yield from path(seat, kept)
    yield from effect_faults(kept)
    yield from standings(kept)


def totals(debate: Debate) -> Iterator[Fault]:
    """Yield marks of responses that their judge did not give, and totals that are not the sum of their marks."""
    blind = fairness.of(debate.parameters).blind_names
    rows = ResponseEvaluation.objects.filter(round__thread__debate=debate, fact__isnull=False)
    for row in rows.select_related("fact__evaluation", "call", "turn").order_by("pk"):
        marks = marks_of(row)
        yield from given_marks(row, blind=blind)
        if row.fact is not None and marks is not None and marks.total != row.fact.amount:
            what = f"the total of response {row.public_id} is not the sum of its marks"
            yield Fault(str(row.fact.evaluation.public_id), None, what, str(marks.total), str(row.fact.amount))


def given_marks(row: ResponseEvaluation, *, blind: bool) -> Iterator[Fault]:
    """Yield marks, and what stands beside them, that are not in the one answer they rest on.

    An erased answer tells nothing, and of an erased response not which passages it had. The words of a judge who was
    shown labels are kept with names in their place, and are not compared.
    """
    ballots = Ballot.objects.filter(about=row.turn_id, participant__name=EVALUATOR)
    answer = row.call.raw_answer if row.call else ballots.values_list("answer", flat=True).last()
    name = str(row.fact.evaluation.public_id) if row.fact else ""
    if answer is None and not row.readings and row.turn.debate.conducted_by == Conduct.ENGINE.value:
        yield Fault(name, None, f"the marks of response {row.public_id} rest on no answer")
    if not answer or row.readings:
        return
    try:
        said = columns_of(parsing.judged(answer, response=row.turn.text))
    except DomainError as error:
        what = f"the marks of response {row.public_id} rest on an answer that cannot be read ({error.message})"
        yield Fault(name, None, what)
        return
    unknown = {"grounds", "issues"} if blind else {"grounds"} if not row.grounds or not row.turn.text else set()
    for column, due in said.items():
        stored = getattr(row, column)
        if column not in unknown and due != stored:
            what = f"response {row.public_id}: {column} is not what its judge gave"
            yield Fault(name, None, what, line_of(due), line_of(stored))


def path(seat: Participant, kept: KeptDebate) -> Iterator[Fault]:
    """Yield states of a chair that do not follow from where it started and from what reached it."""
    card = kept.cards[seat.name]
    rows = kept.states.get(seat.pk, ())
    now = State(stance=Decimal(card["stance"]), conviction=Decimal(card["conviction"]))
    for number, row in enumerate(rows):
        place = f"state {number} of participant {seat.public_id}"
        if row.number != number:
            yield Fault("", None, f"{place} is missing")
            return
        if row.effect is not None:
            yield from cause(row.effect, before=rows[number - 1].effect, seat=seat, kept=kept, place=place)
            if now.surrender is not None:
                yield Fault("", None, f"{place} is after it gave up")
                return
            now = persuasion_rules.update(
                state=now, persuasion=row.effect.persuasion, attack=row.effect.attack, rules=kept.options.rules
            )
            now = kept.swayed(now, row.effect)
        state = State(
            stance=row.stance,
            conviction=row.conviction,
            persuasions=now.persuasions,
            attacks=now.attacks,
            surrender=Surrender(row.surrender) if row.surrender else None,
        )
        if state != now:
            yield Fault("", None, f"{place} does not follow", standing_at(now), standing_at(state))
            now = state


def cause(effect: Effect, *, before: Effect | None, seat: Participant, kept: KeptDebate, place: str) -> Iterator[Fault]:
    """Yield what is wrong with what a state follows from: not on this chair, of another debate, or out of order."""
    if effect.listener_id != seat.pk:
        yield Fault("", None, f"{place} follows from an effect on somebody else")
    if effect.turn.debate_id != kept.debate.pk:
        yield Fault("", None, f"{place} follows from what was said in another debate")
    if before is not None and before.pk >= effect.pk:
        yield Fault("", None, f"{place} follows from an effect that came before the last")


def standings(kept: KeptDebate) -> Iterator[Fault]:
    """Yield standings that do not follow from where everybody stood after their round."""
    rows = Standing.objects.filter(round__thread__debate=kept.debate).select_related("round", "fact__evaluation")
    names = {participant.pk: participant.name for participant in kept.people}
    by_round: dict[int, list[Standing]] = {}
    for row in rows.order_by("pk"):
        by_round.setdefault(row.round.number, []).append(row)
    for number, round_standings in sorted(by_round.items()):
        states = {person: results.until(known, number) for person, known in kept.states.items()}
        seats = results.seats_in(states, people=kept.people, parameters=kept.debate.parameters)
        expected = {parts.name: parts for parts in results.result_of(seats, kept.options).standings}
        for row in round_standings:
            due = expected[names[row.participant_id]]
            parts = (row.stance, row.persuasion, row.resistance, row.penalty, row.fact.amount)
            if parts != (*due.parts().values(), due.total):
                what = f"the standing after exchange {number} does not follow from the states"
                name = str(row.fact.evaluation.public_id)
                yield Fault(name, None, what, line_of(*due.parts().values(), due.total), line_of(*parts))


def standing_at(state: State) -> str:
    gone = f", gave up ({state.surrender.value})" if state.surrender else ""
    return f"stance {plain(state.stance)}, conviction {plain(state.conviction)}{gone}"
