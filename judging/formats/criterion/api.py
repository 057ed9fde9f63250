"""A criterion debate as somebody wants it: by the API, and in steps on pages."""

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.forms import BoundField, CharField, RadioSelect, Select
from django.utils.text import capfirst
from rest_framework import serializers

from debates.api.fields import Choice, GivenNumber, words
from debates.errors import NotFound, about
from debates.models import Debate
from debates.types import Conduct, Kind, Role
from judging.formats import panel as panel_format
from judging.formats import shared_fields
from judging.formats.criterion import ARBITER, NAME
from judging.formats.criterion.spec import (
    MOST_CHALLENGES,
    MOST_CRITERIA_PER_ASSESSMENT,
    MOST_ROUNDS,
    OPTIONAL_PERSONAS,
    PERSONAS,
    UPDATES,
    CriterionSpec,
    chosen_criteria,
)
from judging.formats.forms import (
    Body,
    FormStep,
    RubricChoiceForm,
    StepForm,
    SubjectForm,
    VoicesForm,
    field_at,
    put,
    stored_rubric,
)
from judging.formats.shared_fields import SPEAKS
from judging.formats.spec import LONGEST_SUBJECT, LONGEST_TITLE, payable
from judging.types import OFFLINE
from scoring import rubrics
from scoring.models import Criterion, Rubric
from scoring.types import Parameters

ASKED = ("personas", "criteria_per_assessment")
"""How engines are asked, of which there are none in a debate that is conducted elsewhere."""
PLAYED = ("challenges_per_criterion", "score_updates", *ASKED)
FORMAT = [(NAME, NAME.upper())]
PLAIN = (
    "title", "subject", "criteria", "rounds", "challenges_per_criterion", "personas", "score_updates",
    "criteria_per_assessment", "provider", "providers", "model", "arbiter", "ballot_seconds",
)  # fmt: skip


class FirstSerializer(serializers.Serializer[Any]):
    """What a criterion's account is opened with."""

    score = GivenNumber(help_text="1 to 10, at most 2 places.")
    confidence = GivenNumber(required=False, default="0.5", help_text="0 to 1, at most 2 places.")


class CriterionDebateSerializer(serializers.Serializer[Any]):
    """A criterion debate as somebody wants it."""

    format = Choice(choices=FORMAT, required=False, default=NAME)
    title = serializers.CharField(max_length=LONGEST_TITLE, help_text="What the debate is called on every page.")
    subject = serializers.CharField(
        max_length=LONGEST_SUBJECT, help_text="The whole text that is judged: nothing else is read."
    )
    rubric = serializers.SlugField(help_text="The slug of a stored rubric.", max_length=50)
    criteria = serializers.ListField(
        child=serializers.CharField(max_length=20),
        required=False,
        default=list,
        max_length=100,
        help_text="The criteria that are played, by their codes; none: all of the rubric.",
    )
    rounds = serializers.IntegerField(
        required=False,
        default=3,
        min_value=1,
        max_value=MOST_ROUNDS,
        help_text="How often each criterion is challenged, defended and ruled on: 1 to 5.",
    )
    challenges_per_criterion = serializers.IntegerField(
        required=False,
        default=3,
        min_value=1,
        max_value=MOST_CHALLENGES,
        label="Challenges a round",
        help_text="How many the red team may raise against a score in one round: 1 to 10.",
    )
    personas = serializers.ListField(
        child=Choice(choices=[*PERSONAS, *OPTIONAL_PERSONAS]),
        required=False,
        default=list(PERSONAS),
        max_length=6,
        label="Red team",
        help_text="From which sides the red team attacks.",
    )
    score_updates = Choice(
        choices=list(UPDATES),
        called={UPDATES[0]: "after every round", UPDATES[1]: "at the end"},
        required=False,
        default=UPDATES[0],
        label="Scores move",
        help_text="When rulings count.",
    )
    criteria_per_assessment = serializers.IntegerField(
        required=False,
        default=1,
        min_value=1,
        max_value=MOST_CRITERIA_PER_ASSESSMENT,
        help_text="How many criteria the evaluator is asked about at once before play.",
    )
    initial = serializers.DictField(child=FirstSerializer(), required=False, default=dict)
    panel = serializers.UUIDField(
        required=False,
        allow_null=True,
        default=None,
        label="Scores of a panel",
        help_text="A concluded panel that gives the initial scores.",
    )
    provider = shared_fields.provider_field(
        default=OFFLINE, label="Who speaks and judges", help_text="Who answers for all three voices."
    )
    providers = serializers.DictField(child=serializers.CharField(max_length=40), required=False, default=dict)
    model = shared_fields.model_field()
    limits = shared_fields.MostSpentSerializer(required=False, default=dict)
    fairness = shared_fields.OptionsSerializer(required=False, default=dict)
    visibility = shared_fields.visibility_field()
    pace = shared_fields.pace_field()
    script = shared_fields.script_field()
    conducted_by = words(Conduct, required=False, default=Conduct.ENGINE.value)
    arbiter = shared_fields.seat_field(label="Who rules", help_text="An engine, a person, or a program of yours.")
    ballot_seconds = shared_fields.ballot_seconds_field()
    weight_by_confidence = serializers.BooleanField(
        required=False, default=False, help_text="Let a ruling count the more, the surer the arbiter is of it."
    )


