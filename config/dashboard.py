"""The desk's first page: what waits, what plays, what was done, and what debates do to scores."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, User
from django.core.cache import cache
from django.db.models import Count, Max, Model, Q, QuerySet
from django.urls import reverse

from debates.live import hub
from debates.models import Debate
from debates.rules import IN_PLAY
from judging.engine import metrics as judged
from judging.engine.metrics import Flips, Leniency
from judging.models import Review
from judging.models.judgements import REVIEW_WAITS
from scoring import metrics
from scoring.enums import ActorKind, AlertState, ApprovalState, RescoreState
from scoring.metrics import Bin, Waiting
from scoring.models import Alert, AlertAnswer, Appeal, Approval, RescoreSet, ScoreChange
from scoring.models.appeal import WAITING as APPEALS
from scoring.services.bulk import CAP

LAST = 10
MOST_COUNTED = 1_000
"""How much open work is counted; where there is more, its number helps nobody."""
LEFT, RIGHT, BASE, TALLEST = 30, 470, 150, 130
BAR = 18


@dataclass(frozen=True, slots=True)
class Tile:
    """One queue: how much waits there, and for how long the oldest has."""

    name: str
    address: str
    count: int
    oldest: str


@dataclass(frozen=True, slots=True)
class Judge:
    """How one provider and model judges: how lenient it is, how often it flips; nothing where that was not seen."""

    provider: str
    model: str
    leniency: Leniency | None
    flips: Flips | None


@dataclass(frozen=True, slots=True)
class Bar:
    """How many scores round to one whole number, before and after, as two bars."""

    bin: Bin
    middle: int
    before_x: int
    before_y: int
    before_height: int
    after_x: int
    after_y: int
    after_height: int


@dataclass(frozen=True, slots=True)
class Act:
    """What one person did in one go: the newest of its rows, and to how many scores or alerts."""

    row: ScoreChange | AlertAnswer
    number: int

    @property
    def on_alerts(self) -> bool:
        return isinstance(self.row, AlertAnswer)


WORK: Mapping[type[Model], Q] = {
    Alert: Q(state=AlertState.OPEN.value),
    Approval: Q(state=ApprovalState.WAITING.value),
    RescoreSet: Q(state=RescoreState.STAGED.value),
    Review: REVIEW_WAITS,
    Appeal: APPEALS,
}
"""What waits for somebody, and how it is told from what does not."""


def open_counts(user: AbstractBaseUser | AnonymousUser) -> dict[str, str]:
    """Return in words how many of each kind of open work there are that somebody may see, with one query a kind."""
    if not isinstance(user, User):
        return {}
    seen = [kind for kind in WORK if user.has_perm(f"{kind._meta.app_label}.view_{kind._meta.model_name}")]  # noqa: SLF001 -- public in all but name
    rows = {kind: kind._default_manager.filter(WORK[kind]).order_by().values("pk") for kind in seen}  # noqa: SLF001 -- as above
    counts = {kind.__name__: open_rows[: MOST_COUNTED + 1].count() for kind, open_rows in rows.items()}
    in_words = {
        name: f"over {MOST_COUNTED:,}" if number > MOST_COUNTED else str(number) for name, number in counts.items()
    }
    return {name: number for name, number in in_words.items() if number != "0"}


def board(*, user: AbstractBaseUser | AnonymousUser, now: datetime) -> dict[str, Any]:
    """Return what somebody may see of the dashboard, each part in one or two queries."""
    if not isinstance(user, User):
        return {}
    parts: dict[str, Any] = {"tiles": tiles(user=user, now=now)}
    if user.has_perm("debates.view_debate"):
        parts["live"] = live()
    if user.has_perm("scoring.view_scorechange"):
        parts["recent"] = recent(with_alerts=user.has_perm("scoring.view_alert"))
    if user.has_perm("scoring.view_evaluation"):
        parts |= {**kept_figures(), "judges": judges(), **engine(now=now)}
    if user.has_perm("judging.view_review"):
        parts["reviews"] = reviews(now=now)
    return parts


def kept_figures() -> Mapping[str, Any]:
    """Return the figures over all scores, which are found anew once the ledger has an entry more, or after a minute."""
    key = f"dashboard:{ScoreChange.objects.aggregate(newest=Max('pk'))['newest']}"
    kept: Mapping[str, Any] | None = cache.get(key)
    if kept is None:
        kept = figures()
        cache.set(key, kept, metrics.KEPT_SECONDS)
    return kept


def figures() -> dict[str, Any]:
    sums = metrics.score_sums()
    spread = metrics.distribution(sums)
    return {
        "impact": metrics.impact(sums),
        "sides": metrics.one_sidedness(),
        "scales": metrics.by_instrument(sums),
        "bins": spread,
        "bars": bars(spread),
    }


def engine(*, now: datetime) -> dict[str, Any]:
    """Return how judges agree, how providers did in the last day, and what waits for workers."""
    work, stream = judged.work(now=now), hub.load()
    return {
        "agreement": judged.agreement_by_rubric(now=now),
        "providers": judged.providers(since=now - timedelta(days=1)),
        "work": work,
        "work_overdue": age(_seconds(work.overdue)),
        "work_heard": age(_seconds(work.heard)),
        "stream": stream,
    }


def judges() -> list[Judge]:
    arbiters, flipping = judged.judges_lately()
    lenient = {(row.provider, row.model): row for row in arbiters}
    flips = {(row.provider, row.model): row for row in flipping}
    return [Judge(*who, leniency=lenient.get(who), flips=flips.get(who)) for who in sorted(lenient.keys() | flips)]


def _seconds(number: float | None) -> timedelta | None:
    return None if number is None else timedelta(seconds=number)


def reviews(*, now: datetime) -> dict[str, str | int]:
    """Return how old reviews get: those that are open, by whether somebody holds them, and those settled lately."""
    free, held = judged.open_reviews(now=now)
    settled = judged.settled_reviews(now=now)
    return {
        "open": free.count,
        "open_age": age(free.age),
        "held": held.count,
        "held_age": age(held.age),
        "settled": settled.count,
        "settled_mean": age(settled.mean),
        "settled_longest": age(settled.longest),
    }


def tiles(*, user: User, now: datetime) -> list[Tile]:
    queues = (
        ("judging.view_review", "Reviews", "judging_review", "is_waiting=yes", judged.open_reviews),
        ("scoring.view_appeal", "Appeals", "scoring_appeal", "is_waiting=yes", metrics.waiting_appeals),
        ("scoring.view_approval", "Approvals", "scoring_approval", "state__exact=waiting", metrics.waiting_approvals),
        ("scoring.view_alert", "Alerts", "scoring_alert", "state__exact=open", metrics.open_alerts),
        ("scoring.view_rescoreset", "Staged sets", "scoring_rescoreset", "state__exact=staged", metrics.staged_sets),
    )
    return [
        _tile(name=name, model=model, query=query, waiting=ask(now=now))
        for permission, name, model, query, ask in queues
        if user.has_perm(permission)
    ]


def _tile(*, name: str, model: str, query: str, waiting: Sequence[Waiting]) -> Tile:
    oldest = max((queue.age for queue in waiting if queue.age is not None), default=None)
    address = f"{reverse(f'admin:{model}_changelist')}?{query}"
    return Tile(name, address, sum(queue.count for queue in waiting), oldest=age(oldest))


def age(since: timedelta | None) -> str:
    """Return how long something has waited, in the largest unit that fits."""
    if since is None:
        return ""
    minutes = max(int(since.total_seconds()) // 60, 0)
    for unit, size in (("day", 1440), ("hour", 60)):
        if minutes >= size:
            return f"{minutes // size} {unit}{'s' if minutes // size > 1 else ''}"
    return f"{minutes} min"


def live() -> list[Debate]:
    rows = Debate.objects.filter(status__in=[status.value for status in IN_PLAY])
    return list(rows.annotate(scores=Count("evaluations")).order_by("-pk")[:LAST])


def recent(*, with_alerts: bool) -> list[Act]:
    """Return the last acts of persons, newest first: what one did in one go, to however many scores, is one.

    They are found in the newest rows, by when the last of each was written, and counted in all: an act on a whole
    debate has more rows than are read at once, and a set that is applied has the reason with which it was staged.
    """
    entries = ScoreChange.objects.exclude(actor_kind=ActorKind.ENGINE.value)
    kinds: list[tuple[QuerySet[Any], str, str, tuple[str, ...]]] = [
        (entries, "reason", "evaluation", ("evaluation__debate", "actor", "reason"))
    ]
    if with_alerts:
        answers = AlertAnswer.objects.all()
        kinds.append((answers, "because", "alert", ("alert__evaluation", "debate", "by", "because")))
    latest: dict[int, datetime] = {}
    for rows, why, _, _ in kinds:
        for reason, at in newest_acts(rows.filter(**{f"{why}__isnull": False}), why=why).items():
            latest[reason] = max(at, latest.get(reason, at))
    reasons = sorted(latest, key=lambda reason: (latest[reason], reason), reverse=True)[:LAST]
    acts = {}
    for rows, why, what, related in kinds:
        grouped = rows.filter(**{f"{why}__in": reasons}).order_by().values(why)
        sizes = grouped.annotate(last=Max("pk"), number=Count(what, distinct=True))
        number_of = {row["last"]: row["number"] for row in sizes}
        for row in rows.filter(pk__in=number_of).select_related(*related):
            acts[getattr(row, f"{why}_id")] = Act(row, number_of[row.pk])
    return [acts[pk] for pk in reasons]


def newest_acts(rows: QuerySet[Any], *, why: str) -> dict[int, datetime]:
    """Return the reasons of the last acts, and when the last row of each was written: in one query as a rule.

    Where fewer than are shown fill what is read at once, those before them are looked for.
    """
    latest: dict[int, datetime] = {}
    while True:
        others = rows.exclude(**{f"{why}__in": list(latest)}).order_by("-pk")
        newest = list(others.values_list(why, "at")[: LAST * CAP])
        for reason, at in newest:
            latest[reason] = max(at, latest.get(reason, at))
        if len(newest) < LAST * CAP or len(latest) >= LAST:
            return latest


def bars(spread: Sequence[Bin]) -> list[Bar]:
    """Return the distribution as bars; the tallest fills the height."""
    most = max((max(part.before, part.after) for part in spread), default=0) or 1
    step = (RIGHT - LEFT) // len(spread)
    drawn = []
    for number, part in enumerate(spread):
        middle = LEFT + step * number + step // 2
        before, after = TALLEST * part.before // most, TALLEST * part.after // most
        drawn.append(Bar(part, middle, middle - BAR, BASE - before, before, middle + 1, BASE - after, after))
    return drawn
