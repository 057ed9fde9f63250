"""Reading the event: subjects, participants, threads, rounds, turns, and the log."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from rest_framework import serializers, status
from rest_framework.exceptions import APIException
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from debates import event_log, selectors
from debates.api import serializers as api_serializers
from debates.api.fields import any_of, event_types
from debates.api.paging import LONGEST, MOST, USUAL, Order, page_of, read, write
from debates.api.permissions import ANYBODY
from debates.api.views import ApiView, ListView, RetrieveView
from debates.models import Event, Participant, Round, Subject, Thread, Turn


class SubjectView(ApiView):
    tag, access, serializer_class = "subjects", ANYBODY, api_serializers.SubjectSerializer
    queryset = Subject.objects.all()

    def get_queryset(self) -> QuerySet[Subject]:
        return super().get_queryset().filter(pk__in=self.debates().values("subject"))


class Subjects(SubjectView, ListView):
    """List the texts under evaluation of the debates one may read, newest first."""

    sorts = {"title": False}


class OneSubject(SubjectView, RetrieveView):
    """Show a text under evaluation."""


class ParticipantView(ApiView):
    tag, access = "participants", ANYBODY
    serializer_class: Any = api_serializers.ParticipantSerializer
    queryset, debate_field = Participant.objects.select_related("debate", "replacement"), "debate"


class Participants(ParticipantView, ListView):
    """List voices, newest first."""

    sorts = {"name": True, "position": True}
    filters = ("role", "kind")


class OneParticipant(ParticipantView, RetrieveView):
    """Show a voice."""


class ThreadView(ApiView):
    tag, access, serializer_class = "threads", ANYBODY, api_serializers.ThreadSerializer
    queryset, debate_field = Thread.objects.select_related("debate"), "debate"


class Threads(ThreadView, ListView):
    """List threads, newest first."""

    sorts = {"key": True, "position": True}
    filters = ("key", "status")


class OneThread(ThreadView, RetrieveView):
    """Show a thread."""


class RoundView(ApiView):
    tag, access, serializer_class = "rounds", ANYBODY, api_serializers.RoundSerializer
    queryset, debate_field = Round.objects.select_related("thread__debate"), "thread__debate"


class Rounds(RoundView, ListView):
    """List rounds, oldest first."""

    newest_first = False
    filters = ("key", "run")


class OneRound(RoundView, RetrieveView):
    """Show a round."""


TURNS = ("debate", "thread", "round", "participant", "answers")


class TurnView(ApiView):
    tag, access, serializer_class = "turns", ANYBODY, api_serializers.TurnSerializer
    queryset, debate_field = Turn.objects.select_related(*TURNS), "debate"


class Turns(TurnView, ListView):
    """List what was said, oldest first."""

    newest_first = False
    filters = ("key", "round", "run", "kind")


class OneTurn(TurnView, RetrieveView):
    """Show one utterance."""


class AwaitedTurnView(ApiView):
    tag, access, serializer_class = "turns", ANYBODY, api_serializers.AwaitedTurnSerializer
    queryset, debate_field = selectors.awaited_turns(), "round__thread__debate"


class AwaitedTurns(AwaitedTurnView, ListView):
    """List turns that are or were awaited of people and of somebody else's programs, newest first."""

    filters = ("participant", "state")


class OneAwaitedTurn(AwaitedTurnView, RetrieveView):
    """Show an awaited turn."""


class Resync(APIException):
    """What somebody knows of a log means nothing here."""

    status_code, default_code = status.HTTP_410_GONE, "resync"


class Events(ApiView):
    """Read a debate's log after a sequence number, oldest first.

    Ask again with `after` set to the answer's `through`, and with its `epoch`: what is not for the caller is left out
    and passed over, so `through` grows by more than one at times. `head` says how far the log reaches. Another epoch,
    or a position beyond the head, is answered with the problem `resync`: forget what was read and begin at 0.
    """

    tag, access, refuses = "events", ANYBODY, (status.HTTP_410_GONE,)

    class Query(serializers.Serializer[Any]):
        """From where, and how many."""

        after = serializers.IntegerField(required=False, min_value=0, max_value=2**53, default=0)
        epoch = serializers.UUIDField(required=False, help_text="Of the log that `after` is a position in.")
        limit = serializers.IntegerField(required=False, min_value=1, max_value=MOST, default=MOST)
        type = any_of(event_types())

    class Output(serializers.Serializer[Any]):
        """Some events, and how far they reach."""

        epoch = serializers.UUIDField(help_text="Names this database's logs; it changes when a backup is restored.")
        events = api_serializers.EventSerializer(many=True)
        through = serializers.IntegerField()
        head = serializers.IntegerField()

    serializer_class = Output

    def get(self, request: Request, debate: UUID) -> Response:
        query, epoch = self.query, event_log.epoch()
        row = get_object_or_404(self.debates(), public_id=debate)
        if query.get("epoch", epoch) != epoch:
            raise Resync(f"This log is another one now; its epoch is {epoch}. Begin again at 0.")
        if query["after"] > row.head.seq:
            raise Resync(f"This log reaches {row.head.seq}, not {query['after']}. Begin again at 0.")
        rows = selectors.events_after(debate_id=row.pk, seq=query["after"])
        read = list(rows.filter(seq__lte=row.head.seq)[: query["limit"]])
        mine = selectors.audiences(visitor=self.caller, debate=row)
        events = [event for event in read if event.audience in mine and event.type in query.get("type", [event.type])]
        through = read[-1].seq if read else query["after"]
        return self.respond({"epoch": epoch, "events": events, "through": through, "head": row.head.seq})


class AllEvents(ApiView):
    """Read the logs of all debates that a list shows to the caller as one, oldest first.

    Ask `later` again, for ever: it leads behind what was shown, and to nothing while there is nothing new. `next` is
    the same while there is more to read now. Events of one debate come in the order of their `seq`. Another epoch is
    answered with the problem `resync`: begin again without `cursor` and `epoch`.
    """

    tag, access, gathers, refuses = "events", ANYBODY, True, (status.HTTP_410_GONE,)
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
        results = api_serializers.DebateEventSerializer(many=True)
        next = serializers.URLField(allow_null=True, help_text="The next page; null on the last.")
        later = serializers.URLField(help_text="What comes behind this page, now or later.")

    serializer_class = Output

    def get(self, request: Request) -> Response:
        query, epoch = self.query, event_log.epoch()
        if query.get("epoch", epoch) != epoch:
            raise Resync(f"These logs are others now; their epoch is {epoch}. Begin again without a cursor.")
        reached = read(query["cursor"], order=self.in_order, model=Event)[0] if "cursor" in query else 0
        settled = Event(pk=max(selectors.settled_event(), reached))  # that may be less than a moment ago
        rows = selectors.readable_events(visitor=self.caller).filter(debate__in=self.debates(), pk__lte=settled.pk)
        filters = {"debate": "debate__public_id__in", "type": "type__in"}
        rows = rows.filter(**{filters[name]: query[name] for name in filters if name in query})
        page = page_of(
            rows.select_related("debate").defer("debate__parameters"),
            cursor=query.get("cursor"),
            size=query["page_size"],
            order=self.in_order,
        )
        here = replace_query_param(request.build_absolute_uri(), "epoch", str(epoch))
        later = replace_query_param(here, "cursor", page.after or write(settled, order=self.in_order))
        following = later if page.after else None
        return self.respond({"epoch": epoch, "results": page.rows, "next": following, "later": later})
