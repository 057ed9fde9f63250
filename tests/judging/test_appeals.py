"""Appeals: who may file one and until when, what is frozen with it, who decides it and how, and what is told of it."""

import asyncio
import json
import threading
from contextlib import suppress
from datetime import timedelta
from decimal import Decimal

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.management import call_command
from django.db import transaction
from django.utils import timezone

from debates.errors import Invalid, NotAllowedNow, NotFound, NotPermitted
from debates.mail import texts
from debates.models import Debate, Event, Mail, Membership
from debates.models.seal import Seal
from debates.types import News
from judging.engine import appeals, conductor, lifecycle, play, selectors
from judging.engine.appeals import AppealDecision, Remedy
from scoring import verify
from scoring.enums import ActorKind, AppealGround, AppealState, EntryKind, FactKind, HeldChoice
from scoring.errors import (
    ActedOnIt,
    AppealedAlready,
    AppealLate,
    ConflictOfInterest,
    NeedsSecondPerson,
    Stale,
    TooManyAppeals,
)
from scoring.groups import MODERATOR
from scoring.models import Alert, Appeal, Conflict, Evaluation, Fact
from scoring.services import accounts, approvals, moderation, undo
from scoring.services.actions import Intent
from scoring.services.entries import Author, actor_of, reason_record
from scoring.services.rounds import Given
from scoring.services.steps import take
from scoring.services.undo import UndoOrder
from tests import acts, factories, playing
from tests.judging.erasure.erase import erase
from tests.judging.test_score_account import played
from tests.moderators import member
from tests.scoring.concurrency import at_once, until_somebody_waits

pytestmark = pytest.mark.django_db
NOW = timezone.now
WORDS = "The third paragraph says 120 wells, and not 12."
ALLOWED, DISMISSED, MOOT = AppealState.ALLOWED, AppealState.DISMISSED, AppealState.MOOT


def participant(debate: Debate, name: str = "paula", role: str = "participant"):
    user = factories.person(name)
    Membership.objects.create(debate=debate, user=user, role=role)
    return user


def seal_of(row):
    newest = Seal.objects.filter(relation=row._meta.db_table, key=row.pk).latest("id")
    return bytes(newest.digest).hex()


def scene(evaluation=None):
    """A score that alice has set by hand, and somebody who takes part."""
    if evaluation is None:
        evaluation = factories.criterion(factories.debate())
        factories.count(evaluation, "1", "0.5")
    alice = factories.moderator("alice")
    acts.override(order=factories.order(evaluation, alice), value="3", now=NOW())
    return evaluation, participant(evaluation.debate), alice


def file(evaluation, by, *, entry=None, fact=None, words=WORDS, now=None, ground=AppealGround.PASSAGE_MISREAD):
    row = evaluation.entries.get(sequence=entry) if entry else None
    return appeals.file(
        debate_id=evaluation.debate_id, by=by, ground=ground, words=words, now=now or NOW(),
        entry_id=row.pk if row else None, fact_id=fact,
    )  # fmt: skip


def override(evaluation, value="7", intent=None, **more):
    seen = Evaluation.objects.values_list("moderation_version", flat=True).get(pk=evaluation.pk)
    return Remedy(evaluation.pk, intent=intent or Intent(EntryKind.OVERRIDE, value=value), **{"seen": seen, **more})


def decide(appeal, by, outcome=DISMISSED, *, ahead=timedelta(0), **more):
    decision = AppealDecision(by=by, outcome=outcome, **{"reason": "The paragraph says 12.", **more})
    return appeals.decide(appeal_id=appeal.pk, decision=decision, now=NOW() + ahead)


def claimed(appeal, by):
    return appeals.claim(appeal_id=appeal.pk, by=by, now=NOW())


# -- filing ------------------------------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_who_waited_for_a_debate_that_is_played_again_meanwhile_appeals_against_no_result():
    debate = played().debate
    paula, again = participant(debate), threading.Event()

    def play_again():
        with transaction.atomic():
            factories.again(debate)
            again.set()
            until_somebody_waits()

    def appeal():
        again.wait(timeout=120)
        appeals.file(debate_id=debate.pk, by=paula, ground=AppealGround.PASSAGE_MISREAD, words=WORDS, now=NOW())

    _, refusal = at_once(play_again, appeal)

    assert isinstance(refusal, NotAllowedNow)
    assert "has no result" in refusal.message


def test_an_appeal_against_an_entry_is_filed_with_its_evidence_and_told_without_words(settings):
    settings.MAIL_IS_SENT = True
    evaluation, paula, _ = scene()
    entry = evaluation.entries.latest("sequence")

    appeal = file(evaluation, paula, entry=entry.sequence)

    appeal.refresh_from_db()
    assert (appeal.state, appeal.about, appeal.person, appeal.because.text) == ("open", "entry", paula, WORDS)
    assert appeal.evidence["entry"] == {
        "sequence": entry.sequence, "kind": "override", "at": entry.at.isoformat(), "before": "7.50",
        "after": "3.00", "computedAfter": "7.50", "overrideAfter": "3.00", "by": "moderator",
        "reason": entry.reason.digest, "previousHash": bytes(entry.previous_hash).hex(),
        "hash": bytes(entry.hash).hex(),
    }  # fmt: skip
    assert appeal.evidence["subject"] == seal_of(evaluation.debate.subject)
    [told] = Event.objects.filter(type="appeal:filed")
    assert told.audience == "participants"
    assert told.data == {
        "appeal": str(appeal.public_id), "about": "entry", "evaluation": str(evaluation.public_id),
        "entry": entry.sequence, "ground": "passage_misread",
    }  # fmt: skip
    assert {(mail.kind, mail.person.username) for mail in Mail.objects.all()} == {("appeal", "alice")}


