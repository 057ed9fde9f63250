"""Tables of judging."""

from judging.models.call import Call, CallUnderWay, Claim, Script
from judging.models.criterion import Challenge, Defence, Synthesis, Verdict
from judging.models.panel import Consensus, JudgeReport, JudgeScore
from judging.models.review import Review
from judging.models.table import CachedJudgement, Effect, ParticipantState, ResponseEvaluation, Standing

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
    "ParticipantState",
    "ResponseEvaluation",
    "Review",
    "Script",
    "Standing",
    "Synthesis",
    "Verdict",
]
