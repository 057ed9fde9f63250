"""The public pages: who sees what, the index, the result; words of participants stay words."""

import re
from dataclasses import replace
from datetime import UTC, datetime
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from debates.models import Debate, Participant
from judging.engine import lifecycle
from judging.engine.creation import create_draft
from judging.formats.criterion.spec import CriterionSpec
from judging.models import PlannedStart
from tests import factories, playing
from tests.judging.formats.open import playing as open_debates
from tests.judging.formats.open.playing import KONRAD, MIRA
from tests.judging.formats.open.scripts import script as open_script
from tests.judging.formats.open.test_verify import unguarded
from tests.judging.formats.panel import play as panels
from tests.playing import ruling, script
from tests.texts import WITHOUT_COLLECTED_FILES, address, html, played, queries, words

pytestmark = [pytest.mark.django_db, WITHOUT_COLLECTED_FILES]
NOW = timezone.now()
ATTACK = "\"'><script>alert(1)</script><img src=x onerror=alert(1)>{{ 7|add:7 }}"
MOVING = "However, consider this, think about it and understand it: the ward."
ADDRESSES = ("", "result/", "result.json")


# -- who sees what ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", ADDRESSES)
@pytest.mark.parametrize(
    ("visibility", "visitor", "status"),
    [
        ("public", "nobody", 200),
        ("unlisted", "nobody", 200),
        ("private", "nobody", 404),
        ("private", "somebody", 404),
        ("private", "creator", 200),
        ("private", "viewer", 200),
    ],
)
def test_a_debate_is_shown_to_whoever_may_read_it(page, visibility, visitor, status):
    creator = factories.person("alice")
    debate = factories.debate(visibility=visibility, created_by=creator, parameters={"rubric": playing.rubric("P1")})
    client = Client()
    if visitor == "somebody":
        client.force_login(factories.person("bob"))
    if visitor == "viewer":
        client.force_login(factories.person("charlie", permissions=["debates.view_debate"]))
    if visitor == "creator":
        client.force_login(creator)

    assert client.get(address(debate, page)).status_code == status


def test_a_private_debate_without_a_creator_is_nobodys():
    debate = factories.debate(visibility="private", parameters={"rubric": playing.rubric("P1")})

    assert Client().get(address(debate)).status_code == 404


@pytest.mark.parametrize("page", ADDRESSES)
def test_an_address_without_a_debate_is_not_found(page):
    response = Client().get(f"/debates/{uuid4()}/{page}")

    assert response.status_code == 404
    assert "There is nothing at this address" in response.content.decode()


def test_the_index_lists_public_debates_only():
    for visibility in ("public", "unlisted", "private"):
        factories.debate(visibility=visibility, title=f"About {visibility}")

    shown = words("/")

    assert "About public" in shown
    assert "About unlisted" not in shown
    assert "About private" not in shown


def test_pages_answer_only_to_reading():
    debate = factories.debate(parameters={"rubric": playing.rubric("P1")})

    assert [Client().post(path).status_code for path in ("/", address(debate), address(debate, "result/"))] == [405] * 3


# -- the index -------------------------------------------------------------------------------------------------------


def test_the_index_shows_live_before_upcoming_before_concluded():
    for status in ("concluded", "draft", "running"):
        factories.debate(status=status, title=f"It is {status}")

    shown = words("/")

    assert shown.index("It is running") < shown.index("It is draft") < shown.index("It is concluded")
    assert "All 3 Live 1 Upcoming 1 Concluded 1" in shown


def test_the_index_and_the_page_of_a_draft_say_when_it_starts_by_itself():
    spec = CriterionSpec(title="Wells", subject=playing.SUBJECT, rubric=playing.rubric("P1"))
    drafts = [create_draft(spec=spec, by=None, now=NOW) for _ in range(4)]
    starts = {"starts_at": datetime(2099, 12, 24, 18, tzinfo=UTC)}
    failed = {**starts, "failing_since": timezone.now(), "problem": "No model."}
    PlannedStart.objects.create(debate=drafts[0], **starts)
    PlannedStart.objects.create(debate=drafts[1], **failed)
    PlannedStart.objects.create(debate=drafts[2], **failed, given_up_at=timezone.now())

    said = re.compile("(?:Starts|Was to start) 24 Dec 2099|Created")
    planned = ["Starts 24 Dec 2099", "Was to start 24 Dec 2099"]

    pages = [said.findall(words(address(draft))) for draft in drafts]
    assert pages == [[planned[0]], [planned[1]], ["Created"], ["Created"]]
    assert said.findall(words("/")) == ["Created", "Created", planned[1], planned[0]]


