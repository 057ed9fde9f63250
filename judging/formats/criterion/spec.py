"""What somebody asks for when they create a criterion debate, checked before anything is written. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from debates.errors import Invalid
from debates.types import Conduct
from judging.formats.criterion import NAME
from judging.formats.spec import (
    LONGEST_SUBJECT,
    LONGEST_TITLE,
    SHOWN,
    DebateSpec,
    Limits,
    checked_limits,
    model_of,
    text_of,
    whole,
)
from judging.rules.fairness import ONCE
from judging.rules.options import refuse_unstorable

MOST_ROUNDS = 5
MOST_CHALLENGES = 10
PERSONAS = ("skeptic", "realist", "first-principles")
OPTIONAL_PERSONAS = ("competitor", "contrarian", "edge-case")
UPDATES = ("per_round", "at_end")


@dataclass(frozen=True, slots=True)
class CriterionSpec(DebateSpec):
    """A criterion debate as somebody wants it.

    Shape: ``rubric`` is a snapshot (``scoring.rubrics.snapshot``); ``initial`` is {criterion code: (score, confidence)}
    or empty, which lets the evaluator assess the subject first; ``panel`` is the id of a concluded panel that gives
    them instead; ``criteria`` are codes of the rubric, empty for all.
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
    initial: Mapping[str, tuple[object, object]] = field(default_factory=dict)
    panel: str = ""
    provider: str = "heuristic"
    model: str = ""
    providers: Mapping[str, str] = field(default_factory=dict)
    conducted_by: Conduct = Conduct.ENGINE


def checked(spec: CriterionSpec) -> CriterionSpec:
    """Return the spec if everything in it is allowed.

    Raises: ``Invalid`` naming the field, what is allowed and what was given.
    """
    text_of(spec.title, name="title", longest=LONGEST_TITLE)
    text_of(spec.subject, name="subject", longest=LONGEST_SUBJECT)
    whole(spec.rounds, name="rounds", low=1, high=MOST_ROUNDS)
    whole(spec.challenges_per_criterion, name="challenges_per_criterion", low=1, high=MOST_CHALLENGES)
    allowed = (*PERSONAS, *OPTIONAL_PERSONAS)
    strange = [one for one in spec.personas if one not in allowed]
    if strange or not spec.personas:
        got = ", ".join(str(one)[:SHOWN] for one in strange) or "none"
        raise Invalid(f"personas must be some of {', '.join(allowed)}; got {got}.")
    if spec.score_updates not in UPDATES:
        raise Invalid(f"score_updates must be one of {', '.join(UPDATES)}; got {spec.score_updates!r}.")
    refuse_unstorable(spec.rubric, name="rubric")
    chosen_criteria(rubric=spec.rubric, criteria=spec.criteria)
    model_of(spec.model)
    checked_limits(spec.limits)
    if spec.fairness.blind_names:
        raise Invalid("blind_names: the voices of a criterion debate go by their roles; there is no name to hide.")
    if spec.conducted_by is Conduct.EXTERNAL:
        _elsewhere(spec)
    return spec


def chosen_criteria(*, rubric: Mapping[str, Any], criteria: Sequence[str]) -> list[Mapping[str, Any]]:
    """Return the criteria of a rubric that a debate plays, in the rubric's order.

    Raises: ``Invalid`` naming the unknown or repeated codes and those there are.
    """
    rows: list[Mapping[str, Any]] = list(rubric["criteria"])
    codes = [row["code"] for row in rows]
    unknown = [code for code in criteria if code not in codes]
    if unknown:
        raise Invalid(f"criteria: {', '.join(unknown)} is not in the rubric; it has {', '.join(codes)}.")
    twice = sorted({code for code in criteria if list(criteria).count(code) > 1})
    if twice:
        raise Invalid(f"criteria: {', '.join(twice)} is named more than once.")
    return [row for row in rows if not criteria or row["code"] in criteria]


def _elsewhere(spec: CriterionSpec) -> None:
    """Refuse what has no effect in a debate that is conducted elsewhere.

    Raises: ``Invalid``.
    """
    if not spec.initial and not spec.panel:
        raise Invalid("initial must give every criterion a score: what is conducted elsewhere is not assessed here.")
    if spec.script or spec.providers or spec.limits != Limits() or spec.fairness != ONCE:
        raise Invalid("A debate that is conducted elsewhere takes no script, providers, limits and fairness options.")
