"""A client that records rounds when told: ``python -m benchmarks.recording.client WAY DEBATE``.

It says how many accounts it has; each line it is given, FROM TO, names accounts to record three rounds on, and it
answers with the milliseconds of each transaction.
"""

import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any

ROUNDS = (2, 3, 4)


def spent(record: Callable[[Any, int], None], ground: Any, number: int) -> float:
    """Record one round and return its milliseconds."""
    begun = time.perf_counter()
    record(ground, number)
    return (time.perf_counter() - begun) * 1000


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from benchmarks.recording import ground, orm, plain

    record = {"shipped": orm.shipped, "unguarded": orm.unguarded, "psycopg": plain.plain}[sys.argv[1]]
    accounts = ground.grounds(int(sys.argv[2]))
    print(len(accounts), flush=True)
    for line in sys.stdin:
        first, last = (int(word) for word in line.split())
        print(
            json.dumps([spent(record, account, number) for account in accounts[first:last] for number in ROUNDS]),
            flush=True,
        )


if __name__ == "__main__":
    main()
