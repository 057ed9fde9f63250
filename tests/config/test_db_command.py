"""``manage.py db``: the embedded server by hand, and what is left of it where DATABASE_URL names another."""

import re
import subprocess
from pathlib import Path
from urllib.parse import quote

import pytest

from config.embedded import dump
from config.embedded.exceptions import DumpFailed
from config.embedded.server import OUTLIVES_POWER_LOSS
from tests import fork_server, migrated, postgres
from tests.crash.harness import migrated_server
from tests.environment import plain
from tests.project.source_files import code, text

PROJECT = Path(__file__).resolve().parents[2]
TABLES = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"
TWO = "DATABASE_URL and MIGRATION_DATABASE_URL name two databases; name the same in both."
DISK = "SELECT setting FROM pg_settings WHERE name = ANY(%s)"


def db(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a process of its own."""
    return manage("db", *arguments, **environment)


def manage(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return fork_server.run(
        *("manage.py", *words), environment={**plain(), "SECRET_KEY": "only for this test", **environment}
    )


@pytest.fixture
def data_dir():
    with postgres.short_directory() as directory:
        yield directory
        postgres.Throwaway(directory / "postgres").stop()


def test_an_embedded_server_is_started_to_stay_looked_at_and_stopped(data_dir):
    place = {"MOOT_DATA_DIR": str(data_dir)}

    said = [db(action, **place).stdout.strip() for action in ("status", "start", "status", "stop", "stop", "status")]

    root = data_dir / "postgres"
    assert said[0] == f"Embedded PostgreSQL in {root}: absent."
    assert said[1].startswith(f"Embedded PostgreSQL 18.4 in {root}: running, process ")
    assert said[1].endswith(", not in use, started to stay.")
    assert said[2:] == [said[1], "Stopped.", "It was not running.", f"Embedded PostgreSQL in {root}: stopped."]


def outlives_power_loss(server: postgres.Throwaway) -> set[str]:
    """What a server says of the settings that make a commit wait for the disk."""
    with server.connect() as connection:
        return {value for (value,) in connection.execute(DISK, [list(OUTLIVES_POWER_LOSS)])}


def test_a_commit_waits_for_the_disk_whatever_the_data_directory_says(data_dir):
    server = postgres.Throwaway(data_dir / "postgres")
    server.start()
    of_a_test = outlives_power_loss(server)
    with server.connect() as connection:
        for setting in OUTLIVES_POWER_LOSS:
            connection.execute(f"ALTER SYSTEM SET {setting} = off")
    server.stop()

    db("start", MOOT_DATA_DIR=str(data_dir))

    assert (of_a_test, outlives_power_loss(server)) == ({"off"}, {"on"})


def test_nothing_but_a_test_asks_for_a_server_that_does_not_wait_for_the_disk():
    assert [
        file
        for file in [*code(), PROJECT / "manage.py"]
        if re.search(r"\b(Cluster|Server)\([^)]*durable=False", text(file))
    ] == []


def test_a_server_in_use_is_stopped_by_force_only(stopped):
    stopped.start()
    os_root = stopped.root.with_name("postgres")
    os_root.symlink_to(stopped.root)
    try:
        place = {"MOOT_DATA_DIR": str(os_root.parent)}
        refused, status, forced = db("stop", **place), db("status", **place), db("stop", "--force", **place)
    finally:
        os_root.unlink()

    assert (refused.returncode, "--force" in refused.stderr) == (1, True)
    assert status.stdout.strip().endswith(", in use.")
    assert (forced.returncode, forced.stdout.strip()) == (0, "Stopped.")


def test_a_dump_of_the_embedded_server_needs_no_start_before(data_dir):
    target = data_dir / "moot.dump"
    migrated.copy(data_dir / "postgres")

    done = db("dump", str(target), MOOT_DATA_DIR=str(data_dir))

    assert done.stdout.startswith(f"Wrote {target}.")
    assert target.read_bytes()[:5] == b"PGDMP"
    assert not postgres.Throwaway(data_dir / "postgres").cluster.lives()


def test_what_a_restore_would_refuse_is_not_dumped(data_dir):
    """As where the directory of the data is another than the site's, and a new server is made in it."""
    target = data_dir / "moot.dump"

    done = db("dump", str(target), MOOT_DATA_DIR=str(data_dir))

    assert (done.returncode, done.stdout) == (1, "")
    assert f"The database moot at {data_dir}/postgres/" in done.stderr
    assert " is no whole database of Moot, so nothing was written: " in done.stderr
    assert [path.name for path in data_dir.iterdir() if "dump" in path.name] == []


def test_a_dump_takes_the_place_of_no_file_that_came_meanwhile_and_touches_no_other_that_is_unfinished(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(dump, "refuse_partial", lambda **_file: None)
    target, of_another = tmp_path / "moot.dump", tmp_path / "moot.dump.unfinished"
    of_another.write_text("half")
    program = tmp_path / "pg_dump"
    program.write_text("#!/bin/sh\necho whole\n")
    program.chmod(0o755)

    dump.write(programs=tmp_path, connection={}, target=target)
    first = target.read_text()
    target.unlink()
    program.write_text(f"#!/bin/sh\necho whole\necho first > {target}\n")
    with pytest.raises(DumpFailed, match="exists; choose another name"):
        dump.write(programs=tmp_path, connection={}, target=target)

    assert (first, target.read_text(), of_another.read_text()) == ("whole\n", "first\n", "half")
    assert set(tmp_path.iterdir()) == {target, of_another, program}


def test_a_named_database_is_looked_at_and_dumped_but_not_started_or_stopped(tmp_path):
    target = tmp_path / "moot.dump"
    with migrated_server() as throwaway:
        place = {"DATABASE_URL": throwaway.url(), "MIGRATION_DATABASE_URL": throwaway.url(user="moot_owner")}
        address = f"{throwaway.places.run}/moot"

        status, dumped = db("status", **place), db("dump", str(target), **place)
        start, stop = db("start", **place), db("stop", "--force", **place)

        assert status.stdout.strip() == f"PostgreSQL 18.4 at {address}, named by MIGRATION_DATABASE_URL: running."
        assert (dumped.returncode, target.read_bytes()[:5]) == (0, b"PGDMP")
        for refused in (start, stop):
            assert refused.returncode == 1
            assert f"DATABASE_URL names {address}; " in refused.stderr
        assert throwaway.cluster.lives()


def test_what_works_as_the_owner_is_refused_where_the_two_addresses_name_two_databases_and_so_is_the_check(tmp_path):
    """The site would keep what a command says is erased, and a dump would hold another site's rows."""
    target = tmp_path / "moot.dump"
    with postgres.throwaway_cluster() as server:
        with server.connect() as connection:
            connection.execute("CREATE DATABASE elsewhere OWNER moot_owner")
        place = {
            "DATABASE_URL": server.url(),
            "MIGRATION_DATABASE_URL": server.url(user="moot_owner", name="elsewhere"),
        }

        commands = (["erase", "--list"], ["retain", "--older-than", "180"], ["migrate"], ["db", "dump", str(target)])
        refused = [manage(*words, **place) for words in commands]
        checked = manage("check", "--database", "default", **place)
        status = db("status", **place)

        assert [(done.returncode, done.stderr) for done in refused] == [(1, f"{TWO}\n")] * 3 + [
            (1, f"CommandError: {TWO}\n")
        ]
        assert (checked.returncode, f"(config.E004) {TWO}" in checked.stderr) == (1, True)
        assert "elsewhere, named by MIGRATION_DATABASE_URL" in status.stdout
        assert not target.exists()
        assert server.ask(TABLES, name="elsewhere") == (0,)


def test_one_database_is_known_by_whichever_way_it_is_reached_and_its_owner_migrates_without_the_sites_role():
    with postgres.throwaway_cluster() as server:
        other_way = server.places.run.with_name("way")
        other_way.symlink_to(server.places.run)
        owner = server.url(user="moot_owner").replace(
            quote(str(server.places.run), safe=""), quote(str(other_way), safe="")
        )
        site = f"{server.url()}?connect_timeout=5"

        migrated = manage("migrate", DATABASE_URL=server.url(user="nobody"), MIGRATION_DATABASE_URL=owner)
        checked = manage("check", "--database", "default", DATABASE_URL=site, MIGRATION_DATABASE_URL=owner)
        status = db("status", DATABASE_URL=site)

        assert [(done.returncode, done.stderr) for done in (migrated, checked, status)] == [(0, "")] * 3


def test_what_our_programs_lack_is_said_where_a_server_asks_for_it(tmp_path):
    place = {"DATABASE_URL": "postgresql://me@127.0.0.1:1/moot?sslmode=require"}

    dumped = db("dump", str(tmp_path / "moot.dump"), **place)

    assert dumped.returncode == 1
    assert "Our pg_dump speaks no TLS and knows PostgreSQL up to 18; the server's own" in dumped.stderr


def test_a_named_database_that_does_not_answer_is_said_without_its_password(tmp_path):
    place = {"DATABASE_URL": "postgresql://me:hidden@127.0.0.1:1/moot?prepare_threshold=5"}
    target = tmp_path / "moot.dump"

    status, dumped = db("status", **place), db("dump", str(target), **place)

    assert (status.returncode, dumped.returncode) == (1, 1)
    assert "127.0.0.1/moot does not answer: " in status.stderr
    assert "pg_dump failed: " in dumped.stderr
    assert "speaks no TLS" not in dumped.stderr
    assert "hidden" not in status.stderr + dumped.stderr
    assert not target.exists()
