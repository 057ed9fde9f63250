"""The time zone of a profile holds wherever pages show and take times; programs are answered in UTC."""

import re
from datetime import UTC, datetime, time, timedelta

import pytest
from django.contrib.auth.models import Group
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from debates.models import ApiKey, Invitation, Profile
from judging.engine.creation import create_draft
from judging.formats.criterion.spec import CriterionSpec
from judging.models import NewDebate, PlannedStart
from tests import factories, playing
from tests.moderators import client_of, proved

pytestmark = pytest.mark.django_db


@pytest.fixture
def alice():
    person = factories.person("alice")
    person.groups.add(Group.objects.get(name="Organiser"))
    Profile.objects.create(user=person, time_zone="Asia/Tokyo")
    return person


@pytest.fixture
def draft(alice):
    spec = CriterionSpec(title="Wells", subject=playing.SUBJECT, rubric=playing.rubric("P1"))
    debate = create_draft(spec=spec, by=alice, now=timezone.now())
    Invitation.objects.create(
        debate=debate, role="guest", digest="a" * 64, expires_at=timezone.now() + timedelta(days=3), created_by=alice
    )
    NewDebate.objects.create(owner=alice, format="open")
    return debate


@pytest.mark.parametrize("page", ["/", "/debates/new/", "/debates/{}/", "/debates/{}/people/", "/debates/{}/prepare/"])
def test_times_on_pages_are_of_the_zone_of_whoever_looks(alice, draft, page):
    PlannedStart.objects.create(debate=draft, starts_at=timezone.now() + timedelta(days=1))

    shown = client_of(alice).get(page.format(draft.public_id)).content.decode()

    times = re.findall(r"<time[^>]*>([^<]*)</time>", shown)
    assert times
    assert {written.rpartition(" ")[2] for written in times} == {"JST"}


@pytest.mark.parametrize("name", ["Europe/Vienna", "Etc/GMT+5", "UTC"])
def test_a_page_names_the_zone_as_browsers_call_it(alice, name):
    Profile.objects.update(time_zone=name)

    assert f'<html lang="en" data-zone="{name}">' in client_of(alice).get("/").content.decode()


@pytest.mark.parametrize("name", ["", "Mars/Base"])
def test_a_page_leaves_the_zone_to_the_browser_where_the_profile_names_none_that_is_known(alice, name):
    Profile.objects.update(time_zone=name)

    assert '<html lang="en">' in client_of(alice).get("/").content.decode()


def test_a_planned_start_is_read_in_the_zone_that_stands_beside_the_field(alice, draft):
    prepare = reverse("prepare-debate", args=[draft.public_id])
    client = client_of(alice)

    assert "A day and a time, Asia/Tokyo." in client.get(prepare).content.decode()
    day = timezone.now().date() + timedelta(days=30)
    client.post(prepare, {"starts_at": f"{day}T18:30"})

    assert PlannedStart.objects.get().starts_at == datetime.combine(day, time(9, 30), tzinfo=UTC)


def test_a_time_that_a_clock_leaves_out_is_refused_at_its_field(alice, draft):
    Profile.objects.update(time_zone="Europe/Vienna")

    answer = client_of(alice).post(reverse("prepare-debate", args=[draft.public_id]), {"starts_at": "2027-03-28T02:30"})

    assert answer.status_code == 422
    assert "Europe/Vienna" in re.search(r'id="id_starts_at_error".*?</ul>', answer.content.decode(), re.DOTALL)[0]
    assert not PlannedStart.objects.exists()


def test_the_end_of_a_key_is_read_in_the_zone_that_stands_beside_the_field():
    root = factories.moderator("root")
    Profile.objects.create(user=root, time_zone="Asia/Tokyo")
    client, make = proved(client_of(root)), reverse("admin:debates_apikey_make")

    assert "A day and a time, Asia/Tokyo." in client.get(make).content.decode()
    client.post(make, {"name": "mine", "scopes": ["read"], "expires_at": "2099-03-01 18:30", "_act": "1"})

    assert ApiKey.objects.get().expires_at == datetime(2099, 3, 1, 9, 30, tzinfo=UTC)
    assert "1 Mar 2099, 18:30 JST" in client.get(reverse("admin:debates_apikey_changelist")).content.decode()


def test_programs_are_answered_in_utc_also_in_the_session_of_somebody(alice, draft):
    answer = client_of(alice).get(f"/api/v1/debates/{draft.public_id}/").json()

    assert answer["created_at"].endswith("Z")


def test_a_zone_that_this_machine_does_not_know_breaks_no_page(alice, draft, monkeypatch):
    Profile.objects.update(time_zone="Mars/Base")

    assert "UTC</time>" in client_of(alice).get(f"/debates/{draft.public_id}/").content.decode()
    assert "UTC</time>" in Client().get(f"/debates/{draft.public_id}/").content.decode()
