"""Alerts: something a moderator should look at."""

from datetime import datetime

from django.db import models
from django.db.models import F, Func, Q
from django.db.models.functions import Now

from debates.models import Debate
from debates.models.fields import known, public_id, word
from scoring.enums import AlertState
from scoring.models.evaluation import Evaluation
from scoring.models.ledger import Actor, Reason
from scoring.types import AlertCode, Severity


class Alert(models.Model):
    """A warning, and how often it came while it was open; what was dismissed is not raised again for the same facts.

    ``again`` holds what came after the first time, oldest first: {at, evidence, facts_digest}. Who handled it last
    stands in ``handled_*``, and everybody who did in ``answers``.
    """

    public_id = public_id()
    debate = models.ForeignKey(Debate, on_delete=models.PROTECT, related_name="alerts")
    evaluation = models.ForeignKey(Evaluation, null=True, blank=True, on_delete=models.PROTECT, related_name="alerts")
    code = word(AlertCode)
    severity = word(Severity)
    evidence = models.JSONField()
    facts_digest = models.CharField(max_length=64)
    again = models.JSONField(default=list, editable=False)
    times = models.GeneratedField(
        expression=Func(F("again"), function="jsonb_array_length", output_field=models.IntegerField()) + 1,
        output_field=models.IntegerField(),
        db_persist=True,
    )
    state = word(AlertState, default=AlertState.OPEN.value, editable=False)
    handled_by = models.ForeignKey(Actor, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    handled_by_organiser = models.BooleanField(db_default=False, editable=False)
    handled_because = models.ForeignKey(Reason, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    handled_at = models.DateTimeField(null=True, blank=True)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ["-id"]
        permissions = [("handle_alert", "Can acknowledge, dismiss and reopen alerts")]
        indexes = [
            models.Index(fields=["evaluation"], condition=Q(state="open"), name="alert_open_by_evaluation"),
            models.Index(fields=["severity", "at"], condition=Q(state="open"), name="alert_open_by_severity"),
        ]
        constraints = [
            known("code", AlertCode, "alert_code_is_known"),
            known("severity", Severity, "alert_severity_is_known"),
            known("state", AlertState, "alert_state_is_known"),
            models.UniqueConstraint(
                fields=["debate", "evaluation", "code", "facts_digest"],
                nulls_distinct=False,
                name="alert_once_per_code_and_facts",
            ),
            models.CheckConstraint(
                name="alert_handled_says_who_and_why",
                condition=Q(state="open")
                | Q(handled_by__isnull=False, handled_because__isnull=False, handled_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.code} in debate {self.debate_id}"

    @property
    def last_at(self) -> datetime:
        return datetime.fromisoformat(self.again[-1]["at"]) if self.again else self.at


class AlertAnswer(models.Model):
    """What somebody did with an alert: acknowledged, dismissed or reopened it. The database writes the rows."""

    alert = models.ForeignKey(Alert, on_delete=models.PROTECT, related_name="answers", editable=False)
    debate = models.ForeignKey(Debate, on_delete=models.PROTECT, related_name="+", editable=False)
    state = word(AlertState, editable=False)
    by = models.ForeignKey(Actor, on_delete=models.PROTECT, related_name="+", editable=False)
    by_organiser = models.BooleanField(db_default=False, editable=False)
    because = models.ForeignKey(Reason, on_delete=models.PROTECT, related_name="alert_answers", editable=False)
    at = models.DateTimeField(editable=False)

    class Meta:
        ordering = ["id"]
        constraints = [known("state", AlertState, "alert_answer_state_is_known")]

    def __str__(self) -> str:
        return f"answer {self.pk} to alert {self.alert_id}: {self.state}"
