"""The page of the documentation that is made from the catalogue."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from debates import event_schemas
from debates.event_schemas.base import EventData
from debates.types import Audience

INTRODUCTION = """# Events

Every committed change of a debate adds events to that debate's own log, in the same transaction. The log is
append-only; `seq` counts from 1 without a gap. [The stream](../explanation/stream.md) says how it is written,
[following a debate live](stream.md) how it is read.

One event is `{seq, type, at, data}`. Ids are public ids; decimals are strings. What is kept in the log is ids and
numbers; the words that belong to them, in *italics* below, are joined when a stream reads it, and are empty once they
have been erased. Pages, exports and webhooks have what is kept, without these words. A field with a question mark may
be missing or `null`. Who may read an event is fixed when it is written: everybody, where the table does not say
otherwise.

Nothing enters a log that does not fit this page. It is made from `debates/event_schemas/` by
`python -m debates.event_schemas`, and so is the same as [JSON Schema](events.schema.json). `schema` in the first frame
of a stream is the version of the catalogue: VERSION. New fields and types come without a new version, so skip what you
do not know.
"""


def markdown() -> str:
    parts = [INTRODUCTION.replace("VERSION", str(event_schemas.SCHEMA_VERSION))]
    for title, types in event_schemas.CHAPTERS.items():
        parts.append("\n".join([f"## {title}", "", "| Type | When | Data |", "|---|---|---|", *map(row, types), ""]))
    return "\n".join(parts)


def json_schema() -> str:
    return json.dumps(event_schemas.frame_schema(), indent=2) + "\n"


def row(event: type[EventData]) -> str:
    words = [f"*{name}*" for name in (event.words.model_fields if event.words else ())]
    cells = [f"`{event.called}`", when(event), ", ".join([*fields(event), *words])]
    return f"| {' | '.join(cells)} |"


def when(event: type[EventData]) -> str:
    meaning = re.sub(r"\s+", " ", event.__doc__ or "").strip()
    if Audience.PUBLIC in event.audiences:
        return meaning
    taking_part = Audience.PARTICIPANTS in event.audiences
    return f"{meaning} {'For those who take part, and moderators.' if taking_part else 'Moderators only.'}"


def fields(event: type[EventData]) -> Sequence[str]:
    """Return the names of what is kept, marked where it may be missing."""
    model_fields: Mapping[str, Any] = event.model_fields
    missing = {name for name, field in model_fields.items() if not field.is_required() or type(None) in parts_of(field)}
    return [f"{name}?" if name in missing else name for name in model_fields]


def parts_of(field: Any) -> tuple[Any, ...]:
    return getattr(field.annotation, "__args__", ())
