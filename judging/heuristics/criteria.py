"""What a criterion asks for, which passages bear on it, and what they are worth for it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache

from judging.heuristics import lexicons
from judging.heuristics.evidence import Passage, Signs, passages, place
from judging.heuristics.text import content_stems, cut, squeezed, stem
from judging.types import CriterionCard

# What to look for under a criterion: packaged for the venture rubric, derived from its own words for any other.


DEFAULT_WANTS = ("source", "count", "reason")
NAMED_KINDS = {"cost": "money", "time": "time", "compar": "comparison", "test": "source"}


@dataclass(frozen=True, slots=True)
class Lookout:
    """The words that make a sentence bear on a criterion, what a good answer shows, and which phrases speak for or
    against it. ``missing`` completes "No passage was found that says ...".
    """

    weights: dict[str, int]
    wants: tuple[str, ...]
    good: tuple[tuple[str, ...], ...]
    bad: tuple[tuple[str, ...], ...]
    missing: str
    packaged: bool = False


@lru_cache(maxsize=256)
def lookout(card: CriterionCard) -> Lookout:
    """Return what to look for. A criterion is the packaged one only when code and name both agree."""
    packaged = lexicons.read("venture").get(card.code)
    if packaged and packaged["name"].lower() == card.name.strip().lower():
        return of_venture(card.code)
    return derived(card)


@cache
def of_venture(code: str) -> Lookout:
    packaged = lexicons.read("venture")[code]
    weights: dict[str, int] = {}
    for weight in (1, 2, 3):
        weights.update({stem(word): weight for word in packaged[str(weight)].replace("-", " ").split()})
    return Lookout(
        weights=weights,
        wants=tuple(packaged["wants"].split()),
        good=tuple(tuple(phrase.replace("-", " ").split()) for phrase in packaged.get("good", ())),
        bad=tuple(tuple(phrase.replace("-", " ").split()) for phrase in packaged.get("bad", ())),
        missing=packaged["missing"],
        packaged=True,
    )


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
    kinds = [kind for word, kind in NAMED_KINDS.items() if any(one.startswith(word) for one in weights)]
    question = squeezed(card.question) or squeezed(card.name)
    missing = f"what answers \u201c{cut(question, limit=160)}\u201d" if question else "anything about this criterion"
    return Lookout(weights=weights, wants=tuple([*kinds, *DEFAULT_WANTS][:3]), good=(), bad=(), missing=missing)


@cache
def families() -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(stem(word) for word in family.split()) for family in lexicons.read("cues")["families"])


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
AGAINST = 40
"""Per cent of its worth that a passage keeps when it says itself that things stand badly."""


@dataclass(frozen=True, slots=True)
class Bearing:
    """A passage seen from one criterion. ``worth`` is relevance times quality, raised where it shows what is wanted."""

    passage: Passage
    relevance: int
    worth: int
    shown: tuple[str, ...]
    good: tuple[str, ...]
    bad: tuple[str, ...]

    @property
    def text(self) -> str:
        return self.passage.sentence.text


@lru_cache(maxsize=4_096)
def bearings(subject: str, card: CriterionCard) -> tuple[Bearing, ...]:
    """Return the passages that bear on a criterion, the weightiest first, earlier ones first among equals.

    A sentence that is said again is not there twice.
    """
    look = lookout(card)
    every = passages(subject)
    own = [matched(one.sentence.stems, look) for one in every]
    weighed = zip(every, own, surroundings(every, own), strict=True)
    found = [bearing(one, relevant(one, mine, near, look), look) for one, mine, near in weighed]
    relevants = [one for one in found if one.relevance >= LEAST]
    said_once = {one.passage.sentence.stems: one for one in reversed(relevants)}.values()
    return tuple(sorted(said_once, key=lambda one: (-one.worth, one.passage.number)))


def surroundings(every: tuple[Passage, ...], own: list[list[int]]) -> list[int]:
    """Return what each passage gains from its paragraph: a first sentence that names the matter speaks for those
    after it (up to 3), the sentence just before a little (up to 2).
    """
    gains: list[int] = []
    lead = 0
    for number, one in enumerate(every):
        if number == 0 or every[number - 1].sentence.paragraph != one.sentence.paragraph:
            lead = number
            gains.append(0)
            continue
        named = sum(weight for weight in own[lead] if weight > 1) // 2 if 3 in own[lead] else 0
        before = sum(weight for weight in own[number - 1] if weight > 1) // 3
        gains.append(max(min(3, named), min(2, before)))
    return gains


def bearing(one: Passage, relevance: int, look: Lookout) -> Bearing:
    shown = tuple(want for want in look.wants if shows(one.signs, want))
    good = phrases_in(one, look.good)
    bad = phrases_in(one, look.bad)
    worth = relevance * one.quality * (100 + 20 * len(shown) + 10 * len(good[:2])) // 100
    return Bearing(
        passage=one,
        relevance=relevance,
        worth=worth * AGAINST // 100 if bad else worth,
        shown=shown,
        good=good,
        bad=bad,
    )


def relevant(one: Passage, own: list[int], near: int, look: Lookout) -> int:
    """Weigh a passage's own words and its surroundings; everyday words alone never make it bear on anything."""
    score = sum(own) if own and max(own) > 1 else min(sum(own), LEAST - 1)
    if own and content_stems(one.sentence.heading).intersection(look.weights):
        score += 2
    return min(MOST, score + near)


def matched(stems: tuple[str, ...], look: Lookout) -> list[int]:
    """Return the weight of each different word of the lookout that occurs, in the order of the text."""
    return [look.weights[stem] for stem in dict.fromkeys(stems) if stem in look.weights]


def phrases_in(one: Passage, listed: tuple[tuple[str, ...], ...]) -> tuple[str, ...]:
    return tuple(" ".join(phrase) for phrase in listed if place(one.sentence.words, phrase) >= 0)
