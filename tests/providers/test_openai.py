"""The provider for models: one attempt, a typed outcome for everything an endpoint can do, and every token counted."""

import asyncio
import base64
import json
import logging
import threading
import traceback
from dataclasses import replace
from decimal import Decimal
from urllib.parse import unquote

import pytest
from django.core.cache import cache
from django.core.cache.backends.db import DatabaseCache
from django.core.cache.backends.locmem import LocMemCache
from django.db import OperationalError
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart

from judging.engine import attempt
from judging.errors import AnswerRejected, ProviderError
from judging.formats.parsing import answer_of
from judging.formats.state import Voice
from judging.providers import endpoints as providers_endpoints
from judging.providers import openai, provider
from judging.providers.endpoints import Mode, endpoints, without_keys
from judging.rules import schemas
from judging.types import Completion, Ending, Material, Message, Permit, Prompt, Purpose, Request
from tests.providers.conftest import row
from tests.providers.endpoint import ANSWER, running


@pytest.fixture(autouse=True)
def kept_in_memory(request, settings, monkeypatch):
    """Keep what is found out about models without the database, but for the tests that are about that."""
    monkeypatch.setattr(provider("openai"), "_note_after", {})
    if "forgotten" not in request.fixturenames:
        settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
        cache.clear()


def request(model="", *, words="What do you say?", purpose=Purpose.RESPOND):
    return Request(
        purpose=purpose,
        prompt=Prompt("respond", 1, "d" * 64),
        messages=[Message("system", "You are at a table."), Message("user", words)],
        schema={},
        material=Material("", ""),
        model=model,
    )


def ask(model="", **about):
    return asyncio.run(provider("openai").complete(request(model, **about)))


def refused(model="", **about):
    with pytest.raises(ProviderError) as caught:
        ask(model, **about)
    return caught.value


def test_an_answer_comes_with_its_model_tokens_and_cost(endpoint):
    said = ask("good")

    assert json.loads(said.text) == ANSWER
    assert said == Completion(
        text=said.text,
        model="good-0001",
        tokens_in=100,
        tokens_out=20,
        cost=Decimal("0.000400"),
        parameters={"temperature": "0.2", "max_output_tokens": 1200},
    )


def test_what_is_sent_is_the_prompt_the_temperature_and_the_shape(endpoint):
    ask("good")

    [body] = endpoint.asked
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    assert body["temperature"] == 0.2
    assert body["max_tokens"] == 1200
    assert body["tools"][0]["function"]["parameters"]["required"] == ["text", "quotes"]


def test_a_model_without_a_price_costs_nothing_that_is_known(endpoint):
    assert ask("able").cost == Decimal(0)


@pytest.mark.parametrize("model", ["no-usage", "null-usage"])
def test_where_an_endpoint_counts_no_tokens_four_characters_are_one(endpoint, settings, model):
    settings.LLM_ENDPOINTS = {"main": row(endpoint.url, prices={model: (Decimal(2), Decimal(10))})}

    said = ask(model, words="What do you say, then?")

    assert (said.tokens_in, said.tokens_out) == (11, 12)  # 41 characters of the question, 45 of the answer
    assert said.cost == Decimal("0.000142")


@pytest.mark.parametrize(
    ("model", "tokens"),
    [
        pytest.param("missing-total", (100, 20), id="the total is missing"),
        pytest.param("missing-out", (100, 20), id="one is missing that the total tells"),
        pytest.param("only-in", (100, 12), id="those of the answer are missing"),
        pytest.param("only-out", (11, 20), id="those of the question are missing"),
    ],
)
def test_only_the_tokens_that_an_endpoint_does_not_count_are_counted_by_characters(endpoint, model, tokens):
    said = ask(model, words="What do you say, then?")

    assert (said.tokens_in, said.tokens_out) == tokens


