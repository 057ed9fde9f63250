"""Every guard of seals and blocks, broken on purpose; and that what is written seals itself."""

from dataclasses import replace

import pytest
from django.db import DatabaseError, connection

from debates.models import Block, Seal
from scoring import verify
from scoring.constraint_errors import guard_of
from scoring.enums import EntryKind
from tests.schema.attacks import (
    attack,
    change,
    commit_so_far,
    copy,
    nothing_stays,
    refusal_test,
    refused_by,
    remove,
    run,
    table,
)
from tests.schema.entries import entry

pytestmark = pytest.mark.django_db
COMMITTED = "guards_see_what_is_committed"
SEAL, BLOCK = "debates_seal", "debates_block"
NEWEST, LAST = f"(SELECT max(id) FROM {SEAL})", f"(SELECT max(id) FROM {BLOCK})"
EARLIER = (
    "UPDATE debates_eventhead SET seq = seq + 1, at = at - interval '1 second' WHERE debate_id = {debate}",
    (
        "INSERT INTO debates_event (debate_id, seq, type, audience, data, at)"
        " SELECT {debate}, seq, 'debate:paused', 'public', '{{}}', at FROM debates_eventhead"
        " WHERE debate_id = {debate}"
    ),
)

AT_ONCE = "SET CONSTRAINTS {} IMMEDIATE"
SAME_TIME = (EARLIER[0].replace("1 second", "0 seconds"), EARLIER[1])
UNSEALED_LOG = (
    "INSERT INTO debates_eventhead (debate_id, seq, at, erasures) SELECT max(id), 1, now(), 0 FROM debates_debate",
    (
        "INSERT INTO debates_event (debate_id, seq, type, audience, data, at)"
        " SELECT max(id), 1, 'debate:paused', 'public', '{{}}', now() FROM debates_debate"
    ),
)
HEAD = "event_head_is_the_last_event"
FORGE = "CREATE TRIGGER forge AFTER INSERT ON pg_temp.scoring_fact FOR EACH ROW"
NAMESAKE = ("CREATE TEMP TABLE scoring_fact (id bigint) ON COMMIT DROP",)

test_seals_and_blocks_are_guarded = refusal_test(
    attack("seal_is_append_only", "a seal with another digest", change(SEAL, NEWEST, digest="'x'")),
    attack("seal_is_append_only", "a seal with another salt", change(SEAL, NEWEST, salt="gen_random_uuid()")),
    attack("seal_is_append_only", "a seal of another row", change(SEAL, NEWEST, key="key + 1", salt="NULL")),
    attack("seal_is_append_only", "a seal that goes", remove(SEAL, NEWEST)),
    attack("seal_is_append_only", "all seals that go", f"TRUNCATE {SEAL}"),
    attack("block_is_append_only", "a block with another hash", change(BLOCK, LAST, hash="'x'")),
    attack("block_is_append_only", "a block that goes", remove(BLOCK, LAST)),
    attack("block_is_append_only", "all blocks that go", f"TRUNCATE {BLOCK}"),
    attack("block_number_once_per_chain", "two blocks of one number",
           f"INSERT INTO {BLOCK} (chain, number, batch, first_seal, last_seal, seq, events, hash)"
           f" SELECT chain, number, batch, first_seal, last_seal, seq, events, hash FROM {BLOCK} WHERE id = {LAST}"),
    attack("block_number_starts_at_one", "a block before the first",
           f"INSERT INTO {BLOCK} (chain, number, batch, first_seal, last_seal, seq, events, hash)"
           " VALUES (0, 0, 0, 0, 0, 0, '{{}}', '')"),
    attack("event_is_dated_after_the_one_before", "an event dated before the last", *EARLIER),
    attack(HEAD, "an event that no block is made of, dated before the last",
           AT_ONCE.format("eventhead_40_block"), *EARLIER),
    attack(HEAD, "an event that no block is made of", AT_ONCE.format("eventhead_40_block"), *SAME_TIME),
    attack(HEAD, "the first event of a log, that no block is made of",
           AT_ONCE.format("seal_10_block, eventhead_41_block"), copy("debates_debate", "{draft}"), *UNSEALED_LOG),
    attack("seal_is_of_a_table_of_ours", "a seal by a namesake of a table", *NAMESAKE,
           f"{FORGE} EXECUTE FUNCTION moot_seal('site', 'id')",
           "INSERT INTO pg_temp.scoring_fact VALUES (1)"),
    attack("seal_is_of_a_table_of_ours", "a block by a namesake of a table", *NAMESAKE,
           f"{FORGE} EXECUTE FUNCTION moot_block()",
           "INSERT INTO pg_temp.scoring_fact VALUES (1)"),
)  # fmt: skip

