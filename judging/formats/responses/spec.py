"""What somebody asks for who has responses judged without a debate, read from a file or a request. Pure."""

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import count, islice
from typing import Any

from debates.errors import Invalid
from debates.rules import RepeatedKey, unique_keys
from judging.formats import spec
from judging.formats.open.parsing import SHORTEST_TURN
from judging.formats.open.spec import LONGEST_MOTION, LONGEST_NAME, MOST_AT_ONCE, Judging
from judging.formats.parsing import LONGEST_TEXT
from judging.formats.responses import NAME
from judging.formats.spec import DebateSpec
from judging.rules import frameworks
from judging.rules.adherence import Accountability
from judging.rules.options import name_of
from judging.types import OFFLINE

MOST_RESPONSES = 5_000
LONGEST_FILE = 20_000_000
LONGEST_FRAMEWORK, MOST_FRAMEWORKS = 1_000, 50
"""Characters of a framework in own words, and how many such there may be in a batch."""
PER_ROUND = 10
"""Responses of a round: what one claim is for, and what is set aside of the budget at once."""
MOST_ROUNDS = 1_000
BETWEEN_CELLS = {",": "commas", ";": "semicolons", "\t": "tabs"}
SPEAKER, OPPONENT = "Speaker", "Opponent"
"""What those are called who have no name."""
JOINERS = "\u200c\u200d"
"""Characters within words of several scripts."""
COLUMNS = ("id", "speaker", "framework", "answered", "opponent", "response")
NEEDED = "response"
ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,39}")
MOST_TOLD = 5
"""So many rows are named of those that cannot be read."""


@dataclass(frozen=True, slots=True)
class GivenResponse:
    """A response with what it is judged against: what it answers, whose words those are, and from what it argues.

    Shape: ``framework`` is the key of one that ships, or a sentence that says it in own words, or empty.
    """

    id: str
    response: str
    speaker: str = SPEAKER
    framework: str = ""
    answered: str = ""
    opponent: str = OPPONENT


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponsesSpec(DebateSpec):
    """A batch of responses as somebody wants it judged.

    Units: ``judge_concurrency`` is how many judgements are asked for at once.
    """

    format = NAME

    motion: str
    responses: Sequence[GivenResponse]
    title: str = ""
    judging: str = Judging.FULL.value
    judge_concurrency: int = 3
    accountability: str = Accountability.MODERATE.value
    provider: str = OFFLINE
    model: str = ""


def checked(responses_spec: ResponsesSpec) -> ResponsesSpec:
    """Return the spec if everything in it is allowed; its responses were checked when they were read.

    Source: docs/reference/responses.md
    """
    spec.text_of(responses_spec.motion, name="motion", longest=LONGEST_MOTION)
    if responses_spec.title:
        spec.text_of(responses_spec.title, name="title", longest=spec.LONGEST_TITLE)
    spec.whole(responses_spec.judge_concurrency, name="judge_concurrency", low=1, high=MOST_AT_ONCE)
    spec.model_of(responses_spec.model, offline=responses_spec.provider == OFFLINE)
    spec.checked_limits(responses_spec.limits)
    if responses_spec.judging == Judging.FULL:
        spec.payable(responses_spec.limits, least=per_round(responses_spec))
    return responses_spec


