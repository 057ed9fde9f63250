"""Figures about what waits in judging."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Avg, Count, F, Max, Min, Q

from judging.models import Review
from judging.types import ReviewState
from scoring import metrics
from scoring.metrics import Waiting

LATELY = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class Settled:
    """How many reviews were settled lately, and how long they had been open; nothing where there were none."""

    count: int
    mean: timedelta | None
    longest: timedelta | None


def settled_reviews(*, now: datetime) -> Settled:
    """Return how long the reviews had waited that were settled in the last 30 days, in one query."""
    took = F("settled_at") - F("opened_at")
    rows = Review.objects.filter(state=ReviewState.SETTLED.value, settled_at__gt=now - LATELY)
    found = rows.aggregate(number=Count("pk"), mean=Avg(took), longest=Max(took))
    return Settled(found["number"], found["mean"], found["longest"])


def open_reviews(*, now: datetime) -> list[Waiting]:
    """Return how many reviews nobody holds and how many somebody does, and how long the oldest of each has waited."""
    held = Q(state=ReviewState.CLAIMED.value, lease_until__gt=now)
    found = Review.objects.exclude(state=ReviewState.SETTLED.value).aggregate(
        free=Count("pk", filter=~held),
        free_since=Min("opened_at", filter=~held),
        held=Count("pk", filter=held),
        held_since=Min("opened_at", filter=held),
    )
    return [
        metrics.waiting(what="open", found=[found["free"], found["free_since"]], now=now),
        metrics.waiting(what="claimed", found=[found["held"], found["held_since"]], now=now),
    ]
