"""Keys at the desk and on the command line."""

from datetime import timedelta
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from debates.models import ApiKey
from debates.services import keys
from tests import factories
from tests.moderators import client_of, member, proved
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.django_db, WITHOUT_COLLECTED_FILES]
LIST = "/admin/debates/apikey/"


def told(*words: str) -> str:
    out = StringIO()
    call_command("api_key", *words, stdout=out)
    return out.getvalue()


def test_whoever_is_not_there_is_not_said_to_have_no_keys():
    with pytest.raises(CommandError, match="There is nobody called 'alcie'"):
        told("list", "alcie")


def at_the_desk(**options) -> Client:
    return proved(client_of(factories.person("alice", **options)))


def test_a_key_is_made_at_the_desk_and_shown_once():
    client = at_the_desk(superuser=True)

    made = client.post(LIST + "make/", {"name": "Reports", "scopes": ["read", "export"], "expires_at": ""})
    key = ApiKey.objects.get()
    text = made.content.decode().partition('class="secret">')[2].partition("<")[0]

    assert (key.owner.username, key.scopes) == ("alice", ["read", "export"])
    assert Client().get("/api/v1/subjects/", headers={"Authorization": f"Bearer {text}"}).status_code == 200
    assert "no-store" in made.headers["Cache-Control"]
    for page in (LIST, f"{LIST}{key.pk}/change/"):
        shown = client.get(page).content.decode()
        assert text not in shown
        assert key.digest not in shown


def test_a_key_is_revoked_at_the_desk():
    client = at_the_desk(superuser=True)
    client.post(LIST + "make/", {"name": "Reports", "scopes": ["read"]})
    key = ApiKey.objects.get()

    client.post(f"{LIST}{key.pk}/revoke/")
    again = client.post(f"{LIST}{key.pk}/revoke/")

    key.refresh_from_db()
    assert key.revoked_at is not None
    assert "This key was revoked" in again.content.decode()


def test_a_key_takes_a_permission_and_a_sensible_form():
    assert at_the_desk(permissions=["debates.view_apikey"]).get(LIST + "make/").status_code == 403
    client = proved(client_of(factories.moderator("bob")))

    over = client.post(LIST + "make/", {"name": "Reports", "scopes": ["read"], "expires_at": "2001-01-01"})

    assert "must lie in the future" in over.content.decode()
    assert ApiKey.objects.count() == 0


def test_an_organiser_finds_and_revokes_keys_of_their_own_alone():
    client = proved(client_of(member("Organiser")))
    client.post(LIST + "make/", {"name": "Mine", "scopes": ["read"]})
    theirs, _ = keys.issue(owner=factories.person("bob"), by=None, name="Theirs", scopes=["read"], now=timezone.now())
    own = ApiKey.objects.get(name="Mine")

    index, listed, page = (client.get(at) for at in ("/admin/", LIST, f"{LIST}{own.pk}/change/"))
    gone = client.post(f"{LIST}{own.pk}/revoke/", follow=True)

    assert f'href="{LIST}"' in index.content.decode()
    assert ("Mine" in listed.content.decode(), "Theirs" in listed.content.decode()) == (True, False)
    assert f"{LIST}{own.pk}/revoke/" in page.content.decode()
    assert "is revoked." in gone.content.decode()
    assert client.post(f"{LIST}{theirs.pk}/revoke/", follow=True).redirect_chain == [("/admin/", 302)]
    assert [key.name for key in ApiKey.objects.filter(revoked_at=None)] == ["Theirs"]


def test_the_command_makes_lists_and_revokes():
    factories.person("alice")

    text = told("make", "alice", "--name", "Reports", "--scopes", "read,write", "--days", "3").strip()
    listed = told("list", "alice")
    told("revoke", text[:12])

    assert listed == f"{text[:12]}  alice  read,write  Reports\n"
    assert told("list") == ""


def test_the_command_lists_neither_a_key_that_is_over_nor_one_of_somebody_who_may_not_sign_in():
    alice, bob = factories.person("alice"), factories.person("bob")
    day, now = timedelta(days=1), timezone.now()
    keys.issue(owner=alice, by=None, name="over", scopes=["read"], now=now - 2 * day, expires_at=now - day)
    _, good = (told("make", name, "--name", "x").strip()[:12] for name in ("bob", "alice"))
    User.objects.filter(pk=bob.pk).update(is_active=False)

    assert told("list") == f"{good}  {alice}  read  x\n"


@pytest.mark.parametrize(
    "words",
    [
        ("make", "nobody", "--name", "x"),
        ("make", "alice", "--name", "x", "--scopes", "root"),
        ("revoke", "moot_nothing"),
    ],
)
def test_the_command_refuses_what_makes_no_sense(words):
    factories.person("alice")

    with pytest.raises(CommandError):
        told(*words)


@pytest.mark.parametrize("days", ["0", "-5", "9999999"])
def test_the_command_makes_a_key_for_a_day_at_least_and_a_century_at_most(days):
    factories.person("alice")

    with pytest.raises(CommandError, match=f"--days: must be a whole number from 1 to 36500; got {days}"):
        told("make", "alice", "--name", "x", f"--days={days}")
