"""How pages read a ledger, where charts draw, how numbers are written. No database."""

import itertools
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debates.models import Thread
from debates.types import Status
from judging.formats import charts
from judging.formats.criterion.scoreboard import EntryLine, Row, Step, StepState, journey
from judging.pages import participants
from judging.providers import REGISTRY
from judging.templatetags import numbers
from scoring.models import Evaluation

COUNTED, HELD, DISCARDED = StepState.COUNTED, StepState.HELD, StepState.DISCARDED
OPENED = EntryLine(1, "opened", None, None)
APPLIED = EntryLine(5, "unfreeze", None, Decimal(8), held_choice="apply")


def line(sequence: int, kind: str, number: int | None = None, score: str | None = None, **more: object) -> EntryLine:
    return EntryLine(sequence, kind, number, None if score is None else Decimal(score), **more)


def counted(score: str | None) -> Step:
    return Step(COUNTED, None if score is None else Decimal(score))


def unfreeze(sequence: int, choice: str, score: str | None) -> EntryLine:
    return line(sequence, "unfreeze", None, score, held_choice=choice, facts=(7,))


ONE_HELD = [OPENED, line(2, "freeze"), line(3, "held", 1, facts=(7,))]
FROZEN_AGAIN = line(6, "freeze", facts=(7,))


@pytest.mark.parametrize(
    ("lines", "steps", "fell_back"),
    [
        pytest.param([], {}, False, id="nothing was opened"),
        pytest.param([OPENED], {}, False, id="nothing was played"),
        pytest.param(
            [OPENED, line(2, "round", 1, "7"), line(3, "round", 2, "6")],
            {1: counted("7"), 2: counted("6")},
            False,
            id="every round that counts is a step",
        ),
        pytest.param(
            [OPENED, line(2, "round", 1, "7"), line(3, "round", 3, "6")],
            {1: counted("7"), 3: counted("6")},
            False,
            id="a round without a verdict leaves a gap",
        ),
        pytest.param([OPENED, line(2, "fallback", None, "6")], {}, True, id="a fallback is said"),
        pytest.param(
            [OPENED, line(2, "freeze"), line(3, "held", 1)], {1: Step(HELD)}, False, id="a held round has no score"
        ),
        pytest.param(
            [
                OPENED,
                line(2, "freeze"),
                line(3, "held", 1),
                line(4, "held", 2),
                line(5, "unfreeze", None, "8", held_choice="apply"),
            ],
            {1: counted(None), 2: counted("8")},
            False,
            id="what was held counts with the last held round",
        ),
        pytest.param(
            [OPENED, line(2, "freeze"), line(3, "held", 1), line(4, "unfreeze", None, None, held_choice="discard")],
            {1: Step(DISCARDED)},
            False,
            id="what was held may be discarded",
        ),
        pytest.param(
            [OPENED, line(2, "round", 1, "7"), line(3, "round", 2, "8"), line(4, "rollback", None, "7", target=2)],
            {1: counted("7")},
            False,
            id="a rollback takes back what came after its target",
        ),
        pytest.param(
            [
                OPENED,
                line(2, "round", 1, "7"),
                line(3, "rollback", None, "6", target=1),
                line(4, "rollback", None, "7", target=2),
            ],
            {1: counted("7")},
            False,
            id="a rollback of a rollback brings back",
        ),
        pytest.param(
            [OPENED, line(2, "fallback", None, "6"), line(3, "rerun"), line(4, "round", 1, "5")],
            {1: counted("5")},
            False,
            id="a rerun starts anew",
        ),
        pytest.param(
            [OPENED, line(2, "round", 1, "7"), line(3, "override", None, "7"), line(4, "strike", None, "6")],
            {1: counted("7")},
            False,
            id="an override or a strike is no round",
        ),
        pytest.param(
            [*ONE_HELD, unfreeze(4, "apply", "8"), line(5, "strike", None, "6", facts=(7,)), FROZEN_AGAIN],
            {1: Step(HELD)},
            False,
            id="what an undo holds again is held",
        ),
        pytest.param(
            [*ONE_HELD, unfreeze(4, "discard", None), FROZEN_AGAIN, unfreeze(7, "apply", "8")],
            {1: counted("8")},
            False,
            id="what an undo holds again may count",
        ),
        pytest.param(
            [*ONE_HELD, unfreeze(4, "discard", None), line(5, "reinstate", None, "8", facts=(7,))],
            {1: counted("8")},
            False,
            id="a discarded round counts once it is reinstated",
        ),
        pytest.param(
            [
                *ONE_HELD,
                unfreeze(4, "discard", None),
                line(5, "round", 2, "7", facts=(8,)),
                line(6, "reinstate", None, "9", facts=(7,)),
            ],
            {1: counted(None), 2: counted("7")},
            False,
            id="a round reinstated after later ones has no score of its own",
        ),
        pytest.param(
            [
                *ONE_HELD,
                unfreeze(4, "apply", "8"),
                line(5, "rollback", None, None, target=3),
                line(6, "freeze"),
                line(7, "held", 2, facts=(8,)),
                unfreeze(8, "apply", "7"),
            ],
            {1: Step(DISCARDED), 2: counted("7")},
            False,
            id="a rollback leaves out what was held at its target",
        ),
    ],
)
def test_a_journey_is_what_still_stands_of_the_newest_run(lines, steps, fell_back):
    went = journey(lines=lines)

    assert (went.steps, went.fell_back) == (steps, fell_back)


