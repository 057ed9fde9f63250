"""The steps in which an open debate is asked for on pages."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from judging.formats.form_steps import FormStep, RowsForm, StepForm, VoicesForm
from judging.formats.open import spec
from judging.rules import frameworks


class TableForm(RowsForm):
    """Who sits at the table: as a preset has it, and changed as one likes."""

    own = ("chairs", "preset")
    key = "chairs"
    columns = spec.COLUMNS
    least, most = spec.LEAST_CHAIRS, spec.MOST_CHAIRS

    def kept_rows(self) -> Any:
        """Return the chairs of the body, or those of the preset that it names."""
        preset = self.body.get("preset")
        if "chairs" not in self.body and preset in frameworks.presets():
            self.body = {**self.body, "chairs": chairs_of(str(preset))}
        return super().kept_rows()

    @staticmethod
    def presets() -> list[frameworks.Preset]:
        return list(frameworks.presets().values())


def chairs_of(preset: str) -> list[dict[str, str]]:
    """Return the chairs of a preset as a request names them."""
    return [
        {name: str(value) for name, value in asdict(chair).items() if name in TableForm.columns and value != ""}
        for chair in spec.from_preset(preset)
    ]


class OpenPlayForm(StepForm):
    """How long it goes on, and how long people have for a turn."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.offer_durations("turn_seconds", label="Time for a turn")
        does = "How long a person or a program that judges has for a ballot."
        self.offer_durations("ballot_seconds", label="Time for a ballot", help_text=does)


STEPS = (
    FormStep(
        "motion",
        "What is debated",
        "A motion is a sentence that one can be for or against.",
        StepForm,
        fields=("motion", "title"),
    ),
    FormStep(
        "table",
        "Who sits at the table",
        "Engines, people, or programs of somebody's own. People are invited once the debate is made.",
        TableForm,
    ),
    FormStep(
        "judging",
        "Who judges",
        "An arbiter looks at how each response argues, and weighs what it does to those who listen.",
        VoicesForm,
        fields=("provider", "model", "judging", "accountability", "evaluator", "persuasion_judge"),
        more=("interjections", "persuasion", "effects", "rule_set", "credit", "script"),
    ),
    FormStep(
        "play",
        "How it is played",
        "Each of these has a value that is good for most debates.",
        OpenPlayForm,
        fields=(
            "exchanges",
            "turn_seconds",
            "ballot_seconds",
            "tone",
            "limits.calls",
            "limits.tokens",
            "limits.money",
            "visibility",
            "pace",
        ),
        more=("introduction", "pace", "fairness.swap", "fairness.blind_names", "fairness.repeats", "judge_concurrency"),
    ),
)
