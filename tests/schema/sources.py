"""The SQL of the guards as it is written: which triggers, functions and constraints it makes."""

import re
from collections.abc import Iterable

from django.apps import apps

from scoring.definitions import APPS
from tests.project.source_files import ROOT

TRIGGER = re.compile(r"CREATE (?:CONSTRAINT |OR REPLACE )?TRIGGER (\w+) (?:BEFORE|AFTER) [A-Z ]+ ON (\w+)")
FUNCTION = re.compile(r"CREATE OR REPLACE FUNCTION (\w+)\(.*?AS \$\$(.*?)\$\$;", re.DOTALL)
CONSTRAINT = re.compile(r"ALTER TABLE (\w+|%s) ADD CONSTRAINT (\w+)")
UNIQUE = re.compile(r"CREATE UNIQUE INDEX IF NOT EXISTS (\w+) ON (\w+)")
TEXTS = {app: (ROOT / app / "sql" / "guards.sql").read_text(encoding="utf-8") for app in APPS}


def triggers() -> set[tuple[str, str]]:
    """(table, trigger) of every guard that the files create."""
    return {(table, trigger) for text in TEXTS.values() for trigger, table in TRIGGER.findall(text)}


def constraints(texts: Iterable[str] = TEXTS.values()) -> set[tuple[str, str]]:
    """(table, constraint) of every constraint that the files add and the models name."""
    options = [model._meta for app in APPS for model in apps.get_app_config(app).get_models()]
    named = {(each.db_table, constraint.name) for each in options for constraint in each.constraints}
    added = {pair for text in texts for pair in CONSTRAINT.findall(text)}
    return named | added | {(table, name) for text in texts for name, table in UNIQUE.findall(text)}
