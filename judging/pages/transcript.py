"""What pages show of what was said: the latest turns and rulings, the closing synthesis, what a reader filters by; and
what a fact rests on.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db.models import Subquery
from django.http import QueryDict

from debates.decimals import signed, two_places
from debates.models import Debate, Event, Participant, Turn
from debates.types import Audience, TurnKind
from judging.models import Synthesis, Verdict
from judging.rules import quotes
from judging.rules.quotes import Source
from scoring.enums import FactKind
from scoring.models import Fact

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
    synthesis = last_words(debate=debate)
    if synthesis is None:
        return None
    turn = synthesis.turn
    return WrittenSynthesis(
        blocks=blocks(text=turn.text), by=turn.participant, at=synthesis.at, overall=written_about(synthesis)
    )


def last_words(*, debate: Debate) -> Synthesis | None:
    """Return the newest synthesis of a debate; none once it was played again, for that is about another result."""
    told = Event.objects.filter(debate=debate, type__in=("synthesis:complete", "debate:rerun")).order_by("-seq")
    syntheses = Synthesis.objects.filter(debate=debate).annotate(newest=Subquery(told.values("type")[:1]))
    synthesis = syntheses.select_related("turn__participant").last()
    return None if synthesis is None or synthesis.newest == "debate:rerun" else synthesis


def written_about(synthesis: Synthesis) -> str | None:
    """Return the overall that a synthesis is about, if there was one."""
    overall: str | None = (synthesis.numbers["overall"] or {}).get("after")
    return overall


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
            and as_searched(self.words) in as_searched(text)
        )


def as_searched(text: str) -> str:
    """Return a text as it is searched; static/transcript.js folds alike."""
    return " ".join(text.lower().split())


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


# -- what a fact rests on: who said what, and the passage of the subject that it is about ------------------------------


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


def shown_facts(*, facts: Iterable[Fact], words: Mapping[int, FactWords], subject: str) -> list[ShownFact]:
    """Return facts with the words about them; what is quoted is marked in the subject where it stands there."""
    within = quotes.source(subject) if subject else None
    return [
        _shown_fact(fact, words.get(fact.pk) or FactWords(fact.get_kind_display()), subject, within) for fact in facts
    ]


def _shown_fact(fact: Fact, words: FactWords, subject: str, within: Source | None) -> ShownFact:
    if within is None:
        return ShownFact(fact, words)
    passages = [marked_passage(quote=quote, subject=subject, within=within) for quote in words.quotes]
    return ShownFact(fact, words, [row for row in passages if row is not None])


def marked_passage(*, quote: str, subject: str, within: Source) -> MarkedPassage | None:
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


def fact_document(row: ShownFact) -> dict[str, Any]:
    """Return a fact as the document of an account has it."""
    return {
        "id": str(row.fact.public_id),
        "title": row.words.title,
        "statements": [
            {
                "kind": statement.kind,
                "speaker": statement.speaker,
                "text": statement.text,
                "ruling": statement.ruling or None,
            }
            for statement in row.words.statements
        ],
        "quotes": [{"text": "".join(text for text, quoted in place.pieces if quoted)} for place in row.passages],
    }
