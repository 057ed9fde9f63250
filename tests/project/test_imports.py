"""The direction of imports is a file, and the file is obeyed."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.project.tree import APPS, ROOT

LINTER = Path(sys.executable).with_name("lint-imports")


def lint(directory: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([LINTER, "--no-cache"], cwd=directory, capture_output=True, text=True, check=False)


def test_every_import_points_in_its_direction():
    told = lint(ROOT)

    assert told.returncode == 0, told.stdout


@pytest.mark.parametrize(
    ("file", "line", "contract"),
    [
        pytest.param("debates/selectors.py", "from scoring import kinds", "Apps point one way", id="upwards"),
        pytest.param("scoring/models/alert.py", "from scoring import services", "Layers of scoring", id="inside out"),
        pytest.param("debates/helpers.py", "", "Layers of debates", id="a module of a new kind"),
        pytest.param("scoring/rules/numbers.py", "import random", "Rules are pure", id="luck in a rule"),
        pytest.param("judging/parsing.py", "from django.conf import settings", "Rules are pure", id="settings in one"),
        pytest.param("judging/conductor.py", "import httpx", "speaks to the world", id="a vendor in the conductor"),
        pytest.param("config/supervisor.py", "import django", "started without Django", id="Django in the supervisor"),
    ],
)
def test_an_import_in_the_wrong_direction_is_found(file, line, contract, tmp_path):
    for app in APPS:
        shutil.copytree(ROOT / app, tmp_path / app, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    with (tmp_path / file).open("a", encoding="utf-8") as out:
        out.write(f"\n{line}\n")

    told = lint(tmp_path)

    broken = [row for row in told.stdout.splitlines() if " BROKEN" in row]
    assert told.returncode == 1
    assert any(contract in row for row in broken), told.stdout
