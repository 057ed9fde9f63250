"""What people do with alerts: acknowledge, dismiss, reopen, one or many; every answer stays on record."""

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from config import dashboard
from debates.errors import Invalid, NotAllowedNow, NotFound
from debates.models import Event
from scoring import verify
from scoring.enums import AlertState
from scoring.errors import ConflictOfInterest
from scoring.groups import MODERATOR
from scoring.models import Alert, AlertAnswer, Conflict, Reason
from scoring.services import alerts, conflicts
from scoring.types import AlertCode, Finding
from tests import factories
from tests.api.clients import Api
from tests.moderators import address, client_of, member, words
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.django_db, WITHOUT_COLLECTED_FILES]
NOW = timezone.now()
OPEN, ACKNOWLEDGED, DISMISSED = AlertState.OPEN, AlertState.ACKNOWLEDGED, AlertState.DISMISSED
LIST = "/admin/scoring/alert/"


def raised(number, debate=None):
    """So many alerts of one debate, which has a score each."""
    debate = debate or factories.debate()
    for key in range(number):
        evaluation = factories.criterion(debate, key=f"K{key}")
        finding = Finding(AlertCode.LARGE_CHANGE, {"initial": "6", "final": "2"})
        alerts.raise_alerts(debate_id=debate.pk, evaluation=evaluation, findings=[finding], facts=())
    return list(Alert.objects.filter(debate=debate).order_by("pk"))


def answer(alert, by, state, reason=factories.REASON):
    return alerts.handle(alert_ids=[alert.pk], by=by, state=state, reason=reason, now=NOW)


def test_a_dismissed_alert_is_reopened_and_keeps_who_answered_and_why(proof):
    [alert] = raised(1)
    alice, bob = factories.moderator(), factories.moderator("bob")
    for by, state, why in (
        (alice, ACKNOWLEDGED, "I am looking at this now."),
        (alice, DISMISSED, "The judge was right here."),
        (bob, OPEN, "The figures it rests on were wrong."),
    ):
        answer(alert, by, state, why)

    alert.refresh_from_db()
    rows = alert.answers.values_list("state", "by__name", "because__text")
    assert alert.state == "open"
    assert list(rows) == [
        ("acknowledged", "alice", "I am looking at this now."),
        ("dismissed", "alice", "The judge was right here."),
        ("open", "bob", "The figures it rests on were wrong."),
    ]
    told = Event.objects.filter(type="alert:handled").order_by("seq").values_list("data__state", flat=True)
    assert list(told) == ["acknowledged", "dismissed", "open"]


def test_what_is_open_is_not_reopened_and_what_was_reopened_counts_on():
    [alert] = raised(1)
    alice = factories.moderator()
    with pytest.raises(NotAllowedNow, match="This alert is open"):
        answer(alert, alice, OPEN)
    answer(alert, alice, DISMISSED)
    answer(alert, alice, OPEN)

    finding = Finding(AlertCode.LARGE_CHANGE, {"initial": "6", "final": "1"})
    alerts.raise_alerts(debate_id=alert.debate_id, evaluation=alert.evaluation, findings=[finding], facts=(1,))

    assert Alert.objects.get().times == 2


def test_many_are_answered_for_one_reason():
    rows = raised(3)
    alice = factories.moderator()

    alerts.handle(
        alert_ids=[row.pk for row in rows], by=alice, state=DISMISSED, reason=factories.REASON, now=NOW, note="Bug 7."
    )

    assert set(Alert.objects.values_list("state", flat=True)) == {"dismissed"}
    assert AlertAnswer.objects.values("because").distinct().count() == 1
    assert Reason.objects.count() == 1
    page = client_of(alice).get("/admin/")
    assert [(act.on_alerts, act.number) for act in page.context["recent"]] == [(True, 3)]
    assert "3 alerts dismissed - alice: The judge misread the third paragraph." in words(page)
    assert verify.verify().faults == ()


