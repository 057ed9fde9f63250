"""Figures of judging: adjustments, agreement, leniency and flips of each judge, calls and their costs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.db.models import Avg, Count, DecimalField, F, Max, Min, Q, QuerySet, Sum
from django.db.models.functions import Coalesce
from procrastinate.contrib.django.models import ProcrastinateJob, ProcrastinateWorker

from debates.models import Delivery, Mail, Participant
from debates.types import DeliveryState, Kind, MailState, Role
from judging.formats import panel
from judging.formats.panel import deliberation
from judging.models import Call, Consensus, Effect, JudgeReport, JudgeScore, ResponseEvaluation, Review, Verdict
from judging.models.judgements import REVIEW_WAITS
from judging.rules import agreement
from judging.rules.agreement import PLACES, AlphaState, Leaning, Level, Unit
from judging.types import OFFLINE, Outcome, Purpose, ReviewState
from scoring import metrics, selectors
from scoring.metrics import Waiting
from scoring.rules import numbers
from scoring.rules.numbers import half_up
from scoring.types import Instrument

# How judges of panels do: whether they can be read, how they lean, how often they move, what they cost.


PURPOSES = (Purpose.ANALYSE.value, Purpose.ARGUE.value)


@dataclass(frozen=True, slots=True)
class Judge:
    """Who judges: a provider with a model; an offline judge also by how it reads; or all people, or all programs."""

    provider: str
    model: str
    strategy: str = ""
    kind: Kind = Kind.ENGINE


@dataclass(frozen=True, slots=True)
class Health:
    """How one judge did.

    Units: ``leniency`` and ``deviation`` in points against the other judges of the same panels, ``None`` where nobody
    else could be read; ``unreadable`` (of a person: was late) and ``not_assessed`` (cannot judge that, as it says) are
    out of ``reports``, ``moved`` (in a debate round) and ``refused`` out of ``scores``, ``flipped`` out of the
    ``swapped``, which were judged in both orders; ``missing`` counts quotes that the subject does not say; ``cost`` as
    in the price table.
    """

    reports: int
    unreadable: int
    not_assessed: int
    scores: int
    moved: int
    refused: int
    swapped: int
    flipped: int
    missing: int
    leniency: Decimal | None
    deviation: Decimal | None
    calls: int
    cost: Decimal

    @property
    def unreadable_rate(self) -> Decimal | None:
        """Return the share of reports that could not be read, 0 to 1; ``None`` where there are none."""
        return Decimal(self.unreadable) / self.reports if self.reports else None

    @property
    def flip_rate(self) -> Decimal | None:
        """Return the share of flipped scores of those judged in both orders, 0 to 1; ``None`` where there are none."""
        return Decimal(self.flipped) / self.swapped if self.swapped else None


def health(*, since: datetime) -> dict[Judge, Health]:
    """Return how every judge did in the panels since a moment, in six queries."""
    reports = JudgeReport.objects.filter(at__gte=since)
    scored = JudgeScore.objects.filter(report__at__gte=since)
    asked = Call.objects.filter(at__gte=since, purpose__in=PURPOSES)
    leans = _leanings(scored)
    by_seat = [
        _by_seat(
            reports.values(seat=F("participant")).annotate(
                reports=Count("pk"), silent=Count("pk", filter=MUTE), declined=Count("pk", filter=MUTE & DECLINED)
            )
        ),
        _by_seat(
            scored.values(seat=F("report__participant")).annotate(
                scores=Count("pk"),
                moved=Count("pk", filter=Q(report__round__number__gt=0) & ~Q(fact__amount=F("given"))),
                refused_ones=Count("pk", filter=Q(refused=True)),
                swapped=Count("flipped"),
                flips=Count("pk", filter=Q(flipped=True)),
                missing=Sum("quotes_missing"),
            )
        ),
        _by_seat(asked.values(seat=F("participant")).annotate(calls=Count("pk"), paid=Sum("cost"))),
    ]
    return {judge: _health(own, by_seat, leans) for judge, own in _seats(since)}


MUTE, DECLINED = Q(readable=False), Q(body__kind=deliberation.DECLINED)
Figures = Mapping[int, Mapping[str, Any]]


def _by_seat(rows: Iterable[Mapping[str, Any]]) -> Figures:
    return {row["seat"]: row for row in rows}


def _health(own: Sequence[int], by_seat: Sequence[Figures], leans: Mapping[str, Leaning]) -> Health:
    def total(name: str) -> Any:
        return sum(figures.get(seat, {}).get(name) or 0 for figures in by_seat for seat in own)

    seen = [leans[str(seat)] for seat in own if str(seat) in leans]
    return Health(
        reports=total("reports"),
        unreadable=total("silent") - total("declined"),
        not_assessed=total("declined"),
        scores=total("scores"),
        moved=total("moved"),
        refused=total("refused_ones"),
        swapped=total("swapped"),
        flipped=total("flips"),
        missing=total("missing"),
        leniency=_weighted([(leaning.units, leaning.leniency) for leaning in seen]),
        deviation=_weighted([(leaning.units, leaning.deviation) for leaning in seen]),
        calls=total("calls"),
        cost=Decimal(total("paid")),
    )


def _weighted(parts: Iterable[tuple[int, Decimal | None]]) -> Decimal | None:
    """Return the mean of means, each by what it rests on."""
    known = [(units, Fraction(value)) for units, value in parts if value is not None]
    units = sum(count for count, _ in known)
    whole = sum((count * value for count, value in known), Fraction(0))
    return numbers.half_up(whole / units, places=PLACES) if units else None


def _standing(scored: QuerySet[JudgeScore]) -> QuerySet[JudgeScore]:
    """Return scores without those that a moderator has struck: they count nowhere."""
    out = selectors.struck(debates=scored.order_by().values("report__debate"), instrument=Instrument.PANEL)
    return scored.exclude(fact__in=out) if out else scored


def _leanings(scored: QuerySet[JudgeScore]) -> dict[str, Leaning]:
    """Return how each seat leans: every criterion of every round is a unit."""
    units: dict[tuple[int, str], dict[str, Decimal]] = {}
    rows = _standing(scored).values_list("fact__round_id", "key", "report__participant_id", "fact__amount")
    for played, key, seat, amount in rows:
        units.setdefault((played, key), {})[str(seat)] = amount
    return agreement.leanings(units=list(units.values()))


def _reads(provider: str, position: int, strategies: Sequence[str] | None) -> str:
    return strategies[position - 1] if provider == OFFLINE and strategies else ""


def _seats(since: datetime) -> list[tuple[Judge, list[int]]]:
    """Return the participants that each judge was, in panels that anything was reported in; by name."""
    rows = Participant.objects.filter(role=Role.JUDGE.value, judge_reports__at__gte=since).distinct()
    kept = "debate__parameters__panel__strategies"
    seats_by_judge: dict[Judge, list[int]] = {}
    seated = rows.values_list("pk", "kind", "provider", "model", "position", kept)
    for pk, kind, provider, model, position, strategies in seated:
        reads = _reads(provider, position, strategies)
        seats_by_judge.setdefault(Judge(provider, model, reads, Kind(kind)), []).append(pk)
    return sorted(seats_by_judge.items(), key=lambda row: (row[0].provider, row[0].model, row[0].strategy, row[0].kind))


# Figures about judging, for the dashboard, the API and Prometheus: what waits, how judges and providers do.


LATELY = timedelta(days=30)
MOST_PANELS = 100
"""So many of the newest panels say how far judges agree; more would make every look at the figures slower."""


@dataclass(frozen=True, slots=True)
class SettledReviews:
    """How many reviews were settled lately, and how long they had been open; nothing where there were none."""

    count: int
    mean: timedelta | None
    longest: timedelta | None


def settled_reviews(*, now: datetime) -> SettledReviews:
    """Return how long the reviews had waited that were settled in the last 30 days, in one query."""
    took = F("settled_at") - F("opened_at")
    rows = Review.objects.filter(state=ReviewState.SETTLED.value, settled_at__gt=now - LATELY)
    totals = rows.aggregate(number=Count("pk"), mean=Avg(took), longest=Max(took))
    return SettledReviews(totals["number"], totals["mean"], totals["longest"])


def open_reviews(*, now: datetime) -> list[Waiting]:
    """Return how many reviews nobody holds and how many somebody does, and how long the oldest of each has waited."""
    held = Q(state=ReviewState.CLAIMED.value, lease_until__gt=now)
    totals = Review.objects.filter(REVIEW_WAITS).aggregate(
        free=Count("pk", filter=~held),
        free_since=Min("opened_at", filter=~held),
        held=Count("pk", filter=held),
        held_since=Min("opened_at", filter=held),
    )
    return [
        metrics.waiting(what="open", number_and_oldest=[totals["free"], totals["free_since"]], now=now),
        metrics.waiting(what="claimed", number_and_oldest=[totals["held"], totals["held_since"]], now=now),
    ]


def queues(*, now: datetime) -> list[Waiting]:
    """Return everything that waits for a person."""
    asks = (
        metrics.open_alerts, open_reviews, metrics.waiting_approvals, metrics.waiting_appeals, metrics.staged_sets,
    )  # fmt: skip
    return [queue for ask in asks for queue in ask(now=now)]


@dataclass(frozen=True, slots=True)
class Asked:
    """What one provider and model was asked for, and how it did.

    Units: latency in milliseconds, money as in the price table.
    """

    provider: str
    model: str
    calls: int
    unusable: int
    mean_latency: Decimal | None
    tokens: int
    money: Decimal


def providers(*, since: datetime) -> list[Asked]:
    """Return how each provider and model did since a moment, in one query; what was known already is no call."""
    rows = Call.objects.filter(at__gte=since, known=False).values("provider", "model")
    figures = rows.annotate(
        calls=Count("pk"),
        unusable=Count("pk", filter=Q(outcome__in=[Outcome.REJECTED.value, Outcome.FAILED.value])),
        latency=Avg("milliseconds", output_field=DecimalField()),
        tokens=Coalesce(Sum(F("tokens_in") + F("tokens_out")), 0),
        money=Coalesce(Sum("cost"), Decimal(0)),
    )
    return [
        Asked(row["provider"], row["model"], row["calls"], row["unusable"], row["latency"], row["tokens"], row["money"])
        for row in figures.order_by("provider", "model")
    ]


@dataclass(frozen=True, slots=True)
class Leniency:
    """How far one judge's counted verdicts move scores on average, and how many there are."""

    provider: str
    model: str
    verdicts: int
    mean_adjustment: Decimal


