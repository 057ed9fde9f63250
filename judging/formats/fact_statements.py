"""What a fact rests on, as readers are shown it: who said what, and the passage of the subject that it is about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from debates.decimals import signed, two_places
from judging.rules import quotes
from judging.rules.quotes import Source
from scoring.enums import FactKind
from scoring.models import Fact

AROUND = 240
"""So many characters of the subject are shown before and after a passage."""


@dataclass(frozen=True, slots=True)
class Statement:
    """Something that was said or ruled; ``anchor`` is where the page of the debate has it, if it does."""

    kind: str
    speaker: str
    text: str
    anchor: str = ""
    ruling: str = ""


@dataclass(frozen=True, slots=True)
class MarkedPassage:
    """A place in the subject: the pieces of the text around it, each with whether it was quoted."""

    pieces: Sequence[tuple[str, bool]]
    begins: bool
    ends: bool


@dataclass(frozen=True, slots=True)
class FactWords:
    """What a format knows about a fact."""

    title: str
    statements: Sequence[Statement] = ()
    quotes: Sequence[str] = ()
    numbers: Mapping[str, Decimal] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ShownFact:
    """A fact with the words about it, and the passages of the subject that these quote."""

    fact: Fact
    words: FactWords
    passages: Sequence[MarkedPassage] = ()

    @property
    def amount(self) -> str:
        """Return what it does to the score; only verdicts move it, the others are scores themselves."""
        amount = self.fact.amount
        return signed(amount) if self.fact.kind == FactKind.VERDICT.value else two_places(amount)

    @property
    def moves(self) -> bool:
        return self.fact.kind == FactKind.VERDICT.value


def shown(*, facts: Iterable[Fact], words: Mapping[int, FactWords], subject: str) -> list[ShownFact]:
    """Return facts with the words about them; what is quoted is marked in the subject where it stands there."""
    within = quotes.source(subject) if subject else None
    return [_shown(fact, words.get(fact.pk) or FactWords(fact.get_kind_display()), subject, within) for fact in facts]


def _shown(fact: Fact, words: FactWords, subject: str, within: Source | None) -> ShownFact:
    if within is None:
        return ShownFact(fact, words)
    passages = [passage(quote=quote, subject=subject, within=within) for quote in words.quotes]
    return ShownFact(fact, words, [row for row in passages if row is not None])


def passage(*, quote: str, subject: str, within: Source) -> MarkedPassage | None:
    """Return the place of a quote in the subject, with what stands around it; nothing where it is not there."""
    spans = quotes.located(quote=quote, within=within).spans
    if not spans:
        return None
    start, end = max(0, spans[0].start - AROUND), min(len(subject), spans[-1].end + AROUND)
    pieces, at = [], start
    for span in spans:
        pieces += [(subject[at : span.start], False), (subject[span.start : span.end], True)]
        at = span.end
    pieces.append((subject[at:end], False))
    return MarkedPassage([piece for piece in pieces if piece[0]], begins=start == 0, ends=end == len(subject))


def as_document(row: ShownFact) -> dict[str, Any]:
    """Return a fact as the document of an account has it."""
    return {
        "id": str(row.fact.public_id),
        "title": row.words.title,
        "statements": [
            {"kind": said.kind, "speaker": said.speaker, "text": said.text, "ruling": said.ruling or None}
            for said in row.words.statements
        ],
        "quotes": [{"text": "".join(text for text, quoted in place.pieces if quoted)} for place in row.passages],
    }
