"""The proof of what accounts rest on: every sealed row against its newest seal, seals and events against the blocks."""

import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import connection

from debates.models import SITE, Block, Debate
from scoring import hashing
from scoring.proof import Fault
from scoring.sealed import PATHS, TABLES, Sealed

LOG = "the log of the debate"
AHEAD = timedelta(days=1)


def faults(debate_id: int | None) -> Iterator[Fault]:
    """Yield what does not agree with seals and blocks, in one debate or in all.

    Source: docs/reference/ledger.md, "Seals".
    """
    yield from _blocks(debate_id)
    yield from _events(debate_id)
    yield from _heads_of_logs(debate_id)
    yield from _loose(debate_id)
    for sealed in TABLES:
        if debate_id is None or sealed.where != "site" or sealed.named_by:
            yield from rows(sealed, debate_id)


def streamed(statement: str, values: Sequence[Any] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a statement without holding all of them."""
    with connection.chunked_cursor() as cursor:
        cursor.execute(statement, values)
        yield from cursor


def debate_of(chain: int) -> str:
    if chain == SITE:
        return ""
    public = Debate.objects.filter(pk=chain).values_list("public_id", flat=True).first()
    return str(public or f"number {chain}")


def fault_of(chain: int, row: str, what: str, expected: object = "", found: object = "") -> Fault:
    return Fault("", None, what, str(expected), str(found), debate=debate_of(chain), row=row)


ROWS = """
WITH newest AS (
  SELECT DISTINCT ON (s.key) s.key, s.chain, s.act, s.salt, s.digest
  FROM debates_seal s WHERE s.relation = %s {of_these} ORDER BY s.key, s.id DESC
)
SELECT coalesce(n.key, t.sealed_key), coalesce(n.chain, 0), n.act, n.salt, n.digest,
  (to_jsonb(t) - 'sealed_key' - %s::text[])::text
FROM newest n FULL JOIN (SELECT {key} AS sealed_key, {table}.* FROM {table} {these}) t ON t.sealed_key = n.key
ORDER BY 1
"""


def rows(sealed: Sealed, debate_id: int | None) -> Iterator[Fault]:
    """Yield rows that are not what their newest seal says, that have none, or that are gone."""
    of_these, these = "", ""
    values: list[object] = [sealed.table]
    parameters: tuple[object, ...] = ()
    if debate_id is not None:
        path = sealed.named_by or PATHS[sealed.where]
        keys, parameters = (
            sealed.model._default_manager.filter(**{path: debate_id}).order_by().values("pk").query.sql_with_params()  # noqa: SLF001 -- Django's public name
        )
        these = f"WHERE {sealed.key} IN ({keys})"
        if sealed.where == "site":
            of_these = f"AND s.key IN ({keys})"
            values += parameters
        else:
            of_these = "AND s.chain = %s"
            values.append(debate_id)
    statement = ROWS.format(of_these=of_these, these=these, key=sealed.key, table=sealed.table)
    for key, chain, act, salt, digest, text in streamed(statement, [*values, sorted(sealed.without), *parameters]):
        fault = _compared(act, salt, digest, text)
        if fault is not None:
            what, expected, found = fault
            yield fault_of(chain or debate_id or SITE, called(sealed, key, text), what, expected, found)


def _compared(
    act: str | None, salt: UUID | None, digest: bytes | None, text: str | None
) -> tuple[str, str, str] | None:
    if act is None:
        return "the row was never sealed", "", ""
    if text is None:
        return None if act == "DELETE" else ("the row is gone", "", "")
    if act == "DELETE":
        return "the row was removed, and is there", "", ""
    if salt is None:
        return "the salt of its seal is gone", "", ""
    own = hashing.seal_digest(salt=salt, text=text).hex()
    return None if digest is not None and own == bytes(digest).hex() else (
        "the row is not what was sealed", bytes(digest or b"").hex(), own
    )  # fmt: skip


def called(sealed: Sealed, key: int, text: str | None) -> str:
    """Return what people call one row, with its public id where it has one."""
    public = json.loads(text).get("public_id") if text else None
    return f"{sealed.called} {key}" + (f" ({public})" if public else "")


BLOCKS = """
SELECT b.id, b.chain, b.number, b.batch, b.first_seal, b.last_seal, b.seq, b.events, b.at, b.hash,
  s.id, s.relation, s.key, s.act, s.digest, s.altered, s.guards_off
FROM debates_block b
LEFT JOIN debates_seal s ON s.batch = b.batch AND s.chain = b.chain AND s.id BETWEEN b.first_seal AND b.last_seal
WHERE %s::bigint IS NULL OR b.chain = %s
ORDER BY b.chain, b.number, s.id
"""


NONE_BEFORE = (0, 0, b"")


def _blocks(debate_id: int | None) -> Iterator[Fault]:
    """Yield blocks whose hash does not follow from their seals, their events and the block before."""
    block_rows = streamed(BLOCKS, [debate_id, debate_id])
    chain, (number, seq, previous) = None, NONE_BEFORE
    for head, parts in itertools.groupby(block_rows, key=lambda row: row[:10]):
        block = Block(*head)
        if block.chain != chain:
            chain, (number, seq, previous) = block.chain, NONE_BEFORE
        place = f"block {block.number}"
        if block.number != number + 1:
            yield fault_of(block.chain, place, "the chain has a gap", number + 1, block.number)
        if block.seq != seq + len(block.events):
            yield fault_of(block.chain, place, "its events do not join", seq + len(block.events), block.seq)
        own = hashing.block_hash(
            block=block, previous=previous, seals=(row[10:] for row in parts if row[10] is not None)
        )
        if own != bytes(block.hash):
            yield fault_of(block.chain, place, "the hash is another", own.hex(), bytes(block.hash).hex())
        number, seq, previous = block.number, block.seq, bytes(block.hash)


EVENTS = """
WITH blocks AS (
  SELECT b.chain, b.events, b.at, lag(b.seq, 1, 0::bigint) OVER (PARTITION BY b.chain ORDER BY b.number) AS before
  FROM debates_block b WHERE %s::bigint IS NULL OR b.chain = %s
), sealed AS (
  SELECT b.chain, b.before + t.place AS seq, t.digest, b.at AS written
  FROM blocks b, unnest(b.events) WITH ORDINALITY AS t (digest, place)
)
SELECT coalesce(s.chain, e.debate_id), coalesce(s.seq, e.seq), s.digest, s.written,
  e.id, e.seq, e.type, e.audience, e.at, e.data::text
FROM sealed s
FULL JOIN (SELECT * FROM debates_event WHERE %s::bigint IS NULL OR debate_id = %s) e
  ON e.debate_id = s.chain AND e.seq = s.seq
ORDER BY 1, 2
"""


def _events(debate_id: int | None) -> Iterator[Fault]:
    """Yield events that are not what was sealed, that never were, that are gone, or dated before the one before.

    None is dated a day after it was written, but by the one before it.
    """
    for chain, events in itertools.groupby(streamed(EVENTS, [debate_id] * 4), key=lambda row: row[0]):
        before: datetime | None = None
        for _, seq, digest, written, *event in events:
            place = f"event {seq}"
            at = event[4]
            if at is None:
                yield fault_of(chain, place, "the event is gone")
            elif digest is None:
                yield fault_of(chain, place, "the event was never sealed")
            elif (own := hashing.event_digest(*event)) != bytes(digest):
                yield fault_of(chain, place, "the event is not what was sealed", bytes(digest).hex(), own.hex())
            if at is not None and before is not None and at < before:
                yield fault_of(chain, place, "it is dated before the event before it", before, at)
            if at is not None and written is not None and at > written + AHEAD and (before is None or at > before):
                yield fault_of(chain, place, "it is dated after it was written", written, at)
            before = at or before


LOGS = """
SELECT d.id, h.seq, h.at, coalesce(e.seq, 0), e.at
FROM debates_debate d LEFT JOIN debates_eventhead h ON h.debate_id = d.id
LEFT JOIN LATERAL (SELECT seq, at FROM debates_event WHERE debate_id = d.id ORDER BY seq DESC LIMIT 1) e ON true
WHERE (h.seq, h.at) IS DISTINCT FROM (coalesce(e.seq, 0), e.at) AND (%s::bigint IS NULL OR d.id = %s)
ORDER BY d.id
"""


def _heads_of_logs(debate_id: int | None) -> Iterator[Fault]:
    """Yield logs whose head is not at the last event."""
    for chain, seq, at, last, last_at in streamed(LOGS, [debate_id, debate_id]):
        what = "its head is not at the last event"
        yield fault_of(chain, LOG, what, f"{last}, {last_at}", "no head" if seq is None else f"{seq}, {at}")


LOOSE = """
SELECT s.chain, s.relation, s.key, s.id FROM debates_seal s
WHERE (%s::bigint IS NULL OR s.chain = %s) AND NOT EXISTS (
  SELECT FROM debates_block b
  WHERE b.batch = s.batch AND b.chain = s.chain AND s.id BETWEEN b.first_seal AND b.last_seal)
ORDER BY s.id
"""


def _loose(debate_id: int | None) -> Iterator[Fault]:
    """Yield seals that no block covers."""
    for chain, relation, key, seal in streamed(LOOSE, [debate_id, debate_id]):
        yield fault_of(chain, row_named(relation, key), f"its seal {seal} is in no block")


def row_named(relation: str, key: int) -> str:
    called = next((sealed.called for sealed in TABLES if sealed.table == relation), relation)
    return f"{called} {key}"


HASH_OF = "SELECT b.hash FROM debates_block b WHERE b.chain = %s AND b.number = %s"


def heads() -> dict[str, tuple[int, str]]:
    """Return the last block of every chain, for safe-keeping.

    Shape: {public id of the debate, ``number 5`` of one that is gone, or ``site``: (number, hex hash)}.
    """
    statement = """
        SELECT DISTINCT ON (b.chain)
          CASE WHEN b.chain = %s THEN 'site' ELSE coalesce(d.public_id::text, 'number ' || b.chain) END,
          b.number, b.hash
        FROM debates_block b LEFT JOIN debates_debate d ON d.id = b.chain ORDER BY b.chain, b.number DESC
    """
    return {name: (number, bytes(digest).hex()) for name, number, digest in streamed(statement, [SITE])}


def against(kept: Mapping[str, tuple[int, str]]) -> Iterator[Fault]:
    """Yield chains that do not have the block whose number and hash were kept."""
    chains = {str(public): pk for pk, public in Debate.objects.values_list("pk", "public_id").iterator()} | {
        "site": SITE
    }
    for name, (number, digest) in kept.items():
        gone = int(name.removeprefix("number ")) if name.startswith("number ") else -1
        block = HASH_OF, [chains.get(name, gone), number]
        actual = next((bytes(row[0]).hex() for row in streamed(*block)), "no such block")
        if actual != digest:
            what = "the block is not the one whose head was kept"
            yield Fault("", None, what, digest, actual, debate="" if name == "site" else name, row=f"block {number}")
