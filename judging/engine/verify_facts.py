"""The proof that behind every fact stands what it was taken from: a ruling, marks, a judge's score, a standing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from scoring.enums import FactKind
from scoring.models import Fact
from scoring.proof import Fault, about_fact

JUDGEMENTS: Mapping[FactKind, tuple[str, str]] = {
    FactKind.VERDICT: ("verdict", "verdict"),
    FactKind.RESPONSE: ("response_evaluation", "response evaluation"),
    FactKind.JUDGE_SCORE: ("judge_score", "judge's score"),
    FactKind.STANDING: ("standing", "standing"),
}
"""By kind of fact: under which name its row hangs on it, and what people call that."""
AT_ONCE = 500


def faults(debate_id: int | None) -> Iterator[Fault]:
    """Yield facts whose judgement is gone, in one debate or in all; whether it fits its fact each format proves.

    Source: docs/explanation/ledger.md, "Proof".
    """
    for kind, (row, called) in JUDGEMENTS.items():
        alone = Fact.objects.filter(kind=kind.value, **{f"{row}__isnull": True}).select_related("evaluation")
        if debate_id is not None:
            alone = alone.filter(evaluation__debate=debate_id)
        for fact in alone.order_by("pk").iterator(chunk_size=AT_ONCE):
            yield about_fact(fact, f"the {called} that fact {fact.public_id} was taken from is gone")
