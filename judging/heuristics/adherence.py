"""The four dimensions of adherence: steel-manning, self-critique, consistency, honesty."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import Any

from judging.heuristics import lexicons, response
from judging.heuristics.criteria import families
from judging.heuristics.evidence import negated, passages
from judging.heuristics.response import (
    GIVEN_BACK,
    HIGHEST,
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
    weighty,
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


class Rejoinder(StrEnum):
    """Whether what a response says for its own part, beside views that it tells and limits that it admits, bears."""

    NOTHING = "nothing"
    ELSEWHERE = "elsewhere"
    TO_THE_POINT = "to_the_point"


BEARING = 2
"""Words of weight that a reply must share with the motion and what was said to bear on it."""
BEARING_SHARE = 20
"""Per cent of a reply's words of weight that must be such words."""
AT_MOST = {Rejoinder.NOTHING: 17, Rejoinder.ELSEWHERE: 4, Rejoinder.TO_THE_POINT: HIGHEST}
"""Points that a view told fairly is worth at most, by what is replied to it."""


def reply(heard: Hearing, told: Collection[Clause]) -> tuple[Rejoinder, str]:
    """Return whether a response answers, and where it does so with something else, the first words of that.

    Shape: ``told`` is what it gives back without naming anybody.
    """
    part = [clause for clause in replies(heard, told) if clause.content]
    words = frozenset[str]().union(*(weighty(clause.words) for clause in part))
    if not words:
        return Rejoinder.NOTHING, ""
    shared = words & (heard.vocabulary | akin(heard.vocabulary))
    bears = len(shared) >= BEARING and 100 * len(shared) >= BEARING_SHARE * len(words)
    return (Rejoinder.TO_THE_POINT, "") if bears else (Rejoinder.ELSEWHERE, heard.line(part[0]))


def akin(words: frozenset[str]) -> frozenset[str]:
    """Return the stems of the families that words belong to: who speaks of a trial speaks of what was tried."""
    return frozenset(stem for family in families() if not words.isdisjoint(family) for stem in family)


def replies(heard: Hearing, told: Collection[Clause]) -> Iterator[Clause]:
    """Yield the clauses in which a speaker argues: its own, and those that only seem to go on with somebody's view.

    A limit that is admitted is no reply, nor is a claim that is given back without naming anybody, nor what the
    answered text has word for word.
    """
    before: Clause | None = None
    restated_at = heard.copied.union(clause.start for clause in told)
    admitted = {admission.clause.sentence for admission in admissions(heard)}
    for clause in heard.own_words:
        goes_on = before is not None and before.holder is Holder.OPPONENT and clause.sentence > before.sentence
        strays = goes_on and not clause.granting and len(weighty(clause.words) & heard.at_issue) < BEARING
        own = clause.holder is Holder.SPEAKER or (clause.holder is Holder.OPPONENT and strays)
        before = clause
        if own and clause.start not in restated_at and clause.sentence not in admitted:
            yield clause


@dataclass(frozen=True, slots=True)
class SteelManReading:
    """What was found about how opponents' views were told."""

    fair: tuple[Clause, ...]
    covered: tuple[tuple[KeyClaim, int], ...]
    tone: int
    distorted: tuple[Clause, ...]
    insulting: tuple[Clause, ...]
    reply: Rejoinder
    elsewhere: str

    @property
    def for_show(self) -> bool:
        """Tell whether a view was given back and then left for something that has nothing to do with it."""
        return bool(self.covered) and self.reply is Rejoinder.ELSEWHERE


def steel_manning(heard: Hearing, read: SteelManReading) -> Mark:
    """Mark how opponents' views were told.

    Source: docs/explanation/heuristic-chairs.md
    """
    if not heard.claims and not heard.gists:
        return Mark(NOTHING_TO_ANSWER, "Nobody had said anything that could be answered.")
    quotes = distinct([heard.line(clause) for clause in (*read.distorted, *read.insulting, *read.fair)])
    earned = coverage_points(read)  # a view that is told and not answered, or with something else, was told for show
    earned = min(earned, AT_MOST[read.reply]) if read.covered else earned
    return Mark(earned, steel_notes(read), quotes, attempted=bool(read.fair))


