"""One feed of the events of all debates that somebody may read."""

import json
from datetime import timedelta

import psycopg
import pytest
from django.utils import timezone

from debates import event_log
from debates.live import reader
from debates.types import Audience, News
from tests import factories
from tests.api.clients import V1, Api, code_of

pytestmark = pytest.mark.django_db
PAUSED, RESUMED = News("debate:paused", {}), News("debate:resumed", {})
ALERT = {"alert": "0" * 8 + "-0000-0000-0000-" + "0" * 12, "code": "net_capped", "severity": "info", "evaluation": None}


def tell(debate, *news: News) -> None:
    event_log.append(debate_id=debate.pk, news=news, now=timezone.now())


def events(answer) -> list[tuple[str, int, str]]:
    assert answer.status_code == 200, answer.content
    return [(row["debate"], row["seq"], row["type"]) for row in answer.json()["results"]]


def again(api: Api, answer):
    return api.get(answer.json()["later"].partition(V1)[2])


def test_one_address_gives_the_events_of_all_debates_each_once_while_more_come():
    first, second = factories.debate(), factories.debate()
    one, two, api = str(first.public_id), str(second.public_id), Api()
    tell(first, PAUSED)
    tell(second, PAUSED, RESUMED)
    tell(first, RESUMED)

    page = api.get("/events/", page_size=3)
    rest = again(api, page)
    none = again(api, rest)
    tell(second, PAUSED)
    more = again(api, none)

    assert events(page) == [(one, 1, PAUSED.type), (two, 1, PAUSED.type), (two, 2, RESUMED.type)]
    assert events(rest) == [(one, 2, RESUMED.type)]
    assert (events(none), events(more)) == ([], [(two, 3, PAUSED.type)])
    assert (page.json()["next"], rest.json()["next"]) == (page.json()["later"], None)
    alone = api.get(f"/debates/{one}/events/").json()["events"]
    assert [{**row, "debate": one} for row in alone] == [
        row for answer in (page, rest) for row in answer.json()["results"] if row["debate"] == one
    ]
    assert api.get("/").json()["resources"]["events"].endswith("/api/v1/events/")


def test_the_feed_shows_what_its_reader_may_read():
    alice, ruth = factories.person("alice"), factories.moderator("ruth")
    made = {name: factories.debate(visibility=name, created_by=alice) for name in ("public", "unlisted", "private")}
    for debate in made.values():
        tell(debate, PAUSED, News("alert:raised", ALERT, audience=Audience.MODERATORS))
    names = {str(debate.public_id): name for name, debate in made.items()}

    def seen(person, **query) -> list[tuple[str, int]]:
        return [(names[debate], seq) for debate, seq, _ in events(Api(person).get("/events/", **query))]

    unlisted = {"debate": str(made["unlisted"].public_id)}
    assert seen(None) == seen(factories.person("bob")) == [("public", 1)]
    assert seen(None, **unlisted) == [("unlisted", 1)]
    assert seen(None, debate=str(made["private"].public_id)) == []
    assert seen(alice) == [(name, 1) for name in made]
    assert seen(ruth) == [(name, seq) for name in made for seq in (1, 2)]


def test_filters_of_the_feed_take_several_values_and_refuse_what_there_is_not():
    made = [factories.debate() for _ in range(3)]
    for debate in made:
        tell(debate, PAUSED, RESUMED)
    ids, api = [str(debate.public_id) for debate in made], Api()

    some = api.get("/events/", debate=ids[:2], type="debate:resumed")

    assert events(some) == [(one, 2, "debate:resumed") for one in ids[:2]]
    assert events(again(api, some)) == []
    assert len(events(api.get("/events/", type=["debate:resumed", "debate:paused"]))) == 6
    assert code_of(api.get("/events/", type="debate:begun")) == (400, "invalid")
    assert code_of(api.get("/events/", ordering="created")) == (400, "unknown_parameter")
    assert code_of(api.get("/events/", cursor="nonsense!")) == (400, "bad_cursor")


def test_a_place_in_logs_of_another_database_is_answered_by_a_resync():
    tell(factories.debate(), PAUSED)
    api = Api()
    page = api.get("/events/")

    event_log.new_epoch(now=timezone.now())

    assert code_of(again(api, page)) == (410, "resync")
    assert len(events(api.get("/events/"))) == 1


