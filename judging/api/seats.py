"""Seats: inviting somebody to speak in a debate, and taking the seat."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers, status

from debates.api import shapes
from debates.api.doors import Act
from debates.models import Participant
from debates.services import seats
from judging.services import control


class Invite(Act):
    """Make an invitation to a free seat: a text that is good once, for seven days. Those before it are good no more."""

    tag, answers = "participants", status.HTTP_201_CREATED

    class Output(serializers.Serializer[Any]):
        """The invitation; whoever has it may take the seat."""

        invitation = serializers.CharField()

    def row(self) -> Participant:
        """Return the participant."""
        return self.one(Participant.objects.select_related("debate").filter(debate__in=self.debates()))

    def may(self, row: Participant) -> None:
        """Its debate's creator may, and whoever may change debates."""
        control.may_conduct(by=self.caller, debate=row.debate)

    def act(self, row: Participant, given: dict[str, Any]) -> dict[str, str]:
        """Invite."""
        return {"invitation": seats.invite(participant_id=row.pk)}


class TakeSeat(Act):
    """Take a seat with an invitation: from now on it is bound to whoever asks, and to their keys."""

    tag, Output = "participants", shapes.Participant
    example = {"invitation": "..."}

    class Input(serializers.Serializer[Any]):
        """The invitation."""

        invitation = serializers.CharField(max_length=400)

    def act(self, row: Any, given: dict[str, Any]) -> Participant:
        """Take it."""
        seat = seats.take(invitation=given["invitation"], by=self.person)
        return Participant.objects.select_related("debate").get(pk=seat.pk)
