"""What somebody writes at their seat is kept until it is said, and is theirs alone."""

import json
from threading import Thread

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from debates import event_log
from debates.errors import Invalid, NotAllowedNow
from debates.models import TurnDraft
from debates.types import Visibility
from judging.engine import erasure, human_turns, lifecycle
from judging.engine.human_turns import SavedElsewhere
from scoring.errors import NotPermitted
from tests import factories
from tests.api.clients import Api
from tests.judging.formats.open import people
from tests.judging.formats.open.people import SAID
from tests.moderators import client_of
from tests.scoring.concurrency import until_somebody_waits
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.django_db, WITHOUT_COLLECTED_FILES]


@pytest.fixture
def debate():
    return people.waits()


@pytest.fixture
def konrad(debate):
    return people.konrad(debate)


def save(debate, by, text, seen=0, **more):
    now = timezone.now()
    return human_turns.save_draft(seat_id=people.seat_of(debate).pk, by=by, text=text, seen=seen, now=now, **more)


def kept():
    return list(TurnDraft.objects.values_list("text", flat=True))


def newest():
    return TurnDraft.objects.get().pk


def post(debate, person, text, *, draft=0, before=(), awaited="", **headers):
    client = Client(headers=headers)
    client.force_login(person)
    seat = str(people.seat_of(debate).public_id)
    return client.post(
        f"/debates/{debate.public_id}/draft/",
        {"seat": seat, "text": text, "draft": draft, "before": before, "awaited": awaited},
    )


def test_a_draft_is_kept_and_goes_with_what_is_said(debate, konrad):
    save(debate, konrad, "I was ab")
    save(debate, konrad, "I was about to say", seen=newest())
    assert kept() == ["I was about to say"]

    people.speak(debate, konrad, seen=newest())

    assert kept() == []


@pytest.mark.parametrize("typed", [SAID, "Half an hour of other work at the laptop."])
def test_what_a_program_says_takes_no_draft_in_other_words_along(typed, debate, konrad):
    save(debate, konrad, typed)

    answer = Api(konrad, scopes=["write"]).post(
        f"/awaited-turns/{people.awaited(debate).public_id}/speak/", {"text": SAID}
    )

    assert (answer.status_code, kept()) == (201, [] if typed == SAID else [typed])


@pytest.mark.parametrize(
    ("newer", "left"),
    [
        pytest.param(f"{SAID} And an hour of work at the laptop.", 1, id="of another device"),
        pytest.param(f"  {SAID}\r\n", 0, id="of the same words"),
    ],
)
def test_what_another_device_kept_since_outlives_what_is_said(newer, left, debate, konrad):
    first = save(debate, konrad, "I was ab").pk
    save(debate, konrad, newer, seen=first)
    form = {"seat": str(people.seat_of(debate).public_id), "text": SAID, "draft": first}
    client = client_of(konrad)

    spoken = client.post(f"/debates/{debate.public_id}/turn/", form)

    assert (spoken.status_code, kept()) == (302, [newer] * left)


def test_what_was_forfeited_keeps_its_draft(debate, konrad):
    save(debate, konrad, "Nearly there")
    late = people.awaited(debate)
    human_turns.forfeit(thread_id=late.round.thread_id, now=late.deadline)

    assert kept() == ["Nearly there"]


def test_one_device_does_not_write_over_what_another_has_saved_since(debate, konrad):
    first = save(debate, konrad, "From the phone").pk
    save(debate, konrad, "From the phone, longer", seen=first)

    with pytest.raises(SavedElsewhere):
        save(debate, konrad, "From the laptop", seen=first)

    assert kept() == ["From the phone, longer"]
    save(debate, konrad, "From the laptop", seen=newest())
    assert kept() == ["From the laptop"]


