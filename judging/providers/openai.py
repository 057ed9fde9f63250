"""The provider for models behind an OpenAI-compatible endpoint. The only module that knows the client library.

It makes one attempt for each request: asking again, and how long to wait, is the conductor's business. What cannot be
asked, or brings nothing, raises ``ProviderError``.
"""

import asyncio
import json
import math
import re
import threading
import time
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from contextvars import copy_context
from dataclasses import replace
from decimal import Decimal
from typing import Any
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

import httpx2
from openai import APIStatusError, AsyncOpenAI
from openai.types.chat import ChatCompletion
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
from pydantic_ai.profiles.openai import OpenAIModelProfile
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.tools import ToolDefinition

from judging.errors import ProviderError
from judging.providers import endpoints
from judging.providers.endpoints import Endpoint, Mode, Rooms, Trial, endpoint_of, kept_secret
from judging.rules import schemas
from judging.types import MORE_ROOM, Completion, Ending, Message, Purpose, Request

AGAIN = frozenset({408, 409, 425, 429, *range(500, 1000)})
"""Statuses after which it is of use to ask again: full, late, or whatever has gone wrong at the other end."""
BAD_REQUEST, NOT_FOUND, SERVER_ERRORS = 400, 404, 500
BAD_REQUESTS = frozenset({BAD_REQUEST, 422})
"""Statuses that may say something about a parameter."""
KEY = frozenset({401, 403})
"""Statuses that say something about the key, whatever was asked. OpenRouter says 404 for a model without tools."""
LONGEST_ANSWER = 2_000_000
"""Bytes of an HTTP response that are read; the rest is not waited for."""
QUESTIONS = 14
"""The most that are put for one answer: three to find out how an endpoint shapes its answers, each again without a
temperature, by the other name of the longest answer and without that, and one with more room; then the one."""
A_TOKEN = 4
"""Characters that count as one token where an endpoint counts none, so that limits hold there as well."""
PREFLIGHT_SECONDS = 30.0
"""The most that a model has for all its answers while somebody waits for a debate to begin."""
NOTED = 60.0
"""Seconds for which it is not said again of a model that it answers."""
PREFLIGHTS = threading.BoundedSemaphore(2)
"""So many may wait for models at once in a process: each of them keeps a turn of its pages from everybody else."""
OTHERS_WAIT = "Models are being asked for other debates at this moment. Try again soon."
REFUSALS = re.compile(
    r"(?:(?:i'm |i am )?sorry[,.;]? )?(?:but )?"
    r"i(?:'m| am)? ?(?:can't|cannot|can not|won't|will not|unable to|not able to) "
    r"(?:help|assist|answer|comply|continue|respond|do (?:that|this)|provide|fulfil|discuss|engage)\b"
)
"""How a model begins that refuses in plain words, with no JSON after them."""
LONGEST_REFUSAL = 400
"""Characters of such an answer; who says more says something else, if not in the shape that was asked for."""
ADVICE = {
    400: "It refuses the question, whatever the shape of the answer: check the model's name.",
    401: "Check MOOT_LLM_API_KEY, or the variable that key_variable names.",
    402: "Its account is out of credit.",
    403: "The key may not use this model; ask whoever runs the endpoint.",
    404: "Check the base URL (it usually ends in /v1) and the model's name.",
    429: "The endpoint is busy or the account is out of credit; try again later, or lower the concurrency.",
}
BY_STATUS = "Check that the endpoint runs as it should, and that its address is right."
NOT_THERE = "Check that the endpoint runs, and that its address is right."
TOO_SLOW = "Give it more time by MOOT_LLM_DEADLINE, or ask a faster model."
ANOTHER_API = "Check the base URL: it usually ends in /v1, and what is there must speak the chat API."
PARAMETERS: Mapping[str, re.Pattern[str]] = {
    "temperature": re.compile(r"\btemperature\b"),
    "max_tokens": re.compile(r"\bmax_(completion_|output_)?tokens\b"),
}
"""What a refusal says where it is about a parameter."""
UNSUPPORTED = re.compile(
    r"unsupported|not supported?\b|unrecogni[sz]ed|unknown|unexpected|\bextra|not (?:permitted|allowed)|deprecated"
)
"""What a refusal says where no value of a parameter is of use; else another value may be."""
LENGTHS = ("max_tokens", "max_completion_tokens")
"""The names of the longest answer. OpenAI refuses the first for models that reason; OpenRouter and Ollama take no
notice of the second."""

