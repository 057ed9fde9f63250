"""Rulings over all samples and criteria: true to what was asked and brought, balanced, and about something new."""

from decimal import Decimal

import pytest

from tests.judging.heuristics import rulings
from tests.judging.heuristics.dry_run import cards, play, samples


@pytest.mark.slow
def test_no_ruling_contradicts_the_passages_that_it_is_about():
    assert [(what, case.reasoning) for what, case in rulings.contradictions()] == []


def test_nothing_is_conceded_that_stands_beside_what_was_attacked():
    dreamt = [("lifeverse", "M5")]  # "if we only get one percent" is no way out

    assert [(case.sample, case.card.code) for case in rulings.conceded_beside_an_answer()] == dreamt


def test_what_stands_somewhere_in_the_text_is_not_conceded_to_be_nowhere():
    taken_for_it = [
        ("maths-resits", "R5"),  # "data about marks" is no source
        ("tool-library", "P5"),  # "fewer than 25 households" is no comparison
    ]

    assert [(case.sample, case.card.code) for case in rulings.denied()] == taken_for_it


def test_the_words_that_were_looked_for_in_vain_are_not_there():
    assert [case.challenge for case in rulings.there_after_all()] == []


def test_no_two_threads_ask_the_same_of_the_same_words():
    assert rulings.asked_twice() == []


def test_what_wins_shares_a_word_with_what_was_attacked_or_asked_about():
    assert [case.reasoning for case in rulings.beside_the_point()] == []


def test_a_win_names_the_words_of_the_passage_by_which_it_speaks_of_what_was_asked():
    won = [case for case in rulings.cases() if case.winner == "evaluator"]
    unsaid = [case for case in won if not rulings.ties_named(case) and not rulings.says_where_it_stands(case)]
    invented = [case for case in won if any(word not in " ".join(case.brought) for word in rulings.ties_named(case))]

    assert [case.reasoning for case in (*unsaid, *invented)] == []


def test_the_reader_that_finds_what_is_beside_the_point_finds_it():
    assert not rulings.touches(
        "Gas boilers may no longer be installed from 2030.", "In the brick terraces of Ostmere", units=False
    )
    assert rulings.touches("Insurance costs 310 euros.", "What does insurance cost?", units=False)
    assert not rulings.touches("It costs 310 euros.", "Who counted 20 euros?", units=False)


def test_the_reader_that_finds_contradictions_finds_one():
    case = next(case for case in rulings.cases() if case.winner == "evaluator" and case.brought)

    assert rulings.shows("Insurance costs 310 euros a year.", "a number")
    assert any(rulings.shows(passage, kind) for passage in case.brought for kind in rulings.kinds_in(case.challenge))


def test_what_rulings_and_challenges_quote_is_in_the_subject():
    assert [case.reasoning for case in rulings.invented()] == []


def test_the_evaluator_wins_between_a_third_and_two_thirds_of_what_is_not_drawn():
    assert Decimal("0.35") <= rulings.share_of_evaluator(rulings.winners()) <= Decimal("0.65")


@pytest.mark.parametrize("severity", ["critical", "significant", "minor"])
def test_challenges_of_every_severity_are_met_and_lost(severity):
    counted = rulings.winners(severity=severity)

    assert counted["evaluator"] * 10 > sum(counted.values())
    assert counted["red_team"] * 10 > sum(counted.values())


def test_later_rounds_bring_something_new():
    assert rulings.repeated() == []
    for number in (2, 3):
        counted = rulings.winners(round=number)
        assert counted["draw"] * 2 <= sum(counted.values())


def test_one_passage_answers_a_quarter_of_the_criteria_at_most():
    assert {name: most for name, most in rulings.most_used().items() if most[0] * 4 > len(cards())} == {}


def test_a_change_is_that_of_the_rulings_whatever_the_first_score():
    text = samples()["pavement-ledger"][1]

    for criterion in cards():
        low, high = (play(text, criterion, initial=Decimal(score)) for score in ("4.50", "6.50"))
        assert [one.verdict for one in low.rulings] == [one.verdict for one in high.rulings]
        assert low.final - low.initial == sum(Decimal(one["adjustment"]) for one in low.verdicts)


def test_the_final_scores_are_not_a_function_of_the_first():
    threads = rulings.played().values()
    changes = [(thread.initial, thread.final - thread.initial) for thread in threads]

    assert abs(rulings.rank_correlation(changes)) < Decimal("0.7")
    assert rulings.rank_correlation([(thread.initial, thread.final) for thread in threads]) < Decimal("0.98")
