"""Tables of judging."""

from judging.models.call import Call, CallUnderWay, Claim, Script
from judging.models.criterion import Challenge, Defence, Synthesis, Verdict
from judging.models.new_debate import NewDebate, PlannedStart
from judging.models.open_debate import CachedJudgement, Effect, ParticipantState, ResponseEvaluation, Standing
from judging.models.panel import Consensus, JudgeReport, JudgeScore, Review

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
