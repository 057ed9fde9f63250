"""Columns of the ledger: exact numbers, and constraints that only PostgreSQL can judge."""

from decimal import Decimal
from typing import Any, Literal, overload

from django.db import models
from django.db.models import Q

from scoring.rules.instruments import RANGES


@overload
def number(*, null: Literal[True], **options: Any) -> "models.DecimalField[Decimal | str | None, Decimal | None]": ...


@overload
def number(**options: Any) -> "models.DecimalField[Decimal | str, Decimal]": ...


def number(**options: Any) -> Any:
    """Return a column for a ledger value: numeric(10,6)."""
    return models.DecimalField(max_digits=10, decimal_places=6, **options)


class DatabaseCheck(models.CheckConstraint):
    """A constraint over columns that the database fills, so that Python's validation cannot judge it."""

    def validate(self, *_args: Any, **_options: Any) -> None:
        """Leave the judgement to PostgreSQL."""


def inside_instrument(field: str, name: str) -> DatabaseCheck:
    """Return the constraint that a score lies inside the range of its row's instrument."""
    inside = Q(**{f"{field}__isnull": True})
    for instrument, (low, high) in RANGES.items():
        inside |= Q(instrument=instrument.value, **{f"{field}__range": (int(low), int(high))})
    return DatabaseCheck(name=name, condition=inside)
