"""Seats: inviting somebody to speak in a debate, taking the seat, and speaking."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from django.utils import timezone
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from debates.api import serializers as api_serializers
from debates.api.resources import TURNS, ParticipantView
from debates.api.views import ActionView, WriteView
from debates.models import AwaitedTurn, Participant, Turn
from debates.services import rights, seats
from judging.engine import human_turns


class Invite(ParticipantView, ActionView):
    """Make an invitation to a free seat: a text that is good once, for seven days. Those before it are good no more."""

    answers = status.HTTP_201_CREATED

    class Output(serializers.Serializer[Any]):
        """The invitation; whoever has it may take the seat."""

        invitation = serializers.CharField()

    serializer_class = Output

    def check_object_permissions(self, request: Request, obj: Participant) -> None:
        """Its debate's creator may, and whoever may change debates."""
        rights.may_conduct(by=self.caller, debate=obj.debate)

    def act(self, row: Participant, data: dict[str, Any]) -> str:
        return seats.invite.once(self.record, participant_id=row.pk, by=self.caller)

    def answer(self, result: str) -> Response:
        return self.respond({"invitation": result})

    def location(self, data: Any) -> str:
        """Return the address of the page on which a person takes the seat."""
        return reverse("take-seat", args=[data["invitation"]])


class Speak(ActionView):
    """Take an awaited turn, as who sits there: until its deadline, once. Saying the same again changes nothing.

    It is judged like any other. What was written for one turn cannot land in another: its id is the version that
    `If-Match` names elsewhere.
    """

    tag, answers, serializer_class = "turns", status.HTTP_201_CREATED, api_serializers.TurnSerializer
    queryset, debate_field = AwaitedTurn.objects.select_related("participant"), "round__thread__debate"
    example = {"text": "I grant that masks are a burden, and still hold that the ward comes first."}

    class Input(serializers.Serializer[Any]):
        """What is said."""

        text = serializers.CharField(
            max_length=32_000, trim_whitespace=False, help_text="10 to 8,000 characters, without blanks around them."
        )

    def check_object_permissions(self, request: Request, obj: AwaitedTurn) -> None:
        """Only who sits there may, whatever else somebody may do."""
        human_turns.own_seat(seat_id=obj.participant_id, by=self.caller)

    def act(self, row: AwaitedTurn, data: dict[str, Any]) -> Turn:
        return human_turns.speak.once(
            self.record,
            seat_id=row.participant_id,
            by=self.caller,
            text=data["text"],
            awaited=row.public_id,
            now=timezone.now(),
        )

    def answer(self, result: Turn) -> Response:
        return self.respond(Turn.objects.select_related(*TURNS).get(pk=result.pk))


class TakeSeat(WriteView):
    """Take a seat with an invitation: from now on it is bound to whoever asks, and to their keys."""

    tag, serializer_class = "participants", api_serializers.ParticipantSerializer
    example = {"invitation": "..."}

    class Input(serializers.Serializer[Any]):
        """The invitation."""

        invitation = serializers.CharField(max_length=400)

    def act(self, row: None, data: dict[str, Any]) -> Participant:
        return seats.take.once(self.record, invitation=data["invitation"], by=self.person)

    def answer(self, result: Participant) -> Response:
        return self.respond(Participant.objects.select_related("debate").get(pk=result.pk))
