"""People and programs judge beside machines: ballots are given once, in time, and sealed until the round closes."""

import json
from contextlib import nullcontext
from datetime import timedelta
from decimal import Decimal

import jsonschema
import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from debates.errors import ConflictOfInterest, Invalid, NotAllowedNow, NotFound
from debates.mail import texts
from debates.models import (
    AwaitedTurn,
    Ballot,
    Debate,
    Event,
    Mail,
    Membership,
    Participant,
    Round,
    Thread,
    Turn,
    TurnDraft,
)
from debates.selectors import awaited_turns
from debates.services import invitations, seats
from debates.services.invitations import Offer
from debates.types import MemberRole
from judging.engine import ballots, human_turns, lifecycle, selectors
from judging.errors import BallotGiven, NotYourTurn, TooLate
from judging.formats.panel import reports, results
from judging.formats.panel.spec import typed
from judging.models import Call, Consensus, JudgeReport, Review
from judging.pages import ballot_form, participants
from judging.rules.consensus import Policy
from scoring import verify
from scoring.constraint_errors import refusals
from scoring.errors import NotPermitted
from scoring.models import Alert, ScoreChange
from scoring.services import conflicts
from tests import factories, playing
from tests.api.clients import Api
from tests.judging.formats.panel.play import AGREEING, APART, THERE, alone, answer, moves, played, stays
from tests.judging.formats.panel.seats import PERSON, SCRIPT, awaited, give, seat_of, sit, waits
from tests.judging.formats.panel.small_panel import FIVE, analysis, argument, as_kept, section
from tests.moderators import client_of

pytestmark = [pytest.mark.slow, pytest.mark.django_db]
HOUR = timedelta(hours=1)
DAYS = timedelta(days=4)


def by_script(row):
    """What only the third judge, who is a script, answers alone."""
    return [answer(3, 0, analysis(*row))]


@pytest.mark.parametrize("ends", ["with all ballots", "cancelled"])
def test_the_admin_shows_a_judge_that_others_have_given_a_ballot_once_the_round_is_closed_or_all_is_over(ends):
    debate = waits(by_script(AGREEING[2]))
    ida, bot, another = sit(debate, 1, "ida"), sit(debate, 2, "bot"), factories.person("another")
    User.objects.update(is_staff=True, is_superuser=True)
    of_bot = give(debate, 2, bot, analysis(*AGREEING[1]))

    def read_by(person):
        client, page = client_of(person), reverse("admin:debates_ballot_change", args=[of_bot.pk])
        of_all = client.get(reverse("admin:debates_ballot_changelist")).content.decode()
        return client.get(page).status_code, page in of_all

    assert [read_by(person) for person in (ida, bot, another)] == [(302, False), (200, True), (200, True)]
    if ends == "cancelled":
        lifecycle.cancel(debate_id=debate.pk, by=None, now=timezone.now())
    else:
        give(debate, 1, ida, analysis(*AGREEING[0]))
        playing.work()
    assert read_by(ida) == (200, True)


@pytest.mark.parametrize("ends", ["with all ballots", "cancelled"])
def test_the_admin_shows_what_engines_answered_and_a_script_once_the_round_is_closed_or_all_is_over(ends):
    debate = waits(by_script(AGREEING[2]))
    ida, bot, another = sit(debate, 1, "ida"), sit(debate, 2, "bot"), factories.person("another")
    User.objects.update(is_staff=True, is_superuser=True)
    call = reverse("admin:judging_call_change", args=[Call.objects.get(purpose="analyse").pk])
    script = reverse("admin:judging_script_change", args=[debate.pk])

    def read_by(person):
        shown = [client_of(person).get(page).content.decode() for page in (call, script)]
        return [("Sealed, because" in page, "design so." in page) for page in shown]

    sealed, open_ = [(True, False)] * 2, [(False, True)] * 2
    assert read_by(ida) == read_by(another) == sealed
    give(debate, 1, ida, analysis(*AGREEING[0]))
    assert read_by(ida) == read_by(another) == sealed
    if ends == "cancelled":
        lifecycle.cancel(debate_id=debate.pk, by=None, now=timezone.now())
    else:
        give(debate, 2, bot, analysis(*AGREEING[1]))
        playing.work()
    assert read_by(ida) == read_by(another) == open_


@pytest.mark.parametrize(
    ("but", "is_sealed"),
    [
        pytest.param({}, True, id="an answer beside a ballot"),
        pytest.param({"outcome": "rejected"}, True, id="one that could not be read"),
        pytest.param(
            {"raw_answer": "", "outcome": "failed"}, False, id="no answer: it says what is wrong with a provider"
        ),
        pytest.param({"role": "arbiter"}, False, id="of a reporter"),
        pytest.param({"beside": {"provider": "scripted"}}, False, id="where engines judge alone"),
        pytest.param({"closed": True}, False, id="of a round that is closed"),
        pytest.param({"status": "partial"}, False, id="of a panel that ended in the middle of its round"),
    ],
)
def test_what_an_engine_answered_is_sealed_where_a_ballot_may_come_beside_it(but, is_sealed):
    debate, now = factories.debate(), timezone.now()
    thread = Thread.objects.create(debate=debate, key="P1", position=1, status=but.get("status", "playing"))
    closed_at = now if but.get("closed") else None
    Round.objects.create(thread=thread, run_number=1, number=0, opened_at=now, closed_at=closed_at)
    beside = but.get("beside", {"kind": "human"})
    Participant.objects.create(debate=debate, role="judge", name="Judge 1", **beside)
    role = but.get("role", "judge")
    engine = Participant.objects.create(debate=debate, role=role, name="Judge 2", provider="scripted")
    call = Call(
        debate=debate, thread=thread, run_number=1, round_number=0, participant=engine,
        raw_answer=but.get("raw_answer", "{}"), outcome=but.get("outcome", "used"),
    )  # fmt: skip

    assert selectors.is_sealed(call) == is_sealed


