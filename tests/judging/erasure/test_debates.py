"""Erasing a debate: every word goes; every score, entry and hash stays."""

import asyncio
import json
from dataclasses import replace
from uuid import uuid4

import pytest
from django.contrib.admin.models import CHANGE, LogEntry
from django.urls import reverse
from django.utils import timezone

from debates import event_log
from debates.errors import Invalid, NotAllowedNow
from debates.models import Debate, EventHead, IdempotencyKey, Participant
from judging.engine import assessment, calls, conclusion, conductor, creation, erasure, lifecycle
from judging.engine.erasure import Order
from judging.formats.open import results
from judging.models import Call, Effect, NewDebate
from scoring import verify
from scoring.enums import BulkAction
from scoring.models import Erasure, Evaluation, ScoreChange
from scoring.services import bulk, rescore
from scoring.services.bulk import BulkOrder
from scoring.types import Instrument
from tests import acts, factories, playing
from tests.judging.delayed_answer import asks, meanwhile
from tests.judging.erasure.erase import CANARY, WHY, erase, everything
from tests.judging.formats.open import playing as open_debates
from tests.judging.formats.open import scripts
from tests.judging.formats.open.playing import KONRAD, MIRA
from tests.judging.formats.open.test_verify import unguarded
from tests.judging.formats.responses import batches
from tests.judging.test_appeals import file, participant
from tests.moderators import client_of, words

pytestmark = [pytest.mark.slow, pytest.mark.django_db]


def test_no_word_of_an_erased_debate_is_left_anywhere_and_its_ledger_is_proved(debate, alice):
    evaluation = Evaluation.objects.get(debate=debate)
    order = factories.order(evaluation, alice, reason=f"{CANARY} misread it all.")
    acts.override(order=order, value="4", now=timezone.now())
    IdempotencyKey.objects.create(
        owner=alice, key="a" * 64, digest="d", status=200, body=json.dumps({"id": str(debate.public_id), "x": CANARY})
    )
    for row in (evaluation, debate.participants.first()):
        LogEntry.objects.log_actions(alice.pk, [row], CHANGE, change_message=CANARY)
    heads = verify.heads()
    before = list(ScoreChange.objects.values("sequence", "value_after", "hash"))
    assert everything().count(CANARY) > 5

    erase(debate, alice)

    left = everything()
    assert CANARY not in left
    assert "district pays" not in left  # the subject
    assert "Wells" not in left  # the title
    assert list(ScoreChange.objects.values("sequence", "value_after", "hash")) == before
    assert verify.verify(heads=heads).faults == ()


def kept(owner, **body):
    row = IdempotencyKey.objects.create(owner=owner, key=uuid4().hex * 2, digest="d", status=200, body=json.dumps(body))
    return row.pk


@pytest.mark.parametrize("of", ["debate", "participant", "person"])
def test_no_answer_is_repeated_in_which_words_may_stand_that_were_erased(debate, alice, of):
    bob = factories.moderator("bob")
    chair = debate.participants.first()
    evaluation = Evaluation.objects.get(debate=debate)
    acts.override(order=factories.order(evaluation, alice), value="4", now=timezone.now())
    elsewhere = factories.criterion(factories.debate(title="Nothing of it is erased"), key="P8")
    rows = [(elsewhere.pk, 0)]
    staged = rescore.stage(action=BulkAction.FREEZE, rows=rows, reason=factories.REASON, by=alice, now=timezone.now())
    other = factories.criterion(factories.debate(title="Another"), key="P9")
    answers = [
        kept(bob, id=str(uuid4()), evaluation=str(evaluation.public_id), because=CANARY),
        kept(bob, debate=str(debate.public_id), answers=[{"by": "alice", "because": CANARY}]),
        kept(bob, participant=str(chair.public_id), name=CANARY),
    ]
    of_set = kept(bob, id=str(staged.public_id), lines=[{"evaluation": str(elsewhere.public_id)}], because=CANARY)
    stays = kept(bob, evaluation=str(other.public_id))

    erase({"debate": debate, "participant": chair, "person": alice}[of], factories.person("root", superuser=True))

    left = {stays} if of == "person" else {stays, of_set}
    assert set(IdempotencyKey.objects.values_list("pk", flat=True)) == left, answers


def test_an_erasure_says_what_went_and_why(debate, alice):
    wanted = erasure.preview(target=debate)

    done = erase(debate, alice)

    assert done.counts == wanted
    assert done.counts["turns"] == debate.turns.count()
    assert (str(done.by), str(done.because), done.debate_id) == ("alice", WHY, debate.pk)
    assert erasure.preview(target=debate) == {}


def test_an_erasure_may_be_repeated_and_finds_nothing_more(debate, alice):
    erase(debate, alice)

    assert erase(debate, alice).counts == {}


