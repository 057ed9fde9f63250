"""A whole site of the test's own: database, web server and worker as processes that a test may end and start again."""

import contextlib
import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests import fork_server
from tests.crash.harness import Stage, stage
from tests.debates.servers import free_port
from tests.fork_server import Child

USED = "SELECT count(*) FROM pg_stat_activity WHERE datname = 'moot' AND backend_type = 'client backend'"


@dataclass
class LiveSite:
    """A site at an address that stays while its web server comes and goes."""

    stage: Stage
    port: int
    web: Child | None = None
    worker: Child | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def act(self, *words: object) -> dict[str, Any]:
        """Run one act of ``tests.browser.in_database`` and return what it printed."""
        return self.stage.act(*words, module="tests.browser.in_database")

    @property
    def environment(self) -> dict[str, str]:
        return self.stage.environment

    def open(self) -> None:
        words = ["-m", "daphne", "-b", "127.0.0.1", "-p", str(self.port), "config.asgi:application"]
        self.web = fork_server.start(*words, environment=self.environment)
        self.stage.processes.append(self.web)
        end = time.monotonic() + 120
        while time.monotonic() < end:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=5):
                return
            time.sleep(0.05)
        raise AssertionError("the web server does not answer")

    def close(self) -> None:
        assert self.web is not None
        self.stage.end(self.web)

    def work(self) -> None:
        self.worker = self.stage.worker()

    def restore(self, dumped: Path) -> None:
        """Put a dump in the place of the database, as after the loss of a disk, and open again, without a worker."""
        assert self.worker is not None
        self.close()
        self.stage.end(self.worker)
        self.stage.until(lambda: self.stage.ask(USED) == 1)  # by who asks
        with self.stage.server.connect() as database:
            database.execute("ALTER DATABASE moot RENAME TO moot_before")
            database.execute("CREATE DATABASE moot OWNER moot_owner")
        self.stage.manage("db", "restore", str(dumped))
        self.open()


@contextlib.contextmanager
def live_site(*, port: int = 0) -> Iterator[LiveSite]:
    """Open a site with one worker, and clear it away afterwards."""
    with stage() as here:
        site = LiveSite(stage=here, port=port or free_port())
        site.open()
        site.work()
        yield site
