"""A small panel to deliberate on: three judges, two criteria, a subject of one line."""

import json
from decimal import Decimal

from judging.formats.base import SCHEMAS
from judging.formats.panel import deliberation, parsing
from judging.formats.panel.deliberation import Bar
from judging.formats.panel.documents import Final, Minutes, PanelCriterion, PanelJudge, Round
from judging.rules import quotes
from judging.rules.consensus import Policy

SUBJECT = "The cache is warm after 40 ms. The tests run in CI. Nobody has measured the rest."
SOURCE = quotes.source(SUBJECT)
CODES = ["design", "tests"]
JUDGES = ["Judge 1", "Judge 2", "Judge 3"]
BAR = Bar(codes=CODES, weights=[Decimal(60), Decimal(40)], left_out=[], policy=Policy())
FIVE = [{"question": f"Question {at}?", "answer": "No."} for at in range(1, 6)]


def analysis(design, tests, *, quotes=("The tests run in CI",), revisions=(), **more):
    rows = [
        {"criterion": code, "score": score, "quotes": list(quotes), "reasoning": f"{code} so.", "improvement": "More."}
        for code, score in (("design", design), ("tests", tests))
    ]
    return {
        "criteria": rows,
        "questions": FIVE,
        "revisions": list(revisions),
        "strengths": [],
        "weaknesses": [],
        **more,
    }


def revision(code, score, *quoted):
    return {"criterion": code, "score": score, "because": "A second look.", "quotes": list(quoted)}


def section(code, score, *quoted):
    return {
        "criterion": code, "score": score, "defence": "It holds.", "challenge": "Does yours?", "because": "So it is.",
        "quotes": list(quoted),
    }  # fmt: skip


def argument(*sections, accepts=True, agrees_with=()):
    return {"sections": list(sections), "accepts": accepts, "agrees_with": list(agrees_with)}


def analysed(design, tests, **more):
    read = parsing.analysis(json.dumps(analysis(design, tests, **more)), codes=CODES)
    return deliberation.of_analysis(analysis=read, within=SOURCE, shares=BAR.shares)


def played(number, *sections, bar=BAR, judges=JUDGES):
    check = deliberation.check(bar=bar, sections=sections, debate_round=number)
    found = deliberation.found(check=check, bar=bar, judges=judges)
    return Round(number=number, sections=dict(zip(judges, sections, strict=True)), found=found)


def minutes(*rounds, finals=None, status="awaiting_review", fairness=None, judges=JUDGES):
    about = {
        "debate": {"title": "A *cache*", "status": status, "partial": False}, "task": "Make it fast.",
        "date": "2026-11-21", "policy": Policy().snapshot(), "fairness": fairness, "synthesis": None,
    }  # fmt: skip
    means = rounds[-1].found["means"] if rounds else {}
    return Minutes(
        about=about,
        criteria=[
            PanelCriterion("design", "Design", "0.6", weight="60"),
            PanelCriterion("tests", "Testing", "0.4", weight="40"),
        ],
        judges=[PanelJudge(name, "heuristic", "", "logic") for name in judges],
        rounds=rounds,
        finals=finals or {code: Final(mean) for code, mean in means.items()},
    )


def as_kept():
    """The schema of the document of a panel in which no field may be that it does not name."""
    return json.loads((SCHEMAS / "panel.schema.json").read_text(encoding="utf-8"))
