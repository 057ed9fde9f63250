"""Responses as somebody wants them judged: by the API, and in steps on pages."""

from collections.abc import Mapping
from typing import Any

from django.forms import Textarea
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from debates.api.fields import Choice
from debates.api.fields import words as one_of
from debates.errors import DomainError
from debates.models import Debate, Turn
from debates.types import Role
from judging.formats import shared_fields
from judging.formats.files import ScriptUpload
from judging.formats.forms import FormStep, StepForm, VoicesForm
from judging.formats.open.spec import LONGEST_MOTION, LONGEST_NAME, MOST_AT_ONCE, Judging
from judging.formats.parsing import LONGEST_TEXT
from judging.formats.responses import NAME, spec
from judging.formats.responses.play import BATCH, framework_of, number_of
from judging.formats.responses.results import responses
from judging.formats.responses.spec import GivenResponse, ResponsesSpec
from judging.formats.spec import LONGEST_TITLE
from judging.rules.adherence import Accountability
from judging.types import OFFLINE

FORMAT = [(NAME, NAME.upper())]
PLAIN = ("motion", "title", "judging", "judge_concurrency", "accountability", "provider", "model")
FILE = "responses_file"
ROW: Mapping[str, Any] = {
    "type": "object",
    "required": [spec.NEEDED],
    "additionalProperties": False,
    "properties": {
        "id": {"type": "string", "maxLength": 40},
        "speaker": {"type": "string", "maxLength": LONGEST_NAME},
        "framework": {"type": "string", "maxLength": spec.LONGEST_FRAMEWORK},
        "answered": {"type": "string", "maxLength": LONGEST_TEXT},
        "opponent": {"type": "string", "maxLength": LONGEST_NAME},
        spec.NEEDED: {"type": "string", "maxLength": LONGEST_TEXT},
    },
}


@extend_schema_field({"type": ["array", "string"], "minItems": 1, "maxItems": spec.MOST_RESPONSES, "items": ROW})
class ResponsesField(serializers.Field[Any, Any, Any, Any]):
    """Responses: a list of them, or the text of a file."""

    def to_internal_value(self, data: Any) -> tuple[GivenResponse, ...]:
        try:
            return spec.read(data) if isinstance(data, str) else spec.responses_of(data)
        except DomainError as refusal:
            raise serializers.ValidationError(refusal.message, code=refusal.code) from refusal

    def to_representation(self, value: Any) -> Any:
        return value


class ResponsesSerializer(serializers.Serializer[Any]):
    """Responses that are judged on their own: what they are about, and each with what it is judged against."""

    format = Choice(choices=FORMAT)
    motion = serializers.CharField(
        max_length=LONGEST_MOTION, label="What they are about", help_text="The motion or the question of all of them."
    )
    title = serializers.CharField(
        required=False,
        allow_blank=True,
        default="",
        max_length=LONGEST_TITLE,
        help_text="What the batch is called on every page; empty: by what it is about.",
    )
    responses = ResponsesField(
        help_text="1 to 5,000. Only `response` is needed; `framework` is the key of one that ships, or a sentence of "
        "your own; `answered` is what the response answers, and `opponent` whose words those are."
    )
    judging = Choice(
        choices=[Judging.FULL.value, Judging.QUICK.value],
        called={Judging.FULL: "with four marks", Judging.QUICK: "at a glance"},
        required=False,
        default=Judging.FULL.value,
        label="Fairness is judged",
        help_text="A glance costs nothing and gives two flags; it comes before four marks, too.",
    )
    judge_concurrency = serializers.IntegerField(
        required=False,
        default=3,
        min_value=1,
        max_value=MOST_AT_ONCE,
        help_text="How many judgements are asked for at once.",
    )
    accountability = one_of(
        Accountability,
        required=False,
        default=Accountability.MODERATE.value,
        help_text="How strictly: it decides for which responses the arbiter of a debate would interject.",
    )
    provider = shared_fields.provider_field(
        default=OFFLINE, label="Who judges", help_text="Who answers for the arbiter."
    )
    model = shared_fields.model_field()
    limits = shared_fields.MostSpentSerializer(required=False, default=dict)
    visibility = shared_fields.visibility_field()
    pace = shared_fields.pace_field()
    script = shared_fields.script_field()


