"""Refusals say what was wrong, where, and what would be right."""

import pytest
from django.core.management import CommandError, call_command

from judging.formats.responses.api import EXAMPLE as BATCH
from scoring.services import rubric_store
from tests import factories, playing
from tests.api.clients import Api, code_of

pytestmark = pytest.mark.django_db
NOBODYS = "00000000-0000-4000-8000-000000000000"
WANTED = {"title": "Wells", "subject": playing.SUBJECT, "rubric": "small"}


@pytest.fixture
def alice() -> Api:
    rubric_store.store(snapshot=playing.rubric("P1", "P2"), by=None)
    return Api(factories.person("alice", permissions=["debates.add_debate", "debates.add_webhook"]))


@pytest.mark.parametrize(
    ("codes", "said"),
    [
        pytest.param(["P1"], "Missing: P2.", id="one is missing"),
        pytest.param(["P1", "P2", "X9"], "Not played in this debate: X9.", id="one is not known"),
        pytest.param(["X9"], "Missing: P1, P2. Not played in this debate: X9.", id="both"),
    ],
)
def test_initial_scores_that_do_not_fit_are_named(alice, codes, said):
    refused = alice.post("/debates/", {**WANTED, "initial": {code: {"score": "6"} for code in codes}})

    assert code_of(refused) == (422, "invalid")
    assert refused.json()["detail"].removeprefix("initial must give every played criterion and no other. ") == said


def test_a_word_that_is_none_of_the_choices_is_told_them(alice):
    refused = alice.post("/debates/", {**WANTED, "visibility": "bob"})

    assert code_of(refused) == (400, "invalid")
    assert refused.json()["errors"] == [
        {
            "pointer": "/visibility",
            "code": "invalid_choice",
            "detail": '"bob" is not a valid choice; it must be one of public, unlisted, private.',
        }
    ]


PANEL = {"format": "panel", "title": "A cache", "subject": "It is warm after 40 ms.", "task": "Make it fast."}
WEIGHED = {**PANEL, "criteria": [{"name": "correctness", "weight": "60"}, {"name": "design", "weight": "40"}]}
TABLE = {"format": "open", "motion": "Cities should make public transport free."}
CHAIRS = [{"name": "Mira", "stance": "1"}, {"name": "Otto", "stance": "-1"}]
FIRST = {"P1": {"score": "6"}, "P2": {"score": "6"}}


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({**WANTED, "provider": "oracle"}, "/provider"),
        ({**WANTED, "providers": {"arbiter": "oracle"}}, "/providers/arbiter"),
        ({**WANTED, "initial": {**FIRST, "P1": {"score": "11"}}}, "/initial/P1/score"),
        ({**WANTED, "initial": {**FIRST, "P2": {"score": "6", "confidence": "2"}}}, "/initial/P2/confidence"),
        ({**WANTED, "rubric": "other", "initial": {"U.X/~": {"score": "much"}}}, "/initial/U.X~1~0/score"),
        ({**WEIGHED, "judges": [{}, {"provider": "oracle"}]}, "/judges/1/provider"),
        ({**WEIGHED, "judges": [{}, {"kind": "human", "model": "large"}]}, "/judges/1/model"),
        ({**WEIGHED, "judges": [{}, {"model": "large"}]}, "/judges/1/model"),
        ({**WEIGHED, "reporter": {"model": "large"}}, "/reporter/model"),
        ({**WEIGHED, "judges": [{"kind": "human", "strategy": "logic"}]}, "/judges/0/strategy"),
        ({**WEIGHED, "reporter": {"provider": "oracle"}}, "/reporter/provider"),
        ({**WEIGHED, "reporter": {"kind": "human"}}, "/reporter/kind"),
        ({**WEIGHED, "policy": {"spread": "9"}}, "/policy/spread"),
        ({**WEIGHED, "policy": {"pass_mark": "2"}}, "/policy/pass_mark"),
        ({**WEIGHED, "policy": {"pass_mark": "2", "revision_mark": "4"}}, "/policy/revision_mark"),
        ({**WEIGHED, "not_applicable": {"speed": "Nobody waits."}}, "/not_applicable/speed"),
        ({**PANEL, "criteria": [{"name": "design", "weight": "1"}, {"name": "tests", "weight": "0"}]},
         "/criteria/1/weight"),
        ({**PANEL, "criteria": [{"name": "design?", "weight": "1"}]}, "/criteria/0/name"),
        ({**PANEL, "criteria": [{"name": "design", "weight": "1"}] * 2}, "/criteria/1/name"),
        ({**TABLE, "preset": "classic_clash", "provider": "oracle"}, "/provider"),
        ({**TABLE, "chairs": [*CHAIRS, {"name": "Ida", "provider": "oracle"}]}, "/chairs/2/provider"),
        ({**TABLE, "preset": "classic_clash", "model": "large"}, "/model"),
        ({**TABLE, "chairs": [*CHAIRS, {"name": "Ida", "model": "large"}]}, "/chairs/2/model"),
        ({**TABLE, "provider": "scripted", "chairs": [*CHAIRS, {"name": "Ida", "provider": "heuristic", "model": "m"}]},
         "/chairs/2/model"),
        ({**BATCH, "model": "large"}, "/model"),
        ({**WANTED, "model": "large"}, "/model"),
        ({**TABLE, "preset": "classic_clash", "rules": {"attack_resistance": "9"}}, "/rules/attack_resistance"),
        ({**TABLE, "preset": "classic_clash", "rules": {"persuasion_factors": {"base": "2"}}},
         "/rules/persuasion_factors/base"),
        ({**TABLE, "preset": "classic_clash", "rules": {"no/ne": "1"}}, "/rules/no~1ne"),
        ({**TABLE, "preset": "classic_clash", "words": {"evidence": ["x" * 41]}}, "/words/evidence"),
        ({**TABLE, "preset": "classic_clash", "words": {"doubt": ["hm"]}}, "/words/doubt"),
    ],
)  # fmt: skip
def test_what_a_debate_cannot_be_points_to_the_very_field(alice, body, pointer):
    rubric_store.store(snapshot={**playing.rubric("U.X/~"), "slug": "other"}, by=None)

    refused = alice.post("/debates/", body)

    assert refused.status_code == 422
    assert [fault["pointer"] for fault in refused.json()["errors"]] == [pointer]


