"""What a motion is about, by its words: which things it names, what is to become of them, and for whom."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from judging.heuristics import lexicons
from judging.heuristics.text import lowered, squeezed, stem, tokens

LONGEST_THING = 6
"""Words of a thing at most; what is longer is a clause."""
MOST_THINGS = 12
LONGEST_TITLE = 4
"""Words of a motion without any verb that are taken for a thing, at its beginning."""
TITLED = 4
"""Words from which a motion may be a title, with capitals that say nothing."""
NOTHING = "this matter"
"""What a motion is about that names no thing."""
OPENS = re.compile(
    r"^(?:motion|resolved)\s?[:,]?\s?|^this house (?:believes|thinks|holds) that |"
    r"^this house (?:regrets|supports)(?: that)? |^this house |^that ",
    re.IGNORECASE,
)
MODAL = re.compile(
    r"\b(?:should|must|ought|shall|will|would|needs?|has|have|may|can)(?: to)?"
    r"(?P<denied> not| never| no longer)?(?: be)? ",
    re.IGNORECASE,
)
PART = re.compile(r"[,;:()\u2013\u2014?!\"\u201c\u201d]|[^\s,;:()\u2013\u2014?!\"\u201c\u201d]+")
MASS = ("ing", "tion", "sion", "ment", "ness", "ity", "ism", "ance", "ence", "ure")
"""Ends of words for what is not counted: "any advertising" and never "any advertisings"."""


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

    Shape: ``things`` are its noun phrases in their order, as they can be listed in a sentence, and ``thing`` the one
    that it is about, or words that stand for any. ``restricts`` where there is to be less of that, which turns gains
    and burdens around.
    """

    things: tuple[str, ...]
    thing: str
    restricts: bool
    topic: Topic


@cache
def small(name: str) -> frozenset[str]:
    """Return the words that part things from each other, point at them, or want less of them."""
    return frozenset(lexicons.read("words")["topics"]["words"][name].split())


@lru_cache(maxsize=64)
def read(text: str) -> Motion:
    plain = OPENS.sub("", OPENS.sub("", squeezed(text)[:2_000].strip("\u201c\u201d\"' .?!"))).strip(" .?!,:;")
    things = list(phrases(plain))
    modal = MODAL.search(plain)
    less = {stem(word) for word in small("restricting")}
    words = lowered(raw=tokens(plain))
    acts = lowered(raw=tokens(plain[modal.end() :]))[:1] if modal and modal.start() else words
    topic = lexicons.read("words")["topics"]["topics"][topic_of(words)]
    return Motion(
        things=tuple(thing.text for thing in things),
        thing=foremost(things, {stem(word) for word in topic["words"].split()}),
        restricts=any(stem(word) in less for word in acts) is not bool(modal and modal["denied"]),
        topic=Topic(topic["users"], topic["use"], topic["bearers"], topic["burden"]),
    )


def topic_of(words: tuple[str, ...]) -> str:
    """Return the topic that most of the words belong to, the first of equals; "anything" where none does."""
    said = {stem(word) for word in words}
    topics = lexicons.read("words")["topics"]["topics"]
    counts = {key: len(said & {stem(word) for word in topic["words"].split()}) for key, topic in topics.items()}
    best = max(counts, key=lambda key: counts[key])
    return best if counts[best] else "anything"


# The noun phrases of a motion, as somebody can name them: no verb, no beginning of a clause, nothing twice.


@dataclass(frozen=True, slots=True)
class Thing:
    """A noun phrase, and what it is to the verb of its clause: "subject", "object" or something beside it."""

    text: str
    place: str
    main: bool

    @property
    def stems(self) -> frozenset[str]:
        return frozenset(stem(word) for word in lowered(raw=tokens(self.text)) if word not in small("determiners"))


def foremost(things: Sequence[Thing], listed: set[str]) -> str:
    """Return what a motion is about: of its things the last but the first that belongs to its topic, else what is to
    be done something about; what a "because" or "so that" adds comes last.
    """
    main = [thing for thing in things if thing.main] or list(things)
    topical = [thing for thing in (*reversed(main[1:]), *main[:1]) if listed & thing.stems]
    acted_on = [thing for thing in reversed(main) if thing.place in {"object", "subject"}]
    return next((thing.text for thing in (*topical, *acted_on, *reversed(main))), NOTHING)


