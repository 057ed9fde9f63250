"""The closing summary, from whatever result there is."""

import json

import pytest

from judging import heuristics
from judging.types import Material
from tests.judging.heuristics.dry_run import cards, samples

RESULT = {
    "overall_before": "6.00",
    "overall_after": "6.40",
    "recommendation": "refine",
    "survival_rate": "0.61",
    "criteria": [
        {
            "code": "F2",
            "name": "Resources",
            "category": "feasibility",
            "initial": "7.00",
            "final": "7.80",
        },
        {
            "code": "S5",
            "name": "Defensibility",
            "category": "solution",
            "initial": "4.10",
            "final": "3.20",
        },
        {"code": "M5", "name": "Timing", "category": "market", "initial": "5.50", "final": "5.50", "survived": True},
    ],
}


def concluded(result, text=""):
    return heuristics.synthesise(
        Material(subject_title="Street Heat", subject=text or samples()["street-heat"][1], result=result)
    )


def test_the_summary_tells_the_movement_the_recommendation_and_the_survival():
    assert concluded(RESULT)["summary"] == (
        "Street Heat went from 6.00 to 6.40 overall in the debate. Of 3 criteria, 1 rose and 1 fell. "
        "The recommendation is: refine. The evaluator won 61\u00a0% of the rulings."
    )


def test_strengths_are_seven_and_above_with_the_passage_that_carries_them():
    [strength] = concluded(RESULT)["strengths"]

    assert strength.startswith("Resources (7.80): \u201c")
    assert strength.split("\u201c")[1].rstrip("\u201d") in samples()["street-heat"][1]


def test_no_passage_is_quoted_for_two_strengths():
    every = [
        {"code": card.code, "name": card.name, "category": card.category, "initial": "5", "final": "8"}
        for card in cards()
    ]

    made = [concluded({"criteria": every}, text=text)["strengths"] for _, text in samples().values()]

    for strengths in made:
        quotes = [line.split("\u201c")[1] for line in strengths if "\u201c" in line]
        assert len(set(quotes)) == len(quotes)


def test_weaknesses_are_four_and_below():
    [weakness] = concluded(RESULT)["weaknesses"]

    assert weakness.startswith("Defensibility (3.20)")


def test_advice_begins_with_the_weakest_criterion_and_says_what_to_add():
    advice = concluded(RESULT)["advice"]

    assert [one.partition(":")[0] for one in advice] == ["Defensibility", "Timing"]
    assert "what would keep a competent rival from copying it" in advice[0]


@pytest.mark.parametrize(
    "result",
    [
        {},
        {"criteria": None, "overall_after": None, "survival_rate": "many"},
        {"criteria": [None, 3, {}, {"code": "P1"}, {"name": "X", "final": "NaN"}, {"key": "P2", "final": None}]},
        {"overall": "6", "criteria": "none", "strengths": 4, "recommendation": 7},
        {"overall_after": 0.1, "criteria": [{"code": "P1", "final": 0.3, "initial": [1]}]},
    ],
)
def test_missing_and_unreadable_parts_leave_their_sentence_out(result):
    made = concluded(result)

    assert made == {"summary": "Street Heat has no overall score.", "strengths": [], "weaknesses": [], "advice": []}


def test_a_result_with_nested_names_is_read_too():
    nested = {
        "overall": {"before": "6.00", "after": "5.50", "recommendation": "refine"},
        "strengths": ["F2"],
        "weaknesses": ["S5", "M5"],
        "survivalRate": "0.50",
    }

    made = concluded(nested)

    assert made["summary"].startswith("Street Heat fell from 6.00 to 5.50 overall")
    assert (made["strengths"], made["weaknesses"]) == (["F2"], ["S5", "M5"])


def test_a_full_rubric_gives_at_most_five_of_each():
    rows = [{"code": one.code, "name": one.name, "initial": "3.00", "final": "2.00"} for one in cards()]

    made = concluded({"criteria": rows}, text="Nothing to see.")

    assert [len(made[part]) for part in ("strengths", "weaknesses", "advice")] == [0, 5, 5]
    assert json.loads(json.dumps(made)) == made


OWN = {
    "code": "V1",
    "name": "Story",
    "category": "visitors",
    "question": "What will a visitor understand on leaving?",
    "high": "One idea, told through objects in an order.",
    "low": "A theme without a story.",
    "initial": "4.00",
    "final": "3.00",
}


def test_advice_on_a_rubric_of_ones_own_repeats_what_it_asks_and_what_it_calls_good():
    [advice] = concluded({"criteria": [OWN]})["advice"]

    assert advice.startswith(
        "Story: answer \u201cWhat will a visitor understand on leaving?\u201d. "
        "What earns a high score: One idea, told through objects in an order. Give "
    )


@pytest.mark.parametrize(
    ("subject", "said"),
    [
        pytest.param("The story is told by the visitor.", "one passage bears on it and does not carry it", id="one"),
        pytest.param(
            "The story is told by the visitor. The story of each visitor has an order.",
            "2 passages bear on it, and none of them carries it",
            id="more",
        ),
        pytest.param("Nobody knows.", "no passage was found that says what answers", id="none"),
    ],
)
def test_a_weakness_counts_what_bears_on_it(subject, said):
    [weakness] = concluded({"criteria": [OWN]}, text=subject)["weaknesses"]

    assert said in weakness


def test_a_quote_that_is_cut_says_so():
    long = "The cooling pavement saved 4,200 euros in May because " + "the crew of 12 measured every street " * 8

    [strength] = concluded({"criteria": [RESULT["criteria"][0]]}, text=long + ".")["strengths"]

    assert strength.endswith(" \u2026\u201d")
