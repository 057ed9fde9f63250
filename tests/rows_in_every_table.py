"""A number of rows in every table, each as small as it may be."""

from __future__ import annotations

import hashlib
from datetime import timedelta
from decimal import Decimal

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from debates import event_log
from debates.models import (
    Acceptance,
    ApiKey,
    AwaitedTurn,
    Ballot,
    Debate,
    Delivery,
    IdempotencyKey,
    Invitation,
    Mail,
    MailStop,
    Membership,
    Participant,
    Profile,
    Turn,
    TurnDraft,
    Webhook,
)
from debates.types import News
from judging.engine import queue
from judging.models import (
    CachedJudgement,
    Call,
    CallUnderWay,
    Challenge,
    Claim,
    Consensus,
    Defence,
    Effect,
    JudgeReport,
    JudgeScore,
    NewDebate,
    ParticipantState,
    PlannedStart,
    ResponseEvaluation,
    Review,
    Script,
    Standing,
    Synthesis,
    Verdict,
)
from scoring.models import (
    Alert,
    Appeal,
    Approval,
    Assignment,
    BrokenSeal,
    Conflict,
    Criterion,
    Erasure,
    Evaluation,
    Fact,
    InternalNote,
    Remark,
    ReplacedJudge,
    RescoreSet,
    Rubric,
    ScoreChange,
)
from scoring.services.entries import actor_of, reason_record
from scoring.types import Instrument
from tests import acts, factories
from tests.scoring.history import opened


def rows(count: int, *, prefix: str = "row") -> None:
    """Add so many rows to every table."""
    for number in range(count):
        one(f"{prefix}-{number}")


def one(name: str) -> Debate:
    """Add one row to every table, in a debate of its own."""
    debate = factories.debate()
    evaluation = factories.criterion(debate)
    factories.count(evaluation, "1")
    said(debate, evaluation)
    order = factories.order(
        evaluation, factories.moderator(name), reason=f"Because of {name}.", note=f"As {name} said.", seen=None
    )
    acts.freeze(order=order, now=timezone.now())
    Alert.objects.create(
        debate=debate, evaluation=evaluation, code="net_capped", severity="info", evidence={}, facts_digest="d"
    )
    Script.objects.create(debate=debate, answers=[{"purpose": "judge"}])
    Claim.objects.create(thread=evaluation.thread, fence=1, claimed_at=timezone.now())
    CallUnderWay.objects.create(debate=debate, thread=evaluation.thread, fence=1, lease_until=timezone.now())
    event_log.append(debate_id=debate.pk, news=[News("debate:paused", {})], now=timezone.now())
    rubric = Rubric.objects.create(slug=name, name=name, criteria_count=1)
    texts = {"code": "C1", "name": "One", "category": "one", "question": "?", "high": "+", "low": "-"}
    Criterion.objects.create(rubric=rubric, position=1, weight=Decimal(1), **texts)
    queue.conclude(debate_id=debate.pk)
    asked(debate, evaluation)
    told_outside(debate, factories.person(f"owner of {name}"))
    invited(debate, factories.person(f"guest of {name}"))
    argued(name)
    deliberated()
    erased(debate)
    return debate


