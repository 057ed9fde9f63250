"""Where a cluster lives: pure functions from a root directory to paths; nothing here touches the disk."""

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from config.embedded.exceptions import UnusablePath

PORT = 5432
SYSTEM_DIRECTORY = Path("/var/lib/moot")
# sun_path holds 108 bytes on Linux and 104 on macOS, the closing zero included.
LONGEST_SOCKET_PATH = 103
WAY_OUT = "Set MOOT_DATA_DIR to a short absolute path, or DATABASE_URL to another PostgreSQL."


@dataclass(frozen=True, kw_only=True)
class Places:
    """The files and directories of one cluster."""

    root: Path

    @property
    def data(self) -> Path:
        """The data directory; 0700, the server's."""
        return self.root / "data"

    @property
    def unfinished(self) -> Path:
        """What ``initdb`` fills before it becomes the data directory in one rename."""
        return self.root / "data.unfinished"

    @property
    def run(self) -> Path:
        """The directory of the socket; 0700, so nobody else can reach the server."""
        return self.root / "run"

    @property
    def socket(self) -> Path:
        return self.run / f".s.PGSQL.{PORT}"

    @property
    def log(self) -> Path:
        return self.root / "server.log"

    @property
    def mutex(self) -> Path:
        """Locked exclusively around every start and stop."""
        return self.root / "start.lock"

    @property
    def leases(self) -> Path:
        """Locked shared by every process that uses the server."""
        return self.root / "users.lock"

    @property
    def kept(self) -> Path:
        """Names the server that was started to stay, even without users."""
        return self.root / "kept"

    @property
    def pid_file(self) -> Path:
        return self.data / "postmaster.pid"


def location(*, base: Path, chosen: str = "") -> Path:
    """Return the directory for everything Moot keeps on this machine.

    What ``MOOT_DATA_DIR`` says, relative to ``base``; else ``var`` in ``base``; else, for root, a directory of its own
    per ``base`` under ``/var/lib/moot``, because the server's account may not be able to reach ``base``.
    """
    if chosen.strip():
        return (base / Path(chosen.strip()).expanduser()).resolve()
    if os.geteuid() == 0:
        return SYSTEM_DIRECTORY / hashlib.sha256(os.fsencode(base.resolve())).hexdigest()[:8]
    return base.resolve() / "var"


def connection(*, root: Path, user: str, name: str) -> dict[str, str]:
    """Return how to reach the database ``name`` of the cluster in ``root``, whether or not it runs.

    Shape: the keys of Django's ``DATABASES`` entries: HOST (the socket's directory), PORT, USER, NAME.
    """
    return {"HOST": str(Places(root=root.resolve()).run), "PORT": str(PORT), "USER": user, "NAME": name}


def refuse_unusable(places: Places) -> None:
    """Refuse a path that no socket can have, before anything is made there.

    Raises: ``UnusablePath`` if the path is too long, or holds a comma, at which libpq would split it.
    """
    size = len(os.fsencode(places.socket))
    if size > LONGEST_SOCKET_PATH:
        raise UnusablePath(
            f"The path of the database socket has {size} bytes and may have {LONGEST_SOCKET_PATH}: {places.socket}. "
            f"{WAY_OUT}"
        )
    if "," in str(places.socket):
        raise UnusablePath(f"The path of the database socket holds a comma: {places.socket}. {WAY_OUT}")
