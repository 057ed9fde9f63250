"""Reading what judging keeps."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from functools import lru_cache

from django.db.models import Count, F, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from debates.models import Debate, Event
from debates.types import Kind, Role
from judging.board import Brief, Voice
from judging.models import Call, Claim, Script
from judging.rules.budget import Amounts


@lru_cache(maxsize=64)
def brief(debate_id: int) -> Brief:
    """Return what does not change about a debate once it has started; kept in memory for the debates in play."""
    debate = Debate.objects.select_related("subject").get(pk=debate_id)
    script = Script.objects.filter(debate=debate).values_list("answers", flat=True).first()
    everybody = tuple(
        Voice(one.pk, Role(one.role), one.name, one.provider, one.model, Kind(one.kind))
        for one in debate.participants.order_by("position", "pk")
    )
    return Brief(
        debate_id=debate.pk,
        public_id=str(debate.public_id),
        format=debate.format,
        title=debate.subject.title if debate.subject else debate.title,
        subject=debate.subject.text if debate.subject else debate.motion,
        rounds=debate.rounds,
        parameters=debate.parameters,
        voices={voice.role: voice for voice in reversed(everybody)},
        everybody=everybody,
        has_limit=debate.has_limit,
        script=script or (),
    )


@dataclass(frozen=True, slots=True)
class Spending:
    """What a debate may spend, has spent, and has set aside for rounds in flight; and its dearest call so far."""

    limits: Amounts
    spent: Amounts
    reserved: Amounts
    dearest: Amounts


def spending(*, debate: Debate, besides: int | None = None) -> Spending:
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
        claims = claims.exclude(thread_id=besides)
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


def budget_told_lately(*, debate_id: int) -> bool:
    """Say whether a debate's stream told its budget within the last half second."""
    since = timezone.now() - timedelta(milliseconds=500)
    return Event.objects.filter(debate_id=debate_id, type="budget:status", at__gt=since).exists()
