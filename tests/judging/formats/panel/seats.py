"""Panels in which somebody judges who is no engine: their seats, their ballots."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone

from debates.models import AwaitedTurn, Ballot, Debate, Participant
from debates.services import seats
from judging.engine import ballots
from judging.formats.panel.spec import JudgeSeat
from tests import factories
from tests.judging.formats.panel.play import played

PERSON, PROGRAM, SCRIPT = JudgeSeat(kind="human"), JudgeSeat(kind="external"), JudgeSeat(provider="scripted")


def waits(answers: Any, *, sits: Any = (PERSON, PROGRAM, SCRIPT), **options: Any) -> Debate:
    """A panel that waits for ballots: of a person, of a program, and beside them a script judges."""
    return played(answers, seats=list(sits), **options)


def seat_of(debate: Debate, number: int) -> Participant:
    return debate.participants.get(name=f"Judge {number}")


def sit(debate: Debate, number: int, name: str) -> User:
    """Somebody who takes the seat of a judge."""
    person = factories.person(name)
    seats.take(invitation=seats.invite(participant_id=seat_of(debate, number).pk, by=None), by=person)
    return person


def give(
    debate: Debate, number: int, by: User, said: Mapping[str, Any], *, now: datetime | None = None, seen: int = 0
) -> Ballot:
    seat, given_at = seat_of(debate, number).pk, now or timezone.now()
    return ballots.give(seat_id=seat, by=by, answer=json.dumps(said), now=given_at, seen=seen)


def awaited(debate: Debate, number: int) -> AwaitedTurn:
    return AwaitedTurn.objects.filter(participant=seat_of(debate, number)).latest("id")
