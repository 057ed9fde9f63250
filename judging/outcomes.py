"""What an open debate comes to: where everybody stands, and who has won and how."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from debates.models import Debate, Participant, Round
from debates.types import Role
from judging.models import ParticipantState
from judging.rules import standing
from judging.rules.effects import WordLists
from judging.rules.interjection import Accountability
from judging.rules.rulesets import HISTORY, RuleSet
from judging.rules.standing import Credit, Result, Voice
from judging.rules.state import State, Surrender
from judging.tables.spec import Judging
from judging.types import EffectSource
from scoring.kinds import FactKind
from scoring.models import Evaluation, Fact
from scoring.services.entries import text as shown
from scoring.types import Instrument


@dataclass(frozen=True, slots=True)
class Options:
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


def options_of(parameters: Mapping[str, Any]) -> Options:
    """Return how a debate is played, from what it keeps."""
    kept = parameters["table"]
    return Options(
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


def result_of(seats: tuple[Seat, ...], options: Options) -> Result:
    """Return all standings, the winner and the kind of victory, as it is now."""
    return standing.result(voices=[voice_of(one) for one in seats], credit=options.credit)


def voice_of(one: Seat) -> Voice:
    return Voice(
        name=one.name,
        stance=one.state.stance,
        conviction=one.state.conviction,
        persuasions=one.state.persuasions,
        attacks=one.state.attacks,
        surrendered=not one.active,
        persuaded_by=one.persuaded_by,
        surrendered_to=one.surrendered_to,
    )


def numbers(*, debate: Debate) -> dict[str, Any]:
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
    result: Result | None
    accounts: Mapping[tuple[int, str], Evaluation]
    parts: Mapping[int, Mapping[str, str]]

    def account(self, seat: Seat, instrument: Instrument) -> Evaluation | None:
        """Return somebody's score on an instrument."""
        return self.accounts.get((seat.id, instrument.value))

    def final(self, seat: Seat, instrument: Instrument) -> str | None:
        """Return somebody's final score on an instrument, as text."""
        found = self.account(seat, instrument)
        return shown(found.final_score) if found else None


def as_it_stands(*, debate: Debate) -> Stands:
    """Return what is known of an open debate now."""
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
    """Return what an open debate comes to, by names."""
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
        "stance": shown(one.state.stance),
        "conviction": shown(one.state.conviction),
        "surrendered": one.state.surrender.value if one.state.surrender else None,
        "position": standing.position(stance=one.state.stance).value,
    }
