"""What judging adds to the ledger's proof: sealed tables, facts without a judgement, repeats that do not agree."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from django.db.models import F, Q

from debates.errors import DomainError
from judging import models
from judging.formats.registry import repeated_tables
from judging.formats.repeated import Recomputed
from scoring import sealed, state_proof
from scoring.enums import FactKind
from scoring.models import Fact
from scoring.proof import Fault, about_fact
from scoring.sealed import Sealed, emptied, mark_inside, marked

# Which tables of judging are sealed, what of their rows may change later, and what is not sealed and why.


ALL = ("debate__participants",)
"""Words that may be anybody's who takes part."""


def without_quotes(numbers: Any) -> bool:
    """Say whether the numbers of closing words quote nobody and name nobody any more."""
    return numbers.get("improvements") == [] or mark_inside(numbers)


TABLES = [
    Sealed(
        models.Call,
        "debate",
        fading=("raw_answer", "problem"),
        erasable={"raw_answer": emptied, "problem": emptied, "about": marked},
        voices=ALL,
    ),
    Sealed(models.Script, "debate", removable=True),
    Sealed(
        models.Challenge,
        "thread",
        played=True,
        erasable={"quote": emptied},
        voices=("turn__participant", "defences__turn__participant"),
    ),
    Sealed(models.Defence, "round", played=True),
    Sealed(
        models.Verdict,
        "round",
        played=True,
        erasable={"reasoning": emptied},
        voices=("round__thread__debate__participants",),
    ),
    Sealed(models.Synthesis, "debate", played=True, erasable={"numbers": without_quotes}, voices=ALL),
    Sealed(models.JudgeReport, "debate", played=True, erasable={"body": emptied}, voices=ALL),
    Sealed(models.JudgeScore, "report", played=True),
    Sealed(models.Consensus, "debate", played=True),
    Sealed(
        models.Review,
        "debate",
        changing=("state", "claimed_by_id", "lease_until"),
        once=("settled_by_id", "settled_by_organiser", "settled_at", "decisions"),
    ),
    Sealed(
        models.ResponseEvaluation,
        "turn",
        played=True,
        erasable={"grounds": emptied},
        voices=("turn__debate__participants",),
    ),
    Sealed(models.Effect, "turn", played=True),
    Sealed(models.ParticipantState, "participant", played=True),
    Sealed(models.Standing, "round", played=True),
]
REVIEW = f"""
SELECT r.debate_id, r.id, CASE WHEN e.resolved THEN 'settled' ELSE 'not settled' END, r.state
FROM judging_review r, LATERAL (SELECT EXISTS (
  SELECT FROM debates_event l WHERE l.debate_id = r.debate_id AND l.type = 'review:resolved'
    AND l.data ->> 'review' = r.public_id::text AND {state_proof.OF.format("l")}) AS resolved) e
WHERE e.resolved <> (r.state = 'settled') AND {state_proof.OF.format("r")}
ORDER BY r.id
"""  # noqa: S608 -- our own words
UNSEALED = {
    "judging_claim": "what a thread has set aside of the budget, until its round is over",
    "judging_callunderway": "calls that are being made; written down as a call when they have been",
    "judging_plannedstart": "when a draft is to start; the log says when it did",
    "judging_newdebate": "what somebody is filling in, and no debate yet",
    "judging_cachedjudgement": "judgements that are known already; what came of one is in the rows it went into",
}


def register_sealed_tables() -> None:
    sealed.TABLES.extend(TABLES)
    sealed.UNSEALED.update(UNSEALED)
    state_proof.STANDINGS.append(state_proof.StatedTwice("review", "its state is not what the log says", REVIEW))


# The proof that behind every fact stands what it was taken from, and that it counts there: a ruling, marks, a judge's
# score, a standing.


JUDGEMENTS: Mapping[FactKind, tuple[str, str, Q]] = {
    FactKind.VERDICT: ("verdict", "verdict", Q(evaluation__thread=F("verdict__challenge__thread"))),
    FactKind.RESPONSE: (
        "response_evaluation",
        "response evaluation",
        Q(evaluation__participant=F("response_evaluation__turn__participant"), round=F("response_evaluation__round")),
    ),
    FactKind.JUDGE_SCORE: (
        "judge_score",
        "judge's score",
        Q(
            evaluation__key=F("judge_score__key"),
            round=F("judge_score__report__round"),
            participant=F("judge_score__report__participant"),
        ),
    ),
    FactKind.STANDING: (
        "standing",
        "standing",
        Q(evaluation__participant=F("standing__participant"), round=F("standing__round")),
    ),
}
"""By kind of fact: under which name its row hangs on it, what people call that, and which facts it can hang on."""
AT_ONCE = 500


def unfounded_facts(debate_id: int | None) -> Iterator[Fault]:
    """Yield facts whose judgement is gone, or belongs to another account, in one debate or in all; whether it fits its
    fact each format proves.

    Source: docs/explanation/ledger.md, "Proof".
    """
    for kind, (row, called, own) in JUDGEMENTS.items():
        facts = Fact.objects.filter(Q(**{f"{row}__isnull": True}) | ~own, kind=kind.value)
        if debate_id is not None:
            facts = facts.filter(evaluation__debate=debate_id)
        for fact in facts.select_related("evaluation", row).order_by("pk").iterator(chunk_size=AT_ONCE):
            what = "is of another account, round or judge" if hasattr(fact, row) else "is gone"
            yield about_fact(fact, f"the {called} that fact {fact.public_id} was taken from {what}")


# The proof of what was judged several times: what counts, its spread and its flip again from the single judgements.


def unequal_repeats(debate_id: int | None) -> Iterator[Fault]:
    for table in repeated_tables():
        rows = table.rows.exclude(readings=[]).order_by("pk")
        if debate_id is not None:
            rows = rows.filter(**{table.debate: debate_id})
        for row in rows.iterator(chunk_size=AT_ONCE):
            yield from _faults(row, table.recompute)


def _faults(row: Any, recompute: Callable[[Any], Recomputed]) -> Iterator[Fault]:
    try:
        expected, stored = recompute(row)
    except (ArithmeticError, DomainError, LookupError, TypeError, ValueError) as error:
        yield Fault("", None, f"{row}: its judgements cannot be read ({type(error).__name__})")
        return
    for name, value in expected.items():
        if stored[name] != value:
            yield Fault("", None, f"{row}: {name} is not what its judgements come to", str(value), str(stored[name]))
