"""Small helpers that keep model definitions short."""

import uuid
from enum import StrEnum
from typing import Any

from django.db import models
from django.db.models import Q


def choices(kind: type[StrEnum]) -> list[tuple[str, str]]:
    """Return a Django choice list of an enum: value and readable label."""
    return [(member.value, member.value.replace("_", " ")) for member in kind]


def word(kind: type[StrEnum], **options: Any) -> "models.CharField[str, str]":
    """Return a column that holds one member of an enum."""
    return models.CharField(max_length=20, choices=choices(kind), **options)


def known(field: str, kind: type[StrEnum], name: str, *, empty: bool = False) -> models.CheckConstraint:
    """Return the constraint that a column holds a member of an enum, or nothing where it may be ``empty``."""
    values = [*([""] if empty else []), *(member.value for member in kind)]
    return models.CheckConstraint(name=name, condition=Q(**{f"{field}__in": values}))


DIGEST = r"^[0-9a-f]{64}$"


def is_digest(field: str, name: str) -> models.CheckConstraint:
    """Return the constraint that a column holds a digest of 64 characters, or nothing."""
    return models.CheckConstraint(name=name, condition=Q(**{field: ""}) | Q(**{f"{field}__regex": DIGEST}))


def public_id() -> "models.UUIDField[uuid.UUID, uuid.UUID]":
    """Return the column under which the outside world knows a row."""
    return models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
