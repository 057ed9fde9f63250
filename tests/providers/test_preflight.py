"""Before a debate is played every model that it needs is asked one question; who does not answer leaves a draft."""

import io
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from decimal import Decimal

import pytest
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.db import connection, connections
from django.utils import timezone

from debates.errors import Invalid, NotPermitted
from debates.models import Debate
from judging.engine import lifecycle
from judging.engine.creation import create_draft
from judging.errors import ModelNotReady
from judging.formats.criterion.spec import CriterionSpec
from judging.formats.registry import format_of
from judging.models import Call
from judging.providers import openai
from judging.providers.endpoints import QUESTION
from scoring.groups import SENIOR
from tests.api.clients import Api, code_of
from tests.judging.test_run_debate import RUBRIC
from tests.moderators import address, client_of, member, words
from tests.playing import rubric, work
from tests.providers.conftest import row
from tests.providers.endpoint import EVERY_MOOD
from tests.providers.test_openai import gives_away

pytestmark = pytest.mark.django_db(transaction=True)


def draft(**changes):
    spec = CriterionSpec(
        title="Wells",
        subject="We dig forty wells. Each costs 310 euros a year. The ministry counted 900 villages without one.",
        **{"rubric": rubric("P1"), "rounds": 1, "provider": "openai", **changes},
    )
    return create_draft(spec=spec, by=None, now=timezone.now())


def start(debate):
    return lifecycle.start(debate_id=debate.pk, by=None, now=timezone.now())


def not_started(debate):
    with pytest.raises(ModelNotReady) as caught:
        start(debate)
    debate.refresh_from_db()
    assert debate.status == "draft"
    assert not Call.objects.exists()
    return caught.value.message


@pytest.fixture(autouse=True)
def nothing_known(db):
    cache.clear()


ADVICE = ("Check ", "check the model's name", "try another model", "ask a faster model", "try again later")


@pytest.mark.slow
def test_a_model_that_misbehaves_leaves_a_draft_and_a_sentence_that_says_what_to_do(endpoint, settings, caplog):
    settings.LLM_ENDPOINTS = {"main": row(endpoint.url, deadline=1.0)}

    said = {mood: not_started(draft(model=mood)) for mood in EVERY_MOOD}

    assert {mood for mood, words in said.items() if not words.startswith(f"{mood} at main is not ready. ")} == set()
    assert {mood for mood, words in said.items() if not words.endswith(" The debate stays a draft.")} == set()
    assert {mood for mood, words in said.items() if not any(advice in words for advice in ADVICE)} == set()
    assert {mood for mood, words in said.items() if gives_away(words)} == set()
    assert "sk-secret-12" not in caplog.text


@pytest.mark.parametrize(
    ("mood", "told"),
    [
        pytest.param("refusing", "It refused to answer a question of one line. Check what", id="refused"),
        pytest.param("filtered", "A filter of the endpoint stopped its answer to a question of one line.", id="filter"),
        pytest.param("half", "Its answer was cut off before it was whole. Give it more room by", id="cut off"),
        pytest.param("empty", "It answered, but not with the JSON it was asked for.", id="no JSON"),
    ],
)
def test_a_refusal_a_filter_and_a_cut_off_are_named_apart(endpoint, settings, mood, told):
    settings.LLM_ENDPOINTS = {"main": row(endpoint.url, model=mood)}

    assert f"{mood} at main is not ready. {told}" in not_started(draft(model=mood))


@pytest.mark.parametrize(
    ("said", "refused"),
    [
        pytest.param("I can\u2019t help with that.", True, id="in plain words"),
        pytest.param("I'm sorry, but I cannot assist.", True, id="sorry"),
        pytest.param('I cannot give more than this: {"word": "moot"}', False, id="with an answer"),
        pytest.param("I am not able to help.", True, id="not able"),
        pytest.param("I cannot agree with Konrad. " * 20, False, id="a speech in prose"),
        pytest.param("I cannot agree with Konrad: the figures say otherwise.", False, id="a short speech"),
        pytest.param("I'm sorry, here it is as a list: moot", False, id="an apology"),
        pytest.param("The word is moot.", False, id="another shape"),
    ],
)
def test_a_refusal_in_plain_words_is_one(said, refused):
    assert openai.is_refusal(said) is refused


