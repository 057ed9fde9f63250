"""Writes what the migrations make, as the system check is to find it: ``python -m tests.schema.record``."""

import json
import os
import subprocess
import sys


def current() -> str:
    """What the file is to hold: of a database that was just migrated, and of one restored from its dump."""
    from django.db import connection, connections

    from config.embedded import binaries
    from config.embedded.paths import PORT
    from scoring import definitions
    from tests.crash.harness import migrated_server

    databases = {}
    with migrated_server() as server:
        place = {"HOST": str(server.places.run), "PORT": str(PORT), "USER": "postgres"}
        address = ["--host", place["HOST"], "--username", "postgres"]
        with server.connect() as maker:
            maker.execute("CREATE DATABASE restored OWNER moot_owner")
        dump = [binaries.installed() / "pg_dump", *address, "--format=custom", "moot"]
        written = subprocess.run(dump, stdout=subprocess.PIPE, check=True).stdout
        subprocess.run(
            [binaries.installed() / "pg_restore", *address, "--dbname", "restored"], input=written, check=True
        )
        for name in ("moot", "restored"):
            connections["definitions"] = connection.copy("definitions")
            connections["definitions"].settings_dict = {**connection.settings_dict, **place, "NAME": name}
            databases[name] = definitions.present(using="definitions")
            connections["definitions"].close()
            del connections["definitions"]
    fresh, restored = (
        {about: definitions.digest(text) for about, text in databases[name].items()} for name in ("moot", "restored")
    )
    both = {about: " ".join(dict.fromkeys([fresh[about], restored[about]])) for about in sorted(fresh)}
    return json.dumps(both, indent=0) + "\n"


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from scoring import definitions

    definitions.FILE.write_text(current(), encoding="utf-8")
    sys.stdout.write(f"{definitions.FILE}\n")


if __name__ == "__main__":
    main()
