"""How well a judge follows labels of people, and those labels as they are read."""

from collections import Counter
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debates.errors import Invalid
from judging.formats.spec import LONGEST_SUBJECT
from judging.rules import calibration
from judging.rules.calibration import (
    BesideLength,
    Estimate,
    LabelledPair,
    LabelledText,
    Preferred,
    RatedPair,
    RatedText,
)
from judging.rules.text_probes import Expected

FIRST, SECOND, TIE = Preferred
# The worked example of the encyclopedia's article on Spearman's rank correlation (Wikipedia): IQ, hours of television.
IQ = (106, 100, 86, 101, 99, 103, 97, 113, 112, 110)
HOURS = (7, 27, 2, 50, 28, 29, 20, 12, 6, 17)
NUMBERS = st.lists(st.tuples(st.integers(-5, 5), st.integers(-5, 5)), min_size=2, max_size=30)


def rated(*rows, group=""):
    return [RatedText(Decimal(label), Fraction(score), length, group) for label, score, length in rows]


def rank_correlation(values, others):
    return calibration.of_ranks(calibration.middle_ranks(values), calibration.middle_ranks(others))


def test_rank_correlation_is_that_of_the_worked_example():
    assert round(rank_correlation(IQ, HOURS), 9) == round(Fraction(-29, 165), 9)


def test_rank_correlation_with_ties_is_that_of_the_manual():
    # The example in SciPy's manual (scipy.stats.spearmanr): 0.8207826816681233.
    correlation = rank_correlation([1, 2, 3, 4, 5], [5, 6, 7, 8, 7])

    assert round(correlation, 10) == Fraction("0.8207826817")


def test_equals_share_the_middle_of_their_ranks():
    assert calibration.middle_ranks([7, 3, 7, 9]) == [5, 2, 5, 8]


@given(rows=NUMBERS)
def test_rank_correlation_knows_order_alone_and_no_side(rows):
    xs, ys = zip(*rows, strict=True)

    found = rank_correlation(xs, ys)

    assert found == rank_correlation(ys, xs)
    assert found == rank_correlation([3 * x + 1 for x in xs], ys)
    assert found is None or -1 <= found <= 1
    assert (found is None) == (len(set(xs)) == 1 or len(set(ys)) == 1)
    if found is not None:
        assert rank_correlation(xs, xs) == 1
        assert rank_correlation(xs, [-y for y in ys]) == -found


def test_kappa_is_that_of_the_worked_example():
    # Fifty proposals and two readers, in the encyclopedia's article on Cohen's kappa (Wikipedia).
    counts = Counter({(True, True): 20, (True, False): 5, (False, True): 10, (False, False): 15})

    assert calibration.beyond_chance(counts) == Fraction(2, 5)
    assert calibration.beyond_chance(Counter({(True, True): 3})) is None


def test_texts_without_groups_are_ranked_all_together():
    figures = calibration.of_texts(rated((1, 10, 5), (2, 20, 9), (3, 30, 7), (4, 40, 8)), seed=1)

    assert (figures.texts, figures.groups) == (4, 0)
    assert figures.correlation == BesideLength(
        Estimate(Decimal("1.000000")), Estimate(Decimal("0.400000")), Estimate(Decimal("0.600000"))
    )
    # Both halves of the labels are those of the scores; of the lengths, half of each.
    assert figures.kappa == BesideLength(Estimate(Decimal(1)), Estimate(Decimal(0)), Estimate(Decimal(1)))


def test_texts_in_groups_are_ranked_within_them_and_large_groups_weigh_more():
    agreeing = rated((1, 1, 1), (2, 2, 1), (3, 3, 1), group="agreeing")
    opposed = rated((100, 9, 1), (200, 8, 1), group="opposed")

    figures = calibration.of_texts([*agreeing, *opposed], seed=1)

    assert (figures.texts, figures.groups) == (5, 2)
    assert figures.correlation.judge == Estimate(Decimal("0.2"))  # (3 x 1 + 2 x -1) / 5
    assert figures.correlation.length == Estimate(Decimal(0))
    assert figures.correlation.gain == Estimate(Decimal("0.2"))


def test_a_group_in_which_a_side_sees_no_difference_counts_as_none_for_that_side():
    told_apart = [rated((1, 1, 1), (2, 2, 2), (3, 3, 3), group=f"apart {at}") for at in range(6)]
    all_alike = [rated((1, 3, 2), (2, 3, 1), (3, 3, 3), group=f"alike {at}") for at in range(6)]

    figures = calibration.of_texts([text for group in (*told_apart, *all_alike) for text in group], seed=1)

    assert figures.correlation.judge.value == Decimal("0.5")
    assert figures.correlation.length.value == Decimal("0.75")
    assert figures.correlation.gain.value == Decimal("-0.25")


