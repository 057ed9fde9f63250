"""What an open debate came to: states, standings, victory, adherence; the result document."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from debates.decimals import in_places
from debates.models import Debate, Participant, Round
from debates.types import Role, Status
from judging.formats import repeated
from judging.formats.open.spec import Judging
from judging.formats.repeated import Recomputed, RepeatedTable
from judging.models import Effect, ParticipantState, ResponseEvaluation, Synthesis
from judging.pages.participants import judged_by
from judging.rules import adherence, fairness, standing
from judging.rules.adherence import Marks
from judging.rules.fairness import MARKS, SHARES
from judging.rules.interjection import Accountability
from judging.rules.persuasion import HISTORY, RuleSet, State, Surrender, WordLists
from judging.rules.standing import Credit, StandingResult, StandingVoice, Victory
from judging.types import EffectSource
from scoring.enums import FactKind
from scoring.models import Evaluation, Fact
from scoring.rules import numbers
from scoring.types import Instrument

# What an open debate came to: states, standings, victory, adherence; the result document.


# What an open debate comes to: where everybody stands, and who has won and how.


@dataclass(frozen=True, slots=True)
class OpenOptions:
    """How a debate is played, as it was created with."""

    tone: str
    introduction: bool
    judging: Judging
    accountability: Accountability
    interjections: bool
    persuasion: bool
    effects: EffectSource
    rules: RuleSet
    words: WordLists
    credit: Credit
    judge_concurrency: int = 3


@dataclass(frozen=True, slots=True)
class Seat:
    """A chair with where it stands now, and where the persuasions that it felt came from."""

    id: int
    public_id: str
    name: str
    position: int
    framework: str
    strategy: str
    state: State
    number: int
    persuaded_by: tuple[str, ...] = ()
    surrendered_to: str | None = None

    @property
    def active(self) -> bool:
        return self.state.surrender is None


def options_of(parameters: Mapping[str, Any]) -> OpenOptions:
    kept = parameters["table"]
    return OpenOptions(
        tone=kept["tone"],
        introduction=kept["introduction"],
        judging=Judging(kept["judging"]),
        accountability=Accountability(kept["accountability"]),
        interjections=kept["interjections"],
        persuasion=kept["persuasion"],
        effects=EffectSource(kept["effects"]),
        rules=RuleSet.from_snapshot(kept["rules"]),
        words=WordLists(**{name: tuple(listed) for name, listed in kept["words"].items()}),
        credit=Credit(kept["credit"]),
        judge_concurrency=kept.get("judge_concurrency", 3),
    )


def seats_of(*, debate_id: int, people: Sequence[Participant], parameters: Mapping[str, Any]) -> tuple[Seat, ...]:
    """Return the chairs with where they stand after everything that reached them."""
    return seats_in(states_of(debate_id=debate_id, related="effect"), people=people, parameters=parameters)


def seats_in(
    states: Mapping[int, list[ParticipantState]], *, people: Sequence[Participant], parameters: Mapping[str, Any]
) -> tuple[Seat, ...]:
    """Return the chairs with where they stand after the last of these states."""
    cards = {card["name"]: card for card in parameters["table"]["chairs"]}
    names = {one.pk: one.name for one in people}
    chairs = [one for one in people if one.role == Role.CHAIR.value]
    return tuple(
        seat_of(one, cards[one.name], states.get(one.pk) or [start_of(cards[one.name])], names) for one in chairs
    )


def states_of(*, debate_id: int, related: str) -> dict[int, list[ParticipantState]]:
    """Return where everybody in a debate has stood, by participant, oldest first, with what is related read along."""
    states: dict[int, list[ParticipantState]] = {}
    rows = ParticipantState.objects.filter(participant__debate_id=debate_id).select_related(related)
    for row in rows.order_by("participant_id", "number"):
        states.setdefault(row.participant_id, []).append(row)
    return states


def until(rows: Sequence[ParticipantState], number: int) -> list[ParticipantState]:
    """Return the states of somebody up to the end of an exchange, no more of them than a seat looks at."""
    found = []
    for row in rows:
        spoken = row.effect.turn.round if row.effect else None
        if spoken is None or spoken.number <= number:
            found.append(row)
    return found[-HISTORY - 1 :]


def start_of(card: Mapping[str, str]) -> ParticipantState:
    """Return where a chair will start that has not begun to play; not saved."""
    return ParticipantState(number=0, stance=Decimal(card["stance"]), conviction=Decimal(card["conviction"]))


def seat_of(one: Participant, card: Mapping[str, str], rows: list[ParticipantState], names: Mapping[int, str]) -> Seat:
    felt = [row.effect for row in rows if row.effect is not None][-HISTORY:]
    last = rows[-1]
    return Seat(
        id=one.pk,
        public_id=str(one.public_id),
        name=one.name,
        position=one.position,
        framework=card["framework"],
        strategy=card["strategy"],
        state=State(
            stance=last.stance,
            conviction=last.conviction,
            persuasions=tuple(Decimal(effect.persuasion) for effect in felt),
            attacks=tuple(Decimal(effect.attack) for effect in felt),
            surrender=Surrender(last.surrender) if last.surrender else None,
        ),
        number=last.number,
        persuaded_by=tuple(names[effect.speaker_id] for effect in felt),
        surrendered_to=names[last.effect.speaker_id] if last.surrender and last.effect else None,
    )


def result_of(seats: tuple[Seat, ...], options: OpenOptions) -> StandingResult:
    return standing.result(voices=[voice_of(one) for one in seats], credit=options.credit)


def voice_of(one: Seat) -> StandingVoice:
    return StandingVoice(
        name=one.name,
        stance=one.state.stance,
        conviction=one.state.conviction,
        persuasions=one.state.persuasions,
        attacks=one.state.attacks,
        surrendered=not one.active,
        persuaded_by=one.persuaded_by,
        surrendered_to=one.surrendered_to,
    )


def outcome_numbers(*, debate: Debate) -> dict[str, Any]:
    """Return what an open debate comes to: who won and how, where everybody stands, how fairly they argued.

    Shape: decimals are strings; what is not evaluated is null; people by name, in speaking order.
    Source: docs/reference/results.md#open-debates
    """
    return told(ended=as_it_stands(debate=debate))


@dataclass(frozen=True, slots=True)
class Stands:
    """An open debate as it stands; ``weighed`` where it counts who persuades whom.

    Shape: ``seats`` are as of now; ``result`` is as of the last whole exchange, as the standings in the ledger are, and
    missing where nothing was won, because nothing is weighed or no exchange was played.
    """

    seats: tuple[Seat, ...]
    weighed: bool
    exchanges: int
    result: StandingResult | None
    accounts: Mapping[tuple[int, str], Evaluation]
    parts: Mapping[int, Mapping[str, str]]

    def account(self, seat: Seat, instrument: Instrument) -> Evaluation | None:
        return self.accounts.get((seat.id, instrument.value))

    def final(self, seat: Seat, instrument: Instrument) -> str | None:
        found = self.account(seat, instrument)
        return in_places(found.final_score) if found else None


def as_it_stands(*, debate: Debate) -> Stands:
    people = list(Participant.objects.filter(debate=debate).order_by("position"))
    states = states_of(debate_id=debate.pk, related="effect__turn__round")
    seats = seats_in(states, people=people, parameters=debate.parameters)
    options = options_of(debate.parameters)
    played = Round.objects.filter(thread__debate=debate, number__gt=0, closed_at__isnull=False).count()
    rows = Evaluation.objects.filter(debate=debate).defer("head_hash")
    facts = Fact.objects.filter(evaluation__debate=debate, kind=FactKind.STANDING.value)
    whole = {person: until(found, played) for person, found in states.items()}
    after = seats_in(whole, people=people, parameters=debate.parameters)
    return Stands(
        seats=seats,
        weighed=options.persuasion,
        exchanges=played,
        result=result_of(after, options) if options.persuasion and played else None,
        accounts={(one.participant_id or 0, one.instrument): one for one in rows},
        parts=dict(facts.values_list("pk", "parts")),
    )


def told(*, ended: Stands) -> dict[str, Any]:
    result = ended.result
    return {
        "overall": None,
        "exchanges": ended.exchanges,
        "winner": result.winner if result else None,
        "victory": result.victory.value if result else None,
        "scores": {one.name: ended.final(one, Instrument.STANDING) for one in ended.seats} if ended.weighed else {},
        "surrendered": [one.name for one in ended.seats if not one.active],
        "states": {one.name: state_told(one) for one in ended.seats},
        "adherence": {one.name: ended.final(one, Instrument.ADHERENCE) for one in ended.seats},
    }


def state_told(one: Seat) -> dict[str, Any]:
    return {
        "stance": in_places(one.state.stance),
        "conviction": in_places(one.state.conviction),
        "surrendered": one.state.surrender.value if one.state.surrender else None,
        "position": standing.position(stance=one.state.stance).value,
    }


# What an open debate came to, in one sentence for people. Pure.


def sentence(*, result: StandingResult | None, exchanges: int, surrendered: Sequence[str], over: bool) -> str:
    """Return who won, or leads, and how.

    Shape: ``result`` is missing where nothing was won; ``surrendered`` are names in speaking order.
    """
    if not exchanges:
        return "No exchange has been played, so nobody has won." if over else "No exchange has been played yet."
    after = f"After {exchanges} exchange{'' if exchanges == 1 else 's'}"
    if result is None:
        return f"{after} nobody has won: this debate does not weigh who persuades whom."
    if result.victory is Victory.DRAW:
        return f"{after} the best two stand equal, so nobody {'has won' if over else 'leads'}{gone(surrendered)}."
    if result.victory is Victory.MUTUAL_SURRENDER:
        return f"{after} everybody has given up, so nobody has won."
    how = {Victory.OVERWHELMING: "overwhelmingly", Victory.CLEAR: "clearly", Victory.NARROW: "narrowly"}
    if result.victory not in how:
        return f"{after} {result.winner} is the only one at the table."
    verb = "has won" if over else "leads"
    margin = numbers.half_up(result.standings[0].total - result.standings[1].total, places=2)
    return f"{after} {result.winner} {verb} {how[result.victory]}, {margin} points ahead{gone(surrendered)}."


def gone(names: Sequence[str]) -> str:
    if not names:
        return ""
    listed = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    return f"; {listed} gave up"


# The result document of an open debate.


def document(*, debate: Debate) -> dict[str, Any]:
    """Return the result document of an open debate.

    Source: docs/reference/results.md#open-debates
    """
    synthesis = Synthesis.objects.filter(debate=debate).select_related("turn").last()
    ended = as_it_stands(debate=debate)
    result = ended.result
    broken = set(
        ResponseEvaluation.objects.filter(turn__debate=debate, violations__gt=0).values_list("fact_id", flat=True)
    )
    return {
        "format": debate.format,
        "debate": {
            "id": str(debate.public_id),
            "title": debate.title,
            "motion": debate.motion,
            "format": debate.format,
            "status": debate.status,
            "partial": debate.partial,
            "partialReason": debate.partial_reason,
            "rounds": debate.rounds,
        },
        "sentence": sentence(
            result=result,
            exchanges=ended.exchanges,
            surrendered=[one.name for one in ended.seats if not one.active],
            over=debate.status == Status.CONCLUDED.value,
        ),
        **{name: value for name, value in told(ended=ended).items() if name != "overall"},
        "participants": [
            participant(one, ended=ended, parameters=debate.parameters, broken=broken) for one in ended.seats
        ],
        "judgedBy": judged_by(debate=debate),
        "fairness": repeated.of_debate(debate=debate, tables=TABLES),
        "synthesis": synthesis.turn.text if synthesis else None,
    }


def participant(
    one: Seat, *, ended: Stands, parameters: Mapping[str, Any], broken: Collection[int | None]
) -> dict[str, Any]:
    """Return one chair as the result document carries it, with where it started and its accounts.

    Shape: ``broken`` are the facts of responses that broke with a framework.
    """
    card = next(card for card in parameters["table"]["chairs"] if card["name"] == one.name)
    return {
        "id": one.public_id,
        "name": one.name,
        "framework": one.framework or None,
        "strategy": one.strategy,
        "start": {"stance": in_places(Decimal(card["stance"])), "conviction": in_places(Decimal(card["conviction"]))},
        **state_told(one),
        "surrenderedTo": one.surrendered_to,
        "bands": bands_told(one, ended=ended),
        "standing": account_told(ended.account(one, Instrument.STANDING), parts=ended.parts),
        "adherence": account_told(ended.account(one, Instrument.ADHERENCE), parts={}),
        "consistent": consistent(ended.account(one, Instrument.ADHERENCE), broken=broken),
    }


def consistent(account: Evaluation | None, *, broken: Collection[int | None]) -> bool | None:
    """Tell whether none of a chair's responses that count broke with its framework; nothing where none counts."""
    if account is None or not account.basis:
        return None
    return not any(fact in broken for fact in account.basis)


