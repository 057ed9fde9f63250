"""Where everybody stands: when play starts, after each exchange, and at the end. Blocks of the caller's transaction."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.utils import timezone

from debates.models import Debate, Participant, Round, Thread
from debates.types import News, Role
from judging.board import Brief
from judging.formats.open.board import Options, Seat, TableBoard, options_of, seats_of
from judging.formats.open.judgements import account_of
from judging.models import ParticipantState
from judging.models import Standing as Stood
from judging.rules import standing
from judging.rules.standing import Result, Standing, Voice
from scoring.kinds import FactKind
from scoring.models import Evaluation, Fact
from scoring.services import accounts, rounds
from scoring.services.entries import text as shown
from scoring.services.rounds import Given
from scoring.types import Instrument, Parameters, plain


def open_states(*, debate: Debate, now: datetime | None = None) -> None:
    """Write where everybody stands when a locked debate begins to play."""
    cards = {card["name"]: card for card in debate.parameters["table"]["chairs"]}
    chairs = Participant.objects.filter(debate=debate, role=Role.CHAIR.value)
    ParticipantState.objects.bulk_create(
        ParticipantState(
            participant=one,
            number=0,
            stance=Decimal(cards[one.name]["stance"]),
            conviction=Decimal(cards[one.name]["conviction"]),
            at=now or timezone.now(),
        )
        for one in chairs.order_by("position")
    )


def stand(*, brief: Brief, board: TableBoard, played: Round, now: datetime) -> list[News]:
    """Write where everybody stands after a round: open their accounts in round 0, count the new standing later."""
    options = options_of(brief.parameters)
    if not options.persuasion:
        return []
    found = {one.name: one for one in result_of(board.seats, options).standings}
    news: list[News] = []
    if board.number == 0:
        for seat in board.seats:
            news += opened(brief=brief, board=board, seat=seat, stood=found[seat.name], played=played, now=now)
        return news
    rows = Evaluation.objects.filter(thread_id=board.thread_id, instrument=Instrument.STANDING.value)
    by_person = {seat.id: seat for seat in board.seats}
    for evaluation in accounts.lock(evaluations=rows.values_list("pk", flat=True)):
        seat = by_person[evaluation.participant_id or 0]
        stood = found[seat.name]
        counted = rounds.count(evaluation=evaluation, round=played, given=[given(seat, stood)], now=now)
        keep(counted.facts[0], seat, stood, played)
        news += counted.news
    return news


def opened(*, brief: Brief, board: TableBoard, seat: Seat, stood: Standing, played: Round, now: datetime) -> list[News]:
    """Open the standing of one participant."""
    account = account_of(seat, Participant.objects.get(pk=seat.id), Instrument.STANDING, board.thread_id, stood.total)
    made = accounts.open_in_round(
        debate=Debate.objects.get(pk=brief.debate_id),
        account=account,
        parameters=Parameters.from_snapshot(brief.parameters["score"]),
        round=played,
        given=[given(seat, stood)],
        now=now,
    )
    keep(made.facts[0], seat, stood, played)
    return list(made.news)


def given(seat: Seat, stood: Standing) -> Given:
    """Return a standing as the ledger takes it: the total, with the parts it is made of."""
    parts = {name: plain(value) for name, value in stood.parts().items()}
    return Given(FactKind.STANDING, stood.total, participant=Participant(pk=seat.id), parts=parts)


def keep(fact: Fact, seat: Seat, stood: Standing, played: Round) -> None:
    Stood.objects.create(fact=fact, round=played, participant_id=seat.id, **stood.parts())


def result_of(seats: tuple[Seat, ...], options: Options) -> Result:
    """Return all standings, the winner and the kind of victory, as it is now."""
    return standing.result(voices=[voice_of(one) for one in seats], credit=options.credit)


def voice_of(one: Seat) -> Voice:
    return Voice(
        name=one.name,
        stance=one.state.stance,
        conviction=one.state.conviction,
        persuasions=one.state.persuasions,
        attacks=one.state.attacks,
        surrendered=not one.active,
        persuaded_by=one.persuaded_by,
        surrendered_to=one.surrendered_to,
    )


# -- the end ---------------------------------------------------------------------------------------------------------


def end_accounts(*, thread: Thread) -> list[News]:
    """Complete every account of a locked thread. Each was opened with numbers that counted, so none falls back."""
    news: list[News] = []
    for evaluation in accounts.lock(evaluations=thread.evaluations.values_list("pk", flat=True)):
        news += accounts.complete(evaluation=evaluation).news
    return news


def numbers(*, debate: Debate) -> dict[str, Any]:
    """Return what an open debate comes to: who won and how, where everybody stands, how fairly they argued.

    Shape: decimals are strings; what is not evaluated is null; people by name, in speaking order.
    Source: docs/reference/open-debates.md#the-result
    """
    people = list(Participant.objects.filter(debate=debate).order_by("position"))
    seats = seats_of(debate_id=debate.pk, people=people, parameters=debate.parameters)
    options = options_of(debate.parameters)
    adherence = finals(debate, Instrument.ADHERENCE)
    told: dict[str, Any] = {
        "overall": None,
        "exchanges": debate.threads.get().rounds.filter(number__gt=0, closed_at__isnull=False).count(),
        "winner": None,
        "victory": None,
        "scores": {},
        "surrendered": [one.name for one in seats if not one.active],
        "states": {one.name: state_told(one) for one in seats},
        "adherence": {one.name: adherence.get(one.id) for one in seats},
    }
    if options.persuasion:
        found = result_of(seats, options)
        scores = finals(debate, Instrument.STANDING)
        told |= {
            "winner": found.winner,
            "victory": found.victory.value,
            "scores": {one.name: scores.get(one.id) for one in seats},
        }
    return told


def finals(debate: Debate, instrument: Instrument) -> Mapping[int, Any]:
    """Return the final score of everybody on an instrument, as text."""
    rows = Evaluation.objects.filter(debate=debate, instrument=instrument.value)
    return {one.participant_id or 0: shown(one.final_score) for one in rows}


def state_told(one: Seat) -> dict[str, Any]:
    return {
        "stance": shown(one.state.stance),
        "conviction": shown(one.state.conviction),
        "surrendered": one.state.surrender.value if one.state.surrender else None,
        "position": standing.position(stance=one.state.stance).value,
    }
