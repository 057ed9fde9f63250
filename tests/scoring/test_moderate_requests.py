"""Deciding as a second person from the command line."""

from decimal import Decimal

import pytest

from scoring.models import Approval, Evaluation
from tests import factories
from tests.scoring.commands import NOBODY, refused, said

pytestmark = pytest.mark.django_db


@pytest.fixture
def asked(evaluation, settings) -> Approval:
    """Alice asks for 3, and Bob is there to decide."""
    settings.SECOND_PERSON_FROM = Decimal(2)
    words = ["--as", "alice", "--reason", factories.REASON, "--seen", 0, "--value", "3"]
    said("moderate", "override", evaluation.public_id, *words)
    factories.moderator("bob")
    return Approval.objects.get()


def test_what_waits_for_a_second_person_is_listed(asked):
    assert said("moderate", "requests").splitlines() == [
        "id                                    score               now   asked for  by     reason",
        f"{asked.public_id}  P1 Problem clarity  9.00  3.00       alice  {factories.REASON}",
    ]


def test_a_second_person_approves(evaluation, asked):
    lines = said("moderate", "approve", asked.public_id, "--as", "bob", "--reason", factories.REASON).splitlines()

    assert lines[0] == "Entry 4, override: 9.00 -> 3.00."
    assert Evaluation.objects.get(pk=evaluation.pk).final_score == 3
    assert said("moderate", "requests") == "Nothing waits for a second person.\n"


def test_a_second_person_refuses(evaluation, asked):
    told = said("moderate", "refuse", asked.public_id, "--as", "bob", "--reason", factories.REASON)

    assert told == f"Request {asked.public_id} is refused. Nothing has moved.\n"
    assert Evaluation.objects.get(pk=evaluation.pk).final_score == 9
    again = refused("moderate", "approve", asked.public_id, "--as", "bob", "--reason", factories.REASON)
    assert again[1].startswith("This request was refused by bob at ")


def test_nobody_approves_their_own_request(evaluation, asked):
    told = refused("moderate", "approve", asked.public_id, "--as", "alice", "--reason", factories.REASON)

    assert told == (1, "You asked for this override yourself; somebody else has to approve it.")
    assert Evaluation.objects.get(pk=evaluation.pk).final_score == 9


def test_a_request_that_is_not_there_is_refused(asked):
    told = refused("moderate", "refuse", NOBODY, "--as", "bob", "--reason", factories.REASON)

    assert told == (1, f"There is no request {NOBODY}.")
