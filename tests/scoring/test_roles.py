"""What the app role may do, and that it may do no more. Web and worker are this role."""

from collections.abc import Iterator

import pytest
from django.apps import apps
from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from scoring import database_grants, verify
from scoring.enums import HeldChoice
from scoring.models import Evaluation
from scoring.services import accounts
from tests import acts, factories
from tests.scoring.history import sql

pytestmark = pytest.mark.django_db
NOW = timezone.now()


@pytest.fixture
def as_app() -> Iterator[None]:
    """Go on as the app role."""
    connection.check_constraints()
    sql(f"SET ROLE {settings.APP_ROLE}")
    yield
    sql("RESET ROLE")


@pytest.fixture
def evaluation() -> Evaluation:
    made = factories.criterion(initial="6")
    factories.count(made, "1")
    factories.moderator("alice")
    return made


def state_after(statement: str) -> str | None:
    """The SQLSTATE with which a statement is refused."""
    try:
        with transaction.atomic():
            sql(statement)
    except DatabaseError as error:
        return getattr(error.__cause__, "sqlstate", None)
    return None


def test_who_owns_the_tables_is_told_from_the_app_role():
    owns = database_grants.owns_tables(using="default")
    sql(f"SET ROLE {settings.APP_ROLE}")
    app_owns = database_grants.owns_tables(using="default")
    sql("RESET ROLE")

    assert (owns, app_owns) == (True, False)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE scoring_evaluation SET computed_score = 9",
        "UPDATE scoring_evaluation SET frozen_at = NULL",
        "UPDATE scoring_evaluation SET version = version + 1",
        "DELETE FROM scoring_evaluation",
        *(
            f"UPDATE {table} SET id = id"
            for table in database_grants.APPEND_ONLY
            if table.startswith(("debates", "scoring"))
        ),
        *(f"DELETE FROM {table}" for table in (*database_grants.APPEND_ONLY, *database_grants.KEPT)),
        *(
            f"TRUNCATE {table} CASCADE"
            for table in (*database_grants.APPEND_ONLY, *database_grants.KEPT, database_grants.LOCKED)
        ),
        "UPDATE judging_verdict SET winner = 'draw'",
        "UPDATE judging_defence SET reply = 'concede'",
        "UPDATE judging_script SET answers = '[]'",
        "UPDATE django_migrations SET applied = now()",
        "DELETE FROM django_migrations",
        "INSERT INTO scoring_erasure DEFAULT VALUES",
        "UPDATE scoring_erasure SET scope = 'user'",
        "DELETE FROM scoring_erasure",
        "ALTER TABLE scoring_scorechange DISABLE TRIGGER ALL",
        "ALTER TABLE scoring_scorechange DROP CONSTRAINT entry_follows_the_one_before",
        "ALTER FUNCTION moot_evaluation_guard() SET search_path = pg_temp",
        "DROP TRIGGER entry_30_append_only ON scoring_scorechange",
        "CREATE TRIGGER mine BEFORE INSERT ON scoring_scorechange FOR EACH ROW EXECUTE FUNCTION moot_refuse('x')",
        "CREATE RULE mine AS ON INSERT TO scoring_scorechange DO INSTEAD NOTHING",
        "CREATE OR REPLACE FUNCTION moot_refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
        "CREATE FUNCTION public.moot_sorted(integer[]) RETURNS bigint[] LANGUAGE sql AS 'SELECT NULL::bigint[]'",
        "CREATE TABLE public.mine (id int)",
        "CREATE TEMP TABLE mine (id int)",
        "SET session_replication_role = replica",
    ],
)
def test_what_the_app_role_must_not_do_is_refused(evaluation, as_app, statement):
    assert state_after(statement) == "42501"


def test_the_one_column_that_lets_the_app_role_lock_is_guarded_all_the_same(evaluation, as_app):
    assert state_after("UPDATE scoring_evaluation SET name = 'other'") == "23001"


@pytest.mark.parametrize("guard", ["moot_entry_project", "moot_seal", "moot_block", "moot_refuse"])
def test_the_app_role_may_put_no_guard_on_a_table_of_its_own(evaluation, as_app, guard):
    sql("RESET ROLE")
    sql(f"GRANT TEMPORARY ON DATABASE {connection.settings_dict['NAME']} TO {settings.APP_ROLE}")
    sql(f"SET ROLE {settings.APP_ROLE}")
    sql("CREATE TEMP TABLE mine (id int)")

    assert state_after(f"CREATE TRIGGER forge AFTER INSERT ON mine FOR EACH ROW EXECUTE FUNCTION {guard}()") == "42501"


@pytest.fixture
def as_app_that_may_more(evaluation: Evaluation) -> Iterator[None]:
    """Go on as the app role with rights that somebody gave it by hand."""
    connection.check_constraints()
    sql(f"GRANT TEMPORARY ON DATABASE {connection.settings_dict['NAME']} TO {settings.APP_ROLE}")
    sql(f"GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public TO {settings.APP_ROLE}")
    sql(f"SET ROLE {settings.APP_ROLE}")
    yield
    sql("RESET ROLE")


