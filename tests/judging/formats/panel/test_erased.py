"""A panel whose words were erased keeps its numbers."""

import json

import jsonschema
import pytest
from django.test import Client

from judging.engine import erasure
from judging.engine.erasure import Order
from judging.formats.panel import reports, results
from judging.models import Synthesis
from scoring import verify
from tests import factories
from tests.judging.formats.panel.play import THERE, alone, answer, moves, played, stays
from tests.judging.formats.panel.small_panel import analysis, as_kept

pytestmark = [pytest.mark.slow, pytest.mark.django_db]


def test_without_words_the_scores_of_every_judge_are_still_there():
    debate = played(alone(("4", "4"), ("4.5", "4"), ("4", "3.5")))
    before = results.panel_document(debate=debate)

    erase(debate)

    after = results.panel_document(debate=debate)
    assert [one["scores"] for one in after["criteria"]] == [one["scores"] for one in before["criteria"]]
    assert [one["overall"] for one in after["judges"]] == ["4.00", "4.30", "3.80"]
    assert after["outcome"] == before["outcome"]
    assert "design so." not in reports.judge_report(document=after, judge="Judge 1")


def test_a_judge_who_scored_some_criteria_only_keeps_its_overall_and_is_no_less_read():
    no_code = analysis("4", "4")
    no_code["criteria"][1] = {"criterion": "tests", "not_applicable": "There is no code."}
    debate = played([*alone(("4", "4"), ("4.5", "4")), answer(3, 0, no_code)])
    before = results.panel_document(debate=debate)

    erase(debate)

    debate.refresh_from_db()
    after = results.panel_document(debate=debate)
    jsonschema.validate(after, as_kept())
    assert [one["overall"] for one in after["judges"]] == [one["overall"] for one in before["judges"]]
    assert after["rounds"][0]["sections"]["Judge 3"] == {
        "kind": "erased", "scores": {"design": "4.00"}, "overall": "4.00"
    }  # fmt: skip
    assert "4.00 (not compared)" in reports.final_report(document=after)
    assert "What this judge said was erased." in reports.judge_report(document=after, judge="Judge 3")
    page = Client().get(f"/debates/{debate.public_id}/").content.decode()
    assert "What this judge said was erased." in page


WORDS = (THERE, "The tests run in CI", "Make it fast.", "design so.", "More.")
"""What the subject, the task and the judges of such a panel say."""


def debated():
    """A panel whose judges agree after a debate."""
    return played(
        [
            *alone(("5", "4"), ("3", "4"), ("4", "4")),
            *(moves(judge, 1, THERE, design="4") for judge in (1, 2)), stays(3, 1, design="4", accepts=True),
        ]
    )  # fmt: skip


def erase(target):
    erasure.erase(order=Order(target=target, by=factories.moderator("alice"), reason="The person has asked."))


def said(debate):
    """Return which of the words a panel's document, and what is kept of its closing words, still hold."""
    debate.refresh_from_db()
    kept = [results.panel_document(debate=debate), *Synthesis.objects.filter(debate=debate).values_list("numbers")]
    return {one for one in WORDS if one in json.dumps(kept)}


def test_an_erased_panel_keeps_its_numbers_and_can_be_looked_at():
    debate = debated()
    before = results.panel_document(debate=debate)
    assert said(debate) == set(WORDS)

    erase(debate)

    assert said(debate) == set()
    after = results.panel_document(debate=debate)
    assert [one["scores"] for one in after["criteria"]] == [one["scores"] for one in before["criteria"]]
    for part in ("first", "outcome", "now", "decided", "agreement"):
        assert after[part] == before[part], part
    assert [one["overalls"] for one in after["rounds"]] == [one["overalls"] for one in before["rounds"]]
    assert set(reports.papers(document=after)) == {"1", "2", "3", "final"}
    for address in ("/debates/{}/", "/debates/{}/result/", "/api/v1/debates/{}/result/"):
        assert Client().get(address.format(debate.public_id)).status_code == 200
    assert erasure.preview(target=debate) == {}
    assert verify.verify().faults == ()


def test_a_judge_whose_words_are_erased_takes_along_who_may_quote_it():
    debate = debated()

    erase(debate.participants.get(name="Judge 2"))

    assert said(debate) == {"Make it fast."}
    assert set(debate.turns.filter(kind="report").values_list("text", flat=True)) == {""}
    assert verify.verify().faults == ()
    assert Client().get(f"/debates/{debate.public_id}/").status_code == 200
