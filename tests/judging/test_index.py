"""A debate outside its own page: what a link says, the card, the feed of public debates, the board in a frame."""

import re
from datetime import timedelta
from html import unescape
from io import BytesIO
from urllib.parse import quote
from xml.etree import ElementTree as ET

import pytest
from django.db import OperationalError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from PIL import Image

from config import checks
from debates import event_log
from debates.models import Debate
from debates.types import Audience, News
from judging.engine import lifecycle
from judging.views import debate as views_debate
from judging.views import index
from tests import acts, factories, playing
from tests.moderators import client_of
from tests.playing import ruling, script

pytestmark = pytest.mark.django_db
LATER = timezone.now() + timedelta(hours=1)
ATOM = {"a": "http://www.w3.org/2005/Atom"}


@pytest.fixture
def debate() -> Debate:
    """A concluded criterion debate whose title has what markup is made of."""
    played = playing.debate(script([[ruling("1.5")]]), rounds=1)
    playing.work()
    factories.rewrite(Debate.objects.filter(pk=played.pk), title='Wells & "roads" <b>')
    return Debate.objects.get(pk=played.pk)


def meta(page: str) -> dict[str, str]:
    """What the head of a page says, by name."""
    tags = re.findall(r'<meta (?:name|property)="([^"]+)" content="([^"]*)"', page)
    return {name: unescape(value) for name, value in tags}


@pytest.mark.parametrize("way", ["/debates/{}/", "/debates/{}/result/"])
def test_a_link_to_a_debate_says_what_it_came_to_and_names_a_card_that_is_there(debate, way):
    said = meta(Client().get(way.format(debate.public_id)).content.decode())

    assert said["description"] == said["og:description"]
    assert re.fullmatch(r"Criterion debate, 1 round\. 7\.50: .*concluded\. \d+ \w+ \d{4}\.", said["description"])
    assert said["og:title"] == 'Wells & "roads" <b>'
    assert said["og:url"] == f"http://testserver/debates/{debate.public_id}/"
    assert "robots" not in said
    answer = Client().get(said["og:image"].removeprefix("http://testserver"))
    picture = Image.open(BytesIO(answer.content))
    assert (answer.status_code, answer.headers["Content-Type"], picture.format) == (200, "image/png", "PNG")
    assert picture.size == (int(said["og:image:width"]), int(said["og:image:height"])) == (1200, 630)
    assert "public" in answer.headers["Cache-Control"]


def test_a_card_that_is_known_is_not_sent_again(debate):
    first = Client().get(f"/debates/{debate.public_id}/card.png")

    again = Client().get(f"/debates/{debate.public_id}/card.png", headers={"If-None-Match": first.headers["ETag"]})

    assert (again.status_code, again.content) == (304, b"")


def test_a_font_that_cannot_be_read_is_a_warning_and_cards_are_drawn_with_another(debate, settings):
    settings.CARD_FONT = "/nowhere/face.ttf"

    assert Client().get(f"/debates/{debate.public_id}/card.png").status_code == 200
    assert [warning.id for warning in checks.card_font_is_read()] == ["config.W001"]


@pytest.mark.parametrize("way", ["card.png", "embed/"])
def test_of_a_private_debate_there_is_neither_card_nor_board_and_its_page_names_none(debate, way):
    Debate.objects.filter(pk=debate.pk).update(visibility="private")
    everything = client_of(factories.moderator())

    page = everything.get(f"/debates/{debate.public_id}/")

    assert everything.get(f"/debates/{debate.public_id}/{way}").status_code == 404
    assert ("og:image" in meta(page.content.decode()), page.headers["X-Robots-Tag"]) == (False, "noindex")


def test_whoever_signs_in_from_a_page_is_brought_back_to_it(debate):
    Debate.objects.filter(pk=debate.pk).update(visibility="private")
    way = f"/debates/{debate.public_id}/?speaker=Arbiter"

    pages = [Client().get(page).content.decode() for page in (way, "/rubrics/?q=wells", "/", "/accounts/login/")]

    ways = [re.findall(r'<a href="/accounts/login/([^"]*)"[^>]*>Sign in</a>', page) for page in pages]
    back = f"?next={quote(way, safe='')}"
    assert ways == [[back, back], ["?next=%2Frubrics%2F%3Fq%3Dwells"], [""], [""]]


