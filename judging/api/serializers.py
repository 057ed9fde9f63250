"""How what judging keeps looks outside."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from debates.api.fields import GivenNumber, Number, words
from debates.api.serializers import public_id
from judging.engine.reviews import how_it_ended
from judging.formats.open import results
from judging.formats.panel import reports
from judging.formats.parsing import LONGEST_TEXT
from judging.types import EffectSource, Judgement, Reply, ReviewReason, ReviewState, Severity, Winner


class ChallengeSerializer(serializers.Serializer[Any]):
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


class CountingSerializer(serializers.Serializer[Any]):
    """What a score may rest on."""

    def get_counts(self, row: Any) -> bool:
        """Say whether it counts."""
        return row.fact is not None and row.fact_id in row.fact.evaluation.basis


class VerdictSerializer(CountingSerializer):
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


class MarkSerializer(serializers.Serializer[Any]):
    """One of the four marks of a response, with what it rests on; the words are gone where they were erased."""

    mark = Number()
    word = serializers.CharField()
    attempted = serializers.BooleanField(allow_null=True, help_text="Of steel-manning and self-critique alone.")
    notes = serializers.CharField()
    quotes = serializers.ListField(child=serializers.CharField())
    faults = serializers.ListField(child=serializers.CharField(), help_text="Violations; issues of honesty.")


class ResponseEvaluationSerializer(CountingSerializer):
    """How fairly one response argued: `scored` with four marks and their sum, `quick` with two flags, or `failed`."""

    id = public_id()
    debate = public_id("round.thread.debate.public_id")
    turn = public_id("turn.public_id")
    participant = public_id("turn.participant.public_id")
    round = serializers.IntegerField(source="round.number")
    state = words(Judgement)
    evaluation = public_id("fact.evaluation.public_id", allow_null=True, default=None)
    fact = public_id("fact.public_id", allow_null=True, default=None)
    total = Number(source="fact.amount", allow_null=True, default=None)
    marks = serializers.SerializerMethodField()
    quick_steel_manning = serializers.BooleanField(help_text="Whether a quick look finds it attempted.")
    quick_self_critique = serializers.BooleanField(help_text="Whether a quick look finds it attempted.")
    consistent = serializers.SerializerMethodField(
        help_text="Whether nothing broke with the framework; null where it got no marks."
    )
    steel_attempted = serializers.BooleanField(allow_null=True)
    critique_attempted = serializers.BooleanField(allow_null=True)
    requires_interjection = serializers.BooleanField()
    violation = serializers.CharField(help_text="Why it requires an interjection; empty where it does not.")
    known_before = serializers.BooleanField(source="from_cache")
    provider = serializers.CharField(source="call.provider", allow_null=True, default=None)
    model = serializers.CharField(source="call.model", allow_null=True, default=None)
    counts = serializers.SerializerMethodField(help_text="Whether it counts towards the adherence of its speaker now.")
    at = serializers.DateTimeField()

    @extend_schema_field(serializers.DictField(child=MarkSerializer()))
    def get_marks(self, row: Any) -> dict[str, Any]:
        """Return the four marks by name; none where there is no number."""
        return {mark.name: MarkSerializer(mark).data for mark in results.dimensions(row)}

    def get_consistent(self, row: Any) -> bool | None:
        """Say whether nothing broke with the framework."""
        judged = results.marks_of(row)
        return judged.consistent if judged else None


class EffectSerializer(serializers.Serializer[Any]):
    """What one response did to one listener, from 0 to 1."""

    debate = public_id("turn.debate.public_id")
    turn = public_id("turn.public_id")
    round = serializers.IntegerField(source="turn.round.number", allow_null=True, default=None)
    speaker = public_id("speaker.public_id")
    listener = public_id("listener.public_id")
    persuasion = Number()
    attack = Number()
    evidence = Number()
    weighed_by = words(EffectSource, source="source")
    at = serializers.DateTimeField()


class StateSerializer(serializers.Serializer[Any]):
    """Where a participant stood; number 0 is where it started, each further one came of an effect."""

    debate = public_id("participant.debate.public_id")
    participant = public_id("participant.public_id")
    number = serializers.IntegerField()
    turn = public_id("effect.turn.public_id", allow_null=True, default=None)
    round = serializers.IntegerField(source="effect.turn.round.number", allow_null=True, default=None)
    stance = Number()
    conviction = Number()
    surrender = serializers.CharField(help_text="Why it gave up here: persuaded, wavering, consecutive; else empty.")
    at = serializers.DateTimeField()


class StandingSerializer(CountingSerializer):
    """Where a participant stood among the others after an exchange. Its id is that of its fact."""

    id = public_id("fact.public_id")
    debate = public_id("round.thread.debate.public_id")
    evaluation = public_id("fact.evaluation.public_id")
    participant = public_id("participant.public_id")
    round = serializers.IntegerField(source="round.number")
    stance = Number()
    persuasion = Number()
    resistance = Number()
    penalty = Number()
    total = Number(source="fact.amount")
    counts = serializers.SerializerMethodField(help_text="Whether the score rests on it now.")
    at = serializers.DateTimeField(source="fact.at")


class ReviewSerializer(serializers.Serializer[Any]):
    """A decision that only a person can take."""

    id = public_id()
    debate = public_id("debate.public_id")
    run = serializers.IntegerField(source="run_number")
    round = serializers.IntegerField(source="round_number")
    reason_code = words(ReviewReason)
    disputed = serializers.ListField(child=serializers.CharField())
    policy = serializers.DictField()
    state = words(ReviewState)
    waiting = serializers.SerializerMethodField(help_text="Whether it waits for a person, whoever holds it now.")
    claimed_by = serializers.CharField(source="claimed_by.name", allow_null=True, default=None)
    lease_until = serializers.DateTimeField(allow_null=True)
    settled_by = serializers.CharField(source="settled_by.name", allow_null=True, default=None)
    settled_by_organiser = serializers.BooleanField()
    settled_at = serializers.DateTimeField(allow_null=True)
    decisions = serializers.DictField()
    opened_at = serializers.DateTimeField()

    def get_waiting(self, row: Any) -> bool:
        """Say whether it is still to be settled."""
        return not how_it_ended(row)


class JudgeReportSerializer(serializers.Serializer[Any]):
    """One section of a judge's report: what it said in one round of a panel."""

    id = public_id()
    debate = public_id("debate.public_id")
    participant = public_id("participant.public_id")
    judge = serializers.CharField(source="participant.name")
    run = serializers.IntegerField(source="round.run_number")
    round = serializers.IntegerField(source="round.number")
    readable = serializers.BooleanField(help_text="Whether the judge could be read; else it abstains.")
    turn = public_id("turn.public_id", allow_null=True, default=None)
    body = serializers.SerializerMethodField(help_text="The section; null where there is none, or it was erased.")
    provider = serializers.CharField(source="participant.provider")
    model = serializers.CharField(source="participant.model")
    at = serializers.DateTimeField()

    def get_body(self, row: Any) -> dict[str, Any] | None:
        """Return the section."""
        return reports.with_places(row.body) if row.body else None


