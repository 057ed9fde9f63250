"""Taking back the last act of a person, whatever it was: the inverse is computed, shown, and written as new entries.

An act is what one person did in one go: the entries that carry the same reason, on one score or on many.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from operator import attrgetter

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Q

from debates import selectors
from debates.errors import DomainError, NotAllowedNow, NotFound
from debates.services import rights
from debates.services.idempotency import UseCase
from scoring.enums import ActorKind, EntryKind, HeldChoice, ReasonCode
from scoring.errors import Stale
from scoring.models import Approval, Evaluation, ScoreChange
from scoring.services import accounts, actions, approvals, bulk, conflicts, previews
from scoring.services.actions import ACTIONS, Intent, Known, Past
from scoring.services.bulk import Line
from scoring.services.previews import Draft, Preview
from scoring.services.steps import Done, Order, author_of, take, unmoved, warn_whole

PLAY = (EntryKind.ROUND.value, EntryKind.HELD.value, EntryKind.COMPLETED.value)
"""Entries of the engine that going back over would void; a fallback belongs to the unfreeze that it follows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoOrder(Order):
    """Who asks for the last act on a score to be undone, why, and which state they were looking at.

    Shape: ``entry`` is one of the entries that are meant, or nothing for the newest; ``alone`` leaves the other scores
    of the act as they are; ``choice`` is what becomes of what was held since, where something was.
    """

    entry: int | None = None
    choice: HeldChoice | None = None
    alone: bool = False


@dataclass(frozen=True, slots=True)
class LastAct:
    """What one person did in one go.

    Shape: ``entries`` are in order, by evaluation; ``last`` is the newest on the score that was asked about.
    """

    last: ScoreChange
    entries: Mapping[int, Sequence[ScoreChange]]


def last_act(*, evaluation: Evaluation, entry: int | None = None, alone: bool = False) -> LastAct:
    """Return the last act of a person on a score, with its entries on other scores too unless it is meant alone.

    Raises: ``NotAllowedNow`` where nobody has acted, somebody has acted since ``entry``, or it is none of ``ACTIONS``.
    """
    people = evaluation.entries.select_related("actor", "reason", "evaluation")
    last = people.filter(sequence=evaluation.moderation_version).first()
    if last is None:
        raise NotAllowedNow(f"Nobody has acted on {evaluation}, so there is nothing to undo.")
    if last.kind not in ACTIONS or last.reason_id is None:
        raise NotAllowedNow(
            f"The last act on {evaluation} is {described(last)}; that is not undone. Roll back instead."
        )
    own = ScoreChange.objects.filter(reason=last.reason_id).exclude(actor_kind=ActorKind.ENGINE.value)
    own = own.exclude(kind=EntryKind.OPENED.value)  # of a settled review: there is nothing before it to go back to
    if alone:
        own = own.filter(evaluation=evaluation)
    rows = own.select_related("actor", "reason", "evaluation__debate").order_by("evaluation_id", "sequence")
    entries = {pk: list(group) for pk, group in groupby(rows, key=attrgetter("evaluation_id"))}
    act = LastAct(last=last, entries=entries)
    meant(act=act, evaluation=evaluation, entry=entry)
    return act


def meant(*, act: LastAct, evaluation: Evaluation, entry: int | None) -> None:
    """Refuse an act that an entry is none of.

    Raises: ``NotAllowedNow``.
    """
    if entry is not None and entry not in {row.sequence for row in act.entries[evaluation.pk]}:
        raise NotAllowedNow(f"Entry {entry} is not undone: {since(evaluation=evaluation, sequence=entry)}")


def may_see(*, act: LastAct, by: User | AnonymousUser | None) -> None:
    """Refuse whoever may not read the debate of another score of an act; that of the first was asked for by name.

    Raises: ``NotAllowedNow``.
    """
    debates = {rows[0].evaluation.debate_id for rows in act.entries.values()} - {act.last.evaluation.debate_id}
    if not debates:
        return
    visible = selectors.visible_debates(visitor=by or AnonymousUser()).filter(pk__in=debates)
    if visible.count() < len(debates):
        raise NotAllowedNow(
            "The act was done to scores of debates too that you may not read. Choose this score alone (alone), or ask"
            " somebody who may read them all."
        )


