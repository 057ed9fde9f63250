"""How rows of the score look outside."""

from typing import Any

from django.conf import settings
from rest_framework import serializers

from debates.api.fields import Number, ids, words
from debates.api.serializers import public_id
from scoring.enums import (
    ActorKind,
    AlertState,
    ApprovalState,
    BulkAction,
    EntryKind,
    FactKind,
    HeldChoice,
    RescoreState,
)
from scoring.models import Actor
from scoring.services import moderation_effect
from scoring.types import AlertCode, Instrument, Severity


class CriterionSerializer(serializers.Serializer[Any]):
    """One thing to score; 10 is always the good end."""

    code = serializers.CharField()
    name = serializers.CharField()
    category = serializers.CharField()
    question = serializers.CharField()
    high = serializers.CharField()
    low = serializers.CharField()
    weight = Number()


class RubricSerializer(serializers.Serializer[Any]):
    """One version of a named set of weighted criteria. Who made it is for those who may view rubrics in the admin."""

    id = public_id(help_text="Of this version.")
    slug = serializers.CharField()
    version = serializers.IntegerField(help_text="Counts from 1; the next one names it as `If-Match`.")
    name = serializers.CharField()
    description = serializers.CharField()
    created_by = serializers.SerializerMethodField()
    created_at = serializers.DateTimeField()
    criteria = CriterionSerializer(many=True, source="criteria.all")

    def get_created_by(self, row: Any) -> str | None:
        """Return who made this version."""
        request = self.context.get("request")
        trusted = request is not None and request.user.has_perm("scoring.view_rubric")
        return row.created_by.get_username() if row.created_by and trusted else None


class EvaluationSerializer(serializers.Serializer[Any]):
    """One score account as it stands. `final` is the override where there is one, else what the facts give."""

    id = public_id()
    debate = public_id("debate.public_id")
    thread = public_id("thread.public_id")
    participant = public_id("participant.public_id", allow_null=True, default=None)
    instrument = words(Instrument)
    key = serializers.CharField()
    name = serializers.CharField()
    category = serializers.CharField()
    weight = Number()
    initial = Number(source="initial_score")
    computed = Number(source="computed_score", allow_null=True)
    override = Number(source="override_score", allow_null=True)
    final = Number(source="final_score", allow_null=True)
    value = Number(help_text="What counts now: final where there is one, else initial.")
    initial_confidence = Number(allow_null=True)
    confidence = Number(allow_null=True)
    state = serializers.SerializerMethodField(help_text="`scored`, or `unevaluated`, which is never a number.")
    frozen_at = serializers.DateTimeField(allow_null=True)
    run = serializers.IntegerField(source="run_number")
    rounds = serializers.IntegerField(source="debate_round_count")
    complete = serializers.BooleanField(source="debate_complete")
    facts_counted = serializers.SerializerMethodField()
    facts_held = serializers.SerializerMethodField()
    version = serializers.IntegerField(
        help_text="The sequence of its last entry, be it of the engine: it grows with every round."
    )
    moderation_version = serializers.IntegerField(
        help_text="The sequence of its last entry that was not the engine's: what actions name as `If-Match`."
    )
    last_score_update = serializers.DateTimeField(allow_null=True)

    def get_state(self, row: Any) -> str:
        """Say whether there is a result."""
        return "unevaluated" if row.final_score is None else "scored"

    def get_facts_counted(self, row: Any) -> int:
        """Return how many facts count."""
        return len(row.basis)

    def get_facts_held(self, row: Any) -> int:
        """Return how many facts arrived while it was frozen."""
        return len(row.held)


class FactSerializer(serializers.Serializer[Any]):
    """One number that a computed score rests on, or may."""

    id = public_id()
    round = serializers.IntegerField(source="round.number")
    run = serializers.IntegerField(source="run_number")
    kind = words(FactKind)
    amount = Number()
    impact = Number()
    weight = Number()
    state = serializers.CharField(help_text="`counted`, `held` or `out`: struck, discarded, or of another run.")
    at = serializers.DateTimeField()


class PersonSerializer(serializers.Serializer[Any]):
    """How somebody who acted is shown."""

    def sees_people(self) -> bool:
        request = self.context.get("request")
        return request is not None and request.user.has_perm("scoring.view_scorechange")

    def name_of(self, actor: Actor) -> str | None:
        return actor.name if settings.NAME_MODERATORS or self.sees_people() else None

    def role_of(self, actor: Actor) -> str:
        return str(actor.role) if self.sees_people() else moderation_effect.role_of(actor.role)