def begin(late: psycopg.Connection, debate) -> None:
    """Write an event in a transaction that stays open."""
    news = json.dumps([{"type": RESUMED.type, "audience": "public", "data": {}}])
    late.execute(event_log.APPEND, {"debate": debate.pk, "many": 1, "news": news, "now": timezone.now()})


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("hours", "many"), [(0, 1), (-2, 1), (2, 1), (0, 5010)])
def test_an_event_that_is_committed_late_is_not_passed_over(hours, many):
    slow, quick, api = factories.debate(), factories.debate(), Api()
    tell(slow, PAUSED)
    start = api.get("/events/", page_size=2)

    with psycopg.connect(**reader.connection_parameters()) as late:
        begin(late, slow)
        event_log.append(debate_id=quick.pk, news=[PAUSED] * many, now=timezone.now() + timedelta(hours=hours))
        waiting = again(api, start)
    after = again(api, waiting)

    assert events(waiting) == []
    assert events(after)[:2] == [(str(slow.public_id), 2, RESUMED.type), (str(quick.public_id), 1, PAUSED.type)]


RAW = """
    WITH head AS (UPDATE debates_eventhead SET seq = seq + 1 WHERE debate_id = %s RETURNING debate_id, seq, at)
    INSERT INTO debates_event (debate_id, seq, type, audience, data, at)
    SELECT debate_id, seq, 'debate:resumed', 'public', '{}', at FROM head
"""


@pytest.mark.django_db(transaction=True)
def test_an_event_that_raw_sql_commits_late_is_not_passed_over():
    slow, quick, api = factories.debate(), factories.debate(), Api()
    tell(slow, PAUSED)
    start = api.get("/events/")

    with psycopg.connect(**reader.connection_parameters()) as late:
        late.execute(RAW, [slow.pk])
        tell(quick, PAUSED)
        waiting = again(api, start)
    after = again(api, waiting)

    assert events(waiting) == []
    assert events(after) == [(str(slow.public_id), 2, RESUMED.type), (str(quick.public_id), 1, PAUSED.type)]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("hours", [-2, 0, 2])
def test_an_event_that_is_taken_back_holds_nothing_up_whatever_clock_its_writer_has(hours):
    slow, quick, other, api = *(factories.debate() for _ in range(3)), Api()
    tell(slow, PAUSED)
    start = api.get("/events/")

    with (
        psycopg.connect(**reader.connection_parameters()) as late,
        psycopg.connect(**reader.connection_parameters()) as busy,
    ):
        begin(late, slow)
        event_log.append(debate_id=quick.pk, news=[PAUSED], now=timezone.now() + timedelta(hours=hours))
        waiting = again(api, start)
        begin(busy, other)
        late.rollback()
        after = again(api, waiting)

    assert events(waiting) == []
    assert events(after) == [(str(quick.public_id), 1, PAUSED.type)]


@pytest.mark.django_db(transaction=True)
def test_a_part_that_was_taken_back_leaves_the_rest_of_its_change_waited_for():
    slow, quick, more, api = *(factories.debate() for _ in range(3)), Api()

    with psycopg.connect(**reader.connection_parameters()) as late:
        with late.transaction(force_rollback=True):
            begin(late, slow)
        tell(quick, PAUSED)
        calm = api.get("/events/")
        begin(late, slow)
        tell(quick, RESUMED)
        begin(late, more)
        tell(quick, PAUSED)
        locks = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()"
        held = late.execute(locks).fetchone()
        with late.transaction(force_rollback=True):
            begin(late, more)
        waiting = again(api, calm)
        late.commit()
    after = again(api, waiting)

    assert held == (1,)
    assert [seq for _, seq, _ in events(calm)] == [1]
    assert events(waiting) == []
    assert [seq for _, seq, _ in events(after)] == [1, 2, 1, 3]


@pytest.mark.django_db(transaction=True)
def test_no_event_comes_twice_when_somebody_writes_behind_one_that_was_taken_back():
    slow, quick, api = factories.debate(), factories.debate(), Api()
    tell(slow, PAUSED)

    with psycopg.connect(**reader.connection_parameters()) as late:
        begin(late, slow)
        late.rollback()
        tell(quick, PAUSED, RESUMED)
        calm = api.get("/events/")
        begin(late, slow)
        writing = again(api, calm)
    after = again(api, writing)

    one, two = str(slow.public_id), str(quick.public_id)
    assert events(calm) == [(one, 1, PAUSED.type), (two, 1, PAUSED.type), (two, 2, RESUMED.type)]
    assert events(writing) == []
    assert events(after) == [(one, 2, RESUMED.type)]