def leniency() -> list[Leniency]:
    """Return how lenient each arbiter is, in one query."""
    counted = Verdict.objects.filter(fact__evaluation__basis__contains=[F("fact_id")], call__isnull=False)
    figures = counted.values("call__provider", "call__model").annotate(many=Count("pk"), mean=Avg("fact__amount"))
    return [
        Leniency(row["call__provider"], row["call__model"], row["many"], half_up(row["mean"], places=4))
        for row in figures.order_by("call__provider", "call__model")
    ]


@dataclass(frozen=True, slots=True)
class Flips:
    """How often one judge came to another end in the other order; ``rate`` is out of what was judged in both orders."""

    provider: str
    model: str
    judged: int
    flipped: int
    rate: Decimal


def flips() -> list[Flips]:
    """Return how often each judge flips, of everything that was judged in both orders, in one query."""
    first, *others = (_turned(model, call) for model, call in JUDGED)
    counted: dict[tuple[str, str], tuple[int, int]] = {}
    for provider, model, many, turned in first.union(*others, all=True):
        before = counted.get((provider, model), (0, 0))
        counted[provider, model] = (before[0] + many, before[1] + turned)
    return [
        Flips(*who, judged=many, flipped=turned, rate=half_up(Fraction(turned, many), places=4))
        for who, (many, turned) in sorted(counted.items())
    ]


