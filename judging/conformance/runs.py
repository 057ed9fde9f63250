"""Running cases: what is equal, what differs, and refusals that were expected."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from judging.conformance import comparison, vectors
from judging.conformance.kinds import KINDS
from judging.conformance.vectors import BadVectors, Node
from scoring.errors import DomainError

REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one case; ``difference`` is empty where everything is equal."""

    file: Path
    case: str
    difference: str

    @property
    def equal(self) -> bool:
        """Whether the rules gave what the case expects."""
        return not self.difference


def run(*, paths: Iterable[Path]) -> Iterator[Outcome]:
    """Run every case of files, or of all ``*.json`` below directories, in order.

    Raises: ``BadVectors`` for what cannot be read as vectors.
    Source: docs/reference/rules.md#vector-files
    """
    for file in vectors.files(paths=paths):
        kind, cases = vectors.load(file=file, kinds=KINDS)
        for case in cases:
            yield Outcome(file=file, case=str(case["id"]), difference=_difference(kind, case))


def _difference(kind: str, case: Node) -> str:
    """A refusal is equal only to the refusal that the case expects; a key without effect is a difference."""
    expected = case["expect"]
    refusal = expected.get(REFUSED) if isinstance(expected, Mapping) else None
    try:
        actual = KINDS[kind](case)
    except BadVectors:
        raise
    except DomainError as refused:
        return "" if refused.code == refusal else f"refused as {refused.code}: {refused.message}"
    unread = case.unread()
    if unread:
        return f"no rule reads {', '.join(unread)}"
    if refusal is not None:
        return f"expected to be refused as {refusal}, got {comparison.shown(actual)}"
    return comparison.difference(expected=expected, actual=actual)
