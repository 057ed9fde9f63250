"""The system check that refuses a database whose guards do not stand."""

import pytest
from django.core.checks import run_checks
from django.core.management import call_command
from django.core.management.base import SystemCheckError

from scoring import checks
from tests.scoring.story import sql

pytestmark = pytest.mark.django_db
IMPOSTOR = "LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS 'BEGIN RETURN NEW; END'"


def test_a_migrated_database_passes():
    assert checks.faults(using="default") == []


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        pytest.param(
            "DROP TRIGGER entry_30_append_only ON scoring_scorechange",
            "scoring_scorechange: the guard entry_30_append_only is missing",
            id="a guard is gone",
        ),
        pytest.param(
            "ALTER TABLE debates_turn DISABLE TRIGGER turn_10_immutable",
            "debates_turn: the guard turn_10_immutable is disabled",
            id="a guard is switched off",
        ),
        pytest.param(
            "ALTER TABLE scoring_fact ENABLE TRIGGER fact_30_append_only",
            "scoring_fact: the guard fact_30_append_only is not ENABLE ALWAYS",
            id="a guard is downgraded, as pg_restore --disable-triggers does",
        ),
        pytest.param(
            "ALTER TABLE judging_verdict ENABLE REPLICA TRIGGER verdict_20_kept",
            "judging_verdict: the guard verdict_20_kept is not ENABLE ALWAYS",
            id="a guard fires for replicas only",
        ),
        pytest.param(
            f"CREATE OR REPLACE FUNCTION moot_evaluation_guard() RETURNS trigger {IMPOSTOR}",
            "the function moot_evaluation_guard is not the one of the SQL files",
            id="a guard's body is another",
        ),
        pytest.param(
            "ALTER FUNCTION moot_entry_append() RESET search_path",
            "the function moot_entry_append is not the one of the SQL files",
            id="a guard's search path is open",
        ),
        pytest.param(
            "DROP FUNCTION moot_entry_hash_v1 CASCADE",
            "the function moot_entry_hash_v1 is missing",
            id="a function is gone",
        ),
        pytest.param(
            "ALTER TABLE scoring_scorechange DROP CONSTRAINT entry_follows_the_one_before",
            "scoring_scorechange: the constraint entry_follows_the_one_before is missing or not validated",
            id="a constraint of the SQL files is gone",
        ),
        pytest.param(
            "ALTER TABLE scoring_fact DROP CONSTRAINT verdict_adjustment_inside_limits",
            "scoring_fact: the constraint verdict_adjustment_inside_limits is missing or not validated",
            id="a constraint of a model is gone",
        ),
        pytest.param(
            "DROP INDEX round_counts_once_per_evaluation",
            "scoring_scorechange: the constraint round_counts_once_per_evaluation is missing or not validated",
            id="a conditional uniqueness is gone",
        ),
        pytest.param(
            "ALTER TABLE debates_debate DROP CONSTRAINT debate_status_is_known;"
            " ALTER TABLE debates_debate ADD CONSTRAINT debate_status_is_known CHECK (status <> '') NOT VALID",
            "debates_debate: the constraint debate_status_is_known is missing or not validated",
            id="a constraint was never validated",
        ),
    ],
)
def test_what_does_not_stand_is_named(change, fault):
    sql(change)

    assert checks.faults(using="default") == [fault]
    assert [error.msg for error in run_checks(databases=["default"], tags=["database"])] == [fault]


def test_a_command_that_checks_the_database_refuses_to_go_on():
    sql("ALTER TABLE scoring_fact DISABLE TRIGGER ALL")

    with pytest.raises(SystemCheckError, match=r"scoring\.E001"):
        call_command("check", databases=["default"])


def test_tables_that_no_migration_made_are_refused():
    sql("DELETE FROM django_migrations WHERE app IN ('debates', 'scoring', 'judging')")
    sql("DROP TRIGGER entry_10_append ON scoring_scorechange")

    assert checks.faults(using="default") == ["scoring_scorechange: the guard entry_10_append is missing"]


def test_a_database_on_its_way_to_the_guards_passes():
    sql("DELETE FROM django_migrations WHERE app = 'scoring' AND name = '0002_guards'")
    sql("DROP TRIGGER entry_10_append ON scoring_scorechange")

    assert checks.faults(using="default") == []


def test_a_database_without_our_tables_passes():
    assert list(checks.guards_stand(databases=[])) == []
    sql("ALTER TABLE scoring_scorechange RENAME TO scoring_elsewhere")

    assert list(checks.guards_stand(databases=["default"])) == []
