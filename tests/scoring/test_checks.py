"""The system check that refuses a database whose guards do not stand."""

from decimal import Decimal

import pytest
from django.apps import apps
from django.core.checks import run_checks
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.db import connection

from scoring import checks, thresholds
from tests.schema import attacks
from tests.scoring.history import sql

pytestmark = pytest.mark.django_db
IMPOSTOR = "LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS 'BEGIN RETURN NEW; END'"


def test_a_migrated_database_passes():
    assert list(checks.faults(using="default")) == []


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
            "the function moot_evaluation_guard() is not that of the migrations",
            id="a guard's body is another",
        ),
        pytest.param(
            "ALTER FUNCTION moot_entry_append() RESET search_path",
            "the function moot_entry_append() is not that of the migrations",
            id="a guard's search path is open",
        ),
        pytest.param(
            "DROP FUNCTION moot_entry_hash_v1 CASCADE",
            "the function moot_entry_hash_v1(bytea,scoring_scorechange,text,text) is missing",
            id="a function is gone",
        ),
        pytest.param(
            "ALTER TABLE scoring_scorechange DROP CONSTRAINT entry_follows_the_one_before",
            "scoring_scorechange: the constraint entry_follows_the_one_before is missing",
            id="a constraint of the SQL files is gone",
        ),
        pytest.param(
            "ALTER TABLE scoring_fact DROP CONSTRAINT verdict_adjustment_inside_limits",
            "scoring_fact: the constraint verdict_adjustment_inside_limits is missing",
            id="a constraint of a model is gone",
        ),
        pytest.param(
            "DROP INDEX round_counts_once_per_evaluation",
            "scoring_scorechange: the constraint round_counts_once_per_evaluation is missing",
            id="a conditional uniqueness is gone",
        ),
        pytest.param(
            "ALTER TABLE debates_debate DROP CONSTRAINT debate_status_is_known;"
            " ALTER TABLE debates_debate ADD CONSTRAINT debate_status_is_known CHECK (status <> '') NOT VALID",
            "debates_debate: the constraint debate_status_is_known is not that of the migrations",
            id="a constraint was never validated",
        ),
        pytest.param(
            "CREATE OR REPLACE TRIGGER entry_30_append_only BEFORE UPDATE OR DELETE ON scoring_scorechange FOR EACH ROW"
            " WHEN (false) EXECUTE FUNCTION moot_refuse('entry_is_append_only');"
            " ALTER TABLE scoring_scorechange ENABLE ALWAYS TRIGGER entry_30_append_only",
            "scoring_scorechange: the guard entry_30_append_only is not that of the migrations",
            id="a guard that never fires",
        ),
        pytest.param(
            "CREATE FUNCTION moot_idle() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
            "the function moot_idle() is none of ours",
            id="a function of somebody else's",
        ),
        pytest.param(
            "CREATE FUNCTION moot_micro(integer) RETURNS text LANGUAGE sql AS $$ SELECT '1' $$",
            "the function moot_micro(integer) is none of ours",
            id="a function that stands before ours for other types",
        ),
        pytest.param(
            "CREATE OR REPLACE TRIGGER entry_10_append BEFORE INSERT ON scoring_scorechange FOR EACH ROW"
            " EXECUTE FUNCTION moot_evaluation_open();"
            " ALTER TABLE scoring_scorechange ENABLE ALWAYS TRIGGER entry_10_append",
            "scoring_scorechange: the guard entry_10_append is not that of the migrations",
            id="a guard that calls another function",
        ),
        pytest.param(
            "CREATE OR REPLACE TRIGGER fact_30_append_only BEFORE UPDATE OF kind OR DELETE ON scoring_fact FOR EACH ROW"
            " EXECUTE FUNCTION moot_refuse('fact_is_append_only');"
            " ALTER TABLE scoring_fact ENABLE ALWAYS TRIGGER fact_30_append_only",
            "scoring_fact: the guard fact_30_append_only is not that of the migrations",
            id="a guard of fewer columns",
        ),
        pytest.param(
            "CREATE OR REPLACE TRIGGER call_10_immutable BEFORE UPDATE ON judging_call FOR EACH ROW"
            " EXECUTE FUNCTION moot_only_blanks('call_is_never_edited', 'raw_answer', 'problem', 'cost');"
            " ALTER TABLE judging_call ENABLE ALWAYS TRIGGER call_10_immutable",
            "judging_call: the guard call_10_immutable is not that of the migrations",
            id="a guard that lets more columns go",
        ),
        pytest.param(
            "ALTER TABLE scoring_fact DROP CONSTRAINT verdict_adjustment_inside_limits;"
            " ALTER TABLE scoring_fact ADD CONSTRAINT verdict_adjustment_inside_limits CHECK (true)",
            "scoring_fact: the constraint verdict_adjustment_inside_limits is not that of the migrations",
            id="a constraint of the same name that is always true",
        ),
        pytest.param(
            "DROP INDEX round_counts_once_per_evaluation; CREATE UNIQUE INDEX round_counts_once_per_evaluation"
            " ON scoring_scorechange (evaluation_id, id)",
            "scoring_scorechange: the constraint round_counts_once_per_evaluation is not that of the migrations",
            id="a uniqueness of the same name over other columns",
        ),
        pytest.param(
            "CREATE TRIGGER later BEFORE INSERT ON scoring_scorechange FOR EACH ROW"
            " EXECUTE FUNCTION suppress_redundant_updates_trigger()",
            "scoring_scorechange: the guard later is none of ours",
            id="a trigger of somebody else's",
        ),
        pytest.param(
            "CREATE RULE quiet AS ON INSERT TO scoring_fact DO INSTEAD NOTHING",
            "scoring_fact: the rule quiet is none of ours",
            id="a rule",
        ),
        pytest.param(
            "CREATE POLICY mine ON debates_turn USING (id > 5)",
            "debates_turn: the row policy mine is none of ours",
            id="a row policy",
        ),
        pytest.param(
            "ALTER TABLE debates_turn ENABLE ROW LEVEL SECURITY",
            "the table debates_turn is not that of the migrations",
            id="rows that are kept out of sight",
        ),
        pytest.param(
            "CREATE TABLE elsewhere () INHERITS (scoring_scorechange)",
            "scoring_scorechange: the table elsewhere inherits from it",
            id="entries that stand elsewhere",
        ),
        pytest.param(
            "ALTER TABLE scoring_scorechange ADD COLUMN note text",
            "scoring_scorechange: the column note is none of ours",
            id="a column of somebody else's",
        ),
        pytest.param(
            "ALTER TABLE scoring_fact ALTER COLUMN impact SET DEFAULT 1",
            "scoring_fact: the column impact is not that of the migrations",
            id="another default",
        ),
        pytest.param(
            "CREATE VIEW scores AS SELECT 1 AS one",
            "the view scores is none of ours; yours have their place in another schema",
            id="a view",
        ),
        pytest.param(
            "CREATE FUNCTION noticed() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN END'",
            "the function noticed() is none of ours",
            id="what an event trigger would call",
        ),
        pytest.param(
            "CREATE EVENT TRIGGER noticed ON ddl_command_start EXECUTE FUNCTION elsewhere.noticed()",
            "the event trigger noticed is none of ours",
            id="an event trigger",
        ),
        pytest.param(
            "ALTER FUNCTION moot_entry_project() SECURITY INVOKER",
            "the function moot_entry_project() is not that of the migrations",
            id="whose rights a guard has",
        ),
        pytest.param(
            "CREATE ROLE moot_other; ALTER FUNCTION moot_entry_project() OWNER TO moot_other",
            "the function moot_entry_project() is not that of the migrations",
            id="whose a guard is",
        ),
        pytest.param(
            "CREATE ROLE moot_other; ALTER TABLE debates_event OWNER TO moot_other",
            "debates_event: it belongs to moot_other, and not to the owner of the ledger",
            id="whose a table is",
        ),
        pytest.param(
            "DO $$ DECLARE name text; BEGIN FOR name IN SELECT tgname FROM pg_trigger WHERE tgisinternal"
            " AND tgrelid = 'scoring_fact'::regclass LOOP"
            " EXECUTE format('ALTER TABLE scoring_fact DISABLE TRIGGER %I', name); END LOOP; END $$",
            "scoring_fact: triggers of its foreign keys are switched off: ",
            id="foreign keys that nobody looks at",
        ),
        pytest.param(
            "CREATE FUNCTION pg_catalog.sha256(text) RETURNS bytea LANGUAGE sql AS $$ SELECT ''::bytea $$",
            "the function sha256(text) stands where those of PostgreSQL do",
            id="a function before all others",
        ),
        pytest.param(
            "ALTER ROLE moot_app IN DATABASE {database} SET session_replication_role = replica",
            "connections begin with session_replication_role=replica: guards of foreign keys do not fire",
            id="connections without foreign keys",
        ),
        pytest.param(
            "GRANT UPDATE ON scoring_scorechange TO moot_app",
            "scoring_scorechange: moot_app may UPDATE",
            id="entries that the app role may edit",
        ),
        pytest.param(
            "GRANT UPDATE (text) ON scoring_reason TO moot_app",
            "scoring_reason: moot_app may UPDATE (text)",
            id="a column that the app role may edit",
        ),
        pytest.param(
            "GRANT INSERT ON scoring_erasure TO PUBLIC",
            "scoring_erasure: PUBLIC may INSERT",
            id="erasures that anybody may write",
        ),
        pytest.param(
            "REVOKE INSERT ON debates_event FROM moot_app",
            "debates_event: moot_app may not INSERT",
            id="a right that is missing",
        ),
        pytest.param(
            "GRANT CREATE ON SCHEMA public TO moot_app",
            "schema public: moot_app may make things in it",
            id="a schema that the app role may fill",
        ),
        pytest.param(
            "GRANT EXECUTE ON FUNCTION moot_seal() TO moot_app",
            "the function moot_seal(): moot_app may call it",
            id="a guard that the app role may put on a table of its own",
        ),
        pytest.param(
            "GRANT TEMPORARY ON DATABASE {database} TO PUBLIC",
            "the database: PUBLIC may make temporary tables",
            id="temporary tables",
        ),
        pytest.param("GRANT {owner} TO moot_app", "the role moot_app may act as ", id="the owner's rights"),
        pytest.param(
            "CREATE ROLE moot_between; GRANT {owner} TO moot_between; GRANT moot_between TO moot_app",
            "the role moot_app may act as ",
            id="the owner's rights by way of another role",
        ),
        pytest.param("ALTER ROLE moot_app SUPERUSER", "the role moot_app is a superuser", id="a superuser"),
        pytest.param(
            "ALTER ROLE moot_app REPLICATION", "the role moot_app may replicate", id="a role that may replicate"
        ),
    ],
)
def test_what_does_not_stand_is_named(change, fault):
    sql("CREATE SCHEMA elsewhere")
    sql("CREATE FUNCTION elsewhere.noticed() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN END'")
    [(owner,)] = attacks.run("SELECT tableowner FROM pg_tables WHERE tablename = 'scoring_scorechange'")
    sql(change.format(database=connection.settings_dict["NAME"], owner=owner))
    sql("SET LOCAL ROLE moot_app")

    faults = list(checks.faults(using="default"))

    assert [one for one in faults if one.startswith(fault.format(owner=owner))] == faults != []
    assert [error.msg for error in run_checks(databases=["default"], tags=["database"])] == faults


