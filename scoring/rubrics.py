"""Rubrics from files and tables, and the snapshot that a debate keeps. Checked before anything is written."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from debates.decimals import plain
from debates.errors import Invalid, NotFound
from debates.rules import unique_keys
from scoring.models import Rubric
from scoring.rules.numbers import decimal_of

TEXTS = ("code", "name", "category", "question", "high", "low")
MOST_CRITERIA = 100
HEAVIEST = Decimal(1000)
"""Weights are relative; only their proportions matter."""


def read(text: str) -> dict[str, Any]:
    """Return a rubric snapshot from the JSON of a rubric file.

    Shape: {"slug", "name", "description"?, "criteria": [{"code", "name", "category", "question", "high", "low",
    "weight"}]}; weights are decimals written as strings or numbers.
    Raises: ``Invalid`` naming the criterion, the field and what is allowed.
    Source: docs/reference/rubrics.md.
    """
    try:
        given = json.loads(text, parse_float=str, parse_int=str, object_pairs_hook=unique_keys)
    except (ValueError, RecursionError) as error:
        raise Invalid(f"The rubric is not JSON that can be read: {error}.") from error
    return checked(given)


def checked(given: object) -> dict[str, Any]:
    """Return a rubric snapshot from what a rubric file holds, already read; numbers in it are text.

    Raises: ``Invalid`` naming the criterion, the field and what is allowed.
    """
    if not isinstance(given, dict):
        raise Invalid("The rubric must be a JSON object with slug, name and criteria.")
    for name in ("slug", "name"):
        _text(given, name, where="rubric")
    rows = given.get("criteria")
    if not isinstance(rows, list) or not 1 <= len(rows) <= MOST_CRITERIA:
        raise Invalid(f"rubric: criteria must be a list of 1 to {MOST_CRITERIA} criteria.")
    criteria = [_criterion(row, number) for number, row in enumerate(rows, start=1)]
    codes = [row["code"] for row in criteria]
    twice = sorted({code for code in codes if codes.count(code) > 1})
    if twice:
        raise Invalid(f"rubric: the code {twice[0]} is used more than once.")
    strange = sorted(set(given) - {"slug", "name", "description", "categories", "criteria"})
    if strange:
        raise Invalid(f"rubric: unknown key {strange[0]!r}; known are slug, name, description, categories, criteria.")
    _same_categories(given.get("categories"), weights=category_weights(criteria=criteria))
    return {
        "slug": given["slug"],
        "name": given["name"],
        "description": str(given.get("description", "")),
        "criteria": criteria,
    }


def category_weights(*, criteria: Sequence[Mapping[str, str]]) -> dict[str, Decimal]:
    """Return what each category weighs: the weights of its criteria together."""
    names = dict.fromkeys(row["category"] for row in criteria)
    return {
        name: sum((Decimal(row["weight"]) for row in criteria if row["category"] == name), Decimal(0)) for name in names
    }


def _same_categories(stated: object, *, weights: Mapping[str, Decimal]) -> None:
    if stated is None:
        return
    if not isinstance(stated, dict) or set(stated) != set(weights):
        raise Invalid(f"rubric: categories must name {', '.join(weights)}, or be left out.")
    for name, weight in weights.items():
        said = decimal_of(stated[name], name=f"rubric, categories: {name}", low=Decimal(0), high=HEAVIEST, places=6)
        if said != weight:
            raise Invalid(f"rubric: category {name} is said to weigh {said}, but its criteria weigh {plain(weight)}.")


def _criterion(row: object, number: int) -> dict[str, str]:
    where = f"rubric, criterion {number}"
    if not isinstance(row, dict):
        raise Invalid(f"{where}: must be an object with {', '.join(TEXTS)} and weight.")
    code = row.get("code")
    where += f" ({code[:40]})" if isinstance(code, str) and code.strip() else ""
    strange = sorted(set(row) - {*TEXTS, "weight"})
    missing = [name for name in (*TEXTS, "weight") if name not in row]
    if strange or missing:
        told = [f"{', '.join(names)} {what}" for names, what in ((missing, "missing"), (strange, "unknown")) if names]
        raise Invalid(f"{where}: {'; '.join(told)}. Its keys are {', '.join(TEXTS)}, weight.")
    weight = decimal_of(row.get("weight"), name=f"{where}: weight", low=Decimal("0.000001"), high=HEAVIEST, places=6)
    return {**{name: _text(row, name, where=where) for name in TEXTS}, "weight": plain(weight)}


def _text(row: Mapping[str, Any], name: str, *, where: str) -> str:
    value = row.get(name)
    if not isinstance(value, str) or not value.strip():
        raise Invalid(f"{where}: {name} must not be empty.")
    return value.strip()


def newest() -> QuerySet[Rubric]:
    later = Rubric.objects.filter(slug=OuterRef("slug"), version__gt=OuterRef("version"))
    return Rubric.objects.filter(~Exists(later))


def snapshot(*, slug: str) -> dict[str, Any]:
    """Return a stored rubric as a debate keeps it.

    Raises: ``NotFound`` naming the rubrics there are.
    """
    rubric = newest().prefetch_related("criteria").filter(slug=slug).first()
    if rubric is None:
        known = ", ".join(newest().values_list("slug", flat=True)) or "none yet"
        raise NotFound(f"There is no rubric {slug!r}; there are: {known}.")
    return {
        "slug": rubric.slug,
        "name": rubric.name,
        "description": rubric.description,
        "criteria": [
            {**{name: getattr(row, name) for name in TEXTS}, "weight": plain(row.weight)}
            for row in rubric.criteria.all()
        ],
    }
