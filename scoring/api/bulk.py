"""One action on many scores: at once, or kept as a rescore set and applied or cancelled whole."""

from typing import Any

from django.db.models import BigIntegerField, Exists, F, Func, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Cast
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from debates import selectors
from debates.api.fields import words
from debates.api.permissions import RequiredAccess
from debates.api.views import ActionView, ApiView, CreateView, ListView, RetrieveView, WriteView
from debates.services import rights
from debates.types import Scope
from scoring.api import serializers as api_serializers
from scoring.api.examples import EVALUATION
from scoring.api.moderation import BecauseSerializer, ReasonSerializer, held_in, ids_of
from scoring.api.resources import EVALUATIONS
from scoring.enums import ActorKind, BulkAction, HeldChoice
from scoring.models import Evaluation, RescoreSet
from scoring.services import bulk, rescore
from scoring.services.actions import action_of
from scoring.services.bulk import BulkOrder
from scoring.services.steps import Done

SEEN = {"evaluation": EVALUATION["id"], "seen": EVALUATION["moderation_version"]}


class RowSerializer(serializers.Serializer[Any]):
    """One score of many, and the moderation version on which this was decided."""

    evaluation = serializers.UUIDField()
    seen = serializers.IntegerField(
        required=False, min_value=0, max_value=10**6, allow_null=True, default=None,
        help_text="The `moderation_version` of the score that was seen; a freeze needs none.",
    )  # fmt: skip


class ManyScoresSerializer(BecauseSerializer):
    """Why, what, and to which scores."""

    action = words(BulkAction)
    held = words(HeldChoice, required=False)
    evaluations = RowSerializer(many=True, allow_empty=False, max_length=bulk.CAP)  # type: ignore[call-arg]  # of the list


class ManyScoresView(WriteView):
    """One action on many scores: on all of them or on none."""

    tag, write_access, Input = "moderation", RequiredAccess(Scope.MODERATE), ManyScoresSerializer
    example = {"action": "freeze", "reason": "The rubric is being reviewed.", "evaluations": [SEEN]}

    def asked(self, data: dict[str, Any]) -> dict[str, Any]:
        """Return who asks for what on which scores, and why, as the services take it.

        Raises: ``Invalid`` naming scores that are not there.
        """
        named = [row["evaluation"] for row in data["evaluations"]]
        scores = Evaluation.objects.filter(debate__in=self.debates(), public_id__in=named)
        ids = ids_of(scores, named, refusal="evaluations: there is no {}.")
        rows = [(pk, row["seen"]) for pk, row in zip(ids, data["evaluations"], strict=True)]
        why = {name: data[name] for name in ("reason", "note")}
        return {"action": BulkAction(data["action"]), "rows": rows, "choice": held_in(data), "by": self.caller, **why}

    def read_body(self) -> dict[str, Any]:
        """Return the body, and refuse whoever may not do this to any score."""
        data = super().read_body()
        rights.permitted(by=self.caller, permission=action_of(data["action"]).permission)
        return data


class Bulk(ManyScoresView):
    """Freeze, unfreeze or roll back up to 500 scores at once, all or none. Each but a freeze names the version seen."""

    class Output(serializers.Serializer[Any]):
        """The scores as they stand now."""

        evaluations = api_serializers.EvaluationSerializer(many=True)

    serializer_class = Output

    def act(self, row: None, data: dict[str, Any]) -> list[Done]:
        code, key = data["reason_code"] or "bulk", self.kept_key
        order = BulkOrder(**self.asked(data), door=ActorKind.API, reason_code=code, idempotency_key=key)
        return bulk.act.once(self.record, order=order, now=timezone.now())

    def answer(self, result: list[Done]) -> Response:
        changed = Evaluation.objects.filter(pk__in=[done.evaluation.pk for done in result])
        return self.respond({"evaluations": changed.select_related(*EVALUATIONS).order_by("pk")})


class RescoreSetView(ApiView):
    tag, serializer_class = "rescore sets", api_serializers.RescoreSetSerializer
    access = RequiredAccess(permission="scoring.view_rescoreset")
    queryset = RescoreSet.objects.select_related("staged_by", "because", "decided_by")

    def get_queryset(self) -> QuerySet[RescoreSet]:
        """Return the sets of which the caller may read every score: a set is shown, applied and cancelled whole.

        One's own are listed with scores of unlisted debates, too.
        """
        same = RescoreSet.objects.filter(pk=OuterRef(OuterRef("pk")))
        ids = Cast(Func(F("lines"), Value("$[*].id"), function="jsonb_path_query"), BigIntegerField())
        scores = Evaluation.objects.filter(pk__in=same.values_list(ids))
        visible = selectors.visible_debates(visitor=self.caller)
        own = Q(staged_by__user=self.caller.pk) & ~Exists(scores.exclude(debate__in=visible))
        return super().get_queryset().filter(own | ~Exists(scores.exclude(debate__in=self.debates())))


class RescoreSets(RescoreSetView, ListView, ManyScoresView, CreateView):
    """List rescore sets, newest first."""

    filters = ("state",)

    @extend_schema(operation_id="stage_rescore_set")
    def post(self, request: Request, **kwargs: Any) -> Response:
        """Keep what an action on many scores would do, old against new, to be applied or cancelled whole."""
        return super().post(request, **kwargs)

    def act(self, row: None, data: dict[str, Any]) -> RescoreSet:
        return rescore.stage.once(self.record, **self.asked(data), reason_code=data["reason_code"], now=timezone.now())


class OneRescoreSet(RescoreSetView, RetrieveView):
    """Show a rescore set."""


class DecideRescoreSet(RescoreSetView, ActionView):
    """A decision about a rescore set. It takes the permission of its action besides."""

    write_access = RequiredAccess(Scope.MODERATE, "scoring.view_rescoreset")

    def check_object_permissions(self, request: Request, obj: RescoreSet) -> None:
        rights.permitted(by=self.caller, permission=action_of(obj.action).permission)

    def answer(self, result: Any) -> Response:
        return self.reread()


class ApplyRescoreSet(DecideRescoreSet):
    """Apply a staged set, for the reason it was staged for: whole, or without the scores that are named.

    Where scores refuse, ``bulk_refused`` names them and nothing is done; name them in ``leave_out`` to apply the rest.
    """

    example = {"leave_out": [EVALUATION["id"]]}

    class Input(serializers.Serializer[Any]):
        """Which scores of the set stay as they are."""

        leave_out = serializers.ListField(
            child=serializers.UUIDField(), required=False, max_length=bulk.CAP, default=list
        )

    def act(self, row: RescoreSet, data: dict[str, Any]) -> Any:
        scores = Evaluation.objects.filter(pk__in=[line["id"] for line in row.lines])
        leave_out = ids_of(scores, data["leave_out"], refusal="leave_out: this set has no {}.")
        return rescore.apply.once(
            self.record, set_id=row.pk, by=self.caller, now=timezone.now(), leave_out=set(leave_out), door=ActorKind.API
        )


class CancelRescoreSet(DecideRescoreSet):
    """Cancel a staged set: nothing moves and nothing is told."""

    example = {"reason": "The rubric stays as it is."}

    Input = ReasonSerializer

    def act(self, row: RescoreSet, data: dict[str, Any]) -> RescoreSet:
        return rescore.cancel.once(self.record, set_id=row.pk, by=self.caller, now=timezone.now(), **data)
