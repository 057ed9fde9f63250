"""What made the tables of a database: where this release cannot bring it forward it is refused, and left as it is."""

from contextlib import suppress
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, connections

from scoring import checks

APPS = ("config", "debates", "scoring", "judging")
BEFORE_THE_FIRST = ("debates", "0002_guards_v1")
"""A migration that every database has whose tables were made before release 0.1, and no later one."""


class OtherRelease(Exception):
    """The tables are those of a release that this one cannot bring forward; the message says what to do."""


def refuse_other() -> None:
    """Refuse a database that records migrations of ours which this release does not have, or what others made of them.

    A database that does not answer, or has no tables yet, is left to whoever asks it next.

    Raises: ``OtherRelease``.
    """
    why = refusal(using="default")
    if why:
        raise OtherRelease(why)


def refusal(*, using: str) -> str:
    """Return the sentence that refuses a database; empty where nothing does."""
    here = recorded(using=using)
    strangers = here - known()
    if BEFORE_THE_FIRST in strangers:
        origin, reader = "before Moot 0.1", "the release that made it reads that back"
    elif strangers:
        app, name = min(strangers)
        origin, reader = (
            f"by another release of Moot ({app}.{name} is not one of this one's migrations)",
            "run that release",
        )
    elif here and (difference := checks.made_elsewhere(using=using)):
        origin = f"by another checkout of Moot ({difference})"
        reader = "the checkout that made it reads that back"
    else:
        return ""
    anew = (
        "name an empty database in DATABASE_URL"
        if settings.EMBEDDED_ROOT is None
        else "name another directory in MOOT_DATA_DIR"
    )
    return (
        f"This database was made {origin}, so nothing was changed in it: to keep what it holds, write it to a file with"
        f" `manage.py db dump FILE` ({reader}); to start anew, {anew}."
    )


def known() -> set[tuple[str, str]]:
    """Return the migrations of this release, as (app, name)."""
    root = Path(settings.BASE_DIR)
    return {(app, file.stem) for app in APPS for file in (root / app / "migrations").glob("[0-9]*.py")}


def recorded(*, using: str) -> set[tuple[str, str]]:
    with suppress(DatabaseError), connections[using].cursor() as cursor:
        cursor.execute("SELECT to_regclass('public.django_migrations') IS NOT NULL")
        if cursor.fetchone() == (True,):
            cursor.execute("SELECT app, name FROM django_migrations WHERE app = ANY (%s)", [list(APPS)])
            return set(cursor.fetchall())
    return set()
