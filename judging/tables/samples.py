"""The open debates that Moot ships: a motion, a preset, and what was said, or nothing where chairs speak themselves."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from debates.errors import Invalid
from judging import frameworks
from judging.tables import spec, transcripts
from judging.tables.spec import TableSpec

PLAIN = ("tone", "accountability", "credit", "exchanges", "rule_set")


def read(text: str) -> TableSpec:
    """Return a shipped debate as it is created. Where turns are written down, everybody says them; all is judged anew.

    Raises: ``Invalid`` and its kin, naming the field.
    """
    found: dict[str, Any] = json.loads(text)
    strange = sorted(set(found) - {"title", "motion", "preset", "turns", *PLAIN})
    if strange:
        raise Invalid(f"sample: unknown {strange[0]!r}.")
    plain = {name: found[name] for name in PLAIN if name in found}
    if "turns" not in found:
        chairs = spec.from_preset(found["preset"])
        return TableSpec(motion=found["motion"], title=found["title"], chairs=chairs, **plain)
    written = {"motion": found["motion"], "turns": found["turns"], "speakers": positions(found["preset"])}
    wanted = transcripts.as_table(transcripts.document(written))
    return replace(wanted, title=found["title"], introduction=True, interjections=True, **plain)


def positions(preset: str) -> Mapping[str, Mapping[str, Any]]:
    """Return where the chairs of a preset stand, by name, as a transcript tells it."""
    return {
        seat.name: {
            "framework": seat.framework,
            "stance": seat.stance,
            "conviction": seat.conviction,
            "strategy": seat.strategy.value,
        }
        for seat in frameworks.preset(preset).seats
    }
