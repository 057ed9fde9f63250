"""Where everybody stands: when play starts, after each exchange, and at the end. Blocks of the caller's transaction."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

from debates.models import Debate, Participant, Round, Thread
from debates.types import News, Role
from judging.formats.open.judgements import account_of
from judging.formats.open.results import Seat, options_of, result_of
from judging.formats.open.state import TableBoard
from judging.formats.state import Brief
from judging.models import ParticipantState
from judging.models import Standing as Stood
from judging.rules.standing import Standing
from scoring.enums import FactKind
from scoring.models import Evaluation, Fact
from scoring.services import accounts, rounds
from scoring.services.rounds import Given
from scoring.types import Instrument, Parameters, plain


def open_states(*, debate: Debate) -> None:
    began = debate.started_at
    assert began is not None  # noqa: S101 -- what begins to play was started
    cards = {card["name"]: card for card in debate.parameters["table"]["chairs"]}
    chairs = Participant.objects.filter(debate=debate, role=Role.CHAIR.value)
    ParticipantState.objects.bulk_create(
        ParticipantState(
            participant=one,
            number=0,
            stance=Decimal(cards[one.name]["stance"]),
            conviction=Decimal(cards[one.name]["conviction"]),
            at=began,
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


# -- the end ---------------------------------------------------------------------------------------------------------


def end_accounts(*, thread: Thread) -> list[News]:
    """Complete every account of a locked thread. Each was opened with numbers that counted, so none falls back."""
    news: list[News] = []
    for evaluation in accounts.lock(evaluations=thread.evaluations.values_list("pk", flat=True)):
        news += accounts.complete(evaluation=evaluation).news
    return news
