"""Webhooks: told of everything exactly as it was logged, signed, tried again, and never sent to a private address."""

import asyncio
import json
import threading
import time
from datetime import timedelta
from functools import partial
from operator import itemgetter

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import User
from django.db import connection, connections, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from debates import event_log, signing
from debates.errors import NotAllowedNow, NotFound, NotPermitted
from debates.models import Delivery, Webhook
from debates.services import deliveries, webhooks
from debates.sharing import Recipient
from debates.types import Audience, News
from debates.webhook_client import Answer
from judging.engine import tasks
from judging.engine.db_threads import in_thread
from scoring import verify
from tests import factories, playing
from tests.api.clients import Api, code_of
from tests.api.webhook_receiver import NOW, claim, happen, hook, verified, work
from tests.judging.test_locks import is_waited_for


@pytest.mark.django_db
def test_every_event_is_delivered_once_as_it_was_logged_and_signed(receiver):
    made, secret = hook(receiver)
    evaluation = factories.criterion()
    factories.count(evaluation, "1", "0.5")
    happen(evaluation.debate)

    attempts = work()

    told = [json.loads(body) for _, body in receiver.got]
    logged = list(evaluation.debate.events.order_by("seq"))
    assert attempts == len(logged)
    assert [(one["seq"], one["epoch"], one["type"], one["data"], one["debate"]) for one in told] == [
        (one.seq, str(event_log.epoch()), one.type, one.data, str(evaluation.debate.public_id)) for one in logged
    ]
    assert all(verified(headers, body, secret) for headers, body in receiver.got)
    assert not any(verified(headers, body + b" ", secret) for headers, body in receiver.got)
    assert set(made.deliveries.values_list("state", flat=True)) == {"delivered"}
    assert work() == 0


@pytest.mark.django_db(transaction=True)
def test_a_worker_delivers_by_itself(receiver):
    made, _ = hook(receiver)
    happen(factories.debate())

    async def until_delivered() -> None:
        telling = asyncio.create_task(tasks.tell_webhooks())
        async with asyncio.timeout(20):
            while await made.deliveries.filter(state="delivered").acount() == 0:  # noqa: ASYNC110 -- the database tells
                await asyncio.sleep(0.05)
        telling.cancel()
        await sync_to_async(connections.close_all)()

    asyncio.run(until_delivered())

    assert len(receiver.got) == 1


@pytest.mark.django_db
def test_what_is_due_is_so_at_once_though_the_clock_of_who_wrote_it_is_ahead(receiver):
    made, _ = hook(receiver)
    ahead = timezone.now() + timedelta(days=300)

    event_log.append(debate_id=factories.debate().pk, news=[News("debate:paused", {})], now=ahead)
    test = webhooks.send_test(webhook_id=made.pk, by=made.owner, now=ahead)
    work(timezone.now() + timedelta(seconds=1))
    delivered = len(receiver.got)
    webhooks.redeliver(delivery_id=test.pk, by=made.owner, now=ahead)
    work(timezone.now() + timedelta(seconds=1))

    assert (delivered, len(receiver.got)) == (2, 3)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_fifty_that_answer_nothing_keep_nobody_waiting_who_answers_at_once(receiver, silent):
    slow = factories.moderator("slow")
    for _ in range(webhooks.MOST_EACH):
        hook(silent, owner=slow)
    debate = factories.debate()
    happen(debate)
    healthy, _ = hook(receiver, owner=factories.moderator("healthy"))

    async def until_delivered() -> int:
        telling = asyncio.create_task(tasks.tell_webhooks())
        async with asyncio.timeout(60):
            while silent.asked < webhooks.MOST_EACH:  # noqa: ASYNC110 -- another thread tells
                await asyncio.sleep(0.05)
            await sync_to_async(happen)(debate, *[News("debate:paused", {})] * 40)
            while await healthy.deliveries.filter(state="delivered").acount() < 40:  # noqa: ASYNC110 -- as above
                await asyncio.sleep(0.05)
        answered = await Delivery.objects.exclude(webhook=healthy).exclude(log=[]).acount()
        silent.let_go()
        telling.cancel()
        await asyncio.gather(telling, return_exceptions=True)
        await sync_to_async(connections.close_all)()
        return answered

    answered = asyncio.run(until_delivered())

    assert (answered, len(receiver.got)) == (0, 40)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_debate_is_played_to_its_end_while_every_webhook_is_dead(receiver, silent):
    receiver.answer, slow = None, factories.moderator("slow")
    for _ in range(webhooks.MOST_EACH):
        hook(silent, owner=slow)
    hook(receiver, owner=factories.moderator("broken"))
    debate = playing.debate(playing.script([[playing.ruling("1")]]), rounds=1)

    async def until_played() -> int:
        telling = asyncio.create_task(tasks.tell_webhooks())
        async with asyncio.timeout(60):
            while silent.asked < webhooks.MOST_EACH:  # noqa: ASYNC110 -- another thread tells
                await asyncio.sleep(0.05)
            await in_thread(playing.work)()
        told = await Delivery.objects.filter(state="delivered").acount()
        silent.let_go()
        telling.cancel()
        await asyncio.gather(telling, return_exceptions=True)
        await sync_to_async(connections.close_all)()
        return told

    told = asyncio.run(until_played())

    debate.refresh_from_db()
    assert (debate.status, debate.partial, told) == ("concluded", False, 0)
    assert verify.verify(debate_id=debate.pk).faults == ()


