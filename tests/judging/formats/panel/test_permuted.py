"""The order in which judges sit changes nothing but their numbers; and papers made again are the same bytes."""

import itertools

import pytest
from django.utils import timezone

from debates.models import Debate
from judging.engine import lifecycle
from judging.engine.creation import create_draft
from judging.formats.panel import reports as panel_reports
from judging.formats.panel import results
from judging.formats.panel.spec import JudgeSeat, PanelSpec, typed
from judging.models import Review
from tests import playing

pytestmark = [pytest.mark.slow, pytest.mark.django_db]
STRATEGIES = ("logic", "dialectic", "rhetoric")
SUBJECT = """We will store one row per client and minute. Each request costs 0.3 ms, measured on a laptop in May 2026.
If the database does not answer, the request is let through, because a lost answer is worse than one too many.
We have not measured hot rows. Redis would be faster, but it is one more service to run.
Everybody knows that this is the best design. Two tests ask 300 times at once; exactly 240 are answered."""


def judged(order):
    wanted = PanelSpec(
        title="Limits", subject=SUBJECT, task="Limit how often a client may ask.",
        rubric=typed("feasibility:40,scalability:35,documentation:25"),
        seats=[JudgeSeat(strategy=strategy) for strategy in order],
    )  # fmt: skip
    made = create_draft(spec=wanted, by=None, now=timezone.now())
    lifecycle.start(debate_id=made.pk, by=None, now=timezone.now())
    playing.work()
    made.refresh_from_db()
    return made


def in_one_order(debate):
    """What a panel came to, with its judges known by how they read."""
    told = results.panel_document(debate=debate)
    known = {one["name"]: one["strategy"] for one in told["judges"]}
    return {
        "status": debate.status,
        "outcome": told["outcome"],
        "first": told["first"],
        "finals": {one["code"]: (one["mean"], one["spread"], one["final"]) for one in told["criteria"]},
        "given": [
            {known[name]: section["scores"] for name, section in played["sections"].items()}
            for played in told["rounds"]
        ],
        "agreement": told["agreement"]["last"]["alpha"],
        "between": [[known[name] for name in one["between"]] for one in told["disagreements"]],
        "quotes": [one["quotes"] for one in told["criteria"]],
        "improvements": told["improvements"],
        "review": list(Review.objects.filter(debate=debate).values_list("reason_code", "disputed")),
    }


def test_however_judges_sit_the_panel_comes_to_the_same():
    found = [in_one_order(judged(order)) for order in itertools.permutations(STRATEGIES)]

    assert found[0]["outcome"]["round"] > 0
    assert found == [found[0]] * 6


def papers(debate):
    """Every paper of a panel, read from the database anew."""
    told = results.panel_document(debate=Debate.objects.get(pk=debate.pk))
    reports = [panel_reports.judge_report(document=told, judge=one["name"]) for one in told["judges"]]
    return [paper.encode() for paper in (panel_reports.final_report(document=told), *reports)]


def test_papers_are_the_same_bytes_when_they_are_made_again_from_the_database():
    debate = judged(STRATEGIES)

    first, again = papers(debate), papers(debate)

    assert first == again
    assert len({*first}) == 4
