"""One score account. Its score columns are written by the database alone, as entries of the ledger arrive."""

from decimal import Decimal
from typing import TYPE_CHECKING

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q, Value
from django.db.models.functions import Coalesce

from debates.models import Debate, Participant, Thread
from debates.models.fields import known, public_id, word
from scoring.enums import ActorKind
from scoring.models.fields import DatabaseCheck, inside_instrument, number
from scoring.types import Instrument

if TYPE_CHECKING:
    from scoring.models.ledger import ScoreChange


class Evaluation(models.Model):
    """Who or what is scored, on which instrument: what was given at the start, and where the ledger has brought it."""

    public_id = public_id()
    debate = models.ForeignKey(Debate, on_delete=models.PROTECT, related_name="evaluations")
    thread = models.ForeignKey(Thread, on_delete=models.PROTECT, related_name="evaluations")
    participant = models.ForeignKey(
        Participant, null=True, blank=True, on_delete=models.PROTECT, related_name="evaluations"
    )
    instrument = word(Instrument)
    key = models.CharField(max_length=40, help_text="The criterion's code, or whose score it is.")
    name = models.CharField(max_length=120)
    category = models.CharField(max_length=60, blank=True, default="")
    weight = models.DecimalField(max_digits=10, decimal_places=6, default=1)
    position = models.PositiveSmallIntegerField(default=0)
    initial_score = number()
    initial_confidence = number(null=True, blank=True)

    # The projection of the last entry; see docs/explanation/ledger.md.
    computed_score = number(null=True, editable=False)
    override_score = number(null=True, editable=False)
    final_score = models.GeneratedField(
        expression=Coalesce(F("override_score"), F("computed_score")), output_field=number(null=True), db_persist=True
    )
    confidence = number(null=True, editable=False)
    counted = models.BooleanField(db_default=False, editable=False)
    basis = ArrayField(models.BigIntegerField(), db_default=Value([]), editable=False)
    held = ArrayField(models.BigIntegerField(), db_default=Value([]), editable=False)
    frozen_at = models.DateTimeField(null=True, editable=False)
    run_number = models.PositiveIntegerField(db_default=1, editable=False)
    debate_complete = models.BooleanField(db_default=False, editable=False)
    debate_round_count = models.PositiveIntegerField(db_default=0, editable=False)
    version = models.PositiveIntegerField(db_default=0, editable=False)
    moderation_version = models.PositiveIntegerField(db_default=0, editable=False)
    last_score_update = models.DateTimeField(null=True, editable=False)
    head_hash = models.BinaryField(db_default=Value(b""), editable=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["debate_id", "position", "id"]
        permissions = [
            ("freeze_evaluation", "Can freeze an evaluation"),
            ("unfreeze_evaluation", "Can unfreeze an evaluation"),
            ("override_evaluation", "Can override a score"),
            ("lift_evaluation", "Can lift an override"),
            ("strike_evaluation", "Can strike and reinstate facts"),
            ("rollback_evaluation", "Can roll back an evaluation"),
            ("rerun_evaluation", "Can rerun an evaluation"),
            ("export_evaluation", "Can export scores"),
        ]
        indexes = [
            models.Index(fields=["debate", "run_number", "debate_complete"], name="evaluation_by_run"),
            models.Index(fields=["id"], condition=Q(frozen_at__isnull=False), name="evaluation_that_is_frozen"),
        ]
        constraints = [
            known("instrument", Instrument, "evaluation_instrument_is_known"),
            models.UniqueConstraint(
                fields=["thread", "instrument", "key"], name="evaluation_once_per_thread_instrument_and_key"
            ),
            models.UniqueConstraint(fields=["id", "initial_score"], name="evaluation_initial_score_is_referable"),
            inside_instrument("initial_score", "evaluation_initial_inside_instrument"),
            inside_instrument("computed_score", "evaluation_computed_inside_instrument"),
            inside_instrument("override_score", "evaluation_override_inside_instrument"),
            models.CheckConstraint(
                name="evaluation_confidence_inside_limits",
                condition=(Q(confidence__isnull=True) | Q(confidence__range=(0, 1)))
                & (Q(initial_confidence__isnull=True) | Q(initial_confidence__range=(0, 1))),
            ),
            models.CheckConstraint(
                name="evaluation_confidence_only_for_criterion",
                condition=Q(instrument="criterion", initial_confidence__isnull=False)
                | ~Q(instrument="criterion") & Q(initial_confidence__isnull=True, confidence__isnull=True),
            ),
            DatabaseCheck(
                name="evaluation_computed_only_when_counted",
                condition=Q(counted=False, computed_score__isnull=True)
                | Q(counted=True, instrument="criterion", computed_score__isnull=False)
                | Q(counted=True) & ~Q(instrument="criterion"),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.key} {self.name}".strip()

    @property
    def value(self) -> Decimal:
        """Return what counts now: final where there is one, else initial."""
        return self.initial_score if self.final_score is None else self.final_score

    def follow(self, entry: "ScoreChange") -> None:
        """Bring this row in memory to what the database makes of it with an entry."""
        self.computed_score = entry.computed_after
        self.override_score = entry.override_after
        self.final_score = entry.override_after if entry.override_after is not None else entry.computed_after
        self.confidence = entry.confidence_after
        self.counted = entry.counted_after
        self.basis = list(entry.basis)
        self.held = list(entry.held)
        self.frozen_at = (self.frozen_at or entry.at) if entry.frozen_after else None
        self.run_number = entry.run_number
        self.debate_complete = entry.complete_after
        self.debate_round_count = entry.rounds_after
        self.version = entry.sequence
        if entry.actor_kind != ActorKind.ENGINE.value:
            self.moderation_version = entry.sequence
        self.head_hash = entry.hash
