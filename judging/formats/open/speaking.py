"""Writing down what is said at the table, and that somebody said nothing. Blocks of the caller's transaction."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from debates.models import Turn
from debates.types import FORFEIT, News, Role, TurnKind
from judging.formats import turns
from judging.formats.open.questions import strategy_of
from judging.formats.open.state import INTRODUCTION, Heard, TableBoard
from judging.formats.state import Ask, Brief
from judging.formats.turns import Said, Speaker
from judging.types import Purpose

KINDS = {Purpose.OPEN: TurnKind.OPENING, Purpose.RESPOND: TurnKind.RESPONSE}


def speak(*, brief: Brief, board: TableBoard, ask: Ask, text: str, now: datetime) -> tuple[TableBoard, list[News]]:
    seat = board.seat(ask.participant)
    speaker = speaker_of(
        brief=brief, board=board, by=seat.id, role=Role.CHAIR, kind=KINDS[ask.purpose], of=seat.public_id
    )
    said = Said(f"{KINDS[ask.purpose].value}:{seat.id}", text, last_of(board), strategy_of(seat, board).value)
    [turn], news = turns.write(speaker=speaker, said=[said], now=now)
    return heard_too(replace(board, taken=board.taken | {seat.id}), turn, seat.name), news


def last_of(board: TableBoard) -> int | None:
    """Return what a turn answers: whatever a chair said last."""
    chairs = {one.id for one in board.seats}
    return next((one.turn for one in reversed(board.heard) if one.speaker in chairs), None)


def introduce(*, brief: Brief, board: TableBoard, text: str, now: datetime) -> tuple[TableBoard, list[News]]:
    speaker = speaker_of(brief=brief, board=board, by=board.arbiter, role=Role.ARBITER, kind=TurnKind.OPENING)
    [turn], news = turns.write(speaker=speaker, said=[Said(INTRODUCTION, text)], now=now)
    return heard_too(replace(board, introduced=True), turn, brief.voices[Role.ARBITER].name), news


def interject(
    *, brief: Brief, board: TableBoard, about: int, text: str, now: datetime
) -> tuple[TableBoard, list[News]]:
    seat = board.seat(about)
    response = board.response(about)
    speaker = speaker_of(
        brief=brief, board=board, by=board.arbiter, role=Role.ARBITER, kind=TurnKind.INTERJECTION, of=seat.public_id
    )
    said = Said(f"{TurnKind.INTERJECTION.value}:{about}", text, response.turn if response else None)
    [turn], news = turns.write(speaker=speaker, said=[said], now=now)
    told = News(
        "arbiter:interjection",
        {
            "turn": str(turn.public_id),
            "participant": seat.public_id,
            "round": board.number,
            "violation": board.due[about],
        },
    )
    return heard_too(replace(board, told=board.told | {about}), turn, brief.voices[Role.ARBITER].name), [*news, told]


def forfeit(*, brief: Brief, board: TableBoard, by: int, because: str, now: datetime) -> list[News]:
    """Write down that a chair said nothing when it was its turn; the debate goes on."""
    kind = TurnKind.RESPONSE if board.number else TurnKind.OPENING
    Turn.objects.create(
        debate_id=brief.debate_id,
        thread_id=board.thread_id,
        round_id=board.round_id,
        participant_id=by,
        kind=kind.value,
        slot=f"{FORFEIT}:{by}",
        text="",
        at=now,
    )
    seat = board.seat(by)
    data = {"criterion": board.key, "round": board.number, "participant": seat.public_id, "because": because}
    return [News("turn:forfeited", data)]


def speaker_of(
    *, brief: Brief, board: TableBoard, by: int, role: Role, kind: TurnKind, of: str | None = None
) -> Speaker:
    told = {"criterion": board.key, "round": board.number, **({"participant": of} if of else {})}
    return Speaker(
        debate_id=brief.debate_id,
        participant_id=by,
        role=role,
        kind=kind,
        thread_id=board.thread_id,
        round_id=board.round_id,
        told=told,
    )


def heard_too(board: TableBoard, turn: Turn, name: str) -> TableBoard:
    heard = Heard(turn.pk, str(turn.public_id), turn.participant_id, name, turn.kind, turn.text, board.number)
    return replace(board, heard=(*board.heard, heard))
