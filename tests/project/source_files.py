"""The files of the project, as they are committed or about to be."""

import re
import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
APPS = ("config", "debates", "scoring", "judging")
BINARY = {".gz", ".png", ".ico", ".woff2"}


@cache
def files() -> list[Path]:
    """Return every file that git keeps or would keep, below the root."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    return [ROOT / name for name in listed if (ROOT / name).is_file()]


@cache
def text(file: Path) -> str:
    return file.read_text(encoding="utf-8")


def texts() -> list[Path]:
    return [file for file in files() if file.suffix not in BINARY]


def code(*apps: str) -> list[Path]:
    wanted = apps or APPS
    return [file for file in files() if file.suffix == ".py" and file.relative_to(ROOT).parts[0] in wanted]


def pages() -> list[Path]:
    markdown = [file for file in files() if file.suffix == ".md"]
    return [file for file in markdown if file.parent == ROOT or file.is_relative_to(ROOT / "docs")]


def anchors(page: Path) -> set[str]:
    outside_code = re.sub(r"^```.*?^```", "", text(page), flags=re.DOTALL | re.MULTILINE)
    return {anchor(heading) for heading in re.findall(r"^#+ +(.+?) *$", outside_code, flags=re.MULTILINE)}


def anchor(heading: str) -> str:
    """Return the anchor of a heading: lower case, words joined by hyphens, marks left out."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
