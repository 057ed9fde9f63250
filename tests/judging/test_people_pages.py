"""People on pages: who has a part in a debate, invitations, and what is one's own."""

import re
from dataclasses import replace
from datetime import timedelta

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.contrib.sessions.middleware import SessionMiddleware
from django.db import connection
from django.db.models import Model
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from debates.errors import NotAllowedNow
from debates.models import Debate, Invitation, Mail, Membership, Participant, Profile, Thread
from debates.services import invitations
from debates.services.invitations import Offer
from debates.types import MAIL_WORDS, MailKind, MemberRole, ThreadStatus
from judging.engine.lifecycle import actions_open
from judging.models import NewDebate, PlannedStart
from judging.views.people import RoleForm
from scoring import groups
from tests import factories
from tests.judging.formats.open.people import konrad, waits
from tests.judging.formats.open.playing import KONRAD, MIRA
from tests.moderators import client_of, proved

pytestmark = pytest.mark.django_db
NOW = timezone.now()
FORM = {"role": "guest", "email": "", "places": "1", "days": "7"}


@pytest.fixture
def alice() -> User:
    return User.objects.create_user("alice", password="a-word-of-her-own")


@pytest.fixture
def debate(alice) -> Debate:
    return factories.debate(visibility="private", created_by=alice, title="Masks on wards")


@pytest.fixture
def organiser(alice, client) -> Client:
    client.force_login(alice)
    return client


def member(debate: Debate, name: str, role: MemberRole) -> User:
    person = User.objects.create_user(name, email=f"{name}@example.org")
    Membership.objects.create(debate=debate, user=person, role=role.value)
    return person


def at(debate: Debate) -> str:
    return reverse("people", args=[debate.public_id])


def words(answer) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", answer.content.decode().split("<main", 1)[1]).split())


def test_a_link_is_shown_once_and_lets_somebody_in(organiser, debate):
    made = organiser.post(at(debate), FORM)
    [link] = re.findall(r'value="(http://testserver/invitations/[^"]+)"', organiser.get(at(debate)).content.decode())
    again = organiser.get(at(debate)).content.decode()
    bob = client_of(User.objects.create_user("bob"))
    bob.post(link)

    assert made.headers["Location"] == at(debate)
    assert "/invitations/" not in again.replace("/revoke/", "").replace(
        f"/invitations/{Invitation.objects.get().public_id}", ""
    )
    page = words(organiser.get(at(debate)))
    assert "bob Guest" in page
    assert "1 of 1 came" in page
    assert "bob, " in page


@pytest.mark.parametrize("role", ["guest", "seat"])
def test_what_a_double_click_invites_twice_is_mailed_once_and_its_link_is_good(organiser, debate, role, settings):
    settings.MAIL_IS_SENT = True
    if role == "seat":
        seat = Participant.objects.create(debate=debate, role="chair", kind="human", name="Konrad")
        role = f"seat:{seat.public_id}"
    once = re.search(r'name="once" value="([^"]+)"', organiser.get(at(debate)).content.decode())
    form = {**FORM, "role": role, "email": "bob@example.org", "once": once[1]}

    codes = [organiser.post(at(debate), form).status_code for _ in range(2)]

    assert codes == [302, 302]
    assert Invitation.objects.get().revoked_at is None
    assert Mail.objects.filter(kind="invitation").count() == 1
    assert re.search(r'value="http://testserver/(invitations|seats)/', organiser.get(at(debate)).content.decode())


