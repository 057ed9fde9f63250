"""Long lists as files: JSON lines and CSV, written by the database itself and passed on, in the same memory however
many rows there are.

Each piece is a ``COPY`` of its own of the rows behind the last one, so that no transaction is open and no connection
is kept while a client reads slowly. Before each, who asks is looked at anew, and at the end, whether they may still
read all that they could at the beginning; where not, the file ends without its last line. What is added meanwhile
behind the last row of the beginning is left out. Where there is a replica that is not too far behind, it does the
work, and the primary says of each piece whether it may be sent.
"""

import json
import logging
from array import array
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from asgiref.sync import sync_to_async
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import Max, QuerySet
from django.http import StreamingHttpResponse
from rest_framework import serializers
from rest_framework.exceptions import APIException, NotFound
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request

from debates import replica, sealing
from debates.api.authentication import asked_anew
from debates.api.export_columns import Cell, json_line
from debates.api.paging import LONGEST, BadCursor
from debates.api.permissions import RequiredAccess
from debates.api.views import ApiView
from debates.models import Debate
from debates.printable import Fields
from debates.sealing import Purpose
from debates.types import Scope

log = logging.getLogger(__name__)
PIECE_BYTES = 2**19
FIRST_ROWS, FEWEST_ROWS, MOST_ROWS = 250, 10, 2_000
"""Rows of a piece: of the first one, and between what their number is kept so that pieces are about as long as said."""
MEDIA = {"jsonl": "application/x-ndjson", "csv": "text/csv; charset=utf-8"}


@dataclass(frozen=True, slots=True)
class Place:
    """Where in an export somebody is: behind the row ``after``, of those up to ``last``."""

    after: int
    last: int


@dataclass(frozen=True, slots=True)
class Piece:
    """Some rows as they are sent, and the last of them."""

    text: bytes
    rows: int
    after: int


@dataclass(frozen=True, slots=True)
class Form:
    """How rows are written: by the database, and what comes between and around them."""

    select: Callable[[Mapping[str, Any]], Sequence[Any]]
    options: str
    mark: bytes
    end: bytes
    head: Callable[[Sequence[str]], bytes]
    trailer: Callable[[int, str], bytes]