def reading(heard: Hearing) -> SteelManReading:
    distorted = tuple(clause for clause in heard.own_words if distorts(clause, heard))
    insulting = tuple(own_clause for own_clause in heard.own_words if scorns(own_clause))
    spoilt = {clause.sentence for clause in (*distorted, *insulting)} | misquoting(heard)
    opposing = [row for row in heard.clauses if row.holder is Holder.OPPONENT and not row.turned]
    fair = [clause for clause in opposing if clause.sentence not in spoilt and not is_hostile(clause, heard)]
    told = list(restated(heard))
    views = [*runs(fair), *([clause] for clause in told if clause.sentence not in spoilt)]
    covered = best(heard.claims, views) or best(heard.gists, views)
    told_in = {clause.start: clause for view in views for clause in view}
    tone = sum(1 for clause in fair if clause.granting)
    return SteelManReading(
        tuple(told_in[at] for at in sorted(told_in)), covered, tone, distorted, insulting, *reply(heard, told)
    )


def is_hostile(clause: Clause, heard: Hearing) -> bool:
    """Tell whether a clause disputes, in words that opponents did not use themselves, or denies all worth."""
    against = [
        *response.meant(clause.words, "disputes"),
        *([] if clause.granting else response.meant(clause.words, "failings")),
    ]
    own_words = any(" ".join(hit.phrase) not in heard.answered.lower() for hit in against)
    withheld = any(word in GRANTING and negated(clause.words, at) for at, word in enumerate(clause.words))
    return (
        own_words
        or withheld
        or any(response.denied(clause.words, hit) for hit in response.hits(clause.words, "worths"))
    )


def runs(fair: list[Clause]) -> Iterator[list[Clause]]:
    """Yield what is told without a break about one view: at most three clauses at a time."""
    run: list[Clause] = []
    for clause in fair:
        if run and (clause.start - run[-1].end > 2 or len(run) == 3):
            yield run
            run = []
        run.append(clause)
    if run:
        yield run


def restated(heard: Hearing) -> Iterator[Clause]:
    """Yield clauses before the first answer that give an opponent's claim back in depth without naming anybody."""
    for clause in heard.clauses:
        if clause.turned:
            return
        if clause.holder is not Holder.SPEAKER or not is_neutral(clause, heard):
            continue
        stems = clause.content
        theirs = max((given_back(claim, stems) for claim in heard.claims), default=0)
        if theirs >= DEEP and all(given_back(claim, stems) < theirs for claim in heard.before):
            yield clause


def is_neutral(clause: Clause, heard: Hearing) -> bool:
    return not {"i", "my", "we", "our", "not", "no", "never"}.intersection(clause.words) and not is_hostile(
        clause, heard
    )


def best(claims: tuple[KeyClaim, ...], views: list[list[Clause]]) -> tuple[tuple[KeyClaim, int], ...]:
    """Return the claims that some view gives back, each with how much of it."""
    told_stems = [frozenset[str]().union(*(clause.content for clause in view)) for view in views]
    shares = [(claim, max((given_back(claim, stems) for stems in told_stems), default=0)) for claim in claims]
    return tuple((claim, share) for claim, share in shares if share >= GIVEN_BACK)


def distorts(clause: Clause, heard: Hearing) -> bool:
    """Tell whether a clause puts a caricature into somebody's mouth that they did not use themselves."""
    for hit in response.hits(clause.words, "distortions"):
        before = clause.words[hit.at - 1] if hit.at else ""
        if before not in {"i", "we"} and " ".join(hit.phrase) not in heard.answered.lower():
            return True
    return False


def scorns(clause: Clause) -> bool:
    return any(response.meant(clause.words, "insults")) or any(response.hits(clause.words, "sarcasm"))


def coverage_points(read: SteelManReading) -> int:
    """Tone adds a little, and only to coverage."""
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
    if read.for_show:
        lines.append("Goes on about something else, so that the view was told for show.")
    elif read.covered and read.reply is Rejoinder.NOTHING:
        lines.append("Answers nothing of it.")
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
    admitted = admissions(heard)
    quotes = distinct(
        [heard.line(admission.clause) for admission in sorted(admitted, key=lambda admission: admission.cancelled)]
    )
    if not admitted:
        hearsay = any(clause.holder is Holder.BYSTANDER for clause in heard.own_words)
        notes = "Lets critics speak, but admits nothing itself." if hearsay else "Admits no limit of its own position."
        return Mark(5 if hearsay else 2, notes)
    return Mark(critique_points(admitted), critique_notes(admitted), quotes, attempted=True)


