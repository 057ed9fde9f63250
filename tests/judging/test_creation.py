"""What cannot become a debate is refused by name before anything is written."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from debates.errors import Invalid
from debates.models import Debate, Participant
from judging.engine.creation import create_draft
from judging.formats.criterion.spec import CriterionSpec
from judging.formats.registry import format_of
from tests import playing

pytestmark = pytest.mark.django_db
DEEP: list = []
for _ in range(100_000):
    DEEP = [DEEP]
ANSWER = {"purpose": "challenge", "answer": "{}"}


def scripted(script):
    return {"provider": "scripted", "script": script}


@pytest.mark.parametrize(
    ("change", "names"),
    [
        pytest.param(scripted(5), "script must be a list of answers; got int", id="a number for a script"),
        pytest.param(scripted(True), "script must be a list of answers; got bool", id="a truth value for a script"),
        pytest.param(scripted(None), "script must be a list of answers; got NoneType", id="nothing for a script"),
        pytest.param(scripted({}), "script must be a list of answers; got dict", id="an object for a script"),
        pytest.param(scripted(""), "script must be a list of answers; got str", id="no words for a script"),
        pytest.param(scripted([]), "script must not be empty", id="an empty script"),
        pytest.param(scripted([5]), "script, answer 1: must be an object", id="a number for an answer"),
        pytest.param(scripted([{"answer": "a\x00"}]), "script, answer 1 must not contain a NUL", id="NUL in an answer"),
        pytest.param(
            scripted([{"answer": {"a\x00": 1}}]), "script, answer 1 must not contain a NUL", id="NUL in a key"
        ),
        pytest.param(
            scripted([{"answer": "\ud800"}]), "script, answer 1 must not contain half a character", id="half of one"
        ),
        pytest.param(scripted([{"answer": DEEP}]), "script, answer 1: is nested too deeply", id="too deep"),
        pytest.param(scripted([{"answer": {1, 2}}]), "script, answer 1: is not JSON", id="no JSON"),
        pytest.param(scripted([{"answer": float("nan")}]), "script, answer 1: is not JSON", id="not a number"),
        pytest.param(scripted([{**ANSWER, "seconds": "x"}]), "answer 1: seconds must be a number", id="a wordy delay"),
        pytest.param(scripted([{**ANSWER, "seconds": 1e9}]), "answer 1: seconds must be a number", id="for ever"),
        pytest.param({"model": "m" * 121}, "model must have at most 120 characters; got 121", id="a long model"),
        pytest.param({"model": 5}, "model must be text", id="a number for a model"),
        pytest.param({"model": "m\x00"}, "model must not contain a NUL", id="NUL in a model"),
        pytest.param({"title": "\u200b"}, "title must have a character that can be seen", id="a title of nothing"),
        pytest.param(
            {"title": "\u2800"}, "title must have a character that can be seen", id="a title of Braille blanks"
        ),
        pytest.param({"title": "\udfff"}, "title must not contain half a character", id="half a title"),
        pytest.param({"subject": "\ud800"}, "subject must not contain half a character", id="half a subject"),
        pytest.param({"rubric": playing.rubric("P\x00")}, "rubric must not contain a NUL", id="NUL in a rubric"),
        pytest.param({"provider": ["heuristic"]}, "provider must be one of", id="a list for a provider"),
        pytest.param({"provider": None}, "provider must be one of", id="no provider"),
        pytest.param({"providers": {5: "heuristic"}}, "'5' is no role", id="a number for a role"),
        pytest.param({"personas": [5]}, "personas must be some of .*; got 5", id="a number for a persona"),
    ],
)
def test_what_cannot_become_a_debate_is_refused_before_anything_is_written(change, names):
    spec = CriterionSpec(**{"title": "T", "subject": "Words.", "rubric": playing.rubric("P1"), **change})

    with CaptureQueriesContext(connection) as seen, pytest.raises(Invalid, match=names):
        create_draft(spec=spec, by=None, now=timezone.now())

    assert [one["sql"] for one in seen.captured_queries if "INSERT" in one["sql"]] == []
    assert Debate.objects.count() == 0


def test_of_several_voices_only_those_name_a_model_who_ask_one():
    spec = CriterionSpec(
        title="T", subject="Words.", rubric=playing.rubric("P1"), script=[ANSWER], model="large",
        providers={"evaluator": "scripted"},
    )  # fmt: skip

    debate = create_draft(spec=spec, by=None, now=timezone.now())

    assert list(Participant.objects.order_by("position").values_list("provider", "model")) == [
        ("scripted", "large"),
        ("heuristic", ""),
        ("heuristic", ""),
    ]
    assert format_of(debate.format).request_of(debate=debate)["model"] == "large"


def test_voices_may_have_providers_of_their_own():
    spec = CriterionSpec(
        title="T", subject="Words.", rubric=playing.rubric("P1"), script=[ANSWER], providers={"arbiter": "scripted"}
    )

    create_draft(spec=spec, by=None, now=timezone.now())

    assert list(Participant.objects.values_list("role", "provider").order_by("position")) == [
        ("evaluator", "heuristic"),
        ("challenger", "heuristic"),
        ("arbiter", "scripted"),
    ]