def test_the_link_is_kept_though_the_second_click_cuts_the_first_request_off(organiser, debate, monkeypatch):
    monkeypatch.setattr(SessionMiddleware, "process_response", lambda self, request, response: response)
    form = {**FORM, "once": "a"}

    answers = [organiser.post(at(debate), form) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [302, 302]
    assert "http://testserver/invitations/" in organiser.get(at(debate)).content.decode()


def test_whoever_signs_out_meanwhile_invites_nobody(organiser, debate, monkeypatch):
    path_of = invitations.path_of

    def signed_out(*about):
        organiser.logout()
        return path_of(*about)

    monkeypatch.setattr(invitations, "path_of", signed_out)

    answer = organiser.post(at(debate), {**FORM, "once": "a"})

    assert (answer.status_code, Invitation.objects.count()) == (400, 0)


def test_a_form_that_is_sent_again_once_its_link_was_shown_says_so_and_makes_another_when_meant(organiser, debate):
    form = {**FORM, "once": "a"}
    organiser.post(at(debate), form, follow=True)

    again = organiser.post(at(debate), form)

    assert again.status_code == 422
    assert "This form was sent before" in words(again)
    once = re.search(r'name="once" value="([^"]+)"', again.content.decode())
    meant = organiser.post(at(debate), {**form, "once": once[1]}, follow=True)
    assert "http://testserver/invitations/" in meant.content.decode()
    assert Invitation.objects.count() == 2


@pytest.mark.parametrize(("places", "who"), [("1", "whoever opens it first"), ("50", "up to 50 people")])
def test_a_new_link_says_how_many_may_come_by_it(organiser, debate, places, who):
    answer = organiser.post(at(debate), {**FORM, "places": places}, follow=True)

    assert f"shown now and never again; {who} may come by it." in words(answer)


def test_a_free_seat_is_offered_with_the_roles(organiser, debate):
    seat = Participant.objects.create(debate=debate, role="chair", kind="human", name="Konrad")

    organiser.post(at(debate), {**FORM, "role": f"seat:{seat.public_id}"})

    assert Invitation.objects.get().seat == seat
    assert "http://testserver/seats/" in organiser.get(at(debate)).content.decode()


def test_who_is_invited_as_a_judge_without_a_seat_reads_that_this_gives_no_ballot(organiser, debate):
    organiser.post(at(debate), {**FORM, "role": "judge"})
    shown = organiser.get(at(debate))
    [link] = re.findall(r'value="(http://testserver/invitations/[^"]+)"', shown.content.decode())

    assert "Judge without a seat: reads what is for those who take part, and gives no ballot" in words(shown)
    assert "As a judge without a seat you read what is for those who take part." in words(Client().get(link))


def test_nobody_takes_a_seat_in_a_debate_that_is_over(organiser, alice, debate):
    seat = Participant.objects.create(debate=debate, role="chair", kind="human", name="Konrad")
    organiser.post(at(debate), {**FORM, "role": f"seat:{seat.public_id}"})
    [link] = re.findall(r'value="(http://testserver/seats/[^"]+)"', organiser.get(at(debate)).content.decode())
    bob = client_of(User.objects.create_user("bob"))
    assert bob.get(link).status_code == 200
    factories.over(debate)

    answers = [bob.get(link), bob.post(link)]

    assert [answer.status_code for answer in answers] == [410, 410]
    assert "This debate is over" in words(answers[0])
    seat.refresh_from_db()
    assert seat.user is None
    debate.refresh_from_db()
    assert "Konrad" not in str(RoleForm(debate=debate).fields["role"].choices)
    with pytest.raises(NotAllowedNow, match="is over"):
        invitations.invite(offer=Offer(debate=debate, seat=seat), by=alice, now=timezone.now())


def test_a_seat_that_was_taken_while_the_page_was_open_is_not_free_any_more(organiser, alice, debate):
    seat = Participant.objects.create(debate=debate, role="chair", kind="human", name="Konrad", user=alice)

    late = organiser.post(at(debate), {**FORM, "role": f"seat:{seat.public_id}"})

    assert late.context["form"].errors["role"] == ["This is not free any more. Choose what is offered here."]


def test_whoever_may_not_sit_hears_why_and_that_the_invitation_is_good(organiser, debate):
    judge = Participant.objects.create(debate=debate, role="judge", kind="human", name="Judge 1")
    text = invitations.invite(offer=Offer(debate=debate, seat=judge), by=None, now=NOW)[1]

    refused = [ask(reverse("take-seat", args=[text])) for ask in (organiser.get, organiser.post)]

    assert [answer.status_code for answer in refused] == [403, 403]
    for answer in refused:
        page = answer.content.decode()
        assert "You created or organise this debate" in page
        assert "The invitation is still good." in page
        assert "good no more" not in page
    bob = client_of(factories.person("bob"))
    assert bob.post(reverse("take-seat", args=[text])).status_code == 302


def test_a_seat_of_a_debate_that_may_be_played_again_is_taken_also_once_that_is_over(organiser, alice):
    debate = factories.debate(visibility="private", created_by=alice, started_at=NOW)
    seat = Participant.objects.create(debate=debate, role="arbiter", kind="human", name="Konrad")
    factories.over(debate)
    bob = client_of(User.objects.create_user("bob"))

    organiser.post(at(debate), {**FORM, "role": f"seat:{seat.public_id}"})
    [link] = re.findall(r'value="(http://testserver/seats/[^"]+)"', organiser.get(at(debate)).content.decode())
    bob.post(link)

    seat.refresh_from_db()
    assert seat.user is not None
    assert seat.user.username == "bob"


@pytest.mark.parametrize(
    ("role", "words"), [("chair", "Speaker: takes the seat of Judge 1"), ("judge", "Judge: takes the seat of Judge 1")]
)
def test_a_free_seat_is_offered_as_what_one_does_from_it(role, words, debate):
    seat = Participant.objects.create(debate=debate, role=role, kind="human", name="Judge 1")

    assert dict(RoleForm(debate=debate).fields["role"].choices)[f"seat:{seat.public_id}"] == words


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"email": "no address"}, "Enter a valid email address"),
        ({"places": "0"}, "greater than or equal to 1"),
        ({"places": "501"}, "less than or equal to 500"),
        ({"days": "91"}, "less than or equal to 90"),
        ({"days": "soon"}, "whole number"),
        ({"email": "bob@example.org", "places": "3"}, "for one person"),
        ({"role": "king"}, "This is not free any more."),
        ({"role": "seat:"}, "This is not free any more."),
    ],
    ids=str,
)
def test_what_cannot_be_is_said_next_to_its_field_and_everything_is_kept(organiser, debate, more, says):
    answer = organiser.post(at(debate), {**FORM, "email": "bob@example.org", **more})

    page = answer.content.decode()
    assert answer.status_code == 422
    assert says in page
    assert f'value="{more.get("email", "bob@example.org")}"' in page
    assert not Invitation.objects.exists()


