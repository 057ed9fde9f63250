"""Run the whole site: database, migrations, samples, first login, web and worker, until somebody ends it."""

import argparse
import contextlib
import os
import secrets
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management.base import CommandError
from django.db import DatabaseError, connections

from config import embedded, releases, server_command
from config.site_address import Address, NotFree
from config.supervisor import Program, Stopped, Supervisor
from debates.management.base import BaseCommand

MODERATOR = "moderator"
PATIENCE = 60.0
MOST_WORKERS = 64
LOOK_AFTER_CLUSTER_EVERY = 2.0
OF_A_WORKER, OF_PAGES, OF_LIVE, OF_OTHERS = 11, 10, 5, 5
"""Connections to the database that each may take: docs/how-to/scale.md; and what is left to commands beside them.

Pages take as many as ``MOOT_DATABASE_POOL`` says; so many are reckoned with where there is no pool.
"""


class Command(BaseCommand):
    help = "Run the site with everything it needs, and end it with Ctrl-C or SIGTERM."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen at (127.0.0.1)")
        parser.add_argument("--port", type=int, default=8000, help="port to listen at (8000)")
        parser.add_argument("--workers", type=int, default=1, help="worker processes, 0 to 64 (1)")
        parser.add_argument("--no-worker", action="store_const", const=0, dest="workers", help="play no debates here")
        parser.add_argument("--no-samples", action="store_false", dest="samples", help="load no sample debates")

    def handle(self, *, host: str, port: int, workers: int, samples: bool, **_options: Any) -> None:
        if not 0 <= workers <= MOST_WORKERS:
            raise CommandError(f"--workers must be 0 to {MOST_WORKERS}; got {workers}. With 0, nothing is played here.")
        address = Address(host=host, port=port)
        if not settings.NAMED_SITE_URL and not settings.IN_PRODUCTION:
            os.environ["MOOT_SITE_URL"] = address.url  # for links in mail
        try:
            address.refuse_taken()
        except NotFree as refusal:
            raise CommandError(str(refusal)) from refusal
        with Supervisor(say=self.say, directory=settings.BASE_DIR) as supervisor:
            site = Site(supervisor=supervisor, command=self, address=address)
            try:
                site.prepare(samples=samples, workers=workers)
                address.refuse_taken()  # by another `up` that was waited for
                site.run(workers=workers)
            except Stopped:
                pass
            except (embedded.Refused, releases.OtherRelease, NotFree) as refusal:
                raise CommandError(str(refusal)) from refusal
            finally:
                site.end()
        if supervisor.signals > 1:
            sys.exit(1)

    def say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()


