"""The criterion format played through conductor and database, after every round against worked numbers."""

import json
from decimal import Decimal
from pathlib import Path

import pytest
from django.utils import timezone

from debates.models import Event, Round, Turn
from judging.engine import lifecycle
from judging.formats.spec import Limits
from judging.models import Call, Verdict
from scoring import verify
from scoring.models import Alert, Evaluation, Fact
from scoring.types import Parameters
from tests import factories, playing
from tests.playing import one_pressed, ruling, script

pytestmark = pytest.mark.django_db
FILE = Path(__file__).parent.parent / "vectors" / "criterion.json"
OPTIONS = ("adjustment_cap", "confidence_cap", "weight_by_confidence")


def worked(name, initial, confidence, rounds, running, confidences) -> dict:
    """A worked case in the shape of a vector file, with where each round brings score and confidence."""
    return {
        "id": name,
        "initial": initial,
        "confidence": confidence,
        "rounds": [[{"adjustment": one, "impact": two} for one, two in verdicts] for verdicts in rounds],
        "expect": {
            "running": running,
            "final": (running or [initial])[-1],
            "confidences": confidences,
            "confidence": (confidences or [confidence])[-1],
        },
    }


CASES = [
    *(one for one in json.loads(FILE.read_text())["cases"] if "final" in one["expect"]),
    worked("up, down, up", "7", "0.7", [[("2", "0.1")], [("-1", "-0.05")], [("1", "0.15")]], ["9", "8", "9"],
           ["0.8", "0.75", "0.9"]),
    worked("to the top", "5", "0.6", [[("3", "0.3")]] * 3, ["8", "10", "10"], ["0.9", "1", "1"]),
    worked("to the bottom", "2", "0.4", [[("-3", "-0.3")]] * 2, ["1", "1"], ["0.1", "0"]),
    worked("nothing played", "8", "0.8", [], [], []),
    worked("the cap before the clamp", "1", "0.95", [[("3", "0.1")], [("3", "0")], [("3", "0")]], ["4", "6", "6"],
           ["1"] * 3),
    worked("already at the top", "10", "0.5", [[("3", "0")]], ["10"], ["0.5"]),
    worked("there and back", "9", "0.5", [[("3", "0.3")], [("-3", "-0.3")]], ["10", "9"], ["0.8", "0.5"]),
    worked("sum first", "6", "0.9", [[("3", "0.3")], [("3", "0.3")], [("-3", "-0.1")]], ["9", "10", "9"], ["1"] * 3),
    worked("two verdicts a round", "5", "0.5", [[("3", "0"), ("1", "0")], [("3", "0")], [("-2", "0"), ("-2", "0")]],
           ["9", "10", "8"], ["0.5"] * 3),
    worked("all draws", "5.5", "0.4", [[("0", "0")]] * 3, ["5.5"] * 3, ["0.4"] * 3),
    worked("1 with -3", "1", "0.1", [[("-3", "-0.3")]], ["1"], ["0"]),
]  # fmt: skip


@pytest.fixture(autouse=True)
def proof():
    yield
    assert verify.verify().faults == ()
    for debate_id in set(Event.objects.values_list("debate_id", flat=True)):
        seqs = list(Event.objects.filter(debate_id=debate_id).order_by("seq").values_list("seq", flat=True))
        assert seqs == list(range(1, len(seqs) + 1))


def alike(case) -> tuple[int, tuple[tuple[str, object], ...]]:
    """What is of a whole debate in a case: how many rounds, and how it is scored."""
    return max(len(case["rounds"]), 1), tuple((name, case[name]) for name in OPTIONS if name in case)


