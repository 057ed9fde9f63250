"""Endpoints that speak OpenAI's chat API: where they are, how each shapes its answers, how many calls at once.

Keys are taken out of what an endpoint says before anything of it is kept, shown or logged.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import logging
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum
from typing import Any
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

from django.conf import settings
from django.core.cache import cache
from django.db import Error, connections
from django.utils.crypto import salted_hmac

from debates.printable import Fields
from judging.errors import ProviderError
from judging.types import Ending, Message, Purpose

log = logging.getLogger(__name__)

REMOVED = "[key removed]"
SHORTEST = 8
"""Characters of a key that is a secret; a shorter one is a word, such as local endpoints are given for a key."""
PART = 12
"""Characters of a longer key that are taken out where they come without the rest: cut off, or with stars behind."""
ENCODED = re.compile(
    r"\\u00(?P<json>[0-9a-f]{2})|%(?P<url>[0-9a-f]{2})|&#x(?P<hex>[0-9a-f]{2});|&#(?P<decimal>[0-9]{2,3});|\\(?P<bare>[/\"])",
    re.IGNORECASE,
)


def without_keys(text: str, *, keys: Collection[str]) -> str:
    """Return a text in which nothing of a key is left: as it is, in JSON, URL and HTML escapes, in base64.

    Source: docs/reference/providers.md#keys
    """
    parts = [part for key in keys if len(key) >= SHORTEST for part in parts_of(key)]
    if not parts or not text:
        return text
    plain = ENCODED.sub(character_of, text)
    if not any(part in plain for part in parts):
        return text
    characters, places = decoded(text)
    taken = sorted(
        (places[at][0], places[at + len(part) - 1][1]) for part in set(parts) for at in places_of(part, characters)
    )
    kept: list[str] = []
    after = 0
    for start, end in taken:
        if start > after or not kept:
            kept += [text[after:start], REMOVED]
        after = max(after, end)
    return "".join([*kept, text[after:]])


def parts_of(key: str) -> Iterator[str]:
    """Yield every run of a key, and of its base64 at each place in another text, that gives it away."""
    raw = key.encode()
    packed = [base64.b64encode(b" " * shift + raw).decode()[4 if shift else 0 : -4] for shift in range(3)]
    for form in (key, *packed, *(text.translate(str.maketrans("+/", "-_")) for text in packed)):
        if len(form) >= SHORTEST:
            yield from (form[at : at + PART] for at in range(max(1, len(form) - PART + 1)))


def decoded(text: str) -> tuple[str, list[tuple[int, int]]]:
    """Return a text with escapes taken back, and where each of its characters stands."""
    characters: list[str] = []
    places: list[tuple[int, int]] = []
    at = 0
    while at < len(text):
        match = ENCODED.match(text, at)
        end = match.end() if match else at + 1
        characters.append(character_of(match) if match else text[at])
        places.append((at, end))
        at = end
    return "".join(characters), places


def character_of(match: re.Match[str]) -> str:
    name = match.lastgroup or ""
    text = match[name]
    return text if name == "bare" else chr(int(text, 10 if name == "decimal" else 16))


def places_of(part: str, text: str) -> Iterator[int]:
    at = text.find(part)
    while at >= 0:
        yield at
        at = text.find(part, at + 1)


# How an endpoint gives structured answers: by tool, by schema, or because the prompt says so. Found once, and kept.


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
    "temperature": Decimal("0.2"),
    "max_tokens": 600,
}
"""The question by which a way is tried. With twice the room, after an answer that was cut off, it has as much as the
shortest question of a debate has at first: a model that thinks before it speaks needs that."""
RECENT = 600
"""Seconds for which a model that has answered it is taken to answer still."""


UNANSWERED: Mapping[Ending, str] = {
    Ending.WHOLE: "It answered, but not with the JSON it was asked for. Its judgements could not be read either; try "
    "another model.",
    Ending.CUT_OFF: "Its answer was cut off before it was whole. Give it more room by MOOT_LLM_MAX_TOKENS (max_tokens "
    "of a further endpoint), or try another model.",
    Ending.REFUSED: "It refused to answer a question of one line. Check what it was told to refuse, or try another "
    "model.",
    Ending.FILTERED: "A filter of the endpoint stopped its answer to a question of one line. Check how the filter is "
    "set, or try another model.",
}
"""What is said of a model that gave no answer to be read, by how its answer ended, and what to do."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What trying a model out came to: the way, what finding out took, and what was said the last time.

    Shape: ``absent`` where a stricter way was not found at the address (404), maybe at that moment alone.
    """

    mode: Mode
    tokens_in: int
    tokens_out: int
    said: str
    ending: Ending = Ending.WHOLE
    absent: bool = False

    @property
    def for_good(self) -> bool:
        """Whether the way is one that works, and will be the strictest that does."""
        return self.answered and not self.absent

    @property
    def answered(self) -> bool:
        """Whether what was said holds the answer, be it among other words."""
        return is_answer(self.said[self.said.find("{") : self.said.rfind("}") + 1])

    @property
    def problem(self) -> str:
        """What is wrong with an answer that cannot be read, and what to do; nothing where it can."""
        return "" if self.answered else UNANSWERED[self.ending]


def is_answer(text: str) -> bool:
    """Tell whether the probe was answered in the shape that it asked for."""
    try:
        answer = json.loads(text)
    except ValueError:
        return False
    return isinstance(answer, dict) and isinstance(answer.get("word"), str)


last_known: dict[str, Mode] = {}
"""What this process read last, for when the database has a bad moment."""


async def known(base_url: str, model: str) -> Mode | None:
    """Return what was found out about a model of an endpoint, in this process or another.

    Raises: ``ProviderError`` where the database cannot say it now, and this process has not read it before.
    """
    place = _name(base_url, model)
    try:
        mode = await _apart(cache.get, place)
    except Error as error:
        if place in last_known:
            return last_known[place]
        raise ProviderError(
            "How the model answers could not be looked up in the database.",
            permanent=False,
            advice="Check the database.",
        ) from error
    if mode not in set(Mode):
        return None
    last_known[place] = Mode(mode)
    return last_known[place]


async def remember(base_url: str, model: str, mode: Mode, *, for_good: bool) -> None:
    """Keep what was found out for every process, until the cache is cleared.

    What is not for good is the last way that was tried, or one that is looser than need be: it is kept for a while, and
    only where none is known, so that one bad moment costs no model its way.
    """
    keep, seconds = (cache.set, None) if for_good else (cache.add, RECENT)
    await asyncio.to_thread(_kept, keep, _name(base_url, model), mode.value, seconds)


async def answered_lately(endpoint: Endpoint, model: str) -> bool:
    """Tell whether a model has answered the question of a trial a short while ago, under the key that is set now."""
    return bool(await _apart(cache.get, _word(endpoint, model)))


async def remember_answer(endpoint: Endpoint, model: str) -> None:
    """Keep for a while, and for every process, that a model answers."""
    await asyncio.to_thread(keep_answer, endpoint, model)


def keep_answer(endpoint: Endpoint, model: str) -> None:
    """Do as ``remember_answer``, in a thread of the caller's."""
    _kept(cache.set, _word(endpoint, model), 1, RECENT)


