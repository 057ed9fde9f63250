"""Which warnings a preview says that an action clears, and which it leaves."""

import pytest
from django.utils import timezone

from scoring.enums import EntryKind
from scoring.models import Alert, Evaluation
from scoring.services import previews
from scoring.services.actions import Intent
from scoring.services.alerts import raise_alerts
from scoring.types import AlertCode, Finding
from tests import factories
from tests.scoring.test_previews import FREEZE, do, override, shown

pytestmark = pytest.mark.django_db
NOW = timezone.now()


def warned(evaluation: Evaluation, *codes: AlertCode, whole: bool = False) -> None:
    for code in codes:
        raise_alerts(
            debate_id=evaluation.debate_id, evaluation=None if whole else evaluation, findings=[Finding(code, {})],
            facts=evaluation.basis, salt="test",
        )  # fmt: skip


def cleared(preview: previews.Preview) -> set[str]:
    return {alert.code for alert in preview.alerts_cleared}


def test_a_strike_clears_the_warnings_that_its_facts_gave():
    evaluation = factories.criterion(initial="4")
    factories.count(evaluation, "3")
    factories.count(evaluation, "-3", "3", "3")
    assert set(Alert.objects.values_list("code", flat=True)) >= {"extreme_verdict", "extreme_net", "net_capped"}
    mild = Intent(EntryKind.STRIKE, facts=evaluation.basis[2:])
    warned(evaluation, AlertCode.LARGE_CHANGE, AlertCode.JUDGE_FAILED)

    assert cleared(shown(evaluation, mild)) == {"extreme_net", "net_capped", "large_change"}
    assert cleared(shown(evaluation, FREEZE)) == set()
    assert cleared(shown(evaluation, Intent(EntryKind.ROLLBACK, target=1))) == {
        "extreme_verdict", "extreme_net", "net_capped", "large_change",
    }  # fmt: skip


def test_an_override_clears_a_large_change_and_a_debate_without_effect():
    debate = factories.debate()
    first, second = (factories.criterion(debate, key=key, initial="6") for key in ("P1", "P2"))
    factories.count(first, "3", "1")
    factories.count(second, "1", "-1")
    warned(first, AlertCode.LARGE_CHANGE)
    assert cleared(shown(first, override("9"))) == {"large_change"}

    do(first, override("6"), factories.moderator())
    warned(second, AlertCode.NO_EFFECT, whole=True)

    assert cleared(shown(second, override("5"))) == {"no_effect"}
    assert cleared(shown(second, override("6"))) == set()


def test_a_strike_can_clear_a_one_sided_debate():
    evaluation = factories.criterion(initial="6")
    won = factories.verdict("0.1")
    odd = factories.verdict("-0.5")
    for one in (won, odd):
        one.parts["winner"] = "evaluator"
    factories.count(evaluation, won, won, won, won, odd)
    warned(evaluation, AlertCode.ONE_SIDED, whole=True)

    assert cleared(shown(evaluation, Intent(EntryKind.STRIKE, facts=evaluation.basis[:1]))) == {"one_sided"}


def test_of_two_verdicts_against_their_winner_a_strike_clears_the_alert_of_the_one_that_it_strikes():
    evaluation = factories.criterion()
    odd = factories.verdict("-0.5")
    odd.parts["winner"] = "evaluator"
    factories.count(evaluation, odd, odd)
    for fact in evaluation.facts.all():
        raise_alerts(
            debate_id=evaluation.debate_id,
            evaluation=evaluation,
            findings=[Finding(AlertCode.WINNER_SIGN_MISMATCH, {"verdict": str(fact.public_id)})],
            facts=[fact.pk],
            salt="verdicts",
        )

    [gone] = shown(evaluation, Intent(EntryKind.STRIKE, facts=evaluation.basis[:1])).alerts_cleared

    assert gone.evidence["verdict"] == str(evaluation.facts.first().public_id)


def test_a_debates_warning_is_judged_by_all_its_scores_and_no_others():
    one, other = (factories.criterion(factories.debate(), key=key, initial="6") for key in ("P1", "P2"))
    for evaluation in (one, other):
        factories.count(evaluation, "1", "-1")
    do(other, override("8"), factories.moderator())
    warned(one, AlertCode.NO_EFFECT, whole=True)

    table = previews.table(evaluations=previews.read(evaluations=[one.pk, other.pk]), intent=override("7"))

    assert [cleared(preview) for preview in table] == [{"no_effect"}, set()]
