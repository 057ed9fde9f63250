"""One row, at least, of everything that is guarded, and every state an evaluation can be attacked in."""

from collections.abc import Mapping
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
    Invitation,
    Mail,
    Membership,
    Participant,
    Round,
    Turn,
)
from debates.types import News
from judging.models import Claim, Effect, JudgeReport, ParticipantState, ResponseEvaluation, Script
from scoring.enums import FactKind, HeldChoice
from scoring.models import (
    Actor,
    Alert,
    Appeal,
    Criterion,
    Erasure,
    Evaluation,
    Fact,
    OrganiserRule,
    Reason,
    RescoreSet,
    Rubric,
)
from scoring.services.entries import actor_of, reason_record
from scoring.services.rounds import Given
from scoring.types import Instrument
from tests import acts, factories
from tests import rows_in_every_table as world
from tests.scoring.history import judged, opened


def build() -> Mapping[str, object]:
    """Return the ids of a small world, by the names that attacks use."""
    alice = factories.moderator()
    made = {**event(), **score(alice), **verdicts()}
    return {**made, **desk(made), **access(made, alice), **people(made, alice), **panels(), **tables()}


def ids(rows: Mapping[str, Any]) -> dict[str, object]:
    return {name: row.pk for name, row in rows.items()}


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
    alert = Alert.objects.create(
        debate=debate,
        evaluation=made["played"],
        code="net_capped",
        severity="info",
        evidence={"why": "Gone.", "round": "1"},
        facts_digest="d",
    )
    rubric = Rubric.objects.create(slug="small", name="Small", criteria_count=1)
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
    """What waits for a person, appeals against everything that one may be against, and a second moderator."""
    bob, dora = factories.moderator("bob"), factories.person("dora")
    played = Evaluation.objects.get(pk=made["played"])
    asked = world.asked(played, Actor.objects.get(pk=made["actor"]), Reason.objects.get(pk=made["reason"]))
    against = {"debate_id": made["scored_debate"], "ground": "other", "evidence": {}, "person": dora}
    against |= {"appellant": actor_of(dora), "because_id": made["reason"]}
    override = Evaluation.objects.get(pk=made["overridden"]).entries.get(kind="override")
    return {
        **ids(asked),
        "appeal": Appeal.objects.create(**against, entry_id=made["entry"]).pk,
        "appeal_of_an_act": Appeal.objects.create(**against, entry=override).pk,
        "appeal_of_a_ruling": Appeal.objects.create(**against, fact_id=made["struck_out"]).pk,
        "appeal_of_the_result": Appeal.objects.create(**against).pk,
        "appellant": actor_of(dora).pk,
        "override_entry": override.pk,
        "party_actor": actor_of(asked["party"]).pk,
        "organiser_rule": OrganiserRule.objects.create(moderate=True).pk,
        "second_actor": actor_of(bob).pk,
        "second_user": bob.pk,
        "other_reason": reason_record("Quite another reason.").pk,
    }


def access(made: Mapping[str, object], alice: User) -> dict[str, object]:
    """What one has outside, and a key that is revoked."""
    revoked = ApiKey.objects.create(
        owner=alice, name="An old key", prefix="moot_2", digest="b" * 64, scopes=["read"], revoked_at=timezone.now()
    )
    return {**ids(world.told_outside(Debate.objects.get(pk=made["debate"]), alice)), "revoked_key": revoked.pk}


def people(made: Mapping[str, object], alice: User) -> dict[str, object]:
    """Invitations that are good, full, revoked and to a seat, a role that was revoked, a turn awaited, mail."""
    now = timezone.now()
    debate = Debate.objects.get(pk=made["debate"])
    invited = world.invited(debate, alice, places=5)
    about = {"debate": debate, "expires_at": now + timedelta(days=7)}
    full, revoked = (
        Invitation.objects.create(**about, role="guest", digest=letter * 64, places=places)
        for letter, places in (("b", 1), ("c", 5))
    )
    free = Participant.objects.create(debate=debate, role="chair", kind="human", name="A free seat", position=8)
    Acceptance.objects.create(invitation=full, user=alice, at=now)
    Invitation.objects.filter(pk=revoked.pk).update(revoked_at=now)
    mail = {"kind": "concluded", "debate": debate, "due_at": now, "next_attempt_at": now}
    sent = Mail.objects.create(**mail, about="sent", person=alice)
    Mail.objects.filter(pk=sent.pk).update(state="sending", handed_over_at=now)
    Mail.objects.filter(pk=sent.pk).update(state="sent", settled_at=now)
    more = {
        "full_invitation": full,
        "revoked_invitation": revoked,
        "invitation_to_seat": Invitation.objects.create(**about, digest="d" * 64, email="bob@example.org", seat=free),
        "former_membership": Membership.objects.create(debate=debate, user=alice, role="judge", revoked_at=now),
        "mail_to_address": Mail.objects.create(**mail, about="address", address="bob@example.org"),
        "sent_mail": sent,
        "awaited_turn": AwaitedTurn.objects.create(
            round_id=made["round"], participant=invited["seat"], kind="response", at=now, deadline=about["expires_at"]
        ),
    }
    return ids({**invited, **more})


