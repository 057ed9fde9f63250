"""What the pages of a score refuse: in words, at the top, with nothing changed."""

import pytest
from django.contrib.admin.models import LogEntry
from django.utils import timezone

from scoring.models import Evaluation
from tests import acts, factories
from tests.moderators import ACTIONS, frozen, of_score, overridden, ready_for, send, state, words
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.django_db, WITHOUT_COLLECTED_FILES]
SHORT = {"reason": "too short"}


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        pytest.param("freeze", {"reason": ""}, "This field is required.", id="no reason"),
        pytest.param("freeze", {"reason": "   \n  \t   \n"}, "This field is required.", id="a blank reason"),
        pytest.param("freeze", SHORT, "at least 10 characters (it has 9)", id="a short reason"),
        pytest.param(
            "freeze", {"note": "\u200b"}, "note must have a character that can be seen", id="a note of nothing"
        ),
        pytest.param("override", {"value": "10.01"}, "value must be", id="above the scale"),
        pytest.param("override", {"value": "0.99"}, "value must be", id="below the scale"),
        pytest.param("override", {"value": "7.125"}, "value must be", id="three decimals"),
        pytest.param("override", {"value": "seven"}, "value must be", id="no number"),
        pytest.param("override", {"value": "NaN"}, "value must be", id="not a number"),
        pytest.param("override", {"value": "7,5"}, "value must be", id="a comma"),
        pytest.param("override", {"value": ""}, "This field is required.", id="no value"),
        pytest.param("lift", {}, "There is no override to lift.", id="nothing to lift"),
        pytest.param("unfreeze", {"choice": "apply"}, "is not frozen", id="nothing to unfreeze"),
        pytest.param("strike", {"facts": [999_999]}, "999999 is not one of the available choices", id="no such fact"),
        pytest.param("strike", {}, "This field is required.", id="no fact"),
        pytest.param("roll_back", {"target": 3}, "target must be an earlier entry, 1 to 2; got 3", id="the last entry"),
        pytest.param("roll_back", {"target": 0}, "target must be an earlier entry", id="entry 0"),
        pytest.param("roll_back", {"target": "x"}, "Enter a whole number.", id="no entry"),
        pytest.param("freeze", {"seen": "x"}, "Please correct the error", id="a version that is none"),
    ],
)
def test_bad_input_is_refused_in_words_and_changes_nothing(client, score, name, given, said):
    before = state(score)

    assert said in send(client, name, score, **given)
    assert state(score) == before
    assert not LogEntry.objects.exists()


def test_a_rollback_to_an_entry_of_another_score_is_refused(client, score):
    other = factories.criterion(score.debate, key="P2")
    for _ in range(5):
        factories.count(other, "0.1")
    before = state(score)

    assert "target must be an earlier entry, 1 to 2; got 5" in send(client, "roll_back", score, target=5)
    assert state(score) == before


def test_an_unfreeze_that_carries_a_rollback_to_nowhere_is_refused_whole(client, alice, score):
    frozen(score, alice)
    before = state(score)

    said = send(client, "unfreeze_roll_back", score, choice="apply", target=0)

    assert "target must be an earlier entry" in said
    assert state(score) == before


def test_facts_of_another_score_are_refused(client, score):
    other = factories.criterion(score.debate, key="P2")
    factories.count(other, "1")

    assert "is not one of the available choices" in send(client, "strike", score, facts=other.basis)
    assert Evaluation.objects.get(pk=other.pk).basis == other.basis


def test_a_page_that_is_out_of_date_says_who_changed_what_and_keeps_what_was_written(client, score):
    bob = factories.moderator("bob")
    seen = score.moderation_version
    overridden(score, bob)
    before = state(score)

    page = client.post(of_score("override", score), {"seen": seen, "value": "3", "reason": factories.REASON})

    assert "no longer as you saw it" in words(page)
    assert "bob: override at" in words(page)
    assert 'name="value" value="3"' in page.content.decode()
    assert factories.REASON in page.content.decode()
    assert f'name="seen" value="{score.moderation_version}"' in page.content.decode()
    assert state(score) == before


def of_the_last(name, score, alice):
    """Bring a score to where an action is open on its only fact, and return what the page of the action sends."""
    acts.strike(order=factories.order(score, alice), facts=score.basis[1:], now=timezone.now())
    score.refresh_from_db()
    given = ready_for(name, score, alice)
    return {"seen": score.moderation_version, "reason": factories.REASON, **given}


