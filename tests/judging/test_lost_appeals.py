"""Who lost an appeal does not undo the act that allowed it; who had nothing to do with it does whatever they want."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from judging.engine import appeals, lifecycle, preflight, reviews
from judging.engine.appeals import Remedy
from judging.engine.reviews import Decision
from judging.formats.panel.record import Dispute, open_review
from judging.types import ReviewReason
from scoring.constraint_errors import LOST
from scoring.enums import AppealState, BulkAction, EntryKind, HeldChoice
from scoring.errors import ActedOnIt, BulkRefused
from scoring.models import Approval, Evaluation
from scoring.services import approvals, bulk, moderation, previews, rescore, undo
from scoring.services.actions import Intent
from scoring.services.bulk import BulkOrder
from tests import acts, factories
from tests.api.clients import Api, code_of
from tests.judging.test_appeals import acted_for_it, claimed, decide, file, override, participant, scene, take_back
from tests.moderators import address, client_of, of_score, send, state, words

pytestmark = pytest.mark.django_db
NOW = timezone.now
BECAUSE = {"reason": factories.REASON}


@pytest.fixture
def scores(request):
    """Two scores of a result that alice set by hand, against which paula appealed: bob set the second for her.

    The web server's clock may be some minutes ahead, or behind, as he decides.
    """
    debate = factories.debate()
    rows = [factories.criterion(debate, key=key) for key in ("P1", "P2")]
    paula, alice, bob = participant(debate), factories.moderator("alice"), factories.moderator("bob")
    for row in rows:
        factories.count(row, "1", "0.5")
        acts.override(order=factories.order(row, alice), value="3", now=NOW())
    factories.over(debate)
    debate.refresh_from_db()
    first, second = (Evaluation.objects.get(pk=row.pk) for row in rows)
    appeal = file(first, paula)
    claimed(appeal, bob)
    decide(
        appeal, bob, AppealState.ALLOWED, remedy=override(second), ahead=timedelta(minutes=getattr(request, "param", 0))
    )
    second.refresh_from_db()
    return first, second


def alice():
    return User.objects.get(username="alice")


def carol():
    return User.objects.filter(username="carol").first() or factories.moderator("carol")


def of(evaluation, by):
    evaluation.refresh_from_db()
    return factories.order(evaluation, by)


def rows():
    return list(Evaluation.objects.values_list("pk", "moderation_version"))


def roll_back_debate(scores, by):
    moderation.roll_back_debate(debate_id=scores[0].debate_id, by=by, now=NOW(), **BECAUSE)


def play_again(scores, by):
    lifecycle.rerun(debate_id=scores[0].debate_id, by=by, now=NOW(), **BECAUSE)


def roll_back_in_bulk(scores, by):
    order = BulkOrder(action=BulkAction.ROLLBACK, rows=rows(), by=by, **BECAUSE)
    bulk.act(order=order, now=NOW())


def rescored(scores, by):
    rescore.stage(action=BulkAction.ROLLBACK, rows=rows(), by=by, now=NOW(), **BECAUSE)


def apply_set(scores, by):
    staged = rescore.stage(
        action=BulkAction.ROLLBACK, rows=rows(), by=factories.moderator("dora"), now=NOW(), **BECAUSE
    )
    rescore.apply(set_id=staged.pk, by=by, now=NOW())


def one_then_the_other(scores, by):
    for row in scores:
        acts.override(order=of(row, by), value="5", now=NOW())


def undone(scores, by):
    take_back(scores[1], by)


def lifted(scores, by):
    acts.lift(order=of(scores[1], by), now=NOW())


def struck(scores, by):
    acts.strike(order=of(scores[1], by), facts=scores[1].basis[:1], now=NOW())


def undone_and_rolled_back(scores, by):
    take_back(scores[1], by)
    acts.roll_back(order=of(scores[1], by), target=1, now=NOW())


def frozen_and_unfrozen(scores, by):
    acts.freeze(order=of(scores[1], by), now=NOW())
    acts.unfreeze(order=of(scores[1], by), choice=HeldChoice.DISCARD, now=NOW())


WAYS = {
    "the debate rolled back": roll_back_debate, "played again": play_again, "rolled back in bulk": roll_back_in_bulk,
    "a set staged": rescored, "a set applied": apply_set, "one set and then the other": one_then_the_other,
    "undone": undone, "lifted": lifted, "struck": struck,
}  # fmt: skip
FREE = {**WAYS, "undone and rolled back": undone_and_rolled_back, "frozen and unfrozen": frozen_and_unfrozen}


@pytest.mark.parametrize("way", FREE.values(), ids=FREE)
def test_who_had_nothing_to_do_with_an_appeal_does_everything(scores, way):
    way(scores, factories.moderator("carol"))


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_who_lost_an_appeal_does_nothing_to_the_score_that_was_put_right(scores, way, monkeypatch):
    monkeypatch.setattr(preflight, "require_models", lambda **_: pytest.fail("a model was asked"))
    before = state(scores[1])

    with pytest.raises((ActedOnIt, BulkRefused)) as refused:
        way(scores, alice())

    told = refused.value.message
    assert "You had acted on what was appealed against" in told
    if way in (roll_back_debate, play_again, roll_back_in_bulk, rescored, apply_set):
        assert "P2" in told
        assert "P1" not in told
    assert state(scores[1]) == before


def test_who_lost_changes_what_was_not_put_right_and_freezes_the_rest(scores):
    acts.override(order=of(scores[0], alice()), value="5", now=NOW())
    acts.freeze(order=of(scores[1], alice()), now=NOW())


@pytest.mark.parametrize("scores", [5, -5], ids=["ahead", "behind"], indirect=True)
def test_before_and_since_are_told_by_one_clock(scores):
    carol = factories.moderator("carol")

    with pytest.raises(ActedOnIt):
        acts.lift(order=of(scores[1], alice()), now=NOW())
    one_then_the_other(scores, carol)
    acts.override(order=of(scores[1], alice()), value="6", now=NOW())


def test_previews_say_it_beforehand(scores):
    carol = factories.moderator("carol")
    second = scores[1].pk

    for intent in (Intent(EntryKind.OVERRIDE_LIFTED), Intent(EntryKind.ROLLBACK, target=1)):
        with pytest.raises(ActedOnIt):
            previews.preview(evaluation_id=second, intent=intent, by=alice().pk)
        previews.preview(evaluation_id=second, intent=intent, by=carol.pk)
    with pytest.raises(ActedOnIt):
        undo.preview_of(evaluation_id=second, choice=None, by=alice().pk)
    previews.preview(evaluation_id=second, intent=Intent(EntryKind.FREEZE), by=alice().pk)
    for person, refuses in ((alice(), [False, True]), (carol, [False, False])):
        lines = bulk.preview(action=BulkAction.ROLLBACK, rows=rows(), by=person)
        assert [isinstance(line.refusal, ActedOnIt) for line in lines] == refuses


@pytest.mark.parametrize("choice", HeldChoice)
def test_what_takes_an_unfreeze_back_is_refused_beforehand_where_it_is_more_than_a_freeze(scores, choice):
    second = scores[1]
    acts.freeze(order=of(second, alice()), now=NOW())
    factories.count_after_the_end(second, "-1")
    acts.unfreeze(order=of(second, carol()), choice=choice, now=NOW())
    page, kept = client_of(alice()).get(of_score("undo", second)), choice is HeldChoice.APPLY

    shown, done = (refusal_of(way, second) for way in (foreseen, lambda second: take_back(second, alice())))

    assert (shown, done) == ((LOST, LOST) if kept else ("", ""))
    assert (LOST in words(page), 'name="_act"' in page.content.decode()) == (kept, not kept)


def test_the_undo_of_an_unfreeze_is_refused_to_who_lost_for_what_stands_in_its_way(scores):
    for action, choice in ((BulkAction.FREEZE, None), (BulkAction.UNFREEZE, HeldChoice.DISCARD)):
        order = BulkOrder(action=action, rows=rows(), by=carol(), choice=choice, **BECAUSE)
        bulk.act(order=order, now=NOW())
    acts.freeze(order=of(scores[1], carol()), now=NOW())

    with pytest.raises(BulkRefused, match="1 of 2 refuse") as refusal:
        take_back(scores[0], alice())

    [line] = refusal.value.details["refused"]
    assert (line["code"], "somebody has acted on" in line["why"]) == ("not_allowed_now", True)


def foreseen(evaluation):
    undo.preview_of(evaluation_id=evaluation.pk, choice=None, by=alice().pk)


def refusal_of(way, evaluation):
    try:
        way(evaluation)
    except ActedOnIt as refusal:
        return refusal.message
    return ""


def test_pages_of_a_debate_say_it_before_anything_is_written(scores):
    pages = [address("debates_debate", page, scores[0].debate_id) for page in ("roll_back", "rerun")]

    (back, again), (carols, _) = ([client_of(who).get(page) for page in pages] for who in (alice(), carol()))

    assert [
        ("You had acted on what was appealed against" in words(page), 'name="_act"' in page.content.decode())
        for page in (back, again, carols)
    ] == [(True, False), (True, True), (False, True)]


@pytest.mark.parametrize("page", ["freeze", "override", "lift", "strike", "roll_back"])
def test_pages_of_a_score_say_it_before_anything_is_chosen(scores, page):
    alices, carols = (words(client_of(who).get(of_score(page, scores[1]))) for who in (alice(), carol()))

    assert ["You had acted on what was appealed against" in shown for shown in (alices, carols)] == [
        page != "freeze",
        False,
    ]


def test_where_no_score_may_be_played_again_the_page_has_no_form(scores):
    acts.freeze(order=of(scores[0], carol()), now=NOW())

    page = client_of(alice()).get(address("debates_debate", "rerun", scores[0].debate_id))

    assert "These scores are frozen: P1" in words(page)
    assert 'name="_act"' not in page.content.decode()


def spread(evaluation):
    dispute = Dispute(
        run_number=1, round_number=0, reason_code=ReviewReason.SPREAD, disputed=[evaluation.key], policy={}
    )
    return open_review(debate=evaluation.debate, dispute=dispute, now=NOW())[0]


@pytest.fixture
def review():
    """One of a score on which alice lost an appeal while she held it."""
    evaluation = factories.panel(factories.debate(status="awaiting_review"), scores=("1", "5"))
    review = spread(evaluation)
    evaluation, paula, alice = scene(evaluation)
    appeal, bob = file(evaluation, paula, entry=2), factories.moderator("bob")
    claimed(appeal, bob)
    reviews.claim(review_id=review.pk, by=alice, now=NOW())
    decide(appeal, bob, AppealState.ALLOWED, remedy=override(evaluation, value="4"))
    return review


def test_the_settlement_of_a_review_says_it_beforehand(review):
    evaluation = Evaluation.objects.get(debate=review.debate_id)
    decisions = {"correctness": Decision("2", factories.REASON, seen=evaluation.moderation_version)}

    page = client_of(alice()).get(address("judging_review", "settle", review.pk))
    with pytest.raises(ActedOnIt, match=r"^correctness Correctness: You had acted"):
        reviews.settle(review_id=review.pk, by=alice(), decisions=decisions, now=NOW())

    assert "You had acted on what was appealed against" in words(page)
    assert 'name="_act"' not in page.content.decode()


def test_who_could_not_settle_a_review_gives_it_back_and_does_not_claim_it(review):
    desk, page = client_of(alice()), address("judging_review", "claim", review.pk)
    sentence = f"correctness Correctness: {LOST}"

    with pytest.raises(ActedOnIt) as refused:
        reviews.claim(review_id=review.pk, by=alice(), now=NOW())
    reviews.release(review_id=review.pk, by=alice())

    assert refused.value.message == sentence
    assert sentence in words(desk.get(page))
    assert sentence in words(desk.get(address("judging_review", "settle", review.pk)))
    assert sentence in words(desk.get(address("judging_review", "change", review.pk)))
    assert page not in desk.get(address("judging_review", "change", review.pk)).content.decode()
    assert code_of(Api(alice()).post(f"/reviews/{review.public_id}/claim/")) == (403, "acted_on_it")
    assert page in client_of(carol()).get(address("judging_review", "change", review.pk)).content.decode()


def test_the_oldest_review_that_somebody_could_settle_is_the_one_they_claim(review):
    reviews.release(review_id=review.pk, by=alice())
    assert reviews.longest_waiting(by=alice(), now=NOW()) is None
    later = spread(factories.panel(factories.debate(status="awaiting_review"), scores=("1", "5")))

    assert [reviews.longest_waiting(by=by, now=NOW()) for by in (alice(), carol())] == [later, review]


def test_who_lost_an_appeal_is_offered_no_act_on_that_score_for_another(scores):
    other = file(scores[1], participant(scores[1].debate, "otto"), entry=scores[1].moderation_version)
    pages = []
    for who in (alice(), carol()):
        claimed(other, who)
        pages.append(words(client_of(who).get(address("scoring_appeal", "decide", other.pk))))
        appeals.release(appeal_id=other.pk, by=who)

    said = (f"{scores[1]}: {LOST}", "Set the score by hand", "An act that I took for it already")
    assert [[part in page for part in said] for page in pages] == [[True, False, True], [False, True, True]]


def test_a_freeze_between_buys_nothing_and_what_somebody_else_decides_ends_it(scores):
    second, carol = scores[1], factories.moderator("carol")
    acts.freeze(order=of(second, alice()), now=NOW())
    acts.unfreeze(order=of(second, carol), choice=HeldChoice.DISCARD, now=NOW())

    with pytest.raises(ActedOnIt):
        acts.lift(order=of(second, alice()), now=NOW())
    acts.override(order=of(second, carol), value="6", now=NOW())
    acts.roll_back(order=of(second, alice()), target=1, now=NOW())


def test_who_lost_does_not_freeze_what_was_unfrozen_for_the_appeal():
    evaluation = factories.criterion(factories.debate())
    factories.count(evaluation, "1", "0.5")
    paula, bob = participant(evaluation.debate), factories.moderator("bob")
    acts.freeze(order=of(evaluation, factories.moderator("alice")), now=NOW())
    appeal = file(evaluation, paula, entry=3)
    claimed(appeal, bob)
    evaluation.refresh_from_db()
    unfreeze = Intent(EntryKind.UNFREEZE, choice=HeldChoice.DISCARD)
    decide(appeal, bob, AppealState.ALLOWED, remedy=override(evaluation, intent=unfreeze))

    with pytest.raises(ActedOnIt):
        acts.freeze(order=of(evaluation, alice()), now=NOW())
    with pytest.raises(ActedOnIt):
        take_back(evaluation, alice())
    take_back(evaluation, factories.moderator("carol"))


def test_a_large_override_of_who_lost_is_not_asked_for(scores, settings):
    settings.SECOND_PERSON_FROM = Decimal(2)

    with pytest.raises(ActedOnIt, match="You had acted"):
        acts.override(order=of(scores[1], alice()), value="3", now=NOW())

    assert not Approval.objects.exists()
    assert acts.override(order=of(scores[1], factories.moderator("carol")), value="3", now=NOW()).state == "waiting"


def test_who_lost_approves_nothing_there_as_a_second_person_and_may_refuse_it(scores, settings):
    settings.SECOND_PERSON_FROM = Decimal(2)
    second = scores[1]
    asked = acts.override(order=of(second, carol()), value="3", now=NOW())
    desk = client_of(alice())

    with pytest.raises(ActedOnIt, match="You had acted"):
        approvals.approve(approval_id=asked.pk, by=alice(), now=NOW(), **BECAUSE)
    pages = [words(desk.get(address("scoring_approval", page, asked.pk))) for page in ("approve", "change")]
    dora = client_of(factories.moderator("dora"))

    assert [LOST in page for page in pages] == [True, True]
    assert 'name="_act"' not in desk.get(address("scoring_approval", "approve", asked.pk)).content.decode()
    assert LOST not in words(dora.get(address("scoring_approval", "approve", asked.pk)))
    assert code_of(Api(alice()).post(f"/approvals/{asked.public_id}/approve/", BECAUSE)) == (403, "acted_on_it")
    second.refresh_from_db()
    assert second.value == 7
    approvals.refuse(approval_id=asked.pk, by=alice(), now=NOW(), **BECAUSE)


def test_one_that_was_asked_for_before_the_appeal_was_allowed_can_only_be_refused(settings):
    evaluation, paula, asker = scene()
    appeal, bob, carol = file(evaluation, paula, entry=3), factories.moderator("bob"), factories.moderator("carol")
    claimed(appeal, bob)
    entry = acted_for_it(evaluation, bob, Intent(EntryKind.OVERRIDE, value="7"))
    settings.SECOND_PERSON_FROM = Decimal(2)
    asked = acts.override(order=of(evaluation, asker), value="3", now=NOW())
    decide(appeal, bob, AppealState.ALLOWED, remedy=Remedy(evaluation.pk, entry=entry))

    with pytest.raises(ActedOnIt, match="Whoever asked for this override lost an appeal"):
        approvals.approve(approval_id=asked.pk, by=carol, now=NOW(), **BECAUSE)
    approvals.refuse(approval_id=asked.pk, by=carol, now=NOW(), **BECAUSE)


def test_desk_and_api_refuse_who_lost(scores):
    second = scores[1]
    before = state(second)
    api = Api(alice())
    path = f"/evaluations/{second.public_id}/"

    told = send(client_of(alice()), "lift", second)
    answer = api.post(path + "override/", {**BECAUSE, "value": "3"}, If_Match=api.get(path).headers["ETag"])

    assert "You had acted on what was appealed against" in told
    assert code_of(answer) == (403, "acted_on_it")
    assert state(second) == before
