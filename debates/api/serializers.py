"""How rows of the event look outside. Ids are public ids."""

from typing import Any
from uuid import UUID

from rest_framework import serializers

from debates import selectors
from debates.api.fields import Number, words
from debates.types import (
    Audience,
    AwaitedState,
    Conduct,
    DeliveryState,
    Format,
    HookState,
    Kind,
    Role,
    Scope,
    Status,
    ThreadStatus,
    TurnKind,
    Visibility,
)


def public_id(source: str = "public_id", **options: Any) -> serializers.UUIDField:
    return serializers.UUIDField(source=source, read_only=True, **options)


class SubjectSerializer(serializers.Serializer[Any]):
    """A text under evaluation."""

    id = public_id()
    title = serializers.CharField()
    text = serializers.CharField()
    created_at = serializers.DateTimeField()


class LimitsSerializer(serializers.Serializer[Any]):
    """What a debate may cost; null: without limit."""

    money = Number(source="limit_money", allow_null=True)
    tokens = serializers.IntegerField(source="limit_tokens", allow_null=True)
    calls = serializers.IntegerField(source="limit_calls", allow_null=True)


class DebateSerializer(serializers.Serializer[Any]):
    """One event."""

    id = public_id()
    format = words(Format)
    title = serializers.CharField()
    motion = serializers.CharField()
    subject = public_id("subject.public_id", allow_null=True, default=None)
    repeat_of = serializers.SerializerMethodField(
        help_text="The earlier debate that this one holds again; null for whoever may not read that one."
    )
    status = words(Status)
    conducted_by = words(Conduct)
    visibility = words(Visibility)
    rounds = serializers.IntegerField()
    limits = LimitsSerializer(source="*")
    partial = serializers.BooleanField()  # type: ignore[assignment]  # a field, not the framework's attribute
    partial_reason = serializers.CharField()
    stop_reason = serializers.SerializerMethodField(
        help_text="Why somebody stopped it, in their words: for its creator and for moderators; empty for others."
    )
    problem = serializers.SerializerMethodField(
        help_text="What went wrong, in words: for its creator and for moderators; empty for others."
    )
    seq = serializers.IntegerField(source="head.seq", help_text="How far its events reach.")
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    concluded_at = serializers.DateTimeField(allow_null=True)

    def get_repeat_of(self, row: Any) -> UUID | None:
        earlier = selectors.repeated(visitor=self.context["request"].user, debate=row)
        return earlier.public_id if earlier else None

    def get_stop_reason(self, row: Any) -> str:
        return row.stop_reason if row.stop_reason and self._trusted(row) else ""

    def get_problem(self, row: Any) -> str:
        return row.problem if row.problem and self._trusted(row) else ""

    def _trusted(self, row: Any) -> bool:
        return selectors.sees_problem(visitor=self.context["request"].user, debate=row)


class ParticipantSerializer(serializers.Serializer[Any]):
    """One voice."""

    id = public_id()
    debate = public_id("debate.public_id")
    role = words(Role)
    kind = words(Kind)
    name = serializers.CharField()
    position = serializers.IntegerField()
    provider = serializers.CharField()
    model = serializers.CharField()
    seated = serializers.SerializerMethodField(help_text="Whether somebody has taken this seat.")
    replaced = serializers.SerializerMethodField(help_text="Whether somebody else judges in their place.")

    def get_seated(self, row: Any) -> bool:
        return row.user_id is not None

    def get_replaced(self, row: Any) -> bool:
        return hasattr(row, "replacement")


class ThreadSerializer(serializers.Serializer[Any]):
    """A sequence of rounds about one thing."""

    id = public_id()
    debate = public_id("debate.public_id")
    key = serializers.CharField()
    position = serializers.IntegerField()
    status = words(ThreadStatus)
    run = serializers.IntegerField(source="run_number")
    rounds_played = serializers.IntegerField()
    ended_because = serializers.CharField()


class RoundSerializer(serializers.Serializer[Any]):
    """One numbered exchange."""

    id = public_id()
    debate = public_id("thread.debate.public_id")
    thread = public_id("thread.public_id")
    key = serializers.CharField(source="thread.key")
    run = serializers.IntegerField(source="run_number")
    number = serializers.IntegerField()
    opened_at = serializers.DateTimeField()
    closed_at = serializers.DateTimeField(allow_null=True)