def test_a_scope_that_is_none_is_named():
    factories.person("alice")

    with pytest.raises(CommandError, match="There is no scope 'raed'; the scopes are read, write,"):
        call_command("api_key", "make", "alice", "--name", "Reports", "--scopes", "raed,write")


def test_a_webhook_on_a_debate_that_is_none_names_the_field(alice):
    refused = alice.post("/webhooks/", {"url": "https://example.org/moot", "debate": NOBODYS})

    assert code_of(refused) == (404, "not_found")
    assert refused.json()["detail"] == f"debate: there is no debate {NOBODYS} that you may read."


def test_whoever_brings_no_key_is_told_how_to():
    refused = Api().post("/debates/", WANTED)

    assert code_of(refused) == (401, "not_authenticated")
    assert "Authorization: Bearer KEY" in refused.json()["detail"]


@pytest.mark.parametrize("sign", ["+", "%20"])
def test_a_moment_whose_plus_was_not_escaped_is_told_how_to_write_it(sign):
    score = factories.criterion()

    refused = Api().client.get(f"/api/v1/evaluations/{score.public_id}/?as_of=2027-03-01T12:00:00{sign}00:00")
    written = Api().client.get(f"/api/v1/evaluations/{score.public_id}/?as_of=2027-03-01T12:00:00%2B00:00")

    assert code_of(refused) == (400, "invalid")
    assert "2027-03-01T12:00:00Z" in refused.json()["detail"]
    assert "%2B" in refused.json()["detail"]
    assert written.status_code == 200


def test_a_number_beyond_the_last_entry_shows_a_score_as_it_is():
    score = factories.criterion()
    factories.count(score, "1")

    now, beyond = (Api().get(f"/evaluations/{score.public_id}/", **asked).json() for asked in ({}, {"as_of_entry": 99}))

    assert (beyond["version"], beyond["final"]) == (now["version"], now["final"]) == (2, "7.00")
