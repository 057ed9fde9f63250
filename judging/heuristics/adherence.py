"""The four dimensions of adherence: steel-manning, self-critique, consistency, honesty."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from judging.heuristics import lexicons, response
from judging.heuristics.evidence import negated, passages
from judging.heuristics.response import (
    GIVEN_BACK,
    Clause,
    Hearing,
    Holder,
    KeyClaim,
    Mark,
    SideWords,
    assertions,
    clauses,
    clipped,
    content,
    distinct,
    given_back,
    hearing,
    inventions,
    misquoting,
    named,
    points,
    unquoted,
    within,
)
from judging.heuristics.text import READ_LIMIT, cut, lowered, tokens, written
from judging.types import Scene

# The four dimensions of adherence: steel-manning, self-critique, consistency, honesty.


# Steel-manning: are opponents' main claims given back fairly before they are answered? Tone alone is never strong.


DEEP = 55
"""Per cent from which one claim is given back in depth; also asked of words that name nobody's view."""
NOTHING_TO_ANSWER = 15
GRANTING = frozenset(["understand", "accept", "agree", "grant", "see", "believe", "recognise", "recognize"])


@dataclass(frozen=True, slots=True)
class SteelManReading:
    """What was found about how opponents' views were told."""

    fair: tuple[Clause, ...]
    covered: tuple[tuple[KeyClaim, int], ...]
    tone: int
    distorted: tuple[Clause, ...]
    insulting: tuple[Clause, ...]


def steel_manning(heard: Hearing) -> Mark:
    """Mark how opponents' views were told.

    Source: docs/explanation/heuristic-chairs.md
    """
    if not heard.claims and not heard.gists:
        return Mark(NOTHING_TO_ANSWER, "Nobody had said anything that could be answered.")
    read = reading(heard)
    quotes = distinct([heard.line(one) for one in (*read.distorted, *read.insulting, *read.fair)])
    return Mark(steel_points(read), steel_notes(read), quotes, attempted=bool(read.fair))


def reading(heard: Hearing) -> SteelManReading:
    distorted = tuple(one for one in heard.own_words if distorts(one, heard))
    insulting = tuple(one for one in heard.own_words if scorns(one))
    spoilt = {one.sentence for one in (*distorted, *insulting)} | misquoting(heard)
    fair = [one for one in heard.clauses if one.sentence not in spoilt and is_fair(one, heard)]
    views = [*runs(fair), *restated(heard, spoilt)]
    covered = best(heard.claims, views) or best(heard.gists, views)
    told_in = {one.start: one for view in views for one in view}
    tone = sum(1 for one in fair if one.granting)
    return SteelManReading(tuple(told_in[at] for at in sorted(told_in)), covered, tone, distorted, insulting)


def is_fair(one: Clause, heard: Hearing) -> bool:
    return one.holder is Holder.OPPONENT and not one.turned and not is_hostile(one, heard)


def is_hostile(one: Clause, heard: Hearing) -> bool:
    """Tell whether a clause disputes, in words that opponents did not use themselves, or denies all worth."""
    against = [*response.meant(one.words, "disputes"), *([] if one.granting else response.meant(one.words, "failings"))]
    own_words = any(" ".join(hit.phrase) not in heard.answered.lower() for hit in against)
    withheld = any(word in GRANTING and negated(one.words, at) for at, word in enumerate(one.words))
    return own_words or withheld or any(response.denied(one.words, hit) for hit in response.hits(one.words, "worths"))


def runs(fair: list[Clause]) -> Iterator[list[Clause]]:
    """Yield what is told without a break about one view: at most three clauses at a time."""
    run: list[Clause] = []
    for one in fair:
        if run and (one.start - run[-1].end > 2 or len(run) == 3):
            yield run
            run = []
        run.append(one)
    if run:
        yield run


