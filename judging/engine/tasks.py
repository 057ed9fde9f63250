"""The work of a worker: what is asked for through the queue, also where a command waits for it; and mail."""

import asyncio
import logging
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar, cast

from django.conf import settings
from django.core.mail.backends.base import BaseEmailBackend
from django.utils import timezone
from procrastinate import App, BaseRetryStrategy, JobContext, RetryDecision
from procrastinate.contrib.django import app
from procrastinate.jobs import Job
from procrastinate.jobs import Status as JobStatus

from debates import mail_backend, sharing
from debates import selectors as debates_selectors
from debates.mail_backend import Handed, Unreachable
from debates.models import Debate, Event
from debates.printable import Fields
from debates.services import deliveries, keys, mail_delivery
from debates.types import Status
from judging.engine import assessment, attempt, conclusion, conductor, creation, human_turns, locks, queue
from judging.engine.db_threads import in_thread
from judging.engine.queue import LONGEST_REST
from judging.errors import Stuck

log = logging.getLogger(__name__)
MOST_ATTEMPTS = 20
LONGEST_PAUSE = 20
BETWEEN_DELIVERIES = 1
BETWEEN_LOOKS = 1
BETWEEN_LOOKS_FOR_BARRED = 10
BETWEEN_STARTS = 60
_senders = ThreadPoolExecutor(max_workers=sharing.PLACES, thread_name_prefix="webhooks")


class RetryLater(BaseRetryStrategy):
    """Put a job back when its worker goes down, and after an error once more later: its state is in the database.

    The pause stays short: a job whose workers died has had attempts that say nothing about what was wrong now.
    """

    def get_retry_decision(self, *, exception: BaseException, job: Job) -> RetryDecision | None:
        """Return when to try again, or nothing to give the job up; the sweep finds what was given up, after a rest."""
        if isinstance(exception, asyncio.CancelledError):
            return RetryDecision(retry_in={"seconds": 0})
        if isinstance(exception, Stuck) or job.attempts >= MOST_ATTEMPTS:
            return None
        return RetryDecision(retry_in={"seconds": min(LONGEST_PAUSE, 2**job.attempts)})


async def or_stuck(work: Awaitable[None], *, debate_id: int) -> None:
    """Do a job, and give it up visibly where it breaks on what soon would be no different.

    Raises: ``Stuck``, what the work raises.
    """
    try:
        await work
    except attempt.UNSTORABLE as error:
        problem = attempt.log_unwritten("next step", error)
        raise await attempt.stuck(debate_id=debate_id, problem=problem) from error


@app.task(name=queue.PLAY_THREAD, queue=queue.ROUNDS, retry=RetryLater())
async def play_thread(thread_id: int, debate_id: int) -> None:
    await or_stuck(conductor.play_thread(thread_id=thread_id, debate_id=debate_id), debate_id=debate_id)


@app.task(name=queue.PREPARE, queue=queue.ROUNDS, retry=RetryLater())
async def prepare(debate_id: int) -> None:
    await or_stuck(assessment.prepare(debate_id=debate_id), debate_id=debate_id)


@app.task(name=queue.CONCLUDE, queue=queue.ROUNDS, retry=RetryLater())
async def conclude(debate_id: int) -> None:
    await or_stuck(conclusion.conclude(debate_id=debate_id), debate_id=debate_id)


@app.periodic(cron="17 3 * * *", queueing_lock="judging.forget")
@app.task(name="judging.forget", queue=queue.OPS, pass_context=True)
async def forget(context: JobContext, timestamp: int) -> None:
    """Remove finished and failed jobs that are a week old, and answers that are kept for nobody any more."""
    await in_thread(keys.forget_answers)(now=timezone.now())
    await context.app.job_manager.delete_old_jobs(
        nb_hours=7 * 24, include_failed=True, include_cancelled=True, include_aborted=True
    )


async def over_and_over(
    work: Callable[[], Awaitable[bool]], *, every: float, woken: asyncio.Event | None = None
) -> None:
    """Do something for as long as the worker lives, whatever goes wrong with it; more rarely while it does.

    Shape: ``work`` says whether there is more to do at once; ``woken`` is set where it should look before it is time.
    Units: ``every`` is seconds.
    """
    failed, pause, woken = 0, every, woken or asyncio.Event()
    while True:
        with suppress(TimeoutError):
            await asyncio.wait_for(woken.wait(), pause)
        woken.clear()
        try:
            failed, pause = 0, 0 if await work() else every
        except Exception:  # whatever it is, the worker must play on
            failed += 1
            pause = min(LONGEST_PAUSE, every * 2 ** min(failed, 10))
            log.exception(
                Fields("could not do what is done over and over", what=getattr(work, "__qualname__", str(work)))
            )


