"""Migrations are named by what they do. That they agree with the models is tests/schema's to test."""

import re

import pytest
from django.core.management import call_command

from debates.models import Epoch
from tests.project.source_files import APPS, ROOT, files


def test_migrations_have_names_of_their_own():
    folders = [ROOT / app / "migrations" for app in APPS]
    names = [file.stem for file in files() if file.parent in folders and file.stem != "__init__"]

    assert len(names) >= 3
    assert [name for name in names if "auto" in name or not re.fullmatch(r"\d{4}_[a-z0-9_]+", name)] == []


@pytest.mark.django_db(transaction=True)
def test_the_row_that_a_migration_lays_is_there_after_the_database_of_a_test_was_emptied():
    call_command("flush", verbosity=0, interactive=False)

    assert Epoch.objects.count() == 1
