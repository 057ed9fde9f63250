"""Figures about what waits in judging."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Count, Min, Q

from judging.models import Review
from judging.types import ReviewState
from scoring import metrics
from scoring.metrics import Waiting


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
