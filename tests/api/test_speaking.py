"""Speaking through the API: a seat's turn is found, taken once, and refused with a reason."""

import json
import re
import subprocess
import threading

import pytest
from django.db import connections
from django.utils import timezone

from debates.models import Turn
from debates.services import seats
from debates.types import Visibility
from judging.engine import human_turns, lifecycle
from tests import factories, playing
from tests.api.clients import Api, code_of, key_for
from tests.judging.formats.open.people import SAID, awaited, konrad, seat_of, waits
from tests.project.source_files import ROOT
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True), WITHOUT_COLLECTED_FILES]


def test_a_turn_is_found_and_taken_once_however_often_it_is_sent():
    debate = waits(kind="external")
    api, seat = Api(konrad(debate), scopes=["read", "write"]), seat_of(debate)
    [found] = api.get("/awaited-turns/", participant=str(seat.public_id), state="waiting").json()["results"]
    assert (found["debate"], found["kind"], found["round"], found["turn"]) == (
        str(debate.public_id), "opening", 0, None,
    )  # fmt: skip
    at = f"/awaited-turns/{found['id']}/"

    first, again = (api.post(f"{at}speak/", {"text": SAID}, Idempotency_Key="once") for _ in range(2))
    unkeyed = api.post(f"{at}speak/", {"text": f" {SAID}\r\n"})

    assert [one.status_code for one in (first, again, unkeyed)] == [201, 201, 201]
    assert first.json() == again.json() == unkeyed.json()
    assert again.headers["Idempotency-Replayed"] == "true"
    assert (first.json()["text"], first.json()["participant"]) == (SAID, str(seat.public_id))
    shown = api.get(at).json()
    assert (shown["state"], shown["turn"]) == ("spoken", first.json()["id"])
    assert code_of(api.post(f"{at}speak/", {"text": "Quite another thing."})) == (409, "turn_taken")
    assert Turn.objects.filter(participant=seat).count() == 1


def test_what_is_no_turn_is_refused_with_a_reason():
    debate = waits(visibility=Visibility.PRIVATE)
    first = awaited(debate)
    at = f"/awaited-turns/{first.public_id}/"
    person = konrad(debate)
    api = Api(person)

    assert code_of(Api(factories.moderator("root")).post(f"{at}speak/", {"text": SAID})) == (403, "not_permitted")
    assert code_of(Api(factories.person("bob")).post(f"{at}speak/", {"text": SAID})) == (404, "not_found")
    assert code_of(Api().post(f"{at}speak/", {"text": SAID})) == (401, "not_authenticated")
    assert code_of(Api(person, scopes=["read"]).post(f"{at}speak/", {"text": SAID})) == (403, "missing_scope")
    assert code_of(api.post(f"{at}speak/", {"text": "Too short"})) == (422, "invalid")
    assert code_of(api.post(f"{at}speak/", {"text": "x" * 8_001})) == (422, "invalid")
    assert "at most 8,000 characters" in api.post(f"{at}speak/", {"text": "x" * 32_001}).content.decode()
    assert code_of(api.post(f"{at}speak/", {})) == (400, "invalid")
    lifecycle.pause(debate_id=debate.pk, by=None, now=timezone.now())
    assert api.get(at).json()["state"] == "paused"
    assert code_of(api.post(f"{at}speak/", {"text": SAID})) == (409, "not_allowed_now")
    lifecycle.resume(debate_id=debate.pk, by=None, now=timezone.now())
    assert api.get(at).json()["state"] == "over"
    human_turns.forfeit(thread_id=debate.threads.get().pk, now=awaited(debate).deadline)
    states = [one["state"] for one in api.get("/awaited-turns/", debate=str(debate.public_id)).json()["results"]]
    assert states == ["forfeited", "forfeited"]
    assert code_of(api.post(f"{at}speak/", {"text": SAID})) == (409, "too_late")


def test_a_program_takes_part_as_the_page_says(live_server):
    debate = waits(kind="external")
    invitation = seats.invite(participant_id=seat_of(debate).pk, by=None)
    key = key_for(factories.person("carol"), scopes=["read", "write"])
    over = threading.Event()
    worker = threading.Thread(target=work_until, args=[over])
    worker.start()

    told = subprocess.run(
        ["bash", "-eu", "-o", "pipefail", "-c", commands_of_the_page()],
        env={"MOOT": live_server.url, "KEY": key, "INVITATION": invitation, "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
        timeout=180,
    )
    over.set()
    worker.join()

    assert told.returncode == 0, told.stderr
    assert told.stdout.splitlines()[:2] == ["opening", "response"]
    assert Turn.objects.filter(participant=seat_of(debate), text__startswith="I grant that").count() == 2


def test_a_program_is_shown_why_it_is_refused(live_server):
    key = key_for(factories.person("carol"), scopes=["read", "write"])

    told = subprocess.run(
        ["bash", "-eu", "-o", "pipefail", "-c", commands_of_the_page()],
        env={"MOOT": live_server.url, "KEY": key, "INVITATION": "no-invitation", "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
        timeout=180,
    )

    assert told.returncode == 1
    assert json.loads(told.stderr.splitlines()[-1])["code"] == "invalid"


def commands_of_the_page() -> str:
    """Return what the page has programs do, as one script."""
    page = (ROOT / "docs" / "how-to" / "take-part.md").read_text(encoding="utf-8")
    return "\n".join(re.findall(r"^```sh\n(.*?)^```", page, flags=re.DOTALL | re.MULTILINE))


def work_until(over: threading.Event) -> None:
    """Work as a worker does until somebody says that it is over."""
    while not over.wait(0.05):
        playing.work()
    connections.close_all()
