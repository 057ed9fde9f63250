"""The hash of a ledger entry, computed apart from the database's own: two implementations must agree.

Source: docs/reference/ledger.md, "The hash" and "Seals".
"""

import hashlib
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from uuid import UUID

from debates.models import Block
from scoring.models import Evaluation, Fact, ScoreChange

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
NOTHING = "~"


def micro(amount: Decimal | None) -> str | None:
    """Return a ledger value in millionths."""
    return None if amount is None else str(int(amount * 1_000_000))


def flag(value: bool) -> str:  # noqa: FBT001 -- a flag is what it takes
    return str(int(value))


def digits(numbers: Iterable[int]) -> str:
    """Return a list of ids the way PostgreSQL writes an array."""
    return "{" + ",".join(str(number) for number in numbers) + "}"


def hidden(text: str) -> str:
    """Return the digest of a text, so that no separator in it can be mistaken for ours."""
    return hashlib.sha256(text.encode()).hexdigest()


def moment(at: datetime) -> str:
    """Return a time in microseconds since 1970."""
    return str((at - EPOCH) // EPOCH.resolution)


def joined(fields: Iterable[object]) -> str:
    """Return fields in one line, "~" where there is nothing."""
    return "|".join(NOTHING if field is None else str(field) for field in fields)


def facts_hash(facts: Iterable[tuple[Fact, str]]) -> bytes:
    """Return what binds an entry to the facts that count or are held after it.

    Shape: each fact comes with its parts as PostgreSQL prints them.
    """
    lines = (
        joined(
            [
                fact.pk,
                fact.kind,
                fact.round_id,
                fact.run_number,
                fact.participant_id,
                micro(fact.amount),
                micro(fact.impact),
                micro(fact.weight),
                moment(fact.at),
                hidden(parts),
            ]
        )
        for fact, parts in sorted(facts, key=lambda pair: pair[0].pk)
    )
    return hashlib.sha256("\n".join(lines).encode()).digest()


def account_hash(*, evaluation: Evaluation, parameters: str | None) -> str:
    """Return what binds every entry to whose score it is, how it weighs, and the parameters it is computed with.

    Shape: ``parameters`` are the debate's parameters of the score as PostgreSQL prints them.
    """
    fields = [
        evaluation.public_id,
        evaluation.debate_id,
        evaluation.thread_id,
        evaluation.participant_id,
        evaluation.instrument,
        hidden(evaluation.key),
        hidden(evaluation.category),
        micro(evaluation.weight),
        evaluation.position,
        None if parameters is None else hidden(parameters),
    ]
    return hidden(joined(fields))


def entry_hash(*, entry: ScoreChange, previous: bytes, account: str, facts: bytes) -> bytes:
    """Return the hash that an entry must carry after ``previous``."""
    fields = [
        "v1",
        entry.evaluation_id,
        account,
        entry.sequence,
        entry.kind,
        micro(entry.initial_score),
        micro(entry.value_before),
        micro(entry.value_after),
        micro(entry.confidence_before),
        micro(entry.confidence_after),
        micro(entry.computed_before),
        micro(entry.computed_after),
        entry.run_number,
        digits(entry.basis),
        digits(entry.held),
        micro(entry.override_after),
        flag(entry.frozen_before),
        flag(entry.frozen_after),
        flag(entry.counted_after),
        flag(entry.complete_after),
        entry.rounds_after,
        entry.round_id,
        digits(entry.facts),
        facts.hex(),
        micro(entry.raw_sum),
        micro(entry.cumulative_raw),
        micro(entry.capped_net),
        entry.held_choice,
        entry.target_sequence,
        entry.actor_kind,
        entry.actor_id,
        hidden(entry.reason_code),
        entry.reason.digest if entry.reason else None,
        moment(entry.at),
        hidden(entry.idempotency_key),
    ]
    return hashlib.sha256(previous + joined(fields).encode()).digest()


def seal_digest(*, salt: UUID, text: str) -> bytes:
    """Return the digest that a row's seal must carry.

    Shape: ``text`` is the row as PostgreSQL prints ``jsonb``, without the columns that its seals leave out.
    """
    return hashlib.sha256(f"{salt}{text}".encode()).digest()


def event_digest(pk: int, seq: int, kind: str, audience: str, at: datetime, data: str) -> bytes:  # noqa: PLR0917 -- the columns of a row, in order
    """Return the digest of an event in its block."""
    return hashlib.sha256(joined([pk, seq, kind, audience, moment(at), hidden(data)]).encode()).digest()


Names = Sequence[str] | None
SealLine = tuple[int, str, int, str, bytes, Names, Names]
"""What of a seal its block covers: id, table, key, act, digest, columns that were changed, triggers that were off."""


def block_hash(*, block: Block, previous: bytes, seals: Iterable[SealLine]) -> bytes:
    """Return the hash that a block must carry after ``previous``.

    Shape: ``seals`` come by id.
    """
    lines = hashlib.sha256()
    for number, (pk, relation, key, act, digest, *names) in enumerate(seals):
        lists = [None if each is None else ",".join(map(str, each)) for each in names]
        line = joined([pk, relation, key, act, bytes(digest or b"").hex(), *lists])
        lines.update((("\n" if number else "") + line).encode())
    fields = [
        "v1",
        block.chain,
        block.number,
        block.batch,
        block.first_seal,
        block.last_seal,
        block.seq,
        moment(block.at),
        lines.hexdigest(),
        ",".join(bytes(digest or b"").hex() for digest in block.events),
    ]
    return hashlib.sha256(previous + joined(fields).encode()).digest()
