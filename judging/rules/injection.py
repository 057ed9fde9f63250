"""Finding words that speak to the judge instead of about the matter. Pure, and linear in the length of the text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from judging.rules.injection_words import PHRASES, RUN_UP, SHAPES

MOST_HITS = 50
LOOKALIKES = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0455\u0458\u0501\u03bf\u03b1\u0131", "aeopcyxisjdoai"
)
"""Letters of other scripts that are drawn like Latin ones."""
QUOTES = str.maketrans("\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u00ab\u00bb\u2013\u2014\u2212", '\'\'\'\'"""""---')
EMPHASIS = frozenset("*_~`")
WORD = re.compile("[a-z]+")
BEFORE = 80
ZERO_WIDTH = "\u200b\u200c\u200d\u2060\u2061\u2062\u2063\u2064\ufeff\u00ad"
HIDDEN = re.compile(
    f"(?<=[A-Za-z])[{ZERO_WIDTH}]{{1,8}}(?=[A-Za-z])"  # inside a word, where no script needs one
    f"|[\u200b\u2060-\u2064\ufeff]{{4,}}"  # a run of nothing
    "|[\u202d\u202e]"  # what follows is drawn in another order
    "|(?<![\U0001f3f4\U000e0020-\U000e007f])[\U000e0020-\U000e007e]{2,}"  # letters that are not drawn; flags use them
)
SEVERAL = 2


class Sign(StrEnum):
    """What a passage does that an argument has no reason to do.

    Source: docs/reference/injection.md.
    """

    OVERRIDE = "override"
    ADDRESSES_JUDGE = "addresses_judge"
    NEW_ROLE = "new_role"
    ROLE_TAG = "role_tag"
    FAKE_VERDICT = "fake_verdict"
    SCORE_DEMAND = "score_demand"
    DICTATES_ANSWER = "dictates_answer"
    PROMPT_LEAK = "prompt_leak"
    COMMENT = "comment"
    FENCE_END = "fence_end"
    HIDDEN_TEXT = "hidden_text"


@dataclass(frozen=True, slots=True)
class Hit:
    """One suspicious passage: ``text[start:end]``."""

    sign: Sign
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words that are suspicious from a trigger word on; ``imperative`` ones only where somebody is told to do so."""

    sign: Sign
    pattern: re.Pattern[str]
    imperative: bool


def _triggers() -> Mapping[str, Sequence[Phrase]]:
    found: dict[str, list[Phrase]] = {}
    for sign, imperative, words, rest in PHRASES:
        phrase = Phrase(Sign(sign), re.compile(spelled(rest)), imperative)
        for word in words.split():
            found.setdefault(word, []).append(phrase)
    return found


def spelled(pattern: str) -> str:
    """Return a pattern in which a space is what may stand between words, and ``~`` up to four words more."""
    between = r"(?:[ \n,:;\"'-]{1,3})"
    return pattern.replace("~", r"(?:[\w'/-]{1,20} ){0,4}?").replace(" ", between)


TRIGGERS = _triggers()
SHAPED = [(Sign(sign), re.compile(pattern, re.IGNORECASE | re.MULTILINE)) for sign, pattern in SHAPES]
RUNS_UP = re.compile(spelled(RUN_UP) + r"\Z")


def find(text: str) -> tuple[Hit, ...]:
    """Return the passages that try to instruct a judge, in the order of the text, at most 50.

    Source: docs/reference/injection.md.
    """
    prose, places = folded(text)
    hits = {*_phrases(prose, places), *_shapes(text), *_hidden(text), *_fences(text)}
    return tuple(sorted(hits, key=lambda hit: (hit.start, hit.end, hit.sign)))[:MOST_HITS]


def folded(text: str) -> tuple[str, Sequence[int]]:
    """Return a text as it sounds, and for each of its characters the place of the one it came from.

    Accents, case, emphasis, invisible and look-alike characters are folded away, and white space to a single character.
    """
    kept: list[str] = []
    places: list[int] = []
    for at, character in enumerate(text):
        for one in _folded(character):
            if one == " " and kept and kept[-1] in " \n":
                continue
            if one == "\n" and kept and kept[-1] == " ":
                kept[-1] = one
                continue
            kept.append(one)
            places.append(at)
    return "".join(kept), places


def _folded(character: str) -> str:
    if "a" <= character <= "z" or character == " ":
        return character
    if character.isspace():
        return "\n" if character in "\n\r\u2028\u2029" else " "
    if character in EMPHASIS or unicodedata.category(character) == "Cf":
        return ""
    plain = unicodedata.normalize("NFKD", character).casefold().translate(LOOKALIKES).translate(QUOTES)
    return "".join(one for one in plain if not unicodedata.combining(one))


def _phrases(prose: str, places: Sequence[int]) -> Iterator[Hit]:
    for word in WORD.finditer(prose):
        for phrase in TRIGGERS.get(word.group(), ()):
            found = phrase.pattern.match(prose, word.start())
            if found and (not phrase.imperative or _is_told(prose, word.start())):
                yield Hit(phrase.sign, places[found.start()], places[found.end() - 1] + 1)


def _is_told(prose: str, at: int) -> bool:
    """Say whether the verb at a place is an order: it begins a clause, or follows words that give one."""
    return RUNS_UP.search(prose, max(0, at - BEFORE), at) is not None if at else True


def _shapes(text: str) -> Iterator[Hit]:
    for sign, pattern in SHAPED:
        for found in pattern.finditer(text):
            yield Hit(sign, found.start(), found.end())


def _hidden(text: str) -> Iterator[Hit]:
    """Find characters that nobody sees; a single one inside a word comes from careless copying."""
    found = list(HIDDEN.finditer(text))
    long = [one for one in found if one.end() - one.start() >= SEVERAL or one.group() in "\u202d\u202e"]
    for one in found if len(found) >= SEVERAL else long:
        yield Hit(Sign.HIDDEN_TEXT, one.start(), one.end())


def _fences(text: str) -> Iterator[Hit]:
    """Find the mark that ends somebody's words where none has begun."""
    depth = 0
    for found in re.finditer("[\u27e6\u27e7]", text):
        depth += 1 if found.group() == "\u27e6" else -1
        if depth < 0:
            yield Hit(Sign.FENCE_END, found.start(), found.end())
            depth = 0
