"""When debates start that somebody has planned."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from debates.models import Debate
from debates.printable import clock


class PlannedStart(models.Model):
    """When a draft starts by itself; it goes when the debate has started, or is not to."""

    debate = models.OneToOneField(Debate, primary_key=True, on_delete=models.CASCADE, related_name="planned_start")
    starts_at = models.DateTimeField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    problem = models.CharField(max_length=500, blank=True, default="", help_text="Why it could not start in time.")
    given_up_at = models.DateTimeField(null=True, blank=True, help_text="Since when it is not tried any more.")

    class Meta:
        ordering = ["starts_at"]
        constraints = [
            models.CheckConstraint(name="planned_start_is_ahead", condition=Q(starts_at__gt=F("created_at"))),
            models.CheckConstraint(
                name="planned_start_given_up_says_why", condition=Q(given_up_at__isnull=True) | ~Q(problem="")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.debate} at {clock(self.starts_at)}"
