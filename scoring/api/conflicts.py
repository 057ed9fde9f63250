"""Conflicts of interest: what was declared, declaring and withdrawing it."""

from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from debates.api.permissions import RequiredAccess
from debates.api.serializers import public_id
from debates.api.views import ActionView, ApiView, CreateView, ListView, RetrieveView
from debates.errors import NotFound
from debates.types import Scope
from scoring.api.moderation import ReasonSerializer
from scoring.models import Conflict
from scoring.services import conflicts


class ConflictSerializer(serializers.Serializer[Any]):
    """That somebody has an interest in a debate, or, with `withdraws`, that a declaration stands no more."""

    id = public_id()
    debate = public_id("debate.public_id")
    person = serializers.CharField(source="person.username")
    withdraws = public_id("withdraws.public_id", allow_null=True, default=None)
    by = serializers.CharField(source="by.name")
    because = serializers.CharField(source="because.text")
    at = serializers.DateTimeField()


class ConflictView(ApiView):
    tag, access, serializer_class = "conflicts", RequiredAccess(permission="scoring.view_conflict"), ConflictSerializer
    queryset = Conflict.objects.select_related("debate", "person", "withdraws", "by", "because")
    debate_field = "debate"


class Conflicts(ConflictView, ListView, CreateView):
    """List declared conflicts of interest, newest first; or declare one's own, or that of somebody else."""

    write_access = RequiredAccess(Scope.MODERATE)
    example = {"debate": "00000000-0000-4000-8000-000000000001", "reason": "The author is my brother."}

    class Input(ReasonSerializer):
        """Of which debate, about whom, and why."""

        debate = serializers.UUIDField()
        person = serializers.CharField(
            required=False, default="", allow_blank=True, max_length=150,
            help_text="The name of an account; empty: whoever asks. About somebody else takes `declare_conflict`.",
        )  # fmt: skip

    @extend_schema(operation_id="declare_conflict")
    def post(self, request: Request, **kwargs: Any) -> Response:
        """Declare a conflict of interest: one's own, or that of somebody else."""
        return super().post(request, **kwargs)

    def act(self, row: None, data: dict[str, Any]) -> Conflict:
        debate = self.debates().filter(public_id=data.pop("debate")).first()
        if debate is None:
            raise NotFound("There is no such debate.")
        about = {"username": data.pop("person"), **data}
        return conflicts.declare.once(self.record, debate_id=debate.pk, by=self.caller, now=timezone.now(), **about)


class OneConflict(ConflictView, RetrieveView):
    """Show a declared conflict of interest."""


class WithdrawConflict(ConflictView, ActionView):
    """Say that a declared conflict stands no more, in a row of its own, which is the answer."""

    write_access = RequiredAccess(Scope.MODERATE)
    example = {"reason": "My brother has withdrawn his text."}

    Input = ReasonSerializer

    def act(self, row: Conflict, data: dict[str, Any]) -> Conflict:
        return conflicts.withdraw.once(self.record, conflict_id=row.pk, by=self.caller, now=timezone.now(), **data)
