"""Criteria come from templates, or as somebody types them."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debates.errors import Invalid, NotFound
from judging.formats.panel import spec
from judging.rules import consensus


def weights(rubric):
    return {row["code"]: row["weight"] for row in rubric["criteria"]}


@pytest.mark.parametrize(
    ("slug", "expected"),
    [
        ("code", {"correctness": "30", "design": "25", "efficiency": "20", "quality": "15", "testing": "10"}),
        (
            "design",
            {"completeness": "30", "feasibility": "25", "scalability": "20", "simplicity": "15", "documentation": "10"},
        ),
        ("documentation", {"accuracy": "35", "completeness": "30", "clarity": "20", "usability": "15"}),
    ],
)
def test_a_template_weighs_its_criteria(slug, expected):
    rubric = spec.template(slug)

    assert weights(rubric) == expected
    assert sum(consensus.normalised(weights=[Decimal(one) for one in expected.values()])) == 1


def test_an_unknown_template_is_refused_with_those_there_are():
    with pytest.raises(NotFound, match="there are: code, design, documentation"):
        spec.template("poetry")


def test_typed_criteria_keep_their_order_and_weights():
    rubric = spec.typed("correctness:30, design:25,security:20,performance:15,docs:10")

    assert weights(rubric) == {"correctness": "30", "design": "25", "security": "20", "performance": "15", "docs": "10"}
    assert rubric["criteria"][0]["question"] == spec.template("code")["criteria"][0]["question"]


def test_a_criterion_that_nobody_knows_is_asked_about_by_its_name():
    [row] = spec.typed("Error messages:0.5")["criteria"]

    assert (row["code"], row["name"], row["weight"]) == ("error messages", "Error messages", "0.5")
    assert row["question"] == "How good is the subject with regard to error messages, given the task?"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("", "name:weight pairs", id="nothing"),
        pytest.param("design:1,,docs:1", "name:weight pairs", id="a comma too many"),
        pytest.param("design", "'design' must be a name, a colon and a weight", id="no weight"),
        pytest.param(":30", "':30' must be a name", id="no name"),
        pytest.param("design:much", "the weight of design must be a number from 0.000001 to 1000", id="no number"),
        pytest.param("design:0", "the weight of design must be a number from 0.000001", id="no weight at all"),
        pytest.param("design:-3", "the weight of design must be a number from 0.000001", id="a negative weight"),
        pytest.param("design:30,Design:20", "design is named more than once", id="one twice"),
        pytest.param("a<b:30", "must be letters from a to z and digits", id="signs in a name"),
        pytest.param(f"{'x' * 41}:1", "at most 40 characters", id="a long name"),
        pytest.param(",".join(f"c{at}:1" for at in range(31)), "1 to 30 are judged", id="too many"),
    ],
)
def test_what_cannot_be_read_is_refused_with_what_is_expected(text, said):
    with pytest.raises(Invalid) as refused:
        spec.typed(text)

    assert said in refused.value.message


@given(given=st.lists(st.integers(1, 1000), min_size=1, max_size=30))
def test_whatever_the_weights_the_shares_sum_to_one(given):
    rubric = spec.typed(",".join(f"c{at}:{weight}" for at, weight in enumerate(given)))

    assert sum(consensus.normalised(weights=[Decimal(row["weight"]) for row in rubric["criteria"]])) == 1


@given(text=st.text(max_size=60))
def test_any_text_is_read_or_refused(text):
    try:
        rubric = spec.typed(text)
    except Invalid:
        return
    assert rubric["criteria"]
