"""How an endpoint gives structured answers: by tool, by schema, or because the prompt says so. Found once, and kept."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.core.cache import cache
from django.db import connections

from judging.types import Message


class Mode(StrEnum):
    """The ways of a structured answer, the strictest first."""

    TOOL = "tool"
    SCHEMA = "schema"
    PROMPT = "prompt"


WORD = "moot"
QUESTION = f'Answer with one JSON object and nothing else: {{"word": "{WORD}"}}'
ANSWER: Mapping[str, Any] = {
    "type": "object",
    "properties": {"word": {"type": "string"}},
    "required": ["word"],
    "additionalProperties": False,
}
TRIAL: Mapping[str, Any] = {
    "messages": (Message("system", QUESTION), Message("user", "Now.")),
    "schema": ANSWER,
    "temperature": 0.0,
    "max_tokens": 200,
}
"""The question by which a way is tried."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What trying a model out came to: the way, what finding out took, and what was said the last time."""

    mode: Mode
    tokens_in: int
    tokens_out: int
    said: str

    @property
    def answered(self) -> bool:
        """Whether what was said holds the answer, be it among other words."""
        return is_answer(self.said[self.said.find("{") : self.said.rfind("}") + 1])


def is_answer(text: str) -> bool:
    """Tell whether the probe was answered in the shape that it asked for."""
    try:
        found = json.loads(text)
    except ValueError:
        return False
    return isinstance(found, dict) and isinstance(found.get("word"), str)


async def known(base_url: str, model: str) -> Mode | None:
    """Return what was found out about a model of an endpoint, in this process or another."""
    found = await _apart(cache.get, _name(base_url, model))
    return Mode(found) if found in set(Mode) else None


async def remember(base_url: str, model: str, mode: Mode) -> None:
    """Keep what was found out for every process, until the cache is cleared."""
    await _apart(cache.set, _name(base_url, model), mode.value, None)


async def forget(base_url: str, model: str) -> None:
    """Find out again at the next request."""
    await _apart(cache.delete, _name(base_url, model))


async def _apart(function: Any, *arguments: Any) -> Any:
    """Call the cache, which is in the database, in a thread that leaves no connection behind."""

    def call() -> Any:
        try:
            return function(*arguments)
        finally:
            connections.close_all()

    return await asyncio.to_thread(call)


def _name(base_url: str, model: str) -> str:
    return f"llm-mode-{hashlib.sha256(f'{base_url}|{model}'.encode()).hexdigest()}"
