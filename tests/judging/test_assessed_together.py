"""Several criteria assessed by one question: what is kept, what is asked for alone, what it costs."""

import asyncio
import json
from dataclasses import replace
from decimal import Decimal

import pytest
from django.core.management import call_command
from django.utils import timezone

from debates.errors import Invalid
from debates.models import Event, Thread
from judging.engine import assessment, selectors
from judging.errors import AnswerRejected
from judging.formats.criterion import parsing, state
from judging.formats.registry import format_of
from judging.formats.spec import Limits
from judging.models import Call
from judging.providers import endpoints
from judging.providers.heuristic import ANSWERS
from judging.types import Purpose
from scoring import verify
from scoring.models import Alert, Evaluation
from tests import playing
from tests.playing import ruling, script

CODES = ("P1", "P2", "P3", "P4", "P5")
ONE = script([[ruling("1")]])
ALONE = {"purpose": "assess", "answer": {"score": "3", "confidence": "0.5", "reasoning": "Alone."}}
STOPPED = {"not_assessed": {"reason": "language_not_read", "why": "It is not English."}}


def row(code, score="6", **more):
    return {"criterion": code, "quotes": [], "reasoning": "So.", "score": score, "confidence": "0.5", **more}


def together(*rows, codes, **more):
    """The answer to one question about these criteria."""
    return {"purpose": "assess_several", "thread": ",".join(codes), "answer": {"assessments": list(rows)}, **more}


def started(*answers, criteria=CODES, at_once=3, **options):
    return playing.debate(
        [*answers, *ONE], criteria=criteria, initial={}, rounds=1, criteria_per_assessment=at_once, **options
    )


def asked():
    """What was asked before play: the purpose, the thread that it counts at, and how it ended."""
    calls = Call.objects.filter(purpose__startswith="assess").order_by("id")
    return list(calls.values_list("purpose", "thread__key", "outcome"))


def initials():
    return {key: int(score) for key, score in Evaluation.objects.values_list("key", "initial_score")}


@pytest.fixture
def proof():
    yield
    assert verify.verify().faults == ()


pytestmark = pytest.mark.django_db


def test_as_many_criteria_as_were_asked_for_are_assessed_by_one_question(proof):
    debate = started(
        together(row("P3", "8"), row("P1", "4"), row("P2"), codes=CODES[:3], tokens_in=900),
        together(row("P4"), row("P5", "9"), codes=CODES[3:]),
    )

    playing.work()

    debate.refresh_from_db()
    assert (debate.status, debate.partial) == ("concluded", False)
    assert sorted(asked()) == [("assess_several", "P1", "used"), ("assess_several", "P4", "used")]
    assert initials() == {"P1": 4, "P2": 6, "P3": 8, "P4": 6, "P5": 9}
    first = Call.objects.get(purpose="assess_several", thread__key="P1")
    assert (first.parameters["criteria"], first.parameters["max_output_tokens"], first.tokens_in) == (
        ["P1", "P2", "P3"],
        1800,
        900,
    )
    assert (first.prompt_name, first.prompt_version) == ("assess_several", 1)


def test_a_debate_costs_as_many_calls_as_it_says():
    debate = started(together(*map(row, CODES[:3]), codes=CODES[:3]), together(*map(row, CODES[3:]), codes=CODES[3:]))

    playing.work()

    assert format_of("criterion").cost(debate=debate).calls == Call.objects.count() == 2 + 5 * 3 + 1


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param([row("P1")], id="missing"),
        pytest.param([row("P1"), row("P2"), row("P2", "9")], id="twice"),
        pytest.param([row("P1"), row("P2", "11")], id="not a score"),
        pytest.param([row("P1"), row("P2", reasoning="")], id="without a reason"),
        pytest.param([row("P1"), row("p2"), row("P9"), row(None)], id="others"),
    ],
)
def test_what_an_answer_lacks_is_asked_for_alone_and_the_rest_of_it_holds(proof, rows):
    debate = started(together(*rows, codes=CODES[:2]), ALONE, criteria=CODES[:2])

    playing.work()

    debate.refresh_from_db()
    assert (debate.status, debate.partial) == ("concluded", False)
    assert asked() == [("assess_several", "P1", "used"), ("assess", "P2", "used")]
    assert initials() == {"P1": 6, "P2": 3}


