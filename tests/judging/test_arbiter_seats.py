"""The arbiter of a criterion debate is a person or a program: rulings are awaited, given, and count like a model's."""

import json
import re
from contextlib import suppress
from datetime import timedelta

import jsonschema
import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from debates.errors import Invalid, NotAllowedNow
from debates.mail import texts
from debates.models import AwaitedTurn, Ballot, Debate, Event, Mail, Thread, Turn, TurnDraft
from debates.selectors import awaited_turns
from debates.services import mail_delivery, seats
from debates.types import Conduct
from judging.engine import ballots, human_turns, lifecycle
from judging.errors import BallotGiven, NotYourTurn, TooLate
from judging.formats.registry import format_of
from judging.management.commands.run_debate import report
from judging.models import Call, Synthesis, Verdict
from judging.rules.fairness import Fairness
from scoring import verify
from scoring.errors import NotPermitted
from scoring.models import Alert, Evaluation, Fact, ScoreChange
from scoring.services import conflicts
from tests import factories, playing
from tests.api.clients import Api
from tests.judging.arbiter_seats import ROUNDS, awaited, rule, seat_of, sit, waits
from tests.judging.formats.open.test_verify import proved, told_of
from tests.moderators import client_of, words
from tests.playing import ruling, script
from tests.texts import WITHOUT_COLLECTED_FILES, address, html

pytestmark = [pytest.mark.slow, pytest.mark.django_db, WITHOUT_COLLECTED_FILES]
DAYS = timedelta(days=4)


def ledger(debate):
    """What the ledger of a debate says, but for who and when: everything is told by its place and its numbers."""
    entries = ScoreChange.objects.filter(evaluation__debate=debate).order_by("evaluation__key", "sequence")
    facts = Fact.objects.filter(evaluation__debate=debate).order_by("evaluation__key", "pk")
    verdicts = Verdict.objects.filter(round__thread__debate=debate).order_by("round__thread__key", "fact_id")
    columns = [field.name for field in ScoreChange._meta.concrete_fields if not field.is_relation]
    told = {"id", "public_id", "at", "hash", "previous_hash", "facts_hash", "facts", "basis", "held"}
    rank = {pk: place for place, pk in enumerate(facts.values_list("pk", flat=True))}
    return json.dumps(
        {
            "entries": list(entries.values(*[name for name in columns if name not in told])),
            "basis": [
                [[rank[fact] for fact in row] for row in rows] for rows in entries.values_list("facts", "basis", "held")
            ],
            "facts": list(facts.values("kind", "amount", "impact", "weight", "parts", "run_number", "round__number")),
            "verdicts": list(verdicts.values("winner", "reasoning", "challenge__label", "round__number", "readings")),
            "scores": list(
                Evaluation.objects.filter(debate=debate)
                .order_by("key")
                .values("key", "initial_score", "computed_score", "confidence", "debate_round_count", "debate_complete")
            ),
        },
        default=str,
        sort_keys=True,
    )


def by_page(debate, person, verdicts, turn=None):
    client = client_of(person)
    turn = turn or awaited(debate)
    typed = {
        f"e{at}-{name}": verdict[name]
        for at, verdict in enumerate(verdicts)
        for name in ("winner", "adjustment", "impact", "reasoning")
    }
    page = reverse("ballot", args=[debate.public_id, seat_of(debate).public_id])
    return client.post(page, {**typed, "awaited": str(turn.public_id)})


def by_api(debate, person, verdicts):
    return Api(person).post(f"/awaited-turns/{awaited(debate).public_id}/ballot/", {"answer": {"verdicts": verdicts}})


