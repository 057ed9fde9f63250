"""The steps in which a debate is asked for on pages: forms made of the fields by which the API is asked for it.

A step writes its part of the body of a request. What the body may be its serializer and its specification say alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from types import MappingProxyType
from typing import Any, ClassVar, TypeVar, cast

from django import forms
from django.http import HttpResponse
from django.utils import timezone
from django.utils.datastructures import MultiValueDict
from django.utils.functional import lazystr
from django.views.generic import FormView
from rest_framework import serializers

from debates.api.fields import GivenNumber
from judging.formats.files import ScriptUpload, TextUpload
from judging.formats.shared_fields import SPEAKS
from judging.providers.scripted import as_lines
from scoring import rubrics
from scoring.models import Rubric

F = TypeVar("F", bound=forms.Form)


class FormPage(FormView[F]):
    """A page with a form, on which it says what is wrong with the form, or why it is refused."""

    def get_form_kwargs(self) -> dict[str, Any]:
        return super().get_form_kwargs() | {"label_suffix": "", "use_required_attribute": False}

    def form_invalid(self, form: F) -> HttpResponse:
        return self.render_to_response(self.get_context_data(form=form), status=HTTPStatus.UNPROCESSABLE_ENTITY)

    def refused(self, form: F, why: str) -> HttpResponse:
        return self.render_to_response(self.get_context_data(form=form, refused=why), status=HTTPStatus.CONFLICT)


class Clock:
    """Names the time zone when it is shown: it is that of whoever looks."""

    def __str__(self) -> str:
        return f"A day and a time, {timezone.get_current_timezone_name()}."


class MomentField(forms.DateTimeField):
    """A moment."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
            error_messages={"required": "Choose a day and a time.", "invalid": "Write it as 2027-03-01T18:30."},
            help_text=lazystr(Clock()),
            **options,
        )


Body = Mapping[str, Any]
DURATIONS: Mapping[int, str] = {
    600: "10 minutes",
    3_600: "an hour",
    21_600: "6 hours",
    86_400: "a day",
    259_200: "3 days",
    604_800: "a week",
}
RUBRIC = "rubric"
SCRIPT_FILE = "script_file"
SCRIPT = (SCRIPT_FILE, "script_emptied")
"""What stands with the script, among what most people leave as it is."""
LINE = 500
"""Characters up to which a text is written in one line."""
LONGEST_IN_BOX = 500_000
"""Characters of the longest text that was uploaded and is shown in a box: more of them no form can send back."""


@dataclass(frozen=True, slots=True)
class FormStep:
    """One page of a new debate.

    Shape: ``fields`` are names of the format's serializer, with dots between those within each other; ``more`` are
    those that most people leave as they are; ``settles`` are keys that no field shows, and that are right again once
    the step is kept.
    """

    name: str
    title: str
    about: str
    form: type[StepForm]
    fields: Sequence[str] = ()
    more: Sequence[str] = ()
    settles: Sequence[str] = ()

    def holds(self, path: str) -> bool:
        """Say whether a field is asked for here, or a part of it, or what it is a part of."""
        names = (*self.fields, *self.more, *self.form.own)
        return any(path == name or path.startswith(f"{name}.") or name.startswith(f"{path}.") for name in names)


