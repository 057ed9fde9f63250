"""What judging speaks of: purposes, requests, answers and why there is none, scenes that judges are shown."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from typing import Any

OFFLINE = "heuristic"
"""The provider that judges and argues by rule; the one where nobody asks for another."""

# An open debate as a provider sees it: who sits at the table, what was said, and what is asked for now.


OPENING, RESPONSE = "opening", "response"


DEBATER, HOST, AUDIENCE = "debater", "host", "audience"
"""Parts in a debate; only debaters are judged, persuade, win and lose."""


@dataclass(frozen=True, slots=True)
class Position:
    """A chair as everybody at the table sees it; ``framework`` is empty where it argues from none, else the key of one
    that ships, or a sentence that says it in own words.

    Shape: ``part`` is debater, host or audience; who speaks for the same ``side`` are allies, where there are sides.
    Units: stance -1..1, conviction 0..1.
    """

    name: str
    framework: str
    stance: Decimal
    conviction: Decimal
    strategy: str = "analytical"
    surrendered: bool = False
    part: str = DEBATER
    side: str = ""


@dataclass(frozen=True, slots=True)
class Utterance:
    """Something that was said; ``exchange`` is 0 before the first one."""

    speaker: str
    kind: str
    text: str
    exchange: int = 0


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything a provider may read for one request of an open debate, as data.

    Shape: ``chairs`` in speaking order; ``said`` oldest first; ``speaker`` is whose turn it is or who is judged;
    ``response`` is what is judged or answered by the arbiter, and stands in ``said`` no more than once, last.
    ``swapped`` has prompts show the response before what it answers, and the table from its end. Without ``exchanges``
    it is no debate: a response is judged on its own, and nobody's stance is known.
    """

    motion: str
    chairs: tuple[Position, ...]
    tone: str = "spirited"
    accountability: str = "moderate"
    exchange: int = 0
    exchanges: int = 0
    speaker: str = ""
    said: tuple[Utterance, ...] = ()
    response: str = ""
    violation: str = ""
    notes: tuple[str, ...] = ()
    result: Mapping[str, Any] = field(default_factory=dict)
    swapped: bool = False

    @property
    def chair(self) -> Position | None:
        return next((position for position in self.chairs if position.name == self.speaker), None)

    @property
    def opponents(self) -> tuple[Position, ...]:
        """Return every other debater who is no ally of the speaker, in speaking order."""
        side = self.chair.side if self.chair else ""
        return tuple(
            position
            for position in self.chairs
            if position.name != self.speaker and position.part == DEBATER and not (side and position.side == side)
        )

    @property
    def own(self) -> tuple[Utterance, ...]:
        """Return what the speaker said before, oldest first, without what is judged."""
        return tuple(utterance for utterance in self.earlier if utterance.speaker == self.speaker)

    @property
    def answered(self) -> tuple[Utterance, ...]:
        """Return the last words of every other chair, oldest first: that is what a response answers."""
        names = {position.name for position in self.opponents}
        last = {utterance.speaker: at for at, utterance in enumerate(self.earlier) if utterance.speaker in names}
        return tuple(self.earlier[at] for at in sorted(last.values()))

    @property
    def earlier(self) -> tuple[Utterance, ...]:
        """Return what was said before the response that is judged."""
        last = self.said[-1] if self.said else None
        judged = (
            last is not None and last.speaker == self.speaker and bool(self.response) and last.text == self.response
        )
        return self.said[:-1] if judged else self.said


# A panel as one judge sees it, and what a judge answers. Values only.


