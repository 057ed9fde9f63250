"""One section out of several that a judge gave of the same: their scores, with the words of the nearest. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from judging.panels import deliberation
from judging.panels.deliberation import Body
from judging.rules import flips
from judging.rules.fairness import Place
from judging.rules.flips import Together
from scoring.types import plain


def merged(*, given: Mapping[Place, Body], shares: Mapping[str, Fraction]) -> tuple[Place, Body]:
    """Return the section that stands for several, and by which of them its words are.

    Shape: of one, itself. ``judgements`` of the section holds by criterion the single scores, their spread, and whether
    the orders differ. A judge accepts where most of its judgements do, and agrees with whom all of them name.
    Source: docs/reference/fairness.md#what-counts
    """
    if len(given) == 1:
        return next(iter(given.items()))
    scores = {code: _scores(given, code) for code in next(iter(given.values()))["scores"]}
    made = {code: flips.score(given=one) for code, one in scores.items()}
    counted = {code: one.numbers["score"] for code, one in made.items()}
    overall = deliberation.overall(counted, shares)
    place = flips.nearest(given={place: Decimal(body["overall"]) for place, body in given.items()}, to=overall)
    words = given[place]
    rows = "criteria" if words["kind"] == "analysis" else "sections"
    return place, {
        **words,
        rows: [_row(row, counted[row["criterion"]]) for row in words[rows]],
        **(_stance(list(given.values())) if words["kind"] == "debate" else {}),
        "scores": {code: plain(score) for code, score in counted.items()},
        "overall": plain(overall),
        "judgements": {code: _kept(scores[code], one) for code, one in made.items()},
    }


def _scores(given: Mapping[Place, Body], code: str) -> dict[Place, Decimal]:
    return {place: Decimal(body["scores"][code]) for place, body in given.items()}


def _row(row: Mapping[str, Any], score: Decimal) -> dict[str, Any]:
    """Return what a section says of one criterion, with the score that counts in place of its own."""
    if Decimal(row["score"]) == score:
        return dict(row)
    if "own_score" in row:
        return {**row, "score": plain(score), "wanted": plain(score), "refused": ""}
    kept = {name: value for name, value in row.items() if name != "revision"}
    return {**kept, "score": plain(score)}


def _stance(bodies: Sequence[Body]) -> dict[str, Any]:
    named = [set(body["agrees_with"]) for body in bodies]
    shared = set.intersection(*named)
    return {
        "accepts": 2 * sum(body["accepts"] for body in bodies) > len(bodies),
        "agrees_with": [one for one in bodies[0]["agrees_with"] if one in shared],
    }


def _kept(scores: Mapping[Place, Decimal], made: Together) -> dict[str, Any]:
    readings = [
        {"swapped": place.swapped, "reading": place.reading, "score": plain(one)} for place, one in scores.items()
    ]
    return {"readings": readings, "spread": plain(made.spread), "flipped": made.flipped}
