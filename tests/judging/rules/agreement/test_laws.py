"""What holds for the statistics of any ratings."""

from decimal import Decimal
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judging.rules import agreement
from judging.rules.agreement import AlphaState, Level, Weighting
from scoring.errors import NotExact

SCORES = st.integers(1, 5).map(Decimal)
UNITS = st.lists(st.dictionaries(st.sampled_from("ABCD"), SCORES, max_size=4), max_size=14)
LEVELS = st.sampled_from(Level)
RATINGS = st.lists(st.integers(-500, 500), max_size=12)
FULL = st.lists(st.fixed_dictionaries({"A": SCORES, "B": SCORES, "C": SCORES}), min_size=1, max_size=8)


def measured(units, level):
    return agreement.alpha(units=units, level=level, seed=7, resamples=40)


@given(units=UNITS, level=LEVELS, data=st.data())
def test_neither_the_order_of_units_nor_the_names_of_judges_matter(units, level, data):
    shuffled = data.draw(st.permutations(units))
    renamed = [{{"A": "C", "B": "A", "C": "D", "D": "B"}[judge]: one for judge, one in u.items()} for u in shuffled]

    assert measured(renamed, level) == measured(units, level)


@given(units=UNITS)
def test_other_words_for_the_same_categories_change_nothing_nominal(units):
    other = {Decimal(one): Decimal(7 * one % 11) for one in range(1, 6)}
    relabelled = [{judge: other[value] for judge, value in unit.items()} for unit in units]

    assert measured(relabelled, Level.NOMINAL).value == measured(units, Level.NOMINAL).value


@given(units=UNITS)
def test_ranks_are_all_that_counts_ordinal(units):
    squared = [{judge: value * value for judge, value in unit.items()} for unit in units]

    assert measured(squared, Level.ORDINAL) == measured(units, Level.ORDINAL)


@given(units=UNITS)
def test_another_ruler_changes_nothing_on_an_interval_scale(units):
    fahrenheit = [{judge: value * 9 / 5 + 32 for judge, value in unit.items()} for unit in units]

    assert measured(fahrenheit, Level.INTERVAL) == measured(units, Level.INTERVAL)


@given(ratings=RATINGS)
def test_what_all_pairs_come_to_is_found_without_looking_at_each(ratings):
    pairs = list(combinations(ratings, 2))

    assert agreement.squared(ratings) == sum((one - other) ** 2 for one, other in pairs)
    assert agreement.unequal(ratings) == sum(one != other for one, other in pairs)


@given(values=st.lists(SCORES, min_size=10, max_size=14).filter(lambda some: len(set(some)) > 1), level=LEVELS)
def test_judges_who_always_agree_have_an_alpha_of_one(values, level):
    found = measured([{"A": value, "B": value, "C": value} for value in values], level)

    assert (found.value, found.low, found.high) == (1, 1, 1)


@given(units=UNITS, level=LEVELS)
def test_an_interval_is_in_order_and_alpha_is_never_above_one(units, level):
    found = measured(units, level)

    assert found.value is None or found.value <= 1
    assert found.low is None or found.low <= found.high <= 1
    assert (found.low is None) == (found.state is not AlphaState.MEASURED)


@given(units=FULL, weighting=st.sampled_from(Weighting))
def test_two_judges_agree_with_each_other_alike(units, weighting):
    there = agreement.kappa(ratings=[(one["A"], one["B"]) for one in units], weighting=weighting)
    back = agreement.kappa(ratings=[(one["B"], one["A"]) for one in units], weighting=weighting)

    assert there == back


@given(values=st.lists(SCORES, min_size=2).filter(lambda some: len(set(some)) > 1))
def test_two_judges_who_always_agree_have_a_kappa_of_one(values):
    same = [(value, value) for value in values]

    assert [agreement.kappa(ratings=same, weighting=weighting) for weighting in Weighting] == [1, 1]
    assert agreement.fleiss(units=[{"A": one, "B": one} for one in values]) == 1


@given(units=FULL)
def test_in_a_full_table_leniency_and_effects_sum_to_nothing(units):
    assert abs(sum(one.leniency for one in agreement.leanings(units=units).values())) <= Decimal("0.000002")
    assert sum(agreement.effects(units=units).values()) == 0


@given(units=FULL)
def test_in_a_full_table_the_corrected_mean_is_the_mean(units):
    effects = agreement.effects(units=units)

    for unit in units:
        assert agreement.corrected(unit=unit, effects=effects) == agreement.corrected(unit=unit, effects={})


