"""Transcripts of debates that happened, as text, JSON or from ConvoKit, and the samples that ship.

What cannot be read raises ``Invalid``, naming the place.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal, InvalidOperation
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Any

from debates.decimals import from_json
from debates.errors import Invalid
from debates.rules import RepeatedKey, read_json, unique_keys
from judging.formats.open import spec
from judging.formats.open.parsing import SHORTEST_TURN
from judging.formats.open.spec import LEAST_CHAIRS, LONGEST_NAME, ChairSpec, Judging, TableSpec
from judging.formats.parsing import LONGEST_TEXT
from judging.rules import frameworks
from judging.rules.options import compared, name_of, refuse_unstorable
from judging.types import DEBATER, Purpose

# Reading debates that really happened: JSON, "NAME: words", or the utterances of a ConvoKit corpus. Pure.


NAMED = re.compile(rf"([^\W\d_][^:\uff1a]{{0,{LONGEST_NAME - 1}}})(?::(?:\s+|$)|\uff1a\s*)(.*)$", re.DOTALL)
OBJECTS = re.compile(r"\s*(\{|\[\s*([{\]]|\Z))")
LINE_END = re.compile(r"\r\n?|\n")
"""Of a file of JSON; a text in it may hold what else ends a line."""
BEGINS = 'Every turn begins with a name, a colon and a blank (a wide colon needs none), such as "Lena: Nobody asked.".'
MOTION = "motion"
LEAST_ROUNDS = 2
"""Openings, and something that answers them."""
MOST_TURNS = 20_000
"""As many as a script may have answers, for they are said again from one."""
TURN = ("speaker", "text")
TOP = ("turns", MOTION, "speakers")
KNOWN = ("framework", "stance", "conviction", "strategy", "role", "side")


@dataclass(frozen=True, slots=True)
class TranscriptLine:
    speaker: str
    text: str


@dataclass(frozen=True, slots=True)
class Transcript:
    """A debate as it was written down: what it was about, where known, and what was said in which order.

    Shape: ``positions`` are what is known of a speaker: any of framework, stance, conviction, strategy, role, side;
    ``heard`` is everybody who said anything, be it too short for a turn; ``in_file_order`` says that nothing else told
    the order of what was said; ``left_out`` is how often somebody said what is too short.
    """

    lines: tuple[TranscriptLine, ...]
    motion: str = ""
    positions: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    heard: tuple[str, ...] = ()
    in_file_order: bool = False
    left_out: Mapping[str, int] = field(default_factory=dict)

    @property
    def speakers(self) -> tuple[str, ...]:
        """Return everybody who has a turn, in the order of their first words."""
        return tuple(dict.fromkeys(line.speaker for line in self.lines))


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
        return document(json.loads(text, parse_float=from_json, object_pairs_hook=unique_keys))
    except RepeatedKey as error:
        raise Invalid(f"transcript: {error}") from error
    except (ValueError, RecursionError) as error:
        raise Invalid(f"transcript: not JSON: {error}.") from error


def is_corpus(text: str) -> bool:
    """Say whether a file holds utterances, one JSON object in each line, if only one; the first may have a slip."""
    whole = loaded(text)
    if whole is not None:
        return isinstance(whole, dict) and "conversation_id" in whole
    rows = [row for row in map(str.strip, LINE_END.split(text)) if row]
    if not rows or rows[0][0] != "{" or rows[0][-1] != "}":
        return False  # as a document or list that goes on in the next line
    return any(
        isinstance(row, dict) and (at == 0 or conversation_of(row) != "") for at, row in enumerate(map(loaded, rows))
    )


def looks_like_json(text: str) -> bool:
    """Say whether a file is JSON, or was to be: what only begins with a bracket, such as a time, is not."""
    return bool(OBJECTS.match(text)) or isinstance(loaded(text), list)


def loaded(text: str) -> Any:
    """Return what JSON holds, or nothing where it is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def plain(text: str) -> Transcript:
    """Return a debate from lines that begin with "NAME: "; further lines belong to the one before.

    "NAME:" alone begins a turn where that name has words after it in another line, or none in the file has. Else it may
    be a name or words. What is longer than a name may be is words. The motion may come first, as if it were a speaker.

    Raises: ``Invalid`` where nobody speaks, and naming the line of what may be either, or of words before any name.
    """
    said = list[tuple[str, list[str]]]()
    rows = [(number, *name_and_words(row)) for number, row in enumerate(text.splitlines(), start=1)]
    with_words = [(name, number) for number, name, words in rows if name and words and name.lower() != MOTION]
    known = {name for name, _ in with_words}
    for number, name, words in rows:
        refuse_unstorable((name, words), name=f"transcript: line {number}")
        if name and (words or name in known or not known or (name.lower() == MOTION and not said)):
            said.append((name, [words]))
        elif name:
            other, place = with_words[0]
            raise Invalid(
                f"transcript: line {number}: {name!r} stands alone, and may be a name or words, for line {place} has "
                f"words after {other!r}. Write what is said in the line of its name, and take the colon away where "
                "there is no name."
            )
        elif said and words and not (len(said) == 1 and said[0][0].lower() == MOTION and said[0][1][0]):
            said[-1][1].append(words)
        elif words:
            raise Invalid(f"transcript: line {number}: words before the first name. {BEGINS}")
    motion = " ".join(filter(None, said.pop(0)[1])) if said and said[0][0].lower() == MOTION else ""
    if not said:
        raise Invalid(f"transcript: nobody speaks. {BEGINS}")
    return transcript_of([TranscriptLine(name, "\n".join(filter(None, rows))) for name, rows in said], motion=motion)


