"""What an open debate comes to: where everybody stands, who has won and how, and the document that tells it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from debates.models import Debate, Participant
from debates.types import Role
from judging.models import ParticipantState, Synthesis
from judging.rules import standing
from judging.rules.effects import WordLists
from judging.rules.interjection import Accountability
from judging.rules.rulesets import HISTORY, RuleSet
from judging.rules.standing import Credit, Result, Voice
from judging.rules.state import State, Surrender
from judging.tables.spec import Judging
from judging.types import EffectSource
from scoring.models import Evaluation
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
    )


def seats_of(*, debate_id: int, people: Sequence[Participant], parameters: Mapping[str, Any]) -> tuple[Seat, ...]:
    """Return the chairs with where they stand after everything that reached them."""
    cards = {card["name"]: card for card in parameters["table"]["chairs"]}
    names = {one.pk: one.name for one in people}
    states: dict[int, list[ParticipantState]] = {}
    rows = ParticipantState.objects.filter(participant__debate_id=debate_id).select_related("effect")
    for row in rows.order_by("participant_id", "number"):
        states.setdefault(row.participant_id, []).append(row)
    chairs = [one for one in people if one.role == Role.CHAIR.value]
    return tuple(seat_of(one, cards[one.name], states[one.pk], names) for one in chairs)


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
    Source: docs/reference/open-debates.md#the-result
    """
    people = list(Participant.objects.filter(debate=debate).order_by("position"))
    seats = seats_of(debate_id=debate.pk, people=people, parameters=debate.parameters)
    options = options_of(debate.parameters)
    adherence = finals(debate, Instrument.ADHERENCE)
    told: dict[str, Any] = {
        "overall": None,
        "exchanges": debate.threads.get().rounds.filter(number__gt=0, closed_at__isnull=False).count(),
        "winner": None,
        "victory": None,
        "scores": {},
        "surrendered": [one.name for one in seats if not one.active],
        "states": {one.name: state_told(one) for one in seats},
        "adherence": {one.name: adherence.get(one.id) for one in seats},
    }
    if options.persuasion:
        found = result_of(seats, options)
        scores = finals(debate, Instrument.STANDING)
        told |= {
            "winner": found.winner,
            "victory": found.victory.value,
            "scores": {one.name: scores.get(one.id) for one in seats},
        }
    return told


def finals(debate: Debate, instrument: Instrument) -> Mapping[int, Any]:
    """Return the final score of everybody on an instrument, as text."""
    rows = Evaluation.objects.filter(debate=debate, instrument=instrument.value)
    return {one.participant_id or 0: shown(one.final_score) for one in rows}


def state_told(one: Seat) -> dict[str, Any]:
    return {
        "stance": shown(one.state.stance),
        "conviction": shown(one.state.conviction),
        "surrendered": one.state.surrender.value if one.state.surrender else None,
        "position": standing.position(stance=one.state.stance).value,
    }


def document(*, debate: Debate) -> dict[str, Any]:
    """Return the result document of an open debate.

    Source: docs/reference/open-debates.md#the-result
    """
    synthesis = Synthesis.objects.filter(debate=debate).select_related("turn").last()
    people = Participant.objects.filter(debate=debate).order_by("position")
    return {
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
        **{name: value for name, value in numbers(debate=debate).items() if name != "overall"},
        "judgedBy": [
            {"role": one.role, "name": one.name, "provider": one.provider, "model": one.model} for one in people
        ],
        "synthesis": synthesis.turn.text if synthesis else None,
    }
