"""The closing words about a panel, from its numbers alone."""

from __future__ import annotations

from typing import Any

from judging.bench import Bench
from judging.heuristics import wording

LISTED = 5


def report(bench: Bench) -> dict[str, Any]:
    """Sum a panel up in words; every number comes from the result.

    Shape: ``summary``, and lists of ``strengths``, ``weaknesses`` and ``advice``.
    """
    result = bench.result
    rounds, judges = int(result.get("rounds", 0)), int(result.get("counted", 0))
    how = "without a debate" if not rounds else f"after {wording.counted(rounds, 'debate round')}"
    overall = (result.get("overall") or {}).get("after")
    disputed = [str(code) for code in result.get("disputed", [])]
    if result.get("agreed"):
        said = f"{wording.counted(judges, 'judge').capitalize()} agree {how} on {overall} of 5."
    else:
        said = f"The judges do not agree {how}; in dispute: {wording.listed(disputed)}."
    return {
        "summary": said,
        "strengths": [str(one) for one in result.get("strengths", [])][:LISTED],
        "weaknesses": [str(one) for one in result.get("weaknesses", [])][:LISTED],
        "advice": [str(one) for one in result.get("improvements", [])][:LISTED],
    }
