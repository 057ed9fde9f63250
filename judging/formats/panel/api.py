"""A panel as somebody wants it: by the API, and in steps on pages."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, cast

from django.forms import CharField, RadioSelect, Select, Textarea
from django.utils.datastructures import MultiValueDict
from rest_framework import serializers

from debates.api.fields import Choice, GivenNumber
from debates.api.fields import words as one_of
from debates.errors import DomainError, Invalid, about
from debates.models import Debate, Participant
from debates.types import Kind, Role
from judging.formats import shared_fields
from judging.formats.forms import RUBRIC, FormStep, RowsForm, RubricChoiceForm, StepForm, SubjectForm
from judging.formats.panel import NAME, spec
from judging.formats.panel.spec import (
    LEAST_SEATS,
    LONGEST_CODE,
    LONGEST_TASK,
    MOST_CRITERIA,
    MOST_SEATS,
    TEMPLATES,
    JudgeSeat,
    PanelSpec,
    template,
    weighed,
)
from judging.formats.shared_fields import SITS, SPEAKS
from judging.formats.spec import LONGEST_SUBJECT, LONGEST_TITLE, MOST_SECONDS, USUAL_BALLOT_SECONDS, payable
from judging.heuristics.panel import STRATEGIES
from judging.rules.consensus import Confidence, Policy
from judging.types import OFFLINE
from scoring import rubrics

FORMAT = [(NAME, NAME.upper())]
THREE = (JudgeSeat(), JudgeSeat(), JudgeSeat())
RUBRICS = ("template", "criteria", "rubric")
SURE = {Confidence.NONE: "no", Confidence.WHOLE: "of the whole", Confidence.CRITERION: "of each criterion"}


class WeighedSerializer(serializers.Serializer[Any]):
    """A criterion and how much it weighs."""

    name = serializers.CharField(
        max_length=LONGEST_CODE, help_text="Such as `correctness`; a known one brings its own question."
    )
    weight = GivenNumber(help_text="Above 0; only the proportions matter.")


class PlaceSerializer(serializers.Serializer[Any]):
    """One voice of a panel; whoever reports is an engine."""

    provider = shared_fields.provider_field(
        default=OFFLINE, label="Who judges", help_text="Who answers from this seat."
    )
    model = shared_fields.model_field()
    strategy = Choice(
        choices=list(STRATEGIES),
        required=False,
        allow_blank=True,
        default="",
        label="Reads by",
        help_text="How an offline judge reads; left open, the seats take the ways in turn.",
    )
    kind = one_of(
        Kind,
        called=shared_fields.SITS,
        label="Who judges",
        required=False,
        default=Kind.ENGINE.value,
        help_text="Who judges: an engine, a person, or a program of yours. The two latter are invited to their seat.",
    )


class TermsSerializer(serializers.Serializer[Any]):
    """What counts as agreement; what is left out stays at its default."""

    spread = GivenNumber(
        required=False,
        label="Overall scores lie apart by at most",
        help_text="For the judges to agree, 0 to 4. Left out: 0.5.",
    )
    criterion_spread = GivenNumber(
        required=False,
        label="Scores of a criterion lie apart by at most",
        help_text="For the judges to agree, 0 to 4. Left out: 1.",
    )
    quorum = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=9,
        help_text="How many judges must have given a score. Left out: 2; of one judge 1.",
    )
    early_exit = serializers.BooleanField(
        required=False,
        help_text="Whether it is over where they agree when each has read alone; else they debate at least once, and "
        "without debate rounds a person decides. Left out: true.",
    )
    pass_mark = GivenNumber(required=False, help_text="What passes, 1 to 5. No judge sees it. Left out: 4.")
    revision_mark = GivenNumber(
        required=False, help_text="What is to be revised, not rejected, 1 to 5. No judge sees it. Left out: 3."
    )
    amend = serializers.BooleanField(
        required=False,
        label="Ballots may be amended until their round closes",
        help_text="Every version is kept; the last one counts.",
    )
    hide_names = serializers.BooleanField(
        required=False,
        label="Judges do not see in the debate whose report is whose",
        help_text="The others are Judge A, Judge B and so on; A gives most.",
    )
    confidence = one_of(
        Confidence,
        called=SURE,
        required=False,
        label="People and programs say how sure they are",
        help_text="From 0 to 1. It is shown beside the score, and moves none.",
    )


class PanelDebateSerializer(serializers.Serializer[Any]):
    """A panel as somebody wants it. Exactly one of `template`, `criteria` and `rubric` says what is judged."""

    format = Choice(choices=FORMAT)
    title = serializers.CharField(max_length=LONGEST_TITLE, help_text="What the panel is called on every page.")
    subject = serializers.CharField(
        max_length=LONGEST_SUBJECT, help_text="The whole text that is judged: nothing else is read."
    )
    task = serializers.CharField(max_length=LONGEST_TASK, help_text="What the subject was to accomplish.")
    template = Choice(choices=list(spec.TEMPLATES), required=False)
    criteria = serializers.ListField(
        child=WeighedSerializer(),
        required=False,
        min_length=1,
        max_length=MOST_CRITERIA,
        error_messages={"min_length": "Name at least one criterion."},
    )
    rubric = serializers.SlugField(required=False, max_length=50, help_text="The slug of a stored rubric.")
    judges = serializers.ListField(
        child=PlaceSerializer(),
        required=False,
        default=list,
        max_length=MOST_SEATS,
        help_text="1 to 9; three offline ones, if left out. One alone has nobody to argue with: no debate rounds.",
    )
    reporter = PlaceSerializer(required=False, default=dict, help_text="Who writes the closing words.")
    rounds = serializers.IntegerField(
        required=False,
        default=3,
        min_value=0,
        max_value=3,
        label="Debate rounds",
        help_text="How often the judges argue at most, after each has read alone: 0 to 3.",
    )
    ballot_seconds = serializers.IntegerField(
        required=False,
        default=USUAL_BALLOT_SECONDS,
        min_value=1,
        max_value=MOST_SECONDS,
        label="Time for a ballot",
        help_text="How many seconds people and programs have for a ballot; who gives none abstains.",
    )
    policy = TermsSerializer(required=False, default=dict)
    not_applicable = serializers.DictField(
        child=serializers.CharField(max_length=LONGEST_TITLE),
        required=False,
        default=dict,
        help_text="Criteria that do not apply, each with why.",
    )
    limits = shared_fields.MostSpentSerializer(required=False, default=dict)
    fairness = shared_fields.OptionsSerializer(required=False, default=dict)
    visibility = shared_fields.visibility_field()
    pace = shared_fields.pace_field()
    script = shared_fields.script_field()
    repeat_of = serializers.UUIDField(
        required=False, allow_null=True, default=None, help_text="A panel that has ended and is held again."
    )


def spec_of(data: Mapping[str, Any]) -> PanelSpec:
    chosen = {name: data[name] for name in ("title", "subject", "task", "not_applicable")}
    seats = [JudgeSeat(**seat) for seat in data["judges"]]
    with about("policy"):
        policy = Policy.from_options({**data["policy"], "debate_rounds": data["rounds"]})
    panel = PanelSpec(
        **chosen,
        seats=seats or THREE,
        rubric=rubric_of(data),
        reporter=JudgeSeat(**data["reporter"]),
        policy=policy,
        **shared_fields.common_spec(data),
        repeat_of=str(data["repeat_of"] or ""),
        ballot_seconds=data["ballot_seconds"],
    )
    engines = sum(seat.is_engine for seat in panel.seats)
    payable(panel.limits, least=engines * first_calls(panel)[Role.JUDGE])
    return panel


def first_calls(spec: PanelSpec) -> Mapping[Role, int]:
    """Return what comes before the first score: each judge reads alone."""
    return {Role.JUDGE: spec.fairness.judgements}


def rubric_of(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what the judges are asked about.

    Raises: ``Invalid`` unless there is exactly one of the three ways to say it.
    """
    named = [name for name in RUBRICS if name in data]
    if len(named) != 1:
        raise Invalid(f"Give one of {', '.join(RUBRICS)}; got {' and '.join(named) or 'none'}.", field="criteria")
    if "template" in data:
        return spec.template(data["template"])
    if "rubric" in data:
        with about("rubric"):
            return rubrics.snapshot(slug=data["rubric"])
    with about("criteria"):
        return spec.weighed([(row["name"], row["weight"]) for row in data["criteria"]])


