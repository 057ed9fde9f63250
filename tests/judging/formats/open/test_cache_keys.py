"""A judgement is known again by everything that it depends on, and by nothing else."""

from dataclasses import replace
from decimal import Decimal

import pytest

from judging.engine.judgement_cache import digest
from judging.formats import prompts
from judging.types import Purpose, Request
from tests.judging.heuristics.adherence.responses import MIRA, scene

RESPONSE = "Mira is right about the ward, and I will come to it at once, as soon as I have said what I must say. " * 2


def request(shown=None, **changes):
    shown = shown or scene(RESPONSE)
    prompt, _, _ = prompts.load(Purpose.EVALUATE)
    made = Request(
        purpose=Purpose.EVALUATE,
        prompt=prompt,
        messages=prompts.messages(purpose=Purpose.EVALUATE, material=shown),
        schema={},
        material=shown,
    )
    return replace(made, **changes)


def of(asked, **about):
    return digest(request=asked, **{"provider": "heuristic", "source": ["3"], **about})


FIRST = of(request())


def test_the_same_request_is_known_again():
    assert of(request()) == FIRST
    assert len(FIRST) == 64


@pytest.mark.parametrize(
    "changes",
    [{"thread": "T2"}, {"round": 4}, {"attempt": 3}, {"model": "large"}, {"script": ({"answer": {}},)}],
    ids=lambda one: next(iter(one)),
)
def test_who_asks_and_how_often_makes_no_difference(changes):
    assert of(request(**changes)) == FIRST


LATER = RESPONSE + "The end."
OTHERS = [
    pytest.param(of(request(scene(LATER))), id="another end of the response"),
    pytest.param(of(request(scene(RESPONSE, speaker="Mira"))), id="another speaker"),
    pytest.param(of(request(scene(RESPONSE, framework="pragmatic"))), id="another framework"),
    pytest.param(of(request(scene(RESPONSE, said=MIRA + " And more."))), id="another text answered"),
    pytest.param(of(request(), source=["4"]), id="another version of the rules"),
    pytest.param(of(request(), source=["http://here/v1", "large"]), id="a model"),
    pytest.param(of(request(), source=["http://here/v1", "small"]), id="another model"),
    pytest.param(of(request(), source=["http://there/v1", "large"]), id="the same model elsewhere"),
    pytest.param(of(request(temperature=Decimal("0.7"))), id="another temperature"),
    pytest.param(of(request(prompt=replace(request().prompt, version=9))), id="another version of the prompt"),
    pytest.param(of(request(), provider="openai"), id="another provider"),
    pytest.param(of(request(replace(scene(RESPONSE), accountability="strict"))), id="another accountability"),
    pytest.param(of(request(), repetition=2), id="a judgement wanted twice"),
]


def test_two_responses_with_the_same_first_100_characters_are_told_apart():
    assert LATER[:100] == RESPONSE[:100]
    assert of(request(scene(LATER))) != FIRST


@pytest.mark.parametrize("other", OTHERS)
def test_everything_that_a_judgement_depends_on_tells_it_apart(other):
    assert other != FIRST


def test_no_two_of_them_are_alike():
    assert len({one.values[0] for one in OTHERS}) == len(OTHERS)


def test_the_far_end_of_a_very_long_response_counts_too():
    long = "word " * 5_000

    assert of(request(scene(long + "yes"))) != of(request(scene(long + "no")))
