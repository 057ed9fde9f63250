"""Debates of every format are paused, resumed, stopped, cancelled, frozen and short of calls in any order, and workers
are killed.

``MOOT_ANY_ORDER_RUNS=20 pytest tests/crash/test_any_order.py`` looks longer; each run has a seed of its own.
"""

import contextlib
import os
import random
import signal
import time
from collections.abc import Callable, Iterator
from urllib.parse import quote

import pytest
from django.db import connection
from django.utils import timezone
from procrastinate.contrib.django.models import ProcrastinateJob

from debates.errors import DomainError
from debates.models import Debate, Event, Round, Turn
from judging.engine import lifecycle, queue
from judging.formats.spec import Limits
from judging.models import Call, Consensus, JudgeReport, ResponseEvaluation, Standing, Verdict
from judging.rules.consensus import Policy
from scoring import verify
from scoring.enums import HeldChoice
from scoring.models import Evaluation, Fact, ScoreChange
from tests import acts, factories, playing
from tests.fork_server import Child, ForkServer
from tests.judging.formats.open import playing as open_playing
from tests.judging.formats.open.scripts import script
from tests.judging.formats.panel import play as panel_play

pytestmark = [pytest.mark.kills, pytest.mark.django_db(transaction=True)]
RUNS = int(os.environ.get("MOOT_ANY_ORDER_RUNS", "1"))
DEBATES, ROUNDS, TURNS = {"criterion": 6, "open": 3, "panel": 3}, 3, 36
SECONDS = 0.2
ENDED = {"concluded": "debate:concluded", "failed": "debate:failed", "cancelled": "debate:cancelled"}
OVER = (*ENDED, "awaiting_review")


@contextlib.contextmanager
def workers() -> Iterator[Callable[[], Child]]:
    """Give a way to start workers on the test's database; all are gone afterwards."""
    place = connection.settings_dict
    user = ":".join(quote(place[one], safe="") for one in ("USER", "PASSWORD") if place[one])
    address = f"{user}@{quote(place['HOST'], safe='')}:{place['PORT'] or 5432}/{place['NAME']}"
    environment = {
        **os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", "DATABASE_URL": f"postgresql://{address}",
        "MOOT_HEARTBEAT_SECONDS": "0.3", "MOOT_STALLED_SECONDS": "1.5", "MOOT_LOG_LEVEL": "ERROR",
    }  # fmt: skip
    started: list[Child] = []
    with contextlib.closing(ForkServer("everything", environment)) as fork_server:

        def start() -> Child:
            started.append(fork_server.start("worker"))
            return started[-1]

        try:
            yield start
        finally:
            for process in started:
                process.send_signal(signal.SIGKILL)
                process.wait(timeout=120)


def on_criteria(luck: random.Random, limits: Limits) -> Debate:
    answers = playing.script([[playing.ruling("1"), playing.ruling("-0.5", challenge="C2")]] * ROUNDS, seconds=SECONDS)
    return playing.debate(answers, criteria=("P1", "P2")[: luck.randint(1, 2)], rounds=ROUNDS, limits=limits)


def on_a_motion(_: random.Random, limits: Limits) -> Debate:
    answers = [{**one, "seconds": SECONDS / 2} for one in script()]
    return open_playing.started(provider="scripted", script=answers, exchanges=ROUNDS, limits=limits)


def by_a_panel(_: random.Random, limits: Limits) -> Debate:
    """Three judges who never agree."""
    apart = panel_play.APART
    held = [
        panel_play.stays(judge, number, design=score)
        for number in range(1, ROUNDS + 1)
        for judge, (score, _) in enumerate(apart, start=1)
    ]
    answers = [{**one, "seconds": SECONDS} for one in [*panel_play.alone(*apart), *held]]
    return panel_play.panel(answers, policy=Policy(debate_rounds=ROUNDS), limits=limits)


def debates(luck: random.Random) -> list[Debate]:
    """Debates of every format, some of which run out of calls."""
    begin = {"criterion": on_criteria, "open": on_a_motion, "panel": by_a_panel}
    return [
        begin[name](luck, Limits(calls=luck.choice([None, None, 3, 8])))
        for name, many in DEBATES.items()
        for _ in range(many)
    ]


