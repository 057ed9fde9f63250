"""A number of rows in every table, each as small as it may be; what adds some returns them by their names."""

import hashlib
from datetime import timedelta
from decimal import Decimal
from typing import Any

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
from scoring.enums import FactKind
from scoring.models import (
    Actor,
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
    Reason,
    Remark,
    ReplacedJudge,
    RescoreSet,
    Rubric,
)
from scoring.services.entries import actor_of, reason_record
from scoring.services.rounds import Given
from scoring.types import Instrument
from tests import acts, factories
from tests.scoring.history import opened

Rows = dict[str, Any]


def rows(count: int, *, prefix: str = "row") -> None:
    """Add so many rows to every table."""
    for number in range(count):
        one(f"{prefix}-{number}")


def one(name: str) -> Debate:
    """Add one row to every table, in a debate of its own."""
    with transaction.atomic():
        debate = factories.debate()
        evaluation = factories.criterion(debate)
        factories.count(evaluation, "1")
        said(debate, evaluation)
        invited(debate, factories.person(f"guest of {name}"))
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
    texts = {"code": "C1", "name": "One", "category": "one", "question": "?", "high": "+", "low": "-"}
    with transaction.atomic():
        rubric = Rubric.objects.create(slug=name, name=name, criteria_count=1)
        Criterion.objects.create(rubric=rubric, position=1, weight=Decimal(1), **texts)
    queue.conclude(debate_id=debate.pk)
    freeze = evaluation.entries.get(kind="freeze")
    asked(evaluation, freeze.actor, freeze.reason)
    about = {"debate": debate, "because": freeze.reason}
    Erasure.objects.create(**about, scope="debate", by=freeze.actor, counts={})
    Appeal.objects.create(
        **about, entry=freeze, person=freeze.actor.user, appellant=freeze.actor, ground="other", evidence={}
    )
    told_outside(debate, factories.person(f"owner of {name}"))
    argued(name)
    deliberated()
    return debate


@transaction.atomic
def argued(name: str) -> Rows:
    """Add a response of an open debate with what was judged of it, what it did, and where that left all."""
    now = timezone.now()
    adherence = opened(Instrument.ADHERENCE, "70", "70", chair="Mira")
    standing = opened(Instrument.STANDING, "25", "25", chair="Mira")
    fact, own = adherence.facts.get(), standing.facts.get()
    debate, mira = adherence.debate, adherence.participant
    konrad = Participant.objects.create(debate=debate, role="chair", name="Konrad", provider="scripted", position=1)
    turn = Turn.objects.create(
        debate=debate, participant=mira, round=fact.round, kind="response", slot="response", text="So.", at=now
    )
    marks = {"steel_manning": 20, "self_critique": 20, "consistency": 15, "honesty": 15}
    flags = {"steel_attempted": True, "critique_attempted": True, "at": now}
    flags |= {"quick_steel_manning": True, "quick_self_critique": True}
    about = {"persuasion": 1, "attack": 0, "evidence": 0, "source": "words", "at": now}
    otto = Participant.objects.create(debate=debate, role="chair", kind="human", name="Otto", position=2)
    AwaitedTurn.objects.create(
        round=fact.round, participant=otto, kind="response", at=now, deadline=now + timedelta(hours=1)
    )
    return {
        "response_account": adherence,
        "standing_account": standing,
        "response_evaluation": ResponseEvaluation.objects.create(
            turn=turn, round=fact.round, state="scored", fact=fact, **marks, **flags
        ),
        "effect": Effect.objects.create(turn=turn, speaker=mira, listener=konrad, **about),
        "speaker": mira,
        "listener": konrad,
        "third_speaker": otto,
        "start_state": ParticipantState.objects.create(participant=konrad, number=0, stance=0, conviction=1, at=now),
        "standing_row": Standing.objects.create(
            fact=own,
            round=own.round,
            participant=standing.participant,
            stance=10,
            persuasion=10,
            resistance=5,
            penalty=0,
        ),
        "cached": CachedJudgement.objects.create(digest=hashed(name), answer="{}", at=now),
    }


@transaction.atomic
def deliberated() -> Rows:
    """Add a judge's report with a score, and what was found of the panel."""
    now = timezone.now()
    debate = factories.debate()
    judge = Participant.objects.create(debate=debate, role="judge", name="Judge 1", provider="scripted")
    scores = [Given(FactKind.JUDGE_SCORE, Decimal(score), participant=judge) for score in (2, 4)]
    row = factories.panel(debate, scores=scores)
    fact = row.facts.order_by("pk")[0]
    about = {"debate": row.debate, "round": fact.round, "at": now}
    turn = Turn.objects.create(**about, participant=judge, kind="report", slot="report", text="So.")
    report = JudgeReport.objects.create(**about, participant=judge, readable=True, turn=turn)
    seat, place, successor = (
        Participant.objects.create(debate=row.debate, role="judge", kind="human", name=name, position=position)
        for name, position in (("Judge 2", 2), ("Judge 3", 3), ("Judge 4", 3))
    )
    ballot = Ballot.objects.create(round=fact.round, participant=seat, answer="{}", at=now)
    breaker = factories.moderator(f"breaker {row.debate_id}")
    of_breaker = {"debate": row.debate, "by": actor_of(breaker)}
    return {
        "panel_account": row,
        "ballot": ballot,
        "broken_seal": BrokenSeal.objects.create(
            **of_breaker, ballot=ballot, person=breaker, because=reason_record("He asked for it.")
        ),
        "replaced_judge": place,
        "replaced_judge_row": ReplacedJudge.objects.create(
            **of_breaker, judge=place, successor=successor, because=reason_record("She wrote half of it.")
        ),
        "judge_report": report,
        "judge_score": JudgeScore.objects.create(fact=fact, report=report, key=row.key, given=2),
        "consensus": Consensus.objects.create(
            **about, policy={}, found={}, agreed=True, overall=3, recommendation="needs_revision"
        ),
    }


