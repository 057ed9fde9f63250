"""What moderators change in an open debate: a response that is struck, a debate that is stopped halfway."""

from decimal import Decimal

import pytest
from django.utils import timezone

from judging.engine import attempt, lifecycle
from judging.engine.db_threads import in_thread
from judging.formats.open import results
from judging.models import ParticipantState, ResponseEvaluation, Standing
from judging.types import Purpose
from scoring import verify
from scoring.models import Evaluation
from tests import acts, factories
from tests.judging.formats.open.playing import played, started
from tests.playing import work


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_struck_response_moves_the_adherence_and_nothing_that_was_counted_elsewhere():
    debate = played(exchanges=2)
    before = results.outcome_numbers(debate=debate)
    states = list(ParticipantState.objects.values_list("stance", "conviction", "surrender"))
    score = Evaluation.objects.get(debate=debate, instrument="adherence", name="Mira")
    [one, other] = ResponseEvaluation.objects.filter(fact_id__in=score.basis).order_by("id")

    acts.strike(order=factories.order(score, factories.moderator()), facts=[one.fact_id], now=timezone.now())

    score.refresh_from_db()
    after = results.outcome_numbers(debate=debate)
    assert score.final_score == other.fact.amount
    assert after == {**before, "adherence": {**before["adherence"], "Mira": f"{other.fact.amount:.2f}"}}
    assert list(ParticipantState.objects.values_list("stance", "conviction", "surrender")) == states
    assert verify.verify(debate_id=debate.pk).faults == ()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_standing_set_by_hand_moves_that_score_and_names_no_other_winner():
    debate = played(exchanges=1)
    before = results.outcome_numbers(debate=debate)
    loser = min(before["scores"], key=lambda name: Decimal(before["scores"][name]))
    score = Evaluation.objects.get(debate=debate, instrument="standing", name=loser)

    acts.override(order=factories.order(score, factories.moderator()), value="999", now=timezone.now())

    after = results.outcome_numbers(debate=debate)
    assert after == {**before, "scores": {**before["scores"], loser: "999.00"}}
    leads = results.as_it_stands(debate=debate).result
    assert leads is not None
    assert leads.winner != loser
    assert verify.verify(debate_id=debate.pk).faults == ()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_debate_that_is_stopped_halfway_concludes_with_the_exchanges_that_were_played(monkeypatch):
    ask = attempt.ask_when_there_is_room
    debate = started(exchanges=3)

    async def stopping(question, **more):
        request = question.request
        if request.purpose is Purpose.RESPOND and (request.thread, request.round) == ("Konrad", 2):
            why = {"reason": "The hall is needed for something else.", "now": timezone.now()}
            await in_thread(lifecycle.stop)(debate_id=debate.pk, by=None, **why)
        return await ask(question, **more)

    monkeypatch.setattr(attempt, "ask_when_there_is_room", stopping)
    work()

    debate.refresh_from_db()
    told = results.document(debate=debate)
    stood = {one.participant.name: one.fact.amount for one in Standing.objects.filter(round__number=1)}
    standing = Evaluation.objects.get(debate=debate, instrument="standing", name="Mira")
    assert (debate.status, debate.partial, debate.partial_reason) == ("concluded", True, "stopped")
    assert (told["exchanges"], set(told["scores"])) == (1, {"Mira", "Konrad"})
    assert [one.slot.partition(":")[0] for one in debate.turns.filter(round__number=2)] == ["response"]
    assert {one.name: one.total for one in results.as_it_stands(debate=debate).result.standings} == stood
    assert standing.final_score == Standing.objects.get(round__number=1, participant__name="Mira").fact.amount
    assert verify.verify(debate_id=debate.pk).faults == ()
