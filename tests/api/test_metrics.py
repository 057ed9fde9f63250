"""Figures: the same for the API and Prometheus, guarded; whether the site lives and can work."""

import re
from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from procrastinate.contrib.django.models import ProcrastinateWorker
from prometheus_client.parser import text_string_to_metric_families

from debates.live import hub
from debates.live.hub import Load
from debates.models import Delivery
from judging.engine import metrics as judged
from judging.engine.metrics import Agreement
from judging.rules.agreement import AlphaState
from tests import factories, rows_in_every_table
from tests.api.clients import Api, code_of, key_for
from tests.moderators import client_of
from tests.project.source_files import ROOT
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.django_db, WITHOUT_COLLECTED_FILES]
AGREED = Agreement(
    rubric="own", name="Our own", panels=3, units=12, state=AlphaState.MEASURED, alpha=Decimal("0.5"),
    intraclass=Decimal("0.25"),
)  # fmt: skip


def bearer(owner, *scopes: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key_for(owner, scopes=scopes)}"}


def prometheus(owner) -> dict[tuple[str, ...], float]:
    answer = Client().get("/metrics", headers=bearer(owner, "metrics"))
    assert answer.status_code == 200
    found = {}
    for family in text_string_to_metric_families(answer.content.decode()):
        for sample in family.samples:
            found[sample.name, *sample.labels.values()] = sample.value
    return found


def labelled(told: dict[tuple[str, ...], float], name: str) -> dict[str, float]:
    return {key[1]: number for key, number in told.items() if key[0] == name}


def test_the_desk_the_api_and_prometheus_show_the_same_figures(monkeypatch):
    rows_in_every_table.one("first")
    factories.count(factories.criterion(), "1", "-0.5")
    alice = factories.moderator("alice")
    monkeypatch.setattr(hub, "load", lambda: Load(watchers=3, debates=2, lag=1.25))
    monkeypatch.setattr(judged, "agreement_by_rubric", lambda *, now: [AGREED])

    shown, told = Api(alice).get("/metrics/").json(), prometheus(alice)
    desk = client_of(alice).get("/admin/").context

    assert told["moot_evaluations",] == shown["impact"]["evaluations"] == desk["impact"].evaluations == 2
    assert told["moot_avg_adjustment",] == float(shown["impact"]["avg_adjustment"]) == 0.75
    assert desk["impact"].avg_adjustment == Decimal("0.75")
    assert told["moot_waiting", "approvals"] == 1
    waiting = {one["what"]: one["count"] for one in shown["waiting"]}
    assert waiting == {
        what: number for (name, *label), number in told.items() for what in label if name == "moot_waiting"
    }
    assert (waiting["approvals"], waiting["appeals"], waiting["rescore_sets"]) == (1, 1, 1)
    assert told["moot_scores", "criterion"] == shown["scales"][0]["scores"] == desk["scales"][0].scores == 2
    assert shown["judges"] == [{"provider": "scripted", "model": "", "verdicts": 1, "mean_adjustment": "1.00"}]
    assert told["moot_judge_leniency", "", "scripted"] == 1
    assert [(one.provider, one.leniency.mean_adjustment) for one in desk["judges"]] == [("scripted", 1)]
    assert told["moot_agreement", "own"] == float(shown["agreement"][0]["alpha"]) == 0.5
    assert told["moot_agreement_units", "own"] == shown["agreement"][0]["units"] == desk["agreement"][0].units == 12
    assert desk["agreement"][0].alpha == Decimal("0.5")
    assert told["moot_agreement_intraclass", "own"] == float(shown["agreement"][0]["intraclass"]) == 0.25
    assert told["moot_provider_calls_day", "", "scripted"] == shown["providers"][0]["calls"] == 1
    assert desk["providers"][0].calls == 1
    assert told["moot_jobs_waiting",] == shown["work"]["jobs"] == desk["work"].jobs == 1
    assert labelled(told, "moot_mails") == shown["mail"]["counts"] != {}
    assert told["moot_mail_lag_seconds",] == pytest.approx(shown["mail"]["overdue"], abs=60)
    assert shown["replica_lag"] is None
    assert told["moot_stream_lag_seconds",] == shown["stream"]["lag"] == desk["stream"].lag == 1.25
    assert told["moot_stream_watchers",] == shown["stream"]["watchers"] == desk["stream"].watchers == 3


def test_how_judges_lean_is_found_once_a_minute_however_many_ask():
    rows_in_every_table.one("first")
    alice = factories.moderator("alice")
    api, desk, key = Api(alice), client_of(alice), bearer(alice, "metrics")
    first = api.get("/metrics/").json()["judges"]
    rows_in_every_table.one("second")

    with CaptureQueriesContext(connection) as queries:
        again = api.get("/metrics/").json()["judges"]
        told = Client().get("/metrics", headers=key)
        shown = desk.get("/admin/").context["judges"]

    assert first == again == [{"provider": "scripted", "model": "", "verdicts": 1, "mean_adjustment": "1.00"}]
    assert 'moot_judge_leniency{model="",provider="scripted"} 1.0' in told.content.decode()
    assert [judge.leniency.mean_adjustment for judge in shown] == [1]
    assert [query["sql"] for query in queries if 'FROM "judging_verdict"' in query["sql"]] == []


