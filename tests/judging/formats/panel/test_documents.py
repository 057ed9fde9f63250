"""The document of a panel and its papers: the same minutes, the same bytes; foreign words are words."""

import itertools
import re
from dataclasses import replace
from decimal import Decimal

import pytest

from judging.formats.panel import reports, results
from judging.formats.panel.deliberation import Bar
from judging.formats.panel.documents import Final, document
from judging.rules.consensus import Policy
from tests.judging.formats.panel.small_panel import BAR, CODES, SUBJECT, analysed, minutes, played, revision, section
from tests.judging.formats.panel.test_deliberation import NOT_THERE, THERE, argued

AGREED = played(0, analysed("4.5", "4"), analysed("4", "4"), analysed("4.5", "4"))


def debated():
    """Return two rounds: far apart on the design, then closer because one judge saw something new."""
    own = [analysed("4.5", "3"), analysed("2.5", "3"), analysed("3", "2")]
    moved = argued(own[0], own[1:], section("design", "3.5", THERE))
    stayed = [argued(one, [own[0], own[0]], section("design", one["scores"]["design"])) for one in own[1:]]
    return played(0, *own), played(1, moved, *stayed)


def test_a_panel_that_agrees_says_so_with_its_numbers():
    told = document(minutes(AGREED))

    assert (told["outcome"]["agreed"], told["outcome"]["overall"]) == (True, "4.20")
    assert [one["mean"] for one in told["criteria"]] == ["4.3333", "4.00"]
    assert told["first"] == told["outcome"]
    assert [one["criterion"] for one in told["strengths"]] == ["design", "tests"]
    assert told["strengths"][0]["quotes"] == ["The tests run in CI"]


def test_where_nobody_decided_anything_the_whole_stands_as_it_was_found_and_is_rounded_once():
    bar = Bar(codes=CODES, weights=[Decimal(50)] * 2, left_out=[], policy=Policy())
    judged = played(0, analysed("4", "4"), analysed("4", "4"), analysed("3", "4"), bar=bar)
    by_mean = minutes(judged, finals={"design": Final("3.6667"), "tests": Final("4.00")})
    by_mean = replace(by_mean, criteria=[replace(row, weight="50", share="0.5") for row in by_mean.criteria])
    by_hand = replace(by_mean, finals={"design": Final("3.67", "3.67"), "tests": Final("4.00")})

    told = [document(one) for one in (by_mean, by_hand)]

    assert [one["outcome"]["overall"] for one in told] == ["3.8333", "3.8333"]
    assert [one["decided"]["overall"] for one in told] == ["3.8333", "3.835"]


def test_where_a_score_was_struck_the_whole_stands_as_it_is_found_without_it():
    bar = Bar(codes=CODES, weights=[Decimal(50)] * 2, left_out=[], policy=Policy())
    four = ["Judge 1", "Judge 2", "Judge 3", "Judge 4"]
    own = [analysed("4", "4"), analysed("4", "4"), analysed("3", "4"), analysed("5", "4")]
    judged = replace(played(0, *own, bar=bar, judges=four), struck={"Judge 4": ["design"]})
    whole = minutes(judged, finals={"design": Final("3.6667"), "tests": Final("4.00")})
    whole = replace(whole, criteria=[replace(row, weight="50", share="0.5") for row in whole.criteria])

    told = document(whole)

    assert (told["now"]["overall"], told["decided"]["overall"]) == ("3.8333", "3.8333")


def test_each_disagreement_says_what_closed_it():
    [one] = document(minutes(*debated()))["disagreements"]

    assert (one["criterion"], one["gap"], one["left"], one["closed"]) == ("design", "2.00", "1.00", True)
    assert one["between"] == ["Judge 2", "Judge 1"]
    assert one["moves"] == [{"round": 1, "judge": "Judge 1", "from": "4.50", "to": "3.50", "because": "So it is."}]


def test_a_disagreement_that_stands_says_who_stayed_and_why():
    own = [analysed("5", "3"), analysed("2", "3"), analysed("4", "3")]
    stayed = [argued(one, [own[1], own[0]], section("design", one["scores"]["design"])) for one in own]

    told = document(minutes(played(0, *own), played(1, *stayed)))

    [one] = told["disagreements"]
    assert (one["closed"], one["moves"]) == (False, [])
    assert one["held"] == [
        {"judge": f"Judge {at}", "score": score, "because": "So it is."}
        for at, score in ((1, "5.00"), (2, "2.00"), (3, "4.00"))
    ]
    assert "  * Judge 2 stays at 2.00. So it is." in reports.final_report(document=told)


