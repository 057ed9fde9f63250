"""A judge's score that a moderator strikes: all that a panel comes to is computed again, and the past is kept."""

from dataclasses import replace

import jsonschema
import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from judging.admin.reviews import disputes
from judging.engine import erasure
from judging.engine.creation import create_draft
from judging.engine.erasure import Order
from judging.formats.criterion.spec import CriterionSpec
from judging.formats.panel import reports
from judging.formats.panel import results as panel_results
from judging.formats.panel.spec import typed
from judging.formats.registry import format_of
from judging.models import Consensus, Review
from judging.rules.consensus import Policy
from scoring.admin.actions import look
from scoring.enums import EntryKind
from scoring.models import Evaluation
from scoring.services import previews
from scoring.services.actions import Intent
from tests import acts, factories
from tests.judging.formats.panel.play import alone, played, stays
from tests.judging.formats.panel.test_page import told
from tests.moderators import client_of
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.slow, pytest.mark.django_db, WITHOUT_COLLECTED_FILES, pytest.mark.usefixtures("proof")]
NOW = timezone.now()
ODD = (("4.5", "5"), ("4", "5"), ("4.5", "5"))
"""Three judges who agree; the second gives half a point less than the others."""
HELD = ((1, "5"), (2, "1"), (3, "5"))


def outlier():
    """A panel that did not agree on the design, because of its second judge."""
    answers = [
        *alone(("5", "4"), ("1", "4"), ("5", "4")),
        *(stays(judge, 1, design=score, accepts=True) for judge, score in HELD),
    ]
    return played(answers, policy=Policy(debate_rounds=1))


def order(debate):
    alice = User.objects.filter(username="alice").first() or factories.moderator()
    return factories.order(Evaluation.objects.get(debate=debate, key="design"), alice)


def score_of(debate, judge="Judge 2"):
    """The newest score that a judge gave the design."""
    facts = Evaluation.objects.get(debate=debate, key="design").facts
    return facts.filter(participant__name=judge).latest("pk").pk


def strike(debate, judge="Judge 2"):
    acts.strike(order=order(debate), facts=[score_of(debate, judge)], now=NOW)
    return panel_results.panel_document(debate=debate)


def test_without_the_outlier_everything_is_computed_again():
    debate = outlier()
    kept = list(Consensus.objects.values())
    before = panel_results.panel_document(debate=debate)

    after = strike(debate)

    [design, tests] = after["criteria"]
    assert [(one["mean"], one["spread"], one["disputed"]) for one in (design, tests)] == [
        ("5.00", "0.00", False),
        ("4.00", "0.00", False),
    ]
    assert design["corrected"] != before["criteria"][0]["corrected"]
    stands = {"agreed": True, "reason": "", "reasons": [], "overall": "4.60", "spread": "0.00", "counted": 2}
    assert after["now"] == {**before["outcome"], **stands, "recommendation": "pass", "disputed": []}
    assert after["struck"] == [{"round": 1, "judge": "Judge 2", "criterion": "design"}]
    assert [one["criterion"] for one in after["strengths"]] == ["design", "tests"]
    assert [(one["left"], one["closed"], one["struck"]) for one in after["disagreements"]] == [
        ("0.00", True, ["Judge 2"])
    ]
    assert after["agreement"]["last"] != before["agreement"]["last"]
    assert design["scores"]["Judge 2"] == "1.00"
    assert (after["outcome"], after["rounds"]) == (before["outcome"], before["rounds"])
    assert list(Consensus.objects.values()) == kept
    jsonschema.validate(after, format_of("panel").result_schema())


def test_lists_and_previews_round_the_whole_once_as_the_result_does():
    own = alone(("2", "2"), ("5", "2.5"), ("2", "3.5"))
    debate = played(own, rubric=typed("design:1,tests:2"), policy=Policy(debate_rounds=0))

    after = strike(debate)

    debate.refresh_from_db()
    [summary] = panel_results.summaries(debates=[debate]).values()
    shown = panel_results.comes_to(debate=debate, foreseen={})
    assert after["decided"]["overall"] == after["now"]["overall"] == "2.4444"
    assert (str(summary.figure), shown["Overall"]) == ("2.44", "2.4444")


@pytest.mark.parametrize("kind", [EntryKind.STRIKE, EntryKind.OVERRIDE_LIFTED])
def test_a_preview_rounds_the_whole_once_as_it_is_rounded_when_it_has_been_done(kind):
    own = alone(("2", "2"), ("2", "2.5"), ("2", "3.5"), ("2", "5"))
    debate = played(own, judges=4, rubric=typed("design:1,tests:2"), policy=Policy(debate_rounds=0))
    tests, alice = Evaluation.objects.get(debate=debate, key="tests"), factories.moderator()
    odd = [tests.facts.get(participant__name="Judge 4").pk]
    if kind is EntryKind.OVERRIDE_LIFTED:
        acts.strike(order=factories.order(tests, alice), facts=odd, now=NOW)
        acts.override(order=factories.order(tests, alice), value="2.5", now=NOW)
        tests.refresh_from_db()

    foreseen = previews.preview(evaluation_id=tests.pk, intent=Intent(kind, facts=odd), by=alice.pk)
    [shown, _] = look(tests, "So it would be", foreseen).whole
    act, about = (acts.strike, {"facts": odd}) if kind is EntryKind.STRIKE else (acts.lift, {})
    act(order=factories.order(tests, alice), now=NOW, **about)

    assert (shown.what, shown.then) == ("Overall", "2.4444")
    assert panel_results.panel_document(debate=debate)["decided"]["overall"] == "2.4444"


