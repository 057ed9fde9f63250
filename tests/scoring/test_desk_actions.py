"""The pages on which a moderator acts on one score: what they show, do and refuse."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.contrib.admin.models import LogEntry
from django.utils import timezone

from scoring.access import AUDITOR, MODERATOR, SENIOR
from scoring.kinds import EntryKind
from scoring.models import Approval, Evaluation, ScoreChange
from scoring.services import moderation
from tests import factories
from tests.desk import client_of, member, of_score, send, state, words
from tests.reading import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.django_db, WITHOUT_COLLECTED_FILES]
SHORT = {"reason": "too short"}


@pytest.fixture
def alice():
    return factories.moderator()


@pytest.fixture
def client(alice):
    return client_of(alice)


@pytest.fixture
def score():
    """A score of 6 that counted +1 and then -0.5."""
    made = factories.criterion()
    factories.count(made, "1")
    factories.count(made, "-0.5")
    return made


def frozen(evaluation, by):
    moderation.freeze(order=factories.order(evaluation, by), now=timezone.now())
    evaluation.refresh_from_db()


def overridden(evaluation, by, value="8"):
    moderation.override(order=factories.order(evaluation, by), value=value, now=timezone.now())
    evaluation.refresh_from_db()


# -- what the actions do ---------------------------------------------------------------------------------------------


def test_freezing_says_what_happened_and_links_the_entry(client, score):
    said = client.post(
        of_score("freeze", score), {"seen": score.moderation_version, "reason": factories.REASON}, follow=True
    ).content.decode()

    entry = ScoreChange.objects.get(evaluation=score, kind=EntryKind.FREEZE)
    assert (
        f'is frozen at 6.50. What is judged from now on is held. (<a href="/admin/scoring/scorechange/{entry.pk}/'
        in said
    )


def test_the_whole_way_from_freeze_to_rollback(client, score):
    assert "is frozen at 6.50" in send(client, "freeze", score)
    factories.count(score, "2")
    assert "what was held counts: 8.50; it was 6.50" in send(client, "unfreeze", score, choice="apply")
    assert "is set to 4.25; it was 8.50" in send(client, "override", score, value="4.25")
    assert "8.50; the override was 4.25" in send(client, "lift", score)
    fact = score.basis[0]
    assert "no longer counts what was struck: 7.50" in send(client, "strike", score, facts=[fact])
    assert "counts again what was reinstated: 8.50" in send(client, "reinstate", score, facts=[fact])
    assert "back where entry 2 had left it: 7.00; it was 8.50" in send(client, "roll_back", score, target=2)

    score.refresh_from_db()
    assert score.value == Decimal(7)


def test_an_unfreeze_shows_both_ways_and_what_was_held(client, alice, score):
    frozen(score, alice)
    factories.count(score, "2")

    shown = words(client.get(of_score("unfreeze", score)))

    assert "If what was held is applied now then Value 6.50 8.50" in shown
    assert "If what was held is discarded now then Value 6.50 6.50" in shown
    assert "Held while frozen Round What Moves Why 3" in shown


def test_discarding_leaves_the_score_where_it_was(client, alice, score):
    frozen(score, alice)
    factories.count(score, "2")

    said = send(client, "unfreeze", score, choice="discard")

    assert "what was held is discarded: 6.50; it was 6.50" in said


def test_a_preview_shows_old_and_new_and_does_nothing(client, score):
    before = state(score)

    shown = words(client.post(of_score("override", score), {"seen": 0, "value": "9.5", "_preview": "Preview"}))

    assert "What setting it to 9.5 changes now then Value 6.50 9.50" in shown
    assert "This field is required" not in shown
    assert state(score) == before


def test_a_rollback_offers_every_point_with_the_value_then_and_now(client, score):
    shown = words(client.get(of_score("roll_back", score) + "?target=2"))

    assert "Entry 2, round 1: 7.00 then, 6.50 now" in shown
    assert "Entry 1, opened: 6.00 then, 6.50 now" in shown
    assert "Becomes void: entry 3 (round" in shown


def test_a_verdict_is_struck_from_its_own_row(client, score):
    page = client.get(of_score("change", score)).content.decode()
    shown = client.get(of_score("strike", score) + f"?facts={score.basis[0]}").content.decode()

    assert f'{of_score("strike", score)}?facts={score.basis[0]}"' in page
    assert f'value="{score.basis[0]}" id="id_facts_0" checked' in shown
    assert "Ceases to count: round 1, verdict +1.00." in shown


def test_a_strike_says_which_alerts_lose_their_reason(client):
    score = factories.criterion()
    factories.count(score, "3")

    shown = words(client.get(of_score("strike", score) + f"?facts={score.basis[0]}"))

    assert "The reason for an alert goes away: extreme verdict." in shown


def test_a_large_override_waits_for_a_second_person(client, score, settings):
    settings.SECOND_PERSON_FROM = Decimal(2)
    before = state(score)

    said = send(client, "override", score, value="9")

    asked = Approval.objects.get()
    assert f"has not moved: 9.00 waits for a second person ( request {asked.pk} )" in said
    assert state(score) == before


def test_both_logs_tell_of_an_action_and_only_the_ledger_keeps_the_reason(client, alice, score):
    send(client, "override", score, value="8")

    [line] = LogEntry.objects.filter(user=alice)
    entry = ScoreChange.objects.get(evaluation=score, kind=EntryKind.OVERRIDE)
    assert line.change_message == f"override, entry {entry.sequence}"
    assert entry.reason.text == factories.REASON


# -- what is offered -------------------------------------------------------------------------------------------------


def offered(client, evaluation):
    page = client.get(of_score("change", evaluation)).content.decode()
    names = ("freeze", "unfreeze", "override", "lift", "strike", "reinstate", "roll_back")
    return {name for name in names if f'class="offer"><a href="{of_score(name, evaluation)}"' in page}


def test_what_is_frozen_can_only_be_unfrozen(client, alice, score):
    frozen(score, alice)

    assert offered(client, score) == {"unfreeze"}


def test_there_is_nothing_to_lift_without_an_override_and_nothing_to_go_back_to_at_the_opening(client, alice, score):
    assert offered(client, score) == {"freeze", "override", "strike", "roll_back"}
    assert offered(client, factories.criterion(score.debate, key="P2")) == {"freeze", "override"}
    overridden(score, alice)
    assert offered(client, score) == {"freeze", "override", "lift", "strike", "roll_back"}


@pytest.mark.parametrize(
    ("group", "names"),
    [
        (AUDITOR, set()),
        (MODERATOR, {"freeze", "override", "lift", "strike"}),
        (SENIOR, {"freeze", "override", "lift", "strike", "roll_back"}),
    ],
)
def test_each_group_is_offered_what_it_may_do(score, alice, group, names):
    overridden(score, alice)

    assert offered(client_of(member(group)), score) == names


ACTIONS = {
    "freeze": {},
    "unfreeze": {"choice": "apply"},
    "override": {"value": "8"},
    "lift": {},
    "strike": {"facts": "basis"},
    "reinstate": {"facts": "left out"},
    "roll_back": {"target": 1},
}
NEEDS_SENIOR = {"roll_back"}


def ready_for(name, evaluation, by):
    """Bring a score to where an action makes sense, and return what its form takes."""
    facts = list(evaluation.basis[:1])
    if name == "unfreeze":
        frozen(evaluation, by)
    if name == "lift":
        overridden(evaluation, by)
    if name == "reinstate":
        moderation.strike(order=factories.order(evaluation, by), facts=facts, now=timezone.now())
    evaluation.refresh_from_db()
    return {**ACTIONS[name], **({"facts": facts} if "facts" in ACTIONS[name] else {})}


@pytest.mark.parametrize("group", [AUDITOR, MODERATOR, SENIOR])
@pytest.mark.parametrize("name", ACTIONS)
def test_each_action_as_each_group(score, alice, name, group):
    given = ready_for(name, score, alice)
    form = {"seen": score.moderation_version, "reason": factories.REASON, **given}
    allowed = group == SENIOR or (group == MODERATOR and name not in NEEDS_SENIOR)
    before = state(score)
    client = client_of(member(group))

    opened = client.get(of_score(name, score)).status_code
    sent = client.post(of_score(name, score), form).status_code

    assert (opened, sent) == ((200, 302) if allowed else (403, 403))
    assert (state(score) != before) is allowed


# -- what is refused -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        pytest.param("freeze", {"reason": ""}, "This field is required.", id="no reason"),
        pytest.param("freeze", {"reason": "   \n  \t   \n"}, "This field is required.", id="a blank reason"),
        pytest.param("freeze", SHORT, "at least 10 characters (it has 9)", id="a short reason"),
        pytest.param("override", {"value": "10.01"}, "value must be", id="above the scale"),
        pytest.param("override", {"value": "0.99"}, "value must be", id="below the scale"),
        pytest.param("override", {"value": "7.125"}, "value must be", id="three decimals"),
        pytest.param("override", {"value": "seven"}, "value must be", id="no number"),
        pytest.param("override", {"value": "NaN"}, "value must be", id="not a number"),
        pytest.param("override", {"value": "7,5"}, "value must be", id="a comma"),
        pytest.param("override", {"value": ""}, "This field is required.", id="no value"),
        pytest.param("lift", {}, "There is no override to lift.", id="nothing to lift"),
        pytest.param("unfreeze", {"choice": "apply"}, "is not frozen", id="nothing to unfreeze"),
        pytest.param("strike", {"facts": [999_999]}, "999999 is not one of the available choices", id="no such fact"),
        pytest.param("strike", {}, "This field is required.", id="no fact"),
        pytest.param("roll_back", {"target": 3}, "target must be an earlier entry, 1 to 2; got 3", id="the last entry"),
        pytest.param("roll_back", {"target": 0}, "target must be an earlier entry", id="entry 0"),
        pytest.param("roll_back", {"target": "x"}, "Enter a whole number.", id="no entry"),
        pytest.param("freeze", {"seen": "x"}, "Please correct the error", id="a version that is none"),
    ],
)
def test_bad_input_is_refused_in_words_and_changes_nothing(client, score, name, given, said):
    before = state(score)

    assert said in send(client, name, score, **given)
    assert state(score) == before
    assert not LogEntry.objects.exists()


def test_a_rollback_to_an_entry_of_another_score_is_refused(client, score):
    other = factories.criterion(score.debate, key="P2")
    for _ in range(5):
        factories.count(other, "0.1")
    before = state(score)

    assert "target must be an earlier entry, 1 to 2; got 5" in send(client, "roll_back", score, target=5)
    assert state(score) == before


def test_facts_of_another_score_are_refused(client, score):
    other = factories.criterion(score.debate, key="P2")
    factories.count(other, "1")

    assert "is not one of the available choices" in send(client, "strike", score, facts=other.basis)
    assert Evaluation.objects.get(pk=other.pk).basis == other.basis


def test_a_page_that_is_out_of_date_says_who_changed_what_and_keeps_what_was_written(client, score):
    bob = factories.moderator("bob")
    seen = score.moderation_version
    overridden(score, bob)
    before = state(score)

    page = client.post(of_score("override", score), {"seen": seen, "value": "3", "reason": factories.REASON})

    assert "no longer as you saw it" in words(page)
    assert "bob: override at" in words(page)
    assert 'name="value" value="3"' in page.content.decode()
    assert factories.REASON in page.content.decode()
    assert f'name="seen" value="{score.moderation_version}"' in page.content.decode()
    assert state(score) == before


def test_rounds_that_the_engine_counts_do_not_make_a_page_stale(client, score):
    seen = score.moderation_version
    factories.count(score, "1")

    page = client.post(of_score("freeze", score), {"seen": seen, "reason": factories.REASON}, follow=True)

    assert "is frozen at 7.50" in words(page)


@pytest.mark.parametrize("name", sorted(set(ACTIONS) - {"unfreeze", "reinstate"}))
def test_every_action_on_a_frozen_score_is_refused_in_words(client, alice, score, name):
    overridden(score, alice)
    given = ready_for(name, score, alice) if name != "lift" else {}
    frozen(score, alice)
    before = state(score)

    said = send(client, name, score, **given)

    assert "is frozen since" in said
    assert state(score) == before


def test_a_page_says_beforehand_why_it_would_be_refused(client, alice, score):
    frozen(score, alice)

    assert "is frozen since" in words(client.get(of_score("lift", score)))


def test_there_is_no_page_for_a_score_that_does_not_exist(client, score):
    answer = client.get(of_score("freeze", score).replace(f"/{score.pk}/", "/999999/"), follow=True)

    assert "exist. Perhaps it was deleted?" in words(answer)


@pytest.mark.parametrize("name", ACTIONS)
def test_looking_at_a_page_changes_nothing(client, alice, score, name):
    ready_for(name, score, alice)
    before = state(score)

    assert client.get(of_score(name, score)).status_code == 200
    assert state(score) == before


def test_words_of_a_reason_stay_words(client, score):
    send(client, "freeze", score, reason="<script>alert(1)</script>")

    shown = client.get(of_score("change", score)).content.decode()

    assert "&lt;script&gt;alert(1)" in shown
    assert "<script>alert(1)" not in shown
