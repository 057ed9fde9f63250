"""What holds for any panel: the order of judges, closeness, and judges who say nothing."""

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from judging.rules import consensus
from judging.rules.consensus import Ballot, Policy
from tests.judging.rules.strategies import panels

DEFAULT = Policy()


@given(panels(), st.randoms())
def test_the_order_of_judges_does_not_matter(panel, luck):
    weights, rows = panel
    shuffled = list(rows)
    luck.shuffle(shuffled)

    one, other = (
        consensus.check(ballots=[Ballot(row) for row in order], weights=weights, policy=DEFAULT)
        for order in (rows, shuffled)
    )

    assert (one.reasons, one.spread, one.criterion_spreads, one.means, one.overall, one.disputed) == (
        other.reasons,
        other.spread,
        other.criterion_spreads,
        other.means,
        other.overall,
        other.disputed,
    )
    assert sorted(one.overalls) == sorted(other.overalls)


@given(panels(), st.integers(0, 4))
def test_judges_who_come_closer_keep_agreeing(panel, quarters):
    weights, rows = panel
    apart = consensus.check(ballots=[Ballot(row) for row in rows], weights=weights, policy=DEFAULT)
    centre = Decimal(3)
    closer = [tuple(centre + (score - centre) * quarters / 4 for score in row) for row in rows]

    near = consensus.check(ballots=[Ballot(row) for row in closer], weights=weights, policy=DEFAULT)

    assert near.agreed or not apart.agreed


@given(panels(), st.integers(1, 3))
def test_a_seat_that_says_nothing_never_makes_agreement_easier(panel, count):
    weights, rows = panel
    ballots = [Ballot(row) for row in rows]
    mute = [Ballot(None)] * count

    without = consensus.check(ballots=ballots, weights=weights, policy=DEFAULT)
    with_mute = consensus.check(ballots=[*ballots, *mute], weights=weights, policy=DEFAULT)

    assert without.agreed or not with_mute.agreed
    assert with_mute.means == without.means


@given(panels(), st.data(), st.integers(2, 9))
def test_a_judge_who_falls_mute_makes_no_quorum_and_changes_nothing_of_what_the_others_gave(panel, data, quorum):
    weights, rows = panel
    policy = Policy(quorum=quorum)
    out = data.draw(st.integers(0, len(rows) - 1))
    ballots = [Ballot(row) for row in rows]
    others = [*ballots[:out], *ballots[out + 1 :]]

    read, mute, alone = (
        consensus.check(ballots=seats, weights=weights, policy=policy)
        for seats in (ballots, [*ballots[:out], Ballot(None), *ballots[out + 1 :]], others)
    )

    assert (mute.needed, mute.counted) == (read.needed, read.counted - 1)
    assert mute.counted >= mute.needed or mute.reason == "quorum_lost"
    assert (mute.means, mute.overall, mute.spread, mute.criterion_spreads) == (
        alone.means,
        alone.overall,
        alone.spread,
        alone.criterion_spreads,
    )


def test_where_the_one_who_stood_apart_cannot_be_read_the_others_may_agree():
    rows = [(Decimal(5),), (Decimal(5),), (Decimal(1),)]
    weights = [Decimal(1)]

    read = consensus.check(ballots=[Ballot(row) for row in rows], weights=weights, policy=DEFAULT)
    mute = consensus.check(ballots=[Ballot(rows[0]), Ballot(rows[1]), Ballot(None)], weights=weights, policy=DEFAULT)

    assert (read.agreed, mute.agreed) == (False, True)


@given(panels(), st.data())
def test_striking_all_that_a_judge_gave_is_as_if_it_had_said_nothing(panel, data):
    weights, rows = panel
    out = data.draw(st.integers(0, len(rows) - 1))
    every = frozenset(range(len(weights)))

    struck, mute = (
        consensus.check(
            ballots=[gone if at == out else Ballot(row) for at, row in enumerate(rows)], weights=weights, policy=DEFAULT
        )
        for gone in (Ballot(rows[out], struck=every), Ballot(None))
    )

    assert struck == mute


@given(panels())
def test_one_judge_said_twice_changes_no_spread(panel):
    weights, rows = panel

    once = consensus.check(ballots=[Ballot(row) for row in rows], weights=weights, policy=DEFAULT)
    twice = consensus.check(ballots=[Ballot(row) for row in [*rows, rows[0]]], weights=weights, policy=DEFAULT)

    assert (once.spread, once.criterion_spreads) == (twice.spread, twice.criterion_spreads)


@given(panels())
def test_the_overall_lies_between_the_judges(panel):
    weights, rows = panel

    found = consensus.check(ballots=[Ballot(row) for row in rows], weights=weights, policy=DEFAULT)

    margin = Decimal("0.0001")
    assert min(found.overalls) - margin <= found.overall <= max(found.overalls) + margin