def admissions(heard: Hearing) -> list[Admission]:
    admitted: list[Admission] = []
    before: Clause | None = None
    for at, clause in enumerate(heard.own_words):
        goes_on = before is not None and clause.sentence - before.sentence <= 1
        if clause.start not in heard.copied and admits(clause, heard, goes_on=goes_on):
            admitted.append(admission(clause, heard.own_words[at + 1 : at + 4], heard))
            before = clause
    return admitted


def admits(clause: Clause, heard: Hearing, *, goes_on: bool) -> bool:
    """Tell whether a clause names a failing of the speaker's own position; ``goes_on`` where one was just named."""
    if clause.holder is not Holder.SPEAKER or refuses(clause):
        return False
    if not response.meant(clause.words, "failings"):
        return bool(response.meant(clause.words, "admits")) and shared(clause, heard) >= DECLARED
    return names_self(clause, heard) or (goes_on and clause.words[0] in REFERRING)


def refuses(clause: Clause) -> bool:
    """Tell whether a clause says that nothing is admitted."""
    return any(
        word in DENYING or (word in ADMITTING and negated(clause.words, at)) for at, word in enumerate(clause.words)
    )


def shared(clause: Clause, heard: Hearing) -> int:
    """Return how many words of weight a clause shares with one blind spot of the speaker's framework, at most."""
    spots = heard.framework.blind_spots if heard.framework else ()
    return max((len(content(lowered(raw=tokens(spot))) & clause.content) for spot in spots), default=0)


def names_self(clause: Clause, heard: Hearing) -> bool:
    own = heard.framework
    name = lowered(raw=tokens(own.name)) if own else ()
    return any(response.hits(clause.words, "selves")) or (bool(name) and within(clause.words, name))


def admission(clause: Clause, following: tuple[Clause, ...], heard: Hearing) -> Admission:
    spent = {word for hit in response.hits(clause.words, "failings") for word in hit.phrase}
    near = (clause, *(later for later in following if later.sentence - clause.sentence <= 1))
    named_with = content(word for word in clause.words if word not in spent)
    last = clause.sentence + int(any(response.hits(clause.words, "announces")))
    more = [later for later in following if later.sentence <= last and not later.turned]
    substance = named_with.union(*(later.content for later in more))
    return Admission(
        clause=clause,
        substantial=len(substance) >= SUBSTANCE,
        cancelled=any(any(response.hits(later.words, "cancels")) for later in near),
        declared=shared(clause, heard) >= DECLARED,
        plainly=any(response.meant(clause.words, "admits")),
    )


def critique_points(admissions: list[Admission]) -> int:
    standing = [admission for admission in admissions if not admission.cancelled]
    solid = [admission for admission in standing if admission.substantial or admission.declared]
    if not solid:
        return 9 if standing else 8
    bonus = (4 if any(admission.declared for admission in solid) else 0) + (
        2 if any(admission.plainly for admission in solid) else 0
    )
    taken = 3 if len(standing) < len(admissions) else 0
    return points((16 if len(solid) == 1 else 19) + bonus - taken)


def critique_notes(admissions: list[Admission]) -> str:
    standing = [admission for admission in admissions if not admission.cancelled]
    solid = [admission for admission in standing if admission.substantial or admission.declared]
    if not standing:
        return "Names a limit and takes it back in the same breath."
    if not solid:
        return "Says that it may be wrong, without saying where."
    kind = "a known blind spot" if any(admission.declared for admission in solid) else "a limit"
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


