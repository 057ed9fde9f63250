"""Proving a panel: first scores are what was answered, reports what ballots come to, its findings what judges gave."""

import json
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from django.db.models import Exists, OuterRef, Prefetch, QuerySet

from debates.errors import DomainError
from debates.models import Ballot, Participant, Round, Seal
from debates.types import Conduct, Kind, Role
from judging.errors import AnswerRejected
from judging.formats.debate_lookup import read_brief
from judging.formats.panel import deliberation, parsing
from judging.formats.panel.deliberation import Body
from judging.formats.panel.record import score_columns
from judging.formats.panel.results import bar_of, policy_of
from judging.formats.panel.state import PanelThreadState, read_board, section_of
from judging.formats.state import Brief
from judging.models import Call, Consensus, JudgeReport, JudgeScore
from judging.rules.consensus import Reason
from judging.types import NotAssessed
from scoring.proof import Fault, about_fact, line_of

AT_ONCE = 500
UNREADABLE = (ArithmeticError, DomainError, LookupError, TypeError, ValueError)
"""What is raised where an answer, or a report of an earlier round that it rests on, is not what it can have been."""


def faults(debate_id: int | None) -> Iterator[Fault]:
    """Yield what judges gave that is not what they answered; an erased answer tells nothing."""
    yield from first_scores(debate_id)
    yield from reports(debate_id)
    yield from consensuses(debate_id)


def first_scores(debate_id: int | None) -> Iterator[Fault]:
    """Yield scores of engines that are not what they answered alone.

    What an engine says in later rounds depends on what was talked about then; its scores are sealed as they became.
    """
    reports = JudgeReport.objects.filter(readable=True, round__number=0)
    if debate_id is not None:
        reports = reports.filter(debate=debate_id)
    yield from unanswered(reports)
    own = JudgeScore.objects.filter(readings=[]).select_related("fact__evaluation").order_by("pk")
    reports = reports.exclude(call=None).exclude(call__raw_answer="").select_related("call", "debate")
    reports = reports.prefetch_related(Prefetch("scores", own))
    for report in reports.order_by("pk").iterator(chunk_size=AT_ONCE):
        scores = {score.key: score for score in report.scores.all()}
        if report.call is not None and scores:
            yield from _scored(report.call, scores, codes=bar_of(report.debate.parameters).applying)


def unanswered(reports: QuerySet[JudgeReport]) -> Iterator[Fault]:
    """Yield scores of engines that name no answer, where none was posted by whoever conducts the debate."""
    about = {"call": None, "participant__kind": Kind.ENGINE.value, "debate__conducted_by": Conduct.ENGINE.value}
    rows = JudgeScore.objects.filter(report__in=reports.filter(**about), readings=[]).select_related("fact__evaluation")
    for score in rows.order_by("pk").iterator(chunk_size=AT_ONCE):
        yield about_fact(score.fact, f"the score of fact {score.fact.public_id} rests on no answer")


def _scored(call: Call, scores: Mapping[str, JudgeScore], *, codes: Sequence[str]) -> Iterator[Fault]:
    try:
        analysis = parsing.analysis(call.raw_answer, codes=codes)
        if isinstance(analysis, NotAssessed):
            raise AnswerRejected("It judges nothing.")
        answered = {judged.code: judged.score for judged in analysis.judged}
    except DomainError as error:
        for score in scores.values():
            yield about_fact(
                score.fact, f"the score of fact {score.fact.public_id} is not in its answer ({error.message})"
            )
        return
    for code, score in scores.items():
        counts = score.given if score.wanted is None or score.refused else score.wanted
        if (answered.get(code), counts) != (score.given, score.fact.amount):
            what = f"the score of fact {score.fact.public_id} is not what its judge answered"
            kept = line_of(score.given, score.fact.amount)
            yield about_fact(score.fact, what, expected=line_of(answered.get(code), counts), found=kept)


# The proof of ballots: the report of a judge on a seat again, whole, from the version that counted.


def reports(debate_id: int | None) -> Iterator[Fault]:
    """Yield reports and scores of people and programs that are not what their ballots come to, field by field."""
    played = Round.objects.filter(judge_reports__participant__kind__in=(Kind.HUMAN.value, Kind.EXTERNAL.value))
    if debate_id is not None:
        played = played.filter(thread__debate=debate_id)
    for round_ in played.distinct().select_related("thread__debate").order_by("pk").iterator(chunk_size=AT_ONCE):
        yield from _of_round(round_)


def _of_round(played: Round) -> Iterator[Fault]:
    thread = played.thread
    thread.run_number = played.run_number  # a round that was played again since is read as it was
    brief, board = read_brief(thread.debate_id), read_board(thread=thread, number=played.number)
    ballots = Ballot.objects.filter(round=played, about=None).order_by("number")
    counted = {ballot.participant_id: ballot for ballot in ballots}
    seated = JudgeReport.objects.filter(round=played, participant__replacement=None).exclude(
        participant__kind=Kind.ENGINE.value
    )
    for report in seated.select_related("participant").order_by("pk"):
        ballot = counted.get(report.participant_id)
        if ballot is None and report.readable:
            yield Fault("", None, f"{_called(report)} rests on no ballot", debate=brief.public_id)
        elif ballot is not None and ballot.answer:
            yield from _from_ballot(ballot, report, brief=brief, board=board)


