"""Pages and exports from a real standby: as old as they say, and never of what may not be read any more."""

import contextlib
import http.client
import json
import time

import psycopg
import pytest

from config import database_settings
from tests import postgres
from tests.debates.live_site import site
from tests.debates.stream_readers import PATIENCE

LAG = "Replica-Lag"
PATIENT, STRICT = "3600", "0.5"
"""How old what the two web processes here send may be."""


@pytest.fixture(scope="module")
def place():
    """A site with a standby, and two web processes that read from it."""
    with site() as made:
        made.here.act("start", 1, 1, 0)
        with postgres.standby(made.here.server, root=made.here.server.root.with_name("standby")) as follower:
            made.follower = follower
            for limit in (PATIENT, STRICT):
                read_from = {"DATABASE_READ_URL": follower.url(), "MOOT_REPLICA_LAG_SECONDS": limit}
                made.webs[limit] = made.serve("uvicorn", wait=False, **read_from)
            for web in made.webs.values():
                made.wait(web)
            made.exporter = made.key(made.person("scoring.export_evaluation")["id"], scope="export")
            yield made


@contextlib.contextmanager
def paused(place):
    """Have the standby play nothing of what the primary writes meanwhile."""
    caught_up(place)
    place.follower.ask("SELECT pg_wal_replay_pause()")
    until(lambda: place.follower.ask("SELECT pg_get_wal_replay_pause_state()") == ("paused",))
    try:
        yield
    finally:
        place.follower.ask("SELECT pg_wal_replay_resume()")
        caught_up(place)


def caught_up(place):
    reached = place.here.ask("SELECT pg_current_wal_flush_lsn()")
    until(lambda: place.follower.ask(f"SELECT pg_last_wal_replay_lsn() >= '{reached}'") == (True,))


def until(reached, seconds=120.0):
    end = time.monotonic() + seconds
    while not reached():
        assert time.monotonic() < end, f"not reached within {seconds} s"
        time.sleep(0.05)


def ask(place, path, *, limit=PATIENT, **headers):
    """Return status, lag and body of an answer."""
    visitor = http.client.HTTPConnection("127.0.0.1", place.webs[limit].port, timeout=PATIENCE)
    with contextlib.closing(visitor):
        visitor.request("GET", path, headers=headers)
        answer = visitor.getresponse()
        return answer.status, answer.headers[LAG], answer.read().decode()


def exported(place, debate, *, limit=PATIENT, more=""):
    """Return the numbers of the exported events of a debate, the trailer and the lag."""
    path = f"/api/v1/exports/events.jsonl?debate={debate['address']}{more}"
    status, lag, text = ask(place, path, limit=limit, Authorization=f"Bearer {place.exporter}")
    assert status == 200
    *lines, trailer = map(json.loads, text.splitlines())
    return [line["seq"] for line in lines], trailer, lag


def page_of(debate):
    return f"/debates/{debate['address']}/"


def test_an_export_from_a_replica_says_how_old_it_is_and_is_new_once_that_has_caught_up(place):
    debate = place.debate(events=2)
    with paused(place):
        place.tell(debate["id"], ("debate:paused", {}))
        until(lambda: exported(place, debate, limit=STRICT)[2] is None)

        old, _, lag = exported(place, debate)
        new, _, _ = exported(place, debate, limit=STRICT)
        waited = float(lag)
        later = float(exported(place, debate)[2])
    caught_up_with, _, _ = exported(place, debate)

    assert (old, new, caught_up_with) == ([1, 2], [1, 2, 3], [1, 2, 3])
    assert 0 < waited < later < 3600


def test_a_cursor_of_rows_that_a_replica_lacks_goes_on_at_the_primary(place):
    debate = place.debate(events=2)
    with paused(place):
        place.tell(debate["id"], ("debate:paused", {}))
        until(lambda: exported(place, debate, limit=STRICT)[2] is None)
        _, trailer, _ = exported(place, debate, limit=STRICT, more="&limit=1")

        rest, last, lag = exported(place, debate, more=f"&cursor={trailer['cursor']}")

    assert (rest, "cursor" in last, lag) == ([2, 3], False, None)


def test_pages_for_who_is_not_signed_in_come_from_the_replica_and_others_from_the_primary(place):
    caught_up(place)
    with paused(place):
        debate = place.debate(events=1)
        person = place.person()
        until(lambda: ask(place, "/", limit=STRICT)[1] is None)

        status, lag, listed = ask(place, "/")
        _, none, new = ask(place, "/", Cookie=f"sessionid={person['session']}")
        _, _, strict = ask(place, "/", limit=STRICT)
        feed_status, feed_lag, feed = ask(place, "/feed.atom")
        page_status, page_lag, _ = ask(place, page_of(debate))

    assert (status, float(lag) > 0, debate["address"] in listed) == (200, True, False)
    assert (none, debate["address"] in new, debate["address"] in strict) == (None, True, True)
    assert (feed_status, float(feed_lag) > 0, debate["address"] in feed) == (200, True, False)
    assert (page_status, page_lag) == (200, None), "who has the address of a new debate finds it"


