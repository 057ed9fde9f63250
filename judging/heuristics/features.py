"""What an offline judge of a panel can read in a subject: prose and code as units with measured features."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from judging.heuristics import lexicons
from judging.heuristics.criteria import LEAST, Bearing, Lookout, bearings, lookout, shows
from judging.heuristics.evidence import Passage, Signs, passages
from judging.heuristics.text import READ_LIMIT, content_stems, cut, lines, stem
from judging.types import CriterionCard, Item

LINE_WORTH = 420
"""Weight of a line of code that shows one wanted thing, beside sentences, whose worth goes up to about 1,800."""
DISTANT = 3
"""Relevance of a sentence that does not name the criterion: most criteria are about all of a subject."""
LEAST_LINE = 4
"""Characters of a line that is more than a bracket."""
WIDE = 110
DEEP = 16
"""Characters of a wide line, and of an indentation that nests deep."""
SEEN = 1_000
"""Characters of a line in which signs of code are looked for; a line of code is shorter."""
FENCE = re.compile(r"^\s*(?:```|~~~)")
NAME = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


@dataclass(frozen=True, slots=True)
class Unit:
    """One sentence or one line of code; ``kinds`` are what code shows, ``smells`` what speaks against it."""

    start: int
    text: str
    part: int
    stems: frozenset[str]
    is_code: bool
    signs: Signs
    kinds: tuple[str, ...] = ()
    smells: bool = False
    words: int = 0
    quality: int = 0

    @property
    def quote(self) -> str:
        return cut(self.text)


@dataclass(frozen=True, slots=True)
class BearingUnit:
    """A unit seen from one criterion. ``worth`` is what it shows for it, ``has`` which of the wanted things; it is
    ``near`` where it speaks of the criterion itself.
    """

    unit: Unit
    worth: int
    has: tuple[str, ...]
    bad: bool
    near: bool = True


@dataclass(frozen=True, slots=True)
class Reading:
    """A subject seen from one criterion: what bears on it in the order of the text, and what is wanted of it."""

    units: tuple[BearingUnit, ...]
    wants: tuple[str, ...]
    look: Lookout


def card_of(item: Item) -> CriterionCard:
    return CriterionCard(
        code=item.code, name=item.name, category="", question=item.question, high=item.high, low=item.low
    )


@lru_cache(maxsize=256)
def reading(subject: str, card: CriterionCard) -> Reading:
    look = lookout(card)
    near = {
        bearing.passage.sentence.start: bearing for bearing in bearings(subject, card) if bearing.relevance >= LEAST
    }
    kinds = wanted_kinds(card)
    rows = [
        of_code(unit, kinds, look) if unit.is_code else of_prose(unit, near.get(unit.start), look)
        for unit in units(subject)
    ]
    has_code = any(unit.is_code for unit in units(subject))
    return Reading(
        units=tuple(unit for unit in rows if unit is not None),
        wants=(*look.wants, *(kinds if has_code else ())),
        look=look,
    )


def of_prose(unit: Unit, near: Bearing | None, look: Lookout) -> BearingUnit:
    if near is not None:
        return BearingUnit(unit, near.worth, near.has, bool(near.bad or unit.signs.denied))
    has = tuple(want for want in look.wants if shows(unit.signs, want))
    return BearingUnit(unit, unit.quality * DISTANT, has, bool(unit.signs.denied), near=False)


def of_code(unit: Unit, kinds: tuple[str, ...], look: Lookout) -> BearingUnit | None:
    has = tuple(kind for kind in kinds if kind in unit.kinds)
    named = len(unit.stems & look.weights.keys())
    if not (has or named or unit.smells):
        return None
    worth = LINE_WORTH * len(has) + 60 * min(3, named)
    return BearingUnit(unit, worth, has, unit.smells)


def wanted_kinds(card: CriterionCard) -> tuple[str, ...]:
    """Return what good code shows for a criterion."""
    asked = content_stems(f"{card.name} {card.question}") | {stem(card.code)}
    calling = lexicons.read("words")["code"]["wanted"]
    named = tuple(kind for kind, listed in calling.items() if asked.intersection(map(stem, listed.split())))
    return named or ("structure", "checks", "words")


@lru_cache(maxsize=64)
def units(subject: str) -> tuple[Unit, ...]:
    """Return the sentences and lines of code of a subject, in order."""
    coded = code_lines(subject[:READ_LIMIT])
    inside = [False] * (min(len(subject), READ_LIMIT) + 1)
    for start, end, _ in coded:
        inside[start:end] = [True] * (end - start)
    sentences = (of_passage(passage) for passage in passages(subject) if not inside[passage.sentence.start])
    coded_units = (of_line(subject[start:end], start, part) for start, end, part in coded)
    return tuple(sorted([*sentences, *(unit for unit in coded_units if unit is not None)], key=lambda unit: unit.start))


def of_passage(passage: Passage) -> Unit:
    said = passage.sentence
    return Unit(
        start=said.start,
        text=said.text,
        part=said.paragraph,
        stems=frozenset(said.stems),
        is_code=False,
        signs=passage.signs,
        words=len(said.words),
        quality=passage.quality,
    )


def of_line(line: str, start: int, part: int) -> Unit | None:
    bare = line.strip()
    if len(bare) < LEAST_LINE:
        return None
    kinds = tuple(kind for kind, pattern in patterns() if pattern.search(line[:SEEN]))
    names = {stem(word.lower()) for word in NAME.findall(bare) if len(word) > 2}
    indent = len(line) - len(line.lstrip())
    return Unit(
        start=start + indent,
        text=bare,
        part=part,
        stems=frozenset(names),
        is_code=True,
        signs=Signs(),
        kinds=kinds,
        smells=bool(smells().search(line[:SEEN])) or (indent >= DEEP and len(bare) > WIDE // 2),
        words=len(bare),
    )


def code_lines(text: str) -> list[tuple[int, int, int]]:
    """Return (start, end, block) of every line of code: fenced, or in a block most of whose lines look like code.

    Where that is most of the text it is a program, and all of it is read by the line, its comments too.
    """
    every = list(blocks(text))
    coded = [fenced or looks_like_code(text, block) for block, fenced in every]
    lines_of = [len(block) for block, _ in every]
    program = 2 * sum(size for size, code in zip(lines_of, coded, strict=True) if code) > sum(lines_of)
    return [
        (start, end, number)
        for number, (block, _) in enumerate(every)
        if program or coded[number]
        for start, end in block
    ]


def looks_like_code(text: str, block: list[tuple[int, int]]) -> bool:
    """Say whether half of some lines or more look like a program, SQL, a shell's commands, or YAML that is nested."""
    seen = [text[start : min(end, start + SEEN)] for start, end in block]
    line, nested = yaml_patterns()
    alike = [line_pattern()]
    if any(nested.search(each) for each in seen):  # else it may be an agenda, a recipe or a dialogue
        alike.append(line)
    return any(2 * sum(map(bool, map(each.search, seen))) >= len(seen) + (len(seen) == 1) for each in alike)


