"""``deploy/roles.sh`` on a bare server: the two roles that come of it can do what they need and no more."""

import base64
import hashlib
import hmac
import os
import re
import shlex
import subprocess
from collections.abc import Iterator

import psycopg
import pytest

from config.embedded import binaries
from tests import fork_server, postgres
from tests.docs import blocks
from tests.environment import plain
from tests.project.source_files import ROOT

PASSWORDS = {"MOOT_OWNER_PASSWORD": 'own\'er "1" $x', "MOOT_APP_PASSWORD": "app\\2;--"}


@pytest.fixture(scope="module")
def bare() -> Iterator[postgres.Throwaway]:
    """A server without any role or database of ours, on which the script has run."""
    with postgres.throwaway_cluster() as server:
        with server.connect() as connection:
            for statement in ("DROP DATABASE moot", "DROP ROLE moot_app", "DROP ROLE moot_owner"):
                connection.execute(statement)
        ran = roles(server)
        assert (ran.returncode, ran.stderr) == (0, "")
        yield server


def roles(server: postgres.Throwaway) -> subprocess.CompletedProcess[str]:
    found = {"PATH": f"{binaries.installed()}:{os.environ['PATH']}", "PGHOST": str(server.places.run), **PASSWORDS}
    return subprocess.run(
        ["sh", "deploy/roles.sh"], cwd=ROOT, env={**os.environ, **found}, capture_output=True, text=True, check=False
    )


def manage(server: postgres.Throwaway, *words: str) -> subprocess.CompletedProcess[str]:
    place = {"DATABASE_URL": server.url(), "MIGRATION_DATABASE_URL": server.url(user="moot_owner")}
    return fork_server.run("manage.py", *words, environment={**plain(), **place, "SECRET_KEY": "only for this test"})


def test_the_owner_migrates_and_the_app_role_finds_every_guard(bare):
    migrated = manage(bare, "migrate", "--verbosity", "0")
    checked = manage(bare, "check", "--database", "default")
    proved = manage(bare, "verify_ledger")

    assert (migrated.returncode, migrated.stderr) == (0, "")
    assert (checked.returncode, checked.stdout) == (0, "System check identified no issues (0 silenced).\n")
    assert (proved.returncode, proved.stderr) == (0, "")


def test_what_takes_the_owner_is_refused_to_the_app_role_with_where_to_run_it_and_the_list_is_not(bare):
    manage(bare, "migrate", "--verbosity", "0")
    retain, listing = (
        fork_server.run("manage.py", *words, environment={**plain(), "SECRET_KEY": "s", "DATABASE_URL": bare.url()})
        for words in (("retain", "--older-than", "180"), ("erase", "--list", "--json"))
    )
    owner = manage(bare, "retain", "--older-than", "180")

    assert (retain.returncode, retain.stdout, retain.stderr.count("\n")) == (1, "", 1)
    assert "name its address in MIGRATION_DATABASE_URL" in retain.stderr
    assert retain.stderr.endswith("run --rm migrate python manage.py retain\n")
    assert (owner.returncode, owner.stderr) == (0, "")
    assert (listing.returncode, listing.stdout, listing.stderr) == (0, "[]\n", "")


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE mine (id int)",
        "CREATE TEMPORARY TABLE mine (id int)",
        "CREATE ROLE other",
        "CREATE DATABASE other",
    ],
)
def test_the_app_role_makes_nothing(bare, statement):
    with bare.connect(user="moot_app", name="moot") as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
        connection.execute(statement)


def test_passwords_are_kept_as_they_were_given(bare):
    """The server of this test lets everybody in, so what it keeps is compared."""
    with bare.connect() as connection:
        rows = dict(
            connection.execute("SELECT rolname, rolpassword FROM pg_authid WHERE rolname ~ '^moot_'").fetchall()
        )

    assert sorted(rows) == ["moot_app", "moot_owner"]
    assert all(kept.startswith("SCRAM-SHA-256$") for kept in rows.values())
    assert scram(rows["moot_owner"], PASSWORDS["MOOT_OWNER_PASSWORD"])
    assert scram(rows["moot_app"], PASSWORDS["MOOT_APP_PASSWORD"])


def scram(kept: str, password: str) -> bool:
    """Whether PostgreSQL keeps this password."""
    _, details, keys = kept.split("$")
    rounds, salt = details.split(":")
    salted = hashlib.pbkdf2_hmac("sha256", password.encode(), base64.b64decode(salt), int(rounds))
    client = hmac.digest(salted, b"Client Key", "sha256")
    return keys.split(":")[0] == base64.b64encode(hashlib.sha256(client).digest()).decode()


def test_of_the_settings_of_a_server_the_page_has_the_two_passwords_read_and_nothing_else_run(tmp_path):
    settings = tmp_path / "moot.env"
    settings.write_text(
        f"DEFAULT_FROM_EMAIL=Moot <moot@example.org>\nOTHER=$(touch {tmp_path}/evil)\nDATABASE_URL=postgresql://h/moot\n"
        "MOOT_OWNER_PASSWORD=owner1\nMOOT_APP_PASSWORD=app2\n"
    )
    [command] = (line for line in blocks.commands("docs/how-to/deploy.md") if "roles.sh" in line)
    _sudo, _sh, _c, script = shlex.split(command)
    shown = re.sub(r"sudo .* sh deploy/roles\.sh", "env", script.replace("/etc/moot.env", str(settings)))

    ran = subprocess.run(["sh", "-c", shown], env=plain(), capture_output=True, text=True, check=True)

    ours = {line for line in ran.stdout.splitlines() if re.match("MOOT_(OWNER|APP)|OTHER|DATABASE|DEFAULT", line)}
    assert (ours, ran.stderr) == ({"MOOT_OWNER_PASSWORD=owner1", "MOOT_APP_PASSWORD=app2"}, "")
    assert list(tmp_path.iterdir()) == [settings]


def test_a_second_run_is_refused_and_changes_nothing(bare):
    assert roles(bare).returncode != 0