async def tell_webhooks() -> None:
    """Send what webhooks are to be told, in every worker, until it is cancelled; then end what is under way.

    Each delivery is claimed by one worker. Whoever gives a place back wakes the one who hands them out.
    """
    places, freed = sharing.Places(), asyncio.Event()
    under_way: set[asyncio.Task[None]] = set()

    async def tell_and_leave(bundle: deliveries.Bundle, recipient: sharing.Recipient, held: sharing.Held) -> None:
        took = None
        try:
            took = await tell(bundle)
        finally:
            places.give_back(recipient, held, took=took)
            freed.set()

    async def hand_out() -> bool:
        """Look who waits again and again while there is more: whoever is far behind keeps nobody waiting who is new."""
        waiting, began = await in_thread(deliveries.waiting)(now=timezone.now()), time.monotonic()
        while (recipient := places.next(waiting)) is not None:
            held = places.take(recipient)  # also where nothing may be sent: it was their turn
            bundle = await claimed(recipient, most=places.bundle(recipient))
            if bundle.parcels:
                task = asyncio.create_task(tell_and_leave(bundle, recipient, held))
                under_way.add(task)
                task.add_done_callback(under_way.discard)
            else:
                places.give_back(recipient, held, took=None)
            if not bundle.more:
                waiting.remove(recipient)
            if time.monotonic() - began > BETWEEN_DELIVERIES:
                return True
        return False

    try:
        await over_and_over(hand_out, every=BETWEEN_DELIVERIES, woken=freed)
    finally:
        await asyncio.gather(*under_way)


async def claimed(recipient: sharing.Recipient, *, most: int) -> deliveries.Bundle:
    """Claim a bundle for a webhook; one for which that goes wrong hinders no other."""
    try:
        return await in_thread(deliveries.claim)(webhook_id=recipient.webhook, most=most, now=timezone.now())
    except Exception:  # it is tried again at the next look
        log.exception(Fields("could not claim deliveries", webhook=recipient.webhook))
        return deliveries.NOTHING


async def tell(bundle: deliveries.Bundle) -> int | None:
    """Send a bundle, write down what came of it, and return the most milliseconds that a delivery of it took.

    One that fails or was erased meanwhile hinders no other.
    """
    try:
        answers = await asyncio.get_running_loop().run_in_executor(_senders, deliveries.sent, bundle)
        luck = random.random()  # noqa: S311 -- spreads what is tried again
        await in_thread(deliveries.record)(bundle=bundle, answers=answers, luck=luck, now=timezone.now())
    except Exception:  # it is claimed again later, if it is still there
        log.exception(Fields("could not tell a webhook", deliveries=[item.delivery_id for item in bundle.parcels]))
        return None
    return max(answer.milliseconds for answer in answers.values())


async def keep_house(*, fetching: App) -> None:
    """Hand on what dead workers left and ask again for what has no job, over and over, in every worker.

    No job of its own: it must work when the queue does not. Done by two workers at once it asks twice at most, which
    changes no score and may cost a call. Where one of the two goes wrong, the other is done all the same.
    """
    every = settings.STALLED_SECONDS / 4

    async def rescue_all() -> bool:
        await rescue(fetching=fetching)
        return False

    await asyncio.gather(over_and_over(rescue_all, every=every), over_and_over(ask_again, every=every))


async def ask_again() -> bool:
    await in_thread(queue.ask_again)(now=timezone.now())
    return False


async def mind_deadlines() -> None:
    """Let those forfeit whose time is up, in every worker, also one of a command: the first to see it. Less often it is
    looked for those who alone are awaited and may not judge: nobody counts on a second there.
    """
    late, in_vain = Resting(), Resting()

    async def let_late_pass() -> bool:
        return await let_all_pass(await in_thread(human_turns.overdue)(now=timezone.now()), resting=late)

    async def let_barred_pass() -> bool:
        return await let_all_pass(await in_thread(human_turns.waiting_in_vain)(), resting=in_vain)

    await asyncio.gather(
        over_and_over(let_late_pass, every=BETWEEN_LOOKS),
        over_and_over(let_barred_pass, every=BETWEEN_LOOKS_FOR_BARRED),
    )


async def start_drafts() -> None:
    """Start drafts whose time has come, in every worker, but not in a command: it may not know their models."""

    async def start_due() -> bool:
        await in_thread(creation.start_due)(now=timezone.now())
        return False

    await over_and_over(start_due, every=BETWEEN_STARTS)


