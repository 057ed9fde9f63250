"""Seats at the desk: who sits where, whom a debate waits for, and invitations to seats that are free."""

import re

import pytest

from debates.services import seats
from scoring.groups import AUDITOR, SENIOR
from tests import factories
from tests.judging.formats.open.people import awaited, konrad, seat_of, waits
from tests.moderators import address, client_of, member, words

pytestmark = pytest.mark.django_db


def invite(client, participant):
    return words(client.post(address("debates_participant", "invite", participant.pk), follow=True))


def test_somebody_is_invited_to_a_free_seat_with_an_address_that_is_shown_once():
    debate = waits()
    seat, sue = seat_of(debate), client_of(member(SENIOR))
    page = address("debates_participant", "change", seat.pk)

    said = invite(sue, seat)

    [invitation] = re.findall(r"http://testserver/seats/([^/]+)/", said)
    assert "Whoever opens this address first may speak as Konrad" in said
    assert "/seats/" not in words(sue.get(page))
    bob = factories.person("bob")
    assert seats.take(invitation=invitation, by=bob).pk == seat.pk
    assert "bob" in words(sue.get(page))
    assert "This seat is taken." in invite(sue, seat)
    assert "Here an engine speaks; it needs no seat." in invite(sue, debate.participants.get(name="Mira"))


def test_who_may_not_conduct_a_debate_invites_nobody():
    seat = seat_of(waits())

    answer = client_of(member(AUDITOR)).post(address("debates_participant", "invite", seat.pk))

    assert answer.status_code == 403
    assert not seat.invitations.exists()


def test_the_page_of_a_debate_says_whom_it_waits_for():
    debate = waits()
    konrad(debate)
    auditor = client_of(member(AUDITOR))

    shown = words(auditor.get(address("debates_debate", "change", debate.pk)))

    assert f"Waits for Konrad until {awaited(debate).deadline:%-d %b %Y, %H:%M:%S} UTC" in shown
    listed = words(auditor.get(address("debates_awaitedturn", "changelist")))
    assert "Konrad" in listed
