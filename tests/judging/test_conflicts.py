"""Nobody moderates where they are a party: every way to moderate times every kind of conflict.

It takes some seconds: it is the one place where all of them meet. A page, address or command is a way into a service
that meets all kinds itself, so that there one party, one organiser and nobody try, another for the next; ``make soak``
has one of each answer of the database try. The table that it makes is a page of the docs.
"""

import os
import re
from collections import Counter
from contextlib import contextmanager
from datetime import timedelta
from zlib import crc32

import pytest
from allauth.account.models import EmailAddress
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from debates.errors import Invalid, NotAllowedNow, NotFound
from debates.models import Acceptance, Debate, Invitation, Membership, Participant
from debates.services import invitations, visibility
from debates.services.invitations import Offer
from debates.types import MemberRole, Visibility
from judging.engine import human_turns, lifecycle
from judging.models import Call
from scoring import verify
from scoring.constraint_errors import guard_of
from scoring.errors import ConflictOfInterest, NotPermitted
from scoring.models import Conflict, Evaluation, OrganiserRule
from scoring.services import conflicts, moderation
from scoring.services.actions import Intent
from scoring.services.entries import actor_of
from tests import acts, factories
from tests.crash.harness import SOAK
from tests.judging.moderation_paths import PATHS, build, criterion, in_play
from tests.moderators import client_of, words
from tests.project.source_files import ROOT, text
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.django_db, WITHOUT_COLLECTED_FILES]
NOW = timezone.now()
PAGE = ROOT / "docs/reference/conflicts.md"
MARKS = ("by_organiser", "decided_by_organiser", "settled_by_organiser", "handled_by_organiser")


def seat(role):
    return lambda debate, user: Participant.objects.create(
        debate=debate, role=role, kind="human", name=f"{user} in a seat", position=7, user=user
    )


def member(role, *, gone=False):
    return lambda debate, user: Membership.objects.create(
        debate=debate, user=user, role=role, revoked_at=timezone.now() if gone else None
    )


def invitation(debate, **about):
    return Invitation.objects.create(
        debate=debate, digest=f"{Invitation.objects.count():064x}", expires_at=NOW + timedelta(days=3), **about
    )


def invited(debate, user):
    type(user).objects.filter(pk=user.pk).update(email="Carol@example.org")
    invitation(debate, role="participant", email="carol@example.ORG")


def came(debate, user):
    Acceptance.objects.create(invitation=invitation(debate, role="judge"), user=user, at=NOW)


def invited_once(debate, user):
    type(user).objects.filter(pk=user.pk).update(email="carol@example.org")
    long_ago = {"created_at": NOW - timedelta(days=9), "expires_at": NOW - timedelta(days=2)}
    Invitation.objects.create(debate=debate, role="judge", email="carol@example.org", digest="f" * 64, **long_ago)


def by_themselves(debate, user):
    conflicts.declare(debate_id=debate.pk, by=user, reason=factories.REASON, now=NOW)


def by_somebody_else(debate, user):
    about = {"username": user.username, "reason": factories.REASON}
    conflicts.declare(debate_id=debate.pk, by=factories.moderator("erna"), now=NOW, **about)


def posted(debate, user):
    seat = Participant.objects.create(debate=debate, role="arbiter", kind="external", name="A program", position=8)
    about = {"prompt_name": "", "prompt_version": 0, "prompt_digest": "", "provider": "external", "model": ""}
    Call.objects.create(
        debate=debate, participant=seat, run_number=1, round_number=1, purpose="judge", attempt=1, outcome="used",
        parameters={"posted_by": actor_of(user).pk}, at=NOW, **about,
    )  # fmt: skip


PARTIES = {
    "speaks from a seat": seat("challenger"),
    "judges from a seat": seat("judge"),
    "takes part in a role": member("participant"),
    "judges in a role": member("judge"),
    "judged in a role that was taken back": member("judge", gone=True),
    "was invited by address": invited,
    "came by an invitation": came,
    "declared it": by_themselves,
    "of whom it was declared": by_somebody_else,
    "posted rulings": posted,
}
ORGANISERS = {
    "created it": lambda debate, user: Debate.objects.filter(pk=debate.pk).update(created_by=user),
    "organises it": member("organiser"),
    "organised it": member("organiser", gone=True),
}
NOBODY = {
    "nothing": lambda debate, user: None,
    "is a guest": member("guest"),
    "was invited once": invited_once,
    "was invited to read": lambda debate, user: invitation(debate, role="guest", email="carol@example.org"),
}


