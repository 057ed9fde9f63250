"""The one place where the status of a debate changes."""

from __future__ import annotations

from debates import rules
from debates.errors import NotAllowedNow
from debates.models import Debate
from debates.types import Status


def move(*, debate: Debate, to: Status, action: str) -> None:
    """Set the status of a locked debate.

    Raises: ``NotAllowedNow`` unless the table of statuses allows it.
    Source: docs/reference/debates.md, "Statuses".
    """
    current = Status(debate.status)
    if not rules.may_follow(current=current, proposed=to):
        raise NotAllowedNow(f"A debate that is {current.replace('_', ' ')} cannot be {action}.")
    debate.status = to.value
    debate.save(update_fields=["status"])
