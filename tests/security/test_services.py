"""Every service that does something for a person refuses whoever may not, whatever door they came through."""

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.utils import timezone

import debates.services
import judging.engine
import judging.formats
import scoring.services
from debates.errors import DomainError
from debates.models import Ballot, Debate, Delivery, Invitation, Mail, Membership, Webhook
from debates.services import invitations, keys, mail_delivery, seats, visibility, webhooks
from debates.services.idempotency import UseCase
from debates.services.invitations import Offer
from debates.types import MemberRole, Visibility
from judging.engine import appeals, ballots, creation, external_play, human_turns, lifecycle, reviews
from judging.engine.appeals import AppealDecision
from judging.engine.creation import create_draft
from judging.engine.external_play import Posted
from judging.formats.parsing import Concluded
from judging.models import Review
from scoring.enums import AlertState, AppealGround, AppealState, BulkAction, EntryKind
from scoring.models import Alert, Appeal, Approval, Conflict, Evaluation, RescoreSet
from scoring.services import alerts, approvals, bulk, cases, conflicts, moderation, rescore, rubric_store, undo
from scoring.services.actions import Intent
from scoring.services.bulk import BulkOrder
from scoring.services.entries import actor_of, reason_record
from scoring.services.undo import UndoOrder
from tests import factories, rows_in_every_table

pytestmark = pytest.mark.django_db
NOW = timezone.now()
WHY = factories.REASON
PERSONS = {"by", "decision", "order", "owner"}
"""How services call whoever asks."""
OTHERWISE = {
    "debates.services.invitations.accept": "whoever has an invitation may come by it, while it is good",
    "debates.services.invitations.let_in": "the inside of accept, and of signing up",
    "debates.services.invitations.issue": "the inside of invite",
    "debates.services.seats.take": "whoever has an invitation may take the seat; it is good once",
    "judging.engine.creation.tried": "create_draft asks, inside it; nothing of it stays",
    "judging.engine.erasure.erase": "the operator alone erases, with a command, as the owner of the database",
    "judging.engine.external_play.keep_rejected": "post_round has asked, and refused what it keeps",
    "scoring.services.bulk.take_all": "the inside of act, which asks",
    "scoring.services.rubric_store.write": "the inside of store",
}
"""What asks for no permission, and why."""
Act = Callable[[User, Any], object]


def on_score(act: Callable[..., object], **more: Any) -> Act:
    return lambda bob, scene: act(order=factories.order(scene.score, bob), now=NOW, **more)


def on_debate(act: Callable[..., object], **more: Any) -> Act:
    return lambda bob, scene: act(debate_id=scene.debate.pk, by=bob, now=NOW, **more)


def on_case(act: Callable[..., object], **more: Any) -> Act:
    return lambda bob, scene: act(evaluation_id=scene.score.pk, by=bob, now=NOW, **more)


def on_hook(act: Callable[..., object], **more: Any) -> Act:
    return lambda bob, _: act(webhook_id=Webhook.objects.get().pk, by=bob, **more)


def first(model: Any) -> int:
    return model.objects.order_by("pk").values_list("pk", flat=True)[0]


