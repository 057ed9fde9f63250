"""How far one person may bring a score alone, and what is said to whoever needs a second.

Source: docs/reference/moderation.md, "A second person".
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.conf import settings

from debates.decimals import in_places
from scoring import selectors
from scoring.enums import ApprovalState, EntryKind, HeldChoice
from scoring.models import Approval, Evaluation, ScoreChange, Threshold
from scoring.rules import reach, transitions
from scoring.rules.reach import Act, Base, OverrideStanding, Reach
from scoring.rules.transitions import ADDS_UP
from scoring.services.actions import Plan
from scoring.services.computing import compute
from scoring.services.entries import after, state_after
from scoring.types import Instrument

FROM: Mapping[Base, str] = {
    Base.VALUE: "where the score stands",
    Base.COMPUTED: "the computed score",
    Base.ALONE: "the computed score without what the same person has struck, put back, discarded or rolled back",
    Base.AGREED: "which a second person approved",
}


@dataclass(frozen=True, slots=True)
class Measured:
    """What an entry that leaves an override standing is held to; empty for every other entry.

    Shape: ``approval`` is the request that a second person approves in this very transaction.
    """

    standing: OverrideStanding | None = None
    threshold: Decimal | None = None
    approval: Approval | None = None

    @property
    def reach(self) -> Reach | None:
        """Return how far the override stands, where that is so far that a second person has to approve it."""
        if self.standing is None or self.threshold is None or self.approval is not None:
            return None
        farthest = reach.reach(self.standing)
        return farthest if farthest.points >= self.threshold else None

    def columns(self) -> dict[str, Any]:
        """Return the columns of the entry; the database compares them, and fills in what the override rests on."""
        if self.standing is None:
            return {}
        alone = self.standing.alone if self.standing.agreed is None and self.approval is None else None
        return {"computed_alone": alone, "second_person_from": self.threshold, "covered_by": self.approval}


def threshold() -> Decimal | None:
    """Return from how many points on an override waits: the stricter of the setting and of the database's own."""
    own = Threshold.objects.order_by("-id").values_list("points", flat=True).first()
    return min((points for points in (settings.SECOND_PERSON_FROM, own) if points is not None), default=None)


def measure(
    *, evaluation: Evaluation, plan: Plan, by: int | None, before: Sequence[Act] = (), approval: Approval | None = None
) -> Measured:
    """Measure how far a plan would leave an override from everything that it is measured from.

    Shape: ``by`` is the user who would write it; ``before`` are entries that come first in the same transaction.
    """
    override = plan.state.override
    if plan.kind not in reach.MEASURED or override is None:
        return Measured()
    if approval is not None and (approval.evaluation_id, approval.value) != (evaluation.pk, override):
        approval = None
    agreed = selectors.agreed_value(evaluation=evaluation)
    computed = _computed(evaluation=evaluation, state=plan.state)
    covered = agreed is not None or approval is not None
    alone = computed if covered else computed_alone(evaluation=evaluation, by=by, before=before)
    standing = OverrideStanding(
        override=override, value=evaluation.value, computed=computed, alone=alone, agreed=agreed
    )
    return Measured(standing=standing, threshold=threshold(), approval=approval)


def sentence(*, evaluation: Evaluation, kind: EntryKind, measured: Measured) -> str:
    """Say how far an override would stand from what, and what to do; or nothing where it needs nobody else."""
    far = measured.reach
    if far is None or measured.standing is None:
        return ""
    ways = {
        EntryKind.OVERRIDE: "ask for approval.",
        EntryKind.ROLLBACK: "ask for that override itself, and go back once it is approved, or go back further.",
    }
    return (
        f"{evaluation} would stand at the override {in_places(measured.standing.override)},"
        f" {in_places(far.points)} points from {in_places(far.amount)}, {FROM[far.base]}."
        f" {in_places(measured.threshold)} points or more wait for a second person: "
        + ways.get(kind, "lift the override first; it can be asked for again afterwards.")
    )


def computed_alone(*, evaluation: Evaluation, by: int | None, before: Sequence[Act] = ()) -> Decimal:
    """Return what would be computed without what one person has decided since a second person last approved anything.

    Shape: ``before`` are further entries that come before the one that is measured.
    """
    approved = evaluation.entries.filter(approval__state=ApprovalState.APPROVED.value).order_by("sequence")
    start = approved.last() or evaluation.entries.get(sequence=1)
    entries = evaluation.entries.filter(sequence__gt=start.sequence).select_related("actor").order_by("sequence")
    instrument = Instrument(evaluation.instrument)
    rounds = {} if instrument in ADDS_UP else dict(evaluation.facts.values_list("pk", "round__number"))
    acts = [*acts_of(entries=entries, own=written_by(by), rounds=rounds), *before]
    return _computed(
        evaluation=evaluation,
        state=reach.undone_by(start=state_after(start), acts=acts, instrument=instrument, rounds=rounds),
    )


def acts_of(
    *, entries: Iterable[ScoreChange], own: Callable[[ScoreChange], bool], rounds: Mapping[int, int]
) -> list[Act]:
    """Return entries as the rule reads them.

    Shape: ``own`` says which of them the person in question wrote; ``rounds`` are the numbers of the rounds of what
    unfreezes are about, where one round replaces another.
    """
    return [
        Act(
            sequence=entry.sequence,
            kind=EntryKind(entry.kind),
            own=own(entry),
            after=state_after(entry),
            facts=tuple(entry.facts),
            newest=transitions.newest_of(facts=entry.facts, rounds=rounds) if rounds and entry.held_choice else (),
            choice=HeldChoice(entry.held_choice) if entry.held_choice else None,
            target=entry.target_sequence,
        )
        for entry in entries
    ]


def written_by(user_id: int | None) -> Callable[[ScoreChange], bool]:
    """Return whether an entry is that user's; of nobody's where there is none."""
    return lambda entry: user_id is not None and entry.actor is not None and entry.actor.user_id == user_id


def act_of(*, evaluation: Evaluation, plan: Plan) -> Act:
    """Return a planned entry, of whoever would write it, as the rule reads it."""
    entry = ScoreChange(sequence=evaluation.version + 1, kind=plan.kind.value, **after(plan.state), **plan.about)
    replaces = entry.held_choice and Instrument(evaluation.instrument) not in ADDS_UP
    rounds = selectors.round_numbers(facts=entry.facts) if replaces else {}
    [act] = acts_of(entries=[entry], own=lambda _: True, rounds=rounds)
    return act


def _computed(*, evaluation: Evaluation, state: transitions.State) -> Decimal:
    """Return what f gives for a state, or the initial score where that is nothing."""
    gives = compute(evaluation=evaluation, state=state)
    return evaluation.initial_score if gives.score is None else gives.score
