"""Events of a debate as a whole."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

from debates.event_schemas.base import Amount, Code, Count, EventData, Key, Number
from debates.types import Format, Visibility


class DebateStarted(EventData, type="debate:started"):
    """Play begins."""

    format: Format
    rounds: Number
    threads: Count


class DebatePaused(EventData, type="debate:paused"):
    """Somebody paused it; calls in flight are still recorded."""


class DebateResumed(EventData, type="debate:resumed"):
    """It goes on; `concluding` when only the synthesis is tried again."""

    concluding: Literal[True] | None = None


class DebateConcluding(EventData, type="debate:concluding"):
    """Every thread has ended; it waits for its synthesis, or for who conducts it elsewhere to complete it."""


class DebateConcluded(EventData, type="debate:concluded"):
    """It has ended; `partial` when not everything was played or closing words are missing, and why."""

    partial: bool
    reason: str


class DebateFailed(EventData, type="debate:failed"):
    """Nothing could be assessed, or the synthesis failed; scores stand."""

    because: Code


class DebateCancelled(EventData, type="debate:cancelled"):
    """Somebody called it off."""


class DebateRerun(EventData, type="debate:rerun"):
    """Some or all criteria are played again from their initial scores."""

    criteria: list[Key]
    byOrganiser: bool = False


class DebateVisibility(EventData, type="debate:visibility"):
    """Others may read it now, or no more: who is no longer among them is not told this, nor anything after it."""

    visibility: Visibility


class BudgetStatus(EventData, type="budget:status"):
    """A limit is set and something was spent; at most two a second, and whenever play stops."""

    calls: Count
    tokens: Count
    money: Amount
    limitCalls: Number | None
    limitTokens: Number | None
    limitMoney: Amount | None


class Overall(BaseModel):
    """What a criterion debate comes to, before and after play."""

    model_config = ConfigDict(extra="forbid", strict=True)
    before: Amount | None
    after: Amount | None
    coverage: Amount | None
    recommendation: Code | None
    band: Code | None


class SynthesisComplete(EventData, type="synthesis:complete"):
    """The arbiter has written the synthesis; `overall` is there where criteria are scored."""

    number: Number
    overall: Overall | None = None


OF_THE_DEBATE: tuple[type[EventData], ...] = (
    DebateStarted, DebatePaused, DebateResumed, DebateCancelled, DebateFailed, DebateConcluding, DebateConcluded,
    DebateRerun, DebateVisibility,
    SynthesisComplete, BudgetStatus,
)  # fmt: skip
