"""What was kept of a panel, as its document is made from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from judging.panels import deliberation
from judging.panels.deliberation import Bar
from judging.panels.figures import Round
from judging.rules.consensus import Policy


@dataclass(frozen=True, slots=True)
class Criterion:
    """One criterion of a panel; ``share`` is its part of the whole, ``left_out`` says why it does not apply."""

    code: str
    name: str
    share: str
    left_out: str = ""
    weight: str = "1"


@dataclass(frozen=True, slots=True)
class Judge:
    """One seat of a panel."""

    name: str
    provider: str
    model: str
    strategy: str = ""


@dataclass(frozen=True, slots=True)
class Final:
    """Where the score of a criterion stands now: computed from the judges, and what a person decided."""

    value: str | None
    override: str | None = None


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A round in which the panel ended: who had answered by then. What they said stays with their calls, uncounted."""

    number: int
    heard: Sequence[str]
    because: str


@dataclass(frozen=True, slots=True)
class Minutes:
    """What was kept of a panel."""

    about: Mapping[str, Any]
    criteria: Sequence[Criterion]
    judges: Sequence[Judge]
    rounds: Sequence[Round]
    finals: Mapping[str, Final]
    unfinished: Unfinished | None = None


def standing(minutes: Minutes) -> Mapping[str, Any]:
    """Return what is found in the newest round now: what was found then, computed anew where a score was struck since.

    Source: docs/reference/panels.md#a-score-that-is-struck
    """
    if not minutes.rounds:
        return {}
    last = minutes.rounds[-1]
    if not last.struck:
        return last.found
    bar = Bar(
        codes=[one.code for one in minutes.criteria],
        weights=[Decimal(one.weight) for one in minutes.criteria],
        left_out=[one.code for one in minutes.criteria if one.left_out],
        policy=Policy.from_snapshot(minutes.about["policy"]),
    )
    check = deliberation.check(
        bar=bar,
        sections=list(last.sections.values()),
        debate_round=last.number,
        struck=[last.struck.get(name, ()) for name in last.sections],
    )
    return deliberation.found(check=check, bar=bar, judges=list(last.sections))
