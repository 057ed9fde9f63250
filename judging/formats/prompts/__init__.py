"""Prompts: versioned text files, never edited once used, filled by ``string.Template``."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from string import Template
from types import MappingProxyType
from typing import Any

from judging.formats.open import prompts as open_prompts
from judging.formats.parsing import LONGEST_TEXT
from judging.formats.spec import LONGEST_SUBJECT
from judging.formats.state import Ask, Brief
from judging.rules import prompt_values
from judging.rules.injection import fenced, unmarked
from judging.types import (
    Bench,
    CriterionCard,
    EarlierRuling,
    Exchange,
    Gap,
    Item,
    Material,
    Message,
    Opinion,
    Prompt,
    Purpose,
    Request,
    Scene,
    Stand,
    Winner,
)
from scoring.rules.numbers import half_up

HERE = Path(__file__).resolve().parent
NEWEST: Mapping[Purpose, int] = {
    **dict.fromkeys(Purpose, 1),
    **dict.fromkeys([Purpose.ASSESS, Purpose.CHALLENGE, Purpose.PRESS, Purpose.DEFEND, Purpose.JUDGE], 2),
    Purpose.ANALYSE: 2,
    Purpose.ARGUE: 3,
    Purpose.EVALUATE: 4,
    Purpose.INFLUENCE: 3,
}
AGAIN_VERSION = 1
PROBLEM_CHARACTERS = 400
DIVIDER = "=== MATERIAL ===\n"
WON: Mapping[Winner, str] = {
    Winner.EVALUATOR: "for the evaluator",
    Winner.RED_TEAM: "for the red team",
    Winner.DRAW: "a draw",
}


def question(
    *,
    brief: Brief,
    ask: Ask,
    material: Material | Scene | Bench,
    attempt: int,
    kept: Mapping[str, int] = MappingProxyType({}),
    **about: Any,
) -> Request:
    """Return the question to put to whoever is asked.

    Shape: ``kept`` as for ``load``; ``about`` are further fields of the request, which tell it from others.
    """
    prompt, _, _ = load(ask.purpose, kept)
    return Request(
        purpose=ask.purpose,
        prompt=prompt,
        messages=messages(purpose=ask.purpose, material=material, kept=kept),
        schema={},
        material=material,
        model=brief.voice(ask).model,
        swapped=ask.swapped,
        reading=max(ask.reading, 1),
        attempt=attempt,
        script=brief.script,
        **about,
    )


def load(purpose: Purpose, kept: Mapping[str, int] = MappingProxyType({})) -> tuple[Prompt, str, Template]:
    """Return a prompt: what identifies it, its instruction, and the template of its material.

    Shape: ``kept`` are the versions that a debate was created with, by purpose; of any other it is the newest.
    """
    return _load(purpose, kept.get(purpose.value, NEWEST[purpose]))


@cache
def _load(purpose: Purpose, version: int) -> tuple[Prompt, str, Template]:
    body = (HERE / f"{purpose}.v{version}.txt").read_text(encoding="utf-8")
    instruction, material = body.split(DIVIDER)
    digest = hashlib.sha256(body.encode()).hexdigest()
    return Prompt(name=purpose.value, version=version, digest=digest), instruction, Template(material)


def messages(
    *, purpose: Purpose, material: Material | Scene | Bench, kept: Mapping[str, int] = MappingProxyType({})
) -> Sequence[Message]:
    """Return the instruction as the system's words and everything that others wrote as fenced data of the user's.

    Source: docs/explanation/judging.md, "Words of others are data".
    """
    _, instruction, template = load(purpose, kept)
    return [Message("system", instruction), Message("user", template.substitute(named(material)))]


def again(problem: str) -> str:
    """Return what is added to a question whose last answer could not be used.

    Shape: ``problem`` may quote that answer, and in it anybody's words.
    """
    return _again(AGAIN_VERSION).substitute(problem=fenced(problem, limit=PROBLEM_CHARACTERS))


@cache
def _again(version: int) -> Template:
    return Template((HERE / f"again.v{version}.txt").read_text(encoding="utf-8"))


def named(material: Material | Scene | Bench) -> Mapping[str, str]:
    if isinstance(material, Bench):
        return panel_fields(material)
    return open_prompts.fields(material) if isinstance(material, Scene) else material_fields(material)


def material_fields(material: Material) -> Mapping[str, str]:
    card = material.criterion
    return {
        "title": fenced(material.subject_title, limit=300),
        "subject": fenced(material.subject, limit=LONGEST_SUBJECT),
        "criterion": _card(card) if card else "",
        "criteria": "\n\n".join(map(_card, material.criteria)),
        "personas": ", ".join(material.personas),
        "round": str(material.round),
        "rounds": str(material.rounds),
        "initial_score": "" if material.initial_score is None else prompt_values.number(material.initial_score),
        "score": "" if material.score is None else prompt_values.number(material.score),
        "exchanges": "\n\n".join(_exchanges(material)),
        "result": fenced(prompt_values.result(brief(material.result)), limit=prompt_values.RESULT_CHARACTERS),
    }


def _card(card: CriterionCard) -> str:
    return unmarked(f"{card.code} {card.name}: {card.question}\n10 means: {card.high}\n1 means: {card.low}")


def brief(result: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a debate came to with its criteria last, and of them only what they are called and how they stand."""
    rows = [
        {name: row[name] for name in row if name not in {"question", "high", "low"}}
        for row in result.get("criteria", ())
    ]
    return {**{name: value for name, value in result.items() if name != "criteria"}, "criteria": rows}


