"""The provider for models behind an OpenAI-compatible endpoint. The only module that knows the client library.

It makes one attempt for each request: asking again, and how long to wait, is the conductor's business.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx2
from openai import AsyncOpenAI
from pydantic_ai import exceptions
from pydantic_ai.direct import model_request
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    SystemPromptPart,
    TextPart,
    ToolCallPart,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIChatModelSettings
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.tools import ToolDefinition

from judging.errors import ProviderError
from judging.providers import endpoints
from judging.providers.endpoints import Endpoint, Mode, Rooms, endpoint_of, kept_secret
from judging.rules import schemas
from judging.types import Completion, Request

AGAIN = frozenset({408, 409, 425, 429, *range(500, 1000)})
"""Statuses after which it is of use to ask again: full, late, or whatever has gone wrong at the other end."""
KEY_OR_MODEL = frozenset({401, 403, 404})
"""Statuses that say something about the key or the model, whatever was asked."""
LONGEST_ANSWER = 2_000_000
"""Bytes of an HTTP response that are read; the rest is not waited for."""
QUESTIONS = 4
"""The most that are put for one answer: three to find out how the endpoint gives answers a shape, then the one."""


class Unread(httpx2.TransportError):
    """A response has more bytes than anybody wants to read, or may have them once it is unpacked."""


class Refused(ProviderError):
    """The endpoint answered with a status that is no answer."""

    def __init__(self, message: str, *, status: int, retry_after: float | None) -> None:
        super().__init__(message, permanent=status not in AGAIN, retry_after=retry_after)
        self.status = status


@dataclass(frozen=True, slots=True)
class EndpointAnswer:
    """What an endpoint answered, before anybody has judged whether it is of use."""

    text: str
    model: str
    tokens_in: int
    tokens_out: int


class Openai:
    """Asks a model. Which endpoint and which model, settings and the request's own model say."""

    name = "openai"

    def __init__(self) -> None:
        self._rooms = Rooms()

    def room(self, request: Request) -> asyncio.Semaphore:
        """Return the room of the endpoint that is asked.

        Raises: ``ProviderError`` for what no endpoint is set for.
        """
        endpoint, _ = endpoint_of(purpose=request.purpose, model=request.model)
        return self._rooms.room(endpoint.name, places=endpoint.concurrency)

    def source(self, request: Request) -> Sequence[str]:
        """Return the address and the model, whether the request or the settings name it.

        Raises: ``ProviderError`` for what no endpoint is set for.
        """
        endpoint, model = endpoint_of(purpose=request.purpose, model=request.model)
        return [endpoint.base_url, model]

    def deadline(self, request: Request) -> float:
        """Return as long as the endpoint may take for every question, each of which is held to its deadline alone."""
        endpoint, _ = endpoint_of(purpose=request.purpose, model=request.model)
        return endpoint.deadline * QUESTIONS

    async def complete(self, request: Request) -> Completion:
        """Ask once and answer with whatever came back; whether it is an answer, the parser decides.

        Raises: ``ProviderError`` where nothing came back.
        Source: docs/reference/providers.md
        """
        endpoint, model = endpoint_of(purpose=request.purpose, model=request.model)
        mode, spent = await self._mode(endpoint, model)
        said = await ask(
            endpoint=endpoint,
            model=model,
            mode=mode,
            messages=request.messages,
            schema=request.schema or schemas.of(request.purpose),
            temperature=float(request.temperature),
            max_tokens=request.max_output_tokens,
        )
        tokens_in, tokens_out = said.tokens_in + spent[0], said.tokens_out + spent[1]
        return Completion(
            text=said.text,
            model=said.model,
            tokens_in=tokens_in,
            tokens_out=tokens_out,
            cost=endpoint.cost(model, tokens_in=tokens_in, tokens_out=tokens_out),
        )

    async def _mode(self, endpoint: Endpoint, model: str) -> tuple[Mode, tuple[int, int]]:
        """Return how this endpoint gives structured answers, and the tokens that finding out has just cost."""
        if endpoint.mode is not None:
            return endpoint.mode, (0, 0)
        known = await endpoints.known(endpoint.base_url, model)
        if known is not None:
            return known, (0, 0)
        tried = await probe(endpoint=endpoint, model=model)
        await endpoints.remember(endpoint.base_url, model, tried.mode)
        return tried.mode, (tried.tokens_in, tried.tokens_out)


async def probe(*, endpoint: Endpoint, model: str) -> endpoints.Trial:
    """Try the ways of structured answers from the strictest on, or the one that the settings name.

    Shape: the first that works. Of the last one, any words are taken.
    Raises: ``ProviderError`` where the endpoint cannot be asked at all, or answers in no way.
    """
    tokens_in = tokens_out = 0
    *stricter, last = [endpoint.mode] if endpoint.mode else Mode
    for mode in stricter:
        try:
            said = await ask(endpoint=endpoint, model=model, mode=mode, **endpoints.TRIAL)
        except Refused as error:
            if not error.permanent or error.status in KEY_OR_MODEL:
                raise
            continue  # it does not know this way
        tokens_in, tokens_out = tokens_in + said.tokens_in, tokens_out + said.tokens_out
        if endpoints.is_answer(said.text):
            return endpoints.Trial(mode, tokens_in, tokens_out, said.text)
    said = await ask(endpoint=endpoint, model=model, mode=last, **endpoints.TRIAL)
    return endpoints.Trial(last, tokens_in + said.tokens_in, tokens_out + said.tokens_out, said.text)


