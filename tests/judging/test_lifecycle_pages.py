"""Pages on which whoever conducts a debate pauses, stops or shows it, by the same services and rights as the API."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from debates import types
from debates.admin import ReasonForm
from debates.models import Debate, Membership
from debates.types import MemberRole
from judging.admin.cases import RemarkForm
from judging.admin.debate_actions import StopForm
from judging.engine.lifecycle import LIFECYCLE_ACTIONS, LONGEST_REASON
from judging.views.appeals import AppealForm
from judging.views.lifecycle import StopDebateForm
from judging.views.people import ReplaceForm
from tests import factories, playing
from tests.api.clients import Api
from tests.moderators import client_of
from tests.playing import ruling, script

pytestmark = pytest.mark.django_db
REASON = "The hall closes at ten."
TYPED = {"stop": {"reason": REASON}, "visibility": {"visibility": "private"}}
AFTER = {"pause": "paused", "resume": "running", "stop": "concluding", "cancel": "cancelled", "visibility": "running"}


@pytest.fixture
def olga():
    return User.objects.create_user("olga")


@pytest.fixture
def debate(olga):
    return of(olga)


def of(person, **fields):
    """A debate of somebody without any right of the site, in play and with nothing played yet."""
    debate = playing.debate(script([[ruling("1")]]))
    Debate.objects.filter(pk=debate.pk).update(created_by=person, **fields)
    return Debate.objects.get(pk=debate.pk)


def at(debate, action):
    return reverse("conduct-debate", args=[debate.public_id, action])


def words(answer):
    return " ".join(re.sub(r"<[^>]*>", " ", answer.content.decode().split("<main", 1)[1]).split())


LONGEST = [
    pytest.param(AppealForm, "words", types.LONGEST_REASON, id="an appeal"),
    pytest.param(StopDebateForm, "reason", LONGEST_REASON, id="why a debate is stopped"),
    pytest.param(StopForm, "reason", LONGEST_REASON, id="why it is stopped, at the desk"),
    pytest.param(ReplaceForm, "reason", 4000, id="why a judge is replaced"),
    pytest.param(ReasonForm, "reason", 4000, id="a moderator's reason"),
    pytest.param(ReasonForm, "note", 4000, id="a moderator's note"),
    pytest.param(RemarkForm, "text", 4000, id="a remark"),
]


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"])
@pytest.mark.parametrize(("form", "name", "longest"), LONGEST)
def test_an_end_of_a_line_is_one_character_however_a_browser_sends_it(form, name, longest, end):
    text = "x\n" * (longest // 2 - 1) + "x."

    sent = form({name: text.replace("\n", end)})

    assert name not in sent.errors
    assert sent.cleaned_data[name] == text


@pytest.mark.parametrize("action", AFTER)
def test_whoever_made_a_debate_does_on_pages_what_the_api_does(olga, debate, action):
    client = client_of(olga)
    if action == "resume":
        client.post(at(debate, "pause"))

    asked = client.get(at(debate, action))
    done = client.post(at(debate, action), TYPED.get(action, {}))

    assert LIFECYCLE_ACTIONS[action].says in words(asked)
    assert (done.status_code, done.headers["Location"]) == (302, reverse("debate", args=[debate.public_id]))
    debate.refresh_from_db()
    assert debate.status in {AFTER[action], "concluded"} if action == "stop" else debate.status == AFTER[action]
    assert debate.visibility == ("private" if action == "visibility" else "public")


def test_asking_changes_nothing(olga, debate):
    for action in LIFECYCLE_ACTIONS:
        client_of(olga).get(at(debate, action))

    before = debate.status
    debate.refresh_from_db()
    assert debate.status == before


def test_the_page_of_a_debate_offers_what_can_be_done_to_who_may_alone(olga, debate):
    organiser, guest = User.objects.create_user("otto"), User.objects.create_user("gina")
    for person, role in ((organiser, MemberRole.ORGANISER), (guest, MemberRole.GUEST)):
        Membership.objects.create(debate=debate, user=person, role=role.value)
    page = reverse("debate", args=[debate.public_id])

    for person in (olga, organiser):
        offered = client_of(person).get(page).content.decode()
        links = set(re.findall(rf'href="/debates/{debate.public_id}/conduct/(\w+)/"', offered))
        assert links == {"pause", "stop", "cancel", "visibility"}
        assert f'href="{reverse("people", args=[debate.public_id])}"' in offered
    for client in (client_of(guest), Client()):
        assert "/conduct/" not in client.get(page).content.decode()
    assert client_of(guest).get(at(debate, "pause")).status_code == 403
    assert client_of(guest).post(at(debate, "pause")).status_code == 403
    assert Client().post(at(debate, "pause")).headers["Location"].startswith(reverse("account_login"))
    assert Debate.objects.get(pk=debate.pk).status == debate.status


def test_what_is_offered_is_drawn_anew_on_an_open_page_when_it_changes(olga, debate):
    page = client_of(olga).get(reverse("debate", args=[debate.public_id])).content.decode()
    [(part, stirred_by)] = re.findall(r'<nav class="conducting" data-part="(\w+)" data-stirred-by="([^"]*)"', page)

    client_of(olga).post(at(debate, "pause"))
    event = debate.events.order_by("-seq").first()
    drawn = client_of(olga).get(reverse("debate-parts", args=[debate.public_id]), {"of": part}).content.decode()

    assert event.type == "debate:paused"
    assert event.type.startswith(tuple(stirred_by.split()))
    assert set(re.findall(r"/conduct/(\w+)/", drawn)) == {"resume", "stop", "cancel", "visibility"}


def test_of_a_debate_that_one_may_not_read_nothing_is_told(olga):
    debate = of(olga, visibility="private")

    assert client_of(User.objects.create_user("eve")).get(at(debate, "pause")).status_code == 404
    assert client_of(olga).get(at(debate, "delete")).status_code == 404


def test_what_cannot_be_says_why_and_what_can(olga, debate):
    page = words(client_of(olga).get(at(debate, "resume")))

    assert "“Resume” is for one that is paused." in page
    assert "Pause" in page


def test_what_was_refused_meanwhile_is_said_next_to_the_button(olga, debate):
    client = client_of(olga)
    Debate.objects.filter(pk=debate.pk).update(visibility="private", visibility_limit="private")

    answer = client.post(at(debate, "visibility"), {"visibility": "public"})

    assert answer.status_code == 409
    page = answer.content.decode()
    assert "only a moderator shows it to more people" in re.search(r'id="refused"[^>]*>([^<]*)', page)[1]
    assert re.search(r'<input[^>]*value="public"[^>]*checked', page)


def test_a_stop_without_a_reason_keeps_what_was_typed(olga, debate):
    answer = client_of(olga).post(at(debate, "stop"), {"reason": "Because."})

    assert answer.status_code == 422
    assert ">\nBecause.</textarea>" in answer.content.decode()
    assert "at least 10 characters" in words(answer)


def test_a_reason_that_comes_when_the_debate_was_stopped_already_comes_back_with_why(olga, debate):
    client = client_of(olga)
    Debate.objects.filter(pk=debate.pk).update(status="cancelled")

    answer = client.post(at(debate, "stop"), {"reason": REASON})

    assert answer.status_code == 409
    assert LIFECYCLE_ACTIONS["stop"].refusal(Debate.objects.get(pk=debate.pk)) in words(answer)
    assert f">\n{REASON}</textarea>" in answer.content.decode()


@pytest.mark.parametrize("action", ["pause", "resume", "cancel", "stop", "visibility"])
@pytest.mark.parametrize("status", ["draft", "running", "paused", "concluded", "cancelled", "failed"])
def test_pages_and_api_accept_and_refuse_the_same(olga, action, status):
    outcomes = []
    for ask in (by_page, by_api):
        debate = of(olga) if status in {"running", "paused"} else factories.debate(status=status, created_by=olga)
        Debate.objects.filter(pk=debate.pk).update(status=status)
        accepted = ask(olga, debate, action)
        outcomes.append((accepted, Debate.objects.get(pk=debate.pk).status))

    assert outcomes[0] == outcomes[1]


def by_page(person, debate, action):
    return client_of(person).post(at(debate, action), TYPED.get(action, {})).status_code == 302


def by_api(person, debate, action):
    return Api(person).post(f"/debates/{debate.public_id}/{action}/", TYPED.get(action, {})).status_code < 300
