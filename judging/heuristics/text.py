"""A text as sentences with their places, words and stems. Quotes are slices of the original."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from snowballstemmer.english_stemmer import EnglishStemmer

from judging.heuristics import lexicons

# Whole hundredths and the decimal strings that they are written as. No binary fraction comes near a score.


def written(hundredths: int) -> str:
    """Return whole hundredths as a decimal with two places: -120 is "-1.20"."""
    return str(Decimal(hundredths).scaleb(-2).quantize(Decimal("0.01")))


def hundredths(value: object, *, otherwise: int) -> int:
    """Return a decimal, whole number or decimal string as whole hundredths, or a given number where it is none."""
    if isinstance(value, bool) or not isinstance(value, (Decimal, int, str)):
        return otherwise
    try:
        number = Decimal(value)
    except ArithmeticError:
        return otherwise
    if not number.is_finite() or abs(number) > Decimal(1_000):
        return otherwise
    return int((number * 100).to_integral_value())


def limited(value: int, *, least: int, most: int) -> int:
    return max(least, min(most, value))


# A text as sentences with their places in it, words and stems. Quotes are always slices of the original.


READ_LIMIT = 40_000
"""Characters of a text that are read; what follows is left out and not judged."""
QUOTE_LIMIT = 240
"""Characters of a quote at most; longer sentences are cut at a word, never altered."""

# Only letters that every supported Python classifies alike: a newer Unicode table must not change a score.
LETTER = "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0370-\u03ff\u0400-\u052f"
WORD = re.compile(rf"[{LETTER}]+(?:['\u2019][{LETTER}]+)*|[0-9](?:[0-9.,\u2009]*[0-9])?|[%\u2030\u00b0]")
# Possessive, and never begun inside a run of stops: a page of dots must not take quadratic time.
END = re.compile(r"(?<![.!?\u2026])[.!?\u2026]++[\"'\u201d\u2019)\]*_]*+(?=\s)|[\u3002\uff01\uff1f]+")
MARKER = re.compile(r"[ \t]*(?:[-*+\u2022]|[0-9]{1,3}[.)])[ \t]+")
HEADING = re.compile(r"[ \t]*#{1,6}[ \t]+")
BLANK = re.compile(r"[ \t\r\f\v]*")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence, ``text[start:end]``, with the words in it and the heading it stands under."""

    start: int
    end: int
    text: str
    paragraph: int
    heading: str
    words: tuple[str, ...]
    raw_words: tuple[str, ...]
    stems: tuple[str, ...]


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """Return the stem of a lower-case word. A stemmer keeps state, so each call that is not cached has its own."""
    return str(EnglishStemmer().stemWord(word[:40]))


def tokens(text: str) -> tuple[str, ...]:
    """Return words, numbers and percent signs as written. Hyphens part words."""
    return tuple(WORD.findall(text))


def lowered(*, raw: tuple[str, ...]) -> tuple[str, ...]:
    """Return words in lower case with straight apostrophes."""
    return tuple(word.lower().replace("\u2019", "'") for word in raw)


@lru_cache(maxsize=2_000)
def content_stems(text: str) -> frozenset[str]:
    """Return the stems of the words that carry meaning: letters, longer than three, not everyday words."""
    found = lowered(raw=tokens(text[:READ_LIMIT]))
    weighty = (word for word in found if len(word) > 3 and not word[0].isdigit())
    return frozenset(stem(word) for word in weighty if word not in lexicons.everyday())


def cut(text: str, *, limit: int = QUOTE_LIMIT) -> str:
    """Return the beginning of a text, at most ``limit`` characters, ending with a whole word where there is one."""
    if len(text) <= limit:
        return text
    part = text[:limit]
    spaces = [match.start() for match in re.finditer(r"\s", part)]
    return (part[: spaces[-1]] if spaces and spaces[-1] > limit // 2 else part).rstrip()


def squeezed(text: str) -> str:
    """Return a text with every run of white space as one space, for comparing what was quoted."""
    return " ".join(text.split())


@lru_cache(maxsize=64)
def sentences(text: str) -> tuple[Sentence, ...]:
    """Return the sentences of a text in order. Headings are no sentences; they title those that follow."""
    found: list[Sentence] = []
    heading = ""
    for paragraph, (start, end, is_heading) in enumerate(blocks(text[:READ_LIMIT])):
        if is_heading:
            heading = text[start:end]
            continue
        found.extend(sentence(text, first, last, paragraph, heading) for first, last in spans(text, start, end))
    return tuple(one for one in found if one.words)


def sentence(text: str, start: int, end: int, paragraph: int, heading: str) -> Sentence:
    raw = tokens(text[start:end])
    words = lowered(raw=raw)
    return Sentence(
        start=start,
        end=end,
        text=text[start:end],
        paragraph=paragraph,
        heading=heading,
        words=words,
        raw_words=raw,
        stems=tuple(stem(word) for word in words),
    )


def blocks(text: str) -> Iterator[tuple[int, int, bool]]:
    """Yield (start, end, is heading) of paragraphs, list items and headings; wrapped lines stay together."""
    begun: int | None = None
    last = 0
    for start, end in lines(text):
        heading, item = HEADING.match(text, start, end), MARKER.match(text, start, end)
        blank = BLANK.fullmatch(text, start, end) is not None
        if begun is not None and (blank or heading or item):
            yield begun, last, False
            begun = None
        if heading:
            yield heading.end(), end, True
        elif not blank:
            begun = (item.end() if item else start) if begun is None else begun
            last = end
    if begun is not None:
        yield begun, last, False


def lines(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    while start < len(text):
        found = text.find("\n", start)
        end = len(text) if found == -1 else found
        yield start, end
        start = end + 1


def spans(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the (start, end) of each sentence of one paragraph, without the white space around it."""
    begun = start
    for match in END.finditer(text, start, end):
        if ends_sentence(text, begun, match.start(), match.end(), end):
            yield from trimmed(text, begun, match.end())
            begun = match.end()
    yield from trimmed(text, begun, end)


def trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    part = text[start:end]
    left = len(part) - len(part.lstrip())
    if part.strip():
        yield start + left, start + left + len(part.strip())


def ends_sentence(text: str, begun: int, stop: int, after: int, end: int) -> bool:
    """Tell a full stop from an abbreviation, an initial, or a stop with a small letter behind it."""
    following = text[after : min(after + 40, end)].lstrip()
    if "a" <= following[:1] <= "z":
        return False
    if text[stop] != ".":
        return True
    before = text[max(begun, stop - 12) : stop].split()
    word = before[-1].lstrip("([\"'") if before else ""
    initial = len(word) == 1 and "A" <= word <= "Z"
    return not initial and word.lower() not in lexicons.words("abbreviations")
