"""What waits at the desk: alerts, overrides that need a second person, actions on many scores, rescore sets."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from rest_framework import serializers, status
from rest_framework.response import Response

from debates.api.doors import Act, Many, One
from debates.api.fields import words
from debates.api.once import HEADER
from debates.api.paging import Paging
from debates.errors import Invalid
from debates.types import Scope
from scoring import selectors
from scoring.api import shapes
from scoring.api.moderation import LONGEST_REASON, Because
from scoring.api.reading import EVALUATIONS
from scoring.kinds import ActorKind, AlertState, ApprovalState, BulkAction, HeldChoice, RescoreState
from scoring.models import Alert, Approval, Evaluation, RescoreSet
from scoring.services import alerts, approvals, bulk, rescore
from scoring.services.bulk import BulkOrder, Rows
from scoring.services.steps import permitted
from scoring.types import AlertCode, Severity

ALERT = ("debate", "evaluation", "handled_by", "handled_because")
APPROVAL = ("evaluation", "requested_by", "because", "decided_by", "decided_because", "entry")
SET = ("staged_by", "because", "decided_by")


class Alerts(Many):
    """List alerts, newest first."""

    tag, permission, Output = "alerts", "scoring.view_alert", shapes.Alert

    class Query(Paging):
        """Of which debate, what they say, and where they stand."""

        debate = serializers.UUIDField(required=False, source="debate__public_id")
        evaluation = serializers.UUIDField(required=False, source="evaluation__public_id")
        code = words(AlertCode, required=False)
        severity = words(Severity, required=False)
        state = words(AlertState, required=False)

    def rows(self) -> QuerySet[Alert]:
        """Return them."""
        return Alert.objects.select_related(*ALERT).filter(debate__in=self.debates())


class OneAlert(One):
    """Show an alert."""

    tag, permission, Output = "alerts", "scoring.view_alert", shapes.Alert

    def row(self) -> Alert:
        """Return it."""
        return self.one(Alert.objects.select_related(*ALERT).filter(debate__in=self.debates()))


class HandleAlert(Act):
    """Acknowledge or dismiss an alert; what is dismissed is not raised again for the same facts."""

    tag, scope, permission, Output = "alerts", Scope.MODERATE, "scoring.handle_alert", shapes.Alert
    example = {"state": "dismissed", "reason": "The sum is right, and so is the text."}

    class Input(serializers.Serializer[Any]):
        """To what, and why."""

        state = serializers.ChoiceField(choices=[AlertState.ACKNOWLEDGED.value, AlertState.DISMISSED.value])
        reason = serializers.CharField(max_length=LONGEST_REASON)

    def row(self) -> Alert:
        """Return it."""
        return self.one(Alert.objects.filter(debate__in=self.debates()))

    def act(self, row: Alert, given: dict[str, Any]) -> Alert:
        """Handle it."""
        state = AlertState(given["state"])
        done = alerts.handle(alert_id=row.pk, by=self.caller, state=state, reason=given["reason"], now=timezone.now())
        return Alert.objects.select_related(*ALERT).get(pk=done.pk)


class Approvals(Many):
    """List overrides that wait, or waited, for a second person, newest first."""

    tag, permission, Output = "approvals", "scoring.view_approval", shapes.Approval

    class Query(Paging):
        """Of which score, and where they stand."""

        debate = serializers.UUIDField(required=False, source="evaluation__debate__public_id")
        evaluation = serializers.UUIDField(required=False, source="evaluation__public_id")
        state = words(ApprovalState, required=False)

    def rows(self) -> QuerySet[Approval]:
        """Return them."""
        return Approval.objects.select_related(*APPROVAL).filter(evaluation__debate__in=self.debates())


class OneApproval(One):
    """Show a request for a second person."""

    tag, permission, Output = "approvals", "scoring.view_approval", shapes.Approval

    def row(self) -> Approval:
        """Return it."""
        return self.one(Approval.objects.select_related(*APPROVAL).filter(evaluation__debate__in=self.debates()))


class OnApproval(Act):
    """A decision about a request."""

    tag, scope = "approvals", Scope.MODERATE

    class Input(serializers.Serializer[Any]):
        """Why."""

        reason = serializers.CharField(max_length=LONGEST_REASON)

    example = {"reason": "I have read the same paragraphs, and agree."}

    def row(self) -> Approval:
        """Return it."""
        return self.one(Approval.objects.filter(evaluation__debate__in=self.debates()))


class Approve(OnApproval):
    """Approve an override that somebody else asked for: it is written now, as theirs."""

    permission, Output = "scoring.approve_override", shapes.Done

    def act(self, row: Approval, given: dict[str, Any]) -> Any:
        """Approve it."""
        return approvals.approve(approval_id=row.pk, by=self.caller, reason=given["reason"], now=timezone.now())

    def answer(self, done: Any) -> Response:
        """Return the score with the entry."""
        evaluation = Evaluation.objects.select_related(*EVALUATIONS).get(pk=done.evaluation.pk)
        return self.shown({"evaluation": evaluation, "entries": selectors.named(entries=done.entries)})


class Refuse(OnApproval):
    """Refuse an override that waits, or take back one's own. The score has not moved and does not."""

    permission, Output = "scoring.override_evaluation", shapes.Approval

    def may(self, row: Approval) -> None:
        """It is one's own, or one may approve."""
        if row.requested_by.user_id != self.caller.pk:
            permitted(by=self.caller, permission="approve_override")

    def act(self, row: Approval, given: dict[str, Any]) -> Approval:
        """Refuse it."""
        done = approvals.refuse(approval_id=row.pk, by=self.caller, reason=given["reason"], now=timezone.now())
        return Approval.objects.select_related(*APPROVAL).get(pk=done.pk)