class Resting:
    """Threads that can neither go on nor end are left alone for a while, each time for longer."""

    def __init__(self) -> None:
        self._until: dict[int, tuple[float, float]] = {}

    def awake(self, thread_ids: Collection[int]) -> list[int]:
        """Return those that are not left alone now; what is known of others than these is forgotten."""
        self._until = {thread_id: self._until[thread_id] for thread_id in thread_ids if thread_id in self._until}
        now = time.monotonic()
        return [thread_id for thread_id in thread_ids if self._until.get(thread_id, (0, 0))[0] <= now]

    def rest(self, thread_id: int) -> float:
        """Leave a thread alone from now on; return for how many seconds."""
        _, last = self._until.get(thread_id, (0, LONGEST_PAUSE / 2))
        pause = min(LONGEST_REST.total_seconds(), last * 2)
        self._until[thread_id] = (time.monotonic() + pause, pause)
        return pause


async def let_all_pass(threads: Mapping[int, int], *, resting: Resting) -> bool:
    """Let somebody forfeit a turn in each of some threads, given with their debates."""
    for thread_id in resting.awake(threads):
        await let_pass(thread_id=thread_id, debate_id=threads[thread_id], resting=resting)
    return False


async def let_pass(*, thread_id: int, debate_id: int, resting: Resting) -> None:
    """Let somebody forfeit a turn, or break the thread off where that cannot be written down.

    One debate that cannot go on hinders no other.
    """
    try:
        await forfeited(thread_id=thread_id, debate_id=debate_id)
    except Stuck as error:
        log.warning(Fields("left alone", thread=thread_id, seconds=resting.rest(thread_id), because=str(error)))
    except Exception:  # it is tried again at the next look
        log.exception(Fields("could not let a turn pass", thread=thread_id))


async def forfeited(*, thread_id: int, debate_id: int) -> None:
    """Let somebody forfeit a turn; break the thread off where that cannot be written down.

    Raises: ``Stuck``.
    """
    forfeit = in_thread(human_turns.forfeit)(thread_id=thread_id, now=timezone.now())
    if problem := await attempt.try_to_write(forfeit, what="forfeit"):
        now = timezone.now()
        ending = in_thread(human_turns.break_off)(thread_id=thread_id, debate_id=debate_id, problem=problem, now=now)
        await attempt.end_thread(ending, debate_id=debate_id, problem=problem)


async def rescue(*, fetching: App) -> None:
    """Hand on the jobs of workers whose heart has stopped, but those that were asked for anew since: two would pay."""
    manager = fetching.job_manager
    stalled = await manager.get_stalled_jobs(seconds_since_heartbeat=settings.STALLED_SECONDS)
    # The newest first: of two that ask for the same the older one then finds it waiting, whoever else rescues.
    for job in sorted(stalled, key=lambda job: job.id or 0, reverse=True):
        try:
            if await in_thread(queue.is_asked_for_since)(job=job):
                await manager.finish_job(job, status=JobStatus.ABORTED, delete_job=True)
                log.info(Fields("left to who asked anew", job=job.id, task=job.task_name))
            else:
                await manager.retry_job(job)
                log.info(Fields("rescued", job=job.id, task=job.task_name))
        except Exception:  # one bad row must not keep the others waiting
            log.exception(Fields("could not rescue", job=job.id))


@asynccontextmanager
async def beating(*, fetching: App) -> AsyncIterator[None]:
    """Have the workers of this process say that they live until their last job has ended.

    The library's heart stops once they are to stop: what they still do would be handed on, and paid for twice.
    """

    manager = cast("queue.ByTheDatabase", fetching.job_manager)

    async def beat() -> None:
        for worker_id in list(manager.workers):
            await manager.update_heartbeat(worker_id)

    async with locks.renewed(beat):
        yield


# Playing one debate to its end in this process, as a worker of it among others, for commands that wait for the result.


ENDS = {Status.CONCLUDED.value, Status.FAILED.value, Status.CANCELLED.value, Status.AWAITING_REVIEW.value}
MOST_NEWS = 500
"""So many events are read at once."""


class WorkEnded(Exception):
    """The work in this process has ended by itself, and the debate has not."""


async def play_to_the_end(*, debate_id: int, tell: Callable[[Event], None]) -> None:
    """Work on a debate until it has ended, and pass each of its events on as it is committed.

    Other workers may share the work, and take it over if this process dies; it takes over what they leave. Other
    debates are left to them: this process may not have what their models need.

    Raises: ``WorkEnded``, or what the work ended with, when it ended before the debate.
    """
    fetching, stop = queue.fetching(debate_id=debate_id), asyncio.Event()
    attempt.STOPPING.set(stop)
    async with fetching.open_async():
        work = (_work(fetching), keep_house(fetching=fetching), mind_deadlines())
        tasks = [asyncio.create_task(job) for job in work]
        try:
            await _watch(debate_id=debate_id, tell=tell, tasks=tasks)
        finally:
            stop.set()
            async with beating(fetching=fetching):
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)