def test_too_few_units_have_a_value_and_no_interval():
    units = [{"A": Decimal(one), "B": Decimal(one)} for one in (1, 2, 3)]

    found = agreement.alpha(units=units, level=Level.INTERVAL, seed=1)

    assert found == agreement.Alpha(state=AlphaState.TOO_FEW_UNITS, units=3, value=Decimal(1))


def test_where_nothing_varies_nothing_can_be_said():
    same = [{"A": Decimal(4), "B": Decimal(4)}] * 12

    assert agreement.alpha(units=same, level=Level.NOMINAL, seed=1) == agreement.Alpha(
        state=AlphaState.NO_VARIATION, units=12
    )
    assert agreement.fleiss(units=same) is None
    assert agreement.pairwise(units=same, weighting=Weighting.QUADRATIC) == {("A", "B"): None}


def test_where_nobody_can_be_compared_there_are_too_few_units():
    alone = [{"A": Decimal(4)}, {"B": Decimal(2)}, {}]

    assert agreement.alpha(units=alone, level=Level.NOMINAL, seed=1) == agreement.Alpha(
        state=AlphaState.TOO_FEW_UNITS, units=0
    )
    assert agreement.pairwise(units=alone, weighting=Weighting.NONE) == {("A", "B"): None}
    assert agreement.leanings(units=alone)["A"] == agreement.Leaning(units=0, leniency=None, deviation=None)


def test_fleiss_needs_every_judge_on_every_unit():
    assert agreement.fleiss(units=[{"A": Decimal(1), "B": Decimal(2)}, {"A": Decimal(1)}]) is None
    assert agreement.fleiss(units=[]) is None


def test_intraclass_correlation_looks_only_at_what_every_judge_rated():
    full = [{"A": Decimal(1), "B": Decimal(2)}, {"A": Decimal(3), "B": Decimal(4)}]

    assert agreement.intraclass(units=[*full, {"A": Decimal(9)}]) == agreement.intraclass(units=full)
    assert agreement.intraclass(units=full) == agreement.Intraclass(
        units=2, judges=2, single=Decimal("0.8"), average=Decimal("0.888889")
    )


@pytest.mark.parametrize(
    ("units", "counted"),
    [
        pytest.param([], (0, 0), id="nobody"),
        pytest.param([{"A": Decimal(1)}, {"A": Decimal(2)}], (2, 1), id="one judge"),
        pytest.param([{"A": Decimal(1), "B": Decimal(2)}], (1, 2), id="one unit"),
        pytest.param([{"A": Decimal(4), "B": Decimal(4)}] * 3, (3, 2), id="nothing varies"),
    ],
)
def test_without_two_judges_two_units_and_a_difference_there_is_no_intraclass_correlation(units, counted):
    correlation = agreement.intraclass(units=units)

    assert correlation == agreement.Intraclass(units=counted[0], judges=counted[1])


@given(FULL)
def test_where_ratings_vary_and_there_is_no_intraclass_correlation_alpha_is_not_above_zero(units):
    correlation = agreement.intraclass(units=units)
    alpha = agreement.estimate(units=units, level=Level.INTERVAL)

    missing = correlation.average is None
    assert missing or correlation.single is not None
    assert alpha.value is None if alpha.state is AlphaState.NO_VARIATION else alpha.value <= 0 or not missing


@pytest.mark.parametrize(
    ("rows", "single", "average"),
    [
        pytest.param([(1, 2), (2, 1)], None, None, id="flatly"),
        pytest.param([(1, 5), (5, 1), (3, 3)], Decimal(-3), None, id="one judge is left a number"),
        pytest.param([(2, 5), (5, 1)], Decimal(-24), None, id="far below"),
    ],
)
def test_judges_who_contradict_each_other_have_no_intraclass_correlation_or_one_far_below_zero(rows, single, average):
    correlation = agreement.intraclass(units=[{"A": Decimal(a), "B": Decimal(b)} for a, b in rows])

    assert (correlation.single, correlation.average) == (single, average)


