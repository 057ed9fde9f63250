"""Who may follow what, and what becomes of a connection when that changes."""

import contextlib
import json
from uuid import uuid4

import pytest

from tests.debates.live_site import rounds
from tests.debates.servers import SERVERS
from tests.debates.stream_readers import READERS, blocks, follow, opened, socket_read, streaming

ALERT = {"alert": str(uuid4()), "code": "net_capped", "severity": "info", "evaluation": None}


def first(socket):
    """Read the hello of a socket that was just opened, or the next frame."""
    return json.loads(socket.recv(timeout=60))


def seqs_until(socket, last):
    """Read the numbers of events until one."""
    seqs: list[int] = []
    while seqs[-1:] != [last]:
        seqs += [event["seq"] for event in json.loads(socket.recv(timeout=60))["events"]]
    return seqs


def test_hidden_events_are_passed_and_not_shown(place, web, log):
    moderator = place.person("scoring.view_alert")["session"]
    place.tell(log["id"], ("alert:raised", ALERT), audience="moderators")
    place.tell(log["id"], *rounds(5))
    place.tell(log["id"], ("alert:raised", ALERT), audience="moderators")

    everybody = [reader(web, log["address"], to=6) for reader in READERS.values()]
    desk = [reader(web, log["address"], to=6, session=moderator) for reader in READERS.values()]

    assert [read.seqs for read in everybody] == [[1, 2, 3, 5]] * 2
    assert [read.through for read in everybody] == [6] * 2
    assert [read.seqs for read in desk] == [[1, 2, 3, 4, 5, 6]] * 2


def test_a_cookie_that_no_database_takes_is_no_session_and_hinders_nobody_else(web, log):
    strange = {"Cookie": 'sessionid="' + "\\000" * 32 + '"'}

    with streaming(web, log["address"], headers=strange) as answer:
        assert answer.status == 200
        assert next(blocks(answer))


def test_a_private_debate_is_for_its_people(place, web):
    private = place.debate(events=1, visibility="private", seat=True)
    maker, seated, auditor, stranger = (
        place.person(*permissions) for permissions in [(), (), ("debates.view_debate",), ()]
    )
    place.do(f"UPDATE debates_debate SET created_by_id = {maker['id']} WHERE id = {private['id']}")
    place.do(f"UPDATE debates_participant SET user_id = {seated['id']} WHERE debate_id = {private['id']}")

    codes = [
        reader(web, private["address"], to=1, session=person["session"]).code
        for person in (maker, seated, auditor, stranger)
        for reader in READERS.values()
    ]
    programs = socket_read(web, private["address"], session=maker["session"], origin=None)

    assert codes == [None] * 6 + [4404, 404]
    assert programs.code == 4404, "cookies count only where an origin says that a page of ours sent them"


@pytest.mark.parametrize(
    ("change", "again"),
    [
        pytest.param("DELETE FROM django_session WHERE session_key = '{session}'", 4404, id="signed out"),
        pytest.param("UPDATE auth_user SET is_active = false WHERE id = {id}", 4404, id="deactivated"),
        pytest.param("UPDATE auth_user SET password = 'other' WHERE id = {id}", 4404, id="another password"),
        pytest.param("DELETE FROM auth_user_user_permissions WHERE user_id = {id}", 4404, id="a permission taken"),
        pytest.param("UPDATE auth_user SET is_superuser = true WHERE id = {id}", None, id="permissions given"),
        pytest.param("UPDATE debates_debate SET created_by_id = {id} WHERE id = {debate}", None, id="a role given"),
    ],
)
def test_rights_that_change_end_the_connection(place, web, change, again):
    private = place.debate(events=1, visibility="private")
    person = place.person("debates.view_debate")

    with (
        opened(web, private["address"], session=person["session"]) as socket,
        streaming(web, private["address"], headers={"Cookie": f"sessionid={person['session']}"}) as stream,
    ):
        first(socket)
        place.do(change.format(**person, debate=private["id"]))
        read = follow(socket)
        streamed = [block.get("event") for block in blocks(stream)]
    after = socket_read(web, private["address"], to=1, session=person["session"])

    assert (read.code, read.told("refused")["code"]) == (4401, "rights_changed")
    assert streamed[-1] == "refused"
    assert after.code == again


