"""What an erasure locks: one order for what is sent outside, and nobody acts while they are erased."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import OperationalError, connection, connections, transaction
from django.urls import reverse
from django.utils import timezone

from debates import event_log
from debates.errors import NotAllowedNow, NotPermitted
from debates.mail import outbox
from debates.models import Debate, Delivery, Mail, Webhook
from debates.services import deliveries, invitations, keys
from debates.services.idempotency import in_one_transaction
from debates.services.invitations import Offer
from debates.types import DeliveryState, MailKind, News
from judging.engine import appeals, creation, erasure, retention
from scoring.enums import AppealGround, BulkAction
from scoring.models import Approval, Evaluation, RescoreSet, ScoreChange
from scoring.services import approvals, conflicts, rescore
from scoring.services.entries import actor_of, reason_record
from tests import acts, factories
from tests.judging.erasure.erase import erase, everything, seated
from tests.judging.formats.open.test_verify import unguarded
from tests.judging.test_retention import call, ended
from tests.moderators import client_of, proved

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
WAITING = "SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))"


@pytest.fixture
def webhook() -> Webhook:
    """A webhook of somebody who took part in a debate that is over, with deliveries that a scan finds newest first."""
    owner = factories.person("bob")
    debate = seated("Bob Stone", owner, status="concluded").debate
    row = Webhook.objects.create(owner=owner, debate=debate, url="https://example.org/", secret="whsec_1")
    for number in range(3):
        event_log.append(debate_id=debate.pk, news=[News("debate:paused", {})], now=timezone.now())
        Delivery.objects.get_or_create(
            webhook=row, event=debate.events.latest("seq"), defaults={"due_at": timezone.now()}
        )
        assert Delivery.objects.count() == number + 1
    for delivery in Delivery.objects.order_by("-pk"):
        Delivery.objects.filter(pk=delivery.pk).update(
            state=DeliveryState.DEAD.value, due_at=None, settled_at=timezone.now() - timedelta(days=9)
        )
    return row


@contextmanager
def beside(job: Callable[[], object]) -> Iterator[Callable[[], None]]:
    """Give what begins a job on another connection and returns once it waits for this one; end it afterwards."""
    failed: list[BaseException] = []

    def run() -> None:
        try:
            job()
        except BaseException as error:  # noqa: BLE001 -- the test looks at it
            failed.append(error)
        finally:
            connections.close_all()

    thread = threading.Thread(target=run)

    def begin() -> None:
        thread.start()
        end = time.monotonic() + 120
        while thread.is_alive() and time.monotonic() < end:
            with connection.cursor() as cursor:
                cursor.execute(WAITING)
                if cursor.fetchone() != (0,):
                    return
            time.sleep(0.02)
        raise AssertionError(f"it does not wait: {failed}")

    try:
        yield begin
    finally:
        thread.join()
    assert failed == []


ACTS: dict[str, Callable[[Webhook], object]] = {
    "a person": lambda row: erase(row.owner, factories.moderator("root")),
    "a voice": lambda _row: erase(Debate.objects.get().participants.get(), factories.moderator("root")),
    "a debate": lambda _row: erase(Debate.objects.get(), factories.moderator("root")),
    "what is old": lambda _row: retention.retain(before=timezone.now() - timedelta(days=2), now=timezone.now()),
}


@pytest.mark.parametrize("act", ACTS)
def test_deliveries_are_locked_by_ascending_id(webhook, act):
    first, *others = Delivery.objects.order_by("pk").values_list("pk", flat=True)

    with beside(lambda: ACTS[act](webhook)) as begin, transaction.atomic():
        Delivery.objects.select_for_update(no_key=True).get(pk=first)
        begin()
        free = set(Delivery.objects.select_for_update(skip_locked=True).values_list("pk", flat=True))

    assert free == {first, *others}
    assert not Delivery.objects.exists()


def test_answers_that_go_with_time_let_others_write_events_and_alerts_of_their_debates():
    with transaction.atomic():
        debate = ended("concluded", days=40)
        answer = call(debate, days=41)
    looked: list[object] = []

    def look() -> None:
        try:
            with connection.cursor() as cursor:
                cursor.execute("SELECT id FROM debates_debate WHERE id = %s FOR KEY SHARE NOWAIT", [debate.pk])
                looked.extend(cursor.fetchall())
        except OperationalError as error:
            looked.append(error)
        finally:
            connections.close_all()

    with transaction.atomic():
        retention.empty_answers(timezone.now() - timedelta(days=30), [answer.pk])
        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
        transaction.set_rollback(True)

    assert looked == [(debate.pk,)]


def test_a_webhook_is_locked_before_its_deliveries(webhook):
    with beside(lambda: ACTS["a person"](webhook)) as begin, transaction.atomic():
        Webhook.objects.select_for_update(no_key=True).get(pk=webhook.pk)
        begin()
        free = list(Delivery.objects.select_for_update(skip_locked=True))

    webhook.refresh_from_db()
    assert len(free) == 3
    assert webhook.disabled_because == "erased"


def test_while_somebody_is_erased_events_that_their_webhook_hears_of_are_written_and_it_is_told_of_none(webhook):
    debate, root, failed = factories.debate(), factories.moderator("root"), list[BaseException]()
    hook = Webhook.objects.create(owner=webhook.owner, url="https://example.org/all", secret="whsec_1")

    def write() -> None:
        try:
            with connection.cursor() as cursor:
                cursor.execute("SET lock_timeout = '500ms'")
            event_log.append(debate_id=debate.pk, news=[News("debate:paused", {})], now=timezone.now())
        except OperationalError as error:
            failed.append(error)
        finally:
            connections.close_all()

    with transaction.atomic():
        erasure.erase.__wrapped__(order=erasure.Order(target=webhook.owner, by=root, reason=factories.REASON))
        thread = threading.Thread(target=write)
        thread.start()
        thread.join()
    bundle = deliveries.claim(webhook_id=hook.pk, most=5, now=timezone.now())

    assert (failed, debate.events.count(), bundle) == ([], 1, deliveries.NOTHING)
    assert Delivery.objects.get(webhook=hook).state == "dead"


def test_a_set_that_is_staged_while_a_voice_is_erased_keeps_no_name_of_it():
    bob, root, alice = seated("Bob Stone"), factories.moderator("root"), factories.moderator()
    score = factories.criterion(bob.debate)
    with unguarded(Evaluation):
        Evaluation.objects.filter(pk=score.pk).update(participant=bob, name="Bob Stone")
    Debate.objects.update(status="concluded")
    staged = {"action": BulkAction.FREEZE, "rows": [(score.pk, None)], "reason": factories.REASON}

    with beside(lambda: rescore.stage(**staged, by=alice, now=timezone.now())) as begin, transaction.atomic():
        erasure.erase.__wrapped__(order=erasure.Order(target=bob, by=root, reason=factories.REASON))
        begin()

    assert [line["name"] for line in RescoreSet.objects.get().lines] == ["P1 [erased 1]"]


def erase_unfinished(person: User, root: User) -> None:
    """Erase somebody in the transaction that is open."""
    erasure.erase.__wrapped__(order=erasure.Order(target=person, by=root, reason=factories.REASON))


@pytest.fixture
def zora() -> User:
    """Somebody whose name and words are looked for; their own address is the site's to write to."""
    return factories.moderator("zoraquill")