async def ask(
    *,
    endpoint: Endpoint,
    model: str,
    mode: Mode,
    messages: Any,
    schema: Mapping[str, Any],
    temperature: float,
    max_tokens: int,
) -> EndpointAnswer:
    """Make one HTTP request and return what was said, within the endpoint's deadline.

    Raises: ``ProviderError``.
    """
    seconds = endpoint.deadline
    settings = OpenAIChatModelSettings(temperature=temperature, max_tokens=max_tokens, timeout=seconds)
    async with connected(endpoint, seconds=seconds) as client:
        try:
            asked = model_request(
                OpenAIChatModel(model, provider=OpenAIProvider(openai_client=client)),
                conversation(messages),
                model_settings=settings,
                model_request_parameters=parameters(mode, schema),
                instrument=False,
            )
            response = await asyncio.wait_for(asked, timeout=seconds)
        except Exception as error:  # noqa: BLE001 -- whatever a client library raises is translated
            # Without its cause: that one holds what the endpoint said, keys and all, and would be in a traceback.
            raise translated(error, seconds=seconds) from None
    return said_of(response, model)


@asynccontextmanager
async def connected(endpoint: Endpoint, *, seconds: float) -> AsyncIterator[AsyncOpenAI]:
    """Open a client of an endpoint that asks once, takes no proxy from the environment, and reads no endless answer."""
    async with httpx2.AsyncClient(transport=Bounded(), timeout=httpx2.Timeout(seconds), trust_env=False) as http:
        yield AsyncOpenAI(
            base_url=endpoint.base_url, api_key=endpoint.key or "none", max_retries=0, timeout=seconds, http_client=http
        )


def conversation(messages: Any) -> list[ModelMessage]:
    parts = [SystemPromptPart(one.text) if one.role == "system" else UserPromptPart(one.text) for one in messages]
    return [ModelRequest(parts=parts)]


def parameters(mode: Mode, schema: Mapping[str, Any]) -> ModelRequestParameters:
    """Return how the answer's shape is asked for. By prompt, nothing is added: every prompt names its shape."""
    if mode is Mode.TOOL:
        tool = ToolDefinition(
            name="answer", description="Give your answer.", parameters_json_schema=dict(schema), kind="output"
        )
        return ModelRequestParameters(output_mode="tool", output_tools=[tool], allow_text_output=False)
    if mode is Mode.SCHEMA:
        shape = OutputObjectDefinition(json_schema=dict(schema), name="answer", strict=True)
        return ModelRequestParameters(output_mode="native", output_object=shape, allow_text_output=True)
    return ModelRequestParameters()


def said_of(response: ModelResponse, model: str) -> EndpointAnswer:
    """Return the words of a response: what its tool was called with, else its text, a refusal included."""
    calls = [part for part in response.parts if isinstance(part, ToolCallPart)]
    texts = [part.content for part in response.parts if isinstance(part, TextPart)]
    given = calls[0].args if calls else "".join(texts)
    text = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
    refused = (response.provider_details or {}).get("refusal")
    return EndpointAnswer(
        text=kept_secret(text or (str(refused) if refused else "")),
        model=kept_secret(response.model_name or model),
        tokens_in=max(0, response.usage.input_tokens),
        tokens_out=max(0, response.usage.output_tokens),
    )


def translated(error: Exception, *, seconds: float) -> ProviderError:
    """Return an error of the client library as ours: what happened, and whether asking again is of use."""
    for one in causes(error):
        if isinstance(one, Unread):
            return ProviderError(str(one), permanent=False)
        if isinstance(one, exceptions.ModelHTTPError):
            said = kept_secret(json.dumps(one.body, default=str))[:300] if one.body else "no details"
            told = f"The endpoint answered {one.status_code}: {said}."
            return Refused(told, status=one.status_code, retry_after=one.retry_after)
    if any(
        isinstance(one, TimeoutError | exceptions.ModelTimeoutError | httpx2.TimeoutException) for one in causes(error)
    ):
        return ProviderError(f"The endpoint gave no answer within {seconds:g} seconds.", permanent=False)
    if isinstance(error, exceptions.ModelConnectionError | httpx2.TransportError):
        return ProviderError(
            f"The endpoint could not be reached, or broke off: {type(error).__name__}.", permanent=False
        )
    if isinstance(error, exceptions.UserError):
        return ProviderError(f"The client refuses to ask: {kept_secret(str(error))[:300]}", permanent=True)
    return ProviderError(
        f"The endpoint's answer is not of the chat API: {kept_secret(str(error))[:300]}", permanent=False
    )


def causes(error: BaseException | None) -> list[BaseException]:
    found: list[BaseException] = []
    while error is not None and error not in found:
        found.append(error)
        error = error.__cause__ or error.__context__
    return found


class Bounded(httpx2.AsyncHTTPTransport):
    """A transport that stops reading a response that is too long, and does not unpack what may become too long."""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Pass on a request; count what comes back."""
        request.headers["Accept-Encoding"] = "identity"
        response = await super().handle_async_request(request)
        packed = response.headers.get("Content-Encoding", "identity").lower()
        if packed != "identity":
            await response.aclose()
            raise Unread(
                f"The endpoint packed its answer ({kept_secret(packed)[:40]}), though asked not to; it was not read."
            )
        assert isinstance(response.stream, httpx2.AsyncByteStream)  # noqa: S101 -- an asynchronous transport's streams are
        response.stream = Counted(response.stream)
        return response


class Counted(httpx2.AsyncByteStream):
    """The bytes of a response, up to the limit."""

    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        read = 0
        async for part in self._stream:
            read += len(part)
            if read > LONGEST_ANSWER:
                raise Unread(f"The endpoint's answer has more than {LONGEST_ANSWER} bytes; the rest was not read.")
            yield part

    async def aclose(self) -> None:
        await self._stream.aclose()
