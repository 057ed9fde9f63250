"""Entries of the ledger as the desk shows them: on a page of their own, and marked where they are void."""

import pytest
from django.utils import timezone

from scoring.admin import timeline
from scoring.groups import AUDITOR
from scoring.models import ScoreChange
from tests import acts, factories
from tests.moderators import address, client_of, member, of_score, send, words
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.django_db, WITHOUT_COLLECTED_FILES]


@pytest.fixture
def score():
    """A score of 6 that counted +1 and then -0.5, and went back to its opening."""
    made = factories.criterion()
    factories.count(made, "1")
    factories.count(made, "-0.5")
    back(made, 1)
    return made


def back(score, target, name="alice"):
    by = factories.moderator(f"{name}-{target}")
    acts.roll_back(order=factories.order(score, by), target=target, now=timezone.now())
    score.refresh_from_db()


def entry(score, number):
    return ScoreChange.objects.get(evaluation=score, sequence=number)


def page_of(score, number):
    return words(client_of(member(AUDITOR)).get(address("scoring_scorechange", "change", entry(score, number).pk)))


def test_what_a_rollback_went_back_over_is_void(score):
    assert timeline.void(evaluation=score, until=score.version) == {2, 3}


def test_a_rollback_that_is_taken_back_is_void_and_what_it_made_void_is_not(score):
    back(score, 3)

    assert timeline.void(evaluation=score, until=score.version) == {4}
    assert timeline.void(evaluation=score, until=4) == {2, 3}


def test_the_page_of_a_score_marks_what_is_void(score):
    page = client_of(member(AUDITOR)).get(of_score("change", score)).content.decode()

    assert page.count('<tr class="void">') == 2


def test_the_page_of_an_entry_says_in_words_what_it_did(score):
    shown = page_of(score, 2)

    assert "P1 Problem clarity in A debate . Entry before , Entry after" in shown
    assert "A rollback went back over this entry: what it did is void." in shown
    assert "What Round 1 Value 6.00 to 7.00 Change +1.00 Computed 7.00 Override none" in shown
    assert "What it is about (1) Round What Moves Why 1 verdict +1.00" in shown


def test_the_page_of_a_rollback_says_where_it_went_by_whom_and_why(score):
    shown = page_of(score, 4)

    assert "What Rolled back to entry 1 Value 6.50 to 6.00" in shown.replace("Rollback", "Rolled back")
    assert "By alice-1" in shown
    assert factories.REASON in shown


def test_the_log_of_the_admin_says_who_did_what_to_which_score():
    score = factories.criterion()
    send(client_of(factories.moderator("ruth")), "freeze", score)

    shown = words(client_of(member(AUDITOR)).get("/admin/admin/logentry/"))

    assert "ruth freeze, entry 2 P1 Problem clarity" in shown
