"""Three offline judges of a panel, who read with different eyes: logic, dialectic, rhetoric."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

from judging.heuristics import argument_strength, wording
from judging.heuristics.evaluator import DECAY, HALFWAY
from judging.heuristics.subjects import WIDE, Reading, Unit, card_of, reading, shows_want, units
from judging.heuristics.text import hundredths, limited, squeezed, written
from judging.rules import quotes
from judging.rules.consensus import COMPARED_PLACES
from judging.rules.quotes import own_words
from judging.types import Bench, Gap, Item, Opinion, Stand
from scoring.rules.numbers import half_up

# Three offline judges of a panel, who read with different eyes: logic, dialectic, rhetoric.


# Three ways to read a subject for one criterion. Each weighs other things and rests on other passages.


STEP = 50
"""Scores are given in halves of a point."""
NEARBY = 2
"""Units behind an objection in which an answer to it is looked for."""
LONG_SENTENCE = 28
QUOTED = 3
ENOUGH = 3
"""Units that have to speak of a criterion itself before the others are left aside."""


@dataclass(frozen=True, slots=True)
class CriterionMark:
    """What one way of reading gives: hundredths of 1..5, the units it rests on, and why in words."""

    score: int
    units: tuple[Unit, ...]
    because: str


Strategy = Callable[[str, Reading], CriterionMark]


def logic(subject: str, read: Reading) -> CriterionMark:
    """Weigh what is shown, and take off for what contradicts it: strength and consistency."""
    strong = sorted(read.units, key=lambda unit: (-unit.worth, unit.unit.start))
    weight = sum(unit.worth * share for unit, share in zip(strong, DECAY, strict=False)) // 70
    against = [unit for unit in read.units if unit.bad or is_loud(unit.unit)]
    score = 100 + 400 * weight // (weight + HALFWAY) - 25 * min(4, len(against))
    worthy = [unit.unit for unit in strong if unit.worth > 0]
    carried = limited(100 * weight // (weight + HALFWAY), least=0, most=100)
    heavy = f"{counted(len(worthy), 'passage')} of weight, together {carried} % of what would be ample"
    said = heavy if worthy else "nothing of weight"
    return CriterionMark(
        rounded(score),
        tuple(worthy[:QUOTED] or [unit.unit for unit in against[:1]]),
        f"The evidence for it: {said}; against it: {counted(len(against), 'passage') if against else 'nothing'}.",
    )


def dialectic(subject: str, read: Reading) -> CriterionMark:
    """Ask how much of the question is covered at all, and whether what the text itself raises is answered."""
    other_units = spoken(read)
    asked = {word for word, weight in read.look.weights.items() if weight > 1}
    named = {word for unit in other_units for word in unit.stems if word in asked}
    covered_wants = [want for want in read.wants if any(shows_want(unit, want) for unit in other_units)]
    covered = (100 * min(len(named), 8) // max(1, min(len(asked), 8)) + share_of(covered_wants, read.wants)) // 2
    raised = [at for at, unit in enumerate(other_units) if raises(unit)]
    answered = [at for at in raised if any(answers(unit) for unit in other_units[at : at + NEARBY + 1])]
    settled = share_of(answered, raised) if raised else 40
    used = [other_units[at] for at in answered][:2] or [
        unit for unit in other_units if any(shows_want(unit, want) for want in covered_wants)
    ]
    return CriterionMark(
        rounded(100 + (240 * covered + 160 * settled) // 100 if other_units else 100),
        tuple(dict.fromkeys([*used[:2], *breadth(other_units, named)]))[:QUOTED],
        f"{covered} % of what is asked is spoken of; {met(len(raised), len(answered))}.",
    )


def rhetoric(subject: str, read: Reading) -> CriterionMark:
    """Ask whether a reader understands it at once, and whether it owns up to its limits: clarity, receptiveness."""
    near = spoken(read) or list(units(subject))
    clear = sum(clarity(unit) for unit in near) // max(1, len(near))
    open_minded = [unit for unit in near if owns_up(unit)]
    loud = [unit for unit in near if is_loud(unit)]
    received = limited(100 * (len(open_minded) - len(loud)) // max(4, len(near) // 4), least=0, most=100)
    score = 100 + (210 * clear + 170 * received) // 100
    best = sorted(near, key=lambda unit: (-clarity(unit) - 10 * owns_up(unit), unit.start))
    return CriterionMark(
        rounded(score),
        tuple(dict.fromkeys([*open_minded[:1], *(best if score >= 300 else list(reversed(best)))]))[:QUOTED],
        f"Clear to {clear} %; it {often('owns up to a limit or another view', len(open_minded))}, and "
        f"{often('claims more than it shows', len(loud))}.",
    )


STRATEGIES: Mapping[str, Strategy] = {"logic": logic, "dialectic": dialectic, "rhetoric": rhetoric}
"""In the order in which judges without a strategy of their own take them."""


def spoken(read: Reading) -> list[Unit]:
    """Return what speaks of the criterion itself; where that is next to nothing, all that was read."""
    named = names_it(read)
    return [unit.unit for unit in read.units if unit.near or not named]


def names_it(read: Reading) -> bool:
    """Say whether enough of the text speaks of the criterion itself."""
    return sum(unit.near for unit in read.units) >= ENOUGH


def breadth(other_units: Sequence[Unit], named: set[str]) -> list[Unit]:
    """Return the units that name most of what is asked."""
    return sorted(other_units, key=lambda unit: (-len(unit.stems & named), unit.start))


def share_of(part: Sequence[object], whole: Sequence[object]) -> int:
    return 100 * len(part) // len(whole) if whole else 0


def raises(unit: Unit) -> bool:
    signs = unit.signs
    return unit.smells or bool(signs.limits or signs.assumptions or signs.denied or "?" in unit.text[-2:])


def answers(unit: Unit) -> bool:
    signs = unit.signs
    return "checks" in unit.kinds or bool(signs.mitigations or signs.conditions or (signs.reasons and signs.grounded))


def owns_up(unit: Unit) -> bool:
    signs = unit.signs
    return "words" in unit.kinds or bool(signs.limits or signs.hedges or signs.comparisons)


def is_loud(unit: Unit) -> bool:
    signs = unit.signs
    return not unit.is_code and not signs.grounded and bool(signs.absolutes or signs.puffery or signs.hollow)


def clarity(unit: Unit) -> int:
    """Return how easily a unit is understood, 0 to 100."""
    if unit.is_code:
        return limited(90 - (40 if unit.words > WIDE else 0) - (40 if unit.smells else 0), least=0, most=100)
    long = max(0, unit.words - LONG_SENTENCE)
    murky = len(unit.signs.vague) + len(unit.signs.puffery) + len(unit.signs.hollow)
    return limited(80 + (10 if unit.signs.grounded else 0) - 3 * long - 25 * murky, least=0, most=100)


def rounded(score: int) -> int:
    return limited((score + STEP // 2) // STEP * STEP, least=100, most=500)


def counted(number: int, noun: str) -> str:
    return f"1 {noun}" if number == 1 else f"{number} {noun}s"


def often(does: str, times: int) -> str:
    return f"{does} {({1: 'once', 2: 'twice'}).get(times, f'{times} times')}" if times else f"never {does}"


def met(raised: int, answered: int) -> str:
    """Return how objections that a text raises itself are answered, in words."""
    if not raised:
        return "the text raises no objection itself"
    return f"of {counted(raised, 'objection')} that the text itself raises, {answered or 'none'} answered"


# The independent analysis: each criterion read with the judge's own eyes, then looked at again for what was missed.


GOOD, POOR = 400, 250
LISTED = 3


@dataclass(frozen=True, slots=True)
class WeighedCriterion:
    """One criterion as this judge reads it, and after a second look; ``against`` is the passage that changed it."""

    item: Item
    read: Reading
    mark: CriterionMark
    revised: int
    against: Unit | None


def analyse(bench: Bench) -> dict[str, Any]:
    """Judge every criterion of a subject alone.

    Shape: ``criteria`` with verbatim quotes, reasoning, score, improvement; five ``questions`` with answers;
    ``revisions``; ``strengths`` and ``weaknesses``.
    Units: scores 1..5 as decimal strings.
    Source: docs/explanation/heuristic-judge.md#panels
    """
    bench = replace(bench, subject=quotes.own_words(bench.subject))
    weighed = [weigh(bench, item) for item in bench.items]
    return {
        "criteria": [judged(criterion) for criterion in weighed],
        "questions": questions(bench, weighed),
        "revisions": [revision(criterion) for criterion in weighed if criterion.against is not None],
        "strengths": [noted(criterion) for criterion in best_first(weighed) if criterion.revised >= GOOD][:LISTED],
        "weaknesses": [lacking(criterion) for criterion in reversed(best_first(weighed)) if criterion.revised <= POOR][
            :LISTED
        ],
    }


def weigh(bench: Bench, item: Item) -> WeighedCriterion:
    read, mark = marked(bench, bench.subject, item)
    against = overlooked(read, mark)
    revised = limited(mark.score - STEP, least=100, most=500) if against else mark.score
    return WeighedCriterion(item, read, mark, revised, against if revised != mark.score else None)


def marked(bench: Bench, subject: str, item: Item) -> tuple[Reading, CriterionMark]:
    """Return a subject as this judge reads it for one criterion, and what it gives at first sight."""
    read = reading(subject, card_of(item))
    return read, with_aspect(subject, read, STRATEGIES[strategy_of(bench)](subject, read))


def with_aspect(subject: str, read: Reading, mark: CriterionMark) -> CriterionMark:
    """Let the strength of the whole text count twice where a criterion asks how it argues; code does not argue."""
    every = units(subject)
    if not read.look.aspect or 2 * sum(unit.is_code for unit in every) >= len(every):
        return mark
    kind = argument_strength.kind_of(read.look.aspect)
    level = argument_strength.levels(subject)[kind]
    because = f"{mark.because} For {kind} the whole text stands above {level} of 100 known arguments."
    return replace(mark, score=rounded((mark.score + 2 * (100 + 4 * level)) // 3), because=because)


def strategy_of(bench: Bench) -> str:
    """Return how this judge reads; a name that is not known here reads by logic."""
    return bench.strategy if bench.strategy in STRATEGIES else "logic"


def overlooked(read: Reading, mark: CriterionMark) -> Unit | None:
    """Return the first passage that speaks against a good score and was not rested on."""
    if mark.score < GOOD:
        return None
    return next((unit.unit for unit in read.units if unit.bad and unit.unit not in mark.units), None)


def judged(criterion: WeighedCriterion) -> dict[str, Any]:
    return {
        "criterion": criterion.item.code,
        "quotes": [unit.quote for unit in criterion.mark.units],
        "reasoning": f"{criterion.item.name}: {criterion.mark.because}{of_reading(criterion)}",
        "score": written(criterion.mark.score),
        "improvement": improvement(criterion),
    }


def of_reading(criterion: WeighedCriterion) -> str:
    """Say where a score rests on less than passages about the criterion itself."""
    if not criterion.mark.units:
        return " No passage was found that speaks of it."
    return "" if names_it(criterion.read) else " Hardly a passage names it, so it was judged by the whole text."


def improvement(criterion: WeighedCriterion) -> str:
    there = {want for unit in criterion.read.units for want in unit.has}
    program = all(unit.unit.is_code for unit in criterion.read.units)
    missing = [want for want in criterion.read.wants if want not in there and (want in KINDS or not program)]
    if missing:
        return f"Show {want_named(missing[0])} for {wording.named(card_of(criterion.item))}."
    loud = next((unit.unit for unit in criterion.read.units if is_loud(unit.unit)), None)
    if loud is not None:
        return f"Say what shows this: \u201c{wording.snippet(loud.text)}\u201d"
    return f"Say what would change this judgement of {wording.named(card_of(criterion.item))}."


KINDS = {
    "checks": "what happens when something fails",
    "tests": "a test that would fail if it were wrong",
    "words": "a comment on why",
    "types": "what goes in and comes out",
    "structure": "which part does what",
    "bounds": "what bounds the work",
}


def want_named(want: str) -> str:
    return KINDS[want] if want in KINDS else wording.want(want)


def revision(criterion: WeighedCriterion) -> dict[str, Any]:
    assert criterion.against is not None  # noqa: S101 -- asked before
    return {
        "criterion": criterion.item.code,
        "score": written(criterion.revised),
        "because": "A second look found a passage that speaks against it.",
        "quotes": [criterion.against.quote],
    }


def noted(criterion: WeighedCriterion) -> str:
    said = f" (\u201c{wording.snippet(criterion.mark.units[0].text)}\u201d)" if criterion.mark.units else ""
    return f"{criterion.item.name}: {written(criterion.revised)}{said}"


def lacking(criterion: WeighedCriterion) -> str:
    """Name a weakness, with what speaks against it; what speaks for it is no reason to call it weak."""
    against = next((unit.unit for unit in criterion.read.units if unit.bad or is_loud(unit.unit)), None)
    said = f" (\u201c{wording.snippet(against.text)}\u201d)" if against else ""
    return f"{criterion.item.name}: {written(criterion.revised)}{said}"


def best_first(weighed: list[WeighedCriterion]) -> list[WeighedCriterion]:
    return sorted(weighed, key=lambda criterion: (-criterion.revised, criterion.item.code))


# -- looking for what speaks against oneself ---------------------------------------------------------------------------


def questions(bench: Bench, weighed: list[WeighedCriterion]) -> list[dict[str, str]]:
    """Return five questions that look for counter-evidence and for bias, each with what was found."""
    changed = [criterion for criterion in weighed if criterion.against is not None]
    return [
        asked(
            "Is there a passage against a good score on which I did not rest?",
            f"Yes: on {names(changed)}, quoted in the revision." if changed else "None was found.",
        ),
        asked("Would I have scored lower had the text been shorter?", of_length(bench, weighed)),
        asked("Did I take firm wording for evidence?", of_loudness(weighed)),
        asked("Does the text raise something that I left out because it answers it badly?", of_objections(weighed)),
        asked("Am I harsh or lenient throughout?", of_leaning(weighed)),
    ]


def asked(question: str, answer: str) -> dict[str, str]:
    return {"question": question, "answer": answer}


def of_length(bench: Bench, weighed: list[WeighedCriterion]) -> str:
    """Judge the first half of the text alone, and name what would have been scored higher."""
    half = bench.subject[: len(bench.subject) // 2]
    higher = [criterion for criterion in weighed if marked(bench, half, criterion.item)[1].score > criterion.mark.score]
    if higher:
        return f"The first half alone would score higher on {names(higher)}: length did not help there."
    return "The first half alone scores nowhere higher; what follows adds evidence or nothing."


def of_loudness(weighed: list[WeighedCriterion]) -> str:
    rested = [criterion for criterion in weighed if any(is_loud(unit) for unit in criterion.mark.units)]
    if rested:
        return f"A passage that claims more than it shows is among those quoted for {names(rested)}."
    return "No passage that I quote claims without showing."


def of_objections(weighed: list[WeighedCriterion]) -> str:
    units = {
        unit.start for criterion in weighed for other_unit in criterion.read.units if raises(unit := other_unit.unit)
    }
    if not units:
        return "The text raises no point against itself."
    return f"The text raises {counted(len(units), 'point')} against itself; all of them were read."


def of_leaning(weighed: list[WeighedCriterion]) -> str:
    mean = sum(criterion.revised for criterion in weighed) // len(weighed)
    spread = max(criterion.revised for criterion in weighed) - min(criterion.revised for criterion in weighed)
    leaning = "high" if mean >= GOOD else "low" if mean <= POOR else "in the middle"
    return f"My mean lies {leaning}, at {written(mean)}; my scores are {written(spread)} apart."


def names(weighed: list[WeighedCriterion]) -> str:
    return wording.listed([criterion.item.name for criterion in weighed])


# A debate round: a judge moves only for a passage a peer brought that it had not used, and half way at most.


MOVE_STEP = 25
"""Hundredths to which a move is cut down, towards the old score."""
CLOSE = Decimal("0.5")
NEAR = Decimal(1)


def argue(bench: Bench) -> dict[str, Any]:
    """Defend or revise every disagreement, from the reports of the round before.

    Shape: ``sections`` with defence, challenge, score, because and quotes; ``accepts``; ``agrees_with``.
    Source: docs/explanation/heuristic-judge.md#panels
    """
    assert bench.own is not None  # noqa: S101 -- who debates has a report of their own
    peers = {stand.judge: stand for stand in bench.others}
    sections = [section(bench, gap, [peers[judge].on(gap.code) for judge, _ in gap.opponents]) for gap in bench.gaps]
    own = after(bench, sections)
    agrees = [stand.judge for stand in bench.others if agree(own, stand, bench)]
    return {"sections": sections, "accepts": len(agrees) == len(bench.others), "agrees_with": agrees}


def section(bench: Bench, gap: Gap, opponents: Sequence[Opinion]) -> dict[str, Any]:
    """Speak to one disagreement: to everybody it is with; only for the farthest of them does a judge move."""
    assert bench.own is not None  # noqa: S101 -- as above
    mine, theirs = bench.own.on(gap.code), opponents[0]
    item = next(item for item in bench.items if item.code == gap.code)
    new = unused(mine, theirs, lambda quote: bears_on(quote, subject=own_words(bench.subject), item=item))
    moved = half_way(gap) if new else gap.own_score
    if moved != gap.own_score:
        because = f"{gap.other} quotes a passage that I had not used; it carries half of the way at most."
    elif new:
        because = f"{gap.other} quotes a passage that I had not used, but half of the way is less than a step."
    else:
        because = f"{gap.other} quotes nothing on it that I had not weighed; numbers alone are no reason to move."
    return {
        "criterion": gap.code,
        "defence": rests_on(mine),
        "challenge": " ".join(
            f"{judge} gives {written(points(score))}. {rests_on(opinion)}"
            for (judge, score), opinion in zip(gap.opponents, opponents, strict=True)
        ),
        "score": written(points(moved)),
        "because": because,
        "quotes": [new] if moved != gap.own_score and new else [],
    }


def unused(mine: Opinion, theirs: Opinion, bearing: Callable[[str], bool]) -> str | None:
    """Return the first quote of a peer that bears on the criterion and says something else than all of one's own."""
    used = [squeezed(quote) for quote in mine.quotes]
    new = (
        quote for quote in theirs.quotes if not any(squeezed(quote) in own or own in squeezed(quote) for own in used)
    )
    return next((quote for quote in new if bearing(quote)), None)


