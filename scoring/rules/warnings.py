"""What gives reason to look at a score again. Each rule returns its finding, or ``None``.

Source: docs/reference/rules.md#warnings
"""

from collections.abc import Sequence
from decimal import Decimal

from debates.decimals import plain
from scoring.errors import Invalid
from scoring.rules.criterion import ADJUSTMENT_LIMIT
from scoring.types import AlertCode, Finding, exact

EXTREME_MOVE = Decimal(3)
EXTREME_NET = Decimal(3)
LARGE_SHARE = Decimal("0.5")
LARGE_FROM = Decimal(2)
CONTRADICTION_SIZE = Decimal(2)
ONE_SIDED_SHARE = Decimal("0.8")
ONE_SIDED_LEAST = 5
UNIFORM_LEAST = 3

EVALUATOR = "evaluator"
RED_TEAM = "red_team"
DRAW = "draw"
WINNERS = (EVALUATOR, RED_TEAM, DRAW)


def extreme_verdict(*, applied: Decimal) -> Finding | None:
    """Find a single round that moves the computed score by 3 or more."""
    if abs(exact(applied)) < EXTREME_MOVE:
        return None
    return _found(AlertCode.EXTREME_VERDICT, applied=applied)


def extreme_net(*, capped_net: Decimal) -> Finding | None:
    """Find a capped net beyond 3 in either direction."""
    if abs(exact(capped_net)) <= EXTREME_NET:
        return None
    return _found(AlertCode.EXTREME_NET, capped_net=capped_net)


def net_capped(*, raw: Decimal, cap: Decimal) -> Finding | None:
    """Find a raw sum beyond the cap, so that the cap took something away."""
    if abs(exact(raw)) <= exact(cap):
        return None
    return _found(AlertCode.NET_CAPPED, raw=raw, cap=cap)


def large_change(*, initial: Decimal, final: Decimal) -> Finding | None:
    """Find a final score more than half the initial score away from it, the initial being above 2."""
    change = abs(exact(final) - exact(initial))
    if initial <= LARGE_FROM or change <= initial * LARGE_SHARE:
        return None
    return _found(AlertCode.LARGE_CHANGE, initial=initial, final=final)


def contradiction(*, earlier: Decimal, later: Decimal) -> Finding | None:
    """Find two consecutive rounds whose sums have opposite signs and are both 2 or more in size."""
    opposite = (exact(earlier) > 0) is not (exact(later) > 0)
    if not opposite or min(abs(earlier), abs(later)) < CONTRADICTION_SIZE:
        return None
    return _found(AlertCode.CONTRADICTION, earlier=earlier, later=later)


def one_sided(*, winners: Sequence[str]) -> Finding | None:
    """Find a debate in which more than 80 % of at least 5 verdicts that are no draws go one way.

    Raises: ``Invalid`` for a winner that is none of evaluator, red_team, draw.
    """
    sides = [side for side in map(_winner, winners) if side != DRAW]
    if len(sides) < ONE_SIDED_LEAST:
        return None
    leader = max((EVALUATOR, RED_TEAM), key=sides.count)
    won = sides.count(leader)
    if won <= ONE_SIDED_SHARE * len(sides):
        return None
    return Finding(AlertCode.ONE_SIDED, {"side": leader, "won": str(won), "verdicts": str(len(sides))})


def uniform_extreme(*, adjustments: Sequence[Decimal]) -> Finding | None:
    """Find a thread of at least 3 verdicts that all sit at the same limit."""
    values = {exact(adjustment) for adjustment in adjustments}
    if len(adjustments) < UNIFORM_LEAST or values not in ({ADJUSTMENT_LIMIT}, {-ADJUSTMENT_LIMIT}):
        return None
    return Finding(AlertCode.UNIFORM_EXTREME, {"adjustment": plain(values.pop()), "verdicts": str(len(adjustments))})


def no_effect(*, scores: Sequence[tuple[Decimal, Decimal | None]]) -> Finding | None:
    """Find a concluded debate in which no final score differs from its initial score.

    Shape: (initial, final) pairs; a final of ``None`` was not evaluated and says nothing either way.
    """
    pairs = [(exact(initial), exact(final)) for initial, final in scores if final is not None]
    if not pairs or any(initial != final for initial, final in pairs):
        return None
    return Finding(AlertCode.NO_EFFECT, {"evaluations": str(len(pairs))})


def winner_sign_mismatch(*, winner: str, adjustment: Decimal, impact: Decimal) -> Finding | None:
    """Find a verdict whose numbers go against the side that it calls the winner.

    Raises: ``Invalid`` for a winner that is none of evaluator, red_team, draw.
    """
    if all(_follows(_winner(winner), exact(number)) for number in (adjustment, impact)):
        return None
    return Finding(
        AlertCode.WINNER_SIGN_MISMATCH,
        {"winner": str(winner), "adjustment": plain(adjustment), "impact": plain(impact)},
    )


def _follows(winner: str, number: Decimal) -> bool:
    if winner == EVALUATOR:
        return number >= 0
    return number <= 0 if winner == RED_TEAM else number == 0


def _winner(word: str) -> str:
    if word not in WINNERS:
        raise Invalid(f"winner must be one of {', '.join(WINNERS)}; got {word!r}.")
    return word


def _found(code: AlertCode, **evidence: Decimal) -> Finding:
    return Finding(code, {name: plain(value) for name, value in evidence.items()})
