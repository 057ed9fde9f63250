"""What a mail says, found when it is sent and kept nowhere. Words of people stand in it as they are, on one line."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.utils.text import Truncator

from debates import selectors
from debates.absolute_urls import host, whole
from debates.mail.recipients import DECIDES_REVIEWS
from debates.models import AwaitedTurn, Debate, Invitation, Mail
from debates.rules import IN_PLAY
from debates.selectors import awaited_turns, unanswered
from debates.types import BALLOTS, AwaitedState, MailKind, MailState, MemberRole, Role, Status, TurnKind

ADMIN = "admin"
LONGEST_TITLE, LONGEST_MOTION = 120, 400
ONE_BATCH = timedelta(minutes=1)
"""Ballots with deadlines that near to each other are told of together, whichever ends first."""
WRITTEN_ALREADY = "Ballots wait for this person already, and they were written to about the first."
TOLD_ALREADY = "This person was told already that the time for these ballots was up."


class Withdrawn(Exception):
    """Nobody wants this mail any more; the message says why."""


class Unopened(Withdrawn):
    """It was sealed under a secret key that the site has no more, or that this process has yet to be given."""


@dataclass(frozen=True, slots=True)
class Wording:
    """What one person is told: sentences, facts with their names, where to go, and why it was sent."""

    subject: str
    sentences: tuple[str, ...]
    link: str
    link_text: str
    because: str
    facts: tuple[tuple[str, str], ...] = ()


def words_of(mail: Mail, *, now: datetime) -> Wording:
    """Return what a mail says now.

    Raises: ``Withdrawn`` where that is nothing to anybody.
    """
    return BY_KIND[MailKind(mail.kind)](mail, now)


JOINERS = "\u200c\u200d"
"""Persian, Hindi and joined emoji fall apart without them."""


def on_one_line(text: str, most: int = LONGEST_TITLE) -> str:
    """Return words of somebody without line breaks and invisible signs, but for those that shape letters, and not too
    many of them.
    """
    visible = "".join(sign if sign.isprintable() or sign in JOINERS else " " for sign in text)
    return Truncator(" ".join(visible.split())).chars(most)


def moment(at: datetime, *, of: User) -> str:
    """Return a moment as somebody's clock shows it, with the name of that clock."""
    local = at.astimezone(selectors.zone_of(user_id=of.pk))
    return f"{local:%A, %-d %B %Y, %H:%M} {local.tzname()}"


def name_of(debate: Debate) -> str:
    return on_one_line(debate.title) or "a debate"


def readable(mail: Mail) -> Debate:
    """Return the debate of a mail, where its person may read it.

    Raises: ``Withdrawn``.
    """
    debates = selectors.visible_debates(visitor=person_of(mail))
    debate = debates.filter(pk=mail.debate_id).first() if mail.debate_id else None
    if debate is None:
        raise Withdrawn("The person may not read this debate.")
    return debate


def person_of(mail: Mail) -> User:
    if mail.person is None:
        raise Withdrawn("The person has no account any more.")
    return mail.person


def awaited_of(mail: Mail) -> AwaitedTurn:
    """Return the awaited turn that a mail is about, where its person still sits there.

    Raises: ``Withdrawn``.
    """
    rows = AwaitedTurn.objects.select_related("participant__debate", "round__thread", "about__participant")
    awaited = rows.filter(public_id=mail.about, participant__user=mail.person_id).first()
    if awaited is None:
        raise Withdrawn("The turn is not this person's.")
    return awaited


def which(awaited: AwaitedTurn) -> str:
    if awaited.kind == TurnKind.OPENING.value:
        return "the opening"
    if awaited.kind == TurnKind.REPORT.value:
        return f"your ballot in debate round {awaited.round.number}" if awaited.round.number else "your first ballot"
    if awaited.kind == TurnKind.JUDGEMENT.value:
        number = awaited.round.number
        if awaited.about is not None:
            return f"your judgement of what {on_one_line(awaited.about.participant.name)} said in exchange {number}"
        return f"your ruling on {awaited.round.thread.key} in round {number}"
    return f"the response in exchange {awaited.round.number}"


def judges(awaited: AwaitedTurn) -> bool:
    return awaited.kind in BALLOTS


