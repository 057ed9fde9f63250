"""A row that is sealed anew: whoever switches off or drops a table's guards and leaves the sealing trigger is found.

Generated from the tables themselves, as ``test_every_column``. Every attack is also tried under cover of an erasure.
"""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection, transaction

from debates.models import SITE, Debate, Round, Thread
from judging.models import Call, Review, Script
from scoring import change_proof, seal_proof, sealed, state_proof, verify
from scoring.models import Alert, Appeal, Approval, Erasure, RescoreSet
from scoring.proof import Fault
from scoring.sealed import Sealed
from tests.judging.sealed.columns import bare, columns, ids, named, ours, run, two

pytestmark = pytest.mark.django_db
TABLES = sealed.TABLES
WORDS = [(table, column) for table in TABLES for column in table.erasable if column not in table.fading]
GUARDS = """SELECT t.tgname FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
    WHERE t.tgrelid = %s::regclass AND p.proname ~ '^moot_' AND p.proname <> 'moot_seal'"""
NOTHING = {"jsonb": "'{}'", "text": "''", "character varying": "''"}
SWITCHED_OFF, DROPPED = "ALTER TABLE {table} DISABLE TRIGGER {guard}", "DROP TRIGGER {guard} ON {table}"


@pytest.fixture(scope="module")
def guarded(world: None, django_db_blocker: Any) -> Iterator[None]:
    """Everything played and moderated, with every trigger, but no constraint that would refuse a value."""
    with django_db_blocker.unblock():
        outer = transaction.atomic()
        outer._from_testcase = True
        with outer:
            assert verify.verify().faults == ()
            for table in sorted(ours()):
                bare(table)
            yield
            transaction.set_rollback(True)


def seen_after(
    statement: str, *tables: Sealed, guards: str = "", erased: int | None = None, proof: Any = change_proof
) -> list[Fault]:
    """What the proof finds after a statement, which is undone: without the guards of the tables, while words go."""
    with transaction.atomic():
        for table in tables if guards else []:
            for (guard,) in run(GUARDS, table.table):
                run(guards.format(table=table.table, guard=guard))
        if erased is not None:
            erase(erased)
        run(statement)
        connection.check_constraints()
        found = list(proof.faults(None))
        transaction.set_rollback(True)
    return found


def erase(debate: int) -> None:
    """Write an erasure of a debate down, and nothing that it would take."""
    run(
        "INSERT INTO scoring_erasure (public_id, scope, debate_id, by_id, because_id, counts)"
        " SELECT gen_random_uuid(), 'debate', %s, by_id, because_id, '{}' FROM scoring_erasure ORDER BY id LIMIT 1",
        debate,
    )


def another(*chains: int) -> int:
    """A debate that was played, and is another than these."""
    return Debate.objects.exclude(pk__in=chains).exclude(erasures__isnull=False).values_list("pk", flat=True).first()


def faults_of_every_column(table: Sealed, *, guards: str, own: bool) -> dict[str, list[Fault]]:
    """What the proof finds of a row of which each column was changed by a statement of its own, by column."""
    (key, chain), _ = two(table)
    unnamed = {"public_id"} if table.model is Debate else set()  # by which a fault names its debate
    tried = [each for each in columns(table.table) if each.name not in {*table.without, *unnamed, table.key}]
    changes = [f'UPDATE {table.table} SET "{each.name}" = {each.changed} WHERE "{table.key}" = {key}' for each in tried]
    erased = chain if own and chain != SITE else another(chain)
    faults = seen_after("; ".join(changes), table, guards=guards, erased=erased)
    here = [fault for fault in faults if named([fault], table, key, chain)]
    return {each.name: [fault for fault in here if re.search(rf"\b{each.name}\b", fault.what)] for each in tried}


@pytest.mark.parametrize("own", [False, True], ids=["another debate is erased", "its debate is erased"])
@pytest.mark.parametrize("table", TABLES, ids=ids)
def test_whatever_is_changed_while_the_tables_guards_are_off_is_named(table, own, guarded):
    found = faults_of_every_column(table, guards=SWITCHED_OFF, own=own)

    assert [column for column, faults in found.items() if not any("switched off" in each.what for each in faults)] == []


@pytest.mark.parametrize("own", [False, True], ids=["another debate is erased", "its debate is erased"])
@pytest.mark.parametrize("table", TABLES, ids=ids)
def test_what_never_changes_is_named_when_the_tables_guards_are_gone(table, own, guarded):
    found = faults_of_every_column(table, guards=DROPPED, own=own)

    assert {column for column, faults in found.items() if not faults} <= {*table.changing, *table.once}


@pytest.mark.parametrize("guards", [SWITCHED_OFF, DROPPED], ids=["off", "gone"])
def test_a_row_of_any_table_that_is_removed_is_named(guards, guarded):
    """One of each table is removed at once, and proved once."""
    rows = [(table, *two(table)[0]) for table in TABLES]
    removal = "; ".join(f'DELETE FROM {table.table} WHERE "{table.key}" = {key}' for table, key, _ in rows)

    found = seen_after(removal, *TABLES, guards=guards, erased=another(*{chain for *_, chain in rows}))

    assert {f"{table.called} {key}" for table, key, _ in rows} - {fault.row for fault in found} == set()