class JudgeScoreSerializer(CountingSerializer):
    """What one judge gave one criterion in one round. Its id is that of its fact."""

    id = public_id("fact.public_id")
    debate = public_id("report.debate.public_id")
    evaluation = public_id("fact.evaluation.public_id")
    report = public_id("report.public_id")
    judge = serializers.CharField(source="report.participant.name")
    key = serializers.CharField()
    run = serializers.IntegerField(source="report.round.run_number")
    round = serializers.IntegerField(source="report.round.number")
    score = Number(source="fact.amount", help_text="What counts.")
    given = Number(help_text="What the judge gave before it revised.")
    wanted = Number(allow_null=True, help_text="What it wanted to revise it to.")
    refused = serializers.BooleanField(help_text="Whether that was not taken, for want of evidence.")
    quotes_found = serializers.IntegerField()
    quotes_missing = serializers.IntegerField(help_text="Quotes that the subject does not say.")
    counts = serializers.SerializerMethodField(help_text="Whether it counts towards the score now.")


class PanelNumbers(serializers.DictField):
    """What was kept of a panel, its numbers with 2 to 6 places."""

    def to_representation(self, value: Any) -> Any:
        return reports.with_places(value)


class ConsensusSerializer(serializers.Serializer[Any]):
    """How far a panel agreed after a round, by the policy of that moment."""

    id = public_id()
    debate = public_id("debate.public_id")
    run = serializers.IntegerField(source="round.run_number")
    round = serializers.IntegerField(source="round.number")
    agreed = serializers.BooleanField()
    reason_code = serializers.CharField(help_text="Why it did not agree; empty where it did.")
    overall = Number(allow_null=True)
    recommendation = serializers.CharField()
    found = PanelNumbers(help_text="Overalls by judge; spreads and means by criterion; what is in dispute.")
    policy = PanelNumbers(help_text="Thresholds, weights, quorum, marks and prompt versions as they were.")
    at = serializers.DateTimeField()


class PostedChallengeSerializer(serializers.Serializer[Any]):
    """A challenge as its client raises it."""

    persona = serializers.CharField(max_length=40)
    severity = words(Severity, required=False, default=Severity.MINOR.value)
    quote = serializers.CharField(required=False, allow_blank=True, default="", max_length=LONGEST_TEXT)
    text = serializers.CharField(max_length=LONGEST_TEXT)


class PostedPressSerializer(serializers.Serializer[Any]):
    """How an open challenge is pressed further."""

    challenge = serializers.CharField(max_length=10)
    text = serializers.CharField(max_length=LONGEST_TEXT)


class PostedDefenceSerializer(serializers.Serializer[Any]):
    """The answer to a challenge."""

    challenge = serializers.CharField(max_length=10)
    reply = words(Reply)
    text = serializers.CharField(max_length=LONGEST_TEXT)


class PostedVerdictSerializer(serializers.Serializer[Any]):
    """A ruling. What its numbers may be is checked as for any judge."""

    challenge = serializers.CharField(max_length=10)
    winner = words(Winner)
    adjustment = GivenNumber(help_text="-3 to 3, at most 2 places.")
    impact = GivenNumber(help_text="-0.3 to 0.3, at most 2 places.")
    confidence = GivenNumber(required=False, default="1", help_text="0 to 1, at most 2 places.")
    reasoning = serializers.CharField(max_length=LONGEST_TEXT)
