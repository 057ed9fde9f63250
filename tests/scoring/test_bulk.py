"""One action on many scores: whole or not at all, and who refuses is named."""

from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from debates.errors import Invalid
from debates.models import Debate, Event
from scoring import verify
from scoring.enums import BulkAction, HeldChoice
from scoring.errors import BulkRefused, NotPermitted
from scoring.models import Alert, Evaluation, Reason, ScoreChange
from scoring.services import bulk
from scoring.services.actions import action_of
from scoring.services.bulk import BulkOrder
from tests import acts, factories
from tests.scoring.concurrency import at_once

pytestmark = pytest.mark.django_db
NOW = timezone.now()


def two() -> list[Evaluation]:
    """Two played scores, each in a debate of its own, at 7 and at 8."""
    made = [factories.criterion(factories.debate(), key=key, initial="6") for key in ("P1", "P2")]
    factories.count(made[0], "1")
    factories.count(made[1], "2")
    return made


def rows(evaluations: list[Evaluation]) -> list[tuple[int, int]]:
    return list(
        Evaluation.objects.filter(pk__in=[one.pk for one in evaluations]).values_list("pk", "moderation_version")
    )


def ordered(action: BulkAction, evaluations: list[Evaluation], by, **more) -> BulkOrder:
    return BulkOrder(action=action, rows=rows(evaluations), by=by, reason=factories.REASON, **more)


def values(evaluations: list[Evaluation]) -> list[object]:
    return [Evaluation.objects.get(pk=one.pk).final_score for one in evaluations]


def refused(order: BulkOrder) -> dict[int, str]:
    """Who refuses, and with which code; nothing is written."""
    entries = ScoreChange.objects.count()
    with pytest.raises(BulkRefused) as refusal:
        bulk.act(order=order, now=NOW)
    assert ScoreChange.objects.count() == entries
    found = {one["id"]: one["code"] for one in refusal.value.details["refused"]}
    assert all(one["why"] in refusal.value.message for one in refusal.value.details["refused"])
    return found


def test_many_scores_are_frozen_and_unfrozen_at_once():
    scores = two()
    alice = factories.moderator()

    done = bulk.act(order=ordered(BulkAction.FREEZE, scores, alice), now=NOW)
    factories.count(scores[0], "1")
    assert [[entry.kind for entry in one.entries] for one in done] == [["freeze"], ["freeze"]]
    assert values(scores) == [7, 8]

    bulk.act(order=ordered(BulkAction.UNFREEZE, scores, alice, choice=HeldChoice.APPLY), now=NOW)
    assert values(scores) == [8, 8]
    assert verify.verify().faults == ()


def test_what_was_held_can_be_discarded_for_many():
    scores = two()
    alice = factories.moderator()
    bulk.act(order=ordered(BulkAction.FREEZE, scores, alice), now=NOW)
    factories.count(scores[0], "1")

    bulk.act(order=ordered(BulkAction.UNFREEZE, scores, alice, choice=HeldChoice.DISCARD), now=NOW)

    assert values(scores) == [7, 8]


def test_many_scores_go_back_to_their_opening():
    scores = two()

    done = bulk.act(order=ordered(BulkAction.ROLLBACK, scores, factories.moderator()), now=NOW)

    assert values(scores) == [6, 6]
    assert {one.entries[0].reason_id for one in done} == {Reason.objects.get(text=factories.REASON).pk}


def test_each_debate_is_told_once_in_the_order_of_the_debates():
    scores = two()

    bulk.act(order=ordered(BulkAction.FREEZE, list(reversed(scores)), factories.moderator()), now=NOW)

    for one in scores:
        frozen = Event.objects.filter(debate=one.debate, type="score:frozen")
        assert [event.data["evaluation"] for event in frozen] == [str(one.public_id)]
    written = Event.objects.filter(type="score:frozen").order_by("pk").values_list("debate_id", flat=True)
    assert list(written) == sorted(one.debate_id for one in scores)


def test_one_frozen_score_refuses_the_whole_by_name():
    scores = two()
    alice = factories.moderator()
    acts.freeze(order=factories.order(scores[1], alice, seen=None), now=NOW)

    assert refused(ordered(BulkAction.ROLLBACK, scores, alice)) == {scores[1].pk: "frozen"}
    assert refused(ordered(BulkAction.FREEZE, scores, alice)) == {scores[1].pk: "frozen"}
    assert refused(ordered(BulkAction.UNFREEZE, scores, alice, choice=HeldChoice.APPLY)) == {
        scores[0].pk: "not_allowed_now"
    }


def test_every_score_that_refuses_is_named():
    scores = two()
    alice = factories.moderator()
    order = ordered(BulkAction.ROLLBACK, scores, alice)
    acts.override(order=factories.order(scores[0], alice), value="5", now=NOW)
    unplayed = factories.criterion(key="P9")
    nowhere = [(-1, 0)]

    found = refused(replace(order, rows=[*order.rows, *rows([unplayed]), *nowhere]))

    assert found == {scores[0].pk: "stale", unplayed.pk: "invalid", -1: "not_found"}


def test_a_version_is_needed_for_all_but_a_freeze():
    scores = two()
    alice = factories.moderator()
    unseen = [(one.pk, None) for one in scores]

    order = replace(ordered(BulkAction.ROLLBACK, scores, alice), rows=unseen)
    assert set(refused(order).values()) == {"invalid"}

    bulk.act(order=replace(order, action=BulkAction.FREEZE), now=NOW)
    assert Evaluation.objects.filter(frozen_at__isnull=False).count() == 2


