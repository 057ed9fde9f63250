"""What the offline judge can judge at all: the language of a text, how much of it there is, what a criterion asks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache

from judging.heuristics import lexicons
from judging.heuristics.features import code_lines
from judging.heuristics.text import READ_LIMIT, content_stems, stem
from judging.rules.quotes import own_words
from judging.types import CriterionCard, NotAssessed, Unable

LEAST_WORDS = 12
"""Different words that a text must have before anything is judged by it."""
MOST_CODE = 50
"""Per cent of code in a text that is still read as prose."""
LEAST_LINES = 2
"""Lines of code from which there is code at all."""
FOREIGN_LEAST = 3
"""Everyday words of another language, more than of English, from which a text is in that language."""
SURE_FROM, LIST_FROM = 16, 40
"""Words from which a text with next to no everyday words of English is not written in English sentences, and from which
that is no mere list either, such as a criterion or the names in a program may be.
"""
ENGLISH_LEAST = 6
"""Per cent of everyday words that English prose never goes below; it has 20 to 60."""

LATIN = re.compile("[A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff]+(?:['\u2019][A-Za-z]+)*")
SCRIPTS: Mapping[str, re.Pattern[str]] = {
    "Greek letters": re.compile("[\u0370-\u03ff]"),
    "Cyrillic letters": re.compile("[\u0400-\u052f]"),
    "Hebrew letters": re.compile("[\u0590-\u05ff]"),
    "Arabic letters": re.compile("[\u0600-\u06ff\u0750-\u077f]"),
    "Indic letters": re.compile("[\u0900-\u0dff]"),
    "Thai letters": re.compile("[\u0e00-\u0e7f]"),
    "Japanese": re.compile("[\u3040-\u30ff]"),
    "Chinese": re.compile("[\u4e00-\u9fff]"),
    "Korean": re.compile("[\u1100-\u11ff\uac00-\ud7a3]"),
}
"""Letters of other scripts, by ranges and not by Unicode tables: a newer Python must not answer otherwise."""

FOLLOWED = (
    r"(?:follow|fulfil|fulfill|obey|meet|satisfy|answer|address|complete|accomplish|carry out|do|adhere to|solve)"
)
TASKED = r"(?:task|instructions?|prompt|assignment|request|brief)"
ASKS_FOR_A_TASK = re.compile(
    r"\b(?:what|everything|all|anything)(?: that)? (?:the |its |this )?"
    rf"{TASKED} (?:asks?|wants?|requires?|demands?|says?)\b"
    rf"|\b{FOLLOWED}(?:s|es|ed|ing)? (?:\w+ ){{0,2}}{TASKED}\b"
    rf"|\A{TASKED}\b.{{0,3}}(?:fulfil|complet|follow|adher|success|accuracy|done)"
    rf"|\b(?:instruction|task|prompt)[- ](?:follow|fulfil|complet|adher)",
    re.IGNORECASE,
)
UNSEEN = (
    "truth truthfulness truthful true veracity factuality factual facts plagiarism authorship beauty aesthetics"
    " aesthetic elegance humour humor funniness irony sarcasm grammar spelling pronunciation"
)
"""Names of criteria that ask for what no rule here looks at."""


def of_criterion(subject: str, card: CriterionCard) -> NotAssessed | None:
    """Say why an offline evaluator does not judge a text by a criterion; nothing where it does."""
    return of_text(subject) or of_card(card)


@lru_cache(maxsize=64)
def of_text(subject: str) -> NotAssessed | None:
    """Say why a text is not read as prose; nothing where it is."""
    read = own_words(subject[:READ_LIMIT])
    share = code_share(read)
    if share > MOST_CODE:
        return NotAssessed(Unable.CODE, f"{share} % of it is code, and an offline evaluator reads prose.")
    return of_prose(read)


@lru_cache(maxsize=64)
def of_panel_subject(subject: str) -> NotAssessed | None:
    """Say why offline judges of a panel, who read code as well, do not read a subject; nothing where they do."""
    read = own_words(subject[:READ_LIMIT])
    lines = code_lines(read)
    return of_prose(without(read, lines), enough=True) if len(lines) >= LEAST_LINES else of_prose(read)


def of_prose(text: str, *, enough: bool = False) -> NotAssessed | None:
    """Say why prose is not read; nothing where it is.

    Shape: ``enough``: there is something else to judge by, however little prose there is.
    """
    language = foreign(text)
    if language:
        return NotAssessed(Unable.LANGUAGE, f"The offline judge reads English, and this text is in {language}.")
    few = None if enough else of_amount(text)
    if few is None and is_unlike_english(text, least=LIST_FROM if enough else SURE_FROM):
        why = "The offline judge reads English, and this text has hardly a word that English sentences are made of."
        return NotAssessed(Unable.LANGUAGE, why)
    return few


def of_amount(text: str) -> NotAssessed | None:
    words = {word.lower() for word in LATIN.findall(text)}
    if len(words) >= LEAST_WORDS:
        return None
    number = {0: "no word", 1: "a single word"}.get(len(words), f"{len(words)} different words")
    return NotAssessed(Unable.TOO_LITTLE, f"It has {number}; nothing is judged by fewer than {LEAST_WORDS}.")


def foreign(text: str) -> str:
    """Return the language or script that a text is in if that is known and not English, else nothing."""
    words = words_of(text)
    letters = sum(map(len, words))
    others = {script: len(pattern.findall(text)) for script, pattern in SCRIPTS.items()}
    if sum(others.values()) > letters:
        return script_of(others)
    shares = {language: sum(word in listed for word in words) for language, listed in everyday().items()}
    english = shares.pop("English")
    most = max(shares, key=lambda language: (shares[language], language))
    return most if shares[most] >= FOREIGN_LEAST and shares[most] > english else ""


def is_unlike_english(text: str, *, least: int) -> bool:
    """Tell whether a text of so many words has hardly any of those that no English sentence does without."""
    words = words_of(text)
    plain = sum(len(word) > 1 and word in lexicons.everyday() for word in words)
    return len(words) >= least and 100 * plain < ENGLISH_LEAST * len(words)


def words_of(text: str) -> list[str]:
    return [word.lower().replace("\u2019", "'") for word in LATIN.findall(text)]


def script_of(others: Mapping[str, int]) -> str:
    """Return the script with most letters; Japanese writes Chinese characters too."""
    most = max(others, key=others.__getitem__)
    return "Japanese" if most == "Chinese" and others["Japanese"] * 10 > others["Chinese"] else most


@cache
def everyday() -> Mapping[str, frozenset[str]]:
    """Return the words by which languages are told apart; English has none that is as common in another of them."""
    return {language: frozenset(words.split()) for language, words in lexicons.read("words")["languages"].items()}


def code_share(text: str) -> int:
    """Return how much of a text is code, per cent of what stands in its lines; a single line is taken for prose."""
    whole = sum(len(line.strip()) for line in text.splitlines())
    lines = code_lines(text)
    coded = sum(len(text[start:end].strip()) for start, end, _ in lines) if len(lines) >= LEAST_LINES else 0
    return 100 * coded // whole if whole else 0


def without(text: str, lines: Iterable[tuple[int, int, int]]) -> str:
    """Return a text with its lines of code left out."""
    kept, at = [], 0
    for start, end, _ in lines:
        kept.append(text[at:start])
        at = end
    return "\n".join([*kept, text[at:]])


@lru_cache(maxsize=512)
def of_card(card: CriterionCard) -> NotAssessed | None:
    """Say why a criterion is one that no rule looks for; nothing where there is one."""
    asked = f"{card.name}. {card.question}"
    words = f"{asked} {card.high} {card.low}"
    if not content_stems(words):
        why = "The criterion has no word that a text could be searched for."
        return NotAssessed(Unable.CRITERION, why)
    if foreign(words) or is_unlike_english(words, least=LIST_FROM):
        return NotAssessed(Unable.CRITERION, "The criterion is not worded in English, so nothing can be searched for.")
    if ASKS_FOR_A_TASK.search(card.name) or ASKS_FOR_A_TASK.search(card.question):
        return NotAssessed(Unable.TASK, f"{card.name} asks whether a task was done, and that must be understood.")
    named = {stem(word.lower()) for word in LATIN.findall(card.name)}
    if named & unseen():
        return NotAssessed(Unable.CRITERION, f"{card.name} is not something that shows in words and sentences.")
    return None


@cache
def unseen() -> frozenset[str]:
    return frozenset(stem(word) for word in UNSEEN.split())
