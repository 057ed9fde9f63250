"""The result of a debate as one document: what a consumer wants, and what the synthesis is about."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

from debates.decimals import in_places, written
from debates.models import Debate
from debates.types import Status
from judging.formats import repeated
from judging.formats.criterion.state import TABLES, not_assessed
from judging.models import Verdict
from judging.pages.participants import document_head, judged_by
from judging.pages.transcript import last_words, written_about
from judging.types import Winner
from scoring.models import Evaluation
from scoring.rubrics import category_weights
from scoring.rules import overall
from scoring.rules.overall import Category, Overall
from scoring.services.previews import Figures, finals_with


def numbers(*, debate: Debate) -> dict[str, Any]:
    """Return what a criterion debate comes to, before and after, computed now from the evaluations.

    Shape: decimals are strings; what is not evaluated is null. Before and after are of the same criteria, those that
    have a final score; while none has, before is of all of them.
    """
    evaluations = list(Evaluation.objects.filter(debate=debate).order_by("position", "pk"))
    finals = {evaluation.pk: evaluation.final_score for evaluation in evaluations if evaluation.final_score is not None}
    starts = {row.pk: row.initial_score for row in evaluations if row.pk in finals or not finals}
    before = summed(debate=debate, evaluations=evaluations, scores=starts)
    judged = has_result(evaluations=evaluations)
    after = overall_of(debate=debate, evaluations=evaluations, scores=finals, judged=judged)
    ruled = rulings(evaluations=evaluations)
    verdicts = sum(ruled.values())
    ended = [(row.key, row.final_score) for row in evaluations if row.final_score is not None] if judged else []
    cards = {card["code"]: card for card in debate.parameters["rubric"]["criteria"]}
    confidences = [
        evaluation.confidence for evaluation in evaluations if evaluation.confidence is not None and evaluation.basis
    ]
    return {
        "overall": said_of(after, before=before.score),
        "scored": {"criteria": len(finals), "of": len(evaluations)},
        "categories": [
            {"category": name, "before": in_places(before.means[name]), "after": in_places(after.means[name])}
            for name in before.means
        ],
        "criteria": [shown(evaluation, card=cards[evaluation.key]) for evaluation in evaluations],
        "strengths": [key for key, final in ended if overall.is_strength(final=final)],
        "weaknesses": [key for key, final in ended if overall.is_weakness(final=final)],
        "survivalRate": in_places(overall.survival_rate(won=ruled[Winner.EVALUATOR.value], verdicts=verdicts)),
        "verdicts": verdicts,
        "winners": ruled,
        "confidence": in_places(overall.mean_confidence(confidences=confidences)),
    }


def shown(evaluation: Evaluation, *, card: Mapping[str, Any]) -> dict[str, Any]:
    """Return one criterion with its scores, as whoever writes the synthesis reads it."""
    return {
        "code": evaluation.key,
        "name": evaluation.name,
        "category": evaluation.category,
        **{field: card[field] for field in ("question", "high", "low")},
        "initial": in_places(evaluation.initial_score),
        "override": in_places(evaluation.override_score),
        "final": in_places(evaluation.final_score),
    }


def said_of(whole: Overall, *, before: Decimal | None) -> dict[str, Any]:
    return {
        "before": in_places(before),
        "after": in_places(whole.score),
        "coverage": in_places(whole.coverage),
        "recommendation": whole.recommendation,
        "band": whole.band,
    }


def summed(*, debate: Debate, evaluations: Sequence[Evaluation], scores: Mapping[int, Decimal]) -> Overall:
    """Return the overall of some scores over the categories of the whole rubric, played or not."""
    categories = {
        name: Category(
            weight=weight,
            scores=[
                scores[evaluation.pk]
                for evaluation in evaluations
                if evaluation.category == name and evaluation.pk in scores
            ],
        )
        for name, weight in category_weights(criteria=debate.parameters["rubric"]["criteria"]).items()
    }
    return overall.overall(categories=categories)


def kept_initial(*, evaluation: Evaluation) -> bool:
    """Say whether a score is the initial one, kept because no verdict counts: no result of a debate."""
    return evaluation.computed_score is not None and evaluation.override_score is None and not evaluation.basis


def has_result(*, evaluations: Iterable[Evaluation]) -> bool:
    """Say whether any score is more than the initial one, kept."""
    return any(row.final_score is not None and not kept_initial(evaluation=row) for row in evaluations)


def overall_of(
    *, debate: Debate, evaluations: Sequence[Evaluation], scores: Mapping[int, Decimal], judged: bool
) -> Overall:
    """Return the overall of some scores, and what it recommends: nothing where the debate was cancelled.

    Shape: where nothing is ``judged``, it is where the debate began, and has no band either.
    Source: docs/reference/rules.md#overall
    """
    whole = summed(debate=debate, evaluations=evaluations, scores=scores)
    if not judged:
        return replace(whole, recommendation=None, band=None)
    return replace(whole, recommendation=None) if debate.status == Status.CANCELLED else whole


def comes_to(*, debate: Debate, foreseen: Mapping[int, Figures]) -> dict[str, str]:
    """Return the overall and what it recommends, with some scores as foreseen."""
    rows = list(Evaluation.objects.filter(debate=debate).order_by("position", "pk"))
    scores = {pk: final for pk, final in finals_with(foreseen, rows).items() if final is not None}
    judged = any(
        foreseen[row.pk].counts if row.pk in foreseen else not kept_initial(evaluation=row)
        for row in rows
        if row.pk in scores
    )
    whole = overall_of(debate=debate, evaluations=rows, scores=scores, judged=judged)
    return {
        "Overall": "not evaluated" if whole.score is None else written(whole.score, least=2),
        "Recommendation": whole.recommendation.value if whole.recommendation else "none",
    }


def rulings(*, evaluations: Sequence[Evaluation]) -> dict[str, int]:
    """Return how many of the counted verdicts each side won, and how many were a draw."""
    counted = [fact for evaluation in evaluations for fact in evaluation.basis]
    winners = list(Verdict.objects.filter(fact_id__in=counted).values_list("winner", flat=True))
    return {winner.value: winners.count(winner.value) for winner in Winner}


def document(*, debate: Debate) -> dict[str, Any]:
    evaluations = Evaluation.objects.filter(debate=debate).select_related("thread").order_by("position", "pk")
    synthesis = last_words(debate=debate)
    return {
        **document_head(debate=debate),
        **{name: value for name, value in numbers(debate=debate).items() if name != "criteria"},
        "evaluations": [of_evaluation(evaluation) for evaluation in evaluations],
        "notAssessed": left_out(debate=debate),
        "judgedBy": judged_by(debate=debate),
        "fairness": repeated.of_debate(debate=debate, tables=TABLES),
        "synthesis": synthesis.turn.text if synthesis else None,
        "synthesisOverall": written_about(synthesis) if synthesis else None,
    }


def left_out(*, debate: Debate) -> list[dict[str, str]]:
    """Return the criteria that the evaluator could not assess, in the rubric's order: why, and what helps."""
    cards = {card["code"]: card for card in debate.parameters["rubric"]["criteria"]}
    return [
        {
            "criterion": key,
            "name": cards[key]["name"],
            "category": cards[key]["category"],
            "reason": answer.reason.value,
            "why": answer.why,
            "helps": answer.helps,
        }
        for key, answer in not_assessed(debate=debate).items()
    ]


def of_evaluation(evaluation: Evaluation) -> dict[str, Any]:
    return {
        "id": str(evaluation.public_id),
        "criterion": evaluation.key,
        "name": evaluation.name,
        "category": evaluation.category,
        "initial": in_places(evaluation.initial_score),
        "computed": in_places(evaluation.computed_score),
        "override": in_places(evaluation.override_score),
        "final": in_places(evaluation.final_score),
        "initialConfidence": in_places(evaluation.initial_confidence),
        "confidence": in_places(evaluation.confidence),
        "verdicts": len(evaluation.basis),
        "rounds": evaluation.debate_round_count,
        "run": evaluation.run_number,
        "complete": evaluation.debate_complete,
        "frozen": evaluation.frozen_at is not None,
        "thread": evaluation.thread.status,
    }
