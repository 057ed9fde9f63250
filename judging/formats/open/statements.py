"""What a debater's facts rest on: a response with what the arbiter noted on it, and the parts of a standing."""

from __future__ import annotations

from collections.abc import Collection

from judging.formats.fact_statements import FactWords, Statement
from judging.models import ResponseEvaluation, Standing

DIMENSIONS = {
    "steel_manning": "Steel-manning",
    "self_critique": "Self-critique",
    "consistency": "Consistency",
    "honesty": "Honesty",
}


def statements(*, facts: Collection[int]) -> dict[int, FactWords]:
    """Return what was said about facts, in two queries."""
    judged = ResponseEvaluation.objects.filter(fact__in=facts).select_related("turn__participant", "round")
    standings = Standing.objects.filter(pk__in=facts).select_related("participant", "round")
    responses = {row.fact_id: _response(row) for row in judged if row.fact_id is not None}
    return responses | {row.pk: _standing(row) for row in standings}


def _response(row: ResponseEvaluation) -> FactWords:
    turn = row.turn
    notes = [
        f"{called}: {row.grounds[name]['notes']}"
        for name, called in DIMENSIONS.items()
        if isinstance(row.grounds.get(name), dict) and row.grounds[name].get("notes")
    ]
    said = [Statement("response", turn.participant.name, turn.text, f"turn-{turn.public_id}")]
    said += [Statement("evaluation", "", "\n\n".join(notes))] if notes else []
    numbers = {called: getattr(row, name) for name, called in DIMENSIONS.items()}
    return FactWords(f"{turn.participant.name} in exchange {row.round.number}", said, numbers=numbers)


def _standing(row: Standing) -> FactWords:
    numbers = {
        "Stance": row.stance,
        "Persuasion": row.persuasion,
        "Resistance": row.resistance,
        "Penalty": -row.penalty,
    }
    return FactWords(f"{row.participant.name} after exchange {row.round.number}", numbers=numbers)
