"""Whatever is changed, removed, added or swapped with every guard off, ``verify_ledger`` names the debate and the row.

Generated from the tables themselves: a new table or column is tried, or is named with a reason in ``sealed``.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from django.db import connection, transaction

from debates.models import SITE, Block, Debate, Event, Seal
from scoring import seal_proof, sealed, state_proof, verify
from scoring.models import Evaluation
from scoring.proof import Fault
from scoring.sealed import Sealed
from tests.judging.sealed.columns import bare, columns, ids, named, ours, run, two, where

pytestmark = pytest.mark.django_db
TABLES = sealed.TABLES
PLAYED = {
    "awaited turn", "ballot", "challenge", "consensus", "defence", "effect", "evaluation", "fact", "judge report",
    "judge score", "participant state", "response evaluation", "round", "score change", "standing", "synthesis", "turn",
    "verdict",
}  # fmt: skip
"""What is added while a debate lasts, and not with it."""


@pytest.fixture(scope="module")
def unguarded(world: None, django_db_blocker: Any) -> Iterator[None]:
    """Everything played and moderated; then no trigger and no constraint is left, as a superuser can have it."""
    with django_db_blocker.unblock():
        outer = transaction.atomic()
        outer._from_testcase = True
        with outer:
            assert connection.settings_dict["NAME"].startswith("test_"), "mark the module with django_db"
            assert verify.verify().faults == ()
            for table in sorted(ours()):
                run(f"ALTER TABLE {table} DISABLE TRIGGER ALL")
                bare(table)
            yield
            transaction.set_rollback(True)


def seen_after(statement: str, *, table: Sealed | None = None, debate: int | None = None) -> list[Fault]:
    """What the proof finds after a statement, which is undone: the whole of it, or its part about one table."""
    with transaction.atomic():
        run(statement)
        found = list(seal_proof.faults(debate) if table is None else seal_proof.rows(table, debate))
        transaction.set_rollback(True)
    return found


def test_every_table_of_ours_is_sealed_or_named_with_a_reason():
    names = [table.table for table in TABLES]

    assert len(names) == len(set(names))
    assert set(names) & set(sealed.UNSEALED) == set()
    assert {*names, *sealed.UNSEALED} == ours()
    assert all(why for table in TABLES for why in table.without.values())


def test_every_trigger_is_given_what_the_proof_leaves_out(unguarded):
    wanted = {table.table: list(table.arguments) for table in TABLES}
    rows = run(
        "SELECT c.relname, encode(t.tgargs, 'escape') FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid"
        " JOIN pg_proc p ON p.oid = t.tgfoid WHERE p.proname = 'moot_seal'"
    )

    assert {table: arguments.split("\\000")[:-1] for table, arguments in rows} == wanted


@pytest.mark.parametrize("table", TABLES, ids=ids)
def test_a_row_that_is_changed_is_named(table, unguarded):
    (key, chain), _ = two(table)
    missed = []
    for column in columns(table.table):
        if column.name in {*table.without, table.key}:
            continue
        change = f'UPDATE {table.table} SET "{column.name}" = {column.changed} WHERE "{table.key}" = {key}'
        found = seen_after(change, table=table)
        public = column.name == "public_id" and table.table == "debates_debate"
        if not (
            any(fault.row.startswith(f"{table.called} {key}") for fault in found)
            if public
            else named(found, table, key, chain)
        ):
            missed.append(column.name)

    assert missed == []


def test_a_row_that_is_removed_is_named(unguarded):
    """One of each table is removed at once and proved once, then those of a debate, which itself stays for that."""
    rows = [(table, *two(table)[0]) for table in TABLES]
    debates = sorted({chain for table, _, chain in rows if table.model is not Debate} - {SITE})

    for debate in [None, *debates]:
        gone = [
            (table, key)
            for table, key, chain in rows
            if debate in {None, chain} and (table.model, debate) != (Debate, chain)
        ]
        removal = "; ".join(f'DELETE FROM {table.table} WHERE "{table.key}" = {key}' for table, key in gone)
        found = seen_after(removal, debate=debate)

        for table, key in gone:
            named_gone = [fault.what for fault in found if f"{fault.row} (".startswith(f"{table.called} {key} (")]
            assert (debate, table.table, named_gone) == (debate, table.table, ["the row is gone"])


def test_a_row_that_is_added_is_named(unguarded):
    """One is added to each table at once, and proved once."""
    rows = [(table, two(table)[0][0]) for table in TABLES]
    additions = []
    for table, key in rows:
        names = [f'"{column.name}"' for column in columns(table.table)]
        values = [f"{name} + 1000000" if name == f'"{table.key}"' else name for name in names]
        add = f"INSERT INTO {table.table} ({', '.join(names)}) OVERRIDING SYSTEM VALUE SELECT {', '.join(values)}"
        additions.append(f'{add} FROM {table.table} WHERE "{table.key}" = {key}')

    found = seen_after("; ".join(additions))

    assert [table.table for table, key in rows if not named_new(found, table, key + 1000000)] == []


def named_new(found: Sequence[Fault], table: Sealed, key: int) -> bool:
    return any(
        fault.row.startswith(f"{table.called} {key}") and fault.what == "the row was never sealed" for fault in found
    )


@pytest.mark.parametrize("table", TABLES, ids=ids)
def test_rows_that_are_swapped_are_named(table, unguarded):
    (one, _), (other, _) = two(table)
    missed = []
    for column in columns(table.table):
        if column.name in table.without:
            continue
        name = f'"{column.name}"'
        swap = (
            f"UPDATE {table.table} t SET {name} = o.{name} FROM {table.table} o WHERE"
            f' (t."{table.key}", o."{table.key}") IN (({one}, {other}), ({other}, {one}))'
        )
        [[differs]] = run(
            f"SELECT count(DISTINCT {name}::text) + count(DISTINCT {name} IS NULL) > 2 FROM {table.table}"
            f' WHERE "{table.key}" IN ({one}, {other})'
        )
        found = [fault.row.removeprefix(f"{table.called} ") for fault in seen_after(swap, table=table)]
        if differs and {row.split()[0] for row in found} != {str(one), str(other)}:
            missed.append(column.name)

    assert missed == []


@pytest.mark.parametrize("model", [Event, Seal, Block], ids=lambda model: model._meta.db_table)
def test_the_log_and_the_seals_themselves_are_named_too(model, unguarded):
    missed = []
    table = model._meta.db_table
    for row in (model.objects.order_by("pk").first(), model.objects.order_by("pk").last()):
        chain = row.debate_id if model is Event else row.chain
        for column in columns(table):
            found = seen_after(f'UPDATE {table} SET "{column.name}" = {column.changed} WHERE id = {row.pk}')
            moved = column.name in {"chain", "debate_id"}
            unnamed = model is Block and column.name == "id"
            missed += [] if unnamed or any(moved or fault.debate == where(chain) for fault in found) else [column.name]
        found = seen_after(f"DELETE FROM {table} WHERE id = {row.pk}")
        missed += [] if any(fault.debate == where(chain) for fault in found) else [f"removal of {row.pk}"]

    assert missed == []


@pytest.mark.parametrize("model", [Event, Seal], ids=lambda model: model._meta.db_table)
def test_an_added_line_of_the_log_and_an_added_seal_are_found(model, unguarded):
    table = model._meta.db_table
    names = [column.name for column in columns(table)]
    values = [f"{name} + 1000000" if name in {"id", "seq"} else f'"{name}"' for name in names]
    add = f"INSERT INTO {table} ({', '.join(names)}) OVERRIDING SYSTEM VALUE SELECT {', '.join(values)}"

    assert seen_after(f"{add} FROM {table} WHERE id = (SELECT max(id) FROM {table})")


def test_every_column_of_an_account_that_no_seal_covers_is_compared_with_its_ledger(unguarded):
    row = Evaluation.objects.filter(frozen_at__isnull=False).earliest("pk")
    [table] = [one for one in TABLES if one.model is Evaluation]
    missed = []
    for column in columns(table.table):
        if column.name in table.without:
            with transaction.atomic():
                run(f'UPDATE scoring_evaluation SET "{column.name}" = {column.changed} WHERE id = {row.pk}')
                found = verify.verify().faults
                transaction.set_rollback(True)
            missed += [] if any(fault.evaluation == str(row.public_id) for fault in found) else [column.name]

    assert missed == []


@pytest.mark.parametrize("column", ["seq", "at", "debate_id"])
def test_the_head_of_a_log_is_compared_with_its_last_event(column, unguarded):
    [change] = [one.changed for one in columns("debates_eventhead") if one.name == column]
    head = Debate.objects.earliest("pk")

    found = seen_after(f"UPDATE debates_eventhead SET {column} = {change} WHERE debate_id = {head.pk}")

    assert [(fault.debate, fault.what) for fault in found] == [
        (str(head.public_id), "its head is not at the last event")
    ]


def test_what_is_played_is_named_where_its_debate_had_ended_before(unguarded):
    with transaction.atomic():
        run("UPDATE debates_event SET type = CASE seq WHEN 1 THEN 'debate:concluded' ELSE 'debate:paused' END")
        faults = list(state_proof.faults(None))
        transaction.set_rollback(True)

    late = [fault.row for fault in faults if fault.what == "it was added when its debate had ended"]
    assert {row.rpartition(" ")[0] for row in late} == PLAYED