def bands_told(one: Seat, *, ended: Stands) -> dict[str, str | None]:
    """Return in words how persuasive a chair was and how it bore attacks, as of the last whole exchange."""
    standings = ended.result.standings if ended.result else ()
    bands = next((found.bands for found in standings if found.name == one.name), standing.Bands())
    return {"persuasion": bands.persuasion, "resistance": bands.resistance}


def account_told(one: Evaluation | None, *, parts: Mapping[int, Mapping[str, str]]) -> dict[str, Any] | None:
    """Return an account as the result document carries it; nothing where none was opened.

    Shape: ``parts`` are what standings are made of, by fact; the newest that counts is told.
    """
    if one is None:
        return None
    counted = [fact for fact in one.basis if fact in parts]
    return {
        "evaluation": str(one.public_id),
        "computed": in_places(one.computed_score),
        "override": in_places(one.override_score),
        "final": in_places(one.final_score),
        "frozen": one.frozen_at is not None,
        "parts": {name: in_places(Decimal(value)) for name, value in parts[max(counted)].items()} if counted else {},
    }


# What may be judged several times, and how it is computed again.


def recompute_response(row: ResponseEvaluation) -> Recomputed:
    """Return what the single judgements of a response come to, and what the row says that they came to."""
    made = fairness.marks(given=repeated.numbers_of(row, MARKS))
    return repeated.compared(row, made, {name: getattr(row, name) for name in MARKS})


