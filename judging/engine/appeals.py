"""Appeals against an entry of the ledger, a ruling or a result: filed with frozen evidence, claimed, decided.

The database refuses to have one decided by whoever acted on what it is against, by a party, or by who has not claimed
it; here it is asked before, so that a refusal can say why.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.db import connection
from django.db.models import Model, Q, QuerySet

from debates import event_log
from debates import selectors as debate_selectors
from debates.decimals import in_places
from debates.errors import DomainError, Invalid, NotAllowedNow, NotFound, NotPermitted
from debates.mail import recipients
from debates.mail.outbox import due
from debates.models import Debate, Subject, Turn
from debates.models.seal import Seal
from debates.printable import clock
from debates.selectors import Visitor
from debates.services import rights
from debates.services.idempotency import UseCase
from debates.types import LONGEST_REASON, Audience, MailKind, News, Status
from judging.engine.locks import lock_debate
from judging.engine.reviews import LEASE, held_by, held_by_another, held_now_by, who_holds
from judging.formats.registry import format_of
from judging.models import Verdict
from scoring import selectors
from scoring.enums import ActorKind, AppealGround, AppealState, EntryKind, ReasonCode
from scoring.errors import ActedOnIt, AppealedAlready, AppealLate, NeedsSecondPerson, TooManyAppeals
from scoring.models import Appeal, Evaluation, Fact, ScoreChange
from scoring.models.appeal import WAITING
from scoring.services import accounts, conflicts, moderation_effect
from scoring.services.actions import ACTIONS, Intent, asked_for
from scoring.services.entries import Author, Posted, actor_of, reason_record
from scoring.services.steps import Done, take, unmoved, warn_whole

PERMISSION, SEES_ALL = "scoring.decide_appeal", "scoring.view_appeal"
DAY = timedelta(days=1)
CLAIM_FIRST = "Claim this appeal first; a claim lasts 30 minutes and can be renewed."
NOT_HELD = "Only who holds an appeal gives it back."
NO_PART = "Whoever created a debate, sits in it or has a role in it may appeal."
NOT_DISMISSED = (
    "So it is not dismissed: find the appeal moot, or allow it by an act where what came instead is no better. Whoever"
    " may have voided it leaves it to others to find it moot."
)
ACTED = "You acted on what this appeal is against, or appeal yourself. Somebody else has to decide it."
FIRST_ASK = (
    " Ask for it first, as an act for an appeal (reason code appeal); once it is approved, allow the appeal by naming"
    " its entry."
)
OUTCOMES = (AppealState.DISMISSED, AppealState.ALLOWED, AppealState.MOOT)
"""What somebody who decides may come to."""


@dataclass(frozen=True, slots=True)
class Against:
    """What somebody appeals against: an entry, a ruling by its fact, or, where neither is given, the result."""

    debate: Debate
    entry: ScoreChange | None = None
    fact: Fact | None = None

    @property
    def evaluation(self) -> Evaluation | None:
        row = self.entry or self.fact
        return row.evaluation if row else None

    @property
    def at(self) -> datetime | None:
        """Return when it came to be, a ruling to count; nothing of a ruling or a result that waits for that yet."""
        if self.fact:
            return selectors.brought_at(facts=[self.fact]).get(self.fact.pk)
        return self.entry.at if self.entry else self.debate.concluded_at

    @property
    def result_at(self) -> datetime | None:
        """Return when a result came: each of a debate that was played again is another; nothing of what is none."""
        return None if self.entry or self.fact else self.debate.concluded_at


@dataclass(frozen=True, slots=True)
class Remedy:
    """What an appeal is allowed by: an act on a score, or the number of an entry on it that was written for it already.

    Shape: ``seen`` is the moderation version that whoever decides was looking at.
    """

    evaluation_id: int
    intent: Intent | None = None
    seen: int | None = None
    entry: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AppealDecision:
    """Who decides what, why, and by which act where the appeal is allowed; ``note`` is for moderators alone."""

    by: User | AnonymousUser
    outcome: AppealState
    reason: str
    note: str = ""
    remedy: Remedy | None = None
    door: ActorKind = ActorKind.MODERATOR


def against(appeal: Appeal) -> Against:
    return Against(appeal.debate, appeal.entry, appeal.fact)


# -- who may appeal, and against what ----------------------------------------------------------------------------------


def may_appeal(*, by: Visitor, debate: Debate) -> bool:
    """Say whether somebody may appeal in a debate at all, by the setting."""
    if settings.APPEALS_DAYS == 0 or not isinstance(by, User):
        return False
    debates = debate_selectors.visible_debates(visitor=by).filter(pk=debate.pk)
    if settings.APPEALS_FROM == "participants":
        debates = debates.filter(debate_selectors.concerns(by))
    return debates.exists()


def closes_at(what: Against) -> datetime | None:
    """Return until when something can be appealed against; nothing where there is nothing yet."""
    return window_end(what.at)


def window_end(at: datetime | None) -> datetime | None:
    return at + timedelta(days=settings.APPEALS_DAYS) if at else None


def is_open(at: datetime | None, *, now: datetime) -> bool:
    """Say whether what came to be then can still be appealed against, by anybody."""
    until = window_end(at)
    return until is not None and now < until


def refusal(*, what: Against, by: User | AnonymousUser, now: datetime) -> DomainError | None:
    """Return why somebody may not appeal against something now; nothing where they may."""
    if not may_appeal(by=by, debate=what.debate):
        return NotPermitted(NO_PART if settings.APPEALS_DAYS else "There are no appeals on this site.")
    if own_of(by=by, what=what):
        return AppealedAlready("You have appealed against this already.")
    if why := voided(what):
        return NotAllowedNow(why)
    until = closes_at(what)
    if until is None or now >= until:
        return AppealLate(f"An appeal against this could be filed until {clock(until)}.")
    return too_many(by=by, debate=what.debate, now=now)


def own_of(*, by: Visitor, what: Against) -> Appeal | None:
    """Return the appeal that somebody filed against something; nobody's where they are not signed in."""
    if by.pk is None:
        return None
    same = {"debate": what.debate, "entry": what.entry, "fact": what.fact, "result_at": what.result_at}
    return Appeal.objects.filter(person=by.pk, **same).first()


