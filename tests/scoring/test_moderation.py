"""What moderators do to a score, and what is refused."""

from dataclasses import replace
from decimal import Decimal

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from debates.errors import Invalid, NotAllowedNow, NotFound
from debates.models import Debate, Event
from scoring import selectors, verify
from scoring.errors import Frozen, NotPermitted, Stale
from scoring.kinds import HeldChoice
from scoring.models import Evaluation, ScoreChange
from scoring.services import accounts, moderation
from scoring.services.entries import actor_of
from tests import factories

pytestmark = pytest.mark.django_db
NOW = timezone.now()


def now_of(evaluation: Evaluation) -> Evaluation:
    return Evaluation.objects.get(pk=evaluation.pk)


@pytest.fixture(autouse=True)
def proof() -> object:
    yield
    assert verify.verify().faults == ()


def test_a_criterion_opens_without_a_final_score():
    evaluation = factories.criterion(initial="6")

    assert (evaluation.computed_score, evaluation.final_score, evaluation.value) == (None, None, Decimal(6))
    assert evaluation.version == 1


def test_rounds_are_always_counted_from_the_initial_score():
    evaluation = factories.criterion(initial="6")

    for adjustment, value in [("3", 9), ("3", 10), ("-3", 9)]:
        factories.count(evaluation, adjustment)
        assert evaluation.final_score == value

    entries = list(evaluation.entries.filter(kind="round"))
    assert [entry.applied for entry in entries] == [3, 1, -1]
    assert [entry.cumulative_raw for entry in entries] == [3, 6, 3]
    assert [entry.capped_net for entry in entries] == [3, 5, 3]


def test_an_override_counts_while_the_computed_score_moves_underneath():
    evaluation = factories.criterion(initial="6")
    alice = factories.moderator()
    factories.count(evaluation, "1")

    moderation.override(order=factories.order(evaluation, alice), value="4.5", now=NOW)
    factories.count(evaluation, "1")

    assert (evaluation.final_score, evaluation.computed_score) == (Decimal("4.5"), 8)
    last = evaluation.entries.last()
    assert (last.delta, last.applied) == (0, 1)

    moderation.lift(order=factories.order(evaluation, alice), now=NOW)
    assert now_of(evaluation).final_score == 8


def test_a_frozen_score_holds_rounds_and_an_unfreeze_applies_them():
    evaluation = factories.criterion(initial="6")
    alice = factories.moderator()
    factories.count(evaluation, "1")
    moderation.freeze(order=factories.order(evaluation, alice, seen=None), now=NOW)

    factories.count(evaluation, "2")
    assert (evaluation.final_score, len(evaluation.held), evaluation.debate_round_count) == (7, 1, 2)

    moderation.unfreeze(order=factories.order(evaluation, alice), choice=HeldChoice.APPLY, now=NOW)
    assert (now_of(evaluation).final_score, now_of(evaluation).held) == (9, [])


def test_an_unfreeze_may_discard_what_was_held_and_a_reinstatement_brings_it_back():
    evaluation = factories.criterion(initial="6")
    alice = factories.moderator()
    moderation.freeze(order=factories.order(evaluation, alice, seen=None), now=NOW)
    held = factories.count(evaluation, "2").facts[0]

    moderation.unfreeze(order=factories.order(evaluation, alice), choice=HeldChoice.DISCARD, now=NOW)
    assert now_of(evaluation).final_score is None

    moderation.reinstate(order=factories.order(evaluation, alice), facts=[held.pk], now=NOW)
    assert now_of(evaluation).final_score == 8


def test_a_thread_that_ends_while_frozen_falls_back_at_the_unfreeze():
    evaluation = factories.criterion(initial="6")
    alice = factories.moderator()
    moderation.freeze(order=factories.order(evaluation, alice, seen=None), now=NOW)
    evaluation.thread.status = "failed"
    evaluation.thread.save()
    [locked] = accounts.lock(evaluations=[evaluation.pk])
    assert accounts.fall_back(evaluation=locked, reason_code="provider_failed") == []

    done = moderation.unfreeze(order=factories.order(evaluation, alice), choice=HeldChoice.APPLY, now=NOW)

    assert [entry.kind for entry in done.entries] == ["unfreeze", "fallback"]
    assert now_of(evaluation).final_score == 6


def test_a_struck_verdict_stops_counting_and_can_be_reinstated():
    evaluation = factories.criterion(initial="6")
    alice = factories.moderator()
    bad = factories.count(evaluation, "2", "1").facts[0]

    moderation.strike(order=factories.order(evaluation, alice), facts=[bad.pk], now=NOW)
    assert now_of(evaluation).final_score == 7

    moderation.reinstate(order=factories.order(evaluation, alice), facts=[bad.pk], now=NOW)
    assert now_of(evaluation).final_score == 9


