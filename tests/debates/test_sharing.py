"""Places for what is under way: shared fairly among owners, hosts and webhooks, counted rather than timed."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debates import sharing
from debates.sharing import Places, Recipient

QUICK, SLOW = 5, 15_000


def hand_out(places: Places, waiting: list[Recipient]) -> list[tuple[Recipient, sharing.Held]]:
    """Give away every place that there is, for webhooks for which there is no end of what waits."""
    given_away = []
    while (recipient := places.next(waiting)) is not None:
        given_away.append((recipient, places.take(recipient)))
    return given_away


def known(places: Places, recipients: list[Recipient], *, took: int) -> None:
    for recipient in recipients:
        places.give_back(recipient, places.take(recipient), took=took)


def crowd(many: int, *, owner=None, host=None, first=1) -> list[Recipient]:
    return [Recipient(n, owner or n, host or f"h{n}.example.org") for n in range(first, first + many)]


def test_fifty_slow_ones_of_whoever_and_wherever_leave_a_place_for_whoever_answers_at_once():
    healthy = Recipient(1000, 7, "h7.example.org")
    for slow in (
        crowd(50),
        crowd(50, owner=7),
        crowd(50, host="h7.example.org"),
        crowd(50, owner=7, host=healthy.host),
    ):
        places = Places()
        first = [recipient for recipient, _ in hand_out(places, [*slow, healthy])]
        assert sorted(r.webhook for r in first) == sorted(r.webhook for r in [*slow, healthy])

        places = Places()
        known(places, slow, took=SLOW)
        known(places, [healthy], took=QUICK)
        held_by_slow = hand_out(places, slow)
        assert len(held_by_slow) <= sharing.SLOW_PLACES
        assert [r.webhook for r, _ in hand_out(places, [*slow, healthy])] == [healthy.webhook] * sharing.EACH


def test_an_owner_of_many_gets_no_more_places_than_an_owner_of_few_who_wants_as_many():
    rich, poor = crowd(200, owner=1), crowd(20, owner=2, first=500)
    places = Places()
    known(places, [*rich, *poor], took=QUICK)

    owners = Counter(recipient.owner for recipient, _ in hand_out(places, [*rich, *poor]))

    assert owners == {1: sharing.EACH_PARTY, 2: sharing.EACH_PARTY}


def test_a_host_gets_its_share_and_no_more_whoever_owns_its_webhooks():
    one_host, others = crowd(200, host="slow.example.org"), crowd(30, first=500)
    places = Places()

    hosts = Counter(recipient.host for recipient, _ in hand_out(places, [*one_host, *others]))

    assert hosts["slow.example.org"] == sharing.EACH_PARTY
    assert all(hosts[recipient.host] == 1 for recipient in others)


def test_whose_turn_was_longest_ago_comes_next():
    waiting = crowd(sharing.SLOW_PLACES * 2)
    places = Places()
    known(places, waiting, took=SLOW)
    served: Counter[int] = Counter()

    for _ in range(10):
        for recipient, held in hand_out(places, waiting):
            served[recipient.webhook] += 1
            places.give_back(recipient, held, took=SLOW)

    assert max(served.values()) - min(served[recipient.webhook] for recipient in waiting) <= 1


@pytest.mark.parametrize(
    ("took", "most"), [(0, 32), (1, 32), (62, 32), (63, 31), (500, 4), (1000, 2), (2001, 1), (15_000, 1)]
)
def test_a_bundle_is_as_much_as_is_sent_in_two_seconds(took, most):
    places, [recipient] = Places(), crowd(1)
    assert places.bundle(recipient) == 1

    known(places, [recipient], took=took)

    assert places.bundle(recipient) == most


RECIPIENTS = st.builds(Recipient, st.integers(1, 40), st.integers(1, 4), st.sampled_from(["a", "b", "c"]))


@given(
    st.lists(RECIPIENTS, max_size=60, unique_by=lambda r: r.webhook),
    st.dictionaries(st.integers(1, 40), st.integers(0, 3000)),
)
def test_no_share_is_ever_exceeded_and_everything_is_given_back(waiting, took):
    places = Places()
    for recipient in waiting:
        if recipient.webhook in took:
            known(places, [recipient], took=took[recipient.webhook])

    given_away = hand_out(places, waiting)

    assert len(given_away) <= sharing.PLACES
    for party, most in (("owner", sharing.EACH_PARTY), ("host", sharing.EACH_PARTY), ("webhook", sharing.EACH)):
        held = Counter(getattr(recipient, party) for recipient, _ in given_away)
        assert max(held.values(), default=0) <= most
    for recipient, held in given_away:
        places.give_back(recipient, held, took=QUICK)
    known_now = {recipient.webhook for recipient in waiting}
    assert {r.webhook for r, _ in hand_out(places, waiting)} == known_now
