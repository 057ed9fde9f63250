"""The proof that behind every fact stands what it was taken from: a ruling, marks, a judge's score, a standing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal

from django.db.models import F, Prefetch
from django.db.models.fields.json import KeyTextTransform

from debates.errors import DomainError
from judging.formats import parsing as formats_parsing
from judging.formats.panel import parsing as panel_parsing
from judging.models import Call, JudgeReport, JudgeScore, Verdict
from scoring.enums import FactKind
from scoring.models import Fact, ScoreChange
from scoring.proof import Fault

JUDGEMENTS: Mapping[FactKind, tuple[str, str]] = {
    FactKind.VERDICT: ("verdict", "verdict"),
    FactKind.RESPONSE: ("response_evaluation", "response evaluation"),
    FactKind.JUDGE_SCORE: ("judge_score", "judge's score"),
    FactKind.STANDING: ("standing", "standing"),
}
"""By kind of fact: under which name its row hangs on it, and what people call that."""
AT_ONCE = 500


def faults(debate_id: int | None) -> Iterator[Fault]:
    """Yield facts whose judgement is gone, and verdicts that name another winner than their fact; in one debate or all.

    Source: docs/explanation/ledger.md, "Proof".
    """
    for kind, (row, called) in JUDGEMENTS.items():
        alone = Fact.objects.filter(kind=kind.value, **{f"{row}__isnull": True}).select_related("evaluation")
        if debate_id is not None:
            alone = alone.filter(evaluation__debate=debate_id)
        for fact in alone.order_by("pk").iterator(chunk_size=AT_ONCE):
            yield about(fact, f"the {called} that fact {fact.public_id} was taken from is gone")
    yield from winners(debate_id)
    yield from rulings(debate_id)
    yield from first_scores(debate_id)


def winners(debate_id: int | None) -> Iterator[Fault]:
    """Yield verdicts that name another winner than their fact; of those given several times it is computed again."""
    named = KeyTextTransform("winner", "fact__parts")
    rows = Verdict.objects.annotate(named=named).filter(readings=[]).exclude(named=F("winner"))
    if debate_id is not None:
        rows = rows.filter(fact__evaluation__debate=debate_id)
    for row in rows.select_related("fact__evaluation").order_by("pk").iterator(chunk_size=AT_ONCE):
        what = f"the verdict of fact {row.fact.public_id} names another winner"
        yield about(row.fact, what, expected=str(row.fact.parts.get("winner")), found=row.winner)


def rulings(debate_id: int | None) -> Iterator[Fault]:
    """Yield verdicts that are not what the arbiter's answer says; an erased answer tells nothing.

    Of those given several times the single judgements are kept, and proved in ``judging.engine.verify_repeats``.
    """
    calls = Call.objects.filter(verdicts__isnull=False, verdicts__readings=[]).exclude(raw_answer="").distinct()
    if debate_id is not None:
        calls = calls.filter(debate=debate_id)
    rows = Verdict.objects.filter(readings=[]).select_related("fact__evaluation", "challenge").order_by("pk")
    for call in calls.order_by("pk").prefetch_related(Prefetch("verdicts", rows)).iterator(chunk_size=AT_ONCE):
        yield from _ruled(call, list(call.verdicts.all()))


def _ruled(call: Call, rows: list[Verdict]) -> Iterator[Fault]:
    try:
        answer = {ruled.label: ruled for ruled in formats_parsing.verdicts(call.raw_answer, labels=_labels(rows))}
    except DomainError as error:
        for row in rows:
            yield about(row.fact, f"the verdict of fact {row.fact.public_id} is not in its answer ({error.message})")
        return
    for row in rows:
        ruled, fact = answer[row.challenge.label], row.fact
        ruling = (ruled.winner.value, ruled.adjustment, ruled.impact, ruled.confidence)
        kept = (row.winner, fact.amount, fact.impact, fact.weight)
        if ruling != kept:
            what = f"the verdict of fact {fact.public_id} is not what its arbiter answered"
            yield about(fact, what, expected=_line(*ruling), found=_line(*kept))


def _labels(rows: list[Verdict]) -> list[str]:
    return [row.challenge.label for row in rows]


def _line(*values: object) -> str:
    return ", ".join(f"{value.normalize():f}" if isinstance(value, Decimal) else str(value) for value in values)


def first_scores(debate_id: int | None) -> Iterator[Fault]:
    """Yield scores of judges that are not what they answered alone; an erased answer tells nothing.

    What a judge says in later rounds depends on what was talked about then; its scores are sealed as they became.
    """
    reports = JudgeReport.objects.filter(readable=True, round__number=0, call__isnull=False)
    if debate_id is not None:
        reports = reports.filter(debate=debate_id)
    own = JudgeScore.objects.filter(readings=[]).select_related("fact__evaluation").order_by("pk")
    reports = reports.exclude(call__raw_answer="").select_related("call").prefetch_related(Prefetch("scores", own))
    for report in reports.order_by("pk").iterator(chunk_size=AT_ONCE):
        scores = {score.key: score for score in report.scores.all()}
        if report.call is not None and scores:
            yield from _scored(report.call, scores)


def _scored(call: Call, scores: Mapping[str, JudgeScore]) -> Iterator[Fault]:
    try:
        answers = {
            judged.code: judged.score for judged in panel_parsing.analysis(call.raw_answer, codes=list(scores)).judged
        }
    except DomainError as error:
        for score in scores.values():
            yield about(score.fact, f"the score of fact {score.fact.public_id} is not in its answer ({error.message})")
        return
    for code, score in scores.items():
        counts = score.given if score.wanted is None or score.refused else score.wanted
        if (answers[code], counts) != (score.given, score.fact.amount):
            what = f"the score of fact {score.fact.public_id} is not what its judge answered"
            kept = _line(score.given, score.fact.amount)
            yield about(score.fact, what, expected=_line(answers[code], counts), found=kept)


def about(fact: Fact, what: str, *, expected: str = "", found: str = "") -> Fault:
    """Return what is wrong about a fact, at the entry that brought it."""
    brought = ScoreChange.objects.filter(evaluation=fact.evaluation_id, facts__contains=[fact.pk]).order_by("sequence")
    place = brought.values_list("sequence", flat=True).first()
    return Fault(str(fact.evaluation.public_id), place, what, expected, found)
