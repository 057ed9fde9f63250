"""Reading what judging keeps."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from functools import lru_cache

from django.db.models import Count, F, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from debates.models import Debate, Event, Thread
from debates.types import Kind, Role
from judging.formats.debate_lookup import read_brief
from judging.formats.state import Brief
from judging.models import Call, CallUnderWay, Claim
from judging.rules.budget import Amounts
from scoring.models import ReplacedJudge


@lru_cache(maxsize=64)
def _kept(debate_id: int, _replaced: int) -> Brief:
    return read_brief(debate_id)


def brief(debate_id: int) -> Brief:
    """Return what does not change about a started debate, kept in memory until one of its judges is replaced."""
    kept = _kept(debate_id, 0)
    if not any(voice.role is Role.JUDGE and voice.kind is not Kind.ENGINE for voice in kept.everybody):
        return kept
    return _kept(debate_id, ReplacedJudge.objects.filter(debate=debate_id).count())


@dataclass(frozen=True, slots=True)
class Spending:
    """What a debate may spend, has spent, and has set aside for rounds in flight; and its dearest call so far."""

    limits: Amounts
    spent: Amounts
    reserved: Amounts
    dearest: Amounts


def spending(*, debate: Debate, besides: Thread | None = None) -> Spending:
    """Return the budget of a debate; ``besides`` leaves out what one thread has set aside."""
    tokens = F("tokens_in") + F("tokens_out")
    calls = Call.objects.filter(debate=debate, known=False).aggregate(
        calls=Count("id"), tokens=Coalesce(Sum(tokens), 0), money=Coalesce(Sum("cost"), Decimal(0))
    )
    top = Call.objects.filter(debate=debate).order_by("-cost").values_list("cost", flat=True).first()
    most = (
        Call.objects.filter(debate=debate).annotate(all=tokens).order_by("-all").values_list("all", flat=True).first()
    )
    claims = Claim.objects.filter(thread__debate=debate)
    if besides is not None:
        claims = claims.exclude(thread=besides)
    held = claims.aggregate(
        calls=Coalesce(Sum("reserved_calls"), 0),
        tokens=Coalesce(Sum("reserved_tokens"), 0),
        money=Coalesce(Sum("reserved_money"), Decimal(0)),
    )
    return Spending(
        limits=Amounts(calls=debate.limit_calls, tokens=debate.limit_tokens, money=debate.limit_money),
        spent=Amounts(**calls),
        reserved=Amounts(**held),
        dearest=Amounts(calls=1, tokens=most or 0, money=top or Decimal(0)),
    )


def left_under_way(*, debate: Debate, thread: Thread | None, now: datetime) -> tuple[int, int]:
    """Return how many calls of a debate are under way that no round has set aside: of a thread's own, and of others.

    A call is set aside with its round as long as the claim stands in which it was begun: for ``thread`` that is the
    claim at its fence. Without a thread all that are under way are taken for its own.
    """
    claims = Claim.objects.filter(thread__debate=debate, reserved_calls__gt=0).values_list("thread_id", "fence")
    rounds = {claim for claim in claims if thread is None or claim[0] != thread.pk}
    if thread is not None:
        rounds.add((thread.pk, thread.fence))
    alive = CallUnderWay.objects.filter(debate=debate, lease_until__gt=now).values_list("thread_id", "fence")
    alone = [call for call in alive if call not in rounds]
    own = sum(1 for thread_id, _ in alone if thread is None or thread_id == thread.pk)
    return own, len(alone) - own


def budget_told_lately(*, debate_id: int) -> bool:
    """Say whether a debate's stream told its budget within the last half second."""
    since = timezone.now() - timedelta(milliseconds=500)
    return Event.objects.filter(debate_id=debate_id, type="budget:status", at__gt=since).exists()
