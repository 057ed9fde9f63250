"""``manage.py worker``: plays debates. Our own, because the stock one would defer jobs outside of transactions."""

import argparse
import asyncio
import signal
import time
from typing import Any

import uvloop
from django.conf import settings
from django.core.checks import Tags, run_checks
from django.core.management.base import CommandError, CommandParser
from django.db import connection

from debates.management.base import BaseCommand, whole_number
from judging.engine import attempt, queue, tasks
from scoring import checks

GRACE_SECONDS = 20
WAIT_SECONDS = 2.0
NAMED = 8  # of the migrations that are waited for: a database without any lacks a hundred


def seconds(text: str) -> float:
    """Return how long something may take, a day at most."""
    number = float(text)
    if not 0 <= number <= 86_400:
        raise argparse.ArgumentTypeError(f"must be from 0 to 86400 seconds; got {text}")
    return number


class Command(BaseCommand):
    help = "Play debates: rounds on one queue, housekeeping on another, until SIGTERM hands the jobs back."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--rounds-at-once", type=whole_number(1, 500), default=settings.ROUNDS_AT_ONCE)
        parser.add_argument(
            "--grace", type=seconds, default=GRACE_SECONDS, help="Seconds that SIGTERM leaves for what is under way."
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        self.wait_for_tables()
        faults = run_checks(tags=[Tags.database], databases=["default"])
        for warning in faults:
            if not warning.is_serious():
                self.stderr.write(str(warning))
        if serious := [str(fault) for fault in faults if fault.is_serious()]:
            raise CommandError("The database is not as it should be:\n" + "\n".join(serious))
        connection.close()  # what was looked at is all that this thread does with the database
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(self.work(rounds_at_once=options["rounds_at_once"], grace=options["grace"]))

    def wait_for_tables(self) -> None:
        """Wait until no migration is left to run: until then this release's tables are not all there."""
        printed: list[str] = []
        while behind := checks.pending(using="default"):
            if behind != printed:
                more = f" and {len(behind) - NAMED} more" if len(behind) > NAMED else ""
                names = f"{', '.join(behind[:NAMED])}{more}"
                self.stdout.write(f"The worker waits for migrations: {names}. Run `manage.py migrate`.")
                self.stdout.flush()
                printed = behind
            connection.close()
            time.sleep(WAIT_SECONDS)

    async def work(self, *, rounds_at_once: int, grace: float) -> None:
        """Run both queues until a signal asks to stop, or one of them ends by itself."""
        fetching = queue.fetching()
        stop = asyncio.Event()
        attempt.STOPPING.set(stop)
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, stop.set)
        async with fetching.open_async():
            runs = [
                asyncio.create_task(self.run(fetching, queue.ROUNDS, rounds_at_once, grace)),
                asyncio.create_task(self.run(fetching, queue.OPS, 2, grace)),
            ]
            asked = asyncio.create_task(stop.wait())
            besides = [
                asyncio.create_task(work)
                for work in (
                    tasks.keep_house(fetching=fetching),
                    tasks.mind_deadlines(),
                    tasks.start_drafts(),
                    tasks.tell_webhooks(),
                    tasks.send_mail(),
                )
            ]
            self.stdout.write("The worker is playing.")
            if not settings.MAIL_IS_SENT:
                self.stdout.write("No mail is written or sent; set EMAIL_URL to send it.")
            if settings.MAIL_GOES_NOWHERE:
                self.stdout.write("Mail is printed here and sent to nobody; set EMAIL_URL to send it.")
            await asyncio.wait([*runs, *besides, asked], return_when=asyncio.FIRST_COMPLETED)
            async with tasks.beating(fetching=fetching):
                for task in (asked, *besides, *runs):
                    task.cancel()
                outcomes = await asyncio.gather(*besides, *runs, return_exceptions=True)
        if not stop.is_set():
            raise CommandError(f"The worker ended by itself: {outcomes!r}")

    async def run(self, fetching: Any, name: str, concurrency: int, grace: float) -> None:
        await fetching.run_worker_async(
            name=name,
            queues=[name],
            concurrency=concurrency,
            fetch_job_polling_interval=0.5,
            abort_job_polling_interval=5,
            listen_notify=name == queue.ROUNDS,  # a connection of its own; housekeeping may wait for the next look
            update_heartbeat_interval=settings.HEARTBEAT_SECONDS,
            stalled_worker_timeout=settings.STALLED_SECONDS * queue.FORGOTTEN_AFTER,
            install_signal_handlers=False,
            shutdown_graceful_timeout=grace,
            delete_jobs="successful",
        )
