"""Who can be asked. The registry holds dotted paths, so that a provider's libraries load only where it is used."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from functools import cache
from typing import Protocol

from django.utils.module_loading import import_string

from debates.errors import Invalid
from judging.types import OFFLINE, Completion, Purpose, Request

REGISTRY: Mapping[str, str] = {
    OFFLINE: "judging.providers.heuristic.Heuristic",
    "openai": "judging.providers.openai.Openai",
    "scripted": "judging.providers.scripted.Scripted",
}

EXTRAS: Mapping[str, str] = {"openai": "llm"}
"""What installs the libraries of a provider that is not always there."""


class Provider(Protocol):
    """One small contract: a request in, a completion out, or a ``ProviderError``: also from ``room``, ``source`` and
    ``deadline`` where the request cannot be answered at all.
    """

    name: str
    advice: str
    """What an operator can do where its answers are of no use; empty where that is nothing."""

    def room(self, request: Request) -> AbstractAsyncContextManager[object]:
        """Return what a call waits in until there is room for it. Its deadline begins when it is in."""
        ...

    def source(self, request: Request) -> Sequence[str]:
        """Return who it is that answers, in all that the request itself does not say: another may answer otherwise."""
        ...

    def deadline(self, request: Request) -> float:
        """Return how long an answer is waited for, in seconds from when the call is in its room."""
        ...

    def preflight(self, questions: Collection[tuple[Purpose, str]]) -> Sequence[str]:
        """Return why questions could not be answered, in sentences; offline nothing can be in the way.

        It may ask, and take a while: never inside a transaction, nor in a thread with an event loop.

        Shape: ``questions`` are purpose and model, as requests will name them.
        """
        ...

    async def complete(self, request: Request) -> Completion:
        """Answer one request, which has found room."""
        ...


def provider(name: str) -> Provider:
    """Return the provider of that name.

    Raises: ``Invalid`` naming the providers there are.
    """
    if not isinstance(name, str) or name not in REGISTRY:
        raise Invalid(f"provider must be one of {', '.join(sorted(REGISTRY))}; got {str(name)[:40]!r}.")
    return _made(name)


@cache
def _made(name: str) -> Provider:
    try:
        provider: Provider = import_string(REGISTRY[name])()
    except ImportError as error:
        raise Invalid(
            f"provider {name} is not installed here: run make {EXTRAS.get(name, 'run')} ({error})."
        ) from error
    return provider