WAYS = (
    "", "result/", "result.json", "moderation/", "moderation/feed.atom", "appeals/", "card.png", "embed/",
    "parts/?of=overall", "scores/{score}/", "scores/{score}/1/", "scores/{score}/account.json",
)  # fmt: skip


def test_everything_about_an_unlisted_debate_is_kept_out_of_search_and_nothing_about_a_public_one(debate):
    score = debate.evaluations.get().public_id
    ways = [f"/debates/{debate.public_id}/{way.format(score=score)}" for way in WAYS]
    public = [Client().get(way) for way in ways]
    Debate.objects.filter(pk=debate.pk).update(visibility="unlisted")

    unlisted = [Client().get(way) for way in ways]

    assert {answer.status_code for answer in (*public, *unlisted)} == {200}
    assert {answer.headers.get("X-Robots-Tag") for answer in public} == {None}
    assert {answer.headers.get("X-Robots-Tag") for answer in unlisted} == {"noindex"}
    assert "og:image" in meta(unlisted[0].content.decode())


def test_the_api_is_kept_out_of_search(debate):
    Debate.objects.filter(pk=debate.pk).update(visibility="unlisted")

    answer = Client().get(f"/api/v1/debates/{debate.public_id}/")

    assert (answer.status_code, answer.headers.get("X-Robots-Tag")) == (200, "noindex")


TITLES = [
    pytest.param("Wells", id="a word"),
    pytest.param("", id="nothing"),
    pytest.param("W" * 200, id="no place to break"),
    pytest.param("Shall the district pay for more wells " * 5, id="long"),
    pytest.param("هل ينبغي حفر المزيد من الآبار؟", id="Arabic"),
    pytest.param("もっと井戸を掘るべきか\n\t\x0b", id="no letter that the font has"),
]


@pytest.mark.parametrize("title", TITLES)
def test_any_title_makes_a_card_and_no_line_is_wider_than_it(title):
    picture = views_debate.card_picture(
        views_debate.Card(title=title, kind="open debate, 3 exchanges", figure="12.50", words=f"{title} wins")
    )

    image = Image.open(BytesIO(picture)).convert("L")
    frame = [image.getpixel((x, y)) for x in (0, 30, 1170, 1199) for y in range(0, 630, 3)]
    assert min(frame) > 200  # nothing is drawn at its edges
    assert len(picture) < 100_000


def test_a_title_is_drawn_in_letters_or_not_at_all():
    faces = views_debate.faces_for("هل ينبغي", "")

    assert faces == () or views_debate.has_letters(views_debate.font(40, "", faces), "هل ينبغي")
    assert views_debate.faces_for("Wells", "") == views_debate.TITLE_FACES
    assert not views_debate.has_letters(views_debate.font(40, "", views_debate.TITLE_FACES), "\U0010fffd")


def test_lines_lose_no_letter_of_a_title():
    face = views_debate.font(50, "", views_debate.TITLE_FACES)

    lines = views_debate.wrapped("Shall we " + "W" * 90, face, width=1040)

    assert "".join(lines).replace(" ", "") == "Shallwe" + "W" * 90
    assert max(face.getlength(line) for line in lines) <= 1040


