"""Words of the ledger as types: kinds of facts, entries, actors and alerts. No Django, no I/O."""

from enum import StrEnum


class FactKind(StrEnum):
    """What a fact is; each instrument has its own."""

    VERDICT = "verdict"
    RESPONSE = "response"
    JUDGE_SCORE = "judge_score"
    STANDING = "standing"


class EntryKind(StrEnum):
    """What an entry of the ledger does to an evaluation."""

    OPENED = "opened"
    ROUND = "round"
    HELD = "held"
    COMPLETED = "completed"
    FALLBACK = "fallback"
    OVERRIDE = "override"
    OVERRIDE_LIFTED = "override_lifted"
    FREEZE = "freeze"
    UNFREEZE = "unfreeze"
    STRIKE = "strike"
    REINSTATE = "reinstate"
    ROLLBACK = "rollback"
    RERUN = "rerun"


MODERATOR_KINDS = (
    EntryKind.OVERRIDE,
    EntryKind.OVERRIDE_LIFTED,
    EntryKind.FREEZE,
    EntryKind.UNFREEZE,
    EntryKind.STRIKE,
    EntryKind.REINSTATE,
    EntryKind.ROLLBACK,
    EntryKind.RERUN,
)
"""Kinds that only a person may write: they carry an actor and a reason."""


class ReasonCode(StrEnum):
    """Why an entry was written, for programs: no words of anybody, for an entry is for ever and its event public."""

    ALL_ROUNDS_PLAYED = "all_rounds_played"
    NOTHING_LEFT_OPEN = "nothing_left_open"
    NO_CHALLENGES = "no_challenges"
    BUDGET_SPENT = "budget_spent"
    STOPPED = "stopped"
    JUDGE_FAILED = "judge_failed"
    NOT_RECORDED = "not_recorded"
    COMPLETED_EARLY = "completed_early"
    ENDED_WHILE_FROZEN = "ended_while_frozen"
    BULK = "bulk"
    RESCORE_SET = "rescore_set"
    RERUN = "rerun"
    DEBATE_ROLLED_BACK = "debate_rolled_back"
    REVIEW = "review"
    UNDO = "undo"
    JUDGING_ERROR = "judging_error"
    NEW_EVIDENCE = "new_evidence"
    RULE_VIOLATION = "rule_violation"
    CONFLICT_OF_INTEREST = "conflict_of_interest"
    DUPLICATE = "duplicate"
    DATA_ERROR = "data_error"
    APPEAL = "appeal"
    OTHER = "other"


GIVEN_CODES = (
    ReasonCode.JUDGING_ERROR,
    ReasonCode.NEW_EVIDENCE,
    ReasonCode.RULE_VIOLATION,
    ReasonCode.CONFLICT_OF_INTEREST,
    ReasonCode.DUPLICATE,
    ReasonCode.DATA_ERROR,
    ReasonCode.APPEAL,
    ReasonCode.OTHER,
)
"""The codes that somebody may give with a reason; the others say what the program did."""


class ActorKind(StrEnum):
    """Through which door an entry came."""

    ENGINE = "engine"
    MODERATOR = "moderator"
    API = "api"
    SYSTEM = "system"


class HeldChoice(StrEnum):
    """What becomes of held facts when an evaluation is unfrozen."""

    APPLY = "apply"
    DISCARD = "discard"


class AlertState(StrEnum):
    OPEN = "open"
    ACKNOWLEDGED = "acknowledged"
    DISMISSED = "dismissed"


class ApprovalState(StrEnum):
    """Where an override stands that waits for a second person. Void: somebody moved the score meanwhile."""

    WAITING = "waiting"
    APPROVED = "approved"
    REFUSED = "refused"
    VOID = "void"


class AppealGround(StrEnum):
    """Why somebody appeals, of a short list; the words say more."""

    FACT_WRONG = "fact_wrong"
    RULE_MISAPPLIED = "rule_misapplied"
    PASSAGE_MISREAD = "passage_misread"
    PROCEDURE = "procedure"
    CONFLICT_OF_INTEREST = "conflict_of_interest"
    OTHER = "other"


class AppealState(StrEnum):
    """Where an appeal stands. Dismissed: what it is against stands. Moot: that was voided meanwhile."""

    OPEN = "open"
    CLAIMED = "claimed"
    DISMISSED = "dismissed"
    ALLOWED = "allowed"
    WITHDRAWN = "withdrawn"
    MOOT = "moot"


WAITING_APPEALS = (AppealState.OPEN, AppealState.CLAIMED)
"""States in which an appeal is still to be decided."""


class BulkAction(StrEnum):
    """What can be done to many scores at once."""

    FREEZE = "freeze"
    UNFREEZE = "unfreeze"
    ROLLBACK = "rollback"


class Scope(StrEnum):
    """Whose words an erasure takes: everybody's in a debate, one voice's in it, or a person's everywhere."""

    DEBATE = "debate"
    PARTICIPANT = "participant"
    USER = "user"


class RescoreState(StrEnum):
    """Where a rescore set stands."""

    STAGED = "staged"
    APPLIED = "applied"
    CANCELLED = "cancelled"
