"""What waits for somebody, for the sidebar and the dashboard."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from django.apps import apps
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, User

WAITING: Mapping[str, tuple[str, Mapping[str, object]]] = {
    "Alert": ("scoring", {"state": "open"}),
    "Approval": ("scoring", {"state": "waiting"}),
    "RescoreSet": ("scoring", {"state": "staged"}),
    "Review": ("judging", {"state__in": ["open", "claimed"]}),
}


def open_counts(user: AbstractBaseUser | AnonymousUser) -> dict[str, int]:
    """Return how many of each kind of open work somebody may see, with one query a kind."""
    return dict(_counted(user)) if isinstance(user, User) else {}


def _counted(user: User) -> Iterator[tuple[str, int]]:
    known = {(model._meta.app_label, model.__name__): model for model in apps.get_models()}  # noqa: SLF001 -- public in all but name
    for name, (app, open_when) in WAITING.items():
        model = known.get((app, name))
        if model is not None and user.has_perm(f"{app}.view_{name.lower()}"):
            yield name, model._default_manager.filter(**open_when).count()  # noqa: SLF001 -- as above
