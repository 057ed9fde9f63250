"""What is taken for a judge's answer, and what is refused. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any, TypeVar

from debates.errors import DomainError
from debates.rules import unique_keys
from judging.errors import AnswerRejected
from judging.types import Reply, Severity, Winner
from scoring.rules.criterion import ADJUSTMENT_LIMIT, IMPACT_LIMIT
from scoring.rules.numbers import decimal_of

# What providers answer, once it has been read and found usable.


@dataclass(frozen=True, slots=True)
class Assessed:
    score: Decimal
    confidence: Decimal
    reasoning: str


@dataclass(frozen=True, slots=True)
class Raised:
    """A challenge as the red team gave it."""

    persona: str
    severity: Severity
    quote: str
    text: str


@dataclass(frozen=True, slots=True)
class Pressed:
    label: str
    text: str


@dataclass(frozen=True, slots=True)
class Defended:
    label: str
    reply: Reply
    text: str


@dataclass(frozen=True, slots=True)
class Ruled:
    """A verdict as the arbiter gave it."""

    label: str
    winner: Winner
    adjustment: Decimal
    impact: Decimal
    confidence: Decimal
    reasoning: str


@dataclass(frozen=True, slots=True)
class Concluded:
    summary: str
    strengths: tuple[str, ...]
    weaknesses: tuple[str, ...]
    advice: tuple[str, ...]


# Reading what providers answer. The parser decides what is an answer, never the prompt. Pure.


LONGEST_TEXT = 8_000
SURROGATE = re.compile("[\ud800-\udfff]")
LONGEST_ANSWER = 400_000
EXCERPT = 40
SEVERITY_ORDER = (Severity.CRITICAL, Severity.SIGNIFICANT, Severity.MINOR)
Word = TypeVar("Word", bound=StrEnum)


class Written(str):
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
    try:
        found = READER.decode(text) if text.lstrip()[:1] in {"{", ""} else _within(text)
    except (ValueError, RecursionError) as error:
        raise AnswerRejected(f"The answer is not JSON: {str(error)[:200]}.") from error
    if SURROGATE.search(json.dumps(found, ensure_ascii=False)):
        raise AnswerRejected("The answer holds half a character; it is not valid text.")
    if not isinstance(found, dict):
        raise AnswerRejected(f"The answer must be a JSON object; got {type(found).__name__}.")
    return found


def _refuse(constant: str) -> Any:
    raise AnswerRejected(f"The answer holds {constant}, which is not a number.")


READER = json.JSONDecoder(object_pairs_hook=unique_keys, parse_float=Written, parse_int=Written, parse_constant=_refuse)


def _within(text: str) -> Any:
    """Return the one object that an answer holds among words, or else whatever JSON the answer is."""
    begun = text.find("{")
    if begun < 0 or text.lstrip()[:1] in '["':
        return READER.decode(text)
    found, end = READER.raw_decode(text, begun)
    if "{" in text[end:]:
        raise AnswerRejected("The answer holds more than one JSON object among its words; it must be one.")
    return found


def assessment(text: str) -> Assessed:
    """Return an initial assessment.

    Units: score 1..10, confidence 0..1, at most 2 places.
    Raises: ``AnswerRejected`` naming the field.
    """
    given = answer_of(text)
    return Assessed(
        score=number_of(given, "score", low=Decimal(1), high=Decimal(10)),
        confidence=number_of(given, "confidence", low=Decimal(0), high=Decimal(1)),
        reasoning=words_of(given, "reasoning"),
    )


def challenges(text: str, *, keep: int, personas: Collection[str]) -> tuple[Raised, ...]:
    """Return the challenges worth putting: the most severe first, at most ``keep``; an unknown severity is minor.

    Raises: ``AnswerRejected`` naming the field, and for a persona that is none of those asked for.
    """
    rows = rows_of(answer_of(text), "challenges")
    raised = [
        Raised(
            persona=_persona(row, personas=personas, at=at),
            severity=_severity(row.get("severity")),
            quote=words_of(row, "quote", at=at, empty=True),
            text=words_of(row, "text", at=at),
        )
        for at, row in rows
    ]
    return tuple(sorted(raised, key=lambda one: SEVERITY_ORDER.index(one.severity))[:keep])


def presses(text: str, *, labels: Collection[str]) -> tuple[Pressed, ...]:
    """Return what the red team presses further.

    Raises: ``AnswerRejected`` for an unknown or repeated challenge, or naming the field.
    """
    rows = _labelled(answer_of(text), "presses", labels=labels)
    return tuple(Pressed(label=label, text=words_of(row, "text", at=at)) for at, label, row in rows)


def defences(text: str, *, labels: Collection[str]) -> tuple[Defended, ...]:
    """Return the evaluator's answers; a challenge may stay without one.

    Raises: ``AnswerRejected`` for an unknown or repeated challenge, or naming the field.
    """
    return tuple(
        Defended(label=label, reply=_word(row, "reply", Reply, at=at), text=words_of(row, "text", at=at))
        for at, label, row in _labelled(answer_of(text), "defences", labels=labels)
    )


def verdicts(text: str, *, labels: Collection[str]) -> tuple[Ruled, ...]:
    """Return the arbiter's verdicts, one for every exchange it was shown.

    Units: adjustment -3..3, impact -0.3..0.3, confidence 0..1 (absent means 1), at most 2 places.
    Raises: ``AnswerRejected`` for an unknown, repeated or missing challenge, or naming the field and what is allowed.
    Source: docs/reference/rules.md, "Verdicts".
    """
    ruled = tuple(
        Ruled(
            label=label,
            winner=_word(row, "winner", Winner, at=at),
            adjustment=number_of(row, "adjustment", low=-ADJUSTMENT_LIMIT, high=ADJUSTMENT_LIMIT, at=at),
            impact=number_of(row, "impact", low=-IMPACT_LIMIT, high=IMPACT_LIMIT, at=at),
            confidence=number_of({"confidence": "1", **row}, "confidence", low=Decimal(0), high=Decimal(1), at=at),
            reasoning=words_of(row, "reasoning", at=at),
        )
        for at, label, row in _labelled(answer_of(text), "verdicts", labels=labels)
    )
    missing = [label for label in labels if label not in {one.label for one in ruled}]
    if missing:
        raise AnswerRejected(f"verdicts: no verdict on challenge {', '.join(missing)}; every exchange needs one.")
    return ruled


def synthesis(text: str) -> Concluded:
    """Return the closing summary.

    Raises: ``AnswerRejected`` naming the field.
    """
    given = answer_of(text)
    return Concluded(
        summary=words_of(given, "summary"),
        strengths=texts_of(given, "strengths"),
        weaknesses=texts_of(given, "weaknesses"),
        advice=texts_of(given, "advice"),
    )


def excerpt(value: object) -> str:
    """Return the beginning of what somebody else wrote, short enough to be told about and too short to carry much."""
    return repr(str(value)[:EXCERPT])


# -- fields ----------------------------------------------------------------------------------------------------------


def rows_of(given: Mapping[str, Any], name: str) -> list[tuple[str, Mapping[str, Any]]]:
    """Return the objects of a list, each with its place in words.

    Raises: ``AnswerRejected`` naming the field.
    """
    rows = given.get(name)
    if not isinstance(rows, list):
        raise AnswerRejected(f"{name} must be a list; got {kind_of(rows)}.")
    for number, row in enumerate(rows, start=1):
        if not isinstance(row, dict):
            raise AnswerRejected(f"{name}, {number}: must be an object; got {kind_of(row)}.")
    return [(f"{name}, {number}", row) for number, row in enumerate(rows, start=1)]


def _labelled(
    given: Mapping[str, Any], name: str, *, labels: Collection[str]
) -> Sequence[tuple[str, str, Mapping[str, Any]]]:
    found, seen = [], set()
    for at, row in rows_of(given, name):
        label = row.get("challenge")
        if label not in labels:
            raise AnswerRejected(f"{at}: challenge must be one of {', '.join(labels)}; got {excerpt(label)}.")
        if label in seen:
            raise AnswerRejected(f"{at}: challenge {label} has been answered already in this round.")
        seen.add(label)
        found.append((at, str(label), row))
    return found


def number_of(row: Mapping[str, Any], name: str, *, low: Decimal, high: Decimal, at: str = "") -> Decimal:
    """Return a number inside its limits, exact.

    Raises: ``AnswerRejected`` naming the field.
    """
    place = f"{at}: {name}" if at else name
    try:
        return decimal_of(row.get(name), name=place, low=low, high=high, places=2)
    except DomainError as error:
        raise AnswerRejected(error.message) from error


def words_of(row: Mapping[str, Any], name: str, *, at: str = "", empty: bool = False) -> str:
    """Return a text without white space around it, cut at its longest.

    Raises: ``AnswerRejected`` naming the field.
    """
    place = f"{at}: {name}" if at else name
    value = row.get(name, "" if empty else None)
    if not isinstance(value, str) or isinstance(value, Written):
        raise AnswerRejected(f"{place} must be text; got {kind_of(value)}.")
    clean = value.replace("\x00", "").strip()
    if not clean and not empty:
        raise AnswerRejected(f"{place} must not be empty.")
    return clean[:LONGEST_TEXT]


def _persona(row: Mapping[str, Any], *, personas: Collection[str], at: str) -> str:
    """Return who challenges: one of those asked for, because it stands beside the words of others, unfenced."""
    persona = words_of(row, "persona", at=at).lower()
    if persona not in personas:
        raise AnswerRejected(f"{at}: persona must be one of {', '.join(personas)}; got {excerpt(persona)}.")
    return persona


def _word(row: Mapping[str, Any], name: str, kind: type[Word], *, at: str) -> Word:
    value = row.get(name)
    try:
        return kind(str(value).strip().lower())
    except ValueError as error:
        raise AnswerRejected(f"{at}: {name} must be one of {', '.join(kind)}; got {excerpt(value)}.") from error


def _severity(value: object) -> Severity:
    known = {severity.value: severity for severity in Severity}
    return known.get(value.strip().lower() if isinstance(value, str) else "", Severity.MINOR)


def texts_of(given: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """Return a list of texts; an absent one is empty.

    Raises: ``AnswerRejected`` naming the field.
    """
    value = given.get(name, [])
    if not isinstance(value, list) or not all(type(one) is str for one in value):
        raise AnswerRejected(f"{name} must be a list of texts.")
    return tuple(one.replace("\x00", "").strip()[:LONGEST_TEXT] for one in value)


def kind_of(value: object) -> str:
    """Say what something is instead of what it should be."""
    return "nothing" if value is None else "a number" if isinstance(value, Written) else type(value).__name__
