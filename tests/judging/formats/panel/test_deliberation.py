"""What is made of judges' answers: evidence decides what a revision is worth."""

import json
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judging.formats.panel import deliberation, parsing, reports
from judging.formats.panel.record import score_columns
from judging.rules import fairness
from judging.rules.consensus import Policy
from tests.judging.formats.panel.small_panel import (
    BAR,
    CODES,
    JUDGES,
    SOURCE,
    analysed,
    analysis,
    argument,
    played,
    revision,
    section,
)

THERE, NOT_THERE = "Nobody has measured the rest", "Everybody has measured it"


def row_of(body, code="design"):
    return next(row for row in deliberation.rows_of(body) if row["criterion"] == code)


def argued(own, others, *said, **more):
    """Return the section that is kept of a debate round, about the first criterion unless it speaks of others."""
    codes = [one["criterion"] for one in said] or ["design"]
    mine = deliberation.stand(judge="Judge 1", sections=[own])
    peers = [deliberation.stand(judge=f"Judge {at}", sections=[one]) for at, one in enumerate(others, start=2)]
    gaps = deliberation.gaps(own=mine, others=peers, codes=codes, allowed=Decimal(1))
    read = parsing.argued(json.dumps(argument(*said, **more)), codes=codes, judges=JUDGES[1:])
    return deliberation.of_argument(argued=read, own=mine, gaps=gaps, within=SOURCE, shares=BAR.shares)


def test_of_several_sections_only_what_they_talk_about_was_judged_several_times():
    own, other = analysed("2", "3"), analysed("4", "3")
    said = [argued(own, [other, other], section("design", score, THERE)) for score in ("3", "2")]
    places = [fairness.Place(swapped=swapped, reading=1) for swapped in (False, True)]

    _, body = deliberation.merged(bodies=dict(zip(places, said, strict=True)), shares=BAR.shares)

    assert (list(body["judgements"]), body["scores"]) == (["design"], {"design": "2.5", "tests": "3"})
    assert "readings" in score_columns(body, "design")
    assert "readings" not in score_columns(body, "tests")


def test_of_several_sections_that_score_no_criterion_together_there_is_no_number():
    places = [fairness.Place(swapped=swapped, reading=1) for swapped in (False, True)]
    said = []
    for left_out in ("design", "tests"):
        answer = analysis("5", "2")
        rows = [row for row in answer["criteria"] if row["criterion"] != left_out]
        answer["criteria"] = [*rows, {"criterion": left_out, "not_applicable": "There is none of it."}]
        read = parsing.analysis(json.dumps(answer), codes=CODES)
        said.append(deliberation.of_analysis(analysis=read, within=SOURCE, shares=BAR.shares))

    _, body = deliberation.merged(bodies=dict(zip(places, said, strict=True)), shares=BAR.shares)

    assert (body["kind"], body["reason"], "scores" in body) == ("not_assessed", "criterion_not_judged", False)


def test_quotes_are_kept_with_the_place_they_have_in_the_subject():
    body = analysed("4", "3", quotes=[THERE, NOT_THERE])

    assert row_of(body)["quotes"] == [{"text": THERE, "spans": [[52, 80]]}, {"text": NOT_THERE, "spans": []}]
    assert deliberation.found_quotes(body, "design") == [THERE]


@pytest.mark.parametrize(
    ("quoted", "score", "refused"),
    [
        pytest.param([THERE], "2.5", "", id="a quote that is there carries it"),
        pytest.param([NOT_THERE, THERE], "2.5", "", id="one of two is enough"),
        pytest.param([], "4", "no_quote", id="without a quote it is refused"),
        pytest.param([NOT_THERE], "4", "not_in_subject", id="an invented quote carries nothing"),
    ],
)
def test_a_revision_needs_evidence(quoted, score, refused):
    body = analysed("4", "3", revisions=[revision("design", "2.5", *quoted)])

    assert (body["scores"]["design"], row_of(body)["given"]) == (score, "4")
    assert row_of(body)["revision"]["refused"] == refused


def test_a_revision_to_the_same_score_is_none():
    assert "revision" not in row_of(analysed("4", "3", revisions=[revision("design", "4.00")]))


@pytest.mark.parametrize(
    ("quoted", "score", "refused"),
    [
        pytest.param([THERE], "3", "", id="a quote that is there carries it"),
        pytest.param([], "4", "no_quote", id="without a quote it is refused"),
        pytest.param([NOT_THERE], "4", "not_in_subject", id="an invented quote carries nothing"),
    ],
)
def test_agreement_is_not_rewarded_for_its_own_sake(quoted, score, refused):
    body = argued(analysed("4", "3"), [analysed("2", "3")], section("design", "3", *quoted))

    row = row_of(body)
    assert (body["scores"]["design"], row["score"], row["wanted"], row["refused"]) == (score, score, "3", refused)
    assert (row["other"], row["own_score"], row["other_score"]) == ("Judge 2", "4", "2")


def test_a_score_that_is_maintained_needs_no_quote():
    body = argued(analysed("4", "3"), [analysed("2", "3")], section("design", "4.0"), accepts=False)

    assert (row_of(body)["refused"], body["scores"]) == ("", {"design": "4", "tests": "3"})
    assert (body["accepts"], body["overall"]) == (False, "3.6")


def test_a_judge_stands_on_the_newest_scores_with_all_it_has_quoted():
    first = analysed("4", "3", quotes=["The tests run in CI"])
    second = argued(first, [analysed("2", "3")], section("design", "3", THERE))

    stand = deliberation.stand(judge="Judge 1", sections=[first, second])

    assert (stand.on("design").score, stand.on("tests").score) == (3, 3)
    assert stand.on("design").quotes == ("The tests run in CI", THERE)
    assert stand.on("design").reasoning == "design so. So it is."
    assert stand.overall == 3


