"""Who the embedded PostgreSQL runs as, on a machine where we are root and on one where we are not."""

import errno
import os
import pwd
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from config import embedded
from config.embedded import binaries, os_user
from config.embedded.exceptions import AnotherOwner, NoAccount, NoBinaries, UnusablePath
from tests import postgres

ROOT = os.geteuid() == 0


def test_a_server_never_runs_as_root():
    found = os_user.for_server()

    assert found.name == ("moot" if ROOT else pwd.getpwuid(os.geteuid()).pw_name)
    assert found.uid != 0


def test_the_system_account_is_made_once_for_all_who_start_at_a_time_or_the_refusal_says_why_not():
    name = f"moot-test-{os.getpid()}"
    at_once = threading.Barrier(4)

    def start(_process):
        at_once.wait(timeout=30)
        return os_user.of_root(name=name)

    if not ROOT:
        with pytest.raises(NoAccount, match=r"cannot be made: .+"):
            os_user.of_root(name=name)
        return
    try:
        with ThreadPoolExecutor(4) as processes:
            accounts = set(processes.map(start, range(4)))
        entry = pwd.getpwnam(name)
    finally:
        subprocess.run(["userdel", name], check=False)

    assert accounts == {os_user.Account(name=name, uid=entry.pw_uid, gid=entry.pw_gid)}
    assert (entry.pw_dir, entry.pw_shell) == ("/nonexistent", "/usr/sbin/nologin")


def test_a_user_id_without_a_name_is_refused():
    with pytest.raises(NoAccount, match="4123456 has no entry"):
        os_user.of_user(4123456)


def test_an_account_runs_commands_with_its_rights_and_without_our_environment(monkeypatch):
    monkeypatch.setenv("SECRET_OF_OURS", "1")
    monkeypatch.setenv("PGDATA", "/elsewhere")
    ordinary = nobody() if ROOT else os_user.for_server()

    done = ordinary.run(["/bin/sh", "-c", 'id -u; id -G; echo "$SECRET_OF_OURS$PGDATA"'])

    uid, groups, environment = done.stdout.split("\n")[:3]
    assert int(uid) == ordinary.uid
    assert environment == ""
    if ROOT:
        assert groups.split() == [str(ordinary.gid)]


def test_closed_parents_stay_closed_and_are_named():
    with postgres.short_directory() as directory:
        parent = directory / "closed"
        parent.mkdir(mode=0o700)
        cluster = embedded.Cluster(parent / "pg")

        if ROOT:
            with pytest.raises(UnusablePath, match=rf"'moot', which cannot enter {parent};.*MOOT_DATA_DIR"):
                cluster.ensure()
        else:
            cluster.ensure()
            cluster.release()

        assert parent.stat().st_mode & 0o777 == 0o700


def test_a_strict_umask_does_not_lock_the_server_out():
    with postgres.short_directory() as directory:
        before = os.umask(0o077)
        try:
            with postgres.throwaway_cluster(root=directory / "a" / "pg") as throwaway:
                answer = throwaway.ask("SELECT 1")
        finally:
            os.umask(before)

    assert answer == (1,)


def test_binaries_that_the_account_can_run_are_used_where_they_are():
    assert binaries.runnable_by(account=os_user.of_user(os.geteuid())) == binaries.installed()


def test_binaries_out_of_reach_are_copied_once_and_run_from_the_copy():
    with postgres.short_directory() as store:
        out_of_reach = Unreachable(name="nobody", uid=os.geteuid(), gid=os.getegid())

        programs = binaries.runnable_by(account=out_of_reach, store=store)
        made_at = programs.stat().st_mtime_ns
        again = binaries.runnable_by(account=out_of_reach, store=store)

        runner = nobody() if ROOT else os_user.for_server()
        assert programs.is_relative_to(store)
        assert runner.run([programs / "postgres", "--version"]).stdout.startswith("postgres (PostgreSQL) 18.")
        assert runner.run([programs / "initdb", "--version"]).stdout.startswith("initdb (PostgreSQL) 18.")
        assert (again, again.stat().st_mtime_ns) == (programs, made_at)
        assert [path.name for path in store.iterdir()] == [programs.parents[2].name]


def test_losing_the_race_for_the_copy_is_no_error():
    with postgres.short_directory() as store:
        target = store / "postgresql"
        binaries.copy(source=binaries.package(), target=target)
        inode = target.stat().st_ino

        binaries.copy(source=binaries.package(), target=target)

        assert target.stat().st_ino == inode
        assert list(store.iterdir()) == [target]


def test_a_copy_that_cannot_be_made_is_said_and_leaves_nothing_behind(monkeypatch):
    def full(_source, target, **_options):
        target.mkdir(parents=True)
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(binaries.shutil, "copytree", full)
    with postgres.short_directory() as store:
        with pytest.raises(NoBinaries, match=r"cannot be copied to .*No space left"):
            binaries.copy(source=binaries.package(), target=store / "postgresql")

        assert list(store.iterdir()) == []


def test_a_machine_without_the_wheel_is_told_to_name_a_database(monkeypatch):
    monkeypatch.setattr(binaries, "PACKAGE", "no_such_package")

    with pytest.raises(NoBinaries, match="Set DATABASE_URL"):
        binaries.installed()


def test_a_cluster_of_somebody_else_is_refused_by_name(tmp_path):
    if ROOT:
        root = tmp_path / "pg"
        root.mkdir()
        os.chown(root, nobody().uid, nobody().gid)
        owner = "nobody"
    else:
        root, owner = tmp_path.parents[-1], "root"

    with pytest.raises(AnotherOwner, match=f"belongs to {owner}"):
        embedded.Cluster(root).ensure()


def test_no_directory_of_the_server_is_seen_before_it_is_its_accounts(monkeypatch, tmp_path):
    account, directory = nobody(), tmp_path / "run"
    seen = []
    monkeypatch.setattr(os, "chown", lambda path, uid, gid: seen.append((directory.exists(), uid, gid)))

    account.own(directory)
    account.own(directory)

    assert seen == [(False, account.uid, account.gid)]
    assert directory.stat().st_mode & 0o777 == 0o700
    assert list(tmp_path.iterdir()) == [directory]


def test_a_directory_that_another_process_has_made_and_filled_meanwhile_is_left_as_it_is(monkeypatch, tmp_path):
    directory = tmp_path / "run"

    def another(path, uid, gid):
        directory.mkdir()
        (directory / "theirs").touch()

    monkeypatch.setattr(os, "chown", another)

    nobody().own(directory)

    assert list(tmp_path.iterdir()) == [directory]
    assert list(directory.iterdir()) == [directory / "theirs"]


@pytest.mark.parametrize("name", ["data", "run"])
def test_what_belongs_to_an_account_that_was_removed_is_refused_by_its_number_with_a_way_out(name, tmp_path):
    if not ROOT:
        assert os_user.name_of(4123456) == "the user id 4123456, which has no name"
        return
    path = tmp_path / name
    path.mkdir()
    os.chown(path, 4123456, 4123456)

    with pytest.raises(AnotherOwner, match=rf"belongs to the user id 4123456, .* `chown -R moot: {path}`\. Set MOOT"):
        embedded.Cluster(tmp_path).ensure()


def nobody() -> os_user.Account:
    entry = pwd.getpwnam("nobody")
    return os_user.Account(name="nobody", uid=entry.pw_uid, gid=entry.pw_gid)


class Unreachable(os_user.Account):
    """An account that cannot enter the directory of the wheel."""

    def may_execute(self, path):
        return not path.is_relative_to(binaries.package())
