"""Every act of the desk as a member of each group, by the form that the desk offers: done, or refused."""

import html
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.db import IntegrityError, connection
from django.urls import reverse

from debates.models import ApiKey, IdempotencyKey, Webhook
from scoring.groups import SENIOR
from tests import factories
from tests.moderation_actions import ACTS, GROUPS, MODERATORS, state
from tests.moderators import client_of, member, proved, words
from tests.module_fixtures import rolled_back
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.django_db, WITHOUT_COLLECTED_FILES]
LINK = re.compile(r'<li class="offer"><a href="([^"]*)">([^<]*)</a>')
STANDING = re.compile(
    r'<details class="action"[^>]*>\s*<summary>([^<]*?) *</summary>.*?(<form[^>]* action="([^"]*)".*?</form>)',
    re.DOTALL,
)
FORM = re.compile(r'<div id="content-main">.*?(<form.*?</form>)', re.DOTALL)
FIELD = re.compile(r"<(input|textarea|select)\b([^>]*)>(?:([^<]*)</textarea>)?")
ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')
TICKED = {"checkbox", "radio", "select"}
IN_CHROMIUM: Mapping[str, str] = {
    "form, textarea": "queue: Refuse",
    "link": "debate: Start",
    "link, checkbox, radio, textarea": "score: Unfreeze and strike",
    "link, checkbox, textarea": "score: Strike",
    "link, radio, text, textarea": "score: Unfreeze and override",
    "link, radio, textarea": "score: Unfreeze",
    "link, select, text": "access: Update",
    "link, text, textarea": "score: Override",
    "link, textarea": "score: Freeze",
}
"""The kinds of forms by where they stand and what is filled in, each with an act that is done in a browser."""


@pytest.fixture(scope="module")
def desks(django_db_setup: None, django_db_blocker: Any) -> Iterator[Mapping[str, Any]]:
    """A member of each group at a desk of their own."""
    with rolled_back(django_db_blocker):
        people = {group: member(group) for group in GROUPS}
        yield {group: (user, proved(client_of(user), lasting=3600)) for group, user in people.items()}


def at(row: Any, page: str) -> str:
    return reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_{page}", args=[row.pk])


def offered(desk: Any, row: Any) -> dict[str, tuple[str, str, str]]:
    """What the page of a row offers: as links with where they lead, and as forms that stand on it."""
    page = desk.get(at(row, "change")).content.decode()
    links = {title: ("link", address, "") for address, title in LINK.findall(page)}
    return links | {title: ("form", address, form) for title, form, address in STANDING.findall(page)}


def fields(form: str) -> dict[str, list[tuple[str, str]]]:
    """The fields of a form by their names, each place with its type and what stands in it."""
    places: dict[str, list[tuple[str, str]]] = {}
    for tag, attributes, text in FIELD.findall(form):
        has = dict(ATTRIBUTE.findall(attributes))
        if "name" in has:
            places.setdefault(has["name"], []).append((has.get("type", tag), html.unescape(has.get("value", text))))
    return places


def filled_in(places: Mapping[str, list[tuple[str, str]]], values: Mapping[str, str]) -> dict[str, str]:
    """What a browser sends where somebody fills these fields in, each of which can be seen; of a choice, the first."""
    standing = {name: field[0][1] for name, field in places.items() if field[0][0] not in {*TICKED, "submit"}}
    assert [name for name in values if name not in places or places[name][0][0] == "hidden"] == []
    return {**standing, **{name: value or places[name][0][1] for name, value in values.items()}, "_act": "1"}


@pytest.mark.parametrize("name", ACTS)
def test_an_act_is_offered_to_each_group_that_may_and_done_and_refused_to_every_other(desks, name):
    act = ACTS[name]
    for group, (user, desk) in desks.items():
        row = act.make(user)
        before = state(row, act.left)
        offer = offered(desk, row).get(act.button)

        assert (group, offer is not None) == (group, group in act.may)
        if offer is None:
            where, sent = at(row, act.page), {name: value or "1" for name, value in act.given.items()}
            for answer in (desk.get(where), desk.post(where, {**sent, "_act": "1"})):
                assert (group, answer.status_code, "This is not open to you" in words(answer)) == (group, 403, True)
            assert state(row, act.left) == before
            continue
        where, address, form = offer
        places = fields(form or FORM.search(desk.get(address).content.decode())[1])
        said = words(desk.post(address, filled_in(places, act.given), follow=True))
        assert act.says in said
        assert (group, state(row, act.left)) == (group, act.left)
        assert LogEntry.objects.filter(user=user, object_id=str(row.pk)).exists()
        types = {type_ for field in places.values() for type_, _ in field} - {"hidden", "submit"}
        kind = ", ".join([where, *sorted(types)])
        assert kind in IN_CHROMIUM
        assert name not in IN_CHROMIUM.values() or IN_CHROMIUM[kind] == name