refused_parameters: dict[tuple[str, str], frozenset[str]] = {}
"""What models do not want to be sent, by address and model, as far as this process has found out."""


class Unread(httpx2.TransportError):
    """A response has more bytes than anybody wants to read, or may have them once it is unpacked."""


class Refused(ProviderError):
    """The endpoint answered with a status that is no answer.

    Shape: ``parameter`` is that which it refuses to be sent, if it is about one; ``for_good``, whatever its value.
    """

    def __init__(
        self, message: str, *, status: int, retry_after: float | None, parameter: str = "", for_good: bool = False
    ) -> None:
        usual = BY_STATUS if status >= SERVER_ERRORS else ADVICE[BAD_REQUEST if status >= BAD_REQUEST else NOT_FOUND]
        advice = ADVICE.get(status, usual)
        super().__init__(message, permanent=status not in AGAIN, retry_after=retry_after, advice=advice)
        self.status = status
        self.parameter = parameter
        self.for_good = for_good


class Openai:
    """Asks a model. Which endpoint and which model, settings and the request's own model say."""

    name = "openai"
    advice = "Where that happens often, ask another model; manage.py doctor tries each."

    def __init__(self) -> None:
        self._rooms = Rooms()
        self._note_after: dict[tuple[str, str, str], float] = {}
        self._probes: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str, asyncio.Task[Trial]]] = WeakKeyDictionary()

    def room(self, request: Request) -> asyncio.Semaphore:
        """Return the room of the endpoint that is asked."""
        endpoint, _ = endpoint_of(purpose=request.purpose, model=request.model)
        return self._rooms.room(endpoint.name, places=endpoint.concurrency)

    def source(self, request: Request) -> Sequence[str]:
        """Return the address and the model, whether the request or the settings name it."""
        endpoint, model = endpoint_of(purpose=request.purpose, model=request.model)
        usual = endpoint.temperature == endpoint.max_tokens == endpoints.AUTO
        return [endpoint.base_url, model, *([] if usual else [str(endpoint.temperature), str(endpoint.max_tokens)])]

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
        spent = (0, 0)
        try:
            mode, spent = await self._mode(endpoint, model)
            said = await ask(
                endpoint=endpoint,
                model=model,
                mode=mode,
                messages=with_note(request.messages, note=request.again),
                schema=request.schema or schemas.of(request.purpose),
                temperature=request.temperature,
                max_tokens=request.max_output_tokens,
                longer=request.longer,
            )
        except ProviderError as error:
            tokens_in, tokens_out = error.tokens_in + spent[0], error.tokens_out + spent[1]
            cost = endpoint.cost(model, tokens_in=tokens_in, tokens_out=tokens_out)
            raise error.after(tokens_in=tokens_in, tokens_out=tokens_out, cost=cost) from None
        if said.ending is Ending.WHOLE and "{" in said.text:
            self._note_answer(endpoint, model)
        tokens_in, tokens_out = said.tokens_in + spent[0], said.tokens_out + spent[1]
        cost = endpoint.cost(model, tokens_in=tokens_in, tokens_out=tokens_out)
        return replace(said, tokens_in=tokens_in, tokens_out=tokens_out, cost=cost)

    def _note_answer(self, endpoint: Endpoint, model: str) -> None:
        """Say of a model that plays that it answers, now and then: nobody else then waits for it to be asked.

        A thread says it for which nobody waits: what came is not held, or lost, while the database is away.
        """
        place, now = (endpoint.base_url, model, endpoint.key), time.monotonic()
        if now < self._note_after.get(place, now):
            return
        self._note_after[place] = math.inf  # while it is being said

        def say() -> None:
            try:
                endpoints.keep_answer(endpoint, model)
            finally:
                self._note_after[place] = time.monotonic() + NOTED

        asyncio.get_running_loop().run_in_executor(None, copy_context().run, say)

    def preflight(self, questions: Collection[tuple[Purpose, str]]) -> Sequence[str]:
        """Ask each model one short question, at once, unless it has answered it lately; none while others wait."""
        models: dict[tuple[str, str], Endpoint] = {}
        problems: list[str] = []
        for purpose, model in questions:
            try:
                endpoint, name = endpoint_of(purpose=purpose, model=model)
            except ProviderError as error:
                problems.append(str(error))
            else:
                models[endpoint.name, name] = endpoint

        async def ask_all() -> list[str]:
            unheard = [
                (endpoint, name)
                for (_, name), endpoint in models.items()
                if not await endpoints.answered_lately(endpoint, name)
            ]
            if not unheard:
                return []
            if not PREFLIGHTS.acquire(blocking=False):
                return [OTHERS_WAIT]
            try:
                return await asyncio.gather(*(self._in_the_way(endpoint, name) for endpoint, name in unheard))
            finally:
                PREFLIGHTS.release()

        return [*dict.fromkeys(problems), *filter(None, asyncio.run(ask_all()) if models else ())]

    async def _in_the_way(self, endpoint: Endpoint, model: str) -> str:
        hurried = replace(endpoint, deadline=min(endpoint.deadline, PREFLIGHT_SECONDS))
        try:
            async with asyncio.timeout(PREFLIGHT_SECONDS):
                trial = await find_out(endpoint=hurried, model=model)
        except ProviderError as error:
            problem = f"{error} {error.advice}"
        except TimeoutError:
            problem = f"{too_slow(PREFLIGHT_SECONDS)} {TOO_SLOW}"
        else:
            problem = trial.problem
        return f"{model} at {endpoint.name} is not ready. {problem}" if problem else ""

    async def _mode(self, endpoint: Endpoint, model: str) -> tuple[Mode, tuple[int, int]]:
        """Return how this endpoint gives structured answers, and the tokens that finding out has just cost.

        Raises: ``ProviderError``, with those tokens.
        """
        if endpoint.mode is not None:
            return endpoint.mode, (0, 0)
        pending = self._probes.setdefault(asyncio.get_running_loop(), {})
        place = f"{endpoint.base_url}|{model}"
        first = place not in pending
        if first:
            pending[place] = asyncio.create_task(known_or_found_out(endpoint=endpoint, model=model))
            pending[place].add_done_callback(lambda task: forget_task(pending, place, task))
        try:
            tried = await asyncio.shield(pending[place])
        except ProviderError as error:
            raise error if first else error.after(tokens_in=0, tokens_out=0) from None
        return tried.mode, (tried.tokens_in, tried.tokens_out) if first else (0, 0)