def recompute_effect(row: Effect) -> Recomputed:
    """Return the same for an effect; persuasion that the shares of the debate make up is not of its judgements."""
    names = SHARES[1:] if row.source == EffectSource.FACTORS.value else SHARES
    made = fairness.effect(given=repeated.numbers_of(row, SHARES))
    return repeated.compared(row, made, {name: getattr(row, name) for name in names})


TABLES = (
    RepeatedTable(
        "response",
        ResponseEvaluation,
        round="round",
        debate="turn__debate",
        recompute=recompute_response,
    ),
    RepeatedTable("effect", Effect, round="turn__round", debate="turn__debate", recompute=recompute_effect),
)


# The four marks of a judged response, in numbers and in words, with what they rest on.


ATTEMPTED = {"steel_manning": "steel_attempted", "self_critique": "critique_attempted"}


@dataclass(frozen=True, slots=True)
class Dimension:
    """One of the four marks of a response: its number, what it is called, and what it rests on.

    Shape: ``attempted`` is known of steel-manning and self-critique; ``faults`` are breaks with the framework and
    issues of honesty. Erasure takes notes, quotes and the words of faults.
    """

    name: str
    mark: Decimal
    word: str
    attempted: bool | None
    notes: str
    quotes: Sequence[str]
    faults: Sequence[str]

    @property
    def title(self) -> str:
        return {"steel_manning": "Steel-manning", "self_critique": "Self-critique"}.get(self.name, self.name.title())


