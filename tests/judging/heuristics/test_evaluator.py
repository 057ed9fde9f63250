"""The evaluator's side: it answers with the subject's own words or concedes."""

import pytest

from judging import heuristics
from judging.heuristics.evidence import passages
from judging.heuristics.exchanges import matter
from judging.types import Exchange, Severity
from tests.judging.heuristics.dry_run import answered, card, cards, material, opened, put, samples

ATTACKED = "Some growers might pay."
ANSWER = "Nine of the eleven growers paid 85 euros in advance by 3 March, according to the books of the Lorn pool."


def exchange(severity=Severity.CRITICAL, persona="skeptic", quote=ATTACKED):
    return Exchange("C1", persona, severity, quote, ((1, "challenger", "What shows that they pay?"),))


def defended(text, *exchanges, code="R2"):
    return heuristics.defend(material(text, card(code), exchanges=exchanges, round=1))["defences"]


@pytest.mark.parametrize("name", sorted(samples()))
def test_every_quote_occurs_word_for_word_in_the_subject_and_in_the_answer(name):
    text = samples()[name][1]

    for criterion in cards():
        exchanges = opened(text, criterion)
        for one in heuristics.defend(material(text, criterion, exchanges=exchanges))["defences"]:
            assert all(quote in text and quote in one["text"] for quote in one["quotes"])


def test_a_challenge_is_answered_with_the_passage_that_answers_it():
    made = defended(f"{ATTACKED} It rains often here. {ANSWER}", exchange())

    assert made[0]["reply"] == "defend"
    assert made[0]["quotes"] == [ANSWER]


def test_strong_evidence_about_something_else_does_not_answer():
    elsewhere = "The bridge of Dorne was built in 1911 by Karl Ott and is 340 m long, the survey of Corva says."

    [made] = defended(f"{ATTACKED} {elsewhere}", exchange())

    assert (made["reply"], made["quotes"]) == ("concede", [])


def test_the_attacked_passage_does_not_answer_for_itself():
    made = defended(ANSWER, exchange(quote=ANSWER))

    assert made[0]["quotes"] == []


@pytest.mark.parametrize("severity", Severity)
def test_a_challenge_that_nothing_answers_is_conceded(severity):
    made = defended(ATTACKED, exchange(severity))

    assert (made[0]["reply"], made[0]["quotes"]) == ("concede", [])


def test_a_passage_is_not_quoted_twice_in_one_exchange():
    text = samples()["street-heat"][1]

    for criterion in cards()[::2]:
        exchanges = list(opened(text, criterion))
        quoted = {one.label: [] for one in exchanges}
        for number in (1, 2, 3):
            if number > 1:
                presses = heuristics.press(material(text, criterion, exchanges=tuple(exchanges)))["presses"]
                exchanges = put(exchanges, number, presses)
            made = heuristics.defend(material(text, criterion, exchanges=tuple(exchanges)))["defences"]
            for one in made:
                assert not set(one["quotes"]) & set(quoted[one["challenge"]])
                quoted[one["challenge"]].extend(one["quotes"])
            exchanges = answered(exchanges, number, made)


def test_two_challenges_get_different_passages_where_there_are_enough():
    towns = ("Arden", "Belun", "Corva", "Dorne")
    paid = [f"Nine growers in {town} paid {number} euros in advance." for number, town in enumerate(towns, start=81)]
    twice = (exchange(), Exchange("C2", "skeptic", Severity.MINOR, ATTACKED, exchange().said))

    first, second = defended(" ".join([ATTACKED, *paid]), *twice)

    assert len(first["quotes"]) == len(second["quotes"]) == 1
    assert first["quotes"] != second["quotes"]


def test_a_further_question_that_nothing_answers_is_conceded():
    first = defended(f"{ATTACKED} {ANSWER}", exchange())[0]
    again = Exchange(
        "C1",
        "skeptic",
        Severity.CRITICAL,
        ATTACKED,
        (*exchange().said, (1, "evaluator", first["text"]), (2, "challenger", "Is there a reason?")),
    )

    made = defended(f"{ATTACKED} {ANSWER}", again)

    assert (made[0]["reply"], made[0]["quotes"]) == ("concede", [])
    assert "a reason" in made[0]["text"]


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("Who says so?", "Twelve growers were asked in a survey of 2024."),
        ("When do they pay?", "The growers pay on 3 March 2026."),
        ("How much money is it?", "The growers pay 85 euros."),
        ("Why would they?", "The growers pay because the harvest rots otherwise."),
        ("What if they refuse?", "If the growers refuse, the pool pays."),
    ],
)
def test_what_others_ask_in_their_own_words_is_answered_with_what_they_ask_for(asked, answer):
    others = "The growers live in the valley. The growers sell apples."
    question = Exchange("C1", "skeptic", Severity.MINOR, ATTACKED, ((1, "challenger", asked),))

    [made] = defended(f"{ATTACKED} {others} {answer}", question)

    assert made["quotes"] == [answer]