LONG = f"{'b' * 60}@{'.'.join(['example'] * 24)}.org"
"""A mail address that is one, and longer than any that is stored."""


@pytest.mark.parametrize("page", ["people", "invitations"])
def test_an_address_that_is_too_long_to_be_stored_is_refused_next_to_it(organiser, alice, debate, page):
    alice.user_permissions.add(Permission.objects.get(codename="add_invitation"))
    address = at(debate) if page == "people" else reverse(page)

    refused = organiser.post(address, {**FORM, "email": LONG})

    assert refused.status_code == 422
    assert list(refused.context["form"].errors) == ["email"]
    assert "at most 254 characters" in words(refused)


@pytest.mark.parametrize("role", [None, *MemberRole])
def test_who_conducts_a_debate_sees_its_people_and_nobody_else(debate, role):
    person = member(debate, "bob", role) if role else User.objects.create_user("bob")
    member(debate, "carol", MemberRole.GUEST)
    bob = client_of(person)

    answer = bob.get(at(debate))
    attempt = bob.post(at(debate), {**FORM, "role": "organiser"})

    expected = {None: 404, MemberRole.ORGANISER: 200}.get(role, 403)
    assert answer.status_code == expected
    assert (b"carol@example.org" in answer.content) == (expected == 200)
    assert Invitation.objects.exists() == (expected == 200)
    assert attempt.status_code == (302 if expected == 200 else expected)


