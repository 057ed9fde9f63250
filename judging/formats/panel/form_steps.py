"""The steps in which a panel is asked for on pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms

from debates.errors import DomainError
from debates.types import Kind
from judging.formats.form_steps import RUBRIC, FormStep, RowsForm, RubricChoiceForm, StepForm, SubjectForm
from judging.formats.forms import SITS, SPEAKS
from judging.formats.panel.spec import LEAST_SEATS, MOST_SEATS, TEMPLATES, template, weighed
from judging.heuristics.panel import STRATEGIES
from scoring import rubrics

TEMPLATE, TYPED = "template", "criteria"
SEATED = [(kind.value, SITS[kind]) for kind in (Kind.HUMAN, Kind.EXTERNAL)]
"""Who judges from a seat, to which they are invited."""


class CriteriaForm(RubricChoiceForm):
    """What the judges are asked about: a packaged set, a stored rubric, or names with weights."""

    own = (TEMPLATE, RUBRIC, TYPED)
    choice = "chosen"

    def slug(self) -> str:
        way, _, slug = super().slug().partition(":")
        return slug if way == RUBRIC else ""

    def chosen(self) -> Mapping[str, Any] | None:
        """Return packaged and typed criteria, too; of typed ones nothing where they cannot be read."""
        way, _, slug = super().slug().partition(":")
        try:
            if way == TEMPLATE:
                return template(slug)
            if way == TYPED:
                return weighed([(row["name"], row["weight"]) for row in pairs_in(self["typed"].value() or "")])
        except DomainError:
            return None
        return super().chosen()

    def add_own_fields(self) -> None:
        packaged = [(f"{TEMPLATE}:{slug}", f"Packaged: {slug}") for slug in TEMPLATES]
        stored = [(f"{RUBRIC}:{row.slug}", f"Rubric: {row.name}") for row in rubrics.newest().order_by("name")]
        self.fields["chosen"] = forms.CharField(
            label="Criteria",
            required=False,
            initial=chosen_in(self.body),
            help_text="What each judge scores from 1 to 5.",
            widget=forms.RadioSelect(choices=[*packaged, *stored, (TYPED, "Names and weights of your own, below")]),
        )
        self.fields["typed"] = forms.CharField(
            label="Names and weights",
            required=False,
            initial=lines_of(self.body),
            help_text="One criterion a line: its name, a colon, its weight. Such as correctness: 60. Only the "
            "proportions of the weights matter.",
            widget=forms.Textarea(attrs={"rows": "5"}),
        )

    def part(self) -> dict[str, Any]:
        """Return exactly one of the three ways to say it."""
        chosen, _, slug = self.cleaned_data.get("chosen", "").partition(":")
        part = super().part()
        if chosen == TYPED:
            part[TYPED] = pairs_in(self.cleaned_data.get("typed", ""))
        elif chosen:
            part[chosen] = slug
        return part

    def field_of(self, path: str) -> str | None:
        """Show what is wrong with typed criteria below them, and all else below the choice."""
        first = path.partition(".")[0]
        if first == TYPED:
            return "typed"
        return "chosen" if first in self.own else super().field_of(path)


def chosen_in(body: Mapping[str, Any]) -> str:
    """Return what a body chose, as the form names it."""
    if TYPED in body:
        return TYPED
    named = next((name for name in (TEMPLATE, RUBRIC) if name in body), "")
    return f"{named}:{body[named]}" if named else f"{TEMPLATE}:{TEMPLATES[0]}"


def lines_of(body: Mapping[str, Any]) -> str:
    return "\n".join(f"{row.get('name', '')}: {row.get('weight', '')}" for row in body.get(TYPED, ()))


def pairs_in(text: str) -> list[dict[str, str]]:
    return [pair_of(line) for line in text.splitlines() if line.strip()]


def pair_of(line: str) -> dict[str, str]:
    name, colon, weight = line.rpartition(":")
    return {"name": name.strip(), "weight": weight.strip()} if colon else {"name": line.strip(), "weight": ""}


def as_typed(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a judge of a body as the form shows it: who sits on a seat stands among those who can be asked."""
    kind = row.get("kind", Kind.ENGINE.value)
    return row if kind == Kind.ENGINE.value else {"provider": kind}


class JudgesForm(RowsForm):
    """Who sits on the panel."""

    own = ("judges",)
    key = "judges"
    columns = ("provider", "model", "strategy")
    least, most = LEAST_SEATS, MOST_SEATS

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["reporter.provider"].label = "Who reports"
        self.fields["reporter.provider"].help_text = "Who writes the closing words, once the panel has judged."
        self.fields["reporter.model"].label = "Model of who reports"

    def kept_rows(self) -> Any:
        """Return the judges of the body, or three offline ones, as a request that names none has."""
        return super().kept_rows() or [{}, {}, {}]

    def add_own_fields(self) -> None:
        """Let every row be left empty."""
        if self.key in self.body:
            self.body = {**self.body, self.key: [as_typed(row) for row in super().kept_rows()]}
        super().add_own_fields()
        for name, field in self.fields.items():
            if name.startswith("judges.") and name.endswith(".provider"):
                field.widget = forms.Select(choices=[("", "nobody"), *SPEAKS.items(), *SEATED])
                number = int(name.split(".")[1])
                field.initial = field.initial if number < len(self.kept_rows()) else ""
            if name.startswith("judges.") and name.endswith(".strategy"):
                field.widget = forms.Select(choices=[("", "in turn"), *((way, way) for way in STRATEGIES)])

    def part(self) -> dict[str, Any]:
        """Return the seats in which somebody sits."""
        part = super().part()
        seated = [
            number for number in range(self.row_count) if self.cleaned_data.get(f"judges.{number}.provider", "").strip()
        ]
        rows = []
        for number in seated:
            texts = {name: self.cleaned_data.get(f"judges.{number}.{name}", "").strip() for name in self.columns}
            is_seat = texts["provider"] in dict(SEATED)
            rows.append(
                {"kind": texts["provider"]} if is_seat else {name: text for name, text in texts.items() if text}
            )
        part[self.key] = rows
        return part


class PanelPlayForm(StepForm):
    """How it is played, and how long people have for a ballot."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        does = "How long people and programs have for a ballot; who gives none abstains."
        self.offer_durations("ballot_seconds", label="Time for a ballot", help_text=does)


STEPS = (
    FormStep(
        "subject",
        "What is judged",
        "Code, a design or a document, and what it was to accomplish.",
        SubjectForm,
        fields=("title", "task", "subject"),
    ),
    FormStep(
        "criteria", "By which criteria", "Every judge scores every criterion alone, and then they argue.", CriteriaForm
    ),
    FormStep(
        "judges",
        "Who judges",
        "One to nine judges; one argues with nobody. Offline judges read in three ways; those who read alike agree. "
        "People, and programs of somebody's own, are invited to their seats once the panel is made.",
        JudgesForm,
        more=("reporter.provider", "reporter.model", "script"),
    ),
    FormStep(
        "play",
        "How it is played",
        "Each of these has a value that is good for most panels.",
        PanelPlayForm,
        fields=("rounds", "ballot_seconds", "limits.calls", "limits.tokens", "limits.money", "visibility"),
        more=(
            "policy.spread",
            "policy.criterion_spread",
            "policy.quorum",
            "policy.pass_mark",
            "policy.revision_mark",
            "policy.amend",
            "policy.confidence",
            "policy.hide_names",
            "pace",
            "fairness.swap",
            "fairness.repeats",
        ),
    ),
)
