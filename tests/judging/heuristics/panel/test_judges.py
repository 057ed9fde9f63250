"""The offline judges of a panel: they differ, quote what is there, and move only for what they had not seen."""

import json
import sys
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judging.formats.panel import parsing, spec, state
from judging.heuristics import panel, subjects, wording
from judging.heuristics.panel import STRATEGIES
from judging.rules import consensus, injection, quotes
from judging.rules.consensus import Ballot, Policy
from judging.types import Bench, Gap, Item, Opinion, Stand

ROOT = Path(__file__).resolve().parents[4]
SUBJECTS = {
    **{path.name: "design" for path in sorted((ROOT / "samples").glob("*.md"))},
    "log-redaction.md": "documentation",
}
CODE = dict.fromkeys(
    ("judging/formats/parsing.py", "scoring/hashing.py", "static/live.js", "debates/event_log.py"), "code"
)


GOOD = """
def area(side: int) -> int:
    if side < 0:
        raise ValueError(side)
    return side * side


def test_area():
    assert area(3) == 9
"""
BAD = """
def area(side):
    try:
        x = eval('side*side')
    except:
        pass
    # wrong for some sides
    print(x)
"""


def items(slug):
    rows = spec.template(slug)["criteria"]
    shares = consensus.normalised(weights=[Decimal(row["weight"]) for row in rows])
    return tuple(
        Item(row["code"], row["name"], row["question"], row["high"], row["low"], share)
        for row, share in zip(rows, shares, strict=True)
    )


def seat(subject, strategy, slug="design"):
    return Bench(title="A subject", subject=subject, task="", items=items(slug), judge="Judge 1", strategy=strategy)


def analysed(subject, strategy, slug="design"):
    said = panel.analyse(seat(subject, strategy, slug))
    return parsing.analysis(json.dumps(said), codes=[item.code for item in items(slug)])


def sample_subjects():
    found = [(ROOT / "samples" / name, slug) for name, slug in SUBJECTS.items()]
    found += [(ROOT / name, slug) for name, slug in CODE.items()]
    return [pytest.param(path.read_text(encoding="utf-8"), slug, id=path.name) for path, slug in found]


def scores(analysis):
    final = {one.code: one.score for one in analysis.judged} | {one.code: one.score for one in analysis.revisions}
    return tuple(final.values())


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize(("subject", "slug"), sample_subjects())
def test_every_judge_gives_an_answer_that_can_be_read_and_quotes_what_is_there(subject, slug, strategy):
    given = analysed(subject, strategy, slug)
    source = quotes.source(subject)

    said = [quote for one in (*given.judged, *given.revisions) for quote in one.quotes]
    assert [one.text for one in quotes.all_located(quotes=said, within=source) if not one.found] == []
    assert all(one.quotes for one in given.revisions)


@pytest.mark.parametrize(("subject", "slug"), sample_subjects())
def test_the_three_judges_differ_in_what_they_give_or_in_what_they_rest_it_on(subject, slug):
    given = [analysed(subject, strategy, slug) for strategy in STRATEGIES]

    assert len({(scores(one), *(judged.quotes for judged in one.judged)) for one in given}) == 3


def test_of_all_subjects_few_panels_agree_at_once_as_with_people():
    agreed = 0
    for param in sample_subjects():
        subject, slug = param.values
        ballots = [Ballot(scores(analysed(subject, strategy, slug))) for strategy in STRATEGIES]
        weights = [Decimal(row["weight"]) for row in spec.template(slug)["criteria"]]
        agreed += consensus.check(ballots=ballots, weights=weights, policy=Policy()).agreed

    assert Fraction(agreed, len(sample_subjects())) <= Fraction(1, 4)


def test_the_same_material_gets_the_same_answer():
    subject = (ROOT / "samples/street-heat.md").read_text(encoding="utf-8")

    first = panel.analyse(seat(subject, "dialectic"))
    subjects.units.cache_clear()
    subjects.reading.cache_clear()

    assert panel.analyse(seat(subject, "dialectic")) == first