def too_many(*, by: User | AnonymousUser, debate: Debate, now: datetime) -> DomainError | None:
    own, readable = Appeal.objects.filter(person=by.pk), debate_selectors.visible_debates(visitor=by)
    limits = (
        (own.filter(WAITING, debate__in=readable), settings.APPEALS_OPEN_PER_PERSON, "appeals of yours that wait"),
        (own.filter(filed_at__gt=now - DAY), settings.APPEALS_PER_DAY, "appeals of yours within a day"),
        (_of_the_like(by, debate), settings.APPEALS_OPEN_PER_DEBATE, "that wait in this debate"),
    )
    for rows, most, which in limits:
        if rows.count() >= most:
            return TooManyAppeals(f"There are {most} {which} already; no more are taken now.")
    return None


def _of_the_like(by: User | AnonymousUser, debate: Debate) -> QuerySet[Appeal]:
    """Return the appeals that wait in a debate: of who takes part, or of all others: these crowd nobody out."""
    people, rows = set(recipients.concerned(debate_id=debate.pk)), Appeal.objects.filter(WAITING, debate=debate)
    return rows.filter(person__in=people) if by.pk in people else rows.exclude(person__in=people)


def voided(what: Against, *, result_at: datetime | None = None) -> str:
    """Say what became of something that stands no more; nothing where it stands, or there is no such result yet.

    Shape: a result is void, too, where it is not the one that came at ``result_at``.
    """
    if what.entry is not None:
        return "" if stands(what.entry) else "This entry was rolled back over, undone or played again since."
    if what.fact is not None:
        row = what.fact.evaluation
        if what.fact.pk in {*row.basis, *row.held}:
            return ""
        waits = what.fact.run_number == row.run_number and what.at is None
        return f"This ruling does not count {'yet' if waits else 'any more'}."
    concluded = what.debate.concluded_at
    if what.debate.status != Status.CONCLUDED.value or concluded is None:
        return "This debate is not concluded, and so has no result."
    return "This debate was played again since." if result_at is not None and concluded != result_at else ""


def stands(entry: ScoreChange) -> bool:
    return voided_by(entry) is None


