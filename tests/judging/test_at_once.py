"""Several calls at once: one that breaks leaves none of the others behind."""

import asyncio

import pytest

from judging import conductor


def test_the_others_are_done_to_their_end_before_a_failure_is_told():
    done = []

    async def break_at_once():
        raise ConnectionError("The database is gone.")

    async def take_a_while():
        await asyncio.sleep(0.05)
        done.append("paid for, and written down")

    with pytest.raises(ConnectionError, match="The database is gone"):
        asyncio.run(conductor.all_of([break_at_once(), take_a_while()]))

    assert done == ["paid for, and written down"]


def test_what_came_of_each_is_in_the_order_that_was_asked_for():
    async def after(seconds):
        await asyncio.sleep(seconds)
        return seconds

    assert asyncio.run(conductor.all_of([after(0.02), after(0)])) == [0.02, 0]
