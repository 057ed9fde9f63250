"""What an erasure takes from a panel: its task, why criteria do not apply, and what its closing words quote."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from django.db.models import QuerySet

from debates.models import Debate
from judging.formats.base import Emptying
from judging.models import Synthesis

WORDLESS: Mapping[str, Any] = {"improvements": [], "quotes": {}}
"""What the closing words of a panel are about, without what others said."""


def emptyings(*, debates: QuerySet[Debate], erased: str, whole: bool) -> Iterator[Emptying]:
    """Yield the tasks of panels where all words go, and what judges quote and would improve in any case."""
    if whole:
        tasked = debates.filter(parameters__has_key="panel").exclude(parameters__panel__task=erased)
        yield Emptying("tasks of panels", tasked, partial(take_tasks, erased=erased))
    quoting = Synthesis.objects.filter(debate__in=debates, numbers__has_key="improvements")
    yield Emptying("quotes in syntheses", quoting.exclude(numbers__improvements=[], numbers__quotes={}), take_quotes)


def take_tasks(panels: QuerySet[Debate], *, erased: str) -> None:
    """Take from panels what the subject was to accomplish, and why criteria do not apply."""
    for debate in list(panels):
        panel = debate.parameters["panel"]
        left_out = dict.fromkeys(panel["not_applicable"], erased)
        kept = {**debate.parameters, "panel": {**panel, "task": erased, "not_applicable": left_out}}
        Debate.objects.filter(pk=debate.pk).update(parameters=kept)


def take_quotes(syntheses: QuerySet[Synthesis]) -> None:
    """Leave of the numbers of closing words the numbers alone."""
    for synthesis in list(syntheses):
        Synthesis.objects.filter(pk=synthesis.pk).update(numbers={**synthesis.numbers, **WORDLESS})
