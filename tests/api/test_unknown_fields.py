"""A field that is not known is refused wherever it stands in a body, and told what is known there."""

import pytest

from debates.api import unknown_fields
from judging.api.debates import PostRound
from judging.api.resources import SettleReview
from scoring.api.bulk import ManyScoresSerializer
from scoring.api.moderation import Unfreeze
from scoring.models import Rubric
from scoring.services import rubric_store
from tests import factories, playing
from tests.api.clients import Api, code_of

pytestmark = pytest.mark.django_db
CRITERION = {
    "code": "W1", "name": "Water", "category": "yield", "question": "Is there water?", "high": "All year.",
    "low": "None.", "weight": "1",
}  # fmt: skip
RUBRIC = {"slug": "wells", "name": "Wells", "criteria": [CRITERION]}
CLASSIC = {"title": "Wells", "subject": playing.SUBJECT, "rubric": "small"}
OPEN = {"format": "open", "motion": "Cities should make public transport free."}
PANEL = {"format": "panel", "title": "A cache", "subject": "It is warm after 40 ms.", "task": "Make it fast."}
ODD = {"mood": "good"}
NOBODY = "00000000-0000-4000-8000-000000000000"


@pytest.fixture
def alice() -> Api:
    rubric_store.store(snapshot=playing.rubric("P1"), by=None)
    rights = ["debates.add_debate", "scoring.add_rubric", "scoring.change_rubric"]
    return Api(factories.person("alice", permissions=rights))


@pytest.mark.parametrize(
    ("path", "body", "pointer"),
    [
        pytest.param("/rubrics/", {**RUBRIC, "mood": "good"}, "/mood", id="of a rubric"),
        pytest.param("/rubrics/", {**RUBRIC, "criteria": [CRITERION, {**CRITERION, **ODD}]}, "/criteria/1/mood",
                     id="of a rubric's criterion"),
        pytest.param("/debates/", {**CLASSIC, **ODD}, "/mood", id="of a debate"),
        pytest.param("/debates/", {**CLASSIC, "initial": {"P1": {"score": "6", **ODD}}}, "/initial/P1/mood",
                     id="of an initial score"),
        pytest.param("/debates/", {**CLASSIC, "limits": ODD}, "/limits/mood", id="of limits"),
        pytest.param("/debates/", {**CLASSIC, "fairness": {"swop": True}}, "/fairness/swop", id="of fairness"),
        pytest.param("/debates/", {**OPEN, "chairs": [{"name": "Mira"}, {"name": "Otto", **ODD}]}, "/chairs/1/mood",
                     id="of a chair"),
        pytest.param("/debates/", {**PANEL, "judges": [ODD]}, "/judges/0/mood", id="of a judge"),
        pytest.param("/debates/", {**PANEL, "reporter": ODD}, "/reporter/mood", id="of a reporter"),
        pytest.param("/debates/", {**PANEL, "policy": ODD}, "/policy/mood", id="of a policy"),
        pytest.param("/debates/", {**PANEL, "criteria": [{"name": "design", "wieght": "1"}]}, "/criteria/0/wieght",
                     id="of a weight, where the right one is missing"),
    ],
)  # fmt: skip
def test_a_strange_field_is_refused_with_its_place_and_those_that_are_known(alice, path, body, pointer):
    refused = alice.post(path, body)

    assert code_of(refused) == (400, "unknown_field")
    (fault,) = refused.json()["errors"]
    assert (fault["pointer"], fault["code"]) == (pointer, "unknown_field")
    assert fault["detail"].startswith("There is no such field; known here are ")
    assert not Rubric.objects.filter(slug="wells").exists()


def test_it_says_what_would_be_right(alice):
    refused = alice.post("/debates/", {**CLASSIC, "limits": {"monney": "1"}})

    assert refused.json()["detail"] == "/limits/monney: There is no such field; known here are money, tokens, calls."


def test_a_strange_parameter_is_refused_with_those_that_are_known(alice):
    answers = [alice.get(path, **ODD) for path in ("/debates/", "/")]

    assert [code_of(answer) for answer in answers] == [(400, "unknown_parameter")] * 2
    known = [answer.json()["errors"][0]["detail"] for answer in answers]
    assert known[0].startswith("There is no such parameter; known here are ")
    assert {"status", "ordering", "page_size"} <= set(known[0].rstrip(".").partition("are ")[2].split(", "))
    assert known[1] == "There is no such parameter; none is known here."


