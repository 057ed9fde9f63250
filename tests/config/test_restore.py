"""``manage.py db restore``: whole dumps only, proved before they count; else everything is as it was."""

import contextlib
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.embedded import binaries, dump
from config.embedded import server as server_programs
from config.embedded.exceptions import RestoreFailed
from config.embedded.paths import PORT
from tests import postgres
from tests.config.test_db_command import PROJECT, db
from tests.crash.harness import migrated_server
from tests.environment import plain

SOMEBODY = (
    "INSERT INTO auth_user (username, password, first_name, last_name, email, is_superuser, is_staff, is_active,"
    " date_joined) VALUES ('anna', '', '', '', '', false, false, true, now())"
)
SEALED_BY_ANOTHER_KEY = (
    "INSERT INTO mfa_authenticator (type, data, user_id, created_at)"
    """ SELECT 'totp', '{"secret": "gAAAAsealed"}', id, now() FROM auth_user WHERE username = 'anna'"""
)


@pytest.fixture(scope="module")
def server() -> Iterator[postgres.Throwaway]:
    with migrated_server() as made:
        yield made


def place_of(server: postgres.Throwaway) -> dict[str, str]:
    return {"DATABASE_URL": server.url(), "MIGRATION_DATABASE_URL": server.url(user="moot_owner")}


@contextlib.contextmanager
def directory() -> Iterator[Path]:
    """Where an embedded server lives that is restored into."""
    with postgres.short_directory() as found:
        yield found
        postgres.Throwaway(found / "postgres").stop()


@pytest.fixture(scope="module")
def data_dir() -> Iterator[Path]:
    """A directory whose database no test may change."""
    with directory() as found:
        yield found


@pytest.fixture
def own_dir() -> Iterator[Path]:
    """A directory of the test's own."""
    with directory() as found:
        yield found


def databases(data_dir) -> list[str]:
    server = postgres.Throwaway(data_dir / "postgres")
    server.start()
    with server.connect() as connection:
        rows = connection.execute("SELECT datname FROM pg_database WHERE datname ~ '^moot' ORDER BY 1").fetchall()
    server.cluster.release()
    return [name for (name,) in rows]


@pytest.mark.parametrize(
    "options",
    [
        pytest.param(["--data-only"], id="rows without their guards"),
        pytest.param(["--schema-only"], id="guards without their rows"),
        pytest.param(["--table=scoring_scorechange"], id="one table"),
        pytest.param(["--exclude-table-data=debates_turn"], id="rows of one table left out"),
    ],
)
def test_a_part_of_a_database_is_refused_before_anything_is_touched(options, server, data_dir, tmp_path):
    part = str(tmp_path / "part.dump")
    program = str(binaries.installed() / "pg_dump")
    command = [program, "--format=custom", "--file", part, *options, server.url(user="moot_owner")]
    subprocess.run(command, check=True)

    refused = db("restore", part, MOOT_DATA_DIR=str(data_dir))

    assert refused.returncode == 1
    assert "is no dump of a whole database of Moot" in refused.stderr
    assert databases(data_dir) == ["moot"]


@pytest.mark.parametrize(
    ("name", "said"), [("missing.dump", "is not there"), ("manage.py", "is not a dump")], ids=["missing", "no dump"]
)
def test_what_is_no_dump_is_refused(name, said, data_dir):
    refused = db("restore", str(PROJECT / name), MOOT_DATA_DIR=str(data_dir))

    assert (refused.returncode, said in refused.stderr) == (1, True)


def test_a_ledger_that_does_not_agree_with_itself_is_not_put_in_place(data_dir, tmp_path):
    target = str(tmp_path / "lies.dump")
    with migrated_server() as server:
        with server.connect(name="moot") as connection:
            connection.execute("ALTER TABLE scoring_reason DISABLE TRIGGER reason_10_open")
            lie = "INSERT INTO scoring_reason (salt, text, digest) VALUES ('salt', 'A lie of ten letters.', 'odd')"
            connection.execute(lie)
            connection.execute("ALTER TABLE scoring_reason ENABLE ALWAYS TRIGGER reason_10_open")
        assert db("dump", target, **place_of(server)).returncode == 0

    refused = db("restore", target, MOOT_DATA_DIR=str(data_dir))

    assert refused.returncode == 1
    assert "`manage.py verify_ledger` failed" in refused.stderr
    assert databases(data_dir) == ["moot"]


def test_two_addresses_that_name_two_databases_are_refused_before_either_is_filled(server, tmp_path):
    target = str(tmp_path / "moot.dump")
    assert db("dump", target, **place_of(server)).returncode == 0
    tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"
    with server.connect() as connection:
        connection.execute("CREATE DATABASE elsewhere OWNER moot_owner")

    refused = db(
        "restore",
        target,
        **place_of(server) | {"MIGRATION_DATABASE_URL": server.url(user="moot_owner", name="elsewhere")},
    )

    assert refused.returncode == 1
    assert "DATABASE_URL and MIGRATION_DATABASE_URL name two databases" in refused.stderr
    assert server.ask(tables, name="elsewhere") == (0,)


