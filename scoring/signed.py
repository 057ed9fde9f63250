"""Who gives which reason where, and which rescore sets a score is in: what an erasure takes the words of."""

from collections.abc import Iterator
from typing import Any

from django.apps import apps
from django.db.models import Model, Q, QuerySet

from scoring import models

SIGNED = (
    (models.ScoreChange, "actor", "reason", "evaluation__debate"),
    (models.Approval, "requested_by", "because", "evaluation__debate"),
    (models.Approval, "decided_by", "decided_because", "evaluation__debate"),
    (models.Alert, "handled_by", "handled_because", "debate"),
    (models.AlertAnswer, "by", "because", "debate"),
    (models.Conflict, "by", "because", "debate"),
    (models.BrokenSeal, "by", "because", "debate"),
    (models.ReplacedJudge, "by", "because", "debate"),
    (models.Appeal, "appellant", "because", "debate"),
    (models.Appeal, "decided_by", "decided_because", "debate"),
    (models.RescoreSet, "staged_by", "because", None),
    (models.RescoreSet, "decided_by", "decided_because", None),
    (models.Erasure, "by", "because", None),
)
"""Table, its actor, its reason, its debate."""


def given_in(debate_id: int | None) -> Q:
    condition = Q()
    for model, _, reason, debate in SIGNED:
        if debate is not None:
            condition |= Q(pk__in=model._default_manager.filter(**{debate: debate_id}).values(reason))  # noqa: SLF001 -- Django's public name
    sets = models.RescoreSet.objects.filter(about(models.Evaluation.objects.filter(debate=debate_id)))
    return condition | Q(pk__in=sets.values("because")) | Q(pk__in=sets.values("decided_because"))


def given_by(user_id: int | None) -> Q:
    condition = Q()
    for model, actor, reason, _ in SIGNED:
        condition |= Q(pk__in=model._default_manager.filter(**{f"{actor}__user": user_id}).values(reason))  # noqa: SLF001 -- as above
    return condition


def debates_of(user_id: int) -> set[int]:
    """Return the debates in which somebody's name stands, or a reason that they gave, whoever acted for it later."""
    actors, reasons = models.Actor.objects.filter(user=user_id), models.Reason.objects.filter(given_by(user_id))
    return read_in(models.Actor, actors) | read_in(models.Reason, reasons)


def debates_sharing(debate_id: int) -> set[int]:
    """Return the debates in which a reason stands that was given in this one: one act may be on scores of several."""
    return read_in(models.Reason, models.Reason.objects.filter(given_in(debate_id)))


def read_in(model: type[Model], rows: QuerySet[Any]) -> set[int]:
    """Return the debates with a row that points to one of these rows."""
    debates: set[int] = set()
    for pointing, column, debate in pointing_to(model):
        if debate:
            in_rows = {f"{column}__in": rows.values("pk")}
            debates |= set(pointing._default_manager.filter(**in_rows).values_list(debate, flat=True))  # noqa: SLF001 -- as above
    return debates - {None}


def pointing_to(model: type[Model]) -> Iterator[tuple[type[Model], str, str]]:
    """Yield every column of any app that points to a table, with the path to the debate of its row, if it has one."""
    for pointing in apps.get_models():
        fields = pointing._meta.concrete_fields  # noqa: SLF001 -- as above
        names = {field.name for field in fields}
        path = "debate" if "debate" in names else "evaluation__debate" if "evaluation" in names else ""
        yield from ((pointing, field.name, path) for field in fields if field.related_model is model)


def about(evaluations: QuerySet[models.Evaluation]) -> Q:
    """Return how to find the rescore sets with one of these scores in them, whatever became of them."""
    condition = Q(pk__in=[])
    for public_id in evaluations.values_list("public_id", flat=True):
        condition |= Q(lines__contains=[{"evaluation": str(public_id)}])
    return condition
