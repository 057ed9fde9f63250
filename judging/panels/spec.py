"""What somebody asks for when they create a panel, checked before anything is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from debates.errors import Invalid
from debates.types import Visibility
from judging import spec
from judging.heuristics.bench.strategies import STRATEGIES
from judging.panels.criteria import MOST_CRITERIA
from judging.rules.consensus import Policy
from judging.rules.fairness import ONCE, Fairness
from judging.spec import Limits
from scoring.types import Parameters

LEAST_SEATS, MOST_SEATS = 2, 9
LONGEST_TASK = 8_000


@dataclass(frozen=True, slots=True)
class Seat:
    """One judge: who speaks, and how an offline judge reads; without a strategy the seats take them in turn."""

    provider: str = "heuristic"
    model: str = ""
    strategy: str = ""


@dataclass(frozen=True, slots=True)
class PanelSpec:
    """A panel as somebody wants it.

    Shape: ``rubric`` is a snapshot (``panels.templates``, ``panels.criteria``, ``scoring.rubrics``);
    ``not_applicable`` is {criterion code: why}; ``reporter`` writes the closing words; ``repeat_of`` is the public id
    of a panel that has ended and is held again.
    """

    title: str
    subject: str
    task: str
    rubric: Mapping[str, Any]
    seats: Sequence[Seat] = (Seat(), Seat(), Seat())
    reporter: Seat = Seat()
    policy: Policy = field(default_factory=Policy)
    not_applicable: Mapping[str, str] = field(default_factory=dict)
    script: Sequence[Mapping[str, Any]] = ()
    fairness: Fairness = ONCE
    limits: Limits = field(default_factory=Limits)
    visibility: Visibility = Visibility.PUBLIC
    repeat_of: str = ""
    score: Parameters = field(default_factory=Parameters)


def checked(wanted: PanelSpec) -> PanelSpec:
    """Return the spec if everything in it is allowed.

    Raises: ``Invalid`` naming the field, what is allowed and what was given.
    Source: docs/reference/panels.md#asking-for-a-panel
    """
    spec.text_of(wanted.title, name="title", longest=spec.LONGEST_TITLE)
    spec.text_of(wanted.subject, name="subject", longest=spec.LONGEST_SUBJECT)
    spec.text_of(wanted.task, name="task", longest=LONGEST_TASK)
    spec.whole(len(wanted.seats), name="judges", low=LEAST_SEATS, high=MOST_SEATS)
    if wanted.policy.quorum > len(wanted.seats):
        raise Invalid(f"quorum must be at most the number of judges, {len(wanted.seats)}; got {wanted.policy.quorum}.")
    codes = [row["code"] for row in wanted.rubric["criteria"]]
    spec.whole(len(codes), name="criteria", low=1, high=MOST_CRITERIA)
    if wanted.fairness.blind_names:
        raise Invalid("blind_names: judges of a panel are Judge 1, Judge 2 and so on to each other; there is no name.")
    _checked_seats([*wanted.seats, wanted.reporter])
    _checked_left_out(wanted.not_applicable, codes)
    spec.checked_limits(wanted.limits)
    return wanted


def strategy_of(*, seat: Seat, position: int) -> str:
    """Return how the judge on a seat reads; positions count from 0."""
    return seat.strategy or list(STRATEGIES)[position % len(STRATEGIES)]


def weights(*, rubric: Mapping[str, Any]) -> list[Decimal]:
    """Return what the criteria weigh, in their order; only their proportions matter."""
    return [Decimal(row["weight"]) for row in rubric["criteria"]]


def _checked_seats(seats: Sequence[Seat]) -> None:
    for one in seats:
        spec.model_of(one.model)
    strange = next((one.strategy for one in seats if one.strategy and one.strategy not in STRATEGIES), None)
    if strange is not None:
        raise Invalid(f"strategy must be one of {', '.join(STRATEGIES)}; got {strange!r}.")


def _checked_left_out(left_out: Mapping[str, str], codes: Sequence[str]) -> None:
    unknown = [code for code in left_out if code not in codes]
    if unknown:
        raise Invalid(f"not_applicable: {unknown[0]!r} is no criterion; they are {', '.join(codes)}.")
    for code, why in left_out.items():
        spec.text_of(why, name=f"not_applicable: why {code} does not apply", longest=spec.LONGEST_TITLE)
    if set(left_out) == set(codes):
        raise Invalid("not_applicable: at least one criterion must apply.")
