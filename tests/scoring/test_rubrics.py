"""Rubrics from files and tables: what is read, what is refused, what a debate keeps."""

import json
from decimal import Decimal

import pytest

from debates.errors import Invalid, NotFound
from scoring import rubrics
from scoring.errors import Stale
from scoring.models import Rubric
from scoring.services import rubric_store
from tests.scoring.concurrency import at_once

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
        pytest.param("", "The rubric is empty", id="nothing"),
        pytest.param("{", "The rubric is not JSON", id="half an object"),
        pytest.param('{"slug": "a", "slug": "b"}', "'slug' stands twice in one object", id="two slugs"),
        pytest.param("[]", "must be a JSON object", id="a list"),
        pytest.param(text(slug=""), "rubric: slug must not be empty", id="no slug"),
        pytest.param(text(slug="My rubric"), "slug must be of letters .* got 'My rubric'", id="a slug with a blank"),
        pytest.param(text(slug="größe"), "slug must be of letters .* got 'größe'", id="a slug in other letters"),
        pytest.param(text(name=None), "rubric: name must not be empty", id="no name"),
        pytest.param(text(description={"a": 1}), "rubric: description must be a text", id="a description of parts"),
        pytest.param(text(description=False), "rubric: description must be a text", id="a description yes or no"),
        pytest.param(text(criteria=[]), "criteria must be a list of 1 to 100 criteria", id="no criteria"),
        pytest.param(text(criteria="A1"), "criteria must be a list", id="criteria in words"),
        pytest.param(text(criteria=["A1"]), "criterion 1: must be an object", id="a criterion in words"),
        pytest.param(text(criteria=[{**CRITERION, "code": "A\n1"}]), "code must hold no line ends", id="two lines"),
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
            "criterion 1 \\(A1\\): low missing; 'lo' unknown. Its keys are code, name",
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


@pytest.mark.parametrize("name", rubrics.LENGTHS)
def test_a_text_is_as_long_as_it_can_be_kept_or_refused_at_its_place(name):
    def holding(most: str) -> dict:
        rubric = json.loads(text())
        (rubric["criteria"][0] if name in rubrics.TEXTS else rubric)[name] = most
        return rubric

    longest = "x" * rubrics.LENGTHS[name]
    [fault] = rubrics.faults(holding(longest + "x"))

    assert rubrics.faults(holding(longest)) == []
    assert fault.details["pointer"] == (f"/criteria/0/{name}" if name in rubrics.TEXTS else f"/{name}")
    assert f"{name} must have at most {len(longest)} characters; got {len(longest) + 1}." in fault.message


@pytest.mark.parametrize("given", [{}, {"description": None}, {"description": ""}], ids=["none", "null", "empty"])
def test_a_rubric_without_a_description_has_an_empty_one(given):
    assert rubrics.read(text(**given))["description"] == ""


@pytest.mark.parametrize("odd", ["\x85", "\u2028", "\u2029", "\ufeff", "\x0b", "\r", "😀", "№: “x” # y"])
def test_a_rubric_is_read_back_from_its_own_files_whatever_its_texts_hold(odd):
    read = rubrics.read(text(description=f"a{odd}b\n{odd}c", criteria=[{**CRITERION, "high": f"a{odd}b\n{odd} c"}]))

    assert rubrics.read(rubrics.as_yaml(read)) == rubrics.read(rubrics.as_json(read)) == read


def test_a_category_weighs_what_its_criteria_weigh_however_much_that_is():
    rows = [{**CRITERION, "code": code, "weight": "600"} for code in ("A1", "A2")]

    read = rubrics.read(text(criteria=rows, categories={"aims": "1200"}))

    assert rubrics.category_weights(criteria=read["criteria"]) == {"aims": Decimal(1200)}


@pytest.mark.django_db
def test_a_stored_rubric_is_what_was_read_in_its_newest_version_and_all_of_them_stay():
    read = rubrics.read(text(description="For aims.", categories={"aims": "0.5"}))
    other = rubrics.read(text(criteria=[{**CRITERION, "code": "A9", "question": "Why?"}]))

    rubric_store.store(snapshot=read, by=None)
    assert rubrics.snapshot(slug="aims") == read
    rubric_store.store(snapshot=other, by=None, seen=1)

    assert rubrics.snapshot(slug="aims") == other
    kept = Rubric.objects.filter(slug="aims").order_by("version")
    assert [(one.version, [row.code for row in one.criteria.all()]) for one in kept] == [(1, ["A1"]), (2, ["A9"])]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("seen", "said"),
    [(None, "is at version 1, by the operator"), (2, "is at version 1"), (0, "is at version 1")],
    ids=["nothing", "a later one", "an earlier one"],
)
def test_a_version_is_not_stored_over_one_that_was_not_seen(seen, said):
    read = rubrics.read(text())
    rubric_store.store(snapshot=read, by=None)

    with pytest.raises(Stale, match=said):
        rubric_store.store(snapshot=read, by=None, seen=seen)

    assert Rubric.objects.filter(slug=read["slug"]).count() == 1


@pytest.mark.django_db(transaction=True)
def test_of_two_who_store_the_next_version_at_once_one_is_told_of_the_other():
    read = rubrics.read(text())
    rubric_store.store(snapshot=read, by=None)

    said = at_once(*[lambda: rubric_store.store(snapshot=read, by=None, seen=1)] * 2)

    assert sorted(type(one).__name__ for one in said) == ["Rubric", "Stale"]
    assert [one.version for one in Rubric.objects.filter(slug=read["slug"]).order_by("version")] == [1, 2]


@pytest.mark.django_db
def test_an_unknown_rubric_is_answered_with_those_there_are():
    rubric_store.store(snapshot=rubrics.read(text()), by=None)

    with pytest.raises(NotFound, match="there are: aims"):
        rubrics.snapshot(slug="arms")
