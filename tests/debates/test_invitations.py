"""Invitations: whom they let in, to what, and how often; roles, and how they are taken back."""

import threading
from datetime import timedelta

import pytest
from django.contrib.auth.models import Group, User
from django.db import transaction
from django.utils import timezone

from debates import selectors
from debates.errors import ConflictOfInterest, DomainError, Invalid, NotAllowedNow, NotFound, NotPermitted
from debates.models import Debate, Event, Invitation, Mail, Membership, Participant
from debates.services import invitations, rights, visibility
from debates.services.invitations import Offer
from debates.types import MemberRole, Visibility
from scoring import groups, verify
from tests import factories
from tests.scoring.concurrency import at_once, until_somebody_waits

pytestmark = pytest.mark.django_db
NOW = timezone.now()
GUEST, ORGANISER = MemberRole.GUEST, MemberRole.ORGANISER


@pytest.fixture
def alice() -> User:
    return User.objects.create_user("alice")


@pytest.fixture
def bob() -> User:
    return User.objects.create_user("bob")


@pytest.fixture
def debate(alice) -> Debate:
    return factories.debate(visibility="private", created_by=alice)


def invite(by: User | None, **offer) -> str:
    return invitations.invite(offer=Offer(**offer), by=by, now=NOW)[1]


def accept(text: str, by: User, now=NOW) -> Invitation:
    return invitations.accept(text=text, by=by, now=now)


def reads(person: User, debate: Debate) -> bool:
    return selectors.visible_debates(visitor=person).filter(pk=debate.pk).exists()


def test_a_guest_comes_once_and_reads_until_the_role_is_taken_back(alice, bob, debate):
    text = invite(alice, debate=debate, role=GUEST)

    before = reads(bob, debate)
    accept(text, bob)
    accept(text, bob)
    role = Membership.objects.get(debate=debate)
    here = reads(bob, debate)
    invitations.take_role(membership_id=role.pk, by=alice, now=NOW)

    assert (before, here, reads(bob, debate)) == (False, True, False)
    assert (role.user, role.role, role.created_by) == (bob, "guest", alice)
    accept(text, bob)
    assert not reads(bob, debate), "an invitation that was used gives no role back"


def test_only_a_digest_is_kept_of_an_invitation(alice, debate):
    text = invite(alice, debate=debate, role=GUEST)

    assert text not in str(Invitation.objects.values_list())


def nothing(_row: Invitation, _alice: User) -> None:
    pass


def revoked(row: Invitation, alice: User) -> None:
    invitations.revoke(invitation_id=row.pk, by=alice, now=NOW)


