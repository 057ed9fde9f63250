"""Deciding appeals from the command line, and where they are read: the case of a score, and the feed of moderation."""

import pytest
from django.test import Client
from django.urls import reverse

from judging.engine import appeals
from scoring.enums import AppealState
from scoring.groups import MODERATOR
from scoring.models import Appeal, Evaluation
from tests import factories
from tests.judging.test_appeals import WORDS, claimed, decide, file, scene
from tests.moderators import client_of, member, words
from tests.scoring.commands import refused, said
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.django_db, WITHOUT_COLLECTED_FILES]
WHY = ("--as", "bob", "--reason", "The paragraph says 120.")


@pytest.fixture
def filed():
    evaluation, paula, _ = scene()
    factories.moderator("bob")
    return file(evaluation, paula, entry=3)


def test_an_appeal_is_listed_claimed_and_allowed_by_an_act(filed):
    evaluation = Evaluation.objects.get()
    allow = (
        "moderate",
        "decide-appeal",
        filed.public_id,
        *WHY,
        "--outcome",
        "allowed",
        "--by",
        "override",
        "--value",
        "7",
    )

    listed = said("moderate", "appeals")
    taken = said("moderate", "claim-appeal", filed.public_id, "--as", "bob")
    _, unseen = refused(*allow)
    done = said(*allow, "--seen", evaluation.moderation_version)

    assert str(filed.public_id) in listed
    assert WORDS in listed
    assert "is yours for 30 minutes" in taken
    assert f"--seen {evaluation.moderation_version}" in unseen
    assert done.startswith(f"Appeal {filed.public_id} is allowed.")
    assert "final 7.00" in done
    assert Appeal.objects.get().act.actor_kind == "system"
    assert said("moderate", "appeals") == "No appeal waits.\n"


@pytest.mark.parametrize(
    ("more", "why"),
    [
        (("--outcome", "dismissed"), "Claim this appeal first"),
        (("--outcome", "moot"), "Claim this appeal first"),
        (("--outcome", "allowed", "--entry", "3"), "Claim this appeal first"),
    ],
)
def test_only_who_has_claimed_it_decides(filed, more, why):
    assert why in refused("moderate", "decide-appeal", filed.public_id, *WHY, *more)[1]


def test_an_appeal_is_given_back_dismissed_and_not_moot_while_it_stands(filed):
    said("moderate", "claim-appeal", filed.public_id, "--as", "bob")
    assert "given back" in said("moderate", "release-appeal", filed.public_id, "--as", "bob")
    said("moderate", "claim-appeal", filed.public_id, "--as", "bob")
    assert "still stands" in refused("moderate", "decide-appeal", filed.public_id, *WHY, "--outcome", "moot")[1]

    assert "is dismissed." in said("moderate", "decide-appeal", filed.public_id, *WHY, "--outcome", "dismissed")
    assert Appeal.objects.get().state == AppealState.DISMISSED


def test_who_acted_is_refused_on_the_command_line_too(filed):
    assert appeals.ACTED in refused("moderate", "claim-appeal", filed.public_id, "--as", "alice")[1]


def test_the_case_of_a_score_shows_its_appeals(filed):
    page = reverse("admin:scoring_evaluation_case", args=[Evaluation.objects.get().pk])
    client = client_of(member(MODERATOR))

    waiting = words(client.get(page))
    bob = factories.moderator("bobby")
    claimed(filed, bob)
    decide(filed, bob)

    assert "Against entry 3 , open, by paula" in waiting.replace("3,", "3 ,")
    assert WORDS in waiting
    assert "Decided by bobby: The paragraph says 12." in words(client.get(page))


def test_the_feed_of_moderation_tells_of_decided_appeals_and_of_no_others(filed):
    feed = reverse("debate-moderation-feed", args=[filed.debate.public_id])
    before = Client().get(feed).content.decode()
    bob = factories.moderator("bobby")
    claimed(filed, bob)
    decide(filed, bob)

    after = Client().get(feed).content.decode()

    assert "Appeal" not in before
    assert "<title>Appeal dismissed: Problem clarity</title>" in after
    assert f"urn:uuid:{filed.public_id}" in after
    assert "The paragraph says 12." in after
    assert WORDS not in after