def test_who_lay_furthest_apart_what_is_quoted_and_what_to_improve_is_the_same_in_any_order_of_seats():
    own = [
        analysed("5", "4", quotes=["The tests run in CI"]),
        analysed("2", "4", quotes=["The cache is warm"]),
        analysed("5", "3", quotes=[THERE, "The cache is warm"]),
        analysed("2", "3.5", quotes=[THERE, "The tests run in CI"]),
    ]
    for number, body in enumerate(own):
        body["criteria"][0]["improvement"] = f"Idea {number}."
    found = []

    for order in itertools.permutations(range(4)):
        names = [f"Judge {seat}" for seat in range(1, 5)]
        round_ = played(0, *(own[at] for at in order), judges=names)
        told = document(minutes(round_, judges=names))
        [one] = [one for one in told["disagreements"] if one["criterion"] == "design"]
        between = [order[names.index(name)] for name in one["between"]]
        found.append((between, told["criteria"][0]["quotes"], told["improvements"]))

    ideas = [f"Idea {number}." for number in (1, 3, 0, 2)]
    assert found == [([3, 0], ["The cache is warm", "The tests run in CI"], [*ideas, "More."])] * 24


def test_of_judges_who_gave_the_same_scores_the_same_one_is_named_in_any_order_of_seats():
    own = [analysed("5", "4"), analysed("5", "4", quotes=["The cache is warm"]), analysed("2", "4")]
    found = set()

    for order in itertools.permutations(range(3)):
        names = [f"Judge {seat}" for seat in range(1, 4)]
        told = document(minutes(played(0, *(own[at] for at in order), judges=names), judges=names))
        [one] = told["disagreements"]
        found.add(tuple(order[names.index(name)] for name in one["between"]))

    assert len(found) == 1


def test_where_only_the_overalls_lie_apart_every_spread_is_named_with_what_became_of_it():
    own = [analysed("4", "4"), analysed("3.2", "3.4"), analysed("4", "4")]
    moved = argued(own[1], [own[0], own[2]], section("design", "3.8", THERE), section("tests", "3.4"))
    stayed = [argued(one, [own[1]], section("design", "4"), section("tests", "4")) for one in (own[0], own[2])]
    rounds = played(0, *own), played(1, stayed[0], moved, stayed[1])

    before, after = (document(minutes(*rounds[:count])) for count in (1, 2))

    assert [one["outcome"]["reason"] for one in (before, after)] == ["spread", ""]
    assert [(one["criterion"], one["gap"], one["left"], one["closed"]) for one in before["disagreements"]] == [
        ("design", "0.80", "0.80", False),
        ("tests", "0.60", "0.60", False),
    ]
    assert [(one["criterion"], one["left"], one["closed"]) for one in after["disagreements"]] == [
        ("design", "0.20", True),
        ("tests", "0.60", False),
    ]
    assert "* Design: 0.80 between Judge 2 and Judge 1; closed to 0.20." in reports.final_report(document=after)
    assert "Judge 2 stays at 3.40." in reports.final_report(document=after)


def test_judges_who_only_may_not_end_alone_do_not_disagree():
    late = replace(BAR, policy=Policy(early_exit=False))
    own = [analysed("4", "4"), analysed("4.2", "4"), analysed("4", "4")]

    told = document(minutes(played(0, *own, bar=late)))

    assert (told["outcome"]["reason"], told["disagreements"]) == ("not_accepted", [])
    assert reports.reason(told) == "no judge was asked to accept the result"


def test_before_and_after_are_both_there():
    told = document(minutes(*debated()))

    assert (told["first"]["round"], told["outcome"]["round"]) == (0, 1)
    assert [one["first"] for one in told["judges"]] == ["3.90", "2.70", "2.60"]
    assert sorted(told["agreement"]) == ["first", "last"]
    assert told["agreement"]["first"]["alpha"]["interval"]["state"] == "too_few_units"


def test_where_there_was_no_debate_the_first_statistics_are_the_last():
    told = document(minutes(AGREED))["agreement"]

    assert told["first"] == told["last"]
    assert told["first"]["judges"]["Judge 2"]["leniency"] == "-0.25"
    assert sorted(told["first"]["intraclass"]) == ["average", "single", "units"]