class ApprovedBySerializer(PersonSerializer):
    """The second person of an override that needed one."""

    role = serializers.SerializerMethodField()
    name = serializers.SerializerMethodField()
    by_organiser = serializers.BooleanField(source="decided_by_organiser")
    reason = serializers.CharField(source="decided_because.text")

    def get_role(self, row: Any) -> str:
        """Return as what."""
        return self.role_of(row.decided_by)

    def get_name(self, row: Any) -> str | None:
        """Return who."""
        return self.name_of(row.decided_by)


class ScoreChangeSerializer(PersonSerializer):
    """One entry of the ledger. Who wrote it is for those who may view the ledger; others read in which role."""

    id = serializers.SerializerMethodField(help_text="The id of its score, a colon, and its `sequence`.")
    evaluation = public_id("evaluation.public_id")
    debate = public_id("evaluation.debate.public_id")
    key = serializers.CharField(source="evaluation.key")
    sequence = serializers.IntegerField()
    kind = words(EntryKind)
    value_before = Number()
    value_after = Number()
    delta = Number()
    applied = Number()
    confidence_before = Number(allow_null=True)
    confidence_after = Number(allow_null=True)
    computed_before = Number(allow_null=True)
    computed_after = Number(allow_null=True)
    override_after = Number(allow_null=True)
    frozen_after = serializers.BooleanField()
    counted_after = serializers.BooleanField()
    complete_after = serializers.BooleanField()
    run = serializers.IntegerField(source="run_number")
    rounds_after = serializers.IntegerField()
    round = serializers.IntegerField(source="round.number", allow_null=True, default=None)
    facts = serializers.ListField(child=serializers.UUIDField(), source="facts_named")
    raw_sum = Number(allow_null=True)
    cumulative_raw = Number(allow_null=True)
    capped_net = Number(allow_null=True)
    held_choice = serializers.CharField()
    target_sequence = serializers.IntegerField(allow_null=True)
    actor_kind = words(ActorKind)
    by_organiser = serializers.BooleanField(help_text="Whether whoever wrote it created or organised the debate.")
    actor = serializers.SerializerMethodField()
    role = serializers.SerializerMethodField()
    reason_code = serializers.CharField()
    reason = serializers.SerializerMethodField()
    approved_by = ApprovedBySerializer(source="approved", allow_null=True, default=None)
    at = serializers.DateTimeField()
    previous_hash = serializers.SerializerMethodField()
    hash = serializers.SerializerMethodField()

    def get_id(self, row: Any) -> str:
        """Return the id, of what an event names as well: its `evaluation` and `entry`."""
        return f"{row.evaluation.public_id}:{row.sequence}"

    def get_actor(self, row: Any) -> str | None:
        """Return who: to those who may view the ledger, and to all where the site names moderators."""
        return self.name_of(row.actor) if row.actor else None

    def get_role(self, row: Any) -> str | None:
        """Return as what."""
        return self.role_of(row.actor) if row.actor else None

    def get_reason(self, row: Any) -> str | None:
        """Return why, in the words for everybody."""
        return row.reason.text if row.reason else None

    def get_previous_hash(self, row: Any) -> str:
        """Return the hash of the entry before."""
        return bytes(row.previous_hash).hex()

    def get_hash(self, row: Any) -> str:
        """Return the hash."""
        return bytes(row.hash).hex()


class DoneSerializer(serializers.Serializer[Any]):
    """What an action did: the score as it stands now, and the entries that were written."""

    evaluation = EvaluationSerializer()
    entries = ScoreChangeSerializer(many=True)


class FiguresSerializer(serializers.Serializer[Any]):
    """Where a score stands, or would stand."""

    value = Number()
    final = Number(allow_null=True)
    computed = Number(allow_null=True)
    override = Number(allow_null=True)
    confidence = Number(allow_null=True)
    frozen = serializers.BooleanField()


class VoidedApprovalSerializer(serializers.Serializer[Any]):
    """The request for a second person that an action would make void."""

    id = public_id()
    value = Number()