def bears_on(quote: str, *, subject: str, item: Item) -> bool:
    """Tell whether a quote is of a passage that speaks of a criterion itself, or shows what is wanted of it."""
    passage = squeezed(quote)
    units = (match.unit for match in reading(subject, card_of(item)).units if match.near)
    return any(passage in squeezed(unit.text) or squeezed(unit.text) in passage for unit in units)


def half_way(gap: Gap) -> Decimal:
    """Return the own score moved by half the gap, cut down to whole steps."""
    distance = points(gap.other_score) - points(gap.own_score)
    size = abs(distance) // 2 // MOVE_STEP * MOVE_STEP
    return Decimal(points(gap.own_score) + (size if distance > 0 else -size)).scaleb(-2)


def points(score: Decimal) -> int:
    return hundredths(score, otherwise=100)


def rests_on(opinion: Opinion) -> str:
    if not opinion.quotes:
        return "No passage was found for it."
    return f"It rests on \u201c{squeezed(opinion.quotes[0])}\u201d"


def after(bench: Bench, sections: list[dict[str, Any]]) -> dict[str, Decimal]:
    """Return the own scores as they are after this round, by criterion."""
    assert bench.own is not None  # noqa: S101 -- as above
    moved = {section["criterion"]: Decimal(section["score"]) for section in sections}
    return {opinion.code: moved.get(opinion.code, opinion.score) for opinion in bench.own.opinions}


