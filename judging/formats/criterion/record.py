"""What a criterion debate writes: challenges, defences, verdicts; its accounts, from opening to closing."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from typing import Any

from debates import prepared_statements
from debates.decimals import in_places
from debates.models import Debate, Round, Thread, Turn
from debates.types import News, Role, TurnKind
from judging.formats import turns
from judging.formats.criterion.parsing import Defended, Pressed, Raised, Ruled
from judging.formats.criterion.state import CHALLENGER, EVALUATOR, AgreedRuling, CriterionThreadState, Point, options_of
from judging.formats.repeated import several_told
from judging.formats.state import Brief
from judging.formats.turns import Said, Speaker
from judging.models import Challenge, Defence, Verdict
from judging.types import EarlierRuling
from scoring.constraint_errors import refusals
from scoring.enums import FactKind
from scoring.models import Evaluation, Fact
from scoring.rules import warnings
from scoring.services import accounts, alerts, rounds
from scoring.services.rounds import Given
from scoring.types import Instrument


def speaker(*, brief: Brief, board: CriterionThreadState, role: Role, kind: TurnKind) -> Speaker:
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
    return f"{TurnKind.CHALLENGE.value}:{label}"


def put_challenges(
    *, brief: Brief, board: CriterionThreadState, raised: Sequence[Raised], now: datetime
) -> tuple[CriterionThreadState, list[News]]:
    """Write the challenges of round 1, labelled C1, C2, ... by severity."""
    labels = [f"C{number}" for number in range(1, len(raised) + 1)]
    said = [Said(challenge_slot(label), challenge.text) for label, challenge in zip(labels, raised, strict=True)]
    who = speaker(brief=brief, board=board, role=Role.CHALLENGER, kind=TurnKind.CHALLENGE)
    written, news = turns.write(speaker=who, said=said, now=now)
    rows = prepared_statements.insert(
        challenge(board, raised_challenge, label=label, turn=turn)
        for label, raised_challenge, turn in zip(labels, raised, written, strict=True)
    )
    points = tuple(
        Point(
            id=row.pk,
            label=row.label,
            persona=row.persona,
            severity=challenge.severity,
            quote=row.quote,
            said=((board.number, CHALLENGER, challenge.text),),
            put_turn=row.turn_id,
        )
        for row, challenge in zip(rows, raised, strict=True)
    )
    return replace(board, points=points), news


def challenge(board: CriterionThreadState, raised: Raised, *, label: str, turn: Turn) -> Challenge:
    """Return a challenge as a row, not written yet."""
    return Challenge(
        thread_id=board.thread_id,
        run_number=board.run,
        label=label,
        persona=raised.persona,
        severity=raised.severity.value,
        quote=raised.quote,
        turn=turn,
    )


def press_challenges(
    *, brief: Brief, board: CriterionThreadState, pressed: Sequence[Pressed], now: datetime
) -> tuple[CriterionThreadState, list[News]]:
    """Write what the red team presses further; a challenge it lets lie stays open as it was."""
    said = [Said(challenge_slot(challenge.label), challenge.text) for challenge in pressed]
    who = speaker(brief=brief, board=board, role=Role.CHALLENGER, kind=TurnKind.CHALLENGE)
    written, news = turns.write(speaker=who, said=said, now=now)
    new = {challenge.label: (challenge, turn) for challenge, turn in zip(pressed, written, strict=True)}
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


def put_defences(
    *, brief: Brief, board: CriterionThreadState, defences: Sequence[Defended], now: datetime
) -> tuple[CriterionThreadState, list[News]]:
    """Write the evaluator's answers; a challenge without one is unanswered in this round and gets no verdict."""
    by_label = {point.label: point for point in board.points}
    said = [
        Said(f"{TurnKind.DEFENCE.value}:{defence.label}", defence.text, answers=by_label[defence.label].put_turn)
        for defence in defences
    ]
    who = speaker(brief=brief, board=board, role=Role.EVALUATOR, kind=TurnKind.DEFENCE)
    written, news = turns.write(speaker=who, said=said, now=now)
    prepared_statements.insert(
        Defence(turn=turn, challenge_id=by_label[defence.label].id, round_id=board.round_id, reply=defence.reply.value)
        for defence, turn in zip(defences, written, strict=True)
    )
    replies = {defence.label: defence for defence in defences}
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
    *, brief: Brief, board: CriterionThreadState, rulings: Sequence[AgreedRuling], round: Round, now: datetime
) -> tuple[CriterionThreadState, list[News]]:
    """Write the verdicts of a round and count them, or only keep them where scores are updated at the end."""
    [evaluation] = accounts.lock(evaluations=[board.evaluation_id])
    facts = rounds.keep(
        evaluation=evaluation,
        round=round,
        new_facts=[given_by(agreed_ruling.ruled) for agreed_ruling in rulings],
        now=now,
    )
    issued = list(zip(rulings, facts, strict=True))
    with refusals():
        prepared_statements.insert(
            verdict(board, agreed_ruling, fact=fact, round=round) for agreed_ruling, fact in issued
        )
    news = [told(board, agreed_ruling, fact=fact) for agreed_ruling, fact in issued]
    for ruling, fact in issued:
        news += warn(evaluation=evaluation, ruling=ruling, fact=fact)
    if not options_of(brief).at_end:
        news += rounds.count_kept(evaluation=evaluation, round=round, facts=facts).news
    return replace(
        board, value=evaluation.value, points=ruled_points(board, [agreed_ruling.ruled for agreed_ruling in rulings])
    ), news


