"""Facts: what computed scores are computed from. Inserted once, never changed."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Round as RoundTo

from debates.models import Participant, Round
from debates.models.fields import known, public_id, word
from scoring.enums import FactKind
from scoring.models.evaluation import Evaluation
from scoring.models.fields import DatabaseCheck, number


class Fact(models.Model):
    """One number that a judgement gave: a verdict's adjustment, a response's total, a judge's score, a standing."""

    public_id = public_id()
    evaluation = models.ForeignKey(Evaluation, on_delete=models.PROTECT, related_name="facts")
    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="facts")
    run_number = models.PositiveIntegerField()
    kind = word(FactKind)
    participant = models.ForeignKey(Participant, null=True, blank=True, on_delete=models.PROTECT, related_name="facts")
    amount = number()
    impact = number(default=0, help_text="What a verdict does to confidence; 0 for the other kinds.")
    weight = number(default=1, help_text="The judge's confidence in this verdict; 1 for the other kinds.")
    parts = models.JSONField(default=dict, blank=True, help_text="What the amount is made of, as decimal strings.")
    at = models.DateTimeField()

    class Meta:
        ordering = ["id"]
        constraints = [
            known("kind", FactKind, "fact_kind_is_known"),
            models.CheckConstraint(
                name="verdict_adjustment_inside_limits", condition=~Q(kind="verdict") | Q(amount__range=(-3, 3))
            ),
            models.CheckConstraint(
                name="verdict_impact_inside_limits",
                condition=Q(kind="verdict", impact__gte="-0.3", impact__lte="0.3") | ~Q(kind="verdict") & Q(impact=0),
            ),
            DatabaseCheck(
                name="verdict_has_two_places",
                condition=~Q(kind="verdict")
                | Q(amount=RoundTo("amount", precision=2), impact=RoundTo("impact", precision=2)),
            ),
            models.CheckConstraint(
                name="fact_weight_inside_limits",
                condition=Q(kind="verdict", weight__range=(0, 1)) | ~Q(kind="verdict") & Q(weight=1),
            ),
            models.CheckConstraint(
                name="response_total_inside_limits", condition=~Q(kind="response") | Q(amount__range=(0, 100))
            ),
            models.CheckConstraint(
                name="judge_score_inside_limits", condition=~Q(kind="judge_score") | Q(amount__range=(1, 5))
            ),
            models.CheckConstraint(
                name="standing_inside_limits", condition=~Q(kind="standing") | Q(amount__range=(-50, 1000))
            ),
            models.CheckConstraint(name="fact_run_starts_at_one", condition=Q(run_number__gte=1)),
        ]

    def __str__(self) -> str:
        return f"fact {self.pk}: {self.kind} {self.amount}"
