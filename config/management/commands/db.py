"""The database by hand. What is ours is started and stopped; any is looked at, dumped, restored and named anew."""

import argparse
import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.core.management.base import CommandError
from django.db import connections
from django.utils import timezone

from config import database_settings, embedded, releases
from config.embedded import binaries, dump
from config.embedded.paths import PORT
from config.embedded.replace_database import IN_USE
from config.management.commands.reseal import OF_FACTORS
from debates import event_log, sealing
from debates.management.base import BaseCommand
from debates.models import Webhook
from debates.sealing import Purpose


class Command(BaseCommand):
    help = "Start, stop, look at, back up or restore the database."
    requires_system_checks = ()

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        actions.add_parser("start", help="start the embedded PostgreSQL and let it stay")
        stop = actions.add_parser("stop", help="stop the embedded PostgreSQL")
        stop.add_argument("--force", action="store_true", help="even while other processes use it")
        actions.add_parser("status", help="say which database is used and how it is")
        actions.add_parser("new-epoch", help="after a restore: tell everybody who follows a debate to begin again")
        actions.add_parser("dump", help="write the whole database to a file").add_argument("file", type=Path)
        actions.add_parser("restore", help="read a dump back and prove it").add_argument("file", type=Path)

    def handle(self, *, action: str, **options: Any) -> None:
        place = External() if settings.EMBEDDED_ROOT is None else Embedded(settings.EMBEDDED_ROOT)
        try:
            line = getattr(place, action.replace("-", "_"))(options)
        except embedded.Refused as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(line)


class Embedded:
    """The actions on our own server."""

    def __init__(self, root: Path) -> None:
        self.cluster = embedded.Cluster(root)

    def start(self, _options: dict[str, Any]) -> str:
        self.cluster.ensure()
        self.cluster.keep()
        self.cluster.release()
        return self.status({})

    def stop(self, options: dict[str, Any]) -> str:
        return "Stopped." if self.cluster.stop(even_if_used=options["force"]) else "It was not running."

    def status(self, _options: dict[str, Any]) -> str:
        status = self.cluster.status()
        if status.state in {"absent", "stopped"}:
            return f"Embedded PostgreSQL in {status.root}: {status.state}."
        users = ("in use" if status.in_use else "not in use") + (", started to stay" if status.kept else "")
        version = f" {status.version}" if status.version else ""
        return f"Embedded PostgreSQL{version} in {status.root}: {status.state}, process {status.process}, {users}."

    def dump(self, options: dict[str, Any]) -> str:
        """Write everything to a file, starting the server for it if need be."""
        self.cluster.ensure()
        try:
            self.cluster.dump(options["file"])
        finally:
            self.cluster.release()
        return written(options["file"])

    def restore(self, options: dict[str, Any]) -> str:
        """Put a dump in the place of the database; what was there is kept under another name."""
        if self.cluster.status().in_use:
            raise CommandError(IN_USE)
        self.cluster.ensure()
        try:
            kept = self.cluster.restore(options["file"], now=timezone.now(), prove=self.prove)
            return f"Restored {options['file']}, and proved it. The database before is kept as {kept}.{unopened()}"
        finally:
            connections.close_all()
            self.cluster.release()

    def prove(self, name: str) -> None:
        """Prove a database of our own server that is not yet in its place."""
        run = quote(str(self.cluster.places.run), safe="")
        app, owner = (f"postgresql://{role}@{run}:{PORT}/{name}" for role in (settings.APP_ROLE, settings.OWNER_ROLE))
        prove(DATABASE_URL=app, MIGRATION_DATABASE_URL=owner)

    def new_epoch(self, _options: dict[str, Any]) -> str:
        """Name the logs anew, starting the server for it if need be."""
        self.cluster.ensure()
        try:
            return renamed()
        finally:
            self.cluster.release()


class External:
    """The actions on a server that others run."""

    def start(self, _options: dict[str, Any]) -> str:
        raise CommandError(
            f"DATABASE_URL names {shown(parameters(owner=False))}; start it where it runs, or unset DATABASE_URL."
        )

    def stop(self, _options: dict[str, Any]) -> str:
        raise CommandError(
            f"DATABASE_URL names {shown(parameters(owner=False))}; stop it where it runs, or unset DATABASE_URL."
        )

    def status(self, _options: dict[str, Any]) -> str:
        address = parameters()
        with asked(address) as connection:
            version = connection.info.parameter_status("server_version")
        return f"PostgreSQL {version} at {shown(address)}, named by {naming()}: running."

    def dump(self, options: dict[str, Any]) -> str:
        if database_settings.name_two(site=settings.DATABASE_URL, owner=settings.MIGRATION_DATABASE_URL):
            raise CommandError(database_settings.TWO)
        try:
            dump.write(programs=binaries.installed(), connection=parameters(), target=options["file"])
        except embedded.Refused as refusal:
            way_out = "the server's own `pg_dump -Fc` always works."
            raise CommandError(hinted(refusal, program="pg_dump", way_out=way_out)) from refusal
        return written(options["file"])

    def restore(self, options: dict[str, Any]) -> str:
        """Read a dump into the database, which must be empty."""
        programs, place = binaries.installed(), parameters()
        dump.refuse_partial(programs=programs, source=options["file"])
        refuse_filled(place)
        with asked(place) as connection, asked(parameters(owner=False)) as of_site:
            if database_settings.identity(connection) != database_settings.identity(of_site):
                raise CommandError(database_settings.TWO)
            read = dump.read if connection.info.server_version >= 170000 else dump.read_before_17
        try:
            read(programs=programs, connection=place, source=options["file"])
        except embedded.Refused as refusal:
            way_out = "docs/how-to/back-up.md does without it."
            raise CommandError(hinted(refusal, program="pg_restore", way_out=way_out)) from refusal
        prove()
        return f"Restored {options['file']} into {shown(place)}, and proved it.{unopened()}"

    def new_epoch(self, _options: dict[str, Any]) -> str:
        return renamed()


