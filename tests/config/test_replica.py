"""Which reads go to a replica, and when none does; with a real standby see tests/debates/test_replica.py."""

import logging

import psycopg
import pytest
from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.sessions.models import Session
from django.db import OperationalError, connections
from django.test import RequestFactory
from django.urls import ResolverMatch, get_resolver

from config.middleware import OLD_ENOUGH, FromReplica, may_be_old
from debates import replica, selectors
from debates.api import exporting
from debates.api.exporting import FORMS, Place
from debates.api.exports import ExportTranscripts
from debates.models import Debate
from tests import factories

DIE = "SELECT pg_terminate_backend(pg_backend_pid())"


@pytest.fixture
def no_replica_rests(monkeypatch):
    monkeypatch.setattr(replica, "WATCH", replica.Watch())


@pytest.fixture
def same_server(monkeypatch, no_replica_rests, settings):
    """The alias of a replica that leads to the primary, as a pooler may."""
    monkeypatch.setitem(settings.DATABASES, replica.REPLICA, settings.DATABASES["default"])
    connections[replica.REPLICA] = connections["default"]
    settings.REPLICA_LAG_SECONDS = 0
    yield
    del connections[replica.REPLICA]


@pytest.mark.django_db
def test_only_rows_of_ours_are_read_there_and_only_inside_what_is_allowed(same_server):
    router = replica.Router()
    with replica.allowed():
        outside = router.db_for_read(Debate)
        with replica.reading() as using:
            inside = [router.db_for_read(model) for model in (Debate, User, Session)]
            written = router.db_for_write(Debate)
    with replica.reading() as not_allowed:
        neither = router.db_for_read(Debate)

    assert (outside, using, inside, written) == ("default", "replica", ["replica", "default", "default"], "default")
    assert (not_allowed, neither) == ("default", "default")
    assert not router.allow_migrate("replica", "debates")


@pytest.fixture
def own_connection(monkeypatch, no_replica_rests, settings):
    """The alias of a replica that leads to the primary by a connection of its own."""
    monkeypatch.setitem(settings.DATABASES, replica.REPLICA, settings.DATABASES["default"])
    connections[replica.REPLICA] = connections["default"].copy()
    yield
    connections["default"].close()
    connections[replica.REPLICA].close()
    del connections[replica.REPLICA]


@pytest.mark.django_db(transaction=True)
def test_what_is_compared_is_as_old_as_what_was_read(own_connection):
    debate = factories.debate()
    with replica.allowed(), replica.reading():
        listed = list(selectors.listed_debates().using(replica.REPLICA))
        Debate.objects.using("default").filter(pk=debate.pk).update(visibility="private")  # and heard of at once
        with pytest.raises(replica.Behind):
            replica.confirm([debate.pk])

    assert listed == [debate]


def dies(alias):
    """Have a server end the connection to it."""
    with connections[alias].cursor() as cursor:
        cursor.execute(DIE)


def page_that_breaks_off(at):
    def view(_request):
        with replica.reading():
            list(Debate.objects.all())
            dies(at)

    request = RequestFactory().get("/")
    request.resolver_match = ResolverMatch(view, (), {}, url_name="index")
    return FromReplica(lambda _request: None).process_view(request, view, (), {})


class ExportTitles(ExportTranscripts):
    """An export that nobody asks for."""

    queryset, columns, from_replica = Debate.objects.all(), {"title": "title"}, True

    def look_anew(self):
        pass

    def get_queryset(self):
        return self.queryset.all()


def piece_that_breaks_off(at):
    class Broken(ExportTitles):
        def confirm(self, rows, keys):
            dies(at)

    debate = factories.debate()
    piece = Broken()._piece(FORMS["jsonl"], Place(after=0, last=debate.pk), 1)
    assert piece.rows == 1  # by the primary


def piece_whose_copy_breaks_off(at):
    class Broken(ExportTitles):
        def _copied(self, rows, *others):
            with pytest.MonkeyPatch.context() as patch:
                if rows.db == at:
                    patch.setattr(exporting, "copy_statement", lambda *_: "COPY (SELECT 1 / 0) TO STDOUT")
                return super()._copied(rows, *others)

    debate = factories.debate()
    piece = Broken()._piece(FORMS["jsonl"], Place(after=0, last=debate.pk), 1)
    assert piece.rows == 1  # by the primary


