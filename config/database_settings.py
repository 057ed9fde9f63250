"""Connections to PostgreSQL as the settings have them: by an address, and how they are held open."""

from collections.abc import Mapping
from typing import Any

import dj_database_url
import psycopg
from django.core.exceptions import ImproperlyConfigured
from psycopg import pq
from psycopg.conninfo import make_conninfo

POOL_SECONDS = 3
"""How long a request waits for a connection before it is answered that the database is away."""
POSTGRESQL = "django.db.backends.postgresql"
ALIVE = {
    "connect_timeout": 3,
    "keepalives": 1,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,
}
"""How libpq finds out that the other end is gone. Units: seconds; the last in milliseconds."""
LIBPQ = {"HOST": "host", "PORT": "port", "USER": "user", "PASSWORD": "password", "NAME": "dbname"}
TWO = "DATABASE_URL and MIGRATION_DATABASE_URL name two databases; name the same in both."
OF_DJANGO = {"assume_role", "isolation_level", "pool", "prepare_threshold", "server_side_binding"}
"""Options of an address that libpq does not see."""
PREPARED = {"server_side_binding": True, "prepare_threshold": 5}
"""What a session asks again and again is parsed and planned once; a pooler between must keep sessions apart."""


def named(url: str, *, setting: str = "DATABASE_URL") -> dict[str, Any]:
    """Return the connection that an address names; ``setting`` is where it stands.

    Raises: ``ImproperlyConfigured`` if it is no address, or names another kind of database than PostgreSQL, none at
    all, or an option that nobody knows.
    """
    try:
        place: dict[str, Any] = dict(dj_database_url.parse(url))
    except dj_database_url.UnknownSchemeError:
        place = {"ENGINE": ""}
    except ValueError:
        raise ImproperlyConfigured(
            f"{setting} cannot be read as an address: of a name or a password, what is no letter or digit is written as"
            " % and its number, such as %40 for @ and %5B for [."
        ) from None
    if place["ENGINE"] != POSTGRESQL:
        raise ImproperlyConfigured(f"{setting} must name a PostgreSQL database: postgresql://user:password@host/name")
    options = place.get("OPTIONS", {})
    if not place["NAME"] and "service" not in options:
        raise ImproperlyConfigured(f"{setting} must name a database: postgresql://user:password@host/name")
    if strange := sorted(options.keys() - OF_DJANGO - known_to_libpq()):
        raise ImproperlyConfigured(f"{setting} has an option that libpq does not know: {strange[0]}")
    return place


def known_to_libpq() -> set[str]:
    return {option.keyword.decode() for option in pq.Conninfo.get_defaults()}


def parameters(url: str, *, setting: str = "DATABASE_URL") -> dict[str, str]:
    """Return libpq's parameters of the database that an address names.

    Raises: ``ImproperlyConfigured`` as ``named``.
    """
    place = named(url, setting=setting)
    plain = {ours: str(place[theirs]) for theirs, ours in LIBPQ.items() if place.get(theirs)}
    known = known_to_libpq()  # others are Django's or psycopg's
    return plain | {key: str(value) for key, value in place.get("OPTIONS", {}).items() if key in known}


def connect(address: Mapping[str, str]) -> psycopg.Connection:
    """Connect to a database outside Django.

    Raises: ``OperationalError`` where it does not answer, or lets nobody in.
    """
    return psycopg.connect(make_conninfo(**{"connect_timeout": "10", **address}))


def identity(connection: psycopg.Connection) -> object:
    """Return what tells a database from every other one, by whichever way and role it is reached."""
    question = "SELECT oid::bigint, pg_postmaster_start_time() FROM pg_database WHERE datname = current_database()"
    return connection.execute(question).fetchone()


def name_two(*, site: str, owner: str) -> bool:
    """Say whether the addresses of the site and of its owner lead to two databases.

    One that nobody reaches is no other: the role of the site may not be there before the first migration.
    """
    if not site or not owner:
        return False
    try:
        with (
            connect(parameters(site)) as of_site,
            connect(parameters(owner, setting="MIGRATION_DATABASE_URL")) as of_owner,
        ):
            return identity(of_site) != identity(of_owner)
    except psycopg.OperationalError:
        return False


def limited(*, lock_seconds: float, idle_seconds: float) -> str:
    """Return how libpq asks the server to let no session wait for a lock, or hold one and do nothing, for ever."""
    limits = {"lock_timeout": lock_seconds, "idle_in_transaction_session_timeout": idle_seconds}
    return " ".join(f"-c {name}={round(seconds * 1000)}" for name, seconds in limits.items())


READ_ONLY = "-c default_transaction_read_only=on"
"""How libpq asks the server to refuse whatever writes, also where the address leads to one that could."""


def held(place: Mapping[str, Any], *, pooled: int, limits: str = "") -> dict[str, Any]:
    """Return a connection with how it is held open: by each thread for a while, or by a pool of at most ``pooled``."""
    own = place.get("OPTIONS", {})
    asked = " ".join(filter(None, [limits, own.get("options", "")]))
    # Who asks next begins to connect anew: the pool's own pauses double up to minutes.
    waits = {"timeout": POOL_SECONDS, "reconnect_timeout": POOL_SECONDS}
    pool = {"pool": {"min_size": 1, "max_size": pooled, **waits}} if pooled else {}
    return dict(place) | {
        "ENGINE": POSTGRESQL,
        # A web process takes connections from a pool: held open for themselves they would leak under ASGI.
        "CONN_MAX_AGE": 0 if pooled else 60,
        "CONN_HEALTH_CHECKS": True,
        "ATOMIC_REQUESTS": False,
        "OPTIONS": {**ALIVE, **PREPARED, **pool, **own, **({"options": asked} if asked else {})},
    }
