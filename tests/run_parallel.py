"""Runs several commands at once, as ``python -m tests.run_parallel -- COMMAND -- COMMAND ...``.

The first one speaks while it runs; what the others say is shown when all have ended, each in one piece. The status is
0 if every one of them ended with 0, whatever ended it.
"""

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from itertools import groupby


def commands(words: Sequence[str]) -> list[list[str]]:
    """Split what was asked for at each ``--``."""
    return [list(command) for is_mark, command in groupby(words, key=lambda word: word == "--") if not is_mark]


def run(asked: Sequence[Sequence[str]]) -> int:
    """Run commands at once and return the status of all."""
    first, *others = asked
    outputs = [tempfile.TemporaryFile() for _ in others]  # noqa: SIM115 -- closed once it was shown
    beside = [
        subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
        for command, output in zip(others, outputs, strict=True)
    ]
    try:
        statuses = [subprocess.run(first, check=False).returncode, *(process.wait() for process in beside)]
    except KeyboardInterrupt:  # a terminal has told the others too
        statuses = [130, *(process.wait() for process in beside)]
    for command, output in zip(others, outputs, strict=True):
        output.seek(0)
        sys.stdout.write(f"\n$ {' '.join(command)}\n")
        sys.stdout.flush()
        sys.stdout.buffer.write(output.read())
        sys.stdout.flush()
        output.close()
    for command, status in zip(asked, statuses, strict=True):
        if status:
            print(f"Ended with {status}: {' '.join(command)}", file=sys.stderr)
    return int(any(statuses))


if __name__ == "__main__":
    sys.exit(run(commands(sys.argv[1:])))
