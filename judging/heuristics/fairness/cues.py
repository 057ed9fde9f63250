"""Word lists about fairness, and where their phrases stand in a run of words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from judging.heuristics import lexicons
from judging.heuristics.evidence import negated
from judging.heuristics.text import stem


@dataclass(frozen=True, slots=True)
class Hit:
    """A phrase of a list at a place in a run of words."""

    at: int
    phrase: tuple[str, ...]

    @property
    def end(self) -> int:
        return self.at + len(self.phrase)


@cache
def phrases(name: str) -> dict[str, tuple[tuple[str, ...], ...]]:
    """Return the phrases of a list by their first word."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for phrase in lexicons.read("fairness")[name]:
        words = tuple(phrase.split())
        found.setdefault(words[0], []).append(words)
    return {first: tuple(listed) for first, listed in found.items()}


def hits(words: tuple[str, ...], name: str) -> Iterator[Hit]:
    """Yield every place of every phrase of a list, whole words only, in the order of the words."""
    listed = phrases(name)
    for at, word in enumerate(words):
        for phrase in listed.get(word, ()):
            if words[at : at + len(phrase)] == phrase:
                yield Hit(at, phrase)


def meant(words: tuple[str, ...], name: str) -> tuple[Hit, ...]:
    """Return the places of phrases that no negation reaches, neither from before nor right after them."""
    return tuple(one for one in hits(words, name) if not denied(words, one))


def denied(words: tuple[str, ...], one: Hit) -> bool:
    """Tell whether a phrase is denied: a negation before it, or "nothing", "no", "little" as what it is about."""
    after = words[one.end : one.end + 1]
    nothing = bool(after) and (after[0] in {"no", "nothing", "none", "neither", "little"})
    return nothing or (negated(words, one.at) and not lexicons.words("negators").intersection(one.phrase[:1]))


@cache
def framework_words(key: str) -> dict[str, int]:
    """Return the stems that speak for a framework, each with its weight 1..3; none for an unknown one."""
    listed = lexicons.read("frameworks").get(key, {})
    return {stem(word): int(weight) for weight, words in sorted(listed.items()) for word in words.split()}


@cache
def framework_keys() -> tuple[str, ...]:
    """Return every framework that has a word list."""
    return tuple(lexicons.read("frameworks"))