def test_a_panel_waits_for_all_ballots_at_once_and_closes_with_the_last():
    debate = waits(by_script(AGREEING[2]))
    ida, bot = sit(debate, 1, "ida"), sit(debate, 2, "bot")

    assert set(AwaitedTurn.objects.values_list("participant__name", "kind")) == {
        ("Judge 1", "report"), ("Judge 2", "report"),
    }  # fmt: skip
    give(debate, 1, ida, analysis(*AGREEING[0]))
    playing.work()
    assert not JudgeReport.objects.exists()
    give(debate, 2, bot, analysis(*AGREEING[1]))
    playing.work()

    debate.refresh_from_db()
    assert debate.status == "concluded"
    assert Consensus.objects.get().agreed
    assert JudgeReport.objects.filter(readable=True).count() == 3
    assert not verify.verify(debate_id=debate.pk).faults


def by_form(debate, person, said):
    paper = ballots.paper(seat=seat_of(debate, 1))
    client = client_of(person)
    at = reverse("ballot", args=[debate.public_id, seat_of(debate, 1).public_id])
    sent = {**ballot_form.typed_of(paper.bench, said), "awaited": str(paper.awaited.public_id)}
    assert client.post(at, sent).status_code == 302


def by_api(debate, person, said):
    at = f"/awaited-turns/{awaited(debate, 2).public_id}/ballot/"
    assert Api(person, scopes=["read", "write"]).post(at, {"answer": said}).status_code == 201


WHO = ("Judged with: ", "* Alpha of ", "* Agreement of people")


def outcome(debate):
    """What a panel came to, but for who judged and when: statuses, findings, ledger, reports, document and papers."""
    entries = ScoreChange.objects.filter(evaluation__debate=debate).order_by("pk")
    said = JudgeReport.objects.filter(debate=debate).order_by("round__number", "participant__position")
    document = dict(results.panel_document(debate=debate))
    papers = reports.papers(document=document)
    for when in document["agreement"].values():
        del when["groups"]
    about = ("debate", "date", "judgedBy", "judges")
    return (
        Debate.objects.get(pk=debate.pk).status,
        list(Consensus.objects.filter(debate=debate).order_by("pk").values_list("found", "agreed", "overall")),
        list(
            entries.values_list("kind", "sequence", "value_before", "value_after", "computed_after", "confidence_after")
        ),
        list(said.values_list("round__number", "participant__name", "body")),
        {name: part for name, part in document.items() if name not in about},
        {part: [row for row in text.splitlines() if not row.startswith(WHO)] for part, text in papers.items()},
    )


def test_equal_ballots_by_form_by_api_and_by_script_come_to_the_same():
    said = [analysis(*row, strengths=["Short."]) for row in APART]
    second = {
        judge: argument(section("design", "4", THERE), agrees_with=[f"Judge {judge % 3 + 1}"]) for judge in (1, 2, 3)
    }
    scripted = played(
        [
            *(answer(judge, 0, said[judge - 1]) for judge in second),
            *(answer(judge, 1, second[judge]) for judge in second),
        ],
        seats=[SCRIPT] * 3,
    )
    seated = waits([answer(3, 0, said[2]), answer(3, 1, second[3])])
    ida, bot = sit(seated, 1, "ida"), sit(seated, 2, "bot")
    for rnd in (said, [second[1], second[2]]):
        by_form(seated, ida, rnd[0])
        by_api(seated, bot, rnd[1])
        playing.work()

    assert outcome(seated) == outcome(scripted)


def test_nobody_hears_of_a_ballot_before_the_round_closes():
    debate = waits(by_script(AGREEING[2]))
    ida = sit(debate, 1, "ida")
    sit(debate, 2, "bot")
    before = (Event.objects.count(), Thread.objects.values().get(), Turn.objects.count())

    give(debate, 1, ida, analysis(*AGREEING[0]))

    assert (Event.objects.count(), Thread.objects.values().get(), Turn.objects.count()) == before
    assert [row.state for row in awaited_turns()] == ["waiting", "waiting"]


def test_who_is_late_abstains_and_the_others_are_counted():
    debate = waits(by_script(AGREEING[2]))
    ida = sit(debate, 1, "ida")
    give(debate, 1, ida, analysis(*AGREEING[0]))

    assert human_turns.forfeit(thread_id=Thread.objects.get().pk, now=timezone.now() + DAYS)
    playing.work()

    assert JudgeReport.objects.get(participant=seat_of(debate, 2)).readable is False
    assert Consensus.objects.get().found["counted"] == 2
    forfeits = Event.objects.filter(type="turn:forfeited").values_list("data__participant", flat=True)
    assert list(forfeits) == [str(seat_of(debate, 2).public_id)]
    assert {row.participant.name: row.state for row in awaited_turns()} == {"Judge 1": "spoken", "Judge 2": "forfeited"}