def test_a_role_is_taken_back_by_who_conducts_or_given_up_and_by_nobody_else(organiser, debate):
    guest, judge = member(debate, "bob", MemberRole.GUEST), member(debate, "carol", MemberRole.JUDGE)
    roles = {row.user_id: row for row in Membership.objects.all()}
    bob = client_of(guest)

    def revoke(client, person):
        return client.post(reverse("take-role", args=[debate.public_id, roles[person.pk].public_id]))

    refused = revoke(bob, judge)
    taken = [revoke(organiser, judge), revoke(organiser, judge)]
    left = revoke(bob, guest)

    assert refused.status_code == 404
    assert [row.headers["Location"] for row in taken] == [at(debate)] * 2
    assert left.headers["Location"] == reverse("my-debates")
    assert not Membership.objects.filter(revoked_at=None).exists()
    assert bob.get(reverse("debate", args=[debate.public_id])).status_code == 404


def test_who_had_to_sign_in_again_before_an_act_is_back_at_its_button_and_nothing_was_done(organiser, debate):
    bob = member(debate, "bob", MemberRole.GUEST)
    role = Membership.objects.get()
    row, _ = invitations.invite(offer=Offer(debate=debate, role=MemberRole.GUEST), by=None, now=NOW)
    end = reverse("take-role", args=[debate.public_id, role.public_id])
    revoke = reverse("revoke-invitation", args=[row.public_id])

    assert [organiser.get(way).headers.get("Location") for way in (end, revoke)] == [at(debate)] * 2
    assert client_of(bob).get(end).headers["Location"] == reverse("my-debates")
    assert client_of(bob).get(revoke).headers["Location"] == reverse("invitations")
    assert not Membership.objects.exclude(revoked_at=None).exists()
    assert not Invitation.objects.exclude(revoked_at=None).exists()


def test_an_invitation_is_taken_back_by_who_conducts(organiser, debate):
    row, text = invitations.invite(offer=Offer(debate=debate, role=MemberRole.GUEST), by=None, now=NOW)
    revoke = reverse("revoke-invitation", args=[row.public_id])
    bob = client_of(User.objects.create_user("bob"))

    refused = bob.post(revoke)
    taken = organiser.post(revoke)

    assert (refused.status_code, taken.headers["Location"]) == (404, at(debate))
    assert Client().get(reverse("invitation", args=[text])).status_code == 410


def test_an_invitation_of_somebody_who_may_not_invite_any_more_is_no_good_in_the_list_either(organiser, debate):
    oskar = member(debate, "oskar", MemberRole.ORGANISER)
    invitations.invite(offer=Offer(debate=debate, role=MemberRole.GUEST), by=oskar, now=NOW)
    assert "no good" not in words(organiser.get(at(debate)))

    invitations.take_role(membership_id=Membership.objects.get(user=oskar).pk, by=debate.created_by, now=NOW)

    page = words(organiser.get(at(debate)))
    assert "no good: whoever made it may not invite any more" in page
    assert "good until" not in page


def test_an_invitation_to_a_seat_of_a_debate_that_is_over_is_no_good_in_the_list_either(organiser, alice, debate):
    seat = Participant.objects.create(debate=debate, role="chair", kind="human", name="Mira")
    invitations.invite(offer=Offer(debate=debate, seat=seat), by=alice, now=NOW)
    factories.over(debate)

    assert "no good: This debate is over: nobody speaks or judges in it any more." in words(organiser.get(at(debate)))


def test_a_role_of_another_debate_is_not_taken_by_the_address_of_ones_own(organiser, debate):
    other = factories.debate(visibility="private")
    member(other, "bob", MemberRole.GUEST)
    role = Membership.objects.get()

    for address in (debate, other):
        assert organiser.post(reverse("take-role", args=[address.public_id, role.public_id])).status_code == 404
    assert Membership.objects.get().revoked_at is None


SITE = reverse("invitations")
TO_SITE = {"email": "", "places": "1", "days": "7"}


