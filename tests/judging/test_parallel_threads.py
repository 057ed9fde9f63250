"""Several calls at once: one that breaks leaves none of the others behind."""

import asyncio

import pytest

from judging.engine import attempt as calling
from judging.formats.state import Voice
from judging.types import Completion, Material, Permit, Prompt, Purpose, Request


def test_the_others_are_done_to_their_end_before_a_failure_is_told():
    done = []

    async def break_at_once():
        raise ConnectionError("The database is gone.")

    async def take_a_while():
        await asyncio.sleep(0.05)
        done.append("paid for, and written down")

    with pytest.raises(ConnectionError, match="The database is gone"):
        asyncio.run(calling.gather_all([break_at_once(), take_a_while()]))

    assert done == ["paid for, and written down"]


def test_what_came_of_each_is_in_the_order_that_was_asked_for():
    async def after(seconds):
        await asyncio.sleep(seconds)
        return seconds

    assert asyncio.run(calling.gather_all([after(0.02), after(0)])) == [0.02, 0]


class OneAtATime:
    """A provider with room for one, who answers at once."""

    def __init__(self):
        self.place = asyncio.Semaphore(1)

    def room(self, request):
        return self.place

    def source(self, request):
        return []

    def deadline(self, request):
        return 0.05

    async def complete(self, request):
        return Completion(text="{}", model="here")


def test_waiting_for_room_counts_against_no_deadline(monkeypatch):
    voice = Voice(id=1, role="arbiter", name="Arbiter", provider="one-at-a-time", model="")
    short = Request(
        purpose=Purpose.SUM_UP, prompt=Prompt("sum_up", 1, ""), messages=(), schema={}, material=Material("", "")
    )

    async def asked_while_somebody_else_is_in():
        asking = OneAtATime()
        monkeypatch.setattr(calling, "provider", lambda name: asking)
        await asking.place.acquire()
        asyncio.get_running_loop().call_later(0.3, asking.place.release)
        return await calling.call(calling.Question(short, voice, read=str, permit=lambda: Permit.ASK))

    answered, answer, _ = asyncio.run(asked_while_somebody_else_is_in())

    assert (answered.outcome, answer) == ("used", "{}")
