"""What can be asked for in a panel: criteria with weights, templates, judges, policy."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache
from importlib import resources
from typing import Any

from debates.decimals import plain
from debates.errors import Invalid, NotFound, about
from debates.types import Kind
from judging.formats import spec
from judging.formats.panel import NAME
from judging.formats.spec import DebateSpec
from judging.heuristics.panel import STRATEGIES
from judging.heuristics.subjects import unassessable_card
from judging.rules.consensus import Policy
from judging.types import OFFLINE, CriterionCard, NotAssessed
from scoring import rubrics
from scoring.rubrics import HEAVIEST
from scoring.rules.numbers import decimal_of

# The packaged sets of criteria: code, design, documentation; and single criteria that are known by name.


TEMPLATES = ("code", "design", "documentation")


def template(slug: str) -> dict[str, Any]:
    """Return a packaged set of criteria as a rubric snapshot.

    Raises: ``NotFound`` naming those there are.
    Source: docs/reference/panels.md#templates
    """
    if slug not in TEMPLATES:
        raise NotFound(f"There is no template {slug!r}; there are: {', '.join(TEMPLATES)}.")
    return rubrics.checked(_packaged()[slug])


@cache
def known_cards() -> Mapping[str, Mapping[str, str]]:
    """Return every criterion that is known by name, without a weight; the templates' come first."""
    cards: dict[str, Mapping[str, str]] = dict(_packaged()["known"])
    for slug in reversed(TEMPLATES):
        for row in template(slug)["criteria"]:
            cards[row["code"]] = {name: value for name, value in row.items() if name != "weight"}
    return cards


@cache
def _packaged() -> Mapping[str, Any]:
    text = resources.files("judging.formats.panel").joinpath("templates.json").read_text(encoding="utf-8")
    packaged: Mapping[str, Any] = json.loads(text, parse_float=str, parse_int=str)
    return packaged


# Criteria as somebody types them: ``correctness:30,design:25``.


MOST_CRITERIA = 30
LONGEST_CODE = 40
CODE = re.compile(r"[a-z0-9]+(?:[-_ ][a-z0-9]+)*")
LEAST_WEIGHT = Decimal("0.000001")


def typed(text: str) -> dict[str, Any]:
    """Return a rubric snapshot from criteria as they are typed.

    Shape: ``name:weight`` pairs with commas between; the weights are relative. A name that is known brings its own
    question; any other is asked about by its name.
    Source: docs/reference/panels.md#criteria
    """
    pairs = [pair.strip() for pair in text.split(",")]
    if not text.strip() or not all(pairs):
        raise Invalid("criteria must be name:weight pairs with commas between, such as correctness:30,design:25.")
    return weighed([_pair(pair) for pair in pairs])


def weighed(pairs: Sequence[tuple[str, object]]) -> dict[str, Any]:
    """Return a rubric snapshot from names of criteria, each with its relative weight.

    Source: docs/reference/panels.md#criteria
    """
    _at_once(len(pairs))
    rows = [_criterion(name, weight, field=f"criteria.{at}") for at, (name, weight) in enumerate(pairs)]
    _each_once([row["code"] for row in rows])
    return {"slug": "typed", "name": "Criteria as typed", "description": "", "criteria": rows}


def _pair(pair: str) -> tuple[str, str]:
    name, colon, weight = (part.strip() for part in pair.rpartition(":"))
    if not colon or not name:
        raise Invalid(f"criteria: {pair!r} must be a name, a colon and a weight, such as correctness:30.")
    return name, weight


def _criterion(name: str, weight: object, *, field: str) -> dict[str, str]:
    code = name.strip().lower()
    if not CODE.fullmatch(code) or len(code) > LONGEST_CODE:
        raise Invalid(
            f"criteria: {name!r} must be letters from a to z and digits, with single hyphens or spaces between words, "
            f"at most {LONGEST_CODE} characters.",
            field=f"{field}.name",
        )
    with about(f"{field}.weight"):
        number = decimal_of(weight, name=f"criteria: the weight of {name}", low=LEAST_WEIGHT, high=HEAVIEST, places=6)
    return {**card_of(code), "weight": plain(number)}


