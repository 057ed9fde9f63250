"""What a verdict's fact rests on: the challenge, the answer to it, the ruling, and the passage that it attacks."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from debates.models import Participant, Turn
from debates.types import Role, TurnKind
from judging.formats.fact_statements import FactWords, Statement
from judging.models import Defence, Verdict
from judging.types import Reply, Winner

RULED: Mapping[str, str] = {
    Winner.EVALUATOR.value: "the evaluator prevails",
    Winner.RED_TEAM.value: "the red team prevails",
    Winner.DRAW.value: "a draw",
}


def statements(*, facts: Collection[int]) -> dict[int, FactWords]:
    """Return what was said about facts, in at most four queries."""
    rows = list(
        Verdict.objects.filter(pk__in=facts)
        .select_related("challenge__turn__participant", "round", "fact")
        .order_by("pk")
    )
    if not rows:
        return {}
    rounds = {row.round_id for row in rows}
    turns = Turn.objects.filter(round__in=rounds, slot__startswith=f"{TurnKind.CHALLENGE.value}:").select_related(
        "participant"
    )
    pressed = {(turn.round_id, turn.slot): turn for turn in turns}
    defences = Defence.objects.filter(round__in=rounds).select_related("turn__participant")
    answers = {(defence.round_id, defence.challenge_id): defence for defence in defences}
    arbiters = Participant.objects.filter(debate__threads__rounds__in=rounds, role=Role.ARBITER.value).distinct()
    arbiter = ", ".join(arbiters.values_list("name", flat=True))
    return {row.pk: _of(row, pressed=pressed, answers=answers, arbiter=arbiter) for row in rows}


def _of(
    row: Verdict,
    *,
    pressed: Mapping[tuple[int | None, str], Turn],
    answers: Mapping[tuple[int, int], Defence],
    arbiter: str,
) -> FactWords:
    put = pressed.get((row.round_id, f"{TurnKind.CHALLENGE.value}:{row.challenge.label}"), row.challenge.turn)
    said = [Statement("challenge", put.participant.name, put.text, f"turn-{put.public_id}")]
    answer = answers.get((row.round_id, row.challenge_id))
    if answer is not None:
        kind = "concession" if answer.reply == Reply.CONCEDE.value else "defence"
        said.append(Statement(kind, answer.turn.participant.name, answer.turn.text, f"turn-{answer.turn.public_id}"))
    ruled = Statement("ruling", arbiter, row.reasoning, f"verdict-{row.fact.public_id}", RULED[row.winner])
    quotes = [row.challenge.quote] if row.challenge.quote else []
    return FactWords(f"Verdict on {row.challenge.label}, round {row.round.number}", [*said, ruled], quotes)
