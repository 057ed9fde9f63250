"""Counting a judged round: its facts, its ledger entry, its warnings. A building block of whoever plays."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any

from django.db import transaction

from debates import prepared_statements
from debates.decimals import in_places
from debates.models import Participant, Round
from debates.types import News
from scoring.constraint_errors import refusals
from scoring.enums import EntryKind, FactKind
from scoring.models import Evaluation, Fact
from scoring.rules import criterion, transitions
from scoring.services import alerts
from scoring.services.computing import parameters_of, rounds_of, verdict_facts
from scoring.services.entries import ENGINE, Posted, post, state_of
from scoring.types import Instrument


@dataclass(frozen=True, slots=True)
class Given:
    """One number that a judgement gave, before it is a fact."""

    kind: FactKind
    amount: Decimal
    impact: Decimal = Decimal(0)
    weight: Decimal = Decimal(1)
    participant: Participant | None = None
    parts: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Counted:
    """What became of a round: its facts in the order they were given, its entry, its events."""

    facts: tuple[Fact, ...]
    posted: Posted
    news: tuple[News, ...]


@transaction.atomic(savepoint=False)
def keep(*, evaluation: Evaluation, round: Round, new_facts: Sequence[Given], now: datetime) -> list[Fact]:
    """Write the facts of one round of a locked evaluation, in the order they were given. Nothing counts yet.

    Raises: ``Invalid`` when a number is outside its limits.
    """
    with refusals():
        return prepared_statements.insert(
            Fact(
                evaluation=evaluation,
                round=round,
                run_number=round.run_number,
                kind=fact.kind.value,
                participant=fact.participant,
                amount=fact.amount,
                impact=fact.impact,
                weight=fact.weight,
                parts=fact.parts,
                at=now,
            )
            for fact in new_facts
        )


@transaction.atomic(savepoint=False)
def count_kept(*, evaluation: Evaluation, round: Round, facts: Sequence[Fact]) -> Counted:
    """Write the entry that counts the facts of one round, or holds them while the score is frozen.

    Raises: ``Invalid`` when the round was counted before.
    Source: docs/reference/ledger.md, "round and held".
    """
    before = state_of(evaluation)
    own = [fact.pk for fact in facts]
    known = [*earlier_of(evaluation), *facts]
    if before.frozen:
        kind, state = EntryKind.HELD, transitions.held_round(before, facts=own)
    else:
        instrument = Instrument(evaluation.instrument)
        kind, state = EntryKind.ROUND, transitions.counted_round(before, instrument=instrument, facts=own)
    posted = post(
        evaluation=evaluation,
        kind=kind,
        state=state,
        author=ENGINE,
        known=known,
        round=round,
        facts=own,
        raw_sum=raw_of(evaluation=evaluation, facts=facts),
    )
    remember(evaluation=evaluation, facts=known)
    news_items = [*posted.news, *progress(evaluation=evaluation, round=round, posted=posted)]
    if kind is EntryKind.ROUND:
        news_items += alerts.after_round(evaluation=evaluation, facts=known)
    return Counted(facts=tuple(facts), posted=posted, news=tuple(news_items))


@transaction.atomic(savepoint=False)
def count(*, evaluation: Evaluation, round: Round, new_facts: Sequence[Given], now: datetime) -> Counted:
    """Write the facts of one round of a locked evaluation and the entry that counts or holds them.

    Shape: ``new_facts`` is not empty.
    Raises: ``Invalid`` when the round was counted before or a number is outside its limits.
    """
    facts = keep(evaluation=evaluation, round=round, new_facts=new_facts, now=now)
    return count_kept(evaluation=evaluation, round=round, facts=facts)


def earlier_of(evaluation: Evaluation) -> Sequence[Fact]:
    """Return the facts that count for a criterion now, each with its round: its score and its warnings need both."""
    if evaluation.instrument != Instrument.CRITERION.value or not evaluation.basis:
        return ()
    known: dict[int, Fact] = getattr(evaluation, "known_facts", {})
    if known.keys() >= set(evaluation.basis):
        return [known[pk] for pk in sorted(evaluation.basis)]
    return facts_of(evaluation.basis)


def facts_of(pks: Sequence[int]) -> list[Fact]:
    """Return facts, each with its round as far as scores and warnings need it."""
    facts = prepared_statements.read(Fact, earlier(), [list(pks)], "round_number")
    for fact in facts:
        fact.round = Round(pk=fact.round_id, number=vars(fact)["round_number"])
    return facts


def read_ahead(*, evaluations: Sequence[Evaluation]) -> None:
    """Read by one query the facts that count for locked evaluations, which each of them is asked for."""
    criteria = [row for row in evaluations if row.instrument == Instrument.CRITERION.value]
    facts = {fact.pk: fact for fact in facts_of(pks)} if (pks := [pk for row in criteria for pk in row.basis]) else {}
    for evaluation in criteria:
        remember(evaluation=evaluation, facts=[facts[pk] for pk in evaluation.basis])


def remember(*, evaluation: Evaluation, facts: Iterable[Fact]) -> None:
    """Keep with a locked evaluation facts as the database has them, for whoever asks for those that count."""
    vars(evaluation)["known_facts"] = {fact.pk: fact for fact in facts}


@lru_cache
def earlier() -> str:
    """Return the query for facts with the numbers of their rounds."""
    return f"""SELECT {prepared_statements.columns_of(Fact, "f")}, r.number FROM scoring_fact f
        JOIN debates_round r ON r.id = f.round_id WHERE f.id = ANY(%s) ORDER BY f.id"""  # noqa: S608 -- the models' names


def raw_of(*, evaluation: Evaluation, facts: Sequence[Fact]) -> Decimal | None:
    """Return the raw sum of one round's own adjustments; only criterion rounds have one."""
    if evaluation.instrument != Instrument.CRITERION.value:
        return None
    weighted = parameters_of(evaluation).weight_by_confidence
    return criterion.raw_sum(facts=verdict_facts(facts), weight_by_confidence=weighted)


def progress(*, evaluation: Evaluation, round: Round, posted: Posted) -> list[News]:
    """Return the events that tell watchers how far an evaluation has come."""
    about = {"evaluation": str(evaluation.public_id), "criterion": evaluation.key, "round": round.number}
    if posted.entry.kind == EntryKind.HELD.value:
        return [News("round:held", {**about, "entry": posted.entry.sequence, "facts": len(posted.entry.facts)})]
    return [
        News(
            "score:updated",
            {
                **about,
                "instrument": evaluation.instrument,
                "category": evaluation.category,
                "originalScore": in_places(evaluation.initial_score),
                "currentScore": in_places(evaluation.value),
                "totalRounds": rounds_of(evaluation),
                "participant": str(evaluation.participant.public_id) if evaluation.participant else None,
            },
        )
    ]
