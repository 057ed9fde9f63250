"""Where participants stand at the end, who won, and in what way."""

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judging.rules import standing
from judging.rules.standing import Bands, Credit, Persuasiveness, Resistance, Side, StandingVoice, Victory
from scoring.errors import Invalid
from tests.judging.rules.strategies import numbers, voices
from tests.scoring.rules.strategies import float_test


def voice(name, stance, conviction, told=(), hit=(), **more):
    return StandingVoice(name, Decimal(stance), Decimal(conviction), numbers(*told), numbers(*hit), **more)


def outcome(*participants, credit=Credit.SHARED):
    result = standing.result(voices=participants, credit=credit)
    return {one.name: one.total for one in result.standings}, result.winner, result.victory


def test_a_standing_is_the_sum_of_its_parts():
    given_up = voice("Charlie", ".1", ".3", [".7", ".7", ".7"], surrendered=True)
    alice = voice("Alice", ".75", ".65", [".2"], [".3", ".5"])
    bob = voice("Bob", "-.5", ".5", [".6", ".6"])

    one = standing.standing(voice=alice, others=[bob, given_up])

    assert one.parts() == dict(
        zip(["stance", "persuasion", "resistance", "penalty"], numbers("14.625", "33", "7.8", "0"), strict=True)
    )
    assert one.total == Decimal("55.425")


@pytest.mark.parametrize(
    ("credit", "persuasion"),
    [
        pytest.param(Credit.SHARED, "significant", id="shared: all that the others felt"),
        pytest.param(Credit.EARNED, "strong", id="earned: only what one caused"),
    ],
)
def test_a_standing_is_told_in_words_as_well(credit, persuasion):
    alice = voice("Alice", ".75", ".65", hit=[".3", ".5"])
    bob = voice("Bob", "-.5", ".5", [".9", ".1"], persuaded_by=("Alice", "Charlie"))
    charlie = voice("Charlie", ".1", ".3", [".7", ".7"], hit=["1"], persuaded_by=("Alice", "Bob"))

    one = standing.standing(voice=alice, others=[bob, charlie], credit=credit)

    assert one.bands == Bands(Persuasiveness(persuasion), Resistance.GOOD)
    assert standing.standing(voice=bob, others=[alice]).bands == Bands()


def test_surrender_costs_fifty():
    alice = voice("Alice", "1", "1")

    kept = standing.standing(voice=alice, others=[])
    gone = standing.standing(voice=replace(alice, surrendered=True), others=[])

    assert kept.total - gone.total == 50
    assert gone.penalty == 50


def test_who_was_never_attacked_resisted_nothing():
    assert standing.standing(voice=voice("Alice", "0", "1"), others=[]).resistance == 0
    assert standing.standing(voice=voice("Alice", "0", "1", hit=["0"]), others=[]).resistance == 20


def test_a_total_is_rounded_once():
    third = voice("Bob", "0", "0", ["0", "0", "1"])

    one = standing.standing(voice=voice("Alice", "0.333333", "0.5", hit=["0", "0", "1"]), others=[third])

    assert one.persuasion == Decimal("3.333333")
    assert one.resistance == Decimal("6.666667")
    assert one.total == Decimal("14.999995")


@pytest.mark.parametrize(
    ("participants", "totals", "winner", "victory"),
    [
        pytest.param([voice("A", "1", "1", surrendered=True)], ["-20"], "A", "uncontested", id="alone, even defeated"),
        pytest.param(
            [voice("A", "1", "1", ["0"], ["0"]), voice("B", ".1", ".1", [".9"], ["1"])],
            ["59", "0.3"],
            "A",
            "clear",
            id="clear",
        ),
        pytest.param([voice("A", "1", "1"), voice("B", "0", "1")], ["30", "0"], "A", "narrow", id="a margin of 30"),
        pytest.param(
            [voice("A", "1", "1", hit=["0.999999"]), voice("B", "0", "1")],
            ["30.00002", "0"],
            "A",
            "clear",
            id="just above 30",
        ),
        pytest.param(
            [voice("A", ".9", "1", hit=["0"]), voice("B", ".5", "1", hit=["0"])],
            ["47", "35"],
            "A",
            "narrow",
            id="both high, but near each other",
        ),
        pytest.param([voice("B", ".5", ".5"), voice("A", "-.5", ".5")], ["7.5", "7.5"], None, "draw", id="equal"),
        pytest.param(
            [voice("A", "1", "1", surrendered=True), voice("B", "0", "0", surrendered=True)],
            ["0", "-30"],
            None,
            "mutual_surrender",
            id="all surrendered",
        ),
        pytest.param(
            [voice("A", ".9", ".9", [".1"], [".1"]), voice("B", ".05", ".2", [".9"], ["0"], surrendered=True)],
            ["69.5", "-44.7"],
            "A",
            "overwhelming",
            id="one surrendered",
        ),
        pytest.param(
            [voice("A", ".5", ".5"), voice("B", ".5", ".5"), voice("C", "0", "0", surrendered=True)],
            ["27.5", "27.5", "-50"],
            None,
            "draw",
            id="a draw comes before a surrender of a third",
        ),
    ],
)
def test_the_first_kind_of_victory_that_applies(participants, totals, winner, victory):
    given_totals, given_winner, given_victory = outcome(*participants)

    assert sorted(given_totals.values(), reverse=True) == sorted(numbers(*totals), reverse=True)
    assert (given_winner, given_victory) == (winner, Victory(victory))


