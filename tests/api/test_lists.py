"""Long lists: each row once, whatever is added meanwhile; filters; what has not changed is a 304."""

import base64
import re
from urllib.parse import parse_qs, urlsplit

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import get_resolver
from django.utils import timezone

from debates import event_log, sealing
from debates.api.resources import AllEvents
from debates.api.views import ListView
from debates.models import Turn
from debates.types import News
from tests import factories, rows_in_every_table
from tests.api.clients import V1, Api, code_of

pytestmark = pytest.mark.django_db


def say(debate, speaker, *, first: int, many: int, at) -> None:
    Turn.objects.bulk_create(
        (
            Turn(debate=debate, participant=speaker, kind="opening", slot=f"{number}", text="So.", at=at)
            for number in range(first, first + many)
        ),
        batch_size=5000,
    )


def walk(api: Api, path: str, *, meanwhile=lambda page: None, **query):
    """Follow a list to its end; return the ids in the order they came."""
    found, page = [], 0
    answer = api.get(path, **query)
    while True:
        told = answer.json()
        found += [one["id"] for one in told["results"]]
        if told["next"] is None:
            return found
        meanwhile(page)
        page += 1
        answer = api.get(told["next"].partition(V1)[2])


def test_a_walk_over_many_rows_of_one_moment_gives_each_once_while_rows_are_added():
    debate = factories.debate()
    speaker, now = factories.arbiter(debate), timezone.now()
    say(debate, speaker, first=0, many=2_000, at=now)
    before = {str(one) for one in Turn.objects.values_list("public_id", flat=True)}

    def add(page: int) -> None:
        if page % 4 == 0:
            say(debate, speaker, first=100_000 + page, many=1, at=now)

    found = walk(Api(factories.person()), "/turns/", meanwhile=add, page_size=50, debate=str(debate.public_id))

    assert len(found) == len(set(found))
    assert before <= set(found)


def test_a_walk_from_the_newest_passes_over_what_is_added():
    debates = [factories.debate() for _ in range(7)]

    found = walk(Api(), "/debates/", meanwhile=lambda page: factories.debate(), page_size=2)

    assert found == [str(one.public_id) for one in reversed(debates)]


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ({"cursor": "nonsense!"}, "bad_cursor"),
        ({"cursor": "aWQ6eA"}, "bad_cursor"),
        ({"cursor": "c2VxOjE"}, "bad_cursor"),
        ({"page_size": "0"}, "invalid"),
        ({"page_size": "201"}, "invalid"),
        ({"page_size": "many"}, "invalid"),
        ({"status": "asleep"}, "invalid"),
        ({"stauts": "running"}, "unknown_parameter"),
        ({"title": "a\x00b"}, "invalid"),
        ({"status": ""}, "invalid"),
        ({"title": ""}, "invalid"),
    ],
    ids=str,
)
def test_a_parameter_that_makes_no_sense_is_refused(query, code):
    assert code_of(Api().get("/debates/", **query)) == (400, code)


def test_filters_leave_what_they_say():
    running, ended = factories.debate(), factories.debate()
    one, two = factories.criterion(running, key="P1"), factories.criterion(ended, key="P2")
    factories.count(one, "1")
    factories.over(ended)
    api = Api()

    def ids(path: str, **query: str) -> list[str]:
        return [row["id"] for row in api.get(path, **query).json()["results"]]

    assert ids("/debates/", status="concluded") == [str(ended.public_id)]
    assert ids("/debates/", title="a debate") == [str(ended.public_id), str(running.public_id)]
    assert ids("/evaluations/", debate=str(ended.public_id)) == [str(two.public_id)]
    assert ids("/evaluations/", frozen="false", key="P1") == [str(one.public_id)]
    assert ids("/evaluations/", frozen="true") == []
    assert code_of(api.get("/evaluations/", frozen="")) == (400, "invalid")
    assert ids("/threads/", key="P2") == [str(two.thread.public_id)]
    assert len(api.get("/score-changes/", kind="round").json()["results"]) == 1


def test_what_has_not_changed_is_a_304():
    evaluation = factories.criterion()
    api, path = Api(), f"/evaluations/{evaluation.public_id}/"

    first = api.get(path)
    same = api.get(path, headers={"If-None-Match": first.headers["ETag"]})
    factories.count(evaluation, "1")
    other = api.get(path, headers={"If-None-Match": first.headers["ETag"]})
    read = api.get(path, headers={"If-Match": '"3"', "If-Unmodified-Since": "Mon, 01 Jan 2024 00:00:00 GMT"})

    assert (same.status_code, same.content, same.headers["ETag"]) == (304, b"", first.headers["ETag"])
    assert same.headers["RateLimit-Policy"] == first.headers["RateLimit-Policy"]
    assert same.headers["RateLimit"].startswith(first.headers["RateLimit"].partition(";")[0])
    assert (other.status_code, other.json()["value"]) == (200, "7.00")
    assert read.status_code == 200, "what an action was decided on means nothing to who reads"
    assert {"Authorization", "Cookie"} <= set(first.headers["Vary"].split(", "))


def test_a_position_in_another_log_or_beyond_this_one_is_answered_by_a_resync():
    made = factories.debate()
    event_log.append(debate_id=made.pk, news=[News("debate:paused", {})], now=timezone.now())
    api, path = Api(), f"/debates/{made.public_id}/events/"
    read = api.get(path).json()
    here = {"after": read["through"], "epoch": read["epoch"]}

    assert api.get(path, **here).json() == {"epoch": read["epoch"], "events": [], "through": 1, "head": 1}
    assert code_of(api.get(path, **{**here, "after": 2})) == (410, "resync")
    event_log.new_epoch(now=timezone.now())
    assert code_of(api.get(path, **here)) == (410, "resync")


