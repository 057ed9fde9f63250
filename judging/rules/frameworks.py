"""Who can sit at the table of an open debate: frameworks, presets, tones and strategies, as data written by us."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from importlib import resources
from typing import Any

from judging.rules.persuasion import Strategy
from scoring.errors import UnknownKey

SPIRITED = "spirited"
"""The tone of a debate that names none."""


@dataclass(frozen=True, slots=True)
class Framework:
    """A way of arguing: what it argues from, what it asks, what it is good at, and what it must admit."""

    key: str
    name: str
    gist: str
    question: str
    strengths: tuple[str, ...]
    blind_spots: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PresetChair:
    """A chair of a preset.

    Units: stance -1..1, conviction 0..1.
    """

    name: str
    framework: str
    stance: Decimal
    conviction: Decimal
    strategy: Strategy


@dataclass(frozen=True, slots=True)
class Preset:
    key: str
    title: str
    gist: str
    seats: tuple[PresetChair, ...]


@cache
def packaged() -> Any:
    """Return the packaged JSON document. Callers treat it as read-only."""
    return json.loads(resources.files("judging.rules").joinpath("frameworks.json").read_text(encoding="utf-8"))


@cache
def frameworks() -> Mapping[str, Framework]:
    """Return every framework by its key."""
    return {key: _framework(key, row) for key, row in packaged()["frameworks"].items()}


@cache
def presets() -> Mapping[str, Preset]:
    """Return every preset by its key."""
    return {
        key: Preset(key, row["title"], row["gist"], tuple(_seat(chair) for chair in row["chairs"]))
        for key, row in packaged()["presets"].items()
    }


def preset(key: str) -> Preset:
    """Return a preset by its key.

    Raises: ``UnknownKey`` naming those there are.
    """
    if key not in presets():
        raise UnknownKey(f"There is no preset {key!r}; allowed: {', '.join(presets())}.")
    return presets()[key]


def tones() -> Mapping[str, str]:
    """Return what each tone asks of a speaker."""
    return dict(packaged()["tones"])


def manner(strategy: Strategy) -> str:
    """Return what a strategy asks of a speaker."""
    return str(packaged()["strategies"][strategy.value])


def accountability() -> Mapping[str, str]:
    """Return what each degree of accountability means for speakers."""
    return dict(packaged()["accountability"])


def _framework(key: str, row: Mapping[str, Any]) -> Framework:
    return Framework(
        key=key,
        name=row["name"],
        gist=row["gist"],
        question=row["question"],
        strengths=tuple(row["strengths"]),
        blind_spots=tuple(row["blind_spots"]),
    )


def _seat(row: Mapping[str, Any]) -> PresetChair:
    return PresetChair(
        name=row["name"],
        framework=row["framework"],
        stance=Decimal(row["stance"]),
        conviction=Decimal(row["conviction"]),
        strategy=Strategy(row["strategy"]),
    )