def phrases(plain: str) -> Iterator[Thing]:
    """Yield the things that a motion names, in their order, each once: of two that say the same the longer."""
    every = list(dict.fromkeys(MotionReader(plain).read()))[:MOST_THINGS]
    stems = [thing.stems for thing in every]
    for at, thing in enumerate(every):
        if not any(stems[at] < other or (stems[at] == other and place < at) for place, other in enumerate(stems)):
            yield thing


class MotionReader:
    """Reads the words of a motion one after the other, and what each can be after those before it.

    English says by place what is a noun: after an article or a preposition, before the verb of a clause, after it. What
    stands where a verb may stand is taken for one; a clause in which no verb is known names nothing by its place.
    """

    def __init__(self, plain: str) -> None:
        self.words = [word.strip("'.") or word for word in PART.findall(plain)]
        raised = [word for word in self.words if word[:1].isupper() and word.lower() not in small("names")]
        long = [word for word in self.words if len(word) > 3]
        self.titled = len(self.words) >= TITLED and len([word for word in long if word in raised]) * 3 > len(long) * 2
        self.verbs = self.verbs_behind("being", "helping", "verbs", of_clause=True)
        self.helpers = self.verbs_behind("helping", of_clause=False)
        self.place = "subject"
        self.main = True
        self.run: list[str] = []
        self.things: list[Thing] = []
        self.at = 0
        self.before = ""

    def read(self) -> list[Thing]:
        if self.is_order():
            self.place = "verb"
        for word in self.words:
            self.take(word, word.lower())
            self.before = word.lower()
            self.at += 1
        self.end()
        return self.things

    def is_order(self) -> bool:
        """Tell whether a motion begins with its verb: "Ban fireworks in towns"."""
        lower = [word.lower() for word in self.words]
        first = lower[0] if lower else ""
        after = lower[1] if len(lower) > 1 else ""
        listed = first in small("verbs") | small("either") | small("letting") | small("restricting")
        return (
            listed
            and bool(after)
            and not self.ends(after)
            and not self.verbs_behind("being", "helping", of_clause=True)[1]
        )

    def ends(self, lower: str) -> bool:
        """Tell whether a word ends a noun phrase, whatever stands behind it."""
        return not lower[:1].isalnum() or any(
            lower in small(name) for name in ("prepositions", "openers", "joiners", "being", "helping", "aside")
        )

    def has_verb(self, begin: int) -> bool:
        """Tell whether a verb is known from some word on, up to where the next clause begins."""
        return self.verbs[min(begin, len(self.words))]

    def verbs_behind(self, *names: str, of_clause: bool) -> list[bool]:
        """Return for each word, and the end, whether one of some verbs comes from it on, at most in its clause."""
        behind = [False]
        for word in reversed(self.words):
            lower = word.lower()
            is_one = any(lower in small(name) for name in names)
            is_one = is_one or ("verbs" in names and is_third_person(lower, "verbs"))
            ends = of_clause and (lower in small("openers") or not lower[:1].isalnum())
            behind.append(is_one or (behind[-1] and not ends))
        return behind[::-1]

    def take(self, word: str, lower: str) -> None:
        """Take the next word: one that parts or points, a verb by its place, or part of a noun phrase."""
        content = [part for part in self.run if part.lower() not in small("determiners")]
        if lower == "of" and content and self.place in {"subject", "object", "place", "clause"}:
            self.run.append(word)
        elif lower in small("determiners") and not self.opens(lower):
            self.point(word, content)
        elif self.ends(lower):
            self.end()
            self.part(lower)
        elif self.place == "verb" and not (is_plural(lower) and self.before in small("having")):
            self.act(lower)
        elif self.is_verb(lower, content):
            self.end()
            self.act(lower)
        elif content and is_plural(content[-1].lower()) and self.before != "of":
            self.end()
            self.place = "object" if self.place in {"subject", "clause", "let"} else "nothing"
        else:
            self.run.append(word)

    def opens(self, lower: str) -> bool:
        """Tell whether a clause begins here; behind a preposition "that" points at something."""
        return lower in small("openers") and not (lower == "that" and self.before in small("prepositions"))

    def part(self, lower: str) -> None:
        """Go on behind a stop or a small word, after which something else stands."""
        if not lower[:1].isalnum():
            self.place = self.place if lower == "," else "subject"
            self.main = self.main or lower in {";", "."}
        elif self.opens(lower):
            self.open(lower)
        elif lower in small("prepositions"):
            acts = lower == "to" and (self.place == "verb" or self.is_action())
            self.place = "verb" if acts else "place"
        elif lower in small("being"):
            self.place = "complement"
        elif lower in small("helping"):
            self.place = "verb" if self.at else "subject"
        elif lower in small("somebody") or (lower in small("aside") and self.place == "let"):
            self.place = "verb"

    def open(self, lower: str) -> None:
        """Begin a clause beside the main one; what tells of the word before, as "who" does, goes on with its verb."""
        self.main = False
        after = self.words[self.at + 1].lower() if self.at + 1 < len(self.words) else ""
        if lower in {"who", "which", "that"} and self.before not in {"so", ""} and after not in small("determiners"):
            self.place = "verb"
        else:
            self.place = "clause" if self.has_verb(self.at + 2) else "nothing"

    def point(self, word: str, content: list[str]) -> None:
        """Take a word that points at what comes: with it another thing begins."""
        if content and self.before != "of":
            self.end()
        if self.place in {"verb", "nothing"}:
            self.place = "object"
        self.run.append(word)

    def act(self, lower: str) -> None:
        """Take a verb."""
        self.place = "complement" if lower in small("going") else "let" if lower in small("letting") else "object"

    def is_action(self) -> bool:
        """Tell whether "to" goes on with a verb: a known one, or any that has an object with an article."""
        after = [word.lower() for word in self.words[self.at + 1 : self.at + 3]]
        if not after or after[0] in small("determiners"):
            return False
        named = after[0] in small("verbs") | small("being") | small("helping") | small("aside") | small("letting")
        return named or after[0] in small("either") or (len(after) > 1 and after[1] in small("determiners"))

    def is_verb(self, lower: str, content: list[str]) -> bool:
        if self.run and not content:
            return False
        behind = self.words[self.at + 1].lower() if self.at + 1 < len(self.words) else ""
        goes_on = bool(behind) and not self.ends(behind)
        if lower in small("verbs"):
            return True
        if content and lower in small("either") and is_plural(content[-1].lower()):
            return True
        if goes_on and self.before in small("joiners") and lower in small("either") | small("restricting"):
            return behind in small("determiners")
        first = not self.at and goes_on
        if not content and not first:
            return False
        return is_third_person(lower, "verbs") or (goes_on and is_third_person(lower, "either"))

    def end(self) -> None:
        """End a noun phrase, and keep it if it is one."""
        run, self.run = self.run, []
        if not run or not self.is_named(run):
            return
        parts = " ".join(run).split(" of ")
        named = [named_as(part.split(), self.plain) for part in parts]
        text = named[0] if len(named) == 1 or not all(named[:2]) else f"{named[0]} of {named[1]}"
        if text and len(text.split()) <= LONGEST_THING + 1:
            self.things.append(Thing(text, self.place, self.main))

    def is_named(self, run: list[str]) -> bool:
        """Tell whether what stands here is a noun phrase, by its place."""
        content = [word for word in run if word.lower() not in small("determiners")]
        if not content:
            return False
        if self.place == "subject":
            known = self.has_verb(self.at) or self.helpers[self.at]
            single = len(content) == 1 or not is_plural(content[-1].lower()) or self.ends(self.next_word)
            return known or (len(run) <= LONGEST_TITLE and single and not self.things)
        if self.place == "let":
            return len(content) == 1 or is_plural(content[-1].lower()) or not self.next_word
        alone = len(run) == 1 and self.place == "place" and not is_plural(run[0].lower()) and run[0].islower()
        pointing = self.words[self.at - 2].lower() if alone else ""
        if pointing in {"at", "by", "from", "in", "on", "per"}:
            return pointing != "per" and stem(run[0]) in topic_stems()
        return self.place not in {"verb", "complement", "nothing"}

    @property
    def next_word(self) -> str:
        return self.words[self.at].lower() if self.at < len(self.words) else ""

    def plain(self, word: str) -> str:
        """Return a word as it stands inside a sentence: only a name keeps its capital. Nothing for what may be one, and
        may be none.
        """
        lower = word.lower()
        if lower in small("names") or not word[:1].isupper():
            return word.capitalize() if lower in small("names") and word.islower() else word
        if word.isupper() and len(word) > 1 and not all(other.isupper() for other in self.words):
            return word
        if self.titled or all(other.isupper() for other in self.words if len(other) > 1):
            return lower
        if word != self.words[0]:
            return word
        listed = lower in small("states") | small("restricting") | lexicons.everyday() or stem(lower) in topic_stems()
        common = listed or lower.endswith(MASS) or is_plural(lower) or "-" in word or lower in self.words
        return lower if common or (self.words[1:2] and not self.ends(self.words[1].lower())) else ""