@pytest.mark.parametrize("whole", dict.fromkeys(map(alike, CASES)), ids=str)
@pytest.mark.parametrize("updates", ["per_round", "at_end"])
def test_every_round_brings_the_score_to_where_the_worked_numbers_say(whole, updates):
    """Cases that are alike are played side by side, each on the thread of a criterion of its own."""
    cases = {f"P{at}": case for at, case in enumerate((case for case in CASES if alike(case) == whole), 1)}
    answers = []
    for key, case in cases.items():
        rounds = [
            [
                ruling(row["adjustment"], row["impact"], challenge=f"C{at}", confidence=row.get("confidence", "1"))
                for at, row in enumerate(verdicts, 1)
            ]
            for verdicts in case["rounds"]
        ]
        answers += script(rounds, thread=key)
    debate = playing.debate(
        answers,
        criteria=list(cases),
        rounds=whole[0],
        initial={key: (case["initial"], case["confidence"]) for key, case in cases.items()},
        score_updates=updates,
        score=Parameters.from_options(dict(whole[1])),
    )

    playing.work()

    for key, case in cases.items():
        evaluation, name, expect = Evaluation.objects.get(debate=debate, key=key), case["id"], case["expect"]
        entries = list(evaluation.entries.filter(kind="round"))
        for column, numbers in (("computed_after", "running"), ("confidence_after", "confidences")):
            if numbers in expect:  # a round without verdicts has no entry
                after = zip(expect[numbers], case["rounds"], strict=True)
                counted = [Decimal(number) for number, verdicts in after if verdicts]
                assert (name, column, [getattr(entry, column) for entry in entries]) == (name, column, counted)
        last = (name, Decimal(expect["final"]), Decimal(expect["confidence"]))
        assert (name, evaluation.final_score, evaluation.confidence) == last
    debate.refresh_from_db()
    assert debate.status == "concluded"


def test_a_budget_that_ends_after_round_one_leaves_what_has_counted():
    debate = playing.debate(script([[ruling("2")]] * 3), limits=Limits(calls=3))

    playing.work()

    evaluation = Evaluation.objects.get(debate=debate)
    debate.refresh_from_db()
    assert (evaluation.final_score, evaluation.debate_complete, evaluation.debate_round_count) == (8, False, 1)
    assert (debate.status, debate.partial, debate.partial_reason) == ("concluded", True, "budget_spent")
    assert Call.objects.filter(debate=debate, thread__isnull=False).count() == 3


def test_threads_play_in_parallel_and_one_that_fails_does_not_stop_the_others():
    bad = [{"thread": "P2", "purpose": "judge", "round": 2, "error": "gone", "permanent": True}]
    debate = playing.debate([*bad, *script([[ruling("1")]] * 3)], criteria=["P1", "P2", "P3"])

    playing.work()

    finals = dict(Evaluation.objects.filter(debate=debate).values_list("key", "final_score"))
    assert finals == {"P1": 9, "P2": 7, "P3": 9}
    debate.refresh_from_db()
    assert (debate.status, debate.partial_reason) == ("concluded", "judge_failed")
    assert Alert.objects.get(debate=debate, code="judge_failed").evaluation.key == "P2"


def test_a_thread_in_which_nothing_counted_falls_back_to_its_initial_score():
    debate = playing.debate([{"purpose": "challenge", "error": "gone", "permanent": True}])

    playing.work()

    evaluation = Evaluation.objects.get(debate=debate)
    assert (evaluation.final_score, evaluation.entries.last().kind) == (6, "fallback")
    assert evaluation.thread.status == "failed"


@pytest.mark.parametrize(
    ("verdict", "names"),
    [
        pytest.param(ruling("3.5"), "adjustment must be a number from -3 to 3", id="too large"),
        pytest.param(ruling("two"), "adjustment must be a number", id="a word"),
        pytest.param('{"verdicts": [{"adjustment": NaN}]}', "NaN, which is not a number", id="not a number"),
        pytest.param("I give it a seven.", "holds no JSON object", id="prose"),
        pytest.param('{"verdicts": [], "verdicts": []}', "'verdicts' stands twice in one object", id="a key twice"),
        pytest.param("[]", "must be a JSON object", id="a list"),
        pytest.param(ruling("1.234"), "at most 2 places", id="three places"),
        pytest.param(ruling("1", "0.31"), "impact must be a number from -0.3 to 0.3", id="impact too large"),
        pytest.param(ruling("1", challenge="C9"), "challenge must be one of C1", id="an unknown challenge"),
        pytest.param({**ruling("1"), "winner": "nobody"}, "winner must be one of evaluator", id="an unknown winner"),
        pytest.param(ruling("1", confidence="1.2"), "confidence must be a number from 0 to 1", id="confidence"),
        pytest.param({**ruling("1"), "adjustment": True}, "adjustment must be a number", id="a truth value"),
        pytest.param({**ruling("1"), "adjustment": None}, "adjustment must be a number", id="nothing"),
        pytest.param({**ruling("1"), "reasoning": ""}, "reasoning must not be empty", id="no reasoning"),
    ],
)
def test_an_unusable_verdict_is_refused_by_name_and_asked_for_again(verdict, names):
    answers = script([[ruling("1")]])
    bad = {**answers[-1], "attempt": 1, "answer": verdict if isinstance(verdict, str) else {"verdicts": [verdict]}}
    debate = playing.debate([bad, *answers], rounds=1)

    playing.work()

    refused = Call.objects.get(debate=debate, outcome="rejected")
    assert names in refused.problem
    assert Evaluation.objects.get(debate=debate).final_score == 7
    assert Fact.objects.filter(evaluation__debate=debate).count() == 1