def last_act_of(*, by: User) -> ScoreChange:
    """Return the newest entry that somebody wrote, whichever score it is on.

    Raises: ``NotFound``.
    """
    entries = ScoreChange.objects.filter(actor__user=by).exclude(actor_kind=ActorKind.ENGINE.value)
    newest = entries.select_related("evaluation").order_by("-pk").first()
    if newest is None:
        raise NotFound(f"{by.get_username()} has not acted on any score.")
    return newest


def described(entry: ScoreChange) -> str:
    """Return an entry for people: what it is, its number, whose, and when."""
    who = entry.actor or entry.actor_kind
    return f"{entry.get_kind_display()} (entry {entry.sequence}) by {who} at {entry.at:%Y-%m-%d %H:%M:%S} UTC"


def since(*, evaluation: Evaluation, sequence: int) -> str:
    """Say who acted on a score after an entry, or that nobody wrote it."""
    later = evaluation.entries.filter(sequence__gt=sequence).exclude(actor_kind=ActorKind.ENGINE.value)
    first = later.select_related("actor").order_by("sequence").first()
    if first is None:
        return "it is no act of a person."
    return f"somebody has acted on {evaluation} since: {described(first)}. Undo that first."


Chain = Mapping[int, ScoreChange]
"""Entries of one score, by their numbers."""


def chains_of(*, act: LastAct) -> dict[int, Chain]:
    """Return, of each score of an act, the entry before the act and all since, in one query."""
    begins: dict[int, list[int]] = {}
    for pk, entries in act.entries.items():
        begins.setdefault(entries[0].sequence - 1, []).append(pk)
    condition = Q()
    for sequence, ids in begins.items():
        condition |= Q(evaluation__in=ids, sequence__gte=sequence)
    chains: dict[int, dict[int, ScoreChange]] = {pk: {} for pk in act.entries}
    for row in ScoreChange.objects.filter(condition):
        chains[row.evaluation_id][row.sequence] = row
    return dict(chains)


Counted = Collection[tuple[int, int]]
"""(evaluation, run) pairs of which anything ever counted."""


def counted_in(*, act: LastAct) -> Counted:
    """Return what going back on the scores of an act has to know, in one query, where anything of it goes back."""
    if all(entry.kind != EntryKind.ROLLBACK.value for entries in act.entries.values() for entry in entries):
        return ()
    rows = ScoreChange.objects.filter(evaluation__in=list(act.entries), counted_after=True).order_by()
    return set(rows.values_list("evaluation_id", "run_number").distinct())


def known_of(*, evaluation: Evaluation, intent: Intent, chain: Chain, counted: Counted) -> Known | None:
    """Return what the plan of a step back needs and is read already; nothing where a plan reads it itself."""
    match intent:
        case Intent(kind=EntryKind.ROLLBACK, target=int(target)) if counted and target in chain:
            return Known(targets={evaluation.pk: chain[target]}, counted=counted)
    return None


def inverse_of(*, act: LastAct, evaluation: Evaluation, choice: HeldChoice | None, chain: Chain) -> Intent:
    """Return what takes an act on one score back, in one: the newest entry first.

    Raises: ``NotAllowedNow`` where somebody has acted since, play went on over it, or a choice is missing.
    """
    entries = act.entries[evaluation.pk]
    if entries[-1].sequence != evaluation.moderation_version:
        raise NotAllowedNow(since(evaluation=evaluation, sequence=entries[-1].sequence))
    intents: list[Intent] = []
    for past in _pasts(entries=entries, evaluation=evaluation, chain=chain, choice=choice):
        if actions.asks(past) and choice is None:
            raise NotAllowedNow(f"Something was held for {evaluation}. Choose whether it is applied or discarded.")
        intents += ACTIONS[EntryKind(past.entry.kind)].inverse(past)
    return actions.in_one(intents)


