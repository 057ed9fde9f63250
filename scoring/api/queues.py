"""What waits at the desk: alerts, and overrides that need a second person."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from rest_framework import serializers
from rest_framework.response import Response

from debates.api.fields import Choice, any_of, words
from debates.api.paging import Paging
from debates.api.views import Act, Many, One
from debates.types import Scope
from scoring import selectors
from scoring.api import serializers as api_serializers
from scoring.api.moderation import LONGEST_REASON
from scoring.api.resources import EVALUATIONS
from scoring.enums import AlertState, ApprovalState
from scoring.models import Alert, Approval, Evaluation
from scoring.services import alerts, approvals
from scoring.services.steps import permitted
from scoring.types import AlertCode, Severity

ALERT = ("debate", "evaluation", "handled_by", "handled_because")
APPROVAL = ("evaluation", "requested_by", "because", "decided_by", "decided_because", "entry")


class Alerts(Many):
    """List alerts, newest first."""

    tag, permission, Output = "alerts", "scoring.view_alert", api_serializers.Alert

    class Query(Paging):
        """Of which debate, what they say, and where they stand."""

        debate = any_of(serializers.UUIDField(), source="debate__public_id")
        evaluation = any_of(serializers.UUIDField(), source="evaluation__public_id")
        code = any_of(words(AlertCode))
        severity = any_of(words(Severity))
        state = any_of(words(AlertState))

    def rows(self) -> QuerySet[Alert]:
        return Alert.objects.select_related(*ALERT).filter(debate__in=self.debates())


class OneAlert(One):
    """Show an alert."""

    tag, permission, Output = "alerts", "scoring.view_alert", api_serializers.Alert

    def row(self) -> Alert:
        return self.one(Alert.objects.select_related(*ALERT).filter(debate__in=self.debates()))


class HandleAlert(Act):
    """Acknowledge or dismiss an alert; what is dismissed is not raised again for the same facts."""

    tag, scope, permission, Output = "alerts", Scope.MODERATE, "scoring.handle_alert", api_serializers.Alert
    example = {"state": "dismissed", "reason": "The sum is right, and so is the text."}

    class Input(serializers.Serializer[Any]):
        """To what, and why."""

        state = Choice(choices=[AlertState.ACKNOWLEDGED.value, AlertState.DISMISSED.value])
        reason = serializers.CharField(max_length=LONGEST_REASON)

    def row(self) -> Alert:
        return self.one(Alert.objects.filter(debate__in=self.debates()))

    def act(self, row: Alert, given: dict[str, Any]) -> Alert:
        return alerts.handle.once(
            self.record,
            alert_id=row.pk,
            by=self.caller,
            state=AlertState(given["state"]),
            reason=given["reason"],
            now=timezone.now(),
        )

    def answer(self, done: Alert) -> Response:
        return self.shown(Alert.objects.select_related(*ALERT).get(pk=done.pk))


class Approvals(Many):
    """List overrides that wait, or waited, for a second person, newest first."""

    tag, permission, Output = "approvals", "scoring.view_approval", api_serializers.Approval

    class Query(Paging):
        """Of which score, and where they stand."""

        debate = any_of(serializers.UUIDField(), source="evaluation__debate__public_id")
        evaluation = any_of(serializers.UUIDField(), source="evaluation__public_id")
        state = any_of(words(ApprovalState))

    def rows(self) -> QuerySet[Approval]:
        return Approval.objects.select_related(*APPROVAL).filter(evaluation__debate__in=self.debates())


class OneApproval(One):
    """Show a request for a second person."""

    tag, permission, Output = "approvals", "scoring.view_approval", api_serializers.Approval

    def row(self) -> Approval:
        return self.one(Approval.objects.select_related(*APPROVAL).filter(evaluation__debate__in=self.debates()))


class OnApproval(Act):
    """A decision about a request."""

    tag, scope = "approvals", Scope.MODERATE

    class Input(serializers.Serializer[Any]):
        """Why."""

        reason = serializers.CharField(max_length=LONGEST_REASON)

    example = {"reason": "I have read the same paragraphs, and agree."}

    def row(self) -> Approval:
        return self.one(Approval.objects.filter(evaluation__debate__in=self.debates()))


class Approve(OnApproval):
    """Approve an override that somebody else asked for: it is written now, as theirs."""

    permission, Output = "scoring.approve_override", api_serializers.Done

    def act(self, row: Approval, given: dict[str, Any]) -> Any:
        return approvals.approve.once(
            self.record, approval_id=row.pk, by=self.caller, reason=given["reason"], now=timezone.now()
        )

    def answer(self, done: Any) -> Response:
        evaluation = Evaluation.objects.select_related(*EVALUATIONS).get(pk=done.evaluation.pk)
        return self.shown({"evaluation": evaluation, "entries": selectors.named(entries=done.entries)})


class Refuse(OnApproval):
    """Refuse an override that waits, or take back one's own. The score has not moved and does not."""

    permission, Output = "scoring.override_evaluation", api_serializers.Approval

    def may(self, row: Approval) -> None:
        if row.requested_by.user_id != self.caller.pk:
            permitted(by=self.caller, permission="approve_override")

    def act(self, row: Approval, given: dict[str, Any]) -> Approval:
        return approvals.refuse.once(
            self.record, approval_id=row.pk, by=self.caller, reason=given["reason"], now=timezone.now()
        )

    def answer(self, done: Approval) -> Response:
        return self.shown(Approval.objects.select_related(*APPROVAL).get(pk=done.pk))
