"""``manage.py conformance PATH...``: runs files of worked numbers through the rules of the score."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from itertools import accumulate
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from django.core.management.base import CommandError, CommandParser

from debates.decimals import from_json, plain
from debates.management.base import BaseCommand
from judging.rules import adherence, consensus, persuasion, standing
from scoring.errors import DomainError, Invalid
from scoring.rules import criterion, numbers, overall
from scoring.types import Parameters, VerdictFact

NOTES = frozenset({"id", "expect", "note", "title", "source", "why"})
"""Keys of a case that no rule reads."""


class BadVectors(DomainError):
    """A file is no file of vectors; the message names the file and what is wrong in it."""

    code = "bad_vectors"


class Node:
    """One object of a file. It knows its place, so that whatever is wrong with it can be found."""

    def __init__(self, *, file: Path, where: str, data: object) -> None:
        if not isinstance(data, Mapping):
            raise BadVectors(f"{file}: {where} must be an object.")
        self.file = file
        self.where = where
        self.data: Mapping[str, Any] = data
        self.read: set[str] = set()
        self.children: list[Node] = []

    def __contains__(self, key: str) -> bool:
        return key in self.data

    def __getitem__(self, key: str) -> Any:
        if key not in self.data:
            raise BadVectors(f"{self.file}: {self.where} has no key {key!r}.")
        self.read.add(key)
        return self.data[key]

    def get(self, key: str, default: object = None) -> Any:
        return self[key] if key in self.data else default

    def wrong(self, key: str, must: str) -> BadVectors:
        return BadVectors(f"{self.file}: {key!r} of {self.where} {must}.")

    def items(self, key: str) -> list[Any]:
        value = self[key]
        if not isinstance(value, list):
            raise self.wrong(key, "must be a list")
        return value

    def lists(self, key: str) -> list[list[Any]]:
        rows = self.items(key)
        if not all(isinstance(row, list) for row in rows):
            raise self.wrong(key, "must be a list of lists")
        return rows

    def flag(self, key: str) -> bool:
        value = self[key]
        if not isinstance(value, bool):
            raise self.wrong(key, "must be true or false")
        return value

    def objects(self, key: str) -> dict[str, Node]:
        outer = self.child(f"{key!r} of {self.where}", self[key])
        outer.read.update(outer.data)
        return {name: outer.child(f"{name!r} in {outer.where}", value) for name, value in outer.data.items()}

    def child(self, where: str, data: object) -> Node:
        node = Node(file=self.file, where=where, data=data)
        self.children.append(node)
        return node

    def unread(self) -> list[str]:
        """Return the keys that no rule has read and that are no notes, here and inside."""
        inside = [key for node in self.children for key in node.unread()]
        return sorted({*(set(self.data) - self.read - NOTES), *inside})


def files(*, paths: Iterable[Path]) -> list[Path]:
    """Return the files to run; of a directory all ``*.json`` below it, by name.

    Raises: ``BadVectors`` for a directory without any.
    """
    vector_files: list[Path] = []
    for path in paths:
        below = sorted(path.rglob("*.json")) if path.is_dir() else [path]
        if not below:
            raise BadVectors(f"{path}: there is no *.json in this directory.")
        vector_files += below
    return vector_files


def load(*, file: Path, kinds: Iterable[str]) -> tuple[str, list[Node]]:
    """Read one file: its kind and its cases.

    Shape: {"kind": word, "cases": [{"id": word, "expect": values, ...}]}; numbers are best given as text.
    Raises: ``BadVectors`` naming the file, and the case and key where one is at fault.
    Source: docs/reference/rules.md#vector-files
    """
    whole = Node(file=file, where="the file", data=_json(file))
    kind = whole["kind"]
    known = sorted(kinds)
    if kind not in known:
        raise BadVectors(f"{file}: unknown kind {kind!r}; known: {', '.join(known)}.")
    cases = [whole.child(f"case {place}", data) for place, data in enumerate(whole.items("cases"), start=1)]
    if not cases:
        raise whole.wrong("cases", "must not be empty")
    for case in cases:
        case.where = f"case {case['id']}"
        if not isinstance(case["expect"], dict | list):
            raise case.wrong("expect", "must be an object or a list")
    return str(kind), cases


def _json(file: Path) -> object:
    try:
        return json.loads(file.read_text(encoding="utf-8-sig"), parse_float=from_json, parse_constant=_no_number)
    except OSError as error:
        raise BadVectors(f"{file}: cannot be read: {error.strerror}.") from error
    except (ValueError, RecursionError) as error:
        raise BadVectors(f"{file}: is not JSON: {error}.") from error


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number")


# One runner for each kind of vector: reads a case, asks the rules, returns everything they say.


LIMIT = Decimal(10) ** 9
PLACES = 20
Word = TypeVar("Word", bound=StrEnum)


def number(value: object, *, name: str = "number") -> Decimal:
    """Read any number of a vector file.

    Raises: ``NotANumber``, ``OutOfRange``.
    """
    return numbers.decimal_of(value, name=name, low=-LIMIT, high=LIMIT, places=PLACES)


def _numbers(values: Iterable[object]) -> tuple[Decimal, ...]:
    return tuple(number(value) for value in values)


def _decimal(node: Node, key: str) -> Decimal:
    return number(node[key], name=key)


def _word(kind: type[Word], node: Node, key: str) -> Word:
    value = node[key]
    if value not in list(kind):
        raise Invalid(f"{key} must be one of {', '.join(kind)}; got {value!r}.")
    return kind(value)


def _chosen(node: Node, names: Iterable[str]) -> dict[str, object]:
    return {name: node[name] for name in names if name in node}


def run_criterion(case: Node) -> dict[str, Any]:
    parameters = Parameters.from_options(_chosen(case, Parameters().snapshot()))
    initial, confidence = _decimal(case, "initial"), _decimal(case, "confidence")
    rounds = [
        [_verdict(case.child(f"a verdict of round {place} of {case.where}", fact_id)) for fact_id in own]
        for place, own in enumerate(case.lists("rounds"), start=1)
    ]
    facts = [fact for own in rounds for fact in own]
    steps = criterion.running(initial=initial, rounds=rounds, parameters=parameters)
    confidences = [
        criterion.computed_confidence(initial=confidence, facts=so_far, parameters=parameters)
        for so_far in accumulate(rounds, initial=[])
    ]
    raw = criterion.raw_sum(facts=facts, weight_by_confidence=parameters.weight_by_confidence)
    return {
        "raw": raw,
        "capped": criterion.capped(raw=raw, cap=parameters.adjustment_cap),
        "final": criterion.computed_score(initial=initial, facts=facts, parameters=parameters),
        "own": [step.own_raw for step in steps],
        "applied": [step.applied for step in steps],
        "running": [step.computed for step in steps],
        "confidence": confidences[-1],
        "confidences": confidences[1:],
    }


def _verdict(node: Node) -> VerdictFact:
    weight = node.get("confidence")
    return criterion.verdict_fact(adjustment=node["adjustment"], impact=node["impact"], weight=weight)


def run_overall(case: Node) -> dict[str, Any]:
    categories = {
        name: overall.Category(weight=_decimal(node, "weight"), scores=_numbers(node.items("scores")))
        for name, node in case.objects("categories").items()
    }
    sums = overall.overall(categories=categories)
    return {
        "overall": sums.score,
        "coverage": sums.coverage,
        "means": dict(sums.means),
        "recommendation": sums.recommendation,
        "band": sums.band,
    }


def run_interjection(case: Node) -> dict[str, Any]:
    interject = adherence.decide(
        accountability=_word(adherence.Accountability, case, "accountability"),
        requires=case.flag("requires"),
        total=_decimal(case, "total"),
        enabled=case.flag("enabled") if "enabled" in case else True,
    )
    return {"interject": interject}


def run_state(case: Node) -> list[dict[str, Any]]:
    """Return the state after every step, up to a surrender."""
    options = case.get("options", {})
    rules = persuasion.rule_set(str(case["rules"])).with_options(options)
    start = persuasion.starting(stance=case["stance"], conviction=case["conviction"])
    steps = [_numbers(step) for step in case.lists("steps")]
    if any(len(step) != 2 for step in steps):
        raise case.wrong("steps", "must be pairs of persuasion and attack")
    played = persuasion.play(state=start, effects=[(felt, hit) for felt, hit in steps], rules=rules)
    return [{"stance": state.stance, "conviction": state.conviction, "surrender": state.surrender} for state in played]


def run_standing(case: Node) -> dict[str, Any]:
    voices = [_voice(name, node) for name, node in case.objects("participants").items()]
    credit = _word(standing.Credit, case, "credit") if "credit" in case else standing.Credit.SHARED
    result = standing.result(voices=voices, credit=credit)
    return {
        "totals": {parts.name: parts.total for parts in result.standings},
        "parts": {parts.name: parts.parts() for parts in result.standings},
        "positions": {voice.name: standing.position(stance=voice.stance) for voice in voices},
        "winner": result.winner,
        "victory": result.victory,
    }


def _voice(name: str, node: Node) -> standing.StandingVoice:
    return standing.StandingVoice(
        name=name,
        stance=_decimal(node, "stance"),
        conviction=_decimal(node, "conviction"),
        persuasions=_numbers(node.items("persuasion")),
        attacks=_numbers(node.items("attack")),
        surrendered=node.flag("surrendered"),
        persuaded_by=tuple(node.items("persuaded_by")) if "persuaded_by" in node else (),
        surrendered_to=node.get("surrendered_to"),
        side=node.get("side") or "",
    )


def run_consensus(case: Node) -> dict[str, Any]:
    """Return whether a panel agrees, and on what. A judge that could not be read is ``null``."""
    ballots = _ballots(case)
    absent = case.items("not_applicable") if "not_applicable" in case else []
    if not all(type(position) is int for position in absent):
        raise case.wrong("not_applicable", "must hold positions of criteria")
    check = consensus.check(
        ballots=ballots,
        weights=_numbers(case.items("weights")),
        policy=consensus.Policy.from_options(_chosen(case, consensus.READERS)).for_seats(len(ballots)),
        debate_round=int(_decimal(case, "round")) if "round" in case else 0,
        not_applicable=absent,
    )
    return {
        "consensus": check.agreed,
        "reason": check.reason,
        "reasons": check.reasons,
        "overalls": check.overalls,
        "spread": check.spread,
        "criterion_spreads": check.criterion_spreads,
        "means": check.means,
        "overall": check.overall,
        "disputed": check.disputed,
        "counted": check.counted,
        "needed": check.needed,
    }


def _ballots(case: Node) -> list[consensus.Ballot]:
    rows = case.items("scores")
    if not all(row is None or isinstance(row, list) for row in rows):
        raise case.wrong("scores", "must hold a list or null for each judge")
    words = case.items("accepts") if "accepts" in case else [None] * len(rows)
    if len(words) != len(rows):
        raise case.wrong("accepts", "must hold one word for each judge")
    return [
        consensus.Ballot(scores=None if row is None else tuple(row), accepts=word)
        for row, word in zip(rows, words, strict=True)
    ]


KINDS: Mapping[str, Callable[[Node], Any]] = {
    "consensus": run_consensus,
    "criterion": run_criterion,
    "interjection": run_interjection,
    "overall": run_overall,
    "standing": run_standing,
    "state": run_state,
}


# Compares what a vector expects with what the rules gave: numbers by value, everything else as it is.


def difference(*, expected: object, actual: object, at: str = "") -> str:
    """Return the first difference, or nothing.

    Shape: an object may expect fewer values than there are, never others; lists have equal lengths.
    """
    if isinstance(expected, Mapping) and isinstance(actual, Mapping):
        return _first(
            difference(expected=value, actual=actual[key], at=f"{at}.{key}")
            if key in actual
            else f"{_place(at)}there is no value {key!r}; there are {', '.join(sorted(actual))}"
            for key, value in expected.items()
        )
    if isinstance(expected, list) and isinstance(actual, list | tuple) and len(expected) == len(actual):
        pairs = enumerate(zip(expected, actual, strict=True))
        return _first(difference(expected=value, actual=other, at=f"{at}[{index}]") for index, (value, other) in pairs)
    if _same(expected, actual):
        return ""
    return f"{_place(at)}expected {shown(expected)}, got {shown(actual)}"


def shown(value: object) -> str:
    return json.dumps(value, default=_text)


def _text(value: object) -> str:
    return plain(value) if isinstance(value, Decimal) else str(value)


def _first(differences: Iterable[str]) -> str:
    return next((text for text in differences if text), "")


def _place(at: str) -> str:
    return f"{at.lstrip('.')}: " if at else ""


def _same(expected: object, actual: object) -> bool:
    if isinstance(actual, Decimal) or (isinstance(actual, int) and not isinstance(actual, bool)):
        try:
            return number(expected) == actual
        except DomainError:
            return False
    if isinstance(expected, bool) or isinstance(actual, bool):
        return expected is actual
    return expected == actual


# Running cases: what is equal, what differs, and refusals that were expected.


REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class CaseOutcome:
    """What became of one case; ``difference`` is empty where everything is equal."""

    file: Path
    case: str
    difference: str

    @property
    def equal(self) -> bool:
        """Whether the rules gave what the case expects."""
        return not self.difference


def run(*, paths: Iterable[Path]) -> Iterator[CaseOutcome]:
    """Run every case of files, or of all ``*.json`` below directories, in order.

    Raises: ``BadVectors`` for what cannot be read as vectors.
    Source: docs/reference/rules.md#vector-files
    """
    for file in files(paths=paths):
        kind, cases = load(file=file, kinds=KINDS)
        for case in cases:
            yield CaseOutcome(file=file, case=str(case["id"]), difference=_difference(kind, case))


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
        return f"expected to be refused as {refusal}, got {shown(actual)}"
    return difference(expected=expected, actual=actual)


class Command(BaseCommand):
    """Exit status 0: all equal. 1: something differs. 2: a file cannot be read as vectors."""

    help = "Run vector files, or directories of them, through the rules and print one line for each case."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="a file, or a directory of *.json")

    def handle(self, *_args: object, **options: Any) -> None:
        different = equal = 0
        try:
            for outcome in run(paths=options["paths"]):
                equal += outcome.equal
                different += not outcome.equal
                verdict = "equal" if outcome.equal else f"different: {outcome.difference}"
                self.stdout.write(f"{outcome.file} {outcome.case} {verdict}")
        except BadVectors as refusal:
            raise CommandError(refusal.message, returncode=2) from refusal
        self.stdout.write(f"{equal} equal, {different} different")
        if different:
            raise SystemExit(1)
