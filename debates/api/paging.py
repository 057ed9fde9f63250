"""Pages of a long list: keyset pagination over one unique column that never changes, so that a walk ends.

# Note [One column]
A cursor over (created, id) that keeps only the first column and an offset repeats rows that share a moment, for ever.
The id alone says where a page ends, whatever is added meanwhile; in another order it stands behind the column that was
asked for, so that rows which share a title are told apart. Ids are drawn before they are committed: a walk oldest first
may pass the place of a row that comes to be seen later; the feed waits for such rows (``selectors.settled_event``).
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import CharField, Model, Q, QuerySet, TextField
from rest_framework import serializers
from rest_framework.filters import BaseFilterBackend
from rest_framework.pagination import BasePagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from debates import sealing
from debates.api.fields import Choice
from debates.api.unknown_fields import BadParameter
from debates.sealing import Purpose

MOST = 200
USUAL = 50
LONGEST = 2000
LONGEST_ID = 18
PAGING = frozenset({"cursor", "page_size", "ordering"})


def ordering(*names: str) -> Choice:
    """Return the parameter that chooses an order: by when rows came, or by one of some columns; ``-`` is backwards."""
    choices = [f"{sign}{name}" for name in ("created", *names) for sign in ("", "-")]
    return Choice(choices=choices, required=False, help_text="`-` is backwards; `created` is the order rows came in.")


class BadCursor(BadParameter):
    """A cursor that no page of this list gave."""

    def __init__(self) -> None:
        super().__init__({"cursor": ["This cursor is none that a page of this list gave."]}, code="bad_cursor")


class PagingSerializer(serializers.Serializer[Any]):
    """Which page, in which order."""

    cursor = serializers.CharField(required=False, max_length=LONGEST, help_text="Where the page before ended.")
    page_size = serializers.IntegerField(required=False, min_value=1, max_value=MOST, default=USUAL)
    ordering = ordering()


class QueryFilter(BaseFilterBackend):
    """Filters by the parameters of the address; of one with several values, what has any of them is left."""

    def filter_queryset(self, request: Request, queryset: QuerySet[Any], view: Any) -> QuerySet[Any]:
        filters = {name: value for name, value in view.query.items() if name not in PAGING and value is not None}
        return queryset.filter(
            **{f"{name}__in" if isinstance(value, list) else name: value for name, value in filters.items()}
        )


class KeysetPagination(BasePagination):
    """Pages by a cursor, in an order that the view knows."""

    next: str | None = None

    def paginate_queryset(self, queryset: QuerySet[Any], request: Request, view: Any = None) -> list[Any]:
        order = view.order(view.query.get("ordering", ""))
        page = page_of(queryset, cursor=view.query.get("cursor"), size=view.query["page_size"], order=order)
        if page.after:
            self.next = replace_query_param(request.build_absolute_uri(), "cursor", page.after)
        return list(page.rows)

    def get_paginated_response(self, data: Any) -> Response:
        return Response({"results": data, "next": self.next})

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        following = {
            "type": ["string", "null"],
            "format": "uri",
            "description": "The next page; null on the last.",
            "example": None,
        }
        return {"type": "object", "properties": {"results": schema, "next": following}, "required": ["next", "results"]}


@dataclass(frozen=True, slots=True)
class Order:
    """By what rows are ordered: a ``column`` that is unique and never changes, and perhaps another one before it."""

    column: str
    descending: bool
    first: str = ""

    @property
    def name(self) -> str:
        return f"{'-' if self.descending else ''}{self.first or self.column}"

    def columns(self) -> list[str]:
        return [f"{'-' if self.descending else ''}{name}" for name in (self.first, self.column) if name]

    def after(self, place: Sequence[Any]) -> Q:
        """Return the condition of the rows behind a place: the values of the columns of one row."""
        than = "lt" if self.descending else "gt"
        behind = Q(**{f"{self.column}__{than}": place[-1]})
        if not self.first:
            return behind
        return Q(**{f"{self.first}__{than}": place[0]}) | Q(**{self.first: place[0]}) & behind


@dataclass(frozen=True, slots=True)
class ListPage:
    """Some rows in order, and the cursor of the page after them, if there is one."""

    rows: Sequence[Any]
    after: str | None


def page_of(rows: QuerySet[Any], *, cursor: str | None, size: int, order: Order) -> ListPage:
    """Return one page of a list.

    Raises: ``BadCursor``.
    """
    if cursor is not None:
        rows = rows.filter(order.after(read(cursor, order=order, model=rows.model)))
    candidates = list(rows.order_by(*order.columns())[: size + 1])
    page = candidates[:size]
    return ListPage(page, after=write(page[-1], order=order) if len(candidates) > size else None)


def write(row: Model, *, order: Order) -> str:
    """Return the cursor that points behind a row: sealed, for how many rows there are is nobody's business."""
    place = [str(getattr(row, name.lstrip("-"))) for name in order.columns()]
    label = row._meta.label  # noqa: SLF001 -- Django's documented interface
    text = json.dumps([label, order.name, *place], ensure_ascii=False, separators=(",", ":"))
    return sealing.seal(text, purpose=Purpose.CURSOR).rstrip("=")


def read(cursor: str, *, order: Order, model: type[Model]) -> Sequence[Any]:
    """Return where a cursor points: the values of the columns of the order.

    Raises: ``BadCursor``; of a cursor of another order, too.
    """
    names = [name.lstrip("-") for name in order.columns()]
    try:
        label, name, *place = json.loads(sealing.unseal(cursor + "=" * (-len(cursor) % 4), purpose=Purpose.CURSOR))
        ours = (label, name) == (model._meta.label, order.name)  # noqa: SLF001 -- Django's documented interface
        if not ours or [type(text) for text in place] != [str] * len(names) or "\x00" in "".join(place):
            raise BadCursor
        return [of_column(model, name, text) for name, text in zip(names, place, strict=True)]
    except (ValueError, TypeError, ValidationError) as error:
        raise BadCursor from error


def of_column(model: type[Model], name: str, text: str) -> Any:
    """Return what a text stands for in a column.

    Raises: ``ValidationError``, ``ValueError``.
    """
    field = model._meta.get_field(name.removesuffix("_id"))  # noqa: SLF001 -- Django's documented interface
    value = field.to_python(text) if isinstance(field, CharField | TextField) else int(text)
    if isinstance(value, int) and not (text.isdecimal() and len(text) <= LONGEST_ID):
        raise ValueError(text)
    return value