@pytest.mark.parametrize("preview", [{}, {"_preview": "Preview"}], ids=["sent", "looked at"])
@pytest.mark.parametrize("name", ["strike", "unfreeze_strike"])
def test_what_was_struck_meanwhile_is_told_with_who_struck_it_and_not_as_a_choice_that_is_none(
    client, alice, score, name, preview
):
    form, bob = of_the_last(name, score, alice), factories.moderator("bob")
    if name != "strike":
        acts.unfreeze(order=factories.order(score, bob), choice=None, now=timezone.now())
        score.refresh_from_db()
    acts.strike(order=factories.order(score, bob), facts=form["facts"], now=timezone.now())
    score.refresh_from_db()

    page = client.post(of_score(name, score), {**form, **preview})

    assert "no longer as you saw it" in words(page)
    assert "bob: strike at" in words(page)
    assert "Select a valid choice" not in words(page)
    assert factories.REASON in page.content.decode()
    assert f'name="seen" value="{score.moderation_version}"' in page.content.decode()


@pytest.mark.parametrize("name", ["strike", "reinstate", "unfreeze_strike"])
def test_a_form_that_is_sent_twice_is_told_that_it_was_done(client, alice, score, name):
    form = of_the_last(name, score, alice)

    client.post(of_score(name, score), form)
    again = words(client.post(of_score(name, score), form))

    assert f"alice: {name.removeprefix('unfreeze_')} at" in again
    assert "Select a valid choice" not in again


def test_an_undo_that_asks_for_a_choice_since_another_froze_the_score_says_who_froze_it(client, alice, score):
    overridden(score, alice)
    form = {"seen": score.moderation_version, "reason": factories.REASON}
    frozen(score, factories.moderator("bob"))
    factories.count(score, "2")

    said = words(client.post(of_score("undo", score), form))

    assert "bob: freeze at" in said
    assert "This field is required" not in said


def test_rounds_that_the_engine_counts_do_not_make_a_page_stale(client, score):
    seen = score.moderation_version
    factories.count(score, "1")

    page = client.post(of_score("freeze", score), {"seen": seen, "reason": factories.REASON}, follow=True)

    assert "is frozen at 7.50" in words(page)


def test_a_freeze_wins_over_another_moderator_too(client, score):
    seen = score.moderation_version
    overridden(score, factories.moderator("bob"))

    page = client.post(of_score("freeze", score), {"seen": seen, "reason": factories.REASON}, follow=True)

    assert "What is judged from now on is held." in words(page)


@pytest.mark.parametrize(
    "name", sorted(one for one in ACTIONS if not one.startswith("unfreeze") and one != "reinstate")
)
def test_every_action_on_a_frozen_score_is_refused_in_words(client, alice, score, name):
    overridden(score, alice)
    given = ready_for(name, score, alice) if name != "lift" else {}
    frozen(score, alice)
    before = state(score)

    said = send(client, name, score, **given)

    assert "is frozen since" in said
    assert state(score) == before


WAYS_OUT = {
    "freeze": "unfreeze", "override": "unfreeze_override", "lift": "unfreeze", "strike": "unfreeze_strike",
    "reinstate": "unfreeze", "roll_back": "unfreeze_roll_back",
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("unfreeze", "P1 Problem clarity is not frozen."),
        ("unfreeze_strike", "P1 Problem clarity is not frozen."),
        ("lift", "There is no override to lift."),
        ("strike", "Nothing counts, so there is nothing to strike."),
        ("reinstate", "Nothing that could count beside what counts is left out"),
        ("roll_back", "P1 Problem clarity is at its opening: nothing to go back over."),
    ],
)
def test_where_there_is_nothing_to_do_the_page_says_so_and_has_no_form(client, name, said):
    page = client.get(of_score(name, factories.criterion()))

    assert said in words(page)
    assert 'name="_act"' not in page.content.decode()


def test_a_page_says_beforehand_why_it_would_be_refused(client, alice, score):
    frozen(score, alice)

    for name, way_out in WAYS_OUT.items():
        page = client.get(of_score(name, score))
        assert "is frozen since" in words(page)
        assert 'name="_act"' not in page.content.decode()
        assert f'<a href="{of_score(way_out, score)}" class="button' in page.content.decode()


def test_there_is_no_page_for_a_score_that_does_not_exist(client, score):
    answer = client.get(of_score("freeze", score).replace(f"/{score.pk}/", "/999999/"), follow=True)

    assert "exist. Perhaps it was deleted?" in words(answer)


@pytest.mark.parametrize("name", ACTIONS)
def test_looking_at_a_page_changes_nothing(client, alice, score, name):
    ready_for(name, score, alice)
    before = state(score)

    assert client.get(of_score(name, score)).status_code == 200
    assert state(score) == before


def test_words_of_a_reason_stay_words(client, score):
    send(client, "freeze", score, reason="<script>alert(1)</script>")

    shown = client.get(of_score("change", score)).content.decode()

    assert "&lt;script&gt;alert(1)" in shown
    assert "<script>alert(1)" not in shown