def test_a_lenient_judge_is_seen_and_allowed_for_where_others_did_not_rate():
    shared = [{"A": Decimal(5), "B": Decimal(3)}] * 15
    alone = {"A": Decimal(5)}

    found = agreement.leanings(units=shared)
    effects = agreement.effects(units=shared)

    assert found["A"] == agreement.Leaning(units=15, leniency=Decimal(2), deviation=Decimal(2))
    assert found["B"] == agreement.Leaning(units=15, leniency=Decimal(-2), deviation=Decimal(2))
    assert effects["A"] == Fraction(15, 20)
    assert agreement.corrected(unit=alone, effects=effects) == Fraction(17, 4)


def test_another_seed_gives_another_interval_and_the_same_seed_the_same():
    units = [{"A": Decimal(1 + at % 5), "B": Decimal(1 + (at * at) % 5), "C": Decimal(2)} for at in range(20)]

    first = agreement.alpha(units=units, level=Level.INTERVAL, seed=1)
    agreement.interval.cache_clear()
    again, other = (agreement.alpha(units=units, level=Level.INTERVAL, seed=seed) for seed in (1, 2))

    assert first == again
    assert (first.low, first.high) != (other.low, other.high)


def test_an_interval_that_was_found_is_not_looked_for_again():
    units = [{"A": Decimal(1 + at % 5), "B": Decimal(1 + at % 3)} for at in range(12)]
    agreement.interval.cache_clear()

    for seen in (units, units[::-1], units):
        agreement.alpha(units=seen, level=Level.INTERVAL, seed=1)

    assert (agreement.interval.cache_info().misses, agreement.interval.cache_info().hits) == (1, 2)


def test_luck_is_the_published_generator():
    draw = agreement.luck(1234567)

    assert [next(draw) for _ in range(3)] == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_a_float_is_refused():
    with pytest.raises(NotExact):
        agreement.alpha(units=[{"A": 4.4, "B": 3.9}], level=Level.INTERVAL, seed=1)


def pairs_apart(units, ours, theirs):
    """What two groups differ on the same unit and on any two, pair by pair."""
    same = [(unit[a] - unit[b]) ** 2 for unit in units for a in ours for b in theirs if a in unit and b in unit]
    left = [unit[a] for unit in units for a in ours if a in unit and any(b in unit for b in theirs)]
    right = [unit[b] for unit in units for b in theirs if b in unit and any(a in unit for a in ours)]
    any_two = [(a - b) ** 2 for a in left for b in right]
    return tuple(Fraction(sum(gaps)) / max(1, len(gaps)) for gaps in (same, any_two))


def between(units, first="AB", second="CD"):
    return agreement.between(units=units, first=first, second=second, seed=7, resamples=40)


@given(units=UNITS)
def test_agreement_between_groups_is_one_less_what_pairs_differ_by_what_they_would_by_chance(units):
    same, chance = pairs_apart(units, "AB", "CD")

    found = between(units)

    assert found.value == (agreement.shown(1 - same / chance) if chance else None)
    assert found == between(units[::-1]) == between(units, first="CD", second="AB")


@given(units=st.lists(st.fixed_dictionaries({"A": SCORES, "C": SCORES}), min_size=2, max_size=12))
def test_of_one_judge_in_each_group_it_is_lins_concordance(units):
    ours, theirs = ([Fraction(unit[judge]) for unit in units] for judge in "AC")
    count = len(units)
    mine, yours = sum(ours) / count, sum(theirs) / count
    varying = sum((one - mine) ** 2 for one in ours) + sum((one - yours) ** 2 for one in theirs)
    shared = sum((one - mine) * (other - yours) for one, other in zip(ours, theirs, strict=True))
    whole = varying + count * (mine - yours) ** 2

    assert between(units).value == (agreement.shown(2 * shared / whole) if whole else None)


def test_an_interval_between_groups_wants_ten_units_and_encloses_the_value():
    rows = [
        (5, 4, 5),
        (4, 4, 4),
        (3, 2, 2),
        (1, 1, 2),
        (5, 5, 4),
        (2, 3, 1),
        (4, 3, 4),
        (2, 2, 2),
        (1, 2, 1),
        (5, 5, 5),
    ]
    units = [dict(zip("ABC", map(Decimal, row), strict=True)) for row in rows]

    few, enough = between(units[:9]), between(units)

    assert (few.state, few.low) == (AlphaState.TOO_FEW_UNITS, None)
    assert enough.state is AlphaState.MEASURED
    assert enough.low < enough.value < enough.high
    assert between([{"A": Decimal(4)}]).state is AlphaState.TOO_FEW_UNITS
    assert between([{"A": Decimal(4), "C": Decimal(4)}]).state is AlphaState.NO_VARIATION
