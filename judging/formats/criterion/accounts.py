"""How a criterion debate begins and ends: accounts are opened, closed, and looked at as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from debates.models import Debate, Round, Thread
from debates.types import News
from judging.formats.criterion.reading import options_of
from judging.formats.state import Brief
from scoring.models import Evaluation
from scoring.services import accounts, alerts, rounds
from scoring.services.accounts import Account
from scoring.services.entries import text as shown
from scoring.types import Instrument, Parameters


def open_accounts(*, debate: Debate, initial: Mapping[str, tuple[Decimal, Decimal]]) -> None:
    """Open an account for every thread of a locked debate that has an initial score."""
    parameters = Parameters.from_snapshot(debate.parameters["score"])
    cards = {row["code"]: row for row in debate.parameters["rubric"]["criteria"]}
    for thread in debate.threads.order_by("position"):
        if thread.key not in initial:
            continue
        score, confidence = initial[thread.key]
        card = cards[thread.key]
        account = Account(
            thread=thread,
            instrument=Instrument.CRITERION,
            key=thread.key,
            name=card["name"],
            category=card["category"],
            weight=Decimal(card["weight"]),
            position=thread.position,
            initial_score=score,
            initial_confidence=confidence,
        )
        accounts.open_criterion(debate=debate, account=account, parameters=parameters)


def end_accounts(*, thread: Thread, brief: Brief, because: str, partial: bool) -> list[News]:
    """Complete the accounts of a locked thread, or leave them partial.

    Rounds that have counted stay counted; where none has, the score falls back to its initial value.
    """
    news: list[News] = []
    for evaluation in accounts.lock(evaluations=thread.evaluations.values_list("pk", flat=True)):
        if options_of(brief).at_end:
            news += count_waiting(evaluation=evaluation)
        if not partial:
            news += accounts.complete(evaluation=evaluation).news
        news += accounts.fall_back(evaluation=evaluation, reason_code=because)
        news += alerts.after_thread(evaluation=evaluation)
        news.append(ended(evaluation=evaluation, because=because, partial=partial))
    return news


def ended(*, evaluation: Evaluation, because: str, partial: bool) -> News:
    return News(
        "criterion:complete",
        {
            "evaluation": str(evaluation.public_id),
            "criterion": evaluation.key,
            "category": evaluation.category,
            "originalScore": shown(evaluation.initial_score),
            "finalScore": shown(evaluation.final_score),
            "rounds": evaluation.debate_round_count,
            "partial": partial,
            "because": because,
        },
    )


def count_waiting(*, evaluation: Evaluation) -> list[News]:
    """Count, in order, the rounds whose facts were kept but wait for the end of the thread."""
    news: list[News] = []
    counted = evaluation.entries.filter(run_number=evaluation.run_number, round__isnull=False)
    waiting = (
        Round.objects.filter(facts__evaluation=evaluation, run_number=evaluation.run_number)
        .exclude(pk__in=counted.values("round_id"))
        .distinct()
        .order_by("number")
    )
    for played in waiting:
        facts = list(evaluation.facts.filter(round=played).select_related("round").order_by("pk"))
        news += rounds.count_kept(evaluation=evaluation, round=played, facts=facts).news
    return news
