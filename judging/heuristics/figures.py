"""Quantities in a sentence: numbers, what they count, and what only looks like one."""

from __future__ import annotations

from dataclasses import dataclass

from judging.heuristics import lexicons

CURRENCY = "\u20ac$\u00a3\u00a5"
LONGEST = 24
"""Characters of a sum that are looked at."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A number with the kind of thing it counts: money, time, date, share, measure, or count."""

    position: int
    kind: str


def figures(*, words: tuple[str, ...], text: str) -> tuple[Figure, ...]:
    """Return the quantities of a sentence. A rating (10 out of 10, a score of 9) is not one."""
    found: list[Figure] = []
    sums = sums_in(text)
    for position, word in enumerate(words):
        counted = is_number(word) or (word == "one" and is_share(words, position))
        kind = kind_at(words, position, sums) if counted else ""
        if kind:
            found.append(Figure(position=position, kind=kind))
    return tuple(found)


def sums_in(text: str) -> frozenset[str]:
    """Return everything that stands right behind the sign of a currency, or a space behind it: all its beginnings."""
    behind = [text[at + 1 : at + 2 + LONGEST] for at, character in enumerate(text) if character in CURRENCY]
    starts = [*behind, *(one[1:] for one in behind if one[:1] == " ")]
    return frozenset(one[:size] for one in starts for size in range(1, LONGEST + 1))


def is_number(word: str) -> bool:
    return word[0].isdigit() or word in lexicons.small_numbers()


def kind_at(words: tuple[str, ...], position: int, sums: frozenset[str]) -> str:
    """Return what the number at a position counts, or nothing for a bare number or a rating."""
    if is_rating(words, position):
        return ""
    if is_share(words, position):
        return "share"
    if is_date(words, position):
        return "date"
    for near in words[position + 1 : position + 4]:
        if near in lexicons.units():
            return lexicons.units()[near]
    if words[position][:LONGEST] in sums:
        return "money"
    following = words[position + 1] if position + 1 < len(words) else ""
    return "count" if following and following[0].isalpha() else ""


def is_share(words: tuple[str, ...], position: int) -> bool:
    """Tell a part of a whole: "17 of the 41", "one in twenty", "one per sensor"."""
    following = words[position + 1 : position + 2]
    if words[position] == "one":
        return following == ("per",) or (
            following == ("in",) and any(map(is_number, words[position + 2 : position + 4]))
        )
    return following in {("of",), ("in",)} and any(map(is_number, words[position + 2 : position + 5]))


def is_date(words: tuple[str, ...], position: int) -> bool:
    word = words[position]
    year = len(word) == 4 and word.isdigit() and word[:2] in {"18", "19", "20"}
    around = words[max(0, position - 2) : position] + words[position + 1 : position + 3]
    return year or (word[0].isdigit() and any(near in lexicons.words("months") for near in around))


def is_rating(words: tuple[str, ...], position: int) -> bool:
    """Tell praise in numbers: "10 out of 10", "10/10", "a score of 9"."""
    rating = frozenset(lexicons.read("cues")["rating_words"].split())
    before = words[max(0, position - 3) : position]
    after = words[position + 1 : position + 4]
    small = words[position].isdigit() and len(words[position]) <= 3
    doubled = small and words[position] in (*before[-1:], *after[:1])
    return doubled or (after[:2] == ("out", "of")) or (small and bool(rating.intersection(before) - {"of", "out"}))
