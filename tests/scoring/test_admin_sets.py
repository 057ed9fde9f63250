"""Rescore sets at the desk: staged, looked at, applied or cancelled whole."""

from decimal import Decimal

import pytest
from django.contrib.admin.models import LogEntry
from django.utils import timezone

from debates.models import Event
from scoring.enums import HeldChoice
from scoring.groups import AUDITOR, MODERATOR
from scoring.models import Evaluation, Reason, RescoreSet
from scoring.services import conflicts
from tests import acts, factories
from tests.moderators import address, client_of, member, words
from tests.scoring.test_admin_bulk import choose, confirm, many
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.django_db, WITHOUT_COLLECTED_FILES]
NOW = timezone.now()


@pytest.fixture
def staged(client):
    scores = many(2)
    confirm(client, "rollback", choose(client, "roll_back_selected", scores), _stage="1")
    return scores, RescoreSet.objects.get()


def decide(client, page, row, **given):
    return words(client.post(address("scoring_rescoreset", page, row.pk), given, follow=True))


def test_a_staged_set_shows_old_against_new_and_moves_nothing(client, staged):
    scores, row = staged

    said = words(client.get(address("scoring_rescoreset", "change", row.pk)))

    assert "Old against new: rollback of 2" in said
    assert f"K0 Problem clarity {scores[0].debate.title} 7.00 6.00 \N{MINUS SIGN}1.00" in said
    assert {Evaluation.objects.get(pk=one.pk).value for one in scores} == {Decimal(7)}


def test_what_a_double_click_stages_twice_is_one_set(client):
    page = choose(client, "roll_back_selected", many(2))
    once = page.context["form"]["once"].value()
    assert f'name="once" value="{once}"' in page.content.decode()

    clicks = [confirm(client, "rollback", page, _stage="1", once=once) for _ in range(2)]

    row = RescoreSet.objects.get()
    assert {click.redirect_chain[0][0] for click in clicks} == {address("scoring_rescoreset", "change", row.pk)}
    told = "Staged 2 scores. Nothing has moved yet.", "This was staged already."
    assert [[one in words(click) for one in told] for click in clicks] == [[True, False], [False, True]]
    line = LogEntry.objects.get()
    assert (line.user, line.get_edited_object(), line.get_change_message()) == (row.staged_by.user, row, "staged")
    confirm(client, "rollback", page, _stage="1", once=once, reason="Another reason than before.")
    assert RescoreSet.objects.count() == 2


def test_an_unfreeze_is_staged_with_its_choice(client, alice):
    [score] = many(1)
    acts.freeze(order=factories.order(score, alice), now=NOW)
    factories.count(score, "1")

    confirm(client, "unfreeze", choose(client, "unfreeze_selected", [score]), choice="discard", _stage="1")

    assert RescoreSet.objects.get().choice == HeldChoice.DISCARD


def test_a_set_is_applied_whole(client, staged):
    scores, row = staged

    assert "The set was applied: 2 scores" in decide(client, "apply", row)
    assert {Evaluation.objects.get(pk=one.pk).value for one in scores} == {Decimal(6)}
    assert "was applied by alice at" in decide(client, "apply", row)


def test_a_cancelled_set_leaves_no_trace_in_the_stream(client, staged):
    scores, row = staged
    before = Event.objects.count()

    assert "at least 10 characters" in decide(client, "cancel", row, reason="no")
    assert "The set was cancelled" in decide(client, "cancel", row, reason=factories.REASON)
    assert Event.objects.count() == before
    assert {Evaluation.objects.get(pk=one.pk).value for one in scores} == {Decimal(7)}


def test_a_set_says_what_has_moved_since_it_was_staged(client, staged):
    scores, row = staged
    assert "since" not in words(client.get(address("scoring_rescoreset", "apply", row.pk)))

    factories.count(scores[0], "0.5")
    shown = words(client.get(address("scoring_rescoreset", "apply", row.pk)))

    assert "1 of 2 has moved since this was staged. Applying goes by the figures as they stand now." in shown
    assert f"{scores[0].debate.title} 7.00 6.00 \N{MINUS SIGN}1.00 now 7.50, would become 6.00 K1" in shown
    assert "as staged" in shown


def test_a_set_that_somebody_overtook_is_refused_by_name_and_stays_staged(client, staged):
    scores, row = staged
    acts.freeze(order=factories.order(scores[1], factories.moderator("bob")), now=NOW)

    shown = words(client.get(address("scoring_rescoreset", "apply", row.pk)))
    said = decide(client, "apply", row)

    assert "1 of 2 refuse as things stand now. Leave it out to apply the others." in shown
    assert "K1 Problem clarity" in said
    assert "Nothing was done, because 1 of 2 refuse" in said
    row.refresh_from_db()
    assert row.state == "staged"


def test_a_score_that_refuses_is_left_out_where_somebody_says_so(client, staged):
    scores, row = staged
    acts.freeze(order=factories.order(scores[1], factories.moderator("bob")), now=NOW)
    page = client.get(address("scoring_rescoreset", "apply", row.pk)).content.decode()
    assert f'name="refusing" value="{scores[1].pk}"' in page

    said = decide(client, "apply", row, fewer="on", refusing=str(scores[1].pk))

    assert "The set was applied: 1 scores were acted on. 1 stay as they are." in said
    assert "stayed as it was" in said
    assert [Evaluation.objects.get(pk=one.pk).value for one in scores] == [6, 7]


