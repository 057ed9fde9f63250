"""Steel-manning: are opponents' main claims given back fairly before they are answered? Tone alone is never strong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from judging.heuristics.evidence import negated
from judging.heuristics.fairness import cues
from judging.heuristics.fairness.claims import GIVEN_BACK, Claim, given_back
from judging.heuristics.fairness.clauses import Clause, Holder
from judging.heuristics.fairness.hearing import Hearing
from judging.heuristics.fairness.marks import Mark, distinct, points
from judging.heuristics.fairness.quoting import misquoting

DEEP = 55
"""Per cent from which one claim is given back in depth; also asked of words that name nobody's view."""
NOTHING_TO_ANSWER = 15
GRANTING = frozenset(["understand", "accept", "agree", "grant", "see", "believe", "recognise", "recognize"])


@dataclass(frozen=True, slots=True)
class Reading:
    """What was found about how opponents' views were told."""

    fair: tuple[Clause, ...]
    covered: tuple[tuple[Claim, int], ...]
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
    return Mark(marked(read), told(read), quotes, attempted=bool(read.fair))


def reading(heard: Hearing) -> Reading:
    distorted = tuple(one for one in heard.own_words if distorts(one, heard))
    insulting = tuple(one for one in heard.own_words if scorns(one))
    spoilt = {one.sentence for one in (*distorted, *insulting)} | misquoting(heard)
    fair = [one for one in heard.clauses if one.sentence not in spoilt and is_fair(one, heard)]
    views = [*runs(fair), *restated(heard, spoilt)]
    covered = best(heard.claims, views) or best(heard.gists, views)
    told_in = {one.start: one for view in views for one in view}
    tone = sum(1 for one in fair if one.granting)
    return Reading(tuple(told_in[at] for at in sorted(told_in)), covered, tone, distorted, insulting)


def is_fair(one: Clause, heard: Hearing) -> bool:
    return one.holder is Holder.OPPONENT and not one.turned and not is_hostile(one, heard)


def is_hostile(one: Clause, heard: Hearing) -> bool:
    """Tell whether a clause disputes, in words that opponents did not use themselves, or denies all worth."""
    against = [*cues.meant(one.words, "disputes"), *([] if one.granting else cues.meant(one.words, "failings"))]
    own_words = any(" ".join(hit.phrase) not in heard.answered.lower() for hit in against)
    withheld = any(word in GRANTING and negated(one.words, at) for at, word in enumerate(one.words))
    return own_words or withheld or any(cues.denied(one.words, hit) for hit in cues.hits(one.words, "worths"))


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


def best(claims: tuple[Claim, ...], views: list[list[Clause]]) -> tuple[tuple[Claim, int], ...]:
    """Return the claims that some view gives back, each with how much of it."""
    told_stems = [frozenset[str]().union(*(one.content for one in view)) for view in views]
    found = [(claim, max((given_back(claim, stems) for stems in told_stems), default=0)) for claim in claims]
    return tuple((claim, share) for claim, share in found if share >= GIVEN_BACK)


def distorts(one: Clause, heard: Hearing) -> bool:
    """Tell whether a clause puts a caricature into somebody's mouth that they did not use themselves."""
    for hit in cues.hits(one.words, "distortions"):
        before = one.words[hit.at - 1] if hit.at else ""
        if before not in {"i", "we"} and " ".join(hit.phrase) not in heard.answered.lower():
            return True
    return False


def scorns(one: Clause) -> bool:
    return any(cues.meant(one.words, "insults")) or any(cues.hits(one.words, "sarcasm"))


def marked(read: Reading) -> int:
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


def told(read: Reading) -> str:
    """Say in a sentence or two what the mark rests on."""
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