def ruled_points(board: CriterionThreadState, ruled: Sequence[Ruled]) -> tuple[Point, ...]:
    """Return the points of a round that closes, each with how it was ruled on, as later rounds see it."""
    rulings = {
        ruling.label: EarlierRuling(board.number, ruling.winner, ruling.adjustment, ruling.reasoning)
        for ruling in ruled
    }
    return tuple(
        replace(point, rulings=(*point.rulings, rulings[point.label])) if point.label in rulings else point
        for point in board.points
    )


def given_by(ruled: Ruled) -> Given:
    winner = {"winner": ruled.winner.value}
    return Given(FactKind.VERDICT, ruled.adjustment, ruled.impact, ruled.confidence, parts=winner)


def verdict(board: CriterionThreadState, ruling: AgreedRuling, *, fact: Fact, round: Round) -> Verdict:
    """Return a verdict as a row, not written yet."""
    return Verdict(
        fact=fact,
        challenge_id=next(point.id for point in board.points if point.label == ruling.ruled.label),
        round=round,
        winner=ruling.ruled.winner.value,
        reasoning=ruling.ruled.reasoning,
        call=ruling.call,
        **ruling.kept.columns,
    )


def told(board: CriterionThreadState, ruling: AgreedRuling, *, fact: Fact) -> News:
    return News(
        "verdict:issued",
        {
            "verdict": str(fact.public_id),
            "criterion": board.key,
            "round": board.number,
            "challenge": ruling.ruled.label,
            "winner": ruling.ruled.winner.value,
            "adjustment": in_places(ruling.ruled.adjustment),
            "impact": in_places(ruling.ruled.impact),
            **several_told(ruling.kept),
        },
    )


def warn(*, evaluation: Evaluation, ruling: AgreedRuling, fact: Fact) -> list[News]:
    """Raise that the numbers of a ruling go against the side that it calls the winner, if they do.

    Of several rulings each is looked at by itself: what they come to together nobody ruled.
    """
    ruled = ruling.ruled
    own: dict[str, Any] = {"winner": ruled.winner.value, "adjustment": ruled.adjustment, "impact": ruled.impact}
    several = ruling.kept.readings
    findings = (
        warnings.winner_sign_mismatch(
            winner=single["winner"], adjustment=Decimal(single["adjustment"]), impact=Decimal(single["impact"])
        )
        for single in several or (own,)
    )
    place, finding = next(((at, finding) for at, finding in enumerate(findings, start=1) if finding), (0, None))
    if finding is None:
        return []
    named = {"challenge": ruled.label, "verdict": str(fact.public_id)}
    if several:
        order = ", in the other order" if several[place - 1]["swapped"] else ""
        named["ruling"] = f"{place} of {len(several)}{order}"
    return alerts.raise_alerts(
        debate_id=evaluation.debate_id,
        evaluation=evaluation,
        findings=[replace(finding, evidence={**finding.evidence, **named})],
        facts=[fact.pk],
        salt="verdicts",
    )


# How a criterion debate begins and ends: accounts are opened, closed, and looked at as a whole.


def open_accounts(*, debate: Debate, initial: Mapping[str, tuple[Decimal, Decimal]]) -> None:
    """Open an account for every thread of a locked debate that has an initial score."""
    cards = {row["code"]: row for row in debate.parameters["rubric"]["criteria"]}
    for thread in debate.threads.order_by("position"):
        if thread.key not in initial:
            continue
        score, confidence = initial[thread.key]
        card = cards[thread.key]
        evaluation = Evaluation(
            debate=debate,
            thread=thread,
            instrument=Instrument.CRITERION.value,
            key=thread.key,
            name=card["name"],
            category=card["category"],
            weight=Decimal(card["weight"]),
            position=thread.position,
            initial_score=score,
            initial_confidence=confidence,
        )
        accounts.open_criterion(evaluation=evaluation)


def end_accounts(*, thread: Thread, brief: Brief, because: str, partial: bool) -> list[News]:
    """Complete the accounts of a locked thread, or leave them partial.

    Rounds that have counted stay counted; where none has, the score falls back to its initial value.
    """
    news: list[News] = []
    for evaluation in accounts.lock_of_thread(thread.pk):
        if options_of(brief).at_end:
            news += count_waiting(evaluation=evaluation)
        if not partial:
            news += accounts.complete(evaluation=evaluation).news
        news += accounts.fall_back(evaluation=evaluation, reason_code=because)
        news += alerts.after_thread(evaluation=evaluation, facts=rounds.earlier_of(evaluation))
        news.append(ended(evaluation=evaluation, because=because, partial=partial))
    return news


def ended(*, evaluation: Evaluation, because: str, partial: bool) -> News:
    return News(
        "criterion:complete",
        {
            "evaluation": str(evaluation.public_id),
            "criterion": evaluation.key,
            "category": evaluation.category,
            "originalScore": in_places(evaluation.initial_score),
            "finalScore": in_places(evaluation.final_score),
            "rounds": evaluation.debate_round_count,
            "partial": partial,
            "because": because,
        },
    )


def count_waiting(*, evaluation: Evaluation) -> list[News]:
    """Count, in order, the rounds whose facts were kept but wait for the end of the thread."""
    news: list[News] = []
    counted = evaluation.entries.filter(run_number=evaluation.run_number, round__isnull=False)
    waiting = (
        Round.objects.filter(facts__evaluation=evaluation, run_number=evaluation.run_number)
        .exclude(pk__in=counted.values("round_id"))
        .distinct()
        .order_by("number")
    )
    for played in waiting:
        facts = list(evaluation.facts.filter(round=played).select_related("round").order_by("pk"))
        news += rounds.count_kept(evaluation=evaluation, round=played, facts=facts).news
    return news
