"""The rubrics that are kept, to make debates with. Each debate keeps the snapshot that it was created with."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from debates.errors import NotPermitted
from debates.printable import clock
from debates.services.idempotency import UseCase
from debates.services.rights import Asker, permitted
from scoring import constraint_errors
from scoring.errors import Stale
from scoring.models import Criterion, Rubric
from scoring.rubrics import TEXTS


@transaction.atomic
def write(*, snapshot: Mapping[str, Any], by: Asker, seen: int | None = None) -> Rubric:
    """Keep a rubric under its slug, as its first version or as the one after ``seen``; those before it stay.

    Shape: ``snapshot`` as ``scoring.rubrics`` has checked it; without ``seen`` the slug is a new one.
    Raises: ``NotPermitted``; ``Stale`` where the newest version is another one than ``seen``.
    Source: docs/reference/rubrics.md, "Versions".
    """
    newest = newest_of(slug=snapshot["slug"])
    may_store(by=by, newest=newest)
    fresh(slug=snapshot["slug"], newest=newest, seen=seen)
    criteria = snapshot["criteria"]
    with constraint_errors.refusals():
        rubric = Rubric.objects.create(
            **{name: snapshot[name] for name in ("slug", "name", "description")},
            version=newest.version + 1 if newest else 1,
            criteria_count=len(criteria),
            created_by=by if isinstance(by, User) else None,
        )
    Criterion.objects.bulk_create(
        Criterion(
            rubric=rubric, position=position, weight=Decimal(row["weight"]), **{name: row[name] for name in TEXTS}
        )
        for position, row in enumerate(criteria, start=1)
    )
    return rubric


store = UseCase(write)


def newest_of(*, slug: str) -> Rubric | None:
    """Return the newest version of a rubric, if there is one."""
    return Rubric.objects.select_related("created_by").filter(slug=slug).order_by("-version").first()


def may_store(*, by: Asker, newest: Rubric | None) -> None:
    """Refuse whoever may not store a version: a new rubric, or one of one's own, takes the permission to add rubrics.

    Raises: ``NotPermitted``.
    """
    permitted(by=by, permission="scoring.add_rubric")
    if newest is None or by is None or by.has_perm("scoring.change_rubric"):
        return
    if not Rubric.objects.filter(slug=newest.slug, version=1, created_by=by.pk).exists():
        raise NotPermitted(
            f"{by.get_username()} did not make the rubric {newest.slug!r}, and lacks the permission change_rubric."
        )


def fresh(*, slug: str, newest: Rubric | None, seen: int | None) -> None:
    """Refuse whoever decided on another version than the newest one, and say whose that is.

    Raises: ``Stale``.
    """
    if (newest.version if newest else None) == seen:
        return
    if newest is None:
        raise Stale(f"There is no rubric {slug!r} yet; its first version names none before it.")
    maker = newest.created_by.get_username() if newest.created_by else "the operator"
    raise Stale(
        f"The rubric {slug!r} is at version {newest.version}, by {maker} of {clock(newest.created_at)}. "
        "Look at it before you store the next."
    )
