"""Who may do what. Services ask here themselves, whichever way somebody came."""

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from django.contrib.auth.models import AnonymousUser, User
from django.db import connection
from django.db.models import Model, QuerySet
from django.utils.text import capfirst

from debates import rules, selectors
from debates.errors import ConflictOfInterest, NotPermitted
from debates.models import Debate, Participant
from debates.types import MemberRole, Role

M = TypeVar("M", bound=Model)
CONDUCTS = "debates.change_debate"
PAUSES = "debates.pause_debate"
Asker = User | AnonymousUser | None
"""Who asks; nobody where it is the operator of the machine."""


def permitted(*, by: Asker, permission: str) -> None:
    """Refuse whoever may not do this.

    Shape: ``permission`` is a codename with the label of its app before a dot.
    Raises: ``NotPermitted`` naming the permission.
    """
    if by is not None and not by.has_perm(permission):
        lacking = permission.rpartition(".")[2]
        raise NotPermitted(f"{by.get_username() or 'An anonymous visitor'} lacks the permission {lacking}.")


def keep_open(*, account: Asker) -> None:
    """Refuse whoever's account is closed, and let nobody be erased until the transaction ends that they act in.

    Called before anything is locked: an erasure that is under way is waited for.

    Raises: ``NotPermitted``.
    """
    if isinstance(account, User) and not stays_open(account_id=account.pk):
        raise NotPermitted("This account is closed.")


