"""Whoever looks for something finds it by its name: modules are called by known words, classes once in an app."""

import ast
import re
from collections import Counter

import snowballstemmer

from tests.project.source_files import APPS, ROOT, code, text

DJANGO = """
    absolute access active admin api apps asgi authentication authorization backend base cache channels checks client
    column config constraint consumer context create creation database db display docs enum error etag example
    exception export field file filter form group human index inline join lock lookup management markdown metric
    middleware model number only option page parser parsing part path permission preference prepared preview
    printable problem proxy read reader reauthentication record registry resource schema secret security
    selector serializer server service session share sign site statement store table task templatetag transport
    type unknown url user verify view websocket
"""
PACKAGES = """
    address binary buffer bundled chart cluster collector command criteria daphne dashboard decimal document
    download dump embedded en end endpoint engine erasable external feature frame grant handshake hash
    health hub job latest lifecycle llm my openai openapi os parent people postgresql protocol queue release
    recipient relevance replace restore right speak subscriber supervisor text uvicorn watch word
"""
stem = snowballstemmer.stemmer("english").stemWord


def test_every_module_is_named_by_words_of_the_glossary_or_of_what_it_is_built_with():
    glossary = re.findall(r"^\| \*\*(.+?)\*\*", text(ROOT / "docs/reference/glossary.md"), flags=re.MULTILINE)
    known = {stem(word) for word in re.split(r"\W+", " ".join([*glossary, DJANGO, PACKAGES, *APPS]).lower())}
    files = [file.relative_to(ROOT).with_suffix("").parts for file in code()]
    names = {name for parts in files if not {"commands", "migrations"} & {*parts} for name in parts if name[0] != "_"}

    assert {name for name in names if {stem(word) for word in name.split("_")} - known} == set()


def test_no_two_classes_of_an_app_have_one_name():
    classes = Counter(
        (file.relative_to(ROOT).parts[0], node.name)
        for file in code()
        if not {"commands", "migrations"} & {*file.parts}  # Django names what is in them
        for node in ast.parse(text(file)).body
        if isinstance(node, ast.ClassDef)
    )

    assert [name for name, number in classes.items() if number > 1] == []
