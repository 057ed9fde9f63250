"""The one place where entries of the ledger are written. A building block: it joins its caller's transaction."""

import logging
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AnonymousUser, User
from django.db import connection, transaction

from debates import prepared_statements
from debates.decimals import in_places
from debates.errors import Invalid
from debates.printable import Fields
from debates.types import Audience, News
from scoring.constraint_errors import refusals
from scoring.enums import ActorKind, ApprovalState, EntryKind
from scoring.errors import NotPermitted
from scoring.models import Actor, Approval, Evaluation, Fact, InternalNote, Reason, ScoreChange
from scoring.rules.transitions import State
from scoring.services.computing import Computed, compute
from scoring.types import Instrument

log = logging.getLogger(__name__)
LEAST_REASON = 10


@dataclass(frozen=True, slots=True)
class Author:
    """Who writes an entry and why. The engine needs neither actor nor reason.

    Shape: ``approval`` is the request that a second person approves with this entry.
    """

    kind: ActorKind
    actor: Actor | None = None
    reason: Reason | None = None
    reason_code: str = ""
    idempotency_key: str = ""
    approval: Approval | None = None

    def columns(self) -> dict[str, Any]:
        return {
            "actor_kind": self.kind.value,
            "actor": self.actor,
            "reason": self.reason,
            "reason_code": self.reason_code,
            "idempotency_key": self.idempotency_key,
        }


ENGINE = Author(ActorKind.ENGINE)


@dataclass(frozen=True, slots=True)
class Posted:
    """An entry that was written, and the events that tell of it."""

    entry: ScoreChange
    news: list[News]


def state_of(row: Evaluation) -> State:
    """Return the state of an evaluation as its row says."""
    return State(
        run=row.run_number,
        basis=tuple(row.basis),
        held=tuple(row.held),
        override=row.override_score,
        frozen=row.frozen_at is not None,
        counted=row.counted,
        complete=row.debate_complete,
        rounds=row.debate_round_count,
    )


def state_after(entry: ScoreChange) -> State:
    """Return the state of an evaluation after one of its entries."""
    return State(
        run=entry.run_number,
        basis=tuple(entry.basis),
        held=tuple(entry.held),
        override=entry.override_after,
        frozen=entry.frozen_after,
        counted=entry.counted_after,
        complete=entry.complete_after,
        rounds=entry.rounds_after,
    )


@transaction.atomic(savepoint=False)
def post(
    *,
    evaluation: Evaluation,
    kind: EntryKind,
    state: State,
    author: Author,
    known: Sequence[Fact] | None = None,
    **about: Any,
) -> Posted:
    """Append one entry that takes a locked evaluation to ``state``, and bring the row in memory up to date.

    Shape: ``known`` are the rows of the facts that the entry names, where the caller has them, and any that its basis
    holds; ``about`` are further columns of the entry: round, facts, raw_sum, held_choice, target_sequence.
    Raises: whatever ``scoring.constraint_errors.REFUSALS`` makes of the guard that refuses.
    Source: docs/reference/ledger.md, "Entries".
    """
    # Only a verdict's numbers are sure to have no more places than the database keeps.
    exact = known if known and evaluation.instrument == Instrument.CRITERION.value else ()
    gives = compute(evaluation=evaluation, state=state, known=exact)
    with refusals():
        entry = ScoreChange(
            evaluation=evaluation, kind=kind.value, **gives.columns(), **after(state), **author.columns(), **about
        )
        # As the database writes them; an insert does not bring these two back.
        sure = evaluation.initial_confidence if evaluation.confidence is None else evaluation.confidence
        entry.computed_before, entry.confidence_before = evaluation.computed_score, sure
        prepared_statements.insert_foreseen(
            entry, after=evaluation.pk, **foreseen(evaluation=evaluation, state=state, gives=gives)
        )
    evaluation.follow(entry)
    own = named(entry=entry, known=known)
    note(evaluation=evaluation, entry=entry, own=own)
    news_items = moved(evaluation=evaluation, entry=entry, own=own)
    if author.kind is not ActorKind.ENGINE:
        news_items += void_waiting(evaluation=evaluation, entry=entry, granted=author.approval)
    return Posted(entry=entry, news=news_items)


def foreseen(*, evaluation: Evaluation, state: State, gives: Computed) -> dict[str, Any]:
    """Return what the database says of the next entry of a locked evaluation, as far as anybody tells of it."""
    initial = evaluation.initial_score
    value = next(value for value in (state.override, gives.score, initial) if value is not None)
    return {"sequence": evaluation.version + 1, "value_before": evaluation.value, "value_after": value}


def named(*, entry: ScoreChange, known: Sequence[Fact] | None) -> Sequence[Fact]:
    """Return the facts that an entry names, from those that are known, or read."""
    if known is not None:
        return [fact for fact in known if fact.pk in entry.facts]
    return list(Fact.objects.filter(pk__in=entry.facts).order_by("pk")) if entry.facts else ()


