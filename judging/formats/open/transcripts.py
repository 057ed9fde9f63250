"""Transcripts of debates that happened, as text, JSON or from ConvoKit, and the samples that ship."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from debates.errors import Invalid
from debates.rules import RepeatedKey, unique_keys
from judging.formats.open import spec
from judging.formats.open.parsing import SHORTEST_TURN
from judging.formats.open.spec import LEAST_CHAIRS, MOST_CHAIRS, MOST_EXCHANGES, ChairSpec, TableSpec
from judging.formats.parsing import LONGEST_TEXT
from judging.rules import frameworks
from judging.types import Purpose

# Reading debates that really happened: JSON, "NAME: words", or the utterances of a ConvoKit corpus. Pure.


NAMED = re.compile(r"([^\W\d_][^\n:]{0,79}):[ \t]+(.*)")
MOTION = "motion"
TURN = ("speaker", "text")
TOP = ("turns", MOTION, "speakers")
KNOWN = ("framework", "stance", "conviction", "strategy")


@dataclass(frozen=True, slots=True)
class TranscriptLine:
    """Something that somebody said."""

    speaker: str
    text: str


@dataclass(frozen=True, slots=True)
class Transcript:
    """A debate as it was written down: what it was about, where known, and what was said in which order.

    Shape: ``positions`` are what is known of a speaker: any of framework, stance, conviction, strategy.
    """

    lines: tuple[TranscriptLine, ...]
    motion: str = ""
    positions: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def speakers(self) -> tuple[str, ...]:
        """Return everybody who spoke, in the order of their first words."""
        return tuple(dict.fromkeys(one.speaker for one in self.lines))


def read(text: str, *, conversation: str = "") -> Transcript:
    """Return the debate that a file holds, whichever of the three ways it is written in.

    Shape: ``conversation`` chooses one of a ConvoKit file; without it the first is taken.
    Raises: ``Invalid`` naming the place, or for a conversation of what has none to choose from.
    """
    if is_corpus(text):
        return corpus(text, conversation=conversation)
    if conversation:
        raise Invalid(f"transcript: only a ConvoKit file has conversations; this is none, and has no {conversation!r}.")
    if not looks_like_json(text):
        return plain(text)
    try:
        return document(json.loads(text, parse_float=Decimal, object_pairs_hook=unique_keys))
    except RepeatedKey as error:
        raise Invalid(f"transcript: {error}") from error


def is_corpus(text: str) -> bool:
    """Say whether a file holds utterances, one JSON object in each line, if only one."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return looks_like_json(text)
    return isinstance(found, dict) and "conversation_id" in found


def looks_like_json(text: str) -> bool:
    return text.lstrip().startswith(("{", "["))


def plain(text: str) -> Transcript:
    """Return a debate from lines that begin with "NAME: "; further lines belong to the one before.

    Raises: ``Invalid`` where nobody speaks.
    """
    motion, said = "", list[TranscriptLine]()
    for row in text.splitlines():
        match = NAMED.match(row)
        if match and match[1].strip().lower() == MOTION and not said:
            motion = match[2].strip()
        elif match:
            said.append(TranscriptLine(match[1].strip(), match[2].strip()))
        elif said and row.strip():
            said[-1] = TranscriptLine(said[-1].speaker, f"{said[-1].text}\n{row.strip()}")
    return Transcript(lines=merged(said), motion=motion)


def document(found: Any) -> Transcript:
    """Return a debate from JSON: a list of turns, or an object with ``turns``, ``motion`` and ``speakers``.

    Raises: ``Invalid`` naming the turn and the field.
    """
    about: Mapping[str, Any] = found if isinstance(found, dict) else {"turns": found}
    _only(about, TOP, place="transcript")
    turns, motion = about.get("turns"), about.get(MOTION, "")
    if not isinstance(turns, list):
        raise Invalid("transcript: turns must be a list of objects with speaker and text.")
    if not isinstance(motion, str):
        raise Invalid("transcript: motion must be text.")
    said = []
    for number, row in enumerate(turns, start=1):
        said.append(line_of(row, place=f"transcript: turn {number}"))
        _only(row, TURN, place=f"transcript: turn {number}")
    return Transcript(lines=merged(said), motion=motion, positions=positions_of(about.get("speakers", {}), said))


