"""The building blocks of moderation: who asks, whether they may, and what an action writes for a locked score."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser, User

from debates.decimals import in_places
from debates.errors import Invalid, NotFound, within
from debates.models import Debate
from debates.types import News, Status
from scoring import selectors
from scoring.enums import ActorKind, EntryKind, HeldChoice
from scoring.errors import NeedsSecondPerson, Stale
from scoring.models import Evaluation, ScoreChange
from scoring.services import accounts, actions, alerts, second_person_rule
from scoring.services.actions import ACTIONS, Intent, Known
from scoring.services.entries import Author, Posted, actor_of, post, reason_record
from scoring.types import Instrument


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Who asks, why, and through which entry point; ``note`` is for moderators alone."""

    by: User | AnonymousUser
    reason: str
    note: str = ""
    door: ActorKind = ActorKind.MODERATOR
    reason_code: str = ""
    idempotency_key: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order(Asked):
    """Who asks for an action on one evaluation, why, and which state they were looking at.

    Shape: ``seen`` is the ``moderation_version`` on the page or in the If-Match header; a freeze needs none, but is
    checked against one that is given.
    """

    evaluation_id: int
    seen: int | None = None


@dataclass(frozen=True, slots=True)
class Done:
    """What an action did to one score: the entries it wrote, in order, and the events that tell of them."""

    evaluation: Evaluation
    steps: Sequence[Posted]

    @property
    def entries(self) -> list[ScoreChange]:
        return [step.entry for step in self.steps]


def author_of(*, order: Asked) -> Author:
    """Keep who asks and why. Writes rows that others wait for, so it comes before anything is locked.

    Raises: ``Invalid`` for a reason without 10 visible characters.
    """
    return Author(
        kind=order.door,
        actor=actor_of(order.by),
        reason=reason_record(order.reason, note=order.note),
        reason_code=order.reason_code,
        idempotency_key=order.idempotency_key,
    )


def locked(*, order: Order, versioned: bool = True) -> Evaluation:
    """Lock the evaluation that an order is about and refuse a look that is out of date.

    Raises: ``NotFound``; ``Stale`` saying who changed what and when; ``Invalid`` when the version is missing.
    """
    evaluation = next(iter(accounts.lock_with_debates(evaluations=[order.evaluation_id])), None)
    if evaluation is None:
        raise NotFound("There is no such evaluation.")
    if versioned and order.seen is None:
        raise Invalid("Say which moderation_version you saw; this action needs it.")
    if order.seen is not None and order.seen != evaluation.moderation_version:
        raise Stale(selectors.who_moved_it(evaluation=evaluation, seen=order.seen))
    return evaluation


def unmoved(*, evaluations: Sequence[Evaluation], seen: Mapping[int, int] | None) -> None:
    """Refuse a look at several locked scores that is out of date.

    Shape: ``seen`` is {evaluation: moderation version}; nothing from whoever takes the scores as they then stand.
    Raises: ``Stale`` saying who changed what and when; ``Invalid`` when a version is missing.
    """
    if seen is None:
        return
    missing = [evaluation.key for evaluation in evaluations if evaluation.pk not in seen]
    if missing:
        raise Invalid(f"Say which moderation_version you saw of {', '.join(missing)}.")
    late = [evaluation for evaluation in evaluations if seen[evaluation.pk] != evaluation.moderation_version]
    if late:
        who = [f"{row}: {selectors.who_moved_it(evaluation=row, seen=seen[row.pk])}" for row in late[:5]]
        more = f" And {len(late) - 5} more." if len(late) > 5 else ""
        raise Stale(" ".join(who) + more)


def take(*, evaluation: Evaluation, author: Author, intent: Intent, known: Known | None = None) -> list[Posted]:
    """Do one action to a locked evaluation: write what is planned, and after an unfreeze what follows from it.

    Shape: a rollback needs the debate locked too; ``known`` is what ``actions.known_of`` has read of it.
    Raises: what the plan refuses; ``NeedsSecondPerson`` where it would leave an override standing that a second person
    has to approve, unless the author brings the approval.
    """
    plan = actions.plan_of(evaluation=evaluation, intent=intent, known=known)
    applied = set(evaluation.held) & set(plan.state.basis)
    by = author.actor.user_id if author.actor else None
    before = evaluation.final_score
    measured = second_person_rule.measure(evaluation=evaluation, plan=plan, by=by, approval=author.approval)
    if because := second_person_rule.sentence(evaluation=evaluation, kind=plan.kind, measured=measured):
        raise NeedsSecondPerson(because)
    posted = post(
        evaluation=evaluation, kind=plan.kind, state=plan.state, author=author, **plan.about, **measured.columns()
    )
    data = {
        "evaluation": str(evaluation.public_id),
        "criterion": evaluation.key,
        "entry": posted.entry.sequence,
        "before": in_places(posted.entry.value_before),
        "after": in_places(posted.entry.value_after),
    }
    if posted.entry.by_organiser:
        data["byOrganiser"] = True
    further = []
    if plan.kind is EntryKind.UNFREEZE:
        evaluation.thread.refresh_from_db(fields=["status"])
        if actions.falls_back(evaluation=evaluation, plan=plan):
            news = accounts.fall_back(evaluation=evaluation, reason_code="ended_while_frozen")
            entry = ScoreChange.objects.get(evaluation=evaluation, sequence=evaluation.version)
            further.append(Posted(entry, list(news)))
    told = News(ACTIONS[plan.kind].event, data, finals=(before, evaluation.final_score))
    steps = [Posted(posted.entry, [*posted.news, told]), *further]
    if intent.then is not None:
        with within("then"):
            steps.extend(take(evaluation=evaluation, author=author, intent=intent.then))
    if plan.kind is EntryKind.UNFREEZE:
        steps[0].news.extend(_warnings(evaluation=evaluation, applied=applied & set(evaluation.basis)))
    return steps


def _warnings(*, evaluation: Evaluation, applied: Collection[int]) -> list[News]:
    """Raise for a score that was just unfrozen what would have been raised had its rounds not been held.

    ``applied`` are of what counts after the further step. What is asked of a thread as a whole is asked again where
    that is over; only criteria are asked.
    """
    if not applied or evaluation.instrument != Instrument.CRITERION.value:
        return []
    news = alerts.after_unfreeze(evaluation=evaluation, applied=applied)
    if actions.has_ended(evaluation=evaluation):
        news += alerts.after_thread(evaluation=evaluation)
    return news


def warn_whole(*, taken: Sequence[Done], choice: HeldChoice | None) -> None:
    """Ask what is asked of a whole debate again, once for each that is concluded, when all of its scores have moved.

    What it raises is told with the last step.
    """
    if choice is not HeldChoice.APPLY:
        return
    criteria = [row for row in taken if row.evaluation.instrument == Instrument.CRITERION.value]
    last = {row.evaluation.debate_id: row.steps[-1] for row in criteria}
    for debate in Debate.objects.filter(pk__in=last, status=Status.CONCLUDED.value).order_by("pk"):
        last[debate.pk].news.extend(alerts.after_debate(debate=debate))
