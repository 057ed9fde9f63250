"""One row, at least, of everything that is guarded, and every state an evaluation can be attacked in."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from decimal import Decimal

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from debates import stream
from debates.models import (
    ApiKey,
    AwaitedTurn,
    Debate,
    Delivery,
    IdempotencyKey,
    Participant,
    Round,
    Thread,
    Turn,
    Webhook,
)
from debates.types import News
from judging.models import (
    CachedJudgement,
    Call,
    Challenge,
    Claim,
    Consensus,
    Defence,
    Effect,
    JudgeReport,
    JudgeScore,
    ParticipantState,
    ResponseEvaluation,
    Review,
    Script,
    Standing,
    Synthesis,
    Verdict,
)
from scoring.kinds import FactKind, HeldChoice
from scoring.models import Alert, Approval, Criterion, Evaluation, Fact, Reason, RescoreSet, Rubric
from scoring.services import moderation
from scoring.services.entries import actor_of, reason_record
from scoring.services.rounds import Given
from scoring.types import Instrument
from tests import factories
from tests.scoring.story import judged, opened


def build() -> Mapping[str, object]:
    """Return the ids of a small world, by the names that attacks use."""
    alice = factories.moderator()
    made = {**event(), **score(alice), **verdicts()}
    return {**made, **desk(made), **access(made, alice), **panels(), **tables()}


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
    stream.append(debate_id=debate.pk, news=[News("debate:paused", {}), News("debate:resumed", {})], now=now)
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
    moderation.freeze(order=factories.order(made["frozen"], alice, seen=None), now=now)
    moderation.override(order=factories.order(made["overridden"], alice), value="3", now=now)
    moderation.strike(order=factories.order(made["struck"], alice), facts=made["struck"].basis[:1], now=now)
    made["standing"] = opened(Instrument.STANDING, "5", "5")
    ids: dict[str, object] = {name: row.pk for name, row in made.items()}
    for name in ("played", "frozen", "struck"):
        ids[f"{name}_round"], ids[f"{name}_fact"] = next_round(made[name])
    erased = reason_record("These words will be erased.")
    Reason.objects.filter(pk=erased.pk).update(text="", salt="")
    alert = Alert.objects.create(
        debate=debate,
        evaluation=made["played"],
        code="net_capped",
        severity="info",
        evidence={"why": "Gone.", "round": "1"},
        facts_digest="d",
    )
    rubric = Rubric.objects.create(slug="small", name="Small")
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
        "erased_reason": erased.pk,
        "alert": alert.pk,
        "rubric": rubric.pk,
        "criterion": criterion.pk,
        "counted_round": entry.round_id,
        "held_choice": HeldChoice.APPLY.value,
    }


def next_round(evaluation: Evaluation) -> tuple[int, int]:
    """A round that has been judged and not been counted: its id and its fact's."""
    with transaction.atomic():
        row = factories.round_of(evaluation)
        fact = Fact.objects.create(
            evaluation=evaluation, round=row, run_number=evaluation.run_number, kind=FactKind.VERDICT.value,
            amount=Decimal(1), at=timezone.now(),
        )  # fmt: skip
    return row.pk, fact.pk