def test_a_list_is_ordered_as_was_asked_and_a_walk_gives_each_row_once():
    titles = ["Bees", "Wells", "Bees", "Ants", "Bees"]
    made = [factories.debate(title=title) for title in titles]
    ids = [str(one.public_id) for one in made]
    api = Api()

    assert walk(api, "/debates/", ordering="created", page_size=2) == ids
    assert walk(api, "/debates/", ordering="-created", page_size=2) == ids[::-1]
    assert walk(api, "/debates/", ordering="title", page_size=2) == [ids[place] for place in (3, 0, 2, 4, 1)]
    assert walk(api, "/debates/", ordering="-title", page_size=1) == [ids[place] for place in (1, 4, 2, 0, 3)]


def test_scores_are_ordered_within_debates_and_a_cursor_belongs_to_its_order():
    debate = factories.debate()
    scores = [factories.criterion(debate, key=key) for key in ("P3", "P1", "P2")]
    here, api = str(debate.public_id), Api()

    assert walk(api, "/evaluations/", debate=here, ordering="key", page_size=1) == [
        str(scores[place].public_id) for place in (1, 2, 0)
    ]
    assert len(walk(api, "/evaluations/", debate=here, ordering="-position", page_size=1)) == 3
    refused = api.get("/evaluations/", ordering="key")
    assert code_of(refused) == (400, "invalid")
    assert "add debate" in refused.json()["detail"]
    cursor = api.get("/evaluations/", debate=here, ordering="key", page_size=1).json()["next"].partition("cursor=")[2]
    cursor = cursor.partition("&")[0]
    for ordering in ("-key", "category", "created"):
        assert code_of(api.get("/evaluations/", debate=here, ordering=ordering, cursor=cursor)) == (400, "bad_cursor")


@pytest.mark.parametrize("ordering", ["secret", "owner__password", "--created", "", "created,title"])
def test_nothing_else_orders_a_list(ordering):
    assert code_of(Api().get("/debates/", ordering=ordering)) == (400, "invalid")


def test_a_cursor_says_nothing_of_how_many_rows_there_are():
    for _ in range(2):
        factories.debate()

    [first, again] = (
        parse_qs(urlsplit(Api().get("/debates/", ordering="created", page_size=1).json()["next"]).query)["cursor"]
        for _ in range(2)
    )

    assert b"created" not in base64.urlsafe_b64decode(first[0] + "==")
    assert first != again  # two walks of one list cannot be told from walks of two


@pytest.mark.parametrize(
    "place", ['["-id","x"]', '["-id",5]', '["-id","1","2"]', '["-id"]', "[]", "{}", "5", '["-id","-1"]',
              '["-id","\\u0000"]',
              f'["-id","{"9" * 19}"]', '["-title","a"]']
)  # fmt: skip
def test_a_cursor_that_was_made_up_is_none(place):
    cursor = sealing.seal(place.replace("[", '["debates.Debate",', 1).replace(",]", "]"), purpose="cursor").rstrip("=")

    assert code_of(Api().get("/debates/", cursor=cursor)) == (400, "bad_cursor")


def test_a_cursor_of_another_list_is_none():
    debate = factories.debate()
    for key in ("P1", "P2"):
        factories.thread(debate, key=key)
    there = parse_qs(urlsplit(Api().get("/threads/", page_size=1).json()["next"]).query)["cursor"]

    assert Api().get("/threads/", cursor=there).status_code == 200
    assert code_of(Api().get("/debates/", cursor=there)) == (400, "bad_cursor")


LARGE = re.compile(r'(?<!"judging_call")\."parameters"|"judging_call"\."raw_answer"')
"""What debates were made with, and what providers answered: no list shows it."""


def lists() -> list[str]:
    """Return the address of every list that names no row, and of the feed."""
    urls = [url for part in get_resolver("config.api_urls").url_patterns for url in getattr(part, "url_patterns", [])]
    views = {f"/{url.pattern}": url.callback.view_class for url in urls if hasattr(url.callback, "view_class")}
    return [path for path, view in views.items() if issubclass(view, ListView | AllEvents) and "<" not in path]


def test_no_list_reads_the_parameters_of_debates_or_asks_for_each_of_its_rows():
    rows_in_every_table.rows(2)
    moderator = factories.moderator()
    rows_in_every_table.told_outside(rows_in_every_table.one("own"), moderator)
    Api(moderator)  # a third key
    api, seen = Api(moderator), {}

    for path in lists():
        api.get(path)  # notes the use of the key
        for size in (2, 3):
            with CaptureQueriesContext(connection) as queries:
                answer = api.get(path, page_size=size)
            named = LARGE.findall(" ".join(query["sql"] for query in queries))
            seen.setdefault(path, []).append((len(answer.json()["results"]), len(queries), named))

    assert len(seen) >= 30
    assert {path: (few, many) for path, (few, many) in seen.items() if (few[0], many[0]) != (2, 3)} == {}
    assert {path: (few, many) for path, (few, many) in seen.items() if few[1] != many[1]} == {}
    assert {path: many for path, (_few, many) in seen.items() if many[2]} == {}
