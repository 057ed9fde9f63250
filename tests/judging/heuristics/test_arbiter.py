"""The arbiter: who wins, by how much, and why; and the closing summary, from whatever result there is."""

import json
from collections import Counter
from dataclasses import replace
from decimal import Decimal

import pytest

from judging import heuristics
from judging.types import Exchange, Material, Reply, Severity
from tests.judging.heuristics.dry_run import card, cards, material, opened, play, samples

ATTACKED = "Some growers might pay."
ANSWER = "Nine of the eleven growers paid 85 euros in advance by 3 March, according to the books of the Lorn pool."
TEXT = f"{ATTACKED} {ANSWER} It rains often here."


def ruled(reply, *answers, severity=Severity.SIGNIFICANT, score="6.00", number=1, text=TEXT, quote=ATTACKED):
    said = [(1, "challenger", "What shows that they pay?")]
    for at, words in enumerate(answers, start=1):
        said += [(at, "evaluator", words), (at + 1, "challenger", "And what else?")]
    exchange = Exchange("C1", "skeptic", severity, quote, tuple(said[:-1]), reply)
    shown = material(text, card("R2"), exchanges=(exchange,), round=number, score=Decimal(score))
    return heuristics.judge(shown)["verdicts"][0]


@pytest.mark.parametrize("name", sorted(samples()))
def test_the_sign_of_every_verdict_follows_its_winner(name):
    signs = {"evaluator": {0, 1}, "red_team": {0, -1}, "draw": {0}}

    for criterion in cards():
        for one in play(samples()[name][1], criterion, rounds=5).verdicts:
            for number in (Decimal(one["adjustment"]), Decimal(one["impact"])):
                assert (number > 0) - (number < 0) in signs[one["winner"]]


def test_a_debate_moves_a_criterion_by_less_than_a_point_at_the_mean():
    moved = [
        abs(played.final - played.initial)
        for name in samples()
        for played in (play(samples()[name][1], card) for card in cards())
    ]

    assert max(moved) <= 4
    assert sum(moved) / len(moved) < 1


def test_both_sides_win_in_a_middling_text():
    text = samples()["pavement-ledger"][1]
    winners = Counter(one["winner"] for card in cards() for one in play(text, card).verdicts)

    assert min(winners["evaluator"], winners["red_team"]) * 10 > sum(winners.values())


def test_a_passage_that_shows_what_was_asked_wins():
    won = ruled(Reply.DEFEND, f"It says: \u201c{ANSWER}\u201d")

    assert won["winner"] == "evaluator"
    assert Decimal(won["adjustment"]) > 0
    assert "according to the" in won["reasoning"]


def test_an_answer_without_a_passage_loses():
    assert ruled(Reply.DEFEND, "Trust us, they pay.")["winner"] == "red_team"


def test_invented_evidence_is_not_in_the_subject_and_weighs_nothing():
    assert ruled(Reply.DEFEND, "A survey of 4,000 growers by Dr Lind shows that 99 % pay.")["winner"] == "red_team"


def test_a_challenge_that_quotes_what_the_subject_does_not_say_weighs_less():
    words = "Trust us, they pay."

    real, invented = (ruled(Reply.DEFEND, words, quote=quote) for quote in (ATTACKED, "Nobody will ever pay."))

    assert Decimal(real["adjustment"]) < Decimal(invented["adjustment"]) <= 0


def test_what_was_quoted_before_moves_nothing_again():
    words = f"It says: \u201c{ANSWER}\u201d"

    first = ruled(Reply.DEFEND, words, severity=Severity.MINOR)
    again = ruled(Reply.DEFEND, words, "As said before: " + words, severity=Severity.MINOR)

    assert first["winner"] == "evaluator"
    assert (again["winner"], again["adjustment"], again["impact"]) == ("draw", "0.00", "0.00")


def test_the_same_answer_moves_less_in_a_later_round():
    words = f"It says: \u201c{ANSWER}\u201d"
    ruled_in = [ruled(Reply.DEFEND, words, severity=Severity.MINOR, number=number) for number in (1, 2, 3)]
    sizes = [Decimal(one["adjustment"]) for one in ruled_in]

    assert sizes[0] > sizes[1] > sizes[2] >= 0