@pytest.mark.django_db(transaction=True)  # a thread of the database looks at the connection that it has
@pytest.mark.parametrize("parcels", [(), ("one",)], ids=["withheld", "sent at once"])
def test_one_for_whom_there_is_no_end_keeps_nobody_waiting_who_becomes_due_meanwhile(monkeypatch, parcels):
    far_behind, later = Recipient(1, 1, "one.example.org"), Recipient(2, 2, "two.example.org")
    claimed: list[int] = []

    def claim(*, webhook_id: int, **_: object) -> deliveries.Bundle:
        claimed.append(webhook_id)
        return deliveries.Bundle(parcels, more=webhook_id == far_behind.webhook)

    async def tell(_bundle: deliveries.Bundle) -> int:
        return 1

    async def until_claimed() -> None:
        telling = asyncio.create_task(tasks.tell_webhooks())
        async with asyncio.timeout(20):
            while later.webhook not in claimed:  # noqa: ASYNC110 -- a thread tells
                await asyncio.sleep(0.01)
        telling.cancel()
        await asyncio.gather(telling, return_exceptions=True)

    monkeypatch.setattr(tasks, "BETWEEN_DELIVERIES", 0.01)
    monkeypatch.setattr(deliveries, "waiting", lambda *, now: [far_behind, later][: 1 + (len(claimed) > 9)])
    monkeypatch.setattr(deliveries, "claim", claim)
    monkeypatch.setattr(tasks, "tell", tell)

    asyncio.run(until_claimed())


@pytest.mark.django_db(transaction=True)
def test_what_is_under_way_when_a_worker_is_asked_to_end_is_written_down(receiver, silent):
    made, _ = hook(silent)
    happen(factories.debate())

    async def until_ended() -> None:
        telling = asyncio.create_task(tasks.tell_webhooks())
        async with asyncio.timeout(60):
            while not silent.asked:  # noqa: ASYNC110 -- the other thread tells
                await asyncio.sleep(0.05)
        telling.cancel()
        await asyncio.sleep(0)
        silent.let_go()
        await asyncio.gather(telling, return_exceptions=True)
        await sync_to_async(connections.close_all)()

    asyncio.run(until_ended())

    assert [(one.state, one.attempts) for one in made.deliveries.all()] == [("delivered", 1)]


@pytest.mark.django_db
def test_what_is_left_of_a_bundle_is_due_again_and_was_no_attempt(receiver, monkeypatch):
    made, _ = hook(receiver)
    happen(factories.debate(), *[News("debate:paused", {})] * 4)
    [bundle] = claim()
    monkeypatch.setattr(deliveries, "BUNDLE_MILLISECONDS", 0)

    answers = deliveries.sent(bundle)
    deliveries.record(bundle=bundle, answers=answers, luck=0.5, now=timezone.now())

    rows = made.deliveries.order_by("pk").values_list("state", "attempts")
    assert list(rows) == [("delivered", 1)] + [("waiting", 0)] * 3
    assert work() == 3


@pytest.mark.django_db(transaction=True)
def test_a_delivery_that_is_erased_while_it_is_sent_hinders_neither_the_worker_nor_the_others(receiver):
    made, _ = hook(receiver)
    happen(factories.debate())
    happen(factories.debate())
    [bundle] = claim(timezone.now() + timedelta(seconds=1))
    gone, kept = (item.delivery_id for item in bundle.parcels)
    made.deliveries.filter(pk=gone).delete()

    async def tell() -> None:
        await tasks.tell(bundle)
        await sync_to_async(connections.close_all)()

    asyncio.run(tell())

    assert list(made.deliveries.values_list("pk", "state")) == [(kept, "delivered")]


