"""What waits for somebody, for the sidebar and the dashboard."""

from __future__ import annotations

from collections.abc import Mapping

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, User
from django.db.models import Model, Q

from judging.models import Review
from judging.models.review import WAITING
from scoring.enums import AlertState, ApprovalState, RescoreState
from scoring.models import Alert, Approval, RescoreSet

WORK: Mapping[type[Model], Q] = {
    Alert: Q(state=AlertState.OPEN.value),
    Approval: Q(state=ApprovalState.WAITING.value),
    RescoreSet: Q(state=RescoreState.STAGED.value),
    Review: WAITING,
}


def open_counts(user: AbstractBaseUser | AnonymousUser) -> dict[str, int]:
    """Return how many of each kind of open work somebody may see, with one query a kind."""
    if not isinstance(user, User):
        return {}
    seen = [kind for kind in WORK if user.has_perm(f"{kind._meta.app_label}.view_{kind._meta.model_name}")]  # noqa: SLF001 -- public in all but name
    return {kind.__name__: kind._default_manager.filter(WORK[kind]).count() for kind in seen}  # noqa: SLF001 -- as above
