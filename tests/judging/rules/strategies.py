"""Numbers that the laws are tried on: stances, convictions, effects and judges' scores."""

from decimal import Decimal

from hypothesis import strategies as st

from judging.rules import standing
from tests.scoring.rules.strategies import decimals

STANCES = decimals("-1", "1", places=6)
SHARES = decimals("0", "1", places=4)
EFFECTS = st.lists(st.tuples(SHARES, SHARES), max_size=14)
JUDGE_SCORES = decimals("1", "5", places=1)


@st.composite
def voices(draw, least=1, most=5):
    """Return participants with names of their own, histories and, now and then, a surrender."""
    names = draw(st.lists(st.sampled_from("ABCDEFGH"), min_size=least, max_size=most, unique=True))
    history = st.lists(SHARES, max_size=10).map(tuple)
    return [
        standing.StandingVoice(
            name=name,
            stance=draw(STANCES),
            conviction=draw(SHARES),
            persuasions=(told := draw(history)),
            attacks=draw(history),
            surrendered=draw(st.booleans()),
            persuaded_by=tuple(draw(st.sampled_from(names)) for _ in told),
            surrendered_to=draw(st.sampled_from(names)),
        )
        for name in names
    ]


@st.composite
def panels(draw, least=2, most=5):
    """Return weights and the scores of some judges for as many criteria."""
    criteria = draw(st.integers(1, 5))
    weights = draw(st.lists(decimals("0.01", "1"), min_size=criteria, max_size=criteria))
    row = st.lists(JUDGE_SCORES, min_size=criteria, max_size=criteria).map(tuple)
    return weights, draw(st.lists(row, min_size=least, max_size=most))


def numbers(*values):
    return tuple(Decimal(value) for value in values)
