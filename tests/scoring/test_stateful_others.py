"""Responses, panels and standings: any order of rounds and moderation by several people, against a small reference.

``MOOT_STATEFUL_EXAMPLES=2000 pytest tests/scoring/test_stateful_others.py`` looks longer.
"""

from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction

import pytest
from django.db import transaction
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, rule

from debates.errors import DomainError
from scoring.enums import HeldChoice
from scoring.models import Evaluation
from scoring.rules.instruments import PLACES, RANGES
from scoring.services import accounts, rounds
from scoring.services.rounds import Given
from scoring.types import Instrument
from tests import acts, factories
from tests.module_fixtures import nested
from tests.scoring import state_machine
from tests.scoring.history import KINDS, opened
from tests.scoring.state_machine import EXAMPLES, NOW, WHO, Moderated, Reference, decimal, some, state_of

OTHERS = (Instrument.ADHERENCE, Instrument.PANEL, Instrument.STANDING)


@dataclass
class Story:
    """What should have happened to one score: every state, and (round, amount in hundredths) of each fact."""

    instrument: Instrument
    log: list[Reference] = field(default_factory=list)
    facts: dict[int, tuple[int, int]] = field(default_factory=dict)

    @property
    def now(self) -> Reference:
        return self.log[-1]

    def add(self, **changes: object) -> None:
        self.log.append(replace(self.now, **changes))

    def counted(self, basis: frozenset[int], own: frozenset[int]) -> frozenset[int]:
        """What counts once further facts do: with what was there, or, but for responses, the newest round instead."""
        if self.instrument is Instrument.ADHERENCE or not own:
            return basis | own
        newest = max(self.facts[one][0] for one in own)
        return frozenset(one for one in own if self.facts[one][0] == newest)

    def computed(self) -> Fraction | None:
        basis = self.now.basis
        if not basis:
            return None
        exact = Fraction(sum(self.facts[one][1] for one in basis), 100 * len(basis))
        unit = 10 ** PLACES[self.instrument]
        magnitude = int(abs(exact) * unit + Fraction(1, 2))
        return Fraction(magnitude if exact >= 0 else -magnitude, unit)


