"""What moderation has done to scores: where each would stand had no person acted, and in which role who acted."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from django.db.models import prefetch_related_objects

from debates.models import Debate
from scoring.enums import ActorKind, EntryKind
from scoring.models import Evaluation, Fact, ScoreChange
from scoring.rules import reach, transitions
from scoring.rules.reach import Act
from scoring.rules.transitions import State
from scoring.services.actions import has_ended
from scoring.services.computing import compute_from
from scoring.services.entries import state_after
from scoring.services.second_person_rule import acts_of
from scoring.types import Instrument, Parameters


@dataclass(frozen=True, slots=True)
class ModerationEffect:
    """A score that persons have acted on: as it stands, and as it would had nobody; each may be no score at all."""

    final: Decimal | None
    without: Decimal | None

    @property
    def moved(self) -> bool:
        return self.final != self.without


def effects(*, evaluations: Iterable[Evaluation]) -> dict[int, ModerationEffect]:
    """Return what persons did to some scores, in at most five queries: {evaluation: effect}.

    Shape: those on which nobody has acted are left out. Without a person every round counts when it has been judged: a
    freeze holds nothing, nothing is set, struck, put back or rolled back, and a rerun shows only in what its own rounds
    came to. A score that a person opened, as where no judge could be read, is none without them.
    Source: docs/reference/moderation.md, "What a score would be without".
    """
    acted = {row.pk: row for row in evaluations if row.moderation_version > 0}
    if not acted:
        return {}
    entries: dict[int, list[ScoreChange]] = {}
    for entry in ScoreChange.objects.filter(evaluation__in=acted).order_by("evaluation_id", "sequence"):
        entries.setdefault(entry.evaluation_id, []).append(entry)
    states = {pk: undisturbed(evaluation=row, entries=entries[pk]) for pk, row in acted.items()}
    states |= _not_kept_from_falling_back(acted.values(), states=states)
    facts = Fact.objects.in_bulk([fact for state in states.values() if state for fact in state.basis])
    read = Debate.objects.filter(pk__in={row.debate_id for row in acted.values()}).values_list("pk", "parameters")
    snapshots = {debate: Parameters.from_snapshot(parameters["score"]) for debate, parameters in read}
    return {
        pk: ModerationEffect(
            final=row.final_score,
            without=_computed(evaluation=row, state=states[pk], facts=facts, parameters=snapshots[row.debate_id]),
        )
        for pk, row in acted.items()
    }


def _not_kept_from_falling_back(
    evaluations: Iterable[Evaluation], *, states: Mapping[int, State | None]
) -> dict[int, State]:
    """Return the states of scores that would be final at their initial value, did no freeze keep them as they are."""
    frozen = {row: state for row in evaluations if row.frozen_at and (state := states[row.pk]) and not state.counted}
    prefetch_related_objects(list(frozen), "thread")
    return {row.pk: transitions.fallen_back(state) for row, state in frozen.items() if has_ended(evaluation=row)}


def undisturbed(*, evaluation: Evaluation, entries: Sequence[ScoreChange]) -> State | None:
    """Return the state that a score would be in had no person acted; nothing where a person opened it.

    Shape: ``entries`` are all of its entries, in order.
    """
    first, *later = entries
    if first.actor_kind != ActorKind.ENGINE.value:
        return None
    acts = acts_of(entries=later, own=lambda entry: entry.actor_kind != ActorKind.ENGINE.value, rounds={})
    played = [_as_if_never_frozen(act) for act in acts]
    return reach.undone_by(
        start=state_after(first), acts=played, instrument=Instrument(evaluation.instrument), rounds={}
    )


def _as_if_never_frozen(act: Act) -> Act:
    """Let a round count when it was judged; an unfreeze brings nothing then, nor does a freeze take it back."""
    if act.kind is EntryKind.HELD:
        return replace(act, kind=EntryKind.ROUND)
    return replace(act, facts=()) if act.kind in {EntryKind.FREEZE, EntryKind.UNFREEZE} else act


def _computed(
    *, evaluation: Evaluation, state: State | None, facts: Mapping[int, Fact], parameters: Parameters
) -> Decimal | None:
    if state is None:
        return None
    rows = [facts[pk] for pk in state.basis]
    gives = compute_from(evaluation=evaluation, counted=state.counted, facts=rows, parameters=parameters)
    return gives.score


def moved(*, evaluations: Iterable[Evaluation]) -> dict[int, ModerationEffect]:
    """Return those scores that stand elsewhere than they would had no person acted."""
    return {pk: effect for pk, effect in effects(evaluations=evaluations).items() if effect.moved}


ROLES: Mapping[str, str] = {
    "superuser": "an administrator",
    "Senior moderator": "a senior moderator",
    "Moderator": "a moderator",
}
"""What the public is told of the role in which somebody acted; other groups are nobody's business."""


def acted_as(entry: ScoreChange) -> str:
    """Return in which role an entry was written, as the public reads it."""
    if entry.actor_kind == ActorKind.ENGINE.value:
        return "the engine"
    return role_of(entry.actor.role if entry.actor else "")


def role_of(role: str, *, otherwise: str = "a moderator") -> str:
    """Return what the public is told of a role that an actor had; ``otherwise`` is who may act without one of these."""
    own = role.split(", ")
    return next((words for name, words in ROLES.items() if name in own), otherwise)
