"""Doing things once: the same key again, at the same time, with another body, by somebody else."""

import threading
from datetime import timedelta

import pytest
from django.db import connection, connections
from django.test import Client
from django.utils import timezone

from debates.errors import NotAllowedNow
from debates.models import Debate, IdempotencyKey
from debates.services import idempotency, keys
from scoring.models import Rubric, ScoreChange
from scoring.services import rubric_store
from tests import factories, playing
from tests.api.clients import Api, code_of, key_for

BECAUSE = {"reason": factories.REASON}
WANTED = {"title": "Wells", "subject": playing.SUBJECT, "rubric": "small"}
MANY = {**BECAUSE, "action": "freeze", "evaluations": [{"evaluation": "00000000-0000-4000-8000-000000000000"}]}
KEY = {"Idempotency_Key": "order-1"}


@pytest.mark.django_db
def test_the_same_request_again_gets_the_same_answer_and_changes_nothing():
    rubric_store.store(snapshot=playing.rubric("P1"), by=None)
    alice = Api(factories.moderator())

    first, second = alice.post("/debates/", WANTED, **KEY), alice.post("/debates/", WANTED, **KEY)

    assert (first.status_code, second.status_code) == (201, 201)
    assert first.content == second.content
    assert (first.headers.get("Idempotency-Replayed"), second.headers["Idempotency-Replayed"]) == (None, "true")
    assert Debate.objects.count() == 1


@pytest.mark.django_db
def test_a_repetition_is_known_also_where_what_it_asks_for_is_not_there_any_more():
    rubric_store.store(snapshot=playing.rubric("P1", "P2"), by=None)
    alice, wanted = Api(factories.moderator()), {**WANTED, "criteria": ["P2"]}
    first = alice.post("/debates/", wanted, **KEY)
    rubric_store.store(snapshot=playing.rubric("P1"), by=None, seen=1)

    again = alice.post("/debates/", wanted, **KEY)
    other = alice.post("/debates/", {**wanted, "title": "Bridges"}, **KEY)

    assert (again.status_code, again.content) == (201, first.content)
    assert (again.headers["Idempotency-Replayed"], again.headers["Location"]) == ("true", first.headers["Location"])
    assert code_of(other) == (422, "idempotency_key_reused")
    assert Debate.objects.count() == 1


@pytest.mark.django_db
def test_a_repetition_is_known_where_its_address_leads_nowhere_any_more():
    rita, debate = Api(factories.person("rita", permissions=["debates.change_debate"])), factories.debate()
    path, hide = f"/debates/{debate.public_id}/visibility/", {"visibility": "private"}
    first = rita.post(path, hide, **KEY)

    again, other = rita.post(path, hide, **KEY), rita.post(path, {"visibility": "public"}, **KEY)

    assert (first.status_code, again.status_code, again.content) == (200, 200, first.content)
    assert (first.headers.get("Idempotency-Replayed"), again.headers["Idempotency-Replayed"]) == (None, "true")
    assert code_of(other) == (422, "idempotency_key_reused")
    assert code_of(rita.post(path, hide)) == (404, "not_found")
    assert code_of(rita.post(path, hide, Idempotency_Key="order-2")) == (404, "not_found")


SITE = ("one secret key" * 5, [])
TWICE = (SITE[0], [SITE[0]])
CHANGED = ("another secret key" * 5, [SITE[0]])


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        pytest.param([SITE, CHANGED, CHANGED], [201, 201, 201], id="before and after"),
        pytest.param([TWICE, TWICE, TWICE], [201, 201, 201], id="one key that stands twice"),
        pytest.param([CHANGED, SITE, CHANGED], [201, 409, 201], id="a process that has yet to change"),
    ],
)
def test_a_request_is_known_again_when_the_secret_key_is_changed(settings, asked, answered):
    rubric_store.store(snapshot=playing.rubric("P1"), by=None)
    alice, answers = Api(factories.moderator()), []

    for settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS in asked:
        answers.append(alice.post("/debates/", WANTED, **KEY))

    assert [answer.status_code for answer in answers] == answered
    assert [answer.headers.get("Idempotency-Replayed") for answer in answers[::2]] == [None, "true"]
    assert Debate.objects.count() == 1


@pytest.mark.django_db
def test_a_request_from_before_the_change_of_the_secret_key_is_known_by_its_other_body(settings):
    rubric_store.store(snapshot=playing.rubric("P1"), by=None)
    alice = Api(factories.moderator())
    alice.post("/debates/", WANTED, **KEY)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = CHANGED[0], [settings.SECRET_KEY]

    answer = alice.post("/debates/", {**WANTED, "title": "Bridges"}, **KEY)

    assert code_of(answer) == (422, "idempotency_key_reused")
    assert IdempotencyKey.objects.count() == 1


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("path", "body", "headers"),
    [("freeze", {"reason": "Quite another reason."}, {}), ("lift", BECAUSE, {"If_Match": '"2"'})],
    ids=["another body", "another address"],
)
def test_the_same_key_for_something_else_is_refused(path, body, headers):
    alice, evaluation = Api(factories.moderator()), factories.criterion()
    at = f"/evaluations/{evaluation.public_id}/"
    alice.post(f"{at}freeze/", BECAUSE, **KEY)

    answer = alice.post(f"{at}{path}/", body, **KEY, **headers)

    assert code_of(answer) == (422, "idempotency_key_reused")


