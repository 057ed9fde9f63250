"""What debates that were judged leave behind, of each format one row of everything."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

from django.utils import timezone

from debates.models import AwaitedTurn, Ballot, Debate, Participant, Thread, Turn
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
    Script,
    Standing,
    Synthesis,
    Verdict,
)
from scoring.enums import FactKind
from scoring.models import BrokenSeal, ReplacedJudge
from scoring.services.entries import actor_of, reason_record
from scoring.services.rounds import Given
from scoring.types import Instrument
from tests import factories
from tests.scoring.history import judged, opened


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
    synthesis = Synthesis.objects.create(debate=debate, number=1, numbers={"mean": 2}, turn=turns[2], at=now)
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
    flags |= {"quick_steel_manning": True, "quick_self_critique": False}
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
        Turn.objects.create(**said, participant=judges[0], kind=kind, slot=slot, text="words")
        for kind, slot in (("report", "report"), ("interjection", "spare report"))
    ]
    seats = [
        Participant.objects.create(debate=row.debate, role="judge", kind="human", name=name, position=position)
        for position, name in ((3, "Judge 3"), (4, "Judge 4"))
    ]
    ballot = Ballot.objects.create(round=fact.round, participant=seats[0], answer="{}", at=now)
    breaker = factories.moderator("breaker")
    broken = BrokenSeal.objects.create(
        debate=row.debate, ballot=ballot, person=breaker, by=actor_of(breaker), because=reason_record(factories.REASON)
    )
    places = [
        Participant.objects.create(debate=row.debate, role="judge", kind="human", name=name, position=position)
        for position, name in ((5, "Judge 5"), (5, "Judge 6"), (4, "Judge 7"), (3, "Judge 8"))
    ]
    of_judge = ReplacedJudge.objects.create(
        debate=row.debate, judge=places[0], successor=places[1], by=actor_of(breaker),
        because=reason_record(factories.REASON),
    )  # fmt: skip
    judgement = AwaitedTurn.objects.create(
        round=fact.round,
        participant=seats[1],
        about=turns[0],
        kind="judgement",
        at=now,
        deadline=now + timedelta(hours=1),
    )
    of_response = Ballot.objects.create(round=fact.round, participant=seats[1], about=turns[0], answer="{}", at=now)
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
        "ballot": ballot.pk,
        "broken_seal": broken.pk,
        "replaced_judge_row": of_judge.pk,
        "replaced_judge": places[0].pk,
        "place_of_fourth": places[2].pk,
        "place_of_third": places[3].pk,
        "awaited_judgement": judgement.pk,
        "response_ballot": of_response.pk,
        "judging_seat": seats[1].pk,
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
