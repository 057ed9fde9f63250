"""Runs a Python program on a leash: when the process that holds the other end is gone, however it went, so is this.

A pipe rather than Linux's parent-death signal: the kernel closes it on every kind of end, it works on macOS too, and
the program first hears SIGTERM and may hand its work back.

``python -m config.parent_watch DESCRIPTOR (-m MODULE | FILE)``
"""

import os
import runpy
import signal
import sys
import threading
import time

GRACE = 30.0
"""Seconds until who was asked to end is killed: more than a worker waits before it hands back what is under way."""


def main() -> None:
    """Tie this process to the pipe named first, then become the program named after it."""
    descriptor = int(sys.argv[1])
    os.set_inheritable(descriptor, False)  # noqa: FBT003 -- positional only
    threading.Thread(target=watch, args=(descriptor,), name="leash", daemon=True).start()
    sys.argv = sys.argv[2:]
    if sys.argv[0] == "-m":
        sys.argv = sys.argv[1:]
        runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
    else:
        runpy.run_path(sys.argv[0], run_name="__main__")


def watch(descriptor: int) -> None:
    """Wait until nobody holds the other end, then end this process: first politely, then for certain."""
    os.read(descriptor, 1)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(GRACE)
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    main()
