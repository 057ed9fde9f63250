"""A warning that comes again while its alert is open: logged each time, and counted there."""

import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.utils import timezone

from scoring.enums import AlertState
from scoring.models import Alert
from scoring.services import alerts
from tests import acts, factories
from tests.api.clients import Api
from tests.moderators import address, client_of, words
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.django_db, WITHOUT_COLLECTED_FILES]
NOW = timezone.now()
LOGGER = "scoring.services.alerts"
PROJECT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def told_everything(caplog):
    caplog.set_level(logging.WARNING, logger=LOGGER)


def extreme(evaluation):
    return Alert.objects.filter(evaluation=evaluation, code="extreme_verdict").order_by("pk")


def lines(caplog, code):
    return [one for one in caplog.records if one.name == LOGGER and f"code='{code}'" in one.getMessage()]


def test_three_rounds_of_three_points_are_three_times(caplog):
    evaluation = factories.criterion(initial="5")

    told = [one.type for amount in ("3", "-3", "3") for one in factories.count(evaluation, amount).news]

    alert = extreme(evaluation).get()
    assert (alert.times, len(lines(caplog, "extreme_verdict"))) == (3, 3)
    assert [one["evidence"] for one in alert.again] == [{"applied": "-3"}, {"applied": "3"}]
    assert alert.at < alert.last_at
    assert "times=3" in lines(caplog, "extreme_verdict")[-1].getMessage()
    assert Alert.objects.filter(code="contradiction").get().times == 2
    assert told.count("alert:raised") == 2  # told once for each alert, as ever


def test_the_same_facts_are_counted_once(caplog):
    evaluation = factories.criterion(initial="5")
    factories.count(evaluation, "3")
    second = factories.count(evaluation, "-3").facts
    alice = factories.moderator()
    acts.freeze(order=factories.order(evaluation, alice, seen=None), now=NOW)

    evaluation.refresh_from_db()
    alerts.after_unfreeze(evaluation=evaluation, applied=[one.pk for one in second])

    assert extreme(evaluation).get().times == 2
    assert len(lines(caplog, "extreme_verdict")) == 2


def test_what_was_answered_counts_no_more_and_what_was_counted_is_not_raised_again():
    evaluation = factories.criterion(initial="5")
    factories.count(evaluation, "3")
    second = factories.count(evaluation, "-3").facts
    [first] = extreme(evaluation)
    alice = factories.moderator()
    alerts.handle(alert_ids=[first.pk], by=alice, state=AlertState.DISMISSED, reason=factories.REASON, now=NOW)

    evaluation.refresh_from_db()
    alerts.after_unfreeze(evaluation=evaluation, applied=[one.pk for one in second])
    factories.count(evaluation, "3")

    assert [(one.state, one.times) for one in extreme(evaluation)] == [("dismissed", 2), ("open", 1)]


@pytest.mark.parametrize("answer", ["dismiss", "acknowledge"])
def test_an_alert_that_came_again_since_its_page_was_read_is_answered_only_once_that_was_shown(answer):
    evaluation, client = factories.criterion(initial="5"), client_of(factories.moderator())
    factories.count(evaluation, "3")
    alert = extreme(evaluation).get()
    at = address("scoring_alert", answer, alert.pk)
    seen = client.get(at).context["form"]["seen"].value()
    factories.count(evaluation, "-3")

    refused = client.post(at, {"reason": factories.REASON, "seen": seen})
    alert.refresh_from_db()
    state = alert.state
    done = client.post(at, {"reason": factories.REASON, "seen": refused.context["form"]["seen"].value()}, follow=True)

    assert "It came again since you looked at it: applied -3. Look again and decide anew." in words(refused)
    assert factories.REASON in refused.content.decode()
    assert state == "open"
    assert f"extreme verdict is {answer.removesuffix('e')}" in words(done)


