"""One row, at least, of everything that is guarded, and every state an evaluation can be attacked in."""

from __future__ import annotations

from collections.abc import Mapping
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
    Debate,
    Delivery,
    IdempotencyKey,
    Invitation,
    Mail,
    MailStop,
    Membership,
    Participant,
    Profile,
    Round,
    Turn,
    TurnDraft,
    Webhook,
)
from debates.types import News
from judging.models import NewDebate, PlannedStart, Review
from scoring.enums import FactKind, HeldChoice
from scoring.models import (
    Alert,
    Appeal,
    Approval,
    Conflict,
    Criterion,
    Erasure,
    Evaluation,
    Fact,
    InternalNote,
    OrganiserRule,
    Reason,
    Remark,
    RescoreSet,
    Rubric,
)
from scoring.services.entries import actor_of, reason_record
from scoring.types import Instrument
from tests import acts, factories
from tests.schema.debate_rows import panels, tables, verdicts
from tests.scoring.history import opened


def build() -> Mapping[str, object]:
    """Return the ids of a small world, by the names that attacks use."""
    alice = factories.moderator()
    made = {**event(), **score(alice), **verdicts()}
    return {
        **made,
        **desk(made),
        **access(made, alice),
        **people(made, alice),
        **mail(made, alice),
        **panels(),
        **tables(),
    }


def event() -> dict[str, object]:
    """A running debate that has been spoken in, and a draft."""
    now = timezone.now()
    draft = factories.debate(status="draft")
    debate = factories.debate()
    speaker = factories.arbiter(debate)
    thread = factories.thread(debate, key="T1")
    opened = Round.objects.create(thread=thread, run_number=1, number=1, opened_at=now)
    closed = Round.objects.create(thread=thread, run_number=1, number=2, opened_at=now, closed_at=now)
    said = {"debate": debate, "participant": speaker, "kind": "opening", "text": "I say so.", "at": now}
    turn = Turn.objects.create(**said, thread=thread, round=opened, slot="first")
    before = Turn.objects.create(**said, slot="welcome")
    event_log.append(debate_id=debate.pk, news=[News("debate:paused", {}), News("debate:resumed", {})], now=now)
    first, second = debate.events.order_by("seq")
    return {
        "draft": draft.pk,
        "debate": debate.pk,
        "subject": debate.subject_id,
        "other_subject": draft.subject_id,
        "participant": speaker.pk,
        "thread": thread.pk,
        "round": opened.pk,
        "closed_round": closed.pk,
        "turn": turn.pk,
        "turn_before": before.pk,
        "event": first.pk,
        "last_event": second.pk,
    }


def score(alice: User) -> dict[str, object]:
    """Evaluations in every state, each on a thread of its own, and the next round of some of them."""
    debate = factories.debate()
    names = ["played", "empty", "frozen", "overridden", "struck", "scored_draft"]
    made = {name: factories.criterion(debate, key=name) for name in names[:-1]}
    made["scored_draft"] = factories.criterion(factories.debate(status="draft"), key="scored_draft")
    for name in ("played", "frozen", "overridden", "struck"):
        factories.count(made[name], "1", "0.5")
    now = timezone.now()
    acts.freeze(order=factories.order(made["frozen"], alice, seen=None), now=now)
    acts.override(order=factories.order(made["overridden"], alice), value="3", now=now)
    acts.strike(order=factories.order(made["struck"], alice), facts=made["struck"].basis[:1], now=now)
    made["standing"] = opened(Instrument.STANDING, "5", "5")
    ids: dict[str, object] = {name: row.pk for name, row in made.items()}
    for name in ("played", "frozen", "struck"):
        ids[f"{name}_round"], ids[f"{name}_fact"] = next_round(made[name])
    erased = reason_record("These words will be erased.")
    erase_reason(erased, alice)
    noted = reason_record(factories.REASON, note="Ask the two who know the judge.")
    remark = Remark.objects.create(
        evaluation=made["played"], by=actor_of(alice), note=InternalNote.objects.create(text="Look at round 2.")
    )
    alert = Alert.objects.create(
        debate=debate,
        evaluation=made["played"],
        code="net_capped",
        severity="info",
        evidence={"why": "Gone.", "round": "1"},
        facts_digest="d",
    )
    rubric = Rubric.objects.create(slug="small", name="Small", criteria_count=3)
    criterion = Criterion.objects.create(
        rubric=rubric, position=1, code="P1", name="Clarity", category="p", question="?", high="h", low="l",
        weight=Decimal(1),
    )  # fmt: skip
    entry = made["played"].entries.last()
    assert entry is not None
    return {
        **ids,
        "scored_debate": debate.pk,
        "draft_with_scores": made["scored_draft"].debate_id,
        "played_thread": made["played"].thread_id,
        "entry": entry.pk,
        "first_entry": made["played"].entries.get(sequence=1).pk,
        "fact": made["played"].basis[0],
        "foreign_fact": made["overridden"].basis[0],
        "struck_out": made["struck"].basis[0],
        "actor": actor_of(alice).pk,
        "user": alice.pk,
        "reason": reason_record(factories.REASON).pk,
        "second_reason": reason_record(factories.REASON).pk,
        "remark": remark.pk,
        "noted_reason": noted.pk,
        "note": noted.note_id,
        "erased_reason": erased.pk,
        "alert": alert.pk,
        "rubric": rubric.pk,
        "criterion": criterion.pk,
        "counted_round": entry.round_id,
        "held_choice": HeldChoice.APPLY.value,
    }