def test_a_long_sentence_is_quoted_to_a_stated_length_and_not_altered():
    text = "Nine growers paid 85 euros " + "and again 85 euros in the Lorn valley " * 30 + "by 3 March."

    [made] = defended(f"{ATTACKED} {text}", exchange())

    assert [len(quote) <= 240 and quote in text for quote in made["quotes"]] == [True]


def test_a_figure_is_about_its_own_clause_and_those_beside_it():
    long = (
        "Those who suffer are engineers, who check each file by hand (14 minutes in a test with 12 of them), and "
        "therefore do not, and the officers, who have to report the leaks."
    )
    [passage] = passages(long)

    assert matter(passage, ("time",)) == (", who check each file by hand  (14 minutes in a test with 12 of them )")
    assert matter(passage, ("money",)) == long


MARKET = "Growers might pay, as the pool hopes. It rains often here."


def asked_of_criterion(text, want, code="R2"):
    words = f"Whoever reads for \u201c{card(code).name}\u201d wants to know more. Here the text does not give {want}."
    question = Exchange(
        "C1", "skeptic", Severity.MINOR, "Growers might pay, as the pool hopes.", ((1, "challenger", words),)
    )
    [made] = defended(text, question, code=code)
    return made["quotes"]


def test_what_a_criterion_asks_is_answered_by_what_bears_on_it_and_by_nothing_else():
    bearing = "If customers do not pay, the pool sells the apples to a cheaper cider press."
    elsewhere = "If the bridge is closed, the bus takes the old road."

    assert asked_of_criterion(f"{MARKET} {elsewhere} {bearing}", "a way out if it fails") == [bearing]
    assert asked_of_criterion(f"{MARKET} {elsewhere}", "a way out if it fails") == []


def test_a_concession_of_a_whole_criterion_names_what_comes_nearest_and_what_it_lacks():
    elsewhere = "If the bridge is closed, the bus takes the old road."

    [near] = conceded(f"{MARKET} {elsewhere} If the contract ends, it rains.")
    [apart] = conceded(f"{MARKET} {elsewhere}")
    [nowhere] = conceded(MARKET)

    assert "If the contract ends" in near["text"]
    assert "what happens if people do not want it" in near["text"]
    assert elsewhere in apart["text"]
    assert "on another matter" in apart["text"]
    assert "\u201c" not in nowhere["text"].replace("\u201cMarket risk\u201d", "")


def conceded(text):
    words = "Whoever reads for \u201cMarket risk\u201d wants more. Here the text does not give a way out if it fails."
    question = Exchange(
        "C1", "skeptic", Severity.MINOR, "Growers might pay, as the pool hopes.", ((1, "challenger", words),)
    )
    return defended(text, question)


def test_of_the_authors_only_a_passage_about_people_tells():
    shed = "The shed where the team works and the machine runs is used for nine weeks."
    people = "Jonna Weiss ran the machine and trained the team for nine years."

    assert asked_of_criterion(f"{MARKET} {shed} {people}", "a length of time", code="FT3") == [people]
    assert asked_of_criterion(f"{MARKET} {shed}", "a length of time", code="FT3") == []


def test_a_count_of_something_else_in_a_sentence_about_people_does_not_answer():
    arranged = "Jonna Weiss, who ran a machine shop for nine years, has arranged the first meetings with three growers."
    built = "We built 25 machines and ran them for the pool."

    assert asked_of_criterion(f"{MARKET} {arranged} {built}", "a number", code="FT3") == [built]
    assert asked_of_criterion(f"{MARKET} {arranged}", "a number", code="FT3") == []
    assert asked_of_criterion(f"{MARKET} {arranged}", "a length of time", code="FT3") == [arranged]


def test_a_time_that_somebody_named_spent_answers_what_is_asked_of_the_authors():
    spent = "Olga Brenn was a locksmith for thirty years and checks every machine before it goes out."

    assert asked_of_criterion(f"{MARKET} {spent}", "a length of time", code="FT2") == [spent]


def test_a_time_that_others_took_in_what_the_authors_did_does_not_answer():
    counted = "We asked at three growers that let us see their books: 600 pages from two years, of which 9 % were wet."

    assert asked_of_criterion(f"{MARKET} {counted}", "a length of time", code="FT3") == []


def test_a_sentence_that_goes_on_from_its_neighbour_answers_for_it():
    text = "Insurance costs 310 euros a year. The fee covers that and the electricity. It rains often here."
    words = "\u201cThe fee covers that\u201d may well be so. To rely on it, one would want an amount of money."
    question = Exchange(
        "C1", "skeptic", Severity.MINOR, "The fee covers that and the electricity.", ((1, "challenger", words),)
    )

    [made] = defended(text, question, code="R4")

    assert made["quotes"] == ["Insurance costs 310 euros a year."]
