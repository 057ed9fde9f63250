"""Seats at the desk: who sits where, and inviting somebody to one that is free."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import admin
from django.urls import reverse

from debates.admin import Acting, Closed, Outcome, Page, StaffRequest
from debates.admin.debate import ParticipantAdmin
from debates.models import Participant
from debates.selectors import conducts
from debates.services import seats
from debates.types import Kind


class InvitePage(Page[Participant]):
    """Makes a new invitation to a seat."""

    name, title = "invite", "Invite somebody"
    says = (
        "You get the address of an invitation that is good once and for seven days, to pass on. It is shown once;"
        " invitations made before are good no more."
    )

    def may(self, request: StaffRequest, row: Participant) -> bool:
        return request.user.has_perm("debates.change_debate") or conducts(user=request.user, debate=row.debate)

    def closed(self, request: StaffRequest, row: Participant) -> Closed | None:
        if row.kind == Kind.ENGINE.value:
            return Closed("Here an engine speaks; it needs no seat.")
        return Closed("This seat is taken.") if row.user_id is not None else None

    def act(self, *, request: StaffRequest, row: Participant, given: Mapping[str, Any]) -> Outcome:
        invitation = seats.invite(participant_id=row.pk, by=request.user)
        address = request.build_absolute_uri(reverse("take-seat", args=[invitation]))
        return Outcome(told=f"Whoever opens this address first may speak as {row.name}: {address}", logged="invited")


admin.site.unregister(Participant)


@admin.register(Participant)
class ParticipantDesk(Acting[Participant], ParticipantAdmin):
    """A participant, and the invitation to its seat."""

    pages = (InvitePage(),)
