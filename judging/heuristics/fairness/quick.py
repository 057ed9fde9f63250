"""Two cheap looks at a response alone: is an opponent's view granted something, is a limit of one's own named?"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from judging.heuristics.fairness import cues
from judging.heuristics.fairness.clauses import Clause, Holder, Table, clauses, named, unquoted
from judging.heuristics.fairness.critique import refuses
from judging.heuristics.text import READ_LIMIT


@dataclass(frozen=True, slots=True)
class Flags:
    """Whether an opponent's view and a limit of one's own seem to be told."""

    steel_manning: bool
    self_critique: bool

    @property
    def columns(self) -> dict[str, bool]:
        return {"quick_steel_manning": self.steel_manning, "quick_self_critique": self.self_critique}


def quick(*, text: str, opponents: Collection[str] = (), own: Collection[str] = ()) -> Flags:
    """Return whether each of the two was attempted, by whole phrases, negation and whose words they are.

    Shape: ``opponents`` and ``own`` are names by which the sides are called.
    Source: docs/explanation/heuristic-chairs.md
    """
    table = Table(others=named(opponents), own=named(own))
    found = clauses(unquoted(text[:READ_LIMIT]), table)
    scorned = any(any(cues.meant(one.words, "insults")) or any(cues.hits(one.words, "sarcasm")) for one in found)
    granted = any(grants(one) for one in found)
    return Flags(steel_manning=granted and not scorned, self_critique=any(admits(one) for one in found))


def grants(one: Clause) -> bool:
    return one.holder is Holder.OPPONENT and one.granting and not any(cues.meant(one.words, "disputes"))


def admits(one: Clause) -> bool:
    own = any(cues.hits(one.words, "selves"))
    return one.holder is Holder.SPEAKER and own and not refuses(one) and bool(cues.meant(one.words, "failings"))
