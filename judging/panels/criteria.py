"""Criteria as somebody types them: ``correctness:30,design:25``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from debates.errors import Invalid
from judging.panels import templates
from scoring.rubrics import HEAVIEST
from scoring.rules.numbers import decimal_of
from scoring.types import plain

MOST_CRITERIA = 30
LONGEST_CODE = 40
CODE = re.compile(r"[a-z0-9]+(?:[-_ ][a-z0-9]+)*")
LEAST_WEIGHT = Decimal("0.000001")


def typed(text: str) -> dict[str, Any]:
    """Return a rubric snapshot from criteria as they are typed.

    Shape: ``name:weight`` pairs with commas between; the weights are relative. A name that is known brings its own
    question; any other is asked about by its name.
    Raises: ``Invalid`` naming the pair, what is wrong with it and what is expected.
    Source: docs/reference/panels.md#criteria
    """
    pairs = [pair.strip() for pair in text.split(",")]
    if not text.strip() or not all(pairs):
        raise Invalid("criteria must be name:weight pairs with commas between, such as correctness:30,design:25.")
    return weighed([_pair(pair) for pair in pairs])


def weighed(pairs: Sequence[tuple[str, object]]) -> dict[str, Any]:
    """Return a rubric snapshot from names of criteria, each with its relative weight.

    Raises: ``Invalid`` naming the criterion, what is wrong with it and what is expected.
    Source: docs/reference/panels.md#criteria
    """
    if not 1 <= len(pairs) <= MOST_CRITERIA:
        raise Invalid(f"criteria: 1 to {MOST_CRITERIA} are judged at once; got {len(pairs)}.")
    rows = [_criterion(name, weight) for name, weight in pairs]
    _each_once([row["code"] for row in rows])
    return {"slug": "typed", "name": "Criteria as typed", "description": "", "criteria": rows}


def _pair(pair: str) -> tuple[str, str]:
    name, colon, weight = (part.strip() for part in pair.rpartition(":"))
    if not colon or not name:
        raise Invalid(f"criteria: {pair!r} must be a name, a colon and a weight, such as correctness:30.")
    return name, weight


def _criterion(name: str, weight: object) -> dict[str, str]:
    code = name.strip().lower()
    if not CODE.fullmatch(code) or len(code) > LONGEST_CODE:
        raise Invalid(
            f"criteria: {name!r} must be letters and digits, with single hyphens or spaces between words, "
            f"at most {LONGEST_CODE} characters."
        )
    number = decimal_of(weight, name=f"criteria: the weight of {name}", low=LEAST_WEIGHT, high=HEAVIEST, places=6)
    return {**card_of(code), "weight": plain(number)}


def card_of(code: str) -> dict[str, str]:
    """Return what judges are told about a criterion that is known, or only has a name."""
    known = templates.known_cards().get(code)
    if known is not None:
        return dict(known)
    words = re.sub(r"[-_ ]", " ", code)
    return {
        "code": code,
        "name": words.capitalize(),
        "category": "criteria",
        "question": f"How good is the subject with regard to {words}, given the task?",
        "high": f"Nothing that matters for {words} is missing, and the text shows it.",
        "low": f"What matters for {words} is missing or wrong.",
    }


def _each_once(codes: Sequence[str]) -> None:
    twice = next((code for code in codes if codes.count(code) > 1), None)
    if twice is not None:
        raise Invalid(f"criteria: {twice} is named more than once.")
