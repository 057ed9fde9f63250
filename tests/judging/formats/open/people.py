"""Open debates in which somebody speaks who is no engine."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone

from debates.models import AwaitedTurn, Debate, Participant, Turn
from debates.services import seats
from judging.engine import human_turns
from tests import factories
from tests.judging.formats.open.playing import KONRAD, MIRA, started
from tests.playing import work

SAID = "A ward is safe when everybody in it is; I grant that doubt has its reasons."
HOUR = timedelta(hours=1)


def waits(*, kind: str = "human", **wanted: Any) -> Debate:
    """A debate of Mira, whom the heuristics speak for, and Konrad, who is a person; it waits for his opening."""
    about = {"chairs": (MIRA, replace(KONRAD, kind=kind)), "exchanges": 1, "turn_seconds": 3600, **wanted}
    debate = started(**about)
    work()
    return Debate.objects.get(pk=debate.pk)


def konrad(debate: Debate, name: str = "konrad") -> User:
    """Somebody who takes Konrad's seat."""
    person = factories.person(name)
    seats.take(invitation=seats.invite(participant_id=seat_of(debate).pk, by=None), by=person)
    return person


def seat_of(debate: Debate) -> Participant:
    return debate.participants.get(name="Konrad")


def awaited(debate: Debate) -> AwaitedTurn:
    return AwaitedTurn.objects.filter(round__thread__debate=debate).latest("id")


def speak(debate: Debate, by: User, text: str = SAID, *, now: datetime | None = None, **more: Any) -> Turn:
    return human_turns.speak(seat_id=seat_of(debate).pk, by=by, text=text, now=now or timezone.now(), **more)