def argued(name: str) -> None:
    """Add a response of an open debate with what was judged of it, what it did, and where that left all."""
    now = timezone.now()
    rows = opened(Instrument.ADHERENCE, "70", "70"), opened(Instrument.STANDING, "25", "25")
    fact, own = (row.facts.get() for row in rows)
    debate = rows[0].debate
    mira, konrad = (
        Participant.objects.create(debate=debate, role="chair", name=who, provider="scripted", position=position)
        for position, who in enumerate(("Mira", "Konrad"))
    )
    turn = Turn.objects.create(
        debate=debate, participant=mira, round=fact.round, kind="response", slot="response", text="So.", at=now
    )
    marks = {"steel_manning": 20, "self_critique": 20, "consistency": 15, "honesty": 15}
    flags = {"steel_attempted": True, "critique_attempted": True, "at": now}
    flags |= {"quick_steel_manning": True, "quick_self_critique": True}
    ResponseEvaluation.objects.create(turn=turn, round=fact.round, state="scored", fact=fact, **marks, **flags)
    about = {"persuasion": 1, "attack": 0, "evidence": 0, "source": "words", "at": now}
    Effect.objects.create(turn=turn, speaker=mira, listener=konrad, **about)
    ParticipantState.objects.create(participant=konrad, number=0, stance=0, conviction=1, at=now)
    Standing.objects.create(
        fact=own, round=own.round, participant=mira, stance=10, persuasion=10, resistance=5, penalty=0
    )
    otto = Participant.objects.create(debate=debate, role="chair", kind="human", name="Otto", position=2)
    AwaitedTurn.objects.create(
        round=fact.round, participant=otto, kind="response", at=now, deadline=now + timedelta(hours=1)
    )
    CachedJudgement.objects.create(digest=hashlib.sha256(name.encode()).hexdigest(), answer="{}", at=now)


def deliberated() -> None:
    """Add a judge's report with a score, and what was found of the panel."""
    now = timezone.now()
    row = factories.panel(factories.debate())
    fact = row.facts.order_by("pk")[0]
    judge = Participant.objects.create(debate=row.debate, role="judge", name="Judge 1", provider="scripted")
    about = {"debate": row.debate, "round": fact.round, "at": now}
    turn = Turn.objects.create(**about, participant=judge, kind="report", slot="report", text="So.")
    report = JudgeReport.objects.create(**about, participant=judge, readable=True, turn=turn)
    JudgeScore.objects.create(fact=fact, report=report, key=row.key, given=2)
    seat = Participant.objects.create(debate=row.debate, role="judge", kind="human", name="Judge 2", position=2)
    ballot = Ballot.objects.create(round=fact.round, participant=seat, answer="{}", at=now)
    breaker = factories.moderator(f"breaker {row.debate_id}")
    BrokenSeal.objects.create(
        debate=row.debate,
        ballot=ballot,
        person=breaker,
        by=actor_of(breaker),
        because=reason_record("He asked for it."),
    )
    places = [
        Participant.objects.create(debate=row.debate, role="judge", kind="human", name=name, position=3)
        for name in ("Judge 3", "Judge 4")
    ]
    ReplacedJudge.objects.create(
        debate=row.debate,
        judge=places[0],
        successor=places[1],
        by=actor_of(breaker),
        because=reason_record("She wrote half of it."),
    )
    Consensus.objects.create(**about, policy={}, found={}, agreed=True, overall=3, recommendation="needs_revision")


def erased(debate: Debate) -> None:
    """Add a note that the words of a debate were erased."""
    freeze = ScoreChange.objects.get(evaluation__debate=debate, kind="freeze")
    Erasure.objects.create(scope="debate", debate=debate, by=freeze.actor, because=freeze.reason, counts={})


def told_outside(debate: Debate, owner: User) -> None:
    """Add a key, a request that was done once, a webhook and a delivery, all of one owner."""
    name = owner.get_username()
    digest = hashlib.sha256(name.encode()).hexdigest()
    key = ApiKey.objects.create(owner=owner, name=name, prefix=digest[:12], digest=digest, scopes=["read"])
    IdempotencyKey.objects.create(owner=owner, api_key=key, key=digest, digest=digest, status=200, body="{}")
    webhook = Webhook.objects.create(owner=owner, debate=debate, url="https://example.org/", secret="whsec_1")
    Delivery.objects.create(webhook=webhook, event=debate.events.latest("seq"), due_at=timezone.now())


