"""Models and migrations agree, and every migration can be undone."""

import os
import re
import subprocess
import sys
from io import StringIO

import pytest
from django.core.management import call_command

from tests.postgres import throwaway_cluster
from tests.project.tree import ROOT, files


@pytest.mark.django_db
def test_models_and_migrations_agree():
    said = StringIO()

    call_command("makemigrations", "--check", "--dry-run", stdout=said)

    assert said.getvalue() == "No changes detected\n"


def test_migrations_have_names_of_their_own():
    names = [file.stem for file in files() if file.parent.name == "migrations" and file.stem != "__init__"]

    assert [name for name in names if "auto" in name or not re.fullmatch(r"\d{4}_[a-z0-9_]+", name)] == []


def test_migrations_go_forth_and_back_and_forth_again():
    def manage(*words: str) -> None:
        subprocess.run([sys.executable, "manage.py", *words], cwd=ROOT, env=environment, check=True, timeout=120)

    with throwaway_cluster() as server:
        urls = {"DATABASE_URL": server.url(), "MIGRATION_DATABASE_URL": server.url(user="moot_owner")}
        environment = {**os.environ, **urls, "DJANGO_SETTINGS_MODULE": "config.settings"}
        left = "SELECT count(*) FROM pg_proc WHERE proname LIKE 'moot%%'"

        manage("migrate", "--verbosity", "0")
        functions = server.ask(left)
        for app in ("judging", "scoring", "debates"):
            manage("migrate", app, "zero", "--verbosity", "0")
        gone = server.ask(left)
        manage("migrate", "--verbosity", "0")
        manage("check", "--database", "default", "--fail-level", "WARNING")

        assert functions == server.ask(left) != (0,)
        assert gone == (0,)
