"""Which tables of judging are sealed, what of their rows may change later, and what is not sealed and why."""

from __future__ import annotations

from typing import Any

from judging.models import (
    Call,  # fmt: skip
    Challenge,  # fmt: skip
    Consensus,  # fmt: skip
    Defence,  # fmt: skip
    Effect,  # fmt: skip
    JudgeReport,  # fmt: skip
    JudgeScore,  # fmt: skip
    ParticipantState,  # fmt: skip
    ResponseEvaluation,  # fmt: skip
    Review,  # fmt: skip
    Script,  # fmt: skip
    Standing,  # fmt: skip
    Synthesis,  # fmt: skip
    Verdict,  # fmt: skip
)
from scoring import sealed, state_proof
from scoring.sealed import Sealed, emptied, mark_inside, marked

ALL = ("debate__participants",)
"""Words that may be anybody's who takes part."""


def without_quotes(numbers: Any) -> bool:
    """Say whether the numbers of closing words quote nobody and name nobody any more."""
    return numbers.get("improvements") == [] or mark_inside(numbers)


TABLES = [
    Sealed(
        Call,
        "debate",
        fading=("raw_answer", "problem"),
        erasable={"raw_answer": emptied, "problem": emptied, "about": marked},
        voices=ALL,
    ),
    Sealed(Script, "debate", removable=True),
    Sealed(
        Challenge,
        "thread",
        erasable={"quote": emptied},
        voices=("turn__participant", "defences__turn__participant"),
    ),
    Sealed(Defence, "round"),
    Sealed(
        Verdict,
        "round",
        erasable={"reasoning": emptied},
        voices=("challenge__turn__participant", "challenge__defences__turn__participant"),
    ),
    Sealed(Synthesis, "debate", erasable={"numbers": without_quotes}, voices=ALL),
    Sealed(JudgeReport, "debate", erasable={"body": emptied}, voices=ALL),
    Sealed(JudgeScore, "report"),
    Sealed(Consensus, "debate"),
    Sealed(
        Review,
        "debate",
        changing=("state", "claimed_by_id", "lease_until"),
        once=("settled_by_id", "settled_at", "decisions"),
    ),
    Sealed(ResponseEvaluation, "turn", erasable={"grounds": emptied}, voices=("turn__debate__participants",)),
    Sealed(Effect, "turn"),
    Sealed(ParticipantState, "participant"),
    Sealed(Standing, "round"),
]
REVIEW = f"""
SELECT r.debate_id, r.id, CASE WHEN e.resolved THEN 'settled' ELSE 'not settled' END, r.state
FROM judging_review r, LATERAL (SELECT EXISTS (
  SELECT FROM debates_event l WHERE l.debate_id = r.debate_id AND l.type = 'review:resolved'
    AND l.data ->> 'review' = r.public_id::text) AS resolved) e
WHERE e.resolved <> (r.state = 'settled') AND {state_proof.OF.format("r")}
ORDER BY r.id
"""  # noqa: S608 -- our own words
UNSEALED = {
    "judging_claim": "what a thread has set aside of the budget, until its round is over",
    "judging_callunderway": "calls that are being made; written down as a call when they have been",
    "judging_cachedjudgement": "judgements that are known already; what came of one is in the rows it went into",
}


def register() -> None:
    sealed.TABLES.extend(TABLES)
    sealed.UNSEALED.update(UNSEALED)
    state_proof.STANDINGS.append(state_proof.Standing("review", "its state is not what the log says", REVIEW))
