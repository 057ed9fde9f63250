"""When two judges name the same strength or weakness, in their own words. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from judging.heuristics.text import content_stems, squeezed
from judging.panels.record import Criterion

QUOTED = re.compile('[\u201c"]([^\u201c\u201d"]{12,})[\u201d"]')
WORD = re.compile(r"[^\W\d_]+")
ALIKE = 50
"""Per cent of their words of weight, taken together, that two points share when they say the same; two at least."""


def same(first: str, second: str) -> bool:
    """Tell whether two points are one: in the same words, but for scores and quotes, or with a passage in common.

    Source: docs/reference/panels.md#what-all-judges-share
    """
    mine, theirs = words(first), words(second)
    shared = mine & theirs
    if shared and (mine == theirs or (len(shared) > 1 and 100 * len(shared) >= ALIKE * len(mine | theirs))):
        return True
    return any(quote in other or other in quote for quote in quotes(first) for other in quotes(second))


def words(point: str) -> frozenset[str]:
    """Return the stems of what a point says itself; numbers and what it quotes are not among them."""
    return content_stems(QUOTED.sub(" ", point))


def quotes(point: str) -> list[str]:
    """Return the passages that a point quotes, on one line and without what marks a cut."""
    return [squeezed(quote).rstrip(" .\u2026").casefold() for quote in QUOTED.findall(point)]


def criterion(point: str, criteria: Sequence[Criterion]) -> Criterion | None:
    """Return the criterion that a point begins with, or that is the only one it names."""
    beginning = words(point.partition(":")[0])
    named = [item for item in criteria if words(item.name) and words(item.name) <= words(point)]
    first = [item for item in named if words(item.name) == beginning]
    return first[0] if first else named[0] if len(named) == 1 else None


def is_bare(point: str, about: Criterion) -> bool:
    """Tell whether a point says no more than which criterion it is about."""
    return WORD.findall(QUOTED.sub(" ", point).casefold()) == WORD.findall(about.name.casefold())
