"""Tables of the event."""

from debates.models.debate import Debate, Participant, Subject
from debates.models.event import Event, EventHead
from debates.models.play import Round, Thread, Turn

__all__ = ["Debate", "Event", "EventHead", "Participant", "Round", "Subject", "Thread", "Turn"]