def test_a_debate_that_becomes_private_ends_the_connections_of_those_it_is_hidden_from(place, web, log):
    with opened(web, log["address"]) as socket:
        first(socket)
        place.do(f"UPDATE debates_debate SET visibility = 'private' WHERE id = {log['id']}")
        read = follow(socket)

    assert read.code == 4401


def test_a_visibility_that_is_changed_sends_away_at_once_who_may_not_stay_and_nobody_else(place, log):
    maker = place.person()
    place.do(f"UPDATE debates_debate SET created_by_id = {maker['id']} WHERE id = {log['id']}")
    key = place.key(maker["id"], scope="write")
    slow = {"MOOT_LIVE_RIGHTS_SECONDS": "3600", "MOOT_LIVE_HEARTBEAT_SECONDS": "3600"}
    webs = [place.serve(server, **slow) for server in SERVERS]
    cookies = {"Cookie": f"sessionid={maker['session']}"}

    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(opened(web, log["address"], after=3)) for web in webs]
        streams = [stack.enter_context(streaming(web, log["address"], after=3)) for web in webs]
        theirs = [stack.enter_context(opened(web, log["address"], after=3, session=maker["session"])) for web in webs]
        streamed = [stack.enter_context(streaming(web, log["address"], after=3, headers=cookies)) for web in webs]
        for socket in (*sockets, *theirs):
            first(socket)
        places = [blocks(stream) for stream in (*streams, *streamed)]
        assert {next(place)["event"] for place in places} == {"hello"}

        assert place.post(webs[0], f"debates/{log['address']}/visibility/", {"visibility": "unlisted"}, key) == 200
        unlisted = [first(socket)["through"] for socket in (*sockets, *theirs)]
        assert place.post(webs[0], f"debates/{log['address']}/visibility/", {"visibility": "private"}, key) == 200
        place.tell(log["id"], *rounds(4))
        hidden = [follow(socket) for socket in sockets]
        stayed = [seqs_until(socket, 6) for socket in theirs]
        told = [list(blocks(stream))[-1] for stream in streams]
        own = [json.loads(next(one)["data"])["through"] for one in places[2:]]
    after = [socket_read(web, log["address"], to=1).code for web in webs]
    for web in webs:
        web.end()

    assert unlisted == [4] * 4
    assert [(read.code, read.seqs, read.told("refused")["code"]) for read in hidden] == [
        (4401, [], "rights_changed")
    ] * 2
    assert stayed == [[5, 6]] * 2
    assert [(one["event"], json.loads(one["data"])["code"]) for one in told] == [("refused", "rights_changed")] * 2
    assert own == [4, 4]
    assert after == [4404, 4404]


def test_a_program_follows_what_the_owner_of_its_key_may(place, web):
    private = place.debate(events=1, visibility="private")
    place.tell(private["id"], ("alert:raised", ALERT), audience="moderators")
    moderator = place.person("debates.view_debate", "scoring.view_alert")["id"]
    good, other, stranger = place.key(moderator), place.key(moderator, scope="write"), place.key(place.person()["id"])

    reads = {
        name: [reader(web, private["address"], to=2, bearer=key) for reader in READERS.values()]
        for name, key in {"good": good, "other": other, "unknown": "moot_x", "stranger": stranger}.items()
    }

    assert [read.seqs for read in reads["good"]] == [[1, 2]] * 2
    assert [read.code for name in ("other", "unknown", "stranger") for read in reads[name]] == [
        4407, 401, 4407, 401, 4404, 404,
    ]  # fmt: skip
    assert reads["unknown"][0].told("refused")["code"] == "bad_key"
    used = f"SELECT last_used_at IS NOT NULL FROM debates_apikey WHERE prefix = '{good[:12]}'"
    place.here.until(lambda: place.here.ask(used))


