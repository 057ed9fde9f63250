"""Prompts: versioned text files, never edited once used, filled by ``string.Template``."""

from __future__ import annotations

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
from judging.formats.panel import prompts as panel_prompts
from judging.rules.injection import fenced
from judging.types import Bench, Exchange, Material, Message, Prompt, Purpose, Scene

HERE = Path(__file__).resolve().parent
NEWEST: Mapping[Purpose, int] = {
    **dict.fromkeys(Purpose, 1),
    Purpose.EVALUATE: 2,
    Purpose.INFLUENCE: 2,
    Purpose.ARGUE: 2,
}
SUBJECT_CHARACTERS = 24_000
WORDS_CHARACTERS = 4_000
RESULT_CHARACTERS = 24_000
DIVIDER = "=== MATERIAL ===\n"


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


def named(material: Material | Scene | Bench) -> Mapping[str, str]:
    if isinstance(material, Bench):
        return panel_prompts.fields(material)
    return open_prompts.fields(material) if isinstance(material, Scene) else fields(material)


def fields(material: Material) -> Mapping[str, str]:
    card = material.criterion
    return {
        "title": fenced(material.subject_title, limit=300),
        "subject": fenced(material.subject, limit=SUBJECT_CHARACTERS),
        "criterion": f"{card.code} {card.name}: {card.question}\n10 means: {card.high}\n1 means: {card.low}"
        if card
        else "",
        "personas": ", ".join(material.personas),
        "round": str(material.round),
        "rounds": str(material.rounds),
        "initial_score": str(material.initial_score or ""),
        "score": str(material.score or ""),
        "exchanges": "\n\n".join(_exchanges(material)),
        "result": fenced(str(brief(material.result)), limit=RESULT_CHARACTERS),
    }


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
        return [_exchange(one) for one in material.exchanges]
    return [_exchange(replace(one, said=answers_first(one.said))) for one in reversed(material.exchanges)]


def answers_first(said: tuple[tuple[int, str, str], ...]) -> tuple[tuple[int, str, str], ...]:
    """Return what was said with the rounds in their order and each of them from its end."""
    return tuple(one for _, words in groupby(said, key=itemgetter(0)) for one in reversed(list(words)))


def _exchange(exchange: Exchange) -> str:
    lines = [f"Challenge {exchange.label} ({exchange.persona}, {exchange.severity})"]
    if exchange.quote:
        lines.append(f"attacks the passage: {fenced(exchange.quote, limit=600)}")
    lines += [f"Round {number}, {who}: {fenced(words, limit=WORDS_CHARACTERS)}" for number, who, words in exchange.said]
    return "\n".join(lines)
