"""Retention: what is old and no longer needed goes in small steps; what is young, waits or may be resumed stays."""

import io
from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command, load_command_class
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from procrastinate.contrib.django.models import ProcrastinateJob

from debates import event_log
from debates.errors import Invalid
from debates.models import Debate, Delivery, IdempotencyKey, Invitation, Mail, TurnDraft, Webhook
from debates.types import News
from judging.engine import queue, retention
from judging.models import Call, NewDebate
from scoring import verify
from scoring.constraint_errors import guard_of
from tests import factories, playing

pytestmark = pytest.mark.django_db
NOW = timezone.now()
DAYS = timedelta(days=1)


def retain(days: int = 30) -> dict[str, int]:
    return {what: rows for what, rows in retention.retain(before=NOW - days * DAYS, now=timezone.now()).items() if rows}


def note(name: str, days: int) -> None:
    owner = factories.person(name)
    IdempotencyKey.objects.create(
        owner=owner, key=name.encode().hex().zfill(64), digest="d", status=200, body="{}", at=NOW - days * DAYS
    )


def test_kept_answers_go_when_they_are_old():
    note("old", 40)
    note("young", 20)

    assert retain() == {"kept answers": 1}
    assert [one.key for one in IdempotencyKey.objects.all()] == [b"young".hex().zfill(64)]


def test_settled_deliveries_go_and_waiting_ones_stay():
    debate, owner = factories.debate(), factories.person("owner")
    event_log.append(debate_id=debate.pk, news=[News("debate:paused", {})], now=NOW)
    event = debate.events.latest("seq")
    states = {"delivered": 40, "dead": 20, "waiting": None}
    for state, days in states.items():
        hook = Webhook.objects.create(owner=owner, url=f"https://{state}.example.org/", secret="whsec_1")
        settled = None if days is None else NOW - days * DAYS
        due = NOW - 50 * DAYS if days is None else None
        Delivery.objects.create(webhook=hook, event=event, state=state, due_at=due, settled_at=settled)

    assert retain() == {"deliveries": 1}
    assert set(Delivery.objects.values_list("state", flat=True)) == {"dead", "waiting"}


LONG_AGO = NOW - 40 * DAYS
USED_AGAIN = {
    "deliveries": (
        Delivery,
        {"state": "dead", "due_at": None, "settled_at": LONG_AGO},
        {"state": "waiting", "due_at": NOW, "settled_at": None},
    ),
    "mail": (Mail, {"state": "refused", "settled_at": LONG_AGO}, {"state": "due", "settled_at": None}),
    "drafts of turns": (TurnDraft, {"saved_at": LONG_AGO}, {"saved_at": NOW}),
}


@pytest.mark.parametrize("what", USED_AGAIN)
def test_what_is_used_again_while_it_is_being_let_go_stays(what):
    debate, owner = factories.debate(status="concluded"), factories.person("owner")
    Webhook.objects.create(owner=owner, url="https://example.org/", secret="whsec_1")
    event_log.append(debate_id=debate.pk, news=[News("debate:paused", {})], now=NOW)
    Mail.objects.create(kind="concluded", about="1", person=owner, due_at=NOW, next_attempt_at=NOW)
    TurnDraft.objects.create(participant=factories.arbiter(debate), text="Nearly", saved_at=NOW)
    model, before, after = USED_AGAIN[what]
    model.objects.update(**before)
    [kind] = [kind for kind in retention.kinds(before=NOW - 30 * DAYS, now=NOW) if kind.what == what]
    ids = list(kind.rows().values_list("pk", flat=True))

    model.objects.update(**after)
    kind.take(ids)

    assert len(ids) == model.objects.count() == 1


