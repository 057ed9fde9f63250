"""Panels played through conductor and database: agreement at once, later, never; judges who cannot be read."""

from decimal import Decimal

import pytest

from debates.models import Event, Round, Turn
from judging.formats.panel import results
from judging.models import Call, Consensus, JudgeReport, JudgeScore, Review
from judging.rules.consensus import Policy
from scoring.models import Alert, Evaluation
from tests.judging.formats.panel.play import THERE, alone, moves, played, stays

pytestmark = [pytest.mark.slow, pytest.mark.django_db, pytest.mark.usefixtures("proof", "no_pauses")]


def finals(debate):
    return {one.key: one.final_score for one in Evaluation.objects.filter(debate=debate)}


def reasons(debate):
    rows = Consensus.objects.filter(debate=debate).order_by("round__number")
    return [(one.round.number, one.reason_code or "agreed") for one in rows]


def told(debate, type):
    return [event.data for event in Event.objects.filter(debate=debate, type=type).order_by("seq")]


def test_judges_who_agree_alone_conclude_without_a_debate():
    debate = played(alone(("4", "4"), ("4.5", "4"), ("4", "3.5")))

    assert (debate.status, debate.partial) == ("concluded", False)
    assert reasons(debate) == [(0, "agreed")]
    assert finals(debate) == {"design": Decimal("4.1667"), "tests": Decimal("3.8333")}
    assert [one["consensus"] for one in told(debate, "panel:consensus")] == [True]
    assert Turn.objects.filter(debate=debate, kind="report").count() == 3


def test_every_criterion_has_an_account_that_opens_with_the_scores_of_round_0():
    debate = played(alone(("4", "4"), ("4.5", "4"), ("4", "3.5")))

    row = Evaluation.objects.get(debate=debate, key="design")
    kinds = list(row.entries.order_by("sequence").values_list("kind", flat=True))
    assert (row.instrument, row.initial_score, row.computed_score) == ("panel", Decimal("4.1667"), Decimal("4.1667"))
    assert kinds == ["opened", "completed"]
    assert [fact.participant.name for fact in row.facts.order_by("pk")] == ["Judge 1", "Judge 2", "Judge 3"]


def test_a_passage_brings_judges_together_in_the_second_round():
    debate = played(
        [
            *alone(("4.5", "4"), ("2", "4"), ("4", "4")),
            stays(1, 1, design="4.5"), moves(2, 1, THERE, design="3", accepts=False), stays(3, 1, design="4"),
            stays(1, 2, design="4.5", accepts=True), moves(2, 2, THERE, design="4"),
            stays(3, 2, design="4", accepts=True),
        ]
    )  # fmt: skip

    assert debate.status == "concluded"
    assert reasons(debate) == [(0, "spread"), (1, "spread"), (2, "agreed")]
    assert finals(debate)["design"] == Decimal("4.1667")
    row = Evaluation.objects.get(debate=debate, key="design")
    assert [entry.computed_after for entry in row.entries.order_by("sequence")][:3] == [
        Decimal("3.5"), Decimal("3.8333"), Decimal("4.1667"),
    ]  # fmt: skip
    assert row.debate_round_count == 2


def test_judges_who_never_agree_leave_it_to_a_person():
    stubborn = [
        stays(judge, number, design=score) for number in (1, 2, 3) for judge, score in ((1, "5"), (2, "2"), (3, "4"))
    ]

    debate = played([*alone(("5", "4"), ("2", "4"), ("4", "4")), *stubborn])

    review = Review.objects.get(debate=debate)
    assert debate.status == "awaiting_review"
    assert [number for number, _ in reasons(debate)] == [0, 1, 2, 3]
    assert (review.reason_code, review.disputed, review.round_number) == ("spread", ["design"], 3)
    assert review.policy["spread"] == "0.5"
    assert review.policy["weights"] == {"design": "60", "tests": "40"}
    assert told(debate, "review:opened")[0]["criteria"] == ["design"]


def test_two_of_three_who_cannot_be_read_lose_the_quorum_at_once():
    debate = played(alone(("4", "3"), None, None))

    review = Review.objects.get(debate=debate)
    assert debate.status == "awaiting_review"
    assert (review.reason_code, review.disputed, review.round_number) == ("quorum_lost", ["design", "tests"], 0)
    assert finals(debate) == {"design": Decimal(4), "tests": Decimal(3)}
    assert JudgeReport.objects.filter(debate=debate, readable=False).count() == 2
    assert Alert.objects.filter(debate=debate, code="judge_failed").count() == 2