def _pasts(
    *, entries: Sequence[ScoreChange], evaluation: Evaluation, chain: Chain, choice: HeldChoice | None = None
) -> Iterable[Past]:
    for entry in reversed(entries):
        played = (chain[number] for number in sorted(chain) if number > entry.sequence and chain[number].kind in PLAY)
        yield Past(entry, chain[entry.sequence - 1], evaluation, choice=choice, since=next(played, None))


def permissions_for(*, act: LastAct) -> list[str]:
    """Return what whoever undoes an act needs: the permissions of what takes it back; its own where nothing does."""
    chains = chains_of(act=act)
    kinds: set[EntryKind] = set()
    for pk, entries in act.entries.items():
        for past in _pasts(entries=entries, evaluation=entries[0].evaluation, chain=chains[pk]):
            own = EntryKind(past.entry.kind)
            try:
                kinds |= {intent.kind for intent in ACTIONS[own].inverse(past)}
            except DomainError:
                kinds.add(own)
    return sorted({ACTIONS[kind].permission for kind in kinds})


def asks(*, act: LastAct) -> bool:
    """Tell whether undoing an act needs to be told what becomes of what was held since, on any of its scores."""
    rows, chains = Evaluation.objects.in_bulk(list(act.entries)), chains_of(act=act)
    return any(
        actions.asks(past)
        for pk, entries in act.entries.items()
        for past in _pasts(entries=entries, evaluation=rows[pk], chain=chains[pk])
    )


def preview(
    *, act: LastAct, choice: HeldChoice | None, by: int | None
) -> list[tuple[Evaluation, Preview | DomainError]]:
    """Show what undoing an act would do to each of its scores; a refusal stands in the place of one that refuses.

    Raises: ``NotAllowedNow`` where any of them is in a debate that ``by`` may not read.
    """
    person = conflicts.person_of(by)
    may_see(act=act, by=person)
    rows = previews.read(evaluations=list(act.entries))
    kept_out = rights.refused(by=person, debates=[row.debate_id for row in rows])
    drafts = _drafts(act=act, evaluations=rows, choice=choice, by=person)
    shown = previews.shown(drafts=[kept_out.get(row.debate_id) or drafts[row.pk] for row in rows])
    return list(zip(rows, shown, strict=True))


def preview_of(
    *, evaluation_id: int, choice: HeldChoice | None, by: int | None, entry: int | None = None, alone: bool = False
) -> Preview:
    """Show what undoing the last act on a score would do to this score.

    Shape: ``entry`` and ``alone`` as in an ``UndoOrder``.
    Raises: ``NotFound``, and what the undo itself would refuse, on whichever score of the act.
    """
    rows = previews.read(evaluations=[evaluation_id])
    if not rows:
        raise NotFound("There is no such evaluation.")
    outcomes = preview(act=last_act(evaluation=rows[0], entry=entry, alone=alone), choice=choice, by=by)
    outcome_of = {row.pk: outcome for row, outcome in outcomes}
    refuse(evaluations=[row for row, _ in outcomes], outcomes=outcome_of)
    asked_about = outcome_of[evaluation_id]
    assert not isinstance(asked_about, DomainError)  # noqa: S101 -- refused above
    return asked_about


def _drafts(
    *, act: LastAct, evaluations: Sequence[Evaluation], choice: HeldChoice | None, by: User | AnonymousUser | None
) -> dict[int, Draft | DomainError]:
    """Fold in memory what takes an act back on each of its scores; a refusal stands in place of one that refuses."""
    chains, counted = chains_of(act=act), counted_in(act=act)
    drafts: dict[int, Draft | DomainError] = {}
    for row in evaluations:
        chain = chains[row.pk]
        try:
            intent = inverse_of(act=act, evaluation=row, choice=choice, chain=chain)
            known = known_of(evaluation=row, intent=intent, chain=chain, counted=counted)
            drafts[row.pk] = previews.drafted(evaluation=row, intent=intent, known=known, by=by.pk if by else None)
        except DomainError as refusal:
            refusal.details.pop("field", None)  # of what takes an act back, which no body of a request holds
            drafts[row.pk] = refusal
    for kind in (EntryKind.FREEZE, EntryKind.OVERRIDE):  # a freeze alone is mostly let
        freezes = kind is EntryKind.FREEZE
        asked = [row for row in evaluations if _freezes(drafts[row.pk], entries=act.entries[row.pk]) is freezes]
        drafts |= conflicts.lost(by=by, evaluations=asked, kind=kind) if asked else {}
    return drafts


