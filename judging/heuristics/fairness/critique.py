"""Self-critique: does the speaker name a limit of its own position, in its own voice, and let it stand?"""

from __future__ import annotations

from dataclasses import dataclass

from judging.heuristics.evidence import negated
from judging.heuristics.fairness import cues
from judging.heuristics.fairness.claims import content
from judging.heuristics.fairness.clauses import Clause, Holder, within
from judging.heuristics.fairness.hearing import Hearing
from judging.heuristics.fairness.marks import Mark, distinct, points
from judging.heuristics.text import lowered, tokens

SUBSTANCE = 3
"""Words of weight that a limit must be named with to be more than a phrase."""
DECLARED = 2
"""Words of weight shared with a declared blind spot that make a limit that one."""
ADMITTING = frozenset(
    {"admit", "concede", "acknowledge", "accept", "grant", "believe", "think", "agree", "see", "find"}
)
DENYING = frozenset(["deny", "denies", "dispute"])
REFERRING = frozenset(["it", "this", "that", "there", "and", "when", "here"])


@dataclass(frozen=True, slots=True)
class Admission:
    """A limit that somebody named of their own position."""

    clause: Clause
    substantial: bool
    cancelled: bool
    declared: bool
    plainly: bool


def self_critique(heard: Hearing) -> Mark:
    """Mark what the speaker admits.

    Source: docs/explanation/heuristic-chairs.md
    """
    found = admissions(heard)
    quotes = distinct([heard.line(one.clause) for one in sorted(found, key=lambda one: one.cancelled)])
    if not found:
        hearsay = any(one.holder is Holder.BYSTANDER for one in heard.own_words)
        told = "Lets critics speak, but admits nothing itself." if hearsay else "Admits no limit of its own position."
        return Mark(5 if hearsay else 2, told)
    return Mark(marked(found), told_of(found), quotes, attempted=True)


def admissions(heard: Hearing) -> list[Admission]:
    found: list[Admission] = []
    before: Clause | None = None
    for at, one in enumerate(heard.own_words):
        goes_on = before is not None and one.sentence - before.sentence <= 1
        if admits(one, heard, goes_on=goes_on):
            found.append(admission(one, heard.own_words[at + 1 : at + 4], heard))
            before = one
    return found


def admits(one: Clause, heard: Hearing, *, goes_on: bool) -> bool:
    """Tell whether a clause names a failing of the speaker's own position; ``goes_on`` where one was just named."""
    if one.holder is not Holder.SPEAKER or refuses(one):
        return False
    if not cues.meant(one.words, "failings"):
        return bool(cues.meant(one.words, "admits")) and shared(one, heard) >= DECLARED
    return names_self(one, heard) or (goes_on and one.words[0] in REFERRING)


def refuses(one: Clause) -> bool:
    """Tell whether a clause says that nothing is admitted."""
    return any(word in DENYING or (word in ADMITTING and negated(one.words, at)) for at, word in enumerate(one.words))


def shared(one: Clause, heard: Hearing) -> int:
    """Return how many words of weight a clause shares with one blind spot of the speaker's framework, at most."""
    spots = heard.framework.blind_spots if heard.framework else ()
    return max((len(content(lowered(raw=tokens(spot))) & one.content) for spot in spots), default=0)


def names_self(one: Clause, heard: Hearing) -> bool:
    own = heard.framework
    name = lowered(raw=tokens(own.name)) if own else ()
    return any(cues.hits(one.words, "selves")) or (bool(name) and within(one.words, name))


def admission(one: Clause, following: tuple[Clause, ...], heard: Hearing) -> Admission:
    spent = {word for hit in cues.hits(one.words, "failings") for word in hit.phrase}
    near = (one, *(later for later in following if later.sentence - one.sentence <= 1))
    weighty = content(word for word in one.words if word not in spent)
    last = one.sentence + int(any(cues.hits(one.words, "announces")))
    more = [later for later in following if later.sentence <= last and not later.turned]
    substance = weighty.union(*(later.content for later in more))
    return Admission(
        clause=one,
        substantial=len(substance) >= SUBSTANCE,
        cancelled=any(any(cues.hits(later.words, "cancels")) for later in near),
        declared=shared(one, heard) >= DECLARED,
        plainly=any(cues.meant(one.words, "admits")),
    )


def marked(found: list[Admission]) -> int:
    standing = [one for one in found if not one.cancelled]
    solid = [one for one in standing if one.substantial or one.declared]
    if not solid:
        return 9 if standing else 8
    bonus = (4 if any(one.declared for one in solid) else 0) + (2 if any(one.plainly for one in solid) else 0)
    taken = 3 if len(standing) < len(found) else 0
    return points((16 if len(solid) == 1 else 19) + bonus - taken)


def told_of(found: list[Admission]) -> str:
    standing = [one for one in found if not one.cancelled]
    solid = [one for one in standing if one.substantial or one.declared]
    if not standing:
        return "Names a limit and takes it back in the same breath."
    if not solid:
        return "Says that it may be wrong, without saying where."
    kind = "a known blind spot" if any(one.declared for one in solid) else "a limit"
    return f"Names {kind} of its own position{' more than once' if len(solid) > 1 else ''}."
