"""What the acts that report on a debate say of one that was played to its end, nothing lost and nothing doubled."""

from typing import Any


def criterion(played: int) -> dict[str, Any]:
    """Return it for a debate on criteria of so many rounds in all, each of two challenges: see ``act.start``."""
    return {
        "faults": [], "gapless": True, "status": "concluded", "partial": False, "rounds": played, "entries": played,
        "verdicts": 2 * played, "facts": 2 * played, "turns": 4 * played + 1, "used": 3 * played + 1,
        "finals": ["7.500000"], "jobs": 0,
    }  # fmt: skip


OPEN = {
    "status": "concluded", "partial": False, "gapless": True, "faults": [],
    "turns": 1 + 2 + 16 + 1, "judged": 16, "effects": 16, "states": 2 + 16, "standings": 2 * 9, "facts": 16 + 18,
}  # fmt: skip
"""Of an open debate of eight exchanges: see ``act.table``."""

PANEL = {
    "status": "awaiting_review", "partial": False, "gapless": True, "told": [4, 12, 4, 1], "faults": [],
    "turns": 12, "used": 12, "reports": 12, "scores": 24, "facts": 24, "entries": 6, "consensuses": 4, "reviews": 1,
}  # fmt: skip
"""Of a panel of three judges and three rounds of debate, who never agree: see ``act.bench``."""
