"""What is taken for an answer in an open debate: turns, marks, effects; the rest raises ``AnswerRejected``. Pure."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from debates.errors import Invalid
from judging.errors import NOWHERE, AnswerRejected
from judging.formats import parsing, spec
from judging.formats.parsing import Concluded
from judging.rules import schemas
from judging.rules.adherence import HIGHEST_MARK, Marks
from judging.rules.fairness import MARKS
from judging.rules.injection import fenced
from judging.rules.options import name_of

EAST_ASIAN = r"\u3001-\u30ff\u3400-\u9fff\uf900-\ufaff\uff01-\uff0f\uff5b-\uff9f"
SOUTH_EAST_ASIAN = r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
WORD = re.compile(rf"[{EAST_ASIAN}]{{1,2}}|[{SOUTH_EAST_ASIAN}]{{1,4}}|[^\s{EAST_ASIAN}{SOUTH_EAST_ASIAN}]+")
"""A word, or as much of a script without blanks as is about one."""
AROUND_NAMES = fenced(" ", limit=1)
"""The characters that ``strip`` takes off a name: the two marks of a prompt, and blanks."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """A turn as it was given, with the passages of others that it says it quotes."""

    text: str
    quotes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Grounds:
    """What a mark rests on: a sentence, and passages that occur in the response word for word."""

    notes: str
    quotes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class JudgedResponse:
    """The four marks of a response, with their grounds by name; the total is their sum and nobody's claim."""

    marks: Marks
    steel_attempted: bool
    critique_attempted: bool
    grounds: Mapping[str, Grounds]
    violations: tuple[str, ...]
    issues: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WeighedEffect:
    """What a response does to one listener, 0..1 each."""

    listener: str
    persuasion: Decimal
    attack: Decimal
    evidence: Decimal


TEXT = NOWHERE / "text"
SHORTEST_TURN = 10
"""Characters below which nothing was said."""
INTERJECTION_WORDS = (30, 75)
REPLACED = "\ufffd"
"""What stands for bytes that are no text, where a door has read them as well as it could."""
LONGEST_SENT = 4 * parsing.LONGEST_TEXT
MOST_VIOLATIONS = 20
MOST: Mapping[str, int] = {"violations": MOST_VIOLATIONS}


def spoken(text: str) -> Spoken:
    """Return a turn.

    Raises: ``AnswerRejected`` for a turn under ten characters, or naming the field.
    """
    answer = parsing.answer_of(text)
    said = parsing.words_of(answer, "text", empty=True)
    if len(said) < SHORTEST_TURN:
        raise AnswerRejected(f"text must have at least {SHORTEST_TURN} characters; got {len(said)}.", place=TEXT)
    return Spoken(text=said, quotes=parsing.texts_of(answer, "quotes"))


def by_hand(text: object) -> str:
    """Return the words of a turn that a person or somebody else's program has written, without blanks around them.

    Line ends become those of the database, so that the same words are the same text through every door.

    Raises: ``Invalid`` for what is no text, has under ten or over 8,000 characters, or cannot be stored.
    """
    if isinstance(text, str) and len(text) > LONGEST_SENT:
        raise Invalid(f"text must have at most {parsing.LONGEST_TEXT} characters; got {len(text)}.", field="text")
    spec.text_of(text, name="text", longest=LONGEST_SENT)
    words = tidied(str(text))
    if REPLACED in words:
        place = words.index(REPLACED) + 1
        raise Invalid(f"text is not UTF-8: character {place} could not be read.", field="text")
    if len(words) < SHORTEST_TURN:
        raise Invalid(f"text must have at least {SHORTEST_TURN} characters; got {len(words)}.", field="text")
    return spec.text_of(words, name="text", longest=parsing.LONGEST_TEXT)


def tidied(text: str) -> str:
    """Return words as they are kept: with our ends of lines, and no blanks around them."""
    return "\n".join(text.splitlines()).strip()


def interjected(text: str) -> Spoken:
    """Return an interjection of 30 to 75 words.

    Units: where a script has no blanks between words, two letters of Chinese or Japanese are one, or four of Thai, Lao,
    Burmese or Khmer.
    Raises: ``AnswerRejected`` naming how many words there are.
    """
    said = spoken(text)
    low, high = INTERJECTION_WORDS
    count = len(WORD.findall(said.text))
    if not low <= count <= high:
        raise AnswerRejected(f"text must have {low} to {high} words; got {count}.", place=TEXT)
    return said