def test_before_anything_is_judged_there_is_a_document_without_numbers():
    told = document(minutes())

    assert (told["outcome"], told["agreement"], told["disagreements"]) == (None, {}, [])
    assert "No round has been judged." in reports.final_report(document=told)


def test_a_report_begins_with_who_did_it_and_keeps_the_order_of_its_sections():
    paper = reports.judge_report(document=document(minutes(*debated())), judge="Judge 1")

    assert paper.startswith("Done by Judge 1\n\n# A \\*cache\\*\n")
    assert paper.index("## Independent analysis") < paper.index("## Debate round 1")
    assert "### Design: 4.50 against 2.50 of Judge 2" in paper
    assert f"> {THERE}" in paper


def test_a_report_marks_what_the_subject_does_not_say_and_what_was_not_taken():
    body = analysed("4", "3", quotes=[NOT_THERE], revisions=[revision("design", "2", NOT_THERE)])

    paper = reports.judge_report(document=document(minutes(played(0, body, body, None))), judge="Judge 1")

    assert f"> {NOT_THERE} (**not in the subject**)" in paper
    assert "Revision from 4.00 to 2.00, not taken: the subject does not say what was quoted." in paper


def test_a_judge_who_could_not_be_read_has_a_report_that_says_so():
    paper = reports.judge_report(document=document(minutes(played(0, analysed("4", "3"), None, None))), judge="Judge 3")

    assert "This judge could not be read in this round." in paper


def test_the_final_report_of_a_panel_that_agrees_recommends():
    paper = reports.final_report(document=document(minutes(AGREED)))

    assert "**Consensus** without a debate: overall **4.20** of 5." in paper
    assert "Recommendation: **Pass**." in paper
    assert "| Design | 0.60 | 4.50 | 4.00 | 4.50 | 4.3333 | 4.3333 |" in paper
    assert "* Design: \u201cThe tests run in CI\u201d" in paper


def test_the_final_report_of_a_panel_that_does_not_agree_asks_for_a_person():
    paper = reports.final_report(document=document(minutes(*debated())))

    assert "**No consensus** after 1 debate round: the overall scores lie too far apart." in paper
    assert "In dispute: Design, Testing. A person must decide." in paper
    assert "* Design: 2.00 between Judge 2 and Judge 1; closed to 1.00." in paper
    assert "  * Round 1, Judge 1: 4.50 to 3.50. So it is." in paper


def test_nobody_closes_a_disagreement_by_falling_silent():
    own = [analysed("5", "4"), analysed("2", "4"), analysed("2", "4")]
    said = [argued(one, own[:1], section("design", "2")) for one in own[1:]]

    told = document(minutes(played(0, *own), played(1, None, *said)))

    [gap] = told["disagreements"]
    assert (gap["left"], gap["struck"], gap["silent"]) == ("0.00", [], ["Judge 1"])
    said_of_it = (
        "* Design: 3.00 between Judge 2 and Judge 1; 0.00 without Judge 1.\n  * Judge 1 could not be read in the"
    )
    assert said_of_it in reports.final_report(document=told)


def test_who_does_not_accept_is_named_and_what_is_in_dispute_has_every_judges_words():
    own = [analysed("4", "3.5"), analysed("4", "4"), analysed("4", "4")]
    said = [argued(one, own[1:], section("design", "4"), accepts=at > 0) for at, one in enumerate(own)]

    paper = reports.final_report(document=document(minutes(played(0, *own), played(1, *said))))

    assert "after 1 debate round: not every judge accepts the result (Judge 1 does not)." in paper
    assert "## In dispute\n\n* Testing\n  * Judge 1, 3.50: tests so.\n  * Judge 2, 4.00: tests so.\n" in paper


def test_where_nobody_accepts_it_says_so_unless_the_words_were_erased():
    own = [analysed("4", "3.5"), analysed("4", "4"), analysed("4", "4")]
    said = [argued(one, own[1:], section("design", "4"), accepts=False) for one in own]
    erased = [{"kind": "erased", "scores": one["scores"], "overall": one["overall"]} for one in said]

    papers = [
        reports.final_report(document=document(minutes(played(0, *own), played(1, *round_))))
        for round_ in (said, erased)
    ]

    assert "after 1 debate round: no judge accepts the result." in papers[0]
    assert "after 1 debate round: not every judge accepts the result." in papers[1]


