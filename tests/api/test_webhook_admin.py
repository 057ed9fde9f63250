"""Webhooks at the desk: registered with a secret that is shown once, updated, disabled, and deliveries sent again."""

import re

import pytest
from django.test import Client
from django.utils import timezone

from debates import event_log
from debates.models import Delivery, IdempotencyKey, Webhook
from debates.services import webhooks
from debates.types import News
from tests import factories
from tests.moderators import client_of, proved
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.django_db, WITHOUT_COLLECTED_FILES]
LIST = "/admin/debates/webhook/"


@pytest.fixture
def client() -> Client:
    return proved(client_of(factories.moderator("alice")))


@pytest.fixture
def webhook(client) -> Webhook:
    client.post(LIST + "make/", {"url": "https://example.org/hook", "types": ["debate:paused"]})
    return Webhook.objects.get()


def test_a_webhook_is_registered_and_its_secret_shown_once(client):
    made = client.post(LIST + "make/", {"url": "https://example.org/hook", "types": ["debate:paused"]})
    webhook = Webhook.objects.get()

    assert (webhook.owner.username, webhook.url, webhook.types) == (
        "alice",
        "https://example.org/hook",
        ["debate:paused"],
    )
    assert webhook.secret in made.content.decode()
    for page in (LIST, f"{LIST}{webhook.pk}/change/"):
        assert webhook.secret not in client.get(page).content.decode()


def test_an_address_that_is_not_sent_to_is_refused_on_the_page(client):
    answer = client.post(LIST + "make/", {"url": "http://10.0.0.1/"})

    assert "Only https is sent to" in answer.content.decode()
    assert Webhook.objects.count() == 0


def test_a_webhook_gets_a_new_secret_is_disabled_and_enabled(client, webhook):
    old = webhook.secret
    client.post(f"{LIST}{webhook.pk}/rotate/")
    webhook.refresh_from_db()
    states = []
    for action in ("disable", "enable"):
        client.post(f"{LIST}{webhook.pk}/{action}/")
        states.append(Webhook.objects.get().state)

    assert ([secret for secret, _ in webhooks.former(webhook=webhook, now=timezone.now())], webhook.secret != old) == (
        [old],
        True,
    )
    assert states == ["disabled", "active"]


def test_the_page_of_a_webhook_links_what_can_be_done_with_it(client, webhook):
    shown = client.get(f"{LIST}{webhook.pk}/change/").content.decode()

    assert re.findall(rf"{LIST}{webhook.pk}/(\w+)/", shown) == [
        "edit",
        "test",
        "rotate",
        "disable",
        "remove",
        "history",
    ]


def test_a_webhook_is_sent_a_test(client, webhook):
    at = f"{LIST}{webhook.pk}/test/"

    first, again = client.post(at, follow=True), client.post(at, follow=True)
    delivery = Delivery.objects.get()

    assert f"is sent a test. It is delivery {delivery.pk}." in first.content.decode()
    assert "Another test of this webhook waits to be sent." in again.content.decode()
    assert (delivery.type, delivery.state) == ("webhook:test", "waiting")
    assert client.get(f"/admin/debates/delivery/{delivery.pk}/change/").status_code == 200


def test_a_webhook_is_updated_and_what_is_refused_stands_on_the_page(client, webhook):
    at = f"{LIST}{webhook.pk}/edit/"

    form = client.get(at).context["form"]
    refused = client.post(at, {"url": "http://10.0.0.1/", "types": ["debate:resumed"]})
    strange = client.post(at, {"url": "https://example.net/", "types": ["debate:begun"]})
    webhook.refresh_from_db()
    before = (webhook.url, webhook.types)
    updated = client.post(at, {"url": "https://example.net/moot", "types": ["debate:resumed"]}, follow=True)

    assert form.initial == {"url": "https://example.org/hook", "types": ["debate:paused"]}
    assert "Only https is sent to" in refused.context["form"].non_field_errors()[0]
    assert list(strange.context["form"].errors) == ["types"]
    assert before == ("https://example.org/hook", ["debate:paused"])
    webhook.refresh_from_db()
    assert (webhook.url, webhook.types) == ("https://example.net/moot", ["debate:resumed"])
    assert "is told of debate:resumed." in updated.content.decode()


def test_a_webhook_is_deleted_on_its_page_with_its_deliveries(client, webhook):
    event_log.append(debate_id=factories.debate().pk, news=[News("debate:paused", {})], now=timezone.now())

    gone = client.post(f"{LIST}{webhook.pk}/remove/", follow=True)

    assert gone.redirect_chain == [(LIST, 302)]
    assert "is deleted." in gone.content.decode()
    assert (Webhook.objects.count(), Delivery.objects.count()) == (0, 0)


def test_a_settled_delivery_is_sent_again_and_a_waiting_one_is_not(client, webhook):
    debate, now = factories.debate(), timezone.now()
    event_log.append(debate_id=debate.pk, news=[News("debate:paused", {})], now=now)
    delivery = Delivery.objects.get()
    at = f"/admin/debates/delivery/{delivery.pk}/"
    waiting = client.post(f"{at}redeliver/")
    Delivery.objects.update(state="dead", due_at=None, settled_at=now, log=[{"at": "x", "status": 500, "problem": ""}])

    shown = client.get(f"{at}change/").content.decode()
    client.post(f"{at}redeliver/")

    assert "This delivery is due within a minute" in waiting.content.decode()
    assert "500" in shown
    assert Delivery.objects.get().state == "waiting"


def test_somebody_elses_webhook_is_only_looked_at(webhook):
    bob = client_of(factories.person("bob", permissions=["debates.view_webhook"]))

    assert bob.get(f"{LIST}{webhook.pk}/change/").status_code == 200
    for action in ("disable", "edit", "test", "remove"):
        assert bob.post(f"{LIST}{webhook.pk}/{action}/", {"url": "https://example.net/"}).status_code == 403
    assert Webhook.objects.get().url == "https://example.org/hook"
    assert bob.get(LIST + "make/").status_code == 403


def test_whoever_reads_kept_answers_finds_no_secret_in_them():
    owner = factories.moderator("alice")
    kept = IdempotencyKey.objects.create(
        owner=owner, key="a" * 64, digest="d", status=201, body='{"secret": "whsec_x"}'
    )
    auditor = client_of(factories.person("carol", permissions=["debates.view_idempotencykey"]))

    page = auditor.get(f"/admin/debates/idempotencykey/{kept.pk}/change/")

    assert page.status_code == 200
    assert "whsec_x" not in page.content.decode()