def agree(own: dict[str, Decimal], other: Stand, bench: Bench) -> bool:
    """Say whether one could sign another's scores: a point apart at most anywhere, half a point overall."""
    apart = [abs(own[opinion.code] - opinion.score) for opinion in other.opinions if opinion.code in own]
    both = [item for item in bench.items if item.code in own and other.scores(item.code)]
    weighted = sum((Fraction(own[item.code]) * item.share for item in both), Fraction(0))
    whole = sum((item.share for item in both), Fraction(0)) or 1  # the other may say of some that they do not apply
    overall = half_up(Fraction(weighted, whole), places=COMPARED_PLACES)
    return max(apart, default=Decimal(0)) <= NEAR and abs(overall - other.overall) <= CLOSE


# The closing words about a panel, from its numbers alone.


LISTED_IN_REPORT = 5


def report(bench: Bench) -> dict[str, Any]:
    """Sum a panel up in words; every number comes from the result.

    Shape: ``summary``, and lists of ``strengths``, ``weaknesses`` and ``advice``.
    """
    result = bench.result
    rounds, judges = int(result.get("rounds", 0)), int(result.get("counted", 0))
    how = "without a debate" if not rounds else f"after {wording.counted(rounds, 'debate round')}"
    overall = (result.get("overall") or {}).get("after")
    disputed = [str(code) for code in result.get("disputed", [])]
    overridden = [str(row["code"]) for row in result.get("criteria", []) if row.get("override")]
    if result.get("agreed") and judges == 1:
        said = "One judge has judged." if overridden else f"One judge gives {overall} of 5."
    elif result.get("agreed"):
        on = "" if overridden else f" on {overall} of 5"
        said = f"{wording.counted(judges, 'judge').capitalize()} agree {how}{on}."
    else:
        few = result.get("reason") == "quorum_lost"
        why = "Too few judges have given scores" if few else f"The judges do not agree {how}"
        said = f"{why}; in dispute: {wording.listed(disputed)}."
    if overridden:
        stands = f", and the whole stands at {overall} of 5" if overall else ""
        said += f" A person decided {wording.listed(overridden)}{stands}."
    return {
        "summary": said,
        "strengths": [str(strength) for strength in result.get("strengths", [])][:LISTED_IN_REPORT],
        "weaknesses": [str(weakness) for weakness in result.get("weaknesses", [])][:LISTED_IN_REPORT],
        "advice": [str(improvement) for improvement in result.get("improvements", [])][:LISTED_IN_REPORT],
    }
