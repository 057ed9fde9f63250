"""The proof of what was judged several times: what counts, its spread and its flip again from the single judgements."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from typing import Any

from debates.errors import DomainError
from judging.models import Effect, JudgeScore, ResponseEvaluation, Verdict
from judging.models.call import Several
from judging.rules import flips
from judging.rules.fairness import Place
from judging.rules.flips import MARKS, SHARES, Numbers, Together
from judging.types import EffectSource
from scoring.proof import Fault

RULED = ("adjustment", "impact", "confidence")
AT_ONCE = 500

Said = Mapping[str, object]
Recomputed = tuple[Said, Said]
"""What single judgements come to, and what the row says that they came to."""


def of_readings(debate_id: int | None) -> Iterator[Fault]:
    """Yield what does not agree with the single judgements, in one debate or in all."""
    for model, path, recomputed in KINDS:
        rows = model.objects.exclude(readings=[]).order_by("pk")
        if debate_id is not None:
            rows = rows.filter(**{path: debate_id})
        for row in rows.iterator(chunk_size=AT_ONCE):
            yield from _faults(row, recomputed)


def _faults(row: Any, recomputed: Callable[[Any], Recomputed]) -> Iterator[Fault]:
    try:
        expected, found = recomputed(row)
    except (ArithmeticError, DomainError, LookupError, TypeError, ValueError) as error:
        yield Fault("", None, f"{row}: its judgements cannot be read ({type(error).__name__})")
        return
    for name, value in expected.items():
        if found[name] != value:
            yield Fault("", None, f"{row}: {name} is not what its judgements come to", str(value), str(found[name]))


def _compared(row: Several, made: Together, says: Mapping[str, Decimal]) -> Recomputed:
    counted = {name: made.numbers[name] for name in says}
    return (
        {**counted, "spread": made.spread, "flipped": made.flipped},
        {**says, "spread": row.spread, "flipped": row.flipped},
    )


def _given(row: Several, names: tuple[str, ...]) -> dict[Place, Numbers]:
    return {Place(one["swapped"], one["reading"]): {name: Decimal(one[name]) for name in names} for one in row.readings}


def _verdict(row: Verdict) -> Recomputed:
    winners = {Place(one["swapped"], one["reading"]): one["winner"] for one in row.readings}
    won, made = flips.verdict(given={place: (winners[place], one) for place, one in _given(row, RULED).items()})
    fact = row.fact
    says = {"adjustment": fact.amount, "impact": fact.impact, "confidence": fact.weight}
    expected, found = _compared(row, made, says)
    return {**expected, "winner": won}, {**found, "winner": row.winner}


def _response(row: ResponseEvaluation) -> Recomputed:
    return _compared(row, flips.marks(given=_given(row, MARKS)), {name: getattr(row, name) for name in MARKS})


def _effect(row: Effect) -> Recomputed:
    """Where the shares of the debate make up persuasion, only the rest is what the judgements come to."""
    names = SHARES[1:] if row.source == EffectSource.FACTORS.value else SHARES
    return _compared(row, flips.effect(given=_given(row, SHARES)), {name: getattr(row, name) for name in names})


def _score(row: JudgeScore) -> Recomputed:
    given = {place: one["score"] for place, one in _given(row, ("score",)).items()}
    return _compared(row, flips.score(given=given), {"score": row.fact.amount})


KINDS: tuple[tuple[Any, str, Callable[[Any], Recomputed]], ...] = (
    (Verdict, "fact__evaluation__debate", _verdict),
    (ResponseEvaluation, "turn__debate", _response),
    (Effect, "turn__debate", _effect),
    (JudgeScore, "report__debate", _score),
)
"""What may be judged several times, by what its debate is found, and how it is computed again."""
