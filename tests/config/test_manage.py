"""``manage.py`` under a Python that does not have what Moot needs."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent


def test_the_wrong_python_is_told_which_is_the_right_one():
    bare = [sys.executable, "-I", "-S", str(ROOT / "manage.py"), "version"]

    done = subprocess.run(bare, capture_output=True, text=True, check=False)

    told = f"{sys.executable} does not have what Moot needs. Use .venv/bin/python, which `make run` makes.\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", told)