class Machine(Moderated):
    """Does things to one score through the services, and to the reference, and compares after every step."""

    instrument: Instrument

    def __init__(self) -> None:
        super().__init__()
        self.low, self.high = (int(edge * 100) for edge in RANGES[self.instrument])

    def drawn(self, luck: st.DataObject) -> list[int]:
        most = 1 if self.instrument is Instrument.STANDING else 3
        return luck.draw(st.lists(st.integers(self.low, self.high), min_size=1, max_size=most))

    @initialize(luck=st.data())
    def open(self, luck: st.DataObject) -> None:
        amount = luck.draw(st.integers(self.low, self.high))
        self.row = opened(self.instrument, decimal(amount), decimal(amount))
        self.story = Story(self.instrument, facts={self.row.basis[0]: (0, amount)})
        self.story.log.append(Reference(basis=frozenset(self.row.basis), counted=True))
        self.number = 0
        self.sit_down()

    @rule(luck=st.data())
    def count(self, luck: st.DataObject) -> None:
        amounts = self.drawn(luck)
        self.number += 1
        with transaction.atomic():
            [locked] = accounts.lock(evaluations=[self.row.pk])
            given = [Given(KINDS[self.instrument], Decimal(amount) / 100) for amount in amounts]
            played = factories.round_of(locked, number=self.number)
            facts = rounds.count(evaluation=locked, round=played, new_facts=given, now=NOW).facts
        own = frozenset(fact.pk for fact in facts)
        self.story.facts |= {fact.pk: (self.number, amount) for fact, amount in zip(facts, amounts, strict=True)}
        now = self.story.now
        if now.frozen:
            self.story.add(held=now.held | own, rounds=now.rounds + 1)
        else:
            self.story.add(basis=self.story.counted(now.basis, own), rounds=now.rounds + 1)

    @rule(who=WHO)
    def freeze(self, who: int) -> None:
        self.either(not self.story.now.frozen, self.freezing(who), frozen=True)

    @rule(who=WHO, choice=st.sampled_from(HeldChoice))
    def unfreeze(self, who: int, choice: HeldChoice) -> None:
        order, now = self.order(who), self.story.now
        basis = self.story.counted(now.basis, now.held) if choice is HeldChoice.APPLY else now.basis
        act = lambda: acts.unfreeze(order=order, choice=choice, now=NOW)  # noqa: E731 -- named for the line below
        self.attempt(who, now.frozen, act, frozen=False, held=frozenset(), basis=basis)

    @rule(who=WHO, luck=st.data())
    def override(self, who: int, luck: st.DataObject) -> None:
        value = luck.draw(st.integers(self.low - 50, self.high + 50))
        order, allowed = self.order(who), not self.story.now.frozen and self.low <= value <= self.high
        act = lambda: acts.override(order=order, value=decimal(value), now=NOW)  # noqa: E731 -- as above
        self.attempt(who, allowed, act, override=value)

    @rule(who=WHO)
    def lift(self, who: int) -> None:
        order, now = self.order(who), self.story.now
        allowed = not now.frozen and now.override is not None
        self.attempt(who, allowed, lambda: acts.lift(order=order, now=NOW), override=None)

    @rule(who=WHO, luck=st.data(), anything=st.booleans())
    def strike(self, who: int, luck: st.DataObject, anything: bool) -> None:
        order, now = self.order(who), self.story.now
        own = some(luck, self.story.facts if anything else now.basis)
        allowed = self.instrument is not Instrument.STANDING and not now.frozen and own <= now.basis
        act = lambda: acts.strike(order=order, facts=sorted(own), now=NOW)  # noqa: E731 -- as above
        self.attempt(who, allowed, act, basis=now.basis - own)

    @rule(who=WHO, luck=st.data(), anything=st.booleans())
    def reinstate(self, who: int, luck: st.DataObject, anything: bool) -> None:
        order, now = self.order(who), self.story.now
        out = frozenset(self.story.facts) - now.basis
        own = some(luck, self.story.facts if anything else out)
        allowed = self.instrument is not Instrument.STANDING and not now.frozen and own <= out
        if allowed and self.instrument is Instrument.PANEL:
            allowed = len({self.story.facts[one][0] for one in now.basis | own}) == 1
        act = lambda: acts.reinstate(order=order, facts=sorted(own), now=NOW)  # noqa: E731 -- as above
        self.attempt(who, allowed, act, basis=now.basis | own)

    @rule(who=WHO, luck=st.data())
    def roll_back(self, who: int, luck: st.DataObject) -> None:
        order, now = self.order(who), self.story.now
        target = luck.draw(st.integers(1, len(self.story.log)))
        then = self.story.log[target - 1]
        changes = {name: getattr(then, name) for name in ("basis", "override", "complete", "rounds")}
        allowed = not now.frozen and target < len(self.story.log)
        act = lambda: acts.roll_back(order=order, target=target, now=NOW)  # noqa: E731 -- as above
        self.attempt(who, allowed, act, **changes, held=frozenset(), counted=True)

    @rule()
    def complete(self) -> None:
        self.completed()
        self.story.add(complete=True)

    @rule(who=WHO)
    def rerun_is_for_criteria_alone(self, who: int) -> None:
        author = self.signed(who)
        [row] = accounts.lock(evaluations=[self.row.pk])
        with pytest.raises(DomainError), nested():
            accounts.rerun(evaluation=row, run=2, author=author)

    @invariant()
    def the_row_is_what_the_reference_says(self) -> None:
        if not hasattr(self, "row"):
            return
        row, story = Evaluation.objects.get(pk=self.row.pk), self.story
        assert state_of(row) == story.now
        assert (row.version, row.moderation_version) == (len(story.log), self.moderated)
        computed = story.computed()
        assert (None if row.computed_score is None else Fraction(row.computed_score)) == computed
        final = computed if story.now.override is None else Fraction(story.now.override, 100)
        assert (None if row.final_score is None else Fraction(row.final_score)) == final
        assert row.confidence is None
        assert sum(row.entries.values_list("delta", flat=True)) == row.value - row.initial_score


@pytest.mark.django_db
@pytest.mark.parametrize("instrument", OTHERS)
def test_any_order_of_rounds_and_moderation_by_several_does_what_the_reference_says(instrument):
    Machine.instrument = instrument

    state_machine.run(Machine, examples=max(EXAMPLES // 3, 1))
