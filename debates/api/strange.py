"""Fields that a body has and its shape has not, at any depth: they are refused rather than ignored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rest_framework import serializers
from rest_framework.exceptions import ValidationError

LONGEST = 80
NONE = "There is no such field; none is known here."


def refuse(body: serializers.Serializer[Any], data: Mapping[str, Any]) -> None:
    """Refuse a body with a field that its shape does not know.

    Raises: ``ValidationError`` with the place of the first, and what is known there.
    """
    for place, known in strange_in(body, data):
        told = f"There is no such field; known here are {', '.join(known)}." if known else NONE
        raise ValidationError({"/".join(place): [told]}, code="unknown_field")


def strange_in(shape: Any, data: Any, place: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Sequence[str]]]:
    """Yield the place of each field that is not known, and the fields that are known there.

    What has another form than its shape, or comes after as many rows as a list may have, is refused anyway.
    """
    parts: list[tuple[Any, str, Any]] = []
    if isinstance(shape, serializers.Serializer) and isinstance(data, Mapping):
        known = list(shape.fields)
        yield from (((*place, name[:LONGEST]), known) for name in sorted(set(data) - set(known)))
        parts = [(shape.fields[name], name, data[name]) for name in known if name in data]
    elif isinstance(shape, serializers.DictField) and isinstance(data, Mapping):
        parts = [(shape.child, str(name)[:LONGEST], value) for name, value in data.items()]
    elif isinstance(shape, serializers.ListSerializer | serializers.ListField) and isinstance(data, list):
        parts = [(shape.child, str(number), value) for number, value in enumerate(data[: most_in(shape)])]
    for field, name, value in parts:
        yield from strange_in(field, value, (*place, name))


def most_in(shape: Any) -> int | None:
    """Return how many rows a list may have, if that is limited."""
    found: int | None = shape.max_length
    return found
