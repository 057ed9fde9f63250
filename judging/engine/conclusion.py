"""After play: the numbers of a debate, the arbiter's last words about them, and its end."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, ClassVar

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from debates import event_log
from debates.models import Debate
from debates.types import News, Role, Status, ThreadStatus, TurnKind
from judging.engine import attempt, calls, play, selectors
from judging.engine.attempt import Outdated, Question, Unanswered, try_to_write
from judging.engine.calls import CallResult, keep_call
from judging.engine.db_threads import in_thread
from judging.engine.judgement_cache import Withheld, require_permit
from judging.engine.locks import lock_debate, move
from judging.formats import turns
from judging.formats.parsing import Concluded
from judging.formats.registry import format_of
from judging.formats.state import Brief, Voice
from judging.formats.turns import Said, Speaker
from judging.models import Synthesis
from judging.types import Permit, Utterance

STOPPED = "stopped"
"""Why a debate ended, as a code, where somebody stopped it."""


@dataclass(frozen=True, slots=True)
class Ended:
    """What a synthesis is about: the numbers and the words of a debate of which everything has been played."""

    numbers: Mapping[str, Any]
    said: Sequence[Utterance]


def ended_as(*, debate: Debate) -> Ended:
    format_ = format_of(debate.format)
    return Ended(format_.numbers(debate=debate), format_.said(debate=debate))


@transaction.atomic(durable=True)
def record_synthesis(*, brief: Brief, answer: Concluded, answered: CallResult, ended: Ended, now: datetime) -> bool:
    """Write the synthesis and conclude the debate; say whether another is to be asked for.

    Shape: ``ended`` is what the synthesis is about. Where a score was moved or more was said since, it is kept as a
    call that came too late, and the debate waits for one about what is now.
    """
    debate = lock_debate(brief.debate_id)
    is_concluding = debate.status == Status.CONCLUDING.value
    if not is_concluding or ended_as(debate=debate) != ended:
        run = newest_run(debate)
        keep_call(brief=brief, board=None, answered=answered, now=now, run=run, twice=True, late=not is_concluding)
        news = calls.budget_news(debate=debate, last=not is_concluding) if debate.has_limit else []
        event_log.append(debate_id=debate.pk, news=news, now=now)
        return is_concluding
    keep_call(brief=brief, board=None, answered=answered, now=now, run=newest_run(debate))
    voice = brief.speaker(answered.participant_id)
    news = synthesis(brief=brief, debate=debate, answer=answer, numbers=ended.numbers, now=now, voice=voice)
    event_log.append(debate_id=debate.pk, news=[*news, *end(debate=debate, now=now)], now=now)
    return False


def synthesis(
    *,
    brief: Brief,
    debate: Debate,
    answer: Concluded,
    numbers: Mapping[str, Any],
    now: datetime,
    voice: Voice | None = None,
) -> list[News]:
    """Write the last words about a locked debate, the arbiter's or another's, with the numbers they are about."""
    number = debate.syntheses.count() + 1
    said_by = voice or brief.voices[Role.ARBITER]
    speaker = Speaker(debate_id=debate.pk, participant_id=said_by.id, role=said_by.role, kind=TurnKind.SYNTHESIS)
    [turn], news = turns.write(speaker=speaker, said=[Said(f"synthesis:{number}", words_of(answer))], now=now)
    Synthesis.objects.create(debate=debate, number=number, numbers=dict(numbers), turn=turn, at=now)
    return [*news, News("synthesis:complete", {"number": number, "overall": numbers.get("overall")})]


def end(*, debate: Debate, now: datetime, because: str = "") -> list[News]:
    """Conclude a locked debate that is concluding: raise what it gives reason to look at, and end it.

    Shape: ``because`` is the code of why it ends without a synthesis that it should have had.
    """
    news = format_of(debate.format).warn(debate=debate)
    news += calls.last_budget_news(debate=debate)
    short = debate.threads.exclude(status=ThreadStatus.COMPLETE.value)
    reasons = sorted({*short.values_list("ended_because", flat=True), *([because] if because else [])})
    move(debate=debate, to=Status.CONCLUDED, action="concluded")
    debate.partial = bool(reasons)
    debate.partial_reason = ", ".join(reasons)[:200]
    debate.problem = ""
    at = event_log.dated(now)
    debate.concluded_at = max(at, debate.started_at or at)  # the clock of whoever started it may be ahead of ours
    debate.save(update_fields=["partial", "partial_reason", "problem", "concluded_at"])
    return [*news, News("debate:concluded", {"partial": debate.partial, "reason": debate.partial_reason})]


@transaction.atomic(durable=True)
def without_words(*, brief: Brief, now: datetime) -> bool:
    """Conclude a debate whose format has no synthesis; say whether it was still to be concluded."""
    debate = lock_debate(brief.debate_id)
    if debate.status != Status.CONCLUDING.value:
        return False
    event_log.append(debate_id=debate.pk, news=end(debate=debate, now=now), now=now)
    return True


def newest_run(debate: Debate) -> int:
    newest: int | None = debate.threads.aggregate(newest=Max("run_number"))["newest"]
    return newest or 1


@transaction.atomic(durable=True)
def permit(*, brief: Brief, now: datetime) -> tuple[Permit, int | None]:
    """Say whether the synthesis may be asked for now, and by what the call is counted where there is a budget.

    Where the budget does not allow it, the debate is concluded without one.
    """
    debate = lock_debate(brief.debate_id)
    if debate.status != Status.CONCLUDING.value:
        return Permit.LEAVE, None
    if not brief.has_limit:
        return Permit.ASK, None
    allowed, under_way = calls.begin_call_alone(debate=debate, thread=None, now=now)
    if allowed is Permit.SPENT:
        event_log.append(debate_id=debate.pk, news=end(debate=debate, now=now, because=calls.BUDGET_SPENT), now=now)
    return allowed, under_way


def goes_on(*, brief: Brief) -> Permit:
    """Say whether a synthesis that had to wait, and has been permitted, may still be asked for."""
    status = Debate.objects.values_list("status", flat=True).get(pk=brief.debate_id)
    return Permit.ASK if status == Status.CONCLUDING.value else Permit.LEAVE


def words_of(answer: Concluded) -> str:
    parts = [answer.summary]
    for title, lines in (("Strengths", answer.strengths), ("Weaknesses", answer.weaknesses), ("Advice", answer.advice)):
        if lines:
            parts.append("\n".join([f"{title}:", *(f"- {line}" for line in lines)]))
    return "\n\n".join(parts)


@transaction.atomic(durable=True)
def fail(*, brief: Brief, answered: CallResult, ended: Ended, now: datetime, last: bool) -> bool:
    """Write down a synthesis that did not come, and say whether it is to be tried again.

    After the last attempt the debate has failed, and its scores stand; not where it was asked about what is no more.
    """
    debate = lock_debate(brief.debate_id)
    is_concluding = debate.status == Status.CONCLUDING.value
    run = newest_run(debate)
    keep_call(brief=brief, board=None, answered=answered, now=now, run=run, late=not is_concluding)
    last = last and is_concluding and ended_as(debate=debate) == ended
    news = calls.budget_news(debate=debate, last=last or not is_concluding) if debate.has_limit else []
    if last:
        news += _failed(debate=debate, problem=answered.problem)
    event_log.append(debate_id=debate.pk, news=news, now=now)
    return is_concluding and not last


@transaction.atomic(durable=True)
def fail_unrecorded(*, debate_id: int, problem: str, now: datetime) -> None:
    """Let a debate fail whose synthesis can neither be asked for nor be written down as one that did not come."""
    debate = lock_debate(debate_id)
    if debate.status != Status.CONCLUDING.value:
        return
    news = [*play.unrecorded_news(debate=debate, problem=problem), *calls.last_budget_news(debate=debate)]
    event_log.append(debate_id=debate_id, news=[*news, *_failed(debate=debate, problem=problem)], now=now)


def _failed(*, debate: Debate, problem: str) -> list[News]:
    move(debate=debate, to=Status.FAILED, action="concluded")
    debate.problem = f"The synthesis failed: {problem}"[:500]
    debate.save(update_fields=["problem"])
    return [News("debate:failed", {"because": "synthesis_failed"})]


# After play: has the synthesis of a debate written and concludes it. It holds no transaction while it asks.


async def conclude(*, debate_id: int) -> None:
    """Have the synthesis of a concluding debate written, where its format has one, and conclude it.

    Raises: ``Stuck`` where it cannot be written down that there is none.
    """
    brief = await in_thread(selectors.brief)(debate_id)
    outcome = await attempt.ask(SynthesisAsker(brief))
    if isinstance(outcome, Unanswered) and not outcome.recorded:
        problem = outcome.problem
        failing = in_thread(fail_unrecorded)(debate_id=debate_id, problem=problem, now=timezone.now())
        if await try_to_write(failing, what="end of the debate"):
            raise await attempt.stuck(debate_id=debate_id, problem=problem)


@dataclass(slots=True)
class SynthesisAsker:
    """Asks for the last words about a debate. About what has changed meanwhile it asks again, as it is now.

    Shape: ``ended`` is what the synthesis is about that was asked for last.
    """

    brief: Brief
    ended: Ended = field(init=False)
    lost: ClassVar[str] = "lack of a synthesis"

    def begin(self, *, attempt: int, now: datetime) -> Question:
        """Ask about what is now; where the format has no synthesis, conclude without."""
        brief, format_ = self.brief, format_of(self.brief.format)
        debate = Debate.objects.get(pk=brief.debate_id)
        if debate.status != Status.CONCLUDING.value:  # there is no question to put about a debate that goes on
            raise Withheld(Permit.LEAVE)
        ended = ended_as(debate=debate)
        synthesis = format_.synthesis(brief=brief, numbers=ended.numbers, said=ended.said, attempt=attempt)
        if synthesis is None:
            without_words(brief=brief, now=now)
            raise Withheld(Permit.LEAVE)
        self.ended, (step, request) = ended, synthesis
        permission, under_way = permit(brief=brief, now=now)
        require_permit(permission)
        return Question(
            request=request,
            voice=brief.voice(step),
            read=lambda text: format_.read_synthesis(brief=brief, text=text),
            permit=lambda: goes_on(brief=brief),
            under_way=under_way,
        )

    def record(self, *, answered: CallResult, answer: Any, now: datetime) -> None:
        if record_synthesis(brief=self.brief, answer=answer, answered=answered, ended=self.ended, now=now):
            raise Outdated

    def record_failure(self, *, answered: CallResult, last: bool, now: datetime) -> None:
        ask_again = fail(brief=self.brief, answered=answered, ended=self.ended, now=now, last=last)
        if not ask_again:
            raise Withheld(Permit.LEAVE)
        if last:
            raise Outdated