def test_the_index_finds_debates_by_title():
    for title in ("Wells in the north", "A tool library"):
        factories.debate(title=title)

    shown = words("/?q=wells")

    assert "Wells in the north" in shown
    assert "A tool library" not in shown


def test_the_index_shows_one_format_in_the_order_that_is_asked_for():
    for title in ("Beech", "ash", "Cedar"):
        factories.debate(title=title)
    open_debates.started(motion="Trees should be planted.")

    def titles(query):
        return re.findall(r'<h3 dir="auto"><a [^>]+>([^<]+)', html(f"/{query}"))

    assert titles("?format=criterion&sort=title") == ["ash", "Beech", "Cedar"]
    assert titles("?format=criterion&sort=oldest") == ["Beech", "ash", "Cedar"]
    assert titles("?format=open") == ["Trees should be planted."]
    assert titles("?format=odd&sort=odd") == ["Trees should be planted.", "Cedar", "ash", "Beech"]
    assert "No panel is here now" in words("/?format=panel")
    assert "show=live&amp;format=open" in html("/?format=open") or "format=open&amp;show=live" in html("/?format=open")


def test_the_index_shows_one_group_when_asked():
    for status in ("concluded", "running"):
        factories.debate(status=status, title=f"It is {status}")

    assert "It is running" not in words("/?show=concluded")


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("", "No debates yet"),
        ("?q=nothing", "No debate has “nothing” in its title"),
        ("?show=live", "No debate is live now"),
        ("?show=odd&page=99", "No debates yet"),
        ("?q=%00", "No debates yet"),
    ],
)
def test_an_empty_index_says_why(query, said):
    assert said in words(f"/{query}")


def test_an_empty_index_leads_to_what_the_same_search_finds_in_other_groups():
    factories.debate(status="concluded", title="Wells in the north")

    shown = html("/?q=Wells&show=live")

    assert "No live debate has “Wells” in its title" in shown
    assert '<a href="?q=Wells">See the 1 that is not live</a>' in shown
    assert "No panel has “Wells” in its title" in words("/?q=Wells&format=panel")
    assert "No live panel has “Wells” in its title" in words("/?q=Wells&format=panel&show=live")


def test_the_index_is_paged_and_keeps_the_search():
    for _ in range(21):
        factories.debate()

    first, second = html("/?q=debate"), html("/?q=debate&page=2")

    assert first.count('class="card"') == 20
    assert 'href="?q=debate&amp;page=2"' in first
    assert second.count('class="card"') == 1


def test_the_index_asks_the_same_number_of_queries_for_one_debate_and_for_twenty():
    factories.criterion(factories.debate(parameters={"rubric": playing.rubric("P1")}))
    one = queries("/")
    for _ in range(19):
        factories.criterion(factories.debate(parameters={"rubric": playing.rubric("P1")}))

    assert queries("/") == one


def test_the_index_says_what_a_debate_came_to():
    played()

    assert "7.50 strong · pursue" in words("/")


def test_the_index_says_who_won_and_what_a_panel_recommends():
    open_debates.played(
        provider="scripted", script=open_script(response=MOVING), chairs=(MIRA, replace(KONRAD, conviction="0.45"))
    )
    panels.played(panels.alone(("5", "5"), ("5", "5"), ("5", "5")))

    shown = words("/")

    assert re.search(r"Hospitals should require every nurse to be vaccinated\. concluded .+ Mira won · ", shown)
    assert "5.00 Pass · consensus" in shown


@pytest.mark.slow
def test_the_index_asks_the_same_number_of_queries_for_one_of_each_format_and_for_three():
    def one_of_each():
        open_debates.played(exchanges=1)
        panels.played(panels.alone(("5", "5"), ("5", "5"), ("5", "5")))

    one_of_each()
    one = queries("/")
    one_of_each()
    one_of_each()

    assert queries("/") == one