def request_of(debate: Debate) -> dict[str, Any]:
    """Return the body of a request for a panel like this one."""
    kept, subject, rubric = debate.parameters["panel"], debate.subject, debate.parameters["rubric"]
    voices = list(debate.participants.filter(replacement=None).order_by("position"))
    judges = [voice for voice in voices if voice.role == Role.JUDGE.value]
    reporter = next((voice for voice in voices if voice.role == Role.ARBITER.value), None)
    policy = {name: value for name, value in kept["policy"].items() if name != "debate_rounds"}
    usual = Policy().snapshot()
    unable = kept.get("not_assessed", {})
    body = {
        **shared_fields.common_request(debate),
        **named_criteria(rubric),
        "title": debate.title,
        "subject": subject.text if subject else "",
        "task": kept["task"],
        "judges": [seat_of(voice, way) for voice, way in zip(judges, kept["strategies"], strict=False)],
        "reporter": seat_of(reporter, "") if reporter else {},
        "rounds": kept["policy"]["debate_rounds"],
        "ballot_seconds": kept["ballot_seconds"],
        "policy": {name: value for name, value in policy.items() if value != usual[name]},
        "not_applicable": {code: why for code, why in kept["not_applicable"].items() if code not in unable},
    }
    if all(judge.kind == Kind.ENGINE.value for judge in judges):
        del body["ballot_seconds"]
    return {name: value for name, value in body.items() if value not in ("", [], {})}


