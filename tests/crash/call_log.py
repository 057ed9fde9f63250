"""What the scripted provider was asked in processes that may die: a line for each question, before it is answered."""

import json
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from judging.providers import provider
from judging.types import Completion, Request


def note(place: Path) -> None:
    """Have every question that is put in this process, and in those it forks, written to a file."""
    scripted = provider("scripted")
    usual = scripted.complete

    async def complete(request: Request) -> Completion:
        write(place, request)
        return await usual(request)

    scripted.complete = complete


def write(place: Path, request: Request) -> None:
    """Add one line: when this was asked, of which thread, in which round, for which purpose."""
    with place.open("a", encoding="utf-8") as file:
        file.write(json.dumps([time.time(), request.thread, request.round, request.purpose.value]) + "\n")


def again(place: Path, *, answers: Mapping[str, Any]) -> int:
    """Return how often something was asked again, having seen that each time nobody had its answer yet.

    Shape: ``answers`` is what the act of that name returns. A claim of a thread loses one call at most.
    """
    asked = [json.loads(line) for line in place.read_text(encoding="utf-8").splitlines()]
    used = {tuple(about): at for at, *about in answers["used"]}
    threads = Counter(about[0] for _, *about in asked) - Counter(about[0] for about in used)
    lost = {thread: times for thread, times in threads.items() if thread}  # the synthesis is of no thread

    assert {tuple(about) for _, *about in asked} == set(used)
    assert [about for at, *about in asked if at > used[tuple(about)]] == []
    assert [thread for thread, times in lost.items() if times >= answers["claims"][thread]] == []
    return threads.total()