@pytest.mark.parametrize("read", [page_that_breaks_off, piece_that_breaks_off, piece_whose_copy_breaks_off])
@pytest.mark.django_db(transaction=True)
def test_a_replica_that_fails_while_it_is_read_is_left_alone_and_the_primary_gives_the_answer(own_connection, read):
    assert read(at=replica.REPLICA) is None
    assert replica.WATCH.rests_until > 0


@pytest.mark.parametrize("read", [page_that_breaks_off, piece_that_breaks_off])
@pytest.mark.django_db(transaction=True)
def test_a_primary_that_fails_while_the_replica_is_read_is_what_failed_and_the_replica_is_read_on(own_connection, read):
    with pytest.raises(OperationalError):
        read(at="default")
    connections["default"].close()

    assert replica.WATCH.rests_until < 0
    assert replica.lag() == 0


@pytest.mark.django_db(transaction=True)
def test_a_primary_that_cannot_be_reached_is_no_failure_of_the_replica(own_connection, monkeypatch):
    def refuse(*_arguments):
        raise psycopg.OperationalError("connection refused")

    with replica.allowed(), replica.reading():
        list(Debate.objects.all())
        connections["default"].close()
        monkeypatch.setattr(connections["default"], "get_new_connection", refuse)
        with pytest.raises(OperationalError, match="refused"):
            replica.confirm([1])
    monkeypatch.undo()

    assert replica.WATCH.rests_until < 0


@pytest.mark.django_db
def test_nothing_is_asked_where_there_is_no_replica(django_assert_num_queries):
    debate = factories.debate()
    with django_assert_num_queries(0):
        assert replica.lag() is None
        replica.confirm([debate.pk])
    with django_assert_num_queries(1):
        assert list(selectors.listed_debates()) == [debate]


def test_every_page_that_may_be_old_is_one_and_has_one_debate_or_is_a_list():
    patterns = {name: places for name, places in get_resolver().reverse_dict.lists() if name in OLD_ENOUGH}
    with_address = {name for name, [(possible, *_)] in patterns.items() if "address" in possible[0][1]}

    assert patterns.keys() == OLD_ENOUGH
    assert OLD_ENOUGH - with_address == {"index", "feed"}


@pytest.mark.parametrize(
    ("page", "method", "cookies", "old"),
    [
        ("debate", "get", {}, True),
        ("debate", "head", {}, True),
        ("debate", "get", {"theme": "dark"}, True),
        ("debate", "post", {}, False),
        ("debate", "get", {settings.SESSION_COOKIE_NAME: "any"}, False),
        ("debate", "get", {settings.CSRF_COOKIE_NAME: "any"}, False),
        ("debate-parts", "get", {}, False),
        ("seat", "get", {}, False),
    ],
)
def test_what_may_be_old_is_read_by_who_is_nobody_here(page, method, cookies, old):
    request = getattr(RequestFactory(), method)("/")
    request.COOKIES.update(cookies)
    request.user = AnonymousUser()
    request.resolver_match = ResolverMatch(lambda _request: None, (), {}, url_name=page)

    assert may_be_old(request) is old


@pytest.mark.django_db(transaction=True)
def test_the_primary_under_another_name_is_never_behind(same_server):
    assert replica.lag() == 0


@pytest.mark.django_db(transaction=True)
def test_a_replica_that_fails_is_asked_nothing_for_a_while_and_is_told_of_once(same_server, caplog, monkeypatch):
    with caplog.at_level(logging.WARNING, logger="debates.replica"):
        for _ in range(3):
            replica.WATCH.failed(OperationalError("gone"))
    resting = replica.lag()
    monkeypatch.setattr(replica.WATCH, "rests_until", 0.0)

    assert [record.getMessage() for record in caplog.records] == [
        "the replica is not read, the primary is: it does not answer (OperationalError)"
    ]
    assert (resting, replica.lag()) == (None, 0)


@pytest.mark.parametrize(("seconds", "said"), [(0.0, "0.000"), (0.0004, "0.001"), (12.3456, "12.346")])
def test_a_lag_is_never_said_to_be_less(seconds, said):
    assert replica.written(seconds) == said
