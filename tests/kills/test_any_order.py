"""Debates are paused, resumed, stopped, cancelled, frozen and short of money in any order, and workers are killed.

``MOOT_ANY_ORDER_RUNS=20 pytest tests/kills/test_any_order.py`` looks longer; each run has a seed of its own.
"""

from __future__ import annotations

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
from judging.models import Call, Verdict
from judging.services import control, sweep
from judging.spec import Limits
from scoring import verify
from scoring.kinds import HeldChoice
from scoring.models import Evaluation, ScoreChange
from scoring.services import moderation
from tests import factories, playing
from tests.kills.nursery import Child, Nursery

pytestmark = [pytest.mark.kills, pytest.mark.django_db(transaction=True)]
RUNS = int(os.environ.get("MOOT_ANY_ORDER_RUNS", "1"))
DEBATES, ROUNDS, TURNS = 10, 3, 32
OVER = ("concluded", "failed", "cancelled")


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
    with contextlib.closing(Nursery(environment)) as nursery:

        def start() -> Child:
            started.append(nursery.start("worker"))
            return started[-1]

        try:
            yield start
        finally:
            for process in started:
                process.send_signal(signal.SIGKILL)
                process.wait(timeout=30)


def debates(luck: random.Random) -> list[Debate]:
    """Debates of one or two criteria, some of which run out of calls."""
    made = []
    for _ in range(DEBATES):
        answers = playing.script([[playing.ruling("1"), playing.ruling("-0.5", challenge="C2")]] * ROUNDS, seconds=0.2)
        limits = Limits(calls=luck.choice([None, None, 3, 8]))
        made.append(playing.debate(answers, criteria=("P1", "P2")[: luck.randint(1, 2)], rounds=ROUNDS, limits=limits))
    return made


def interfere(luck: random.Random, debate: Debate, boss: object) -> None:
    """Do something to a debate or to one of its scores; what is refused is refused."""
    now = timezone.now()
    score = luck.choice([None, *Evaluation.objects.filter(debate=debate).order_by("pk")])
    acts: list[Callable[[], object]] = [
        lambda: control.pause(debate_id=debate.pk, by=None, now=now),
        lambda: control.pause(debate_id=debate.pk, by=None, now=now),
        lambda: control.resume(debate_id=debate.pk, by=None, now=now),
        lambda: control.resume(debate_id=debate.pk, by=None, now=now),
        lambda: control.stop(debate_id=debate.pk, by=None, reason="Enough was said.", now=now),
        lambda: control.cancel(debate_id=debate.pk, by=None, now=now),
    ]
    if score is not None:
        order = factories.order(score, boss, seen=None)
        seen = factories.order(score, boss)
        acts += [
            lambda: moderation.freeze(order=order, now=now),
            lambda: moderation.unfreeze(order=seen, choice=luck.choice(list(HeldChoice)), now=now),
            lambda: moderation.override(order=seen, value="4", now=now),
            lambda: moderation.roll_back(order=seen, target=luck.randint(1, 4), now=now),
        ]
    with contextlib.suppress(DomainError):
        luck.choice(acts)()


def settle() -> None:
    """Let whatever was paused go on, until every debate is over."""
    end = time.monotonic() + 90
    while (left := Debate.objects.exclude(status__in=OVER)).exists():
        for debate in left.filter(status="paused"):
            control.resume(debate_id=debate.pk, by=None, now=timezone.now())
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
        for turn in range(1, TURNS + 1):
            time.sleep(luck.uniform(0, 0.4))
            interfere(luck, luck.choice(played), boss)
            if turn % 8 == 0:
                worker.send_signal(signal.SIGKILL)
                worker.wait(timeout=30)
                worker = start()
        settle()
        sweep.ask_again(now=timezone.now())
        patient = time.monotonic() + 60
        while not idle() and time.monotonic() < patient:
            time.sleep(0.2)

    assert idle()
    assert Round.objects.filter(closed_at__isnull=False).exists(), "nothing was played"
    assert verify.verify().faults == ()
    for debate in played:
        assert_whole(debate)


def assert_whole(debate: Debate) -> None:
    """Everything of a debate is there once, and nothing beyond its budget."""
    debate.refresh_from_db()
    seqs = list(Event.objects.filter(debate=debate).order_by("seq").values_list("seq", flat=True))
    closed = Round.objects.filter(thread__debate=debate, closed_at__isnull=False)
    judged = ScoreChange.objects.filter(evaluation__debate=debate, kind__in=["round", "held"])

    assert seqs == list(range(1, len(seqs) + 1))
    assert judged.count() == closed.count()
    assert Verdict.objects.filter(round__thread__debate=debate).count() == 2 * closed.count()
    assert Event.objects.filter(debate=debate, type="round:complete").count() == closed.count()
    for one in closed:
        assert Turn.objects.filter(round=one).count() == 4
    if debate.limit_calls is not None:
        assert Call.objects.filter(debate=debate).count() <= debate.limit_calls
    endings = Event.objects.filter(debate=debate, type__in=["debate:concluded", "debate:cancelled", "debate:failed"])
    assert endings.count() == 1