JUDGED: tuple[tuple[Any, str], ...] = (
    (Verdict, "call"),
    (ResponseEvaluation, "call"),
    (Effect, "call"),
    (JudgeScore, "report__call"),
)
"""What may be judged in both orders, and by which call."""


def _turned(model: Any, call: str) -> Any:
    rows = model.objects.filter(flipped__isnull=False, **{f"{call}__isnull": False}).order_by()
    counts = {"many": Count("pk"), "turned": Count("pk", filter=Q(flipped=True))}
    return rows.values_list(f"{call}__provider", f"{call}__model").annotate(**counts)


KEPT_AS = ":".join(("judges_lately", *Leniency.__slots__, *Flips.__slots__))
"""A release in which they have other fields keeps its own."""


def judges_lately() -> tuple[list[Leniency], list[Flips]]:
    """Return how lenient each arbiter is and how often each judge flips, as it was at most a minute ago.

    Both are found in everything that was ever judged, however many ask, and from however many processes.
    """
    figures: tuple[list[Leniency], list[Flips]] | None = cache.get(KEPT_AS)
    if figures is None:
        figures = leniency(), flips()
        cache.set(KEPT_AS, figures, metrics.KEPT_SECONDS)
    return figures


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far the judges of the panels on one rubric agreed before they heard each other.

    ``units`` counts the criteria of panels that two or more judges scored; ``alpha`` is Krippendorff's, by the distance
    of scores; ``None`` where nothing could be compared, or nothing varied. ``intraclass`` is the correlation of one
    judge, over the criteria that every seat scored; ``None`` where the panels had different judges.
    """

    rubric: str
    name: str
    panels: int
    units: int
    state: AlphaState
    alpha: Decimal | None
    intraclass: Decimal | None = None


def agreement_by_rubric(*, now: datetime) -> list[Agreement]:
    """Return how far judges agree, by rubric, in the newest 100 panels of the last 30 days, in three queries.

    Source: docs/reference/agreement.md#by-rubric
    """
    rubric = "debate__parameters__rubric"
    recent = {"debate__format": panel.NAME, "round__number": 0, "at__gt": now - LATELY}
    alone = Consensus.objects.filter(**recent).order_by("-pk")
    panels = list(alone.values_list("round_id", f"{rubric}__slug", f"{rubric}__name")[:MOST_PANELS])
    units = _units(rounds=[played for played, _, _ in panels])
    names = {slug: name for _, slug, name in reversed(panels)}
    return [
        _agreed(slug, names[slug], [units.get(played, []) for played, own, _ in panels if own == slug])
        for slug in sorted(names)
    ]


def _units(*, rounds: Sequence[int]) -> Mapping[int, Sequence[Unit]]:
    scores_by_round: dict[int, dict[str, dict[str, Decimal]]] = {}
    rows = _standing(JudgeScore.objects.filter(report__round__in=rounds).order_by())
    seat = ("id", "position", "kind", "user", "provider", "model")
    columns = ("report__round_id", "key", "fact__amount", *(f"report__participant__{name}" for name in seat))
    kept = "report__debate__parameters__panel__strategies"
    for played, key, amount, pk, position, kind, user, provider, model, strategies in rows.values_list(*columns, kept):
        reads = _reads(provider, position, strategies)
        who = (provider, model, reads) if kind == Kind.ENGINE.value else (kind, user or f"seat {pk}")
        scores_by_round.setdefault(played, {}).setdefault(key, {})[repr((position, *who))] = amount
    return {played: list(criteria.values()) for played, criteria in scores_by_round.items()}


def _agreed(slug: str, name: str, panels: Sequence[Sequence[Unit]]) -> Agreement:
    units = [unit for played in panels for unit in played]
    alpha = agreement.estimate(units=units, level=Level.INTERVAL)
    single = agreement.intraclass(units=units).single
    return Agreement(
        slug, name, len(panels), units=alpha.units, state=alpha.state, alpha=alpha.value, intraclass=single
    )


@dataclass(frozen=True, slots=True)
class Work:
    """What waits for workers, and whether there are any: a command that plays by itself is none.

    Units: ``overdue`` and ``heard`` in seconds; ``None`` where nothing is due, or no worker was ever heard.
    """

    jobs: int
    deliveries: int
    overdue: float | None
    workers: int
    heard: float | None


def work(*, now: datetime) -> Work:
    """Return what waits for workers, in three queries."""
    waiting = Delivery.objects.filter(state=DeliveryState.WAITING.value)
    due = waiting.filter(due_at__lte=now).aggregate(oldest=Min("due_at"))["oldest"]
    alive = now - timedelta(seconds=settings.STALLED_SECONDS)
    workers = ProcrastinateWorker.objects.filter(pk__gt=0).aggregate(
        many=Count("pk", filter=Q(last_heartbeat__gt=alive)), last=Max("last_heartbeat")
    )
    return Work(
        jobs=ProcrastinateJob.objects.filter(status="todo").count(),
        deliveries=waiting.count(),
        overdue=None if due is None else (now - due).total_seconds(),
        workers=workers["many"],
        heard=None if workers["last"] is None else (now - workers["last"]).total_seconds(),
    )


@dataclass(frozen=True, slots=True)
class Outbox:
    """How much mail waits, and how much went wrong in the last day: (labels, number). ``overdue`` is in seconds."""

    counts: list[tuple[list[str], int]]
    overdue: float


WENT_WRONG = (MailState.UNCERTAIN.value, MailState.REFUSED.value, MailState.BOUNCED.value)


def outbox(*, now: datetime) -> Outbox:
    """Return what waits in the outbox and what went wrong, in two queries."""
    waits = (MailState.DUE.value, MailState.SENDING.value)
    lately = Q(state__in=waits) | Q(state__in=WENT_WRONG, settled_at__gt=now - timedelta(days=1))
    rows = Mail.objects.filter(lately).order_by().values_list("state").annotate(Count("pk"))
    counts = dict.fromkeys((*waits, *WENT_WRONG), 0) | dict(rows)
    late = Mail.objects.filter(state=MailState.DUE.value)
    first = late.filter(due_at__lte=now).aggregate(oldest=Min("due_at"))["oldest"]
    seconds = 0.0 if first is None else (now - first).total_seconds()
    return Outbox([([state], number) for state, number in counts.items()], seconds)
