"""Conflicts of interest: declaring that one has one, and breaking the seal of a ballot, which no party does.

The database says who is a party (``moot_party``) and refuses whatever a party does; ``debates.services.rights`` asks it
before, so that a refusal can say why.
"""

from collections.abc import Sequence
from datetime import datetime

from django.contrib.auth.models import AnonymousUser, User
from django.db import connection
from django.db.models import QuerySet

from debates import event_log, selectors
from debates.errors import DomainError, Invalid, NotAllowedNow, NotFound
from debates.models import Ballot, Debate, Round
from debates.services import rights
from debates.services.idempotency import UseCase
from debates.services.visibility import find_debate
from debates.types import News
from scoring.constraint_errors import LOST
from scoring.enums import AlertState, EntryKind
from scoring.errors import ActedOnIt, Frozen
from scoring.models import Actor, Alert, BrokenSeal, Conflict, Evaluation, ReplacedJudge
from scoring.services import alerts
from scoring.services.entries import actor_of, reason_record
from scoring.types import AlertCode, Finding

Why = tuple[str, str]
"""A reason, and an internal note or nothing."""
DECLARES = "scoring.declare_conflict"
BREAKS = "scoring.break_seal"


def person_of(user_id: int | None) -> User | None:
    """Return somebody by the number of their account, for callers that hold no more."""
    return User.objects.filter(pk=user_id).first() if user_id is not None else None