def test_settings_that_connections_of_the_app_role_begin_with_are_named():
    name = connection.settings_dict["NAME"]
    sql("ALTER ROLE moot_app SET default_transaction_isolation = 'repeatable read'")
    sql(f"ALTER DATABASE {name} SET lock_timeout = 0")
    sql(f"CREATE ROLE moot_report; ALTER ROLE moot_report IN DATABASE {name} SET work_mem = '8MB'")

    warnings = run_checks(databases=["default"], tags=["database"])

    assert {warning.id for warning in warnings} == {"scoring.W004"}
    assert [warning.msg for warning in warnings] == [
        "Connections begin with default_transaction_isolation=repeatable read, which nothing of ours sets.",
        "Connections begin with lock_timeout=0, which nothing of ours sets.",
    ]


def test_what_others_may_only_read_and_tables_of_their_own_are_no_fault():
    sql("CREATE ROLE moot_report; GRANT SELECT ON scoring_evaluation TO moot_report; CREATE TABLE of_ours (id int)")
    sql("SET LOCAL ROLE moot_app")

    assert list(checks.faults(using="default")) == []


def test_a_command_that_checks_the_database_refuses_to_go_on():
    sql("ALTER TABLE scoring_fact DISABLE TRIGGER ALL")

    with pytest.raises(SystemCheckError, match=r"scoring\.E001"):
        call_command("check", databases=["default"])


