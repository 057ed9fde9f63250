"""Events that only moderators read."""

from __future__ import annotations

from typing import Literal

from debates.event_schemas.base import Amount, Code, EventData, Moderators, PublicId


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


OF_MODERATION: tuple[type[EventData], ...] = (AlertRaised, AlertHandled, ApprovalAsked, ApprovalDecided)
