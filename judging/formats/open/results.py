"""What an open debate came to: states, standings, victory, adherence; the result document."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from django.db.models import Count

from debates.decimals import in_places
from debates.models import Debate, Participant, Round, Turn
from debates.rules import OVER
from debates.types import FORFEIT, Kind, Role, Status, TurnKind
from judging.formats import repeated
from judging.formats.base import Summary
from judging.formats.open.spec import LONGEST_ORDER, Judging, strategy_changes
from judging.formats.repeated import Recomputed, RepeatedTable
from judging.models import Effect, ParticipantState, ResponseEvaluation, Synthesis
from judging.pages.participants import document_head, judged_by
from judging.rules import adherence, fairness, standing
from judging.rules.adherence import Accountability, Marks
from judging.rules.fairness import MARKS, SHARES
from judging.rules.persuasion import HISTORY, RuleSet, State, Strategy, Surrender, WordLists
from judging.rules.standing import Credit, StandingResult, StandingVoice, Victory
from judging.types import DEBATER, OFFLINE, EffectSource, Purpose
from scoring.enums import FactKind
from scoring.models import Evaluation, Fact
from scoring.rules import numbers
from scoring.services import moderation_effect
from scoring.services.previews import Figures, finals_with
from scoring.types import Instrument


@dataclass(frozen=True, slots=True)
class OpenOptions:
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

    @property
    def asked_about_responses(self) -> tuple[Purpose, ...]:
        """Return what may be asked about a response: how fair it is, what it does, and what the arbiter says to it."""
        judged = self.judging is Judging.FULL
        interjects = judged and self.interjections and self.accountability is not Accountability.RELAXED
        asked = {
            Purpose.EVALUATE: judged,
            Purpose.INFLUENCE: self.persuasion and self.effects is EffectSource.JUDGE,
            Purpose.INTERJECT: interjects,
        }
        return tuple(purpose for purpose, does in asked.items() if does)


@dataclass(frozen=True, slots=True)
class Seat:
    """A chair with where it stands now, and where the persuasions that it felt came from.

    Shape: ``strategy`` is empty where it is no engine: nobody told a person how to argue.
    """

    id: int
    public_id: str
    name: str
    position: int
    framework: str
    strategy: str
    state: State
    number: int
    strategy_changes: tuple[tuple[int, Strategy], ...] = ()
    persuaded_by: tuple[str, ...] = ()
    surrendered_to: str | None = None
    part: str = DEBATER
    side: str = ""

    @property
    def active(self) -> bool:
        return self.state.surrender is None

    @property
    def debates(self) -> bool:
        return self.part == DEBATER

    def reaches(self, other: Seat) -> bool:
        """Tell whether what is said here can move somebody: hosts and the audience move nobody, nor do allies."""
        return self.id != other.id and self.debates and other.debates and not (self.side and self.side == other.side)


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


def seats_in(
    states: Mapping[int, list[ParticipantState]], *, people: Sequence[Participant], parameters: Mapping[str, Any]
) -> tuple[Seat, ...]:
    """Return the chairs with where they stand after the last of these states."""
    cards = {card["name"]: card for card in parameters["table"]["chairs"]}
    names = {person.pk: person.name for person in people}
    chairs = [person for person in people if person.role == Role.CHAIR.value]
    return tuple(seat_of(chair, cards[chair.name], states.get(chair.pk, []), names) for chair in chairs)


def states_of(debate_id: int, *related: str) -> dict[int, list[ParticipantState]]:
    """Return where everybody in a debate has stood, by participant, oldest first, with what is related read along."""
    states: dict[int, list[ParticipantState]] = {}
    rows = ParticipantState.objects.filter(participant__debate_id=debate_id).select_related(*related)
    for row in rows.order_by("participant_id", "number"):
        states.setdefault(row.participant_id, []).append(row)
    return states


def until(rows: Sequence[ParticipantState], number: int) -> list[ParticipantState]:
    """Return the states of somebody up to the end of an exchange, no more of them than a seat looks at."""
    states = []
    for row in rows:
        spoken = row.effect.turn.round if row.effect else None
        if spoken is None or spoken.number <= number:
            states.append(row)
    return states[-HISTORY - 1 :]


def seat_of(
    participant: Participant, card: Mapping[str, str], rows: list[ParticipantState], names: Mapping[int, str]
) -> Seat:
    felt = [row.effect for row in rows if row.effect is not None][-HISTORY:]
    # Who has not begun to play stands where their chair says.
    start = {"stance": Decimal(card["stance"]), "conviction": Decimal(card["conviction"])}
    changes = card.get("strategy_changes", "")
    is_engine = participant.kind == Kind.ENGINE.value
    last = rows[-1] if rows else ParticipantState(number=0, **start)
    return Seat(
        id=participant.pk,
        public_id=str(participant.public_id),
        name=participant.name,
        position=participant.position,
        framework=card["framework"],
        strategy=card["strategy"] if is_engine else "",
        strategy_changes=strategy_changes(changes, exchanges=LONGEST_ORDER) if is_engine else (),
        part=card.get("part", DEBATER),
        side=card.get("side", ""),
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


def result_of(
    seats: tuple[Seat, ...], options: OpenOptions, *, responded: Collection[int] | None = None
) -> StandingResult:
    """Return who won and how; ``responded`` are those who can, where it is not about the standings alone."""
    return standing.result(
        voices=[voice_of(seat, responded=responded is None or seat.id in responded) for seat in seats if seat.debates],
        credit=options.credit,
    )


def voice_of(seat: Seat, *, responded: bool) -> StandingVoice:
    return StandingVoice(
        name=seat.name,
        stance=seat.state.stance,
        conviction=seat.state.conviction,
        persuasions=seat.state.persuasions,
        attacks=seat.state.attacks,
        surrendered=not seat.active,
        persuaded_by=seat.persuaded_by,
        surrendered_to=seat.surrendered_to,
        responded=responded,
        side=seat.side,
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

    Shape: ``seats`` are as of now; ``whole`` and ``result`` are as of the last whole exchange, as the standings in the
    ledger are; there is no result where nothing was won, because nothing is weighed or no exchange was played. In an
    ``exercise`` everybody who has responded argues by rule: there are standings, and nobody wins; as where it is
    cancelled.
    """

    seats: tuple[Seat, ...]
    whole: tuple[Seat, ...]
    weighed: bool
    exercise: bool
    cancelled: bool
    exchanges: int
    result: StandingResult | None
    accounts: Mapping[tuple[int, str], Evaluation]
    parts: Mapping[int, Mapping[str, str]]

    @property
    def won(self) -> StandingResult | None:
        """Return the result where somebody can win."""
        return None if self.exercise or self.cancelled else self.result

    def account(self, seat: Seat, instrument: Instrument) -> Evaluation | None:
        return self.accounts.get((seat.id, instrument.value))

    def final(self, seat: Seat, instrument: Instrument) -> str | None:
        evaluation = self.account(seat, instrument)
        return in_places(evaluation.final_score) if evaluation else None


