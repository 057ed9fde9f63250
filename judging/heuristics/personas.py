"""Personas of the red team: what each of them looks for in a passage, and what it then asks for."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from judging.heuristics import exchanges, lexicons
from judging.heuristics.criteria import Bearing
from judging.heuristics.evidence import Passage, negated, place
from judging.heuristics.exchanges import Demand
from judging.heuristics.text import content_stems
from judging.types import CriterionCard, Exchange

DEFAULT = "skeptic"
FEW = 12
"""What anybody can count."""
FEWEST = 2
"""Words that carry meaning by which a claim can be told."""


@dataclass(frozen=True, slots=True)
class Persona:
    """``asks``: what this persona wants to see, most wanted first. ``looks``: the weaknesses it has an eye for."""

    name: str
    asks: tuple[str, ...]
    looks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Flaw:
    """A weakness of one passage: how grave in points, the words in which it shows, and the kinds of evidence any of
    which would mend it, the best first; ``open`` where it depends on the criterion which is the best.
    """

    points: int
    words: str
    kinds: tuple[str, ...]
    open: bool = False


@cache
def persona(name: str) -> Persona:
    """Return a persona; one that nobody here has met looks as the skeptic does."""
    known = lexicons.read("phrases")["personas"]
    habits = known.get(name, known[DEFAULT])
    return Persona(name=name, asks=tuple(habits["asks"]), looks=tuple(habits["looks"]))


def asked(exchange: Exchange, card: CriterionCard) -> Demand:
    """Return what the latest challenge asks for."""
    return exchanges.demands(exchange, card, otherwise=persona(exchange.persona).asks[:3])[-1]


def flaw(look: str, bearing: Bearing) -> Flaw | None:
    """Return the weakness of that kind in a passage, if it has it; "We asked." says too little to have any."""
    if len(content_stems(bearing.passage.sentence.text)) < FEWEST:
        return None
    return LOOKS[look](bearing)


@lru_cache(maxsize=4_096)
def needs(passage: Passage) -> Mapping[str, str]:
    """Return the kinds of evidence that what a passage claims is in need of, each with the words that call for it: who
    says "cheaper" can be asked by how much, and who says "the town" cannot be asked when.
    """
    words = [word for at, word in enumerate(passage.sentence.words) if not negated(passage.sentence.words, at)]
    calls = {kind: next((word for word in words if word in calling), "") for kind, calling in due()}
    return {kind: named_by(passage, word) for kind, word in calls.items() if word}


@cache
def due() -> tuple[tuple[str, frozenset[str]], ...]:
    """Return for each kind of evidence the words that call for it."""
    return tuple((kind, frozenset(words.split())) for kind, words in lexicons.read("words")["needs"].items())


def named_by(passage: Passage, word: str) -> str:
    """Return the words by which a claim is named: those around a word, or the beginning where they are too few."""
    text = exchanges.claim(passage, word)
    return text if len(content_stems(text)) >= FEWEST or len(text.split()) > FEWEST else exchanges.opening(passage)


def cue(bearing: Bearing, words: tuple[str, ...], points: int, kinds: str) -> Flaw | None:
    """Return a flaw that shows in some words, the first of which it names as they stand."""
    if not words:
        return None
    return Flaw(points=points, words=named_by(bearing.passage, words[0]), kinds=tuple(kinds.split()))


@cache
def phrase_words(key: str) -> frozenset[str]:
    return frozenset(lexicons.read("phrases")[key].split())


def own(bearing: Bearing, words: tuple[str, ...]) -> tuple[str, ...]:
    """Return those of some words that the text says itself: not what it reports somebody else to have said."""
    spoken = bearing.passage.sentence.words
    said = lexicons.read("phrases")["reported"].split()
    ours = lexicons.read("phrases")["ours"].split()
    reports = [
        at
        for at, word in enumerate(spoken)
        if word in said and "that" in spoken[at + 1 : at + 4] and not set(ours) & set(spoken[max(0, at - 2) : at])
    ]
    first = min(reports, default=len(spoken))
    return tuple(word for word in words if word != "of course" and place(spoken, tuple(word.split())) < first)


def figure(bearing: Bearing, points: int, kinds: str) -> Flaw | None:
    """Return a flaw of a figure that counts something, which names it."""
    text = exchanges.figure_text(bearing.passage, *exchanges.COUNTED)
    return Flaw(points=points, words=text, kinds=tuple(kinds.split())) if text else None


def whole(bearing: Bearing, points: int, kinds: str) -> Flaw | None:
    """Return a flaw of all of a passage, as far as it claims something for which evidence of these kinds is due."""
    due = tuple(kind for kind in kinds.split() if kind in needs(bearing.passage))
    return Flaw(points=points, words="", kinds=due, open=True) if due else None


def denied(bearing: Bearing) -> Flaw | None:
    missing = bearing.passage.signs.denied
    if not missing:
        return None
    kinds = "date condition" if phrase_words("strong").isdisjoint(missing) else "count date condition"
    return Flaw(points=50, words=exchanges.opening(bearing.passage), kinds=tuple(kinds.split()))


def hollow(bearing: Bearing) -> Flaw | None:
    named = tuple(word for word in bearing.passage.signs.hollow if word in phrase_words("strong"))
    return cue(bearing, named, 55, "count date name")


def loud(bearing: Bearing) -> Flaw | None:
    signs = bearing.passage.signs
    if signs.grounded or signs.limits:
        return None
    if signs.puffery:
        return cue(bearing, signs.puffery, 60, "source count comparison reason")
    return cue(bearing, own(bearing, signs.absolutes), 60, "source reason condition")


def bare(bearing: Bearing) -> Flaw | None:
    return None if bearing.passage.signs.grounded else whole(bearing, 35, "source count money date time name")


def unsourced(bearing: Bearing) -> Flaw | None:
    """A figure that somebody must have found out: what anybody can count on their fingers nobody has to, and what the
    authors set themselves, a price or what they need, is theirs to say.
    """
    words = bearing.passage.sentence.words
    own = words[0] == "at" or not phrase_words("declared").isdisjoint(words)
    flaw = None if own or bearing.passage.signs.sources else figure(bearing, 6, "source")
    number = flaw.words.split()[0].lower() if flaw else ""
    few = number in lexicons.small_numbers() or (number.isdigit() and int(number[:4]) <= FEW)
    return None if few else flaw


def gap(bearing: Bearing) -> Flaw | None:
    signs = bearing.passage.signs
    if signs.mitigations or signs.conditions or signs.kinds:
        return None
    words = bearing.passage.sentence.words
    feared = exchanges.hedges(bearing.passage) if not phrase_words("spoiled").isdisjoint(words) else ()
    stated = signs.limits + bearing.bad
    kinds = "date condition" if stated and not phrase_words("pending").isdisjoint(words) else "condition"
    return cue(bearing, stated + feared, 45, kinds)


WHEN = frozenset(["soon", "quickly", "eventually", "sometime", "later", "usually", "often"])


def vague(bearing: Bearing) -> Flaw | None:
    signs = bearing.passage.signs
    sizes = phrase_words("sizes")
    words = tuple(word for word in signs.vague if word not in sizes and f"{word}-" not in bearing.passage.line.lower())
    timely = bool(words) and words[0] in WHEN
    if signs.grounded:
        return None
    points = 38 + 4 * len(words[:3])
    return cue(bearing, words, points, "date time" if timely else "count share")


def hedged(bearing: Bearing) -> Flaw | None:
    """What may go wrong is named by way of caution: of that nobody has to say where it is known from."""
    signs = bearing.passage.signs
    if not phrase_words("spoiled").isdisjoint(bearing.passage.sentence.words):
        return None
    return cue(bearing, exchanges.hedges(bearing.passage), 15 if signs.grounded else 40, "source reason")


def promised(bearing: Bearing) -> Flaw | None:
    words = bearing.passage.sentence.words
    if bearing.passage.signs.kinds or {"will", "shall", "going"}.isdisjoint(words):
        return None
    return whole(bearing, 34, "date money time name")


def assumed(bearing: Bearing) -> Flaw | None:
    signs = bearing.passage.signs
    return (
        None if signs.reasons or signs.grounded else cue(bearing, own(bearing, signs.assumptions), 42, "reason source")
    )


def unreasoned(bearing: Bearing) -> Flaw | None:
    signs = bearing.passage.signs
    return whole(bearing, 32, "reason") if claims(bearing) and not (signs.grounded or signs.reasons) else None


def claims(bearing: Bearing) -> bool:
    """Tell whether a passage says more than what is the case: nobody has to give a reason for a fact."""
    signs = bearing.passage.signs
    said = own(bearing, (*(word for word in signs.assumptions if word != "so"), *signs.absolutes))
    return bool(said or signs.puffery)


def exposed(bearing: Bearing) -> Flaw | None:
    return cue(bearing, bearing.bad, 40, "reason comparison")


def uncompared(bearing: Bearing) -> Flaw | None:
    signs = bearing.passage.signs
    if signs.comparisons or "share" in signs.kinds or not (signs.kinds or claims(bearing)):
        return None
    return figure(bearing, 10, "comparison") or whole(bearing, 26, "comparison")


def single(bearing: Bearing) -> Flaw | None:
    return figure(bearing, 20, "share comparison") if len(bearing.passage.signs.kinds) == 1 else None


def one_reading(bearing: Bearing) -> Flaw | None:
    signs = bearing.passage.signs
    if signs.conditions or signs.comparisons:
        return None
    return whole(bearing, 14 if signs.grounded else 28, "comparison reason condition")


def absolute(bearing: Bearing) -> Flaw | None:
    signs = bearing.passage.signs
    return cue(bearing, own(bearing, signs.absolutes), 25 if signs.grounded else 55, "condition share")


def happy_path(bearing: Bearing) -> Flaw | None:
    signs = bearing.passage.signs
    return None if signs.conditions else whole(bearing, 13 if signs.grounded else 30, "condition")


LOOKS: Mapping[str, Callable[[Bearing], Flaw | None]] = {
    "denied": denied,
    "hollow": hollow,
    "loud": loud,
    "bare": bare,
    "unsourced": unsourced,
    "gap": gap,
    "vague": vague,
    "hedged": hedged,
    "promised": promised,
    "assumed": assumed,
    "unreasoned": unreasoned,
    "exposed": exposed,
    "uncompared": uncompared,
    "single": single,
    "one_reading": one_reading,
    "absolute": absolute,
    "happy_path": happy_path,
}