def test_rounds_that_count_meanwhile_do_not_refuse_the_whole():
    scores = two()
    order = ordered(BulkAction.ROLLBACK, scores, factories.moderator())
    factories.count(scores[0], "1")

    bulk.act(order=order, now=NOW)

    assert values(scores) == [6, 6]


def test_a_long_list_of_refusals_is_cut_and_counted():
    made = [(-number, 0) for number in range(1, 13)]
    order = BulkOrder(action=BulkAction.FREEZE, rows=made, by=factories.moderator(), reason=factories.REASON)

    with pytest.raises(BulkRefused, match=r"12 of 12 refuse: .*and 2 more") as refusal:
        bulk.act(order=order, now=NOW)

    assert len(refusal.value.details["refused"]) == 12


@pytest.mark.parametrize("number", [0, 501])
def test_more_than_the_cap_is_refused_and_the_cap_is_named(number):
    order = BulkOrder(
        action=BulkAction.FREEZE, rows=[(one, 0) for one in range(number)], by=factories.moderator(), reason="x" * 10
    )

    with pytest.raises(Invalid, match=f"1 to 500 evaluations; got {number}"):
        bulk.act(order=order, now=NOW)
    with pytest.raises(Invalid, match="1 to 500"):
        bulk.preview(action=order.action, rows=order.rows)


def test_a_score_is_named_once():
    [one, _] = two()
    order = ordered(BulkAction.FREEZE, [one], factories.moderator())

    with pytest.raises(Invalid, match="once"):
        bulk.act(order=replace(order, rows=[*order.rows, *order.rows]), now=NOW)


@pytest.mark.parametrize(
    ("action", "choice"),
    [(BulkAction.UNFREEZE, None), (BulkAction.FREEZE, HeldChoice.APPLY), (BulkAction.ROLLBACK, HeldChoice.DISCARD)],
)
def test_a_choice_belongs_to_an_unfreeze(action, choice):
    order = ordered(action, two(), factories.moderator(), choice=choice)

    with pytest.raises(Invalid, match="applied or discarded") as refused:
        bulk.act(order=order, now=NOW)

    assert refused.value.field == "held"


@pytest.mark.parametrize("action", BulkAction)
def test_a_bulk_action_needs_the_permission_of_its_action(action):
    permission = action_of(action).permission
    others = sorted({action_of(other).permission for other in BulkAction} - {permission})
    bob = factories.person("bob", permissions=others)

    with pytest.raises(NotPermitted, match=permission.removeprefix("scoring.")):
        bulk.act(order=ordered(action, two(), bob), now=NOW)


def test_a_short_reason_is_refused():
    order = ordered(BulkAction.FREEZE, two(), factories.moderator())

    with pytest.raises(Invalid, match="10 visible"):
        bulk.act(order=replace(order, reason="short"), now=NOW)


def test_a_preview_shows_old_and_new_and_who_would_refuse():
    scores = two()
    alice = factories.moderator()
    acts.freeze(order=factories.order(scores[1], alice, seen=None), now=NOW)
    late = [(scores[0].pk, 99), (scores[1].pk, rows(scores)[1][1]), (-1, 0)]

    good = bulk.preview(action=BulkAction.ROLLBACK, rows=rows(scores)[:1])
    lines = bulk.preview(action=BulkAction.ROLLBACK, rows=late)

    assert [(one.preview.now.value, one.preview.then.value, one.refusal) for one in good] == [(7, 6, None)]
    assert [one.evaluation_id for one in lines] == sorted(pk for pk, _ in late)
    assert {one.evaluation_id: one.refusal.code for one in lines} == {
        -1: "not_found", scores[0].pk: "stale", scores[1].pk: "frozen",
    }  # fmt: skip


def test_a_preview_of_many_is_what_is_done_to_many():
    scores = two()

    shown = bulk.preview(action=BulkAction.ROLLBACK, rows=rows(scores))
    bulk.act(order=ordered(BulkAction.ROLLBACK, scores, factories.moderator()), now=NOW)

    assert [one.preview.then.final for one in shown] == values(scores)


@pytest.mark.parametrize("action", BulkAction)
def test_a_preview_takes_as_many_queries_for_twelve_as_for_one(action):
    """Each score is in a debate of its own, which has an alert, and holds something where it is unfrozen."""
    alice = factories.moderator()

    def queries(number: int) -> int:
        made = [one_in_a_debate(alice, freeze=action is BulkAction.UNFREEZE) for _ in range(number)]
        choice = HeldChoice.APPLY if action is BulkAction.UNFREEZE else None
        with CaptureQueriesContext(connection) as captured:
            lines = bulk.preview(action=action, rows=rows(made), choice=choice)
        assert [line.refusal for line in lines] == [None] * number
        return len(captured)

    assert queries(1) == queries(12)


def one_in_a_debate(alice, *, freeze: bool) -> Evaluation:
    made = factories.criterion()
    factories.count(made, "1")
    Alert.objects.create(debate=made.debate, code="no_effect", severity="info", evidence={}, facts_digest="x")
    if freeze:
        acts.freeze(order=factories.order(made, alice), now=NOW)
        factories.count(made, "1")
    return made


@pytest.mark.django_db(transaction=True)
def test_two_bulk_actions_that_cross_do_not_lock_each_other_out():
    scores = two()
    people = [factories.moderator(name) for name in ("alice", "bob")]
    orders = [ordered(BulkAction.ROLLBACK, scores, people[0]), ordered(BulkAction.ROLLBACK, scores[::-1], people[1])]

    said = at_once(*(lambda order=order: bulk.act(order=order, now=NOW) for order in orders))

    assert sorted(type(one).__name__ for one in said) == ["BulkRefused", "list"]
    assert Debate.objects.count() == 2
    assert values(scores) == [6, 6]