def test_words_that_were_kept_while_their_answer_was_lost_are_no_other_device(debate, konrad):
    first = post(debate, konrad, "One", Accept="application/json").json()["draft"]
    post(debate, konrad, "One\ntwo", draft=first)

    more = {"before": ["text=One%0Atwo", "text=Something"], "Accept": "application/json"}
    answer = post(debate, konrad, "One\ntwo three", draft=first, **more)

    assert answer.json() == {"draft": newest()}
    assert kept() == ["One\ntwo three"]
    with pytest.raises(SavedElsewhere):
        save(debate, konrad, "From the laptop", seen=first, before=["One", "One\ntwo"])


def test_a_page_from_before_a_draft_was_taken_away_does_not_write_over_a_new_one(debate, konrad):
    old = save(debate, konrad, "For the opening").pk
    save(debate, konrad, "", seen=old)
    save(debate, konrad, "For the response")

    with pytest.raises(SavedElsewhere):
        save(debate, konrad, "For the opening, longer", seen=old)

    assert kept() == ["For the response"]


def test_what_was_said_is_not_kept_by_a_page_that_comes_late(debate, konrad):
    people.speak(debate, konrad)

    with pytest.raises(NotAllowedNow, match="said already"):
        save(debate, konrad, f" {SAID}\n")

    assert kept() == []


def test_older_words_for_a_turn_that_come_once_it_was_spoken_are_not_kept_for_the_next_one(debate, konrad):
    spoken = str(people.awaited(debate).public_id)
    people.speak(debate, konrad)

    late = post(debate, konrad, SAID[:20], awaited=spoken, Accept="application/json")
    for_the_next = post(debate, konrad, "But then", Accept="application/json")

    assert (late.status_code, "was spoken already" in late.json()["detail"]) == (409, True)
    assert for_the_next.status_code == 200
    assert kept() == ["But then"]


def test_an_emptied_box_leaves_nothing(debate, konrad):
    save(debate, konrad, "Words")
    assert save(debate, konrad, " \n", seen=newest()) is None

    assert kept() == []


@pytest.mark.parametrize("text", ["x" * 32_001, "a null \x00 character"])
def test_what_cannot_be_kept_is_refused(text, debate, konrad):
    with pytest.raises(Invalid):
        save(debate, konrad, text)


def test_nobody_else_writes_or_reads_a_draft(debate, konrad):
    save(debate, konrad, "Mine alone")
    other = factories.moderator("root")
    with pytest.raises(NotPermitted):
        save(debate, other, "Yours", seen=newest())
    address = f"/debates/{debate.public_id}/"
    pages = {}
    for person in (konrad, other):
        client = client_of(person)
        pages[person] = client.get(address).content.decode()

    assert "Mine alone" in pages[konrad]
    assert "Mine alone" not in pages[other]
    assert "Mine alone" not in Client().get(address).content.decode()


def test_the_button_without_a_script_keeps_and_shows_the_draft_again(debate, konrad):
    answer = post(debate, konrad, "Half a thought")
    assert (answer.status_code, answer.headers["Location"]) == (302, f"/debates/{debate.public_id}/#seat-2")

    client = client_of(konrad)
    page = client.get(f"/debates/{debate.public_id}/").content.decode()
    assert ">\nHalf a thought</textarea>" in page
    assert f'name="draft" value="{newest()}"' in page
    assert "Draft kept" in page
    assert "<title>Your turn · " in page
    assert "<title>Konrad to speak · " in Client().get(f"/debates/{debate.public_id}/").content.decode()


def test_a_draft_that_was_changed_elsewhere_comes_back_with_why_and_is_kept_when_sent_again(debate, konrad):
    save(debate, konrad, "From the phone")

    answer = post(debate, konrad, "From the laptop")
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "changed on another device since. Your words are still here." in page
    assert ">\nFrom the laptop</textarea>" in page
    assert f'name="draft" value="{newest()}"' in page

    assert post(debate, konrad, "From the laptop", draft=newest()).status_code == 302
    assert kept() == ["From the laptop"]


def test_a_page_whose_draft_is_older_than_that_of_another_device_says_so_and_keeps_no_draft_by_itself(debate, konrad):
    save(debate, konrad, "From the phone")

    page = post(debate, konrad, "From the laptop").content.decode()
    plain = client_of(konrad)

    assert '#seat-2" data-elsewhere>' in page
    assert "The newer draft of another device was kept" in page
    assert "data-elsewhere" not in plain.get(f"/debates/{debate.public_id}/").content.decode()


