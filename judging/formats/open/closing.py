"""The last word on an open debate: everybody as they ended, and what the arbiter says of it. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from judging.answers import Concluded
from judging.scene import Position
from judging.tables import reading


def final_position(name: str, card: Mapping[str, Any], told: Mapping[str, Any]) -> Position:
    """Return a chair as it ended."""
    return Position(
        name=name,
        framework=card["framework"],
        stance=Decimal(told["stance"]),
        conviction=Decimal(told["conviction"]),
        strategy=card["strategy"],
        surrendered=told["surrendered"] is not None,
    )


def concluded(text: str) -> Concluded:
    """Return the last word with its lists told in its own words: strengths and weaknesses are of other debates."""
    closed = reading.closed(text)
    parts = [closed.summary]
    for title, lines in (
        ("Where they met", closed.agreements),
        ("Where they did not", closed.disagreements),
        ("What stayed open", closed.open_questions),
    ):
        if lines:
            parts.append("\n".join([f"{title}:", *(f"- {line}" for line in lines)]))
    return Concluded(summary="\n\n".join(parts), strengths=(), weaknesses=(), advice=())
