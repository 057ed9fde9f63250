"""A moderator who opens pages of the admin when told: ``python -m benchmarks.listing.client``.

Each line it is given is a path; it answers with the milliseconds that the page took and the queries that it made.
"""

import json
import os
import sys
import time


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from django.contrib.auth.models import User
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    client = Client(headers={"host": "localhost"})
    client.force_login(User.objects.get(username="alice"))
    print(json.dumps("ready"), flush=True)
    for line in sys.stdin:
        path = line.strip()
        begun = time.perf_counter()
        answer = client.get(path)
        spent = (time.perf_counter() - begun) * 1000
        with CaptureQueriesContext(connection) as caught:
            client.get(path)
        assert answer.status_code == 200, (path, answer.status_code)
        print(json.dumps({"ms": spent, "queries": len(caught)}), flush=True)


if __name__ == "__main__":
    main()
