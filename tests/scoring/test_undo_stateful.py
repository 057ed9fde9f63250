"""Any order of rounds, acts and undos against a reference in plain Python.

``MOOT_STATEFUL_EXAMPLES=2000 pytest tests/scoring/test_undo_stateful.py`` looks longer.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import rule

from debates.errors import DomainError
from scoring.enums import HeldChoice
from scoring.services import undo
from scoring.services.undo import UndoOrder
from tests import factories
from tests.module_fixtures import nested
from tests.scoring import state_machine
from tests.scoring.state_machine import EXAMPLES, NOW, WHO, Reference
from tests.scoring.test_stateful import FOLD, Machine

HOLD = "hold again"
FOLDS = {**FOLD, HOLD: lambda s, own: replace(s, frozen=True, held=own)}
Entry = tuple[str, tuple[Any, ...], int]
"""The kind of an entry, what it was given, and its sequence."""


class Undoing(Machine):
    """The same people, who may also take the last act of anybody back."""

    newest: Sequence[Entry] = ()

    def add(self, kind: str, *given: Any) -> Entry:
        self.story.log.append(FOLDS[kind](self.story.now, *given))
        return kind, given, len(self.story.log)

    def either(self, allowed: bool, act: Callable[[], object], *kind: Any, **changes: Any) -> None:
        super().either(allowed, act, *kind, **changes)
        if allowed:
            self.newest = [(kind[0], kind[1:], len(self.story.log))]

    def has_played_since(self, sequence: int) -> bool:
        kinds = self.row.entries.filter(sequence__gt=sequence, kind__in=["round", "held", "completed"])
        return kinds.exists()

    def inverse(self, entry: Entry, choice: HeldChoice | None) -> list[tuple[Any, ...]] | None:
        """What takes an entry back, or nothing where it cannot be."""
        kind, given, sequence = entry
        before = self.story.log[sequence - 2]
        return INVERSES.get(kind, lambda *_: None)(self, given, before, choice, sequence)

    def thawed(self, own: frozenset[int], choice: HeldChoice | None) -> list[tuple[Any, ...]] | None:
        if self.story.now.held in (own, frozenset()):
            return [("discard",)]
        again = [("strike", own)] * (bool(own) and choice is HeldChoice.APPLY)
        return [(choice.value,), *again] if choice else None

    def back(self, before: Reference, sequence: int) -> list[tuple[Any, ...]] | None:
        elsewhere = before.run != self.story.now.run and self.story.in_play
        shut = elsewhere or self.has_played_since(sequence)
        return None if shut else [("back", *self.story.at(sequence - 1))]

    @rule(who=WHO, choice=st.sampled_from([None, *HeldChoice]))
    def undo(self, who: int, choice: HeldChoice | None) -> None:
        steps: list[tuple[Any, ...]] | None = [] if self.newest else None
        for entry in reversed(self.newest):
            taken = self.inverse(entry, choice)
            steps = None if taken is None or steps is None else [*steps, *taken]
        order = UndoOrder(
            evaluation_id=self.row.pk, by=self.people[who], reason=factories.REASON, seen=self.looks[who], choice=choice
        )
        if steps is None or self.looks[who] != self.moderated:
            with pytest.raises(DomainError), nested():
                undo.undo(order=order, now=NOW)
        else:
            undo.undo(order=order, now=NOW)
            self.newest = [self.add(*step) for step in steps]
            self.moderated = len(self.story.log)
        self.look(who)


Inverse = Callable[..., list[tuple[Any, ...]] | None]
INVERSES: Mapping[str, Inverse] = {
    "freeze": lambda self, _given, _before, choice, _at: self.thawed(frozenset(), choice),
    HOLD: lambda self, given, _before, choice, _at: self.thawed(given[0], choice),
    "apply": lambda _self, _given, before, *_: [("strike", before.held)] * bool(before.held) + [(HOLD, before.held)],
    "discard": lambda _self, _given, before, *_: [(HOLD, before.held)],
    "override": lambda _self, _given, before, *_: [("override", before.override)],
    "strike": lambda _self, given, *_: [("reinstate", given[0])],
    "reinstate": lambda _self, given, *_: [("strike", given[0])],
    "back": lambda self, _given, before, _choice, at: self.back(before, at),
}


@pytest.mark.django_db
def test_any_order_of_rounds_acts_and_undos_does_what_the_reference_says():
    state_machine.run(Undoing, examples=EXAMPLES)
