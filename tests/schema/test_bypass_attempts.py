"""Ways round the guards that are known from elsewhere, and what the database makes of them."""

import psycopg
import pytest
from django.db import connection, transaction

from scoring import verify
from scoring.enums import EntryKind as K
from tests.schema.attacks import Attack, change, commit_so_far, copy, nothing_stays, refused_by, remove, run
from tests.schema.entries import entry, following, opening
from tests.schema.test_scoring_guards import another

pytestmark = pytest.mark.django_db
ENTRY = "scoring_scorechange"
GUARDED = "evaluation_moves_only_with_an_entry"
APPEND_ONLY = "entry_is_append_only"
LAST = f"SELECT * FROM {ENTRY} WHERE evaluation_id = {{played}} ORDER BY sequence DESC LIMIT 1"
FORGED = "UPDATE scoring_evaluation SET computed_score = 9, version = version + 1 WHERE id = {played}"


def tried(world, *sql: str) -> str | None:
    return refused_by(Attack("", "", sql), world)


@pytest.mark.parametrize(
    ("guard", "sql"),
    [
        pytest.param(
            GUARDED,
            [
                f"CREATE TEMP TABLE {ENTRY} AS TABLE public.{ENTRY}",
                f"UPDATE pg_temp.{ENTRY} SET sequence = sequence + 1, computed_after = 9",
                FORGED,
            ],
            id="a temporary table that stands in for the ledger",
        ),
        pytest.param(
            "entry_state_follows_its_kind",
            [
                "CREATE TEMP TABLE scoring_fact AS TABLE public.scoring_fact",
                "UPDATE pg_temp.scoring_fact SET round_id = {played_round} WHERE id = {fact}",
                entry(K.ROUND, facts="ARRAY[{fact}, {played_fact}]::bigint[]"),
            ],
            id="a temporary table that stands in for the facts",
        ),
        pytest.param(
            "evaluation_is_frozen",
            [
                "CREATE TEMP TABLE scoring_evaluation AS TABLE public.scoring_evaluation",
                "UPDATE pg_temp.scoring_evaluation SET frozen_at = NULL",
                f"INSERT INTO public.{ENTRY} "
                + entry(K.OVERRIDE, on="{frozen}").removeprefix(f"INSERT INTO {ENTRY} "),
            ],
            id="a temporary table that stands in for the evaluation",
        ),
        pytest.param(
            GUARDED,
            [
                "CREATE FUNCTION pg_temp.digest(text) RETURNS text LANGUAGE sql AS 'SELECT $1'",
                "SET LOCAL search_path = pg_temp, public",
                FORGED,
            ],
            id="another search path",
        ),
        pytest.param(
            GUARDED,
            [
                "CREATE TEMP TABLE bait (id int)",
                ("CREATE FUNCTION pg_temp.forge() RETURNS trigger LANGUAGE plpgsql AS"
                f" $x$ BEGIN {FORGED}; RETURN NEW; END $x$"),
                "CREATE TRIGGER forge AFTER INSERT ON bait FOR EACH ROW EXECUTE FUNCTION pg_temp.forge()",
                "INSERT INTO bait VALUES (1)",
            ],
            id="a trigger of one's own, one level deep",
        ),
        pytest.param(
            GUARDED,
            [
                f"CREATE TEMP TABLE bait AS {LAST}",
                "UPDATE bait SET sequence = sequence + 1, computed_after = 9, value_after = 9",
                "CREATE TEMP TABLE hook AS TABLE bait WITH NO DATA",
                "CREATE TRIGGER forge AFTER INSERT ON hook FOR EACH ROW EXECUTE FUNCTION moot_entry_project()",
                "INSERT INTO hook TABLE bait",
            ],
            id="the ledger's own projection on a table of one's own",
        ),
        pytest.param(
            GUARDED,
            ["SET LOCAL moot.projecting = 'on'", "SET LOCAL pgtrigger.ignore = '{{all}}'", FORGED],
            id="a setting that other projects take for a permission",
        ),
        pytest.param(
            GUARDED,
            [
                ("UPDATE scoring_evaluation e SET computed_score = s.computed_after, override_score = s.override_after,"
                " confidence = s.confidence_after, counted = s.counted_after, basis = s.basis, held = s.held,"
                " version = s.sequence, debate_round_count = s.rounds_after, head_hash = s.hash,"
                f" last_score_update = NULL FROM {ENTRY} s WHERE e.id = {{played}} AND s.id = {{first_entry}}")
            ],
            id="back to an older entry that is true",
        ),
        pytest.param(
            GUARDED,
            [
                ("MERGE INTO scoring_evaluation e USING (SELECT {played} AS id) s ON e.id = s.id"
                " WHEN MATCHED THEN UPDATE SET computed_score = 9")
            ],
            id="a merge",
        ),
        pytest.param(
            "evaluation_with_history_is_kept",
            [
                ("MERGE INTO scoring_evaluation e USING (SELECT {played} AS id) s ON e.id = s.id"
                " WHEN MATCHED THEN DELETE")
            ],
            id="a merge that deletes",
        ),
        pytest.param(
            GUARDED,
            [
                (f"WITH new AS ({entry(K.OVERRIDE)} RETURNING *) UPDATE scoring_evaluation e SET override_score = 9"
                " FROM new WHERE e.id = new.evaluation_id")
            ],
            id="an update in the breath of the entry",
        ),
        pytest.param(
            GUARDED,
            [
                copy("scoring_evaluation", "{played}", id="id")
                + " ON CONFLICT (id) DO UPDATE SET computed_score = 9"
            ],
            id="a conflict that updates an evaluation",
        ),
        pytest.param(
            "event_is_immutable",
            [copy("debates_event", "{event}", id="id") + " ON CONFLICT (id) DO UPDATE SET data = '[]'"],
            id="a conflict that updates an event",
        ),
        pytest.param("debate_with_history_is_kept", ["TRUNCATE auth_user CASCADE"], id="a cascade from afar"),
        pytest.param(
            "428C9",
            [entry(K.COMPLETED, delta="0")],
            id="a delta of one's own",
        ),
        pytest.param("428C9", [change(ENTRY, "{entry}", applied="9")], id="an applied of one's own"),
        pytest.param(
            "428C9",
            [change("scoring_evaluation", "{played}", final_score="9")],
            id="a final score of one's own",
        ),
        pytest.param(
            "number_is_not_nan", [entry(K.OVERRIDE, override_after="'NaN'")], id="an override that is not a number"
        ),
        pytest.param("22003", [entry(K.OVERRIDE, override_after="1e9")], id="an override that no column holds"),
        pytest.param("22003", [entry(K.ROUND, raw_sum="'Infinity'")], id="a sum without end"),
    ],
)  # fmt: skip
def test_a_trick_is_refused(guard, sql, world):
    assert str(tried(world, *sql)).startswith(guard)