def erase_reason(reason: Reason, by: User) -> None:
    """Take the words of a reason away, as an erasure of whoever gave it does."""
    gone = factories.person("who is gone")
    with transaction.atomic():
        staged = {"staged_by": actor_of(gone), "because": reason}
        RescoreSet.objects.create(action="freeze", lines=[{}], **staged)
        Erasure.objects.create(
            scope="user", user=gone, by=actor_of(by), because=reason_record(factories.REASON), counts={}
        )
        Reason.objects.filter(pk=reason.pk).update(text="", salt="")


def next_round(evaluation: Evaluation) -> tuple[int, int]:
    """A round that has been judged and not been counted: its id and its fact's."""
    with transaction.atomic():
        row = factories.round_of(evaluation)
        fact = Fact.objects.create(
            evaluation=evaluation, round=row, run_number=evaluation.run_number, kind=FactKind.VERDICT.value,
            amount=Decimal(1), at=timezone.now(),
        )  # fmt: skip
    return row.pk, fact.pk


def desk(made: Mapping[str, object]) -> dict[str, object]:
    """A request that waits for a second person, a staged set, an open review, and that second person."""
    bob = factories.moderator("bob")
    asked = {"requested_by_id": made["actor"], "because_id": made["reason"]}
    approval = Approval.objects.create(
        evaluation_id=made["played"], value=4, value_seen=Decimal("7.5"), seen=2, door="moderator", **asked
    )
    rescore = RescoreSet.objects.create(
        action="freeze", lines=[{}], staged_by_id=made["actor"], because_id=made["reason"]
    )
    review = Review.objects.create(
        debate_id=made["judged_debate"], round_number=1, reason_code="spread", disputed=["P1"], policy={}
    )
    carol = factories.moderator("carol")
    declared = Conflict.objects.create(
        debate_id=made["scored_debate"], person=carol, by_id=made["actor"], because_id=made["reason"]
    )
    dora, against = factories.person("dora"), {"debate_id": made["scored_debate"], "ground": "other", "evidence": {}}
    against |= {"person": dora, "appellant": actor_of(dora), "because_id": made["reason"]}
    override = Evaluation.objects.get(pk=made["overridden"]).entries.get(kind="override")
    appeals = {
        "appeal": Appeal.objects.create(**against, entry_id=made["entry"]),
        "appeal_of_an_act": Appeal.objects.create(**against, entry=override),
        "appeal_of_a_ruling": Appeal.objects.create(**against, fact_id=made["struck_out"]),
        "appeal_of_the_result": Appeal.objects.create(**against),
    }
    return {
        **{name: row.pk for name, row in appeals.items()},
        "appellant": actor_of(dora).pk,
        "override_entry": override.pk,
        "party": carol.pk,
        "party_actor": actor_of(carol).pk,
        "conflict": declared.pk,
        "organiser_rule": OrganiserRule.objects.create(moderate=True).pk,
        "approval": approval.pk,
        "rescore": rescore.pk,
        "review": review.pk,
        "second_actor": actor_of(bob).pk,
        "second_user": bob.pk,
        "other_reason": reason_record("Quite another reason.").pk,
    }