def hinted(refusal: embedded.Refused, *, program: str, way_out: str) -> str:
    """Return what a program of ours said, with what it lacks where that is what it speaks of."""
    if any(word in str(refusal).lower() for word in ("ssl", "encryption", "version")):
        return f"{refusal} Our {program} speaks no TLS and knows PostgreSQL up to 18; {way_out}"
    return str(refusal)


def renamed() -> str:
    try:
        releases.refuse_other()
        return f"The logs' epoch is now {event_log.new_epoch(now=timezone.now())}."
    except releases.OtherRelease as refusal:
        raise CommandError(str(refusal)) from refusal
    finally:
        connections.close_all()


def unopened() -> str:
    """Say how many kept secrets of a restored database the keys of this site do not open; nothing where all do."""
    hooks = sum(not hook.secret for hook in Webhook.objects.all())
    factors = sum(not opens(factor.data) for factor in Authenticator.objects.all())
    if not hooks + factors:
        return ""
    return (
        f" {factors} second factors and the secrets of {hooks} webhooks do not open:"
        " name the SECRET_KEY of the site that was dumped in SECRET_KEY_FALLBACKS."
    )


def opens(factor: dict[str, Any]) -> bool:
    """Tell whether the keys of this site open what of a second factor is sealed."""
    try:
        return all(sealing.unseal(factor[name], purpose=Purpose.SECOND_FACTOR) for name in OF_FACTORS if name in factor)
    except sealing.NotSealed:
        return False


PROOF = (
    ["migrate", "--no-input", "--verbosity", "0"],
    ["check", "--database", "default"],
    ["verify_ledger"],
    ["db", "new-epoch"],
)


def prove(**addresses: str) -> None:
    """Bring a restored database up to date, grant the app role its rights, prove guards and ledger, name the logs anew.

    Shape: ``addresses`` are the settings that name the database, where it is not the one of this environment.
    Raises: ``RestoreFailed`` naming the step that failed; what it found was printed.
    """
    environment = os.environ | addresses
    for step in PROOF:
        command = [sys.executable, "manage.py", *step]
        done = subprocess.run(command, cwd=settings.BASE_DIR, env=environment, check=False)  # noqa: S603 -- our own command
        if done.returncode:
            raise embedded.RestoreFailed(f"What was restored does not stand: `manage.py {step[0]}` failed, see above.")


def refuse_filled(address: dict[str, str]) -> None:
    """Refuse a database that has tables, or that somebody is connected to.

    Raises: ``RestoreFailed``.
    """
    with asked(address) as connection:
        tables = connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone()
        others = connection.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            " AND usename IS NOT NULL"  # what PostgreSQL does for itself has no user; the rest others may not see
        ).fetchone()
    if others != (0,):
        raise embedded.RestoreFailed(IN_USE)
    if tables != (0,):
        raise embedded.RestoreFailed(f"{shown(address)} is not empty. Make a new database and name that.")


@contextlib.contextmanager
def asked(address: dict[str, str]) -> Iterator[psycopg.Connection]:
    """Connect to a database.

    Raises: ``CommandError`` where it does not answer.
    """
    try:
        with database_settings.connect(address) as connection:
            yield connection
    except psycopg.OperationalError as error:
        raise CommandError(f"{shown(address)} does not answer: {str(error).strip()}") from error


def parameters(*, owner: bool = True) -> dict[str, str]:
    """Return libpq's parameters of the external database, as its owner where one is named and asked for."""
    setting = naming() if owner else "DATABASE_URL"
    return database_settings.parameters(getattr(settings, setting), setting=setting)


def naming() -> str:
    """Return the setting that names the database to whoever is its owner."""
    return "MIGRATION_DATABASE_URL" if settings.MIGRATION_DATABASE_URL else "DATABASE_URL"


def shown(address: dict[str, str]) -> str:
    """Return an address without its password."""
    return f"{address.get('host', 'localhost')}/{address.get('dbname', '')}"


def written(file: Path) -> str:
    return f"Wrote {file}. It is read back with `manage.py db restore`; docs/how-to/back-up.md says how."