def test_evidence_of_a_ruling_names_challenge_defence_and_ruling_by_id_and_seal_and_holds_no_words():
    evaluation = played()
    paula = participant(evaluation.debate)

    appeal = file(evaluation, paula, fact=evaluation.basis[0])

    [ruling] = appeal.evidence["rulings"]
    fact = evaluation.facts.get(pk=evaluation.basis[0])
    verdict = fact.verdict
    assert ruling["fact"] == str(fact.public_id)
    assert [said["kind"] for said in ruling["said"]] == ["challenge", "defence", "ruling"]
    assert ruling["said"][0]["id"] == str(verdict.challenge.turn.public_id)
    assert ruling["said"][0]["seal"] == seal_of(verdict.challenge.turn)
    assert (ruling["said"][2]["seal"], ruling["seal"]) == (seal_of(verdict), seal_of(fact))
    assert verdict.challenge.turn.text not in json.dumps(appeal.evidence)


def test_evidence_of_a_result_is_every_score():
    evaluation = played()

    appeal = file(evaluation, participant(evaluation.debate))

    [score] = appeal.evidence["scores"]
    assert appeal.about == "result"
    assert (score["evaluation"], score["head"]) == (str(evaluation.public_id), bytes(evaluation.head_hash).hex())


def test_who_takes_part_may_appeal_and_everybody_signed_in_where_the_site_says_so(settings):
    evaluation, paula, _ = scene()
    stranger, guest = factories.person("sven"), participant(evaluation.debate, "gina", "guest")
    organiser = participant(evaluation.debate, "olga", "organiser")

    for refused in (stranger, guest, AnonymousUser()):
        with pytest.raises(NotPermitted):
            file(evaluation, refused, entry=1)
    for taken in (paula, organiser):
        file(evaluation, taken, entry=1)
    settings.APPEALS_FROM = "signed_in"
    file(evaluation, stranger, entry=1)
    Debate.objects.filter(pk=evaluation.debate_id).update(visibility="private")
    with pytest.raises(NotFound):
        file(evaluation, factories.person("tina"), entry=2)
    settings.APPEALS_DAYS = 0
    with pytest.raises(NotPermitted, match="no appeals"):
        file(evaluation, paula, entry=2)


def test_an_appeal_is_late_after_the_days_of_the_setting(settings):
    evaluation, paula, _ = scene()
    settings.APPEALS_DAYS = 2
    at = evaluation.entries.get(sequence=3).at

    with pytest.raises(AppealLate) as late:
        file(evaluation, paula, entry=3, now=at + timedelta(days=2))
    assert late.value.code == "appeal_late"
    file(evaluation, paula, entry=3, now=at + timedelta(days=2, seconds=-1))


def test_one_appeal_per_person_and_entry():
    evaluation, paula, _ = scene()
    file(evaluation, paula, entry=3)

    with pytest.raises(AppealedAlready):
        file(evaluation, paula, entry=3)
    file(evaluation, paula, entry=2)
    file(evaluation, participant(evaluation.debate, "otto"), entry=3)


def test_whoever_appealed_against_a_result_may_appeal_once_against_the_one_that_came_anew():
    evaluation = played()
    paula, bob = participant(evaluation.debate), factories.moderator("bob")
    first = file(evaluation, paula)
    lifecycle.rerun(debate_id=evaluation.debate_id, by=factories.moderator("alice"), reason=factories.REASON, now=NOW())
    with pytest.raises(NotAllowedNow, match="has no result"):
        file(evaluation, paula)
    playing.work()
    claimed(first, bob)
    decide(first, bob, MOOT)

    second = file(evaluation, paula)

    second.refresh_from_db()
    assert second.result_at == Debate.objects.get(pk=evaluation.debate_id).concluded_at
    appeals.withdraw(appeal_id=second.pk, by=paula, now=NOW())
    with pytest.raises(AppealedAlready):
        file(evaluation, paula)


@pytest.mark.parametrize("limit", ["APPEALS_PER_DAY", "APPEALS_OPEN_PER_PERSON", "APPEALS_OPEN_PER_DEBATE"])
def test_more_than_so_many_appeals_are_not_taken(limit, settings):
    evaluation, paula, _ = scene()
    setattr(settings, limit, 1)
    first = file(evaluation, paula, entry=1)

    with pytest.raises(TooManyAppeals):
        file(evaluation, paula, entry=2)
    appeals.withdraw(appeal_id=first.pk, by=paula, now=NOW())

    if limit == "APPEALS_PER_DAY":
        with pytest.raises(TooManyAppeals):
            file(evaluation, paula, entry=2)
        evaluation.entries.get(sequence=2)
        assert appeals.too_many(by=paula, debate=evaluation.debate, now=NOW() + timedelta(days=1)) is None
    else:
        file(evaluation, paula, entry=2)


def test_an_appeal_in_a_debate_that_one_may_read_no_more_takes_no_place(settings):
    evaluation, _, _ = scene()
    settings.APPEALS_OPEN_PER_PERSON, settings.APPEALS_FROM = 1, "signed_in"
    sven = factories.person("sven")
    file(evaluation, sven, entry=1)
    Debate.objects.filter(pk=evaluation.debate_id).update(visibility="private")

    file(factories.criterion(factories.debate()), sven, entry=1)

    assert sven.appeals.count() == 2


def test_strangers_who_appeal_take_no_place_of_those_who_take_part(settings):
    evaluation, paula, _ = scene()
    settings.APPEALS_OPEN_PER_DEBATE, settings.APPEALS_FROM = 1, "signed_in"
    file(evaluation, factories.person("sven"), entry=1)

    with pytest.raises(TooManyAppeals):
        file(evaluation, factories.person("tina"), entry=1)
    file(evaluation, paula, entry=1)
    with pytest.raises(TooManyAppeals):
        file(evaluation, participant(evaluation.debate, "otto"), entry=1)


