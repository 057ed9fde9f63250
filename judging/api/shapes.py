"""How what judging keeps looks outside."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from debates.api.fields import GivenNumber, Number, words
from debates.api.shapes import public_id
from judging.types import Reply, ReviewReason, ReviewState, Severity, Winner


class Challenge(serializers.Serializer[Any]):
    """One attack on one criterion."""

    id = public_id()
    debate = public_id("thread.debate.public_id")
    key = serializers.CharField(source="thread.key")
    run = serializers.IntegerField(source="run_number")
    label = serializers.CharField(  # type: ignore[assignment]  # a field, not the framework's attribute
        help_text="How verdicts name it within its thread."
    )
    persona = serializers.CharField()
    severity = words(Severity)
    quote = serializers.CharField()
    turn = public_id("turn.public_id")


class Verdict(serializers.Serializer[Any]):
    """The arbiter's ruling on one challenge in one round. Its id is that of its fact."""

    id = public_id("fact.public_id")
    debate = public_id("round.thread.debate.public_id")
    evaluation = public_id("fact.evaluation.public_id")
    key = serializers.CharField(source="round.thread.key")
    run = serializers.IntegerField(source="round.run_number")
    round = serializers.IntegerField(source="round.number")
    challenge = serializers.CharField(source="challenge.label")
    winner = words(Winner)
    adjustment = Number(source="fact.amount")
    impact = Number(source="fact.impact")
    confidence = Number(source="fact.weight")
    reasoning = serializers.CharField()
    provider = serializers.CharField(source="call.provider", allow_null=True, default=None)
    model = serializers.CharField(source="call.model", allow_null=True, default=None)
    counts = serializers.SerializerMethodField(help_text="Whether it counts towards the score now.")
    at = serializers.DateTimeField(source="fact.at")

    def get_counts(self, row: Any) -> bool:
        """Say whether it counts."""
        return row.fact_id in row.fact.evaluation.basis


class Review(serializers.Serializer[Any]):
    """A decision that only a person can take."""

    id = public_id()
    debate = public_id("debate.public_id")
    run = serializers.IntegerField(source="run_number")
    round = serializers.IntegerField(source="round_number")
    reason_code = words(ReviewReason)
    disputed = serializers.ListField(child=serializers.CharField())
    policy = serializers.DictField()
    state = words(ReviewState)
    claimed_by = serializers.CharField(source="claimed_by.name", allow_null=True, default=None)
    lease_until = serializers.DateTimeField(allow_null=True)
    settled_by = serializers.CharField(source="settled_by.name", allow_null=True, default=None)
    settled_at = serializers.DateTimeField(allow_null=True)
    decisions = serializers.DictField()
    opened_at = serializers.DateTimeField()


class PostedChallenge(serializers.Serializer[Any]):
    """A challenge as its client raises it."""

    persona = serializers.CharField(max_length=40)
    severity = words(Severity, required=False, default=Severity.MINOR.value)
    quote = serializers.CharField(required=False, allow_blank=True, default="", max_length=8000)
    text = serializers.CharField(max_length=8000)


class PostedPress(serializers.Serializer[Any]):
    """How an open challenge is pressed further."""

    challenge = serializers.CharField(max_length=10)
    text = serializers.CharField(max_length=8000)


class PostedDefence(serializers.Serializer[Any]):
    """The answer to a challenge."""

    challenge = serializers.CharField(max_length=10)
    reply = words(Reply)
    text = serializers.CharField(max_length=8000)


class PostedVerdict(serializers.Serializer[Any]):
    """A ruling. What its numbers may be is checked as for any judge."""

    challenge = serializers.CharField(max_length=10)
    winner = words(Winner)
    adjustment = GivenNumber(help_text="-3 to 3, at most 2 places.")
    impact = GivenNumber(help_text="-0.3 to 0.3, at most 2 places.")
    confidence = GivenNumber(required=False, default="1", help_text="0 to 1, at most 2 places.")
    reasoning = serializers.CharField(max_length=8000)
