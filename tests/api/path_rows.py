"""Rows that are there, for every name that stands in an address of the API."""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User

from debates.models import ApiKey, AwaitedTurn, Debate, Delivery, Participant, Round, Subject, Thread, Turn, Webhook
from judging.models import JudgeReport, ResponseEvaluation, Review, Verdict
from scoring.models import Alert, Appeal, Approval, Conflict, Evaluation, RescoreSet, Rubric, ScoreChange

KINDS: Mapping[str, Any] = {
    "alerts": Alert, "appeals": Appeal, "api-keys": ApiKey, "approvals": Approval, "awaited-turns": AwaitedTurn,
    "conflicts": Conflict, "debates": Debate,
    "deliveries": Delivery, "evaluations": Evaluation, "participants": Participant, "reports": JudgeReport,
    "rescore-sets": RescoreSet, "response-evaluations": ResponseEvaluation, "reviews": Review, "rounds": Round,
    "rubrics": Rubric, "score-changes": ScoreChange, "subjects": Subject, "threads": Thread, "turns": Turn,
    "verdicts": Verdict, "webhooks": Webhook,
}  # fmt: skip
OWNED: Mapping[str, str] = {"api-keys": "owner", "deliveries": "webhook__owner", "webhooks": "owner"}
"""What belongs to somebody, and where its rows say to whom."""


def resource(path: str) -> str:
    """Return what an address is about: ``debates`` of ``/api/v1/debates/{id}/``."""
    return path.split("/")[3]


def names(path: str, *, whose: User | None = None) -> dict[str, str]:
    """Return what the names in an address stand for: the newest rows, and of what belongs to somebody, theirs."""
    debate = Debate.objects.order_by("pk").last()
    found = {"kind": "jsonl", "of": "criterion", "debate": str(debate.public_id)}
    if "{key}" in path:
        found["key"] = debate.threads.earliest("position").key
    if "{id}" not in path:
        return found
    rows = KINDS[resource(path)].objects.order_by("pk")
    if whose is not None and resource(path) in OWNED:
        rows = rows.filter(**{OWNED[resource(path)]: whose})
    if path.endswith("/ballot/"):
        rows = rows.filter(participant__role="judge")
    if rows.model is ScoreChange:
        row = rows.select_related("evaluation").last()
        return {**found, "id": f"{row.evaluation.public_id}:{row.sequence}"}
    column = "fact__public_id" if rows.model is Verdict else "public_id"
    return {**found, "id": str(rows.values_list(column, flat=True).last())}
