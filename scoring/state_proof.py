"""The proof of where rows stand now that may change: against the log of their debate, and against what entries say."""

from collections.abc import Iterator
from dataclasses import dataclass

from scoring.proof import Fault
from scoring.seal_proof import fault_of, row_named, streamed
from scoring.sealed import TABLES


@dataclass(frozen=True, slots=True)
class StatedTwice:
    """What a row says about itself, and where else that is said.

    Shape: ``query`` gives chain, key, what the row should say and what it says, of each row that says another thing;
    it takes a debate or nothing, in every place of a value.
    """

    called: str
    what: str
    query: str


OF = "(%s::bigint IS NULL OR {}.debate_id = %s)"
STATUS = """
SELECT d.id, d.id, coalesce(replace(e.type, 'debate:', ''), 'not over'), d.status
FROM debates_debate d LEFT JOIN LATERAL (
  SELECT l.type FROM debates_event l WHERE l.debate_id = d.id AND l.type IN
    ('debate:concluded', 'debate:failed', 'debate:cancelled', 'debate:rerun', 'debate:resumed')
  ORDER BY l.seq DESC LIMIT 1) e ON true
WHERE (CASE WHEN d.status IN ('concluded', 'failed', 'cancelled') THEN e.type IS DISTINCT FROM 'debate:' || d.status
       ELSE e.type IN ('debate:concluded', 'debate:failed', 'debate:cancelled') END)
  AND (%s::bigint IS NULL OR d.id = %s)
ORDER BY d.id
"""
VISIBILITY = """
SELECT d.id, d.id, coalesce(e.visibility, 'as it was created'), d.visibility
FROM debates_debate d
LEFT JOIN LATERAL (
  SELECT l.data ->> 'visibility' AS visibility FROM debates_event l
  WHERE l.debate_id = d.id AND l.type = 'debate:visibility' ORDER BY l.seq DESC LIMIT 1) e ON true
WHERE (e.visibility <> d.visibility OR e.visibility IS NULL AND EXISTS (
    SELECT FROM debates_seal s WHERE s.relation = 'debates_debate' AND s.key = d.id AND 'visibility' = ANY (s.altered)))
  AND (%s::bigint IS NULL OR d.id = %s)
ORDER BY d.id
"""
CONCLUDED = """
SELECT d.id, d.id, e.at AT TIME ZONE 'UTC', d.concluded_at AT TIME ZONE 'UTC'
FROM debates_debate d, LATERAL (
  SELECT l.type, l.seq, l.at FROM debates_event l
  WHERE l.debate_id = d.id AND l.type IN ('debate:concluded', 'debate:rerun')
  ORDER BY l.seq DESC LIMIT 1) e
WHERE d.status = 'concluded' AND e.type = 'debate:concluded'
  AND (d.concluded_at IS NULL OR d.concluded_at > e.at
    OR d.concluded_at < e.at - interval '1 hour' AND NOT EXISTS (
      SELECT FROM (
        SELECT b.at FROM debates_block b WHERE b.chain = d.id AND b.seq >= e.seq ORDER BY b.number LIMIT 1) written
      WHERE d.concluded_at BETWEEN written.at - interval '1 hour' AND written.at + interval '1 hour'))
  AND (%s::bigint IS NULL OR d.id = %s)
ORDER BY d.id
"""
"""An event may be dated later than what it tells of, by the clock of whoever wrote the one before it: then the block in
which it was written says when that was."""
CONCLUDED_ANEW = f"""
SELECT d.id, d.id, 'as it was concluded', 'since then'
FROM debates_debate d
JOIN LATERAL (
  SELECT s.id, s.batch FROM debates_seal s
  WHERE s.relation = 'debates_debate' AND s.key = d.id AND 'concluded_at' = ANY (s.altered) ORDER BY s.id DESC LIMIT 1
) s ON true
JOIN debates_block b ON b.chain = d.id AND b.batch = s.batch AND s.id BETWEEN b.first_seal AND b.last_seal
WHERE d.status = 'concluded' AND NOT EXISTS (
    SELECT FROM debates_event e WHERE e.debate_id = d.id AND e.type = 'debate:concluded' AND e.seq <= b.seq
      AND e.seq > coalesce((SELECT p.seq FROM debates_block p WHERE p.chain = d.id AND p.number = b.number - 1), 0))
  AND {OF.format("d").replace("debate_id", "id")}
ORDER BY d.id
"""  # noqa: S608 -- our own words
ALERT = f"""
WITH handled AS (
  SELECT DISTINCT ON (e.data ->> 'alert') e.data ->> 'alert' AS alert, e.data ->> 'state' AS state
  FROM debates_event e WHERE e.type = 'alert:handled' AND {OF.format("e")} ORDER BY e.data ->> 'alert', e.seq DESC
)
SELECT a.debate_id, a.id, coalesce(h.state, 'open'), a.state
FROM scoring_alert a LEFT JOIN handled h ON h.alert = a.public_id::text
WHERE a.state <> coalesce(h.state, 'open') AND {OF.format("a")}
ORDER BY a.id
"""  # noqa: S608 -- our own words
APPEAL = f"""
WITH told AS (
  SELECT DISTINCT ON (e.data ->> 'appeal') e.data ->> 'appeal' AS appeal,
    CASE e.type WHEN 'appeal:decided' THEN e.data ->> 'state' WHEN 'appeal:withdrawn' THEN 'withdrawn' ELSE 'open' END
      AS state
  FROM debates_event e WHERE e.type IN ('appeal:filed', 'appeal:withdrawn', 'appeal:decided') AND {OF.format("e")}
  ORDER BY e.data ->> 'appeal', e.seq DESC
)
SELECT a.debate_id, a.id, coalesce(t.state, 'not filed'), a.state
FROM scoring_appeal a LEFT JOIN told t ON t.appeal = a.public_id::text
WHERE replace(a.state, 'claimed', 'open') IS DISTINCT FROM t.state AND {OF.format("a")}
ORDER BY a.id
"""  # noqa: S608 -- our own words
APPROVAL = f"""
WITH told AS (
  SELECT DISTINCT ON (e.data ->> 'approval') e.data ->> 'approval' AS approval, e.data ->> 'state' AS state
  FROM debates_event e WHERE e.type IN ('approval:requested', 'approval:decided') AND {OF.format("e")}
  ORDER BY e.data ->> 'approval', e.seq DESC
)
SELECT v.debate_id, a.id, coalesce(t.state, 'not asked for'), a.state
FROM scoring_approval a JOIN scoring_evaluation v ON v.id = a.evaluation_id
LEFT JOIN told t ON t.approval = a.public_id::text
WHERE a.state IS DISTINCT FROM t.state AND {OF.format("v")}
ORDER BY a.id
"""  # noqa: S608 -- our own words
OWN_APPROVAL = f"""
SELECT v.debate_id, a.id, 'another person', 'whoever asked for it'
FROM scoring_approval a JOIN scoring_evaluation v ON v.id = a.evaluation_id
JOIN scoring_actor r ON r.id = a.requested_by_id JOIN scoring_actor d ON d.id = a.decided_by_id
WHERE a.state = 'approved' AND d.user_id IS NOT DISTINCT FROM r.user_id AND {OF.format("v")}
ORDER BY a.id
"""  # noqa: S608 -- as above
RESCORE = """
SELECT 0, r.id, CASE WHEN e.written THEN 'applied' ELSE 'not applied' END, r.state
FROM scoring_rescoreset r, LATERAL (
  SELECT EXISTS (SELECT FROM scoring_scorechange s WHERE s.reason_id = r.because_id) AS written) e
WHERE e.written <> (r.state = 'applied') AND (%s::bigint IS NULL OR %s::bigint IS NULL)
ORDER BY r.id
"""
ADDED_LATE = f"""
WITH moments AS (
  SELECT l.debate_id, l.seq, l.type, lead(l.seq) OVER (PARTITION BY l.debate_id ORDER BY l.seq) AS until
  FROM debates_event l WHERE {OF.format("l")} AND l.type IN
    ('debate:concluded', 'debate:failed', 'debate:cancelled', 'debate:rerun', 'debate:resumed')
)
SELECT b.chain, s.relation, s.key, replace(m.type, 'debate:', '')
FROM moments m
JOIN debates_block before ON before.chain = m.debate_id AND before.seq >= m.seq
JOIN debates_block b ON b.chain = before.chain AND b.number = before.number + 1 AND (m.until IS NULL OR b.seq < m.until)
JOIN debates_seal s ON s.batch = b.batch AND s.chain = b.chain AND s.id BETWEEN b.first_seal AND b.last_seal
  AND s.act = 'INSERT' AND s.relation = ANY (%s)
WHERE m.type NOT IN ('debate:rerun', 'debate:resumed')
  AND (s.relation <> 'scoring_scorechange' OR EXISTS (
    SELECT FROM scoring_scorechange c WHERE c.id = s.key AND c.kind IN ('round', 'held')))
ORDER BY s.id
"""  # noqa: S608 -- our own words
"""What was added in a later block than the end of its debate, and not in that by which it went on; of entries those
alone that nobody signs.
"""
CAME = f"""
SELECT p.debate_id, p.id, 'with its debate', 'later'
FROM debates_participant p
JOIN debates_seal s ON s.relation = 'debates_participant' AND s.key = p.id AND s.act = 'INSERT'
WHERE NOT EXISTS (
    SELECT FROM debates_seal d
    WHERE d.relation = 'debates_debate' AND d.key = p.debate_id AND d.act = 'INSERT' AND d.batch = s.batch)
  AND NOT EXISTS (SELECT FROM scoring_replacedjudge r WHERE r.successor_id = p.id) AND {OF.format("p")}
ORDER BY p.id
"""  # noqa: S608 -- our own words
STANDINGS = [
    StatedTwice("debate", "its status is not what its log says", STATUS),
    StatedTwice("debate", "it was not concluded when its log says", CONCLUDED),
    StatedTwice("debate", "the time of its result changed", CONCLUDED_ANEW),
    StatedTwice("debate", "its visibility is not what its log says", VISIBILITY),
    StatedTwice("participant", "it came", CAME),
    StatedTwice("alert", "its state is not what the log says", ALERT),
    StatedTwice("appeal", "its state is not what the log says", APPEAL),
    StatedTwice("approval", "its state is not what the log says", APPROVAL),
    StatedTwice("approval", "it was approved by", OWN_APPROVAL),
    StatedTwice("rescore set", "its state is not what entries say", RESCORE),
]
"""What is compared; other apps add theirs."""


def faults(debate_id: int | None) -> Iterator[Fault]:
    """Yield rows of one debate, or of all, that stand where nothing else says that they do.

    Source: docs/reference/ledger.md, "What may change".
    """
    for standing in STANDINGS:
        for chain, key, expected, found in streamed(standing.query, [debate_id] * standing.query.count("%s")):
            yield fault_of(chain, f"{standing.called} {key}", standing.what, expected, found)
    played = [table.table for table in TABLES if table.played]
    for chain, relation, key, found in streamed(ADDED_LATE, [debate_id, debate_id, played]):
        yield fault_of(chain, row_named(relation, key), "it was added when its debate had ended", "before", found)
