"""Groups for the people of a desk, made by every migration."""

import pytest
from django.apps import apps
from django.contrib.auth.models import Group, Permission
from django.utils import timezone

from scoring import groups
from scoring.errors import NotPermitted
from tests import acts, factories

pytestmark = pytest.mark.django_db
NOW = timezone.now()


def make() -> None:
    groups.make_groups(app_config=apps.get_app_config("judging"), using="default")


def codes(name: str) -> set[str]:
    rows = Group.objects.get(name=name).permissions.values_list("content_type__app_label", "codename")
    return {f"{app}.{codename}" for app, codename in rows}


def member(name: str, *, of: str):
    user = factories.person(name)
    user.groups.add(Group.objects.get(name=of))
    return type(user).objects.get(pk=user.pk)


def test_an_auditor_sees_everything_of_ours_and_changes_nothing():
    found = codes(groups.AUDITOR)

    of_models = {
        f"{config.label}.view_{model._meta.model_name}"
        for config in map(apps.get_app_config, groups.APPS)
        for model in config.get_models()
    }
    assert found == of_models | {"admin.view_logentry"}


def test_a_moderator_may_do_what_a_desk_needs_and_a_senior_the_rest():
    auditor, moderator, senior = (codes(name) for name in (groups.AUDITOR, groups.MODERATOR, groups.SENIOR))

    assert auditor - moderator == auditor - senior == set(groups.INNARDS)
    assert moderator - auditor == {
        "scoring.freeze_evaluation", "scoring.unfreeze_evaluation", "scoring.override_evaluation",
        "scoring.lift_evaluation", "scoring.strike_evaluation", "scoring.handle_alert", "judging.resolve_review",
        "scoring.decide_appeal", "scoring.export_evaluation", "debates.pause_debate", "debates.add_apikey",
        "debates.add_webhook",
    }  # fmt: skip
    assert senior - moderator == {
        "scoring.rollback_evaluation", "scoring.rerun_evaluation", "scoring.approve_override",
        "scoring.declare_conflict",
        "debates.change_debate", "debates.add_debate", "debates.change_apikey", "debates.change_webhook",
        "debates.change_mail", "debates.add_invitation",
        "scoring.add_rubric", "scoring.change_rubric",
    }  # fmt: skip
    assert moderator < senior


def test_every_permission_that_a_group_names_exists():
    known = {f"{app}.{code}" for app, code in Permission.objects.values_list("content_type__app_label", "codename")}

    assert {*groups.MODERATES, *groups.DIRECTS, *groups.INNARDS, *groups.ORGANISES} <= known


def test_making_the_groups_again_keeps_what_was_added_by_hand():
    extra = Permission.objects.get(content_type__app_label="auth", codename="view_user")
    group = Group.objects.get(name=groups.MODERATOR)
    group.permissions.add(extra)
    before = codes(groups.MODERATOR)

    make()

    assert codes(groups.MODERATOR) == before
    assert Group.objects.count() == 4


def test_making_the_groups_again_brings_back_what_is_missing():
    before = codes(groups.SENIOR)
    Group.objects.get(name=groups.SENIOR).permissions.clear()
    Group.objects.get(name=groups.AUDITOR).delete()

    make()

    assert codes(groups.SENIOR) == before
    assert codes(groups.AUDITOR)


def test_only_the_last_app_of_a_migration_makes_the_groups():
    Group.objects.all().delete()

    groups.make_groups(app_config=apps.get_app_config("debates"), using="default")

    assert Group.objects.count() == 0


def test_a_moderator_of_the_group_freezes_and_does_not_roll_back():
    evaluation = factories.criterion()
    factories.count(evaluation, "1")
    alice, bob = member("alice", of=groups.MODERATOR), member("bob", of=groups.SENIOR)

    with pytest.raises(NotPermitted, match="rollback_evaluation"):
        acts.roll_back(order=factories.order(evaluation, alice), target=1, now=NOW)
    acts.roll_back(order=factories.order(evaluation, bob), target=1, now=NOW)
    acts.freeze(order=factories.order(evaluation, alice, seen=None), now=NOW)

    assert [entry.actor.role for entry in evaluation.entries.filter(actor__isnull=False)] == [
        groups.SENIOR, groups.MODERATOR,
    ]  # fmt: skip