def name_and_words(row: str) -> tuple[str, str]:
    """Return whose turn a line may begin, and its words; no name where it can only go on with the turn before."""
    match = NAMED.match(row)
    return (name_of(match[1]), (match[2] or "").strip()) if match else ("", row.strip())


def document(parsed: Any) -> Transcript:
    """Return a debate from JSON: a list of turns, or an object with ``turns``, ``motion`` and ``speakers``."""
    about: Mapping[str, Any] = parsed if isinstance(parsed, dict) else {"turns": parsed}
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
    transcript = transcript_of(said, motion=motion)
    return replace(transcript, positions=positions_of(about.get("speakers", {}), transcript.heard))


def positions_of(positions: Any, heard: Sequence[str]) -> Mapping[str, Mapping[str, Any]]:
    """Return what is known of speakers, if it is about those who speak."""
    if not isinstance(positions, dict) or not all(isinstance(position, dict) for position in positions.values()):
        raise Invalid("transcript: speakers must be an object of objects, by name.")
    by_name: Mapping[str, Mapping[str, Any]] = {name_of(name): position for name, position in positions.items()}
    if len(by_name) < len(positions):
        raise Invalid("transcript: speakers, somebody stands there twice, in two spellings.")
    for name, position in by_name.items():
        _only(position, KNOWN, place=f"transcript: speakers, {name}")
    silent = next((name for name in by_name if name not in heard), None)
    if silent is not None:
        raise Invalid(f"transcript: speakers, {silent!r} says nothing; who speaks is {', '.join(heard) or 'nobody'}.")
    return by_name


def with_speakers(transcript: Transcript, text: str) -> Transcript:
    """Return a debate with what a file says of its speakers, over what its own file says.

    Shape: ``text`` is a JSON object of objects by name, as under ``speakers`` in a transcript.
    """
    try:
        parsed = json.loads(text, parse_float=from_json, object_pairs_hook=unique_keys)
    except (ValueError, RecursionError, RepeatedKey) as error:
        raise Invalid(f"speakers: not JSON: {str(error)[:100]}.") from error
    positions = positions_of(parsed, transcript.heard)
    both = {name: {**transcript.positions.get(name, {}), **positions.get(name, {})} for name in transcript.speakers}
    return replace(transcript, positions={name: position for name, position in both.items() if position})


def _only(row: Mapping[str, Any], known: Sequence[str], *, place: str) -> None:
    strange = sorted(set(row) - set(known))
    if strange:
        raise Invalid(f"{place}: unknown {strange[0]!r}; known are {', '.join(known)}.")


