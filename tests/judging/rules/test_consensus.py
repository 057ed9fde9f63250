"""Whether a panel agrees, what it then says, and what a person has to decide."""

from decimal import Decimal
from fractions import Fraction

import pytest

from judging.rules import consensus
from judging.rules.consensus import Ballot, Policy, Reason
from scoring.errors import Invalid, NotANumber, NotExact, OutOfRange
from scoring.rules import numbers as exact_numbers
from tests.judging.rules.strategies import numbers

WEIGHTS = numbers("0.30", "0.25", "0.20", "0.15", "0.10")
DEFAULT = Policy()


def seats(*rows, accepts=None):
    """Return ballots from strings of whole scores; ``None`` is a judge who could not be read."""
    return [Ballot(None if row is None else numbers(*row), accepts) for row in rows]


def check(*rows, accepts=None, weights=WEIGHTS, policy=DEFAULT, **more):
    return consensus.check(ballots=seats(*rows, accepts=accepts), weights=weights, policy=policy, **more)


@pytest.mark.parametrize(
    ("rows", "reasons", "overalls", "spread"),
    [
        pytest.param(["44354", "44554", "55444"], ["spread", "criterion_spread"], "3.95 4.35 4.55", "0.6", id="both"),
        pytest.param(["44454", "44454", "55444"], [], "4.15 4.15 4.55", "0.4", id="near enough"),
        pytest.param(["44444", "44444", "54544"], [], "4 4 4.5", "0.5", id="both limits are inclusive"),
        pytest.param(["34444", "44444", "45544"], ["spread"], "3.7 4 4.45", "0.75", id="only the overall"),
        pytest.param(["44443", "44445", "44444"], ["criterion_spread"], "3.9 4.1 4", "0.2", id="only one criterion"),
        pytest.param(["33333", "44444", "44444"], ["spread"], "3 4 4", "1", id="one judge a point lower throughout"),
        pytest.param(["44444", "54445", "44454"], [], "4 4.4 4.15", "0.4", id="one point here and there"),
    ],
)
def test_a_panel_agrees_on_the_overall_and_on_every_criterion(rows, reasons, overalls, spread):
    found = check(*rows)

    assert list(found.reasons) == [Reason(reason) for reason in reasons]
    assert found.agreed is (not reasons)
    assert found.reason == (reasons[0] if reasons else None)
    assert found.overalls == numbers(*overalls.split())
    assert found.spread == Decimal(spread)


def test_the_consensus_is_the_mean_of_the_judges_and_their_weighted_mean():
    found = check("44454", "44454", "55444")

    assert found.means == numbers("4.3333", "4.3333", "4", "4.6667", "4")
    assert found.overall == Decimal("4.2833")
    assert found.criterion_spreads == numbers("1", "1", "0", "1", "0")


@pytest.mark.parametrize(
    ("struck", "means", "spread", "counted", "reason"),
    [
        pytest.param([{}, {}, {}], "3.6667 4", "2.4", 3, "spread", id="nothing"),
        pytest.param([{}, {}, {0}], "5 4", "0", 2, None, id="the outlier: its other score counts, its overall not"),
        pytest.param([{}, {}, {0, 1}], "5 4", "0", 2, None, id="all that the outlier gave"),
        pytest.param([{}, {0}, {0}], "5 4", "0", 1, "quorum_lost", id="too few on one criterion"),
        pytest.param([{0}, {0}, {0}], "- 4", "-", 0, "quorum_lost", id="everybody on one criterion"),
        pytest.param([{1}, {1}, {0}], "5 4", "-", 1, "quorum_lost", id="nobody whole"),
    ],
)
def test_what_was_struck_does_not_count(struck, means, spread, counted, reason):
    rows = [numbers(*row) for row in ("54", "54", "14")]
    ballots = [Ballot(row, struck=frozenset(gone)) for row, gone in zip(rows, struck, strict=True)]

    found = consensus.check(ballots=ballots, weights=numbers("0.6", "0.4"), policy=DEFAULT)

    assert found.means == tuple(None if one == "-" else Decimal(one) for one in means.split())
    assert found.spread == (None if spread == "-" else Decimal(spread))
    assert (found.counted, found.reason) == (counted, reason)
    assert (found.overall is None) is (counted == 0)


