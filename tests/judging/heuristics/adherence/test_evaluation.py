"""What the four marks make of fair and unfair answers; the table is of our own making."""

from decimal import Decimal
from string import Template

import pytest

from judging.heuristics import adherence, debaters
from judging.rules.adherence import Honesty, Marks, Quality, honesty, quality, violations
from tests.judging.heuristics.adherence.responses import KONRAD, scene

STEEL_MAN = (
    "I understand the force of Mira's case. Newborns and patients in chemotherapy cannot be vaccinated themselves, and "
    "they depend on the nurses around them. She is right that a voluntary campaign reached only six nurses in ten. "
    "However, consent given under threat is no consent, and we owe each nurse the possibility to refuse."
)
STRAW_MAN = (
    "Mira's view is wrong because it treats people as mere numbers. They just want to add up bodies without caring "
    "about anybody's rights."
)
ADMISSION = (
    "I admit that this is where my position struggles: it accepts a worse outcome on the ward that could have been "
    "prevented. A patient who catches influenza from a nurse who refused is a cost my view cannot explain away."
)


def marks(text, **about):
    given = adherence.evaluate(scene(text, **about))
    return Marks(
        steel_manning=Decimal(given["steel_manning"]["score"]),
        self_critique=Decimal(given["self_critique"]["score"]),
        consistency=Decimal(given["consistency"]["score"]),
        honesty=Decimal(given["honesty"]["score"]),
        violations=len(given["consistency"]["violations"]),
    )


def steel(text, **about):
    return quality(mark=marks(text, **about).steel_manning)


def critique(text, **about):
    return quality(mark=marks(text, **about).self_critique)


def issues(text, **about):
    return adherence.evaluate(scene(text, **about))["honesty"]["issues"]


def test_a_steel_man_is_attempted_and_strong():
    given = adherence.evaluate(scene(STEEL_MAN))["steel_manning"]

    assert given["attempted"] is True
    assert steel(STEEL_MAN) is Quality.STRONG
    assert given["notes"] == "Gives back 2 main claims of Mira."


def test_a_straw_man_is_not_attempted_absent_and_requires_an_interjection():
    given = adherence.evaluate(scene(STRAW_MAN))["steel_manning"]

    assert given["attempted"] is False
    assert steel(STRAW_MAN) is Quality.ABSENT
    assert violations(marks=marks(STRAW_MAN))
    assert "misrepresentation" in issues(STRAW_MAN)


def test_an_admitted_limitation_is_attempted_and_strong_or_adequate():
    given = adherence.evaluate(scene(ADMISSION))["self_critique"]

    assert given["attempted"] is True
    assert critique(ADMISSION) in {Quality.STRONG, Quality.ADEQUATE}


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            "I understand the concern. I appreciate the point. I see the value in what you say. Still, we must not.",
            id="cues with nothing behind them",
        ),
        pytest.param(
            "I respect Mira. I agree with much of it. You are right. You are right again. You are so right. But no.",
            id="the same cue many times",
        ),
        pytest.param("I appreciate your view, Mira. It deserves an answer. It has force.", id="praise of an argument"),
    ],
)
def test_tone_alone_is_at_most_weak(text):
    assert steel(text) is Quality.WEAK


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("I understand. I appreciate the point. They are idiots, and it is a joke.", id="insults after"),
        pytest.param("I see no merit in their ridiculous position.", id="a cue denied"),
        pytest.param("I do not understand what Mira says, and I cannot accept that it has force.", id="negated cues"),
        pytest.param("Oh sure, how clever: newborns cannot be vaccinated. What a brilliant idea.", id="sarcasm"),
        pytest.param("The canteen serves cold soup, and the car park floods.", id="something else"),
        pytest.param("", id="nothing"),
    ],
)
def test_contempt_denial_and_silence_are_no_steel_man(text):
    assert steel(text) is Quality.ABSENT


def test_a_view_told_without_any_cue_counts_by_its_content():
    text = (
        "Newborns and people in chemotherapy cannot be vaccinated themselves and depend on those around them. Even so, "
        "a refusal must remain possible."
    )

    assert steel(text) in {Quality.ADEQUATE, Quality.STRONG}


def test_ones_own_earlier_words_are_no_steel_man():
    assert steel(KONRAD) is Quality.ABSENT


def test_a_caricature_costs_what_was_told_well():
    spoilt = STEEL_MAN + " But all she wants is obedience, and all they care about is their statistics."

    assert marks(spoilt).steel_manning < marks(STEEL_MAN).steel_manning
    assert steel(spoilt) in {Quality.WEAK, Quality.ABSENT}