def voided_by(entry: ScoreChange) -> ScoreChange | None:
    """Return the entry by which another stands no more: it was rolled back over, undone or played again, for good.

    What is undone is the last act of a person: then it is as it was before that, and an undo can be undone.
    """
    voiding = None
    steps, acts = [(entry.sequence, True)], [(entry.reason_id, False)] if is_of_a_person(entry) else []
    for later in entry.evaluation.entries.all():
        if later.sequence <= entry.sequence:
            continue
        now = steps[-1][1]
        if is_of_a_person(later) and (not acts or acts[-1][0] != later.reason_id):
            acts.append((later.reason_id, now))
        if later.kind == EntryKind.ROLLBACK.value:
            target = later.target_sequence or 0
            now = next((then for sequence, then in reversed(steps) if sequence <= target), False)
        elif later.kind == EntryKind.RERUN.value:
            now = False
        elif later.reason_code == ReasonCode.UNDO.value and len(acts) > 1:
            now = acts[-2][1]
        steps.append((later.sequence, now))
        voiding = None if now else voiding or later
    return voiding


OUTDONE: Mapping[str, frozenset[str]] = {
    EntryKind.OVERRIDE.value: frozenset({EntryKind.OVERRIDE.value, EntryKind.OVERRIDE_LIFTED.value}),
    EntryKind.OVERRIDE_LIFTED.value: frozenset({EntryKind.OVERRIDE.value}),
    EntryKind.STRIKE.value: frozenset({EntryKind.REINSTATE.value}),
    EntryKind.REINSTATE.value: frozenset({EntryKind.STRIKE.value}),
    EntryKind.UNFREEZE.value: frozenset({EntryKind.FREEZE.value}),
    EntryKind.FREEZE.value: frozenset({EntryKind.UNFREEZE.value}),
}
"""By which acts another stands no more without being void: of rulings, once all of them are put back."""


def taken_back_by(act: ScoreChange, *, of: int | None = None) -> ScoreChange | None:
    """Return the entry by which an act is void, or the first that outdid it and stands: of rulings, all of them.

    Shape: ``of`` is the ruling that an appeal is against: where the act was about that, nothing else of it counts.
    """
    if voiding := voided_by(act):
        return voiding
    about = set(act.facts) if act.kind in {EntryKind.STRIKE.value, EntryKind.REINSTATE.value} else set()
    about = {of} if of in about else about
    left, outdone = set(about), None
    for later in act.evaluation.entries.all():
        if later.sequence <= act.sequence or later.reason_code == ReasonCode.UNDO.value or not stands(later):
            continue
        same = later.kind != EntryKind.OVERRIDE.value or later.override_after == act.override_after
        if later.kind == act.kind and same:
            left |= about & set(later.facts)
            outdone = None if left or not about else outdone
        elif later.kind in OUTDONE.get(act.kind, ()):
            left -= set(later.facts)
            outdone = outdone or (None if left else later)
    return outdone


def is_of_a_person(entry: ScoreChange) -> bool:
    return entry.actor_kind != ActorKind.ENGINE.value


def acted(*, appeal: Appeal, by: User | AnonymousUser) -> bool:
    """Say whether somebody acted on what an appeal is against, as the database knows it, or appeals themselves."""
    with connection.cursor() as cursor:
        asked = "SELECT moot_acted(%s, a) FROM scoring_appeal a WHERE a.id = %s"
        cursor.execute(asked, [by.pk, appeal.pk])
        [did] = cursor.fetchone()
    return bool(did)


# -- evidence ----------------------------------------------------------------------------------------------------------


def evidence_of(what: Against) -> dict[str, Any]:
    """Return what something rests on as it stands now: ids, numbers and seals, and no words.

    Source: docs/reference/appeals.md, "Evidence".
    """
    subject = what.debate.subject_id
    sealed = seals(Subject, [subject]).get(subject) if subject else None
    evidence: dict[str, Any] = {"status": what.debate.status, "subject": sealed}
    if what.entry is not None:
        evidence |= {"entry": entry_evidence(what.entry), "rulings": ruling_evidence(what.debate, what.entry.facts)}
    if what.fact is not None:
        evidence["rulings"] = ruling_evidence(what.debate, [what.fact.pk])
    scores = Evaluation.objects.filter(debate=what.debate) if what.evaluation is None else [what.evaluation]
    evidence["scores"] = [score_evidence(row) for row in sorted(scores, key=lambda row: row.pk)]
    return evidence


