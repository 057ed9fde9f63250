"""No command of the documentation is forgotten: it is run by a test here, or it is left out for a reason and parses."""

import json
import re
import shlex
import subprocess

import pytest
from django.core.management import get_commands, load_command_class

from tests.docs import blocks
from tests.docs.harness import wanted
from tests.docs.not_run import LEFT_OUT
from tests.project.source_files import ROOT, pages, text

PAGES = [str(page.relative_to(ROOT)) for page in pages()]
LEFT = [
    pytest.param(command, id=f"{page}: {command.splitlines()[0]}")
    for page in LEFT_OUT
    for command in blocks.commands(page)
    if command not in wanted(page)
]
INLINE = [
    pytest.param(span, id=f"{page}: {span}")
    for page in PAGES
    for span in re.findall(r"`([^`\n]*manage\.py [a-z][^`\n]*)`", blocks.FENCE.sub("", text(ROOT / page)))
]
PLACE = re.compile(r"(?:deploy|tests|docs|requirements)[\w/.*-]*")


def test_every_block_says_in_which_language_it_is():
    found = {block.language for block in blocks.everything()}

    assert found == {"sh", "text", "json", "sql", "dotenv", "python", "csv"}


def test_every_page_with_commands_is_followed_by_a_test():
    tests = "".join(text(file) for file in ROOT.glob("tests/docs/test_*.py"))

    assert [page for page in PAGES if wanted(page) and f'"{page}"' not in tests] == []


def test_nothing_is_left_out_that_is_not_there():
    stale = [
        (page, begin)
        for page, table in LEFT_OUT.items()
        for begin in table
        if not any(command.startswith(begin) for command in blocks.commands(page))
    ]

    assert stale == []


@pytest.mark.parametrize("command", LEFT)
def test_what_is_left_out_parses_and_names_files_and_options_that_are_there(command):
    read = subprocess.run(["bash", "-n", "-c", command], capture_output=True, text=True, check=False)

    assert (read.returncode, read.stderr) == (0, "")
    assert [name for name in PLACE.findall(command) if not list(ROOT.glob(name)) and not made_by_hand(name)] == []
    for words in re.findall(r"manage\.py ([^'|;]+)", command):
        parse(words)


@pytest.mark.parametrize("span", INLINE)
def test_a_command_named_in_a_sentence_knows_its_options(span):
    parse(span.partition("manage.py ")[2])


def made_by_hand(name: str) -> bool:
    """Whether the reader makes a file: the settings of a server."""
    return name == "deploy/moot.env"


def parse(words: str) -> None:
    """Fail where a command is not there or does not know an option; words in capitals stand for something."""
    name, *given = shlex.split(words)
    app = get_commands()[name]
    told = load_command_class(app, name) if isinstance(app, str) else app
    known = everything_told(told.create_parser("manage.py", name))

    assert [word for word in given if word.startswith("-") and word.partition("=")[0] not in known] == []


def everything_told(parser) -> set[str]:
    """Return the options of a command and of its actions."""
    below = [one for action in parser._actions if isinstance(action.choices, dict) for one in action.choices.values()]
    return {option for one in (parser, *below) for action in one._actions for option in action.option_strings}


def test_json_in_a_page_is_json():
    shown = [block.text for block in blocks.everything() if block.language == "json"]

    assert [type(json.loads(one.replace("{...}", "{}"))) for one in shown] == [dict] * len(shown)
