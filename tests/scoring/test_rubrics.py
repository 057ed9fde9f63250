"""Rubrics from files and tables: what is read, what is refused, what a debate keeps."""

import json
from decimal import Decimal

import pytest

from debates.errors import Invalid, NotFound
from scoring import rubrics
from scoring.services import rubric_store

CRITERION = {
    "code": "A1",
    "name": "Aim",
    "category": "aims",
    "question": "What is it for?",
    "high": "Plain.",
    "low": "Not said.",
    "weight": "0.5",
}


def text(*, criteria: object = None, **more: object) -> str:
    rows = [CRITERION] if criteria is None else criteria
    return json.dumps({"slug": "aims", "name": "Aims", "criteria": rows, **more})


def test_a_rubric_is_read_with_exact_weights():
    read = rubrics.read(text())

    assert read["criteria"] == [CRITERION]
    assert rubrics.category_weights(criteria=read["criteria"]) == {"aims": Decimal("0.5")}


@pytest.mark.parametrize(
    ("given", "names"),
    [
        pytest.param("", "The rubric is not JSON", id="nothing"),
        pytest.param('{"slug": "a", "slug": "b"}', "'slug' stands twice in one object", id="two slugs"),
        pytest.param("[]", "must be a JSON object", id="a list"),
        pytest.param(text(slug=""), "rubric: slug must not be empty", id="no slug"),
        pytest.param(text(name=None), "rubric: name must not be empty", id="no name"),
        pytest.param(text(criteria=[]), "criteria must be a list of 1 to 100 criteria", id="no criteria"),
        pytest.param(text(criteria="A1"), "criteria must be a list", id="criteria in words"),
        pytest.param(text(criteria=["A1"]), "criterion 1: must be an object", id="a criterion in words"),
        pytest.param(text(criteria=[CRITERION] * 2), "the code A1 is used more than once", id="a code twice"),
        pytest.param(
            text(criteria=[{**CRITERION, "weight": "0"}]), "criterion 1 \\(A1\\): weight must be", id="weight zero"
        ),
        pytest.param(
            text(criteria=[{**CRITERION, "weight": "-1"}]), "criterion 1 \\(A1\\): weight must be", id="weight negative"
        ),
        pytest.param(text(criteria=[{**CRITERION, "weight": "much"}]), "weight must be a number", id="weight in words"),
        pytest.param(text(criteria=[{**CRITERION, "weight": None}]), "weight must be a number", id="no weight"),
        pytest.param(
            text(criteria=[{"lo" if key == "low" else key: value for key, value in CRITERION.items()}]),
            "criterion 1 \\(A1\\): low missing; lo unknown. Its keys are code, name",
            id="a key misspelled",
        ),
        pytest.param(
            text(criteria=[{**CRITERION, "high": " "}]), "criterion 1 \\(A1\\): high must not be empty", id="no high"
        ),
        pytest.param(text(colour="red"), "unknown key 'colour'", id="an unknown key"),
        pytest.param(text(categories={"aims": "1"}), "said to weigh 1, but its criteria weigh 0.5", id="other weight"),
        pytest.param(text(categories={"ends": "0.5"}), "categories must name aims", id="other category"),
    ],
)
def test_a_rubric_that_cannot_be_is_refused_by_place(given, names):
    with pytest.raises(Invalid, match=names):
        rubrics.read(given)


@pytest.mark.django_db
def test_a_stored_rubric_is_what_was_read_and_can_be_stored_anew():
    read = rubrics.read(text(description="For aims.", categories={"aims": "0.5"}))
    rubric_store.store(snapshot=read, by=None)
    rubric_store.store(snapshot=read, by=None)

    assert rubrics.snapshot(slug="aims") == read


@pytest.mark.django_db
def test_an_unknown_rubric_is_answered_with_those_there_are():
    rubric_store.store(snapshot=rubrics.read(text()), by=None)

    with pytest.raises(NotFound, match="there are: aims"):
        rubrics.snapshot(slug="arms")
