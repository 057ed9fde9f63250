"""A panel that did not agree is settled by a person, rolled back, and decided again by another; scores are struck."""

import asyncio
from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from judging.admin.judgements import what_becomes_of_it
from judging.engine import conductor, lifecycle, play, reviews, selectors
from judging.engine.reviews import Decision
from judging.errors import Superseded
from judging.formats.panel import reports, results
from judging.formats.registry import format_of
from judging.formats.spec import Limits
from judging.formats.state import Together
from judging.models import Call, Consensus, JudgeReport, Review
from judging.rules.consensus import Policy
from scoring.enums import EntryKind
from scoring.models import Evaluation
from scoring.services import previews
from scoring.services.actions import Intent
from tests import acts, factories, playing
from tests.judging.formats.panel.play import MUTE, alone, panel, played, stays
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [
    pytest.mark.slow,
    pytest.mark.django_db,
    pytest.mark.usefixtures("proof", "no_pauses"),
    WITHOUT_COLLECTED_FILES,
]
NOW = timezone.now()
APART = (("5", "4"), ("2", "4"), ("4", "4"))


def apart(more=(), **options):
    held = ((1, "5"), (2, "2"), (3, "4"))
    answers = [*more, *alone(*APART), *(stays(judge, 1, design=score) for judge, score in held)]
    return played(answers, policy=Policy(debate_rounds=1), **options)


def decide(debate, value, *, by):
    """Claim the review of a panel and settle it with this value for the design."""
    review = Review.objects.get(debate=debate)
    seen = Evaluation.objects.get(debate=debate, key="design").moderation_version
    reviews.claim(review_id=review.pk, by=by, now=NOW)
    decisions = {"design": Decision(value, "Judge 2 missed the second page.", seen)}
    reviews.settle(review_id=review.pk, by=by, decisions=decisions, now=NOW)
    playing.work()
    debate.refresh_from_db()


def design(debate):
    return Evaluation.objects.get(debate=debate, key="design")


def test_what_a_person_decides_concludes_the_panel():
    debate = apart()

    decide(debate, "4.5", by=factories.moderator())

    told = results.panel_document(debate=debate)
    decided = {row["code"]: row["override"] for row in debate.syntheses.get().numbers["criteria"]}
    assert {code: override for code, override in decided.items() if override} == {"design": "4.50"}
    assert (debate.status, debate.partial) == ("concluded", False)
    assert (design(debate).computed_score, design(debate).final_score) == (Decimal("3.6667"), Decimal("4.5"))
    assert told["decided"] == {"overall": "4.30", "recommendation": "pass"}
    assert "| 4.50 (decided by a person) |" in reports.final_report(document=told)


@pytest.mark.parametrize(("agreed", "running"), [(False, False), (True, True)])
def test_neither_a_person_nor_the_judges_decide_anything_of_a_panel_that_was_cancelled(agreed, running):
    found, decided = {"agreed": agreed, "disputed": ["design"], "reason": "spread"}, {"design": "4.5"}

    ended = {
        status: reports.is_result(found=found, overrides=decided, status=status, partial=False)
        for status in ("cancelled", "failed", "running", "concluding")
    }

    assert ended == {"cancelled": False, "failed": True, "running": running, "concluding": True}


def test_while_it_concludes_a_panel_that_is_apart_has_no_result_yet_for_it_may_have_been_stopped():
    found = {"agreed": False, "disputed": ["design"], "reason": "spread"}

    ended = {
        status: reports.is_result(found=found, overrides={"design": None}, status=status, partial=False)
        for status in ("concluding", "concluded")
    }

    assert ended == {"concluding": False, "concluded": True}


def test_before_anybody_has_decided_the_document_recommends_nothing():
    debate = apart()

    told = results.panel_document(debate=debate)

    assert (debate.status, told["decided"]["recommendation"], told["outcome"]["recommendation"]) == (
        "awaiting_review",
        "",
        "needs_revision",
    )
    seen = previews.preview(evaluation_id=design(debate).pk, intent=Intent(EntryKind.FREEZE), by=None)
    assert {row.what: row.then for row in what_becomes_of_it(seen.evaluation, seen.then)}["Recommendation"] == "none"


@pytest.mark.parametrize(
    ("more", "options", "ended"),
    [([{"purpose": "report", **MUTE}], {}, ("failed", False)), ([], {"limits": Limits(calls=6)}, ("concluded", True))],
    ids=["the reporter cannot be read", "no call is left for the reporter"],
)
def test_a_decision_stands_where_only_the_closing_words_are_missing(more, options, ended):
    debate = apart(more, **options)

    decide(debate, "4.5", by=factories.moderator())

    told = results.panel_document(debate=debate)
    assert (debate.status, debate.partial) == ended
    paper = reports.final_report(document=told)
    assert "A person has decided. Overall **4.30** of 5; recommendation: **Pass**." in paper
    assert "ended early" not in paper
    summary = results.summaries(debates=[debate])[debate.pk]
    assert (summary.headline, summary.detail) == ("Pass", "no consensus")
    page = Client().get(reverse("debate", args=[debate.public_id])).content.decode()
    assert "A person has decided." in page
    assert "Recommendation: <strong>pass</strong>" in page


