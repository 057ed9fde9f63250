"""The catalogue of events: each type, who may read it, and what its data holds. Nothing else is told."""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError
from pydantic.json_schema import GenerateJsonSchema

from debates.event_schemas.base import EventData, Words
from debates.event_schemas.debate import OF_THE_DEBATE
from debates.event_schemas.moderation import OF_APPEALS, OF_MODERATION
from debates.event_schemas.play import OF_PLAY
from debates.event_schemas.scores import OF_SCORES
from debates.types import Audience

SCHEMA_VERSION = 1
"""Grows when a field or a type is taken away or changes its meaning; additions leave it as it is."""

CHAPTERS: Mapping[str, tuple[type[EventData], ...]] = {
    "Of the debate": OF_THE_DEBATE,
    "Of play": OF_PLAY,
    "Of scores": OF_SCORES,
    "Of appeals and broken seals": OF_APPEALS,
    "For moderators": OF_MODERATION,
}
TYPES: Mapping[str, type[EventData]] = {event.called: event for chapter in CHAPTERS.values() for event in chapter}


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


class Promised(GenerateJsonSchema):
    """Models as readers are promised them: with the fields that may come, and no titles but those of models."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        """Leave the titles of fields out: generators of code take them for names of models."""
        return False

    def model_schema(self, schema: Any) -> dict[str, Any]:
        return {**super().model_schema(schema), "additionalProperties": True}


def schema(type: str) -> dict[str, Any]:
    """Return the JSON Schema of one type's ``data`` as readers see it, with the words that are joined on reading."""
    return TYPES[type].as_read().model_json_schema(schema_generator=Promised)


def frame_schema() -> dict[str, Any]:
    """Return the JSON Schema of one event as it is streamed: ``{seq, type, at, data}``, one model for each type."""
    models: dict[str, Any] = {}
    mapping: dict[str, str] = {}
    for type, shape in TYPES.items():
        data = schema(type)
        models |= data.pop("$defs", {})
        models[f"{shape.__name__}Data"] = {**data, "title": f"{shape.__name__}Data"}
        models[shape.__name__] = {
            "title": shape.__name__,
            "type": "object",
            "required": ["seq", "type", "at", "data"],
            "properties": {
                "seq": {"type": "integer", "minimum": 1},
                "type": {"const": type},
                "at": {"type": "string", "format": "date-time"},
                "data": {"$ref": f"#/$defs/{shape.__name__}Data"},
            },
            "additionalProperties": True,
        }
        mapping[type] = f"#/$defs/{shape.__name__}"
    return {
        "description": "One event as it is streamed. Further types may come: skip what is not known.",
        "oneOf": [{"$ref": place} for place in mapping.values()],
        "discriminator": {"propertyName": "type", "mapping": mapping},
        "$defs": models,
    }


__all__ = [
    "CHAPTERS",
    "SCHEMA_VERSION",
    "TYPES",
    "EventData",
    "NotInTheCatalogue",
    "Words",
    "check",
    "frame_schema",
    "schema",
]
