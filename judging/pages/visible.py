"""Who may see which debate."""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet

from debates.models import Debate
from debates.types import Visibility

Visitor = AbstractBaseUser | AnonymousUser
WITH_ADDRESS = (Visibility.PUBLIC.value, Visibility.UNLISTED.value)


def visible_debates(*, visitor: Visitor) -> QuerySet[Debate]:
    """Return the debates that somebody may read who has their address.

    Public and unlisted ones for everybody; private ones for their creator and for whoever may view debates.
    """
    debates = Debate.objects.select_related("subject", "head")
    if not isinstance(visitor, AnonymousUser) and visitor.has_perm("debates.view_debate"):  # type: ignore[attr-defined]  # django-stubs types the user as its abstract base
        return debates
    return debates.filter(Q(visibility__in=WITH_ADDRESS) | Q(created_by__isnull=False, created_by=visitor.pk))


def debate_at(*, address: UUID, visitor: Visitor) -> Debate | None:
    """Return the debate at an address, or nothing if there is none that this visitor may read."""
    return visible_debates(visitor=visitor).filter(public_id=address).first()
