"""Proving a panel: a judge's first scores are what it answered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from django.db.models import Prefetch

from debates.errors import DomainError
from judging.errors import AnswerRejected
from judging.formats.panel import parsing
from judging.formats.panel.results import bar_of
from judging.models import Call, JudgeReport, JudgeScore
from judging.rules.not_assessed import NotAssessed
from scoring.proof import Fault, about_fact, line_of

AT_ONCE = 500


def faults(debate_id: int | None) -> Iterator[Fault]:
    """Yield scores of judges that are not what they answered alone; an erased answer tells nothing.

    What a judge says in later rounds depends on what was talked about then; its scores are sealed as they became.
    """
    reports = JudgeReport.objects.filter(readable=True, round__number=0, call__isnull=False)
    if debate_id is not None:
        reports = reports.filter(debate=debate_id)
    own = JudgeScore.objects.filter(readings=[]).select_related("fact__evaluation").order_by("pk")
    reports = reports.exclude(call__raw_answer="").select_related("call", "debate")
    reports = reports.prefetch_related(Prefetch("scores", own))
    for report in reports.order_by("pk").iterator(chunk_size=AT_ONCE):
        scores = {score.key: score for score in report.scores.all()}
        if report.call is not None and scores:
            yield from _scored(report.call, scores, codes=bar_of(report.debate.parameters).applying)


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