@pytest.mark.django_db
def test_what_was_refused_is_not_kept_and_can_be_tried_again():
    alice, evaluation = Api(factories.moderator()), factories.criterion()
    factories.count(evaluation, "1")
    path, body = f"/evaluations/{evaluation.public_id}/unfreeze/", {**BECAUSE, "held": "apply"}

    refused = alice.post(path, body, If_Match='"0"', **KEY)
    alice.post(f"/evaluations/{evaluation.public_id}/freeze/", BECAUSE)
    done = alice.post(path, body, If_Match='"3"', **KEY)

    assert (refused.status_code, done.status_code) == (409, 200)
    assert IdempotencyKey.objects.count() == 1


@pytest.mark.django_db
def test_what_cannot_be_answered_was_not_done(monkeypatch):
    monkeypatch.setattr("debates.api.idempotency.JSONRenderer", None)
    alice, evaluation = Api(factories.moderator()), factories.criterion()

    answer = alice.post(f"/evaluations/{evaluation.public_id}/freeze/", BECAUSE, **KEY)

    assert code_of(answer) == (500, "broken")
    assert (ScoreChange.objects.filter(kind="freeze").count(), IdempotencyKey.objects.count()) == (0, 0)


@pytest.mark.django_db
def test_a_repeated_answer_names_the_version_that_the_next_action_needs():
    alice, evaluation = Api(factories.moderator()), factories.criterion()

    tags = [alice.post(f"/evaluations/{evaluation.public_id}/freeze/", BECAUSE, **KEY).headers["ETag"] for _ in "ab"]

    assert tags == ['"2-"', '"2-"']


@pytest.mark.django_db
def test_an_answer_is_repeated_only_to_who_may_still_ask_and_to_nobody_else():
    alice, bob = factories.moderator("alice"), factories.moderator("bob")
    one, two, other = Api(alice), Api(alice), Api(bob)
    evaluation = factories.criterion()
    path = f"/evaluations/{evaluation.public_id}/freeze/"
    one.post(path, BECAUSE, **KEY)

    asked = [api.post(path, BECAUSE, **KEY) for api in (two, other)]
    alice.is_superuser = False
    alice.save()

    assert [code_of(answer) for answer in asked] == [(409, "frozen")] * 2
    assert code_of(one.post(path, BECAUSE, **KEY)) == (403, "not_permitted")


@pytest.mark.django_db
@pytest.mark.parametrize("key", ["", "x" * 201, "two words", "ü"])
def test_a_key_that_cannot_be_one_is_refused(key):
    answer = Api(factories.moderator()).post("/evaluations/bulk/", MANY, Idempotency_Key=key)

    assert code_of(answer) == (400, "bad_idempotency_key")


@pytest.mark.django_db(transaction=True)
def test_the_same_key_twenty_times_at_once_makes_one_effect():
    alice = factories.moderator()
    text, evaluation = key_for(alice), factories.criterion()
    start, answers = threading.Barrier(20), []

    def ask() -> None:
        client = Client(headers={"Authorization": f"Bearer {text}", "Idempotency-Key": "once"})
        start.wait()
        try:
            path = f"/api/v1/evaluations/{evaluation.public_id}/freeze/"
            answers.append(client.post(path, BECAUSE, content_type="application/json"))
        finally:
            connections.close_all()

    threads = [threading.Thread(target=ask) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    assert sum("Idempotency-Replayed" in answer.headers for answer in answers) == 19
    assert ScoreChange.objects.filter(kind="freeze").count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_request_that_is_still_being_done_is_told_so(monkeypatch):
    monkeypatch.setattr(idempotency, "PATIENCE", "100ms")
    alice, evaluation = factories.moderator(), factories.criterion()
    api = Api(alice)
    other = connections["default"].copy()
    other.set_autocommit(False)
    with other.cursor() as cursor:
        cursor.execute(
            "INSERT INTO debates_idempotencykey (owner_id, api_key_id, key, digest, status, body, at)"
            " SELECT owner_id, id, %s, 'd', 0, '', now() FROM debates_apikey",
            idempotency.kept_names(KEY["Idempotency_Key"]),
        )
    answer = api.post(f"/evaluations/{evaluation.public_id}/freeze/", BECAUSE, **KEY)
    other.rollback()
    other.close()

    assert code_of(answer) == (409, "still_running")
    assert connection.in_atomic_block is False


@pytest.mark.django_db
def test_answers_are_kept_for_three_days():
    alice = factories.moderator()
    now = timezone.now()
    for number, hours in enumerate((71, 73)):
        at = now - timedelta(hours=hours)
        IdempotencyKey.objects.create(owner=alice, key=f"{number:064x}", digest="d", status=200, body="{}", at=at)

    assert keys.forget_answers(now=now) == 1
    assert IdempotencyKey.objects.get().key == f"{0:064x}"


@pytest.mark.django_db(transaction=True)
def test_what_is_refused_leaves_nothing_also_where_its_transaction_is_kept_open():
    @idempotency.UseCase
    def store(*, slug: str) -> None:
        rubric_store.write(snapshot={**playing.rubric("P1"), "slug": slug}, by=None)
        if slug == "refused":
            raise NotAllowedNow("No.")

    with idempotency.in_one_transaction():
        with pytest.raises(NotAllowedNow):
            store(slug="refused")
        assert not connection.in_atomic_block
        store(slug="kept")
        assert connection.in_atomic_block

    assert set(Rubric.objects.values_list("slug", flat=True)) == {"kept"}