def replica(*sql: str) -> list[str]:
    return ["SET LOCAL session_replication_role = replica", *sql]


@pytest.mark.parametrize(
    ("guard", "sql"),
    [
        pytest.param(APPEND_ONLY, [change(ENTRY, "{entry}", computed_after="9")], id="an entry changed"),
        pytest.param(APPEND_ONLY, [remove(ENTRY, "{entry}")], id="an entry deleted"),
        pytest.param(GUARDED, [FORGED], id="an evaluation changed"),
        pytest.param("fact_is_append_only", [change("scoring_fact", "{fact}", amount="2")], id="a fact changed"),
        pytest.param("turn_is_immutable", [change("debates_turn", "{turn}", text="'other'")], id="a turn changed"),
        pytest.param("evaluation_is_frozen", [entry(K.OVERRIDE, on="{frozen}")], id="an override of a frozen score"),
        pytest.param(
            "evaluation_is_opened_with_its_first_value", [another()], id="an account without an entry"
        ),
    ],
)  # fmt: skip
def test_the_guards_stand_while_replicating(guard, sql, world):
    assert tried(world, *replica(*sql)) == guard


COUNTED_TWICE = entry(
    K.ROUND, round_id="{counted_round}", facts="basis", basis="basis", computed_after="computed_score"
)


def test_an_ignored_conflict_leaves_no_trace(world):
    with nothing_stays():
        before = run("TABLE scoring_evaluation")
        run(COUNTED_TWICE + " ON CONFLICT DO NOTHING", world)
        commit_so_far()

        assert run("TABLE scoring_evaluation") == before


@pytest.mark.parametrize("number", ["-5", "(10 ^ 18)::bigint", "{entry}"])
def test_an_entry_is_numbered_after_all_others_whatever_was_sent(number, world):
    with nothing_stays():
        [(last,)] = run(f"SELECT max(id) FROM {ENTRY}")

        run(entry(K.COMPLETED, id=number), world)

        [(new,)] = run(f"SELECT id FROM {ENTRY} WHERE evaluation_id = {{played}} ORDER BY sequence DESC LIMIT 1", world)
        assert last < new < last + 1000


def test_a_copied_entry_is_checked_like_any_other(world):
    columns = "evaluation_id, kind, run_number, frozen_after, counted_after, complete_after, rounds_after"
    rest = "basis, held, facts, held_choice, actor_kind, reason_code, idempotency_key"
    row = [world["frozen"], "override", 1, False, True, False, 1, [], [], [], "", "engine", "", ""]

    def copied() -> None:
        with connection.cursor() as cursor, cursor.copy(f"COPY {ENTRY} ({columns}, {rest}) FROM STDIN") as stream:
            stream.write_row(row)

    with transaction.atomic():
        point = transaction.savepoint()
        with pytest.raises(psycopg.errors.CheckViolation) as refusal:
            copied()
        transaction.savepoint_rollback(point)

    assert refusal.value.diag.constraint_name == "evaluation_is_frozen"


def test_an_account_opened_twice_in_one_statement_is_opened_once(world):
    twice = opening().replace("WHERE", "CROSS JOIN generate_series(1, 2) WHERE")

    assert tried(world, another(), twice) == "entry_sequence_once_per_evaluation"


def test_a_chain_forged_with_the_triggers_off_is_still_found(world):
    with nothing_stays():
        commit_so_far()
        run(f"ALTER TABLE {ENTRY} DISABLE TRIGGER USER")
        run(following(), world)
        commit_so_far()

        assert {"the hash is another", "the evaluation is at another version than its ledger"} <= {
            fault.what for fault in verify.verify().faults
        }