def as_it_stands(*, debate: Debate) -> Stands:
    people = list(Participant.objects.filter(debate=debate).order_by("position"))
    states = states_of(debate.pk, "effect__turn__round")
    seats = seats_in(states, people=people, parameters=debate.parameters)
    options = options_of(debate.parameters)
    played = Round.objects.filter(thread__debate=debate, number__gt=0, closed_at__isnull=False).count()
    responded = who_responded(debates=[debate])[debate.pk]
    rows = Evaluation.objects.filter(debate=debate).defer("head_hash")
    facts = Fact.objects.filter(evaluation__debate=debate, kind=FactKind.STANDING.value)
    ended = {person: until(states, played) for person, states in states.items()}
    whole = seats_in(ended, people=people, parameters=debate.parameters)
    return Stands(
        seats=seats,
        whole=whole,
        weighed=options.persuasion,
        exercise=is_exercise(people, responded=responded),
        cancelled=debate.status == Status.CANCELLED.value,
        exchanges=played,
        result=result_of(whole, options, responded=responded) if options.persuasion and played else None,
        accounts={(row.participant_id or 0, row.instrument): row for row in rows},
        parts=dict(facts.values_list("pk", "parts")),
    )


def who_responded(*, debates: Sequence[Debate]) -> dict[int, set[int]]:
    """Return the chairs that have responded in a whole exchange, by debate; a forfeit is no response."""
    responded: dict[int, set[int]] = {debate.pk: set() for debate in debates}
    rows = Turn.objects.filter(debate__in=debates, kind=TurnKind.RESPONSE.value, round__closed_at__isnull=False)
    rows = rows.exclude(slot__startswith=FORFEIT).order_by()
    for debate, chair in rows.values_list("debate", "participant").distinct():
        responded[debate].add(chair)
    return responded


