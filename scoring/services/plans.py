"""What an action would do to a score as it stands now: checked against the score, and not written.

Previews show a plan, moderation writes it; so what is shown and what is done cannot differ. Whether a second person has
to approve what a plan leaves standing is asked of both by ``limits``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from debates.errors import Invalid, NotAllowedNow
from debates.rules import IN_PLAY
from debates.types import ENDED, Status, ThreadStatus
from scoring import selectors
from scoring.enums import EntryKind, HeldChoice
from scoring.errors import Frozen
from scoring.models import Evaluation, ScoreChange
from scoring.rules import transitions
from scoring.rules.instruments import range_of
from scoring.rules.numbers import decimal_of
from scoring.rules.transitions import State
from scoring.services.entries import state_after, state_of
from scoring.types import Instrument


@dataclass(frozen=True, slots=True)
class Intent:
    """An action with its inputs, as somebody has filled them in.

    Shape: ``kind`` is one of freeze, unfreeze, override, override_lifted, strike, reinstate, rollback.
    """

    kind: EntryKind
    value: object = None
    facts: Sequence[int] = ()
    choice: HeldChoice | None = None
    target: int | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """The entry that an action would write: its kind, the state it leads to, and its further columns."""

    kind: EntryKind
    state: State
    about: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Known:
    """What plans have to read besides the scores themselves, read for many of them at once.

    Shape: ``targets`` are the entries to go back to, by evaluation; ``counted`` are (evaluation, run) pairs of which
    anything ever counted; ``rounds`` are the numbers of the rounds of held facts.
    """

    targets: Mapping[int, ScoreChange] = field(default_factory=dict)
    counted: Collection[tuple[int, int]] = ()
    rounds: Mapping[int, int] = field(default_factory=dict)


def known_of(*, evaluations: Sequence[Evaluation], intent: Intent) -> Known:
    """Read what plans of one action on many scores need, in at most two queries."""
    ids = [one.pk for one in evaluations]
    if intent.kind is EntryKind.ROLLBACK:
        targets = ScoreChange.objects.filter(evaluation__in=ids, sequence=intent.target or 0)
        counted = ScoreChange.objects.filter(evaluation__in=ids, counted_after=True)
        runs = counted.order_by().values_list("evaluation_id", "run_number").distinct()
        return Known(targets={one.evaluation_id: one for one in targets}, counted=set(runs))
    if intent.kind is EntryKind.UNFREEZE:
        held = [fact for one in evaluations for fact in one.held]
        return Known(rounds=selectors.round_numbers(facts=held) if held else {})
    return Known()


def movable(*, evaluation: Evaluation) -> State:
    """Return the state of an evaluation that may move now.

    Raises: ``Frozen``.
    """
    state = state_of(evaluation)
    if state.frozen:
        raise Frozen(f"{evaluation} is frozen since {evaluation.frozen_at:%Y-%m-%d %H:%M} UTC. Unfreeze it first.")
    return state


def freeze(*, evaluation: Evaluation) -> Plan:
    """Plan a freeze.

    Raises: ``Frozen``.
    """
    return Plan(EntryKind.FREEZE, transitions.frozen(movable(evaluation=evaluation)))


def wanted_value(*, evaluation: Evaluation, value: object) -> Decimal:
    """Read the value of an override.

    Raises: ``Invalid`` outside the instrument's scale or with more than 2 places.
    """
    low, high = range_of(Instrument(evaluation.instrument))
    return decimal_of(value, name="value", low=low, high=high, places=2)


def overridden(*, evaluation: Evaluation, value: object) -> Plan:
    """Plan an override, whoever has to approve it.

    Raises: ``Invalid``, ``Frozen``.
    """
    wanted = wanted_value(evaluation=evaluation, value=value)
    return Plan(EntryKind.OVERRIDE, transitions.overridden(movable(evaluation=evaluation), value=wanted))


def lift(*, evaluation: Evaluation) -> Plan:
    """Plan the end of an override.

    Raises: ``Invalid`` when there is none; ``Frozen``.
    """
    state = movable(evaluation=evaluation)
    if state.override is None:
        raise Invalid("There is no override to lift.")
    return Plan(EntryKind.OVERRIDE_LIFTED, transitions.lifted(state))


def strike(*, evaluation: Evaluation, facts: Sequence[int]) -> Plan:
    """Plan to take facts out of the basis.

    Raises: ``Invalid`` unless every one of them counts now; ``Frozen``.
    """
    state = movable(evaluation=evaluation)
    _strikable(evaluation=evaluation)
    wanted = transitions.ordered(facts)
    if not wanted or not set(wanted) <= set(state.basis):
        raise Invalid(_strangers("that count now", wanted=wanted, known=set(state.basis)))
    return Plan(EntryKind.STRIKE, transitions.struck(state, facts=wanted), {"facts": list(wanted)})


def reinstate(*, evaluation: Evaluation, facts: Sequence[int]) -> Plan:
    """Plan to put facts of this run back into the basis.

    A round that waits to be counted at the end of its thread is not out yet, so nothing of it can be put back. Of a
    panel, what counts stays of one round.

    Raises: ``Invalid`` unless every one belongs to a judged round of this run and does not count now; ``Frozen``.
    """
    state = movable(evaluation=evaluation)
    _strikable(evaluation=evaluation)
    wanted = transitions.ordered(facts)
    out = selectors.reinstatable(evaluation=evaluation)
    panel = evaluation.instrument == Instrument.PANEL.value
    if not wanted or not set(wanted) <= out:
        where = "the panel's present round" if panel and state.basis else "this run"
        raise Invalid(_strangers(f"of {where} that do not count", wanted=wanted, known=out))
    if panel:
        _of_one_round(wanted)
    return Plan(EntryKind.REINSTATE, transitions.reinstated(state, facts=wanted), {"facts": list(wanted)})


def _of_one_round(facts: Sequence[int]) -> None:
    numbers = selectors.rounds_of(facts=facts)
    if len(numbers) > 1:
        shown = ", ".join(str(number) for number in numbers)
        raise Invalid(f"A panel's score is of one round; these facts are of rounds {shown}. Choose those of one.")


def _strangers(what: str, *, wanted: Sequence[int], known: Collection[int]) -> str:
    number = sum(one not in known for one in wanted)
    told = f"{number} of the {len(wanted)} given {'is' if number == 1 else 'are'} not" if wanted else "none is given"
    return f"facts must be among those {what}; {told}."


def _strikable(*, evaluation: Evaluation) -> None:
    if evaluation.instrument == Instrument.STANDING.value:
        raise Invalid("A standing is one snapshot; its parts cannot be struck.")


def roll_back(*, evaluation: Evaluation, target: int, known: Known | None = None) -> Plan:
    """Plan to go back to an earlier entry.

    Shape: ``known`` is what ``known_of`` has read already.
    Raises: ``Invalid`` unless ``target`` is an earlier entry; ``NotAllowedNow`` across runs in play; ``Frozen``.
    """
    state = movable(evaluation=evaluation)
    read = known or known_of(evaluations=[evaluation], intent=Intent(EntryKind.ROLLBACK, target=target))
    entry = read.targets.get(evaluation.pk)
    if entry is None or target >= evaluation.version:
        earlier = f"target must be an earlier entry, 1 to {evaluation.version - 1}; got {target}."
        raise Invalid(
            earlier if evaluation.version > 1 else f"{evaluation} is at its opening: nothing to go back over."
        )
    if entry.run_number != state.run and Status(evaluation.debate.status) in IN_PLAY:
        raise NotAllowedNow("A rollback to another run waits until the debate is no longer in play.")
    ever = (evaluation.pk, entry.run_number) in read.counted
    back = transitions.rolled_back(target=state_after(entry), ever_counted=ever)
    return Plan(EntryKind.ROLLBACK, back, {"target_sequence": target})


def unfreeze(*, evaluation: Evaluation, choice: HeldChoice | None, known: Known | None = None) -> Plan:
    """Plan an unfreeze that applies or discards what was held.

    Shape: ``known`` is what ``known_of`` has read already; no choice is from somebody who saw that nothing was held,
    and the entry then says discard, of nothing.
    Raises: ``NotAllowedNow`` unless the evaluation is frozen, and without a choice where something is held after all.
    """
    before = state_of(evaluation)
    if not before.frozen:
        raise NotAllowedNow(f"{evaluation} is not frozen.")
    if choice is None and before.held:
        raise NotAllowedNow(
            f"Something was held for {evaluation} meanwhile. Choose whether it is applied or discarded."
        )
    taken = choice or HeldChoice.DISCARD
    read = known or known_of(evaluations=[evaluation], intent=Intent(EntryKind.UNFREEZE, choice=choice))
    state = transitions.unfrozen(
        before,
        instrument=Instrument(evaluation.instrument),
        choice=taken,
        newest=transitions.newest_of(facts=before.held, rounds=read.rounds),
    )
    return Plan(EntryKind.UNFREEZE, state, {"facts": list(before.held), "held_choice": taken.value})


def falls_back(*, evaluation: Evaluation, plan: Plan) -> bool:
    """Say whether an unfreeze ends with a fallback: nothing counts, and the thread was played to an end meanwhile."""
    return plan.kind is EntryKind.UNFREEZE and not plan.state.counted and has_ended(evaluation=evaluation)


def has_ended(*, evaluation: Evaluation) -> bool:
    """Say whether the thread of a score was played to an end, early or not; a cancelled one was given up instead."""
    return ThreadStatus(evaluation.thread.status) in ENDED - {ThreadStatus.CANCELLED}


def plan_of(*, evaluation: Evaluation, intent: Intent, known: Known | None = None) -> Plan:
    """Plan any action; an override whoever has to approve it.

    Shape: ``known`` is what ``known_of`` has read for this action on many scores.
    Raises: what the action itself refuses; ``Invalid`` when an input is missing.
    """
    makers: Mapping[EntryKind, Callable[[], Plan]] = {
        EntryKind.FREEZE: lambda: freeze(evaluation=evaluation),
        EntryKind.UNFREEZE: lambda: unfreeze(evaluation=evaluation, choice=intent.choice, known=known),
        EntryKind.OVERRIDE: lambda: overridden(evaluation=evaluation, value=intent.value),
        EntryKind.OVERRIDE_LIFTED: lambda: lift(evaluation=evaluation),
        EntryKind.STRIKE: lambda: strike(evaluation=evaluation, facts=intent.facts),
        EntryKind.REINSTATE: lambda: reinstate(evaluation=evaluation, facts=intent.facts),
        EntryKind.ROLLBACK: lambda: roll_back(evaluation=evaluation, target=target_of(intent), known=known),
    }
    if intent.kind not in makers:
        raise Invalid(f"{intent.kind} is not an action on one score.")
    return makers[intent.kind]()


def target_of(intent: Intent) -> int:
    """Return the entry that a rollback goes back to.

    Raises: ``Invalid`` when there is none.
    """
    if intent.target is None:
        raise Invalid("target must be the number of an earlier entry.")
    return intent.target
