"""The list of scores, the page of a score, and looking back."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from debates.admin import read_only
from scoring.admin.scores import EvaluationAdmin
from scoring.models import Alert
from tests import acts, factories
from tests.moderators import address, of_score, state, words
from tests.scoring import history
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.django_db, WITHOUT_COLLECTED_FILES]
NOW = timezone.now()


@pytest.fixture
def alice():
    return factories.moderator("ruth")


def listing(query=""):
    return address("scoring_evaluation", "changelist") + query


@pytest.fixture
def scores(alice):
    """One score in each state: new, counted, frozen with a held verdict, overridden with an alert."""
    debate = factories.debate()
    made = {key: factories.criterion(debate, key=key) for key in ("NEW", "COUNTED", "FROZEN", "OVER")}
    factories.count(made["COUNTED"], "0.5")
    acts.freeze(order=factories.order(made["FROZEN"], alice), now=NOW)
    factories.count(made["FROZEN"], "1")
    factories.count(made["OVER"], "1")
    acts.override(order=factories.order(made["OVER"], alice), value="9", now=NOW)
    Alert.objects.create(
        debate=debate, evaluation=made["OVER"], code="net_capped", severity="info", evidence={}, facts_digest="x"
    )
    return made


# -- the list --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "keys"),
    [
        ("?state=not_evaluated", {"NEW", "FROZEN"}),
        ("?state=counted", {"COUNTED", "OVER"}),
        ("?state=held", {"FROZEN"}),
        ("?state=fallback", set()),
        ("?state=complete", set()),
        ("?state=nonsense", set()),
        ("?is_frozen=yes", {"FROZEN"}),
        ("?is_frozen=no", {"NEW", "COUNTED", "OVER"}),
        ("?is_overridden=yes", {"OVER"}),
        ("?has_alerts=yes", {"OVER"}),
        ("?has_alerts=no", {"NEW", "COUNTED", "FROZEN"}),
        ("?changed=0.01", {"COUNTED", "OVER"}),
        ("?changed=1", {"OVER"}),
        ("?changed=5", set()),
        ("?changed=half", set()),
        ("?key=NEW", {"NEW"}),
        ("?key=NONE", set()),
        ("?of_debate=999999", set()),
        ("?of_debate=x", set()),
        ("?instrument__exact=panel", set()),
        ("?q=counted", {"COUNTED"}),
    ],
)
def test_the_list_can_be_narrowed_down(client, scores, query, keys):
    page = client.get(listing(query))

    assert page.status_code == 200
    assert {one.key for one in page.context["cl"].result_list} == keys


def test_a_long_list_is_paged_through_as_far_as_it_is_counted_and_turned_round(client, monkeypatch):
    monkeypatch.setattr(read_only, "MOST_PAGED", 5)
    monkeypatch.setattr(EvaluationAdmin, "list_per_page", 2)
    debate = factories.debate()
    for number in range(1, 8):
        factories.criterion(debate, key=f"K{number}")

    pages = [client.get(listing(query)) for query in ("?p=1", "?p=2", "?p=3", "?oldest=", "?oldest=&p=3", "?p=3&q=k")]

    assert [[score.key for score in page.context["cl"].result_list] for page in pages] == [
        ["K7", "K6"], ["K5", "K4"], ["K3"], ["K1", "K2"], ["K5"], ["K3"],
    ]  # fmt: skip
    more = 'There are more than 5. Narrow the list down to find others, or look at the <a href="?oldest=">oldest first'
    assert more in pages[0].content.decode()
    assert '<a href="?">newest first</a>' in pages[3].content.decode()
    assert client.get(listing("?p=4")).status_code == 302
    monkeypatch.setattr(read_only, "MOST_PAGED", 7)
    whole = client.get(listing("?p=4"))
    assert [score.key for score in whole.context["cl"].result_list] == ["K1"]
    assert "There are more than" not in whole.content.decode()


def test_the_rows_before_a_later_page_are_passed_by_with_nothing_but_their_ids(client, monkeypatch):
    monkeypatch.setattr(EvaluationAdmin, "list_per_page", 2)
    debate = factories.debate()
    for number in range(1, 4):
        factories.criterion(debate, key=f"K{number}")

    with CaptureQueriesContext(connection) as caught:
        client.get(listing("?p=2"))

    [read] = [one["sql"] for one in caught if "OFFSET 2" in one["sql"]]
    assert '"scoring_evaluation"."id" IN (SELECT' in read
    assert " LIMIT 1 OFFSET 2)" in read


def test_the_list_says_every_state_in_words(client, scores):
    page = client.get(listing()).content.decode()

    for state_ in ("frozen", "overridden", "1 verdict held", "not evaluated", "counted"):
        assert f">{state_}</span>" in page


def test_the_list_leads_to_the_open_alerts_of_a_score(client, scores):
    query = f"?state__exact=open&evaluation__id__exact={scores['OVER'].pk}"

    assert f"{query.replace('&', '&amp;')}" in client.get(listing()).content.decode()
    alerts = client.get(address("scoring_alert", "changelist") + query)
    assert [one.code for one in alerts.context["cl"].result_list] == ["net_capped"]


def asked(client, path):
    with CaptureQueriesContext(connection) as caught:
        assert client.get(path).status_code == 200
    return len(caught)


def test_the_list_with_every_filter_asks_as_much_for_fifty_scores_as_for_one(client):
    debate = factories.debate()
    factories.criterion(debate, key="K0")
    query = listing("?is_frozen=no&has_alerts=no&is_overridden=no")
    one = asked(client, query)
    for number in range(1, 50):
        factories.criterion(debate, key=f"K{number}")

    assert asked(client, query) == one


# -- the page of a score ---------------------------------------------------------------------------------------------


def test_the_page_of_a_score_draws_its_course_and_lists_its_entries(client):
    score = history.tell()

    page = client.get(of_score("change", score))

    assert page.content.decode().count('class="mark override"') == 2
    assert page.content.decode().count('class="frost"') == 3
    assert "Value after each entry, 1 to 12:" in page.content.decode()
    assert len(page.context["newest"]) == 12


def test_the_page_of_a_score_asks_as_much_for_many_rounds_as_for_one(client):
    score = factories.criterion(factories.debate(rounds=30))
    factories.count(score, "0.1", "0.1")
    one = asked(client, of_score("change", score))
    for _ in range(25):
        factories.count(score, "0.1", "0.1")

    assert asked(client, of_score("change", score)) == one


def test_a_long_ledger_shows_its_last_twenty_entries_and_leads_to_all(client):
    score = factories.criterion(factories.debate(rounds=30))
    for _ in range(24):
        factories.count(score, "0.1")

    page = client.get(of_score("change", score))
    ledger = client.get(page.context["ledger_address"])

    assert [entry.sequence for entry in page.context["newest"]] == list(range(25, 5, -1))
    assert "All entries in the ledger" in words(page)
    assert ledger.context["cl"].result_count == 25


@pytest.mark.parametrize("instrument", ["panel", "standing", "adherence"])
def test_scores_of_every_instrument_have_a_page(client, instrument):
    given = {"panel": ("3", "2", "4"), "standing": ("100", "100"), "adherence": ("70", "70")}[instrument]
    score = history.opened(history.Instrument(instrument), given[0], *given[1:])

    page = client.get(of_score("change", score))

    assert page.status_code == 200
    assert f"instrument {instrument}" in words(page)


def test_no_column_of_a_score_can_be_written_through_its_page(client, scores):
    before = state(scores["COUNTED"])

    answer = client.post(of_score("change", scores["COUNTED"]), {"override_score": "1", "initial_score": "1"})

    assert answer.status_code == 403
    assert state(scores["COUNTED"]) == before


# -- looking back ----------------------------------------------------------------------------------------------------


def test_looking_back_by_entry_shows_value_basis_and_history_as_they_were(client):
    score = factories.criterion()
    factories.count(score, "1")
    factories.count(score, "2")

    page = client.get(of_score("as_of", score) + "?sequence=2")

    assert "Value then 7.00 Value now 9.00" in words(page)
    assert [row.fact.pk for row in page.context["basis"]] == score.basis[:1]
    assert [entry.sequence for entry in page.context["newest"]] == [2, 1]


def test_looking_back_by_moment(client):
    score = factories.criterion()

    later = client.get(of_score("as_of", score) + f"?moment={timezone.now():%Y-%m-%d %H:%M:%S.%f}")
    before = client.get(of_score("as_of", score) + "?moment=1999-01-01 00:00")

    assert later.context["entry"].sequence == 1
    assert "The score was not open yet at that moment." in words(before)


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("?sequence=&moment=", "one of the two"),
        ("?sequence=1&moment=2026-01-01", "one of the two"),
        ("?moment=2999-01-01 00:00", "That moment has not come yet."),
        ("?sequence=2", "This score has 1 entry."),
        ("?sequence=0", "greater than or equal to 1"),
        ("?sequence=x", "Enter a whole number."),
        ("?moment=yesterday", "Enter a valid date/time."),
        ("?sequence=99999999999999", "less than or equal to"),
    ],
)
def test_looking_back_to_what_is_no_moment_is_refused_in_words(client, query, said):
    assert said in words(client.get(of_score("as_of", factories.criterion()) + query))
