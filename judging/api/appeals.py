"""Appeals: what was appealed against and what became of it, appealing, and deciding."""

from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from debates.api.fields import Choice, GivenNumber, words
from debates.api.permissions import ANYBODY, RequiredAccess
from debates.api.serializers import public_id
from debates.api.views import ActionView, ApiView, CreateView, ListView, RetrieveView
from debates.errors import Invalid, NotFound
from debates.types import LONGEST_REASON, Scope
from judging.engine import appeals
from judging.engine.appeals import SHOWN, AppealDecision, Remedy
from scoring.api.moderation import ReasonSerializer, intent_of, refuse_idle
from scoring.enums import ActorKind, AppealGround, AppealState, HeldChoice
from scoring.models import Appeal, Evaluation, Fact, ScoreChange
from scoring.services import moderation_effect
from scoring.services.actions import NAMED

INPUTS = ("value", "facts", "held", "target", "seen")
"""Of an action alone."""


class ActSerializer(serializers.Serializer[Any]):
    """The entry of the ledger by which an appeal was allowed."""

    evaluation = public_id("evaluation.public_id")
    entry = serializers.IntegerField(source="sequence")
    taken_back_by = serializers.SerializerMethodField(help_text="The entry that took it back or outdid it, if one did.")

    def get_taken_back_by(self, row: ScoreChange) -> int | None:
        """Return the number of the entry that took it back or outdid it."""
        later = appeals.taken_back_by(row, of=self.context["ruling"])
        return later.sequence if later else None


class AppealSerializer(serializers.Serializer[Any]):
    """An appeal. Whose it is nobody is told; its words are there for everybody once it is decided."""

    id = public_id()
    debate = public_id("debate.public_id")
    about = Choice(choices=["entry", "ruling", "result"])
    evaluation = serializers.SerializerMethodField()
    entry = serializers.IntegerField(source="entry.sequence", allow_null=True, default=None)
    ruling = public_id("fact.public_id", allow_null=True, default=None)
    ground = words(AppealGround)
    state = words(AppealState)
    words = serializers.SerializerMethodField(help_text="Empty for others until it is decided, and once erased.")
    mine = serializers.SerializerMethodField(help_text="Whether it is the caller's.")
    evidence = serializers.DictField(help_text="What it rests on as it stood then: ids, numbers, hashes and seals.")
    filed_at = serializers.DateTimeField()
    lease_until = serializers.SerializerMethodField(help_text="Until when somebody holds it; told at the desk.")
    decided_at = serializers.DateTimeField(allow_null=True)
    decided_by = serializers.SerializerMethodField(help_text="In which role, and the name where the site tells it.")
    by_organiser = serializers.BooleanField(source="decided_by_organiser")
    reason = serializers.CharField(source="decided_because.text", default="")
    act = serializers.SerializerMethodField()

    @property
    def caller(self) -> Any:
        request = self.context.get("request")
        return request.user if request is not None else None

    def get_evaluation(self, row: Appeal) -> str | None:
        """Return the id of the score that it is about; none of a result."""
        evaluation = appeals.against(row).evaluation
        return str(evaluation.public_id) if evaluation else None

    @extend_schema_field(ActSerializer(allow_null=True))
    def get_act(self, row: Appeal) -> Any:
        """Return the entry by which it was allowed."""
        return ActSerializer(row.act, context={"ruling": row.fact_id}).data if row.act else None

    def get_words(self, row: Appeal) -> str:
        """Return the words, to whom they are shown."""
        return row.because.text if appeals.sees_words(appeal=row, by=self.caller) else ""

    def get_mine(self, row: Appeal) -> bool:
        """Say whether it is the caller's."""
        return self.caller is not None and self.caller.pk == row.person_id

    def get_lease_until(self, row: Appeal) -> str | None:
        """Return until when it is held, to those who see all appeals."""
        may_know = row.lease_until is not None and self.caller is not None and self.caller.has_perm(appeals.SEES_ALL)
        return row.lease_until.isoformat() if may_know and row.lease_until else None

    def get_decided_by(self, row: Appeal) -> str | None:
        """Return the role, and the name where the site names moderators."""
        if row.decided_by is None:
            return None
        role = moderation_effect.role_of(row.decided_by.role)
        return f"{role}, {row.decided_by.name}" if settings.NAME_MODERATORS and row.decided_by.name else role


class AppealView(ApiView):
    tag, access, serializer_class = "appeals", ANYBODY, AppealSerializer
    queryset, debate_field = Appeal.objects.select_related(*SHOWN).prefetch_related(appeals.ENTRIES_OF_SCORE), "debate"

    def get_queryset(self) -> QuerySet[Appeal]:
        return super().get_queryset().filter(appeals.seen_by(self.caller))


