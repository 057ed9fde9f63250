"""The criterion score: sum every counted verdict, cap the sum once, add it to the initial score, clamp once."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from scoring.errors import OutOfRange
from scoring.rules import numbers
from scoring.types import Parameters, VerdictFact

ADJUSTMENT_LIMIT = Decimal(3)
IMPACT_LIMIT = Decimal("0.3")
LOWEST_CONFIDENCE = Decimal(0)
HIGHEST_CONFIDENCE = Decimal(1)
PLACES = 2
PANEL_LOWEST = Decimal(1)
PANEL_HIGHEST = Decimal(5)


@dataclass(frozen=True, slots=True)
class RoundStep:
    """Where one round brought a score: its own raw sum, the sum so far, that capped, the score, what was applied."""

    own_raw: Decimal
    cumulative_raw: Decimal
    capped_net: Decimal
    computed: Decimal
    applied: Decimal


def verdict_fact(*, adjustment: object, impact: object, weight: object = None) -> VerdictFact:
    """Read the numbers of one verdict. Nothing is clamped and nothing is rounded.

    Shape: ``weight`` is the arbiter's confidence; absent means 1.
    Units: adjustment -3..3, impact -0.3..0.3, weight 0..1, at most 2 places each.
    Raises: ``NotANumber``, ``OutOfRange`` or ``NotExact``, naming the field.
    Source: docs/reference/rules.md#verdicts
    """
    return VerdictFact(
        adjustment=numbers.decimal_of(
            adjustment, name="adjustment", low=-ADJUSTMENT_LIMIT, high=ADJUSTMENT_LIMIT, places=PLACES
        ),
        impact=numbers.decimal_of(impact, name="impact", low=-IMPACT_LIMIT, high=IMPACT_LIMIT, places=PLACES),
        weight=numbers.decimal_of(
            1 if weight is None else weight,
            name="confidence",
            low=LOWEST_CONFIDENCE,
            high=HIGHEST_CONFIDENCE,
            places=PLACES,
        ),
    )


def contribution(*, fact: VerdictFact, weight_by_confidence: bool) -> Decimal:
    """Return what one verdict adds to the raw sum.

    Source: docs/reference/rules.md#weighting-by-confidence
    """
    if not weight_by_confidence:
        return fact.adjustment
    return numbers.half_up(Fraction(fact.adjustment) * Fraction(fact.weight), places=PLACES)


def raw_sum(*, facts: Sequence[VerdictFact], weight_by_confidence: bool) -> Decimal:
    """Return the sum of all adjustments, before any cap."""
    return numbers.total([contribution(fact=fact, weight_by_confidence=weight_by_confidence) for fact in facts])


def capped(*, raw: Decimal, cap: Decimal) -> Decimal:
    """Return the sum held inside -cap..cap."""
    return numbers.clamp(raw, low=-cap, high=cap)


def computed_score(*, initial: Decimal, facts: Sequence[VerdictFact], parameters: Parameters) -> Decimal:
    """Return the score that the counted verdicts give, always from the initial score.

    Source: docs/reference/rules.md#the-computed-score
    """
    raw = raw_sum(facts=facts, weight_by_confidence=parameters.weight_by_confidence)
    return _score(initial=initial, net=capped(raw=raw, cap=parameters.adjustment_cap), parameters=parameters)


def computed_confidence(*, initial: Decimal, facts: Sequence[VerdictFact], parameters: Parameters) -> Decimal:
    """Return the confidence that the counted verdicts give, always from the initial confidence.

    Units: 0..1.
    Source: docs/reference/rules.md#the-computed-score
    """
    net = capped(raw=numbers.total([fact.impact for fact in facts]), cap=parameters.confidence_cap)
    moved = numbers.total([initial, net])
    held = numbers.clamp(moved, low=LOWEST_CONFIDENCE, high=HIGHEST_CONFIDENCE)
    return numbers.half_up(held, places=PLACES)


def running(*, initial: Decimal, rounds: Sequence[Sequence[VerdictFact]], parameters: Parameters) -> list[RoundStep]:
    """Return where each round brings the score, counting all rounds up to it.

    Shape: one step per round; a round without verdicts moves nothing.
    Source: docs/reference/rules.md#round-by-round
    """
    steps: list[RoundStep] = []
    cumulative = Decimal(0)
    before = initial
    for own in rounds:
        own_raw = raw_sum(facts=own, weight_by_confidence=parameters.weight_by_confidence)
        cumulative = numbers.total([cumulative, own_raw])
        net = capped(raw=cumulative, cap=parameters.adjustment_cap)
        after = _score(initial=initial, net=net, parameters=parameters)
        steps.append(RoundStep(own_raw, cumulative, net, after, applied=numbers.total([after, -before])))
        before = after
    return steps


def initial_from_panel(*, score: Fraction) -> Decimal:
    """Return the criterion score 1..10 that a concluded panel's 1..5 stands for, on a straight line.

    Shape: ``score`` is the mean before it was rounded.
    Raises: ``OutOfRange`` outside 1..5.
    Source: docs/reference/rules.md#from-a-panel
    """
    if not PANEL_LOWEST <= score <= PANEL_HIGHEST:
        raise OutOfRange(f"panel score must be from {PANEL_LOWEST} to {PANEL_HIGHEST}; got {score}.")
    return numbers.half_up(1 + (score - 1) * Fraction(9, 4), places=PLACES)


def _score(*, initial: Decimal, net: Decimal, parameters: Parameters) -> Decimal:
    moved = numbers.total([initial, net])
    held = numbers.clamp(moved, low=parameters.score_low, high=parameters.score_high)
    return numbers.half_up(held, places=PLACES)