@dataclass(frozen=True, slots=True)
class Item:
    """One criterion of a panel; 5 is always the good end. ``share`` is its part of the overall, exact."""

    code: str
    name: str
    question: str
    high: str
    low: str
    share: Fraction


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a judge gives one criterion and why; ``quotes`` are those that the subject really says.

    Units: ``score`` 1..5.
    """

    code: str
    score: Decimal
    reasoning: str
    quotes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Stand:
    """Where a judge stands after a round."""

    judge: str
    opinions: tuple[Opinion, ...]
    overall: Decimal

    def on(self, code: str) -> Opinion:
        return next(opinion for opinion in self.opinions if opinion.code == code)

    def scores(self, code: str) -> bool:
        """Say whether the judge gives a criterion a score."""
        return any(opinion.code == code for opinion in self.opinions)


@dataclass(frozen=True, slots=True)
class Gap:
    """A criterion to debate, and with whom: whoever lies too far from one's own score on it, the farthest first.

    Shape: ``opponents`` are names and scores, at least one.
    """

    code: str
    own_score: Decimal
    opponents: tuple[tuple[str, Decimal], ...]

    @property
    def other(self) -> str:
        """Who lies farthest away."""
        return self.opponents[0][0]

    @property
    def other_score(self) -> Decimal:
        return self.opponents[0][1]


@dataclass(frozen=True, slots=True)
class Bench:
    """Everything a provider may read for one request of a panel, as data.

    Shape: ``own``, ``others`` and ``gaps`` are empty in the independent analysis (round 0), in which nobody sees
    anybody. ``result`` is what the final report is about. ``swapped`` has prompts list everything from its end.
    ``confidence`` says of what people and programs are asked how sure they are.
    """

    title: str
    subject: str
    task: str
    items: tuple[Item, ...]
    judge: str = ""
    strategy: str = ""
    round: int = 0
    rounds: int = 0
    own: Stand | None = None
    others: tuple[Stand, ...] = ()
    gaps: tuple[Gap, ...] = ()
    result: Mapping[str, Any] = field(default_factory=dict)
    swapped: bool = False
    confidence: str = "none"


@dataclass(frozen=True, slots=True)
class ResponseBench:
    """One response of an open debate before somebody who is no engine: what they read, and what they judge of it.

    Shape: ``listeners`` are those whom it may move, where that is judged.
    """

    scene: Scene
    purpose: Purpose
    listeners: tuple[str, ...] = ()

    @property
    def positions(self) -> tuple[Position, ...]:
        """Return the chair of the speaker, and then those of the listeners."""
        chairs = {position.name: position for position in self.scene.chairs}
        return tuple(chairs[name] for name in (self.scene.speaker, *self.listeners) if name in chairs)


@dataclass(frozen=True, slots=True)
class JudgedCriterion:
    """What a judge gives one criterion in the independent analysis; ``quotes`` as they were given."""

    code: str
    quotes: tuple[str, ...]
    reasoning: str
    score: Decimal
    improvement: str
    confidence: Decimal | None = None


@dataclass(frozen=True, slots=True)
class CounterQuestion:
    """A question by which a judge looks for what speaks against the own judgement, and the answer."""

    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class Revision:
    """A score that a judge wants to change; it holds only with a quote that the subject really says."""

    code: str
    score: Decimal
    because: str
    quotes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Analysis:
    """The independent analysis of one judge.

    Shape: ``not_applicable`` is {criterion code: why} of what does not apply, as this judge sees it.
    """

    judged: tuple[JudgedCriterion, ...]
    questions: tuple[CounterQuestion, ...]
    revisions: tuple[Revision, ...]
    strengths: tuple[str, ...]
    weaknesses: tuple[str, ...]
    not_applicable: Mapping[str, str] = field(default_factory=dict)
    confidence: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Section:
    """What a judge says about one disagreement. The score is the old one where it is maintained."""

    code: str
    defence: str
    challenge: str
    score: Decimal
    because: str
    quotes: tuple[str, ...]
    confidence: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Argued:
    """What one judge says in a debate round.

    Units: confidence 0..1, as everywhere; nothing where nobody asks for it.
    """

    sections: tuple[Section, ...]
    accepts: bool
    agrees_with: tuple[str, ...]
    confidence: Decimal | None = None


# Value types of judging: what is asked of a provider and what it answers. No Django, no I/O.


class Purpose(StrEnum):
    """What a provider is asked for; each purpose has a prompt and an answer schema of its own."""

    ASSESS = "assess"
    ASSESS_SEVERAL = "assess_several"
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


MORE_ROOM = 2
"""How many times as long an answer may be after one that was cut off."""


class Ending(StrEnum):
    """How an answer ended: whole, where its room was up, because its model refused, or because a filter did."""

    WHOLE = "whole"
    CUT_OFF = "cut_off"
    REFUSED = "refused"
    FILTERED = "filtered"


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
class EarlierRuling:
    """What the arbiter ruled on an exchange in an earlier round: it has counted, and does not count again."""

    round: int
    winner: Winner
    adjustment: Decimal
    reasoning: str


@dataclass(frozen=True, slots=True)
class Exchange:
    """One challenge with all that was said about it so far, oldest first.

    ``said`` holds (round number, "challenger" or "evaluator", words) triples; the arbiter rules on the last words.
    ``rulings`` are those of earlier rounds, where the arbiter is asked.
    """

    label: str
    persona: str
    severity: Severity
    quote: str
    said: tuple[tuple[int, str, str], ...]
    reply: Reply | None = None
    rulings: tuple[EarlierRuling, ...] = ()


@dataclass(frozen=True, slots=True)
class Material:
    """Everything a provider may read for one request, as data: prompts are filled from it, the heuristics read it.

    ``swapped`` has prompts show it in the other order; the heuristics read it as it is. ``criteria`` are those of one
    question about several, which has no ``criterion``; ``rubric`` are all of a debate, in their order.
    """

    subject_title: str
    subject: str
    criterion: CriterionCard | None = None
    criteria: tuple[CriterionCard, ...] = ()
    rubric: tuple[CriterionCard, ...] = ()
    round: int = 0
    rounds: int = 0
    personas: tuple[str, ...] = ()
    exchanges: tuple[Exchange, ...] = ()
    initial_score: Decimal | None = None
    score: Decimal | None = None
    result: Mapping[str, Any] = field(default_factory=dict)
    swapped: bool = False


BallotMaterial = Bench | Material | ResponseBench
"""What a judge who is no engine has before them: in a panel, of exchanges about a criterion, of one response."""


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

    Shape: after an answer that was of no use, ``again`` tells whoever is asked what was wrong with it, and ``longer``
    is how many times as long the answer may be. They change nothing of what is asked: by its digest it is the same.
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
    again: str = ""
    longer: int = 1


@dataclass(frozen=True, slots=True)
class Completion:
    """A provider's answer: its raw text, and what it cost; ``known`` says that nobody had to be asked for it.

    Shape: ``parameters`` are those that were sent, where anything was; one that is nothing was left out.
    """

    text: str
    model: str
    tokens_in: int = 0
    tokens_out: int = 0
    cost: Decimal = Decimal(0)
    known: bool = False
    ending: Ending = Ending.WHOLE
    parameters: Mapping[str, Any] = field(default_factory=dict)


# -- what a judge answers instead of a number where it cannot judge: why, as a code and in words, and what helps -------


class Unable(StrEnum):
    """Why nothing is assessed; threads that end for it and results carry these codes."""

    LANGUAGE = "language_not_read"
    TOO_LITTLE = "too_little_text"
    CODE = "mostly_code"
    CRITERION = "criterion_not_judged"
    TASK = "task_not_understood"


def are_unable(codes: Collection[str]) -> bool:
    """Tell whether a debate, or all of its threads, ended for what a judge was unable to assess, and nothing else."""
    return bool(codes) and set(codes) <= set(Unable)


@dataclass(frozen=True, slots=True)
class NotAssessed:
    """One such answer; ``why`` is a sentence about this text or this criterion."""

    reason: Unable
    why: str

    @property
    def helps(self) -> str:
        return HELPS_UNABLE[self.reason]

    @property
    def answer(self) -> dict[str, object]:
        """Return it as a judge answers it."""
        return {"not_assessed": {"reason": self.reason.value, "why": self.why}}


WHY_UNABLE: Mapping[Unable, str] = {
    Unable.LANGUAGE: "The offline judge reads English, and this text is not in English.",
    Unable.TOO_LITTLE: "There is too little text to judge by.",
    Unable.CODE: "Most of it is code, and an offline evaluator reads prose.",
    Unable.CRITERION: "The offline judge has no way to judge this criterion.",
    Unable.TASK: "This asks whether a task was done; the offline judge does not understand tasks.",
}
"""What is said of a reason where the words about the single text are not there, or not any more."""

HELPS_UNABLE: Mapping[Unable, str] = {
    Unable.LANGUAGE: "A language model reads it, or a person judges it; or give the text in English.",
    Unable.TOO_LITTLE: "Give more of the text; a language model or a person may make do with less.",
    Unable.CODE: "A panel reads code; a language model or a person judges it too.",
    Unable.CRITERION: "Another judge, a language model or a person; or ask for something that a text can show.",
    Unable.TASK: "A language model or a person judges it.",
}