FORGED = """
ALTER TABLE {table} DISABLE TRIGGER USER;
UPDATE {table} SET "{column.name}" = {column.changed} WHERE "{id}" = {key};
INSERT INTO debates_seal (chain, batch, relation, key, act, altered, salt, digest)
  SELECT {chain}, pg_current_xact_id()::text::bigint, '{table}', {key}, {act}, s.salt,
    sha256(convert_to(s.salt || (to_jsonb(t) - '{{{without}}}'::text[])::text, 'UTF8'))
  FROM {table} t, LATERAL (SELECT gen_random_uuid() AS salt) s WHERE t."{id}" = {key}
"""


@pytest.mark.parametrize("act", ["'INSERT', NULL", "'UPDATE', '{}'"], ids=["as added", "as changed"])
@pytest.mark.parametrize("table", TABLES, ids=ids)
def test_a_row_whose_seal_was_written_by_hand_is_named_though_seals_and_heads_that_were_kept_agree(table, act, guarded):
    (key, chain), _ = two(table)
    may = {*table.changing, *table.once, *table.without, table.key, "public_id"}
    [column, *_] = [each for each in columns(table.table) if each.name not in may]
    forged = FORGED.format(
        table=table.table, id=table.key, key=key, chain=chain, act=act, column=column, without=",".join(table.without)
    )
    kept = seal_proof.heads()

    with transaction.atomic():
        run(forged)
        connection.check_constraints()
        agrees = [*seal_proof.rows(table, None), *seal_proof.against(kept)]
        found = list(change_proof.faults(None))
        transaction.set_rollback(True)

    assert agrees == []
    assert f"{table.called} {key}" in [fault.row for fault in found]


@pytest.mark.parametrize("table", TABLES, ids=ids)
def test_a_row_that_is_added_while_the_tables_guards_are_off_is_named(table, guarded):
    (key, _), _ = two(table)
    names = [f'"{column.name}"' for column in columns(table.table)]
    values = [f"{name} + 1000000" if name == f'"{table.key}"' else name for name in names]
    add = f"INSERT INTO {table.table} ({', '.join(names)}) OVERRIDING SYSTEM VALUE SELECT {', '.join(values)}"

    found = seen_after(f'{add} FROM {table.table} WHERE "{table.key}" = {key}', table, guards=SWITCHED_OFF)

    assert any(fault.row == f"{table.called} {key + 1000000}" for fault in found)


@pytest.mark.parametrize(("table", "column"), WORDS, ids=lambda part: getattr(part, "table", part))
def test_words_that_go_while_another_debate_is_erased_are_named(table, column, guarded):
    [(key, chain)] = run(
        f"SELECT s.key, s.chain FROM debates_seal s JOIN {table.table} t ON t.{table.key} = s.key"
        f" WHERE s.relation = %s AND t.{column}::text NOT IN ('', '{{}}', '\"\"') ORDER BY s.id LIMIT 1",
        table.table,
    )
    kind = next(each.type for each in columns(table.table) if each.name == column)
    emptied = f"UPDATE {table.table} SET {column} = {NOTHING[kind]} WHERE {table.key} = {key}"

    found = seen_after(emptied, table, guards=DROPPED, erased=another(chain) if chain != SITE else unnamed())

    assert named(found, table, key, chain)


def test_answers_that_go_before_their_debate_has_been_over_for_a_day_are_named(guarded):
    [table] = [table for table in TABLES if table.model is Call]
    call = Call.objects.exclude(raw_answer="").filter(debate__status="concluded").first()
    emptied = f"UPDATE judging_call SET raw_answer = '' WHERE id = {call.pk}"

    faults = seen_after(emptied, table, guards=DROPPED)

    assert [fault.what for fault in faults] == ["its raw_answer changed without an erasure of it"]


@pytest.mark.parametrize(("role", "named_there"), [("origin", False), ("replica", True)])
def test_a_guard_counts_as_off_where_it_would_not_have_refused(guarded, role, named_there):
    [table] = [table for table in TABLES if table.model is Thread]
    moved = f"SET LOCAL session_replication_role = {role}; UPDATE debates_thread SET rounds_played = rounds_played + 1"

    faults = seen_after(moved, table, guards="ALTER TABLE {table} ENABLE TRIGGER {guard}")

    assert any("was switched off" in fault.what for fault in faults) is named_there


def unnamed() -> int:
    """A debate that no row of the site's chain is about: it has no subject, and nobody acted in it."""
    return Debate.objects.filter(format="open", erasures__isnull=True).values_list("pk", flat=True).first()