NOT_PERMITTED: Mapping[str, Act] = {
    "debates.services.keys.issue": lambda bob, _: keys.issue(owner=bob, by=bob, name="x", scopes=["read"], now=NOW),
    "debates.services.invitations.invite": lambda bob, scene: invitations.invite(
        offer=Offer(debate=scene.debate, role=MemberRole.GUEST), by=bob, now=NOW
    ),
    "debates.services.mail_delivery.send_again": lambda bob, _: mail_delivery.send_again(
        mail_id=first(Mail), by=bob, now=NOW
    ),
    "debates.services.seats.invite": lambda bob, scene: seats.invite(participant_id=scene.seat.pk, by=bob),
    "debates.services.visibility.change": on_debate(visibility.change, visibility=Visibility.PUBLIC),
    "debates.services.webhooks.register": lambda bob, _: webhooks.register(owner=bob, url="https://x.org", now=NOW),
    "judging.engine.ballots.replace_judge": lambda bob, scene: ballots.replace_judge(
        participant_id=scene.seat.pk, by=bob, reason=WHY, now=NOW
    ),
    "judging.engine.lifecycle.start": on_debate(lifecycle.start),
    "judging.engine.lifecycle.pause": on_debate(lifecycle.pause),
    "judging.engine.lifecycle.resume": on_debate(lifecycle.resume),
    "judging.engine.lifecycle.stop": on_debate(lifecycle.stop, reason=WHY),
    "judging.engine.lifecycle.cancel": on_debate(lifecycle.cancel),
    "judging.engine.lifecycle.retry_synthesis": on_debate(lifecycle.retry_synthesis),
    "judging.engine.creation.create_draft": lambda bob, _: create_draft(spec=None, by=bob, now=NOW),
    "judging.engine.creation.begin_new_debate": lambda bob, _: creation.begin_new_debate(format_name="panel", by=bob),
    "judging.engine.creation.write_new_debate": lambda bob, _: creation.write_new_debate(
        new_id=1, by=bob, written=dict
    ),
    "judging.engine.creation.discard_new_debate": lambda bob, _: creation.discard_new_debate(new_id=1, by=bob),
    "judging.engine.creation.draft_new_debate": lambda bob, _: creation.draft_new_debate(new_id=1, by=bob, now=NOW),
    "judging.engine.creation.plan_start": on_debate(creation.plan_start, starts_at=NOW),
    "judging.engine.creation.unplan_start": lambda bob, scene: creation.unplan_start(debate_id=scene.debate.pk, by=bob),
    "judging.engine.creation.withdraw_draft": on_debate(creation.withdraw_draft),
    "judging.engine.creation.copy_debate": lambda bob, scene: creation.copy_debate(debate_id=scene.debate.pk, by=bob),
    "judging.engine.creation.edit_draft": on_debate(creation.edit_draft),
    "judging.engine.external_play.start": on_debate(external_play.start),
    "judging.engine.external_play.post_round": on_debate(external_play.post_round, key="P1", posted=Posted(number=1)),
    "judging.engine.external_play.complete_thread": on_debate(external_play.complete_thread, key="P1"),
    "judging.engine.external_play.complete": on_debate(external_play.complete, words=Concluded("", (), (), ())),
    "judging.engine.lifecycle.rerun": on_debate(lifecycle.rerun, reason=WHY),
    "judging.engine.appeals.file": on_debate(appeals.file, ground=AppealGround.OTHER, words=WHY),
    "judging.engine.appeals.withdraw": lambda bob, _: appeals.withdraw(appeal_id=first(Appeal), by=bob, now=NOW),
    "judging.engine.appeals.claim": lambda bob, _: appeals.claim(appeal_id=first(Appeal), by=bob, now=NOW),
    "judging.engine.appeals.release": lambda bob, _: appeals.release(appeal_id=first(Appeal), by=bob),
    "judging.engine.appeals.decide": lambda bob, _: appeals.decide(
        appeal_id=first(Appeal), decision=AppealDecision(by=bob, outcome=AppealState.DISMISSED, reason=WHY), now=NOW
    ),
    "judging.engine.reviews.claim": lambda bob, _: reviews.claim(review_id=first(Review), by=bob, now=NOW),
    "judging.engine.reviews.release": lambda bob, _: reviews.release(review_id=first(Review), by=bob),
    "judging.engine.reviews.settle": lambda bob, _: reviews.settle(
        review_id=first(Review), by=bob, decisions={}, now=NOW
    ),
    "judging.engine.human_turns.move_deadline": on_debate(human_turns.move_deadline, deadline=NOW),
    "judging.engine.human_turns.speak": lambda bob, scene: human_turns.speak(
        seat_id=scene.seat.pk, by=bob, text="Words that are long enough.", now=NOW
    ),
    "judging.engine.ballots.give": lambda bob, scene: ballots.give(seat_id=scene.seat.pk, by=bob, answer="{}", now=NOW),
    "judging.engine.human_turns.save_draft": lambda bob, scene: human_turns.save_draft(
        seat_id=scene.seat.pk, by=bob, text="Words that are kept.", seen=0, now=NOW
    ),
    "scoring.services.alerts.handle": lambda bob, _: alerts.handle(
        alert_ids=[first(Alert)], by=bob, state=AlertState.DISMISSED, reason=WHY, now=NOW
    ),
    "scoring.services.cases.remark": on_case(cases.remark, text="Look at the third paragraph."),
    "scoring.services.cases.assign": on_case(cases.assign, username="bob"),
    "scoring.services.approvals.approve": lambda bob, _: approvals.approve(
        approval_id=first(Approval), by=bob, reason=WHY, now=NOW
    ),
    "scoring.services.approvals.refuse": lambda bob, _: approvals.refuse(
        approval_id=first(Approval), by=bob, reason=WHY, now=NOW
    ),
    "scoring.services.bulk.act": lambda bob, scene: bulk.act(
        order=BulkOrder(action=BulkAction.FREEZE, rows=[(scene.score.pk, 0)], by=bob, reason=WHY), now=NOW
    ),
    "scoring.services.conflicts.declare": on_debate(conflicts.declare, username="ruth", reason=WHY),
    "scoring.services.conflicts.break_seal": lambda bob, _: conflicts.break_seal(
        ballot_id=first(Ballot), by=bob, reason=WHY, now=NOW
    ),
    "scoring.services.conflicts.withdraw": lambda bob, _: conflicts.withdraw(
        conflict_id=first(Conflict), by=bob, reason=WHY, now=NOW
    ),
    "scoring.services.rubric_store.store": lambda bob, _: rubric_store.store(
        snapshot={"slug": "x", "name": "X"}, by=bob
    ),
    "scoring.services.moderation.perform": on_score(moderation.perform, intent=Intent(EntryKind.OVERRIDE, value="2")),
    "scoring.services.undo.undo": lambda bob, scene: undo.undo(
        order=UndoOrder(evaluation_id=scene.score.pk, by=bob, reason=WHY), now=NOW
    ),
    "scoring.services.moderation.roll_back_debate": on_debate(moderation.roll_back_debate, reason=WHY),
    "scoring.services.rescore.stage": lambda bob, scene: rescore.stage(
        action=BulkAction.FREEZE, rows=[(scene.score.pk, 0)], reason=WHY, by=bob, now=NOW
    ),
    "scoring.services.rescore.apply": lambda bob, _: rescore.apply(set_id=first(RescoreSet), by=bob, now=NOW),
    "scoring.services.rescore.cancel": lambda bob, _: rescore.cancel(
        set_id=first(RescoreSet), by=bob, reason=WHY, now=NOW
    ),
}
NOT_FOUND: Mapping[str, Act] = {
    "debates.services.invitations.revoke": lambda bob, _: invitations.revoke(
        invitation_id=first(Invitation), by=bob, now=NOW
    ),
    "debates.services.invitations.take_role": lambda bob, _: invitations.take_role(
        membership_id=first(Membership), by=bob, now=NOW
    ),
    "debates.services.keys.revoke": lambda bob, scene: keys.revoke(key_id=scene.key.pk, by=bob, now=NOW),
    "debates.services.webhooks.update": on_hook(webhooks.update, url="https://y.org/"),
    "debates.services.webhooks.rotate": on_hook(webhooks.rotate, now=NOW),
    "debates.services.webhooks.disable": on_hook(webhooks.disable, now=NOW),
    "debates.services.webhooks.enable": on_hook(webhooks.enable),
    "debates.services.webhooks.send_test": on_hook(webhooks.send_test, now=NOW),
    "debates.services.webhooks.delete": on_hook(webhooks.delete),
    "debates.services.webhooks.redeliver": lambda bob, _: webhooks.redeliver(
        delivery_id=first(Delivery), by=bob, now=NOW
    ),
}
"""What belongs to somebody is not there for anybody else."""