def test_the_offer_of_a_seat_says_until_when_its_ballot_is_awaited():
    debate = waits(by_script(AGREEING[2]))
    text = seats.invite(participant_id=seat_of(debate, 1).pk, by=None)
    soon = timezone.now() + timedelta(minutes=5)
    human_turns.move_deadline(debate_id=debate.pk, by=None, deadline=soon, now=timezone.now())

    page = Client().get(reverse("take-seat", args=[text])).content.decode()

    assert "Time for a ballot</dt><dd>3 d 0 h; for that which is awaited now, until <time" in page
    assert f'datetime="{soon.isoformat()}"' in page
    assert participants.offer(seat=seat_of(debate, 1), now=soon)["awaited_until"] is None, "a worker has yet to forfeit"
    lifecycle.pause(debate_id=debate.pk, by=None, now=timezone.now())
    assert "awaited now" not in Client().get(reverse("take-seat", args=[text])).content.decode()


@pytest.mark.parametrize("status", ["running", "awaiting_review"])
def test_who_did_not_read_alone_is_promised_no_ballot_and_nobody_sits_down_in_their_place(status):
    debate = waits(by_script(APART[2]), sits=(PERSON, PERSON, SCRIPT))
    olga = factories.person("olga")
    Debate.objects.filter(pk=debate.pk).update(created_by=olga)
    text = seats.invite(participant_id=seat_of(debate, 1).pk, by=olga)
    bob = sit(debate, 2, "bob")
    if status == "running":
        give(debate, 2, bob, analysis(*APART[1]))
    assert human_turns.forfeit(thread_id=debate.threads.get().pk, now=timezone.now() + DAYS)
    playing.work()
    debate.refresh_from_db()
    assert debate.status == status
    why = "Judge 1 judged nothing in the first round, and is asked for no ballot any more."

    with pytest.raises(NotAllowedNow, match=why):
        seats.take(invitation=text, by=factories.person("ida"))
    offer = Client().get(reverse("take-seat", args=[text]))
    people = client_of(olga).get(reverse("people", args=[debate.public_id])).content.decode()
    mine = client_of(olga).get(reverse("my-debates")).content.decode()

    assert (offer.status_code, why in offer.content.decode()) == (410, True)
    assert why in people
    assert "takes the seat of" not in people
    assert "seat is free" not in mine
    assert "invite somebody" not in ballots.irreplaceable(judge=seat_of(debate, 1), debate=debate)
    page = client_of(bob).get(reverse("ballot", args=[debate.public_id, seat_of(debate, 2).public_id])).content.decode()
    out = "Judge 2 judged nothing in the first round, and is asked for no ballot any more." in page
    assert ("You have until" in page, out) == (status == "running", status != "running")
    assert "You are written to when one is." not in page


def test_who_judged_nothing_reads_below_their_ballot_once_no_other_is_asked_of_them():
    debate = waits([*by_script(("2", "2")), moves(3, 1, THERE, design="4")])
    ida, bot = sit(debate, 1, "ida"), sit(debate, 2, "bot")
    client, address = client_of(ida), reverse("ballot", args=[debate.public_id, seat_of(debate, 1).public_id])
    give(debate, 1, ida, {"not_assessed": {"reason": "task_not_understood", "why": "So."}})

    sealed = client.get(address).content.decode()
    give(debate, 2, bot, analysis("5", "5"))
    playing.work()
    closed = client.get(address).content.decode()

    assert Thread.objects.get().status == "awaiting_turn"
    assert "You judged nothing" in closed
    why = "Judge 1 judged nothing in the first round, and is asked for no ballot any more."
    assert (why in sealed, why in closed) == (False, True)


def test_too_few_ballots_are_put_before_a_person():
    debate = waits(by_script(AGREEING[2]))

    human_turns.forfeit(thread_id=Thread.objects.get().pk, now=timezone.now() + DAYS)
    playing.work()

    debate.refresh_from_db()
    assert debate.status == "awaiting_review"
    assert Consensus.objects.get().reason_code == "quorum_lost"


@pytest.mark.parametrize(
    ("said", "why"),
    [
        pytest.param({}, "criteria must be a list; got nothing.", id="nothing"),
        pytest.param(analysis("6", "4"), "score", id="a score beyond the scale"),
        pytest.param({**analysis("4", "4"), "questions": [*FIVE, FIVE[0]]}, "at most 5", id="six questions"),
        pytest.param({**analysis("4", "4"), "criteria": []}, "nothing about design, tests", id="no criterion"),
        pytest.param(analysis("4", "4", strengths=["So."] * 21), "strengths are 21; at most 20 are kept", id="notes"),
        pytest.param(
            analysis("4", "4", quotes=["The tests run in CI"] * 13), "quotes are 13; at most 12 are kept", id="quotes"
        ),
        pytest.param(
            analysis("4", "4", weaknesses=["x" * 8_001]), "weaknesses, 1 has 8001 characters; at most 8000", id="words"
        ),
        pytest.param({"not_assessed": {"reason": ["x"], "why": "y"}}, "reason must be one of", id="a list of reasons"),
        pytest.param(
            {**analysis("4", "4"), "not_assessed": {"reason": "language_not_read", "why": "So."}},
            "not_assessed: who cannot judge it leaves out criteria, questions.",
            id="scores beside that nothing is judged",
        ),
    ],
)
def test_a_ballot_is_read_like_the_answer_of_a_model(said, why):
    debate = waits(by_script(AGREEING[2]))
    ida = sit(debate, 1, "ida")

    with pytest.raises(Invalid, match=why):
        give(debate, 1, ida, said)

    assert not Ballot.objects.exists()


def test_a_person_need_not_question_itself():
    debate = waits(by_script(AGREEING[2]))
    said = analysis(*AGREEING[0])
    del said["questions"]

    give(debate, 1, sit(debate, 1, "ida"), said)

    assert Ballot.objects.count() == 1


