"""Debates played in tests: small rubrics, scripts, and a worker that works until nothing is left."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone
from procrastinate import App
from procrastinate.contrib.django import app
from procrastinate.contrib.django.models import ProcrastinateJob

from debates.models import Debate
from judging.engine import lifecycle
from judging.engine.creation import create_draft
from judging.formats.criterion.spec import CriterionSpec
from tests import one_connection

SUBJECT = "We will measure 120 wells in 2027. The district pays 40 000 a year. Ten farmers asked for it."
Verdict = Mapping[str, str]


def rubric(*codes: str, category: str = "problem") -> dict[str, Any]:
    """A rubric of these criteria, all of one category."""
    return {
        "slug": "small",
        "name": "Small",
        "description": "",
        "criteria": [
            {
                "code": code,
                "name": f"Name of {code}",
                "category": category,
                "question": f"What about {code}?",
                "high": "All good.",
                "low": "All bad.",
                "weight": "1",
            }
            for code in codes
        ],
    }


def ruling(adjustment: str, impact: str = "0", *, challenge: str = "C1", **more: str) -> dict[str, str]:
    """One verdict as an arbiter answers it, its winner following the sign."""
    sign = adjustment.lstrip("+")
    winner = "red_team" if sign.startswith("-") else "draw" if sign in {"0", "0.0"} else "evaluator"
    return {
        "challenge": challenge,
        "winner": winner,
        "adjustment": adjustment,
        "impact": impact,
        "reasoning": "Because.",
        **more,
    }


def script(
    rounds: Sequence[Sequence[Verdict]], *, thread: str | None = None, seconds: float = 0, **more: Any
) -> list[dict[str, Any]]:
    """Answers for one thread, or for all: as many challenges as the fullest round, and each round's verdicts."""
    where = {"thread": thread} if thread else {}
    timing = {"seconds": seconds} if seconds else {}
    most = max((len(one) for one in rounds), default=0)
    answers: list[dict[str, Any]] = [
        {
            "purpose": "challenge",
            "answer": {
                "challenges": [
                    {"persona": "skeptic", "severity": "significant", "quote": "", "text": f"Why, {number}?"}
                    for number in range(1, most + 1)
                ]
            },
        }
    ]
    for number, verdicts in enumerate(rounds, start=1):
        labels = [one["challenge"] for one in verdicts]
        answers += [
            {
                "purpose": "press",
                "round": number,
                "answer": {
                    "presses": [{"challenge": f"C{one}", "text": f"Still why, {number}?"} for one in range(1, most + 1)]
                },
            },
            {
                "purpose": "defend",
                "round": number,
                "answer": {
                    "defences": [
                        {"challenge": label, "reply": "defend", "text": f"Because, {number}."} for label in labels
                    ]
                },
            },
            {"purpose": "judge", "round": number, "answer": {"verdicts": list(verdicts)}},
        ]
    return [{**where, **timing, **more, **answer} for answer in answers]


def one_pressed(*rounds: Sequence[Verdict], conceded: bool = False) -> list[dict[str, Any]]:
    """Answers of which the red team presses C2 alone; in the first round C1 may be conceded."""
    answers = script(rounds)
    for answer in answers:
        if conceded and (answer["purpose"], answer.get("round")) == ("defend", 1):
            answer["answer"]["defences"][0]["reply"] = "concede"
        if answer["purpose"] == "press":
            answer["answer"] = {"presses": [{"challenge": "C2", "text": "And yet?"}]}
    return answers


SYNTHESIS = {
    "purpose": "synthesise",
    "answer": {"summary": "It is so.", "strengths": [], "weaknesses": [], "advice": []},
}


def debate(answers: Sequence[Mapping[str, Any]], **options: Any) -> Debate:
    """A started, scripted debate; every criterion opens at 6 with confidence 0.5 unless ``initial`` says otherwise."""
    made = draft(answers, **options)
    return lifecycle.start(debate_id=made.pk, by=options.get("by"), now=timezone.now())


def half_assessed() -> Debate:
    """A debate of two criteria of which the evaluator assesses P1 and fails to assess P2; nothing is played yet."""
    assess = [
        {"purpose": "assess", "thread": "P1", "answer": {"score": "7.5", "confidence": "0.6", "reasoning": "Good."}},
        {"purpose": "assess", "thread": "P2", "error": "gone", "permanent": True},
    ]
    return debate([*assess, *script([[ruling("1")]])], criteria=["P1", "P2"], initial={}, rounds=1)


def draft(answers: Sequence[Mapping[str, Any]], *, criteria: Sequence[str] = ("P1",), **options: Any) -> Debate:
    initial = options.pop("initial", dict.fromkeys(criteria, ("6", "0.5")))
    by = options.pop("by", None)
    spec = CriterionSpec(
        title="Wells",
        subject=SUBJECT,
        rubric=rubric(*criteria),
        provider="scripted",
        script=[*answers, SYNTHESIS],
        initial=initial,
        **options,
    )
    return create_draft(spec=spec, by=by, now=timezone.now())


@contextmanager
def days_ago(days: int) -> Iterator[None]:
    """Let what is done meanwhile have been done some days ago, by our clock; the database's own goes on."""
    now = timezone.now
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(timezone, "now", lambda: now() - timedelta(days=days))
        yield


def work() -> None:
    """Do every job that is asked for, and those that they ask for, then return.

    A test whose rows are rolled back has it done inside its transaction; where they are committed, a worker does it on
    connections of its own.
    """
    if connection.in_atomic_block:
        one_connection.work(until_idle)
        return
    while ProcrastinateJob.objects.filter(status="todo", queue_name="rounds").exists():
        asyncio.run(until_idle(app.with_connector(app.connector.get_worker_connector())))


async def until_idle(fetching: App) -> None:
    """Work until no job is due."""
    async with fetching.open_async():
        await fetching.run_worker_async(
            queues=["rounds"],
            concurrency=16,
            wait=False,
            listen_notify=False,
            install_signal_handlers=False,
            delete_jobs="always",
        )
