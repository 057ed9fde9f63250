"""What the app role may do, granted after every migration: the owner migrates, web and worker are the app role."""

from typing import Any

from django.apps import AppConfig, apps
from django.conf import settings
from django.db import connections, transaction
from django.db.models.signals import post_migrate
from django.dispatch import receiver
from psycopg import sql

APPEND_ONLY = (
    "debates_acceptance", "debates_awaitedturn", "debates_ballot", "debates_event", "debates_subject", "debates_turn",
    "scoring_actor", "scoring_brokenseal", "scoring_conflict", "scoring_criterion", "scoring_fact",
    "scoring_internalnote", "scoring_reason", "scoring_remark", "scoring_replacedjudge", "scoring_rubric",
    "scoring_scorechange",
    "judging_call", "judging_challenge", "judging_consensus", "judging_defence", "judging_effect",
    "judging_judgereport", "judging_judgescore", "judging_participantstate", "judging_responseevaluation",
    "judging_script", "judging_standing", "judging_synthesis", "judging_verdict",
)  # fmt: skip
"""Tables of which the app role may read and add rows, and no more."""

KEPT = (
    "debates_apikey", "debates_debate", "debates_epoch", "debates_eventhead", "debates_invitation",
    "debates_membership", "debates_participant", "debates_round", "debates_thread",
    "scoring_alert", "scoring_appeal", "scoring_approval", "scoring_rescoreset", "judging_claim", "judging_review",
)  # fmt: skip
"""Tables whose rows the app role may also update, and never delete."""

READ_ONLY = (
    "debates_block", "debates_seal", "django_migrations", "scoring_alertanswer", "scoring_erasure",
    "scoring_organiserrule", "scoring_threshold",
)  # fmt: skip
"""Tables that the owner alone writes: triggers do seals and blocks, a command erasures, under which words may go."""

LOCKED = "scoring_evaluation"
"""The projection: locking a row needs the right to update one column; the guard lets the app role change none."""

TAKEN_BACK = (("UPDATE, DELETE", (*APPEND_ONLY, LOCKED)), ("DELETE", KEPT), ("INSERT, UPDATE, DELETE", READ_ONLY))
"""What is taken back of the right to read and write every table."""


UNUSED = """DO $$
DECLARE
  guard regprocedure;
BEGIN
  FOR guard IN SELECT p.oid FROM pg_proc p
    WHERE p.pronamespace = 'public'::regnamespace AND p.prorettype = 'trigger'::regtype AND p.proname ~ '^moot_'
  LOOP
    EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC, {role}', guard);
  END LOOP;
  IF EXISTS (SELECT FROM pg_database d, aclexplode(coalesce(d.datacl, acldefault('d', d.datdba))) x
    WHERE d.datname = current_database() AND x.privilege_type = 'TEMPORARY' AND x.grantee <> d.datdba
    AND pg_has_role(current_user, d.datdba, 'USAGE'))
  THEN
    EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC, {role}', current_database());
  END IF;
END $$"""
"""Takes what nobody needs: a trigger fires without a right to its function, and nothing of ours is temporary."""


@receiver(post_migrate, dispatch_uid="scoring.database_grants.grant")
def grant(*, app_config: AppConfig, using: str, **_rest: Any) -> None:
    """Create the app role where there is none and give it what it needs; repeating it changes nothing.

    Source: docs/reference/database-roles.md.
    """
    last = [config for config in apps.get_app_configs() if config.models_module is not None][-1]
    if app_config is not last or connections[using].vendor != "postgresql":
        return
    role = sql.Identifier(settings.APP_ROLE)
    # One transaction: nobody sees the moment between a grant on all tables and what is taken back of it.
    with transaction.atomic(using=using), connections[using].cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [settings.APP_ROLE])
        if cursor.fetchone() is None:
            cursor.execute(sql.SQL("CREATE ROLE {} NOLOGIN").format(role))
        cursor.execute("SELECT rolname = %s FROM pg_roles WHERE rolname = current_user", [settings.APP_ROLE])
        if cursor.fetchone() == (True,):
            return  # one role for everything: it owns the tables and needs no grant
        existing = set(connections[using].introspection.table_names())
        for statement in statements(existing=existing):
            cursor.execute(sql.SQL(statement).format(role=role))


def owns_tables(*, using: str) -> bool:
    """Say whether who is connected may do what the owner of our tables may; so may anybody while there are none."""
    with connections[using].cursor() as cursor:
        cursor.execute(
            "SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = to_regclass(%s)", [f"public.{LOCKED}"]
        )
        return cursor.fetchone() in {None, (True,)}


def statements(*, existing: set[str]) -> list[str]:
    """Return the grants in order; ``{role}`` stands for the app role."""
    present = [(rights, [table for table in tables if table in existing]) for rights, tables in TAKEN_BACK]
    return [
        "REVOKE CREATE ON SCHEMA public FROM PUBLIC",
        "GRANT USAGE ON SCHEMA public TO {role}",
        "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {role}",
        "GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {role}",
        "GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public TO {role}",
        UNUSED,
        *(f"REVOKE {rights} ON {', '.join(tables)} FROM {{role}}" for rights, tables in present if tables),
        *([f"GRANT UPDATE (name) ON {LOCKED} TO {{role}}"] if LOCKED in existing else []),
    ]


def due(*, existing: set[str]) -> set[tuple[str, str, str]]:
    """Return every right that the app role is to have, as (table, column, right)."""
    writes = {table: {"SELECT", "INSERT", "UPDATE", "DELETE"} for table in existing}
    for rights, tables in TAKEN_BACK:
        for table in set(tables) & existing:
            writes[table] -= set(rights.split(", "))
    rights_due = {(table, "", right) for table, rights in writes.items() for right in rights}
    return rights_due | ({(LOCKED, "name", "UPDATE")} & {(table, "name", "UPDATE") for table in existing})
