"""Proof on demand: the ledger of one debate, or of all, against the facts and against heads that were kept."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from django.core.exceptions import ObjectDoesNotExist
from django.db import DataError, connection
from django.db.models import Prefetch, QuerySet, TextField
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast

from debates.errors import DomainError
from debates.models import Debate
from debates.selectors import one_moment
from scoring import change_proof, seal_proof, state_proof
from scoring.models import Evaluation, Fact, Reason, ScoreChange
from scoring.proof import Fault, ProvedAccount, prove

Head = tuple[int, str]
AT_ONCE = 200
UNREADABLE = (
    ArithmeticError,
    AttributeError,
    DataError,
    DomainError,
    LookupError,
    ObjectDoesNotExist,
    RecursionError,
    TypeError,
    ValueError,
)
"""What is raised where a row is gone, or a document or a time is what cannot be: a fault, and no end of the proof."""


@dataclass(frozen=True, slots=True)
class Heads:
    """Where chains ended: the last entry of every score by its public id, the last block of every debate by its own.

    Shape: {public id, ``number 5`` of a debate that is gone, or ``site`` of what belongs to none: (number, hex hash)}.
    """

    scores: Mapping[str, Head]
    logs: Mapping[str, Head]


@dataclass(frozen=True, slots=True)
class Report:
    """What was looked at, how many kept heads were compared, and what does not agree."""

    evaluations: int
    entries: int
    faults: tuple[Fault, ...]
    heads: int = 0


Verifier = Callable[[int | None], Iterable[Fault]]
_further: list[Verifier] = []


def also(verifier: Verifier) -> None:
    """Let another app prove what it keeps; it is given a debate's id, or nothing for all, and returns faults."""
    _further.append(verifier)


def verify(*, debate_id: int | None = None, heads: Heads | None = None) -> Report:
    """Recompute the ledger of one debate, or of all, and say exactly what does not agree.

    Shape: ``heads`` are chain heads that were kept safe earlier; of one debate only its own are compared.
    Source: docs/explanation/ledger.md, "Proof".
    """
    kept = heads or Heads(scores={}, logs={})
    faults: list[Fault] = []
    seen: dict[str, int] = {}

    def ledger(debate_id: int | None) -> Iterator[Fault]:
        for account in _accounts(debate_id=debate_id):
            seen[account.name] = len(account.chain)
            yield from _proved(account)
            yield from _against_head(account=account, heads=kept.scores)

    with one_moment():
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL bytea_output = 'hex'")  # as rows were sealed; a role may set its own otherwise
        connection.check_constraints()  # in somebody's transaction, what it has written so far becomes a block first
        for part in (ledger, _reasons, seal_proof.faults, change_proof.faults, state_proof.faults):
            faults += _found(part, debate_id)
        logs = kept.logs if debate_id is None else _own(kept.logs, debate_id)
        faults += seal_proof.against(logs)
        for verifier in _further:
            faults += _found(verifier, debate_id)
    compared = len(seen.keys() & kept.scores.keys())
    if debate_id is None:
        unseen = set(kept.scores) - set(seen)
        there = Evaluation.objects.filter(public_id__in=unseen).values_list("public_id", flat=True)
        gone = sorted(unseen - {str(public) for public in there})
        faults += [Fault(name, None, "it is gone, though its head was kept") for name in gone]
        compared += len(gone)
    entries = sum(seen.values())
    once = tuple(dict.fromkeys(faults))
    return Report(evaluations=len(seen), entries=entries, faults=once, heads=compared + len(logs))


def _proved(account: ProvedAccount) -> list[Fault]:
    found: list[Fault] = []
    try:
        found.extend(prove(account))
    except UNREADABLE as error:
        found.append(Fault(account.name, None, f"it cannot be proved ({type(error).__name__})"))
    return found


def _found(verifier: Verifier, debate_id: int | None) -> list[Fault]:
    """Return what a part of the proof finds; where something of all debates cannot be read, of one after the other."""
    found: list[Fault] = []
    try:
        found.extend(verifier(debate_id))
    except UNREADABLE as error:
        if debate_id is None:
            found.append(Fault("", None, f"what is of no debate was not proved ({type(error).__name__})"))
            ids = list(Debate.objects.order_by("pk").values_list("pk", flat=True))
            return found + [fault for one in ids for fault in _found(verifier, one)]
        public = Debate.objects.values_list("public_id", flat=True).get(pk=debate_id)
        done = "read" if isinstance(error, DataError) else "computed again"
        what = f"something of it cannot be {done} ({type(error).__name__})"
        found.append(Fault("", None, what, debate=str(public)))
    return found


def _own(logs: Mapping[str, Head], debate_id: int) -> dict[str, Head]:
    public = str(Debate.objects.values_list("public_id", flat=True).get(pk=debate_id))
    return {name: head for name, head in logs.items() if name == public}


def _accounts(*, debate_id: int | None) -> Iterator[ProvedAccount]:
    rows = Evaluation.objects.annotate(score_text=KeyTextTransform("score", "debate__parameters")).select_related(
        "debate", "thread"
    )
    facts = Fact.objects.annotate(parts_text=Cast("parts", TextField())).select_related("round")
    entries = ScoreChange.objects.select_related("reason", "actor", "approval").order_by("sequence")
    evaluations: QuerySet[Evaluation] = rows if debate_id is None else rows.filter(debate_id=debate_id)
    evaluations = evaluations.order_by("pk").prefetch_related(Prefetch("facts", facts), Prefetch("entries", entries))
    for row in evaluations.iterator(chunk_size=AT_ONCE):
        own = list(row.facts.all())
        yield ProvedAccount(
            evaluation=row,
            chain=list(row.entries.all()),
            facts={fact.pk: fact for fact in own},
            parts={fact.pk: getattr(fact, "parts_text", "") for fact in own},
            parameters=getattr(row, "score_text", None),
        )


def _against_head(*, account: ProvedAccount, heads: Mapping[str, Head]) -> list[Fault]:
    kept = heads.get(account.name)
    if kept is None:
        return []
    sequence, digest = kept
    actual = next((bytes(entry.hash).hex() for entry in account.chain if entry.sequence == sequence), "no such entry")
    what = "the entry is not the one whose head was kept"
    return [] if actual == digest else [Fault(account.name, sequence, what, digest, actual)]


def _reasons(debate_id: int | None) -> Iterator[Fault]:
    """Return reasons whose words no longer give their digest; those that were erased have no words."""
    rows = Reason.objects.exclude(text="").order_by("pk")
    if debate_id is not None:
        rows = rows.filter(entries__evaluation__debate_id=debate_id).distinct()
    for reason in rows.iterator(chunk_size=2000):
        if hashlib.sha256((reason.salt + reason.text).encode()).hexdigest() == reason.digest:
            continue
        entry = reason.entries.select_related("evaluation").order_by("pk").first()
        name, place = (str(entry.evaluation.public_id), entry.sequence) if entry else ("", None)
        yield Fault(name, place, f"the words of reason {reason.pk} were changed")


def heads() -> Heads:
    rows = Evaluation.objects.order_by("pk").values_list("public_id", "version", "head_hash")
    scores = {str(public): (version, bytes(digest).hex()) for public, version, digest in rows.iterator(chunk_size=2000)}
    return Heads(scores=scores, logs=seal_proof.heads())
