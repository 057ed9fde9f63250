"""Moderators and workers on the same scores at once: what each does, and what must hold afterwards."""

import random
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from django.contrib.auth.models import User
from django.db import connections, transaction
from django.utils import timezone

from debates.errors import DomainError
from debates.models import Event, EventHead, Round
from scoring import verify
from scoring.enums import HeldChoice
from scoring.models import Evaluation
from scoring.services import accounts, rounds
from tests import acts, factories

NOW = timezone.now()
ACTS = 10
"""How many things each moderator does."""


def at_once(*jobs: Callable[[], object]) -> list[object]:
    """Start every job at the same moment and return what each gave, or the error it ended with."""
    barrier = threading.Barrier(len(jobs))

    def run(job: Callable[[], object]) -> object:
        try:
            barrier.wait(timeout=120)
            return job()
        except Exception as error:  # noqa: BLE001 -- the test looks at it
            return error
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(jobs)) as pool:
        return list(pool.map(run, jobs))


def until_somebody_waits() -> None:
    """Wait until somebody else waits for what this transaction holds."""
    question = "SELECT count(*) FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))"
    end = time.monotonic() + 120
    while True:
        with connections["default"].cursor() as cursor:
            cursor.execute("SELECT pg_stat_clear_snapshot()")  # a transaction keeps what it has seen of others
            cursor.execute(question)
            if cursor.fetchone() != (0,):
                return
        assert time.monotonic() < end, "nobody waits"
        time.sleep(0.02)


def opened(debate: object, key: str) -> Evaluation:
    return factories.criterion(debate, key=key, initial="6")


def prepared(evaluation: Evaluation, many: int) -> list[Round]:
    """Rounds that are judged and wait to be counted."""
    return [factories.round_of(evaluation, number=number) for number in range(1, many + 1)]


@transaction.atomic
def count(evaluation: Evaluation, row: Round, *, also: Sequence[int] = ()) -> object:
    """Count one round as a worker does: lock by ascending id, count, append the events last."""
    found = {one.pk: one for one in accounts.lock(evaluations=[evaluation.pk, *also])}
    return rounds.count(evaluation=found[evaluation.pk], round=row, new_facts=[factories.verdict("0.25")], now=NOW)


def moderate(evaluation: Evaluation, by: User, luck: random.Random) -> int:
    """Do some things that a moderator might do, looking again after each refusal; return how many went through."""
    done = 0
    for _ in range(ACTS):
        row = Evaluation.objects.get(pk=evaluation.pk)
        try:
            luck.choice(choices(row, by, luck))()
            done += 1
        except DomainError:
            continue
    return done


def choices(row: Evaluation, by: User, luck: random.Random) -> list[Callable[[], object]]:
    """What a moderator might do to a score as they see it."""
    order = factories.order(row, by, seen=row.moderation_version)
    return [
        lambda: acts.override(order=order, value="5", now=NOW),
        lambda: acts.lift(order=order, now=NOW),
        lambda: acts.freeze(order=order, now=NOW),
        lambda: acts.unfreeze(order=order, choice=luck.choice(list(HeldChoice)), now=NOW),
        lambda: acts.strike(order=order, facts=row.basis[:1], now=NOW),
        lambda: acts.roll_back(order=order, target=luck.randint(1, max(1, row.version - 1)), now=NOW),
    ]


def proved(*evaluations: Evaluation) -> None:
    """The sum law, the gapless sequence and the stream hold, whatever happened."""
    assert verify.verify().faults == ()
    for one in evaluations:
        row = Evaluation.objects.get(pk=one.pk)
        assert sum(one.entries.values_list("delta", flat=True)) == row.value - row.initial_score
        assert list(one.entries.values_list("sequence", flat=True)) == list(range(1, row.version + 1))
        assert row.debate_round_count <= one.entries.filter(kind__in=["round", "held"]).count()
    for head in EventHead.objects.all():
        seqs = Event.objects.filter(debate_id=head.debate_id).order_by("seq").values_list("seq", flat=True)
        assert list(seqs) == list(range(1, head.seq + 1))