def score_evidence(row: Evaluation) -> dict[str, Any]:
    return {
        "evaluation": str(row.public_id),
        "value": in_places(row.value),
        "final": in_places(row.final_score),
        "version": row.version,
        "head": bytes(row.head_hash).hex(),
    }


def entry_evidence(entry: ScoreChange) -> dict[str, Any]:
    return {
        "sequence": entry.sequence,
        "kind": entry.kind,
        "at": entry.at.isoformat(),
        "before": in_places(entry.value_before),
        "after": in_places(entry.value_after),
        "computedAfter": in_places(entry.computed_after),
        "overrideAfter": in_places(entry.override_after),
        "by": entry.actor_kind,
        "reason": entry.reason.digest if entry.reason else None,
        "previousHash": bytes(entry.previous_hash).hex(),
        "hash": bytes(entry.hash).hex(),
    }


def ruling_evidence(debate: Debate, facts: Iterable[int]) -> list[dict[str, Any]]:
    """Return facts with what was said about each: a challenge, a defence, a ruling, by its id and seal."""
    rows = list(Fact.objects.filter(pk__in=list(facts)).select_related("round").order_by("pk"))
    ids = [row.pk for row in rows]
    words = format_of(debate.format).fact_statements(facts=ids)
    where = {row.round_id for row in rows}
    turns = dict(Turn.objects.filter(debate=debate, round__in=where).values_list("public_id", "pk"))
    spoken, ruled, sealed = seals(Turn, turns.values()), seals(Verdict, ids), seals(Fact, ids)
    known = {f"turn-{public}": spoken.get(pk) for public, pk in turns.items()}
    known |= {f"verdict-{row.public_id}": ruled.get(row.pk) for row in rows}
    return [
        {
            "fact": str(row.public_id),
            "kind": row.kind,
            "round": row.round.number,
            "amount": in_places(row.amount),
            "impact": in_places(row.impact),
            "seal": sealed.get(row.pk),
            "said": [
                {"kind": said.kind, "id": said.anchor.partition("-")[2], "seal": known.get(said.anchor)}
                for said in (words[row.pk].statements if row.pk in words else ())
                if said.anchor
            ],
        }
        for row in rows
    ]


def seals(model: type[Model], keys: Iterable[int]) -> dict[int, str]:
    """Return the newest seals of some rows. They give nothing away: their salt goes with the words."""
    rows = Seal.objects.filter(relation=model._meta.db_table, key__in=list(keys)).order_by("id")  # noqa: SLF001 -- Django's public name
    return {key: bytes(digest).hex() for key, digest in rows.values_list("key", "digest")}


# -- by whoever appeals ------------------------------------------------------------------------------------------------


@UseCase
def file(
    *,
    debate_id: int,
    by: User | AnonymousUser,
    ground: AppealGround,
    words: str,
    now: datetime,
    entry_id: int | None = None,
    fact_id: int | None = None,
) -> Appeal:
    """Appeal against an entry, a ruling or, where neither is named, the result; what it rests on is frozen with it.

    Raises: ``NotFound``, ``NotPermitted``, ``AppealLate``, ``AppealedAlready``, ``TooManyAppeals``; ``NotAllowedNow``
    for what stands no more; ``Invalid`` for fewer than 10 visible characters, or over 4000.
    Source: docs/reference/appeals.md.
    """
    actor = actor_of(by)
    if len(words) > LONGEST_REASON:
        raise Invalid(f"words must have at most {LONGEST_REASON} characters.", field="words")
    try:
        because = reason_record(words)
    except Invalid as refused:
        raise Invalid(refused.message.replace("reason", "words", 1), field="words") from refused
    person = User.objects.select_for_update(no_key=True).get(pk=by.pk or 0)  # limits hold for whoever asks twice
    debates = debate_selectors.visible_debates(visitor=by).select_for_update(no_key=True, of=("self",))
    debate = debates.filter(pk=debate_id).first()
    if debate is None:
        raise NotFound("There is no such debate.")
    what = Against(debate, _entry(debate, entry_id), _fact(debate, fact_id))
    if (why := refusal(what=what, by=by, now=now)) is not None:
        raise why
    appeal = Appeal.objects.create(
        debate=debate, entry=what.entry, fact=what.fact, person=person, appellant=actor, ground=ground.value,
        because=because, evidence=evidence_of(what),
    )  # fmt: skip
    people = User.objects.with_perm(PERMISSION).values_list("pk", flat=True)
    concerned = recipients.concerned(debate_id=debate.pk)
    addressees = sorted({*people, *concerned} - {person.pk})
    due(kind=MailKind.APPEAL, about=appeal.public_id, people=addressees, debate_id=debate.pk, now=now)
    event_log.append(debate_id=debate.pk, news=[News("appeal:filed", about(appeal), Audience.PARTICIPANTS)], now=now)
    return appeal