def restated(heard: Hearing, spoilt: set[int]) -> Iterator[list[Clause]]:
    """Yield clauses before the first answer that give an opponent's claim back in depth without naming anybody."""
    for one in heard.clauses:
        if one.turned:
            return
        if one.holder is not Holder.SPEAKER or one.sentence in spoilt or not is_neutral(one, heard):
            continue
        theirs = max((given_back(found, one.content) for found in heard.claims), default=0)
        mine = max((given_back(found, one.content) for found in heard.before), default=0)
        if theirs >= DEEP and theirs > mine:
            yield [one]


def is_neutral(one: Clause, heard: Hearing) -> bool:
    return not {"i", "my", "we", "our", "not", "no", "never"}.intersection(one.words) and not is_hostile(one, heard)


def best(claims: tuple[KeyClaim, ...], views: list[list[Clause]]) -> tuple[tuple[KeyClaim, int], ...]:
    """Return the claims that some view gives back, each with how much of it."""
    told_stems = [frozenset[str]().union(*(one.content for one in view)) for view in views]
    found = [(claim, max((given_back(claim, stems) for stems in told_stems), default=0)) for claim in claims]
    return tuple((claim, share) for claim, share in found if share >= GIVEN_BACK)


def distorts(one: Clause, heard: Hearing) -> bool:
    """Tell whether a clause puts a caricature into somebody's mouth that they did not use themselves."""
    for hit in response.hits(one.words, "distortions"):
        before = one.words[hit.at - 1] if hit.at else ""
        if before not in {"i", "we"} and " ".join(hit.phrase) not in heard.answered.lower():
            return True
    return False


def scorns(one: Clause) -> bool:
    return any(response.meant(one.words, "insults")) or any(response.hits(one.words, "sarcasm"))


def steel_points(read: SteelManReading) -> int:
    """Weigh coverage first; tone adds a little, and only to coverage."""
    count, tone = len(read.covered), min(3, read.tone)
    if not read.fair:
        return 1 if read.distorted or read.insulting else 2
    if read.distorted or read.insulting:
        return points(4 if not count else 11 - 3 * len(read.distorted[:2]) + min(2, count))
    if not count:
        return 8 + tone
    deepest = max(share for _, share in read.covered)
    if count == 1:
        return 15 + min(2, tone) + (3 if deepest >= DEEP else 0)
    return points(18 + tone + min(3, count - 1) + (1 if deepest >= DEEP else 0))


def steel_notes(read: SteelManReading) -> str:
    lines = []
    if read.covered:
        names = ", ".join(dict.fromkeys(claim.speaker for claim, _ in read.covered))
        lines.append(f"Gives back {counted(len(read.covered), 'main claim')} of {names}.")
    elif read.fair:
        lines.append("Acknowledges an opponent, but gives none of the main claims back.")
    else:
        lines.append("Tells no opponent's view fairly.")
    if read.distorted:
        lines.append("Puts a caricature in an opponent's mouth.")
    if read.insulting:
        lines.append("Mocks or insults.")
    return " ".join(lines)


def counted(number: int, noun: str) -> str:
    return f"one {noun}" if number == 1 else f"{number} {noun}s"


# Self-critique: does the speaker name a limit of its own position, in its own voice, and let it stand?


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
    return Mark(critique_points(found), critique_notes(found), quotes, attempted=True)


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
    if not response.meant(one.words, "failings"):
        return bool(response.meant(one.words, "admits")) and shared(one, heard) >= DECLARED
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
    return any(response.hits(one.words, "selves")) or (bool(name) and within(one.words, name))


def admission(one: Clause, following: tuple[Clause, ...], heard: Hearing) -> Admission:
    spent = {word for hit in response.hits(one.words, "failings") for word in hit.phrase}
    near = (one, *(later for later in following if later.sentence - one.sentence <= 1))
    weighty = content(word for word in one.words if word not in spent)
    last = one.sentence + int(any(response.hits(one.words, "announces")))
    more = [later for later in following if later.sentence <= last and not later.turned]
    substance = weighty.union(*(later.content for later in more))
    return Admission(
        clause=one,
        substantial=len(substance) >= SUBSTANCE,
        cancelled=any(any(response.hits(later.words, "cancels")) for later in near),
        declared=shared(one, heard) >= DECLARED,
        plainly=any(response.meant(one.words, "admits")),
    )


