"""Tables of judging."""

from judging.models.call import Call, Claim, Script
from judging.models.criterion import Challenge, Defence, Synthesis, Verdict
from judging.models.panel import Consensus, JudgeReport, JudgeScore
from judging.models.review import Review

__all__ = [
    "Call",
    "Challenge",
    "Claim",
    "Consensus",
    "Defence",
    "JudgeReport",
    "JudgeScore",
    "Review",
    "Script",
    "Synthesis",
    "Verdict",
]
