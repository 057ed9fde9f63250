"""Answers for open debates: what chairs say and what the arbiter finds, by who speaks and in which exchange."""

from typing import Any

SUMMARY = {"summary": "It is over.", "agreements": ["On the ward."], "disagreements": [], "open_questions": []}


def marks(*points: str, violations: tuple[str, ...] = (), attempted: bool = True) -> dict[str, Any]:
    steel, critique, fits, candid = points
    tried = {"attempted": attempted, "notes": "So it is.", "quotes": []}
    return {
        "steel_manning": {"score": steel, **tried},
        "self_critique": {"score": critique, **tried},
        "consistency": {"score": fits, "violations": list(violations), "notes": "", "quotes": []},
        "honesty": {"score": candid, "issues": [], "notes": "", "quotes": []},
    }


def weighs(speaker: str, *listeners: str) -> dict[str, Any]:
    shares = {"persuasion": "0.3", "attack": "0.2", "evidence": "0.1"}
    effects = [{"listener": one, **shares} for one in listeners]
    return {"purpose": "influence", "thread": speaker, "answer": {"effects": effects}}


FAIR = marks("20", "15", "20", "20")
UNFAIR = marks("2", "3", "10", "5", attempted=False)


def script(
    *first: dict[str, Any], response: str = "I hold that the ward must be safe.", fairness: Any = FAIR
) -> list[Any]:
    """Return a whole debate; what comes first is found first."""
    return [
        *first,
        {"purpose": "introduce", "answer": {"text": "Welcome to this debate."}},
        {"purpose": "open", "answer": {"text": "This is where I stand.", "quotes": []}},
        {"purpose": "respond", "answer": {"text": response, "quotes": []}},
        {"purpose": "evaluate", "answer": fairness},
        {"purpose": "interject", "answer": {"text": " ".join(["word"] * 40)}},
        {"purpose": "sum_up", "answer": SUMMARY},
    ]
