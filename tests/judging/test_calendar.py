"""Deadlines as a calendar file, at an address that only its owner has."""

import re

import pytest
from django.test import Client

from judging.engine import lifecycle
from judging.pages.participants import calendar_of
from judging.views.my_debates import folded
from tests import factories
from tests.judging.formats.open import people
from tests.moderators import client_of
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.django_db, WITHOUT_COLLECTED_FILES]


def asked(user, **headers):
    path = calendar_of(user).partition("://")[2].partition("/")[2]
    return Client(headers=headers).get(f"/{path}")


def lines(answer):
    text = answer.content.decode()
    assert text.endswith("END:VCALENDAR\r\n")
    assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))
    return text.replace("\r\n ", "").split("\r\n")


def test_each_awaited_turn_is_an_event_until_its_deadline(settings):
    settings.SITE_URL = "https://moot.example.org"
    debate = people.waits()
    konrad = people.konrad(debate)
    awaited = people.awaited(debate)

    answer = asked(konrad)

    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "text/calendar; charset=utf-8")
    found = dict(line.split(":", 1) for line in lines(answer) if ":" in line and not line.startswith(("BEGIN", "END:")))
    assert found["UID"] == f"{awaited.public_id}@moot.example.org"
    assert found["DTEND"] == f"{awaited.deadline:%Y%m%dT%H%M%SZ}"
    assert found["SUMMARY"] == f"Your turn: {debate.title}"
    assert found["DESCRIPTION"] == "The opening\\, as Konrad"
    assert found["URL"] == f"https://moot.example.org/debates/{debate.public_id}/#seat-2"


def test_what_is_said_or_paused_is_in_it_no_more():
    debate = people.waits()
    konrad = people.konrad(debate)
    assert b"BEGIN:VEVENT" in asked(konrad).content

    lifecycle.pause(debate_id=debate.pk, by=None, now=people.awaited(debate).at)
    assert b"BEGIN:VEVENT" not in asked(konrad).content


def test_it_holds_nothing_of_anybody_else():
    people.konrad(people.waits())

    assert b"BEGIN:VEVENT" not in asked(factories.person("carol")).content


def test_its_address_ends_with_the_password_and_the_account():
    user = factories.person("konrad")
    address = calendar_of(user)
    path = re.sub(r"^https?://[^/]+", "", address)
    assert Client().get(path).status_code == 200

    user.set_password("another")
    user.save()
    assert Client().get(path).status_code == 404
    fresh = re.sub(r"^https?://[^/]+", "", calendar_of(user))
    assert Client().get(fresh).status_code == 200

    user.is_active = False
    user.save()
    assert Client().get(fresh).status_code == 404
    assert Client().get("/calendar/nonsense.ics").status_code == 404


def test_its_address_stays_good_while_the_key_it_was_made_under_is_a_former_one(settings):
    path = re.sub(r"^https?://[^/]+", "", calendar_of(factories.person("konrad")))

    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another" * 10, [settings.SECRET_KEY]
    assert Client().get(path).status_code == 200
    settings.SECRET_KEY_FALLBACKS = []
    assert Client().get(path).status_code == 404


def test_a_long_line_is_folded_within_no_character():
    line = f"SUMMARY:{'Ä€😀' * 60}"

    text = folded(line)

    assert all(len(part.encode()) <= 75 for part in text.split("\r\n"))
    assert text.replace("\r\n ", "").rstrip("\r\n") == line


def test_its_address_stands_where_no_text_of_anybody_is_put_beside_it():
    debate = people.waits()
    konrad = people.konrad(debate)
    client = Client(headers={"Accept-Encoding": "gzip"})
    client.force_login(konrad)

    seats = client.get("/seats/?q=calendar")
    page = client_of(konrad)
    shown = page.get(f"/debates/{debate.public_id}/?q=calendar").content.decode()

    assert "/calendar/" in seats.content.decode()
    assert not seats.has_header("Content-Encoding")
    assert "/calendar/" not in shown
    assert 'href="/seats/#calendar"' in shown
