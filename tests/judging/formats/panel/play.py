"""Scripted panels that are played through conductor and database."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils import timezone

from debates.models import Debate
from judging.engine import lifecycle
from judging.engine.creation import create_draft
from judging.formats.panel.spec import JudgeSeat, PanelSpec, typed
from tests import playing
from tests.judging.formats.panel.small_panel import SUBJECT, analysis, argument, section

REPORT = {"purpose": "report", "answer": {"summary": "So it was.", "strengths": [], "weaknesses": [], "advice": []}}
THERE = "Nobody has measured the rest"
AGREEING = (("4", "4"), ("4.5", "4"), ("4", "3.5"))
"""What three judges give who agree alone: on the design, on the tests."""
APART = (("5", "4"), ("2", "4"), ("4", "4"))
"""What three judges give who do not: the overalls are 1.8 apart."""
MUTE = {"answer": "I would rather not say."}


def answer(judge: int, number: int, said: Mapping[str, Any]) -> dict[str, Any]:
    """One judge's answer in one round."""
    return {"thread": f"Judge {judge}", "round": number, "answer": said}


def alone(*rows: tuple[str, str] | None) -> list[dict[str, Any]]:
    """What each judge answers alone; ``None`` cannot be read."""
    return [
        {"thread": f"Judge {judge}", "round": 0, **MUTE} if row is None else answer(judge, 0, analysis(*row))
        for judge, row in enumerate(rows, start=1)
    ]


def stays(judge: int, number: int, *, accepts: bool = False, **scores: str) -> dict[str, Any]:
    """A judge who maintains everything that is talked about."""
    rows = [section(code, score) for code, score in scores.items()]
    return answer(judge, number, argument(*rows, accepts=accepts))


def moves(judge: int, number: int, *quoted: str, accepts: bool = True, **scores: str) -> dict[str, Any]:
    """A judge who wants to revise what is talked about, with these quotes."""
    rows = [section(code, score, *quoted) for code, score in scores.items()]
    return answer(judge, number, argument(*rows, accepts=accepts))


def drafted(answers: Sequence[Mapping[str, Any]], *, judges: int = 3, **options: Any) -> Debate:
    """A scripted panel on two criteria, design 60 and tests 40."""
    wanted = PanelSpec(
        title="A cache",
        subject=SUBJECT,
        task="Make it fast.",
        rubric=options.pop("rubric", typed("design:60,tests:40")),
        seats=options.pop("seats", [JudgeSeat(provider="scripted")] * judges),
        reporter=JudgeSeat(provider="scripted"),
        script=[*answers, REPORT],
        **options,
    )
    return create_draft(spec=wanted, by=None, now=timezone.now())


def panel(answers: Sequence[Mapping[str, Any]], **options: Any) -> Debate:
    """The same, started."""
    return lifecycle.start(debate_id=drafted(answers, **options).pk, by=None, now=timezone.now())


def played(answers: Sequence[Mapping[str, Any]], **options: Any) -> Debate:
    """A scripted panel that has been played as far as it goes."""
    debate = panel(answers, **options)
    playing.work()
    debate.refresh_from_db()
    return debate
