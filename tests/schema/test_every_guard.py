"""No guard is forgotten: each has a name, an attack that it stops, and no trigger is there for nothing."""

import importlib
import pkgutil
import re
from pathlib import Path

import pytest
from django.core.checks import run_checks

from scoring import definitions
from scoring.constraint_errors import REFUSALS
from tests import schema
from tests.schema import sources
from tests.schema.attacks import REGISTER, commit_so_far, nothing_stays, refused_by, run

pytestmark = pytest.mark.django_db

for module in pkgutil.iter_modules(schema.__path__):
    if module.name.endswith("_guards"):
        importlib.import_module(f"tests.schema.{module.name}")

RAISED = re.compile(r"CONSTRAINT = '(\w+)'")
NAMED = re.compile(r"moot_(?:refuse|only_blanks|fixed|debate_lasts|round_is_of_debate)\(\s*'(\w+)'")
WHOLE = re.compile(
    r"CREATE (?:CONSTRAINT |OR REPLACE )?TRIGGER (\w+) .*? ON (\w+)\b.*?EXECUTE FUNCTION (\w+)\(\s*(?:'(\w+)')?",
    re.DOTALL,
)
OUT_OF_REACH = Path(__file__).with_name("out_of_reach.txt")
SQL = re.sub("--.*", "", "\n".join(sources.TEXTS.values()))
BODIES = dict(sources.FUNCTION.findall(SQL))
TRIGGERS = {(table, trigger): (function, name) for trigger, table, function, name in WHOLE.findall(SQL)}
SILENT = {
    ("scoring_scorechange", "entry_20_project"),
    ("debates_seal", "seal_10_block"),
    ("scoring_alert", "alert_20_answer"),
    ("debates_invitation", "invitation_06_addressee"),
    ("debates_event", "event_05_behind"),
} | {place for place, (function, _) in TRIGGERS.items() if function == "moot_seal"}
"""Triggers that refuse nothing themselves; what they do is tested where it is needed, as in tests/api/test_feed.py."""


def refusals(function: str, name: str) -> set[str]:
    return {name} if name else set(RAISED.findall(BODIES[function]))


def guards() -> set[str]:
    """Every name under which the database can refuse something of ours."""
    added = {name for _, name in sources.constraints()}
    return added | set(RAISED.findall(SQL)) | set(NAMED.findall(SQL))


def test_every_guard_is_broken_on_purpose():
    assert guards() - {one.guard for one in REGISTER} == set()


def test_every_attack_names_a_guard_that_exists():
    assert {one.guard for one in REGISTER} - guards() == set()


def test_every_guard_is_translated_for_callers_or_out_of_their_reach():
    """Shape: a name in both places, in neither, or of no guard is one too many."""
    lines = [line for line in OUT_OF_REACH.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]

    assert sorted([*REFUSALS, *lines]) == sorted(guards())


def test_every_trigger_is_known_to_the_system_check():
    assert set(TRIGGERS) == sources.triggers()
    assert {f"{table}: the guard {trigger}" for table, trigger in TRIGGERS} <= set(definitions.expected())


@pytest.mark.parametrize(
    ("table", "trigger"), [pytest.param(*one, id=one[1]) for one in sorted(TRIGGERS) if one not in SILENT]
)
def test_no_trigger_is_idle(table, trigger, world):
    names = refusals(*TRIGGERS[table, trigger])
    attempts = [one for one in REGISTER if one.guard in names]

    with nothing_stays():
        commit_so_far()
        run(f"ALTER TABLE {table} DISABLE TRIGGER {trigger}")
        through = [one.sentence for one in attempts if refused_by(one, world) != one.guard]

    assert through, f"without {trigger} every attack on {sorted(names)} is refused by the same name as before"


def test_a_fresh_database_passes_the_system_check():
    assert run_checks(databases=["default"], tags=["database"]) == []