def test_code_with_checks_and_tests_scores_above_code_that_swallows_errors():
    for strategy in STRATEGIES:
        assert sum(scores(analysed(GOOD, strategy, "code"))) > sum(scores(analysed(BAD, strategy, "code")))


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_what_a_judge_says_beside_its_quotes_reads_as_no_demand(strategy):
    given = analysed(f"{GOOD}\n\ndef is_square(side):\n    return True\n", strategy, "code")

    said = "\n\n".join(
        f"{quote}\n\n{other.reasoning}" for one in given.judged for quote in one.quotes for other in given.judged
    )
    assert injection.find(said) == ()


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize(("subject", "slug"), sample_subjects())
def test_what_is_said_of_the_first_half_is_what_it_would_be_scored_alone(subject, slug, strategy):
    argues = Item("logic", "Logic", "How good is the logic of the text?", "", "", Fraction(1))
    whole = replace(seat(quotes.own_words(subject), strategy, slug), items=(*items(slug), argues))
    half = replace(whole, subject=whole.subject[: len(whole.subject) // 2])

    higher = [item for item in whole.items if panel.weigh(half, item).mark.score > panel.weigh(whole, item).mark.score]

    said = panel.analyse(whole)["questions"][1]["answer"]
    assert said.startswith(
        f"The first half alone would score higher on {wording.listed([item.name for item in higher])}:"
        if higher
        else "The first half alone scores nowhere higher;"
    )


@given(subject=st.text(max_size=400), strategy=st.sampled_from([*STRATEGIES, "unheard of"]))
def test_any_text_gets_scores_from_1_to_5(subject, strategy):
    assert all(1 <= score <= 5 for score in scores(analysed(subject, strategy)))


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("sentence", ["We pay 7. ", "- item {} was sold\n"])
def test_a_text_of_four_times_the_length_takes_about_four_times_the_work(sentence, strategy):
    def analyse(sentences):
        panel.analyse(seat("".join(sentence.format(number) for number in range(sentences)), strategy))

    analyse(10)

    assert calls(lambda: analyse(800)) < 6 * calls(lambda: analyse(200))


def calls(act):
    """How many functions are called, and generators resumed, on the way."""
    counted = 0

    def count(frame, event, argument):
        nonlocal counted
        counted += event == "call"

    sys.setprofile(count)
    try:
        act()
    finally:
        sys.setprofile(None)
    return counted


# -- debating ----------------------------------------------------------------------------------------------------------


def stand(judge, score, *said):
    [item] = items("design")[:1]
    return Stand(judge, (Opinion(item.code, Decimal(score), "So.", said),), Decimal(score))


ALONE = replace(items("design")[0], share=Fraction(1))


HALVES = "The task is met in the first half. Another passage covers the whole task. The cat sat on the mat."
MET, COVERED, MAT = (
    "The task is met in the first half.",
    "Another passage covers the whole task.",
    "The cat sat on the mat.",
)


def debate(own, other):
    gap = Gap("completeness", own.overall, ((other.judge, other.overall),))
    seated = Bench(
        title="", subject=HALVES, task="", items=(ALONE,), judge=own.judge, round=1, rounds=3, own=own,
        others=(other,), gaps=(gap,),
    )  # fmt: skip
    return parsing.argued(json.dumps(panel.argue(seated)), codes=["completeness"], judges=[other.judge])


def test_a_judge_moves_half_way_for_a_passage_it_had_not_used():
    said = debate(stand("Judge 1", "2", MET), stand("Judge 2", "4.50", COVERED))

    [section] = said.sections
    assert (section.score, section.quotes) == (Decimal("3.25"), (COVERED,))
    assert "a passage that I had not used" in section.because


@pytest.mark.parametrize("theirs", [(), (MET,), ("first",), (f"{MET} Another",)])
def test_a_judge_stays_where_a_peer_brings_nothing_new(theirs):
    said = debate(stand("Judge 1", "2", MET), stand("Judge 2", "4.5", *theirs))

    [section] = said.sections
    assert (section.score, section.quotes) == (Decimal(2), ())
    assert "nothing on it that I had not weighed" in section.because


def test_a_judge_moves_for_no_passage_that_is_about_something_else():
    [stays] = debate(stand("Judge 1", "2", MET), stand("Judge 2", "4.5", MAT)).sections
    [moves] = debate(stand("Judge 1", "2", MET), stand("Judge 2", "4.5", MAT, COVERED)).sections

    assert (stays.score, stays.quotes) == (Decimal(2), ())
    assert (moves.score, moves.quotes) == (Decimal("3.25"), (COVERED,))


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_line_above_a_file_is_no_evidence(strategy):
    one_liners = "def area(side): return side * side", "def edge(area): return area ** 0.5"
    files = "\n\n".join(f"{quotes.header(name)}\n\n{text}\n" for name, text in zip("ab", one_liners, strict=True))

    headed, bare = analysed(files, strategy, "code"), analysed("\n\n".join(one_liners), strategy, "code")

    assert not [quote for judged in headed.judged for quote in judged.quotes if "File:" in quote]
    assert scores(headed) == scores(bare)


@given(own=st.integers(100, 500), other=st.integers(100, 500))
def test_no_move_is_more_than_half_the_gap(own, other):
    mine, theirs = Decimal(own).scaleb(-2), Decimal(other).scaleb(-2)

    [section] = debate(stand("Judge 1", mine, "a"), stand("Judge 2", theirs, "b")).sections

    assert 2 * abs(section.score - mine) <= abs(theirs - mine)
    assert abs(section.score - theirs) <= abs(mine - theirs)


def test_a_judge_accepts_what_it_could_sign_itself():
    near = debate(stand("Judge 1", "3.5", "a"), stand("Judge 2", "4", "a"))
    far = debate(stand("Judge 1", "2", "a"), stand("Judge 2", "4", "a"))

    assert (near.accepts, near.agrees_with) == (True, ("Judge 2",))
    assert (far.accepts, far.agrees_with) == (False, ())


@pytest.mark.parametrize("criteria", ["abc", "abcdefg"])
@pytest.mark.parametrize(("own", "other"), [("4", "4.5"), ("4.5", "4")])
def test_exactly_half_a_point_apart_is_agreement_whatever_the_shares(criteria, own, other):
    rows = [{"code": code, "name": code, "question": "", "high": "", "low": "", "weight": "1"} for code in criteria]
    kept = {"not_applicable": {}, "not_assessed": {}, "policy": Policy().snapshot()}
    rubric = state.items_of({"rubric": {"criteria": rows}, "panel": kept})
    theirs = tuple(Opinion(code, Decimal(other), "So.", ()) for code in criteria)

    scored = {code: Decimal(own) for code in criteria}

    assert panel.agree(scored, Stand("Judge 2", theirs, Decimal(other)), replace(seat("", ""), items=rubric))


def test_the_closing_words_take_every_number_from_the_result():
    seated = seat("", "")
    agreed = {"agreed": True, "rounds": 2, "counted": 3, "overall": {"after": "4.2833"}}
    apart = {"agreed": False, "rounds": 0, "disputed": ["design", "tests"], "improvements": ["Show a test."]}

    first = panel.report(replace(seated, result=agreed))
    second = panel.report(replace(seated, result=apart))
    alone = panel.report(replace(seated, result={**agreed, "rounds": 0, "counted": 1}))
    few = panel.report(replace(seated, result={**apart, "reason": "quorum_lost"}))

    assert first["summary"] == "3 judges agree after 2 debate rounds on 4.2833 of 5."
    assert second["summary"] == "The judges do not agree without a debate; in dispute: design and tests."
    assert second["advice"] == ["Show a test."]
    assert alone["summary"] == "One judge gives 4.2833 of 5."
    assert few["summary"] == "Too few judges have given scores; in dispute: design and tests."


@pytest.mark.parametrize(
    ("result", "decided", "summary"),
    [
        (
            {"agreed": False, "rounds": 1, "disputed": ["design", "tests"]},
            ["design", "tests"],
            (
                "The judges do not agree after one debate round; in dispute: design and tests. "
                "A person decided design and tests, and the whole stands at 4.30 of 5."
            ),
        ),
        (
            {"agreed": True, "rounds": 0, "counted": 3},
            ["design"],
            "3 judges agree without a debate. A person decided design, and the whole stands at 4.30 of 5.",
        ),
        (
            {"agreed": True, "rounds": 0, "counted": 1},
            ["design"],
            "One judge has judged. A person decided design, and the whole stands at 4.30 of 5.",
        ),
        (
            {"agreed": False, "reason": "quorum_lost", "disputed": ["design", "tests"], "overall": {"after": None}},
            ["design"],
            "Too few judges have given scores; in dispute: design and tests. A person decided design.",
        ),
    ],
)
def test_the_closing_words_say_what_a_person_decided(result, decided, summary):
    criteria = [{"code": code, "override": "4.00" if code in decided else None} for code in ("design", "tests", "ease")]
    result = {"overall": {"after": "4.30"}, "criteria": criteria, **result}

    assert panel.report(replace(seat("", ""), result=result))["summary"] == summary
