"""Rescore sets: staged, then applied or cancelled whole."""

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from debates.errors import Invalid, NotAllowedNow, NotFound
from debates.models import Event
from scoring import verify
from scoring.enums import BulkAction, HeldChoice
from scoring.errors import BulkRefused, NotPermitted
from scoring.models import Evaluation, Reason, RescoreSet, ScoreChange
from scoring.services import rescore
from tests import acts, factories

pytestmark = pytest.mark.django_db
NOW = timezone.now()
WHY = "The second judge was the author's brother."


def played() -> list[Evaluation]:
    debate = factories.debate()
    made = [factories.criterion(debate, key=key, initial="6") for key in ("P1", "P2")]
    for one in made:
        factories.count(one, factories.verdict("1.5", "0.1"))
    return made


def staged(evaluations: list[Evaluation], by, *, action=BulkAction.ROLLBACK, choice=None) -> RescoreSet:
    rows = Evaluation.objects.filter(pk__in=[one.pk for one in evaluations]).values_list("pk", "moderation_version")
    return rescore.stage(action=action, rows=list(rows), reason=WHY, by=by, now=NOW, choice=choice)


def values(evaluations: list[Evaluation]) -> list[object]:
    return [Evaluation.objects.get(pk=one.pk).final_score for one in evaluations]


def test_a_staged_set_keeps_old_against_new_and_moves_nothing():
    scores = played()
    told = Event.objects.count()

    kept = staged(scores, factories.moderator())

    assert RescoreSet.objects.get(pk=kept.pk).lines[0] == {
        "id": scores[0].pk,
        "evaluation": str(scores[0].public_id),
        "name": "P1 Problem clarity",
        "seen": 0,
        "value_before": "7.50",
        "value_after": "6.00",
        "computed_before": "7.50",
        "computed_after": "6.00",
        "confidence_before": "0.60",
        "confidence_after": "0.50",
    }
    assert (kept.state, kept.action, kept.because.text, kept.staged_by.name) == ("staged", "rollback", WHY, "alice")
    assert values(scores) == [7.5, 7.5]
    assert Event.objects.count() == told


def test_a_set_is_applied_whole_by_whoever_applies_it_for_the_reason_it_was_staged_for():
    scores = played()
    kept = staged(scores, factories.moderator())

    done = rescore.apply(set_id=kept.pk, by=factories.moderator("bob"), now=NOW)

    kept.refresh_from_db()
    assert (kept.state, kept.decided_by.name) == ("applied", "bob")
    assert values(scores) == [6, 6]
    assert {(one.entries[0].actor.name, one.entries[0].reason.text) for one in done} == {("bob", WHY)}
    assert ScoreChange.objects.filter(reason=kept.because).count() == 2
    assert verify.verify().faults == ()


def test_an_unfreeze_can_be_staged_with_its_choice():
    scores = played()
    alice = factories.moderator()
    for one in scores:
        acts.freeze(order=factories.order(one, alice, seen=None), now=NOW)
        factories.count(one, "1")

    kept = staged(scores, alice, action=BulkAction.UNFREEZE, choice=HeldChoice.APPLY)
    assert [line["value_after"] for line in kept.lines] == ["8.50", "8.50"]
    rescore.apply(set_id=kept.pk, by=alice, now=NOW)

    assert values(scores) == [8.5, 8.5]


def test_a_cancelled_set_leaves_no_trace_in_the_stream():
    scores = played()
    told = Event.objects.count()
    kept = staged(scores, factories.moderator())

    cancelled = rescore.cancel(
        set_id=kept.pk, by=factories.moderator("bob"), reason="He was not, it turns out.", now=NOW
    )

    assert (cancelled.state, cancelled.decided_by.name) == ("cancelled", "bob")
    assert cancelled.decided_because.text == "He was not, it turns out."
    assert values(scores) == [7.5, 7.5]
    assert Event.objects.count() == told


def test_a_set_that_somebody_overtook_refuses_by_name_and_stays_staged():
    scores = played()
    alice = factories.moderator()
    kept = staged(scores, alice)
    acts.override(order=factories.order(scores[1], alice), value="5", now=NOW)

    with pytest.raises(BulkRefused, match=r"1 of 2 refuse: P2 Problem clarity.*alice: override") as refusal:
        rescore.apply(set_id=kept.pk, by=alice, now=NOW)

    assert [one["id"] for one in refusal.value.details["refused"]] == [scores[1].pk]
    kept.refresh_from_db()
    assert kept.state == "staged"
    assert values(scores) == [7.5, 5]


def overtaken(scores, by) -> RescoreSet:
    kept = staged(scores, by)
    acts.override(order=factories.order(scores[1], by), value="5", now=NOW)
    return kept


def test_a_set_is_applied_without_what_is_left_out_and_keeps_which():
    scores, alice = played(), factories.moderator()
    kept = overtaken(scores, alice)

    done = rescore.apply(set_id=kept.pk, by=alice, leave_out=[scores[1].pk], now=NOW)

    kept.refresh_from_db()
    assert (kept.state, kept.left_out, len(done)) == ("applied", [scores[1].pk], 1)
    assert values(scores) == [6, 5]
    assert ScoreChange.objects.filter(reason=kept.because).count() == 1