@pytest.mark.parametrize("updates", ["per_round", "at_end"])
def test_equal_rulings_by_page_api_and_script_give_the_same_ledger(updates):
    scripted = playing.debate(script(ROUNDS), rounds=2, score_updates=updates)
    playing.work()
    told = {ledger(scripted)}
    for arbiter, give in (("human", by_page), ("external", by_api)):
        debate = waits(arbiter=arbiter, score_updates=updates)
        person = sit(debate, arbiter)
        for verdicts in ROUNDS:
            assert give(debate, person, verdicts).status_code in {201, 302}
            playing.work()
        debate.refresh_from_db()
        assert debate.status == "concluded"
        told.add(ledger(debate))

    assert len(told) == 1
    assert not verify.verify().faults
    assert not Call.objects.filter(purpose="judge", debate__in=Debate.objects.exclude(pk=scripted.pk)).exists()
    assert Verdict.objects.count() == 9


def test_rulings_that_are_sent_twice_are_answered_as_the_first_time_and_others_refused():
    debate = waits()
    ada, given = sit(debate), []
    for verdicts in ROUNDS:
        given.append((verdicts, awaited(debate)))
        by_page(debate, ada, verdicts)
        assert by_page(debate, ada, *given[-1]).status_code == 302
        playing.work()

    assert by_page(debate, ada, *given[-1]).status_code == 302, "also once all is over"
    assert by_page(debate, ada, ROUNDS[1], given[0][1]).status_code == 409
    assert Ballot.objects.filter(participant__debate=debate).count() == len(ROUNDS)


def test_the_same_ruling_is_the_same_whatever_the_order_of_its_keys():
    debate = waits(arbiter="external")
    person, turned = sit(debate, "external"), [dict(reversed(verdict.items())) for verdict in ROUNDS[0]]

    first, again = by_api(debate, person, ROUNDS[0]), by_api(debate, person, turned)

    assert (first.status_code, again.status_code, again.json()["id"]) == (201, 201, first.json()["id"])


def test_a_lie_about_what_came_of_a_ruling_from_a_seat_is_found():
    debate = waits()
    ada = sit(debate)
    for ruled in ROUNDS:
        rule(debate, ada, ruled)
        playing.work()
    assert proved() == []

    assert not told_of([
        (Verdict, {"winner": "draw"}, "is not what its arbiter answered: expected evaluator"),
        (Verdict, {"reasoning": "It was bought."}, "are not what its arbiter answered"),
        (Ballot, {"answer": "{}"}, "is not in its answer"),
    ])  # fmt: skip


def test_an_engine_writes_the_closing_words_and_the_arbiter_is_a_judge_on_a_seat():
    debate = waits()
    person = sit(debate)
    for verdicts in ROUNDS:
        rule(debate, person, verdicts)
        playing.work()

    assert list(debate.participants.values_list("role", "kind", "name")) == [
        ("evaluator", "engine", "Evaluator"), ("challenger", "engine", "Red team"), ("arbiter", "engine", "Reporter"),
        ("judge", "human", "Arbiter"),
    ]  # fmt: skip
    assert Synthesis.objects.get().turn.participant.name == "Reporter"


def test_rulings_are_the_words_of_who_rules_and_not_of_who_writes_the_closing_words():
    debate = waits()
    factories.rewrite(debate.participants.filter(role="judge"), name="Dana")
    rule(debate, sit(debate), ROUNDS[0])
    playing.work()
    evaluation = debate.evaluations.get()

    page = html(f"{address(debate)}?speaker=Dana&kind=verdict")
    account = Client().get(reverse("account-json", args=[debate.public_id, evaluation.public_id])).json()

    assert re.findall(r'data-said="verdict" data-speaker="(\w+)"[^>]*?( hidden)?>', page) == [("Dana", "")] * 2
    rulings = [fact["statements"][-1] for entry in account["entries"] for fact in entry["restsOn"]]
    assert [(row["kind"], row["speaker"]) for row in rulings if row["kind"] == "ruling"] == [("ruling", "Dana")] * 2


