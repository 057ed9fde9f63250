"""What a motion is about, by its words: which things it names, what is to become of them, and for whom."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from judging.heuristics import lexicons
from judging.heuristics.text import lowered, squeezed, stem, tokens

LONGEST_THING = 6
"""Words of a thing at most; what is longer is a clause."""
OPENS = re.compile(
    r"^(?:motion|resolved)\s?[:,]?\s?|^this house (?:believes|thinks|holds|regrets) that |^this house |^that ",
    re.IGNORECASE,
)
MODAL = re.compile(
    r"\b(?:should|must|ought|shall|will|would|needs?|has|have|may|can)(?: to)?"
    r"(?P<denied> not| never| no longer)?(?: be)? ",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Topic:
    """What a motion touches: who uses it and for what, and who bears its burden and which."""

    users: str
    use: str
    bearers: str
    burden: str


@dataclass(frozen=True, slots=True)
class Motion:
    """A motion as its words tell it.

    Shape: ``things`` are its noun phrases in their order, at least one, and ``thing`` the one that it is about.
    ``restricts`` where there is to be less of that, which turns gains and burdens around.
    """

    things: tuple[str, ...]
    thing: str
    restricts: bool
    topic: Topic


@cache
def small(name: str) -> frozenset[str]:
    """Return the words that part things from each other (links), point at them, or want less of them."""
    return frozenset(lexicons.read("topics")["words"][name].split())


@lru_cache(maxsize=64)
def read(text: str) -> Motion:
    """Return what a motion is about."""
    plain = OPENS.sub("", OPENS.sub("", squeezed(text)[:2_000].strip("\u201c\u201d\"' .?!"))).strip(" .?!,:;")
    things = tuple(dict.fromkeys(phrases(plain))) or ("this matter",)
    modal = MODAL.search(plain)
    words = lowered(raw=tokens(plain))
    acts = lowered(raw=tokens(plain[modal.end() :]))[:1] if modal and modal.start() else words
    less = {stem(word) for word in small("restricting")}
    topic = lexicons.read("topics")["topics"][topic_of(words)]
    listed = {stem(word) for word in topic["words"].split()}
    thing = next((phrase for phrase in reversed(things[1:] or things) if listed & stems(phrase)), things[-1])
    return Motion(
        things=things,
        thing=thing,
        restricts=any(stem(word) in less for word in acts) is not bool(modal and modal["denied"]),
        topic=Topic(topic["users"], topic["use"], topic["bearers"], topic["burden"]),
    )


def topic_of(words: tuple[str, ...]) -> str:
    """Return the topic that most of the words belong to, the first of equals; "anything" where none does."""
    said = {stem(word) for word in words}
    topics = lexicons.read("topics")["topics"]
    counts = {key: len(said & {stem(word) for word in topic["words"].split()}) for key, topic in topics.items()}
    best = max(counts, key=lambda key: counts[key])
    return best if counts[best] else "anything"


def stems(thing: str) -> set[str]:
    return {stem(word) for word in lowered(raw=tokens(thing))}


def phrases(plain: str) -> Iterator[str]:
    """Yield the noun phrases of a motion: what stands between its verb, its small words and its stops."""
    modal = MODAL.search(plain)
    if modal is None:
        yield from chunks(plain)
        return
    yield from chunks(plain[: modal.start()])
    rest = (
        plain[modal.end() :].split(maxsplit=1) if modal.start() or plain[:1].islower() else ["", plain[modal.end() :]]
    )
    if len(rest) > 1:
        yield from chunks(let(rest[1]) if rest[0].lower() in small("letting") else rest[1])


def let(rest: str) -> str:
    """Return what follows who is let do what: "its trams" of "everybody ride its trams"."""
    words = rest.split()
    places = [at for at, word in enumerate(words) if word.lower() in small("pointers")]
    return " ".join(words[places[0] :]) if places else rest


def chunks(part: str) -> Iterator[str]:
    for piece in re.split(r"[,;:()\u2013\u2014]| - ", part):
        run: list[str] = []
        for word in [*piece.split(), "and"]:
            lower = word.lower()
            pointed = lower in small("pointers") and any(before.lower() not in small("pointers") for before in run)
            if lower in small("links") or pointed:
                yield from thing_of(run)
                run = []
            if lower not in small("links"):
                run.append(word)


def thing_of(run: list[str]) -> Iterator[str]:
    """Yield a run of words as a thing that can be named in any sentence: somebody's becomes the."""
    bare = [word for word in run if word.lower() not in small("pointers")]
    participle = len(bare) == 1 and (bare[0].endswith("ed") or bare[0].lower() in small("states"))
    number = all(word.lower() in small("numbers") or word.lower() in lexicons.small_numbers() for word in bare)
    if number or participle or len(bare) > LONGEST_THING or not any(len(word) > 2 for word in bare):
        return
    first = run[0].lower()
    owned = first in {"the", "its", "their", "his", "our", "her", "my", "your"}
    yield " ".join(["the", *bare] if owned else bare)
