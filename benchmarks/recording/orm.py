"""Recording a round as shipped, and by the same ORM writes with nobody to refuse them."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.utils import timezone

from benchmarks.recording.ground import RULED, Ground, closing, opening, verdict_news
from debates import event_log, prepared_statements
from debates.decimals import in_places
from debates.models import Round, Thread
from judging.engine import play as engine_play
from judging.formats.criterion import play
from judging.formats.criterion import state as criterion_state
from judging.formats.criterion.state import CriterionThreadState, Point
from judging.models import Verdict
from judging.types import Severity
from scoring.enums import FactKind
from scoring.models import Evaluation, Fact, ScoreChange
from scoring.rules import transitions
from scoring.services import accounts, alerts, computing, entries, rounds
from scoring.services.entries import Posted
from scoring.types import Instrument


@transaction.atomic(durable=True)
def shipped(ground: Ground, number: int) -> None:
    """Record a round through the services."""
    now = timezone.now()
    about = Thread(pk=ground.thread, run_number=1)
    played, _ = engine_play.open_round(thread=about, number=number, surely_new=True, now=now)
    points = tuple(
        Point(id=pk, label=ruling.label, persona="skeptic", severity=Severity.SIGNIFICANT, quote="", said=())
        for pk, ruling in zip(ground.challenges, RULED, strict=True)
    )
    board = CriterionThreadState(
        thread_id=ground.thread,
        key=ground.key,
        run=1,
        fence=1,
        number=number,
        round_id=played.pk,
        evaluation_id=ground.evaluation,
        initial=Decimal(6),
        value=Decimal(6),
        points=points,
    )
    call: Any = None  # the column may be empty
    rulings = criterion_state.only(ruled=RULED, call=call)
    after, news = play.rule(brief=ground.brief, board=board, rulings=rulings, round=played, now=now)
    prepared_statements.change(engine_play.SHUT, {"id": played.pk, "at": now})
    events = [opening(ground, number), *news, closing(ground, number, in_places(after.value))]
    event_log.append(debate_id=ground.brief.debate_id, news=events, now=now)


@transaction.atomic(durable=True)
def unguarded(ground: Ground, number: int) -> None:
    """Record a round by the ORM, with what the triggers would have written computed here."""
    now = timezone.now()
    played = Round.objects.create(thread_id=ground.thread, run_number=1, number=number, opened_at=now)
    [evaluation] = accounts.lock(evaluations=[ground.evaluation])
    verdict_facts = [rounds.Given(FactKind.VERDICT, ruling.adjustment, ruling.impact) for ruling in RULED]
    facts = rounds.keep(evaluation=evaluation, round=played, new_facts=verdict_facts, now=now)
    Verdict.objects.bulk_create(
        Verdict(fact=fact, challenge_id=challenge, round=played, winner=ruling.winner.value, reasoning=ruling.reasoning)
        for ruling, fact, challenge in zip(RULED, facts, ground.challenges, strict=True)
    )
    earlier = rounds.earlier_of(evaluation)
    entry = entry_of(evaluation=evaluation, played=played, facts=facts, earlier=earlier, now=now)
    news = verdict_news(ground, number, [str(fact.public_id) for fact in facts])
    news += entries.moved(evaluation=evaluation, entry=entry, own=facts)
    news += rounds.progress(evaluation=evaluation, round=played, posted=Posted(entry=entry, news=[]))
    news += alerts.after_round(evaluation=evaluation, facts=[*earlier, *facts])
    Round.objects.filter(pk=played.pk).update(closed_at=now)
    events = [opening(ground, number), *news, closing(ground, number, in_places(evaluation.value))]
    event_log.append(debate_id=ground.brief.debate_id, news=events, now=now)


def entry_of(
    *, evaluation: Evaluation, played: Round, facts: Sequence[Fact], earlier: Sequence[Fact], now: datetime
) -> ScoreChange:
    """Write an entry and bring its evaluation up to date, as plain rows."""
    before, confidence = evaluation.value, evaluation.confidence
    own = [fact.pk for fact in facts]
    state = transitions.counted_round(entries.state_of(evaluation), instrument=Instrument.CRITERION, facts=own)
    gives = computing.compute(evaluation=evaluation, state=state, known=[*earlier, *facts])
    assert gives.score is not None
    entry = ScoreChange.objects.create(
        evaluation=evaluation,
        sequence=evaluation.version + 1,
        kind="round",
        initial_score=evaluation.initial_score,
        value_before=before,
        value_after=gives.score,
        confidence_before=evaluation.initial_confidence if confidence is None else confidence,
        confidence_after=gives.confidence,
        computed_before=evaluation.computed_score,
        computed_after=gives.score,
        cumulative_raw=gives.cumulative_raw,
        capped_net=gives.capped_net,
        run_number=state.run,
        basis=list(state.basis),
        held=list(state.held),
        frozen_before=False,
        frozen_after=False,
        counted_after=True,
        complete_after=False,
        rounds_after=state.rounds,
        round=played,
        facts=own,
        raw_sum=rounds.raw_of(evaluation=evaluation, facts=facts),
        actor_kind="engine",
        at=now,
    )
    evaluation.follow(entry)
    evaluation.last_score_update = now
    columns = ["computed_score", "confidence", "counted", "basis", "held", "run_number", "debate_complete"]
    evaluation.save(update_fields=[*columns, "debate_round_count", "version", "last_score_update", "head_hash"])
    return entry
