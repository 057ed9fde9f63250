"""The closing summary: what the scores say, what is strong, what is weak, and what to write next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from judging.heuristics import criteria, wording
from judging.heuristics.criteria import bearings
from judging.heuristics.text import hundredths, written
from judging.types import CriterionCard, Material

STRONG = 700
WEAK = 400
LISTED = 5
"""Strengths, weaknesses and pieces of advice at most."""
UNKNOWN = -1


@dataclass(frozen=True, slots=True)
class CriterionOutcome:
    """One criterion after the debate; scores in hundredths, ``UNKNOWN`` where there is none."""

    card: CriterionCard
    initial: int
    final: int


def synthesise(material: Material) -> dict[str, Any]:
    """Sum up a debate from its result, in words. Missing keys leave their sentence out.

    Shape: ``summary``, and lists of ``strengths`` (final 7 or more), ``weaknesses`` (4 or less) and ``advice``.
    """
    result = material.result
    scored = [
        outcome
        for outcome in map(outcome, entries(result.get("criteria")))
        if outcome is not None and outcome.final != UNKNOWN
    ]
    weakest = sorted(scored, key=lambda outcome: (outcome.final, outcome.card.code))
    best = sorted(
        (outcome for outcome in scored if outcome.final >= STRONG),
        key=lambda outcome: (-outcome.final, outcome.card.code),
    )
    worst = [outcome for outcome in weakest if outcome.final <= WEAK]
    return {
        "summary": summary(material, scored),
        "strengths": strengths(best[:LISTED], material.subject) or names(result.get("strengths")),
        "weaknesses": [weakness(outcome, material.subject) for outcome in worst[:LISTED]]
        or names(result.get("weaknesses")),
        "advice": [advice(outcome, material.subject) for outcome in weakest[:LISTED] if outcome.final < STRONG],
    }


def entries(value: object) -> list[Mapping[str, Any]]:
    if not isinstance(value, (list, tuple)):
        return []
    return [part for part in value if isinstance(part, Mapping)]


def names(value: object) -> list[str]:
    """Return a list of criterion names from a result that names them without their scores."""
    if not isinstance(value, (list, tuple)):
        return []
    return [wording.snippet(part) for part in value if isinstance(part, str)][:LISTED]


def outcome(entry: Mapping[str, Any]) -> CriterionOutcome | None:
    code = str(entry.get("code") or entry.get("key") or "")
    name = str(entry.get("name") or "") or code
    if not name:
        return None
    texts = {field: str(entry.get(field) or "") for field in ("category", "question", "high", "low")}
    card = CriterionCard(code=code, name=name, **texts)
    initial = hundredths(entry.get("initial"), otherwise=UNKNOWN)
    return CriterionOutcome(card=card, initial=initial, final=hundredths(entry.get("final"), otherwise=UNKNOWN))


def found_in(result: Mapping[str, Any], *names: str) -> object:
    """Return the first value there is under one of several names; a dot steps into an object."""
    for name in names:
        value: object = result
        for step in name.split("."):
            value = value.get(step) if isinstance(value, Mapping) else None
        if value is not None:
            return value
    return None


def summary(material: Material, scored: list[CriterionOutcome]) -> str:
    """Tell the movement of the overall score, of the criteria, what is recommended, and how the answers fared."""
    result = material.result
    before = hundredths(found_in(result, "overall_before", "overall.before"), otherwise=UNKNOWN)
    after = hundredths(found_in(result, "overall_after", "overall.after"), otherwise=UNKNOWN)
    parts = [movement(wording.snippet(material.subject_title) or "The subject", before, after)]
    if len(scored) > 1:  # the way of a single one is the way of the whole
        parts.append(moved(scored))
    recommended = found_in(result, "recommendation", "overall.recommendation")
    if isinstance(recommended, str) and recommended:
        said = wording.snippet(recommended, limit=40)
        parts.append(wording.filled("synthesis.recommendation", recommendation=said))
    rate = hundredths(found_in(result, "survival_rate", "survivalRate"), otherwise=UNKNOWN)
    if 0 <= rate <= 100:
        parts.append(wording.filled("synthesis.survival", rate=str(rate)))
    return " ".join(parts)


def moved(scored: list[CriterionOutcome]) -> str:
    known = [outcome for outcome in scored if outcome.initial != UNKNOWN]
    raised = sum(1 for outcome in known if outcome.final > outcome.initial)
    lowered = sum(1 for outcome in known if outcome.final < outcome.initial)
    return wording.filled("synthesis.moved", count=str(len(scored)), raised=str(raised), lowered=str(lowered))


def movement(title: str, before: int, after: int) -> str:
    if after == UNKNOWN:
        return wording.filled("synthesis.unscored", title=title)
    if before == UNKNOWN:
        return wording.filled("synthesis.stands", title=title, after=written(after))
    key = "synthesis.same" if before == after else "synthesis.rose" if after > before else "synthesis.fell"
    return wording.filled(key, title=title, before=written(before), after=written(after))


def strengths(best: Sequence[CriterionOutcome], subject: str) -> list[str]:
    """Name each strength with the passage that carries it most, or with the next one where that is quoted already."""
    quoted: list[str] = []
    lines = []
    for outcome in best:
        carrying = [bearing.text for bearing in bearings(subject, outcome.card) if bearing.worth > 0]
        text = next((text for text in carrying if text not in quoted), "")
        quoted.append(text)
        said = f": \u201c{wording.snippet(text, limit=160)}\u201d" if text else ""
        lines.append(f"{outcome.card.name} ({written(outcome.final)}){said}")
    return lines


def weakness(outcome: CriterionOutcome, subject: str) -> str:
    rows = bearings(subject, outcome.card)
    key = {0: "synthesis.silent", 1: "synthesis.thin_one"}.get(len(rows), "synthesis.thin")
    return wording.filled(
        key,
        name=outcome.card.name,
        score=written(outcome.final),
        missing=criteria.lookout(outcome.card).missing,
        count=str(len(rows)),
    )


def advice(outcome: CriterionOutcome, subject: str) -> str:
    """Say what to add: what the criterion wants and no passage shows; for a rubric of one's own, what it calls good."""
    look = criteria.lookout(outcome.card)
    rows = bearings(subject, outcome.card)
    absent = [want for want in look.wants if not any(want in bearing.has for bearing in rows)] or list(look.wants)
    wants = wording.listed([wording.want(want) for want in absent])
    if not look.packaged and outcome.card.question and outcome.card.high:
        question, high = (wording.snippet(words, limit=200) for words in (outcome.card.question, outcome.card.high))
        return wording.filled("synthesis.asked", name=outcome.card.name, question=question, high=high, wants=wants)
    return wording.filled("synthesis.advice", name=outcome.card.name, missing=look.missing, wants=wants)