def positions_of(positions: Any, said: Sequence[TranscriptLine]) -> Mapping[str, Mapping[str, Any]]:
    """Return what is known of speakers, if it is about those who speak.

    Raises: ``Invalid`` naming the speaker.
    """
    if not isinstance(positions, dict) or not all(isinstance(one, dict) for one in positions.values()):
        raise Invalid("transcript: speakers must be an object of objects, by name.")
    for name, one in positions.items():
        _only(one, KNOWN, place=f"transcript: speakers, {name}")
    heard = list(dict.fromkeys(one.speaker for one in said))
    silent = next((name for name in positions if name not in heard), None)
    if silent is not None:
        raise Invalid(f"transcript: speakers, {silent!r} says nothing; who speaks is {', '.join(heard) or 'nobody'}.")
    return positions


def _only(found: Mapping[str, Any], known: Sequence[str], *, place: str) -> None:
    strange = sorted(set(found) - set(known))
    if strange:
        raise Invalid(f"{place}: unknown {strange[0]!r}; known are {', '.join(known)}.")


def corpus(text: str, *, conversation: str) -> Transcript:
    """Return one conversation of a ConvoKit file of utterances, one JSON object in each line, in their order of time.

    Raises: ``Invalid`` naming the line.
    """
    rows = list(utterances(text))
    ids = list(dict.fromkeys(conversation_of(row) for row in rows))
    wanted = conversation or (ids[0] if ids else "")
    if wanted not in ids:
        raise Invalid(f"transcript: there is no conversation {wanted!r}; there are {', '.join(ids[:10])}.")
    own = [row for row in rows if conversation_of(row) == wanted]
    if all(isinstance(row.get("timestamp"), int | float) for row in own):
        own.sort(key=lambda row: row["timestamp"])
    said = [line_of(row, place=f"transcript: utterance {number}") for number, row in enumerate(own, start=1)]
    return Transcript(lines=merged(said))


def utterances(text: str) -> Iterator[Mapping[str, Any]]:
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line, object_pairs_hook=unique_keys)
        except (ValueError, RecursionError) as error:
            raise Invalid(f"transcript: line {number} is not JSON: {str(error)[:100]}.") from error
        if not isinstance(row, dict):
            raise Invalid(f"transcript: line {number} must be an object.")
        yield row


def conversation_of(row: Mapping[str, Any]) -> str:
    """Return the conversation of an utterance, under the names that versions of ConvoKit gave it."""
    return str(row.get("conversation_id") or row.get("root") or "")


def line_of(row: Any, *, place: str) -> TranscriptLine:
    """Return one turn from JSON.

    Raises: ``Invalid`` naming the place and the field.
    """
    if not isinstance(row, dict):
        raise Invalid(f"{place}: must be an object with speaker and text.")
    speaker = row.get("speaker", row.get("user"))
    speaker = speaker.get("id") if isinstance(speaker, dict) else speaker
    text = row.get("text", row.get("words"))
    if not isinstance(speaker, str) or not speaker.strip():
        raise Invalid(f"{place}: speaker must be a name.")
    if not isinstance(text, str):
        raise Invalid(f"{place}: text must be text.")
    return TranscriptLine(speaker.strip(), text.strip())


def merged(said: Sequence[TranscriptLine]) -> tuple[TranscriptLine, ...]:
    """Return lines without those too short to be a turn; who goes on speaking has one turn, not two."""
    kept: list[TranscriptLine] = []
    for one in said:
        if len(one.text) < SHORTEST_TURN:
            continue
        if kept and kept[-1].speaker == one.speaker:
            kept[-1] = TranscriptLine(one.speaker, f"{kept[-1].text}\n\n{one.text}")
        else:
            kept.append(one)
    return tuple(kept)


# -- as a debate to play ---------------------------------------------------------------------------------------------


