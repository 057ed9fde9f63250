"""Long lists as files: JSON lines and CSV, written row by row in the same memory however many there are.

Rows are read in short queries of a few hundred, each on its own, so that no transaction is open while a client reads
slowly. What is added meanwhile behind the last row of the beginning is left out.
"""

from __future__ import annotations

import csv
import io
import json
import re
import unicodedata
from abc import abstractmethod
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar

from asgiref.sync import sync_to_async
from django.db import connection
from django.db.models import Max, QuerySet
from django.http import StreamingHttpResponse
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request

from debates.api.permissions import RequiredAccess
from debates.api.views import ApiView
from debates.models import Debate
from debates.types import Scope

AT_ONCE = 250
NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")
BEGINS_FORMULA = frozenset("=+-@")
"""Also in their wide forms, and behind blanks; a cell that begins with a tab or a new line begins with a blank."""
INNER = re.compile(r"([;\t\r\n][\s;\"]*)(.?)", re.DOTALL)
"""Where a spreadsheet may begin another cell if it divides at semicolons or tabs: then a quotation mark within what it
takes for a cell holds nothing together, and a new line begins a row."""
MEDIA = {"jsonl": "application/x-ndjson", "csv": "text/csv; charset=utf-8"}
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Form:
    """How rows are written: what comes before them, some of them, and the trailer that says how many there were."""

    head: Callable[[Sequence[str]], bytes]
    body: Callable[[Sequence[Row], Sequence[str]], bytes]
    trailer: Callable[[int], bytes]


class Export(ApiView):
    """GET rows as a file. The last line says how many there were, so that a file that was cut short is noticed."""

    tag, access, gathers = "exports", RequiredAccess(Scope.EXPORT, "scoring.export_evaluation"), True
    column: ClassVar[str] = "id"
    columns: ClassVar[Sequence[str]] = ()
    name: ClassVar[str] = ""
    media = tuple(MEDIA.values())
    debate_field = "debate"
    answer_schema = {"type": "string"}

    class Query(serializers.Serializer[Any]):
        """Of which debate; without one, of all that a list shows."""

        debate = serializers.UUIDField(required=False)

    @abstractmethod
    def line(self, row: Any) -> Row:
        """Return a row as it is exported: texts, numbers as text, lists."""

    def lines(self, rows: Sequence[Any]) -> list[Row]:
        return [self.line(row) for row in rows]

    def debates(self) -> QuerySet[Debate]:
        rows = super().debates()
        return rows.filter(public_id=self.query["debate"]) if "debate" in self.query else rows

    def get(self, request: Request, kind: str) -> StreamingHttpResponse:
        if kind not in MEDIA:
            raise NotFound("There is nothing at this address.")
        answer = StreamingHttpResponse(self.pieces(self.get_queryset(), FORMS[kind]), content_type=MEDIA[kind])
        answer.headers["Content-Disposition"] = f'attachment; filename="{self.name}.{kind}"'
        return answer

    async def pieces(self, rows: QuerySet[Any], form: Form) -> AsyncIterator[bytes]:
        """Read the rows in order, some at a time; nothing is kept of them but what is not taken yet."""
        last = await sync_to_async(self._last)(rows)
        after, count = 0, 0
        yield form.head(self.columns)
        while piece := await sync_to_async(self._read)(rows, after, last, form):
            after, read, text = piece
            count += read
            del piece
            yield text
        yield form.trailer(count)

    def _last(self, rows: QuerySet[Any]) -> int:
        with connection_given_back():
            return int(rows.aggregate(last=Max(self.column))["last"] or 0)

    def _read(self, rows: QuerySet[Any], after: int, last: int, form: Form) -> tuple[int, int, bytes] | None:
        with connection_given_back():
            some = rows.filter(**{f"{self.column}__gt": after, f"{self.column}__lte": last})
            batch = list(some.order_by(self.column)[:AT_ONCE])
            if not batch:
                return None
            return getattr(batch[-1], self.column), len(batch), form.body(self.lines(batch), self.columns)


@contextmanager
def connection_given_back() -> Iterator[None]:
    """Give the connection back to its pool: whoever does not take what was read keeps it from nobody meanwhile."""
    try:
        yield
    finally:
        if getattr(connection, "pool", None) and not connection.in_atomic_block:
            connection.close()


def written(rows: Any) -> bytes:
    page = io.StringIO()
    csv.writer(page).writerows(rows)
    return page.getvalue().encode("utf-8", "replace")


def safe(value: Any) -> str:
    """Return a cell that no spreadsheet takes for a formula, nor any part of it; numbers stay numbers.

    Source: OWASP, "CSV Injection"; docs/reference/api.md, "Exports".
    """
    if value is None:
        return ""
    text = (value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)).replace("\x00", "")
    if NUMBER.fullmatch(text):
        return text
    begins = text[:1] in {"\t", "\r", "\n"} or begins_formula(text.lstrip()[:1])
    return ("'" if begins else "") + INNER.sub(inner, text)


def inner(match: re.Match[str]) -> str:
    """Return where another cell may begin within a text, with an apostrophe if that cell could be a formula."""
    before, first = match.groups()
    return f"{before}'{first}" if begins_formula(first) else match[0]


def begins_formula(character: str) -> bool:
    """Say whether a spreadsheet takes what begins with a character for a formula."""
    return unicodedata.normalize("NFKC", character) in BEGINS_FORMULA


def json_lines(rows: Sequence[Row], _columns: Sequence[str] = ()) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode("utf-8", "replace")


FORMS: Mapping[str, Form] = {
    "jsonl": Form(
        head=lambda _columns: b"",
        body=json_lines,
        trailer=lambda count: json_lines([{"_end": True, "count": count}]),
    ),
    "csv": Form(
        head=lambda columns: written([columns]),
        body=lambda rows, columns: written([safe(row[name]) for name in columns] for row in rows),
        trailer=lambda count: written([["_end", str(count)]]),
    ),
}
