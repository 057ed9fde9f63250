"""What the documentation shows in fences: blocks of a language, and the commands in those a reader types."""

import re
import subprocess
import textwrap
from dataclasses import dataclass
from functools import cache

from tests.project.source_files import ROOT, pages, text

FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", flags=re.DOTALL | re.MULTILINE)


@dataclass(frozen=True, kw_only=True)
class Block:
    """One fenced block: of which page, in which language, and what stands in it."""

    page: str
    language: str
    text: str


def blocks(page: str) -> list[Block]:
    """Return the fenced blocks of a page, in order; the page is a path from the root of the project."""
    return [
        Block(page=page, language=language, text=textwrap.dedent(inside))
        for _indent, language, inside in FENCE.findall(text(ROOT / page))
    ]


def everything() -> list[Block]:
    return [block for page in pages() for block in blocks(str(page.relative_to(ROOT)))]


def of(page: str, language: str) -> list[str]:
    return [block.text for block in blocks(page) if block.language == language]


@cache
def commands(page: str) -> list[str]:
    """Return the commands that a page has its reader type, in order; one may have several lines."""
    return [command for shell in of(page, "sh") for command in separate(shell)]


def separate(shell: str) -> list[str]:
    """Return the commands of a block, each with all its lines; a remark is none."""
    found: list[str] = []
    begun = ""
    for line in shell.splitlines():
        if begun or (line.strip() and not line.lstrip().startswith("#")):
            begun += f"{line}\n"
        if begun and complete(begun):
            found.append(begun.rstrip())
            begun = ""
    assert not begun, f"a command that does not end: {begun}"
    return found


def complete(command: str) -> bool:
    """Whether nothing is open: no quote, no here-document, no function, no line that goes on."""
    if command.endswith("\\\n"):
        return False
    read = subprocess.run(["bash", "-n", "-c", command], capture_output=True, text=True, check=False)
    return (read.returncode, read.stderr) == (0, "")
