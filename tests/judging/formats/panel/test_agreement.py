"""How far the judges of panels agree, by rubric, as operators see it."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from judging.engine import metrics
from judging.engine.metrics import Agreement
from judging.formats.panel import results
from judging.formats.panel.spec import JudgeSeat, typed
from judging.models import JudgeScore
from judging.rules.agreement import AlphaState
from judging.rules.consensus import Policy
from tests import acts, factories, playing
from tests.judging.formats.panel.play import THERE, alone, moves, played, stays
from tests.judging.formats.panel.seats import PERSON, PROGRAM, SCRIPT, give, sit
from tests.judging.formats.panel.small_panel import analysis

pytestmark = [pytest.mark.slow, pytest.mark.django_db, pytest.mark.usefixtures("proof", "no_pauses")]
ONCE = Policy(debate_rounds=0)
OWN = {**typed("design:60,tests:40"), "slug": "own", "name": "Our own"}


def test_it_is_what_the_document_of_a_panel_says_of_its_independent_analysis():
    debate = played(
        [*alone(("5", "4"), ("3", "2"), None), moves(1, 1, THERE, design="3"), stays(2, 1, design="3")],
        policy=Policy(debate_rounds=1),
    )
    told = results.panel_document(debate=debate)["agreement"]
    alone_, after = (told[when]["alpha"]["interval"] for when in ("first", "last"))

    [found] = metrics.agreement_by_rubric(now=timezone.now())

    assert found == Agreement(
        rubric="typed", name="Criteria as typed", panels=1, units=2, state=AlphaState.TOO_FEW_UNITS,
        alpha=Decimal(alone_["value"]), intraclass=Decimal(told["first"]["intraclass"]["single"]),
    )  # fmt: skip
    assert told["first"]["intraclass"] == {"units": 2, "single": "0.20", "average": "0.333333"}
    assert (alone_["state"], alone_["units"]) == ("too_few_units", 2)
    assert after["value"] != alone_["value"]


def test_panels_on_one_rubric_are_taken_together_and_rubrics_apart(django_assert_num_queries):
    played(alone(("5", "4"), ("5", "4"), ("5", "4")), policy=ONCE)
    with django_assert_num_queries(3):
        [perfect] = metrics.agreement_by_rubric(now=timezone.now())
    for _ in range(5):
        played(alone(("5", "1"), ("1", "5"), ("3", "3")), policy=ONCE, rubric=OWN)
    played(alone(("2", "3"), ("2", "3"), ("2", "3")), policy=ONCE)

    with django_assert_num_queries(3):
        own, both = metrics.agreement_by_rubric(now=timezone.now())

    assert (perfect.panels, perfect.alpha, both.panels, both.units, both.alpha) == (1, 1, 2, 4, 1)
    assert (own.rubric, own.name, own.panels, own.units, own.state) == ("own", "Our own", 5, 10, AlphaState.MEASURED)
    assert own.alpha < 0
    assert (perfect.intraclass, both.intraclass) == (1, 1)


@pytest.mark.parametrize("other", [PERSON, PROGRAM], ids=["another person", "a program"])
def test_somebody_else_on_the_same_seat_of_another_panel_is_another_judge(other):
    def sat(sits, name, scores):
        debate = played(alone(None, ("3", "2"))[1:], seats=[sits, SCRIPT], policy=ONCE)
        give(debate, 1, sit(debate, 1, name), analysis(*scores))
        playing.work()

    sat(PERSON, "ann", ("5", "4"))
    [alone_] = metrics.agreement_by_rubric(now=timezone.now())
    sat(other, "bob", ("1", "1"))
    [both] = metrics.agreement_by_rubric(now=timezone.now())

    assert alone_.intraclass is not None
    assert (both.panels, both.units, both.intraclass) == (2, 4, None)


def test_offline_judges_that_read_otherwise_are_other_judges():
    for reads in ("logic", "rhetoric"):
        played([], seats=[JudgeSeat(strategy=reads), JudgeSeat(strategy="dialectic")], policy=ONCE)

    [found] = metrics.agreement_by_rubric(now=timezone.now())

    assert (found.panels, found.intraclass) == (2, None)


def test_a_score_that_was_struck_counts_neither_for_agreement_nor_for_how_a_judge_leans():
    debate = played(alone(("5", "4"), ("5", "3"), ("1", "2")), policy=ONCE)
    before = metrics.agreement_by_rubric(now=timezone.now())
    for score in JudgeScore.objects.filter(report__debate=debate, report__participant__name="Judge 3"):
        order = factories.order(score.fact.evaluation, factories.moderator(score.key))
        acts.strike(order=order, facts=[score.fact_id], now=timezone.now())

    [found], [judge] = (
        metrics.agreement_by_rubric(now=timezone.now()),
        metrics.health(since=debate.created_at).values(),
    )

    told = results.panel_document(debate=debate)["agreement"]["first"]["alpha"]["interval"]
    assert (found.alpha, found.units) == (Decimal(told["value"]), told["units"])
    assert before != [found]
    assert (judge.scores, judge.deviation) == (6, Decimal("0.50"))


def test_old_panels_and_those_beyond_the_newest_are_left_out(monkeypatch):
    played(alone(("5", "5"), ("5", "5"), ("5", "5")), policy=ONCE, rubric=OWN)
    played(alone(("4", "4"), ("4", "4"), ("4", "4")), policy=ONCE)
    monkeypatch.setattr(metrics, "MOST_PANELS", 1)

    [newest] = metrics.agreement_by_rubric(now=timezone.now())

    assert (newest.rubric, newest.units, newest.state, newest.alpha) == ("typed", 2, AlphaState.NO_VARIATION, None)
    assert metrics.agreement_by_rubric(now=timezone.now() + timedelta(days=31)) == []
