"""The proof that behind every fact stands what it was taken from: a ruling, marks, a judge's score, a standing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from django.db.models import F
from django.db.models.fields.json import KeyTextTransform

from judging.models import Verdict
from scoring.kinds import FactKind
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


def winners(debate_id: int | None) -> Iterator[Fault]:
    """Yield verdicts that name another winner than their fact; of those given several times it is computed again."""
    named = KeyTextTransform("winner", "fact__parts")
    rows = Verdict.objects.annotate(named=named).filter(readings=[]).exclude(named=F("winner"))
    if debate_id is not None:
        rows = rows.filter(fact__evaluation__debate=debate_id)
    for row in rows.select_related("fact__evaluation").order_by("pk").iterator(chunk_size=AT_ONCE):
        what = f"the verdict of fact {row.fact.public_id} names another winner"
        yield about(row.fact, what, expected=str(row.fact.parts.get("winner")), found=row.winner)


def about(fact: Fact, what: str, *, expected: str = "", found: str = "") -> Fault:
    """Return what is wrong about a fact, at the entry that brought it."""
    brought = ScoreChange.objects.filter(evaluation=fact.evaluation_id, facts__contains=[fact.pk]).order_by("sequence")
    place = brought.values_list("sequence", flat=True).first()
    return Fault(str(fact.evaluation.public_id), place, what, expected, found)
