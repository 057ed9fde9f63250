"""What a chair has to go on: the words of the motion, and what others and itself mainly claimed."""

from __future__ import annotations

from functools import cache

from judging import frameworks
from judging.heuristics import lexicons
from judging.heuristics.evidence import Passage, passages
from judging.heuristics.fairness.claims import Claim, key_claims, rarity, stems_of
from judging.heuristics.text import sentences, squeezed
from judging.rules.standing import Position as Side
from judging.rules.standing import position
from judging.scene import Position, Scene, Utterance


def framework_of(chair: Position | None) -> frameworks.Framework | None:
    """Return what a chair argues from, if anything."""
    return frameworks.frameworks().get(chair.framework) if chair else None


def side_of(chair: Position | None) -> Side:
    """Return on which side of the motion a chair stands."""
    return position(stance=chair.stance) if chair else Side.NEUTRAL


def claims_of(scene: Scene, one: Utterance) -> tuple[Claim, ...]:
    """Return the main claims of an utterance, the weightiest first."""
    seen = rarity([other.text for other in scene.answered])
    found = key_claims(speaker=one.speaker, text=one.text, seen=seen, motion=stems_of(scene.motion))
    return tuple(sorted(found, key=lambda claim: (-claim.weight, claim.line)))


def unanswered(scene: Scene, opponent: str) -> tuple[Utterance, Claim] | None:
    """Return the weightiest claim of an opponent that the speaker has not quoted before, from what was said last."""
    before = squeezed(" ".join(own.text for own in scene.own))
    for one in reversed([said for said in scene.earlier if said.speaker == opponent]):
        for claim in claims_of(scene, one):
            if is_case(claim) and claim.line.rstrip(" .?!")[:40] not in before:
                return one, claim
    return None


def is_case(claim: Claim) -> bool:
    """Tell whether a sentence makes a case: no quotation, no question, no admission, no stock phrase of the chairs."""
    aside = {"admit", "weakness", "honesty", "motion", "question", "argument", "i", "my", "me"}.intersection(
        claim.words
    )
    quotes = set(claim.line) & set('\u201c\u201d"\u2026')
    return not aside and not quotes and not claim.line.endswith("?") and claim.line not in stock()


@cache
def stock() -> frozenset[str]:
    """Return the sentences that chairs say whatever the motion: nobody answers those."""
    listed = (
        text
        for group in ("answer", "close", "lack", "tell")
        for key in lexicons.read("chairs")[group].items()
        for text in key[1]
    )
    return frozenset(squeezed(one.text) for text in listed for one in sentences(text) if "$" not in one.text)


def arguments(scene: Scene) -> tuple[str, ...]:
    """Return what a chair has to say for its side in the voice of its framework."""
    own = framework_of(scene.chair)
    side = "for" if scene.chair is None or scene.chair.stance >= 0 else "against"
    return tuple(lexicons.read("arguments")[own.key if own else "none"][side])


def passage_of(one: Utterance, claim: Claim) -> Passage | None:
    """Return the sentence that a claim was made in, with what it brings."""
    return next((found for found in passages(one.text) if found.line == claim.line), None)


def seed_of(scene: Scene) -> str:
    """Return what a choice of words depends on besides the words themselves."""
    return f"{scene.speaker}|{scene.exchange}|{scene.motion}"
