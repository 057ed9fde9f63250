"""The arbiter's last words about a debate, in paragraphs and lists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from debates.models import Debate, Participant
from judging.models import Synthesis

BULLET = "- "


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, or a list with its heading."""

    words: str
    lines: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Written:
    """A synthesis as it is shown: who wrote it, when, and about which overall. Without blocks its text was erased."""

    blocks: Sequence[Block]
    by: Participant
    at: datetime
    overall: str | None


def newest(*, debate: Debate) -> Written | None:
    found = Synthesis.objects.filter(debate=debate).select_related("turn__participant").last()
    if found is None:
        return None
    overall = (found.numbers["overall"] or {}).get("after")
    return Written(blocks=blocks(text=found.turn.text), by=found.turn.participant, at=found.at, overall=overall)


def blocks(*, text: str) -> list[Block]:
    """Return a text in paragraphs; lines that begin with a dash under a line that ends with a colon are a list."""
    return [block(part) for part in text.split("\n\n") if part.strip()]


def block(part: str) -> Block:
    head, *lines = part.strip().split("\n")
    if lines and head.endswith(":") and all(line.startswith(BULLET) for line in lines):
        return Block(words=head.removesuffix(":"), lines=[line.removeprefix(BULLET) for line in lines])
    return Block(words=part.strip())
