"""A panel whose words were erased keeps its numbers."""

import pytest

from judging import minutes
from judging.models import JudgeReport
from judging.panels import markdown
from tests.judging.panels.play import alone, played

pytestmark = pytest.mark.django_db(transaction=True)


def test_without_words_the_scores_of_every_judge_are_still_there():
    debate = played(alone(("4", "4"), ("4.5", "4"), ("4", "3.5")))
    before = minutes.panel_document(debate=debate)

    JudgeReport.objects.filter(debate=debate).update(body="")

    after = minutes.panel_document(debate=debate)
    assert [one["scores"] for one in after["criteria"]] == [one["scores"] for one in before["criteria"]]
    assert [one["overall"] for one in after["judges"]] == ["4", "4.3", "3.8"]
    assert after["outcome"] == before["outcome"]
    assert "design so." not in markdown.judge_report(document=after, judge="Judge 1")