def test_a_projection_of_ones_own_gives_the_app_role_no_score(as_app_that_may_more):
    """The projecting function runs with its owner's rights; the guard still compares with the ledger."""
    sql("CREATE TEMP TABLE bait AS SELECT * FROM scoring_scorechange ORDER BY id DESC LIMIT 1")
    sql("CREATE TEMP TABLE hook AS TABLE bait WITH NO DATA")
    sql("UPDATE bait SET sequence = sequence + 1, computed_after = 9, value_after = 9")
    sql("CREATE TRIGGER forge AFTER INSERT ON hook FOR EACH ROW EXECUTE FUNCTION moot_entry_project()")

    assert state_after("INSERT INTO hook TABLE bait") == "23001"


@pytest.mark.parametrize(
    "act", ["INSERT INTO scoring_fact VALUES (1, 1)", "UPDATE scoring_fact SET x = 2", "DELETE FROM scoring_fact"]
)
@pytest.mark.parametrize("guard", ["moot_seal('site', 'id')", "moot_block()"])
def test_a_table_of_ones_own_seals_no_row_of_another(as_app_that_may_more, guard, act):
    """The sealing functions run with their owner's rights, too: a namesake in pg_temp would unseal what is sealed."""
    sql("CREATE TEMP TABLE scoring_fact (id bigint, x int)")
    sql("INSERT INTO pg_temp.scoring_fact VALUES (1, 1)")
    every = "AFTER INSERT OR UPDATE OR DELETE ON pg_temp.scoring_fact FOR EACH ROW"
    sql(f"CREATE TRIGGER forge {every} EXECUTE FUNCTION {guard}")
    act = act.replace("scoring_fact", "pg_temp.scoring_fact")

    assert state_after(act) == "23001"


def test_the_app_role_counts_rounds_and_moderates(as_app):
    alice = factories.moderator()
    debate = factories.debate()
    evaluation = factories.criterion(debate, initial="6")
    first = factories.count(evaluation, "1").facts[0]
    factories.count(evaluation, "2")
    steps = [
        lambda order: acts.freeze(order=order, now=NOW),
        lambda order: acts.unfreeze(order=order, choice=HeldChoice.APPLY, now=NOW),
        lambda order: acts.override(order=order, value="3", now=NOW),
        lambda order: acts.lift(order=order, now=NOW),
        lambda order: acts.strike(order=order, facts=[first.pk], now=NOW),
        lambda order: acts.reinstate(order=order, facts=[first.pk], now=NOW),
        lambda order: acts.roll_back(order=order, target=2, now=NOW),
    ]

    for step in steps:
        step(factories.order(evaluation, alice))
    connection.check_constraints()

    assert Evaluation.objects.get(pk=evaluation.pk).final_score == 7
    assert verify.verify().faults == ()


def test_the_app_role_plays_and_ends_threads(as_app):
    evaluation = factories.criterion(initial="6")
    [locked] = accounts.lock(evaluations=[evaluation.pk])

    accounts.fall_back(evaluation=locked, reason_code="nothing_left_open")
    accounts.complete(evaluation=locked)
    evaluation.thread.status = "failed"
    evaluation.thread.save(update_fields=["status"])
    evaluation.debate.status = "concluded"
    evaluation.debate.save(update_fields=["status"])
    connection.check_constraints()

    assert Evaluation.objects.get(pk=evaluation.pk).debate_complete


def test_the_app_role_reads_every_table_of_ours(as_app):
    for model in apps.get_models():
        assert model.objects.count() >= 0


def test_every_guarded_table_has_its_place_in_the_grants():
    tables = {
        model._meta.db_table
        for label in ("debates", "scoring", "judging")
        for model in apps.get_app_config(label).get_models()
    }
    free = {
        "debates_delivery", "debates_idempotencykey", "debates_mail", "debates_mailstop", "debates_profile",
        "debates_turndraft", "debates_webhook", "judging_cachedjudgement", "judging_callunderway", "judging_newdebate",
        "judging_plannedstart", "scoring_assignment",
    }  # fmt: skip
    placed = {
        *database_grants.APPEND_ONLY,
        *database_grants.KEPT,
        *database_grants.READ_ONLY,
        database_grants.LOCKED,
        *free,
    }

    assert tables == placed - {"django_migrations"}


def privileges() -> list[tuple[object, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname, relacl::text, (SELECT array_agg(attacl::text) FROM pg_attribute WHERE attrelid = c.oid)"
            " FROM pg_class c WHERE relnamespace = 'public'::regnamespace ORDER BY relname"
        )
        return cursor.fetchall()


def test_granting_again_changes_nothing():
    before = privileges()
    for config in apps.get_app_configs():
        database_grants.grant(app_config=config, using="default")

    assert privileges() == before


def test_a_right_that_was_given_by_hand_is_taken_back():
    before = privileges()
    sql(f"GRANT UPDATE, DELETE ON scoring_scorechange, scoring_evaluation TO {settings.APP_ROLE}")
    assert privileges() != before

    for config in apps.get_app_configs():
        database_grants.grant(app_config=config, using="default")

    assert privileges() == before


def test_a_role_that_is_missing_is_made(settings):
    settings.APP_ROLE = "moot_role_of_a_test"

    for config in apps.get_app_configs():
        database_grants.grant(app_config=config, using="default")

    assert state_after("SET LOCAL ROLE moot_role_of_a_test") is None


def test_one_role_for_everything_needs_no_grant(settings):
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user")
        [settings.APP_ROLE] = cursor.fetchone()
    before = privileges()

    for config in apps.get_app_configs():
        database_grants.grant(app_config=config, using="default")

    assert privileges() == before
