"""System check: refuses a database that cannot keep what people write, or whose server or tables are not for us."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register
from django.core.checks import Warning as CheckWarning
from django.db import connections

from config import database_settings, releases

ENCODING, OLDEST = "UTF8", 15


@register(Tags.files)
def card_font_is_read(**_rest: Any) -> Iterable[CheckMessage]:
    """Report a font of cards that cannot be read: they are drawn with another one then."""
    if settings.CARD_FONT:
        from PIL import ImageFont  # noqa: PLC0415 -- every command would wait for it

        try:
            ImageFont.truetype(settings.CARD_FONT)
        except OSError:
            yield CheckWarning(
                f"MOOT_CARD_FONT names {settings.CARD_FONT}, which is no font that can be read.", id="config.W001"
            )


@register(Tags.database)
def database_is_fit(*, databases: Sequence[str] | None = None, **_rest: Any) -> Iterable[CheckMessage]:
    """Report a database in another encoding than UTF-8 or with tables of another release, and one before PostgreSQL 15.

    Shape: also two databases, where the addresses of the site and of its owner are to lead to one.
    Source: docs/how-to/use-your-own-postgresql.md.
    """
    for using in databases or ():
        with connections[using].cursor() as cursor:
            cursor.execute(
                "SELECT current_database(), current_setting('server_encoding'),"
                " current_setting('server_version_num')::int / 10000"
            )
            name, encoding, version = cursor.fetchone()
        if encoding != ENCODING:
            yield Error(
                f"The database {name} is encoded in {encoding}, which cannot hold every text; it must be {ENCODING}.",
                hint=f"Make it anew: createdb --encoding {ENCODING} --template template0 --owner ROLE {name}",
                id="config.E001",
            )
        if version < OLDEST:
            yield Error(f"PostgreSQL {version} is too old; it must be {OLDEST} or newer.", id="config.E002")
        other = releases.refusal(using=using)
        if other:
            yield Error(other, id="config.E003")
    if "default" in (databases or ()) and database_settings.name_two(
        site=settings.DATABASE_URL, owner=settings.MIGRATION_DATABASE_URL
    ):
        yield Error(database_settings.TWO, id="config.E004")