def test_the_feed_lists_public_debates_with_what_they_came_to(debate):
    hidden = factories.debate(title="Hidden")
    Debate.objects.filter(pk=hidden.pk).update(visibility="unlisted")
    factories.debate(title="A draft", status="draft")
    odd = factories.debate(title="Odd \x0b title")

    answer = Client().get("/feed.atom")

    feed = ET.fromstring(answer.content)  # noqa: S314 -- our own
    titles = [entry.findtext("a:title", namespaces=ATOM) for entry in feed.findall("a:entry", ATOM)]
    assert answer.headers["Content-Type"] == "application/atom+xml; charset=utf-8"
    assert set(titles) == {'Wells & "roads" <b>', "Odd  title"}
    assert len(titles) == 2
    mine = next(row for row in feed.findall("a:entry", ATOM) if "roads" in row.findtext("a:title", namespaces=ATOM))
    assert mine.find("a:link", ATOM).get("href") == f"http://testserver/debates/{debate.public_id}/"
    assert mine.findtext("a:id", namespaces=ATOM) == f"urn:uuid:{debate.public_id}"
    assert mine.findtext("a:summary", namespaces=ATOM).startswith("Criterion debate, 1 round. 7.50: ")
    assert mine.findtext("a:updated", namespaces=ATOM).startswith(f"{debate.concluded_at:%Y-%m-%dT%H:%M}")
    assert odd.pk


def dates_in_feed() -> dict[str, str]:
    """When each debate of the feed was updated, by its title, in the order of the feed."""
    feed = ET.fromstring(Client().get("/feed.atom").content)  # noqa: S314 -- our own
    rows = [
        [row.findtext(f"a:{name}", namespaces=ATOM) for name in ("title", "updated")]
        for row in feed.findall("a:entry", ATOM)
    ]
    return dict(rows)


def test_a_reader_of_the_feed_is_told_where_nothing_is_new(debate):
    first = Client().get("/feed.atom")

    again = Client().get("/feed.atom", headers={"If-None-Match": first.headers["ETag"]})

    assert again.status_code == 304
    assert 'type="application/atom+xml"' in Client().get("/").content.decode()


def test_a_reader_of_a_feed_hears_of_a_new_title_and_caches_ask_each_time(debate):
    ways = ("/feed.atom", f"/debates/{debate.public_id}/moderation/feed.atom")
    before = [Client().get(way) for way in ways]
    factories.rewrite(Debate.objects.filter(pk=debate.pk), title="Another title")
    since = {"If-Modified-Since": "Fri, 31 Dec 2100 00:00:00 GMT"}

    after = [Client().get(way, headers=since) for way in ways]

    assert [(answer.status_code, b"Another title" in answer.content) for answer in after] == [(200, True)] * 2
    for answer in (*before, *after):
        assert (answer.headers.get("Last-Modified"), answer.headers["Cache-Control"]) == (None, "no-cache")


def test_the_feed_begins_with_what_last_changed_and_says_when(debate):
    newer = factories.debate(title="Newer")
    before = dates_in_feed()
    later = timezone.now() + timedelta(hours=1)

    moderated = factories.order(debate.evaluations.get(), factories.moderator())
    acts.override(order=moderated, value="4.5", now=later)
    after = dates_in_feed()
    lifecycle.rerun(debate_id=debate.pk, by=moderated.by, reason=factories.REASON, now=later + timedelta(hours=1))

    assert list(before) == ["Newer", debate.title]
    assert list(after) == list(dates_in_feed()) == [debate.title, newer.title]
    assert before[debate.title] < after[debate.title] < dates_in_feed()[debate.title]


def test_the_feed_looks_for_the_last_public_event_of_few_debates_and_finds_what_looking_at_all_does(monkeypatch):
    monkeypatch.setattr(index, "MOST_IN_FEED", 2)
    made = [factories.debate(title=title) for title in "abcdefghijkl"]
    hidden = News("alert:handled", {"alert": str(made[0].public_id), "state": "dismissed"}, Audience.MODERATORS)
    for minutes, debate in enumerate(made):
        event_log.append(debate_id=debate.pk, news=[News("debate:paused", {})], now=LATER + timedelta(minutes=minutes))

    with CaptureQueriesContext(connection) as queries:
        plain = [debate.title for debate in index.last_changed()]
    for minutes, debate in enumerate(made[:6]):
        now = LATER + timedelta(hours=1, minutes=minutes)
        event_log.append(debate_id=debate.pk, news=[hidden], now=now)

    assert [plain, [debate.title for debate in index.last_changed()]] == [["l", "k"]] * 2
    assert len(queries) == 1
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {queries[0]['sql']}")
        [[plan]] = cursor.fetchone()
    assert looks_at_events(plan["Plan"]) == 4  # of twelve debates


