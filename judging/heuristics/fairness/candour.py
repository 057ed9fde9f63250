"""Intellectual honesty: what was asked is answered, nobody is misquoted, and no ground is shifted without saying so."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from judging.heuristics.evidence import passages
from judging.heuristics.fairness import cues, steel
from judging.heuristics.fairness.claims import given_back
from judging.heuristics.fairness.clauses import Clause
from judging.heuristics.fairness.consistency import contradicted
from judging.heuristics.fairness.hearing import Hearing
from judging.heuristics.fairness.marks import Mark, distinct, points
from judging.heuristics.fairness.quoting import clipped, inventions
from judging.heuristics.text import cut

TOUCHED = 20
"""Per cent of a claim that an answer shares with it when it goes into it at all."""
COSTS = {
    "evasion": 8,
    "misrepresentation": 8,
    "cherry_picking": 6,
    "moving_goalposts": 7,
    "false_equivalence": 6,
}


def honesty(heard: Hearing) -> Mark:
    """Mark how honest a response is with others' words and its own.

    Source: docs/explanation/heuristic-chairs.md
    """
    found = dict(issues(heard))
    insults = [one for one in heard.own_words if steel.scorns(one)]
    loud = sum(len(one.signs.absolutes) for one in passages(heard.text))
    grounded = sum(1 for one in passages(heard.text) if one.signs.grounded and one.signs.sources)
    mark = 19 + (3 if touched(heard) * 2 >= len(heard.claims) > 0 else 0) + min(3, grounded)
    mark -= sum(COSTS[code] for code in found) + 4 * len(insults[:2]) + min(3, loud)
    quotes = distinct([*found.values(), *(heard.line(one) for one in insults)])
    return Mark(points(mark), told(list(found), insults), quotes, found=tuple(found))


def issues(heard: Hearing) -> Iterator[tuple[str, str]]:
    """Yield the issue codes that apply, each with the passage that shows it, or nothing to show."""
    deflected = next((one for one in heard.own_words if any(cues.hits(one.words, "deflections"))), None)
    if len(heard.claims) >= 2 and (deflected or not engages(heard)):
        yield "evasion", heard.line(deflected) if deflected else ""
    distorted = next((one for one in heard.own_words if steel.distorts(one, heard)), None)
    invented = next((cut(one.group()) for one in inventions(heard)), "")
    if distorted or invented:
        yield "misrepresentation", heard.line(distorted) if distorted else invented
    for match in islice(clipped(heard), 1):
        yield "cherry_picking", cut(match.group())
    for one, _ in islice(contradicted(heard), 1):
        yield "moving_goalposts", heard.line(one)
    equal = next((one for one in heard.own_words if equates(one)), None)
    if equal:
        yield "false_equivalence", heard.line(equal)


def engages(heard: Hearing) -> bool:
    """Tell whether a response takes up at least two words of weight that opponents brought, beyond the motion's."""
    brought = {found for claim in heard.claims for found, weight in claim.weights.items() if weight > 1}
    taken_up = {found for one in heard.clauses for found in one.content}
    return len(brought & taken_up) >= 2


def touched(heard: Hearing) -> int:
    """Return into how many of the opponents' main claims and questions the response goes at all."""
    sentences = {one.sentence for one in heard.clauses}
    stems = [
        frozenset[str]().union(*(one.content for one in heard.clauses if one.sentence in {at, at + 1}))
        for at in sorted(sentences)
    ]
    return sum(1 for claim in heard.claims if any(given_back(claim, found) >= TOUCHED for found in stems))


def equates(one: Clause) -> bool:
    """Tell whether a clause calls something as bad as what nothing in a debate is likely to be as bad as."""
    return any(cues.meant(one.words, "equivalences")) and any(cues.hits(one.words, "monsters"))


def told(codes: list[str], insults: list[Clause]) -> str:
    lines = [f"Found: {', '.join(codes).replace('_', ' ')}."] if codes else ["Nothing dishonest was found."]
    if insults:
        lines.append("Attacks the person.")
    return " ".join(lines)