def forget_task(pending: dict[str, asyncio.Task[Trial]], place: str, task: asyncio.Task[Trial]) -> None:
    """Let the next who asks find out anew, and look at a failure that nobody may wait for any more."""
    del pending[place]
    if not task.cancelled():
        task.exception()


async def known_or_found_out(*, endpoint: Endpoint, model: str) -> Trial:
    """Return how a model is known to answer, at no cost, or find it out."""
    known = await endpoints.known(endpoint.base_url, model)
    return await find_out(endpoint=endpoint, model=model) if known is None else Trial(known, 0, 0, "")


async def find_out(*, endpoint: Endpoint, model: str) -> Trial:
    """Find out anew how a model answers, unless the settings say how, and keep it for every process: for a while and
    only where nothing was known, if it gave no answer that could be read, or nobody was there for a stricter way.
    """
    trial = await probe(endpoint=endpoint, model=model)
    if endpoint.mode is None:
        await endpoints.remember(endpoint.base_url, model, trial.mode, for_good=trial.for_good)
    if trial.answered:
        await endpoints.remember_answer(endpoint, model)
    return trial


async def probe(*, endpoint: Endpoint, model: str) -> Trial:
    """Try the ways of structured answers from the strictest on, or the one that the settings name.

    Shape: the first that works. Of the last one, any words are taken. An answer that is cut off is asked for again with
    more room, as in play, but once: the other ways have that room, too.
    Raises: ``ProviderError`` where the endpoint cannot be asked at all, or answers in no way.
    """
    tokens_in = tokens_out = 0
    longer = 1
    absent = False
    modes = [endpoint.mode] if endpoint.mode else list(Mode)
    while True:
        mode, *others = modes
        try:
            said = await ask(endpoint=endpoint, model=model, mode=mode, longer=longer, **endpoints.TRIAL)
        except ProviderError as error:
            knows = not isinstance(error, Refused) or not error.permanent or error.status in KEY
            if knows or not others:
                raise error.after(tokens_in=tokens_in, tokens_out=tokens_out) from None
            modes = others  # it does not know this way
            absent = absent or (isinstance(error, Refused) and error.status == NOT_FOUND)
            continue
        tokens_in, tokens_out = tokens_in + said.tokens_in, tokens_out + said.tokens_out
        trial = Trial(mode, tokens_in, tokens_out, said.text, said.ending, absent=absent)
        if endpoints.is_answer(said.text) or (trial.answered and not others):
            return trial
        if said.ending is Ending.CUT_OFF and longer == 1 and said.parameters["max_output_tokens"] is not None:
            longer = MORE_ROOM
        elif others:
            modes = others
        else:
            return trial


