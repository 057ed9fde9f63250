"""What is kept where one thing was judged several times: each judgement, their spread, whether orders differ."""

from django.db import models
from django.db.models import Q

from scoring.models.fields import number


class Several(models.Model):
    """Something that may have been judged several times.

    ``readings`` are the single judgements, numbers as text: docs/reference/fairness.md#what-is-kept. Empty where it was
    judged once; then there is no spread, and nothing that could flip. The numbers that count are the row's own.
    """

    readings = models.JSONField(default=list, blank=True)
    spread = number(null=True, blank=True, help_text="How far the single judgements lie apart.")
    flipped = models.BooleanField(
        null=True, blank=True, help_text="The two orders came to different ends; empty where one order was judged."
    )

    class Meta:
        abstract = True


def spread_where_several(name: str) -> models.CheckConstraint:
    """Return the constraint that there is a spread exactly where something was judged more than once."""
    return models.CheckConstraint(
        name=name,
        condition=Q(readings=[], spread__isnull=True, flipped__isnull=True)
        | ~Q(readings=[]) & Q(spread__isnull=False, spread__gte=0),
    )
