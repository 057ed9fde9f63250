"""What somebody asks for when they create a debate, checked before anything is written. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, ClassVar

from debates.errors import Invalid
from debates.types import Visibility
from judging.rules.fairness import ONCE, Fairness
from judging.rules.options import refuse_unstorable
from scoring.rules.numbers import decimal_of
from scoring.types import Parameters

LONGEST_SUBJECT = 200_000
LONGEST_TITLE = 200
LONGEST_MODEL = 120
SHOWN = 40


@dataclass(frozen=True, slots=True)
class Limits:
    """What a debate may cost; nothing means without limit."""

    money: Decimal | None = None
    tokens: int | None = None
    calls: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DebateSpec:
    """What can be asked for in a debate of every format.

    Shape: ``format`` is the name of the one that reads the rest; ``script`` are answers for the scripted provider.
    """

    format: ClassVar[str]
    script: Sequence[Mapping[str, Any]] = ()
    fairness: Fairness = ONCE
    limits: Limits = Limits()
    visibility: Visibility = Visibility.PUBLIC
    score: Parameters = field(default_factory=Parameters)


def text_of(value: object, *, name: str, longest: int) -> str:
    """Return a text that is there and not too long.

    Raises: ``Invalid``.
    """
    if not isinstance(value, str) or not value.strip():
        raise Invalid(f"{name} must not be empty.")
    if len(value) > longest:
        raise Invalid(f"{name} must have at most {longest} characters; got {len(value)}.")
    refuse_unstorable(value, name=name)
    return value


def model_of(value: object) -> str:
    """Return the name of a model, or nothing, which leaves the choice to the provider.

    Raises: ``Invalid``.
    """
    return text_of(value, name="model", longest=LONGEST_MODEL) if value != "" else ""


def whole(value: object, *, name: str, low: int, high: int) -> int:
    """Return a whole number inside its limits.

    Raises: ``Invalid``.
    """
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise Invalid(f"{name} must be a whole number from {low} to {high}; got {value!r}.")
    return value


def checked_limits(limits: Limits) -> None:
    """Refuse limits that make no sense.

    Raises: ``Invalid`` naming the limit.
    """
    if limits.money is not None:
        decimal_of(limits.money, name="limits: money", low=Decimal("0.000001"), high=Decimal(999_999), places=6)
    if limits.tokens is not None:
        whole(limits.tokens, name="limits: tokens", low=1, high=10**12)
    if limits.calls is not None:
        whole(limits.calls, name="limits: calls", low=1, high=10**6)
