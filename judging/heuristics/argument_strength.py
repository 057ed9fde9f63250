"""How strong an argument is: readable features of a text, weighed as people's preferences between arguments teach."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from functools import cache, lru_cache
from typing import Any

from judging.heuristics import lexicons
from judging.heuristics.evidence import Signs, hits, quality, signs
from judging.heuristics.text import Sentence, distinct, limited

PER_MILLE = 1_000
LONG_SENTENCE, LONG_WORD = 28, 8
LOGARITHM = Context(prec=12)


@dataclass(frozen=True, slots=True)
class CountedText:
    """A text as the features see it: its sentences without repetition and strays, and what each brings."""

    sentences: tuple[Sentence, ...]
    signs: tuple[Signs, ...]
    words: tuple[str, ...]
    stems: frozenset[str]
    cues: Mapping[str, int]


CUES = (
    "reasons", "comparisons", "conditions", "assumptions", "mitigations", "hedges", "vague", "puffery", "limits",
    "absolutes", "examples", "consequences", "concessions", "sequence", "slips", "insults", "norms",
)  # fmt: skip


STRAYS = 4
"""Sentences that share no word with another and count all the same; as many do as there are of the others."""
ADVERTISING = 3
"""Words of praise from which a sentence that shows nothing is an advertisement."""
BOASTS = 2
"""Words of praise or of certainty from which a sentence may say nothing else."""
LISTED = 5
"""Words from which a sentence is a list if hardly any of them is an everyday word."""


def belonging(every: tuple[Sentence, ...]) -> tuple[Sentence, ...]:
    """Return the sentences that count: those that argue and do not merely boast, and where most share no word that
    carries meaning with any other, those that do. Where hardly any does, it is the longest alone: a heap of sentences
    argues nothing.
    """
    rows = tuple(filter(argues, every)) or every
    seen = Counter(stem for row in rows for stem in content(row))
    rows = tuple(row for row in rows if not boasts(row, seen)) or rows
    held = tuple(row for row in rows if any(seen[stem] > 1 for stem in content(row)))
    if len(rows) - len(held) <= max(STRAYS, len(held)):
        return rows
    return held or (max(rows, key=lambda row: (len(row.words), row.words)),)


def argues(row: Sentence) -> bool:
    """Tell whether a sentence says anything: it is no order to the judge, no list of words, no advertisement."""
    its = signs(row)
    plain = sum(word in lexicons.everyday() for word in row.words)
    is_list = len(row.words) >= LISTED and 10 * plain < len(row.words)
    return not (its.instructs or is_list or (len(its.puffery) >= ADVERTISING and not its.grounded))


def boasts(row: Sentence, seen: Mapping[str, int]) -> bool:
    """Tell whether a sentence says no more than how good or how certain everything is: half of its words or more do,
    and no other word of it occurs elsewhere in the text.
    """
    kept = content(row)
    weighty = {stem: word for word, stem in zip(row.words, row.stems, strict=True) if stem in kept}
    other = [stem for stem, word in weighty.items() if word not in boasting()]
    empty = len(weighty) - len(other)
    its = signs(row)
    if its.grounded or its.reasons or its.limits or empty < BOASTS:
        return False
    return 2 * empty >= len(weighty) and all(seen[stem] < 2 for stem in other)


@cache
def boasting() -> frozenset[str]:
    listed = lexicons.read("criteria")["aspects"]
    return frozenset(f"{listed['certain']} {listed['praise']} {listed['itself']}".split())


@lru_cache(maxsize=64)
def counted_text(text: str) -> CountedText:
    every = belonging(distinct(text))
    words = tuple(word for row in every for word in row.words)
    return CountedText(
        sentences=every,
        signs=tuple(map(signs, every)),
        words=words,
        stems=frozenset(stem for row in every for stem in row.stems),
        cues={cue: sum(len(hits(row, cue)) for row in every) for cue in CUES},
    )


@cache
def logarithm(number: int) -> int:
    """Return the natural logarithm of a number and one, in thousandths: the same on every machine."""
    return int(LOGARITHM.ln(Decimal(1 + number)) * PER_MILLE)


def share(part: int, whole: int) -> int:
    return PER_MILLE * part // whole if whole else 0


def rate(cue: str) -> Callable[[CountedText], int]:
    return lambda read: share(read.cues[cue], len(read.words))


def listed(*chosen: str) -> Callable[[CountedText], int]:
    among = frozenset(chosen)
    return lambda read: share(sum(word in among for word in read.words), len(read.words))


def cue_words(cue: str) -> Callable[[CountedText], int]:
    return lambda read: share(sum(word in lexicons.words(cue) for word in read.words), len(read.words))


def of_signs(count: Callable[[Signs], int]) -> Callable[[CountedText], int]:
    return lambda read: share(sum(map(count, read.signs)), len(read.words))


def of_sentences(chosen: Callable[[Sentence, Signs], bool]) -> Callable[[CountedText], int]:
    return lambda read: share(
        sum(chosen(row, its) for row, its in zip(read.sentences, read.signs, strict=True)), len(read.sentences)
    )


def letters(word: str) -> int:
    return 0 if word[0].isdigit() else len(word)


def recurring(read: CountedText) -> int:
    """Return which part of the sentences shares a word that carries meaning with another sentence."""
    kept = [content(row) for row in read.sentences]
    counted = Counter(stem for stems in kept for stem in stems)
    return share(sum(any(counted[stem] > 1 for stem in stems) for stems in kept), len(kept))


def content(row: Sentence) -> frozenset[str]:
    pairs = zip(row.words, row.stems, strict=True)
    return frozenset(stem for word, stem in pairs if len(word) > 3 and word not in lexicons.everyday())


QUESTIONING = frozenset(("why", "how", "what", "who", "where", "do", "does", "did", "would", "is", "are", "can"))
Feature = Callable[[CountedText], int]
FEATURES: Mapping[str, Mapping[str, Feature]] = {
    "length": {
        "words": lambda read: logarithm(len(read.words)),
        "sentences": lambda read: logarithm(len(read.sentences)),
        "vocabulary": lambda read: logarithm(len(read.stems)),
        "reasons in all": lambda read: logarithm(read.cues["reasons"] + read.cues["consequences"]),
        "evidence in all": lambda read: logarithm(sum(map(quality, read.signs))),
        "connectives in all": lambda read: logarithm(read.cues["sequence"] + read.cues["concessions"]),
    },
    "build": {
        "longest sentence": lambda read: logarithm(max((len(row.words) for row in read.sentences), default=0)),
        "best sentence": lambda read: max(map(quality, read.signs), default=0),
        "sentences that hang together": recurring,
        "words in a sentence": lambda read: logarithm(10 * len(read.words) // max(1, len(read.sentences))),
    },
    "clarity": {
        "long sentences": of_sentences(lambda row, _: len(row.words) > LONG_SENTENCE),
        "letters in a word": lambda read: share(sum(map(letters, read.words)), len(read.words)),
        "long words": lambda read: share(sum(letters(word) >= LONG_WORD for word in read.words), len(read.words)),
        "everyday words": lambda read: share(sum(word in lexicons.everyday() for word in read.words), len(read.words)),
        "vague words": rate("vague"),
        "slips": rate("slips"),
        "words of order": rate("sequence"),
        "advertising words": rate("puffery"),
    },
    "evidence": {
        "figures": of_signs(lambda signs: len(signs.kinds)),
        "sources": of_signs(lambda signs: len(signs.sources)),
        "sources without figures": of_signs(lambda signs: len(signs.hollow)),
        "kinds of figures": lambda read: len({kind for row in read.signs for kind in row.kinds}),
        "examples": rate("examples"),
        "comparisons": rate("comparisons"),
        "checkable sentences": of_sentences(lambda _, signs: signs.grounded),
        "evidence in a sentence": lambda read: sum(map(quality, read.signs)) // max(1, len(read.signs)),
    },
    "logic": {
        "reasons": rate("reasons"),
        "consequences": rate("consequences"),
        "conditions": rate("conditions"),
        "norms": rate("norms"),
        "assumptions": rate("assumptions"),
        "sentences with a reason": of_sentences(lambda row, signs: bool(signs.reasons or hits(row, "consequences"))),
        "absolutes": rate("absolutes"),
        "negations": cue_words("negators"),
    },
    "objections": {
        "limits": rate("limits"),
        "concessions": rate("concessions"),
        "contrasts": cue_words("contrasts"),
        "hedges": rate("hedges"),
        "ways out": rate("mitigations"),
    },
    "stance": {
        "I": listed("i", "my", "me", "mine", "i'm", "i've", "i'd", "i'll", "im"),
        "you": listed("you", "your", "yours", "u", "ur"),
        "they": listed("they", "their", "them", "he", "she", "his", "her"),
        "questions": of_sentences(lambda row, _: row.words[0] in QUESTIONING),
        "insults": rate("insults"),
    },
}
AGAINST = frozenset((
    "long sentences", "long words", "vague words", "slips", "advertising words", "sources without figures",
    "assumptions", "absolutes",
))  # fmt: skip
NEITHER = frozenset(("letters in a word", "norms", "negations"))
"""Features that lower their aspect, and that neither raise nor lower it; all others raise it, each as much."""


ASPECTS = ("clarity", "evidence", "logic", "objections")
WITH_LENGTH, WITHOUT_LENGTH = "with length", "without length"
KINDS = (WITH_LENGTH, WITHOUT_LENGTH, *ASPECTS)
CLIPPED = 4_000


def features(text: str) -> dict[str, int]:
    """Return every feature of a text by its group and name, as whole numbers."""
    counted = counted_text(text)
    return {f"{part}: {name}": count(counted) for part, rows in FEATURES.items() for name, count in rows.items()}


def contributions(row: Mapping[str, int], document: Mapping[str, Any], *, length: bool) -> dict[str, int]:
    """Return what each feature adds to the strength or takes from it, in thousandths, whole numbers throughout."""
    return {
        name: distance(row[name], mean, spread) * (with_length if length else without) // PER_MILLE
        for name, (mean, spread, with_length, without) in document["features"].items()
    }


def sides(row: Mapping[str, int], document: Mapping[str, Any], aspect: str) -> dict[str, int]:
    """Return what each feature adds to an aspect or takes from it, each the same: preferences teach nothing of it."""
    added = {}
    for name in FEATURES[aspect]:
        mean, spread, *_ = document["features"][f"{aspect}: {name}"]
        sign = -1 if name in AGAINST else int(name not in NEITHER)
        added[f"{aspect}: {name}"] = sign * distance(row[f"{aspect}: {name}"], mean, spread) // len(FEATURES[aspect])
    return added


def distance(value: int, mean: int, spread: int) -> int:
    return limited((value - mean) * PER_MILLE // spread, least=-CLIPPED, most=CLIPPED)


def totals(row: Mapping[str, int], document: Mapping[str, Any]) -> dict[str, int]:
    """Return the strength with length, without, and each aspect, in thousandths."""
    return {kind: sum(parts(row, document, kind).values()) for kind in KINDS}


def parts(row: Mapping[str, int], document: Mapping[str, Any], kind: str) -> dict[str, int]:
    if kind in ASPECTS:
        return sides(row, document, kind)
    return contributions(row, document, length=kind == WITH_LENGTH)


def kind_of(aspect: str) -> str:
    """Return the kind of strength by which an aspect is judged: its own, or that of the whole text without length."""
    return aspect if aspect in ASPECTS else WITHOUT_LENGTH


@lru_cache(maxsize=64)
def levels(text: str) -> Mapping[str, int]:
    """Return how many of a hundred arguments with known preferences a text stands above, by kind."""
    document = lexicons.read("argument_strength")
    strengths = totals(features(text), document)
    return {kind: level(strengths[kind], document["levels"][kind]) for kind in KINDS}


def level(value: int, steps: Sequence[int]) -> int:
    """Return which part of known values lies below a value, in per cent, straight between two steps."""
    at = sum(step < value for step in steps)
    if at in (0, len(steps)):
        return 100 * (at > 0)
    low, high = steps[at - 1], steps[at]
    return (100 * (at - 1) + 100 * (value - low) // (high - low)) // (len(steps) - 1)


LEADING = 2
"""Features that are named for a text, and against it."""
FELT = 60
"""Thousandths from which a feature is worth naming."""


def leading(text: str, kind: str) -> tuple[list[str], list[str]]:
    """Return the names of the features that speak most for a text, and of those that speak most against it."""
    own = parts(features(text), lexicons.read("argument_strength"), kind)
    order = sorted(own, key=lambda name: (-own[name], name))
    spoken = [name for name in order if own[name] >= FELT][:LEADING]
    against = [name for name in reversed(order) if own[name] <= -FELT][:LEADING]
    return [*map(phrase, spoken)], [*map(phrase, against)]


def phrase(name: str) -> str:
    return name.partition(": ")[2]