def panel_of(panel: UUID | None, *, readable: QuerySet[Debate]) -> str:
    """Return the id of the panel that gives the initial scores, if one is named.

    Raises: ``NotFound`` where the caller may not read it.
    """
    if panel is None:
        return ""
    if not readable.filter(public_id=panel, format=panel_format.NAME).exists():
        raise NotFound(f"There is no panel {panel} that you may read.", field="panel")
    return str(panel)


def spec_of(data: Mapping[str, Any], *, readable: QuerySet[Debate]) -> CriterionSpec:
    same = {name: data[name] for name in PLAIN}
    initial = {code: (first["score"], first["confidence"]) for code, first in data["initial"].items()}
    with about("rubric"):
        rubric = rubric_of(data["rubric"])
    spec = CriterionSpec(
        **same,
        rubric=rubric,
        initial=initial,
        panel=panel_of(data["panel"], readable=readable),
        **shared_fields.common_spec(data),
        conducted_by=Conduct(data["conducted_by"]),
        score=Parameters.from_options({"weight_by_confidence": data["weight_by_confidence"]}),
    )
    payable(spec.limits, least=sum(first_calls(spec).values()))
    return spec


def first_calls(spec: CriterionSpec) -> Mapping[Role, int]:
    """Return what the first round takes: a challenge, a defence, a ruling, after every criterion was assessed."""
    threads = len(chosen_criteria(rubric=spec.rubric, criteria=spec.criteria))
    assessed = 0 if spec.initial or spec.panel else -(-threads // spec.criteria_per_assessment)
    rulings = spec.fairness.judgements if spec.arbiter == Kind.ENGINE.value else 0
    return {Role.EVALUATOR: assessed + 1, Role.CHALLENGER: 1, Role.ARBITER: rulings}


def rubric_of(rubric: str | Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a stored rubric by its slug, or one that was read from a file already."""
    return rubrics.snapshot(slug=rubric) if isinstance(rubric, str) else rubric


def request_of(debate: Debate) -> dict[str, Any]:
    kept, subject = debate.parameters, debate.subject
    played = list(debate.threads.order_by("position").values_list("key", flat=True))
    elsewhere = debate.conducted_by == Conduct.EXTERNAL.value
    speaks = Kind.EXTERNAL.value if elsewhere else Kind.ENGINE.value
    voices = {voice.role: voice for voice in debate.participants.all() if voice.kind == speaks}
    chosen = voices.get(Role.ARBITER.value)
    panel = kept.get("initial_from", {}).get("panel", "")
    initial = {code: {"score": score, "confidence": sure} for code, (score, sure) in kept["initial"].items()}
    body = {
        **shared_fields.common_request(debate),
        **{name: kept["play"][name] for name in PLAYED if name in kept["play"] and not (elsewhere and name in ASKED)},
        "title": debate.title,
        "subject": subject.text if subject else "",
        "rubric": kept["rubric"]["slug"],
        "criteria": played if len(played) < len(kept["rubric"]["criteria"]) else [],
        "rounds": debate.rounds,
        "conducted_by": debate.conducted_by if elsewhere else "",
        "provider": chosen.provider if chosen and not elsewhere else OFFLINE,
        "model": next(filter(None, map(shared_fields.asked_model, voices.values())), ""),
        "providers": {
            role: voice.provider for role, voice in voices.items() if chosen and voice.provider != chosen.provider
        },
        "weight_by_confidence": kept["score"].get("weight_by_confidence", False),
        **shared_fields.seats_asked_for(debate, kept["play"], {"arbiter": ARBITER}),
        **({"panel": panel} if panel else {"initial": initial}),
    }
    return {name: value for name, value in body.items() if value not in ("", [], {}, False)}


EXAMPLE = {"title": "Soil probes", "subject": "We will measure 120 wells in 2027.", "rubric": "venture", "rounds": 2}


# -- the steps on pages ------------------------------------------------------------------------------------------------


class RubricForm(RubricChoiceForm):
    """Which rubric is played: the newest version of each."""

    own = ("rubric",)

    def add_own_fields(self) -> None:
        source = field_at(self.serializer, "rubric")
        choices = [(row.slug, described(row)) for row in rubrics.newest().order_by("name")]
        chosen = "Of this one you chose criteria: another is played with those of them that it has, else with all."
        self.fields["rubric"] = CharField(
            label="Rubric",
            required=False,
            help_text="The questions, what they weigh, and what high and low scores mean. The debate keeps a copy."
            + (f" {chosen}" if self.body.get("criteria") else ""),
            initial=self.body.get("rubric") or (choices[0][0] if choices else None),
            widget=RadioSelect(choices=choices),
        )
        self.sources["rubric"] = source

    def written(self, body: Body) -> dict[str, Any]:
        """Return a body with those criteria to be played that another rubric has as well, by code and name."""
        new = super().written(body)
        if not body.get("criteria") or "criteria" in new:
            return new
        slugs = (body.get("rubric"), self.slug())
        before, after = ({(row.code, row.name) for row in criteria_of(slug)} for slug in slugs)
        shared = {code for code, _ in before & after}
        played = [code for code in body["criteria"] if code in shared]
        return {**new, "criteria": played} if played else new


def criteria_of(slug: object) -> Iterable[Criterion]:
    rubric = stored_rubric(str(slug or ""))
    return rubric.criteria.all() if rubric else ()


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
        for role, words_about in self.roles.items():
            self.fields[f"providers.{role.value}"] = CharField(
                label=capfirst("red team" if role is Role.CHALLENGER else role.value),
                help_text=words_about,
                required=False,
                initial=kept.get(role.value, ""),
                widget=Select(choices=[("", "as above"), *SPEAKS.items()]),
            )

    def part(self) -> dict[str, Any]:
        part = super().part()
        for role in self.roles:
            chosen = self.cleaned_data.get(f"providers.{role.value}")
            if chosen:
                put(part, f"providers.{role.value}", chosen)
        return part

    def main_fields(self) -> list[BoundField]:
        return [field for field in super().main_fields() if not field.name.startswith("providers.")]

    def more_fields(self) -> list[BoundField]:
        return [*(self[f"providers.{role.value}"] for role in self.roles), *super().more_fields()]


class PlayForm(StepForm):
    """How much of the rubric is played, and how long."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        does = "How long a person or a program that rules has for a round."
        self.offer_durations("ballot_seconds", label="Time for a ballot", help_text=does)
        field: Any = self.fields["criteria"]
        field.choices = [(row.code, f"{row.code} {row.name}") for row in criteria_of(self.body.get("rubric"))]
        field.help_text = "Only those that are ticked are played; none: all of them."

    def written(self, body: Body) -> dict[str, Any]:
        """Return a body with the first scores that a copy brought, which no field shows, of what is still played; with
        none of them where they are not all there, or a panel gives them.
        """
        new = super().written(body)
        initial = new.pop("initial", None) or {}
        offered: Any = self.fields["criteria"]
        codes = new.get("criteria") or [code for code, _ in offered.choices]
        if new.get("panel") or not codes or not {*codes} <= {*initial}:
            return new
        return {**new, "initial": {code: initial[code] for code in codes}}


OFTEN_CHOSEN = (
    "rounds", "challenges_per_criterion", "ballot_seconds", "limits.calls", "limits.tokens", "limits.money",
    "visibility",
)  # fmt: skip
SELDOM_CHOSEN = (
    "criteria", "score_updates", "criteria_per_assessment", "weight_by_confidence", "pace", "fairness.swap",
    "fairness.repeats", "panel",
)  # fmt: skip
"""What is asked for of how it is played, before what most people leave as it is, and among that."""
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
        fields=OFTEN_CHOSEN,
        more=SELDOM_CHOSEN,
        settles=("initial",),
    ),
)
