"""Writing down how a response argued, and counting it for its speaker. Blocks of the caller's transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from typing import Any

from debates.models import Debate, Participant, Thread
from debates.types import News
from judging.formats.open.parsing import Grounds, Judged
from judging.formats.open.repeated import Agreed
from judging.formats.open.results import Seat, options_of
from judging.formats.open.state import Heard, TableBoard
from judging.formats.repeated import ONE, several_told
from judging.formats.rounds import round_on
from judging.formats.state import Brief
from judging.heuristics import adherence
from judging.heuristics.adherence import Flags
from judging.models import ResponseEvaluation
from judging.rules import interjection
from judging.types import Judgement
from scoring.enums import FactKind
from scoring.models import Evaluation, Fact
from scoring.services import accounts, rounds
from scoring.services.accounts import Account
from scoring.services.entries import text as shown
from scoring.services.rounds import Given
from scoring.types import Instrument, Parameters


def evaluated(
    *, brief: Brief, board: TableBoard, about: Seat, made: Agreed, now: datetime
) -> tuple[TableBoard, list[News]]:
    """Write the four marks of a response, and count their total for its speaker."""
    judged: Judged = made.answer
    response = response_of(board, about)
    fact, news = count(brief=brief, board=board, about=about, total=judged.marks.total, now=now)
    row = written(board, about, made=made, fact=fact, now=now)
    options = options_of(brief.parameters)
    due = interjection.interjection(
        accountability=options.accountability, marks=judged.marks, enabled=options.interjections
    )
    after = replace(
        board,
        judged=board.judged | {about.id},
        due={**board.due, about.id: due.value} if due else board.due,
        notes={**board.notes, about.id: tuple(one.notes for one in parts_of(judged).values() if one.notes)},
    )
    return after, [told(board, about, response, row), *news]


def written(board: TableBoard, about: Seat, *, made: Agreed, fact: Fact, now: datetime) -> ResponseEvaluation:
    judged: Judged = made.answer
    found = interjection.violations(marks=judged.marks)
    return ResponseEvaluation.objects.create(
        turn_id=response_of(board, about).turn,
        round_id=board.round_id,
        state=Judgement.SCORED.value,
        fact=fact,
        **glance(board, about).columns,
        steel_manning=judged.marks.steel_manning,
        self_critique=judged.marks.self_critique,
        consistency=judged.marks.consistency,
        honesty=judged.marks.honesty,
        steel_attempted=judged.steel_attempted,
        critique_attempted=judged.critique_attempted,
        violations=judged.marks.violations,
        issues=list(judged.issues),
        requires_interjection=bool(found),
        violation=found[0].value if found else "",
        grounds=grounds_of(judged),
        from_cache=made.call.known,
        call=made.call,
        at=now,
        **made.kept.get("", ONE).columns,
    )


def unjudged(*, board: TableBoard, about: Seat, state: Judgement, now: datetime) -> tuple[TableBoard, list[News]]:
    """Write that a response was only looked at quickly, or could not be judged: no number, no fact, no interjection."""
    response = response_of(board, about)
    look = glance(board, about)
    flags = look if state is Judgement.QUICK else None
    row = ResponseEvaluation.objects.create(
        turn_id=response.turn,
        round_id=board.round_id,
        state=state.value,
        **look.columns,
        steel_attempted=flags.steel_manning if flags else None,
        critique_attempted=flags.self_critique if flags else None,
        at=now,
    )
    return replace(board, judged=board.judged | {about.id}), [told(board, about, response, row)]


def glance(board: TableBoard, about: Seat) -> Flags:
    """Look at a response quickly, which costs no call: what a full judgement says stands beside it, or nothing."""
    others = [seat.name for seat in board.seats if seat.id != about.id]
    return adherence.quick(text=response_of(board, about).text, opponents=others, own=[about.name])


def told(board: TableBoard, about: Seat, response: Heard, row: ResponseEvaluation) -> News:
    marks = {
        "steelManning": row.steel_manning,
        "selfCritique": row.self_critique,
        "consistency": row.consistency,
        "honesty": row.honesty,
        "total": row.fact.amount if row.fact else None,
    }
    return News(
        "response:evaluated",
        {
            "turn": response.public_id,
            "participant": about.public_id,
            "round": board.number,
            "state": row.state,
            **{name: shown(value) for name, value in marks.items() if value is not None},
            **several_told(row),
        },
    )


def response_of(board: TableBoard, about: Seat) -> Heard:
    found = board.response(about.id)
    assert found is not None  # noqa: S101 -- only what was said is judged
    return found


def parts_of(judged: Judged) -> Mapping[str, Grounds]:
    return {
        "steel_manning": judged.steel_manning,
        "self_critique": judged.self_critique,
        "consistency": judged.consistency,
        "honesty": judged.honesty,
    }


def grounds_of(judged: Judged) -> dict[str, Any]:
    parts: dict[str, Any] = {
        name: {"notes": one.notes, "quotes": list(one.quotes)} for name, one in parts_of(judged).items()
    }
    parts["consistency"]["violations"] = list(judged.violations)
    return parts


def count(
    *, brief: Brief, board: TableBoard, about: Seat, total: Decimal, now: datetime
) -> tuple[Fact, Sequence[News]]:
    """Count the total of a response: open the speaker's account with the first, add to it with each further one."""
    played = round_on(board)
    speaker = Participant.objects.get(pk=about.id)
    given = [Given(FactKind.RESPONSE, total, participant=speaker)]
    known = {"thread_id": board.thread_id, "instrument": Instrument.ADHERENCE.value, "key": key_of(about)}
    found = Evaluation.objects.filter(**known).values_list("pk", flat=True).first()
    if found is not None:
        [evaluation] = accounts.lock(evaluations=[found])
        counted = rounds.count(evaluation=evaluation, round=played, given=given, now=now)
        return counted.facts[0], counted.news
    opened = accounts.open_in_round(
        debate=Debate.objects.get(pk=brief.debate_id),
        account=account_of(about, speaker, Instrument.ADHERENCE, board.thread_id, total),
        parameters=Parameters.from_snapshot(brief.parameters["score"]),
        round=played,
        given=given,
        now=now,
    )
    return opened.facts[0], opened.news


def account_of(seat: Seat, speaker: Participant, instrument: Instrument, thread_id: int, initial: Decimal) -> Account:
    return Account(
        thread=Thread.objects.get(pk=thread_id),
        instrument=instrument,
        key=key_of(seat),
        name=seat.name,
        position=seat.position,
        initial_score=initial,
        participant=speaker,
    )


def key_of(seat: Seat) -> str:
    return f"chair-{seat.position}"
