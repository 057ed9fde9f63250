"""Format ``criterion``: a red team challenges, an evaluator defends, an arbiter rules and moves a criterion's score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from debates.models import Round, Thread, Turn
from debates.types import News, Role, ThreadStatus, TurnKind
from judging import parsing, prompts
from judging.answers import Defended, Pressed, Raised, Ruled
from judging.board import Ask, Board, Brief, Close, Finish, Point, Step
from judging.formats import turns
from judging.formats.turns import Said, Speaker
from judging.models import Call, Challenge, Defence, Verdict
from judging.types import Exchange, Material, Outcome, Purpose, Reply, Request, Severity
from scoring.guards import refusals
from scoring.kinds import FactKind
from scoring.models import Evaluation
from scoring.rules import warnings
from scoring.services import accounts, alerts, rounds
from scoring.services.entries import text as shown
from scoring.services.rounds import Given
from scoring.types import Finding

CHALLENGER, EVALUATOR = "challenger", "evaluator"


class Criterion:
    """One thread per criterion, played in parallel; every round puts the open challenges, answers and judges them."""

    def board(self, *, thread: Thread, number: int) -> Board:
        """Return what is known of a locked thread at a round, read from the database; the round may not be open yet."""
        evaluation = Evaluation.objects.get(thread=thread)
        run = thread.run_number
        board = Board(
            thread_id=thread.pk,
            key=evaluation.key,
            run=run,
            fence=thread.fence,
            number=number,
            round_id=0,
            evaluation_id=evaluation.pk,
            initial=evaluation.initial_score,
            value=evaluation.value,
        )
        if thread.status == ThreadStatus.PENDING.value:
            return board  # nothing was said in this run yet
        used = Call.objects.filter(
            thread=thread, run_number=run, round_number=number, outcome=Outcome.USED.value
        ).values_list("purpose", flat=True)
        points = points_of(thread_id=thread.pk, run=run, number=number)
        return replace(board, points=points, done=frozenset(Purpose(one) for one in used))

    def next_board(self, *, board: Board) -> Board:
        """Return the board of the round that follows a closed one: what was conceded is no longer open."""
        points = tuple(
            replace(point, put_turn=None, reply=None, conceded=point.conceded or point.reply is Reply.CONCEDE)
            for point in board.points
        )
        return replace(board, number=board.number + 1, round_id=0, points=points, done=frozenset())

    def next_step(self, *, brief: Brief, board: Board) -> Step:
        """Put the challenges, have them answered, have the answers judged; stop when nothing is open."""
        if board.number > 1 and not board.open:
            return Finish("nothing_left_open")
        put = Purpose.CHALLENGE if board.number == 1 else Purpose.PRESS
        if put not in board.done:
            return Ask(put, Role.CHALLENGER)
        if not board.points:
            return Finish("no_challenges")
        if Purpose.DEFEND not in board.done:
            return Ask(Purpose.DEFEND, Role.EVALUATOR)
        if not any(point.reply for point in board.open):
            return Close()
        return Ask(Purpose.JUDGE, Role.ARBITER)

    def calls_left(self, *, board: Board) -> int:
        """A round takes three calls: put, answer, judge."""
        return 3 - len(board.done & {Purpose.CHALLENGE, Purpose.PRESS, Purpose.DEFEND, Purpose.JUDGE})

    def request(self, *, brief: Brief, board: Board, ask: Ask, attempt: int) -> Request:
        """Return the question to put, with everything a provider may read as data."""
        shown_points = [point for point in board.open if ask.purpose is not Purpose.JUDGE or point.reply]
        material = Material(
            subject_title=brief.title,
            subject=brief.subject,
            criterion=brief.cards[board.key],
            round=board.number,
            rounds=brief.rounds,
            personas=brief.personas,
            exchanges=tuple(exchange_of(point) for point in shown_points),
            initial_score=board.initial,
            score=board.value,
        )
        prompt, _, _ = prompts.load(ask.purpose)
        return Request(
            purpose=ask.purpose,
            prompt=prompt,
            messages=prompts.messages(purpose=ask.purpose, material=material),
            schema={},
            material=material,
            model=brief.voices[ask.role].model,
            thread=board.key,
            round=board.number,
            attempt=attempt,
            script=brief.script,
        )

    def read(self, *, brief: Brief, board: Board, ask: Ask, text: str) -> Any:
        """Return the answer as values.

        Raises: ``AnswerRejected``.
        """
        open_labels = [point.label for point in board.open]
        match ask.purpose:
            case Purpose.CHALLENGE:
                return parsing.challenges(text, keep=brief.challenges_per_criterion, personas=brief.personas)
            case Purpose.PRESS:
                return parsing.presses(text, labels=open_labels)
            case Purpose.DEFEND:
                return parsing.defences(text, labels=open_labels)
            case _:
                return parsing.verdicts(text, labels=[point.label for point in board.open if point.reply])

    def write(
        self, *, brief: Brief, board: Board, ask: Ask, answer: Any, call: Call, round: Round | None, now: datetime
    ) -> tuple[Board, list[News]]:
        """Write an answer down inside the caller's transaction; return the board after it and what to tell."""
        match ask.purpose:
            case Purpose.CHALLENGE:
                after, news = put_challenges(brief=brief, board=board, raised=answer, now=now)
            case Purpose.PRESS:
                after, news = press_challenges(brief=brief, board=board, pressed=answer, now=now)
            case Purpose.DEFEND:
                after, news = put_defences(brief=brief, board=board, given=answer, now=now)
            case _:
                assert round is not None  # noqa: S101 -- a ruling closes its round
                after, news = rule(brief=brief, board=board, ruled=answer, call=call, round=round, now=now)
        return replace(after, done=after.done | {ask.purpose}), news


