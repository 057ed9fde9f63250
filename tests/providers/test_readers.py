"""The offline provider reads in threads of its own: no more at once than there is room for, whoever gives up."""

import asyncio
import threading

from judging.providers import heuristic, provider
from judging.types import OFFLINE, Purpose
from tests.providers.test_openai import request


def test_a_text_that_nobody_waits_for_any_more_keeps_its_place_until_it_is_read(monkeypatch):
    ended, begun = threading.Event(), threading.Semaphore(0)

    def read(_material):
        begun.release()
        ended.wait(60)
        return {}

    monkeypatch.setattr(heuristic, "ANSWERS", {Purpose.RESPOND: read})

    async def give_up_twice_and_ask_again():
        offline = provider(OFFLINE)
        asked = [asyncio.create_task(offline.complete(request())) for _ in range(heuristic.READ_AT_ONCE)]
        for _ in asked:
            await asyncio.to_thread(begun.acquire, timeout=60)
        for task in asked:
            task.cancel()
        await asyncio.gather(*asked, return_exceptions=True)
        last = asyncio.create_task(offline.complete(request()))
        early = await asyncio.to_thread(begun.acquire, timeout=0.3)
        ended.set()
        return early, (await last).text

    assert asyncio.run(give_up_twice_and_ask_again()) == (False, "{}")