def marks_of(row: ResponseEvaluation) -> Marks | None:
    if row.steel_manning is None or row.self_critique is None or row.consistency is None or row.honesty is None:
        return None
    return Marks(row.steel_manning, row.self_critique, row.consistency, row.honesty, row.violations)


def dimensions(row: ResponseEvaluation) -> list[Dimension]:
    """Return the four marks of a judged response with their grounds; nothing where there is no number."""
    marks = marks_of(row)
    grounds = row.grounds if isinstance(row.grounds, dict) else {}
    return [dimension(name, row, marks, grounds.get(name) or {}) for name in MARKS] if marks else []


def dimension(name: str, row: ResponseEvaluation, marks: Marks, grounds: Mapping[str, Any]) -> Dimension:
    faults = {"consistency": grounds.get("violations", ()), "honesty": [one.replace("_", " ") for one in row.issues]}
    return Dimension(
        name=name,
        mark=getattr(marks, name),
        word=word(name, marks),
        attempted=getattr(row, ATTEMPTED[name]) if name in ATTEMPTED else None,
        notes=grounds.get("notes", ""),
        quotes=grounds.get("quotes", ()),
        faults=faults.get(name, ()),
    )


def word(name: str, marks: Marks) -> str:
    """Return what a mark is called.

    Source: docs/reference/rules.md#adherence
    """
    if name == "honesty":
        return adherence.honesty(mark=marks.honesty).value
    if name == "consistency":
        broken = "major break" if marks.major_violation else "minor break"
        return "consistent" if marks.consistent else broken
    return adherence.quality(mark=getattr(marks, name)).value