@pytest.mark.parametrize(
    ("rows", "means", "overalls", "reason", "disputed"),
    [
        pytest.param(["54", "54", "5-"], "5 4", "4.6 4.6 -", None, (), id="one judge"),
        pytest.param(["54", "5-", "5-"], "5 4", "4.6 - -", "quorum_lost", (0, 1), id="too few are left on it"),
        pytest.param(["5-", "5-", "5-"], "5 -", "- - -", "quorum_lost", (0, 1), id="everybody"),
        pytest.param(["54", "2-", "5-"], "4 4", "4.6 - -", "quorum_lost", (0, 1), id="and the other is in dispute"),
        pytest.param(["-4", "5-", "54"], "5 4", "- - 4.6", None, (), id="each another one, and enough on each"),
        pytest.param(["--", "54", "54"], "5 4", "- 4.6 4.6", None, (), id="all of it, which is to abstain"),
    ],
)
def test_a_judge_gives_no_score_where_a_criterion_does_not_apply(rows, means, overalls, reason, disputed):
    def read(row):
        return tuple(None if one == "-" else Decimal(one) for one in row)

    found = consensus.check(ballots=[Ballot(read(row)) for row in rows], weights=numbers("0.6", "0.4"), policy=DEFAULT)

    assert found.means == read(means.split())
    assert found.overalls == read(overalls.split())
    assert (found.reason, found.disputed if reason else ()) == (reason, disputed)


def test_who_has_nothing_left_that_counts_need_not_accept():
    both = frozenset({0, 1})
    ballots = [Ballot(numbers("4", "4"), True), Ballot(numbers("4", "4"), True), Ballot(numbers("4", "4"), False, both)]

    found = consensus.check(ballots=ballots, weights=numbers("0.6", "0.4"), policy=DEFAULT, debate_round=1)

    assert found.agreed


def test_the_scale_goes_from_1_to_5():
    assert check("11111", "11111").overall == 1
    assert check("55555", "55555").overall == 5


def test_a_criterion_that_does_not_exist_is_refused_with_those_that_do():
    with pytest.raises(Invalid, match="positions from 0 to 1"):
        consensus.normalised(weights=numbers("1", "1"), not_applicable=[-1])


def test_a_difference_of_exactly_half_a_point_agrees_although_floats_would_not():
    found = consensus.check(
        ballots=[Ballot(numbers("4.4")), Ballot(numbers("3.9"))], weights=numbers("1"), policy=DEFAULT
    )

    assert found.spread == Decimal("0.5")
    assert found.agreed


def test_overalls_are_compared_after_rounding_to_twelve_places():
    sevenths = numbers("1", "1", "1", "1", "1", "1", "1")

    found = consensus.check(
        ballots=[Ballot(numbers(*"4444444")), Ballot(numbers("4.5", "4.5", "4.5", "4.5", "4.5", "4.5", "4.5"))],
        weights=sevenths,
        policy=DEFAULT,
    )

    assert found.spread == Decimal("0.5")
    assert found.agreed
    assert (
        consensus.check(
            ballots=[Ballot(numbers("4", "4", "5"))] * 2, weights=numbers("1", "1", "1"), policy=DEFAULT
        ).overalls
        == (Decimal("4.333333333333"),) * 2
    )


@pytest.mark.parametrize(
    ("debate_round", "accepts", "early_exit", "agreed"),
    [
        pytest.param(0, None, True, True, id="round 0 agrees on the numbers"),
        pytest.param(0, None, False, False, id="unless it may not"),
        pytest.param(1, True, True, True, id="after a debate every judge must accept"),
        pytest.param(1, False, True, False, id="and one who does not is heard"),
        pytest.param(1, None, True, False, id="and silence is no acceptance"),
        pytest.param(3, True, False, True, id="without early exit too"),
    ],
)
def test_acceptance_counts_after_a_debate(debate_round, accepts, early_exit, agreed):
    found = check("44444", "44444", accepts=accepts, policy=Policy(early_exit=early_exit), debate_round=debate_round)

    assert found.agreed is agreed
    assert found.reason is (None if agreed else Reason.NOT_ACCEPTED)


def test_one_judge_who_does_not_accept_is_enough():
    ballots = [*seats("44444", "44444", accepts=True), *seats("44444", accepts=False)]

    found = consensus.check(ballots=ballots, weights=WEIGHTS, policy=DEFAULT, debate_round=1)

    assert found.reasons == (Reason.NOT_ACCEPTED,)


def test_a_mute_judge_need_not_accept():
    ballots = [*seats("44444", "44444", accepts=True), *seats(None)]

    assert consensus.check(ballots=ballots, weights=WEIGHTS, policy=DEFAULT, debate_round=1).agreed


@pytest.mark.parametrize(
    ("count", "policy", "needed"),
    [
        pytest.param(2, 2, 2, id="two of two"),
        pytest.param(3, 2, 2, id="two of three"),
        pytest.param(4, 2, 3, id="more than half of four is three"),
        pytest.param(9, 2, 5, id="five of nine"),
        pytest.param(3, 3, 3, id="the policy may ask for more"),
    ],
)
def test_a_quorum_is_the_policys_number_and_more_than_half(count, policy, needed):
    assert consensus.quorum(seats=count, policy=Policy(quorum=policy)) == needed


