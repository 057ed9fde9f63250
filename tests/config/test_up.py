"""``manage.py up``: from nothing to a running site, through accidents, to an end that leaves no process behind."""

import contextlib
import http.client
import http.cookiejar
import io
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection

from config.management.commands import up as up_command
from tests import postgres
from tests.crash.harness import migrated_server
from tests.debates.servers import free_port
from tests.environment import plain

PROJECT = Path(__file__).resolve().parents[2]
PATIENCE = 240.0


class Site:
    """A running ``manage.py up`` and everything it has said."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        self.port = free_port()
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "up", "--port", str(self.port), *arguments],
            cwd=PROJECT,
            env={**plain(), "DJANGO_SETTINGS_MODULE": "config.settings", **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        self.lines: list[str] = []
        self.family: dict[int, psutil.Process] = {}

    def wait_for(self, *words: str) -> None:
        """Read what it says until all of these words have been said."""
        assert self.process.stdout is not None
        missing = set(words)
        for line in self.process.stdout:
            self.lines.append(line.rstrip())
            missing -= {word for word in missing if word in line}
            if not missing:
                return
        pytest.fail(f"up has ended without saying {missing}: {self.lines}")

    def running(self, *, workers: bool = False) -> "Site":
        """Wait until it says that it runs, and remember its processes."""
        self.wait_for("Moot is running at ", *(["The worker is playing."] if workers else []))
        self.children()
        return self

    def children(self) -> dict[str, psutil.Process]:
        """Return the children by the last word of their command line."""
        found = psutil.Process(self.process.pid).children()
        self.family |= {child.pid: child for child in found}
        return {child.cmdline()[-1]: child for child in found}

    def answers(self) -> bool:
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)) as visitor:
            try:
                visitor.request("GET", "/accounts/login/")
                return visitor.getresponse().status == 200
            except OSError:
                return False

    def lets_in(self, *, user: str, password: str) -> bool:
        """Tell whether the admin accepts a login."""
        cookies = http.cookiejar.CookieJar()
        browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(cookies))
        address = f"http://127.0.0.1:{self.port}/accounts/login/"
        browser.open(address).close()
        token = next(cookie.value for cookie in cookies if cookie.name == "csrftoken")
        form = {"login": user, "password": password, "csrfmiddlewaretoken": token, "next": "/admin/"}
        with browser.open(address, data=urllib.parse.urlencode(form).encode()) as page:
            return page.url.endswith("/admin/")

    def end(self, number: signal.Signals) -> int:
        """Send a signal and return the exit status; the rest of what it says is read."""
        with contextlib.suppress(psutil.NoSuchProcess):
            self.children()
        self.process.send_signal(number)
        rest, _ = self.process.communicate(timeout=PATIENCE)
        self.lines += rest.splitlines()
        return self.process.returncode

    def orphans(self) -> list[psutil.Process]:
        """Return its former children that still run after a while."""
        _, alive = psutil.wait_procs(list(self.family.values()), timeout=30)
        return alive


def until(question) -> bool:
    """Ask again and again, until yes or until patience ends."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if question():
            return True
        time.sleep(0.1)
    return False


@pytest.fixture(scope="module")
def data_dir() -> Iterator[Path]:
    """A data directory in which ``up`` has run once, what it said ``first``, and whether it loaded ``samples``."""
    with postgres.short_directory() as directory:
        site = Site("--no-worker", MOOT_DATA_DIR=str(directory)).running()
        server = postgres.Throwaway(directory / "postgres")
        [samples] = server.ask("SELECT count(*) > 0 FROM debates_debate")
        assert site.end(signal.SIGTERM) == 0
        directory.joinpath("first").write_text("\n".join(site.lines))
        directory.joinpath("samples").write_text(str(samples))
        yield directory
        server.stop()


@pytest.fixture
def up(data_dir: Path) -> Iterator:
    """Start sites; whatever still runs after the test is ended."""
    sites: list[Site] = []

    def start(*arguments: str, **environment: str) -> Site:
        sites.append(Site(*arguments, **{"MOOT_DATA_DIR": str(data_dir)} | environment))
        return sites[-1]

    yield start
    for site in sites:
        if site.process.poll() is None:
            site.end(signal.SIGKILL)
        assert site.process.stdout is not None
        site.process.stdout.close()
        assert site.orphans() == []


