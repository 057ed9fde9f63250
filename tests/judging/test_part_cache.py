"""Drawings of parts: kept for a moment, never across an erasure or another epoch, drawn by one thread at a time."""

import threading
from dataclasses import dataclass, field, replace

import pytest

from judging.pages.parts import FRESH_SECONDS, MOST, STILL_SECONDS, Drawings, Log

LOG = Log(debate=1, epoch="a", erasures=0, seq=10)


@dataclass
class Hand:
    """Draws, and remembers what it was asked for."""

    seq: int = 10
    asked: list[list[str]] = field(default_factory=list)

    def __call__(self, names):
        self.asked.append(list(names))
        return self.seq, {name: f"{name} as of {self.seq}" for name in names if name != "nothing"}


@pytest.fixture
def hand():
    return Hand()


@pytest.fixture
def now():
    return [100.0]


@pytest.fixture
def drawings(now):
    return Drawings(clock=lambda: now[0])


def test_a_part_is_drawn_once_for_all_who_ask_within_a_moment(drawings, hand, now):
    drawings.of(log=LOG, names=["overall"], draw=hand)
    now[0] += FRESH_SECONDS / 2
    found = drawings.of(log=replace(LOG, seq=14), names=["overall", "heading"], draw=hand)

    assert hand.asked == [["overall"], ["heading"]]
    assert {name: one.html for name, one in found.items()} == {
        "overall": "overall as of 10",
        "heading": "heading as of 10",
    }


@pytest.mark.parametrize(
    ("seconds", "log", "again"),
    [
        pytest.param(FRESH_SECONDS - 0.01, replace(LOG, seq=11), False, id="the debate has just gone on"),
        pytest.param(FRESH_SECONDS, replace(LOG, seq=11), True, id="the debate has gone on for a moment"),
        pytest.param(STILL_SECONDS - 0.01, LOG, False, id="nothing has happened"),
        pytest.param(STILL_SECONDS, LOG, True, id="nothing has happened for long"),
        pytest.param(0, replace(LOG, seq=9), True, id="the log is not so far: it is another one"),
        pytest.param(0, replace(LOG, epoch="b"), True, id="another epoch"),
        pytest.param(0, replace(LOG, erasures=1), True, id="words were erased"),
        pytest.param(0, replace(LOG, debate=65), True, id="another debate"),
    ],
)
def test_a_drawing_is_given_out_for_as_long_as_it_is_good_enough(drawings, hand, now, seconds, log, again):
    drawings.of(log=LOG, names=["overall"], draw=hand)
    now[0] += seconds

    drawings.of(log=log, names=["overall"], draw=hand)

    assert len(hand.asked) == 1 + again


def test_what_there_is_not_is_not_given(drawings, hand):
    assert drawings.of(log=LOG, names=["nothing"], draw=hand) == {}
    assert drawings.of(log=LOG, names=[], draw=hand) == {}
    assert hand.asked == [["nothing"]]


def test_no_more_than_so_many_drawings_are_kept_and_the_oldest_go_first(drawings, hand):
    drawings.of(log=LOG, names=["first"], draw=hand)
    drawings.of(log=LOG, names=[str(number) for number in range(MOST)], draw=hand)
    drawings.of(log=LOG, names=["first", str(MOST - 1)], draw=hand)

    assert hand.asked[-1] == ["first"]


def test_of_many_who_ask_at_once_one_draws_and_the_others_wait(hand):
    drawings, together, found = Drawings(), threading.Barrier(8), []

    def ask() -> None:
        together.wait()
        found.append(drawings.of(log=LOG, names=["overall"], draw=hand)["overall"].html)

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert hand.asked == [["overall"]]
    assert found == ["overall as of 10"] * 8
