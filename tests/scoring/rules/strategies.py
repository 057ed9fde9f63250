"""Numbers that the laws are tried on, scores, confidences and verdicts with two places; and no float among them."""

from collections.abc import Callable
from decimal import Decimal

import pytest
from hypothesis import strategies as st

from scoring.types import VerdictFact


def decimals(low: str, high: str, places: int = 2) -> st.SearchStrategy[Decimal]:
    """Return exact decimals from low to high with the given places."""
    return st.decimals(Decimal(low), Decimal(high), places=places, allow_nan=False, allow_infinity=False)


SCORES = decimals("1", "10")
CONFIDENCES = decimals("0", "1")
VERDICTS = st.builds(VerdictFact, decimals("-3", "3"), decimals("-0.3", "0.3"), decimals("0", "1"))
ROUNDS = st.lists(st.lists(VERDICTS, max_size=4), max_size=6)


def float_test(*calls: object) -> Callable[[Callable[[], object]], None]:
    """Return a test that each of these calls is refused for a float that it hands over."""

    @pytest.mark.parametrize("call", calls)
    def test(call: Callable[[], object]) -> None:
        with pytest.raises(TypeError):
            call()

    return test