def as_table(transcript: Transcript, *, motion: str = "", **wanted: Any) -> TableSpec:
    """Return an open debate in which everybody says what they said; only the judging is new.

    The first words of each speaker are the opening, the n-th after that are said in exchange n. Persuasion is off
    unless a stance is known for everybody.

    Raises: ``Invalid`` where the debate does not fit a table.
    Source: docs/how-to/judge-a-debate-that-happened.md
    """
    names = transcript.speakers
    if not LEAST_CHAIRS <= len(names) <= MOST_CHAIRS:
        raise Invalid(f"transcript: {LEAST_CHAIRS} to {MOST_CHAIRS} must speak; found {len(names)}.")
    turns = {name: [one.text for one in transcript.lines if one.speaker == name] for name in names}
    most = max(names, key=lambda name: len(turns[name]))
    exchanges = len(turns[most]) - 1
    if exchanges < 1:
        raise Invalid("transcript: nobody speaks a second time, so that there is no response to judge.")
    if exchanges > MOST_EXCHANGES:
        raise Invalid(f"transcript: {most} speaks {exchanges + 1} times; at most {MOST_EXCHANGES + 1} are allowed.")
    known = all("stance" in transcript.positions.get(name, {}) for name in names)
    return TableSpec(
        motion=motion or transcript.motion,
        chairs=tuple(ChairSpec(name=name, provider="scripted", **transcript.positions.get(name, {})) for name in names),
        exchanges=exchanges,
        introduction=False,
        interjections=False,
        persuasion=known,
        script=[answer for name in names for answer in answers(name, turns[name], exchanges)],
        **wanted,
    )


def cut(transcript: Transcript) -> int:
    """Return how many turns are longer than a turn may be: of them the beginning is taken."""
    return sum(len(one.text) > LONGEST_TEXT for one in transcript.lines)


def moved(transcript: Transcript) -> int:
    """Return how many turns come, at a table that speaks in turn, after words that were said only later than they.

    Source: docs/how-to/judge-a-debate-that-happened.md
    """
    seats = {name: seat for seat, name in enumerate(transcript.speakers)}
    spoken: Counter[str] = Counter()
    places = []
    for at, one in enumerate(transcript.lines):
        places.append((spoken[one.speaker], seats[one.speaker], at))
        spoken[one.speaker] += 1
    found, latest = 0, 0
    for _, _, at in sorted(places):
        found += at < latest
        latest = max(latest, at)
    return found


def answers(name: str, said: Sequence[str], exchanges: int) -> Iterator[Mapping[str, Any]]:
    """Yield what one speaker says when it is asked; after its last words it says nothing more."""
    for number in range(exchanges + 1):
        purpose = Purpose.RESPOND if number else Purpose.OPEN
        about = {"purpose": purpose.value, "thread": name, "round": number}
        if number < len(said):
            yield {**about, "answer": {"text": said[number], "quotes": []}}
        else:
            yield {**about, "error": "Nothing more was said.", "permanent": True}


# The open debates that Moot ships: a motion, a preset, and what was said, or nothing where chairs speak themselves.


PLAIN = ("tone", "accountability", "credit", "exchanges", "rule_set")


def read_sample(text: str) -> TableSpec:
    """Return a shipped debate as it is created. Where turns are written down, everybody says them; all is judged anew.

    Raises: ``Invalid`` and its kin, naming the field.
    """
    found: dict[str, Any] = json.loads(text)
    strange = sorted(set(found) - {"title", "motion", "preset", "turns", *PLAIN})
    if strange:
        raise Invalid(f"sample: unknown {strange[0]!r}.")
    plain = {name: found[name] for name in PLAIN if name in found}
    if "turns" not in found:
        chairs = spec.from_preset(found["preset"])
        return TableSpec(motion=found["motion"], title=found["title"], chairs=chairs, **plain)
    written = {"motion": found["motion"], "turns": found["turns"], "speakers": positions(found["preset"])}
    wanted = as_table(document(written))
    return replace(wanted, title=found["title"], introduction=True, interjections=True, **plain)


def positions(preset: str) -> Mapping[str, Mapping[str, Any]]:
    """Return where the chairs of a preset stand, by name, as a transcript tells it."""
    return {
        seat.name: {
            "framework": seat.framework,
            "stance": seat.stance,
            "conviction": seat.conviction,
            "strategy": seat.strategy.value,
        }
        for seat in frameworks.preset(preset).seats
    }