def test_answers_go_once_their_debate_is_long_over():
    over, recent = (ended("concluded", days=days) for days in (40, 2))
    failed = ended("failed", days=40)
    long_cancelled, just_cancelled = (ended("cancelled", days=days) for days in (40, 2))
    for debate in (over, failed, recent, long_cancelled, just_cancelled):
        call(debate, days=41)

    assert retain() == {"provider answers": 2}
    kept = set(Call.objects.exclude(raw_answer="").values_list("debate", flat=True))
    assert kept == {failed.pk, recent.pk, just_cancelled.pk}
    over.head.refresh_from_db()
    assert over.head.erasures == 1


TOLD = {"concluded": {"partial": False, "reason": ""}, "failed": {"because": "synthesis_failed"}, "cancelled": {}}


def ended(how: str, *, days: int) -> Debate:
    debate = factories.debate(status=how)
    event_log.append(debate_id=debate.pk, news=[News(f"debate:{how}", TOLD[how])], now=NOW - days * DAYS)
    return debate


def call(debate: Debate, *, days: int) -> Call:
    return Call.objects.create(
        debate=debate, run_number=1, round_number=1, purpose="judge", attempt=1, participant=factories.arbiter(debate),
        prompt_name="judge", prompt_version=1, prompt_digest="d", provider="scripted", model="", raw_answer="words",
        outcome="used", at=NOW - days * DAYS,
    )  # fmt: skip


def test_more_than_one_batch_goes(monkeypatch):
    monkeypatch.setattr(retention, "BATCH", 2)
    over = ended("concluded", days=40)
    arbiter = call(over, days=41).participant
    for number in range(4):
        Call.objects.create(
            debate=over, run_number=1, round_number=number, purpose="judge", attempt=1, participant=arbiter,
            prompt_name="judge", prompt_version=1, prompt_digest="d", provider="scripted", model="", raw_answer="words",
            outcome="used", at=NOW - 41 * DAYS,
        )  # fmt: skip

    with CaptureQueriesContext(connection) as queries:
        gone = retain()

    looks = [query["sql"] for query in queries if query["sql"].startswith('SELECT "judging_call"."id"')]
    assert (gone, len(looks)) == ({"provider answers": 5}, 4)
    assert not any("debates_event" in look for look in looks)  # which debates are over is not asked of each call
    assert all('"judging_call"."id" > ' in look for look in looks[1:])  # nor is what has gone passed by again
    assert retain() == {}


def test_ended_jobs_go_and_those_that_wait_stay():
    for debate_id in (1, 2, 3):
        queue.conclude(debate_id=debate_id)
    first, second, _ = ProcrastinateJob.objects.order_by("id").values_list("id", flat=True)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE procrastinate_jobs SET status = 'succeeded' WHERE id IN (%s, %s)", [first, second])
        cursor.execute("UPDATE procrastinate_events SET at = at - interval '40 days' WHERE job_id <> %s", [second])

    assert retain() == {"jobs": 1}
    assert ProcrastinateJob.objects.count() == 2


def test_the_address_of_an_invitation_goes_once_it_has_long_been_over():
    for letter, days in (("a", 40), ("b", 20), ("c", -1)):
        end = NOW - days * DAYS
        Invitation.objects.create(
            email=f"{letter}@example.org", digest=letter * 64, created_at=end - 9 * DAYS, expires_at=end
        )

    assert retain() == {"addresses in invitations": 1}
    assert list(Invitation.objects.order_by("id").values_list("email", flat=True)) == [
        "",
        "b@example.org",
        "c@example.org",
    ]


def test_sessions_and_cached_values_go_once_they_are_over():
    Session.objects.create(session_key="over", session_data="", expire_date=NOW - timedelta(hours=1))
    Session.objects.create(session_key="good", session_data="", expire_date=NOW + timedelta(hours=1))
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM moot_cache")
        cursor.execute(
            "INSERT INTO moot_cache VALUES ('a', '', now() - interval '1 hour'), ('b', '', now() + '1 hour')"
        )

    would_go = retention.preview(before=NOW - 30 * DAYS, now=timezone.now())
    assert retain() == {what: rows for what, rows in would_go.items() if rows} == {"sessions": 1, "cached values": 1}
    assert [one.session_key for one in Session.objects.all()] == ["good"]


