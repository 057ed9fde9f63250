"""Value types of the rules of scoring. No Django, no I/O."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from decimal import Decimal
from enum import StrEnum
from typing import Self

from debates.decimals import plain
from scoring.errors import NotANumber, NotExact, OutOfRange, UnknownKey

DECIMAL_TEXT = re.compile(r"[+-]?(?:[0-9]{1,20}(?:\.[0-9]{1,20})?|\.[0-9]{1,20})")
"""How a decimal is written: ASCII digits and at most one point. No exponent, no underscore, no blank."""


def exact(value: object, *, name: str = "value") -> Decimal:
    """Return a number that may take part in a score: a finite ``Decimal``, or an ``int`` as one.

    Raises: ``NotExact`` (a ``TypeError``) for everything else, ``NotANumber`` for NaN and infinity.
    """
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise NotANumber(f"{name} must be a finite number; got {value}.")
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return Decimal(value)
    raise NotExact(f"{name} must be a Decimal, not {type(value).__name__}.")


class Instrument(StrEnum):
    """The scale of an evaluation."""

    CRITERION = "criterion"
    ADHERENCE = "adherence"
    PANEL = "panel"
    STANDING = "standing"


class Severity(StrEnum):
    """How soon a moderator should look at an alert."""

    INFO = "info"
    WARNING = "warning"
    CRITICAL = "critical"


class AlertCode(StrEnum):
    """Everything that raises an alert."""

    EXTREME_VERDICT = "extreme_verdict"
    EXTREME_NET = "extreme_net"
    NET_CAPPED = "net_capped"
    LARGE_CHANGE = "large_change"
    CONTRADICTION = "contradiction"
    ONE_SIDED = "one_sided"
    UNIFORM_EXTREME = "uniform_extreme"
    NO_EFFECT = "no_effect"
    WINNER_SIGN_MISMATCH = "winner_sign_mismatch"
    INJECTION_SUSPECTED = "injection_suspected"
    JUDGE_FAILED = "judge_failed"
    NOT_ASSESSED = "not_assessed"


SEVERITIES: Mapping[AlertCode, Severity] = {
    AlertCode.EXTREME_VERDICT: Severity.WARNING,
    AlertCode.EXTREME_NET: Severity.WARNING,
    AlertCode.NET_CAPPED: Severity.INFO,
    AlertCode.LARGE_CHANGE: Severity.WARNING,
    AlertCode.CONTRADICTION: Severity.WARNING,
    AlertCode.ONE_SIDED: Severity.WARNING,
    AlertCode.UNIFORM_EXTREME: Severity.CRITICAL,
    AlertCode.NO_EFFECT: Severity.INFO,
    AlertCode.WINNER_SIGN_MISMATCH: Severity.WARNING,
    AlertCode.INJECTION_SUSPECTED: Severity.CRITICAL,
    AlertCode.JUDGE_FAILED: Severity.CRITICAL,
    AlertCode.NOT_ASSESSED: Severity.WARNING,
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One warning that a rule found, and the numbers it rests on, as text."""

    code: AlertCode
    evidence: Mapping[str, str]

    @property
    def severity(self) -> Severity:
        return SEVERITIES[self.code]


@dataclass(frozen=True, slots=True)
class VerdictFact:
    """What the score reads of one verdict: its adjustment, what it does to confidence, and how sure the arbiter was."""

    adjustment: Decimal
    impact: Decimal = Decimal(0)
    weight: Decimal = Decimal(1)

    def __post_init__(self) -> None:
        for field in fields(self):
            object.__setattr__(self, field.name, exact(getattr(self, field.name), name=field.name))


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameters:
    """Every parameter of the computed score. A debate keeps them as a snapshot, so that f stays what it was.

    Adherence and panel take the mean and a standing its own total: they have no parameters.

    Units: caps in points of the score and of confidence.
    Raises: ``OutOfRange`` naming the field.
    Source: docs/reference/rules.md#parameters
    """

    adjustment_cap: Decimal = Decimal(5)
    confidence_cap: Decimal = Decimal("0.5")
    score_low: Decimal = Decimal(1)
    score_high: Decimal = Decimal(10)
    weight_by_confidence: bool = False

    def __post_init__(self) -> None:
        for name, (low, high) in PARAMETER_LIMITS.items():
            value = exact(getattr(self, name), name=name)
            if not low <= value <= high or value != round(value, 2):
                allowed = f"from {plain(low)} to {plain(high)} with at most 2 places"
                raise OutOfRange(f"{name} must be a number {allowed}; got {str(value)[:40]}.")
            object.__setattr__(self, name, value)
        if self.score_low >= self.score_high:
            raise OutOfRange("score_low must be below score_high.")
        if not isinstance(self.weight_by_confidence, bool):
            raise OutOfRange("weight_by_confidence must be true or false.")

    @classmethod
    def from_snapshot(cls, mapping: Mapping[str, object]) -> Self:
        """Read what ``snapshot`` wrote: every key, and no other.

        Raises: ``UnknownKey``, ``NotANumber``, ``NotExact``, ``OutOfRange``.
        """
        missing = [field.name for field in fields(cls) if field.name not in mapping]
        if missing:
            raise UnknownKey(f"The parameters of the score lack {', '.join(missing)}.")
        return cls._of(mapping, allowed={field.name for field in fields(cls)})

    @classmethod
    def from_options(cls, mapping: Mapping[str, object]) -> Self:
        """Return the defaults with the options that somebody chose for a new debate.

        Shape: any of adjustment_cap, confidence_cap, weight_by_confidence. The scale itself is no option.
        Raises: ``UnknownKey``, ``NotANumber``, ``NotExact``, ``OutOfRange``.
        """
        return cls._of(mapping, allowed={"adjustment_cap", "confidence_cap", "weight_by_confidence"})

    @classmethod
    def _of(cls, mapping: Mapping[str, object], *, allowed: set[str]) -> Self:
        unknown = sorted(set(mapping) - allowed)
        if unknown:
            raise UnknownKey(f"The score has no parameter {', '.join(unknown)}; allowed: {', '.join(sorted(allowed))}.")
        parameters: dict[str, object] = {
            name: _read(name, value) if name in PARAMETER_LIMITS else value for name, value in mapping.items()
        }
        return cls(**parameters)  # type: ignore[arg-type]  # __post_init__ refuses what does not fit

    def snapshot(self) -> dict[str, str | bool]:
        numbers: dict[str, str | bool] = {name: plain(getattr(self, name)) for name in PARAMETER_LIMITS}
        return {**numbers, "weight_by_confidence": self.weight_by_confidence}


PARAMETER_LIMITS: Mapping[str, tuple[Decimal, Decimal]] = {
    "adjustment_cap": (Decimal("0.01"), Decimal(9)),
    "confidence_cap": (Decimal("0.01"), Decimal(1)),
    "score_low": (Decimal(1), Decimal(10)),
    "score_high": (Decimal(1), Decimal(10)),
}


def _read(name: str, value: object) -> Decimal:
    if isinstance(value, str):
        if not DECIMAL_TEXT.fullmatch(value):
            raise NotANumber(f"{name} must be a plain decimal number; got {value[:40]!r}.")
        return Decimal(value)
    return exact(value, name=name)
