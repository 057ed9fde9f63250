"""What README and docs say is there: pages, commands, settings, events, guards and tests."""

import os
import re
import shutil
import subprocess
import sys
from importlib.metadata import distributions
from itertools import pairwise
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class
from packaging.requirements import Requirement

from debates import event_schemas
from debates.event_schemas import page as events_page
from debates.types import WEBHOOK_TEST
from tests.project.source_files import APPS, ROOT, anchors, code, files, pages, text, texts

DOCS = ROOT / "docs"
LINK = re.compile(r"\]\(([^)\s]+)\)")


def link_targets(page: Path) -> list[tuple[Path, str]]:
    """Return what a page links to inside the project: files, with an anchor or none."""
    found = [link for link in LINK.findall(text(page)) if "://" not in link and not link.startswith("mailto:")]
    return [
        ((page.parent / path).resolve() if path else page, place)
        for path, _, place in (link.partition("#") for link in found)
    ]


def named(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", pages(), ids=named)
def test_every_link_leads_somewhere(page):
    missing = [
        f"{target}#{place}"
        for target, place in link_targets(page)
        if not target.exists() or (place and place not in anchors(target))
    ]

    assert missing == []


def test_every_page_can_be_reached_from_the_readme():
    reached, waiting = set(), [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        if page not in reached:
            reached.add(page)
            waiting += [target for target, _ in link_targets(page) if target.suffix == ".md" and target.exists()]

    assert sorted(named(page) for page in pages() if page not in reached) == []


def test_every_page_that_code_names_is_there():
    missing = set()
    for file in [*code(), *(file for file in files() if file.suffix == ".sql")]:
        for page, place in re.findall(r"\b(docs/[\w/-]+\.md)(?:#([\w-]+))?", text(file)):
            if not (ROOT / page).exists() or (place and place not in anchors(ROOT / page)):
                missing.add(f"{named(file)} names {page}#{place}")

    assert sorted(missing) == []


def test_every_path_that_a_page_names_is_there():
    shape = re.compile(rf"`((?:{'|'.join(APPS)}|tests|docs|samples|templates|static|benchmarks)/[\w./*-]*)`")
    missing = {
        f"{named(page)}: {path}"
        for page in pages()
        for path in shape.findall(text(page))
        if not any(ROOT.glob(path.rstrip("/")))
    }

    assert sorted(missing) == []


def test_every_command_that_a_page_names_exists():
    targets = re.findall(r"^(\w+):", text(ROOT / "Makefile"), flags=re.MULTILINE)
    missing = set()
    for page in pages():
        missing |= set(re.findall(r"manage\.py (\w+)", text(page))) - set(get_commands())
        blocks = "".join(re.findall(r"^```.*?^```", text(page), flags=re.DOTALL | re.MULTILINE))
        made = re.findall(r"^make (\w+)", blocks, flags=re.MULTILINE) + re.findall(r"`make (\w+)", text(page))
        missing |= set(made) - set(targets)

    assert missing == set()


@pytest.fixture
def run(tmp_path):
    """Return what runs the site with these pins, in a directory whose Python only repeats what it is told."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    program = tmp_path / ".venv" / "bin" / "python"
    program.parent.mkdir(parents=True)
    program.write_text('#!/bin/sh\necho "$@"\n')
    program.chmod(0o755)
    (tmp_path / ".venv" / ".made").touch()
    pins = tmp_path / "requirements.txt"
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}

    def run(pinned: str) -> list[str]:
        pins.write_text(pinned)
        os.utime(pins, (0, 0))
        command = ["make", "--no-print-directory", "run"]
        told = subprocess.run(command, cwd=tmp_path, env=plain, capture_output=True, text=True, check=True).stdout
        return ["install" if "--require-hashes" in line else line for line in told.splitlines()]

    return run


def test_make_installs_what_is_pinned_by_whatever_lies_there_also_where_its_files_are_older(run):
    first, again, other = run("django==5.2.9"), run("django==5.2.9"), run("django==5.2.8")

    assert first == other == ["Installing what Moot needs ...", "install", "manage.py up"]
    assert again == ["manage.py up"]


def test_a_run_renews_the_client_of_language_models_where_there_is_one(run, tmp_path):
    (tmp_path / "requirements-llm.txt").write_text("openai==2\n")
    without = run("django==5.2.9")
    (tmp_path / ".venv" / ".llm").write_text("openai==1\n")

    assert "Installing the client of language models ..." not in without
    assert run("django==5.2.9") == ["Installing the client of language models ...", "install", "manage.py up"]
    assert run("django==5.2.9") == ["manage.py up"]


def test_every_command_of_ours_is_written_down_with_its_options():
    page = text(DOCS / "reference" / "commands.md") + text(DOCS / "how-to" / "start-and-stop.md")
    ours = {name: app for name, app in get_commands().items() if app in APPS}
    of_django = {"--" + word for word in ("help", "version", "verbosity", "settings", "pythonpath", "traceback")}
    of_django |= {"--no-color", "--force-color", "--skip-checks"}

    missing = []
    for name, app in ours.items():
        told = load_command_class(app, name).create_parser("manage.py", name)
        options = set(re.findall(r"(--[a-z][a-z-]+)", everything_told(told))) - of_django
        missing += [option for option in sorted(options) if option not in page]
        missing += [name] * (f"## {name}\n" not in page)

    assert missing == []


def everything_told(parser) -> str:
    """Return the usage of a command and of its actions."""
    below = [one for action in parser._actions if isinstance(action.choices, dict) for one in action.choices.values()]
    return "".join([parser.format_usage(), *(one.format_usage() for one in below)])


def test_the_pages_made_from_the_catalogue_of_events_are_up_to_date():
    reference = DOCS / "reference"

    assert text(reference / "events.md") == events_page.markdown()
    assert text(reference / "events.schema.json") == events_page.json_schema()


def test_every_event_that_code_tells_is_in_the_catalogue():
    kind = re.compile(r'"([a-z]+:[a-z][a-z_-]+)"')
    told = {found for file in code("debates", "scoring", "judging") for found in kind.findall(text(file))}

    assert told - {WEBHOOK_TEST} == set(event_schemas.TYPES)


def test_every_dependency_has_its_line_and_no_other():
    named_in = [
        re.match(r"[\w.-]+", line)
        for name in ("requirements.in", "requirements-llm.in", "requirements-dev.in")
        for line in text(ROOT / name).splitlines()
        if line and not line.startswith("-")
    ]

    written = re.findall(r"^\| ([a-z][\w.-]+) \|", text(DOCS / "dependencies.md"), flags=re.MULTILINE)

    assert sorted(written) == sorted(found.group() for found in named_in if found)


def is_test(place: str, function: str) -> bool:
    named = rf"\b(def {function}|{function} = refusal_test)\("
    return (ROOT / place).exists() and re.search(named, text(ROOT / place)) is not None


def test_every_invariant_names_guards_and_tests_that_exist():
    table = text(ROOT / "README.md").partition("| Sentence | Guard | Test |")[2].partition("\n\n")[0]
    rows = [line.strip("|").split("|") for line in table.splitlines()[2:]]
    source = "".join(text(file) for file in files() if file.suffix == ".sql" or file.parent.name == "models")

    missing = []
    for _sentence, guards, tests in rows:
        missing += [name for name in re.findall(r"`([a-z_]+)`", guards) if name not in source]
        for place, function in re.findall(r"`([\w/.]+)::(\w+)`", tests):
            missing += [] if is_test(place, function) else [f"{place}::{function}"]

    assert len(rows) >= 10
    assert missing == []


def test_every_threat_names_tests_that_exist():
    page = DOCS / "explanation" / "threat-model.md"
    rows = [line.strip("|").split("|") for line in text(page).splitlines() if line.startswith("| ")]
    threats = [row for row in rows if row[0].strip() != "Threat"]

    missing = [threat.strip() for threat, _against, tests in threats if not re.findall(r"`[\w/.]+::\w+`", tests)]
    for _threat, _against, tests in threats:
        for place, function in re.findall(r"`([\w/.]+)::(\w+)`", tests):
            missing += [] if is_test(place, function) else [f"{place}::{function}"]

    assert len(threats) >= 20
    assert missing == []


def test_requirements_are_pinned_with_hashes_and_name_no_address():
    for name in ("requirements.txt", "requirements-llm.txt", "requirements-dev.txt"):
        lines = text(ROOT / name).splitlines()
        pins = [line for line in lines if re.match(r"[a-z]", line)]
        assert all(re.match(r"[\w.-]+(\[[\w, -]+\])?==\S+( ; .+)? \\$", line) for line in pins), name
        assert all(following.startswith("    --hash=sha256:") for line, following in pairwise(lines) if line in pins)
        assert [line for line in lines if "://" in line or line.startswith("-")] == []


def test_what_is_asked_for_with_extras_is_pinned_with_them():
    # pip takes `coverage==7.17.3` for no pin of `coverage[toml]`, and refuses as soon as there is a newer one.
    pins = "".join(text(ROOT / name) for name in ("requirements.txt", "requirements-llm.txt", "requirements-dev.txt"))
    pinned = {name: set(re.split(", *", extras)) for name, extras in re.findall(r"(?m)^([\w.-]+)\[(.+)\]==", pins)}
    asked = [
        (one.name.lower(), one.extras)
        for distribution in distributions()
        for one in map(Requirement, distribution.requires or ())
        if one.extras and (one.marker is None or one.marker.evaluate({"extra": ""}))
    ]

    assert {"coverage", "psycopg", "twisted"} <= {name for name, _extras in asked}
    assert [(name, extras) for name, extras in asked if not extras <= pinned.get(name, set())] == []


def test_nothing_names_a_place_of_one_machine():
    ours = "work|root|opt|home|Users|mnt|private"
    place = re.compile(rf"(?<![\w.~}})])/(?:{ours})/\w")

    found = [
        f"{named(file)}: {line.strip()[:80]}"
        for file in texts()
        for line in text(file).splitlines()
        if place.search(line)
    ]

    assert found == []


def test_the_pages_become_a_site_without_a_complaint(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", "-W", "-b", "html", DOCS, tmp_path],
        check=False,
        capture_output=True,
        text=True,
    )

    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "search.html").exists()
    assert (tmp_path / "reference/ledger.html").exists()
