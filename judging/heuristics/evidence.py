"""How much evidence a passage brings: figures, names, reasons."""

import re
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from judging.heuristics import lexicons
from judging.heuristics.text import Sentence, cut, sentences, squeezed

# Quantities in a sentence: numbers, what they count, and what only looks like one.


CURRENCY = "\u20ac$\u00a3\u00a5"
LONGEST = 24
"""Characters of a sum that are looked at."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A number with the kind of thing it counts: money, time, date, share, measure, or count."""

    position: int
    kind: str


def figures(*, words: tuple[str, ...], text: str) -> tuple[Figure, ...]:
    """Return the quantities of a sentence. A rating (10 out of 10) or a part of an address is not one."""
    quantities: list[Figure] = []
    sums, ends = sums_in(text), before_signs(text)
    for position, word in enumerate(words):
        counted = is_number(word) or (word == "one" and is_share(words, position))
        kind = kind_at(words, position, sums) if counted and not is_addressed(word, ends) else ""
        if kind:
            quantities.append(Figure(position=position, kind=kind))
    return tuple(quantities)


def before_signs(text: str) -> list[str]:
    """Return what stands before each "@" of a text, backwards and sorted, so that an end of it is looked up at once."""
    return sorted(part[::-1] for part in text.split("@")[:-1])


def is_addressed(word: str, ends: list[str]) -> bool:
    at = bisect_left(ends, word[::-1])
    return at < len(ends) and ends[at].startswith(word[::-1])


def sums_in(text: str) -> frozenset[str]:
    """Return everything that stands right behind the sign of a currency, or a space behind it: all its beginnings."""
    behind = [text[at + 1 : at + 2 + LONGEST] for at, character in enumerate(text) if character in CURRENCY]
    starts = [*behind, *(character[1:] for character in behind if character[:1] == " ")]
    return frozenset(start[:size] for start in starts for size in range(1, LONGEST + 1))


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
    rating = frozenset(lexicons.read("words")["cues"]["rating_words"].split())
    before = words[max(0, position - 3) : position]
    after = words[position + 1 : position + 4]
    small = words[position].isdigit() and len(words[position]) <= 3
    doubled = small and words[position] in (*before[-1:], *after[:1])
    return doubled or (after[:2] == ("out", "of")) or (small and bool(rating.intersection(before) - {"of", "out"}))


# What each sentence brings: quantities, sources, names and reasons, or hedges, absolutes and hollow words.


SCOPE = 3
"""Words after a negation that it reaches, within one clause."""


