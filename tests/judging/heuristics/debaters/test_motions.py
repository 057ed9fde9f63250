"""Offline debaters speak about the motion: its things, whom it reaches, and nothing that was said before."""

import re
from collections import Counter
from decimal import Decimal

import pytest

from judging.heuristics import debaters, motion
from judging.heuristics.text import content_stems
from judging.rules import frameworks
from judging.types import Position, Scene
from tests.judging.heuristics.debaters.open_debate import play

NIGHT = "Parcels should be delivered by robots at night, so that the streets belong to people by day."
MOTIONS = [
    "The city should close its centre to private cars.",
    "Hospitals should require every nurse to be vaccinated against influenza.",
    "This house would ban zoos.",
    "Social media does more harm than good.",
    "The state should pay every adult a basic income.",
    "Museums should return looted art to its country of origin.",
    "Nuclear power must not be phased out.",
    "Parliament should lower the voting age to sixteen.",
]


@pytest.mark.parametrize(
    ("text", "things", "restricts"),
    [
        (MOTIONS[0], ("the city", "the centre", "private cars"), True),
        (MOTIONS[1], ("hospitals", "nurses", "influenza"), False),
        (MOTIONS[2], ("zoos",), True),
        (MOTIONS[3], ("social media",), True),
        (MOTIONS[4], ("the state", "adults", "a basic income"), False),
        (MOTIONS[5], ("museums", "looted art", "the country of origin"), False),
        (MOTIONS[6], ("nuclear power",), False),
        ("Should plastic water bottles be banned?", ("plastic water bottles",), True),
        (
            "A city of two hundred thousand should let everybody ride its trams for free.",
            ("a city", "the trams"),
            False,
        ),
        (NIGHT, ("parcels", "robots", "the streets", "people"), False),
        ("Tourism ruins old towns.", ("tourism", "old towns"), False),
        ("The end justifies the means.", ("the end", "the means"), True),
        ("Companies that pollute rivers should pay for the damage.", ("companies", "rivers", "the damage"), False),
        ("Artificial intelligence will destroy more jobs than it creates.", ("artificial intelligence", "jobs"), False),
        ("It is wrong to eat meat.", ("meat",), True),
        ("We should allow children to use smartphones in class.", ("children", "smartphones", "class"), False),
        ("Make voting compulsory", ("voting",), False),
        ("The United Nations should have its own army.", ("the United Nations", "the army"), False),
        ("NATO should admit Ukraine.", ("NATO", "Ukraine"), False),
        ("Should The EU Ban Cars With Combustion Engines By 2030?", ("the EU", "cars", "combustion engines"), True),
        ("BAN ALL CARS", ("cars",), True),
        ("Free Trams For Free Trams", ("free trams",), False),
        ("The council should plant trees wherever a car park closes.", ("the council", "trees"), False),
        ("Tourists should trouble a glorbing flims", ("tourists",), False),
        ("They should let", (), False),
        ("", (), False),
    ],
)
def test_a_motion_names_things_of_which_there_is_to_be_more_or_less(text, things, restricts):
    about = motion.read(text)

    assert about.things == things
    assert about.restricts is restricts


def test_a_motion_that_names_nothing_is_this_matter():
    assert motion.read("They should let").thing == "this matter"


LISTS = [template.partition("$things")[0] for template in debaters.variants("opening.things")]


@pytest.mark.parametrize(
    "text", ["Nuclear power must not be phased out.", "Animals have rights.", "They should let", ""]
)
def test_what_names_fewer_than_two_things_is_not_listed(text):
    said = " ".join(turn.text for turn in play("battle_royale", motion=text, exchanges=0))

    assert not any(begins in said for begins in LISTS)


def test_what_a_motion_names_is_listed_in_plain_english():
    said = " ".join(turn.text for turn in play("battle_royale", motion=NIGHT, exchanges=0))

    assert sum(begins in said for begins in LISTS) == 6
    assert "are parcels, robots, the streets and people." in said
    assert "streets belong," not in said
    assert "the streets belong" not in said.replace(NIGHT.rstrip("."), "")
    assert ", Parcels" not in said


@pytest.mark.parametrize("text", MOTIONS)
@pytest.mark.parametrize("preset", sorted(frameworks.presets()))
def test_every_opening_names_the_things_and_what_it_would_mean_for_both_parties(preset, text):
    about = motion.read(text)

    for turn in play(preset, motion=text, exchanges=0):
        assert len(about.things) < 2 or all(thing in turn.text for thing in about.things)
        assert about.topic.users in turn.text or about.topic.users.capitalize() in turn.text
        assert about.topic.bearers in turn.text or about.topic.bearers.capitalize() in turn.text


@pytest.mark.parametrize("text", MOTIONS)
@pytest.mark.parametrize("preset", sorted(frameworks.presets()))
def test_no_six_words_in_a_row_are_said_twice_in_a_debate(preset, text):
    said = Counter(run for turn in play(preset, motion=text) for run in debaters.runs(turn.text))

    assert [run for run, times in said.items() if times > 1] == []


CONSEQUENCES = [
    template for key in ("relief", "loss", "gain", "load") for template in debaters.variants(f"consequence.{key}")
]


@pytest.mark.parametrize("template", CONSEQUENCES)
def test_a_consequence_says_more_than_whom_it_is_for(template):
    own = content_stems(re.sub(r"\$\w+", "", template))

    assert "$use" in template.replace("$users", "") or "$burden" in template or len(own) > 2


def test_parcels_are_a_matter_of_those_who_get_and_bring_them():
    topic = motion.read(NIGHT).topic

    assert (topic.users, topic.bearers) == ("shops and their customers", "couriers and nearby residents")


def test_two_motions_are_spoken_about_in_other_words():
    cars, zoos = (
        " ".join(turn.text for turn in play("classic_clash", motion=text)) for text in (MOTIONS[0], MOTIONS[2])
    )

    assert "zoos" not in cars
    assert "cars" not in zoos
    assert len(debaters.runs(cars) & debaters.runs(zoos)) < len(debaters.runs(cars)) * 3 // 4


def test_sides_tell_opposite_consequences_first():
    def opening(stance):
        chair = Position("Ada", "pragmatic", Decimal(stance), Decimal("0.6"))
        return debaters.opening(Scene(motion=MOTIONS[0], chairs=(chair,), speaker="Ada"))["text"]

    topic = motion.read(MOTIONS[0]).topic
    places = {
        stance: (opening(stance).lower().find(topic.users), opening(stance).lower().find(topic.bearers))
        for stance in ("0.8", "-0.8")
    }
    assert places["0.8"][1] < places["0.8"][0]
    assert places["-0.8"][0] < places["-0.8"][1]
