"""Playing an ended debate again, from its initial scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import Max

from debates import event_log
from debates.errors import Invalid, NotAllowedNow
from debates.models import Debate, Thread
from debates.services.idempotency import UseCase
from debates.types import News, Status, ThreadStatus
from judging.engine import budget, queue
from judging.engine.lifecycle import find_debate, refuse_erased
from judging.engine.locks import move
from judging.formats.registry import format_of
from scoring.enums import ActorKind
from scoring.errors import Frozen
from scoring.models import Evaluation
from scoring.services import accounts
from scoring.services.entries import Author, actor_of, reason_record
from scoring.services.steps import permitted, unmoved


@UseCase
def rerun(
    *,
    debate_id: int,
    by: User,
    reason: str,
    now: datetime,
    criteria: Sequence[str] = (),
    seen: Mapping[int, int] | None = None,
    door: ActorKind = ActorKind.MODERATOR,
) -> Debate:
    """Play an ended criterion debate again, or some of its criteria, from the initial scores, in a new run.

    Shape: ``seen`` is {evaluation: moderation version} of the scores that are played again, from whoever has looked at
    them.
    Raises: ``NotFound``, ``NotPermitted``, ``NotAllowedNow`` while in play or once its words were erased, ``Invalid``,
    ``Stale``, ``Frozen`` naming the scores.
    Source: docs/reference/ledger.md, "rerun".
    """
    permitted(by=by, permission="rerun_evaluation")
    actor = actor_of(by)
    debate = find_debate(debate_id=debate_id)
    may_rerun(debate=debate)
    may_play(debate=debate)
    threads = rerun_threads(debate=debate, criteria=criteria)
    evaluations = thawed(threads=threads, seen=seen)
    author = Author(kind=door, actor=actor, reason=reason_record(reason), reason_code="rerun")
    news = begin_runs(evaluations=evaluations, author=author)
    begin_again(debate=debate, threads=threads)
    started = News("debate:rerun", {"criteria": [evaluation.key for evaluation in evaluations]})
    event_log.append(debate_id=debate.pk, news=[*news, started], now=now)
    return debate


def may_rerun(*, debate: Debate) -> None:
    """Refuse to play a debate again that has no criteria, has not ended, cannot be read any more, or has spent all.

    Raises: ``NotAllowedNow``.
    """
    if not format_of(debate.format).reruns:
        raise NotAllowedNow(f"A debate of format {debate.format} is not rerun; a new one repeats it.")
    if debate.status not in {Status.CONCLUDED.value, Status.FAILED.value, Status.CANCELLED.value}:
        raise NotAllowedNow(f"A debate is rerun once it has ended; this one is {debate.status.replace('_', ' ')}.")
    refuse_erased(debate=debate)
    if debate.has_limit and budget.spent_out(debate=debate):
        raise NotAllowedNow("The budget of this debate is spent, so nothing of it can be played again.")


def may_play(*, debate: Debate) -> None:
    """Refuse to play a debate again of which nothing was assessed, or every score is frozen.

    Raises: ``NotAllowedNow``; ``Frozen`` naming the scores.
    """
    evaluations = list(Evaluation.objects.filter(debate=debate).order_by("position", "pk"))
    if not evaluations:
        raise NotAllowedNow("Nothing of this debate was assessed, so nothing of it can be played again.")
    if all(evaluation.frozen_at for evaluation in evaluations):
        keys = ", ".join(evaluation.key for evaluation in evaluations)
        raise Frozen(f"These scores are frozen: {keys}. Unfreeze them first.")


def thawed(*, threads: Sequence[Thread], seen: Mapping[int, int] | None) -> list[Evaluation]:
    """Lock and return the evaluations of locked threads.

    Raises: ``Stale`` for a look that is out of date; ``Frozen`` naming those that are.
    """
    evaluations = accounts.lock(evaluations=Evaluation.objects.filter(thread__in=threads).values_list("pk", flat=True))
    unmoved(evaluations=evaluations, seen=seen)
    frozen = [evaluation.key for evaluation in evaluations if evaluation.frozen_at]
    if frozen:
        raise Frozen(f"These scores are frozen: {', '.join(frozen)}. Unfreeze them first.")
    return evaluations


def begin_runs(*, evaluations: Sequence[Evaluation], author: Author) -> list[News]:
    """Take locked evaluations back to their initial scores, each in the next run of its locked thread."""
    news: list[News] = []
    for evaluation in evaluations:
        run = next_run(evaluation=evaluation)
        news += accounts.rerun(evaluation=evaluation, run=run, author=author).news
        Thread.objects.filter(pk=evaluation.thread_id).update(run_number=run)
    return news


def begin_again(*, debate: Debate, threads: Sequence[Thread]) -> None:
    """Let locked threads of a locked debate be played from their first round on; what was wrong before is forgotten."""
    for thread in threads:
        thread.refresh_from_db()
        thread.status = ThreadStatus.PENDING.value
        thread.rounds_played = 0
        thread.fence += 1
        thread.ended_because = ""
        thread.save(update_fields=["status", "rounds_played", "fence", "ended_because"])
    debate.partial, debate.concluded_at = False, None
    debate.partial_reason = debate.stop_reason = debate.problem = ""
    debate.save(update_fields=["partial", "partial_reason", "stop_reason", "problem", "concluded_at"])
    move(debate=debate, to=Status.RUNNING, action="rerun")
    queue.play(thread_ids=[thread.pk for thread in threads], debate_id=debate.pk)


def rerun_threads(*, debate: Debate, criteria: Sequence[str]) -> list[Thread]:
    """Lock and return the threads that a rerun plays: those that have an account, all or the chosen ones.

    Raises: ``Invalid`` naming what cannot be rerun.
    """
    rows = Thread.objects.select_for_update(no_key=True, of=("self",)).filter(debate=debate, evaluations__isnull=False)
    threads = list(rows.order_by("pk"))
    unknown = sorted(set(criteria) - {thread.key for thread in threads})
    if unknown:
        allowed = ", ".join(thread.key for thread in threads)
        raise Invalid(f"criteria to rerun must be some of {allowed}; got {', '.join(unknown)}.")
    return [thread for thread in threads if not criteria or thread.key in criteria]


def next_run(*, evaluation: Evaluation) -> int:
    """Return the number of a new run: one more than the highest run that the thread ever had."""
    top = evaluation.entries.aggregate(top=Max("run_number"))["top"] or 0
    return max(top, evaluation.thread.run_number) + 1