@pytest.mark.parametrize(
    ("rows", "agreed", "counted"),
    [
        pytest.param(["44444", "44444", None], True, 2, id="two of three"),
        pytest.param(["44444", None, None], False, 1, id="one of three"),
        pytest.param(["44444", "44444", None, None], False, 2, id="half is not more than half"),
        pytest.param([None, None], False, 0, id="nobody"),
    ],
)
def test_a_judge_who_cannot_be_read_stays_in_the_denominator(rows, agreed, counted):
    found = check(*rows)

    assert (found.agreed, found.counted) == (agreed, counted)
    assert found.reason is (None if agreed else Reason.QUORUM_LOST)
    assert [overall is None for overall in found.overalls] == [row is None for row in rows]


def test_where_nobody_can_be_read_there_are_no_numbers():
    found = check(None, None)

    assert (found.overall, found.spread) == (None, None)
    assert found.means == found.criterion_spreads == (None,) * 5


def test_a_lost_quorum_puts_every_criterion_in_dispute():
    assert check("34444", None, None).disputed == (0, 1, 2, 3, 4)
    assert check("24444", "44444", None, None).disputed == (0, 1, 2, 3, 4)


@pytest.mark.parametrize(
    ("rows", "disputed"),
    [
        pytest.param(["24444", "44454"], (0,), id="those wider than a point"),
        pytest.param(["34444", "44454"], (0, 3), id="else those with any spread"),
        pytest.param(["44444", "44444"], (0, 1, 2, 3, 4), id="else all"),
    ],
)
def test_a_person_decides_what_is_in_dispute(rows, disputed):
    assert check(*rows).disputed == disputed


def test_a_debate_round_talks_about_disagreements_only():
    found = check("24444", "44454")
    calm = check("44444", "44444")

    assert consensus.disagreements(spreads=found.criterion_spreads, policy=DEFAULT) == (0,)
    assert consensus.disagreements(spreads=calm.criterion_spreads, policy=DEFAULT) == ()


def test_what_does_not_apply_gives_its_weight_to_the_others():
    shares = consensus.normalised(weights=numbers("0.40", "0.35", "0.25"), not_applicable=[1])

    assert sum(shares) == 1
    assert [exact_numbers.half_up(share, places=4) for share in shares] == list(numbers("0.6154", "0", "0.3846"))


def test_what_does_not_apply_is_neither_scored_nor_disputed():
    ballots = [Ballot((Decimal(4), None, Decimal(5))), Ballot((Decimal(4), Decimal(1), Decimal(5)))]

    found = consensus.check(
        ballots=ballots, weights=numbers("0.40", "0.35", "0.25"), policy=DEFAULT, not_applicable=[1]
    )

    assert found.agreed
    assert found.overall == Decimal("4.3846")
    assert found.means == (Decimal(4), None, Decimal(5))
    assert found.criterion_spreads == (0, None, 0)
    assert found.disputed == (0, 2)


def test_weights_are_normalised():
    assert consensus.normalised(weights=numbers("30", "10")) == (Fraction(3, 4), Fraction(1, 4))


@pytest.mark.parametrize(
    ("weights", "not_applicable", "refusal"),
    [
        pytest.param(numbers("1", "0"), (), OutOfRange, id="a weight of 0"),
        pytest.param(numbers("1", "-1"), (), OutOfRange, id="a negative weight"),
        pytest.param([0.5, 0.5], (), NotExact, id="floats"),
        pytest.param(numbers("1", "1"), (0, 1), Invalid, id="nothing applies"),
        pytest.param(numbers("1", "1"), (2,), Invalid, id="a criterion that does not exist"),
        pytest.param((), (), Invalid, id="no criteria"),
    ],
)
def test_weights_that_do_not_fit_are_refused(weights, not_applicable, refusal):
    with pytest.raises(refusal):
        consensus.normalised(weights=weights, not_applicable=not_applicable)


@pytest.mark.parametrize(
    ("row", "refusal"),
    [
        pytest.param(numbers("4"), Invalid, id="too few scores"),
        pytest.param(numbers("4", "4", "4"), Invalid, id="too many scores"),
        pytest.param(numbers("4", "5.01"), OutOfRange, id="above the scale"),
        pytest.param(numbers("4", "0.99"), OutOfRange, id="below the scale"),
        pytest.param((Decimal(4), "four"), NotANumber, id="a text"),
        pytest.param((4.0, 4.0), NotExact, id="floats"),
    ],
)
def test_scores_that_do_not_fit_are_refused(row, refusal):
    with pytest.raises(refusal):
        consensus.check(ballots=[Ballot(row)] * 2, weights=numbers("1", "1"), policy=DEFAULT)
