"""Calls to providers: what they may cost, set aside and used; and written down, usable or not, in time or late. The
rule of the budget is judging/rules/budget.py.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from django.db import transaction

from debates import event_log, prepared_statements
from debates.decimals import in_places
from debates.models import Debate, Participant, Thread
from debates.rules import IN_PLAY
from debates.types import News, Status
from judging.engine import locks, selectors
from judging.engine.locks import lock_debate
from judging.engine.selectors import Spending
from judging.formats.prompts import AGAIN_VERSION
from judging.formats.state import Brief, ThreadState
from judging.models import Call, CallUnderWay, Claim
from judging.rules.budget import Amounts, may_spend
from judging.types import Completion, Material, Outcome, Permit, Request

# -- the budget of a debate while it plays -----------------------------------------------------------------------------


BUDGET_SPENT = "budget_spent"


def set_calls_aside(*, debate: Debate, thread: Thread, calls: int, waits: bool, now: datetime) -> Permit:
    """Set aside, for the round of a locked thread of a locked debate with a limit, what so many calls may cost.

    What an earlier claim of the thread left under way will be paid for as well. Where only that is in the way, or where
    who asks ``waits`` for it anyway, the answer is to leave, and to be asked again later. Where it does not fit,
    what was set aside before is gone. A round that needs no call costs nothing, so it is closed, and counts, with a
    budget that is spent.
    """
    stands = selectors.spending(debate=debate, besides=thread)
    allowed = Permit.ASK
    if calls:
        allowed = _allowed_calls(stands, debate=debate, thread=thread, calls=calls, waits=waits, now=now)
    if allowed is Permit.SPENT:
        release_reservation(thread=thread)
    if allowed is not Permit.ASK:
        return allowed
    reserved = stands.dearest.times(calls)
    Claim.objects.update_or_create(
        thread=thread,
        defaults={
            "fence": thread.fence,
            "reserved_calls": reserved.calls or 0,
            "reserved_tokens": reserved.tokens or 0,
            "reserved_money": min(reserved.money or Decimal(0), MOST_MONEY),  # a limit of money is never above that
            "claimed_at": now,
        },
    )
    return allowed


def begin_call_alone(*, debate: Debate, thread: Thread | None, now: datetime) -> tuple[Permit, int | None]:
    """Begin a call outside of rounds, if it fits: the assessment of a thread, or, without one, the synthesis.

    A doubled job may be waiting for an answer just now, and a round may have left calls under way: they are paid for as
    well. Where only they are in the way, the answer is to leave, and to be asked again later.

    Shape: with the permit to ask comes what counts the call while it is under way.
    """
    stands = selectors.spending(debate=debate, besides=thread)
    allowed = _allowed_calls(stands, debate=debate, thread=thread, calls=1, waits=thread is not None, now=now)
    if allowed is not Permit.ASK:
        return allowed, None
    return allowed, begin_call(debate_id=debate.pk, thread_id=thread.pk if thread else None, fence=None, now=now)


def begin_call(*, debate_id: int, thread_id: int | None, fence: int | None, now: datetime) -> int:
    """Count a call from now on, until it is written down or given back, or nobody renews it any more; return by what.

    Shape: ``fence`` is that of the claim which has set the call aside; nothing for a call outside of rounds.
    """
    CallUnderWay.objects.filter(debate_id=debate_id, lease_until__lte=now).delete()
    row = CallUnderWay.objects.create(
        debate_id=debate_id, thread_id=thread_id, fence=fence, lease_until=locks.ends(now)
    )
    return row.pk


@transaction.atomic(durable=True)
def renew_call(*, under_way: int, now: datetime) -> None:
    CallUnderWay.objects.filter(pk=under_way).update(lease_until=locks.ends(now))


@transaction.atomic(durable=True)
def give_call_back(*, under_way: int) -> None:
    """Count a call no more that was not made after all."""
    finish_call(under_way=under_way)


def are_under_way(*, thread: Thread, now: datetime) -> bool:
    """Say whether the claim that holds a thread has calls under way."""
    return CallUnderWay.objects.filter(thread=thread, fence=thread.fence, lease_until__gt=now).exists()


def finish_call(*, under_way: int) -> None:
    """Count a call no more as one that is under way; as one that was made, it is counted from what is written down."""
    CallUnderWay.objects.filter(pk=under_way).delete()


def release_reservation(*, thread: Thread) -> None:
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


def budget_news(*, debate: Debate, last: bool = False) -> list[News]:
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


def last_budget_news(*, debate: Debate) -> list[News]:
    """Return how the budget stands where nothing is spent for a while; nothing for a debate without a limit."""
    return budget_news(debate=debate, last=True) if debate.has_limit else []


def _allowed_calls(
    stands: Spending, *, debate: Debate, thread: Thread | None, calls: int, waits: bool, now: datetime
) -> Permit:
    own, others = selectors.left_under_way(debate=debate, thread=thread, now=now)
    reserved = stands.reserved.plus(stands.dearest.times(others))

    def fit(further: int) -> bool:
        cost = stands.dearest.times(further)
        return may_spend(limits=stands.limits, spent=stands.spent, reserved=reserved, cost=cost)

    if fit(calls + own):
        return Permit.ASK
    return Permit.LEAVE if own and (waits or fit(calls)) else Permit.SPENT


# -- writing down ------------------------------------------------------------------------------------------------------


ERASED_BEFORE = "Words of the debate were erased before the answer came."
MOST_TOKENS = 10**9
"""No call is taken to have more in, or out: the database adds the two as integers, which end at 2^31 - 1."""
MOST_MONEY = Decimal("999999.999999")


@dataclass(frozen=True, slots=True)
class CallResult:
    """One call to a provider as it went: what was asked, what came, and what it was worth.

    Shape: ``under_way`` is what has counted it until now, in a debate with a limit; ``rejected`` is what was wrong with
    the answer, in words for whoever gave it, where ``problem`` has also what an operator can do.
    """

    request: Request
    provider: str
    participant_id: int
    milliseconds: int
    outcome: Outcome
    completion: Completion | None = None
    problem: str = ""
    under_way: int | None = None
    rejected: str = ""


def keep_call(
    *,
    brief: Brief,
    board: ThreadState | None,
    answered: CallResult,
    now: datetime,
    run: int = 1,
    thread_id: int | None = None,
    twice: bool = False,
    late: bool = False,
) -> Call:
    """Write down one call to a provider, with everything needed to understand or repeat it.

    Shape: ``twice`` says that another answer was used already, or that none is wanted now: this one came too late.
    ``late`` says that its debate, which is locked, may be over: where words of it were erased, none come back.
    """
    if late and selectors.was_erased(brief.debate_id):
        answered = wordless(answered, brief=brief)
    if twice and answered.outcome is Outcome.USED:
        answered = replace(answered, outcome=Outcome.SUPERSEDED, problem="Nothing waited for this answer any more.")
    if answered.under_way is not None:
        finish_call(under_way=answered.under_way)
    call = Call(
        debate_id=brief.debate_id,
        thread_id=board.thread_id if board else thread_id,
        run_number=board.run if board else run,
        participant_id=answered.participant_id,
        provider=answered.provider,
        outcome=answered.outcome.value,
        problem=answered.problem or ("" if answered.outcome is Outcome.USED else "No reason was given."),
        milliseconds=answered.milliseconds,
        at=now,
        parameters=parameters_of(answered.request, answered.completion),
        **question_columns(answered.request),
        **answer_columns(answered.completion or Completion(text="", model=answered.request.model)),
    )
    prepared_statements.insert([call])
    return call


def wordless(answered: CallResult, *, brief: Brief) -> CallResult:
    """Return a call as an erasure leaves it: what it cost and who was asked, without words and erased names."""
    request = answered.request
    for seat in [voice.id for voice in brief.everybody if voice.name[:60] == request.about]:
        request = replace(request, about=Participant.objects.get(pk=seat).name[:60])
    outcome = Outcome.SUPERSEDED if answered.outcome is Outcome.USED else answered.outcome
    completion = replace(answered.completion, text="") if answered.completion else None
    return replace(answered, request=request, completion=completion, outcome=outcome, problem=ERASED_BEFORE)


def parameters_of(request: Request, completion: Completion | None) -> dict[str, Any]:
    """Return how something was asked: what its provider sent, whether it told what was wrong the last time, and about
    which criteria it was, where it was about several.
    """
    sent = completion.parameters if completion else {}
    usual = {"temperature": str(request.temperature), "max_output_tokens": request.max_output_tokens * request.longer}
    criteria = [card.code for card in request.material.criteria] if isinstance(request.material, Material) else []
    return {
        **usual,
        **sent,
        **({"again": AGAIN_VERSION} if request.again else {}),
        **({"criteria": criteria} if criteria else {}),
    }


def question_columns(request: Request) -> dict[str, Any]:
    """Return the columns of a call that say what was asked."""
    return {
        "round_number": request.round,
        "purpose": request.purpose.value,
        "about": request.about,
        "swapped": request.swapped,
        "reading": request.reading,
        "attempt": request.attempt,
        "prompt_name": request.prompt.name,
        "prompt_version": request.prompt.version,
        "prompt_digest": request.prompt.digest,
    }


def answer_columns(completion: Completion) -> dict[str, Any]:
    """Return the columns of a call that say what came, by whom, and at what price, as the database can keep it."""
    return {
        "model": storable(completion.model)[:120],
        "raw_answer": storable(completion.text),
        "known": completion.known,
        "tokens_in": countable(completion.tokens_in),
        "tokens_out": countable(completion.tokens_out),
        "cost": payable(completion.cost),
    }


def storable(text: str) -> str:
    """Return a text without what PostgreSQL cannot store: NUL, and halves of characters."""
    return text.replace("\x00", "").encode("utf-8", "replace").decode("utf-8")


def countable(tokens: int) -> int:
    """Return a number of tokens as the database keeps it, whatever a provider says."""
    return min(max(int(tokens), 0), MOST_TOKENS)


def payable(cost: Decimal) -> Decimal:
    """Return a cost as the database keeps it, whatever a provider says: what is no amount is no cost."""
    if not cost.is_finite() or cost < 0:
        return Decimal(0)
    return min(cost, MOST_MONEY).quantize(Decimal("0.000001"), rounding=ROUND_HALF_UP)


@transaction.atomic(durable=True)
def record_late(*, brief: Brief, board: ThreadState, answered: CallResult, now: datetime) -> None:
    """Write down, for its cost, a call whose answer came after the thread was claimed by another."""
    late = replace(answered, outcome=Outcome.SUPERSEDED, problem="The thread was claimed again before the answer came.")
    debate = lock_debate(brief.debate_id)
    keep_call(brief=brief, board=board, answered=late, now=now, late=True)
    if brief.has_limit:
        over = Status(debate.status) not in IN_PLAY
        event_log.append(debate_id=brief.debate_id, news=budget_news(debate=debate, last=over), now=now)