@pytest.mark.parametrize("answer", ["no JSON", {"assessments": []}, {"assessments": [row("P1", "0")]}, {"score": "6"}])
def test_an_answer_of_which_nothing_can_be_used_is_asked_for_again_and_then_each_alone(settings, answer):
    settings.PROVIDER_RETRIES = 1
    started({**together(codes=CODES[:2]), "answer": answer}, ALONE, criteria=CODES[:2])

    playing.work()

    assert asked() == [
        ("assess_several", "P1", "rejected"),
        ("assess_several", "P1", "rejected"),
        ("assess", "P1", "used"),
        ("assess", "P2", "used"),
    ]
    assert Call.objects.filter(parameters__again=1).count() == 1
    assert initials() == {"P1": 3, "P2": 3}


def test_a_criterion_that_comes_neither_way_has_no_score_and_says_so(settings):
    settings.PROVIDER_RETRIES = 0
    debate = started(together(row("P1"), codes=CODES[:2]), criteria=CODES[:2])

    playing.work()

    debate.refresh_from_db()
    assert (debate.status, debate.partial) == ("concluded", True)
    assert Thread.objects.get(key="P2").ended_because == "not_assessed"
    assert Alert.objects.get(code="judge_failed").evidence["criterion"] == "P2"


def test_a_judge_may_say_of_one_of_several_that_it_cannot_assess_it(proof):
    started(together(row("P1"), {"criterion": "P2", **STOPPED}, codes=CODES[:2]), criteria=CODES[:2])

    playing.work()

    assert asked() == [("assess_several", "P1", "used")]
    assert Thread.objects.get(key="P2").ended_because == "language_not_read"
    assert initials() == {"P1": 6}


def test_one_call_is_enough_for_several_where_a_budget_allows_no_more(proof):
    debate = started(together(*map(row, CODES[:3]), codes=CODES[:3]), criteria=CODES[:3], limits=Limits(calls=1))

    playing.work()

    debate.refresh_from_db()
    assert (debate.status, debate.partial_reason) == ("concluded", "budget_spent")
    assert (Call.objects.count(), initials()) == (1, {"P1": 6, "P2": 6, "P3": 6})
    assert Event.objects.filter(type="budget:status").order_by("seq").last().data["calls"] == 1


def test_what_a_budget_has_no_room_for_is_not_asked_for_alone():
    started(together(row("P1"), codes=CODES[:2]), ALONE, criteria=CODES[:2], limits=Limits(calls=1))

    playing.work()

    assert asked() == [("assess_several", "P1", "used")]
    assert Thread.objects.get(key="P2").ended_because == "budget_spent"


@pytest.mark.django_db(transaction=True)
def test_who_goes_on_after_a_crash_asks_alone_for_what_an_answer_lacked_and_together_for_the_rest():
    answers = [together(row("P1"), codes=CODES[:2]), together(row("P3"), row("P4"), codes=CODES[2:4])]
    debate = started(*answers, ALONE, criteria=CODES[:4], at_once=2)
    brief, waiting = selectors.brief(debate.pk), assessment.to_assess(debate_id=debate.pk)
    asyncio.run(assessment.assess_threads(brief=brief, waiting=waiting[:2]))

    left = assessment.to_assess(debate_id=debate.pk)
    asyncio.run(assessment.prepare(debate_id=debate.pk))

    assert [(thread.key, thread.asked_about) for thread in left] == [("P2", True), ("P3", False), ("P4", False)]
    assert asked() == [("assess_several", "P1", "used"), ("assess_several", "P3", "used"), ("assess", "P2", "used")]
    assert initials() == {"P1": 6, "P2": 3, "P3": 6, "P4": 6}


