"""Reading what somebody chose: known keys inside their limits, and nothing that would have no effect."""

import re
import unicodedata
from collections.abc import Callable, Mapping
from decimal import Decimal
from enum import StrEnum
from typing import Any

from debates.decimals import plain
from debates.errors import Invalid, option
from scoring.errors import NotANumber, OutOfRange, UnknownKey
from scoring.rules import numbers

HALVES = re.compile("[\ud800-\udfff]")
MOST_DIGITS = 40

Reader = Callable[[str, object], object]


def number(*, low: str, high: str) -> Reader:
    """Return a reader of decimals of two places inside limits."""
    return lambda name, value: numbers.decimal_of(value, name=name, low=Decimal(low), high=Decimal(high), places=2)


def whole(*, low: int, high: int) -> Reader:
    """Return a reader of whole numbers inside limits."""

    def read(name: str, value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise NotANumber(f"{name} must be a whole number from {low} to {high}.")
        if not low <= value <= high:
            raise OutOfRange(f"{name} must be a whole number from {low} to {high}.")
        return value

    return read


def flag(name: str, value: object) -> bool:
    """Read true or false."""
    if not isinstance(value, bool):
        raise OutOfRange(f"{name} must be true or false.")
    return value


def one_of(words: type[StrEnum]) -> Reader:
    """Return a reader of one of several words."""

    def read(name: str, value: object) -> str:
        if not isinstance(value, str) or value not in set(words):
            raise OutOfRange(f"{name} must be one of {', '.join(words)}.")
        return words(value).value

    return read


def optional(reader: Reader) -> Reader:
    """Return a reader that also takes ``None``."""
    return lambda name, value: None if value is None else reader(name, value)


def chosen(*, options: object, readers: Mapping[str, Reader], what: str) -> dict[str, Any]:
    """Read options of which each may be left out.

    Raises: ``UnknownKey`` for one that does not exist, ``OutOfRange`` or ``NotANumber`` for a value; each by name.
    """
    if not isinstance(options, Mapping):
        raise OutOfRange(f"{what} must be an object.")
    unknown = sorted(str(name) for name in options if name not in readers)
    if unknown:
        message = f"{what} has no {', '.join(unknown)}; allowed: {', '.join(sorted(readers))}."
        raise UnknownKey(message, option=(unknown[0],))
    values = {}
    for name, value in options.items():
        with option(name):
            values[name] = readers[name](name, value)
    return values


def complete(*, options: object, readers: Mapping[str, Reader], what: str) -> dict[str, Any]:
    """Read options of which none may be left out: a snapshot.

    Raises: like ``chosen``, and ``UnknownKey`` for one that is missing.
    """
    values = chosen(options=options, readers=readers, what=what)
    missing = sorted(set(readers) - set(values))
    if missing:
        raise UnknownKey(f"{what} lacks {', '.join(missing)}.")
    return values


def written(value: object) -> Any:
    """Return a value as JSON can carry it: decimals as text, the rest as it is."""
    return plain(value) if isinstance(value, Decimal) else value


def name_of(text: str) -> str:
    """Return a name as it is kept: what looks alike is one name, whichever program wrote its letters and blanks."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def compared(name: str) -> str:
    """Return a name as two of them are told apart: not by case, nor by the form of letters, nor by what nobody sees."""
    letters = (
        letter for letter in unicodedata.normalize("NFKC", name_of(name)) if unicodedata.category(letter) != "Cf"
    )
    return "".join(letters).casefold()


def refuse_unstorable(value: object, *, name: str) -> None:
    """Refuse what no database stores, anywhere in a value as JSON has it: NUL, half a character, too long a number.

    Raises: ``Invalid``.
    """
    if isinstance(value, str):
        if "\x00" in value:
            raise Invalid(f"{name} must not contain a NUL character.")
        if HALVES.search(value):
            raise Invalid(f"{name} must not contain half a character (a lone surrogate).")
    elif isinstance(value, int | float) and abs(value) >= 10**MOST_DIGITS:
        raise Invalid(f"{name} must not contain a number of more than {MOST_DIGITS} digits.")
    elif isinstance(value, Mapping):
        refuse_unstorable(list(value.items()), name=name)
    elif isinstance(value, list | tuple):
        for part in value:
            refuse_unstorable(part, name=name)
