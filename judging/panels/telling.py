"""What a panel came to, in the words that page, paper and command share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from judging.panels.deliberation import rows_of
from scoring import types
from scoring.rules import numbers

REASONS = {
    "quorum_lost": "too few judges could be read",
    "spread": "the overall scores lie too far apart",
    "criterion_spread": "the scores of a criterion lie too far apart",
    "not_accepted": "not every judge accepts the result",
}
NOW_REASONS = {**REASONS, "quorum_lost": "too few judges count on a criterion"}
EARLY = {
    "budget_spent": "the budget was spent",
    "stopped": "a moderator stopped it",
    "judge_failed": "no judge answered any more",
    "not_recorded": "its end could not be written down",
}
SHOWN_PLACES = 4
NUMBERS = frozenset(
    {"corrected", "criterion_spread", "deviation", "final", "first", "fleiss", "from", "gap", "given", "high", "left"}
    | {"leniency", "low", "mean", "other_score", "overall", "override", "own_score", "pass_mark", "revision_mark"}
    | {"score", "share", "spread", "to", "value", "wanted"}
)
"""Names under which a document of a panel holds a number."""
BY_NAME = frozenset(["criterion_spreads", "means", "overalls", "scores", "weights"])
"""Names under which it holds numbers by criterion or judge."""


def in_places(value: Any, *, name: str = "") -> Any:
    """Return a document, or a part of it, with its numbers as JSON carries them: strings of 2 to 6 places.

    Overalls are kept and compared with 12 places.
    """
    if isinstance(value, Mapping) and name != "not_applicable":  # that one holds words, by criterion
        return {key: in_places(part, name=name if name in BY_NAME else key) for key, part in value.items()}
    if isinstance(value, list):
        return [in_places(part) for part in value]
    return types.in_places(Decimal(value)) if isinstance(value, str) and name in NUMBERS | BY_NAME else value


def early(because: str) -> str:
    """Return why a panel ended early, in words."""
    return EARLY.get(because, "it was ended")


def reason(document: Mapping[str, Any]) -> str:
    """Return why the judges did not agree when the newest round was closed, with who does not accept; else nothing."""
    outcome = document["outcome"]
    if outcome is None or outcome["agreed"]:
        return ""
    return _refused(document) if outcome["reason"] == "not_accepted" else REASONS[outcome["reason"]]


def _refused(document: Mapping[str, Any]) -> str:
    """Return who does not accept; of erased reports it is not known."""
    spoken = {name: one for name, one in document["rounds"][-1]["sections"].items() if one and "accepts" in one}
    who = [name for name, one in spoken.items() if not one["accepts"]]
    if len(who) < len(spoken):
        return f"{REASONS['not_accepted']} ({listed(who)} {'does' if len(who) == 1 else 'do'} not)"
    return "no judge accepts the result" if any(rows_of(one) for one in spoken.values()) else REASONS["not_accepted"]


def decision(document: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """Say who decides what is in dispute, or what became of what a person has decided; ``names`` are by code."""
    about = document["debate"]
    if about["status"] in {"awaiting_review", "running"}:
        return "A person must decide." if about["status"] == "awaiting_review" else "The debate goes on."
    overrides = {one["code"]: one["override"] for one in document["criteria"]}
    taken = [names[code] for code in document["outcome"]["disputed"] if overrides[code] is not None]
    back = [names[code] for code in document["outcome"]["disputed"] if overrides[code] is None]
    if about["status"] != "concluded" or (about["partial"] and not taken):
        return "It ended before anybody decided." if about["status"] in {"concluded", "cancelled", "failed"} else ""
    if not taken:
        return "What a person decided was taken back; the means of the judges stand."
    if not back:
        return "A person has decided."
    stand = "the mean of the judges stands" if len(back) == 1 else "the means of the judges stand"
    return f"A person has decided {listed(taken)}; on {listed(back)} {stand}."


def said_on(document: Mapping[str, Any], judge: str, code: str) -> str:
    """Return what a judge last said about a criterion; in a debate round it speaks only to some."""
    for played in reversed(document["rounds"]):
        section = played["sections"].get(judge)
        row = next((one for one in rows_of(section) if one["criterion"] == code), None) if section else None
        if row:
            return str(row.get("reasoning") or row.get("because") or "")
    return ""


def short(score: str | None) -> str:
    """Return an overall or a spread for people: overalls are compared with more places than anybody reads."""
    return types.in_places(numbers.half_up(Decimal(score), places=SHOWN_PLACES)) if score else ""


def listed(names: Sequence[str]) -> str:
    """Return names as a sentence lists them."""
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else "".join(names)
