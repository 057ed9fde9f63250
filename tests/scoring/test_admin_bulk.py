"""Acting on many scores at once, now or as a staged set."""

from decimal import Decimal

import pytest
from django.contrib.admin.models import LogEntry
from django.utils import timezone

from scoring.admin import bulk
from scoring.groups import AUDITOR, MODERATOR, SENIOR
from scoring.models import Evaluation, ScoreChange
from tests import acts, factories
from tests.moderators import address, client_of, member, state, words
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.django_db, WITHOUT_COLLECTED_FILES]
NOW = timezone.now()


def listing(query=""):
    return address("scoring_evaluation", "changelist") + query


def choose(client, action, scores, query="", **more):
    given = {"action": action, "_selected_action": [one.pk for one in scores], **more}
    return client.post(listing(query), given)


def confirm(client, action, page, query="", **given):
    form = {"rows": page.context["form"]["rows"].value(), "reason": factories.REASON, **given}
    return client.post(address("scoring_evaluation", f"bulk_{action}") + query, form, follow=True)


def many(number):
    debate = factories.debate()
    made = [factories.criterion(debate, key=f"K{one}") for one in range(number)]
    for one in made:
        factories.count(one, "1")
    return made


def test_choosing_in_the_list_shows_old_and_new_and_does_nothing(client):
    scores = many(2)

    page = choose(client, "roll_back_selected", scores)

    assert "2 chosen Score Debate Now then K0 Problem clarity A debate 7.00 6.00" in words(page)
    assert {Evaluation.objects.get(pk=one.pk).value for one in scores} == {Decimal(7)}


def test_many_scores_are_frozen_and_unfrozen_and_the_filters_survive(client, alice):
    scores = many(3)

    query = "?is_frozen=no"
    done = confirm(client, "freeze", choose(client, "freeze_selected", scores, query), query)

    assert done.redirect_chain == [(listing(query), 302)]
    assert "Freeze scores: done, 3 of 3." in words(done)
    assert Evaluation.objects.filter(frozen_at__isnull=False).count() == 3
    assert LogEntry.objects.filter(user=alice, change_message="freeze of 3 scores at once").count() == 3
    factories.count(scores[0], "1")
    page = choose(client, "unfreeze_selected", scores)
    assert "Now if applied if discarded" in words(page)
    assert "K0 Problem clarity A debate 7.00 8.00 7.00" in words(page)
    confirm(client, "unfreeze", page, choice="apply")
    assert Evaluation.objects.get(pk=scores[0].pk).value == Decimal(8)


def test_what_becomes_void_is_shown_for_each_score(client, alice, settings):
    first, second = many(2)
    settings.SECOND_PERSON_FROM = Decimal(2)
    acts.override(order=factories.order(first, alice), value="9.5", now=NOW)
    acts.override(order=factories.order(second, alice), value="8", now=NOW)

    page = words(choose(client, "roll_back_selected", [first, second]))

    assert "Now then Becomes void K0 Problem clarity A debate 7.00 6.00 the request of alice for 9.50" in page
    assert "8.00 6.00 the override of 8.00" in page


def test_the_list_keeps_its_filters_in_the_address_of_the_form(client):
    page = choose(client, "freeze_selected", many(1), "?is_frozen=no&q=K")

    assert 'action="/admin/scoring/evaluation/bulk/freeze/?is_frozen=no&amp;q=K"' in page.content.decode()


def test_one_that_refuses_holds_all_back_and_can_be_left_out(client, alice):
    scores = many(3)
    acts.freeze(order=factories.order(scores[1], alice), now=NOW)

    page = choose(client, "freeze_selected", scores)
    forced = confirm(client, "freeze", page)

    assert "1 of 3 would refuse" in words(page)
    assert "Nothing was done, because 1 of 3 refuse: K1 Problem clarity" in words(forced)
    assert Evaluation.objects.filter(frozen_at__isnull=False).count() == 1
    fewer = confirm(client, "freeze", page, _leave_out="1")
    assert "2 chosen" in words(fewer)
    confirm(client, "freeze", fewer)
    assert Evaluation.objects.filter(frozen_at__isnull=False).count() == 3


