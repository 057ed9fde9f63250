"""Starting, pausing, resuming, stopping, cancelling and playing anew: what every entry point calls, and its words."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max

from debates import event_log
from debates.errors import DomainError, Invalid, NotAllowedNow
from debates.models import Debate, Thread
from debates.rules import IN_PLAY, OVER, PLAYED_AGAIN
from debates.services import rights, visibility
from debates.services.idempotency import UseCase
from debates.services.rights import may_conduct, may_pause
from debates.services.visibility import find_debate
from debates.types import ENDED, STATUS_WORDS, Conduct, Kind, News, Status, ThreadStatus, Visibility
from judging.engine import calls, conclusion, human_turns, play, queue, selectors
from judging.engine.conclusion import STOPPED
from judging.engine.locks import lock_thread, move
from judging.engine.preflight import LAST_WORDS, before_play, whoever_conducts, whoever_pauses
from judging.formats import turns
from judging.formats.registry import format_of
from judging.formats.spec import unasked_model
from judging.models import PlannedStart
from judging.types import OFFLINE, Purpose
from scoring.enums import ActorKind, EntryKind
from scoring.errors import Frozen
from scoring.models import Evaluation
from scoring.services import accounts, conflicts
from scoring.services.entries import Author, actor_of, reason_elsewhere, reason_record
from scoring.services.steps import unmoved

NOT_ASSESSED = "not_assessed"
LONGEST_REASON = 500
RERUNS = "scoring.rerun_evaluation"


def refuse_erased(*, debate: Debate) -> None:
    """Refuse to play what cannot be read any more: words of this debate were erased.

    Raises: ``NotAllowedNow``.
    """
    if selectors.was_erased(debate.pk):
        raise NotAllowedNow("Words of this debate were erased, so it is not played any more. Its scores stay.")


def refuse_unasked_model(*, debate: Debate) -> None:
    """Refuse to start a draft in which the offline judge answers under a model's name: one from before that was
    refused.

    Raises: ``NotAllowedNow``.
    """
    voices = debate.participants.filter(kind=Kind.ENGINE.value, provider=OFFLINE).exclude(model="")
    if voice := voices.order_by("position").first():
        why = unasked_model(f"{voice.name}: model")
        raise NotAllowedNow(f"{why} Edit the draft: what it asks for is copied without that model.")


@before_play(Status.DRAFT)
def start(*, debate_id: int, by: User | None, now: datetime, planned: PlannedStart | None = None) -> Debate:
    """Start a draft: open the accounts and play, or have the evaluator assess the subject first.

    Shape: ``planned`` is the plan by which it starts; where that was changed while models were asked, it does not.
    Raises: ``NotFound``, ``NotPermitted``, ``ConflictOfInterest``, ``NotAllowedNow``; before all that
    ``ModelNotReady``.
    """
    debate = find_debate(debate_id=debate_id)
    may_conduct(by=by, debate=debate)
    if planned and not PlannedStart.objects.filter(pk=planned.pk, starts_at=planned.starts_at).exists():
        raise NotAllowedNow("This start is planned anew, or not at all.")
    if debate.conducted_by == Conduct.EXTERNAL.value:
        raise NotAllowedNow("This debate is conducted elsewhere; its client posts the rounds.")
    if debate.status != Status.DRAFT.value:
        raise NotAllowedNow(f"Only a draft is started; this debate is {debate.status.replace('_', ' ')}.")
    refuse_erased(debate=debate)
    refuse_unasked_model(debate=debate)
    initial = format_of(debate.format).given(debate=debate)
    debate.started_at = event_log.dated(now)
    debate.save(update_fields=["started_at"])
    if initial is None:
        move(debate=debate, to=Status.SCHEDULED, action="started")
        queue.prepare(debate_id=debate.pk)
        return debate
    event_log.append(debate_id=debate.pk, news=begin(debate=debate, initial=initial), now=now)
    return debate


def begin(
    *, debate: Debate, initial: Mapping[str, Any], unassessed: Mapping[str, str] = MappingProxyType({})
) -> list[News]:
    """Open the accounts of a locked debate and start to play.

    Where threads begin with something, one that lacks it has no account, because none is opened without its first
    value; it has failed, and the others go on.

    Shape: ``initial`` is what threads begin with, by key, as their format reads it; empty: they begin with nothing.
    ``unassessed`` is {thread key: why it was not assessed, as a code}; with it, empty means that none was.
    """
    move(debate=debate, to=Status.RUNNING, action="started")
    format_of(debate.format).open(debate=debate, initial=initial)
    threads = list(debate.threads.exclude(status=ThreadStatus.FAILED.value).order_by("position"))
    lacking = [thread for thread in threads if (initial or unassessed) and thread.key not in initial]
    for thread in lacking:
        fail_thread(thread, because=unassessed.get(thread.key, NOT_ASSESSED))
    playing = [thread.pk for thread in threads if thread not in lacking]
    queue.play(thread_ids=playing, debate_id=debate.pk)
    news = [News("debate:started", {"format": debate.format, "rounds": debate.rounds, "threads": len(playing)})]
    return news + play.conclude_after_last(debate=debate)


def conclude_unassessed(*, debate: Debate, now: datetime) -> list[News]:
    """Conclude a locked debate whose threads have all failed: no account is opened, and there is nothing to sum up."""
    move(debate=debate, to=Status.RUNNING, action="started")
    news = [News("debate:started", {"format": debate.format, "rounds": debate.rounds, "threads": 0})]
    move(debate=debate, to=Status.CONCLUDING, action="concluded")
    return news + conclusion.end(debate=debate, now=now)


def fail_thread(thread: Thread, *, because: str) -> None:
    thread.status = ThreadStatus.FAILED.value
    thread.ended_because = because
    thread.save(update_fields=["status", "ended_because"])


@UseCase
def pause(*, debate_id: int, by: User | None, now: datetime) -> Debate:
    """Pause a debate that has begun and not ended: calls in flight are still written down, no further one is made.

    Raises: ``NotFound``, ``NotPermitted``, ``ConflictOfInterest``, ``NotAllowedNow``.
    """
    debate = find_debate(debate_id=debate_id)
    may_pause(by=by, debate=debate)
    move(debate=debate, to=Status.PAUSED, action="paused")
    event_log.append(
        debate_id=debate.pk, news=[*calls.last_budget_news(debate=debate), News("debate:paused", {})], now=now
    )
    return debate


def still_asked(debate: Debate) -> Collection[Purpose] | None:
    """Return what is still asked for in a debate: where all has been played, its last words alone; else all."""
    return None if unfinished(debate=debate) else LAST_WORDS


@before_play(Status.PAUSED, refuse=whoever_pauses, purposes=still_asked)
def resume(*, debate_id: int, by: User | None, now: datetime) -> Debate:
    """Let a paused debate go on where it was: with its assessments, its play, its reviews or its synthesis.

    Whoever is to speak has the whole time anew.

    Raises: ``NotFound``, ``NotPermitted``, ``ConflictOfInterest``, ``NotAllowedNow``; before that ``ModelNotReady``.
    """
    debate = find_debate(debate_id=debate_id)
    may_pause(by=by, debate=debate)
    if debate.status != Status.PAUSED.value:
        raise NotAllowedNow(f"Only a paused debate is resumed; this one is {debate.status.replace('_', ' ')}.")
    if waits_for_assessments(debate=debate):
        move(debate=debate, to=Status.SCHEDULED, action="resumed")
        queue.prepare(debate_id=debate.pk)
        news: list[News] = []
    else:
        move(debate=debate, to=Status.RUNNING, action="resumed")
        news = play_on(debate=debate, now=now)
    news = [News("debate:resumed", {}), *news]
    event_log.append(debate_id=debate.pk, news=news, now=now)
    return debate


def play_on(*, debate: Debate, now: datetime) -> list[News]:
    """Have what is unfinished of a locked, running debate played, waited for, or concluded."""
    playing: list[int] = []

    def go_on(thread: Thread) -> list[News]:
        if thread.status == ThreadStatus.AWAITING_TURN.value:
            return human_turns.renew(thread=thread, now=now)
        playing.append(thread.pk)
        return []

    news = each_unfinished(debate=debate, act=go_on)
    queue.play_where_nobody_does(thread_ids=playing, debate_id=debate.pk)
    return news + play.conclude_after_last(debate=debate, resumed=True)


def waits_for_assessments(*, debate: Debate) -> bool:
    """Say whether a started debate has still to be assessed: it opens its accounts when that is done."""
    if debate.conducted_by == Conduct.EXTERNAL.value or format_of(debate.format).given(debate=debate) is not None:
        return False
    return not Evaluation.objects.filter(debate=debate).exists()


def unfinished(*, debate: Debate) -> list[int]:
    rows = Thread.objects.filter(debate=debate).exclude(status__in=[status.value for status in ENDED])
    return list(rows.order_by("position").values_list("pk", flat=True))


def each_unfinished(*, debate: Debate, act: Callable[[Thread], list[News]]) -> list[News]:
    """Lock the unfinished threads of a locked debate in order, do something with each, and return the events."""
    news: list[News] = []
    for thread_id in sorted(unfinished(debate=debate)):
        news += act(lock_thread(thread_id))
    return news


@UseCase
def stop(*, debate_id: int, by: User | None, reason: str, now: datetime) -> Debate:
    """Conclude a debate now: rounds that have counted stay counted, unfinished threads end partial.

    One that was being concluded anyway, or of which nothing was assessed, is concluded without a synthesis. The
    words of the reason stay on the debate; entries and events carry only the code ``stopped``.

    Raises: ``NotFound``, ``NotPermitted``, ``ConflictOfInterest``; ``NotAllowedNow`` unless it has begun, has not
    ended, and no review is open; ``Invalid`` for a reason without 10 visible characters, or with more than 500.
    """
    debate = find_debate(debate_id=debate_id)
    may_conduct(by=by, debate=debate)
    may_stop(debate=debate)
    debate.stop_reason = reason_elsewhere(reason, most=LONGEST_REASON)
    debate.save(update_fields=["stop_reason"])
    wordless = debate.conducted_by == Conduct.EXTERNAL.value or not unfinished(debate=debate)
    news: list[News] = []
    if waits_for_assessments(debate=debate):
        assessed = format_of(debate.format).assessed(debate_id=debate.pk)
        declined = format_of(debate.format).declined(debate_id=debate.pk)
        wordless = not assessed
        because = dict.fromkeys(debate.threads.values_list("key", flat=True), STOPPED)
        because |= {key: answer.reason.value for key, answer in declined.items()}
        news += begin(debate=debate, initial=assessed, unassessed=because)
        news += turns.raise_not_assessed(debate_id=debate.pk, about="criteria", answers=declined)
    if debate.status == Status.PAUSED.value:
        move(debate=debate, to=Status.RUNNING, action="stopped")
    news += stop_threads(debate=debate, now=now)
    if wordless:
        news += conclusion.end(debate=debate, now=now, because=STOPPED)
    event_log.append(debate_id=debate.pk, news=news, now=now)
    return debate


def may_stop(*, debate: Debate) -> None:
    """Refuse to stop a debate that is not in play, and one that waits for a person alone.

    Raises: ``NotAllowedNow``.
    Source: docs/decisions/0014-a-stop-does-not-skip-a-review.md
    """
    if Status(debate.status) not in IN_PLAY:
        raise NotAllowedNow(f"Only a debate in play is stopped; this one is {debate.status.replace('_', ' ')}.")
    if not unfinished(debate=debate) and play.unsettled(debate=debate):
        raise NotAllowedNow("Everything has been played; it waits for its review. Settle that, or cancel the debate.")


def stop_threads(*, debate: Debate, now: datetime) -> list[News]:
    brief = selectors.brief(debate.pk)

    def stop_thread(thread: Thread) -> list[News]:
        return play.end_thread(debate=debate, thread=thread, brief=brief, because=STOPPED, partial=True)

    return each_unfinished(debate=debate, act=stop_thread) + play.conclude_after_last(debate=debate)


@UseCase
def cancel(*, debate_id: int, by: User | None, now: datetime) -> Debate:
    """Cancel a debate: nothing more is played or counted; what was counted stays in the ledger.

    Raises: ``NotFound``, ``NotPermitted``, ``ConflictOfInterest``, ``NotAllowedNow`` once it has concluded.
    """
    debate = find_debate(debate_id=debate_id)
    may_conduct(by=by, debate=debate)
    move(debate=debate, to=Status.CANCELLED, action="cancelled")

    def cancel_thread(thread: Thread) -> list[News]:
        thread.status = ThreadStatus.CANCELLED.value
        thread.ended_because = "cancelled"
        thread.fence += 1
        thread.save(update_fields=["status", "ended_because", "fence"])
        calls.release_reservation(thread=thread)
        return []

    news = each_unfinished(debate=debate, act=cancel_thread) + calls.last_budget_news(debate=debate)
    event_log.append(debate_id=debate.pk, news=[*news, News("debate:cancelled", {})], now=now)
    return debate


def refuse_conclusion(debate: Debate, about: Mapping[str, Any]) -> None:
    """Refuse what ``retry_synthesis`` refuses, before a model is asked for it."""
    whoever_conducts(debate, about)
    may_conclude_again(debate=debate)


@before_play(Status.FAILED, refuse=refuse_conclusion, purposes=still_asked)
def retry_synthesis(*, debate_id: int, by: User | None, now: datetime) -> Debate:
    """Try again to conclude a debate whose synthesis failed; its scores have stood all along.

    Raises: ``NotFound``, ``NotPermitted``, ``ConflictOfInterest``, ``NotAllowedNow`` unless its synthesis failed;
    before that ``ModelNotReady``.
    """
    debate = find_debate(debate_id=debate_id)
    may_conduct(by=by, debate=debate)
    may_conclude_again(debate=debate)
    debate.problem = ""
    debate.save(update_fields=["problem"])
    news = [News("debate:resumed", {"concluding": True}), *play.concluding(debate=debate)]
    event_log.append(debate_id=debate.pk, news=news, now=now)
    return debate


def may_conclude_again(*, debate: Debate) -> None:
    """Refuse to conclude again what did not fail at its synthesis, and what cannot be read any more.

    Raises: ``NotAllowedNow``.
    """
    if debate.status != Status.FAILED.value or unfinished(debate=debate):
        raise NotAllowedNow("Only a debate whose synthesis failed is concluded again.")
    refuse_erased(debate=debate)


def concludable_again(debates: Iterable[Debate]) -> set[int]:
    """Return which debates ``may_conclude_again`` lets through, in as many queries for many as for one."""
    failed = {debate.pk for debate in debates if debate.status == Status.FAILED.value}
    if not failed:
        return set()
    rows = Thread.objects.filter(debate__in=failed).exclude(status__in=[status.value for status in ENDED])
    return failed - set(rows.values_list("debate_id", flat=True)) - selectors.erased_among(failed)


# Playing an ended debate again, from its initial scores.


def refuse_rerun(debate: Debate, about: Mapping[str, Any]) -> None:
    """Refuse what ``rerun`` refuses, before a model is asked for it."""
    rights.permitted(by=about["by"], permission=RERUNS)
    rights.may_moderate(by=about["by"], debates=[debate.pk])
    may_rerun(debate=debate)
    with transaction.atomic():
        reason_record(about["reason"], note=about.get("note", ""))
        threads = rerun_threads(debate=debate, criteria=about.get("criteria", ()))
        thawed(threads=threads, seen=about.get("seen"), by=about["by"])
        transaction.set_rollback(True)


@before_play(*OVER, refuse=refuse_rerun)
def rerun(
    *,
    debate_id: int,
    by: User,
    reason: str,
    now: datetime,
    criteria: Sequence[str] = (),
    seen: Mapping[int, int] | None = None,
    door: ActorKind = ActorKind.MODERATOR,
    note: str = "",
) -> Debate:
    """Play an ended criterion debate again, or some of its criteria, from the initial scores, in a new run.

    Shape: ``seen`` is {evaluation: moderation version} of the scores that are played again, from whoever has looked at
    them.
    Raises: ``NotFound``, ``NotPermitted``, ``NotAllowedNow`` while in play or once its words were erased, ``Invalid``,
    ``Stale``; ``Frozen``, ``ActedOnIt`` naming the scores; before all that ``ModelNotReady``.
    Source: docs/reference/ledger.md, "rerun".
    """
    rights.permitted(by=by, permission=RERUNS)
    actor = actor_of(by)
    debate = find_debate(debate_id=debate_id)
    rights.may_moderate(by=by, debates=[debate.pk])
    may_rerun(debate=debate)
    threads = rerun_threads(debate=debate, criteria=criteria)
    evaluations = thawed(threads=threads, seen=seen, by=by)
    author = Author(kind=door, actor=actor, reason=reason_record(reason, note=note), reason_code="rerun")
    news = begin_runs(evaluations=evaluations, author=author)
    begin_again(debate=debate, threads=threads)
    about = {"criteria": [evaluation.key for evaluation in evaluations]}
    mark = conflicts.organiser_mark(by=by, debate_id=debate.pk)
    started = News("debate:rerun", {**about, **mark})
    event_log.append(debate_id=debate.pk, news=[*news, started], now=now)
    return debate


def may_rerun(*, debate: Debate) -> None:
    """Refuse to play a debate again that has no criteria, has not ended, cannot be read any more, or has spent all;
    and one of which nothing was assessed, or every score is frozen.

    Raises: ``NotAllowedNow``; ``Frozen`` naming the scores.
    """
    if debate.format not in PLAYED_AGAIN:
        raise NotAllowedNow(f"A debate of format {debate.format} is not rerun; a new one repeats it.")
    if Status(debate.status) not in OVER:
        raise NotAllowedNow(f"A debate is rerun once it has ended; this one is {debate.status.replace('_', ' ')}.")
    refuse_erased(debate=debate)
    if debate.has_limit and calls.spent_out(debate=debate):
        raise NotAllowedNow("The budget of this debate is spent, so nothing of it can be played again.")
    evaluations = list(Evaluation.objects.filter(debate=debate).order_by("position", "pk"))
    if not evaluations:
        raise NotAllowedNow("Nothing of this debate was assessed, so nothing of it can be played again.")
    if all(evaluation.frozen_at for evaluation in evaluations):
        keys = ", ".join(evaluation.key for evaluation in evaluations)
        raise Frozen(f"These scores are frozen: {keys}. Unfreeze them first.")


def thawed(*, threads: Sequence[Thread], seen: Mapping[int, int] | None, by: User) -> list[Evaluation]:
    """Lock and return the evaluations of locked threads.

    Raises: ``Stale`` for a look that is out of date; ``Frozen``, ``ActedOnIt`` naming the scores.
    """
    evaluations = accounts.lock_with_debates(
        evaluations=Evaluation.objects.filter(thread__in=threads).values_list("pk", flat=True)
    )
    unmoved(evaluations=evaluations, seen=seen)
    for refusal in conflicts.hindered(by=by, evaluations=evaluations, kind=EntryKind.RERUN):
        raise refusal
    return evaluations


def begin_runs(*, evaluations: Sequence[Evaluation], author: Author) -> list[News]:
    """Take locked evaluations back to their initial scores, each in the run after the highest its thread ever had."""
    news: list[News] = []
    for evaluation in evaluations:
        top = evaluation.entries.aggregate(top=Max("run_number"))["top"] or 0
        run = max(top, evaluation.thread.run_number) + 1
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
    move(debate=debate, to=Status.RUNNING, action="rerun")
    debate.partial, debate.concluded_at = False, None
    debate.partial_reason = debate.stop_reason = debate.problem = ""
    debate.save(update_fields=["partial", "partial_reason", "stop_reason", "problem", "concluded_at"])
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


# -- what each action means, when it can be, what it calls: the admin and pages are made from it -----------------------


READ_BY: Mapping[Visibility, str] = {
    Visibility.PUBLIC: "public: everybody",
    Visibility.UNLISTED: "unlisted: everybody who has its address",
    Visibility.PRIVATE: "private: its creator, who takes part or has a role in it, and whoever may view debates",
}


@dataclass(frozen=True, slots=True)
class LifecycleAction:
    """One action.

    Shape: ``when`` are the statuses in which it can be; ``refuse`` is what the service asks beyond that; ``done`` goes
    on after the name of a debate.
    """

    name: str
    title: str
    says: str
    done: str
    service: Callable[..., object]
    when: frozenset[Status] = frozenset(Status)
    refuse: Callable[..., None] | None = None
    button: str = ""
    grave: bool = False

    def refusal(self, debate: Debate) -> str:
        """Say why a debate as it is would be refused, whatever is filled in; nothing where it would not."""
        if Status(debate.status) not in self.when:
            open_to = " or ".join(STATUS_WORDS[status] for status in Status if status in self.when)
            return (
                f"This debate is {STATUS_WORDS[debate.status]}. \u201c{self.title}\u201d is for one that is {open_to}."
            )
        try:
            if self.refuse is not None:
                self.refuse(debate=debate)
        except DomainError as refusal:
            return refusal.message
        return ""


PAUSE = LifecycleAction(
    name="pause",
    title="Pause",
    says="Calls in flight are still written down; no further one is made until it is resumed.",
    done="is paused",
    service=pause,
    when=IN_PLAY - {Status.PAUSED},
)
RESUME = LifecycleAction(
    name="resume",
    title="Resume",
    says="Play goes on where it was.",
    done="goes on",
    service=resume,
    when=frozenset({Status.PAUSED}),
)
STOP = LifecycleAction(
    name="stop",
    title="Stop and conclude",
    says="Rounds that have counted stay counted; what is not finished ends partial.",
    done="is being concluded",
    service=stop,
    when=IN_PLAY - {Status.AWAITING_REVIEW},
    refuse=may_stop,
)
CANCEL = LifecycleAction(
    name="cancel",
    title="Cancel",
    says="Nothing more is played or counted. What was counted stays in the ledger.",
    done="is cancelled",
    service=cancel,
    when=frozenset({Status.DRAFT, Status.FAILED, *IN_PLAY}),
    button="Cancel the debate",
    grave=True,
)
RETRY_SYNTHESIS = LifecycleAction(
    name="retry_synthesis",
    title="Conclude again",
    says="Its scores have stood all along; only the synthesis is written again.",
    done="is concluded again",
    service=retry_synthesis,
    when=frozenset({Status.FAILED}),
    refuse=may_conclude_again,
)
VISIBILITY = LifecycleAction(
    name="visibility",
    title="Change who may read it",
    says="Whoever follows it live and may not read it any more is sent away at once.",
    done="has another visibility now",
    service=visibility.change,
    button="Change",
)
DEADLINE = LifecycleAction(
    name="deadline",
    title="Move the deadline",
    says="Everybody who is awaited has until then, also who has given a ballot already. People are "
    "told, by mail where this site sends any.",
    done="has another deadline now",
    service=human_turns.move_deadline,
    when=frozenset({Status.RUNNING}),
    refuse=human_turns.may_move_deadline,
    button="Move it",
)
LIFECYCLE_ACTIONS: Mapping[str, LifecycleAction] = {
    action.name: action for action in (PAUSE, RESUME, DEADLINE, STOP, CANCEL, RETRY_SYNTHESIS, VISIBILITY)
}


def actions_open(debate: Debate) -> Sequence[LifecycleAction]:
    """Return what can be done to a debate as it is; a draft is withdrawn where it is prepared, and not cancelled."""
    is_draft = debate.status == Status.DRAFT.value
    actions = [VISIBILITY] if is_draft else LIFECYCLE_ACTIONS.values()
    return [action for action in actions if not action.refusal(debate)]
