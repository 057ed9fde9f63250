"""Settings of the test run: the real ones, as the owner of a database of its own."""

import os

from tests import environment

environment.clear()

from config.settings import *  # noqa: E402, F403
from config.settings import DATA_DIR, INSTALLED_APPS, database, embedded  # noqa: E402
from config.settings import EMBEDDED_ROOT as OF_THE_SITE  # noqa: E402

# A server of the tests' own, which does not wait for the disk, beside the one whose data are dear to somebody.
EMBEDDED_ROOT = None if OF_THE_SITE is None else DATA_DIR / "tests"
DATABASES = {"default": database("owner")}
if EMBEDDED_ROOT is not None:
    # The superuser may switch triggers off, which the tests of verify_ledger need.
    DATABASES["default"] |= embedded.connection(root=EMBEDDED_ROOT, user="postgres", name="moot")
DATABASES["default"]["CONN_MAX_AGE"] = 0
# Whoever runs the tests twice at a time gives each run a database of its own.
DATABASES["default"]["TEST"] = {"NAME": os.environ.get("MOOT_TEST_DATABASE") or None}
INSTALLED_APPS = [*INSTALLED_APPS, "tests.flush"]
# Every client of a test loads the middleware anew; WhiteNoise then would read all static files each time.
WHITENOISE_AUTOREFRESH = True
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
