"""A text as sentences with their places, words and stems. Quotes are slices of the original."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from snowballstemmer.english_stemmer import EnglishStemmer

from judging.heuristics import lexicons

# Whole hundredths and the decimal strings that they are written as. No binary fraction comes near a score.


def written(hundredths: int) -> str:
    """Return whole hundredths as a decimal with two places: -120 is "-1.20"."""
    return str(Decimal(hundredths).scaleb(-2).quantize(Decimal("0.01")))


def hundredths(value: object, *, otherwise: int) -> int:
    """Return a decimal, whole number or decimal string as whole hundredths, or a given number where it is none."""
    if isinstance(value, bool) or not isinstance(value, (Decimal, int, str)):
        return otherwise
    try:
        number = Decimal(value)
    except ArithmeticError:
        return otherwise
    if not number.is_finite() or abs(number) > Decimal(1_000):
        return otherwise
    return int((number * 100).to_integral_value())


def limited(value: int, *, least: int, most: int) -> int:
    return max(least, min(most, value))


# A text as sentences with their places in it, words and stems. Quotes are always slices of the original.


READ_LIMIT = 200_000
"""Characters of a text that are read: as many as a subject may have, so that nothing of it is left out."""
QUOTE_LIMIT = 240
"""Characters of a quote at most; longer sentences are cut at a word, never altered."""

# Only letters that every supported Python classifies alike: a newer Unicode table must not change a score.
LETTER = "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0370-\u03ff\u0400-\u052f"
APOSTROPHES = "'\u2019\u2018\u02bc"
WORD = re.compile(rf"[{LETTER}]+(?:[{APOSTROPHES}][{LETTER}]+)*|[0-9](?:[0-9.,\u2009]*[0-9])?|[%\u2030\u00b0]")
STRAIGHT = str.maketrans(dict.fromkeys(APOSTROPHES, "'"))
# Possessive, and never begun inside a run of stops: a page of dots must not take quadratic time.
END = re.compile(r"(?<![.!?;\u2026])[.!?;\u2026]++[\"'\u201d\u2019\u00bb)\]*_]*+(?=\s)|[\u3002\uff01\uff1f\uff1b]+")
STOP = re.compile(r"[.!?\u2026]")
ENTITY = re.compile(r"&#?\w{1,8}\Z")
NUMBER_BEHIND = re.compile(r"\s*[0-9]")
SPEECH = re.compile(r"\s*(?:\w+\s+){0,2}(?:says|said|asks|asked|answers|answered|replies|replied)\b", re.IGNORECASE)
MARKER = re.compile(r"[ \t]*(?:[-*+\u2022]|[0-9]{1,3}[.)]|[A-Za-z]\))[ \t]+")
HEADING = re.compile(r"[ \t]*#{1,6}[ \t]+")
RULE = re.compile(r"[ \t]*(?:=+|-{2,}|\*{3,}|_{3,})[ \t\r]*")
ROW = re.compile(r"[ \t]*\|")
RULED_ROW = re.compile(r"[ \t]*\|[-:| \t]++[ \t\r]*")
FENCE = re.compile(r"[ \t]*(?:```|~~~)")
LABEL = re.compile(rf"[ \t]*\*{{0,2}}([{LETTER}][{LETTER}0-9 .'-]{{0,30}}):\*{{0,2}}[ \t]+(?=\S)")
BLANK = re.compile(r"[ \t\r\f\v]*")
LABEL_WORDS = 3
TITLE_WORDS = 10
"""Words of a line on its own, without a stop, that is taken for a heading at most."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence, ``text[start:end]``, with the words in it. A semicolon ends a sentence as a full stop does."""

    start: int
    end: int
    text: str
    paragraph: int
    words: tuple[str, ...]
    raw_words: tuple[str, ...]
    stems: tuple[str, ...]


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """Return the stem of a lower-case word. A stemmer keeps state, so each call that is not cached has its own."""
    return str(EnglishStemmer().stemWord(word[:40]))


def tokens(text: str) -> tuple[str, ...]:
    """Return words, numbers and percent signs as written. Hyphens part words."""
    return tuple(WORD.findall(text))


def lowered(*, raw: tuple[str, ...]) -> tuple[str, ...]:
    """Return words in lower case with straight apostrophes."""
    return tuple(word.lower().translate(STRAIGHT) for word in raw)


@lru_cache(maxsize=2_000)
def content_stems(text: str) -> frozenset[str]:
    """Return the stems of the words that carry meaning: letters, longer than three, not everyday words."""
    words = lowered(raw=tokens(text[:READ_LIMIT]))
    weighty = (word for word in words if len(word) > 3 and not word[0].isdigit())
    return frozenset(stem(word) for word in weighty if word not in lexicons.everyday())