class Site:
    """The site between its start and its end."""

    def __init__(self, *, supervisor: Supervisor, command: Command, address: Address) -> None:
        self.supervisor = supervisor
        self.say = command.say
        self.address = address
        root: Path | None = settings.EMBEDDED_ROOT
        self.cluster = None if root is None else embedded.Cluster(root)
        self.patient_until: float | None = None
        self.announced = False

    def prepare(self, *, samples: bool, workers: int) -> None:
        """Bring database, tables, samples and first login about; each step finds what is there already."""
        if self.cluster is not None:
            with self.supervisor.interruptible():
                self.cluster.ensure()
        with self.supervisor.interruptible():
            self.refuse_database(workers=workers)
        with self.alone():
            self.manage("migrate", "--no-input", "--verbosity", "0")
            if samples:
                self.manage("load_samples")
            with self.supervisor.interruptible():
                self.first_login()  # last, so that nothing is printed between it and the address

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Let no other ``up`` prepare the same database meanwhile: what both find missing, both would make."""
        parameters = connections["default"].get_connection_params() | {"autocommit": False}
        with contextlib.ExitStack() as stack:
            # What is wrong with a database that does not answer, the first step says.
            with contextlib.suppress(psycopg.OperationalError), self.supervisor.interruptible():
                connection = stack.enter_context(contextlib.closing(psycopg.connect(**parameters)))
                for setting in ("lock_timeout", "statement_timeout", "idle_in_transaction_session_timeout"):
                    connection.execute(f"SET LOCAL {setting} = 0")
                if connection.execute("SELECT pg_try_advisory_xact_lock(hashtext('manage.py up'))").fetchone() != (
                    True,
                ):
                    self.say("Another `up` prepares this database; waiting for it.")
                    connection.execute("SELECT pg_advisory_xact_lock(hashtext('manage.py up'))")
            yield

    def run(self, *, workers: int) -> None:
        """Keep web, workers and the embedded database running until the end is asked for."""
        self.supervisor.add(Program(name="web", arguments=server_command.arguments(endpoint=self.address.endpoint)))
        for number in range(workers):
            name = "worker" if workers == 1 else f"worker {number + 1}"
            self.supervisor.add(Program(name=name, arguments=["manage.py", "worker"]))
        self.supervisor.watch(self.announce, every=0.2)
        self.supervisor.watch(self.look_after_cluster, every=LOOK_AFTER_CLUSTER_EVERY)
        self.patient_until = time.monotonic() + PATIENCE
        self.supervisor.run()

    def end(self) -> None:
        """End the children, then leave the database to those who still use it."""
        self.supervisor.end()
        if self.cluster is not None:
            self.cluster.release()
        if self.announced:
            self.say("Moot has stopped; everything is kept for the next start.")

    def manage(self, *arguments: str) -> None:
        """Run another command of ours to its end, in a process of its own."""
        status = self.supervisor.once(Program(name=arguments[0], arguments=["manage.py", *arguments]))
        if status:
            raise CommandError(f"`manage.py {' '.join(arguments)}` failed with status {status}; see above.")

    def refuse_database(self, *, workers: int) -> None:
        """Refuse one of another release, or too small a one."""
        try:
            releases.refuse_other()
            refuse_too_many(workers=workers)
        finally:
            connections.close_all()

    def first_login(self) -> None:
        """Make the first superuser and say the password, this once."""
        users = get_user_model()
        try:
            if users.objects.filter(is_superuser=True).exists():
                return
            if users.objects.filter(username__iexact=MODERATOR).exists():
                self.say("There is no superuser yet; make one with `manage.py createsuperuser`.")
                return
            password = secrets.token_urlsafe(15)
            users.objects.create_superuser(username=MODERATOR, email="", password=password)
        finally:
            connections.close_all()
        self.say(f"Login of the first moderator, shown only now: {MODERATOR} / {password}")
        self.say(f"Sign in with it at {self.address.url}admin/")
        self.say(f"Lost it? `manage.py changepassword {MODERATOR}` sets another.")

    def announce(self) -> None:
        """Say the address, once, when it answers; say once when that takes long."""
        if self.announced:
            return
        with self.supervisor.interruptible():
            self.announced = self.address.answers()
        if self.announced:
            self.say(f"Moot is running at {self.address.url} (stop with Ctrl-C)")
        elif self.patient_until is not None and time.monotonic() > self.patient_until:
            self.patient_until = None
            self.say(f"The site has not answered for {PATIENCE:.0f} s; what it said is above. Still trying.")

    def look_after_cluster(self) -> None:
        """Start the embedded PostgreSQL again when its process is gone."""
        if self.cluster is None or self.cluster.lives():
            return
        self.say("PostgreSQL has ended; starting it again.")
        try:
            with self.supervisor.interruptible():
                self.cluster.ensure()
        except embedded.Refused as refusal:
            self.say(str(refusal))


def refuse_too_many(*, workers: int) -> None:
    """Refuse more workers than the database has connections for; one may always try.

    Raises: ``CommandError``.
    """
    taken = "SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int"
    with contextlib.suppress(DatabaseError), connections["default"].cursor() as cursor:  # the first step says why
        cursor.execute(taken)
        [most] = cursor.fetchone()
        fit = max(1, (most - (settings.POOL or OF_PAGES) - OF_LIVE - OF_OTHERS) // OF_A_WORKER)
        if workers > fit:
            raise CommandError(
                f"{workers} workers may take {workers * OF_A_WORKER} connections and the database has {most}, for"
                f" everybody; give --workers {fit} or fewer, or the database more (max_connections)."
            )
