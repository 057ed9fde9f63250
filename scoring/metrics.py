"""Figures about what debates and moderators do to scores, for the dashboard, the API and Prometheus. Reads only.

Source: docs/reference/moderation.md, "Figures".
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.db.models import Avg, Count, DecimalField, F, IntegerField, Max, Min, Q, QuerySet, StdDev
from django.db.models.functions import Abs, Cast, Coalesce, Round

from scoring.enums import AlertState, ApprovalState, FactKind, RescoreState
from scoring.models import Alert, Appeal, Approval, Evaluation, Fact, RescoreSet
from scoring.models.appeal import WAITING as APPEALS
from scoring.rules.numbers import half_up
from scoring.rules.warnings import DRAW, EVALUATOR, RED_TEAM
from scoring.types import Instrument, Severity

PLACES = 4
BINS = range(1, 11)
OVERRIDDEN = Q(override_score__isnull=False)
CORRECTED = Abs(F("override_score") - Coalesce(F("computed_score"), F("initial_score")))
"""By how much an override moved a score."""


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


def evaluated() -> QuerySet[Evaluation]:
    return Evaluation.objects.filter(instrument=Instrument.CRITERION.value, final_score__isnull=False)


def impact() -> Impact:
    """Return what debates did to scores, in one query."""
    moved = evaluated().annotate(moved=F("final_score") - F("initial_score"))
    totals = moved.aggregate(
        evaluations=Count("pk"),
        average=Avg("moved"),
        greatest=Max(Abs("moved")),
        deviation=StdDev("moved", output_field=DecimalField()),
        touched=Count("pk", filter=~Q(moved=0)),
        by_one=Count("pk", filter=Q(moved__gte=1) | Q(moved__lte=-1)),
        overrides=Count("pk", filter=OVERRIDDEN),
        corrected=Avg(CORRECTED, filter=OVERRIDDEN),
    )
    number = totals["evaluations"]
    return Impact(
        evaluations=number,
        avg_adjustment=_rounded(totals["average"]),
        max_adjustment=_rounded(totals["greatest"]),
        adjustment_stddev=_rounded(totals["deviation"]),
        impact_ratio=_share(totals["touched"], of=number),
        changed_by_one=_share(totals["by_one"], of=number),
        overrides=totals["overrides"],
        override_rate=_share(totals["overrides"], of=number),
        override_size=_rounded(totals["corrected"]),
    )


def by_instrument() -> list[Scale]:
    """Return the scores on each instrument that has any, in one query."""
    final = Q(final_score__isnull=False)
    rows = (
        Evaluation.objects.values("instrument")
        .annotate(
            scores=Count("pk"),
            evaluated=Count("pk", filter=final),
            avg_initial=Avg("initial_score", filter=final),
            avg_final=Avg("final_score"),
            touched=Count("pk", filter=final & ~Q(final_score=F("initial_score"))),
            overridden=Count("pk", filter=OVERRIDDEN),
            frozen=Count("pk", filter=Q(frozen_at__isnull=False)),
        )
        .order_by()
    )
    own = {row["instrument"]: row for row in rows}
    return [
        Scale(
            instrument=instrument,
            scores=row["scores"],
            evaluated=row["evaluated"],
            avg_initial=_rounded(row["avg_initial"]),
            avg_final=_rounded(row["avg_final"]),
            impact_ratio=_share(row["touched"], of=row["evaluated"]),
            overridden=row["overridden"],
            frozen=row["frozen"],
        )
        for instrument in Instrument
        if (row := own.get(instrument.value))
    ]


def one_sidedness() -> Sides:
    """Return how the verdicts that count now went, in one query."""
    counted = Fact.objects.filter(kind=FactKind.VERDICT.value, evaluation__basis__contains=[F("pk")])
    sides = dict(counted.values_list("parts__winner").annotate(number=Count("pk")).order_by())
    won, lost = sides.get(EVALUATOR, 0), sides.get(RED_TEAM, 0)
    return Sides(won, lost, sides.get(DRAW, 0), share=_share(max(won, lost), of=won + lost))


def distribution() -> list[Bin]:
    """Return how criterion scores are spread before and after, in two queries.

    Shape: ten bins, 1 to 10; a score falls into the one of the whole number it rounds to, half up.
    """
    rows = evaluated()
    before, after = _by_whole(rows, "initial_score"), _by_whole(rows, "final_score")
    return [Bin(score, before.get(score, 0), after.get(score, 0)) for score in BINS]


def _by_whole(rows: QuerySet[Evaluation], column: str) -> dict[int, int]:
    whole = rows.annotate(whole=Cast(Round(column), IntegerField()))
    return dict(whole.values_list("whole").annotate(number=Count("pk")).order_by())


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


def _share(part: int, *, of: int) -> Decimal | None:
    return half_up(Decimal(part) / Decimal(of), places=PLACES) if of else None


def _rounded(value: Decimal | None) -> Decimal | None:
    return None if value is None else half_up(value, places=PLACES)
