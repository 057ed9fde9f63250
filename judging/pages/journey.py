"""How a score went, round by round, read from the entries of its ledger. Values only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from enum import StrEnum

from scoring.kinds import EntryKind, HeldChoice


class StepState(StrEnum):
    """What a round did to a score."""

    COUNTED = "counted"
    HELD = "held"
    DISCARDED = "discarded"


@dataclass(frozen=True, slots=True)
class Line:
    """What a journey reads of one entry."""

    sequence: int
    kind: str
    round: int | None
    score: Decimal | None
    held_choice: str = ""
    target: int | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One round of a journey: the computed score after it, where it counted."""

    state: StepState
    score: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Journey:
    """The rounds of the newest run that still stand, and whether the score fell back to where it began."""

    steps: Mapping[int, Step] = field(default_factory=dict)
    fell_back: bool = False


def journey(*, lines: Iterable[Line]) -> Journey:
    """Return where a ledger has led: a rerun starts anew, a rollback takes back every round after its target.

    Shape: ``lines`` are all entries of one evaluation, in order.
    """
    now = Journey()
    past: dict[int, Journey] = {}
    for line in lines:
        now = past.get(line.target or 0, Journey()) if line.kind == EntryKind.ROLLBACK else after(now, line)
        past[line.sequence] = now
    return now


def after(now: Journey, line: Line) -> Journey:
    """Return a journey after one more entry that is no rollback."""
    match line.kind:
        case EntryKind.ROUND:
            return Journey({**now.steps, line.round or 0: Step(StepState.COUNTED, line.score)})
        case EntryKind.HELD:
            return replace(now, steps={**now.steps, line.round or 0: Step(StepState.HELD)})
        case EntryKind.UNFREEZE:
            return replace(now, steps=released(now.steps, line))
        case EntryKind.FALLBACK:
            return replace(now, fell_back=True)
        case EntryKind.RERUN:
            return Journey()
        case _:
            return now


def released(steps: Mapping[int, Step], line: Line) -> dict[int, Step]:
    """Return the steps after an unfreeze: what was held counts with the last held round, or is discarded."""
    held = [number for number, step in steps.items() if step.state is StepState.HELD]
    if line.held_choice == HeldChoice.DISCARD:
        return {**steps, **{number: Step(StepState.DISCARDED) for number in held}}
    last = max(held, default=0)
    return {
        **steps,
        **{number: Step(StepState.COUNTED, line.score if number == last else None) for number in held},
    }
