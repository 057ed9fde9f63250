"""Where a participant stands: how persuasion and attack move its stance and conviction, and when it gives up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction

from judging.rules.rulesets import HISTORY, RuleSet
from scoring.errors import Invalid
from scoring.rules import numbers

PLACES = 6
ONE = Fraction(1)


class Surrender(StrEnum):
    """Why a participant gave up; the first that applies, in this order."""

    PERSUADED = "persuaded"
    WAVERING = "wavering"
    CONSECUTIVE = "consecutive"


@dataclass(frozen=True, slots=True)
class State:
    """A participant's stance (-1..1), conviction (0..1), and what it was last told by others, oldest first."""

    stance: Decimal
    conviction: Decimal
    persuasions: tuple[Decimal, ...] = ()
    attacks: tuple[Decimal, ...] = ()
    surrender: Surrender | None = None


def starting(*, stance: object, conviction: object) -> State:
    """Return the state a participant starts with.

    Raises: ``OutOfRange``, ``NotANumber``, ``NotExact``, naming the field.
    """
    return State(
        stance=_read("stance", stance, low=Decimal(-1)), conviction=_read("conviction", conviction, low=Decimal(0))
    )


def update(*, state: State, persuasion: Decimal, attack: Decimal, rules: RuleSet) -> State:
    """Return the state after one response that was addressed to the participant.

    Units: persuasion and attack 0..1.
    Raises: ``Invalid`` when the participant has given up, ``OutOfRange`` or ``NotExact`` for an effect.
    Source: docs/reference/rules.md#state
    """
    if state.surrender is not None:
        raise Invalid("A participant that has surrendered is moved no more.")
    told = _read("persuasion", persuasion, low=Decimal(0))
    hit = _read("attack", attack, low=Decimal(0))
    stance, conviction = _moved(state=state, persuasion=Fraction(told), attack=Fraction(hit), rules=rules)
    after = replace(
        state,
        stance=numbers.half_up(max(-ONE, min(ONE, stance)), places=PLACES),
        conviction=numbers.half_up(min(ONE, conviction), places=PLACES),
        persuasions=(*state.persuasions, told)[-HISTORY:],
        attacks=(*state.attacks, hit)[-HISTORY:],
    )
    return replace(after, surrender=surrendered(state=after, rules=rules))


def surrendered(*, state: State, rules: RuleSet) -> Surrender | None:
    """Return why a participant gives up now, or ``None``. Without a history nobody gives up.

    Source: docs/reference/rules.md#surrender
    """
    if len(state.persuasions) < rules.surrender_entries:
        return None
    if _persuaded(state, rules):
        return Surrender.PERSUADED
    if abs(state.stance) < rules.wavering_stance and state.conviction < rules.wavering_conviction:
        return Surrender.WAVERING
    return Surrender.CONSECUTIVE if _consecutive(state, rules) else None


def play(*, state: State, effects: Sequence[tuple[Decimal, Decimal]], rules: RuleSet) -> list[State]:
    """Return the state after each (persuasion, attack), up to the one that makes the participant give up."""
    states: list[State] = []
    for persuasion, attack in effects:
        state = update(state=state, persuasion=persuasion, attack=attack, rules=rules)
        states.append(state)
        if state.surrender is not None:
            break
    return states


def _moved(*, state: State, persuasion: Fraction, attack: Fraction, rules: RuleSet) -> tuple[Fraction, Fraction]:
    """Both effects look at the conviction from before the response."""
    stance, before = Fraction(state.stance), Fraction(state.conviction)
    conviction = before
    if persuasion > rules.persuasion_above:
        stance *= 1 - persuasion * (1 - before) * Fraction(rules.persuasion_pull)
        conviction *= Fraction(rules.persuasion_keeps)
    effect = max(Fraction(0), attack - Fraction(rules.attack_resistance) * before)
    if effect > rules.attack_above:
        stance *= 1 + effect * Fraction(rules.attack_push)
        conviction *= Fraction(rules.attack_raises)
    return stance, conviction


def _persuaded(state: State, rules: RuleSet) -> bool:
    mean = numbers.mean(state.persuasions[-rules.persuaded_window :])
    return mean > rules.persuaded_above and state.conviction < rules.persuaded_conviction


def _consecutive(state: State, rules: RuleSet) -> bool:
    last = state.persuasions[-rules.consecutive_count :]
    limit = rules.consecutive_conviction
    return (
        len(last) == rules.consecutive_count
        and all(persuasion > rules.consecutive_above for persuasion in last)
        and (limit is None or state.conviction < limit)
    )


def _read(name: str, value: object, *, low: Decimal) -> Decimal:
    return numbers.decimal_of(value, name=name, low=low, high=Decimal(1), places=PLACES)
