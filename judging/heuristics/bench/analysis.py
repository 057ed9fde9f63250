"""The independent analysis: each criterion read with the judge's own eyes, then looked at again for what was missed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from judging.bench import Bench, Item
from judging.heuristics import wording
from judging.heuristics.bench.strategies import STEP, STRATEGIES, Mark, counted, is_loud, names_it, raises
from judging.heuristics.bench.units import Reading, Unit, card_of, reading
from judging.heuristics.numbers import limited, written
from judging.rules import quotes

GOOD, POOR = 400, 250
LISTED = 3


@dataclass(frozen=True, slots=True)
class Weighed:
    """One criterion as this judge reads it, and after a second look; ``against`` is the passage that changed it."""

    item: Item
    read: Reading
    mark: Mark
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
        "criteria": [judged(one) for one in weighed],
        "questions": questions(bench, weighed),
        "revisions": [revision(one) for one in weighed if one.against is not None],
        "strengths": [noted(one) for one in best_first(weighed) if one.revised >= GOOD][:LISTED],
        "weaknesses": [lacking(one) for one in reversed(best_first(weighed)) if one.revised <= POOR][:LISTED],
    }


def weigh(bench: Bench, item: Item) -> Weighed:
    read = reading(bench.subject, card_of(item))
    mark = STRATEGIES[strategy_of(bench)](bench.subject, read)
    against = overlooked(read, mark)
    revised = limited(mark.score - STEP, least=100, most=500) if against else mark.score
    return Weighed(item, read, mark, revised, against if revised != mark.score else None)


def strategy_of(bench: Bench) -> str:
    """Return how this judge reads; a name that is not known here reads by logic."""
    return bench.strategy if bench.strategy in STRATEGIES else "logic"


def overlooked(read: Reading, mark: Mark) -> Unit | None:
    """Return the first passage that speaks against a good score and was not rested on."""
    if mark.score < GOOD:
        return None
    return next((one.unit for one in read.found if one.bad and one.unit not in mark.units), None)


def judged(one: Weighed) -> dict[str, Any]:
    return {
        "criterion": one.item.code,
        "quotes": [unit.quote for unit in one.mark.units],
        "reasoning": f"{one.item.name}: {one.mark.because}{of_reading(one)}",
        "score": written(one.mark.score),
        "improvement": improvement(one),
    }


def of_reading(one: Weighed) -> str:
    """Say where a score rests on less than passages about the criterion itself."""
    if not one.mark.units:
        return " No passage was found that speaks of it."
    return "" if names_it(one.read) else " Hardly a passage names it, so it was judged by the whole text."


def improvement(one: Weighed) -> str:
    shown = {want for found in one.read.found for want in found.shown}
    program = all(found.unit.is_code for found in one.read.found)
    missing = [want for want in one.read.wanted if want not in shown and (want in KINDS or not program)]
    if missing:
        return f"Show {want_named(missing[0])} for {wording.named(card_of(one.item))}."
    loud = next((found.unit for found in one.read.found if is_loud(found.unit)), None)
    if loud is not None:
        return f"Say what shows this: \u201c{wording.snippet(loud.text)}\u201d"
    return f"Say what would change this judgement of {wording.named(card_of(one.item))}."


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


def revision(one: Weighed) -> dict[str, Any]:
    assert one.against is not None  # noqa: S101 -- asked before
    return {
        "criterion": one.item.code,
        "score": written(one.revised),
        "because": "A second look found a passage that speaks against it.",
        "quotes": [one.against.quote],
    }


def noted(one: Weighed) -> str:
    said = f" (\u201c{wording.snippet(one.mark.units[0].text)}\u201d)" if one.mark.units else ""
    return f"{one.item.name}: {written(one.revised)}{said}"


def lacking(one: Weighed) -> str:
    """Name a weakness, with what speaks against it; what speaks for it is no reason to call it weak."""
    against = next((found.unit for found in one.read.found if found.bad or is_loud(found.unit)), None)
    said = f" (\u201c{wording.snippet(against.text)}\u201d)" if against else ""
    return f"{one.item.name}: {written(one.revised)}{said}"


def best_first(weighed: list[Weighed]) -> list[Weighed]:
    return sorted(weighed, key=lambda one: (-one.revised, one.item.code))


# -- looking for what speaks against oneself ---------------------------------------------------------------------------


def questions(bench: Bench, weighed: list[Weighed]) -> list[dict[str, str]]:
    """Return five questions that look for counter-evidence and for bias, each with what was found."""
    changed = [one for one in weighed if one.against is not None]
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


def of_length(bench: Bench, weighed: list[Weighed]) -> str:
    """Judge the first half of the text alone, and name what would have been scored higher."""
    half = bench.subject[: len(bench.subject) // 2]
    strategy = STRATEGIES[strategy_of(bench)]
    higher = [one for one in weighed if strategy(half, reading(half, card_of(one.item))).score > one.mark.score]
    if higher:
        return f"The first half alone would score higher on {names(higher)}: length did not help there."
    return "The first half alone scores nowhere higher; what follows adds evidence or nothing."


def of_loudness(weighed: list[Weighed]) -> str:
    rested = [one for one in weighed if any(is_loud(unit) for unit in one.mark.units)]
    if rested:
        return f"A passage that claims more than it shows is among those quoted for {names(rested)}."
    return "No passage that I quote claims without showing."


def of_objections(weighed: list[Weighed]) -> str:
    units = {unit.start for one in weighed for found in one.read.found if raises(unit := found.unit)}
    return f"The text raises {counted(len(units), 'point')} against itself; all of them were read."


def of_leaning(weighed: list[Weighed]) -> str:
    mean = sum(one.revised for one in weighed) // len(weighed)
    spread = max(one.revised for one in weighed) - min(one.revised for one in weighed)
    leaning = "high" if mean >= GOOD else "low" if mean <= POOR else "in the middle"
    return f"My mean lies {leaning}, at {written(mean)}; my scores are {written(spread)} apart."


def names(weighed: list[Weighed]) -> str:
    return wording.listed([one.item.name for one in weighed])