def test_whoever_keeps_words_in_memory_is_told_to_forget_them(debate, alice):
    assert debate.head.erasures == 0

    erase(debate, alice)

    debate.head.refresh_from_db()
    assert debate.head.erasures == 1


@pytest.mark.parametrize("status", ["running", "paused", "scheduled", "concluding", "awaiting_review"])
def test_a_debate_that_is_not_over_keeps_its_words(status, alice):
    playing_on = factories.debate(status=status)

    with pytest.raises(NotAllowedNow):
        erase(playing_on, alice)

    assert Erasure.objects.count() == 0


def test_a_debate_without_its_words_is_not_played_again(debate, alice):
    erase(debate, alice)
    entries = ScoreChange.objects.count()

    with pytest.raises(NotAllowedNow, match="Words of this debate were erased, so it is not played"):
        lifecycle.rerun(debate_id=debate.pk, by=alice, reason=WHY, now=timezone.now())

    debate.refresh_from_db()
    assert (debate.status, ScoreChange.objects.count()) == ("concluded", entries)


def test_a_draft_without_its_words_is_not_started(alice):
    draft = factories.debate(status="draft")
    erase(draft, alice)

    with pytest.raises(NotAllowedNow, match="Words of this debate were erased"):
        lifecycle.start(debate_id=draft.pk, by=alice, now=timezone.now())

    draft.refresh_from_db()
    assert draft.status == "draft"


ASSESS = {"purpose": "assess", "answer": {"score": "6", "confidence": "0.5", "reasoning": f"{CANARY}."}}
REFUSED = {"purpose": "synthesise", "error": f"{CANARY} is too much for us.", "permanent": True}
WORDY = {**playing.SYNTHESIS, "answer": {**playing.SYNTHESIS["answer"], "summary": f"{CANARY} it is."}}


def played_rounds(debate):
    asyncio.run(conductor.play_thread(thread_id=debate.threads.get().pk, debate_id=debate.pk))
    return conclusion.conclude(debate_id=debate.pk)


@pytest.mark.parametrize(
    ("purpose", "options", "doing", "outcome"),
    [
        ("assess", {"answers": [ASSESS], "initial": {}}, lambda of: assessment.prepare(debate_id=of.pk), "superseded"),
        (
            "judge",
            {"answers": playing.script([[{**playing.ruling("1"), "reasoning": f"{CANARY}."}]])},
            lambda of: conductor.play_thread(thread_id=of.threads.get().pk, debate_id=of.pk),
            "superseded",
        ),
        ("synthesise", {"answers": [WORDY, *playing.script([[playing.ruling("1")]])]}, played_rounds, "superseded"),
        ("synthesise", {"answers": [REFUSED, *playing.script([[playing.ruling("1")]])]}, played_rounds, "failed"),
    ],
    ids=["assessment", "round", "synthesis", "failed synthesis"],
)
def test_an_answer_that_comes_after_the_erasure_brings_no_words_back(purpose, options, doing, outcome, alice):
    answers = [{"tokens_out": 7, **answer} for answer in options["answers"]]
    debate = playing.debate(answers, rounds=1, initial=options.get("initial", {"P1": ("6", "0.5")}))

    def erased_meanwhile():
        lifecycle.cancel(debate_id=debate.pk, by=None, now=timezone.now())
        erase(debate, alice)

    meanwhile(asks(purpose), doing(debate), erased_meanwhile)

    call = Call.objects.get(purpose=purpose)
    assert (call.outcome, call.raw_answer, call.problem) == (outcome, "", calls.ERASED_BEFORE)
    assert call.tokens_out == (0 if outcome == "failed" else 7)
    assert CANARY not in everything()
    assert verify.verify().faults == ()


@pytest.mark.parametrize("whose", ["the voice", "the person"])
def test_a_late_call_about_somebody_erased_does_not_name_them(whose, alice):
    ann = factories.person("ann")
    debate = open_debates.started(
        provider="scripted", script=scripts.script(), chairs=(replace(MIRA, name="Mirabel Stone"), KONRAD), exchanges=1
    )
    mira = debate.participants.get(name="Mirabel Stone")

    def erased_meanwhile():
        lifecycle.cancel(debate_id=debate.pk, by=None, now=timezone.now())
        with unguarded(Participant):
            Participant.objects.filter(pk=mira.pk).update(user=ann, kind="human", provider="")
        erase(mira if whose == "the voice" else ann, alice)

    doing = conductor.play_thread(thread_id=debate.threads.get().pk, debate_id=debate.pk)
    meanwhile(lambda request: request.about == "Mirabel Stone", doing, erased_meanwhile)

    assert list(Call.objects.filter(problem=calls.ERASED_BEFORE).values_list("about", "raw_answer")) == [
        ("[erased 1]", "")
    ]
    assert "Mirabel" not in everything(but="debates_turn")


def test_an_erasure_needs_a_reason(debate, alice):
    with pytest.raises(Invalid):
        erasure.erase(order=Order(target=debate, by=alice, reason="because"))

    assert everything().count(CANARY) > 3


