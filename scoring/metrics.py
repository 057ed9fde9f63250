"""Figures about what debates and moderators do to scores, for the dashboard, the API and Prometheus. Reads only.

Source: docs/reference/moderation.md, "Figures".
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django.core.cache import cache
from django.db.models import Case, Count, F, IntegerField, Max, Min, Q, QuerySet, Sum, When
from django.db.models.functions import Abs, Cast, Coalesce

from scoring.enums import AlertState, ApprovalState, FactKind, RescoreState
from scoring.models import Alert, Appeal, Approval, Evaluation, Fact, RescoreSet
from scoring.models.appeal import WAITING as APPEALS
from scoring.rules.numbers import half_up
from scoring.rules.warnings import DRAW, EVALUATOR, RED_TEAM
from scoring.types import Instrument, Severity

PLACES = 4
BINS = range(1, 11)
KEPT_SECONDS = 60
"""For so long figures are kept for which everything is read that was ever judged."""
Sums = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Impact:
    """What debates did to criterion scores that have a final value.

    Units: adjustments are final minus initial, in points; shares are 0..1; ``None`` where there is nothing to average.
    ``adjustment_stddev`` is that of the population: these are all the scores, not a sample of them. ``max_adjustment``
    and ``override_size`` are sizes, without a sign; the size of an override is its distance from the computed score.
    """

    evaluations: int
    avg_adjustment: Decimal | None
    max_adjustment: Decimal | None
    adjustment_stddev: Decimal | None
    impact_ratio: Decimal | None
    changed_by_one: Decimal | None
    overrides: int
    override_rate: Decimal | None
    override_size: Decimal | None


@dataclass(frozen=True, slots=True)
class Sides:
    """How the counted verdicts went; ``share`` is that of the side that won more often, of all that are no draws."""

    evaluator: int
    red_team: int
    draws: int
    share: Decimal | None


@dataclass(frozen=True, slots=True)
class Scale:
    """The scores on one instrument: how many, how many of them have a final value, and what became of those.

    Units: means in points of that scale; shares are 0..1; ``None`` where there is nothing to average.
    """

    instrument: Instrument
    scores: int
    evaluated: int
    avg_initial: Decimal | None
    avg_final: Decimal | None
    impact_ratio: Decimal | None
    overridden: int
    frozen: int


@dataclass(frozen=True, slots=True)
class Waiting:
    """How much of one sort waits for a person, and for how long the oldest has."""

    what: str
    count: int
    oldest: datetime | None
    age: timedelta | None


@dataclass(frozen=True, slots=True)
class Bin:
    """How many scores round to one whole number, before and after."""

    score: int
    before: int
    after: int


def score_sums() -> Sums:
    """Return what all figures about scores are made of, in one query that reads each score once.

    Shape: a row for each instrument with a final value and without one; of criteria, which alone have a distribution,
    for each pair of whole numbers, half up, that scores round to before and after. Elsewhere both are ``None``.
    """
    moved, computed = F("final_score") - F("initial_score"), Coalesce(F("computed_score"), F("initial_score"))
    of_criteria = {
        side: Case(When(instrument=Instrument.CRITERION.value, then=Cast(score, IntegerField())))
        for side, score in (("before", "initial_score"), ("after", "final_score"))
    }
    return list(
        Evaluation.objects.order_by()
        .values("instrument", is_final=Q(final_score__isnull=False), **of_criteria)
        .alias(size=Abs(moved))
        .annotate(
            scores=Count("*"),
            initial=Sum("initial_score"),
            final=Sum("final_score"),
            squares=Sum(moved * moved),
            greatest=Max("size"),
            touched=Count("pk", filter=~Q(final_score=F("initial_score"))),
            by_one=Count("pk", filter=Q(size__gte=1)),
            overrides=Count("override_score"),
            corrected=Sum(Abs(F("override_score") - computed)),
            frozen=Count("frozen_at"),
        )
    )


def impact(sums: Sums) -> Impact:
    """Return what debates did to scores."""
    own = _final(sums, Instrument.CRITERION)
    number, overrides = _total(own, "scores"), _total(own, "overrides")
    return Impact(
        evaluations=number,
        avg_adjustment=_ratio(_moved(own), of=number),
        max_adjustment=max((half_up(row["greatest"], places=PLACES) for row in own), default=None),
        adjustment_stddev=_deviation(own, of=number),
        impact_ratio=_ratio(_total(own, "touched"), of=number),
        changed_by_one=_ratio(_total(own, "by_one"), of=number),
        overrides=overrides,
        override_rate=_ratio(overrides, of=number),
        override_size=_ratio(_total(own, "corrected"), of=overrides),
    )


def by_instrument(sums: Sums) -> list[Scale]:
    """Return the scores on each instrument that has any."""
    rows = {instrument: [row for row in sums if row["instrument"] == instrument.value] for instrument in Instrument}
    return [_scale(instrument, own, _final(own, instrument)) for instrument, own in rows.items() if own]


def _scale(instrument: Instrument, own: Sums, final: Sums) -> Scale:
    number = _total(final, "scores")
    return Scale(
        instrument=instrument,
        scores=_total(own, "scores"),
        evaluated=number,
        avg_initial=_ratio(_total(final, "initial"), of=number),
        avg_final=_ratio(_total(final, "final"), of=number),
        impact_ratio=_ratio(_total(final, "touched"), of=number),
        overridden=_total(own, "overrides"),
        frozen=_total(own, "frozen"),
    )


def distribution(sums: Sums) -> list[Bin]:
    """Return how criterion scores are spread before and after.

    Shape: ten bins, 1 to 10; a score falls into the one of the whole number it rounds to, half up.
    """
    own = _final(sums, Instrument.CRITERION)
    return [Bin(score, before=_at(own, "before", score), after=_at(own, "after", score)) for score in BINS]


def _final(sums: Sums, instrument: Instrument) -> Sums:
    return [row for row in sums if row["instrument"] == instrument.value and row["is_final"]]


def _at(sums: Sums, side: str, whole: int) -> int:
    return sum(row["scores"] for row in sums if row[side] == whole)


def _total(sums: Sums, name: str) -> Any:
    return sum(row[name] or 0 for row in sums)


def _moved(sums: Sums) -> Any:
    return _total(sums, "final") - _total(sums, "initial")


def _deviation(sums: Sums, *, of: int) -> Decimal | None:
    if not of:
        return None
    variance = Fraction(_total(sums, "squares")) / of - (Fraction(_moved(sums)) / of) ** 2
    return half_up((Decimal(variance.numerator) / variance.denominator).sqrt(), places=PLACES)


def one_sidedness() -> Sides:
    """Return how the verdicts that count now went, in one query."""
    counted = Fact.objects.filter(kind=FactKind.VERDICT.value, evaluation__basis__contains=[F("pk")])
    sides = dict(counted.values_list("parts__winner").annotate(number=Count("pk")).order_by())
    won, lost = sides.get(EVALUATOR, 0), sides.get(RED_TEAM, 0)
    return Sides(won, lost, sides.get(DRAW, 0), share=_ratio(max(won, lost), of=won + lost))


KEPT_AS = ":".join(("sides_lately", *Sides.__slots__))


def sides_lately() -> Sides:
    """Return how the counted verdicts went as it was at most a minute ago, however many ask, in whichever process."""
    sides: Sides | None = cache.get(KEPT_AS)
    if sides is None:
        sides = one_sidedness()
        cache.set(KEPT_AS, sides, KEPT_SECONDS)
    return sides


def open_alerts(*, now: datetime) -> list[Waiting]:
    """Return how many alerts wait, by severity, the gravest first, and how long the oldest of each has."""
    rows = Alert.objects.filter(state=AlertState.OPEN.value).values_list("severity")
    # COUNT(*), not of the key, which the index of open alerts has not got: all of their rows would be read.
    totals = {severity: rest for severity, *rest in rows.annotate(number=Count("*"), oldest=Min("at")).order_by()}
    order: Sequence[Severity] = (Severity.CRITICAL, Severity.WARNING, Severity.INFO)
    return [waiting(what=severity.value, number_and_oldest=totals.get(severity.value), now=now) for severity in order]


def waiting_approvals(*, now: datetime) -> list[Waiting]:
    """Return how many overrides wait for a second person, and how long the oldest has."""
    return [_queue("approvals", Approval.objects.filter(state=ApprovalState.WAITING.value), "requested_at", now=now)]


def waiting_appeals(*, now: datetime) -> list[Waiting]:
    return [_queue("appeals", Appeal.objects.filter(APPEALS), "filed_at", now=now)]


def staged_sets(*, now: datetime) -> list[Waiting]:
    return [_queue("rescore_sets", RescoreSet.objects.filter(state=RescoreState.STAGED.value), "staged_at", now=now)]


def _queue(what: str, rows: QuerySet[Any], since: str, *, now: datetime) -> Waiting:
    totals = rows.aggregate(number=Count("pk"), oldest=Min(since))
    return waiting(what=what, number_and_oldest=[totals["number"], totals["oldest"]], now=now)


def waiting(*, what: str, number_and_oldest: Sequence[object] | None, now: datetime) -> Waiting:
    number, oldest = number_and_oldest or (0, None)
    assert isinstance(number, int)  # noqa: S101 -- it is a COUNT
    since = oldest if isinstance(oldest, datetime) else None
    return Waiting(what, number, since, age=None if since is None else now - since)


def _ratio(total: Decimal | int, *, of: int) -> Decimal | None:
    return half_up(Fraction(total) / of, places=PLACES) if of else None
