"""What somebody asks for when they create a criterion debate, checked before anything is written. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from debates.errors import Invalid, about
from debates.types import Conduct, Kind, Role
from judging.formats.criterion import NAME
from judging.formats.spec import (
    LONGEST_SUBJECT,
    LONGEST_TITLE,
    SHOWN,
    USUAL_BALLOT_SECONDS,
    DebateSpec,
    Limits,
    checked_limits,
    checked_seat,
    model_of,
    text_of,
    whole,
)
from judging.rules.fairness import ONCE
from judging.rules.options import refuse_unstorable
from judging.types import OFFLINE

MOST_ROUNDS = 5
MOST_CHALLENGES = 10
MOST_CRITERIA_PER_ASSESSMENT = 10
PERSONAS = ("skeptic", "realist", "first-principles")
OPTIONAL_PERSONAS = ("competitor", "contrarian", "edge-case")
VOICES = (Role.EVALUATOR, Role.CHALLENGER, Role.ARBITER)
UPDATES = ("per_round", "at_end")


@dataclass(frozen=True, slots=True)
class CriterionSpec(DebateSpec):
    """A criterion debate as somebody wants it.

    Shape: ``rubric`` is a snapshot (``scoring.rubrics.snapshot``); ``initial`` is {criterion code: (score, confidence)}
    or empty, which lets the evaluator assess the subject first; ``panel`` is the id of a concluded panel that gives
    them instead; ``criteria`` are codes of the rubric, empty for all;
    ``criteria_per_assessment`` is about how many of them one question of the evaluator is, before play. ``arbiter`` is
    the kind of who rules.
    Units: ``ballot_seconds`` is how long a person or a program has for the rulings of a round.
    """

    format = NAME

    title: str
    subject: str
    rubric: Mapping[str, Any]
    criteria: Sequence[str] = ()
    rounds: int = 3
    challenges_per_criterion: int = 3
    personas: Sequence[str] = PERSONAS
    score_updates: str = "per_round"
    criteria_per_assessment: int = 1
    initial: Mapping[str, tuple[object, object]] = field(default_factory=dict)
    panel: str = ""
    provider: str = OFFLINE
    model: str = ""
    providers: Mapping[str, str] = field(default_factory=dict)
    conducted_by: Conduct = Conduct.ENGINE
    arbiter: str = Kind.ENGINE.value
    ballot_seconds: int = USUAL_BALLOT_SECONDS


def checked(spec: CriterionSpec) -> CriterionSpec:
    """Return the spec if everything in it is allowed."""
    text_of(spec.title, name="title", longest=LONGEST_TITLE)
    text_of(spec.subject, name="subject", longest=LONGEST_SUBJECT)
    whole(spec.rounds, name="rounds", low=1, high=MOST_ROUNDS)
    whole(spec.challenges_per_criterion, name="challenges_per_criterion", low=1, high=MOST_CHALLENGES)
    whole(spec.criteria_per_assessment, name="criteria_per_assessment", low=1, high=MOST_CRITERIA_PER_ASSESSMENT)
    allowed = (*PERSONAS, *OPTIONAL_PERSONAS)
    strange = [persona for persona in spec.personas if persona not in allowed]
    if strange or not spec.personas:
        got = ", ".join(str(unknown)[:SHOWN] for unknown in strange) or "none"
        raise Invalid(f"personas must be some of {', '.join(allowed)}; got {got}.", field="personas")
    twice = [persona for persona in allowed if list(spec.personas).count(persona) > 1]
    if twice:
        raise Invalid(f"personas: {', '.join(twice)} is named more than once.", field="personas")
    if spec.score_updates not in UPDATES:
        message = f"score_updates must be one of {', '.join(UPDATES)}; got {spec.score_updates!r}."
        raise Invalid(message, field="score_updates")
    with about("rubric"):
        refuse_unstorable(spec.rubric, name="rubric")
    chosen_criteria(rubric=spec.rubric, criteria=spec.criteria)
    roles = [role.value for role in VOICES]
    nobody = sorted(str(role)[:SHOWN] for role in spec.providers if role not in roles)
    if nobody:
        raise Invalid(f"providers: {nobody[0]!r} is no role; roles are {', '.join(roles)}.", field="providers")
    model_of(spec.model, offline=all(provider == OFFLINE for provider in answering(spec).values()))
    checked_limits(spec.limits)
    if spec.fairness.blind_names:
        raise Invalid(
            "blind_names: the voices of a criterion debate go by their roles; there is no name to hide.",
            field="fairness.blind_names",
        )
    checked_seat(spec.arbiter, name="arbiter", ballot_seconds=spec.ballot_seconds, fairness=spec.fairness)
    if spec.conducted_by is Conduct.EXTERNAL:
        _elsewhere(spec)
    return spec


def answering(spec: CriterionSpec) -> dict[Role, str]:
    if spec.conducted_by is Conduct.EXTERNAL:
        return dict.fromkeys(VOICES, Conduct.EXTERNAL.value)
    return {role: spec.providers.get(role.value, spec.provider) for role in VOICES}


def chosen_criteria(*, rubric: Mapping[str, Any], criteria: Sequence[str]) -> list[Mapping[str, Any]]:
    """Return the criteria of a rubric that a debate plays, in the rubric's order.

    Raises: ``Invalid`` naming the unknown or repeated codes and those there are.
    """
    rows: list[Mapping[str, Any]] = list(rubric["criteria"])
    codes = [row["code"] for row in rows]
    unknown = [code for code in criteria if code not in codes]
    if unknown:
        message = f"criteria: {', '.join(unknown)} is not in the rubric; it has {', '.join(codes)}."
        raise Invalid(message, field="criteria")
    twice = sorted({code for code in criteria if list(criteria).count(code) > 1})
    if twice:
        raise Invalid(f"criteria: {', '.join(twice)} is named more than once.", field="criteria")
    return [row for row in rows if not criteria or row["code"] in criteria]


def _elsewhere(spec: CriterionSpec) -> None:
    """Refuse what has no effect in a debate that is conducted elsewhere."""
    if not spec.initial and not spec.panel:
        raise Invalid(
            "initial must give every criterion a score, or panel must name a panel that gives them: what is conducted "
            "elsewhere is not assessed here.",
            field="initial",
        )
    if spec.arbiter != Kind.ENGINE.value:
        raise Invalid("arbiter: whoever conducts a debate elsewhere posts its rulings, too.", field="arbiter")
    if spec.script or spec.providers or spec.limits != Limits() or spec.fairness != ONCE or spec.pace:
        raise Invalid(
            "A debate that is conducted elsewhere takes no script, providers, limits, pace and fairness options.",
            field="conducted_by",
        )
    chosen = {
        "personas": tuple(spec.personas) != PERSONAS,
        "provider": spec.provider != OFFLINE,
        "ballot_seconds": spec.ballot_seconds != USUAL_BALLOT_SECONDS,
        "criteria_per_assessment": spec.criteria_per_assessment != 1,
    }
    for name in (name for name, is_chosen in chosen.items() if is_chosen):
        raise Invalid(f"{name}: without effect, because the debate is conducted elsewhere.", field=name)
