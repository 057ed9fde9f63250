"""What the benchmark of webhooks does in its database."""

import json
import time
from typing import Any


def register(port: int, path: str, many: int, owners: int) -> dict[str, Any]:
    """Register so many webhooks for so many owners, each at a path of its own."""
    from django.utils import timezone

    from debates.services import webhooks
    from tests import factories

    people = [factories.person(f"{path} {n}", permissions=["debates.add_webhook"]) for n in range(owners)]
    for n in range(many):
        url = f"http://127.0.0.1:{port}/{path}/{n}"
        webhooks.register(owner=people[n % owners], url=url, now=timezone.now())
    return {}


def debate() -> dict[str, Any]:
    from tests import factories

    return {"debate": factories.debate().pk}


def happen(debate_id: int, many: int, seconds: float, each: int) -> dict[str, Any]:
    """Write so many events of a debate, ``each`` in a transaction, evenly over so many seconds.

    Shape: returns {seq: seconds since 1970 at which it was committed}.
    """
    from django.db import transaction
    from django.utils import timezone

    from debates import event_log
    from debates.models import EventHead
    from debates.types import News

    begun, committed = time.monotonic(), {}
    first = EventHead.objects.get(debate=debate_id).seq + 1
    for n in range(0, many, each):
        time.sleep(max(0.0, begun + n * seconds / many - time.monotonic()))
        with transaction.atomic():
            event_log.append(debate_id=debate_id, news=[News("debate:paused", {})] * each, now=timezone.now())
        committed |= {first + n + place: time.time() for place in range(each)}
    return {"committed": committed}


ACTS = {"register": register, "debate": debate, "happen": happen}


def perform(name: str, *words: str) -> None:
    """Do one act and print what came of it as JSON."""
    print(json.dumps(ACTS[name](*map(json.loads, words))))
