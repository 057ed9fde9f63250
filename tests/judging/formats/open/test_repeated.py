"""Where nothing that is said depends on the marks, the responses of an exchange are judged together."""

import asyncio
from dataclasses import replace
from decimal import Decimal

import pytest
from django.utils import timezone

from judging.engine import conductor, play, selectors
from judging.formats.open import questions
from judging.formats.open.spec import ChairSpec
from judging.formats.registry import format_of
from judging.formats.state import Together
from judging.models import ResponseEvaluation
from judging.types import Purpose
from scoring import verify
from tests.judging.formats.open.playing import KONRAD, MIRA, started
from tests.judging.formats.open.scripts import marks, script
from tests.playing import work

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
NAMES = ("Mira", "Konrad", "Lena", "Otto")
TABLE = [ChairSpec(name, "", "0.5", "0.6", "analytical") for name in NAMES]
ALONE = {"persuasion": False, "interjections": False, "introduction": False}


def said(name):
    return {"purpose": "respond", "thread": name, "answer": {"text": f"I am {name}, and I hold that.", "quotes": []}}


def judged_as(number, name):
    return {"purpose": "evaluate", "thread": name, "answer": marks(str(20 + number), "15", "20", "20")}


SCRIPT = script(*map(said, NAMES), *(judged_as(number, name) for number, name in enumerate(NAMES)))


def steps(debate):
    """Play a debate step by step, each as if by another worker; return the questions of each step, with the scenes."""
    thread, brief, found = debate.threads.get(), selectors.brief(debate.pk), []
    format_ = format_of(brief.format)
    while (board := play.claim(thread_id=thread.pk, now=timezone.now())) is not None:
        step = format_.next_step(brief=brief, board=board)
        asks = step.asks if isinstance(step, Together) else [step] if hasattr(step, "purpose") else []
        shown = [format_.request(brief=brief, board=board, ask=ask, attempt=1).material for ask in asks]
        found.append([(ask.purpose, one) for ask, one in zip(asks, shown, strict=True)])
        asyncio.run(conductor.take_step(brief=brief, board=board))
    work()
    return [step for step in found if step]


def test_four_responses_are_judged_three_at_once_when_all_have_spoken_and_each_counts_for_its_speaker():
    debate = started(provider="scripted", script=SCRIPT, chairs=TABLE, exchanges=1, **ALONE)

    found = steps(debate)

    exchange = [[purpose.value for purpose, _ in step] for step in found[4:]]
    assert exchange == [["respond"]] * 4 + [["evaluate"] * 3, ["evaluate"]]
    rows = ResponseEvaluation.objects.filter(turn__debate=debate).select_related("turn__participant", "fact")
    assert {one.turn.participant.name: one.fact.amount for one in rows} == {
        name: Decimal(75 + number) for number, name in enumerate(NAMES)
    }
    assert verify.verify(debate_id=debate.pk).faults == ()


def test_each_judge_sees_what_was_said_before_its_response_and_nothing_after():
    debate = started(provider="scripted", script=SCRIPT, chairs=TABLE, exchanges=1, judge_concurrency=12, **ALONE)

    [together] = [step for step in steps(debate) if step[0][0] is Purpose.EVALUATE]

    for number, (_, scene) in enumerate(together):
        assert scene.response == f"I am {NAMES[number]}, and I hold that."
        assert [one.speaker for one in scene.earlier if one.exchange] == list(NAMES[:number])


@pytest.mark.parametrize(
    ("wanted", "together"),
    [
        pytest.param({}, True, id="nothing depends on it"),
        pytest.param({"interjections": True, "accountability": "relaxed"}, True, id="the arbiter never interjects"),
        pytest.param({"interjections": True}, False, id="the arbiter may interject"),
        pytest.param({"persuasion": True}, False, id="somebody may give up"),
        pytest.param({"judging": "quick"}, False, id="nobody judges"),
        pytest.param({"chairs": (MIRA, replace(KONRAD, kind="external"))}, False, id="somebody is waited for"),
    ],
)
def test_responses_wait_for_each_other_only_where_nothing_waits_for_them(wanted, together):
    usual = {} if "judging" in wanted else ALONE  # where nobody judges there is nothing else to choose

    debate = started(**{**usual, "introduction": False, **wanted})

    assert questions.judges_together(selectors.brief(debate.pk)) is together