def test_a_dump_takes_the_place_of_the_embedded_database_which_is_kept(server, own_dir, tmp_path):
    target = str(tmp_path / "moot.dump")
    with server.connect(name="moot") as connection:
        connection.execute(SOMEBODY)
        connection.execute(SEALED_BY_ANOTHER_KEY)
    assert db("dump", target, **place_of(server)).returncode == 0

    done = db("restore", target, MOOT_DATA_DIR=str(own_dir), PGSSLMODE="require")  # as for a database in a cloud

    assert (done.returncode, done.stderr) == (0, "")
    assert f"Restored {target}, and proved it." in done.stdout
    assert " 1 second factors and the secrets of 0 webhooks do not open: name the SECRET_KEY" in done.stdout
    moot, kept = databases(own_dir)
    assert (moot, kept[:13]) == ("moot", "moot_before_2")


def test_a_restore_that_is_killed_leaves_the_database_as_it_was_and_the_next_one_succeeds(server, own_dir, tmp_path):
    target = str(tmp_path / "moot.dump")
    assert db("dump", target, **place_of(server)).returncode == 0
    place = {"MOOT_DATA_DIR": str(own_dir), "SECRET_KEY": "only for this test"}
    db("start", **place)
    embedded = postgres.Throwaway(own_dir / "postgres")
    with embedded.connect(name="moot") as connection:
        connection.execute("CREATE TABLE was_here ()")
    everything = "SELECT datname FROM pg_database WHERE datname ~ '^moot' ORDER BY 1"

    with embedded.connect() as connection:
        command = [sys.executable, "manage.py", "db", "restore", target]
        restoring = subprocess.Popen(command, cwd=PROJECT, env=plain() | place, stdout=subprocess.DEVNULL)
        while connection.execute(everything).fetchall() == [("moot",)] and restoring.poll() is None:
            time.sleep(0.005)
        restoring.kill()
        assert restoring.wait() < 0
        left = connection.execute(everything).fetchall()
    kept = embedded.ask("SELECT to_regclass('was_here') IS NOT NULL")
    again = db("restore", target, **place)

    assert (left, kept) == ([("moot",), ("moot_restoring",)], (True,))
    assert (again.returncode, again.stderr) == (0, "")
    moot, before = databases(own_dir)
    assert (moot, before[:13]) == ("moot", "moot_before_2")
    assert embedded.ask("SELECT to_regclass('was_here') IS NULL") == (True,)


@pytest.fixture
def older(monkeypatch) -> Iterator[postgres.Throwaway]:
    """A server of PostgreSQL 16, of which the wheel has one, too."""
    for module, name, value in (
        (binaries, "TREE", "pginstall"),
        (binaries, "MAJOR", 16),
        (server_programs, "MAJOR", 16),
    ):
        monkeypatch.setattr(module, name, value)
    with postgres.short_directory() as place:
        made = postgres.Throwaway(place / "pg")
        made.cluster._make_directories()
        programs, account = made.cluster._server.programs, made.cluster._server.account
        account.own(made.places.data)
        options = ["-D", made.places.data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]
        done = account.run([programs / "initdb", *options])
        assert done.returncode == 0, done.stderr
        with postgres.throwaway_cluster(root=made.root):
            yield made


def test_a_database_whose_addresses_stand_in_a_file_of_settings_is_restored_as_its_owner(server, tmp_path):
    target, file = str(tmp_path / "moot.dump"), tmp_path / "site.env"
    assert db("dump", target, **place_of(server)).returncode == 0
    with postgres.throwaway_cluster() as empty:
        file.write_text("".join(f"{name}={address}\n" for name, address in place_of(empty).items()))

        done = db("restore", target, MOOT_ENV_FILE=str(file))

    assert (done.returncode, done.stderr) == (0, "")


def test_a_dump_is_read_into_a_server_before_17(server, older, tmp_path):
    target = str(tmp_path / "moot.dump")
    assert db("dump", target, **place_of(server)).returncode == 0

    done = db("restore", target, **place_of(older))

    assert (done.returncode, done.stderr) == (0, "")
    assert f"Restored {target} into " in done.stdout


def test_of_a_dump_that_ends_half_read_nothing_stays_in_a_server_before_17(server, tmp_path):
    (tmp_path / "psql").symlink_to(binaries.installed() / "psql")
    (tmp_path / "pg_restore").write_text("#!/bin/sh\necho 'CREATE TABLE half ();'\necho 'It ended.' >&2\nexit 1\n")
    (tmp_path / "pg_restore").chmod(0o755)
    place = {"host": str(server.places.run), "port": str(PORT), "user": "moot_owner", "dbname": "moot"}

    with pytest.raises(RestoreFailed, match="It ended"):
        dump.read_before_17(programs=tmp_path, connection=place, source=tmp_path / "any")

    assert server.ask("SELECT to_regclass('half') IS NULL") == (True,)


def test_a_restore_that_cannot_be_says_why_and_nothing_of_tls(server, tmp_path):
    target = str(tmp_path / "moot.dump")
    assert db("dump", target, **place_of(server)).returncode == 0
    with server.connect() as connection:
        connection.execute("CREATE DATABASE clashing OWNER moot_owner")
    with server.connect(name="clashing") as connection:
        connection.execute("CREATE SEQUENCE debate_by_rubric")  # as an index of ours is called
    place = {
        "DATABASE_URL": server.url(name="clashing"),
        "MIGRATION_DATABASE_URL": server.url(user="moot_owner", name="clashing"),
    }

    refused = db("restore", target, **place)

    assert refused.returncode == 1
    assert 'relation "debate_by_rubric" already exists' in refused.stderr
    assert "speaks no TLS" not in refused.stderr
