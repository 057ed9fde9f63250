"""The direction of imports is a file, and the file is obeyed."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.project.source_files import APPS, ROOT

LINTER = Path(sys.executable).with_name("lint-imports")


PLANTED = [
    pytest.param("debates/selectors.py", "from scoring import enums", "Apps point one way", id="upwards"),
    pytest.param("scoring/models/alert.py", "from scoring import services", "Layers of scoring", id="inside out"),
    pytest.param("debates/helpers.py", "", "Layers of debates", id="a module of a new kind"),
    pytest.param("scoring/rules/numbers.py", "import random", "Rules are pure", id="luck in a rule"),
    pytest.param(
        "judging/formats/parsing.py", "from django.conf import settings", "Rules are pure", id="settings in one"
    ),
    pytest.param("judging/engine/conductor.py", "import httpx", "speaks to the world", id="a vendor in the conductor"),
    pytest.param("config/supervisor.py", "import django", "started without Django", id="Django in the supervisor"),
]
TITLE = re.compile(r"^(.+)\n-{3,}$", flags=re.MULTILINE)


def lint(directory: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [LINTER, "--no-logo", *options]
    return subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)


def test_every_import_points_in_its_direction():
    report = lint(ROOT)

    assert report.returncode == 0, report.stdout


@pytest.fixture(scope="module")
def broken(tmp_path_factory) -> dict[str, str]:
    """What the linter says of each contract that is broken in a copy of the project with every violation in it."""
    directory = tmp_path_factory.mktemp("planted")
    for app in APPS:
        shutil.copytree(ROOT / app, directory / app, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", directory)
    for file, line, _contract in (planted.values for planted in PLANTED):
        with (directory / file).open("a", encoding="utf-8") as out:
            out.write(f"\n{line}\n")
    report = lint(directory, "--no-cache")
    assert report.returncode == 1
    _, *sections = TITLE.split(report.stdout.partition("Broken contracts")[2])
    return dict(zip(sections[::2], sections[1::2], strict=True))


@pytest.mark.parametrize(("file", "line", "contract"), PLANTED)
def test_an_import_in_the_wrong_direction_is_found(file, line, contract, broken):
    module = file.removesuffix(".py").replace("/", ".")

    [section] = [section for title, section in broken.items() if contract in title]

    planted = f"{module} -> {target(line)}" if line else module.rpartition(".")[2]
    assert planted in section


def target(line: str) -> str:
    """The module that a planted line imports, as the linter names it: of another's package only the package."""
    words = line.replace("from ", "").replace("import ", "").split()
    return ".".join(words) if words[0] in APPS else words[0].partition(".")[0]