async def ask(
    *,
    endpoint: Endpoint,
    model: str,
    mode: Mode,
    messages: Sequence[Message],
    schema: Mapping[str, Any],
    temperature: Decimal,
    max_tokens: int,
    longer: int = 1,
) -> Completion:
    """Ask with the parameters that the settings want, but for those that the model refuses to be sent.

    What was left out is left out from then on if that brought an answer: else the refusal was about another thing, and
    only spoke of all that had been sent. Where only the value was refused, it is left out this time.
    """
    parameters = endpoint.parameters(temperature=temperature, max_tokens=max_tokens, longer=longer)
    place = (endpoint.base_url, model)
    left_out: frozenset[str] = frozenset()
    this_time: frozenset[str] = frozenset()
    while True:
        refused = refused_parameters.get(place, frozenset()) | left_out | this_time
        sent = as_sent(parameters, refused=refused, address=endpoint.base_url)
        try:
            said = await ask_once(
                endpoint=endpoint, model=model, mode=mode, messages=messages, schema=schema, parameters=sent
            )
        except Refused as error:
            names = frozenset(LENGTHS if error.parameter in LENGTHS else [error.parameter])
            if names.isdisjoint(sent):
                raise
            if error.for_good:
                left_out |= names & sent.keys()
            else:
                this_time |= names
        else:
            if left_out:
                refused_parameters[place] = refused_parameters.get(place, frozenset()) | left_out
            return said


def as_sent(
    parameters: Mapping[str, Decimal | int], *, refused: Collection[str], address: str
) -> dict[str, Decimal | int]:
    """Return parameters by the names by which they are sent; a longest answer by the first that is not refused."""
    own = (urlsplit(address).hostname or "").endswith("api.openai.com")
    length = next((name for name in (reversed(LENGTHS) if own else LENGTHS) if name not in refused), "")
    names = {"temperature": "" if "temperature" in refused else "temperature", "max_tokens": length}
    return {names[name]: value for name, value in parameters.items() if names[name]}


