"""Debates before play: those that somebody is still filling in, and when drafts start by themselves."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from debates.models import Debate
from debates.models.fields import known, public_id, word
from debates.printable import clock
from debates.types import Format


class NewDebate(models.Model):
    """What somebody has filled in so far of a debate that is not made yet; it goes when the debate is made.

    One that is a copy holds words of the debate that it was copied from, and goes when they are erased.
    """

    public_id = public_id()
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="new_debates")
    format = word(Format)
    copied_from = models.ForeignKey(Debate, null=True, blank=True, on_delete=models.CASCADE, related_name="copies")
    body = models.JSONField(default=dict, blank=True, help_text="As a request to the API would have it.")
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["-changed_at", "-id"]
        constraints = [known("format", Format, "new_debate_format_is_known")]

    def __str__(self) -> str:
        return str(self.body.get("title") or self.body.get("motion") or f"New debate {self.pk}")[:200]


class PlannedStart(models.Model):
    """When a draft starts by itself; it goes when the debate has started, or is not to."""

    debate = models.OneToOneField(Debate, primary_key=True, on_delete=models.CASCADE, related_name="planned_start")
    starts_at = models.DateTimeField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    problem = models.CharField(max_length=500, blank=True, default="", help_text="Why it could not start in time.")
    failing_since = models.DateTimeField(
        null=True, blank=True, help_text="When it was first tried and could not start."
    )
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
