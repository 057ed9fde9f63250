"""Seats: inviting somebody to speak in a debate, taking the seat, and speaking."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from django.utils import timezone
from rest_framework import serializers, status
from rest_framework.response import Response

from debates.api import serializers as api_serializers
from debates.api.resources import TURNS
from debates.api.views import Act
from debates.models import AwaitedTurn, Participant, Turn
from debates.services import rights, seats
from judging.engine import human_turns


class Invite(Act):
    """Make an invitation to a free seat: a text that is good once, for seven days. Those before it are good no more."""

    tag, answers = "participants", status.HTTP_201_CREATED

    class Output(serializers.Serializer[Any]):
        """The invitation; whoever has it may take the seat."""

        invitation = serializers.CharField()

    def row(self) -> Participant:
        return self.one(Participant.objects.select_related("debate").filter(debate__in=self.debates()))

    def may(self, row: Participant) -> None:
        rights.may_conduct(by=self.caller, debate=row.debate)

    def act(self, row: Participant, given: dict[str, Any]) -> str:
        return seats.invite.once(self.record, participant_id=row.pk, by=self.caller)

    def answer(self, done: str) -> Response:
        return self.shown({"invitation": done})

    def location(self, data: Any) -> str:
        return reverse("take-seat", args=[data["invitation"]])


class Speak(Act):
    """Take an awaited turn, as who sits there: until its deadline, once. Saying the same again changes nothing.

    It is judged like any other. What was written for one turn cannot land in another: its id is the version that
    `If-Match` names elsewhere.
    """

    tag, answers, Output = "turns", status.HTTP_201_CREATED, api_serializers.Turn
    example = {"text": "I grant that masks are a burden, and still hold that the ward comes first."}

    class Input(serializers.Serializer[Any]):
        """What is said."""

        text = serializers.CharField(
            max_length=32_000, trim_whitespace=False, help_text="10 to 8,000 characters, without blanks around them."
        )

    def row(self) -> AwaitedTurn:
        rows = AwaitedTurn.objects.select_related("participant")
        return self.one(rows.filter(round__thread__debate__in=self.debates()))

    def may(self, row: AwaitedTurn) -> None:
        """Only who sits there may, whatever else somebody may do."""
        human_turns.own_seat(seat_id=row.participant_id, by=self.caller)

    def act(self, row: AwaitedTurn, given: dict[str, Any]) -> Turn:
        return human_turns.speak.once(
            self.record,
            seat_id=row.participant_id,
            by=self.caller,
            text=given["text"],
            awaited=row.public_id,
            now=timezone.now(),
        )

    def answer(self, done: Turn) -> Response:
        return self.shown(Turn.objects.select_related(*TURNS).get(pk=done.pk))


class TakeSeat(Act):
    """Take a seat with an invitation: from now on it is bound to whoever asks, and to their keys."""

    tag, Output = "participants", api_serializers.Participant
    example = {"invitation": "..."}

    class Input(serializers.Serializer[Any]):
        """The invitation."""

        invitation = serializers.CharField(max_length=400)

    def act(self, row: Any, given: dict[str, Any]) -> Participant:
        return seats.take.once(self.record, invitation=given["invitation"], by=self.person)

    def answer(self, done: Participant) -> Response:
        return self.shown(Participant.objects.select_related("debate").get(pk=done.pk))
