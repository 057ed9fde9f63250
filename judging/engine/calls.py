"""Writing down calls to providers, usable or not, in time or late."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from django.db import transaction

from debates import event_log, prepared_statements
from debates.rules import IN_PLAY
from debates.types import Status
from judging.engine import budget
from judging.engine.locks import look_at
from judging.formats.prompts import AGAIN_VERSION
from judging.formats.state import Brief, ThreadState
from judging.models import Call
from judging.types import Completion, Material, Outcome, Request

MOST_TOKENS = 2**31 - 1
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
) -> Call:
    """Write down one call to a provider, with everything needed to understand or repeat it.

    Shape: ``twice`` says that another answer was used already, or that none is wanted now: this one came too late.
    """
    if twice and answered.outcome is Outcome.USED:
        answered = replace(answered, outcome=Outcome.SUPERSEDED, problem="Nothing waited for this answer any more.")
    if answered.under_way is not None:
        budget.finish(under_way=answered.under_way)
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
    keep_call(brief=brief, board=board, answered=late, now=now)
    if brief.has_limit:
        debate = look_at(brief.debate_id)
        over = Status(debate.status) not in IN_PLAY
        event_log.append(debate_id=brief.debate_id, news=budget.news(debate=debate, last=over), now=now)