def named_criteria(rubric: Mapping[str, Any]) -> dict[str, Any]:
    """Return by which of the three ways a panel is asked for with these criteria; a stored rubric may have any slug."""
    slug, rows = rubric["slug"], rubric["criteria"]
    if slug in TEMPLATES and template(slug) == rubric:
        return {"template": slug}
    with suppress(Invalid):
        if weighed([(row["code"], row["weight"]) for row in rows]) == rubric:
            return {"criteria": [{"name": row["code"], "weight": row["weight"]} for row in rows]}
    return {"rubric": slug}


def seat_of(voice: Participant, way: str) -> dict[str, str]:
    if voice.kind != Kind.ENGINE.value:
        return {"kind": voice.kind}
    strategy = way if voice.provider == OFFLINE else ""
    texts = {"provider": voice.provider, "model": shared_fields.asked_model(voice), "strategy": strategy}
    return {name: text for name, text in texts.items() if text}


EXAMPLE = {
    "format": "panel",
    "title": "cache.py",
    "subject": "def answer(key):\n    return kept[key]\n",
    "task": "Keep answers for an hour; never serve a stale one.",
    "criteria": [{"name": "correctness", "weight": "60"}, {"name": "design", "weight": "40"}],
    "rounds": 2,
}


# -- the steps on pages ------------------------------------------------------------------------------------------------


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

    @classmethod
    def with_rubric(cls, body: Mapping[str, Any], slug: str) -> dict[str, Any]:
        """Keep what was typed for the box, though the rubric is chosen."""
        return super().with_rubric(body, slug) | ({TYPED: body[TYPED]} if TYPED in body else {})

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
        self.fields["chosen"] = CharField(
            label="Criteria",
            required=False,
            initial=chosen_in(self.body),
            help_text="What each judge scores from 1 to 5.",
            widget=RadioSelect(choices=[*packaged, *stored, (TYPED, "Names and weights of your own, below")]),
        )
        self.fields["typed"] = CharField(
            label="Names and weights",
            required=False,
            initial=lines_of(self.body),
            help_text="One criterion a line: its name, a colon, its weight. Such as correctness: 60. Only the "
            "proportions of the weights matter.",
            widget=Textarea(attrs={"rows": "5"}),
        )
        chosen = chosen_in(self.body)
        self.keep_shown("before", chosen if chosen == TYPED or TYPED not in self.body else "")
        self.keep_shown("typed.before", lines_of(self.body))

    def clean(self) -> dict[str, Any]:
        """Take criteria that were typed since for the choice, keep them beside another that is looked at, or refuse it:
        both are kept meanwhile.
        """
        cleaned = super().clean()
        chosen, before, typed = (cleaned.get(name, "") for name in ("chosen", "before", "typed"))
        pairs, is_looked_at = pairs_in(typed), not {"look", "edit", "import"}.isdisjoint(self.data)
        is_left = before == TYPED and pairs == pairs_in(cleaned.get("typed.before", "")) and not is_looked_at
        self.is_undecided = bool(pairs) and chosen not in {TYPED, before} and not is_left
        if self.is_undecided and not is_looked_at:
            self.add_error("chosen", "You typed criteria of your own, too: choose those, or take them out.")
        elif pairs and chosen == before:
            chosen = TYPED
        cleaned["chosen"] = chosen
        self.data = cast("MultiValueDict[str, str]", self.data).copy()
        self.data["chosen"], self.data["typed.before"] = chosen, typed
        self.data["before"] = "" if self.is_undecided else chosen
        return cleaned

    def part(self) -> dict[str, Any]:
        """Return exactly one of the three ways to say it, or beside another what was typed."""
        chosen, _, slug = (self.cleaned_data.get("chosen") or "").partition(":")
        part = super().part()
        if chosen == TYPED or self.is_undecided:
            part[TYPED] = pairs_in(self.cleaned_data.get("typed", lines_of(self.body)))
        if chosen and chosen != TYPED:
            part[chosen] = slug
        return part

    def field_of(self, path: str) -> str | None:
        """Show what is wrong with typed criteria below them if chosen, and all else below the choice."""
        first = path.partition(".")[0]
        if first == TYPED and self["chosen"].value() == TYPED:
            return "typed"
        return "chosen" if first in self.own else super().field_of(path)


