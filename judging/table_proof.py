"""The proof of open debates: marks from answers, totals from marks, states from effects, standings from states."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from django.core.exceptions import ObjectDoesNotExist

from debates.errors import DomainError
from debates.models import Debate, Participant
from debates.types import Format
from judging import effect_proof, outcomes
from judging.effect_proof import Kept, kept_of
from judging.marks import marks_of
from judging.models import Effect, ResponseEvaluation, Standing
from judging.rules import state
from judging.rules.flips import MARKS
from judging.rules.state import State, Surrender
from judging.tables import reading
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
    yield from effect_proof.faults(kept)
    yield from standings(kept)


def totals(debate: Debate) -> Iterator[Fault]:
    """Yield marks of responses that their judge did not give, and totals that are not the sum of their marks."""
    rows = ResponseEvaluation.objects.filter(round__thread__debate=debate, fact__isnull=False)
    for row in rows.select_related("fact__evaluation", "call", "turn").order_by("pk"):
        marks = marks_of(row)
        yield from given_marks(row)
        if row.fact is not None and marks is not None and marks.total != row.fact.amount:
            what = f"the total of response {row.public_id} is not the sum of its marks"
            yield Fault(str(row.fact.evaluation.public_id), None, what, str(marks.total), str(row.fact.amount))


def given_marks(row: ResponseEvaluation) -> Iterator[Fault]:
    """Yield marks that are not in the one answer they rest on; an erased answer tells nothing."""
    if row.call is None or not row.call.raw_answer or row.readings:
        return
    name = str(row.fact.evaluation.public_id) if row.fact else ""
    try:
        said = reading.judged(row.call.raw_answer, response=row.turn.text).marks
    except DomainError as error:
        what = f"the marks of response {row.public_id} rest on an answer that cannot be read ({error.message})"
        yield Fault(name, None, what)
        return
    for mark in MARKS:
        due, found = getattr(said, mark), getattr(row, mark)
        if due != found:
            yield Fault(
                name, None, f"response {row.public_id}: {mark} is not what its judge gave", told(due), told(found)
            )


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
            yield from cause(row.effect, before=rows[number - 1].effect, seat=seat, kept=kept, place=place)
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


def cause(effect: Effect, *, before: Effect | None, seat: Participant, kept: Kept, place: str) -> Iterator[Fault]:
    """Yield what is wrong with what a state follows from: not on this chair, of another debate, or out of order."""
    if effect.listener_id != seat.pk:
        yield Fault("", None, f"{place} follows from an effect on somebody else")
    if effect.turn.debate_id != kept.debate.pk:
        yield Fault("", None, f"{place} follows from what was said in another debate")
    if before is not None and before.pk >= effect.pk:
        yield Fault("", None, f"{place} follows from an effect that came before the last")


def standings(kept: Kept) -> Iterator[Fault]:
    """Yield standings that do not follow from where everybody stood after their round."""
    rows = Standing.objects.filter(round__thread__debate=kept.debate).select_related("round", "fact__evaluation")
    names = {one.pk: one.name for one in kept.people}
    by_round: dict[int, list[Standing]] = {}
    for row in rows.order_by("pk"):
        by_round.setdefault(row.round.number, []).append(row)
    for number, found in sorted(by_round.items()):
        states = {person: outcomes.until(known, number) for person, known in kept.states.items()}
        seats = outcomes.seats_in(states, people=kept.people, parameters=kept.debate.parameters)
        expected = {one.name: one for one in outcomes.result_of(seats, kept.options).standings}
        for row in found:
            due = expected[names[row.participant_id]]
            parts = (row.stance, row.persuasion, row.resistance, row.penalty, row.fact.amount)
            if parts != (*due.parts().values(), due.total):
                what = f"the standing after exchange {number} does not follow from the states"
                name = str(row.fact.evaluation.public_id)
                yield Fault(name, None, what, told(*due.parts().values(), due.total), told(*parts))


def told(*numbers: Decimal) -> str:
    """Return some numbers for a fault."""
    return ", ".join(f"{one.normalize():f}" for one in numbers)


def standing_at(one: State) -> str:
    """Return a state for a fault."""
    gone = f", gave up ({one.surrender.value})" if one.surrender else ""
    return f"stance {one.stance.normalize():f}, conviction {one.conviction.normalize():f}{gone}"
