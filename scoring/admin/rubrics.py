"""Rubrics in all their versions, to look at. They are written on their pages, which are the same for everybody."""

from django.contrib import admin

from debates.admin import MadeOnPages, ReadOnly, ReadOnlyInline
from scoring.models import Criterion, Rubric


class CriterionInline(ReadOnlyInline[Criterion, Rubric]):
    model = Criterion
    fields = ("position", "code", "name", "category", "weight", "question", "high", "low")


@admin.register(Rubric)
class RubricAdmin(MadeOnPages[Rubric]):
    """A version with its criteria. "View on site" leads to its page, where the newest is edited as the next."""

    made_at, shown_at = "new-rubric", "rubric"
    kept_because = "Every version of a rubric is kept; debates were made with it."
    list_display = ("name", "slug", "version", "criteria_count", "created_by", "created_at")
    search_fields = ("name", "slug")
    ordering = ()  # as the model has it
    inlines = (CriterionInline,)


@admin.register(Criterion)
class CriterionAdmin(ReadOnly[Criterion]):
    """All criteria to search through; each stands on the page of its rubric."""

    kept_because = "Every version of a rubric keeps its criteria; save another one without it."
    list_display = ("code", "name", "category", "weight", "rubric")
    list_filter = ("rubric",)
    search_fields = ("code", "name", "question")
    ordering = ()  # as the model has it