@pytest.mark.django_db
def test_a_delivery_that_cannot_be_written_down_hinders_no_other(receiver, caplog):
    made, _ = hook(receiver)
    happen(factories.debate(), *[News("debate:paused", {})] * 3)
    [bundle] = claim()
    answers = deliveries.sent(bundle)
    odd = bundle.parcels[1].delivery_id
    answers[odd] = Answer(None, 1, "BadStatusLine: \0")

    deliveries.record(bundle=bundle, answers=answers, luck=0.5, now=timezone.now())

    rows = made.deliveries.order_by("pk").values_list("state", flat=True)
    assert list(rows) == ["delivered", "waiting", "delivered"]
    assert caplog.text.count("could not write down a delivery") == 1
    assert str(made.deliveries.get(pk=odd).public_id) in caplog.text


@pytest.mark.django_db
def test_a_receiver_that_is_down_for_a_while_gets_everything_when_it_is_back(receiver):
    made, secret = hook(receiver)
    evaluation, now = factories.criterion(), timezone.now() + timedelta(seconds=1)
    happen(evaluation.debate)
    receiver.answer = None
    assert work(now) == evaluation.debate.events.count()
    receiver.answer = 503
    factories.count(evaluation, "1", "0.5")

    for _ in range(6):
        now += timedelta(hours=25)
        work(now)
    before = made.deliveries.filter(state="delivered").count()
    receiver.got.clear()
    receiver.answer = 204
    work(now + timedelta(hours=25))

    assert before == 0
    told = sorted((json.loads(body) for _, body in receiver.got), key=itemgetter("seq"))
    logged = evaluation.debate.events.order_by("seq").values_list("seq", "type", "data")
    assert [(one["seq"], one["type"], one["data"]) for one in told] == list(logged)
    assert all(verified(headers, body, secret) for headers, body in receiver.got)
    first = made.deliveries.earliest("pk")
    assert (first.state, len(first.log), first.log[-1]["status"]) == ("delivered", first.attempts, 204)
    assert {line["status"] for line in first.log[1:-1]} == {503}
    assert first.log[0]["status"] is None


@pytest.mark.django_db
def test_what_is_never_taken_is_given_up_and_can_be_sent_again(receiver):
    made, _ = hook(receiver)
    receiver.answer, now = 500, timezone.now() + timedelta(seconds=1)
    happen(factories.debate())
    for _ in range(signing.MOST_ATTEMPTS):
        work(now)
        now += timedelta(hours=25)
    delivery = made.deliveries.get()
    ids = {headers["webhook-id"] for headers, _ in receiver.got}
    assert (delivery.state, delivery.attempts) == ("dead", signing.MOST_ATTEMPTS)

    receiver.answer = 200
    webhooks.redeliver(delivery_id=delivery.pk, by=made.owner, now=now)
    work(now)

    delivery.refresh_from_db()
    assert delivery.state == "delivered"
    assert {receiver.got[-1][0]["webhook-id"]} == ids
    with pytest.raises(NotFound):
        webhooks.redeliver(delivery_id=delivery.pk, by=factories.person("mallory"), now=now)


@pytest.mark.django_db
def test_an_address_that_is_gone_is_told_nothing_more(receiver):
    made, _ = hook(receiver)
    debate = factories.debate()
    happen(debate, News("debate:paused", {}), News("debate:resumed", {}))
    receiver.answer = 410

    work()
    happen(debate)
    made.refresh_from_db()

    assert (made.state, made.disabled_because) == ("disabled", "it answered 410 Gone")
    assert set(made.deliveries.values_list("state", flat=True)) == {"dead"}
    assert made.deliveries.count() == 2
    with pytest.raises(NotAllowedNow):
        webhooks.redeliver(delivery_id=made.deliveries.latest("pk").pk, by=made.owner, now=NOW)


def gone(receiver, meanwhile):
    """A webhook to which something happened while its address answered that it is gone; and its delivery."""
    made, _ = hook(receiver)
    happen(factories.debate())
    receiver.answer = 410
    [bundle] = claim()
    answers = deliveries.sent(bundle)
    meanwhile(webhook_id=made.pk, by=made.owner)
    deliveries.record(bundle=bundle, answers=answers, luck=0.5, now=timezone.now())
    made.refresh_from_db()
    return made, made.deliveries.get()