def test_a_subject_stays_while_another_debate_is_about_it(debate, alice):
    other = Debate.objects.create(format="criterion", title="Again", subject=debate.subject, parameters={})
    event_log.open_stream(debate_id=other.pk)

    erase(debate, alice)
    assert other.subject is not None
    other.subject.refresh_from_db()
    assert other.subject.text == playing.SUBJECT

    erase(other, alice)
    other.subject.refresh_from_db()
    assert (other.subject.title, other.subject.text) == ("", "")
    assert erasures_of(debate, other) == [2, 1]  # the second took words that both of them show


def test_a_debate_that_shares_a_reason_with_an_erased_one_is_told_although_it_goes_on(alice):
    first, second, third = factories.debate(), factories.debate(), factories.debate()
    rows = [(factories.criterion(of, initial="6").pk, None) for of in (first, second)]
    order = BulkOrder(action=BulkAction.FREEZE, rows=rows, by=alice, reason=f"{CANARY} wrote both.")
    bulk.act(order=order, now=timezone.now())
    Debate.objects.filter(pk=first.pk).update(status="cancelled")

    erase(first, alice)

    assert CANARY not in everything()
    assert erasures_of(first, second, third) == [1, 1, 0]


def erasures_of(*debates):
    return [EventHead.objects.get(debate=debate).erasures for debate in debates]


def test_no_word_of_an_erased_open_debate_is_left(alice):
    held = open_debates.played(chairs=(replace(MIRA, name="Mirabel Stone"), KONRAD), exchanges=2)

    erase(held, alice)

    left = everything()
    assert [word for word in ("Mirabel", "Konrad", "nurse", "vaccinated") if word in left] == []
    assert verify.verify().faults == ()


def test_what_counts_as_words_and_whom_chairs_speak_for_go_with_an_open_debate_and_who_are_allies_stays(alice):
    allies = (replace(MIRA, name="Lena", side=CANARY), replace(MIRA, name="Tomas", side=CANARY))
    chairs = (replace(KONRAD, side="Lena"), *allies, replace(KONRAD, name="Ruth"))
    words = {"persuasion": [CANARY], "attack": [CANARY, "shame on you"], "evidence": [CANARY]}
    held = open_debates.played(chairs=chairs, exchanges=1, words=words)
    moved = set(Effect.objects.values_list("speaker", "listener"))

    erase(held, alice)

    assert CANARY not in everything()
    held.refresh_from_db()
    assert held.parameters["table"]["words"] == {"persuasion": [], "attack": [], "evidence": []}
    sides = [chair.get("side") for chair in held.parameters["table"]["chairs"]]
    assert sides == ["[erased 1]", "[erased 2]", "[erased 2]", None]
    assert set(Effect.objects.values_list("speaker", "listener")) == moved
    assert verify.verify().faults == ()
    assert [one["side"] for one in results.document(debate=held)["participants"]] == sides
    assert erase(held, alice).counts == {}


@pytest.mark.parametrize("of", ["debate", "chair", "batch"])
def test_accounts_of_fairness_are_read_and_appealed_against_without_their_words(of, alice):
    held = batches.judged(batches.lines(1)) if of == "batch" else open_debates.played(exchanges=1)
    account = Evaluation.objects.filter(debate=held, instrument=Instrument.ADHERENCE.value).earliest("id")
    paula, bob = participant(held), factories.moderator("bob")
    erase(account.participant if of == "chair" else held, alice)
    entry = account.entries.earliest("sequence").sequence
    pages = [
        reverse("score-account", args=[held.public_id, account.public_id]),
        reverse("account-entry", args=[held.public_id, account.public_id, entry]),
        reverse("appeal-entry", args=[held.public_id, account.public_id, entry]),
    ]
    documents = [
        reverse("account-json", args=[held.public_id, account.public_id]),
        f"/api/v1/evaluations/{account.public_id}/account/",
    ]

    assert [client_of(paula).get(page).status_code for page in [*pages, *documents]] == [200] * 5
    assert "This text was erased." in words(client_of(paula).get(pages[1]))
    appeal = file(account, paula, entry=entry)

    desk = reverse("admin:scoring_appeal_change", args=[appeal.pk])
    assert client_of(bob).get(desk).status_code == 200
    assert client_of(paula).get(reverse("appeal", args=[held.public_id, appeal.public_id])).status_code == 200


def test_copies_that_somebody_is_filling_in_go_with_the_words_of_the_debate(debate, alice):
    bob = factories.moderator("bob")
    copy = creation.copy_debate(debate_id=debate.pk, by=bob)
    own = NewDebate.objects.create(owner=bob, format="open", body={"motion": "Another one altogether."})
    assert "district pays" in str(copy.body)

    erase(debate, alice)

    assert list(NewDebate.objects.all()) == [own]
    assert "district pays" not in everything()