def test_a_freeze_of_many_wins_over_what_somebody_did_meanwhile(client):
    scores = many(2)
    page = choose(client, "freeze_selected", scores)
    acts.override(order=factories.order(scores[0], factories.moderator("bob")), value="3", now=NOW)

    done = confirm(client, "freeze", page)

    assert "Freeze scores: done, 2 of 2." in words(done)
    assert all(Evaluation.objects.values_list("frozen_at", flat=True))


def test_a_freeze_of_many_wins_also_after_a_reason_that_was_too_short_or_what_refuses_was_left_out(client):
    scores, bob = many(3), factories.moderator("bob")
    page = choose(client, "freeze_selected", scores)
    acts.override(order=factories.order(scores[0], bob), value="3", now=NOW)

    short = confirm(client, "freeze", page, reason="short")
    acts.freeze(order=factories.order(scores[1], bob), now=NOW)
    fewer = confirm(client, "freeze", short, _leave_out="1")
    done = confirm(client, "freeze", fewer)

    assert "would refuse" not in words(short)
    assert 'value="Freeze scores" name="_act"' in short.content.decode()
    assert "2 chosen" in words(fewer)
    assert "Freeze scores: done, 2 of 2." in words(done)


def test_a_freeze_that_is_staged_is_compared_and_what_moved_can_be_left_out(client):
    scores = many(3)
    page = choose(client, "freeze_selected", scores)
    acts.override(order=factories.order(scores[0], factories.moderator("bob")), value="3", now=NOW)

    late = confirm(client, "freeze", page, _stage="1")
    kept = {name: "" for name in ("_stage",) if f'type="hidden" name="{name}"' in late.content.decode()}
    fewer = confirm(client, "freeze", late, _leave_out="1", **kept)
    staged = confirm(client, "freeze", fewer, _stage="1")

    assert "1 of 3 would refuse" in words(late)
    assert "2 chosen" in words(fewer)
    assert 'type="hidden" name="_stage"' not in fewer.content.decode()
    assert "Staged 2 scores." in words(staged)


def test_a_score_that_somebody_moved_meanwhile_holds_all_back(client):
    scores = many(2)
    page = choose(client, "roll_back_selected", scores)
    acts.override(order=factories.order(scores[0], factories.moderator("bob")), value="9", now=NOW)
    before = [state(one) for one in scores]

    said = words(confirm(client, "rollback", page))

    assert "no longer as you saw it" in said
    assert "bob: override" in said
    assert [state(one) for one in scores] == before


def test_where_all_refuse_the_reason_stays_and_one_looks_again(client):
    scores = many(2)
    page = choose(client, "roll_back_selected", scores)
    for one in scores:
        acts.override(order=factories.order(one, factories.moderator(f"who set {one.key}")), value="9", now=NOW)

    late = confirm(client, "rollback", page)
    again = confirm(client, "rollback", page, _look_again="1")
    done = confirm(client, "rollback", again, reason=again.context["form"]["reason"].value())

    assert "All 2 chosen scores would refuse." in words(late)
    assert factories.REASON in late.content.decode()
    assert "9.00 6.00 the override of 9.00" in words(again)
    assert "2 of 2." in words(done)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"reason": ""}, "This field is required."),
        ({"reason": "short"}, "at least 10 characters"),
        ({"rows": "nonsense"}, "could not be read"),
        ({"rows": ""}, "This field is required."),
        ({"rows": "999999:0"}, "There is no such evaluation."),
        ({"rows": ",".join(f"{one}:0" for one in range(1, 502))}, "takes 1 to 500 evaluations; got 501"),
    ],
)
def test_bad_input_to_many_is_refused_in_words_and_changes_nothing(client, given, said):
    scores = many(2)
    before = [state(one) for one in scores]

    assert said in words(confirm(client, "freeze", choose(client, "freeze_selected", scores), **given))
    assert [state(one) for one in scores] == before


def test_one_more_than_may_be_is_refused_already_in_the_list(client, monkeypatch):
    monkeypatch.setattr(bulk, "CAP", 3)
    debate = factories.debate()
    first, *_ = [factories.criterion(debate, key=f"K{number}") for number in range(4)]

    said = words(client.post(
        listing(), {"action": "freeze_selected", "_selected_action": [first.pk], "select_across": "1"}, follow=True
    ))  # fmt: skip

    assert "4 scores are chosen; at most 3 can be acted on at once. Nothing was done." in said
    assert not Evaluation.objects.filter(frozen_at__isnull=False).exists()


