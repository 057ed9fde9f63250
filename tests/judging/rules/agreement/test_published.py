"""Agreement statistics give what others have published for the same ratings."""

from decimal import Decimal
from fractions import Fraction

import pytest

from judging.rules import agreement
from judging.rules.agreement import AlphaState, Level, Weighting

# Krippendorff: Computing Krippendorff's Alpha-Reliability (2011), section D: four observers, twelve units, gaps.
OBSERVERS = ("123321412...", "1233224125.3", ".3332342251.", "12332441251.")
# The paper prints three places; the tests of NLTK give 0.743421 for nominal, others 0.815388 and 0.849107.
# Fleiss: Measuring nominal scale agreement among many raters (1971): 30 patients, 6 psychiatrists, 5 diagnoses. The
# tests of statsmodels give 0.4302445, from R's irr, which has the table as ``diagnoses``.
PATIENTS = (
    "00060 03003 01401 00006 03030 20400 00402 20310 20040 00006 10050 11040 03300 10050 02031 00501 30012 51000 02040 "
    "10203 00006 01050 02013 20040 10041 05010 40002 02040 10500 00006"
)
# The worked example of the encyclopedia's article on Fleiss' kappa (Wikipedia): 14 raters, 10 units.
TEN = (
    (0, 0, 0, 0, 14), (0, 2, 6, 4, 2), (0, 0, 3, 5, 6), (0, 3, 9, 2, 0), (2, 2, 8, 1, 1),
    (7, 7, 0, 0, 0), (3, 2, 6, 3, 0), (2, 5, 3, 2, 2), (6, 5, 2, 1, 0), (0, 2, 2, 3, 7),
)  # fmt: skip
# Shrout and Fleiss: Intraclass correlations (1979), table 2: four judges, six targets. Table 3 has the mean squares of
# targets, judges and the rest, 11.24, 32.49 and 1.02; table 4 ICC(2,1) .29 and ICC(2,4) .62.
TARGETS = ((9, 2, 5, 8), (6, 1, 3, 2), (8, 4, 6, 8), (7, 1, 2, 6), (10, 5, 6, 9), (6, 2, 4, 7))
# Boyd's xeromammograms, read by two radiologists (85 films), in Altman: Practical Statistics for Medical Research
# (1991), and in the manual of Stata (kap).
FILMS = ((21, 12, 0, 0), (4, 17, 1, 0), (3, 9, 15, 2), (0, 0, 0, 1))
# How often three annotators of PandaLM (Wang et al. 2023, 999 pairs) gave which three answers.
PANDALM = (
    "000 85, 001 2, 002 2, 020 4, 022 4, 100 5, 101 11, 110 10, 111 368, 112 10, 121 12, 122 11, 200 7, 202 4, 211 11, "
    "212 18, 220 2, 221 7, 222 426"
)


def units(*observers):
    """Return what observers gave, one string each, a dot where they gave nothing."""
    return [
        {str(at): Decimal(mark) for at, mark in enumerate(column) if mark != "."}
        for column in zip(*observers, strict=True)
    ]


def from_counts(*rows):
    """Return units from how many raters gave each answer."""
    return [
        {f"{answer}.{at}": Decimal(answer) for answer, times in enumerate(row) for at in range(times)} for row in rows
    ]


def pandalm():
    counted = (one.split() for one in PANDALM.split(", "))
    return [
        {str(at): Decimal(mark) for at, mark in enumerate(marks)} for marks, times in counted for _ in range(int(times))
    ]


@pytest.mark.parametrize(("level", "value"), [("nominal", "0.7434"), ("ordinal", "0.8154"), ("interval", "0.8491")])
def test_alpha_is_krippendorffs_own(level, value):
    found = agreement.alpha(units=units(*OBSERVERS), level=Level(level), seed=1)

    assert round(found.value, 4) == Decimal(value)
    assert (found.state, found.units) == (AlphaState.MEASURED, 11)


@pytest.mark.parametrize(("weighting", "value"), [("none", "0.4728"), ("quadratic", "0.6714")])
def test_weighted_kappa_is_that_of_two_radiologists(weighting, value):
    films = [
        (Decimal(one), Decimal(other))
        for one, row in enumerate(FILMS)
        for other, times in enumerate(row)
        for _ in range(times)
    ]

    assert round(agreement.kappa(ratings=films, weighting=Weighting(weighting)), 4) == Decimal(value)


def test_fleiss_kappa_is_that_of_thirty_patients_and_of_the_textbook_example():
    patients = [tuple(int(times) for times in row) for row in PATIENTS.split()]

    assert round(agreement.fleiss(units=from_counts(*patients)), 4) == Decimal("0.4302")
    assert round(agreement.fleiss(units=from_counts(*TEN)), 3) == Decimal("0.210")


def test_over_a_full_table_nominal_alpha_is_fleiss_kappa_corrected_for_few_ratings():
    kappa = agreement.fleiss(units=from_counts(*TEN))

    alpha = agreement.alpha(units=from_counts(*TEN), level=Level.NOMINAL, seed=1, resamples=20).value

    assert round(alpha, 5) == round(1 - (1 - kappa) * 139 / 140, 5)


def test_three_annotators_agree_as_their_paper_says():
    found = agreement.pairwise(units=pandalm(), weighting=Weighting.NONE)

    assert {pair: round(value, 2) for pair, value in found.items()} == {
        ("0", "1"): Decimal("0.85"),
        ("0", "2"): Decimal("0.88"),
        ("1", "2"): Decimal("0.86"),
    }
    assert round(agreement.fleiss(units=pandalm()), 3) == Decimal("0.864")
    assert round(agreement.alpha(units=pandalm(), level=Level.NOMINAL, seed=1, resamples=20).value, 3) == Decimal(
        "0.864"
    )


def test_intraclass_correlation_is_that_of_shrout_and_fleiss():
    targets = [{str(at): Decimal(rating) for at, rating in enumerate(row)} for row in TARGETS]

    correlation = agreement.intraclass(units=targets)

    assert (correlation.units, correlation.judges) == (6, 4)
    assert (round(correlation.single, 2), round(correlation.average, 2)) == (Decimal("0.29"), Decimal("0.62"))
    squares = agreement.mean_squares([[Fraction(rating) for rating in row] for row in TARGETS])
    assert [round(float(square), 2) for square in squares] == [11.24, 32.49, 1.02]