def stays_open(*, account_id: int | None) -> bool:
    """Say whether an account is open, as it stays until the transaction ends; called as ``keep_open``."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT moot_account_is_open(%s)", [account_id])
        [is_open] = cursor.fetchone()
    return bool(is_open)


def may_conduct(*, by: Asker, debate: Debate, allowed_party: str = "") -> None:
    """Refuse whoever may not conduct a debate: its creator may, its organisers, and who may change debates and is no
    party in this one.

    Shape: ``allowed_party`` is an answer of ``moot_party`` that is let besides.
    Raises: ``NotPermitted``, ``ConflictOfInterest``.
    Source: docs/reference/conflicts.md.
    """
    if isinstance(by, User) and selectors.conducts(user=by, debate=debate):
        return
    permitted(by=by, permission=CONDUCTS)
    for refusal in refused(by=by, debates=[debate.pk], allowed_party=allowed_party).values():
        raise refusal


def may_pause(*, by: Asker, debate: Debate) -> None:
    """Refuse whoever may neither conduct a debate nor hold it up, as moderators may who are no party in it.

    Raises: ``NotPermitted``, ``ConflictOfInterest``.
    """
    if isinstance(by, User) and by.has_perm(PAUSES) and not selectors.conducts(user=by, debate=debate):
        may_moderate(by=by, debates=[debate.pk])
        return
    may_conduct(by=by, debate=debate)


POSTED = "posted"
PARTIES: Mapping[str, str] = {
    "speaks": "speaks in this debate",
    "judges": "judges in this debate",
    "invited": "was invited to speak or judge in this debate",
    "declared": "has a declared conflict of interest in this debate",
    POSTED: "posted rulings of this debate",
}
"""What ``moot_party`` answers, in words."""
ORGANISES = "created or organises this debate"
SOMEBODY_ELSE = "Somebody else has to do this."
NO_PARTY = "nobody moderates where they are a party"
NO_ORGANISER = "on this site its organisers do not moderate it"


def refused(
    *, by: User | AnonymousUser | None, debates: Iterable[int], allowed_party: str = ""
) -> dict[int, ConflictOfInterest]:
    """Return why somebody moderates nothing in some of these debates, in one query; nothing of the others.

    Shape: ``allowed_party`` is an answer of ``moot_party`` that is no reason here.
    Source: docs/reference/conflicts.md.
    """
    ids = sorted(set(debates))
    if by is None or by.pk is None or not ids:
        return {}
    refusal_in = {}
    for debate, answer, kept_out in selectors.parties(user=by, debates=ids):
        party = answer if answer != allowed_party else ""
        if party or kept_out:
            why = f"{PARTIES[party]}, and {NO_PARTY}" if party else f"{ORGANISES}, and {NO_ORGANISER}"
            refusal_in[debate] = ConflictOfInterest(f"{by.get_username()} {why}. {SOMEBODY_ELSE}")
    return refusal_in


def may_moderate(*, by: User | AnonymousUser | None, debates: Iterable[int]) -> None:
    """Refuse whoever is a party in one of these debates, and its organisers where the site does not let them.

    Raises: ``ConflictOfInterest``.
    """
    for refusal in refused(by=by, debates=debates).values():
        raise refusal


LOOKED_AT_ONCE = 50


def first_moderated(*, rows: QuerySet[M], by: User, fits: Callable[[M], bool] = lambda _row: True) -> M | None:
    """Return the first of rows of debates that fits, in their order, in whose debate nothing keeps somebody from
    moderating.
    """
    begin = 0
    while rows_at_once := list(rows[begin : begin + LOOKED_AT_ONCE]):
        kept_out = refused(by=by, debates=[row.debate_id for row in rows_at_once])  # type: ignore[attr-defined]  # each of a debate
        able = (row for row in rows_at_once if row.debate_id not in kept_out)  # type: ignore[attr-defined]  # as above
        if first := next(filter(fits, able), None):
            return first
        begin += LOOKED_AT_ONCE
    return None


def moderates(*, by: Asker, debate: Debate) -> bool:
    """Say whether somebody changes a debate as a moderator does, also where they conduct it."""
    return by is None or (by.has_perm(CONDUCTS) and not refused(by=by, debates=[debate.pk]))


KEPT_FROM_SEAT = {
    "part": (
        "you have another part in this debate, or declared a conflict of interest",
        ": nobody judges there, and who judges does not speak. Somebody else has to sit here.",
    ),
    "organises": ("you created or organise this debate", ", and so do not judge in it. Somebody else has to."),
    "unsealed": ("you broke the seal of a ballot in this debate", ", and so do not judge in it. Somebody else has to."),
}
"""What ``moot_kept_from_seat`` answers, in words, and what follows from it for who does not sit there yet."""

BARRED = {
    "part": "they have another part here, or a declared conflict of interest",
    "organises": "they created or organise this debate, or organised it once",
    "unsealed": "they broke the seal of a ballot here",
}
"""The same of who sits there already, to who sees to it."""
REPLACED_ON_PANELS = (
    "Judges are replaced on panels only. Elsewhere a declaration that does not hold is withdrawn, or the debate is "
    "stopped and held again. Until the next deadline has passed it waits for who may not judge, and then does without "
    "them; whoever conducts it can move that deadline nearer."
)


def way_out(*, format_: str) -> str:
    """Say what can be done about a judge who may not judge."""
    is_panel = format_ in rules.READ_ALONE_FIRST
    return "Replace them before the first round is closed." if is_panel else REPLACED_ON_PANELS


def may_sit(*, by: User, seat: Participant) -> None:
    """Refuse whoever may not judge on a seat because of what else they are in its debate, or speak beside judging.

    Raises: ``ConflictOfInterest``.
    Source: docs/reference/conflicts.md#judging
    """
    if why := kept_from_seat(user_id=by.pk, seat=seat):
        raise ConflictOfInterest(why)


def kept_from_seat(*, user_id: int | None, seat: Participant) -> str:
    """Say why somebody may not sit on a seat, if so; nothing of nobody."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT moot_kept_from_seat(%s, %s)", [user_id, seat.pk])
        [kept] = cursor.fetchone()
    if not kept:
        return ""
    why, follows = KEPT_FROM_SEAT[kept]
    if seat.user_id == user_id:
        return f"You may not judge here: {why}, so nothing is asked of you."
    return f"{capfirst(why)}{follows}"


def may_take_role(*, by: User, debate: Debate, role: MemberRole) -> None:
    """Refuse a role to who sits in its debate as a judge and could not judge in it beside that.

    Raises: ``ConflictOfInterest``.
    Source: docs/reference/conflicts.md#judging
    """
    judges = Participant.objects.filter(
        debate=debate, user=by, replacement=None, role__in=(Role.JUDGE.value, Role.ARBITER.value)
    )
    if role in {MemberRole.ORGANISER, MemberRole.PARTICIPANT} and judges.exists():
        raise ConflictOfInterest("You sit here as a judge, and in this role would judge no more. Ask to be a guest.")


def conducts(*, by: Asker, debate: Debate) -> bool:
    """Say whether somebody may conduct a debate."""
    try:
        may_conduct(by=by, debate=debate)
    except NotPermitted:
        return False
    return True
