"""Tables of the event."""

from debates.models.access import ApiKey, IdempotencyKey
from debates.models.debate import Debate, Participant, Subject
from debates.models.event import Epoch, Event, EventHead
from debates.models.mail import Mail, MailStop
from debates.models.people import Acceptance, Invitation, Membership, Profile
from debates.models.seal import SITE, Block, Seal
from debates.models.thread import AwaitedTurn, Ballot, Round, Thread, Turn, TurnDraft
from debates.models.webhooks import Delivery, Webhook

__all__ = [
    "SITE",
    "Acceptance",
    "ApiKey",
    "AwaitedTurn",
    "Ballot",
    "Block",
    "Debate",
    "Delivery",
    "Epoch",
    "Event",
    "EventHead",
    "IdempotencyKey",
    "Invitation",
    "Mail",
    "MailStop",
    "Membership",
    "Participant",
    "Profile",
    "Round",
    "Seal",
    "Subject",
    "Thread",
    "Turn",
    "TurnDraft",
    "Webhook",
]
