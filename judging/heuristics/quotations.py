"""Which passages of a subject were quoted in something that was said, by whomever."""

from __future__ import annotations

from collections.abc import Iterable

from judging.heuristics.evidence import Passage
from judging.heuristics.text import squeezed

SHORTEST = 12
"""Characters below which a repetition is chance rather than a quotation."""
OPENING = 60
"""Characters of a longer passage that are enough to recognise it."""


def brought_in(words: str, every: Iterable[Passage]) -> tuple[Passage, ...]:
    """Return the passages that are quoted in the words, in the order of the subject."""
    spoken = squeezed(words)
    return tuple(one for one in every if is_quoted(one, spoken))


def is_quoted(one: Passage, spoken: str) -> bool:
    if len(one.line) < SHORTEST:
        return False
    return one.line in spoken or (len(one.line) > OPENING and one.line[:OPENING] in spoken)


def passage_of(quote: str, every: Iterable[Passage]) -> Passage | None:
    """Return the first passage that a quote comes from: one contains the other."""
    wanted = squeezed(quote)
    if not wanted:
        return None
    for one in every:
        whole = squeezed(one.sentence.text)
        if wanted in whole or (len(whole) >= SHORTEST and whole in wanted):
            return one
    return None
