"""Django's own checklist for production finds nothing to warn of."""

import subprocess
import sys

from tests.environment import plain
from tests.project.source_files import ROOT
from tests.project.test_settings import PRODUCTION


def test_production_passes_djangos_checklist(tmp_path):
    secret = "".join(chr(33 + number) for number in range(60))

    told = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=ROOT,
        env={**plain(), **PRODUCTION, "SECRET_KEY": secret, "MOOT_DATA_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (told.returncode, told.stderr) == (0, "")
    # Silenced are subdomains and preloading of HSTS, which an operator has to ask for.
    assert told.stdout == "System check identified no issues (2 silenced).\n"
