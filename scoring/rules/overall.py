"""One number for a whole rubric: category means, their weighted mean, and what it recommends.

Source: docs/reference/rules.md#overall
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction

from scoring.errors import OutOfRange
from scoring.rules import numbers
from scoring.types import exact

PLACES = 2
SHARE_PLACES = 6
LEAST_COVERAGE = Fraction(1, 2)
"""The share of all weight from which a score recommends anything."""
STRENGTH_FROM = Decimal(7)
WEAKNESS_UP_TO = Decimal(4)


class Recommendation(StrEnum):
    """What to do with the subject."""

    PURSUE = "pursue"
    REFINE = "refine"
    PAUSE = "pause"
    ABANDON = "abandon"


class Band(StrEnum):
    """How good a score is, in one word."""

    EXCELLENT = "excellent"
    STRONG = "strong"
    PROMISING = "promising"
    UNCERTAIN = "uncertain"
    WEAK = "weak"
    POOR = "poor"


RECOMMENDED_FROM = (
    (Decimal(7), Recommendation.PURSUE),
    (Decimal(5), Recommendation.REFINE),
    (Decimal(4), Recommendation.PAUSE),
)
BAND_FROM = (
    (Decimal(8), Band.EXCELLENT),
    (Decimal(7), Band.STRONG),
    (Decimal(6), Band.PROMISING),
    (Decimal(5), Band.UNCERTAIN),
    (Decimal(4), Band.WEAK),
)


@dataclass(frozen=True, slots=True)
class Category:
    """A category's weight and the scores of those of its criteria that have one."""

    weight: Decimal
    scores: Sequence[Decimal]


@dataclass(frozen=True, slots=True)
class Overall:
    """The overall score, ``None`` where nothing is scored, and the share of all weight that it rests on (0..1).

    Shape: ``recommendation`` is ``None`` as well where that share is below a half.
    """

    score: Decimal | None
    coverage: Decimal
    means: Mapping[str, Decimal | None]
    recommendation: Recommendation | None
    band: Band | None


def overall(*, categories: Mapping[str, Category]) -> Overall:
    """Return the weighted mean of the category means, over the categories that have scores.

    Raises: ``OutOfRange`` for a weight that is not positive.
    """
    weights = {code: _weight(code, category) for code, category in categories.items()}
    means = {code: numbers.mean(category.scores) for code, category in categories.items() if category.scores}
    present = sum((weights[code] for code in means), Fraction(0))
    coverage = present / sum(weights.values()) if means else Fraction(0)
    score = None
    if means:
        weighted = sum((means[code] * weights[code] for code in means), Fraction(0))
        score = numbers.half_up(weighted / present, places=PLACES)
    return Overall(
        score=score,
        coverage=numbers.half_up(coverage, places=SHARE_PLACES),
        means={code: _rounded(means.get(code)) for code in categories},
        recommendation=None if score is None or coverage < LEAST_COVERAGE else recommendation(score=score),
        band=None if score is None else band(score=score),
    )


def recommendation(*, score: Decimal) -> Recommendation:
    """Return what a score recommends; a threshold belongs to the better side."""
    value = exact(score)
    return next((word for low, word in RECOMMENDED_FROM if value >= low), Recommendation.ABANDON)


def band(*, score: Decimal) -> Band:
    """Return the band of a score; a threshold belongs to the better side."""
    value = exact(score)
    return next((word for low, word in BAND_FROM if value >= low), Band.POOR)


def is_strength(*, final: Decimal) -> bool:
    """Say whether a final score is listed among the strengths."""
    return exact(final) >= STRENGTH_FROM


def is_weakness(*, final: Decimal) -> bool:
    """Say whether a final score is listed among the weaknesses."""
    return exact(final) <= WEAKNESS_UP_TO


def survival_rate(*, won: int, verdicts: int) -> Decimal | None:
    """Return the share of all verdicts that the evaluator won, draws not among them; ``None`` without verdicts."""
    return numbers.half_up(Fraction(won, verdicts), places=SHARE_PLACES) if verdicts else None


def mean_confidence(*, confidences: Sequence[Decimal]) -> Decimal | None:
    """Return the mean of the evaluations' own confidences; ``None`` without any."""
    return numbers.half_up(numbers.mean(confidences), places=PLACES) if confidences else None


def _weight(code: str, category: Category) -> Fraction:
    weight = exact(category.weight, name=f"weight of {code}")
    if weight <= 0:
        raise OutOfRange(f"weight of {code} must be above 0; got {weight}.")
    return Fraction(weight)


def _rounded(mean: Fraction | None) -> Decimal | None:
    return None if mean is None else numbers.half_up(mean, places=PLACES)