def test_a_decision_is_rolled_back_and_taken_again_by_another():
    debate = apart()
    decide(debate, "4.5", by=factories.moderator())
    bob = factories.moderator("bob")

    acts.roll_back(order=factories.order(design(debate), bob), target=2, now=NOW)
    assert design(debate).final_score == Decimal("3.6667")
    acts.override(order=factories.order(design(debate), bob), value="3", now=NOW)

    kinds = list(design(debate).entries.order_by("sequence").values_list("kind", "actor__name"))
    assert kinds[-3:] == [("override", "alice"), ("rollback", "bob"), ("override", "bob")]
    assert design(debate).final_score == 3
    assert Review.objects.get(debate=debate).state == "settled"


def test_a_person_decides_where_no_judge_could_be_read():
    debate = played(alone(None, None, None))
    review, alice = Review.objects.get(debate=debate), factories.moderator()
    reviews.claim(review_id=review.pk, by=alice, now=NOW)

    decisions = {code: Decision("3.5", "Read it myself, twice.") for code in ("design", "tests")}
    reviews.settle(review_id=review.pk, by=alice, decisions=decisions, now=NOW)
    playing.work()

    debate.refresh_from_db()
    places = Evaluation.objects.filter(debate=debate).values_list("key", "position")
    assert dict(places) == dict(Evaluation.objects.filter(debate=apart()).values_list("key", "position"))
    assert debate.status == "concluded"
    assert results.panel_document(debate=debate)["decided"] == {"overall": "3.50", "recommendation": "needs_revision"}


@pytest.mark.parametrize(
    ("readable", "stands"),
    [
        pytest.param([("5", "4")], "the means of the judges stand", id="too few"),
        pytest.param([], "no judge gave a score that would stand", id="nobody"),
    ],
)
def test_a_panel_that_lost_its_quorum_recommends_nothing_once_a_persons_decision_is_taken_back(readable, stands):
    debate = played(alone(*readable, *[None] * (3 - len(readable))), policy=Policy(debate_rounds=0))
    review, by = Review.objects.get(debate=debate), factories.moderator()
    reviews.claim(review_id=review.pk, by=by, now=NOW)
    seen = dict(debate.evaluations.values_list("key", "moderation_version"))
    decisions = {code: Decision("4.5", "Judge 2 missed the second page.", seen.get(code)) for code in review.disputed}
    reviews.settle(review_id=review.pk, by=by, decisions=decisions, now=NOW)
    playing.work()
    debate.refresh_from_db()
    before = results.panel_document(debate=debate)["decided"]["recommendation"]

    for evaluation in debate.evaluations.all():
        acts.lift(order=factories.order(evaluation, by), now=NOW)

    after = results.panel_document(debate=debate)
    assert (before, after["decided"]["recommendation"]) == ("pass", "")
    assert f"What a person decided was taken back; {stands}." in reports.final_report(document=after)


def test_one_judges_score_is_struck_and_the_rest_is_computed_again():
    debate = apart()
    fact = design(debate).facts.get(participant__name="Judge 2", round__number=1)

    acts.strike(order=factories.order(design(debate), factories.moderator()), facts=[fact.pk], now=NOW)

    assert design(debate).final_score == Decimal("4.5")
    assert results.panel_document(debate=debate)["criteria"][0]["scores"]["Judge 2"] == "2.00"


def test_judges_who_fall_silent_in_a_debate_leave_the_scores_of_the_round_before():
    silent = [{"thread": f"Judge {at}", "round": 1, "error": "gone", "permanent": True} for at in (1, 2, 3)]

    debate = played([*alone(*APART), *silent])

    review = Review.objects.get(debate=debate)
    assert (review.reason_code, review.round_number) == ("quorum_lost", 1)
    assert design(debate).final_score == Decimal("3.6667")


def test_a_paused_panel_goes_on_where_it_was():
    debate = panel(alone(("4", "4"), ("4.5", "4"), ("4", "3.5")))
    lifecycle.pause(debate_id=debate.pk, by=None, now=NOW)
    playing.work()
    assert Consensus.objects.filter(debate=debate).count() == 0

    lifecycle.resume(debate_id=debate.pk, by=None, now=NOW)
    playing.work()

    debate.refresh_from_db()
    assert debate.status == "concluded"
    assert JudgeReport.objects.filter(debate=debate).count() == 3


def test_answers_that_came_before_a_crash_are_not_asked_for_again():
    debate = panel(alone(("4", "4"), ("4.5", "4"), ("4", "3.5")))
    thread = debate.threads.get()
    board, brief = play.claim(thread_id=thread.pk, now=NOW), selectors.brief(debate.pk)
    step = format_of("panel").next_step(brief=brief, board=board)
    assert isinstance(step, Together)
    asyncio.run(conductor.ask(brief=brief, board=board, step=step.asks[1]))

    playing.work()  # another worker claims it; whoever had it may no longer write

    with pytest.raises(Superseded):
        play.look_again(brief=brief, board=board)
    by_judge = Call.objects.filter(debate=debate, purpose="analyse").values_list("participant__name", flat=True)
    assert sorted(by_judge) == ["Judge 1", "Judge 2", "Judge 3"]


def test_a_panel_without_budget_ends_partial_with_what_it_has():
    debate = played(alone(*APART), limits=Limits(calls=3))

    assert (debate.status, debate.partial_reason) == ("concluded", "budget_spent")
    assert design(debate).final_score == Decimal("3.6667")