@pytest.mark.parametrize(
    ("endpoints", "model", "told"),
    [
        pytest.param({}, "", "No endpoint 'main' is set; there is none. See MOOT_LLM_BASE_URL.", id="no endpoint"),
        pytest.param(
            {"main": row("http://127.0.0.1:1/v1", model="")}, "", "No model is set for the endpoint 'main'.",
            id="no model",
        ),
        pytest.param({"main": row("http://127.0.0.1:1/v1")}, "", "good at main is not ready. The endpoint could not be "
                     "reached, or broke off: ModelConnectionError. Check that the endpoint runs", id="nobody there"),
        pytest.param({"main": row("http://127.0.0.1:1/v1")}, "good@moon", "No endpoint 'moon' is set;", id="elsewhere"),
    ],
)  # fmt: skip
def test_what_is_not_set_or_not_there_leaves_a_draft_as_well(settings, endpoints, model, told):
    settings.LLM_ENDPOINTS = endpoints

    assert not_started(draft(model=model)).startswith(told)


def test_each_model_that_is_needed_is_asked_once_and_not_again_for_a_while(endpoint, settings):
    models = {"judge": "exact", "synthesise": "exact", "assess": "wrong-key", "sum_up": "broken"}
    settings.LLM_ENDPOINTS = {"main": row(endpoint.url, model="by-shape", models=models)}
    given = {"initial": {"P1": ("6", "0.5")}}

    start(draft(**given))
    start(draft(**given))

    assert endpoint.counted == {"by-shape": 1, "exact": 1}
    assert {body["messages"][0]["content"] for body in endpoint.asked} == {QUESTION}


def test_all_that_is_asked_of_a_model_together_has_so_long_and_no_longer(endpoint, settings, monkeypatch):
    monkeypatch.setattr(openai, "PREFLIGHT_SECONDS", 0.8)
    settings.LLM_ENDPOINTS = {"main": row(endpoint.url, model="drowsy", mode="")}

    said = not_started(draft())

    assert "The endpoint gave no answer within 0.8 seconds." in said


def test_whoever_would_wait_beside_too_many_is_asked_to_try_again(endpoint, settings):
    settings.LLM_ENDPOINTS = {"main": row(endpoint.url, model="exact")}
    debate = draft()
    with openai.PREFLIGHTS, openai.PREFLIGHTS:
        assert "Try again soon. The debate stays a draft." in not_started(debate)
        assert endpoint.asked == []

    assert start(debate).status == "scheduled"


def test_what_is_known_is_started_however_many_wait(endpoint, settings):
    settings.LLM_ENDPOINTS = {"main": row(endpoint.url, model="exact")}
    start(draft())

    with openai.PREFLIGHTS, openai.PREFLIGHTS:
        assert start(draft()).status == "scheduled"


def test_while_models_are_asked_the_connection_is_given_back(endpoint, settings):
    """Asking looks into the cache: where one connection is all there is, whoever kept it would wait in vain."""
    settings.LLM_ENDPOINTS = {"main": row(endpoint.url, model="exact")}
    debate = draft()

    with one_pooled_connection(), ThreadPoolExecutor(1) as thread:
        status = thread.submit(start_and_leave, debate).result()

    assert status == "scheduled"


def start_and_leave(debate):
    try:
        return start(debate).status
    finally:
        connections.close_all()


@contextmanager
def one_pooled_connection():
    database = connections.databases["default"]
    usual = dict(database)
    pool = {"min_size": 1, "max_size": 1, "timeout": 2}
    database.update(CONN_MAX_AGE=0, OPTIONS={**usual["OPTIONS"], "pool": pool})
    try:
        yield
    finally:
        connection.close_pool()
        database.update(usual)


def test_another_key_is_tried_anew(endpoint, settings):
    for key in ("sk-secret-1234", "sk-secret-1234", "sk-another-567"):
        settings.LLM_ENDPOINTS = {"main": row(endpoint.url, model="exact", key=key)}
        start(draft())

    assert endpoint.keys == ["Bearer sk-secret-1234", "Bearer sk-another-567"]


def test_offline_nobody_is_asked(endpoint):
    start(draft(provider="heuristic"))

    assert endpoint.asked == []


