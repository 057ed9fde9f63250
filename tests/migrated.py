"""What is migrated once and copied from then on: a database for tests that share a server, a whole cluster for others.

Both are named by what they were made from, so that a changed migration makes them anew, and stay for the next run.
"""

import contextlib
import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib import metadata
from pathlib import Path

from django.core.management import call_command
from django.db import connection

from config import embedded
from config.embedded import binaries
from tests import environment as tests_environment
from tests import postgres

ROOT = Path(__file__).resolve().parent.parent
MADE_FROM = (
    "*/migrations/*.py",
    "*/sql/*",
    "requirements*.txt",
    "samples/rubrics/*.json",
    "scoring/rubrics.py",
    "scoring/services/rubric_store.py",
)
PREFIX = "moot_template_"


@lru_cache(maxsize=1)
def key() -> str:
    """Name what a migrated database is made from: the migrations and their SQL, what is done after a migration, and
    the releases of Django, of other apps and of PostgreSQL."""
    files = {file for pattern in MADE_FROM for file in ROOT.glob(pattern)}
    files |= {file for file in ROOT.glob("*/*.py") if "post_migrate" in file.read_text(encoding="utf-8")}
    digest = hashlib.sha256(metadata.version(binaries.DISTRIBUTION).encode())
    for file in sorted(files):
        digest.update(f"{file.relative_to(ROOT)} {hashlib.sha256(file.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()[:12]


@contextlib.contextmanager
def locked(name: str) -> Iterator[Path]:
    """Hold a lock among all processes of all runs, and give the directory of what the runs of this clone keep."""
    place = embedded.location(base=ROOT, chosen=os.environ.get("MOOT_DATA_DIR", "")) / "migrated"
    place.mkdir(parents=True, exist_ok=True)
    place.chmod(0o711)  # the server's account passes through
    with place.joinpath(f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield place


def copy(target: Path) -> None:
    """Put a stopped cluster there, whose database has been migrated by its owner."""
    with locked("cluster") as place:
        source = place / key()
        if not source.exists():
            make(source)
        subprocess.run(["cp", "-pR", "--reflink=auto", str(source), str(target)], check=True, timeout=180)


def make(source: Path) -> None:
    """Make that cluster, whole or not at all, and let go of what other migrations made."""
    for older in source.parent.glob("*/data"):
        shutil.rmtree(older.parent)
    unfinished = source.with_name(f"{source.name}.new")
    shutil.rmtree(unfinished, ignore_errors=True)
    with postgres.throwaway_cluster(root=unfinished) as server:
        migrate({"DATABASE_URL": server.url(user="moot_owner")})
    unfinished.rename(source)


def migrate(environment: Mapping[str, str]) -> None:
    """Migrate a database with the settings that are shipped."""
    command = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
    surrounded = {**tests_environment.plain(), "DJANGO_SETTINGS_MODULE": "config.settings", "SECRET_KEY": "of a test"}
    subprocess.run(command, cwd=ROOT, env={**surrounded, **environment}, check=True, timeout=300)


def template() -> str:
    """Return the name of a migrated database beside the one of the settings; Django makes that of a test from it."""
    name, unfinished = f"{PREFIX}{key()}", f"{PREFIX}unfinished"
    with locked("template"), connection._nodb_cursor() as cursor:
        cursor.execute("SELECT datname FROM pg_database WHERE starts_with(datname, %s)", [PREFIX])
        kept = {row[0] for row in cursor.fetchall()}
        if name not in kept:
            for older in kept:
                cursor.execute(f"DROP DATABASE {older}")
            cursor.execute(f"CREATE DATABASE {unfinished}")
            with named(unfinished):
                call_command("migrate", verbosity=0)
            cursor.execute(f"ALTER DATABASE {unfinished} RENAME TO {name}")
    return name


@contextlib.contextmanager
def named(name: str) -> Iterator[None]:
    """Have the default connection lead to another database."""
    before = connection.settings_dict["NAME"]
    connection.close()
    connection.settings_dict["NAME"] = name
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict["NAME"] = before