async def ask_once(
    *,
    endpoint: Endpoint,
    model: str,
    mode: Mode,
    messages: Sequence[Message],
    schema: Mapping[str, Any],
    parameters: Mapping[str, Decimal | int],
) -> Completion:
    """Make one HTTP request and return what was said, within the endpoint's deadline; what it cost is not known."""
    seconds = endpoint.deadline
    settings = OpenAIChatModelSettings(timeout=seconds)
    if "temperature" in parameters:
        settings["temperature"] = float(parameters["temperature"])
    if (length := length_of(parameters)) is not None:
        settings["max_tokens"] = int(length)
    profile = OpenAIModelProfile(
        openai_chat_supports_max_completion_tokens="max_completion_tokens" in parameters,
        openai_supports_reasoning=False,  # else it drops a temperature that we keep as sent, by the model's name
    )
    async with connected(endpoint, seconds=seconds) as client:
        try:
            asked = model_request(
                Counting(model, provider=OpenAIProvider(openai_client=client), profile=profile),
                conversation(messages),
                model_settings=settings,
                model_request_parameters=shape_of(mode, schema),
                instrument=False,
            )
            response = await asyncio.wait_for(asked, timeout=seconds)
        except Exception as error:  # noqa: BLE001 -- whatever a client library raises is translated
            # Without its cause: that one holds what the endpoint said, keys and all, and would be in a traceback.
            raise translated(error, seconds=seconds) from None
    said = said_of(response, model, parameters)
    asked_in = sum(len(message.text) for message in messages)
    return replace(
        said, tokens_in=said.tokens_in or tokens_of(asked_in), tokens_out=said.tokens_out or tokens_of(len(said.text))
    )


class Counting(OpenAIChatModel):
    """A model whose answers are good without a whole count of tokens.

    What is missing follows from the total, or is 0 here and counted by characters later. What the total has beyond the
    two was thought, and is paid for like what was said.
    """

    def _validate_completion(self, response: ChatCompletion) -> Any:
        usage: Any = response.usage
        if usage:
            asked, said, total = usage.prompt_tokens, usage.completion_tokens, usage.total_tokens
            usage.prompt_tokens = counted(asked, other=said, total=total)
            usage.completion_tokens = counted(said, other=asked, total=total)
            if all(isinstance(count, int) for count in (asked, said, total)):
                usage.completion_tokens = max(said, total - asked)
            usage.total_tokens = usage.prompt_tokens + usage.completion_tokens
        return super()._validate_completion(response)


def counted(count: int | None, *, other: int | None, total: int | None) -> int:
    """Return a count of tokens, or what the total leaves for it; 0 where neither is said."""
    if count is not None:
        return count
    return 0 if other is None or total is None else max(0, total - other)


def tokens_of(characters: int) -> int:
    """Return about how many tokens so many characters are, where the endpoint does not say it."""
    return math.ceil(characters / A_TOKEN)


@asynccontextmanager
async def connected(endpoint: Endpoint, *, seconds: float) -> AsyncIterator[AsyncOpenAI]:
    """Open a client of an endpoint that asks once and reads no endless answer.

    It takes nothing from the environment: no proxy, and no headers that are meant for another service.
    """
    async with httpx2.AsyncClient(transport=Bounded(), timeout=httpx2.Timeout(seconds), trust_env=False) as http:
        client = AsyncOpenAI(
            base_url=endpoint.base_url, api_key=endpoint.key or "none", max_retries=0, timeout=seconds, http_client=http
        )
        client.organization = client.project = None  # OPENAI_ORG_ID and OPENAI_PROJECT_ID
        client._custom_headers = {}  # noqa: SLF001 -- no argument leaves OPENAI_CUSTOM_HEADERS out
        yield client


def with_note(messages: Sequence[Message], *, note: str) -> Sequence[Message]:
    """Return a question with a note at its end: what comes before stays as it was, for whoever keeps what they read."""
    if not note:
        return messages
    *before, last = messages
    return [*before, Message(last.role, f"{last.text}\n\n{note}")]


def as_kept(sent: Mapping[str, Decimal | int]) -> dict[str, Any]:
    """Return the parameters that were sent as a call keeps them; nothing for what was left out."""
    temperature = sent.get("temperature")
    return {"temperature": None if temperature is None else str(temperature), "max_output_tokens": length_of(sent)}


def length_of(sent: Mapping[str, Decimal | int]) -> Decimal | int | None:
    return next((sent[name] for name in LENGTHS if name in sent), None)


def conversation(messages: Sequence[Message]) -> list[ModelMessage]:
    parts = [
        SystemPromptPart(message.text) if message.role == "system" else UserPromptPart(message.text)
        for message in messages
    ]
    return [ModelRequest(parts=parts)]


