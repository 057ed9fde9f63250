"""The budget of a debate while it plays: setting aside, using, telling. The rule is judging/rules/budget.py."""

from __future__ import annotations

from datetime import datetime

from debates.models import Debate, Thread
from debates.types import News
from judging import selectors
from judging.models import Claim
from judging.rules.budget import Amounts, may_spend
from scoring.services.entries import text as shown

SPENT = "budget_spent"


def set_aside(*, debate: Debate, thread: Thread, calls: int, now: datetime) -> bool:
    """Set aside, for a thread of a locked debate with a limit, what so many calls may cost; say whether it fits.

    What the thread had set aside before is gone, either way.
    """
    stands = selectors.spending(debate=debate, besides=thread.pk)
    wanted = stands.dearest.times(calls)
    if not may_spend(limits=stands.limits, spent=stands.spent, reserved=stands.reserved, wanted=wanted):
        release(thread=thread)
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


def release(*, thread: Thread) -> None:
    """Give back what a locked thread has set aside."""
    Claim.objects.filter(thread=thread).update(reserved_calls=0, reserved_tokens=0, reserved_money=0)


def spent_out(*, debate: Debate) -> bool:
    """Say whether a limit is reached, so that not even one more call may be made."""
    stands = selectors.spending(debate=debate)
    nothing = Amounts()
    return not may_spend(limits=stands.limits, spent=stands.spent, reserved=nothing, wanted=nothing)


def fits_once_more(*, debate: Debate) -> bool:
    """Say whether a call as dear as the dearest so far still fits beside what threads have set aside."""
    stands = selectors.spending(debate=debate)
    return may_spend(limits=stands.limits, spent=stands.spent, reserved=stands.reserved, wanted=stands.dearest)


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
