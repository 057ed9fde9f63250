"""Which tables of judging are sealed, and which are not and why."""

from __future__ import annotations

from judging.models import (
    Call,
    Challenge,
    Consensus,
    Defence,
    Effect,
    JudgeReport,
    JudgeScore,
    ParticipantState,
    ResponseEvaluation,
    Review,
    Script,
    Standing,
    Synthesis,
    Verdict,
)  # fmt: skip
from scoring import seal_proof
from scoring.seal_proof import Sealed

TABLES = [
    Sealed(Call, "debate", once=False),  # its answer is let go after some time
    Sealed(Script, "debate"),
    Sealed(Challenge, "thread"),
    Sealed(Defence, "round"),
    Sealed(Verdict, "round"),
    Sealed(Synthesis, "debate"),
    Sealed(JudgeReport, "debate"),
    Sealed(JudgeScore, "report"),
    Sealed(Consensus, "debate"),
    Sealed(Review, "debate", once=False),
    Sealed(ResponseEvaluation, "turn"),
    Sealed(Effect, "turn"),
    Sealed(ParticipantState, "participant"),
    Sealed(Standing, "round"),
]
UNSEALED = {
    "judging_claim": "what a thread has set aside of the budget, until its round is over",
    "judging_callunderway": "calls that are being made; written down as a call when they have been",
    "judging_cachedjudgement": "judgements that are known already; what came of one is in the rows it went into",
}


def register() -> None:
    seal_proof.TABLES.extend(TABLES)
    seal_proof.UNSEALED.update(UNSEALED)
