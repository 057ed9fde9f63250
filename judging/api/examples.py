"""Examples of answers about debates: the one whose only round is the example of a posted one."""

from __future__ import annotations

from typing import Any

DEBATE: dict[str, Any] = {
    "id": "573e0044-9fce-4497-83d3-bd2af503cfad",
    "format": "criterion",
    "title": "Wells",
    "motion": "",
    "subject": "155ac449-ae53-4063-8e0d-798d6cf5dbf0",
    "repeat_of": None,
    "status": "concluded",
    "conducted_by": "external",
    "visibility": "public",
    "rounds": 2,
    "limits": {"money": None, "tokens": None, "calls": None},
    "partial": False,
    "partial_reason": "",
    "stop_reason": "",
    "problem": "",
    "seq": 14,
    "created_at": "2026-11-22T07:27:01.106569Z",
    "started_at": "2026-11-22T07:27:01.186718Z",
    "concluded_at": "2026-11-22T07:27:01.556177Z",
}
RESULT: dict[str, Any] = {
    "format": "criterion",
    "debate": {
        "id": "573e0044-9fce-4497-83d3-bd2af503cfad",
        "title": "Wells",
        "format": "criterion",
        "status": "concluded",
        "partial": False,
        "partialReason": "",
        "rounds": 2,
    },
    "moderation": {"moved": []},
    "overall": {"before": "6.00", "after": "6.50", "coverage": "1.00", "recommendation": "refine", "band": "promising"},
    "scored": {"criteria": 1, "of": 1},
    "categories": [{"category": "problem", "before": "6.00", "after": "6.50"}],
    "strengths": [],
    "weaknesses": [],
    "survivalRate": "1.00",
    "verdicts": 1,
    "winners": {"evaluator": 1, "red_team": 0, "draw": 0},
    "confidence": "0.60",
    "evaluations": [
        {
            "id": "382d523c-5b43-4c2a-8d63-83965a563bd4",
            "criterion": "P1",
            "name": "Problem clarity",
            "category": "problem",
            "initial": "6.00",
            "computed": "6.50",
            "override": None,
            "final": "6.50",
            "initialConfidence": "0.50",
            "confidence": "0.60",
            "verdicts": 1,
            "rounds": 1,
            "run": 1,
            "complete": True,
            "frozen": False,
            "thread": "complete",
        }
    ],
    "notAssessed": [],
    "judgedBy": [
        {"role": "evaluator", "name": "Evaluator", "provider": "external", "model": ""},
        {"role": "challenger", "name": "Red team", "provider": "external", "model": ""},
        {"role": "arbiter", "name": "Arbiter", "provider": "external", "model": ""},
    ],
    "fairness": None,
    "synthesis": "It holds where it is measured.",
}

BALLOT: dict[str, Any] = {
    "criteria": [
        {
            "criterion": "correctness",
            "score": "3.5",
            "reasoning": "It answers, but nothing limits how long an answer is kept.",
            "quotes": ["return kept[key]"],
            "improvement": "Let answers go after an hour.",
        },
        {"criterion": "design", "score": "4", "reasoning": "It is small, and says what it does.", "quotes": []},
    ],
    "strengths": ["It is short."],
    "weaknesses": ["It may serve what is stale."],
}
