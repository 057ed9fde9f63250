"""A budget says no before it is passed, in whichever of its three units that would be."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judging.rules.budget import Amounts, may_spend

NOTHING = Amounts()
AMOUNTS = st.builds(Amounts, st.integers(0, 50), st.integers(0, 50), st.decimals(0, 50, places=4))


@pytest.mark.parametrize(
    ("limits", "spent", "reserved", "wanted", "allowed"),
    [
        pytest.param(Amounts(10, None, None), Amounts(7), Amounts(2), Amounts(1), True, id="the last call"),
        pytest.param(Amounts(10, None, None), Amounts(8), Amounts(2), NOTHING, False, id="all calls are gone"),
        pytest.param(Amounts(10, None, None), Amounts(8), Amounts(1), Amounts(2), False, id="one call too many"),
        pytest.param(Amounts(None, 100, None), Amounts(0, 60), Amounts(0, 30), Amounts(1, 11), False, id="tokens"),
        pytest.param(
            Amounts(None, None, Decimal("0.50")),
            Amounts(0, 0, Decimal("0.49")),
            NOTHING,
            Amounts(1, 0, Decimal("0.0101")),
            False,
            id="money",
        ),
        pytest.param(Amounts(0, None, None), NOTHING, NOTHING, NOTHING, False, id="a limit of nothing"),
        pytest.param(Amounts(None, None, None), Amounts(9**9), NOTHING, Amounts(9**9), True, id="without limits"),
    ],
)
def test_what_fits_may_be_spent(limits, spent, reserved, wanted, allowed):
    assert may_spend(limits=limits, spent=spent, reserved=reserved, cost=wanted) is allowed


@pytest.mark.parametrize("count", [0, 1, 3])
def test_amounts_are_multiplied_unit_by_unit(count):
    assert Amounts(2, 30, Decimal("0.1")).times(count) == Amounts(2 * count, 30 * count, Decimal("0.1") * count)


def test_without_a_limit_there_is_nothing_to_add():
    assert Amounts(None, None, None).plus(Amounts(1, None, Decimal(2))) == Amounts(1, 0, Decimal(2))
    assert Amounts(None, None, None).times(4) == NOTHING


@given(AMOUNTS, AMOUNTS, AMOUNTS, AMOUNTS)
def test_what_is_allowed_stays_within_the_limits_and_whoever_wants_less_may_too(limits, spent, reserved, wanted):
    if may_spend(limits=limits, spent=spent, reserved=reserved, cost=wanted):
        after = spent.plus(reserved).plus(wanted)

        assert after.calls <= limits.calls
        assert after.tokens <= limits.tokens
        assert after.money <= limits.money
        assert may_spend(limits=limits, spent=spent, reserved=NOTHING, cost=wanted)