@pytest.mark.django_db
def test_a_webhook_that_was_disabled_meanwhile_keeps_why_where_its_address_is_gone(receiver):
    made, delivery = gone(receiver, partial(webhooks.disable, now=timezone.now()))

    assert (made.disabled_because, delivery.log[0]["status"]) == ("disabled by its owner", 410)


@pytest.mark.django_db
def test_a_webhook_that_was_moved_meanwhile_stays_active_where_its_old_address_is_gone(receiver):
    made, delivery = gone(receiver, partial(webhooks.update, url=f"{receiver.url}moved"))

    assert (made.state, delivery.state, delivery.log[0]["status"]) == ("active", "waiting", 410)


@pytest.mark.django_db
def test_a_redirect_is_not_followed(receiver):
    made, _ = hook(receiver)
    receiver.answer = 307
    happen(factories.debate())

    work()

    assert made.deliveries.get().log[0]["problem"] == "redirects are not followed"
    assert len(receiver.got) == 1


@pytest.mark.django_db
def test_while_a_secret_is_changed_both_are_good_for_a_day(receiver):
    made, old = hook(receiver)
    made, new = webhooks.rotate(webhook_id=made.pk, by=made.owner, now=timezone.now())
    debate = factories.debate()
    happen(debate)
    work()
    happen(debate)
    work(timezone.now() + timedelta(hours=25))

    during, after = receiver.got
    assert [verified(*during, secret) for secret in (old, new)] == [True, True]
    assert [verified(*after, secret) for secret in (old, new)] == [False, True]


@pytest.mark.django_db
def test_a_secret_that_does_not_open_is_no_former_one(receiver, settings):
    made, _ = hook(receiver)
    settings.SECRET_KEY = "another" * 10

    made, new = webhooks.rotate(webhook_id=made.pk, by=made.owner, now=timezone.now())
    happen(factories.debate())
    work()

    [(headers, body)] = receiver.got
    assert verified(headers, body, new)
    assert " " not in headers["webhook-signature"]
    assert made.former_until is None


@pytest.mark.django_db
def test_each_former_secret_is_good_for_its_own_day_and_five_of_them_at_a_time(receiver):
    made, first = hook(receiver)
    begun = timezone.now()
    rotated = [
        webhooks.rotate(webhook_id=made.pk, by=made.owner, now=begun + timedelta(hours=hour))[1] for hour in range(5)
    ]
    with pytest.raises(NotAllowedNow, match=rf"5 former .* until {begun + timedelta(hours=24):%Y-%m-%d %H:%M} UTC\."):
        webhooks.rotate(webhook_id=made.pk, by=made.owner, now=begun + timedelta(hours=5))
    debate = factories.debate()
    happen(debate)
    work(begun + timedelta(hours=5))
    happen(debate)
    work(begun + timedelta(hours=24, minutes=30))

    signed = [[verified(*delivery, secret) for secret in (first, *rotated)] for delivery in receiver.got]
    assert signed == [[True] * 6, [False, *[True] * 5]]


@pytest.mark.django_db
def test_a_delivery_that_failed_is_sent_before_its_time_where_somebody_asks_and_one_under_way_is_not(receiver):
    made, _ = hook(receiver)
    receiver.answer, now = 503, timezone.now() + timedelta(seconds=1)
    happen(factories.debate())
    for _ in range(4):
        work(now)
        now += timedelta(minutes=10)
    delivery = made.deliveries.get()
    made.deliveries.update(due_at=now + timedelta(hours=1))
    receiver.answer = 200

    webhooks.redeliver(delivery_id=delivery.pk, by=made.owner, now=now)
    with pytest.raises(NotAllowedNow):
        webhooks.redeliver(delivery_id=delivery.pk, by=made.owner, now=now)
    work(now)

    delivery.refresh_from_db()
    assert (delivery.state, delivery.attempts) == ("delivered", 1)


@pytest.mark.django_db
def test_a_webhook_is_updated_and_told_elsewhere_under_the_same_secret(receiver):
    alice = Api(factories.person("alice", permissions=["debates.add_webhook"]))
    made = alice.post("/webhooks/", {"url": "https://example.org/"}).json()
    at = f"/webhooks/{made['id']}/change/"

    changed = alice.post(at, {"url": receiver.url, "types": ["debate:resumed"]}).json()
    happen(factories.debate(), News("debate:paused", {}), News("debate:resumed", {}))
    work()

    assert (changed["url"], changed["types"]) == (receiver.url, ["debate:resumed"])
    [delivery] = receiver.got
    assert (verified(*delivery, made["secret"]), json.loads(delivery[1])["type"]) == (True, "debate:resumed")
    assert alice.post(at, {"types": []}).json()["url"] == receiver.url
    assert code_of(alice.post(at, {"url": "http://10.0.0.1/"})) == (422, "invalid")
    assert code_of(Api(factories.person("bob")).post(at, {"types": []})) == (404, "not_found")


