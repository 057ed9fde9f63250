"""The packaged word lists: criteria, motions, phrases, topics, languages, code and cues. Read once, never written."""

import json
from functools import cache
from importlib import resources
from typing import Any


@cache
def read(name: str) -> Any:
    """Return one packaged JSON document. Callers treat it as read-only."""
    packaged = resources.files("judging.heuristics").joinpath("data", f"{name}.json")
    return json.loads(packaged.read_text(encoding="utf-8"))


@cache
def words(cue: str) -> frozenset[str]:
    """Return a list of single words from the cues, for membership tests only."""
    return frozenset(str(read("words")["cues"][cue]).split())


@cache
def phrases(cue: str) -> tuple[tuple[str, ...], ...]:
    """Return a list of cue phrases in file order, each as its lower-case words."""
    return tuple(tuple(phrase.replace("-", " ").split()) for phrase in read("words")["cues"][cue])


@cache
def starts(cue: str) -> frozenset[str]:
    """Return the first words of a list of cue phrases: a sentence without any of them has no such phrase."""
    return frozenset(phrase[0] for phrase in phrases(cue))


@cache
def units() -> dict[str, str]:
    """Return the kind of quantity that each unit word stands for."""
    return {unit: kind for kind, listed in read("words")["cues"]["units"].items() for unit in listed.split()}


@cache
def small_numbers() -> dict[str, int]:
    """Return the numbers that English spells out, from two to ninety."""
    return dict(read("words")["cues"]["small_numbers"])


@cache
def everyday() -> frozenset[str]:
    """Return the words that carry no meaning of their own."""
    return frozenset(str(read("words")["cues"]["everyday"]).split())


@cache
def cue_words() -> frozenset[str]:
    """Return every word of every cue that is not about a matter: all lists but the families of such words."""
    lists = [listed for cue, listed in read("words")["cues"].items() if cue != "families"]
    return frozenset(word for listed in lists for word in plain(listed).replace("-", " ").split())


def plain(listed: Any) -> str:
    """Return a list of cues as its words: a string, a list of phrases, or either by kind."""
    if isinstance(listed, dict):
        return " ".join(value if isinstance(value, str) else key for key, value in listed.items())
    return listed if isinstance(listed, str) else " ".join(listed)
