#!/usr/bin/env python
"""Command-line entry point: picks the database role, wakes the embedded server, runs the command."""

import codecs
import gc
import io
import os
import sys
from typing import NoReturn

WITHOUT_DATABASE = {
    "check", "collectstatic", "conformance", "db", "help", "makemessages", "serve", "startapp", "up",
    "version",
}  # fmt: skip
NO_TABLES = (
    "The database does not have the tables of this release. Wait until `make run` prints the address, "
    "or make them: .venv/bin/python manage.py migrate"
)
NO_OWNER = (
    "Only the role that owns the tables may do this: name its address in MIGRATION_DATABASE_URL; "
    "with containers: docker compose --file deploy/compose.yaml run --rm migrate python manage.py {command}"
)
AS_OWNER = {"createcachetable", "erase", "flush", "makemigrations", "migrate", "retain", "sqlmigrate", "test"}


def main() -> None:
    """Run the command named on the command line."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.exceptions import ImproperlyConfigured  # noqa: PLC0415 -- the wrong Python is told of below
    from django.db.utils import OperationalError, ProgrammingError  # noqa: PLC0415
    from environs import EnvError  # noqa: PLC0415
    from psycopg.errors import UndefinedColumn, UndefinedTable  # noqa: PLC0415

    if isinstance(sys.stdout, io.TextIOWrapper):
        codecs.register_error("as_json", escape)
        sys.stdout.reconfigure(errors="as_json")  # not every terminal has a character for all that is said
    try:
        run()
    except ProgrammingError as error:
        if "--traceback" in sys.argv or not isinstance(error.__cause__, UndefinedColumn | UndefinedTable):
            raise
        give_up(NO_TABLES)
    except OperationalError as error:
        # What has a number was said by a database that answers; without one nobody was reached, or let in.
        if "--traceback" in sys.argv or getattr(error.__cause__, "sqlstate", None):
            raise
        give_up(f"The database does not answer: {str(error).strip()}")
    except (EnvError, ImproperlyConfigured) as error:
        if "--traceback" in sys.argv:
            raise
        give_up(f"Settings: {error}")


def escape(error: UnicodeError) -> tuple[str, int]:
    """Return what stands for characters that a stream does not have: inside JSON it stays the same text."""
    from debates.printable import escaped  # noqa: PLC0415 -- as above

    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(escaped, error.object[error.start : error.end])), error.end


def give_up(why: str) -> NoReturn:
    from scoring.errors import CANNOT_VERIFY  # noqa: PLC0415 -- as above

    sys.stderr.write(f"{why}\n")
    # A mail server keeps a report that cannot be taken now, and lets go of it at any other status.
    sys.exit({"verify_ledger": CANNOT_VERIFY, "record_bounce": os.EX_TEMPFAIL}.get("".join(sys.argv[1:2]), 1))


def run() -> None:
    """Run it as the role it needs, with the database it needs."""
    command = next((word for word in sys.argv[1:] if not word.startswith("-")), "help")
    if command in AS_OWNER:
        os.environ["MOOT_DATABASE_ROLE"] = "owner"
    asks_for_help = {"--help", "-h"} & set(sys.argv)
    if asks_for_help or command in {"help", "startapp"}:
        pass
    elif command not in WITHOUT_DATABASE and is_known(command):
        wake_embedded_server()
        if command in AS_OWNER:
            refuse_two_databases()
        refuse_other_release()
        if command in {"erase", "retain"} and "--list" not in sys.argv:
            refuse_other_role(command)
    else:
        if command == "check" and any(word.startswith("--database") for word in sys.argv):
            wake_embedded_server()
        if not any(word.startswith(("--settings", "--pythonpath")) for word in sys.argv):  # Django obeys these first
            load()
    from django.core.management import execute_from_command_line  # noqa: PLC0415 -- after the role is chosen

    execute_from_command_line(sys.argv)


def is_known(command: str) -> bool:
    """Say whether there is such a command: for one that is mistyped no database is woken, or made."""
    from django.core.management import get_commands  # noqa: PLC0415 -- after the role is chosen

    load()
    return command in get_commands()


def wake_embedded_server() -> None:
    """Start the embedded PostgreSQL where no other database is named, and let it go when this command ends."""
    import atexit  # noqa: PLC0415 -- only commands that need a database pay for this

    from django.conf import settings  # noqa: PLC0415

    from config import embedded  # noqa: PLC0415

    if settings.EMBEDDED_ROOT is None:
        return
    try:
        cluster = embedded.Cluster(settings.EMBEDDED_ROOT)
        atexit.register(cluster.release)
        cluster.ensure()
    except embedded.Refused as refusal:
        give_up(str(refusal))


def load() -> None:
    """Load the whole site, and look for garbage only afterwards: all of this stays."""
    import django  # noqa: PLC0415 -- after the role is chosen

    gc.disable()
    django.setup()
    gc.freeze()
    gc.enable()


def refuse_two_databases() -> None:
    """End, with one sentence, before the owner changes another database than the one that the site has."""
    from django.conf import settings  # noqa: PLC0415 -- after the role is chosen

    from config import database_settings  # noqa: PLC0415

    if database_settings.name_two(site=settings.DATABASE_URL, owner=settings.MIGRATION_DATABASE_URL):
        give_up(database_settings.TWO)


def refuse_other_release() -> None:
    """End, with one sentence, before a command meets tables that are not of this release."""
    from config import releases  # noqa: PLC0415 -- after the role is chosen

    try:
        releases.refuse_other()
    except releases.OtherRelease as refusal:
        give_up(str(refusal))


def refuse_other_role(command: str) -> None:
    """End, with one sentence, before a command that rewrites what only the owner may begins as somebody else."""
    from scoring import database_grants  # noqa: PLC0415 -- after the role is chosen

    if not database_grants.owns_tables(using="default"):
        give_up(NO_OWNER.format(command=command))


if __name__ == "__main__":
    try:
        main()
    except ModuleNotFoundError as missing:
        if missing.name != "django":
            raise
        sys.exit(f"{sys.executable} does not have what Moot needs. Use .venv/bin/python, which `make run` makes.")
