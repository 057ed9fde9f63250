"""Pages of a long list: keyset pagination over one unique column that never changes, so that a walk ends.

# Note [One column]
A cursor over (created, id) that keeps only the first column and an offset repeats rows that share a moment, for ever.
The id alone says where a page ends, whatever is added meanwhile.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Model, QuerySet
from rest_framework import serializers

MOST = 200
USUAL = 50


class BadCursor(serializers.ValidationError):
    """A cursor that no page of this list gave."""

    def __init__(self) -> None:
        super().__init__({"cursor": ["This cursor is none that a page of this list gave."]}, code="bad_cursor")


class Paging(serializers.Serializer[Any]):
    """Which page."""

    cursor = serializers.CharField(required=False, max_length=60, help_text="Where the page before ended.")
    page_size = serializers.IntegerField(required=False, min_value=1, max_value=MOST, default=USUAL)


@dataclass(frozen=True, slots=True)
class Page:
    """Some rows in order, and the cursor of the page after them, if there is one."""

    rows: Sequence[Any]
    after: str | None


def page_of(
    rows: QuerySet[Any], *, cursor: str | None, size: int, column: str = "id", newest_first: bool = True
) -> Page:
    """Return one page of a list.

    Shape: ``column`` is unique and never changes.
    Raises: ``BadCursor``.
    """
    if cursor is not None:
        rows = rows.filter(**{f"{column}__{'lt' if newest_first else 'gt'}": read(cursor, column=column)})
    found = list(rows.order_by(f"-{column}" if newest_first else column)[: size + 1])
    shown = found[:size]
    return Page(shown, after=write(shown[-1], column=column) if len(found) > size else None)


def write(row: Model, *, column: str) -> str:
    """Return the cursor that points behind a row."""
    return base64.urlsafe_b64encode(f"{column}:{getattr(row, column)}".encode()).decode().rstrip("=")


def read(cursor: str, *, column: str) -> int:
    """Return where a cursor points.

    Raises: ``BadCursor``.
    """
    try:
        plain = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True).decode("ascii")
    except (binascii.Error, ValueError) as error:
        raise BadCursor from error
    name, _, place = plain.partition(":")
    if name != column or not place.isdecimal() or len(place) > 18:
        raise BadCursor
    return int(place)
