"""Where models are: endpoints, models and prices as settings name them. Keys come from the environment alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from django.conf import settings

from judging.errors import ProviderError
from judging.providers.modes import Mode
from judging.providers.redaction import without_keys
from judging.types import Purpose

MAIN = "main"
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

    def price(self, model: str) -> Price | None:
        """Return the price of a model, if the table has one."""
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
    chosen = name or endpoint.models.get(purpose.value, "") or endpoint.model
    if not chosen:
        raise ProviderError(f"No model is set for the endpoint {place!r}. See MOOT_LLM_MODEL.", permanent=True)
    return endpoint, chosen


def kept_secret(text: str) -> str:
    """Return what an endpoint said without any key that settings name: whatever is kept of it goes through here."""
    return without_keys(text, keys=[endpoint.key for endpoint in endpoints().values()])


def unpriced(*, purpose: Purpose, model: str) -> str:
    """Return the model that is asked, if the table has no price for it; nothing where it has one.

    Shape: ``model`` as ``endpoint_of`` takes it; returned is ``model@endpoint``.
    Raises: ``ProviderError`` where there is nobody to ask.
    """
    endpoint, chosen = endpoint_of(purpose=purpose, model=model)
    return "" if endpoint.price(chosen) else f"{chosen}@{endpoint.name}"


def endpoints() -> Mapping[str, Endpoint]:
    """Return every endpoint by its name."""
    return {name: _endpoint(name, row) for name, row in settings.LLM_ENDPOINTS.items()}


def _endpoint(name: str, row: Mapping[str, Any]) -> Endpoint:
    mode = row["mode"]
    return Endpoint(
        name=name,
        base_url=row["base_url"],
        key=row["key"],
        model=row["model"],
        models=row["models"],
        prices={model: Price(*price) for model, price in row["prices"].items()},
        concurrency=row["concurrency"],
        deadline=row["deadline"],
        mode=Mode(mode) if mode else None,
    )