def test_words_that_go_while_another_voice_of_the_debate_is_erased_are_named(guarded):
    [turns] = [table for table in TABLES if table.table == "debates_turn"]
    speaker, other = run(
        "SELECT t.participant_id, p.id FROM debates_turn t JOIN debates_participant p ON p.debate_id = t.debate_id"
        " AND p.id <> t.participant_id WHERE t.text <> '' AND t.kind = 'response' ORDER BY t.id, p.id LIMIT 1"
    )[0]
    [(turn, debate)] = run(
        "SELECT id, debate_id FROM debates_turn WHERE participant_id = %s AND text <> '' AND kind = 'response' LIMIT 1",
        speaker,
    )
    emptied = f"UPDATE debates_turn SET text = '' WHERE id = {turn}"
    voice = (
        "INSERT INTO scoring_erasure (public_id, scope, debate_id, participant_id, by_id, because_id, counts)"
        " SELECT gen_random_uuid(), 'participant', {debate}, {voice}, by_id, because_id, '{{}}' FROM scoring_erasure"
        " ORDER BY id LIMIT 1; {then}"
    )

    assert seen_after(voice.format(debate=debate, voice=speaker, then=emptied), turns, guards=DROPPED) == []
    found = seen_after(voice.format(debate=debate, voice=other, then=emptied), turns, guards=DROPPED)
    assert named(found, turns, turn, debate)


@pytest.mark.parametrize(
    ("model", "which", "again"),
    [
        pytest.param(Round, {"closed_at__isnull": False}, "closed_at = closed_at + interval '1 second'", id="a round"),
        pytest.param(Approval, {"state": "approved"}, "decided_by_id = requested_by_id", id="who approved"),
        pytest.param(Approval, {"state": "approved"}, "state = 'waiting', entry_id = NULL", id="an approval"),
        pytest.param(RescoreSet, {"state": "applied"}, "state = 'staged', decided_at = NULL", id="an applied set"),
        pytest.param(
            Review, {"state": "settled"}, "state = 'open', settled_at = NULL, decisions = '{}'", id="a settled review"
        ),
        pytest.param(Debate, {"started_at__isnull": False}, "started_at = NULL", id="when a debate began"),
    ],
)
def test_what_was_decided_once_and_then_again_is_named(model, which, again, guarded):
    [table] = [each for each in TABLES if each.model is model]
    row = model.objects.filter(**which).earliest("pk")

    found = seen_after(f"UPDATE {table.table} SET {again} WHERE {table.key} = {row.pk}", table, guards=DROPPED)

    assert any(fault.row == f"{table.called} {row.pk}" and "changes once" in fault.what for fault in found)


@pytest.mark.parametrize(
    ("model", "which", "change"),
    [
        pytest.param(Debate, {"status": "concluded"}, "status = 'running'", id="a debate that goes on"),
        pytest.param(Debate, {"status": "running"}, "status = 'concluded'", id="a debate that is over"),
        pytest.param(
            Debate,
            {"status": "concluded"},
            "concluded_at = concluded_at - interval '30 days'",
            id="a result of earlier",
        ),
        pytest.param(Debate, {"status": "concluded"}, "concluded_at = NULL", id="a result of no time"),
        pytest.param(
            Debate,
            {"status": "concluded"},
            "concluded_at = concluded_at - interval '1 microsecond'",
            id="a result of a moment before",
        ),
        pytest.param(Debate, {"visibility": "public"}, "visibility = 'private'", id="a debate that is hidden"),
        pytest.param(Alert, {"state": "acknowledged"}, "state = 'open'", id="an alert that is open again"),
        pytest.param(Alert, {"state": "open"}, "state = 'dismissed'", id="an alert that nobody dismissed"),
        pytest.param(Appeal, {"state": "dismissed"}, "state = 'moot'", id="an appeal that ended otherwise"),
        pytest.param(Appeal, {"state": "dismissed"}, "state = 'open'", id="an appeal that is open again"),
        pytest.param(Approval, {"state": "approved"}, "decided_by_id = requested_by_id", id="an approval of one's own"),
        pytest.param(Approval, {"state": "approved"}, "state = 'waiting'", id="a request that waits again"),
        pytest.param(Approval, {"state": "approved"}, "state = 'refused'", id="a request that was refused"),
        pytest.param(RescoreSet, {"state": "applied"}, "state = 'staged'", id="a set that waits again"),
        pytest.param(Review, {"state": "settled"}, "state = 'open'", id="a review that is open again"),
    ],
)
def test_where_a_row_stands_is_compared_with_the_log_and_the_entries(model, which, change, guarded):
    [table] = [each for each in TABLES if each.model is model]
    row = model.objects.filter(**which).earliest("pk")

    found = seen_after(
        f"UPDATE {table.table} SET {change} WHERE {table.key} = {row.pk}", table, guards=DROPPED, proof=state_proof
    )

    assert {fault.row for fault in found} == {f"{table.called} {row.pk}"}


def test_only_an_erasure_of_its_debate_removes_a_script(guarded):
    [scripts] = [table for table in TABLES if table.model is Script]
    chain = Script.objects.earliest("pk").pk
    removal = f"DELETE FROM judging_script WHERE debate_id = {chain}"

    assert seen_after(removal, scripts, erased=chain) == []
    assert seen_after(removal, scripts, guards=DROPPED, erased=another(chain)) != []


def test_erasures_that_were_written_are_of_this_world():
    assert Erasure.objects.filter(scope="debate").exists()
