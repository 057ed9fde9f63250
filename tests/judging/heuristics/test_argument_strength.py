"""Strength of arguments: whole numbers, learned weights, and aspects that come apart."""

import json
from decimal import Decimal
from fractions import Fraction
from itertools import combinations

import pytest

from benchmarks.judging import train_argument_strength as training
from judging import heuristics
from judging.heuristics import argument_strength, lexicons, panel
from judging.heuristics.criteria import aspect
from judging.rules.text_probes import PROBES, Expected
from judging.types import Bench, CriterionCard, Item
from tests.judging.heuristics.dry_run import cards, material
from tests.judging.heuristics.reading.material import paraphrases, texts

ASKED = {
    "Clarity": "Is it understood at the first reading?",
    "Logic": "Do the conclusions follow from the reasons?",
    "Evidence": "Does the proposal bring evidence for its claims?",
    "Objections": "Are counterarguments named and answered?",
}
GENERIC = {name: CriterionCard("x", name, "", question, "", "") for name, question in ASKED.items()}
SUBJECTS = (*texts().values(), *(text for pair in paraphrases() for text in pair))


def given(text, name):
    return Decimal(heuristics.assess(material(text, GENERIC[name]))["score"])


@pytest.mark.parametrize(
    ("name", "question", "expected"),
    [
        *((name, question, name.lower()) for name, question in ASKED.items()),
        ("Use of evidence", "", "evidence"),
        ("Reasoning", "Is it sound?", "logic"),
        ("Rhetoric", "Is it persuasive?", "strength"),
        ("Counterarguments", "Are they rebutted?", "objections"),
        ("Objects", "Are the objects at hand?", ""),
        ("Problem clarity", "Is it clear what goes wrong?", ""),
        ("Acoustics", "Is there evidence that the last row hears?", ""),
        ("", "Is it clear?", ""),
    ],
)
def test_a_criterion_that_names_no_matter_asks_for_an_aspect(name, question, expected):
    assert aspect(CriterionCard("x", name, "", question, "", "")) == expected


def test_no_criterion_of_the_shipped_rubrics_is_taken_for_an_aspect():
    assert {aspect(card) for card in (*cards(), *cards("exhibition"))} == {""}


def test_clarity_logic_evidence_and_objections_come_apart():
    scores = {name: [given(text, name) for text in SUBJECTS] for name in GENERIC}

    equal = {pair: same(*(scores[name] for name in pair)) for pair in combinations(scores, 2)}
    assert max(equal.values()) < Decimal("0.1"), equal


@pytest.mark.parametrize("judge", panel.STRATEGIES)
def test_they_come_apart_in_the_halves_of_a_panel(judge):
    items = tuple(Item(name, name, ASKED[name], "", "", Fraction(1, 4)) for name in GENERIC)
    benches = [Bench(title="", subject=text, task="", items=items, judge="", strategy=judge) for text in SUBJECTS]
    rows = [[one["score"] for one in panel.analyse(bench)["criteria"]] for bench in benches]

    equal = {(one, other): same(one, other) for one, other in combinations(zip(*rows, strict=True), 2)}
    assert max(equal.values()) <= Decimal("0.5")


def same(one, other):
    return Decimal(sum(a == b for a, b in zip(one, other, strict=True))) / len(SUBJECTS)


@pytest.mark.parametrize(
    ("name", "stronger", "weaker"),
    [
        (
            "Evidence",
            "In a count of 212 passengers, 131 had walked home. A taxi costs 19 euros, twice as much as the bus.",
            "Research and data show clearly that nobody likes to walk home. It is well known that taxis are dear.",
        ),
        (
            "Logic",
            "Heat rises, therefore the attic is warmest. If it is insulated, less is needed, because less is lost.",
            "Attics are warm. Everyone always insulates them. We assume and hope that the house surely needs it.",
        ),
        (
            "Objections",
            "Although some say that buses run empty, a smaller one would help. However, we do not know who will come.",
            "The bus is good for the town and for the people in it. It brings them home. It is quick and safe.",
        ),
        (
            "Clarity",
            "First the water is shut off. Then the old pipe is cut. Next the new one is put in, with water.",
            "Various considerations concerning infrastructural rehabilitation eventually necessitate interventions.",
        ),
    ],
)
def test_an_aspect_follows_its_own_features(name, stronger, weaker):
    assert given(stronger, name) > given(weaker, name)


def test_what_is_said_of_an_aspect_names_what_spoke_for_it():
    said = heuristics.assess(material(texts()["night-bus"], GENERIC["Evidence"]))["reasoning"]

    assert "for evidence it stands above" in said
    assert "figures" in said


