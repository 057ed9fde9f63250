"""Debates of every format that were played and moderated: at least two rows of everything that an account rests on."""

from decimal import Decimal

from django.contrib.auth.models import Permission, User
from django.test import override_settings
from django.utils import timezone

from debates.models import Ballot, Debate
from judging.engine import appeals, ballots, reviews
from judging.engine.appeals import AppealDecision
from judging.engine.reviews import Decision
from judging.models import Review
from scoring.enums import AlertState, AppealGround, AppealState, BulkAction
from scoring.models import Alert, Approval, Evaluation, OrganiserRule, Threshold
from scoring.services import alerts, approvals, cases, conflicts, rescore
from tests import acts, factories, playing
from tests.judging.erasure.erase import erase
from tests.judging.formats.open import people
from tests.judging.formats.open import playing as tables
from tests.judging.formats.open.scripts import script as talk
from tests.judging.formats.open.scripts import weighs
from tests.judging.formats.panel import play as panels
from tests.judging.formats.panel import seats
from tests.judging.formats.panel.small_panel import analysis
from tests.playing import ruling, script


def everything() -> None:
    """Play and moderate."""
    alice, bob = factories.moderator("alice"), factories.moderator("bob")
    for points in (3, 2):
        Threshold.objects.create(points=points)
        OrganiserRule.objects.create(moderate=True)
    rounds = [[ruling("2"), ruling("-1", challenge="C2")], [ruling("3"), ruling("0.5", challenge="C2")]]
    answers = script(rounds)
    answers[0]["answer"]["challenges"][0]["quote"] = "The district pays 40 000 a year."
    debates = [playing.debate(answers, criteria=("P1", "P2"), rounds=2) for _ in range(2)]
    playing.work()
    for debate in debates:
        moderated(debate, alice, bob)
    tables.played(
        provider="scripted",
        script=talk(weighs("Mira", "Konrad"), weighs("Konrad", "Mira")),
        exchanges=2,
        effects="judge",
    )
    waiting = people.waits()
    people.speak(waiting, people.konrad(waiting))
    playing.work()
    for _ in range(2):
        reviewed(panels.played(panels.alone(("4", "3"), None, None)), alice)
    seated = seats.waits([panels.answer(3, 0, analysis("4", "4"))])
    for number in (1, 2):
        seats.sit(seated, number, f"former judge {number}")
        former = seats.seat_of(seated, number).pk
        ballots.replace_judge(participant_id=former, by=alice, reason=factories.REASON, now=timezone.now())
    for number in (4, 5):
        seats.give(seated, number, seats.sit(seated, number, f"judge {number}"), analysis("4", "4"))
        if number == 4:
            seals_broken(seated)
    playing.work()
    gone = playing.debate(script([[ruling("1")]]), rounds=1)
    playing.work()
    erase(gone, alice)
    erase(bob, alice)


def moderated(debate: Debate, alice: User, bob: User) -> None:
    """Acts of every kind on the scores of a debate that was played."""
    first, second = Evaluation.objects.filter(debate=debate).order_by("pk")
    now = timezone.now()
    acts.strike(
        order=factories.order(first, alice, note=f"Ask Bob about the judge of {debate.pk}."),
        facts=first.basis[:1],
        now=now,
    )
    with override_settings(SECOND_PERSON_FROM=Decimal(2)):
        asked = acts.override(order=factories.order(second, alice), value="2", now=now)
        assert isinstance(asked, Approval)
        approvals.approve(approval_id=asked.pk, by=bob, reason="I read it too, and agree.", now=now)
    first.refresh_from_db()
    rows = [(first.pk, first.moderation_version)]
    kept = rescore.stage(action=BulkAction.FREEZE, rows=rows, reason=factories.REASON, by=alice, now=now)
    rescore.apply(set_id=kept.pk, by=alice, now=now)
    entry = second.entries.get(sequence=1)
    about = {"debate_id": debate.pk, "by": bob, "entry_id": entry.pk, "ground": AppealGround.OTHER}
    with override_settings(APPEALS_FROM="signed_in", APPEALS_OPEN_PER_PERSON=99, APPEALS_PER_DAY=99):
        filed = appeals.file(**about, words="It began where it should not.", now=now)
    appeals.claim(appeal_id=filed.pk, by=alice, now=now)
    decision = AppealDecision(by=alice, outcome=AppealState.DISMISSED, reason=factories.REASON)
    appeals.decide(appeal_id=filed.pk, decision=decision, now=now)
    conflicts.declare(
        debate_id=debate.pk, by=factories.moderator(f"carol {debate.pk}"), reason=factories.REASON, now=now
    )
    cases.remark(evaluation_id=first.pk, by=alice, text=f"Ask Bob about debate {debate.pk} again.", now=now)
    for alert in Alert.objects.filter(debate=debate, state="open")[:1]:
        alerts.handle(
            alert_ids=[alert.pk], by=alice, state=AlertState.ACKNOWLEDGED, reason="This is as it should be.", now=now
        )


def seals_broken(panel: Debate) -> None:
    """Two people who may, each with a reason, look at a ballot whose round is open."""
    right = Permission.objects.get(codename="break_seal")
    for name in ("dora", "emil"):
        looks = factories.moderator(name)
        looks.user_permissions.add(right)
        ballot = Ballot.objects.get(round__thread__debate=panel)
        conflicts.break_seal(ballot_id=ballot.pk, by=looks, reason=factories.REASON, now=timezone.now())


def reviewed(panel: Debate, by: User) -> None:
    """A panel that did not agree, settled by a person."""
    review = Review.objects.get(debate=panel)
    reviews.claim(review_id=review.pk, by=by, now=timezone.now())
    seen = dict(Evaluation.objects.filter(debate=panel).values_list("key", "moderation_version"))
    values = {code: Decision("4", "The judges erred, I have looked.", seen[code]) for code in review.disputed}
    reviews.settle(review_id=review.pk, by=by, decisions=values, now=timezone.now())
    playing.work()
