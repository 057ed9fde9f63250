"""The proof of how sealed rows came to be what they are: what changed, behind which guard, and under which erasure."""

import itertools
import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q

from debates.models import Event, Participant
from scoring.enums import Scope
from scoring.models import Erasure
from scoring.proof import Fault
from scoring.seal_proof import fault_of, row_named, streamed
from scoring.sealed import TABLES, Sealed, voices_of

ENDS = ("debate:concluded", "debate:cancelled")
RERUN = "debate:rerun"
OVER_FOR = timedelta(hours=23)
DONE: Mapping[str, str] = {"INSERT": "added", "UPDATE": "changed", "DELETE": "removed"}


def faults(debate_id: int | None) -> Iterator[Fault]:
    """Yield rows of one debate, or of all, that were changed as no service changes them.

    Source: docs/reference/ledger.md, "What may change".
    """
    yield from _behind_guards(debate_id)
    yield from _added_again(debate_id)
    yield from _twice(debate_id)
    yield from _unexcused(debate_id)


ALLOWED = "SELECT * FROM jsonb_to_recordset(%s) AS a (relation text, changing text[], once text[])"
FIRST = """(SELECT f.chain FROM debates_seal f WHERE f.relation = s.relation AND f.key = s.key ORDER BY f.id LIMIT 1)"""
"""The chain that a row began in: whoever moves it to another debate does not have that one blamed."""


def _allowed() -> str:
    return json.dumps(
        [{"relation": each.table, "changing": [*each.changing, *each.once], "once": each.once} for each in TABLES]
    )


BEHIND = f"""
SELECT {FIRST}, s.relation, s.key, s.act, s.altered, s.guards_off FROM debates_seal s
WHERE s.guards_off IS NOT NULL AND (%s::bigint IS NULL OR s.chain = %s) ORDER BY s.id
"""  # noqa: S608 -- our own words


def _behind_guards(debate_id: int | None) -> Iterator[Fault]:
    """Yield rows that were written while a guard of their table was switched off."""
    for chain, relation, key, act, altered, off in streamed(BEHIND, [debate_id, debate_id]):
        changed = f": {', '.join(altered)}" if altered else ""
        what = f"the row was {DONE[act]} while {', '.join(off)} of {relation} was switched off{changed}"
        yield fault_of(chain, row_named(relation, key), what)


ADDED = """
SELECT min(s.chain), s.relation, s.key, count(*) FILTER (WHERE s.act = 'INSERT') FROM debates_seal s
WHERE %s::bigint IS NULL OR s.chain = %s GROUP BY s.relation, s.key
HAVING min(s.id) IS DISTINCT FROM min(s.id) FILTER (WHERE s.act = 'INSERT')
  OR count(*) FILTER (WHERE s.act = 'INSERT') > 1
ORDER BY s.relation, s.key
"""


def _added_again(debate_id: int | None) -> Iterator[Fault]:
    """Yield rows that a seal adds which are there already, or that were changed and never added."""
    for chain, relation, key, times in streamed(ADDED, [debate_id, debate_id]):
        yield fault_of(chain, row_named(relation, key), "it is added once, before all else", 1, times)


TWICE = f"""
WITH allowed AS ({ALLOWED})
SELECT {FIRST}, s.relation, s.key, c.name, count(*)
FROM debates_seal s JOIN allowed a USING (relation), unnest(s.altered) AS c (name)
WHERE s.act = 'UPDATE' AND c.name = ANY (a.once) AND (%s::bigint IS NULL OR s.chain = %s)
GROUP BY s.relation, s.key, c.name HAVING count(*) > 1 ORDER BY s.relation, s.key, c.name
"""  # noqa: S608 -- our own words


def _twice(debate_id: int | None) -> Iterator[Fault]:
    """Yield rows of which something was decided or ended once, and then again."""
    for chain, relation, key, name, times in streamed(TWICE, [_allowed(), debate_id, debate_id]):
        yield fault_of(chain, row_named(relation, key), f"its {name} changes once", 1, times)


