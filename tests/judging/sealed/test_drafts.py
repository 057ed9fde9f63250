"""What the database lets anybody change of a draft, ``verify_ledger`` takes for no forgery."""

import pytest
from django.contrib.auth.models import Group
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from debates.models import SITE
from judging.engine import creation
from judging.formats.registry import FORMATS, format_of
from scoring import change_proof, seal_proof, sealed
from scoring.sealed import Sealed
from scoring.services import rubric_store
from tests import factories, playing
from tests.judging.sealed.columns import bare, columns, ours, run

pytestmark = pytest.mark.django_db
ELSEWHERE = {
    "title": "Soil", "subject": playing.SUBJECT, "rubric": "small", "criteria": ["P1"], "conducted_by": "external",
    "initial": {"P1": {"score": "6.5", "confidence": "0.4"}},
}  # fmt: skip


@pytest.fixture
def drafts() -> list[int]:
    """A draft of each format, and one that is conducted elsewhere, with every trigger, and no constraint."""
    rubric_store.store(snapshot=playing.rubric("P1", "P2"), by=None)
    olga = factories.person("olga")
    olga.groups.add(Group.objects.get(name="Organiser"))
    bodies = [(name, FORMATS[name].example) for name in FORMATS]
    bodies = [(name, {**body, "rubric": "small"} if name == "criterion" else body) for name, body in bodies]
    specs = [
        creation.requested(format_=format_of(name), body=body, by=olga)
        for name, body in [*bodies, ("criterion", ELSEWHERE)]
    ]
    debates = [creation.create_draft(spec=spec, by=olga, now=timezone.now()) for spec in specs]
    connection.check_constraints()
    for table in sorted(ours()):
        bare(table)
    return [debate.pk for debate in debates]


def faults_after(statement: str) -> list[str]:
    """What the proof says of a statement that the database lets pass, which is then undone."""
    with transaction.atomic():
        try:
            with transaction.atomic():
                run(statement)
                connection.check_constraints()
        except DatabaseError:
            return []
        found = [str(fault) for fault in (*seal_proof.faults(None), *change_proof.faults(None))]
        transaction.set_rollback(True)
    return found


def attempts(table: Sealed, chains: list[int]) -> list[str]:
    """What changes each column of the first row of each of these chains, and what removes that."""
    rows = run(
        "SELECT DISTINCT ON (chain) key FROM debates_seal WHERE relation = %s AND chain = ANY (%s) ORDER BY chain, id",
        table.table,
        chains,
    )
    names = [column for column in columns(table.table) if column.name not in table.without]
    where = [f'WHERE "{table.key}" = {key}' for (key,) in rows]
    changes = [f'UPDATE {table.table} SET "{each.name}" = {each.changed} {row}' for each in names for row in where]
    return changes + [f"DELETE FROM {table.table} {row}" for row in where]


def test_what_may_change_of_a_draft_is_no_fault(drafts):
    statements = [statement for table in sealed.TABLES for statement in attempts(table, [SITE, *drafts])]

    assert len(statements) > 100
    assert {statement: found for statement in statements if (found := faults_after(statement))} == {}