def test_whoever_may_invites_to_the_site_and_to_no_group(settings):
    settings.STAFF_NEED_SECOND_FACTOR = False
    inviter = client_of(factories.person("inviter", permissions=[invitations.INVITES]))
    group = Group.objects.get(name=groups.SENIOR)

    page = inviter.get(SITE).content.decode()
    inviter.post(SITE, {**TO_SITE, "group": str(group.pk)})

    assert 'name="group"' not in page
    assert Invitation.objects.get().group is None
    assert client_of(factories.person("bob")).get(SITE).status_code == 403


def test_a_superuser_invites_to_a_group_after_their_own_proof(settings):
    settings.STAFF_NEED_SECOND_FACTOR = False
    root = client_of(factories.moderator("root"))
    form = {**TO_SITE, "group": str(Group.objects.get(name=groups.SENIOR).pk)}

    asked = [root.get(SITE), root.post(SITE, form)]
    before = Invitation.objects.count()
    proved(root)
    root.post(SITE, form)

    assert asked[0].headers["Location"].startswith("/accounts/")
    assert f'href="{asked[0].headers["Location"]}"' in asked[1].content.decode()
    assert "Nothing was said, given or stored" in words(asked[1])
    assert "You are not signed in" not in words(asked[1])
    assert (before, Invitation.objects.get().group.name) == (0, groups.SENIOR)


def test_one_sees_whom_one_invited_oneself_and_a_superuser_sees_all(settings):
    settings.STAFF_NEED_SECOND_FACTOR = False
    people = [factories.person(name, permissions=[invitations.INVITES]) for name in ("dora", "erik")]
    for person in people:
        offer = Offer(email=f"friend-of-{person.username}@example.org")
        invitations.invite(offer=offer, by=person, now=NOW)

    dora = words(client_of(people[0]).get(SITE))
    root = words(proved(client_of(factories.moderator("root"))).get(SITE))

    assert ("friend-of-dora" in dora, "friend-of-erik" in dora) == (True, False)
    assert ("friend-of-dora" in root, "friend-of-erik" in root) == (True, True)


def test_my_debates_are_those_i_have_a_part_in(organiser, alice, debate):
    others = [factories.debate(title=title) for title in ("Of others", "I am its guest", "I was its guest")]
    Membership.objects.create(debate=others[1], user=alice, role="guest")
    Membership.objects.create(debate=others[2], user=alice, role="guest", revoked_at=NOW)

    page = words(organiser.get(reverse("my-debates")))

    assert [title in page for title in ("Masks on wards", "I am its guest", "Of others", "I was its guest")] == [
        True, True, False, False,
    ]  # fmt: skip


def tasks(page):
    """Return what waits on a page of one's debates: words, and where they lead."""
    rows = re.findall(r'class="waits"><a href="([^"]+)">(.*?)</a>', page.content.decode(), re.DOTALL)
    return [(re.sub(r"<time.*?</time>", "TIME", text).partition("<span")[0], address) for address, text in rows]


def test_my_debates_say_what_waits_for_me(alice, organiser):
    debate = waits(chairs=(MIRA, replace(KONRAD, kind="human"), replace(KONRAD, name="Otto", kind="human")))
    person = konrad(debate)
    Debate.objects.filter(pk=debate.pk).update(created_by=alice)
    at_debate, people_page = reverse("debate", args=[debate.public_id]), reverse("people", args=[debate.public_id])
    seats = [("1 seat is free", people_page)]

    assert tasks(client_of(person).get(reverse("my-debates"))) == [
        ("Your turn as Konrad, until TIME", f"{at_debate}#seat-2")
    ]
    assert tasks(organiser.get(reverse("my-debates"))) == seats
    Debate.objects.filter(pk=debate.pk).update(status="paused")
    resume = reverse("conduct-debate", args=[debate.public_id, "resume"])
    assert tasks(organiser.get(reverse("my-debates"))) == [("Paused", resume), *seats]
    assert tasks(client_of(person).get(reverse("my-debates"))) == [
        ("Your turn as Konrad, once the debate goes on", f"{at_debate}#seat-2")
    ]


