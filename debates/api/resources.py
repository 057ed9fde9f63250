"""Reading the event: subjects, participants, threads, rounds, turns, and the log."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from rest_framework import serializers, status
from rest_framework.exceptions import APIException
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from debates import event_log, selectors
from debates.api import serializers as api_serializers
from debates.api.fields import any_of, event_types, words
from debates.api.paging import LONGEST, MOST, USUAL, Order, Paging, ordering, page_of, write
from debates.api.views import Door, Many, One
from debates.models import AwaitedTurn, Event, Participant, Round, Subject, Thread, Turn
from debates.types import AwaitedState, Kind, Role, ThreadStatus, TurnKind


class Subjects(Many):
    """List the texts under evaluation of the debates one may read, newest first."""

    tag, everybody, Output = "subjects", True, api_serializers.Subject
    sorts = {"title": False}

    class Query(Paging):
        """In which order."""

        ordering = ordering("title")

    def rows(self) -> QuerySet[Subject]:
        return Subject.objects.filter(pk__in=self.debates().values("subject"))


class OneSubject(One):
    """Show a text under evaluation."""

    tag, everybody, Output = "subjects", True, api_serializers.Subject

    def row(self) -> Subject:
        return self.one(Subject.objects.filter(pk__in=self.debates().values("subject")))


class OfDebate(Paging):
    """Rows of one debate."""

    debate = any_of(serializers.UUIDField(), source="debate__public_id")


class Participants(Many):
    """List voices, newest first."""

    tag, everybody, Output = "participants", True, api_serializers.Participant
    sorts = {"name": True, "position": True}

    class Query(OfDebate):
        """Of which debate, and what they do."""

        ordering = ordering("name", "position")
        role = any_of(words(Role))
        kind = any_of(words(Kind))

    def rows(self) -> QuerySet[Participant]:
        return Participant.objects.select_related("debate").filter(debate__in=self.debates())


class OneParticipant(One):
    """Show a voice."""

    tag, everybody, Output = "participants", True, api_serializers.Participant

    def row(self) -> Participant:
        rows = Participant.objects.select_related("debate").filter(debate__in=self.debates())
        return self.one(rows)


class Threads(Many):
    """List threads, newest first."""

    tag, everybody, Output = "threads", True, api_serializers.Thread
    sorts = {"key": True, "position": True}

    class Query(OfDebate):
        """Of which debate, about what, and where they stand."""

        ordering = ordering("key", "position")
        key = any_of(serializers.CharField(max_length=40))
        status = any_of(words(ThreadStatus))

    def rows(self) -> QuerySet[Thread]:
        return Thread.objects.select_related("debate").filter(debate__in=self.debates())


class OneThread(One):
    """Show a thread."""

    tag, everybody, Output = "threads", True, api_serializers.Thread

    def row(self) -> Thread:
        return self.one(Thread.objects.select_related("debate").filter(debate__in=self.debates()))


class Rounds(Many):
    """List rounds, oldest first."""

    tag, everybody, newest_first, Output = "rounds", True, False, api_serializers.Round

    class Query(Paging):
        """Of which debate, thread and run."""

        debate = any_of(serializers.UUIDField(), source="thread__debate__public_id")
        key = any_of(serializers.CharField(max_length=40), source="thread__key")
        run = any_of(serializers.IntegerField(min_value=1, max_value=10**6), source="run_number")

    def rows(self) -> QuerySet[Round]:
        return Round.objects.select_related("thread__debate").filter(thread__debate__in=self.debates())


class OneRound(One):
    """Show a round."""

    tag, everybody, Output = "rounds", True, api_serializers.Round

    def row(self) -> Round:
        rows = Round.objects.select_related("thread__debate").filter(thread__debate__in=self.debates())
        return self.one(rows)


TURNS = ("debate", "thread", "round", "participant", "answers")


class Turns(Many):
    """List what was said, oldest first."""

    tag, everybody, newest_first, Output = "turns", True, False, api_serializers.Turn

    class Query(OfDebate):
        """Of which debate, thread and round, and of what kind."""

        key = any_of(serializers.CharField(max_length=40), source="thread__key")
        round = any_of(serializers.IntegerField(min_value=0, max_value=10**4), source="round__number")
        run = any_of(serializers.IntegerField(min_value=1, max_value=10**6), source="round__run_number")
        kind = any_of(words(TurnKind))

    def rows(self) -> QuerySet[Turn]:
        return Turn.objects.select_related(*TURNS).filter(debate__in=self.debates())


class OneTurn(One):
    """Show one utterance."""

    tag, everybody, Output = "turns", True, api_serializers.Turn

    def row(self) -> Turn:
        return self.one(Turn.objects.select_related(*TURNS).filter(debate__in=self.debates()))


class AwaitedTurns(Many):
    """List turns that are or were awaited of people and of somebody else's programs, newest first."""

    tag, everybody, Output = "turns", True, api_serializers.AwaitedTurn

    class Query(Paging):
        """Of which debate and voice, and what became of them."""

        debate = any_of(serializers.UUIDField(), source="round__thread__debate__public_id")
        participant = any_of(serializers.UUIDField(), source="participant__public_id")
        state = any_of(words(AwaitedState))

    def rows(self) -> QuerySet[AwaitedTurn]:
        return selectors.awaited_turns().filter(round__thread__debate__in=self.debates())


