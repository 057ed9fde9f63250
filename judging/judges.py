"""How judges of panels do: whether they can be read, how they lean, how often they move, what they cost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django.db.models import Count, F, Q, QuerySet, Sum

from debates.models import Participant
from debates.types import Role
from judging.models import Call, JudgeReport, JudgeScore
from judging.rules.agreement import leaning
from judging.rules.agreement.leaning import Leaning
from judging.rules.agreement.units import PLACES
from judging.types import Purpose
from scoring.rules import numbers

PURPOSES = (Purpose.ANALYSE.value, Purpose.ARGUE.value)


@dataclass(frozen=True, slots=True)
class Judge:
    """Who judges: a provider with a model; an offline judge also by how it reads."""

    provider: str
    model: str
    strategy: str = ""


@dataclass(frozen=True, slots=True)
class Health:
    """How one judge did.

    Units: ``leniency`` and ``deviation`` in points against the other judges of the same panels, ``None`` where nobody
    else could be read; ``unreadable`` is out of ``reports``, ``moved`` and ``refused`` out of ``scores``, ``flipped``
    out of the ``swapped``, which were judged in both orders; ``missing`` counts quotes that the subject does not say;
    ``cost`` as in the price table.
    """

    reports: int
    unreadable: int
    scores: int
    moved: int
    refused: int
    swapped: int
    flipped: int
    missing: int
    leniency: Decimal | None
    deviation: Decimal | None
    calls: int
    cost: Decimal

    @property
    def unreadable_rate(self) -> Decimal | None:
        """Return the share of reports that could not be read, 0 to 1; ``None`` where there are none."""
        return Decimal(self.unreadable) / self.reports if self.reports else None

    @property
    def flip_rate(self) -> Decimal | None:
        """Return the share of flipped scores of those judged in both orders, 0 to 1; ``None`` where there are none."""
        return Decimal(self.flipped) / self.swapped if self.swapped else None


def health(*, since: datetime) -> dict[Judge, Health]:
    """Return how every judge did in the panels since a moment, in five queries."""
    told = JudgeReport.objects.filter(at__gte=since)
    scored = JudgeScore.objects.filter(report__at__gte=since)
    asked = Call.objects.filter(at__gte=since, purpose__in=PURPOSES)
    leans = _leanings(scored)
    by_seat = [
        _by_seat(told.values(seat=F("participant")).annotate(reports=Count("pk"), unreadable=Count("pk", MUTE))),
        _by_seat(
            scored.values(seat=F("report__participant")).annotate(
                scores=Count("pk"),
                moved=Count("pk", filter=~Q(fact__amount=F("given"))),
                refused_ones=Count("pk", filter=Q(refused=True)),
                swapped=Count("flipped"),
                flips=Count("pk", filter=Q(flipped=True)),
                missing=Sum("quotes_missing"),
            )
        ),
        _by_seat(asked.values(seat=F("participant")).annotate(calls=Count("pk"), paid=Sum("cost"))),
    ]
    return {judge: _health(own, by_seat, leans) for judge, own in _seats(since)}


MUTE = Q(readable=False)
Figures = Mapping[int, Mapping[str, Any]]


def _by_seat(rows: Iterable[Mapping[str, Any]]) -> Figures:
    return {row["seat"]: row for row in rows}


def _health(own: Sequence[int], by_seat: Sequence[Figures], leans: Mapping[str, Leaning]) -> Health:
    def total(name: str) -> Any:
        return sum(figures.get(seat, {}).get(name) or 0 for figures in by_seat for seat in own)

    seen = [leans[str(seat)] for seat in own if str(seat) in leans]
    return Health(
        reports=total("reports"),
        unreadable=total("unreadable"),
        scores=total("scores"),
        moved=total("moved"),
        refused=total("refused_ones"),
        swapped=total("swapped"),
        flipped=total("flips"),
        missing=total("missing"),
        leniency=_weighted([(one.units, one.leniency) for one in seen]),
        deviation=_weighted([(one.units, one.deviation) for one in seen]),
        calls=total("calls"),
        cost=Decimal(total("paid")),
    )


def _weighted(parts: Iterable[tuple[int, Decimal | None]]) -> Decimal | None:
    """Return the mean of means, each by what it rests on."""
    known = [(units, Fraction(value)) for units, value in parts if value is not None]
    units = sum(count for count, _ in known)
    whole = sum((count * value for count, value in known), Fraction(0))
    return numbers.half_up(whole / units, places=PLACES) if units else None


def _leanings(scored: QuerySet[JudgeScore]) -> dict[str, Leaning]:
    """Return how each seat leans: every criterion of every round is a unit."""
    units: dict[tuple[int, str], dict[str, Decimal]] = {}
    rows = scored.values_list("fact__round_id", "key", "report__participant_id", "fact__amount")
    for played, key, seat, amount in rows:
        units.setdefault((played, key), {})[str(seat)] = amount
    return leaning.leanings(units=list(units.values()))


def _seats(since: datetime) -> list[tuple[Judge, list[int]]]:
    """Return the participants that each judge was, in panels that anything was reported in; by name."""
    rows = Participant.objects.filter(role=Role.JUDGE.value, judge_reports__at__gte=since).distinct()
    kept = "debate__parameters__panel__strategies"
    found: dict[Judge, list[int]] = {}
    for pk, provider, model, position, strategies in rows.values_list("pk", "provider", "model", "position", kept):
        reads = strategies[position - 1] if provider == "heuristic" and strategies else ""
        found.setdefault(Judge(provider, model, reads), []).append(pk)
    return sorted(found.items(), key=lambda one: (one[0].provider, one[0].model, one[0].strategy))
