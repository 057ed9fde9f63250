"""What surrounds the tests: no setting of whoever runs them reaches a test, or a process that a test starts."""

import os
import re
import sys

OURS = re.compile(
    r"MOOT_|SECRET_KEY|ALLOWED_HOSTS|EMAIL_|DEFAULT_FROM_EMAIL|.*DATABASE_URL|CSRF_|SECURE_|DJANGO_|PG[A-Z]+$"
)
OF_THE_RUN = {"DATABASE_URL", "MIGRATION_DATABASE_URL", "MOOT_DATA_DIR", "MOOT_TEST_DATABASE", "MOOT_TEST_NOISE"}
OF_THE_RUN |= {"MOOT_ANY_ORDER_RUNS", "MOOT_SOAK", "DJANGO_SETTINGS_MODULE"}


def clear() -> None:
    """Take away every setting but where the tests run, and have no process read the file of settings."""
    for name in {name for name in os.environ if OURS.match(name)} - OF_THE_RUN:
        del os.environ[name]
    os.environ["MOOT_ENV_FILE"] = os.devnull
    # Some machines forbid Python to keep what it compiled: each of several hundred processes would compile it all.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False


def plain() -> dict[str, str]:
    """Return an environment without any setting of ours, for processes that run elsewhere than the tests do."""
    return {name: value for name, value in os.environ.items() if not OURS.match(name)} | {"MOOT_ENV_FILE": os.devnull}
