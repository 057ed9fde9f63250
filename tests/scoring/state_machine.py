"""What the model-based tests of the ledger share: the state of a score in plain Python, and several people who act."""

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.utils import timezone
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test

from debates.errors import DomainError
from scoring import verify
from scoring.enums import ActorKind
from scoring.errors import Stale
from scoring.models import Evaluation
from scoring.services import accounts
from scoring.services.entries import Author, actor_of, reason_record
from scoring.services.steps import Order
from tests import acts, factories
from tests.examples import examples
from tests.module_fixtures import nested

EXAMPLES = int(os.environ.get("MOOT_STATEFUL_EXAMPLES") or examples(30))
STEPS = 25
NOW = timezone.now()
PEOPLE = ("alice", "bob", "charlie")
WHO = st.integers(0, len(PEOPLE) - 1)


@dataclass(frozen=True)
class Reference:
    """The state of one score. Values and confidences are whole hundredths."""

    run: int = 1
    basis: frozenset[int] = frozenset()
    held: frozenset[int] = frozenset()
    override: int | None = None
    frozen: bool = False
    counted: bool = False
    complete: bool = False
    rounds: int = 0


def state_of(row: Evaluation) -> Reference:
    """The same, as the database has it."""
    return Reference(
        run=row.run_number,
        basis=frozenset(row.basis),
        held=frozenset(row.held),
        override=hundredths(row.override_score),
        frozen=row.frozen_at is not None,
        counted=row.counted,
        complete=row.debate_complete,
        rounds=row.debate_round_count,
    )


def hundredths(amount: Decimal | None) -> int | None:
    return None if amount is None else int(amount * 100)


def decimal(amount: int) -> str:
    return str(Decimal(amount) / 100)


def some(luck: st.DataObject, among: Iterable[int]) -> frozenset[int]:
    """One to three of these, or what there is not where there are none."""
    return frozenset(luck.draw(st.sets(st.sampled_from(sorted(among) or [0]), min_size=1, max_size=3)))


class Moderated(RuleBasedStateMachine):
    """One score that several people act on, each of whom knows only what they looked at last."""

    people: tuple[User, ...]
    row: Evaluation
    story: Any

    def __init__(self) -> None:
        super().__init__()
        self.outer = nested()
        self.outer.__enter__()

    def teardown(self) -> None:
        try:
            connection.check_constraints()
            assert verify.verify().faults == ()
        finally:
            transaction.set_rollback(True)
            self.outer.__exit__(None, None, None)

    def sit_down(self) -> None:
        """Everybody looks at the score, which the engine has just opened."""
        self.moderated = 0
        self.looks = dict.fromkeys(range(len(self.people)), self.moderated)

    @rule(who=WHO)
    def look(self, who: int) -> None:
        self.looks[who] = self.moderated

    def order(self, who: int) -> Order:
        """An order by somebody, on what they looked at last."""
        return factories.order(self.row, self.people[who], seen=self.looks[who])

    def signed(self, who: int) -> Author:
        return Author(ActorKind.MODERATOR, actor=actor_of(self.people[who]), reason=reason_record(factories.REASON))

    def attempt(self, who: int, allowed: bool, act: Callable[[], object], *kind: Any, **changes: Any) -> None:
        """Act: an old look is refused as stale, what is not allowed as such, and neither changes anything; else the
        story goes on. Whoever acted looks again."""
        if self.looks[who] != self.moderated:
            with pytest.raises(Stale), nested():
                act()
        else:
            self.either(allowed, act, *kind, **changes)
        self.look(who)

    def either(self, allowed: bool, act: Callable[[], object], *kind: Any, **changes: Any) -> None:
        """Act where no look is asked for. What was done makes the looks of all others old."""
        if allowed:
            act()
            self.story.add(*kind, **changes)
            self.moderated = len(self.story.log)
        else:
            with pytest.raises(DomainError), nested():
                act()

    def freezing(self, who: int) -> Callable[[], object]:
        """A freeze, which needs no look: it must win every race."""
        order = factories.order(self.row, self.people[who], seen=None)
        return lambda: acts.freeze(order=order, now=NOW)

    def completed(self) -> None:
        with transaction.atomic():
            [row] = accounts.lock(evaluations=[self.row.pk])
            accounts.complete(evaluation=row)


def run(machine: type[Moderated], *, examples: int) -> None:
    """Look for an order of acts in which ledger and reference differ."""
    machine.people = tuple(factories.moderator(name) for name in PEOPLE)
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=STEPS,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