def test_what_a_moderator_strikes_is_called_what_it_is():
    design = Evaluation.objects.get(debate=outlier(), key="design")
    client = client_of(factories.moderator())

    page = client.get(f"/admin/scoring/evaluation/{design.pk}/strike/").content.decode()

    assert "Judges&#x27; scores" in page
    assert "Verdicts:" not in page


def test_what_is_put_back_or_rolled_back_makes_all_of_it_as_it_was():
    debate = outlier()
    before = panel_results.panel_document(debate=debate)

    strike(debate)
    acts.reinstate(order=order(debate), facts=[score_of(debate)], now=NOW)
    again = panel_results.panel_document(debate=debate)
    strike(debate)
    acts.roll_back(order=order(debate), target=2, now=NOW)
    back = panel_results.panel_document(debate=debate)

    assert before["struck"] == []
    assert (again, back) == (before, before)


def test_a_rollback_to_a_moment_after_the_strike_leaves_it_struck():
    debate = outlier()
    strike(debate)
    struck = Evaluation.objects.get(debate=debate, key="design").version
    acts.override(order=order(debate), value="3", now=NOW)

    acts.roll_back(order=order(debate), target=struck, now=NOW)

    assert panel_results.panel_document(debate=debate)["struck"] == [
        {"round": 1, "judge": "Judge 2", "criterion": "design"}
    ]


def test_a_score_that_a_newer_round_replaced_is_not_struck():
    debate = outlier()

    design = Evaluation.objects.get(debate=debate, key="design")
    assert design.facts.count() == 2 * len(design.basis)
    assert panel_results.panel_document(debate=debate)["struck"] == []


def test_page_and_papers_say_what_was_struck_and_what_is_found_without_it():
    debate = outlier()
    after = strike(debate)

    page = Client().get(reverse("debate", args=[debate.public_id])).content.decode()
    final, again = (reports.final_report(document=panel_results.panel_document(debate=debate)) for _ in range(2))

    assert final == again
    assert "1.00 ▼ → 1.00 struck" in told(page)
    assert "2.80 ▼ → 2.20 not compared" not in told(page)
    assert "A moderator has struck since: Judge 2 on Design. Without that the overall scores are 0.00 apart" in told(
        page
    )
    assert "The score of Judge 2 was struck." in told(page)
    assert "| Design | 0.60 | 5.00 | 1.00 (struck) | 5.00 | 5.00 | 5.00 |" in final
    assert "| **Overall** |  | 4.60 | 2.20 (not compared) | 4.60 | 4.60 |  |" in final
    assert "struck since: Judge 2 on Design. Without that: overall **4.60** of 5; the judges agree." in final
    assert "| Now | 4.60 | 0.00 | yes |" in final
    assert "Struck by a moderator, and not counted: Design." in reports.judge_report(document=after, judge="Judge 2")
    assert "Struck" not in reports.judge_report(document=after, judge="Judge 1")


def test_whoever_settles_a_review_sees_what_was_struck():
    debate = outlier()
    strike(debate)

    [design] = [one for one in disputes(Review.objects.get(debate=debate)) if one.code == "design"]

    assert [(one.judge, one.score) for one in design.opinions] == [
        ("Judge 1", "5.00"),
        ("Judge 2", "1.00 (struck)"),
        ("Judge 3", "5.00"),
    ]


def test_where_too_few_are_left_it_is_said_and_the_decision_of_then_is_kept():
    debate = played(alone(*ODD))
    strike(debate, "Judge 1")

    after = strike(debate, "Judge 3")

    final = reports.final_report(document=after)
    assert (after["outcome"]["agreed"], after["now"]["agreed"], after["now"]["reason"]) == (True, False, "quorum_lost")
    assert "**Consensus** without a debate: overall **4.60** of 5." in final
    assert "Without that: overall **4.40** of 5; no consensus, too few judges count on a criterion." in final


def test_a_criterion_debate_begins_as_sure_as_the_judges_who_count():
    debate = played(alone(*ODD))
    asked = CriterionSpec(title="A cache", subject="The tests run in CI.", rubric=typed("design:60,tests:40"))
    begun = []

    for step in (lambda: None, lambda: strike(debate), lambda: strike(debate, "Judge 1")):
        step()
        made = create_draft(spec=replace(asked, panel=str(debate.public_id)), by=None, now=NOW)
        begun.append(made.parameters["initial"]["design"])

    assert begun == [["8.50", "0.88"], ["8.88", "1.00"], ["8.88", "0.00"]]


def test_an_erased_panel_is_computed_again_as_well():
    debate = played(alone(*ODD))
    erasure.erase(order=Order(target=debate, by=factories.moderator("alice"), reason="The person has asked."))

    after = strike(debate)

    assert (after["now"]["agreed"], after["now"]["overall"]) == (True, "4.70")
    assert after["criteria"][0]["final"] == "4.50"