class Export(ApiView):
    """GET rows as a file. The last line says how many there were, so that a file that was cut short is noticed.

    Shape: ``columns`` are names with what stands there: the path of a field, or an expression.
    """

    tag, access, gathers = "exports", RequiredAccess(Scope.EXPORT, "scoring.export_evaluation"), True
    column: ClassVar[str] = "id"
    columns: ClassVar[Mapping[str, Any]] = {}
    name: ClassVar[str] = ""
    media = tuple(MEDIA.values())
    debate_field = "debate"
    from_replica = False
    answer_schema = {"type": "string"}

    class Query(serializers.Serializer[Any]):
        """Of which debate; without one, of all that a list shows. And how many rows, from where."""

        debate = serializers.UUIDField(required=False)
        limit = serializers.IntegerField(
            required=False, min_value=1, max_value=10**9, help_text="How many rows at most; the trailer names the rest."
        )
        cursor = serializers.CharField(
            required=False, max_length=LONGEST, help_text="Where the file before ended, as its trailer says."
        )

    def get_renderers(self) -> list[BaseRenderer]:
        """Let ``Accept`` name the type of the file, too; what is refused with it is a problem all the same."""
        of_file = JSONRenderer()
        of_file.media_type = MEDIA.get(self.kwargs.get("kind", ""), of_file.media_type).partition(";")[0]
        return [*super().get_renderers(), of_file]

    def debates(self) -> QuerySet[Debate]:
        rows = super().debates()
        return rows.filter(public_id=self.query["debate"]) if "debate" in self.query else rows

    def written_columns(self) -> Mapping[str, Any]:
        """Return the columns as whoever asks may read them."""
        return self.columns

    def get(self, request: Request, kind: str) -> StreamingHttpResponse:
        if kind not in MEDIA:
            raise NotFound("There is nothing at this address.")
        begun = self.opened(self.query["cursor"]) if "cursor" in self.query else None
        if begun and "debate" in self.query and not self.debates().exists():
            raise NotFound("This debate cannot be read any more.")
        rows, seconds = self.get_queryset(), replica.lag()
        place = None if seconds is None else self.place_in_replica(rows, begun)
        self.from_replica = place is not None
        pieces = self.pieces(FORMS[kind], place or begun or Place(after=0, last=self._last(rows)))
        answer = StreamingHttpResponse(pieces, content_type=MEDIA[kind])
        if seconds is not None and self.from_replica:
            answer.headers[replica.HEADER] = replica.written(seconds)
        answer.headers["Content-Disposition"] = f'attachment; filename="{self.name}.{kind}"'
        return answer

    def look_anew(self) -> None:
        """Look at who asks as if they came now.

        Raises: what they would be refused with.
        """
        with connection_given_back(DEFAULT_DB_ALIAS):
            self.request = self.initialize_request(asked_anew(self.request._request))  # noqa: SLF001 -- Django's request
            self.check_permissions(self.request)

    def readable(self) -> frozenset[int | str]:
        """Return what whoever asks may read: the debates, and what decides beside them."""
        with connection_given_back(DEFAULT_DB_ALIAS):
            return frozenset(self.debates().values_list("pk", flat=True))

    async def pieces(self, form: Form, place: Place) -> AsyncIterator[bytes]:
        """Read the rows in order, some at a time; nothing is kept of them but what is not taken yet."""
        count, limit, many = 0, self.query.get("limit"), FIRST_ROWS
        before = await sync_to_async(self.readable)()
        yield form.head(list(self.columns))
        while place.after < place.last and count != limit:
            many = many if limit is None else min(many, limit - count)
            try:
                piece = await sync_to_async(self._piece)(form, place, many)
            except APIException as refusal:
                log.info(Fields("export cut short", export=self.name, rows=count, why=refusal.get_codes()))
                return
            count += piece.rows
            place = replace(place, after=piece.after if piece.rows == many else place.last)
            many = max(FEWEST_ROWS, min(MOST_ROWS, piece.rows * PIECE_BYTES // max(len(piece.text), 1)))
            text = piece.text
            del piece
            yield text
        if before - await sync_to_async(self.readable)():  # what is gone now may be missing, or have been sent
            log.info(Fields("export not whole", export=self.name, rows=count))
            return
        yield form.trailer(count, self.sealed(place) if place.after < place.last else "")

    def place_in_replica(self, rows: QuerySet[Any], begun: Place | None) -> Place | None:
        """Return the place where the replica begins or goes on; nothing where it lacks rows that a cursor promises."""
        try:
            last = self._last(rows, replica.REPLICA)
        except replica.FAILURES as error:
            replica.WATCH.failed(error)
            return None
        if begun is None:
            return Place(after=0, last=last)
        return begun if begun.last <= last else None

    def _last(self, rows: QuerySet[Any], using: str = DEFAULT_DB_ALIAS) -> int:
        with connection_given_back(using):
            if "debate" in self.query:  # its few rows are found first, and the last of them is looked for
                return int(rows.using(using).aggregate(last=Max(self.column))["last"] or 0)
            newest_first = rows.using(using).order_by(f"-{self.column}")  # of all, a maximum would read every one
            return int(newest_first.values_list(self.column, flat=True).first() or 0)

    def _piece(self, form: Form, place: Place, many: int) -> Piece:
        """Return the next rows; the primary gives what the replica cannot, or what it should not any more."""
        self.look_anew()
        rows, columns = self.get_queryset(), self.written_columns()
        if self.from_replica:
            try:
                with connection_given_back(DEFAULT_DB_ALIAS), connection_given_back(replica.REPLICA):
                    if replica.lag() is not None:
                        with replica.allowed(), replica.reading():
                            piece, keys = self._copied(rows.using(replica.REPLICA), columns, form, place, many)
                            self.confirm(rows, keys)
                        return piece
            except replica.Behind:
                pass  # of this piece: it may catch up until the next
        return self._copied(rows.using(DEFAULT_DB_ALIAS), columns, form, place, many)[0]

    def confirm(self, rows: QuerySet[Any], keys: Sequence[int]) -> None:
        """Ask the primary whether who asks may read these rows now, and whether the words in them still stand.

        Raises: ``Behind``.
        """
        known = rows.using(DEFAULT_DB_ALIAS).filter(**{f"{self.column}__in": keys})
        debates = list(known.values_list(f"{self.debate_field}_id", flat=True))
        if len(debates) != len(keys):
            raise replica.Behind
        replica.confirm(set(debates))

    def _copied(
        self, rows: QuerySet[Any], columns: Mapping[str, Any], form: Form, place: Place, many: int
    ) -> tuple[Piece, Sequence[int]]:
        """Return the next rows, at most so ``many``, with the key of each; fewer than that are the last."""
        using, some = rows.db, rows.filter(**{f"{self.column}__gt": place.after, f"{self.column}__lte": place.last})
        keys, text = array("q"), bytearray()
        with connection_given_back(using), connections[using].cursor() as cursor:
            statement = copy_statement(some, self.column, columns, form, many)
            # Django wraps what a cursor raises, but leaves COPY out.
            with connections[using].wrap_database_errors, cursor.copy(statement) as copy:
                for row in copy:
                    key, _, line = bytes(row).partition(form.mark)
                    text += line[:-1] + form.end
                    keys.append(int(key))
        return Piece(text=bytes(text), rows=len(keys), after=keys[-1] if keys else place.last), keys

    def sealed(self, place: Place) -> str:
        """Return the cursor of a place: sealed, for how many rows there are is nobody's business."""
        text = json.dumps([*self.cursor_scope(), place.after, place.last])
        return sealing.seal(text, purpose=Purpose.CURSOR).rstrip("=")

    def cursor_scope(self) -> list[str]:
        """Return what a cursor belongs to: an export, and a debate."""
        return [self.name, str(self.query.get("debate", ""))]

    def opened(self, cursor: str) -> Place:
        """Return the place of a cursor.

        Raises: ``BadCursor``; of a cursor of another export or another debate, too.
        """
        try:
            *scope, after, last = json.loads(sealing.unseal(cursor + "=" * (-len(cursor) % 4), purpose=Purpose.CURSOR))
        except (ValueError, TypeError) as error:
            raise BadCursor from error
        if scope != self.cursor_scope() or not type(after) is type(last) is int:
            raise BadCursor
        return Place(after=after, last=last)


def copy_statement(
    rows: QuerySet[Any], column: str, columns: Mapping[str, Any], form: Form, many: int | None = None
) -> str:
    """Return the statement that has the database write rows, each behind its key."""
    chosen = rows.order_by(column).values_list(column, *form.select(columns))[:many]
    operations: Any = connections[rows.db].ops
    question = operations.compose_sql(*chosen.query.sql_with_params())
    return f"COPY ({question}) TO STDOUT ({form.options})"


@contextmanager
def connection_given_back(using: str) -> Iterator[None]:
    """Give the connection back to its pool: whoever does not take what was read keeps it from nobody meanwhile."""
    try:
        yield
    finally:
        connection = connections[using]
        if getattr(connection, "pool", None) and not connection.in_atomic_block:
            connection.close()


def json_trailer(count: int, cursor: str) -> bytes:
    return json.dumps({"_end": True, "count": count} | ({"cursor": cursor} if cursor else {})).encode() + b"\n"


def csv_row(cells: Sequence[str]) -> bytes:
    """Return a row of cells that need no quotation marks."""
    return ",".join(cells).encode() + b"\r\n"


FORMS: Mapping[str, Form] = {
    "jsonl": Form(
        select=lambda columns: [json_line(columns)],
        options="FORMAT csv, DELIMITER E'\\x02', QUOTE E'\\x01'",  # JSON has neither: nothing in it is quoted again
        mark=b"\x02",
        end=b"\n",
        head=lambda _columns: b"",
        trailer=json_trailer,
    ),
    "csv": Form(
        select=lambda columns: [Cell(source) for source in columns.values()],
        options="FORMAT csv",
        mark=b",",
        end=b"\r\n",
        head=csv_row,
        trailer=lambda count, cursor: csv_row(["_end", str(count), *([cursor] if cursor else [])]),
    ),
}
