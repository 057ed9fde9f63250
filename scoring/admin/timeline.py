"""What a score rests on and how it came there, as its page shows it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from debates.admin.read_only import shortened
from debates.decimals import signed
from debates.printable import clock
from scoring import selectors
from scoring.admin.formatting import shown
from scoring.enums import EntryKind, FactKind
from scoring.models import Evaluation, Fact, ScoreChange
from scoring.services.previews import Figures

LAST = 20


@dataclass(frozen=True, slots=True)
class Words:
    """What a judge said about a fact: in a few words, and at length."""

    title: str
    text: str


Reader = Callable[[Sequence[int]], Mapping[int, Words]]
"""Takes the ids of facts, returns the words about those that it knows, in one query."""

_READERS: list[Reader] = []


def read_by(reader: Reader) -> None:
    """Have words about facts read by somebody who knows them: judging keeps them, and scoring does not know judging."""
    if reader not in _READERS:
        _READERS.append(reader)


@dataclass(frozen=True, slots=True)
class Consequence:
    """One thing that a debate comes to, such as its overall: now, and with another final score."""

    what: str
    now: str
    then: str


Foreseer = Callable[[Evaluation, Figures], Sequence[Consequence]]
"""Takes a score and where it would stand, returns what becomes of its debate."""

_FORESEERS: list[Foreseer] = []


def foreseen_by(foreseer: Foreseer) -> None:
    """Have what becomes of a debate said by somebody who knows: judging does, and scoring does not know judging."""
    if foreseer not in _FORESEERS:
        _FORESEERS.append(foreseer)


def consequences(*, evaluation: Evaluation, then: Figures) -> list[Consequence]:
    """Return what a debate would come to if one of its scores stood elsewhere."""
    return [each for foreseer in _FORESEERS for each in foreseer(evaluation, then)]


@dataclass(frozen=True, slots=True)
class FactRow:
    """One fact with the words about it."""

    fact: Fact
    title: str
    text: str

    @property
    def moves(self) -> str:
        """Return what it does to the score; only verdicts move it, the others are scores themselves."""
        return signed(self.fact.amount) if self.fact.kind == FactKind.VERDICT else shown(self.fact.amount)

    @property
    def beginning(self) -> str:
        return shortened(self.text, longest=120)


def rows(*, evaluation: Evaluation, ids: Sequence[int]) -> list[FactRow]:
    """Return facts of an evaluation with the words about them, oldest first."""
    if not ids:
        return []
    facts = Fact.objects.filter(evaluation=evaluation, pk__in=ids).select_related("round", "participant").order_by("pk")
    words: dict[int, Words] = {}
    for reader in _READERS:
        words.update(reader(list(ids)))
    return [_row(fact, words.get(fact.pk)) for fact in facts]


def _row(fact: Fact, words: Words | None) -> FactRow:
    who = f" by {fact.participant.name}" if fact.participant else ""
    return FactRow(fact, words.title, words.text) if words else FactRow(fact, f"{fact.get_kind_display()}{who}", "")


def newest_first(evaluation: Evaluation) -> QuerySet[ScoreChange]:
    return selectors.history(evaluation=evaluation).select_related("approval__decided_by", "reason__note").reverse()


def void(*, evaluation: Evaluation, until: int) -> frozenset[int]:
    """Return the numbers of the entries that rollbacks went back over and that nothing has brought back, in one query.

    Shape: ``until`` is the entry after which one looks, its newest for now.
    """
    rollbacks = ScoreChange.objects.filter(evaluation=evaluation, kind=EntryKind.ROLLBACK.value, sequence__lte=until)
    gone: set[int] = set()
    stands_at = until
    for rollback in rollbacks.order_by("-sequence"):
        if rollback.sequence <= stands_at and rollback.target_sequence is not None:
            gone |= set(range(rollback.target_sequence + 1, rollback.sequence))
            stands_at = rollback.target_sequence
    return frozenset(gone)


def ground(*, evaluation: Evaluation) -> dict[str, list[FactRow]]:
    """Return all facts of a run: those that count, those that are held, and those that do neither.

    Shape: ``left_out`` can be put back; ``other_rounds`` cannot, because another round counts in their place.
    """
    out = selectors.left_out(evaluation=evaluation)
    back = selectors.reinstatable(evaluation=evaluation)
    rows_by_fact = {
        row.fact.pk: row for row in rows(evaluation=evaluation, ids=[*evaluation.basis, *evaluation.held, *out])
    }

    def those(ids: Iterable[int]) -> list[FactRow]:
        return [rows_by_fact[fact] for fact in ids if fact in rows_by_fact]

    return {
        "basis": those(evaluation.basis),
        "held": those(evaluation.held),
        "left_out": those(sorted(back)),
        "other_rounds": those(sorted(out - back)),
    }


def point(entry: ScoreChange, *, now: Evaluation) -> str:
    """Return a point of a timeline in words, with the value then and now."""
    who = f" by {entry.actor}" if entry.actor else ""
    what = f"{entry.kind.replace('_', ' ')}{f' {entry.round.number}' if entry.round else ''}{who}"
    then = f"{shown(entry.value_after)} then, {shown(now.value)} now"
    return f"Entry {entry.sequence}, {what}: {then} ({clock(entry.at, pattern='%d %b %Y, %H:%M')})"