def test_a_rollback_goes_back_and_can_itself_be_rolled_back():
    evaluation = factories.criterion(initial="6")
    alice = factories.moderator()
    factories.count(evaluation, "1")
    factories.count(evaluation, "2")

    moderation.roll_back(order=factories.order(evaluation, alice), target=2, now=NOW)
    assert now_of(evaluation).final_score == 7
    factories.count(evaluation, "-1")
    assert evaluation.final_score == 6

    moderation.roll_back(order=factories.order(evaluation, alice), target=3, now=NOW)
    assert now_of(evaluation).final_score == 9


def test_a_rollback_to_the_opening_of_a_played_criterion_is_final_at_its_initial_score():
    evaluation = factories.criterion(initial="6")
    factories.count(evaluation, "1")

    moderation.roll_back(order=factories.order(evaluation, factories.moderator()), target=1, now=NOW)

    assert now_of(evaluation).final_score == 6


def test_a_whole_debate_rolls_back_at_once_or_not_at_all():
    debate = factories.debate()
    first, second = (factories.criterion(debate, key=key) for key in ("P1", "P2"))
    alice = factories.moderator()
    factories.count(first, "1")
    factories.count(second, "2")
    Debate.objects.filter(pk=debate.pk).update(status="concluded")
    moderation.freeze(order=factories.order(second, alice, seen=None), now=NOW)

    with pytest.raises(Frozen, match="P2"):
        moderation.roll_back_debate(debate_id=debate.pk, by=alice, reason=factories.REASON, now=NOW)
    assert now_of(first).final_score == 7

    moderation.unfreeze(order=factories.order(second, alice), choice=HeldChoice.APPLY, now=NOW)
    assert moderation.roll_back_debate(debate_id=debate.pk, by=alice, reason=factories.REASON, now=NOW) == 2
    assert (now_of(first).final_score, now_of(second).final_score) == (6, 6)


def test_a_debate_in_play_is_not_rolled_back_as_a_whole():
    evaluation = factories.criterion()

    with pytest.raises(NotAllowedNow, match="running"):
        moderation.roll_back_debate(
            debate_id=evaluation.debate_id, by=factories.moderator(), reason=factories.REASON, now=NOW
        )


@pytest.mark.parametrize(
    ("action", "more"),
    [
        pytest.param("freeze", {}, id="freeze"),
        pytest.param("override", {"value": "5"}, id="override"),
        pytest.param("lift", {}, id="lift"),
        pytest.param("strike", {"facts": [1]}, id="strike"),
        pytest.param("reinstate", {"facts": [1]}, id="reinstate"),
        pytest.param("roll_back", {"target": 1}, id="roll back"),
    ],
)
def test_a_frozen_score_is_moved_by_no_action(action, more):
    evaluation = factories.criterion()
    alice = factories.moderator()
    factories.count(evaluation, "1")
    moderation.freeze(order=factories.order(evaluation, alice, seen=None), now=NOW)

    with pytest.raises(Frozen):
        getattr(moderation, action)(order=factories.order(evaluation, alice), now=NOW, **more)

    assert now_of(evaluation).final_score == 7


@pytest.mark.parametrize(
    ("action", "more", "permission"),
    [
        pytest.param("freeze", {}, "freeze_evaluation", id="freeze"),
        pytest.param("unfreeze", {"choice": HeldChoice.APPLY}, "unfreeze_evaluation", id="unfreeze"),
        pytest.param("override", {"value": "5"}, "override_evaluation", id="override"),
        pytest.param("lift", {}, "lift_evaluation", id="lift"),
        pytest.param("strike", {"facts": [1]}, "strike_evaluation", id="strike"),
        pytest.param("reinstate", {"facts": [1]}, "strike_evaluation", id="reinstate"),
        pytest.param("roll_back", {"target": 1}, "rollback_evaluation", id="roll back"),
    ],
)
def test_every_action_needs_its_own_permission(action, more, permission):
    evaluation = factories.criterion()
    others = {
        "freeze_evaluation", "unfreeze_evaluation", "override_evaluation", "lift_evaluation", "strike_evaluation",
        "rollback_evaluation", "rerun_evaluation",
    } - {permission}  # fmt: skip
    bob = factories.person("bob", permissions=sorted(others))

    with pytest.raises(NotPermitted, match=permission):
        getattr(moderation, action)(order=factories.order(evaluation, bob), now=NOW, **more)

    assert ScoreChange.objects.filter(evaluation=evaluation).count() == 1