UNPERMITTED: Mapping[str, Act] = {
    "debates.services.invitations.accept": lambda bob, _: invitations.accept(text="x", by=bob, now=NOW),
    "debates.services.seats.take": lambda bob, _: seats.take(invitation="x", by=bob),
    "judging.engine.external_play.keep_rejected": lambda bob, _: external_play.keep_rejected(
        refused=None, by=bob, now=NOW
    ),
}
"""Use cases that ask for no permission, and refuse whoever is gone."""


@pytest.fixture
def scene() -> Any:
    """A row of everything, all of it somebody else's, and a seat that is free."""
    debate = rows_in_every_table.one("first")
    ruth = factories.moderator("ruth")
    key, _ = keys.issue(owner=ruth, by=ruth, name="Ruth's", scopes=["read"], now=NOW)
    seat = debate.participants.create(role="chair", kind="human", name="Konrad", position=9)
    return SimpleNamespace(debate=debate, score=Evaluation.objects.filter(debate=debate).first(), key=key, seat=seat)


def is_service(member: object) -> bool:
    return isinstance(member, UseCase) or inspect.isfunction(member)


def acts() -> Iterator[str]:
    """Every public function of the services that begins a transaction and is told who asks."""
    for package in (debates.services, scoring.services, judging.engine, judging.formats):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            for name, one in inspect.getmembers(importlib.import_module(found.name), is_service):
                own = one.__module__ == found.name and not name.startswith("_")
                if own and inspect.unwrap(one) is not one and PERSONS & set(inspect.signature(one).parameters):
                    yield f"{found.name}.{name}"


