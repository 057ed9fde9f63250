"""The result of a debate as one document: what a consumer wants, and what the synthesis is about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from debates.decimals import in_places
from debates.models import Debate
from judging.formats import repeated
from judging.formats.criterion.state import TABLES
from judging.models import Synthesis, Verdict
from judging.pages.participants import judged_by
from judging.types import Winner
from scoring.models import Evaluation
from scoring.rubrics import category_weights
from scoring.rules import overall
from scoring.rules.overall import Category, Overall


def numbers(*, debate: Debate) -> dict[str, Any]:
    """Return what a criterion debate comes to, before and after, computed now from the evaluations.

    Shape: decimals are strings; what is not evaluated is null. Before and after are of the same criteria, those that
    have a final score; while none has, before is of all of them.
    Source: docs/reference/results.md.
    """
    evaluations = list(Evaluation.objects.filter(debate=debate).order_by("position", "pk"))
    weights = category_weights(criteria=debate.parameters["rubric"]["criteria"])
    finals = {one.pk: one.final_score for one in evaluations if one.final_score is not None}
    starts = {row.pk: row.initial_score for row in evaluations if row.pk in finals or not finals}
    before = summed(evaluations=evaluations, scores=starts, weights=weights)
    after = summed(evaluations=evaluations, scores=finals, weights=weights)
    ruled = rulings(evaluations=evaluations)
    judged = sum(ruled.values())
    ended = [(one.key, one.final_score) for one in evaluations if one.final_score is not None]
    cards = {card["code"]: card for card in debate.parameters["rubric"]["criteria"]}
    confidences = [one.confidence for one in evaluations if one.confidence is not None and one.counted]
    return {
        "overall": said_of(after, before=before.score),
        "scored": {"criteria": len(finals), "of": len(evaluations)},
        "categories": [
            {"category": name, "before": in_places(before.means[name]), "after": in_places(after.means[name])}
            for name in before.means
        ],
        "criteria": [shown(one, card=cards[one.key]) for one in evaluations],
        "strengths": [key for key, final in ended if overall.is_strength(final=final)],
        "weaknesses": [key for key, final in ended if overall.is_weakness(final=final)],
        "survivalRate": in_places(overall.survival_rate(won=ruled[Winner.EVALUATOR.value], verdicts=judged)),
        "verdicts": judged,
        "winners": ruled,
        "confidence": in_places(overall.mean_confidence(confidences=confidences)),
    }


def shown(one: Evaluation, *, card: Mapping[str, Any]) -> dict[str, Any]:
    """Return one criterion with its scores, as whoever writes the synthesis reads it."""
    return {
        "code": one.key,
        "name": one.name,
        "category": one.category,
        **{field: card[field] for field in ("question", "high", "low")},
        "initial": in_places(one.initial_score),
        "final": in_places(one.final_score),
    }


def said_of(whole: Overall, *, before: Decimal | None) -> dict[str, Any]:
    return {
        "before": in_places(before),
        "after": in_places(whole.score),
        "coverage": in_places(whole.coverage),
        "recommendation": whole.recommendation,
        "band": whole.band,
    }


def summed(
    *, evaluations: Sequence[Evaluation], scores: Mapping[int, Decimal], weights: Mapping[str, Decimal]
) -> Overall:
    """Return the overall of some scores over the categories of the whole rubric, played or not."""
    categories = {
        name: Category(
            weight=weight,
            scores=[scores[one.pk] for one in evaluations if one.category == name and one.pk in scores],
        )
        for name, weight in weights.items()
    }
    return overall.overall(categories=categories)


def rulings(*, evaluations: Sequence[Evaluation]) -> dict[str, int]:
    """Return how many of the counted verdicts each side won, and how many were a draw."""
    counted = [fact for one in evaluations for fact in one.basis]
    found = list(Verdict.objects.filter(fact_id__in=counted).values_list("winner", flat=True))
    return {winner.value: found.count(winner.value) for winner in Winner}


def document(*, debate: Debate) -> dict[str, Any]:
    """Return the result document of a criterion debate.

    Source: docs/reference/results.md.
    """
    evaluations = Evaluation.objects.filter(debate=debate).select_related("thread").order_by("position", "pk")
    synthesis = Synthesis.objects.filter(debate=debate).select_related("turn").last()
    return {
        "format": debate.format,
        "debate": {
            "id": str(debate.public_id),
            "title": debate.title,
            "format": debate.format,
            "status": debate.status,
            "partial": debate.partial,
            "partialReason": debate.partial_reason,
            "rounds": debate.rounds,
        },
        **{name: value for name, value in numbers(debate=debate).items() if name != "criteria"},
        "evaluations": [of_evaluation(one) for one in evaluations],
        "judgedBy": judged_by(debate=debate),
        "fairness": repeated.of_debate(debate=debate, tables=TABLES),
        "synthesis": synthesis.turn.text if synthesis else None,
    }


def of_evaluation(one: Evaluation) -> dict[str, Any]:
    return {
        "id": str(one.public_id),
        "criterion": one.key,
        "name": one.name,
        "category": one.category,
        "initial": in_places(one.initial_score),
        "computed": in_places(one.computed_score),
        "override": in_places(one.override_score),
        "final": in_places(one.final_score),
        "initialConfidence": in_places(one.initial_confidence),
        "confidence": in_places(one.confidence),
        "verdicts": len(one.basis),
        "rounds": one.debate_round_count,
        "run": one.run_number,
        "complete": one.debate_complete,
        "frozen": one.frozen_at is not None,
        "thread": one.thread.status,
    }