ONE_FOR_EACH_ANSWER = {"speaks from a seat", "judges from a seat", "was invited by address", "declared it",
                       "posted rulings", "created it", "organises it", "nothing"}  # fmt: skip


@contextmanager
def nothing_stays():
    """Undo at the end whatever was done, and let use cases commit inside as if nothing were open."""
    block = transaction.atomic()
    block._from_testcase = True
    with block:
        yield
        transaction.set_rollback(True)


def outcome(path, scene, bring, *, allowed=True):
    """What comes of one way to moderate for somebody: refused, marked, or done like anybody's."""
    with nothing_stays():
        if not allowed:
            OrganiserRule.objects.create(moderate=False)
        bring(scene.debate, scene.me)
        try:
            with nothing_stays():
                row = path.attempt(scene)
                row.refresh_from_db()
                return "marked" if any(getattr(row, mark, False) for mark in MARKS) else "done"
        except ConflictOfInterest:
            return "refused"


def kinds(path, of, *, soak=SOAK):
    """Return the kinds that are tried: of a door into a service one, or one for each answer that the database gives."""
    if not path.is_a_door:
        return of
    each = {name: bring for name, bring in of.items() if name in ONE_FOR_EACH_ANSWER}
    drawn = list(each)[crc32(path.name.encode()) % len(each)]
    return each if soak else {drawn: each[drawn]}


def outcomes(path):
    scene = build(path)
    tried = {**kinds(path, NOBODY), **kinds(path, PARTIES), **kinds(path, ORGANISERS)}
    return {
        **{name: outcome(path, scene, bring) for name, bring in tried.items()},
        **{f"{name}, where that is not let": outcome(path, scene, bring, allowed=False)
           for name, bring in kinds(path, ORGANISERS).items()},
    }  # fmt: skip


def expected(path, *, soak=SOAK):
    """Return what has to come of it: what is not told in public carries no mark, and is done like anybody's."""
    marked = "marked" if path.public and not path.own else "done"
    organisers = kinds(path, ORGANISERS, soak=soak)
    return {
        **dict.fromkeys(kinds(path, NOBODY, soak=soak), "done"),
        **dict.fromkeys(kinds(path, PARTIES, soak=soak), "refused"),
        **dict.fromkeys(organisers, marked),
        **{
            f"{name}, where that is not let": "done" if path.own and current(name) else "refused" for name in organisers
        },
    }


def current(name: str) -> bool:
    return name in {"created it", "organises it"}


@pytest.mark.parametrize("path", [pytest.param(path, id=path.name) for path in PATHS])
def test_nobody_moderates_where_they_are_a_party_by_whatever_way(path):
    assert outcomes(path) == expected(path)


def test_a_party_neither_ends_a_debate_nor_moves_its_own_deadline_by_a_permission_alone():
    carol, evaluation = factories.moderator("carol"), criterion()
    seat("challenger")(evaluation.debate, carol)
    about = {"debate_id": evaluation.debate_id, "by": carol, "now": NOW}

    with pytest.raises(ConflictOfInterest):
        lifecycle.stop(reason=factories.REASON, **about)
    with pytest.raises(ConflictOfInterest):
        lifecycle.resume(**about)
    with pytest.raises(ConflictOfInterest):
        human_turns.move_deadline(deadline=NOW + timedelta(days=1), **about)
    with pytest.raises(ConflictOfInterest):
        lifecycle.start(**about)


def test_a_party_takes_back_neither_invitations_nor_roles_by_a_permission_alone():
    carol, evaluation = factories.moderator("carol"), criterion()
    member("guest")(evaluation.debate, factories.person("guest"))
    offer = Offer(debate=evaluation.debate, role=MemberRole.GUEST)
    offered = invitations.invite(offer=offer, by=factories.moderator("dora"), now=NOW)[0]
    seat("challenger")(evaluation.debate, carol)

    with pytest.raises(NotFound):
        invitations.revoke(invitation_id=offered.pk, by=carol, now=NOW)
    with pytest.raises(NotFound):
        invitations.take_role(membership_id=Membership.objects.get().pk, by=carol, now=NOW)

    assert offered.revoked_at is None