def test_texts_of_groups_with_equal_labels_are_compared_with_none():
    compared = [
        text for name in ("a", "b") for text in rated((1, 1, 1), (2, 4, 2), (3, 3, 4), (4, 2, 3), (5, 5, 5), group=name)
    ]
    alone = [text for at in range(20) for text in rated((at, at, at), group=f"alone {at}")]
    equal = rated((1, 1, 1), (1, 2, 2), group="equal")

    figures = calibration.of_texts([*compared, *alone, *equal], seed=1)

    assert (figures.texts, figures.groups, figures.uncompared) == (10, 2, 22)
    among_themselves = calibration.of_texts(compared, seed=1)
    assert (figures.correlation, figures.kappa) == (among_themselves.correlation, among_themselves.kappa)
    assert figures.kappa.judge.low is None
    assert calibration.of_texts([*alone, *equal], seed=1).kappa.judge == Estimate(None)


@pytest.mark.parametrize("group", ["", "all"])
def test_texts_of_which_all_labels_are_equal_are_in_no_figure(group):
    figures = calibration.of_texts(rated(*((3, at, at) for at in range(12)), group=group), seed=1)

    assert (figures.texts, figures.groups, figures.uncompared) == (0, 0, 12)
    assert figures.correlation == figures.kappa == BesideLength(Estimate(None), Estimate(None), Estimate(None))


def test_one_group_of_all_is_none():
    assert calibration.of_texts(rated((1, 1, 1), (2, 2, 1), group="all"), seed=1).groups == 0


def test_a_pair_is_right_where_the_preferred_text_is_and_half_right_where_the_judge_has_no_preference():
    pairs = [
        RatedPair(FIRST, FIRST, FIRST),
        RatedPair(SECOND, SECOND, FIRST),
        RatedPair(FIRST, TIE, FIRST),
        RatedPair(SECOND, FIRST, TIE),
        RatedPair(TIE, TIE, FIRST),
    ]

    figures = calibration.of_pairs(pairs, seed=1)

    assert (figures.pairs, figures.groups, figures.decided, figures.tied, figures.both_ways) == (5, 0, 4, 2, 0)
    assert figures.accuracy == BesideLength(
        Estimate(Decimal("0.625")), Estimate(Decimal("0.625")), Estimate(Decimal(0))
    )
    assert figures.kappa.judge == Estimate(Decimal("0.411765"))  # 15 of 25 by 3 of 5, 8 of 25 by chance: 7 / 17
    assert figures.flips == figures.first_shown == Estimate(None)


def test_pairs_that_were_shown_in_both_orders_tell_how_often_the_order_decided():
    pairs = [
        RatedPair(FIRST, FIRST, TIE, orders=(FIRST, FIRST)),
        RatedPair(FIRST, TIE, TIE, orders=(FIRST, SECOND)),
        RatedPair(FIRST, FIRST, TIE, orders=(FIRST, TIE)),
    ]

    figures = calibration.of_pairs(pairs, seed=1)

    assert figures.both_ways == 3
    assert figures.flips == Estimate(Decimal("0.666667"))
    assert figures.first_shown == Estimate(Decimal("0.75"))  # 1/2, 1 and 3/4 of the answers of a pair


def test_an_interval_follows_from_the_seed_and_encloses_the_value():
    rows = rated(*((at, at * at % 17, at % 5) for at in range(20)))

    first, again = (calibration.of_texts(rows, seed=7, resamples=200) for _ in range(2))
    other = calibration.of_texts(rows, seed=8, resamples=200)

    assert first == again
    assert first.correlation.judge.value == other.correlation.judge.value
    assert first.correlation.judge != other.correlation.judge
    for estimate in (first.correlation.judge, first.correlation.length, first.correlation.gain, first.kappa.judge):
        assert estimate.low < estimate.value < estimate.high