def verdicts() -> dict[str, object]:
    """A challenge that was answered and ruled on, with the call that ruled."""
    now = timezone.now()
    evaluation = factories.criterion(key="V1")
    thread: Thread = evaluation.thread
    debate: Debate = evaluation.debate
    arbiter = factories.arbiter(debate)
    fact, spare_fact = factories.count(evaluation, "1", "1").facts
    said = {"debate": debate, "thread": thread, "round": fact.round, "participant": arbiter, "text": "words", "at": now}
    turns = [Turn.objects.create(**said, kind=kind, slot=kind) for kind in ("challenge", "defence", "synthesis")]
    spare = [Turn.objects.create(**said, kind=kind, slot=f"{kind} 2") for kind in ("challenge", "defence", "synthesis")]
    call = Call.objects.create(
        debate=debate, thread=thread, run_number=1, round_number=1, purpose="judge", attempt=1, participant=arbiter,
        prompt_name="judge", prompt_version=1, prompt_digest="d", provider="scripted", model="", raw_answer="words",
        outcome="used", at=now,
    )  # fmt: skip
    challenge = Challenge.objects.create(
        thread=thread, run_number=1, label="C1", persona="skeptic", severity="minor", quote="words", turn=turns[0]
    )
    defence = Defence.objects.create(turn=turns[1], challenge=challenge, round=fact.round, reply="defend")
    verdict = Verdict.objects.create(
        fact=fact, challenge=challenge, round=fact.round, winner="evaluator", reasoning="words", call=call
    )
    synthesis = Synthesis.objects.create(debate=debate, number=1, numbers={}, turn=turns[2], at=now)
    script = Script.objects.create(debate=debate, answers=[])
    claim = Claim.objects.create(thread=thread, fence=1, claimed_at=now)
    return {
        "judged_debate": debate.pk,
        "judged_thread": thread.pk,
        "judged_round": fact.round_id,
        "call": call.pk,
        "challenge": challenge.pk,
        "defence": defence.pk,
        "verdict": verdict.pk,
        "synthesis": synthesis.pk,
        "script": script.pk,
        "claim": claim.pk,
        "spare_challenge_turn": spare[0].pk,
        "spare_defence_turn": spare[1].pk,
        "spare_synthesis_turn": spare[2].pk,
        "spare_fact": spare_fact.pk,
        "later_fact": factories.count(evaluation, "1").facts[0].pk,
    }


def desk(made: Mapping[str, object]) -> dict[str, object]:
    """A request that waits for a second person, a staged set, an open review, and that second person."""
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
    return {
        "approval": approval.pk,
        "rescore": rescore.pk,
        "review": review.pk,
        "second_actor": actor_of(factories.moderator("bob")).pk,
        "other_reason": reason_record("Quite another reason.").pk,
    }


def tables() -> dict[str, object]:
    """An open debate after its first exchange: one response judged, its effect, a state it led to, and a standing."""
    now = timezone.now()
    accounts = opened(Instrument.ADHERENCE, "70.5", "70.5"), opened(Instrument.STANDING, "25.5", "25.5")
    fact, own = (row.facts.get() for row in accounts)
    spare, other = (
        judged(row, factories.round_of(row, number=7), amount)
        for row, amount in zip(accounts, ("60", "12"), strict=True)
    )
    twin = judged(accounts[1], other.round, "12")
    debate = accounts[0].debate
    speakers = [
        Participant.objects.create(debate=debate, role="chair", name=name, provider="scripted")
        for name in ("Mira", "Konrad", "Otto")
    ]
    said = {"debate": debate, "kind": "response", "text": "words", "at": now, "round": fact.round}
    turns = [Turn.objects.create(**said, participant=one, slot=f"response of {one.name}") for one in speakers]
    marks = {"steel_manning": 20, "self_critique": "15.5", "consistency": 20, "honesty": 15}
    flags = {"steel_attempted": True, "critique_attempted": False, "at": now}
    evaluation = ResponseEvaluation.objects.create(
        turn=turns[0], round=fact.round, state="scored", fact=fact, grounds={"notes": "words"}, **marks, **flags
    )
    quick = ResponseEvaluation.objects.create(turn=turns[1], round=fact.round, state="quick", **flags)
    effects = [
        Effect.objects.create(
            turn=turns[0], speaker=speakers[0], listener=listener, persuasion=1, attack=0, evidence=0, source="words",
            at=now,
        )
        for listener in speakers[1:]
    ]  # fmt: skip
    where = {"stance": "0.5", "conviction": "0.5", "at": now}
    start = ParticipantState.objects.create(participant=speakers[1], number=0, **where)
    moved = ParticipantState.objects.create(participant=speakers[1], number=1, effect=effects[0], **where)
    ParticipantState.objects.create(participant=speakers[2], number=0, **where)
    gone = ParticipantState.objects.create(
        participant=speakers[2], number=1, effect=effects[1], surrender="wavering", **where
    )
    standing = Standing.objects.create(
        fact=own, round=own.round, participant=speakers[0], stance=10, persuasion=10, resistance="5.5", penalty=0
    )
    known = CachedJudgement.objects.create(digest="d" * 64, answer="words", at=now)
    return {
        "response_evaluation": evaluation.pk,
        "quick_evaluation": quick.pk,
        "spare_response_fact": spare.pk,
        "spare_response_round": spare.round_id,
        "spare_response_turn": turns[2].pk,
        "effect": effects[0].pk,
        "listener": speakers[1].pk,
        "speaker": speakers[0].pk,
        "third_speaker": speakers[2].pk,
        "start_state": start.pk,
        "state": moved.pk,
        "gone_state": gone.pk,
        "standing_row": standing.pk,
        "spare_standing_fact": other.pk,
        "spare_standing_round": other.round_id,
        "twin_standing_fact": twin.pk,
        "cached": f"'{known.pk}'",
    }