@pytest.mark.parametrize("words", ["Too short", "   \n    ", "x" * 4001], ids=["short", "blank", "long"])
def test_the_words_have_a_length(words):
    evaluation, paula, _ = scene()

    with pytest.raises(Invalid) as refused:
        file(evaluation, paula, entry=1, words=words)

    assert refused.value.field == "words"


def test_what_is_of_another_debate_is_not_there():
    evaluation, paula, _ = scene()
    other = factories.criterion(factories.debate())
    factories.count(other, "1")
    about = {"debate_id": evaluation.debate_id, "by": paula, "ground": AppealGround.OTHER, "words": WORDS, "now": NOW()}

    with pytest.raises(NotFound):
        appeals.file(**about, entry_id=other.entries.first().pk)
    with pytest.raises(NotFound):
        appeals.file(**about, fact_id=other.facts.first().pk)
    with pytest.raises(NotFound):
        appeals.file(**{**about, "debate_id": 0})


def test_what_stands_no_more_is_not_appealed_against():
    evaluation, paula, alice = scene()
    fact = evaluation.basis[0]
    acts.lift(order=factories.order(evaluation, alice), now=NOW())
    acts.strike(order=factories.order(evaluation, alice), facts=[fact], now=NOW())

    with pytest.raises(NotAllowedNow, match="does not count"):
        file(evaluation, paula, fact=fact)
    with pytest.raises(NotAllowedNow, match="not concluded"):
        file(evaluation, paula)
    acts.roll_back(order=factories.order(evaluation, alice), target=2, now=NOW())
    with pytest.raises(NotAllowedNow, match="rolled back over"):
        file(evaluation, paula, entry=3)
    acts.roll_back(order=factories.order(evaluation, alice), target=4, now=NOW())
    file(evaluation, paula, entry=3)


def test_a_ruling_that_counts_at_the_end_is_appealed_against_once_it_counts(settings):
    debate = playing.debate(playing.script([[playing.ruling("1")]] * 2), rounds=2, score_updates="at_end")
    board = play.claim(thread_id=debate.threads.get().pk, now=NOW())
    for _ in range(3):
        board = asyncio.run(conductor.take_step(brief=selectors.brief(debate.pk), board=board))
    fact = Fact.objects.select_related("evaluation").get()
    evaluation, paula = fact.evaluation, participant(debate)

    with pytest.raises(NotAllowedNow, match="does not count yet"):
        file(evaluation, paula, fact=fact.pk)
    playing.work()
    last = evaluation.entries.get(round=fact.round_id).at + timedelta(days=settings.APPEALS_DAYS, microseconds=-1)
    with pytest.raises(AppealLate):
        file(evaluation, paula, fact=fact.pk, now=last + timedelta(microseconds=1))
    file(evaluation, paula, fact=fact.pk, now=last)


def test_what_was_undone_stands_no_more_and_what_undid_it_does():
    evaluation, _, alice = scene()
    entries = evaluation.entries
    undo.undo(order=UndoOrder(evaluation_id=evaluation.pk, by=alice, reason=factories.REASON, seen=3), now=NOW())

    assert not appeals.stands(entries.get(sequence=3))
    assert appeals.stands(entries.get(sequence=4))
    assert appeals.stands(entries.get(sequence=2))


def test_what_was_undone_stands_again_once_that_is_undone():
    evaluation, _, alice = scene()
    override = evaluation.entries.get(sequence=3)
    stood = []

    for seen in (3, 4, 5):
        order = UndoOrder(evaluation_id=evaluation.pk, by=alice, reason=factories.REASON, seen=seen)
        undo.undo(order=order, now=NOW())
        stood.append(appeals.stands(override))

    assert stood == [False, True, False]
    assert [appeals.stands(entry) for entry in evaluation.entries.order_by("sequence")][:2] == [True, True]
    acts.override(order=factories.order(evaluation, alice), value="7", now=NOW())
    last = UndoOrder(evaluation_id=evaluation.pk, by=alice, reason=factories.REASON, seen=7)
    undo.undo(order=last, now=NOW())
    assert not appeals.stands(override)
    assert appeals.voided_by(override).sequence == 6


def test_a_rerun_voids_what_came_before():
    evaluation, _, alice = scene()
    factories.over(evaluation.debate)
    lifecycle.rerun(debate_id=evaluation.debate_id, by=alice, reason=factories.REASON, now=NOW())

    assert [appeals.stands(entry) for entry in evaluation.entries.order_by("sequence")] == [False, False, False, True]


# -- withdrawing -------------------------------------------------------------------------------------------------------


def test_whoever_appealed_takes_it_back_and_nobody_else():
    evaluation, paula, alice = scene()
    appeal = file(evaluation, paula, entry=3)
    claimed(appeal, factories.moderator("bob"))

    with pytest.raises(NotPermitted):
        appeals.withdraw(appeal_id=appeal.pk, by=alice, now=NOW())
    appeals.withdraw(appeal_id=appeal.pk, by=paula, now=NOW())

    appeal.refresh_from_db()
    assert (appeal.state, appeal.decided_by, appeal.claimed_by) == ("withdrawn", None, None)
    assert Event.objects.get(type="appeal:withdrawn").audience == "participants"
    with pytest.raises(NotAllowedNow, match="was withdrawn"):
        appeals.withdraw(appeal_id=appeal.pk, by=paula, now=NOW())
    with pytest.raises(NotFound):
        appeals.withdraw(appeal_id=0, by=paula, now=NOW())


