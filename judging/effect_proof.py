"""The proof of effects in open debates: each again from the words that were said, and from what its judge answered."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from debates.errors import DomainError
from debates.models import Debate, Participant, Turn
from debates.types import FORFEIT, Role, TurnKind
from judging import outcomes
from judging.models import Effect, ParticipantState
from judging.outcomes import Options
from judging.rules import effects, fairness
from judging.rules.effects import Listener, Strategy
from judging.tables import reading
from judging.types import EffectSource, Purpose
from scoring.proof import Fault


@dataclass(frozen=True, slots=True)
class Kept:
    """What was kept of one open debate; ``rows`` are its effects by turn, each turn's in the order of writing."""

    debate: Debate
    options: Options
    people: Sequence[Participant]
    states: Mapping[int, Sequence[ParticipantState]]
    rows: Mapping[int, Sequence[Effect]]

    @property
    def seats(self) -> list[Participant]:
        """Return who sits at the table."""
        return [one for one in self.people if one.role == Role.CHAIR.value]

    @property
    def cards(self) -> Mapping[str, Mapping[str, str]]:
        """Return how each chair was set up, by name."""
        return {card["name"]: card for card in self.debate.parameters["table"]["chairs"]}

    def around(self, effect: Effect) -> tuple[ParticipantState | None, ParticipantState | None]:
        """Return where the listener stood before and after an effect; nothing for what is not kept."""
        rows = self.states.get(effect.listener_id, ())
        after = next((one for one in rows if one.effect_id == effect.pk), None)
        before = next((one for one in rows if after is not None and one.number == after.number - 1), None)
        return before, after


def kept_of(debate: Debate) -> Kept:
    """Return what was kept of one open debate."""
    rows: dict[int, list[Effect]] = {}
    found = Effect.objects.filter(turn__debate=debate).select_related("turn__round", "speaker", "listener", "call")
    for row in found.order_by("pk"):
        rows.setdefault(row.turn_id, []).append(row)
    return Kept(
        debate=debate,
        options=outcomes.options_of(debate.parameters),
        people=list(Participant.objects.filter(debate=debate).order_by("position")),
        states=outcomes.states_of(debate_id=debate.pk, related="effect__turn__round"),
        rows=rows,
    )


def faults(kept: Kept) -> Iterator[Fault]:
    """Yield effects that are missing, have left no state, or are not what the words and the judge's answer give.

    Words and answers that were erased, and answers under labels instead of names, are taken from the effect itself.

    Source: docs/explanation/ledger.md, "Proof".
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


def _responses(kept: Kept) -> list[Turn]:
    """Return what was said and has effects, or should have, oldest first."""
    turns = Turn.objects.filter(debate=kept.debate).select_related("round").order_by("pk")
    return [one for one in turns if one.pk in kept.rows or (kept.options.persuasion and _was_weighed(one))]


def _was_weighed(turn: Turn) -> bool:
    played = turn.round is not None and turn.round.closed_at is not None
    return played and turn.kind == TurnKind.RESPONSE.value and not turn.slot.startswith(FORFEIT)


def _missing(turn: Turn, rows: Sequence[Effect], kept: Kept, gone: set[int]) -> Iterator[Fault]:
    reached = {row.listener_id for row in rows}
    for seat in kept.seats:
        if seat.pk not in {*gone, *reached, turn.participant_id}:
            yield Fault("", None, f"turn {turn.public_id} has no effect on participant {seat.public_id}")


def _of_effect(
    row: Effect, rows: Sequence[Effect], kept: Kept, earned: Sequence[Decimal]
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
        found = getattr(row, name)
        if found != value:
            yield Fault("", None, f"{place}: {name} is another", _shown(value), _shown(found))
    return due.parts.get("persuasion", row.persuasion)


@dataclass(frozen=True, slots=True)
class Due:
    """What is known of how an effect should be, by the names of its columns: its numbers, and the rest."""

    parts: Mapping[str, Decimal] = field(default_factory=dict)
    words: Mapping[str, int | str] = field(default_factory=dict)


def due_of(row: Effect, rows: Sequence[Effect], kept: Kept, earned: Sequence[Decimal]) -> Due:
    """Return what is known of how an effect should be.

    Shape: ``rows`` are all effects of the same turn; ``earned`` is what its speaker's earlier turns did.
    Raises: ``DomainError`` where its judge's answer does not say.
    """
    factors = kept.options.rules.factors
    weighed = EffectSource.WORDS if row.call_id is None else EffectSource.JUDGE
    source = weighed if factors is None else EffectSource.FACTORS
    words: dict[str, int | str] = {"source": source.value, "speaker_id": row.turn.participant_id}
    spoken = effects.from_words(text=row.turn.text, words=kept.options.words) if row.turn.text else None
    if spoken is not None:
        words["persuasion_words"] = spoken.persuasion_words
    made = spoken if row.call_id is None else answered(row, rows, kept)
    parts = {"persuasion": made.persuasion, "attack": made.attack, "evidence": made.evidence} if made else {}
    if factors is not None:
        parts.pop("persuasion", None)
        parts |= _by_factors(row, kept, earned, made=made, spoken=spoken)
    return Due(parts, words)


def answered(row: Effect, rows: Sequence[Effect], kept: Kept) -> effects.Effect | None:
    """Return what an effect's judge answered; nothing where the proof of several judgements, or nobody, can tell.

    Raises: ``DomainError``.
    """
    call = row.call
    blind = fairness.of(kept.debate.parameters).blind_names
    if call is None or not call.raw_answer or row.readings or blind or not row.listener.name:
        return None
    asked = (call.purpose, call.thread_id, call.round_number)
    if row.turn.round is None or asked != (Purpose.INFLUENCE.value, row.turn.round.thread_id, row.turn.round.number):
        raise DomainError("it was given to another question")
    found = reading.weighed(call.raw_answer, listeners=[one.listener.name for one in rows])
    mine = next(one for one in found if one.listener == row.listener.name)
    return effects.Effect(mine.persuasion, mine.attack, mine.evidence)


def _by_factors(
    row: Effect,
    kept: Kept,
    earned: Sequence[Decimal],
    *,
    made: effects.Effect | None,
    spoken: effects.Effect | None,
) -> dict[str, Decimal]:
    """Return the persuasion that the shares of a debate give; nothing where it was not kept how the speaker argued."""
    before, _ = kept.around(row)
    factors = kept.options.rules.factors
    if factors is None or before is None or not row.turn.strategy:
        return {}
    persuasion = effects.weighted_persuasion(
        effect=effects.Effect(
            persuasion=row.persuasion,
            attack=row.attack,
            evidence=made.evidence if made else row.evidence,
            persuasion_words=spoken.persuasion_words if spoken else row.persuasion_words,
        ),
        factors=factors,
        strategy=Strategy(row.turn.strategy),
        listener=Listener(before.stance, before.conviction),
        earned=earned,
    )
    return {"persuasion": persuasion}


def _shown(value: object) -> str:
    return f"{value.normalize():f}" if isinstance(value, Decimal) else str(value)
