"""Words of a debate as types. No Django model, no I/O."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any

LONGEST_REASON = 4000
"""Characters of a reason, and of a note or a remark to moderators."""


class Format(StrEnum):
    """How a debate is played."""

    CRITERION = "criterion"
    OPEN = "open"
    PANEL = "panel"
    RESPONSES = "responses"


class Status(StrEnum):
    """Where a debate stands."""

    DRAFT = "draft"
    SCHEDULED = "scheduled"
    RUNNING = "running"
    PAUSED = "paused"
    AWAITING_REVIEW = "awaiting_review"
    CONCLUDING = "concluding"
    CONCLUDED = "concluded"
    FAILED = "failed"
    CANCELLED = "cancelled"


STATUS_WORDS: Mapping[str, str] = {
    Status.DRAFT: "not started",
    Status.SCHEDULED: "about to start",
    Status.RUNNING: "live",
    Status.PAUSED: "paused",
    Status.AWAITING_REVIEW: "awaiting review",
    Status.CONCLUDING: "concluding",
    Status.CONCLUDED: "concluded",
    Status.FAILED: "failed",
    Status.CANCELLED: "cancelled",
}
"""How people call a status."""


class ThreadStatus(StrEnum):
    """Where a thread stands. Partial: it ended early, with rounds that count."""

    PENDING = "pending"
    PLAYING = "playing"
    AWAITING_TURN = "awaiting_turn"
    COMPLETE = "complete"
    PARTIAL = "partial"
    FAILED = "failed"
    CANCELLED = "cancelled"


ENDED = frozenset({ThreadStatus.COMPLETE, ThreadStatus.PARTIAL, ThreadStatus.FAILED, ThreadStatus.CANCELLED})


class Role(StrEnum):
    """What a participant does in a debate."""

    EVALUATOR = "evaluator"
    CHALLENGER = "challenger"
    ARBITER = "arbiter"
    CHAIR = "chair"
    JUDGE = "judge"


class Kind(StrEnum):
    """Who speaks: our engine, a person, or somebody else's program."""

    ENGINE = "engine"
    HUMAN = "human"
    EXTERNAL = "external"


class TurnKind(StrEnum):
    OPENING = "opening"
    CHALLENGE = "challenge"
    DEFENCE = "defence"
    RESPONSE = "response"
    INTERJECTION = "interjection"
    REPORT = "report"
    JUDGEMENT = "judgement"
    SYNTHESIS = "synthesis"


BALLOTS = frozenset({TurnKind.REPORT, TurnKind.JUDGEMENT})
"""What judges who are no engines are awaited for: they give a ballot, and do not speak."""

FORFEIT = "forfeit"
"""How the slot of a turn begins that was not spoken."""
DEADLINE, NO_ANSWER = "deadline", "no_answer"
"""Why nothing came of a turn: the time was up, or none could be had, as of who may not judge."""


class AwaitedState(StrEnum):
    """What became of an awaited turn. Over: the debate ended first, or its time was given anew after a pause."""

    WAITING = "waiting"
    PAUSED = "paused"
    SPOKEN = "spoken"
    FORFEITED = "forfeited"
    OVER = "over"


class Conduct(StrEnum):
    """Who plays the debate: our conductor, or a client that posts rounds."""

    ENGINE = "engine"
    EXTERNAL = "external"


class Visibility(StrEnum):
    PUBLIC = "public"
    UNLISTED = "unlisted"
    PRIVATE = "private"


class MemberRole(StrEnum):
    """What a person may do in a debate, beside speaking from a seat: conduct it, judge it, or read it."""

    ORGANISER = "organiser"
    PARTICIPANT = "participant"
    JUDGE = "judge"
    GUEST = "guest"


class MailKind(StrEnum):
    """What people are written to about. They may choose not to be, but of their account: that mail they asked for."""

    INVITATION = "invitation"
    TURN = "turn"
    REMINDER = "reminder"
    FORFEITED = "forfeited"
    WAITING = "waiting"
    CONCLUDED = "concluded"
    CHANGED = "changed"
    NOT_STARTED = "not_started"
    ACCOUNT = "account"
    APPEAL = "appeal"
    APPEAL_DECIDED = "appeal_decided"


class Audience(StrEnum):
    """Who may read an event; fixed when the event is written."""

    PUBLIC = "public"
    PARTICIPANTS = "participants"
    MODERATORS = "moderators"


class Scope(StrEnum):
    """What an API key may be used for; what its owner may not do, no scope allows."""

    READ = "read"
    WRITE = "write"
    MODERATE = "moderate"
    EXPORT = "export"
    WEBHOOKS = "webhooks"
    METRICS = "metrics"
    KEYS = "keys"


WEBHOOK_TEST = "webhook:test"
"""What a webhook is told where somebody tries it: the type of no event."""


class HookState(StrEnum):
    """Whether a webhook is told of anything."""

    ACTIVE = "active"
    DISABLED = "disabled"


class DeliveryState(StrEnum):
    """What became of an event for a webhook. Dead: given up. Withheld: its owner may not read it any more."""

    WAITING = "waiting"
    DELIVERED = "delivered"
    DEAD = "dead"
    WITHHELD = "withheld"


MAIL_WORDS: Mapping[MailKind, str] = {
    MailKind.INVITATION: "somebody invites you",
    MailKind.TURN: "it is your turn",
    MailKind.REMINDER: "the time for your turn is nearly up",
    MailKind.FORFEITED: "your turn was forfeited",
    MailKind.WAITING: "a review waits for you",
    MailKind.CONCLUDED: "your debate is concluded",
    MailKind.CHANGED: "a moderator changed a result",
    MailKind.NOT_STARTED: "a draft of yours could not start at its time",
    MailKind.APPEAL: "somebody appeals in a debate of yours, or waits for you to decide",
    MailKind.APPEAL_DECIDED: "an appeal of yours, or in a debate of yours, is decided",
}
"""What a mail of each kind says that people may choose not to get."""


class MailState(StrEnum):
    """What became of a mail. Uncertain: whoever was handing it over died, and it is not sent again by itself.

    Withdrawn: when it was its turn to be sent nobody wanted it any more, or there was nowhere to send it.
    """

    DUE = "due"
    SENDING = "sending"
    SENT = "sent"
    UNCERTAIN = "uncertain"
    REFUSED = "refused"
    BOUNCED = "bounced"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True)
class News:
    """One event that a service wants in the log: ids and numbers only, never text.

    Shape: ``finals``, which is not written, is the final score before and after what a person did to it, ``None`` where
    it is not evaluated.
    """

    type: str
    data: Mapping[str, Any]
    audience: Audience = Audience.PUBLIC
    finals: tuple[Decimal | None, Decimal | None] | None = None