@pytest.mark.parametrize(
    ("model", "tokens_out", "cost"),
    [
        pytest.param("thinking-in-total", 5020, "0.050400", id="what was thought is in the total alone"),
        pytest.param("less-in-total", 20, "0.000400", id="the total is less than its parts"),
    ],
)
def test_what_the_total_has_beyond_its_parts_is_paid_for_like_what_was_said(
    endpoint, settings, model, tokens_out, cost
):
    settings.LLM_ENDPOINTS = {"main": row(endpoint.url, prices={model: (Decimal(2), Decimal(10))})}

    said = ask(model)

    assert (said.tokens_in, said.tokens_out, said.cost) == (100, tokens_out, Decimal(cost))


def test_a_purpose_may_have_a_model_of_its_own(endpoint, settings):
    settings.LLM_ENDPOINTS = {"main": row(endpoint.url, models={"evaluate": "told"})}

    ask(purpose=Purpose.RESPOND)
    ask(purpose=Purpose.EVALUATE, words="@@{}@@")

    assert [body["model"] for body in endpoint.asked] == ["good", "told"]


def test_a_model_may_name_its_endpoint(endpoint, settings):
    settings.LLM_ENDPOINTS = {"main": row("http://127.0.0.1:1/v1"), "local": row(endpoint.url)}

    said = ask("good@local")

    assert said.model == "good-0001"


@pytest.mark.parametrize(
    ("model", "told"),
    [
        pytest.param("good@moon", "No endpoint 'moon' is set; there is main.", id="an unknown endpoint"),
        pytest.param("", "No model is set for the endpoint 'main'.", id="no model"),
    ],
)
def test_what_is_not_set_is_said_and_not_asked_again(endpoint, settings, model, told):
    settings.LLM_ENDPOINTS = {"main": row(endpoint.url, model="")}

    error = refused(model)

    assert str(error).startswith(told)
    assert error.permanent is True
    assert endpoint.asked == []


@pytest.mark.parametrize(("model", "asked"), [("good", 1), ("half", 2)])
def test_a_model_that_answers_as_it_plays_is_not_asked_whether_it_answers(endpoint, model, asked):
    ask(model)

    provider("openai").preflight([(Purpose.RESPOND, model)])

    assert min(endpoint.counted[model], 2) == asked


def test_an_answer_waits_for_no_note_of_it(endpoint, monkeypatch):
    back, notes = threading.Event(), []

    def noted(*arguments):
        notes.append(arguments)
        back.wait(20)

    monkeypatch.setattr(LocMemCache, "set", noted)

    async def twice():
        try:
            return [await asyncio.wait_for(provider("openai").complete(request()), 5) for _ in range(2)]
        finally:
            back.set()

    assert [said.tokens_in for said in asyncio.run(twice())] == [100, 100]
    assert len(notes) == 1


# -- what endpoints do -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "told", "permanent", "retry_after"),
    [
        pytest.param("limited", "The endpoint answered 429: ", False, 7.0, id="too many requests: when to ask again"),
        pytest.param("broken", "The endpoint answered 500: ", False, None, id="an error inside"),
        pytest.param("wrong-key", "The endpoint answered 401: ", True, None, id="a wrong key is not tried again"),
        pytest.param("cut", "The endpoint could not be reached, or broke off: ", False, None, id="a cut connection"),
        pytest.param("long", "The endpoint's answer has more than 2000000 bytes;", False, None, id="10 MB"),
        pytest.param("packed", "The endpoint packed its answer (gzip), though", False, None, id="20 MB, packed small"),
        pytest.param("no-chat", "The endpoint's answer is not of the chat API: ", False, None, id="another API"),
        pytest.param("html", "The endpoint's answer is not of the chat API: ", False, None, id="a page"),
    ],
)
def test_no_answer_is_an_error_that_says_whether_to_ask_again(endpoint, model, told, permanent, retry_after):
    error = refused(model)

    assert str(error).startswith(told)
    assert (error.permanent, error.retry_after) == (permanent, retry_after)
    assert endpoint.counted[model] == 1