def shape_of(mode: Mode, schema: Mapping[str, Any]) -> ModelRequestParameters:
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


def said_of(response: ModelResponse, model: str, parameters: Mapping[str, Decimal | int]) -> Completion:
    """Return the words of a response: what its tool was called with, each time, else its text, a refusal included."""
    calls = [as_text(part.args) for part in response.parts if isinstance(part, ToolCallPart)]
    texts = [part.content for part in response.parts if isinstance(part, TextPart)]
    text = "\n".join(calls) if calls else "".join(texts)
    refused = (response.provider_details or {}).get("refusal")
    return Completion(
        text=kept_secret(text or (str(refused) if refused else "")),
        model=kept_secret(response.model_name or model),
        tokens_in=max(0, response.usage.input_tokens),
        tokens_out=max(0, response.usage.output_tokens),
        ending=Ending.REFUSED
        if refused
        else ENDINGS.get(response.finish_reason or "", Ending.REFUSED if is_refusal(text) else Ending.WHOLE),
        parameters=as_kept(parameters),
    )


def as_text(arguments: str | Mapping[str, Any] | None) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)


def is_refusal(text: str) -> bool:
    """Tell whether a model says in plain words that it does not answer; an answer would be JSON."""
    if "{" in text or len(text) > LONGEST_REFUSAL:
        return False
    return REFUSALS.match(text.strip().lower().replace("\u2019", "'")) is not None


ENDINGS: Mapping[str, Ending] = {"length": Ending.CUT_OFF, "content_filter": Ending.FILTERED}


def translated(error: Exception, *, seconds: float) -> ProviderError:
    """Return an error of the client library as ours: what happened, and whether asking again is of use."""
    for cause in causes(error):
        if isinstance(cause, Unread):
            return ProviderError(str(cause), permanent=False, advice=ANOTHER_API)
        # A redirect is an error of the client alone: the library above it takes none below 400 for one of HTTP.
        if isinstance(cause, exceptions.ModelHTTPError | APIStatusError):
            said = kept_secret(json.dumps(cause.body, default=str)) if cause.body else "no details"
            return Refused(
                f"The endpoint answered {cause.status_code}: {said[:300]}.",
                status=cause.status_code,
                retry_after=getattr(cause, "retry_after", None),
                parameter=parameter_of(said, body=cause.body) if cause.status_code in BAD_REQUESTS else "",
                for_good=UNSUPPORTED.search(said.lower()) is not None,
            )
    if any(
        isinstance(error, TimeoutError | exceptions.ModelTimeoutError | httpx2.TimeoutException)
        for error in causes(error)
    ):
        return ProviderError(too_slow(seconds), permanent=False, advice=TOO_SLOW)
    if isinstance(error, exceptions.ModelConnectionError | httpx2.TransportError):
        return ProviderError(
            f"The endpoint could not be reached, or broke off: {type(error).__name__}.",
            permanent=False,
            advice=NOT_THERE,
        )
    if isinstance(error, exceptions.UserError):
        return ProviderError(
            f"The client refuses to ask: {kept_secret(str(error))[:300]}.", permanent=True, advice=ANOTHER_API
        )
    return ProviderError(
        f"The endpoint's answer is not of the chat API: {kept_secret(str(error))[:300]}.",
        permanent=False,
        advice=ANOTHER_API,
    )


def too_slow(seconds: float) -> str:
    return f"The endpoint gave no answer within {seconds:g} seconds."


def parameter_of(said: str, *, body: object) -> str:
    """Return which parameter a refusal is about, by its ``param`` or else by its words; nothing where it is about
    another thing, as too long a question.
    """
    if "context" in said:
        return ""
    named = body.get("param") if isinstance(body, Mapping) else None
    return next((name for name, pattern in PARAMETERS.items() if pattern.search(str(named or said))), "")


def causes(error: BaseException | None) -> list[BaseException]:
    errors: list[BaseException] = []
    while error is not None and error not in errors:
        errors.append(error)
        error = error.__cause__ or error.__context__
    return errors


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
