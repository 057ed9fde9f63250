"""Any order of rounds and moderation against a reference in plain Python that knows nothing of ours.

``MOOT_STATEFUL_EXAMPLES=2000 pytest tests/scoring/test_stateful.py`` looks longer.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.utils import timezone
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from debates.errors import DomainError
from debates.models import Debate
from scoring import verify
from scoring.errors import Stale
from scoring.kinds import ActorKind, HeldChoice
from scoring.models import Evaluation
from scoring.services import accounts, moderation
from scoring.services.entries import Author, actor_of, reason_record
from tests import factories

EXAMPLES = int(os.environ.get("MOOT_STATEFUL_EXAMPLES", "15"))
STEPS = 25
NOW = timezone.now()


@dataclass(frozen=True)
class Reference:
    """The state of one criterion score. Scores and confidences are whole hundredths."""

    run: int = 1
    basis: frozenset[int] = frozenset()
    held: frozenset[int] = frozenset()
    override: int | None = None
    frozen: bool = False
    counted: bool = False
    complete: bool = False
    rounds: int = 0


Fold = Callable[..., Reference]
FOLD: Mapping[str, Fold] = {
    "round": lambda s, own: replace(s, basis=s.basis | own, counted=True, rounds=s.rounds + 1),
    "held": lambda s, own: replace(s, held=s.held | own, rounds=s.rounds + 1),
    "complete": lambda s: replace(s, complete=True),
    "fallback": lambda s: replace(s, counted=True),
    "override": lambda s, to: replace(s, override=to),
    "freeze": lambda s: replace(s, frozen=True),
    "apply": lambda s: replace(
        s, frozen=False, held=frozenset(), basis=s.basis | s.held, counted=s.counted or bool(s.held)
    ),
    "discard": lambda s: replace(s, frozen=False, held=frozenset()),
    "strike": lambda s, own: replace(s, basis=s.basis - own),
    "reinstate": lambda s, own: replace(s, basis=s.basis | own, counted=True),
    "rerun": lambda _, run: Reference(run=run),
}  # fmt: skip


def capped(total: int, limit: int) -> int:
    return max(-limit, min(limit, total))


@dataclass
class Story:
    """What should have happened: every state after every entry, and the facts, (run, adjustment, impact) by id."""

    initial: int
    confidence: int
    log: list[Reference] = field(default_factory=lambda: [Reference()])
    facts: dict[int, tuple[int, int, int]] = field(default_factory=dict)
    in_play: bool = True

    @property
    def now(self) -> Reference:
        return self.log[-1]

    def add(self, kind: str, *given: object) -> None:
        self.log.append(FOLD[kind](self.now, *given))

    def back(self, sequence: int) -> None:
        target = self.log[sequence - 1]
        played = any(one.counted for one in self.log if one.run == target.run)
        self.log.append(replace(target, held=frozenset(), frozen=False, counted=played))

    def computed(self) -> int | None:
        total = sum(self.facts[one][1] for one in self.now.basis)
        return max(100, min(1000, self.initial + capped(total, 500))) if self.now.counted else None

    def sure(self) -> int:
        total = sum(self.facts[one][2] for one in self.now.basis)
        return max(0, min(100, self.confidence + capped(total, 50))) if self.now.counted else self.confidence

    def final(self) -> int | None:
        return self.computed() if self.now.override is None else self.now.override


def hundredths(amount: Decimal | None) -> int | None:
    return None if amount is None else int(amount * 100)


def decimal(amount: int) -> str:
    return str(Decimal(amount) / 100)


def nested() -> transaction.Atomic:
    """A savepoint in which durable services run, as they do in Django's own tests."""
    made = transaction.atomic()
    made._from_testcase = True
    return made


VERDICTS = st.lists(st.tuples(st.integers(-300, 300), st.integers(-30, 30)), min_size=1, max_size=3)


