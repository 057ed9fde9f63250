"""Whatever one person does to a score in any order, they alone never bring it beyond the threshold.

``MOOT_STATEFUL_EXAMPLES=2000 pytest tests/scoring/test_reach_for_ever.py`` looks longer.
"""

from collections.abc import Callable
from decimal import Decimal

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.utils import timezone
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from debates.errors import DomainError
from scoring import verify
from scoring.enums import EntryKind, HeldChoice
from scoring.models import Evaluation, Fact, ScoreChange
from scoring.services.actions import Intent
from scoring.services.steps import Order
from tests import acts, factories
from tests.module_fixtures import nested
from tests.scoring.state_machine import EXAMPLES

pytestmark = pytest.mark.django_db
NOW = timezone.now()
THRESHOLD = Decimal(1)
SCORES = st.decimals(1, 10, places=1)
NUDGES = st.decimals(Decimal("-1.2"), Decimal("1.2"), places=1)


def score_of(initial: Decimal, amounts: list[Decimal]) -> Decimal:
    """What verdicts give, written anew here: the sum, capped at 5, on the initial score, held inside 1 to 10."""
    return max(Decimal(1), min(Decimal(10), initial + max(Decimal(-5), min(Decimal(5), sum(amounts, Decimal(0))))))


class OnePerson(RuleBasedStateMachine):
    """Alice does whatever she may while the engine plays; nobody approves anything.

    ``arrived`` is what every verdict that the engine has brought would give: Alice is the only one who leaves any out.
    """

    alice: User
    row: Evaluation

    def __init__(self) -> None:
        super().__init__()
        self.outer = nested()
        self.outer.__enter__()
        self.measured_at = 0

    def teardown(self) -> None:
        try:
            connection.check_constraints()
            assert verify.verify().faults == ()
        finally:
            transaction.set_rollback(True)
            self.outer.__exit__(None, None, None)

    @initialize(initial=SCORES)
    def open(self, initial: Decimal) -> None:
        self.row = factories.criterion(initial=str(initial))

    def now(self) -> Evaluation:
        return Evaluation.objects.select_related("debate").get(pk=self.row.pk)

    def attempt(self, act: Callable[[], object]) -> None:
        try:
            with nested():
                act()
        except DomainError:
            return

    def order(self) -> Order:
        return factories.order(self.row, self.alice)

    def facts(self, luck: st.DataObject, among: list[int]) -> list[int]:
        return luck.draw(st.lists(st.sampled_from(among or [0]), min_size=1, max_size=3, unique=True))

    @rule(amount=st.integers(-3, 3))
    def count(self, amount: int) -> None:
        factories.count(self.row, str(amount))

    @rule(nudge=NUDGES)
    def override_near(self, nudge: Decimal) -> None:
        value = max(Decimal(1), min(Decimal(10), self.now().value + nudge))
        self.attempt(lambda: acts.override(order=self.order(), value=str(value), now=NOW))

    @rule(value=SCORES)
    def override(self, value: Decimal) -> None:
        self.attempt(lambda: acts.override(order=self.order(), value=str(value), now=NOW))

    @rule()
    def lift(self) -> None:
        self.attempt(lambda: acts.lift(order=self.order(), now=NOW))

    @rule(luck=st.data())
    def strike(self, luck: st.DataObject) -> None:
        facts = self.facts(luck, self.now().basis)
        self.attempt(lambda: acts.strike(order=self.order(), facts=facts, now=NOW))

    @rule(luck=st.data())
    def reinstate(self, luck: st.DataObject) -> None:
        out = Fact.objects.filter(evaluation=self.row).exclude(pk__in=self.now().basis)
        facts = self.facts(luck, list(out.values_list("pk", flat=True)))
        self.attempt(lambda: acts.reinstate(order=self.order(), facts=facts, now=NOW))

    @rule(luck=st.data())
    def roll_back(self, luck: st.DataObject) -> None:
        target = luck.draw(st.integers(1, max(1, self.now().version - 1)))
        self.attempt(lambda: acts.roll_back(order=self.order(), target=target, now=NOW))

    @rule()
    def freeze(self) -> None:
        order = factories.order(self.row, self.alice, seen=None)
        self.attempt(lambda: acts.freeze(order=order, now=NOW))

    @rule(choice=st.sampled_from(HeldChoice), value=st.none() | SCORES)
    def unfreeze(self, choice: HeldChoice, value: Decimal | None) -> None:
        then = None if value is None else Intent(EntryKind.OVERRIDE, value=str(value))
        self.attempt(lambda: acts.unfreeze(order=self.order(), choice=choice, now=NOW, then=then))

    @invariant()
    def nothing_that_alice_left_standing_is_a_point_from_what_was_computed_or_would_be_without_her(self) -> None:
        if not hasattr(self, "row"):
            return
        row = self.now()
        newest = ScoreChange.objects.filter(evaluation=row).order_by("sequence").last()
        assert newest is not None
        if newest.sequence == self.measured_at or newest.override_after is None:
            return
        self.measured_at = newest.sequence
        if newest.kind not in ("override", "strike", "reinstate", "rollback"):
            return  # rounds beneath an override are nobody's act, whether they count at once or after an unfreeze
        counting = [fact.amount for fact in Fact.objects.filter(pk__in=row.basis)]
        arrived = [fact.amount for fact in Fact.objects.filter(evaluation=row)]
        for amounts in (counting, arrived):
            assert abs(newest.override_after - score_of(row.initial_score, amounts)) < THRESHOLD


def test_one_person_alone_never_brings_a_score_beyond_the_threshold(settings_with_one):
    OnePerson.alice = factories.moderator()
    run_state_machine_as_test(
        OnePerson,
        settings=settings(
            max_examples=EXAMPLES, stateful_step_count=25, deadline=None, database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )  # fmt: skip


def test_one_person_alone_moves_a_score_short_of_the_threshold_and_not_as_far_as_it(settings_with_one):
    OnePerson.alice = factories.moderator()
    person, reached = OnePerson(), []
    person.open(Decimal(5))

    for value in ("5.9", "6"):
        person.override(Decimal(value))
        reached.append(person.now().value)
    person.teardown()

    assert reached == [Decimal("5.9")] * 2


@pytest.fixture
def settings_with_one(settings):
    settings.SECOND_PERSON_FROM = THRESHOLD