@pytest.mark.parametrize(
    ("basis", "words"),
    [
        pytest.param([], ["no verdicts"], id="nothing counts"),
        pytest.param([7], [], id="what was discarded counts after all"),
    ],
)
def test_a_score_is_said_to_have_fallen_back_only_while_no_verdict_counts(basis, words):
    fell = journey(lines=[OPENED, line(2, "fallback", None, "6"), line(3, "reinstate", None, "8")])
    evaluation = Evaluation(initial_score=Decimal(6), computed_score=Decimal(6), basis=basis, held=[])
    evaluation.final_score = evaluation.computed_score
    row = Row(Thread(status="complete"), {}, evaluation, fell.fell_back, [])

    assert [badge.word for badge in row.badges] == words


@given(st.lists(st.decimals(charts.TOP, charts.BOTTOM, places=1), max_size=charts.MOST_LINES))
def test_labels_of_a_chart_never_cover_each_other_and_stay_inside(heights):
    placed = charts.spread(heights)

    assert all(charts.TOP <= place <= charts.BOTTOM for place in placed)
    in_order = sorted(placed)
    assert all(low + charts.LABEL_GAP <= high for low, high in itertools.pairwise(in_order))


@given(st.lists(st.integers(0, 17).map(lambda step: Decimal(12 + 10 * step)), max_size=6, unique=True))
def test_labels_keep_the_order_of_their_lines(heights):
    placed = charts.spread(heights)

    assert sorted(range(len(heights)), key=heights.__getitem__) == sorted(range(len(placed)), key=placed.__getitem__)


def test_the_ends_of_a_scale_lie_at_its_edges():
    assert (charts.upwards(Decimal(1)), charts.upwards(Decimal(10))) == (charts.BOTTOM, charts.TOP)
    assert (charts.on_scale(Decimal(1)), charts.on_scale(Decimal(10))) == (charts.SCALE_LEFT, charts.SCALE_RIGHT)
    assert [charts.along(stop, stops=3) for stop in range(3)] == [charts.LEFT, 159, charts.RIGHT]


@pytest.mark.parametrize(
    ("value", "score", "signed", "direction"),
    [
        (None, "", "", "level"),
        (Decimal("6.005"), "6.01", "+6.01", "up"),
        (Decimal("-0.5"), "-0.50", "\N{MINUS SIGN}0.50", "down"),
        (Decimal(0), "0.00", "0.00", "level"),
        ("7.5", "7.50", "+7.50", "up"),
    ],
)
def test_numbers_have_two_places_and_changes_a_sign(value, score, signed, direction):
    assert (numbers.score(value), numbers.signed(value), numbers.direction(value)) == (score, signed, direction)


def test_a_share_is_written_in_whole_percent_and_a_missing_one_not_at_all():
    assert (numbers.percent("0.855000"), numbers.percent(None)) == ("86 %", "")


def test_every_status_has_words():
    assert all(numbers.STATUS_WORDS[status.value] for status in Status)


@pytest.mark.parametrize("name", ["heuristic", "scripted"])
def test_a_provider_that_is_no_language_model_is_described_as_none(name):
    assert "no language model" in participants.KNOWN[name]
    assert name in REGISTRY


def test_a_moment_is_shown_in_utc_and_given_to_programs():
    at = datetime(2026, 11, 3, 9, 5, 7, tzinfo=UTC)

    assert numbers.moment(at) == (
        '<time datetime="2026-11-03T09:05:07+00:00" data-written="minutes">3 Nov 2026, 09:05 UTC</time>'
    )
    assert "09:05:07 UTC" in numbers.moment(at, seconds=True)
