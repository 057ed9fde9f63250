"""What the queue of alerts says of each: one sentence in the list, every part on the page."""

import pytest

from scoring.admin import evidence
from scoring.models import Alert
from scoring.types import AlertCode
from tests import factories
from tests.moderators import address, client_of, words
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.django_db, WITHOUT_COLLECTED_FILES]
TURN = "5e2ff4de-5f5f-4f0e-8c1e-2b1c8a7a9f00"


@pytest.mark.parametrize(
    ("code", "rests_on", "said"),
    [
        ("extreme_verdict", {"applied": "-3"}, "one round moved it by -3"),
        ("extreme_net", {"capped_net": "3.5"}, "all verdicts together: 3.5"),
        ("net_capped", {"raw": "6", "cap": "5"}, "the verdicts add up to 6, of which 5 count"),
        ("large_change", {"initial": "4", "final": "7"}, "from 4 to 7"),
        ("contradiction", {"earlier": "2", "later": "-2"}, "2, then -2"),
        (
            "one_sided",
            {"side": "red_team", "won": "9", "verdicts": "10"},
            "the red team won 9 of the 10 verdicts that were no draw",
        ),
        (
            "one_sided",
            {"side": "evaluator", "won": "9", "verdicts": "10"},
            "the evaluator won 9 of the 10 verdicts that were no draw",
        ),
        ("uniform_extreme", {"adjustment": "3", "verdicts": "4"}, "4 verdicts, all of them 3"),
        ("no_effect", {"evaluations": "6"}, "6 scores, none of them moved"),
        (
            "winner_sign_mismatch",
            {"winner": "evaluator", "adjustment": "-1", "impact": "0"},
            "the evaluator wins, with -1 and confidence 0",
        ),
        ("injection_suspected", {"turn": TURN, "signs": "role, score", "places": "0-9"}, "role, score"),
        ("judge_failed", {"why": "no JSON {at all}", "round": "2"}, "no JSON {at all}"),
        ("judge_failed", {"criterion": "P1"}, "criterion P1"),
        ("judge_failed", {}, "-"),
        ("no_effect", {"listed": ["a", "b"], "none": None}, "listed a, b; none none"),
    ],
)
def test_an_alert_is_told_in_one_sentence(code, rests_on, said):
    assert evidence.shortly(Alert(code=code, evidence=rests_on)) == said


def test_every_alert_has_a_meaning_and_a_sentence():
    assert set(evidence.MEANINGS) == set(evidence.SHORTLY) == {one.value for one in AlertCode}


def test_a_turn_that_is_evidence_is_a_link_to_it():
    debate = factories.debate()
    rests_on = {"turn": TURN, "signs": "role"}
    alert = Alert.objects.create(
        debate=debate, code="injection_suspected", severity="critical", evidence=rests_on, facts_digest="x"
    )

    page = client_of(factories.moderator()).get(address("scoring_alert", "dismiss", alert.pk)).content.decode()

    assert f'<a href="/admin/debates/turn/?q={TURN}">{TURN}</a>' in page


def test_the_queue_shortens_what_an_alert_says_and_its_own_pages_do_not():
    why, again = "The judge gave no answer. " * 12, "It gave none again. " * 12
    came = {"at": "2027-03-01T12:00:00+00:00", "evidence": {"why": f"{again}Ask another."}, "facts_digest": "y"}
    alert = Alert.objects.create(
        debate=factories.debate(), code="judge_failed", severity="critical", facts_digest="x",
        evidence={"why": f"{why}Replace it."}, again=[came],
    )  # fmt: skip
    client = client_of(factories.moderator())

    queue = words(client.get("/admin/scoring/alert/"))
    pages = [
        words(client.get(page))
        for page in (f"/admin/scoring/alert/{alert.pk}/change/", address("scoring_alert", "dismiss", alert.pk))
    ]

    assert why[:159].strip() in queue
    assert "Replace it." not in queue
    for page in pages:
        assert f"{why}Replace it." in page
        assert f"{again}Ask another." in page


def test_the_queue_leads_to_the_score_or_to_the_whole_debate():
    score = factories.criterion()
    for about in (score, None):
        Alert.objects.create(
            debate=score.debate, evaluation=about, code="no_effect", severity="info", evidence={}, facts_digest="x"
        )

    shown = words(client_of(factories.moderator()).get("/admin/scoring/alert/"))

    assert "P1 Problem clarity A debate" in shown
    assert "A debate (whole debate)" in shown