def access(made: Mapping[str, object], alice: User) -> dict[str, object]:
    """A key that is good and one that is revoked, an answered request, a webhook with a delivery, seats."""
    now = timezone.now()
    key = ApiKey.objects.create(owner=alice, name="A key", prefix="moot_1", digest="a" * 64, scopes=["read"])
    revoked = ApiKey.objects.create(
        owner=alice, name="An old key", prefix="moot_2", digest="b" * 64, scopes=["read"], revoked_at=now
    )
    answered = IdempotencyKey.objects.create(owner=alice, key="a" * 64, digest="d", status=200, body="{}")
    webhook = Webhook.objects.create(owner=alice, url="https://example.org/", secret="whsec_a")
    delivery = Delivery.objects.create(webhook=webhook, event_id=made["event"], due_at=now)
    debate = Debate.objects.get(pk=made["debate"])
    seat = Participant.objects.create(debate=debate, role="chair", kind="human", name="Bob", user=alice)
    awaited = AwaitedTurn.objects.create(
        round_id=made["round"], participant=seat, kind="response", at=now, deadline=now + timedelta(hours=1)
    )
    return {
        "api_key": key.pk,
        "revoked_key": revoked.pk,
        "answered": answered.pk,
        "webhook": webhook.pk,
        "delivery": delivery.pk,
        "seat": seat.pk,
        "awaited_turn": awaited.pk,
    }


def people(made: Mapping[str, object], alice: User) -> dict[str, object]:
    """Invitations that are good, full and revoked, who came by them, roles that stand and one that is revoked."""
    now = timezone.now()
    debate = Debate.objects.get(pk=made["debate"])
    about = {"debate": debate, "expires_at": now + timedelta(days=7)}
    guests, full, revoked = (
        Invitation.objects.create(**about, role="guest", digest=letter * 64, places=places)
        for letter, places in (("a", 5), ("b", 1), ("c", 5))
    )
    to_seat = Invitation.objects.create(
        debate=debate, expires_at=about["expires_at"], digest="d" * 64, email="bob@example.org",
        seat=Participant.objects.create(debate=debate, role="chair", kind="human", name="A free seat", position=8),
    )  # fmt: skip
    acceptance = Acceptance.objects.create(invitation=guests, user=alice, at=now)
    Acceptance.objects.create(invitation=full, user=alice, at=now)
    Invitation.objects.filter(pk=revoked.pk).update(revoked_at=now)
    membership = Membership.objects.create(debate=debate, user=alice, role="guest", created_by=alice)
    former = Membership.objects.create(debate=debate, user=alice, role="judge", revoked_at=now)
    return {
        "invitation": guests.pk,
        "full_invitation": full.pk,
        "revoked_invitation": revoked.pk,
        "invitation_to_seat": to_seat.pk,
        "acceptance": acceptance.pk,
        "membership": membership.pk,
        "former_membership": former.pk,
        "planned_start": PlannedStart.objects.create(debate=debate, starts_at=now + timedelta(days=1)).pk,
        "new_debate": NewDebate.objects.create(owner=alice, format="open").pk,
        "profile": Profile.objects.create(user=alice).pk,
    }


def mail(made: Mapping[str, object], alice: User) -> dict[str, object]:
    """Mail that is due, to a person and to an address, and mail that was sent; who wants none; and a draft."""
    now = timezone.now()
    about = {"kind": "concluded", "debate_id": made["debate"], "due_at": now, "next_attempt_at": now}
    due = Mail.objects.create(**about, about="due", person=alice)
    sent = Mail.objects.create(**about, about="sent", person=alice)
    Mail.objects.filter(pk=sent.pk).update(state="sending", handed_over_at=now)
    Mail.objects.filter(pk=sent.pk).update(state="sent", settled_at=now)
    seat = Participant.objects.create(debate_id=made["debate"], role="chair", kind="human", name="Dora", position=9)
    return {
        "mail": due.pk,
        "mail_to_address": Mail.objects.create(**about, about="address", address="bob@example.org").pk,
        "sent_mail": sent.pk,
        "mail_stop": MailStop.objects.create(digest="a" * 64).pk,
        "turn_draft": TurnDraft.objects.create(participant=seat, text="Well.", saved_at=now).pk,
    }
