"""Statements of the paths that are taken most, put into words once from the models and not anew for each row.

They write and read what the ORM would write and read, by plain INSERT, UPDATE and SELECT.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
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
    statement = insert_into(type(new[0]), without)
    values = [{column: getattr(row, name) for column, name in statement.written} for row in new]
    with connection.cursor() as cursor:
        cursor.execute(statement.text, [encode(values)])
        filled: Sequence[Sequence[Any]] = cursor.fetchall() if statement.returned else [()] * len(new)
    for row, own in zip(new, filled, strict=True):
        for name, value in zip(statement.returned, own, strict=True):
            setattr(row, name, value)
        row._state.adding, row._state.db = False, connection.alias  # noqa: SLF001 -- Django's documented interface
    return new


@cache
def update_of(model: type[Model], names: tuple[str, ...]) -> tuple[str, tuple[Field[Any, Any], ...]]:
    by_name = {field.attname: field for field in fields_of(model)}
    fields = tuple(by_name[name] for name in names)
    columns = ", ".join(f'"{field.column}" = %s' for field in fields)
    key = model._meta.pk  # noqa: SLF001 -- Django's documented interface
    assert key is not None  # noqa: S101 -- every model has one
    return f'UPDATE "{table_of(model)}" SET {columns} WHERE "{key.column}" = %s', fields  # noqa: S608 -- the models' names


def update(row: Model, *names: str) -> None:
    """Write columns of a row that is there, as ``save(update_fields=...)`` would."""
    text, fields = update_of(type(row), names)
    values = [field.get_db_prep_save(getattr(row, field.attname), connection) for field in fields]
    with connection.cursor() as cursor:
        cursor.execute(text, [*values, row.pk])
        if cursor.rowcount != 1:
            raise DatabaseError(f"{row!r} is not there any more")


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