def test_rulings_are_awaited_in_every_thread_and_the_most_urgent_comes_first():
    debate = waits(criteria=("P1", "P2", "P3"))
    person = sit(debate)
    seat = seat_of(debate)

    assert {(turn.kind, turn.round.thread.key) for turn in ballots.waiting(seat=seat)} == {
        ("judgement", "P1"), ("judgement", "P2"), ("judgement", "P3"),
    }  # fmt: skip
    rule(debate, person, ROUNDS[0], key="P2")
    playing.work()
    assert Verdict.objects.filter(round__thread__key="P2").count() == 2
    client = client_of(person)
    shown = words(client.get(reverse("ballot", args=[debate.public_id, seat.public_id])))
    assert "You rule on P1" in shown
    assert re.search(r"Your ruling on P2 in round 1 was given \d", shown)
    assert "What else awaits you here" in shown
    assert "Your ruling on P3 in round 1" in shown
    assert "Your ruling on P2 in round 2" in shown
    assert {(row.round.thread.key, row.round.number, row.state) for row in awaited_turns()} == {
        ("P1", 1, "waiting"), ("P2", 1, "spoken"), ("P2", 2, "waiting"), ("P3", 1, "waiting"),
    }  # fmt: skip


def test_one_mail_is_about_all_ballots_that_wait():
    debate = waits()
    person = sit(debate)
    other = waits(criteria=("P1", "P2", "P3"))
    seat = seat_of(other)
    type(seat).objects.filter(pk=seat.pk).update(user=person)
    lifecycle.pause(debate_id=other.pk, by=None, now=timezone.now())
    lifecycle.resume(debate_id=other.pk, by=None, now=timezone.now())

    mails = Mail.objects.filter(debate=other, kind="turn").order_by("pk")
    sentences = []
    for mail in mails:
        with suppress(texts.Withdrawn):
            sentences.append(texts.words_of(mail, now=timezone.now()).sentences)

    assert mails.count() == 3
    assert len(sentences) == 1
    assert "your ruling on P1 in round 1" in sentences[0][0]
    assert sentences[0][1] == "2 more of your ballots wait here."


def test_whoever_takes_a_seat_is_reminded_of_every_ballot_that_waits_there():
    debate = waits(criteria=("P1", "P2", "P3"))
    person = sit(debate)
    User.objects.filter(pk=person.pk).update(email="ada@example.org")

    rule(debate, person, ROUNDS[0], key="P1")
    rule(debate, person, ROUNDS[0], key="P3")

    handed_over = [
        mail_delivery.claim(mail_id=mail.pk, now=mail.due_at) is not None
        for mail in Mail.objects.filter(kind="reminder").order_by("due_at", "pk")
    ]
    assert handed_over == [False, True, False]


def test_whoever_gave_the_first_of_many_ballots_is_written_to_once_about_the_others():
    debate = waits(criteria=("P1", "P2", "P3", "P4"))
    person = sit(debate)
    User.objects.filter(pk=person.pk).update(email="ada@example.org")
    lifecycle.pause(debate_id=debate.pk, by=None, now=timezone.now())
    Mail.objects.all().delete()
    lifecycle.resume(debate_id=debate.pk, by=None, now=timezone.now())
    turns, reminders = ([*Mail.objects.filter(kind=kind).order_by("pk")] for kind in ("turn", "reminder"))

    def handed_over(mails):
        now = mails[-1].due_at
        return [mail_delivery.claim(mail_id=mail.pk, now=now) is not None for mail in mails]

    assert handed_over(turns[:3]) == [True, False, False]
    rule(debate, person, ROUNDS[0])
    assert handed_over(turns[3:]) == [False]
    assert handed_over(reminders) == [False, True, False, False]


def test_a_ballot_that_is_due_before_those_that_waited_first_has_mail_of_its_own():
    debate = waits(criteria=("P1", "P2"))
    person = sit(debate)
    User.objects.filter(pk=person.pk).update(email="ada@example.org")
    now = timezone.now()
    human_turns.move_deadline(debate_id=debate.pk, by=None, deadline=now + timedelta(days=20), now=now)
    first = Mail.objects.get(about=awaited(debate, "P1").public_id, kind="turn")
    assert mail_delivery.claim(mail_id=first.pk, now=first.due_at) is not None

    rule(debate, person, ROUNDS[0], key="P2")
    playing.work()

    mails = Mail.objects.filter(about=awaited(debate, "P2").public_id).order_by("due_at")
    handed_over = [mail_delivery.claim(mail_id=mail.pk, now=mail.due_at) for mail in mails]
    assert [mail.kind for mail in mails] == ["turn", "reminder"]
    assert all(mail and "your ruling on P2 in round 2" in mail.body for mail in handed_over)