def consistency(heard: Hearing, read: SteelManReading) -> Mark:
    """Mark how well the reasons fit. Without a framework a speaker is held to its own earlier words.

    Source: docs/explanation/heuristic-chairs.md
    """
    if heard.framework is None:
        return faithful(heard)
    reasons = list(reasons_of(heard, heard.framework.key))
    strange = [reason for reason in reasons if reason.own == 0 and reason.weight >= CLEAR]
    fitting = [
        reason for reason in reasons if reason.own >= 2 and reason.own * 2 >= reason.weight and not read.for_show
    ]
    mark = 15 + (8 * len(fitting) // len(reasons) if reasons else 0) + min(2, len(fitting))
    names = [f"argues from {reason.best}" for reason in strange[:3]]
    quotes = distinct([heard.line(reason.clause) for reason in (*strange, *fitting)])
    return Mark(points(mark - 5 * len(strange)), consistency_notes(reasons, fitting), quotes, codes=tuple(names))


def reasons_of(heard: Hearing, own: str) -> Iterator[ArguedReason]:
    """Yield the clauses in the speaker's own voice that say what ought to be, or why, and in whose terms."""
    for clause in heard.own_words:
        if clause.holder is not Holder.SPEAKER or not argues(clause):
            continue
        weights = {key: weight_of(clause, key) for key in response.framework_keys()}
        best = max(weights, key=lambda key: (weights[key], key == own, key))
        if weights[best] >= 2:
            yield ArguedReason(clause, best, weights[best], weights[own])


def argues(clause: Clause) -> bool:
    return any(response.hits(clause.words, "norms")) or any(
        word in {"because", "since", "therefore"} for word in clause.words
    )


def weight_of(clause: Clause, key: str) -> int:
    listed = response.framework_words(key)
    return sum(
        listed.get(word, 0)
        for at, word in enumerate(clause.stems)
        if word in listed and word not in clause.stems[:at] and not negated(clause.words, at)
    )


def consistency_notes(reasons: list[ArguedReason], fitting: list[ArguedReason]) -> str:
    if not reasons:
        return "Gives no reasons that could be told to belong to a framework. (Experimental.)"
    return f"{len(fitting)} of {len(reasons)} reasons belong to the framework. (Experimental.)"


# -- without a framework ---------------------------------------------------------------------------------------------


def faithful(heard: Hearing) -> Mark:
    """Mark a speaker without a framework by what it said itself."""
    against = list(contradicted(heard))
    quotes = distinct([heard.line(clause) for clause, _ in against])
    violations = tuple(f"contradicts: {earlier.line}" for _, earlier in against[:3])
    notes = "Contradicts what it said before." if against else "Says nothing against what it said before."
    return Mark(points(20 - 7 * len(against)), notes, quotes, codes=violations)


def contradicted(heard: Hearing) -> Iterator[tuple[Clause, KeyClaim]]:
    """Yield own clauses that deny what their speaker said before, unless it says that it takes something back."""
    if any(any(response.hits(own_clause.words, "retractions")) for own_clause in heard.own_words):
        return
    spoken = {
        at
        for own_clause in heard.own_words
        if own_clause.holder is Holder.SPEAKER
        for at in range(own_clause.start, own_clause.end)
    }
    earlier_claims: dict[tuple[str, ...], KeyClaim] = {}
    for claim in heard.before:
        if len(claim.weights) >= 3:
            earlier_claims.setdefault(claim.words, claim)
    for clause in assertions(unquoted(heard.text)):
        if clause.start not in spoken:
            continue
        stems = clause.content
        against = (earlier for earlier in earlier_claims.values() if denies(clause, stems, earlier))
        if denied := next(against, None):
            yield clause, denied


def denies(clause: Clause, stems: frozenset[str], earlier: KeyClaim) -> bool:
    """Tell whether a clause says an earlier sentence again with a negation more or less."""
    return given_back(earlier, stems) >= RESTATED and is_negative(clause.words) != is_negative(earlier.words)


def is_negative(words: tuple[str, ...]) -> bool:
    """Tell whether an odd number of negations stands in a run of words."""
    return sum(1 for word in words if word in lexicons.words("negators") and word != "without") % 2 == 1


# Intellectual honesty: what was asked is answered, nobody is misquoted, and no ground is shifted without saying so.


TOUCHED = 20
"""Per cent of a claim that an answer shares with it when it goes into it at all."""
COSTS = {"evasion": 8, "misrepresentation": 8, "cherry_picking": 6, "moving_goalposts": 7, "false_equivalence": 6}


def honesty(heard: Hearing, read: SteelManReading) -> Mark:
    """Mark how honest a response is with others' words and its own.

    Source: docs/explanation/heuristic-chairs.md
    """
    lines_by_issue = dict(issues(heard, read))
    insults = [clause for clause in heard.own_words if scorns(clause)]
    loud = sum(len(passage.signs.absolutes) for passage in passages(heard.text))
    grounded = sum(1 for passage in passages(heard.text) if passage.signs.grounded and passage.signs.sources)
    answers = read.reply is Rejoinder.TO_THE_POINT
    mark = 19 + (3 if answers and touched(heard) * 2 >= len(heard.claims) > 0 else 0) + min(3, grounded)
    mark -= sum(COSTS[code] for code in lines_by_issue) + 4 * len(insults[:2]) + min(3, loud)
    quotes = distinct([*lines_by_issue.values(), *(heard.line(clause) for clause in insults)])
    return Mark(points(mark), honesty_notes(list(lines_by_issue), insults), quotes, codes=tuple(lines_by_issue))


def issues(heard: Hearing, read: SteelManReading) -> Iterator[tuple[str, str]]:
    """Yield the issue codes that apply, each with the passage that shows it, or nothing to show."""
    deflected = next(
        (
            heard.line(own_clause)
            for own_clause in heard.own_words
            if any(response.hits(own_clause.words, "deflections"))
        ),
        "",
    )
    elsewhere = read.elsewhere if read.for_show else ""
    if len(heard.claims) >= 2 and (deflected or elsewhere or not engages(heard)):
        yield "evasion", deflected or elsewhere
    distorted = next((own_clause for own_clause in heard.own_words if distorts(own_clause, heard)), None)
    invented = next((cut(match.group()) for match in inventions(heard)), "")
    if distorted or invented:
        yield "misrepresentation", heard.line(distorted) if distorted else invented
    for match in islice(clipped(heard), 1):
        yield "cherry_picking", cut(match.group())
    for clause, _ in islice(contradicted(heard), 1):
        yield "moving_goalposts", heard.line(clause)
    as_bad = (row for row in heard.own_words if any(response.meant(row.words, "equivalences")))
    equal = next((clause for clause in as_bad if any(response.hits(clause.words, "monsters"))), None)
    if equal:
        yield "false_equivalence", heard.line(equal)


def engages(heard: Hearing) -> bool:
    """Tell whether a response takes up at least two words of weight that opponents brought, beyond the motion's."""
    brought = {word for claim in heard.claims for word, weight in claim.weights.items() if weight > 1}
    taken_up = {word for clause in heard.clauses for word in clause.content}
    return len(brought & taken_up) >= 2


def touched(heard: Hearing) -> int:
    """Return into how many of the opponents' main claims and questions the response goes at all."""
    heard_clauses = [clause for clause in heard.clauses if clause.start not in heard.copied]
    sentences = {clause.sentence for clause in heard_clauses}
    stems = [
        frozenset[str]().union(*(clause.content for clause in heard_clauses if clause.sentence in {at, at + 1}))
        for at in sorted(sentences)
    ]
    return sum(1 for claim in heard.claims if any(given_back(claim, of_clause) >= TOUCHED for of_clause in stems))


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
    read = reading(heard)
    fits, candid = consistency(heard, read), honesty(heard, read)
    return {
        "steel_manning": tried(steel_manning(heard, read)),
        "self_critique": tried(self_critique(heard)),
        "consistency": {**grounds(fits), "violations": list(fits.codes)},
        "honesty": {**grounds(candid), "issues": list(candid.codes)},
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
    own_clauses = clauses(unquoted(text[:READ_LIMIT]), table)
    scorned = any(
        any(response.meant(clause.words, "insults")) or any(response.hits(clause.words, "sarcasm"))
        for clause in own_clauses
    )
    granted = any(grants(clause) for clause in own_clauses)
    return Flags(
        steel_manning=granted and not scorned, self_critique=any(admits_failing(clause) for clause in own_clauses)
    )


def grants(clause: Clause) -> bool:
    return clause.holder is Holder.OPPONENT and clause.granting and not any(response.meant(clause.words, "disputes"))


def admits_failing(clause: Clause) -> bool:
    own = any(response.hits(clause.words, "selves"))
    return (
        clause.holder is Holder.SPEAKER
        and own
        and not refuses(clause)
        and bool(response.meant(clause.words, "failings"))
    )
