"""One web process, for whatever supervises processes on a server."""

import argparse
import os
import sys
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.db import connections

from config import releases, server_command
from config.site_address import Address, NotFree
from debates.management.base import BaseCommand


class Command(BaseCommand):
    help = "Serve pages, API and streams at one address until ended. Needs DATABASE_URL; a laptop has `manage.py up`."
    requires_system_checks = ()

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen at (127.0.0.1)")
        parser.add_argument("--port", type=int, default=8000, help="port to listen at (8000)")

    def handle(self, *, host: str, port: int, **_options: Any) -> None:
        if settings.EMBEDDED_ROOT is not None:
            raise CommandError("Name a database in DATABASE_URL. On a laptop `manage.py up` runs everything.")
        address = Address(host=host, port=port)
        try:
            releases.refuse_other()
            address.refuse_taken()
        except (releases.OtherRelease, NotFree) as refusal:
            raise CommandError(str(refusal)) from refusal
        finally:
            connections.close_all()
        os.chdir(settings.BASE_DIR)
        # This process becomes the server, so that a supervisor's signals and limits reach it and nothing between.
        os.execv(sys.executable, [sys.executable, *server_command.arguments(endpoint=address.endpoint)])  # noqa: S606 -- our own words
