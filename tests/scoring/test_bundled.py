"""The shipped rubric is there after a migration, once, and never in place of what somebody made of it."""

import pytest
from django.core.management import call_command

from scoring import bundled
from scoring.models import Rubric
from scoring.services import rubric_store
from tests import playing


@pytest.mark.django_db(transaction=True)
def test_a_migration_stores_what_is_missing_once():
    for _ in range(2):
        call_command("migrate", verbosity=0)

    [rubric] = Rubric.objects.all()
    assert (rubric.slug, rubric.version, rubric.criteria.count()) == ("venture", 1, 30)


@pytest.mark.django_db(transaction=True)
def test_a_migration_replaces_nothing():
    newest = rubric_store.newest_of(slug="venture")
    ours = playing.rubric("P1") | {"slug": "venture", "name": "Ours"}
    rubric_store.write(snapshot=ours, by=None, seen=newest.version if newest else None)
    before = list(Rubric.objects.values_list("name", "version"))

    call_command("migrate", verbosity=0)

    assert list(Rubric.objects.values_list("name", "version")) == before


@pytest.mark.django_db
def test_the_samples_bring_the_others():
    bundled.store_missing(pattern="*")

    assert {rubric.slug: rubric.criteria.count() for rubric in Rubric.objects.all()} == {"venture": 30, "exhibition": 5}
