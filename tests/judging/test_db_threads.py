"""What comes at the same time is written together, and nobody fails for another."""

import asyncio
import threading

import psycopg
import pytest
from django.db import InternalError, OperationalError, connection, transaction
from django.db.backends.postgresql.base import DatabaseWrapper

from judging.engine import db_threads
from judging.engine.db_threads import ALONE, Gathering, NotConnected, may_be_committed


class Notebook:
    """Writes letters down, each at once alone or several together, the first of all when it is let."""

    def __init__(self, *, refuses="", leaves_out=""):
        self.refuses, self.leaves_out = refuses, leaves_out
        self.transactions, self.begun, self.may_go_on = [], threading.Event(), threading.Event()

    def alone(self, letter):
        self.begun.set()
        assert self.may_go_on.wait(20)
        if letter in self.refuses:
            raise ValueError(letter)
        self.transactions.append(letter)
        return letter.upper()

    def together(self, letters):
        if set(letters) & set(self.refuses):
            raise ValueError("one of them")
        written = [letter for letter in letters if letter not in self.leaves_out]
        self.transactions.append("".join(written))
        return [letter.upper() if letter in written else ALONE for letter in letters]


@pytest.fixture(autouse=True)
def no_database(monkeypatch):
    monkeypatch.setattr(db_threads, "_run", lambda function: function())


async def write(notebook, letters, *, keys="", cancelled=""):
    """Have letters written, all of them while the first is being written, and return what came of each."""
    gathering = Gathering(together=notebook.together, alone=notebook.alone, at_once=1)
    keys = keys or "." * len(letters)
    first = asyncio.create_task(gathering.write(letters[0], key=keys[0]))
    await asyncio.to_thread(notebook.begun.wait, 20)
    rest = [
        asyncio.create_task(gathering.write(letter, key=key)) for letter, key in zip(letters[1:], keys[1:], strict=True)
    ]
    await asyncio.sleep(0)
    for letter, task in zip(letters[1:], rest, strict=True):
        if letter in cancelled:
            task.cancel()
    notebook.may_go_on.set()
    return await asyncio.gather(first, *rest, return_exceptions=True)


def test_what_comes_while_something_is_written_is_written_together_after_it():
    notebook = Notebook()

    assert asyncio.run(write(notebook, "abcd")) == ["A", "B", "C", "D"]

    assert notebook.transactions == ["a", "bcd"]


def test_what_comes_in_one_turn_of_the_event_loop_is_written_together_from_the_first():
    notebook = Notebook()
    gathering = Gathering(together=notebook.together, alone=notebook.alone)

    async def write_all():
        return await asyncio.gather(*(gathering.write(letter, key="") for letter in "abc"))

    assert asyncio.run(write_all()) == ["A", "B", "C"]

    assert notebook.transactions == ["abc"]


def test_what_has_another_key_is_not_written_together_with_it():
    notebook = Notebook()

    assert asyncio.run(write(notebook, "abcd", keys="1221")) == ["A", "B", "C", "D"]

    assert sorted("".join(notebook.transactions)) == list("abcd")
    assert all(set(written) <= {"a", "d"} or set(written) <= {"b", "c"} for written in notebook.transactions)


def test_where_they_cannot_be_written_together_each_is_written_alone_and_one_fails():
    notebook = Notebook(refuses="c")

    first, second, refused, last = asyncio.run(write(notebook, "abcd"))

    assert (first, second, last) == ("A", "B", "D")
    assert isinstance(refused, ValueError)
    assert sorted(notebook.transactions) == ["a", "b", "d"]


def test_what_may_have_been_committed_is_not_written_again(monkeypatch):
    notebook = Notebook()

    def lost(_letters):
        raise OperationalError("the connection was lost")

    monkeypatch.setattr(notebook, "together", lost)

    first, *rest = asyncio.run(write(notebook, "abc"))

    assert first == "A"
    assert [type(each) for each in rest] == [OperationalError, OperationalError]
    assert notebook.transactions == ["a"]


@pytest.mark.parametrize(
    ("state", "is_open"), [("57P01", True), ("08006", True), (None, True), ("40P01", False), ("55P03", False)]
)
def test_only_a_lost_connection_leaves_open_whether_something_was_committed(state, is_open):
    error = OperationalError()
    error.__cause__ = type("FromTheServer", (Exception,), {"sqlstate": state})()

    assert may_be_committed(error) is is_open
    assert not may_be_committed(ValueError())


def test_who_is_left_out_is_written_alone():
    notebook = Notebook(leaves_out="b")

    assert asyncio.run(write(notebook, "abcd")) == ["A", "B", "C", "D"]

    assert sorted(notebook.transactions) == ["a", "b", "cd"]


def test_what_nobody_waits_for_any_more_is_written_all_the_same():
    notebook = Notebook()

    _, _, cancelled, _ = asyncio.run(write(notebook, "abcd", cancelled="c"))

    assert isinstance(cancelled, asyncio.CancelledError)
    assert notebook.transactions == ["a", "bcd"]


def test_no_more_are_written_together_than_may_be(monkeypatch):
    monkeypatch.setattr(db_threads, "MOST_TOGETHER", 2)
    notebook = Notebook()

    asyncio.run(write(notebook, "abcdef"))

    assert notebook.transactions == ["a", "bc", "de", "f"]


@pytest.mark.django_db(transaction=True)  # a thread of the database looks at the connection that it has
@pytest.mark.parametrize(
    ("state", "raised"),
    [("25P03", OperationalError), ("25P04", OperationalError), ("25006", OperationalError), ("25P02", InternalError)],
)
def test_a_transaction_that_the_server_ended_for_its_pause_is_tried_again_and_one_that_is_broken_is_not(
    monkeypatch, state, raised
):
    monkeypatch.undo()

    def ended():
        raise InternalError from type("FromTheServer", (Exception,), {"sqlstate": state})()

    with pytest.raises(raised) as error:
        asyncio.run(db_threads.in_thread(ended)())

    assert not may_be_committed(error.value)


@pytest.mark.django_db(transaction=True)
def test_a_connection_that_died_and_cannot_be_made_anew_surely_committed_nothing(monkeypatch):
    monkeypatch.undo()
    connection.ensure_connection()
    connection.close_at = None  # as those of a worker it may be kept

    def refused(_connection, _parameters):
        return psycopg.connect("host=127.0.0.1 port=1", connect_timeout=5)

    with monkeypatch.context() as restarted:
        restarted.setattr(db_threads, "TRUSTED_SECONDS", -1)
        restarted.setattr(DatabaseWrapper, "is_usable", lambda _connection: False)
        restarted.setattr(DatabaseWrapper, "get_new_connection", refused)
        with pytest.raises(NotConnected, match="refused") as error:
            db_threads._run(transaction.atomic(durable=True)(list))

    assert not may_be_committed(error.value)
