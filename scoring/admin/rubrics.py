"""Rubrics with their criteria. What is saved is the next version; debates keep theirs, so it moves no score."""

from __future__ import annotations

from copy import copy
from operator import itemgetter
from typing import Any

from django import forms
from django.contrib import admin
from django.core.validators import MaxLengthValidator, MaxValueValidator
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from debates.admin import Kept, ReadOnly
from debates.errors import NotPermitted
from debates.form_fields import LinesField
from scoring import rubrics
from scoring.errors import Stale
from scoring.models import Criterion, Rubric
from scoring.services import rubric_store

MOST_ON_A_PAGE = 80
"""A browser form holds at most 1,000 fields, and every criterion takes eleven."""


class RubricForm(forms.ModelForm[Rubric]):
    """A new rubric, or the next version of one: what is saved is a row of its own."""

    class Meta:
        field_classes = {"description": LinesField}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        limit_lengths(self)

    def is_multipart(self) -> bool:
        """Have it sent as uploads are: else a letter of most scripts takes six bytes, and a long one is refused."""
        return True

    def clean(self) -> dict[str, Any] | None:
        """Refuse what somebody else has stored meanwhile."""
        cleaned = super().clean()
        slug = self.instance.slug if self.instance.pk else (cleaned or {}).get("slug", "")
        try:
            rubric_store.fresh(slug=slug, newest=rubric_store.newest_of(slug=slug), seen=seen_by(self.instance))
        except Stale as refused:
            raise forms.ValidationError(refused.message) from refused
        return cleaned


def limit_lengths(form: forms.BaseForm) -> None:
    """Hold the texts that a column takes at any length to what a rubric file is held to."""
    for name in ("description", "question", "high", "low"):
        if name in form.fields:
            form.fields[name].validators.append(MaxLengthValidator(rubrics.LENGTHS[name]))


def seen_by(row: Rubric | None) -> int | None:
    return row.version if row is not None and row.pk else None


class CriterionForm(forms.ModelForm[Criterion]):
    """A criterion, held to what rubric files are held to."""

    class Meta:
        model = Criterion
        fields = ("position", "code", "name", "category", "weight", "question", "high", "low")
        widgets = {name: forms.Textarea(attrs={"rows": 2, "cols": 80}) for name in ("question", "high", "low")}
        field_classes = dict.fromkeys(widgets, LinesField)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        limit_lengths(self)
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
        return self.has_add_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.has_add_permission(request, obj)

    def get_formset(self, request: HttpRequest, obj: Rubric | None = None, **kwargs: Any) -> Any:
        """Return the formset, which Django leaves unlimited unless it is told."""
        return super().get_formset(request, obj, validate_min=True, validate_max=True, **kwargs)


@admin.register(Rubric)
class RubricAdmin(Kept[Rubric]):
    """Rubrics in all their versions. The newest can be opened and saved as the next; what was saved stays."""

    kept_because = "Every version of a rubric is kept; debates were made with it."
    form = RubricForm
    list_display = ("name", "slug", "version", "criteria_count", "created_by", "created_at")
    search_fields = ("name", "slug")
    fields = ("name", "slug", "description", "version", "created_by", "created_at", "public_id")
    readonly_fields = ("version", "created_by", "created_at", "public_id")
    inlines = (CriterionInline,)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("scoring.add_rubric")

    def has_change_permission(self, request: HttpRequest, obj: Rubric | None = None) -> bool:
        """Say whether a next version may be saved here: by its maker and by who may change rubrics, of the newest one.

        A rubric with more criteria than a form can hold comes from a file, and is only shown.
        """
        if obj is None:
            return super().has_change_permission(request, obj)
        if obj.criteria_count > MOST_ON_A_PAGE or (
            request.method == "GET" and rubric_store.newest_of(slug=obj.slug) != obj
        ):
            return False
        try:
            rubric_store.may_store(by=request.user, newest=obj)
        except NotPermitted:
            return False
        return True

    def get_readonly_fields(self, request: HttpRequest, obj: Rubric | None = None) -> tuple[str, ...]:
        """A rubric is known by its slug, so that stays."""
        return (*self.readonly_fields, "slug") if obj else tuple(self.readonly_fields)

    def save_model(self, request: HttpRequest, obj: Rubric, form: forms.ModelForm[Rubric], change: bool) -> None:  # noqa: FBT001 -- Django's signature
        """Nothing yet: a rubric is written together with its criteria."""

    def save_related(self, request: HttpRequest, form: forms.ModelForm[Rubric], formsets: Any, change: bool) -> None:  # noqa: FBT001 -- Django's signature
        """Call the service, inside the transaction that Django has begun."""
        rubric, [criteria] = form.instance, formsets
        rows = [row.cleaned_data for row in criteria.forms if row.cleaned_data and row not in criteria.deleted_forms]
        snapshot = {
            **{name: getattr(rubric, name) for name in ("slug", "name", "description")},
            "criteria": [
                {**{name: row[name] for name in rubrics.TEXTS}, "weight": f"{row['weight']:f}"}
                for row in sorted(rows, key=itemgetter("position"))
            ],
        }
        seen = seen_by(rubric) if change else None
        stored = rubric_store.write(snapshot=rubrics.checked(snapshot), by=request.user, seen=seen)
        for name in ("pk", "public_id", "version", "criteria_count"):
            setattr(rubric, name, getattr(stored, name))

    def response_change(self, request: HttpRequest, obj: Rubric) -> HttpResponse:
        """Go on with the version that was saved: Django leads back, by the path, to the one that it was made from."""
        request = copy(request)
        request.path = reverse(f"{self.admin_site.name}:scoring_rubric_change", args=[obj.pk])
        return super().response_change(request, obj)

    def construct_change_message(self, request: HttpRequest, form: Any, formsets: Any, add: bool = False) -> Any:  # noqa: FBT001, FBT002 -- Django's signature
        """Return what Django's history says: criteria are written whole."""
        return "made" if add else f"saved as version {form.instance.version}"


@admin.register(Criterion)
class CriterionAdmin(ReadOnly[Criterion]):
    """All criteria to search through; they are edited on the page of their rubric."""

    kept_because = "Every version of a rubric keeps its criteria; save another one without it."
    list_display = ("code", "name", "category", "weight", "rubric")
    list_filter = ("rubric",)
    search_fields = ("code", "name", "question")
    ordering = ()  # as the model has it
