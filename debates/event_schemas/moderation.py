"""Events of moderation: those that only moderators read, and those of appeals."""

from typing import Literal

from debates.event_schemas.base import Amount, Code, Count, EventData, Key, Moderators, Number, Participants, PublicId


class ForModerators(EventData, audiences=(Moderators,)):
    """Something for the desk."""


class AlertRaised(ForModerators, type="alert:raised"):
    """Something gives reason to look."""

    alert: PublicId
    code: Code
    severity: Literal["info", "warning", "critical"]
    evaluation: PublicId | None


class AlertHandled(ForModerators, type="alert:handled"):
    """Somebody acknowledged, dismissed or reopened an alert."""

    alert: PublicId
    state: Code


class ApprovalAsked(ForModerators, type="approval:requested"):
    """An override waits for a second person."""

    approval: PublicId
    evaluation: PublicId
    state: Code
    value: Amount


class ApprovalDecided(ApprovalAsked, type="approval:decided"):
    """It was approved, refused, or is void because somebody moved the score."""


class Appeal(EventData):
    """An appeal: against an entry of a score, a ruling or the result."""

    appeal: PublicId
    about: Literal["entry", "ruling", "result"]
    evaluation: PublicId | None = None
    entry: Number | None = None
    ground: Code


class AppealFiled(Appeal, type="appeal:filed", audiences=(Participants,)):
    """Somebody appeals."""


class AppealWithdrawn(Appeal, type="appeal:withdrawn", audiences=(Participants,)):
    """Whoever appealed has taken it back."""


class AppealDecided(Appeal, type="appeal:decided"):
    """It was dismissed, allowed by an act of the ledger, or found moot. Its words are public from then on."""

    state: Literal["dismissed", "allowed", "moot"]
    act: Number | None = None
    actEvaluation: PublicId | None = None
    byOrganiser: bool = False


class BallotUnsealed(EventData, type="ballot:unsealed"):
    """Somebody with the right has broken the seal of a judge's ballot before its round closed. In which role, and why,
    says the log of moderation; what the ballot says nobody else reads.
    """

    seal: PublicId
    criterion: Key
    round: Count
    participant: PublicId
    byOrganiser: bool = False


class JudgeReplaced(EventData, type="judge:replaced"):
    """A judge who is no engine had to go before they reported, and somebody else has their place. A ballot that they
    gave is struck; in which role somebody did it, and why, says the log of moderation.
    """

    replaced: PublicId
    participant: PublicId
    successor: PublicId
    byOrganiser: bool = False


OF_MODERATION: tuple[type[EventData], ...] = (AlertRaised, AlertHandled, ApprovalAsked, ApprovalDecided)
OF_APPEALS: tuple[type[EventData], ...] = (AppealFiled, AppealWithdrawn, AppealDecided, BallotUnsealed, JudgeReplaced)