def test_which_side_wins_is_found_once_a_minute_however_many_ask():
    score, alice = factories.criterion(), factories.moderator("alice")
    api, key = Api(alice), bearer(alice, "metrics")
    won = factories.verdict("1")
    won.parts["winner"] = "evaluator"
    factories.count(score, won)
    first = api.get("/metrics/").json()["sides"]
    factories.count(score, won)

    with CaptureQueriesContext(connection) as queries:
        again = api.get("/metrics/").json()["sides"]
        told = Client().get("/metrics", headers=key)

    assert first == again == {"evaluator": 1, "red_team": 0, "draws": 0, "share": "1.00"}
    assert "moot_one_sidedness 1.0" in told.content.decode()
    assert [query["sql"] for query in queries if "winner" in query["sql"]] == []


def test_figures_are_guarded():
    alice, bob = factories.moderator("alice"), factories.person("bob")
    staff = client_of(alice)

    asked = [
        Client().get("/metrics"),
        Client().get("/metrics", headers={"Authorization": "Bearer moot_wrong"}),
        Client().get("/metrics", headers=bearer(alice, "read")),
        Client().get("/metrics", headers=bearer(bob, "metrics")),
        staff.get("/metrics"),
    ]

    assert [code_of(answer) for answer in asked[:-1]] == [
        (401, "not_authenticated"), (401, "bad_key"), (403, "missing_scope"), (403, "not_permitted"),
    ]  # fmt: skip
    assert asked[-1].status_code == 200
    assert {answer.headers.get("WWW-Authenticate") for answer in asked[:2]} == {'Bearer realm="Moot"'}
    assert code_of(Api().get("/metrics/")) == (401, "not_authenticated")
    assert code_of(Api(bob).get("/metrics/")) == (403, "not_permitted")


@pytest.mark.parametrize("address", ["/metrics", "/api/v1/metrics/"])
def test_whoever_brings_no_key_is_told_how_to(address):
    assert "Authorization: Bearer KEY" in Client().get(address).json()["detail"]


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
@pytest.mark.parametrize("address", ["/metrics", "/healthz", "/readyz"])
def test_what_is_only_read_refuses_all_else_with_a_problem(address, method):
    answer = Client(enforce_csrf_checks=True).generic(method, address)

    assert code_of(answer) == (405, "method_not_allowed")
    assert answer.headers["Allow"] == "GET, HEAD"


@pytest.mark.parametrize(
    "address",
    [
        "/stream", "/stream/", "/stream/debates/7", "/api", "/api/", "/api/v2/debates/", "/metrics/", "/metrics/more",
        "/healthz/", "/readyz/",
    ],
)  # fmt: skip
def test_an_address_of_programs_that_is_none_is_a_problem(address):
    assert code_of(Client().get(address)) == (404, "not_found")


def heard(times=1):
    """Have the database hear what a worker process says twice, and a command once that plays by itself."""
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO procrastinate_workers (last_heartbeat) SELECT %s FROM generate_series(1, %s)",
            [timezone.now(), times],
        )


@pytest.mark.django_db(transaction=True)
def test_a_process_that_answers_is_alive_and_ready_once_a_worker_was_heard():
    client = Client()
    alone = client.get("/readyz")
    heard()
    with_a_command = client.get("/readyz")
    heard()
    ready = client.get("/readyz")

    assert client.get("/healthz").json() == {"status": "alive"}
    for not_ready in (alone, with_a_command):
        assert (not_ready.status_code, not_ready.json()["worker"]) == (503, False)
    assert (ready.status_code, ready.json()) == (
        200,
        {"status": "ready", "database": True, "worker": True, "stream": True},
    )
    assert ProcrastinateWorker.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_deliveries_that_are_far_behind_are_a_figure_with_an_alert_and_leave_the_site_ready():
    rows_in_every_table.one("first")
    Delivery.objects.update(due_at=timezone.now() - timedelta(minutes=5))
    heard(2)
    client = Client()

    ready = client.get("/readyz")
    figures = client.get("/metrics", headers=bearer(factories.moderator("alice"), "metrics")).content.decode()

    assert ready.status_code == 200
    [late] = re.findall(r"^moot_delivery_lag_seconds (\S+)$", figures, re.MULTILINE)
    assert float(late) >= 300
    assert "expr: moot_delivery_lag_seconds >" in (ROOT / "deploy" / "alerts.yaml").read_text(encoding="utf-8")


def test_every_figure_that_an_alert_looks_at_is_one():
    rows_in_every_table.one("first")
    figures = Client().get("/metrics", headers=bearer(factories.moderator("alice"), "metrics")).content.decode()

    rules = (ROOT / "deploy" / "alerts.yaml").read_text(encoding="utf-8")
    named = set(re.findall(r"expr: .*?(moot_\w+)", rules))

    assert len(named) >= 3
    assert "expr: absent(moot_workers)\n" in rules  # a figure that is gone is neither more nor less than anything
    assert "expr: moot_workers < 2\n" in rules  # one is a command that plays by itself
    assert all(f"# TYPE {name} gauge" in figures for name in named)


def test_a_figure_that_points_to_a_page_is_on_it():
    rows_in_every_table.one("first")
    answer = Client().get("/metrics", headers=bearer(factories.moderator("alice"), "metrics"))
    page = (ROOT / "docs" / "reference" / "moderation.md").read_text(encoding="utf-8")

    named = re.findall(r"See docs/reference/moderation\.md: (\w+)\.", answer.content.decode())

    assert "evaluations" in named
    assert [name for name in named if f"`{name}`" not in page.partition("## Figures")[2]] == []
