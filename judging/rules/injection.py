"""Words that speak to the judge instead of about the matter: finding them, fencing them off in prompts. Pure."""

from __future__ import annotations

import base64
import binascii
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from judging.rules.injection_words import OTHER_SCRIPTS, PHRASES, RUN_UP, SHAPES, SPELLED_OUT

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
APART = re.compile(r"(?<![^\W_])(?:[^\W\d_][ .\-_*]{1,3}){5,400}[^\W\d_](?![^\W_])")
"""Letters with something between each and the next, six and more."""
ENCODED = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{20,4000}={0,2}")
FIGURES = re.compile(r"(?<![a-z013457@$])(?:[a-z]++[013457@$]|[013457@$]++[a-z])[a-z013457@$]*+")
LETTERS = str.maketrans("013457@$", "oieastas")
ROTATED = str.maketrans("abcdefghijklmnopqrstuvwxyz", "nopqrstuvwxyzabcdefghijklm")


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


@cache
def _triggers() -> Mapping[str, Sequence[Phrase]]:
    # When they are first asked for: compiling them takes a tenth of the start of a process.
    phrases_by_word: dict[str, list[Phrase]] = {}
    for sign, imperative, words, rest in PHRASES:
        phrase = Phrase(Sign(sign), re.compile(spelled(rest)), imperative)
        for word in words.split():
            phrases_by_word.setdefault(word, []).append(phrase)
    return phrases_by_word


def spelled(pattern: str) -> str:
    """Return a pattern in which a space is what may stand between words, and ``~`` up to four words more."""
    between = r"(?:[ \n,:;\"'-]{1,3})"
    return pattern.replace("~", r"(?:[\w'/-]{1,20} ){0,4}?").replace(" ", between)


@cache
def _shaped() -> Sequence[tuple[Sign, re.Pattern[str]]]:
    patterns = (*SHAPES, *OTHER_SCRIPTS)
    return [(Sign(sign), re.compile(pattern, re.IGNORECASE | re.MULTILINE)) for sign, pattern in patterns]


RUNS = re.compile(r"[a-z]+|.", re.DOTALL)
"""What sounds as it is written, as far as it goes, or a single other character."""
RUNS_UP = re.compile(spelled(RUN_UP) + r"\Z")


def find(text: str) -> tuple[Hit, ...]:
    """Return the passages that try to instruct a judge, in the order of the text, at most 50.

    Source: docs/reference/injection.md.
    """
    prose, places = folded(text)
    hits = {
        *_phrases(prose, places), *_shapes(text), *_hidden(text), *_fences(text), *_spaced(text), *_encoded(text),
        *_dressed(prose, places),
    }  # fmt: skip
    return tuple(sorted(hits, key=lambda hit: (hit.start, hit.end, hit.sign)))[:MOST_HITS]


def folded(text: str) -> tuple[str, Sequence[int]]:
    """Return a text as it sounds, and for each of its characters the place of the one it came from.

    Accents, case, emphasis, invisible and look-alike characters are folded away, and white space to a single character.
    """
    kept: list[str] = []
    places: list[int] = []
    for run in RUNS.finditer(text):
        at, letters = run.start(), run.group()
        if "a" <= letters[0] <= "z":
            kept.extend(letters)
            places.extend(range(at, run.end()))
            continue
        for letter in _folded(letters):
            if letter == " " and kept and kept[-1] in " \n":
                continue
            if letter == "\n" and kept and kept[-1] == " ":
                kept[-1] = letter
                continue
            kept.append(letter)
            places.append(at)
    return "".join(kept), places


def _folded(character: str) -> str:
    if character.isspace():
        return "\n" if character in "\n\r\u2028\u2029" else " "
    if character in EMPHASIS or unicodedata.category(character) == "Cf":
        return ""
    plain = unicodedata.normalize("NFKD", character).casefold().translate(LOOKALIKES).translate(QUOTES)
    return "".join(character for character in plain if not unicodedata.combining(character))


