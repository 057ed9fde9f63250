"""The rubrics that are kept, to make debates with. Each debate keeps the snapshot that it was created with."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from debates.services.rights import Asker, permitted
from scoring.models import Criterion, Rubric
from scoring.rubrics import TEXTS


@transaction.atomic(durable=True)
def store(*, snapshot: Mapping[str, Any], by: Asker) -> Rubric:
    """Keep a rubric under its slug, replacing what was there.

    Shape: ``snapshot`` as ``scoring.rubrics`` has checked it.
    Raises: ``NotPermitted``: a new one takes the permission to add rubrics, one that is there that to change them.
    Source: docs/reference/rubrics.md.
    """
    return write(snapshot=snapshot, by=by)


@transaction.atomic
def write(*, snapshot: Mapping[str, Any], by: Asker) -> Rubric:
    """Write a rubric inside the transaction of a caller.

    Raises: ``NotPermitted``.
    """
    slug = snapshot["slug"]
    is_kept = Rubric.objects.filter(slug=slug).exists()
    permitted(by=by, permission="scoring.change_rubric" if is_kept else "scoring.add_rubric")
    about = {name: snapshot[name] for name in ("name", "description")}
    maker = by if isinstance(by, User) else None
    rubric, _ = Rubric.objects.update_or_create(
        slug=slug, defaults=about, create_defaults={**about, "created_by": maker}
    )
    rubric.criteria.all().delete()
    Criterion.objects.bulk_create(
        Criterion(
            rubric=rubric,
            position=position,
            weight=Decimal(row["weight"]),
            **{name: row[name] for name in TEXTS},
        )
        for position, row in enumerate(snapshot["criteria"], start=1)
    )
    return rubric
