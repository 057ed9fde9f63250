"""What an action would change and what it would make void, shown before it is done. Reads; writes nothing."""

import copy
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from itertools import groupby
from operator import attrgetter

from django.db.models import Q

from debates.errors import DomainError, NotFound, within
from debates.services import rights
from scoring.enums import ActorKind, AlertState, ApprovalState, EntryKind
from scoring.errors import NeedsSecondPerson
from scoring.models import Alert, Approval, Evaluation, Fact, ScoreChange
from scoring.rules import transitions
from scoring.rules.reach import Act
from scoring.rules.transitions import State
from scoring.services import actions, active_warnings, conflicts, second_person_rule
from scoring.services.actions import Intent, Known, Plan
from scoring.services.computing import compute, compute_from, parameters_of
from scoring.services.entries import after, state_of
from scoring.types import AlertCode


@dataclass(frozen=True, slots=True)
class Figures:
    """Where a score stands, or would stand: ``value`` is override, else computed, else initial.

    Shape: ``mean`` is what ``final`` is rounded from, where it is a mean; ``counts`` says whether anything counts.
    """

    value: Decimal
    final: Decimal | None
    computed: Decimal | None
    override: Decimal | None
    confidence: Decimal | None
    frozen: bool
    counts: bool
    mean: Fraction | None = None


def finals_with(foreseen: Mapping[int, Figures], rows: Iterable[Evaluation]) -> dict[int, Decimal | None]:
    """Return the final scores of some evaluations, in their order, where some are as foreseen."""
    return {row.pk: foreseen[row.pk].final if row.pk in foreseen else row.final_score for row in rows}


@dataclass(frozen=True, slots=True)
class Preview:
    """One action on one score: the figures now and then, and what becomes of everything else.

    Shape: ``facts_in`` would begin to count and ``facts_out`` cease to; ``held_discarded`` were held and would not
    count; ``override_dropped`` would be lifted or replaced; ``entries_undone`` lie after the target of a rollback;
    ``alerts_cleared`` are open, hold now and would not then; ``second_person_because`` says why an override has to be
    approved, or nothing where it has not; ``falls_back`` says that a fallback would follow.
    """

    evaluation: Evaluation
    plan: Plan
    now: Figures
    then: Figures
    facts_in: tuple[Fact, ...]
    facts_out: tuple[Fact, ...]
    held_discarded: tuple[Fact, ...]
    override_dropped: Decimal | None
    entries_undone: tuple[ScoreChange, ...]
    approval_voided: Approval | None
    alerts_cleared: tuple[Alert, ...]
    second_person_because: str
    falls_back: bool

    @property
    def needs_second_person(self) -> bool:
        """Say whether an override has to be approved, instead of counting at once."""
        return bool(self.second_person_because)


@dataclass(frozen=True, slots=True)
class Draft:
    """What an action would write, with the states on both its sides.

    Shape: ``known`` is what was read for its first step; ``plan`` is that of its last.
    """

    evaluation: Evaluation
    intent: Intent
    known: Known | None
    plan: Plan
    now: State
    then: State
    falls_back: bool
    second_person_because: str


@dataclass(frozen=True, slots=True)
class Material:
    """What previews of many scores read, each kind in one query."""

    facts: Mapping[int, Fact]
    approvals: Mapping[int, Approval]
    entries: Sequence[ScoreChange]
    alerts: Sequence[Alert]


def preview(*, evaluation_id: int, intent: Intent, by: int | None) -> Preview:
    """Show what an action would do to one score as it stands now; an unfreeze and the step that it carries as one.

    Shape: ``by`` is the user who would act: what they have decided alone is measured with it.
    Raises: ``NotFound``, and what the action itself would refuse: ``Frozen``, ``Invalid``, ``NotAllowedNow``,
    ``NeedsSecondPerson``.
    Source: docs/reference/moderation.md, "Previews".
    """
    evaluations = read(evaluations=[evaluation_id])
    if not evaluations:
        raise NotFound("There is no such evaluation.")
    person = conflicts.person_of(by)
    rights.may_moderate(by=person, debates=[evaluations[0].debate_id])
    actions.carried(intent)
    for refusal in conflicts.lost(by=person, evaluations=evaluations, kind=intent.kind).values():
        raise refusal
    [outcome] = table(evaluations=evaluations, intent=intent, by=by)
    if isinstance(outcome, DomainError):
        raise outcome
    return outcome


def read(*, evaluations: Sequence[int]) -> list[Evaluation]:
    """Return evaluations by ascending id, without locking them."""
    return list(Evaluation.objects.select_related("debate", "thread").filter(pk__in=evaluations).order_by("pk"))


