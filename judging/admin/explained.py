"""The words of judges about the facts that scores rest on. Scoring shows them and does not know judging."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from judging.models import Verdict
from judging.types import Winner
from scoring.admin import timeline
from scoring.admin.timeline import Words

WON = {Winner.EVALUATOR: "evaluator prevails", Winner.RED_TEAM: "red team prevails", Winner.DRAW: "draw"}


def verdicts(facts: Sequence[int]) -> Mapping[int, Words]:
    """Return who won each exchange, and why."""
    found = Verdict.objects.filter(pk__in=facts).select_related("challenge")
    return {
        one.pk: Words(f"{one.challenge.label} ({one.challenge.persona}), {WON[Winner(one.winner)]}", one.reasoning)
        for one in found
    }


timeline.read_by(verdicts)