def _entry(debate: Debate, entry_id: int | None) -> ScoreChange | None:
    if entry_id is None:
        return None
    rows = ScoreChange.objects.filter(evaluation__debate=debate).select_related("evaluation", "reason")
    entry = rows.filter(pk=entry_id).first()
    if entry is None:
        raise NotFound("There is no such entry.")
    return entry


def _fact(debate: Debate, fact_id: int | None) -> Fact | None:
    if fact_id is None:
        return None
    fact = Fact.objects.filter(evaluation__debate=debate, pk=fact_id).select_related("evaluation").first()
    if fact is None:
        raise NotFound("There is no such ruling.")
    return fact


@UseCase
def withdraw(*, appeal_id: int, by: User | AnonymousUser, now: datetime) -> Appeal:
    """Take one's own appeal back, as long as it waits. Its words are never public then.

    Raises: ``NotFound``, ``NotPermitted`` for another's; ``NotAllowedNow`` once it is decided.
    """
    appeal = waiting(appeal_id=appeal_id)
    if appeal.person_id != by.pk:
        raise NotPermitted("Only whoever appealed takes an appeal back.")
    appeal.state, appeal.claimed_by, appeal.lease_until = AppealState.WITHDRAWN.value, None, None
    appeal.decided_at = now
    appeal.save(update_fields=["state", "claimed_by", "lease_until", "decided_at"])
    event_log.append(
        debate_id=appeal.debate_id, news=[News("appeal:withdrawn", about(appeal), Audience.PARTICIPANTS)], now=now
    )
    return appeal


# -- by whoever decides ------------------------------------------------------------------------------------------------


@UseCase
def claim(*, appeal_id: int, by: User | AnonymousUser, now: datetime) -> Appeal:
    """Take an appeal on for 30 minutes, or hold it for another 30. One whose lease has ended may be taken over.

    Raises: ``NotPermitted``, ``ConflictOfInterest``, ``ActedOnIt``, ``NotFound``; ``NotAllowedNow`` while somebody else
    holds it or once it is decided.
    """
    rights.permitted(by=by, permission=PERMISSION)
    actor = actor_of(by)
    appeal = waiting(appeal_id=appeal_id)
    may_decide(appeal=appeal, by=by)
    if held_by_another(appeal, by=by, now=now):
        raise NotAllowedNow(who_holds(appeal))
    appeal.state, appeal.claimed_by, appeal.lease_until = AppealState.CLAIMED.value, actor, now + LEASE
    appeal.save(update_fields=["state", "claimed_by", "lease_until"])
    return appeal


@UseCase
def release(*, appeal_id: int, by: User | AnonymousUser) -> Appeal:
    """Give an appeal back, so that somebody else may take it on.

    Raises: ``NotPermitted``, ``NotFound``, ``NotAllowedNow`` unless one holds it.
    """
    rights.permitted(by=by, permission=PERMISSION)
    appeal = waiting(appeal_id=appeal_id)
    if not held_by(appeal, by=by):
        raise NotAllowedNow(NOT_HELD)
    appeal.state, appeal.claimed_by, appeal.lease_until = AppealState.OPEN.value, None, None
    appeal.save(update_fields=["state", "claimed_by", "lease_until"])
    return appeal


