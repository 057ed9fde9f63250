"""A response as clauses, each with whose words or views it gives: the speaker's, an opponent's, or a bystander's."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise

from judging.heuristics import lexicons
from judging.heuristics.fairness import cues
from judging.heuristics.text import WORD, Sentence, lowered, sentences, stem

QUOTED = re.compile(
    '\u201c[^\u201c\u201d]{12,}\u201d|"[^"]{12,}"|(?<!\\w)\u2018(?:[^\u2018\u2019]|\u2019(?=\\w)){12,}\u2019(?!\\w)'
)
MARKED = re.compile(QUOTED.pattern.replace("{12,}", "+"))
"""The same of any length: whoever is quoted with one word was quoted."""
PART = re.compile(r"[;:\u2014]|\s[-\u2013]\s")
JOINED = re.compile(r", (?=(?:and|or|so|because|since|which|who) )")
CARRIED = 3
"""Sentences over which an opponent's view goes on without being named again."""


class Holder(StrEnum):
    """Whose view a clause gives."""

    SPEAKER = "speaker"
    OPPONENT = "opponent"
    BYSTANDER = "bystander"


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a sentence, ``text[start:end]`` of the response; ``turned`` where it begins an answer to a view."""

    start: int
    end: int
    sentence: int
    words: tuple[str, ...]
    stems: tuple[str, ...]
    holder: Holder = Holder.SPEAKER
    turned: bool = False
    granting: bool = False

    @property
    def content(self) -> frozenset[str]:
        """Return the stems that carry meaning."""
        weighty = zip(self.words, self.stems, strict=True)
        return frozenset(s for w, s in weighty if len(w) > 3 and not w[0].isdigit() and w not in lexicons.everyday())


@dataclass(frozen=True, slots=True)
class Table:
    """By which words opponents and the speaker's own position are named."""

    others: frozenset[tuple[str, ...]]
    own: frozenset[tuple[str, ...]]


def named(names: Collection[str]) -> frozenset[tuple[str, ...]]:
    """Return names as runs of words."""
    return frozenset(found for name in names if (found := lowered(raw=tuple(WORD.findall(name)))))


def unquoted(text: str) -> str:
    """Return a text of the same length in which what stands in quotation marks is blank."""
    return QUOTED.sub(lambda match: " " * len(match.group()), text)


def clauses(text: str, table: Table) -> tuple[Clause, ...]:
    """Return the clauses of a response in order, each with its holder."""
    bare = [part for number, sentence in enumerate(sentences(text)) for part in parts(text, sentence, number)]
    framing = MARKED.sub(lambda match: " " * len(match.group()), text)
    return tuple(assented(list(held([(part, *framed(text, framing, part)) for part in bare], table))))


def framed(text: str, framing: str, part: Clause) -> tuple[Clause, bool]:
    """Return a clause with only the words that stand in no quotation marks, and whether it begins inside some."""
    first = WORD.search(text, part.start, part.end)
    quoted = first is not None and framing[first.start()] == " "
    return clause(framing, part.start, part.end, part.sentence), quoted


def assertions(text: str) -> Iterator[Clause]:
    """Yield the clauses of a text, split further where "and" begins another one: each asserts one thing."""
    for number, one in enumerate(sentences(text)):
        yield from parts(text, one, number, *(match.end() for match in JOINED.finditer(one.text)))


def parts(text: str, sentence: Sentence, number: int, *further: int) -> Iterator[Clause]:
    """Split a sentence before each contrast, at semicolons, colons and dashes, and at further places in it."""
    begun = sentence.start
    cuts = [at + sentence.start for at in (*further, *(match.end() for match in PART.finditer(sentence.text)))]
    cuts += [
        match.start() + sentence.start
        for match in WORD.finditer(sentence.text)
        if match.start() and match.group().lower() in lexicons.words("contrasts")
    ]
    for before, cut in pairwise([begun, *sorted(cuts), sentence.end]):
        found = clause(text, before, cut, number)  # nothing between ``begun`` and here is a word: it is not read again
        if found.words:
            yield replace(found, start=begun)
            begun = cut