def table(*, evaluations: Sequence[Evaluation], intent: Intent, by: int | None = None) -> list[Preview | DomainError]:
    """Show what one action would do to many scores; a refusal stands in the place of a score that refuses."""
    known = actions.known_of(evaluations=evaluations, intent=intent)
    drafts: list[Draft | DomainError] = []
    for row in evaluations:
        try:
            drafts.append(drafted(evaluation=row, intent=intent, known=known, by=by))
        except DomainError as refusal:
            drafts.append(refusal)
    return shown(drafts=drafts)


def shown(*, drafts: Sequence[Draft | DomainError]) -> list[Preview | DomainError]:
    """Return what drafts show, in their order; a refusal stays where it is."""
    sound = [draft for draft in drafts if isinstance(draft, Draft)]
    material = _material(drafts=sound)
    figures = {draft.evaluation.pk: _both(draft=draft, facts=material.facts) for draft in sound}
    cleared = _cleared(drafts=sound, figures=figures, material=material)
    return [
        draft if isinstance(draft, DomainError) else _preview(draft, figures[draft.evaluation.pk], material, cleared)
        for draft in drafts
    ]


def drafted(
    *, evaluation: Evaluation, intent: Intent, by: int | None, known: Known | None = None, before: Sequence[Act] = ()
) -> Draft:
    """Fold what an action would write in memory, a further step on the score as the one before leaves it.

    Shape: ``known`` is what ``actions.known_of`` has read for the first step; ``before`` are the steps that come first.
    Raises: what the action itself would refuse.
    """
    plan = actions.plan_of(evaluation=evaluation, intent=intent, known=known)
    measured = second_person_rule.measure(evaluation=evaluation, plan=plan, by=by, before=before)
    because = second_person_rule.sentence(evaluation=evaluation, kind=plan.kind, measured=measured)
    if because and (before or intent.then or plan.kind is not EntryKind.OVERRIDE):
        raise NeedsSecondPerson(because)
    falls_back = actions.falls_back(evaluation=evaluation, plan=plan)
    then = transitions.fallen_back(plan.state) if falls_back else plan.state
    draft = Draft(evaluation, intent, known, plan, state_of(evaluation), then, falls_back, because)
    if intent.then is None:
        return draft
    left = standing(evaluation=evaluation, state=then, entries=2 if falls_back else 1)
    written = [*before, second_person_rule.act_of(evaluation=evaluation, plan=plan)]
    with within("then"):
        last = drafted(evaluation=left, intent=intent.then, by=by, before=written)
    return replace(draft, plan=last.plan, then=last.then, falls_back=falls_back or last.falls_back)


def standing(*, evaluation: Evaluation, state: State, entries: int) -> Evaluation:
    """Return a score in memory as entries would leave it; it is looked at and never saved."""
    columns = {**after(state), **compute(evaluation=evaluation, state=state).columns()}
    left = copy.copy(evaluation)
    number, by = evaluation.version + entries, ActorKind.ENGINE.value
    left.follow(ScoreChange(sequence=number, actor_kind=by, at=evaluation.created_at, **columns))
    return left


def _material(*, drafts: Sequence[Draft]) -> Material:
    ids = [draft.evaluation.pk for draft in drafts]
    debates = {draft.evaluation.debate_id for draft in drafts}
    facts = {fact for draft in drafts for fact in (*draft.now.basis, *draft.now.held, *draft.then.basis)}
    back = [draft for draft in drafts if draft.plan.kind is EntryKind.ROLLBACK]
    first = min((draft.plan.about["target_sequence"] for draft in back), default=0)
    entries = ScoreChange.objects.select_related("actor", "reason").order_by("evaluation_id", "sequence")
    waiting = Approval.objects.select_related("requested_by", "because").filter(state=ApprovalState.WAITING.value)
    alerts = Alert.objects.filter(state=AlertState.OPEN.value, debate__in=debates)
    after = entries.filter(evaluation__in=[draft.evaluation.pk for draft in back], sequence__gt=first) if back else ()
    return Material(
        facts=Fact.objects.select_related("round").in_bulk(facts),
        approvals={approval.evaluation_id: approval for approval in waiting.filter(evaluation__in=ids)},
        entries=list(after),
        alerts=list(alerts.filter(Q(evaluation=None) | Q(evaluation__in=ids)).order_by("pk")),
    )


def _both(*, draft: Draft, facts: Mapping[int, Fact]) -> tuple[Figures, Figures]:
    return (
        _figures(evaluation=draft.evaluation, state=draft.now, facts=facts),
        _figures(evaluation=draft.evaluation, state=draft.then, facts=facts),
    )


def _figures(*, evaluation: Evaluation, state: State, facts: Mapping[int, Fact]) -> Figures:
    gives = compute_from(
        evaluation=evaluation,
        counted=state.counted,
        facts=[facts[fact] for fact in state.basis],
        parameters=parameters_of(evaluation),
    )
    final = gives.score if state.override is None else state.override
    return Figures(
        value=evaluation.initial_score if final is None else final,
        final=final,
        computed=gives.score,
        override=state.override,
        confidence=gives.confidence,
        frozen=state.frozen,
        counts=bool(state.basis) or state.override is not None,
        mean=gives.mean if state.override is None else None,
    )


