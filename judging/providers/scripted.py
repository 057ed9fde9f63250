"""The provider that replays given answers: for tests, demonstrations and recorded debates."""

import asyncio
import json
from collections.abc import Collection, Mapping, Sequence
from contextlib import nullcontext
from decimal import Decimal, InvalidOperation
from typing import Any

from debates.errors import Invalid
from debates.rules import DEEPEST, deeper_than, read_json
from judging.errors import ProviderError
from judging.rules.options import name_of, refuse_unstorable
from judging.types import Completion, Purpose, Request

MATCHERS = ("purpose", "thread", "round", "swapped", "reading", "attempt")
EXTRAS = ("answer", "error", "permanent", "seconds", "cost", "tokens_in", "tokens_out")
LONGEST_DELAY = 600
LONGEST_SCRIPT = 2_000_000
MOST_ANSWERS = 20_000


def read_script(text: str) -> list[Mapping[str, Any]]:
    """Return a script from its text: a JSON list of answers, or JSON lines, an answer each.

    Raises: ``Invalid`` naming the line, or the answer and the key.
    """
    if len(text) > LONGEST_SCRIPT:
        raise Invalid(f"script has {len(text)} characters; at most {LONGEST_SCRIPT} are allowed.")
    text = text.lstrip("\ufeff")
    if text.lstrip().startswith("["):
        return checked_script(read_json(text, name="script"))
    lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    return checked_script([read_json(line, name=f"script, line {number}") for number, line in lines])


def as_lines(answers: Sequence[Mapping[str, Any]]) -> str:
    return "\n".join(json.dumps(answer, ensure_ascii=False) for answer in answers)


def checked_script(answers: object) -> list[Mapping[str, Any]]:
    """Return a script that can be replayed.

    Shape: a list of objects; ``purpose``, ``thread``, ``round``, ``swapped``, ``reading`` and ``attempt`` say which
    requests an answer is for (an absent one fits all), ``answer`` is what is said (an object, or a string taken as it
    is), ``error`` fails instead, ``seconds`` delays, ``cost``, ``tokens_in`` and ``tokens_out`` are what it is said to
    have cost.
    Raises: ``Invalid`` naming the entry and the key.
    """
    if not isinstance(answers, list | tuple):
        raise Invalid(f"script must be a list of answers; got {type(answers).__name__}.")
    if len(answers) > MOST_ANSWERS:
        raise Invalid(f"script has {len(answers)} answers; at most {MOST_ANSWERS} are allowed.")
    for number, answer in enumerate(answers, start=1):
        _check_answer(answer, place=f"script, answer {number}")
    return list(answers)


def _check_answer(answer: object, *, place: str) -> None:
    if not isinstance(answer, dict):
        raise Invalid(f"{place}: must be an object; got {type(answer).__name__}.")
    _check_stored(answer, place=place)
    strange = sorted(set(answer) - {*MATCHERS, *EXTRAS})
    if strange:
        raise Invalid(f"{place}: unknown key {strange[0]!r}; known are {', '.join([*MATCHERS, *EXTRAS])}.")
    if ("answer" in answer) == ("error" in answer):
        raise Invalid(f"{place}: give either answer or error.")
    _checked_delay(answer.get("seconds", 0), place=place)
    _check_cost(answer, place=place)
    if "purpose" in answer and answer["purpose"] not in [purpose.value for purpose in Purpose]:
        raise Invalid(f"{place}: purpose must be one of {', '.join(Purpose)}; got {answer['purpose']!r}.")


def _check_stored(answer: Mapping[str, Any], *, place: str) -> None:
    if deeper_than(answer, DEEPEST - 1):  # the list of answers is a level, too
        raise Invalid(f"{place}: is nested too deeply: at most {DEEPEST - 1} levels.")
    try:
        json.dumps(answer, allow_nan=False)
        refuse_unstorable(answer, name=place)
    except (TypeError, ValueError, RecursionError) as error:
        raise Invalid(f"{place}: is not JSON: {error}. Write an unusual answer as a string.") from error


def _check_cost(answer: Mapping[str, Any], *, place: str) -> None:
    """Refuse what is no number at all; numbers that no call may cost are said as they are, as a provider might."""
    for name in ("tokens_in", "tokens_out"):
        if isinstance(answer.get(name, 0), bool) or not isinstance(answer.get(name, 0), int):
            raise Invalid(f"{place}: {name} must be a whole number.")
    try:
        Decimal(str(answer.get("cost", "0")))
    except InvalidOperation as error:
        raise Invalid(f"{place}: cost must be a number.") from error


def _checked_delay(seconds: object, *, place: str) -> None:
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 <= seconds <= LONGEST_DELAY:
        raise Invalid(f"{place}: seconds must be a number from 0 to {LONGEST_DELAY}.")


class Scripted:
    """Says the first answer of the script that fits a request. It keeps no place: a repeated request gets it again."""

    name = "scripted"
    advice = ""

    def room(self, request: Request) -> nullcontext[None]:
        """Return room for any number of calls."""
        return nullcontext()

    def source(self, request: Request) -> Sequence[str]:
        return [json.dumps(list(request.script), sort_keys=True)]

    def preflight(self, questions: Collection[tuple[Purpose, str]]) -> Sequence[str]:
        return ()

    def deadline(self, request: Request) -> float:
        """Return more than the longest delay that a script may ask for."""
        return LONGEST_DELAY + 60.0

    async def complete(self, request: Request) -> Completion:
        """Answer from the request's script.

        Raises: ``ProviderError`` where the script says so, or holds nothing that fits.
        """
        entry = fitting(script=request.script, request=request)
        if entry is None:
            request_named = (
                f"{request.purpose} of thread {request.thread!r}, round {request.round}, attempt {request.attempt}"
            )
            raise ProviderError(f"The script has no answer for {request_named}.", permanent=True)
        await asyncio.sleep(float(entry.get("seconds", 0)))
        if "error" in entry:
            raise ProviderError(str(entry["error"]), permanent=bool(entry.get("permanent", False)))
        answer = entry["answer"]
        return Completion(
            text=answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False),
            model="script",
            tokens_in=int(entry.get("tokens_in", 0)),
            tokens_out=int(entry.get("tokens_out", 0)),
            cost=Decimal(str(entry.get("cost", "0"))),
        )


def fitting(*, script: Sequence[Mapping[str, Any]], request: Request) -> Mapping[str, Any] | None:
    about = {
        "purpose": request.purpose.value,
        "thread": name_of(request.thread),
        "round": request.round,
        "swapped": request.swapped,
        "reading": request.reading,
        "attempt": request.attempt,
    }
    return next(
        (answer for answer in script if all(_asked(answer, key, about[key]) == about[key] for key in MATCHERS)), None
    )


def _asked(answer: Mapping[str, Any], key: str, otherwise: object) -> object:
    """Return for which request an answer is, a name as debates keep it."""
    value = answer.get(key, otherwise)
    return name_of(value) if key == "thread" and isinstance(value, str) else value
