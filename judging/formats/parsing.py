"""What is taken for a judge's answer; what is refused raises ``AnswerRejected``, naming the field. Pure."""

import json
import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from types import MappingProxyType
from typing import Any

from debates.errors import DomainError
from debates.rules import is_visible, unique_keys
from judging.errors import NOWHERE, AnswerPlace, AnswerRejected
from judging.types import NotAssessed, Unable
from scoring.rules.numbers import decimal_of


@dataclass(frozen=True, slots=True)
class Concluded:
    summary: str
    strengths: tuple[str, ...]
    weaknesses: tuple[str, ...]
    advice: tuple[str, ...]


LONGEST_TEXT = 8_000
SURROGATE = re.compile("[\ud800-\udfff]")
LONGEST_ANSWER = 400_000
EXCERPT = 40


class WrittenNumber(str):
    """A number as it was written in JSON: exact, and not to be mistaken for words."""

    __slots__ = ()


def answer_of(text: str) -> Mapping[str, Any]:
    """Return the JSON object that an answer is.

    Shape: numbers are kept as they were written, so that they stay exact. Words around the one object are left aside.
    Raises: ``AnswerRejected`` for anything else, for a key that stands twice in an object, for NaN and Infinity, for
    halves of characters, which no database stores, and for an answer that is too long or too deep.
    """
    if len(text) > LONGEST_ANSWER:
        raise AnswerRejected(f"The answer has {len(text)} characters; at most {LONGEST_ANSWER} are read.")
    if not text.strip():
        raise AnswerRejected("The answer is empty.")
    try:
        answer = _within(text)
        written = json.dumps(answer, ensure_ascii=False)
    except (ValueError, RecursionError) as error:
        raise AnswerRejected(f"The answer is not JSON: {str(error)[:200]}.") from error
    if SURROGATE.search(written):
        raise AnswerRejected("The answer holds half a character; it is not valid text.")
    if not isinstance(answer, dict):
        raise AnswerRejected(f"The answer must be a JSON object; got {type(answer).__name__}.")
    return answer


def _refuse(constant: str) -> Any:
    raise AnswerRejected(f"The answer holds {constant}, which is not a number.")


READER = json.JSONDecoder(
    object_pairs_hook=unique_keys, parse_float=WrittenNumber, parse_int=WrittenNumber, parse_constant=_refuse
)


def _within(text: str) -> Any:
    """Return the one object that an answer holds among words, or else whatever JSON the answer is."""
    begun = text.find("{")
    if text.lstrip()[0] in '["':
        with suppress(ValueError):
            return READER.decode(text)
    if begun < 0:
        raise AnswerRejected(f"The answer holds no JSON object; it begins {excerpt(text.strip())}.")
    answer, end = READER.raw_decode(text, begun)
    if "{" in text[end:]:
        raise AnswerRejected("The answer holds more than one JSON object among its words; it must be one.")
    return answer


def refuse_cut_or_invisible(answer: Mapping[str, Any], *, most: Mapping[str, int] = MappingProxyType({})) -> None:
    """Refuse what a person or a program answers if any of it would be cut, or nobody could see it: they can say it
    otherwise, and are not asked again.

    Shape: ``most`` says how many a list of a name may hold.
    Raises: ``AnswerRejected``, naming the place.
    """
    left: list[tuple[AnswerPlace, str, object]] = [(NOWHERE, "", answer)]
    while left:
        at, name, value = left.pop()
        if isinstance(value, str) and len(_clean(value)) > LONGEST_TEXT:
            raise at.refused(f"has {len(_clean(value))} characters; at most {LONGEST_TEXT} are kept.")
        if isinstance(value, str) and _clean(value) and not is_visible(value):
            raise at.refused("must have a character that can be seen.")
        if isinstance(value, list | tuple) and len(value) > most.get(name, len(value)):
            raise at.refused(f"are {len(value)}; at most {most[name]} are kept.")
        if isinstance(value, list | tuple):
            left += [(at / number, name, row) for number, row in enumerate(value)]
        elif isinstance(value, dict):
            left += [(at / key, key, row) for key, row in value.items()]


