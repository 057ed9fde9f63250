"""The words that belong to what judging tells: joined when events are read, so that an erased text is gone at once."""

from __future__ import annotations

from debates.live.reader import join_texts

TURNS = """
    SELECT event.seq, json_build_object(
        'speaker', speaker.name, 'text', turn.text,
        'challenge', about.label, 'persona', about.persona, 'severity', about.severity, 'quote', about.quote,
        'reply', defence.reply)::text
    FROM debates_event event
    JOIN debates_turn turn ON turn.public_id = (event.data ->> 'turn')::uuid
    JOIN debates_participant speaker ON speaker.id = turn.participant_id
    LEFT JOIN judging_defence defence ON defence.turn_id = turn.id
    LEFT JOIN debates_round round ON round.id = turn.round_id
    LEFT JOIN judging_challenge about ON about.thread_id = turn.thread_id AND about.run_number = round.run_number
        AND turn.kind IN ('challenge', 'defence') AND about.label = split_part(turn.slot, ':', 2)
    WHERE event.debate_id = %(debate)s AND event.seq = ANY(%(seqs)s)
"""
VERDICTS = """
    SELECT event.seq, json_build_object('reasoning', verdict.reasoning)::text
    FROM debates_event event
    JOIN scoring_fact fact ON fact.public_id = (event.data ->> 'verdict')::uuid
    JOIN judging_verdict verdict ON verdict.fact_id = fact.id
    WHERE event.debate_id = %(debate)s AND event.seq = ANY(%(seqs)s)
"""


def register() -> None:
    join_texts(type="turn:added", query=TURNS)
    join_texts(type="verdict:issued", query=VERDICTS)