def organiser_mark(*, by: User | AnonymousUser, debate_id: int) -> dict[str, bool]:
    """Return what an event says besides where whoever acts created or organises the debate."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT moot_organises(%s, %s)", [by.pk, debate_id])
        [organises] = cursor.fetchone()
    return {"byOrganiser": True} if organises else {}


def lost(
    *, by: User | AnonymousUser | None, evaluations: Sequence[Evaluation], kind: EntryKind
) -> dict[int, ActedOnIt]:
    """Return why somebody does not change some scores: they lost an appeal there, and nobody else has decided since.

    Source: docs/decisions/0056-who-lost-an-appeal-does-not-undo-it.md.
    """
    with connection.cursor() as cursor:
        asked = "SELECT id FROM unnest(%s::bigint[]) AS id WHERE moot_lost_appeal(%s, id, %s)"
        cursor.execute(asked, [[row.pk for row in evaluations], by.pk if by else None, kind.value])
        return {pk: ActedOnIt(LOST) for (pk,) in cursor.fetchall()}


def lost_by_name(
    *, by: User | AnonymousUser | None, evaluations: Sequence[Evaluation], kind: EntryKind
) -> ActedOnIt | None:
    """Return why somebody does not change several scores at once, naming those on which they lost an appeal."""
    refused = lost(by=by, evaluations=evaluations, kind=kind)
    names = ", ".join(str(row) for row in evaluations if row.pk in refused)
    return ActedOnIt(f"{names}: {LOST}") if names else None


def hindered(
    *, by: User | AnonymousUser | None, evaluations: Sequence[Evaluation], kind: EntryKind
) -> list[DomainError]:
    """Return why somebody does not act on several scores at once, each reason naming those that it is about: frozen
    ones, and those on which somebody lost an appeal.
    """
    frozen = [str(row) for row in evaluations if row.frozen_at]
    refusal = lost_by_name(by=by, evaluations=evaluations, kind=kind)
    return [
        *([Frozen(f"These scores are frozen: {', '.join(frozen)}. Unfreeze them first.")] if frozen else []),
        *([refusal] if refusal else []),
    ]


@UseCase
def declare(
    *, debate_id: int, by: User | AnonymousUser, reason: str, now: datetime, username: str = "", note: str = ""
) -> Conflict:
    """Declare a conflict of interest: one's own, or that of somebody else, who moderates nothing there from then on.

    Shape: ``username`` is whom it is about; nobody means whoever asks.
    Who sits there as a judge is asked for no ballot any more, and the desk is told.

    Raises: ``NotFound``, ``NotPermitted``; ``NotAllowedNow`` where it is declared already; ``Invalid`` for a short
    reason; ``ConflictOfInterest`` for a party who speaks of somebody else.
    Source: docs/reference/conflicts.md.
    """
    actor = actor_of(by)
    debate = selectors.visible_debates(visitor=by).filter(pk=debate_id).first()
    if debate is None:
        raise NotFound("There is no such debate.")
    if username not in {"", by.get_username()}:  # before the name is looked up: an answer tells who has an account
        rights.permitted(by=by, permission=DECLARES)
        rights.may_moderate(by=by, debates=[debate.pk])
    person = User.objects.filter(username=username or by.get_username()).first()
    if person is None:
        raise Invalid("There is no account of this name.", field="person")
    find_debate(debate_id=debate.pk)
    if standing(debate=debate).filter(person=person, by__user=by.pk).exists():
        raise NotAllowedNow("You have declared this already, and it stands.")
    declared = _write(debate=debate, person=person, by=actor, why=(reason, note), now=now)
    event_log.append(debate_id=debate.pk, news=barred_news(declared), now=now)
    return declared


def standing(*, debate: Debate) -> QuerySet[Conflict]:
    """Return the declarations in a debate that nobody has withdrawn."""
    return Conflict.objects.filter(debate=debate, withdraws=None, withdrawal=None)


def barred_news(declared: Conflict) -> list[News]:
    """Raise at the desk that somebody may not judge on a seat of theirs any more, and what to do, where something can
    be done; count it where the alert of an earlier declaration of theirs is open.
    """
    debate, findings = declared.debate, []
    for seat in selectors.barred_in_time(debates=[debate.pk]).filter(user=declared.person_id):
        why = f"{seat.name} may not judge: {rights.BARRED[seat.kept]}. {rights.way_out(format_=debate.format)}"
        evidence = {"why": why, "conflict": str(declared.public_id)}
        findings.append(Finding(AlertCode.JUDGE_FAILED, evidence))
    if findings and count_in_alert(declared, "declared again"):
        return []
    salt = f"conflict.{declared.pk}"
    return alerts.raise_alerts(debate_id=debate.pk, findings=findings, salt=salt)


def alerts_about(conflict: Conflict) -> QuerySet[Alert]:
    """Return the alerts that declarations about the same person raised in the same debate."""
    declared = Conflict.objects.filter(debate=conflict.debate_id, person=conflict.person_id)
    ids = [str(public_id) for public_id in declared.values_list("public_id", flat=True)]
    return Alert.objects.filter(debate=conflict.debate_id, evidence__conflict__in=ids)


def count_in_alert(conflict: Conflict, happened: str) -> bool:
    """Add what became of a conflict to the alert of its person that is open, and say whether one is."""
    rows = alerts_about(conflict).filter(state=AlertState.OPEN.value).select_for_update(no_key=True, of=("self",))
    alert = rows.first()
    if alert is not None:
        finding = Finding(AlertCode.JUDGE_FAILED, {"conflict": happened})
        digest = alerts.digest_of(facts=(), salt=f"conflict.{conflict.pk}")
        alerts.count_again(alert=alert, finding=finding, digest=digest)
        alerts.note(alert=alert)
    return alert is not None


@UseCase
def withdraw(*, conflict_id: int, by: User | AnonymousUser, reason: str, now: datetime, note: str = "") -> Conflict:
    """Say that a declared conflict stands no more. Both rows stay on record, and so does what was refused meanwhile.

    An alert about a judge who may judge again is dismissed by whoever may answer it; else an open one says that it was
    withdrawn, and one that was acknowledged stays as it is.

    Raises: ``NotFound``; ``NotPermitted`` for what somebody else declared, unless one may declare about others;
    ``ConflictOfInterest`` for whom it is about, and for a party; ``NotAllowedNow`` once it is withdrawn.
    """
    actor = actor_of(by)
    rows = Conflict.objects.select_related("debate", "by", "person").filter(withdraws=None)
    declared = rows.filter(pk=conflict_id, debate__in=selectors.visible_debates(visitor=by)).first()
    if declared is None:
        raise NotFound("There is no such declaration.")
    if declared.by.user_id != by.pk:
        rights.permitted(by=by, permission=DECLARES)
    if declared.person_id != by.pk:
        rights.may_moderate(by=by, debates=[declared.debate_id])
    find_debate(debate_id=declared.debate_id)
    if Conflict.objects.filter(withdraws=declared).exists():
        raise NotAllowedNow("This declaration was withdrawn already.")
    why = (reason, note)
    withdrawn = _write(debate=declared.debate, person=declared.person, by=actor, why=why, now=now, withdraws=declared)
    if not standing(debate=declared.debate).filter(person=declared.person).exists():
        answer_alerts(withdrawn, by=by, why=why, now=now)
    return withdrawn


def answer_alerts(withdrawn: Conflict, *, by: User | AnonymousUser, why: Why, now: datetime) -> None:
    """Dismiss what a declaration raised that stands no more; where whoever withdraws it answers no alerts there, such
    as its judge, say so in the one that is open.
    """
    reason, note = why
    left = alerts_about(withdrawn).exclude(state=AlertState.DISMISSED.value).select_for_update(no_key=True)
    answers = by.has_perm("scoring.handle_alert") and not rights.refused(by=by, debates=[withdrawn.debate_id])
    if not answers:
        count_in_alert(withdrawn, "withdrawn")
    elif ids := [alert.pk for alert in left.order_by("pk")]:  # locked: whoever answers one meanwhile refuses nothing
        dismiss = alerts.handle.service
        dismiss(alert_ids=ids, by=by, state=AlertState.DISMISSED, reason=reason, note=note, now=now)


@UseCase
def break_seal(*, ballot_id: int, by: User | AnonymousUser, reason: str, now: datetime, note: str = "") -> BrokenSeal:
    """Break the seal of a ballot whose round is open, to read it: an act with a reason, which everybody hears of.

    Raises: ``NotPermitted``, ``ConflictOfInterest``, ``NotFound``; ``NotAllowedNow`` once the round is closed, or where
    one has broken it already; ``Invalid`` for a short reason.
    Source: docs/reference/panels.md#breaking-a-seal
    """
    rights.permitted(by=by, permission=BREAKS)
    actor = actor_of(by)
    assert isinstance(by, User)  # noqa: S101 -- anybody else was refused just now
    ballot = Ballot.objects.select_related("round__thread__debate", "participant").filter(pk=ballot_id).first()
    debate = ballot.round.thread.debate if ballot else None
    if ballot is None or debate is None or not selectors.visible_debates(visitor=by).filter(pk=debate.pk).exists():
        raise NotFound("There is no such ballot.")
    rights.may_moderate(by=by, debates=[debate.pk])
    find_debate(debate_id=debate.pk)
    if refusal := seal_stands_not(ballot=ballot, by=by):
        raise NotAllowedNow(refusal)
    because = reason_record(reason, note=note)
    broken = BrokenSeal.objects.create(debate=debate, ballot=ballot, person=by, by=actor, because=because, at=now)
    data = {
        "seal": str(broken.public_id),
        "criterion": ballot.round.thread.key,
        "round": ballot.round.number,
        "participant": str(ballot.participant.public_id),
        **organiser_mark(by=by, debate_id=debate.pk),
    }
    event_log.append(debate_id=debate.pk, news=[News("ballot:unsealed", data)], now=now)
    return broken


def seal_stands_not(*, ballot: Ballot, by: User | AnonymousUser) -> str:
    """Say why somebody breaks the seal of a ballot no more, if so."""
    if Round.objects.filter(pk=ballot.round_id, closed_at__isnull=False).exists():
        if ReplacedJudge.objects.filter(judge=ballot.participant_id).exists():
            return "Its judge was replaced and its round is closed: it counts nowhere, and stays sealed."
        return "Its round is closed: what it says is a report, which everybody reads."
    if ballot.about_id is not None:
        return "It is about a single response and has no seal: its marks counted as soon as it was given."
    return "You have broken this seal already, and read it." if reads(ballot=ballot, by=by) else ""


def reads(*, ballot: Ballot, by: User | AnonymousUser) -> bool:
    """Say whether somebody reads a sealed ballot because they broke its seal."""
    return by.pk is not None and BrokenSeal.objects.filter(ballot=ballot, person=by.pk).exists()


def _write(*, debate: Debate, person: User, by: Actor, why: Why, now: datetime, **about: Conflict) -> Conflict:
    reason, note = why
    because = reason_record(reason, note=note)
    return Conflict.objects.create(debate=debate, person=person, by=by, because=because, at=now, **about)