@pytest.mark.parametrize(
    ("design", "tests", "said"),
    [
        (Final("4", "4"), Final("2"), "A person has decided Design; on Testing the mean of the judges stands."),
        (Final("3"), Final("2"), "What a person decided was taken back; the means of the judges stand."),
    ],
)
def test_a_decision_that_was_taken_back_is_no_decision(design, tests, said):
    rolled = minutes(*debated(), finals={"design": design, "tests": tests}, status="concluded")

    assert f"In dispute: Design, Testing. {said} Overall" in reports.final_report(document=document(rolled))


@pytest.mark.parametrize(
    ("status", "said"),
    [("concluded", "It ended before anybody decided."), ("running", "The debate goes on."), ("paused", "")],
)
def test_a_panel_that_was_not_settled_promises_no_person(status, said):
    kept = minutes(*debated(), status=status)
    kept.about["debate"] |= {"partial": status == "concluded", "partialReason": "budget_spent"}

    paper = reports.final_report(document=document(kept))

    assert f"In dispute: Design, Testing. {said}".rstrip() + "\n" in paper
    assert ("It ended early: the budget was spent." in paper) is (status == "concluded")


def test_a_panel_that_was_stopped_names_no_office_that_stopped_it():
    kept = minutes(*debated(), status="concluded")
    kept.about["debate"] |= {"partial": True, "partialReason": "stopped"}

    assert "It ended early: it was stopped." in reports.final_report(document=document(kept))


def test_an_overall_is_written_with_places_that_can_be_read():
    assert [reports.short(one) for one in ("2.676470588235", "4.5", None)] == ["2.6765", "4.50", ""]


def test_what_a_person_decided_is_marked():
    finals = {"design": Final("4", "4"), "tests": Final("3", "3")}
    decided = minutes(*debated(), finals=finals, status="concluded")

    paper = reports.final_report(document=document(decided))

    assert "| 4.00 (decided by a person) |" in paper
    assert "A person has decided. Overall **3.60** of 5; recommendation: **Needs revision**." in paper
    assert "must decide" not in paper


def test_what_a_person_moved_after_the_judges_agreed_moves_the_recommendation():
    finals = {"design": Final("1", "1"), "tests": Final("4")}

    paper = reports.final_report(document=document(minutes(AGREED, finals=finals)))

    assert "overall **4.20** of 5.\n\nA moderator has moved scores since: the overall stands at **2.20** of 5." in paper
    assert "Recommendation: **Fail**." in paper


@pytest.mark.parametrize(
    ("swap", "flipped", "told"),
    [
        (True, 1, "in both orders. 1 of 6 came to another end in the other order; single scores lie 0.50 apart on"),
        (False, None, "Each score was given 3 times. Single scores lie 0.50 apart on average, 2.00 at most."),
    ],
)
def test_how_often_each_score_was_given_is_said(swap, flipped, told):
    row = {"what": "score", "judged": 6, "flipped": flipped, "meanSpread": "0.50", "largestSpread": "2.00"}
    fairness = {"swap": swap, "judgements": 3, "judged": [row]}

    assert told in reports.final_report(document=document(minutes(AGREED, fairness=fairness)))


def test_papers_are_the_same_bytes_when_written_again():
    rounds = debated()

    assert reports.final_report(document=document(minutes(*rounds))) == reports.final_report(
        document=document(minutes(*debated()))
    )


def test_foreign_words_begin_no_heading_and_no_table():
    assert reports.line("# one\n| two |\n<b>") == "\\# one \\| two \\| \\<b\\>"


@pytest.mark.parametrize(
    ("title", "number", "name"),
    [
        ("Soil probes", 1, "soil-probes-2026-11-21.1.md"),
        ("Soil probes", 2, "soil-probes-2026-11-21-2.1.md"),
        ("../../etc/passwd", 1, "etc-passwd-2026-11-21.1.md"),
        ("\u00c9t\u00e9", 1, "ete-2026-11-21.1.md"),
        ("\u65e5\u672c", 1, "subject-2026-11-21.1.md"),
    ],
)
def test_papers_are_named_after_their_subject_and_never_lead_elsewhere(title, number, name):
    assert reports.file_name(title=title, date="2026-11-21", part="1", number=number) == name


def test_the_subject_of_these_tests_says_what_they_quote():
    assert THERE in SUBJECT
    assert NOT_THERE not in SUBJECT


# -- what all judges share ---------------------------------------------------------------------------------------------

