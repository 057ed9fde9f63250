"""Creating, starting, pausing, stopping and repeating debates. Every door that does so calls these."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.contrib.auth.models import AnonymousUser, User
from django.db import transaction
from django.db.models import Max

from debates import rules, stream
from debates.errors import Invalid, NotAllowedNow, NotFound
from debates.models import Debate, Participant, Subject, Thread
from debates.types import ENDED, Conduct, Format, News, Role, Status, ThreadStatus
from judging import queue, selectors
from judging.models import Claim, Script
from judging.providers import provider
from judging.providers.scripted import checked_script
from judging.services import play
from judging.spec import CriterionSpec, checked, chosen_criteria
from scoring.errors import Frozen
from scoring.kinds import ActorKind
from scoring.models import Evaluation
from scoring.services import accounts
from scoring.services.accounts import Account
from scoring.services.entries import Author, actor_of, reason_record
from scoring.services.moderation import permitted
from scoring.types import Instrument, Parameters

VOICES = ((Role.EVALUATOR, "Evaluator"), (Role.CHALLENGER, "Red team"), (Role.ARBITER, "Arbiter"))


# -- creating --------------------------------------------------------------------------------------------------------


@transaction.atomic(durable=True)
def create(*, spec: CriterionSpec, by: User | None, now: datetime) -> Debate:
    """Create a draft of a criterion debate, with its voices and threads. Nothing is played yet.

    Shape: ``by`` is nobody when the operator of the machine asks.
    Raises: ``Invalid`` naming the field.
    """
    checked(spec)
    initial = checked_initials(spec=spec)
    debate = Debate.objects.create(
        format=Format.CRITERION.value,
        title=spec.title.strip(),
        subject=Subject.objects.create(title=spec.title.strip(), text=spec.subject, created_by=by),
        visibility=spec.visibility.value,
        parameters=snapshot_of(spec=spec, initial=initial),
        rounds=spec.rounds,
        limit_money=spec.limits.money,
        limit_tokens=spec.limits.tokens,
        limit_calls=spec.limits.calls,
        created_by=by,
    )
    stream.open_stream(debate_id=debate.pk)
    add_voices(debate=debate, spec=spec)
    if spec.script:
        Script.objects.create(debate=debate, answers=checked_script(list(spec.script)))
    Thread.objects.bulk_create(
        Thread(debate=debate, key=row["code"], position=position)
        for position, row in enumerate(chosen_criteria(rubric=spec.rubric, criteria=spec.criteria), start=1)
    )
    return debate


def checked_initials(*, spec: CriterionSpec) -> dict[str, tuple[Decimal, Decimal]]:
    """Return the initial scores and confidences that came with a request: one for every criterion, or none.

    Raises: ``Invalid`` naming the criterion and the field.
    """
    if not spec.initial:
        return {}
    codes = [row["code"] for row in chosen_criteria(rubric=spec.rubric, criteria=spec.criteria)]
    if set(spec.initial) != set(codes):
        odd = sorted(set(spec.initial) ^ set(codes))
        raise Invalid(f"initial must give every played criterion and no other; see {', '.join(odd)}.")
    return {
        code: accounts.checked_initial(score=score, confidence=confidence, where=code)
        for code, (score, confidence) in spec.initial.items()
    }


def snapshot_of(*, spec: CriterionSpec, initial: Mapping[str, tuple[Decimal, Decimal]]) -> dict[str, Any]:
    """Return everything that decides how a debate is played and scored, as it keeps it."""
    return {
        "rubric": dict(spec.rubric),
        "score": spec.score.snapshot(),
        "play": {
            "challenges_per_criterion": spec.challenges_per_criterion,
            "personas": list(spec.personas),
            "score_updates": spec.score_updates,
        },
        "initial": {code: [str(score), str(confidence)] for code, (score, confidence) in initial.items()},
    }


def add_voices(*, debate: Debate, spec: CriterionSpec) -> None:
    """Write down who speaks: evaluator, red team and arbiter, each with its provider.

    Raises: ``Invalid`` for an unknown provider or role, or a scripted voice without a script.
    """
    strange = sorted(set(spec.providers) - {role.value for role, _ in VOICES})
    if strange:
        raise Invalid(f"providers: {strange[0]!r} is no role; roles are {', '.join(role.value for role, _ in VOICES)}.")
    for position, (role, name) in enumerate(VOICES, start=1):
        chosen = spec.providers.get(role.value, spec.provider)
        provider(chosen)
        if chosen == "scripted" and not spec.script:
            raise Invalid("script must not be empty when a voice is scripted.")
        Participant.objects.create(
            debate=debate, role=role.value, name=name, position=position, provider=chosen, model=spec.model
        )


# -- moving from one status to another -------------------------------------------------------------------------------


def move(*, debate: Debate, to: Status, action: str) -> None:
    """Set the status of a locked debate.

    Raises: ``NotAllowedNow`` unless the table of statuses allows it.
    """
    current = Status(debate.status)
    if not rules.may_follow(current=current, proposed=to):
        raise NotAllowedNow(f"A debate that is {current.replace('_', ' ')} cannot be {action}.")
    debate.status = to.value
    debate.save(update_fields=["status"])


def found(*, debate_id: int) -> Debate:
    """Lock a debate and return it.

    Raises: ``NotFound``.
    """
    debate = Debate.objects.select_for_update(no_key=True, of=("self",)).filter(pk=debate_id).first()
    if debate is None:
        raise NotFound("There is no such debate.")
    return debate


def may_conduct(*, by: User | AnonymousUser | None, debate: Debate) -> None:
    """Refuse whoever may not conduct a debate: its creator may, and whoever may change debates.

    Shape: ``by`` is nobody when the operator of the machine asks.
    Raises: ``NotPermitted``.
    """
    if by is None or (isinstance(by, User) and debate.created_by_id == by.pk):
        return
    permitted(by=by, permission="debates.change_debate")


@transaction.atomic(durable=True)
def start(*, debate_id: int, by: User | None, now: datetime) -> Debate:
    """Start a draft: open the accounts and play, or have the evaluator assess the subject first.

    Raises: ``NotFound``, ``NotPermitted``, ``NotAllowedNow``.
    """
    debate = found(debate_id=debate_id)
    may_conduct(by=by, debate=debate)
    if debate.conducted_by == Conduct.EXTERNAL.value:
        raise NotAllowedNow("This debate is conducted elsewhere; its client posts the rounds.")
    given = debate.parameters["initial"]
    debate.started_at = now
    debate.save(update_fields=["started_at"])
    if not given:
        move(debate=debate, to=Status.SCHEDULED, action="started")
        queue.prepare(debate_id=debate.pk)
        return debate
    initial = {code: (Decimal(score), Decimal(confidence)) for code, (score, confidence) in given.items()}
    stream.append(debate_id=debate.pk, news=begin(debate=debate, initial=initial), now=now)
    return debate


def begin(*, debate: Debate, initial: Mapping[str, tuple[Decimal, Decimal]]) -> list[News]:
    """Open an account for every thread of a locked debate that has an initial score, and start to play.

    A thread whose criterion could not be assessed has no account, because none is opened without its first value; it
    has failed, and the others go on.
    """
    move(debate=debate, to=Status.RUNNING, action="started")
    parameters = Parameters.from_snapshot(debate.parameters["score"])
    cards = {row["code"]: row for row in debate.parameters["rubric"]["criteria"]}
    threads = list(debate.threads.order_by("position"))
    for thread in threads:
        if thread.key not in initial:
            thread.status = ThreadStatus.FAILED.value
            thread.ended_because = "not_assessed"
            thread.save(update_fields=["status", "ended_because"])
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
    playing = [thread.pk for thread in threads if thread.status != ThreadStatus.FAILED.value]
    queue.play(thread_ids=playing, debate_id=debate.pk)
    news = [News("debate:started", {"format": debate.format, "rounds": debate.rounds, "threads": len(playing)})]
    return news + play.conclude_after_last(debate=debate)


@transaction.atomic(durable=True)
def pause(*, debate_id: int, by: User | None, now: datetime) -> Debate:
    """Pause a running debate: calls in flight are still written down, no further one is made.

    Raises: ``NotFound``, ``NotPermitted``, ``NotAllowedNow``.
    """
    debate = found(debate_id=debate_id)
    may_conduct(by=by, debate=debate)
    move(debate=debate, to=Status.PAUSED, action="paused")
    stream.append(debate_id=debate.pk, news=[News("debate:paused", {})], now=now)
    return debate


@transaction.atomic(durable=True)
def resume(*, debate_id: int, by: User | None, now: datetime) -> Debate:
    """Let a paused debate go on where it was.

    Raises: ``NotFound``, ``NotPermitted``, ``NotAllowedNow``.
    """
    debate = found(debate_id=debate_id)
    may_conduct(by=by, debate=debate)
    if debate.status != Status.PAUSED.value:
        raise NotAllowedNow(f"Only a paused debate is resumed; this one is {debate.status}.")
    move(debate=debate, to=Status.RUNNING, action="resumed")
    queue.play(thread_ids=unfinished(debate=debate), debate_id=debate.pk)
    stream.append(debate_id=debate.pk, news=[News("debate:resumed", {})], now=now)
    return debate


def unfinished(*, debate: Debate) -> list[int]:
    """Return the threads of a debate that have not ended."""
    rows = Thread.objects.filter(debate=debate).exclude(status__in=[one.value for one in ENDED])
    return list(rows.order_by("position").values_list("pk", flat=True))


def each_unfinished(*, debate: Debate, act: Callable[[Thread], list[News]]) -> list[News]:
    """Lock the unfinished threads of a locked debate in order, do something with each, and return the events."""
    news: list[News] = []
    for thread_id in sorted(unfinished(debate=debate)):
        news += act(play.lock_thread(thread_id))
    return news


@transaction.atomic(durable=True)
def stop(*, debate_id: int, by: User | None, reason: str, now: datetime) -> Debate:
    """Conclude a debate now: rounds that have counted stay counted, unfinished threads end partial.

    Raises: ``NotFound``, ``NotPermitted``, ``NotAllowedNow`` unless it is running or paused.
    """
    debate = found(debate_id=debate_id)
    may_conduct(by=by, debate=debate)
    if debate.status not in {Status.RUNNING.value, Status.PAUSED.value}:
        raise NotAllowedNow(f"Only a running or paused debate is stopped; this one is {debate.status}.")
    because = f"stopped: {reason.strip()}"[:200] if reason.strip() else "stopped"
    brief = selectors.brief(debate.pk)

    def stop_thread(thread: Thread) -> list[News]:
        return play.end(debate=debate, thread=thread, brief=brief, because=because, partial=True, now=now)

    stream.append(debate_id=debate.pk, news=each_unfinished(debate=debate, act=stop_thread), now=now)
    return debate


@transaction.atomic(durable=True)
def cancel(*, debate_id: int, by: User | None, now: datetime) -> Debate:
    """Cancel a debate: nothing more is played or counted; what was counted stays in the ledger.

    Raises: ``NotFound``, ``NotPermitted``, ``NotAllowedNow`` once it has ended.
    """
    debate = found(debate_id=debate_id)
    may_conduct(by=by, debate=debate)
    move(debate=debate, to=Status.CANCELLED, action="cancelled")

    def cancel_thread(thread: Thread) -> list[News]:
        thread.status = ThreadStatus.CANCELLED.value
        thread.ended_because = "cancelled"
        thread.fence += 1
        thread.save(update_fields=["status", "ended_because", "fence"])
        Claim.objects.filter(thread=thread).update(reserved_calls=0, reserved_tokens=0, reserved_money=0)
        return []

    news = each_unfinished(debate=debate, act=cancel_thread)
    stream.append(debate_id=debate.pk, news=[*news, News("debate:cancelled", {})], now=now)
    return debate


@transaction.atomic(durable=True)
def retry_synthesis(*, debate_id: int, by: User | None, now: datetime) -> Debate:
    """Try again to conclude a debate whose synthesis failed; its scores have stood all along.

    Raises: ``NotFound``, ``NotPermitted``, ``NotAllowedNow`` unless its synthesis failed.
    """
    debate = found(debate_id=debate_id)
    may_conduct(by=by, debate=debate)
    if debate.status != Status.FAILED.value or not Evaluation.objects.filter(debate=debate).exists():
        raise NotAllowedNow("Only a debate whose synthesis failed is concluded again.")
    move(debate=debate, to=Status.CONCLUDING, action="concluded again")
    queue.conclude(debate_id=debate.pk)
    stream.append(debate_id=debate.pk, news=[News("debate:resumed", {"concluding": True})], now=now)
    return debate


@transaction.atomic(durable=True)
def rerun(
    *,
    debate_id: int,
    by: User,
    reason: str,
    now: datetime,
    criteria: Sequence[str] = (),
    door: ActorKind = ActorKind.MODERATOR,
) -> Debate:
    """Play an ended criterion debate again, or some of its criteria, from the initial scores, in a new run.

    Raises: ``NotFound``, ``NotPermitted``, ``NotAllowedNow`` while in play, ``Invalid``, ``Frozen`` naming the scores.
    Source: docs/reference/ledger.md, "rerun".
    """
    permitted(by=by, permission="rerun_evaluation")
    debate = found(debate_id=debate_id)
    if debate.status not in {Status.CONCLUDED.value, Status.FAILED.value, Status.CANCELLED.value}:
        raise NotAllowedNow(f"A debate is rerun once it has ended; this one is {debate.status.replace('_', ' ')}.")
    threads = rerun_threads(debate=debate, criteria=criteria)
    evaluations = accounts.lock(evaluations=Evaluation.objects.filter(thread__in=threads).values_list("pk", flat=True))
    frozen = [one.key for one in evaluations if one.frozen_at]
    if frozen:
        raise Frozen(f"These scores are frozen: {', '.join(frozen)}. Unfreeze them first.")
    author = Author(kind=door, actor=actor_of(by), reason=reason_record(reason), reason_code="rerun")
    news: list[News] = []
    for evaluation in evaluations:
        run = next_run(evaluation=evaluation)
        news += accounts.rerun(evaluation=evaluation, run=run, author=author).news
        Thread.objects.filter(pk=evaluation.thread_id).update(run_number=run)
    for thread in threads:
        thread.refresh_from_db()
        thread.status = ThreadStatus.PENDING.value
        thread.rounds_played = 0
        thread.fence += 1
        thread.ended_because = ""
        thread.save(update_fields=["status", "rounds_played", "fence", "ended_because"])
    debate.partial, debate.partial_reason, debate.concluded_at = False, "", None
    debate.save(update_fields=["partial", "partial_reason", "concluded_at"])
    move(debate=debate, to=Status.RUNNING, action="rerun")
    queue.play(thread_ids=[thread.pk for thread in threads], debate_id=debate.pk)
    told = News("debate:rerun", {"criteria": [one.key for one in evaluations]})
    stream.append(debate_id=debate.pk, news=[*news, told], now=now)
    return debate


def rerun_threads(*, debate: Debate, criteria: Sequence[str]) -> list[Thread]:
    """Lock and return the threads that a rerun plays: those that have an account, all or the chosen ones.

    Raises: ``Invalid`` naming what cannot be rerun.
    """
    rows = Thread.objects.select_for_update(no_key=True, of=("self",)).filter(debate=debate, evaluations__isnull=False)
    threads = list(rows.order_by("pk"))
    unknown = sorted(set(criteria) - {thread.key for thread in threads})
    if unknown or not threads:
        allowed = ", ".join(thread.key for thread in threads) or "none, because nothing was assessed"
        raise Invalid(f"criteria to rerun must be some of {allowed}; got {', '.join(unknown)}.")
    return [thread for thread in threads if not criteria or thread.key in criteria]


def next_run(*, evaluation: Evaluation) -> int:
    """Return the number of a new run: one more than the highest run that the thread ever had."""
    top = evaluation.entries.aggregate(top=Max("run_number"))["top"] or 0
    return max(top, evaluation.thread.run_number) + 1
