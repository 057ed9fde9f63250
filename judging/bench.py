"""A panel as one judge sees it, and what a judge answers. Values only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any


@dataclass(frozen=True, slots=True)
class Item:
    """One criterion of a panel; 5 is always the good end. ``share`` is its part of the overall, for reading only."""

    code: str
    name: str
    question: str
    high: str
    low: str
    share: Decimal


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a judge gives one criterion and why; ``quotes`` are those that the subject really says.

    Units: ``score`` 1..5.
    """

    code: str
    score: Decimal
    reasoning: str
    quotes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Stand:
    """Where a judge stands after a round."""

    judge: str
    opinions: tuple[Opinion, ...]
    overall: Decimal

    def on(self, code: str) -> Opinion:
        """Return what the judge gives one criterion."""
        return next(one for one in self.opinions if one.code == code)


@dataclass(frozen=True, slots=True)
class Gap:
    """A criterion to debate, and with whom: whoever lies too far from one's own score on it, the farthest first.

    Shape: ``opponents`` are names and scores, at least one.
    """

    code: str
    own_score: Decimal
    opponents: tuple[tuple[str, Decimal], ...]

    @property
    def other(self) -> str:
        """Who lies farthest away."""
        return self.opponents[0][0]

    @property
    def other_score(self) -> Decimal:
        """What that judge gives."""
        return self.opponents[0][1]


@dataclass(frozen=True, slots=True)
class Bench:
    """Everything a provider may read for one request of a panel, as data.

    Shape: ``own``, ``others`` and ``gaps`` are empty in the independent analysis (round 0), in which nobody sees
    anybody. ``result`` is what the final report is about. ``swapped`` has prompts list everything from its end.
    """

    title: str
    subject: str
    task: str
    items: tuple[Item, ...]
    judge: str = ""
    strategy: str = ""
    round: int = 0
    rounds: int = 0
    own: Stand | None = None
    others: tuple[Stand, ...] = ()
    gaps: tuple[Gap, ...] = ()
    result: Mapping[str, Any] = field(default_factory=dict)
    swapped: bool = False


@dataclass(frozen=True, slots=True)
class Judged:
    """What a judge gives one criterion in the independent analysis; ``quotes`` as they were given."""

    code: str
    quotes: tuple[str, ...]
    reasoning: str
    score: Decimal
    improvement: str


@dataclass(frozen=True, slots=True)
class Question:
    """A question by which a judge looks for what speaks against the own judgement, and the answer."""

    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class Revision:
    """A score that a judge wants to change; it holds only with a quote that the subject really says."""

    code: str
    score: Decimal
    because: str
    quotes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Analysis:
    """The independent analysis of one judge."""

    judged: tuple[Judged, ...]
    questions: tuple[Question, ...]
    revisions: tuple[Revision, ...]
    strengths: tuple[str, ...]
    weaknesses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """What a judge says about one disagreement. The score is the old one where it is maintained."""

    code: str
    defence: str
    challenge: str
    score: Decimal
    because: str
    quotes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Argued:
    """What one judge says in a debate round."""

    sections: tuple[Section, ...]
    accepts: bool
    agrees_with: tuple[str, ...]
