"""Any order of rounds and moderation by several people against a reference in plain Python that knows nothing of ours.

``MOOT_STATEFUL_EXAMPLES=2000 pytest tests/scoring/test_stateful.py`` looks longer.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import pytest
from django.db import IntegrityError
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, rule

from debates.models import Thread
from scoring.enums import HeldChoice
from scoring.models import Evaluation
from scoring.services import accounts
from tests import acts, factories
from tests.module_fixtures import nested
from tests.scoring import state_machine
from tests.scoring.state_machine import EXAMPLES, NOW, WHO, Moderated, Reference, decimal, hundredths, some, state_of

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
    "back": lambda _, to, played: replace(to, held=frozenset(), frozen=False, counted=played),
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

    def at(self, sequence: int) -> tuple[Reference, bool]:
        """The state after an entry, and whether anything has counted in its run."""
        then = self.log[sequence - 1]
        return then, any(one.counted for one in self.log if one.run == then.run)

    def computed(self) -> int | None:
        total = sum(self.facts[one][1] for one in self.now.basis)
        return max(100, min(1000, self.initial + capped(total, 500))) if self.now.counted else None

    def sure(self) -> int:
        total = sum(self.facts[one][2] for one in self.now.basis)
        return max(0, min(100, self.confidence + capped(total, 50))) if self.now.counted else self.confidence

    def final(self) -> int | None:
        return self.computed() if self.now.override is None else self.now.override


VERDICTS = st.lists(st.tuples(st.integers(-300, 300), st.integers(-30, 30)), min_size=1, max_size=3)


class Machine(Moderated):
    """Does things to one score through the services, and to the reference, and compares after every step."""

    @initialize(initial=st.integers(100, 1000), confidence=st.integers(0, 100))
    def open(self, initial: int, confidence: int) -> None:
        self.row = factories.criterion(initial=decimal(initial), confidence=decimal(confidence))
        self.story = Story(initial, confidence)
        self.sit_down()

    @rule(verdicts=VERDICTS)
    def count(self, verdicts: list[tuple[int, int]]) -> None:
        given = [factories.verdict(decimal(adjustment), decimal(impact)) for adjustment, impact in verdicts]
        if not self.story.in_play:
            with pytest.raises(IntegrityError, match="is over"), nested():
                factories.count(self.row, *given)
            return
        facts = factories.count(self.row, *given).facts
        for fact, (adjustment, impact) in zip(facts, verdicts, strict=True):
            self.story.facts[fact.pk] = (self.story.now.run, adjustment, impact)
        self.story.add("held" if self.story.now.frozen else "round", frozenset(fact.pk for fact in facts))

    @rule(who=WHO)
    def freeze(self, who: int) -> None:
        self.either(not self.story.now.frozen, self.freezing(who), "freeze")

    @rule(who=WHO, choice=st.sampled_from(HeldChoice))
    def unfreeze(self, who: int, choice: HeldChoice) -> None:
        order, allowed = self.order(who), self.story.now.frozen
        act = lambda: acts.unfreeze(order=order, choice=choice, now=NOW)  # noqa: E731 -- named for the line below
        self.attempt(who, allowed, act, choice.value)

    @rule(who=WHO, value=st.integers(50, 1050))
    def override(self, who: int, value: int) -> None:
        order, allowed = self.order(who), not self.story.now.frozen and 100 <= value <= 1000
        act = lambda: acts.override(order=order, value=decimal(value), now=NOW)  # noqa: E731 -- as above
        self.attempt(who, allowed, act, "override", value)

    @rule(who=WHO)
    def lift(self, who: int) -> None:
        order, now = self.order(who), self.story.now
        allowed = not now.frozen and now.override is not None
        self.attempt(who, allowed, lambda: acts.lift(order=order, now=NOW), "override", None)

    @rule(who=WHO, luck=st.data(), anything=st.booleans())
    def strike(self, who: int, luck: st.DataObject, anything: bool) -> None:
        order, now = self.order(who), self.story.now
        own = some(luck, self.story.facts if anything else now.basis)
        allowed = not now.frozen and own <= now.basis
        act = lambda: acts.strike(order=order, facts=sorted(own), now=NOW)  # noqa: E731 -- as above
        self.attempt(who, allowed, act, "strike", own)

    @rule(who=WHO, luck=st.data(), anything=st.booleans())
    def reinstate(self, who: int, luck: st.DataObject, anything: bool) -> None:
        order, now = self.order(who), self.story.now
        out = {one for one, (run, _, _) in self.story.facts.items() if run == now.run} - now.basis
        own = some(luck, self.story.facts if anything else out)
        allowed = not now.frozen and own <= out
        act = lambda: acts.reinstate(order=order, facts=sorted(own), now=NOW)  # noqa: E731 -- as above
        self.attempt(who, allowed, act, "reinstate", own)

    @rule(who=WHO, luck=st.data())
    def roll_back(self, who: int, luck: st.DataObject) -> None:
        order, now = self.order(who), self.story.now
        target = luck.draw(st.integers(1, len(self.story.log)))
        then, played = self.story.at(target)
        elsewhere = then.run != now.run and self.story.in_play
        allowed = not now.frozen and target < len(self.story.log) and not elsewhere
        act = lambda: acts.roll_back(order=order, target=target, now=NOW)  # noqa: E731 -- as above
        self.attempt(who, allowed, act, "back", then, played)

    @rule(who=WHO)
    def rerun(self, who: int) -> None:
        run, author = max(one.run for one in self.story.log) + 1, self.signed(who)
        [row] = accounts.lock(evaluations=[self.row.pk])
        allowed = not self.story.now.frozen

        def begin() -> None:
            accounts.rerun(evaluation=row, run=run, author=author)
            Thread.objects.filter(pk=row.thread_id).update(run_number=run)

        self.either(allowed, begin, "rerun", run)

    @rule()
    def complete(self) -> None:
        self.completed()
        self.story.add("complete")

    @rule()
    def fall_back(self) -> None:
        [row] = accounts.lock(evaluations=[self.row.pk])
        accounts.fall_back(evaluation=row, reason_code="judge_failed")
        if not self.story.now.frozen and not self.story.now.counted:
            self.story.add("fallback")

    @rule()
    def conclude_or_play_on(self) -> None:
        self.story.in_play = not self.story.in_play
        (factories.again if self.story.in_play else factories.over)(self.row.debate)

    @invariant()
    def the_row_is_what_the_reference_says(self) -> None:
        if not hasattr(self, "row"):
            return
        row, story = Evaluation.objects.get(pk=self.row.pk), self.story
        assert state_of(row) == story.now
        assert (row.version, row.moderation_version) == (len(story.log), self.moderated)
        assert hundredths(row.computed_score) == story.computed()
        assert hundredths(row.final_score) == story.final()
        assert hundredths(row.confidence) == story.sure()
        assert sum(row.entries.values_list("delta", flat=True)) == row.value - row.initial_score


@pytest.mark.django_db
def test_any_order_of_rounds_and_moderation_does_what_the_reference_says():
    state_machine.run(Machine, examples=EXAMPLES)