# -- reading ---------------------------------------------------------------------------------------------------------


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
    """Return a challenge as providers read it."""
    return Exchange(
        label=point.label,
        persona=point.persona,
        severity=point.severity,
        quote=point.quote,
        said=point.said,
        reply=point.reply,
    )


# -- writing ---------------------------------------------------------------------------------------------------------


def speaker(*, brief: Brief, board: Board, role: Role, kind: TurnKind) -> Speaker:
    """Return who speaks in a round of a criterion's thread."""
    return Speaker(
        debate_id=brief.debate_id,
        participant_id=brief.voices[role].id,
        role=role,
        kind=kind,
        thread_id=board.thread_id,
        round_id=board.round_id,
        evaluation_id=board.evaluation_id,
        told={"criterion": board.key, "round": board.number},
    )


def challenge_slot(label: str) -> str:
    """Return the place that a challenge fills in a round."""
    return f"{TurnKind.CHALLENGE.value}:{label}"


def put_challenges(*, brief: Brief, board: Board, raised: Sequence[Raised], now: datetime) -> tuple[Board, list[News]]:
    """Write the challenges of round 1, labelled C1, C2, ... by severity."""
    labels = [f"C{number}" for number in range(1, len(raised) + 1)]
    said = [Said(challenge_slot(label), one.text) for label, one in zip(labels, raised, strict=True)]
    who = speaker(brief=brief, board=board, role=Role.CHALLENGER, kind=TurnKind.CHALLENGE)
    written, news = turns.write(speaker=who, said=said, now=now)
    rows = Challenge.objects.bulk_create(
        Challenge(
            thread_id=board.thread_id,
            run_number=board.run,
            label=label,
            persona=one.persona,
            severity=one.severity.value,
            quote=one.quote,
            turn=turn,
        )
        for label, one, turn in zip(labels, raised, written, strict=True)
    )
    points = tuple(
        Point(
            id=row.pk,
            label=row.label,
            persona=row.persona,
            severity=one.severity,
            quote=row.quote,
            said=((board.number, CHALLENGER, one.text),),
            put_turn=row.turn_id,
        )
        for row, one in zip(rows, raised, strict=True)
    )
    return replace(board, points=points), news