@cache
def topic_stems() -> frozenset[str]:
    topics = lexicons.read("words")["topics"]["topics"].values()
    return frozenset(stem(word) for topic in topics for word in topic["words"].split())


def is_plural(lower: str) -> bool:
    if lower in small("people"):
        return True
    plain = lower.endswith("s") and not lower.endswith(("ss", "us", "is", "'s")) and len(lower) > 2
    return plain and lower not in small("plurals")


def is_third_person(lower: str, name: str) -> bool:
    """Tell whether a word is one of some verbs as it stands with "he", "she" or "it"."""
    bases = (lower[:-1], lower[:-2] if lower.endswith("es") else "", f"{lower[:-3]}y" if lower.endswith("ies") else "")
    return lower.endswith("s") and any(base in small(name) for base in bases)


def named_as(run: list[str], plain: Callable[[str], str]) -> str:
    """Return a noun phrase as it can be named in any sentence, or nothing: somebody's becomes the, each becomes all."""
    pointing = [word.lower() for word in run if word.lower() in small("determiners")]
    bare = [word for word in run if word.lower() not in small("determiners")]
    while bare and is_said_of(bare[-1].lower()) and not (len(bare) == 1 and pointing):
        bare.pop()
    lower = [word.lower() for word in bare]
    number = all(word in small("numbers") or word in lexicons.small_numbers() or word[0].isdigit() for word in lower)
    if number or len(bare) > LONGEST_THING or not any(len(word) > 2 or word.isupper() for word in bare):
        return ""
    words = [plain(word) for word in bare]
    if not all(words):
        return ""
    first = pointing[0] if pointing else ""
    if first in small("owning"):
        return " ".join(["the", *words])
    if first in {"a", "an"}:
        return "" if is_plural(lower[-1]) else " ".join([first, *words])
    if first in {"every", "each"}:
        return "" if is_plural(lower[-1]) else " ".join([*words[:-1], plural(words[-1])])
    uncounted = first in {"", "all", "more", "less", "much", "enough", "most", "both"}
    return " ".join(words) if uncounted or is_plural(lower[-1]) or lower[-1].endswith(MASS) else ""


def is_said_of(lower: str) -> bool:
    """Tell whether a word at the end of a noun phrase says something of it: "illegal", "owned", "quickly"."""
    participle = lower.endswith("ed") and not lower.endswith("eed") and len(lower) > LONGEST_TITLE
    return participle or lower in small("states") or (lower.endswith("ly") and lower not in small("plurals"))


def plural(word: str) -> str:
    lower = word.lower()
    irregular = {"man": "men", "woman": "women", "child": "children", "person": "people"}
    if lower in irregular:
        return irregular[lower]
    if is_plural(lower):
        return word
    if lower.endswith("y") and lower[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}es" if lower.endswith(("s", "x", "z", "ch", "sh")) else f"{word}s"
