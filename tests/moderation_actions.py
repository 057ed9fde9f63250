"""What is done at the desk, each as (a row on which it makes sense, who may, what is filled in, what is there then)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Model
from django.test import override_settings
from django.utils import timezone

from debates import event_log
from debates.models import ApiKey, Delivery, Participant, Webhook
from debates.services import keys, webhooks
from debates.types import Kind, News, ThreadStatus
from judging.engine import lifecycle, reviews
from judging.engine.creation import create_draft
from judging.formats.criterion.spec import CriterionSpec
from judging.models import Review
from scoring.enums import BulkAction
from scoring.groups import AUDITOR, MODERATOR, SENIOR
from scoring.models import Alert, Approval, Evaluation
from scoring.services import rescore
from tests import acts, factories, playing
from tests.playing import ruling, script

GROUPS = (AUDITOR, MODERATOR, SENIOR)
MODERATORS = (MODERATOR, SENIOR)
REASON = factories.REASON
WHY: Mapping[str, str] = {"reason": REASON}
FIRST = ""
"""Of several boxes to tick, the first."""
Row = Any
Maker = Callable[[User], Row]


@dataclass(frozen=True)
class Act:
    """One act: ``make`` makes its row for whoever acts, ``left`` is what the row's columns are afterwards."""

    button: str
    page: str
    make: Maker
    says: str
    left: Mapping[str, object]
    given: Mapping[str, str] = field(default_factory=dict)
    may: tuple[str, ...] = (SENIOR,)


def score(_by: User | None = None) -> Evaluation:
    """A score of 6 that counted +1 and then -0.5."""
    made = factories.criterion()
    factories.count(made, "1")
    factories.count(made, "-0.5")
    return made


def frozen(_by: User) -> Evaluation:
    """The same, frozen, holding a verdict of +1."""
    made = score()
    acts.freeze(order=factories.order(made, boss()), now=timezone.now())
    factories.count(made, "1")
    return made


def overridden(_by: User) -> Evaluation:
    """The same, set to 8 by hand."""
    made = score()
    acts.override(order=factories.order(made, boss()), value="8", now=timezone.now())
    return made


def struck(_by: User) -> Evaluation:
    made = score()
    acts.strike(order=factories.order(made, boss()), facts=made.basis[:1], now=timezone.now())
    return made


def boss() -> User:
    """Somebody who may do everything, and has made the rows ready."""
    return User.objects.filter(username="boss").first() or factories.moderator("boss")


def alert(_by: User) -> Alert:
    """The alert that a single round raises which moves a score by 3."""
    made = factories.criterion()
    factories.count(made, "3")
    return Alert.objects.get(evaluation=made, code="extreme_verdict")


def asked(by: User) -> Approval:
    """A request of somebody else."""
    return asked_by(boss(), by)


def asked_by(who: User, _by: User) -> Approval:
    """A request for a 9 where a score stands at 6.5."""
    with override_settings(SECOND_PERSON_FROM=Decimal(2)):
        made = acts.override(order=factories.order(score(), who), value="9", now=timezone.now())
    assert isinstance(made, Approval)
    return made


def own(by: User) -> Approval:
    """A request of one's own."""
    who = by if by.has_perm("scoring.override_evaluation") else boss()
    return asked_by(who, by)


def staged(action: BulkAction) -> Maker:
    """Make a staged set."""

    def make(_by: User) -> Row:
        made = score()
        rows = [(made.pk, made.moderation_version)]
        return rescore.stage(action=action, rows=rows, reason=REASON, by=boss(), now=timezone.now())

    return make


def review(_by: User) -> Review:
    """A review that nobody has claimed."""
    debate = factories.debate(status="awaiting_review")
    factories.panel(debate, key="feasibility", scores=("2", "4.5"))
    about = {"debate": debate, "round_number": 0, "reason_code": "criterion_spread", "policy": {}}
    return Review.objects.create(disputed=["feasibility"], **about)