def test_a_doubled_verdict_is_refused_whole_and_nothing_of_it_is_written():
    answers = script([[ruling("1")]])
    bad = {**answers[-1], "answer": {"verdicts": [ruling("1"), ruling("2")]}}
    debate = playing.debate([bad, *answers[:-1]], rounds=1)

    playing.work()

    assert Verdict.objects.count() == 0
    assert Call.objects.filter(outcome="rejected", problem__contains="answered already").count() == 3
    evaluation = Evaluation.objects.get(debate=debate)
    assert (evaluation.final_score, evaluation.entries.last().reason_code) == (6, "judge_failed")


def test_a_challenge_without_a_defence_gets_no_verdict_and_is_recorded_as_unanswered():
    answers = script([[ruling("1", challenge="C1"), ruling("1", challenge="C2")], [ruling("-1", challenge="C2")]])
    debate = playing.debate(answers, rounds=2)

    playing.work()

    told = (
        Event.objects.filter(debate=debate, type="round:complete")
        .order_by("seq")
        .values_list("data__unanswered", flat=True)
    )
    assert list(told) == [[], ["C1"]]
    assert Verdict.objects.count() == 3
    assert Evaluation.objects.get(debate=debate).final_score == 7


def test_a_round_in_which_nothing_is_answered_closes_without_an_entry():
    answers = script([[ruling("1")], [], [ruling("1")]])
    debate = playing.debate(answers)

    playing.work()

    evaluation = Evaluation.objects.get(debate=debate)
    assert (evaluation.final_score, evaluation.debate_round_count, evaluation.debate_complete) == (8, 2, True)
    assert Round.objects.filter(thread=evaluation.thread, closed_at__isnull=False).count() == 3


def test_a_conceded_challenge_is_judged_once_and_not_put_again():
    answers = one_pressed(
        [ruling("-2", challenge="C1"), ruling("1", challenge="C2")], [ruling("1", challenge="C2")], conceded=True
    )
    debate = playing.debate(answers, rounds=2)

    playing.work()

    assert Turn.objects.filter(debate=debate, kind="challenge", slot="challenge:C1").count() == 1
    assert Evaluation.objects.get(debate=debate).final_score == 6


def test_a_thread_ends_complete_when_everything_was_conceded():
    answers = script([[ruling("-2")]])
    answers[2]["answer"]["defences"][0]["reply"] = "concede"
    debate = playing.debate(answers, rounds=3)

    playing.work()

    evaluation = Evaluation.objects.select_related("thread").get(debate=debate)
    assert (evaluation.thread.status, evaluation.thread.ended_because) == ("complete", "nothing_left_open")
    assert (evaluation.final_score, evaluation.debate_complete) == (4, True)


def test_a_thread_ends_complete_when_the_red_team_presses_nothing_further():
    answers = script([[ruling("1")], [ruling("1")]])
    for answer in answers:
        if answer["purpose"] == "press":
            answer["answer"] = {"presses": []}
    debate = playing.debate(answers, rounds=3)

    playing.work()

    evaluation = Evaluation.objects.select_related("thread").get(debate=debate)
    assert (evaluation.thread.status, evaluation.thread.ended_because) == ("complete", "nothing_left_open")
    assert (evaluation.final_score, evaluation.debate_complete) == (7, True)
    assert Call.objects.filter(debate=debate, purpose="defend").count() == 1
    assert not Round.objects.filter(thread=evaluation.thread, closed_at__isnull=True).exists()