@pytest.mark.django_db
def test_a_webhook_is_tried_by_a_test_that_is_signed_and_listed_as_events_are(receiver):
    alice = Api(factories.person("alice", permissions=["debates.add_webhook"]))
    made = alice.post("/webhooks/", {"url": receiver.url, "types": ["debate:resumed"]}).json()
    at = f"/webhooks/{made['id']}/"

    asked = alice.post(f"{at}test/")
    again = alice.post(f"{at}test/")
    refused = Api(factories.person("bob")).post(f"{at}test/")
    work()

    [delivery] = receiver.got
    row = Delivery.objects.get()
    assert (asked.status_code, asked.json()["type"], asked.json()["state"]) == (200, "webhook:test", "waiting")
    assert [code_of(answer) for answer in (again, refused)] == [(409, "not_allowed_now"), (404, "not_found")]
    assert (verified(*delivery, made["secret"]), delivery[0]["webhook-id"]) == (True, f"msg_{row.public_id.hex}")
    assert json.loads(delivery[1]) == {
        "type": "webhook:test",
        "timestamp": row.tested_at.isoformat(),
        "debate": None,
        "seq": None,
        "epoch": None,
        "data": {"webhook": made["id"]},
    }
    [listed] = alice.get("/deliveries/", type="webhook:test").json()["results"]
    assert [listed[name] for name in ("state", "type", "debate", "seq")] == ["delivered", "webhook:test", None, None]
    assert alice.get("/deliveries/", type="debate:resumed").json()["results"] == []
    assert Api(factories.person("carol")).get("/deliveries/").json()["results"] == []


@pytest.mark.django_db
@pytest.mark.parametrize("status", [410, 500, None])
def test_a_test_that_fails_is_tried_once_and_disables_nothing_and_can_be_sent_again(receiver, status):
    made, _ = hook(receiver)
    receiver.answer = status
    delivery = webhooks.send_test(webhook_id=made.pk, by=made.owner, now=timezone.now())

    attempts = work()
    delivery.refresh_from_db()
    made.refresh_from_db()
    failed = (attempts, delivery.state, delivery.log[0]["status"], made.state)
    receiver.answer = 200
    webhooks.redeliver(delivery_id=delivery.pk, by=made.owner, now=timezone.now())
    work()
    delivery.refresh_from_db()

    assert failed == (1, "dead", status, "active")
    assert delivery.state == "delivered"


@pytest.mark.django_db
@pytest.mark.parametrize("who", ["its owner", "a moderator"])
def test_why_a_webhook_is_disabled_names_nobody(receiver, who):
    made, _ = hook(receiver)
    by = made.owner if who == "its owner" else factories.moderator("ruth")

    webhooks.disable(webhook_id=made.pk, by=by, now=timezone.now())

    made.refresh_from_db()
    assert made.disabled_because == f"disabled by {who}"


ENDS_IT = {"disable": 200, "": 204}


@pytest.mark.django_db
@pytest.mark.parametrize("act", ["change", "rotate", "test", "enable", "redeliver", *ENDS_IT])
def test_who_may_register_no_webhook_any_more_may_end_theirs_and_nothing_else(receiver, act):
    alice = factories.person("alice", permissions=["debates.add_webhook"])
    made, _ = hook(receiver, owner=alice)
    happen(factories.debate())
    work()
    if act == "enable":
        webhooks.disable(webhook_id=made.pk, by=alice, now=timezone.now())
    alice.user_permissions.clear()
    at = f"/webhooks/{made.public_id}/{act and f'{act}/'}"
    at = f"/deliveries/{made.deliveries.get().public_id}/redeliver/" if act == "redeliver" else at

    answer = Api(alice).post(at, method="POST" if act else "DELETE")

    assert answer.status_code == ENDS_IT.get(act, 403)


@pytest.mark.django_db
def test_what_a_moderator_disabled_is_enabled_by_nobody_but_a_moderator(receiver):
    made, _ = hook(receiver, owner=factories.person("alice", permissions=["debates.add_webhook"]))
    ruth = factories.person("ruth", permissions=["debates.change_webhook"])
    webhooks.disable(webhook_id=made.pk, by=ruth, now=timezone.now())

    with pytest.raises(NotPermitted, match="change_webhook"):
        webhooks.enable(webhook_id=made.pk, by=made.owner)

    assert webhooks.enable(webhook_id=made.pk, by=ruth).state == "active"


