"""Proof on demand: every chain, hash, projection and computed score again from the facts, with nothing of the database's code."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby
from operator import attrgetter
from typing import Any

from django.db import connection
from django.db.models import QuerySet

from scoring.kinds import EntryKind, HeldChoice
from scoring.models import Evaluation, Fact, Reason, ScoreChange
from scoring.rules import fold, instruments
from scoring.rules.fold import State
from scoring.services.entries import compute_from, parameters_of, state_after, state_of
from scoring.types import Instrument

Verifier = Callable[[int | None], Iterable["Fault"]]
_further: list[Verifier] = []


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that does not agree: where, at which entry, what was expected and what was found."""

    debate: str
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
    """What was proved, and what was not."""

    evaluations: int
    entries: int
    faults: tuple[Fault, ...]


def also(verifier: Verifier) -> None:
    """Let another app prove what it keeps; it is given a debate id or nothing, and returns faults."""
    _further.append(verifier)


def verify(*, debate_id: int | None = None, heads: Mapping[str, tuple[int, str]] | None = None) -> Report:
    """Recompute the ledger of one debate, or of all, and say exactly what does not agree.

    Shape: ``heads`` are chain heads kept safe earlier: {evaluation public id: (sequence, hex hash)}.
    Source: docs/explanation/ledger.md, "Proof".
    """
    faults: list[Fault] = []
    evaluations = entries = 0
    seen = set()
    for evaluation in _evaluations(debate_id=debate_id).iterator(chunk_size=500):
        chain = list(evaluation.entries.select_related("reason").order_by("sequence"))
        evaluations += 1
        entries += len(chain)
        seen.add(str(evaluation.public_id))
        faults += prove(evaluation=evaluation, chain=chain)
        faults += against_head(evaluation=evaluation, chain=chain, heads=heads or {})
    if debate_id is None:
        faults += [Fault("", gone, None, "the evaluation is gone, but its head was kept") for gone in set(heads or {}) - seen]
    for verifier in _further:
        faults += verifier(debate_id)
    return Report(evaluations=evaluations, entries=entries, faults=tuple(faults))


def _evaluations(*, debate_id: int | None) -> "QuerySet[Evaluation]":
    rows = Evaluation.objects.select_related("debate", "thread").order_by("pk")
    return rows if debate_id is None else rows.filter(debate_id=debate_id)