@pytest.mark.parametrize(
    "change",
    [
        pytest.param("UPDATE debates_apikey SET revoked_at = now() WHERE prefix = '{prefix}'", id="revoked"),
        pytest.param("UPDATE auth_user SET is_active = false WHERE id = {id}", id="its owner deactivated"),
    ],
)
def test_a_key_that_is_good_no_more_ends_the_connection(place, web, log, change):
    person = place.person()
    key = place.key(person["id"])

    with opened(web, log["address"], bearer=key) as socket:
        first(socket)
        place.do(change.format(prefix=key[:12], id=person["id"]))
        read = follow(socket)

    assert (read.code, socket_read(web, log["address"], bearer=key).code) == (4401, 4407)


@pytest.mark.parametrize("staff", [True, False], ids=["staff", "no staff"])
def test_whoever_has_rights_and_owes_the_second_factor_follows_what_everybody_may(place, log, staff):
    strict = place.serve("daphne", MOOT_STAFF_NEED_SECOND_FACTOR="true")
    held, private = ("scoring.view_alert", "debates.view_debate"), place.debate(events=1, visibility="private")
    people = [place.person(*held, staff=staff, second_factor=given) for given in (False, True)]
    place.tell(log["id"], ("alert:raised", ALERT), audience="moderators")
    own = place.debate(events=1, visibility="private")
    place.do(f"UPDATE debates_debate SET created_by_id = {people[0]['id']} WHERE id = {own['id']}")

    reads = [socket_read(strict, log["address"], to=4, session=person["session"]) for person in people]
    hidden = [socket_read(strict, private["address"], to=1, session=person["session"]) for person in people]
    created = socket_read(strict, own["address"], to=1, session=people[0]["session"])
    program = socket_read(strict, log["address"], to=4, bearer=place.key(people[0]["id"]))
    strict.end()

    assert [read.seqs for read in (*reads, program)] == [[1, 2, 3], [1, 2, 3, 4], [1, 2, 3, 4]]
    assert [hidden[0].code, created.code, hidden[1].seqs] == [4404, 4404, [1]]


TAKE_BACK = """
from django.utils import timezone
from debates.models import Membership
from debates.services import invitations
invitations.take_role(membership_id=Membership.objects.get(debate={debate}).pk, by=None, now=timezone.now())
"""


def test_a_role_that_is_taken_back_sends_its_person_away_at_once(place):
    private, guest = place.debate(events=3, visibility="private"), place.person()
    place.do(
        "INSERT INTO debates_membership (public_id, debate_id, user_id, role, created_at) VALUES"
        f" (gen_random_uuid(), {private['id']}, {guest['id']}, 'guest', now())"
    )
    slow = {"MOOT_LIVE_RIGHTS_SECONDS": "3600", "MOOT_LIVE_HEARTBEAT_SECONDS": "3600"}
    webs = [place.serve(server, **slow) for server in SERVERS]

    with contextlib.ExitStack() as stack:
        session = guest["session"]
        sockets = [stack.enter_context(opened(web, private["address"], after=3, session=session)) for web in webs]
        for socket in sockets:
            first(socket)
        place.here.manage("shell", "--command", TAKE_BACK.format(debate=private["id"]))
        place.tell(private["id"], *rounds(4))
        reads = [follow(socket) for socket in sockets]
    after = [socket_read(web, private["address"], to=1, session=session).code for web in webs]
    for web in webs:
        web.end()

    assert [(read.code, read.seqs, read.told("refused")["code"]) for read in reads] == [
        (4401, [], "rights_changed")
    ] * 2
    assert after == [4404, 4404]
