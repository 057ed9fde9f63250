"""One action on many scores: at once, or kept as a rescore set and applied or cancelled whole."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from rest_framework import serializers, status
from rest_framework.response import Response

from debates.api.fields import any_of, words
from debates.api.paging import Paging
from debates.api.views import Act, Many, One
from debates.errors import Invalid
from debates.types import Scope
from scoring.api import serializers as api_serializers
from scoring.api.examples import EVALUATION
from scoring.api.moderation import LONGEST_REASON, Because
from scoring.api.resources import EVALUATIONS
from scoring.enums import ActorKind, BulkAction, HeldChoice, RescoreState
from scoring.models import Evaluation, RescoreSet
from scoring.services import bulk, rescore
from scoring.services.actions import action_of
from scoring.services.bulk import BulkOrder, Rows
from scoring.services.steps import Done, permitted

SET = ("staged_by", "because", "decided_by")
SEEN = {"evaluation": EVALUATION["id"], "seen": EVALUATION["moderation_version"]}


class Row(serializers.Serializer[Any]):
    """One score of many, and the moderation version on which this was decided."""

    evaluation = serializers.UUIDField()
    seen = serializers.IntegerField(
        required=False, min_value=0, max_value=10**6, allow_null=True, default=None,
        help_text="The `moderation_version` of the score that was seen; a freeze needs none.",
    )  # fmt: skip


class ManyScores(Because):
    """Why, what, and to which scores."""

    action = words(BulkAction)
    held = words(HeldChoice, required=False)
    evaluations = Row(many=True, allow_empty=False, max_length=bulk.CAP)  # type: ignore[call-arg]  # of the list


class OnMany(Act):
    """One action on many scores: on all of them or on none."""

    tag, scope, Input = "moderation", Scope.MODERATE, ManyScores
    example = {"action": "freeze", "reason": "The rubric is being reviewed.", "evaluations": [SEEN]}

    def numbered(self, given: dict[str, Any]) -> Rows:
        """Return the scores as the service takes them.

        Raises: ``Invalid`` naming those that are not there.
        """
        wanted = [one["evaluation"] for one in given["evaluations"]]
        rows = Evaluation.objects.filter(debate__in=self.debates(), public_id__in=wanted)
        found = dict(rows.values_list("public_id", "pk"))
        strange = [str(one) for one in wanted if one not in found]
        if strange:
            raise Invalid(f"evaluations: there is no {', '.join(strange[:5])}.")
        return [(found[one["evaluation"]], one["seen"]) for one in given["evaluations"]]

    def given(self) -> dict[str, Any]:
        """Return the body, and refuse whoever may not do this to any score."""
        body = super().given()
        permitted(by=self.caller, permission=action_of(body["action"]).permission)
        return body

    def choice(self, given: dict[str, Any]) -> HeldChoice | None:
        return HeldChoice(given["held"]) if "held" in given else None


class Bulk(OnMany):
    """Freeze, unfreeze or roll back up to 500 scores at once, all or none. Each but a freeze names the version seen."""

    class Output(serializers.Serializer[Any]):
        """The scores as they stand now."""

        evaluations = api_serializers.Evaluation(many=True)

    def act(self, row: Any, given: dict[str, Any]) -> list[Done]:
        order = BulkOrder(
            action=BulkAction(given["action"]),
            rows=self.numbered(given),
            by=self.caller,
            reason=given["reason"],
            choice=self.choice(given),
            door=ActorKind.API,
            reason_code=given["reason_code"] or "bulk",
            idempotency_key=self.kept_key,
        )
        return bulk.act.once(self.record, order=order, now=timezone.now())

    def answer(self, done: list[Done]) -> Response:
        changed = Evaluation.objects.filter(pk__in=[result.evaluation.pk for result in done])
        return self.shown({"evaluations": changed.select_related(*EVALUATIONS).order_by("pk")})


class RescoreSets(Many):
    """List rescore sets, newest first."""

    tag, permission, Output = "rescore sets", "scoring.view_rescoreset", api_serializers.RescoreSet

    class Query(Paging):
        """Where they stand."""

        state = any_of(words(RescoreState))

    def rows(self) -> QuerySet[RescoreSet]:
        return RescoreSet.objects.select_related(*SET)


class OneRescoreSet(One):
    """Show a rescore set."""

    tag, permission, Output = "rescore sets", "scoring.view_rescoreset", api_serializers.RescoreSet

    def row(self) -> RescoreSet:
        return self.one(RescoreSet.objects.select_related(*SET))


class StageRescoreSet(OnMany):
    """Keep what an action on many scores would do, old against new, to be applied or cancelled whole."""

    tag, answers, Output = "rescore sets", status.HTTP_201_CREATED, api_serializers.RescoreSet

    def act(self, row: Any, given: dict[str, Any]) -> RescoreSet:
        return rescore.stage.once(
            self.record,
            action=BulkAction(given["action"]),
            rows=self.numbered(given),
            reason=given["reason"],
            by=self.caller,
            choice=self.choice(given),
            now=timezone.now(),
        )


class OnSet(Act):
    """A decision about a rescore set."""

    tag, scope, permission, Output = (
        "rescore sets",
        Scope.MODERATE,
        "scoring.view_rescoreset",
        api_serializers.RescoreSet,
    )

    def row(self) -> RescoreSet:
        return self.one(RescoreSet.objects.all())

    def may(self, row: RescoreSet) -> None:
        permitted(by=self.caller, permission=action_of(row.action).permission)

    def answer(self, done: Any) -> Response:
        return self.shown(RescoreSet.objects.select_related(*SET).get(public_id=self.kwargs["id"]))


class ApplyRescoreSet(OnSet):
    """Apply a staged set, for the reason it was staged for: whole, or without the scores that are named.

    Where scores refuse, ``bulk_refused`` names them and nothing is done; name them in ``leave_out`` to apply the rest.
    """

    example = {"leave_out": [EVALUATION["id"]]}

    class Input(serializers.Serializer[Any]):
        """Which scores of the set stay as they are."""

        leave_out = serializers.ListField(
            child=serializers.UUIDField(), required=False, max_length=bulk.CAP, default=list
        )

    def act(self, row: RescoreSet, given: dict[str, Any]) -> Any:
        named = Evaluation.objects.filter(public_id__in=given["leave_out"])
        ids = dict(named.values_list("public_id", "pk"))
        strange = [str(public_id) for public_id in given["leave_out"] if public_id not in ids]
        if strange:
            raise Invalid(f"leave_out: there is no {', '.join(strange[:5])}.")
        return rescore.apply.once(
            self.record,
            set_id=row.pk,
            by=self.caller,
            now=timezone.now(),
            leave_out=list(ids.values()),
            door=ActorKind.API,
        )


class CancelRescoreSet(OnSet):
    """Cancel a staged set: nothing moves and nothing is told."""

    example = {"reason": "The rubric stays as it is."}

    class Input(serializers.Serializer[Any]):
        """Why."""

        reason = serializers.CharField(max_length=LONGEST_REASON)

    def act(self, row: RescoreSet, given: dict[str, Any]) -> Any:
        return rescore.cancel.once(
            self.record, set_id=row.pk, by=self.caller, reason=given["reason"], now=timezone.now()
        )
