"""The offline provider: reads, quotes and weighs by rule. It never pretends to be a language model."""

import asyncio
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

from judging import heuristics
from judging.heuristics import adherence, debaters, panel, subjects
from judging.providers.endpoints import Rooms
from judging.types import OFFLINE, Bench, Completion, Material, Purpose, Request, Unable


def assess(material: Material) -> Mapping[str, Any]:
    """Assess a criterion, or say why that cannot be done."""
    unable = subjects.unassessable_criterion(material.subject, material.criterion) if material.criterion else None
    return unable.answer if unable else heuristics.assess(material)


def assess_several(material: Material) -> Mapping[str, Any]:
    """Assess each criterion of a question about several, as if it were asked about alone."""
    alone = [replace(material, criterion=card, criteria=()) for card in material.criteria]
    return {
        "assessments": [
            {"criterion": card.code, **assess(question)}
            for card, question in zip(material.criteria, alone, strict=True)
        ]
    }


def challenge(material: Material) -> Mapping[str, Any]:
    """Challenge a criterion; what cannot be read is not attacked for what it might not say."""
    unable = subjects.unassessable_text(material.subject)
    if unable and unable.reason in {Unable.LANGUAGE, Unable.CODE}:
        return {"challenges": []}
    return heuristics.challenge(material)


def analyse(bench: Bench) -> Mapping[str, Any]:
    """Judge a subject alone, or say why that cannot be done."""
    unable = subjects.unassessable_panel_subject(bench.subject)
    return unable.answer if unable else panel.analyse(bench)


ANSWERS: Mapping[Purpose, Callable[[Any], Mapping[str, Any]]] = {
    Purpose.ASSESS: assess,
    Purpose.ASSESS_SEVERAL: assess_several,
    Purpose.CHALLENGE: challenge,
    Purpose.PRESS: heuristics.press,
    Purpose.DEFEND: heuristics.defend,
    Purpose.JUDGE: heuristics.judge,
    Purpose.SYNTHESISE: heuristics.synthesise,
    Purpose.ANALYSE: analyse,
    Purpose.ARGUE: panel.argue,
    Purpose.REPORT: panel.report,
    Purpose.INTRODUCE: debaters.introduce,
    Purpose.OPEN: debaters.opening,
    Purpose.RESPOND: debaters.respond,
    Purpose.EVALUATE: adherence.evaluate,
    Purpose.INFLUENCE: debaters.influence,
    Purpose.INTERJECT: debaters.interject,
    Purpose.SUM_UP: debaters.sum_up,
}


READ_AT_ONCE = 2
"""More threads read no faster: they share one interpreter."""
LONGEST_READING = 120.0
"""Seconds; the longest text there may be takes a few."""
READERS = ThreadPoolExecutor(READ_AT_ONCE, thread_name_prefix="reader")
"""The threads that read: one that is given up reads on, and nobody else has its place until it has ended."""


class Heuristic:
    """Answers from the material alone: the same request always gets the same answer."""

    name = OFFLINE
    advice = ""

    def __init__(self) -> None:
        self._rooms = Rooms()

    def room(self, request: Request) -> asyncio.Semaphore:
        """Return the one room there is: two texts are read at once, and no more wait for a thread."""
        return self._rooms.room(self.name, places=READ_AT_ONCE)

    def source(self, request: Request) -> Sequence[str]:
        """Return the version of the rules: they read the material alone."""
        return [str(heuristics.VERSION)]

    def preflight(self, questions: Collection[tuple[Purpose, str]]) -> Sequence[str]:
        return ()

    def deadline(self, request: Request) -> float:
        """Return the same for every request: it is never a matter of what is set."""
        return LONGEST_READING

    async def complete(self, request: Request) -> Completion:
        """Answer in a thread, because reading a long text would hold up the event loop."""
        loop = asyncio.get_running_loop()
        answer = await loop.run_in_executor(READERS, ANSWERS[request.purpose], request.material)
        return Completion(text=json.dumps(answer, ensure_ascii=False), model=f"heuristic-{heuristics.VERSION}")
