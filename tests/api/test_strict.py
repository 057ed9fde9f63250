"""What is sent is taken as it is written or refused: one value for each name, and no type turned into another."""

import bz2
import json

import pytest

from debates.models import Debate
from judging.api.debates import MoveDeadline
from scoring.services import rubric_store
from tests import factories, playing
from tests.api.clients import V1, Api, code_of

pytestmark = pytest.mark.django_db
CLASSIC = {"title": "Wells", "subject": playing.SUBJECT, "rubric": "small"}
OPEN = {"format": "open", "motion": "Cities should make public transport free.", "preset": "three_way_ethics"}


@pytest.fixture
def alice() -> Api:
    rubric_store.store(snapshot=playing.rubric("P1"), by=None)
    return Api(factories.person("alice", permissions=["debates.add_debate", "debates.add_webhook"]))


def sent(api: Api, path: str, body: str):
    return api.client.generic("POST", V1 + path, body, content_type="application/json", headers=api.headers)


@pytest.mark.parametrize(
    ("body", "key"),
    [
        pytest.param('{"title": "One", "title": "Two"}', "title", id="in the body"),
        pytest.param('{"title": "One", "limits": {"calls": 3, "calls": 300}}', "calls", id="in an object of it"),
        pytest.param('{"title": "One", "\\u0074itle": "Two"}', "title", id="written in two ways"),
    ],
)
def test_a_key_that_stands_twice_in_one_object_is_refused(alice, body, key):
    refused = sent(alice, "/debates/", body)

    assert code_of(refused) == (400, "repeated_key")
    assert refused.json()["detail"] == f"The key '{key}' stands twice in one object."


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e400", "1e999999999", "9" * 41, "1e-41",
                                    "1e99999999999999999999"])  # fmt: skip
def test_what_is_no_number_of_json_or_too_large_a_one_is_refused(alice, number):
    refused = sent(alice, "/debates/", f'{{"rounds": {number}}}')

    assert code_of(refused) == (400, "parse_error")
    assert Debate.objects.count() == 0


@pytest.mark.parametrize("rounds", ["2", "2.0", "2e0", "20e-1"])
def test_an_integer_may_be_written_as_json_schema_counts_it(alice, rounds):
    made = sent(alice, "/debates/", json.dumps({**CLASSIC, "rounds": 7}).replace("7", rounds))

    assert (made.status_code, made.json()["rounds"]) == (201, 2)


@pytest.mark.parametrize(
    ("base", "field", "pointer"),
    [
        pytest.param(CLASSIC, {"rounds": "1"}, "/rounds", id="a number as text"),
        pytest.param(CLASSIC, {"rounds": True}, "/rounds", id="true as a number"),
        pytest.param(CLASSIC, {"rounds": 1.5}, "/rounds", id="a fraction"),
        pytest.param(CLASSIC, {"title": 5}, "/title", id="a number as words"),
        pytest.param(CLASSIC, {"panel": 5}, "/panel", id="a number as an id"),
        pytest.param(CLASSIC, {"weight_by_confidence": "yes"}, "/weight_by_confidence", id="yes"),
        pytest.param(CLASSIC, {"weight_by_confidence": 1}, "/weight_by_confidence", id="1 as true"),
        pytest.param(CLASSIC, {"fairness": {"repeats": "3"}}, "/fairness/repeats", id="a choice of numbers as text"),
        pytest.param(CLASSIC, {"limits": {"calls": "3"}}, "/limits/calls", id="within an object"),
        pytest.param(CLASSIC, {"criteria": [1]}, "/criteria/0", id="within a list"),
        pytest.param(CLASSIC, {"limits": {"money": 6.5}}, "/limits/money", id="a binary float as an exact number"),
        pytest.param(CLASSIC, {"initial": {"P1": {"score": 6}}}, "/initial/P1/score", id="a whole one as an exact one"),
        pytest.param(OPEN, {"introduction": "true"}, "/introduction", id="true as text"),
        pytest.param(OPEN, {"turn_seconds": "60"}, "/turn_seconds", id="seconds as text"),
    ],
)
def test_no_type_is_turned_into_another(alice, base, field, pointer):
    refused = alice.post("/debates/", {**base, **field})

    assert code_of(refused) == (400, "invalid")
    assert [(fault["pointer"], fault["code"]) for fault in refused.json()["errors"]] == [(pointer, "wrong_type")]
    assert Debate.objects.count() == 0


def test_everything_that_has_another_type_is_named_at_once(alice):
    refused = alice.post("/debates/", {**CLASSIC, "rounds": "1", "title": 5, "limits": {"money": 1}})

    assert {fault["pointer"] for fault in refused.json()["errors"]} == {"/rounds", "/title", "/limits/money"}


def test_an_exact_number_that_is_too_long_is_told_how_long_one_may_be(alice):
    [fault] = alice.post("/debates/", {**CLASSIC, "limits": {"money": "1" * 43}}).json()["errors"]

    assert fault == {
        "pointer": "/limits/money", "code": "max_length", "detail": "A number has at most 42 characters."
    }  # fmt: skip


@pytest.mark.parametrize("path", ["/debates/", "/rubrics/", "/webhooks/", "/conflicts/"])
def test_a_post_takes_no_parameter_of_the_list_at_its_address(path):
    refused = Api(factories.moderator()).post(f"{path}?page_size=5", {})

    assert code_of(refused) == (400, "unknown_parameter")
    assert refused.json()["errors"][0]["detail"] == "There is no such parameter; none is known here."


