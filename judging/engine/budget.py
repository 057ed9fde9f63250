"""The budget of a debate while it plays: setting aside, using, telling. The rule is judging/rules/budget.py."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from debates.decimals import in_places
from debates.models import Debate, Thread
from debates.types import News
from judging.engine import locks, selectors
from judging.engine.selectors import Spending
from judging.models import CallUnderWay, Claim
from judging.rules.budget import Amounts, may_spend
from judging.types import Permit

SPENT = "budget_spent"


def set_aside(*, debate: Debate, thread: Thread, calls: int, now: datetime) -> Permit:
    """Set aside, for the round of a locked thread of a locked debate with a limit, what so many calls may cost.

    What an earlier claim of the thread left under way will be paid for as well. Where only that is in the way, the
    answer is to leave, and to be asked again later. Where it does not fit, what was set aside before is gone.
    """
    stands = selectors.spending(debate=debate, besides=thread)
    allowed = _allowed(stands, debate=debate, thread=thread, calls=calls, now=now)
    if allowed is Permit.SPENT:
        release(thread=thread)
    if allowed is not Permit.ASK:
        return allowed
    reserved = stands.dearest.times(calls)
    Claim.objects.update_or_create(
        thread=thread,
        defaults={
            "fence": thread.fence,
            "reserved_calls": reserved.calls or 0,
            "reserved_tokens": reserved.tokens or 0,
            "reserved_money": reserved.money or 0,
            "claimed_at": now,
        },
    )
    return allowed


def begin_alone(*, debate: Debate, thread: Thread | None, now: datetime) -> tuple[Permit, int | None]:
    """Begin a call outside of rounds, if it fits: the assessment of a thread, or, without one, the synthesis.

    A doubled job may be waiting for an answer just now, and a round may have left calls under way: they are paid for as
    well. Where only they are in the way, the answer is to leave, and to be asked again later.

    Shape: with the permit to ask comes what counts the call while it is under way.
    """
    stands = selectors.spending(debate=debate, besides=thread)
    allowed = _allowed(stands, debate=debate, thread=thread, calls=1, now=now)
    if allowed is not Permit.ASK:
        return allowed, None
    return allowed, begin(debate_id=debate.pk, thread_id=thread.pk if thread else None, fence=None, now=now)


def begin(*, debate_id: int, thread_id: int | None, fence: int | None, now: datetime) -> int:
    """Count a call from now on, until it is written down or given back, or nobody renews it any more; return by what.

    Shape: ``fence`` is that of the claim which has set the call aside; nothing for a call outside of rounds.
    """
    CallUnderWay.objects.filter(debate_id=debate_id, lease_until__lte=now).delete()
    row = CallUnderWay.objects.create(
        debate_id=debate_id, thread_id=thread_id, fence=fence, lease_until=locks.ends(now)
    )
    return row.pk


@transaction.atomic(durable=True)
def renew(*, under_way: int, now: datetime) -> None:
    CallUnderWay.objects.filter(pk=under_way).update(lease_until=locks.ends(now))


@transaction.atomic(durable=True)
def give_back(*, under_way: int) -> None:
    """Count a call no more that was not made after all."""
    finish(under_way=under_way)


def finish(*, under_way: int) -> None:
    """Count a call no more as one that is under way; as one that was made, it is counted from what is written down."""
    CallUnderWay.objects.filter(pk=under_way).delete()


def release(*, thread: Thread) -> None:
    """Give back what a locked thread has set aside. Its calls that are under way count for themselves from now on."""
    Claim.objects.filter(thread=thread).update(reserved_calls=0, reserved_tokens=0, reserved_money=0)


def spent_out(*, debate: Debate) -> bool:
    """Say whether a limit is reached, so that not even one more call may be made."""
    stands = selectors.spending(debate=debate)
    nothing = Amounts()
    return not may_spend(limits=stands.limits, spent=stands.spent, reserved=nothing, cost=nothing)


def use_reservation(*, thread: Thread) -> None:
    claimed = Claim.objects.get(thread=thread)
    left = max(claimed.reserved_calls - 1, 0)
    if claimed.reserved_calls:
        claimed.reserved_tokens = claimed.reserved_tokens * left // claimed.reserved_calls
        claimed.reserved_money = claimed.reserved_money * left / claimed.reserved_calls
    claimed.reserved_calls = left
    claimed.save(update_fields=["reserved_calls", "reserved_tokens", "reserved_money"])


def news(*, debate: Debate, last: bool = False) -> list[News]:
    """Return how the budget stands, unless it was told less than half a second ago and this is not the last word."""
    if not last and selectors.budget_told_lately(debate_id=debate.pk):
        return []
    stands = selectors.spending(debate=debate)
    return [
        News(
            "budget:status",
            {
                "calls": stands.spent.calls,
                "tokens": stands.spent.tokens,
                "money": in_places(stands.spent.money),
                "limitCalls": stands.limits.calls,
                "limitTokens": stands.limits.tokens,
                "limitMoney": in_places(stands.limits.money),
            },
        )
    ]


def last_word(*, debate: Debate) -> list[News]:
    """Return how the budget stands where nothing is spent for a while; nothing for a debate without a limit."""
    return news(debate=debate, last=True) if debate.has_limit else []


def _allowed(stands: Spending, *, debate: Debate, thread: Thread | None, calls: int, now: datetime) -> Permit:
    own, others = selectors.left_under_way(debate=debate, thread=thread, now=now)
    reserved = stands.reserved.plus(stands.dearest.times(others))

    def fit(further: int) -> bool:
        cost = stands.dearest.times(further)
        return may_spend(limits=stands.limits, spent=stands.spent, reserved=reserved, cost=cost)

    if fit(calls + own):
        return Permit.ASK
    return Permit.LEAVE if own and fit(calls) else Permit.SPENT