def test_one_mail_is_about_all_ballots_that_were_forfeited_together():
    debate = waits(criteria=("P1", "P2", "P3"))
    person = sit(debate)
    User.objects.filter(pk=person.pk).update(email="ada@example.org")
    late = timezone.now() + DAYS
    first, *others = Thread.objects.filter(debate=debate).order_by("key")

    assert human_turns.forfeit(thread_id=first.pk, now=late)
    told = mail_delivery.claim(mail_id=Mail.objects.get(kind="forfeited").pk, now=late)
    assert [human_turns.forfeit(thread_id=thread.pk, now=late) for thread in others] == [True, True]
    rest = [
        mail_delivery.claim(mail_id=pk, now=late)
        for pk in Mail.objects.filter(kind="forfeited", state="due").values_list("pk", flat=True)
    ]

    assert "The time for your ruling on P1 in round 1 was up" in told.body
    assert "So was that for 2 more of your ballots here." in told.body
    assert "Your ballots were forfeited" in told.body
    assert rest == [None, None]


def test_a_ballot_that_was_late_only_after_the_mail_about_another_has_a_mail_of_its_own():
    debate = waits(criteria=("P1", "P2"))
    person = sit(debate)
    User.objects.filter(pk=person.pk).update(email="ada@example.org")
    rule(debate, person, ROUNDS[0])
    playing.work()
    told = []

    for key in ("P2", "P1"):
        row = awaited(debate, key)
        assert human_turns.forfeit(thread_id=row.round.thread_id, now=row.deadline)
        mail = Mail.objects.get(kind="forfeited", state="due")
        told.append(mail_delivery.claim(mail_id=mail.pk, now=row.deadline))

    assert [message is not None for message in told] == [True, True]


def test_without_a_ruling_in_time_the_criterion_ends_with_what_was_ruled_and_a_moderator_is_told():
    debate = waits()
    person = sit(debate)
    rule(debate, person, ROUNDS[0])
    playing.work()
    late = timezone.now() + DAYS

    assert human_turns.forfeit(thread_id=Thread.objects.get().pk, now=late)
    with pytest.raises(TooLate):
        rule(debate, person, ROUNDS[1])
    playing.work()

    debate.refresh_from_db()
    thread = Thread.objects.get()
    assert (debate.status, debate.partial) == ("concluded", True)
    assert (thread.status, thread.ended_because) == ("partial", "judge_failed")
    assert Evaluation.objects.get().final_score == 5
    assert Alert.objects.filter(code="judge_failed", evidence__why="Arbiter gave no ruling on P1.").count() == 1
    assert Event.objects.get(type="turn:forfeited").data["awaited"] == str(awaited(debate).public_id)
    assert Turn.objects.get(kind="judgement").text == ""
    assert {row.state for row in awaited_turns().filter(round__number=2)} == {"forfeited"}
    assert not verify.verify().faults


def test_an_arbiter_who_may_not_judge_is_awaited_until_one_deadline_and_not_until_each():
    debate = waits(criteria=("P1", "P2"))
    conflicts.declare(debate_id=debate.pk, by=sit(debate), reason=factories.REASON, now=timezone.now())
    first, second = awaited(debate, "P1"), awaited(debate, "P2").round.thread_id

    before = (human_turns.waiting_in_vain(), human_turns.forfeit(thread_id=second, now=timezone.now()))
    human_turns.forfeit(thread_id=first.round.thread_id, now=first.deadline)
    playing.work()
    in_vain = human_turns.waiting_in_vain()
    human_turns.forfeit(thread_id=second, now=timezone.now())
    playing.work()

    debate.refresh_from_db()
    assert (before, in_vain) == (({}, False), {second: debate.pk})
    assert (debate.status, debate.partial_reason) == ("concluded", "judge_failed")
    events = Event.objects.filter(type="turn:forfeited").order_by("seq")
    assert [event.data["because"] for event in events] == ["deadline", "no_answer"]
    assert not verify.verify().faults


