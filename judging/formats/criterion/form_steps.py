"""The steps in which a criterion debate is asked for on pages."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.text import capfirst

from debates.types import Role
from judging.formats.form_steps import FormStep, RubricChoiceForm, StepForm, SubjectForm, VoicesForm, field_at, put
from judging.formats.forms import SPEAKS
from scoring import rubrics
from scoring.models import Rubric


class RubricForm(RubricChoiceForm):
    """Which rubric is played: the newest version of each."""

    own = ("rubric",)

    def add_own_fields(self) -> None:
        source = field_at(self.serializer, "rubric")
        choices = [(row.slug, described(row)) for row in rubrics.newest().order_by("name")]
        self.fields["rubric"] = forms.CharField(
            label="Rubric",
            required=False,
            help_text="The questions, what they weigh, and what high and low scores mean. The debate keeps a copy.",
            initial=self.body.get("rubric") or (choices[0][0] if choices else None),
            widget=forms.RadioSelect(choices=choices),
        )
        self.sources["rubric"] = source


def described(rubric: Rubric) -> str:
    return f"{rubric.name}: {rubric.criteria_count} criteria, version {rubric.version}"


class CastForm(VoicesForm):
    """Who speaks, and from which sides the red team attacks."""

    own = ("providers",)
    roles = {
        Role.EVALUATOR: "Who answers for the evaluator, who gives the first scores and defends them.",
        Role.CHALLENGER: "Who answers for the red team.",
        Role.ARBITER: "Who answers for the arbiter, whose rulings move the scores.",
    }

    def add_own_fields(self) -> None:
        kept = self.body.get("providers") or {}
        for role, about in self.roles.items():
            self.fields[f"providers.{role.value}"] = forms.CharField(
                label=capfirst("red team" if role is Role.CHALLENGER else role.value),
                help_text=about,
                required=False,
                initial=kept.get(role.value, ""),
                widget=forms.Select(choices=[("", "as above"), *SPEAKS.items()]),
            )

    def part(self) -> dict[str, Any]:
        part = super().part()
        for role in self.roles:
            chosen = self.cleaned_data.get(f"providers.{role.value}")
            if chosen:
                put(part, f"providers.{role.value}", chosen)
        return part

    def main_fields(self) -> list[forms.BoundField]:
        return [field for field in super().main_fields() if not field.name.startswith("providers.")]

    def more_fields(self) -> list[forms.BoundField]:
        return [*(self[f"providers.{role.value}"] for role in self.roles), *super().more_fields()]


class PlayForm(StepForm):
    """How much of the rubric is played, and how long."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        does = "How long a person or a program that rules has for a round."
        self.offer_durations("ballot_seconds", label="Time for a ballot", help_text=does)
        slug = self.body.get("rubric")
        rubric = rubrics.newest().filter(slug=slug).prefetch_related("criteria").first() if slug else None
        rows = rubric.criteria.all() if rubric else ()
        field: Any = self.fields["criteria"]
        field.choices = [(row.code, f"{row.code} {row.name}") for row in rows]
        field.help_text = "Only those that are ticked are played; none: all of them."


STEPS = (
    FormStep(
        "subject",
        "What is judged",
        "A text that makes a case: a plan, a proposal, an article.",
        SubjectForm,
        fields=("title", "subject"),
    ),
    FormStep(
        "rubric", "By which criteria", "Each criterion is one thread of the debate with a score of its own.", RubricForm
    ),
    FormStep(
        "voices",
        "Who speaks and judges",
        "An evaluator gives scores and defends them; a red team attacks them; an arbiter moves them. A person, or a "
        "program of somebody's own, that rules is invited once the debate is made.",
        CastForm,
        fields=("provider", "model", "arbiter", "personas"),
        more=("script",),
    ),
    FormStep(
        "play",
        "How it is played",
        "Each of these has a value that is good for most debates.",
        PlayForm,
        fields=(
            "rounds",
            "challenges_per_criterion",
            "ballot_seconds",
            "limits.calls",
            "limits.tokens",
            "limits.money",
            "visibility",
            "pace",
        ),
        more=(
            "criteria",
            "score_updates",
            "criteria_per_assessment",
            "weight_by_confidence",
            "pace",
            "fairness.swap",
            "fairness.repeats",
            "panel",
        ),
    ),
)
