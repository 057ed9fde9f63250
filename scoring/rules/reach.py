"""How far one person alone may bring a score from what is computed for it. Pure.

Source: docs/reference/moderation.md, "A second person".
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum

from scoring.enums import EntryKind, HeldChoice
from scoring.rules import transitions
from scoring.rules.transitions import State
from scoring.types import Instrument

MEASURED = frozenset({EntryKind.OVERRIDE, EntryKind.STRIKE, EntryKind.REINSTATE, EntryKind.ROLLBACK})
"""Kinds of entries that are measured where they leave an override standing: they set it, or change what counts.

A freeze changes neither. An unfreeze lets in what the engine judged, as a round does; what it discards is undone again
in ``undone_by``, and the step that it carries is an entry of its own.
"""

DECISIONS = frozenset({EntryKind.STRIKE, EntryKind.REINSTATE, EntryKind.ROLLBACK, EntryKind.RERUN})
"""Kinds by which a person changes what counts; what an unfreeze discards is undone with them."""


class Base(StrEnum):
    """What an override is measured from."""

    VALUE = "value"
    COMPUTED = "computed"
    ALONE = "alone"
    AGREED = "agreed"


@dataclass(frozen=True, slots=True)
class OverrideStanding:
    """An override as an entry leaves it, and everything it is measured from.

    Shape: ``value`` is where the score stood before the entry; ``computed`` what the facts give after it; ``alone``
    what they would give without what its author alone has decided; ``agreed`` the override that a second person
    approved and that has not been lifted since, if there is one: two people have then left the computed score.
    """

    override: Decimal
    value: Decimal
    computed: Decimal
    alone: Decimal
    agreed: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Reach:
    """How far an override stands from that of its bases which is farthest."""

    points: Decimal
    base: Base
    amount: Decimal


@dataclass(frozen=True, slots=True)
class Act:
    """One entry, as somebody's decision or not.

    Shape: ``own`` says whether the person in question wrote it; ``facts`` are those it brings or moves, ``newest``
    those of the newest round among them; ``after`` is the state it led to.
    """

    sequence: int
    kind: EntryKind
    own: bool
    after: State
    facts: tuple[int, ...] = ()
    newest: tuple[int, ...] = ()
    choice: HeldChoice | None = None
    target: int | None = None


def reach(standing: OverrideStanding) -> Reach:
    """Return how far one person alone brings a score by leaving an override as it stands."""
    amounts = {Base.VALUE: standing.value}
    if standing.agreed is None:
        amounts |= {Base.COMPUTED: standing.computed, Base.ALONE: standing.alone}
    else:
        amounts[Base.AGREED] = standing.agreed
    reaches = [Reach(abs(standing.override - amount), base, amount) for base, amount in amounts.items()]
    return max(reaches, key=lambda candidate: candidate.points)


def undone_by(*, start: State, acts: Sequence[Act], instrument: Instrument, rounds: Mapping[int, int]) -> State:
    """Return the state that would hold without what one person has struck, put back, discarded, rolled back or rerun.

    Everybody else's decisions stand, and every round counts once it has arrived. A rerun is undone until a round of
    the new run counts: what is judged anew is nobody's decision.

    Shape: ``acts`` are all entries after ``start``, in order; ``rounds`` is {fact: number of its round} where only one
    round counts: what is put back into another round than counts here brings nothing.
    """
    state, states = start, dict[int, State]()
    for act in acts:
        state = _after(state, act=act, instrument=instrument, earlier=states, rounds=rounds)
        states[act.sequence] = state
    return state


def _after(
    state: State, *, act: Act, instrument: Instrument, earlier: Mapping[int, State], rounds: Mapping[int, int]
) -> State:
    if act.kind in DECISIONS:
        return state if act.own else _decided(state, act=act, earlier=earlier, rounds=rounds)
    match act.kind:
        case EntryKind.ROUND:
            state = transitions.counted_round(_in_run(state, act), instrument=instrument, facts=act.facts)
        case EntryKind.UNFREEZE if act.facts and (act.own or act.choice is HeldChoice.APPLY):
            held = replace(_in_run(state, act), held=act.facts)
            state = transitions.unfrozen(held, instrument=instrument, choice=HeldChoice.APPLY, newest=act.newest)
        case EntryKind.FREEZE if act.facts and state.run == act.after.run:  # held again: the next unfreeze decides
            state = transitions.struck(state, facts=act.facts)
        case EntryKind.FALLBACK if state.run == act.after.run:
            state = transitions.fallen_back(state)
    return state


def _decided(state: State, *, act: Act, earlier: Mapping[int, State], rounds: Mapping[int, int]) -> State:
    match act.kind:
        case EntryKind.STRIKE:
            state = transitions.struck(state, facts=act.facts)
        case EntryKind.REINSTATE if state.run == act.after.run and _in_one_round((*state.basis, *act.facts), rounds):
            state = transitions.reinstated(state, facts=act.facts)
        case EntryKind.ROLLBACK:
            state = earlier.get(act.target or 0, act.after)
        case EntryKind.RERUN:
            state = transitions.rerun(run=act.after.run)
    return state


def _in_one_round(facts: Sequence[int], rounds: Mapping[int, int]) -> bool:
    return not rounds or len({rounds[fact] for fact in facts}) == 1


def _in_run(state: State, act: Act) -> State:
    """Follow the engine into a run that the person in question has opened."""
    return state if state.run == act.after.run else transitions.rerun(run=act.after.run)