@pytest.mark.parametrize(
    ("status", "permanent"),
    [
        *[(status, True) for status in (400, 403, 404, 422)],
        *[(status, False) for status in (408, 409, 425, 501, 502, 503, 520, 529, 599)],
    ],
)
def test_a_status_says_whether_to_ask_again(endpoint, status, permanent):
    error = refused(f"status-{status}")

    assert str(error).startswith(f"The endpoint answered {status}: ")
    assert error.permanent is permanent


def test_a_redirect_is_not_followed_and_not_asked_again(endpoint):
    error = refused("status-307")

    assert str(error).startswith("The endpoint answered 307: ")
    assert (error.permanent, error.advice) == (True, openai.ADVICE[404])
    assert endpoint.counted["status-307"] == 1


def test_a_slow_endpoint_is_left_at_the_deadline(endpoint, settings):
    settings.LLM_ENDPOINTS = {"main": row(endpoint.url, deadline=1.0)}

    error = refused("slow")

    assert str(error) == "The endpoint gave no answer within 1 seconds."
    assert error.permanent is False


def test_nothing_cuts_a_call_short_before_the_deadline_of_its_endpoint(endpoint, settings, monkeypatch):
    settings.LLM_ENDPOINTS = {"main": row(endpoint.url, deadline=600.0)}
    voice = Voice(id=1, role="chair", name="Mira", provider="openai", model="good")
    limits, usual = [], asyncio.wait_for

    def noted(work, timeout):
        limits.append(timeout)
        return usual(work, timeout)

    monkeypatch.setattr(asyncio, "wait_for", noted)
    question = attempt.Question(request("good"), voice, read=json.loads, permit=lambda: Permit.ASK)
    answered, answer, _ = asyncio.run(attempt.call(question))

    assert (answered.outcome, answer) == ("used", ANSWER)
    assert limits == [8_400.0, 600.0]  # of the answer, with all that may have to be asked for it, and of one question


def test_nobody_listening_is_worth_another_attempt(endpoint, settings):
    settings.LLM_ENDPOINTS = {"main": row("http://127.0.0.1:1/v1")}

    error = refused("good")

    assert str(error).startswith("The endpoint could not be reached")
    assert error.permanent is False


@pytest.mark.parametrize(
    ("model", "text"),
    [
        pytest.param("half", '{"text": "Here is what', id="half an answer"),
        pytest.param("refusing", "I cannot help with that.", id="a refusal"),
        pytest.param("empty", "", id="nothing"),
        pytest.param("filtered", "", id="a filter"),
    ],
)
def test_what_is_no_answer_is_passed_on_with_its_cost(endpoint, model, text):
    said = ask(model)

    assert said.text == text
    assert (said.tokens_in, said.tokens_out) == (100, 20)


@pytest.mark.parametrize(
    ("model", "ending"),
    [("half", Ending.CUT_OFF), ("refusing", Ending.REFUSED), ("filtered", Ending.FILTERED), ("empty", Ending.WHOLE)],
)
def test_how_an_answer_ended_is_said(endpoint, model, ending):
    assert ask(model).ending is ending


@pytest.mark.parametrize(
    ("words", "finish", "ending"),
    [
        ("I'm sorry, but I can't help with that.", "content_filter", Ending.FILTERED),
        ("I can't answer that without", "length", Ending.CUT_OFF),
        ("I can't answer that.", "stop", Ending.REFUSED),
    ],
)
def test_what_an_endpoint_says_of_how_an_answer_ended_counts_before_its_words(words, finish, ending):
    response = ModelResponse(parts=[TextPart(words)], finish_reason=finish)

    assert openai.said_of(response, "a", {}).ending is ending


