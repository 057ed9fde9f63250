"""Open debates through the API: created, refused by name, and everything that their judging left, filtered."""

import json
from pathlib import Path

import jsonschema
import pytest

from debates.models import Debate
from judging.formats.registry import format_of
from judging.models import ResponseEvaluation
from tests import factories
from tests.api.clients import Api, code_of
from tests.judging.formats.open.playing import of_preset, played
from tests.judging.formats.open.scripts import script

pytestmark = pytest.mark.django_db
WANTED = {"format": "open", "motion": "Cities should make public transport free.", "preset": "three_way_ethics"}
CHAIRS = [{"name": "Lena", "stance": "-0.8"}, {"name": "Tomas", "stance": "0.7", "framework": "communitarian"}]


@pytest.fixture
def alice():
    return Api(factories.person("alice", permissions=["debates.add_debate"]))


def test_a_debate_of_a_preset_is_created_and_started(alice):
    made = alice.post("/debates/", WANTED)
    started = alice.post(f"/debates/{made.json()['id']}/start/")

    assert (made.status_code, started.json()["status"]) == (201, "running")
    assert (made.json()["format"], made.json()["motion"]) == ("open", WANTED["motion"])


def test_chairs_of_ones_own_and_every_option_are_kept(alice):
    options = {
        "exchanges": 5, "tone": "heated", "introduction": False, "judging": "full", "accountability": "relaxed",
        "effects": "words", "rule_set": "firm", "credit": "earned",
        "rules": {"surrender_threshold": "0.3", "consecutive_persuasion": 4}, "words": {"attack": ["nonsense"]},
    }  # fmt: skip
    wanted = {key: value for key, value in WANTED.items() if key != "preset"}

    made = alice.post("/debates/", {**wanted, **options, "chairs": CHAIRS, "limits": {"calls": 9}})

    debate = Debate.objects.get(public_id=made.json()["id"])
    table = debate.parameters["table"]
    assert made.json()["limits"]["calls"] == 9
    assert debate.rounds == 5
    assert [one["name"] for one in table["chairs"]] == ["Lena", "Tomas"]
    assert {name: table[name] for name in ("tone", "judging", "accountability", "credit")} == {
        name: options[name] for name in ("tone", "judging", "accountability", "credit")
    }
    assert table["rules"]["persuaded_conviction"] == "0.3"
    assert "nonsense" in table["words"]["attack"]


@pytest.mark.parametrize(
    ("names", "arbiter"),
    [(("Lena", "Tomas"), "Arbiter"), (("arbiter", "Ben"), "Judge"), (("Arbiter", "Judge"), "Arbiter 1")],
)
def test_the_arbiter_is_called_as_nobody_at_the_table(alice, names, arbiter):
    wanted = {key: value for key, value in WANTED.items() if key != "preset"}

    made = alice.post("/debates/", {**wanted, "chairs": [{"name": name} for name in names]})

    people = Debate.objects.get(public_id=made.json()["id"]).participants
    assert made.status_code == 201
    assert list(people.filter(role="arbiter").values_list("name", flat=True)) == [arbiter]


@pytest.mark.parametrize(
    ("switched", "idle"),
    [
        (
            {"persuasion": False},
            {"effects": "words", "rule_set": "classic", "rules": {}, "words": {}, "credit": "shared"},
        ),
        ({"judging": "off"}, {"accountability": "moderate", "interjections": True, "judge_concurrency": 3}),
        ({"judging": "quick"}, {"accountability": "moderate", "interjections": False, "judge_concurrency": 3}),
        ({"interjections": False}, {"accountability": "moderate"}),
    ],
    ids=str,
)
def test_keys_without_effect_are_refused_by_name(alice, switched, idle):
    made = alice.post("/debates/", {**WANTED, **switched, **idle})

    assert made.status_code == 400
    assert {fault["pointer"] for fault in made.json()["errors"]} == {f"/{name}" for name in idle}


def test_how_many_effects_are_judged_at_once_is_chosen_where_nothing_else_is_judged(alice):
    judged = {"judging": "quick", "effects": "judge", "judge_concurrency": 5}

    made = alice.post("/debates/", {**WANTED, **judged})

    assert made.status_code == 201
    debate = Debate.objects.get(public_id=made.json()["id"])
    asked = format_of(debate.format).request_of(debate=debate)
    assert {name: asked[name] for name in judged} == judged


