"""The append-only stream of a debate."""

import uuid

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from debates.models.debate import Debate
from debates.models.fields import known, word
from debates.types import Audience


class EventHead(models.Model):
    """How far a debate's stream reaches. Locking this row is what makes ``seq`` gapless and visible in order."""

    debate = models.OneToOneField(Debate, primary_key=True, on_delete=models.PROTECT, related_name="head")
    seq = models.PositiveBigIntegerField(default=0)
    at = models.DateTimeField(null=True, editable=False, help_text="Of the last event; none is dated before it.")
    erasures = models.PositiveIntegerField(
        db_default=0, editable=False, help_text="How often words were erased that events refer to."
    )


class Epoch(models.Model):
    """The name of all logs in this database, in the only row. A restored backup gets another."""

    value = models.UUIDField(default=uuid.uuid4)
    since = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [models.CheckConstraint(name="epoch_is_the_only_one", condition=Q(id=1))]

    def __str__(self) -> str:
        return str(self.value)


class Event(models.Model):
    """One line of a debate's stream: ids and numbers; the words that belong to them are joined on reading."""

    debate = models.ForeignKey(Debate, on_delete=models.PROTECT, related_name="events", db_index=False)
    seq = models.PositiveBigIntegerField()
    type = models.CharField(max_length=40)
    audience = word(Audience)
    data = models.JSONField()
    at = models.DateTimeField()

    class Meta:
        ordering = ["debate_id", "seq"]
        constraints = [
            models.UniqueConstraint(fields=["debate", "seq"], name="event_seq_once_per_debate"),
            models.CheckConstraint(name="event_seq_starts_at_one", condition=Q(seq__gte=1)),
            known("audience", Audience, "event_audience_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self.debate_id}:{self.seq} {self.type}"
