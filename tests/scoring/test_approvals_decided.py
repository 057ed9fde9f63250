"""What becomes of a request for a second person: approved, refused, taken back, or void; and that only once."""

from decimal import Decimal

import pytest
from django.utils import timezone

from debates.errors import DomainError, NotAllowedNow
from debates.models import Event
from scoring import verify
from scoring.errors import Stale
from scoring.models import Approval, Reason
from scoring.services import approvals
from scoring.services.entries import actor_of
from tests import acts, factories
from tests.scoring.concurrency import at_once
from tests.scoring.test_approvals import AGREED, ask, now_of, played, second_person_from_two

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures(second_person_from_two.__name__)]
NOW = timezone.now()


def test_an_approved_override_is_the_requesters_and_names_who_approved_it():
    evaluation = played()
    asked = ask(evaluation, factories.moderator())

    done = approvals.approve(approval_id=asked.pk, by=factories.moderator("bob"), reason=AGREED, now=NOW)

    asked.refresh_from_db()
    [entry] = done.entries
    assert now_of(evaluation).final_score == 3
    assert (entry.actor.name, entry.reason.text, entry.kind) == ("alice", factories.REASON, "override")
    assert (asked.state, asked.decided_by.name, asked.decided_because.text) == ("approved", "bob", AGREED)
    assert asked.entry == entry
    assert verify.verify().faults == ()
    assert list(Event.objects.order_by("pk").values_list("type", flat=True))[-3:] == [
        "criterion:score-updated", "score:overridden", "approval:decided",
    ]  # fmt: skip


def test_a_refused_request_has_moved_nothing():
    evaluation = played()
    asked = ask(evaluation, factories.moderator())

    refused = approvals.refuse(approval_id=asked.pk, by=factories.moderator("bob"), reason="I read it, no.", now=NOW)

    assert (refused.state, refused.decided_by.name, refused.entry) == ("refused", "bob", None)
    assert now_of(evaluation).final_score == 7
    assert Event.objects.order_by("pk").last().data["state"] == "refused"
    assert verify.verify().faults == ()


def test_a_refusal_that_no_log_tells_is_found():
    asked = ask(played(), factories.moderator())
    Approval.objects.filter(pk=asked.pk).update(
        state="refused", decided_by=actor_of(factories.moderator("bob")), decided_because=asked.because, decided_at=NOW
    )

    assert [(fault.row, fault.what, fault.expected, fault.found) for fault in verify.verify().faults] == [
        (f"approval {asked.pk}", "its state is not what the log says", "waiting", "refused")
    ]


def test_ones_own_request_can_be_taken_back():
    evaluation = played()
    alice = factories.person(permissions=["override_evaluation"])
    asked = ask(evaluation, alice)

    approvals.refuse(approval_id=asked.pk, by=alice, reason="I misread it myself.", now=NOW)

    assert isinstance(ask(evaluation, alice, "2"), Approval)


VOIDING = {
    "freeze": lambda one, by: acts.freeze(order=factories.order(one, by, seen=None), now=NOW),
    "override": lambda one, by: acts.override(order=factories.order(one, by), value="6", now=NOW),
    "strike": lambda one, by: acts.strike(order=factories.order(one, by), facts=one.basis, now=NOW),
    "rollback": lambda one, by: acts.roll_back(order=factories.order(one, by), target=1, now=NOW),
}


@pytest.mark.parametrize("kind", VOIDING)
def test_any_entry_of_a_person_voids_a_request_visibly(kind):
    evaluation = played()
    asked = ask(evaluation, factories.moderator())
    bob = factories.moderator("bob")

    VOIDING[kind](evaluation, bob)

    asked.refresh_from_db()
    assert (asked.state, asked.entry.kind, asked.entry.actor.name) == ("void", kind, "bob")
    assert asked.decided_at == asked.entry.at
    decided = Event.objects.get(type="approval:decided")
    assert (decided.audience, decided.data["state"]) == ("moderators", "void")
    with pytest.raises(NotAllowedNow, match=rf"void: bob wrote entry 3 \({kind}\)"):
        approvals.approve(approval_id=asked.pk, by=bob, reason=AGREED, now=NOW)


@pytest.mark.parametrize("decide", [approvals.approve, approvals.refuse])
def test_a_request_is_decided_once(decide):
    asked = ask(played(), factories.moderator())
    bob = factories.moderator("bob")
    decide(approval_id=asked.pk, by=bob, reason=AGREED, now=NOW)

    for again in (approvals.approve, approvals.refuse):
        with pytest.raises(NotAllowedNow, match=r"was (approved|refused) by bob"):
            again(approval_id=asked.pk, by=bob, reason=AGREED, now=NOW)


def test_a_request_on_a_version_that_has_passed_is_stale():
    evaluation = played()
    asked = ask(evaluation, factories.moderator())
    bob = factories.moderator("bob")
    acts.override(order=factories.order(evaluation, bob), value="6", now=NOW)
    overtaken = Approval.objects.create(
        evaluation=evaluation, value=2, value_seen=7, seen=0, door="moderator", requested_by=asked.requested_by,
        because=asked.because,
    )  # fmt: skip

    with pytest.raises(Stale, match="bob: override"):
        approvals.approve(approval_id=overtaken.pk, by=bob, reason=AGREED, now=NOW)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("attempt", range(3))
def test_an_approval_and_an_override_at_once_leave_one_of_the_two(attempt):
    evaluation = played()
    asked = ask(evaluation, factories.moderator())
    bob, carol = factories.moderator("bob"), factories.moderator("carol")
    order = factories.order(evaluation, carol)

    said = at_once(
        lambda: approvals.approve(approval_id=asked.pk, by=bob, reason=AGREED, now=NOW),
        lambda: acts.override(order=order, value="6.5", now=NOW),
    )

    asked.refresh_from_db()
    outcomes = [one.code if isinstance(one, DomainError) else type(one).__name__ for one in said]
    assert (outcomes, asked.state, now_of(evaluation).final_score) in (
        (["Done", "stale"], "approved", 3),
        (["not_allowed_now", "Done"], "void", Decimal("6.5")),
    )


def test_a_request_whose_words_were_erased_says_so_and_can_only_be_refused():
    evaluation, alice, bob = played(), factories.moderator(), factories.moderator("bob")
    request = ask(evaluation, alice)
    factories.rewrite(Reason.objects.filter(pk=request.because_id), text="", salt="")

    with pytest.raises(NotAllowedNow, match="were erased; refuse it and ask anew"):
        approvals.approve(approval_id=request.pk, by=bob, reason=factories.REASON, now=NOW)

    assert approvals.refuse(approval_id=request.pk, by=bob, reason=factories.REASON, now=NOW).state == "refused"


@pytest.mark.parametrize(
    "shut_out",
    [
        pytest.param(lambda alice: alice.user_permissions.clear(), id="the permission is taken away"),
        pytest.param(lambda alice: type(alice).objects.update(is_active=False), id="the account is closed"),
    ],
)
def test_what_somebody_asked_for_who_may_not_override_any_more_can_only_be_refused(shut_out):
    evaluation = played()
    alice = factories.person(permissions=["override_evaluation"])
    asked = ask(evaluation, alice)
    shut_out(alice)
    bob = factories.moderator("bob")

    with pytest.raises(NotAllowedNow, match="may not override any more"):
        approvals.approve(approval_id=asked.pk, by=bob, reason=AGREED, now=NOW)

    assert now_of(evaluation).final_score == 7
    assert approvals.refuse(approval_id=asked.pk, by=bob, reason=AGREED, now=NOW).state == "refused"
