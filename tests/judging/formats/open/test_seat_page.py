"""A person's way through the pages: the invitation, the seat, the turn; without a script as well."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from debates.models import Debate, Participant, Turn
from debates.services import seats
from debates.types import Visibility
from judging.engine import human_turns, lifecycle
from judging.pages import participants
from judging.templatetags.numbers import time_left
from tests import factories
from tests.judging.erasure.erase import erase
from tests.judging.formats.open.people import SAID, awaited, konrad, seat_of, waits
from tests.judging.formats.open.playing import KONRAD, MIRA
from tests.moderators import client_of
from tests.playing import work
from tests.texts import WITHOUT_COLLECTED_FILES, address, html

pytestmark = [pytest.mark.slow, pytest.mark.django_db, WITHOUT_COLLECTED_FILES]
NOW = timezone.now()


def main(response):
    return response.content.decode().split("<main", 1)[1]


def fields(debate, text, **more):
    return {"seat": str(seat_of(debate).public_id), "awaited": str(awaited(debate).public_id), "text": text, **more}


@pytest.mark.parametrize(("framework", "says"), [("care_ethics", "; your framework: care ethics"), ("", "")])
def test_a_seat_names_its_framework_where_it_has_one(framework, says):
    seat = Participant(name="Konrad")
    debate = Debate(parameters={"table": {"chairs": [{"name": "Konrad", "stance": "-0.6", "framework": framework}]}})

    assert participants.side_of(debate=debate, participant=seat) == f"against the motion{says}"


def test_an_invitation_leads_to_the_seat_once():
    debate = waits(visibility=Visibility.PRIVATE)
    at = f"/seats/{seats.invite(participant_id=seat_of(debate).pk, by=None)}/"
    bob, carol = client_of(factories.person("bob")), client_of(factories.person("carol"))

    visited = main(Client().get(at))
    assert "to speak as <strong>Konrad</strong> in" in visited
    assert 'href="/accounts/login/?next=%2Fseats%2F' in visited
    assert "<form" not in visited
    assert Client().post(at).headers["Location"].startswith("/accounts/login/?next=/seats/")
    assert "to speak as <strong>Konrad</strong> in" in main(bob.get(at))
    assert seat_of(debate).user is None
    taken = bob.post(at)

    assert (taken.status_code, taken.headers["Location"]) == (302, f"{address(debate)}#seat-2")
    assert bob.get(at).headers["Location"] == taken.headers["Location"]
    assert "You speak here as Konrad" in main(bob.get(address(debate)))
    refused = carol.get(at)
    assert (refused.status_code, "good once" in main(refused)) == (410, True)
    for stranger in (carol, Client()):
        for answer in (stranger.get("/seats/nonsense/"), stranger.post("/seats/nonsense/")):
            assert (answer.status_code, "none of ours" in main(answer)) == (410, True)
    assert carol.get(address(debate)).status_code == 404


def test_an_invitation_counts_no_turn_that_is_over():
    debate = waits(
        exchanges=1, chairs=(replace(KONRAD, kind="human"), replace(KONRAD, name="Lena", kind="human"), MIRA)
    )
    at, bob = f"/seats/{seats.invite(participant_id=seat_of(debate).pk, by=None)}/", client_of(factories.person("bob"))
    offered = []
    for _ in range(4):
        offered.append(main(bob.get(at)).split("everybody responds once. ")[1].split("</dd>")[0])
        human_turns.forfeit(thread_id=debate.threads.get().pk, now=awaited(debate).deadline)
        work()

    left = "You speak up to 1 time from now on, in plain text."
    over = "All turns of this seat are over: you would speak no more."
    assert offered == ["You speak up to 2 times, in plain text.", left, left, over]


def test_a_person_speaks_on_the_page_and_what_is_refused_comes_back_with_the_reason():
    debate = waits()
    bob, visitor = client_of(konrad(debate)), Client()
    at = address(debate, "turn/")
    shown = main(bob.get(address(debate)))
    assert "<strong>It is your turn:</strong> your opening." in shown
    assert "59 min</span> left" in shown
    speaker = f'<strong data-speaker="{seat_of(debate).public_id}">Konrad</strong>'
    assert f"{speaker} is to speak: the opening." in main(visitor.get(address(debate)))
    assert "You speak here" not in main(visitor.get(address(debate)))

    short = bob.post(at, fields(debate, "\n<b>short"))
    stranger = visitor.post(at, fields(debate, SAID))

    assert short.status_code == 422
    assert "text must have at least 10 characters; got 8. Your words are still here." in main(short)
    assert ">\n\n&lt;b&gt;short</textarea>" in main(short)
    assert (stranger.status_code, SAID in main(stranger)) == (403, True)
    assert "sign in</a>, and send them again" in main(stranger)
    done = bob.post(at, fields(debate, SAID, awaited=""))
    assert (done.status_code, done.headers["Location"]) == (302, f"{address(debate)}#seat-2")
    assert Turn.objects.get(participant=seat_of(debate)).text == SAID
    shown = main(bob.get(address(debate)))
    assert "Your opening was taken down" in shown
    assert "It is not your turn. You may write already" in shown


def test_a_form_that_names_no_turn_and_is_sent_twice_is_spoken_once():
    debate = waits(exchanges=2)
    bob, seat, at = client_of(konrad(debate)), seat_of(debate), address(debate, "turn/")
    unnamed = fields(debate, SAID, awaited="")
    spoken = Turn.objects.filter(participant=seat).values_list("kind", "text")

    for _ in range(2):
        answer = bob.post(at, unnamed)
        assert (answer.status_code, answer.headers["Location"]) == (302, f"{address(debate)}#seat-2")
        work()

    assert list(spoken.all()) == [("opening", SAID)]
    bob.post(at, fields(debate, SAID))
    work()
    assert list(spoken.all()) == [("opening", SAID), ("response", SAID)]
    lifecycle.stop(debate_id=debate.pk, by=None, reason="It has lasted long enough.", now=NOW)
    assert bob.post(at, unnamed).status_code == 302


def test_after_the_last_turn_of_a_seat_nobody_is_asked_to_write_another():
    debate = waits(exchanges=1, chairs=(replace(KONRAD, kind="human"), replace(KONRAD, name="Lena", kind="human")))
    bob = client_of(konrad(debate))

    bob.post(address(debate, "turn/"), fields(debate, SAID))
    work()
    assert "You may write already" in main(bob.get(address(debate)))
    for _ in range(2):
        human_turns.forfeit(thread_id=debate.threads.get().pk, now=awaited(debate).deadline)
        work()

    shown = main(bob.get(address(debate)))
    assert "That was your last turn: Konrad speaks no more in this debate." in shown
    assert "You may write already" not in shown


def test_the_seat_tells_how_it_stands_when_it_is_paused_forfeited_and_over():
    debate = waits()
    bob = client_of(konrad(debate))
    lifecycle.pause(debate_id=debate.pk, by=None, now=NOW)
    assert "the debate is paused. When it goes on" in main(bob.get(address(debate)))
    assert "The clock stands still" in main(Client().get(address(debate)))
    lifecycle.resume(debate_id=debate.pk, by=None, now=NOW)

    first = fields(debate, SAID)
    human_turns.forfeit(thread_id=debate.threads.get().pk, now=awaited(debate).deadline)
    work()

    late = bob.post(address(debate, "turn/"), first)
    assert (late.status_code, "it was forfeited" in main(late).lower()) == (409, True)
    assert SAID in main(late)
    assert "Your time for the opening was up; that turn was forfeited." in main(late)
    assert "your response in exchange 1" in main(late)
    lifecycle.stop(debate_id=debate.pk, by=None, reason="It has lasted long enough.", now=NOW)
    over = main(bob.get(address(debate)))
    assert ("Nothing more is said in this debate." in over, "<textarea" in over) == (True, False)


def test_the_motion_over_a_seat_is_drawn_anew_with_how_it_stands():
    debate = waits(title="The ward")

    assert f"On “{debate.motion}”" in html(address(debate, "parts/?of=seat-2"))


def test_the_name_over_a_seat_is_drawn_anew_once_it_is_erased():
    debate = waits()
    bob, seat = client_of(konrad(debate)), seat_of(debate)
    Debate.objects.filter(pk=debate.pk).update(status="cancelled")
    erase(seat, factories.person("root", superuser=True))

    part = bob.get(address(debate, "parts/?of=seat-2")).content.decode()

    assert ("You speak here as [erased 2]" in part, "Konrad" in part) == (True, False)


def test_a_form_that_is_none_of_ours_finds_nothing():
    debate = waits()
    bob = client_of(konrad(debate))

    for wrong in ({"seat": "x"}, {"seat": str(debate.public_id)}, {**fields(debate, SAID), "awaited": "x"}):
        assert bob.post(address(debate, "turn/"), wrong).status_code == 404
    assert bob.get(address(debate, "turn/")).status_code == 405


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        pytest.param(-5, "0 s", id="over"),
        pytest.param(119.9, "119 s", id="seconds"),
        pytest.param(120, "2 min", id="minutes"),
        pytest.param(3_600, "1 h 0 min", id="hours"),
        pytest.param(200_000, "2 d 7 h", id="days"),
    ],
)
def test_the_time_that_is_left_is_told_in_two_units(seconds, told):
    assert time_left(NOW + timedelta(seconds=seconds), NOW) == told