def test_a_deadline_that_passed_before_a_conflict_was_declared_leaves_time_to_withdraw_it():
    debate, root = waits(criteria=("P1", "P2", "P3")), factories.moderator("root")
    act, second = {"by": root, "reason": factories.REASON}, timedelta(seconds=1)
    about = {"debate_id": debate.pk, "username": sit(debate).username, **act}
    first, *others = [awaited(debate, key) for key in ("P1", "P2", "P3")]
    late, later = first.deadline, first.deadline + DAYS

    declared = conflicts.declare(**about, now=late + second)  # before a worker has come to forfeit what was late
    human_turns.forfeit(thread_id=first.round.thread_id, now=late + 2 * second)
    playing.work()
    before = human_turns.waiting_in_vain()
    human_turns.move_deadline(debate_id=debate.pk, by=root, deadline=later, now=late - second)
    human_turns.forfeit(thread_id=others[0].round.thread_id, now=later)
    playing.work()
    since = human_turns.waiting_in_vain()
    conflicts.withdraw(conflict_id=declared.pk, **act, now=later)
    conflicts.declare(**about, now=later + second)

    assert (before, since) == ({}, {others[1].round.thread_id: debate.pk})
    assert human_turns.waiting_in_vain() == {}


def test_whoever_conducts_and_the_desk_are_told_of_an_arbiter_who_may_not_judge_and_what_can_be_done():
    debate = waits()
    ada, olga, root = sit(debate), factories.person("olga"), factories.moderator("root")
    Debate.objects.filter(pk=debate.pk).update(created_by=olga)
    todo = "Elsewhere a declaration that does not hold is withdrawn, or the debate is stopped and held again."

    declared = conflicts.declare(debate_id=debate.pk, by=ada, reason=factories.REASON, now=timezone.now())
    people = reverse("people", args=[debate.public_id])
    barred, mine, refused = (
        words(client_of(olga).get(people)),
        words(client_of(olga).get(reverse("my-debates"))),
        Api(root).post(f"/participants/{seat_of(debate).public_id}/replace/", {"reason": factories.REASON}),
    )
    given = by_api(debate, ada, ROUNDS[0])
    conflicts.withdraw(conflict_id=declared.pk, by=ada, reason=factories.REASON, now=timezone.now())

    alert = Alert.objects.get()
    assert alert.code == "judge_failed"
    assert alert.evidence["why"].startswith(
        "Arbiter may not judge: they have another part here, or a declared conflict"
    )
    assert all(todo in text for text in (barred, mine, alert.evidence["why"], refused.json()["detail"]))
    assert "They have another part here, or a declared conflict of interest." in mine
    assert Event.objects.get(type="alert:raised").audience == "moderators"
    assert (refused.status_code, given.status_code) == (409, 403)
    assert not any("may not" in words(client_of(olga).get(page)) for page in (people, reverse("my-debates")))
    assert by_api(debate, ada, ROUNDS[0]).status_code == 201


def test_what_is_declared_and_withdrawn_over_and_over_is_one_alert_which_says_so():
    debate = waits()
    ada, root = sit(debate), factories.moderator("root")
    for _ in range(2):
        act = {"by": ada, "reason": factories.REASON, "now": timezone.now()}
        declared = conflicts.declare(debate_id=debate.pk, **act)
        conflicts.withdraw(conflict_id=declared.pk, **act)

    alert = Alert.objects.get()
    page = words(client_of(root).get(reverse("admin:scoring_alert_change", args=[alert.pk])))
    assert alert.state == "open"
    assert [came["evidence"]["conflict"] for came in alert.again] == ["withdrawn", "declared again", "withdrawn"]
    assert "conflict withdrawn" in page
    assert not verify.verify().faults


