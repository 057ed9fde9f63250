"""Figures about what debates do to scores, against numbers worked out by hand."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from debates.models import Debate
from scoring import metrics
from scoring.models import Alert
from scoring.types import Instrument
from tests import acts, factories

pytestmark = pytest.mark.django_db
NOW = timezone.now()


def scored(debate: Debate, **finals: tuple[str, str | None]) -> None:
    """Scores by key: initial, and the adjustment of one round or nothing."""
    for key, (initial, adjustment) in finals.items():
        evaluation = factories.criterion(debate, key=key, initial=initial)
        if adjustment is not None:
            factories.count(evaluation, adjustment)


def test_the_figures_of_four_scores():
    debate = factories.debate()
    scored(debate, a=("6", "2"), b=("6", "-1"), c=("5", "0.5"), d=("5", "0"), unplayed=("9", None))

    found = metrics.impact(metrics.score_sums())

    # adjustments 2, -1, 0.5, 0: mean 0.375; variance (2.640625 + 1.890625 + 0.015625 + 0.140625) / 4 = 1.171875
    assert (found.evaluations, found.avg_adjustment, found.max_adjustment) == (4, Decimal("0.3750"), Decimal(2))
    assert found.adjustment_stddev == Decimal("1.0825")
    assert (found.impact_ratio, found.changed_by_one) == (Decimal("0.75"), Decimal("0.5"))
    assert (found.overrides, found.override_rate, found.override_size) == (0, 0, None)


def test_the_greatest_adjustment_may_be_a_loss():
    scored(factories.debate(), a=("6", "-2.5"), b=("6", "1"))

    assert metrics.impact(metrics.score_sums()).max_adjustment == Decimal("2.5")


def test_overrides_are_measured_from_the_computed_score():
    debate = factories.debate()
    alice = factories.moderator()
    for key, adjustment, value in (("a", "1", "9"), ("b", "2", "7.5"), ("c", "1", None), ("d", None, "4")):
        evaluation = factories.criterion(debate, key=key, initial="6")
        if adjustment:
            factories.count(evaluation, adjustment)
        if value:
            acts.override(order=factories.order(evaluation, alice), value=value, now=NOW)

    found = metrics.impact(metrics.score_sums())

    # 9 over 7, 7.5 over 8, 4 over an initial 6: sizes 2, 0.5, 2
    assert (found.overrides, found.override_rate, found.override_size) == (3, Decimal("0.75"), Decimal("1.5"))


def test_nothing_scored_has_no_average():
    factories.criterion()

    assert metrics.impact(metrics.score_sums()) == metrics.Impact(0, None, None, None, None, None, 0, None, None)


def test_other_scales_do_not_mix_in():
    debate = factories.debate()
    scored(debate, a=("6", "1"))
    factories.panel(debate)

    assert metrics.impact(metrics.score_sums()).evaluations == 1


def test_each_instrument_has_figures_of_its_own():
    debate, alice = factories.debate(), factories.moderator()
    scored(debate, a=("6", "2"), b=("4", "0"), unplayed=("9", None))
    first, second, _ = debate.evaluations.order_by("pk")
    acts.freeze(order=factories.order(first, alice), now=NOW)
    acts.override(order=factories.order(second, alice), value="5", now=NOW)
    factories.panel(debate, scores=("2", "3"))

    # 6 and 4 became 8 and 5; the panel began and stays at 2.5
    assert metrics.by_instrument(metrics.score_sums()) == [
        metrics.Scale(Instrument.CRITERION, 3, 2, Decimal(5), Decimal("6.5"), Decimal(1), 1, 1),
        metrics.Scale(Instrument.PANEL, 1, 1, Decimal("2.5"), Decimal("2.5"), Decimal(0), 0, 0),
    ]


def test_scores_on_other_scales_come_as_one_row_whatever_their_values():
    for scores in (("2", "3"), ("4", "4"), ("1", "1")):
        factories.panel(factories.debate(), scores=scores)

    [row] = metrics.score_sums()

    assert (row["scores"], row["is_final"]) == (3, True)


def sided(adjustment: str, winner: str):
    given = factories.verdict(adjustment)
    given.parts["winner"] = winner
    return given


def test_one_sidedness_is_the_share_of_the_side_that_wins_more():
    evaluation = factories.criterion()
    other = factories.criterion()
    factories.count(evaluation, sided("1", "evaluator"), sided("0", "draw"), sided("-1", "red_team"))
    factories.count(other, sided("-1", "red_team"), sided("-1", "red_team"))

    assert metrics.one_sidedness() == metrics.Sides(1, 3, 1, share=Decimal("0.75"))


def test_struck_verdicts_take_no_side():
    evaluation = factories.criterion()
    factories.count(evaluation, sided("1", "evaluator"), sided("-1", "red_team"))
    acts.strike(order=factories.order(evaluation, factories.moderator()), facts=evaluation.basis[:1], now=NOW)

    assert metrics.one_sidedness() == metrics.Sides(0, 1, 0, share=Decimal(1))


def test_no_verdicts_take_no_side():
    assert metrics.one_sidedness() == metrics.Sides(0, 0, 0, share=None)


def test_scores_fall_into_the_bin_of_the_whole_number_they_round_to():
    scored(factories.debate(), a=("1", "0.49"), b=("1.5", "3"), c=("6.5", "2.99"), d=("10", "-0.51"))

    found = {one.score: (one.before, one.after) for one in metrics.distribution(metrics.score_sums())}

    assert found == {
        1: (1, 1), 2: (1, 0), 3: (0, 0), 4: (0, 0), 5: (0, 1), 6: (0, 0), 7: (1, 0), 8: (0, 0), 9: (0, 2), 10: (1, 0),
    }  # fmt: skip


def test_what_waits_is_counted_with_the_age_of_its_oldest(settings):
    settings.SECOND_PERSON_FROM = Decimal(1)
    evaluation = factories.criterion(initial="6")
    for severity, minutes, state in (("critical", 5, "open"), ("critical", 9, "open"), ("info", 60, "open")):
        Alert.objects.create(
            debate=evaluation.debate, code="judge_failed", severity=severity, evidence={}, state=state,
            facts_digest=str(minutes), at=NOW - timedelta(minutes=minutes),
        )  # fmt: skip
    order = factories.order(evaluation, factories.moderator())
    acts.override(order=order, value="9", now=NOW - timedelta(hours=1))

    assert [(one.what, one.count, one.age) for one in metrics.open_alerts(now=NOW)] == [
        ("critical", 2, timedelta(minutes=9)), ("warning", 0, None), ("info", 1, timedelta(hours=1)),
    ]  # fmt: skip
    [asked] = metrics.waiting_approvals(now=NOW)
    assert (asked.count, asked.oldest, asked.age) == (1, NOW - timedelta(hours=1), timedelta(hours=1))


def test_every_figure_takes_few_queries(django_assert_num_queries):
    scored(factories.debate(), a=("6", "2"), b=("6", "-1"))

    with django_assert_num_queries(4):
        sums = metrics.score_sums()
        metrics.impact(sums)
        metrics.by_instrument(sums)
        metrics.distribution(sums)
        metrics.one_sidedness()
        metrics.open_alerts(now=NOW)
        metrics.waiting_approvals(now=NOW)


def test_open_alerts_are_counted_in_an_index_however_much_each_says():
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off")
        cursor.execute("DROP INDEX alert_open_by_evaluation")  # as good where no vacuum has been

    with CaptureQueriesContext(connection) as queries:
        metrics.open_alerts(now=NOW)

    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN {queries[0]['sql']}")
        assert "Index Only Scan using alert_open_by_severity" in str(cursor.fetchall())
