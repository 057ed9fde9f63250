"""How a round of a panel ends, and a panel: agreement, another round, or a review."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from functools import partial

from debates.models import Debate, Participant, Round, Thread
from debates.types import News, Role
from judging.formats.criterion.accounts import ended
from judging.formats.panel import deliberation, record
from judging.formats.panel.deliberation import Body
from judging.formats.panel.disputes import Dispute, open_review
from judging.formats.panel.record import Session, keep_silence
from judging.formats.panel.results import policy_of
from judging.formats.panel.state import PanelBoard, bar, section_of, spoken
from judging.formats.state import Brief
from judging.rules.consensus import Check, Reason
from judging.types import ReviewReason
from scoring.services import accounts

CONSENSUS, NO_CONSENSUS, QUORUM_LOST = "consensus", "no_consensus", "quorum_lost"


def shut(*, brief: Brief, board: PanelBoard, played: Round, now: datetime) -> tuple[PanelBoard, list[News]]:
    """Write a round of a locked thread of a locked debate, and say on the board whether it was the last."""
    sections: dict[int, Body] = {}
    calls: dict[int, int] = {}
    for seat in spoken(brief, board):
        read = partial(section_of, brief, board, seat)
        given = {
            place: board.answer_of(board.calls[seat.id][place], text, read=read)
            for place, text in board.answers[seat.id].items()
        }
        place, sections[seat.id] = deliberation.merged(given=given, shares=bar(brief).shares)
        calls[seat.id] = board.calls[seat.id][place]
    debate = Debate.objects.get(pk=brief.debate_id)
    session = Session(
        debate=debate,
        played=played,
        seats=list(Participant.objects.filter(debate=debate, role=Role.JUDGE.value).order_by("position")),
        bar=bar(brief),
        cards=brief.parameters["rubric"]["criteria"],
        policy=policy_of(brief.parameters),
        now=now,
    )
    check, news = record.close_round(session=session, sections=sections, calls=calls)
    because = why_over(check=check, number=board.number, last=session.bar.policy.debate_rounds)
    if because and because != CONSENSUS:
        news += dispute(session=session, check=check, run=board.run)
    kept = _with(board, sections)
    return replace(kept, ended=because), news


def why_over(*, check: Check, number: int, last: int) -> str:
    """Return why a panel is over after a round, as a code; empty: another round follows."""
    if check.agreed:
        return CONSENSUS
    if check.reason is Reason.QUORUM_LOST:
        return QUORUM_LOST
    return NO_CONSENSUS if number >= last else ""


def dispute(*, session: Session, check: Check, run: int) -> list[News]:
    """Open the review of a panel that came to no end by itself."""
    assert check.reason is not None  # noqa: S101 -- it does not agree
    _, news = open_review(
        debate=session.debate,
        dispute=Dispute(
            run_number=run,
            round_number=session.played.number,
            reason_code=ReviewReason(check.reason.value),
            disputed=[session.bar.codes[at] for at in check.disputed],
            policy=session.policy,
        ),
        now=session.now,
    )
    return news


def end_accounts(*, thread: Thread, because: str, partial: bool) -> list[News]:
    """Complete the accounts of a locked thread, or leave them partial: what was counted stays counted."""
    news: list[News] = []
    for evaluation in accounts.lock(evaluations=thread.evaluations.values_list("pk", flat=True)):
        if not partial:
            news += accounts.complete(evaluation=evaluation).news
        news.append(ended(evaluation=evaluation, because=because, partial=partial))
    return news


def _with(board: PanelBoard, sections: dict[int, Body]) -> PanelBoard:
    every = {**board.sections}
    for seat, body in sections.items():
        every[seat] = {**every.get(seat, {}), board.number: body}
    return replace(board, sections=every)


__all__ = ["CONSENSUS", "NO_CONSENSUS", "QUORUM_LOST", "end_accounts", "keep_silence", "shut"]