def _phrases(prose: str, places: Sequence[int]) -> Iterator[Hit]:
    for word in WORD.finditer(prose):
        for phrase in _triggers().get(word.group(), ()):
            match = phrase.pattern.match(prose, word.start())
            if match and (not phrase.imperative or _is_told(prose, word.start())):
                yield Hit(phrase.sign, places[match.start()], places[match.end() - 1] + 1)


def _is_told(prose: str, at: int) -> bool:
    """Say whether the verb at a place is an order: it begins a clause, or follows words that give one."""
    return RUNS_UP.search(prose, max(0, at - BEFORE), at) is not None if at else True


def _shapes(text: str) -> Iterator[Hit]:
    for sign, pattern in _shaped():
        for match in pattern.finditer(text):
            yield Hit(sign, match.start(), match.end())


def _hidden(text: str) -> Iterator[Hit]:
    """Find characters that nobody sees; a single one inside a word comes from careless copying."""
    matches = list(HIDDEN.finditer(text))
    long = [match for match in matches if match.end() - match.start() >= SEVERAL or match.group() in "\u202d\u202e"]
    for match in matches if len(matches) >= SEVERAL else long:
        yield Hit(Sign.HIDDEN_TEXT, match.start(), match.end())


def _spaced(text: str) -> Iterator[Hit]:
    """Find an order that is spelled with something between its letters."""
    for match in APART.finditer(text):
        letters = "".join(character for character in match.group().casefold() if character.isalpha())
        if any(word in letters for word in SPELLED_OUT):
            yield Hit(Sign.HIDDEN_TEXT, match.start(), match.end())


def _encoded(text: str) -> Iterator[Hit]:
    """Find an order in base64."""
    for match in ENCODED.finditer(text):
        plain = _decoded(match.group())
        prose, places = folded(plain)
        if any(_phrases(prose, places)) or any(_shapes(plain)):
            yield Hit(Sign.HIDDEN_TEXT, match.start(), match.end())


def _decoded(run: str) -> str:
    whole = run.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        return base64.b64decode(whole + "=" * (-len(whole) % 4), validate=True).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError):
        return ""


def _dressed(prose: str, places: Sequence[int]) -> Iterator[Hit]:
    """Find an order written with figures for letters, thirteen letters on, or from its end."""
    plain = FIGURES.sub(lambda match: match.group().translate(LETTERS), prose)
    dresses = [(prose.translate(ROTATED), places), (prose[::-1], places[::-1])]
    for dress, at in [(plain, places), *dresses] if plain != prose else dresses:
        for hit in _phrases(dress, range(len(dress))):
            if dress[hit.start : hit.end] == prose[hit.start : hit.end]:
                continue
            first, last = sorted((at[hit.start], at[hit.end - 1]))
            yield Hit(Sign.HIDDEN_TEXT, first, last + 1)


def _fences(text: str) -> Iterator[Hit]:
    """Find the mark that ends somebody's words where none has begun."""
    depth = 0
    for match in re.finditer("[\u27e6\u27e7]", text):
        depth += 1 if match.group() == "\u27e6" else -1
        if depth < 0:
            yield Hit(Sign.FENCE_END, match.start(), match.end())
            depth = 0


def fenced(text: str, *, limit: int) -> str:
    """Return somebody's words as they stand in a prompt: between marks that the words themselves cannot contain, cut at
    ``limit`` characters.
    """
    bare = text.replace("\N{MATHEMATICAL LEFT WHITE SQUARE BRACKET}", "[").replace(
        "\N{MATHEMATICAL RIGHT WHITE SQUARE BRACKET}", "]"
    )
    kept = bare if len(bare) <= limit else bare[:limit] + " (cut)"
    return f"\N{MATHEMATICAL LEFT WHITE SQUARE BRACKET}{kept}\N{MATHEMATICAL RIGHT WHITE SQUARE BRACKET}"
