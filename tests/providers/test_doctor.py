"""The doctor says which endpoint can be used, how, at what price, and what to do about the others."""

import io

import pytest
from django.core.management import call_command

from tests.providers.conftest import row


def doctor():
    """Return what the doctor says, and the exit status."""
    out = io.StringIO()
    try:
        call_command("doctor", stdout=out, stderr=out)
    except SystemExit as end:
        return out.getvalue(), end.code
    return out.getvalue(), 0


def test_without_an_endpoint_it_says_how_to_set_one(settings):
    settings.LLM_ENDPOINTS = {}

    said, status = doctor()

    assert status == 0
    assert said.startswith("No endpoint is set: debates are played and judged by the built-in heuristics.")


@pytest.mark.django_db(transaction=True)
def test_a_model_that_answers_is_good_with_its_way_and_price(endpoint, settings):
    settings.LLM_ENDPOINTS = {"main": row(endpoint.url, model="exact", prices={"exact": (2, 10)}, mode="")}

    said, status = doctor()

    first, second = said.splitlines()
    assert status == 0
    assert first.startswith(f"GOOD main ({endpoint.url}), exact: answers by tool (100 + 20 tokens, ")
    assert second == "     It costs 2 for a million tokens in and 10 out."


@pytest.mark.django_db(transaction=True)
def test_a_model_without_a_price_is_said_to_count_as_free(endpoint, settings):
    settings.LLM_ENDPOINTS = {"main": row(endpoint.url, model="exact", prices={})}

    said, status = doctor()

    assert status == 0
    assert said.splitlines()[1].startswith("     No price is set for it: its calls count as free")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("model", "told", "advice"),
    [
        pytest.param("wrong-key", "The endpoint answered 401", "Check MOOT_LLM_API_KEY", id="a wrong key"),
        pytest.param("limited", "The endpoint answered 429", "The endpoint is busy", id="a busy endpoint"),
        pytest.param("status-400", "The endpoint answered 400", "It refuses the question", id="a strange model"),
        pytest.param("broken", "The endpoint answered 500", "Check that the endpoint runs", id="a broken one"),
        pytest.param("half", "It said '{", "Its answer was cut off before it was whole. Give it", id="half JSON"),
        pytest.param("refusing", "It said 'I cannot help", "It refused to answer a question", id="one that refuses"),
        pytest.param("prose-only", "It said '", "It answered, but not with the JSON", id="one that chats"),
        pytest.param("", "no model is set.", "Set MOOT_LLM_MODEL", id="no model"),
    ],
)
def test_what_cannot_be_used_is_bad_and_comes_with_advice(endpoint, settings, model, told, advice):
    settings.LLM_ENDPOINTS = {"main": row(endpoint.url, model=model, mode="")}

    said, status = doctor()

    first, second = said.splitlines()
    assert status == 1
    assert first.startswith(f"BAD  main ({endpoint.url}), {model or 'no model'}: {told}")
    assert second.strip().startswith(advice)


@pytest.mark.django_db(transaction=True)
def test_an_endpoint_whose_way_is_told_is_asked_in_that_way_alone(endpoint, settings):
    settings.LLM_ENDPOINTS = {"main": row(endpoint.url, model="exact", mode="prompt")}

    said, status = doctor()

    assert status == 0
    assert said.startswith(f"GOOD main ({endpoint.url}), exact: answers by prompt (100 + 20 tokens, ")
    assert [{"tools", "response_format"} & set(one) for one in endpoint.asked] == [set()]


@pytest.mark.django_db(transaction=True)
def test_one_bad_model_among_good_ones_is_enough_to_fail(endpoint, settings):
    settings.LLM_ENDPOINTS = {"main": row(endpoint.url, model="exact", models={"evaluate": "broken"})}

    said, status = doctor()

    assert [line[:4] for line in said.splitlines()[::2]] == ["GOOD", "BAD "]
    assert status == 1


@pytest.mark.django_db(transaction=True)
def test_a_further_endpoint_whose_models_are_named_by_debates_alone_is_not_bad(endpoint, settings):
    settings.LLM_ENDPOINTS = {"main": row(endpoint.url, model="exact"), "local": row(endpoint.url, model="")}

    said, status = doctor()

    assert said.splitlines()[2:] == [f"NONE local ({endpoint.url}): it names no model, so that none is tried."]
    assert status == 0


@pytest.mark.django_db(transaction=True)
def test_a_further_endpoint_with_a_model_for_a_purpose_needs_no_other(endpoint, settings):
    settings.LLM_ENDPOINTS = {"local": row(endpoint.url, model="", models={"evaluate": "exact"})}

    said, status = doctor()

    assert [line[:4] for line in said.splitlines()[::2]] == ["GOOD"]
    assert status == 0


@pytest.mark.django_db(transaction=True)
def test_a_password_in_an_address_is_not_said(endpoint, settings):
    settings.LLM_ENDPOINTS = {"main": row(endpoint.url.replace("//", "//moot:pass-word-9@"), model="exact")}

    said, _ = doctor()

    assert "pass-word-9" not in said
    assert "//moot:[key removed]@" in said
