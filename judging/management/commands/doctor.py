"""``manage.py doctor``: ask every endpoint one small question, before a debate spends money on many."""

import asyncio
import time
from collections.abc import Iterator
from typing import Any

from debates.errors import Invalid
from debates.management.base import BaseCommand
from judging.errors import ProviderError
from judging.providers import endpoints as providers_endpoints
from judging.providers import provider
from judging.providers.endpoints import Endpoint, endpoints, kept_secret

NOTHING_SET = (
    "No endpoint is set: debates are played and judged by the built-in heuristics.\n"
    "To ask a model, set MOOT_LLM_BASE_URL and MOOT_LLM_MODEL; docs/how-to/use-a-model.md shows how."
)


class Command(BaseCommand):
    help = "Checks every endpoint of language models: reachable, how it gives structured answers, what it costs."

    def handle(self, *args: Any, **options: Any) -> None:
        """Say how each model of each endpoint does; exit with 1 if one of them cannot be used."""
        if not endpoints():
            self.stdout.write(NOTHING_SET)
            return
        try:
            provider("openai")
        except Invalid as error:
            self.stderr.write(error.message)
            raise SystemExit(1) from error
        well = [self.examine(endpoint, model) for endpoint in endpoints().values() for model in models(endpoint)]
        for endpoint in endpoints().values():
            if not any(models(endpoint)) and endpoint.name != providers_endpoints.MAIN:
                place = f"{endpoint.name} ({kept_secret(endpoint.base_url)})"
                self.stdout.write(f"NONE {place}: it names no model, so that none is tried.")
        if not all(well):
            raise SystemExit(1)

    def examine(self, endpoint: Endpoint, model: str) -> bool:
        place = f"{endpoint.name} ({kept_secret(endpoint.base_url)}), {model or 'no model'}"
        if not model:
            self.stdout.write(f"BAD  {place}: no model is set.\n     Set MOOT_LLM_MODEL, or model in the endpoint.")
            return False
        begun = time.monotonic()
        try:
            tried = asyncio.run(found_out(endpoint, model))
        except ProviderError as error:
            self.stdout.write(f"BAD  {place}: {error}\n     {error.advice}")
            return False
        seconds = time.monotonic() - begun
        if not tried.answered:
            self.stdout.write(f"BAD  {place}: It said {tried.said[:80]!r}.\n     {tried.problem}")
            return False
        took = f"{tried.tokens_in} + {tried.tokens_out} tokens, {seconds:.1f} s"
        self.stdout.write(f"GOOD {place}: answers by {tried.mode} ({took}).")
        self.stdout.write(f"     {priced(endpoint, model)}")
        return True


def models(endpoint: Endpoint) -> Iterator[str]:
    """Yield every model that the settings name for an endpoint, each once; of the main one also that it has none.

    A voice that names no model asks the main endpoint. A further one need not have a model: a voice names one there.
    """
    for model in dict.fromkeys([endpoint.model, *endpoint.models.values()]):
        if model or endpoint.name == providers_endpoints.MAIN:
            yield model


async def found_out(endpoint: Endpoint, model: str) -> providers_endpoints.Trial:
    from judging.providers import openai  # noqa: PLC0415 -- the client is loaded only where a model is asked

    return await openai.find_out(endpoint=endpoint, model=model)


def priced(endpoint: Endpoint, model: str) -> str:
    """Say what a model costs, or that a limit of money does not hold it."""
    price = endpoint.price(model)
    if price is None:
        return "No price is set for it: its calls count as free, and no debate with a limit of money may use it."
    return f"It costs {price.tokens_in} for a million tokens in and {price.tokens_out} out."