def missed(awaited: AwaitedTurn) -> str:
    """Return what comes of a turn that is not taken in time."""
    if awaited.kind == TurnKind.REPORT.value:
        return "Who gives no ballot until then abstains, and the panel goes on."
    if awaited.kind != TurnKind.JUDGEMENT.value:
        return "A turn that is not taken until then is forfeited, and the debate goes on without it."
    if awaited.about is not None:
        return "A judgement that is not given until then is forfeited, and the debate goes on without it."
    return "Without a ruling until then the criterion ends, with the rounds that were ruled on."


def where(debate: Debate, awaited: AwaitedTurn) -> str:
    if judges(awaited):
        page = whole("ballot", debate.public_id, awaited.participant.public_id)
        return page if awaited.kind == TurnKind.REPORT.value else f"{page}?turn={awaited.public_id}"
    return f"{whole('debate', debate.public_id)}#seat-{awaited.participant.position}"


def further_ballots(mail: Mail, rows: QuerySet[Any], *, besides: AwaitedTurn) -> int:
    """Return how many further ballots wait of a seat that has many at a time: one mail is about all of them.

    Raises: ``Withdrawn`` where its person was written to in this way about one that was awaited before, and waits
    still, no longer than this one, or about another besides that one.
    """
    waiting = rows.filter(kind=TurnKind.JUDGEMENT.value, state=AwaitedState.WAITING.value).exclude(pk=besides.pk)
    sooner = waiting.filter(pk__lt=besides.pk, deadline__lte=besides.deadline + ONE_BATCH)
    before = [str(public_id) for public_id in sooner.values_list("public_id", flat=True)]
    mails = Mail.objects.filter(person=mail.person_id, kind=mail.kind, about__in=before)
    never = Q(state__in=[MailState.WITHDRAWN.value, MailState.REFUSED.value]) & ~Q(problem=WRITTEN_ALREADY)
    if mails.exclude(never).exists():
        raise Withdrawn(WRITTEN_ALREADY)
    return waiting.count()


def further_forfeits(mail: Mail, *, besides: AwaitedTurn, now: datetime) -> int:
    """Return how many further ballots of a seat that has many at a time were forfeited, or will be now, in one batch.

    Raises: ``Withdrawn`` where its person was told of this batch.
    """
    here = awaited_turns().filter(participant=besides.participant_id, kind=TurnKind.JUDGEMENT.value)
    near = here.filter(deadline__range=(besides.deadline - ONE_BATCH, besides.deadline + ONE_BATCH))
    late = Q(state=AwaitedState.FORFEITED.value) | Q(state=AwaitedState.WAITING.value, deadline__lte=now)
    rows = unanswered(near).filter(late).exclude(pk=besides.pk)
    others = [str(public_id) for public_id in rows.values_list("public_id", flat=True)]
    unsent = [MailState.DUE.value, MailState.WITHDRAWN.value, MailState.REFUSED.value]
    told = Mail.objects.filter(person=mail.person_id, kind=mail.kind, about__in=others).exclude(state__in=unsent)
    if told.filter(handed_over_at__gte=besides.deadline).exists():  # an earlier one did not know of this ballot
        raise Withdrawn(TOLD_ALREADY)
    return len({*rows.values_list("round", "about")} - {(besides.round_id, besides.about_id)})


def forfeited(awaited: AwaitedTurn) -> str:
    if awaited.kind == TurnKind.REPORT.value:
        return "You abstained"
    return "Your ballot was forfeited" if judges(awaited) else "Your turn was forfeited"


def about_debate(debate: Debate, awaited: AwaitedTurn | None = None) -> tuple[tuple[str, str], ...]:
    facts = [("Debate", name_of(debate))]
    if debate.motion and on_one_line(debate.motion) != name_of(debate):
        facts.append(("Motion", on_one_line(debate.motion, LONGEST_MOTION)))
    if awaited is not None:
        facts.append(("You judge as" if judges(awaited) else "You speak as", on_one_line(awaited.participant.name)))
    return tuple(facts)