def _freezes(draft: Draft | DomainError, *, entries: Sequence[ScoreChange]) -> bool:
    """Tell whether what takes an act back is a freeze alone; where that is refused already, whether it might be."""
    if isinstance(draft, DomainError):
        return all(entry.kind == EntryKind.UNFREEZE.value for entry in entries)
    return [step.kind for step in actions.steps_of(draft.intent)] == [EntryKind.FREEZE]


@UseCase
def undo(*, order: UndoOrder, now: datetime) -> list[Done] | Approval:
    """Take the last act of a person on a score back, on every score that it was done to, or on none.

    Shape: an ``Approval`` waits where what was taken back is an override that a second person has to approve.
    Raises: ``NotPermitted``, ``NotFound``, ``Stale``, ``Invalid``, ``NotAllowedNow`` saying what stands in the way;
    ``NeedsSecondPerson``; ``BulkRefused`` naming the scores that refuse where the act was on several.
    Source: docs/reference/moderation.md, "Undo".
    """
    looked_at = Evaluation.objects.filter(pk=order.evaluation_id).first()
    if looked_at is None:
        raise NotFound("There is no such evaluation.")
    act = last_act(evaluation=looked_at, entry=order.entry, alone=order.alone)
    for permission in permissions_for(act=act):
        rights.permitted(by=order.by, permission=permission)
    may_see(act=act, by=order.by)
    author = author_of(order=replace(order, reason_code=ReasonCode.UNDO.value))
    bulk.hold_debates(evaluations=list(act.entries))
    evaluations = accounts.lock_with_debates(evaluations=act.entries)
    asked_about = [row for row in evaluations if row.pk == order.evaluation_id]
    unmoved(evaluations=asked_about, seen={} if order.seen is None else {order.evaluation_id: order.seen})
    if asked_about[0].moderation_version != looked_at.moderation_version:
        raise Stale(since(evaluation=asked_about[0], sequence=looked_at.moderation_version))
    rights.may_moderate(by=order.by, debates=[row.debate_id for row in evaluations])
    drafts = _drafts(act=act, evaluations=evaluations, choice=order.choice, by=order.by)
    refuse(evaluations=evaluations, outcomes=drafts)
    taken: list[Done] = []
    for row in evaluations:
        draft = drafts[row.pk]
        assert isinstance(draft, Draft)  # noqa: S101 -- refused above
        if draft.second_person_because and len(evaluations) == 1:
            return approvals.request(evaluation=row, author=author, value=draft.intent.value, now=now)
        for intent in actions.steps_of(draft.intent):
            rights.permitted(by=order.by, permission=ACTIONS[intent.kind].permission)
        taken.append(Done(row, take(evaluation=row, author=author, intent=draft.intent, known=draft.known)))
    warn_whole(taken=taken, choice=order.choice)
    bulk.announce(taken=taken, now=now)
    return taken


def refuse(*, evaluations: Sequence[Evaluation], outcomes: Mapping[int, Draft | Preview | DomainError]) -> None:
    """Refuse the whole where any score refuses.

    Raises: the refusal itself where the act was on one score, ``BulkRefused`` where it was on several.
    """
    refusals = {pk: outcome for pk, outcome in outcomes.items() if isinstance(outcome, DomainError)}
    if len(evaluations) == 1:
        for refusal in refusals.values():
            raise refusal
    bulk.refuse([Line(row.pk, row, refusal=refusals.get(row.pk)) for row in evaluations])