MISSING = "row_is_written_after_what_it_names"
ACTOR = "INSERT INTO scoring_actor (id, user_id, name, role) VALUES (987654, {%s}, 'x', 'later')"
PARTY = ACTOR % "party"
REASON = (
    "INSERT INTO scoring_reason (id, public_id, text, salt, digest)"
    " VALUES (987654, gen_random_uuid(), 'Ten characters of reason.', repeat('s', 32), '')"
)
ROUND = (
    "INSERT INTO debates_round (id, public_id, thread_id, run_number, number, opened_at, closed_at)"
    " VALUES (987654, gen_random_uuid(), {}, 1, 77, now(), now())"
)
IN_A_ROUND = copy("debates_turn", "{turn}", round_id="987654", slot="'other'")
HANDLED = {
    "state": "'dismissed'", "handled_by_id": "987654", "handled_because_id": "{reason}", "handled_at": "now()",
}  # fmt: skip
CLAIMED = {"state": "'claimed'", "claimed_by_id": "987654", "lease_until": "now() + interval '1 hour'"}
WITHDRAWN = (
    "INSERT INTO scoring_conflict (public_id, debate_id, person_id, by_id, because_id, at, withdraws_id)"
    " SELECT gen_random_uuid(), debate_id, person_id, 987654, because_id, now(), id FROM scoring_conflict"
    " WHERE person_id = {party} AND withdraws_id IS NULL LIMIT 1"
)
JUDGED_DEBATE = copy("debates_debate", "{draft}", id="987654", created_by_id="{user}")
JUDGE = (
    "INSERT INTO debates_participant (public_id, debate_id, role, kind, name, position, provider, model, user_id)"
    " VALUES (gen_random_uuid(), 987654, 'judge', 'human', 'Carol', 9, '', '', {user})"
)
INVITATION = (
    "INSERT INTO debates_invitation (id, public_id, debate_id, role, email, digest, places, created_at, expires_at)"
    " VALUES (987654, gen_random_uuid(), {draft}, 'guest', '', repeat('f', 64), 1, now(), now())"
)


@table(
    attack(MISSING, "an entry before its actor", entry(EntryKind.FREEZE, actor_id="987654"), PARTY),
    attack(MISSING, "an entry before its actor, at once",
           f"WITH actor AS ({PARTY}) {entry(EntryKind.FREEZE, actor_id='987654')}"),
    attack(MISSING, "an alert handled before its actor", change("scoring_alert", "{alert}", **HANDLED), PARTY),
    attack(MISSING, "an appeal claimed before its actor", change("scoring_appeal", "{appeal}", **CLAIMED),
           ACTOR % "second_user"),
    attack(MISSING, "a declaration withdrawn before its actor", WITHDRAWN, PARTY),
    attack(MISSING, "an entry before its reason", entry(EntryKind.FREEZE, reason_id="987654"), REASON),
    attack(MISSING, "a turn before its round", IN_A_ROUND, ROUND.format("{played_thread}")),
    attack(MISSING, "a round before its thread", ROUND.format("987655"),
           copy("debates_thread", "{thread}", id="987655", key="'ZZ'", position="99")),
    attack(MISSING, "a judge before the debate that they created", JUDGE, JUDGED_DEBATE),
    attack(MISSING, "an acceptance before its invitation",
           "INSERT INTO debates_acceptance (invitation_id, user_id, at) VALUES (987654, {user}, now())", INVITATION),
    attack("criterion_has_a_place_in_its_version", "a criterion before its rubric",
           copy("scoring_criterion", "{criterion}", rubric_id="987654", position="99"),
           copy("scoring_rubric", "{rubric}", id="987654", slug="'other'", version="1")),
)  # fmt: skip
def test_what_a_guard_decides_by_is_written_first(attempt, world):
    assert refused_by(attempt, world) == attempt.guard
    assert refused_by(replace(attempt, sql=["SET LOCAL session_replication_role = replica", *attempt.sql]), world)


def test_a_row_that_is_written_while_foreign_keys_do_not_fire_is_named(world):
    with nothing_stays():
        run("SET LOCAL session_replication_role = replica")
        run(change("debates_participant", "{judging_seat}", user_id="424242"), world)
        run("SET LOCAL session_replication_role = origin")

        assert any("was switched off: user_id" in fault.what for fault in verify.verify().faults)