@pytest.mark.parametrize("page", ["", "result/", "result.json", "embed/", "card.png", "moderation/", "appeals/"])
def test_every_page_of_a_debate_says_its_lag_and_is_not_found_once_the_debate_is_private(place, page):
    debate = place.debate(events=1)
    with paused(place):
        before = ask(place, page_of(debate) + page) if page != "card.png" else picture(place, debate)
        place.do(f"UPDATE debates_debate SET visibility = 'private' WHERE id = {debate['id']}")
        after, lag, _ = ask(place, page_of(debate) + page)

    assert (before[0], float(before[1]) >= 0) == (200, True)
    assert (after, lag) == (404, None)


def picture(place, debate):
    visitor = http.client.HTTPConnection("127.0.0.1", place.webs[PATIENT].port, timeout=PATIENCE)
    with contextlib.closing(visitor):
        visitor.request("GET", f"{page_of(debate)}card.png")
        answer = visitor.getresponse()
        assert answer.read(4) == b"\x89PNG"
        return answer.status, answer.headers[LAG]


def test_no_list_or_export_shows_what_was_made_private_since(place):
    debate = place.debate(events=2)
    with paused(place):
        listed = [debate["address"] in ask(place, path)[2] for path in ("/", "/feed.atom")]
        shown = exported(place, debate)[0]
        place.do(f"UPDATE debates_debate SET visibility = 'private' WHERE id = {debate['id']}")
        still_listed = [debate["address"] in ask(place, path)[2] for path in ("/", "/feed.atom")]
        still_shown = exported(place, debate)[0]

    assert (listed, shown) == ([True, True], [1, 2])
    assert (still_listed, still_shown) == ([False, False], [])


def test_what_was_erased_is_not_read_where_it_still_stands(place):
    debate = place.debate(events=1)
    with paused(place):
        before = ask(place, page_of(debate))[1]
        place.do(f"UPDATE debates_eventhead SET erasures = erasures + 1 WHERE debate_id = {debate['id']}")
        status, lag, _ = ask(place, page_of(debate))

    assert float(before) >= 0
    assert (status, lag) == (200, None)


def test_the_account_of_a_score_says_its_lag(place):
    address, score = place.follower.ask(
        "SELECT debate.public_id, score.public_id FROM scoring_evaluation score"
        " JOIN debates_debate debate ON debate.id = score.debate_id LIMIT 1"
    )
    caught_up(place)

    answers = [ask(place, f"/debates/{address}/scores/{score}/{page}") for page in ("", "account.json")]

    assert [(status, float(lag) >= 0) for status, lag, _ in answers] == [(200, True)] * 2


def test_the_server_refuses_whatever_writes_over_a_connection_to_read(place):
    address = place.here.server.url()
    with psycopg.connect(address, options=database_settings.READ_ONLY) as connection:
        with pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
            connection.execute("UPDATE debates_debate SET title = 'Other'")


def test_figures_say_how_far_the_replica_is_behind(place):
    caught_up(place)
    key = place.key(place.person("scoring.view_evaluation")["id"], scope="metrics")

    _, _, figures = ask(place, "/metrics", Authorization=f"Bearer {key}")

    [line] = [line for line in figures.splitlines() if line.startswith("moot_replica_lag_seconds")]
    assert 0 <= float(line.split()[1]) < 3600


def test_a_replica_that_is_away_is_missed_by_nobody_and_is_read_again_when_it_is_back(place):
    debate = place.debate(events=2)
    caught_up(place)
    assert ask(place, page_of(debate))[1] is not None
    place.follower.stop()
    try:
        away = [ask(place, path)[:2] for path in (page_of(debate), "/")]
        rows, _, lag = exported(place, debate)
    finally:
        postgres.follow(place.follower)
    until(lambda: ask(place, page_of(debate))[1] is not None)

    assert away == [(200, None), (200, None)]
    assert (rows, lag) == ([1, 2], None)


def test_a_server_that_follows_nobody_any_more_is_not_read(place):
    debate = place.debate(events=1)
    caught_up(place)
    before = ask(place, page_of(debate))[1]
    place.follower.ask("SELECT pg_promote()")

    status, lag, _ = ask(place, page_of(debate))

    assert before is not None
    assert (status, lag) == (200, None)
