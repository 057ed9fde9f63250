"""One further step that an unfreeze carries: planned on the score as the unfreeze leaves it, written in its breath."""

from __future__ import annotations

import copy
from collections.abc import Mapping

from debates.errors import Invalid
from scoring.enums import EntryKind
from scoring.models import Evaluation
from scoring.rules import transitions
from scoring.rules.transitions import State
from scoring.services import plans, second_person_rule
from scoring.services.computing import compute, parameters_of
from scoring.services.entries import Author
from scoring.services.plans import Intent, Plan
from scoring.services.steps import Step, override_step, rollback_step, strike_step

PERMISSIONS: Mapping[EntryKind, str] = {
    EntryKind.OVERRIDE: "override_evaluation",
    EntryKind.STRIKE: "strike_evaluation",
    EntryKind.ROLLBACK: "rollback_evaluation",
}


def permission_of(intent: Intent) -> str:
    """Return what a further step takes besides the right to unfreeze.

    Raises: ``Invalid`` for an action that no unfreeze carries.
    """
    if intent.kind not in PERMISSIONS:
        raise Invalid("An unfreeze carries an override, a strike or a rollback, and nothing else.")
    return PERMISSIONS[intent.kind]


def plan(*, evaluation: Evaluation, unfreeze: Plan, intent: Intent, by: int | None) -> Plan:
    """Plan a further step on a score that is still frozen.

    Shape: ``by`` is the user who would take it.
    Raises: ``Invalid``, ``NotAllowedNow``; ``NeedsSecondPerson``, because nobody can be asked half-way.
    """
    permission_of(intent)
    left = _unfrozen(evaluation=evaluation, plan=unfreeze)
    further = plans.plan_of(evaluation=left, intent=intent)
    before = second_person_rule.act_of_unfreeze(evaluation=evaluation, plan=unfreeze)
    second_person_rule.may_stand(evaluation=left, plan=further, by=by, before=[before])
    return further


def step(*, evaluation: Evaluation, author: Author, intent: Intent) -> Step:
    """Take a further step on a locked evaluation that has just been unfrozen; a rollback needs its debate locked too.

    Raises: what ``plan`` raises.
    """
    permission_of(intent)
    if intent.kind is EntryKind.OVERRIDE:
        return override_step(evaluation=evaluation, author=author, value=intent.value)
    if intent.kind is EntryKind.STRIKE:
        return strike_step(evaluation=evaluation, author=author, facts=intent.facts)
    return rollback_step(evaluation=evaluation, author=author, target=plans.target_of(intent))


def _unfrozen(*, evaluation: Evaluation, plan: Plan) -> Evaluation:
    """Return a score in memory as an unfreeze would leave it; it is looked at and never saved."""
    falls_back = plans.falls_back(evaluation=evaluation, plan=plan)
    state = transitions.fallen_back(plan.state) if falls_back else plan.state
    return _standing(evaluation=evaluation, state=state, entries=2 if falls_back else 1)


def _standing(*, evaluation: Evaluation, state: State, entries: int) -> Evaluation:
    gives = compute(evaluation=evaluation, state=state, parameters=parameters_of(evaluation))
    left = copy.copy(evaluation)
    left.frozen_at = None
    left.basis, left.held = list(state.basis), list(state.held)
    left.counted, left.override_score = state.counted, state.override
    left.computed_score = gives.score
    left.final_score = gives.score if state.override is None else state.override
    left.version = evaluation.version + entries
    return left
