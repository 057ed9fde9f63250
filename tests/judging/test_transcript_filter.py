"""Searching a transcript without any script, and pointing to what was said, in every format."""

import re
from urllib.parse import urlencode

import pytest

from debates.models import Event, Turn
from tests import playing
from tests.judging.formats.open import playing as open_debates
from tests.judging.formats.panel import play as panels
from tests.playing import ruling, script
from tests.texts import WITHOUT_COLLECTED_FILES, address, html, played

pytestmark = [pytest.mark.django_db, WITHOUT_COLLECTED_FILES]
SAID = re.compile(
    r'id="([a-z]+-[\w-]+)" data-said="(\w+)" data-speaker="([^"]*)" data-about-criterion="(\w*)"( hidden)?'
)


def said(path: str) -> list[tuple[str, str, str]]:
    """What is shown of what was said: kind, speaker, criterion."""
    return [(kind, speaker, about) for _, kind, speaker, about, hidden in SAID.findall(html(path)) if not hidden]


def test_without_a_filter_everything_is_shown_and_folded():
    debate = played("P1", "P2")

    assert len(said(address(debate))) == 12
    assert '<details class="chapter">' in html(address(debate))


@pytest.mark.parametrize(
    ("query", "left"),
    [
        ("q=because%2C+1", [("defence", "Evaluator", "P1"), ("defence", "Evaluator", "P2")]),
        ("speaker=Arbiter&criterion=P2", [("verdict", "Arbiter", "P2")] * 2),
        ("kind=challenge&criterion=P1", [("challenge", "Red team", "P1")] * 2),
        ("q=nobody+said+this", []),
        ("kind=odd&q=%00", []),
        ("speaker=&kind=verdict&criterion=P1&q=BECAUSE", [("verdict", "Arbiter", "P1")] * 2),
    ],
)
def test_a_criterion_debate_is_filtered_by_the_address(query, left):
    debate = played("P1", "P2")

    assert said(f"{address(debate)}?{query}") == left
    assert '<details class="chapter" open>' in html(f"{address(debate)}?{query}")


@pytest.mark.parametrize(
    ("words", "kinds"),
    [
        ("IT is so,  see there & stay", ["verdict"]),
        ("**", []),
        ("example.org", []),
        ("strasse", []),
        ("STRAßE", ["verdict"]),
    ],
)
def test_words_are_searched_as_they_are_read_without_the_signs_of_markdown(words, kinds):
    reasoning = "It is **so**, see\n[there](https://example.org) & stay in the Straße."
    debate = playing.debate(script([[ruling("1", reasoning=reasoning)]]), criteria=("P1",), rounds=1)
    playing.work()

    assert [kind for kind, *_ in said(f"{address(debate)}?{urlencode({'q': words})}")] == kinds


def test_everything_opens_when_asked():
    page = html(f"{address(played('P1', 'P2'))}?open=all")

    assert page.count('<details class="chapter" open>') == 2
    assert "Only what you asked for is shown" in page
    assert "data-filtered hidden" in page


def test_an_open_debate_is_filtered_by_speaker_and_kind():
    debate = open_debates.played(exchanges=1)

    assert said(f"{address(debate)}?speaker=Mira") == [("opening", "Mira", ""), ("response", "Mira", "")]
    assert said(f"{address(debate)}?speaker=Konrad&kind=response") == [("response", "Konrad", "")]


def test_a_panel_is_filtered_by_judge_and_criterion():
    debate = panels.played(panels.alone(("5", "5"), ("5", "5"), ("5", "5")))

    assert said(f"{address(debate)}?speaker=Judge+2&criterion=design") == [("analysis", "Judge 2", "design")]


@pytest.mark.slow
def test_every_turn_and_verdict_that_events_tell_of_has_its_place():
    debate = played("P1", "P2")
    events = Event.objects.filter(debate=debate, type__in=("turn:added", "verdict:issued")).values_list(
        "data", flat=True
    )
    told = [f"turn-{one['turn']}" if "turn" in one else f"verdict-{one['verdict']}" for one in events]
    synthesis = f"turn-{Turn.objects.get(debate=debate, kind='synthesis').public_id}"

    places = [found[0] for found in SAID.findall(html(address(debate)))]

    assert sorted(places) == sorted(set(told) - {synthesis})
    assert all(f'href="#{place}"' in html(address(debate)) for place in places)
