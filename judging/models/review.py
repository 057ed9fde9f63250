"""Reviews: decisions that only a person can take."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from debates.models import Debate
from debates.models.fields import known, public_id, word
from debates.types import Status
from judging.types import ReviewReason, ReviewState
from scoring.models import Actor

WAITING = ~Q(state=ReviewState.SETTLED.value) & ~Q(debate__status=Status.CANCELLED.value)
"""Reviews that wait for a person: neither settled, nor of a debate that was cancelled."""


class Review(models.Model):
    """A panel that came to no end by itself: what is in dispute, who has taken it on, and what was decided.

    There is one for each round of a run, for ever: automation never reopens what a person settled.
    ``decisions`` are {criterion code: {"value": decimal string, "entry": sequence in its ledger}}.
    """

    public_id = public_id()
    debate = models.ForeignKey(Debate, on_delete=models.PROTECT, related_name="reviews")
    run_number = models.PositiveIntegerField(default=1)
    round_number = models.PositiveSmallIntegerField(help_text="The round after which there was no consensus.")
    reason_code = word(ReviewReason)
    disputed = ArrayField(models.CharField(max_length=40), help_text="Codes of the criteria to decide.")
    policy = models.JSONField(help_text="Thresholds, weights, quorum, pass mark and prompt versions as they were.")
    opened_at = models.DateTimeField(db_default=Now())
    state = word(ReviewState, default=ReviewState.OPEN.value, editable=False)
    claimed_by = models.ForeignKey(Actor, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    lease_until = models.DateTimeField(null=True, blank=True)
    settled_by = models.ForeignKey(Actor, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    settled_by_organiser = models.BooleanField(db_default=False, editable=False)
    settled_at = models.DateTimeField(null=True, blank=True)
    decisions = models.JSONField(default=dict, editable=False)

    class Meta:
        ordering = ["-id"]
        permissions = [("resolve_review", "Can claim and settle reviews")]
        constraints = [
            known("reason_code", ReviewReason, "review_reason_is_known"),
            known("state", ReviewState, "review_state_is_known"),
            models.UniqueConstraint(
                fields=["debate", "run_number", "round_number"], name="review_once_per_debate_run_and_round"
            ),
            models.CheckConstraint(name="review_disputes_something", condition=Q(disputed__len__gt=0)),
            models.CheckConstraint(
                name="review_claimed_has_holder_and_lease",
                condition=Q(state="claimed", claimed_by__isnull=False, lease_until__isnull=False)
                | ~Q(state="claimed") & Q(claimed_by__isnull=True, lease_until__isnull=True),
            ),
            models.CheckConstraint(
                name="review_settled_says_who_when_and_what",
                condition=Q(state="settled", settled_by__isnull=False, settled_at__isnull=False) & ~Q(decisions={})
                | ~Q(state="settled") & Q(settled_by__isnull=True, settled_at__isnull=True, decisions={}),
            ),
        ]

    def __str__(self) -> str:
        return f"review {self.pk} of debate {self.debate_id}: {self.reason_code} ({self.state})"