def test_the_index_shows_no_number_for_scores_that_no_verdict_moved():
    playing.debate(script([[]]), rounds=1)
    playing.work()

    shown = words("/")

    assert "no verdicts" in shown
    assert "6.00" not in shown


# -- the result ------------------------------------------------------------------------------------------------------


def test_the_result_page_shows_the_same_numbers_as_the_document():
    debate = played()

    document = Client().get(address(debate, "result.json")).json()
    shown = words(address(debate, "result/"))

    assert document["overall"]["after"] == "7.50"
    assert "Before 6.00 → After 7.50 Pursue strong" in shown
    assert "Problem 6.00 7.50" in shown
    assert "Strengths 7 and above P1 Name of P1 7.50" in shown
    assert "No criterion ended at 4 or below." in shown


def test_the_result_of_a_debate_in_play_says_that_it_is_not_final():
    debate = factories.debate(parameters={"rubric": playing.rubric("P1")})

    assert "This debate has not concluded." in words(address(debate, "result/"))


# -- words of participants stay words --------------------------------------------------------------------------------


def attacked() -> Debate:
    """A debate in which everybody tries to break out of the page."""
    answers = script([[ruling("1", reasoning=ATTACK)]])
    for answer in answers:
        if answer["purpose"] == "challenge":
            for one in answer["answer"]["challenges"]:
                one.update(text=ATTACK, quote=ATTACK, persona="<script>alert(1)")
        if answer["purpose"] == "defend":
            answer["answer"]["defences"][0]["text"] = ATTACK
    rubric = playing.rubric("P1", category="<script>alert(1)</script>")
    rubric["criteria"][0].update(name=ATTACK, question=ATTACK, high=ATTACK, low=ATTACK)
    spec = CriterionSpec(
        title=ATTACK,
        subject=ATTACK,
        rubric=rubric,
        rounds=1,
        provider="scripted",
        script=[*answers, playing.SYNTHESIS],
        initial={"P1": ("6", "0.5")},
    )
    debate = create_draft(spec=spec, by=None, now=NOW)
    with unguarded(Participant):
        Participant.objects.filter(debate=debate, role="arbiter").update(name="<script>alert(1)</script>")
    lifecycle.start(debate_id=debate.pk, by=None, now=NOW)
    playing.work()
    Debate.objects.filter(pk=debate.pk).update(partial=True, partial_reason="<script>alert(1)</script>")
    return debate


def test_what_participants_write_never_becomes_markup():
    debate = attacked()

    for path in ("/", "/?q=%3Cscript%3Ealert(1)", address(debate), address(debate, "result/")):
        page = re.sub(r'<script type="module" src="/static/[a-z]+\.js"></script>', "", html(path))

        assert "&lt;script&gt;alert(1)" in page
        assert "<script" not in page
        assert "<img" not in page
        assert "onerror=alert(1)>" not in page
        assert "{{ 7|add:7 }}" in page or path.startswith("/?q")


def test_the_result_document_is_json_and_says_so():
    response = Client().get(address(attacked(), "result.json"))

    assert response["Content-Type"] == "application/json"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response.json()["debate"]["title"] == ATTACK


def test_the_result_document_is_a_file_that_is_named_after_its_debate():
    debate, hostile = played(), attacked()

    names = [Client().get(address(one, "result.json"))["Content-Disposition"] for one in (debate, hostile)]

    assert names == [
        'attachment; filename="wells.result.json"',
        'attachment; filename="script-alert-1-script-img-src-x-onerror-alert-1-7-add-7.result.json"',
    ]
    assert f'href="{address(debate, "result.json")}">result.json</a>' in html(address(debate, "result/"))


@pytest.mark.parametrize("page", ADDRESSES)
def test_every_page_carries_a_policy_without_inline_code(page):
    debate = factories.debate(parameters={"rubric": playing.rubric("P1")})

    response = Client().get(address(debate, page))

    assert "script-src 'self'" in response["Content-Security-Policy"]
    assert "unsafe" not in response["Content-Security-Policy"]
    assert "style=" not in response.content.decode()