class StepForm(forms.Form):
    """The fields of one step. It checks nothing but that what was typed can be kept; the whole body is checked at once.

    Shape: ``own`` are keys of the body that a form reads and writes itself; ``uploads`` are fields of files, each with
    the one whose text a file takes the place of; ``rows`` are blank rows that are added.
    """

    use_required_attribute = False
    own: ClassVar[Sequence[str]] = ()
    uploads: ClassVar[Mapping[str, str]] = {}

    def __init__(
        self,
        data: MultiValueDict[str, str] | None = None,
        files: MultiValueDict[str, Any] | None = None,
        *,
        step: FormStep,
        serializer: serializers.Serializer[Any],
        body: Body,
        rows: int = 0,
    ) -> None:
        self.step, self.serializer, self.body, self.blank_rows = step, serializer, body, rows
        self.left_out: dict[str, str] = {}
        super().__init__(data, files)
        self.sources: dict[str, serializers.Field[Any, Any, Any, Any]] = {}
        self.add_own_fields()
        for path in (*step.fields, *step.more):
            self.add_field(path, source=field_at(serializer, path))

    def add_own_fields(self) -> None:
        """Add what this form asks for in its own way."""

    def add_field(self, path: str, *, source: serializers.Field[Any, Any, Any, Any]) -> None:
        """Add a field of the serializer, with what the body holds, or what holds where it says nothing."""
        self.sources[path] = source
        field = field_from(source)
        value = value_at(self.body, path)
        field.initial = default_of(source) if value is None else value
        self.fields[path] = field

    def keep_shown(self, name: str, value: Any) -> None:
        """Have the page send back what it showed: the body may be another when it comes, as after a double click."""
        self.fields[name] = forms.CharField(required=False, strip=False, widget=forms.HiddenInput, initial=value)

    def offer_durations(self, name: str, *, label: str, help_text: str = "") -> None:
        """Offer times in words for a field of seconds, with the one that holds."""
        # Before it is drawn or asked for anything, which keeps what it is called.
        self.fields[name].label = label
        self.fields[name].help_text = help_text or self.fields[name].help_text
        kept = self[name].value()
        durations = {str(seconds): called for seconds, called in DURATIONS.items()}
        durations.setdefault(str(kept), f"{kept} seconds")
        self.fields[name].widget = forms.Select(choices=list(durations.items()))

    def clean(self) -> dict[str, Any]:
        """Put what was uploaded where it can be read and changed."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        for upload, name in self.uploads.items():
            if text := cleaned.get(upload):
                cleaned[name] = text
                data = cast("MultiValueDict[str, str]", self.data).copy()
                data[name] = self.in_box(name, text)
                self.data = data
                self.offer_to_empty(name)
            elif cleaned.get(name) or cleaned.get(f"{name}_emptied"):
                self.left_out.pop(name, None)
        return cleaned

    def in_box(self, name: str, kept: Any) -> str:
        """Return what was uploaded for its box, whether as a text or as a list; nothing where it is too long for one,
        which is said there.
        """
        text = as_text(kept)
        if len(text) <= LONGEST_IN_BOX:
            self.left_out.pop(name, None)
            return text
        self.left_out[name] = (
            f"A text of {len(text)} characters is kept, too long to be shown: it stays if this is empty."
        )
        return ""

    def offer_to_empty(self, name: str) -> None:
        """Offer to take away a text that no box shows, in which it could be deleted."""
        if name in self.left_out:
            self.fields[f"{name}_emptied"] = forms.BooleanField(required=False, label="Take away what is kept")

    def part(self) -> dict[str, Any]:
        """Return what was typed as a part of the body; what is left as it would be anyway is left out."""
        part: dict[str, Any] = {}
        for path, source in self.sources.items():
            if path in self.cleaned_data:
                value = typed(source, self.cleaned_data[path])
                if value not in ("", None) and value != default_of(source):
                    put(part, path, value)
        return part

    def written(self, body: Body) -> dict[str, Any]:
        """Return a body with the part of this step as it was typed; what a copy brought and no field shows stays, and
        what stood where something is typed that cannot be kept.
        """
        part = self.part()
        for name in self.uploads.values():
            is_emptied = self.cleaned_data.get(f"{name}_emptied")
            if not part.get(name) and not is_emptied and len(as_text(body.get(name))) > LONGEST_IN_BOX:
                part[name] = body[name]
        for path in (*self.step.fields, *self.step.more, *self.own):
            if any(name == path or name.startswith(f"{path}.") for name in self.errors):
                part = without(part, path)
            else:
                body = without(body, path)
        return merged(body, part)

    def field_of(self, path: str) -> str | None:
        """Return which field of this form shows what is wrong at a place of the body; nothing: none does."""
        names = path.split(".")
        places = [".".join(names[:count]) for count in range(len(names), 0, -1)]
        parts = (name for place in places for name in self.fields if name.startswith(f"{place}."))
        return next((place for place in places if place in self.fields), next(parts, None))

    def main_fields(self) -> list[forms.BoundField]:
        names = [name for name in self.fields if name not in (*self.step.more, *SCRIPT)]
        return [self.shown(name) for name in names if not self[name].is_hidden]

    def more_fields(self) -> list[forms.BoundField]:
        return [self.shown(name) for name in (*self.step.more, *SCRIPT) if name in self.fields]

    def shown(self, name: str) -> forms.BoundField:
        field = self[name]
        field.help_text = " ".join(filter(None, (self.left_out.get(name), str(self.fields[name].help_text))))
        return field

    def more_is_at_fault(self) -> bool:
        return any(field.errors for field in self.more_fields())


def field_at(serializer: serializers.Serializer[Any], path: str) -> serializers.Field[Any, Any, Any, Any]:
    name, _, rest = path.partition(".")
    field: Any = serializer.fields[name]
    return field_at(field, rest) if rest else field


def field_from(source: serializers.Field[Any, Any, Any, Any]) -> forms.Field:
    """Return a field of a form that shows a field of a serializer; what may be in it the serializer says."""
    label = str(source.label or source.field_name).replace("_", " ")
    kept: dict[str, Any] = {
        "label": label[:1].upper() + label[1:],
        "help_text": str(source.help_text or ""),
        "required": False,
    }
    if isinstance(source, serializers.BooleanField):
        return forms.BooleanField(**kept)
    if isinstance(source, serializers.ListField):
        child: Any = source.child
        choices = [(value, str(value).replace("-", " ")) for value in getattr(child, "choices", ())]
        return Ticked(widget=forms.CheckboxSelectMultiple, choices=choices, **kept)
    return forms.CharField(widget=widget_of(source), strip=False, **kept)


def widget_of(source: serializers.Field[Any, Any, Any, Any]) -> forms.Widget:
    if isinstance(source, serializers.ChoiceField):
        return forms.Select(choices=worded(source))
    if isinstance(source, serializers.IntegerField):
        return forms.TextInput(attrs={"inputmode": "numeric", "size": "8"})
    if isinstance(source, GivenNumber):
        return forms.TextInput(attrs={"inputmode": "decimal", "size": "8"})
    if isinstance(source, serializers.CharField) and (source.max_length or 0) > LINE:
        return forms.Textarea(attrs={"rows": "6"})
    return forms.TextInput()


def worded(source: serializers.ChoiceField) -> list[tuple[str, str]]:
    """Return the choices of a field in words; a default is marked by nothing, it is chosen."""
    blank = [("", "-")] if not source.required and default_of(source) is None and "" not in source.choices else []
    called = getattr(source, "called", {})
    return blank + [(str(value), called.get(value) or str(value).replace("_", " ")) for value in source.choices]


def default_of(source: serializers.Field[Any, Any, Any, Any]) -> Any:
    """Return what holds where a request says nothing; nothing: a request must say it, or it is without limit."""
    return None if source.default is serializers.empty else source.default


def typed(source: serializers.Field[Any, Any, Any, Any], value: Any) -> Any:
    """Return what was typed as JSON has it: numbers as numbers, the rest as it is."""
    if isinstance(source, serializers.IntegerField) and isinstance(value, str):
        text = value.strip()
        digits = text.removeprefix("-")
        return int(text) if digits.isascii() and digits.isdigit() and len(text) < LINE else text
    if isinstance(source, GivenNumber):
        return str(value).strip()
    return value.replace("\r\n", "\n") if isinstance(value, str) else value


def as_text(kept: Any) -> str:
    """Return the text of a file whose content is kept as a text or as a list."""
    return kept if isinstance(kept, str) else as_lines(kept or ())


def value_at(body: Any, path: str) -> Any:
    """Return what a body holds at a place; nothing where it has none."""
    for name in path.split("."):
        if isinstance(body, list) and name.isdecimal() and int(name) < len(body):
            body = body[int(name)]
        elif isinstance(body, Mapping):
            body = body.get(name)
        else:
            return None
    return body


def put(body: dict[str, Any], path: str, value: Any) -> None:
    """Write a value at a place of a body, in objects that are made for it."""
    name, _, rest = path.partition(".")
    if rest:
        put(body.setdefault(name, {}), rest, value)
    else:
        body[name] = value


def without(body: Body, path: str) -> dict[str, Any]:
    """Return a body that holds nothing at a place, and no object that would be empty."""
    name, _, rest = path.partition(".")
    kept = {key: value for key, value in body.items() if key != name}
    below = body.get(name)
    left = without(below, rest) if rest and isinstance(below, Mapping) else None
    return {**kept, name: left} if left else kept


def merged(body: Body, part: Body) -> dict[str, Any]:
    """Return a body with a part written into its objects."""
    both = {
        name: merged(body[name], value)
        for name, value in part.items()
        if isinstance(value, Mapping) and isinstance(body.get(name), Mapping)
    }
    return {**body, **part, **both}


class SubjectForm(StepForm):
    """A step with a text that can be written, pasted or uploaded; what is uploaded stands in its place."""

    uploads = MappingProxyType({"files": "subject"})

    def add_own_fields(self) -> None:
        self.fields["files"] = TextUpload(
            required=False,
            label="Or upload it",
            help_text="One text file or PDF, or several files of code, which are put together, each under its name. "
            "It takes the place of what stands above.",
        )

    def main_fields(self) -> list[forms.BoundField]:
        """Offer the upload below the text."""
        fields = super().main_fields()
        return [*fields[1:], fields[0]]


class RubricChoiceForm(StepForm):
    """A step in which criteria are chosen, and can be looked at. ``choice`` is the field that names them.

    Shape: keys of ``own`` are the ways to name them in a body; ``rubric`` is the one by the slug of a stored rubric.
    """

    choice: ClassVar[str] = RUBRIC
    by_criterion: ClassVar[Sequence[str]] = ("initial", "not_applicable")
    """Keys that no field shows, of objects by the code of a criterion: a copy brings them along."""

    def written(self, body: Body) -> dict[str, Any]:
        """Return a body without what was said of criteria that are not those any more."""
        new, chosen = super().written(body), self.chosen()
        if any(new.get(name) != body.get(name) for name in self.own if name != "criteria"):  # which are typed
            gone = {*self.by_criterion, *({"criteria"} - {*self.own})}
            return {name: value for name, value in new.items() if name not in gone}
        codes = {row["code"] for row in chosen["criteria"]} if chosen else set()
        return {name: value for name, value in new.items() if name not in self.by_criterion or codes >= {*value}}

    @classmethod
    def with_rubric(cls, body: Body, slug: str) -> dict[str, Any]:
        """Return a body that names a stored rubric and nothing else."""
        return {**{name: value for name, value in body.items() if name not in cls.own}, RUBRIC: slug}

    def slug(self) -> str:
        """Return which stored rubric is chosen; nothing: none is."""
        return str(self[self.choice].value() or "")

    def stored(self) -> Rubric | None:
        return stored_rubric(self.slug())

    def chosen(self) -> Mapping[str, Any] | None:
        """Return the criteria that are chosen, as a snapshot of a rubric; nothing where they are none yet."""
        rubric = self.stored()
        return rubrics.snapshot_of(rubric) if rubric else None


def stored_rubric(slug: str) -> Rubric | None:
    if "\0" in slug:  # the database would be asked in vain
        return None
    return rubrics.newest().prefetch_related("criteria").filter(slug=slug).first()


class VoicesForm(StepForm):
    """A step in which it is said who answers, and, where it asks for a script, what a script answers."""

    uploads = MappingProxyType({SCRIPT_FILE: "script"})

    def add_field(self, path: str, *, source: serializers.Field[Any, Any, Any, Any]) -> None:
        """Offer the providers there are, in words."""
        super().add_field(path, source=source)
        if path.rpartition(".")[2] == "provider":
            blank = [("", "as who judges")] if default_of(source) == "" else []
            self.fields[path].widget = forms.Select(choices=[*blank, *SPEAKS.items()])
        if path == "script":
            self.fields[path].initial = self.in_box(path, self.body.get(path))
            self.fields[path].widget = forms.Textarea(attrs={"rows": "6", "spellcheck": "false", "class": "mono"})
            help_text = "A text file. It takes the place of what stands above."
            self.fields[SCRIPT_FILE] = ScriptUpload(required=False, label="Or upload it", help_text=help_text)
            self.offer_to_empty(path)


def labels_of(step: FormStep, serializer: serializers.Serializer[Any]) -> dict[str, str]:
    """Return what the fields of a step are called, and the columns of its rows."""
    sources = {path: field_at(serializer, path) for path in (*step.fields, *step.more)}
    if issubclass(step.form, RowsForm):
        listed: Any = serializer.fields[step.form.key]
        sources |= {name: listed.child.fields[name] for name in step.form.columns}
    return {path: str(field_from(source).label) for path, source in sources.items()}


class Ticked(forms.MultipleChoiceField):
    """Several of some words; whether they are among them the serializer says, of all that can be kept."""

    def valid_value(self, value: Any) -> bool:
        return "\0" not in value


class RowsForm(VoicesForm):
    """A step with rows of which each is one member of a list: who sits at a table, who judges.

    A row in which nothing was typed is none; ``filled`` are the numbers of the others. ``key`` is the list's key in the
    body.
    """

    key: ClassVar[str]
    columns: ClassVar[Sequence[str]]
    least: ClassVar[int] = 2
    most: ClassVar[int] = 12

    def add_own_fields(self) -> None:
        """Add the fields of every row there is, and of the blank ones."""
        listed: Any = self.serializer.fields[self.key]
        self.row_count = min(self.most, max(self.least, len(self.kept_rows()) + self.blank_rows, self.rows_sent()))
        self.filled = list(range(min(self.row_count, len(self.kept_rows()))))
        for number in range(self.row_count):
            for name in self.columns:
                self.add_field(f"{self.key}.{number}.{name}", source=listed.child.fields[name])

    def kept_rows(self) -> Sequence[Mapping[str, Any]]:
        kept = self.body.get(self.key, [])
        return kept if isinstance(kept, list) else []

    def rows_sent(self) -> int:
        """Return how many rows the page had that was sent."""
        if not self.is_bound:
            return 0
        numbers = [name.split(".")[1] for name in self.data if name.startswith(f"{self.key}.")]
        return max((int(number) + 1 for number in numbers if number.isdecimal() and len(number) < 3), default=0)

    def part(self) -> dict[str, Any]:
        """Return the rows as a list; those that are empty are left out."""
        part = super().part()
        filled = part.pop(self.key, {})
        rows = [filled.get(str(number), {}) for number in range(self.row_count)]
        self.filled = [number for number, row in enumerate(rows) if any(str(value).strip() for value in row.values())]
        part[self.key] = [rows[number] for number in self.filled]
        return part

    def field_of(self, path: str) -> str | None:
        """A row of the body is found where it was typed: rows before it may be empty."""
        key, *rest = path.split(".")
        if key == self.key and rest and rest[0].isdecimal() and int(rest[0]) < len(self.filled):
            path = ".".join([key, str(self.filled[int(rest[0])]), *rest[1:]])
        return super().field_of(path)

    def row_fields(self) -> list[list[forms.BoundField]]:
        return [[self[f"{self.key}.{number}.{name}"] for name in self.columns] for number in range(self.row_count)]

    def main_fields(self) -> list[forms.BoundField]:
        return [field for field in super().main_fields() if not field.name.startswith(f"{self.key}.")]

    def may_grow(self) -> bool:
        return self.row_count < self.most
