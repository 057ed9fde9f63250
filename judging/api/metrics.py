"""Figures about everything, from the same selectors as the dashboard and Prometheus."""

from datetime import timedelta
from typing import Any

from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from debates import replica
from debates.api.fields import Number, words
from debates.api.permissions import RequiredAccess
from debates.api.views import ApiView
from debates.live import hub
from debates.types import Scope
from judging.engine import metrics as judged
from judging.rules.agreement import AlphaState
from scoring import metrics
from scoring.types import Instrument


class ImpactSerializer(serializers.Serializer[Any]):
    """What debates did to criterion scores."""

    evaluations = serializers.IntegerField()
    avg_adjustment = Number(allow_null=True)
    max_adjustment = Number(allow_null=True)
    adjustment_stddev = Number(allow_null=True)
    impact_ratio = Number(allow_null=True)
    changed_by_one = Number(allow_null=True)
    overrides = serializers.IntegerField()
    override_rate = Number(allow_null=True)
    override_size = Number(allow_null=True)


class SidesSerializer(serializers.Serializer[Any]):
    """How the counted verdicts went, as it was at most a minute ago."""

    evaluator = serializers.IntegerField()
    red_team = serializers.IntegerField()
    draws = serializers.IntegerField()
    share = Number(allow_null=True)


class ScaleSerializer(serializers.Serializer[Any]):
    """The scores on one instrument."""

    instrument = words(Instrument)
    scores = serializers.IntegerField()
    evaluated = serializers.IntegerField()
    avg_initial = Number(allow_null=True)
    avg_final = Number(allow_null=True)
    impact_ratio = Number(allow_null=True)
    overridden = serializers.IntegerField()
    frozen = serializers.IntegerField()


class QueueSerializer(serializers.Serializer[Any]):
    """What waits for a person."""

    what = serializers.CharField()
    count = serializers.IntegerField()
    oldest = serializers.DateTimeField(allow_null=True)


class JudgeSerializer(serializers.Serializer[Any]):
    """How lenient an arbiter is."""

    provider = serializers.CharField()
    model = serializers.CharField()
    verdicts = serializers.IntegerField()
    mean_adjustment = Number()


class FlipsSerializer(serializers.Serializer[Any]):
    """How often a judge comes to another end in the other order."""

    provider = serializers.CharField()
    model = serializers.CharField()
    judged = serializers.IntegerField()
    flipped = serializers.IntegerField()
    rate = Number()


class AgreementSerializer(serializers.Serializer[Any]):
    """How far the judges of the panels on one rubric agreed before they heard each other."""

    rubric = serializers.CharField()
    name = serializers.CharField()
    panels = serializers.IntegerField()
    units = serializers.IntegerField(help_text="Criteria of panels that two or more judges scored.")
    state = words(AlphaState)
    alpha = Number(allow_null=True, help_text="Krippendorff's alpha, by the distance of scores.")
    intraclass = Number(allow_null=True, help_text="Intraclass correlation of one judge: two-way random, agreement.")


class ProviderSerializer(serializers.Serializer[Any]):
    """How a provider did in the last day."""

    provider = serializers.CharField()
    model = serializers.CharField()
    calls = serializers.IntegerField()
    unusable = serializers.IntegerField()
    mean_latency = Number(allow_null=True, help_text="Milliseconds.")
    tokens = serializers.IntegerField()
    money = Number()


class WorkSerializer(serializers.Serializer[Any]):
    """What waits for workers."""

    jobs = serializers.IntegerField()
    deliveries = serializers.IntegerField()
    overdue = serializers.FloatField(allow_null=True, help_text="Seconds that the oldest delivery is late.")
    workers = serializers.IntegerField()
    heard = serializers.FloatField(allow_null=True, help_text="Seconds since a worker was heard last.")


class MailSerializer(serializers.Serializer[Any]):
    """The outbox."""

    counts = serializers.DictField(
        child=serializers.IntegerField(), help_text="By state: what waits, and what went wrong in the last day."
    )
    overdue = serializers.FloatField(help_text="Seconds that the oldest mail is late.")


class StreamSerializer(serializers.Serializer[Any]):
    """What live delivery has to do in the process that answers; others have figures of their own."""

    watchers = serializers.IntegerField()
    debates = serializers.IntegerField()
    lag = serializers.FloatField(help_text="Seconds since the logs of these debates should have been looked at.")


class Figures(ApiView):
    """Show what debates and moderators do to scores, and what waits."""

    tag, access = "metrics", RequiredAccess(Scope.METRICS, "scoring.view_evaluation")

    class Output(serializers.Serializer[Any]):
        """The figures."""

        impact = ImpactSerializer()
        sides = SidesSerializer()
        scales = ScaleSerializer(many=True)
        waiting = QueueSerializer(many=True)
        judges = JudgeSerializer(many=True)
        flips = FlipsSerializer(many=True)
        agreement = AgreementSerializer(many=True)
        providers = ProviderSerializer(many=True)
        work = WorkSerializer()
        mail = MailSerializer()
        replica_lag = serializers.FloatField(allow_null=True, help_text="Seconds; null also where there is no replica.")
        stream = StreamSerializer()

    serializer_class = Output

    def get(self, request: Request) -> Response:
        now = timezone.now()
        sums, outbox = metrics.score_sums(), judged.outbox(now=now)
        judges, flips = judged.judges_lately()
        return self.respond(
            {
                "impact": metrics.impact(sums),
                "sides": metrics.sides_lately(),
                "scales": metrics.by_instrument(sums),
                "waiting": judged.queues(now=now),
                "judges": judges,
                "flips": flips,
                "agreement": judged.agreement_by_rubric(now=now),
                "providers": judged.providers(since=now - timedelta(days=1)),
                "work": judged.work(now=now),
                "mail": {"counts": {state: number for [state], number in outbox.counts}, "overdue": outbox.overdue},
                "replica_lag": replica.WATCH.measure() if replica.is_configured() else None,
                "stream": hub.load(),
            }
        )