def interfere(luck: random.Random, debate: Debate, boss: object) -> None:
    """Do something to a debate or to one of its scores; what is refused is refused."""
    now = timezone.now()
    score = luck.choice([None, *Evaluation.objects.filter(debate=debate).order_by("pk")])
    ways: list[Callable[[], object]] = [
        lambda: lifecycle.pause(debate_id=debate.pk, by=None, now=now),
        lambda: lifecycle.pause(debate_id=debate.pk, by=None, now=now),
        lambda: lifecycle.resume(debate_id=debate.pk, by=None, now=now),
        lambda: lifecycle.resume(debate_id=debate.pk, by=None, now=now),
        lambda: lifecycle.stop(debate_id=debate.pk, by=None, reason="Enough was said.", now=now),
        lambda: lifecycle.cancel(debate_id=debate.pk, by=None, now=now),
    ]
    if score is not None:
        order = factories.order(score, boss, seen=None)
        seen = factories.order(score, boss)
        ways += [
            lambda: acts.freeze(order=order, now=now),
            lambda: acts.unfreeze(order=seen, choice=luck.choice(list(HeldChoice)), now=now),
            lambda: acts.override(order=seen, value="4", now=now),
            lambda: acts.roll_back(order=seen, target=luck.randint(1, 4), now=now),
        ]
    with contextlib.suppress(DomainError):
        luck.choice(ways)()


def begun() -> bool:
    """Whether something has been said in a debate of every format."""
    return set(Turn.objects.values_list("debate__format", flat=True)) == set(DEBATES)


def waited(reached: Callable[[], bool]) -> bool:
    """Wait two minutes at most, and say whether it was reached."""
    end = time.monotonic() + 120
    while not reached() and time.monotonic() < end:
        time.sleep(0.2)
    return reached()


def settle() -> None:
    """Let whatever was paused go on, until every debate is over."""
    end = time.monotonic() + 120
    while (left := Debate.objects.exclude(status__in=OVER)).exists():
        for debate in left.filter(status="paused"):
            lifecycle.resume(debate_id=debate.pk, by=None, now=timezone.now())
        assert time.monotonic() < end, [f"{one} {one.status}" for one in left]
        time.sleep(0.2)


def idle() -> bool:
    """Whether no job is left that somebody could still do."""
    return not ProcrastinateJob.objects.filter(queue_name="rounds", status__in=["todo", "doing"]).exists()


@pytest.mark.parametrize("seed", range(RUNS))
def test_any_order_of_what_people_do_while_workers_are_killed_loses_and_doubles_nothing(seed):
    luck = random.Random(seed)
    boss = factories.moderator("boss")
    played = debates(luck)

    with workers() as start:
        worker = start()
        assert waited(begun)
        for turn in range(1, TURNS + 1):
            time.sleep(luck.uniform(0, 0.4))
            interfere(luck, luck.choice(played), boss)
            if turn % 8 == 0:
                worker.send_signal(signal.SIGKILL)
                worker.wait(timeout=120)
                worker = start()
        settle()
        queue.ask_again(now=timezone.now())
        assert waited(idle)

    assert Round.objects.filter(closed_at__isnull=False).exists(), "nothing was played"
    assert verify.verify().faults == ()
    for debate in played:
        assert_whole(debate)


def assert_whole(debate: Debate) -> None:
    """Everything of a debate is there once, and nothing beyond its budget."""
    debate.refresh_from_db()
    seqs = list(Event.objects.filter(debate=debate).order_by("seq").values_list("seq", flat=True))
    closed = Round.objects.filter(thread__debate=debate, closed_at__isnull=False)
    entries = ScoreChange.objects.filter(evaluation__debate=debate, kind__in=["opened", "round", "held"])
    counted = [fact for facts in entries.values_list("facts", flat=True) for fact in facts]

    assert seqs == list(range(1, len(seqs) + 1))
    assert sorted(counted) == sorted(Fact.objects.filter(evaluation__debate=debate).values_list("pk", flat=True))
    assert Event.objects.filter(debate=debate, type="round:complete").count() == closed.count()
    for one in closed:
        assert_judged(debate.format, one)
    if debate.limit_calls is not None:
        assert Call.objects.filter(debate=debate).count() <= debate.limit_calls
    endings = Event.objects.filter(debate=debate, type__in=ENDED.values()).values_list("type", flat=True)
    assert list(endings) == ([ENDED[debate.status]] if debate.status in ENDED else [])


def assert_judged(kind: str, played: Round) -> None:
    """What closes a round is there, once."""
    turns = Turn.objects.filter(round=played).count()
    if kind == "criterion":
        entries = ScoreChange.objects.filter(round=played, kind__in=["round", "held"]).count()
        assert (turns, Verdict.objects.filter(round=played).count(), entries) == (4, 2, 1)
    elif kind == "open":
        responses = 2 if played.number else 0
        assert ResponseEvaluation.objects.filter(round=played).count() == responses
        assert Standing.objects.filter(round=played).count() == 2
    else:
        assert JudgeReport.objects.filter(round=played).count() == turns == 3
        assert Consensus.objects.filter(round=played).count() == 1
