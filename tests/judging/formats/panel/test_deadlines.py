"""Whoever conducts a debate moves the deadline of those who are awaited, for all alike, before it has passed."""

from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone

from debates.errors import Invalid, NotAllowedNow
from debates.mail import texts
from debates.models import AwaitedTurn, Debate, Event, Mail, Thread
from debates.selectors import awaited_turns
from judging.engine import human_turns, lifecycle
from judging.errors import TooLate
from scoring.errors import NotPermitted
from tests import factories, playing
from tests.api.clients import Api, code_of
from tests.judging.formats.panel.play import AGREEING, alone, answer, played
from tests.judging.formats.panel.seats import PERSON, SCRIPT, awaited, give, seat_of, sit, waits
from tests.judging.formats.panel.small_panel import analysis
from tests.moderators import client_of, words
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.django_db, WITHOUT_COLLECTED_FILES]
DAY = timedelta(days=1)


@pytest.fixture
def olga():
    return User.objects.create_user("olga")


@pytest.fixture
def debate(olga):
    made = waits([answer(3, 0, analysis(*AGREEING[2]))])
    Debate.objects.filter(pk=made.pk).update(created_by=olga)
    made.refresh_from_db()
    return made


def move(debate, by, deadline, now=None):
    return human_turns.move_deadline(debate_id=debate.pk, by=by, deadline=deadline, now=now or timezone.now())


def test_a_deadline_is_moved_for_all_alike_also_for_who_has_given_a_ballot(debate, olga):
    ida, bot = sit(debate, 1, "ida"), sit(debate, 2, "bot")
    give(debate, 1, ida, analysis(*AGREEING[0]))
    before, until = {row.participant_id: row for row in AwaitedTurn.objects.all()}, timezone.now() + 5 * DAY

    move(debate, olga, until)

    newest = [awaited(debate, number) for number in (1, 2)]
    assert [(row.number, row.deadline) for row in newest] == [(2, until), (2, until)]
    assert [row.at for row in newest] == [before[row.participant_id].at for row in newest]
    assert {row.state for row in awaited_turns().filter(number=2)} == {"waiting"}
    told = Event.objects.filter(type="turn:awaited", data__deadline=until.isoformat())
    assert {event.data["awaited"] for event in told} == {str(row.public_id) for row in newest}
    assert not human_turns.forfeit(thread_id=Thread.objects.get().pk, now=timezone.now() + 4 * DAY)
    give(debate, 2, bot, analysis(*AGREEING[1]), now=timezone.now() + 4 * DAY)
    playing.work()
    debate.refresh_from_db()
    assert debate.status == "concluded"


def test_who_still_has_to_judge_is_written_to_and_reminded_by_the_new_deadline(debate, olga):
    ida = sit(debate, 1, "ida")
    until = timezone.now() + 5 * DAY

    move(debate, olga, until)

    row = awaited(debate, 1)
    mails = {mail.kind: mail for mail in Mail.objects.filter(about=str(row.public_id), person=ida)}
    assert set(mails) == {"turn", "reminder"}
    assert mails["reminder"].due_at == until - DAY
    assert "You now have until" in texts.words_of(mails["turn"], now=timezone.now()).sentences[0]
    old = Mail.objects.filter(person=ida).exclude(about=str(row.public_id))
    for mail in old:
        with pytest.raises(texts.Withdrawn):
            texts.words_of(mail, now=timezone.now())


def test_the_address_of_the_first_mail_says_until_when_the_ballot_is_awaited_now(debate, olga):
    ida, old = sit(debate, 1, "ida"), awaited(debate, 1)
    until = (timezone.now() + DAY / 2).replace(microsecond=0)
    client, at = client_of(ida), reverse("ballot", args=[debate.public_id, seat_of(debate, 1).public_id])
    move(debate, olga, until)

    page = client.get(f"{at}?turn={old.public_id}")
    paper = Api(ida).get(f"/awaited-turns/{old.public_id}/ballot/").json()

    assert page.context["paper"].awaited.deadline == until
    assert "What else awaits you here" not in page.content.decode()
    assert (paper["awaited"], datetime.fromisoformat(paper["deadline"])) == (str(awaited(debate, 1).public_id), until)


