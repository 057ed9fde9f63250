"""The page of a review: judges side by side on each criterion in dispute, with what they said and quoted."""

import pytest
from django.urls import reverse

from judging.admin.reviews import disputes
from judging.formats.panel import reports, results
from judging.models import Review
from judging.rules.consensus import Policy
from tests import factories
from tests.judging.formats.panel.play import THERE, alone, answer, moves, played, stays
from tests.judging.formats.panel.small_panel import analysis
from tests.moderators import client_of
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.django_db, WITHOUT_COLLECTED_FILES, pytest.mark.usefixtures("no_pauses")]


def test_judges_stand_side_by_side_with_what_they_said_and_quoted():
    debate = played(alone(("4", "3"), None, None))

    [design, _] = disputes(Review.objects.get(debate=debate))

    assert design.code == "design"
    assert [(one.judge, one.score) for one in design.opinions] == [
        ("Judge 1", "4.00"),
        ("Judge 2", "-"),
        ("Judge 3", "-"),
    ]
    assert design.opinions[0].text == "design so. \u201cThe tests run in CI\u201d"
    assert design.opinions[1].text == "could not be read, and abstains"


def test_who_says_that_a_criterion_does_not_apply_stands_beside_who_scores_it():
    no_code = analysis("4", "4")
    no_code["criteria"][1] = {"criterion": "tests", "not_applicable": "There is no code."}
    debate = played([*alone(("4", "4")), answer(2, 0, no_code), answer(3, 0, no_code)])

    [_, tests] = disputes(Review.objects.get(debate=debate, reason_code="quorum_lost"))

    assert [(one.judge, one.score, one.text) for one in tests.opinions] == [
        ("Judge 1", "4.00", "tests so. \u201cThe tests run in CI\u201d"),
        ("Judge 2", "does not apply", "There is no code."),
        ("Judge 3", "does not apply", "There is no code."),
    ]
    paper = reports.final_report(document=results.panel_document(debate=debate))
    assert "  * Judge 1, 4.00: tests so.\n  * Judge 2, does not apply: There is no code.\n" in paper


def test_who_does_not_speak_to_a_criterion_again_stands_by_what_was_said_alone():
    """Only the design is debated, and closed; the panel fails on acceptance, so what is in dispute is the tests."""
    debated = [
        moves(judge, 1, THERE, design="4", accepts=judge > 1)
        if judge < 3
        else stays(judge, 1, design="4", accepts=True)
        for judge in (1, 2, 3)
    ]
    debate = played([*alone(("5", "4"), ("2", "4"), ("4", "3.5")), *debated], policy=Policy(debate_rounds=1))

    [tests] = disputes(Review.objects.get(debate=debate, reason_code="not_accepted"))

    said = "tests so. \u201cThe tests run in CI\u201d"
    assert (tests.code, [(one.judge, one.score, one.text) for one in tests.opinions]) == (
        "tests",
        [("Judge 1", "4.00", said), ("Judge 2", "4.00", said), ("Judge 3", "3.50", said)],
    )


def test_the_page_of_a_review_shows_them():
    debate = played(alone(("4", "3"), None, None))
    client = client_of(factories.moderator())

    page = client.get(reverse("admin:judging_review_change", args=[Review.objects.get(debate=debate).pk]))

    assert page.status_code == 200
    assert "design so." in page.content.decode()
