"""Addresses: the index, those of what was made, those without their last slash, and those of entries."""

import pytest
from django.test import Client

from config import api_urls
from debates.api.views import WriteView
from scoring.services import rubric_store
from tests import factories, playing
from tests.api.clients import V1, Api, code_of
from tests.api.test_debates import a_round, elsewhere, ruling

pytestmark = pytest.mark.django_db
RUBRIC = {**playing.rubric("P1"), "slug": "other"}
BULK = {"action": "freeze", "reason": "The rubric is being reviewed."}


@pytest.fixture
def alice() -> Api:
    rubric_store.store(snapshot=playing.rubric("P1", "P2"), by=None)
    return Api(factories.moderator())


def read_at(api: Api, answer) -> dict:
    """What there is at the address that an answer names."""
    assert answer.status_code == 201
    place = answer.headers["Location"]
    assert place.startswith(f"http://testserver{V1}/")
    found = api.get(place.partition(V1)[2])
    assert found.status_code == 200
    return found.json()


def test_the_index_names_every_list_and_each_is_there(alice):
    index = Client().get("/api/v1/").json()

    assert {"debates", "score_changes", "rubrics", "webhooks", "api_keys", "metrics"} <= set(index["resources"])
    for place in (index["schema"], *index["resources"].values()):
        assert alice.get(place.partition(V1)[2]).status_code == 200, place
    assert Client().get(index["documentation"]).status_code == 200


def test_what_is_made_is_found_at_its_location(alice):
    score = factories.criterion()
    bulk = {**BULK, "evaluations": [{"evaluation": str(score.public_id)}]}
    bodies = {
        "/debates/": {"title": "Wells", "subject": playing.SUBJECT, "rubric": "small"},
        "/rubrics/": RUBRIC,
        "/webhooks/": {"url": "https://example.org/moot"},
        "/rescore-sets/": bulk,
    }

    for path, body in bodies.items():
        made = alice.post(path, body)
        assert read_at(alice, made)["id"] == made.json()["id"], path


def test_a_round_that_was_posted_is_found_at_its_location_also_when_it_is_posted_again(alice):
    address = elsewhere(alice)
    body = a_round(1, ruling("1.5"))

    first, second = (alice.post(f"{address}threads/P1/rounds/", body, Idempotency_Key="one") for _ in range(2))

    assert (read_at(alice, first)["number"], read_at(alice, first)["key"]) == (1, "P1")
    assert second.headers["Location"] == first.headers["Location"]


def walk(patterns, before=""):
    for one in patterns:
        place = f"{before}{one.pattern}"
        if hasattr(one, "url_patterns"):
            yield from walk(one.url_patterns, place)
        else:
            yield place, getattr(one.callback, "cls", object)


@pytest.mark.parametrize("method", ["get", "post", "put", "head"])
def test_an_address_without_its_last_slash_leads_to_the_one_with_it(method):
    answer = getattr(Client(), method)("/api/v1/debates?status=running")

    assert (answer.status_code, answer.headers["Location"]) == (308, "/api/v1/debates/?status=running")


@pytest.mark.parametrize("code", ["why%3F", "50%25", "a%23b"])
def test_a_code_with_marks_of_an_address_stays_written_as_it_was(code):
    address = f"/api/v1/debates/00000000-0000-4000-8000-000000000000/threads/{code}/complete"

    answer = Client().post(address)

    assert (answer.status_code, answer.headers["Location"]) == (308, f"{address}/")


def test_a_body_is_kept_on_the_way(alice):
    body = {"title": "Wells", "subject": playing.SUBJECT, "rubric": "small"}

    made = alice.client.post(f"{V1}/debates", body, content_type="application/json", headers=alice.headers, follow=True)

    assert (made.status_code, made.redirect_chain) == (201, [("/api/v1/debates/", 308)])
    assert made.json()["title"] == "Wells"


def test_an_entry_of_the_ledger_has_an_id_and_an_address_of_its_own():
    score, other = factories.criterion(), factories.criterion(key="P2")
    factories.count(score, "1")
    private = factories.criterion(factories.debate(visibility="private"))
    api = Api()

    listed = api.get("/score-changes/").json()["results"]

    assert [one["id"] for one in listed] == [
        f"{score.public_id}:1", f"{other.public_id}:1", f"{score.public_id}:2"
    ]  # fmt: skip
    for one in listed:
        assert api.get(f"/score-changes/{one['id']}/").json() == one
    for none in (f"{private.public_id}:1", f"{score.public_id}:3", f"{score.public_id}:0", "1", f"{score.public_id}"):
        assert code_of(api.get(f"/score-changes/{none}/")) == (404, "not_found"), none


def test_whatever_makes_something_has_an_address_for_it():
    places = {place for place, _ in walk(api_urls.urlpatterns)}
    makers = [view for _, view in walk(api_urls.urlpatterns) if issubclass(view, WriteView) and view.answers == 201]

    usual = [view for view in makers if view.location is WriteView.location]

    assert len(makers) > len(usual) >= 5
    assert [view.__name__ for view in usual if f"{view.tag.replace(' ', '-')}/<uuid:id>/" not in places] == []
