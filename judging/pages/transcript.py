"""What pages show of what was said: the latest turns and rulings, the closing synthesis, what a reader filters by."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.http import QueryDict

from debates.models import Debate, Event, Participant, Turn
from debates.types import Audience, TurnKind
from judging.models import Synthesis, Verdict

SHOWN = 30
TYPES = ("turn:added", "verdict:issued")


@dataclass(frozen=True, slots=True)
class LatestWords:
    """One utterance or ruling, under the number of the event that told of it. Only a ruling has a winner."""

    seq: int
    kind: str
    where: str
    text: str
    who: str = ""
    winner: str = ""
    amount: Decimal | None = None


def latest(*, debate: Debate, place: Callable[[Mapping[str, Any]], str] | None = None) -> list[LatestWords]:
    """Return the last utterances and rulings of a debate, the newest last: three queries.

    Shape: ``place`` says from the data of an event where something was said: as a rule, about which criterion.
    """
    place = place or criterion_and_round
    events = Event.objects.filter(debate=debate, type__in=TYPES, audience=Audience.PUBLIC.value)
    newest = list(events.order_by("-seq").values_list("seq", "data")[:SHOWN])[::-1]
    turns = turns_of([data for _, data in newest])
    verdicts = verdicts_of([data for _, data in newest])
    latest_words = (said(seq, data, where=place(data), turns=turns, verdicts=verdicts) for seq, data in newest)
    return [words for words in latest_words if words is not None]


def turns_of(events: Sequence[Mapping[str, Any]]) -> dict[str, Turn]:
    """Return the turns that events tell of, by their public ids; a synthesis has a place of its own."""
    ids = [data["turn"] for data in events if "turn" in data and data["kind"] != TurnKind.SYNTHESIS]
    turns = Turn.objects.filter(public_id__in=ids).select_related("participant")
    return {str(turn.public_id): turn for turn in turns}


def verdicts_of(events: Sequence[Mapping[str, Any]]) -> dict[str, Verdict]:
    """Return the verdicts that events tell of, by the public ids of their facts."""
    ids = [data["verdict"] for data in events if "verdict" in data]
    verdicts = Verdict.objects.filter(fact__public_id__in=ids).select_related("fact")
    return {str(verdict.fact.public_id): verdict for verdict in verdicts}


def said(
    seq: int, data: Mapping[str, Any], *, where: str, turns: Mapping[str, Turn], verdicts: Mapping[str, Verdict]
) -> LatestWords | None:
    if turn := turns.get(data.get("turn", "")):
        return LatestWords(seq=seq, kind=turn.kind, who=turn.participant.name, where=where, text=turn.text)
    if verdict := verdicts.get(data.get("verdict", "")):
        amount = verdict.fact.amount
        return LatestWords(
            seq=seq, kind="verdict", where=where, text=verdict.reasoning, winner=verdict.winner, amount=amount
        )
    return None


def criterion_and_round(data: Mapping[str, Any]) -> str:
    return f"{data['criterion']} \N{MIDDLE DOT} round {data['round']}" if "criterion" in data else ""


# The arbiter's last words about a debate, in paragraphs and lists.


BULLET = "- "


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, or a list with its heading."""

    words: str
    lines: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class WrittenSynthesis:
    """A synthesis as it is shown: who wrote it, when, and about which overall. Without blocks its text was erased."""

    blocks: Sequence[Block]
    by: Participant
    at: datetime
    overall: str | None


def newest(*, debate: Debate) -> WrittenSynthesis | None:
    synthesis = Synthesis.objects.filter(debate=debate).select_related("turn__participant").last()
    if synthesis is None:
        return None
    turn, overall = synthesis.turn, (synthesis.numbers["overall"] or {}).get("after")
    return WrittenSynthesis(blocks=blocks(text=turn.text), by=turn.participant, at=synthesis.at, overall=overall)


def blocks(*, text: str) -> list[Block]:
    """Return a text in paragraphs; lines that begin with a dash under a line that ends with a colon are a list."""
    return [block(part) for part in text.split("\n\n") if part.strip()]


def block(part: str) -> Block:
    head, *lines = part.strip().split("\n")
    if lines and head.endswith(":") and all(line.startswith(BULLET) for line in lines):
        return Block(words=head.removesuffix(":"), lines=[line.removeprefix(BULLET) for line in lines])
    return Block(words=part.strip())


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