def test_what_the_owner_is_about_to_grant_anew_does_not_stop_a_migration():
    sql("GRANT UPDATE ON scoring_scorechange TO moot_app; REVOKE INSERT ON debates_event FROM moot_app")

    assert list(checks.faults(using="default")) == []
    call_command("migrate", verbosity=0)

    sql("SET LOCAL ROLE moot_app")
    assert list(checks.faults(using="default")) == []


def test_tables_that_no_migration_made_are_refused():
    sql("DELETE FROM django_migrations WHERE app IN ('debates', 'scoring', 'judging')")
    sql("DROP TRIGGER entry_10_append ON scoring_scorechange")

    [error] = run_checks(databases=["default"], tags=["database"])

    assert error.msg == "scoring_scorechange: the guard entry_10_append is missing"


def test_a_database_on_its_way_to_the_guards_passes_and_is_told_that_nothing_was_compared():
    sql("DELETE FROM django_migrations WHERE app = 'scoring' AND name = '0002_guards'")
    sql("DROP TRIGGER entry_10_append ON scoring_scorechange")

    [warning] = run_checks(databases=["default"], tags=["database"])

    assert (warning.id, warning.is_serious()) == ("scoring.W001", False)
    assert warning.msg == "Migrations wait, so guards were not compared with anything: scoring.0002_guards."


@pytest.mark.parametrize("app", ["config", "mfa", "procrastinate", "sessions"])
def test_a_worker_waits_for_the_migrations_of_every_app(app):
    sql(f"DELETE FROM django_migrations WHERE app = '{app}' AND name LIKE '0001%'")

    [waits] = checks.pending(using="default")

    assert waits.startswith(f"{app}.0001")


def test_a_database_without_our_tables_passes():
    assert list(checks.guards_stand(databases=[])) == []
    sql("ALTER TABLE scoring_scorechange RENAME TO scoring_elsewhere")

    assert list(checks.guards_stand(databases=["default"])) == []


@pytest.mark.parametrize(
    ("setting", "value", "warning"),
    [("SECOND_PERSON_FROM", Decimal(3), "scoring.W002"), ("ORGANISERS_MODERATE", False, "scoring.W003")],
)
def test_a_database_that_was_told_something_else_than_the_settings_say_is_named(settings, setting, value, warning):
    def warnings():
        return [message.id for message in thresholds.as_the_settings_say(databases=["default"])]

    assert warnings() == []
    setattr(settings, setting, value)
    assert warnings() == [warning]
    thresholds.record(app_config=apps.get_app_config("scoring"), using="default")
    assert warnings() == []