def panels() -> dict[str, object]:
    """A panel after its first round: one judge read, one not, and what was found."""
    now = timezone.now()
    row = factories.panel(factories.debate())
    fact, spare = row.facts.order_by("pk")[:2]
    judges = [
        Participant.objects.create(debate=row.debate, role="judge", name=name, provider="scripted")
        for name in ("Judge 1", "Judge 2")
    ]
    said = {"debate": row.debate, "round": fact.round, "at": now}
    turns = [
        Turn.objects.create(**said, participant=judges[0], kind="report", slot=slot, text="words")
        for slot in ("report", "spare report")
    ]
    report = JudgeReport.objects.create(**said, participant=judges[0], readable=True, turn=turns[0], body={})
    mute = JudgeReport.objects.create(**said, participant=judges[1], readable=False)
    score = JudgeScore.objects.create(fact=fact, report=report, key=row.key, given=2)
    consensus = Consensus.objects.create(
        **said, policy={}, found={}, agreed=True, overall=3, recommendation="needs_revision"
    )
    moved = factories.panel(row.debate, key="moved", scores=["2"])
    replaced = moved.basis[0]
    newer = factories.count(moved, Given(FactKind.JUDGE_SCORE, Decimal(4)), number=1).facts[0]
    return {
        "moved_panel": moved.pk,
        "replaced_score": replaced,
        "newer_score": newer.pk,
        "judge_report": report.pk,
        "mute_report": mute.pk,
        "judge_score": score.pk,
        "spare_judge_score": spare.pk,
        "consensus": consensus.pk,
        "spare_report_turn": turns[1].pk,
        "spare_panel_round": factories.round_of(row, number=7).pk,
    }


def access(made: Mapping[str, object], alice: User) -> dict[str, object]:
    """A key that is good and one that is revoked, an answered request, a webhook with a delivery, seats."""
    now = timezone.now()
    key = ApiKey.objects.create(owner=alice, name="A key", prefix="moot_1", digest="a" * 64, scopes=["read"])
    revoked = ApiKey.objects.create(
        owner=alice, name="An old key", prefix="moot_2", digest="b" * 64, scopes=["read"], revoked_at=now
    )
    answered = IdempotencyKey.objects.create(owner=alice, key="k", digest="d", status=200, body="{}")
    webhook = Webhook.objects.create(owner=alice, url="https://example.org/", secret="whsec_a")
    delivery = Delivery.objects.create(webhook=webhook, event_id=made["event"], due_at=now)
    debate = Debate.objects.get(pk=made["debate"])
    seat = Participant.objects.create(debate=debate, role="chair", kind="human", name="Bob", user=alice, invitation=1)
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