def test_what_is_refused_anyway_is_not_asked_for(endpoint, settings):
    settings.LLM_ENDPOINTS = {"main": row(endpoint.url, model="exact")}
    debate = draft()
    lifecycle.cancel(debate_id=debate.pk, by=None, now=timezone.now())

    with pytest.raises(Exception, match="Only a draft is started"):
        start(debate)

    assert endpoint.asked == []


def test_a_rerun_asks_as_well(endpoint, settings, django_user_model):
    settings.LLM_ENDPOINTS = {
        "main": row(endpoint.url, model="by-shape", prices={"by-shape": (Decimal(1), Decimal(1))})
    }
    debate = draft()
    start(debate)
    work()
    by = django_user_model.objects.create_superuser("root")
    settings.LLM_ENDPOINTS = {"main": row(endpoint.url, model="wrong-key")}

    with pytest.raises(ModelNotReady, match="The debate stays as it is"):
        lifecycle.rerun(debate_id=debate.pk, by=by, reason="The endpoint was another one.", now=timezone.now())


def test_who_may_not_rerun_a_debate_has_no_model_asked(endpoint, settings, django_user_model):
    settings.LLM_ENDPOINTS = {"main": row(endpoint.url, model="by-shape")}
    debate = draft()
    start(debate)
    work()
    alice = django_user_model.objects.create_user("alice")
    settings.LLM_ENDPOINTS = {"main": row(endpoint.url, model="wrong-key")}

    with pytest.raises(NotPermitted, match="lacks the permission rerun_evaluation"):
        lifecycle.rerun(debate_id=debate.pk, by=alice, reason="I would like to see it.", now=timezone.now())

    assert "wrong-key" not in endpoint.counted


def test_the_command_names_a_model_and_says_in_one_sentence_what_is_wrong(endpoint, settings, tmp_path):
    settings.LLM_ENDPOINTS = {"main": row(endpoint.url, model="exact")}
    subject = tmp_path / "wells.md"
    subject.write_text("# Wells\n\nWe dig forty wells. Each costs 310 euros a year.")

    with pytest.raises(CommandError) as caught:
        call_command("run_debate", str(subject), rubric=RUBRIC, criteria="P1", model="wrong-key", stderr=io.StringIO())

    assert str(caught.value).startswith("wrong-key at main is not ready. The endpoint answered 401: ")
    assert "Check MOOT_LLM_API_KEY" in str(caught.value)
    assert Debate.objects.get().status == "draft"


@pytest.mark.parametrize(
    "command",
    [
        "run_debate FILE --format open --motion Cities-should-free-trams --provider openai --json",
        "judge FILE --task Say-it --criteria design:1 --provider openai --json",
        "import_transcript FILE --motion Cities-should-free-trams --provider openai --json",
    ],
)
def test_a_command_that_cannot_start_its_draft_says_where_it_is_and_how_it_goes_on(
    command, endpoint, settings, tmp_path
):
    settings.LLM_ENDPOINTS = {"main": row(endpoint.url, model="wrong-key")}
    file = tmp_path / "trams.md"
    file.write_text("Lena: Trams should be free.\nTomas: Somebody has to pay.\n" * 2)
    name, *arguments = command.replace("FILE", "" if "--format" in command else str(file)).split()

    with pytest.raises(CommandError) as caught:
        call_command(name, *arguments, stdout=io.StringIO(), stderr=io.StringIO())

    [left] = Debate.objects.all()
    place = address("debates_debate", "change", left.pk)
    told = f"The debate stays a draft. In the admin it can be started or cancelled: {place}"
    assert str(caught.value).endswith(told)
    assert (caught.value.returncode, left.status) == (2, "draft")


def test_a_result_names_the_model_that_answered(endpoint, settings, tmp_path):
    settings.LLM_ENDPOINTS = {"main": row(endpoint.url, model="by-shape")}
    debate = draft()

    start(debate)
    work()

    debate.refresh_from_db()
    document = format_of(debate.format).result_document(debate=debate)
    assert {judge["model"] for judge in document["judgedBy"]} == {"by-shape-0001"}


