"""The red team: where it looks, what it quotes, how grave it finds it, and how it presses on."""

from dataclasses import replace
from decimal import Decimal
from itertools import combinations

import pytest

from judging import heuristics
from judging.types import CriterionCard, Exchange, Severity
from tests.judging.heuristics.dry_run import EVERYBODY, PERSONAS, card, cards, material, opened, play, samples

GRAVITY = {"critical": 3, "significant": 2, "minor": 1}


def raised(text, code, personas=PERSONAS):
    return heuristics.challenge(material(text, card(code), personas=personas))["challenges"]


@pytest.mark.parametrize("name", sorted(samples()))
def test_every_quote_occurs_word_for_word_in_the_subject(name):
    text = samples()[name][1]

    for criterion in cards():
        for one in heuristics.challenge(material(text, criterion, personas=EVERYBODY))["challenges"]:
            assert one["quote"] in text
            assert one["severity"] in GRAVITY


@pytest.mark.parametrize("name", sorted(samples()))
def test_each_persona_speaks_once_or_twice_and_first_challenges_come_first(name):
    text = samples()[name][1]

    for criterion in cards():
        made = heuristics.challenge(material(text, criterion, personas=EVERYBODY))["challenges"]
        names = [one["persona"] for one in made]
        assert names[: len(EVERYBODY)] == list(EVERYBODY)
        assert all(names.count(persona) <= 2 for persona in EVERYBODY)


def test_on_silence_the_quote_is_empty_and_the_text_says_what_is_missing():
    made = raised("Our cat likes fish.", "R5")

    assert [one["quote"] for one in made] == ["", "", ""]
    assert [one["severity"] for one in made] == ["critical", "significant", "significant"]
    assert all("which rules apply" in one["text"] for one in made)
    assert len({one["text"] for one in made}) == 3


def test_on_silence_about_a_criterion_of_ones_own_its_question_is_put():
    own = CriterionCard("Z1", "Acoustics", "hall", "Can the last row hear a whisper?", "It can.", "It cannot.")

    made = heuristics.challenge(material("Our cat likes fish.", own, personas=("skeptic",)))["challenges"]

    assert "Can the last row hear a whisper?" in made[0]["text"]


@pytest.mark.parametrize(
    ("persona", "sentence"),
    [
        pytest.param("skeptic", "Research and data show that all customers will pay.", id="skeptic: hollow claims"),
        pytest.param("realist", "Some customers might pay quite a lot soon.", id="realist: vagueness"),
        pytest.param("first-principles", "We assume that customers will pay.", id="first-principles: assumptions"),
        pytest.param("competitor", "Customers pay us, and anybody could copy it.", id="competitor: what can be copied"),
        pytest.param("contrarian", "One customer has paid 12 euros.", id="contrarian: a single case"),
        pytest.param("edge-case", "Customers always pay.", id="edge-case: absolutes"),
    ],
)
def test_each_persona_goes_for_its_own_kind_of_weakness(persona, sentence):
    others = "Customers in Arden paid 300 euros in 2024 because their contract with Karst ended, if we count both."
    text = f"{others} {sentence}"

    assert raised(text, "R2", (persona,))[0]["quote"] == sentence


def test_personas_say_different_things_about_the_same_text():
    text = samples()["maths-resits"][1]

    for criterion in cards():
        made = heuristics.challenge(material(text, criterion, personas=EVERYBODY))["challenges"]
        first = {one["persona"]: one["text"] for one in made[: len(EVERYBODY)]}
        different = [a != b for a, b in combinations(first.values(), 2)]
        assert sum(different) >= len(different) - 2


def test_a_poor_text_is_challenged_more_gravely_than_a_good_one():
    def gravity(name):
        text = samples()[name][1]
        return [GRAVITY[one["severity"]] for card in cards() for one in raised(text, card.code)[:3]]

    good, poor = gravity("vaccine-fridges"), gravity("lifeverse")

    assert sum(good) / len(good) < Decimal("1.3")
    assert sum(poor) / len(poor) > Decimal("2.5")


def test_a_persona_nobody_knows_looks_as_the_skeptic_does():
    text = samples()["drone-salad"][1]

    unknown, skeptic = raised(text, "M3", ("historian",)), raised(text, "M3", ("skeptic",))

    assert [one["quote"] for one in unknown] == [one["quote"] for one in skeptic]
    assert unknown[0]["persona"] == "historian"


def test_without_personas_there_are_no_challenges():
    assert raised(samples()["drone-salad"][1], "M3", ()) == []


@pytest.mark.parametrize("name", sorted(samples()))
def test_no_voice_repeats_itself_word_for_word_in_five_rounds(name):
    text = samples()[name][1]

    for criterion in cards()[::3]:
        for exchange in play(text, criterion, rounds=5).exchanges:
            words = [said for _, _, said in exchange.said]
            assert len(words) == len(set(words))


def test_pressing_a_silent_evaluator_again_and_again_never_repeats_a_sentence():
    [exchange, *_] = opened("Our cat likes fish.", card("R5"))

    for number in range(2, 14):
        shown = material("Our cat likes fish.", card("R5"), exchanges=(exchange,), round=number)
        words = heuristics.press(shown)["presses"][0]["text"]
        assert words not in [said for _, _, said in exchange.said]
        exchange = replace(exchange, said=(*exchange.said, (number, "challenger", words)))


def test_a_press_names_what_the_last_answer_did_not_give():
    text = "A permit is needed. The lawyer Berta Osei looked at the act."
    exchange = Exchange(
        label="C1",
        persona="edge-case",
        severity=Severity.MINOR,
        quote="A permit is needed.",
        said=(
            (1, "challenger", "What happens without it?"),
            (1, "evaluator", "It says: \u201cThe lawyer Berta Osei looked at the act.\u201d"),
        ),
    )

    pressed = heuristics.press(material(text, card("R5"), exchanges=(exchange,), round=2))["presses"]

    assert pressed[0]["challenge"] == "C1"
    assert "a way out if it fails" in pressed[0]["text"]
    assert "The lawyer Berta Osei looked at the act." in pressed[0]["text"]


def test_a_point_that_was_answered_in_full_is_called_settled():
    full = "If the act changes, the 12 clinics pay 40 % less than before because the Halden survey of 3 weeks says so."
    exchange = Exchange(
        label="C1",
        persona="first-principles",
        severity=Severity.MINOR,
        quote="A permit is needed.",
        said=((1, "challenger", "Why?"), (1, "evaluator", full)),
    )

    pressed = heuristics.press(material(f"A permit is needed. {full}", card("R5"), exchanges=(exchange,)))["presses"]

    assert any(word in pressed[0]["text"] for word in ("answered", "answer the question", "nothing is left", "stand"))


def test_a_challenge_nobody_answered_is_put_again_in_other_words():
    text = samples()["drone-salad"][1]
    exchanges = opened(text, card("R5"))

    pressed = heuristics.press(material(text, card("R5"), exchanges=exchanges, round=2))["presses"]

    assert [one["challenge"] for one in pressed] == [one.label for one in exchanges]
    assert all(one["text"] != exchange.said[0][2] for one, exchange in zip(pressed, exchanges, strict=True))
