"""What waits at the desk: alerts, and overrides that need a second person."""

from typing import Any

from django.db.models import Prefetch, QuerySet
from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from debates.api.fields import words
from debates.api.permissions import RequiredAccess
from debates.api.views import ActionView, ApiView, ListView, RetrieveView, WriteView
from debates.services import rights
from debates.types import Scope
from scoring import selectors
from scoring.api import serializers as api_serializers
from scoring.api.examples import EVALUATION
from scoring.api.moderation import ReasonSerializer, each_once, ids_of
from scoring.api.resources import EVALUATIONS
from scoring.enums import AlertState
from scoring.models import Alert, AlertAnswer, Approval, Evaluation
from scoring.services import alerts, approvals
from scoring.services.steps import Done

ALERT = ("debate", "evaluation", "handled_by", "handled_because")
ANSWERS = Prefetch("answers", AlertAnswer.objects.select_related("by", "because").order_by("pk"))
APPROVAL = ("evaluation", "requested_by", "because", "decided_by", "decided_because", "entry")


class AlertView(ApiView):
    tag, serializer_class = "alerts", api_serializers.AlertSerializer
    access = RequiredAccess(permission="scoring.view_alert")
    queryset, debate_field = Alert.objects.select_related(*ALERT).prefetch_related(ANSWERS), "debate"


def times_seen(**options: Any) -> serializers.IntegerField:
    return serializers.IntegerField(min_value=1, max_value=10**6, **options)


class Alerts(AlertView, ListView):
    """List alerts, newest first."""

    filters = ("evaluation", "code", "severity", "state")


class OneAlert(AlertView, RetrieveView):
    """Show an alert."""


class HandleAlert(AlertView, ActionView):
    """Acknowledge, dismiss or reopen (`open`) an alert; what is dismissed is not raised again for the same facts."""

    write_access = RequiredAccess(Scope.MODERATE, "scoring.handle_alert")
    example = {"state": "dismissed", "reason": "The sum is right, and so is the text."}

    class Input(ReasonSerializer):
        """To what, and why."""

        state = words(AlertState)
        seen = times_seen(
            required=False,
            help_text="The `times` that you looked at; where it came again since, this is refused as `stale`.",
        )

    def act(self, row: Alert, data: dict[str, Any]) -> list[Alert]:
        data |= {"state": AlertState(data["state"]), "seen": {row.pk: data.get("seen")}}
        return alerts.handle.once(self.record, alert_ids=[row.pk], by=self.caller, now=timezone.now(), **data)

    def answer(self, result: list[Alert]) -> Response:
        return self.reread()


class HandleAlerts(WriteView):
    """Acknowledge, dismiss or reopen up to 500 alerts for one reason: all of them or none."""

    tag, write_access = "alerts", RequiredAccess(Scope.MODERATE, "scoring.handle_alert")
    example = {"state": "acknowledged", "reason": "All of one cause, which is mended.", "alerts": [EVALUATION["id"]]}

    class Input(ReasonSerializer):
        """Which, to what, and why."""

        state = words(AlertState)
        seen = serializers.ListField(
            child=times_seen(),
            required=False,
            max_length=alerts.MOST,
            help_text="The `times` of each that you looked at, in the order of `alerts`; one that came again refuses.",
        )
        alerts = serializers.ListField(child=serializers.UUIDField(), allow_empty=False, max_length=alerts.MOST)

        def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
            """Have as many versions as alerts."""
            if len(attrs.get("seen", attrs["alerts"])) != len(attrs["alerts"]):
                raise serializers.ValidationError({"seen": ["It has one number for each of alerts, in their order."]})
            return attrs

    class Output(serializers.Serializer[Any]):
        """The alerts as they stand now."""

        alerts = api_serializers.AlertSerializer(many=True)

    serializer_class = Output

    def act(self, row: None, data: dict[str, Any]) -> list[Alert]:
        readable = Alert.objects.filter(debate__in=self.debates())
        each_once(data["alerts"], field="alerts")
        ids = ids_of(readable, data.pop("alerts"), refusal="alerts: there is no {}.")
        data |= {"state": AlertState(data["state"]), "seen": dict(zip(ids, data.get("seen", ()), strict=False))}
        return alerts.handle.once(self.record, alert_ids=ids, by=self.caller, now=timezone.now(), **data)

    def answer(self, result: list[Alert]) -> Response:
        handled = Alert.objects.filter(pk__in=[alert.pk for alert in result]).select_related(*ALERT)
        return self.respond({"alerts": handled.prefetch_related(ANSWERS).order_by("pk")})


class ApprovalView(ApiView):
    tag, access = "approvals", RequiredAccess(permission="scoring.view_approval")
    serializer_class: Any = api_serializers.ApprovalSerializer
    queryset, debate_field = Approval.objects.select_related(*APPROVAL), "evaluation__debate"


class Approvals(ApprovalView, ListView):
    """List overrides that wait, or waited, for a second person, newest first."""

    filters = ("evaluation", "state")


class OneApproval(ApprovalView, RetrieveView):
    """Show a request for a second person."""


class DecisionView(ApprovalView, ActionView):
    """A decision about a request."""

    Input = ReasonSerializer
    example = {"reason": "I have read the same paragraphs, and agree."}


class Approve(DecisionView):
    """Approve an override that somebody else asked for: it is written now, as theirs."""

    serializer_class = api_serializers.DoneSerializer
    write_access = RequiredAccess(Scope.MODERATE, approvals.APPROVES)

    def act(self, row: Approval, data: dict[str, Any]) -> Done:
        return approvals.approve.once(self.record, approval_id=row.pk, by=self.caller, now=timezone.now(), **data)

    def answer(self, result: Done) -> Response:
        evaluation = Evaluation.objects.select_related(*EVALUATIONS).get(pk=result.evaluation.pk)
        return self.respond({"evaluation": evaluation, "entries": selectors.named(entries=result.entries)})


class Refuse(DecisionView):
    """Refuse an override that waits, or take back one's own. The score has not moved and does not.

    What somebody else asked for needs the permission `scoring.approve_override`.
    """

    write_access = RequiredAccess(Scope.MODERATE)

    def get_queryset(self) -> QuerySet[Approval]:
        """Show the requests of others to those alone who may see or approve them."""
        rows, caller = super().get_queryset(), self.caller
        if caller.has_perm("scoring.view_approval") or caller.has_perm(approvals.APPROVES):
            return rows
        return rows.filter(requested_by__user=caller.pk)

    def check_object_permissions(self, request: Request, obj: Approval) -> None:
        """It is one's own, or one may approve."""
        if obj.requested_by.user_id != self.caller.pk:
            rights.permitted(by=self.caller, permission=approvals.APPROVES)

    def act(self, row: Approval, data: dict[str, Any]) -> Approval:
        return approvals.refuse.once(self.record, approval_id=row.pk, by=self.caller, now=timezone.now(), **data)

    def answer(self, result: Approval) -> Response:
        return self.reread()