def test_where_nobody_can_be_read_there_is_no_number_at_all():
    debate = played(alone(None, None, None))

    assert (debate.status, finals(debate)) == ("awaiting_review", {})
    assert Review.objects.get(debate=debate).disputed == ["design", "tests"]
    assert results.panel_document(debate=debate)["decided"]["overall"] is None


def test_a_judge_who_could_not_be_read_abstains_to_the_end():
    debate = played(
        [
            *alone(("5", "4"), ("3", "4"), None),
            moves(1, 1, THERE, design="4", accepts=True), stays(2, 1, design="3", accepts=True),
            stays(1, 2, design="4", accepts=True), moves(2, 2, THERE, design="4"),
        ]
    )  # fmt: skip

    assert reasons(debate) == [(0, "spread"), (1, "spread"), (2, "agreed")]
    assert Call.objects.filter(debate=debate, participant__name="Judge 3").count() == 1
    assert [one["unreadable"] for one in results.panel_document(debate=debate)["judges"]] == [[], [], [0, 1, 2]]


def test_one_who_never_accepts_is_a_reason_of_its_own():
    refuses = [
        stays(judge, number, design=score, accepts=judge != 3)
        for number in (1, 2, 3)
        for judge, score in ((1, "4"), (2, "4"), (3, "4.5"))
    ]

    debate = played([*alone(("4", "4"), ("4", "4"), ("4.5", "4")), *refuses], policy=Policy(early_exit=False))

    assert [reason for _, reason in reasons(debate)] == ["not_accepted"] * 4
    assert Review.objects.get(debate=debate).reason_code == "not_accepted"


def test_revisions_without_evidence_are_refused_and_the_old_scores_stand():
    follows = [moves(2, number, design="5") for number in (1, 2, 3)]
    others = [stays(judge, number, design="5", accepts=True) for number in (1, 2, 3) for judge in (1, 3)]

    debate = played([*alone(("5", "4"), ("2", "4"), ("5", "4")), *follows, *others])

    refused = JudgeScore.objects.filter(report__participant__name="Judge 2", refused=True)
    assert debate.status == "awaiting_review"
    assert [(one.key, one.wanted, one.fact.amount) for one in refused] == [("design", 5, 2)] * 3


def test_quoting_what_is_not_there_carries_nothing():
    invents = [moves(2, number, "Everybody has measured it", design="5") for number in (1, 2, 3)]
    others = [stays(judge, number, design="5", accepts=True) for number in (1, 2, 3) for judge in (1, 3)]

    debate = played([*alone(("5", "4"), ("2", "4"), ("5", "4")), *invents, *others])

    scores = JudgeScore.objects.filter(report__participant__name="Judge 2", key="design").order_by("pk")
    assert [(one.refused, one.quotes_missing) for one in scores] == [(False, 0), (True, 1), (True, 1), (True, 1)]
    assert debate.status == "awaiting_review"


def test_no_judge_is_shown_another_before_all_have_judged_alone():
    debate = played(alone(("4", "4"), ("4.5", "4"), ("4", "3.5")))

    reports = JudgeReport.objects.filter(debate=debate)
    assert len({one.at for one in reports}) == 1
    assert Round.objects.get(thread__debate=debate).number == 0


def test_what_does_not_apply_is_not_asked_about_and_its_weight_is_spread():
    answers = alone(("4", "1"), ("4", "1"), ("4.5", "1"))
    for one in answers:
        one["answer"]["criteria"] = one["answer"]["criteria"][:1]

    debate = played(answers, not_applicable={"tests": "There is no code yet."})

    told = results.panel_document(debate=debate)
    assert finals(debate) == {"design": Decimal("4.1667")}
    assert [one["share"] for one in told["criteria"]] == ["1.00", "0.00"]
    assert told["criteria"][1]["notApplicable"] == "There is no code yet."
    assert told["decided"] == {"overall": "4.1667", "recommendation": "pass"}


def test_the_closing_words_are_kept_with_the_numbers_they_are_about():
    debate = played(alone(("4", "4"), ("4.5", "4"), ("4", "3.5")))

    [kept] = debate.syntheses.all()
    assert (kept.numbers["overall"]["before"], kept.numbers["overall"]["after"]) == ("4.0333", "4.0333")
    assert kept.turn.text == "So it was."