@pytest.mark.parametrize(
    "refusing", ["9" * 5000, "²", "x", "{pk},x"], ids=["too long", "no digit", "a letter", "one of two"]
)
def test_what_cannot_be_read_of_who_refuses_is_said_and_moves_nothing(client, staged, refusing):
    scores, row = staged

    said = decide(client, "apply", row, fewer="on", refusing=refusing.format(pk=scores[1].pk))

    row.refresh_from_db()
    assert "could not be read" in said
    assert row.state == "staged"


def test_whoever_is_a_party_to_one_debate_of_a_set_applies_it_to_the_others(client, alice):
    [ours], [theirs] = many(1), many(1)
    confirm(client, "rollback", choose(client, "roll_back_selected", [ours, theirs]), _stage="1")
    row = RescoreSet.objects.get()
    conflicts.declare(debate_id=theirs.debate_id, by=alice, reason=factories.REASON, now=NOW)
    page = client.get(address("scoring_rescoreset", "apply", row.pk)).content.decode()
    assert f'name="refusing" value="{theirs.pk}"' in page

    said = decide(client, "apply", row, fewer="on", refusing=str(theirs.pk))

    assert "The set was applied: 1 scores were acted on. 1 stay as they are." in said
    assert [Evaluation.objects.get(pk=one.pk).value for one in (ours, theirs)] == [6, 7]


def test_whoever_is_a_party_to_a_debate_of_a_set_is_not_offered_to_cancel_it(client, alice, staged):
    scores, row = staged
    at = address("scoring_rescoreset", "cancel", row.pk)
    assert at in client.get(address("scoring_rescoreset", "change", row.pk)).content.decode()
    conflicts.declare(debate_id=scores[0].debate_id, by=alice, reason=factories.REASON, now=NOW)

    page = client.get(at)

    assert "alice has a declared conflict of interest in this debate" in words(page)
    assert 'name="_act"' not in page.content.decode()
    assert at not in client.get(address("scoring_rescoreset", "change", row.pk)).content.decode()


def test_a_set_whose_words_were_erased_is_only_cancelled(client, staged):
    _, row = staged
    factories.rewrite(Reason.objects.filter(pk=row.because_id), text="", salt="")

    page = client.get(address("scoring_rescoreset", "apply", row.pk))

    assert "The words of this set were erased" in words(page)
    assert words(page).endswith("Cancel Go back")
    assert "The set was cancelled" in decide(client, "cancel", row, reason=factories.REASON)


def test_only_what_the_page_showed_is_left_out(client, staged):
    scores, row = staged
    for one in scores:
        acts.freeze(order=factories.order(one, factories.moderator(f"bob {one.pk}")), now=NOW)

    said = decide(client, "apply", row, fewer="on", refusing=str(scores[1].pk))

    assert "Nothing was done" in said
    assert "every score of the set refuses" in words(client.get(address("scoring_rescoreset", "apply", row.pk)))
    row.refresh_from_db()
    assert (row.state, row.left_out) == ("staged", [])


def test_what_refused_when_the_page_was_read_is_left_out_also_where_it_refuses_no_more(client, alice):
    [ours], [theirs] = many(1), many(1)
    confirm(client, "rollback", choose(client, "roll_back_selected", [ours, theirs]), _stage="1")
    row, why = RescoreSet.objects.get(), {"by": alice, "reason": factories.REASON, "now": NOW}
    declared = conflicts.declare(debate_id=theirs.debate_id, **why)
    page = client.get(address("scoring_rescoreset", "apply", row.pk)).context["form"]
    conflicts.withdraw(conflict_id=declared.pk, **why)

    said = decide(client, "apply", row, fewer="on", refusing=page["refusing"].value())

    assert "The set was applied: 1 scores were acted on. 1 stay as they are." in said
    assert [Evaluation.objects.get(pk=one.pk).value for one in (ours, theirs)] == [6, 7]


def test_what_refuses_since_the_page_was_read_is_left_out_once_the_page_has_named_it(client, staged):
    scores, row = staged
    page = client.get(address("scoring_rescoreset", "apply", row.pk)).context["form"]
    acts.freeze(order=factories.order(scores[1], factories.moderator("bob")), now=NOW)

    refused = client.post(address("scoring_rescoreset", "apply", row.pk), {"refusing": page["refusing"].value()})
    said = decide(client, "apply", row, fewer="on", refusing=refused.context["form"]["refusing"].value())

    assert "Nothing was done, because 1 of 2 refuse" in words(refused)
    assert "The set was applied: 1 scores were acted on. 1 stay as they are." in said


def test_a_moderator_may_not_decide_over_a_set_of_rollbacks(staged):
    _, row = staged
    client = client_of(member(MODERATOR))

    assert client.get(address("scoring_rescoreset", "apply", row.pk)).status_code == 403
    assert client.post(address("scoring_rescoreset", "cancel", row.pk), {"reason": factories.REASON}).status_code == 403


def test_a_set_is_staged_in_the_list_and_cancelled_by_who_may():
    client, auditor = client_of(member(MODERATOR)), client_of(member(AUDITOR))

    staged = confirm(client, "freeze", choose(client, "freeze_selected", many(2)), _stage="1")
    row = RescoreSet.objects.get()
    change, cancel = (address("scoring_rescoreset", page, row.pk) for page in ("change", "cancel"))

    assert "Staged 2 scores. Nothing has moved yet." in words(staged)
    assert staged.redirect_chain == [(change, 302)]
    assert f'class="offer"><a href="{cancel}">Cancel</a>' in client.get(change).content.decode()
    assert 'class="offer"' not in auditor.get(change).content.decode()
    assert "The set was cancelled; nothing has moved." in decide(client, "cancel", row, reason=factories.REASON)
    row.refresh_from_db()
    assert row.state == "cancelled"
