"""The append-only ledger: who did what to a score, when and why."""

from typing import Any

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q, Value
from django.db.models.functions import Coalesce, Now

from debates.models import Round
from debates.models.fields import choices, is_digest, known, word
from scoring.enums import MODERATOR_KINDS, ActorKind, ApprovalState, EntryKind, ReasonCode
from scoring.models.evaluation import Evaluation
from scoring.models.fields import DatabaseCheck, number


class Actor(models.Model):
    """A person or program as it was when it acted: name and role then. Erasure may blank both, nothing else."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    name = models.CharField(max_length=150)
    role = models.CharField(max_length=150, blank=True, default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user", "name", "role"],
                condition=~Q(name=""),
                nulls_distinct=False,
                name="actor_once_per_user_name_and_role",
            )
        ]

    def __str__(self) -> str:
        return self.name or f"erased person {self.pk}"


ERASED = "This text was erased."


class InternalNote(models.Model):
    """What whoever acts tells other moderators besides the reason. No page, document or stream for others reads it."""

    text = models.TextField()

    def __str__(self) -> str:
        return self.text or ERASED


class Reason(models.Model):
    """Why: the words, salted so that the digest in the ledger survives erasure without giving them away.

    They are public. What is not is the note, which is written with the reason or never.
    """

    salt = models.CharField(max_length=64)
    text = models.TextField()
    digest = models.CharField(max_length=64, editable=False, db_default="")
    note = models.OneToOneField(InternalNote, null=True, blank=True, on_delete=models.PROTECT, related_name="reason")

    def __str__(self) -> str:
        return self.text or ERASED


class ScoreChange(models.Model):
    """One entry of an evaluation's ledger. The database writes sequence, before-values, value, applied and hash."""

    evaluation = models.ForeignKey(Evaluation, on_delete=models.PROTECT, related_name="entries", db_index=False)
    sequence = models.PositiveIntegerField(db_default=0)
    kind = word(EntryKind)
    initial_score = number(db_default=0, editable=False)
    value_before = number(db_default=0, editable=False)
    value_after = number(db_default=0, editable=False)
    delta = models.GeneratedField(
        expression=F("value_after") - F("value_before"), output_field=number(), db_persist=True
    )
    confidence_before = number(null=True, editable=False)
    confidence_after = number(null=True)
    computed_before = number(null=True, editable=False)
    computed_after = number(null=True)
    applied = models.GeneratedField(
        expression=Coalesce(F("computed_after"), F("initial_score"))
        - Coalesce(F("computed_before"), F("initial_score")),
        output_field=number(),
        db_persist=True,
    )

    # The whole state after this entry.
    run_number = models.PositiveIntegerField()
    basis = ArrayField(models.BigIntegerField(), default=list)
    held = ArrayField(models.BigIntegerField(), default=list)
    override_after = number(null=True)
    frozen_before = models.BooleanField(db_default=False, editable=False)
    frozen_after = models.BooleanField()
    counted_after = models.BooleanField()
    complete_after = models.BooleanField()
    rounds_after = models.PositiveIntegerField()

    # What the entry is about.
    round = models.ForeignKey(Round, null=True, blank=True, on_delete=models.PROTECT, related_name="entries")
    facts = ArrayField(models.BigIntegerField(), default=list, help_text="The facts this entry itself brings or moves.")
    facts_hash = models.BinaryField(db_default=Value(b""), editable=False)
    raw_sum = number(null=True, help_text="The sum of this round's own adjustments.")
    cumulative_raw = number(null=True, help_text="The sum of all adjustments in the basis.")
    capped_net = number(null=True, help_text="That sum after the cap.")
    held_choice = models.CharField(max_length=10, blank=True, default="")
    target_sequence = models.PositiveIntegerField(null=True, blank=True)

    # What an override that stands is measured by, where a person set it or changed what counts beneath it.
    computed_alone = number(
        null=True, help_text="What would be computed without what its author has decided since a second person agreed."
    )
    covered_by = models.ForeignKey(
        "scoring.Approval", null=True, blank=True, on_delete=models.PROTECT, related_name="covers",
        help_text="The approval that the override rests on, until it is lifted.",
    )  # fmt: skip
    covered_value = number(null=True, editable=False, help_text="The override that was approved then.")
    second_person_from = number(null=True, help_text="From how many points on a second person was needed.")

    actor_kind = word(ActorKind)
    actor = models.ForeignKey(Actor, null=True, blank=True, on_delete=models.PROTECT, related_name="entries")
    by_organiser = models.BooleanField(
        db_default=False, editable=False, help_text="Whether whoever wrote it created or organised the debate."
    )
    reason_code = models.CharField(max_length=60, choices=choices(ReasonCode), blank=True, default="")
    reason = models.ForeignKey(Reason, null=True, blank=True, on_delete=models.PROTECT, related_name="entries")
    at = models.DateTimeField(db_default=Now(), editable=False)
    idempotency_key = models.CharField(max_length=64, blank=True, default="", help_text="A digest of the caller's.")
    previous_hash = models.BinaryField(db_default=Value(b""), editable=False)
    hash = models.BinaryField(db_default=Value(b""), editable=False)

    class Meta:
        ordering = ["evaluation_id", "sequence"]
        indexes = [
            models.Index(fields=["evaluation", "at"], name="entry_by_evaluation_and_time"),
            models.Index(fields=["id"], condition=~Q(actor_kind=ActorKind.ENGINE.value), name="entry_of_a_person"),
        ]
        constraints = [
            known("kind", EntryKind, "entry_kind_is_known"),
            known("actor_kind", ActorKind, "entry_actor_kind_is_known"),
            known("reason_code", ReasonCode, "entry_reason_code_is_known", empty=True),
            is_digest("idempotency_key", "entry_idempotency_key_is_a_digest"),
            models.UniqueConstraint(fields=["evaluation", "sequence"], name="entry_sequence_once_per_evaluation"),
            models.UniqueConstraint(
                fields=["evaluation", "round"],
                condition=Q(kind__in=["round", "held", "opened"], round__isnull=False),
                name="round_counts_once_per_evaluation",
            ),
            DatabaseCheck(
                name="entry_opens_the_account_first",
                condition=Q(sequence=1, kind="opened") | Q(sequence__gt=1) & ~Q(kind="opened"),
            ),
            DatabaseCheck(
                name="entry_value_is_override_else_computed_else_initial",
                condition=Q(value_after=Coalesce(F("override_after"), F("computed_after"), F("initial_score"))),
            ),
            DatabaseCheck(
                name="entry_frozen_only_by_freeze",
                condition=Q(kind="freeze", frozen_before=False, frozen_after=True)
                | Q(kind="unfreeze", frozen_before=True, frozen_after=False)
                | Q(kind="held", frozen_before=True, frozen_after=True)
                | Q(kind="completed", frozen_after=F("frozen_before"))
                | Q(frozen_before=False, frozen_after=False) & ~Q(kind__in=["freeze", "unfreeze", "held", "completed"]),
            ),
            DatabaseCheck(
                name="entry_moves_nothing_while_frozen",
                condition=Q(frozen_after=False)
                | Q(value_after=F("value_before"), applied=0)
                & (Q(confidence_after__isnull=True) | Q(confidence_after=F("confidence_before"))),
            ),
            models.CheckConstraint(
                name="entry_of_a_moderator_has_actor_and_reason",
                condition=~Q(kind__in=[kind.value for kind in MODERATOR_KINDS])
                | Q(actor__isnull=False, reason__isnull=False),
            ),
            models.CheckConstraint(name="entry_fallback_says_why", condition=~Q(kind="fallback") | ~Q(reason_code="")),
            models.CheckConstraint(
                name="entry_names_its_round",
                condition=Q(kind__in=["round", "held"], round__isnull=False, facts__len__gt=0)
                | ~Q(kind__in=["round", "held"]),
            ),
            models.CheckConstraint(
                name="entry_of_unfreeze_chooses",
                condition=Q(kind="unfreeze", held_choice__in=["apply", "discard"])
                | ~Q(kind="unfreeze") & Q(held_choice=""),
            ),
            models.CheckConstraint(
                name="entry_of_rollback_names_its_target",
                condition=Q(kind="rollback", target_sequence__isnull=False, target_sequence__lt=F("sequence"))
                | Q(kind="rollback", target_sequence__isnull=False, sequence=0)
                | ~Q(kind="rollback") & Q(target_sequence__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"entry {self.sequence} of evaluation {self.evaluation_id}: {self.kind}"

    @property
    def approved(self) -> Any:
        """The request that a second person approved with this entry; not one that it made void."""
        approval = getattr(self, "approval", None)
        return approval if approval is not None and approval.state == ApprovalState.APPROVED.value else None