def test_the_opponents_own_words_are_no_caricature_of_them():
    said = "We just want every ward to be safe. A vaccinated nurse passes influenza on half as often."

    assert issues("Mira says they just want every ward to be safe, and passes influenza over.", said=said) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("I may be wrong. Nobody is perfect. But a duty is a duty.", Quality.WEAK, id="hollow modesty"),
        pytest.param(
            "My view lacks an answer for the patients who die. But that is not a real problem.",
            Quality.WEAK,
            id="taken back in the next breath",
        ),
        pytest.param("My position has no weakness.", Quality.ABSENT, id="denied"),
        pytest.param("I do not concede that it fails anybody.", Quality.ABSENT, id="refused"),
        pytest.param("Critics of my view would say that it lacks an answer.", Quality.ABSENT, id="critics say it"),
        pytest.param("Mira's view fails the single nurse and lacks a limit.", Quality.ABSENT, id="the other's fault"),
        pytest.param(
            'Mira told us: "I admit that my view struggles with the rights of one nurse."',
            Quality.ABSENT,
            id="a concession that was quoted",
        ),
        pytest.param("I concede that you are right about the campaign.", Quality.ABSENT, id="granted to an opponent"),
        pytest.param(
            "Duty may accept a worse outcome here that could have been prevented; I admit that a rule kept in the "
            "wrong case can do great harm.",
            Quality.STRONG,
            id="a blind spot of the framework",
        ),
    ],
)
def test_a_limit_counts_when_it_is_the_speakers_own_and_stands(text, expected):
    assert critique(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("The canteen serves cold soup, and the car park floods.", "evasion", id="evasion"),
        pytest.param("They just want to add up bodies.", "misrepresentation", id="caricature"),
        pytest.param(
            'Mira told us: "every nurse who refuses belongs in prison". I disagree.',
            "misrepresentation",
            id="a quotation nobody said",
        ),
        pytest.param(
            "Consent given under threat of dismissal is consent like any other.", "moving_goalposts", id="contradiction"
        ),
        pytest.param("Requiring this is no different from slavery.", "false_equivalence", id="monstrous comparison"),
    ],
)
def test_dishonesty_is_named(text, expected):
    assert expected in issues(text)


def test_a_quotation_cut_before_its_but_is_cherry_picking():
    said = "A vaccinated nurse passes influenza on half as often, but only in a good year. Wards need more than that."
    text = 'Mira herself says: "A vaccinated nurse passes influenza on half as often". That settles it.'
    whole = (
        'Mira says: "A vaccinated nurse passes influenza on half as often, but only in a good year". That is little.'
    )

    assert "cherry_picking" in issues(text, said=said)
    assert "cherry_picking" not in issues(whole, said=said)


def test_ground_given_up_openly_is_no_shift():
    text = "I was wrong: consent given under threat of dismissal is consent like any other. I withdraw that."

    assert "moving_goalposts" not in issues(text)


def test_a_fair_answer_is_honest():
    assert honesty(mark=marks(STEEL_MAN).honesty) is not Honesty.LOW
    assert issues(STEEL_MAN) == []


def test_arguing_from_another_framework_is_a_violation_and_from_the_own_one_is_not():
    text = "We should maximise welfare: the aggregate benefit must outweigh suffering, because utility is what counts."

    assert marks(text, speaker="Konrad").major_violation is True
    assert marks(text, speaker="Mira").consistent is True
    assert marks(text, speaker="Mira").consistency > marks(text, speaker="Konrad").consistency


def test_without_a_framework_a_speaker_is_held_to_its_own_words():
    kept = marks("We owe each nurse reasons, as I said.", framework="")
    broken = marks("Consent given under threat of dismissal is consent like any other.", framework="")

    assert kept.consistent is True
    assert broken.consistent is False
    assert broken.consistency < kept.consistency


OWN_VOICE = (
    "I cannot watch newborns and people in chemotherapy depend on nurses who refuse. We know that a voluntary campaign "
    "reached only six nurses in ten."
)
AFTER = " Against that I hold this. Consent given under threat of dismissal is no consent."


@pytest.mark.parametrize(
    "quoted",
    [
        pytest.param(f"Mira tells us this: \u201c{OWN_VOICE}\u201d", id="after a colon"),
        pytest.param(f'Mira tells us this: "{OWN_VOICE}"', id="straight marks"),
        pytest.param(f"Mira tells us this: \u2018{OWN_VOICE}\u2019", id="single marks"),
        pytest.param(f"\u201c{OWN_VOICE}\u201d, says Mira.", id="named afterwards"),
        pytest.param(f"Mira put it well. \u201c{OWN_VOICE}\u201d", id="a sentence of its own"),
        pytest.param(
            f"Mira tells us this: \u201c{OWN_VOICE.replace('. We know', ', but we know')}\u201d",
            id='with a "but" in it',
        ),
    ],
)
def test_a_verbatim_quotation_in_the_first_person_is_whose_it_was(quoted):
    said = OWN_VOICE.replace(". We know", ", but we know") if "but we know" in quoted else OWN_VOICE

    found = adherence.evaluate(scene(quoted + AFTER, said=said))

    assert steel(quoted + AFTER, said=said) in {Quality.STRONG, Quality.ADEQUATE}
    assert "misrepresentation" not in found["honesty"]["issues"]


def test_every_phrase_of_ours_that_quotes_an_opponent_is_a_fair_telling_of_whoever_speaks_of_themselves():
    for opening in ("I cannot watch", "We cannot watch", "My ward cannot watch", "Our ward cannot watch"):
        said = f"{opening} newborns and people in chemotherapy depend on nurses who refuse a vaccine."
        for kind in ("tell.analytical", "tell.empathetic", "tell.defensive", "tell.aggressive", "second"):
            for phrase in debaters.variants(kind):
                text = Template(phrase).substitute(opponent="Mira", claim=debaters.quoted(said)) + AFTER

                assert steel(text, said=said) not in {Quality.ABSENT, Quality.WEAK}, text


def test_ones_own_words_in_quotation_marks_are_not_given_to_an_opponent():
    text = "For my part I say: \u201cI owe each nurse a reason.\u201d My view cannot explain the sixth death."

    assert critique(text) is not Quality.ABSENT
    assert steel(text) is Quality.ABSENT
