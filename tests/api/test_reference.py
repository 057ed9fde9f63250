"""The reference names what the API has: every code of a problem, every field of a request for a debate."""

import importlib
import re

from rest_framework import exceptions

from debates.errors import DomainError
from judging.formats.criterion.api import CriterionDebateSerializer
from tests.project.source_files import ROOT, code, text

REFERENCE = ROOT / "docs" / "reference"
OF_THE_FRAMEWORK = (
    exceptions.MethodNotAllowed, exceptions.NotAcceptable, exceptions.NotAuthenticated, exceptions.NotFound,
    exceptions.ParseError, exceptions.Throttled, exceptions.UnsupportedMediaType, exceptions.ValidationError,
)  # fmt: skip
"""What it may refuse by itself here; what else it has is raised with a code of ours, or never."""
WRITTEN = re.compile(
    r'\bcode="(\w+)"|\brefused\(\s*request, \d+, "(\w+)"|\bself\.code = .*"(\w+)"$', flags=re.MULTILINE
)


def doors():
    """Return the files of the API, and those of the site that refuse for it."""
    names = [file.relative_to(ROOT) for file in code()]
    return [name for name in names if "api" in name.parts or str(name) in {"config/problems.py", "config/sessions.py"}]


def kinds(of):
    ours = [one for one in of.__subclasses__() if one.__module__.partition(".")[0] in {"debates", "scoring", "judging"}]
    return [deeper for one in ours for deeper in (one, *kinds(one))]


def first_column(page, heading):
    """Return what is in marks of code in the first column of the first table under a heading."""
    table = text(REFERENCE / page).partition(f"{heading}\n")[2].partition("\n|---")[2].partition("\n\n")[0]
    return [name for row in table.splitlines()[1:] for name in re.findall(r"`(\w+)`", row.split("|")[1])]


def test_the_page_names_every_code_that_a_problem_can_have_and_no_other():
    importlib.import_module("config.urls")  # and with it what pages refuse with
    for name in doors():
        importlib.import_module(".".join(name.with_suffix("").parts).removesuffix(".__init__"))
    refusals = {
        one.code
        for one in kinds(DomainError)
        if not one.__module__.startswith("judging.management.commands.conformance")
    }
    of_doors = {one.default_code for one in (*kinds(exceptions.APIException), *OF_THE_FRAMEWORK)}
    written = {found for name in doors() for row in WRITTEN.findall(text(ROOT / name)) for found in row if found}

    named = first_column("api.md", "### Codes")

    assert {"frozen", "resync", "missing_scope", "broken"} <= refusals | of_doors | written
    assert sorted(named) == sorted(refusals | of_doors | written)


def test_the_page_names_every_field_that_a_criterion_debate_is_asked_for_with():
    named = first_column("debates.md", "## What can be asked for")

    assert sorted(named) == sorted(CriterionDebateSerializer().fields)