@UseCase
def decide(*, appeal_id: int, decision: AppealDecision, now: datetime) -> Appeal:
    """Decide an appeal that one holds: dismiss it, allow it by an act of the ledger, or find it moot.

    Raises: ``NotPermitted``, ``ConflictOfInterest``, ``ActedOnIt``, ``NotFound``; ``NotAllowedNow`` unless one holds
    it, or where the outcome does not fit what became of what it is against; ``Invalid``; and what the act refuses.
    Source: docs/reference/appeals.md.
    """
    by = decision.by
    rights.permitted(by=by, permission=PERMISSION)
    actor = actor_of(by)
    because = reason_record(decision.reason, note=decision.note)
    author = Author(kind=decision.door, actor=actor, reason=because, reason_code=ReasonCode.APPEAL.value)
    appeal = waiting(appeal_id=appeal_id)
    may_decide(appeal=appeal, by=by)
    if not held_now_by(appeal, by=by, now=now):
        raise NotAllowedNow(CLAIM_FIRST)
    _lock_score(appeal=appeal)
    _check_outcome(appeal=appeal, decision=decision)
    steps: list[Posted] = []
    if decision.remedy is not None:
        appeal.act, steps = _remedied(appeal=appeal, remedy=decision.remedy, author=author, by=by)
    appeal.state, appeal.claimed_by, appeal.lease_until = decision.outcome.value, None, None
    appeal.decided_by, appeal.decided_because, appeal.decided_at = actor, because, now
    appeal.save()
    appeal.refresh_from_db(fields=["decided_at"])  # by the clock of the entries
    people = {*recipients.concerned(debate_id=appeal.debate_id), appeal.person_id}
    addressees = sorted(people - {by.pk})
    due(kind=MailKind.APPEAL_DECIDED, about=appeal.public_id, people=addressees, debate_id=appeal.debate_id, now=now)
    mark = conflicts.organiser_mark(by=by, debate_id=appeal.debate_id)
    decided = {**about(appeal), "state": appeal.state, **mark}
    if appeal.act is not None:
        decided |= {"act": appeal.act.sequence, "actEvaluation": str(appeal.act.evaluation.public_id)}
    news = [event for step in steps for event in step.news]
    event_log.append(debate_id=appeal.debate_id, news=[*news, News("appeal:decided", decided)], now=now)
    return appeal


def _lock_score(*, appeal: Appeal) -> None:
    """Read the score that an appeal is about under its lock: nobody voids what it is against, or puts it back, now."""
    if (row := appeal.entry or appeal.fact) is not None:
        [row.evaluation] = accounts.lock_with_debates(evaluations=[row.evaluation_id])


def _check_outcome(*, appeal: Appeal, decision: AppealDecision) -> None:
    if decision.outcome not in OUTCOMES:
        raise Invalid(f"outcome must be one of {', '.join(OUTCOMES)}.", field="outcome")
    if (decision.outcome is AppealState.ALLOWED) != (decision.remedy is not None):
        raise Invalid("An appeal is allowed by an act of the ledger, and by nothing else; name it, or another outcome.")
    void = voided(against(appeal), result_at=appeal.result_at)
    if decision.outcome is AppealState.MOOT and not void:
        raise NotAllowedNow("What this appeal is against still stands, so it is not moot.")
    if decision.outcome is AppealState.DISMISSED and void:
        raise NotAllowedNow(f"{void} {NOT_DISMISSED}")