# -- deciding ----------------------------------------------------------------------------------------------------------


def test_a_claim_lasts_half_an_hour_and_keeps_others_off():
    evaluation, paula, _ = scene()
    appeal, bob, cora = file(evaluation, paula, entry=3), factories.moderator("bob"), factories.moderator("cora")
    claimed(appeal, bob)

    with pytest.raises(NotAllowedNow, match="bob holds"):
        claimed(appeal, cora)
    with pytest.raises(NotAllowedNow, match="Only who holds"):
        appeals.release(appeal_id=appeal.pk, by=cora)
    with pytest.raises(NotAllowedNow, match="Claim this appeal first"):
        decide(appeal, cora)
    appeals.claim(appeal_id=appeal.pk, by=cora, now=NOW() + timedelta(minutes=31))
    with pytest.raises(NotAllowedNow, match="Claim this appeal first"):
        decide(appeal, bob)
    appeals.release(appeal_id=appeal.pk, by=cora)
    assert Appeal.objects.get().state == "open"
    with pytest.raises(NotPermitted):
        claimed(appeal, factories.person("dirk"))


def test_it_is_dismissed_by_a_second_moderator_and_both_sides_are_told(settings):
    settings.MAIL_IS_SENT = True
    evaluation, paula, alice = scene()
    participant(evaluation.debate, "otto")
    appeal, bob = file(evaluation, paula, entry=3), factories.moderator("bob")

    with pytest.raises(ActedOnIt):
        claimed(appeal, alice)
    claimed(appeal, bob)
    decide(appeal, bob, note="She asks every time.")

    appeal.refresh_from_db()
    assert (appeal.state, appeal.decided_because.text) == ("dismissed", "The paragraph says 12.")
    assert appeal.decided_because.note.text == "She asks every time."
    told = Event.objects.get(type="appeal:decided")
    assert (told.audience, told.data["state"], "act" in told.data) == ("public", "dismissed", False)
    mails = Mail.objects.filter(kind="appeal_decided").values_list("person__username", flat=True)
    assert set(mails) == {"paula", "otto"}
    with pytest.raises(NotAllowedNow, match="was dismissed at"):
        claimed(appeal, bob)


def test_it_is_allowed_by_an_act_that_names_it():
    evaluation, paula, _ = scene(played())
    set_by_hand = evaluation.entries.latest("sequence").sequence
    appeal, bob = file(evaluation, paula, entry=set_by_hand), factories.moderator("bob")
    claimed(appeal, bob)

    decide(appeal, bob, ALLOWED, remedy=override(evaluation))

    appeal.refresh_from_db()
    evaluation.refresh_from_db()
    act = evaluation.entries.latest("sequence")
    assert (appeal.state, appeal.act, evaluation.final_score) == ("allowed", act, Decimal(7))
    assert (act.reason_code, act.reason, list(act.allows.all())) == ("appeal", appeal.decided_because, [appeal])
    types = list(Event.objects.order_by("seq").values_list("type", flat=True))
    assert types[-4:] == ["criterion:score-updated", "score:overridden", "appeal:decided", "result:changed"]
    told = Event.objects.get(type="appeal:decided").data
    assert (told["act"], told["actEvaluation"]) == (set_by_hand + 1, str(evaluation.public_id))
    assert list(verify.verify(debate_id=evaluation.debate_id).faults) == []


def test_an_unfreeze_that_allows_one_has_the_whole_debate_looked_at_as_any_other():
    evaluation = factories.criterion()
    alice, bob = (factories.moderator(name) for name in ("alice", "bob"))
    acts.freeze(order=factories.order(evaluation, alice), now=NOW())
    won = Given(FactKind.VERDICT, Decimal(0), parts={"winner": "evaluator"})
    factories.count(evaluation, *[won] * 5)
    appeal = file(evaluation, participant(evaluation.debate), entry=2)
    Debate.objects.update(status="concluded")
    claimed(appeal, bob)

    decide(
        appeal, bob, ALLOWED, remedy=override(evaluation, intent=Intent(EntryKind.UNFREEZE, choice=HeldChoice.APPLY))
    )

    assert sorted(Alert.objects.values_list("code", flat=True)) == ["no_effect", "one_sided"]


def test_a_second_appeal_is_allowed_by_the_same_act():
    evaluation, paula, _ = scene()
    first, second = file(evaluation, paula, entry=3), file(evaluation, participant(evaluation.debate, "otto"), entry=3)
    bob = factories.moderator("bob")
    claimed(first, bob)
    decide(first, bob, ALLOWED, remedy=override(evaluation))

    claimed(second, bob)
    decide(second, bob, ALLOWED, remedy=Remedy(evaluation.pk, entry=4))

    assert {appeal.act.sequence for appeal in Appeal.objects.all()} == {4}


def acted_for_it(evaluation, by, intent):
    order = factories.order(evaluation, by)
    told = type(order)(**{**vars_of(order), "reason_code": "appeal"})
    return moderation.perform(order=told, intent=intent, now=NOW()).entries[0].sequence


def test_it_is_allowed_by_the_act_that_took_what_it_is_against_away():
    evaluation, paula, _ = scene()
    ruling = evaluation.basis[0]
    appeal, bob = file(evaluation, paula, fact=ruling), factories.moderator("bob")
    claimed(appeal, bob)
    entry = acted_for_it(evaluation, bob, Intent(EntryKind.STRIKE, facts=[ruling]))

    decide(appeal, bob, ALLOWED, remedy=Remedy(evaluation.pk, entry=entry))

    assert Appeal.objects.get().act.sequence == entry


