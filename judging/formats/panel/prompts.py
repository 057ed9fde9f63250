"""What a judge of a panel is shown: the subject, the criteria, and from the second look on what the others said."""

from __future__ import annotations

from collections.abc import Mapping

from judging.formats.spec import LONGEST_SUBJECT
from judging.rules import prompt_values
from judging.rules.injection import fenced
from judging.types import Bench, Gap, Item, Opinion, Stand

TASK_CHARACTERS = 8_000
REASONING_CHARACTERS = 1_200
QUOTE_CHARACTERS = 400
RESULT_CHARACTERS = 12_000
READINGS: Mapping[str, str] = {
    "logic": "Weigh above all what is shown and whether it is consistent.",
    "dialectic": "Weigh above all whether everything asked is covered, and whether objections are answered.",
    "rhetoric": "Weigh above all whether a reader understands it, and whether it owns up to its limits.",
}


def fields(bench: Bench) -> Mapping[str, str]:
    """Return what a template about a panel may name. Marks for passing are not among it: no judge ever sees them."""
    way = -1 if bench.swapped else 1
    return {
        "title": fenced(bench.title, limit=300),
        "task": fenced(bench.task, limit=TASK_CHARACTERS),
        "subject": fenced(bench.subject, limit=LONGEST_SUBJECT),
        "judge": bench.judge,
        "reading": READINGS.get(bench.strategy, ""),
        "round": str(bench.round),
        "rounds": str(bench.rounds),
        "criteria": "\n\n".join(_item(item) for item in bench.items[::way]),
        "own": _stand(bench.own) if bench.own else "",
        "others": "\n\n".join(_stand(stand) for stand in bench.others[::way]),
        "gaps": "\n".join(_gap(gap) for gap in bench.gaps[::way]),
        "result": fenced(prompt_values.result(bench.result), limit=RESULT_CHARACTERS),
    }


def _item(item: Item) -> str:
    return (
        f"{item.code} ({item.name}, {item.share:.4f} of the whole): {item.question}\n"
        f"5 means: {item.high}\n1 means: {item.low}"
    )


def _stand(stand: Stand) -> str:
    return "\n".join([f"{stand.judge}, overall {stand.overall}", *(_opinion(opinion) for opinion in stand.opinions)])


def _opinion(opinion: Opinion) -> str:
    quotes = " ".join(fenced(quote, limit=QUOTE_CHARACTERS) for quote in opinion.quotes) or "none"
    reasoning = fenced(opinion.reasoning, limit=REASONING_CHARACTERS)
    return f"- {opinion.code}: {opinion.score}. {reasoning} Quotes: {quotes}"


def _gap(gap: Gap) -> str:
    return f"- {gap.code}: you {gap.own_score}, {', '.join(f'{judge} {score}' for judge, score in gap.opponents)}"