def test_a_gap_names_the_judge_who_lies_farthest_and_never_by_the_order_of_seats():
    own, near, far, as_far = (
        deliberation.stand(judge=name, sections=[analysed(score, "3")])
        for name, score in (("Judge 1", "3"), ("Judge 2", "2.5"), ("Judge 3", "5"), ("Judge 4", "1"))
    )

    [gap] = deliberation.gaps(own=own, others=[near, far, as_far], codes=["design"], allowed=Decimal(1))

    [turned] = deliberation.gaps(own=own, others=[as_far, far, near], codes=["design"], allowed=Decimal(1))
    assert (gap.other, gap.own_score, gap.other_score) == ("Judge 3", 3, 5)
    assert turned == gap


@pytest.mark.parametrize(
    ("scores", "named"),
    [
        pytest.param(("1", "5", "1.5"), [("Judge 3", 5), ("Judge 2", 1), ("Judge 4", Decimal("1.5"))], id="all"),
        pytest.param(("2", "4.5", "2.5"), [("Judge 3", Decimal("4.5"))], id="a point apart is not more than a point"),
        pytest.param(("2.5", "3.5", "3"), [("Judge 3", Decimal("3.5"))], id="where nobody is, the farthest"),
    ],
)
def test_a_judge_names_everybody_more_than_a_point_away(scores, named):
    own, *others = (
        deliberation.stand(judge=f"Judge {at}", sections=[analysed(score, "3")])
        for at, score in enumerate(("3", *scores), start=1)
    )

    [gap] = deliberation.gaps(own=own, others=others, codes=["design"], allowed=Decimal(1))

    assert list(gap.opponents) == named


def test_everybody_whom_a_judge_disagrees_with_is_on_its_report():
    body = argued(analysed("4", "3"), [analysed("2", "3"), analysed("1", "3")], section("design", "4"))

    assert row_of(body)["others"] == [{"judge": "Judge 3", "score": "1"}, {"judge": "Judge 2", "score": "2"}]
    assert "4 against 1 of Judge 3 and 2 of Judge 2" in reports.spoken(section=body)


def test_a_panel_that_agrees_disputes_nothing():
    assert played(0, analysed("4", "3"), analysed("4.5", "3"), analysed("4", "3.5")).found["disputed"] == []


def test_what_is_found_is_kept_by_name_and_as_text():
    found = played(0, analysed("4", "3"), analysed("2", "3.5"), None).found

    assert found == {
        "agreed": False,
        "reason": "spread",
        "reasons": ["spread", "criterion_spread"],
        "overall": "3.1",
        "recommendation": "needs_revision",
        "overalls": {"Judge 1": "3.6", "Judge 2": "2.6", "Judge 3": None},
        "spread": "1",
        "criterion_spreads": {"design": "2", "tests": "0.5"},
        "means": {"design": "3", "tests": "3.25"},
        "disputed": ["design"],
        "counted": 2,
        "needed": 2,
    }


def test_nobody_who_can_be_read_gives_no_number():
    found = played(0, None, None, None).found

    assert (found["overall"], found["recommendation"], found["reason"]) == (None, "", "quorum_lost")
    assert found["disputed"] == CODES


def test_what_does_not_apply_is_left_out_of_everything():
    bar = replace(BAR, left_out=["tests"])
    bodies = [{**analysed(score, "1"), "scores": {"design": score}} for score in ("4", "4", "5")]

    found = played(0, *bodies, bar=bar).found

    assert (bar.shares, bar.applying) == ({"design": Fraction(1), "tests": Fraction(0)}, ["design"])
    assert (found["means"], found["overall"]) == ({"design": "4.3333", "tests": None}, "4.3333")


SCORE = st.integers(2, 10).map(lambda half: str(Decimal(half) / 2))


@given(rows=st.lists(st.tuples(SCORE, SCORE), min_size=3, max_size=3), data=st.data())
def test_permuting_judges_never_changes_what_is_found(rows, data):
    bodies = [analysed(*row) for row in rows]
    shuffled = data.draw(st.permutations(bodies))

    assert without_names(played(0, *shuffled).found) == without_names(played(0, *bodies).found)


def without_names(found):
    return {**found, "overalls": sorted(found["overalls"].values())}


@given(rows=st.lists(st.tuples(SCORE, SCORE), min_size=3, max_size=3), mute=st.integers(0, 2))
def test_a_mute_judge_never_makes_a_quorum(rows, mute):
    policy = Policy.from_options({"quorum": 3})
    bodies = [analysed(*row) for row in rows]
    bodies[mute] = None

    assert played(0, *bodies, bar=replace(BAR, policy=policy)).found["reason"] == "quorum_lost"


def test_letters_are_the_same_in_whatever_order_scores_were_kept():
    given = {"Judge 1": analysed("5", "2"), "Judge 2": analysed("2", "5")}
    answered = {name: {**body, "overall": "3.5"} for name, body in given.items()}
    kept = {name: {**body, "scores": dict(reversed(body["scores"].items()))} for name, body in answered.items()}

    letters = [
        deliberation.lettered([deliberation.stand(judge=name, sections=[body]) for name, body in bodies.items()])
        for bodies in (answered, kept)
    ]

    assert letters == [{"Judge 2": "Judge A", "Judge 1": "Judge B"}] * 2
