"""Who may see which debate: the same for pages as for every other door."""

from __future__ import annotations

from uuid import UUID

from debates import selectors
from debates.models import Debate
from debates.selectors import Visitor

__all__ = ["Visitor", "debate_at"]


def debate_at(*, address: UUID, visitor: Visitor) -> Debate | None:
    """Return the debate at an address, or nothing if there is none that this visitor may read."""
    return selectors.visible_debates(visitor=visitor).filter(public_id=address).first()
