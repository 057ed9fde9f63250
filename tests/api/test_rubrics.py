"""Rubrics through the API: every version stays, under whose name it came, and none is written over unseen."""

import pytest

from debates.models import Debate
from scoring.models import Rubric
from tests import factories
from tests.api.clients import Api, code_of

pytestmark = pytest.mark.django_db
CRITERION = {
    "code": "W1", "name": "Water", "category": "yield", "question": "Is there water?", "high": "All year.",
    "low": "None.", "weight": "1",
}  # fmt: skip
WELLS = {"slug": "wells", "name": "Wells", "criteria": [CRITERION]}
DEEPER = {**WELLS, "name": "Deeper wells"}


def writer(name: str, *more: str) -> Api:
    return Api(factories.person(name, permissions=["scoring.add_rubric", "scoring.view_rubric", *more]))


@pytest.fixture
def alice() -> Api:
    return writer("alice", "debates.add_debate")


def test_a_next_version_names_the_one_before_it_and_both_are_read(alice):
    first = alice.post("/rubrics/", WELLS)

    second = alice.post("/rubrics/", DEEPER, If_Match=first.headers["ETag"])

    assert (first.status_code, second.status_code) == (201, 201)
    one, two = first.json(), second.json()
    assert [(row["version"], row["name"], row["created_by"]) for row in (one, two)] == [
        (1, "Wells", "alice"),
        (2, "Deeper wells", "alice"),
    ]
    read = alice.get(f"/rubrics/{one['id']}/")
    assert read.json() == one
    assert read.headers["ETag"].startswith('"1-')
    assert alice.get("/rubrics/", slug="wells").json()["results"] == [two]
    for row in (one, two):
        assert alice.get(f"/rubrics/{row['id']}/versions/").json()["results"] == [two, one]
    third = alice.post("/rubrics/", WELLS, If_Match='"2"')
    assert (third.status_code, third.json()["version"]) == (201, 3)


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        pytest.param({}, (428, "version_needed"), id="no version"),
        pytest.param({"If_Match": '"2"'}, (412, "stale"), id="a version that is not there"),
        pytest.param({"If_None_Match": "*"}, (412, "stale"), id="only if it is new"),
        pytest.param({"If_Match": "1"}, (400, "bad_version"), id="no ETag"),
        pytest.param({"If_None_Match": '"1"'}, (400, "bad_version"), id="no star"),
    ],
)
def test_a_rubric_that_is_there_is_never_written_over(alice, headers, code):
    alice.post("/rubrics/", WELLS)

    refused = alice.post("/rubrics/", DEEPER, **headers)

    assert code_of(refused) == code
    assert [row.name for row in Rubric.objects.filter(slug="wells")] == ["Wells"]


def test_what_is_stale_says_whose_the_newest_version_is(alice):
    alice.post("/rubrics/", WELLS)
    alice.post("/rubrics/", DEEPER, If_Match='"1"')

    late = writer("bob", "scoring.change_rubric").post("/rubrics/", WELLS, If_Match='"1"')

    assert code_of(late) == (412, "stale")
    assert "'wells' is at version 2, by alice of " in late.json()["detail"]


def test_a_new_slug_needs_no_version_and_has_none(alice):
    assert alice.post("/rubrics/", WELLS, If_None_Match="*").status_code == 201
    assert code_of(alice.post("/rubrics/", {**WELLS, "slug": "other"}, If_Match='"1"')) == (412, "stale")


def test_the_rubric_of_somebody_else_takes_the_right_to_change_rubrics(alice):
    alice.post("/rubrics/", WELLS)

    stranger = writer("bob").post("/rubrics/", DEEPER, If_Match='"1"')
    unseen = writer("dora").post("/rubrics/", DEEPER)
    trusted = writer("charlie", "scoring.change_rubric").post("/rubrics/", DEEPER, If_Match='"1"')
    again = alice.post("/rubrics/", WELLS, If_Match='"2"')

    assert code_of(stranger) == (403, "not_permitted")
    assert "bob did not make the rubric 'wells'" in stranger.json()["detail"]
    assert code_of(unseen) == (403, "not_permitted")
    assert [(row.status_code, row.json()["created_by"]) for row in (trusted, again)] == [
        (201, "charlie"),
        (201, "alice"),
    ]
    assert code_of(Api(factories.person("eve")).post("/rubrics/", WELLS)) == (403, "not_permitted")


def test_who_made_a_version_is_not_told_to_everybody(alice):
    made = alice.post("/rubrics/", WELLS).json()

    assert Api().get(f"/rubrics/{made['id']}/").json() == {**made, "created_by": None}


def test_a_debate_keeps_the_version_that_it_was_made_with(alice):
    alice.post("/rubrics/", WELLS)
    made = alice.post("/debates/", {"title": "Wells", "subject": "We will measure 120 wells.", "rubric": "wells"})

    alice.post("/rubrics/", DEEPER, If_Match='"1"')

    debate = Debate.objects.get(public_id=made.json()["id"])
    assert debate.parameters["rubric"]["name"] == "Wells"


def test_storing_is_done_once_for_one_idempotency_key(alice):
    first, second = (alice.post("/rubrics/", WELLS, Idempotency_Key="store-1") for _ in range(2))

    assert (first.json(), Rubric.objects.filter(slug="wells").count()) == (second.json(), 1)
    assert second.headers["ETag"] == first.headers["ETag"]