def chosen_in(body: Mapping[str, Any]) -> str:
    """Return what a body chose, as the form names it."""
    named = next((name for name in (TEMPLATE, RUBRIC) if name in body), "")
    if TYPED in body and not named:
        return TYPED
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
                field.widget = Select(choices=[("", "nobody"), *SPEAKS.items(), *SEATED])
                number = int(name.split(".")[1])
                field.initial = field.initial if number < len(self.kept_rows()) else ""
            if name.startswith("judges.") and name.endswith(".strategy"):
                field.widget = Select(choices=[("", "in turn"), *((way, way) for way in STRATEGIES)])

    def clean(self) -> dict[str, Any]:
        """Refuse a panel of nobody: a request that names no judges has three."""
        cleaned = super().clean()
        seats = [name for name in self.fields if name.startswith("judges.") and name.endswith(".provider")]
        if not any(cleaned.get(name, "").strip() for name in seats) and "more" not in self.data:
            self.add_error(seats[0], "Somebody has to judge.")
        return cleaned

    def part(self) -> dict[str, Any]:
        """Return the seats in which somebody sits."""
        part = super().part()
        self.filled = [
            number for number in range(self.row_count) if self.cleaned_data.get(f"judges.{number}.provider", "").strip()
        ]
        rows = []
        for number in self.filled:
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
        "criteria",
        "By which criteria",
        "Every judge scores every criterion alone, and then they argue.",
        CriteriaForm,
        settles=("not_applicable",),
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
