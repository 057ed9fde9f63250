"""Framework consistency, experimental: do the reasons given belong to the framework the speaker argues from?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from judging.heuristics import lexicons
from judging.heuristics.evidence import negated
from judging.heuristics.fairness import cues
from judging.heuristics.fairness.claims import Claim, given_back
from judging.heuristics.fairness.clauses import Clause, Holder, assertions, unquoted
from judging.heuristics.fairness.hearing import Hearing
from judging.heuristics.fairness.marks import Mark, distinct, points

CLEAR = 4
"""Weight of words from which a sentence speaks for a framework."""
RESTATED = 60
"""Per cent of an earlier sentence that must come back before it can be called contradicted."""


@dataclass(frozen=True, slots=True)
class Reason:
    """A clause that argues, with the framework it speaks for best and by how much, and how much for the own one."""

    clause: Clause
    best: str
    weight: int
    own: int


def consistency(heard: Hearing) -> Mark:
    """Mark how well the reasons fit. Without a framework a speaker is held to its own earlier words.

    Source: docs/explanation/heuristic-chairs.md
    """
    if heard.framework is None:
        return faithful(heard)
    reasons = list(reasons_of(heard, heard.framework.key))
    strange = [one for one in reasons if one.own == 0 and one.weight >= CLEAR]
    fitting = [one for one in reasons if one.own >= 2 and one.own * 2 >= one.weight]
    mark = 15 + (8 * len(fitting) // len(reasons) if reasons else 0) + min(2, len(fitting))
    names = [f"argues from {one.best}" for one in strange[:3]]
    quotes = distinct([heard.line(one.clause) for one in (*strange, *fitting)])
    return Mark(points(mark - 5 * len(strange)), told(reasons, fitting), quotes, found=tuple(names))


def reasons_of(heard: Hearing, own: str) -> Iterator[Reason]:
    """Yield the clauses in the speaker's own voice that say what ought to be, or why, and in whose terms."""
    for one in heard.own_words:
        if one.holder is not Holder.SPEAKER or not argues(one):
            continue
        weights = {key: weight_of(one, key) for key in cues.framework_keys()}
        best = max(weights, key=lambda key: (weights[key], key == own, key))
        if weights[best] >= 2:
            yield Reason(one, best, weights[best], weights[own])


def argues(one: Clause) -> bool:
    return any(cues.hits(one.words, "norms")) or any(word in {"because", "since", "therefore"} for word in one.words)


def weight_of(one: Clause, key: str) -> int:
    listed = cues.framework_words(key)
    return sum(
        listed.get(found, 0)
        for at, found in enumerate(one.stems)
        if found in listed and found not in one.stems[:at] and not negated(one.words, at)
    )


def told(reasons: list[Reason], fitting: list[Reason]) -> str:
    if not reasons:
        return "Gives no reasons that could be told to belong to a framework. (Experimental.)"
    return f"{len(fitting)} of {len(reasons)} reasons belong to the framework. (Experimental.)"


# -- without a framework ---------------------------------------------------------------------------------------------


def faithful(heard: Hearing) -> Mark:
    """Mark a speaker without a framework by what it said itself."""
    against = list(contradicted(heard))
    quotes = distinct([heard.line(one) for one, _ in against])
    found = tuple(f"contradicts: {earlier.line}" for _, earlier in against[:3])
    told = "Contradicts what it said before." if against else "Says nothing against what it said before."
    return Mark(points(20 - 7 * len(against)), told, quotes, found=found)


def contradicted(heard: Hearing) -> Iterator[tuple[Clause, Claim]]:
    """Yield own clauses that deny what their speaker said before, unless it says that it takes something back."""
    if any(any(cues.hits(one.words, "retractions")) for one in heard.own_words):
        return
    spoken = {at for one in heard.own_words if one.holder is Holder.SPEAKER for at in range(one.start, one.end)}
    for one in assertions(unquoted(heard.text)):
        if one.start not in spoken:
            continue
        against = (earlier for earlier in heard.before if denies(one, earlier))
        if found := next(against, None):
            yield one, found


def denies(one: Clause, earlier: Claim) -> bool:
    """Tell whether a clause says an earlier sentence again with a negation more or less."""
    if len(earlier.weights) < 3 or given_back(earlier, one.content) < RESTATED:
        return False
    return is_negative(one.words) != is_negative(earlier.words)


def is_negative(words: tuple[str, ...]) -> bool:
    """Tell whether an odd number of negations stands in a run of words."""
    return sum(1 for word in words if word in lexicons.words("negators")) % 2 == 1
