"""Endpoints of language models, read from the environment and refused by name where they make no sense."""

import json
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured
from environs import Env

from judging.types import Purpose

MODES = ("auto", "tool", "schema", "prompt")
KEYS = (
    "base_url", "key_variable", "model", "models", "prices", "concurrency", "deadline", "mode", "temperature",
    "max_tokens",
)  # fmt: skip
AUTO, NONE = "auto", "none"
"""For a parameter of a question: what the question says itself, and that it is left out."""
MAIN = "main"


def endpoints(env: Env) -> dict[str, dict[str, Any]]:
    """Return every endpoint by its name; keys are read from the variables that are named for them.

    Raises: ``ImproperlyConfigured`` naming the variable, the endpoint and the field.
    """
    rows = {MAIN: _main(env)} if env.str("MOOT_LLM_BASE_URL", "") else {}
    for name, row in _object(env.str("MOOT_LLM_ENDPOINTS", ""), "MOOT_LLM_ENDPOINTS").items():
        if name in rows or not name or "@" in name:
            raise ImproperlyConfigured(f"MOOT_LLM_ENDPOINTS: {name!r} is taken, empty or has an @ in it.")
        unknown = sorted(set(row) - set(KEYS)) if isinstance(row, dict) else ["not an object"]
        if unknown:
            raise ImproperlyConfigured(f"MOOT_LLM_ENDPOINTS, {name}: {unknown[0]}; known are {', '.join(KEYS)}.")
        variable = str(row.get("key_variable", ""))
        rows[name] = _checked({**row, "key": env.str(variable, "") if variable else ""}, name)
    return rows


def _main(env: Env) -> dict[str, Any]:
    row = {
        "base_url": env.str("MOOT_LLM_BASE_URL"),
        "key": env.str("MOOT_LLM_API_KEY", ""),
        "model": env.str("MOOT_LLM_MODEL", ""),
        "models": _object(env.str("MOOT_LLM_MODELS", ""), "MOOT_LLM_MODELS"),
        "prices": _object(env.str("MOOT_LLM_PRICES", ""), "MOOT_LLM_PRICES"),
        "concurrency": env.int("MOOT_LLM_CONCURRENCY", 4),
        "deadline": env.float("MOOT_LLM_DEADLINE", 120.0),
        "mode": env.str("MOOT_LLM_MODE", "auto"),
        "temperature": env.str("MOOT_LLM_TEMPERATURE", AUTO),
        "max_tokens": env.str("MOOT_LLM_MAX_TOKENS", AUTO),
    }
    return _checked(row, MAIN)


def _checked(row: Mapping[str, Any], name: str) -> dict[str, Any]:
    url = str(row.get("base_url", ""))
    if not url.startswith(("http://", "https://")):
        raise ImproperlyConfigured(f"Endpoint {name}: base_url must begin with http:// or https://.")
    if why := _why_unreadable(url):
        raise ImproperlyConfigured(f"Endpoint {name}: base_url cannot be read: {why}.")
    mode = row.get("mode", "auto")
    if mode not in MODES:
        raise ImproperlyConfigured(f"Endpoint {name}: mode must be one of {', '.join(MODES)}; got {mode!r}.")
    return {
        "base_url": url,
        "key": str(row.get("key", "")),
        "model": str(row.get("model", "")),
        "models": {_purpose(purpose, name): str(model) for purpose, model in _dict(row, "models", name).items()},
        "prices": {model: _price(price, name, model) for model, price in _dict(row, "prices", name).items()},
        "concurrency": int(_number(row.get("concurrency", 4), f"Endpoint {name}: concurrency", low=1, high=1_000)),
        "deadline": float(_number(row.get("deadline", 120), f"Endpoint {name}: deadline", low=1, high=3_600)),
        "mode": "" if mode == "auto" else mode,
        "temperature": _parameter(row.get("temperature", AUTO), f"Endpoint {name}: temperature", low=0, high=2),
        "max_tokens": _parameter(row.get("max_tokens", AUTO), f"Endpoint {name}: max_tokens", low=1, high=1_000_000),
    }


def _why_unreadable(url: str) -> str:
    """Say why an address is none, or has a name and a password where they are not looked for; nothing of a good one."""
    try:
        parts = urlsplit(url)
        if parts.port != 0 and "@" not in f"{parts.path}{parts.query}{parts.fragment}":
            return "" if parts.hostname else "it names no host"
    except ValueError:  # it quotes what was typed, the password with it
        pass
    special = "what is special in a name or a password, and @ in a path, is written as % and a number, as %40"
    return f"a port is a number from 1 to 65535; {special}"


def _dict(row: Mapping[str, Any], field: str, name: str) -> dict[str, Any]:
    value = row.get(field, {})
    if not isinstance(value, dict):
        raise ImproperlyConfigured(f"Endpoint {name}: {field} must be a JSON object; got {type(value).__name__}.")
    return value


def _purpose(purpose: str, name: str) -> str:
    if purpose not in set(Purpose):
        raise ImproperlyConfigured(
            f"Endpoint {name}: models: {purpose!r} is no purpose; they are {', '.join(Purpose)}."
        )
    return purpose


def _parameter(value: Any, place: str, *, low: int, high: int) -> Decimal | str:
    if value in (AUTO, NONE):
        return str(value)
    try:
        return _number(value, place, low=low, high=high)
    except ImproperlyConfigured as error:
        raise ImproperlyConfigured(f"{error} Or it is {AUTO} or {NONE}.") from error


def _price(row: Any, name: str, model: object) -> tuple[Decimal, Decimal]:
    place = f"Endpoint {name}: the price of {model}"
    if not isinstance(row, dict) or set(row) != {"in", "out"}:
        raise ImproperlyConfigured(f'{place} must be {{"in": "0.15", "out": "0.60"}}, money for a million tokens.')
    price_in, price_out = (_number(row[direction], place, low=0, high=1_000_000) for direction in ("in", "out"))
    return price_in, price_out


def _number(value: Any, place: str, *, low: int, high: int) -> Decimal:
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        number = Decimal("NaN")
    if isinstance(value, bool) or not number.is_finite() or not low <= number <= high:
        raise ImproperlyConfigured(f"{place} must be a number from {low} to {high}; got {value!r}.")
    return number


def _object(text: str, name: str) -> dict[str, Any]:
    try:
        value = json.loads(text) if text.strip() else {}
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} must be a JSON object: {error}.") from error
    if not isinstance(value, dict):
        raise ImproperlyConfigured(f"{name} must be a JSON object; got {type(value).__name__}.")
    return value