@dataclass(frozen=True, slots=True)
class Signs:
    """What was found in a sentence. Words are kept as found, in their order, so that a text can name them."""

    kinds: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    comparisons: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    mitigations: tuple[str, ...] = ()
    hedges: tuple[str, ...] = ()
    vague: tuple[str, ...] = ()
    absolutes: tuple[str, ...] = ()
    puffery: tuple[str, ...] = ()
    hollow: tuple[str, ...] = ()
    denied: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()
    instructs: bool = False

    @property
    def grounded(self) -> bool:
        """Whether the sentence carries anything that could be checked. Names do not tell: without capitals they are
        words, and a score must not hang on capitals.
        """
        return bool(self.kinds or self.sources)


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence with its signs, and as it is quoted: cut, on one ``line``.

    Units: ``quality`` is what it is worth as evidence, 0 to about 200, before relevance.
    """

    number: int
    sentence: Sentence
    signs: Signs
    quality: int
    line: str


@lru_cache(maxsize=64)
def passages(text: str) -> tuple[Passage, ...]:
    """Return every sentence of a text with what it brings, in order."""
    weighed = ((sentence, signs(sentence)) for sentence in sentences(text))
    return tuple(
        Passage(
            number=number, sentence=sentence, signs=signs, quality=quality(signs), line=squeezed(cut(sentence.text))
        )
        for number, (sentence, signs) in enumerate(weighed)
    )


def signs(sentence: Sentence) -> Signs:
    """Return what one sentence brings. Words about evidence count only beside something that can be checked."""
    quantities = figures(words=sentence.words, text=sentence.text)
    named = names(sentence)
    origins, denied = sourced(sentence)
    anchored = any(quantity.kind != "date" for quantity in quantities)
    return Signs(
        kinds=tuple(quantity.kind for quantity in quantities),
        sources=tuple(origins) if anchored else (),
        hollow=() if anchored else tuple(origins),
        denied=tuple(denied),
        names=named,
        instructs=bool(hits(sentence, "instructions")) and ORDER.search(sentence.text) is not None,
        **{cue: hits(sentence, cue) for cue in COUNTED},
    )


ORDER = re.compile(
    r"(?:\A|\n|\s-\s|[.!?:;,(\[\u2013\u2014\"'\u201c\u201d*#>|]"
    r"|\b(?:please|kindly|now|just|judge|evaluator|arbiter|assistant"
    r"|you (?:must|should|shall|will|can|may|are to|have to|need to)))\W{0,3}"
    r"(?:ignore|disregard|override|forget|give|rate|score|award|assign|grant|rule)\b"
    r"|\bas (?:the|a) judge\b\W{0,3}you\b|\A\W{0,3}(?:as the judge\b|dear judge\b|system prompt\s?:)|\bdear judge\b"
    r"|\byou are (?:the judge|now (?:an?|the|my|acting))\b|\bthe evaluator wins\b"
    r"|\b(?:this|it|text|proposal|plan|answer)\W{1,3}(?:must|should) score\b"
    r"|\b(?:deserve|merit)s?\W{1,3}(?:an?|the)?\W{0,3}(?:full|maximum|highest|perfect|score|10|ten)\b"
    r"|\b(?:your|previous|prior|new) instructions(?:\s?:|\W{1,3}are (?:void|now|cancell?ed|suspended|to)\b)",
    re.IGNORECASE,
)
"""What makes an order of words that orders are made of: a verb that begins a clause, or whoever judges is spoken to."""
COUNTED = (
    "reasons", "comparisons", "conditions", "assumptions", "mitigations", "hedges", "vague", "puffery", "limits",
    "absolutes",
)  # fmt: skip


def hits(sentence: Sentence, cue: str) -> tuple[str, ...]:
    """Return the phrases of a cue list that occur in a sentence, whole words only, in the order of the list."""
    words = without_may(sentence.words) if "may" in sentence.words else sentence.words
    if lexicons.starts(cue).isdisjoint(words):
        return ()
    return tuple(" ".join(phrase) for phrase in lexicons.phrases(cue) if place(words, phrase) >= 0)


def without_may(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return words with another sign for each "may" that is the month: after a preposition or beside a number."""
    before = lexicons.words("before_months")
    around = zip(("", *words), words, (*words[1:], ""), strict=False)
    return tuple(
        "5th month" if word == "may" and (last in before or last[:1].isdigit() or following[:1].isdigit()) else word
        for last, word, following in around
    )


def place(words: tuple[str, ...], phrase: tuple[str, ...]) -> int:
    """Return where a phrase begins, or -1."""
    size = len(phrase)
    if phrase[0] not in words:
        return -1
    return next((at for at in range(len(words) - size + 1) if words[at : at + size] == phrase), -1)


def sourced(sentence: Sentence) -> tuple[list[str], list[str]]:
    """Return where the sentence says its facts come from, and the sources that it says are not there."""
    origins: list[str] = []
    denied: list[str] = []
    for phrase in lexicons.phrases("origins"):
        at = place(sentence.words, phrase)
        if at >= 0:
            (denied if negated(sentence.words, at) else origins).append(" ".join(phrase))
    if "http://" in sentence.text or "https://" in sentence.text:
        origins.append("a link")
    return origins, denied


