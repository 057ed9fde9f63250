"""The form of a rubric and its criteria: fields with the limits of the API, and every fault next to its field."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.forms import BaseFormSet, formset_factory
from django.http import QueryDict
from django.utils.text import capfirst

from debates.errors import Invalid
from debates.form_fields import LinesField
from debates.text_file import text_in
from scoring import rubrics
from scoring.rubrics import LENGTHS, MOST_CRITERIA, TEXTS

PREFIX = "criteria"
FIELDS = (*TEXTS, "weight")
NEW_ROW: Mapping[str, str] = dict.fromkeys(FIELDS, "") | {"weight": "1"}
MOST_FAULTS = 20


class RubricFields(forms.Form):
    """What a rubric says of itself."""

    slug = forms.SlugField(
        max_length=LENGTHS["slug"], help_text="The short name by which it is found: letters, digits, - and _. It stays."
    )
    name = forms.CharField(max_length=LENGTHS["name"])
    description = LinesField(
        max_length=LENGTHS["description"], required=False, widget=forms.Textarea(attrs={"rows": 3})
    )


def paragraph(label: str, help_text: str, *, most: int) -> LinesField:
    return LinesField(max_length=most, label=label, help_text=help_text, widget=forms.Textarea(attrs={"rows": 2}))


class CriterionFields(forms.Form):
    """One criterion. Its weight is read by the rule that reads rubric files."""

    code = forms.CharField(max_length=LENGTHS["code"], help_text="Short: it labels the criterion everywhere.")
    name = forms.CharField(max_length=LENGTHS["name"])
    category = forms.CharField(max_length=LENGTHS["category"], help_text="One word or two; its criteria share it.")
    weight = forms.CharField(
        max_length=40, help_text="Only proportions matter.", widget=forms.TextInput(attrs={"inputmode": "decimal"})
    )
    question = paragraph("Question", "What is asked of the text? One thing.", most=LENGTHS["question"])
    high = paragraph("A 10 means", "What a reader finds in a very good text. 10 is the good end.", most=LENGTHS["high"])
    low = paragraph("A 1 means", "What a reader finds in a poor text.", most=LENGTHS["low"])


class CriterionFormSet(BaseFormSet[CriterionFields]):
    """The criteria in their order."""

    default_error_messages = {
        "too_few_forms": "A rubric has at least one criterion.",
        "too_many_forms": f"A rubric has at most {MOST_CRITERIA} criteria.",
        "missing_management_form": "The list of criteria came in pieces. Go back, and send the page again.",
    }


Criteria = formset_factory(
    CriterionFields, formset=CriterionFormSet, extra=0, min_num=1, validate_min=True, max_num=MOST_CRITERIA,
    validate_max=True, absolute_max=MOST_CRITERIA + 1,
)  # fmt: skip


class RubricForms:
    """A rubric's form and the forms of its criteria, read and refused together."""

    def __init__(
        self,
        *,
        data: QueryDict | None = None,
        initial: Mapping[str, Any] | None = None,
        fixed: Mapping[str, str] | None = None,
    ) -> None:
        rows = [dict(row) for row in initial["criteria"]] if initial else [dict(NEW_ROW)]
        own = {name: initial.get(name, "") for name in RubricFields.base_fields} if initial else {}
        self.rubric = RubricFields(
            data, label_suffix="", initial={**own, **(fixed or {})}, use_required_attribute=False
        )
        for name in fixed or ():  # what a browser sends for it does not count
            self.rubric.fields[name].disabled = True
        self.criteria = Criteria(
            data, initial=None if data is not None else rows, prefix=PREFIX, form_kwargs={"label_suffix": ""}
        )

    def snapshot(self) -> dict[str, Any] | None:
        """Return the rubric as it would be stored, or nothing where something is wrong: each form then says what."""
        fine = [self.rubric.is_valid(), self.criteria.is_valid()]
        rubric = self.rubric.cleaned_data
        snapshot = {
            **{name: rubric.get(name, "") for name in RubricFields.base_fields},
            "criteria": [{name: row.cleaned_data.get(name, "") for name in FIELDS} for row in self.criteria.forms],
        }
        faults = [fault for fault in rubrics.faults(snapshot) if self._place(fault)]
        return rubrics.checked(snapshot) if all(fine) and not faults else None

    def _place(self, fault: Invalid) -> bool:
        """Say a fault next to its field, and tell whether it was news there."""
        match str(fault.details["pointer"]).split("/")[1:]:
            case ["criteria", number, field]:
                form: forms.Form = self.criteria.forms[int(number)]
            case [field] if field in self.rubric.fields:
                form = self.rubric
            case _:  # of the list as a whole, which says so itself
                return not self.criteria.non_form_errors()
        if field not in form.errors:
            form.add_error(field, ValidationError(without_place(fault.message), code=fault.code))
            return True
        return False

    @property
    def faulty(self) -> Sequence[tuple[str, str]]:
        """Return where something is wrong: the anchor of each place, and what stands there."""
        places = [("rubric", "The rubric itself")] if self.rubric.errors else []
        if self.criteria.is_bound and self.criteria.non_form_errors():
            places.append(("criteria", "The list of criteria"))
        for number, form in enumerate(self.criteria.forms, start=1):
            if form.is_bound and form.errors:
                code = form["code"].value() or ""
                places.append((f"criterion-{number}", f"Criterion {number}{f' ({code[:40]})' if code else ''}"))
        return places


