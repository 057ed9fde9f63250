"""Rubrics with their criteria. A debate keeps the snapshot it was started with, so editing moves no score."""

from __future__ import annotations

from operator import itemgetter
from typing import Any

from django import forms
from django.contrib import admin
from django.core.validators import MaxValueValidator
from django.db.models import Count, QuerySet
from django.http import HttpRequest

from debates.admin import ReadOnly
from scoring import rubrics
from scoring.models import Criterion, Rubric
from scoring.services import rubric_store

MOST_ON_A_PAGE = 80
"""A browser form holds at most 1,000 fields, and every criterion takes eleven."""


class CriterionForm(forms.ModelForm[Criterion]):
    """A criterion, held to what rubric files are held to."""

    class Meta:
        model = Criterion
        fields = ("position", "code", "name", "category", "weight", "question", "high", "low")
        widgets = {name: forms.Textarea(attrs={"rows": 2, "cols": 80}) for name in ("question", "high", "low")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "weight" in self.fields:
            self.fields["weight"].validators.append(MaxValueValidator(rubrics.HEAVIEST))


class CriterionInline(admin.StackedInline[Criterion, Rubric]):
    model = Criterion
    form = CriterionForm
    extra = 0
    min_num = 1
    max_num = MOST_ON_A_PAGE

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Whoever writes a rubric writes its criteria."""
        return request.user.has_perm("scoring.change_rubric") or request.user.has_perm("scoring.add_rubric")

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """The same."""
        return self.has_add_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """The same."""
        return self.has_add_permission(request, obj)

    def get_formset(self, request: HttpRequest, obj: Rubric | None = None, **kwargs: Any) -> Any:
        """Return the formset, which Django leaves unlimited unless it is told."""
        return super().get_formset(request, obj, validate_min=True, validate_max=True, **kwargs)


@admin.register(Rubric)
class RubricAdmin(admin.ModelAdmin[Rubric]):
    """Rubrics and their criteria, to be edited; a debate keeps the copy it was created with."""

    list_display = ("name", "slug", "criteria_count", "created_by", "created_at")
    list_select_related = ("created_by",)
    search_fields = ("name", "slug")
    fields = ("name", "slug", "description", "created_by", "created_at", "public_id")
    readonly_fields = ("created_by", "created_at", "public_id")
    inlines = (CriterionInline,)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Rubric]:
        """Return rubrics with how many criteria they have."""
        return super().get_queryset(request).annotate(criteria_count=Count("criteria"))

    @admin.display(description="criteria", ordering="criteria_count")
    def criteria_count(self, rubric: Rubric) -> int:
        """Return how many criteria a rubric has."""
        count: int = rubric.criteria_count  # type: ignore[attr-defined]  # annotated above
        return count

    def has_change_permission(self, request: HttpRequest, obj: Rubric | None = None) -> bool:
        """A rubric with more criteria than a form can hold comes from a file, and is only shown."""
        allowed = super().has_change_permission(request, obj)
        return allowed and (obj is None or obj.criteria.count() <= MOST_ON_A_PAGE)

    def get_readonly_fields(self, request: HttpRequest, obj: Rubric | None = None) -> tuple[str, ...]:
        """A rubric is known by its slug, so that stays."""
        return (*self.readonly_fields, "slug") if obj else tuple(self.readonly_fields)

    def save_model(self, request: HttpRequest, obj: Rubric, form: forms.ModelForm[Rubric], change: bool) -> None:  # noqa: FBT001 -- Django's signature
        """Nothing yet: a rubric is written together with its criteria."""

    def save_related(self, request: HttpRequest, form: forms.ModelForm[Rubric], formsets: Any, change: bool) -> None:  # noqa: FBT001 -- Django's signature
        """Call the service, inside the transaction that Django has begun."""
        made, [criteria] = form.instance, formsets
        rows = [one.cleaned_data for one in criteria.forms if one.cleaned_data and one not in criteria.deleted_forms]
        given = {
            **{name: getattr(made, name) for name in ("slug", "name", "description")},
            "criteria": [
                {**{name: row[name] for name in rubrics.TEXTS}, "weight": f"{row['weight']:f}"}
                for row in sorted(rows, key=itemgetter("position"))
            ],
        }
        made.pk = rubric_store.write(snapshot=rubrics.checked(given), by=request.user).pk

    def construct_change_message(self, request: HttpRequest, form: Any, formsets: Any, add: bool = False) -> Any:  # noqa: FBT001, FBT002 -- Django's signature
        """Return what Django's history says: criteria are written whole."""
        return "made" if add else "changed"


@admin.register(Criterion)
class CriterionAdmin(ReadOnly[Criterion]):
    """All criteria to search through; they are edited on the page of their rubric."""

    kept_because = "A criterion is removed on the page of its rubric."
    list_display = ("code", "name", "category", "weight", "rubric")
    list_filter = ("rubric",)
    list_select_related = ("rubric",)
    search_fields = ("code", "name", "question")
