"""What the desk calls things, so that nobody acts on the wrong one."""

from decimal import Decimal

import pytest

from scoring.groups import MODERATOR, SENIOR
from scoring.models import Approval, RescoreSet
from tests import factories
from tests.moderators import address, client_of, frozen, member, of_score, send, words
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.django_db, WITHOUT_COLLECTED_FILES]


@pytest.fixture
def client():
    return client_of(member(SENIOR))


@pytest.fixture
def score():
    return factories.criterion(factories.debate(title="Tidal power"))


def test_enter_previews_where_there_is_a_preview(client, score):
    page = client.get(of_score("override", score)).content.decode()

    assert page.index('name="_preview"') < page.index('name="_act"')


@pytest.mark.parametrize("page", ["change", "freeze", "override", "as_of"])
def test_the_pages_of_a_score_name_its_debate(client, score, page):
    shown = client.get(of_score(page, score))

    assert shown.context["subtitle"] == f"{score} in “Tidal power”"


def test_what_an_action_did_names_the_debate(client, score):
    assert f"{score} in “Tidal power” is frozen at 6.00." in send(client, "freeze", score)


def test_requests_name_the_debate_in_the_list_and_on_their_page(client, score, settings):
    settings.SECOND_PERSON_FROM = Decimal(2)
    send(client_of(member(MODERATOR)), "override", score, value="9")
    row = Approval.objects.get()

    assert f"{score} Tidal power" in words(client.get(address("scoring_approval", "changelist")))
    assert "Debate Tidal power" in words(client.get(address("scoring_approval", "change", row.pk)))


def confirm(client, action, score, **given):
    where = address("scoring_evaluation", f"bulk_{action}")
    score.refresh_from_db()
    form = {"rows": f"{score.pk}:{score.moderation_version}", **given}
    return words(client.post(where, form, follow=True))


def test_freezing_many_says_that_they_freeze(client, score):
    assert "frozen: no → yes" in confirm(client, "freeze", score)


def test_unfreezing_many_says_how_much_is_held_and_a_staged_set_does_so_too(client, score):
    frozen(score, factories.moderator())
    factories.count(score, "1")

    assert "frozen: yes → no; 1 verdict held" in confirm(client, "unfreeze", score)
    staged = confirm(client, "unfreeze", score, reason=factories.REASON, choice="apply", _stage="1")

    assert RescoreSet.objects.count() == 1
    assert f"{score} Tidal power 6.00 7.00 +1.00 frozen: yes → no; 1 verdict held" in staged


def test_what_is_held_meanwhile_is_not_discarded_without_being_asked_for(client, score):
    frozen(score, factories.moderator())
    factories.count(score, "1")

    assert "Please correct the error below. Nothing was changed." in send(client, "unfreeze", score)
