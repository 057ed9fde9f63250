"""Whoever acts is written down before anything is locked, so that two who act cannot wait for each other for ever."""

from decimal import Decimal

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from debates.errors import NotAllowedNow
from debates.models import SITE, Block, Debate, Subject
from judging.engine import lifecycle
from scoring import verify
from scoring.enums import AlertState, BulkAction, EntryKind, HeldChoice
from scoring.models import Actor, Alert, Approval, Evaluation, Fact, Reason, RescoreSet
from scoring.services import alerts, approvals, bulk, moderation, rescore
from scoring.services.actions import Intent
from scoring.services.bulk import BulkOrder
from tests import acts, factories, playing
from tests.playing import ruling, script
from tests.scoring.concurrency import at_once

pytestmark = pytest.mark.django_db(transaction=True)
NOW = timezone.now()
REASON = factories.REASON


def score(*, frozen: bool = False) -> Evaluation:
    """A score with one extreme round, so that it has a fact and an alert; its debate has ended."""
    evaluation = factories.criterion()
    factories.count(evaluation, "3")
    Debate.objects.update(status="concluded")
    if frozen:
        acts.freeze(order=factories.order(evaluation, factories.moderator("dora"), seen=None), now=NOW)
    return Evaluation.objects.get(pk=evaluation.pk)


def at(choice=HeldChoice.APPLY, then=None, *, frozen=True):
    return lambda one, by: acts.unfreeze(order=factories.order(one, by), choice=choice, then=then, now=NOW)


def rows(one):
    return [(one.pk, one.moderation_version)]


def staged(one):
    return rescore.stage(
        action=BulkAction.ROLLBACK, rows=rows(one), reason=REASON, by=factories.moderator("erin"), now=NOW
    )


def asked(one):
    acts.override(order=factories.order(one, factories.moderator("erin")), value="1", now=NOW)


ACTS = {
    "freeze": (False, None, lambda one, by: acts.freeze(order=factories.order(one, by), now=NOW)),
    "unfreeze": (True, None, at()),
    "unfreeze and roll back": (True, None, at(then=Intent(EntryKind.ROLLBACK, target=1))),
    "override": (False, None, lambda one, by: acts.override(
        order=factories.order(one, by), value="8", now=NOW)),
    "ask": (False, None, lambda one, by: acts.override(
        order=factories.order(one, by), value="1", now=NOW)),
    "approve": (False, asked, lambda one, by: approvals.approve(
        approval_id=Approval.objects.get().pk, by=by, reason=REASON, now=NOW)),
    "refuse": (False, asked, lambda one, by: approvals.refuse(
        approval_id=Approval.objects.get().pk, by=by, reason=REASON, now=NOW)),
    "strike": (False, None, lambda one, by: acts.strike(
        order=factories.order(one, by), facts=list(Fact.objects.values_list("pk", flat=True)), now=NOW)),
    "roll back": (False, None, lambda one, by: acts.roll_back(
        order=factories.order(one, by), target=1, now=NOW)),
    "roll back a debate": (False, None, lambda one, by: moderation.roll_back_debate(
        debate_id=one.debate_id, by=by, reason=REASON, now=NOW)),
    "many": (False, None, lambda one, by: bulk.act(
        order=BulkOrder(action=BulkAction.ROLLBACK, rows=rows(one), by=by, reason=REASON), now=NOW)),
    "stage a set": (False, None, lambda one, by: rescore.stage(
        action=BulkAction.ROLLBACK, rows=rows(one), reason=REASON, by=by, now=NOW)),
    "apply a set": (False, staged, lambda one, by: rescore.apply(set_id=RescoreSet.objects.get().pk, by=by, now=NOW)),
    "cancel a set": (False, staged, lambda one, by: rescore.cancel(
        set_id=RescoreSet.objects.get().pk, by=by, reason=REASON, now=NOW)),
    "handle an alert": (False, None, lambda one, by: alerts.handle(
        alert_ids=[Alert.objects.get().pk], by=by, state=AlertState.DISMISSED, reason=REASON, now=NOW)),
}  # fmt: skip


