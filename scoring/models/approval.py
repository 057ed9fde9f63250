"""Overrides that wait for a second person, and from how many points on they do."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from debates.models.fields import choices, is_digest, known, public_id, word
from scoring.enums import ActorKind, ApprovalState, ReasonCode
from scoring.models.evaluation import Evaluation
from scoring.models.fields import number
from scoring.models.ledger import Actor, Reason, ScoreChange

NOBODY = {"decided_by__isnull": True, "decided_because__isnull": True}
SOMEBODY = {"decided_by__isnull": False, "decided_because__isnull": False}


class Approval(models.Model):
    """A request for a large override: who asked for what, looking at which version, and what became of it.

    ``entry`` is the override where it was approved, and the entry that came first where the request is void.
    """

    public_id = public_id()
    evaluation = models.ForeignKey(Evaluation, on_delete=models.PROTECT, related_name="approvals")
    value = number(help_text="The score asked for.")
    value_seen = number(help_text="The score that the request would replace, as it was then.")
    seen = models.PositiveIntegerField(help_text="The moderation version that the request was made on.")
    door = word(ActorKind)
    reason_code = models.CharField(max_length=60, choices=choices(ReasonCode), blank=True, default="")
    idempotency_key = models.CharField(max_length=64, blank=True, default="", help_text="A digest of the caller's.")
    requested_by = models.ForeignKey(Actor, on_delete=models.PROTECT, related_name="+")
    requested_by_organiser = models.BooleanField(db_default=False, editable=False)
    because = models.ForeignKey(Reason, on_delete=models.PROTECT, related_name="+")
    requested_at = models.DateTimeField(db_default=Now())
    state = word(ApprovalState, default=ApprovalState.WAITING.value, editable=False)
    decided_by = models.ForeignKey(Actor, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    decided_by_organiser = models.BooleanField(db_default=False, editable=False)
    decided_because = models.ForeignKey(Reason, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    decided_at = models.DateTimeField(null=True, blank=True)
    entry = models.OneToOneField(
        ScoreChange, null=True, blank=True, on_delete=models.PROTECT, related_name="approval", editable=False
    )

    class Meta:
        ordering = ["-id"]
        permissions = [("approve_override", "Can approve an override that somebody else asked for")]
        constraints = [
            known("state", ApprovalState, "approval_state_is_known"),
            known("reason_code", ReasonCode, "approval_reason_code_is_known", empty=True),
            is_digest("idempotency_key", "approval_idempotency_key_is_a_digest"),
            models.UniqueConstraint(
                fields=["evaluation"], condition=Q(state="waiting"), name="approval_waits_once_per_evaluation"
            ),
            models.CheckConstraint(
                name="approval_comes_through_a_persons_door",
                condition=Q(door__in=[kind.value for kind in ActorKind if kind is not ActorKind.ENGINE]),
            ),
            models.CheckConstraint(
                name="approval_decided_says_who_why_and_where",
                condition=Q(state="waiting", decided_at__isnull=True, entry__isnull=True, **NOBODY)
                | Q(state="approved", decided_at__isnull=False, entry__isnull=False, **SOMEBODY)
                | Q(state="refused", decided_at__isnull=False, entry__isnull=True, **SOMEBODY)
                | Q(state="void", decided_at__isnull=False, entry__isnull=False, **NOBODY),
            ),
        ]

    def __str__(self) -> str:
        return f"request {self.pk}: {self.evaluation_id} to {self.value} ({self.state})"


class Threshold(models.Model):
    """From how many points on an override waits, as the database knows it; empty: none does. The newest row holds.

    Every migration writes what the settings say, where that has changed. The app role only reads it.
    """

    points = number(null=True)
    since = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [models.CheckConstraint(name="threshold_is_positive", condition=Q(points__gt=0))]

    def __str__(self) -> str:
        return f"a second person from {self.points} points on" if self.points else "no second person"