def test_every_act_is_in_the_table():
    assert set(acts()) == {*NOT_PERMITTED, *NOT_FOUND, *OTHERWISE}


def test_every_act_refuses_somebody_of_the_staff_without_a_right(scene):
    bob = factories.person("bob")

    told = {name: code(act, bob, scene) for name, act in {**NOT_PERMITTED, **NOT_FOUND}.items()}

    assert told == {**dict.fromkeys(NOT_PERMITTED, "not_permitted"), **dict.fromkeys(NOT_FOUND, "not_found")}


def test_every_act_refuses_whoever_was_erased_since_their_request_looked_them_up(scene):
    bob = factories.moderator("bob")
    User.objects.filter(pk=bob.pk).update(is_active=False)
    others = {name: UNPERMITTED[name] for name in OTHERWISE.keys() & UNPERMITTED.keys()}

    refusals = {name: message(act, bob, scene) for name, act in {**NOT_PERMITTED, **NOT_FOUND, **others}.items()}

    assert set(refusals.values()) == {"This account is closed."}, refusals


def message(act: Act, bob: User, scene: Any) -> str:
    with pytest.raises(DomainError) as caught:
        act(bob, scene)
    return caught.value.message


def code(act: Act, bob: User, scene: Any) -> str:
    with pytest.raises(DomainError) as caught:
        act(bob, scene)
    return caught.value.code


SIGNED: Mapping[str, Act] = {
    **{
        f"{module}.{name}": {**NOT_PERMITTED, **NOT_FOUND}[f"{module}.{name}"]
        for module, names in {
            "judging.engine.appeals": ["claim"],
            "judging.engine.reviews": ["claim"],
            "scoring.services.alerts": ["handle"],
            "scoring.services.approvals": ["refuse"],
            "scoring.services.cases": ["remark"],
            "scoring.services.conflicts": ["declare", "break_seal", "withdraw"],
            "scoring.services.rescore": ["cancel"],
        }.items()
        for name in names
    },
    "scoring.services.rescore.stage": lambda bob, scene: rescore.stage(
        action=BulkAction.FREEZE, rows=[(unfrozen(scene).pk, 0)], reason=WHY, by=bob, now=NOW
    ),
    "scoring.services.moderation.perform": lambda bob, scene: moderation.perform(
        order=factories.order(unfrozen(scene), bob), intent=Intent(EntryKind.OVERRIDE, value="2"), now=NOW
    ),
}
"""What a moderator may do in the scene and puts their name to."""


def unfrozen(scene: Any) -> Evaluation:
    """Return a score of the scene that nobody has moderated."""
    return factories.criterion(scene.debate, key="P2")


@contextmanager
def after(statement: str, happens: Callable[[], object]) -> Iterator[None]:
    """Have something happen once the database was first asked this."""
    left = [happens]

    def asked(execute: Callable[..., Any], sql: str, *about: Any) -> Any:
        answer = execute(sql, *about)
        if statement in sql and left:
            left.pop()()
        return answer

    with connection.execute_wrapper(asked):
        yield
    assert left == []


@pytest.mark.parametrize("act", SIGNED)
def test_whoever_is_gone_before_their_act_is_written_is_refused(scene, settings, act):
    settings.SECOND_PERSON_FROM = Decimal(2)
    bob = factories.moderator("bob")

    with after("moot_account_is_open", lambda: User.objects.filter(pk=bob.pk).update(is_active=False)):
        assert message(SIGNED[act], bob, scene) == "This account is closed."


@pytest.mark.parametrize("act", [act for act in SIGNED if act != "scoring.services.cases.remark"])
def test_whoever_becomes_a_party_before_their_act_is_written_is_refused(scene, settings, act):
    settings.SECOND_PERSON_FROM = Decimal(2)
    bob, ruth = factories.moderator("bob"), actor_of(factories.moderator("rita"))

    def happens() -> None:
        for debate in Debate.objects.all():
            Conflict.objects.create(debate=debate, person=bob, by=ruth, because=reason_record(WHY))

    with after("moot_party(", happens):
        assert code(SIGNED[act], bob, scene) == "conflict_of_interest"