def _preview(
    draft: Draft, figures: tuple[Figures, Figures], material: Material, cleared: Mapping[int, Sequence[Alert]]
) -> Preview:
    now, then = figures
    pk, was, will = draft.evaluation.pk, set(draft.now.basis), set(draft.then.basis)
    lost = set(draft.now.held) - {*draft.then.basis, *draft.then.held}
    target = draft.plan.about.get("target_sequence")
    undone = [entry for entry in material.entries if target and entry.evaluation_id == pk and entry.sequence > target]
    return Preview(
        evaluation=draft.evaluation,
        plan=draft.plan,
        now=now,
        then=then,
        facts_in=tuple(material.facts[fact] for fact in sorted(will - was)),
        facts_out=tuple(material.facts[fact] for fact in sorted(was - will)),
        held_discarded=tuple(material.facts[fact] for fact in sorted(lost)),
        override_dropped=now.override if now.override != then.override else None,
        entries_undone=tuple(undone),
        approval_voided=material.approvals.get(pk),
        alerts_cleared=tuple(cleared[pk]),
        second_person_because=draft.second_person_because,
        falls_back=draft.falls_back,
    )


# -- alerts that would clear -----------------------------------------------------------------------------------------


def _cleared(
    *, drafts: Sequence[Draft], figures: Mapping[int, tuple[Figures, Figures]], material: Material
) -> dict[int, list[Alert]]:
    """Return, for each evaluation, the open alerts that hold now and would not hold then; its debate's come last."""
    debates = {alert.debate_id for alert in material.alerts if AlertCode(alert.code) in active_warnings.OF_A_DEBATE}
    gone_in = _gone_in_debates(debates=debates, drafts=drafts, figures=figures)
    cleared: dict[int, list[Alert]] = {}
    for draft in drafts:
        pk, debate = draft.evaluation.pk, draft.evaluation.debate_id
        own = [alert for alert in material.alerts if alert.evaluation_id == pk]
        whole = [alert for alert in material.alerts if alert.evaluation_id is None and alert.debate_id == debate]
        gone = _gone(draft=draft, figures=figures[pk], facts=material.facts) if own else frozenset()
        out = {str(material.facts[fact].public_id) for fact in set(draft.now.basis) - set(draft.then.basis)}
        cleared[pk] = [
            alert
            for alert in own
            if (alert.evidence["verdict"] in out if "verdict" in alert.evidence else AlertCode(alert.code) in gone)
        ]
        cleared[pk] += [alert for alert in whole if AlertCode(alert.code) in gone_in.get(debate, ())]
    return cleared


def _gone(*, draft: Draft, figures: tuple[Figures, Figures], facts: Mapping[int, Fact]) -> frozenset[AlertCode]:
    now, then = (
        active_warnings.of_score(
            evaluation=draft.evaluation, value=state_figures.value, facts=[facts[fact] for fact in state.basis]
        )
        for state, state_figures in zip((draft.now, draft.then), figures, strict=True)
    )
    return now - then


def _gone_in_debates(
    *, debates: Collection[int], drafts: Sequence[Draft], figures: Mapping[int, tuple[Figures, Figures]]
) -> dict[int, frozenset[AlertCode]]:
    """Return, for each debate, the warnings of it as a whole that hold now and would not, were all drafts written."""
    if not debates:
        return {}
    rows = Evaluation.objects.filter(debate__in=debates).order_by("debate_id", "pk")
    facts = {fact for row in rows for fact in row.basis} | {fact for draft in drafts for fact in draft.then.basis}
    winners = dict(Fact.objects.filter(pk__in=facts).values_list("pk", "parts__winner"))
    return {
        debate: _gone_in_one(rows=list(own), drafts=drafts, figures=figures, winners=winners)
        for debate, own in groupby(rows, key=attrgetter("debate_id"))
    }


def _gone_in_one(
    *,
    rows: Sequence[Evaluation],
    drafts: Sequence[Draft],
    figures: Mapping[int, tuple[Figures, Figures]],
    winners: Mapping[int, str],
) -> frozenset[AlertCode]:
    after = {draft.evaluation.pk: draft.then for draft in drafts}
    bases = [(row.basis, after[row.pk].basis if row.pk in after else row.basis) for row in rows]
    now = active_warnings.of_debate(
        scores=[(row.initial_score, row.final_score) for row in rows],
        winners=[winners[fact] for before, _ in bases for fact in before],
    )
    then = active_warnings.of_debate(
        scores=[(row.initial_score, figures[row.pk][1].final if row.pk in after else row.final_score) for row in rows],
        winners=[winners[fact] for _, then in bases for fact in then],
    )
    return frozenset({finding.code for finding in now} - {finding.code for finding in then})