# -- parameters ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "sent", "kept"),
    [
        pytest.param("only-warm", [{"temperature", "max_tokens"}, {"max_tokens"}], (None, 1200), id="a temperature"),
        pytest.param(
            "gpt-5-mini", [{"temperature", "max_tokens"}, {"max_tokens"}], (None, 1200), id="by its name, too"
        ),
        pytest.param(
            "modern",
            [{"temperature", "max_tokens"}, {"temperature", "max_completion_tokens"}],
            ("0.2", 1200),
            id="one name of a longest answer",
        ),
        pytest.param(
            "unmeasured",
            [{"temperature", "max_tokens"}, {"temperature", "max_completion_tokens"}, {"temperature"}],
            ("0.2", None),
            id="a longest answer by any name",
        ),
    ],
)
def test_a_model_that_refuses_a_parameter_is_asked_without_it_from_then_on(endpoint, monkeypatch, model, sent, kept):
    monkeypatch.setattr(openai, "refused_parameters", {})

    said = [ask(model), ask(model)]

    names = {"temperature", *openai.LENGTHS}
    assert [names & set(body) for body in endpoint.asked] == [*sent, sent[-1]]
    assert [json.loads(one.text) for one in said] == [ANSWER, ANSWER]
    assert said[1].parameters == dict(zip(("temperature", "max_output_tokens"), kept, strict=True))


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("https://api.openai.com/v1", "max_completion_tokens"),
        ("https://eu.api.openai.com/v1", "max_completion_tokens"),
        ("https://openrouter.ai/api/v1", "max_tokens"),
        ("http://localhost:11434/v1", "max_tokens"),
    ],
)
def test_the_longest_answer_is_sent_by_the_name_that_an_address_takes(address, name):
    assert openai.as_sent({"max_tokens": 5}, refused=(), address=address) == {name: 5}


def test_a_value_that_is_too_large_is_left_out_once_and_the_next_question_has_its_limit(endpoint, monkeypatch):
    monkeypatch.setattr(openai, "refused_parameters", {})

    said = [asyncio.run(provider("openai").complete(replace(request("brief"), longer=longer))) for longer in (2, 1)]

    assert [one.parameters["max_output_tokens"] for one in said] == [None, 1200]
    assert [body.get("max_tokens") for body in endpoint.asked] == [2400, None, 1200]


def test_a_question_that_is_too_long_says_nothing_about_a_parameter(endpoint, monkeypatch):
    monkeypatch.setattr(openai, "refused_parameters", {})

    refused("full")

    assert endpoint.counted["full"] == 1


@pytest.mark.parametrize(
    ("changes", "sent"),
    [
        pytest.param({}, {"temperature": 0.2, "max_tokens": 1200}, id="what the question says"),
        pytest.param({"temperature": "none", "max_tokens": "none"}, {}, id="nothing"),
        pytest.param(
            {"temperature": Decimal("1"), "max_tokens": Decimal(9000)},
            {"temperature": 1.0, "max_tokens": 9000},
            id="what the settings say",
        ),
    ],
)
def test_temperature_and_length_are_settings_and_can_be_left_out(endpoint, settings, changes, sent):
    settings.LLM_ENDPOINTS = {"main": row(endpoint.url, **changes)}

    ask("good")

    [body] = endpoint.asked
    assert {name: body[name] for name in ("temperature", *openai.LENGTHS) if name in body} == sent


def test_after_a_cut_off_a_question_has_the_room_and_the_note_that_it_is_given(endpoint):
    asked = replace(request("verbose"), again="It was cut off.", longer=2)

    said = asyncio.run(provider("openai").complete(asked))

    [body] = endpoint.asked
    assert (said.ending, body["max_tokens"]) == (Ending.WHOLE, 2400)
    assert body["messages"][-1]["content"] == "What do you say?\n\nIt was cut off."


# -- structured answers ----------------------------------------------------------------------------------------------