def test_what_the_red_team_lets_lie_is_not_told_as_unanswered():
    answers = one_pressed([ruling("1"), ruling("1", challenge="C2")], [ruling("1", challenge="C2")])
    debate = playing.debate(answers, rounds=2)

    playing.work()

    closed = Event.objects.filter(debate=debate, type="round:complete").order_by("seq")
    assert [one.data["unanswered"] for one in closed] == [[], []]


def test_an_answer_to_what_the_red_team_lets_lie_is_refused_and_gets_no_verdict():
    answers = one_pressed([ruling("1"), ruling("1", challenge="C2")], [ruling("-3", challenge="C2")])
    defence = next(one for one in answers if (one["purpose"], one.get("round")) == ("defend", 2))
    unasked = {"challenge": "C1", "reply": "defend", "text": "Once more."}
    both = {**defence, "attempt": 1, "answer": {"defences": [unasked, *defence["answer"]["defences"]]}}
    debate = playing.debate([both, *answers], rounds=2)

    playing.work()

    refused = Call.objects.get(debate=debate, outcome="rejected")
    assert (refused.purpose, "challenge must be one of C2; got" in refused.problem) == ("defend", True)
    assert list(Verdict.objects.filter(round__number=2).values_list("challenge__label", flat=True)) == ["C2"]
    assert Evaluation.objects.get(debate=debate).final_score == 5


def test_weights_by_confidence_count_when_the_debate_says_so():
    answers = script([[ruling("1.50", confidence="0.5")]])
    debate = playing.debate(answers, rounds=1, score=Parameters(weight_by_confidence=True))

    playing.work()

    assert Evaluation.objects.get(debate=debate).final_score == Decimal("6.75")


def test_a_verdict_against_its_winner_is_kept_and_raises_an_alert():
    wrong = {**ruling("1"), "winner": "red_team"}
    debate = playing.debate(script([[wrong, ruling("0.5", challenge="C2"), {**wrong, "challenge": "C3"}]]), rounds=1)

    playing.work()

    assert Evaluation.objects.get(debate=debate).final_score == Decimal("8.5")
    raised = Alert.objects.filter(debate=debate, code="winner_sign_mismatch").order_by("pk")
    assert [one.evidence["challenge"] for one in raised] == ["C1", "C3"]
    verdicts = Verdict.objects.filter(challenge__label__in=["C1", "C3"]).order_by("challenge__label")
    assert [one.evidence["verdict"] for one in raised] == [str(one.fact.public_id) for one in verdicts]


def test_a_rerun_starts_again_from_the_initial_score_and_confidence():
    debate = playing.debate(script([[ruling("2", "0.2")]]), rounds=1)
    playing.work()
    lifecycle.rerun(debate_id=debate.pk, by=factories.moderator(), reason=factories.REASON, now=timezone.now())
    waiting = Evaluation.objects.get(debate=debate)
    assert (waiting.final_score, waiting.run_number, waiting.confidence) == (None, 2, Decimal("0.5"))

    playing.work()

    evaluation = Evaluation.objects.get(debate=debate)
    assert (evaluation.final_score, evaluation.confidence) == (8, Decimal("0.7"))
    assert [entry.kind for entry in evaluation.entries.all()] == [
        "opened", "round", "completed", "rerun", "round", "completed",
    ]  # fmt: skip
    assert Round.objects.filter(thread=evaluation.thread).values_list("run_number", "number").count() == 2


def test_a_failed_synthesis_leaves_the_scores_and_can_be_tried_again():
    failing = {"purpose": "synthesise", "attempt": 1, "error": "busy", "permanent": True}
    debate = playing.debate([failing, *script([[ruling("2")]])], rounds=1)
    playing.work()
    debate.refresh_from_db()
    assert (debate.status, Evaluation.objects.get(debate=debate).final_score) == ("failed", 8)

    lifecycle.retry_synthesis(debate_id=debate.pk, by=None, now=timezone.now())
    debate.refresh_from_db()
    assert debate.status == "concluding"


def test_the_evaluator_assesses_first_when_no_initial_scores_are_given():
    debate = playing.half_assessed()
    assert debate.status == "scheduled"

    playing.work()

    evaluation = Evaluation.objects.get(debate=debate)
    assert (evaluation.key, evaluation.initial_score, evaluation.final_score) == ("P1", Decimal("7.5"), Decimal("8.5"))
    debate.refresh_from_db()
    assert (debate.status, debate.partial_reason) == ("concluded", "not_assessed")
