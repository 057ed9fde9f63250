"""Runs of the tests side by side: what each says is shown whole, and one that fails or is killed fails them all."""

import subprocess
import sys

import pytest

from tests.project.source_files import ROOT


def together(*scripts: str) -> subprocess.CompletedProcess[str]:
    words = [word for script in scripts for word in ("--", sys.executable, "-c", script)]
    command = [sys.executable, "-m", "tests.run_parallel", *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_what_everybody_says_is_shown_in_one_piece():
    run = together("print('first')", "import sys; print('second'); print('third', file=sys.stderr)")

    assert run.returncode == 0
    assert [line for line in run.stdout.splitlines() if line and not line.startswith("$ ")] == [
        "first",
        "second",
        "third",
    ]


@pytest.mark.parametrize("worst", ["raise SystemExit(1)", "import os; os.kill(os.getpid(), 9)"])
@pytest.mark.parametrize("place", [0, 1])
def test_one_that_fails_or_is_killed_fails_them_all(worst, place):
    scripts = ["pass", "pass"]
    scripts[place] = worst

    run = together(*scripts)

    assert run.returncode == 1
    assert run.stderr.startswith("Ended with ")
