"""The evaluator's side: it answers with the subject's own words or concedes."""

import pytest

from judging import heuristics
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


@pytest.mark.parametrize("severity", [Severity.CRITICAL, Severity.SIGNIFICANT])
def test_a_grave_challenge_that_nothing_answers_is_conceded(severity):
    made = defended(ATTACKED, exchange(severity))

    assert (made[0]["reply"], made[0]["quotes"]) == ("concede", [])


def test_a_minor_challenge_that_nothing_answers_is_still_defended():
    made = defended(ATTACKED, exchange(Severity.MINOR))

    assert made[0]["reply"] == "defend"


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

    assert len(first["quotes"]) == len(second["quotes"]) == 2
    assert not set(first["quotes"]) & set(second["quotes"])


def test_an_answer_without_anything_new_keeps_to_what_was_brought():
    first = defended(f"{ATTACKED} {ANSWER}", exchange())[0]
    again = Exchange(
        "C1",
        "skeptic",
        Severity.CRITICAL,
        ATTACKED,
        (*exchange().said, (1, "evaluator", first["text"]), (2, "challenger", "And?")),
    )

    made = defended(f"{ATTACKED} {ANSWER}", again)

    assert (made[0]["reply"], made[0]["quotes"]) == ("defend", [])
    assert made[0]["text"] != first["text"]


def test_a_long_sentence_is_quoted_to_a_stated_length_and_not_altered():
    text = "Nine growers paid 85 euros " + "and again 85 euros in the Lorn valley " * 30 + "by 3 March."

    [made] = defended(f"{ATTACKED} {text}", exchange())

    assert [len(quote) <= 240 and quote in text for quote in made["quotes"]] == [True]