def test_a_surrendered_winner_overwhelms_nobody():
    alice = voice("Alice", "1", "1", hit=["0"], surrendered=True)
    bob = voice("Bob", "0", "0", ["1"], persuaded_by=("Alice",))

    totals, winner, victory = outcome(alice, bob, credit=Credit.EARNED)

    assert totals == {"Alice": 10, "Bob": 0}
    assert (winner, victory) == ("Alice", Victory.NARROW)


def test_shared_credit_counts_what_everybody_did_to_the_others():
    alice, bob = voice("Alice", "0", "0"), voice("Bob", "0", "0", ["0.8", "0.2"])
    charlie = voice("Charlie", "0", "0", ["0.5"], surrendered=True)

    totals, _, _ = outcome(alice, bob, charlie)

    assert totals == {"Alice": 30, "Bob": 25, "Charlie": -45}


def test_earned_credit_counts_only_what_a_speaker_caused():
    alice = voice("Alice", "0", "0")
    bob = voice("Bob", "0", "0", ["0.8", "0.2"], persuaded_by=("Alice", "Charlie"))
    charlie = voice("Charlie", "0", "0", ["0.5"], persuaded_by=("Bob",), surrendered=True, surrendered_to="Bob")

    totals, winner, _ = outcome(alice, bob, charlie, credit=Credit.EARNED)

    assert totals == {"Alice": 8, "Bob": 25, "Charlie": -48}
    assert winner == "Bob"


def test_nobody_earns_a_surrender_that_nobody_caused():
    gone = voice("Bob", "0", "0", surrendered=True)

    totals, _, _ = outcome(voice("Alice", "0", "0"), gone, credit=Credit.EARNED)

    assert totals == {"Alice": 0, "Bob": -50}


def test_who_did_not_surrender_is_nobodys_prize():
    steadfast = voice("Bob", "0", "0", surrendered_to="Alice")

    totals, _, _ = outcome(voice("Alice", "0", "0"), steadfast, credit=Credit.EARNED)

    assert totals == {"Alice": 0, "Bob": 0}


def test_earned_credit_needs_the_speakers():
    with pytest.raises(Invalid, match="Bob"):
        outcome(voice("Alice", "0", "0"), voice("Bob", "0", "0", ["0.5"]), credit=Credit.EARNED)


@pytest.mark.parametrize("participants", [[], [voice("A", "0", "0"), voice("A", "1", "1")]], ids=["none", "namesakes"])
def test_a_result_needs_participants_with_names_of_their_own(participants):
    with pytest.raises(Invalid):
        standing.result(voices=participants)


@pytest.mark.parametrize(
    ("stance", "expected"), [("0.000001", Side.SUPPORTIVE), ("-0.000001", Side.OPPOSED), ("0", Side.NEUTRAL)]
)
def test_a_stance_takes_a_side(stance, expected):
    assert standing.position(stance=Decimal(stance)) is expected


@pytest.mark.parametrize(
    ("persuasion", "expected"),
    [("0", "minimal"), ("0.199", "minimal"), ("0.2", "slight"), ("0.4", "moderate"), ("0.6", "significant"),
     ("0.799", "significant"), ("0.8", "strong"), ("1", "strong")],
)  # fmt: skip
def test_a_band_of_persuasion_begins_at_its_threshold(persuasion, expected):
    assert standing.persuasiveness(persuasion=Decimal(persuasion)) == expected


@pytest.mark.parametrize(
    ("attack", "conviction", "expected"),
    [
        ("0.29", "0.71", "excellent"),
        ("0.3", "0.71", "good"),
        ("0.29", "0.7", "good"),
        ("0.49", "0.5", "good"),
        ("0.5", "0.5", "average"),
        ("0.49", "0.49", "average"),
        ("0.71", "0.29", "poor"),
        ("0.7", "0.29", "average"),
        ("0.71", "0.3", "average"),
    ],
)
def test_a_band_of_resistance_looks_at_attack_and_conviction(attack, conviction, expected):
    assert standing.resistance(attack=Decimal(attack), conviction=Decimal(conviction)) == expected


