"""What providers answer, once it has been read and found usable."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from judging.types import Reply, Severity, Winner


@dataclass(frozen=True, slots=True)
class Assessed:
    score: Decimal
    confidence: Decimal
    reasoning: str


@dataclass(frozen=True, slots=True)
class Raised:
    """A challenge as the red team gave it."""

    persona: str
    severity: Severity
    quote: str
    text: str


@dataclass(frozen=True, slots=True)
class Pressed:
    label: str
    text: str


@dataclass(frozen=True, slots=True)
class Defended:
    label: str
    reply: Reply
    text: str


@dataclass(frozen=True, slots=True)
class Ruled:
    """A verdict as the arbiter gave it."""

    label: str
    winner: Winner
    adjustment: Decimal
    impact: Decimal
    confidence: Decimal
    reasoning: str


@dataclass(frozen=True, slots=True)
class Concluded:
    summary: str
    strengths: tuple[str, ...]
    weaknesses: tuple[str, ...]
    advice: tuple[str, ...]
