"""Parts of a debate's page: drawn alone, as of one moment, for whoever may see the debate."""

import re
import threading
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from debates import event_log
from debates.models import Debate, EventHead
from debates.selectors import one_moment
from debates.types import Status
from judging.formats.criterion import page as criterion_page
from judging.pages import transcript
from judging.pages.transcript import Block
from judging.views import debate as views_debate
from scoring.models import Evaluation
from tests import acts, factories, playing
from tests.playing import ruling, script
from tests.texts import WITHOUT_COLLECTED_FILES, address, html, played, words

pytestmark = [pytest.mark.django_db, WITHOUT_COLLECTED_FILES]
NOW = timezone.now()


def drawn(page: str) -> list[str]:
    return re.findall(r'data-part="([^"]+)"', page)


def of(debate: Debate, *names: str) -> str:
    return address(debate, "parts/?" + "&".join(f"of={name}" for name in names))


def test_a_page_says_where_its_stream_goes_on():
    debate = played()

    page = html(address(debate))

    assert f'data-seq="{EventHead.objects.get(debate=debate).seq}"' in page
    assert f'data-epoch="{event_log.epoch()}"' in page


def test_every_part_of_a_page_can_be_drawn_alone_and_is_the_same():
    debate = played("P1", "P2")
    page = html(address(debate))

    for name in drawn(page):
        alone = html(of(debate, name))

        assert drawn(alone) == [name]
        part = (
            alone.split("data-drawn-at", 1)[1].split(">", 1)[1].rsplit("</body>", 1)[0].strip().removesuffix("</div>")
        )
        assert " ".join(part.split()) in " ".join(page.split())


def test_the_parts_of_a_debate_in_which_nothing_has_happened_since_are_not_drawn():
    debate = played()
    seq = EventHead.objects.get(debate=debate).seq

    assert Client().get(of(debate, "overall") + f"&since={seq}").status_code == 204
    assert Client().get(of(debate, "overall") + f"&since={seq - 1}").status_code == 200
    assert Client().get(of(debate, "overall") + "&since=never").status_code == 200
    assert Client().get(of(debate, "overall") + f"&since={seq}&erasures=0").status_code == 204
    assert Client().get(of(debate, "overall") + f"&since={seq}&erasures=1").status_code == 200
    assert Client().get(of(debate, "overall") + f"&since={seq}&epoch={event_log.epoch()}").status_code == 204
    assert Client().get(of(debate, "overall") + f"&since={seq}&epoch={uuid4()}").status_code == 200


@pytest.mark.parametrize("query", ["", "?of=", "?of=nothing", "?of=criterion-99", "?of=%00&of=<script>"])
def test_a_part_that_there_is_not_is_not_drawn(query):
    page = html(address(played(), f"parts/{query}"))

    assert drawn(page) == []
    assert "<script" not in page


def test_the_parts_of_a_private_debate_are_as_hidden_as_its_page():
    debate = factories.debate(visibility="private", parameters={"rubric": playing.rubric("P1")})

    assert Client().get(of(debate, "overall")).status_code == 404


def test_only_the_chapters_that_are_asked_for_are_read():
    debate = played("P1", "P2", "P3")

    with CaptureQueriesContext(connection) as caught:
        page = html(of(debate, "overall", "scoreboard"))

    assert drawn(page) == ["overall", "scoreboard"]
    assert [query for query in caught.captured_queries if "judging_challenge" in query["sql"]] == []


@pytest.mark.parametrize(
    ("name", "type", "criterion", "stirs"),
    [
        ("scoreboard", "criterion:score-updated", "P2", True),
        ("scoreboard", "turn:added", "P2", False),
        ("criterion-1", "turn:added", "P1", True),
        ("criterion-1", "debate:cancelled", "P1", True),
        ("heading", "debate:concluded", None, True),
        ("heading", "score:updated", None, False),
        ("synthesis", "synthesis:complete", None, True),
        ("latest", "turn:added", None, False),
    ],
)
def test_a_part_says_which_events_make_it_out_of_date(name, type, criterion, stirs):
    part = views_debate.compose_page(debate=played("P1", "P2")).parts[name]

    stirred = any(type.startswith(one) if one.endswith(":") else type == one for one in part.stirred_by)

    assert stirred is stirs
    assert part.about in {"", criterion}


