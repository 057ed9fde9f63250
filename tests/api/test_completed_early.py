"""Debates that are played elsewhere and completed before their last round: what has counted counts, and they say so."""

import pytest

from tests.api.clients import code_of
from tests.api.test_debates import BECAUSE, a_round, alice, elsewhere, ruling

pytestmark = pytest.mark.django_db
__all__ = ["alice"]


@pytest.mark.parametrize("early", ["threads/P1/complete/", "complete/"])
def test_a_debate_that_is_completed_before_its_last_round_is_partial_and_says_so(alice, early):
    address = elsewhere(alice)
    alice.post(f"{address}threads/P1/rounds/", a_round(1, ruling("1.5")))

    alice.post(f"{address}{early}")
    alice.post(f"{address}complete/")

    told = alice.get(f"{address}result/").json()
    assert (told["debate"]["partial"], told["debate"]["partialReason"]) == (True, "completed_early")
    assert [(one["final"], one["verdicts"], one["complete"]) for one in told["evaluations"]] == [
        ("7.50", 1, False), ("4.50", 0, False),
    ]  # fmt: skip


def test_completed_without_a_round_its_scores_are_as_where_it_was_stopped_without_one(alice):
    completed, stopped = elsewhere(alice), elsewhere(alice)

    alice.post(f"{completed}complete/")
    alice.post(f"{stopped}stop/", BECAUSE)

    told = [alice.get(f"{address}result/").json() for address in (completed, stopped)]
    assert [one["debate"]["partialReason"] for one in told] == ["completed_early", "stopped"]
    first, second = ([(row["final"], row["verdicts"], row["complete"]) for row in one["evaluations"]] for one in told)
    assert first == second == [("6.00", 0, False), ("4.50", 0, False)]


def test_strengths_without_a_summary_are_refused_and_nothing_is_lost(alice):
    address = elsewhere(alice)

    refused = alice.post(f"{address}complete/", {"strengths": ["It holds."]})

    assert code_of(refused) == (422, "invalid")
    assert refused.json()["detail"] == "summary must not be empty where strengths, weaknesses or advice are given."
    assert alice.get(address).json()["status"] == "running"


@pytest.mark.parametrize(
    ("words", "place"),
    [
        ({"summary": "\u200b\u2800"}, "summary"),
        ({"strengths": ["Short.", "\u200b"]}, "strengths, 2"),
        ({"weaknesses": ["\u2800"]}, "weaknesses, 1"),
        ({"advice": ["\u3164"]}, "advice, 1"),
    ],
)
def test_closing_words_that_nobody_sees_are_none(alice, words, place):
    refused = alice.post(f"{elsewhere(alice)}complete/", {"summary": "It holds.", **words})

    assert (refused.status_code, refused.json()["detail"]) == (422, f"{place} must have a character that can be seen.")


def test_who_conducts_a_debate_is_told_when_every_thread_has_ended_and_it_waits_to_be_completed(alice):
    address = elsewhere(alice)

    def told() -> list[str]:
        events = alice.get(f"{address}events/").json()["events"]
        return [one["type"] for one in events if one["type"].startswith("debate:conclud")]

    alice.post(f"{address}threads/P1/complete/")
    before = told()
    alice.post(f"{address}threads/P2/complete/")

    assert (before, told(), alice.get(address).json()["status"]) == ([], ["debate:concluding"], "concluding")
    alice.post(f"{address}complete/")
    assert told() == ["debate:concluding", "debate:concluded"]
