"""The budget of a debate while it plays: setting aside, using, telling. The rule is judging/rules/budget.py."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from debates.models import Debate, Thread
from debates.types import News
from judging import leases, selectors
from judging.models import Claim
from judging.rules.budget import Amounts, may_spend
from judging.types import Permit
from scoring.services.entries import text as shown

SPENT = "budget_spent"


def set_aside(*, debate: Debate, thread: Thread, calls: int, now: datetime) -> bool:
    """Set aside, for a thread of a locked debate with a limit, what so many calls may cost; say whether it fits.

    What the thread had set aside before is gone, either way.
    """
    if not _fits_and_is_kept(debate=debate, thread=thread, calls=calls, now=now):
        release(thread=thread)
        return False
    return True


def set_one_more_aside(*, debate: Debate, thread: Thread, now: datetime) -> Permit:
    """Set one call outside of rounds aside, on a locked thread that is not in play, for a debate with a limit.

    A doubled job may be waiting for an answer just now, which will be paid for as well. What it has set aside counts
    until it has used it, or has been silent for so long that it must be dead. Where only that is in the way, the answer
    is to leave, and to be asked again later.
    """
    alive = Claim.objects.filter(thread=thread, claimed_at__gt=now - leases.lease())
    under_way = alive.values_list("reserved_calls", flat=True).first() or 0
    if _fits_and_is_kept(debate=debate, thread=thread, calls=under_way + 1, now=now):
        return Permit.ASK
    if under_way:
        return Permit.LEAVE
    release(thread=thread)
    return Permit.SPENT


def _fits_and_is_kept(*, debate: Debate, thread: Thread, calls: int, now: datetime) -> bool:
    stands = selectors.spending(debate=debate, besides=thread.pk)
    wanted = stands.dearest.times(calls)
    if not may_spend(limits=stands.limits, spent=stands.spent, reserved=stands.reserved, wanted=wanted):
        return False
    Claim.objects.update_or_create(
        thread=thread,
        defaults={
            "fence": thread.fence,
            "reserved_calls": wanted.calls or 0,
            "reserved_tokens": wanted.tokens or 0,
            "reserved_money": wanted.money or 0,
            "claimed_at": now,
        },
    )
    return True


@transaction.atomic(durable=True)
def renew(*, thread_id: int, now: datetime) -> None:
    """Say that what a thread has set aside is still being used."""
    Claim.objects.filter(thread_id=thread_id).update(claimed_at=now)


def release(*, thread: Thread) -> None:
    """Give back what a locked thread has set aside."""
    Claim.objects.filter(thread=thread).update(reserved_calls=0, reserved_tokens=0, reserved_money=0)


def spent_out(*, debate: Debate) -> bool:
    """Say whether a limit is reached, so that not even one more call may be made."""
    stands = selectors.spending(debate=debate)
    nothing = Amounts()
    return not may_spend(limits=stands.limits, spent=stands.spent, reserved=nothing, wanted=nothing)


def use_reservation(*, thread: Thread) -> None:
    """Take one call off what a thread has set aside."""
    claimed = Claim.objects.get(thread=thread)
    left = max(claimed.reserved_calls - 1, 0)
    if claimed.reserved_calls:
        claimed.reserved_tokens = claimed.reserved_tokens * left // claimed.reserved_calls
        claimed.reserved_money = claimed.reserved_money * left / claimed.reserved_calls
    claimed.reserved_calls = left
    claimed.save(update_fields=["reserved_calls", "reserved_tokens", "reserved_money"])


def news(*, debate: Debate, last: bool = False) -> list[News]:
    """Return how the budget stands, unless it was told less than half a second ago and this is not the last word."""
    stands = selectors.spending(debate=debate)
    if not last and selectors.budget_told_lately(debate_id=debate.pk):
        return []
    return [
        News(
            "budget:status",
            {
                "calls": stands.spent.calls,
                "tokens": stands.spent.tokens,
                "money": shown(stands.spent.money),
                "limitCalls": stands.limits.calls,
                "limitTokens": stands.limits.tokens,
                "limitMoney": shown(stands.limits.money),
            },
        )
    ]
