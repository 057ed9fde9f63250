"""Concluding a debate: its numbers, the arbiter's words about them, and its end."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Max

from debates import stream
from debates.models import Debate
from debates.types import News, Role, Status, ThreadStatus, TurnKind
from judging import results
from judging.answers import Concluded
from judging.board import Brief
from judging.formats import turns
from judging.formats.turns import Said, Speaker
from judging.models import Synthesis, Verdict
from judging.services import budget
from judging.services.calls import Answered, keep_call
from judging.services.locks import lock_debate
from judging.services.statuses import move
from judging.types import Permit
from scoring.models import Evaluation
from scoring.rules import warnings
from scoring.services import alerts


def numbers_to_conclude(*, debate_id: int) -> Mapping[str, Any] | None:
    """Return the numbers that the synthesis is about, or nothing when the debate is not concluding."""
    debate = Debate.objects.get(pk=debate_id)
    return results.numbers(debate=debate) if debate.status == Status.CONCLUDING.value else None


@transaction.atomic(durable=True)
def conclude(*, brief: Brief, answer: Concluded, answered: Answered, numbers: Mapping[str, Any], now: datetime) -> bool:
    """Write the synthesis and conclude the debate; say whether it was still to be concluded."""
    debate = lock_debate(brief.debate_id)
    if debate.status != Status.CONCLUDING.value:
        keep_call(brief=brief, board=None, answered=answered, now=now, run=newest_run(debate), twice=True)
        told = budget.news(debate=debate, last=True) if debate.has_limit else []
        stream.append(debate_id=debate.pk, news=told, now=now)
        return False
    keep_call(brief=brief, board=None, answered=answered, now=now, run=newest_run(debate))
    news = synthesis(brief=brief, debate=debate, answer=answer, numbers=numbers, now=now)
    stream.append(debate_id=debate.pk, news=[*news, *end(debate=debate, now=now)], now=now)
    return True


def synthesis(
    *, brief: Brief, debate: Debate, answer: Concluded, numbers: Mapping[str, Any], now: datetime
) -> list[News]:
    """Write the arbiter's last words about a locked debate, with the numbers as they are now."""
    number = debate.syntheses.count() + 1
    arbiter = Speaker(
        debate_id=debate.pk,
        participant_id=brief.voices[Role.ARBITER].id,
        role=Role.ARBITER,
        kind=TurnKind.SYNTHESIS,
    )
    [turn], news = turns.write(speaker=arbiter, said=[Said(f"synthesis:{number}", words_of(answer))], now=now)
    Synthesis.objects.create(debate=debate, number=number, numbers=dict(numbers), turn=turn, at=now)
    return [*news, News("synthesis:complete", {"number": number, "overall": numbers["overall"]})]


def end(*, debate: Debate, now: datetime) -> list[News]:
    """Conclude a locked debate that is concluding: raise what it gives reason to look at, and end it."""
    news = warn(debate=debate)
    news += budget.news(debate=debate, last=True) if debate.has_limit else []
    return [*news, _end(debate=debate, now=now)]


def newest_run(debate: Debate) -> int:
    """Return the newest run that any thread of a debate is at."""
    newest: int | None = debate.threads.aggregate(newest=Max("run_number"))["newest"]
    return newest or 1


@transaction.atomic(durable=True)
def permit(*, brief: Brief, now: datetime) -> Permit:
    """Say whether the synthesis may be asked for now; where the budget does not allow it, conclude without one."""
    debate = lock_debate(brief.debate_id)
    if debate.status != Status.CONCLUDING.value:
        return Permit.LEAVE
    if not brief.has_limit or budget.fits_once_more(debate=debate):
        return Permit.ASK
    news = [*warn(debate=debate), *budget.news(debate=debate, last=True), _end(debate=debate, now=now, spent=True)]
    stream.append(debate_id=debate.pk, news=news, now=now)
    return Permit.SPENT


def words_of(answer: Concluded) -> str:
    """Return a synthesis as one text for people."""
    parts = [answer.summary]
    for title, lines in (
        ("Strengths", answer.strengths),
        ("Weaknesses", answer.weaknesses),
        ("Advice", answer.advice),
    ):
        if lines:
            parts.append("\n".join([f"{title}:", *(f"- {line}" for line in lines)]))
    return "\n\n".join(parts)


def _end(*, debate: Debate, now: datetime, spent: bool = False) -> News:
    short = debate.threads.exclude(status=ThreadStatus.COMPLETE.value)
    reasons = sorted({*short.values_list("ended_because", flat=True), *([budget.SPENT] if spent else [])})
    move(debate=debate, to=Status.CONCLUDED, action="concluded")
    debate.partial = bool(reasons)
    debate.partial_reason = ", ".join(reasons)[:200]
    debate.problem = debate.problem if "stopped" in reasons else ""
    debate.concluded_at = now
    debate.save(update_fields=["partial", "partial_reason", "problem", "concluded_at"])
    return News("debate:concluded", {"partial": debate.partial, "reason": debate.partial_reason})


def warn(*, debate: Debate) -> list[News]:
    """Raise what a whole debate gives reason to look at."""
    evaluations = list(Evaluation.objects.filter(debate=debate).order_by("pk"))
    counted = [fact for one in evaluations for fact in one.basis]
    winners = list(Verdict.objects.filter(fact_id__in=counted).values_list("winner", flat=True))
    found = [
        warnings.one_sided(winners=winners),
        warnings.no_effect(scores=[(one.initial_score, one.final_score) for one in evaluations]),
    ]
    return alerts.raise_alerts(
        debate=debate, evaluation=None, found=[one for one in found if one is not None], facts=counted
    )


@transaction.atomic(durable=True)
def fail(*, brief: Brief, answered: Answered, now: datetime, last: bool) -> bool:
    """Write down a synthesis that did not come, and say whether it is to be tried again.

    After the last attempt the debate has failed, and its scores stand.
    """
    debate = lock_debate(brief.debate_id)
    keep_call(brief=brief, board=None, answered=answered, now=now, run=newest_run(debate))
    wanted = debate.status == Status.CONCLUDING.value
    news = budget.news(debate=debate, last=last or not wanted) if debate.has_limit else []
    if wanted and last:
        move(debate=debate, to=Status.FAILED, action="concluded")
        debate.problem = f"The synthesis failed: {answered.problem}"[:500]
        debate.save(update_fields=["problem"])
        news.append(News("debate:failed", {"because": "synthesis_failed"}))
    stream.append(debate_id=debate.pk, news=news, now=now)
    return wanted and not last
