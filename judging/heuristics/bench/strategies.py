"""Three ways to read a subject for one criterion. Each weighs other things and rests on other passages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from judging.heuristics.assessment import DECAY, HALFWAY
from judging.heuristics.bench.units import WIDE, Reading, Unit, shown_by, units
from judging.heuristics.numbers import limited

STEP = 50
"""Scores are given in halves of a point."""
NEARBY = 2
"""Units behind an objection in which an answer to it is looked for."""
LONG_SENTENCE = 28
QUOTED = 3
ENOUGH = 3
"""Units that have to speak of a criterion itself before the others are left aside."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What one way of reading gives: hundredths of 1..5, the units it rests on, and why in words."""

    score: int
    units: tuple[Unit, ...]
    because: str


Strategy = Callable[[str, Reading], Mark]


def logic(subject: str, read: Reading) -> Mark:
    """Weigh what is shown, and take off for what contradicts it: strength and consistency."""
    strong = sorted(read.found, key=lambda one: (-one.worth, one.unit.start))
    weight = sum(one.worth * share for one, share in zip(strong, DECAY, strict=False)) // 70
    against = [one for one in read.found if one.bad or is_loud(one.unit)]
    score = 100 + 400 * weight // (weight + HALFWAY) - 25 * min(4, len(against))
    worthy = [one.unit for one in strong if one.worth > 0]
    carried = limited(100 * weight // (weight + HALFWAY), least=0, most=100)
    heavy = f"{counted(len(worthy), 'passage')} of weight, together {carried} % of what would be ample"
    said = heavy if worthy else "nothing of weight"
    return Mark(
        rounded(score),
        tuple(worthy[:QUOTED] or [one.unit for one in against[:1]]),
        f"The evidence for it: {said}; against it: {counted(len(against), 'passage')}.",
    )


def dialectic(subject: str, read: Reading) -> Mark:
    """Ask how much of the question is covered at all, and whether what the text itself raises is answered."""
    found = spoken(read)
    asked = {word for word, weight in read.look.weights.items() if weight > 1}
    named = {word for one in found for word in one.stems if word in asked}
    shown = [want for want in read.wanted if any(shown_by(one, want) for one in found)]
    covered = (100 * min(len(named), 8) // max(1, min(len(asked), 8)) + share_of(shown, read.wanted)) // 2
    raised = [at for at, one in enumerate(found) if raises(one)]
    answered = [at for at in raised if any(answers(one) for one in found[at : at + NEARBY + 1])]
    settled = share_of(answered, raised) if raised else 40
    used = [found[at] for at in answered][:2] or [one for one in found if any(shown_by(one, want) for want in shown)]
    return Mark(
        rounded(100 + (240 * covered + 160 * settled) // 100 if found else 100),
        tuple(dict.fromkeys([*used[:2], *breadth(found, named)]))[:QUOTED],
        f"{covered} % of what is asked is spoken of; {met(len(raised), len(answered))}.",
    )


def rhetoric(subject: str, read: Reading) -> Mark:
    """Ask whether a reader understands it at once, and whether it owns up to its limits: clarity, receptiveness."""
    near = spoken(read) or list(units(subject))
    clear = sum(clarity(one) for one in near) // max(1, len(near))
    open_minded = [one for one in near if owns_up(one)]
    loud = [one for one in near if is_loud(one)]
    received = limited(100 * (len(open_minded) - len(loud)) // max(4, len(near) // 4), least=0, most=100)
    score = 100 + (210 * clear + 170 * received) // 100
    best = sorted(near, key=lambda one: (-clarity(one) - 10 * owns_up(one), one.start))
    return Mark(
        rounded(score),
        tuple(dict.fromkeys([*open_minded[:1], *(best if score >= 300 else list(reversed(best)))]))[:QUOTED],
        f"Clear to {clear} %; owns up to a limit or another view {often(len(open_minded))}, claims more than it "
        f"shows {often(len(loud))}.",
    )


STRATEGIES: Mapping[str, Strategy] = {"logic": logic, "dialectic": dialectic, "rhetoric": rhetoric}
"""In the order in which judges without a strategy of their own take them."""


def spoken(read: Reading) -> list[Unit]:
    """Return what speaks of the criterion itself; where that is next to nothing, all that was read."""
    return [one.unit for one in read.found if one.near or not names_it(read)]


def names_it(read: Reading) -> bool:
    """Say whether enough of the text speaks of the criterion itself."""
    return sum(one.near for one in read.found) >= ENOUGH


def breadth(found: Sequence[Unit], named: set[str]) -> list[Unit]:
    """Return the units that name most of what is asked."""
    return sorted(found, key=lambda one: (-len(one.stems & named), one.start))


def share_of(part: Sequence[object], whole: Sequence[object]) -> int:
    return 100 * len(part) // len(whole) if whole else 0


def raises(one: Unit) -> bool:
    """Say whether a unit raises an objection against itself."""
    found = one.signs
    return one.smells or bool(found.limits or found.assumptions or found.denied or "?" in one.text[-2:])


def answers(one: Unit) -> bool:
    """Say whether a unit answers an objection."""
    found = one.signs
    return "checks" in one.kinds or bool(found.mitigations or found.conditions or (found.reasons and found.grounded))


def owns_up(one: Unit) -> bool:
    found = one.signs
    return "words" in one.kinds or bool(found.limits or found.hedges or found.comparisons)


def is_loud(one: Unit) -> bool:
    found = one.signs
    return not one.is_code and not found.grounded and bool(found.absolutes or found.puffery or found.hollow)


def clarity(one: Unit) -> int:
    """Return how easily a unit is understood, 0 to 100."""
    if one.is_code:
        return limited(90 - (40 if one.words > WIDE else 0) - (40 if one.smells else 0), least=0, most=100)
    long = max(0, one.words - LONG_SENTENCE)
    murky = len(one.signs.vague) + len(one.signs.puffery) + len(one.signs.hollow)
    return limited(80 + (10 if one.signs.grounded else 0) - 3 * long - 25 * murky, least=0, most=100)


def rounded(score: int) -> int:
    return limited((score + STEP // 2) // STEP * STEP, least=100, most=500)


def counted(number: int, noun: str) -> str:
    return f"1 {noun}" if number == 1 else f"{number} {noun}s"


def often(times: int) -> str:
    return {0: "never", 1: "once", 2: "twice"}.get(times, f"{times} times")


def met(raised: int, answered: int) -> str:
    """Return how objections that a text raises itself are answered, in words."""
    if not raised:
        return "the text raises no objection itself"
    return f"of {counted(raised, 'objection')} that the text itself raises, {answered or 'none'} answered"
