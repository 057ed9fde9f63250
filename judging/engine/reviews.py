"""Reviews: a panel that came to no end by itself waits for a person, who claims it and decides."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Q

from debates import event_log
from debates.decimals import in_places
from debates.errors import DomainError, Invalid, NotAllowedNow, NotFound, about
from debates.models import Debate
from debates.printable import clock
from debates.services import rights
from debates.services.idempotency import UseCase
from debates.types import News, Status
from judging.engine import play
from judging.engine.locks import lock_debate
from judging.models import Review
from judging.models.judgements import REVIEW_WAITS
from judging.types import ReviewState
from scoring import selectors
from scoring.enums import ActorKind, EntryKind
from scoring.errors import Stale
from scoring.models import Actor, Appeal, Evaluation
from scoring.rules.instruments import range_of
from scoring.rules.numbers import decimal_of
from scoring.services import accounts, conflicts
from scoring.services.actions import Intent
from scoring.services.entries import Author, Posted, actor_of, reason_record
from scoring.services.steps import take
from scoring.types import Instrument

LEASE = timedelta(minutes=30)
PERMISSION = "judging.resolve_review"
REASON_CODE = "review"
CANCELLED = "The debate was cancelled, and nothing waits for this decision. A score that is wrong can be overridden."
CLAIM_FIRST = "Claim this review first; a claim lasts 30 minutes and can be renewed."
NOT_HELD = "Only who holds a review gives it back."


@dataclass(frozen=True, slots=True)
class Decision:
    """What a person decides about one criterion in dispute.

    Shape: ``seen`` is the moderation version of its evaluation on the page; there is none where it has no evaluation.
    Units: ``value`` on the panel's scale, 1..5, at most 2 places.
    """

    value: object
    reason: str
    seen: int | None = None
    note: str = ""


@UseCase
def claim(*, review_id: int, by: User | AnonymousUser, now: datetime) -> Review:
    """Take a review on for 30 minutes, or hold it for another 30. One whose lease has ended may be taken over.

    Raises: ``NotPermitted``, ``NotFound``, ``NotAllowedNow`` while somebody else holds it or once it is settled;
    ``ConflictOfInterest``, ``ActedOnIt`` for who could not settle it.
    """
    rights.permitted(by=by, permission=PERMISSION)
    actor = actor_of(by)
    review = unsettled(review_id=review_id)
    rights.may_moderate(by=by, debates=[review.debate_id])
    if refusal := kept_off(review=review, by=by):
        raise refusal
    if held_by_another(review, by=by, now=now):
        raise NotAllowedNow(who_holds(review))
    review.state, review.claimed_by, review.lease_until = ReviewState.CLAIMED.value, actor, now + LEASE
    review.save(update_fields=["state", "claimed_by", "lease_until"])
    return review


def longest_waiting(*, by: User, now: datetime) -> Review | None:
    """Return the oldest review that somebody may take on: nobody else holds it, and they could settle it."""
    free = Review.objects.filter(REVIEW_WAITS).exclude(Q(lease_until__gt=now) & ~Q(claimed_by__user=by))
    rows = free.order_by("opened_at", "pk")
    return rights.first_moderated(rows=rows, by=by, fits=lambda review: kept_off(review=review, by=by) is None)


def kept_off(*, review: Review, by: User | AnonymousUser) -> DomainError | None:
    """Return why somebody who is no party does not settle a review: they lost an appeal on a score in dispute."""
    return conflicts.lost_by_name(by=by, evaluations=scores_of(review), kind=EntryKind.OVERRIDE)


def scores_of(review: Review) -> list[Evaluation]:
    """Return the scores in dispute: none of a criterion that no readable judge has scored."""
    rows = Evaluation.objects.filter(debate=review.debate_id, instrument=Instrument.PANEL.value)
    return list(rows.filter(key__in=review.disputed).order_by("pk"))


@UseCase
def release(*, review_id: int, by: User | AnonymousUser) -> Review:
    """Give a review back, so that somebody else may take it on.

    Raises: ``NotPermitted``, ``NotFound``, ``NotAllowedNow`` unless one holds it.
    """
    rights.permitted(by=by, permission=PERMISSION)
    review = unsettled(review_id=review_id)
    if not held_by(review, by=by):
        raise NotAllowedNow(NOT_HELD)
    review.state, review.claimed_by, review.lease_until = ReviewState.OPEN.value, None, None
    review.save(update_fields=["state", "claimed_by", "lease_until"])
    return review


def unsettled(*, review_id: int) -> Review:
    """Lock a review that is still to be settled.

    Raises: ``NotFound``, ``NotAllowedNow``.
    """
    rows = Review.objects.select_for_update(no_key=True, of=("self",)).select_related("debate")
    review = rows.filter(pk=review_id).first()
    if review is None:
        raise NotFound("There is no such review.")
    if ended := how_it_ended(review):
        raise NotAllowedNow(ended)
    return review


def how_it_ended(review: Review) -> str:
    """Say, for people, why nothing is left to decide; nothing where a review still waits."""
    if was_cancelled(review):
        return CANCELLED
    if review.state != ReviewState.SETTLED.value:
        return ""
    return f"{review.settled_by} settled this review at {clock(review.settled_at)}."


def was_cancelled(review: Review) -> bool:
    return review.state != ReviewState.SETTLED.value and review.debate.status == Status.CANCELLED.value


# Who holds a review, or an appeal, and until when.


def who_holds(row: Review | Appeal) -> str:
    what = row._meta.verbose_name  # noqa: SLF001 -- Django's public name
    return f"{row.claimed_by} holds this {what} until {clock(row.lease_until, pattern='%H:%M')}."


def held_by_another(row: Review | Appeal, *, by: User | AnonymousUser, now: datetime) -> bool:
    return is_held(row, now=now) and not held_by(row, by=by)


def held_now_by(row: Review | Appeal, *, by: User | AnonymousUser, now: datetime) -> bool:
    return is_held(row, now=now) and held_by(row, by=by)


def is_held(row: Review | Appeal, *, now: datetime) -> bool:
    return row.lease_until is not None and row.lease_until > now


def held_by(row: Review | Appeal, *, by: User | AnonymousUser) -> bool:
    """Say whether somebody claimed it, though the lease may have ended."""
    return row.claimed_by is not None and by.pk is not None and row.claimed_by.user_id == by.pk


@UseCase
def settle(
    *,
    review_id: int,
    by: User | AnonymousUser,
    decisions: Mapping[str, Decision],
    now: datetime,
    door: ActorKind = ActorKind.MODERATOR,
) -> Review:
    """Settle a review: each criterion in dispute gets its value as an override with its own reason, all in one step.

    When it was the last one open of a debate that waits for it, the debate is concluded.

    Raises: ``NotPermitted``, ``NotFound``, ``NotAllowedNow`` unless one holds it, ``Invalid`` unless everything in
    dispute is decided and nothing else, ``Stale``, ``Frozen``, ``ActedOnIt``, ``NeedsSecondPerson``.
    Source: docs/reference/moderation.md, "Reviews".
    """
    rights.permitted(by=by, permission=PERMISSION)
    actor = actor_of(by)
    debate = _debate_of(review_id=review_id)
    review = unsettled(review_id=review_id)
    rights.may_moderate(by=by, debates=[debate.pk])
    if not held_now_by(review, by=by, now=now):
        raise NotAllowedNow(CLAIM_FIRST)
    if set(decisions) != set(review.disputed):
        raise Invalid(f"Decide each of {', '.join(review.disputed)}, and nothing else; got {', '.join(decisions)}.")
    authors = {code: _author(code, decision, actor=actor, door=door) for code, decision in decisions.items()}
    steps = _decide(debate=debate, review=review, decisions=decisions, by=by, authors=authors)
    _close(review=review, steps=steps, by=actor, now=now)
    after = _conclude_after_last(debate=debate)
    news = [event for step in steps.values() for event in step.news]
    resolved = _resolved(review=review, steps=steps, mark=conflicts.organiser_mark(by=by, debate_id=debate.pk))
    event_log.append(debate_id=debate.pk, news=[*news, resolved, *after], now=now)
    return review


def _debate_of(*, review_id: int) -> Debate:
    debate_id = Review.objects.filter(pk=review_id).values_list("debate_id", flat=True).first()
    if debate_id is None:
        raise NotFound("There is no such review.")
    return lock_debate(debate_id)


def _decide(
    *,
    debate: Debate,
    review: Review,
    decisions: Mapping[str, Decision],
    by: User | AnonymousUser,
    authors: Mapping[str, Author],
) -> dict[str, Posted]:
    """Override every criterion in dispute, by ascending id; open first the accounts that no readable judge opened."""
    evaluations = accounts.lock_with_debates(evaluations=[row.pk for row in scores_of(review)])
    for evaluation in evaluations:
        _check_seen(evaluation=evaluation, seen=decisions[evaluation.key].seen)
    if refusal := conflicts.lost_by_name(by=by, evaluations=evaluations, kind=EntryKind.OVERRIDE):
        raise refusal
    missing = [code for code in review.disputed if code not in {evaluation.key for evaluation in evaluations}]
    opened = [_open(debate=debate, code=code, value=decisions[code].value, author=authors[code]) for code in missing]
    steps = {}
    for evaluation in [*evaluations, *accounts.lock_with_debates(evaluations=opened)]:
        with _about(evaluation.key):
            override = Intent(EntryKind.OVERRIDE, value=decisions[evaluation.key].value)
            [steps[evaluation.key]] = take(evaluation=evaluation, author=authors[evaluation.key], intent=override)
    return steps


@contextmanager
def _about(code: str) -> Iterator[None]:
    """Name the criterion that refuses, and its part of the request: a settlement is about several."""
    try:
        yield
    except DomainError as refusal:
        details = dict(refusal.details)
        if refusal.path:
            details["field"] = ("decisions", code, *refusal.path)
        said = refusal.message if refusal.message.startswith(code) else f"{code}: {refusal.message}"
        raise type(refusal)(said, **details) from refusal


def _author(code: str, decision: Decision, *, actor: Actor, door: ActorKind) -> Author:
    with _about(code):
        because = reason_record(decision.reason, note=decision.note)
        return Author(kind=door, actor=actor, reason=because, reason_code=REASON_CODE)


def _check_seen(*, evaluation: Evaluation, seen: int | None) -> None:
    with _about(evaluation.key):
        if seen is None:
            raise Invalid("say which moderation_version you saw.", field="seen")
        if seen != evaluation.moderation_version:
            raise Stale(selectors.who_moved_it(evaluation=evaluation, seen=seen))


def _open(*, debate: Debate, code: str, value: object, author: Author) -> int:
    """Open the account of a criterion that no readable judge has scored, with the value that a person gives it."""
    low, high = range_of(Instrument.PANEL)
    cards = {row["code"]: row for row in debate.parameters["rubric"]["criteria"]}
    card, thread = cards.get(code), debate.threads.order_by("position").first()
    if card is None or thread is None:
        raise Invalid(f"{code} has no score, and this debate's rubric does not know it.")
    with _about(code), about("value"):
        score = decimal_of(value, name=code, low=low, high=high, places=2)
    evaluation = Evaluation(
        debate=debate,
        thread=thread,
        instrument=Instrument.PANEL.value,
        key=code,
        name=card["name"],
        category=card.get("category", ""),
        weight=Decimal(card["weight"]),
        position=list(cards).index(code) + 1,
        initial_score=score,
    )
    accounts.open_criterion(evaluation=evaluation, author=author)
    return evaluation.pk


def _close(*, review: Review, steps: Mapping[str, Posted], by: Actor, now: datetime) -> None:
    review.state, review.claimed_by, review.lease_until = ReviewState.SETTLED.value, None, None
    review.settled_by, review.settled_at = by, now
    review.decisions = {
        code: {"value": in_places(step.entry.override_after), "entry": step.entry.sequence}
        for code, step in steps.items()
    }
    review.save(update_fields=["state", "claimed_by", "lease_until", "settled_by", "settled_at", "decisions"])


def _resolved(*, review: Review, steps: Mapping[str, Posted], mark: Mapping[str, bool]) -> News:
    entries = {code: step.entry.sequence for code, step in steps.items()}
    about = {"review": str(review.public_id), "criteria": review.disputed, "entries": entries}
    return News("review:resolved", {**about, **mark})


def _conclude_after_last(*, debate: Debate) -> list[News]:
    """Let a locked debate that waited for its reviews be concluded, once none of them is unsettled."""
    waited = debate.status == Status.AWAITING_REVIEW.value and not play.unsettled(debate=debate)
    return play.concluding(debate=debate) if waited else []