@pytest.fixture
def forgotten(endpoint, settings, transactional_db):
    """An endpoint whose way of structured answers is not known yet."""
    cache.clear()
    settings.LLM_ENDPOINTS = {"main": row(endpoint.url, mode="")}
    return endpoint


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("model", "mode"),
    [
        pytest.param("exact", Mode.TOOL, id="by tool"),
        pytest.param("deaf-to-tools", Mode.SCHEMA, id="by schema, where tools are ignored"),
        pytest.param("routed", Mode.SCHEMA, id="by schema, where nobody is found who takes tools"),
        pytest.param("prose-only", Mode.PROMPT, id="by prompt, where nothing else is known"),
    ],
)
def test_the_way_of_structured_answers_is_found_once_and_kept(forgotten, model, mode):
    said = [ask(model) for _ in range(2)]

    assert asyncio.run(providers_endpoints.known(forgotten.url, model)) is mode
    assert [one.tokens_in for one in said] == [300 if model == "deaf-to-tools" else 200, 100]
    assert forgotten.counted[model] == {Mode.TOOL: 3, Mode.SCHEMA: 4, Mode.PROMPT: 5}[mode]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("model", "tries"),
    [
        pytest.param("echoing", 3, id="that repeats all parameters"),
        pytest.param("precise", 1, id="that names what it is about"),
    ],
)
def test_a_refusal_of_a_way_costs_no_parameter(forgotten, monkeypatch, model, tries):
    monkeypatch.setattr(openai, "refused_parameters", {})

    ask(model)

    by_schema = [body for body in forgotten.asked if "response_format" in body]
    assert len(forgotten.asked) - len(by_schema) == tries
    assert [(body["temperature"], body["max_tokens"]) for body in by_schema] == [(0.2, 600), (0.2, 1200)]
    assert openai.refused_parameters == {}


@pytest.mark.django_db(transaction=True)
def test_a_way_is_not_given_up_for_an_answer_that_was_cut_off(forgotten):
    said = ask("thoughtful")

    assert asyncio.run(providers_endpoints.known(forgotten.url, "thoughtful")) is Mode.TOOL
    assert said.tokens_in == 300


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("model", "permanent"), [("broken", False), ("status-520", False), ("status-400", True), ("status-404", True)]
)
def test_a_probe_that_is_answered_in_no_way_settles_nothing(forgotten, model, permanent):
    error = refused(model)

    assert error.permanent is permanent
    assert asyncio.run(providers_endpoints.known(forgotten.url, model)) is None


def broken(*arguments):
    raise OperationalError("the server closed the connection")


@pytest.mark.django_db(transaction=True)
def test_while_the_database_is_away_a_model_is_asked_in_the_way_that_was_last_known(forgotten, monkeypatch):
    monkeypatch.setattr(providers_endpoints, "last_known", {})
    ask("exact")
    ask("exact")
    monkeypatch.setattr(cache, "get", broken, raising=False)

    said = ask("exact")

    assert (said.tokens_in, "tools" in forgotten.asked[-1]) == (100, True)


@pytest.mark.django_db(transaction=True)
def test_a_model_of_which_nothing_is_known_is_asked_again_once_the_database_is_back(forgotten, monkeypatch):
    monkeypatch.setattr(providers_endpoints, "last_known", {})
    monkeypatch.setattr(cache, "get", broken, raising=False)

    error = refused("exact")

    assert (error.permanent, forgotten.asked) == (False, [])


@pytest.mark.django_db(transaction=True)
def test_an_answer_is_not_lost_with_what_could_not_be_kept_of_it(forgotten, monkeypatch):
    monkeypatch.setattr(cache, "set", broken, raising=False)

    assert ask("exact").tokens_in == 200


@pytest.mark.django_db(transaction=True)
def test_a_bad_moment_costs_no_model_the_way_that_it_is_known_to_answer(forgotten):
    main = endpoints()["main"]
    trials = [asyncio.run(openai.find_out(endpoint=main, model="exact-once-then-shy")) for _ in range(2)]

    assert [(trial.mode, trial.answered) for trial in trials] == [(Mode.TOOL, True), (Mode.PROMPT, False)]
    assert asyncio.run(providers_endpoints.known(forgotten.url, "exact-once-then-shy")) is Mode.TOOL