SECRETS = {
    "an API key": (ApiKey, "Make an API key", {"name": "sums", "scopes": "read"}),
    "a webhook": (Webhook, "Register a webhook", {"url": "https://example.org/hook"}),
}


@pytest.mark.parametrize("name", SECRETS)
def test_what_has_a_secret_is_made_by_each_group_that_may_and_its_secret_can_be_read(desks, name):
    model, button, given = SECRETS[name]
    list_ = reverse(f"admin:debates_{model._meta.model_name}_changelist")
    for group, (user, desk) in desks.items():
        link = f'<a href="{list_}make/" class="addlink">{button}</a>' in desk.get(list_).content.decode()
        assert (group, link) == (group, group in MODERATORS)
        page = desk.get(f"{list_}make/")
        if group in MODERATORS:
            places = fields(FORM.search(page.content.decode())[1])
            done = desk.post(f"{list_}make/", filled_in(places, given), follow=True)
            assert len(re.search(r'<code class="secret">([^<]*)</code>', done.content.decode())[1]) > 30
        else:
            assert (group, page.status_code, "This is not open to you" in words(page)) == (group, 403, True)
        assert (group, model.objects.filter(owner=user).count()) == (group, int(group in MODERATORS))


def test_a_rubric_is_written_by_senior_moderators_alone(desks):
    list_ = reverse("admin:scoring_rubric_changelist")
    for group, (_, desk) in desks.items():
        link, page = "rubric/add/" in desk.get(list_).content.decode(), desk.get(f"{list_}add/", follow=True)

        assert (group, link, page.status_code) == (group, group == SENIOR, 200 if group == SENIOR else 403)
        assert ("This is not open to you" in words(page)) is (group != SENIOR)


def test_a_webhook_that_a_double_click_registers_is_registered_once_and_its_secret_is_shown_to_either():
    client, address = proved(client_of(factories.person(superuser=True))), reverse("admin:debates_webhook_make")
    page = client.get(address)
    once = page.context["form"]["once"].value()
    form = {"url": "https://example.org/hook", "types": ["debate:concluded"], "once": once}
    assert f'<input type="hidden" name="once" value="{once}"' in page.content.decode()

    first, again = (client.post(address, form).content.decode() for _ in range(2))

    [secret] = re.findall(r'<code class="secret">(.+)</code>', first)
    assert f'<code class="secret">{secret}</code>' in again
    assert (Webhook.objects.count(), LogEntry.objects.filter(change_message="made").count()) == (1, 1)
    Webhook.objects.all().delete()
    third = client.post(address, form).content.decode()
    assert "made from this form before is gone" in third
    assert secret not in third
    client.post(address, {**form, "once": "of another page"})
    assert Webhook.objects.count() == 1


def test_the_text_of_a_key_is_kept_nowhere_whatever_form_made_it():
    client, address = proved(client_of(factories.person(superuser=True))), reverse("admin:debates_apikey_make")
    form = {"name": "Mine", "scopes": ["read"], "once": client.get(address).context["form"]["once"].value()}

    assert 'class="secret"' in client.post(address, form).content.decode()

    assert not IdempotencyKey.objects.exists()


@pytest.mark.parametrize("year", ["9998", "9999"])
def test_a_key_expires_before_times_end(year):
    client, address = proved(client_of(factories.person(superuser=True))), reverse("admin:debates_apikey_make")
    page = client.post(address, {"name": "Mine", "scopes": ["read"], "expires_at": f"{year}-12-31 23:00"})

    assert ("must lie before the end of 9998" in page.content.decode()) is (year == "9999")
    assert ApiKey.objects.count() == (year == "9998")


def test_an_act_of_which_no_line_of_the_log_can_be_written_is_not_done():
    user = factories.moderator()
    alert = ACTS["queue: Acknowledge"].make(user)
    row, client = alert.evaluation, proved(client_of(user))
    why = {"reason": factories.REASON}
    forms = [
        (at(row, "freeze"), {**why, "seen": row.moderation_version}),
        (reverse("admin:scoring_evaluation_bulk_freeze"), {**why, "rows": f"{row.pk}:{row.moderation_version}"}),
        (reverse("admin:scoring_alert_many_dismiss"), {**why, "rows": f"{alert.pk}:1"}),
        (reverse("admin:debates_apikey_make"), {"name": "Mine", "scopes": ["read"]}),
    ]
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE django_admin_log ADD CONSTRAINT log_is_full CHECK (false) NOT VALID")

    for address, form in forms:
        with pytest.raises(IntegrityError, match="log_is_full"):
            client.post(address, form)

    row.refresh_from_db()
    alert.refresh_from_db()
    assert (row.frozen_at, alert.state, ApiKey.objects.count()) == (None, "open", 0)
