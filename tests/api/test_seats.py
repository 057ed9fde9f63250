"""Seats: an invitation is good once, for the newest of its seat, and for nobody's engine."""

import pytest
from django.utils import timezone

from debates.models import Participant
from debates.services import invitations, seats
from tests import factories
from tests.api.clients import Api, code_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def seat() -> Participant:
    debate = factories.debate(visibility="private", created_by=factories.person("alice"))
    return Participant.objects.create(debate=debate, role="chair", kind="human", name="Chair")


def invited(seat: Participant) -> str:
    answer = Api(seat.debate.created_by).post(f"/participants/{seat.public_id}/invite/")
    assert answer.status_code == 201
    return answer.json()["invitation"]


def test_an_invitation_binds_a_seat_to_who_takes_it_once(seat):
    bob, carol = Api(factories.person("bob")), Api(factories.person("carol"))
    invitation = invited(seat)

    before = bob.get(f"/debates/{seat.debate.public_id}/").status_code
    taken = bob.post("/seats/", {"invitation": invitation})
    again, refused = (api.post("/seats/", {"invitation": invitation}) for api in (bob, carol))

    assert (before, bob.get(f"/debates/{seat.debate.public_id}/").status_code) == (404, 200)
    assert (taken.status_code, taken.json()["seated"]) == (200, True)
    assert (again.status_code, again.json()) == (200, taken.json())
    assert code_of(refused) == (409, "not_allowed_now")
    seat.refresh_from_db()
    assert seat.user.username == "bob"


def test_only_the_newest_invitation_is_good(seat):
    old, new = invited(seat), invited(seat)
    bob = Api(factories.person("bob"))

    assert code_of(bob.post("/seats/", {"invitation": old})) == (422, "invalid")
    assert bob.post("/seats/", {"invitation": new}).status_code == 200


@pytest.mark.parametrize("spoil", [lambda text: text[:-1] + "x", lambda text: "nonsense", lambda text: text + ":"])
def test_a_forged_invitation_is_none(seat, spoil):
    answer = Api(factories.person("bob")).post("/seats/", {"invitation": spoil(invited(seat))})

    assert code_of(answer) == (422, "invalid")


def test_an_invitation_is_good_for_a_week(seat):
    invitation = seats.invite(participant_id=seat.pk, by=None, now=timezone.now() - invitations.GOOD_FOR)

    assert code_of(Api(factories.person("bob")).post("/seats/", {"invitation": invitation})) == (422, "invalid")


def test_who_may_not_conduct_a_debate_invites_nobody_and_an_engine_is_not_seated(seat):
    engine = factories.arbiter(seat.debate)
    seer = factories.person("seer", permissions=["debates.view_debate"])

    assert code_of(Api(seer).post(f"/participants/{seat.public_id}/invite/")) == (403, "not_permitted")
    assert code_of(Api(factories.person("bob")).post(f"/participants/{seat.public_id}/invite/")) == (404, "not_found")
    alice = Api(seat.debate.created_by)
    assert code_of(alice.post(f"/participants/{engine.public_id}/invite/")) == (409, "not_allowed_now")
    assert code_of(Api().post("/seats/", {"invitation": "x"})) == (401, "not_authenticated")