def press_challenges(
    *, brief: Brief, board: Board, pressed: Sequence[Pressed], now: datetime
) -> tuple[Board, list[News]]:
    """Write what the red team presses further; a challenge it lets lie stays open as it was."""
    said = [Said(challenge_slot(one.label), one.text) for one in pressed]
    who = speaker(brief=brief, board=board, role=Role.CHALLENGER, kind=TurnKind.CHALLENGE)
    written, news = turns.write(speaker=who, said=said, now=now)
    new = {one.label: (one, turn) for one, turn in zip(pressed, written, strict=True)}
    points = tuple(
        replace(
            point,
            said=(*point.said, (board.number, CHALLENGER, new[point.label][0].text)),
            put_turn=new[point.label][1].pk,
        )
        if point.label in new
        else point
        for point in board.points
    )
    return replace(board, points=points), news


def put_defences(*, brief: Brief, board: Board, given: Sequence[Defended], now: datetime) -> tuple[Board, list[News]]:
    """Write the evaluator's answers; a challenge without one is unanswered in this round and gets no verdict."""
    by_label = {point.label: point for point in board.points}
    said = [
        Said(f"{TurnKind.DEFENCE.value}:{one.label}", one.text, answers=by_label[one.label].put_turn) for one in given
    ]
    who = speaker(brief=brief, board=board, role=Role.EVALUATOR, kind=TurnKind.DEFENCE)
    written, news = turns.write(speaker=who, said=said, now=now)
    Defence.objects.bulk_create(
        Defence(turn=turn, challenge_id=by_label[one.label].id, round_id=board.round_id, reply=one.reply.value)
        for one, turn in zip(given, written, strict=True)
    )
    replies = {one.label: one for one in given}
    points = tuple(
        replace(
            point,
            said=(*point.said, (board.number, EVALUATOR, replies[point.label].text)),
            reply=replies[point.label].reply,
        )
        if point.label in replies
        else point
        for point in board.points
    )
    return replace(board, points=points), news


def rule(
    *, brief: Brief, board: Board, ruled: Sequence[Ruled], call: Call, round: Round, now: datetime
) -> tuple[Board, list[News]]:
    """Write the verdicts of a round and count them, or only keep them where scores are updated at the end."""
    [evaluation] = accounts.lock(evaluations=[board.evaluation_id])
    by_label = {point.label: point for point in board.points}
    given = [
        Given(FactKind.VERDICT, one.adjustment, one.impact, one.confidence, parts={"winner": one.winner.value})
        for one in ruled
    ]
    facts = rounds.keep(evaluation=evaluation, round=round, given=given, now=now)
    with refusals():
        Verdict.objects.bulk_create(
            Verdict(
                fact=fact,
                challenge_id=by_label[one.label].id,
                round=round,
                winner=one.winner.value,
                reasoning=one.reasoning,
                call=call,
            )
            for one, fact in zip(ruled, facts, strict=True)
        )
    news = [
        News(
            "verdict:issued",
            {
                "verdict": str(fact.public_id),
                "criterion": board.key,
                "round": board.number,
                "challenge": one.label,
                "winner": one.winner.value,
                "adjustment": shown(one.adjustment),
                "impact": shown(one.impact),
            },
        )
        for one, fact in zip(ruled, facts, strict=True)
    ]
    news += alerts.raise_alerts(
        debate=evaluation.debate,
        evaluation=evaluation,
        found=mismatches(ruled),
        facts=[fact.pk for fact in facts],
        salt="verdicts",
    )
    if not brief.at_end:
        news += rounds.count_kept(evaluation=evaluation, round=round, facts=facts).news
    return replace(board, value=evaluation.value), news


def mismatches(ruled: Sequence[Ruled]) -> list[Finding]:
    """Return a finding for every verdict whose numbers go against the side it calls the winner."""
    found = (
        warnings.winner_sign_mismatch(winner=one.winner.value, adjustment=one.adjustment, impact=one.impact)
        for one in ruled
    )
    return [one for one in found if one is not None]
