"""The proof of what was judged several times: what counts, its spread and its flip again from the single judgements."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from debates.errors import DomainError
from judging.formats.registry import repeated_tables
from judging.formats.repeated import Recomputed
from scoring.proof import Fault

AT_ONCE = 500


def of_readings(debate_id: int | None) -> Iterator[Fault]:
    for table in repeated_tables():
        rows = table.rows.exclude(readings=[]).order_by("pk")
        if debate_id is not None:
            rows = rows.filter(**{table.debate: debate_id})
        for row in rows.iterator(chunk_size=AT_ONCE):
            yield from _faults(row, table.recompute)


def _faults(row: Any, recompute: Callable[[Any], Recomputed]) -> Iterator[Fault]:
    try:
        expected, found = recompute(row)
    except (ArithmeticError, DomainError, LookupError, TypeError, ValueError) as error:
        yield Fault("", None, f"{row}: its judgements cannot be read ({type(error).__name__})")
        return
    for name, value in expected.items():
        if found[name] != value:
            yield Fault("", None, f"{row}: {name} is not what its judgements come to", str(value), str(found[name]))