def order_of(queries):
    """The places of the first statement that writes an actor, and of the first that locks a row."""
    statements = [one["sql"] for one in queries]
    writes = next(at for at, sql in enumerate(statements) if sql.startswith('INSERT INTO "scoring_actor"'))
    begun = max((at for at, sql in enumerate(statements[:writes]) if sql == "BEGIN"), default=0)
    locked = (at for at, sql in enumerate(statements) if at > begun and "FOR NO KEY UPDATE" in sql)
    locks = next(locked, len(statements))
    return writes, locks


@pytest.mark.parametrize("name", ACTS)
def test_who_acts_is_written_down_before_anything_is_locked(name, settings):
    settings.SECOND_PERSON_FROM = Decimal(5)
    frozen, before, act = ACTS[name]
    one = score(frozen=frozen)
    if before:
        before(one)
    alice = factories.moderator()

    with CaptureQueriesContext(connection) as seen:
        act(one, alice)

    writes, locks = order_of(seen.captured_queries)
    assert writes < locks


def test_who_reruns_is_written_down_before_anything_is_locked():
    debate = playing.debate(script([[ruling("1")]]), rounds=1)
    playing.work()
    alice = factories.moderator()

    with CaptureQueriesContext(connection) as seen:
        lifecycle.rerun(debate_id=debate.pk, by=alice, reason=REASON, now=NOW)

    writes, locks = order_of(seen.captured_queries)
    assert writes < locks


def test_what_is_looked_at_before_a_rerun_leaves_no_reason_behind():
    debate = playing.debate(script([[ruling("1")]]), rounds=1)
    playing.work()

    lifecycle.rerun(debate_id=debate.pk, by=factories.moderator(), reason=REASON, now=NOW)

    assert list(Reason.objects.values_list("text", flat=True)) == [REASON]


def test_an_alert_is_handled_once_however_often_somebody_asks():
    score()
    alert, alice = Alert.objects.get(), factories.moderator()

    def dismiss() -> Alert:
        return alerts.handle(alert_ids=[alert.pk], by=alice, state=AlertState.DISMISSED, reason=REASON, now=NOW)[0]

    refusals = [str(one) for one in at_once(*[dismiss] * 4) if not isinstance(one, Alert)]

    assert refusals == [f"alice has dismissed this alert already, at {NOW:%Y-%m-%d %H:%M} UTC."] * 3
    assert Actor.objects.filter(name="alice").count() == 1


@pytest.mark.parametrize(
    ("first", "then", "allowed"),
    [
        (AlertState.ACKNOWLEDGED, AlertState.DISMISSED, True),
        (AlertState.ACKNOWLEDGED, AlertState.ACKNOWLEDGED, False),
        (AlertState.ACKNOWLEDGED, AlertState.OPEN, True),
        (AlertState.DISMISSED, AlertState.ACKNOWLEDGED, False),
        (AlertState.DISMISSED, AlertState.OPEN, True),
    ],
)
def test_what_may_follow_on_the_first_handling_of_an_alert(first, then, allowed):
    score()
    alert, alice = Alert.objects.get(), factories.moderator()
    alerts.handle(alert_ids=[alert.pk], by=alice, state=first, reason=REASON, now=NOW)

    if allowed:
        [handled] = alerts.handle(alert_ids=[alert.pk], by=alice, state=then, reason=REASON, now=NOW)
        assert handled.state == then
    else:
        with pytest.raises(NotAllowedNow):
            alerts.handle(alert_ids=[alert.pk], by=alice, state=then, reason=REASON, now=NOW)


def subject(number: int = 0) -> Subject:
    """Write something of no debate, which the chain of the site covers."""
    return Subject.objects.create(title=f"Subject {number}", text="Some words about it.")


def test_whoever_may_only_connect_holds_up_nobody_who_writes():
    subject()
    reader = connection.copy()
    try:
        with reader.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(hashtextextended('debates_block', 0))")
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL lock_timeout = '500ms'")
            subject()
    finally:
        reader.close()

    assert Subject.objects.count() == 2


def test_who_writes_of_no_debate_at_once_writes_one_block_after_the_other():
    def write() -> None:
        for number in range(5):
            subject(number)

    assert at_once(*[write] * 4) == [None] * 4
    assert list(Block.objects.filter(chain=SITE).order_by("number").values_list("number", flat=True)) == [*range(1, 21)]
    assert verify.verify().faults == ()
