"""A word is put wherever a person or a model can put one; debates and people are erased; nothing holds it any more."""

import logging
from contextlib import contextmanager

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection, models, transaction
from django.utils import timezone

from debates.models import Debate
from judging.models import Consensus
from scoring import verify
from scoring.enums import BulkAction
from scoring.models import Evaluation, ScoreChange
from scoring.services import rescore
from tests import factories, rows_in_every_table
from tests.api.clients import Api
from tests.judging.erasure.erase import CANARY, erase
from tests.judging.erasure.erase import everything as dump
from tests.judging.erasure.test_columns import KEPT, TAKEN
from tests.judging.formats.panel.play import alone, played

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
DOCUMENTS = {
    "debates.Delivery.log": [{"problem": CANARY, "answer": CANARY}],
    "judging.NewDebate.body": {"subject": CANARY},
    "judging.Script.answers": [{"answer": CANARY}],
    "judging.ResponseEvaluation.grounds": {"honesty": {"notes": CANARY, "quotes": [CANARY]}},
    "judging.JudgeReport.body": {"kind": "analysis", "strengths": [CANARY]},
    "judging.Synthesis.numbers": {"improvements": [CANARY], "quotes": {"P1": [CANARY]}},
    "scoring.Alert.evidence": {"why": CANARY},
}
"""What a document looks like that holds words, where it is none of text alone."""

APART = {
    "judging.Call.about": "who is judged, by name: it goes where that name goes",
    "debates.IdempotencyKey.body": "sealed: nobody reads it",
    "debates.Mail.secret": "sealed",
    "debates.MailStop.digest": "nobody reads an address out of it",
    "debates.Mail.address": "of an invitation to somebody without an account, and goes with it",
    "debates.Webhook.secret": "sealed",
    "debates.Webhook.former_secret": "sealed",
    **{
        f"judging.CachedJudgement.{name}": "all of them go with any open debate"
        for name in ("digest", "answer", "model", "holder")
    },
}
"""Columns that go, too, and hold no word that anybody could read."""
NAMED = {
    "scoring.Evaluation.name": "WHERE participant_id IS NOT NULL",
    "debates.Participant.name": "WHERE role <> 'judge'",
}
"""Whose names anybody gives: a score of nobody's is named by its rubric, and judges of a panel by us."""


def columns():
    """Yield every column of ours that takes words of people or models, and of accounts what a person fills in."""
    for app in ("debates", "scoring", "judging"):
        for model in apps.get_app_config(app).get_models():
            for field in model._meta.concrete_fields:
                takes = isinstance(field, models.CharField | models.TextField | models.JSONField) and not field.choices
                if (
                    takes
                    and f"{model._meta.label}.{field.name}" not in APART
                    and field.name not in KEPT.get(model._meta.label, ())
                ):
                    yield model, field
    for name in ("first_name", "last_name", "email"):
        yield User, User._meta.get_field(name)


@contextmanager
def without_triggers():
    """Switch every trigger of ours off, those that fire always among them, and on again as they were."""
    ways = {"O": "ENABLE", "A": "ENABLE ALWAYS"}
    with connection.cursor() as cursor:
        cursor.execute("SELECT tgrelid::regclass, tgname, tgenabled FROM pg_trigger WHERE NOT tgisinternal")
        triggers = [(table, name, ways[enabled]) for table, name, enabled in cursor.fetchall() if enabled in ways]
        for table, name, _ in triggers:
            cursor.execute(f'ALTER TABLE {table} DISABLE TRIGGER "{name}"')
        try:
            yield
        finally:
            for table, name, way in triggers:
                cursor.execute(f'ALTER TABLE {table} {way} TRIGGER "{name}"')