def test_nobody_is_reminded_at_once_of_a_deadline_that_comes_nearer(debate, olga):
    sit(debate, 1, "ida")

    move(debate, olga, timezone.now() + timedelta(minutes=10))

    assert [mail.kind for mail in Mail.objects.filter(about=str(awaited(debate, 1).public_id))] == ["turn"]


def test_after_a_pause_the_whole_time_is_that_which_was_moved(debate, olga):
    began = awaited(debate, 1).at
    until = began + 10 * DAY
    move(debate, olga, until)

    lifecycle.pause(debate_id=debate.pk, by=olga, now=timezone.now())
    with pytest.raises(NotAllowedNow, match="its clock stands still"):
        move(debate, olga, until + DAY)
    now = timezone.now()
    lifecycle.resume(debate_id=debate.pk, by=olga, now=now)

    assert awaited(debate, 1).deadline == now + 10 * DAY


@pytest.mark.parametrize(
    "ahead",
    [
        pytest.param(timedelta(0), id="now"),
        pytest.param(-DAY, id="in the past"),
        pytest.param(31 * DAY, id="after more than 30 days"),
    ],
)
def test_a_deadline_is_in_the_next_thirty_days(debate, olga, ahead):
    now = timezone.now()

    with pytest.raises(Invalid, match="at most 30 days ahead"):
        move(debate, olga, now + ahead, now)

    assert not AwaitedTurn.objects.filter(number=2).exists()


def test_what_has_passed_is_not_moved_and_where_nobody_is_awaited_nothing_is(debate, olga):
    late, over = timezone.now() + 4 * DAY, played(alone(*AGREEING))

    with pytest.raises(TooLate):
        move(debate, olga, late + DAY, late)
    with pytest.raises(NotAllowedNow, match="Nobody is awaited"):
        move(over, factories.moderator("root"), late)


def test_a_judge_moves_no_deadline(debate):
    with pytest.raises(NotPermitted):
        move(debate, sit(debate, 1, "ida"), timezone.now() + 5 * DAY)


def test_the_page_and_the_api_move_it_and_say_what_is_wrong(debate, olga):
    client, at = client_of(olga), reverse("conduct-debate", args=[debate.public_id, "deadline"])
    api, path = Api(olga), f"/debates/{debate.public_id}/deadline/"
    until = (timezone.now() + 2 * DAY).replace(microsecond=0, second=0)

    asked = client.get(at)
    refused = client.post(at, {"deadline": "2020-01-01T10:00"})
    done = client.post(at, {"deadline": f"{timezone.localtime(until):%Y-%m-%dT%H:%M}"})
    by_page = awaited(debate, 1).deadline
    by_api = api.post(path, {"deadline": (until + DAY).isoformat()})

    assert f"{timezone.localtime(awaited_first(debate)):%Y-%m-%dT%H:%M}" in asked.content.decode()
    assert (refused.status_code, "at most 30 days ahead" in words(refused)) == (422, True)
    assert 'value="2020-01-01T10:00"' in refused.content.decode()
    assert (done.status_code, by_page) == (302, until)
    assert (by_api.status_code, awaited(debate, 1).deadline) == (200, until + DAY)
    assert code_of(api.post(path, {"deadline": "2020-01-01T10:00:00Z"})) == (422, "invalid")
    assert code_of(Api(sit(debate, 1, "ida")).post(path, {"deadline": until.isoformat()})) == (403, "not_permitted")


def awaited_first(debate):
    return AwaitedTurn.objects.filter(participant=seat_of(debate, 1)).earliest("id").deadline


def test_a_panel_of_one_person_is_played_on_after_a_moved_deadline_has_passed(olga):
    made = waits([answer(2, 0, analysis("4", "4")), answer(3, 0, analysis("4", "4"))], sits=(PERSON, SCRIPT, SCRIPT))
    Debate.objects.filter(pk=made.pk).update(created_by=olga)
    until = timezone.now() + timedelta(minutes=1)
    move(made, olga, until)

    assert human_turns.forfeit(thread_id=Thread.objects.get().pk, now=until)
    playing.work()

    made.refresh_from_db()
    assert made.status == "concluded"