@pytest.mark.django_db
def test_a_moderator_keeps_disabled_what_its_owner_disabled(receiver):
    made, _ = hook(receiver, owner=factories.person("alice", permissions=["debates.add_webhook"]))
    ruth = factories.person("ruth", permissions=["debates.change_webhook"])
    webhooks.disable(webhook_id=made.pk, by=made.owner, now=timezone.now())
    with pytest.raises(NotAllowedNow, match="disabled already"):
        webhooks.disable(webhook_id=made.pk, by=made.owner, now=timezone.now())

    webhooks.disable(webhook_id=made.pk, by=ruth, now=timezone.now())

    with pytest.raises(NotPermitted, match="change_webhook"):
        webhooks.enable(webhook_id=made.pk, by=made.owner)
    with pytest.raises(NotAllowedNow, match="disabled already"):
        webhooks.disable(webhook_id=made.pk, by=ruth, now=timezone.now())


@pytest.mark.django_db
def test_a_test_goes_to_no_private_address_and_to_no_disabled_webhook(receiver, settings):
    made, _ = hook(receiver)
    settings.WEBHOOK_HOSTS = []
    delivery = webhooks.send_test(webhook_id=made.pk, by=made.owner, now=timezone.now())
    work()
    webhooks.disable(webhook_id=made.pk, by=made.owner, now=timezone.now())

    with pytest.raises(NotAllowedNow, match="disabled"):
        webhooks.send_test(webhook_id=made.pk, by=made.owner, now=timezone.now())

    delivery.refresh_from_db()
    assert (receiver.got, delivery.state) == ([], "dead")


@pytest.mark.django_db
def test_a_webhook_is_deleted_with_its_deliveries_and_is_not_there_for_a_stranger(receiver):
    alice = Api(factories.person("alice", permissions=["debates.add_webhook"]))
    at, kept = (f"/webhooks/{alice.post('/webhooks/', {'url': receiver.url}).json()['id']}/" for _ in range(2))
    happen(factories.debate())
    work()
    happen(factories.debate())

    refused = Api(factories.person("bob")).post(at, method="DELETE")
    answer = alice.post(at, method="DELETE")

    assert code_of(refused) == (404, "not_found")
    assert (answer.status_code, answer.content) == (204, b"")
    assert [code_of(ask) for ask in (alice.get(at), alice.post(at, method="DELETE"))] == [(404, "not_found")] * 2
    assert [(str(hook.public_id), hook.deliveries.count()) for hook in Webhook.objects.all()] == [(kept[10:-1], 2)]
    assert Delivery.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_what_is_under_way_while_its_webhook_is_deleted_is_left_and_hinders_no_worker(receiver):
    made, _ = hook(receiver)
    happen(factories.debate())
    [bundle] = claim()
    answers = deliveries.sent(bundle)

    webhooks.delete(webhook_id=made.pk, by=made.owner)
    deliveries.record(bundle=bundle, answers=answers, luck=0.5, now=timezone.now())

    assert (len(receiver.got), Webhook.objects.count(), Delivery.objects.count()) == (1, 0, 0)


@pytest.mark.django_db(transaction=True)
def test_an_event_that_is_written_while_its_webhook_is_deleted_is_written(receiver):
    made, _ = hook(receiver)
    debate, refused = factories.debate(), []

    def delete() -> None:
        try:
            webhooks.delete(webhook_id=made.pk, by=made.owner)
        except Exception as error:  # noqa: BLE001 -- shown below
            refused.append(error)
        finally:
            connections.close_all()

    deleting = threading.Thread(target=delete)
    with transaction.atomic():
        happen(debate)
        deleting.start()
        end = time.monotonic() + 120
        while not is_waited_for():
            assert time.monotonic() < end, "nobody waits"
            time.sleep(0.02)
    deleting.join(timeout=120)

    assert refused == []
    assert (debate.events.count(), Webhook.objects.count(), Delivery.objects.count()) == (1, 0, 0)


