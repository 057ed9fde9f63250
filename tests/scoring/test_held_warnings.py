"""Warnings about rounds that were held: raised when they begin to count, and only then."""

from dataclasses import replace
from decimal import Decimal

import pytest
from django.utils import timezone

from debates.models import Debate, Thread
from scoring.enums import AlertState, BulkAction, EntryKind, FactKind, HeldChoice
from scoring.models import Alert, Evaluation, Fact
from scoring.services import alerts, bulk
from scoring.services.actions import Intent
from scoring.services.rounds import Given
from scoring.types import Instrument
from tests import acts, factories
from tests.scoring.history import opened

pytestmark = pytest.mark.django_db
NOW = timezone.now()


def codes():
    return sorted(Alert.objects.values_list("code", flat=True))


def frozen(alice, *before):
    evaluation = factories.criterion()
    for verdict in before:
        factories.count(evaluation, verdict)
    acts.freeze(order=factories.order(evaluation, alice, seen=None), now=NOW)
    return Evaluation.objects.get(pk=evaluation.pk)


def unfreeze(evaluation, alice, choice=HeldChoice.APPLY):
    return acts.unfreeze(order=factories.order(evaluation, alice), choice=choice, now=NOW)


def test_a_held_round_warns_when_it_is_applied(alice):
    evaluation = frozen(alice)
    factories.count(evaluation, "3")
    assert codes() == []

    unfreeze(evaluation, alice)

    assert codes() == ["extreme_verdict"]


def test_a_held_round_that_is_discarded_warns_of_nothing(alice):
    evaluation = frozen(alice)
    factories.count(evaluation, "3")

    unfreeze(evaluation, alice, HeldChoice.DISCARD)

    assert codes() == []


def test_a_held_round_against_the_one_before_the_freeze_is_a_contradiction(alice):
    evaluation = frozen(alice, "2")
    factories.count(evaluation, "-2")

    unfreeze(evaluation, alice)

    assert codes() == ["contradiction"]


def test_a_round_after_a_held_one_that_was_applied_is_compared_with_that(alice):
    evaluation = frozen(alice)
    factories.count(evaluation, "2")
    unfreeze(evaluation, alice)

    factories.count(evaluation, "-2")

    assert codes() == ["contradiction"]


def test_a_round_is_not_compared_with_one_that_was_struck_or_rolled_back_over(alice):
    struck, back = (factories.criterion(key=key) for key in ("P1", "P2"))
    for evaluation in (struck, back):
        factories.count(evaluation, "2")
    acts.strike(order=factories.order(struck, alice), facts=struck.basis, now=NOW)
    acts.roll_back(order=factories.order(back, alice), target=1, now=NOW)

    for evaluation in (struck, back):
        factories.count(evaluation, "-2")

    assert codes() == []


def test_a_round_that_counted_before_the_freeze_is_not_warned_of_again(alice):
    evaluation = frozen(alice, "3")
    alerts.handle(
        alert_ids=[Alert.objects.get().pk], by=alice, state=AlertState.DISMISSED, reason=factories.REASON, now=NOW
    )
    factories.count(evaluation, "0.5")

    unfreeze(evaluation, alice)

    assert list(Alert.objects.filter(code="extreme_verdict").values_list("state", flat=True)) == ["dismissed"]


def test_a_warning_names_the_facts_that_counted_up_to_its_round(alice):
    evaluation = frozen(alice)
    factories.count(evaluation, "3")
    factories.count(evaluation, "0.5")

    unfreeze(evaluation, alice)

    first = Fact.objects.order_by("pk").first()
    assert Alert.objects.get(code="extreme_verdict").facts_digest == alerts.digest_of(facts=[first.pk])


def test_a_thread_that_ended_while_its_score_was_frozen_is_judged_whole_at_the_unfreeze(alice):
    evaluation = frozen(alice)
    for _ in range(3):
        factories.count(evaluation, "-3")
    Thread.objects.filter(pk=evaluation.thread_id).update(status="complete")

    unfreeze(evaluation, alice)

    assert codes() == ["extreme_net", "extreme_verdict", "large_change", "net_capped", "uniform_extreme"]


