"""What is taken for an answer in a criterion debate: assessments, challenges, defences, verdicts. Pure.

What is refused raises ``AnswerRejected``, naming the field: an unknown or repeated challenge, too.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any, TypeVar

from judging.errors import NOWHERE, AnswerPlace, AnswerRejected
from judging.formats.parsing import answer_of, excerpt, not_assessed, number_of, rows_about, rows_of, words_of
from judging.types import NotAssessed, Reply, Severity, Winner
from scoring.rules.criterion import ADJUSTMENT_LIMIT, IMPACT_LIMIT


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


SEVERITY_ORDER = (Severity.CRITICAL, Severity.SIGNIFICANT, Severity.MINOR)


Word = TypeVar("Word", bound=StrEnum)


def assessment(text: str) -> Assessed | NotAssessed:
    """Return an initial assessment, or why the evaluator gives none.

    Units: score 1..10, confidence 0..1, at most 2 places.
    """
    return _assessment(answer_of(text))


def assessments(text: str, *, codes: Collection[str]) -> Mapping[str, Assessed | NotAssessed]:
    """Return what an answer about several criteria holds that can be used: by code, at least one.

    What stands there twice, is not readable or was not asked for is left out: what is missing is asked for alone.

    Raises: ``AnswerRejected`` where nothing can be used, naming what is wrong first.
    """
    rows = rows_of(answer_of(text), "assessments")
    named = Counter(str(row.get("criterion")) for _, row in rows)
    usable: dict[str, Assessed | NotAssessed] = {}
    problems = []
    for at, row in rows:
        try:
            code = _asked_once(row, codes=codes, named=named, at=at)
            usable[code] = _assessment(row, at=at)
        except AnswerRejected as problem:
            problems.append(problem)
    if not usable:
        raise problems[0] if problems else (NOWHERE / "assessments").refused("must not be empty.")
    return usable


def _asked_once(row: Mapping[str, Any], *, codes: Collection[str], named: Mapping[str, int], at: AnswerPlace) -> str:
    code = str(row.get("criterion"))
    if code not in codes or named[code] > 1:
        raise (at / "criterion").refused(f"must be one of {', '.join(codes)}, each once; got {excerpt(code)}.")
    return code


def _assessment(row: Mapping[str, Any], *, at: AnswerPlace = NOWHERE) -> Assessed | NotAssessed:
    return not_assessed(row) or Assessed(
        score=number_of(row, "score", low=Decimal(1), high=Decimal(10), at=at),
        confidence=number_of(row, "confidence", low=Decimal(0), high=Decimal(1), at=at),
        reasoning=words_of(row, "reasoning", at=at),
    )


def challenges(text: str, *, keep: int, personas: Collection[str]) -> tuple[Raised, ...]:
    """Return the challenges worth putting: the most severe first, at most ``keep``; an unknown severity is minor.

    Raises: as ``raised``.
    """
    by_severity = sorted(raised(text, personas=personas), key=lambda row: SEVERITY_ORDER.index(row.severity))
    return tuple(by_severity[:keep])


def raised(text: str, *, personas: Collection[str]) -> tuple[Raised, ...]:
    """Return all challenges of an answer in the order they came in.

    Raises: ``AnswerRejected`` naming the field, and for a persona that is none of those asked for.
    """
    rows = rows_of(answer_of(text), "challenges")
    return tuple(
        Raised(
            persona=_persona(row, personas=personas, at=at),
            severity=_severity(row.get("severity")),
            quote=words_of(row, "quote", at=at, empty=True),
            text=words_of(row, "text", at=at),
        )
        for at, row in rows
    )


def presses(text: str, *, labels: Collection[str]) -> tuple[Pressed, ...]:
    """Return what the red team presses further."""
    rows = _labelled(text, "presses", labels)
    return tuple(Pressed(label=label, text=words_of(row, "text", at=at)) for at, label, row in rows)


def defences(text: str, *, labels: Collection[str]) -> tuple[Defended, ...]:
    """Return the evaluator's answers; a challenge may stay without one."""
    return tuple(
        Defended(label=label, reply=_word(row, "reply", Reply, at=at), text=words_of(row, "text", at=at))
        for at, label, row in _labelled(text, "defences", labels)
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
        for at, label, row in _labelled(text, "verdicts", labels)
    )
    missing = [label for label in labels if label not in {ruling.label for ruling in ruled}]
    if missing:
        problem = f"verdicts: no verdict on challenge {', '.join(missing)}; every exchange needs one."
        raise AnswerRejected(problem, place=NOWHERE / "verdicts")
    return ruled


def _labelled(text: str, name: str, labels: Collection[str]) -> Sequence[tuple[AnswerPlace, str, Mapping[str, Any]]]:
    twice = "has been answered already in this round"
    return list(rows_about(answer_of(text), name, key="challenge", known=labels, twice=twice))


def _persona(row: Mapping[str, Any], *, personas: Collection[str], at: AnswerPlace) -> str:
    """Return who challenges: one of those asked for, because it stands beside the words of others, unfenced."""
    persona = words_of(row, "persona", at=at).lower()
    if persona not in personas:
        raise (at / "persona").refused(f"must be one of {', '.join(personas)}; got {excerpt(persona)}.")
    return persona


def _word(row: Mapping[str, Any], name: str, kind: type[Word], *, at: AnswerPlace) -> Word:
    value = row.get(name)
    try:
        return kind(str(value).strip().lower())
    except ValueError as error:
        raise (at / name).refused(f"must be one of {', '.join(kind)}; got {excerpt(value)}.") from error


def _severity(value: object) -> Severity:
    known = {severity.value: severity for severity in Severity}
    return known.get(value.strip().lower() if isinstance(value, str) else "", Severity.MINOR)
