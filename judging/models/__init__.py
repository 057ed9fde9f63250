"""Tables of judging."""

from judging.models.call import CachedJudgement, Call, CallUnderWay, Claim, Script
from judging.models.judgements import (
    Challenge,
    Consensus,
    Defence,
    Effect,
    JudgeReport,
    JudgeScore,
    ParticipantState,
    ResponseEvaluation,
    Review,
    Standing,
    Synthesis,
    Verdict,
)
from judging.models.new_debate import NewDebate, PlannedStart

__all__ = [
    "CachedJudgement",
    "Call",
    "CallUnderWay",
    "Challenge",
    "Claim",
    "Consensus",
    "Defence",
    "Effect",
    "JudgeReport",
    "JudgeScore",
    "NewDebate",
    "ParticipantState",
    "PlannedStart",
    "ResponseEvaluation",
    "Review",
    "Script",
    "Standing",
    "Synthesis",
    "Verdict",
]