@pytest.mark.django_db(transaction=True)
def test_a_way_that_is_found_where_nobody_is_for_the_stricter_ones_replaces_none_and_is_kept_for_a_while(
    forgotten, monkeypatch
):
    main, kept = endpoints()["main"], []
    add = DatabaseCache.add
    monkeypatch.setattr(DatabaseCache, "add", lambda *arguments: kept.append(arguments[3]) or add(*arguments))
    trials = [asyncio.run(openai.find_out(endpoint=main, model="alone-at-first")) for _ in range(2)]

    assert [(trial.mode, trial.answered) for trial in trials] == [(Mode.TOOL, True), (Mode.PROMPT, True)]
    assert asyncio.run(providers_endpoints.known(forgotten.url, "alone-at-first")) is Mode.TOOL
    assert kept == [providers_endpoints.RECENT]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("model", ["exact-once", "wordy-once"])
def test_a_call_that_fails_is_kept_with_what_finding_out_has_cost(forgotten, settings, model):
    settings.LLM_ENDPOINTS = {"main": row(forgotten.url, mode="", prices={model: (Decimal(2), Decimal(10))})}

    async def both():
        voice = Voice(id=1, role="judge", name="Judge", provider="openai", model=model)
        question = attempt.Question(request(model), voice, read=str, permit=lambda: Permit.ASK)
        return await asyncio.gather(attempt.call(question), attempt.call(question))

    kept = [answered for answered, _, _ in asyncio.run(both())]

    costs = [
        (one.completion.tokens_in, one.completion.tokens_out, one.completion.cost) for one in kept if one.completion
    ]
    assert [one.problem[:26] for one in kept] == ["The endpoint answered 429:"] * 2
    assert costs == [(100, 20, Decimal("0.000400"))]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("model", ["exact", "broken"])
def test_questions_that_come_at_once_find_out_once_how_a_model_answers(forgotten, model):
    async def many():
        questions = (provider("openai").complete(request(model)) for _ in range(16))
        return await asyncio.gather(*questions, return_exceptions=True)

    said = asyncio.run(many())

    tried = [body for body in forgotten.asked if body["messages"][0]["content"] == providers_endpoints.QUESTION]
    assert len(tried) == 1
    if model == "exact":
        assert [str(one) for one in said if isinstance(one, Exception)] == []
        assert sorted(one.tokens_in for one in said) == [100] * 15 + [200]
    else:
        assert {str(one)[:27] for one in said} == {"The endpoint answered 500: "}


@pytest.mark.parametrize(
    ("mode", "key"),
    [
        pytest.param("tool", "tools", id="by tool"),
        pytest.param("schema", "response_format", id="by schema"),
        pytest.param("prompt", None, id="by prompt"),
    ],
)
def test_an_operator_may_say_how(endpoint, settings, mode, key):
    settings.LLM_ENDPOINTS = {"main": row(endpoint.url, mode=mode)}

    said = ask("good")

    assert json.loads(said.text) == ANSWER
    assert {"tools", "response_format"} & set(endpoint.asked[0]) == ({key} if key else set())


def test_an_answer_that_is_given_twice_by_tool_is_refused():
    calls = [ToolCallPart("answer", args) for args in (json.dumps(ANSWER), {**ANSWER, "text": "Or rather so."})]

    said = openai.said_of(ModelResponse(parts=calls), "main/m", {})

    with pytest.raises(AnswerRejected, match="more than one JSON object"):
        answer_of(said.text)


def test_every_purpose_has_a_schema_that_names_every_field():
    for purpose in Purpose:
        schema = schemas.of(purpose)
        assert schema["required"] == list(schema["properties"])
        assert schema["additionalProperties"] is False


# -- many at once, and secrets ---------------------------------------------------------------------------------------


