"""What comes from somebody who is signed in no more, or with an old token, is shown again to be copied."""

from uuid import UUID

import pytest
from django.test import Client
from django.urls import reverse

from debates.types import Visibility
from tests import factories
from tests.judging.formats.open import people
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.django_db, WITHOUT_COLLECTED_FILES]
ANY = UUID(int=7)
WORDS = "I measured <twelve> wells, and nine are dry."
HERE = {"Origin": "http://testserver"}


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("new-debate-step", [ANY, "subject"]),
        ("people", [ANY]),
        ("invitations", []),
        ("conduct-debate", [ANY, "stop"]),
        ("replace-judge", [ANY, ANY]),
        ("appeal-result", [ANY]),
        ("new-rubric", []),
        ("next-rubric", [ANY]),
        ("import-rubric", []),
    ],
)
def test_words_of_whoever_is_signed_in_no_more_come_back_with_the_way_to_their_form(name, args):
    page = reverse(name, args=args)

    answer = Client().post(page, {"words": WORDS, "seen": "3", "chairs.0.before": "Ada", "criteria-TOTAL_FORMS": "2"})

    shown = answer.content.decode()
    assert answer.status_code == 403
    assert ">\nI measured &lt;twelve&gt; wells, and nine are dry.</textarea>" in shown
    assert f"/accounts/login/?next={page}" in shown
    assert shown.count("<textarea") == 1


@pytest.mark.parametrize(
    ("name", "args", "field", "called"),
    [
        ("new-debate-step", [ANY, "subject"], "subject", "Subject"),
        ("new-debate-step", [ANY, "judges"], "judges.1.name", "Name (judge 2)"),
        ("new-debate-step", [ANY, "limits"], "limits.calls", "Most calls"),
        ("conduct-debate", [ANY, "stop"], "reason", "Why"),
        ("prepare-debate", [ANY], "starts_at", "Starts at"),
        ("appeal-result", [ANY], "words", "Why"),
        ("new-rubric", [], "criteria-0-high", "A 10 means (criterion 1)"),
        ("import-rubric", [], "text", "Or paste it here"),
        ("ballot", [ANY, ANY], "c1-improvement", "What would improve it (criterion 2)"),
        ("ballot", [ANY, ANY], "unable-why", "In a sentence"),
        ("speak", [ANY], "text", "Your words"),
        ("people", [ANY], "email", "Mail address"),
        ("invitations", [], "days", "Good for how many days"),
    ],
)
def test_words_that_come_back_stand_under_what_their_form_calls_them(name, args, field, called):
    answer = Client().post(reverse(name, args=args), {field: WORDS})

    assert f'<label for="words-1">{called}</label>' in answer.content.decode()


def test_words_of_whoever_signed_in_as_somebody_else_or_lost_a_permission_come_back_too(client):
    debate = people.waits(visibility=Visibility.PRIVATE)
    client.force_login(factories.person("carol"))
    seat = {"seat": str(people.seat_of(debate).public_id), "text": WORDS}
    away = client.post(reverse("speak", args=[debate.public_id]), seat)
    lost = client.post(reverse("new-rubric"), {"name": "一判决没有考虑我方的论点"})

    assert away.status_code == 404
    assert "I measured &lt;twelve&gt; wells" in away.content.decode()
    assert lost.status_code == 403
    assert "一判决没有考虑我方的论点" in lost.content.decode()


def test_the_seat_of_somebody_else_is_refused_and_the_words_come_back(client):
    debate = people.waits()
    client.force_login(factories.person("carol"))
    seat = {"seat": str(people.seat_of(debate).public_id), "text": WORDS}

    for name in ("speak", "keep-draft"):
        answer = client.post(reverse(name, args=[debate.public_id]), seat)

        assert answer.status_code == 403
        assert "I measured &lt;twelve&gt; wells" in answer.content.decode()


def test_words_need_no_blank_to_be_words():
    answer = Client().post(reverse("appeal-result", args=[ANY]), {"words": "一判决没有考虑我方的论点"})

    assert answer.status_code == 403


def test_whoever_typed_nothing_is_sent_to_sign_in():
    answer = Client().post(reverse("new-rubric"), {"act": "copy", "name": " "})

    assert (answer.status_code, answer.headers["Location"][:17]) == (302, "/accounts/login/?")


@pytest.mark.parametrize("name", ["appeal-result", "speak", "keep-draft"])
def test_words_with_an_old_token_come_back_where_they_are_from_a_page_of_this_site(name):
    page = reverse(name, args=[ANY])

    answer = Client(enforce_csrf_checks=True, headers=HERE).post(page, {"text": WORDS})

    assert answer.status_code == 403
    assert ">\nI measured &lt;twelve&gt; wells, and nine are dry.</textarea>" in answer.content.decode()


@pytest.mark.parametrize(
    ("page", "headers"),
    [
        pytest.param("/debates/{}/turn/", {"Origin": "https://evil.example"}, id="from another site"),
        pytest.param("/debates/{}/turn/", {}, id="from nobody knows where"),
        pytest.param("/accounts/login/", HERE, id="a form with a password"),
    ],
)
def test_what_another_site_sends_and_what_may_be_secret_is_not_shown(page, headers):
    answer = Client(enforce_csrf_checks=True, headers=headers).post(page.format(ANY), {"text": WORDS})

    assert answer.status_code == 403
    assert "twelve" not in answer.content.decode()
