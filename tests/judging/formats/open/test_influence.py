"""What responses do to those who listen: they move, give up, and the debate goes on or ends without them."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from debates.models import Turn
from judging.engine import human_turns
from judging.formats.open import results
from judging.formats.open.spec import ChairSpec
from judging.models import Effect, ParticipantState, Standing, Synthesis
from scoring import verify
from scoring.models import Evaluation
from tests.judging.formats.open.playing import MIRA
from tests.judging.formats.open.test_play import OTTO, events, finals, scripted
from tests.playing import work

pytestmark = [pytest.mark.slow, pytest.mark.django_db]
DAYS = timedelta(days=30)
MOVING = "However, consider this, think about it and understand it: the ward."


def test_who_is_persuaded_gives_up_speaks_no_more_and_ends_a_debate_of_two():
    weak = ChairSpec("Konrad", "deontological", "-0.6", "0.45", "defensive")
    loud = {"purpose": "respond", "thread": "Mira", "answer": {"text": MOVING, "quotes": []}}
    debate = scripted(loud, chairs=(MIRA, weak), exchanges=5, response="I hold my ground here.")

    numbers = Synthesis.objects.get(debate=debate).numbers
    [told] = events(debate, "participant:surrendered")
    assert told["reason"] == "persuaded"
    assert debate.threads.get().ended_because == "one_left"
    assert (numbers["winner"], numbers["victory"], numbers["surrendered"]) == ("Mira", "overwhelming", ["Konrad"])
    assert numbers["exchanges"] == 2
    assert Turn.objects.filter(debate=debate, participant__name="Konrad", kind="response").count() == 1


def test_of_three_the_others_go_on_without_whoever_gave_up():
    weak = ChairSpec("Konrad", "deontological", "-0.6", "0.45", "defensive")
    quiet = {"purpose": "respond", "thread": "Konrad", "answer": {"text": "I hold my ground here.", "quotes": []}}
    debate = scripted(quiet, chairs=(MIRA, weak, OTTO), exchanges=2, response=MOVING)

    last = debate.threads.get().rounds.get(number=2)
    assert {turn.participant.name for turn in last.turns.filter(kind="response")} == {"Mira", "Otto"}
    assert ParticipantState.objects.filter(participant__name="Konrad").latest("number").surrender == "persuaded"
    assert Effect.objects.filter(listener__name="Konrad", turn__round=last).count() == 0
    assert debate.threads.get().ended_because == "all_rounds_played"


def test_the_sentence_names_who_had_given_up_by_the_last_whole_exchange_and_nobody_later():
    weak = ChairSpec("Konrad", "deontological", "-0.6", "0.45", "defensive")
    quiet = {"purpose": "respond", "thread": "Konrad", "answer": {"text": "I hold my ground here.", "quotes": []}}
    debate = scripted(quiet, chairs=(MIRA, weak, replace(OTTO, kind="human")), exchanges=3, response=MOVING)

    for _ in ("opening", "exchange 1"):
        human_turns.forfeit(thread_id=debate.threads.get().pk, now=timezone.now() + DAYS)
        work()

    document = results.document(debate=debate)
    assert (document["exchanges"], document["surrendered"]) == (1, ["Konrad"])
    assert document["sentence"].startswith("After 1 exchange Mira leads")
    assert "gave up" not in document["sentence"]


def test_a_judge_weighs_where_that_is_asked_for():
    weighed = {"persuasion": "0.7", "attack": "0", "evidence": "0"}
    answers = [
        {"purpose": "influence", "thread": who, "answer": {"effects": [{"listener": other, **weighed}]}}
        for who, other in (("Mira", "Konrad"), ("Konrad", "Mira"))
    ]
    debate = scripted(*answers, exchanges=1, effects="judge")

    assert set(Effect.objects.values_list("source", "persuasion")) == {("judge", Decimal("0.7"))}
    konrad = Synthesis.objects.get(debate=debate).numbers["states"]["Konrad"]
    assert (konrad["stance"], konrad["conviction"]) == ("-0.5748", "0.68")


def test_where_the_judge_cannot_weigh_the_word_lists_count():
    debate = scripted({"purpose": "influence", "error": "down", "permanent": True}, exchanges=1, effects="judge")

    assert debate.status == "concluded"
    assert set(Effect.objects.filter(turn__debate=debate).values_list("source", flat=True)) == {"words"}


def test_shares_that_a_debate_sets_make_up_persuasion():
    debate = scripted(exchanges=1, response=MOVING, rules={"persuasion_factors": {"base": "0.1"}})

    assert set(Effect.objects.filter(turn__debate=debate).values_list("source", flat=True)) == {"factors"}


def test_where_everybody_stands_is_in_the_ledger_after_each_exchange():
    debate = scripted(exchanges=2, response=MOVING, rule_set="firm")

    for evaluation in Evaluation.objects.filter(debate=debate, instrument="standing"):
        kinds = [entry.kind for entry in evaluation.entries.order_by("sequence")]
        assert kinds == ["opened", "round", "round", "completed"]
        assert len(evaluation.basis) == 1
    assert Standing.objects.filter(round__thread__debate=debate).count() == 6
    assert finals(debate, "standing") == {
        name: Decimal(score) for name, score in results.outcome_numbers(debate=debate)["scores"].items()
    }
    assert verify.verify(debate_id=debate.pk).faults == ()


def test_persuasion_can_be_switched_off():
    debate = scripted(exchanges=1, persuasion=False, response=MOVING)

    numbers = Synthesis.objects.get(debate=debate).numbers
    assert Effect.objects.filter(turn__debate=debate).count() == 0
    assert finals(debate, "standing") == {}
    assert (numbers["winner"], numbers["victory"], numbers["scores"]) == (None, None, {})
    assert finals(debate, "adherence") == {"Mira": Decimal("75.00"), "Konrad": Decimal("75.00")}