def test_a_ballot_is_given_once_and_giving_the_same_again_changes_nothing():
    debate = waits(by_script(AGREEING[2]))
    ida = sit(debate, 1, "ida")
    ballot = give(debate, 1, ida, analysis(*AGREEING[0]))

    assert give(debate, 1, ida, analysis(*AGREEING[0])) == ballot
    with pytest.raises(BallotGiven):
        give(debate, 1, ida, analysis("1", "1"))


def test_a_ballot_is_given_by_who_sits_there_in_time_and_where_one_is_awaited():
    debate = waits(by_script(AGREEING[2]))
    ida, bot, said = sit(debate, 1, "ida"), sit(debate, 2, "bot"), analysis(*AGREEING[0])

    with pytest.raises(NotPermitted):
        give(debate, 1, bot, said)
    with pytest.raises(TooLate):
        give(debate, 1, ida, said, now=timezone.now() + DAYS)
    with pytest.raises(NotFound):
        ballots.give(
            seat_id=seat_of(debate, 1).pk, by=ida, answer="{}", awaited=awaited(debate, 2).public_id, now=timezone.now()
        )
    human_turns.forfeit(thread_id=Thread.objects.get().pk, now=timezone.now() + DAYS)
    with pytest.raises(TooLate):
        give(debate, 1, ida, said)


def test_a_judge_does_not_speak():
    debate = waits(by_script(AGREEING[2]))
    ida = sit(debate, 1, "ida")

    with pytest.raises(NotAllowedNow, match="gives a ballot"):
        human_turns.speak(seat_id=seat_of(debate, 1).pk, by=ida, text="I find it good enough.", now=timezone.now())


def test_after_a_pause_everybody_has_the_whole_time_anew_and_a_given_ballot_stays():
    debate = waits(by_script(AGREEING[2]), ballot_seconds=3600)
    ida, bot = sit(debate, 1, "ida"), sit(debate, 2, "bot")
    give(debate, 1, ida, analysis(*AGREEING[0]))
    now = timezone.now()
    lifecycle.pause(debate_id=debate.pk, by=None, now=now)
    with pytest.raises(NotAllowedNow, match="paused"):
        give(debate, 2, bot, analysis(*AGREEING[1]))

    lifecycle.resume(debate_id=debate.pk, by=None, now=now + HOUR)

    assert {awaited(debate, judge).deadline for judge in (1, 2)} == {now + 2 * HOUR}
    assert give(debate, 1, ida, analysis(*AGREEING[0])).pk == Ballot.objects.get().pk
    give(debate, 2, bot, analysis(*AGREEING[1]), now=now + HOUR)
    playing.work()
    assert Consensus.objects.get().agreed


def test_who_says_that_they_cannot_judge_gives_no_number():
    debate = waits(by_script(AGREEING[2]))
    ida, bot = sit(debate, 1, "ida"), sit(debate, 2, "bot")

    give(debate, 1, ida, {"not_assessed": {"reason": "task_not_understood", "why": "The task names no measure."}})
    give(debate, 2, bot, analysis(*AGREEING[1]))
    playing.work()

    assert Consensus.objects.get().found["counted"] == 2
    assert JudgeReport.objects.get(participant=seat_of(debate, 1)).body["why"] == "The task names no measure."


def test_a_judge_on_a_seat_reads_what_a_model_reads():
    debate = waits([*by_script(APART[2]), moves(3, 1, THERE, design="4")])
    ida, bot = sit(debate, 1, "ida"), sit(debate, 2, "bot")
    alone_then = ballots.paper(seat=seat_of(debate, 1)).bench
    give(debate, 1, ida, analysis(*APART[0]))
    give(debate, 2, bot, analysis(*APART[1]))
    playing.work()

    paper = ballots.paper(seat=seat_of(debate, 1))

    assert (alone_then.others, alone_then.gaps) == ((), ())
    assert paper.bench.round == 1
    assert [stand.judge for stand in paper.bench.others] == ["Judge 2", "Judge 3"]
    assert [(gap.code, gap.other) for gap in paper.bench.gaps] == [("design", "Judge 2")]
    assert paper.bench.own.on("design").score == 5


def test_drafts_of_ballots_are_kept_while_they_are_awaited_and_go_with_the_ballot():
    debate = waits(by_script(AGREEING[2]))
    ida = sit(debate, 1, "ida")
    seat = seat_of(debate, 1)

    def keep(text):
        return human_turns.save_draft(seat_id=seat.pk, by=ida, text=text, seen=0, now=timezone.now())

    assert keep("x" * 40_000).text == "x" * 40_000
    give(debate, 1, ida, analysis(*AGREEING[0]), seen=TurnDraft.objects.get().pk)
    assert not TurnDraft.objects.exists()
    with pytest.raises(NotYourTurn):
        keep("again")


def test_engines_are_asked_as_often_as_wanted_and_people_once(settings):
    debate = waits([answer(2, 0, analysis("4", "4")), answer(3, 0, analysis("4", "4"))], sits=(PERSON, SCRIPT, SCRIPT))
    give(debate, 1, sit(debate, 1, "ida"), analysis("4", "4"))
    playing.work()

    debate.refresh_from_db()
    assert debate.status == "concluded"


def test_a_thread_that_waits_is_not_stopped_by_its_end_and_no_ballot_comes_after():
    debate = waits(by_script(AGREEING[2]))
    ida = sit(debate, 1, "ida")
    lifecycle.cancel(debate_id=debate.pk, by=None, now=timezone.now())

    with pytest.raises(NotAllowedNow, match="over"):
        give(debate, 1, ida, analysis(*AGREEING[0]))
    assert ballots.paper(seat=seat_of(debate, 1)).bench is None


