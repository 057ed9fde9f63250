"""The red team: where it looks, what it quotes, how grave it finds it, and how it presses on."""

from dataclasses import replace
from decimal import Decimal
from itertools import combinations

import pytest

from judging import heuristics
from judging.heuristics import criteria, exchanges, personas
from judging.heuristics.criteria import Bearing, bearings
from judging.heuristics.evidence import passages
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
        assert names[: len({*names})] == [one for one in EVERYBODY if one in names]
        assert all(names.count(persona) <= 2 for persona in EVERYBODY)


def test_every_persona_finds_something_in_some_criterion_of_a_good_text():
    text = samples()["log-redaction"][1]

    names = {one["persona"] for card in cards() for one in raised(text, card.code, EVERYBODY)}

    assert names == set(EVERYBODY)


def test_on_silence_the_quote_is_empty_and_the_text_says_what_is_missing():
    made = raised("Our cat likes fish.", "R5")

    assert [(one["quote"], one["severity"]) for one in made] == [("", "significant")]
    assert "which rules apply" in made[0]["text"]
    assert "by words such as \u201clegal\u201d, \u201cregulation\u201d and \u201crule\u201d" in made[0]["text"]


@pytest.mark.parametrize(
    ("sentence", "named"),
    [
        pytest.param("The fee pays for that.", "The fee pays for that", id="its beginning"),
        pytest.param("It pays a bold, large fee.", "It pays a bold, large fee", id="over the comma of an adjective"),
        pytest.param("We close, but customers will pay.", "customers will pay", id="not how it is joined"),
    ],
)
def test_a_claim_is_named_by_all_of_its_clause(sentence, named):
    passage = passages(sentence)[0]

    assert exchanges.claim(passage, "pay" if "will" in sentence else "pays") == named


def test_a_text_that_shows_nothing_on_a_criterion_is_challenged_once():
    assert len(raised("Customers will pay. Customers like it. Every customer is happy to pay soon.", "R2")) == 1


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

    assert sum(good) / len(cards()) < Decimal("1.2")
    assert sum(poor) / len(cards()) > 2


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


def test_pressing_an_evaluator_who_names_no_passage_never_repeats_a_sentence():
    [exchange, *_] = opened("Our cat likes fish.", card("R5"))

    for number in range(2, 14):
        shown = material("Our cat likes fish.", card("R5"), exchanges=(exchange,), round=number)
        words = heuristics.press(shown)["presses"][0]["text"]
        assert words not in [said for _, _, said in exchange.said]
        exchange = replace(exchange, said=(*exchange.said, (number, "challenger", words)))


def pressed(text, *answers, persona="edge-case"):
    replies = (
        (number, "evaluator", f"It says: \u201c{answer}\u201d") for number, answer in enumerate(answers, start=1)
    )
    exchange = Exchange(
        label="C1",
        persona=persona,
        severity=Severity.MINOR,
        quote="A permit is needed.",
        said=((1, "challenger", "Is there a source?"), *replies),
    )
    return heuristics.press(material(text, card("R5"), exchanges=(exchange,), round=len(answers) + 1))["presses"]


def test_a_press_asks_for_what_the_last_answer_lacks():
    answer = "The lawyer Berta Osei relies on the act."

    [press] = pressed(f"A permit is needed. {answer}", answer)

    assert press["challenge"] == "C1"
    assert "a way out if it fails" in press["text"]
    assert answer in press["text"]


def test_a_press_asks_for_nothing_that_an_earlier_passage_has():
    earlier = "If the permit is refused, the clinics wait, because the Halden report of 2024 says so."
    last = "It saves much money for everybody."
    text = f"A permit is needed. {earlier} {last}"

    for persona in EVERYBODY:
        [alone] = pressed(text, last, persona=persona)
        assert "a way out if it fails" in alone["text"]
        assert pressed(text, earlier, last, persona=persona) == []


def test_an_answer_that_leaves_nothing_open_is_pressed_no_further():
    full = (
        "If the act of 3 May 2024 changes, 9 of 12 clinics pay 40 euros less than before within 2 weeks, because the "
        "Halden survey of 12 km says so."
    )

    assert pressed(f"A permit is needed. {full}", full) == []


def test_a_challenge_nobody_answered_is_put_again_in_other_words():
    text = samples()["drone-salad"][1]
    exchanges = opened(text, card("R5"))

    pressed = heuristics.press(material(text, card("R5"), exchanges=exchanges, round=2))["presses"]

    assert [one["challenge"] for one in pressed] == [one.label for one in exchanges]
    assert all(one["text"] != exchange.said[0][2] for one, exchange in zip(pressed, exchanges, strict=True))