def summaries(*, debates: Sequence[Debate]) -> dict[int, Summary]:
    """Return who has won or leads in open debates, as of the last whole exchange, in a fixed number of queries."""
    tables = [debate for debate in debates if "table" in debate.parameters]
    people: dict[int, list[Participant]] = {debate.pk: [] for debate in tables}
    for person in Participant.objects.filter(debate__in=tables).order_by("position"):
        people[person.debate_id].append(person)
    states: dict[int, dict[int, list[ParticipantState]]] = {debate.pk: {} for debate in tables}
    moved = ParticipantState.objects.filter(participant__debate__in=tables)
    moved = moved.select_related("participant", "effect__turn__round")
    for row in moved.order_by("participant_id", "number"):
        states[row.participant.debate_id].setdefault(row.participant_id, []).append(row)
    ended = Round.objects.filter(thread__debate__in=tables, number__gt=0, closed_at__isnull=False)
    played = dict(ended.order_by().values_list("thread__debate").annotate(Count("pk")))
    responded = who_responded(debates=tables)
    acted = {row.pk: row for row in Evaluation.objects.filter(debate__in=tables, moderation_version__gt=0)}
    by_persons = {acted[pk].debate_id for pk in moderation_effect.moved(evaluations=acted.values())}
    return {
        debate.pk: replace(
            summary_of(
                debate,
                people=people[debate.pk],
                states=states[debate.pk],
                played=played.get(debate.pk, 0),
                responded=responded[debate.pk],
            ),
            moved=debate.pk in by_persons,
        )
        for debate in tables
    }


def comes_to(*, debate: Debate, foreseen: Mapping[int, Figures]) -> dict[str, str]:
    """Return who stands where on each scale with some scores as foreseen, and who wins, which none of them decides.

    Source: docs/decisions/0023-an-override-moves-a-score-and-crowns-nobody.md
    """
    ranks: dict[str, list[tuple[Decimal, str]]] = {}
    rows = list(Evaluation.objects.filter(debate=debate).order_by("position", "pk"))
    for row, final in zip(rows, finals_with(foreseen, rows).values(), strict=True):
        if final is not None:
            ranks.setdefault(f"Order by {row.instrument}", []).append((-final, row.name))
    ordered = {
        what: ", ".join(f"{1 + sum(other < final for other, _ in rows)}. {name}" for final, name in sorted(rows))
        for what, rows in ranks.items()
    }
    return {**ordered, "Outcome": summaries(debates=[debate])[debate.pk].headline or "none yet"}


def summary_of(
    debate: Debate,
    *,
    people: Sequence[Participant],
    states: Mapping[int, list[ParticipantState]],
    played: int,
    responded: Collection[int],
) -> Summary:
    options, result = options_of(debate.parameters), None
    if played and options.persuasion:
        whole = {person: until(rows, played) for person, rows in states.items()}
        result = result_of(seats_in(whole, people=people, parameters=debate.parameters), options, responded=responded)
    return in_short(
        result=result,
        exchanges=played,
        over=debate.status == Status.CONCLUDED.value,
        exercise=is_exercise(people, responded=responded),
        cancelled=debate.status == Status.CANCELLED.value,
    )


def in_short(*, result: StandingResult | None, exchanges: int, over: bool, exercise: bool, cancelled: bool) -> Summary:
    """Return who won, or leads, in a word or two, as lists and the debate's page have it."""
    if not exchanges:
        return Summary(without="not evaluated")
    if cancelled:
        return Summary(headline="Nobody wins", detail="cancelled")
    if result is None:
        return Summary(headline="Nobody wins", detail="persuasion is not weighed")
    if exercise:
        return Summary(headline="Exercise", detail="nobody wins")
    if not (result.winner and result.victory):
        return Summary(headline=WITHOUT_WINNER.get(result.victory, ""))
    return Summary(
        headline=f"{result.winner} {'won' if over else 'leads'}", detail=result.victory.value.replace("_", " ")
    )


WITHOUT_WINNER: Mapping[Victory | None, str] = {
    None: "Nobody has responded",
    Victory.DRAW: "A draw",
    Victory.MUTUAL_SURRENDER: "Everybody gave up",
}


def is_exercise(people: Sequence[Participant], *, responded: Collection[int]) -> bool:
    """Tell whether every chair is an offline debater's: what they say follows from the motion, how strongly does not.

    Shape: where somebody has ``responded``, it is every chair that has.
    Source: docs/decisions/0031-nobody-wins-among-offline-debaters.md
    """
    chairs = [person for person in people if person.role == Role.CHAIR.value]
    return all(chair.provider == OFFLINE for chair in chairs if not responded or chair.pk in responded)


