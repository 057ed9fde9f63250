"""How guards are broken on purpose: raw SQL in a savepoint, refused by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import pytest
from django.apps import apps
from django.db import DatabaseError, connection, models, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from scoring.constraint_errors import guard_of

World = Mapping[str, object]
REGISTER: list[Attack] = []
"""Every attack that some table of tests has run, for the test that no guard is forgotten."""


@dataclass(frozen=True)
class Attack:
    """What somebody tries, and the guard that must stop it.

    Shape: ``sql`` are statements with ``{names}`` of the world; ``without`` are tables whose triggers are off.
    """

    guard: str
    sentence: str
    sql: Sequence[str]
    without: Sequence[str] = ()


def attack(guard: str, sentence: str, *sql: str, without: Sequence[str] = ()) -> Attack:
    made = Attack(guard, sentence, sql, without)
    REGISTER.append(made)
    return made


def table(*attacks: Attack) -> pytest.MarkDecorator:
    """Run a test once for each of these attacks."""
    return pytest.mark.parametrize("attempt", [pytest.param(one, id=one.sentence) for one in attacks])


def refusal_test(*attacks: Attack) -> Callable[[Attack, World], None]:
    """Return a test that each of these attacks is refused by the guard that it names."""

    @table(*attacks)
    def test(attempt: Attack, world: World) -> None:
        guard = refused_by(attempt, world)
        assert guard == attempt.guard, f"{guard} instead of {attempt.guard}"

    return test


def refused_by(attempt: Attack, world: World) -> str | None:
    """Return the name of the guard that refused an attack, or nothing if it went through; leave no trace of it."""
    try:
        with nothing_stays():
            commit_so_far()
            for name in attempt.without:
                run(f"ALTER TABLE {name} DISABLE TRIGGER USER")
            for statement in attempt.sql:
                run(statement, world)
            commit_so_far()
    except DatabaseError as error:
        return guard_of(error) or f"{getattr(error.__cause__, 'sqlstate', None)}: {error}"
    return None


@contextmanager
def nothing_stays():
    """Undo at the end whatever was done."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def commit_so_far() -> None:
    """Check now what a commit would check."""
    connection.check_constraints()


def run(
    statement: str, world: World | None = None, *, using: BaseDatabaseWrapper = connection
) -> list[tuple[object, ...]]:
    """Run one statement and return its rows, if it has any."""
    with using.cursor() as cursor:
        cursor.execute(statement.format_map(world) if world else statement)
        return cursor.fetchall() if cursor.description else []


def copy(name: str, of: str, /, **changes: str) -> str:
    """Return the statement that inserts a row again with some columns changed; keys made by the database are new."""
    model = next(one for one in apps.get_models() if one._meta.db_table == name)
    values = {}
    for field in model._meta.concrete_fields:
        made_here = isinstance(field, models.AutoField | models.BigAutoField | models.GeneratedField)
        if made_here and field.column not in changes:
            continue
        fresh = "gen_random_uuid()" if field.column == "public_id" else f'"{field.column}"'
        values[field.column] = changes.pop(field.column, fresh)
    assert not changes, f"{name} has no columns {sorted(changes)}"
    quoted = ", ".join(f'"{column}"' for column in values)
    return f"INSERT INTO {name} ({quoted}) SELECT {', '.join(values.values())} FROM {name} WHERE {key(model)} = {of}"


def change(name: str, row: str, /, **changes: str) -> str:
    """Return the statement that updates one row."""
    model = next(one for one in apps.get_models() if one._meta.db_table == name)
    sets = ", ".join(f'"{column}" = {value}' for column, value in changes.items())
    return f"UPDATE {name} SET {sets} WHERE {key(model)} = {row}"


def remove(name: str, row: str) -> str:
    """Return the statement that deletes one row."""
    model = next(one for one in apps.get_models() if one._meta.db_table == name)
    return f"DELETE FROM {name} WHERE {key(model)} = {row}"


def key(model: type[models.Model]) -> str:
    assert model._meta.pk is not None
    return f'"{model._meta.pk.column}"'
