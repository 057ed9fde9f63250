"""Whatever an endpoint does: a call that comes to nothing says what to do, and no key is kept, told or logged."""

import asyncio
import logging

import pytest
from django.db import connection

from judging.engine import attempt
from judging.formats.open import parsing
from judging.formats.state import Voice
from judging.models import Call
from judging.types import Permit
from tests.providers.conftest import row
from tests.providers.endpoint import EVERY_MOOD
from tests.providers.test_open_debates import played
from tests.providers.test_openai import request

VOICE = Voice(id=1, role="chair", name="Mira", provider="openai", model="")
USED = {"in-prose", "no-usage", "telling", "telling-model"}
SAID = {
    "able-twice": "The answer holds more than one JSON object",
    "broken": "The endpoint answered 500: ",
    "cut": "The endpoint could not be reached, or broke off: ",
    "deaf-to-tools": "The answer holds no JSON object; it begins 'The word is moot.'.",
    "empty": "The answer is empty.",
    "filtered": "A filter of the endpoint stopped the answer.",
    "half": "The answer was cut off after 20 tokens, before it was whole.",
    "html": "The endpoint's answer is not of the chat API: ",
    "limited": "The endpoint answered 429: ",
    "limited-briefly": "The endpoint answered 429: ",
    "long": "The endpoint's answer has more than 2000000 bytes",
    "no-chat": "The endpoint's answer is not of the chat API: ",
    "packed": "The endpoint packed its answer (gzip)",
    "prose-only": "The endpoint answered 422: ",
    "refusing": "The model refused to answer: 'I cannot help with that.'.",
    "slow": "The endpoint gave no answer within 1 seconds.",
    "telling-part": "The endpoint answered 401: ",
    "telling-refusal": "The endpoint answered 401: ",
    "wrong-key": "The endpoint answered 401: ",
}
ADVICE = (
    "Check ",
    "check the model's name",
    "Ask another model",
    "ask another model",
    "Give it more time",
    "get more room",
    "try again later",
)
"""How a sentence begins that says what to do."""


def test_there_are_twenty_three_moods():
    assert len(set(EVERY_MOOD)) == len(EVERY_MOOD) == 23
    assert USED | set(SAID) == set(EVERY_MOOD)


@pytest.mark.parametrize("mood", sorted(EVERY_MOOD))
def test_a_call_that_comes_to_nothing_ends_in_a_sentence_that_says_what_to_do(endpoint, settings, mood):
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    settings.LLM_ENDPOINTS = {"main": row(endpoint.url, model=mood, deadline=1.0)}
    question = attempt.Question(request(mood), VOICE, read=parsing.spoken, permit=lambda: Permit.ASK)

    answered, _, _ = asyncio.run(attempt.call(question))

    assert (answered.outcome == "used") is (mood in USED)
    if mood not in USED:
        assert answered.problem.startswith(SAID[mood])
        assert any(said in answered.problem[len(SAID[mood]) :] for said in ADVICE)
        assert answered.problem.endswith(".")


def everything_kept():
    """Return every row of every table, as text."""
    with connection.cursor() as cursor:
        rows = []
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT t::text FROM "{table}" t')
            rows += [row for (row,) in cursor.fetchall()]
    return "\n".join(rows)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_no_key_is_in_the_database_the_log_or_the_console_after_all_moods(endpoint, settings, caplog):
    with caplog.at_level(logging.DEBUG):
        debate = played(
            endpoint, settings, exchanges=12, evaluate="fickle-judge", persuasion=False, sum_up="telling-refusal"
        )

    outcomes = Call.objects.filter(debate=debate, purpose="evaluate", attempt=1).order_by("id")
    assert [one.outcome == "failed" for one in outcomes] == [mood in FAILED for mood in (*EVERY_MOOD, EVERY_MOOD[0])]
    kept = everything_kept()
    assert "wrong key" in kept
    assert "[key removed]" in kept
    for text in (kept, caplog.text):
        assert "sk-secret-1234"[:12] not in text


FAILED = {mood for mood, said in SAID.items() if said.startswith("The endpoint")}