@pytest.mark.django_db(transaction=True)
def test_what_is_committed_while_a_page_is_drawn_is_not_on_it():
    debate = played()

    def override() -> None:
        evaluation = Evaluation.objects.get(debate=debate)
        acts.override(order=factories.order(evaluation, factories.moderator()), value="9.5", now=NOW)
        connection.close()

    with one_moment():
        seq = EventHead.objects.get(debate=debate).seq
        other = threading.Thread(target=override)
        other.start()
        other.join()
        page = views_debate.compose_page(debate=Debate.objects.get(pk=debate.pk))

        assert page.values["board"].rows[0].evaluation.override_score is None
        assert EventHead.objects.get(debate=debate).seq == seq
    assert EventHead.objects.get(debate=debate).seq > seq


def test_a_visitor_whose_session_has_ended_is_a_visitor():
    debate, client, alice = played(), Client(), factories.person("alice")
    client.force_login(alice)
    alice.set_password("another one")
    alice.save()

    assert client.get(address(debate)).status_code == 200


# -- the latest words ------------------------------------------------------------------------------------------------


def in_play() -> Debate:
    """A debate of which everything was said, shown as if it went on."""
    debate = played("P1", "P2")
    Debate.objects.filter(pk=debate.pk).update(status=Status.RUNNING.value, concluded_at=None)
    return Debate.objects.get(pk=debate.pk)


def test_the_latest_words_of_a_debate_in_play_are_shown_the_newest_last():
    debate = in_play()

    said = transcript.latest(debate=debate)

    assert [one.seq for one in said] == sorted(one.seq for one in said)
    assert {one.kind for one in said} == {"challenge", "defence", "verdict"}
    assert "Evaluator prevails +0.50 P1 \N{MIDDLE DOT} round 2 Because." in words(address(debate))


def test_a_debate_that_has_ended_has_no_latest_words():
    debate = played()

    assert criterion_page.page(debate=debate, only=None).values["latest"] == []
    assert 'aria-labelledby="latest" hidden' in html(address(debate))


def test_no_more_than_the_last_thirty_are_shown():
    debate = playing.debate(script([[ruling("1")]] * 3), criteria=[f"P{one}" for one in range(1, 6)], rounds=3)
    playing.work()

    assert len(transcript.latest(debate=debate)) == transcript.SHOWN - 1  # the last was the synthesis


# -- the synthesis ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("", []),
        ("All is well.", [Block("All is well.")]),
        (
            "All is well.\n\nStrengths:\n- One\n- Two - and a half",
            [Block("All is well."), Block("Strengths", ["One", "Two - and a half"])],
        ),
        ("Advice:\n- One\nand more", [Block("Advice:\n- One\nand more")]),
        ("Mind this:", [Block("Mind this:")]),
        ("One\n\n\n\n\nTwo", [Block("One"), Block("Two")]),
    ],
)
def test_a_synthesis_is_shown_in_paragraphs_and_lists(text, blocks):
    assert transcript.blocks(text=text) == blocks


def test_strengths_begin_with_the_highest_and_weaknesses_with_the_lowest():
    debate = played(
        "P1",
        "P2",
        "P3",
        "P4",
        initial={"P1": ("5.6", "0.5"), "P2": ("7", "0.5"), "P3": ("1", "0.5"), "P4": ("1.5", "0.5")},
    )

    shown = words(address(debate, "result/"))

    assert "7 and above P2 Name of P2 8.50 P1 Name of P1 7.10" in shown
    assert "4 and below P3 Name of P3 2.50 P4 Name of P4 3.00" in shown