test_a_float_is_refused = float_test(
    lambda: StandingVoice("A", 0.5, Decimal(0)),
    lambda: StandingVoice("A", Decimal(0), 0.5),
    lambda: StandingVoice("A", Decimal(0), Decimal(0), (0.5,)),
    lambda: StandingVoice("A", Decimal(0), Decimal(0), (), (0.5,)),
    lambda: standing.position(stance=0.5),
    lambda: standing.persuasiveness(persuasion=0.5),
    lambda: standing.resistance(attack=0.5, conviction=Decimal(0)),
    lambda: standing.resistance(attack=Decimal(0), conviction=0.5),
)


@given(voices(), st.sampled_from(Credit), st.randoms())
def test_the_order_of_participants_does_not_matter(participants, credit, luck):
    shuffled = list(participants)
    luck.shuffle(shuffled)

    assert standing.result(voices=shuffled, credit=credit) == standing.result(voices=participants, credit=credit)


@given(voices(), st.sampled_from(Credit))
def test_every_total_is_on_the_scale_and_no_history_divides_by_zero(participants, credit):
    bare = [replace(one, persuasions=(), attacks=(), persuaded_by=()) for one in participants]

    for there in (participants, bare):
        result = standing.result(voices=there, credit=credit)
        assert len(result.standings) == len(there)
        assert all(-50 <= one.total <= 1000 for one in result.standings)


@given(voices(least=2))
def test_a_surrender_is_earned_by_one_speaker_at_most(participants):
    earned = standing.result(voices=participants, credit=Credit.EARNED).standings
    limit = sum((20 if one.surrendered else 0) + 10 * len(participants) for one in participants)

    assert sum(one.persuasion for one in earned) <= limit


@given(voices(least=2))
def test_with_shared_credit_nobody_wins_after_surrendering(participants):
    gone = {one.name for one in participants if one.surrendered}

    assert standing.result(voices=participants).winner not in gone


@given(voices(least=2))
def test_a_winner_has_more_than_everybody_else(participants):
    result = standing.result(voices=participants)
    totals = [one.total for one in result.standings]

    assert totals == sorted(totals, reverse=True)
    if result.winner is not None:
        assert result.standings[0].name == result.winner
        assert totals[0] > totals[1]
    else:
        assert result.victory in {Victory.DRAW, Victory.MUTUAL_SURRENDER}


def test_whoever_has_not_responded_stands_somewhere_and_is_passed_over():
    alice, bob, silent = voice("Alice", ".5", "1"), voice("Bob", "-.2", "1"), voice("Silent", "1", "1", responded=False)

    result = standing.result(voices=[alice, bob, silent])

    assert [parts.name for parts in result.standings] == ["Silent", "Alice", "Bob"]
    assert (result.winner, result.victory, result.margin) == ("Alice", Victory.NARROW, Decimal(9))
    assert outcome(silent)[1:] == (None, None)


@pytest.mark.parametrize(
    ("sides", "totals", "winner", "victory"),
    [
        pytest.param(("", "", ""), ("43.5", "-41.1", "42.75"), "Ann", "overwhelming", id="each for themselves"),
        pytest.param(("a", "a", "b"), ("14.5", "-42.1", "42.75"), "Cy", "overwhelming", id="an ally gave up"),
        pytest.param(("a", "b", "b"), ("43.5", "-42.1", "13.75"), "Ann", "overwhelming", id="an opponent gave up"),
        pytest.param(("a", "a", "a"), ("13.5", "-43.1", "12.75"), "Ann", "narrow", id="nobody is against them"),
    ],
)
def test_what_befalls_an_ally_is_not_to_ones_credit(sides, totals, winner, victory):
    ann, bob, cy = sides
    there = [
        voice("Ann", ".3", ".5", [".1", ".1"], [".1"], side=ann),
        voice("Bob", ".1", ".3", [".9", ".9"], ["0"], surrendered=True, side=bob),
        voice("Cy", "-.25", ".5", [".1", ".1"], [".1"], side=cy),
    ]

    assert outcome(*there) == (dict(zip(["Ann", "Bob", "Cy"], numbers(*totals), strict=True)), winner, victory)


@given(voices(), st.sampled_from(Credit))
def test_alone_on_a_side_is_as_without_one(participants, credit):
    alone = [replace(one, side=f"side {one.name}") for one in participants]

    assert standing.result(voices=alone, credit=credit) == standing.result(voices=participants, credit=credit)
