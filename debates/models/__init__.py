"""Tables of the event."""

from debates.models.access import ApiKey, IdempotencyKey
from debates.models.debate import Debate, Participant, Subject
from debates.models.event import Epoch, Event, EventHead
from debates.models.hooks import Delivery, Webhook
from debates.models.play import AwaitedTurn, Round, Thread, Turn

__all__ = [
    "ApiKey",
    "AwaitedTurn",
    "Debate",
    "Delivery",
    "Epoch",
    "Event",
    "EventHead",
    "IdempotencyKey",
    "Participant",
    "Round",
    "Subject",
    "Thread",
    "Turn",
    "Webhook",
]