def clause(text: str, start: int, end: int, number: int) -> Clause:
    words = lowered(raw=tuple(WORD.findall(text[start:end])))
    return Clause(start=start, end=end, sentence=number, words=words, stems=tuple(stem(word) for word in words))


def held(bare: Sequence[tuple[Clause, Clause, bool]], table: Table) -> Iterator[Clause]:
    """Say of each clause whose view it gives; a view goes on until it is answered or somebody else's begins.

    Shape: each clause, the same without what it quotes, and whether it begins inside a quotation. A quotation's own
    words say nothing about whose they are: "I" in it is whoever is quoted.
    """
    holder, since, known = Holder.SPEAKER, 0, False
    for at, (part, framing, quoted) in enumerate(bare):
        introduces = any(after and later.sentence == part.sentence for later, _, after in bare[at + 1 : at + 2])
        spoken = mentions(framing, table, known=known)
        turned = not quoted and is_turn(framing)
        granting = bool(cues.meant(framing.words, "grants"))
        if any(cues.hits(framing.words, "bystanders")):
            holder, since = Holder.BYSTANDER, part.sentence
        elif (spoken and (reports(framing) or introduces)) or (granting and not is_own(framing, table)):
            holder, since = Holder.OPPONENT, part.sentence
        elif not quoted and (turned or speaks_for_itself(framing) or part.sentence - since >= CARRIED):
            holder = Holder.SPEAKER
        known = known or spoken
        yield replace(part, holder=holder, turned=turned, granting=granting and holder is Holder.OPPONENT)


def assented(found: Sequence[Clause]) -> Iterator[Clause]:
    """Give what a bare "granted" follows to the opponent: whoever grants a view has told one that is not its own."""
    granted = {one.sentence - 1 for one in found if is_assent(one)}
    for one in found:
        told = one.sentence in granted and one.holder is Holder.SPEAKER and not speaks_for_itself(one)
        yield replace(one, holder=Holder.OPPONENT, granting=True) if told else one


def is_assent(one: Clause) -> bool:
    """Tell whether a clause does nothing but grant what stands before it."""
    return any(hit.at == 0 and hit.end == len(one.words) for hit in cues.hits(one.words, "assents"))


def is_turn(one: Clause) -> bool:
    return one.words[0] in lexicons.words("contrasts") or any(cues.hits(one.words, "turns"))


def mentions(one: Clause, table: Table, *, known: bool) -> bool:
    """Tell whether an opponent is named or addressed; "they" only means one once somebody was named."""
    if any(within(one.words, name) for name in table.others):
        return True
    pronouns = {"they", "their", "he", "his", "she", "her"}
    return any(known or one_hit.phrase[0] not in pronouns for one_hit in cues.hits(one.words, "opponents"))


def reports(one: Clause) -> bool:
    return any(cues.hits(one.words, "reports")) or bool(cues.meant(one.words, "grants"))


def is_own(one: Clause, table: Table) -> bool:
    """Tell whether what is granted is the speaker's own fault rather than an opponent's point."""
    own = any(cues.meant(one.words, "failings")) and bool({"my", "our", "mine", "ours"}.intersection(one.words))
    return own or (any(within(one.words, name) for name in table.own) and any(cues.meant(one.words, "failings")))


def speaks_for_itself(one: Clause) -> bool:
    """Tell whether a clause is in the first person: not about a view, but the speaker's own word."""
    return one.words[0] in {"i", "i'll", "i'm", "i've", "my", "we", "our"} and not any(cues.hits(one.words, "grants"))


def within(words: tuple[str, ...], name: tuple[str, ...]) -> bool:
    """Tell whether a name stands in a run of words, with or without an 's behind it."""
    size = len(name)
    return any(
        words[at : at + size - 1] == name[:-1] and words[at + size - 1] in {name[-1], f"{name[-1]}'s", f"{name[-1]}s"}
        for at in range(len(words) - size + 1)
    )
