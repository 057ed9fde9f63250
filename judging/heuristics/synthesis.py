"""The closing summary: what the scores say, what is strong, what is weak, and what to write next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from judging.heuristics import criteria, wording
from judging.heuristics.numbers import hundredths, written
from judging.heuristics.relevance import bearings
from judging.heuristics.text import cut
from judging.types import CriterionCard, Material

STRONG = 700
WEAK = 400
LISTED = 5
"""Strengths, weaknesses and pieces of advice at most."""
UNKNOWN = -1


@dataclass(frozen=True, slots=True)
class Outcome:
    """One criterion after the debate; scores in hundredths, ``UNKNOWN`` where there is none."""

    card: CriterionCard
    initial: int
    final: int


def synthesise(material: Material) -> dict[str, Any]:
    """Sum up a debate from its result, in words. Missing keys leave their sentence out.

    Shape: ``summary``, and lists of ``strengths`` (final 7 or more), ``weaknesses`` (4 or less) and ``advice``.
    """
    outcomes = [one for one in map(outcome, listed(material.result.get("criteria"))) if one is not None]
    scored = [one for one in outcomes if one.final != UNKNOWN]
    best = sorted((one for one in scored if one.final >= STRONG), key=lambda one: (-one.final, one.card.code))
    worst = sorted((one for one in scored if one.final <= WEAK), key=lambda one: (one.final, one.card.code))
    weakest = sorted(scored, key=lambda one: (one.final, one.card.code))
    return {
        "summary": summary(material, scored),
        "strengths": [strength(one, material.subject) for one in best[:LISTED]],
        "weaknesses": [weakness(one, material.subject) for one in worst[:LISTED]],
        "advice": [advice(one, material.subject) for one in weakest[:LISTED] if one.final < STRONG],
    }


def listed(value: object) -> list[Mapping[str, Any]]:
    if not isinstance(value, (list, tuple)):
        return []
    return [one for one in value if isinstance(one, Mapping)]


def outcome(entry: Mapping[str, Any]) -> Outcome | None:
    code, name = str(entry.get("code") or ""), str(entry.get("name") or "")
    if not (code or name):
        return None
    card = CriterionCard(
        code=code, name=name or code, category=str(entry.get("category") or ""), question="", high="", low=""
    )
    initial = hundredths(entry.get("initial"), otherwise=UNKNOWN)
    return Outcome(card=card, initial=initial, final=hundredths(entry.get("final"), otherwise=UNKNOWN))


def summary(material: Material, scored: list[Outcome]) -> str:
    """Tell the movement of the overall score, of the criteria, what is recommended, and how the answers fared."""
    result = material.result
    before = hundredths(result.get("overall_before"), otherwise=UNKNOWN)
    after = hundredths(result.get("overall_after"), otherwise=UNKNOWN)
    title = wording.snippet(material.subject_title) or "the subject"
    parts = [movement(title, before, after)]
    raised = sum(1 for one in scored if one.final > one.initial != UNKNOWN)
    lowered = sum(1 for one in scored if one.final < one.initial)
    if scored:
        counted = wording.counted(len(scored), "scored criterion").replace("criterions", "criteria")
        parts.append(wording.filled("synthesis.moved", count=counted, raised=str(raised), lowered=str(lowered)))
    if result.get("recommendation"):
        said = wording.snippet(str(result["recommendation"]), limit=40)
        parts.append(wording.filled("synthesis.recommendation", recommendation=said))
    rate = hundredths(result.get("survival_rate"), otherwise=UNKNOWN)
    if 0 <= rate <= 100:
        parts.append(wording.filled("synthesis.survival", rate=str(rate)))
    return " ".join(parts)


def movement(title: str, before: int, after: int) -> str:
    if after == UNKNOWN:
        return wording.filled("synthesis.unscored", title=title)
    if before == UNKNOWN:
        return wording.filled("synthesis.stands", title=title, after=written(after))
    key = "synthesis.same" if before == after else "synthesis.rose" if after > before else "synthesis.fell"
    return wording.filled(key, title=title, before=written(before), after=written(after))


def strength(one: Outcome, subject: str) -> str:
    found = [bearing for bearing in bearings(subject, one.card) if bearing.worth > 0]
    if not found:
        return f"{one.card.name} ({written(one.final)})"
    return f"{one.card.name} ({written(one.final)}): \u201c{cut(found[0].text, limit=160)}\u201d"


def weakness(one: Outcome, subject: str) -> str:
    found = bearings(subject, one.card)
    key = "synthesis.thin" if found else "synthesis.silent"
    return wording.filled(
        key,
        name=one.card.name,
        score=written(one.final),
        missing=criteria.lookout(one.card).missing,
        count=wording.counted(len(found), "passage"),
    )


def advice(one: Outcome, subject: str) -> str:
    """Say what to add: what the criterion wants and no passage shows."""
    look = criteria.lookout(one.card)
    found = bearings(subject, one.card)
    absent = [want for want in look.wants if not any(want in bearing.shown for bearing in found)] or list(look.wants)
    wants = wording.listed([wording.want(want) for want in absent])
    return wording.filled("synthesis.advice", name=one.card.name, missing=look.missing, wants=wants)