def test_a_moderator_who_withdraws_the_last_declaration_dismisses_its_alert_with_the_same_reason():
    debate = waits()
    ada, root = sit(debate), factories.moderator("root")
    act = {"reason": factories.REASON, "now": timezone.now()}
    declarations = [
        conflicts.declare(debate_id=debate.pk, by=by, username=ada.username, **act)
        for by in (root, factories.moderator("rita"))
    ]

    states = []
    for declared in declarations:
        conflicts.withdraw(conflict_id=declared.pk, by=root, **act)
        states.append(Alert.objects.get().state)
    conflicts.declare(debate_id=debate.pk, by=root, username=ada.username, **act)

    dismissed, anew = Alert.objects.order_by("pk")
    assert states == ["open", "dismissed"]
    assert (dismissed.handled_by.user, str(dismissed.handled_because)) == (root, factories.REASON)
    assert (anew.state, anew.times, dismissed.times) == ("open", 1, 2)
    assert Event.objects.get(type="alert:handled").data["state"] == "dismissed"
    assert not verify.verify().faults


def test_a_ruling_that_comes_too_late_for_one_criterion_says_so_while_others_are_judged():
    debate = waits(criteria=("P1", "P2"))
    person = sit(debate)
    late = awaited(debate)
    human_turns.forfeit(thread_id=late.round.thread_id, now=late.deadline)
    playing.work()

    refused = by_page(debate, person, ROUNDS[0], late)

    assert {row.key: row.status for row in Thread.objects.all()} == {"P1": "failed", "P2": "awaiting_turn"}
    assert refused.status_code == 409
    assert "No ballot is awaited here any more: it was forfeited" in words(refused)
    lifecycle.cancel(debate_id=debate.pk, by=None, now=timezone.now())
    with pytest.raises(TooLate):
        rule(debate, person, ROUNDS[0])
    with pytest.raises(NotAllowedNow, match="it is over"):
        rule(debate, person, ROUNDS[0], key="P2")


def test_a_ruling_on_a_criterion_that_was_broken_off_is_told_so_while_others_are_judged():
    debate = waits(criteria=("P1", "P2"))
    late = awaited(debate)
    human_turns.break_off(thread_id=late.round.thread_id, debate_id=debate.pk, problem="so", now=late.deadline)

    with pytest.raises(NotAllowedNow, match="This part of the debate has ended"):
        rule(debate, sit(debate), ROUNDS[0])


def test_without_any_ruling_the_score_falls_back_to_its_initial_value():
    debate = waits()

    human_turns.forfeit(thread_id=Thread.objects.get().pk, now=timezone.now() + DAYS)
    playing.work()

    debate.refresh_from_db()
    assert (debate.status, Thread.objects.get().status) == ("concluded", "failed")
    assert Evaluation.objects.get().final_score == 6


def test_nobody_hears_of_a_ruling_before_it_counts():
    debate = waits()
    person = sit(debate)
    before = (Event.objects.count(), Turn.objects.count(), Verdict.objects.count())

    rule(debate, person, ROUNDS[0])

    assert (Event.objects.count(), Turn.objects.count(), Verdict.objects.count()) == before
    playing.work()
    assert Verdict.objects.count() == 2


@pytest.mark.parametrize(
    ("verdicts", "why"),
    [
        pytest.param([ROUNDS[0][0]], "no verdict on challenge C2", id="an exchange left out"),
        pytest.param([ruling("-4"), ROUNDS[0][1]], "adjustment", id="an adjustment beyond the limit"),
        pytest.param([*ROUNDS[0], ruling("0", challenge="C3")], "must be one of C1, C2", id="an unknown exchange"),
    ],
)
def test_a_ruling_is_read_like_the_answer_of_a_model(verdicts, why):
    debate = waits()

    with pytest.raises(Invalid, match=why):
        rule(debate, sit(debate), verdicts)

    assert not Ballot.objects.exists()


def test_a_ruling_is_given_once_by_who_sits_there():
    debate = waits()
    person, other = sit(debate), sit(waits(), "bea")
    given = rule(debate, person, ROUNDS[0])

    assert rule(debate, person, ROUNDS[0]) == given
    with pytest.raises(BallotGiven):
        rule(debate, person, [ruling("0"), ruling("0", challenge="C2")])
    with pytest.raises(NotPermitted):
        rule(debate, other, ROUNDS[0])
    with pytest.raises(NotAllowedNow, match="gives a ballot"):
        human_turns.speak(seat_id=seat_of(debate).pk, by=person, text="I rule so and so.", now=timezone.now())