def test_it_is_not_allowed_by_an_act_that_was_undone_until_that_is_undone():
    evaluation, paula, _ = scene()
    appeal, bob = file(evaluation, paula, entry=3), factories.moderator("bob")
    claimed(appeal, bob)
    entry = acted_for_it(evaluation, bob, Intent(EntryKind.OVERRIDE, value="7"))
    take_back(evaluation, bob)

    with pytest.raises(NotAllowedNow, match="Entry 4 stands no more"):
        decide(appeal, bob, ALLOWED, remedy=Remedy(evaluation.pk, entry=entry))
    take_back(evaluation, bob)
    decide(appeal, bob, ALLOWED, remedy=Remedy(evaluation.pk, entry=entry))

    evaluation.refresh_from_db()
    assert (Appeal.objects.get().act.sequence, evaluation.final_score) == (4, Decimal(7))


def test_it_is_not_allowed_by_an_act_that_somebody_outdid():
    evaluation, paula, alice = scene()
    appeal, bob = file(evaluation, paula, entry=3), factories.moderator("bob")
    claimed(appeal, bob)
    entry = acted_for_it(evaluation, bob, Intent(EntryKind.OVERRIDE, value="7"))
    evaluation.refresh_from_db()
    acts.override(order=factories.order(evaluation, alice), value="3", now=NOW())

    with pytest.raises(NotAllowedNow, match="Entry 4 stands no more"):
        decide(appeal, bob, ALLOWED, remedy=Remedy(evaluation.pk, entry=entry))


def take_back(evaluation, by):
    evaluation.refresh_from_db()
    seen = evaluation.moderation_version
    undo.undo(order=UndoOrder(evaluation_id=evaluation.pk, by=by, reason=factories.REASON, seen=seen), now=NOW())


def test_what_was_taken_back_and_done_again_by_whoever_did_it_is_put_right_by_an_act():
    evaluation, paula, alice = scene()
    appeal, bob = file(evaluation, paula, entry=3), factories.moderator("bob")
    take_back(evaluation, alice)
    acts.override(order=factories.order(evaluation, alice), value="3", now=NOW())
    claimed(appeal, bob)

    with pytest.raises(NotAllowedNow, match="find the appeal moot, or allow it"):
        decide(appeal, bob)
    decide(appeal, bob, ALLOWED, remedy=override(evaluation))

    evaluation.refresh_from_db()
    assert (Appeal.objects.get().state, evaluation.final_score) == ("allowed", Decimal(7))


def test_of_an_act_that_was_outdone_the_appeal_that_it_allowed_says_by_which_as_long_as_that_stands():
    evaluation, paula, _ = scene()
    appeal, bob = file(evaluation, paula, entry=3), factories.moderator("bob")
    claimed(appeal, bob)
    decide(appeal, bob, ALLOWED, remedy=override(evaluation))
    evaluation.refresh_from_db()
    acts.override(order=factories.order(evaluation, bob), value="6", now=NOW())
    outdone = appeals.taken_back_by(evaluation.entries.get(sequence=4))

    take_back(evaluation, bob)

    assert (outdone.sequence, appeals.taken_back_by(evaluation.entries.get(sequence=4))) == (5, None)


def test_an_override_is_not_outdone_by_another_to_the_same_value():
    evaluation, paula, _ = scene()
    appeal, bob = file(evaluation, paula, entry=3), factories.moderator("bob")
    claimed(appeal, bob)
    decide(appeal, bob, ALLOWED, remedy=override(evaluation))
    evaluation.refresh_from_db()
    act = evaluation.entries.get(sequence=4)

    acts.override(order=factories.order(evaluation, bob), value=str(act.override_after), now=NOW())

    assert (evaluation.entries.count(), appeals.taken_back_by(evaluation.entries.get(sequence=4))) == (5, None)


def test_an_act_that_was_outdone_once_and_set_again_allows_nothing():
    evaluation, paula, _ = scene()
    appeal, bob = file(evaluation, paula, entry=3), factories.moderator("bob")
    claimed(appeal, bob)
    entry = acted_for_it(evaluation, bob, Intent(EntryKind.OVERRIDE, value="7"))
    again = str(evaluation.entries.get(sequence=entry).override_after)
    for value in ("8", again):
        evaluation.refresh_from_db()
        acts.override(order=factories.order(evaluation, factories.moderator(f"carol{value}")), value=value, now=NOW())

    with pytest.raises(NotAllowedNow, match="outdone once"):
        decide(appeal, bob, ALLOWED, remedy=Remedy(evaluation.pk, entry=entry))


def test_a_strike_is_outdone_once_all_that_it_struck_is_back_and_by_nothing_else():
    evaluation, _, alice = scene()
    first, second = evaluation.basis
    acts.strike(order=factories.order(evaluation, alice), facts=[first, second], now=NOW())
    struck = evaluation.entries.latest("sequence")
    evaluation.refresh_from_db()
    acts.freeze(order=factories.order(evaluation, alice), now=NOW())
    before = appeals.taken_back_by(struck)
    evaluation.refresh_from_db()
    acts.unfreeze(order=factories.order(evaluation, alice), choice=HeldChoice.DISCARD, now=NOW())

    said = []
    for act, fact in (
        (acts.reinstate, second),
        (acts.strike, second),
        (acts.reinstate, first),
        (acts.reinstate, second),
    ):
        evaluation.refresh_from_db()
        act(order=factories.order(evaluation, alice), facts=[fact], now=NOW())
        said.append(appeals.taken_back_by(evaluation.entries.get(pk=struck.pk)))

    assert (before, said) == (None, [None, None, None, evaluation.entries.latest("sequence")])