def test_the_others_still_go_all_or_none():
    scores, alice = played(), factories.moderator()
    kept = overtaken(scores, alice)

    with pytest.raises(BulkRefused, match="P2"):
        rescore.apply(set_id=kept.pk, by=alice, leave_out=[scores[0].pk], now=NOW)

    assert values(scores) == [7.5, 5]


@pytest.mark.parametrize(("which", "why"), [([0, 1], "Nothing is left"), ([2], "1 of 1 are not in it")])
def test_what_is_left_out_is_in_the_set_and_leaves_something(which, why):
    scores, alice = played(), factories.moderator()
    kept = staged(scores, alice)
    ids = [*(one.pk for one in scores), -1]

    with pytest.raises(Invalid, match=why):
        rescore.apply(set_id=kept.pk, by=alice, leave_out=[ids[one] for one in which], now=NOW)


def test_the_command_applies_a_set_without_some_of_it(capsys):
    scores, alice = played(), factories.moderator()
    kept = overtaken(scores, alice)
    words = ["moderate", "apply-set", str(kept.public_id), "--as", "alice"]
    with pytest.raises(CommandError, match="1 of 2 refuse: P2"):
        call_command(*words)
    with pytest.raises(CommandError, match="no evaluation"):
        call_command(*words, "--leave-out", str(kept.public_id))
    with pytest.raises(CommandError, match="no such rescore set"):
        call_command("moderate", "apply-set", str(scores[0].public_id), "--as", "alice")

    call_command(*words, "--leave-out", str(scores[1].public_id))

    assert "Applied: 1 scores were acted on; 1 stay as they are." in capsys.readouterr().out
    assert values(scores) == [6, 5]


def test_even_a_staged_freeze_looks_at_the_versions():
    scores = played()
    alice = factories.moderator()
    kept = staged(scores, alice, action=BulkAction.FREEZE)
    acts.override(order=factories.order(scores[1], alice), value="5", now=NOW)

    with pytest.raises(BulkRefused, match="P2"):
        rescore.apply(set_id=kept.pk, by=alice, now=NOW)


def test_rounds_counted_meanwhile_show_when_a_set_is_previewed_again():
    scores = played()
    kept = staged(scores, factories.moderator())
    factories.count(scores[0], "1")

    now = rescore.lines_now(kept)

    assert [(one.preview.now.value, one.preview.then.value, one.refusal) for one in now] == [
        (8.5, 6, None), (7.5, 6, None),
    ]  # fmt: skip


def test_what_would_refuse_is_not_staged():
    scores = played()
    alice = factories.moderator()
    acts.freeze(order=factories.order(scores[0], alice, seen=None), now=NOW)

    with pytest.raises(BulkRefused, match=r"P1 Problem clarity: .*frozen"):
        staged(scores, alice)
    with pytest.raises(BulkRefused, match="evaluation -1: There is no such evaluation"):
        rescore.stage(action=BulkAction.FREEZE, rows=[(-1, None)], reason=WHY, by=alice, now=NOW)

    assert RescoreSet.objects.count() == 0


@pytest.mark.parametrize("first", ["apply", "cancel"])
@pytest.mark.parametrize("second", ["apply", "cancel"])
def test_a_set_is_decided_once(first, second):
    alice = factories.moderator()
    kept = staged(played(), alice)
    decide = {
        "apply": lambda: rescore.apply(set_id=kept.pk, by=alice, now=NOW),
        "cancel": lambda: rescore.cancel(set_id=kept.pk, by=alice, reason=WHY, now=NOW),
    }
    decide[first]()

    with pytest.raises(NotAllowedNow, match=r"was applied|was cancelled"):
        decide[second]()


def test_a_set_needs_the_permission_of_its_action_at_every_step():
    scores = played()
    alice, bob = factories.moderator(), factories.person("bob", permissions=["freeze_evaluation"])
    kept = staged(scores, alice)

    for attempt in (
        lambda: staged(scores, bob),
        lambda: rescore.apply(set_id=kept.pk, by=bob, now=NOW),
        lambda: rescore.cancel(set_id=kept.pk, by=bob, reason=WHY, now=NOW),
    ):
        with pytest.raises(NotPermitted, match="rollback_evaluation"):
            attempt()


def test_a_set_that_is_not_there_is_not_found():
    with pytest.raises(NotFound):
        rescore.apply(set_id=-1, by=factories.moderator(), now=NOW)


def test_reasons_are_needed_to_stage_and_to_cancel():
    scores = played()
    alice = factories.moderator()
    kept = staged(scores, alice)

    with pytest.raises(Invalid, match="10 visible"):
        rescore.cancel(set_id=kept.pk, by=alice, reason="no", now=NOW)
    with pytest.raises(Invalid, match="10 visible"):
        rescore.stage(action=BulkAction.FREEZE, rows=[(scores[0].pk, None)], reason="no", by=alice, now=NOW)


def test_a_set_whose_words_were_erased_says_so_and_can_only_be_cancelled():
    alice = factories.moderator()
    kept = staged(played(), alice)
    factories.rewrite(Reason.objects.filter(pk=kept.because_id), text="", salt="")

    with pytest.raises(NotAllowedNow, match="were erased; cancel it and stage it anew"):
        rescore.apply(set_id=kept.pk, by=alice, now=NOW)

    assert rescore.cancel(set_id=kept.pk, by=alice, reason=factories.REASON, now=NOW).state == "cancelled"