@pytest.mark.parametrize(
    ("change", "status", "told"),
    [
        pytest.param({"motion": "Why?"}, 422, "motion must have at least 10", id="a short motion"),
        pytest.param({"preset": "duel"}, 400, "preset", id="an unknown preset"),
        pytest.param({"chairs": CHAIRS}, 422, "chairs and preset: give one", id="both"),
        pytest.param({"preset": None}, 400, "preset", id="a preset that is none"),
        pytest.param({"exchanges": 31}, 400, "exchanges", id="too many exchanges"),
        pytest.param({"rules": {"gravity": "1"}}, 422, "gravity", id="a rule without effect"),
        pytest.param({"words": {"praise": ["good"]}}, 422, "praise", id="a list that is not there"),
        pytest.param({"subject": "A text."}, 400, "subject", id="a field of another format"),
        pytest.param({"format": "duel"}, 400, "format", id="an unknown format"),
        pytest.param({"provider": "oracle"}, 422, "oracle", id="an unknown provider"),
    ],
)
def test_what_cannot_be_played_is_refused_by_name_and_leaves_nothing(alice, change, status, told):
    refused = alice.post("/debates/", {**WANTED, **change})

    assert code_of(refused)[0] == status
    assert told in refused.content.decode()
    assert Debate.objects.count() == 0


@pytest.mark.parametrize(
    ("chair", "status", "told"),
    [
        pytest.param({"name": "Otto", "stance": "2"}, 422, "chairs, 3: stance", id="a stance beyond 1"),
        pytest.param({"name": "Otto", "stance": 0.5}, 400, "stance", id="a binary float"),
        pytest.param({"name": "Otto", "framwork": "care_ethics"}, 400, "framwork", id="a field that there is not"),
        pytest.param({"name": "lena"}, 422, "lena is named more than once", id="a name that is taken"),
    ],
)
def test_a_chair_that_cannot_sit_is_refused_by_name(alice, chair, status, told):
    wanted = {key: value for key, value in WANTED.items() if key != "preset"}

    refused = alice.post("/debates/", {**wanted, "chairs": [*CHAIRS, chair]})

    assert code_of(refused)[0] == status
    assert told in refused.content.decode()


@pytest.mark.slow
def test_what_judging_left_is_listed_and_filtered():
    debate = of_preset("three_way_ethics", exchanges=2)
    played(exchanges=1)
    api, of = Api(), {"debate": str(debate.public_id)}
    mira = str(debate.participants.get(name="Mira").public_id)

    def rows(path, **query):
        return api.get(f"/{path}/", **of, **query).json()["results"]

    [first, *_] = rows("response-evaluations", participant=mira)
    assert len(rows("response-evaluations")) == 6
    row = ResponseEvaluation.objects.get(public_id=first["id"])
    assert (first["consistent"], first["quick_steel_manning"]) == (True, row.quick_steel_manning)
    assert set(first["marks"]) == {"steel_manning", "self_critique", "consistency", "honesty"}
    assert api.get(f"/response-evaluations/{first['id']}/").json() == first
    assert len(rows("effects", speaker=mira, round=1)) == 2
    assert rows("states", participant=mira)[0]["number"] == 0
    assert len(rows("states", round=2)) == len(rows("effects", round=2))
    assert [one["round"] for one in rows("standings", participant=mira)] == [0, 1, 2]
    assert {one["strategy"] for one in rows("turns", kind="response")} <= {
        "analytical", "aggressive", "defensive", "empathetic"
    }  # fmt: skip
    assert api.get("/effects/", speaker="nobody").status_code == 400


def test_a_list_is_paged_without_a_gap():
    debate = of_preset("three_way_ethics", exchanges=2)
    api, found = Api(), []
    page = api.get("/effects/", debate=str(debate.public_id), page_size=5).json()
    while page["results"]:
        found += page["results"]
        page = api.client.get(page["next"]).json() if page["next"] else {"results": []}

    assert len(found) == len({(one["turn"], one["listener"]) for one in found}) == 12


def test_a_private_debate_is_judged_in_private():
    debate = played(exchanges=1)
    Debate.objects.filter(pk=debate.pk).update(visibility="private")

    for path in ("response-evaluations", "effects", "states", "standings"):
        assert Api().get(f"/{path}/").json()["results"] == []


@pytest.mark.parametrize("wanted", [{}, {"persuasion": False}, {"judging": "off"}], ids=str)
def test_the_result_is_what_its_schema_says_and_the_same_each_time(wanted):
    silent = {"purpose": "respond", "thread": "Konrad", "answer": {"text": "", "quotes": []}}
    debate = played(provider="scripted", script=script(silent), exchanges=1, **wanted)
    kept = Path(__file__).parents[2] / "judging" / "formats" / "documents" / "open.schema.json"

    answers = {Api().get(f"/debates/{debate.public_id}/result/").content for _ in range(3)}

    assert len(answers) == 1
    document = json.loads(answers.pop())
    jsonschema.Draft202012Validator(json.loads(kept.read_text(encoding="utf-8"))).validate(document)
    spoken = {"Mira"} if wanted.get("judging") != "off" else set()
    assert {one["name"] for one in document["participants"] if one["consistent"] is not None} == spoken
