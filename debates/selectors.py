"""Reading debates."""

from django.db.models import QuerySet

from debates.models import Debate, Event
from debates.types import Visibility


def listed_debates() -> "QuerySet[Debate]":
    """Return the debates that anybody may find, newest first."""
    return Debate.objects.filter(visibility=Visibility.PUBLIC.value).select_related("subject")


def events_after(*, debate_id: int, seq: int) -> "QuerySet[Event]":
    """Return what a debate's log holds after ``seq``, in order."""
    return Event.objects.filter(debate_id=debate_id, seq__gt=seq).order_by("seq")
