"""What a criterion debate reads: its options, its criteria, and what has been said about each challenge."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from debates.models import Turn
from debates.types import TurnKind
from judging.formats import parsing
from judging.formats.state import Brief, Point
from judging.models import Call, Challenge
from judging.types import CriterionCard, Exchange, Outcome, Purpose, Reply, Severity

CHALLENGER, EVALUATOR = "challenger", "evaluator"


@dataclass(frozen=True, slots=True)
class Options:
    """How a criterion debate is played, as it was created."""

    personas: tuple[str, ...]
    challenges_per_criterion: int
    at_end: bool


def options_of(brief: Brief) -> Options:
    play = brief.parameters["play"]
    return Options(
        personas=tuple(play["personas"]),
        challenges_per_criterion=play["challenges_per_criterion"],
        at_end=play["score_updates"] == "at_end",
    )


def card_of(brief: Brief, code: str) -> CriterionCard:
    row = next(one for one in brief.parameters["rubric"]["criteria"] if one["code"] == code)
    return CriterionCard(**{name: row[name] for name in ("code", "name", "category", "question", "high", "low")})


def assessments(*, debate_id: int) -> Mapping[str, tuple[Decimal, Decimal]]:
    """Return the assessments that were given so far: {criterion: (score, confidence)}."""
    calls = Call.objects.filter(
        debate_id=debate_id, purpose=Purpose.ASSESS.value, outcome=Outcome.USED.value
    ).select_related("thread")
    found = {}
    for call in calls:
        given = parsing.assessment(call.raw_answer)
        if call.thread is not None:
            found[call.thread.key] = (given.score, given.confidence)
    return found


def points_of(*, thread_id: int, run: int, number: int) -> tuple[Point, ...]:
    """Return the challenges of a thread's run with everything said about them up to a round."""
    rows = list(Challenge.objects.filter(thread_id=thread_id, run_number=run).select_related("turn"))
    if not rows:
        return ()
    rows_said = Turn.objects.filter(round__thread_id=thread_id, round__run_number=run)
    said: dict[str, list[tuple[int, str, str]]] = {row.label: [] for row in rows}
    replies: dict[str, tuple[int, Reply]] = {}
    put: dict[str, int] = {}
    for turn in rows_said.select_related("round", "defence").order_by("id"):
        kind, _, label = turn.slot.partition(":")
        at = turn.round.number if turn.round else 0
        said[label].append((at, CHALLENGER if kind == TurnKind.CHALLENGE.value else EVALUATOR, turn.text))
        if kind == TurnKind.DEFENCE.value:
            replies[label] = (at, Reply(turn.defence.reply))
        elif at == number:
            put[label] = turn.pk
    return tuple(point_of(row, said=said, put=put, replies=replies, number=number) for row in rows)


def point_of(
    row: Challenge,
    *,
    said: dict[str, list[tuple[int, str, str]]],
    put: dict[str, int],
    replies: dict[str, tuple[int, Reply]],
    number: int,
) -> Point:
    """Return one challenge as the board shows it in round ``number``."""
    at, reply = replies.get(row.label, (0, None))
    return Point(
        id=row.pk,
        label=row.label,
        persona=row.persona,
        severity=Severity(row.severity),
        quote=row.quote,
        said=tuple(said[row.label]),
        put_turn=put.get(row.label),
        reply=reply if at == number else None,
        conceded=reply is Reply.CONCEDE and at < number,
    )


def exchange_of(point: Point) -> Exchange:
    return Exchange(
        label=point.label,
        persona=point.persona,
        severity=point.severity,
        quote=point.quote,
        said=point.said,
        reply=point.reply,
    )
