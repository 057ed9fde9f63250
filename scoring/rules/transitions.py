"""The state of an evaluation as a fold of its entries: what each kind of entry does to it. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal

from scoring.enums import HeldChoice
from scoring.types import Instrument

ADDS_UP = frozenset({Instrument.CRITERION, Instrument.ADHERENCE})
"""Instruments whose rounds add to the basis; for the others a new round takes the place of the old one."""


@dataclass(frozen=True, slots=True)
class State:
    """Everything that decides a score. ``basis`` and ``held`` are fact ids in ascending order.

    Source: docs/reference/ledger.md, "The state of an evaluation".
    """

    run: int = 1
    basis: tuple[int, ...] = ()
    held: tuple[int, ...] = ()
    override: Decimal | None = None
    frozen: bool = False
    counted: bool = False
    complete: bool = False
    rounds: int = 0


def ordered(facts: Iterable[int]) -> tuple[int, ...]:
    """Return fact ids once each, ascending: the one way a set of facts is written."""
    return tuple(sorted(set(facts)))


def newest_of(*, facts: Iterable[int], rounds: Mapping[int, int]) -> tuple[int, ...]:
    """Return those facts that belong to the newest round among them.

    Shape: ``rounds`` is {fact: number of its round}.
    """
    known = tuple(facts)
    newest = max((rounds[fact] for fact in known), default=0)
    return tuple(fact for fact in known if rounds[fact] == newest)


def opened(*, instrument: Instrument, facts: Iterable[int], in_a_round: bool) -> State:
    """Return the state of a new account; ``in_a_round`` says whether its first facts come from a numbered round."""
    counted = instrument is not Instrument.CRITERION
    return State(basis=ordered(facts), counted=counted, rounds=int(in_a_round))


def counted_round(state: State, *, instrument: Instrument, facts: Iterable[int]) -> State:
    """Return the state after the facts of one round arrived on an account that is not frozen."""
    own = ordered(facts)
    basis = ordered((*state.basis, *own)) if instrument in ADDS_UP else own
    return replace(state, basis=basis, counted=True, rounds=state.rounds + 1)


def held_round(state: State, *, facts: Iterable[int]) -> State:
    """Return the state after the facts of one round arrived on a frozen account: recorded, not counted."""
    return replace(state, held=ordered((*state.held, *facts)), rounds=state.rounds + 1)


def unfrozen(state: State, *, instrument: Instrument, choice: HeldChoice, newest: Iterable[int]) -> State:
    """Return the state after unfreezing.

    Shape: ``newest`` are those held facts that belong to the newest held round; only panels and standings need them.
    """
    free = replace(state, frozen=False, held=())
    if choice is HeldChoice.DISCARD or not state.held:
        return free
    basis = ordered((*state.basis, *state.held)) if instrument in ADDS_UP else ordered(newest)
    return replace(free, basis=basis, counted=True)


def struck(state: State, *, facts: Iterable[int]) -> State:
    """Return the state after facts were taken out of the basis."""
    gone = set(facts)
    return replace(state, basis=tuple(fact for fact in state.basis if fact not in gone))


def reinstated(state: State, *, facts: Iterable[int]) -> State:
    """Return the state after facts of this run were put back into the basis."""
    return replace(state, basis=ordered((*state.basis, *facts)), counted=True)


def rolled_back(*, target: State, ever_counted: bool) -> State:
    """Return the state after going back to an earlier entry.

    Shape: ``ever_counted`` says whether the target's run counted at any time; what was played stays played.
    """
    return replace(target, held=(), frozen=False, counted=ever_counted)


def rerun(*, run: int) -> State:
    """Return the state of an account that starts again from its initial score in a new run."""
    return State(run=run)


def completed(state: State) -> State:
    """Return the state once the thread is done; nothing moves."""
    return replace(state, complete=True)


def fallen_back(state: State) -> State:
    """Return the state of an account whose thread ended with nothing counted: the initial score is final."""
    return replace(state, counted=True)


def overridden(state: State, *, value: Decimal) -> State:
    """Return the state under an override; the computed score keeps moving underneath."""
    return replace(state, override=value)


def lifted(state: State) -> State:
    """Return the state without its override."""
    return replace(state, override=None)


def frozen(state: State, *, facts: Iterable[int] = ()) -> State:
    """Return the state once frozen; nothing moves.

    Shape: ``facts`` do not count, and are held again, as they were before an unfreeze that is undone.
    """
    return replace(state, frozen=True, held=ordered(facts))