async def _work(fetching: Any) -> None:
    await fetching.run_worker_async(
        name="foreground",
        queues=[queue.ROUNDS],
        concurrency=settings.ROUNDS_AT_ONCE,
        fetch_job_polling_interval=0.5,
        update_heartbeat_interval=settings.HEARTBEAT_SECONDS,
        stalled_worker_timeout=settings.STALLED_SECONDS * queue.FORGOTTEN_AFTER,
        install_signal_handlers=False,
        shutdown_graceful_timeout=5,
        delete_jobs="successful",
    )


async def _watch(*, debate_id: int, tell: Callable[[Event], None], tasks: Sequence[asyncio.Task[None]]) -> None:
    seq = 0
    while True:
        ended = await in_thread(_has_ended)(debate_id=debate_id)
        news = await in_thread(_news)(debate_id=debate_id, seq=seq)
        for event in news:
            tell(event)
            seq = event.seq
        if len(news) == MOST_NEWS:
            continue
        if ended:
            return
        for task in tasks:
            _still_works(task)
        await asyncio.sleep(0.1)


def _still_works(task: asyncio.Task[None]) -> None:
    """Fail where nobody works any more: what is waited for would never come."""
    if task.done():
        task.result()
        raise WorkEnded("The worker ended before the debate did. Run `manage.py worker` to play it to its end.")


def _has_ended(*, debate_id: int) -> bool:
    return Debate.objects.filter(pk=debate_id, status__in=ENDS).exists()


def _news(*, debate_id: int, seq: int) -> list[Event]:
    return list(debates_selectors.events_after(debate_id=debate_id, seq=seq)[:MOST_NEWS])


# -- mail: what is in the outbox is handed over as long as a worker lives, and no transaction is open meanwhile --------


T = TypeVar("T")
BETWEEN_MAILS = 1
_mail_line = ThreadPoolExecutor(max_workers=1, thread_name_prefix="mail")


async def send_mail() -> None:
    """Send what is due, over and over, until it is cancelled; a mail that is under way then is ended first."""
    await over_and_over(send_due_mail, every=BETWEEN_MAILS)


async def send_due_mail() -> bool:
    """Hand over what is due now, and say whether more may be; without a mail server what waits goes on waiting."""
    if not settings.MAIL_IS_SENT:
        return False
    await in_thread(mail_delivery.give_up_on_lost)(now=timezone.now())
    mail_ids = await in_thread(mail_delivery.waiting)(now=timezone.now())
    if not mail_ids:
        return False
    try:
        connection = await on_the_line(mail_backend.opened)
    except Unreachable as problem:
        log.warning(Fields("no mail server", why=str(problem), waiting=len(mail_ids)))
        await in_thread(mail_delivery.put_off)(mail_ids=mail_ids, problem=str(problem), now=timezone.now())
        return False
    try:
        for mail_id in mail_ids:
            if not await ended_before_leaving(send_one_mail(connection, mail_id)):
                return False
    finally:
        await on_the_line(lambda: mail_backend.close(connection))
    return len(mail_ids) == mail_delivery.MOST_AT_ONCE


async def send_one_mail(connection: BaseEmailBackend, mail_id: int) -> bool:
    """Hand one mail over and write down what became of it; say whether the line is still good."""
    try:
        message = await in_thread(mail_delivery.claim)(mail_id=mail_id, now=timezone.now())
    except Exception as error:  # it is tried again later; a mail that cannot be written hinders no other
        log.exception(Fields("could not write a mail", mail=mail_id))
        problem = f"{mail_delivery.NOT_WRITTEN} {type(error).__name__}"
        await in_thread(mail_delivery.put_off_unwritten)(mail_id=mail_id, problem=problem, now=timezone.now())
        return True
    if message is None:
        return True
    outcome: Handed = await on_the_line(lambda: mail_backend.hand_over(connection, message))
    await in_thread(mail_delivery.record)(mail_id=mail_id, outcome=outcome, now=timezone.now())
    return not outcome.line_is_lost


async def ended_before_leaving(work: Coroutine[Any, Any, T]) -> T:
    """Do something that must not be cut in half; whoever is cancelled meanwhile, however often, leaves after it."""
    result = await attempt.to_the_end(work)
    if attempt.is_cancelled():
        raise asyncio.CancelledError
    return result


async def on_the_line(work: Callable[[], T]) -> T:
    """Do something slow with the mail server, in the one thread that speaks to it."""
    return await asyncio.get_running_loop().run_in_executor(_mail_line, work)