def test_the_desk_counts_every_alert_of_an_act_that_is_larger_than_what_it_looks_through(monkeypatch):
    monkeypatch.setattr(dashboard, "LAST", 1)
    monkeypatch.setattr(dashboard, "CAP", 2)
    rows, alice = raised(3), factories.moderator()

    alerts.handle(alert_ids=[row.pk for row in rows], by=alice, state=DISMISSED, reason=factories.REASON, now=NOW)

    assert [act.number for act in dashboard.recent(with_alerts=True)] == [3]


def test_an_act_that_is_larger_than_what_the_desk_looks_through_hides_none_before_it(monkeypatch):
    monkeypatch.setattr(dashboard, "LAST", 2)
    monkeypatch.setattr(dashboard, "CAP", 1)
    first, *rows = raised(4)
    alice = factories.moderator()
    answer(first, alice, DISMISSED)

    alerts.handle(alert_ids=[row.pk for row in rows], by=alice, state=DISMISSED, reason=factories.REASON, now=NOW)

    assert [act.number for act in dashboard.recent(with_alerts=True)] == [3, 1]


def test_of_many_all_are_answered_or_none():
    rows = raised(2)
    alice = factories.moderator()
    answer(rows[1], alice, DISMISSED)
    many = {"by": alice, "state": DISMISSED, "reason": factories.REASON, "now": NOW}

    with pytest.raises(NotAllowedNow, match="alice has dismissed"):
        alerts.handle(alert_ids=[row.pk for row in rows], **many)
    with pytest.raises(NotFound):
        alerts.handle(alert_ids=[rows[0].pk, 0], **many)
    with pytest.raises(Invalid, match="1 to 500"):
        alerts.handle(alert_ids=[], **many)

    rows[0].refresh_from_db()
    assert rows[0].state == "open"


def test_a_refusal_of_many_names_each_that_refuses():
    rows = raised(3)
    alice = factories.moderator()
    for row in rows[1:]:
        answer(row, alice, DISMISSED)

    with pytest.raises(NotAllowedNow, match=r"2 of 3 refuse: large change of K1.*alice has.*; large change of K2"):
        alerts.handle(alert_ids=[row.pk for row in rows], by=alice, state=DISMISSED, reason=factories.REASON, now=NOW)


def test_what_was_answered_meanwhile_is_left_out_of_many_with_the_reason_kept():
    rows, theirs = raised(3), raised(1)
    client, alice, mo = client_of(member(MODERATOR, "mo")), factories.moderator(), User.objects.get(username="mo")
    form = {"rows": ",".join(str(row.pk) for row in [*rows, *theirs]), "reason": factories.REASON, "note": "Bug 7."}
    for row in rows[1:]:
        answer(row, alice, DISMISSED)
    conflicts.declare(debate_id=theirs[0].debate_id, by=mo, reason=factories.REASON, now=NOW)

    refused = client.post(f"{LIST}many/dismiss/", form)
    fewer = client.post(f"{LIST}many/dismiss/", {**form, "_leave_out": ""})

    assert words(refused).count("alice has dismissed this alert already") >= 2
    assert 'value="Leave out the 3 that refuse"' in refused.content.decode()
    assert 'name="_act"' not in refused.content.decode()
    assert "Dismiss 1 alert" in words(fewer)
    assert factories.REASON in fewer.content.decode()
    assert "Bug 7." in fewer.content.decode()
    done = client.post(f"{LIST}many/dismiss/", {**form, "rows": fewer.context["form"]["rows"].value()}, follow=True)
    assert "Dismiss: done, 1 of 1." in words(done)
    assert rows[0].answers.get().because.text == factories.REASON


def test_where_all_of_many_were_answered_meanwhile_nothing_is_left_to_answer():
    [row] = raised(1)
    client = client_of(member(MODERATOR))
    answer(row, factories.moderator(), DISMISSED)
    form = {"rows": str(row.pk), "reason": factories.REASON}

    page = client.post(f"{LIST}many/dismiss/", form)
    fewer = client.post(f"{LIST}many/dismiss/", {**form, "_leave_out": ""}, follow=True)

    assert '_leave_out"' not in page.content.decode()
    assert "None of the chosen alerts is left" in words(fewer)