def _word(endpoint: Endpoint, model: str) -> str:
    about = f"{endpoint.base_url}|{model}|{endpoint.key}"
    return f"llm-answers-{salted_hmac('llm', about, algorithm='sha256').hexdigest()}"


def _kept(function: Any, *arguments: Any) -> None:
    """Keep something that can be found out again: an answer that was paid for is not lost with it."""
    try:
        _called(function, *arguments)
    except Error:
        log.warning(Fields("what a model answers could not be kept"), exc_info=True)


async def _apart(function: Any, *arguments: Any) -> Any:
    """Call the cache, which is in the database, in a thread of its own."""
    return await asyncio.to_thread(_called, function, *arguments)


def _called(function: Any, *arguments: Any) -> Any:
    """Call the cache, and leave no connection behind."""
    try:
        return function(*arguments)
    finally:
        connections.close_all()


def _name(base_url: str, model: str) -> str:
    return f"llm-mode-{hashlib.sha256(f'{base_url}|{model}'.encode()).hexdigest()}"


# Where models are: endpoints, models and prices as settings name them. Keys come from the environment alone.


MAIN = "main"
ALONE: Mapping[Purpose, str] = {Purpose.ASSESS_SEVERAL: Purpose.ASSESS.value}
"""By which purpose a model is named for a question about several things, where none is named for that."""
AUTO = "auto"
"""A parameter is what the question says."""
A_MILLION = Decimal(1_000_000)
MICRO = Decimal("0.000001")