def test_no_seat_of_a_debate_that_is_over_for_good_is_called_free(alice, organiser):
    debate = waits(chairs=(MIRA, replace(KONRAD, kind="human")))
    Debate.objects.filter(pk=debate.pk).update(created_by=alice)

    free = words(organiser.get(at(debate)))
    factories.over(debate)
    over = words(organiser.get(at(debate)))

    assert ("The seat of Konrad is free" in free, "The seat of Konrad is free" in over) == (True, False)
    assert "This debate is over: nobody speaks or judges in it any more." in over


def test_a_draft_waits_to_be_started_and_a_new_debate_to_be_filled_in(alice, organiser):
    draft = factories.debate(created_by=alice, status="draft")
    prepare = reverse("prepare-debate", args=[draft.public_id])

    assert tasks(organiser.get(reverse("my-debates"))) == [("Not started yet", prepare)]
    PlannedStart.objects.create(debate=draft, starts_at=timezone.now() + timedelta(days=1))
    NewDebate.objects.create(owner=alice, format="open")
    page = organiser.get(reverse("my-debates"))
    assert tasks(page) == [("Starts by itself TIME", prepare)]
    assert "You are filling in 1 new debate." in words(page)


def test_what_failed_leads_to_its_last_words_or_where_nothing_was_played_to_being_cancelled(alice, organiser):
    debate = factories.debate(created_by=alice, status="failed")
    thread = factories.thread(debate, status=ThreadStatus.COMPLETE)
    conclude, cancel = (
        reverse("conduct-debate", args=[debate.public_id, name]) for name in ("retry_synthesis", "cancel")
    )
    assert tasks(organiser.get(reverse("my-debates"))) == [("Its closing words failed", conclude)]
    Thread.objects.filter(pk=thread.pk).update(status="pending")

    assert {action.name for action in actions_open(debate)} == {"cancel", "visibility"}
    assert tasks(organiser.get(reverse("my-debates"))) == [("Play failed", cancel)]
    assert organiser.post(cancel).status_code == 302
    assert tasks(organiser.get(reverse("my-debates"))) == []


@pytest.mark.parametrize("status", ["draft", "failed"])
def test_what_waits_is_found_in_as_many_queries_for_many_debates_as_for_one(
    alice, organiser, django_assert_max_num_queries, status
):
    for number in range(3):
        factories.debate(created_by=alice, status=status, title=f"Debate {number}")

    with CaptureQueriesContext(connection) as queries:
        organiser.get(reverse("my-debates"))
    for number in range(5):
        factories.debate(created_by=alice, status=status, title=f"More {number}")

    with django_assert_max_num_queries(len(queries)):
        organiser.get(reverse("my-debates"))


def test_what_waits_reads_a_debate_no_more_often_however_many_speak_in_it(alice, organiser, monkeypatch):
    debate = factories.debate(created_by=alice)
    built, from_db = [], Model.from_db.__func__
    monkeypatch.setattr(Model, "from_db", classmethod(lambda *row: built.append(row[0]) or from_db(*row)))

    def reads():
        built.clear()
        page = organiser.get(reverse("my-debates"))
        return tasks(page), built.count(Debate), built.count(Participant)

    [nothing, times, _] = reads()
    for kind in ("engine", "human"):
        for number in range(8):
            name = f"{kind} {number}"
            Participant.objects.create(debate=debate, role="chair", name=name, kind=kind, provider="scripted")

    assert (nothing, reads()) == ([], ([("8 seats are free", at(debate))], times, 8))


def test_my_seats_say_what_awaits_me_and_until_when():
    debate = waits()
    person = konrad(debate)
    bob = client_of(person)

    page = bob.get(reverse("my-seats"))

    assert "It is your turn" in words(page)
    assert f"{reverse('debate', args=[debate.public_id])}#seat-2" in page.content.decode()
    assert "until" in words(page)
    Debate.objects.filter(pk=debate.pk).update(status="paused")
    assert "The debate is paused" in words(bob.get(reverse("my-seats")))
    stranger = client_of(User.objects.create_user("stranger"))
    assert "Nothing awaits you now" in words(stranger.get(reverse("my-seats")))


