"""The shipped rubrics are there after a migration, once, and never in place of what somebody made of them."""

import shutil

import pytest
from django.core.management import call_command

from scoring import bundled
from scoring.models import Rubric
from scoring.services import rubric_store
from tests import playing


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_migration_stores_what_is_missing_once():
    for _ in range(2):
        call_command("migrate", verbosity=0)

    stored = {rubric.slug: (rubric.version, rubric.criteria.count()) for rubric in Rubric.objects.all()}
    assert stored == {"exhibition": (1, 5), "venture": (1, 30)}
    assert {file.stem for file in bundled.FOLDER.iterdir()} == set(stored)


@pytest.mark.django_db(transaction=True)
def test_a_migration_replaces_nothing():
    newest = rubric_store.newest_of(slug="venture")
    ours = playing.rubric("P1") | {"slug": "venture", "name": "Ours"}
    rubric_store.write(snapshot=ours, by=None, seen=newest.version if newest else None)
    before = list(Rubric.objects.filter(slug="venture").values_list("name", "version"))

    call_command("migrate", verbosity=0)

    assert list(Rubric.objects.filter(slug="venture").values_list("name", "version")) == before


@pytest.mark.django_db(transaction=True)
def test_what_is_put_beside_the_shipped_ones_stops_no_migration(monkeypatch, tmp_path):
    for name in bundled.SHIPPED:
        shutil.copy(bundled.FOLDER / f"{name}.json", tmp_path)
    (tmp_path / "ours.json").write_text("{")
    monkeypatch.setattr(bundled, "FOLDER", tmp_path)

    call_command("migrate", verbosity=0)

    assert {rubric.slug for rubric in Rubric.objects.all()} == set(bundled.SHIPPED)