@pytest.mark.parametrize(
    ("group", "actions"),
    [
        (AUDITOR, []),
        (MODERATOR, ["freeze_selected", "unfreeze_selected"]),
        (SENIOR, ["freeze_selected", "unfreeze_selected", "roll_back_selected"]),
    ],
)
def test_each_group_is_offered_the_bulk_actions_that_it_may_do(group, actions):
    many(1)

    page = client_of(member(group)).get(listing()).content.decode()

    assert [one for one in ("freeze", "unfreeze", "roll_back") if f'value="{one}_selected"' in page] == [
        one.removesuffix("_selected") for one in actions
    ]


def test_a_bulk_action_that_is_not_offered_is_not_begun_by_a_forged_form():
    [score] = many(1)
    form = {"action": "roll_back_selected", "_selected_action": [score.pk], "index": "0"}

    forged = client_of(member(MODERATOR)).post(listing(), form, follow=True).content.decode()
    own = client_of(member(SENIOR)).post(listing(), form).content.decode()

    assert "Roll scores back to their opening" not in forged
    assert "Roll scores back to their opening" in own


DONE = {
    "freeze": ("Freeze scores: done, 2 of 2.", {}),
    "unfreeze": ("Unfreeze scores: done, 2 of 2.", {"choice": "apply"}),
    "rollback": ("Roll scores back to their opening: done, 2 of 2.", {}),
}


@pytest.mark.parametrize("group", [AUDITOR, MODERATOR, SENIOR])
@pytest.mark.parametrize("action", DONE)
def test_the_bulk_page_acts_for_whoever_may_and_refuses_whoever_may_not(group, action):
    scores, (said, given) = many(2), DONE[action]
    for one in scores if action == "unfreeze" else ():
        acts.freeze(order=factories.order(one, factories.moderator(f"who froze {one.key}")), now=NOW)
        one.refresh_from_db()
    rows = ",".join(f"{one.pk}:{one.moderation_version}" for one in scores)
    allowed = group == SENIOR or (group == MODERATOR and action != "rollback")
    before = [state(one) for one in scores]
    user, where = member(group), address("scoring_evaluation", f"bulk_{action}")

    opened = client_of(user).get(where)
    answer = client_of(user).post(where, {"rows": rows, "reason": factories.REASON, **given}, follow=True)

    assert answer.status_code == (200 if allowed else 403)
    assert (said if allowed else "This is not open to you") in words(answer)
    assert allowed or "This is not open to you" in words(opened)
    assert [state(one) != was for one, was in zip(scores, before, strict=True)] == [allowed] * 2
    entries = ScoreChange.objects.filter(kind=action, actor__user=user, evaluation__in=scores)
    assert entries.count() == (2 if allowed else 0)


def test_the_bulk_page_asks_about_every_score_that_the_list_shows(client):
    score, *_ = many(3)
    acts.freeze(order=factories.order(score, factories.moderator("ruth"), seen=None), now=timezone.now())
    whole = address("scoring_evaluation", "bulk_freeze") + "?is_frozen=no"

    links = client.get(listing("?is_frozen=no")).content.decode()
    page = client.get(whole)
    done = confirm(client, "freeze", page, "?is_frozen=no")

    assert f'<a href="{whole}">Freeze all 2</a>' in links
    assert page.context["number"] == 2
    assert done.redirect_chain == [(listing("?is_frozen=no"), 302)]
    assert not Evaluation.objects.filter(frozen_at=None).exists()


@pytest.mark.parametrize("query", ["", "?is_frozen=yes", "?p=99"])
def test_the_bulk_page_of_a_list_that_shows_nothing_leads_back_to_it(client, query):
    answer = client.get(f"{address('scoring_evaluation', 'bulk_freeze')}{query}")

    assert (answer.status_code, answer.url) == (302, f"{listing()}{query}")


def test_a_list_longer_than_one_act_reaches_is_to_be_narrowed_down_first(client, monkeypatch):
    monkeypatch.setattr(bulk, "CAP", 1)
    many(2)

    answer = client.get(address("scoring_evaluation", "bulk_freeze"), follow=True)

    assert "Narrow the list down first." in words(answer)
    assert "Freeze all" not in words(client.get(listing()))