SAYS = "It says so, and I am Zora Quill."
BY_ZORA: dict[str, Callable[[User], object]] = {
    "a score is frozen": lambda zora: acts.freeze(
        order=factories.order(Evaluation.objects.get(), zora, reason=SAYS), now=timezone.now()
    ),
    "a conflict is declared": lambda zora: conflicts.declare(
        debate_id=Debate.objects.get().pk, by=zora, reason=SAYS, now=timezone.now()
    ),
    "an appeal is filed": lambda zora: appeals.file(
        debate_id=Debate.objects.get().pk, by=zora, ground=AppealGround.OTHER, words=SAYS, now=timezone.now()
    ),
    "a key is made": lambda zora: keys.issue(
        owner=zora, by=zora, name="Zora Quill's", scopes=["read"], now=timezone.now()
    ),
    "somebody is invited": lambda zora: invitations.invite(
        offer=Offer(email="quill@example.org"), by=zora, now=timezone.now()
    ),
    "a form is kept": lambda zora: creation.begin_new_debate(
        format_name="panel", by=zora, body={"task": "Of Zora Quill."}
    ),
}


@pytest.mark.parametrize("act", BY_ZORA)
def test_what_somebody_does_while_they_are_erased_waits_and_is_refused(zora, act):
    root, debate = factories.moderator("root"), factories.criterion().debate
    debate.memberships.create(user=zora, role="guest", created_at=timezone.now())
    refusals: list[str] = []

    def attempt() -> None:
        with pytest.raises(NotPermitted) as caught:
            BY_ZORA[act](zora)
        refusals.append(caught.value.message)

    with beside(attempt) as begin, transaction.atomic():
        erase_unfinished(zora, root)
        begin()

    assert refusals == ["This account is closed."]
    assert "quill" not in everything().lower()