def corpus(text: str, *, conversation: str) -> Transcript:
    """Return one conversation of a ConvoKit file of utterances, one JSON object in each line, in their order."""
    rows = list(utterances(text))
    ids = list(dict.fromkeys(conversation_of(row) for row in rows))
    conversation_id = conversation or (ids[0] if ids else "")
    if conversation_id not in ids:
        raise Invalid(f"transcript: there is no conversation {conversation_id!r}; there are {', '.join(ids[:10])}.")
    own = [row for row in rows if conversation_of(row) == conversation_id]
    ordered, in_file_order = in_order(own)
    said = [line_of(row, place=f"transcript: utterance {number}") for number, row in enumerate(ordered, start=1)]
    return replace(transcript_of(said), in_file_order=in_file_order)


def in_order(rows: Sequence[Mapping[str, Any]]) -> tuple[Sequence[Mapping[str, Any]], bool]:
    """Return utterances by their times, and where these do not decide each behind what it answers.

    Shape: besides, whether neither said anything, so that they stand as in the file.
    """
    by_id = {str(row["id"]): number for number, row in enumerate(rows) if row.get("id") is not None}
    parents = [by_id.get(str(row.get("reply-to", row.get("reply_to")))) for row in rows]
    behind: dict[int, Mapping[str, Any]] = {}
    for number in range(len(rows)):
        way = dict[int, None]()
        at: int | None = number
        while at is not None and at not in behind and at not in way:
            way[at] = None
            at = parents[at]
        behind |= {number: rows[number] for number in reversed(way)}
    ordered = list(behind.values())
    times = [time for time in map(time_of, ordered) if time is not None]
    if all_timed := len(times) == len(ordered):
        ordered = [row for _, row in sorted(zip(times, ordered, strict=True), key=itemgetter(0))]
    is_ordered = (all_timed and len({*times}) > 1) or parents.count(None) < len(rows)
    return ordered, len(rows) > 1 and not is_ordered


def time_of(row: Mapping[str, Any]) -> Decimal | None:
    """Return when something was said, as a number or its text; nothing where that is neither."""
    value = row.get("timestamp")
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        time = Decimal(str(value))
    except InvalidOperation:
        return None
    return time if time.is_finite() else None


def utterances(text: str) -> Iterator[Mapping[str, Any]]:
    for number, line in enumerate(LINE_END.split(text), start=1):
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
    if not isinstance(row, dict):
        raise Invalid(f"{place}: must be an object with speaker and text.")
    speaker = row.get("speaker", row.get("user"))
    speaker = speaker.get("id") if isinstance(speaker, dict) else speaker
    text = row.get("text")
    if not isinstance(speaker, str) or not speaker.strip():
        raise Invalid(f"{place}: speaker must be a name.")
    if not isinstance(text, str):
        raise Invalid(f"{place}: text must be text.")
    refuse_unstorable((speaker, text), name=place)
    return TranscriptLine(name_of(speaker), text.strip())


def transcript_of(said: Sequence[TranscriptLine], *, motion: str = "") -> Transcript:
    heard = tuple(dict.fromkeys(line.speaker for line in said))
    left_out = Counter(line.speaker for line in said if 0 < len(line.text) < SHORTEST_TURN)
    return Transcript(lines=merged(said), motion=motion, heard=heard, left_out=left_out)


def merged(said: Iterable[TranscriptLine]) -> tuple[TranscriptLine, ...]:
    """Return lines without those too short to be a turn; who goes on speaking has one turn, not two."""
    kept = (line for line in said if len(line.text) >= SHORTEST_TURN)
    turns = groupby(kept, key=attrgetter("speaker"))
    return tuple(TranscriptLine(speaker, "\n\n".join(line.text for line in lines)) for speaker, lines in turns)


# -- as a debate to play ---------------------------------------------------------------------------------------------