def test_somebody_without_a_ballot_to_give_has_no_paper():
    debate = played(alone(*AGREEING))

    assert ballots.paper(seat=seat_of(debate, 1)) is None
    assert not ballots.waiting(seat=seat_of(debate, 1))


NO_CODE = {"criterion": "tests", "not_applicable": "There is no code to test."}


def without_tests(design, **more):
    """An analysis to which the tests do not apply."""
    said = analysis(design, "4", **more)
    return {**said, "criteria": [said["criteria"][0], NO_CODE]}


def test_where_a_criterion_does_not_apply_to_a_judge_the_others_are_counted():
    debate = waits([answer(3, 0, analysis("4", "3"))])
    ida, bot = sit(debate, 1, "ida"), sit(debate, 2, "bot")

    give(debate, 1, ida, without_tests("4.5"))
    give(debate, 2, bot, analysis("4", "4"))
    playing.work()

    found = Consensus.objects.get().found
    assert (found["counted"], found["agreed"], found["means"]) == (2, True, {"design": "4.1667", "tests": "3.5"})
    assert found["overalls"]["Judge 1"] is None
    document = results.panel_document(debate=Debate.objects.get())
    assert document["rounds"][0]["sections"]["Judge 1"]["not_applicable"] == {"tests": "There is no code to test."}
    assert document["criteria"][1]["scores"] == {"Judge 1": None, "Judge 2": "4.00", "Judge 3": "3.00"}
    final = reports.papers(document=document)
    assert "| does not apply | 4.00 | 3.00 |" in final["final"]
    assert "(not compared)" in final["final"]
    assert ": does not apply\n\nThere is no code to test." in final["1"]
    shown = Client().get(reverse("debate", args=[debate.public_id])).content.decode()
    assert "There is no code to test." in shown
    assert not verify.verify(debate_id=debate.pk).faults


def test_a_script_whose_judge_finds_that_something_does_not_apply_is_proved_like_any_other():
    debate = played([answer(1, 0, without_tests("4")), *alone(None, *AGREEING[1:])[1:]])

    assert Consensus.objects.get().found["counted"] == 2
    assert not verify.verify(debate_id=debate.pk).faults


def test_too_few_on_one_criterion_put_all_of_them_before_a_person():
    debate = waits([answer(3, 0, analysis("4", "4"))])
    for number, name in ((1, "ida"), (2, "bot")):
        give(debate, number, sit(debate, number, name), without_tests("4"))
    playing.work()

    review = Review.objects.get()
    assert (review.reason_code, review.disputed) == ("quorum_lost", ["design", "tests"])
    assert reports.reason(results.panel_document(debate=debate)) == "too few judges count on a criterion"


def test_who_gave_no_score_has_nothing_to_talk_about_there():
    debate = waits([answer(3, 0, analysis("2", "2")), moves(3, 1, THERE, design="4", tests="3.5")])
    ida, bot = sit(debate, 1, "ida"), sit(debate, 2, "bot")
    give(debate, 1, ida, without_tests("4"))
    give(debate, 2, bot, analysis("4", "4"))
    playing.work()

    first, second = (ballots.paper(seat=seat_of(debate, number)).bench for number in (1, 2))
    give(debate, 1, ida, argument(section("design", "4")))
    give(debate, 2, bot, argument(section("design", "4"), section("tests", "4")))
    playing.work()

    assert [gap.code for gap in first.gaps] == ["design"]
    assert [gap.opponents for gap in second.gaps if gap.code == "tests"] == [(("Judge 3", Decimal("2")),)]
    assert Consensus.objects.latest("pk").found["means"] == {"design": "4", "tests": "3.75"}


def test_how_sure_a_judge_is_is_kept_and_shown_and_moves_nothing():
    debate = waits(by_script(AGREEING[2]), policy=Policy(confidence="criterion"))
    said = analysis(*AGREEING[0])
    with pytest.raises(Invalid, match="confidence must be a number"):
        give(debate, 1, sit(debate, 1, "ida"), said)
    sure = {**said, "criteria": [{**row, "confidence": "0.3"} for row in said["criteria"]]}
    give(debate, 1, seat_of(debate, 1).user, sure)
    no_code = {"criterion": "tests", "not_applicable": "There is no code."}
    give(debate, 2, sit(debate, 2, "bot"), {**sure, "criteria": [sure["criteria"][0], no_code]})
    playing.work()

    document = results.panel_document(debate=debate)
    jsonschema.validate(document, as_kept())
    assert document["rounds"][0]["sections"]["Judge 1"]["criteria"][0]["confidence"] == "0.30"
    assert JudgeReport.objects.get(participant=seat_of(debate, 1)).body["criteria"][0]["confidence"] == "0.3"
    assert Consensus.objects.get().found["means"]["design"] == "4"
    assert "confidence 0.30" in Client().get(reverse("debate", args=[debate.public_id])).content.decode()