class Machine(RuleBasedStateMachine):
    """Does things to one score through the services, and to the reference, and compares after every step."""

    alice: User

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

    @initialize(initial=st.integers(100, 1000), confidence=st.integers(0, 100))
    def open(self, initial: int, confidence: int) -> None:
        self.row = factories.criterion(initial=decimal(initial), confidence=decimal(confidence))
        self.story = Story(initial, confidence)

    def signed(self) -> Author:
        return Author(ActorKind.MODERATOR, actor=actor_of(self.alice), reason=reason_record(factories.REASON))

    def order(self, *, seen: int | None = -1) -> moderation.Order:
        return factories.order(self.row, self.alice, seen=seen)

    def either(self, allowed: bool, act: Callable[[], object], kind: str, *given: object) -> None:
        """Act, and write it in the story if it is allowed; if not, it must be refused and change nothing."""
        if allowed:
            act()
            self.story.add(kind, *given)
            return
        with pytest.raises(DomainError), nested():
            act()

    @rule(verdicts=VERDICTS)
    def count(self, verdicts: list[tuple[int, int]]) -> None:
        given = [factories.verdict(decimal(adjustment), decimal(impact)) for adjustment, impact in verdicts]
        facts = factories.count(self.row, *given).facts
        for fact, (adjustment, impact) in zip(facts, verdicts, strict=True):
            self.story.facts[fact.pk] = (self.story.now.run, adjustment, impact)
        self.story.add("held" if self.story.now.frozen else "round", frozenset(fact.pk for fact in facts))

    @rule()
    def freeze(self) -> None:
        order = self.order(seen=None)
        self.either(not self.story.now.frozen, lambda: moderation.freeze(order=order, now=NOW), "freeze")

    @rule(choice=st.sampled_from(HeldChoice))
    def unfreeze(self, choice: HeldChoice) -> None:
        order = self.order()
        allowed = self.story.now.frozen
        self.either(allowed, lambda: moderation.unfreeze(order=order, choice=choice, now=NOW), choice.value)

    @rule(value=st.integers(50, 1050))
    def override(self, value: int) -> None:
        order, allowed = self.order(), not self.story.now.frozen and 100 <= value <= 1000
        self.either(allowed, lambda: moderation.override(order=order, value=decimal(value), now=NOW), "override", value)

    @rule()
    def lift(self) -> None:
        order, now = self.order(), self.story.now
        allowed = not now.frozen and now.override is not None
        self.either(allowed, lambda: moderation.lift(order=order, now=NOW), "override", None)

    def some(self, luck: st.DataObject, among: Iterable[int]) -> frozenset[int]:
        return frozenset(luck.draw(st.sets(st.sampled_from(sorted(among) or [0]), min_size=1, max_size=3)))

    @rule(luck=st.data(), anything=st.booleans())
    def strike(self, luck: st.DataObject, anything: bool) -> None:
        order, now = self.order(), self.story.now
        own = self.some(luck, self.story.facts if anything else now.basis)
        allowed = not now.frozen and own <= now.basis
        self.either(allowed, lambda: moderation.strike(order=order, facts=sorted(own), now=NOW), "strike", own)

    @rule(luck=st.data(), anything=st.booleans())
    def reinstate(self, luck: st.DataObject, anything: bool) -> None:
        order, now = self.order(), self.story.now
        out = {one for one, (run, _, _) in self.story.facts.items() if run == now.run} - now.basis
        own = self.some(luck, self.story.facts if anything else out)
        allowed = not now.frozen and own <= out
        self.either(allowed, lambda: moderation.reinstate(order=order, facts=sorted(own), now=NOW), "reinstate", own)

    @rule(luck=st.data())
    def roll_back(self, luck: st.DataObject) -> None:
        order, now = self.order(), self.story.now
        target = luck.draw(st.integers(1, len(self.story.log)))
        elsewhere = self.story.log[target - 1].run != now.run
        if now.frozen or target == len(self.story.log) or (elsewhere and self.story.in_play):
            with pytest.raises(DomainError), nested():
                moderation.roll_back(order=order, target=target, now=NOW)
            return
        moderation.roll_back(order=order, target=target, now=NOW)
        self.story.back(target)

    @rule()
    def rerun(self) -> None:
        run = max(one.run for one in self.story.log) + 1
        author = self.signed()
        [row] = accounts.lock(evaluations=[self.row.pk])
        allowed = not self.story.now.frozen
        self.either(allowed, lambda: accounts.rerun(evaluation=row, run=run, author=author), "rerun", run)

    @rule()
    def complete(self) -> None:
        [row] = accounts.lock(evaluations=[self.row.pk])
        accounts.complete(evaluation=row)
        self.story.add("complete")

    @rule()
    def fall_back(self) -> None:
        [row] = accounts.lock(evaluations=[self.row.pk])
        accounts.fall_back(evaluation=row, reason_code="failed")
        if not self.story.now.frozen and not self.story.now.counted:
            self.story.add("fallback")

    @rule()
    def conclude_or_play_on(self) -> None:
        self.story.in_play = not self.story.in_play
        status = "running" if self.story.in_play else "concluded"
        Debate.objects.filter(pk=self.row.debate_id).update(status=status)

    @rule()
    def act_on_an_old_look(self) -> None:
        version = Evaluation.objects.values_list("moderation_version", flat=True).get(pk=self.row.pk)
        with pytest.raises(Stale), nested():
            moderation.lift(order=self.order(seen=version + 1), now=NOW)

    @invariant()
    def the_row_is_what_the_reference_says(self) -> None:
        if not hasattr(self, "row"):
            return
        row, story = Evaluation.objects.get(pk=self.row.pk), self.story
        assert story.now == Reference(
            run=row.run_number,
            basis=frozenset(row.basis),
            held=frozenset(row.held),
            override=hundredths(row.override_score),
            frozen=row.frozen_at is not None,
            counted=row.counted,
            complete=row.debate_complete,
            rounds=row.debate_round_count,
        )
        assert row.version == len(story.log)
        assert hundredths(row.computed_score) == story.computed()
        assert hundredths(row.final_score) == story.final()
        assert hundredths(row.confidence) == story.sure()
        assert sum(row.entries.values_list("delta", flat=True)) == row.value - row.initial_score


@pytest.mark.django_db
def test_any_order_of_rounds_and_moderation_does_what_the_reference_says():
    Machine.alice = factories.moderator()

    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=EXAMPLES,
            stateful_step_count=STEPS,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