def as_table(transcript: Transcript, *, motion: str = "", **options: Any) -> TableSpec:
    """Return an open debate in which everybody says what they said, in the order in which they did.

    A round ends where somebody speaks again; the first is of openings. Persuasion is off unless a stance is known for
    everybody who debates.

    Raises: ``Invalid`` where the debate does not fit a table.
    Source: docs/how-to/judge-a-debate-that-happened.md
    """
    if len(transcript.lines) > MOST_TURNS:
        raise Invalid(f"transcript: it has {len(transcript.lines)} turns; at most {MOST_TURNS} are judged.")
    called = dict[str, str]()
    for name in transcript.speakers:
        first = called.setdefault(compared(name), name)
        if first != name:
            raise Invalid(f"transcript: {first!r} and {name!r} differ by case or form alone; call them one way.")
    order = rounds(transcript)
    if len(order) < LEAST_ROUNDS:
        raise Invalid("transcript: nobody speaks a second time, so that there is no response to judge.")
    chairs = [chair_of(name, transcript.positions.get(name, {})) for name in transcript.speakers]
    debaters = [chair for chair in chairs if chair.part == DEBATER]
    if len(debaters) < LEAST_CHAIRS:
        raise Invalid(f"transcript: at least {LEAST_CHAIRS} must debate; found {len(debaters)}.")
    return TableSpec(
        motion=motion or transcript.motion,
        chairs=chairs,
        exchanges=len(order) - 1,
        introduction=False,
        interjections=options.get("judging", Judging.FULL) != Judging.FULL,  # otherwise the default, which says nothing
        persuasion=all("stance" in transcript.positions.get(debater.name, {}) for debater in debaters),
        script=[answer for number, lines in enumerate(order) for answer in answers(number, lines)],
        order=[[line.speaker for line in lines] for lines in order],
        **options,
    )


def chair_of(name: str, known: Mapping[str, Any]) -> ChairSpec:
    about = {key: value for key, value in known.items() if key != "role"}
    return ChairSpec(name=name, provider="scripted", part=known.get("role", DEBATER), **about)


def rounds(transcript: Transcript) -> list[list[TranscriptLine]]:
    """Return the lines of a debate as rounds in which nobody speaks twice, in the order in which they were said."""
    lines_by_round: list[list[TranscriptLine]] = []
    heard: set[str] = set()
    for line in transcript.lines:
        if not lines_by_round or line.speaker in heard:
            lines_by_round.append([])
            heard.clear()
        lines_by_round[-1].append(line)
        heard.add(line.speaker)
    return lines_by_round


def cut(transcript: Transcript) -> int:
    """Return how many turns are longer than a turn may be: of them the beginning is taken."""
    return sum(len(line.text) > LONGEST_TEXT for line in transcript.lines)


def answers(number: int, lines: Sequence[TranscriptLine]) -> Iterator[Mapping[str, Any]]:
    """Yield what is said in one round when its speakers are asked."""
    purpose = Purpose.RESPOND if number else Purpose.OPEN
    for line in lines:
        about = {"purpose": purpose.value, "thread": line.speaker, "round": number}
        yield {**about, "answer": {"text": line.text[:LONGEST_TEXT], "quotes": []}}


# The open debates that Moot ships: a motion, a preset, and what was said, or nothing where chairs speak themselves.


PLAIN = ("tone", "accountability", "credit", "exchanges", "rule_set", "pace", "when_watched")


def read_sample(text: str) -> TableSpec:
    """Return a shipped debate as it is created. Turns that are written down are said again, and all is judged anew."""
    sample = read_json(text, name="sample")
    if not isinstance(sample, dict):
        raise Invalid("sample: must be a JSON object.")
    strange = sorted(set(sample) - {"title", "motion", "preset", "turns", *PLAIN})
    if strange:
        raise Invalid(f"sample: unknown {strange[0]!r}.")
    missing = next((name for name in ("title", "motion", "preset") if not isinstance(sample.get(name), str)), None)
    if missing:
        raise Invalid(f"sample: {missing} must be text.")
    plain = {name: sample[name] for name in PLAIN if name in sample}
    if "turns" not in sample:
        chairs = spec.from_preset(sample["preset"])
        return spec.checked(TableSpec(motion=sample["motion"], title=sample["title"], chairs=chairs, **plain))
    written = {"motion": sample["motion"], "turns": sample["turns"], "speakers": positions(sample["preset"])}
    table_spec = as_table(document(written))
    return spec.checked(replace(table_spec, title=sample["title"], introduction=True, interjections=True, **plain))


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
