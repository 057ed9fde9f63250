"""For operators: whether a process lives, whether it can work, and figures for Prometheus."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from functools import wraps
from typing import Any, ClassVar

from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from config import problems
from config.accounts import lacks_second_factor
from debates import replica
from debates.api.problem_examples import BRING_A_KEY
from debates.live import hub
from debates.models.access import bearer_in
from debates.services import keys
from debates.types import Scope
from judging.engine import metrics as judged
from scoring import metrics as scored

NEEDED = "scoring.view_evaluation"
WHO = ["provider", "model"]
READING = ("GET", "HEAD")
READY_SECONDS = 4.0
"""How long the database may take: longer than a connection to it, or a place in the pool, is waited for."""
View = Callable[[HttpRequest], HttpResponse]


def read_only(view: View) -> View:
    """Return a view that refuses, as the API does, whatever does not read. As nothing changes, no form is checked."""

    @csrf_exempt
    @wraps(view)
    def read(request: HttpRequest) -> HttpResponse:
        if request.method in READING:
            return view(request)
        response = problems.refused(request, 405, "method_not_allowed", f'Method "{request.method}" not allowed.')
        response.headers["Allow"] = ", ".join(READING)
        return response

    return read


@read_only
def alive(request: HttpRequest) -> HttpResponse:
    """Say that this process answers; it asks nobody else."""
    return JsonResponse({"status": "alive"})


@read_only
def ready(request: HttpRequest) -> HttpResponse:
    """Say whether the database answers, a worker was heard lately, and nobody who watches here is far behind."""
    results = checks()
    good = all(results.values())
    response = JsonResponse({"status": "ready" if good else "not ready", **results}, status=200 if good else 503)
    if not good:
        response.headers["Retry-After"] = str(problems.AGAIN_SECONDS)
    return response


class Look(threading.Thread):
    """Looks whether what the site needs is well, beside the request that asks: a database may hang without end.

    One is under way at a time, and whoever asks meanwhile waits for the same. ``found`` is all false until it ends.
    """

    under_way: ClassVar[Look | None] = None
    starting: ClassVar[threading.Lock] = threading.Lock()

    def __init__(self) -> None:
        super().__init__(name="readiness", daemon=True)
        self.found = {"database": False, "worker": False, "stream": False}

    def run(self) -> None:
        try:
            with connection.cursor() as cursor:
                cursor.execute("SELECT 1")
            workers = judged.work(now=timezone.now()).workers
            self.found = {"database": True, "worker": workers > 1, "stream": hub.load().lag < hub.CURRENT_FOR}
        except DatabaseError:
            return
        finally:
            connection.close()


def checks() -> dict[str, bool]:
    """Return what has to be well for the site to do its work; what does not answer in time is not."""
    with Look.starting:
        look = Look.under_way
        if look is None or not look.is_alive():
            look = Look.under_way = Look()
            look.start()
    look.join(READY_SECONDS)
    return look.found


@read_only
def metrics(request: HttpRequest) -> HttpResponse:
    """Show figures to Prometheus: to a key of the scope metrics, or to who is signed in and may view scores."""
    refusal = refusal_of(request)
    if refusal is not None:
        return refusal
    registry = CollectorRegistry(auto_describe=False)
    registry.register(Figures())
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


def refusal_of(request: HttpRequest) -> HttpResponse | None:
    """Return why who asks may not see figures, or nothing: the same refusals as of ``/api/v1/metrics/``."""
    text = bearer_in(request.headers.get("Authorization", ""))
    person: Any = request.user
    if text is not None:
        key = keys.key_of(text=text, now=timezone.now())
        if key is None:
            return unknown(request, "bad_key", "This key is unknown, revoked or expired.")
        if Scope.METRICS.value not in key.scopes:
            return problems.refused(request, 403, "missing_scope", f"This key lacks the scope {Scope.METRICS.value}.")
        person = key.owner
    if not person.is_authenticated and not lacks_second_factor(request):
        return unknown(request, "not_authenticated", BRING_A_KEY)
    if not person.has_perm(NEEDED):
        why = f"This takes the permission {NEEDED}, and in a session the second factor where it is required."
        return problems.refused(request, 403, "not_permitted", why)
    return None


def unknown(request: HttpRequest, code: str, detail: str) -> HttpResponse:
    """Answer somebody who has not said who they are, and how to."""
    response = problems.refused(request, 401, code, detail)
    response.headers["WWW-Authenticate"] = 'Bearer realm="Moot"'
    return response


class Figures(Collector):
    """The figures of the dashboard and the API, read when they are asked for."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        now = timezone.now()
        yield from of_scores()
        queues = judged.queues(now=now)
        yield labelled("moot_waiting", "What waits for a person.", ["what"], [([q.what], q.count) for q in queues])
        ages = [([q.what], q.age.total_seconds()) for q in queues if q.age is not None]
        yield labelled("moot_waiting_oldest_seconds", "How long the oldest has waited.", ["what"], ages)
        yield from of_judges()
        yield from of_agreement(now=now)
        yield from of_providers(since=now - timedelta(days=1))
        yield from of_work()
        yield from of_streams()
        yield from of_replica()