def test_page_and_api_refuse_in_the_same_words_and_a_repeated_request_does_so_again(endpoint, settings):
    settings.LLM_ENDPOINTS = {"main": row(endpoint.url, model="wrong-key")}
    senior = member(SENIOR)
    debate = draft()

    on_page = words(client_of(senior).post(address("debates_debate", "start", debate.pk), {}, follow=True))
    by_api = [Api(senior).post(f"/debates/{debate.public_id}/start/", Idempotency_Key="start-once") for _ in range(2)]

    assert [code_of(answer) for answer in by_api] == [(409, "model_not_ready")] * 2
    detail = by_api[0].json()["detail"]
    assert detail.startswith("wrong-key at main is not ready. The endpoint answered 401")
    assert detail.endswith("Check MOOT_LLM_API_KEY, or the variable that key_variable names. The debate stays a draft.")
    assert "wrong-key at main is not ready." in on_page
    debate.refresh_from_db()
    assert debate.status == "draft"


def paused(**changes):
    """A debate whose model answered when it was started, and that was paused before it was asked for anything."""
    debate = start(draft(**changes))
    lifecycle.pause(debate_id=debate.pk, by=None, now=timezone.now())
    return debate


def test_a_debate_that_goes_on_asks_its_models_again(endpoint, settings):
    settings.LLM_ENDPOINTS = {"main": row(endpoint.url, model="by-shape")}
    debate = paused()
    cache.clear()
    settings.LLM_ENDPOINTS = {"main": row(endpoint.url, model="wrong-key")}

    with pytest.raises(ModelNotReady, match=r"wrong-key at main is not ready.* The debate stays as it is"):
        lifecycle.resume(debate_id=debate.pk, by=None, now=timezone.now())

    debate.refresh_from_db()
    assert debate.status == "paused"


def test_a_synthesis_that_is_tried_again_asks_the_model_that_writes_it_and_no_other(endpoint, settings):
    settings.LLM_ENDPOINTS = {"main": row(endpoint.url, model="by-shape", models={"assess": "wrong-key"})}
    debate = draft(provider="heuristic", providers={"arbiter": "openai", "evaluator": "openai"})
    debate.threads.update(status="complete", ended_because="all_rounds_played")
    Debate.objects.filter(pk=debate.pk).update(status="failed", started_at=debate.created_at)

    lifecycle.retry_synthesis(debate_id=debate.pk, by=None, now=timezone.now())

    debate.refresh_from_db()
    assert debate.status == "concluding"
    cache.clear()
    Debate.objects.filter(pk=debate.pk).update(status="failed")
    settings.LLM_ENDPOINTS = {"main": row(endpoint.url, model="by-shape", models={"synthesise": "wrong-key"})}
    with pytest.raises(ModelNotReady, match="wrong-key at main is not ready"):
        lifecycle.retry_synthesis(debate_id=debate.pk, by=None, now=timezone.now())


def test_for_a_rerun_that_is_refused_anyway_no_model_is_asked(endpoint, settings):
    settings.LLM_ENDPOINTS = {"main": row(endpoint.url, model="by-shape")}
    debate = start(draft(initial={"P1": ("6", "0.5")}))
    Debate.objects.filter(pk=debate.pk).update(status="concluded", concluded_at=timezone.now())
    settings.LLM_ENDPOINTS = {"main": row(endpoint.url, model="wrong-key")}
    by = member(SENIOR)
    asked = len(endpoint.asked)

    with pytest.raises(Invalid, match="criteria to rerun"):
        lifecycle.rerun(
            debate_id=debate.pk, by=by, reason="I would like to see it.", now=timezone.now(), criteria=["X"]
        )

    assert len(endpoint.asked) == asked


@pytest.mark.parametrize("mode", ["", "tool", "prompt"])
def test_a_model_whose_answer_is_cut_off_is_given_more_room_once_as_in_play(endpoint, settings, mode):
    settings.LLM_ENDPOINTS = {"main": row(endpoint.url, mode=mode)}

    start(draft(model="thoughtful"))
    room = [body["max_tokens"] for body in endpoint.asked]
    not_started(draft(model="half"))

    assert room == [600, 1200]
    assert endpoint.counted["half"] == (2 if mode else 4)


def test_a_model_that_is_told_no_length_is_not_asked_the_same_again(endpoint, settings):
    settings.LLM_ENDPOINTS = {"main": row(endpoint.url, mode="tool", max_tokens="none")}

    not_started(draft(model="half"))

    assert endpoint.counted["half"] == 1
