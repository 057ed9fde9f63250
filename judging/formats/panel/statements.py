"""What a judge's score rests on: what the judge said to the criterion, and the passages that it quotes."""

from __future__ import annotations

from collections.abc import Collection

from judging.formats.fact_statements import FactWords, Statement
from judging.formats.panel import deliberation
from judging.models import JudgeScore

WORDS = ("reasoning", "defence", "challenge", "because")


def statements(*, facts: Collection[int]) -> dict[int, FactWords]:
    """Return what judges said about facts, in one query."""
    rows = JudgeScore.objects.filter(pk__in=facts).select_related(
        "report__participant", "report__turn", "report__round"
    )
    return {row.pk: _of(row) for row in rows}


def _of(row: JudgeScore) -> FactWords:
    judge, body = row.report.participant.name, row.report.body
    number = row.report.round.number
    title = f"{judge}, {f'debate round {number}' if number else 'independent analysis'}"
    if not isinstance(body, dict) or "kind" not in body:
        text = row.report.turn.text if row.report.turn else ""
        return FactWords(title, [Statement("report", judge, text)])
    own = next((section for section in deliberation.rows_of(body) if section["criterion"] == row.key), {})
    text = "\n\n".join(str(own[name]) for name in WORDS if own.get(name))
    return FactWords(title, [Statement("report", judge, text)], deliberation.found_quotes(body, row.key))