def test_the_first_run_loads_samples_without_being_asked_for(data_dir):
    assert data_dir.joinpath("samples").read_text() == "True"


def test_the_login_of_the_first_run_works_later_and_a_signal_ends_web_worker_and_database(data_dir, up):
    first = data_dir.joinpath("first").read_text()
    password = re.search(r"shown only now: moderator / (\S+)", first)[1]

    site = up("--no-samples").running(workers=True)
    let_in = [site.lets_in(user="moderator", password=given) for given in (password, "another")]
    names = sorted(site.children())
    status = site.end(signal.SIGTERM)

    assert let_in == [True, False]
    assert "manage.py changepassword moderator" in first
    assert [line for line in site.lines if "moderator" in line] == []
    assert [line for line in site.lines if "Moot is running at" in line] == [
        f"Moot is running at http://127.0.0.1:{site.port}/ (stop with Ctrl-C)"
    ]
    assert names == ["config.asgi:application", "worker"]
    assert [line for line in site.lines if "again in" in line] == []
    everything_has_ended(data_dir, site, status)


def everything_has_ended(data_dir: Path, site: Site, status: int) -> None:
    """What is so after a signal that asks for an end."""
    assert status == 0
    assert site.lines[-1] == "Moot has stopped; everything is kept for the next start."
    assert site.orphans() == []
    assert not postgres.Throwaway(data_dir / "postgres").cluster.lives()


def test_killed_children_and_a_killed_database_come_back_and_ctrl_c_ends_them(data_dir, up):
    site = up("--no-worker", "--no-samples").running()
    throwaway = postgres.Throwaway(data_dir / "postgres")
    web = site.children()["config.asgi:application"]

    web.kill()
    throwaway.kill()

    assert until(lambda: throwaway.cluster.lives() and site.answers())
    assert site.children()["config.asgi:application"].pid != web.pid
    everything_has_ended(data_dir, site, site.end(signal.SIGINT))
    assert "web was ended by SIGKILL; again in 0.5 s." in site.lines
    assert "PostgreSQL has ended; starting it again." in site.lines


def test_several_workers_can_be_had_and_nothing_outlives_a_killed_up(data_dir, up):
    site = up("--no-samples", "--workers", "2").running(workers=True)
    arguments = [child.cmdline()[-2:] for child in psutil.Process(site.process.pid).children()]

    site.end(signal.SIGKILL)

    assert arguments.count(["manage.py", "worker"]) == 2
    assert len(site.family) == 3
    assert site.orphans() == []
    assert not postgres.Throwaway(data_dir / "postgres").cluster.lives()  # the workers were its last users