def test_of_two_workers_who_divided_the_criteria_otherwise_the_first_answer_holds():
    debate = started(at_once=5)
    evaluator = debate.participants.get(role="evaluator")
    for codes, score in ((["P1", "P2"], "4"), (["P2", "P3"], "7")):
        Call.objects.create(
            debate=debate,
            thread=debate.threads.get(key=codes[0]),
            participant=evaluator,
            run_number=1,
            round_number=0,
            attempt=1,
            purpose="assess_several",
            prompt_name="assess_several",
            prompt_version=1,
            prompt_digest="",
            provider="scripted",
            model="script",
            parameters={"criteria": codes},
            raw_answer=json.dumps({"assessments": [row(code, score) for code in codes]}),
            outcome="used",
            at=timezone.now(),
        )

    scores = {code: int(score) for code, (score, _) in state.assessments(debate_id=debate.pk).items()}

    assert scores == {"P1": 4, "P2": 4, "P3": 7}


def test_questions_about_several_begin_with_the_subject_and_end_with_the_criteria():
    debate = started()
    brief = selectors.brief(debate.pk)
    _, first = format_of("criterion").assessment(brief=brief, keys=CODES[:3], attempt=1)
    _, second = format_of("criterion").assessment(brief=brief, keys=CODES[3:], attempt=1)

    (system, shown), (same_system, other) = first.messages, second.messages

    assert system == same_system
    alike = shown.text.index("P1 Name of P1")
    assert shown.text[:alike] == other.text[:alike]
    assert playing.SUBJECT in shown.text[:alike]
    assert [code for code in CODES if f"{code} Name of {code}" in shown.text] == ["P1", "P2", "P3"]


def test_the_offline_judge_gives_several_criteria_what_it_gives_each_alone():
    format_, brief = format_of("criterion"), selectors.brief(started(at_once=5).pk)
    brief = replace(brief, subject=playing.SUBJECT * 3)
    _, request = format_.assessment(brief=brief, keys=CODES, attempt=1)

    at_once = ANSWERS[Purpose.ASSESS_SEVERAL](request.material)["assessments"]

    alone = [format_.assessment(brief=brief, keys=[code], attempt=1)[1].material for code in CODES]
    assert at_once == [
        {"criterion": code, **ANSWERS[Purpose.ASSESS](material)} for code, material in zip(CODES, alone, strict=True)
    ]


def test_the_model_that_is_named_for_assessments_is_asked_about_several_as_well(settings):
    row = {
        "base_url": "http://127.0.0.1:1/v1", "key": "", "model": "usual", "models": {"assess": "careful"}, "prices": {},
        "concurrency": 1, "deadline": 1.0, "mode": "",
    }  # fmt: skip
    settings.LLM_ENDPOINTS = {"main": {**settings.LLM_ENDPOINTS.get("main", {}), **row}}

    assert endpoints.endpoint_of(purpose=Purpose.ASSESS_SEVERAL, model="")[1] == "careful"


@pytest.mark.parametrize("number", [0, 11, True, "3"])
def test_how_many_at_once_has_limits(number):
    with pytest.raises(Invalid, match="criteria_per_assessment must be a whole number from 1 to 10"):
        started(at_once=number)


def test_it_is_asked_for_on_the_command_line(tmp_path, capsys):
    (tmp_path / "wells.txt").write_text(playing.SUBJECT * 2, encoding="utf-8")

    call_command(
        "run_debate",
        str(tmp_path / "wells.txt"),
        criteria="P1,P2,P3",
        rounds=1,
        rubric="samples/rubrics/venture.json",
        criteria_per_assessment=2,
        json=True,
    )

    document = json.loads(capsys.readouterr().out)
    assert len(document["evaluations"]) == 3
    assert sorted(asked()) == [("assess", "P3", "used"), ("assess_several", "P1", "used")]


def test_an_answer_about_several_is_read_by_criterion():
    text = json.dumps({"assessments": [row("P1", "7.5"), {"criterion": "P2", **STOPPED}]})

    read = parsing.assessments(text, codes=["P1", "P2", "P3"])

    assert set(read) == {"P1", "P2"}
    assert (read["P1"].score, read["P2"].reason) == (Decimal("7.5"), "language_not_read")


def test_an_answer_about_none_of_them_says_what_is_wrong():
    with pytest.raises(AnswerRejected, match="assessments, 1: criterion must be one of P1, P2, each once; got 'P3'"):
        parsing.assessments(json.dumps({"assessments": [row("P3")]}), codes=["P1", "P2"])