def spec_of(data: Mapping[str, Any]) -> ResponsesSpec:
    responses_spec = ResponsesSpec(
        **{name: data[name] for name in PLAIN}, responses=data["responses"], **shared_fields.common_spec(data)
    )
    return spec.checked(responses_spec)


def request_of(debate: Debate) -> dict[str, Any]:
    batch = debate.parameters[BATCH]
    arbiter = debate.participants.get(role=Role.ARBITER.value)
    rows = responses(debate).select_related("participant", "answers__participant")
    listed = [row_of(turn, debate.parameters) for turn in sorted(rows, key=lambda turn: number_of(turn.slot))]
    body = {
        **shared_fields.common_request(debate),
        **{name: batch[name] for name in ("judging", "judge_concurrency", "accountability")},
        "motion": debate.motion,
        "title": "" if debate.title == debate.motion[:LONGEST_TITLE] else debate.title,
        "responses": listed,
        "provider": arbiter.provider,
        "model": shared_fields.asked_model(arbiter),
    }
    return {name: value for name, value in body.items() if value != ""}


def row_of(turn: Turn, parameters: Mapping[str, Any]) -> dict[str, str]:
    number, answered = number_of(turn.slot), turn.answers
    row = {
        "id": parameters[BATCH]["ids"][number - 1],
        "speaker": turn.participant.name,
        "framework": framework_of(parameters, number),
        "answered": answered.text if answered else "",
        "opponent": answered.participant.name if answered else "",
        "response": turn.text,
    }
    return {name: text for name, text in row.items() if text}


EXAMPLE = {
    "format": NAME,
    "motion": "Cities should make public transport free.",
    "responses": [
        {
            "id": "first",
            "speaker": "Mira",
            "framework": "utilitarian",
            "answered": "Free buses only move the cost to people who never ride them.",
            "response": "You are right that somebody pays. I weigh that against ten thousand fewer cars, and I admit "
            "that I cannot count how many riders would only have walked.",
        }
    ],
    "accountability": "strict",
}


# -- on pages --------------------------------------------------------------------------------------------------------


class ResponsesForm(StepForm):
    """What is judged: pasted as the text of a file, or uploaded."""

    uploads = {FILE: "responses"}

    def add_field(self, path: str, *, source: serializers.Field[Any, Any, Any, Any]) -> None:
        """Offer the responses as the text of a file, whether they came as one or as a list."""
        super().add_field(path, source=source)
        if path != "responses":
            return
        field = self.fields[path]
        field.initial = self.in_box(path, self.body.get(path))
        field.widget = Textarea(attrs={"rows": "10", "spellcheck": "false", "class": "mono"})
        field.help_text = (
            f"A table with a line of names (CSV), or a JSON object in each line. Columns: {', '.join(spec.COLUMNS)}. "
            "Only response is needed."
        )
        self.fields[FILE] = ScriptUpload(
            required=False,
            label="Or upload it",
            help_text="CSV or JSON lines. It takes the place of what stands above.",
        )
        self.offer_to_empty(path)


STEPS = (
    FormStep(
        "responses",
        "What is judged",
        "Responses that were given elsewhere, one or many, each with what it answers and from what it argues.",
        ResponsesForm,
        fields=("motion", "title", "responses"),
    ),
    FormStep(
        "judging",
        "Who judges",
        "An arbiter looks at how each response argues, and says for which a debate would be interrupted.",
        VoicesForm,
        fields=("provider", "model", "judging", "accountability"),
        more=("judge_concurrency", "script"),
    ),
    FormStep(
        "limits",
        "What it may cost, and who reads it",
        "What is known already costs nothing. Where a limit ends a batch, ask for it again: the rest is judged then.",
        StepForm,
        fields=("limits.calls", "limits.tokens", "limits.money", "visibility"),
        more=("pace",),
    ),
)
