"""The debate, what it is about, and who takes part."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from debates.models.fields import known, public_id, word
from debates.types import Conduct, Format, Kind, Role, Status, Visibility

ON_A_MOTION = [Format.OPEN.value, Format.RESPONSES.value]
"""Formats whose debates are about a motion; all others have a subject."""


class Subject(models.Model):
    """A text under evaluation."""

    public_id = public_id()
    title = models.CharField(max_length=200)
    text = models.TextField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return self.title


class Debate(models.Model):
    """One event. Everything a score is computed with is in ``parameters``, which never change."""

    public_id = public_id()
    format = word(Format)
    title = models.CharField(max_length=200)
    motion = models.TextField(blank=True, default="")
    subject = models.ForeignKey(Subject, null=True, blank=True, on_delete=models.PROTECT, related_name="debates")
    status = word(Status, default=Status.DRAFT.value, editable=False)
    conducted_by = word(Conduct, default=Conduct.ENGINE.value)
    visibility = word(Visibility, default=Visibility.PUBLIC.value)
    visibility_limit = word(
        Visibility, blank=True, default="", db_default="", editable=False,
        help_text="What a moderator made it: only a moderator shows it to more people than that.",
    )  # fmt: skip
    parameters = models.JSONField(
        editable=False, help_text="The rubric and every parameter of the score, as they were."
    )
    rounds = models.PositiveSmallIntegerField(default=3)
    limit_money = models.DecimalField(max_digits=12, decimal_places=6, null=True, blank=True)
    limit_tokens = models.BigIntegerField(null=True, blank=True)
    limit_calls = models.IntegerField(null=True, blank=True)
    partial = models.BooleanField(default=False, editable=False)
    partial_reason = models.CharField(max_length=200, blank=True, default="", editable=False)
    problem = models.CharField(max_length=500, blank=True, default="", editable=False)
    stop_reason = models.CharField(max_length=500, blank=True, default="", db_default="", editable=False)
    repeat_of = models.ForeignKey("self", null=True, blank=True, on_delete=models.PROTECT, related_name="repeats")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT)
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True, editable=False)
    concluded_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ["-id"]
        permissions = [("pause_debate", "Can pause and resume debates in play")]
        indexes = [
            models.Index(fields=["status", "-id"], name="debate_by_status"),
            models.Index(F("parameters__rubric__slug"), name="debate_by_rubric"),
        ]
        constraints = [
            known("format", Format, "debate_format_is_known"),
            known("status", Status, "debate_status_is_known"),
            known("conducted_by", Conduct, "debate_conduct_is_known"),
            known("visibility", Visibility, "debate_visibility_is_known"),
            known("visibility_limit", Visibility, "debate_visibility_limit_is_known", empty=True),
            models.CheckConstraint(
                name="debate_visibility_is_within_its_limit",
                condition=Q(visibility_limit__in=["", Visibility.PUBLIC.value])
                | Q(visibility=Visibility.PRIVATE.value)
                | Q(visibility_limit=Visibility.UNLISTED.value, visibility=Visibility.UNLISTED.value),
            ),
            models.CheckConstraint(
                name="debate_has_what_its_format_is_about",
                condition=Q(format__in=ON_A_MOTION, subject__isnull=True) & ~Q(motion="")
                | ~Q(format__in=ON_A_MOTION) & Q(subject__isnull=False),
            ),
            models.CheckConstraint(name="debate_rounds_inside_limits", condition=Q(rounds__range=(1, 1000))),
            models.CheckConstraint(
                name="debate_limits_are_positive",
                condition=(Q(limit_money__isnull=True) | Q(limit_money__gt=0))
                & (Q(limit_tokens__isnull=True) | Q(limit_tokens__gt=0))
                & (Q(limit_calls__isnull=True) | Q(limit_calls__gt=0)),
            ),
            models.CheckConstraint(
                name="debate_partial_says_why",
                condition=Q(partial=False, partial_reason="") | Q(partial=True) & ~Q(partial_reason=""),
            ),
            models.CheckConstraint(
                name="debate_ends_after_it_starts",
                condition=Q(concluded_at__isnull=True) | Q(concluded_at__gte=F("started_at")),
            ),
        ]

    def __str__(self) -> str:
        return f"Debate {self.pk}: {self.title}"

    @property
    def is_over(self) -> bool:
        return self.status in {Status.CONCLUDED, Status.FAILED, Status.CANCELLED}

    @property
    def has_limit(self) -> bool:
        return self.limit_money is not None or self.limit_tokens is not None or self.limit_calls is not None


class Participant(models.Model):
    """One voice in a debate, and for an engine which provider and model speak with it."""

    public_id = public_id()
    debate = models.ForeignKey(Debate, on_delete=models.PROTECT, related_name="participants")
    role = word(Role)
    kind = word(Kind, default=Kind.ENGINE.value)
    name = models.CharField(max_length=80)
    position = models.PositiveSmallIntegerField(default=1)
    provider = models.CharField(max_length=40, blank=True, default="")
    model = models.CharField(max_length=120, blank=True, default="")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="seats", editable=False
    )

    class Meta:
        ordering = ["debate_id", "position", "id"]
        constraints = [
            known("role", Role, "participant_role_is_known"),
            known("kind", Kind, "participant_kind_is_known"),
            models.UniqueConstraint(fields=["debate", "name"], name="participant_name_once_per_debate"),
            models.CheckConstraint(
                name="engine_participant_has_a_provider", condition=~Q(kind=Kind.ENGINE.value) | ~Q(provider="")
            ),
            models.CheckConstraint(
                name="engine_participant_has_no_seat", condition=~Q(kind=Kind.ENGINE.value) | Q(user__isnull=True)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.role})"
