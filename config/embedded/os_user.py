"""The system account the server runs as: never root, because PostgreSQL refuses root."""

import contextlib
import fcntl
import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from config.embedded.exceptions import NoAccount

SYSTEM_ACCOUNT = "moot"
# Nothing of ours reaches the server: no PG* variable to misread, no key of a provider to leak.
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C"}


@dataclass(frozen=True, kw_only=True)
class Account:
    """One entry of the system's list of users."""

    name: str
    uid: int
    gid: int

    @property
    def is_another(self) -> bool:
        """Whether using this account means giving up the rights of this process."""
        return self.uid != os.geteuid()

    def run(self, command: Sequence[str | Path], *, stderr: int | IO[bytes] = subprocess.PIPE) -> Any:
        """Run a command as this account, in a session of its own, and return the completed process with its output."""
        switch: dict[str, Any] = {"user": self.uid, "group": self.gid, "extra_groups": []} if self.is_another else {}
        return subprocess.run(  # noqa: S603 -- fixed programs, arguments are never joined into a shell line
            list(map(str, command)),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=stderr,
            cwd="/",
            env=ENVIRONMENT,
            start_new_session=True,
            text=True,
            check=False,
            **switch,
        )

    def may_execute(self, path: Path) -> bool:
        """Tell whether this account can run this file or enter this directory, asking the system itself."""
        return not self.is_another or self.run(["/bin/sh", "-c", 'test -x "$0"', path]).returncode == 0

    def own(self, directory: Path) -> None:
        """Make a directory that only this account can enter, or leave an existing one as it is.

        Nobody sees one that is not the account's yet: other processes would refuse it.
        """
        if directory.exists():
            return
        made = Path(tempfile.mkdtemp(prefix=f".{directory.name}-", dir=directory.parent))
        os.chown(made, self.uid, self.gid)
        try:
            made.rename(directory)
        except OSError:  # another process was first, and somebody has put something into it
            made.rmdir()
            if not directory.exists():
                raise


def for_server() -> Account:
    """Return the account of the server: our own, or for root the system account, made when it is missing.

    Raises: ``NoAccount`` if our user id has no name, or the system account cannot be made.
    """
    uid = os.geteuid()
    return of_root() if uid == 0 else of_user(uid)


def of_user(uid: int) -> Account:
    """Return the account of a user id.

    Raises: ``NoAccount`` if it has no entry, as happens in containers; initdb would refuse less clearly.
    """
    try:
        entry = pwd.getpwuid(uid)
    except KeyError:
        raise NoAccount(
            f"The user id {uid} has no entry in the list of users (/etc/passwd), and PostgreSQL needs one. "
            "Run as a user with a name, or set DATABASE_URL."
        ) from None
    return Account(name=entry.pw_name, uid=entry.pw_uid, gid=entry.pw_gid)


def name_of(uid: int) -> str:
    """Return the name of a user id, or its number where it has none, as after its account was removed."""
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"the user id {uid}, which has no name"


def of_root(*, name: str = SYSTEM_ACCOUNT) -> Account:
    """Return the system account that serves root, and make it when it is missing.

    Raises: ``NoAccount`` if it cannot be made here.
    """
    useradd = shutil.which("useradd", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
    complaint = ""
    for _attempt in range(10):  # somebody else may hold the lock of /etc/passwd
        if account := of_name(name):
            return account
        if useradd is None:
            complaint = "there is no useradd here"
            break
        with one_at_a_time():
            complaint = "" if of_name(name) else create(useradd=useradd, name=name)
        time.sleep(0.25 if complaint else 0)
    raise NoAccount(
        f"PostgreSQL does not run as root, and the system account {name!r} cannot be made: {complaint}. "
        "Run as an ordinary user, or set DATABASE_URL."
    )


def of_name(name: str) -> Account | None:
    """Return the account of this name, if there is one."""
    try:
        entry = pwd.getpwnam(name)
    except KeyError:
        return None
    return Account(name=name, uid=entry.pw_uid, gid=entry.pw_gid)


@contextlib.contextmanager
def one_at_a_time() -> Iterator[None]:
    """Let one process look for an account and make it before the next one looks.

    Two ``useradd`` of one name both succeed: the later one gives it another user id, and whoever had read the first
    is left with files that belong to nobody.
    """
    directory = os.open("/etc", os.O_RDONLY)
    try:
        fcntl.flock(directory, fcntl.LOCK_EX)
        yield
    finally:
        os.close(directory)


def create(*, useradd: str, name: str) -> str:
    """Make a system account without shell or home, and return what went wrong, or nothing."""
    arguments = ["--system", "--user-group", "--no-create-home", "--home-dir", "/nonexistent"]
    done = subprocess.run(  # noqa: S603 -- a fixed program with fixed arguments
        [useradd, *arguments, "--shell", "/usr/sbin/nologin", name], capture_output=True, text=True, check=False
    )
    return done.stderr.strip() or f"useradd ended with {done.returncode}" if done.returncode else ""