def test_a_strike_stands_whatever_else_is_set_and_of_an_appeal_against_one_ruling_that_one_counts():
    evaluation, _, alice = scene()
    first, second = evaluation.basis
    acts.strike(order=factories.order(evaluation, alice), facts=[first, second], now=NOW())
    struck = evaluation.entries.latest("sequence")

    for act, about in (
        (acts.override, {"value": "3"}),
        (acts.reinstate, {"facts": [second]}),
        (acts.strike, {"facts": [second]}),
        (acts.reinstate, {"facts": [first]}),
    ):
        evaluation.refresh_from_db()
        act(order=factories.order(evaluation, alice), **about, now=NOW())

    said = [appeals.taken_back_by(evaluation.entries.get(pk=struck.pk), of=of) for of in (None, first, second)]
    assert said == [None, evaluation.entries.latest("sequence"), None]


def test_an_override_that_was_set_again_is_not_outdone():
    evaluation, _, alice = scene()
    acts.override(order=factories.order(evaluation, alice), value="7", now=NOW())
    act, said = evaluation.entries.latest("sequence"), []

    for value in ("8", "7", "8"):
        evaluation.refresh_from_db()
        acts.override(order=factories.order(evaluation, alice), value=value, now=NOW())
        outdone = appeals.taken_back_by(evaluation.entries.get(pk=act.pk))
        said.append(outdone and outdone.override_after)

    assert said == [8, None, 8]


@pytest.mark.parametrize(("about", "by"), [("entry", "rollback"), ("ruling", "strike"), ("ruling", "rollback")])
def test_whoever_voided_what_an_appeal_is_against_does_not_find_it_moot(about, by):
    evaluation, paula, _ = scene()
    bob, ruling = factories.moderator("bob"), evaluation.basis[0]
    appeal = file(evaluation, paula, **({"entry": 3} if about == "entry" else {"fact": ruling}))
    claimed(appeal, bob)
    back = Intent(EntryKind.ROLLBACK, target=2 if about == "entry" else 1)
    entry = acted_for_it(evaluation, bob, Intent(EntryKind.STRIKE, facts=[ruling]) if by == "strike" else back)

    with pytest.raises(ActedOnIt):
        decide(appeal, bob, MOOT)
    decide(appeal, bob, ALLOWED, remedy=Remedy(evaluation.pk, entry=entry))


def test_whoever_voided_a_ruling_by_a_rerun_does_not_find_it_moot():
    evaluation = played()
    appeal, bob = file(evaluation, participant(evaluation.debate), fact=evaluation.basis[0]), factories.moderator("bob")
    lifecycle.rerun(debate_id=evaluation.debate_id, by=bob, reason=factories.REASON, now=NOW())

    with pytest.raises(ActedOnIt):
        claimed(appeal, bob)


def test_whoever_put_a_ruling_back_by_a_rollback_does_not_decide():
    evaluation, paula, alice = scene()
    bob, ruling = factories.moderator("bob"), evaluation.basis[0]
    acts.strike(order=factories.order(evaluation, alice), facts=[ruling], now=NOW())
    acts.roll_back(order=factories.order(evaluation, bob), target=2, now=NOW())
    appeal = file(evaluation, paula, fact=ruling)

    with pytest.raises(ActedOnIt):
        claimed(appeal, bob)


def test_whoever_appeals_against_the_same_does_not_decide_anothers_appeal():
    evaluation, paula, _ = scene()
    bob = factories.moderator("bob")
    Debate.objects.filter(pk=evaluation.debate_id).update(created_by=bob)
    appeal, own = file(evaluation, paula, entry=3), file(evaluation, bob, entry=3)

    with pytest.raises(ActedOnIt):
        claimed(appeal, bob)
    appeals.withdraw(appeal_id=own.pk, by=bob, now=NOW())
    with pytest.raises(ActedOnIt):
        claimed(appeal, bob)


def test_whoever_acted_for_an_appeal_does_not_dismiss_another():
    evaluation = played()
    appeal, bob = file(evaluation, participant(evaluation.debate)), factories.moderator("bob")
    claimed(appeal, bob)
    acted_for_it(evaluation, bob, Intent(EntryKind.OVERRIDE, value="7"))

    with pytest.raises(ActedOnIt):
        decide(appeal, bob)

    assert Appeal.objects.get().state == "claimed"


def test_an_act_that_needs_a_second_person_is_asked_for_first_and_named_then(settings):
    evaluation, paula, _ = scene()
    appeal, bob = file(evaluation, paula, entry=3), factories.moderator("bob")
    settings.SECOND_PERSON_FROM = Decimal(2)
    claimed(appeal, bob)

    with pytest.raises(NeedsSecondPerson, match="Ask for it first"):
        decide(appeal, bob, ALLOWED, remedy=override(evaluation))
    order = factories.order(evaluation, bob)
    asked = acts.override(order=type(order)(**{**vars_of(order), "reason_code": "appeal"}), value="7", now=NOW())
    approvals.approve(approval_id=asked.pk, by=factories.moderator("cora"), reason=factories.REASON, now=NOW())
    decide(appeal, bob, ALLOWED, remedy=Remedy(evaluation.pk, entry=4))

    assert Appeal.objects.get().act.sequence == 4


def vars_of(order):
    return {name: getattr(order, name) for name in ("evaluation_id", "by", "reason", "note", "seen")}