def critique_points(found: list[Admission]) -> int:
    standing = [one for one in found if not one.cancelled]
    solid = [one for one in standing if one.substantial or one.declared]
    if not solid:
        return 9 if standing else 8
    bonus = (4 if any(one.declared for one in solid) else 0) + (2 if any(one.plainly for one in solid) else 0)
    taken = 3 if len(standing) < len(found) else 0
    return points((16 if len(solid) == 1 else 19) + bonus - taken)


def critique_notes(found: list[Admission]) -> str:
    standing = [one for one in found if not one.cancelled]
    solid = [one for one in standing if one.substantial or one.declared]
    if not standing:
        return "Names a limit and takes it back in the same breath."
    if not solid:
        return "Says that it may be wrong, without saying where."
    kind = "a known blind spot" if any(one.declared for one in solid) else "a limit"
    return f"Names {kind} of its own position{' more than once' if len(solid) > 1 else ''}."


# Framework consistency, experimental: do the reasons given belong to the framework the speaker argues from?


CLEAR = 4
"""Weight of words from which a sentence speaks for a framework."""
RESTATED = 60
"""Per cent of an earlier sentence that must come back before it can be called contradicted."""


@dataclass(frozen=True, slots=True)
class ArguedReason:
    """A clause that argues, with the framework it speaks for best and by how much, and how much for the own one."""

    clause: Clause
    best: str
    weight: int
    own: int