def looked(sentence, look):
    [row] = [row for row in bearings(sentence, card("R2")) if row.passage.sentence.text == sentence]
    return personas.flaw(look, row)


@pytest.mark.parametrize(
    ("reported", "said"),
    [
        ("Two customers told us that they would never pay.", "Customers will never pay."),
        ("The third customer said that everybody would pay.", "We said that everybody of our customers would pay."),
    ],
)
def test_what_others_are_reported_to_say_is_no_absolute_of_the_text(reported, said):
    assert looked(reported, "absolute") is None
    assert looked(said, "absolute") is not None


def test_nobody_has_to_say_who_counted_two():
    assert looked("Customers in two wards pay us.", "unsourced") is None
    assert looked("Customers in 140 wards pay us.", "unsourced").words == "140 wards"


@pytest.mark.parametrize(
    ("kind", "claim", "without"),
    [
        ("money", "Insulating the houses would be cheaper.", "In the brick terraces of Ostmere a house has a boiler."),
        ("date", "The growers will sign the contract soon.", "The hard part is dull: keeping count of batteries."),
        ("count", "Several growers and some dairies joined us.", "No school uses older pupils."),
        ("name", "A lawyer of the growers has looked at it.", "The old dairy stands beside the valley road."),
        ("condition", "The growers must lease us the meadow.", "The growers met in the old dairy."),
    ],
)
def test_evidence_is_asked_of_what_claims_something_that_calls_for_it(kind, claim, without):
    [calls], [calls_not] = (passages(text) for text in (claim, without))

    assert kind in personas.needs(calls)
    assert kind not in personas.needs(calls_not)


def test_what_is_denied_calls_for_nothing():
    [passage] = passages("Nobody is paid by the growers.")

    assert "money" not in personas.needs(passage)


@pytest.mark.parametrize(
    ("sentence", "asked"),
    [
        ("We need 6,000 euros from the growers.", False),
        ("At 85 euros the growers of the valley earn nothing.", False),
        ("The growers of the valley lost 6,000 euros.", True),
    ],
)
def test_nobody_has_to_say_who_counted_a_price_that_is_asked_or_what_is_needed(sentence, asked):
    [passage] = passages(sentence)
    bearing = Bearing(passage=passage, relevance=3, worth=0, has=(), good=(), bad=())

    assert (personas.flaw("unsourced", bearing) is not None) is asked


@pytest.mark.parametrize(
    ("name", "code", "asked"),
    [
        pytest.param("soil-probes", "R1", "an amount of money", id="two sentences on: 100,000 euros per farm"),
        pytest.param("soil-probes", "S1", "a length of time", id="of the same things: nine weeks for four stations"),
    ],
)
def test_what_a_text_may_have_is_not_said_to_be_missing(name, code, asked):
    assert [one["text"] for one in raised(samples()[name][1], code) if asked in one["text"]] == []


@pytest.mark.parametrize(
    ("then", "is_asked"),
    [
        pytest.param("It rains.", True, id="not there: it is conceded"),
        pytest.param("It is 90 euros.", True, id="there, and answers"),
        pytest.param("The harbour takes 90 euros.", False, id="there, and too little to answer with"),
    ],
)
def test_what_is_asked_is_either_answered_or_not_there(then, is_asked):
    made = raised(f"Customers pay a fee to the growers. {then}", "R2", ("skeptic",))

    assert any("an amount of money" in one["text"] for one in made) is is_asked


def test_a_strong_text_is_asked_what_the_criterion_asks():
    text = samples()["street-heat"][1]

    [one] = raised(text, "M5", ("skeptic",))

    assert "what has changed recently that makes this the moment" in one["text"]


def test_what_a_criterion_before_has_asked_of_some_words_is_not_asked_of_them_again():
    text = samples()["maths-resits"][1]
    words = "we believe that they would pay 60 euros"

    alone, after = (
        heuristics.challenge(material(text, card("F5"), personas=PERSONAS, rubric=rubric))["challenges"]
        for rubric in ((), cards())
    )

    assert any(words in one["text"] for one in alone)
    assert not any(words in one["text"] for one in after)
    assert after


def test_what_happens_if_something_fails_is_asked_for_by_no_amount():
    looks = [criteria.lookout(criterion) for criterion in cards()]

    assert {look.sought for look in looks if look.missing.startswith("what happens if")} == {("condition",)}


def test_a_price_that_is_paid_is_no_answer_to_what_happens_if_nobody_pays():
    paid = "Two growers have paid 1,500 euros each for the pilot. Nine customers pay 4 euros a month since June."
    made = raised(f"{paid} The pool will buy 30 machines in July.", "R2")

    assert [one for one in made if "an amount of money" in one["text"]] == []
    assert any("a way out if it fails" in one["text"] for one in made)
