"""What happens to the embedded PostgreSQL in a machine's life: kills, stale notes, slow recoveries, old clusters."""

import logging
import os
import subprocess
import time

import psutil
import psycopg
import pytest

from config import embedded
from config.embedded import dump, server
from config.embedded.exceptions import AnotherMajor, DidNotStart, DidNotStop, DumpFailed, NotRunning
from config.embedded.paths import Places
from tests import postgres

KEPT = "INSERT INTO kept VALUES (1) RETURNING *"


@pytest.fixture
def running(stopped):
    stopped.start()
    with stopped.connect(name="moot") as connection:
        connection.execute("DROP TABLE IF EXISTS kept")
        connection.execute("CREATE TABLE kept (number integer)")
    return stopped


def test_a_killed_server_is_started_again_with_everything_committed_ten_times_in_a_row(running):
    for _ in range(10):
        running.ask(KEPT)
        running.kill()
        running.start()

    assert running.ask("SELECT count(*) FROM kept") == (10,)


def test_a_server_that_ended_without_a_checkpoint_recovers(running):
    running.ask(KEPT)

    running.restart(immediate=True)

    assert running.ask("SELECT number FROM kept") == (1,)


def test_a_zombie_server_is_seen_as_dead(stopped):
    stopped.start()
    stopped.stop()
    parts = stopped.cluster._server
    switch = {"user": parts.account.uid, "group": parts.account.gid, "extra_groups": []} if os.geteuid() == 0 else {}
    child = subprocess.Popen(parts.command(), stderr=subprocess.DEVNULL, cwd="/", **switch)
    assert parts.wait_for(psutil.Process(child.pid), patience=60)

    child.kill()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)  # dead, and not reaped: a zombie
    stopped.start()

    assert stopped.process().pid != child.pid
    assert stopped.places.pid_file.read_text().split()[0] == str(stopped.process().pid)
    child.wait()


@pytest.mark.parametrize("note", ["", "not a number\n", "99999999999999999999\n", "-4\n"])
def test_a_broken_process_note_is_replaced(stopped, note):
    stopped.places.pid_file.write_text(note)

    stopped.start()

    assert stopped.places.pid_file.read_text().split()[0] == str(stopped.process().pid)


def test_a_process_number_given_to_somebody_else_is_neither_trusted_nor_harmed(stopped):
    stranger = subprocess.Popen(["sleep", "60"])
    lock = stopped.places.socket.with_name(stopped.places.socket.name + ".lock")
    for note in (stopped.places.pid_file, lock):
        note.write_text(f"{stranger.pid}\n{stopped.places.data}\n")

    state = stopped.cluster.status().state
    stopped.start()
    pid = stopped.process().pid
    stopped.stop()

    assert state == "stopped"
    assert pid != stranger.pid
    assert stranger.poll() is None
    stranger.kill()
    stranger.wait()


def test_a_making_that_was_interrupted_is_begun_again():
    with postgres.short_directory() as directory:
        root = directory / "pg"
        (root / "data.unfinished").mkdir(parents=True)
        (root / "data.unfinished" / "PG_VERSION").write_text("18\n")

        with postgres.throwaway_cluster(root=root) as throwaway:
            assert throwaway.ask("SELECT 1") == (1,)
            assert not throwaway.places.unfinished.exists()


def test_a_recovery_of_eleven_seconds_is_waited_for(to_spoil, caplog, monkeypatch):
    monkeypatch.setattr(server, "REPORT_EVERY", 2.0)
    to_spoil.start()
    with to_spoil.connect(name="moot") as connection:
        connection.execute("CREATE TABLE seen AS SELECT 1")
    once = to_spoil.places.root / "run" / "slept"
    slow = f"test -e {once} || {{ touch {once}; sleep 11; }}; false"
    with to_spoil.connect() as connection:
        connection.execute(f"ALTER SYSTEM SET restore_command = '{slow}'")
    to_spoil.kill()
    (to_spoil.places.data / "recovery.signal").touch()

    begun = time.monotonic()
    with caplog.at_level(logging.INFO, logger="config.embedded"):
        to_spoil.start()

    assert time.monotonic() - begun > 10
    assert to_spoil.ask("SELECT * FROM seen") == (1,)
    assert "probably recovering" in caplog.text


def test_patience_with_a_silent_server_ends_with_a_pointer_to_its_log(running, monkeypatch):
    monkeypatch.setattr(server, "CONNECT_PATIENCE", 2)
    running.process().suspend()
    try:
        with pytest.raises(DidNotStart, match=r"has not answered for 0 s; see .*server\.log"):
            running.cluster._server.wait_for(running.process(), patience=0.1)
    finally:
        running.process().resume()