def test_no_more_calls_run_at_once_than_an_endpoint_may_have(settings):
    openai = provider("openai")

    async def one():
        async with openai.room(request("in-pairs")):
            return await openai.complete(request("in-pairs"))

    async def many():
        return await asyncio.gather(*(one() for _ in range(6)))

    with running() as endpoint:
        settings.LLM_ENDPOINTS = {"main": row(endpoint.url, concurrency=2, deadline=30.0)}
        answers = asyncio.run(many())

    assert len(answers) == 6
    assert endpoint.most_at_once == 2


def test_the_key_goes_to_the_endpoint_and_nowhere_else(endpoint, caplog):
    with caplog.at_level(logging.DEBUG):
        said = ask("good")
        error = refused("wrong-key")

    assert endpoint.keys[0] == "Bearer sk-secret-1234"
    shown = " ".join([repr(said), str(error), repr(error), repr(endpoints()["main"]), caplog.text])
    assert "sk-secret-1234" not in shown


def test_headers_that_the_environment_has_for_another_service_go_to_no_endpoint(endpoint, monkeypatch):
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "Authorization: Bearer sk-of-others\nX-Tenant: of-others")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-of-others")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-of-others")

    ask("good")

    assert endpoint.keys == ["Bearer sk-secret-1234"]
    assert [name for name, value in endpoint.headers[0].items() if "of-others" in value] == []
    assert {"openai-organization", "openai-project"} & set(endpoint.headers[0]) == set()


# -- keys that an endpoint says ----------------------------------------------------------------------------------------

KEY = "sk-secret-1234"


def gives_away(text):
    """Tell whether a text holds a key, or enough of it, in any way of writing that a reader would undo."""
    said = unquote(text.encode().decode("unicode_escape"))
    packed = base64.b64encode(f"x:{KEY}".encode()).decode()
    return KEY[:12] in text or KEY in said or packed in text


def test_a_key_that_an_answer_says_is_taken_out_in_every_way_of_writing(endpoint):
    said = ask("telling")

    assert not gives_away(said.text)
    assert json.loads(said.text)["text"].count("[key removed]") == 4
    assert json.loads(said.text)["more"] == "[key removed]"


@pytest.mark.parametrize("model", ["telling-refusal", "telling-part"])
def test_a_key_that_a_refusal_says_is_taken_out_of_its_words_and_of_every_traceback(endpoint, model):
    error = refused(model)

    assert "wrong key" in str(error)
    assert not gives_away("".join(traceback.format_exception(error)))


def test_a_model_is_not_called_by_a_key(endpoint, settings):
    settings.LLM_ENDPOINTS = {"main": row(endpoint.url, mode="prompt")}

    assert ask("telling-model").model == "Bearer [key removed]"


def test_the_key_of_another_endpoint_is_taken_out_as_well(endpoint, settings):
    other = "another-long-key-5678"
    settings.LLM_ENDPOINTS = {"main": row(endpoint.url), "other": row("http://127.0.0.1:1/v1", key=other)}

    said = ask("told", words=f'@@{{"text": "{other}", "quotes": []}}@@')

    assert json.loads(said.text)["text"] == "[key removed]"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("a word, ollama, stays", "a word, ollama, stays"),
        (f"twice {KEY} and {KEY}.", "twice [key removed] and [key removed]."),
        (f"{KEY}{KEY}", "[key removed]"),
        ("&#115;&#x6b;-secret-1234", "[key removed]"),
        ("sk-secret-1 is shorter than a part", "sk-secret-1 is shorter than a part"),
        ("", ""),
    ],
)
def test_what_is_no_key_stays(text, kept):
    assert without_keys(text, keys=[KEY, "ollama", ""]) == kept


@pytest.mark.parametrize("before", ["", "a", "ab", "abc"])
def test_a_key_in_base64_is_found_at_every_place(before):
    text = base64.b64encode(f"{before}{KEY}-{KEY}".encode()).decode()

    assert KEY.encode()[2:-2] not in base64.b64decode(
        without_keys(text, keys=[KEY]).replace("[key removed]", "AAAA") + "=="
    )