class PreviewSerializer(serializers.Serializer[Any]):
    """What an action would do, and what it would make void."""

    evaluation = public_id("evaluation.public_id")
    moderation_version = serializers.IntegerField(
        source="evaluation.moderation_version",
        help_text="The sequence of its last entry that was not the engine's: what the action names as `If-Match`.",
    )
    now = FiguresSerializer()
    then = FiguresSerializer()
    facts_in = ids()
    facts_out = ids()
    held_discarded = ids()
    override_dropped = Number(allow_null=True)
    entries_undone = serializers.SerializerMethodField()
    approval_voided = VoidedApprovalSerializer(allow_null=True)
    alerts_cleared = ids()
    needs_second_person = serializers.BooleanField()
    second_person_because = serializers.CharField(help_text="How far the override would stand from what; else empty.")
    falls_back = serializers.BooleanField()

    def get_entries_undone(self, row: Any) -> list[int]:
        """Return the sequence numbers of the entries after the target of a rollback."""
        return [entry.sequence for entry in row.entries_undone]


class AlertAgainSerializer(serializers.Serializer[Any]):
    """One more time that an alert came while it was open."""

    at = serializers.DateTimeField()
    evidence = serializers.DictField()


class AlertAnswerSerializer(serializers.Serializer[Any]):
    """What somebody did with an alert: acknowledged, dismissed or reopened it."""

    state = words(AlertState)
    by = serializers.CharField(source="by.name")
    by_organiser = serializers.BooleanField()
    because = serializers.CharField(source="because.text")
    at = serializers.DateTimeField()


class AlertSerializer(serializers.Serializer[Any]):
    """Something a moderator should look at."""

    id = public_id()
    debate = public_id("debate.public_id")
    evaluation = public_id("evaluation.public_id", allow_null=True, default=None)
    code = words(AlertCode)
    severity = words(Severity)
    evidence = serializers.DictField()
    state = words(AlertState)
    handled_by = serializers.CharField(source="handled_by.name", allow_null=True, default=None)
    handled_because = serializers.CharField(source="handled_because.text", allow_null=True, default=None)
    handled_at = serializers.DateTimeField(allow_null=True)
    at = serializers.DateTimeField()
    times = serializers.IntegerField(help_text="How often it came until somebody answered.")
    last_at = serializers.DateTimeField()
    again = AlertAgainSerializer(many=True, help_text="What came after the first time, oldest first.")
    answers = AlertAnswerSerializer(many=True, help_text="What people did with it, oldest first.")


class ApprovalSerializer(serializers.Serializer[Any]):
    """An override that waits, or waited, for a second person."""

    id = public_id()
    evaluation = public_id("evaluation.public_id")
    value = Number()
    value_seen = Number()
    state = words(ApprovalState)
    requested_by = serializers.CharField(source="requested_by.name")
    requested_by_organiser = serializers.BooleanField()
    because = serializers.CharField(source="because.text")
    requested_at = serializers.DateTimeField()
    decided_by = serializers.CharField(source="decided_by.name", allow_null=True, default=None)
    decided_by_organiser = serializers.BooleanField()
    decided_because = serializers.CharField(source="decided_because.text", allow_null=True, default=None)
    decided_at = serializers.DateTimeField(allow_null=True)
    entry = serializers.IntegerField(source="entry.sequence", allow_null=True, default=None)


class RescoreLineSerializer(serializers.Serializer[Any]):
    """One score of a set, old against new as it was shown."""

    evaluation = serializers.UUIDField()
    name = serializers.CharField()
    value_before = serializers.CharField(allow_null=True)
    value_after = serializers.CharField(allow_null=True)


class RescoreSetSerializer(serializers.Serializer[Any]):
    """The saved preview of an action on many scores."""

    id = public_id()
    action = words(BulkAction)
    choice = serializers.CharField(help_text=f"{HeldChoice.APPLY.value} or {HeldChoice.DISCARD.value}, of an unfreeze.")
    state = words(RescoreState)
    lines = RescoreLineSerializer(many=True)
    staged_by = serializers.CharField(source="staged_by.name")
    because = serializers.CharField(source="because.text")
    reason_code = serializers.CharField(help_text="The code given with the reason; its entries carry it.")
    staged_at = serializers.DateTimeField()
    decided_by = serializers.CharField(source="decided_by.name", allow_null=True, default=None)
    decided_at = serializers.DateTimeField(allow_null=True)
    left_out = serializers.SerializerMethodField()

    def get_left_out(self, row: Any) -> list[str]:
        """Return the scores that stayed as they were when the set was applied."""
        return [line["evaluation"] for line in row.lines if line["id"] in row.left_out]