def your_turn(mail: Mail, now: datetime, *, subject: str, beginning: str) -> Wording:
    awaited, debate = awaited_of(mail), readable(mail)
    here = awaited_turns().filter(participant=awaited.participant_id)
    said = not unanswered(here).filter(pk=awaited.pk, state=AwaitedState.WAITING.value).exists()
    if said or now >= awaited.deadline:
        raise Withdrawn("The turn was taken, given anew or over before this was sent.")
    if Status(debate.status) not in IN_PLAY or debate.status == Status.PAUSED.value:
        raise Withdrawn("Nothing is said in this debate now.")
    further = further_ballots(mail, unanswered(here), besides=awaited)
    until = moment(awaited.deadline, of=person_of(mail))
    if judges(awaited):
        beginning = beginning.replace("spoken", "judged")
    return Wording(
        subject=f"{subject}: {name_of(debate)}",
        sentences=(
            f"{beginning}: {which(awaited)}. You {'now have' if awaited.number > 1 else 'have'} until {until}.",
            *([f"{further} more of your ballots wait{'s' if further == 1 else ''} here."] if further else []),
            missed(awaited),
        ),
        facts=(*about_debate(debate, awaited), ("Until", until)),
        link=where(debate, awaited),
        link_text="Fill in your ballot" if judges(awaited) else "Write your turn",
        because="You get this because you sit in this debate.",
    )


def turn_forfeited(mail: Mail, now: datetime) -> Wording:
    awaited, debate = awaited_of(mail), readable(mail)
    further = further_forfeits(mail, besides=awaited, now=now)
    if awaited.kind == TurnKind.REPORT.value:
        what_came = "You gave no ballot, which is to abstain, and the panel has gone on."
    elif judges(awaited):
        what_came = f"Your ballot{'s were' if further else ' was'} forfeited, and the debate has gone on."
    else:
        what_came = "The turn was forfeited, and the debate has gone on. What you had written is kept at your seat."
    return Wording(
        subject=f"{forfeited(awaited)}: {name_of(debate)}",
        sentences=(
            f"The time for {which(awaited)} was up at {moment(awaited.deadline, of=person_of(mail))}.",
            *([f"So was that for {further} more of your ballots here."] if further else []),
            what_came,
        ),
        facts=about_debate(debate, awaited),
        link=f"{whole('debate', debate.public_id)}#seat-{awaited.participant.position}",
        link_text="See the debate",
        because="You get this because you sit in this debate.",
    )


def review_waits(mail: Mail, _now: datetime) -> Wording:
    debate, person = readable(mail), person_of(mail)
    [(_, party, kept_out)] = selectors.parties(user=person, debates=[debate.pk])
    may_settle = person.is_staff and person.has_perm(DECIDES_REVIEWS) and not (party or kept_out)
    if debate.status != Status.AWAITING_REVIEW.value or not may_settle:
        raise Withdrawn("No review of this debate waits for this person.")
    return Wording(
        subject=f"A review waits: {name_of(debate)}",
        sentences=("The judges of this panel came to no end by themselves. Somebody who may settle reviews decides.",),
        facts=about_debate(debate),
        link=whole(f"{ADMIN}:judging_review_changelist"),
        link_text="See the reviews that wait",
        because="You get this because you may settle reviews.",
    )


def debate_concluded(mail: Mail, _now: datetime) -> Wording:
    debate = readable(mail)
    if debate.status != Status.CONCLUDED.value:
        raise Withdrawn("The debate has gone on since.")
    return Wording(
        subject=f"Concluded: {name_of(debate)}",
        sentences=("The debate is concluded, and its result is there to be read.",),
        facts=about_debate(debate),
        link=whole("result", debate.public_id),
        link_text="Read the result",
        because="You get this because you take part in this debate, or made it.",
    )


def result_changed(mail: Mail, now: datetime) -> Wording:
    changed = "A moderator changed what this debate came to. The page says what, and each change has its reason."
    subject = f"The result was changed: {name_of(readable(mail))}"
    return replace(debate_concluded(mail, now), subject=subject, sentences=(changed,))