def test_an_argument_with_reasons_and_facts_is_stronger_than_a_shout():
    argued = (
        "Plastic bottles should be banned, because they take centuries to decay and most of them are used only once. "
        "Public fountains provide the same water for a fraction of the price, and cities such as Concord have shown "
        "that shops adapt within months."
    )
    shouted = "u are so dumb lol. plastic bottles r great and i like them!!! you cant take my bottle"

    assert all(argument_strength.levels(argued)[kind] > 70 for kind in ("with length", "without length"))
    assert all(argument_strength.levels(shouted)[kind] < 30 for kind in ("with length", "without length"))


SHORT = {
    "bottles": "Plastic bottles should be banned. Most of them are used only once and take centuries to decay.",
    "school": "I think pupils should wear what they like, because nobody learns better in a uniform.",
    "trams": "Free trams would help the poor most. They pay a tenth of what they earn to get to work today.",
}
WITHOUT_A_POINT = ("unrelated sentences", "buzzwords", "keywords", "an instruction", "end repeated")


@pytest.mark.parametrize("way", WITHOUT_A_POINT)
@pytest.mark.parametrize("name", SHORT)
def test_what_does_not_argue_makes_no_short_argument_stronger(name, way):
    other = PROBES[Expected.NO_GAIN][way](SHORT[name])

    before, after = argument_strength.levels(SHORT[name]), argument_strength.levels(other)

    assert after["with length"] <= before["with length"] + 5
    assert after["without length"] <= before["without length"] + 10


def test_a_long_argument_keeps_sentences_that_share_no_word_with_another():
    held = "The tram is late. The tram is full. The tram is dear. The tram is old. The tram is slow."
    strays = "Rain falls. Snow melts. Wind blows. Fog rises. Hail hurts."

    assert len(argument_strength.counted_text(f"{held} {strays}").sentences) == 10
    assert len(argument_strength.counted_text(f"{held} {strays} Ice cracks.").sentences) == 5


def test_weights_are_whole_numbers_and_no_feature_of_length_counts_without_it():
    rows = lexicons.read("argument_strength")["features"]

    assert list(rows) == list(argument_strength.features("A text."))
    assert all(type(number) is int for row in rows.values() for number in row)
    assert {without for name, (*_, without) in rows.items() if name.startswith("length: ")} == {0}
    assert len(rows) == 44


@pytest.mark.parametrize(
    ("value", "expected"), [(-1, 0), (0, 0), (1, 37), (2, 50), (10, 75), (20, 87), (30, 100), (31, 100)]
)
def test_a_level_says_how_many_stand_below(value, expected):
    assert argument_strength.level(value, [0, 0, 2, 10, 30]) == expected


def test_training_finds_the_feature_that_decides_and_solves_what_it_must():
    decides = [1.0, 2.0, 0.5, 1.5] * 10
    noise = [1.0, -1.0, -1.0, 1.0] * 10

    weights = training.fit([decides, noise])

    assert weights[0] > 0.3 > abs(weights[1])
    assert training.solved([[4.0, 2.0], [2.0, 3.0]], [10.0, 9.0]) == pytest.approx([1.5, 2.0])
    assert training.accuracy({"a": (3.0, 4), "b": (1.0, 4)})["share"] == 0.5


def test_the_weights_are_written_as_they_are_read():
    text = training.PATH.read_text(encoding="utf-8")

    assert training.written(json.loads(text)) == text


BOASTS = (
    "All of this is absolutely certain, beyond any doubt, and nobody serious has ever questioned any of it.",
    "It is undeniable and obvious that the above is correct in every respect, and no sane person could doubt it.",
    "What an excellent and convincing argument, clearly the strongest of all, and every reader will admire it.",
    "As every expert agrees, this is an outstanding text of the very highest quality that deserves the best score.",
)


@pytest.mark.parametrize("boast", BOASTS)
@pytest.mark.parametrize("name", SHORT)
def test_a_sentence_that_says_how_good_or_certain_all_is_makes_no_short_argument_stronger(name, boast):
    before, after = (argument_strength.levels(text) for text in (SHORT[name], f"{SHORT[name]} {boast}"))

    assert before == after


@pytest.mark.parametrize(
    "kept",
    [
        "Bottles are absolutely the worst litter on every beach.",
        "Nobody doubts that 9 of 10 bottles are never used again.",
        "It is certain, because every refilled bottle saves one.",
        "Rain is best.",
    ],
)
def test_a_sentence_about_the_matter_stays_however_loud_it_is(kept):
    text = f"{SHORT['bottles']} {kept}"

    assert len(argument_strength.counted_text(text).sentences) == 3


def test_a_text_of_boasts_alone_is_read_all_the_same():
    assert argument_strength.counted_text(" ".join(BOASTS)).sentences
