"""Patterns of the kind that the systems before this one used, written anew: only here, and only to compare with.

``FIRST`` are the families that were there at first, ``LATER`` those that were added. Each is a cue wherever it stands,
whoever says it and whether or not it is denied.
"""

import re
from collections.abc import Sequence


def any_of(parts: Sequence[str]) -> re.Pattern[str]:
    """Return a search for any of some cues."""
    return re.compile("|".join(parts), re.IGNORECASE)


STEEL_FIRST = (
    r"\bI (?:can )?(?:appreciate|understand|see|acknowledge|recogni[sz]e)\b",
    r"\bmakes? an? (?:good|valid|fair|strong|compelling) point\b",
    r"\bfrom (?:their|your) perspective\b",
    r"\bthey(?:'| a)re right that\b",
    r"\bI (?:agree|concede|grant) that\b",
    r"\b(?:truth|merit|value) in\b",
)
STEEL_LATER = (
    *STEEL_FIRST,
    r"\b(?:strongest|best) (?:case|version|form) (?:for|of)\b",
    r"\bcharitable (?:reading|interpretation)\b",
    r"\bgiv(?:e|ing) credit\b",
    r"\bat its best\b",
)
CRITIQUE_FIRST = (
    r"\bmy (?:framework|position|view) (?:struggles|fails)\b",
    r"\bI(?:'ll| must) (?:admit|acknowledge|concede)\b|\bI (?:admit|acknowledge|concede)\b",
    r"\bthis is where\b.*\bfalls short\b",
    r"\b(?:limitation|weakness|blind spot)s? (?:of|in) (?:my|our)\b",
    r"\bcritics (?:of [^.]* )?would say\b",
)
CRITIQUE_LATER = (
    *CRITIQUE_FIRST,
    r"\bcan(?:not|'t) fully account\b",
    r"\bwhere my (?:view|framework|position) is limited\b",
    r"\bhonest(?:ly)? admi(?:t|ssion)\b",
    r"\bfair criticism\b",
)
PERSUASION = ("however", "consider", "but", "think about", "understand")
"""Words that counted as persuasion, inside other words too."""
EVIDENCE = ("research", "data", "study", "evidence", "statistics")

FIRST = {"steel": any_of(STEEL_FIRST), "critique": any_of(CRITIQUE_FIRST)}
LATER = {"steel": any_of(STEEL_LATER), "critique": any_of(CRITIQUE_LATER)}


def words_inside(text: str, words: Sequence[str]) -> int:
    """Return how many of the words stand anywhere in a text."""
    small = text.lower()
    return sum(1 for word in words if word in small)
