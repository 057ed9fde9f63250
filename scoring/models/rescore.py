"""Rescore sets: the saved preview of an action on many scores, applied or cancelled."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from debates.models.fields import choices, known, public_id, word
from scoring.enums import BulkAction, HeldChoice, ReasonCode, RescoreState
from scoring.models.ledger import Actor, Reason


class RescoreSet(models.Model):
    """What somebody means to do to many scores, old against new as it was shown; once decided it never changes.

    ``lines`` are objects with ``evaluation`` (its public id), ``id``, ``seen``, and decimal strings or null for
    ``value_before``, ``value_after``, ``computed_before``, ``computed_after``, ``confidence_before``,
    ``confidence_after``. The entries of an applied set carry its reason record and, where it has one, its code;
    ``left_out`` are the ids of the scores that whoever applied it has left as they were.
    """

    public_id = public_id()
    action = word(BulkAction)
    choice = models.CharField(
        max_length=10, blank=True, default="", choices=[(choice.value, choice.value) for choice in HeldChoice]
    )
    reason_code = models.CharField(max_length=60, choices=choices(ReasonCode), blank=True, default="")
    lines = models.JSONField()
    staged_by = models.ForeignKey(Actor, on_delete=models.PROTECT, related_name="+")
    because = models.ForeignKey(Reason, on_delete=models.PROTECT, related_name="+")
    staged_at = models.DateTimeField(db_default=Now())
    state = word(RescoreState, default=RescoreState.STAGED.value, editable=False)
    decided_by = models.ForeignKey(Actor, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    decided_because = models.ForeignKey(Reason, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    decided_at = models.DateTimeField(null=True, blank=True)
    left_out = ArrayField(models.BigIntegerField(), default=list, blank=True, editable=False)

    class Meta:
        ordering = ["-id"]
        constraints = [
            known("action", BulkAction, "rescore_action_is_known"),
            known("reason_code", ReasonCode, "rescore_reason_code_is_known", empty=True),
            known("state", RescoreState, "rescore_state_is_known"),
            models.CheckConstraint(
                name="rescore_chooses_only_for_an_unfreeze",
                condition=Q(action="unfreeze", choice__in=["apply", "discard"]) | ~Q(action="unfreeze") & Q(choice=""),
            ),
            models.CheckConstraint(
                name="rescore_leaves_out_only_when_applied", condition=Q(left_out=[]) | Q(state="applied")
            ),
            models.CheckConstraint(
                name="rescore_decided_says_who_and_when",
                condition=Q(
                    state="staged", decided_by__isnull=True, decided_because__isnull=True, decided_at__isnull=True
                )
                | Q(state="applied", decided_by__isnull=False, decided_because__isnull=True, decided_at__isnull=False)
                | Q(state="cancelled", decided_by__isnull=False, decided_because__isnull=False)
                & Q(decided_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"rescore set {self.pk}: {self.action} of {len(self.lines)} ({self.state})"