def test_a_server_that_does_not_end_is_named(running, monkeypatch):
    monkeypatch.setattr(server, "STOP_PATIENCE", 0.2)
    process = running.process()
    process.suspend()
    try:
        with pytest.raises(DidNotStop, match=f"process {process.pid}"):
            server.end(running.places)
    finally:
        process.resume()


def test_a_stop_that_fails_at_the_end_of_a_process_is_logged_not_raised(running, monkeypatch, caplog):
    monkeypatch.setattr(server, "STOP_PATIENCE", 0.2)
    process = running.process()
    process.suspend()
    try:
        running.cluster.release()
    finally:
        process.resume()

    assert "was not stopped" in caplog.text


def test_a_cluster_of_another_major_version_is_left_as_it_is(to_spoil):
    (to_spoil.root / "data" / "PG_VERSION").write_text("16\n")

    with pytest.raises(AnotherMajor, match=r"PostgreSQL 16; .* PostgreSQL 18\. .*db dump.*db restore"):
        to_spoil.cluster.ensure()

    assert (to_spoil.root / "data" / "PG_VERSION").read_text() == "16\n"


def test_a_directory_of_something_else_is_left_as_it_is():
    with postgres.short_directory() as directory:
        root = directory / "pg"
        (root / "data").mkdir(parents=True)
        (root / "data" / "photo").touch()
        os.chown(root / "data", *account_ids(root))

        with pytest.raises(DidNotStart, match="is no PostgreSQL cluster; move it away"):
            embedded.Cluster(root).ensure()

        assert (root / "data" / "photo").exists()


def test_a_server_that_cannot_start_is_quoted(to_spoil):
    (to_spoil.root / "data" / "postgresql.conf").write_text("no_such_setting = 1\n")

    with pytest.raises(DidNotStart, match=r"(?s)server\.log ends: .*no_such_setting"):
        to_spoil.cluster.ensure()


def test_a_long_log_is_put_aside(root, monkeypatch):
    monkeypatch.setattr(server, "LONGEST_LOG", 10)
    places = Places(root=root)
    places.log.write_text("old words, many of them")

    with postgres.throwaway_cluster(root=root):
        pass

    assert places.log.with_suffix(".log.1").read_text() == "old words, many of them"
    assert "old words" not in places.log.read_text()


def test_a_dump_brings_everything_back_by_the_documented_command(running, tmp_path, monkeypatch):
    monkeypatch.setattr(dump, "refuse_partial", lambda **_file: None)  # one table stands for all
    running.ask(KEPT)
    target = tmp_path / "moot.dump"
    running.cluster.dump(target)
    with running.connect(name="moot") as connection:
        connection.execute("TRUNCATE kept")

    restore = [running.cluster._server.programs / "pg_restore", "--clean", "--if-exists", "--create"]
    subprocess.run([*restore, "-h", running.places.run, "-U", "postgres", "-d", "postgres", target], check=True)

    owner = "SELECT pg_get_userbyid(datdba) FROM pg_database WHERE datname = 'moot'"
    assert running.ask("SELECT number FROM kept") == (1,)
    assert running.ask(owner) == ("moot_owner",)
    assert target.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [target]


def test_a_dump_never_overwrites(running, tmp_path):
    target = tmp_path / "moot.dump"
    target.write_text("precious")

    with pytest.raises(DumpFailed, match="exists"):
        running.cluster.dump(target)

    assert target.read_text() == "precious"


def test_a_dump_that_fails_says_why_and_leaves_no_file(to_spoil, tmp_path):
    to_spoil.start()
    with to_spoil.connect() as connection:
        connection.execute("DROP DATABASE moot WITH (FORCE)")

    with pytest.raises(DumpFailed, match=r'pg_dump failed: .*database "moot" does not exist'):
        to_spoil.cluster.dump(tmp_path / "moot.dump")

    assert list(tmp_path.iterdir()) == []


def test_a_dump_into_a_missing_directory_is_refused(running, tmp_path):
    with pytest.raises(DumpFailed, match="cannot be written: No such file or directory"):
        running.cluster.dump(tmp_path / "missing" / "moot.dump")


def test_a_dump_needs_a_running_server(root, tmp_path):
    with pytest.raises(NotRunning):
        embedded.Cluster(root).dump(tmp_path / "moot.dump")


def test_an_idle_client_does_not_delay_the_end(running):
    with running.connect() as idle:
        running.stop()

        with pytest.raises(psycopg.OperationalError):
            idle.execute("SELECT 1")


def account_ids(root):
    runs_as = embedded.Cluster(root)._server.account
    return runs_as.uid, runs_as.gid