def invited(debate: Debate, guest: User) -> None:
    """Add an invitation to a debate, who came by it, their role, and their profile."""
    now = timezone.now()
    invitation = Invitation.objects.create(
        debate=debate, role="guest", digest=hashlib.sha256(guest.get_username().encode()).hexdigest(),
        expires_at=now + timedelta(days=7),
    )  # fmt: skip
    Acceptance.objects.create(invitation=invitation, user=guest, at=now)
    Membership.objects.create(debate=debate, user=guest, role="guest")
    Profile.objects.create(user=guest)
    seat = Participant.objects.create(debate=debate, role="chair", kind="human", name="A guest", user=guest)
    TurnDraft.objects.create(participant=seat, text="I was about to say.", saved_at=now)
    Mail.objects.create(
        kind="concluded", about=str(debate.public_id), person=guest, debate=debate, due_at=now, next_attempt_at=now
    )
    MailStop.objects.create(digest=hashlib.sha256(f"no mail to {guest}".encode()).hexdigest())
    PlannedStart.objects.create(debate=factories.debate(), starts_at=now + timedelta(days=1))
    NewDebate.objects.create(owner=guest, format="open", body={"motion": "Is it a draft?"}, copied_from=debate)


def asked(debate: Debate, evaluation: Evaluation) -> None:
    """Add one of each thing that waits for a person."""
    freeze = ScoreChange.objects.get(evaluation=evaluation, kind="freeze")
    assert freeze.actor is not None
    assert freeze.reason is not None
    Approval.objects.create(
        evaluation=evaluation, value=Decimal(9), value_seen=Decimal(7), seen=1, door="moderator",
        requested_by=freeze.actor, because=freeze.reason,
    )  # fmt: skip
    line = {"id": evaluation.pk, "evaluation": str(evaluation.public_id), "name": "P1", "seen": 1, "value_before": "7"}
    line |= {"value_after": "6", "computed_before": None, "computed_after": None}
    RescoreSet.objects.create(action="rollback", lines=[line], staged_by=freeze.actor, because=freeze.reason)
    Review.objects.create(debate=debate, round_number=1, reason_code="spread", disputed=["P1"], policy={})
    with transaction.atomic():
        note = InternalNote.objects.create(text="Look at the second round.")
        Remark.objects.create(evaluation=evaluation, by=freeze.actor, note=note)
    Assignment.objects.create(evaluation=evaluation, person=factories.person(f"desk {debate.pk}"))
    alert = Alert.objects.create(
        debate=debate, evaluation=evaluation, code="extreme_net", severity="info", evidence={}, facts_digest="d"
    )
    alert.state, alert.handled_by, alert.handled_because = "acknowledged", freeze.actor, freeze.reason
    alert.handled_at = timezone.now()
    alert.save()
    Appeal.objects.create(
        debate=debate, entry=freeze, person=freeze.actor.user, appellant=freeze.actor, ground="other", evidence={},
        because=freeze.reason,
    )  # fmt: skip
    Conflict.objects.create(
        debate=debate, person=factories.person(f"kin {debate.pk}"), by=freeze.actor, because=freeze.reason
    )


def said(debate: Debate, evaluation: Evaluation, *, words: str = "So.") -> None:
    """Add one turn of each kind with what hangs on it, all in the same words."""
    now = timezone.now()
    fact = Fact.objects.select_related("round").get(evaluation=evaluation)
    arbiter, played = factories.arbiter(debate), fact.round
    where = {"debate": debate, "thread": evaluation.thread, "round": played, "participant": arbiter, "at": now}

    def turn(kind: str) -> Turn:
        return Turn.objects.create(**where, kind=kind, slot=kind, text=words)

    challenge = Challenge.objects.create(
        thread=evaluation.thread, run_number=1, label="C1", persona="skeptic", severity="minor", turn=turn("challenge")
    )
    Defence.objects.create(turn=turn("defence"), challenge=challenge, round=played, reply="defend")
    call = Call.objects.create(
        debate=debate, thread=evaluation.thread, run_number=1, round_number=1, purpose="judge", attempt=1,
        participant=arbiter, prompt_name="judge", prompt_version=1, prompt_digest="d", provider="scripted",
        outcome="used", at=now,
    )  # fmt: skip
    Verdict.objects.create(fact=fact, challenge=challenge, round=played, winner="evaluator", reasoning=words, call=call)
    Synthesis.objects.create(debate=debate, number=1, numbers={"overall": {}}, turn=turn("synthesis"), at=now)
