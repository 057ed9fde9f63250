"""A concluded panel gives a criterion debate its initial scores."""

from dataclasses import replace
from decimal import Decimal

import pytest
from django.utils import timezone

from debates.errors import Invalid, NotFound
from debates.models import Debate
from debates.types import Visibility
from judging.engine import lifecycle, reviews
from judging.engine.creation import create_draft
from judging.engine.reviews import Decision
from judging.formats.criterion import format as criterion_format
from judging.formats.criterion.spec import CriterionSpec
from judging.formats.panel.spec import typed
from judging.models import Review
from scoring.models import Evaluation
from tests import factories, playing
from tests.judging.formats.panel.play import alone, panel, played

pytestmark = pytest.mark.django_db
NOW = timezone.now()
ASKED = CriterionSpec(title="A cache", subject="The tests run in CI.", rubric=typed("design:60,tests:40"))


def test_a_debate_begins_where_a_panel_ended():
    judged = played(alone(("4", "5"), ("4.5", "5"), ("4", "5")))

    debate = create_draft(spec=replace(ASKED, panel=str(judged.public_id)), by=None, now=NOW)
    lifecycle.start(debate_id=debate.pk, by=None, now=NOW)

    begun = Evaluation.objects.filter(debate=debate).order_by("key")
    assert [(one.key, one.initial_score, one.initial_confidence) for one in begun] == [
        ("design", Decimal("8.13"), Decimal("0.88")),
        ("tests", Decimal(10), Decimal(1)),
    ]
    debate.refresh_from_db()
    assert debate.parameters["initial_from"] == {"panel": str(judged.public_id), "mapping": "1 + (score - 1) x 9/4"}


@pytest.mark.parametrize(("spread", "confidence"), [("0", "1"), ("0.5", "0.88"), ("2", "0.5"), ("4", "0"), (None, "0")])
def test_judges_who_are_apart_are_less_sure(spread, confidence):
    assert criterion_format.confidence_of(spread) == Decimal(confidence)


def test_a_panel_of_which_one_judge_is_left_hands_over_no_confidence(settings):
    settings.PROVIDER_RETRIES = 0
    judged = played(alone(("5", "5"), None, None))
    review, alice = Review.objects.get(debate=judged), factories.moderator()
    reviews.claim(review_id=review.pk, by=alice, now=NOW)
    seen = dict(Evaluation.objects.filter(debate=judged).values_list("key", "moderation_version"))
    decisions = {code: Decision("4", "Read it myself, twice.", version) for code, version in seen.items()}
    reviews.settle(review_id=review.pk, by=alice, decisions=decisions, now=NOW)
    playing.work()

    given = criterion_format.initial_scores(panel=str(judged.public_id), codes=["design", "tests"], by=None)

    assert given == dict.fromkeys(("design", "tests"), (Decimal("7.75"), Decimal(0)))


def test_what_a_panel_hands_over_is_rounded_once():
    judged = played(alone(("4.5", "5"), ("5", "5"), ("5", "5")))

    given = criterion_format.initial_scores(panel=str(judged.public_id), codes=["design"], by=None)

    assert given["design"][0] == Decimal("9.63")  # of 29/6; of 4.8333 it is 9.62


def test_a_panel_that_is_still_played_gives_nothing():
    with pytest.raises(Invalid, match="only a concluded panel"):
        criterion_format.concluded(panel=str(panel(alone(("4", "4"), ("4", "4"), ("4", "4"))).public_id), by=None)


def test_what_is_no_panel_gives_nothing():
    with pytest.raises(Invalid, match=r"panel must be the id of a debate \(panel\); got"):
        criterion_format.concluded(panel="seven", by=None)
    with pytest.raises(NotFound, match="panel: there is no panel"):
        criterion_format.concluded(panel="00000000-0000-4000-8000-000000000000", by=None)


def test_a_panel_has_to_know_every_criterion_that_is_played():
    judged = played(alone(("4", "5"), ("4.5", "5"), ("4", "5")))

    with pytest.raises(Invalid, match="no score for docs; it scored design, tests"):
        criterion_format.initial_scores(panel=str(judged.public_id), codes=["design", "docs"], by=None)


def test_a_panel_that_one_may_not_read_is_not_there():
    alice, bob = (factories.person(name, permissions=["debates.add_debate"]) for name in ("alice", "bob"))
    judged = played(alone(("4", "5"), ("4.5", "5"), ("4", "5")), visibility=Visibility.PRIVATE)
    judged.created_by = alice
    judged.save(update_fields=["created_by"])
    spec = replace(ASKED, panel=str(judged.public_id))

    with pytest.raises(NotFound, match="panel: there is no panel"):
        create_draft(spec=spec, by=bob, now=NOW)
    create_draft(spec=spec, by=alice, now=NOW)

    assert Debate.objects.filter(format="criterion").count() == 1


def test_initial_scores_come_from_one_place():
    given = dict.fromkeys(("design", "tests"), ("5", "0.5"))

    with pytest.raises(Invalid, match="initial and panel: give one of them"):
        create_draft(spec=replace(ASKED, panel="any", initial=given), by=None, now=NOW)
