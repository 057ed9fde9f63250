"""What somebody is told who sits in a debate, or is invited to: the motion, their side, and what they are writing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.contrib.auth.models import User
from django.core import signing
from django.utils.crypto import constant_time_compare, salted_hmac

from debates.absolute_urls import whole
from debates.models import AwaitedTurn, Debate, Participant, TurnDraft
from debates.types import Visibility
from judging.pages import participants

CALENDAR = "judging.calendar"
UNDECIDED = Decimal("0.1")
WHO_READS = {
    Visibility.PUBLIC: "Everybody can read the debate, with your name as it stands here and every word you say.",
    Visibility.UNLISTED: "Everybody who has its address can read the debate, with your name as it stands here and every"
    " word you say. No list shows it.",
    Visibility.PRIVATE: "The debate is private: those who take part in it and who look after it can read it.",
}


@dataclass(frozen=True, slots=True)
class OwnSeat:
    """A seat of whoever looks: how it stands, what was refused there, and what is kept of what they write."""

    state: Any
    part: Any
    refused: Mapping[str, str] | None
    draft: TurnDraft | None
    side: str

    @property
    def text(self) -> str:
        return self.refused["text"] if self.refused else self.draft.text if self.draft else ""


def own_seats(*, debate: Debate, states: Any, parts: Mapping[str, Any], visitor: Any, unsaid: Any) -> list[OwnSeat]:
    """Return the seats of a debate that somebody sits in, with what they are writing there."""
    mine = [state for state in states if state.is_of(visitor)]
    drafts = {
        row.participant_id: row for row in TurnDraft.objects.filter(participant__in=[s.participant for s in mine])
    }
    return [
        OwnSeat(
            state=state,
            part=parts[state.part],
            refused=unsaid if unsaid and unsaid["seat"] == str(state.participant.public_id) else None,
            draft=drafts.get(state.participant.pk),
            side=side_of(debate=debate, participant=state.participant),
        )
        for state in mine
    ]


def tab(*, awaited: AwaitedTurn | None, mine: Sequence[OwnSeat]) -> str:
    """Return how the title of the page begins: whose turn it is, where somebody is awaited."""
    if awaited is None:
        return ""
    return "Your turn" if any(own.state.awaited for own in mine) else f"{awaited.participant.name} to speak"


def side_of(*, debate: Debate, participant: Participant) -> str:
    """Return which side of a motion a chair is given, and by which framework it argues, in words."""
    cards = {card["name"]: card for card in debate.parameters.get("table", {}).get("chairs", ())}
    card = cards.get(participant.name)
    if card is None:
        return ""
    stance = Decimal(card["stance"])
    side = "undecided" if abs(stance) < UNDECIDED else "for the motion" if stance > 0 else "against the motion"
    return f"{side}; your framework: {card['framework'].replace('_', ' ')}"


def offer(*, seat: Participant, now: datetime) -> Mapping[str, Any]:
    """Return everything about a seat that somebody should know before they take it."""
    debate = seat.debate
    seconds = debate.parameters.get("table", {}).get("turn_seconds") or debate.parameters.get("panel", {}).get(
        "ballot_seconds"
    )
    return {
        "side": side_of(debate=debate, participant=seat),
        "until": now + timedelta(seconds=int(seconds)) if seconds else None,
        "now": now,
        "turns": debate.rounds + 1,
        "others": [person for person in participants.people(debate=debate) if person.name != seat.name],
        "who_reads": WHO_READS[Visibility(debate.visibility)],
    }


# The private address of a calendar: good until its person changes the password, or is gone.


def fingerprint(user: User) -> str:
    return salted_hmac(CALENDAR, user.password, algorithm="sha256").hexdigest()[:16]


def calendar_of(user: User) -> str:
    """Return the whole address of the calendar of somebody's deadlines, which nobody else has."""
    token = signing.dumps([user.pk, fingerprint(user)], salt=CALENDAR, compress=False)
    return whole("calendar", token)


def owner_of_calendar(token: str) -> User | None:
    """Return whose calendar an address names, if it is still good."""
    try:
        user_id, mark = signing.loads(token, salt=CALENDAR)
    except (signing.BadSignature, ValueError, TypeError):
        return None
    user = User.objects.filter(pk=user_id, is_active=True).first()
    return user if user is not None and constant_time_compare(fingerprint(user), str(mark)) else None
