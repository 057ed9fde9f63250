"""The case of a score: what moderators say to each other about it, and who has it."""

from datetime import datetime

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import QuerySet

from debates import selectors
from debates.errors import Invalid, NotFound
from debates.rules import is_visible
from debates.services import rights
from debates.services.idempotency import UseCase
from scoring.models import Assignment, Evaluation, InternalNote, Remark
from scoring.services.entries import actor_of

WORKS_ON_CASES = "scoring.handle_alert"
"""Whoever may answer alerts works on cases: remarks on them, and takes them on."""
SEES_SCORES = "scoring.view_evaluation"


def remarks_for(visitor: selectors.Visitor) -> QuerySet[Remark]:
    """Return the remarks that somebody may read, oldest first: all on cases that they work on, or none.

    A party reads them as everybody does who works on cases; the page of the case and the API both ask here.
    """
    works = isinstance(visitor, User) and visitor.has_perms([SEES_SCORES, WORKS_ON_CASES])
    rows = Remark.objects.select_related("evaluation", "by", "note").filter(
        evaluation__debate__in=selectors.visible_debates(visitor=visitor)
    )
    return rows if works else rows.none()


@UseCase
def remark(*, evaluation_id: int, by: User | AnonymousUser, text: str, now: datetime) -> Remark:
    """Tell the other moderators something about a score. Nobody else ever reads it; an erasure takes the words.

    Raises: ``NotPermitted``, ``NotFound``, ``ConflictOfInterest``; ``Invalid`` for words that nobody can see, too
    many, or control characters.
    """
    evaluation = _case(evaluation_id=evaluation_id, by=by)
    author = actor_of(by)
    if not is_visible(text):
        raise Invalid("text must have a character that can be seen.", field="text")
    note = InternalNote.objects.create(text=text.strip())
    return Remark.objects.create(evaluation=evaluation, by=author, note=note, at=now)


@UseCase
def assign(*, evaluation_id: int, by: User | AnonymousUser, username: str, now: datetime) -> Assignment | None:
    """Give the case of a score to a moderator, oneself as a rule; to nobody by an empty name.

    Raises: ``NotPermitted``, ``NotFound``, ``ConflictOfInterest`` for a party; ``Invalid`` for somebody who may not
    work on cases.
    """
    evaluation = _case(evaluation_id=evaluation_id, by=by)
    if not username:
        Assignment.objects.filter(evaluation=evaluation).delete()
        return None
    person = User.objects.filter(username=username, is_active=True).first()
    if person is None or not person.has_perm(WORKS_ON_CASES):
        raise Invalid("username must be that of a moderator.", field="username")
    rights.may_moderate(by=person, debates=[evaluation.debate_id])
    assignment, _ = Assignment.objects.update_or_create(evaluation=evaluation, defaults={"person": person, "at": now})
    return assignment


def _case(*, evaluation_id: int, by: User | AnonymousUser) -> Evaluation:
    rights.permitted(by=by, permission=WORKS_ON_CASES)
    visible = selectors.visible_debates(visitor=by)
    evaluation = Evaluation.objects.filter(pk=evaluation_id, debate__in=visible).first()
    if evaluation is None:
        raise NotFound("There is no such score.")
    rights.may_moderate(by=by, debates=[evaluation.debate_id])
    return evaluation