def negated(words: tuple[str, ...], at: int) -> bool:
    """Tell whether a negation reaches the word at a place: at most three words before it, no contrast between.

    A negation that an "and" follows at once ends its clause: "and therefore do not, and the data protection officers".
    """
    following = ""
    for word in reversed(words[max(0, at - SCOPE) : at]):
        if word in lexicons.words("contrasts"):
            return False
        if following == "and" and (word == "not" or word.endswith("n't")):
            return False
        following = word
        if word in lexicons.words("negators") or word.endswith("n't"):
            return True
    return False


def names(sentence: Sentence) -> tuple[str, ...]:
    """Return names inside a sentence: capitals where none is due. Shouting and Title Case Slogans have no names."""
    raw = sentence.raw_words
    capital = [at for at, word in enumerate(raw) if len(word) > 1 and word[0].isupper()]
    if is_slogan(sentence, capital):
        return ()
    lists = (lexicons.words("not_names"), lexicons.everyday())
    every = [
        raw[at] for at in capital if (at or 1 in capital) and not any(sentence.words[at] in words for words in lists)
    ]
    return tuple(dict.fromkeys(every))


def is_slogan(sentence: Sentence, capital: list[int]) -> bool:
    """Tell SHOUTING and Title Case from a short sentence full of names: there, everyday words are small."""
    size = len(sentence.words)
    dressed = any(at and sentence.words[at] in lexicons.everyday() for at in capital)
    return size > 3 and (len(capital) * 4 > size * 3 or (dressed and len(capital) * 2 > size))


def quality(signs: Signs) -> int:
    """Return what a sentence is worth as evidence, 0 or more. Each kind saturates: ten numbers are not ten proofs."""
    if signs.instructs:
        return 0
    return max(0, 20 + brought(signs) - taken(signs))


def brought(signs: Signs) -> int:
    if signs.denied:
        return 5 * len(signs.reasons[:1])
    dates = signs.kinds.count("date")
    quantities = (0, 50, 75, 90)[min(3, len(signs.kinds) - dates)] + 20 * min(1, dates)
    origins = (0, 40, 55)[min(2, len(signs.sources))]
    support = 15 * len(signs.reasons[:1]) + 10 * len(signs.mitigations[:2]) + 8 * len(signs.conditions[:1])
    compared = 15 * len(signs.comparisons[:1]) if signs.kinds else 0
    return quantities + origins + (support + compared if signs.grounded else support // 2)


def taken(signs: Signs) -> int:
    loose = 6 * len(signs.vague[:3]) + 8 * len(signs.hedges[:3])
    loud = 25 * len(signs.absolutes[:2]) + 20 * len(signs.puffery[:2])
    open_ends = 20 * len(signs.denied[:2]) + 10 * len(signs.limits[:2]) + 15 * len(signs.hollow[:1])
    return (loose + loud) // 2 + open_ends if signs.kinds else loose + loud + open_ends


# Which passages of a subject were quoted in something that was said, by whomever.


SHORTEST = 12
"""Characters below which a repetition is chance rather than a quotation."""
OPENING = 60
"""Characters of a longer passage that are enough to recognise it."""


def brought_in(words: str, every: Iterable[Passage]) -> tuple[Passage, ...]:
    """Return the passages that are quoted in the words, in the order of the subject."""
    spoken = squeezed(words)
    return tuple(passage for passage in every if is_quoted(passage, spoken))


def is_quoted(passage: Passage, spoken: str) -> bool:
    if len(passage.line) < SHORTEST:
        return False
    return passage.line in spoken or (len(passage.line) > OPENING and passage.line[:OPENING] in spoken)


def passage_of(quote: str, every: Iterable[Passage]) -> Passage | None:
    """Return the first passage that a quote comes from: one contains the other."""
    quoted = squeezed(quote)
    if not quoted:
        return None
    for passage in every:
        whole = squeezed(passage.sentence.text)
        if quoted in whole or (len(whole) >= SHORTEST and whole in quoted):
            return passage
    return None