def _remedied(
    *, appeal: Appeal, remedy: Remedy, author: Author, by: User | AnonymousUser
) -> tuple[ScoreChange, list[Posted]]:
    """Do the act that allows an appeal, or find it where it was done already; the database looks at it, too."""
    concerned = against(appeal).evaluation
    rows = accounts.lock_with_debates(evaluations=[remedy.evaluation_id])
    if not rows or rows[0].debate_id != appeal.debate_id or (concerned is not None and rows[0].pk != concerned.pk):
        raise Invalid("The act must be on the score that the appeal is about.", field="evaluation")
    if (remedy.intent is None) == (remedy.entry is None):
        raise Invalid("Name an action, or the entry of one that was taken already: one of the two.")
    if remedy.intent is None:
        entry = rows[0].entries.filter(sequence=remedy.entry or 0).select_related("actor").first()
        fits = entry is not None and entry.reason_code == ReasonCode.APPEAL.value and entry.at >= appeal.filed_at
        if entry is None or not fits or entry.actor is None or entry.actor.user_id != by.pk:
            raise Invalid("entry must be one that you wrote with the code appeal since it was filed.", field="entry")
        if taken_back_by(entry, of=appeal.fact_id):
            raise NotAllowedNow(f"Entry {entry.sequence} stands no more, so no appeal is allowed by it.")
        return entry, []
    rights.permitted(by=by, permission=asked_for(remedy.intent).permission)
    unmoved(evaluations=rows, seen={} if remedy.seen is None else {rows[0].pk: remedy.seen})
    try:
        steps = take(evaluation=rows[0], author=author, intent=remedy.intent)
    except NeedsSecondPerson as refused:
        if remedy.intent.kind is not EntryKind.OVERRIDE:  # nothing else is asked for
            raise
        raise NeedsSecondPerson(refused.message + FIRST_ASK, **refused.details) from refused
    warn_whole(taken=[Done(rows[0], steps)], choice=remedy.intent.choice)
    return steps[0].entry, steps


def remedies(appeal: Appeal, *, by: User) -> Mapping[EntryKind, str]:
    """Return which acts of somebody can allow an appeal on its score as it stands, in words; of a result on any."""
    what = against(appeal)
    row = what.evaluation
    scores = [row] if row else list(Evaluation.objects.filter(debate=appeal.debate_id, frozen_at=None))
    if len(conflicts.lost(by=by, evaluations=scores, kind=EntryKind.OVERRIDE)) == len(scores):
        return {}
    offered = {EntryKind.OVERRIDE: "Set the score by hand"}
    if row is not None:
        offered[EntryKind.OVERRIDE_LIFTED] = "Lift the override"
    if row is not None and not row.held:
        offered[EntryKind.UNFREEZE] = "Unfreeze the score"
    if strikable(what):
        offered[EntryKind.STRIKE] = "Strike the rulings that it is about"
    if what.entry is not None and what.entry.kind == EntryKind.STRIKE.value and reinstatable(what.entry):
        offered[EntryKind.REINSTATE] = "Put back the rulings that it struck"
    if what.entry is not None and what.entry.sequence > 1:
        offered[EntryKind.ROLLBACK] = f"Go back to entry {what.entry.sequence - 1}, before it"
    return {kind: words for kind, words in offered.items() if _may_take(kind, row, by=by)}


def _may_take(kind: EntryKind, row: Evaluation | None, *, by: User) -> bool:
    try:
        rights.permitted(by=by, permission=ACTIONS[kind].permission)
        if row is not None:
            ACTIONS[kind].ready(row)
    except DomainError:
        return False
    return True


def intent_for(appeal: Appeal, kind: EntryKind, *, value: object = None) -> Intent:
    """Return one of the ``remedies`` with what the appeal says about its inputs."""
    what = against(appeal)
    if kind is EntryKind.STRIKE:
        return Intent(kind, facts=strikable(what))
    if kind is EntryKind.REINSTATE and what.entry is not None:
        return Intent(kind, facts=reinstatable(what.entry))
    if kind is EntryKind.ROLLBACK and what.entry is not None:
        return Intent(kind, target=what.entry.sequence - 1)
    return Intent(kind, value=value) if kind is EntryKind.OVERRIDE else Intent(kind)


def strikable(what: Against) -> list[int]:
    row, named = what.evaluation, [what.fact.pk] if what.fact else what.entry.facts if what.entry else []
    return sorted(set(named) & set(row.basis)) if row else []


def reinstatable(entry: ScoreChange) -> list[int]:
    return sorted(set(entry.facts) & selectors.reinstatable(evaluation=entry.evaluation))


def may_decide(*, appeal: Appeal, by: User | AnonymousUser) -> None:
    """Refuse whoever is a party, appeals, or acted on what an appeal is against.

    Raises: ``ConflictOfInterest``, ``ActedOnIt``.
    """
    if acted(appeal=appeal, by=by):
        raise ActedOnIt(ACTED)
    rights.may_moderate(by=by, debates=[appeal.debate_id])