def of_scores() -> Iterator[GaugeMetricFamily]:
    sums, sides = scored.score_sums(), scored.sides_lately()
    impact = scored.impact(sums)
    for name in ("evaluations", "avg_adjustment", "max_adjustment", "adjustment_stddev", "impact_ratio",
                 "changed_by_one", "override_rate", "override_size"):  # fmt: skip
        value = getattr(impact, name)
        if value is not None:
            yield GaugeMetricFamily(f"moot_{name}", f"See docs/reference/moderation.md: {name}.", value=float(value))
    if sides.share is not None:
        yield GaugeMetricFamily(
            "moot_one_sidedness", "Share of the side that wins more often.", value=float(sides.share)
        )
    counts = [([scale.instrument.value], scale.scores) for scale in scored.by_instrument(sums)]
    yield labelled("moot_scores", "Scores on each instrument.", ["instrument"], counts)


def of_judges() -> Iterator[GaugeMetricFamily]:
    judges, flips = judged.judges_lately()
    lenient = [([row.provider, row.model], float(row.mean_adjustment)) for row in judges]
    yield labelled("moot_judge_leniency", "Mean adjustment of counted verdicts.", WHO, lenient)
    turned = [([row.provider, row.model], float(row.rate)) for row in flips]
    yield labelled("moot_judge_flip_rate", "Share that came out otherwise in the other order.", WHO, turned)


def of_agreement(*, now: datetime) -> Iterator[GaugeMetricFamily]:
    """Return how far the judges of panels agree, by rubric, and on how much that rests."""
    rows = judged.agreement_by_rubric(now=now)
    alphas = [([row.rubric], float(row.alpha)) for row in rows if row.alpha is not None]
    yield labelled("moot_agreement", "Krippendorff's alpha of judges who read alone.", ["rubric"], alphas)
    single = [([row.rubric], float(row.intraclass)) for row in rows if row.intraclass is not None]
    yield labelled(
        "moot_agreement_intraclass",
        "Intraclass correlation of one judge who reads alone; missing where judges contradict each other flatly.",
        ["rubric"],
        single,
    )
    units = [([row.rubric], row.units) for row in rows]
    yield labelled("moot_agreement_units", "Criteria of panels that it rests on.", ["rubric"], units)


def of_providers(*, since: datetime) -> Iterator[GaugeMetricFamily]:
    providers = judged.providers(since=since)
    for name, about in (("calls", "Calls"), ("unusable", "Unusable answers"), ("mean_latency", "Mean milliseconds"),
                        ("tokens", "Tokens"), ("money", "Money spent")):  # fmt: skip
        rows = [([provider.provider, provider.model], float(getattr(provider, name) or 0)) for provider in providers]
        yield labelled(f"moot_provider_{name}_day", f"{about} in the last day.", WHO, rows)


def of_work() -> Iterator[GaugeMetricFamily]:
    work = judged.work(now=timezone.now())
    yield GaugeMetricFamily("moot_jobs_waiting", "Jobs that no worker has taken.", value=work.jobs)
    yield GaugeMetricFamily("moot_deliveries_waiting", "Deliveries to webhooks that wait.", value=work.deliveries)
    yield GaugeMetricFamily("moot_delivery_lag_seconds", "How late the oldest delivery is.", value=work.overdue or 0)
    outbox = judged.outbox(now=timezone.now())
    yield labelled("moot_mails", "Mail that waits; or that went wrong in the last day.", ["state"], outbox.counts)
    yield GaugeMetricFamily("moot_mail_lag_seconds", "How late the oldest mail is.", value=outbox.overdue)
    yield GaugeMetricFamily("moot_workers", "Workers heard lately: two for each process.", value=work.workers)


def of_streams() -> Iterator[GaugeMetricFamily]:
    """Return what live delivery has to do in this process; others have figures of their own."""
    load = hub.load()
    yield GaugeMetricFamily("moot_stream_lag_seconds", "Since logs should have been looked at.", value=load.lag)
    yield GaugeMetricFamily("moot_stream_watchers", "Connections that follow a debate here.", value=load.watchers)
    yield GaugeMetricFamily("moot_stream_debates", "Debates whose logs are read here.", value=load.debates)


def of_replica() -> Iterator[GaugeMetricFamily]:
    """Return how far the replica is behind; nothing where there is none, or where it does not answer or follow."""
    lag = replica.WATCH.measure() if replica.is_configured() else None
    if lag is not None:
        yield GaugeMetricFamily("moot_replica_lag_seconds", "How old at most what is read there is.", value=lag)


def labelled(name: str, about: str, labels: list[str], rows: list[tuple[list[str], Any]]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, about, labels=labels)
    for values, number in rows:
        family.add_metric(values, float(number))
    return family