@pytest.mark.parametrize("level", ["REPEATABLE READ", "SERIALIZABLE"])
@table(
    attack(COMMITTED, "a row that is sealed",
           "INSERT INTO debates_subject (public_id, title, text, created_at)"
           " VALUES (gen_random_uuid(), 'Title', 'Text', now())"),
    attack(COMMITTED, "an invitation that is accepted",
           "INSERT INTO debates_acceptance (invitation_id, user_id, at) VALUES (0, 0, now())"),
    attack(COMMITTED, "an invitation that somebody writes",
           "INSERT INTO debates_invitation (public_id, debate_id, role, email, digest, places, created_by_id,"
           " created_at, expires_at) VALUES (gen_random_uuid(), 0, 'viewer', '', 'x', 1, 0, now(), now())"),
)  # fmt: skip
def test_whoever_does_not_see_what_others_commit_writes_nothing(attempt, level):
    """It takes a connection of its own: the isolation of a transaction that has asked something stays."""
    other = connection.copy()
    other.set_autocommit(False)
    try:
        run(f"SET TRANSACTION ISOLATION LEVEL {level}", using=other)
        with pytest.raises(DatabaseError) as refusal:
            run(*attempt.sql, using=other)
    finally:
        other.rollback()
        other.close()

    assert guard_of(refusal.value) == attempt.guard


def test_whatever_is_written_is_sealed_and_chained_when_the_transaction_ends(world):
    with nothing_stays():
        before = Block.objects.filter(chain=world["debate"]).latest("number").number
        run("UPDATE debates_thread SET run_number = run_number + 1 WHERE id = {thread}", world)
        newest = Seal.objects.latest("id")
        assert (newest.relation, newest.key, newest.act, newest.chain) == (
            "debates_thread", world["thread"], "UPDATE", world["debate"],
        )  # fmt: skip
        assert Block.objects.filter(chain=world["debate"]).latest("number").number == before

        commit_so_far()

        block = Block.objects.filter(chain=world["debate"]).latest("number")
        assert (block.number, block.first_seal, block.last_seal) == (before + 1, newest.pk, newest.pk)


def test_only_the_newest_seal_of_a_row_keeps_its_salt(world):
    with nothing_stays():
        run("UPDATE debates_thread SET run_number = run_number + 1 WHERE id = {thread}", world)

        salts = Seal.objects.filter(relation="debates_thread", key=world["thread"]).values_list("salt", flat=True)
        assert [salt is None for salt in salts.order_by("id")] == [True] * (len(salts) - 1) + [False]
        assert len(salts) > 1


def test_the_earlier_seals_of_a_row_are_found_without_looking_through_all(world):
    with nothing_stays(), connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {SEAL} (chain, batch, relation, key, act, digest)"
            " SELECT 0, 0, 'debates_turn', n, 'INSERT', '' FROM generate_series(1, 5000) AS n"
        )
        cursor.execute("SELECT pg_stat_get_xact_tuples_returned('debates_seal'::regclass)")
        [before] = cursor.fetchone()

        run("UPDATE debates_thread SET run_number = run_number + 1 WHERE id = {thread}", world)

        cursor.execute("SELECT pg_stat_get_xact_tuples_returned('debates_seal'::regclass)")
        assert cursor.fetchone()[0] - before < 10


def test_a_change_of_what_is_left_out_is_not_sealed(world):
    with nothing_stays():
        newest = Seal.objects.latest("id").pk
        run("UPDATE debates_thread SET fence = fence + 1 WHERE id = {thread}", world)
        assert Seal.objects.latest("id").pk == newest


@pytest.mark.parametrize("zone", ["Asia/Kathmandu", "America/New_York"])
def test_a_seal_does_not_depend_on_the_time_zone_of_whoever_writes(zone, world):
    with nothing_stays():
        run(f"SET LOCAL timezone = '{zone}'")
        run("UPDATE debates_thread SET run_number = run_number + 1 WHERE id = {thread}", world)
        run("SET LOCAL timezone = 'UTC'")
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT s.digest = sha256(convert_to(s.salt || (to_jsonb(t) - 'fence')::text, 'UTF8'))"
                " FROM debates_seal s JOIN debates_thread t ON t.id = s.key"
                " WHERE s.relation = 'debates_thread' AND t.id = %s ORDER BY s.id DESC LIMIT 1",
                [world["thread"]],
            )
            assert cursor.fetchone() == (True,)


def test_a_seal_does_not_depend_on_the_form_of_bytes_of_whoever_writes(world):
    with nothing_stays():
        run("SET LOCAL bytea_output = 'escape'")
        run(entry(EntryKind.COMPLETED), world)
        run("SET LOCAL bytea_output = 'hex'")
        run("SET LOCAL timezone = 'UTC'")
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT s.digest = sha256(convert_to(s.salt || to_jsonb(e)::text, 'UTF8')) FROM debates_seal s"
                " JOIN scoring_scorechange e ON e.id = s.key WHERE s.relation = 'scoring_scorechange'"
                " ORDER BY s.id DESC LIMIT 1"
            )
            assert cursor.fetchone() == (True,)