@pytest.mark.django_db
def test_a_webhook_is_told_of_what_it_asked_for_and_its_owner_may_read_and_its_list_says_no_more(receiver):
    alice = factories.person("alice", permissions=["debates.add_webhook"])
    public, private, unlisted = (factories.debate(visibility=one) for one in ("public", "private", "unlisted"))
    all_of_it, _ = hook(receiver, owner=alice)
    one_type, _ = hook(receiver, owner=alice, types=["debate:resumed"])
    one_debate, _ = hook(receiver, owner=alice, debate=unlisted)
    handled = News("alert:handled", {"alert": str(public.public_id), "state": "dismissed"}, Audience.MODERATORS)
    for debate in (public, private, unlisted):
        happen(debate, News("debate:paused", {}), handled, News("debate:resumed", {}))

    def listed(webhook: Webhook, state: str) -> list[tuple[str, str]]:
        rows = Api(alice).get("/deliveries/", webhook=str(webhook.public_id)).json()["results"]
        assert {one["state"] for one in rows} <= {state}
        return [(one["debate"], one["type"]) for one in reversed(rows)]

    def delivered(webhook: Webhook) -> list[tuple[str, str]]:
        rows = webhook.deliveries.filter(state="delivered").select_related("event__debate").order_by("pk")
        return [(str(one.event.debate.public_id), one.event.type) for one in rows]

    hooks = (all_of_it, one_type, one_debate)
    before = [listed(one, "waiting") for one in hooks]
    work()
    withheld = Delivery.objects.filter(state="withheld").first()

    two = ("debate:paused", "debate:resumed")
    of_public, of_unlisted = ([(str(one.public_id), type) for type in two] for one in (public, unlisted))
    wanted = [of_public, of_public[1:], of_unlisted]
    assert [before, [delivered(one) for one in hooks], [listed(one, "delivered") for one in hooks]] == [wanted] * 3
    assert code_of(Api(alice).post(f"/deliveries/{withheld.public_id}/redeliver/")) == (404, "not_found")


@pytest.mark.django_db
@pytest.mark.parametrize(("owner", "number"), [("alice", 1), ("carol", 0)])
def test_nobodys_list_looks_at_deliveries_of_others(receiver, owner, number):
    """Whether an event may be read is asked of one's own deliveries alone: there may be a million of others."""
    alice, mallory = (factories.person(name, permissions=["debates.add_webhook"]) for name in ("alice", "mallory"))
    for person in (alice, mallory):
        hook(receiver, owner=person)
    happen(factories.debate())
    caller = Api(User.objects.filter(username=owner).first() or factories.person(owner))

    with CaptureQueriesContext(connection) as queries:
        rows = caller.get("/deliveries/").json()["results"]

    looks = [query["sql"] for query in queries if ' FROM "debates_delivery" ' in query["sql"]]
    assert len(rows) == number
    assert len(looks) == number
    assert not any('FROM "debates_webhook"' in look for look in looks)


@pytest.mark.django_db
def test_a_delivery_whose_worker_died_is_due_again_after_a_minute(receiver):
    hook(receiver)
    happen(factories.debate())
    now = timezone.now()

    claims = [len(claim(now + timedelta(seconds=seconds))) for seconds in (0, 30, 61)]

    assert claims == [1, 0, 1]


@pytest.mark.django_db
@pytest.mark.parametrize("tested", [True, False])
def test_a_delivery_whose_secret_does_not_open_waits_for_a_process_to_which_it_does(receiver, settings, tested):
    made, _ = hook(receiver)
    webhooks.send_test(webhook_id=made.pk, by=made.owner, now=NOW) if tested else happen(factories.debate())
    former, settings.SECRET_KEY = settings.SECRET_KEY, "another" * 10
    now = timezone.now()

    for minutes in range(0, 60, 2):
        assert work(now + timedelta(minutes=minutes)) == 0
    waiting = made.deliveries.get()
    settings.SECRET_KEY = former
    work(now + timedelta(hours=1))

    assert (waiting.state, waiting.attempts) == ("waiting", 0)
    assert [line["problem"] for line in waiting.log] == [webhooks.UNSIGNED]
    delivery = made.deliveries.get()
    assert (delivery.state, delivery.attempts, len(receiver.got)) == ("delivered", 1, 1)


@pytest.mark.django_db
def test_a_delivery_whose_secret_opens_nowhere_is_given_up_in_the_end_and_waits_anew_when_it_is_sent_again(
    receiver, settings
):
    made, _ = hook(receiver)
    happen(factories.debate())
    settings.SECRET_KEY = "another" * 10
    now, states = timezone.now(), []

    for days in (0, 4, 6):
        work(now + timedelta(days=days))
        states.append(made.deliveries.get().state)
    webhooks.redeliver(delivery_id=made.deliveries.get().pk, by=made.owner, now=now + timedelta(days=12))
    for days in (12, 16, 18):
        work(now + timedelta(days=days))
        states.append(made.deliveries.get().state)

    assert states == ["waiting", "waiting", "dead"] * 2
    problems = [line["problem"] for line in made.deliveries.get().log]
    assert problems == [webhooks.WAS_UNSIGNED] * 2 + [webhooks.UNSIGNED] * 2


