"""The first score of a criterion: how much checkable evidence the subject brings for it."""

from __future__ import annotations

from typing import Any

from judging.heuristics import criteria, wording
from judging.heuristics.relevance import Bearing, bearings
from judging.heuristics.text import cut, limited, written
from judging.types import CriterionCard, Material

FLOOR = 220
"""Hundredths that a criterion gets on which the text is silent."""
REACH = 740
"""Hundredths that evidence can add; approached, never reached."""
HALFWAY = 2_100
"""Weight of evidence that earns half of the reach."""
DECAY = (100, 75, 56, 42, 32, 24, 18, 13, 10, 7, 5, 3)
"""Per cent at which the first, second, third ... passage counts, so that length alone buys little."""
NOBODY = CriterionCard(code="", name="", category="", question="", high="", low="")


def assess(material: Material) -> dict[str, Any]:
    """Score one criterion from the passages that bear on it.

    Shape: ``score``, ``confidence``, ``reasoning`` and up to three verbatim ``quotes``.
    Units: ``score`` 1..10 and ``confidence`` 0..1, as decimal strings with two places.
    Source: docs/explanation/heuristic-judge.md
    """
    card = material.criterion or NOBODY
    found = bearings(material.subject, card)
    weighty = [one for one in found if one.worth > 0]
    return {
        "score": written(score(found)),
        "confidence": written(confidence(found)),
        "reasoning": reasoning(card, found, weighty),
        "quotes": [cut(one.text) for one in weighty[:3]],
    }


def evidence(found: tuple[Bearing, ...]) -> int:
    """Return the weight of evidence: the best passage in full, each further one less."""
    return sum(one.worth * share for one, share in zip(found, DECAY, strict=False)) // 100


def covered(found: tuple[Bearing, ...]) -> int:
    """Return how far a criterion is covered, 0 to below 100."""
    weight = evidence(found)
    return 100 * weight // (weight + HALFWAY)


def score(found: tuple[Bearing, ...]) -> int:
    """Return the score in hundredths. Claims with nothing behind them cost; saying nothing costs less."""
    weight = evidence(found)
    earned = REACH * weight // (weight + HALFWAY)
    return limited(FLOOR + earned - empty_claims(found), least=100, most=1_000)


def empty_claims(found: tuple[Bearing, ...]) -> int:
    """Return what bears on the criterion, claims much and shows nothing, in hundredths, at most one point."""
    loud = [one for one in found if not one.passage.signs.grounded and is_loud(one)]
    return min(100, 15 * len(loud))


def is_loud(one: Bearing) -> bool:
    signs = one.passage.signs
    return bool(signs.absolutes or signs.puffery or signs.hollow or signs.denied or one.bad)


def confidence(found: tuple[Bearing, ...]) -> int:
    """Return how sure the score is, in hundredths: more passages make surer, passages that disagree less so."""
    weight = evidence(found)
    mixed = any(one.bad for one in found[:4]) and any(one.good for one in found[:4])
    return limited(28 + 64 * weight // (weight + HALFWAY) - (6 if mixed else 0), least=5, most=95)


def reasoning(card: CriterionCard, found: tuple[Bearing, ...], weighty: list[Bearing]) -> str:
    look = criteria.lookout(card)
    if not found:
        return wording.filled("assess.silent", missing=look.missing)
    lines = [wording.filled("assess.bearing", count=wording.counted(len(found), "passage"), name=wording.named(card))]
    if weighty:
        lines.append(wording.filled("assess.strongest", brought=wording.brought(weighty[0].passage.signs)))
    absent = [want for want in look.wants if not any(want in one.shown for one in found)]
    if absent:
        lines.append(wording.filled("assess.absent", absent=wording.listed([wording.want(one) for one in absent])))
    against = [phrase for one in found for phrase in one.bad]
    if against:
        lines.append(wording.filled("assess.against", words=wording.listed([f"\u201c{w}\u201d" for w in against[:3]])))
    loud = [one for one in found if not one.passage.signs.grounded and is_loud(one)]
    if loud:
        lines.append(wording.filled("assess.loud", count=wording.counted(len(loud), "passage")))
    return " ".join(lines)
