"""Which status may follow which, and who reads what: docs/reference/debates.md and stream.md in tables."""

import itertools
import json

import pytest

from debates import rules
from debates.errors import Invalid
from debates.types import Audience, Status, Visibility

ENDED = {Status.CONCLUDED, Status.FAILED, Status.CANCELLED}


def test_every_status_can_be_reached_from_a_draft_and_none_is_without_a_way_on():
    reached, seen = {Status.DRAFT}, set()
    while reached - seen:
        seen |= reached
        reached |= {one for old in seen for one in Status if rules.may_follow(current=old, proposed=one)}

    assert reached == set(Status)
    assert all(rules.NEXT[status] for status in Status)


@pytest.mark.parametrize("status", [one for one in Status if one not in ENDED])
def test_whatever_is_not_ended_can_be_cancelled(status):
    assert rules.may_follow(current=status, proposed=Status.CANCELLED)


@pytest.mark.parametrize(
    ("current", "proposed"),
    [
        pytest.param(Status.CONCLUDED, Status.CONCLUDING, id="what is concluded is not concluded again"),
        pytest.param(Status.CANCELLED, Status.PAUSED, id="what is cancelled does not wait"),
        pytest.param(Status.RUNNING, Status.DRAFT, id="what runs is no draft again"),
        pytest.param(Status.DRAFT, Status.CONCLUDED, id="nothing is concluded before it is played"),
        pytest.param(Status.RUNNING, Status.RUNNING, id="nothing follows itself"),
    ],
)
def test_what_may_not_follow(current, proposed):
    assert not rules.may_follow(current=current, proposed=proposed)


DEBATES, DESK = [rules.SEES_DEBATES], [rules.SEES_DESK]
HELD = ([], DEBATES, DESK, [*DEBATES, *DESK])


@pytest.mark.parametrize(
    ("who", "reads"),
    [
        pytest.param({}, {Audience.PUBLIC}, id="a stranger"),
        pytest.param({"visibility": Visibility.UNLISTED}, {Audience.PUBLIC}, id="a stranger with the address"),
        pytest.param({"visibility": Visibility.PRIVATE}, set(), id="a stranger to a private debate"),
        pytest.param({"visibility": Visibility.PRIVATE, "permissions": DESK}, set(), id="a desk without the debate"),
        pytest.param(
            {"visibility": Visibility.PRIVATE, "concerned": True},
            {Audience.PUBLIC, Audience.PARTICIPANTS},
            id="a participant of a private debate",
        ),
        pytest.param(
            {"visibility": Visibility.PRIVATE, "guest": True}, {Audience.PUBLIC}, id="a guest of a private debate"
        ),
        pytest.param({"concerned": True}, {Audience.PUBLIC, Audience.PARTICIPANTS}, id="whose debate it is"),
        pytest.param(
            {"visibility": Visibility.PRIVATE, "permissions": [*DEBATES, *DESK]}, set(Audience), id="a moderator"
        ),
        pytest.param(
            {"visibility": Visibility.PRIVATE, "permissions": DEBATES}, {Audience.PUBLIC}, id="a reader of all"
        ),
    ],
)
def test_who_reads_which_events(who, reads):
    nobody = {"visibility": Visibility.PUBLIC, "concerned": False, "permissions": ()}

    assert rules.audiences(**{**nobody, **who}) == reads


def test_whoever_sees_more_reads_no_less():
    for visibility, concerned, guest, held in itertools.product(Visibility, (False, True), (False, True), HELD):
        reads = rules.audiences(visibility=visibility, concerned=concerned, guest=guest, permissions=held)
        for more in HELD:
            assert reads <= rules.audiences(visibility=visibility, concerned=True, permissions={*held, *more})
            more_held = {"concerned": concerned, "guest": True, "permissions": {*held, *more}}
            assert reads <= rules.audiences(visibility=visibility, **more_held)


def test_an_object_names_each_key_once():
    assert json.loads('{"a": 1, "b": {"a": 2}}', object_pairs_hook=rules.unique_keys) == {"a": 1, "b": {"a": 2}}
    with pytest.raises(rules.RepeatedKey, match="'a' stands twice"):
        json.loads('{"b": {"a": 1, "a": 1}}', object_pairs_hook=rules.unique_keys)


def test_a_text_is_read_as_json_or_refused_under_the_name_that_it_has():
    assert rules.read_json('\ufeff{"a": 1.50}', name="The file", parse_float=str) == {"a": "1.50"}
    for text in ("{", '{"a": 1, "a": 1}', "[" * 100_000):
        with pytest.raises(Invalid, match=r"^The file is not JSON that can be read: "):
            rules.read_json(text, name="The file")


@pytest.mark.parametrize(
    ("visibility", "limit", "more"),
    [
        (Visibility.PUBLIC, "", False),
        (Visibility.PUBLIC, "unlisted", True),
        (Visibility.UNLISTED, "private", True),
        (Visibility.UNLISTED, "unlisted", False),
        (Visibility.PRIVATE, "unlisted", False),
    ],
)
def test_what_shows_a_debate_to_more_people_than_a_limit(visibility, limit, more):
    assert rules.shows_more(visibility, than=limit) is more


@pytest.mark.parametrize(
    ("format_", "status", "started", "over"),
    [
        pytest.param("open", Status.CONCLUDED, True, True, id="what is concluded"),
        pytest.param("criterion", Status.CONCLUDED, True, False, id="what may be played again"),
        pytest.param("criterion", Status.CANCELLED, False, True, id="what was cancelled before it started"),
        pytest.param("panel", Status.FAILED, True, True, id="what failed"),
        pytest.param("criterion", Status.DRAFT, False, False, id="a draft"),
        pytest.param("open", Status.PAUSED, True, False, id="what waits"),
    ],
)
def test_what_is_over_for_good(format_, status, started, over):
    assert rules.over_for_good(format_=format_, status=status, started=started) is over


@pytest.mark.parametrize("depth", [0, 1, rules.DEEPEST])
def test_what_is_as_deep_as_allowed_is_taken(depth):
    value: object = 1
    for _ in range(depth):
        value = [value] if depth % 2 else {"a": value}

    assert not rules.deeper_than(value, rules.DEEPEST)
    assert rules.deeper_than([value], depth)


def test_a_wide_body_is_not_a_deep_one():
    assert not rules.deeper_than([[1]] * 10_000, 3)
