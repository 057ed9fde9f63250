"""An open debate as somebody wants it: by the API, and in steps on pages."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, cast

from django.utils.datastructures import MultiValueDict
from rest_framework import serializers

from debates.api.fields import Choice, GivenNumber
from debates.api.fields import words as one_of
from debates.errors import Invalid, NotAllowedNow
from debates.models import Debate
from debates.types import Kind, Role
from judging.formats import shared_fields
from judging.formats.forms import FormStep, RowsForm, StepForm, VoicesForm, default_of
from judging.formats.open import EVALUATOR, NAME, PERSUASION_JUDGE, spec
from judging.formats.open.spec import ChairSpec, Judging, TableSpec
from judging.formats.spec import LONGEST_TITLE, MOST_SECONDS, payable
from judging.rules import frameworks
from judging.rules.adherence import Accountability
from judging.rules.persuasion import OPTION_FIELDS, RULE_SETS, WORDS, Strategy
from judging.rules.standing import Credit
from judging.types import OFFLINE, EffectSource

KEPT = (
    "tone", "introduction", "judging", "accountability", "interjections", "persuasion", "effects", "judge_concurrency",
    "turn_seconds", "credit",
)  # fmt: skip
ASKED_OF_CHAIRS = ("name", "framework", "stance", "conviction", "strategy", "strategy_changes")
UNSHOWN = ("rules", "words")
FORMAT = [(NAME, NAME.upper())]
PLAIN = (
    "motion", "title", "exchanges", "tone", "introduction", "judging", "accountability", "interjections", "persuasion",
    "effects", "judge_concurrency", "turn_seconds", "rule_set", "rules", "words", "credit", "provider", "model",
    "evaluator", "persuasion_judge", "ballot_seconds",
)  # fmt: skip


class GivenChairSerializer(serializers.Serializer[Any]):
    """Somebody at the table."""

    name = serializers.CharField(max_length=spec.LONGEST_NAME, help_text="What they are called in the debate.")
    framework = Choice(
        choices=["", *frameworks.frameworks()],
        called={"": "none"} | {key: row.name for key, row in frameworks.frameworks().items()},
        required=False,
        default="",
        label="Argues from",
        help_text="From which moral framework they argue.",
    )
    stance = GivenNumber(required=False, default="0", help_text="-1 to 1, at most 2 places.")
    conviction = GivenNumber(required=False, default="0.5", help_text="0 to 1, at most 2 places.")
    strategy = one_of(
        Strategy,
        required=False,
        default=Strategy.ADAPTIVE.value,
        help_text="How an engine argues; without effect for others.",
    )
    strategy_changes = serializers.CharField(
        required=False,
        allow_blank=True,
        default="",
        max_length=400,
        label="Later",
        help_text="From which exchange on they argue how, such as 3:empathetic, 5:defensive.",
    )
    provider = shared_fields.provider_field(
        allow_blank=True, default="", label="Engine", help_text="Who answers; empty: who judges."
    )
    model = shared_fields.model_field()
    kind = one_of(
        Kind,
        called=shared_fields.SITS,
        label="Who speaks",
        required=False,
        default=Kind.ENGINE.value,
        help_text="Who speaks: an engine, a person, or a program of yours.",
    )


class OpenDebateSerializer(serializers.Serializer[Any]):
    """An open debate as somebody wants it: a motion, and a preset or chairs of one's own."""

    format = Choice(choices=FORMAT)
    motion = serializers.CharField(max_length=spec.LONGEST_MOTION, help_text="At least 10 characters.")
    title = serializers.CharField(
        required=False,
        allow_blank=True,
        default="",
        max_length=LONGEST_TITLE,
        help_text="What the debate is called on every page; empty: by its motion.",
    )
    preset = Choice(choices=list(frameworks.presets()), required=False)
    chairs = GivenChairSerializer(many=True, required=False, max_length=spec.MOST_CHAIRS)  # type: ignore[call-arg]  # of the list
    exchanges = serializers.IntegerField(
        required=False,
        default=3,
        min_value=1,
        max_value=spec.MOST_EXCHANGES,
        help_text="How often everybody speaks after the openings: 1 to 30.",
    )
    tone = Choice(
        choices=list(frameworks.tones()), required=False, default=frameworks.SPIRITED, help_text="How they speak."
    )
    turn_seconds = serializers.IntegerField(
        required=False,
        default=86_400,
        min_value=1,
        max_value=MOST_SECONDS,
        help_text="How long a person or a program has for a turn.",
    )
    introduction = serializers.BooleanField(
        required=False, default=True, help_text="Whether the arbiter says first what it is about."
    )
    judging = one_of(
        Judging,
        called={"full": "with four marks", "quick": "at a glance", "off": "not at all"},
        required=False,
        default=Judging.FULL.value,
        label="Fairness of responses is judged",
        help_text="How closely the arbiter looks at how each response argues.",
    )
    judge_concurrency = serializers.IntegerField(
        required=False,
        default=3,
        min_value=1,
        max_value=spec.MOST_AT_ONCE,
        help_text="How many judgements of responses are asked for at once.",
    )
    accountability = one_of(
        Accountability,
        required=False,
        default=Accountability.MODERATE.value,
        help_text="How strictly speakers are held to the rules of fair argument.",
    )
    interjections = serializers.BooleanField(
        required=False, default=True, help_text="Whether the arbiter answers whoever breaks those rules."
    )
    persuasion = serializers.BooleanField(
        required=False, default=True, help_text="Whether speakers move each other, and somebody wins."
    )
    effects = Choice(
        choices=["", EffectSource.JUDGE.value, EffectSource.WORDS.value],
        called={"": "by whoever can", EffectSource.JUDGE: "by a judge", EffectSource.WORDS: "by word lists"},
        required=False,
        label="Effects are weighed",
        default="",
        help_text="Empty: a model weighs, else the word lists count.",
    )
    rule_set = Choice(
        choices=list(RULE_SETS), required=False, default="classic", help_text="How hard it is to persuade somebody."
    )
    rules = serializers.DictField(required=False, default=dict, help_text="What is changed in the rule set.")
    words = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField(max_length=80), max_length=spec.MOST_WORDS),
        required=False,
        default=dict,
        help_text="Further words for the lists `persuasion`, `attack`, `evidence`.",
    )
    fairness = shared_fields.OptionsSerializer(required=False, default=dict)
    credit = one_of(
        Credit,
        required=False,
        default=Credit.SHARED.value,
        help_text="Whose persuasion counts in a standing: all that opponents felt, or only what one caused oneself.",
    )
    provider = shared_fields.provider_field(
        default=OFFLINE, label="Who judges", help_text="Who answers for the arbiter, and for chairs that name nobody."
    )
    model = shared_fields.model_field()
    evaluator = shared_fields.seat_field(
        label="Who judges fairness", help_text="Who gives responses their marks: an engine, a person, or a program."
    )
    persuasion_judge = shared_fields.seat_field(
        label="Who judges persuasion", help_text="Who weighs what responses do: an engine, a person, or a program."
    )
    ballot_seconds = shared_fields.ballot_seconds_field()
    limits = shared_fields.MostSpentSerializer(required=False, default=dict)
    visibility = shared_fields.visibility_field()
    pace = shared_fields.pace_field()
    script = shared_fields.script_field()
    repeat_of = serializers.UUIDField(
        required=False, allow_null=True, default=None, help_text="An open debate that has ended and is held again."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse keys that would have no effect, even where they say what would be so anyway."""
        without = spec.idle(
            persuasion=attrs["persuasion"],
            judging=attrs["judging"],
            interjections=attrs["interjections"],
            effects=spec.weighed_by(**{name: attrs[name] for name in ("effects", "provider", "persuasion_judge")}),
        )
        named = {name: f"Without effect, because {why}." for name, why in without.items() if name in self.initial_data}
        if named:
            raise serializers.ValidationError(named)
        return attrs


def spec_of(data: Mapping[str, Any]) -> TableSpec:
    """Return a request for an open debate as the service takes it."""
    table = TableSpec(
        **{name: data[name] for name in PLAIN},
        chairs=chairs_of(data),
        **shared_fields.common_spec(data),
        repeat_of=str(data["repeat_of"] or ""),
    )
    first, openings = first_calls(table), sum(chair.kind == Kind.ENGINE.value for chair in table.chairs)
    payable(table.limits, least=openings * first[Role.CHAIR] + first[Role.ARBITER])
    return table


def first_calls(spec: TableSpec) -> Mapping[Role, int]:
    """Return what comes before the first exchange: the introduction, and an opening of each chair."""
    return {Role.CHAIR: 1, Role.ARBITER: int(spec.introduction)}


def chairs_of(data: Mapping[str, Any]) -> tuple[ChairSpec, ...]:
    """Return who sits at the table: those of a preset, or those that are named.

    Raises: ``Invalid`` for both or neither.
    """
    if ("preset" in data) == ("chairs" in data):
        raise Invalid("chairs and preset: give one of them.", field="chairs")
    if "preset" in data:
        return spec.from_preset(data["preset"])
    return tuple(ChairSpec(**chair) for chair in data["chairs"])


def request_of(debate: Debate) -> dict[str, Any]:
    """Return the body of a request for a debate like this one.

    Raises: ``NotAllowedNow`` for one whose speakers follow an order of their own, which nobody can ask for.
    """
    table = debate.parameters["table"]
    if "order" in table:
        raise NotAllowedNow(
            "Who speaks when in this debate is as it was when it was held before, which a copy would not keep. "
            "Have its transcript imported again, by whoever operates the site."
        )
    voices = {voice.name: voice for voice in debate.participants.all()}
    arbiter = next((voice for voice in voices.values() if voice.role == Role.ARBITER.value), None)
    chairs = []
    for kept in table["chairs"]:
        chair = {name: kept[name] for name in ASKED_OF_CHAIRS if kept.get(name)}
        voice = voices.get(kept["name"])
        if voice is not None and voice.kind != Kind.ENGINE.value:
            chair["kind"] = voice.kind
        elif voice is not None and arbiter and (voice.provider, voice.model) != (arbiter.provider, arbiter.model):
            chair |= {"provider": voice.provider, "model": shared_fields.asked_model(voice)}
        chairs.append({name: text for name, text in chair.items() if text})
    options = {name: table[name] for name in ("persuasion", "judging", "interjections", "effects")}
    idle = spec.idle(**options)
    body = {
        **shared_fields.common_request(debate),
        **{name: table[name] for name in KEPT if name not in idle},
        **(persuaded_by(table) if table["persuasion"] else {}),
        "motion": debate.motion,
        "title": "" if debate.title == debate.motion[:LONGEST_TITLE] else debate.title,
        "chairs": chairs,
        "exchanges": debate.rounds,
        "provider": arbiter.provider if arbiter else OFFLINE,
        "model": shared_fields.asked_model(arbiter) if arbiter else "",
        **shared_fields.seats_asked_for(debate, table, {"evaluator": EVALUATOR, "persuasion_judge": PERSUASION_JUDGE}),
    }
    return {name: value for name, value in body.items() if value != ""}


def persuaded_by(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return the rule set of a debate, and what it changes in it and adds to the lists of words."""
    rules, known = table["rules"], asdict(WORDS)
    usual = RULE_SETS[rules["name"]].snapshot()
    changed = {name: rules[field] for name, field in OPTION_FIELDS.items() if rules[field] != usual[field]}
    further = {name: [word for word in words if word not in known[name]] for name, words in table["words"].items()}
    added = {name: words for name, words in further.items() if words}
    return {"rule_set": rules["name"], **({"rules": changed} if changed else {}), **({"words": added} if added else {})}


EXAMPLE = {
    "format": "open",
    "motion": "Cities should make public transport free.",
    "preset": "three_way_ethics",
    "exchanges": 3,
    "tone": "respectful",
    "accountability": "strict",
}


# -- the steps on pages ------------------------------------------------------------------------------------------------


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
            self.body = {**self.body, "chairs": preset_chairs(str(preset))}
        return super().kept_rows()

    def add_own_fields(self) -> None:
        super().add_own_fields()
        for row in range(self.row_count):
            self.keep_shown(f"{self.key}.{row}.before", self.fields[f"{self.key}.{row}.name"].initial)

    def clean(self) -> dict[str, Any]:
        """Empty the rows whose name was taken out: those are left out, and one that never had a name lacks it."""
        cleaned = super().clean()
        self.data = cast("MultiValueDict[str, str]", self.data).copy()
        for row in (f"{self.key}.{number}" for number in range(self.row_count)):
            name = cleaned.get(f"{row}.name", "-").strip()
            if cleaned.get(f"{row}.before") and not name:
                for path in (f"{row}.{column}" for column in self.columns):
                    self.data[path] = cleaned[path] = default_of(self.sources[path]) or ""
            self.data[f"{row}.before"] = name
        return cleaned

    def field_of(self, path: str) -> str | None:
        """Say of a table with too few that the first name that is empty is missing."""
        if path != self.key:
            return super().field_of(path)
        empty = (number for number in range(self.row_count) if number not in self.filled)
        return f"{path}.{next(empty, 0)}.name"

    @staticmethod
    def presets() -> list[frameworks.Preset]:
        return list(frameworks.presets().values())


def preset_chairs(preset: str) -> list[dict[str, str]]:
    """Return the chairs of a preset as a request names them."""
    return [
        {name: str(value) for name, value in asdict(chair).items() if name in TableForm.columns and value != ""}
        for chair in spec.from_preset(preset)
    ]


class JudgingForm(VoicesForm):
    """Who judges, and how."""

    def written(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Return a body without what a copy brought along, no field shows, and would have no effect any more."""
        body = super().written(body)
        if not body.get("persuasion", True):
            return {name: body[name] for name in body if name not in UNSHOWN}
        judge = body.get("provider", OFFLINE), body.get("persuasion_judge", Kind.ENGINE)
        if "words" in body and body.get("effects") == EffectSource.JUDGE and judge == (OFFLINE, Kind.ENGINE):
            read = {"persuasion"} if "persuasion_factors" in body.get("rules", {}) else set()
            return {**body, "words": {name: body["words"][name] for name in body["words"] if name in read}}
        return body


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
        JudgingForm,
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
        ),
        more=("introduction", "pace", "fairness.swap", "fairness.blind_names", "fairness.repeats", "judge_concurrency"),
    ),
)
