"""What somebody asks for when they create a debate, checked before anything is written. Pure.

What is not allowed raises ``Invalid`` or its kin, here and in the formats: it names the field, what is allowed and
what came.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, ClassVar

from debates.errors import Invalid, about
from debates.rules import is_visible
from debates.types import Kind, Visibility
from judging.rules.fairness import ONCE, Fairness
from judging.rules.options import compared, refuse_unstorable
from judging.types import OFFLINE
from scoring.rules.numbers import decimal_of
from scoring.types import Parameters

LONGEST_SUBJECT = 200_000
LONGEST_TITLE = 200
LONGEST_MODEL = 120
SLOWEST_PACE = 300
SHOWN = 40
USUAL_BALLOT_SECONDS, MOST_SECONDS = 259_200, 30 * 86_400
"""How long people and programs have for a ballot, if nobody says otherwise, and at most."""
ROW = re.compile(r"(\w+), (\d+)")
"""How a refusal names a member of a list, counted from 1; fields are counted from 0."""


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
    Units: ``pace`` is seconds between one step and the next, for an audience to follow. With ``when_watched``,
    which takes a pace, nothing is played while nobody looks; it is for samples.
    """

    format: ClassVar[str]
    script: Sequence[Mapping[str, Any]] = ()
    fairness: Fairness = ONCE
    limits: Limits = Limits()
    visibility: Visibility = Visibility.PUBLIC
    score: Parameters = field(default_factory=Parameters)
    pace: int = 0
    when_watched: bool = False


def text_of(value: object, *, name: str, longest: int) -> str:
    """Return a text that is there and not too long."""
    if not isinstance(value, str):
        raise Invalid(f"{name} must be text.", field=field_in(name))
    if not value.strip():
        raise Invalid(f"{name} must not be empty.", field=field_in(name))
    if len(value) > longest:
        raise Invalid(f"{name} must have at most {longest} characters; got {len(value)}.", field=field_in(name))
    with about(field_in(name)):
        refuse_unstorable(value, name=name)
    if not is_visible(value):
        raise Invalid(f"{name} must have a character that can be seen.", field=field_in(name))
    return value


def free_name(*, taken: Collection[str]) -> str:
    """Return what the arbiter is called among people who chose their names: as nobody else is."""
    names = {compared(name) for name in taken}
    numbered = (f"Arbiter {number}" for number in range(1, len(names) + 2))
    return next(name for name in ("Arbiter", "Judge", *numbered) if name.casefold() not in names)


def checked_seat(kind: str, *, name: str, ballot_seconds: int, fairness: Fairness) -> None:
    """Refuse who cannot judge from a seat, and to have people and programs judge one thing several times."""
    whole(ballot_seconds, name="ballot_seconds", low=1, high=MOST_SECONDS)
    if kind not in set(Kind):
        raise Invalid(f"{name} must be one of {', '.join(Kind)}; got {kind!r}.", field=name)
    if kind != Kind.ENGINE.value and fairness != ONCE:
        chosen = next(option for option, value in fairness.snapshot().items() if value != getattr(ONCE, option))
        message = (
            f"fairness: a person or a program judges once, under names; leave {chosen} out, or let an engine judge."
        )
        raise Invalid(message, field=f"fairness.{chosen}")


def field_in(name: str) -> str:
    """Return the field that a name in a refusal speaks of: ``chairs, 1: name`` of ``chairs.0.name``."""
    parts = [part.strip() for part in name.split(":")]
    row = ROW.fullmatch(parts[0])
    return ".".join([row[1], str(int(row[2]) - 1), *parts[1:]] if row else parts)


def model_of(value: object, *, offline: bool, name: str = "model") -> str:
    """Return the name of a model, or nothing, which leaves the choice to the provider.

    Shape: ``offline`` says that nobody who is asked asks a model.
    """
    model = text_of(value, name=name, longest=LONGEST_MODEL) if value != "" else ""
    if model and offline:
        raise Invalid(unasked_model(name), field=field_in(name))
    return model


def unasked_model(name: str) -> str:
    """Return why there is no model where nobody asks it."""
    return f"{name}: {OFFLINE} asks no model. Name another provider, or no model."


def whole(value: object, *, name: str, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        message = f"{name} must be a whole number from {low} to {high}; got {value!r}."
        raise Invalid(message, field=field_in(name))
    return value


def payable(limits: Limits, *, least: int) -> None:
    """Refuse a limit of calls that ends before anything can count.

    Units: ``least`` is how many calls the beginning takes: what is said or judged before a first round, and that round.
    """
    if limits.calls is not None and limits.calls < least:
        message = f"limits: calls must be at least {least}, or nothing could count; got {limits.calls}."
        raise Invalid(message, field="limits.calls")


def checked_limits(limits: Limits) -> None:
    if limits.money is not None:
        with about("limits.money"):
            decimal_of(limits.money, name="limits: money", low=Decimal("0.000001"), high=Decimal(999_999), places=6)
    if limits.tokens is not None:
        whole(limits.tokens, name="limits: tokens", low=1, high=10**12)
    if limits.calls is not None:
        whole(limits.calls, name="limits: calls", low=1, high=10**6)
