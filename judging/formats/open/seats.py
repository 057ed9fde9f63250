"""Who is awaited in an open debate, and how it stands for each seat: the same for everybody who looks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q

from debates import selectors
from debates.models import AwaitedTurn, Debate, Participant, Turn
from debates.models.thread import TAKEN_IN_TURN
from debates.rules import IN_PLAY
from debates.types import FORFEIT, AwaitedState, Kind, Status
from judging.formats import parsing as formats_parsing
from judging.formats.open import parsing as open_parsing
from judging.models import ParticipantState
from judging.pages.fragments import Part
from judging.pages.participants import Visitor

STIRRED = ("turn:", "debate:", "participant:surrendered")


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat as it stands: ``awaited`` where it is its turn, ``last`` what was said or forfeited last."""

    participant: Participant
    awaited: AwaitedTurn | None
    last: Turn | None
    gave_up: bool

    @property
    def part(self) -> str:
        return f"seat-{self.participant.position}"

    def is_of(self, visitor: Visitor) -> bool:
        return self.participant.user_id is not None and self.participant.user_id == visitor.pk

    @property
    def forfeited(self) -> bool:
        """Say whether the last turn was not spoken."""
        return self.last is not None and self.last.slot.startswith(FORFEIT)


def awaited(*, debate: Debate) -> AwaitedTurn | None:
    """Return the turn that an open debate waits for, if it waits; one that is paused waits, too."""
    if Status(debate.status) not in {Status.RUNNING, Status.PAUSED}:
        return None
    waiting = (AwaitedState.WAITING.value, AwaitedState.PAUSED.value)
    return selectors.awaited_turns().filter(Q(state__in=waiting), round__thread__debate=debate).last()


def seats(*, debate: Debate, waits_for: AwaitedTurn | None) -> list[Seat]:
    """Return the seats of people and of other programs in an open debate."""
    people = list(debate.participants.exclude(kind=Kind.ENGINE.value).order_by("position"))
    if not people:
        return []
    taken = Turn.objects.filter(participant__in=people, kind__in=TAKEN_IN_TURN).select_related("round").order_by("pk")
    last = {one.participant_id: one for one in taken}
    gone = ParticipantState.objects.filter(participant__in=people).exclude(surrender="")
    gave_up = set(gone.values_list("participant_id", flat=True))
    return [
        Seat(
            participant=one,
            awaited=waits_for if waits_for is not None and waits_for.participant_id == one.pk else None,
            last=last.get(one.pk),
            gave_up=one.pk in gave_up,
        )
        for one in people
    ]


def parts(*, found: Sequence[Seat]) -> list[Part]:
    """Return the parts of an open debate's page that tell who is awaited, to everybody and to each seat."""
    if not found:
        return []
    everybody = Part("awaited", "debates/_awaited.html", stirred_by=STIRRED)
    return [everybody, *(Part(one.part, "debates/_seat_state.html", stirred_by=STIRRED, shown=one) for one in found)]


def values(*, debate: Debate, waits_for: AwaitedTurn | None) -> dict[str, Any]:
    goes_on = debate.status == Status.DRAFT.value or Status(debate.status) in IN_PLAY - {Status.CONCLUDING}
    return {
        "awaited": waits_for,
        "goes_on": goes_on,
        "shortest_turn": open_parsing.SHORTEST_TURN,
        "longest_turn": formats_parsing.LONGEST_TEXT,
    }
