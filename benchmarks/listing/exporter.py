"""Somebody who downloads the ledger: ``python -m benchmarks.listing.exporter KIND`` prints rows, seconds and memory,
and the one statement with which psql would write the same rows.

The answer is made and read in one process, a part at a time, so its memory is that of making it.
"""

import asyncio
import json
import os
import sys
import time
from typing import Any

import psutil

WARM = 20_000
"""Rows after which memory is looked at for the first time: connections and caches are there by then."""


async def download(path: str, bearer: str) -> dict[str, Any]:
    from django.test import AsyncClient

    own = psutil.Process()
    began = time.perf_counter()
    answer = await AsyncClient().get(path, headers={"authorization": f"Bearer {bearer}"})
    assert answer.status_code == 200, answer.status_code
    rows = size = early = most = 0
    async for part in answer.streaming_content:
        rows += part.count(b"\n")
        size += len(part)
        if rows > WARM:
            used = own.memory_info().rss
            early, most = early or used, max(most, used)
    return {"rows": rows, "bytes": size, "seconds": time.perf_counter() - began, "grown_mb": (most - early) / 2**20}


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ["ALLOWED_HOSTS"] = "testserver"  # as Django's asynchronous client calls itself, whatever it is told
    import django

    django.setup()
    from django.contrib.auth.models import User
    from django.utils import timezone

    from debates.api.exporting import FORMS, copy_statement
    from debates.services import keys
    from scoring.api.exports import ExportLedger
    from scoring.models import ScoreChange

    alice = User.objects.get(username="alice")
    _, text = keys.issue(owner=alice, by=None, name="benchmark", scopes=["export", "read"], now=timezone.now())
    kind = sys.argv[1]
    statement = copy_statement(ScoreChange.objects.all(), "id", ExportLedger.columns, FORMS[kind])
    figures = asyncio.run(download(f"/api/v1/exports/ledger.{kind}", text))
    print(json.dumps(figures | {"statement": statement}))


if __name__ == "__main__":
    main()