def test_whoever_comes_by_an_invitation_comes_though_its_maker_became_a_party_since():
    carol, evaluation = factories.moderator("carol"), criterion()
    offer = Offer(debate=evaluation.debate, role=MemberRole.GUEST)
    text = invitations.invite(offer=offer, by=carol, now=NOW)[1]
    seat("challenger")(evaluation.debate, carol)

    with nothing_stays():
        invitations.accept(text=text, by=factories.person("guest"), now=NOW)
        assert Membership.objects.get().user.username == "guest"


def test_a_party_does_not_show_what_they_created_to_more_people_than_a_moderator_has_said():
    carol = factories.moderator("carol")
    debate = factories.debate(created_by=carol)
    about = {"debate_id": debate.pk, "now": NOW}
    visibility.change(visibility=Visibility.PRIVATE, by=factories.moderator("dora"), **about)
    seat("challenger")(debate, carol)

    with pytest.raises(NotPermitted, match="only a moderator shows it to more people"):
        visibility.change(visibility=Visibility.PUBLIC, by=carol, **about)


def test_a_moderator_shows_again_what_they_created_and_hid_although_they_sat_down_meanwhile():
    carol = factories.moderator("carol")
    debate = factories.debate(created_by=carol)
    about = {"debate_id": debate.pk, "by": carol, "now": NOW}
    visibility.change(visibility=Visibility.PRIVATE, **about)
    seat("challenger")(debate, carol)

    assert visibility.change(visibility=Visibility.PUBLIC, **about).visibility == "public"


def test_a_party_is_not_offered_the_ways_of_whoever_conducts_a_debate():
    carol, evaluation = factories.moderator("carol"), in_play()
    page = reverse("debate", args=[evaluation.debate.public_id])
    before = client_of(carol).get(page).content.decode()
    seat("challenger")(evaluation.debate, carol)

    after = client_of(carol).get(page).content.decode()

    assert ["conduct/visibility/" in text for text in (before, after)] == [True, False]


def table():
    """Return the table of the page: for each way what comes of it for parties and organisers, and the counts."""
    lines = ["| Way to moderate | A party | An organiser, by default | An organiser, where that is not let |"]
    lines.append("|---|---|---|---|")
    counted = Counter()
    for path in PATHS:
        wanted = expected(path, soak=False)
        counted.update(wanted.values())
        by_default = "done, as their own" if path.own else "marked" if path.public else "done, told to nobody"
        lines.append(f"| {path.name} | refused | {by_default} | {by_default if path.own else 'refused'} |")
    every = f"{len(PARTIES)} kinds of parties, {len(ORGANISERS)} of organisers, {len(NOBODY)} of neither"
    doors = f"{sum(path.is_a_door for path in PATHS)} pages, addresses and commands times"
    doors += " a party, an organiser and nobody, drawn from one for each answer of the database"
    ways = f"{sum(not path.is_a_door for path in PATHS)} ways times {every}; {doors}"
    numbers = ", ".join(f"{number} {word}" for word, number in sorted(counted.items()))
    return "\n".join([*lines, "", f"{ways}: {sum(counted.values())} tries, {numbers}."])


def test_the_page_has_the_table_of_what_was_tried():
    page = PAGE.read_text()
    start, end = page.index("<!-- made by tests/judging/test_conflicts.py -->\n"), page.index("<!-- end -->")
    head = start + len("<!-- made by tests/judging/test_conflicts.py -->\n")
    if os.environ.get("WRITE_CONFLICTS"):
        PAGE.write_text(page[:head] + table() + "\n" + page[end:])

    assert PAGE.read_text()[head:].split("<!-- end -->")[0].strip() == table()


def test_the_page_names_every_kind():
    page = text(PAGE)

    assert [kind for kind in (*PARTIES, *ORGANISERS) if kind not in page] == []


# -- what was declared stays on record ---------------------------------------------------------------------------------


@pytest.fixture
def evaluation():
    return criterion()


def frozen_by(user, evaluation):
    return acts.freeze(order=factories.order(evaluation, user), now=NOW)


def test_a_declaration_keeps_out_until_it_is_withdrawn_and_both_rows_stay(evaluation):
    carol = factories.moderator("carol")
    declared = conflicts.declare(debate_id=evaluation.debate_id, by=carol, reason=factories.REASON, now=NOW)
    with pytest.raises(ConflictOfInterest, match="carol has a declared conflict of interest in this debate"):
        frozen_by(carol, evaluation)

    conflicts.withdraw(conflict_id=declared.pk, by=carol, reason="It was another debate.", now=NOW)

    assert frozen_by(carol, evaluation).entries[0].kind == "freeze"
    rows = Conflict.objects.order_by("pk").values_list("person__username", "by__name", "withdraws")
    assert list(rows) == [("carol", "carol", None), ("carol", "carol", declared.pk)]
    with pytest.raises(NotAllowedNow, match="withdrawn already"):
        conflicts.withdraw(conflict_id=declared.pk, by=carol, reason=factories.REASON, now=NOW)


