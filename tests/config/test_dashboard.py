"""The desk's first page: what waits, what plays, what was done, and what debates do to scores."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from config import dashboard
from judging.engine import metrics as judged
from judging.engine.metrics import Agreement
from judging.models import Call, Review
from judging.rules.agreement import AlphaState
from scoring.enums import BulkAction
from scoring.groups import AUDITOR
from scoring.metrics import Bin
from scoring.models import Actor
from scoring.services import rescore
from tests import acts, factories, rows_in_every_table
from tests.moderators import client_of, member, words
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.django_db, WITHOUT_COLLECTED_FILES]
NOW = timezone.now()


def test_what_was_known_already_is_no_call_of_its_provider():
    debate = factories.debate()
    arbiter = factories.arbiter(debate)
    for number, own in enumerate(
        [
            {"milliseconds": 4_000, "outcome": "failed", "problem": "It was away.", "tokens_in": 10, "cost": "0.25"},
            {"milliseconds": 2, "known": True},
            {"milliseconds": 2, "known": True, "provider": "heuristic"},
        ]
    ):
        row = {"provider": "scripted", "outcome": "used", **own}
        Call.objects.create(
            debate=debate, run_number=1, round_number=number, purpose="evaluate", attempt=1, participant=arbiter,
            prompt_name="evaluate", prompt_version=1, prompt_digest="d", model="", at=NOW, **row,
        )  # fmt: skip

    asked = judged.providers(since=NOW - timedelta(days=1))

    assert asked == [judged.Asked("scripted", "", 1, 1, Decimal(4_000), 10, Decimal("0.25"))]


def test_an_empty_desk_says_that_nothing_waits():
    shown = words(client_of(factories.moderator()).get("/admin/"))

    assert "Reviews 0 nothing waits Appeals 0 nothing waits Approvals 0 nothing waits Alerts 0 nothing waits" in shown
    assert "No debate is in play." in shown
    assert "Nobody has moderated anything yet." in shown
    assert "Impact ratio -" in shown


def test_the_desk_counts_what_waits_and_leads_to_it():
    rows_in_every_table.rows(2)

    page = client_of(factories.moderator()).get("/admin/")

    assert [(tile.name, tile.count) for tile in page.context["tiles"]] == [
        ("Reviews", 2), ("Appeals", 2), ("Approvals", 2), ("Alerts", 2), ("Staged sets", 2),
    ]  # fmt: skip
    assert 'href="/admin/scoring/alert/?state__exact=open"' in page.content.decode()
    client = client_of(factories.moderator("ruth"))
    assert [client.get(tile.address).context["cl"].result_count for tile in page.context["tiles"]] == [2] * 5


def test_figures_over_all_scores_are_kept_until_the_ledger_grows(monkeypatch):
    score, client = factories.criterion(), client_of(factories.moderator())
    factories.count(score, "1")
    looks = []
    sums = dashboard.metrics.score_sums
    monkeypatch.setattr(dashboard.metrics, "score_sums", lambda: looks.append(1) or sums())

    pages = [words(client.get("/admin/")) for _ in range(3)]
    assert (len(looks), len(set(pages))) == (1, 1)

    factories.count(score, "1.25")

    assert "Greatest change 2.25" in words(client.get("/admin/"))
    assert len(looks) == 2


def test_open_work_is_counted_as_far_as_its_number_helps_anybody(monkeypatch):
    monkeypatch.setattr(dashboard, "MOST_COUNTED", 1)
    rows_in_every_table.rows(2)

    work = next(group for group in sidebar() if group["name"] == "Work")

    assert [model["name"] for model in work["models"]][:3] == [
        "Reviews (over 1)",
        "Alerts (over 1)",
        "Appeals (over 1)",
    ]


@pytest.mark.django_db(transaction=True)
def test_a_set_that_was_staged_long_ago_is_what_was_done_last_once_it_is_applied():
    alice, one, other = factories.moderator(), factories.criterion(), factories.criterion(key="P2")
    factories.count(one, factories.verdict("1.5", "0.1"))
    rows = [(one.pk, one.moderation_version)]
    kept = rescore.stage(action=BulkAction.ROLLBACK, rows=rows, reason=factories.REASON, by=alice, now=NOW)
    acts.override(order=factories.order(other, alice), value="9", now=timezone.now())
    rescore.apply(set_id=kept.pk, by=alice, now=timezone.now())

    assert [act.row.evaluation_id for act in dashboard.recent(with_alerts=True)] == [one.pk, other.pk]


def test_the_desk_tells_of_moderators_and_not_of_the_engine():
    score, alice = factories.criterion(), factories.moderator()
    factories.count(score, "1")
    acts.override(order=factories.order(score, alice), value="9", now=timezone.now())

    page = client_of(alice).get("/admin/")

    assert [act.row.kind for act in page.context["recent"]] == ["override"]
    assert "7.00 to 9.00 alice: The judge misread the third paragraph." in words(page)
    assert "Impact ratio 100 %" in words(page)
    assert "Override rate 100 %" in words(page)
    assert page.context["impact"].override_size == Decimal(2)
    assert "One-sidedness - Verdicts for the evaluator, the red team, draws 0, 0, 0" in words(page)
    assert "criterion 1 1 6.00 9.00 100 % 1 0" in words(page)


def reviewed(debate, *, opened, settled=None, claimed=None):
    """A review of a debate that was opened so long ago, and settled or claimed since."""
    ruth, _ = User.objects.get_or_create(username="ruth")
    who, _ = Actor.objects.get_or_create(user=ruth, name="ruth", role="")
    number = Review.objects.filter(debate=debate).count()
    made = Review.objects.create(
        debate=debate, round_number=number, reason_code="spread", disputed=["a"], policy={}, opened_at=NOW - opened
    )
    mine = Review.objects.filter(pk=made.pk)
    if settled or claimed:
        mine.update(state="claimed", claimed_by=who, lease_until=NOW + timedelta(minutes=30))
    if settled:
        done = {"settled_by": who, "settled_at": NOW - settled, "decisions": {"a": 1}}
        mine.update(state="settled", claimed_by=None, lease_until=None, **done)


def test_the_desk_tells_how_old_reviews_get():
    debate, hour = factories.debate(), timedelta(hours=1)
    reviewed(debate, opened=5 * hour)
    reviewed(debate, opened=2 * hour)
    reviewed(debate, opened=30 * hour, claimed=True)
    reviewed(debate, opened=10 * hour, settled=8 * hour)
    reviewed(debate, opened=10 * hour, settled=6 * hour)
    reviewed(debate, opened=timedelta(days=90), settled=timedelta(days=31))

    shown = words(client_of(factories.moderator()).get("/admin/"))

    assert "Nobody has taken on 2, oldest 5 hours Somebody works on 1, oldest 1 day Settled in 30 days 2" in shown
    assert "Waited until settled 3 hours on average, 4 hours at most" in shown


def test_without_settled_reviews_there_is_no_average():
    assert judged.settled_reviews(now=NOW) == judged.SettledReviews(0, None, None)


def test_every_page_stands_in_a_group_that_says_what_it_is_about():
    groups = {group["name"]: [row["object_name"] for row in group["models"]] for group in sidebar()}

    assert list(groups) == ["Work", "Debates", "People", "Settings", "Records"]
    assert groups["Work"][:2] == ["Review", "Alert"]
    assert groups["People"] == ["User", "Group", "EmailAddress", "Authenticator"]
    assert groups["Records"] == ["Records"]


def test_every_other_table_is_on_the_page_of_records():
    shown = {row["object_name"] for group in sidebar() for row in group["models"]} - {"Records"}

    page = client_of(factories.moderator("ruth")).get("/admin/records/")

    listed = [row["object_name"] for group in page.context["groups"] for row in group["models"]]
    everything = {model._meta.object_name for model in admin.site._registry}
    assert sorted([*shown, *listed]) == sorted(everything)
    assert "Others" not in [group["name"] for group in page.context["groups"]]
    assert client_of(factories.person("bob")).get("/admin/records/").context["groups"] == []


@pytest.mark.slow
def test_no_list_marks_what_is_well_with_a_red_cross():
    rows_in_every_table.one("first")
    client = client_of(factories.moderator())

    crossed = [
        model._meta.label
        for model in admin.site._registry
        if b"icon-no"
        in client.get(reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")).content
    ]

    assert crossed == []


def test_the_desk_tells_how_judges_and_providers_do_and_what_waits_for_workers():
    rows_in_every_table.one("first")

    shown = words(client_of(factories.moderator()).get("/admin/"))

    assert "Greatest change 1.00 Standard deviation 0.00" in shown
    assert "scripted 1 +1.00 - - -" in shown
    assert "No panel was judged in the last 30 days." in shown
    assert shown[shown.index("Workers heard") :].startswith(
        "Workers heard lately 0 Jobs waiting 1 Deliveries waiting 1"
    )
    assert "Live pages here 0 on 0 debates Stream lag here 0.0 s" in shown
    assert "Spent scripted 1 0" in shown


def test_a_rubric_stands_at_the_desk_with_how_far_its_judges_agree(monkeypatch):
    found = [
        Agreement(
            "own", "Our own", panels=5, units=25, state=AlphaState.MEASURED, alpha=Decimal("0.612345"),
            intraclass=Decimal("0.5"),
        ),
        Agreement("typed", "Criteria as typed", panels=1, units=2, state=AlphaState.NO_VARIATION, alpha=None),
    ]  # fmt: skip
    monkeypatch.setattr(judged, "agreement_by_rubric", lambda *, now: found)

    shown = words(client_of(factories.moderator()).get("/admin/"))

    assert "Our own 5 25 +0.61 +0.50 enough to go by" in shown
    assert "Criteria as typed 1 2 - - nothing varied" in shown


def sidebar():
    return client_of(factories.moderator()).get("/admin/").context["available_apps"]


@pytest.mark.slow
def test_the_desk_asks_as_much_for_twelve_rows_as_for_one():
    client = client_of(factories.moderator())
    rows_in_every_table.rows(1)
    one = asked(client)
    rows_in_every_table.rows(11, prefix="more")

    assert asked(client) == one
    assert one <= 50  # twelve of them keep what was found over all scores, and over all verdicts


def asked(client):
    cache.clear()
    with CaptureQueriesContext(connection) as caught:
        assert client.get("/admin/").status_code == 200
    return len(caught)


def test_an_auditor_sees_the_figures_and_somebody_without_rights_sees_nothing():
    rows_in_every_table.one("first")

    assert "What debates do to scores" in words(client_of(member(AUDITOR)).get("/admin/"))
    shown = words(client_of(factories.person("bob")).get("/admin/"))
    assert not any(part in shown for part in ("Alerts", "Recent moderation", "In play", "Impact"))
    assert "Ask whoever administers this site to add bob to the group Auditor, Moderator or Senior moderator." in shown


def test_the_label_of_the_environment_stands_in_the_header(settings):
    settings.ENVIRONMENT_LABEL = "rehearsal"

    page = client_of(factories.moderator()).get("/admin/").content.decode()

    assert '<span class="environment">rehearsal</span>' in page


@pytest.mark.parametrize(
    ("minutes", "said"),
    [(0, "0 min"), (59, "59 min"), (60, "1 hour"), (150, "2 hours"), (1440, "1 day"), (4000, "2 days")],
)
def test_ages_are_told_in_the_largest_unit_that_fits(minutes, said):
    assert dashboard.age(timedelta(minutes=minutes)) == said


def test_the_tallest_bar_fills_the_height_and_nothing_is_no_bar():
    first, second = dashboard.bars([Bin(1, before=4, after=2), Bin(2, before=0, after=1)])

    assert (first.before_height, first.after_height, second.before_height) == (dashboard.TALLEST, 65, 0)
