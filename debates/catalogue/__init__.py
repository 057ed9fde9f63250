"""The catalogue of events: each type, who may read it, and what its data holds. Nothing else is told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from debates.catalogue.debate import OF_THE_DEBATE
from debates.catalogue.desk import OF_THE_DESK
from debates.catalogue.play import OF_PLAY
from debates.catalogue.scores import OF_SCORES
from debates.catalogue.shapes import Told, Words
from debates.types import Audience

SCHEMA_VERSION = 1
"""Grows when a field or a type is taken away or changes its meaning; additions leave it as it is."""

CHAPTERS: Mapping[str, tuple[type[Told], ...]] = {
    "Of the debate": OF_THE_DEBATE,
    "Of play": OF_PLAY,
    "Of scores": OF_SCORES,
    "For moderators": OF_THE_DESK,
}
TYPES: Mapping[str, type[Told]] = {one.called: one for chapter in CHAPTERS.values() for one in chapter}


class NotInTheCatalogue(ValueError):
    """An event has a type, an audience or data that the catalogue does not know: a fault in the code that tells it."""


def check(*, type: str, audience: Audience, data: str) -> None:
    """Refuse what may not enter a log; ``data`` is the JSON text that would be written.

    Raises: ``NotInTheCatalogue``.
    """
    shape = TYPES.get(type)
    if shape is None:
        raise NotInTheCatalogue(f"{type} is no event of the catalogue")
    if audience not in shape.audiences:
        raise NotInTheCatalogue(f"{type} is not told to {audience}")
    try:
        shape.model_validate_json(data)
    except ValidationError as error:
        raise NotInTheCatalogue(f"{type}: {error}") from error


def schema(type: str) -> dict[str, Any]:
    """Return the JSON Schema of one type's ``data`` as readers see it, with the words that are joined on reading."""
    return TYPES[type].as_read().model_json_schema()


def frame_schema() -> dict[str, Any]:
    """Return the JSON Schema of one event as it is streamed: ``{seq, type, at, data}``."""
    definitions: dict[str, Any] = {}
    kinds = []
    for type in TYPES:
        data = schema(type)
        definitions |= data.pop("$defs", {})
        kinds.append({"properties": {"type": {"const": type}, "data": data}})
    return {
        "type": "object",
        "required": ["seq", "type", "at", "data"],
        "properties": {
            "seq": {"type": "integer", "minimum": 1},
            "type": {"enum": list(TYPES)},
            "at": {"type": "string", "format": "date-time"},
            "data": {"type": "object"},
        },
        "oneOf": kinds,
        "$defs": definitions,
    }


__all__ = [
    "CHAPTERS",
    "SCHEMA_VERSION",
    "TYPES",
    "NotInTheCatalogue",
    "Told",
    "Words",
    "check",
    "frame_schema",
    "schema",
]