class TurnSerializer(serializers.Serializer[Any]):
    """One utterance."""

    id = public_id()
    debate = public_id("debate.public_id")
    thread = public_id("thread.public_id", allow_null=True, default=None)
    key = serializers.CharField(source="thread.key", allow_null=True, default=None)
    round = serializers.IntegerField(source="round.number", allow_null=True, default=None)
    run = serializers.IntegerField(source="round.run_number", allow_null=True, default=None)
    participant = public_id("participant.public_id")
    role = words(Role, source="participant.role")
    kind = words(TurnKind)
    slot = serializers.CharField(
        source="place", help_text="Which place in the round it fills: `challenge:C1`, `defence:C1`, `response`, ..."
    )
    strategy = serializers.CharField(help_text="How a chair of an open debate chose to argue; else empty.")
    text = serializers.CharField()
    answers = public_id("answers.public_id", allow_null=True, default=None)
    at = serializers.DateTimeField()


class AwaitedTurnSerializer(serializers.Serializer[Any]):
    """A turn that a person or somebody else's program may take, and what became of it."""

    id = public_id()
    debate = public_id("round.thread.debate.public_id")
    thread = public_id("round.thread.public_id")
    key = serializers.CharField(source="round.thread.key")
    round = serializers.IntegerField(source="round.number")
    run = serializers.IntegerField(source="round.run_number")
    participant = public_id("participant.public_id")
    kind = words(TurnKind)
    about = public_id(
        "about.public_id", allow_null=True, default=None, help_text="The turn that is to be judged, where it is one."
    )
    state = words(AwaitedState)
    turn = public_id("answer", allow_null=True, help_text="What was said; of a forfeit, the turn without words.")
    at = serializers.DateTimeField()
    deadline = serializers.DateTimeField()


class EventSerializer(serializers.Serializer[Any]):
    """One line of a debate's log."""

    seq = serializers.IntegerField()
    type = serializers.CharField()
    audience = words(Audience)
    at = serializers.DateTimeField()
    data = serializers.DictField(  # type: ignore[assignment]  # a field, not the framework's property
        help_text="As it is kept: ids and numbers, without the words that streams join."
    )


class DebateEventSerializer(EventSerializer):
    """One line of a debate's log, among those of other debates."""

    debate = public_id("debate.public_id")


class ApiKeySerializer(serializers.Serializer[Any]):
    """A key, without what it opens."""

    id = public_id()
    name = serializers.CharField()
    prefix = serializers.CharField()
    scopes = serializers.ListField(child=words(Scope))
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField(allow_null=True)
    revoked_at = serializers.DateTimeField(allow_null=True)
    last_used_at = serializers.DateTimeField(allow_null=True)


class WebhookSerializer(serializers.Serializer[Any]):
    """An address that is told of events."""

    id = public_id()
    url = serializers.CharField()
    debate = public_id("debate.public_id", allow_null=True, default=None)
    types = serializers.ListField(child=serializers.CharField())
    state = words(HookState)
    disabled_because = serializers.CharField()
    created_at = serializers.DateTimeField()
    former_secret_until = serializers.DateTimeField(source="former_until", allow_null=True)


class AttemptSerializer(serializers.Serializer[Any]):
    """One attempt to deliver."""

    at = serializers.DateTimeField()
    status = serializers.IntegerField(allow_null=True)
    milliseconds = serializers.IntegerField()
    problem = serializers.CharField(allow_blank=True)


class DeliverySerializer(serializers.Serializer[Any]):
    """One event for one webhook; a test is of no debate."""

    id = public_id()
    webhook = public_id("webhook.public_id")
    debate = public_id("event.debate.public_id", allow_null=True, default=None)
    seq = serializers.IntegerField(source="event.seq", allow_null=True)
    type = serializers.CharField()
    state = words(DeliveryState)
    attempts = serializers.IntegerField()
    due_at = serializers.DateTimeField(allow_null=True)
    settled_at = serializers.DateTimeField(allow_null=True)
    log = AttemptSerializer(many=True)