def card_of(code: str) -> dict[str, str]:
    """Return what judges are told about a criterion that is known, or only has a name."""
    known = known_cards().get(code)
    if known is not None:
        return dict(known)
    words = re.sub(r"[-_ ]", " ", code)
    return {
        "code": code,
        "name": words.capitalize(),
        "category": "criteria",
        "question": f"How good is the subject with regard to {words}, given the task?",
        "high": f"Nothing that matters for {words} is missing, and the text shows it.",
        "low": f"What matters for {words} is missing or wrong.",
    }


def _at_once(count: int) -> None:
    if not 1 <= count <= MOST_CRITERIA:
        raise Invalid(f"criteria: 1 to {MOST_CRITERIA} are judged at once; got {count}.", field="criteria")


def _each_once(codes: Sequence[str]) -> None:
    twice = next((at for at, code in enumerate(codes) if code in codes[:at]), None)
    if twice is not None:
        raise Invalid(f"criteria: {codes[twice]} is named more than once.", field=f"criteria.{twice}.name")


LEAST_SEATS, MOST_SEATS = 1, 9
LEAST_IN_ORDER = 3
"""Of so many judges each reads at least two others in a debate round, in one order or the other."""
USUAL_QUORUM = Policy().quorum
"""What a quorum is unless somebody chose it: so much may be asked of one judge, whose quorum is 1."""
LONGEST_TASK = 8_000


@dataclass(frozen=True, slots=True)
class JudgeSeat:
    """One judge: who speaks, and how an offline judge reads; without a strategy the seats take them in turn.

    Shape: ``kind`` says that a person or a program judges; then there is neither provider, model nor strategy.
    """

    provider: str = OFFLINE
    model: str = ""
    strategy: str = ""
    kind: str = Kind.ENGINE.value

    @property
    def is_engine(self) -> bool:
        return self.kind == Kind.ENGINE.value


@dataclass(frozen=True, slots=True)
class PanelSpec(DebateSpec):
    """A panel as somebody wants it.

    Shape: ``rubric`` is a snapshot (``template``, ``typed``, ``weighed``, ``scoring.rubrics.snapshot``);
    ``not_applicable`` is {criterion code: why}; ``reporter`` writes the closing words; ``repeat_of`` is the public id
    of a panel that has ended and is held again.
    Units: ``ballot_seconds`` is how long people and programs have for a ballot.
    """

    format = NAME

    title: str
    subject: str
    task: str
    rubric: Mapping[str, Any]
    seats: Sequence[JudgeSeat] = (JudgeSeat(), JudgeSeat(), JudgeSeat())
    reporter: JudgeSeat = JudgeSeat()
    policy: Policy = field(default_factory=Policy)
    not_applicable: Mapping[str, str] = field(default_factory=dict)
    repeat_of: str = ""
    ballot_seconds: int = spec.USUAL_BALLOT_SECONDS


def checked(panel_spec: PanelSpec) -> PanelSpec:
    """Return the spec if everything in it is allowed.

    Source: docs/reference/panels.md#asking-for-a-panel
    """
    spec.text_of(panel_spec.title, name="title", longest=spec.LONGEST_TITLE)
    spec.text_of(panel_spec.subject, name="subject", longest=spec.LONGEST_SUBJECT)
    spec.text_of(panel_spec.task, name="task", longest=LONGEST_TASK)
    spec.whole(len(panel_spec.seats), name="judges", low=LEAST_SEATS, high=MOST_SEATS)
    if panel_spec.policy.quorum > max(len(panel_spec.seats), USUAL_QUORUM):
        message = (
            f"quorum must be at most the number of judges, {len(panel_spec.seats)}; got {panel_spec.policy.quorum}."
        )
        raise Invalid(message, field="policy.quorum")
    codes = [row["code"] for row in panel_spec.rubric["criteria"]]
    _at_once(len(codes))
    if panel_spec.fairness.blind_names:
        raise Invalid(
            "blind_names: judges of a panel are Judge 1, Judge 2 and so on to each other; there is no name.",
            field="fairness.blind_names",
        )
    spec.whole(panel_spec.ballot_seconds, name="ballot_seconds", low=1, high=spec.MOST_SECONDS)
    if not panel_spec.reporter.is_engine:
        raise Invalid(
            "reporter must be an engine: a person or a program judges, and does not report.", field="reporter.kind"
        )
    for number, seat in enumerate(panel_spec.seats, start=1):
        _checked_seat(seat, place=f"judges, {number}")
    _checked_seat(panel_spec.reporter, place="reporter")
    _checked_left_out(panel_spec.not_applicable, codes)
    has_orders = panel_spec.policy.debate_rounds > 0 and len(panel_spec.seats) >= LEAST_IN_ORDER
    if panel_spec.fairness.swap and not has_orders and len(codes) - len(panel_spec.not_applicable) == 1:
        raise Invalid(
            "swap: one criterion reads the same in both orders; take repeats, or more criteria.", field="fairness.swap"
        )
    spec.checked_limits(panel_spec.limits)
    return panel_spec