def looks_at_events(node: dict) -> int:
    """How often a plan looks for rows in the log."""
    own = node["Actual Loops"] if node.get("Relation Name") == "debates_event" else 0
    return own + sum(looks_at_events(inner) for inner in node.get("Plans", ()))


def test_the_feed_asks_as_much_for_three_debates_as_for_one(debate, django_assert_max_num_queries):
    with django_assert_max_num_queries(20) as one:
        Client().get("/feed.atom")
    for _ in range(2):
        factories.debate()

    with django_assert_max_num_queries(len(one)):
        Client().get("/feed.atom")


def test_a_board_is_framed_by_nobody_unless_the_settings_name_them(debate, settings):
    way = f"/debates/{debate.public_id}/embed/"
    alone = Client().get(way)
    settings.EMBED_ORIGINS = ["https://club.example", "https://*.school.example"]

    framed, page = Client().get(way), Client().get(f"/debates/{debate.public_id}/")

    assert "frame-ancestors 'none'" in alone.headers["Content-Security-Policy"]
    assert alone.headers["X-Frame-Options"] == "DENY"
    policy = framed.headers["Content-Security-Policy"]
    assert "frame-ancestors https://club.example https://*.school.example" in policy
    assert policy.replace("https://club.example https://*.school.example", "'none'") in (
        alone.headers["Content-Security-Policy"].replace(" ws://testserver", "")
    )
    assert "X-Frame-Options" not in framed.headers
    assert ("frame-ancestors 'none'" in page.headers["Content-Security-Policy"], page.headers["X-Frame-Options"]) == (
        True,
        "DENY",
    )


def test_a_board_shows_scores_and_nothing_to_press_and_is_shown_anew_while_it_is_live(debate):
    page = client_of(factories.moderator()).get(f"/debates/{debate.public_id}/embed/")
    live = Client().get(f"/debates/{factories.debate(parameters={'rubric': playing.rubric('P1')}).public_id}/embed/")

    text = page.content.decode()
    assert ("Scoreboard" in text, "7.50" in text) == (True, True)
    assert re.findall(r"<(?:form|button|script|input)\b", text) == []
    assert "Moderation" not in text
    assert 'href="/admin/' not in text
    assert ("Refresh" in page.headers, live.headers.get("Refresh")) == (False, "30")


def test_a_board_that_breaks_comes_back_by_itself_and_one_of_a_draft_begins_to_move(debate, settings, monkeypatch):
    settings.EMBED_ORIGINS = ["https://club.example"]
    draft = factories.debate(status="draft", parameters={"rubric": playing.rubric("P1")})
    before = Client().get(f"/debates/{draft.public_id}/embed/")

    def away(*_):
        raise OperationalError

    monkeypatch.setattr(views_debate, "visible_debate", away)
    broken = Client(raise_request_exception=False).get(f"/debates/{debate.public_id}/embed/")

    assert before.headers["Refresh"] == broken.headers["Refresh"] == "30"
    assert (broken.status_code, "X-Frame-Options" in broken.headers) == (503, False)
    assert "frame-ancestors https://club.example" in broken.headers["Content-Security-Policy"]


def test_the_result_says_how_to_embed_where_that_is_allowed(debate, settings):
    way = f"/debates/{debate.public_id}/result/"
    before = Client().get(way).content.decode()
    settings.EMBED_ORIGINS = ["*"]

    assert ("iframe" in before, f"/debates/{debate.public_id}/embed/" in Client().get(way).content.decode()) == (
        False,
        True,
    )


@pytest.mark.parametrize(("way", "kind"), [("/favicon.ico", "ICO"), ("/apple-touch-icon.png", "PNG")])
def test_browsers_find_the_icons_where_they_look_for_them(way, kind):
    answer = Client().get(way)

    assert answer.status_code == 200
    assert Image.open(BytesIO(b"".join(answer))).format == kind