def refused(directory: Path, *arguments: str) -> str:
    """What ``up`` says that ends without having begun."""
    environment = {**plain(), "MOOT_DATA_DIR": str(directory), "SECRET_KEY": "only for this test"}
    command = [sys.executable, "manage.py", "up", *arguments]
    done = subprocess.run(command, cwd=PROJECT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    return done.stderr


def test_a_port_in_use_is_refused_before_anything_is_made():
    with postgres.short_directory() as directory, socket.create_server(("127.0.0.1", 0)) as server:
        port = str(server.getsockname()[1])
        told = refused(directory, "--port", port)

        assert f"Port {port} on 127.0.0.1 is in use" in told
        assert "--port" in told
        assert list(directory.iterdir()) == []


@pytest.mark.parametrize("many", ["-1", "65"])
def test_a_number_of_workers_that_cannot_be_is_refused_before_anything_is_made(many):
    with postgres.short_directory() as directory:
        assert f"--workers must be 0 to 64; got {many}." in refused(directory, f"--workers={many}")
        assert list(directory.iterdir()) == []


@pytest.mark.parametrize(("in_production", "named"), [(False, True), (True, False)])
def test_the_address_where_it_listens_is_that_of_the_site_on_a_laptop_alone(
    in_production, named, settings, monkeypatch
):
    settings.IN_PRODUCTION = in_production
    monkeypatch.setenv("MOOT_SITE_URL", "")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(CommandError):
            call_command("up", port=port)

    assert os.environ["MOOT_SITE_URL"] == (f"http://127.0.0.1:{port}/" if named else "")


@pytest.mark.django_db
@pytest.mark.parametrize(("pool", "of_others"), [(10, 20), (60, 70), (0, 20)])
def test_more_workers_than_the_database_has_connections_for_are_refused_with_how_many_fit(pool, of_others, settings):
    settings.POOL = pool
    with connection.cursor() as cursor:
        cursor.execute("SHOW max_connections")
        most = int(cursor.fetchone()[0]) - 3
    fit = max(1, (most - of_others) // 11)

    up_command.refuse_too_many(workers=fit)
    with pytest.raises(CommandError) as refused:
        up_command.refuse_too_many(workers=fit + 1)

    assert f"the database has {most}, for everybody; give --workers {fit} or fewer" in str(refused.value)


@pytest.mark.django_db
def test_a_first_login_whose_name_somebody_has_in_other_letters_is_left_to_the_operator(monkeypatch):
    monkeypatch.setattr(up_command.connections, "close_all", lambda: None)
    User.objects.create_user("Moderator")
    command = up_command.Command(stdout=io.StringIO())
    address = up_command.Address(host="127.0.0.1", port=1)

    up_command.Site(supervisor=None, command=command, address=address).first_login()

    assert "There is no superuser yet; make one with" in command.stdout.getvalue()
    assert not User.objects.filter(is_superuser=True).exists()


def test_a_database_and_an_address_that_a_file_of_settings_names_are_used_and_the_database_is_left_running(up):
    with migrated_server() as throwaway, postgres.short_directory() as elsewhere:
        file = elsewhere / "site.env"
        file.write_text(
            f"DATABASE_URL={throwaway.url()}\nMIGRATION_DATABASE_URL={throwaway.url(user='moot_owner')}\n"
            "MOOT_SITE_URL=http://moot.local:8000\n"
        )
        site = up("--no-worker", "--no-samples", MOOT_ENV_FILE=str(file), MOOT_DATA_DIR=str(elsewhere)).running()
        known = throwaway.ask("SELECT count(*) FROM auth_user")
        overridden = site.children()["config.asgi:application"].environ().get("MOOT_SITE_URL")
        status = site.end(signal.SIGTERM)

        assert (known, overridden, status) == ((1,), None, 0)
        assert throwaway.cluster.lives()
        assert not (elsewhere / "postgres").exists()


def test_a_database_that_cannot_be_started_is_said_in_one_line():
    with postgres.short_directory() as directory:
        told = refused(directory / ("x" * 100), "--port", str(free_port()))

        assert "CommandError: The path of the database socket has" in told
        assert "Traceback" not in told


def test_two_that_are_begun_at_once_on_a_new_machine_both_run_and_one_makes_the_first_login(up):
    with postgres.short_directory() as directory:
        place = {"MOOT_DATA_DIR": str(directory)}
        sites = [up("--no-worker", "--no-samples", **place) for _ in range(2)]

        for site in sites:
            site.running()
        ends = [site.end(signal.SIGTERM) for site in sites]

        said = [line for site in sites for line in site.lines if "Login of the first moderator" in line]
        assert (ends, len(said)) == ([0, 0], 1)


def test_an_end_during_the_preparation_is_an_end(data_dir, up):
    throwaway = postgres.Throwaway(data_dir / "postgres")
    throwaway.start()
    with throwaway.connect(name="moot") as blocker:
        blocker.execute("BEGIN")
        blocker.execute("LOCK TABLE django_content_type")
        site = up("--no-worker", "--no-samples")
        waiting = "SELECT count(*) > 0 FROM pg_locks WHERE NOT granted"
        assert until(lambda: throwaway.ask(waiting) == (True,))

        status = site.end(signal.SIGINT)
    throwaway.stop()

    assert (status, site.lines, site.orphans()) == (0, [], [])
    assert len(site.family) == 1