def test_groups_are_resampled_whole():
    # Ten groups of which each is all right or all wrong: intervals of groups are wider than those of as many pairs.
    sides = {True: RatedPair(FIRST, FIRST, TIE), False: RatedPair(FIRST, SECOND, TIE)}
    pairs = [sides[at < 5] for at in range(10) for _ in range(20)]
    named = [RatedPair(pair.label, pair.judge, pair.length, str(at // 20)) for at, pair in enumerate(pairs)]

    apart, whole = (calibration.of_pairs(rows, seed=1, resamples=200).accuracy.judge for rows in (pairs, named))

    assert apart.value == whole.value == Decimal("0.5")
    assert whole.high - whole.low > 3 * (apart.high - apart.low)


def test_there_is_no_interval_where_most_resamples_have_no_value():
    estimates = calibration.estimated(
        range(12), figures=lambda drawn: [Fraction(1) if list(drawn) == list(range(12)) else None], seed=1, resamples=20
    )

    assert estimates == [Estimate(Decimal(1))]


def test_of_two_numbers_the_greater_is_preferred():
    assert [calibration.preferred(*pair) for pair in ((2, 1), (1, 2), (1, 1))] == [FIRST, SECOND, TIE]


@given(of=st.integers(1, 40), count=st.integers(1, 50), seed=st.integers(0, 99))
def test_a_sample_takes_each_row_once_in_order(of, count, seed):
    drawn = calibration.drawn_rows(count, of=of, seed=seed)

    assert drawn == sorted(set(drawn)) == calibration.drawn_rows(count, of=of, seed=seed)
    assert len(drawn) == min(count, of)
    assert set(drawn) <= set(range(of))


@pytest.mark.parametrize(
    ("expected", "changes", "held"),
    [
        pytest.param(Expected.SAME, ("0.1", "-0.1"), True, id="within a tenth either way"),
        pytest.param(Expected.SAME, ("0.11", "-0.11"), False, id="changes that cancel out are changes"),
        pytest.param(Expected.NO_GAIN, ("-2", "0.1"), True, id="a fall is no gain"),
        pytest.param(Expected.NO_GAIN, ("0.3", "0.02"), False, id="a rise at the mean"),
    ],
)
def test_a_probe_holds_within_what_is_allowed(expected, changes, held):
    figure = calibration.of_probe([Fraction(change) for change in changes], name="a way", expected=expected)

    assert figure.held is held
    assert figure.mean == sum(map(Decimal, changes)) / 2
    assert figure.most == max(abs(Decimal(change)) for change in changes)


# -- labels that people gave, read from CSV ----------------------------------------------------------------------------


THREE = "\nIt rained,1\nIt poured,2\nIt was dry,3\n"


def test_texts_have_numbers():
    rows = calibration.read_labels('Label ,text\n1,"Rain, ""all"" day"\n-2.5,two\n\n3,"over\ntwo lines"\n', longest=50)

    assert rows == [
        LabelledText('Rain, "all" day', Decimal(1)),
        LabelledText("two", Decimal("-2.5")),
        LabelledText("over\ntwo lines", Decimal(3)),
    ]


def test_labels_are_numbers_as_programs_write_means_of_fifteen_digits():
    written = ("3.6666666666666665", "3.666666666666667", "1e-05", "2.0000000000000004", "-1E9")

    rows = calibration.read_labels("text,label\n" + "".join(f"a,{label}\n" for label in written), longest=50)

    third = Decimal("3.66666666666667")
    assert [row.label for row in rows] == [third, third, Decimal("0.00001"), 2, -1_000_000_000]


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_pairs_have_a_preferred_side_and_may_have_a_group(separator):
    rows = [
        ("group", "first", "second", "preferred"),
        *[("heat", "a", "b", side) for side in ("first", "Second", "tie")],
    ]

    read = calibration.read_labels("\r\n".join(separator.join(row) for row in rows), longest=50)

    assert read == [LabelledPair("a", "b", preferred, "heat") for preferred in Preferred]


def test_a_text_may_be_as_long_as_one_may_be_that_is_judged():
    long = "a" * LONGEST_SUBJECT

    assert calibration.read_labels(f"text,label\n{long},1\nb,2\nc,3\n", longest=LONGEST_SUBJECT)[0].text == long
    with pytest.raises(Invalid, match=f"line 2: text has {LONGEST_SUBJECT + 1} characters"):
        calibration.read_labels(f"text,label\n{long}a,1\nb,2\nc,3\n", longest=LONGEST_SUBJECT)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param("texts,label" + THREE, "line 1: the header must be text,label or", id="strange columns"),
        pytest.param("text,text,label" + THREE, "line 1: the header must be text,label or", id="a column twice"),
        pytest.param("text,label\na,1\nb,good\n", "line 3: label must be a number from", id="no number"),
        *[
            pytest.param(f"text,label\na,{label}\n", "line 2: label must be a number from", id=label)
            for label in ("nan", "-Infinity", "1e10", "1e9999999", "1_000", "9" * 101)
        ],
        pytest.param("text;label\na;2,5\n", "line 2: label must be a number with a point, such as 2.5", id="comma"),
        pytest.param("text,label\na,1,2\n", "line 2: it has 3 cells and the header has 2; put quotation", id="cells"),
        pytest.param('text,label\n"a\nb",1\n,2\n', "line 4: text is empty; a judge needs", id="after two lines"),
        pytest.param("text,label\n" + "a" * 51 + ",1\n", "line 2: text has 51 characters; at most 50", id="long"),
        pytest.param('text,label\na,1\n"b,2\n', "line 3: it is not CSV that can be read", id="open quotation mark"),
        pytest.param("text,label\na,1\nb,2\n", "it has 2 rows below its header; 3 to 20000", id="two rows"),
        pytest.param("text,label\n", "it has 0 rows below its header", id="only a header"),
        pytest.param("first,second,preferred\na,b,left\n", "line 2: preferred must be first, second, tie", id="side"),
        pytest.param("first,second,preferred\na,,tie\n", "line 2: second is empty", id="half a pair"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_by_its_line(text, told):
    with pytest.raises(Invalid) as refusal:
        calibration.read_labels(text, longest=50)

    assert refusal.value.message.startswith(told)