def round_of(entry: ScoreChange) -> int:
    """Return the number of the round that an entry counts; of one that counts none, how many rounds count after it."""
    return entry.round.number if entry.round else entry.rounds_after


def note(*, evaluation: Evaluation, entry: ScoreChange, own: Sequence[Fact]) -> None:
    """Write an entry to the log of this process as well."""
    log.info(
        Fields(
            "score changed",
            evaluation=str(evaluation.public_id),
            criterion=evaluation.key,
            round=round_of(entry),
            kind=entry.kind,
            adjustment=str(entry.value_after - entry.value_before),
            verdicts=[str(fact.public_id) for fact in own],
        )
    )


def after(state: State) -> dict[str, Any]:
    """Return the columns of an entry that say what state it leaves."""
    return {
        "run_number": state.run,
        "basis": list(state.basis),
        "held": list(state.held),
        "override_after": state.override,
        "frozen_after": state.frozen,
        "counted_after": state.counted,
        "complete_after": state.complete,
        "rounds_after": state.rounds,
    }


def void_waiting(*, evaluation: Evaluation, entry: ScoreChange, granted: Approval | None) -> list[News]:
    """Void the override that waits for a second person, because this entry of a person came first.

    Source: docs/reference/moderation.md, "A second person".
    """
    waiting = Approval.objects.filter(evaluation=evaluation, state=ApprovalState.WAITING.value)
    news_items = []
    for approval in waiting.exclude(pk=granted.pk) if granted else waiting:
        approval.state, approval.entry, approval.decided_at = ApprovalState.VOID.value, entry, entry.at
        approval.save(update_fields=["state", "entry", "decided_at"])
        news_items.append(approval_news(approval=approval, evaluation=evaluation))
    return news_items


def approval_news(*, approval: Approval, evaluation: Evaluation) -> News:
    """Return the event of a request for a second person, for moderators only."""
    about = {"approval": str(approval.public_id), "evaluation": str(evaluation.public_id), "state": approval.state}
    data = {**about, "value": in_places(approval.value)}
    if approval.state == ApprovalState.WAITING.value:
        return News("approval:requested", data, Audience.MODERATORS)
    return News("approval:decided", data, Audience.MODERATORS)


def moved(*, evaluation: Evaluation, entry: ScoreChange, own: Sequence[Fact]) -> list[News]:
    """Return the event that a criterion score moved, or nothing if it stood still."""
    if evaluation.instrument != Instrument.CRITERION.value or entry.value_after == entry.value_before:
        return []
    return [
        News(
            "criterion:score-updated",
            {
                "evaluation": str(evaluation.public_id),
                "criterion": evaluation.key,
                "category": evaluation.category,
                "round": round_of(entry),
                "verdicts": [str(fact.public_id) for fact in own],
                "before": in_places(entry.value_before),
                "after": in_places(entry.value_after),
                "delta": in_places(entry.value_after - entry.value_before),
                "kind": entry.kind,
                "entry": entry.sequence,
                "reasonCode": entry.reason_code,
            },
        )
    ]


def actor_of(user: User | AnonymousUser) -> Actor:
    """Return the record of a person as they are now: name and role.

    Call it before anything is locked. The first time it writes a row, which waits for whoever is writing the same one;
    whoever waited with a score locked, while the other waits for that score, would wait for ever.

    Raises: ``NotPermitted`` for somebody who is not logged in, or of whose name nothing can be seen.
    """
    if not isinstance(user, User):
        raise NotPermitted("Log in first: every action carries a name.")
    groups = sorted(user.groups.values_list("name", flat=True))
    role = "superuser" if user.is_superuser else ", ".join(groups)
    with refusals():
        return Actor.objects.get_or_create(user=user, name=user.get_username(), role=role[:150])[0]


def reason_record(words: str, *, note: str = "") -> Reason:
    """Keep the words of a reason, salted, and beside them a note for moderators alone, where there is one.

    Raises: ``Invalid`` for fewer than 10 visible characters; for a note with control characters, or over 4000.
    """
    with refusals():
        internal = InternalNote.objects.create(text=note.strip()) if note.strip() else None
        return Reason.objects.create(salt=secrets.token_hex(16), text=words, note=internal)


def reason_elsewhere(words: str, *, most: int) -> str:
    """Return the words of a reason that is kept outside the ledger, without blanks around them, held to the same rule.

    Raises: ``Invalid`` for fewer than 10 visible characters, or for more than ``most``.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT length(moot_seen(%s))", [words])
        [seen] = cursor.fetchone()
    kept = words.strip()
    if seen < LEAST_REASON or len(kept) > most:
        raise Invalid(f"reason must have at least {LEAST_REASON} visible and at most {most} characters.")
    return kept