def test_what_somebody_else_declared_is_not_withdrawn_by_whom_it_is_about(evaluation):
    carol, dora = factories.moderator("carol"), factories.moderator("dora")
    about = {"username": "carol", "reason": factories.REASON}
    declared = conflicts.declare(debate_id=evaluation.debate_id, by=dora, now=NOW, **about)

    with pytest.raises(ConflictOfInterest, match="not withdrawn by whom it is about"):
        conflicts.withdraw(conflict_id=declared.pk, by=carol, reason=factories.REASON, now=NOW)
    with pytest.raises(IntegrityError) as caught, transaction.atomic():
        Conflict.objects.create(
            debate=evaluation.debate, person=carol, withdraws=declared, by=actor_of(carol), because=declared.because
        )
    conflicts.withdraw(conflict_id=declared.pk, by=dora, reason="I took her for somebody else.", now=NOW)

    assert guard_of(caught.value) == "conflict_is_not_withdrawn_by_its_person"


def test_a_party_declares_nothing_of_others_and_needs_a_permission_to(evaluation):
    carol, dora = factories.moderator("carol"), factories.person("dora")
    about = {"username": "erna", "reason": factories.REASON}
    factories.moderator("erna")
    seat("challenger")(evaluation.debate, carol)

    with pytest.raises(ConflictOfInterest, match="carol speaks in this debate"):
        conflicts.declare(debate_id=evaluation.debate_id, by=carol, now=NOW, **about)
    with pytest.raises(NotPermitted, match="declare_conflict"):
        conflicts.declare(debate_id=evaluation.debate_id, by=dora, now=NOW, **about)
    with pytest.raises(NotPermitted, match="declare_conflict"):
        conflicts.declare(debate_id=evaluation.debate_id, by=dora, now=NOW, username="nobody", reason=factories.REASON)
    with pytest.raises(Invalid, match="no account") as nobody:
        conflicts.declare(
            debate_id=evaluation.debate_id, by=factories.moderator("fred"), now=NOW, username="nobody", reason="x" * 10
        )
    assert nobody.value.field == "person"
    own = conflicts.declare(debate_id=evaluation.debate_id, by=carol, reason=factories.REASON, now=NOW)
    with pytest.raises(NotAllowedNow, match="already"):
        conflicts.declare(debate_id=evaluation.debate_id, by=carol, reason=factories.REASON, now=NOW)

    assert own.person == carol


def test_an_invitation_that_somebody_else_took_back_in_time_keeps_nobody_out(evaluation):
    carol = factories.moderator("carol")
    invited(evaluation.debate, carol)
    with pytest.raises(ConflictOfInterest, match="was invited to speak or judge"):
        frozen_by(carol, evaluation)

    Invitation.objects.update(revoked_at=NOW, revoked_by=factories.person("dave"))

    assert frozen_by(carol, evaluation).entries[0].by_organiser is False


def test_who_revokes_an_invitation_to_themselves_stays_a_party(evaluation):
    carol = factories.moderator("carol")
    Debate.objects.filter(pk=evaluation.debate_id).update(created_by=carol)
    invited(evaluation.debate, carol)

    invitations.revoke(invitation_id=Invitation.objects.get().pk, by=carol, now=NOW)

    with pytest.raises(ConflictOfInterest, match="was invited to speak or judge"):
        frozen_by(carol, evaluation)


def test_who_changes_their_address_was_invited_all_the_same(evaluation):
    carol = factories.moderator("carol")
    invited(evaluation.debate, carol)
    type(carol).objects.filter(pk=carol.pk).update(email="carol@elsewhere.org")

    with pytest.raises(ConflictOfInterest, match="was invited to speak or judge"):
        frozen_by(carol, evaluation)


def test_of_two_with_an_address_whoever_confirmed_it_was_invited(evaluation):
    factories.person("dave", email="carol@example.org")
    carol = factories.moderator("carol")
    EmailAddress.objects.create(user=carol, email="carol@example.org", verified=True)
    invited(evaluation.debate, carol)
    type(carol).objects.filter(pk=carol.pk).update(email="carol@elsewhere.org")

    with pytest.raises(ConflictOfInterest, match="was invited to speak or judge"):
        frozen_by(carol, evaluation)