@dataclass(frozen=True, slots=True)
class Price:
    """What a model costs.

    Units: money for a million tokens.
    """

    tokens_in: Decimal
    tokens_out: Decimal


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One address that speaks the chat API. The key is never shown, not even where the endpoint is printed."""

    name: str
    base_url: str
    key: str = field(default="", repr=False)
    model: str = ""
    models: Mapping[str, str] = field(default_factory=dict)
    prices: Mapping[str, Price] = field(default_factory=dict)
    concurrency: int = 4
    deadline: float = 120.0
    mode: Mode | None = None
    temperature: Decimal | str = AUTO
    max_tokens: Decimal | str = AUTO

    def parameters(self, *, temperature: Decimal, max_tokens: int, longer: int = 1) -> dict[str, Decimal | int]:
        """Return the parameters that are sent with a question: its own, those that settings name, or none."""
        warmth = temperature if self.temperature == AUTO else self.temperature
        length = max_tokens if self.max_tokens == AUTO else self.max_tokens
        sent: dict[str, Decimal | int] = {}
        if isinstance(warmth, Decimal):
            sent["temperature"] = warmth
        if not isinstance(length, str):
            sent["max_tokens"] = int(length) * longer
        return sent

    def price(self, model: str) -> Price | None:
        return self.prices.get(model)

    def cost(self, model: str, *, tokens_in: int, tokens_out: int) -> Decimal:
        """Return what tokens cost by the price table; a model without a price costs nothing that is known."""
        price = self.price(model)
        if price is None:
            return Decimal(0)
        total = (price.tokens_in * tokens_in + price.tokens_out * tokens_out) / A_MILLION
        return total.quantize(MICRO, rounding=ROUND_HALF_UP)


def endpoint_of(*, purpose: Purpose, model: str) -> tuple[Endpoint, str]:
    """Return where to ask and which model.

    Shape: ``model`` is empty, ``model``, or ``model@endpoint``; an empty one is the endpoint's for the purpose.
    Raises: ``ProviderError`` (permanent) where no such endpoint is set, or no model.
    """
    name, at, place = model.rpartition("@")
    if not at:
        name, place = model, MAIN
    endpoint = endpoints().get(place)
    if endpoint is None:
        there = ", ".join(endpoints()) or "none"
        raise ProviderError(f"No endpoint {place!r} is set; there is {there}. See MOOT_LLM_BASE_URL.", permanent=True)
    named = endpoint.models.get(purpose.value, "") or endpoint.models.get(ALONE.get(purpose, ""), "")
    chosen = name or named or endpoint.model
    if not chosen:
        raise ProviderError(f"No model is set for the endpoint {place!r}. See MOOT_LLM_MODEL.", permanent=True)
    return endpoint, chosen


def kept_secret(text: str) -> str:
    """Return what an endpoint said without any key that settings name: whatever is kept of it goes through here.

    A password in an address is a key as well.
    """
    rows = endpoints().values()
    passwords = (urlsplit(endpoint.base_url).password or "" for endpoint in rows)
    return without_keys(text, keys=[*(endpoint.key for endpoint in rows), *passwords])


def unpriced(*, purpose: Purpose, model: str) -> str:
    """Return the model that is asked, if the table has no price for it; nothing where it has one.

    Shape: ``model`` as ``endpoint_of`` takes it; returned is ``model@endpoint``.
    Raises: ``ProviderError`` where there is nobody to ask.
    """
    endpoint, chosen = endpoint_of(purpose=purpose, model=model)
    return "" if endpoint.price(chosen) else f"{chosen}@{endpoint.name}"


def endpoints() -> Mapping[str, Endpoint]:
    return {name: _endpoint(name, row) for name, row in settings.LLM_ENDPOINTS.items()}


def _endpoint(name: str, row: Mapping[str, Any]) -> Endpoint:
    prices = {model: Price(*price) for model, price in row["prices"].items()}
    return Endpoint(name=name, **{**row, "prices": prices, "mode": Mode(row["mode"]) if row["mode"] else None})


# Where a call waits until its provider has room for it. That wait is not part of the call's deadline.


class Rooms:
    """Rooms by name, each for so many calls at once. A semaphore belongs to its event loop, and so does a room."""

    def __init__(self) -> None:
        self._rooms: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str, asyncio.Semaphore]] = WeakKeyDictionary()

    def room(self, name: str, *, places: int) -> asyncio.Semaphore:
        rooms = self._rooms.setdefault(asyncio.get_running_loop(), {})
        return rooms.setdefault(name, asyncio.Semaphore(places))
