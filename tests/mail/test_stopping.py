"""No more mail of a kind: by the link in a mail, by a program's one click, and back again."""

import re
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.core import signing
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from debates.mail import outbox, preferences
from debates.models import Invitation, Mail, MailStop, Profile
from debates.services import invitations
from debates.services.invitations import Offer
from debates.types import MailKind
from tests import factories
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.django_db, WITHOUT_COLLECTED_FILES]


@pytest.fixture
def person():
    return factories.person("konrad", email="konrad@example.org")


@pytest.fixture
def concluded(sink, send, person):
    """Have the person told that some debate is concluded, and return the mail."""

    def tell(number):
        debate = factories.debate(status="concluded", created_by=person)
        about = {"people": [person.pk], "debate_id": debate.pk, "now": timezone.now()}
        outbox.due(kind=MailKind.CONCLUDED, about=number, **about)
        before = len(sink.mails)
        send()
        return sink.mails[-1][1] if len(sink.mails) > before else None

    return tell


def stop_of(message):
    return message["List-Unsubscribe"].strip().strip("<>").removeprefix("https://moot.example.org")


def test_the_link_in_a_mail_stops_its_kind_and_no_other_and_takes_it_back(concluded):
    message = concluded(1)
    link = stop_of(message)
    assert all(link in part.get_content() for part in message.iter_parts())

    asked = Client().get(link).content.decode()
    assert "Get no more of this mail?" in asked
    assert "konrad" not in asked
    assert Profile.objects.get().unwanted_mail == []

    assert "You get no more of this mail" in Client().post(link).content.decode()
    assert Profile.objects.get().unwanted_mail == ["concluded"]
    assert concluded(2) is None
    assert Mail.objects.latest("pk").state == "withdrawn"

    assert "You get this mail again" in Client().post(link, {"again": "1"}).content.decode()
    assert concluded(3) is not None


def test_a_program_stops_it_with_one_click_and_without_a_cookie(concluded):
    link = stop_of(concluded(1))

    answer = Client(enforce_csrf_checks=True).post(link, {"List-Unsubscribe": "One-Click"})

    assert answer.status_code == 200
    assert Profile.objects.get().unwanted_mail == ["concluded"]


@pytest.mark.parametrize("token", ["0" * 32, "nonsense", "a:b:c"])
def test_a_link_that_is_none_of_ours_is_not_there(token, client):
    for kind in ("concluded", "nothing"):
        assert client.post(f"/mail/stop/{token}/{kind}/").status_code == 404


def test_who_has_no_account_can_stop_invitations_to_their_address(sink, send, settings):
    now = timezone.now()

    def invite(number):
        row = Invitation.objects.create(
            email="Nora@example.org", digest=f"{number}" * 64, expires_at=now + timedelta(days=7)
        )
        outbox.due(kind=MailKind.INVITATION, about=row.public_id, address=row.email, secret=f"/come/{number}/", now=now)
        send()
        return Mail.objects.latest("pk")

    first = invite(1)
    [(to, message)] = sink.mails
    assert (to, str(message["Subject"])) == ("Nora@example.org", "You are invited to the debates at moot.example.org")
    assert "https://moot.example.org/come/1/" in next(message.iter_parts()).get_content()
    assert (first.state, first.address, first.secret) == ("sent", "", "")

    link = stop_of(message)
    assert "nora" not in link.lower()
    Client().post(link)
    assert re.fullmatch(r"[0-9a-f]{64}", MailStop.objects.get().digest)
    assert (invite(2).state, len(sink.mails)) == ("withdrawn", 1)

    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], "another key"
    assert invite(3).state == "withdrawn"

    Client().post(link, {"again": "1"})
    assert invite(4).state == "sent"
    newer = stop_of(sink.mails[-1][1])
    of_old = signing.dumps(preferences.digests_of("nora@example.org")[0], salt=preferences.SALT, compress=False)
    older = f"/mail/stop/{of_old}/invitation/"
    for number, stopping in ((5, link), (6, newer), (7, older)):
        Client().post(stopping)
        assert invite(number).state == "withdrawn"
        Client().post(newer, {"again": "1"})
    assert invite(8).state == "sent"


@pytest.mark.parametrize("is_confirmed", [True, False, None])
def test_who_wants_no_invitations_gets_none_at_an_address_that_is_theirs(is_confirmed, sink, send, person):
    if is_confirmed is not None:
        EmailAddress.objects.create(user=person, email=person.email, verified=is_confirmed)
    Profile.objects.create(user=person, unwanted_mail=["invitation"])

    invitations.invite(offer=Offer(email="Konrad@example.org"), by=None, now=timezone.now())
    send()

    assert Mail.objects.get().state == ("sent" if is_confirmed is False else "withdrawn")
    assert len(sink.mails) == (1 if is_confirmed is False else 0)


@pytest.mark.parametrize("by", ["the profile", "the link in another mail"])
def test_who_wanted_no_invitations_before_they_had_an_account_says_in_it_that_they_do(sink, send, person, by):
    MailStop.objects.create(digest=preferences.digests_of(person.email)[0])
    address = EmailAddress.objects.create(user=person, email=person.email, verified=False)
    kept, client = Profile.objects.create(user=person), Client()
    client.force_login(person)
    chosen = {"wanted_mail": ["invitation"]}

    def shown() -> list[str]:
        return client.get(reverse("profile")).context["form"]["wanted_mail"].initial

    client.post(reverse("profile"), chosen)
    before = ("invitation" in shown(), MailStop.objects.count())
    EmailAddress.objects.filter(pk=address.pk).update(verified=True)
    confirmed = "invitation" in shown()
    if by == "the profile":
        client.post(reverse("profile"), chosen)
    else:
        Client().post(f"/mail/stop/{kept.unsubscribe_token.hex}/invitation/", {"again": "1"})
    invitations.invite(offer=Offer(email=person.email), by=None, now=timezone.now())
    send()

    assert (before, confirmed, "invitation" in shown()) == ((True, 1), False, True)
    assert (Mail.objects.get().state, MailStop.objects.count()) == ("sent", 0)


def test_the_link_in_an_invitation_to_an_account_changes_what_its_profile_says(sink, send, person):
    invitations.invite(offer=Offer(email=person.email), by=None, now=timezone.now())
    send()

    Client().post(stop_of(sink.mails[0][1]))

    assert Profile.objects.get(user=person).unwanted_mail == ["invitation"]
    assert not MailStop.objects.exists()


def test_who_wants_no_mail_at_an_address_gets_none_by_somebody_who_signed_up_with_it(concluded, person):
    row = EmailAddress.objects.create(user=person, email=person.email, primary=True)
    MailStop.objects.create(digest=preferences.digests_of(person.email)[0])

    assert concluded(1) is None

    row.verified = True
    row.save()
    assert concluded(2) is not None
