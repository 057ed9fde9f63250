"""A result that somebody changes after the conclusion is told: as an event, to webhooks, by mail."""

import pytest
from django.utils import timezone

from debates.models import Delivery, Mail, Thread, Webhook
from scoring.enums import BulkAction
from scoring.models import Evaluation
from scoring.services import bulk
from scoring.services.bulk import BulkOrder
from tests import acts, factories

pytestmark = pytest.mark.django_db
NOW = timezone.now()


@pytest.fixture
def concluded():
    maker = factories.person("maker", email="maker@example.org")
    debate = factories.debate(created_by=maker)
    for key in ("P1", "P2"):
        factories.count(factories.criterion(debate, key=key), "1")
    factories.over(debate)
    return debate


def changes(debate):
    return [event.data["scores"] for event in debate.events.filter(type="result:changed").order_by("seq")]


def test_an_act_that_moves_a_score_is_told_and_one_that_moves_none_is_not(concluded, alice):
    first = concluded.evaluations.first()

    acts.freeze(order=factories.order(first, alice), now=NOW)
    acts.unfreeze(order=factories.order(first, alice), now=NOW, choice=None)
    assert changes(concluded) == []
    acts.override(order=factories.order(first, alice), value="8", now=NOW)

    assert changes(concluded) == [
        [{"evaluation": str(first.public_id), "entry": 5, "before": "7.00", "after": "8.00"}]
    ]  # fmt: skip


def test_what_is_done_to_many_scores_is_told_once(concluded, alice):
    rows = [(row.pk, row.moderation_version) for row in concluded.evaluations.all()]

    bulk.act(order=BulkOrder(action=BulkAction.ROLLBACK, rows=rows, by=alice, reason=factories.REASON), now=NOW)

    [scores] = changes(concluded)
    assert [(score["before"], score["after"]) for score in scores] == [("7.00", "6.00")] * 2


def test_while_a_debate_is_in_play_nothing_of_it_is_a_result(alice):
    evaluation = factories.criterion()

    acts.override(order=factories.order(evaluation, alice), value="8", now=NOW)

    assert changes(evaluation.debate) == []


def test_it_goes_to_webhooks_and_by_mail(concluded, alice, settings):
    settings.MAIL_IS_SENT = True
    hook = Webhook.objects.create(
        owner=alice, url="https://example.org/", secret="whsec_a", debate=concluded, types=["result:changed"]
    )

    acts.override(order=factories.order(concluded.evaluations.first(), alice), value="8", now=NOW)

    assert [row.event.type for row in Delivery.objects.filter(webhook=hook)] == ["result:changed"]
    told = Mail.objects.filter(kind="changed").values_list("person__username", flat=True)
    assert list(told) == ["maker"]


def test_a_score_that_ceases_to_be_evaluated_is_told_though_its_value_stays(alice):
    evaluation = factories.panel(factories.debate())
    factories.over(evaluation.debate)

    acts.strike(order=factories.order(evaluation, alice), facts=evaluation.basis, now=NOW)
    acts.reinstate(order=factories.order(evaluation, alice), facts=evaluation.basis, now=NOW)

    assert [[score["entry"] for score in scores] for scores in changes(evaluation.debate)] == [[2], [3]]


def test_an_unfreeze_that_gives_a_score_its_initial_value_as_final_is_told(alice):
    evaluation = factories.criterion()
    acts.freeze(order=factories.order(evaluation, alice), now=NOW)
    Thread.objects.update(status="complete")
    factories.over(evaluation.debate)

    acts.unfreeze(order=factories.order(evaluation, alice), now=NOW, choice=None)

    assert Evaluation.objects.get().final_score == evaluation.initial_score
    assert [[score["evaluation"] for score in scores] for scores in changes(evaluation.debate)] == [
        [str(evaluation.public_id)]
    ]
