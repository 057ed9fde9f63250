"""The sentences the judge speaks in: templates from the packaged phrases, filled with what was found."""

import zlib
from collections.abc import Sequence
from string import Template

from judging.heuristics import criteria, exchanges, lexicons
from judging.heuristics.evidence import Passage, Signs
from judging.heuristics.exchanges import Demand
from judging.heuristics.text import cut, squeezed
from judging.types import CriterionCard


def variants(key: str) -> tuple[str, ...]:
    """Return the templates of a key; a key is ``group.name``."""
    group, name = key.split(".", 1)
    listed = lexicons.read("phrases")[group][name]
    return (listed,) if isinstance(listed, str) else tuple(listed)


def filled(key: str, **values: str) -> str:
    """Return the one template of a key with its values put in."""
    [template] = variants(key)
    return Template(template).substitute(values)


def turned(key: str, *, seed: str, turn: int, **values: str) -> str:
    """Return a filled template of a key: the one after the one that the turn before has."""
    choices = variants(key)
    return Template(choices[(zlib.crc32(seed.encode("utf-8", "replace")) + turn) % len(choices)]).substitute(values)


def fresh(keys: Sequence[str], *, said: Sequence[str], seed: str = "", **values: str) -> str:
    """Return a filled template that was not said before, word for word, turning to the next with every word said."""
    spoken = [squeezed(words) for words in said]
    last = ""
    for key in keys:
        choices = variants(key)
        begin = zlib.crc32(seed.encode("utf-8", "replace")) + len(said) // 2
        for turn in range(len(choices)):
            last = Template(choices[(begin + turn) % len(choices)]).substitute(values)
            if squeezed(last) not in spoken:
                return last
    asked = 2
    while squeezed(again := f"{last} (Said {asked} times.)") in spoken:
        asked += 1
    return again


def named(card: CriterionCard) -> str:
    return f"\u201c{cut(squeezed(card.name), limit=80)}\u201d" if card.name.strip() else "this criterion"


def want(kind: str) -> str:
    return str(lexicons.read("phrases")["wants"][kind])


def wants(kinds: Sequence[str], *, any_of: bool = False) -> str:
    """Return "a source and a date", or "a source or a date" where any of them is enough."""
    named_kinds = [want(kind) for kind in kinds]
    return " or ".join(named_kinds) if any_of else listed(named_kinds)


def evidence(kind: str, brought: Sequence[Passage]) -> str:
    """Return what the first of some passages has of a kind, with its words: a source ("survey")."""
    words = next((exchanges.evidence_of(passage, kind) for passage in brought if exchanges.has(passage, kind)), "")
    return f"{want(kind)} (\u201c{words}\u201d)" if words else want(kind)


def counted(number: int, noun: str) -> str:
    """Return "one passage", "3 passages"."""
    return f"one {noun}" if number == 1 else f"{number} {noun}s"


def looked_for(subject: str, card: CriterionCard) -> str:
    """Say what was looked for on a criterion of which no passage speaks, and by which words."""
    words = listed([f"\u201c{word}\u201d" for word in criteria.looked_for(subject, card)])
    missing = criteria.lookout(card).missing
    return f"{missing}, by words such as {words}," if words else missing


def falls_short(passage: Passage, asked: Demand, card: CriterionCard) -> str:
    """Say what the passage that comes nearest to what a criterion asks has of it, and what it lacks."""
    met = [kind for kind in asked.kinds if exchanges.has(passage, kind)]
    return filled(
        "short.near" if exchanges.weights_in(passage.sentence.text, card) else "short.apart",
        met=listed([evidence(kind, (passage,)) for kind in met[:2]]) or wants(asked.kinds, any_of=True),
        missing=criteria.lookout(card).missing,
    )


def tied(passage: Passage, attacked: Passage | None, asked: Demand, card: CriterionCard) -> str:
    """Say by what a passage speaks of what was asked about: no ruling claims more than that."""
    about = "words" if attacked and asked.about else "criterion"
    words = exchanges.ties(passage, attacked, asked, card)[:2]
    if words:
        return filled(f"tied.{about}", words=listed([f"\u201c{word}\u201d" for word in words]))
    personal = about == "criterion" and criteria.lookout(card).personal
    return filled("tied.people" if personal else f"tied.beside_{about}")


def listed(items: Sequence[str]) -> str:
    """Return "a", "a and b", "a, b and c"."""
    unique = list(dict.fromkeys(items))
    if len(unique) < 2:
        return "".join(unique)
    return f"{', '.join(unique[:-1])} and {unique[-1]}"


def brought(signs: Signs) -> str:
    """Say what a passage brings, in a list of short nouns."""
    parts = []
    if signs.kinds:
        parts.append(counted(len(signs.kinds), "figure"))
    if signs.sources:
        parts.append(f"an origin (\u201c{signs.sources[0]}\u201d)")
    if signs.names:
        parts.append(f"a name (\u201c{cut(signs.names[0], limit=40)}\u201d)")
    if signs.reasons:
        parts.append("a reason")
    if signs.conditions:
        parts.append("a condition")
    return listed(parts) or "words without a figure, a source or a name"


def snippet(text: str, *, limit: int = 90) -> str:
    """Return the beginning of a passage on one line, for mention inside a sentence."""
    line = squeezed(text)
    short = cut(line, limit=limit)
    return short if short == line else f"{short} \u2026"