@pytest.mark.parametrize(
    ("field", "pointer", "code"),
    [
        pytest.param({"mo/o~d": "good"}, "/mo~1o~0d", "unknown_field", id="of a strange field"),
        pytest.param({"initial": {"U/X~": ODD}}, "/initial/U~1X~0/mood", "unknown_field", id="within one"),
        pytest.param({"initial": {"U/X~": {"score": 6}}}, "/initial/U~1X~0/score", "wrong_type", id="another type"),
        pytest.param({"initial": {"U/X~": {}}}, "/initial/U~1X~0/score", "required", id="what is missing"),
    ],
)
def test_a_pointer_escapes_what_stands_for_something_else_in_one(alice, field, pointer, code):
    refused = alice.post("/debates/", {**CLASSIC, **field})

    assert [(fault["pointer"], fault["code"]) for fault in refused.json()["errors"]] == [(pointer, code)]


@pytest.mark.parametrize(
    ("query", "name", "code"),
    [
        pytest.param("mo/o~d=good", "mo/o~d", "unknown_parameter", id="a strange one"),
        pytest.param("title=a&title=b", "title", "repeated_parameter", id="one given twice"),
        pytest.param("page_size=1.0", "page_size", "wrong_type", id="another type"),
        pytest.param("page_size=0", "page_size", "min_value", id="outside its limits"),
        pytest.param("status=running&status=asleep", "status", "invalid_choice", id="none of the choices"),
        pytest.param("cursor=nonsense", "cursor", "bad_cursor", id="a cursor of nothing"),
    ],
)
def test_a_fault_of_a_parameter_points_to_its_name(alice, query, name, code):
    refused = alice.get(f"/debates/?{query}")

    assert [(fault["pointer"], fault["code"]) for fault in refused.json()["errors"]] == [(name, code)]
    assert refused.json()["detail"].startswith(f"{name}: ")


def test_an_order_that_takes_a_debate_points_to_its_name(alice):
    [fault] = alice.get("/evaluations/?ordering=value").json()["errors"]

    assert fault["pointer"] == "ordering"


@pytest.mark.parametrize(
    ("shape", "body", "place"),
    [
        pytest.param(PostRound.Input, {"challenges": [{"mood": 1}]}, "challenges/0/mood", id="a challenge"),
        pytest.param(PostRound.Input, {"presses": [{}, {"mood": 1}]}, "presses/1/mood", id="a press"),
        pytest.param(PostRound.Input, {"defences": [{"mood": 1}]}, "defences/0/mood", id="a defence"),
        pytest.param(PostRound.Input, {"verdicts": [{"mood": 1}]}, "verdicts/0/mood", id="a verdict"),
        pytest.param(SettleReview.Input, {"decisions": {"P1": {"mood": 1}}}, "decisions/P1/mood", id="a decision"),
        pytest.param(
            ManyScoresSerializer, {"evaluations": [{"mood": 1}]}, "evaluations/0/mood", id="one score of many"
        ),
        pytest.param(Unfreeze.Input, {"then": {"mood": 1}}, "then/mood", id="a further step"),
    ],
)
def test_whatever_lies_in_a_body_is_looked_into(shape, body, place):
    assert ["/".join(found) for found, _ in unknown_fields.strange_in(shape(), body)] == [place]


def test_what_has_another_form_is_left_to_its_shape():
    body = {"number": {}, "challenges": {"mood": 1}, "verdicts": [1, ["mood"]]}

    assert list(unknown_fields.strange_in(PostRound.Input(), body)) == []


def test_of_a_list_that_is_too_long_no_more_is_looked_into_than_it_may_have():
    rows = [{} for _ in range(ManyScoresSerializer().fields["evaluations"].max_length)]

    assert list(unknown_fields.strange_in(ManyScoresSerializer(), {"evaluations": [*rows, ODD]})) == []


@pytest.mark.parametrize(
    ("path", "body", "pointer", "detail"),
    [
        pytest.param("/debates/", [], "", "The body must be a JSON object.", id="another type"),
        pytest.param(
            "/appeals/",
            {"debate": NOBODY, "evaluation": NOBODY, "ground": "other", "words": "It says 120 wells."},
            "",
            "evaluation and entry go together.",
            id="fields that go together",
        ),
    ],
)
def test_the_whole_body_is_pointed_to_by_the_empty_text(alice, path, body, pointer, detail):
    refused = alice.post(path, body)

    assert code_of(refused) == (400, "invalid")
    assert [(fault["pointer"], fault["detail"]) for fault in refused.json()["errors"]] == [(pointer, detail)]
    assert refused.json()["detail"] == detail
