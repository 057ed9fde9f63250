"""Statements of the paths that are taken most, put into words once from the models and not anew for each row.

They write and read what the ORM would write and read, by plain INSERT, UPDATE and SELECT.
"""

from __future__ import annotations

import json
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from functools import cache
from typing import Any, TypeVar
from uuid import UUID

from django.db import DatabaseError, connection
from django.db.models import NOT_PROVIDED, AutoField, Field, Model
from django.db.models.expressions import DatabaseDefault

Row = TypeVar("Row", bound=Model)


def as_json(value: Any) -> str:
    """Return a value that JSON has no word for as PostgreSQL reads it."""
    match value:
        case Decimal() | UUID():
            return str(value)
        case datetime():
            return value.isoformat()
    raise TypeError(f"a {type(value).__name__} is not written by these statements")


encode: Callable[[Any], str] = json.JSONEncoder(default=as_json, check_circular=False).encode


def table_of(model: type[Model]) -> str:
    return str(model._meta.db_table)  # noqa: SLF001 -- Django's documented interface


def fields_of(model: type[Model]) -> list[Field[Any, Any]]:
    return list(model._meta.local_concrete_fields)  # noqa: SLF001 -- as above


@cache
def maybe_left_out(model: type[Model]) -> tuple[str, ...]:
    """Return the attributes that the database may be left to fill: those with a default of its own, and numbers."""
    fields = fields_of(model)
    return tuple(
        field.attname for field in fields if field.db_default is not NOT_PROVIDED or isinstance(field, AutoField)
    )


def left_out(row: Model) -> tuple[str, ...]:
    """Return the attributes of a new row that the database is left to fill."""
    values = vars(row)
    return tuple(
        name
        for name in maybe_left_out(type(row))
        if isinstance(values[name], DatabaseDefault) or (values[name] is None and name == row._meta.pk.attname)  # noqa: SLF001 -- as above
    )


@dataclass(frozen=True, slots=True)
class Insert:
    """How rows of a model are written: all by one statement, with one parameter.

    Shape: ``written`` are columns and their attributes, ``returned`` attributes.
    """

    text: str
    written: tuple[tuple[str, str], ...]
    returned: tuple[str, ...]


@cache
def insert_into(model: type[Model], without: tuple[str, ...]) -> Insert:
    """Return how rows of a model are written; what the database fills is returned by it."""
    filled = [field for field in fields_of(model) if field.generated or field.attname in without]
    fields = [field for field in fields_of(model) if field not in filled]
    columns = ", ".join(f'"{field.column}"' for field in fields)
    types = ", ".join(f'"{field.column}" {field.db_type(connection)}' for field in fields)
    text = f'INSERT INTO "{table_of(model)}" ({columns}) SELECT {columns} FROM json_to_recordset(%s) AS given ({types})'  # noqa: S608 -- the models' names
    if filled:
        text += " RETURNING " + ", ".join(f'"{field.column}"' for field in filled)
    written = tuple((str(field.column), field.attname) for field in fields)
    return Insert(text, written, tuple(field.attname for field in filled))


def insert(rows: Iterable[Row]) -> list[Row]:
    """Write new rows of one model, in their order, and bring them up to what the database has made of them.

    Shape: what is left to the database is left to it in all of them.
    """
    new = list(rows)
    if not new:
        return new
    without = left_out(new[0])
    if any(left_out(row) != without for row in new[1:]):
        raise ValueError("rows that are written together leave the same columns to the database")
    waiting = waiting_rows()
    if waiting is not None and waiting.take(new, without):
        return new
    write(insert_into(type(new[0]), without), new)
    return new


def insert_foreseen(row: Model, *, after: object, **expected: Any) -> None:
    """Write a new row of which is known what the database makes of it; together with others it is believed until then.

    Shape: of rows with the same ``after`` each is written after the one before, by a statement of its own.
    Raises: ``DatabaseError`` where the database makes something else of it.
    """
    waiting = waiting_rows()
    if waiting is None:
        insert([row])
    else:
        waiting.expect(row, expected, after=after)


def write(statement: Insert, new: Sequence[Model]) -> None:
    values = [{column: getattr(row, name) for column, name in statement.written} for row in new]
    with connection.cursor() as cursor:
        cursor.execute(statement.text, [encode(values)])
        filled: Sequence[Sequence[Any]] = cursor.fetchall() if statement.returned else [()] * len(new)
    for row, own in zip(new, filled, strict=True):
        for name, value in zip(statement.returned, own, strict=True):
            setattr(row, name, value)
    written(new)


