"""The page of an open debate and its result: what a reader sees of standings, courses, adherence and turns."""

import json
import re
from decimal import Decimal

import pytest
from django.test import Client
from django.utils import timezone

from judging.formats import charts as open_charts
from judging.formats.open import page as open_page
from judging.formats.open.spec import ChairSpec
from judging.models import ResponseEvaluation
from judging.views import debate as views_debate
from scoring.models import Evaluation
from tests import acts, factories
from tests.judging.formats.open.playing import KONRAD, MIRA, MOTION, of_preset, played, started
from tests.judging.formats.open.scripts import UNFAIR, marks, script
from tests.texts import WITHOUT_COLLECTED_FILES, address, html, queries, words

pytestmark = [pytest.mark.slow, pytest.mark.django_db, WITHOUT_COLLECTED_FILES]
MOVING = {"text": "However, consider it, understand it.", "quotes": []}
WEAK = ChairSpec("Konrad", "", "-0.6", "0.45", "adaptive")
NASTY = "<script>alert(1)</script>"


def lively(**wanted):
    """A debate with a good and a bad response, an interjection, a forfeit and somebody who gives up."""
    answers = script(
        {"purpose": "respond", "thread": "Mira", "answer": MOVING},
        {"purpose": "respond", "thread": "Konrad", "round": 1, "answer": {"text": "", "quotes": []}},
        {
            "purpose": "evaluate",
            "thread": "Mira",
            "round": 2,
            "answer": marks("25", "15", "10", "8", violations=("It weighs no outcome.",)),
        },
        {"purpose": "evaluate", "answer": UNFAIR},
    )
    return played(**{"provider": "scripted", "script": answers, "chairs": (MIRA, WEAK), "exchanges": 3, **wanted})


def test_a_page_has_every_part_and_each_can_be_drawn_alone():
    debate = lively()

    names = re.findall(r'data-part="([^"]+)"', html(address(debate)))
    alone = html(address(debate, "parts/?" + "&".join(f"of={name}" for name in names)))

    assert names == [
        "heading", "progress", "outcome", "latest", "synthesis", "standings", "courses", "adherence", "speakers",
        "exchange-0", "exchange-1", "exchange-2", "exchange-3",
    ]  # fmt: skip
    assert sorted(re.findall(r'data-part="([^"]+)"', alone)) == sorted(names)


def test_a_reader_sees_how_it_ended_who_gave_up_and_what_was_said_to_whom():
    read = words(address(lively()))

    assert "Overwhelming won by Mira After 2 exchanges Mira has won overwhelmingly" in read
    assert "Konrad gives up. Persuaded" in read
    assert "Arbiter interjects, to Mira" in read
    assert "Konrad forfeits the turn" in read
    assert "Steel-manning 2.00 of 25, absent" in read
    assert "Consistency 10.00 of 25, major break It weighs no outcome." in read
    assert "Honesty 8.00 of 25, medium" in read


def test_what_a_badge_means_is_told_beside_it_and_is_no_part_of_the_name_of_a_row():
    page = html(address(lively()))

    heads = [re.sub("<[^>]+>", " ", head) for head in re.findall('<th scope="row">(.*?)</th>', page, re.DOTALL)]
    assert " ".join(next(head for head in heads if "gave up" in head).split()).endswith("gave up in exchange 2")
    assert re.search('title="Persuaded[^"]*" aria-description="Persuaded[^"]*">gave up in exchange 2<', page)


def test_a_standing_is_told_in_numbers_and_in_words():
    debate = lively()

    document = Client().get(address(debate, "result.json")).json()
    shown = [words(address(debate, page)) for page in ("", "result/")]

    assert {one["name"]: one["bands"] for one in document["participants"]} == {
        "Mira": {"persuasion": "strong", "resistance": None},
        "Konrad": {"persuasion": None, "resistance": "average"},
    }
    for one in document["participants"]:
        parts, bands = one["standing"]["parts"], one["bands"]
        told = " ".join(f"{Decimal(parts[name]):.2f} {word or ''}".strip() for name, word in bands.items())
        assert [told in read for read in shown] == [True, True]


