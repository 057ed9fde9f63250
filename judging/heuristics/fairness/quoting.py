"""Quotations in a response: those that nobody has said, and those that stop too early."""

from __future__ import annotations

import re
from collections.abc import Iterator

from judging.heuristics.fairness.clauses import QUOTED, Holder
from judging.heuristics.fairness.hearing import Hearing
from judging.heuristics.lexicons import words as listed
from judging.heuristics.text import squeezed

LONG_QUOTE = 5
"""Words from which a quotation is meant to be one."""
STOPS = " .,;:!?\u2026"


def inventions(heard: Hearing) -> Iterator[re.Match[str]]:
    """Yield quotations put into an opponent's mouth that nobody at the table has said."""
    for match in QUOTED.finditer(heard.text):
        around = next((one for one in heard.clauses if one.start <= match.start() + 1 < one.end), None)
        before = next((one for one in reversed(heard.clauses) if one.end <= match.start() + 1), None)
        said_by = [one for one in (around, before) if one and one.sentence == (around or before or one).sentence]
        words = squeezed(match.group()[1:-1]).rstrip(STOPS).lower()
        attributed = any(one.holder is Holder.OPPONENT for one in said_by)
        if attributed and len(words.split()) >= LONG_QUOTE and words not in heard.spoken:
            yield match


def clipped(heard: Hearing) -> Iterator[re.Match[str]]:
    """Yield quotations of an opponent that stop right before the "but" of the same sentence."""
    for match in QUOTED.finditer(heard.text):
        quote = squeezed(match.group()[1:-1]).rstrip(STOPS)
        at = heard.answered.lower().find(quote.lower())
        if at < 0 or heard.answered[at + len(quote) :].lstrip()[:1] in {".", "!", "?"}:
            continue
        after = heard.answered[at + len(quote) :].lstrip(" ,;:\u2014-").lower().split()
        if after and after[0] in listed("contrasts"):
            yield match


def misquoting(heard: Hearing) -> frozenset[int]:
    """Return the sentences that hold such a quotation: they tell nobody's view fairly."""
    places = [match.start() + 1 for match in (*inventions(heard), *clipped(heard))]
    return frozenset(one.sentence for one in heard.clauses for at in places if one.start <= at < one.end)
