"""Which words belong to which events. Each app registers the types it tells; words are read when events are."""

from __future__ import annotations

QUERIES: dict[str, str] = {}


def register(*, type: str, query: str) -> None:
    """Have words joined to the events of one type.

    Shape: ``query`` selects (seq, words as one JSON object) for the events of ``%(debate)s`` whose seq is among
    ``%(seqs)s``; the object's keys are those of the type's words in the catalogue.
    Source: docs/explanation/stream.md.
    """
    QUERIES[type] = query