def verdicts() -> dict[str, object]:
    """A challenge that was answered and ruled on, with the call that ruled, and what another could be made of."""
    now = timezone.now()
    evaluation = factories.criterion(key="V1")
    debate, thread = evaluation.debate, evaluation.thread
    fact, spare_fact = factories.count(evaluation, "1", "1").facts
    said = world.said(debate, evaluation, words="words")
    about = {"debate": debate, "thread": thread, "round": fact.round, "participant": said["call"].participant}
    spare = {
        f"spare_{kind}_turn": Turn.objects.create(**about, text="words", at=now, kind=kind, slot=f"{kind} 2")
        for kind in ("challenge", "defence", "synthesis")
    }
    return {
        **ids({**said, **spare}),
        "judged_debate": debate.pk,
        "judged_thread": thread.pk,
        "judged_round": fact.round_id,
        "script": Script.objects.create(debate=debate, answers=[]).pk,
        "claim": Claim.objects.create(thread=thread, fence=1, claimed_at=now).pk,
        "spare_fact": spare_fact.pk,
        "later_fact": factories.count(evaluation, "1").facts[0].pk,
    }


def tables() -> dict[str, object]:
    """An open debate after its first exchange, with two responses more, states that effects led to, and other facts."""
    now = timezone.now()
    made = world.argued("words")
    adherence, standing = made["response_account"], made["standing_account"]
    spare, other = (
        judged(row, factories.round_of(row, number=7), amount) for row, amount in ((adherence, "60"), (standing, "12"))
    )
    first: Turn = made["response_evaluation"].turn
    konrad, otto = made["listener"], made["third_speaker"]
    about = {"debate": first.debate, "round": first.round, "kind": "response", "text": "words", "at": now}
    of_konrad = Turn.objects.create(**about, participant=konrad, slot=konrad.name)
    of_mira = Turn.objects.create(**{**about, "round": spare.round}, participant=made["speaker"], slot="spare")
    flags = {"steel_attempted": True, "critique_attempted": False, "at": now}
    flags |= {"quick_steel_manning": True, "quick_self_critique": False}
    on_otto = Effect.objects.create(
        turn=first, speaker=made["speaker"], listener=otto, persuasion=1, attack=0, evidence=0, source="words", at=now
    )
    where = {"stance": "0.5", "conviction": "0.5", "at": now}
    ParticipantState.objects.create(participant=otto, number=0, **where)
    more = {
        "quick_evaluation": ResponseEvaluation.objects.create(
            turn=of_konrad, round=first.round, state="quick", **flags
        ),
        "response_round": first.round,
        "spare_response_fact": spare,
        "spare_response_round": spare.round,
        "spare_response_turn": of_mira,
        "state": ParticipantState.objects.create(participant=konrad, number=1, effect=made["effect"], **where),
        "gone_state": ParticipantState.objects.create(
            participant=otto, number=1, effect=on_otto, surrender="wavering", **where
        ),
        "spare_standing_fact": other,
        "spare_standing_round": other.round,
        "twin_standing_fact": judged(standing, other.round, "12"),
    }
    words = {"persuasion": ["fair"], "attack": ["shame"], "evidence": []}
    chairs = [{"name": name, "side": side} for name, side in (("Lena", "no"), ("Tomas", "yes"), ("Ruth", "yes"))]
    of_sides = factories.debate(parameters={"table": {"words": words, "chairs": [*chairs, {"name": "Guest"}]}})
    return {**ids({**made, **more}), "debate_of_sides": of_sides.pk, "cached": f"'{made['cached'].pk}'"}


def panels() -> dict[str, object]:
    """A panel after its first round, with a judge whom nobody could read, and one who is awaited."""
    now = timezone.now()
    made = world.deliberated()
    row, report = made["panel_account"], made["judge_report"]
    debate, played = row.debate, report.round
    about = {"debate": debate, "round": played, "at": now}
    mute = Participant.objects.create(debate=debate, role="judge", name="A mute judge", provider="scripted")
    seat, fourth, third = (
        Participant.objects.create(debate=debate, role="judge", kind="human", name=name, position=position)
        for name, position in (("Judge 5", 5), ("Judge 6", 5), ("Judge 7", 2))
    )
    awaited = {"round": played, "participant": seat, "about": report.turn, "at": now}
    moved = factories.panel(debate, key="moved", scores=["2"])
    given = Given(FactKind.JUDGE_SCORE, Decimal(4), participant=report.participant)
    other = factories.panel(debate, key="other", scores=[given])
    more = {
        "place_of_fourth": fourth,
        "place_of_third": third,
        "awaited_judgement": AwaitedTurn.objects.create(**awaited, kind="judgement", deadline=now + timedelta(hours=1)),
        "response_ballot": Ballot.objects.create(**awaited, answer="{}"),
        "judging_seat": seat,
        "mute_report": JudgeReport.objects.create(**about, participant=mute, readable=False),
        "other_judge_score": other.facts.get(),
        "spare_judge_score": row.facts.exclude(pk=made["judge_score"].fact_id).get(),
        "spare_report_turn": Turn.objects.create(
            **about, participant=report.participant, kind="interjection", slot="spare report", text="words"
        ),
        "spare_panel_round": factories.round_of(row, number=7),
    }
    replaced = moved.basis[0]
    newer = factories.count(moved, Given(FactKind.JUDGE_SCORE, Decimal(4)), number=1).facts[0]
    return {**ids({**made, **more}), "moved_panel": moved.pk, "replaced_score": replaced, "newer_score": newer.pk}