def test_a_turn_that_is_refused_goes_on_from_the_draft_that_it_was_sent_with_and_from_none_of_another_device(
    debate, konrad
):
    save(debate, konrad, "From the phone")

    client = client_of(konrad)
    seat = str(people.seat_of(debate).public_id)
    answer = client.post(f"/debates/{debate.public_id}/turn/", {"seat": seat, "text": "x" * 8_001, "draft": "0"})
    page = answer.content.decode()

    assert answer.status_code == 422
    assert 'name="draft" value="0"' in page
    assert "data-elsewhere" not in page


@pytest.mark.parametrize("way", ["turn", "draft"])
def test_words_for_a_private_debate_that_come_when_nobody_is_signed_in_any_more_are_shown_as_a_copy(way):
    debate = people.waits(visibility=Visibility.PRIVATE)
    seat = str(people.seat_of(debate).public_id)

    answer = Client().post(f"/debates/{debate.public_id}/{way}/", {"seat": seat, "text": SAID})

    assert answer.status_code == 403
    assert f">\n{SAID}</textarea>" in answer.content.decode()
    assert f'/accounts/login/?next=/debates/{debate.public_id}/"' in answer.content.decode()
    assert kept() == []


def test_a_script_is_answered_with_the_number(debate, konrad):
    json_please = {"Accept": "application/json"}

    first = post(debate, konrad, "Words", **json_please)
    again = post(debate, konrad, "Other words", **json_please)
    away = post(debate, factories.person("carol"), "Words", **json_please)

    assert json.loads(first.content) == {"draft": newest()}
    assert (again.status_code, again.json()["code"], again.json()["draft"]) == (409, "saved_elsewhere", newest())
    assert away.status_code == 403


def test_words_that_come_when_the_debate_is_over_come_back_with_why(debate, konrad):
    turn = str(people.awaited(debate).public_id)
    lifecycle.stop(debate_id=debate.pk, by=None, reason=factories.REASON, now=timezone.now())
    client = client_of(konrad)
    seat = str(people.seat_of(debate).public_id)

    answer = client.post(f"/debates/{debate.public_id}/turn/", {"seat": seat, "text": SAID, "awaited": turn})

    assert answer.status_code == 409
    assert "Nothing more is said in this debate; it is over." in answer.content.decode()
    assert f">\n{SAID}</textarea>" in answer.content.decode()


@pytest.mark.django_db(transaction=True)
def test_no_words_come_back_into_a_debate_that_is_over(debate, konrad):
    seat = people.seat_of(debate)
    lifecycle.cancel(debate_id=debate.pk, by=None, now=timezone.now())
    erasure.erase(order=erasure.Order(target=debate, by=factories.moderator(), reason=factories.REASON))

    with pytest.raises(NotAllowedNow, match="it is over"):
        human_turns.save_draft(seat_id=seat.pk, by=konrad, text="Erased words", seen=0, now=timezone.now())

    assert kept() == []
    human_turns.save_draft(seat_id=seat.pk, by=konrad, text=" ", seen=0, now=timezone.now())


@pytest.mark.django_db(transaction=True)
def test_a_draft_that_is_saved_while_its_words_are_said_does_not_come_back(debate, konrad, monkeypatch):
    draft, append, savings = save(debate, konrad, SAID[:40]).pk, event_log.append, []

    def save_beside():
        try:
            save(debate, konrad, SAID[:50], seen=draft)
        except NotAllowedNow:
            pass
        finally:
            connection.close()

    def append_late(**news):
        monkeypatch.undo()
        savings.append(Thread(target=save_beside))
        savings[0].start()
        until_somebody_waits()
        return append(**news)

    monkeypatch.setattr(event_log, "append", append_late)
    people.speak(debate, konrad, awaited=people.awaited(debate).public_id, seen=draft)
    savings[0].join()

    assert kept() == []
