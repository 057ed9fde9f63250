"""Groups for people, made after every migration: Organiser, and of a desk Auditor, Moderator, Senior moderator."""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig, apps
from django.contrib.auth.models import Group, Permission
from django.db import connections, transaction
from django.db.models import Q
from django.db.models.signals import post_migrate
from django.dispatch import receiver

APPS = ("debates", "scoring", "judging")
AUDITOR, MODERATOR, SENIOR, ORGANISER = "Auditor", "Moderator", "Senior moderator", "Organiser"

MODERATES = (
    "scoring.freeze_evaluation", "scoring.unfreeze_evaluation", "scoring.override_evaluation",
    "scoring.lift_evaluation", "scoring.strike_evaluation", "scoring.handle_alert", "scoring.decide_appeal",
    "scoring.export_evaluation", "judging.resolve_review", "debates.pause_debate", "debates.add_apikey",
    "debates.add_webhook",
)  # fmt: skip
DIRECTS = (
    "scoring.rollback_evaluation", "scoring.rerun_evaluation", "scoring.approve_override", "scoring.declare_conflict",
    "debates.change_debate", "debates.add_debate", "debates.add_invitation", "debates.change_apikey",
    "debates.change_webhook", "debates.change_mail", "scoring.add_rubric", "scoring.change_rubric",
)  # fmt: skip
ORGANISES = (
    "debates.add_debate",
    "debates.add_invitation",
    "debates.add_apikey",
    "scoring.add_rubric",
    "scoring.view_rubric",
)
INNARDS = (
    "judging.view_claim", "judging.view_script", "judging.view_cachedjudgement", "debates.view_eventhead",
    "debates.view_idempotencykey", "scoring.view_fact",
)  # fmt: skip
"""What only an auditor reads: the engine's own book-keeping, which says nothing that another page does not say."""
SEES = Q(content_type__app_label__in=APPS, codename__startswith="view_") | Q(
    content_type__app_label="admin", codename="view_logentry"
)


@receiver(post_migrate, dispatch_uid="scoring.groups.make_groups")
def make_groups(*, app_config: AppConfig, using: str, **_rest: Any) -> None:
    """Create the groups and give each what it lacks; what somebody added by hand stays.

    Source: docs/reference/moderation.md, "Groups".
    """
    last = [config for config in apps.get_app_configs() if config.models_module is not None][-1]
    tables = {"auth_group", "auth_group_permissions", "auth_permission"}
    if app_config is not last or not tables <= set(connections[using].introspection.table_names()):
        return
    with transaction.atomic(using=using):
        for name, condition in groups().items():
            group, _ = Group.objects.using(using).get_or_create(name=name)
            lacking = Permission.objects.using(using).filter(condition).exclude(group=group)
            group.permissions.add(*lacking)


def groups() -> dict[str, Q]:
    """Return which permissions each group has: a Moderator sees all but the innards, a Senior may also direct.

    An Organiser makes debates and rubrics, and sees of debates what everybody sees, and their own.
    """
    desk = SEES & ~_named(INNARDS)
    return {
        AUDITOR: SEES,
        MODERATOR: desk | _named(MODERATES),
        SENIOR: desk | _named((*MODERATES, *DIRECTS)),
        ORGANISER: _named(ORGANISES),
    }


def _named(permissions: Sequence[str]) -> Q:
    condition = Q()
    for permission in permissions:
        app, codename = permission.split(".")
        condition |= Q(content_type__app_label=app, codename=codename)
    return condition
