"""Before and after in all are of the same criteria while a debate is played, and it is said of how many."""

import pytest
from django.test import Client
from django.utils import timezone

from debates.types import Status
from judging.admin.judgements import what_becomes_of_it
from judging.formats.criterion import results, scoreboard
from judging.management.commands import run_debate
from scoring.enums import EntryKind
from scoring.services import previews
from scoring.services.actions import Intent
from tests import acts, factories, playing
from tests.playing import ruling, script

pytestmark = pytest.mark.django_db


def card(code: str, category: str) -> dict[str, str]:
    words = {"question": "Is it so?", "high": "It is.", "low": "It is not."}
    return {"code": code, "name": code, "category": category, "weight": "1", "category_weight": "1", **words}


@pytest.fixture
def played():
    """Two criteria of a running debate, 5.00 and 10.00 before."""
    rubric = {"slug": "small", "criteria": [card("P1", "problem"), card("P2", "problem"), card("P3", "market")]}
    debate = factories.debate(parameters={"rubric": rubric})
    first, second = (factories.criterion(debate, key=key, initial=to) for key, to in (("P1", "5"), ("P2", "10")))
    return debate, first, second


def overall(debate) -> dict[str, object]:
    return results.numbers(debate=debate)["overall"]


def test_before_is_of_all_criteria_until_one_is_scored(played):
    debate, _, _ = played

    assert overall(debate)["after"] is None
    assert results.numbers(debate=debate)["scored"] == {"criteria": 0, "of": 2}
    assert overall(debate)["before"] == "7.50"


def test_before_and_now_are_of_the_criteria_that_are_scored(played):
    debate, _, second = played
    factories.count(second, "0")

    found = overall(debate)

    assert (found["before"], found["after"]) == ("10.00", "10.00")
    assert found["coverage"] == "0.666667"
    assert results.numbers(debate=debate)["scored"] == {"criteria": 1, "of": 2}
    sides = {one["category"]: (one["before"], one["after"]) for one in results.numbers(debate=debate)["categories"]}
    assert sides == {"problem": ("10.00", "10.00"), "market": (None, None)}


def test_the_page_and_the_index_say_of_how_many_criteria(played):
    debate, first, second = played
    factories.count(second, "0")

    page = Client().get(f"/debates/{debate.public_id}/").content.decode()
    index = Client().get("/").content.decode()

    assert "1 of 2 criteria have one, and before and now are of those" in page
    assert "1 of 2 criteria" in index
    factories.count(first, "1")
    assert "of 2 criteria" not in Client().get("/").content.decode()


def test_the_confidence_is_of_the_criteria_in_which_a_round_has_counted():
    """An initial score that was kept brings no confidence."""
    answers = [*script([[ruling("1", "0.2")]], thread="P1"), *script([[]], thread="P2")]
    initial = {"P1": ("6", "0.5"), "P2": ("6", "0.1")}
    debate = playing.debate(answers, rounds=1, criteria=("P1", "P2"), initial=initial)

    playing.work()

    assert results.numbers(debate=debate)["confidence"] == "0.70"


def everything_struck():
    """A criterion that begins at 8 and is ruled down to 7: its one verdict is struck, and it stands where it began."""
    debate = playing.debate(script([[ruling("-1")]]), rounds=1, initial={"P1": ("8", "0.5")})
    playing.work()
    score, by = debate.evaluations.get(), factories.moderator()
    acts.strike(order=factories.order(score, by), facts=score.basis, now=timezone.now())
    debate.refresh_from_db()
    return debate


def nothing_counted():
    """A criterion that begins at 8, and of which nobody rules on anything."""
    debate = playing.debate(script([[]]), rounds=1, initial={"P1": ("8", "0.5")})
    playing.work()
    debate.refresh_from_db()
    return debate


@pytest.mark.parametrize("played_out", [everything_struck, nothing_counted])
def test_initial_scores_that_are_kept_are_no_result_anywhere(client, played_out):
    debate = played_out()

    document = client.get(f"/api/v1/debates/{debate.public_id}/result/").json()

    came_to = document["overall"]
    assert (came_to["before"], came_to["after"], came_to["coverage"]) == ("8.00", "8.00", "1.00")
    assert (came_to["recommendation"], came_to["band"], document["strengths"]) == (None, None, [])
    assert "no verdict counts: this is where the debate began" in run_debate.report(document, journeys={})
    [row] = scoreboard.scoreboard(debate=debate).rows
    assert [badge.word for badge in row.badges if badge.word == "no verdicts"] == ["no verdicts"]
    page = client.get(f"/debates/{debate.public_id}/result/").content.decode()
    assert "no result of it" in page
    assert "Strengths" not in page


def test_whoever_strikes_the_last_verdict_is_told_that_nothing_is_recommended_then():
    debate = playing.debate(script([[ruling("-1")]]), rounds=1, initial={"P1": ("8", "0.5")})
    playing.work()
    score = debate.evaluations.get()
    strike = Intent(EntryKind.STRIKE, facts=score.basis)

    seen = previews.preview(evaluation_id=score.pk, intent=strike, by=factories.moderator().pk)

    told = {row.what: (row.now, row.then) for row in what_becomes_of_it(score, seen.then)}
    assert told == {"Overall": ("7.00", "8.00"), "Recommendation": ("pursue", "none")}


def test_whoever_sets_the_score_that_was_kept_by_hand_is_told_what_is_recommended_then():
    debate = nothing_counted()
    score = debate.evaluations.get()
    same = Intent(EntryKind.OVERRIDE, value="8")

    seen = previews.preview(evaluation_id=score.pk, intent=same, by=factories.moderator().pk)

    told = {row.what: (row.now, row.then) for row in what_becomes_of_it(score, seen.then)}
    assert told == {"Overall": ("8.00", "8.00"), "Recommendation": ("none", "pursue")}


def test_what_counts_again_is_a_result_again_also_where_it_moves_nothing():
    debate = playing.debate(script([[ruling("0", "0")]]), rounds=1, initial={"P1": ("8", "0.5")})
    playing.work()
    score, by = debate.evaluations.get(), factories.moderator()
    facts = score.basis
    acts.strike(order=factories.order(score, by), facts=facts, now=timezone.now())
    put_back = Intent(EntryKind.REINSTATE, facts=facts)

    seen = previews.preview(evaluation_id=score.pk, intent=put_back, by=by.pk)

    told = {row.what: (row.now, row.then) for row in what_becomes_of_it(seen.evaluation, seen.then)}
    assert told["Recommendation"] == ("none", "pursue")


def test_a_debate_that_was_cancelled_recommends_nothing(client, played):
    debate, _, second = played
    factories.count(second, "0")
    assert overall(debate)["recommendation"] == "pursue"

    debate.status = Status.CANCELLED.value
    debate.save()

    assert (overall(debate)["recommendation"], overall(debate)["band"]) == (None, "excellent")
    assert "pursue" not in client.get("/").content.decode()
    assert (
        "a debate that was cancelled recommends nothing" in client.get(f"/debates/{debate.public_id}/").content.decode()
    )
    document = client.get(f"/api/v1/debates/{debate.public_id}/result/").json()
    assert "it was cancelled, so nothing is recommended" in run_debate.report(document, journeys={})