def claimed(by: User) -> Review:
    """A review that one holds oneself; whoever may not hold one looks at one that somebody else holds."""
    made = review(by)
    who = by if by.has_perm(reviews.PERMISSION) else boss()
    return reviews.claim(review_id=made.pk, by=who, now=timezone.now())


def draft(_by: User) -> Row:
    """A debate that has not begun."""
    spec = CriterionSpec(
        title="Wells", subject=playing.SUBJECT, rubric=playing.rubric("P1"), provider="scripted",
        script=[*script([[ruling("1")]]), playing.SYNTHESIS], initial={"P1": ("6", "0.5")},
    )  # fmt: skip
    return create_draft(spec=spec, by=None, now=timezone.now())


def started(by: User) -> Row:
    """A debate in play, though nobody works on it."""
    return lifecycle.start(debate_id=draft(by).pk, by=None, now=timezone.now())


def paused(by: User) -> Row:
    """The same, paused."""
    return lifecycle.pause(debate_id=started(by).pk, by=None, now=timezone.now())


def ended(status: str) -> Maker:
    """Make a debate that has ended somehow, with a score that moved."""

    def make(_by: User) -> Row:
        made = factories.debate()
        row = factories.criterion(made)
        row.thread.status = ThreadStatus.COMPLETE.value
        row.thread.save(update_fields=["status"])
        factories.count(row, "1")
        made.status = status
        made.save(update_fields=["status"])
        return made

    return make


def seat(_by: User) -> Participant:
    """A chair that waits for a person."""
    with transaction.atomic():  # who takes part comes with the debate
        debate = factories.debate(status="draft")
        return Participant.objects.create(debate=debate, role="chair", kind=Kind.HUMAN.value, name="Otto")


def key(_by: User) -> ApiKey:
    return keys.issue(owner=boss(), by=boss(), name="sums", scopes=["read"], now=timezone.now())[0]


def hook(_by: User) -> Webhook:
    return webhooks.register(owner=boss(), url="https://example.org/hook", now=timezone.now())[0]


def hook_off(by: User) -> Webhook:
    """The same, disabled."""
    return webhooks.disable(webhook_id=hook(by).pk, by=boss(), now=timezone.now())


def delivery(by: User) -> Delivery:
    """A delivery that came to nothing."""
    debate = factories.debate()
    with transaction.atomic():
        event_log.append(debate_id=debate.pk, news=[News("debate:paused", {})], now=timezone.now())
    event = debate.events.latest("seq")
    return Delivery.objects.create(webhook=hook(by), event=event, state="dead", settled_at=timezone.now())


def value(text: str, **more: object) -> dict[str, object]:
    """What a score is."""
    return {"value": Decimal(text), **more}