def written(rows: Iterable[Model]) -> None:
    """Note of rows that they are in the database."""
    alias = connection.alias
    for row in rows:
        row._state.adding, row._state.db = False, alias  # noqa: SLF001 -- Django's documented interface


@cache
def update_of(model: type[Model], names: tuple[str, ...]) -> str:
    """Return the statement that writes columns of rows that are there, with one parameter, as ``insert_into`` does."""
    key = model._meta.pk  # noqa: SLF001 -- Django's documented interface
    assert key is not None  # noqa: S101 -- every model has one
    by_name = {field.attname: field for field in fields_of(model)}
    fields = [by_name[name] for name in names]
    columns = ", ".join(f'"{field.column}" = given."{field.attname}"' for field in fields)
    types = ", ".join(f'"{field.attname}" {field.db_type(connection)}' for field in fields)
    return f"""UPDATE "{table_of(model)}" t SET {columns} FROM json_to_recordset(%s) AS given
        ("{key.column}" bigint, {types}) WHERE t."{key.column}" = given."{key.column}\""""  # noqa: S608 -- the models' names


def update(row: Model, *names: str) -> None:
    """Write columns of a row that is there, as ``save(update_fields=...)`` would."""
    key = type(row)._meta.pk  # noqa: SLF001 -- Django's documented interface
    assert key is not None  # noqa: S101 -- as above
    change(update_of(type(row), names), {key.column: row.pk, **{name: getattr(row, name) for name in names}})


def change(text: str, values: dict[str, Any]) -> None:
    """Change a row by a statement that takes rows apart as ``insert_into`` does.

    Raises: ``DatabaseError`` unless the row is there.
    """
    waiting = waiting_rows()
    if waiting is None:
        change_all(text, [values])
    else:
        waiting.changes[text].append(values)