@pytest.mark.parametrize(
    "query",
    ["title=a&title=b", "page_size=1&page_size=2", "cursor=a&cursor=a", "created_since=2027-01-01T00:00:00Z&" * 2],
)
def test_a_parameter_that_has_one_value_comes_once(query):
    assert code_of(Api().client.get(f"{V1}/debates/?{query.rstrip('&')}")) == (400, "repeated_parameter")


def test_exports_and_events_take_one_value_too():
    debate = factories.debate()
    auditor = Api(factories.moderator())

    twice = f"debate={debate.public_id}&debate={debate.public_id}"

    assert code_of(auditor.client.get(f"{V1}/exports/events.jsonl?{twice}", headers=auditor.headers)) == (
        400,
        "repeated_parameter",
    )
    assert code_of(auditor.client.get(f"{V1}/debates/{debate.public_id}/events/?after=0&after=1")) == (
        400,
        "repeated_parameter",
    )


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("/debates/", "page_size=1.0"), ("/debates/", "page_size=%201"), ("/debates/", "page_size=1_0"),
        ("/debates/", "page_size=%D9%A1"), ("/rounds/", "run=1.0"), ("/evaluations/", "frozen=yes"),
        ("/evaluations/", "frozen=1"), ("/evaluations/", "frozen=True"),
    ],
)  # fmt: skip
def test_numbers_and_switches_of_an_address_are_written_as_the_schema_says(path, query):
    refused = Api().client.get(f"{V1}{path}?{query}")

    assert code_of(refused) == (400, "invalid")
    assert {fault["code"] for fault in refused.json()["errors"]} == {"wrong_type"}


def test_a_filter_takes_several_values_and_leaves_what_has_any_of_them():
    running, paused, _ = (factories.debate(status=status) for status in ("running", "paused", "concluded"))
    api = Api()

    def ids(query: str) -> list[str]:
        return [row["id"] for row in api.client.get(f"{V1}{query}").json()["results"]]

    assert ids("/debates/?status=running&status=paused") == [str(paused.public_id), str(running.public_id)]
    assert ids("/debates/?status=running") == [str(running.public_id)]
    last = factories.debate()
    for debate, key in ((running, "P1"), (paused, "P2"), (last, "P3")):
        factories.criterion(debate, key=key)
    assert len(ids(f"/evaluations/?debate={running.public_id}&debate={last.public_id}")) == 2
    assert len(ids("/evaluations/?key=P1&key=P2&key=P9")) == 2


@pytest.mark.parametrize("query", ["status=running,paused", "status=running&status=asleep", "status="])
def test_what_is_none_of_the_values_of_a_filter_is_told_them(query):
    refused = Api().client.get(f"{V1}/debates/?{query}")

    assert code_of(refused) == (400, "invalid")
    assert "draft, scheduled, running" in refused.json()["detail"]


def test_at_most_fifty_values():
    assert code_of(Api().client.get(f"{V1}/debates/?{'&'.join(['status=running'] * 51)}")) == (400, "invalid")


def test_a_type_of_event_that_there_is_not_is_told_those_that_there_are(alice):
    debate = factories.debate()
    events, deliveries = f"/debates/{debate.public_id}/events/", "/deliveries/"

    for path in (events, deliveries):
        refused = alice.get(path, type="debate:begun")
        assert code_of(refused) == (400, "invalid"), path
        assert "debate:started" in refused.json()["detail"]
        assert alice.get(path, type="debate:started").status_code == 200

    unheard = alice.post("/webhooks/", {"url": "https://example.org/moot", "types": ["debate:begun"]})
    assert code_of(unheard) == (400, "invalid")
    assert "debate:started" in unheard.json()["detail"]


@pytest.mark.parametrize("charset", ["bz2", "zlib", "hex", "base64", "rot13", "punycode", "utf-16", "latin-1", "none"])
def test_whatever_charset_a_body_names_it_is_read_as_utf_8_and_never_unpacked(alice, charset):
    body = json.dumps({"title": "Grüße", "subject": playing.SUBJECT, "rubric": "small"}, ensure_ascii=False).encode()
    kind = f"application/json; charset={charset}"

    made = alice.client.generic("POST", f"{V1}/debates/", body, content_type=kind, headers=alice.headers)
    packed = alice.client.generic(
        "POST", f"{V1}/debates/", bz2.compress(body), content_type=kind, headers=alice.headers
    )

    assert (made.status_code, Debate.objects.get().title) == (201, "Grüße")
    assert code_of(packed) == (400, "parse_error")


@pytest.mark.parametrize("charset", ["bz2", "hex"])
def test_a_form_that_names_a_charset_that_is_none_is_read_as_any_other(client, charset):
    kind = f"multipart/form-data; boundary=b; charset={charset}"
    body = '--b\r\nContent-Disposition: form-data; name="login"\r\n\r\nalice\r\n--b--\r\n'

    assert client.generic("POST", "/accounts/login/", body, content_type=kind).status_code == 200


@pytest.mark.parametrize("moment", ["2027-03-01T18:30", "2027-03-01", "20270301", "2027-W09-1"])
def test_a_moment_without_an_offset_is_nobodys(alice, moment):
    listed = alice.get("/debates/", created_since=moment)
    moved = MoveDeadline.Input(data={"deadline": moment})

    assert code_of(listed) == (400, "invalid")
    assert not moved.is_valid()
    assert alice.get("/debates/", created_since="2027-03-01T18:30+01:00").status_code == 200


@pytest.mark.parametrize("condition", ["*", '"1"'])
@pytest.mark.parametrize("header", ["If_Match", "If_None_Match"])
def test_a_condition_that_is_not_looked_at_is_refused_and_not_left_out(alice, header, condition):
    refused = alice.post("/debates/", CLASSIC, **{header: condition})

    assert code_of(refused) == (400, "bad_version")
    assert Debate.objects.count() == 0