def test_a_profile_is_ones_own(organiser, alice):
    at_profile = reverse("profile")

    answer = organiser.post(at_profile, {"time_zone": "Europe/Vienna", "wanted_mail": ["turn", "invitation"]})
    refused = organiser.post(at_profile, {"time_zone": "Mars/Base", "wanted_mail": ["spam"]})
    of_machines = [organiser.post(at_profile, {"time_zone": name}) for name in ("Factory", "localtime")]

    assert answer.headers["Location"] == f"{at_profile}?saved"
    kept = Profile.objects.get()
    assert (kept.user, kept.time_zone) == (alice, "Europe/Vienna")
    assert [kind for kind in MAIL_WORDS if kept.wants(kind)] == [MailKind.INVITATION, MailKind.TURN]
    assert refused.content.decode().count("is not one of the available choices") == 2
    assert ["is not one of the available choices" in words(answer) for answer in of_machines] == [True, True]


def test_the_menu_has_the_name_and_ones_own_pages(organiser):
    page = organiser.get(reverse("index")).content.decode()

    for name in ("my-debates", "my-seats", "profile", "account_logout", "account_change_password"):
        assert f'href="{reverse(name)}"' in page
    assert "alice</summary>" in page
    assert f'href="{SITE}"' not in page
    assert "summary" not in Client().get(reverse("index")).content.decode().split("<main", 1)[0]


@pytest.mark.parametrize("name", ["my-debates", "my-seats", "profile", "invitations"])
def test_nobody_has_pages_of_their_own(client, name):
    assert client.get(reverse(name)).headers["Location"].startswith(reverse("account_login"))


def test_lists_ask_the_database_no_more_for_more_rows(organiser, alice, debate, django_assert_max_num_queries):
    def fill(number):
        for index in range(number):
            row = factories.debate(created_by=alice)
            Membership.objects.create(debate=row, user=alice, role="judge")
            Participant.objects.create(debate=row, role="chair", kind="human", name="Alice", user=alice)
            person = member(debate, f"bob{number}-{index}", MemberRole.GUEST)
            invitation = Invitation.objects.create(
                debate=debate, role="guest", digest=f"{number:032d}{index:032d}", expires_at=NOW + timedelta(days=1)
            )
            invitation.acceptances.create(user=person, at=NOW)

    counts = []
    for number in (1, 5):
        fill(number)
        row = []
        for path in (reverse("my-debates"), reverse("my-seats"), at(debate)):
            with django_assert_max_num_queries(40) as asked:
                assert organiser.get(path).status_code == 200
            row.append(len(asked))
        counts.append(row)

    assert counts[0] == counts[1]


@pytest.mark.parametrize("nowhere", [False, True], ids=["sent", "printed where the site runs"])
def test_no_mail_is_promised_where_it_goes_nowhere(organiser, debate, settings, nowhere):
    settings.MAIL_IS_SENT, settings.MAIL_GOES_NOWHERE = True, nowhere

    organiser.post(at(debate), {**FORM, "email": "bob@example.org"})

    page = words(organiser.get(at(debate)))
    assert ("It goes by mail to bob@example.org" in page, "Pass this address on" in page) == (not nowhere, nowhere)


def test_who_is_invited_by_a_mail_address_is_written_to_once_at_that_address_alone(organiser, debate, settings):
    settings.MAIL_IS_SENT = True

    organiser.post(at(debate), {**FORM, "email": "bob@example.org"})
    organiser.post(at(debate), FORM)

    page = words(organiser.get(at(debate)))
    mail = Mail.objects.get()
    assert (mail.address, mail.person, mail.kind) == ("bob@example.org", None, "invitation")
    assert mail.secret.startswith("/invitations/")
    assert Client().get(mail.secret).status_code == 200
    assert "Pass this address on" in page, "the second is for nobody by name"