def waiting(*, appeal_id: int) -> Appeal:
    """Lock the debate of an appeal, and the appeal, which is still to be decided.

    Raises: ``NotFound``, ``NotAllowedNow``.
    """
    debate_id = Appeal.objects.filter(pk=appeal_id).values_list("debate_id", flat=True).first()
    if debate_id is None:
        raise NotFound("There is no such appeal.")
    lock_debate(debate_id)
    named = ("debate__subject", "entry__evaluation", "fact__evaluation", "claimed_by", "decided_by")
    rows = Appeal.objects.select_for_update(no_key=True, of=("self",)).select_related(*named)
    appeal = rows.get(pk=appeal_id)
    if ended := how_it_ended(appeal):
        raise NotAllowedNow(ended)
    return appeal


def how_it_ended(appeal: Appeal) -> str:
    """Say, for people, what became of an appeal that waits no more; nothing where it waits."""
    if appeal.waits:
        return ""
    return f"This appeal was {ENDED[AppealState(appeal.state)]} at {clock(appeal.decided_at)}."


ENDED = {
    AppealState.DISMISSED: "dismissed",
    AppealState.ALLOWED: "allowed",
    AppealState.WITHDRAWN: "withdrawn",
    AppealState.MOOT: "found moot",
}


def about(appeal: Appeal) -> dict[str, Any]:
    """Return what every event of an appeal says: never its words, nor whose it is."""
    what = against(appeal)
    return {
        "appeal": str(appeal.public_id),
        "about": appeal.about,
        "evaluation": str(what.evaluation.public_id) if what.evaluation else None,
        "entry": what.entry.sequence if what.entry else None,
        "ground": appeal.ground,
    }


# -- who may read them -------------------------------------------------------------------------------------------------


DECIDED = Q(state__in=[state.value for state in OUTCOMES])
SHOWN = (
    "debate", "entry__evaluation", "fact__evaluation", "fact__round", "because", "decided_by", "decided_because",
    "act__evaluation", "claimed_by",
)  # fmt: skip
ENTRIES_OF_SCORE = "act__evaluation__entries"
"""What ``voided_by`` reads of the acts that allowed appeals, to be fetched for all of a list at once."""


@dataclass(frozen=True, slots=True)
class ShownAppeal:
    """An appeal as somebody is shown it: its words where they may read them, and who decided it in which role."""

    appeal: Appeal
    words: str
    sees_words: bool
    role: str = ""
    name: str = ""

    @property
    def evaluation(self) -> Evaluation | None:
        return against(self.appeal).evaluation

    @property
    def taken_back_by(self) -> ScoreChange | None:
        """Return the entry that took back, or outdid, the act that allowed it."""
        return taken_back_by(self.appeal.act, of=self.appeal.fact_id) if self.appeal.act else None

    @property
    def ended(self) -> str:
        return "" if self.appeal.waits else ENDED[AppealState(self.appeal.state)]


def shown_appeal(appeal: Appeal, *, by: Any = None) -> ShownAppeal:
    """Return an appeal as somebody is shown it; its rows are those that ``SHOWN`` names."""
    seen, decider = sees_words(appeal=appeal, by=by), appeal.decided_by
    return ShownAppeal(
        appeal,
        words=appeal.because.text if seen else "",
        sees_words=seen,
        role=moderation_effect.role_of(decider.role) if decider else "",
        name=decider.name if decider and settings.NAME_MODERATORS else "",
    )


def sees_words(*, appeal: Appeal, by: Any) -> bool:
    """Say whether somebody may read the words of an appeal: all do once it is decided, before that few."""
    if appeal.state in OUTCOMES:
        return True
    return isinstance(by, User) and (appeal.person_id == by.pk or by.has_perm(SEES_ALL))


def seen_by(by: Any) -> Q:
    """Select the appeals that somebody may find: all, but for those that others have withdrawn; at the desk these, too.

    What is found shows its words to whom ``sees_words`` says.
    """
    kept = ~Q(state=AppealState.WITHDRAWN.value)
    if not isinstance(by, User):
        return kept
    return Q() if by.has_perm(SEES_ALL) else kept | Q(person=by)
