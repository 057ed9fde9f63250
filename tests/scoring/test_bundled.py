"""The shipped rubric is there after a migration, once, and never in place of what somebody made of it."""

import pytest
from django.core.management import call_command

from scoring import bundled
from scoring.models import Rubric
from scoring.services import rubric_store
from tests import playing


@pytest.mark.django_db
def test_the_shipped_rubric_is_there_after_a_migration():
    assert {rubric.slug: rubric.criteria.count() for rubric in Rubric.objects.all()} == {"venture": 30}


@pytest.mark.django_db(transaction=True)
def test_a_migration_stores_what_is_missing_once():
    assert not Rubric.objects.exists()  # of a test whose rows are committed

    for _ in range(2):
        call_command("migrate", verbosity=0)

    assert list(Rubric.objects.values_list("slug", "version")) == [("venture", 1)]


@pytest.mark.django_db(transaction=True)
def test_a_migration_replaces_nothing():
    rubric_store.write(snapshot=playing.rubric("P1") | {"slug": "venture", "name": "Ours"}, by=None)

    call_command("migrate", verbosity=0)

    assert list(Rubric.objects.values_list("name", "version")) == [("Ours", 1)]


@pytest.mark.django_db
def test_the_samples_bring_the_others():
    bundled.store_missing(pattern="*")

    assert {rubric.slug: rubric.criteria.count() for rubric in Rubric.objects.all()} == {"venture": 30, "exhibition": 5}