def test_where_names_are_hidden_everybody_is_called_by_what_they_give():
    debate = waits([*by_script(APART[2]), moves(3, 1, THERE, design="4")], policy=Policy(hide_names=True))
    ida, bot = sit(debate, 1, "ida"), sit(debate, 2, "bot")
    give(debate, 1, ida, analysis(*APART[0]))
    give(debate, 2, bot, analysis(*APART[1]))
    playing.work()

    bench = ballots.paper(seat=seat_of(debate, 1)).bench
    with pytest.raises(Invalid, match="'Judge 2' is no other judge; they are Judge B, Judge C"):
        give(debate, 1, ida, argument(section("design", "4", THERE), agrees_with=["Judge 2"]))
    give(debate, 1, ida, argument(section("design", "4", THERE), agrees_with=["Judge C"]))
    give(debate, 2, bot, argument(section("design", "4", THERE)))
    playing.work()

    assert (bench.judge, bench.own.judge) == ("Judge A", "Judge A")
    assert [(stand.judge, stand.on("design").score) for stand in bench.others] == [("Judge B", 4), ("Judge C", 2)]
    assert bench.gaps[0].opponents == (("Judge C", 2),)
    body = JudgeReport.objects.get(participant=seat_of(debate, 1), round__number=1).body
    assert (body["agrees_with"], body["sections"][0]["other"]) == (["Judge 2"], "Judge 2")


def test_letters_in_what_judges_say_are_names_once_kept_and_the_letters_of_the_round_where_they_are_shown():
    debate = waits([*by_script(APART[2]), stays(3, 1, design="4")], policy=Policy(hide_names=True, debate_rounds=2))
    ida, bot = sit(debate, 1, "ida"), sit(debate, 2, "bot")
    give(debate, 1, ida, analysis(*APART[0]))
    give(debate, 2, bot, analysis(*APART[1]))
    playing.work()

    said = {
        "challenge": "Judge C is harsh.",
        "because": "Judge B and Judge C miss what Judge A sees; Judge D is nobody.",
    }
    give(debate, 1, ida, argument({**section("design", "1", THERE), **said}))
    give(debate, 2, bot, argument(section("design", "2")))
    playing.work()

    row = JudgeReport.objects.get(participant=seat_of(debate, 1), round__number=1).body["sections"][0]
    assert row["challenge"] == "Judge 2 is harsh."
    assert row["because"] == "Judge 3 and Judge 2 miss what Judge 1 sees; Judge D is nobody."
    bench = ballots.paper(seat=seat_of(debate, 2)).bench
    assert (bench.judge, [stand.judge for stand in bench.others]) == ("Judge B", ["Judge A", "Judge C"])
    reasoning = bench.others[1].on("design").reasoning
    assert reasoning.endswith("Judge A and Judge B miss what Judge C sees; Judge D is nobody.")


def test_where_the_policy_lets_a_ballot_is_amended_until_the_round_closes_and_the_last_version_counts():
    debate = waits(by_script(AGREEING[2]), policy=Policy(amend=True))
    ida, bot = sit(debate, 1, "ida"), sit(debate, 2, "bot")
    first = give(debate, 1, ida, analysis("1", "1"))
    before = (Event.objects.count(), Thread.objects.values().get(), Turn.objects.count())

    second = give(debate, 1, ida, analysis(*AGREEING[0]))
    again = give(debate, 1, ida, analysis(*AGREEING[0]))
    told = (Event.objects.count(), Thread.objects.values().get(), Turn.objects.count())
    paper = ballots.paper(seat=seat_of(debate, 1))
    give(debate, 2, bot, analysis(*AGREEING[1]))
    playing.work()

    assert [(row.pk, row.number) for row in Ballot.objects.filter(participant=seat_of(debate, 1))] == [
        (first.pk, 1), (second.pk, 2),
    ]  # fmt: skip
    assert again == second
    assert told == before
    assert (paper.given, paper.bench is None) == (second, False)
    assert JudgeReport.objects.get(participant=seat_of(debate, 1)).body["scores"] == {"design": "4", "tests": "4"}
    with pytest.raises(NotAllowedNow):
        give(debate, 1, ida, analysis("1", "1"))
    assert not verify.verify(debate_id=debate.pk).faults


@pytest.mark.parametrize(
    "first",
    [
        pytest.param(analysis(*APART[0]), id="a judge whose ballot counted"),
        pytest.param({"not_assessed": {"reason": "task_not_understood", "why": "So."}}, id="one who said they cannot"),
    ],
)
def test_who_amends_a_ballot_of_a_closed_round_hears_that_it_counted_as_it_was_given(first):
    debate = waits([*by_script(("2", "2")), moves(3, 1, THERE, design="4")], policy=Policy(amend=True))
    ida, bot = sit(debate, 1, "ida"), sit(debate, 2, "bot")
    ballot = give(debate, 1, ida, first)
    seen = awaited(debate, 1)
    give(debate, 2, bot, analysis("5", "5"))
    playing.work()

    with pytest.raises(BallotGiven, match="round is closed; your ballot counted as it was given"):
        ballots.give(
            seat_id=seat_of(debate, 1).pk,
            by=ida,
            answer=json.dumps(analysis("1", "1")),
            awaited=seen.public_id,
            now=timezone.now(),
        )

    assert Thread.objects.get().status == "awaiting_turn"
    assert Ballot.objects.get(participant=seat_of(debate, 1)) == ballot


def test_who_has_given_a_ballot_and_amends_nothing_does_not_abstain():
    debate = waits(by_script(AGREEING[2]), policy=Policy(amend=True))
    give(debate, 1, sit(debate, 1, "ida"), analysis(*AGREEING[0]))

    assert human_turns.forfeit(thread_id=Thread.objects.get().pk, now=timezone.now() + DAYS)
    playing.work()

    assert JudgeReport.objects.get(participant=seat_of(debate, 1)).readable