class Row(serializers.Serializer[Any]):
    """One score of many, and the moderation version on which this was decided."""

    evaluation = serializers.UUIDField()
    seen = serializers.IntegerField(required=False, min_value=0, max_value=10**6, allow_null=True, default=None)


class ManyScores(Because):
    """Why, what, and to which scores."""

    action = words(BulkAction)
    held = words(HeldChoice, required=False)
    evaluations = Row(many=True, allow_empty=False, max_length=bulk.CAP)  # type: ignore[call-arg]  # of the list


class OnMany(Act):
    """One action on many scores: on all of them or on none."""

    tag, scope, Input = "moderation", Scope.MODERATE, ManyScores
    example = {"action": "freeze", "reason": "The rubric is being reviewed.", "evaluations": []}

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
        permitted(by=self.caller, permission=bulk.PERMISSIONS[BulkAction(body["action"])])
        return body

    def choice(self, given: dict[str, Any]) -> HeldChoice | None:
        """Return what becomes of held facts."""
        return HeldChoice(given["held"]) if "held" in given else None


class Bulk(OnMany):
    """Freeze, unfreeze or roll back up to 500 scores at once, all or none. Each but a freeze names the version seen."""

    class Output(serializers.Serializer[Any]):
        """The scores as they stand now."""

        evaluations = shapes.Evaluation(many=True)

    def act(self, row: Any, given: dict[str, Any]) -> Any:
        """Do it."""
        order = BulkOrder(
            action=BulkAction(given["action"]),
            rows=self.numbered(given),
            by=self.caller,
            reason=given["reason"],
            choice=self.choice(given),
            door=ActorKind.API,
            reason_code=given["reason_code"] or "bulk",
            idempotency_key=self.request.headers.get(HEADER, ""),
        )
        done = [one.evaluation.pk for one in bulk.act(order=order, now=timezone.now())]
        return {"evaluations": Evaluation.objects.select_related(*EVALUATIONS).filter(pk__in=done).order_by("pk")}


class RescoreSets(Many):
    """List rescore sets, newest first."""

    tag, permission, Output = "rescore sets", "scoring.view_rescoreset", shapes.RescoreSet

    class Query(Paging):
        """Where they stand."""

        state = words(RescoreState, required=False)

    def rows(self) -> QuerySet[RescoreSet]:
        """Return them."""
        return RescoreSet.objects.select_related(*SET)


class OneRescoreSet(One):
    """Show a rescore set."""

    tag, permission, Output = "rescore sets", "scoring.view_rescoreset", shapes.RescoreSet

    def row(self) -> RescoreSet:
        """Return it."""
        return self.one(RescoreSet.objects.select_related(*SET))


class StageRescoreSet(OnMany):
    """Keep what an action on many scores would do, old against new, to be applied or cancelled whole."""

    tag, answers, Output = "rescore sets", status.HTTP_201_CREATED, shapes.RescoreSet

    def act(self, row: Any, given: dict[str, Any]) -> RescoreSet:
        """Stage it."""
        return rescore.stage(
            action=BulkAction(given["action"]),
            rows=self.numbered(given),
            reason=given["reason"],
            by=self.caller,
            choice=self.choice(given),
            now=timezone.now(),
        )


class OnSet(Act):
    """A decision about a rescore set."""

    tag, scope, permission, Output = "rescore sets", Scope.MODERATE, "scoring.view_rescoreset", shapes.RescoreSet

    def row(self) -> RescoreSet:
        """Return it."""
        return self.one(RescoreSet.objects.all())

    def may(self, row: RescoreSet) -> None:
        """It takes the permission of its action."""
        permitted(by=self.caller, permission=bulk.PERMISSIONS[BulkAction(row.action)])

    def answer(self, done: Any) -> Response:
        """Return the set as it is now."""
        return self.shown(RescoreSet.objects.select_related(*SET).get(pk=done))


class ApplyRescoreSet(OnSet):
    """Apply a staged set whole, for the reason it was staged for."""

    def act(self, row: RescoreSet, given: dict[str, Any]) -> int:
        """Apply it."""
        rescore.apply(set_id=row.pk, by=self.caller, now=timezone.now(), door=ActorKind.API)
        return row.pk


class CancelRescoreSet(OnSet):
    """Cancel a staged set: nothing moves and nothing is told."""

    class Input(serializers.Serializer[Any]):
        """Why."""

        reason = serializers.CharField(max_length=LONGEST_REASON)

    def act(self, row: RescoreSet, given: dict[str, Any]) -> int:
        """Cancel it."""
        rescore.cancel(set_id=row.pk, by=self.caller, reason=given["reason"], now=timezone.now())
        return row.pk