def told_outside(debate: Debate, owner: User) -> Rows:
    """Add a key, a request that was done once, a webhook and a delivery, all of one owner."""
    name = owner.get_username()
    digest = hashed(name)
    key = ApiKey.objects.create(owner=owner, name=name, prefix=digest[:12], digest=digest, scopes=["read"])
    webhook = Webhook.objects.create(owner=owner, debate=debate, url="https://example.org/", secret="whsec_1")
    return {
        "api_key": key,
        "answered": IdempotencyKey.objects.create(
            owner=owner, api_key=key, key=digest, digest=digest, status=200, body="{}"
        ),
        "webhook": webhook,
        "delivery": Delivery.objects.create(webhook=webhook, event=debate.events.latest("seq"), due_at=timezone.now()),
    }


def invited(debate: Debate, guest: User, *, places: int = 1) -> Rows:
    """Add an invitation to a debate, who came by it, their role, and their profile."""
    now = timezone.now()
    about = {"debate": debate, "role": "guest", "places": places, "expires_at": now + timedelta(days=7)}
    invitation = Invitation.objects.create(**about, digest=hashed(guest.get_username()))
    seat = Participant.objects.create(debate=debate, role="chair", kind="human", name="A guest", user=guest)
    mail = {"about": str(debate.public_id), "debate": debate, "due_at": now, "next_attempt_at": now}
    return {
        "invitation": invitation,
        "acceptance": Acceptance.objects.create(invitation=invitation, user=guest, at=now),
        "membership": Membership.objects.create(debate=debate, user=guest, role="guest"),
        "profile": Profile.objects.create(user=guest),
        "seat": seat,
        "turn_draft": TurnDraft.objects.create(participant=seat, text="I was about to say.", saved_at=now),
        "mail": Mail.objects.create(**mail, kind="concluded", person=guest),
        "mail_stop": MailStop.objects.create(digest=hashed(f"no mail to {guest}")),
        "planned_start": PlannedStart.objects.create(debate=factories.debate(), starts_at=now + timedelta(days=1)),
        "new_debate": NewDebate.objects.create(
            owner=guest, format="open", body={"motion": "Is it a draft?"}, copied_from=debate
        ),
    }


def asked(evaluation: Evaluation, by: Actor, because: Reason) -> Rows:
    """Add one of each thing that waits for a person, all by one person."""
    debate, about = evaluation.debate, {"debate": evaluation.debate, "because": because}
    line = {"id": evaluation.pk, "evaluation": str(evaluation.public_id), "name": "P1", "seen": 1, "value_before": "7"}
    line |= {"value_after": "6", "computed_before": None, "computed_after": None}
    with transaction.atomic():
        note = InternalNote.objects.create(text="Look at the second round.")
        remark = Remark.objects.create(evaluation=evaluation, by=by, note=note)
    Assignment.objects.create(evaluation=evaluation, person=factories.person(f"desk {debate.pk}"))
    alert = Alert.objects.create(
        debate=debate, evaluation=evaluation, code="extreme_net", severity="info", evidence={}, facts_digest="d"
    )
    alert.state, alert.handled_by, alert.handled_because = "acknowledged", by, because
    alert.handled_at = timezone.now()
    alert.save()
    kin = factories.person(f"kin {debate.pk}")
    return {
        "approval": Approval.objects.create(
            evaluation=evaluation, value=4, value_seen=7, seen=1, door="moderator", requested_by=by, because=because
        ),
        "rescore": RescoreSet.objects.create(
            action="rollback", lines=[line], staged_by=by, because=reason_record("All of these are wrong.")
        ),
        "review": Review.objects.create(
            debate=debate, round_number=1, reason_code="spread", disputed=["P1"], policy={}
        ),
        "remark": remark,
        "party": kin,
        "conflict": Conflict.objects.create(**about, person=kin, by=by),
    }


def said(debate: Debate, evaluation: Evaluation, *, words: str = "So.") -> Rows:
    """Add one turn of each kind with what hangs on it, all in the same words."""
    now = timezone.now()
    fact = Fact.objects.select_related("round").filter(evaluation=evaluation).earliest("pk")
    arbiter, played = factories.arbiter(debate), fact.round
    where = {"debate": debate, "thread": evaluation.thread, "round": played, "participant": arbiter, "at": now}

    def turn(kind: str) -> Turn:
        return Turn.objects.create(**where, kind=kind, slot=kind, text=words)

    about = {"thread": evaluation.thread, "run_number": 1, "label": "C1", "persona": "skeptic", "severity": "minor"}
    challenge = Challenge.objects.create(**about, quote=words, turn=turn("challenge"))
    call = Call.objects.create(
        debate=debate, thread=evaluation.thread, run_number=1, round_number=1, purpose="judge", attempt=1,
        participant=arbiter, prompt_name="judge", prompt_version=1, prompt_digest="d", provider="scripted",
        raw_answer=words, outcome="used", at=now,
    )  # fmt: skip
    return {
        "challenge": challenge,
        "defence": Defence.objects.create(turn=turn("defence"), challenge=challenge, round=played, reply="defend"),
        "call": call,
        "verdict": Verdict.objects.create(
            fact=fact, challenge=challenge, round=played, winner="evaluator", reasoning=words, call=call
        ),
        "synthesis": Synthesis.objects.create(
            debate=debate, number=1, numbers={"overall": {}}, turn=turn("synthesis"), at=now
        ),
    }


def hashed(words: str) -> str:
    return hashlib.sha256(words.encode()).hexdigest()