def test_what_is_refused_comes_back_with_all_that_was_typed():
    debate = waits()
    person = sit(debate)

    refused = by_page(debate, person, [ruling("-7", challenge="C1"), ROUNDS[0][1]])

    assert refused.status_code == 422
    assert "What you wrote is still here." in words(refused)
    assert 'value="-7"' in refused.content.decode()


def test_an_arbiter_is_asked_for_no_quotes_and_may_give_them():
    debate = waits()
    person, turn = sit(debate), awaited(debate)
    client = client_of(person)

    page = client.get(reverse("ballot", args=[debate.public_id, seat_of(debate).public_id]))
    given = by_api(debate, person, [{**verdict, "quotes": ["It says so."]} for verdict in ROUNDS[0]])

    assert [text in words(page) for text in ("Who wins", "Quotes", "Mark words in it")] == [True, False, False]
    assert (given.status_code, Ballot.objects.get().round_id) == (201, turn.round_id)


def test_drafts_are_kept_for_each_ballot():
    debate = waits(criteria=("P1", "P2"))
    person = sit(debate)
    client = client_of(person)
    page = reverse("ballot", args=[debate.public_id, seat_of(debate).public_id])
    turns = {key: str(awaited(debate, key).public_id) for key in ("P1", "P2")}

    for key, turn in turns.items():
        sent = {"e0-reasoning": f"Of {key}.", "awaited": turn, "keep": "1", "draft": "0"}
        assert client.post(page, sent).headers["Location"] == f"{page}?turn={turn}"

    assert TurnDraft.objects.count() == 2
    for key, turn in turns.items():
        assert f"Of {key}." in client.get(f"{page}?turn={turn}").content.decode()
    rule(debate, person, ROUNDS[0], key="P1", seen=TurnDraft.objects.get(text__contains="Of P1.").pk)
    assert json.loads(TurnDraft.objects.get().text) == {"e0-reasoning": "Of P2."}


def test_after_a_pause_there_is_the_whole_time_anew():
    debate = waits(ballot_seconds=3600)
    person, now = sit(debate), timezone.now()
    lifecycle.pause(debate_id=debate.pk, by=None, now=now)
    with pytest.raises(NotAllowedNow, match="paused"):
        rule(debate, person, ROUNDS[0])

    lifecycle.resume(debate_id=debate.pk, by=None, now=now + timedelta(hours=1))

    assert awaited(debate).deadline == now + timedelta(hours=2)
    rule(debate, person, ROUNDS[0], now=now + timedelta(hours=1))
    playing.work()
    assert Verdict.objects.count() == 2


@pytest.mark.parametrize("ends", ["stop", "cancel"])
def test_what_is_stopped_or_cancelled_takes_no_ruling(ends):
    debate = waits()
    person = sit(debate)
    why = {"reason": "Nobody needs it any more."} if ends == "stop" else {}
    getattr(lifecycle, ends)(debate_id=debate.pk, by=factories.moderator("root"), now=timezone.now(), **why)
    playing.work()

    with pytest.raises(NotAllowedNow):
        rule(debate, person, ROUNDS[0])
    assert {row.state for row in awaited_turns()} == {"over"}
    assert ballots.waiting(seat=seat_of(debate)) == []


