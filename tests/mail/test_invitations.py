"""Whoever is invited by their address is written to, and comes by the link in the mail."""

import re

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone

from debates.models import Mail
from debates.services import invitations
from debates.services.invitations import Offer
from debates.types import MemberRole
from tests import factories
from tests.judging.erasure.erase import erase, seated
from tests.moderators import client_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("to", ["a role", "the site"])
def test_a_mail_leads_whoever_was_invited_in(to, sink, send):
    debate = factories.debate(visibility="private")
    about = {"debate": debate, "role": MemberRole.JUDGE} if to == "a role" else {}
    invitations.invite(offer=Offer(email="bob@example.org", **about), by=None, now=timezone.now())

    send()

    [(recipient, message)] = sink.mails
    text = next(message.iter_parts()).get_content()
    [path] = re.findall(r"https://moot\.example\.org(/invitations/\S+)", text)
    assert recipient == "bob@example.org"
    assert (f"“{debate.title}”, as judge without a seat." in " ".join(text.split())) is bool(about)
    bob = User.objects.create_user("bob", email="bob@example.org")
    client = client_of(bob)
    assert client.post(path).headers["Location"] == (
        reverse("debate", args=[debate.public_id]) if about else reverse("my-debates")
    )


def test_who_was_invited_and_not_any_more_gets_no_mail(sink, send):
    row, _ = invitations.invite(offer=Offer(email="bob@example.org"), by=None, now=timezone.now())
    invitations.revoke(invitation_id=row.pk, by=None, now=timezone.now())

    send()

    assert sink.mails == []


def by_an_organiser(bob: User) -> None:
    debate = factories.debate()
    role = debate.memberships.create(user=bob, role="organiser", created_at=timezone.now())
    offer = Offer(debate=debate, role=MemberRole.GUEST, email="eve@example.org")
    invitations.invite(offer=offer, by=bob, now=timezone.now())
    invitations.take_role(membership_id=role.pk, by=None, now=timezone.now())


def by_who_was_erased(bob: User) -> None:
    invitations.invite(offer=Offer(email="eve@example.org"), by=bob, now=timezone.now())
    erase(bob, factories.moderator("root"))


def to_a_seat_of_a_debate_that_is_over(_bob: User) -> None:
    seat = seated("Eve")
    debate, offer = seat.debate, Offer(debate=seat.debate, seat=seat, email="eve@example.org")
    invitations.invite(offer=offer, by=None, now=timezone.now())
    type(debate).objects.update(status="cancelled")


@pytest.mark.parametrize(
    ("happens", "why"),
    [
        pytest.param(by_who_was_erased, invitations.MAKER_GONE, id="its maker is erased"),
        pytest.param(by_an_organiser, invitations.MAKER_GONE, id="its maker organises nothing any more"),
        pytest.param(to_a_seat_of_a_debate_that_is_over, "This debate is over", id="nobody sits there any more"),
    ],
)
def test_nobody_is_written_to_about_an_invitation_by_which_they_could_not_come(happens, why, sink, send):
    happens(factories.person("bob", permissions=["debates.add_invitation"]))

    send()

    mail = Mail.objects.get()
    assert (sink.mails, mail.state, mail.problem.startswith(why)) == ([], "withdrawn", True)


def test_an_invitation_whose_link_no_key_of_the_site_opens_is_not_said_to_be_over(sink, send, settings):
    invitations.invite(offer=Offer(email="bob@example.org"), by=None, now=timezone.now())

    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another key", []
    send()

    mail = Mail.objects.get()
    assert (sink.mails, mail.state) == ([], "due")
    assert mail.problem == "Its link cannot be opened; make the invitation anew."