def test_a_party_answers_none_of_many():
    ours, theirs = raised(1), raised(1)
    alice = factories.moderator()
    conflicts.declare(debate_id=theirs[0].debate_id, by=alice, reason=factories.REASON, now=NOW)

    with pytest.raises(ConflictOfInterest):
        alerts.handle(alert_ids=[ours[0].pk, theirs[0].pk], by=alice, state=DISMISSED, reason=factories.REASON, now=NOW)
    assert not AlertAnswer.objects.exists()
    assert Conflict.objects.count() == 1


def test_at_the_desk_many_are_chosen_in_the_list_and_answered_on_one_page():
    rows = raised(2)
    client = client_of(member(MODERATOR))
    answer(rows[1], factories.moderator(), ACKNOWLEDGED)
    chosen = {"action": "acknowledge_selected", "_selected_action": [row.pk for row in rows]}

    asked = client.post(LIST, chosen)
    assert "Acknowledge 1 alert" in words(asked)
    assert "Left out: 1 of 2, which stand otherwise." in words(asked)
    short = client.post(f"{LIST}many/acknowledge/", {"rows": str(rows[0].pk), "reason": "Short."})
    assert "at least 10 characters" in words(short)
    done = client.post(f"{LIST}many/acknowledge/", {"rows": str(rows[0].pk), "reason": factories.REASON}, follow=True)

    assert "Acknowledge: done, 1 of 1." in words(done)
    assert set(Alert.objects.values_list("state", flat=True)) == {"acknowledged"}


def test_a_refusal_of_many_stands_on_the_page():
    rows = raised(2)
    client = client_of(member(MODERATOR))
    answer(rows[1], factories.moderator(), ACKNOWLEDGED)
    both = ",".join(str(row.pk) for row in rows)

    page = client.post(f"{LIST}many/acknowledge/", {"rows": both, "reason": factories.REASON})
    unread = client.post(f"{LIST}many/acknowledge/", {"rows": "x", "reason": factories.REASON})

    assert "alice has acknowledged this alert already" in words(page)
    assert "Nothing was changed." in words(unread)
    assert client.get(f"{LIST}many/acknowledge/").headers["Location"] == LIST
    assert client_of(factories.person("bob")).get(f"{LIST}many/acknowledge/").status_code in {302, 403}


def test_the_page_of_an_alert_offers_to_reopen_it_and_tells_its_history():
    [alert] = raised(1)
    client = client_of(member(MODERATOR))
    answer(alert, factories.moderator(), DISMISSED, "Nothing in it, I looked twice.")

    page = client.get(address("scoring_alert", "change", alert.pk))
    sent = client.post(address("scoring_alert", "reopen", alert.pk), {"reason": factories.REASON}, follow=True)

    assert "Dismissed by alice" in words(page)
    assert "Nothing in it, I looked twice." in words(page)
    assert "is open" in words(sent)
    assert "Reopened by" in words(sent)


def test_the_api_reopens_one_and_answers_many_in_a_steady_number_of_queries():
    rows = raised(3)
    api = Api(factories.moderator())
    because = {"reason": factories.REASON}

    many = api.post("/alerts/handle/", {**because, "state": "dismissed", "alerts": [str(r.public_id) for r in rows]})
    one = api.post(f"/alerts/{rows[0].public_id}/handle/", {**because, "state": "open"})
    strange = api.post("/alerts/handle/", {**because, "state": "open", "alerts": [str(rows[0].debate.public_id)]})

    assert [row["state"] for row in many.json()["alerts"]] == ["dismissed"] * 3
    assert [row["state"] for row in one.json()["answers"]] == ["dismissed", "open"]
    assert strange.status_code == 422
    with CaptureQueriesContext(connection) as three:
        api.get("/alerts/")
    raised(9)
    with CaptureQueriesContext(connection) as twelve:
        api.get("/alerts/")
    assert len(three) == len(twelve)