@pytest.mark.parametrize(
    ("status", "told"),
    [
        pytest.param("concluded", {"debate:paused": 40}, id="its log says nothing"),
        pytest.param("concluded", {"debate:cancelled": 40}, id="its log says another thing"),
        pytest.param("concluded", {"debate:concluded": 40, "debate:rerun": 39}, id="it was played again"),
        pytest.param("concluded", {"debate:concluded": 0}, id="it is not over for a day"),
        pytest.param("failed", {"debate:failed": 40}, id="it failed"),
    ],
)
def test_the_database_lets_no_answer_go_of_a_debate_that_is_not_long_over(status, told):
    """Whoever owns the database may set the status for a moment; the log stays."""
    debate = factories.debate()
    kept = call(debate, days=41)
    for kind, days in told.items():
        more = {"debate:rerun": {"criteria": []}, **{f"debate:{how}": data for how, data in TOLD.items()}}.get(kind, {})
        event_log.append(debate_id=debate.pk, news=[News(kind, more)], now=NOW - days * DAYS)
    Debate.objects.filter(pk=debate.pk).update(status=status)

    with pytest.raises(DatabaseError) as refused, transaction.atomic():
        Call.objects.filter(pk=kept.pk).update(raw_answer="")

    assert guard_of(refused.value) == "call_is_never_edited"


def test_a_played_debate_stays_proved_when_its_answers_have_gone():
    now = timezone.now()
    with playing.days_ago(40):
        made = playing.debate(playing.script([[playing.ruling("1")]]), rounds=1)
        playing.work()
    answered = made.calls.exclude(raw_answer="").count()

    gone = retention.retain(before=now - 30 * DAYS, now=now)

    assert gone["provider answers"] == answered > 0
    assert made.turns.exclude(text="").count() == made.turns.count()
    assert verify.verify().faults == ()


def test_what_nobody_has_filled_in_any_further_goes():
    person = factories.person("olga")
    old, young = (NewDebate.objects.create(owner=person, format="open") for _ in range(2))
    NewDebate.objects.filter(pk=old.pk).update(changed_at=NOW - 40 * DAYS)

    assert retain() == {"debates begun and not made": 1}
    assert NewDebate.objects.get() == young


def test_what_is_younger_than_a_day_is_never_asked_for():
    with pytest.raises(Invalid):
        retention.retain(before=NOW, now=NOW)


def test_the_command_says_what_would_go_and_what_went():
    note("old", 40)

    def told(*more: str) -> str:
        out = io.StringIO()
        call_command("retain", "--older-than", "30", *more, stdout=out)
        return out.getvalue()

    shown = told("--dry-run")
    help_text = load_command_class("judging", "retain").help
    assert [line for line in shown.splitlines() if line[10:].removesuffix(" would go") not in help_text] == []
    assert "       1  kept answers would go\n" in shown
    assert IdempotencyKey.objects.count() == 1
    assert "       1  kept answers gone\n" in told()
    assert IdempotencyKey.objects.count() == 0


@pytest.mark.parametrize("days", ["0", "36501", "9999999999", "-1", "1.5"])
def test_the_command_refuses_less_than_a_day_and_more_than_a_century(days):
    with pytest.raises(CommandError, match=f"from 1 to 36500; got {days}"):
        call_command("retain", f"--older-than={days}")


def test_a_worker_does_at_least_one_round_at_once():
    with pytest.raises(CommandError, match="from 1 to 500; got 0"):
        call_command("worker", "--rounds-at-once=0")


@pytest.mark.parametrize("grace", ["-3", "nan", "86400.5"])
def test_a_worker_is_left_no_time_or_some(grace):
    with pytest.raises(CommandError, match=f"--grace: must be from 0 to 86400 seconds; got {grace}"):
        call_command("worker", f"--grace={grace}")
