"""Who is written to about what, as debates are played and moderated."""

from datetime import timedelta

import pytest
from django.utils import timezone

from debates.mail import texts
from debates.models import Mail, Membership, Profile, TurnDraft
from judging.engine import creation, human_turns
from judging.models import PlannedStart
from tests import acts, factories, playing
from tests.judging.formats.open import people
from tests.judging.formats.panel.play import APART, alone, panel
from tests.playing import work

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


@pytest.fixture
def konrad():
    """Somebody with an address who sits in a debate that waits for him."""

    def sit(**options):
        debate = people.waits(**options)
        person = people.konrad(debate)
        person.email = "konrad@example.org"
        person.save()
        return debate, person

    return sit


def written():
    return sorted(Mail.objects.values_list("kind", "person__username"))


def subjects(sink):
    return sorted((to, str(message["Subject"])) for to, message in sink.mails)


def plain(sink, number=-1):
    return next(sink.mails[number][1].iter_parts()).get_content()


def test_who_sits_is_told_that_it_is_their_turn_and_reminded_in_time(konrad, sink, send):
    debate, person = konrad()
    Profile.objects.create(user=person, time_zone="Europe/Vienna")
    deadline = people.awaited(debate).deadline
    send()
    assert subjects(sink) == [("konrad@example.org", f"Your turn: {debate.title}")]
    assert "It is your turn: the opening. You have until" in plain(sink)
    assert "Konrad" in plain(sink)
    assert "CET" in plain(sink) or "CEST" in plain(sink)

    send(deadline - HOUR / 4 - timedelta(seconds=5))
    assert len(sink.mails) == 1
    send(deadline - HOUR / 4 + timedelta(seconds=5))

    assert str(sink.mails[-1][1]["Subject"]) == f"Your time runs: {debate.title}"
    assert len(sink.mails) == 2


def test_signs_that_shape_letters_stay_in_what_is_told_on_one_line():
    persian, emoji = "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\U0001f469\u200d\U0001f4bb"

    assert texts.on_one_line(f"{persian}\u202e\n{emoji}") == f"{persian} {emoji}"


def test_who_has_spoken_is_not_reminded(konrad, sink, send):
    debate, person = konrad()
    deadline = people.awaited(debate).deadline
    people.speak(debate, person)

    send(deadline - timedelta(seconds=60))

    assert [message["Subject"] for _, message in sink.mails if "time runs" in message["Subject"]] == []
    assert set(Mail.objects.filter(about=people.awaited(debate).public_id).values_list("state", flat=True)) == {
        "withdrawn"
    }


def test_a_turn_without_time_for_it_has_no_reminder(konrad, sink):
    konrad(turn_seconds=600)

    assert written() == [("turn", "konrad")]


def test_who_forfeits_is_told_and_keeps_the_draft(konrad, sink, send):
    debate, _ = konrad()
    TurnDraft.objects.create(participant=people.seat_of(debate), text="Nearly", saved_at=timezone.now())
    late = people.awaited(debate)
    human_turns.forfeit(thread_id=late.round.thread_id, now=late.deadline)

    send(late.deadline)

    assert ("konrad@example.org", f"Your turn was forfeited: {debate.title}") in subjects(sink)
    assert TurnDraft.objects.get().text == "Nearly"


def test_a_program_at_a_seat_is_not_written_to(sink):
    debate = people.waits(kind="external")
    people.konrad(debate)

    assert written() == []


def test_the_end_is_told_to_who_made_it_sits_there_or_has_a_role_and_nobody_else(sink, send):
    debate = playing.debate(playing.script([[playing.ruling("1")]]))
    maker, judge, guest, former = (
        factories.person(name, email=f"{name}@example.org") for name in ("maker", "judge", "guest", "former")
    )
    factories.person("stranger", email="stranger@example.org")
    debate.created_by = maker
    debate.save(update_fields=["created_by"])
    for user, role, revoked_at in (
        (judge, "judge", None), (maker, "organiser", None), (guest, "guest", None), (former, "judge", timezone.now()),
    ):  # fmt: skip
        Membership.objects.create(debate=debate, user=user, role=role, revoked_at=revoked_at)
    work()
    send()

    title = f"Concluded: {debate.title}"
    assert subjects(sink) == [("judge@example.org", title), ("maker@example.org", title)]
    for to, message in sink.mails:
        words = message.as_string()
        assert [name for name in ("maker", "judge", "guest", "former", "stranger") if f"{name}@" in words] == [
            to.partition("@")[0]
        ]


def test_what_a_moderator_changes_is_told_once_for_all_that_comes_together(sink, send):
    maker, moderator = factories.person("maker", email="maker@example.org"), factories.moderator("root")
    debate = factories.debate(created_by=maker, title="Wells")
    first, second = (factories.criterion(debate, key=key) for key in ("P1", "P2"))
    type(debate).objects.update(status="concluded")
    now = timezone.now()
    for evaluation in (first, second):
        acts.override(order=factories.order(evaluation, moderator), value="3", now=now)
    assert written() == [("changed", "maker")]

    send(now + timedelta(minutes=1))
    assert sink.mails == []
    send(now + timedelta(minutes=3))
    assert subjects(sink) == [("maker@example.org", "The result was changed: Wells")]

    acts.override(order=factories.order(first, moderator), value="4", now=now + HOUR)
    assert len(written()) == 2


def test_a_change_is_told_to_nobody_where_the_debate_is_played_again_meanwhile(sink, send):
    maker, moderator = factories.person("maker", email="maker@example.org"), factories.moderator("root")
    debate = factories.debate(created_by=maker)
    evaluation = factories.criterion(debate)
    type(debate).objects.update(status="concluded")
    acts.override(order=factories.order(evaluation, moderator), value="3", now=timezone.now())
    type(debate).objects.update(status="running")

    send(timezone.now() + timedelta(minutes=3))

    assert sink.mails == []


def test_a_change_while_it_is_played_is_told_to_nobody(sink):
    moderator = factories.moderator("root")
    debate = factories.debate(status="running", created_by=moderator)

    acts.override(order=factories.order(factories.criterion(debate), moderator), value="3", now=timezone.now())

    assert written() == []


def test_a_review_waits_for_who_may_settle_it(sink, send):
    settles = ["judging.resolve_review"]
    people = {
        name: factories.person(name, email=f"{name}@example.org", permissions=permissions)
        for name, permissions in (("rita", settles), ("carl", []), ("jens", settles), ("paul", settles))
    }
    type(people["paul"]).objects.filter(username="paul").update(is_staff=False)
    debate = panel(alone(*APART))
    Membership.objects.create(debate=debate, user=people["jens"], role="judge")
    work()
    send()

    assert debate.reviews.count() == 1
    assert subjects(sink) == [("rita@example.org", f"A review waits: {debate.title}")]
    assert "https://moot.example.org/admin/judging/review/" in plain(sink)


def test_who_planned_a_start_that_was_given_up_is_told_where_to_see_why(sink, send):
    olga = factories.moderator("olga")
    olga.email = "olga@example.org"
    olga.save()
    debate, now = factories.debate(status="draft"), timezone.now()
    planned = PlannedStart.objects.create(debate=debate, starts_at=now + HOUR, created_by=olga)

    for hours in (1, 2):
        creation.put_off(planned=planned, problem="No model.", now=now + hours * HOUR)
    send(now + 2 * HOUR)

    assert subjects(sink) == [("olga@example.org", f"Not started: {debate.title}")]
    assert f"/debates/{debate.public_id}/prepare/" in plain(sink)
