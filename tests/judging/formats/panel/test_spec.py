"""What can be asked of a panel, and what is refused."""

from dataclasses import replace

import pytest

from debates.errors import Invalid
from judging.formats.panel import spec
from judging.formats.panel.spec import JudgeSeat, PanelSpec
from judging.formats.spec import Limits
from judging.rules.consensus import Policy
from judging.rules.fairness import Fairness

ASKED = PanelSpec(title="T", subject="S", task="Do it.", rubric=spec.typed("design:60,tests:40"))


def test_three_judges_who_read_differently_are_the_default():
    wanted = spec.checked(ASKED)

    reads = [spec.strategy_of(seat=seat, position=at) for at, seat in enumerate(wanted.seats)]
    assert reads == ["logic", "dialectic", "rhetoric"]


def test_a_fourth_judge_begins_again_and_a_chosen_reading_is_kept():
    assert spec.strategy_of(seat=JudgeSeat(), position=3) == "logic"
    assert spec.strategy_of(seat=JudgeSeat(strategy="rhetoric"), position=0) == "rhetoric"


def test_one_criterion_is_judged_in_both_orders_of_the_judges_who_debate_it():
    assert spec.checked(replace(ASKED, fairness=Fairness(swap=True), rubric=spec.typed("design:1")))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        pytest.param({"title": " "}, "title must not be empty", id="no title"),
        pytest.param({"subject": ""}, "subject must not be empty", id="no subject"),
        pytest.param({"task": ""}, "task must not be empty", id="no task"),
        pytest.param({"task": "x" * 8_001}, "task must have at most 8000", id="a long task"),
        pytest.param({"seats": []}, "judges must be a whole number from 1 to 9", id="no judge"),
        pytest.param({"seats": [JudgeSeat()] * 10}, "judges must be a whole number from 1 to 9", id="ten judges"),
        pytest.param({"seats": [JudgeSeat()] * 2, "policy": Policy(quorum=3)}, "quorum must be at most", id="quorum"),
        pytest.param({"seats": [JudgeSeat(strategy="mood")] * 2}, "strategy must be one of logic", id="a new reading"),
        pytest.param({"not_applicable": {"looks": "None."}}, "'looks' is no criterion", id="unknown criterion"),
        pytest.param({"not_applicable": {"design": ""}}, "why design does not apply must not be empty", id="no why"),
        pytest.param({"not_applicable": {"design": "a", "tests": "b"}}, "at least one criterion", id="nothing applies"),
        pytest.param({"fairness": Fairness(swap=True), "rubric": spec.typed("design:1"),
                      "policy": Policy(debate_rounds=0)}, "one criterion reads",
                     id="one criterion in both orders"),
        pytest.param({"fairness": Fairness(swap=True), "not_applicable": {"design": "None."},
                      "seats": [JudgeSeat()] * 2}, "take repeats",
                     id="one criterion that applies in both orders"),
        pytest.param({"limits": Limits(calls=0)}, "limit", id="no call"),
    ],
)  # fmt: skip
def test_what_no_panel_can_be_is_refused(change, said):
    with pytest.raises(Invalid) as refused:
        spec.checked(replace(ASKED, **change))

    assert said in refused.value.message


@pytest.mark.parametrize("kind", ["human", "external"])
@pytest.mark.parametrize("chosen", ["provider", "model", "strategy"])
def test_who_is_no_engine_is_asked_of_no_provider_with_no_model_and_no_strategy(kind, chosen):
    seat = JudgeSeat(kind=kind, **{chosen: "logic"})

    with pytest.raises(Invalid) as refused:
        spec.checked(replace(ASKED, seats=[JudgeSeat(), seat]))

    assert refused.value.field == f"judges.1.{chosen}"