@pytest.mark.django_db
def test_an_event_written_while_its_webhook_was_disabled_is_not_sent(receiver):
    made, _ = hook(receiver)
    happen(factories.debate())
    Webhook.objects.filter(pk=made.pk).update(state="disabled", disabled_because="by its owner")

    assert claim() == []
    assert [one.state for one in Delivery.objects.all()] == ["dead"]


@pytest.mark.django_db
def test_an_event_and_its_deliveries_are_written_together_or_not_at_all(receiver):
    hook(receiver)
    debate = factories.debate()

    with transaction.atomic():
        happen(debate)
        within = Delivery.objects.count()
        transaction.set_rollback(True)

    assert (within, Delivery.objects.count()) == (1, 0)


@pytest.mark.django_db
def test_webhooks_are_registered_read_and_disabled_through_the_api(receiver):
    alice = Api(factories.person("alice", permissions=["debates.add_webhook"]))
    bob = Api(factories.person("bob"))
    made = alice.post("/webhooks/", {"url": receiver.url, "types": ["debate:paused"]})
    at = f"/webhooks/{made.json()['id']}/"
    happen(factories.debate())
    work()

    [delivery] = alice.get("/deliveries/", webhook=made.json()["id"]).json()["results"]
    again = alice.post(f"/deliveries/{delivery['id']}/redeliver/").json()
    rotated = alice.post(f"{at}rotate/").json()

    assert made.status_code == 201
    assert made.json()["secret"].startswith("whsec_")
    assert rotated["secret"] != made.json()["secret"]
    assert "secret" not in alice.get(at).json()
    assert (delivery["state"], delivery["log"][0]["status"], again["state"]) == ("delivered", 200, "waiting")
    assert code_of(bob.get(at)) == (404, "not_found")
    assert code_of(bob.post(f"{at}disable/")) == (404, "not_found")
    assert code_of(bob.post("/webhooks/", {"url": receiver.url})) == (403, "not_permitted")
    assert code_of(alice.post("/webhooks/", {"url": "http://10.0.0.1/"})) == (422, "invalid")
    assert code_of(alice.post("/webhooks/", {"url": receiver.url, "types": ["x"]})) == (400, "invalid")
    assert [alice.post(f"{at}{action}/").json()["state"] for action in ("disable", "enable")] == ["disabled", "active"]


@pytest.mark.django_db
def test_an_owner_has_no_more_than_fifty_webhooks_that_hear():
    alice = factories.person("alice", permissions=["debates.add_webhook"])
    made = [webhooks.register(owner=alice, url="https://example.org/", now=NOW)[0] for _ in range(webhooks.MOST_EACH)]

    with pytest.raises(NotAllowedNow, match="alice has 50 active webhooks"):
        webhooks.register(owner=alice, url="https://example.org/", now=NOW)
    webhooks.disable(webhook_id=made[0].pk, by=alice, now=NOW)
    webhooks.register(owner=alice, url="https://example.org/", now=NOW)
    with pytest.raises(NotAllowedNow, match="disable one first"):
        webhooks.enable(webhook_id=made[0].pk, by=alice)


@pytest.mark.django_db(transaction=True)
def test_of_two_webhooks_registered_at_once_no_more_hear_than_an_owner_may_have(monkeypatch):
    monkeypatch.setattr(webhooks, "MOST_EACH", 1)
    alice = factories.person("alice", permissions=["debates.add_webhook"])
    refused = []

    def register() -> None:
        try:
            webhooks.register(owner=alice, url="https://example.org/", now=NOW)
        except NotAllowedNow as error:
            refused.append(error)
        finally:
            connections.close_all()

    registering = threading.Thread(target=register)
    with transaction.atomic():
        webhooks.check_room(owner=alice)
        Webhook.objects.create(owner=alice, url="https://example.org/", secret="x", created_at=NOW)
        registering.start()
        while registering.is_alive() and not is_waited_for():
            time.sleep(0.02)
    registering.join(timeout=120)

    assert (len(refused), Webhook.objects.count()) == (1, 1)
