"""Events of play: threads, rounds, turns, verdicts, states, panels."""

from datetime import datetime
from typing import Literal

from debates.event_schemas.base import Amount, Code, Count, EventData, Key, Label, Number, PublicId, Words
from debates.types import Role, TurnKind


class ThreadStarted(EventData, type="thread:started"):
    """The first round of a thread begins."""

    criterion: Key
    run: Number


class RoundStarted(EventData, type="round:started"):
    """A round begins."""

    criterion: Key
    round: Count
    run: Number


class RoundComplete(EventData, type="round:complete"):
    """A round is closed; `score` is where the thread's evaluation stands, `unanswered` labels challenges."""

    criterion: Key
    round: Count
    run: Number
    totalRounds: Number
    score: Amount | None = None
    unanswered: list[Label] = []


class RoundHeld(EventData, type="round:held"):
    """A round was judged while its score was frozen: recorded, not counted."""

    evaluation: PublicId
    criterion: Key
    round: Count
    entry: Number
    facts: Count


class Utterance(Words):
    """Who spoke and what was said; the rest where the turn is a challenge or the answer to one."""

    speaker: str
    text: str
    challenge: str | None
    persona: str | None
    severity: str | None
    quote: str | None
    reply: str | None


class TurnAdded(EventData, type="turn:added", words=Utterance):
    """Something was said; `criterion` and `round` unless it is a synthesis, `strategy` where a chair chose one."""

    turn: PublicId
    kind: TurnKind
    role: Role
    criterion: Key | None = None
    round: Count | None = None
    participant: PublicId | None = None
    strategy: Code | None = None


class TurnAwaited(EventData, type="turn:awaited"):
    """A person or somebody else's program is to speak or to judge until the deadline; `awaited` names the turn for the
    API. `about` is the turn that is to be judged, where it is one alone.
    """

    awaited: PublicId
    criterion: Key
    round: Count
    participant: PublicId
    kind: TurnKind
    deadline: datetime
    about: PublicId | None = None


class TurnForfeited(EventData, type="turn:forfeited"):
    """Nobody spoke: `because` is `deadline`, when the time was up, or `no_answer`, when none could be had. `awaited` is
    the judgement that nobody gave, where it was one.
    """

    criterion: Key
    round: Count
    participant: PublicId
    because: Code
    awaited: PublicId | None = None


class Ruling(Words):
    """The arbiter's reasoning."""

    reasoning: str


class VerdictIssued(EventData, type="verdict:issued", words=Ruling):
    """The arbiter ruled on one exchange; the last three where it was judged several times."""

    verdict: PublicId
    criterion: Key
    round: Number
    challenge: Label
    winner: Literal["evaluator", "red_team", "draw"]
    adjustment: Amount
    impact: Amount
    judgements: Number | None = None
    spread: Amount | None = None
    flipped: bool | None = None


class ResponseEvaluated(EventData, type="response:evaluated"):
    """A response was judged for adherence; without numbers where `state` is `quick` or `failed`.

    The last three where it was judged several times.
    """

    turn: PublicId
    participant: PublicId
    round: Count
    state: Literal["scored", "quick", "failed"]
    total: Amount | None = None
    steelManning: Amount | None = None
    selfCritique: Amount | None = None
    consistency: Amount | None = None
    honesty: Amount | None = None
    judgements: Number | None = None
    spread: Amount | None = None
    flipped: bool | None = None


class ArbiterInterjection(EventData, type="arbiter:interjection"):
    """The arbiter interrupts; its words are the `turn`."""

    turn: PublicId
    participant: PublicId
    round: Count
    violation: Literal[
        "straw_manning", "missing_self_critique", "framework_inconsistency", "rhetorical_evasion", "low_adherence"
    ]


class StateChanged(EventData, type="state:changed"):
    """It was weighed what a response did to a participant: where it left them, moved or as they were."""

    participant: PublicId
    round: Count
    cause: PublicId | None = None
    stanceBefore: Amount
    stance: Amount
    convictionBefore: Amount
    conviction: Amount


class ParticipantSurrendered(EventData, type="participant:surrendered"):
    """A participant was persuaded and speaks no more; `cause` is the turn that did it."""

    participant: PublicId
    round: Count
    reason: Literal["persuaded", "wavering", "consecutive"]
    cause: PublicId | None = None


class CriterionComplete(EventData, type="criterion:complete"):
    """A criterion's thread has ended."""

    evaluation: PublicId
    criterion: Key
    category: str
    originalScore: Amount
    finalScore: Amount | None
    rounds: Count
    partial: bool
    because: Code


class PanelReport(EventData, type="panel:report"):
    """A judge of a panel has written a section; it is told with those of all others when its round is over."""

    report: PublicId
    participant: PublicId
    round: Count
    readable: bool
    overall: Amount | None = None
    judgements: Number | None = None
    spread: Amount | None = None
    flips: list[Key] | None = None


class PanelConsensus(EventData, type="panel:consensus"):
    """A panel was compared after a round: whether the judges agree, why not, and how far they are apart."""

    round: Count
    consensus: bool
    reason: Literal["spread", "criterion_spread", "not_accepted", "quorum_lost"] | None = None
    judges: Count
    overall: Amount | None = None
    spread: Amount | None = None
    criteria: list[Key] = []


class ReviewOpened(EventData, type="review:opened"):
    """Judges came to no end by themselves, and a person has to decide."""

    review: PublicId
    reason: Literal["spread", "criterion_spread", "not_accepted", "quorum_lost"]
    criteria: list[Key]
    round: Count


class ReviewResolved(EventData, type="review:resolved"):
    """A person settled a review; `entries` are the ledger's numbers by criterion."""

    review: PublicId
    criteria: list[Key]
    entries: dict[str, Number]
    byOrganiser: bool = False


OF_PLAY: tuple[type[EventData], ...] = (
    ThreadStarted, RoundStarted, TurnAdded, TurnAwaited, TurnForfeited, VerdictIssued, ResponseEvaluated,
    ArbiterInterjection, StateChanged, ParticipantSurrendered, RoundHeld, RoundComplete, CriterionComplete,
    PanelReport, PanelConsensus, ReviewOpened, ReviewResolved,
)  # fmt: skip