def test_the_graver_the_conceded_challenge_the_more_it_costs():
    costs = [-Decimal(ruled(Reply.CONCEDE, "Granted.", severity=one)["adjustment"]) for one in Severity]

    assert costs[0] >= 2 > costs[1] >= 1 > costs[2] > 0


@pytest.mark.parametrize("severity", Severity)
def test_a_challenge_of_any_severity_is_met_by_a_passage_that_has_what_was_asked(severity):
    assert ruled(Reply.DEFEND, f"It says: \u201c{ANSWER}\u201d", severity=severity)["winner"] == "evaluator"


@pytest.mark.parametrize("reply", Reply)
def test_a_ruling_is_the_same_whatever_the_score(reply):
    high, low = (ruled(reply, f"It says: \u201c{ANSWER}\u201d", score=one) for one in ("8.00", "2.20"))

    assert high == low


def test_a_passage_that_takes_back_what_it_says_answers_with_half_of_its_weight():
    answer = "Nine growers might pay 85 euros in advance, perhaps by March."
    weak = ruled(Reply.DEFEND, f"It says: \u201c{answer}\u201d", text=f"{ATTACKED} {answer}")
    firm = ruled(Reply.DEFEND, f"It says: \u201c{ANSWER}\u201d")

    assert weak["winner"] == "evaluator"
    assert Decimal(weak["adjustment"]) * 2 <= Decimal(firm["adjustment"])
    assert "might" in weak["reasoning"]


def test_a_concession_to_a_further_question_costs_less_and_leaves_what_was_shown():
    first = f"It says: \u201c{ANSWER}\u201d"
    further = ruled(Reply.CONCEDE, first, "Granted: no reason is given.", number=2)

    assert further["winner"] == "red_team"
    assert Decimal(further["adjustment"]) == Decimal(ruled(Reply.CONCEDE, "Granted.")["adjustment"]) / 2


def test_what_was_conceded_in_an_earlier_round_is_not_charged_twice():
    assert ruled(Reply.CONCEDE, "Granted.", "Still granted.", number=2)["winner"] == "draw"


def test_confidence_follows_the_verdicts():
    strong = play(samples()["vaccine-fridges"][1], card("R4")).verdicts
    weak = play(samples()["lifeverse"][1], card("R4")).verdicts

    assert sum(Decimal(one["impact"]) for one in strong) > 0
    assert sum(Decimal(one["impact"]) for one in weak) < 0


def test_an_exchange_without_a_reply_gets_no_verdict():
    text = samples()["drone-salad"][1]
    first, *others = opened(text, card("M3"))
    exchanges = (replace(first, reply=Reply.CONCEDE, said=(*first.said, (1, "evaluator", "Granted."))), *others)

    verdicts = heuristics.judge(material(text, card("M3"), exchanges=exchanges, round=1))["verdicts"]

    assert [one["challenge"] for one in verdicts] == [first.label]


def test_the_reasoning_names_what_was_asked_and_what_the_passage_lacks():
    weak = "Growers in the Lorn valley pay gladly."
    lost = ruled(Reply.DEFEND, f"It says: \u201c{weak}\u201d", text=f"{TEXT} {weak}", severity=Severity.CRITICAL)

    assert lost["winner"] == "red_team"
    assert weak in lost["reasoning"]
    assert "a source" in lost["reasoning"]


# -- the closing summary -----------------------------------------------------------------------------------------------


RESULT = {
    "overall_before": "6.00",
    "overall_after": "6.40",
    "recommendation": "refine",
    "survival_rate": "0.61",
    "criteria": [
        {"code": "F2", "name": "Resources", "category": "feasibility", "initial": "7.00", "final": "7.80"},
        {"code": "S5", "name": "Defensibility", "category": "solution", "initial": "4.10", "final": "3.20"},
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


def test_the_summary_says_what_a_person_decided():
    rows = [row | {"override": None if row["code"] == "M5" else row["final"]} for row in RESULT["criteria"]]
    told = "A person decided Resources and Defensibility. The rec"

    assert concluded({**RESULT, "criteria": rows})["summary"] == concluded(RESULT)["summary"].replace("The rec", told)


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


def test_what_a_result_does_not_list_is_no_strength_and_no_weakness():
    """As where every score is the initial one, kept because no verdict counts."""
    made = concluded(RESULT | {"strengths": [], "weaknesses": []})

    assert (made["strengths"], made["weaknesses"]) == ([], [])


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
