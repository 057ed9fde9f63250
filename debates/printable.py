"""Words of others as a terminal and a log may show them: no character that moves the cursor, hides or turns text."""

import logging
import re
import unicodedata
from contextvars import ContextVar
from datetime import datetime

from django.utils import timezone

LINES = frozenset("\n\t")
JOINERS = frozenset("\u200c\u200d")
"""Characters within words of several scripts, and within emoji; alone they do nothing."""
UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Control characters, formatting (direction, invisible marks, tags), halves of characters, and breaks of lines."""
UNWRITABLE = dict.fromkeys((*range(9), 0x0B, 0x0C, *range(0x0E, 0x20), 0xFFFE, 0xFFFF))
"""What XML has no way to write."""


def clock(at: datetime | None, *, pattern: str = "%Y-%m-%d %H:%M") -> str:
    """Return a moment as the active time zone has it, with its name: the reader's on pages, UTC elsewhere."""
    return f"{timezone.localtime(at):{pattern} %Z}" if at else "no time"


def printable(text: str) -> str:
    """Return a text with what is not to be seen as JSON escapes it: inside JSON it stays the same text."""
    if text.isprintable():
        return text
    return "".join(escaped(character) if is_unseen(character) else character for character in text)


def is_unseen(character: str) -> bool:
    """Tell whether a character does something instead of being seen. Line feeds and tabs are ours to lay out with."""
    return unicodedata.category(character) in UNSEEN and character not in LINES | JOINERS


def visible(text: str) -> str:
    """Return a text without what is not to be seen: on one line, and as PostgreSQL can store it."""
    return "".join(character for character in text if character.isprintable())


def escaped(character: str) -> str:
    """Return a character as JSON escapes it, beyond the first plane as two halves."""
    units = character.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


CONTEXT: ContextVar[dict[str, str]] = ContextVar("log_context", default={})  # noqa: B039 -- replaced, never changed
"""What every line says that is logged while a request is answered: its name, and who asks."""


class Fields:
    """A message of the log with names and values, put into words only where somebody takes it.

    Source: the logging cookbook of Python, "Implementing structured logging".
    """

    def __init__(self, event: str, **values: object) -> None:
        self.event, self.values = event, values

    def __str__(self) -> str:
        return " ".join([self.event, *(f"{name}={value!r}" for name, value in self.values.items())])


SECRET_IN_PATH = re.compile(
    r"(/(?:invitations|seats|calendar|mail/stop|password/reset/key|confirm-email)/)(?!/|done/)[^/\s\"']+"
)
"""What lets its holder in, in an address: whoever reads the log is not to come in by it."""

DETAIL = re.compile(r"DETAIL: .*?(?=\nTraceback |\n\n(?:The above|During) |\Z)", re.DOTALL)
"""What PostgreSQL says of the row that it refused, to the end of the error: people's names and words."""


class Formatter(logging.Formatter):
    """Lines of the log, tracebacks among them, with their context, and with nothing unseen in them."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 -- its name in the library
        stated = record.msg.values if isinstance(record.msg, Fields) else {}
        context = {name: value for name, value in CONTEXT.get().items() if name not in stated}
        return str(Fields(super().formatMessage(record), **context))

    def format(self, record: logging.LogRecord) -> str:
        return printable(DETAIL.sub("DETAIL: ...", SECRET_IN_PATH.sub(r"\1...", super().format(record))))


class AsWarning(logging.Filter):
    """What whoever asks got wrong is no error to look into, and has no traceback."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.levelno, record.levelname, record.exc_info = logging.WARNING, "WARNING", None
        return True


LONGEST_NAME = 60


def slug(title: str) -> str:
    """Return a title as the beginning of a file's name: small letters of ASCII, digits, single dashes between words
    and full stops within them, as in ``src-api-users.ts``.
    """
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    words = re.sub(r"(?:(?<![a-z0-9])\.|\.(?![a-z0-9])|[^a-z0-9.])+", "-", plain)
    return words.strip("-.")[:LONGEST_NAME].strip("-.") or "subject"