def strategy_of(*, seat: JudgeSeat, position: int) -> str:
    """Return how the judge on a seat reads; positions count from 0. People and programs read as they do."""
    if not seat.is_engine:
        return ""
    return seat.strategy or list(STRATEGIES)[position % len(STRATEGIES)]


def weights(*, rubric: Mapping[str, Any]) -> list[Decimal]:
    """Return what the criteria weigh, in their order; only their proportions matter."""
    return [Decimal(row["weight"]) for row in rubric["criteria"]]


def not_assessed(panel_spec: PanelSpec) -> dict[str, NotAssessed]:
    """Return the criteria that no judge of a panel can judge, because all of them are offline judges, and why.

    A packaged criterion is read for by marks of its own.
    Raises: ``Invalid`` where less than half of the weight would be left.
    Source: docs/reference/panels.md#what-judges-do-not-assess
    """
    if any(seat.provider != OFFLINE or not seat.is_engine for seat in panel_spec.seats):
        return {}
    rows = [row for row in panel_spec.rubric["criteria"] if row["code"] not in panel_spec.not_applicable]
    packaged = {row["question"] for row in known_cards().values()}
    answers = {row["code"]: unassessable_card(_shown(row)) for row in rows if row["question"] not in packaged}
    unable = {code: answer for code, answer in answers.items() if answer is not None}
    whole = sum(Decimal(row["weight"]) for row in rows)
    lost = sum(Decimal(row["weight"]) for row in rows if row["code"] in unable)
    if 2 * lost > whole:
        why = " ".join(f"{code}: {answer.why}" for code, answer in unable.items())
        raise Invalid(
            "judges: offline judges cannot judge more than half of the weight, so nothing could be recommended. "
            f"{why} Give the judges a model, or have a person judge.",
            field="judges",
        )
    return unable


def _shown(row: Mapping[str, str]) -> CriterionCard:
    return CriterionCard(category="", **{name: row[name] for name in ("code", "name", "question", "high", "low")})


def _checked_seat(seat: JudgeSeat, *, place: str) -> None:
    field = spec.field_in(place)
    spec.model_of(seat.model, offline=seat.is_engine and seat.provider == OFFLINE, name=f"{place}: model")
    if seat.kind not in set(Kind):
        raise Invalid(f"kind must be one of {', '.join(Kind)}; got {seat.kind!r}.", field=f"{field}.kind")
    chosen = {"provider": seat.provider != OFFLINE, "model": seat.model, "strategy": seat.strategy}
    if not seat.is_engine and any(chosen.values()):
        idle = next(name for name, value in chosen.items() if value)
        raise Invalid("A person or a program that judges has no provider, model or strategy.", field=f"{field}.{idle}")
    if seat.strategy and seat.strategy not in STRATEGIES:
        message = f"strategy must be one of {', '.join(STRATEGIES)}; got {seat.strategy!r}."
        raise Invalid(message, field=f"{field}.strategy")


def _checked_left_out(left_out: Mapping[str, str], codes: Sequence[str]) -> None:
    unknown = [code for code in left_out if code not in codes]
    if unknown:
        message = f"not_applicable: {unknown[0]!r} is no criterion; they are {', '.join(codes)}."
        raise Invalid(message, field=("not_applicable", unknown[0]))
    for code, why in left_out.items():
        spec.text_of(why, name=f"not_applicable: why {code} does not apply", longest=spec.LONGEST_TITLE)
    if set(left_out) == set(codes):
        raise Invalid("not_applicable: at least one criterion must apply.", field="not_applicable")
