"""The append-only stream of a debate."""

from django.db import models
from django.db.models import Q

from debates.models.debate import Debate
from debates.models.fields import known, word
from debates.types import Audience


class EventHead(models.Model):
    """How far a debate's stream reaches. Locking this row is what makes ``seq`` gapless and visible in order."""

    debate = models.OneToOneField(Debate, primary_key=True, on_delete=models.PROTECT, related_name="head")
    seq = models.PositiveBigIntegerField(default=0)


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