CHANGES = f"""
WITH allowed AS ({ALLOWED})
SELECT s.batch, b.at, s.relation, {FIRST}, s.key, s.act, s.altered
FROM debates_seal s JOIN allowed a USING (relation)
LEFT JOIN debates_block b ON b.batch = s.batch AND b.chain = s.chain AND s.id BETWEEN b.first_seal AND b.last_seal
WHERE (s.act = 'DELETE' OR s.act = 'UPDATE' AND NOT coalesce(s.altered <@ a.changing AND s.altered <> '{{}}', false))
  AND (%s::bigint IS NULL OR s.chain = %s)
ORDER BY s.batch, b.at, s.relation, s.id
"""  # noqa: S608 -- our own words


@dataclass(frozen=True, slots=True)
class Change:
    """One change of a row that only an erasure, or time, explains."""

    chain: int
    key: int
    act: str
    columns: Collection[str]


def _unexcused(debate_id: int | None) -> Iterator[Fault]:
    """Yield rows of which something changed that never does, or that lost words without an erasure of them."""
    tables = {each.table: each for each in TABLES}
    rows = streamed(CHANGES, [_allowed(), debate_id, debate_id])
    for (batch, at, relation), same in itertools.groupby(rows, key=lambda row: row[:3]):
        sealed = tables[relation]
        freely = {*sealed.changing, *sealed.once}
        changes = [Change(chain, key, act, set(altered or ()) - freely) for *_, chain, key, act, altered in same]
        yield from _judged(sealed, changes, _erasures(batch, at), at)


def _erasures(batch: int, at: datetime | None) -> list[Erasure]:
    statement = "SELECT key FROM debates_seal WHERE batch = %s AND relation = %s AND act = 'INSERT'"
    keys = [key for (key,) in streamed(statement, [batch, Erasure._meta.db_table])]  # noqa: SLF001 -- Django's public name
    return list(Erasure.objects.filter(pk__in=keys, at=at)) if keys and at is not None else []


def _over_for_a_day(debates: Collection[int], at: datetime | None) -> Collection[int]:
    """Return the debates whose logs say at a moment that they have been over for a day, an hour less for two clocks."""
    if at is None:
        return ()
    ends = Event.objects.filter(debate__in=debates, at__lte=at, type__in=[*ENDS, RERUN])
    newest = ends.order_by("debate_id", "-seq").distinct("debate_id")
    return {event.debate_id for event in newest if event.type in ENDS and event.at < at - OVER_FOR}


def _judged(
    sealed: Sealed, changes: Collection[Change], erasures: Collection[Erasure], at: datetime | None
) -> Iterator[Fault]:
    taken = Q(pk__in=[])
    for erasure in erasures:
        taken |= sealed.erased_by(erasure)
    rows = sealed.model._default_manager.filter(pk__in=[change.key for change in changes])  # noqa: SLF001 -- Django's public name
    covered = set(rows.filter(taken).values_list("pk", flat=True))
    left = {row["pk"]: row for row in rows.values("pk", *sealed.erasable)}
    faded = _over_for_a_day({change.chain for change in changes}, at) if sealed.fading else ()
    for change in changes:
        with_time = change.chain in faded and set(change.columns) <= set(sealed.fading)
        what = _wrong(sealed, change, erasures, covered=with_time or change.key in covered, left=left.get(change.key))
        if what:
            yield fault_of(change.chain, row_named(sealed.table, change.key), what)


def _wrong(
    sealed: Sealed, change: Change, erasures: Collection[Erasure], *, covered: bool, left: Mapping[str, Any] | None
) -> str:
    """Say what is wrong with a change; nothing where it is what erasures and time do."""
    if change.act == "DELETE":
        gone = sealed.removable and any(change.chain in debates_of(erasure) for erasure in erasures)
        return "" if gone else "the row was removed"
    if not change.columns:
        return "nobody knows what was changed of the row"
    never = sorted(set(change.columns) - set(sealed.erasable))
    if never:
        return f"its {', '.join(never)} changed, which never does"
    if not covered:
        return f"its {', '.join(sorted(change.columns))} changed without an erasure of it"
    kept = [name for name in sorted(change.columns) if left is not None and not sealed.erasable[name](left[name])]
    return f"an erasure leaves nothing of its {', '.join(kept)}, and something is there" if kept else ""


def debates_of(erasure: Erasure) -> Collection[int | None]:
    if erasure.scope != Scope.USER.value:
        return [erasure.debate_id]
    return list(Participant.objects.filter(pk__in=voices_of(erasure)).values_list("debate", flat=True))
