"""Writing a panel down: a judge who cannot be read, and a whole round at once. Blocks of the caller's transaction."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from functools import partial
from types import MappingProxyType
from typing import Any

from django.db import transaction

from debates.decimals import in_places
from debates.errors import Invalid
from debates.models import Debate, Participant, Round, Thread
from debates.types import News, Role, TurnKind
from judging.formats import turns
from judging.formats.criterion.record import ended
from judging.formats.panel import deliberation
from judging.formats.panel import reports as panel_reports
from judging.formats.panel.deliberation import Bar, Body
from judging.formats.panel.results import bar_of, policy_of
from judging.formats.panel.state import PanelThreadState, section_of, spoken
from judging.formats.state import Brief
from judging.formats.turns import Said, Speaker
from judging.models import Consensus, JudgeReport, JudgeScore, Review
from judging.rules import consensus
from judging.rules.consensus import Check
from judging.types import NotAssessed, ReviewReason, Unable
from scoring.enums import FactKind
from scoring.models import Evaluation, Fact
from scoring.rules import numbers
from scoring.services import accounts, rounds
from scoring.services.rounds import Given
from scoring.types import Instrument

SHOWN_PLACES = 6


@dataclass(frozen=True, slots=True)
class Session:
    """A round of a locked thread of a locked debate that is written now.

    Shape: ``seats`` are the judges in their order; ``cards`` the criteria as the debate keeps them; ``policy`` what is
    kept with the decision.
    """

    debate: Debate
    played: Round
    seats: Sequence[Participant]
    bar: Bar
    cards: Sequence[Mapping[str, Any]]
    policy: Mapping[str, Any]
    now: datetime


def keep_silence(
    *, debate_id: int, round_id: int, participant_id: int, now: datetime, body: Body = MappingProxyType({})
) -> None:
    """Write down that a judge could not be read in a round: it abstains, and keeps its place in the quorum.

    Shape: ``body`` says why, where the judge itself says that it cannot judge the subject.
    """
    JudgeReport.objects.get_or_create(
        round_id=round_id,
        participant_id=participant_id,
        defaults={"debate_id": debate_id, "readable": False, "body": dict(body), "at": now},
    )


def abstain(*, brief: Brief, board: PanelThreadState, by: int, because: str, now: datetime) -> list[News]:
    """Write down that no ballot comes: the judge abstains, and keeps its place in the quorum."""
    news = turns.forfeit(brief=brief, board=board, by=by, kind=TurnKind.REPORT, because=because, now=now)
    keep_silence(debate_id=brief.debate_id, round_id=board.round_id, participant_id=by, now=now)
    return news


def close_round(
    *, session: Session, sections: Mapping[int, Body], calls: Mapping[int, int], declined: Mapping[int, Body]
) -> tuple[Check, list[News]]:
    """Write what the judges of a round said, count what they gave, and find how far they agree.

    Shape: ``sections`` and ``calls`` (the id of the call that was used) by participant; who is not among them could
    not be read, or is among the ``declined``, who say why they cannot judge it.
    """
    number = session.played.number
    in_order = [sections.get(seat.pk) for seat in session.seats]
    check = deliberation.check(bar=session.bar, sections=in_order, debate_round=number)
    reports, news = _reports(session, sections, calls, declined)
    for code in session.bar.applying:
        news += _count(session, code, sections, reports)
    news.append(_found(session, check))
    return check, news


def _reports(
    session: Session, sections: Mapping[int, Body], calls: Mapping[int, int], declined: Mapping[int, Body]
) -> tuple[dict[int, JudgeReport], list[News]]:
    kept: dict[int, JudgeReport] = {}
    news: list[News] = []
    for seat in session.seats:
        body = sections.get(seat.pk)
        if body is None:
            keep_silence(
                debate_id=session.debate.pk,
                round_id=session.played.pk,
                participant_id=seat.pk,
                now=session.now,
                body=declined.get(seat.pk, {}),
            )
            kept[seat.pk] = JudgeReport.objects.get(round=session.played, participant=seat)
        else:
            kept[seat.pk], news_items = _report(session, seat, body, calls.get(seat.pk))
            news += news_items
        news.append(_told(session, kept[seat.pk], seat, body))
    return kept, news


def _report(session: Session, seat: Participant, body: Body, call_id: int | None) -> tuple[JudgeReport, list[News]]:
    speaker = Speaker(
        debate_id=session.debate.pk,
        participant_id=seat.pk,
        role=Role.JUDGE,
        kind=TurnKind.REPORT,
        thread_id=session.played.thread_id,
        round_id=session.played.pk,
        told={"round": session.played.number, "participant": str(seat.public_id)},
    )
    [turn], news = turns.write(
        speaker=speaker, said=[Said(f"report:{seat.pk}", panel_reports.spoken(section=body))], now=session.now
    )
    report = JudgeReport.objects.create(
        debate=session.debate,
        round=session.played,
        participant=seat,
        readable=True,
        turn=turn,
        call_id=call_id,
        body=dict(body),
        at=session.now,
    )
    return report, news


def _told(session: Session, report: JudgeReport, seat: Participant, body: Body | None) -> News:
    data: dict[str, Any] = {
        "report": str(report.public_id),
        "participant": str(seat.public_id),
        "round": session.played.number,
        "readable": body is not None,
    }
    if body is not None:
        data |= {"overall": _six(Decimal(body["overall"])), **_told_of_several(body)}
    return News("panel:report", data)


def _told_of_several(body: Body) -> dict[str, Any]:
    """Return how far several judgements lie apart at most, and on which criteria the orders differ."""
    kept = body.get("judgements", {})
    if not kept:
        return {}
    first = next(iter(kept.values()))
    flips = {} if first["flipped"] is None else {"flips": sorted(code for code, row in kept.items() if row["flipped"])}
    spread = max(Decimal(row["spread"]) for row in kept.values())
    return {"judgements": len(first["readings"]), "spread": _six(spread), **flips}


# -- counting ----------------------------------------------------------------------------------------------------------


def _count(session: Session, code: str, sections: Mapping[int, Body], reports: Mapping[int, JudgeReport]) -> list[News]:
    """Count what judges gave one criterion: open its account with the first scores, or add a round. Who could not be
    read, or says that it does not apply, gave none.
    """
    readable = [seat for seat in session.seats if seat.pk in sections and code in sections[seat.pk]["scores"]]
    if not readable:
        return []
    new_facts = [
        Given(FactKind.JUDGE_SCORE, Decimal(sections[seat.pk]["scores"][code]), participant=seat) for seat in readable
    ]
    score = Evaluation.objects.filter(debate=session.debate, instrument=Instrument.PANEL.value, key=code).first()
    if score is None:
        evaluation, facts, news = _open(session, code, new_facts)
    else:
        [evaluation] = accounts.lock(evaluations=[score.pk])
        counted = rounds.count(evaluation=evaluation, round=session.played, new_facts=new_facts, now=session.now)
        facts, news = counted.facts, list(counted.news)
    JudgeScore.objects.bulk_create(
        JudgeScore(fact=fact, report=reports[seat.pk], key=code, **score_columns(sections[seat.pk], code))
        for fact, seat in zip(facts, readable, strict=True)
    )
    return news


def _open(session: Session, code: str, new_facts: Sequence[Given]) -> tuple[Evaluation, Sequence[Fact], list[News]]:
    cards = {card["code"]: card for card in session.cards}
    card = cards[code]
    evaluation = Evaluation(
        debate=session.debate,
        thread=session.played.thread,
        instrument=Instrument.PANEL.value,
        key=code,
        name=card["name"],
        category=card["category"],
        weight=Decimal(card["weight"]),
        position=list(cards).index(code) + 1,
        initial_score=numbers.half_up(numbers.mean([new_fact.amount for new_fact in new_facts]), places=4),
    )
    opened = accounts.open_in_round(evaluation=evaluation, round=session.played, new_facts=new_facts, now=session.now)
    return evaluation, opened.facts, list(opened.news)


def score_columns(body: Body, code: str) -> dict[str, Any]:
    """Return what is kept of what a judge gave one criterion, beside the fact that counts it."""
    silent = {"given": body["scores"][code], "quotes": []}  # in this round it was not talked about
    row = next((row for row in deliberation.rows_of(body) if row["criterion"] == code), silent)
    revision = row.get("revision")
    first: str = row["given"] if "given" in row else row["own_score"]
    proposed_score = revision["score"] if revision else row.get("wanted")
    quotes = [*row["quotes"], *(revision["quotes"] if revision else [])]
    return {
        "given": Decimal(first),
        "wanted": None if proposed_score is None or proposed_score == first else Decimal(proposed_score),
        "refused": bool(revision["refused"] if revision else row.get("refused")),
        "quotes_found": sum(bool(quote["spans"]) for quote in quotes),
        "quotes_missing": sum(not quote["spans"] for quote in quotes),
        **_several(body, code),
    }


def _several(body: Body, code: str) -> dict[str, Any]:
    """Return what is kept of several judgements of one criterion; a criterion not talked about has none."""
    kept = body.get("judgements", {}).get(code)
    if kept is None:
        return {}
    return {"readings": kept["readings"], "spread": Decimal(kept["spread"]), "flipped": kept["flipped"]}


def _found(session: Session, check: Check) -> News:
    judges = [seat.name for seat in session.seats]
    check_document = deliberation.found(check=check, bar=session.bar, judges=judges)
    Consensus.objects.create(
        debate=session.debate,
        round=session.played,
        policy=dict(session.policy),
        found=check_document,
        agreed=check.agreed,
        reason_code=check_document["reason"],
        overall=check.overall,
        recommendation=check_document["recommendation"],
        at=session.now,
    )
    data: dict[str, Any] = {
        "round": session.played.number,
        "consensus": check.agreed,
        "judges": check.counted,
        "criteria": [] if check.agreed else check_document["disputed"],
        **({} if check.agreed else {"reason": check_document["reason"]}),
    }
    numbers_told = {"overall": check.overall, "spread": check.spread}
    return News(
        "panel:consensus",
        {**data, **{name: _six(number) for name, number in numbers_told.items() if number is not None}},
    )


def _six(value: Decimal) -> str:
    return str(in_places(numbers.half_up(value, places=SHOWN_PLACES)))


# How a round of a panel ends, and a panel: agreement, another round, or a review.


CONSENSUS, NO_CONSENSUS, QUORUM_LOST = "consensus", "no_consensus", "quorum_lost"


def end_round(
    *, brief: Brief, board: PanelThreadState, played: Round, now: datetime
) -> tuple[PanelThreadState, list[News]]:
    """Write a round of a locked thread of a locked debate, and say on the board whether it was the last."""
    sections: dict[int, Body] = {}
    declined: dict[int, Body] = {}
    calls: dict[int, int] = {}
    for seat in spoken(brief, board):
        read = partial(section_of, brief, board, seat)
        asked = board.calls.get(seat.id, {})
        bodies = {
            place: board.answer_of(asked[place], text, read=read) if asked else read(text)
            for place, text in board.answers[seat.id].items()
        }
        place, section = deliberation.merged(bodies=bodies, shares=bar_of(brief.parameters).shares)
        if section["kind"] == deliberation.DECLINED:
            declined[seat.id] = section
            continue
        sections[seat.id] = section
        if asked:
            calls[seat.id] = asked[place]
    debate = Debate.objects.get(pk=brief.debate_id)
    session = Session(
        debate=debate,
        played=played,
        seats=list(
            Participant.objects.filter(debate=debate, role=Role.JUDGE.value, replacement=None).order_by("position")
        ),
        bar=bar_of(brief.parameters),
        cards=brief.parameters["rubric"]["criteria"],
        policy=policy_of(brief.parameters),
        now=now,
    )
    check, news = close_round(session=session, sections=sections, calls=calls, declined=declined)
    unable = {
        seat.name: NotAssessed(Unable(declined[seat.pk]["reason"]), declined[seat.pk]["why"])
        for seat in session.seats
        if seat.pk in declined
    }
    news += turns.raise_not_assessed(debate_id=debate.pk, about="judges", answers=unable)
    because = why_over(check=check, number=board.number, last=session.bar.policy.debate_rounds)
    if because and because != CONSENSUS:
        news += dispute(session=session, check=check, run=board.run)
    every = {**board.sections}
    for judge, body in sections.items():
        every[judge] = {**every.get(judge, {}), board.number: body}
    return replace(board, sections=every, ended=because), news


def why_over(*, check: Check, number: int, last: int) -> str:
    """Return why a panel is over after a round, as a code; empty: another round follows."""
    if check.agreed:
        return CONSENSUS
    if check.reason is consensus.Reason.QUORUM_LOST:
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


@dataclass(frozen=True, slots=True)
class Dispute:
    """What is put before a person: after which round of which run, why, and which criteria are to be decided."""

    run_number: int
    round_number: int
    reason_code: ReviewReason
    disputed: Sequence[str]
    policy: Mapping[str, Any]


@transaction.atomic(savepoint=False)
def open_review(*, debate: Debate, dispute: Dispute, now: datetime) -> tuple[Review, list[News]]:
    """Open the review of a locked debate, or return the one there is: what a person settled is never opened again.

    Raises: ``Invalid`` when nothing is in dispute.
    Source: docs/reference/moderation.md, "Reviews".
    """
    if not dispute.disputed:
        raise Invalid("disputed must name at least one criterion.")
    about = {"debate": debate, "run_number": dispute.run_number, "round_number": dispute.round_number}
    review, created = Review.objects.get_or_create(
        **about,
        defaults={
            "reason_code": dispute.reason_code.value,
            "disputed": list(dict.fromkeys(dispute.disputed)),
            "policy": dict(dispute.policy),
            "opened_at": now,
        },
    )
    if not created:
        return review, []
    data = {"reason": review.reason_code, "criteria": review.disputed, "round": review.round_number}
    return review, [News("review:opened", {"review": str(review.public_id), **data})]
