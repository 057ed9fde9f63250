"""Events of scores: progress after a round, and what the ledger did."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

from debates.event_schemas.base import Amount, Count, EventData, Key, Number, PublicId


class ScoreUpdated(EventData, type="score:updated"):
    """A round was counted: how far an evaluation has come, on any scale."""

    evaluation: PublicId
    instrument: Literal["criterion", "adherence", "panel", "standing"]
    criterion: Key
    category: str
    round: Count
    totalRounds: Number
    originalScore: Amount
    currentScore: Amount
    participant: PublicId | None


class CriterionScoreUpdated(EventData, type="criterion:score-updated"):
    """An entry of the ledger moved a criterion's score, by whomever."""

    evaluation: PublicId
    criterion: Key
    category: str
    round: Count
    verdicts: list[PublicId]
    before: Amount
    after: Amount
    delta: Amount
    kind: str
    entry: Number
    reasonCode: str


class ScoreFallback(EventData, type="score:fallback"):
    """Nothing counted, so the initial score is final."""

    evaluation: PublicId
    criterion: Key
    score: Amount
    entry: Number
    reasonCode: str


class Moderated(EventData):
    """A moderator acted on a score."""

    evaluation: PublicId
    criterion: Key
    entry: Number
    before: Amount
    after: Amount
    byOrganiser: bool = False


class ScoreFrozen(Moderated, type="score:frozen"):
    """A moderator froze the score: nothing moves it."""


class ScoreUnfrozen(Moderated, type="score:unfrozen"):
    """The score moves again."""


class ScoreOverridden(Moderated, type="score:overridden"):
    """A moderator set the score."""


class ScoreOverrideLifted(Moderated, type="score:override_lifted"):
    """The computed score counts again."""


class ScoreStruck(Moderated, type="score:struck"):
    """Facts were taken out of what counts."""


class ScoreReinstated(Moderated, type="score:reinstated"):
    """Facts count again."""


class ScoreRolledBack(Moderated, type="score:rolled_back"):
    """The score is what it was after an earlier entry."""


class ChangedScore(BaseModel):
    """One score that moved, and by which entry of its ledger last."""

    model_config = ConfigDict(extra="forbid", strict=True)
    evaluation: PublicId
    entry: Number
    before: Amount
    after: Amount


class ResultChanged(EventData, type="result:changed"):
    """After the conclusion a person changed what the debate came to; it stands beside the events of the acts."""

    scores: list[ChangedScore]


OF_SCORES: tuple[type[EventData], ...] = (
    ScoreUpdated, CriterionScoreUpdated, ScoreFallback, ScoreFrozen, ScoreUnfrozen, ScoreOverridden,
    ScoreOverrideLifted, ScoreStruck, ScoreReinstated, ScoreRolledBack, ResultChanged,
)  # fmt: skip