def invitation(mail: Mail, now: datetime) -> Wording:
    """Return what somebody is told who may come, to the site, to a role of a debate, or to a seat."""
    rows = Invitation.objects.select_related("debate", "seat", "created_by")
    row = rows.filter(public_id=mail.about, revoked_at=None, expires_at__gt=now).first()
    if row is None:
        raise Withdrawn("The invitation was revoked, or is over.")
    if not mail.secret:
        raise Unopened("Its link cannot be opened; make the invitation anew.")
    until = f"{row.expires_at:%A, %-d %B %Y, %H:%M} UTC"
    what = invited_to(row)
    return Wording(
        subject=f"You are invited to {what}",
        sentences=(
            f"{inviter(row)} invites you to {what}.",
            "The page behind the link says everything about it, before you accept. The link is for you alone.",
        ),
        facts=(*(about_debate(row.debate) if row.debate else ()), ("Good until", until)),
        link=f"{settings.SITE_URL}{mail.secret}",
        link_text="Look at the invitation",
        because="You get this because somebody gave your address to invite you.",
    )


def inviter(row: Invitation) -> str:
    """Return who invites, as others may know them: a name that holds a mail address is not told."""
    name = on_one_line(row.created_by.get_username()) if row.created_by else ""
    return "Somebody who runs this site" if not name or "@" in name else name


def invited_to(row: Invitation) -> str:
    if row.debate is None:
        return on_one_line(f"the debates at {host()}")
    if row.seat is not None:
        does = "judge" if row.seat.role == Role.JUDGE.value else "speak"
        return f"{does} as {on_one_line(row.seat.name, 80)} in “{name_of(row.debate)}”"
    seatless = " without a seat" if row.role == MemberRole.JUDGE.value else ""
    return f"“{name_of(row.debate)}”, as {row.role}{seatless}"


def not_started(mail: Mail, _now: datetime) -> Wording:
    debate = readable(mail)
    if debate.status != Status.DRAFT.value:
        raise Withdrawn("The draft has started since, or is not to.")
    return Wording(
        subject=f"Not started: {name_of(debate)}",
        sentences=(
            "This draft was to start by itself. It could not, and is not tried any more.",
            "Its page says why. Start it there, or plan another time.",
        ),
        facts=about_debate(debate),
        link=whole("prepare-debate", debate.public_id),
        link_text="See why",
        because="You get this because you planned this start, or conduct this debate.",
    )


def appeal_filed(mail: Mail, _now: datetime) -> Wording:
    debate = readable(mail)
    if debate.events.filter(type__in=["appeal:withdrawn", "appeal:decided"], data__appeal=mail.about).exists():
        raise Withdrawn("The appeal was withdrawn or decided before this was sent.")
    return Wording(
        subject=f"An appeal: {name_of(debate)}",
        sentences=(
            "Somebody appeals against a score, a ruling or the result of this debate.",
            "Somebody decides it who did not act on it and is no party. Its words are shown once it is decided.",
        ),
        facts=about_debate(debate),
        link=whole("appeal", debate.public_id, mail.about),
        link_text="See the appeal",
        because="You get this because you take part in this debate, or made it, or may decide appeals.",
    )


def appeal_decided(mail: Mail, _now: datetime) -> Wording:
    debate = readable(mail)
    return Wording(
        subject=f"An appeal is decided: {name_of(debate)}",
        sentences=("The page of the appeal says what was decided, and why.",),
        facts=about_debate(debate),
        link=whole("appeal", debate.public_id, mail.about),
        link_text="Read the decision",
        because="You get this because you appealed, take part in this debate, or made it.",
    )


BY_KIND: Mapping[MailKind, Callable[[Mail, datetime], Wording]] = {
    MailKind.INVITATION: invitation,
    MailKind.TURN: partial(your_turn, subject="Your turn", beginning="It is your turn"),
    MailKind.REMINDER: partial(
        your_turn, subject="Your time runs", beginning="You have not spoken yet. It is your turn"
    ),
    MailKind.FORFEITED: turn_forfeited,
    MailKind.WAITING: review_waits,
    MailKind.CONCLUDED: debate_concluded,
    MailKind.CHANGED: result_changed,
    MailKind.NOT_STARTED: not_started,
    MailKind.APPEAL: appeal_filed,
    MailKind.APPEAL_DECIDED: appeal_decided,
}
