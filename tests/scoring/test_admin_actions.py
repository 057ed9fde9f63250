"""The pages on which a moderator acts on one score: what they show, do and refuse."""

from decimal import Decimal

import pytest
from django.contrib.admin.models import LogEntry

from scoring.enums import EntryKind
from scoring.groups import AUDITOR, MODERATOR, SENIOR
from scoring.models import Approval, ScoreChange
from scoring.services import moderation
from tests import factories
from tests.moderators import ACTIONS, client_of, frozen, member, of_score, overridden, ready_for, send, state, words
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.django_db, WITHOUT_COLLECTED_FILES]
SHORT = {"reason": "too short"}


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


def test_an_unfreeze_asks_for_no_choice_where_nothing_is_held(client, alice, score):
    frozen(score, alice)

    shown = words(client.get(of_score("unfreeze_override", score)))

    assert "What this changes now then Value 6.50 6.50" in shown
    assert "What was held" not in shown
    said = send(client, "unfreeze_override", score, value="8")
    assert "is unfrozen, nothing was held: 6.50" in said
    assert "is set to 8.00; it was 6.50" in said


def test_what_is_held_while_the_act_is_on_its_way_is_asked_about_and_not_lost(client, alice, score, monkeypatch):
    frozen(score, alice)
    perform = moderation.perform

    def late(**given):
        factories.count(score, "2")
        return perform(**given)

    monkeypatch.setattr(moderation, "perform", late)
    said = send(client, "unfreeze", score)

    assert "Something was held for P1 Problem clarity meanwhile. Choose whether it is applied or discarded." in said
    assert "If what was held is applied now then Value 6.50 8.50" in said
    assert (len(score.held), score.frozen_at is None) == (1, False)


@pytest.fixture
def holding(score, alice):
    """The score, frozen at 6.50, with +2 held."""
    frozen(score, alice)
    factories.count(score, "2")
    score.refresh_from_db()
    return score


@pytest.mark.parametrize(
    ("name", "given", "caption", "said"),
    [
        ("unfreeze_override", {"value": "4.25"}, "the override follows now then Value 6.50 4.25", "set to 4.25"),
        ("unfreeze_strike", {"facts": "held"}, "the strike follows now then Value 6.50 6.50", "struck: 6.50"),
        ("unfreeze_roll_back", {"target": 2}, "the rollback follows now then Value 6.50 7.00", "left it: 7.00"),
    ],
)  # fmt: skip
def test_an_unfreeze_with_a_further_step_shows_both_as_one_and_does_both(client, holding, name, given, caption, said):
    given = {**given, "choice": "apply"} | ({"facts": holding.held} if "facts" in given else {})
    before = state(holding)

    shown = send(client, name, holding, **given, _preview="Preview")
    assert f"If what was held is applied, and {caption}" in shown
    assert state(holding) == before
    done = send(client, name, holding, **given)

    assert "is unfrozen, what was held counts: 8.50; it was 6.50." in done
    assert said in done


def test_what_is_discarded_cannot_be_struck_and_the_page_says_so(client, holding):
    before = state(holding)
    given = {"choice": "discard", "facts": holding.held}

    shown = send(client, "unfreeze_strike", holding, **given)

    assert "facts must be among those that count now" in shown
    assert state(holding) == before


def test_without_a_choice_both_ways_of_the_further_step_are_shown(client, holding):
    shown = words(client.get(of_score("unfreeze_strike", holding) + f"?facts={holding.held[0]}"))

    assert "If what was held is applied, and the strike follows now then Value 6.50 6.50" in shown
    assert "If what was held is discarded, and the strike follows It would be refused: facts must be" in shown


def test_nobody_is_asked_half_way_for_a_second_opinion(client, holding, settings):
    settings.SECOND_PERSON_FROM = Decimal(2)
    before = state(holding)

    shown = send(client, "unfreeze_override", holding, choice="apply", value="4")

    assert "wait for a second person: ask for approval" in shown
    assert state(holding) == before


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
    assert "Ceases to count: round 1, verdict, +1.00." in shown


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
    return {name for name in ACTIONS if f'class="offer"><a href="{of_score(name, evaluation)}"' in page}


def test_what_is_frozen_can_only_be_unfrozen(client, alice, score):
    frozen(score, alice)

    assert offered(client, score) == {"unfreeze", "unfreeze_override", "unfreeze_strike", "unfreeze_roll_back"}


def test_there_is_nothing_to_lift_without_an_override_and_nothing_to_go_back_to_at_the_opening(client, alice, score):
    assert offered(client, score) == {"freeze", "override", "strike", "roll_back"}
    assert offered(client, factories.criterion(score.debate, key="P2")) == {"freeze", "override"}
    overridden(score, alice)
    assert offered(client, score) == {"freeze", "override", "lift", "strike", "roll_back"}


@pytest.mark.parametrize(
    ("group", "names"),
    [
        (AUDITOR, set()),
        (MODERATOR, {"unfreeze", "unfreeze_override", "unfreeze_strike"}),
        (SENIOR, {"unfreeze", "unfreeze_override", "unfreeze_strike", "unfreeze_roll_back"}),
    ],
)
def test_each_group_is_offered_the_ways_to_unfreeze_that_it_may_go(score, alice, group, names):
    frozen(score, alice)

    assert offered(client_of(member(group)), score) == names


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


NEEDS_SENIOR = {"roll_back", "unfreeze_roll_back"}


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
