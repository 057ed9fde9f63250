"""Who starts the embedded PostgreSQL, who shares it, and who stops it, however they end."""

import os
import pwd
import signal
import subprocess

import psutil
import pytest

from config import embedded
from config.embedded import server
from config.embedded.exceptions import InUse
from config.embedded.paths import Places
from tests import postgres


def test_six_processes_race_for_an_empty_directory_and_share_one_server(use):
    with postgres.short_directory() as directory:
        root = directory / "pg"
        users = [use(root) for _ in range(6)]
        for user in users:
            user.ready()
        throwaway = postgres.Throwaway(root)
        data = str(throwaway.places.data)
        servers = [found for found in psutil.process_iter(["cmdline"]) if data in (found.info["cmdline"] or [])]

        assert [p.pid for p in servers] == [throwaway.process().pid]
        for user in users[:-1]:
            user.release()
        assert throwaway.cluster.lives()
        users[-1].release()
        assert not throwaway.cluster.lives()


def test_the_server_has_moots_roles_and_database_and_no_network_address(monkeypatch):
    monkeypatch.setattr(postgres.Throwaway, "durable", True)
    with postgres.throwaway_cluster() as throwaway:
        roles = """SELECT string_agg(rolname || rolsuper || rolcreatedb, ' ' ORDER BY rolname)
            FROM pg_roles WHERE rolname ~ '^moot'"""
        owner = """SELECT pg_get_userbyid(datdba), pg_encoding_to_char(encoding), datlocale
            FROM pg_database WHERE datname = 'moot'"""

        assert throwaway.ask(roles, user="moot_app") == ("moot_appfalsefalse moot_ownerfalsetrue",)
        assert throwaway.ask(owner, user="moot_owner") == ("moot_owner", "UTF8", "C.UTF-8")
        assert throwaway.ask("SHOW fsync") == ("on",)
        assert {c.family.name for c in throwaway.process().net_connections("all")} == {"AF_UNIX"}


def test_an_ordinary_user_has_a_cluster_of_its_own(use, own_account):
    with postgres.short_directory() as directory:
        directory.chmod(0o777)
        root = directory / "pg"
        user = use(root, own_account)

        uid = user.ready()
        throwaway = postgres.Throwaway(root)
        owner, server_owner = root.stat().st_uid, throwaway.process().uids().effective
        user.release()

        assert uid != 0
        assert (owner, server_owner) == (uid, uid)
        assert server.postmaster(throwaway.places) is None


def test_nobody_else_can_reach_the_server(root):
    with postgres.throwaway_cluster(root=root) as throwaway:
        modes = [path.stat().st_mode & 0o777 for path in (throwaway.places.run, throwaway.places.data)]
        locks = [path.stat().st_mode & 0o777 for path in (throwaway.places.mutex, throwaway.places.leases)]
        nobody = pwd.getpwnam("nobody")
        stranger = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []} if os.geteuid() == 0 else {}
        seen = subprocess.run(["ls", throwaway.places.run], capture_output=True, check=False, **stranger)

        assert modes == [0o700, 0o700]
        assert locks == [0o600, 0o600]
        assert (seen.returncode == 0) == (os.geteuid() != 0)


def test_a_killed_user_does_not_keep_the_server_from_being_stopped(root, use):
    first, second = use(root), use(root)
    first.ready()
    second.ready()

    first.kill()
    second.release()

    assert not embedded.Cluster(root).lives()


def test_a_killed_user_does_not_take_the_server_from_another(root, use):
    first, second = use(root), use(root)
    first.ready()
    second.ready()

    first.kill()

    assert embedded.Cluster(root).status().state == "running"
    assert embedded.Cluster(root).status().in_use


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_server_left_behind_by_its_only_user_is_stopped_by_the_next(stopped, root, use, number):
    only = use(root)
    only.ready()
    before = stopped.process().pid

    only.kill(number)
    status = stopped.cluster.status()
    later = use(root)
    later.ready()
    during = stopped.process().pid
    later.release()

    assert (status.state, status.in_use) == ("running", False)
    assert during == before
    assert not stopped.cluster.lives()


def test_ctrl_c_in_the_terminal_does_not_reach_the_server(stopped, use):
    user = use(stopped.root)
    user.ready()
    before = stopped.process().pid

    os.killpg(user.process.pid, signal.SIGINT)
    user.process.communicate(timeout=120)

    assert stopped.ask("SELECT 1") == (1,)
    assert stopped.process().pid == before


def test_a_server_started_to_stay_outlives_its_users_until_it_is_stopped_also_where_the_clock_is_set(root, monkeypatch):
    cluster, visitor = embedded.Cluster(root), embedded.Cluster(root)
    cluster.ensure()
    cluster.keep()
    cluster.release()
    by_the_clock = psutil.Process.create_time
    monkeypatch.setattr(psutil.Process, "create_time", lambda process: by_the_clock(process) + 3600)

    visitor.ensure()
    visitor.release()
    status = visitor.status()

    assert (status.state, status.kept, status.in_use) == ("running", True, False)
    assert cluster.stop()
    assert not cluster.stop()
    visitor.ensure()
    visitor.release()
    assert not cluster.lives()


def test_a_server_in_use_is_not_stopped_without_force(root, use):
    user = use(root)
    user.ready()
    cluster = embedded.Cluster(root)

    with pytest.raises(InUse, match="--force"):
        cluster.stop()

    assert cluster.lives()
    assert cluster.stop(even_if_used=True)
    assert not cluster.lives()


def test_status_tells_absent_from_stopped(root, tmp_path):
    assert embedded.Cluster(tmp_path / "none").status().state == "absent"
    assert not (tmp_path / "none").exists()
    assert not embedded.Cluster(tmp_path / "none").stop()
    assert embedded.Cluster(root).status().state == "stopped"


def test_a_forked_child_does_not_release_the_lease_of_its_parent(root):
    cluster = embedded.Cluster(root)
    cluster.ensure()
    holder = cluster._holder

    cluster._holder = holder + 1
    cluster.release()

    assert cluster.lives()
    cluster._holder = holder
    cluster.release()
    assert server.postmaster(Places(root=root)) is None
