"""Every guard of the database broken on purpose by raw SQL: how many there are, and whether each was found by name."""

import json
import os
import re
import subprocess
import sys
from typing import Any

from benchmarks import report
from benchmarks.report import Row
from tests.crash.harness import ROOT

ATTACKS = "tests/schema"
COUNT = """
import django, json; django.setup()
from tests.schema import test_every_guard as every
print(json.dumps({"guards": len(every.guards()), "attacks": len(every.REGISTER), "triggers": len(every.TRIGGERS)}))
"""
LAST = re.compile(r"(\d+) (passed|failed|error)")


def measure(*, attacks: str = ATTACKS) -> dict[str, Any]:
    """Count the guards and the attacks, and run every attack against a database of its own.

    Shape: ``attacks`` names the tests as pytest does.
    """
    plain = {**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings", "MOOT_TEST_DATABASE": "test_guards"}
    counted = subprocess.run([sys.executable, "-c", COUNT], cwd=ROOT, env=plain, stdout=subprocess.PIPE, check=True)
    attacked = subprocess.run(
        [sys.executable, "-m", "pytest", attacks, "-q", "--create-db", "-p", "no:cacheprovider"],
        cwd=ROOT,
        env=plain,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if attacked.returncode not in (0, 1):  # some failed: what else there is, is no run of the attacks
        attacked.check_returncode()
    counts = {word: int(many) for many, word in LAST.findall(attacked.stdout.splitlines()[-1])}
    return {
        **json.loads(counted.stdout),
        "passed": counts.get("passed", 0),
        "failed": sum(counts.values()) - counts.get("passed", 0),
    }


def rows(figures: report.Figures) -> list[Row]:
    return [
        Row(
            f"{figures['guards']} guards of the database, {figures['attacks']} attacks by raw SQL",
            "every guard broken on purpose, found by name",
            f"{figures['passed']} tests passed, {figures['failed']} failed; each of {figures['triggers']} triggers was "
            "switched off, and then something got through",
            met=figures["passed"] > 0 and figures["failed"] == 0,
            because="A guard let something through, or refused under another name, or none was attacked.",
        )
    ]