class OneAwaitedTurn(One):
    """Show an awaited turn."""

    tag, everybody, Output = "turns", True, api_serializers.AwaitedTurn

    def row(self) -> AwaitedTurn:
        return self.one(selectors.awaited_turns().filter(round__thread__debate__in=self.debates()))


class Resync(APIException):
    """What somebody knows of a log means nothing here."""

    status_code, default_code = status.HTTP_410_GONE, "resync"


class Events(Door):
    """Read a debate's log after a sequence number, oldest first.

    Ask again with `after` set to the answer's `through`, and with its `epoch`: what is not for the caller is left out
    and passed over, so `through` grows by more than one at times. `head` says how far the log reaches. Another epoch,
    or a position beyond the head, is answered with the problem `resync`: forget what was read and begin at 0.
    """

    tag, everybody, refuses = "events", True, (status.HTTP_410_GONE,)

    class Query(serializers.Serializer[Any]):
        """From where, and how many."""

        after = serializers.IntegerField(required=False, min_value=0, max_value=2**53, default=0)
        epoch = serializers.UUIDField(required=False, help_text="Of the log that `after` is a position in.")
        limit = serializers.IntegerField(required=False, min_value=1, max_value=MOST, default=MOST)
        type = any_of(event_types())

    class Output(serializers.Serializer[Any]):
        """Some events, and how far they reach."""

        epoch = serializers.UUIDField(help_text="Names this database's logs; it changes when a backup is restored.")
        events = api_serializers.Event(many=True)
        through = serializers.IntegerField()
        head = serializers.IntegerField()

    def get(self, request: Request, debate: UUID) -> Response:
        """Show them.

        Raises: ``Resync``.
        """
        asked, epoch = self.asked(), event_log.epoch()
        found = self.one(self.debates(), public_id=debate)
        if asked.get("epoch", epoch) != epoch:
            raise Resync(f"This log is another one now; its epoch is {epoch}. Begin again at 0.")
        if asked["after"] > found.head.seq:
            raise Resync(f"This log reaches {found.head.seq}, not {asked['after']}. Begin again at 0.")
        rows = selectors.events_after(debate_id=found.pk, seq=asked["after"])
        read = list(rows.filter(seq__lte=found.head.seq)[: asked["limit"]])
        mine = selectors.audiences(visitor=self.caller, debate=found)
        events = [event for event in read if event.audience in mine and event.type in asked.get("type", [event.type])]
        through = read[-1].seq if read else asked["after"]
        return self.shown({"epoch": epoch, "events": events, "through": through, "head": found.head.seq})


class AllEvents(Door):
    """Read the logs of all debates that a list shows to the caller as one, oldest first.

    Ask `later` again, for ever: it leads behind what was shown, and to nothing while there is nothing new. `next` is
    the same while there is more to read now. Events of one debate come in the order of their `seq`. Another epoch is
    answered with the problem `resync`: begin again without `cursor` and `epoch`.
    """

    tag, everybody, gathers, refuses = "events", True, True, (status.HTTP_410_GONE,)
    in_order = Order("id", descending=False)

    class Query(serializers.Serializer[Any]):
        """From where, how many, and of what."""

        cursor = serializers.CharField(required=False, max_length=LONGEST, help_text="Where the page before ended.")
        epoch = serializers.UUIDField(required=False, help_text="Of the logs that `cursor` is a position in.")
        page_size = serializers.IntegerField(required=False, min_value=1, max_value=MOST, default=USUAL)
        debate = any_of(serializers.UUIDField())
        type = any_of(event_types())

    class Output(serializers.Serializer[Any]):
        """Some events, and where to go on."""

        epoch = serializers.UUIDField(help_text="Names this database's logs; it changes when a backup is restored.")
        results = api_serializers.DebateEvent(many=True)
        next = serializers.URLField(allow_null=True, help_text="The next page; null on the last.")
        later = serializers.URLField(help_text="What comes behind this page, now or later.")

    def get(self, request: Request) -> Response:
        """Show them.

        Raises: ``Resync``.
        """
        asked, epoch = self.asked(), event_log.epoch()
        if asked.get("epoch", epoch) != epoch:
            raise Resync(f"These logs are others now; their epoch is {epoch}. Begin again without a cursor.")
        settled = Event(pk=selectors.settled_event())
        rows = selectors.readable_events(visitor=self.caller).filter(debate__in=self.debates(), pk__lte=settled.pk)
        filters = {"debate": "debate__public_id__in", "type": "type__in"}
        chosen = rows.filter(**{filters[name]: asked[name] for name in filters if name in asked})
        page = page_of(
            chosen.select_related("debate"), cursor=asked.get("cursor"), size=asked["page_size"], order=self.in_order
        )
        here = replace_query_param(request.build_absolute_uri(), "epoch", str(epoch))
        later = replace_query_param(here, "cursor", page.after or write(settled, order=self.in_order))
        following = later if page.after else None
        return self.shown({"epoch": epoch, "results": page.rows, "next": following, "later": later})