def test_an_address_that_somebody_asks_for_while_they_are_erased_is_not_kept(zora):
    root, client = factories.moderator("root"), proved(client_of(zora))
    answers: list[int] = []

    def attempt() -> None:
        page = client.post(reverse("account_email"), {"email": "quill@example.org", "action_add": ""})
        answers.append(page.status_code)

    with beside(attempt) as begin, transaction.atomic():
        erase_unfinished(zora, root)
        begin()

    assert answers == [403]
    assert "quill" not in everything().lower()


def test_an_erasure_waits_for_what_the_person_is_doing_and_takes_it(zora):
    root = factories.moderator("root")
    factories.criterion()

    with beside(lambda: erase(zora, root)) as begin, in_one_transaction():
        BY_ZORA["a score is frozen"](zora)
        begin()

    assert ScoreChange.objects.filter(kind="freeze").count() == 1
    assert "quill" not in everything().lower()


def test_whoever_writes_to_somebody_waits_for_no_erasure_of_them(zora, settings):
    settings.MAIL_IS_SENT = True
    root, debate = factories.moderator("root"), seated("Zora Quill", zora, status="concluded").debate

    with beside(lambda: erase(zora, root)) as begin, transaction.atomic():
        Debate.objects.select_for_update(no_key=True).get(pk=debate.pk)
        begin()
        outbox.due(
            kind=MailKind.CONCLUDED, about=debate.public_id, people=[zora.pk], debate_id=debate.pk, now=timezone.now()
        )

    assert Mail.objects.count() == 0
    assert "quill" not in everything().lower()


def test_an_approval_waits_for_who_asked_for_it_before_it_locks_anything(zora):
    score = factories.criterion()
    asked = Approval.objects.create(
        evaluation=score,
        value="5",
        value_seen="7",
        seen=0,
        door="moderator",
        requested_by=actor_of(zora),
        because=reason_record(SAYS),
    )
    second = factories.moderator("second")

    def attempt() -> None:
        with pytest.raises(NotAllowedNow):
            approvals.approve(approval_id=asked.pk, by=second, reason=factories.REASON, now=timezone.now())

    with beside(attempt) as begin, transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(erasure.ALONE, [[zora.pk]])
        begin()
        free = list(Debate.objects.select_for_update(skip_locked=True))
        User.objects.filter(pk=zora.pk).update(is_active=False)

    assert free == [score.debate]


def test_of_two_superusers_who_erase_each_other_one_stays(zora):
    root, refusals = factories.moderator("root"), list[str]()

    def attempt() -> None:
        with pytest.raises(NotPermitted) as caught:
            erase(root, zora)
        refusals.append(caught.value.message)

    with beside(attempt) as begin, transaction.atomic():
        erase_unfinished(zora, root)
        begin()

    assert refusals == ["This account is closed."]
    assert User.objects.get(is_superuser=True, is_active=True) == root


def test_of_two_superusers_whom_somebody_else_erases_at_once_one_stays(zora):
    root, alice, refusals = factories.moderator("root"), factories.person("alice"), list[str]()
    actor_of(alice)  # two who write the same new one wait for each other anyway

    def attempt() -> None:
        with pytest.raises(NotAllowedNow) as caught:
            erase(root, alice)
        refusals.append(caught.value.message)

    with beside(attempt) as begin, transaction.atomic():
        erase_unfinished(zora, alice)
        begin()

    assert refusals == ["This is the last superuser; make another first."]
    assert User.objects.get(is_superuser=True, is_active=True) == root