def change_all(text: str, values: Sequence[dict[str, Any]]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(text, [encode(values)])
        if cursor.rowcount != len(values):
            raise DatabaseError(f"of {values!r} some are not there any more")


# Rows of several steps, written together: they wait until something else is asked of the database.


_here = threading.local()
_usual: dict[type[Model], int] = {}
"""How many rows of a model each step had that was written together with others: so many numbers are asked for."""


def waiting_rows() -> Waiting | None:
    """Return where rows wait that this thread writes together."""
    return getattr(_here, "waiting", None)


@contextmanager
def together(many: int) -> Iterator[None]:
    """Let the rows of a transaction wait, and write all of one model by one statement.

    They are written before any other statement goes to the database, so that whoever reads finds them, and at the end.
    Their numbers are given to them before.

    Shape: ``many`` steps are written.
    """
    _here.waiting = waiting = Waiting(many)
    try:
        with connection.execute_wrapper(waiting.before):
            yield
            waiting.flush()
    finally:
        del _here.waiting


@dataclass(slots=True)
class Waiting:
    """Rows that wait to be written, by their statement."""

    many: int
    rows: dict[tuple[int, Insert], list[Model]] = field(default_factory=lambda: defaultdict(list))
    expected: list[tuple[Model, dict[str, Any]]] = field(default_factory=list)
    followed: Counter[object] = field(default_factory=Counter)
    changes: dict[str, list[dict[str, Any]]] = field(default_factory=lambda: defaultdict(list))
    numbers: dict[type[Model], list[int]] = field(default_factory=dict)
    taken: dict[type[Model], int] = field(default_factory=lambda: defaultdict(int))
    writes: bool = False

    def before(self, execute: Callable[..., Any], *statement: Any) -> Any:
        """Write what waits before something else is asked of the database."""
        if not self.writes:
            self.flush()
        return execute(*statement)

    def take(self, new: Sequence[Model], without: tuple[str, ...]) -> bool:
        """Let rows wait, and give them numbers, unless the database fills more of them than that."""
        model = type(new[0])
        key = model._meta.pk  # noqa: SLF001 -- Django's documented interface
        statement = insert_into(model, ())
        if statement.returned or not set(without) <= {key.attname}:
            return False
        if without:
            for row, number in zip(new, self.numbers_for(model, len(new)), strict=True):
                row.pk = number
        self.rows[0, statement] += new
        written(new)
        return True

    def expect(self, row: Model, expected: dict[str, Any], *, after: object) -> None:
        """Let a row wait that the database fills, and hold the database to what is expected of it."""
        for name, value in expected.items():
            setattr(row, name, value)
        self.followed[after] += 1  # what the database fills looks at the other rows: it comes after them
        self.rows[self.followed[after], insert_into(type(row), (*left_out(row), *expected))].append(row)
        self.expected.append((row, expected))

    def numbers_for(self, model: type[Model], many: int) -> list[int]:
        """Return the next numbers of a table: taken in this transaction, so that they follow those that are there."""
        self.taken[model] += many
        left = self.numbers.setdefault(model, [])
        if len(left) < many:
            missing = {other: usual * self.many for other, usual in _usual.items() if other not in self.numbers}
            for numbered, numbers in self.ask_for(
                {**missing, model: max(many, _usual.get(model, many) * self.many)}
            ).items():
                self.numbers.setdefault(numbered, []).extend(numbers)
            left = self.numbers[model]
        own = left[:many]
        del left[:many]
        return own

    def ask_for(self, counts: dict[type[Model], int]) -> dict[type[Model], list[int]]:
        models = tuple(sorted(counts, key=table_of))
        with self.own_statements(), connection.cursor() as cursor:
            cursor.execute(next_numbers(models), [counts[model] for model in models])
            return dict(zip(models, cursor.fetchone(), strict=True))

    @contextmanager
    def own_statements(self) -> Iterator[None]:
        self.writes = True
        try:
            yield
        finally:
            self.writes = False

    def flush(self) -> None:
        """Write what waits: what other rows rest on first."""
        if not self.rows and not self.changes:
            return
        rows, changes, expecting = dict(self.rows), dict(self.changes), list(self.expected)
        self.rows.clear()
        self.changes.clear()
        self.expected.clear()
        self.followed.clear()
        with self.own_statements():
            places = {model: place for place, model in enumerate(in_order({type(new[0]) for new in rows.values()}))}
            for (_, statement), new in sorted(rows.items(), key=lambda item: (item[0][0], places[type(item[1][0])])):
                write(statement, new)
            for text, values in changes.items():
                change_all(text, values)
        for row, expected in expecting:
            became = {name: getattr(row, name) for name in expected}
            if became != expected:
                raise DatabaseError(f"{row!r} was to be {expected!r}, and the database made it {became!r}")
        for model, many in self.taken.items():
            _usual[model] = -(-many // self.many)


@cache
def rests_on(model: type[Model]) -> frozenset[Any]:
    """Return the models that rows of a model name."""
    return frozenset(field.related_model for field in fields_of(model) if field.related_model) - {model}


def in_order(models: Iterable[type[Model]]) -> list[type[Model]]:
    """Return models in the order in which their rows can be written: what others rest on first."""
    left, ordered = list(models), []
    while left:
        first = next((model for model in left if rests_on(model).isdisjoint(left)), left[0])
        left.remove(first)
        ordered.append(first)
    return ordered


@cache
def next_numbers(models: tuple[type[Model], ...]) -> str:
    """Return the query for the next numbers of tables: of each an array, of as many as its parameter says."""
    name = '"{0}_{1}_seq"'
    sequences = [name.format(table_of(model), model._meta.pk.column) for model in models]  # noqa: SLF001 -- as above
    arrays = (f"ARRAY(SELECT nextval('{sequence}') FROM generate_series(1, %s))" for sequence in sequences)  # noqa: S608 -- the models' names
    return f"SELECT {', '.join(arrays)}"


@cache
def columns_of(model: type[Model], alias: str) -> str:
    """Return the columns of a model, under the alias of its table, as ``read`` takes them."""
    return ", ".join(f'{alias}."{field.column}"' for field in fields_of(model))


def read(model: type[Row], text: str, parameters: Sequence[Any], *more: str) -> list[Row]:
    """Return the rows of a query that begins with the columns of a model; the columns after them as ``more``."""
    names, converters = how_to_read(model)
    rows: list[Row] = []
    with connection.cursor() as cursor:
        cursor.execute(text, parameters)
        for values in cursor.fetchall():
            own = list(values[: len(names)])
            for place, convert in converters:
                own[place] = convert(own[place], None, connection)
            row = model.from_db(connection.alias, names, own)
            for name, value in zip(more, values[len(names) :], strict=True):
                setattr(row, name, value)
            rows.append(row)
    return rows


@cache
def how_to_read(model: type[Model]) -> tuple[tuple[str, ...], tuple[tuple[int, Callable[..., Any]], ...]]:
    fields = fields_of(model)
    converters = [
        (place, convert)
        for place, field in enumerate(fields)
        if (convert := getattr(field, "from_db_value", None)) is not None
    ]
    return tuple(field.attname for field in fields), tuple(converters)