def without_place(message: str) -> str:
    """Return a refusal without where in the rubric it is about: it stands there."""
    place, _, rest = message.partition(": ")
    return capfirst(rest) if place.startswith("rubric") else message


# Rows are added, removed and moved as they were typed, right or wrong.


def typed(data: QueryDict) -> dict[str, Any]:
    """Return everything that a form was sent with, as the texts that were typed."""
    count = data.get(f"{PREFIX}-TOTAL_FORMS", "")
    rows = range(min(int(count[:9]), MOST_CRITERIA) if count.isdecimal() else 0)
    return {
        **{name: data.get(name, "") for name in RubricFields.base_fields},
        "criteria": [{name: data.get(f"{PREFIX}-{number}-{name}", "") for name in FIELDS} for number in rows],
    }


def rearranged(rows: Sequence[Mapping[str, str]], *, how: str) -> list[Mapping[str, str]]:
    """Return criteria after ``add``, ``remove-3``, ``up-3`` or ``down-3``; after anything else as they are."""
    rows = list(rows)
    what, _, number = how.partition("-")
    if what == "add" and len(rows) < MOST_CRITERIA:
        last = rows[-1] if rows else NEW_ROW
        return [*rows, {**NEW_ROW, "category": last["category"], "weight": last["weight"]}]
    place = int(number) - 1 if number.isdecimal() and len(number) < 4 else -1
    if not 0 <= place < len(rows):
        return rows
    row = rows.pop(place)
    if what == "remove":
        return rows or [NEW_ROW]
    rows.insert(max(0, place + {"up": -1, "down": 1}.get(what, 0)), row)
    return rows


class ImportForm(forms.Form):
    """A rubric file, uploaded or pasted."""

    file = forms.FileField(required=False, label="File", help_text="JSON or YAML, as UTF-8 text.")
    text = LinesField(
        required=False,
        strip=False,
        label="Or paste it here",
        max_length=rubrics.LARGEST_FILE,
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false", "class": "mono"}),
    )  # fmt: skip

    content = ""
    """What was sent, as text, wherever it came from."""

    def clean(self) -> dict[str, Any]:
        """Read the rubric. What a file held goes on as text, where it can be mended; all its faults are said there."""
        super().clean()
        upload = self.cleaned_data.get("file")
        self.content = self.data.get("text", "")
        try:
            if upload is not None:
                self.content = text_in(upload, name="This file", most=rubrics.LARGEST_FILE)
        except Invalid as refused:
            self.add_error("file", ValidationError(refused.message, code=refused.code))
        if not self.errors:
            self._read()
        return self.cleaned_data

    def _read(self) -> None:
        try:
            snapshot = rubrics.parsed(self.content)
            faults = rubrics.faults(snapshot)
        except Invalid as refused:
            faults = [refused]
        for fault in faults[:MOST_FAULTS]:
            self.add_error("text", ValidationError(capfirst(fault.message), code=fault.code))
        if not faults:
            self.cleaned_data["rubric"] = rubrics.checked(snapshot)
