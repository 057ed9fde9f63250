"""Which of what was said a reader asks to see: by words, speaker, criterion and kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.http import QueryDict

LONGEST_QUERY = 100
KINDS: Mapping[str, str] = {
    "introduction": "Introductions",
    "opening": "Openings",
    "response": "Responses",
    "interjection": "Interjections",
    "analysis": "Analyses",
    "argument": "Arguments",
    "challenge": "Challenges",
    "defence": "Answers",
    "verdict": "Verdicts",
}
"""What can be said in any format, and how people call it."""


@dataclass(frozen=True, slots=True)
class TranscriptFilter:
    """What a reader asks for; empty is everything. A value that there is not lets nothing through.

    Shape: ``speaker`` is a name, ``criterion`` a code, ``kind`` a key of ``KINDS``; ``unfolded`` opens every chapter.
    """

    words: str = ""
    speaker: str = ""
    criterion: str = ""
    kind: str = ""
    unfolded: bool = False

    @property
    def active(self) -> bool:
        return bool(self.words or self.speaker or self.criterion or self.kind)

    @property
    def opens(self) -> bool:
        return self.active or self.unfolded

    def admits(self, *, kind: str, speaker: str, criterion: str, text: str) -> bool:
        return (
            self.kind in {"", kind}
            and self.speaker in {"", speaker}
            and self.criterion in {"", criterion}
            and self.words.casefold() in text.casefold()
        )


def filter_of(query: QueryDict) -> TranscriptFilter:
    """Return what the query of an address asks for."""
    asked = {name: query.get(name, "").replace("\x00", "").strip()[:LONGEST_QUERY] for name in NAMES}
    return TranscriptFilter(
        words=asked["q"],
        speaker=asked["speaker"],
        criterion=asked["criterion"],
        kind=asked["kind"],
        unfolded=asked["open"] == "all",
    )


NAMES = ("q", "speaker", "criterion", "kind", "open")


@dataclass(frozen=True, slots=True)
class TranscriptChoices:
    """What a transcript can be filtered by besides speakers: {value: what people call it}; may be nothing."""

    criteria: Mapping[str, str]
    kinds: Mapping[str, str]


def choices(*, kinds: Sequence[str], criteria: Mapping[str, str]) -> TranscriptChoices:
    return TranscriptChoices(criteria=criteria, kinds={kind: KINDS[kind] for kind in kinds})