ODD = (("4", "3"), ("3.5", "2.5"), ("3", "2"))
"""Scores that nobody shares: neither 4 and more, nor 2.5 and less."""


def noting(*weaknesses):
    """Return a panel whose judges name these weaknesses, each their own list."""
    named = [analysed(*given, weaknesses=list(own)) for given, own in zip(ODD, weaknesses, strict=True)]
    return document(minutes(played(0, *named)))


@pytest.mark.parametrize(
    ("weaknesses", "named"),
    [
        pytest.param(
            (["The rest is not measured."], ["It is slow.", "the rest is not measured"], ["The rest is NOT measured!"]),
            ["the rest is not measured"],
            id="the same words",
        ),
        pytest.param(
            (["Testing: 2.50"], ["Testing: 2 (\u201cThe tests run in CI\u201d)"], ["Testing: 3"]),
            ["Testing"],
            id="the same criterion",
        ),
        pytest.param(
            (
                [f"No figures (\u201c{THERE}\u201d)"],
                [f"Vague: \u201c{THERE}.\u201d"],
                [f"Unmeasured. \u201c{THERE} \u2026\u201d"],
            ),
            [f"Vague: \u201c{THERE}.\u201d"],
            id="the same quote",
        ),
        pytest.param((["The rest is not measured."], ["It is slow."], ["It is slow."]), [], id="not everybody"),
    ],
)
def test_a_weakness_that_every_judge_names_is_shared_whatever_they_give(weaknesses, named):
    told = noting(*weaknesses)

    assert [point["name"] for point in told["weaknesses"]] == named
    paper = reports.final_report(document=told)
    assert ("none that every judge names" in paper.partition("Weaknesses:")[2]) is (not named)


def test_what_is_shared_does_not_depend_on_the_order_of_seats():
    lists = [["The rest is not measured at all."], ["rest not measured", "It is slow."], ["The rest is not measured."]]

    orders = itertools.permutations(zip(ODD, lists, strict=True))
    bodies = [[analysed(*given, weaknesses=own) for given, own in order] for order in orders]
    shared = [document(minutes(played(0, *order)))["weaknesses"] for order in bodies]

    assert shared == [[{"criterion": "", "name": "rest not measured", "quotes": []}]] * 6


def test_every_number_of_a_panel_is_a_string_of_2_to_6_places():
    thirds = [analysed("4.5", "3"), analysed("2.55", "3"), analysed("3", "2")]
    whole = document(
        minutes(
            played(0, *thirds),
            played(1, *(argued(one, thirds[1:], section("design", one["scores"]["design"])) for one in thirds)),
        )
    )

    def numbers(value):
        if isinstance(value, dict):
            return [number for one in value.values() for number in numbers(one)]
        if isinstance(value, list):
            return [number for one in value for number in numbers(one)]
        return [value] if isinstance(value, str) and re.fullmatch(r"-?\d*\.?\d+", value) else []

    assert len(numbers(whole)) > 100
    assert [number for number in numbers(whole) if not re.fullmatch(r"-?\d+\.\d{2,6}", number)] == []


def test_a_code_that_is_called_like_a_number_breaks_nothing():
    left_out = {"not_applicable": {"score": "The tests are elsewhere."}, "weights": {"score": "30"}}

    assert reports.with_places(left_out) == {**left_out, "weights": {"score": "30.00"}}


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("src/api/users.ts", "src-api-users.ts-2026-11-21.1.md"),
        ("users.ts and 2 more", "users.ts-and-2-more-2026-11-21.1.md"),
        ("../../etc/passwd", "etc-passwd-2026-11-21.1.md"),
        ("Notes. Part .two..three.", "notes-part-two-three-2026-11-21.1.md"),
        ("...", "subject-2026-11-21.1.md"),
    ],
)
def test_a_report_is_called_by_the_whole_name_of_its_subject(title, name):
    assert reports.file_name(title=title, date="2026-11-21", part="1") == name


@pytest.mark.parametrize(
    ("overall", "expected"),
    [
        pytest.param("4.3333", "4.33", id="two places"),
        pytest.param("3.9983", "3.9983", id="two places would pass"),
        pytest.param("2.9983", "2.9983", id="two places would not fail"),
        pytest.param(None, None, id="none"),
    ],
)
def test_an_overall_is_shown_on_the_side_of_the_mark_on_which_it_is(overall, expected):
    shown = results.shown(overall, policy=Policy().snapshot())

    assert shown == (expected and Decimal(expected))
