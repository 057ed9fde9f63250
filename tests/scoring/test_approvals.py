"""Large overrides wait for a second person; until then nothing moves."""

from decimal import Decimal

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from debates.errors import Invalid, NotAllowedNow, NotFound
from debates.models import Event
from scoring.enums import ActorKind, EntryKind, HeldChoice
from scoring.errors import Frozen, NeedsSecondPerson, NotPermitted, OutOfRange, SamePerson, Stale
from scoring.models import Approval, Evaluation
from scoring.services import approvals
from scoring.services.actions import Intent
from scoring.services.entries import Author, state_of
from scoring.services.steps import Done, take
from tests import acts, factories

pytestmark = pytest.mark.django_db
NOW = timezone.now()
AGREED = "I read it too, and agree."


@pytest.fixture(autouse=True)
def second_person_from_two(settings):
    settings.SECOND_PERSON_FROM = Decimal(2)


def played() -> Evaluation:
    """A score of 7."""
    evaluation = factories.criterion(initial="6")
    factories.count(evaluation, "1")
    return evaluation


def ask(evaluation: Evaluation, by, value: object = "3") -> Approval | Done:
    return acts.override(order=factories.order(evaluation, by), value=value, now=NOW)


def now_of(evaluation: Evaluation) -> Evaluation:
    return Evaluation.objects.get(pk=evaluation.pk)


@pytest.mark.parametrize(("value", "waits"), [("5", True), ("5.01", False), ("8.99", False), ("9", True), ("10", True)])
def test_an_override_of_two_points_or_more_waits(value, waits):
    evaluation = played()

    given = ask(evaluation, factories.moderator(), value)

    assert isinstance(given, Approval) is waits
    assert now_of(evaluation).final_score == (7 if waits else Decimal(value))


def test_no_setting_means_that_nothing_waits(settings):
    settings.SECOND_PERSON_FROM = None
    evaluation = played()

    assert isinstance(ask(evaluation, factories.moderator(), "1"), Done)


def test_the_size_is_measured_from_the_current_value():
    evaluation = played()
    alice = factories.moderator()
    ask(evaluation, alice, "5.5")

    assert isinstance(ask(evaluation, alice, "7.5"), Approval)
    assert isinstance(ask(evaluation, alice, "5.1"), Done)


def test_a_request_carries_who_what_why_and_what_was_seen():
    evaluation = played()

    asked = ask(evaluation, factories.moderator())

    assert (asked.state, asked.value, asked.value_seen, asked.seen) == ("waiting", 3, 7, 0)
    assert (asked.requested_by.name, asked.because.text, asked.door) == ("alice", factories.REASON, "moderator")
    assert evaluation.entries.count() == 2
    told = Event.objects.filter(debate=evaluation.debate, type="approval:requested").values_list("audience", "data")
    assert list(told) == [
        ("moderators", {"approval": str(asked.public_id), "evaluation": str(evaluation.public_id),
                        "state": "waiting", "value": "3.00"}),
    ]  # fmt: skip


def test_rounds_that_count_meanwhile_do_not_void_a_request():
    evaluation = played()
    asked = ask(evaluation, factories.moderator())
    factories.count(evaluation, "-1")

    approvals.approve(approval_id=asked.pk, by=factories.moderator("bob"), reason=AGREED, now=NOW)

    assert (now_of(evaluation).final_score, now_of(evaluation).computed_score) == (3, 6)


def test_nobody_approves_their_own_request():
    evaluation = played()
    alice = factories.moderator()
    asked = ask(evaluation, alice)

    with pytest.raises(SamePerson, match="somebody else"):
        approvals.approve(approval_id=asked.pk, by=alice, reason=AGREED, now=NOW)

    assert now_of(evaluation).final_score == 7


def test_nobody_approves_their_own_request_under_another_role():
    evaluation = played()
    alice = factories.person(permissions=["override_evaluation", "approve_override"])
    asked = ask(evaluation, alice)
    alice.is_superuser = True
    alice.save()

    with pytest.raises(SamePerson):
        approvals.approve(approval_id=asked.pk, by=alice, reason=AGREED, now=NOW)


