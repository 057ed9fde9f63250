"""Proof on demand: every chain, hash, projection and computed score again from the facts, trusting no column."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.db.models import QuerySet

from scoring import hashing
from scoring.kinds import EntryKind, HeldChoice
from scoring.models import Evaluation, Fact, Reason, ScoreChange
from scoring.rules import fold
from scoring.rules.fold import State
from scoring.services.entries import compute_from, parameters_of, state_after, state_of
from scoring.types import Instrument

Heads = Mapping[str, tuple[int, str]]
Facts = Mapping[int, Fact]


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that does not agree: where, at which entry, what was expected and what was found."""

    evaluation: str
    entry: int | None
    what: str
    expected: str = ""
    found: str = ""

    def __str__(self) -> str:
        place = f"evaluation {self.evaluation}" + (f", entry {self.entry}" if self.entry else "")
        values = f": expected {self.expected}, found {self.found}" if self.expected or self.found else ""
        return f"{place}: {self.what}{values}"


@dataclass(frozen=True, slots=True)
class Report:
    """What was looked at, and what does not agree."""

    evaluations: int
    entries: int
    faults: tuple[Fault, ...]


Verifier = Callable[[int | None], Iterable[Fault]]
_further: list[Verifier] = []


def also(verifier: Verifier) -> None:
    """Let another app prove what it keeps; it is given a debate's id, or nothing for all, and returns faults."""
    _further.append(verifier)


def verify(*, debate_id: int | None = None, heads: Heads | None = None) -> Report:
    """Recompute the ledger of one debate, or of all, and say exactly what does not agree.

    Shape: ``heads`` are chain heads kept safe earlier: {evaluation public id: (sequence, hex hash)}.
    Source: docs/explanation/ledger.md, "Proof".
    """
    kept = heads or {}
    faults: list[Fault] = []
    evaluations = entries = 0
    seen = set()
    for evaluation in _evaluations(debate_id=debate_id).iterator(chunk_size=500):
        chain = list(evaluation.entries.select_related("reason").order_by("sequence"))
        facts = {fact.pk: fact for fact in evaluation.facts.select_related("round")}
        evaluations += 1
        entries += len(chain)
        seen.add(str(evaluation.public_id))
        faults += prove(evaluation=evaluation, chain=chain, facts=facts)
        faults += _against_head(evaluation=evaluation, chain=chain, heads=kept)
    if debate_id is None:
        faults += [Fault(gone, None, "gone, though its head was kept") for gone in sorted(set(kept) - seen)]
    faults += _reasons() if debate_id is None else ()
    for verifier in _further:
        faults += verifier(debate_id)
    return Report(evaluations=evaluations, entries=entries, faults=tuple(faults))


def _evaluations(*, debate_id: int | None) -> "QuerySet[Evaluation]":
    rows = Evaluation.objects.select_related("debate", "thread").order_by("pk")
    return rows if debate_id is None else rows.filter(debate_id=debate_id)


def prove(*, evaluation: Evaluation, chain: Sequence[ScoreChange], facts: Facts) -> list[Fault]:
    """Return what does not agree in one evaluation: its chain, its hashes, f, and the row that projects it."""
    name = str(evaluation.public_id)
    if not chain:
        return [Fault(name, None, "it has no opening entry")]
    parameters = parameters_of(evaluation)
    faults: list[Fault] = []
    before: ScoreChange | None = None
    for place, entry in enumerate(chain, start=1):
        checks = [
            ("the sequence has a gap", place, entry.sequence),
            *_links(entry=entry, before=before, evaluation=evaluation),
            *_hashes(entry=entry, before=before, facts=facts),
        ]
        expected = _state(entry=entry, chain=chain[: place - 1], evaluation=evaluation, facts=facts)
        checks.append(("the state does not follow from its kind", expected, state_after(entry)))
        basis = [facts[one] for one in entry.basis if one in facts]
        gives = compute_from(evaluation=evaluation, counted=entry.counted_after, facts=basis, parameters=parameters)
        checks += [
            ("the computed score is not what the facts give", gives.score, entry.computed_after),
            ("the confidence is not what the facts give", gives.confidence, entry.confidence_after),
            ("the raw sum is not what the facts give", gives.cumulative_raw, entry.cumulative_raw),
            ("the capped net is not what the facts give", gives.capped_net, entry.capped_net),
        ]
        faults += [Fault(name, place, what, str(want), str(got)) for what, want, got in checks if want != got]
        before = entry
    return faults + _projection(evaluation=evaluation, last=chain[-1], chain=chain)


Check = tuple[str, object, object]


def _links(*, entry: ScoreChange, before: ScoreChange | None, evaluation: Evaluation) -> Iterator[Check]:
    value = before.value_after if before else evaluation.initial_score
    yield "the value before is not the value after the entry before", value, entry.value_before
    yield "it was frozen otherwise before", before.frozen_after if before else False, entry.frozen_before
    yield "the computed score before is another", before.computed_after if before else None, entry.computed_before
    confidence = before.confidence_after if before else evaluation.initial_confidence
    yield "the confidence before is another", confidence, entry.confidence_before
    yield "the initial score is another", evaluation.initial_score, entry.initial_score
    yield "the delta is not after minus before", entry.value_after - entry.value_before, entry.delta
    value = next(
        one for one in (entry.override_after, entry.computed_after, entry.initial_score) if one is not None
    )
    yield "the value is not override, else computed, else initial", value, entry.value_after
    if before and before.frozen_after:
        yield "it moved while frozen", True, entry.kind in {"held", "completed", "unfreeze"}