def test_of_many_alerts_those_that_came_again_since_the_page_was_read_are_named_and_answered_once_shown():
    rows, client = [factories.criterion(initial="5") for _ in range(2)], client_of(factories.moderator())
    for row in rows:
        factories.count(row, "3")
    chosen = list(Alert.objects.filter(code="extreme_verdict").order_by("pk").values_list("pk", flat=True))
    page = client.post("/admin/scoring/alert/", {"action": "dismiss_selected", "_selected_action": chosen})
    factories.count(rows[1], "-3")

    sent = {"reason": factories.REASON, "rows": page.context["form"]["rows"].value()}
    refused = client.post("/admin/scoring/alert/many/dismiss/", sent)
    again = {**sent, "rows": refused.context["form"]["rows"].value()}
    done = client.post("/admin/scoring/alert/many/dismiss/", again, follow=True)

    assert "1 of 2 refuse: extreme verdict of P1 Problem clarity: It came again since" in words(refused)
    assert 'name="_act"' in refused.content.decode()
    assert "Dismiss: done, 2 of 2." in words(done)


def test_a_program_that_names_what_it_looked_at_is_refused_what_came_again_since():
    evaluation, api = factories.criterion(initial="5"), Api(factories.moderator())
    factories.count(evaluation, "3")
    factories.count(evaluation, "-3")
    alerted = extreme(evaluation).get()
    other = Alert.objects.exclude(pk=alerted.pk).first()
    given = {"reason": factories.REASON, "state": "dismissed"}
    both = {**given, "alerts": [str(alerted.public_id), str(other.public_id)]}

    one = api.post(f"/alerts/{alerted.public_id}/handle/", {**given, "seen": 1})
    many = api.post("/alerts/handle/", {**both, "seen": [1, other.times]})
    short = api.post("/alerts/handle/", {**both, "seen": [2]})
    twice = api.post("/alerts/handle/", {**given, "alerts": [str(alerted.public_id)] * 2, "seen": [1, 2]})

    assert (one.status_code, one.json()["code"]) == (412, "stale")
    assert "It came again since you looked at it: applied -3." in one.json()["detail"]
    assert (many.status_code, "extreme verdict of" in many.json()["detail"]) == (409, True)
    assert (short.status_code, short.json()["errors"][0]["pointer"]) == (400, "/seen")
    assert (twice.status_code, twice.json()["detail"]) == (422, f"alerts: {alerted.public_id} is named more than once.")
    assert api.post("/alerts/handle/", {**both, "seen": [2, other.times]}).status_code == 200


def test_a_critical_alert_is_an_error_and_every_other_a_warning(caplog):
    evaluation = factories.criterion(initial="5")
    for _ in range(3):
        factories.count(evaluation, "3")
    evaluation.refresh_from_db()

    alerts.after_thread(evaluation=evaluation)

    assert [one.levelno for one in lines(caplog, "uniform_extreme")] == [logging.ERROR]
    assert {one.levelno for one in lines(caplog, "extreme_verdict")} == {logging.WARNING}


SAYS = """
import django; django.setup()
import logging
logging.getLogger("scoring.services.entries").info("score changed")
logging.getLogger("scoring.services.alerts").warning("alert extreme_net")
logging.getLogger("scoring.services.alerts").error("alert uniform_extreme")
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("level", "said"),
    [(None, ["uniform_extreme"]), ("INFO", ["score changed", "extreme_net", "uniform_extreme"])],
    ids=["a newcomer's terminal", "MOOT_LOG_LEVEL=INFO"],
)
def test_what_a_laptops_terminal_is_told(level, said, tmp_path):
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("MOOT_", "DJANGO"))}
    environment = {**clean, "DJANGO_SETTINGS_MODULE": "config.settings", "MOOT_DATA_DIR": str(tmp_path)}
    if level:
        environment["MOOT_LOG_LEVEL"] = level

    run = subprocess.run(
        [sys.executable, "-c", SAYS], cwd=PROJECT, env=environment, capture_output=True, text=True, check=True
    )

    words = ("score changed", "extreme_net", "uniform_extreme")
    assert [one for one in words if one in run.stderr] == said
