"""A fourth format, one package of the tests' own: all that a debate goes through, with one registration and no more."""

import asyncio
import json

import jsonschema
import pytest
from channels.testing import WebsocketCommunicator
from django.db import connections
from django.test import Client
from django.utils import timezone

from config.asgi import application
from debates.live import hub
from debates.models import Debate, Event, Round, Turn
from judging.engine import erasure
from judging.engine.creation import create_draft
from judging.formats import registry
from judging.formats.registry import format_of
from judging.formats.spec import Limits
from judging.models import Call
from scoring import verify
from scoring.models import Alert
from tests import factories, playing
from tests.api.clients import Api, code_of, key_for
from tests.api.test_exports import read
from tests.judging.formats.chorus import Chorus, ChorusSpec
from tests.judging.formats.open.test_verify import lie
from tests.moderators import client_of
from tests.project.source_files import ROOT
from tests.texts import WITHOUT_COLLECTED_FILES, address, words

pytestmark = [pytest.mark.django_db, WITHOUT_COLLECTED_FILES]
ASKED = {"format": Chorus.name, "motion": "A word is said.", "word": "Zanzibar"}
TOLD = [
    "debate:started", "thread:started", "round:started", "turn:added", "turn:added", "round:complete",
    "round:started", "turn:added", "turn:added", "round:complete", "debate:concluding",
    "debate:concluded",
]  # fmt: skip


@pytest.fixture(autouse=True)
def _registered(monkeypatch):
    monkeypatch.setitem(registry.FORMATS, Chorus.name, Chorus())


def created(api, **more):
    answer = api.post("/debates/", ASKED | more)
    assert answer.status_code == 201, answer.content
    return Debate.objects.get(public_id=answer.json()["id"]), answer.json()


def started(api, debate):
    assert api.post(f"/debates/{debate.public_id}/start/").status_code == 200


@pytest.fixture
def api():
    return Api(factories.moderator())


@pytest.fixture
def sung(api):
    """A chorus that was played to its end."""
    debate, _ = created(api)
    started(api, debate)
    playing.work()
    debate.refresh_from_db()
    return debate


def test_it_is_asked_for_and_costed(api):
    debate, answer = created(api, judges=3)

    assert (debate.status, debate.rounds, debate.subject) == ("draft", 2, None)
    assert [judge.name for judge in debate.participants.all()] == ["Judge 1", "Judge 2", "Judge 3"]
    assert answer["cost"] == {"calls": 6, "extra_calls": 0, "extra_tokens": 0, "extra_money": "0.00"}
    assert code_of(api.post("/debates/", ASKED | {"judges": 10})) == (422, "invalid")
    assert code_of(api.post("/debates/", ASKED | {"preset": "three_way_ethics"})) == (400, "unknown_field")
    assert "Chorus 2 verses Created" in words(address(debate))
    assert "2 verses" in words("/")


def test_it_is_started_in_the_admin(api):
    debate, _ = created(api)
    client = client_of(api.owner)
    page = f"/admin/debates/debate/{debate.pk}/start/"

    offered = client.get(page).content.decode()
    client.post(page, {"apply": "1"})

    debate.refresh_from_db()
    assert "At most 4 calls, if nothing fails." in offered
    assert debate.status == "running"


def test_a_limit_of_money_asks_what_its_own_voices_cost(api):
    debate, _ = created(api)

    assert format_of(debate.format).purposes.keys() == {judge.role for judge in debate.participants.all()}


def test_it_is_played_by_a_conductor_that_knows_nothing_of_criteria(sung):
    assert (sung.status, sung.partial) == ("concluded", False)
    assert Turn.objects.filter(debate=sung).count() == Call.objects.count() == 4
    assert Round.objects.filter(closed_at__isnull=False).count() == 2
    assert [event.type for event in Event.objects.order_by("seq")] == TOLD
    assert Event.objects.filter(type="round:complete").first().data == {
        "criterion": "main", "round": 1, "run": 1, "totalRounds": 2,
    }  # fmt: skip


