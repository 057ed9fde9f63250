"""A number of rows in every table, each as small as it may be."""

from __future__ import annotations

import hashlib
from decimal import Decimal

from django.utils import timezone

from debates import stream
from debates.models import ApiKey, Debate, Delivery, IdempotencyKey, Turn, Webhook
from debates.types import News
from judging import queue
from judging.models import Call, Challenge, Claim, Defence, Review, Script, Synthesis, Verdict
from scoring.models import Alert, Approval, Criterion, Evaluation, Fact, RescoreSet, Rubric, ScoreChange
from scoring.services import moderation
from tests import factories


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
    order = factories.order(evaluation, factories.moderator(name), reason=f"Because of {name}.", seen=None)
    moderation.freeze(order=order, now=timezone.now())
    Alert.objects.create(
        debate=debate, evaluation=evaluation, code="net_capped", severity="info", evidence={}, facts_digest="d"
    )
    Script.objects.create(debate=debate, answers=[{"purpose": "judge"}])
    Claim.objects.create(thread=evaluation.thread, fence=1, claimed_at=timezone.now())
    stream.append(debate_id=debate.pk, news=[News("debate:paused", {})], now=timezone.now())
    rubric = Rubric.objects.create(slug=name, name=name)
    texts = {"code": "C1", "name": "One", "category": "one", "question": "?", "high": "+", "low": "-"}
    Criterion.objects.create(rubric=rubric, position=1, weight=Decimal(1), **texts)
    queue.conclude(debate_id=debate.pk)
    asked(debate, evaluation)
    told_outside(debate, name)
    return debate


def told_outside(debate: Debate, name: str) -> None:
    """Add a key, a request that was done once, a webhook and a delivery."""
    owner = factories.person(f"owner of {name}")
    digest = hashlib.sha256(name.encode()).hexdigest()
    key = ApiKey.objects.create(owner=owner, name=name, prefix=digest[:12], digest=digest, scopes=["read"])
    IdempotencyKey.objects.create(owner=owner, api_key=key, key=name, digest=digest, status=200, body="{}")
    webhook = Webhook.objects.create(owner=owner, debate=debate, url="https://example.org/", secret="whsec_1")
    Delivery.objects.create(webhook=webhook, event=debate.events.latest("seq"), due_at=timezone.now())


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


def said(debate: Debate, evaluation: Evaluation) -> None:
    """Add one turn of each kind with what hangs on it."""
    now = timezone.now()
    fact = Fact.objects.select_related("round").get(evaluation=evaluation)
    arbiter, played = factories.arbiter(debate), fact.round
    where = {"debate": debate, "thread": evaluation.thread, "round": played, "participant": arbiter, "at": now}

    def turn(kind: str) -> Turn:
        return Turn.objects.create(**where, kind=kind, slot=kind, text="So.")

    challenge = Challenge.objects.create(
        thread=evaluation.thread, run_number=1, label="C1", persona="skeptic", severity="minor", turn=turn("challenge")
    )
    Defence.objects.create(turn=turn("defence"), challenge=challenge, round=played, reply="defend")
    call = Call.objects.create(
        debate=debate, thread=evaluation.thread, run_number=1, round_number=1, purpose="judge", attempt=1,
        participant=arbiter, prompt_name="judge", prompt_version=1, prompt_digest="d", provider="scripted",
        outcome="used", at=now,
    )  # fmt: skip
    Verdict.objects.create(fact=fact, challenge=challenge, round=played, winner="evaluator", reasoning="So.", call=call)
    Synthesis.objects.create(debate=debate, number=1, numbers={"overall": {}}, turn=turn("synthesis"), at=now)