def told(*, ended: Stands) -> dict[str, Any]:
    result = ended.won
    debaters = [seat for seat in ended.seats if seat.debates]
    return {
        "overall": None,
        "exchanges": ended.exchanges,
        "winner": result.winner if result else None,
        "victory": result.victory.value if result and result.victory else None,
        "exercise": ended.exercise,
        "scores": {debater.name: ended.final(debater, Instrument.STANDING) for debater in debaters}
        if ended.weighed
        else {},
        "surrendered": [seat.name for seat in ended.seats if not seat.active],
        "states": {debater.name: state_told(debater) for debater in debaters},
        "adherence": {debater.name: ended.final(debater, Instrument.ADHERENCE) for debater in debaters},
    }


def state_told(seat: Seat) -> dict[str, Any]:
    return {
        "stance": in_places(seat.state.stance),
        "conviction": in_places(seat.state.conviction),
        "surrendered": seat.state.surrender.value if seat.state.surrender else None,
        "position": standing.position(stance=seat.state.stance).value,
    }


# What an open debate came to, in one sentence for people. Pure.


EXERCISE = (
    "everybody who has responded argues by rule, and where such debaters end follows from where they began. "
    "The standings are shown as an exercise."
)
UNWEIGHED = "this debate does not weigh who persuades whom."
CANCELLED = "the debate was cancelled."
MODERATED = " by stances and convictions, whatever persons did to standings"


def sentence(
    *,
    result: StandingResult | None,
    exchanges: int,
    surrendered: Sequence[str],
    over: bool,
    ended: bool = False,
    exercise: bool = False,
    cancelled: bool = False,
    moderated: bool = False,
) -> str:
    """Return who won, or leads, and how.

    Shape: ``result`` is missing where nothing was won; ``surrendered`` are names in speaking order. ``moderated`` says
    that a person moved a standing, so that standings are not how far somebody is ahead.
    """
    if not exchanges:
        return f"No exchange has been played{', so nobody has won' if over or ended else ' yet'}."
    after = f"After {exchanges} exchange{'' if exchanges == 1 else 's'}"
    if result is None or exercise or cancelled:
        why = CANCELLED if cancelled else EXERCISE if result else UNWEIGHED
        return f"{after} nobody {'has won' if over or cancelled or result is None else 'leads'}: {why}"
    if result.victory in {None, Victory.DRAW}:
        why = "the best two stand equal" if result.victory else "nobody has responded"
        return f"{after} {why}, so nobody {'has won' if over else 'leads'}{gone(surrendered)}."
    if result.victory is Victory.MUTUAL_SURRENDER:
        everybody = "everybody" if len(surrendered) == len(result.standings) else "everybody who has responded"
        return f"{after} {everybody} has given up, so nobody has won."
    how = {Victory.OVERWHELMING: "overwhelmingly", Victory.CLEAR: "clearly", Victory.NARROW: "narrowly"}
    if result.victory not in how:
        return f"{after} {result.winner} is the only one who has responded."
    verb = "has won" if over else "leads"
    ahead = "" if result.margin is None else f", {numbers.half_up(result.margin, places=2)} points ahead"
    ahead = MODERATED if moderated else ahead
    return f"{after} {result.winner} {verb} {how[result.victory]}{ahead}{gone(surrendered)}."


def gone(names: Sequence[str]) -> str:
    if not names:
        return ""
    listed = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    return f"; {listed} gave up"


def document(*, debate: Debate, ended: Stands | None = None) -> dict[str, Any]:
    """Return the result document of an open debate; ``ended`` is how it stands, where that was read already.

    Source: docs/reference/results.md#open-debates
    """
    synthesis = Synthesis.objects.filter(debate=debate).select_related("turn").last()
    ended = ended or as_it_stands(debate=debate)
    standings = [row for (_, instrument), row in ended.accounts.items() if instrument == Instrument.STANDING.value]
    broken = set(
        ResponseEvaluation.objects.filter(turn__debate=debate, violations__gt=0).values_list("fact_id", flat=True)
    )
    return {
        **document_head(debate=debate, motion=debate.motion),
        "sentence": sentence(
            result=ended.result,
            exercise=ended.exercise,
            exchanges=ended.exchanges,
            surrendered=[seat.name for seat in ended.whole if not seat.active],
            over=debate.status == Status.CONCLUDED.value,
            ended=debate.status in OVER,
            cancelled=ended.cancelled,
            moderated=bool(moderation_effect.moved(evaluations=standings)),
        ),
        **{name: value for name, value in told(ended=ended).items() if name != "overall"},
        "participants": [
            participant(seat, ended=ended, parameters=debate.parameters, broken=broken) for seat in ended.seats
        ],
        "judgedBy": judged_by(debate=debate),
        "fairness": repeated.of_debate(debate=debate, tables=TABLES),
        "synthesis": synthesis.turn.text if synthesis else None,
    }


