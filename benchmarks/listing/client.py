"""A moderator who opens pages of the admin when told: ``python -m benchmarks.listing.client``.

Each line it is given is a path; it answers with the milliseconds that the page took, and with the queries that it made
when it was opened again. Of a path after ``NOTHING_KEPT`` no figure is in the cache at first.
"""

import json
import os
import sys
import time

NOTHING_KEPT = "anew "


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from django.contrib.auth.models import User
    from django.core.cache import cache
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    client = Client(headers={"host": "localhost"})
    client.force_login(User.objects.get(username="alice"))
    print(json.dumps("ready"), flush=True)
    for line in sys.stdin:
        path = line.strip().removeprefix(NOTHING_KEPT)
        if line.startswith(NOTHING_KEPT):
            cache.clear()
        begun = time.perf_counter()
        answer = client.get(path)
        spent = (time.perf_counter() - begun) * 1000
        with CaptureQueriesContext(connection) as caught:
            client.get(path)
        assert answer.status_code == 200, (path, answer.status_code)
        print(json.dumps({"ms": spent, "queries": len(caught)}), flush=True)


if __name__ == "__main__":
    main()
