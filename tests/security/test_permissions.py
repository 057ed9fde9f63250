"""Who may do what: every act of moderation by a member of every group, through the service that all doors call."""

import pytest
from django.contrib.auth.models import AnonymousUser, Group, User

from scoring.enums import EntryKind as K
from scoring.errors import NotPermitted
from scoring.groups import AUDITOR, MODERATOR, SENIOR
from scoring.models import Evaluation
from tests import factories
from tests.judging.moderation_paths import Path, Scene, build, by_service, ready

pytestmark = pytest.mark.django_db
NOBODY, PLAIN, SUPERUSER = "nobody", "plain", "superuser"
EVERYBODY = (NOBODY, PLAIN, AUDITOR, MODERATOR, SENIOR, SUPERUSER)
NEEDS = {
    K.FREEZE: "freeze", K.UNFREEZE: "unfreeze", K.OVERRIDE: "override", K.OVERRIDE_LIFTED: "lift", K.STRIKE: "strike",
    K.REINSTATE: "strike", K.ROLLBACK: "rollback",
}  # fmt: skip
OTHERS = ("rerun",)
"""Permissions on scores that none of these acts needs."""


def scene_of(kind: K) -> Scene:
    """A score on which the act makes sense."""
    return build(Path(kind.value, by_service(kind), before=ready(kind)))


def version(scene: Scene) -> int:
    return Evaluation.objects.values_list("version", flat=True).get(pk=scene.evaluation.pk)


def somebody(kind: str) -> User | AnonymousUser:
    if kind == NOBODY:
        return AnonymousUser()
    person = factories.person("alice", superuser=kind == SUPERUSER)
    if kind not in {PLAIN, SUPERUSER}:
        person.groups.add(Group.objects.get(name=kind))
    return User.objects.get(pk=person.pk)


@pytest.mark.parametrize("who", EVERYBODY)
@pytest.mark.parametrize("kind", NEEDS)
def test_an_act_is_done_by_who_may_and_refused_to_everybody_else(kind, who):
    may = who in {SUPERUSER, SENIOR, *([] if kind is K.ROLLBACK else [MODERATOR])}
    scene = scene_of(kind)
    before = version(scene)
    scene.me = somebody(who)

    if may:
        by_service(kind)(scene)
    else:
        with pytest.raises(NotPermitted):
            by_service(kind)(scene)

    assert version(scene) == before + may


@pytest.mark.parametrize("kind", NEEDS)
def test_the_one_permission_of_an_act_is_enough_and_all_the_others_are_not(kind):
    needed = f"{NEEDS[kind]}_evaluation"
    others = [f"{name}_evaluation" for name in sorted({*NEEDS.values(), *OTHERS} - {NEEDS[kind]})]
    scene = scene_of(kind)
    before = version(scene)

    scene.me = factories.person("almost", permissions=others)
    with pytest.raises(NotPermitted, match=needed):
        by_service(kind)(scene)
    assert version(scene) == before
    scene.me = factories.person("enough", permissions=[needed])
    by_service(kind)(scene)

    assert version(scene) == before + 1


@pytest.mark.parametrize("kind", NEEDS)
def test_an_account_that_was_closed_does_nothing(kind):
    scene = scene_of(kind)
    scene.me.is_active = False
    scene.me.save()
    scene.me = User.objects.get(pk=scene.me.pk)

    with pytest.raises(NotPermitted):
        by_service(kind)(scene)
