"""Whether a quote occurs in a text, and where. White space, quotation marks and dashes may differ; words may not."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

SHORTEST = 3
"""Letters and digits that a quote needs; less occurs anywhere."""
MOST_PARTS = 6
LONGEST = 4_000
QUOTATION_MARKS = "\"'`\u00ab\u00b4\u00bb\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u2039\u203a\u2032\u2033"
DASHES = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
ELLIPSIS = re.compile(r"\s*(?:\[\s*(?:\.{3}|\u2026)\s*\]|\(\s*(?:\.{3}|\u2026)\s*\)|\.{3,}|\u2026)\s*")
ALIKE = str.maketrans(dict.fromkeys(QUOTATION_MARKS, "'") | dict.fromkeys(DASHES, "-"))


@dataclass(frozen=True, slots=True)
class Span:
    """One place in a text: ``text[start:end]``."""

    start: int
    end: int


HEADERS = re.compile(r"(?:\A|(?<=\n\n))# File: [^\n]*(?=\n\n)")


@dataclass(frozen=True, slots=True)
class Source:
    """A text made ready for looking quotes up in it: as compared, and where each compared character stands."""

    compared: str
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Quote:
    """A quote as it was given, and the places it has in the subject; none: it is not there."""

    text: str
    spans: tuple[Span, ...] = ()

    @property
    def found(self) -> bool:
        return bool(self.spans)


def header(name: str) -> str:
    """Return the line under which a file stands among several in one subject. It is ours, and no evidence."""
    return f"# File: {' '.join(name.split())}"


def own_words(text: str, *, fill: str = " ") -> str:
    """Return a subject of the same length in which every line that ``header`` gives is filled up."""
    return HEADERS.sub(lambda match: fill * len(match.group()), text)


def source(text: str) -> Source:
    """Return a text ready for looking quotes up in it: marks made alike, each run of white space one space."""
    kept: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text.translate(ALIKE)):
        blank = character.isspace()
        if not blank or (kept and kept[-1] != " "):
            kept.append(" " if blank else character)
            places.append(place)
    return Source(compared="".join(kept), places=tuple(places))


def located(*, quote: str, within: Source) -> Quote:
    """Look a quote up: every part of it, in order, word for word, with something left out only at an ellipsis.

    Shape: one span per part. A quote of fewer than 3 letters and digits, or of more than 6 parts, is not looked for.
    Source: docs/reference/panels.md#evidence
    """
    clean = quote.strip()
    whole = _parts_found([_compared(clean)], within) or _parts_found([_compared(_bare(clean))], within)
    if whole or len(clean) > LONGEST:
        return Quote(text=clean, spans=whole)
    # Squeezed before it is split: a long run of blanks would be looked through again from each of them.
    parts = ELLIPSIS.split(_compared(_bare(clean)))
    return Quote(text=clean, spans=_parts_found([_compared(part) for part in parts], within))


def all_located(*, quotes: Iterable[str], within: Source) -> tuple[Quote, ...]:
    """Look several quotes up."""
    return tuple(located(quote=quote, within=within) for quote in quotes)


def _compared(part: str) -> str:
    return " ".join(part.translate(ALIKE).split())


def _bare(quote: str) -> str:
    """Take off the quotation marks that a judge has put around a quote."""
    return quote.strip(QUOTATION_MARKS).strip()


def _parts_found(parts: Sequence[str], within: Source) -> tuple[Span, ...]:
    nonempty = [part for part in parts if part]
    letters = sum(character.isalnum() for part in nonempty for character in part)
    if not 1 <= len(nonempty) <= MOST_PARTS or letters < SHORTEST:
        return ()
    spans: list[Span] = []
    after = 0
    for part in nonempty:
        at = _whole_words(part, within.compared, after)
        if at < 0:
            return ()
        after = at + len(part)
        spans.append(Span(within.places[at], within.places[after - 1] + 1))
    return tuple(spans)


def _whole_words(part: str, text: str, after: int) -> int:
    """Return where a part stands without cutting a word in two, or -1."""
    at = text.find(part, after)
    while at >= 0:
        end = at + len(part)
        cut_before = at > 0 and text[at - 1].isalnum() and part[0].isalnum()
        cut_after = end < len(text) and text[end].isalnum() and part[-1].isalnum()
        if not cut_before and not cut_after:
            return at
        at = text.find(part, at + 1)
    return -1