@pytest.mark.parametrize("decide", [approvals.approve, approvals.refuse])
def test_deciding_needs_a_permission_of_its_own(decide):
    asked = ask(played(), factories.moderator())
    bob = factories.person("bob", permissions=["override_evaluation", "rollback_evaluation"])

    with pytest.raises(NotPermitted, match="approve_override"):
        decide(approval_id=asked.pk, by=bob, reason=AGREED, now=NOW)


def test_asking_needs_the_permission_to_override():
    bob = factories.person("bob", permissions=["approve_override"])

    with pytest.raises(NotPermitted, match="override_evaluation"):
        ask(played(), bob)


def test_one_request_waits_at_a_time():
    evaluation = played()
    ask(evaluation, factories.moderator())

    with pytest.raises(NotAllowedNow, match=r"alice has asked for 3.00 already"):
        ask(evaluation, factories.moderator("bob"), "2")


def test_a_request_that_is_not_there_is_not_found():
    with pytest.raises(NotFound):
        approvals.approve(approval_id=-1, by=factories.moderator(), reason=AGREED, now=NOW)


@pytest.mark.parametrize(
    ("value", "reason", "refusal"),
    [("11", factories.REASON, OutOfRange), ("2.555", factories.REASON, OutOfRange), ("3", "short", Invalid)],
)
def test_a_request_is_checked_like_an_override(value, reason, refusal):
    evaluation = played()

    with pytest.raises(refusal):
        acts.override(order=factories.order(evaluation, factories.moderator(), reason=reason), value=value, now=NOW)

    assert Approval.objects.count() == 0


def test_a_frozen_score_takes_no_request():
    evaluation = played()
    alice = factories.moderator()
    acts.freeze(order=factories.order(evaluation, alice, seen=None), now=NOW)

    with pytest.raises(Frozen):
        ask(evaluation, alice)


def test_a_stale_look_makes_no_request():
    evaluation = played()
    alice = factories.moderator()
    early = factories.order(evaluation, alice)
    acts.override(order=early, value="6", now=NOW)

    with pytest.raises(Stale):
        acts.override(order=early, value="1", now=NOW)


# -- no way round ----------------------------------------------------------------------------------------------------


def test_an_unfreeze_cannot_carry_a_large_override():
    evaluation = played()
    alice = factories.moderator()
    acts.freeze(order=factories.order(evaluation, alice, seen=None), now=NOW)

    with pytest.raises(NeedsSecondPerson):
        acts.unfreeze(
            order=factories.order(evaluation, alice),
            choice=HeldChoice.APPLY,
            now=NOW,
            then=Intent(EntryKind.OVERRIDE, value="2"),
        )

    assert state_of(now_of(evaluation)).frozen


def test_an_approval_of_another_value_opens_no_door():
    evaluation = played()
    asked = ask(evaluation, factories.moderator())
    author = Author(ActorKind.MODERATOR, actor=asked.requested_by, reason=asked.because, approval=asked)

    with pytest.raises(
        NeedsSecondPerson, match=r"2.00, 5.00 points from 7.00, where the score stands. 2.00 points or more"
    ):
        take(evaluation=evaluation, author=author, intent=Intent(EntryKind.OVERRIDE, value="2"))


def test_the_command_asks_for_a_second_person(capsys):
    evaluation = played()
    factories.moderator()
    words = ["moderate", "override", str(evaluation.public_id), "--as", "alice", "--reason", factories.REASON]

    call_command(*words, "--seen", "0", "--value", "3")

    asked = Approval.objects.get()
    assert f"Waits for a second person: request {asked.public_id}" in capsys.readouterr().out
    assert now_of(evaluation).final_score == 7
    with pytest.raises(CommandError, match="already"):
        call_command(*words, "--seen", "0", "--value", "2")


def test_what_somebody_asked_for_who_has_been_deactivated_since_can_only_be_refused():
    evaluation = played()
    bob, alice = factories.moderator("bob"), factories.moderator("alice")
    asked = ask(evaluation, bob)
    bob.is_active = False
    bob.save(update_fields=["is_active"])

    with pytest.raises(NotAllowedNow):
        approvals.approve(approval_id=asked.pk, by=alice, reason=AGREED, now=NOW)
    refused = approvals.refuse(approval_id=asked.pk, by=alice, reason=AGREED, now=NOW)

    assert (refused.state, now_of(evaluation).final_score) == ("refused", Decimal(7))