def test_an_adaptive_chair_shows_the_strategy_that_it_chose():
    debate = lively()

    assert debate.turns.filter(participant__name="Konrad").earliest("id").strategy == "analytical"
    assert "Konrad opens analytical" in words(address(debate))


def test_names_and_turns_are_text_whatever_they_say():
    bad = ChairSpec(f"Eve {NASTY}", "", "0.5", "0.5", "analytical")
    answers = script(response=f"I hold {NASTY} that the ward must be safe.")
    debate = played(provider="scripted", script=answers, chairs=(bad, KONRAD), motion=f"{NASTY} is said.", exchanges=1)

    for page in ("", "result/"):
        shown = html(address(debate, page))
        assert NASTY not in shown
        assert "&lt;script&gt;" in shown


def test_a_struck_response_says_that_it_does_not_count_and_the_mean_moves():
    debate = played(exchanges=2)
    score = Evaluation.objects.filter(debate=debate, instrument="adherence").first()
    struck = ResponseEvaluation.objects.filter(fact_id__in=score.basis).first()

    acts.strike(order=factories.order(score, factories.moderator()), facts=[struck.fact_id], now=timezone.now())

    assert "not counted" in words(address(debate))


@pytest.mark.parametrize("wanted", [{"judging": "quick"}, {"judging": "off"}, {"persuasion": False}], ids=str)
def test_what_is_switched_off_is_not_shown(wanted):
    debate = played(exchanges=1, **wanted)
    read = words(address(debate))

    assert ("At a glance:" in read) is (wanted.get("judging") == "quick")
    assert (re.search(r"\d of 25\b", read) is not None) is ("persuasion" in wanted)  # not "As of 25 Nov"
    assert ("Stance and conviction" in read) is ("persuasion" not in wanted)
    assert words(address(debate, "result/"))


def test_a_draft_and_a_debate_in_play_have_a_page_and_a_result():
    debate = started(exchanges=2)

    read = words(address(debate))

    assert "No exchange has been played yet." in read
    assert "Nothing has been said yet." in read
    assert Client().get(address(debate, "result.json")).json()["victory"] is None


def test_the_lines_of_twelve_chairs_are_drawn_in_small_charts_and_each_begins_at_the_start():
    chairs = [ChairSpec(f"Chair {number}", "", "0.1", "0.5", "analytical") for number in range(12)]
    debate = started(chairs=chairs, exchanges=30)

    charts = open_charts.drawn(table=open_page.table(debate=debate))

    assert [len(one.curves) for one in charts] == [6, 6, 6, 6]
    assert {len(curve.dots) for one in charts for curve in one.curves} == {1}
    assert len(charts[0].across) <= open_charts.MOST_MARKS + 1
    assert len({curve.label_y for curve in charts[0].curves}) == 6


def test_the_page_takes_as_many_queries_for_six_chairs_as_for_two():
    two, six = played(exchanges=1), of_preset("battle_royale", exchanges=2)
    html(address(two))

    assert queries(address(six)) == queries(address(two))


def test_only_the_exchanges_that_are_asked_for_are_read():
    debate = played(exchanges=2)

    page = views_debate.compose_page(debate=debate, only={"exchange-2"})

    assert set(page.parts) == {"exchange-2"}
    assert {said.kind for said in page.parts["exchange-2"].shown.said} == {"response"}
    assert open_page.exchanges(debate=debate, table=open_page.table(debate=debate), numbers=[]) == []


def test_the_result_is_a_page_and_a_document_that_is_the_same_each_time():
    debate = played(exchanges=1)

    documents = {Client().get(address(debate, "result.json")).content for _ in range(3)}

    assert len(documents) == 1
    assert json.loads(documents.pop())["debate"]["motion"] == MOTION
    assert "Standings" in words(address(debate, "result/"))