@pytest.mark.parametrize(
    ("rules", "of_the_debate", "of_the_ballot"),
    [
        pytest.param(
            True,
            "A verdict was given, and not counted: play ended before this round was closed.",
            "It was not counted: play ended before the round was closed. "
            "C1: winner red team, score -1.5 , confidence -0.1 Because.",
            id="with a ruling",
        ),
        pytest.param(False, "No verdict was given: play ended before.", "No ballot of yours", id="without"),
    ],
)
def test_a_ruling_that_a_stop_leaves_uncounted_is_told_of(rules, of_the_debate, of_the_ballot):
    debate = waits()
    person = sit(debate)
    ballot = reverse("ballot", args=[debate.public_id, seat_of(debate).public_id])
    if rules:
        rule(debate, person, ROUNDS[0])
    before = words(Client().get(address(debate)))
    lifecycle.stop(
        debate_id=debate.pk, by=factories.moderator("root"), reason="Nobody needs it any more.", now=timezone.now()
    )
    playing.work()

    page, own = words(Client().get(address(debate))), words(client_of(person).get(ballot))

    assert not Verdict.objects.exists()
    assert before.count("Waiting for the verdict.") == page.count(of_the_debate) == 2
    assert "Waiting for the verdict." not in page
    assert of_the_ballot in own


def test_a_debate_is_played_again_with_rulings_of_its_own():
    debate = waits(rounds=ROUNDS[:1])
    person = sit(debate)
    rule(debate, person, ROUNDS[0])
    playing.work()
    root = factories.moderator("root")
    lifecycle.rerun(debate_id=debate.pk, by=root, reason="They ruled in haste.", now=timezone.now())
    playing.work()

    assert [row.round.run_number for row in awaited_turns().filter(state="waiting")] == [2]
    rule(debate, person, [ruling("0"), ruling("0", challenge="C2")])
    playing.work()

    debate.refresh_from_db()
    assert debate.status == "concluded"
    assert Evaluation.objects.get().final_score == 6
    assert AwaitedTurn.objects.count() == 2


@pytest.mark.parametrize("answer", ["{}", json.dumps({"verdicts": ROUNDS[0]})])
def test_a_ruling_for_a_run_that_was_broken_off_is_refused_once_it_is_played_again(answer):
    debate = waits()
    person = sit(debate)
    before = awaited(debate)
    root = factories.moderator("root")
    lifecycle.cancel(debate_id=debate.pk, by=root, now=timezone.now())
    playing.work()
    lifecycle.rerun(debate_id=debate.pk, by=root, reason="They ruled in haste.", now=timezone.now())
    playing.work()

    with pytest.raises(NotYourTurn, match="played again"):
        ballots.give(seat_id=seat_of(debate).pk, by=person, answer=answer, awaited=before.public_id, now=timezone.now())

    assert not Ballot.objects.exists()
    assert ballots.waiting(seat=seat_of(debate)) == [awaited(debate)]


@pytest.mark.parametrize(
    ("options", "why"),
    [
        pytest.param({"fairness": Fairness(repeats=3)}, "judges once", id="several rulings"),
        pytest.param({"fairness": Fairness(swap=True)}, "judges once", id="both orders"),
        pytest.param({"ballot_seconds": 0}, "ballot_seconds", id="no time"),
        pytest.param({"arbiter": "ghost"}, "arbiter must be one of", id="nobody we know"),
        pytest.param({"conducted_by": Conduct.EXTERNAL}, "posts its rulings", id="conducted elsewhere"),
    ],
)
def test_what_cannot_be_asked_for_is_refused_by_name(options, why):
    with pytest.raises(Invalid, match=why):
        playing.debate([], **{"arbiter": "human", **options})


def test_an_arbiter_is_invited_to_rule_and_hears_of_no_panel():
    debate = waits(ballot_seconds=7200)

    page = words(Client().get(f"/seats/{seats.invite(participant_id=seat_of(debate).pk, by=None)}/"))

    assert "Time for a ballot 2 h 0 min" in page
    assert "You rule" in page
    assert "in at most 2 rounds" in page
    assert "panel" not in page
    assert "reads alone" not in page


def test_the_result_says_which_of_its_voices_are_people():
    debate = waits()

    document = format_of(debate.format).result_document(debate=debate)

    kinds = {row["role"]: row["kind"] for row in document["judgedBy"]}
    assert kinds == {"evaluator": "engine", "challenger": "engine", "arbiter": "engine", "judge": "human"}
    assert "Judged by  a person, scripted" in report(document, journeys={})
    jsonschema.validate(document, format_of(debate.format).result_schema())
