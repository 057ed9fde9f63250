"""What a criterion asks for, which passages bear on it, and what they are worth for it."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from judging.heuristics import lexicons
from judging.heuristics.evidence import Passage, Signs, passages, place
from judging.heuristics.text import content_stems, cut, limited, lowered, squeezed, stem, tokens
from judging.types import CriterionCard

# What to look for under a criterion: packaged for the venture rubric, derived from its own words for any other.


DEFAULT_WANTS = ("source", "count", "reason")
LOOKED_FOR = 3
"""Words that are named as not found."""
ROOT = 4
"""Letters at the beginning of two words by which a reader takes them for one."""
NAMED_KINDS = {"cost": "money", "time": "time", "compar": "comparison", "test": "source"}


@dataclass(frozen=True, slots=True)
class Lookout:
    """The words that make a sentence bear on a criterion, what a good answer shows, and which phrases speak for or
    against it. ``missing`` completes "No passage was found that says ...", and ``sought`` are the kinds of evidence
    that say so, about the authors themselves where it is ``personal``. A criterion about how something is argued,
    whatever the matter, has an ``aspect``.
    """

    weights: dict[str, int]
    wants: tuple[str, ...]
    good: tuple[tuple[str, ...], ...]
    bad: tuple[tuple[str, ...], ...]
    missing: str
    sought: tuple[str, ...] = ()
    personal: bool = False
    packaged: bool = False
    aspect: str = ""

    @property
    def foremost(self) -> frozenset[str]:
        """Return the stems that count most: a passage without any of them bears on the criterion by the way."""
        return frozenset(stem for stem, weight in self.weights.items() if weight > 1)


@lru_cache(maxsize=256)
def lookout(card: CriterionCard) -> Lookout:
    """Return what to look for. A criterion is the packaged one only when code and name both agree."""
    packaged = lexicons.read("criteria")["venture"].get(card.code)
    if packaged and packaged["name"].lower() == card.name.strip().lower():
        return of_venture(card.code)
    return derived(card)


@cache
def of_venture(code: str) -> Lookout:
    packaged = lexicons.read("criteria")["venture"][code]
    weights: dict[str, int] = {}
    for weight in (1, 2, 3):
        weights.update({stem(word): weight for word in packaged[str(weight)].replace("-", " ").split()})
    return Lookout(
        weights=weights,
        wants=tuple(packaged["wants"].split()),
        good=tuple(tuple(phrase.replace("-", " ").split()) for phrase in packaged.get("good", ())),
        bad=tuple(tuple(phrase.replace("-", " ").split()) for phrase in packaged.get("bad", ())),
        missing=packaged["missing"],
        sought=tuple(packaged["sought"].split()),
        personal=packaged.get("personal", False),
        packaged=True,
    )


def looked_for(subject: str, card: CriterionCard) -> tuple[str, ...]:
    """Return the words by which a criterion is found first of all, of those that no sentence of a text has; of
    "fails" and "failure" only one is named.
    """
    packaged = lexicons.read("criteria")["venture"][card.code]["3"] if lookout(card).packaged else card.name
    stems = {word for passage in passages(subject) for word in passage.sentence.stems}
    words = (word for word in lowered(raw=tokens(packaged)) if len(word) > 3 and word not in lexicons.everyday())
    missing = tuple(dict.fromkeys(word for word in words if stem(word) not in stems))
    apart = (word for at, word in enumerate(missing) if not any(word[:ROOT] == said[:ROOT] for said in missing[:at]))
    return tuple(apart)[:LOOKED_FOR]


def derived(card: CriterionCard) -> Lookout:
    """Make a lookout from a criterion's own words: its name counts most, then its question, then what high and low
    mean; words of the same family as those of name and question count a little.
    """
    weights: dict[str, int] = {}
    asked = content_stems(card.name) | content_stems(card.question)
    for members in families():
        if asked.intersection(members):
            weights.update(dict.fromkeys(members, 1))
    weights.update(dict.fromkeys(sorted(content_stems(card.low)), 1))
    weights.update(dict.fromkeys(sorted(content_stems(card.high) | content_stems(card.question)), 2))
    weights.update(dict.fromkeys(sorted(content_stems(card.name)), 3))
    kinds = [kind for word, kind in NAMED_KINDS.items() if any(weight.startswith(word) for weight in weights)]
    question = squeezed(card.question) or squeezed(card.name)
    missing = f"what answers \u201c{cut(question, limit=160)}\u201d" if question else "anything about this criterion"
    wants = tuple([*kinds, *DEFAULT_WANTS][:3])
    return Lookout(weights=weights, wants=wants, sought=wants, good=(), bad=(), missing=missing, aspect=aspect(card))


def aspect(card: CriterionCard) -> str:
    """Return which side of arguing a criterion asks for: evidence, logic, clarity, objections, or strength as a whole;
    nothing where its name names a matter. Words count as they are: objects are no objections.
    """
    named, asked = (frozenset(lowered(raw=tokens(text))) - lexicons.everyday() for text in (card.name, card.question))
    listed = {key: frozenset(words.split()) for key, words in lexicons.read("criteria")["aspects"]["words"].items()}
    if named - frozenset(lexicons.read("criteria")["aspects"]["about"].split()).union(*listed.values()):
        return ""
    marks = {key: 3 * len(named & words) + len(asked & words) for key, words in listed.items()}
    best = max(marks, key=lambda key: marks[key])
    return best if named and marks[best] else ""


SHOWS_ASPECT: Mapping[str, tuple[str, ...]] = {
    "evidence": ("kinds", "sources", "hollow", "denied", "comparisons"),
    "logic": ("reasons", "conditions", "assumptions", "absolutes"),
    "clarity": ("vague", "puffery", "hollow", "hedges", "kinds"),
    "objections": ("limits", "mitigations", "denied", "conditions"),
    "strength": ("kinds", "sources", "reasons", "limits", "absolutes", "puffery"),
}
"""Signs that make a passage bear on an aspect."""


@cache
def families() -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(stem(word) for word in family.split()) for family in lexicons.read("words")["cues"]["families"])


def shows(signs: Signs, want: str) -> bool:
    """Tell whether a sentence shows one wanted thing: a kind of quantity, a source, a name, a reason and so on."""
    if want in {"money", "time", "date", "share", "measure", "count"}:
        return want in signs.kinds
    return bool(
        {
            "source": signs.sources,
            "name": signs.names,
            "reason": signs.reasons,
            "comparison": signs.comparisons,
            "condition": signs.conditions,
        }[want]
    )


# Which passages bear on a criterion, how much, and what they are worth for it.


MOST = 9
"""Relevance of a passage at most."""
LEAST = 3
"""Relevance from which a passage bears on a criterion at all."""
PRICED = 1
"""Relevance that a sum of money adds where money is wanted, whatever it is called: cost, price, to be had for."""
TO_THE_ASPECT = 6
"""Relevance of a passage that shows an aspect."""
FEW, UNTIED, ALONE = 2, 150, 5
"""A passage that shares no word keeps 150 % over the number of passages beyond two, and 5 % at least."""
ENTWINED = 180
"""Per cent over the part of its words that it shares."""
AGAINST = 40
"""Per cent of its worth that a passage keeps when it says itself that things stand badly."""


@dataclass(frozen=True, slots=True)
class Bearing:
    """A passage seen from one criterion. ``worth`` is relevance times quality, raised where it shows what is wanted."""

    passage: Passage
    relevance: int
    worth: int
    has: tuple[str, ...]
    good: tuple[str, ...]
    bad: tuple[str, ...]

    @property
    def text(self) -> str:
        return self.passage.sentence.text


@lru_cache(maxsize=4_096)
def bearings(subject: str, card: CriterionCard) -> tuple[Bearing, ...]:
    """Return the passages that bear on a criterion, the weightiest first, earlier ones first among equals.

    A sentence that is said again is not there twice. What stands before, behind or above a sentence does not count:
    paragraphs may come in any order.
    """
    look = lookout(card)
    threads = woven(subject)
    weighed = ((row, relevance(row, look)) for row in passages(subject) if row.number in threads.topics)
    rows = [bearing(row, bears, threads.tie(row, look), look) for row, bears in weighed if bears >= LEAST]
    return tuple(sorted(rows, key=lambda row: (-row.worth, row.passage.number)))


@dataclass(frozen=True, slots=True)
class Threads:
    """The words by which the passages of a text hang together: those of each, by number, repetitions left out, and in
    how many passages each word occurs.
    """

    topics: Mapping[int, frozenset[str]]
    spread: Mapping[str, int]

    def tie(self, passage: Passage, look: Lookout) -> int:
        """Return how far a passage hangs together with the others, in per cent, by other words than the criterion's:
        wholly where some half of them occur in two more passages. In a short text less can be expected.
        """
        alone = limited(UNTIED // max(1, len(self.topics) - FEW), least=ALONE, most=100)
        own = self.topics[passage.number] - look.weights.keys()
        held = sum(min(2, self.spread[topic] - 1) for topic in own)
        return alone + (100 - alone) * min(100, ENTWINED * held // (2 * max(1, len(own)))) // 100


@lru_cache(maxsize=64)
def woven(subject: str) -> Threads:
    rows = {row.sentence.words: row for row in reversed(passages(subject))}.values()
    own = {row.number: topics(row) for row in rows}
    return Threads(topics=own, spread=Counter(topic for words in own.values() for topic in words))


def topics(passage: Passage) -> frozenset[str]:
    """Return the stems of a passage that are of its matter: no everyday words, no words about evidence or style."""
    pairs = zip(passage.sentence.words, passage.sentence.stems, strict=True)
    known = lexicons.everyday()
    return frozenset(s for w, s in pairs if len(w) > 3 and w.isalpha() and w not in known and s not in cue_stems())


@cache
def cue_stems() -> frozenset[str]:
    return frozenset(stem(word) for word in lexicons.cue_words())


def bearing(passage: Passage, relevance: int, tie: int, look: Lookout) -> Bearing:
    has = tuple(want for want in look.wants if shows(passage.signs, want))
    good = phrases_in(passage, look.good)
    bad = phrases_in(passage, look.bad)
    bonus = 100 + 20 * sum(want != "name" for want in has) + 10 * len(good[:2])
    worth = relevance * passage.quality * bonus * tie // 10_000
    return Bearing(
        passage=passage,
        relevance=relevance,
        worth=worth * AGAINST // 100 if bad else worth,
        has=has,
        good=good,
        bad=bad,
    )


def relevance(passage: Passage, look: Lookout) -> int:
    """Weigh a passage's own words; everyday words alone never make it bear on anything. On an aspect bears what shows
    it, whatever it speaks of.
    """
    if look.aspect:
        return TO_THE_ASPECT * any(getattr(passage.signs, sign) for sign in SHOWS_ASPECT[look.aspect])
    own = matched(passage.sentence.stems, look)
    own += [PRICED] * ("money" in look.wants and "money" in passage.signs.kinds)
    return min(MOST, sum(own) if own and max(own) > 1 else min(sum(own), LEAST - 1))


def matched(stems: tuple[str, ...], look: Lookout) -> list[int]:
    """Return the weight of each different word of the lookout that occurs, in the order of the text."""
    return [look.weights[stem] for stem in dict.fromkeys(stems) if stem in look.weights]


def phrases_in(passage: Passage, listed: tuple[tuple[str, ...], ...]) -> tuple[str, ...]:
    return tuple(" ".join(phrase) for phrase in listed if place(passage.sentence.words, phrase) >= 0)
