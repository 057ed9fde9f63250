"""The hash of a ledger entry, computed apart from the database's own: two implementations must agree."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from scoring.models import Fact, ScoreChange

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
NOTHING = "~"


def micro(amount: Decimal | None) -> str:
    """Return a ledger value in millionths."""
    return NOTHING if amount is None else str(int(amount * 1_000_000))


def word(value: object) -> str:
    """Return an identifier, count or word; "~" for nothing."""
    return NOTHING if value is None else str(value)


def flag(value: bool) -> str:  # noqa: FBT001 -- a flag is what it takes
    """Return a truth value as a digit."""
    return str(int(value))


def digits(numbers: Iterable[int]) -> str:
    """Return a list of ids the way PostgreSQL writes an array."""
    return "{" + ",".join(str(number) for number in numbers) + "}"


def hidden(text: str) -> str:
    """Return the digest of a text, so that no separator in it can be mistaken for ours."""
    return hashlib.sha256(text.encode()).hexdigest()


def facts_hash(facts: Iterable[Fact]) -> bytes:
    """Return what binds an entry to the facts that count or are held after it.

    Source: docs/reference/ledger.md, "The hash".
    """
    lines = (
        "|".join(
            [
                str(fact.pk),
                fact.kind,
                str(fact.round_id),
                str(fact.run_number),
                micro(fact.amount),
                micro(fact.impact),
                micro(fact.weight),
                hidden(as_jsonb_text(fact.parts)),
            ]
        )
        for fact in sorted(facts, key=lambda fact: fact.pk)
    )
    return hashlib.sha256("\n".join(lines).encode()).digest()


def as_jsonb_text(value: Any) -> str:
    """Return JSON of strings and numbers as PostgreSQL prints jsonb: keys by length, then by bytes."""
    if isinstance(value, dict):
        keys = sorted(value, key=lambda key: (len(key.encode()), key.encode()))
        return "{" + ", ".join(f"{json.dumps(key, ensure_ascii=False)}: {as_jsonb_text(value[key])}" for key in keys) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(as_jsonb_text(one) for one in value) + "]"
    return json.dumps(value, ensure_ascii=False)


def entry_hash(*, entry: ScoreChange, previous: bytes, facts: bytes) -> bytes:
    """Return the hash that an entry must carry after ``previous``.

    Source: docs/reference/ledger.md, "The hash".
    """
    fields = [
        "v1",
        word(entry.evaluation_id),
        word(entry.sequence),
        entry.kind,
        micro(entry.initial_score),
        micro(entry.value_before),
        micro(entry.value_after),
        micro(entry.confidence_before),
        micro(entry.confidence_after),
        micro(entry.computed_before),
        micro(entry.computed_after),
        word(entry.run_number),
        digits(entry.basis),
        digits(entry.held),
        micro(entry.override_after),
        flag(entry.frozen_before),
        flag(entry.frozen_after),
        flag(entry.counted_after),
        flag(entry.complete_after),
        word(entry.rounds_after),
        word(entry.round_id),
        digits(entry.facts),
        facts.hex(),
        micro(entry.raw_sum),
        micro(entry.cumulative_raw),
        micro(entry.capped_net),
        entry.held_choice,
        word(entry.target_sequence),
        entry.actor_kind,
        word(entry.actor_id),
        hidden(entry.reason_code),
        entry.reason.digest if entry.reason else NOTHING,
        str((entry.at - EPOCH) // (EPOCH.resolution)),
        hidden(entry.idempotency_key),
    ]
    return hashlib.sha256(previous + "|".join(fields).encode()).digest()