def _hashes(*, entry: ScoreChange, before: ScoreChange | None, facts: Facts) -> Iterator[Check]:
    previous = bytes(before.hash) if before else b""
    named = [*entry.basis, *entry.held]
    missing = sorted(set(named) - set(facts))
    yield "facts are missing", [], missing
    counted = hashing.facts_hash(facts[one] for one in set(named) if one in facts)
    yield "a fact was changed", counted.hex(), bytes(entry.facts_hash).hex()
    yield "the chain is broken", previous.hex(), bytes(entry.previous_hash).hex()
    own = hashing.entry_hash(entry=entry, previous=previous, facts=bytes(entry.facts_hash))
    yield "the hash is another", own.hex(), bytes(entry.hash).hex()


def _state(*, entry: ScoreChange, chain: Sequence[ScoreChange], evaluation: Evaluation, facts: Facts) -> State:
    """Return the state that an entry should lead to, from its kind and the entries before it."""
    instrument = Instrument(evaluation.instrument)
    kind = EntryKind(entry.kind)
    own = tuple(
        one.pk for one in facts.values() if one.round_id == entry.round_id and one.run_number == entry.run_number
    )
    if kind is EntryKind.OPENED or not chain:
        numbered = any(facts[one].round.number > 0 for one in own)
        return fold.opened(instrument=instrument, facts=own, in_a_round=numbered)
    before = state_after(chain[-1])
    if kind is EntryKind.ROLLBACK:
        target = next((one for one in chain if one.sequence == entry.target_sequence), chain[0])
        ever = any(one.counted_after for one in chain if one.run_number == target.run_number)
        return fold.rolled_back(target=state_after(target), ever_counted=ever)
    if kind is EntryKind.UNFREEZE:
        return fold.unfrozen(
            before,
            instrument=instrument,
            choice=HeldChoice(entry.held_choice),
            newest=_newest(held=before.held, facts=facts),
        )
    steps: Mapping[EntryKind, Callable[[], State]] = {
        EntryKind.ROUND: lambda: fold.counted_round(before, instrument=instrument, facts=own),
        EntryKind.HELD: lambda: fold.held_round(before, facts=own),
        EntryKind.COMPLETED: lambda: fold.completed(before),
        EntryKind.FALLBACK: lambda: fold.fallen_back(before),
        EntryKind.OVERRIDE: lambda: fold.overridden(before, value=entry.override_after or Decimal(0)),
        EntryKind.OVERRIDE_LIFTED: lambda: fold.lifted(before),
        EntryKind.FREEZE: lambda: fold.frozen(before),
        EntryKind.STRIKE: lambda: fold.struck(before, facts=entry.facts),
        EntryKind.REINSTATE: lambda: fold.reinstated(before, facts=entry.facts),
        EntryKind.RERUN: lambda: fold.rerun(run=entry.run_number),
    }
    return steps[kind]()


def _newest(*, held: Sequence[int], facts: Facts) -> list[int]:
    rows = [facts[one] for one in held if one in facts]
    newest = max((fact.round.number for fact in rows), default=0)
    return [fact.pk for fact in rows if fact.round.number == newest]


def _projection(*, evaluation: Evaluation, last: ScoreChange, chain: Sequence[ScoreChange]) -> list[Fault]:
    moved = [one.sequence for one in chain if one.actor_kind != "engine"]
    final = last.override_after if last.override_after is not None else last.computed_after
    checks: list[Check] = [
        ("the evaluation is at another version than its ledger", last.sequence, evaluation.version),
        ("the evaluation's state is not that of its last entry", state_after(last), state_of(evaluation)),
        ("the evaluation's computed score is not that of its last entry", last.computed_after, evaluation.computed_score),
        ("the evaluation's final score is not that of its last entry", final, evaluation.final_score),
        ("the evaluation's confidence is not that of its last entry", last.confidence_after, evaluation.confidence),
        ("the evaluation's head is not that of its last entry", bytes(last.hash).hex(), bytes(evaluation.head_hash).hex()),
        ("the moderation version is another", moved[-1] if moved else 0, evaluation.moderation_version),
        (
            "the deltas do not add up to value minus initial",
            evaluation.value - evaluation.initial_score,
            sum((one.delta for one in chain), Decimal(0)),
        ),
    ]
    name = str(evaluation.public_id)
    return [Fault(name, last.sequence, what, str(want), str(got)) for what, want, got in checks if want != got]


def _against_head(*, evaluation: Evaluation, chain: Sequence[ScoreChange], heads: Heads) -> list[Fault]:
    kept = heads.get(str(evaluation.public_id))
    if kept is None:
        return []
    sequence, digest = kept
    found = next((bytes(one.hash).hex() for one in chain if one.sequence == sequence), "no such entry")
    what = "the entry is not the one whose head was kept"
    return [] if found == digest else [Fault(str(evaluation.public_id), sequence, what, digest, found)]


def _reasons() -> Iterator[Fault]:
    """Return reasons whose words no longer give their digest; erased ones have none."""
    for reason in Reason.objects.exclude(salt="").iterator(chunk_size=2000):
        digest = hashlib.sha256((reason.salt + reason.text).encode()).hexdigest()
        if digest != reason.digest:
            entry = reason.entries.select_related("evaluation").first()
            name = str(entry.evaluation.public_id) if entry else "none"
            yield Fault(name, entry.sequence if entry else None, "the words of its reason were changed")


def heads() -> dict[str, tuple[int, str]]:
    """Return the chain head of every evaluation, for safe-keeping."""
    rows = Evaluation.objects.order_by("pk").values_list("public_id", "version", "head_hash")
    return {str(public): (version, bytes(digest).hex()) for public, version, digest in rows.iterator(chunk_size=2000)}
