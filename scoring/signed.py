"""Who gives which reason where, and which rescore sets a score is in: what an erasure takes the words of."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from scoring.models import (
    Alert,
    AlertAnswer,
    Appeal,
    Approval,
    BrokenSeal,
    Conflict,
    Erasure,
    Evaluation,
    ReplacedJudge,
    RescoreSet,
    ScoreChange,
)

SIGNED = (
    (ScoreChange, "actor", "reason", "evaluation__debate"),
    (Approval, "requested_by", "because", "evaluation__debate"),
    (Approval, "decided_by", "decided_because", "evaluation__debate"),
    (Alert, "handled_by", "handled_because", "debate"),
    (AlertAnswer, "by", "because", "debate"),
    (Conflict, "by", "because", "debate"),
    (BrokenSeal, "by", "because", "debate"),
    (ReplacedJudge, "by", "because", "debate"),
    (Appeal, "appellant", "because", "debate"),
    (Appeal, "decided_by", "decided_because", "debate"),
    (RescoreSet, "staged_by", "because", None),
    (RescoreSet, "decided_by", "decided_because", None),
    (Erasure, "by", "because", None),
)
"""Table, its actor, its reason, its debate."""


def given_in(debate_id: int | None) -> Q:
    condition = Q()
    for model, _, reason, debate in SIGNED:
        if debate is not None:
            condition |= Q(pk__in=model._default_manager.filter(**{debate: debate_id}).values(reason))  # noqa: SLF001 -- Django's public name
    sets = RescoreSet.objects.filter(about(Evaluation.objects.filter(debate=debate_id)))
    return condition | Q(pk__in=sets.values("because")) | Q(pk__in=sets.values("decided_because"))


def given_by(user_id: int | None) -> Q:
    condition = Q()
    for model, actor, reason, _ in SIGNED:
        condition |= Q(pk__in=model._default_manager.filter(**{f"{actor}__user": user_id}).values(reason))  # noqa: SLF001 -- as above
    return condition


def debates_of(user_id: int) -> set[int]:
    """Return the debates in which somebody gave a reason."""
    debates: set[int] = set()
    for model, actor, _, debate in SIGNED:
        if debate is not None:
            debates |= set(model._default_manager.filter(**{f"{actor}__user": user_id}).values_list(debate, flat=True))  # noqa: SLF001 -- as above
    return debates


def about(evaluations: QuerySet[Evaluation]) -> Q:
    """Return how to find the rescore sets with one of these scores in them, whatever became of them."""
    condition = Q(pk__in=[])
    for public_id in evaluations.values_list("public_id", flat=True):
        condition |= Q(lines__contains=[{"evaluation": str(public_id)}])
    return condition