def test_the_stricter_of_the_setting_and_of_the_database_holds(evaluation, settings):
    carol = factories.moderator("carol")
    Debate.objects.filter(pk=evaluation.debate_id).update(created_by=carol)
    settings.ORGANISERS_MODERATE = False

    with pytest.raises(ConflictOfInterest, match="on this site its organisers do not moderate it"):
        frozen_by(carol, evaluation)
    settings.ORGANISERS_MODERATE = True
    assert frozen_by(carol, evaluation).entries[0].by_organiser is True


def test_the_event_says_that_it_was_the_organiser_and_the_ledger_is_proved(monkeypatch):
    monkeypatch.setattr(verify, "_further", [])  # no judge gave these scores
    carol = factories.moderator("carol")
    evaluation = factories.criterion(factories.debate(created_by=carol))
    factories.count(evaluation, "1")

    frozen_by(carol, evaluation)
    acts.unfreeze(order=factories.order(evaluation, factories.moderator("dora")), now=NOW, choice=None)

    events = evaluation.debate.events.filter(type__startswith="score:").order_by("seq")
    assert [event.data.get("byOrganiser") for event in events] == [True, None]
    assert verify.verify().faults == ()


def test_a_bulk_action_says_which_debates_it_leaves_out_and_why():
    carol = factories.moderator("carol")
    own, others = factories.criterion(factories.debate(title="My own debate")), criterion()
    seat("challenger")(own.debate, carol)
    page = client_of(carol).post(
        "/admin/scoring/evaluation/", {"action": "freeze_selected", "_selected_action": [own.pk, others.pk]}
    )

    assert page.context["form"]["rows"].value() == f"{others.pk}:0"
    said = words(page) + " ".join(str(message) for message in page.context["messages"])
    assert "Left out: 1 score of “My own debate”. carol speaks in this debate" in said


def test_a_page_declares_a_conflict_and_another_withdraws_it(evaluation):
    carol = factories.moderator("carol")
    client, at = client_of(carol), f"/admin/debates/debate/{evaluation.debate_id}/conflict/"

    said = words(client.post(at, {"username": "", "reason": factories.REASON}, follow=True))
    declared = Conflict.objects.get()
    refused = words(client.get(f"/admin/scoring/evaluation/{evaluation.pk}/freeze/"))
    done = words(
        client.post(f"/admin/scoring/conflict/{declared.pk}/withdraw/", {"reason": "It is over."}, follow=True)
    )

    assert re.search("It is on record: carol does not moderate", said)
    assert "carol has a declared conflict of interest in this debate" in refused
    assert "The declaration is withdrawn; both stay on record." in done


def test_a_rerun_is_refused_before_a_model_is_asked(evaluation):
    carol = factories.moderator("carol")
    factories.over(evaluation.debate)
    seat("judge")(evaluation.debate, carol)

    with pytest.raises(ConflictOfInterest, match="carol judges in this debate"):
        lifecycle.rerun(debate_id=evaluation.debate_id, by=carol, reason=factories.REASON, now=NOW)

    assert Evaluation.objects.get(pk=evaluation.pk).run_number == 1


def test_a_preview_refuses_what_the_act_would(evaluation):
    from scoring.enums import EntryKind
    from scoring.services import previews

    carol = factories.moderator("carol")
    seat("challenger")(evaluation.debate, carol)

    with pytest.raises(ConflictOfInterest):
        previews.preview(evaluation_id=evaluation.pk, intent=Intent(EntryKind.FREEZE), by=carol.pk)
    with pytest.raises(ConflictOfInterest):
        moderation.perform(
            order=factories.order(evaluation, carol), intent=Intent(EntryKind.OVERRIDE, value="7"), now=NOW
        )


def test_the_public_account_says_that_it_was_the_organiser():
    carol = factories.moderator("carol")
    evaluation = factories.criterion(factories.debate(created_by=carol))
    frozen_by(carol, evaluation)
    acts.unfreeze(order=factories.order(evaluation, factories.moderator("dora")), now=NOW, choice=None)

    page = Client().get(reverse("score-account", args=[evaluation.debate.public_id, evaluation.public_id]))

    assert page.content.decode().count(", who organises this debate") == 1