def test_a_decision_fits_the_appeal():
    evaluation, paula, _ = scene()
    appeal, bob = file(evaluation, paula, entry=3), factories.moderator("bob")
    other = factories.criterion(evaluation.debate, key="P2")
    claimed(appeal, bob)
    strange = factories.criterion()

    for remedy, outcome, message in (
        (None, ALLOWED, "by an act of the ledger"),
        (override(evaluation), DISMISSED, "by an act of the ledger"),
        (None, AppealState.WITHDRAWN, "outcome must be one of"),
        (override(other), ALLOWED, "on the score"),
        (override(strange), ALLOWED, "on the score"),
        (Remedy(0, entry=1), ALLOWED, "on the score"),
        (Remedy(evaluation.pk), ALLOWED, "one of the two"),
        (override(evaluation, intent=Intent(EntryKind.FREEZE, facts=[1])), ALLOWED, "freeze takes no facts"),
        (Remedy(evaluation.pk, entry=3), ALLOWED, "that you wrote"),
        (Remedy(evaluation.pk, entry=99), ALLOWED, "that you wrote"),
        (override(evaluation, seen=None), ALLOWED, "moderation_version"),
    ):
        with pytest.raises(Invalid, match=message):
            decide(appeal, bob, outcome, remedy=remedy)
    with pytest.raises(Stale):
        decide(appeal, bob, ALLOWED, remedy=override(evaluation, seen=1))
    with pytest.raises(NotAllowedNow, match="not moot"):
        decide(appeal, bob, MOOT)

    assert Appeal.objects.get().state == "claimed"


def test_what_was_voided_meanwhile_is_moot():
    evaluation, paula, alice = scene()
    appeal, bob = file(evaluation, paula, entry=3), factories.moderator("bob")
    claimed(appeal, bob)
    acts.roll_back(order=factories.order(evaluation, alice), target=2, now=NOW())

    with pytest.raises(NotAllowedNow, match="find the appeal moot"):
        decide(appeal, bob)
    decide(appeal, bob, MOOT)

    assert Appeal.objects.get().state == "moot"


@pytest.mark.django_db(transaction=True)
def test_a_ruling_that_is_struck_while_its_appeal_is_decided_is_not_dismissed():
    evaluation, paula, alice = scene()
    ruling, bob = evaluation.basis[0], factories.moderator("bob")
    appeal, struck = file(evaluation, paula, fact=ruling), threading.Event()
    claimed(appeal, bob)

    def strike():
        with transaction.atomic():
            [row] = accounts.lock_with_debates(evaluations=[evaluation.pk])
            author = Author(kind=ActorKind.MODERATOR, actor=actor_of(alice), reason=reason_record(factories.REASON))
            take(evaluation=row, author=author, intent=Intent(EntryKind.STRIKE, facts=[ruling]))
            struck.set()
            until_somebody_waits()

    def dismiss():
        struck.wait(timeout=120)
        decide(appeal, bob)

    _, refusal = at_once(strike, dismiss)

    assert isinstance(refusal, NotAllowedNow)
    assert Appeal.objects.get().state == "claimed"


def test_a_result_that_came_anew_is_moot():
    evaluation = played()
    appeal, bob = file(evaluation, participant(evaluation.debate)), factories.moderator("bob")
    claimed(appeal, bob)
    factories.again(evaluation.debate)
    factories.over(evaluation.debate)

    decide(appeal, bob, MOOT)


def test_a_result_that_stands_is_not_moot_though_the_clock_of_who_wrote_it_was_ahead():
    evaluation = played()
    Debate.objects.filter(pk=evaluation.debate_id).update(status="running", concluded_at=None)
    ahead = NOW() + timedelta(minutes=5)
    factories.stands(
        evaluation.debate, "concluded", News("debate:concluded", {"partial": False, "reason": ""}), now=ahead
    )
    appeal, bob = file(evaluation, participant(evaluation.debate)), factories.moderator("bob")
    claimed(appeal, bob)

    with pytest.raises(NotAllowedNow, match="not moot"):
        decide(appeal, bob, MOOT)
    decide(appeal, bob)

    assert Appeal.objects.get().state == "dismissed"


def acted_by_approval(evaluation, settings):
    settings.SECOND_PERSON_FROM = Decimal(2)
    asked = acts.override(order=factories.order(evaluation, factories.moderator("ella")), value="9", now=NOW())
    settings.SECOND_PERSON_FROM = None
    approvals.approve(approval_id=asked.pk, by=factories.moderator("fred"), reason=factories.REASON, now=NOW())
    return ["ella", "fred"]


def test_whoever_asked_for_it_or_approved_it_does_not_decide(settings, django_user_model):
    evaluation, paula, _ = scene()
    names = acted_by_approval(evaluation, settings)
    appeal = file(evaluation, paula, entry=4)

    for name in names:
        with pytest.raises(ActedOnIt):
            claimed(appeal, django_user_model.objects.get(username=name))
    claimed(appeal, factories.moderator("bob"))


def test_a_party_does_not_decide_nor_does_whoever_appeals():
    evaluation, _, alice = scene()
    carol, dora = factories.moderator("carol"), factories.moderator("dora")
    about = {"by": actor_of(alice), "because": reason_record(factories.REASON)}
    Conflict.objects.create(debate=evaluation.debate, person=carol, **about)
    Debate.objects.filter(pk=evaluation.debate_id).update(created_by=dora)
    appeal = file(evaluation, dora, entry=3)

    with pytest.raises(ConflictOfInterest):
        claimed(appeal, carol)
    with pytest.raises(ActedOnIt):
        claimed(appeal, dora)


def test_a_result_is_decided_by_who_moved_no_score_of_it():
    evaluation = played()
    alice, bob = factories.moderator("alice"), factories.moderator("bob")
    acts.freeze(order=factories.order(evaluation, alice), now=NOW())
    appeal = file(evaluation, participant(evaluation.debate))

    with pytest.raises(ActedOnIt):
        claimed(appeal, alice)
    claimed(appeal, bob)
    decide(appeal, bob)