def judged(text: str, *, response: str) -> JudgedResponse:
    """Return the four marks of a response. Passages that do not occur in it, word for word, are left aside, and so are
    violations after the twentieth.

    Units: 0..25 each, at most 2 places.
    """
    answer = parsing.answer_of(text)
    parts = {name: _part(answer, name) for name in MARKS}
    said = parsing.texts_of(parts["consistency"], "violations", at=NOWHERE / "consistency")
    violations = tuple(filter(None, said))[:MOST_VIOLATIONS]
    issues = _issues(parts["honesty"])
    marks = {name: _mark(part, name) for name, part in parts.items()}
    heard = " ".join(response.split())
    return JudgedResponse(
        marks=Marks(**marks, violations=len(violations)),
        steel_attempted=_truth(parts["steel_manning"], "steel_manning"),
        critique_attempted=_truth(parts["self_critique"], "self_critique"),
        grounds={name: _grounds(part, name, heard) for name, part in parts.items()},
        violations=violations,
        issues=issues,
    )


def weighed(text: str, *, listeners: Collection[str]) -> tuple[WeighedEffect, ...]:
    """Return what a response does to every listener, in the order in which they were named: by name, in whatever form
    its letters are, or in the marks and blanks with which a prompt tells it.

    Units: 0..1 each, at most 2 places.
    Raises: ``AnswerRejected`` for an unknown, repeated or missing listener, or naming the field.
    """
    effects_by_listener: dict[str, WeighedEffect] = {}
    for at, row in parsing.rows_of(parsing.answer_of(text), "effects"):
        named, place = row.get("listener"), at / "listener"
        listener = next((name for name in _readings(named) if name in listeners), None)
        if listener is None:
            raise place.refused(f"must be one of {', '.join(listeners)}; got {parsing.excerpt(named)}.")
        if listener in effects_by_listener:
            raise place.refused(f"{listener} has been weighed already.")
        shares = [
            parsing.number_of(row, name, low=Decimal(0), high=Decimal(1), at=at)
            for name in ("persuasion", "attack", "evidence")
        ]
        effects_by_listener[listener] = WeighedEffect(listener, *shares)
    missing = [listener for listener in listeners if listener not in effects_by_listener]
    if missing:
        problem = f"effects: nothing for {', '.join(missing)}; every listener needs an entry."
        raise AnswerRejected(problem, place=NOWHERE / "effects")
    return tuple(effects_by_listener[listener] for listener in listeners)


def _readings(named: object) -> tuple[str, ...]:
    if not isinstance(named, str):
        return ()
    bare = named.strip(AROUND_NAMES)
    return named, bare, name_of(bare)


def concluded(text: str) -> Concluded:
    """Return the last word with its lists told in its own words: strengths and weaknesses are of other debates."""
    answer = parsing.answer_of(text)
    parts = [parsing.words_of(answer, "summary")]
    for title, name in (
        ("Where they met", "agreements"),
        ("Where they did not", "disagreements"),
        ("What stayed open", "open_questions"),
    ):
        if lines := parsing.texts_of(answer, name):
            parts.append("\n".join([f"{title}:", *(f"- {line}" for line in lines)]))
    return Concluded(summary="\n\n".join(parts), strengths=(), weaknesses=(), advice=())


# -- fields ----------------------------------------------------------------------------------------------------------


def _part(answer: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    part = answer.get(name)
    if not isinstance(part, dict):
        raise (NOWHERE / name).refused(f"must be an object; got {parsing.kind_of(part)}.")
    return part


def _mark(part: Mapping[str, Any], name: str) -> Decimal:
    return parsing.number_of(part, "score", low=Decimal(0), high=HIGHEST_MARK, at=NOWHERE / name)


def _truth(part: Mapping[str, Any], name: str) -> bool:
    value = part.get("attempted")
    if not isinstance(value, bool):
        raise (NOWHERE / name / "attempted").refused(f"must be true or false; got {parsing.excerpt(value)}.")
    return value


def _grounds(part: Mapping[str, Any], name: str, heard: str) -> Grounds:
    at = NOWHERE / name
    quotes = (quote for quote in parsing.texts_of(part, "quotes", at=at) if quote and " ".join(quote.split()) in heard)
    return Grounds(notes=parsing.words_of(part, "notes", at=at, empty=True), quotes=tuple(dict.fromkeys(quotes)))


def _issues(part: Mapping[str, Any]) -> tuple[str, ...]:
    at = NOWHERE / "honesty"
    issues = tuple(dict.fromkeys(issue.lower() for issue in parsing.texts_of(part, "issues", at=at) if issue))
    strange = [issue for issue in issues if issue not in schemas.ISSUES]
    if strange:
        known = ", ".join(schemas.ISSUES)
        raise (at / "issues").refused(f"must be some of {known}; got {parsing.excerpt(strange[0])}.")
    return issues
