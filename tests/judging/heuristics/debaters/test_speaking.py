"""Chairs open for their side and answer what was really said; the same scene gets the same words."""

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judging.heuristics import adherence, debaters
from judging.heuristics.text import squeezed
from judging.rules import frameworks, persuasion
from judging.rules.persuasion import Strategy
from judging.types import Position, Scene, Utterance
from tests.examples import examples
from tests.judging.heuristics.debaters.open_debate import MOTION, play, seats

PRESETS = sorted(frameworks.presets())


def words(text):
    return len(text.split())


@pytest.mark.parametrize("framework", [*sorted(frameworks.frameworks()), ""])
@pytest.mark.parametrize("stance", ["0.8", "0", "-0.8"])
def test_an_opening_names_the_motion_a_ground_and_a_limit(framework, stance):
    chair = Position("Ada", framework, Decimal(stance), Decimal("0.6"))
    text = debaters.opening(Scene(motion=MOTION, chairs=(chair,), speaker="Ada"))["text"]

    assert MOTION.rstrip(".") in text
    assert 70 <= words(text) <= 350
    assert adherence.quick(text=text, own=["Ada"]).self_critique or "admit" in text
    if framework:
        assert frameworks.frameworks()[framework].gist in text
        assert frameworks.frameworks()[framework].blind_spots[0] in text


def test_the_sides_of_a_motion_are_told_apart():
    chair = Position("Ada", "pragmatic", Decimal("0.5"), Decimal("0.5"))
    texts = {
        debaters.opening(Scene(motion=MOTION, chairs=(replace(chair, stance=Decimal(stance)),), speaker="Ada"))["text"]
        for stance in ("0.5", "0", "-0.5")
    }

    assert len(texts) == 3


@pytest.mark.parametrize("preset", PRESETS)
def test_every_response_quotes_what_an_opponent_really_said(preset):
    for turn in play(preset):
        heard = squeezed(" ".join(one.text for one in turn.scene.said if one.speaker != turn.scene.speaker))
        assert all(quote in heard for quote in turn.quotes)
        assert all(quote.rstrip(" .,;:?!") in turn.text for quote in turn.quotes)
        if turn.scene.exchange:
            assert turn.quotes
            assert 30 <= words(turn.text) <= 300


@pytest.mark.parametrize("preset", PRESETS)
def test_nobody_says_the_same_turn_twice(preset):
    texts = [turn.text for turn in play(preset)]

    assert len(set(texts)) == len(texts)


def test_no_claim_is_answered_twice_by_one_speaker_while_there_are_others():
    for name in ("Mira", "Otto"):
        quoted = [quote for turn in play("classic_clash") if turn.scene.speaker == name for quote in turn.quotes]
        assert len(set(quoted)) == len(quoted)


@pytest.mark.parametrize(
    ("strategy", "effect"),
    [
        pytest.param(Strategy.AGGRESSIVE, "attack", id="the aggressive attack"),
        pytest.param(Strategy.ANALYTICAL, "evidence", id="the analytical speak of evidence"),
        pytest.param(Strategy.EMPATHETIC, "persuasion", id="the empathetic persuade"),
    ],
)
def test_a_strategy_can_be_heard(strategy, effect):
    said = play("classic_clash", exchanges=1)[:2]
    told = tuple(Utterance(turn.scene.speaker, "opening", turn.text) for turn in said)

    def spoken(how):
        mira, otto = seats("classic_clash")
        scene = Scene(motion=MOTION, chairs=(replace(mira, strategy=how.value), otto), speaker="Mira", exchange=1)
        return getattr(persuasion.from_words(text=debaters.respond(replace(scene, said=told))["text"]), effect)

    assert spoken(strategy) > 0
    assert spoken(strategy) >= max(spoken(other) for other in Strategy if other is not strategy)


def test_an_aggressive_chair_in_heat_names_no_limit():
    told = [turn.text for turn in play("liberty_vs_community", tone="heated") if turn.scene.speaker == "Lena"][1:]

    assert not any(adherence.quick(text=text, opponents=["Tomas"], own=["Lena"]).self_critique for text in told)


def test_whoever_has_nobody_to_answer_speaks_all_the_same():
    chair = Position("Ada", "care_ethics", Decimal("0.5"), Decimal("0.5"))
    made = debaters.respond(Scene(motion=MOTION, chairs=(chair,), speaker="Ada", exchange=1))

    assert made["quotes"] == []
    assert words(made["text"]) >= 20


ODD = st.one_of(
    st.text(max_size=120), st.sampled_from(["$motion ${x} {0}", "\u201c\u201d\u27e6", "?", "\ud800 a b", "a" * 900])
)


@settings(max_examples=examples(150), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(motion=ODD, name=ODD, said=ODD, framework=st.sampled_from(["", "utilitarian", "unheard of"]))
def test_any_words_are_answered_twice_the_same(motion, name, said, framework):
    table = (
        Position(name, framework, Decimal("0.1"), Decimal("0.5"), "strange"),
        Position("Bo", "", Decimal(0), Decimal(0)),
    )
    scene = Scene(
        motion=motion, chairs=table, speaker=name, exchange=2, exchanges=2, said=(Utterance("Bo", "opening", said),)
    )

    for speak in (debaters.introduce, debaters.opening, debaters.respond, debaters.interject, debaters.sum_up):
        made = speak(scene)
        assert made == speak(scene)
        assert (made.get("text") or made.get("summary")).strip()
