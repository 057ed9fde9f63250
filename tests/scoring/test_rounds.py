"""Opening scores, counting rounds on them, ending and repeating them: what the conductor calls."""

import logging
from decimal import Decimal

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from debates.errors import Invalid
from debates.models import Thread
from scoring.enums import ActorKind, FactKind, HeldChoice
from scoring.errors import Frozen
from scoring.models import Alert, Evaluation
from scoring.services import accounts, rounds
from scoring.services.entries import Author, actor_of, reason_record
from scoring.services.rounds import Given
from tests import acts, factories

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("proof")]
NOW = timezone.now()


def locked(evaluation: Evaluation) -> Evaluation:
    [row] = accounts.lock(evaluations=[evaluation.pk])
    return row


def by_alice() -> Author:
    alice = factories.moderator()
    return Author(ActorKind.MODERATOR, actor=actor_of(alice), reason=reason_record(factories.REASON))


def test_a_round_stores_its_own_sum_all_sums_the_cap_and_what_it_moved():
    evaluation = factories.criterion(initial="6", confidence="0.5")

    factories.count(evaluation, factories.verdict("3", "0.3"), factories.verdict("1.25", "0.3"))
    entry = factories.count(evaluation, factories.verdict("2.5", "-0.05")).posted.entry

    assert (entry.raw_sum, entry.cumulative_raw, entry.capped_net, entry.applied) == (
        Decimal("2.5"), Decimal("6.75"), 5, 0,
    )  # fmt: skip
    assert (entry.computed_after, entry.confidence_after, entry.rounds_after) == (10, 1, 2)


@pytest.mark.parametrize(
    ("initial", "adjustments", "final"),
    [("9", ["3", "-3"], "9"), ("6", ["3", "3", "-3"], "9"), ("1", ["3", "3", "3"], "6"), ("9.99", ["-3"] * 3, "4.99")],
)
def test_sums_are_capped_and_clamped_once_from_the_initial_score(initial, adjustments, final):
    evaluation = factories.criterion(initial=initial)

    for adjustment in adjustments:
        factories.count(evaluation, adjustment)

    assert evaluation.final_score == Decimal(final)


def test_adjustments_may_be_weighted_by_the_judges_confidence():
    debate = factories.debate(score={"weight_by_confidence": True})
    evaluation = factories.criterion(debate, initial="6")

    entry = factories.count(evaluation, factories.verdict("1.25", weight="0.5")).posted.entry

    assert (entry.raw_sum, evaluation.final_score) == (Decimal("0.63"), Decimal("6.63"))


def test_facts_come_back_in_the_order_they_were_given():
    evaluation = factories.criterion()

    counted = factories.count(evaluation, "1", "-1", "0.5")

    assert [fact.amount for fact in counted.facts] == [1, -1, Decimal("0.5")]
    assert counted.posted.entry.facts == [fact.pk for fact in counted.facts]


def test_a_round_is_told_with_its_score():
    evaluation = factories.criterion(initial="6")

    told = {one.type: one.data for one in factories.count(evaluation, "1").news}

    assert told["score:updated"]["currentScore"] == "7.00"
    assert told["criterion:score-updated"]["delta"] == "1.00"


def test_a_round_after_a_rollback_is_told_and_logged_under_its_own_number(caplog):
    evaluation = factories.criterion(initial="6")
    factories.count(evaluation, "1")
    acts.roll_back(order=factories.order(evaluation, factories.moderator()), target=1, now=NOW)
    caplog.set_level(logging.INFO, logger="scoring.services.entries")

    counted = factories.count(evaluation, "2")

    told = {one.type: one.data["round"] for one in counted.news}
    [line] = [record.getMessage() for record in caplog.records if "score changed" in record.getMessage()]
    assert (told["criterion:score-updated"], told["score:updated"]) == (2, 2)
    assert [part for part in ("round=2", str(counted.facts[0].public_id)) if part not in line] == []


def test_a_held_round_tells_no_score_and_raises_no_alert():
    evaluation = factories.criterion()
    acts.freeze(order=factories.order(evaluation, factories.moderator(), seen=None), now=NOW)

    counted = factories.count(evaluation, "3")

    assert [one.type for one in counted.news] == ["round:held"]
    assert not Alert.objects.exists()


def test_a_first_round_that_was_held_counts_once_it_is_applied():
    evaluation = factories.criterion(initial="6")
    alice = factories.moderator()
    acts.freeze(order=factories.order(evaluation, alice, seen=None), now=NOW)
    factories.count(evaluation, "2")
    assert evaluation.final_score is None

    acts.unfreeze(order=factories.order(evaluation, alice), choice=HeldChoice.APPLY, now=NOW)

    evaluation.refresh_from_db()
    assert (evaluation.final_score, evaluation.counted) == (8, True)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (factories.verdict("3.01"), "adjustment must be from -3 to 3"),
        (factories.verdict("-3.01"), "adjustment must be from -3 to 3"),
        (factories.verdict("1", "0.31"), "impact must be from -0.3 to 0.3"),
        (factories.verdict("1.005"), "at most 2 decimal places"),
        (factories.verdict("1", "0.005"), "at most 2 decimal places"),
    ],
)
def test_a_verdict_outside_its_limits_is_refused_and_nothing_of_its_round_stays(given, message):
    evaluation = factories.criterion()

    with pytest.raises(Invalid, match=message):
        factories.count(evaluation, "1", given)

    assert (evaluation.facts.count(), evaluation.entries.count()) == (0, 1)


