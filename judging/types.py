"""Value types of judging: what is asked of a provider and what it answers. No Django, no I/O."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from typing import Any

from judging.bench import Bench
from judging.scene import Scene


class Purpose(StrEnum):
    """What a provider is asked for; each purpose has a prompt and an answer schema of its own."""

    ASSESS = "assess"
    CHALLENGE = "challenge"
    PRESS = "press"
    DEFEND = "defend"
    JUDGE = "judge"
    SYNTHESISE = "synthesise"
    INTRODUCE = "introduce"
    OPEN = "open"
    RESPOND = "respond"
    EVALUATE = "evaluate"
    INFLUENCE = "influence"
    INTERJECT = "interject"
    SUM_UP = "sum_up"
    ANALYSE = "analyse"
    ARGUE = "argue"
    REPORT = "report"


class Severity(StrEnum):
    """How much a challenge should cost when it holds: critical 2 or more, significant 1 to 2, minor under 1."""

    CRITICAL = "critical"
    SIGNIFICANT = "significant"
    MINOR = "minor"


class Winner(StrEnum):
    EVALUATOR = "evaluator"
    RED_TEAM = "red_team"
    DRAW = "draw"


class Reply(StrEnum):
    """What the evaluator does with a challenge."""

    DEFEND = "defend"
    CONCEDE = "concede"


class Outcome(StrEnum):
    """What became of a call: its answer was used, was refused by the parser, never came, or came too late."""

    USED = "used"
    REJECTED = "rejected"
    FAILED = "failed"
    SUPERSEDED = "superseded"


class Permit(StrEnum):
    """Whether a further call may be made now: it may, the debate does not want it now, or the budget is spent."""

    ASK = "ask"
    LEAVE = "leave"
    SPENT = "spent"


class Judgement(StrEnum):
    """What is known of how fairly a response argued: four marks, two flags, or nothing where no answer was usable."""

    SCORED = "scored"
    QUICK = "quick"
    FAILED = "failed"


class EffectSource(StrEnum):
    """By what the effect of a response was weighed: a judge, the word lists, or the shares a debate has set."""

    JUDGE = "judge"
    WORDS = "words"
    FACTORS = "factors"


class ReviewReason(StrEnum):
    """Why only a person can decide: the judges are apart, do not accept, or are too few."""

    SPREAD = "spread"
    CRITERION_SPREAD = "criterion_spread"
    NOT_ACCEPTED = "not_accepted"
    QUORUM_LOST = "quorum_lost"


class ReviewState(StrEnum):
    OPEN = "open"
    CLAIMED = "claimed"
    SETTLED = "settled"


@dataclass(frozen=True, slots=True)
class CriterionCard:
    """One criterion as a judge sees it; 10 is always the good end."""

    code: str
    name: str
    category: str
    question: str
    high: str
    low: str


@dataclass(frozen=True, slots=True)
class Exchange:
    """One challenge with all that was said about it so far, oldest first.

    ``said`` holds (round number, "challenger" or "evaluator", words) triples; the arbiter rules on the last words.
    """

    label: str
    persona: str
    severity: Severity
    quote: str
    said: tuple[tuple[int, str, str], ...]
    reply: Reply | None = None


@dataclass(frozen=True, slots=True)
class Material:
    """Everything a provider may read for one request, as data: prompts are filled from it, the heuristics read it.

    ``swapped`` has prompts show it in the other order; the heuristics read it as it is.
    """

    subject_title: str
    subject: str
    criterion: CriterionCard | None = None
    round: int = 0
    rounds: int = 0
    personas: tuple[str, ...] = ()
    exchanges: tuple[Exchange, ...] = ()
    initial_score: Decimal | None = None
    score: Decimal | None = None
    result: Mapping[str, Any] = field(default_factory=dict)
    swapped: bool = False


@dataclass(frozen=True, slots=True)
class Prompt:
    name: str
    version: int
    digest: str


@dataclass(frozen=True, slots=True)
class Message:
    role: str
    text: str


@dataclass(frozen=True, slots=True)
class Request:
    """One question to a provider. ``thread``, ``round`` and ``attempt`` say which call of a debate this is; ``about``
    tells apart several such questions of one round, ``swapped`` and ``reading`` several judgements of one thing.
    """

    purpose: Purpose
    prompt: Prompt
    messages: Sequence[Message]
    schema: Mapping[str, Any]
    material: Material | Scene | Bench
    model: str = ""
    thread: str = ""
    round: int = 0
    about: str = ""
    swapped: bool = False
    reading: int = 1
    attempt: int = 1
    temperature: Decimal = Decimal("0.2")
    max_output_tokens: int = 1200
    script: Sequence[Mapping[str, Any]] = ()


@dataclass(frozen=True, slots=True)
class Completion:
    """A provider's answer: its raw text, and what it cost; ``known`` says that nobody had to be asked for it."""

    text: str
    model: str
    tokens_in: int = 0
    tokens_out: int = 0
    cost: Decimal = Decimal(0)
    known: bool = False
