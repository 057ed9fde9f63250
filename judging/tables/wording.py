"""What an open debate came to, in one sentence for people. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from judging.rules.standing import Result, Victory
from scoring.rules import numbers


def sentence(*, result: Result | None, exchanges: int, surrendered: Sequence[str], over: bool) -> str:
    """Return who won, or leads, and how.

    Shape: ``result`` is missing where nothing was won; ``surrendered`` are names in speaking order.
    """
    if not exchanges:
        return "No exchange has been played, so nobody has won." if over else "No exchange has been played yet."
    after = f"After {exchanges} exchange{'' if exchanges == 1 else 's'}"
    if result is None:
        return f"{after} nobody has won: this debate does not weigh who persuades whom."
    if result.victory is Victory.DRAW:
        return f"{after} the best two stand equal, so nobody {'has won' if over else 'leads'}{gone(surrendered)}."
    if result.victory is Victory.MUTUAL_SURRENDER:
        return f"{after} everybody has given up, so nobody has won."
    how = {Victory.OVERWHELMING: "overwhelmingly", Victory.CLEAR: "clearly", Victory.NARROW: "narrowly"}
    if result.victory not in how:
        return f"{after} {result.winner} is the only one at the table."
    verb = "has won" if over else "leads"
    margin = numbers.half_up(result.standings[0].total - result.standings[1].total, places=2)
    return f"{after} {result.winner} {verb} {how[result.victory]}, {margin} points ahead{gone(surrendered)}."


def gone(names: Sequence[str]) -> str:
    """Return who has given up, as the end of a sentence."""
    if not names:
        return ""
    listed = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    return f"; {listed} gave up"