def _exchanges(material: Material) -> list[str]:
    """Return the exchanges in their order, or from their end, with the answer before the challenge."""
    if not material.swapped:
        return [_exchange(exchange) for exchange in material.exchanges]
    return [
        _exchange(replace(exchange, said=answers_first(exchange.said))) for exchange in reversed(material.exchanges)
    ]


def answers_first(said: tuple[tuple[int, str, str], ...]) -> tuple[tuple[int, str, str], ...]:
    """Return what was said with the rounds in their order and each of them from its end."""
    return tuple(word for _, words in groupby(said, key=itemgetter(0)) for word in reversed(list(words)))


def _exchange(exchange: Exchange) -> str:
    lines = [f"Challenge {exchange.label} ({exchange.persona}, {exchange.severity})"]
    if exchange.quote:
        lines.append(f"attacks the passage: {fenced(exchange.quote, limit=600)}")
    lines += [f"Round {number}, {who}: {fenced(words, limit=LONGEST_TEXT)}" for number, who, words in exchange.said]
    lines += [_ruling(ruling) for ruling in exchange.rulings]
    return "\n".join(lines)


def _ruling(ruling: EarlierRuling) -> str:
    won = f"{WON[ruling.winner]}, {prompt_values.number(ruling.adjustment)}"
    return f"Ruled in round {ruling.round}: {won}: {fenced(ruling.reasoning, limit=LONGEST_TEXT)}"


# -- what a judge of a panel is shown: the subject, the criteria, and from the second look on what the others said -----


TASK_CHARACTERS = 8_000
REASONING_CHARACTERS = 1_200
QUOTE_CHARACTERS = 400
SHARE_PLACES = 4
READINGS: Mapping[str, str] = {
    "logic": "Weigh above all what is shown and whether it is consistent.",
    "dialectic": "Weigh above all whether everything asked is covered, and whether objections are answered.",
    "rhetoric": "Weigh above all whether a reader understands it, and whether it owns up to its limits.",
}


def panel_fields(bench: Bench) -> Mapping[str, str]:
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
        "result": fenced(prompt_values.result(quotes_first(bench.result)), limit=prompt_values.RESULT_CHARACTERS),
    }


def quotes_first(result: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a panel came to with its improvements last: they are long, and what is too long is cut at its end."""
    last = {name: value for name, value in result.items() if name == "improvements"}
    return {**{name: value for name, value in result.items() if name not in last}, **last}


def _item(item: Item) -> str:
    return unmarked(
        f"{item.code} ({item.name}, {half_up(item.share, places=SHARE_PLACES)} of the whole): {item.question}\n"
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
