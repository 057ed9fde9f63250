"""One part of a page: what draws it, and which events make it out of date."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a page that can be drawn alone.

    Shape: ``stirred_by`` names types of events, or with a colon at the end all types that begin so; a part ``about``
    a criterion is left alone by events about another one, and one about a ``round`` by events of other rounds; one
    ``when_open`` is drawn anew only while a reader has it open. ``shown`` is what its template prints.
    """

    name: str
    template: str
    stirred_by: Sequence[str]
    about: str = ""
    round: int | None = None
    when_open: bool = False
    shown: Any = None


@dataclass(frozen=True, slots=True)
class Page:
    """What a format adds to the page of a debate: a layout, its parts by name, and values for their templates."""

    layout: str
    parts: Mapping[str, Part]
    values: Mapping[str, Any] = field(default_factory=dict)


def named(*parts: Part) -> dict[str, Part]:
    return {part.name: part for part in parts}
