"""Recording a round with psycopg: the statements of the unguarded way, and no ORM."""

import json
import os
import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any

import psycopg
from django.utils import timezone
from psycopg.rows import dict_row

from benchmarks.recording.ground import RULED, Ground, closing, opening, verdict_news
from debates import event_log
from debates.decimals import in_places
from debates.types import News
from scoring.rules import criterion as rules
from scoring.types import Parameters, VerdictFact

PARAMETERS = Parameters()
OPEN = """INSERT INTO debates_round (public_id, thread_id, run_number, number, opened_at)
    VALUES (%s, %s, 1, %s, %s) RETURNING id"""
LOCK = """SELECT e.*, d.parameters ->> 'score' AS score FROM scoring_evaluation e
    JOIN debates_debate d ON d.id = e.debate_id WHERE e.id = %s FOR NO KEY UPDATE OF e"""
FACTS = """INSERT INTO scoring_fact
    (public_id, evaluation_id, round_id, run_number, kind, amount, impact, weight, parts, at)
    SELECT u, %s, %s, 1, 'verdict', a, i, 1, '{}', %s
    FROM unnest(%s::uuid[], %s::numeric[], %s::numeric[]) AS t (u, a, i)
    RETURNING id"""
VERDICTS = """INSERT INTO judging_verdict (fact_id, challenge_id, round_id, winner, reasoning, readings)
    SELECT f, c, %s, w, r, '[]' FROM unnest(%s::bigint[], %s::bigint[], %s::text[], %s::text[]) AS t (f, c, w, r)"""
READ = "SELECT amount, impact, weight FROM scoring_fact WHERE id = ANY (%s) ORDER BY id"
ENTRY = """INSERT INTO scoring_scorechange (evaluation_id, sequence, kind, initial_score, value_before, value_after,
    confidence_before, confidence_after, computed_before, computed_after, run_number, basis, held, frozen_before,
    frozen_after, counted_after, complete_after, rounds_after, round_id, facts, facts_hash, raw_sum, cumulative_raw,
    capped_net, held_choice, actor_kind, reason_code, at, idempotency_key, previous_hash, hash)
    VALUES (%s, %s, 'round', %s, %s, %s, %s, %s, %s, %s, 1, %s, '{}', false, false, true, false, %s, %s, %s, '', %s,
    %s, %s, '', 'engine', '', %s, '', '', '') RETURNING id"""
PROJECT = """UPDATE scoring_evaluation
    SET computed_score = %s, confidence = %s, counted = true, basis = %s, held = '{}', run_number = 1,
    debate_complete = false, debate_round_count = %s, version = %s, last_score_update = %s, head_hash = ''
    WHERE id = %s"""
EARLIER = """SELECT raw_sum FROM scoring_scorechange
    WHERE evaluation_id = %s AND run_number = 1 AND kind = 'round' AND sequence < %s ORDER BY sequence DESC LIMIT 1"""
CLOSE = "UPDATE debates_round SET closed_at = %s WHERE id = %s"


@lru_cache(maxsize=1)
def connected() -> psycopg.Connection[Any]:
    return psycopg.connect(os.environ["DATABASE_URL"], autocommit=True)


def plain(ground: Ground, number: int) -> None:
    """Record a round with psycopg alone; only f itself and the texts of the events are the project's."""
    connection = connected()
    now = timezone.now()
    with connection.transaction(), connection.cursor(row_factory=dict_row) as cursor:

        def ask(statement: str, *values: Any) -> list[dict[str, Any]]:
            return cursor.execute(statement, values).fetchall()

        played = ask(OPEN, uuid.uuid4(), ground.thread, number, now)[0]["id"]
        [was] = ask(LOCK, ground.evaluation)
        names = [uuid.uuid4() for _ in RULED]
        numbers = [ruling.adjustment for ruling in RULED], [ruling.impact for ruling in RULED]
        own = [row["id"] for row in ask(FACTS, ground.evaluation, played, now, names, *numbers)]
        reasons = [ruling.winner.value for ruling in RULED], [ruling.reasoning for ruling in RULED]
        cursor.execute(VERDICTS, (played, own, list(ground.challenges), *reasons))
        earlier = [VerdictFact(*row.values()) for row in ask(READ, was["basis"])] if was["basis"] else []
        after = entry_after(was=was, earlier=earlier)
        basis, version, count = was["basis"] + own, was["version"] + 1, was["debate_round_count"] + 1
        entry = (
            *(ground.evaluation, version, was["initial_score"], after["before"], after["score"]),
            *(
                was["confidence"] or was["initial_confidence"],
                after["confidence"],
                was["computed_score"],
                after["score"],
            ),
            *(basis, count, played, own, after["raw"], after["cumulative"], after["net"], now),
        )
        ask(ENTRY, *entry)
        cursor.execute(PROJECT, (after["score"], after["confidence"], basis, count, version, now, ground.evaluation))
        if version > 2:
            ask(EARLIER, ground.evaluation, version)
        cursor.execute(CLOSE, (now, played))
        append(cursor, ground=ground, number=number, was=was, names=[str(name) for name in names], after=after, now=now)
    connection.execute("SELECT pg_notify(%s, %s)", (event_log.CHANNEL, str(ground.brief.debate_id)))


def entry_after(*, was: Mapping[str, Any], earlier: Sequence[VerdictFact]) -> dict[str, Any]:
    own = [VerdictFact(ruling.adjustment, ruling.impact, Decimal(1)) for ruling in RULED]
    facts = [*earlier, *own]
    raw = rules.raw_sum(facts=facts, weight_by_confidence=False)
    return {
        "before": was["initial_score"] if was["final_score"] is None else was["final_score"],
        "score": rules.computed_score(initial=was["initial_score"], facts=facts, parameters=PARAMETERS),
        "confidence": rules.computed_confidence(initial=was["initial_confidence"], facts=facts, parameters=PARAMETERS),
        "raw": rules.raw_sum(facts=own, weight_by_confidence=False),
        "cumulative": raw,
        "net": rules.capped(raw=raw, cap=PARAMETERS.adjustment_cap),
    }


def append(
    cursor: psycopg.Cursor[Any],
    *,
    ground: Ground,
    number: int,
    was: Mapping[str, Any],
    names: Sequence[str],
    after: Mapping[str, Any],
    now: datetime,
) -> None:
    public_id, score = str(was["public_id"]), in_places(after["score"])
    moved = {
        "evaluation": public_id,
        "criterion": ground.key,
        "category": was["category"],
        "round": was["debate_round_count"] + 1,
        "verdicts": names,
        "before": in_places(after["before"]),
        "after": score,
        "delta": in_places(after["score"] - after["before"]),
        "kind": "round",
        "entry": was["version"] + 1,
        "reasonCode": "",
    }
    progress = {
        "evaluation": public_id,
        "criterion": ground.key,
        "round": number,
        "instrument": "criterion",
        "category": was["category"],
        "originalScore": in_places(was["initial_score"]),
        "currentScore": score,
        "totalRounds": ground.brief.rounds,
        "participant": None,
    }
    events = [
        opening(ground, number),
        *verdict_news(ground, number, names),
        News("criterion:score-updated", moved),
        News("score:updated", progress),
        closing(ground, number, score),
    ]
    values = {
        "debate": ground.brief.debate_id,
        "many": len(events),
        "news": json.dumps(
            [{"type": event.type, "audience": event.audience.value, "data": dict(event.data)} for event in events]
        ),
        "now": now,
    }
    cursor.execute(event_log.APPEND, values)
