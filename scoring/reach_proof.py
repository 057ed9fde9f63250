"""The proof of what an override rests on: who approved it, and how far one person alone has brought the score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

from scoring.enums import ApprovalState, EntryKind
from scoring.models import Approval, ScoreChange
from scoring.rules import reach
from scoring.rules.reach import OverrideStanding
from scoring.rules.transitions import ADDS_UP
from scoring.services.computing import compute_from
from scoring.services.entries import state_after
from scoring.services.second_person_rule import acts_of, written_by

if TYPE_CHECKING:
    from scoring.proof import Check, ProvedAccount


def checks(account: ProvedAccount, entry: ScoreChange, earlier: Sequence[ScoreChange]) -> Iterator[Check]:
    """Return whether an entry says rightly what its override rests on, and is held to it.

    Source: docs/reference/moderation.md, "A second person".
    """
    granted = _approved(entry)
    covered = _covered(entry, earlier)
    yield "its override rests on another approval", covered, (entry.covered_by_id, entry.covered_value)
    override = entry.override_after
    measured = override is not None and EntryKind(entry.kind) in reach.MEASURED
    alone = _alone(account, entry, earlier) if measured and covered[1] is None else None
    yield "what its author alone has decided is another", alone, entry.computed_alone
    if override is None or not measured or granted is not None or entry.second_person_from is None:
        return
    computed = entry.initial_score if entry.computed_after is None else entry.computed_after
    standing = OverrideStanding(
        override, entry.value_before, computed, computed if alone is None else alone, covered[1]
    )
    far = reach.reach(standing).points >= entry.second_person_from and override != covered[1]
    yield "nobody approved an override beyond the threshold", False, far


def _approved(entry: ScoreChange) -> Approval | None:
    granted = getattr(entry, "approval", None)
    return granted if granted is not None and granted.state == ApprovalState.APPROVED.value else None


def _covered(entry: ScoreChange, earlier: Sequence[ScoreChange]) -> tuple[int | None, Decimal | None]:
    if entry.override_after is None:
        return None, None
    granted = _approved(entry)
    if granted is not None:
        return granted.pk, granted.value
    before = earlier[-1]
    return (None, None) if before.override_after is None else (before.covered_by_id, before.covered_value)


def _alone(account: ProvedAccount, entry: ScoreChange, earlier: Sequence[ScoreChange]) -> Decimal:
    """Return what f gives without what the author of an entry has decided since a second person last approved."""
    first = max((index for index, entry in enumerate(earlier) if _approved(entry)), default=0)
    by = entry.actor.user_id if entry.actor else None
    rounds = {} if account.instrument in ADDS_UP else {pk: fact.round.number for pk, fact in account.facts.items()}
    state = reach.undone_by(
        start=state_after(earlier[first]),
        acts=acts_of(entries=earlier[first + 1 :], own=written_by(by), rounds=rounds),
        instrument=account.instrument,
        rounds=rounds,
    )
    facts = [account.facts[fact] for fact in state.basis]
    gives = compute_from(
        evaluation=account.evaluation, counted=state.counted, facts=facts, parameters=account.rules
    )  # fmt: skip
    return account.evaluation.initial_score if gives.score is None else gives.score