def test_an_organiser_who_decides_is_marked():
    evaluation, paula, _ = scene()
    bob = factories.moderator("bob")
    Debate.objects.filter(pk=evaluation.debate_id).update(created_by=bob)
    appeal = file(evaluation, paula, entry=3)
    claimed(appeal, bob)

    decide(appeal, bob)

    assert Appeal.objects.get().decided_by_organiser
    assert Event.objects.get(type="appeal:decided").data["byOrganiser"] is True


# -- for ever ----------------------------------------------------------------------------------------------------------


def test_the_words_of_an_appeal_and_of_its_decision_go_by_an_erasure_and_the_rest_is_proved():
    evaluation = played()
    bob = factories.moderator("bob")
    appeal = file(evaluation, participant(evaluation.debate), entry=2)
    claimed(appeal, bob)
    decide(appeal, bob, note="She asks every time.")

    erase(evaluation.debate, factories.moderator("alice"))

    appeal.refresh_from_db()
    assert (appeal.because.text, appeal.decided_because.text, appeal.decided_because.note.text) == ("", "", "")
    call_command("verify_ledger", debate=str(evaluation.debate.public_id))


def test_who_reads_the_words():
    evaluation, paula, alice = scene()
    appeal = file(evaluation, paula, entry=3)
    others = (AnonymousUser(), factories.person("sven"))

    assert [appeals.sees_words(appeal=appeal, by=who) for who in (paula, alice, *others)] == [True, True, False, False]
    assert [Appeal.objects.filter(appeals.seen_by(who)).count() for who in (paula, alice, *others)] == [1, 1, 1, 1]
    bob = factories.moderator("bob")
    claimed(appeal, bob)
    decide(appeal, bob)
    appeal.refresh_from_db()
    assert all(appeals.sees_words(appeal=appeal, by=who) for who in others)


def test_what_was_withdrawn_is_there_for_whose_it_is_and_for_the_desk():
    evaluation, paula, alice = scene()
    appeals.withdraw(appeal_id=file(evaluation, paula, entry=3).pk, by=paula, now=NOW())

    found = [Appeal.objects.filter(appeals.seen_by(who)).count() for who in (paula, alice, AnonymousUser())]
    assert found == [1, 1, 0]


@pytest.mark.parametrize("kind", ["override", "override_lifted", "strike", "reinstate", "rollback"])
def test_a_remedy_that_is_offered_takes_its_inputs_from_the_appeal(kind):
    evaluation, paula, alice = scene()
    bob, fact = factories.moderator("bob"), evaluation.basis[0]
    if kind == "reinstate":
        acts.strike(order=factories.order(evaluation, alice), facts=[fact], now=NOW())
    entry = {"strike": 2, "reinstate": 4}.get(kind, 3)
    appeal = file(evaluation, paula, entry=entry)
    claimed(appeal, bob)
    appeal = Appeal.objects.get()

    assert EntryKind(kind) in appeals.remedies(appeal, by=bob)
    intent = appeals.intent_for(appeal, EntryKind(kind), value="8")
    decide(appeal, bob, ALLOWED, remedy=override(evaluation, intent=intent))

    appeal.refresh_from_db()
    assert (appeal.act.kind, appeal.act.facts, appeal.act.target_sequence) == (
        kind, {"strike": evaluation.basis, "reinstate": [fact]}.get(kind, []), 2 if kind == "rollback" else None,
    )  # fmt: skip


def test_of_a_result_a_score_is_set_by_hand():
    evaluation = played()
    file(evaluation, participant(evaluation.debate))

    assert list(appeals.remedies(Appeal.objects.get(), by=factories.moderator("bob"))) == ["override"]


def test_of_a_result_no_score_that_is_frozen_is_set_by_hand():
    evaluation = played()
    file(evaluation, participant(evaluation.debate))
    acts.freeze(order=factories.order(evaluation, factories.moderator("alice")), now=NOW())

    assert list(appeals.remedies(Appeal.objects.get(), by=factories.moderator("bob"))) == []


def test_what_would_be_refused_is_not_offered_as_a_remedy():
    evaluation, paula, alice = scene()
    appeal, bob = file(evaluation, paula, entry=3), factories.moderator("bob")
    moderator = member(MODERATOR)

    offered = [set(appeals.remedies(Appeal.objects.get(), by=who)) for who in (bob, moderator)]
    acts.freeze(order=factories.order(evaluation, alice), now=NOW())
    frozen = file(evaluation, paula, entry=4)
    after = [list(appeals.remedies(Appeal.objects.get(pk=row.pk), by=bob)) for row in (appeal, frozen)]

    assert offered == [{"override", "override_lifted", "rollback"}, {"override", "override_lifted"}]
    assert after == [["unfreeze"], ["unfreeze"]]
    claimed(frozen, bob)
    decide(frozen, bob, ALLOWED, remedy=override(evaluation, intent=appeals.intent_for(frozen, EntryKind.UNFREEZE)))
    assert Appeal.objects.get(pk=frozen.pk).act.kind == "unfreeze"


@pytest.mark.parametrize("ends", ["withdrawn", "decided", None])
def test_nobody_is_told_of_an_appeal_that_was_withdrawn_or_decided_before(ends, settings):
    settings.MAIL_IS_SENT = True
    evaluation, paula, _ = scene()
    appeal = file(evaluation, paula, entry=3)
    other = file(evaluation, participant(evaluation.debate, "otto"), entry=3)
    decider = factories.moderator("dora")
    if ends == "withdrawn":
        appeals.withdraw(appeal_id=appeal.pk, by=paula, now=NOW())
    if ends == "decided":
        decide(claimed(appeal, decider), decider)

    told = set()
    for mail in Mail.objects.filter(kind="appeal"):
        with suppress(texts.Withdrawn):
            texts.words_of(mail, now=NOW())
            told.add(mail.about)

    assert told == {str(row.public_id) for row in (appeal, other) if row is other or ends is None}