def _from_ballot(ballot: Ballot, report: JudgeReport, *, brief: Brief, board: PanelThreadState) -> Iterator[Fault]:
    try:
        due = section_of(brief, board, brief.speaker(ballot.participant_id), ballot.answer)
    except UNREADABLE as error:
        what = f"{_called(report)} is not in its ballot ({error})"
        yield Fault("", None, what, debate=brief.public_id)
        return
    expected_body = json.loads(json.dumps({"readable": due["kind"] != deliberation.DECLINED, **due}))
    for place, expected, stored in differences(expected_body, {"readable": report.readable, **report.body}):
        what = f"{_called(report)}: {place} is not what its ballot says"
        yield Fault("", None, what, str(expected), str(stored), debate=brief.public_id)
    scores = {score.key: score for score in report.scores.select_related("fact__evaluation")}
    for code in due.get("scores", ()):
        if code in scores:
            yield from _counted(scores[code], report, due)
        else:
            yield Fault("", None, f"{_called(report)}: its score of {code} is gone", debate=brief.public_id)


def _counted(score: JudgeScore, report: JudgeReport, due: Body) -> Iterator[Fault]:
    """Yield what of a score, and of what is kept beside it, is not what the ballot comes to."""
    expected = {"score": Decimal(due["scores"][score.key]), **score_columns(due, score.key)}
    for name, value in expected.items():
        stored = score.fact.amount if name == "score" else getattr(score, name)
        if stored != value:
            what = f"{_called(report)}: {name} of {score.key} is not what its ballot says"
            yield about_fact(score.fact, what, expected=line_of(value), found=line_of(stored))


def _called(report: JudgeReport) -> str:
    return f"the report {report.public_id} of {report.participant.name}"


# The proof of what was found after a round: again from the numbers that count for its judges, by the debate's policy.


def consensuses(debate_id: int | None) -> Iterator[Fault]:
    """Yield findings that are not what the judges of their round gave, or that another policy was kept with."""
    rows = Consensus.objects.select_related("debate", "round__thread")
    if debate_id is not None:
        rows = rows.filter(debate=debate_id)
    for row in rows.order_by("pk").iterator(chunk_size=AT_ONCE):
        called = f"the consensus {row.public_id}"
        try:
            expected = json.loads(json.dumps(_due(row)))
        except UNREADABLE as error:
            yield Fault("", None, f"{called} cannot be found again ({error})", debate=str(row.debate.public_id))
            continue
        for place, due, stored in differences(expected, _kept(row)):
            what = f"{called}: {place} is not what its judges gave"
            yield Fault("", None, what, str(due), str(stored), debate=str(row.debate.public_id))


def _kept(row: Consensus) -> dict[str, Any]:
    said = {"agreed": row.agreed, "reason": row.reason_code, "recommendation": row.recommendation}
    overall = deliberation.as_text(row.overall)
    return {"debate": row.debate_id, "policy": row.policy, "found": row.found, **said, "overall": overall}


def _due(row: Consensus) -> dict[str, Any]:
    bar, seats, sections = bar_of(row.debate.parameters), _seats(row), _sections(row)
    in_order = [sections.get(seat.pk) for seat in seats]
    check = deliberation.check(bar=bar, sections=in_order, debate_round=row.round.number)
    found = deliberation.found(check=check, bar=bar, judges=[seat.name for seat in seats])
    said = {name: found[name] for name in ("agreed", "reason", "recommendation", "overall")}
    policy = policy_of(row.debate.parameters)
    return {"debate": row.round.thread.debate_id, "policy": policy, "found": found, **said}


def _seats(row: Consensus) -> list[Participant]:
    """Return the judges of that moment, as they sit: who was added later had no part in it."""
    found = Seal.objects.filter(relation="judging_consensus", key=row.pk, act="INSERT").order_by("pk")
    added = {"relation": "debates_participant", "key": OuterRef("pk"), "act": "INSERT"}
    before = Seal.objects.filter(**added, pk__lt=found.values("pk")[:1])
    judges = Participant.objects.filter(Exists(before), debate=row.debate, role=Role.JUDGE.value, replacement=None)
    return list(judges.order_by("position"))


def _sections(row: Consensus) -> dict[int, Body]:
    """Return what counts of the readable reports of a round, by judge. Whether one accepts is told by its words alone;
    once they are erased, by what was found.
    """
    rows = JudgeReport.objects.filter(round=row.round_id, readable=True)
    rows = rows.prefetch_related(Prefetch("scores", JudgeScore.objects.select_related("fact")))
    accepted = Reason.NOT_ACCEPTED.value not in row.found["reasons"]
    return {
        report.participant_id: {
            "scores": {score.key: score.fact.amount for score in report.scores.all()},
            "accepts": report.body.get("accepts") if isinstance(report.body, dict) else accepted,
        }
        for report in rows
    }


def differences(expected: Any, stored: Any, at: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Yield where two documents differ: the place, and what stands there in each; nothing where one has none."""
    if isinstance(expected, Mapping) and isinstance(stored, Mapping):
        for name in {**expected, **stored}:
            yield from differences(expected.get(name), stored.get(name), f"{at}.{name}" if at else name)
    elif isinstance(expected, list) and isinstance(stored, list) and len(expected) == len(stored):
        for number, (here, there) in enumerate(zip(expected, stored, strict=True)):
            yield from differences(here, there, f"{at}[{number}]")
    elif expected != stored:
        yield at, expected, stored