@pytest.mark.parametrize(
    ("then", "told"),
    [
        (Intent(EntryKind.STRIKE), []),
        (Intent(EntryKind.ROLLBACK, target=1), []),
        (Intent(EntryKind.OVERRIDE, value="5"), ["extreme_verdict"]),
    ],
    ids=["strike", "rollback", "override"],
)
def test_what_the_further_step_of_an_unfreeze_takes_back_is_not_warned_of(alice, then, told):
    evaluation = frozen(alice)
    factories.count(evaluation, "3")
    Thread.objects.filter(pk=evaluation.thread_id).update(status="complete")
    if then.kind is EntryKind.STRIKE:
        then = replace(then, facts=Evaluation.objects.get(pk=evaluation.pk).held)

    acts.unfreeze(order=factories.order(evaluation, alice), choice=HeldChoice.APPLY, then=then, now=NOW)

    assert codes() == told


def test_a_thread_still_in_play_is_not_judged_whole_yet(alice):
    evaluation = frozen(alice)
    for _ in range(3):
        factories.count(evaluation, "-3")

    unfreeze(evaluation, alice)

    assert codes() == ["extreme_net", "extreme_verdict", "net_capped"]


@pytest.mark.parametrize(
    ("status", "kinds"),
    [
        pytest.param("cancelled", ["opened", "freeze", "unfreeze"], id="given up"),
        pytest.param("partial", ["opened", "freeze", "unfreeze", "fallback"], id="ended early"),
        pytest.param("playing", ["opened", "freeze", "unfreeze"], id="in play"),
    ],
)
def test_only_a_thread_that_was_played_to_an_end_falls_back_at_the_unfreeze(alice, status, kinds):
    evaluation = frozen(alice)
    Thread.objects.filter(pk=evaluation.thread_id).update(status=status)

    unfreeze(evaluation, alice)

    assert [entry.kind for entry in evaluation.entries.all()] == kinds


WON = [Given(FactKind.VERDICT, Decimal(0), parts={"winner": "evaluator"})] * 5


@pytest.mark.parametrize(("status", "told"), [("concluded", ["no_effect", "one_sided"]), ("running", [])])
def test_a_debate_that_is_over_is_looked_at_whole_again_when_held_verdicts_begin_to_count(alice, status, told):
    evaluation = frozen(alice)
    factories.count(evaluation, *WON)
    Debate.objects.filter(pk=evaluation.debate_id).update(status=status)

    unfreeze(evaluation, alice)

    assert codes() == told


def test_judges_scores_of_a_panel_are_no_verdicts_to_warn_of(alice):
    evaluation = opened(Instrument.PANEL, "2.5", "2", "3")
    acts.freeze(order=factories.order(evaluation, alice, seen=None), now=NOW)
    factories.count(evaluation, *[Given(FactKind.JUDGE_SCORE, Decimal(4))] * 3, number=1)
    Thread.objects.filter(pk=evaluation.thread_id).update(status="complete")

    unfreeze(evaluation, alice)

    assert (Evaluation.objects.get(pk=evaluation.pk).final_score, codes()) == (4, [])


@pytest.mark.parametrize(
    ("winners", "told"),
    [
        pytest.param(("red_team", "evaluator"), [], id="each of them alone would have been one-sided"),
        pytest.param(("evaluator", "evaluator"), ["10"], id="both together are"),
    ],
)
def test_scores_that_are_unfrozen_together_are_looked_at_as_a_whole_when_all_have_moved(alice, winners, told):
    debate = factories.debate()
    for key, winner in zip(("P1", "P2"), winners, strict=True):
        score = factories.criterion(debate, key=key)
        acts.freeze(order=factories.order(score, alice, seen=None), now=NOW)
        factories.count(score, *[Given(FactKind.VERDICT, Decimal("0.1"), parts={"winner": winner})] * 5)
    Debate.objects.filter(pk=debate.pk).update(status="concluded")
    rows = list(Evaluation.objects.filter(debate=debate).values_list("pk", "moderation_version"))
    order = bulk.BulkOrder(
        action=BulkAction.UNFREEZE, rows=rows, by=alice, reason=factories.REASON, choice=HeldChoice.APPLY
    )

    bulk.act(order=order, now=NOW)

    raised = Alert.objects.filter(code="one_sided").values_list("evidence", flat=True)
    assert [one["verdicts"] for one in raised] == told
