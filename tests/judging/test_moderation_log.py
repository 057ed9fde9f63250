"""The log of moderation: every act of a person, for whoever may read its debate, as page, feed and list of the API."""

import re
from decimal import Decimal
from xml.etree import ElementTree as ET

import pytest
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from debates.models import Debate
from judging.engine import score_account
from scoring.services import approvals
from tests import acts, factories
from tests.api.clients import Api

pytestmark = pytest.mark.django_db
ATOM = "{http://www.w3.org/2005/Atom}"


def acted(title: str, *, times: int = 1, visibility: str = "public"):
    """A debate with a score that somebody has frozen and unfrozen so many times."""
    evaluation = factories.criterion(factories.debate(title=title))
    Debate.objects.filter(pk=evaluation.debate_id).update(visibility=visibility)
    by = factories.moderator(f"moderator of {title}")
    for number in range(times):
        order = {"reason": f"Reason {number} of {title}."}
        acts.freeze(order=factories.order(evaluation, by, **order), now=timezone.now())
        acts.unfreeze(order=factories.order(evaluation, by, **order), now=timezone.now(), choice=None)
    evaluation.debate.refresh_from_db()
    return evaluation


def titles(html: str) -> list[str]:
    return re.findall(r'<h2 class="entry-title" id="act-(\d+)"', html)


def test_the_log_of_the_site_shows_what_whoever_looks_may_find(client):
    acted("Open"), acted("Hidden", visibility="private"), acted("Linked", visibility="unlisted")

    public = client.get(reverse("moderation")).content.decode()
    client.force_login(factories.moderator("alice"))
    all_of_it = client.get(reverse("moderation")).content.decode()

    assert ("Reason 0 of Open." in public, "Hidden" in public, "Linked" in public) == (True, False, False)
    assert len(titles(public)) == 2
    assert len(titles(all_of_it)) == 6
    assert "moderator of" not in all_of_it


def test_a_debate_has_a_log_of_its_own_for_those_who_may_read_it(client):
    own, private = acted("Linked", visibility="unlisted"), acted("Hidden", visibility="private")
    acted("Another")

    log = client.get(reverse("debate-moderation", args=[own.debate.public_id])).content.decode()

    assert len(titles(log)) == 2
    assert "an administrator" in log
    assert reverse("account-entry", args=[own.debate.public_id, own.public_id, 3]) in log
    for name in ("debate-moderation", "debate-moderation-feed"):
        assert client.get(reverse(name, args=[private.debate.public_id])).status_code == 404


@pytest.mark.parametrize(("visibility", "places"), [("public", 2), ("unlisted", 2), ("private", 0)])
def test_a_log_leads_to_its_feed_where_that_can_be_read(client, visibility, places):
    debate = acted("Own", visibility=visibility).debate
    client.force_login(factories.moderator("alice"))

    log = client.get(reverse("debate-moderation", args=[debate.public_id])).content.decode()

    assert log.count(reverse("debate-moderation-feed", args=[debate.public_id])) == places
    assert f"/api/v1/moderation/?debate={debate.public_id}" in log


@pytest.mark.slow
def test_a_long_log_is_walked_by_a_cursor_and_shows_every_act_once(client):
    acted("Open", times=55)
    seen, path = [], reverse("moderation")
    for _ in range(3):
        html = client.get(path).content.decode()
        seen += titles(html)
        after = re.search(r'rel="next" href="(\?after=[^"]+)"', html)
        path = reverse("moderation") + after[1] if after else ""

    assert path == ""
    assert len(seen) == len(set(seen)) == 110
    assert seen == sorted(seen, key=int, reverse=True)
    assert client.get(reverse("moderation") + "?after=nothing").status_code == 404


def test_a_page_of_the_log_takes_as_many_queries_for_one_act_as_for_forty(client, django_assert_max_num_queries):
    acted("Open", times=20)

    with django_assert_max_num_queries(6):
        client.get(reverse("moderation"))


def test_a_page_of_the_log_is_chosen_by_ids_before_its_lines_are_read():
    chosen = str(score_account.acts_of_persons(visitor=factories.moderator("alice")).order_by("-id").query)

    assert [table for table in ("scoring_actor", "scoring_reason", "scoring_approval") if table in chosen] == []


def test_a_page_of_a_long_log_reads_an_index_of_the_acts_alone():
    acted("Open")
    entries = score_account.acts_of_persons(visitor=factories.moderator("alice")).order_by("-id")[:50]
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off; SET LOCAL enable_sort = off")

    assert "entry_of_a_person" in entries.explain()


def test_the_log_is_a_feed(client):
    own = acted("Open")
    for name, args in (("moderation-feed", []), ("debate-moderation-feed", [own.debate.public_id])):
        feed = ET.fromstring(client.get(reverse(name, args=args)).content)  # noqa: S314 -- ours
        rows = feed.findall(f"{ATOM}entry")
        assert [row.findtext(f"{ATOM}title") for row in rows] == [f"Unfrozen: {own.name}", f"Frozen: {own.name}"]
        assert "Reason 0 of Open." in rows[0].findtext(f"{ATOM}summary")


@pytest.mark.parametrize("names", [False, True])
def test_the_feed_says_of_an_act_what_the_page_says(client, settings, names):
    settings.NAME_MODERATORS = names
    settings.SECOND_PERSON_FROM = Decimal(2)
    carol = factories.moderator("carol")
    evaluation = factories.criterion(factories.debate(created_by=carol))
    acts.freeze(order=factories.order(evaluation, carol), now=timezone.now())
    acts.unfreeze(order=factories.order(evaluation, factories.moderator("dora")), now=timezone.now(), choice=None)
    asked = acts.override(order=factories.order(evaluation, factories.moderator("ed")), value="9", now=timezone.now())
    approvals.approve(
        approval_id=asked.pk, by=factories.moderator("fay"), reason="It was read again.", now=timezone.now()
    )

    feed = ET.fromstring(client.get(reverse("moderation-feed")).content)  # noqa: S314 -- ours
    told = [row.findtext(f"{ATOM}summary") for row in feed.findall(f"{ATOM}entry")]

    by = {name: f"an administrator, {name}" if names else "an administrator" for name in ("dora", "ed", "fay")}
    organiser = f"an administrator, who organises this debate{', carol' if names else ''}"
    assert [words.partition(". ")[0] for words in told] == [
        f"6.00 to 9.00, by {by['ed']}; approved by {by['fay']}",
        f"Stays at 6.00, by {by['dora']}",
        f"Stays at 6.00, by {organiser}",
    ]
    page = client.get(reverse("moderation")).content.decode()
    shown = " ".join(re.sub(r"<[^>]+>", "", page).split())
    assert f"approved by {by['fay']}" in shown
    assert organiser in shown


def test_the_log_is_a_list_of_the_api():
    own = acted("Open", times=2)
    acted("Hidden", visibility="private")

    listed = Api().get("/moderation/").json()["results"]

    assert [row["kind"] for row in listed] == ["unfreeze", "freeze"] * 2
    assert {row["debate"] for row in listed} == {str(own.debate.public_id)}
    assert {(row["actor"], row["role"]) for row in listed} == {(None, "an administrator")}
    assert (
        Api().get("/moderation/", debate=str(own.debate.public_id), kind="freeze").json()["results"][0]["reason"]
        == "Reason 1 of Open."
    )