def maker_gone(_row: Invitation, alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(is_active=False)


def used(row: Invitation, _alice: User) -> None:
    row.acceptances.create(user=factories.person("carol"), at=NOW)


def test_an_invitation_of_an_organiser_who_is_one_no_more_lets_nobody_in(alice, bob, debate):
    olga = factories.person("olga")
    role = Membership.objects.create(debate=debate, user=olga, role="organiser")
    _, text = invitations.invite(offer=Offer(debate=debate, role=GUEST), by=olga, now=NOW)
    invitations.take_role(membership_id=role.pk, by=alice, now=NOW)

    with pytest.raises(Invalid):
        accept(text, bob)


@pytest.mark.parametrize(
    ("spoil", "refusal"),
    [(nothing, None), (revoked, Invalid), (maker_gone, Invalid), (used, NotAllowedNow)],
    ids=lambda part: part.__name__ if part else "good",
)
def test_an_invitation_is_good_or_says_why_not(alice, bob, debate, spoil, refusal):
    row, text = invitations.invite(offer=Offer(debate=debate, role=GUEST), by=alice, now=NOW)
    spoil(row, alice)

    if refusal is None:
        assert accept(text, bob).pk == row.pk
        return
    with pytest.raises(refusal):
        accept(text, bob)
    assert not reads(bob, debate)


def test_an_invitation_is_over_at_its_end(alice, bob, debate):
    text = invite(alice, debate=debate, role=GUEST, good_for=timedelta(days=2))

    with pytest.raises(Invalid, match="good until"):
        accept(text, bob, now=NOW + timedelta(days=2))
    accept(text, bob, now=NOW + timedelta(days=2, seconds=-1))


def test_as_many_come_as_there_are_places(alice, debate):
    text = invite(alice, debate=debate, role=GUEST, places=2)
    people = [factories.person(name) for name in ("bob", "carol", "dora")]

    for person in people[:2]:
        accept(text, person)
    with pytest.raises(NotAllowedNow, match="Everybody has come"):
        accept(text, people[2])

    assert [row.user.username for row in Invitation.objects.get().acceptances.all()] == ["bob", "carol"]


def test_an_organiser_conducts_and_one_whose_role_was_taken_back_neither_conducts_nor_comes_back(alice, bob, debate):
    accept(invite(alice, debate=debate, role=ORGANISER), bob)
    rights.may_conduct(by=bob, debate=debate)
    way_back = invite(bob, debate=debate, role=ORGANISER)
    role = Membership.objects.get(user=bob)

    invitations.take_role(membership_id=role.pk, by=alice, now=NOW)

    with pytest.raises(NotPermitted):
        rights.may_conduct(by=bob, debate=debate)
    for person in (bob, factories.person("carol")):
        with pytest.raises(Invalid, match="may not invite any more"):
            accept(way_back, person)


@pytest.mark.parametrize("role", [role for role in MemberRole if role is not ORGANISER])
def test_no_other_role_conducts_or_invites(alice, bob, debate, role):
    accept(invite(alice, debate=debate, role=role), bob)

    for attempt in (Offer(debate=debate, role=ORGANISER), Offer(debate=debate, role=role)):
        with pytest.raises(NotPermitted):
            invitations.invite(offer=attempt, by=bob, now=NOW)


def test_whoever_invites_to_the_site_lets_nobody_into_a_group_unless_they_give_rights(bob, alice):
    desk = Group.objects.get(name=groups.MODERATOR)
    inviter = factories.person("inviter", permissions=[invitations.INVITES])
    keeper = factories.person("keeper", permissions=[invitations.INVITES, "auth.change_user", "auth.change_group"])
    root = factories.moderator("root")

    accept(invite(inviter), bob)
    for person in (inviter, keeper):
        with pytest.raises(NotPermitted, match="gives rights"):
            invite(person, group=desk)
    with pytest.raises(NotPermitted):
        invite(bob)
    accept(invite(root, group=desk), alice)

    alice.refresh_from_db()
    bob.refresh_from_db()
    assert not selectors.has_rights(user=bob)
    assert (list(alice.groups.all()), alice.is_staff, alice.is_superuser) == ([desk], True, False)


def test_an_invitation_to_a_group_is_good_while_who_made_it_gives_rights(bob):
    root = factories.moderator("root")
    text = invite(root, group=Group.objects.get(name=groups.MODERATOR))
    User.objects.filter(pk=root.pk).update(is_superuser=False)

    with pytest.raises(Invalid):
        accept(text, bob)
    assert not bob.groups.exists()


@pytest.mark.parametrize(
    "offer",
    [
        {"role": ORGANISER, "group": True},
        {"role": ORGANISER, "seat": True},
        {},
        {"role": GUEST, "places": 0},
        {"role": GUEST, "places": 501},
        {"role": GUEST, "places": 2, "email": "bob@example.org"},
        {"seat": True, "places": 2},
        {"role": GUEST, "good_for": timedelta(0)},
        {"role": GUEST, "good_for": timedelta(days=91)},
    ],
    ids=str,
)
def test_what_is_no_offer_is_refused(alice, debate, offer):
    named = {
        "seat": Participant.objects.create(debate=debate, role="chair", kind="human", name="Bob"),
        "group": Group.objects.get(name=groups.MODERATOR),
    }
    with pytest.raises(Invalid):
        invite(alice, debate=debate, **{name: named.get(name, value) for name, value in offer.items()})


def test_one_person_has_so_many_open_invitations(alice, debate, monkeypatch):
    monkeypatch.setattr(invitations, "MOST_OPEN", 2)
    rows = [invitations.invite(offer=Offer(debate=debate, role=GUEST), by=alice, now=NOW)[0] for _ in range(2)]

    with pytest.raises(NotAllowedNow):
        invite(alice, debate=debate, role=GUEST)
    invitations.revoke(invitation_id=rows[0].pk, by=alice, now=NOW)
    invite(alice, debate=debate, role=GUEST)


def test_an_invitation_by_which_everybody_has_come_is_open_no_more(alice, debate, monkeypatch):
    monkeypatch.setattr(invitations, "MOST_OPEN", 2)
    for name, places in (("bob", 1), ("carol", 2)):
        _, text = invitations.invite(offer=Offer(debate=debate, role=GUEST, places=places), by=alice, now=NOW)
        invitations.let_in(text=text, by=factories.person(name), now=NOW)

    invite(alice, debate=debate, role=GUEST)
    with pytest.raises(NotAllowedNow):
        invite(alice, debate=debate, role=GUEST)


def test_nobody_floods_an_address_with_invitations(alice, debate, monkeypatch):
    monkeypatch.setattr(invitations, "MOST_MAILED", 4)
    for _ in range(3):
        row, _ = invitations.invite(offer=Offer(debate=debate, role=GUEST, email="zoe@example.org"), by=alice, now=NOW)
        invitations.revoke(invitation_id=row.pk, by=alice, now=NOW)

    with pytest.raises(NotAllowedNow, match="several times"):
        invite(alice, debate=debate, role=GUEST, email="Zoe@example.org")
    invite(alice, debate=debate, role=GUEST, email="yan@example.org")
    with pytest.raises(NotAllowedNow, match="people by mail"):
        invite(alice, debate=debate, role=GUEST, email="xaver@example.org")
    invite(alice, debate=debate, role=GUEST)


@pytest.mark.django_db(transaction=True)
def test_nobody_floods_an_address_by_inviting_at_the_same_moment(alice, debate):
    def ask() -> str:
        return invite(alice, debate=debate, role=GUEST, email="zoe@example.org")

    outcomes = at_once(*[ask] * 8)

    assert [type(each) for each in outcomes if not isinstance(each, str)] == [NotAllowedNow] * 5
    assert (Invitation.objects.count(), Mail.objects.count()) == (3, 3)


def test_strangers_take_back_neither_invitations_nor_roles_and_everybody_may_leave(alice, bob, debate):
    row, text = invitations.invite(offer=Offer(debate=debate, role=GUEST, places=3), by=alice, now=NOW)
    to_site, _ = invitations.invite(offer=Offer(), by=factories.moderator("root"), now=NOW)
    accept(text, bob)
    carol = factories.person("carol")
    accept(text, carol)
    own, others = (Membership.objects.get(user=person) for person in (bob, carol))

    attempts = (
        lambda: invitations.revoke(invitation_id=row.pk, by=bob, now=NOW),
        lambda: invitations.revoke(invitation_id=to_site.pk, by=alice, now=NOW),
        lambda: invitations.take_role(membership_id=others.pk, by=bob, now=NOW),
        lambda: invitations.take_role(membership_id=0, by=alice, now=NOW),
    )
    for attempt in attempts:
        with pytest.raises(NotFound):
            attempt()
    invitations.take_role(membership_id=own.pk, by=bob, now=NOW)
    with pytest.raises(DomainError):
        invitations.take_role(membership_id=own.pk, by=bob, now=NOW)

    assert (reads(bob, debate), reads(carol, debate)) == (False, True)


@pytest.mark.django_db(transaction=True)
def test_a_role_taken_while_the_debate_is_shown_to_others_says_who_may_read_it_then(alice, bob, debate):
    accept(invite(alice, debate=debate, role=GUEST), bob)
    role = Membership.objects.get(user=bob)
    changed = threading.Event()

    def show() -> None:
        with transaction.atomic():
            visibility.change.service(debate_id=debate.pk, by=alice, visibility=Visibility.UNLISTED, now=NOW)
            changed.set()
            until_somebody_waits()

    def take() -> None:
        changed.wait(timeout=120)
        invitations.take_role(membership_id=role.pk, by=alice, now=NOW)

    assert at_once(show, take) == [None, None]
    told = Event.objects.filter(debate=debate, type="debate:visibility").order_by("seq")
    assert [event.data["visibility"] for event in told] == ["unlisted", "unlisted"]
    assert verify.verify().faults == ()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("other", ["a seat", "a role"])
@pytest.mark.parametrize("judges_first", [True, False])
def test_nobody_becomes_judge_and_something_else_by_two_invitations_at_the_same_moment(other, judges_first, alice, bob):
    with transaction.atomic():
        debate = factories.debate(created_by=alice)
        judge, chair = (
            Participant.objects.create(debate=debate, role=role, kind="human", name=role, position=position)
            for position, role in enumerate(["judge", "chair"], start=5)
        )
    offer = {"seat": chair} if other == "a seat" else {"role": MemberRole.ORGANISER}
    texts = [invite(alice, debate=debate, seat=judge), invite(alice, debate=debate, **offer)]
    first, second = texts if judges_first else reversed(texts)
    came = threading.Event()

    def come() -> None:
        with transaction.atomic():
            invitations.let_in(text=first, by=bob, now=NOW)
            came.set()
            until_somebody_waits()

    def come_too() -> None:
        came.wait(timeout=120)
        accept(second, bob)

    outcomes = at_once(come, come_too)

    assert [type(outcome) for outcome in outcomes] == [type(None), ConflictOfInterest]
