"""The lists of the admin answer what their filters ask, and no other question about a column."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
from django.contrib import admin
from django.contrib.admin.exceptions import DisallowedModelAdminLookup
from django.contrib.admin.models import ADDITION, LogEntry
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.db.models import Model
from django.test import Client, RequestFactory
from django.urls import reverse

from tests import factories, rows_in_every_table
from tests.moderators import client_of
from tests.module_fixtures import rolled_back

pytestmark = pytest.mark.django_db
LOOKUPS = ("regex", "startswith", "gt", "isnull", "")
SPANNING = ("password", "secret", "digest", "body", "data", "owner__password", "user__password")


def named(model: type[Model]) -> str:
    return model._meta.label


def listed(model: type[Model]) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")


def questions(model: type[Model]) -> Iterator[str]:
    """Lookups of every column of a model, and of what it points to: the key, and whatever is a secret there."""
    for column in model._meta.get_fields():
        for lookup in LOOKUPS:
            yield "__".join(filter(None, (column.name, lookup)))
        other = column.related_model
        if not isinstance(other, type):
            continue
        names = {one.name for one in other._meta.get_fields()}
        spanned = [other._meta.pk.name, *(path for path in SPANNING if path.partition("__")[0] in names)]
        yield from (f"{column.name}__{path}__startswith" for path in spanned)


def offered(client: Client, model: type[Model]) -> set[str]:
    """What the links of the filters beside a list ask."""
    specs = client.get(listed(model)).context["cl"].filter_specs
    return {name for spec in specs for name in spec.expected_parameters()}


def linked(model: type[Model]) -> set[str]:
    """What links from other pages ask."""
    return set(getattr(admin.site._registry[model], "linked_by", ()))


def refused(model: type[Model], name: str) -> bool:
    """Whether the view of a list does so, by what Django answers with 400; without all that stands before each view."""
    request = RequestFactory().get(listed(model), {name: "a"})
    request.user = User.objects.get(username="ruth")
    try:
        admin.site._registry[model].changelist_view(request)
    except DisallowedModelAdminLookup:
        return True
    return False


@pytest.fixture(scope="module")
def client(django_db_setup: None, django_db_blocker: Any) -> Iterator[Client]:
    """Somebody who sees every list, with something in each."""
    with rolled_back(django_db_blocker):
        rows_in_every_table.one("first")
        user = factories.moderator("ruth")
        kind = ContentType.objects.get_for_model(User)
        LogEntry.objects.create(user=user, content_type=kind, object_id="1", action_flag=ADDITION)
        client = client_of(user)
        yield client


@pytest.mark.parametrize("model", admin.site._registry, ids=named)
def test_a_list_answers_its_filters_and_is_no_oracle_about_any_column(client, model):
    asked = set(questions(model)) - offered(client, model) - linked(model)
    answered = {name for name in asked if not refused(model, name)}

    assert len(asked) > 10
    assert answered == set()


@pytest.mark.parametrize("model", admin.site._registry, ids=named)
def test_every_filter_beside_a_list_still_leads_to_a_list(client, model):
    changes = client.get(listed(model)).context["cl"]
    links = [choice["query_string"] for spec in changes.filter_specs for choice in spec.choices(changes)]
    links += [f"?{name}=1" for name in linked(model)]

    assert {link: client.get(listed(model) + link).status_code for link in links if link} == {
        link: 200 for link in links if link
    }


def test_the_secret_of_anothers_webhook_is_not_found_out_letter_by_letter():
    alice = factories.person("alice", permissions=["debates.view_webhook", "mfa.view_authenticator", "auth.view_user"])
    client = client_of(alice)
    rows_in_every_table.told_outside(rows_in_every_table.one("second"), factories.person("bob"))

    paths = [
        f"/admin/debates/webhook/?secret__regex={quote('^whsec_')}",
        "/admin/debates/webhook/?owner__password__startswith=p",
        "/admin/mfa/authenticator/?data__secret__startswith=A",
        "/admin/auth/user/?password__startswith=p",
        "/admin/auth/user/?authenticator__data__secret__startswith=A",
    ]

    assert [client.get(path).status_code for path in paths] == [400] * len(paths)


@pytest.mark.parametrize(
    "asked",
    [
        *(f"judging/cachedjudgement/1%00/{page}/" for page in ("change", "history", "delete")),
        "autocomplete/?app_label=debates&model_name=apikey&field_name=owner&term=%00",
        "auth/user/?q=%00",
    ],
)
def test_a_character_that_no_text_has_is_not_there(client, asked):
    assert client.get(f"/admin/{asked}").status_code == 404
