"""Tables of the event."""

from debates.models.access import ApiKey, IdempotencyKey
from debates.models.debate import Debate, Participant, Subject
from debates.models.event import Epoch, Event, EventHead
from debates.models.seal import SITE, Block, Seal
from debates.models.thread import AwaitedTurn, Round, Thread, Turn
from debates.models.webhooks import Delivery, Webhook

__all__ = [
    "SITE",
    "ApiKey",
    "AwaitedTurn",
    "Block",
    "Debate",
    "Delivery",
    "Epoch",
    "Event",
    "EventHead",
    "IdempotencyKey",
    "Participant",
    "Round",
    "Seal",
    "Subject",
    "Thread",
    "Turn",
    "Webhook",
]
