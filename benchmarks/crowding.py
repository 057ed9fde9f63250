"""The crowd of ``benchmarks.at_once``, in the process that has the database: MODERATORS WORKERS ROUNDS_EACH."""

import json
import os
import random
import sys
import time
from collections.abc import Callable
from typing import Any


def main() -> None:
    """Let everybody loose on one score and print what it came to."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    sys.stdout.write(json.dumps(crowd(*(int(word) for word in sys.argv[1:]))))


def crowd(moderators: int, workers: int, rounds_each: int) -> dict[str, Any]:
    """Have so many moderators act and workers count on one score, all from the same moment on."""
    from scoring import verify
    from tests import factories
    from tests.scoring import concurrency

    verify._further.clear()  # noqa: SLF001 -- nobody judges here: no judgement stands behind these facts
    score = factories.criterion(factories.debate(), key="P1", initial="6")
    people = [factories.moderator(f"moderator {number}") for number in range(moderators)]
    waiting = concurrency.prepared(score, workers * rounds_each)

    def worker(number: int) -> int:
        mine = waiting[number * rounds_each :][:rounds_each]
        return sum(concurrency.count(score, row) is not None for row in mine)

    jobs: list[Callable[[], object]] = [
        *(lambda by=by, n=n: concurrency.moderate(score, by, random.Random(n)) for n, by in enumerate(people)),
        *(lambda n=n: worker(n) for n in range(workers)),
    ]
    begun = time.perf_counter()
    results = concurrency.at_once(*jobs)
    seconds = time.perf_counter() - begun
    done, counted = (
        sum(result for result in part if isinstance(result, int))
        for part in (results[:moderators], results[moderators:])
    )
    score.refresh_from_db()
    deltas = sum(score.entries.values_list("delta", flat=True))
    return {
        "seconds": seconds,
        "done": done,
        "refused": concurrency.ACTS * moderators - done,
        "counted": counted,
        "errors": sum(isinstance(result, BaseException) for result in results),
        "entries": score.entries.count(),
        "faults": len(verify.verify().faults),
        "sum_law": deltas == score.value - score.initial_score,
    }


if __name__ == "__main__":
    main()
