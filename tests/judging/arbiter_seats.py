"""Criterion debates whose arbiter is no engine: the seat, and rulings given from it."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone

from debates.models import AwaitedTurn, Ballot, Debate, Participant
from debates.services import seats
from judging.engine import ballots
from tests import factories, playing
from tests.playing import ruling, script

ROUNDS = ([ruling("-1.5", "-0.1"), ruling("0.5", "0.05", challenge="C2")], [ruling("0.25", "0.02")])
"""What is ruled in two rounds; in the second the second challenge is not answered."""


def unruled(rounds: Any = ROUNDS) -> list[dict[str, Any]]:
    """Answers of a red team and an evaluator alone."""
    return [answer for answer in script(rounds) if answer["purpose"] != "judge"]


def waits(*, arbiter: str = "human", rounds: Any = ROUNDS, **options: Any) -> Debate:
    """A criterion debate that waits for its arbiter."""
    debate = playing.debate(unruled(rounds), arbiter=arbiter, **{"rounds": len(rounds), **options})
    playing.work()
    debate.refresh_from_db()
    return debate


def seat_of(debate: Debate) -> Participant:
    return debate.participants.get(role="judge")


def sit(debate: Debate, name: str = "ada") -> User:
    person = factories.person(name)
    seats.take(invitation=seats.invite(participant_id=seat_of(debate).pk, by=None), by=person)
    return person


def awaited(debate: Debate, key: str = "P1") -> AwaitedTurn:
    return AwaitedTurn.objects.filter(participant=seat_of(debate), round__thread__key=key).latest("id")


def rule(
    debate: Debate,
    by: User,
    verdicts: list[Mapping[str, str]],
    *,
    key: str = "P1",
    now: datetime | None = None,
    seen: int = 0,
) -> Ballot:
    return ballots.give(
        seat_id=seat_of(debate).pk,
        by=by,
        answer=json.dumps({"verdicts": verdicts}),
        awaited=awaited(debate, key).public_id,
        seen=seen,
        now=now or timezone.now(),
    )
