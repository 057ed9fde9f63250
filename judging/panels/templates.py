"""The packaged sets of criteria: code, design, documentation; and single criteria that are known by name."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from debates.errors import NotFound
from scoring import rubrics

TEMPLATES = ("code", "design", "documentation")


def template(slug: str) -> dict[str, Any]:
    """Return a packaged set of criteria as a rubric snapshot.

    Raises: ``NotFound`` naming those there are.
    Source: docs/reference/panels.md#templates
    """
    if slug not in TEMPLATES:
        raise NotFound(f"There is no template {slug!r}; there are: {', '.join(TEMPLATES)}.")
    return rubrics.read(_packaged(slug))


@cache
def known_cards() -> Mapping[str, Mapping[str, str]]:
    """Return every criterion that is known by name, without a weight; the templates' come first."""
    cards: dict[str, Mapping[str, str]] = dict(json.loads(_packaged("known")))
    for slug in reversed(TEMPLATES):
        cards.update({row["code"]: _weightless(row) for row in template(slug)["criteria"]})
    return cards


def _weightless(row: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in row.items() if name != "weight"}


def _packaged(name: str) -> str:
    return resources.files("judging.panels").joinpath("data", f"{name}.json").read_text(encoding="utf-8")