@pytest.mark.parametrize(
    "reason", ["", " ", "too short", "\t\n" * 20, "\u200b" * 30, "\u00a0" * 12, "a" + "\u2060" * 20]
)
def test_a_reason_has_ten_visible_characters(reason):
    evaluation = factories.criterion()

    with pytest.raises(Invalid, match="10 visible characters"):
        moderation.override(order=factories.order(evaluation, factories.moderator(), reason=reason), value="5", now=NOW)

    assert now_of(evaluation).version == 1


def test_a_reason_may_be_written_in_any_script():
    evaluation = factories.criterion()

    moderation.override(
        order=factories.order(evaluation, factories.moderator(), reason="Судья ошибся"), value="5", now=NOW
    )

    assert now_of(evaluation).final_score == 5


def test_a_stale_order_is_told_who_moved_the_score():
    evaluation = factories.criterion()
    alice, bob = factories.moderator("alice"), factories.moderator("bob")
    early = factories.order(evaluation, bob)
    moderation.override(order=factories.order(evaluation, alice), value="5", now=NOW)

    with pytest.raises(Stale, match="alice: override"):
        moderation.override(order=early, value="9", now=NOW)

    assert now_of(evaluation).final_score == 5


def test_rounds_that_count_meanwhile_do_not_make_an_order_stale():
    evaluation = factories.criterion(initial="6")
    early = factories.order(evaluation, factories.moderator())
    factories.count(evaluation, "1")

    moderation.override(order=early, value="5", now=NOW)

    assert now_of(evaluation).final_score == 5


@pytest.mark.parametrize("value", ["0.99", "10.01", "5.555", "five", "NaN", "1e1", "", None, True])
def test_an_override_stays_on_the_scale(value):
    evaluation = factories.criterion()

    with pytest.raises(Invalid, match="from 1 to 10 with at most 2 places"):
        moderation.override(order=factories.order(evaluation, factories.moderator()), value=value, now=NOW)


def test_an_action_without_the_version_seen_is_refused():
    evaluation = factories.criterion()

    with pytest.raises(Invalid, match="moderation_version"):
        moderation.override(order=factories.order(evaluation, factories.moderator(), seen=None), value="5", now=NOW)


def test_an_unknown_evaluation_is_not_found():
    evaluation = factories.criterion()
    order = factories.order(evaluation, factories.moderator())

    with pytest.raises(NotFound):
        moderation.freeze(order=replace(order, evaluation_id=evaluation.pk + 1000), now=NOW)


def test_what_is_not_there_cannot_be_rolled_back():
    alice = factories.moderator()
    order = replace(factories.order(factories.criterion(), alice), evaluation_id=-1)

    with pytest.raises(NotFound, match="no such evaluation"):
        moderation.roll_back(order=order, target=1, now=NOW)
    with pytest.raises(NotFound, match="no such debate"):
        moderation.roll_back_debate(debate_id=-1, by=alice, reason=factories.REASON, now=NOW)


def test_whoever_is_not_logged_in_has_no_name_to_write_down():
    with pytest.raises(NotPermitted, match="Log in first"):
        actor_of(AnonymousUser())


def test_history_can_be_read_as_it_was():
    evaluation = factories.criterion(initial="6")
    factories.count(evaluation, "1")
    moment = evaluation.entries.last().at
    factories.count(evaluation, "1")

    assert selectors.as_of(evaluation=evaluation, moment=moment).value_after == 7
    assert selectors.as_of(evaluation=evaluation, sequence=1).value_after == 6
    assert selectors.as_of(evaluation=evaluation, sequence=99).value_after == 8


def test_every_action_is_told_in_the_stream():
    evaluation = factories.criterion(initial="6")
    alice = factories.moderator()
    factories.count(evaluation, "1")

    moderation.override(order=factories.order(evaluation, alice), value="5", now=NOW)

    events = list(Event.objects.filter(debate=evaluation.debate).values_list("seq", "type"))
    assert events == [(1, "criterion:score-updated"), (2, "score:overridden")]


def test_the_deltas_add_up_to_value_minus_initial():
    evaluation = factories.criterion(initial="9")
    alice = factories.moderator()
    factories.count(evaluation, "3")
    moderation.override(order=factories.order(evaluation, alice), value="2.25", now=NOW)
    factories.count(evaluation, "-3")
    moderation.roll_back(order=factories.order(evaluation, alice), target=1, now=NOW)

    deltas = evaluation.entries.values_list("delta", flat=True)

    assert sum(deltas) == now_of(evaluation).value - evaluation.initial_score