def per_round(responses_spec: ResponsesSpec) -> int:
    """Return how many responses a round has: no more than may be asked about, and so many that the rounds suffice."""
    size = max(PER_ROUND, responses_spec.judge_concurrency)
    size = size if responses_spec.limits.calls is None else min(size, responses_spec.limits.calls)
    return max(size, -(-len(responses_spec.responses) // MOST_ROUNDS))


def digest(responses_spec: ResponsesSpec) -> str:
    """Return by what a batch is known again that is asked for anew while it is being judged."""
    rows = [[getattr(row, name) for name in COLUMNS] for row in responses_spec.responses]
    names = ("motion", "title", "judging", "judge_concurrency", "accountability", "provider", "model")
    about = [getattr(responses_spec, name) for name in names]
    limits = [
        str(value) for value in (responses_spec.limits.money, responses_spec.limits.tokens, responses_spec.limits.calls)
    ]
    text = json.dumps([rows, about, limits, responses_spec.visibility.value, list(responses_spec.script)], default=str)
    return sha256(text.encode("utf-8", "replace")).hexdigest()


# -- reading ---------------------------------------------------------------------------------------------------------


Row = tuple[str, Any]
"""Where something stands, for whoever has to mend it, and what stands there."""


def read(text: str) -> tuple[GivenResponse, ...]:
    """Return the responses of a file: CSV with a line of names, JSON lines, or a JSON list."""
    if len(text) > LONGEST_FILE:
        raise _refused(f"the file has {len(text)} characters; at most {LONGEST_FILE} are read.")
    text = text.removeprefix("\ufeff")
    first = text.lstrip()[:1]
    if first == "[":
        return responses_of(_json(text, place="the list"))
    return _responses(_json_lines(text) if first == "{" else _csv_lines(text))


def responses_of(rows: object) -> tuple[GivenResponse, ...]:
    if not isinstance(rows, list | tuple):
        raise _refused("must be a list of objects, or the text of a file.")
    return _responses((f"row {number}", row) for number, row in enumerate(rows, start=1))


def _responses(rows: Iterator[Row]) -> tuple[GivenResponse, ...]:
    responses: list[GivenResponse] = []
    problems: list[str] = []
    places: dict[str, str] = {}
    spelled: dict[str, str] = {}
    read_rows = list(islice(rows, MOST_RESPONSES + 1))
    taken = {str(row["id"]).strip() for _, row in read_rows if isinstance(row, Mapping) and row.get("id")}
    for place, row in read_rows:
        if len(responses) + len(problems) >= MOST_RESPONSES:
            raise _refused(f"a batch has at most {MOST_RESPONSES}.")
        try:
            response = _response(row, number=free_number(len(responses) + len(problems) + 1, taken=taken))
        except Invalid as refusal:
            problems.append(f"{place}: {refusal.message}")
            continue
        taken.add(response.id)
        twin = next((name for name in names_in(response) if spelled.setdefault(name.casefold(), name) != name), None)
        if twin is not None:
            problems.append(f"{place}: {spelled[twin.casefold()]!r} is called {twin!r} here; write a name one way.")
            continue
        if places.setdefault(response.id, place) != place:
            problems.append(f"{place}: id {response.id} stands in {places[response.id]} already.")
            continue
        responses.append(response)
    if problems:
        more = len(problems) - MOST_TOLD
        message = " ".join(problems[:MOST_TOLD])
        raise _refused(f"{message} And {more} more rows cannot be read." if more > 0 else message)
    if not responses:
        raise _refused("there is none.")
    _few_frameworks(responses)
    return tuple(responses)


def free_number(number: int, *, taken: Collection[str]) -> int:
    """Return the number of a row, or the next that is free: a row without an id takes none that is written anywhere."""
    return next(free for free in count(number) if str(free) not in taken)


def names_in(response: GivenResponse) -> tuple[str, ...]:
    return (response.speaker, response.opponent) if response.answered else (response.speaker,)


def _response(row: Any, *, number: int) -> GivenResponse:
    if not isinstance(row, Mapping):
        raise Invalid(f"must be an object with {', '.join(COLUMNS)}.")
    unknown = next((name for name in row if name not in COLUMNS), None)
    if unknown is not None:
        raise Invalid(f"unknown {str(unknown)[:40]!r}; known are {', '.join(COLUMNS)}.")
    words = {name: _words(row.get(name), name=name) for name in COLUMNS}
    own = words["id"] or str(number)
    if not ID.fullmatch(own):
        raise Invalid(f"id must be 1 to 40 letters, digits or any of . _ : -; got {own[:60]!r}.")
    if len(words[NEEDED]) < SHORTEST_TURN:
        raise Invalid(f"response must have at least {SHORTEST_TURN} characters; got {len(words[NEEDED])}.")
    for name in (NEEDED, "answered"):
        spec.text_of(words[name] or "-", name=name, longest=LONGEST_TEXT)
    speaker, opponent = _names(words)
    return GivenResponse(own, words[NEEDED], speaker, framework_of(words["framework"]), words["answered"], opponent)


def _names(words: Mapping[str, str]) -> tuple[str, str]:
    speaker, opponent = name_of(words["speaker"]) or SPEAKER, name_of(words["opponent"]) or OPPONENT
    for what, name in (("speaker", speaker), ("opponent", opponent)):
        spec.text_of(name, name=what, longest=LONGEST_NAME)
        if not all(letter.isprintable() or letter in JOINERS for letter in name):
            raise Invalid(f"{what} must hold no control characters and none that cannot be seen.")
    if words["answered"] and speaker.casefold() == opponent.casefold():
        raise Invalid(f"speaker and opponent are both called {speaker!r}; nobody answers themselves.")
    return speaker, opponent


def _words(value: object, *, name: str) -> str:
    if value is None:
        return ""
    if isinstance(value, int) and not isinstance(value, bool) and name == "id":
        return str(value)
    if not isinstance(value, str):
        raise Invalid(f"{name} must be text.")
    return "\n".join(value.splitlines()).strip()


def framework_of(text: str) -> str:
    """Return the key of a framework that ships, by its key or name, or a framework as it says itself in own words.

    Raises: ``Invalid`` for a word that is no key: own words are a sentence.
    """
    known = {row.name.casefold(): key for key, row in frameworks.frameworks().items()}
    key = known.get(text.casefold(), text.casefold())
    if not text or key in frameworks.frameworks():
        return key if text else ""
    if " " not in text:
        ship = ", ".join(frameworks.frameworks())
        raise Invalid(f"framework {text[:40]!r} is none of {ship}; one of your own is said in a sentence.")
    return spec.text_of(text, name="framework", longest=LONGEST_FRAMEWORK)


def _few_frameworks(responses: Sequence[GivenResponse]) -> None:
    own = {row.framework for row in responses} - {"", *frameworks.frameworks()}
    if len(own) > MOST_FRAMEWORKS:
        raise _refused(f"a batch has at most {MOST_FRAMEWORKS} frameworks in own words; got {len(own)}.")


def _json(text: str, *, place: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=unique_keys)
    except (ValueError, RecursionError, RepeatedKey) as error:
        raise _refused(f"{place} is not JSON: {str(error)[:100]}.") from error


def _json_lines(text: str) -> Iterator[Row]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield f"line {number}", _json(line, place=f"line {number}")


def _csv_lines(text: str) -> Iterator[Row]:
    """Yield the rows of a table, each with the line in which it begins; cells may have several lines.

    Spreadsheets write empty columns behind the last one; they are none.
    """
    head = text.lstrip("\r\n").split("\n", 1)[0]
    marks = [mark for mark in BETWEEN_CELLS if NEEDED in _cells(head, mark)]
    if not marks:
        known = ", ".join(COLUMNS)
        raise _refused(
            f"line 1 must name the columns, {NEEDED} among them; known are {known}. It begins {head[:60]!r}."
        )
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=marks[0], strict=True)
    names: list[str] = []
    begins = 1
    try:
        for written in lines:
            place, begins = f"line {begins}", lines.line_num + 1
            filled = max((at for at, cell in enumerate(written, start=1) if cell.strip()), default=0)
            if not filled:
                continue
            cells = written[: max(len(names), filled)]
            if not names:
                names = [cell.strip().lower() for cell in cells]
                _known_once(names)
            elif len(cells) > len(names):
                mark = BETWEEN_CELLS[marks[0]]
                raise _refused(
                    f"{place} has {len(cells)} cells, and there are {len(names)} columns; quote a text with {mark}."
                )
            else:
                yield place, dict(zip(names, cells, strict=False))
    except csv.Error as error:
        raise _refused(f"line {lines.line_num} is no line of a table: {error}.") from error


def _cells(head: str, mark: str) -> list[str]:
    try:
        return [cell.strip().lower() for cell in next(csv.reader([head], delimiter=mark), [])]
    except csv.Error:
        return []


def _known_once(names: Sequence[str]) -> None:
    unknown = next((name for name in names if name not in COLUMNS), None)
    if unknown is not None:
        raise _refused(f"line 1: unknown column {unknown[:40]!r}; known are {', '.join(COLUMNS)}.")
    twice = next((name for name, times in Counter(names).items() if times > 1), None)
    if twice is not None:
        raise _refused(f"line 1 names the column {twice} twice.")


def _refused(message: str) -> Invalid:
    return Invalid(f"responses: {message}", field="responses")