APPLY, DISCARD = {"choice": "apply", **WHY}, {"choice": "discard", **WHY}
SCORES = (
    Act("Freeze", "freeze", score, "is frozen at 6.50", value("6.5", is_frozen=True), WHY, MODERATORS),
    Act("Unfreeze", "unfreeze", frozen, "what was held counts: 7.50", value("7.5", is_frozen=False), APPLY, MODERATORS),
    Act("Unfreeze and override", "unfreeze_override", frozen, "is set to 7.00",
        value("7", is_frozen=False, held=[]), {**DISCARD, "value": "7"}, MODERATORS),
    Act("Unfreeze and strike", "unfreeze_strike", frozen, "no longer counts what was struck: 6.50",
        value("6.5", is_frozen=False), {**APPLY, "facts": FIRST}, MODERATORS),
    Act("Unfreeze and roll back", "unfreeze_roll_back", frozen, "where entry 1 had left it: 6.00",
        value("6", is_frozen=False, basis=[]), {**DISCARD, "target": "1"}),
    Act("Override", "override", score, "is set to 7.00; it was 6.50", value("7"), {**WHY, "value": "7"}, MODERATORS),
    Act("Lift override", "lift", overridden, "6.50; the override was 8.00", value("6.5"), WHY, MODERATORS),
    Act("Strike", "strike", score, "what was struck: 5.50", value("5.5"), {**WHY, "facts": FIRST}, MODERATORS),
    Act("Reinstate", "reinstate", struck, "6.50", value("6.5"), {**WHY, "facts": FIRST}, MODERATORS),
    Act("Roll back", "roll_back", score, "where entry 1 had left it: 6.00", value("6"), {**WHY, "target": "1"}),
)  # fmt: skip
QUEUES = (
    Act("Acknowledge", "acknowledge", alert, "is acknowledged", {"state": "acknowledged"}, WHY, MODERATORS),
    Act("Dismiss", "dismiss", alert, "is dismissed", {"state": "dismissed"}, WHY, MODERATORS),
    Act("Approve", "approve", asked, "is set to 9.00; it was 6.50", {"state": "approved"}, WHY),
    Act("Refuse", "refuse", asked, "the score stays as it is", {"state": "refused"}, WHY),
    Act("Take back", "refuse", own, "the score stays as it is", {"state": "refused"}, WHY, MODERATORS),
    Act("Apply", "apply", staged(BulkAction.FREEZE), "1 scores were acted on", {"state": "applied"}, {}, MODERATORS),
    Act("Cancel", "cancel", staged(BulkAction.FREEZE), "nothing has moved", {"state": "cancelled"}, WHY, MODERATORS),
    Act("Claim", "claim", review, "It is yours until", {"state": "claimed"}, {}, MODERATORS),
    Act("Give back", "release", claimed, "Given back to the queue", {"state": "open"}, {}, MODERATORS),
    Act("Settle", "settle", claimed, "Settled: feasibility.", {"state": "settled"},
        {"value:feasibility": "3.5", "reason:feasibility": REASON}, MODERATORS),
)  # fmt: skip
ROLLBACKS = (Act("Apply", "apply", staged(BulkAction.ROLLBACK), "1 scores were acted on", {"state": "applied"}),)
DEBATES = (
    Act("Start", "start", draft, "has been started", {"status": "running"}),
    Act("Pause", "pause", started, "is paused", {"status": "paused"}, {}, MODERATORS),
    Act("Resume", "resume", paused, "goes on", {"status": "running"}, {}, MODERATORS),
    Act("Stop and conclude", "stop", started, "is being concluded", {"status": "concluding"}, WHY),
    Act("Cancel", "cancel", started, "is cancelled", {"status": "cancelled"}),
    Act("Conclude again", "retry_synthesis", ended("failed"), "is concluded again", {"status": "concluding"}),
    Act("Rerun", "rerun", ended("concluded"), "is played again", {"status": "running"}, WHY),
    Act("Roll back all", "roll_back", ended("concluded"), "1 scores of", {"status": "concluded"}, WHY),
    Act("Invite somebody", "invite", seat, "Whoever opens this address first", {"user": None}),
)  # fmt: skip
ACCESS = (
    Act("Revoke", "revoke", key, "is revoked", {"is_revoked": True}),
    Act("New secret", "rotate", hook, "has a new secret. It is whsec_", {"state": "active"}),
    Act("Update", "edit", hook, "is told of everything", {"url": "https://example.net/"},
        {"url": "https://example.net/"}),
    Act("Send a test", "test", hook, "is sent a test", {"state": "active"}),
    Act("Disable", "disable", hook, "is told nothing more", {"state": "disabled"}),
    Act("Enable", "enable", hook_off, "is told again", {"state": "active"}),
    Act("Send again", "redeliver", delivery, "is sent again", {"state": "waiting"}),
)  # fmt: skip
PILES = {"score": SCORES, "queue": QUEUES, "rollback": ROLLBACKS, "debate": DEBATES, "access": ACCESS}
ACTS = {f"{pile}: {act.button}": act for pile, acts in PILES.items() for act in acts}


def state(row: Model, names: Mapping[str, object]) -> dict[str, object]:
    """Return these columns of a row as they are now; ``is_...`` says whether its moment has come."""
    now = type(row)._default_manager.get(pk=row.pk)

    def read(name: str) -> object:
        return (
            getattr(now, f"{name.removeprefix('is_')}_at") is not None if name.startswith("is_") else getattr(now, name)
        )

    return {name: read(name) for name in names}
