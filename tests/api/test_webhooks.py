"""Webhooks: told of everything exactly as it was logged, signed, tried again, and never sent to a private address."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
import socket
import threading
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address

import pytest
from asgiref.sync import sync_to_async
from django.core.cache import caches
from django.db import connections, transaction
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from debates import sending, signing, stream
from debates.errors import Invalid, NotAllowedNow, NotFound
from debates.models import Debate, Delivery, Webhook
from debates.services import webhooks
from debates.types import Audience, News
from judging import jobs
from tests import factories
from tests.api.asking import Api, code_of

NOW = timezone.now()


@pytest.fixture(autouse=True)
def _fresh_pace():
    caches["pace"].clear()


class Receiver:
    """A server on loopback that keeps what it is sent; ``answers`` is the status it answers with, None hangs up."""

    def __init__(self) -> None:
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.answer: int | None = 200
        keeper = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if keeper.answer is None:
                    self.close_connection = True
                    return
                keeper.got.append(({name.lower(): value for name, value in self.headers.items()}, body))
                self.send_response(keeper.answer)
                self.send_header("Location", "http://localhost:1/elsewhere")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *args: object) -> None:
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://localhost:{self.server.server_port}/hook?a=b"
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02})
        self.thread.start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


@pytest.fixture
def receiver(settings) -> Iterator[Receiver]:
    settings.WEBHOOK_HOSTS = ["localhost"]
    made = Receiver()
    yield made
    made.close()


def verified(headers: dict[str, str], body: bytes, secret: str) -> bool:
    """Verify a signature as a receiver would, written from the specification and not from our code."""
    key = base64.b64decode(secret.split("_", 1)[1])
    content = ".".join([headers["webhook-id"], headers["webhook-timestamp"], body.decode()])
    wanted = base64.b64encode(hmac.new(key, content.encode(), hashlib.sha256).digest()).decode()
    return any(
        hmac.compare_digest(wanted, one.split(",", 1)[1])
        for one in headers["webhook-signature"].split(" ")
        if one.startswith("v1,")
    )


def happen(debate: Debate, *news: News) -> None:
    stream.append(debate_id=debate.pk, news=news or [News("debate:paused", {})], now=timezone.now())


def work(now: datetime | None = None) -> int:
    """Send everything that is due, and return how many attempts it took."""
    attempts = 0
    while parcels := webhooks.claim(now=now or timezone.now()):
        for one in parcels:
            webhooks.record(delivery_id=one.delivery_id, answer=webhooks.sent(one), luck=0.5, now=now or timezone.now())
        attempts += len(parcels)
    return attempts


def hook(receiver: Receiver, **options) -> tuple[Webhook, str]:
    owner = options.pop("owner", None) or factories.moderator()
    return webhooks.register(owner=owner, url=receiver.url, now=timezone.now(), **options)


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
    assert [(one["seq"], one["type"], one["data"], one["debate"]) for one in told] == [
        (one.seq, one.type, one.data, str(evaluation.debate.public_id)) for one in logged
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
        telling = asyncio.create_task(jobs.tell_webhooks())
        async with asyncio.timeout(20):
            while await made.deliveries.filter(state="delivered").acount() == 0:  # noqa: ASYNC110 -- the database tells
                await asyncio.sleep(0.05)
        telling.cancel()
        await sync_to_async(connections.close_all)()

    asyncio.run(until_delivered())

    assert len(receiver.got) == 1


@pytest.mark.django_db(transaction=True)
def test_a_delivery_that_is_erased_while_it_is_sent_hinders_neither_the_worker_nor_the_others(receiver):
    made, _ = hook(receiver)
    happen(factories.debate())
    happen(factories.debate())
    gone, kept = webhooks.claim(now=timezone.now() + timedelta(seconds=1))
    made.deliveries.filter(pk=gone.delivery_id).delete()

    async def both() -> None:
        await asyncio.gather(jobs.tell(gone), jobs.tell(kept))
        await sync_to_async(connections.close_all)()

    asyncio.run(both())

    assert list(made.deliveries.values_list("pk", "state")) == [(kept.delivery_id, "delivered")]


@pytest.mark.django_db
def test_a_receiver_that_is_down_for_a_while_gets_everything_when_it_is_back(receiver):
    made, _ = hook(receiver)
    debate, now = factories.debate(), timezone.now() + timedelta(seconds=1)
    happen(debate)
    receiver.answer = None
    assert work(now) == 1
    receiver.answer = 503
    happen(debate)

    for _ in range(6):
        now += timedelta(hours=25)
        work(now)
    before = made.deliveries.filter(state="delivered").count()
    receiver.got.clear()
    receiver.answer = 204
    work(now + timedelta(hours=25))

    assert before == 0
    assert sorted(json.loads(body)["seq"] for _, body in receiver.got) == [1, 2]
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
def test_a_webhook_is_told_of_what_it_asked_for_and_its_owner_may_read(receiver):
    alice = factories.person("alice")
    public, private = factories.debate(), factories.debate(visibility="private")
    all_of_it, _ = hook(receiver, owner=alice)
    one_type, _ = hook(receiver, owner=alice, types=["debate:resumed"])
    one_debate, _ = hook(receiver, owner=alice, debate=public)
    handled = News("alert:handled", {"alert": str(public.public_id), "state": "dismissed"}, Audience.MODERATORS)
    for debate in (public, private):
        happen(debate, News("debate:paused", {}), handled, News("debate:resumed", {}))

    work()

    def states(webhook: Webhook) -> list[tuple[str, str, str]]:
        rows = webhook.deliveries.order_by("pk").values_list("event__debate__visibility", "event__type", "state")
        return [row for row in rows if row[2] != "withheld"]

    both = [("public", "debate:paused", "delivered"), ("public", "debate:resumed", "delivered")]
    assert states(all_of_it) == both
    assert states(one_type) == both[1:]
    assert states(one_debate) == both


@pytest.mark.django_db
def test_a_delivery_whose_worker_died_is_due_again_after_a_minute(receiver):
    hook(receiver)
    happen(factories.debate())
    now = timezone.now()

    claims = [len(webhooks.claim(now=now + timedelta(seconds=seconds))) for seconds in (0, 30, 61)]

    assert claims == [1, 0, 1]


@pytest.mark.django_db
def test_one_slow_receiver_does_not_take_all_the_places(receiver):
    for _ in range(2):
        hook(receiver, owner=factories.moderator(f"owner {Webhook.objects.count()}"))
    happen(factories.debate(), *[News("debate:paused", {})] * 10)

    assert len(webhooks.claim(now=timezone.now())) == 2 * webhooks.AT_ONCE_EACH


@pytest.mark.django_db
def test_an_event_and_its_deliveries_are_written_together_or_not_at_all(receiver):
    hook(receiver)
    debate = factories.debate()

    with transaction.atomic():
        happen(debate)
        within = Delivery.objects.count()
        transaction.set_rollback(True)

    assert (within, Delivery.objects.count()) == (1, 0)


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1",  # noqa: S104 -- as an address that is refused
        "255.255.255.255", "::1", "::", "fe80::1", "fc00::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1",
        "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "2002:7f00:1::", "2002:a00:1::",
    ],
)  # fmt: skip
def test_a_private_address_is_not_connected_to_whatever_its_name(address):
    asked = []

    def resolve(host, port, **kind):
        asked.append(host)
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        return [(family, socket.SOCK_STREAM, 6, "", (address, port))]

    answer = sending.send(url="https://innocent.example.org/", body=b"{}", headers={}, allowed=[], resolve=resolve)

    assert asked == ["innocent.example.org"]
    assert answer.problem.startswith("Refused: innocent.example.org is at ")


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:2800:220:1::1", "::ffff:93.184.216.34"])
def test_a_public_address_is_public(address):
    assert sending.is_public(ip_address(address))


def test_a_name_that_changes_between_the_check_and_the_connection_leads_nowhere():
    """The first look-up is public and nothing answers there; a second, to loopback, is never made."""
    listening = socket.create_server(("127.0.0.1", 0))
    answers = [("192.0.2.1", 9), ("127.0.0.1", listening.getsockname()[1])]
    asked = []

    def resolve(host, port, **kind):
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", answers[len(asked) - 1])]

    first = sending.send(url="https://rebound.example.org/", body=b"{}", headers={}, allowed=[], resolve=resolve)
    second = sending.send(url="https://rebound.example.org/", body=b"{}", headers={}, allowed=[], resolve=resolve)

    listening.settimeout(0.1)
    assert asked == ["rebound.example.org"] * 2
    assert first.status is None
    assert "127.0.0.1, which is not a public address" in second.problem
    with pytest.raises(TimeoutError):
        listening.accept()
    listening.close()


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/", "ftp://example.org/", "https://", "https://user:word@example.org/", "https://10.0.0.1/",
        "https://[::1]/", "https://exa mple.org/", "https://ex\r\nample.org/", "https://bücher.example/", "nonsense",
        "https://example.org:99999/",
    ],
)  # fmt: skip
@pytest.mark.django_db
def test_an_address_that_is_not_sent_to_is_refused_when_it_is_registered(url):
    with pytest.raises(Invalid):
        webhooks.register(owner=factories.person(), url=url, now=NOW)


def test_a_receiver_that_drips_is_cut_off(monkeypatch):
    monkeypatch.setattr(sending, "WHOLE_SECONDS", 0.5)
    server = socket.create_server(("127.0.0.1", 0))

    def drip() -> None:
        line, _ = server.accept()
        with line:
            try:
                for _ in range(100):
                    line.sendall(b"H")
                    time.sleep(0.05)
            except OSError:
                return

    dripping = threading.Thread(target=drip)
    dripping.start()
    begun = time.monotonic()
    answer = sending.send(
        url=f"http://localhost:{server.getsockname()[1]}/", body=b"{}", headers={}, allowed=["localhost"]
    )
    dripping.join()
    server.close()

    assert answer.status is None
    assert time.monotonic() - begun < 4


@given(attempts=st.integers(1, 40), luck=st.floats(0, 1))
def test_pauses_grow_to_a_day_and_no_further(attempts, luck):
    pause = signing.pause(attempts=attempts, luck=luck)

    assert timedelta(seconds=4) <= pause <= signing.LONGEST_PAUSE
    assert signing.pause(attempts=attempts + 1, luck=luck) >= pause


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
    assert code_of(alice.post("/webhooks/", {"url": receiver.url, "types": ["x"]})) == (422, "invalid")
    assert [alice.post(f"{at}{action}/").json()["state"] for action in ("disable", "enable")] == ["disabled", "active"]