def test_it_is_shown_with_its_result(api, sung):
    page, result = words(address(sung)), words(address(sung, "result/"))
    parts = Client().get(address(sung, "parts/"), {"of": ["heading", "latest"]}).content.decode()
    document = Client().get(address(sung, "result.json")).json()

    assert page.count("Zanzibar") == parts.count("Zanzibar") == 4
    assert "Concluded" in page
    assert "Chorus 2 verses" in result
    assert document["words"] == 4
    assert [judge["name"] for judge in document["judgedBy"]] == ["Judge 1", "Judge 2"]
    assert document == api.get(f"/debates/{sung.public_id}/result/").json()
    jsonschema.validate(document, api.get(f"/results/schemas/{sung.format}/").json())
    assert Client().get(address(sung, "papers/final.md")).status_code == 404


@pytest.mark.django_db(transaction=True)
def test_it_is_watched_while_it_is_played_and_exported(api):
    debate, _ = created(api)

    def play():
        started(api, debate)
        playing.work()
        connections.close_all()

    async def watch():
        socket = WebsocketCommunicator(
            application, f"/ws/debates/{debate.public_id}/", headers=[(b"host", b"testserver")]
        )
        told = []
        try:
            assert (await socket.connect())[0]
            play_on = asyncio.create_task(asyncio.to_thread(play))
            while "debate:concluded" not in [event["type"] for event in told]:
                told += json.loads(await socket.receive_from(timeout=180)).get("events", [])
            await play_on
            await socket.disconnect()
        finally:
            await hub.stop()
        return told

    told = asyncio.run(watch())
    _, lines = asyncio.run(read("/exports/transcripts.jsonl", key_for(api.owner)))

    assert [event["type"] for event in told] == TOLD
    assert [event["data"]["text"] for event in told if event["type"] == "turn:added"] == ["Zanzibar"] * 4
    assert [json.loads(line).get("text") for line in lines.decode().splitlines()] == [*["Zanzibar"] * 4, None]


def test_its_proof_is_part_of_the_proof_of_everything(sung):
    assert verify.verify().faults == ()
    last = {"debate": sung, "round__number": 2, "participant__name": "Judge 2"}

    lied = lie(Turn, participant=sung.participants.get(name="Judge 1"), slot="again", kind="challenge")

    assert Turn.objects.filter(**last).exists()
    assert "no evaluation: Judge 2 said nothing in verse 2" in lied


def test_its_words_are_erased(api, sung):
    erasure.erase(order=erasure.Order(target=sung, by=api.owner, reason="The person has asked for it."))

    assert {turn.text for turn in sung.turns.all()} == {""}
    assert "Zanzibar" not in words(address(sung))
    assert verify.verify().faults == ()


def test_a_judge_who_fails_is_told_of_where_no_score_is_concerned(api):
    spec = ChorusSpec(motion="A word is said.", script=[{"answer": {}}])
    debate = create_draft(spec=spec, by=None, now=timezone.now())
    started(api, debate)

    playing.work()

    debate.refresh_from_db()
    assert (debate.status, debate.partial_reason) == ("concluded", "judge_failed")
    assert Alert.objects.get().evaluation is None


def test_a_budget_binds_any_format(api):
    spec = ChorusSpec(motion="A word is said.", script=[{"answer": {"word": "yes"}}], limits=Limits(calls=3))
    debate = create_draft(spec=spec, by=None, now=timezone.now())
    started(api, debate)

    playing.work()

    debate.refresh_from_db()
    assert (debate.status, debate.partial_reason, Call.objects.count()) == ("concluded", "budget_spent", 2)


def test_the_conductor_and_the_services_of_play_name_nothing_that_is_a_formats_own():
    files = ["conductor.py", "play.py", "lifecycle.py", "calls.py"]
    own = ("Purpose.", "Role.", "Challenge", "Verdict", "challenge", "verdict", "points", "evaluation_id", "persona")

    named = [(file, word) for file in files for word in own if word in (ROOT / "judging" / "engine" / file).read_text()]

    assert named == []


def test_nothing_but_the_registry_and_the_formats_asks_for_a_format_by_its_name():
    files = [path for top in ("judging", "config") for path in (ROOT / top).rglob("*.py")]
    asked = [
        path.relative_to(ROOT).as_posix()
        for path in files
        if any(word in path.read_text() for word in ("Format.CRITERION", "Format.OPEN", "Format.PANEL", ".format =="))
    ]
    templates = [path.name for path in (ROOT / "templates").rglob("*.html") if "format ==" in path.read_text()]

    assert sorted(asked) == [f"judging/formats/{name}/__init__.py" for name in ("criterion", "open", "panel")]
    assert templates == []