def blocks(text: str) -> Iterator[tuple[list[tuple[int, int]], bool]]:
    """Yield runs of lines without an empty one between, and whether they stand between fences."""
    run: list[tuple[int, int]] = []
    fenced = False
    for start, end in lines(text):
        fence = FENCE.match(text[start:end]) is not None
        if (fence or not text[start:end].strip()) and run:
            yield run, fenced
            run = []
        if fence:
            fenced = not fenced
        elif text[start:end].strip():
            run.append((start, end))
    if run:
        yield run, fenced


@cache
def line_pattern() -> re.Pattern[str]:
    return re.compile("|".join(lexicons.read("words")["code"][kind] for kind in ("line", "sql", "shell")))


@cache
def yaml_patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what a line of YAML looks like, and one that is part of another."""
    yaml = lexicons.read("words")["code"]["yaml"]
    return re.compile(yaml["line"]), re.compile(yaml["nested"])


@cache
def patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((kind, re.compile(pattern)) for kind, pattern in lexicons.read("words")["code"]["kinds"].items())


@cache
def smells() -> re.Pattern[str]:
    return re.compile(lexicons.read("words")["code"]["smells"])


def shows_want(unit: Unit, want: str) -> bool:
    """Say whether a unit shows one wanted thing, of sentences or of code."""
    return want in unit.kinds if unit.is_code else want not in dict(patterns()) and shows(unit.signs, want)
