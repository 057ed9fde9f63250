"""Laws of play, tried on tables and effects that nobody thought of. Nothing is written down."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from debates.types import Role
from judging.formats.open.format import OpenFormat, snapshot_of
from judging.formats.open.results import Seat
from judging.formats.open.spec import TableSpec
from judging.formats.open.state import OpenThreadState
from judging.formats.state import Ask, Brief, Close, Voice
from judging.rules import persuasion
from judging.rules.persuasion import RULE_SETS, State
from judging.types import Purpose
from tests.examples import examples
from tests.judging.rules.strategies import SHARES, STANCES

OPEN = OpenFormat()
MOST_STEPS = 300


def table(*, chairs, exchanges):
    """A table of engines whose responses are weighed by words and judged by nobody, at its openings."""
    voices = tuple(Voice(number, Role.CHAIR, f"C{number}", "heuristic", "") for number in range(1, len(chairs) + 1))
    wanted = TableSpec(motion="Whatever is debated.", chairs=(), introduction=False, judging="off")
    brief = Brief(
        debate_id=1, public_id="", format="open", title="", subject="", rounds=exchanges,
        parameters={"fairness": wanted.fairness.snapshot(), **snapshot_of(table_spec=wanted)}, voices={},
        everybody=voices, has_limit=False, script=(),
    )  # fmt: skip
    seats = tuple(
        Seat(one.id, str(one.id), one.name, one.id, "", "adaptive", State(stance, conviction), 0)
        for one, (stance, conviction) in zip(voices, chairs, strict=True)
    )
    return brief, OpenThreadState(1, "main", 1, 1, 0, 1, seats=seats)


def heard(board, speaker, effects, rules):
    """Return the board after a response: everybody who listens is moved, as far as they still can be."""
    seats = tuple(
        one
        if one.id == speaker or not one.active
        else replace(one, state=persuasion.update(state=one.state, persuasion=told, attack=hit, rules=rules))
        for one, (told, hit) in zip(board.seats, effects, strict=True)
    )
    return replace(board, seats=seats)


@settings(deadline=None, max_examples=examples(60))
@given(
    st.lists(st.tuples(STANCES, SHARES), min_size=2, max_size=6),
    st.integers(1, 8),
    st.sampled_from(sorted(RULE_SETS)),
    st.data(),
)
def test_who_has_surrendered_never_speaks_again_and_everybody_else_speaks_once_in_each_exchange(
    chairs, exchanges, rule_set, data
):
    brief, board = table(chairs=chairs, exchanges=exchanges)
    effects = st.lists(st.tuples(SHARES, SHARES), min_size=len(chairs), max_size=len(chairs))
    gone, spoke = set(), []
    for _ in range(MOST_STEPS):
        step = OPEN.next_step(brief=brief, board=board)
        if isinstance(step, Close):
            assert {one.id for one in board.active} <= board.taken or len(board.active) <= 1
            if OPEN.over(brief=brief, board=board):
                break
            board = OPEN.next_state(board=board)
            continue
        assert isinstance(step, Ask)
        assert step.participant not in gone
        spoke.append((board.number, step.participant))
        if step.purpose is Purpose.RESPOND:
            board = heard(board, step.participant, data.draw(effects), RULE_SETS[rule_set])
        board = replace(board, taken=board.taken | {step.participant})
        gone |= {one.id for one in board.seats if not one.active}
    else:
        raise AssertionError("the debate never ended")

    assert len(spoke) == len(set(spoke))
    assert board.number <= exchanges
    assert board.number == exchanges or len(board.active) <= 1
