"""Endpoints of models are read from the environment, and nonsense is refused by name."""

import json
from decimal import Decimal

import pytest
from django.core.exceptions import ImproperlyConfigured
from environs import Env

from config import llm

NAMES = (
    "BASE_URL", "API_KEY", "MODEL", "MODELS", "PRICES", "CONCURRENCY", "DEADLINE", "MODE", "TEMPERATURE", "MAX_TOKENS",
    "ENDPOINTS",
)  # fmt: skip


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch):
    for name in NAMES:
        monkeypatch.delenv(f"MOOT_LLM_{name}", raising=False)


def read(monkeypatch, **values):
    for name, value in values.items():
        monkeypatch.setenv(name, value)
    return llm.endpoints(Env())


def test_nothing_set_is_no_endpoint(monkeypatch):
    assert read(monkeypatch) == {}


def test_an_endpoint_has_its_key_models_and_prices(monkeypatch):
    found = read(
        monkeypatch,
        MOOT_LLM_BASE_URL="https://models.example.org/v1",
        MOOT_LLM_API_KEY="sk-1",
        MOOT_LLM_MODEL="large",
        MOOT_LLM_MODELS='{"evaluate": "small"}',
        MOOT_LLM_PRICES='{"large": {"in": "2.50", "out": 10}}',
        MOOT_LLM_MODE="schema",
        MOOT_LLM_TEMPERATURE="none",
        MOOT_LLM_MAX_TOKENS="9000",
    )

    assert found == {
        "main": {
            "base_url": "https://models.example.org/v1",
            "key": "sk-1",
            "model": "large",
            "models": {"evaluate": "small"},
            "prices": {"large": (Decimal("2.50"), Decimal(10))},
            "concurrency": 4,
            "deadline": 120.0,
            "mode": "schema",
            "temperature": "none",
            "max_tokens": Decimal(9000),
        }
    }


def test_a_further_endpoint_has_its_key_in_a_variable_that_it_names(monkeypatch):
    rows = {"local": {"base_url": "http://localhost:11434/v1", "key_variable": "LOCAL_KEY", "concurrency": 1}}

    found = read(monkeypatch, MOOT_LLM_ENDPOINTS=json.dumps(rows), LOCAL_KEY="k")

    assert (found["local"]["key"], found["local"]["concurrency"]) == ("k", 1)
    assert list(found) == ["local"]


MAIN = {"MOOT_LLM_BASE_URL": "http://localhost/v1"}


@pytest.mark.parametrize(
    ("values", "told"),
    [
        pytest.param({"MOOT_LLM_BASE_URL": "localhost"}, "Endpoint main: base_url must begin with http", id="no URL"),
        *(
            pytest.param(
                {"MOOT_LLM_BASE_URL": f"https://me:{typed}@a.org/v1"},
                "Endpoint main: base_url cannot be read",
                id=typed,
            )
            for typed in ("sword#fish", "sword?fish", "sw/ord", "a[b]c")
        ),
        *(
            pytest.param({"MOOT_LLM_BASE_URL": address}, f"Endpoint main: base_url cannot be read: {why}", id=address)
            for address, why in (
                ("https:///v1", "it names no host."),
                ("http://a:0/v1", "a port is a number from 1 to 65535;"),
                (
                    "https://a.org/@b",
                    "a port is a number from 1 to 65535; what is special in a name or a password, and @ in a",
                ),
            )
        ),
        pytest.param({**MAIN, "MOOT_LLM_MODE": "xml"}, "Endpoint main: mode must be one of auto, tool", id="a mode"),
        pytest.param({**MAIN, "MOOT_LLM_TEMPERATURE": "hot"}, "Endpoint main: temperature must be a number", id="hot"),
        pytest.param({**MAIN, "MOOT_LLM_MAX_TOKENS": "0"}, "Endpoint main: max_tokens must be a number", id="no room"),
        pytest.param({**MAIN, "MOOT_LLM_MODELS": "[]"}, "MOOT_LLM_MODELS must be a JSON object; got list", id="a list"),
        pytest.param({**MAIN, "MOOT_LLM_PRICES": "{"}, "MOOT_LLM_PRICES must be a JSON object", id="no JSON"),
        pytest.param(
            {**MAIN, "MOOT_LLM_PRICES": '{"m": {"in": 1}}'}, "Endpoint main: the price of m must be", id="half a price"
        ),
        pytest.param(
            {**MAIN, "MOOT_LLM_PRICES": '{"m": {"in": "NaN", "out": 1}}'},
            "Endpoint main: the price of m must be a number from 0",
            id="no number",
        ),
        pytest.param({**MAIN, "MOOT_LLM_CONCURRENCY": "0"}, "Endpoint main: concurrency must be", id="nobody at once"),
        pytest.param({**MAIN, "MOOT_LLM_DEADLINE": "0"}, "Endpoint main: deadline must be", id="no time at all"),
        pytest.param(
            {"MOOT_LLM_ENDPOINTS": '{"a": {"url": "x"}}'},
            "MOOT_LLM_ENDPOINTS, a: url; known are",
            id="an unknown field",
        ),
        pytest.param({"MOOT_LLM_ENDPOINTS": '{"a": 1}'}, "MOOT_LLM_ENDPOINTS, a: not an object", id="no object"),
        pytest.param(
            {"MOOT_LLM_ENDPOINTS": '{"a": {"base_url": "http://a", "prices": [1]}}'},
            "Endpoint a: prices must be a JSON object; got list",
            id="a list of prices",
        ),
        pytest.param(
            {"MOOT_LLM_ENDPOINTS": '{"a": {"base_url": "http://a", "models": "large"}}'},
            "Endpoint a: models must be a JSON object; got str",
            id="a word for models",
        ),
        pytest.param(
            {**MAIN, "MOOT_LLM_MODELS": '{"evalute": "small"}'},
            "Endpoint main: models: 'evalute' is no purpose; they are assess, assess_several, ",
            id="an unknown purpose",
        ),
        pytest.param({"MOOT_LLM_ENDPOINTS": '{"a@b": {}}'}, "MOOT_LLM_ENDPOINTS: 'a@b' is taken", id="an at sign"),
        pytest.param({**MAIN, "MOOT_LLM_ENDPOINTS": '{"main": {}}'}, "MOOT_LLM_ENDPOINTS: 'main' is taken", id="twice"),
    ],
)
def test_nonsense_is_refused_by_name(monkeypatch, values, told):
    with pytest.raises(ImproperlyConfigured) as caught:
        read(monkeypatch, **values)

    assert str(caught.value).startswith(told)