def test_a_round_is_counted_once():
    evaluation = factories.criterion()
    played = factories.count(evaluation, "1").posted.entry.round

    with pytest.raises(Invalid, match="counted"), transaction.atomic():
        rounds.count(evaluation=locked(evaluation), round=played, new_facts=[factories.verdict("1")], now=NOW)

    assert Evaluation.objects.get(pk=evaluation.pk).version == 2


def test_a_judges_score_does_not_count_on_a_criterion():
    evaluation = factories.criterion()

    with pytest.raises(IntegrityError, match="does not belong to round"):
        factories.count(evaluation, Given(FactKind.JUDGE_SCORE, Decimal(3)))


def test_a_thread_that_ends_without_a_round_falls_back_to_the_initial_score():
    evaluation = factories.criterion(initial="6.5", confidence="0.4")

    news = accounts.fall_back(evaluation=locked(evaluation), reason_code="judge_failed")

    row = Evaluation.objects.get(pk=evaluation.pk)
    assert (row.final_score, row.confidence, row.debate_complete) == (Decimal("6.5"), Decimal("0.4"), False)
    assert [one.type for one in news] == ["score:fallback"]
    assert row.entries.last().reason_code == "judge_failed"


def test_counted_rounds_are_never_replaced_by_a_fallback():
    evaluation = factories.criterion()
    factories.count(evaluation, "1")

    assert accounts.fall_back(evaluation=locked(evaluation), reason_code="judge_failed") == []
    assert evaluation.entries.count() == 2


def test_a_thread_may_end_while_its_score_is_frozen():
    evaluation = factories.criterion(initial="6")
    factories.count(evaluation, "1")
    acts.freeze(order=factories.order(evaluation, factories.moderator(), seen=None), now=NOW)

    accounts.complete(evaluation=locked(evaluation))

    row = Evaluation.objects.get(pk=evaluation.pk)
    assert (row.debate_complete, row.final_score, row.frozen_at is not None) == (True, 7, True)


def test_a_rerun_starts_again_from_the_initial_score_and_confidence():
    evaluation = factories.criterion(initial="6", confidence="0.5")
    factories.count(evaluation, factories.verdict("3", "0.3"))
    author = by_alice()
    accounts.complete(evaluation=locked(evaluation))

    row = locked(evaluation)
    posted = accounts.rerun(evaluation=row, run=2, author=author)
    Thread.objects.filter(pk=row.thread_id).update(run_number=2)

    row.refresh_from_db()
    assert (row.run_number, row.final_score, row.confidence, row.basis) == (2, None, Decimal("0.5"), [])
    assert (row.debate_round_count, row.debate_complete, row.counted) == (0, False, False)
    assert (posted.entry.delta, row.value) == (-3, 6)

    factories.count(evaluation, "1")
    assert evaluation.final_score == 7
    assert evaluation.facts.filter(run_number=1).count() == 1


def test_a_rerun_drops_an_override():
    evaluation = factories.criterion(initial="6")
    alice = factories.moderator()
    acts.override(order=factories.order(evaluation, alice), value="3", now=NOW)
    author = Author(ActorKind.MODERATOR, actor=actor_of(alice), reason=reason_record(factories.REASON))

    accounts.rerun(evaluation=locked(evaluation), run=2, author=author)
    Thread.objects.filter(pk=evaluation.thread_id).update(run_number=2)

    assert Evaluation.objects.get(pk=evaluation.pk).override_score is None


def test_a_frozen_score_is_not_rerun():
    evaluation = factories.criterion()
    author = by_alice()
    acts.freeze(order=factories.order(evaluation, author.actor.user, seen=None), now=NOW)

    with pytest.raises(Frozen), transaction.atomic():
        accounts.rerun(evaluation=locked(evaluation), run=2, author=author)


@pytest.mark.parametrize("run", [0, 1])
def test_a_rerun_needs_a_new_run(run):
    evaluation = factories.criterion()

    author = by_alice()

    with pytest.raises(Invalid, match="new run"), transaction.atomic():
        accounts.rerun(evaluation=locked(evaluation), run=run, author=author)


def test_a_rerun_by_nobody_is_refused():
    evaluation = factories.criterion()

    with pytest.raises(IntegrityError, match="entry_of_a_moderator_"), transaction.atomic():
        accounts.rerun(evaluation=locked(evaluation), run=2, author=accounts.ENGINE)


@pytest.mark.parametrize(
    ("score", "confidence", "message"),
    [
        ("0.99", "0.5", "P1: initial score must be a number from 1 to 10"),
        ("10.5", "0.5", "P1: initial score"),
        ("5.555", "0.5", "at most 2 places"),
        ("6", "1.1", "P1: initial confidence must be a number from 0 to 1"),
        (6.5, "0.5", "a binary float is not exact"),
        (None, "0.5", "got None"),
    ],
)
def test_an_initial_score_is_read_exactly_or_refused(score, confidence, message):
    with pytest.raises(Invalid, match=message):
        accounts.checked_initial(score=score, confidence=confidence, where="P1")


def test_an_initial_score_is_a_decimal():
    assert accounts.checked_initial(score="7", confidence="0.25", where="P1") == (7, Decimal("0.25"))