def test_people_and_machines_are_told_apart_in_how_far_they_agree():
    codes = [f"c{number}" for number in range(1, 11)]
    given_by = {1: "5432154321", 2: "4432254331", 3: "5432154325"}

    def whole(scores):
        rows = [
            {"criterion": code, "score": score, "quotes": [], "reasoning": "So.", "improvement": ""}
            for code, score in zip(codes, scores, strict=True)
        ]
        return {**analysis("4", "4"), "criteria": rows}

    debate = waits(
        [answer(3, 0, whole(given_by[3]))],
        sits=(PERSON, PERSON, SCRIPT),
        rubric=typed(",".join(f"{code}:1" for code in codes)),
        policy=Policy(debate_rounds=0),
    )
    for number, name in ((1, "ida"), (2, "jo")):
        give(debate, number, sit(debate, number, name), whole(given_by[number]))
    playing.work()

    document = results.panel_document(debate=Debate.objects.get())
    groups = document["agreement"]["last"]["groups"]
    assert groups["people"]["judges"] == ["Judge 1", "Judge 2"]
    assert (groups["people"]["state"], groups["between"]["state"]) == ("measured", "measured")
    assert Decimal(groups["people"]["low"]) < Decimal(groups["people"]["value"]) <= Decimal(groups["people"]["high"])
    assert Decimal(groups["between"]["low"]) < Decimal(groups["between"]["value"]) < Decimal(groups["people"]["value"])
    assert groups["machines"] == {
        "judges": ["Judge 3"], "state": "too_few_units", "units": 0, "value": None, "low": None, "high": None,
    }  # fmt: skip
    final = reports.papers(document=document)["final"]
    assert "* Agreement of people with machines: " in final
    assert "Alpha of machines" not in final
    shown = Client().get(reverse("debate", args=[debate.public_id])).content.decode()
    assert "Agreement of people with machines, 95 % from" in shown


def test_who_becomes_a_party_while_a_ballot_is_read_is_refused_by_name(monkeypatch):
    debate = waits(by_script(AGREEING[2]))
    ida = sit(debate, 1, "ida")
    monkeypatch.setattr(ballots.rights, "may_sit", lambda **_who: None)  # it was asked a moment before
    conflicts.declare(debate_id=debate.pk, by=ida, reason=factories.REASON, now=timezone.now())

    with pytest.raises(ConflictOfInterest, match="declared conflict"):
        give(debate, 1, ida, analysis(*AGREEING[0]))

    assert not Ballot.objects.filter(participant__debate=debate).exists()


def test_who_declared_a_conflict_is_asked_for_no_ballot_and_keeps_what_they_had_written():
    debate = waits(by_script(AGREEING[2]))
    ida = sit(debate, 1, "ida")
    seat, client = seat_of(debate, 1), client_of(ida)
    page = reverse("ballot", args=[debate.public_id, seat.public_id])
    client.post(page, {"awaited": awaited(debate, 1).public_id, "c0-reasoning": "Half of it.", "keep": "1"})
    mails = list(Mail.objects.filter(person=ida, kind__in=["turn", "reminder"]))
    assert {mail.kind for mail in mails} == {"turn", "reminder"}

    conflicts.declare(debate_id=debate.pk, by=ida, reason=factories.REASON, now=timezone.now())
    client.post(page, {"awaited": awaited(debate, 1).public_id, "c0-reasoning": "More.", "keep": "1"})
    text = client.get(page).content.decode()

    why = "you have another part in this debate, or declared a conflict of interest, so nothing is asked of you."
    assert f"No ballot of yours is awaited now. You may not judge here: {why}" in text
    assert "Somebody else has to" not in text
    with pytest.raises(ConflictOfInterest, match=f"^You may not judge here: {why}$"):
        give(debate, 1, ida, analysis(*AGREEING[0]))
    assert "Half of it." in text
    assert "You have until" not in text
    assert "Your ballot as Judge 1" not in client.get(reverse("my-debates")).content.decode()
    for mail in mails:
        with pytest.raises(texts.Withdrawn):
            texts.words_of(mail, now=timezone.now())
    olga = factories.person("olga")
    Debate.objects.filter(pk=debate.pk).update(created_by=olga)
    for name, says in (("my-debates", "Judge 1 may not judge here"), ("people", "Judges as Judge 1, and may not")):
        about = [debate.public_id] if name == "people" else []
        assert says in client_of(olga).get(reverse(name, args=about)).content.decode()
    assert Alert.objects.get().evidence["why"].endswith("Replace them before the first round is closed.")
    assert human_turns.waiting_in_vain() == {}  # until the round closes they can be replaced
    ballots.replace_judge(
        participant_id=seat.pk, by=factories.moderator("root"), reason=factories.REASON, now=timezone.now()
    )


@pytest.mark.parametrize("since", ["", "paused", "awaiting_review", "with all ballots"])
def test_whoever_conducts_is_asked_to_see_to_who_may_not_judge_while_something_can_be_done(since):
    debate = waits(by_script(APART[2]))
    ida, bot, olga = sit(debate, 1, "ida"), sit(debate, 2, "bot"), factories.person("olga")
    Debate.objects.filter(pk=debate.pk).update(created_by=olga)
    if since == "with all ballots":
        give(debate, 1, ida, analysis(*APART[0]))
        give(debate, 2, bot, analysis(*APART[1]))
        playing.work()
    elif since:
        Debate.objects.filter(pk=debate.pk).update(status=since)
    conflicts.declare(debate_id=debate.pk, by=ida, reason=factories.REASON, now=timezone.now())

    mine = client_of(olga).get(reverse("my-debates")).content.decode()
    people = client_of(olga).get(reverse("people", args=[debate.public_id])).content.decode()

    assert ("Judge 1 may not judge here" in mine) == (since in {"", "paused"})
    assert "Judges as Judge 1, and may not" in people