def participant(
    seat: Seat, *, ended: Stands, parameters: Mapping[str, Any], broken: Collection[int | None]
) -> dict[str, Any]:
    """Return one chair as the result document carries it, with where it started and its accounts.

    Shape: ``broken`` are the facts of responses that broke with a framework.
    """
    card = next(card for card in parameters["table"]["chairs"] if card["name"] == seat.name)
    return {
        "id": seat.public_id,
        "name": seat.name,
        "framework": seat.framework or None,
        "strategy": seat.strategy or None,
        "strategyChanges": [{"exchange": number, "strategy": later.value} for number, later in seat.strategy_changes],
        "part": seat.part,
        "side": seat.side or None,
        "start": {"stance": in_places(Decimal(card["stance"])), "conviction": in_places(Decimal(card["conviction"]))},
        **state_told(seat),
        "surrenderedTo": seat.surrendered_to,
        "bands": bands_told(seat, ended=ended),
        "standing": account_told(ended.account(seat, Instrument.STANDING), parts=ended.parts),
        "adherence": account_told(ended.account(seat, Instrument.ADHERENCE), parts={}),
        "consistent": consistent(ended.account(seat, Instrument.ADHERENCE), broken=broken),
    }


def consistent(account: Evaluation | None, *, broken: Collection[int | None]) -> bool | None:
    """Tell whether none of a chair's responses that count broke with its framework; nothing where none counts."""
    if account is None or not account.basis:
        return None
    return not any(fact in broken for fact in account.basis)


def bands_told(seat: Seat, *, ended: Stands) -> dict[str, str | None]:
    """Return in words how persuasive a chair was and how it bore attacks, as of the last whole exchange."""
    standings = ended.result.standings if ended.result else ()
    bands = next((parts.bands for parts in standings if parts.name == seat.name), standing.Bands())
    return {"persuasion": bands.persuasion, "resistance": bands.resistance}


def account_told(evaluation: Evaluation | None, *, parts: Mapping[int, Mapping[str, str]]) -> dict[str, Any] | None:
    """Return an account as the result document carries it; nothing where none was opened.

    Shape: ``parts`` are what standings are made of, by fact; the newest that counts is told.
    """
    if evaluation is None:
        return None
    counted = [fact for fact in evaluation.basis if fact in parts]
    return {
        "evaluation": str(evaluation.public_id),
        "computed": in_places(evaluation.computed_score),
        "override": in_places(evaluation.override_score),
        "final": in_places(evaluation.final_score),
        "frozen": evaluation.frozen_at is not None,
        "parts": {name: in_places(Decimal(value)) for name, value in parts[max(counted)].items()} if counted else {},
    }


def recompute_response(row: ResponseEvaluation) -> Recomputed:
    """Return what the single judgements of a response come to, and what the row says that they came to."""
    agreed = fairness.marks(judgements=repeated.numbers_of(row, MARKS))
    return repeated.compared(row, agreed, {name: getattr(row, name) for name in MARKS})


def recompute_effect(row: Effect) -> Recomputed:
    """Return the same for an effect; persuasion that the shares of the debate make up is not of its judgements."""
    names = SHARES[1:] if row.source == EffectSource.FACTORS.value else SHARES
    agreed = fairness.effect(judgements=repeated.numbers_of(row, SHARES))
    return repeated.compared(row, agreed, {name: getattr(row, name) for name in names})


TABLES = (
    RepeatedTable("response", ResponseEvaluation, debate="turn__debate", recompute=recompute_response),
    RepeatedTable("effect", Effect, debate="turn__debate", recompute=recompute_effect),
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
    faults = {
        "consistency": grounds.get("violations", ()),
        "honesty": [issue.replace("_", " ") for issue in row.issues],
    }
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