def cut(text: str, *, limit: int = QUOTE_LIMIT) -> str:
    """Return the beginning of a text, at most ``limit`` characters, ending with a whole word where there is one."""
    if len(text) <= limit:
        return text
    part = text[:limit]
    spaces = [match.start() for match in re.finditer(r"\s", part)]
    return (part[: spaces[-1]] if spaces and spaces[-1] > limit // 2 else part).rstrip()


def squeezed(text: str) -> str:
    """Return a text with every run of white space as one space, for comparing what was quoted."""
    return " ".join(text.split())


@lru_cache(maxsize=64)
def sentences(text: str) -> tuple[Sentence, ...]:
    """Return the sentences of a text in order, wherever its lines break. Headings, names of speakers before their
    words and fenced code are none.
    """
    every = (
        sentence(text, first, last, paragraph)
        for paragraph, (start, end) in enumerate(blocks(text[:READ_LIMIT]))
        for first, last in spans(text, start, end)
    )
    return tuple(row for row in every if row.words)


@lru_cache(maxsize=64)
def distinct(text: str) -> tuple[Sentence, ...]:
    """Return the sentences of a text without those that are said again, word for word."""
    return tuple({row.words: row for row in reversed(sentences(text))}.values())[::-1]


def sentence(text: str, start: int, end: int, paragraph: int) -> Sentence:
    raw = tokens(text[start:end])
    words = lowered(raw=raw)
    return Sentence(
        start=start,
        end=end,
        text=text[start:end],
        paragraph=paragraph,
        words=words,
        raw_words=raw,
        stems=tuple(stem(word) for word in words),
    )


def blocks(text: str) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of paragraphs, list items and rows of tables; wrapped lines stay together."""
    every = runs(text)
    for at, run in enumerate(every):
        following = every[at + 1] if at + 1 < len(every) else None
        if not run.heading and not (following and is_title(text, run, following)):
            yield run.start, run.end


@dataclass(slots=True)
class TextBlock:
    """Lines that belong together; ``bare`` where nothing but empty lines stands beside them, and no mark."""

    start: int
    end: int
    lines: int = 1
    bare: bool = True
    row: bool = False
    heading: bool = False


def runs(text: str) -> list[TextBlock]:
    """Return what stands together in a text, with its headings, without fenced code."""
    blocks: list[TextBlock] = []
    labels = speakers(text)
    is_open = False
    for start, end in prose(text):
        if BLANK.fullmatch(text, start, end):
            is_open = False
        elif is_open and RULE.fullmatch(text, start, end):
            blocks[-1].heading = blocks[-1].lines == 1 and blocks[-1].bare
            is_open = False
        elif RULED_ROW.fullmatch(text, start, end) and blocks:
            blocks[-1].heading, is_open = blocks[-1].heading or blocks[-1].row, False
        elif run := begin(text, start, end, labels):
            blocks.append(run)
            is_open = not (run.row or run.heading)
        elif is_open:
            blocks[-1].end = end
            blocks[-1].lines += 1
        else:
            blocks.append(TextBlock(start, end))
            is_open = True
    return blocks


def prose(text: str) -> Iterator[tuple[int, int]]:
    """Yield the lines of a text, an empty one for each of fenced code. A fence that is never closed is none."""
    every = list(lines(text))
    marks = [at for at, (start, end) in enumerate(every) if FENCE.match(text, start, end)]
    fenced = {at for first, last in zip(marks[::2], marks[1::2], strict=False) for at in range(first, last + 1)}
    for at, (start, end) in enumerate(every):
        yield (start, start) if at in fenced else (start, end)


def begin(text: str, start: int, end: int, labels: frozenset[str]) -> TextBlock | None:
    """Return what a line begins: a heading, an item of a list, a row of a table or what a speaker says."""
    if HEADING.match(text, start, end):
        return TextBlock(start, end, heading=True)
    if mark := MARKER.match(text, start, end):
        return TextBlock(mark.end(), end, bare=False)
    if ROW.match(text, start, end):
        return TextBlock(text.index("|", start) + 1, end, bare=False, row=True)
    label = LABEL.match(text, start, end)
    return TextBlock(label.end(), end, bare=False) if label and label[1].lower() in labels else None


def speakers(text: str) -> frozenset[str]:
    """Return what stands before a colon at the beginning of more than one line: whoever speaks there."""
    named = Counter(match[1].lower() for start, end in lines(text) if (match := LABEL.match(text, start, end)))
    return frozenset(name for name, times in named.items() if times > 1 and len(name.split()) <= LABEL_WORDS)


def is_title(text: str, run: TextBlock, following: TextBlock) -> bool:
    """Tell a line on its own that titles what comes next: few words and no stop, before something that is said."""
    if run.lines > 1 or not run.bare:
        return False
    line, said = text[run.start : run.end].strip(), text[following.start : following.end].strip()
    short = len(tokens(line)) <= TITLE_WORDS and line[-1:] not in tuple('.!?;,\u2026"\u201d')
    return short and not following.heading and (len(tokens(said)) > TITLE_WORDS or STOP.search(said) is not None)


def lines(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    while start < len(text):
        newline = text.find("\n", start)
        end = len(text) if newline == -1 else newline
        yield start, end
        start = end + 1


def spans(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the (start, end) of each sentence of one paragraph, without the white space around it."""
    begun = start
    for match in END.finditer(text, start, end):
        if ends_sentence(text, begun, match.start(), match.end(), end):
            yield from trimmed(text, begun, match.start() if text[match.start()] == ";" else match.end())
            begun = match.end()
    yield from trimmed(text, begun, end)


def trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    part = text[start:end]
    left = len(part) - len(part.lstrip())
    if part.strip():
        yield start + left, start + left + len(part.strip())


def ends_sentence(text: str, begun: int, stop: int, after: int, end: int) -> bool:
    """Tell a full stop from an abbreviation, an initial or a stop inside reported speech. Capitals tell nothing: the
    same words are the same sentences in small letters.
    """
    if text[stop] == ";":
        return not ENTITY.search(text, max(begun, stop - 10), stop)
    following = text[after : min(after + 60, end)]
    if after - stop > 1 and text[after - 1] in "\"'\u201d\u2019\u00bb" and SPEECH.match(following):
        return False
    if text[stop] != "." or text[stop + 1 : stop + 2] == ".":
        return True
    before = text[max(begun, stop - 12) : stop].split()
    word = before[-1].lstrip("([\"'\u201c\u2018").lower() if before else ""
    if word == "no":
        return not NUMBER_BEHIND.match(following)
    initial = len(word) == 1 and "b" <= word <= "z" and word != "i"
    return not initial and word not in lexicons.words("abbreviations")
