"""The proof of open debates: effects from words, states from effects, standings from states, totals from marks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.core.exceptions import ObjectDoesNotExist

from debates.models import Debate, Participant
from debates.types import Format, Role
from judging import outcomes
from judging.marks import marks_of
from judging.models import Effect, ParticipantState, ResponseEvaluation, Standing
from judging.outcomes import Options
from judging.rules import effects, state
from judging.rules.effects import Listener, Strategy
from judging.rules.rulesets import HISTORY
from judging.rules.state import State, Surrender
from judging.types import EffectSource
from scoring.proof import Fault

UNREADABLE = (ArithmeticError, AttributeError, LookupError, ObjectDoesNotExist, TypeError, ValueError)


def faults(debate_id: int | None) -> Iterator[Fault]:
    """Yield what does not agree in the open debates, of one or of all.

    Source: docs/explanation/ledger.md, "Proof".
    """
    found = Debate.objects.filter(format=Format.OPEN.value, parameters__has_key="table").exclude(status="draft")
    for debate in (found if debate_id is None else found.filter(pk=debate_id)).order_by("pk").iterator():
        try:
            yield from of_debate(debate)
        except UNREADABLE as error:  # a row is gone or says what cannot be: a fault, and no end of the proof
            yield Fault("", None, f"debate {debate.public_id} cannot be computed again ({type(error).__name__})")


def of_debate(debate: Debate) -> Iterator[Fault]:
    """Yield what does not agree in one open debate.

    Raises: one of ``UNREADABLE`` where so much is missing that nothing can be computed.
    """
    kept = kept_of(debate)
    yield from totals(debate)
    for seat in kept.seats:
        yield from path(seat, kept)
    yield from weights(kept)
    yield from standings(kept)


@dataclass(frozen=True, slots=True)
class Kept:
    """What was kept of one open debate."""

    debate: Debate
    options: Options
    people: Sequence[Participant]
    states: Mapping[int, Sequence[ParticipantState]]

    @property
    def seats(self) -> list[Participant]:
        """Return who sits at the table."""
        return [one for one in self.people if one.role == Role.CHAIR.value]

    @property
    def cards(self) -> Mapping[str, Mapping[str, str]]:
        """Return how each chair was set up, by name."""
        return {card["name"]: card for card in self.debate.parameters["table"]["chairs"]}


def kept_of(debate: Debate) -> Kept:
    """Return what was kept of one open debate."""
    rows = ParticipantState.objects.filter(participant__debate=debate).select_related("effect__turn__round")
    states: dict[int, list[ParticipantState]] = {}
    for row in rows.order_by("participant_id", "number"):
        states.setdefault(row.participant_id, []).append(row)
    people = list(Participant.objects.filter(debate=debate).order_by("position"))
    return Kept(debate=debate, options=outcomes.options_of(debate.parameters), people=people, states=states)


def totals(debate: Debate) -> Iterator[Fault]:
    """Yield totals of responses that are not the sum of their marks."""
    rows = ResponseEvaluation.objects.filter(round__thread__debate=debate, fact__isnull=False)
    for row in rows.select_related("fact__evaluation").order_by("pk"):
        marks = marks_of(row)
        if row.fact is not None and marks is not None and marks.total != row.fact.amount:
            what = f"the total of response {row.public_id} is not the sum of its marks"
            yield Fault(str(row.fact.evaluation.public_id), None, what, str(marks.total), str(row.fact.amount))


def weights(kept: Kept) -> Iterator[Fault]:
    """Yield effects that the words do not have; what a judge weighed, and words that were erased, cannot be weighed."""
    earned: dict[int, list[Decimal]] = {}
    rows = Effect.objects.filter(turn__debate=kept.debate).select_related("turn", "listener", "state_after")
    for row in rows.order_by("pk"):
        before = earned.setdefault(row.speaker_id, [])
        expected = weighed(row, kept, before)
        before.append(row.persuasion)
        found = (row.persuasion, row.attack, row.evidence)
        if expected is not None and expected != found:
            what = f"the effect of turn {row.turn.public_id} on participant {row.listener.public_id} is another"
            yield Fault("", None, what, told(*expected), told(*found))


def weighed(row: Effect, kept: Kept, earned: Sequence[Decimal]) -> tuple[Decimal, Decimal, Decimal] | None:
    """Return what an effect should be; nothing where that cannot be known from the words."""
    spoken = effects.from_words(text=row.turn.text, words=kept.options.words)
    if row.source == EffectSource.WORDS.value and row.turn.text:
        return spoken.persuasion, spoken.attack, spoken.evidence
    factors = kept.options.rules.factors
    if row.source != EffectSource.FACTORS.value or factors is None or not row.turn.strategy:
        return None
    by_number = {one.number: one for one in kept.states.get(row.listener_id, ())}
    before = by_number[row.state_after.number - 1]
    persuasion = effects.weighted_persuasion(
        effect=effects.Effect(row.persuasion, row.attack, row.evidence, row.persuasion_words),
        factors=factors,
        strategy=Strategy(row.turn.strategy),
        listener=Listener(before.stance, before.conviction),
        earned=earned,
    )
    return persuasion, row.attack, row.evidence


def path(seat: Participant, kept: Kept) -> Iterator[Fault]:
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
            if now.surrender is not None:
                yield Fault("", None, f"{place} is after it gave up")
                return
            now = state.update(
                state=now, persuasion=row.effect.persuasion, attack=row.effect.attack, rules=kept.options.rules
            )
        found = State(
            stance=row.stance,
            conviction=row.conviction,
            persuasions=now.persuasions,
            attacks=now.attacks,
            surrender=Surrender(row.surrender) if row.surrender else None,
        )
        if found != now:
            yield Fault("", None, f"{place} does not follow", standing_at(now), standing_at(found))
            now = found


def standings(kept: Kept) -> Iterator[Fault]:
    """Yield standings that do not follow from where everybody stood after their round."""
    rows = Standing.objects.filter(round__thread__debate=kept.debate).select_related("round", "fact__evaluation")
    names = {one.pk: one.name for one in kept.people}
    by_round: dict[int, list[Standing]] = {}
    for row in rows.order_by("pk"):
        by_round.setdefault(row.round.number, []).append(row)
    for number, found in sorted(by_round.items()):
        seats = tuple(
            outcomes.seat_of(one, kept.cards[one.name], until(kept.states[one.pk], number), names) for one in kept.seats
        )
        expected = {one.name: one for one in outcomes.result_of(seats, kept.options).standings}
        for row in found:
            due = expected[names[row.participant_id]]
            parts = (row.stance, row.persuasion, row.resistance, row.penalty, row.fact.amount)
            if parts != (*due.parts().values(), due.total):
                what = f"the standing after exchange {number} does not follow from the states"
                name = str(row.fact.evaluation.public_id)
                yield Fault(name, None, what, told(*due.parts().values(), due.total), told(*parts))


def until(rows: Sequence[ParticipantState], number: int) -> list[ParticipantState]:
    """Return the states of somebody up to the end of an exchange, no more of them than a seat looks at."""
    found = []
    for row in rows:
        spoken = row.effect.turn.round if row.effect else None
        if spoken is None or spoken.number <= number:
            found.append(row)
    return found[-HISTORY - 1 :]


def told(*numbers: Decimal) -> str:
    """Return some numbers for a fault."""
    return ", ".join(f"{one.normalize():f}" for one in numbers)


def standing_at(one: State) -> str:
    """Return a state for a fault."""
    gone = f", gave up ({one.surrender.value})" if one.surrender else ""
    return f"stance {one.stance.normalize():f}, conviction {one.conviction.normalize():f}{gone}"
