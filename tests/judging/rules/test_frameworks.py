"""The positions of open debates are complete: every framework, preset, tone and strategy can be used as it is."""

from decimal import Decimal

import pytest

from judging.rules import frameworks
from judging.rules.adherence import Accountability
from judging.rules.persuasion import Strategy
from scoring.errors import UnknownKey

TEN = {
    "utilitarian",
    "virtue_ethics",
    "deontological",
    "pragmatic",
    "libertarian",
    "communitarian",
    "cosmopolitan",
    "precautionary",
    "autonomy_centered",
    "care_ethics",
}
SIX = {
    "classic_clash",
    "liberty_vs_community",
    "three_way_ethics",
    "global_vs_local",
    "caution_vs_progress",
    "battle_royale",
}


def test_there_are_ten_frameworks_and_six_presets():
    assert set(frameworks.frameworks()) == TEN
    assert set(frameworks.presets()) == SIX


@pytest.mark.parametrize("key", sorted(TEN))
def test_a_framework_says_what_it_argues_from_asks_does_well_and_must_admit(key):
    framework = frameworks.frameworks()[key]

    assert framework.key == key
    assert framework.name.strip()
    assert framework.gist.endswith(".")
    assert framework.question.endswith("?")
    assert len(set(framework.strengths)) == 3
    assert len(set(framework.blind_spots)) >= 2
    assert all(len(one.split()) >= 4 for one in (*framework.strengths, *framework.blind_spots))


def test_no_two_frameworks_say_the_same():
    every = [
        words
        for one in frameworks.frameworks().values()
        for words in (one.name, one.gist, one.question, *one.strengths, *one.blind_spots)
    ]

    assert len(every) == len(set(every))


@pytest.mark.parametrize("key", sorted(SIX))
def test_a_preset_can_be_played_as_it_is(key):
    seats = frameworks.preset(key).seats

    assert 2 <= len(seats) <= 12
    assert len({seat.name for seat in seats}) == len(seats)
    assert len({seat.framework for seat in seats}) == len(seats)
    assert {seat.framework for seat in seats} <= TEN
    assert all(-1 <= seat.stance <= 1 and 0 <= seat.conviction <= 1 for seat in seats)
    assert all(isinstance(seat.stance, Decimal) and isinstance(seat.conviction, Decimal) for seat in seats)


@pytest.mark.parametrize("key", sorted(SIX))
def test_somebody_in_a_preset_is_for_the_motion_and_somebody_against(key):
    stances = [seat.stance for seat in frameworks.preset(key).seats]

    assert max(stances) > 0 > min(stances)


def test_every_manner_of_speaking_is_described():
    assert set(frameworks.tones()) == {"respectful", "spirited", "heated"}
    assert frameworks.SPIRITED in frameworks.tones()
    assert set(frameworks.accountability()) == set(Accountability)
    assert len({frameworks.manner(strategy) for strategy in Strategy}) == len(Strategy)


def test_an_unknown_preset_is_refused_with_the_known_ones():
    with pytest.raises(UnknownKey, match=r"There is no preset 'duel'; allowed: classic_clash, .*"):
        frameworks.preset("duel")