def synthesis(text: str) -> Concluded:
    answer = answer_of(text)
    return Concluded(
        summary=words_of(answer, "summary"),
        strengths=texts_of(answer, "strengths"),
        weaknesses=texts_of(answer, "weaknesses"),
        advice=texts_of(answer, "advice"),
    )


def not_assessed(answer: Mapping[str, Any]) -> NotAssessed | None:
    """Return why a judge has judged nothing, if that is its answer.

    Shape: ``not_assessed`` of an answer, with ``reason`` (a code) and ``why`` (a sentence).
    """
    if "not_assessed" not in answer:
        return None
    row, at = answer["not_assessed"], NOWHERE / "not_assessed"
    if not isinstance(row, dict):
        raise at.refused(f"must be an object; got {kind_of(row)}.")
    code = row.get("reason")
    if not isinstance(code, str) or code not in set(Unable):
        raise (at / "reason").refused(f"must be one of {', '.join(Unable)}; got {excerpt(code)}.")
    return NotAssessed(Unable(code), words_of(row, "why", at=at))


def excerpt(value: object) -> str:
    """Return the beginning of what somebody else wrote, short enough to be told about and too short to carry much."""
    return repr(str(value)[:EXCERPT])


# -- fields ----------------------------------------------------------------------------------------------------------


def rows_of(answer: Mapping[str, Any], name: str) -> list[tuple[AnswerPlace, Mapping[str, Any]]]:
    """Return the objects of a list, each with its place."""
    rows, place = answer.get(name), NOWHERE / name
    if not isinstance(rows, list):
        raise place.refused(f"must be a list; got {kind_of(rows)}.")
    for number, row in enumerate(rows):
        if not isinstance(row, dict):
            raise AnswerRejected(f"{place / number}: must be an object; got {kind_of(row)}.", place=place / number)
    return [(place / number, row) for number, row in enumerate(rows)]


def rows_about(
    answer: Mapping[str, Any], name: str, *, key: str, known: Collection[str], twice: str
) -> Iterator[tuple[AnswerPlace, str, Mapping[str, Any]]]:
    """Yield the objects of a list, each with its place and with which of ``known`` it is about, as its ``key`` says.

    Shape: ``twice`` is what is said of one that another was about before.
    """
    seen: set[str] = set()
    for at, row in rows_of(answer, name):
        named, place = row.get(key), at / key
        if not isinstance(named, str) or named not in known:
            raise place.refused(f"must be one of {', '.join(known)}; got {excerpt(named)}.")
        if named in seen:
            raise place.refused(f"{named} {twice}.")
        seen.add(named)
        yield at, str(named), row


def number_of(row: Mapping[str, Any], name: str, *, low: Decimal, high: Decimal, at: AnswerPlace = NOWHERE) -> Decimal:
    """Return a number inside its limits, exact."""
    place = at / name
    try:
        return decimal_of(row.get(name), name=str(place), low=low, high=high, places=2)
    except DomainError as error:
        raise AnswerRejected(error.message, place=place) from error


def words_of(row: Mapping[str, Any], name: str, *, at: AnswerPlace = NOWHERE, empty: bool = False) -> str:
    """Return a text without white space around it, cut at its longest."""
    place = at / name
    value = row.get(name, "" if empty else None)
    if not isinstance(value, str) or isinstance(value, WrittenNumber):
        raise place.refused(f"must be text; got {kind_of(value)}.")
    clean = _clean(value)
    if not clean and not empty:
        raise place.refused("must not be empty.")
    return clean[:LONGEST_TEXT]


def texts_of(row: Mapping[str, Any], name: str, *, at: AnswerPlace = NOWHERE) -> tuple[str, ...]:
    """Return a list of texts; an absent one is empty."""
    value = row.get(name, [])
    if not isinstance(value, list) or not all(type(part) is str for part in value):
        raise (at / name).refused("must be a list of texts.")
    return tuple(_clean(part)[:LONGEST_TEXT] for part in value)


def _clean(text: str) -> str:
    return text.replace("\x00", "").strip()


def kind_of(value: object) -> str:
    """Say what something is instead of what it should be."""
    return "nothing" if value is None else "a number" if isinstance(value, WrittenNumber) else type(value).__name__