def test_after_the_first_round_whoever_may_not_judge_abstains_once_nobody_else_is_awaited():
    debate = waits(by_script(APART[2]), sits=(PERSON, PERSON, SCRIPT))
    thread = debate.threads.get()
    ida, bob = sit(debate, 1, "ida"), sit(debate, 2, "bob")
    give(debate, 1, ida, analysis(*APART[0]))
    give(debate, 2, bob, analysis(*APART[1]))
    playing.work()

    conflicts.declare(debate_id=debate.pk, by=ida, reason=factories.REASON, now=timezone.now())
    assert not Alert.objects.filter(evidence__why__contains="may not judge").exists()
    assert human_turns.waiting_in_vain() == {}
    assert not human_turns.forfeit(thread_id=thread.pk, now=timezone.now())  # it would say who has given a ballot
    with pytest.raises(ConflictOfInterest):
        give(debate, 1, ida, argument(section("design", "2")))
    give(debate, 2, bob, argument(section("design", "2")))
    due = human_turns.waiting_in_vain()
    lifecycle.pause(debate_id=debate.pk, by=None, now=timezone.now())
    assert not human_turns.forfeit(thread_id=thread.pk, now=timezone.now())
    lifecycle.resume(debate_id=debate.pk, by=None, now=timezone.now())
    done = [human_turns.forfeit(thread_id=thread.pk, now=timezone.now()) for _ in range(2)]
    playing.work()

    event = Event.objects.get(type="turn:forfeited")
    assert (due, done) == ({thread.pk: debate.pk}, [True, False])
    assert (event.data["because"], event.data["participant"]) == ("no_answer", str(seat_of(debate, 1).public_id))
    assert not Mail.objects.filter(person=ida, kind="forfeited").exists()
    assert thread.rounds.get(number=1).closed_at is not None
    assert not verify.verify(debate_id=debate.pk).faults


def test_whether_somebody_may_judge_is_asked_of_those_alone_who_are_awaited_after_the_first_round_of_a_panel_in_play():
    cancelled = waits(by_script(APART[2]))
    sit(cancelled, 1, "old")
    lifecycle.cancel(debate_id=cancelled.pk, by=None, now=timezone.now())
    debate = waits(by_script(APART[2]))
    ida, bot = sit(debate, 1, "ida"), sit(debate, 2, "bot")

    def asked() -> int:
        with connection.cursor() as cursor:
            cursor.execute("SELECT calls FROM pg_stat_xact_user_functions WHERE funcname = 'moot_kept_from_seat'")
            return sum(calls for (calls,) in cursor.fetchall())

    def asked_by(look) -> int:
        before = asked()
        look()
        return asked() - before

    connection.cursor().execute("SET LOCAL track_functions = 'all'")
    assert asked_by(human_turns.waiting_in_vain) == 0
    give(debate, 1, ida, analysis(*APART[0]))
    give(debate, 2, bot, analysis(*APART[1]))
    playing.work()
    conflicts.declare(debate_id=debate.pk, by=ida, reason=factories.REASON, now=timezone.now())
    assert asked_by(human_turns.waiting_in_vain) == 2
    assert asked_by(lambda: human_turns.overdue(now=timezone.now())) == 0


def test_who_organises_a_panel_does_not_judge_in_it():
    debate = waits(by_script(AGREEING[2]))
    ida = sit(debate, 1, "ida")
    olga = factories.person("olga")
    Debate.objects.filter(pk=debate.pk).update(created_by=olga)
    text = seats.invite(participant_id=seat_of(debate, 2).pk, by=None)

    for person, why in ((olga, "created or organise"), (ida, "another part")):
        with pytest.raises(ConflictOfInterest, match=why):
            seats.take(invitation=text, by=person)
    with pytest.raises(ConflictOfInterest, match="another part"), transaction.atomic(), refusals():
        Membership.objects.create(debate=debate, user=ida, role="organiser")
    assert seats.take(invitation=text, by=factories.person("bot")).user.username == "bot"


@pytest.mark.parametrize("role", ["participant", "organiser", "guest"])
def test_who_judges_accepts_no_role_in_which_they_would_judge_no_more(role):
    debate = waits(by_script(AGREEING[2]))
    ida = sit(debate, 1, "ida")
    offer = Offer(debate=debate, role=MemberRole(role))
    _row, link = invitations.invite(offer=offer, by=None, now=timezone.now())

    refusal = nullcontext() if role == "guest" else pytest.raises(ConflictOfInterest, match="You sit here as a judge")
    with refusal:
        invitations.accept(text=link, by=ida, now=timezone.now())

    assert Membership.objects.filter(user=ida).count() == (role == "guest")
    assert give(debate, 1, ida, analysis(*AGREEING[0]))


def test_who_was_replaced_as_a_judge_may_take_part_in_another_role():
    debate = waits(by_script(AGREEING[2]))
    ida = sit(debate, 1, "ida")
    ballots.replace_judge(
        participant_id=seat_of(debate, 1).pk,
        by=factories.moderator("mira"),
        reason=factories.REASON,
        now=timezone.now(),
    )
    _row, link = invitations.invite(
        offer=Offer(debate=debate, role=MemberRole.PARTICIPANT), by=None, now=timezone.now()
    )

    invitations.accept(text=link, by=ida, now=timezone.now())

    assert Membership.objects.filter(user=ida).count() == 1
