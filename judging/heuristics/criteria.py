"""What to look for under a criterion: packaged for the venture rubric, derived from its own words for any other."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache

from judging.heuristics import lexicons
from judging.heuristics.evidence import Signs
from judging.heuristics.text import content_stems, cut, squeezed, stem
from judging.types import CriterionCard

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
    packaged, ends = lexicons.read("venture")[code], lexicons.read("ends").get(code, {})
    weights: dict[str, int] = {}
    for weight in (1, 2, 3):
        weights.update({stem(word): weight for word in packaged[str(weight)].replace("-", " ").split()})
    return Lookout(
        weights=weights,
        wants=tuple(packaged["wants"].split()),
        good=tuple(tuple(phrase.replace("-", " ").split()) for phrase in ends.get("good", ())),
        bad=tuple(tuple(phrase.replace("-", " ").split()) for phrase in ends.get("bad", ())),
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
    return tuple(tuple(stem(word) for word in family.split()) for family in lexicons.read("families"))


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
