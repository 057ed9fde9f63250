"""How far a debate is, as the bar of its page says it: step by step, in every format, whatever stands still."""

import asyncio
from collections.abc import Iterator
from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from debates.models import Debate
from judging.engine import conductor, lifecycle, play, selectors
from judging.engine.selectors import Progress
from judging.models import Call
from judging.rules.budget import Amounts
from judging.rules.consensus import Policy
from tests import factories, playing
from tests.judging.formats.open.playing import KONRAD, MIRA, started
from tests.judging.formats.open.scripts import script as open_script
from tests.judging.formats.panel.play import alone, panel, stays
from tests.playing import ruling, script
from tests.texts import WITHOUT_COLLECTED_FILES, address, words

pytestmark = [pytest.mark.django_db, WITHOUT_COLLECTED_FILES]


def steps(debate: Debate) -> Iterator[Progress]:
    """Play a debate of one thread, and say how far it is before each step."""
    board = play.claim(thread_id=debate.threads.get().pk, now=timezone.now())
    while board is not None:
        yield selectors.progress(debate=Debate.objects.get(pk=debate.pk))
        board = asyncio.run(conductor.take_step(brief=selectors.brief(debate.pk), board=board))


def told(step: Progress) -> str:
    return f"{step.round}: {step.acting.now}, then {step.acting.following}"


def test_a_criterion_debate_says_who_acts_on_what_and_what_comes_next():
    debate = playing.debate(script([[ruling("1")], [ruling("0.5")]]), rounds=2)

    seen = list(steps(debate))

    assert [told(step) for step in seen] == [
        "Round 1 of 2: The red team looks for challenges to P1, then the evaluator answers",
        "Round 1 of 2: The evaluator answers the challenges to P1, then the arbiter rules",
        "Round 1 of 2: The arbiter rules on P1, then round 2",
        "Round 2 of 2: The red team presses its challenges to P1, then the evaluator answers",
        "Round 2 of 2: The evaluator answers the challenges to P1, then the arbiter rules",
        "Round 2 of 2: The arbiter rules on P1, then P1 is done",
    ]
    assert [step.percent for step in seen] == [0, 16, 33, 50, 66, 83]
    assert seen[0].summary.without == "not evaluated"
    assert str(seen[-1].summary.overall.score) == "7.00"


def test_an_open_debate_says_who_has_the_floor_and_who_leads():
    debate = started(provider="scripted", script=open_script(), chairs=(MIRA, KONRAD), exchanges=1)

    seen = list(steps(debate))

    assert [told(step) for step in seen[:3]] == [
        "Openings: Arbiter introduces the debate, then Mira speaks",
        "Openings: Mira thinks about what to say, then Konrad speaks",
        "Openings: Konrad thinks about what to say, then exchange 1",
    ]
    assert "Exchange 1 of 1: Mira thinks about what to say, then Konrad speaks" in [told(step) for step in seen]
    assert any(step.acting.now.startswith("Arbiter weighs what was said by Konrad") for step in seen)
    assert [step.percent for step in seen] == sorted(step.percent for step in seen)
    assert seen[0].summary.without == "not evaluated"


def test_a_panel_says_which_judges_are_still_to_answer():
    debate = panel([*alone(("5", "5"), ("5", "5"), ("5", "5")), stays(1, 1), stays(2, 1), stays(3, 1)])

    seen = list(steps(debate))

    assert seen[0].round == "Independent analysis"
    assert seen[0].acting.now == "Judge 1, Judge 2, Judge 3 read alone"
    assert seen[1].acting.now == "What the judges gave is compared"
    alone_only = next(steps(panel(alone(("5", "5"), ("5", "5")), judges=2, policy=Policy(debate_rounds=0))))
    assert (seen[0].acting.following, alone_only.acting.following) == (
        "they argue about where they differ, if they do",
        "the report",
    )


@pytest.mark.parametrize(
    ("status", "said"),
    [
        ("draft", "Nothing has been said yet"),
        ("scheduled", "What has to be known before the first round is found out"),
        ("running", "It is about to go on"),
        ("paused", "It is paused"),
        ("awaiting_review", "A person has to decide , then the conclusion"),
        ("concluding", "The conclusion is being written"),
        ("concluded", "Everything has been said"),
        ("failed", "It failed"),
        ("cancelled", "It was cancelled"),
    ],
)
def test_a_debate_that_stands_still_says_why(status, said):
    debate = factories.debate(status=status, parameters={"rubric": playing.rubric("P1")})

    assert f"Now: {said}" in words(address(debate))


def test_a_pause_says_who_goes_on():
    debate = playing.debate(script([[ruling("1")]]), rounds=1)
    next(steps(debate))
    lifecycle.pause(debate_id=debate.pk, by=None, now=timezone.now())

    read = words(address(debate))

    assert "Now: Round 1 of 1 It is paused , then The red team looks for challenges to P1" in read


def test_of_several_criteria_in_play_the_bar_counts_the_others():
    debate = playing.debate(script([[ruling("1")]]), criteria=("P1", "P2", "P3"), rounds=1)
    for thread in debate.threads.all():
        play.claim(thread_id=thread.pk, now=timezone.now())

    assert "looks for challenges to P3 , then the evaluator answers (and 2 more in play)" in words(address(debate))


def test_what_a_debate_spent_is_one_question_and_what_was_known_is_not_paid_but_counts_as_its_dearest():
    debate = factories.debate()
    arbiter = factories.arbiter(debate)
    for number, own in enumerate([{"cost": "0.25", "tokens_in": 10, "tokens_out": 5},
                                  {"cost": "0.5", "tokens_in": 100, "known": True}]):  # fmt: skip
        Call.objects.create(
            debate=debate, run_number=1, round_number=number, purpose="judge", attempt=1, participant=arbiter,
            prompt_name="judge", prompt_version=1, prompt_digest="d", provider="scripted", model="", outcome="used",
            at=timezone.now(), **own,
        )  # fmt: skip

    with CaptureQueriesContext(connection) as queries:
        spending = selectors.spending(debate=debate)

    assert spending.spent == Amounts(calls=1, tokens=15, money=Decimal("0.25"))
    assert spending.dearest == Amounts(calls=1, tokens=100, money=Decimal("0.5"))
    assert len([query for query in queries if 'FROM "judging_call"' in query["sql"]]) == 1
    nothing = selectors.spending(debate=factories.debate())
    assert (nothing.spent, nothing.dearest) == (Amounts(0, 0, Decimal(0)), Amounts(1, 0, Decimal(0)))