def consistency(heard: Hearing) -> Mark:
    """Mark how well the reasons fit. Without a framework a speaker is held to its own earlier words.

    Source: docs/explanation/heuristic-chairs.md
    """
    if heard.framework is None:
        return faithful(heard)
    reasons = list(reasons_of(heard, heard.framework.key))
    strange = [one for one in reasons if one.own == 0 and one.weight >= CLEAR]
    fitting = [one for one in reasons if one.own >= 2 and one.own * 2 >= one.weight]
    mark = 15 + (8 * len(fitting) // len(reasons) if reasons else 0) + min(2, len(fitting))
    names = [f"argues from {one.best}" for one in strange[:3]]
    quotes = distinct([heard.line(one.clause) for one in (*strange, *fitting)])
    return Mark(points(mark - 5 * len(strange)), consistency_notes(reasons, fitting), quotes, found=tuple(names))


def reasons_of(heard: Hearing, own: str) -> Iterator[ArguedReason]:
    """Yield the clauses in the speaker's own voice that say what ought to be, or why, and in whose terms."""
    for one in heard.own_words:
        if one.holder is not Holder.SPEAKER or not argues(one):
            continue
        weights = {key: weight_of(one, key) for key in response.framework_keys()}
        best = max(weights, key=lambda key: (weights[key], key == own, key))
        if weights[best] >= 2:
            yield ArguedReason(one, best, weights[best], weights[own])


def argues(one: Clause) -> bool:
    return any(response.hits(one.words, "norms")) or any(
        word in {"because", "since", "therefore"} for word in one.words
    )


def weight_of(one: Clause, key: str) -> int:
    listed = response.framework_words(key)
    return sum(
        listed.get(found, 0)
        for at, found in enumerate(one.stems)
        if found in listed and found not in one.stems[:at] and not negated(one.words, at)
    )


def consistency_notes(reasons: list[ArguedReason], fitting: list[ArguedReason]) -> str:
    if not reasons:
        return "Gives no reasons that could be told to belong to a framework. (Experimental.)"
    return f"{len(fitting)} of {len(reasons)} reasons belong to the framework. (Experimental.)"


# -- without a framework ---------------------------------------------------------------------------------------------


def faithful(heard: Hearing) -> Mark:
    """Mark a speaker without a framework by what it said itself."""
    against = list(contradicted(heard))
    quotes = distinct([heard.line(one) for one, _ in against])
    found = tuple(f"contradicts: {earlier.line}" for _, earlier in against[:3])
    told = "Contradicts what it said before." if against else "Says nothing against what it said before."
    return Mark(points(20 - 7 * len(against)), told, quotes, found=found)


def contradicted(heard: Hearing) -> Iterator[tuple[Clause, KeyClaim]]:
    """Yield own clauses that deny what their speaker said before, unless it says that it takes something back."""
    if any(any(response.hits(one.words, "retractions")) for one in heard.own_words):
        return
    spoken = {at for one in heard.own_words if one.holder is Holder.SPEAKER for at in range(one.start, one.end)}
    for one in assertions(unquoted(heard.text)):
        if one.start not in spoken:
            continue
        against = (earlier for earlier in heard.before if denies(one, earlier))
        if found := next(against, None):
            yield one, found


def denies(one: Clause, earlier: KeyClaim) -> bool:
    """Tell whether a clause says an earlier sentence again with a negation more or less."""
    if len(earlier.weights) < 3 or given_back(earlier, one.content) < RESTATED:
        return False
    return is_negative(one.words) != is_negative(earlier.words)


def is_negative(words: tuple[str, ...]) -> bool:
    """Tell whether an odd number of negations stands in a run of words."""
    return sum(1 for word in words if word in lexicons.words("negators")) % 2 == 1


# Intellectual honesty: what was asked is answered, nobody is misquoted, and no ground is shifted without saying so.


TOUCHED = 20
"""Per cent of a claim that an answer shares with it when it goes into it at all."""
COSTS = {
    "evasion": 8,
    "misrepresentation": 8,
    "cherry_picking": 6,
    "moving_goalposts": 7,
    "false_equivalence": 6,
}


def honesty(heard: Hearing) -> Mark:
    """Mark how honest a response is with others' words and its own.

    Source: docs/explanation/heuristic-chairs.md
    """
    found = dict(issues(heard))
    insults = [one for one in heard.own_words if scorns(one)]
    loud = sum(len(one.signs.absolutes) for one in passages(heard.text))
    grounded = sum(1 for one in passages(heard.text) if one.signs.grounded and one.signs.sources)
    mark = 19 + (3 if touched(heard) * 2 >= len(heard.claims) > 0 else 0) + min(3, grounded)
    mark -= sum(COSTS[code] for code in found) + 4 * len(insults[:2]) + min(3, loud)
    quotes = distinct([*found.values(), *(heard.line(one) for one in insults)])
    return Mark(points(mark), honesty_notes(list(found), insults), quotes, found=tuple(found))


def issues(heard: Hearing) -> Iterator[tuple[str, str]]:
    """Yield the issue codes that apply, each with the passage that shows it, or nothing to show."""
    deflected = next((one for one in heard.own_words if any(response.hits(one.words, "deflections"))), None)
    if len(heard.claims) >= 2 and (deflected or not engages(heard)):
        yield "evasion", heard.line(deflected) if deflected else ""
    distorted = next((one for one in heard.own_words if distorts(one, heard)), None)
    invented = next((cut(one.group()) for one in inventions(heard)), "")
    if distorted or invented:
        yield "misrepresentation", heard.line(distorted) if distorted else invented
    for match in islice(clipped(heard), 1):
        yield "cherry_picking", cut(match.group())
    for one, _ in islice(contradicted(heard), 1):
        yield "moving_goalposts", heard.line(one)
    equal = next((one for one in heard.own_words if equates(one)), None)
    if equal:
        yield "false_equivalence", heard.line(equal)


def engages(heard: Hearing) -> bool:
    """Tell whether a response takes up at least two words of weight that opponents brought, beyond the motion's."""
    brought = {found for claim in heard.claims for found, weight in claim.weights.items() if weight > 1}
    taken_up = {found for one in heard.clauses for found in one.content}
    return len(brought & taken_up) >= 2


def touched(heard: Hearing) -> int:
    """Return into how many of the opponents' main claims and questions the response goes at all."""
    sentences = {one.sentence for one in heard.clauses}
    stems = [
        frozenset[str]().union(*(one.content for one in heard.clauses if one.sentence in {at, at + 1}))
        for at in sorted(sentences)
    ]
    return sum(1 for claim in heard.claims if any(given_back(claim, found) >= TOUCHED for found in stems))


def equates(one: Clause) -> bool:
    """Tell whether a clause calls something as bad as what nothing in a debate is likely to be as bad as."""
    return any(response.meant(one.words, "equivalences")) and any(response.hits(one.words, "monsters"))


def honesty_notes(codes: list[str], insults: list[Clause]) -> str:
    lines = [f"Found: {', '.join(codes).replace('_', ' ')}."] if codes else ["Nothing dishonest was found."]
    if insults:
        lines.append("Attacks the person.")
    return " ".join(lines)


# The four marks of a response, in the shape in which judges answer.


def evaluate(scene: Scene) -> dict[str, Any]:
    """Judge one response by rule.

    Shape: ``steel_manning``, ``self_critique`` (score, attempted, notes, quotes), ``consistency`` (score, violations,
    notes, quotes) and ``honesty`` (score, issues, notes, quotes). Quotes are slices of the response.
    Units: scores 0..25 as decimal strings.
    Source: docs/explanation/heuristic-chairs.md
    """
    heard = hearing(scene)
    fits, candid = consistency(heard), honesty(heard)
    return {
        "steel_manning": tried(steel_manning(heard)),
        "self_critique": tried(self_critique(heard)),
        "consistency": {**grounds(fits), "violations": list(fits.found)},
        "honesty": {**grounds(candid), "issues": list(candid.found)},
    }


def tried(mark: Mark) -> dict[str, Any]:
    return {**grounds(mark), "attempted": mark.attempted}


def grounds(mark: Mark) -> dict[str, Any]:
    return {"score": written(100 * mark.points), "notes": mark.notes, "quotes": list(mark.quotes)}


# Two cheap looks at a response alone: is an opponent's view granted something, is a limit of one's own named?


@dataclass(frozen=True, slots=True)
class Flags:
    """Whether an opponent's view and a limit of one's own seem to be told."""

    steel_manning: bool
    self_critique: bool

    @property
    def columns(self) -> dict[str, bool]:
        return {"quick_steel_manning": self.steel_manning, "quick_self_critique": self.self_critique}


def quick(*, text: str, opponents: Collection[str] = (), own: Collection[str] = ()) -> Flags:
    """Return whether each of the two was attempted, by whole phrases, negation and whose words they are.

    Shape: ``opponents`` and ``own`` are names by which the sides are called.
    Source: docs/explanation/heuristic-chairs.md
    """
    table = SideWords(others=named(opponents), own=named(own))
    found = clauses(unquoted(text[:READ_LIMIT]), table)
    scorned = any(
        any(response.meant(one.words, "insults")) or any(response.hits(one.words, "sarcasm")) for one in found
    )
    granted = any(grants(one) for one in found)
    return Flags(steel_manning=granted and not scorned, self_critique=any(admits_failing(one) for one in found))


def grants(one: Clause) -> bool:
    return one.holder is Holder.OPPONENT and one.granting and not any(response.meant(one.words, "disputes"))


def admits_failing(one: Clause) -> bool:
    own = any(response.hits(one.words, "selves"))
    return one.holder is Holder.SPEAKER and own and not refuses(one) and bool(response.meant(one.words, "failings"))


# How fairly somebody argued: four marks and what they rest on. Meaning is matched by words, not understood.


__all__ = ["Flags", "evaluate", "quick"]
