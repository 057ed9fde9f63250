"""What a moderator may do to a score: one table of actions, each with its plan.

A preview shows a plan and ``moderation.perform`` writes it, so what is shown and what is done cannot differ. Admin, API
and command are made from the table, and ``undo`` from its inverses. Whether a second person has to approve what a plan
leaves standing is asked by ``second_person_rule``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from debates.errors import Invalid, NotAllowedNow, about
from debates.printable import clock
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

CALLED = {"value": "value", "facts": "facts", "choice": "held", "target": "target"}
"""What API and command call the inputs."""
ONE_SNAPSHOT = "A standing is one snapshot; its parts cannot be struck."


@dataclass(frozen=True, slots=True)
class Intent:
    """An action with its inputs, as somebody has filled them in.

    Shape: ``kind`` is a key of ``ACTIONS``; ``choice`` is missing where nothing was held when somebody looked; ``then``
    is the further step in its transaction: of an unfreeze an override, a strike or a rollback; of an undo whatever
    takes the rest of the act back.
    """

    kind: EntryKind
    value: object = None
    facts: Sequence[int] = ()
    choice: HeldChoice | None = None
    target: int | None = None
    then: Intent | None = None


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


@dataclass(frozen=True, slots=True)
class Past:
    """An entry that somebody wrote and that is to be undone.

    Shape: ``before`` is the entry before it; ``now`` the score; ``choice`` what becomes of what was held since;
    ``since`` the first entry that the engine wrote after it and that going back would void.
    """

    entry: ScoreChange
    before: ScoreChange
    now: Evaluation
    choice: HeldChoice | None = None
    since: ScoreChange | None = None


@dataclass(frozen=True, slots=True)
class Action:
    """A row of ``ACTIONS``.

    Shape: ``name`` is what API and command call it, and ``meaning`` what the command says of it; ``inputs`` are the
    fields of an ``Intent`` that it reads; ``ready`` refuses a score to which it can do nothing, whatever the inputs;
    ``inverse`` returns what takes an entry of it back, in order; ``versioned`` is whether whoever acts says which
    version they saw; ``follows_unfreeze`` is whether an unfreeze carries it.
    """

    name: str
    meaning: str
    permission: str
    event: str
    ready: Callable[[Evaluation], State]
    plan: Callable[[Evaluation, Intent, Known], Plan]
    inverse: Callable[[Past], Sequence[Intent]]
    inputs: tuple[str, ...] = ()
    versioned: bool = True
    follows_unfreeze: bool = False


# -- what refuses whatever the inputs ----------------------------------------------------------------------------------


def movable(evaluation: Evaluation) -> State:
    """Read the state of an evaluation that may move now.

    Raises: ``Frozen``.
    """
    state = state_of(evaluation)
    if state.frozen:
        raise Frozen(f"{evaluation} is frozen since {clock(evaluation.frozen_at)}. Unfreeze it first.")
    return state


def _frozen(evaluation: Evaluation) -> State:
    state = state_of(evaluation)
    if not state.frozen:
        raise NotAllowedNow(f"{evaluation} is not frozen.")
    return state


def _overridden(evaluation: Evaluation) -> State:
    state = movable(evaluation)
    if state.override is None:
        raise Invalid("There is no override to lift.")
    return state


def _strikable(evaluation: Evaluation) -> State:
    state = movable(evaluation)
    if evaluation.instrument == Instrument.STANDING.value:
        raise Invalid(ONE_SNAPSHOT)
    return state


def _past_its_opening(evaluation: Evaluation) -> State:
    state = movable(evaluation)
    if evaluation.version < 2:
        raise Invalid(f"{evaluation} is at its opening: nothing to go back over.")
    return state


# -- plans -------------------------------------------------------------------------------------------------------------


def _freeze(evaluation: Evaluation, intent: Intent, _known: Known) -> Plan:
    """A freeze names facts only where it undoes an unfreeze: they are held again."""
    state, facts = movable(evaluation), transitions.ordered(intent.facts)
    return Plan(EntryKind.FREEZE, transitions.frozen(state, facts=facts), {"facts": list(facts)})


def _unfreeze(evaluation: Evaluation, intent: Intent, known: Known) -> Plan:
    """No choice is from somebody who saw that nothing was held, and the entry then says discard, of nothing."""
    before = _frozen(evaluation)
    if intent.choice is None and before.held:
        raise NotAllowedNow(
            f"Something was held for {evaluation} meanwhile. Choose whether it is applied or discarded."
        )
    choice = intent.choice or HeldChoice.DISCARD
    state = transitions.unfrozen(
        before,
        instrument=Instrument(evaluation.instrument),
        choice=choice,
        newest=transitions.newest_of(facts=before.held, rounds=known.rounds),
    )
    return Plan(EntryKind.UNFREEZE, state, {"facts": list(before.held), "held_choice": choice.value})


def override_value(*, evaluation: Evaluation, value: object) -> Decimal:
    """Read the value of an override.

    Raises: ``Invalid`` outside the instrument's scale or with more than 2 places.
    """
    low, high = range_of(Instrument(evaluation.instrument))
    with about("value"):
        return decimal_of(value, name="value", low=low, high=high, places=2)


def _override(evaluation: Evaluation, intent: Intent, _known: Known) -> Plan:
    value = override_value(evaluation=evaluation, value=intent.value)
    return Plan(EntryKind.OVERRIDE, transitions.overridden(movable(evaluation), value=value))


def _lift(evaluation: Evaluation, _intent: Intent, _known: Known) -> Plan:
    return Plan(EntryKind.OVERRIDE_LIFTED, transitions.lifted(_overridden(evaluation)))


def _strike(evaluation: Evaluation, intent: Intent, _known: Known) -> Plan:
    state = _strikable(evaluation)
    facts = transitions.ordered(intent.facts)
    if not facts or not set(facts) <= set(state.basis):
        raise Invalid(_strangers("that count now", facts=facts, known=set(state.basis)), field="facts")
    return Plan(EntryKind.STRIKE, transitions.struck(state, facts=facts), {"facts": list(facts)})


def _reinstate(evaluation: Evaluation, intent: Intent, _known: Known) -> Plan:
    """A round that waits to be counted at the end of its thread is not out yet, so nothing of it can be put back.

    Of a panel, what counts stays of one round.
    """
    state = _strikable(evaluation)
    facts = transitions.ordered(intent.facts)
    out = selectors.reinstatable(evaluation=evaluation)
    panel = evaluation.instrument == Instrument.PANEL.value
    if not facts or not set(facts) <= out:
        where = "the panel's present round" if panel and state.basis else "this run"
        raise Invalid(_strangers(f"of {where} that do not count", facts=facts, known=out), field="facts")
    rounds = sorted(set(selectors.round_numbers(facts=facts).values())) if panel else ()
    if len(rounds) > 1:
        numbers = ", ".join(str(number) for number in rounds)
        why = f"A panel's score is of one round; these facts are of rounds {numbers}. Choose those of one."
        raise Invalid(why, field="facts")
    return Plan(EntryKind.REINSTATE, transitions.reinstated(state, facts=facts), {"facts": list(facts)})


def _strangers(what: str, *, facts: Sequence[int], known: Collection[int]) -> str:
    number = sum(fact not in known for fact in facts)
    strange = f"{number} of the {len(facts)} given {'is' if number == 1 else 'are'} not" if facts else "none is given"
    return f"facts must be among those {what}; {strange}."


def _roll_back(evaluation: Evaluation, intent: Intent, known: Known) -> Plan:
    if intent.target is None:
        raise Invalid("target must be the number of an earlier entry.", field="target")
    state = _past_its_opening(evaluation)
    entry = known.targets.get(evaluation.pk)
    if entry is None or intent.target >= evaluation.version:
        why = f"target must be an earlier entry, 1 to {evaluation.version - 1}; got {intent.target}."
        raise Invalid(why, field="target")
    if entry.run_number != state.run and Status(evaluation.debate.status) in IN_PLAY:
        raise NotAllowedNow("A rollback to another run waits until the debate is no longer in play.")
    ever = (evaluation.pk, entry.run_number) in known.counted
    back = transitions.rolled_back(target=state_after(entry), ever_counted=ever)
    return Plan(EntryKind.ROLLBACK, back, {"target_sequence": intent.target})


# -- what takes them back ----------------------------------------------------------------------------------------------


def _thaw(past: Past) -> Sequence[Intent]:
    """What a freeze held again is left out again; about what was held since somebody decides."""
    choice, own = past.choice if asks(past) else HeldChoice.DISCARD, tuple(past.entry.facts)
    free = Intent(EntryKind.UNFREEZE, choice=choice)
    if choice is HeldChoice.APPLY and own and Instrument(past.now.instrument) in transitions.ADDS_UP:
        return [free, Intent(EntryKind.STRIKE, facts=own)]
    return [free]


def asks(past: Past) -> bool:
    """Tell whether undoing an entry needs to be told what becomes of what was held since."""
    held = set(past.now.held)
    return past.entry.kind == EntryKind.FREEZE.value and bool(held) and held != set(past.entry.facts)


def _hold_again(past: Past) -> Sequence[Intent]:
    """What an unfreeze let in goes out first: a freeze moves nothing."""
    facts = tuple(past.entry.facts)
    again = Intent(EntryKind.FREEZE, facts=facts)
    if past.entry.held_choice != HeldChoice.APPLY.value or not facts:
        return [again]
    if Instrument(past.now.instrument) in transitions.ADDS_UP:
        return [Intent(EntryKind.STRIKE, facts=facts), again]
    return [*_forward(past), again]


def _override_before(past: Past) -> Sequence[Intent]:
    value = past.before.override_after
    return [Intent(EntryKind.OVERRIDE_LIFTED) if value is None else Intent(EntryKind.OVERRIDE, value=value)]


def _count_again(past: Past) -> Sequence[Intent]:
    _same_round(past)
    return [Intent(EntryKind.REINSTATE, facts=tuple(past.entry.facts))]


def _take_out_again(past: Past) -> Sequence[Intent]:
    _same_round(past)
    return [Intent(EntryKind.STRIKE, facts=tuple(past.entry.facts))]


def _same_round(past: Past) -> None:
    if Instrument(past.now.instrument) not in transitions.ADDS_UP:
        _nothing_since(past)


def _forward(past: Past) -> Sequence[Intent]:
    _nothing_since(past)
    return [Intent(EntryKind.ROLLBACK, target=past.before.sequence)]


def _nothing_since(past: Past) -> None:
    if past.since is not None:
        what = f"{past.since.get_kind_display()}, entry {past.since.sequence}"
        raise NotAllowedNow(
            f"Entry {past.entry.sequence} of {past.now} is not undone: play went on since ({what}), and undoing it"
            " would void that. Use the single actions instead."
        )


# -- the table ---------------------------------------------------------------------------------------------------------

ACTIONS: Mapping[EntryKind, Action] = {
    EntryKind.FREEZE: Action(
        name="freeze",
        meaning="let nothing move a score until it is unfrozen",
        permission="scoring.freeze_evaluation",
        event="score:frozen",
        ready=movable,
        plan=_freeze,
        inverse=_thaw,
        versioned=False,  # it must win every race
    ),
    EntryKind.UNFREEZE: Action(
        name="unfreeze",
        meaning="let a score move again, and apply or discard what was held",
        permission="scoring.unfreeze_evaluation",
        event="score:unfrozen",
        ready=_frozen,
        plan=_unfreeze,
        inverse=_hold_again,
        inputs=("choice",),
    ),
    EntryKind.OVERRIDE: Action(
        name="override",
        meaning="set a score by hand, or ask a second person to approve it",
        permission="scoring.override_evaluation",
        event="score:overridden",
        ready=movable,
        plan=_override,
        inverse=_override_before,
        inputs=("value",),
        follows_unfreeze=True,
    ),
    EntryKind.OVERRIDE_LIFTED: Action(
        name="lift",
        meaning="remove an override",
        permission="scoring.lift_evaluation",
        event="score:override_lifted",
        ready=_overridden,
        plan=_lift,
        inverse=_override_before,
    ),
    EntryKind.STRIKE: Action(
        name="strike",
        meaning="take facts out of what counts",
        permission="scoring.strike_evaluation",
        event="score:struck",
        ready=_strikable,
        plan=_strike,
        inverse=_count_again,
        inputs=("facts",),
        follows_unfreeze=True,
    ),
    EntryKind.REINSTATE: Action(
        name="reinstate",
        meaning="put facts back into what counts",
        permission="scoring.strike_evaluation",
        event="score:reinstated",
        ready=_strikable,
        plan=_reinstate,
        inverse=_take_out_again,
        inputs=("facts",),
    ),
    EntryKind.ROLLBACK: Action(
        name="rollback",
        meaning="take a score back to what it was after an earlier entry",
        permission="scoring.rollback_evaluation",
        event="score:rolled_back",
        ready=_past_its_opening,
        plan=_roll_back,
        inverse=_forward,
        inputs=("target",),
        follows_unfreeze=True,
    ),
}
NAMED = {name: kind for kind, action in ACTIONS.items() for name in (kind.value, action.name)}
"""Actions by what the API takes as their names: those of addresses, and the kinds of their entries."""


def action_of(kind: str) -> Action:
    """Look an action up.

    Raises: ``Invalid`` for a kind of entry that nobody writes by hand.
    """
    action = ACTIONS.get(EntryKind(kind))
    if action is None:
        raise Invalid(f"{kind} is not an action on one score.")
    return action


def asked_for(intent: Intent) -> Action:
    """Look up the action that somebody asks for.

    Raises: ``Invalid`` for a kind of entry that nobody writes by hand, and for an input that the action does not read:
    a freeze holds facts again only where it undoes an unfreeze.
    """
    action = action_of(intent.kind)
    given = [name for name in CALLED if getattr(intent, name) not in (None, (), [])]
    strange = [CALLED[name] for name in given if name not in action.inputs]
    if strange:
        raise Invalid(f"{action.name} takes no {strange[0]}.", field=strange[0])
    return action


def carried(intent: Intent) -> Action | None:
    """Look up the further step of an unfreeze; nothing where there is none.

    Raises: ``Invalid`` for one that no unfreeze carries, or on anything but an unfreeze.
    """
    if intent.then is None:
        return None
    action = ACTIONS.get(intent.then.kind)
    if intent.kind is not EntryKind.UNFREEZE or action is None or not action.follows_unfreeze or intent.then.then:
        raise Invalid("An unfreeze carries an override, a strike or a rollback, and nothing else.", field="then")
    return asked_for(intent.then)


def in_one(intents: Sequence[Intent]) -> Intent:
    """Return intents, of which there is at least one, as the first of them with the others as its further steps."""
    first, *further = intents
    return replace(first, then=in_one(further)) if further else first


def steps_of(intent: Intent) -> list[Intent]:
    """Return an intent and its further steps, in order."""
    return [intent, *(steps_of(intent.then) if intent.then else ())]


def known_of(*, evaluations: Sequence[Evaluation], intent: Intent) -> Known:
    """Read what plans of one action on many scores need, in at most two queries."""
    ids = [evaluation.pk for evaluation in evaluations]
    if intent.kind is EntryKind.ROLLBACK:
        targets = ScoreChange.objects.filter(evaluation__in=ids, sequence=intent.target or 0)
        counted = ScoreChange.objects.filter(evaluation__in=ids, counted_after=True)
        runs = counted.order_by().values_list("evaluation_id", "run_number").distinct()
        return Known(targets={entry.evaluation_id: entry for entry in targets}, counted=set(runs))
    held = [fact for evaluation in evaluations for fact in evaluation.held]
    if intent.kind is EntryKind.UNFREEZE and held:
        return Known(rounds=selectors.round_numbers(facts=held))
    return Known()


def plan_of(*, evaluation: Evaluation, intent: Intent, known: Known | None = None) -> Plan:
    """Plan an action on a score as it stands; an override whoever has to approve it, an unfreeze without its step.

    Shape: ``known`` is what ``known_of`` has read for this action on many scores.
    Raises: ``Frozen``, ``NotAllowedNow``; ``Invalid`` for an input that is missing or wrong.
    """
    action = action_of(intent.kind)
    return action.plan(evaluation, intent, known or known_of(evaluations=[evaluation], intent=intent))


def falls_back(*, evaluation: Evaluation, plan: Plan) -> bool:
    """Tell whether an unfreeze ends with a fallback: nothing counts, and the thread was played to an end meanwhile."""
    return plan.kind is EntryKind.UNFREEZE and not plan.state.counted and has_ended(evaluation=evaluation)


def has_ended(*, evaluation: Evaluation) -> bool:
    """Tell whether the thread of a score was played to an end, early or not; a cancelled one was given up instead."""
    return ThreadStatus(evaluation.thread.status) in ENDED - {ThreadStatus.CANCELLED}
