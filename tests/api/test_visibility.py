"""Who may read a debate, changed after it was created: by the API, in the admin, and who may do so."""

import pytest
from django.contrib.admin.models import LogEntry
from django.core.management import call_command

from debates.models import Debate, Event
from scoring.groups import AUDITOR, SENIOR
from tests import factories, playing
from tests.api.clients import Api, code_of
from tests.moderators import address, client_of, member, words

pytestmark = [pytest.mark.slow, pytest.mark.django_db]


@pytest.fixture
def debate() -> Debate:
    return playing.debate(
        playing.script([[playing.ruling("1")]]), by=factories.person("alice", permissions=["debates.add_debate"])
    )


@pytest.fixture
def alice(debate) -> Api:
    return Api(debate.created_by)


def statuses(debate, client) -> list[int]:
    """What the addresses of a debate answer to nobody."""
    pages = ("", "result/", "result.json", "parts/?of=heading")
    nobody, here = Api(), f"/debates/{debate.public_id}/"
    found = [client.get(f"{here}{page}").status_code for page in pages]
    return [*found, *(nobody.get(f"{here}{place}").status_code for place in ("", "events/", "result/"))]


def told(debate) -> list[dict[str, str]]:
    return list(Event.objects.filter(debate=debate, type="debate:visibility").values_list("data", flat=True))


def test_its_creator_hides_a_debate_and_shows_it_again(alice, debate, client):
    change, seen = f"/debates/{debate.public_id}/visibility/", {}

    for wanted in ("private", "unlisted", "unlisted", "public"):
        answer = alice.post(change, {"visibility": wanted})
        assert (answer.status_code, answer.json()["visibility"]) == (200, wanted)
        listed = [row["id"] for row in Api().get("/debates/").json()["results"]]
        seen[wanted] = (set(statuses(debate, client)), str(debate.public_id) in listed)

    assert seen == {"private": ({404}, False), "unlisted": ({200}, False), "public": ({200}, True)}
    assert told(debate) == [{"visibility": one} for one in ("private", "unlisted", "public")]
    call_command("verify_ledger")


def test_only_who_may_conduct_a_debate_changes_who_may_read_it(alice, debate):
    change, ruth = f"/debates/{debate.public_id}/visibility/", factories.moderator("ruth")
    bob = Api(factories.person("bob"))

    refused = bob.post(change, {"visibility": "private"})
    reading = Api(ruth, scopes=["read"]).post(change, {"visibility": "private"})
    strange = alice.post(change, {"visibility": "secret"})
    done = Api(ruth).post(change, {"visibility": "private"})
    gone = bob.post(change, {"visibility": "public"})

    assert [code_of(one) for one in (refused, reading, strange, gone)] == [
        (403, "not_permitted"),
        (403, "missing_scope"),
        (400, "invalid"),
        (404, "not_found"),
    ]
    assert done.status_code == 200
    assert told(debate) == [{"visibility": "private"}]


@pytest.mark.parametrize("said", ["unlisted", "private"])
def test_what_a_moderator_hides_its_creator_does_not_show(alice, debate, said):
    change, ruth = f"/debates/{debate.public_id}/visibility/", Api(factories.moderator("ruth"))

    def changed(by: Api, visibility: str) -> int:
        return by.post(change, {"visibility": visibility}).status_code

    hidden = changed(ruth, said)
    refused = alice.post(change, {"visibility": "public"})
    narrower, back = changed(alice, "private"), changed(alice, said)
    shown = changed(ruth, "public")
    free = [changed(alice, visibility) for visibility in ("private", "public")]

    assert code_of(refused) == (403, "not_permitted")
    assert f"A moderator made this debate {said}" in refused.json()["detail"]
    assert [hidden, narrower, back, shown, *free] == [200] * 6


def test_a_moderator_who_agrees_with_its_creator_keeps_it_so(alice, debate):
    change, ruth = f"/debates/{debate.public_id}/visibility/", Api(factories.moderator("ruth"))

    for api in (alice, ruth):
        api.post(change, {"visibility": "private"})

    assert code_of(alice.post(change, {"visibility": "unlisted"})) == (403, "not_permitted")
    assert told(debate) == [{"visibility": "private"}]


def test_the_desk_changes_who_may_read_a_debate_and_its_history_says_so(debate, client):
    page = address("debates_debate", "visibility", debate.pk)
    sue, auditor = client_of(member(SENIOR)), client_of(member(AUDITOR))
    offered = sue.get(address("debates_debate", "change", debate.pk)).content.decode()

    refused = auditor.post(page, {"visibility": "private"})
    shown = words(sue.post(page, {"visibility": "private"}, follow=True))

    assert refused.status_code == 403
    assert f'href="{page}"' in offered
    assert "is private now." in shown
    assert set(statuses(debate, client)) == {404}
    assert LogEntry.objects.latest("pk").get_change_message() == "made it private"