class Appeals(AppealView, ListView, CreateView):
    """List appeals, newest first; those that somebody has withdrawn are there for them and at the desk alone."""

    write_access = RequiredAccess(Scope.WRITE)
    example = {
        "debate": "00000000-0000-4000-8000-000000000001",
        "evaluation": "00000000-0000-4000-8000-000000000002",
        "entry": 4,
        "ground": "passage_misread",
        "words": "The third paragraph says 120 wells, and not 12.",
    }
    filters = ("ground", "state")

    class Input(serializers.Serializer[Any]):
        """Against what: an entry of a score, a ruling by the id of its fact, or, where neither is named, the result."""

        debate = serializers.UUIDField()
        evaluation = serializers.UUIDField(required=False)
        entry = serializers.IntegerField(required=False, min_value=1, max_value=10**6, help_text="Its sequence.")
        ruling = serializers.UUIDField(required=False)
        ground = words(AppealGround)
        words = serializers.CharField(
            max_length=LONGEST_REASON, help_text="At least 10 visible characters. Public once the appeal is decided."
        )

        def validate(self, attrs: Any) -> Any:
            if ("entry" in attrs) != ("evaluation" in attrs):
                raise serializers.ValidationError("evaluation and entry go together.")
            if "entry" in attrs and "ruling" in attrs:
                raise serializers.ValidationError("Name an entry or a ruling, not both.")
            return attrs

    @extend_schema(operation_id="file_appeal")
    def post(self, request: Request, **kwargs: Any) -> Response:
        """Appeal against an entry, a ruling, or the result of a debate that one takes part in."""
        return super().post(request, **kwargs)

    def act(self, row: None, data: dict[str, Any]) -> Appeal:
        debate = self.debates().filter(public_id=data["debate"]).first()
        if debate is None:
            raise NotFound("There is no such debate.")
        return appeals.file.once(
            self.record,
            debate_id=debate.pk,
            by=self.caller,
            ground=AppealGround(data["ground"]),
            words=data["words"],
            entry_id=self.entry_in(data),
            fact_id=self.fact_in(data),
            now=timezone.now(),
        )

    def entry_in(self, data: dict[str, Any]) -> int | None:
        if "entry" not in data:
            return None
        rows = ScoreChange.objects.filter(evaluation__public_id=data["evaluation"], sequence=data["entry"])
        return rows.values_list("pk", flat=True).first() or 0

    def fact_in(self, data: dict[str, Any]) -> int | None:
        if "ruling" not in data:
            return None
        return Fact.objects.filter(public_id=data["ruling"]).values_list("pk", flat=True).first() or 0

    def answer(self, result: Appeal) -> Response:
        return self.respond(Appeal.objects.select_related(*SHOWN).get(pk=result.pk))


class OneAppeal(AppealView, RetrieveView):
    """Show an appeal."""


class AppealAction(AppealView, ActionView):
    """Something that is done to an appeal."""

    write_access = RequiredAccess(Scope.MODERATE, appeals.PERMISSION)

    def answer(self, result: Appeal) -> Response:
        return self.reread()


class WithdrawAppeal(AppealAction):
    """Take one's own appeal back, as long as it waits.

    One does not appeal against the same again.
    """

    write_access = RequiredAccess(Scope.WRITE)

    def act(self, row: Appeal, data: dict[str, Any]) -> Appeal:
        return appeals.withdraw.once(self.record, appeal_id=row.pk, by=self.caller, now=timezone.now())


class ClaimAppeal(AppealAction):
    """Take an appeal on for 30 minutes, or hold it for another 30."""

    def act(self, row: Appeal, data: dict[str, Any]) -> Appeal:
        return appeals.claim.once(self.record, appeal_id=row.pk, by=self.caller, now=timezone.now())


class ReleaseAppeal(AppealAction):
    """Give an appeal back, so that somebody else may take it on."""

    def act(self, row: Appeal, data: dict[str, Any]) -> Appeal:
        return appeals.release.once(self.record, appeal_id=row.pk, by=self.caller)


class DecideAppeal(AppealAction):
    """Decide an appeal that one holds: dismiss it, allow it by an act of the ledger, or find it moot.

    It is allowed by an `action` on its score with the inputs of that action and the version that was seen, or by naming
    the `entry` of one that the caller took for it already, with the reason code `appeal`.
    """

    example = {"outcome": "dismissed", "reason": "The paragraph says 12, in both versions."}

    class Input(ReasonSerializer):
        """What is decided and why; and of an appeal that is allowed, by which act."""

        outcome = Choice(choices=[outcome.value for outcome in appeals.OUTCOMES])
        evaluation = serializers.UUIDField(required=False, help_text="Of a result: the score that is acted on.")
        action = Choice(choices=[*NAMED], required=False)
        value = GivenNumber(required=False)
        facts = serializers.ListField(child=serializers.UUIDField(), required=False, max_length=500, default=list)
        held = words(HeldChoice, required=False)
        target = serializers.IntegerField(required=False, min_value=1, max_value=10**6)
        seen = serializers.IntegerField(
            required=False,
            min_value=0,
            max_value=10**6,
            help_text="The `moderation_version` of the score that was seen.",
        )
        entry = serializers.IntegerField(required=False, min_value=1, max_value=10**6)

    def act(self, row: Appeal, data: dict[str, Any]) -> Appeal:
        decision = AppealDecision(
            by=self.caller,
            outcome=AppealState(data["outcome"]),
            reason=data["reason"],
            note=data["note"],
            remedy=self.remedy_in(row, data),
            door=ActorKind.API,
        )
        return appeals.decide.once(self.record, appeal_id=row.pk, decision=decision, now=timezone.now())

    def remedy_in(self, row: Appeal, data: dict[str, Any]) -> Remedy | None:
        if "entry" in data and "action" not in data:
            refuse_idle(data, INPUTS, called="entry")
        elif "action" not in data:
            idle = () if data["outcome"] == AppealState.ALLOWED else (*INPUTS, "evaluation")
            refuse_idle(data, idle, called=data["outcome"])
            return None
        evaluation = appeals.against(row).evaluation
        if "evaluation" in data:
            evaluation = Evaluation.objects.filter(debate=row.debate, public_id=data["evaluation"]).first()
        if evaluation is None:
            raise Invalid("evaluation must name the score that is acted on.", field="evaluation")
        intent = intent_of(NAMED[data["action"]], evaluation, data) if "action" in data else None
        return Remedy(evaluation.pk, intent=intent, seen=data.get("seen"), entry=data.get("entry"))
