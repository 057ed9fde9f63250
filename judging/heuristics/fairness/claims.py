"""What an utterance mainly claims, and how much of a claim some other words give back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from judging.heuristics import lexicons
from judging.heuristics.text import cut, lowered, sentences, squeezed, stem, tokens

KEY = 5
"""Claims of an utterance that count as what it mainly says."""
GIVEN_BACK = 30
"""Per cent of a claim's weight that other words must share with it."""
RARITY = 12


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence somebody said, with the stems that carry it and what each weighs: the rarer, the more."""

    speaker: str
    line: str
    words: tuple[str, ...]
    weights: dict[str, int]

    @property
    def weight(self) -> int:
        return sum(self.weights.values())


def content(words: Iterable[str]) -> frozenset[str]:
    """Return the stems of the words that carry meaning."""
    return frozenset(
        stem(word) for word in words if len(word) > 3 and not word[0].isdigit() and word not in lexicons.everyday()
    )


def rarity(texts: Sequence[str]) -> Counter[str]:
    """Count in how many sentences of all texts each stem occurs."""
    return Counter(found for text in texts for one in sentences(text) for found in content(one.words))


def key_claims(*, speaker: str, text: str, seen: Counter[str], motion: frozenset[str]) -> tuple[Claim, ...]:
    """Return the weightiest sentences of an utterance in their order. Words of the motion carry little."""
    made = [claim(speaker, one.text, one.words, seen, motion) for one in sentences(text)]
    worthy = [one for one in made if len(one.weights) >= 3]
    best = sorted(range(len(worthy)), key=lambda at: (-worthy[at].weight * 10 // (len(worthy[at].weights) + 4), at))
    return tuple(worthy[at] for at in sorted(best[:KEY]))


def claim(speaker: str, text: str, words: tuple[str, ...], seen: Counter[str], motion: frozenset[str]) -> Claim:
    """Return a sentence or clause as a claim; the rarer a word among all sentences, the more it weighs."""
    weights = {found: 1 if found in motion else max(2, RARITY // max(1, seen[found])) for found in content(words)}
    return Claim(speaker, squeezed(cut(text)), words, weights)


def given_back(one: Claim, stems: frozenset[str]) -> int:
    """Return how much of a claim the stems give back, in per cent; one word alone is no match."""
    shared = [found for found in one.weights if found in stems]
    if len(shared) < 2 or not one.weight:
        return 0
    return 100 * sum(one.weights[found] for found in shared) // one.weight


def stems_of(text: str) -> frozenset[str]:
    """Return the content stems of a text."""
    return content(lowered(raw=tokens(text)))
