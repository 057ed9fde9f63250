"""What moderators do to a score."""

from decimal import Decimal

import pytest
from django.utils import timezone

from debates.models import Event
from scoring import selectors
from scoring.enums import HeldChoice
from scoring.errors import Frozen
from scoring.models import Evaluation
from scoring.services import accounts, moderation
from tests import acts, factories

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("proof")]
NOW = timezone.now()


def now_of(evaluation: Evaluation) -> Evaluation:
    return Evaluation.objects.get(pk=evaluation.pk)


def test_a_criterion_opens_without_a_final_score():
    evaluation = factories.criterion(initial="6")

    assert (evaluation.computed_score, evaluation.final_score, evaluation.value) == (None, None, Decimal(6))
    assert evaluation.version == 1


def test_an_override_counts_while_the_computed_score_moves_underneath():
    evaluation = factories.criterion(initial="6")
    alice = factories.moderator()
    factories.count(evaluation, "1")

    acts.override(order=factories.order(evaluation, alice), value="4.5", now=NOW)
    factories.count(evaluation, "1")

    assert (evaluation.final_score, evaluation.computed_score) == (Decimal("4.5"), 8)
    last = evaluation.entries.last()
    assert (last.delta, last.applied) == (0, 1)

    acts.lift(order=factories.order(evaluation, alice), now=NOW)
    assert now_of(evaluation).final_score == 8


def test_a_frozen_score_holds_rounds_and_an_unfreeze_applies_them():
    evaluation = factories.criterion(initial="6")
    alice = factories.moderator()
    factories.count(evaluation, "1")
    acts.freeze(order=factories.order(evaluation, alice, seen=None), now=NOW)

    factories.count(evaluation, "2")
    assert (evaluation.final_score, len(evaluation.held), evaluation.debate_round_count) == (7, 1, 2)

    acts.unfreeze(order=factories.order(evaluation, alice), choice=HeldChoice.APPLY, now=NOW)
    assert (now_of(evaluation).final_score, now_of(evaluation).held) == (9, [])


def test_an_unfreeze_may_discard_what_was_held_and_a_reinstatement_brings_it_back():
    evaluation = factories.criterion(initial="6")
    alice = factories.moderator()
    acts.freeze(order=factories.order(evaluation, alice, seen=None), now=NOW)
    held = factories.count(evaluation, "2").facts[0]

    acts.unfreeze(order=factories.order(evaluation, alice), choice=HeldChoice.DISCARD, now=NOW)
    assert now_of(evaluation).final_score is None

    acts.reinstate(order=factories.order(evaluation, alice), facts=[held.pk], now=NOW)
    assert now_of(evaluation).final_score == 8


def test_a_thread_that_ends_while_frozen_falls_back_at_the_unfreeze():
    evaluation = factories.criterion(initial="6")
    alice = factories.moderator()
    acts.freeze(order=factories.order(evaluation, alice, seen=None), now=NOW)
    evaluation.thread.status = "failed"
    evaluation.thread.save()
    [locked] = accounts.lock(evaluations=[evaluation.pk])
    assert accounts.fall_back(evaluation=locked, reason_code="judge_failed") == []

    done = acts.unfreeze(order=factories.order(evaluation, alice), choice=HeldChoice.APPLY, now=NOW)

    assert [entry.kind for entry in done.entries] == ["unfreeze", "fallback"]
    assert now_of(evaluation).final_score == 6


def test_a_struck_verdict_stops_counting_and_can_be_reinstated():
    evaluation = factories.criterion(initial="6")
    alice = factories.moderator()
    bad = factories.count(evaluation, "2", "1").facts[0]

    acts.strike(order=factories.order(evaluation, alice), facts=[bad.pk], now=NOW)
    assert now_of(evaluation).final_score == 7

    acts.reinstate(order=factories.order(evaluation, alice), facts=[bad.pk], now=NOW)
    assert now_of(evaluation).final_score == 9


def test_a_rollback_goes_back_and_can_itself_be_rolled_back():
    evaluation = factories.criterion(initial="6")
    alice = factories.moderator()
    factories.count(evaluation, "1")
    factories.count(evaluation, "2")

    acts.roll_back(order=factories.order(evaluation, alice), target=2, now=NOW)
    assert now_of(evaluation).final_score == 7
    factories.count(evaluation, "-1")
    assert evaluation.final_score == 6

    acts.roll_back(order=factories.order(evaluation, alice), target=3, now=NOW)
    assert now_of(evaluation).final_score == 9


def test_a_rollback_to_the_opening_of_a_played_criterion_is_final_at_its_initial_score():
    evaluation = factories.criterion(initial="6")
    factories.count(evaluation, "1")

    acts.roll_back(order=factories.order(evaluation, factories.moderator()), target=1, now=NOW)

    assert now_of(evaluation).final_score == 6


def test_a_whole_debate_rolls_back_at_once_or_not_at_all():
    debate = factories.debate()
    first, second = (factories.criterion(debate, key=key) for key in ("P1", "P2"))
    alice = factories.moderator()
    factories.count(first, "1")
    factories.count(second, "2")
    factories.over(debate)
    acts.freeze(order=factories.order(second, alice, seen=None), now=NOW)

    with pytest.raises(Frozen, match="P2"):
        moderation.roll_back_debate(debate_id=debate.pk, by=alice, reason=factories.REASON, now=NOW)
    assert now_of(first).final_score == 7

    acts.unfreeze(order=factories.order(second, alice), choice=HeldChoice.APPLY, now=NOW)
    assert moderation.roll_back_debate(debate_id=debate.pk, by=alice, reason=factories.REASON, now=NOW) == 2
    assert (now_of(first).final_score, now_of(second).final_score) == (6, 6)


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

    acts.override(order=factories.order(evaluation, alice), value="5", now=NOW)

    events = list(Event.objects.filter(debate=evaluation.debate).values_list("seq", "type"))
    assert events == [(1, "criterion:score-updated"), (2, "score:overridden")]


def test_the_deltas_add_up_to_value_minus_initial():
    evaluation = factories.criterion(initial="9")
    alice = factories.moderator()
    factories.count(evaluation, "3")
    acts.override(order=factories.order(evaluation, alice), value="2.25", now=NOW)
    factories.count(evaluation, "-3")
    acts.roll_back(order=factories.order(evaluation, alice), target=1, now=NOW)

    deltas = evaluation.entries.values_list("delta", flat=True)

    assert sum(deltas) == now_of(evaluation).value - evaluation.initial_score
