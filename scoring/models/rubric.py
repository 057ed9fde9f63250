"""Rubrics: named sets of weighted criteria. Each version is a row and stays; a debate keeps a snapshot of one."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from debates.models.fields import public_id


class Rubric(models.Model):
    """One version of a named set of weighted criteria; the newest of a slug is the one that debates are made with."""

    public_id = public_id()
    slug = models.SlugField()
    version = models.PositiveSmallIntegerField(default=1)
    name = models.CharField(max_length=120)
    description = models.TextField(blank=True, default="")
    criteria_count = models.PositiveSmallIntegerField(help_text="Nothing is added to a version that is complete.")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["slug", "-version"]
        constraints = [
            models.UniqueConstraint(fields=["slug", "version"], name="rubric_version_once_per_slug"),
            models.CheckConstraint(name="rubric_has_criteria", condition=Q(criteria_count__gte=1)),
        ]

    def __str__(self) -> str:
        return f"{self.name}, version {self.version}"


class Criterion(models.Model):
    """One thing to score, 10 always being the good end. A category weighs what its criteria weigh together."""

    rubric = models.ForeignKey(Rubric, on_delete=models.CASCADE, related_name="criteria")
    position = models.PositiveSmallIntegerField()
    code = models.CharField(max_length=20)
    name = models.CharField(max_length=120)
    category = models.CharField(max_length=60)
    question = models.TextField()
    high = models.TextField(help_text="What a high score means.")
    low = models.TextField(help_text="What a low score means.")
    weight = models.DecimalField(max_digits=10, decimal_places=6)

    class Meta:
        ordering = ["rubric_id", "position"]
        verbose_name_plural = "criteria"
        constraints = [
            models.UniqueConstraint(fields=["rubric", "code"], name="criterion_code_once_per_rubric"),
            models.UniqueConstraint(fields=["rubric", "position"], name="criterion_position_once_per_rubric"),
            models.CheckConstraint(name="criterion_weight_is_positive", condition=Q(weight__gt=0)),
        ]

    def __str__(self) -> str:
        return f"{self.code} {self.name}"