def fill():
    """Put the word into every one of these columns, past the guards: many of them would be refused as they stand."""
    filled = set()
    with without_triggers(), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE debates_webhook SET state = 'disabled', disabled_because = 'off'")
        cursor.execute(
            "UPDATE scoring_evaluation e SET participant_id = p.id FROM debates_participant p"
            " WHERE p.debate_id = e.debate_id AND p.name = 'Mira' AND e.instrument = 'adherence'"
        )
        named = {"name": CANARY, "evaluation": str(Evaluation.objects.filter(instrument="adherence").get().public_id)}
        for model, field in columns():
            name = f"{model._meta.label}.{field.name}"
            where, column = model._meta.db_table, field.column
            if name in DOCUMENTS or isinstance(field, models.JSONField):
                rows = model._default_manager.all()
                document = DOCUMENTS.get(name)
                for row in rows:
                    value = [{**line, **named} for line in row.lines] if document is None else document
                    model._default_manager.filter(pk=row.pk).update(**{field.name: value})
            else:
                longest = field.max_length or 10_000
                which = NAMED.get(name, "")
                cursor.execute(
                    f'UPDATE "{where}" SET "{column}" = left("{column}", %s) || %s {which}',
                    [longest - len(CANARY), CANARY],
                )
            cursor.execute(f'SELECT count(*) FROM "{where}" WHERE "{column}"::text LIKE %s', [f"%{CANARY}%"])
            if cursor.fetchone() != (0,):
                filled.add(name)
        cursor.execute("UPDATE debates_debate SET status = 'concluded'")
    return filled


def holders():
    """Return every table that still holds the word, with a row."""
    return {line for line in dump().splitlines() if CANARY in line}


def test_no_word_of_anybody_is_left_in_any_column_once_all_is_erased():
    rows_in_every_table.one("first")
    filled = fill()
    alice = factories.person("alice", superuser=True)

    assert filled == {f"{model._meta.label}.{field.name}" for model, field in columns()}
    assert {f"{label}.{name}" for label, names in TAKEN.items() for name in names} - set(APART) <= filled
    for debate in Debate.objects.all():
        erase(debate, alice)
    for person in User.objects.exclude(pk=alice.pk):
        erase(person, alice)
    assert holders() == set()


def test_no_word_that_comes_by_the_api_is_left_beside_the_reason_it_came_with(caplog):
    for name in ("config", "debates", "scoring", "judging"):
        caplog.set_level(logging.INFO, logger=name)
    bob = factories.moderator(f"bob-{CANARY}")
    evaluation = factories.criterion(initial="6")
    factories.count(evaluation, "1")
    api = Api(bob)
    path = f"/evaluations/{evaluation.public_id}"
    because = {"reason": f"{CANARY} misread it all."}

    refused = api.post(f"{path}/freeze/", {**because, "reason_code": CANARY})
    frozen = api.post(f"{path}/freeze/", {**because, "reason_code": "appeal"}, Idempotency_Key=f"for-{CANARY}")
    again = api.post(f"{path}/freeze/", {**because, "reason_code": "appeal"}, Idempotency_Key=f"for-{CANARY}")

    assert (refused.status_code, frozen.status_code, again.headers["Idempotency-Replayed"]) == (400, 200, "true")
    assert len(ScoreChange.objects.get(kind="freeze").idempotency_key) == 64
    assert "kind='freeze'" in caplog.text
    assert "api key issued" in caplog.text
    assert CANARY not in caplog.text
    Debate.objects.update(status="concluded")
    alice = factories.person("alice", superuser=True)
    erase(evaluation.debate, alice)
    erase(bob, alice)
    assert holders() == set()


@pytest.mark.parametrize("end", ["staged", "cancelled"])
def test_why_a_set_was_staged_and_cancelled_goes_with_a_debate_that_is_in_it(end):
    alice, evaluation = factories.moderator("alice"), factories.criterion(initial="6")
    about = {"by": alice, "now": timezone.now()}
    staged = rescore.stage(
        action=BulkAction.FREEZE, rows=[(evaluation.pk, None)], reason=f"{CANARY} asked for it.", **about
    )
    if end == "cancelled":
        rescore.cancel(set_id=staged.pk, reason=f"{CANARY} thought again.", **about)
    Debate.objects.update(status="concluded")
    assert len(holders()) == (2 if end == "cancelled" else 1)

    erase(evaluation.debate, alice)

    assert holders() == set()


def test_why_a_criterion_does_not_apply_goes_with_its_panel():
    alice = factories.moderator("alice")
    left_out = {"tests": f"{CANARY} keeps them elsewhere."}
    answers = alone(*[("4", "4")] * 3)
    for answer in answers:
        answer["answer"]["criteria"] = answer["answer"]["criteria"][:1]
    debate = played(answers, not_applicable=left_out)
    assert CANARY in str(debate.parameters)
    assert Consensus.objects.get().policy["not_applicable"] == ["tests"]

    erase(debate, alice)

    assert holders() == set()
    debate.refresh_from_db()
    assert debate.parameters["panel"]["not_applicable"] == {"tests": "[erased]"}
    assert verify.verify().faults == ()
